"""Metrics: what a scrape gets, from real tables."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.facts import Audience, Fact, FactName
from controller.core.games import GAMES, PUNTO_BANCO, Game
from controller.core.inputs import (
    Acknowledge,
    BlindHands,
    ClockStepped,
    Command,
    Correct,
    Elapsed,
    Input,
    Moment,
    Timer,
    Void,
)
from controller.core.profile import House
from controller.core.signals import (
    BurnCardDrawn,
    Call,
    CardDrawn,
    CardShown,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Identifies,
    LinkLost,
    LinkOpened,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
    StoodBy,
)
from controller.core.table import Link
from controller.metrics import Metrics
from controller.scraping import CannotListen, serve

P, B = Seat.PLAYER, Seat.BANKER
PERSON = re.compile(r'(\w+)="')
OF_TABLES = re.compile(r"^tirage_(?!build)", re.MULTILINE)


def deal(*faces: str) -> list[Signal]:
    """Cards for P1 B1 P2 B2 and then the seat named, as an open-mode shoe tells them."""
    spots = [(P, 1), (B, 1), (P, 2), (B, 2)]
    drawn: list[Signal] = []
    for place, face in enumerate(faces):
        seat, index = spots[place] if place < 4 else ({"P": P, "B": B}[face[2]], 3)
        drawn.append(CardDrawn(seat, index, Card.parse(face[:2])))
    return drawn


def called(call: Call, pairs: Pairs = Pairs.NONE) -> ResultCalled:
    return ResultCalled(call, pairs)


class Felt:
    """A table with its metrics, and a clock that ticks once an input."""

    def __init__(self, identifies: Identifies = Identifies.AT_DRAW, game: Game = PUNTO_BANCO) -> None:
        self.table = Table(House(game=game), identifies=identifies)
        self.metrics = Metrics({"b1": game}, "0.1.0")
        self.second = 1_000

    def hear(self, *signals: Signal) -> None:
        for signal in signals:
            self.take(Input(signal, self.moment()))

    def ask(self, act: object, hand: str = "") -> None:
        self.take(Input(Command(f"c{self.second}", act, hand), self.moment(), "staff:7"))

    def moment(self) -> Moment:
        self.second += 1
        return Moment(self.second * 1_000_000_000)

    def take(self, item: Input) -> None:
        self.metrics.observe("b1", self.table.apply(item))

    def sample(self, name: str, **labels: str) -> float | None:
        return self.metrics.registry.get_sample_value(name, {"table": "b1", **labels})

    def text(self) -> list[str]:
        return [line for line in self.metrics.text().splitlines() if OF_TABLES.match(line)]


def counted(felt: Felt, name: str, label: str) -> dict[str, float]:
    lines = re.findall(rf'^{name}{{(?:.*,)?{label}="([^"]+)".*}} (\S+)$', felt.metrics.text(), re.MULTILINE)
    return {value: float(number) for value, number in lines}


NATURAL = deal("9S", "7H", "KD", "KC")  # Player 9, Banker 7
FALSE_DRAW = deal("6S", "KH", "KD", "7C", "2DP")  # Player 6 stands, R-PB-03


def test_every_series_is_there_with_zero_before_anything_happened():
    """dependencies.md, metrics: a rate needs the zero before the first event."""
    text = Felt().text()
    assert {line.rpartition(" ")[2] for line in text} == {"0.0"}
    names = {line.partition("{")[0] for line in text}
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in names} == {
        "tirage_cards_total",
        "tirage_hands_total",
        "tirage_hands_corrected_total",
        "tirage_irregularities_total",
        "tirage_frames_bad_total",
        "tirage_frames_repeated_total",
        "tirage_frames_missing_total",
        "tirage_link_live",
        "tirage_link_up",
        "tirage_link_silent",
        "tirage_link_authenticated",
        "tirage_last_card_timestamp_seconds",
        "tirage_open_incidents",
        "tirage_recording",
        "tirage_disk_free_ratio",
        "tirage_clock_steps_total",
        "tirage_input_to_published_seconds",
        "tirage_journal_commit_seconds",
    }


def test_labels_name_no_shoe_hand_card_or_person():
    """Promised; faults.md B 51; the labels of python's own series too."""
    labels = set(PERSON.findall(Metrics({"b1": PUNTO_BANCO}, "0.1.0").text()))
    assert labels - {"implementation", "major", "minor", "patchlevel", "generation"} == {
        "table",
        "outcome",
        "kind",
        "le",
        "version",
    }
    assert set(PERSON.findall(Metrics({"b1": GAMES["foster"]}, "0.1.0").text())) - labels == {"side"}


def test_promtool_finds_nothing_to_say(tool):
    """Promised: `promtool check metrics` is clean."""
    felt = Felt()
    felt.hear(*NATURAL, called(Call.PLAYER))
    text = felt.metrics.text()
    done = subprocess.run(
        [tool("promtool"), "check", "metrics"], input=text, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_cards_and_hands_are_counted():
    """Promised: cards, hands by outcome."""
    felt = Felt()
    felt.hear(*NATURAL, called(Call.PLAYER), *deal("KS", "KH", "QC", "8C"), called(Call.BANKER))
    felt.hear(*deal("8S", "8H", "KD", "KC"), called(Call.TIE))
    assert felt.sample("tirage_cards_total") == 12
    assert counted(felt, "tirage_hands_total", "outcome") == {
        "player": 1,
        "banker": 1,
        "tie": 1,
        "unknown": 0,
        "void": 0,
        "abandoned": 0,
    }


SIDE = re.compile(r'^tirage_sides_total{outcome="(\w+)",side="(\w+)",table="b1"} (\S+)$', re.MULTILINE)


def of_sides(felt: Felt) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for outcome, side, number in SIDE.findall(felt.metrics.text()):
        found.setdefault(side, {})[outcome] = float(number)
    return found


def test_in_banque_each_side_is_counted_apart():
    """rules.md B.1: two hands against one bank; a side may refuse the coup (docs/operating.md, metrics)."""
    felt = Felt(game=GAMES["foster"])
    calls = (Call.RIGHT_BANKER, Call.RIGHT_BANKER, Call.VOID_LEFT, Call.TIE_BANKER, Call.BANKER_VOID)
    felt.ask(BlindHands(calls))
    hands = counted(felt, "tirage_hands_total", "outcome")
    assert {outcome: number for outcome, number in hands.items() if number} == {
        "right/banker": 2,
        "void/left": 1,
        "tie/banker": 1,
        "banker/void": 1,
    }
    assert of_sides(felt) == {
        "right": {"won": 2, "lost": 1, "tied": 1, "void": 1},
        "left": {"won": 1, "lost": 3, "tied": 0, "void": 1},
    }


def test_in_chemin_de_fer_the_punter_is_a_side():
    """rules.md A.1; a hand without a result is of no side."""
    felt = Felt(game=GAMES["chemin_free"])
    felt.ask(BlindHands((Call.PUNTER, Call.BANKER, Call.TIE, Call.TIE)))
    felt.ask(Void(), felt.table.results[-1].hand.ref)
    hands = counted(felt, "tirage_hands_total", "outcome")
    assert hands == {"punter": 1, "banker": 1, "tie": 2, "unknown": 0, "void": 0, "abandoned": 0}
    assert of_sides(felt) == {"punter": {"won": 1, "lost": 1, "tied": 2}}


@pytest.mark.parametrize("name", GAMES)
def test_the_series_of_a_game_are_bounded_and_there_from_the_start(name: str):
    """Every result that a hand of the game may have has its series; nothing that happens makes a new one."""
    game = GAMES[name]
    felt = Felt(game=game)
    before = {line.rpartition(" ")[0] for line in felt.text()}
    words = [{*(side.value for side in game.sides), "banker", "tie", "void"}] * len(game.sides)
    may_be = [call for call in Call if [*map(set.__contains__, words, call.winners)] == [True] * len(call.winners)]
    fitting = tuple(call for call in may_be if len(call.winners) == len(words) and call is not Call.FORCED_END)
    assert len(fitting) == (15 if len(words) > 1 else 3)
    felt.ask(BlindHands(fitting))
    hands = counted(felt, "tirage_hands_total", "outcome")
    assert [hands[call.value] for call in fitting] == [1] * len(fitting)
    assert hands["unknown"] == 0
    assert {line.rpartition(" ")[0] for line in felt.text()} == before


def test_hands_without_a_result_are_counted_apart():
    """The alert on hands without result reads void and abandoned."""
    felt = Felt()
    felt.hear(*NATURAL[:2], PoweredUp())
    felt.ask(Void(), felt.table.hand.ref)
    felt.hear(*deal("9S", "7H"), *NATURAL, called(Call.PLAYER))
    hands = counted(felt, "tirage_hands_total", "outcome")
    assert (hands["void"], hands["abandoned"], hands["player"]) == (1, 1, 1)


def test_a_forced_end_is_a_void_hand():
    """faults.md: the shoe's M ends a hand without a result."""
    felt = Felt()
    felt.hear(*NATURAL, called(Call.FORCED_END))
    assert felt.sample("tirage_hands_total", outcome="void") == 1


def test_a_corrected_hand_stays_counted_under_its_first_outcome():
    """Prometheus: a counter that goes down reads as a restart."""
    felt = Felt()
    felt.hear(*NATURAL, called(Call.PLAYER))
    ref = felt.table.results[-1].hand.ref
    felt.ask(Correct(Call.TIE), ref)
    felt.ask(Void(), ref)
    hands = counted(felt, "tirage_hands_total", "outcome")
    assert (hands["player"], sum(hands.values())) == (1, 1)
    assert felt.sample("tirage_hands_corrected_total") == 2


def test_an_irregularity_is_counted_by_its_kind_once_the_faces_are_public():
    """rules.md R-PB-03: a third card to a Player six; in face-down mode the result turns it."""
    felt = Felt()
    felt.hear(*FALSE_DRAW)
    before = counted(felt, "tirage_irregularities_total", "kind")
    felt.hear(called(Call.PLAYER))
    after = counted(felt, "tirage_irregularities_total", "kind")
    assert (sum(before.values()), after["player-false-draw"], sum(after.values())) == (0, 1, 1)


def test_an_incident_is_open_until_acknowledged():
    """Promised: open incidents stay until acknowledged."""
    felt = Felt()
    felt.hear(*FALSE_DRAW, called(Call.PLAYER))
    (incident,) = felt.table.incidents
    assert felt.sample("tirage_open_incidents") == 1
    felt.ask(Acknowledge(incident))
    felt.ask(Acknowledge(incident))
    assert felt.sample("tirage_open_incidents") == 0


def eight_copies() -> list[Signal]:
    """Two hands with all aces of spades that eight decks hold: a ninth cannot be."""
    hand = [*deal("AS", "AS", "AS", "AS", "9DP", "8HB"), called(Call.PLAYER, Pairs.BOTH)]
    return [*hand, *hand]


def test_an_alarm_of_surveillance_is_a_number_and_never_a_kind():
    """Promised: impossible-card alarms go to surveillance; the pit page lists `an alarm`."""
    felt = Felt()
    felt.hear(*eight_copies())
    quiet = felt.text()
    for number, signal in enumerate(deal("AS", "KH", "8D", "7C")):
        felt.hear(signal)
        assert len(felt.table.alarms) == 1
        assert changed(quiet, felt.text()) == {"tirage_cards_total", "tirage_last_card_timestamp_seconds"}, number
    felt.hear(called(Call.PLAYER))
    assert felt.sample("tirage_open_incidents") == len(felt.table.incidents) > 0
    assert not re.search("impossible|unshuffled", felt.metrics.text())


def test_a_fact_for_surveillance_counts_for_nothing():
    """Design, section 1: every fact has an audience, and metrics are read outside surveillance."""
    felt = Felt()
    before = felt.text()
    found = Fact(FactName.IRREGULARITY_FOUND, 1, 1, Moment(), (("kind", "extra-card"),), Audience.SURVEILLANCE)
    felt.metrics.observe("b1", [found])
    assert felt.text() == before
    felt.metrics.observe("b1", [replace(found, audience=Audience.PIT)])
    assert felt.text() != before


def changed(before: Iterable[str], after: Iterable[str]) -> set[str]:
    return {line.partition("{")[0] for line in set(before) ^ set(after)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (deal("6S", "KH", "KD", "7C", "2DP"), deal("2S", "KH", "KD", "7C", "2DP")),  # a false draw, a lawful one
        (deal("9S", "KH", "KD", "7C", "2DP"), deal("2S", "KH", "KD", "4C", "AHP")),  # after a natural, and not
        (deal("AS", "KH", "KD", "7C"), deal("2S", "KH", "KD", "7C")),  # a copy too many, and not
        (deal("6S", "KH", "KD", "7C"), deal("2S", "KH", "KD", "3C")),  # the hand is complete, and is not
    ],
)
def test_hidden_faces_change_nothing_before_the_reveal(one: list[Signal], other: list[Signal]):
    """Promised: two hands that differ in hidden faces only give the same bytes up to the reveal."""
    felts = Felt(), Felt()
    for felt in felts:
        felt.hear(*eight_copies(), StoodBy())
    for first, second in zip(one, other, strict=True):
        felts[0].hear(first)
        felts[1].hear(second)
        assert felts[0].text() == felts[1].text()


def test_the_comparison_above_can_fail():
    """With the result the false draw is public, and the two texts part."""
    felts = Felt(), Felt()
    felts[0].hear(*FALSE_DRAW, called(Call.PLAYER))
    felts[1].hear(*deal("2S", "KH", "KD", "7C", "2DP"), called(Call.PLAYER))
    assert felts[0].text() != felts[1].text()


def test_the_last_card_is_dated_by_hands_and_never_within_one():
    """R-002-30: how long somebody thought tells what he holds, and many read a scrape; the alert needs no more."""
    felt = Felt(Identifies.AT_REVEAL)
    times = []
    for signals in (
        (BurnCardDrawn(sets_count=True, left=1, card=Card.parse("AS")),),
        (BurnCardDrawn(sets_count=False, left=0, card=Card.parse("KS")),),
        (CardDrawn(P, 1, None),),
        (CardDrawn(B, 1, None), CardDrawn(P, 2, None), CardDrawn(B, 2, None)),
        (CardShown(P, 1, Card.parse("9S")),),
        (ErrorRaised(Fault.OVERDRAW, 2, error_mode=True), OffGameCardDrawn(OffGameMode.ERROR, 2, None)),
        (OffGameCardShown(Card.parse("2D")), ErrorCleared(Fault.OVERDRAW, 2)),
    ):
        felt.hear(*signals)
        times.append((felt.sample("tirage_last_card_timestamp_seconds"), felt.second))
    assert [dated for dated, _ in times] == [1001, 1002, 1003, 1003, 1003, 1003, 1003]
    assert felt.sample("tirage_cards_total") == 4
    felt = Felt()
    felt.hear(*NATURAL, called(Call.PLAYER))
    assert felt.sample("tirage_last_card_timestamp_seconds") == felt.second, "the end of the hand is no secret"
    felt.hear(OffGameCardDrawn(OffGameMode.LOCK, 0, None))
    assert felt.sample("tirage_last_card_timestamp_seconds") == felt.second, "between hands nobody thinks"


def test_the_link_is_live_from_the_shoes_first_word_until_it_is_lost():
    """Design, section 3: link LIVE or NOT LIVE; an open port proves no shoe."""
    felt, seen = Felt(), []
    for signal in (LinkOpened("ttyUSB0"), StoodBy(), LinkLost("unplugged"), LinkOpened("ttyUSB0"), StoodBy()):
        felt.hear(signal)
        seen.append(felt.sample("tirage_link_live"))
    assert seen == [0, 1, 0, 0, 1]


def test_an_open_port_is_up_before_it_is_live_and_silent_once_its_limit_ran_out():
    """faults.md B 9, trust.md T5: LIVE is earned; nobody is paged for an idle shoe within the house's silence limit."""
    felt, seen = Felt(), []
    silence = Input(Elapsed(Timer.SILENCE), felt.moment(), "timer")
    deaf = Input(Elapsed(Timer.NO_FRAMES), felt.moment(), "timer")
    says = [Input(said, felt.moment()) for said in (LinkOpened("ttyUSB0"), StoodBy(), StoodBy(), LinkLost("unplugged"))]
    for item in (says[0], silence, says[1], silence, says[2], deaf, says[3]):
        felt.take(item)
        seen.append(tuple(felt.sample(f"tirage_link_{name}") for name in ("up", "live", "silent")))
    assert seen == [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 0, 0)]


def test_the_driver_and_the_journal_are_counted_by_who_runs_them():
    """Promised: frames bad, repeated, missing; two histograms; recording."""
    felt = Felt()
    felt.metrics.frames("b1", bad=2, missing=1)
    felt.metrics.frames("b1", bad=1, repeated=4)
    felt.metrics.committed("b1", 0.004)
    felt.metrics.published("b1", 0.3)
    felt.metrics.recording("b1", None)
    names = ("frames_bad_total", "frames_repeated_total", "frames_missing_total", "recording")
    assert [felt.sample(f"tirage_{name}") for name in names] == [3, 4, 1, 1]
    buckets = counted(felt, "tirage_journal_commit_seconds_bucket", "le")
    assert (buckets["0.003"], buckets["0.005"], felt.sample("tirage_journal_commit_seconds_count")) == (0, 1, 1)
    assert felt.sample("tirage_input_to_published_seconds_sum") == 0.3
    felt.metrics.recording("b1", "the disk is full")
    assert felt.sample("tirage_recording") == 0


def test_a_restart_takes_over_what_is_open_and_counts_no_old_event():
    """trust.md 2.2: a journal brings the table back; what happened before is no new event."""
    felt = Felt()
    felt.metrics.resumed("b1", Link.SYNCING, ["1-i1", "1-i4"])
    assert (felt.sample("tirage_open_incidents"), felt.sample("tirage_cards_total")) == (2, 0)
    felt.metrics.resumed("b1", Link.LIVE, [])
    assert (felt.sample("tirage_open_incidents"), felt.sample("tirage_link_live")) == (0, 1)


def test_tables_do_not_mix():
    """One process has one or more tables."""
    metrics = Metrics(dict.fromkeys(("b1", "b2"), PUNTO_BANCO), "0.1.0")
    metrics.observe("b2", Table(House()).apply(Input(NATURAL[0])))
    cards = [metrics.registry.get_sample_value("tirage_cards_total", {"table": table}) for table in ("b1", "b2")]
    assert cards == [0, 1]
    with pytest.raises(KeyError):
        metrics.observe("b3", ())


def test_the_version_is_told():
    """The alert on differing versions reads it."""
    assert Metrics({}, "0.1.0").registry.get_sample_value("tirage_build_info", {"version": "0.1.0"}) == 1


def test_a_scrape_gets_the_text_and_the_port_is_given_back():
    """Promised: item 7, and item 5: ports busy is one clear sentence."""
    metrics = Metrics({"b1": PUNTO_BANCO}, "0.1.0")
    serving = serve(metrics, "127.0.0.1", 0)
    try:
        with urlopen(f"http://127.0.0.1:{serving.port}/metrics", timeout=5) as answer:
            assert 'tirage_cards_total{table="b1"} 0.0' in answer.read().decode().splitlines()
        with pytest.raises(CannotListen, match=rf"127\.0\.0\.1 port {serving.port}: address already in use; stop"):
            serve(metrics, "127.0.0.1", serving.port)
    finally:
        serving.stop()
    assert not serving.thread.is_alive()
    serve(metrics, "127.0.0.1", serving.port).stop()


def test_an_open_connection_does_not_keep_the_daemon():
    """Promised: SIGTERM ends it within 1 s, whoever is connected."""
    serving = serve(Metrics({}, "0.1.0"), "127.0.0.1", 0)
    with socket.create_connection(("127.0.0.1", serving.port), timeout=5) as silent:
        silent.sendall(b"GET /metrics HT")
        serving.stop()
        assert not serving.thread.is_alive()


def test_an_address_that_is_not_here_is_one_sentence():
    """Promised: one clear sentence each. 192.0.2.0/24 belongs to nobody (RFC 5737)."""
    with pytest.raises(CannotListen, match=r"metrics cannot listen on 192\.0\.2\.1 port 9464: .*address"):
        serve(Metrics({}, "0.1.0"), "192.0.2.1", 9464)


def test_every_metric_has_its_row_in_the_operators_document(repository: Path):
    """docs/operating.md: what a person reads before writing an alert."""
    text = (repository / "docs" / "operating.md").read_text()
    metrics = Metrics({"b1": PUNTO_BANCO}, "0.1.0")
    metrics.accounts(lambda: 1.0, lambda: 0.0)
    families = {metric.name for metric in metrics.registry.collect() if "tirage" in metric.name}
    told = set(re.findall(r"^\| `(tirage_[a-z_]+)", text, re.MULTILINE))
    assert {re.sub("_(total|info)$", "", name) for name in told} == families


def test_what_a_clock_and_a_disk_tell_is_counted_and_asked_for_at_each_scrape():
    """faults.md B 33, 43: a person with an alert sees it before the table is held."""
    felt, left = Felt(), iter((0.5, 0.04))
    felt.metrics.disk_free("b1", lambda: next(left))
    assert [felt.sample("tirage_disk_free_ratio") for _ in range(2)] == [0.5, 0.04]
    felt.take(Input(ClockStepped(-3_600_000), felt.moment(), "recorder"))
    assert felt.sample("tirage_clock_steps_total") == 1
