"""What /metrics and the board count is what was dealt, by the dealer's own truth."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from controller.core.signals import CardCarried, CardDrawn, ErrorCleared, Fault, OffGameCardDrawn, ResultCalled
from controller.simulate.dealer import Slip
from controller.simulate.dealing import Shoe, Table
from controller.simulate.hand import Mode
from tests.daemon.daemon import until
from tests.e2e.sitting import sitting

RATES = {Slip.OVERDRAW_WITHDRAWN: 0.15, Slip.OVERDRAW_CARRIED: 0.15, Slip.WRONG_BUTTON: 0.2}
HANDS = 15
COPIES = 3


@pytest.mark.timeout(60)
def test_the_metrics_agree_with_what_was_dealt(tmp_path: Path):
    """Promised: cards, hands by outcome, irregularities, copies of frames."""
    shoe = Shoe(Table(mode=Mode.HIDDEN, rates=RATES), seed=21)
    signals = list(shoe.opening())
    for played in shoe.hands(HANDS):
        signals += played.signals
    said = Counter(type(signal) for signal in signals)
    calls = Counter(signal.call.value for signal in signals if isinstance(signal, ResultCalled))
    overdraws = sum(isinstance(signal, ErrorCleared) and signal.fault is Fault.OVERDRAW for signal in signals)
    assert overdraws == said[OffGameCardDrawn] > 0
    assert min(calls[call] for call in ("player", "banker", "tie")) > 0, "another seed: not each outcome is dealt"
    with sitting(tmp_path) as table:
        table.say(*signals)
        until(lambda: sum(by_label(table.daemon.metrics(), "tirage_hands_total", "outcome").values()) == HANDS)
        # The last copies are counted with the next thing judged, which is none here: all frames but those of the last.
        until(
            lambda: (
                table.daemon.metrics()['tirage_frames_repeated_total{table="b1"}'] >= (COPIES - 1) * (len(signals) - 1)
            )
        )
        metrics = table.daemon.metrics()
        hands = by_label(metrics, "tirage_hands_total", "outcome")
        irregular = by_label(metrics, "tirage_irregularities_total", "kind")
        assert hands == {**dict.fromkeys(hands, 0), **calls}
        assert irregular == {**dict.fromkeys(irregular, 0), "overdraw": overdraws}
        assert metrics['tirage_cards_total{table="b1"}'] == said[CardDrawn] + said[CardCarried]
        assert metrics['tirage_frames_repeated_total{table="b1"}'] <= (COPIES - 1) * len(signals)
        assert metrics['tirage_frames_bad_total{table="b1"}'] == metrics['tirage_frames_missing_total{table="b1"}'] == 0
        assert metrics['tirage_link_live{table="b1"}'] == metrics['tirage_recording{table="b1"}'] == 1
        assert metrics['tirage_open_incidents{table="b1"}'] == table.daemon.get("/").count('class="incident ')
        counted = re.findall(r"<dd>(\d+)</dd>", table.daemon.get("/board/b1"))
        assert counted[:4] == [str(HANDS), *(str(calls[call]) for call in ("banker", "player", "tie"))]


def by_label(metrics: dict[str, float], name: str, label: str) -> dict[str, float]:
    found = {
        re.search(f'{label}="([^"]*)"', sample): value
        for sample, value in metrics.items()
        if sample.startswith(name + "{")
    }
    return {match[1]: value for match, value in found.items() if match}
