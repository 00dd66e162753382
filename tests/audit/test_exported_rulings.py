"""Hands that somebody ruled on, exported and audited again: the cell `ruled` says what their cards do not show."""

from __future__ import annotations

import asyncio
import csv
import io
import random
from pathlib import Path

import pytest

from controller.audit.endings import WORDS
from controller.core.cards import Card, Seat
from controller.core.games import GAMES
from controller.core.inputs import Act, Apply, Fate, Placed, Relay, Takes, Turned, Void
from controller.core.remedies.situations import Remedy
from controller.core.signals import CardDrawn
from controller.sources.unattended import house_of
from drivers.emulators import LineShoe
from drivers.shoes import Chosen
from tests.audit.test_exported import both, tirage
from tests.recall.dealing import Dealing

R, L, B, P = Seat.RIGHT, Seat.LEFT, Seat.BANKER, Seat.PUNTER
ONE = (R, L, B, R, B, L, B)  # the banker had two before the left had
ZERO = (R, L, R, L, B)  # the banker was passed over


def lying(seats: tuple[Seat, ...]) -> Relay:
    """The cards lie before these seats, not where the order of the shoe has them."""
    placed = [
        Placed(place, seat, seats[: place + 1].count(seat), Fate.HAND, seen=False) for place, seat in enumerate(seats)
    ]
    return Relay(tuple(placed), ())


# A variant, what happens (cards, or a key), the cell, and the result in the journal.
RULED: dict[str, tuple[str, tuple[str | Act, ...], str, str | None]] = {
    "IR-08": (
        "foster",
        ("2S 5H KD 3S 7C 2H 4D", lying(ONE), Apply("IR-08", Remedy.ONE_CARD), Turned()),
        "one-card:banker", "right/left",
    ),
    "IR-09": (
        "foster",
        ("2S 5H 3S 2H 9C", lying(ZERO), Apply("IR-09", Remedy.ZERO_HAND), "6D", Takes(B), Turned()),
        "zero-hand:banker", "banker/left",
    ),
    "IR-10": (
        "foster",
        ("2S 5H KD 2D 2H 7D", Apply("IR-10", Remedy.BAR, seat=R), "AD", Takes(B), Turned()),
        "barred:right", "banker/banker",
    ),
    "IR-10, nothing": (
        "foster",
        ("KS 5H KD QD 2H 7D", Apply("IR-10", Remedy.BAR, seat=R), "6C", Takes(R), "AD", Takes(B), Turned()),
        "", "banker/banker",
    ),
    "IR-05": (
        "foster",
        ("2S 5H KD 3S 2H 7D", Apply("IR-05", Remedy.REFUSE, seat=R), "AD", Takes(B), Turned()),
        "refused:right", "void/banker",
    ),
    "IR-05, the only side": (
        "chemin_free", ("2S 3D 5H 5D", Apply("IR-05", Remedy.REFUSE, seat=P)),
        "refused:punter face-down:banker face-down:punter", None,
    ),
    "void, once turned": ("chemin_tableau", ("6C 7D 8D KC", Turned(), Void()), "turned", "banker"),
    "void": ("chemin_free", ("2S KH 3D 5C 6D", Turned(), Void()), "taker-unknown", None),
}  # fmt: skip


async def played(dealing: Dealing, happens: tuple[str | Act, ...]) -> None:
    speaker = LineShoe()
    await dealing.begin()
    for what in happens:
        if isinstance(what, str):
            for text in what.split():
                for line in speaker.says(CardDrawn(None, 0, Card.parse(text))):
                    await dealing.read(line, dealing.now())
        else:
            await dealing.ask(what, dealing.table.hand.ref)
    await dealing.recorder.close()


@pytest.mark.parametrize("case", RULED)
def test_a_hand_that_was_ruled_on_is_audited_from_its_export_as_from_its_journal(tmp_path: Path, case):
    """rules.md B.4, IR-05, 08, 09, 10; a hand closed void while nobody had said who took a card has no result."""
    variant, happens, cell, result = RULED[case]
    game = GAMES[variant]
    dealing = Dealing(tmp_path / "b1", mode="open", house=house_of(game), chosen=Chosen())
    asyncio.run(played(dealing, happens))
    (row,) = csv.DictReader(io.StringIO(tirage("export", tmp_path / "b1").stdout))
    assert row["ruled"] == cell
    journal, table = both(tmp_path / "b1", variant, game.name, decks=6)
    assert [line["result"] for line in (journal[0], table[0])] == [result, result]
    drawn = [
        [one["kind"] for one in line["irregularities"] if one["kind"] != "wrong-order"]
        for line in (journal[0], table[0])
    ]
    missed = ["punter-missed-draw"] if cell == "turned" else []
    assert drawn == [missed, missed], "no cell tells of an order, but of everything else nothing may be made up"


@pytest.mark.parametrize("cell", ["one-card", "one-card:player", "two-cards:banker", "taker-unknown:banker"])
def test_a_word_that_no_ruling_has_leaves_its_row_unread(audit, cell):
    """docs/interfaces.md, export: the words of `ruled` are those of the list."""
    done = audit("--json", "--game", "foster", table=f"right,left,banker,ruled\n2 4,5 2,4,{cell}\n2 4,5 2,0 9,\n")
    assert [note["row"] for note in done.notes] == [2]
    assert done.notes[0]["error"].startswith("ruled: expected words such as one-card:banker")


SEATS_OF = {"chemin_free": ("punter", "banker"), "foster": ("right", "left", "banker")}


@pytest.mark.parametrize("game", SEATS_OF)
def test_whatever_rulings_a_row_names_it_is_judged_and_nobody_wins_what_every_side_refused(audit, game):
    """docs/interfaces.md, export: any words of the list may stand in one cell (IR-05, 06, 08, 09, 10)."""
    seats, chance = SEATS_OF[game], random.Random(game)
    words = [f"{word}:{seat}" for word in (*WORDS, "face-down") for seat in seats] + ["taker-unknown"]
    cells = [chance.sample(words, chance.randrange(1, 5)) for _ in range(200)]
    hands = [[" ".join(chance.choices("0123456789", k=chance.randrange(2, 4))) for _ in seats] for _ in cells]
    rows = [",".join([*hand, " ".join(cell), chance.choice("01")]) for hand, cell in zip(hands, cells, strict=True)]
    done = audit("--json", "--game", game, table="\n".join([f"{','.join(seats)},ruled,void", *rows, ""]))
    assert (len(done.hands), done.notes) == (200, [])
    refused = [all(f"refused:{side}" in cell for side in seats[:-1]) for cell in cells]
    assert 0 < sum(refused) < 200
    assert [line["result"] for line, none in zip(done.hands, refused, strict=True) if none] == [None] * sum(refused)
