"""faults.md B 1-28 at the tirage protocol, row by row: what happens on the wire. Rows 3, 6, 7 and 8 are the port's."""

from __future__ import annotations

import itertools
import random

import pytest

from controller.core.signals import (
    BytesDamaged,
    CardDrawn,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    LinkLost,
    LinkOpened,
    LinkProved,
    PoweredUp,
    WhyLost,
)
from drivers.tirage import Policy, State, Why
from drivers.tirage.clock import NS_PER_MS
from tests.protocol.line import Line
from tests.protocol.wire import CARD, CUT, DEVICE, HEARTBEAT, KEY, OPTIONAL, UNREAD, Shoe, card_event, frame, parsed

DOOR, TILT, ERROR = 0x88, 0x89, 0x8B


def dealt(*cards: str, shoe: Shoe | None = None) -> Line:
    line = Line(shoe).connect()
    for card in cards:
        line.feed(line.shoe.draw(card))
    assert line.cards == list(cards)
    return line


def lost_cards(line: Line) -> list[int | None]:
    return [signal.cards for signal in line.signals if isinstance(signal, BytesDamaged)]


def test_row_1_after_a_short_loss_the_missed_cards_come_and_nothing_else():
    """B 1: ask for events since the last one; LIVE without a person if gap-free."""
    line = dealt("8S", "KH")
    line.heard += line.session.flush()
    line.shoe.draw("2C")  # nobody listens
    line.shoe.draw("3D")
    line.connect()
    assert line.cards == ["8S", "KH", "2C", "3D"]
    assert line.damage == []
    assert line.session.live


def test_row_1_what_the_shoe_has_forgotten_meanwhile_is_told():
    """B 1, 17: a gap that cannot be filled names the cards."""
    line = dealt("8S", "KH")
    line.heard += line.session.flush()
    for card in ("2C", "3D", "4D"):
        line.shoe.draw(card)
    for number in (1, 2, 3, 4):
        del line.shoe.ring[number]
    line.connect()
    assert line.cards == ["8S", "KH", "4D"]
    assert line.damage == [("gap", 2, 2)]
    assert "events 3 to 4 cannot be had any more: cards 3 to 4 unknown" in line.details
    assert lost_cards(line) == [2]


def test_row_2_the_shoe_is_known_by_its_identity_and_not_by_its_port():
    """B 2: the same device on any port goes on; the session never learns a name."""
    line = dealt("8S")
    again = Line(line.shoe, memory=line.session.memory)
    again.shoe.draw("KH")
    again.connect()
    assert again.cards == ["KH"]
    assert again.damage == []


def test_row_4_another_shoe_on_the_port_is_refused():
    """B 4: close the shoe record; never continue the old shoe."""
    line = dealt("8S")
    line.heard += line.session.flush()
    line.shoe = Shoe(device=bytes(8))
    line.greet()
    assert line.session.state is State.REFUSED
    assert line.link[-1] == Why.OTHER_SHOE.value


def test_row_5_a_shoe_that_counts_lower_holds_and_its_last_events_are_compared():
    """B 5: no silent re-base; the last 8 are compared."""
    line = dealt("8S", "KH", "2C")
    line.heard += line.session.flush()
    line.shoe.event, line.shoe.card = 2, 2
    del line.shoe.ring[3]
    line.connect()
    assert line.damage == [("backwards", 1, 1)]
    assert "shoe restarted: it stands at event 2, card 2; event 3, card 3 had been heard" in line.details
    assert "all 2 agree" in line.details
    assert line.session.live
    line.feed(line.shoe.draw("9D"))
    assert line.cards == ["8S", "KH", "2C", "9D"]
    assert line.session.live


def test_row_5_a_shoe_that_forgot_everything_cannot_be_compared():
    """B 5."""
    line = dealt("8S", "KH", "2C")
    line.heard += line.session.flush()
    line.shoe.event, line.shoe.card, line.shoe.ring = 0, 0, {}
    line.connect()
    assert "the last events cannot be compared" in line.details
    assert lost_cards(line) == [None]  # how many were drawn meanwhile nobody can know
    line.feed(line.shoe.draw("9D"))
    assert line.cards[-1] == "9D"


def test_row_5_a_shoe_that_lost_its_count_and_went_on_past_it_is_found_out():
    """B 5: the numbers fit again, the cards behind them do not."""
    line = dealt("8S", "KH", "2C", "4D")
    line.heard += line.session.flush()
    line.shoe.event, line.shoe.card = 2, 2
    for card in ("9D", "TD", "JD"):
        line.shoe.draw(card)
    line.connect()
    assert line.damage == [("backwards", 1, 1)]
    assert "shoe restarted" in line.details
    assert "2 of 4 differ" in line.details
    assert line.cards == ["8S", "KH", "2C", "4D", "9D", "TD", "JD"]


def test_row_5_a_count_that_goes_back_within_a_session_ends_it():
    """B 5: a heartbeat is enough."""
    line = dealt("8S", "KH")
    line.shoe.event, line.shoe.card = 1, 1
    line.feed(line.shoe.heartbeat())
    assert line.session.state is State.OPENING
    assert line.link[-1] == "the shoe's own count went back"


def test_row_5_a_frame_counter_that_goes_back_is_told_as_that_and_not_as_silence():
    """faults.md B 5: what the shoe says goes on, its frame numbers have all come before."""
    line = dealt("8S", "KH")
    line.shoe.counter = 0
    assert [s for s in line.wait(950) if isinstance(s, LinkLost)] == []
    line.shoe.counter = 0
    (lost,) = [s for s in line.wait(300) if isinstance(s, LinkLost)]
    assert lost == LinkLost("the shoe's frame counter went back: for 1 s no number was new", WhyLost.COUNT_BACK)


def test_row_9_silence_is_a_loss_after_one_second_whatever_the_port_says():
    """B 9, trust.md T5: a missed heartbeat decides."""
    line = dealt("8S")
    assert [s for s in line.wait(950, silent=True) if isinstance(s, LinkLost)] == []
    assert line.wait(50, silent=True) == [LinkLost("no heartbeat for 1 s", WhyLost.NO_HEARTBEAT)]
    assert not line.session.live


def test_row_9_only_new_frame_numbers_are_a_sign_of_life():
    """B 9: a stuck adapter that repeats itself is not alive."""
    line = dealt("8S")
    stuck = line.shoe.heartbeat()
    line.feed(stuck)
    for _ in range(20):
        line.now_ms += 50
        line.feed(stuck)
    assert line.link[-1] == "no heartbeat for 1 s"


def test_row_9_the_session_comes_back_by_itself_when_the_shoe_speaks_again():
    """B 9, trust.md promise 7."""
    line = dealt("8S")
    line.wait(1000, silent=True)
    line.shoe.draw("KH")
    line.feed(line.shoe.hello(line.session.outgoing()))
    line.feed(line.shoe.started(line.session.outgoing()))
    assert (line.cards, line.damage, line.session.live) == (["8S", "KH"], [], True)
    assert line.link[-1] == "tirage 0102030405060708"


def test_row_10_a_burst_after_a_stall_keeps_its_order_and_its_times():
    """B 10: 600 ms of stall; intervals by the device's time."""
    line = dealt("8S")
    burst = b""
    for card in ("KH", "2C", "3D"):
        line.now_ms += 200
        line.shoe.ms += 200
        burst += line.shoe.draw(card)
    line.feed(burst)
    times = [item.at_ns for item in line.heard if isinstance(item.signal, CardDrawn)]
    assert line.cards == ["8S", "KH", "2C", "3D"]
    assert [b - a for a, b in itertools.pairwise(times)] == [200 * NS_PER_MS] * 3
    assert line.session.live


def test_row_10_a_late_heartbeat_does_not_move_the_clock():
    """B 10: 600 ms of stall behind a heartbeat; a frame can come late but never early."""
    line = dealt()
    line.wait(1_000)
    beat = line.shoe.heartbeat()
    line.now_ms += 600
    line.feed(beat)
    line.shoe.ms += 600
    line.feed(line.shoe.draw("8S"))
    assert abs(line.heard[-1].at_ns - line.now_ns) <= NS_PER_MS


def test_row_11_bytes_of_the_session_before_are_dropped_and_counted():
    """B 11: stale bytes from before the close come first."""
    line = dealt("8S")
    stale = line.shoe.draw("KH")
    line.heard += line.session.flush()
    asked = line.open()
    line.feed(stale)
    line.feed(line.shoe.hello(asked))
    line.feed(stale)  # and once more behind the hello
    line.feed(line.shoe.started(line.session.outgoing()))
    assert line.cards == ["8S", "KH"]  # once, by asking
    assert line.session.counts.stale == 2
    assert [kind for kind, *_ in line.damage] == ["stale", "stale"]


@pytest.mark.parametrize("cut", [1, 2, 3, 15, 16, 30])
def test_row_12_half_a_frame_at_the_opening_costs_no_other(cut: int):
    """B 12: resync, counted."""
    line = Line()
    asked = line.open()
    line.feed(Shoe().draw("8S")[cut:])
    line.feed(line.shoe.hello(asked))
    line.wait(100, silent=True)  # half a frame may look like the beginning of a longer one
    line.feed(line.shoe.started(line.session.outgoing()))
    assert line.session.live


def test_row_12_half_a_frame_in_session_is_asked_for_again():
    """B 12."""
    line = dealt("8S")
    line.feed(line.shoe.draw("KH")[:-9])
    line.wait(100, silent=True)
    line.feed(line.shoe.draw("2C"))
    line.answer()
    assert line.cards == ["8S", "KH", "2C"]
    assert [entry[2] for entry in line.damage] == [0]


def test_row_12_a_false_start_holds_a_card_back_for_a_tenth_of_a_second_at_most():
    """B 12: the line falls silent behind it, so nothing would ever complete it."""
    line = dealt("8S")
    line.feed(bytes([0xA7, 96, 0x10]) + line.shoe.draw("KH"))
    assert line.cards == ["8S"]
    line.wait(100, silent=True)
    assert line.cards == ["8S", "KH"]


def test_row_13_a_spoilt_frame_is_asked_for_again():
    """B 13: CRC-32 drop and re-request."""
    line = dealt("8S")
    spoilt = bytearray(line.shoe.draw("KH"))
    spoilt[20] ^= 4
    line.feed(bytes(spoilt))
    line.feed(line.shoe.heartbeat())
    line.answer()
    assert line.cards == ["8S", "KH"]
    assert line.damage == [("checksum", len(spoilt), 0)]
    assert line.session.counts.asked_again == 1


def test_row_13_more_than_one_percent_in_a_minute_is_an_alarm():
    """B 13: before failure; told once."""
    line = dealt()
    line.wait(30_000)
    for _ in range(3):
        line.feed(b"\x00")  # noise counts like a frame
        line.wait(250)
    assert line.details.count("alarm: ") == 1
    assert line.session.quality.alarming
    line.wait(61_000)
    assert not line.session.quality.alarming
    assert line.session.live


def test_row_14_a_line_that_gets_worse_is_not_live():
    """B 14: refuse LIVE above a threshold, and come back below it."""
    line = dealt()
    line.wait(5_000)
    for _ in range(12):
        line.feed(b"\x00" * 5)
        line.feed(line.shoe.heartbeat())
    assert not line.session.live
    assert "the line is not fit for a table" in line.link[-1]
    line.wait(61_000)
    assert line.session.live
    assert isinstance(line.signals[-2], LinkOpened)
    assert line.signals[-1] == LinkProved()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "nothing comes from the port"),
        (random.Random(5).randbytes(300), "no shoe protocol: 300 bytes and no frame among them; is the speed right?"),
        (frame(HEARTBEAT, bytes(6)), "frames come, but no answer to ours: is the line to the shoe whole?"),
    ],
)
def test_row_15_what_is_wrong_is_said_within_two_seconds(data: bytes, sentence: str):
    """B 15: wrong baud, floating line, swapped lines; never guess."""
    line = Line()
    line.open()
    if data:
        line.feed(data)
    line.wait(2_000, silent=True)
    assert line.link == [sentence]
    assert line.cards == []


def test_row_15_a_port_that_stays_silent_when_it_is_opened_again_is_told_again():
    """B 15: each opening has its own two seconds."""
    line = dealt("8S")
    line.wait(1_000, silent=True)
    line.open()
    line.wait(2_000, silent=True)
    assert line.link[-2:] == ["no heartbeat for 1 s", "nothing comes from the port"]


def test_row_15_our_own_bytes_that_come_back_are_named():
    """B 15: a line joined to itself."""
    line = Line()
    line.feed(line.open())
    line.wait(2_000, silent=True)
    assert line.link == ["our own bytes come back: the lines are joined, no shoe answers"]


def test_row_16_a_frame_that_comes_twice_is_one_card():
    """B 16: idempotent; counted."""
    line = dealt("8S")
    card = line.shoe.draw("KH")
    line.feed(card + card)
    assert (line.cards, line.session.counts.repeated, line.damage) == (["8S", "KH"], 1, [])


def test_row_16_an_event_that_comes_twice_in_two_frames_is_one_card():
    """B 16: asked for twice, answered twice."""
    line = dealt("8S", "KH")
    line.feed(line.shoe.resent(bytes([2, 0, 0, 0])))
    assert (line.cards, line.session.counts.repeated, line.damage) == (["8S", "KH"], 1, [])
    assert line.session._telling.order._early == {}


def test_row_16_a_card_number_that_comes_again_is_the_same_card():
    """B 16: by the absolute card number, whatever the event number says."""
    line = dealt("8S", "KH")
    line.feed(line.shoe.happen(CARD, card_event(0, "player", 1, "KH")[4:]))
    assert (line.cards, line.session.counts.doubled_cards) == (["8S", "KH"], 1)


def test_row_17_a_lost_frame_is_seen_at_the_next_frame():
    """B 17: re-requested, in order."""
    line = dealt("8S")
    line.shoe.draw("KH")
    line.feed(line.shoe.draw("2C"))
    assert line.cards == ["8S"]
    line.answer()
    assert line.cards == ["8S", "KH", "2C"]


def test_row_17_a_lost_frame_is_seen_at_the_next_heartbeat():
    """B 17."""
    line = dealt("8S")
    line.shoe.draw("KH")
    line.feed(line.shoe.heartbeat())
    line.answer()
    assert line.cards == ["8S", "KH"]


def test_row_17_a_card_that_is_gone_is_named():
    """B 17: HOLD with "card n unknown"."""
    line = dealt("8S")
    line.shoe.draw("KH")
    del line.shoe.ring[2]
    line.feed(line.shoe.draw("2C"))
    line.answer()
    assert line.damage == [("gap", 1, 1)]
    assert "card 2 unknown" in line.details
    assert lost_cards(line) == [1]
    assert line.cards == ["8S", "2C"]


def test_row_17_a_shoe_that_does_not_answer_is_asked_three_times_then_the_card_is_lost():
    """B 17: bounded."""
    line = dealt("8S")
    line.shoe.draw("KH")
    line.feed(line.shoe.draw("2C"))
    line.wait(1_450)
    assert (line.session.counts.asked_again, line.cards) == (3, ["8S"])
    line.wait(50)
    assert line.cards == ["8S", "2C"]
    assert line.damage == [("gap", 1, 1)]


def test_row_18_frames_out_of_order_come_out_in_order():
    """B 18: the late one is not taken, it is asked for again."""
    line = dealt("8S")
    first, second = line.shoe.draw("KH"), line.shoe.draw("2C")
    line.feed(second + first)
    assert line.cards == ["8S"]
    line.answer()
    assert (line.cards, line.damage) == (["8S", "KH", "2C"], [])


def test_row_18_more_than_a_window_is_not_held():
    """B 18: buffer of at most one window."""
    line = dealt()
    line.shoe.draw("KH")
    for step in range(70):
        line.now_ms += 4
        line.feed(line.shoe.draw("2C" if step % 2 else "3C"))
    assert len(line.session._telling.order._early) == 64
    line.answer()
    assert line.cards[:2] == ["KH", "3C"]
    assert len(line.cards) == 71


def test_row_19_what_is_unknown_and_optional_is_left_out():
    """B 19."""
    line = dealt("8S")
    line.feed(line.shoe.frame(0xC1, b"maker", flags=OPTIONAL) + line.shoe.frame(0x43, b"", version=2, flags=OPTIONAL))
    assert (line.session.live, line.session.counts.ignored) == (True, 2)


@pytest.mark.parametrize(
    ("version", "kind", "why"), [(1, 0x7E, Why.TYPE), (2, HEARTBEAT, Why.VERSION), (1, 0xC1, Why.TYPE)]
)
def test_row_19_what_is_unknown_and_not_optional_refuses_the_device(version: int, kind: int, why: Why):
    """B 19."""
    line = dealt("8S")
    line.feed(line.shoe.frame(kind, version=version))
    assert line.link[-1] == why.value
    assert line.session.state is State.REFUSED


def test_row_20_fields_that_cannot_be_are_told_and_no_card():
    """B 20: reject, count; the event's number is used up, so the table must hold."""
    line = dealt("8S")
    line.feed(line.shoe.happen(CARD, bytes([1, 1, 0x1E]), cards=1))
    assert (line.cards, line.session.counts.unknown) == (["8S"], 1)
    assert line.damage == [("unknown-frame", 27, 1)]
    assert lost_cards(line) == [1]
    line.feed(line.shoe.draw("KH"))
    assert line.cards == ["8S", "KH"]


@pytest.mark.parametrize("length", [97, 255])
def test_row_20_a_length_that_cannot_be_waits_for_nothing(length: int):
    """B 20: bounded buffer."""
    line = dealt("8S")
    line.feed(bytes([0xA7, length]) * 500 + line.shoe.draw("KH"))
    assert line.cards == ["8S", "KH"]
    assert line.session.held_bytes < 2 * 124


def test_row_21_a_babbling_shoe_is_cut():
    """B 21: 200 frames a second, then cut and HOLD."""
    line = dealt("8S")
    line.wait(1_000)
    for _ in range(250):
        line.feed(line.shoe.heartbeat())
    assert (line.session.state, line.link[-1]) == (State.REFUSED, Why.FLOOD.value)
    assert line.session.counts.frames < 215


def test_row_21_two_hundred_frames_in_a_second_are_not_too_many():
    """B 21: the limit itself."""
    line = dealt()
    line.wait(1_250)
    for _ in range(190):
        line.now_ms += 5
        line.feed(line.shoe.heartbeat())
    assert line.session.live


def test_row_22_a_card_that_could_not_be_read_is_a_card():
    """B 22: never a face."""
    line = dealt("8S")
    line.feed(line.shoe.happen(UNREAD, bytes([2, 1]), cards=1))
    assert line.signals[-1] == CardDrawn(line.signals[-1].seat, 1, None, unread=True)
    assert line.session.memory.card == 2


def test_row_23_a_foreign_card_is_an_error_of_the_shoe():
    """B 23: the back code is the shoe's to see."""
    line = dealt("8S")
    assert line.feed(line.shoe.happen(ERROR, bytes([6, 1]))) == [ErrorRaised(Fault.CARD_CODE, 6, error_mode=True)]


def test_rows_24_and_25_the_wire_tells_cards_and_judges_none():
    """B 24, 25: what is irregular is the table's to say, so nothing is filtered."""
    line = dealt("8S", "8S", "8S", "8S", "8S", "8S", "8S", "8S", "8S")
    assert len(line.cards) == 9


def test_row_26_cut_card_door_and_tilt_are_told():
    """B 26."""
    line = dealt()
    said = line.feed(line.shoe.happen(CUT) + line.shoe.happen(DOOR, b"\x01") + line.shoe.happen(TILT, b"\x01"))
    said += line.feed(line.shoe.happen(DOOR, b"\x00") + line.shoe.happen(TILT, b"\x00"))
    assert said == [
        CutCardOut(),
        ErrorRaised(Fault.DOOR_OPEN, DOOR, error_mode=False),
        ErrorRaised(Fault.MOVED, TILT, error_mode=False),
        ErrorCleared(Fault.DOOR_OPEN, DOOR),
        ErrorCleared(Fault.MOVED, TILT),
    ]


def test_row_27_a_shoe_that_starts_again_with_its_count_goes_on_gap_free():
    """B 27: resumed only because the numbers prove it."""
    line = dealt("8S", "KH")
    line.heard += line.session.flush()
    line.shoe.ring, line.shoe.ms, line.shoe.boots = {}, 0, 2
    line.shoe.happen(0x80, bytes([2, 0, 0, 0]))
    line.connect()
    assert [s for s in line.signals if isinstance(s, PoweredUp)] == [PoweredUp()]
    assert (line.damage, line.session.live) == ([], True)
    line.feed(line.shoe.draw("2C"))
    assert (line.cards, line.damage) == (["8S", "KH", "2C"], [])


def test_row_27_cards_told_to_nobody_before_a_start_are_named():
    """B 27: the ring is gone, the count is not."""
    line = dealt("8S", "KH")
    line.heard += line.session.flush()
    line.shoe.draw("2C")
    line.shoe.ring, line.shoe.boots = {}, 2
    line.shoe.happen(0x80, bytes([2, 0, 0, 0]))
    line.connect()
    assert line.damage == [("gap", 1, 1)]
    assert "event 3 cannot be had any more: card 3 unknown" in line.details
    assert lost_cards(line) == [1]


@pytest.mark.parametrize("ppm", [-180, 180])
def test_row_28_the_clock_is_anchored_at_each_heartbeat(ppm: int):
    """B 28: 180 ppm, two hours; the time of a card stays within 5 ms."""
    line = dealt()
    for second in range(1, 7_201):
        line.now_ms += 1_000
        line.shoe.ms = second * 1_000 + second * ppm // 1_000
        line.session._connection.fresh_ns = line.now_ns  # one heartbeat a second is enough for the clock
        line.feed(line.shoe.heartbeat())
    line.now_ms += 100
    line.shoe.ms += 100
    line.feed(line.shoe.draw("8S"))
    assert abs(line.heard[-1].at_ns - line.now_ns) <= 5 * NS_PER_MS


def test_row_28_the_clock_of_the_shoe_may_wrap():
    """B 28: 49.7 days."""
    line = dealt(shoe=Shoe(ms=(1 << 32) - 500))
    for _ in range(4):
        line.now_ms += 250
        line.shoe.ms = (line.shoe.ms + 250) % (1 << 32)
        line.feed(line.shoe.heartbeat())
    line.feed(line.shoe.draw("8S"))
    assert line.heard[-1].at_ns == line.now_ns


def test_a_shoe_met_in_mid_shoe_says_how_many_cards_nobody_heard():
    """trust.md promise 2: never silently wrong."""
    line = Line(Shoe(event=30, card=17)).connect()
    assert line.damage == [("gap", 17, 17)]
    assert "17 cards were drawn before" in line.details
    assert lost_cards(line) == [17]


def test_a_gap_in_the_card_numbers_alone_is_told():
    """SPEC.md 4: events follow each other, the cards do not."""
    line = dealt("8S")
    line.shoe.card += 2
    line.feed(line.shoe.draw("KH"))
    assert line.damage == [("gap", 2, 2)]
    assert lost_cards(line) == [2]
    assert "card 4 after 1: the shoe's count went ahead: 2 unknown between" in line.details


def test_row_5_a_card_number_that_goes_back_is_told_as_that_and_not_as_missing_messages():
    """faults.md B 5; SPEC.md 4: events follow each other, the cards go back."""
    line = dealt("8S", "KH", "2C")
    line.shoe.card = 0
    line.feed(line.shoe.draw("4D"))
    assert line.damage == [("backwards", 2, 2)]
    assert lost_cards(line) == [None]
    assert "card 1 after 3: the shoe's count went back" in line.details


def test_row_17_lost_events_that_were_no_cards_are_told_as_none():
    """faults.md B 17: a card number that stands still proves that no card was lost."""
    line = dealt("8S")
    line.shoe.happen(0x80, bytes([2, 0, 0, 0]))
    del line.shoe.ring[2]
    line.feed(line.shoe.draw("2C"))
    line.answer()
    assert line.damage == [("gap", 1, 1)]
    assert lost_cards(line) == [0]


def test_three_wrong_tags_close_the_session():
    """trust.md 3.2: close, HOLD."""
    line = Line(Shoe(key=KEY), Policy(keys={DEVICE: KEY})).connect()
    for number in range(3):
        assert line.session.live
        line.feed(
            frame(CARD, card_event(1, "player", 1, "8S"), session=line.shoe.session, counter=50 + number, key=bytes(32))
        )
    assert (line.session.state, line.link[-1]) == (State.REFUSED, Why.BAD_TAGS.value)
    assert (line.cards, line.session.counts.forged) == ([], 3)


def test_after_wrong_tags_only_a_person_lets_the_shoe_speak_again():
    """trust.md 3.2: HOLD; a plug that is pulled and put back does not lift it."""
    line = Line(Shoe(key=KEY), Policy(keys={DEVICE: KEY})).connect()
    for number in range(3):
        line.feed(frame(CARD, bytes(7), session=line.shoe.session, counter=50 + number, key=bytes(32)))
    line.heard += line.session.flush()
    assert line.open() == b""
    assert (line.session.state, line.link[-1]) == (State.REFUSED, Why.BAD_TAGS.value)
    line.session.release()
    assert line.connect().session.live


def test_what_is_remembered_lets_a_new_host_go_on():
    """trust.md promise 7: a restart of the controller, with what it kept."""
    line = dealt("8S", "KH")
    memory = line.session.memory
    assert parsed(line.shoe.resent(memory.first_wanted.to_bytes(4, "little")))[0][0] == 0x44
    line.shoe.draw("2C")
    again = Line(line.shoe, memory=memory).connect()
    assert (again.cards, again.damage) == (["2C"], [])
    assert isinstance(again.signals[0], LinkOpened)
    assert not any(isinstance(s, BytesDamaged) for s in again.signals)
