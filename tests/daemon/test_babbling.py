"""A device that says more than a shoe can is cut off, whatever its protocol (faults.md B 21)."""

from __future__ import annotations

import threading
import time
from itertools import cycle, islice
from pathlib import Path

import pytest

from controller.core.cards import Card
from controller.core.signals import BytesDamaged, CardDrawn, Damage, LockTurned, PoweredUp, StoodBy
from controller.daemon.limiting import BURST_EVENTS, Limit
from drivers.rate import CARDS_OVER_S, CARDS_PER_SECOND, EVENTS_PER_SECOND
from tests.daemon.daemon import Dealt, Stream, facts, records, table, until
from tests.daemon.dealing import script
from tests.daemon.line_table import line_table

NS_PER_S = 1_000_000_000
CARD = CardDrawn(None, None, Card.parse("AS"))
A_READ_EVENTS = 4096 // (3 * 6)  # of the shortest Angel Eye frames, which come three times
TOLD_S = 5.0  # on a machine with other work; the events before the cut are written down one by one
MOST_CARDS = CARDS_PER_SECOND * CARDS_OVER_S


def heard(folder: Path) -> int:
    return sum(record["by"] == "shoe" for record in records(folder))


def test_row_21_a_babbling_device_is_cut_off_in_a_sentence_and_read_again_when_it_is_calm(tmp_path: Path):
    """faults.md B 21: what it said by then is bounded, what waits of it is not heard, and nobody has to restart."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*islice(cycle([LockTurned(locked=True), LockTurned(locked=False)]), 3_000))
        assert stream.shows("prompt", "says more than a shoe can") < TOLD_S
        # Where the flood goes on beyond the burst, what came since counts anew.
        assert heard(tmp_path) <= BURST_EVENTS + EVENTS_PER_SECOND + A_READ_EVENTS
        stream.shows("status", "CONNECTING")
        shoe.say(PoweredUp(), StoodBy())
        stream.until(lambda parts: "NOT LIVE" not in parts["status"] and "LIVE" in parts["status"])
        daemon.end()


def test_a_shoe_that_catches_up_after_an_opening_is_not_cut_off(tmp_path: Path):
    """faults.md B 10: what waited in a serial server comes in one burst, in order, and is heard to its end."""
    said = script(5, "hidden", shoes=1, hands=12)
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(*said)
        until(lambda: heard(tmp_path) == len(said))
        stream.shows("result", "Hand 12")
        daemon.end()
    assert [fact["link"] for fact in facts(tmp_path, "LinkChanged")] == ["syncing", "live"]


@pytest.mark.parametrize(
    ("after_s", "events", "cut"),
    [(0.5, BURST_EVENTS, False), (0.5, BURST_EVENTS + 1, True), (1.0, 200, False), (1.0, 201, True)],
)
def test_the_limit_is_two_hundred_a_second_once_the_line_has_settled(after_s: float, events: int, cut):
    """faults.md B 21."""
    limit = Limit()
    limit.opened(NS_PER_S)
    assert limit.exceeded([StoodBy()] * events, NS_PER_S + int(after_s * NS_PER_S)) is cut


def test_a_limit_counts_the_time_at_which_bytes_came_not_the_time_at_which_they_were_written_down():
    """faults.md B 32: a disk that was stuck is no babbling shoe."""
    limit = Limit()
    limit.opened(0)
    assert not any(limit.exceeded([StoodBy()] * 10, second * NS_PER_S // 10) for second in range(10, 200))


@pytest.mark.parametrize(("cards_per_second", "is_cut"), [(5, True), (100, False)])
def test_a_line_that_goes_on_with_cards_faster_than_a_hand_is_cut_off(cards_per_second: int, is_cut):
    """faults.md B 21: a hundred cards a second are never two hundred events; no hand draws five for ten seconds."""
    limit = Limit(cards_per_second)
    limit.opened(0)
    cut_at = [at for at in range(100, 1_200) if limit.exceeded([CARD], at * NS_PER_S // 100)]
    assert cut_at[:1] == ([150] if is_cut else [])


def test_a_dealer_at_his_fastest_is_never_cut_off():
    """faults.md B 21: six cards in two seconds, a hand every ten, for an hour."""
    limit = Limit(CARDS_PER_SECOND)
    limit.opened(0)
    at_ns = [hand * 10 * NS_PER_S + card * NS_PER_S // 3 for hand in range(1, 360) for card in range(6)]
    assert not any(limit.exceeded([CARD], at) for at in at_ns)


def test_a_line_that_stood_still_hands_over_some_hands_at_once_and_is_not_cut_off():
    """faults.md B 10: a stall, then a burst of what waited."""
    limit = Limit(CARDS_PER_SECOND)
    limit.opened(0)
    assert not limit.exceeded([CARD] * 50, 60 * NS_PER_S)


def test_what_waited_at_an_opening_counts_as_no_babble_unless_the_shoe_babbled_before():
    """faults.md B 10, 21: a serial server hands over hands; a device that was just cut off hands over more babble."""
    limit = Limit(CARDS_PER_SECOND)
    limit.opened(0)
    assert not limit.exceeded([CARD] * 400, NS_PER_S // 2)
    assert limit.exceeded([CARD] * (MOST_CARDS + 1), 2 * NS_PER_S)
    limit.opened(4 * NS_PER_S)
    assert not limit.cut
    assert limit.exceeded([CARD] * (MOST_CARDS + 1), 4 * NS_PER_S)
    limit.opened(90 * NS_PER_S)
    assert not limit.exceeded([CARD] * 400, 90 * NS_PER_S)


def test_damaged_lines_that_may_have_been_cards_are_counted_as_cards():
    """wire-formats.md section 2: a line that is no text may have been a card."""
    limit = Limit(CARDS_PER_SECOND)
    limit.opened(0)
    assert limit.exceeded([BytesDamaged(Damage.NOISE, 5, lost=1)] * (MOST_CARDS + 1), 2 * NS_PER_S)


class Babbler(Dealt):
    """A line shoe that goes on and on with cards."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._stop = threading.Event()

    def babble(self, per_second: int) -> None:
        """Say a card so many times a second until stopped."""
        at = time.monotonic()
        while not self._stop.wait(max(0.0, at - time.monotonic())):
            if self.pty.has_reader():
                self.write(b"SA\r\n")
            at += 1 / per_second

    def stop(self) -> None:
        self._stop.set()


def test_row_21_a_line_shoe_that_babbles_cards_is_cut_off_and_the_record_stays_small(tmp_path: Path):
    """faults.md B 21: a hundred cards a second, at a line that never comes to two hundred events."""
    with line_table(tmp_path, "house_burn", Babbler, 'closes = "controller"') as line:
        daemon = line.start()
        stream = Stream(daemon)
        babbling = threading.Thread(target=line.shoe.babble, args=(100,), daemon=True)
        babbling.start()
        stream.shows("prompt", "says more than a shoe can")
        line.shoe.stop()
        babbling.join()
        line.shoe.plug()  # opened again
        line.shoe.write(b"H9\r\n")
        stream.until(lambda parts: "NOT LIVE" not in parts["status"] and "LIVE" in parts["status"])
        daemon.end()
    drawn = sum(record["kind"] == "card_drawn" for record in records(tmp_path))
    assert drawn <= 100 + 2 * MOST_CARDS
    assert [lost["data"]["why"] for lost in records(tmp_path) if lost["kind"] == "link_lost"][:1] == ["flood"]
