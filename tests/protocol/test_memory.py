"""Where a shoe stands, written down as marks, and what a recording tells (SPEC.md 4 and 7)."""

from __future__ import annotations

import pytest

from controller.core.signals import CardDrawn, LinkResumed
from drivers.tirage import Memory, Policy, Recording, Session
from tests.protocol.line import Line
from tests.protocol.wire import CARD, DEVICE, KEY, Shoe, face

FACES = ("8S", "KH", "2C", "3D", "9S", "TD", "AC", "5H", "6S", "7D")


def marks(line: Line) -> list[str]:
    return [one.mark for one in line.heard if one.mark]


def dealt(*faces: str, key: bytes | None = None) -> Line:
    line = Line(Shoe(key=key), Policy({DEVICE: key} if key else {})).connect()
    for text in faces:
        line.feed(line.shoe.draw(text))
    return line


def test_marks_tell_what_the_session_remembers():
    line = dealt(*FACES)
    assert Memory.of(marks(line)) == line.session.memory


def test_a_host_that_stopped_between_two_events_asks_for_the_second():
    """faults.md B 30: what was judged is known by its mark, what was not comes again."""
    line = dealt(*FACES)
    judged = marks(line)[:-3]
    again = Line(line.shoe, None, Memory.of(judged)).connect()
    assert again.cards == list(FACES[-3:])
    assert again.damage == []
    assert any(isinstance(signal, LinkResumed) for signal in again.signals)


def test_a_mark_that_went_back_forgets_what_stood_behind_it():
    """faults.md B 5."""
    line = dealt(*FACES)
    line.shoe.event, line.shoe.card = 4, 4
    line.shoe.ring = {number: entry for number, entry in line.shoe.ring.items() if number <= 4}
    line.heard += line.session.flush()
    line.connect()
    line.feed(line.shoe.draw("QC"))
    remembered = Memory.of(marks(line))
    assert (remembered.event, remembered.card, remembered.tail[-1][0]) == (5, 5, 5)
    assert [number for number, _, _ in remembered.tail] == sorted({number for number, _, _ in remembered.tail})


def test_what_is_no_mark_is_left_out():
    assert Memory.of(["", "something else", "0102030405060708 1 2"]) is None


def test_a_recording_that_begins_in_mid_session_tells_what_follows():
    """A shoe's raw file begins with its first card, long after the session did."""
    line = dealt("8S", key=KEY)
    rest = [line.shoe.draw(text) for text in FACES] + [line.shoe.heartbeat()]
    recording = Recording()
    heard = recording.feed(b"".join(rest))
    assert [str(one.signal.card) for one in heard] == list(FACES)
    line.heard += line.session.flush()
    line.shoe.draw("QC")  # nobody hears it
    again = line.shoe.hello(line.open())
    line.feed(again)
    more = recording.feed(again + line.shoe.started(line.session.outgoing()))
    assert [str(one.signal.card) for one in more] == ["QC"]


def test_a_recording_tells_resent_events_once():
    """faults.md B 1: after each opening the shoe says its last events again, to be compared."""
    line, stream = Line(), bytearray()
    for faces in (FACES[:4], FACES[4:]):
        stream += said(line, line.shoe.hello(line.open()))
        stream += said(line, line.shoe.started(line.session.outgoing()))
        for text in faces:
            stream += said(line, line.shoe.draw(text))
        line.heard += line.session.flush()
    told = [one.signal for one in Recording().feed(bytes(stream))]
    assert [str(signal.card) for signal in told if isinstance(signal, CardDrawn)] == list(FACES) == line.cards


def said(line: Line, data: bytes) -> bytes:
    """Let bytes come from the shoe, and return them."""
    line.feed(data)
    return data


def test_a_recording_drops_frames_of_another_session_and_frames_without_proof():
    line = dealt("8S", key=KEY)
    recording = Recording()
    shoe = Shoe(key=KEY, nonce=bytes(16))
    host = Line(shoe, Policy({DEVICE: KEY}))
    hello = shoe.hello(host.open())
    good = shoe.happen(CARD, bytes([1, 1, face("KH")]), cards=1)
    shoe.tag_key = None
    forged = shoe.happen(CARD, bytes([1, 2, face("2C")]), cards=1)
    heard = recording.feed(hello + line.shoe.draw("9S") + good + forged)
    assert [str(one.signal.card) for one in heard if isinstance(one.signal, CardDrawn)] == ["KH"]
    assert recording.counts.stale == 2


def test_a_tap_in_mid_session_says_what_it_waits_for():
    """wire-formats.md section 4: it cannot ask, so it hears from the next opening on."""
    line = dealt("8S")
    tap = Session.tap()
    tap.opened(line.now_ns)
    for step in range(1, 30):
        tap.feed(line.shoe.heartbeat(), line.now_ns + step * 100_000_000)
    assert (tap.live, tap.outgoing()) == (False, b"")
    assert "once the host that owns the line opens a session" in tap.reason


@pytest.mark.parametrize("size", [1, 2, 9])
@pytest.mark.parametrize("place", range(len(FACES)))
def test_a_recording_from_which_events_were_cut_tells_what_is_left_and_what_is_lost(place: int, size: int):
    """faults.md B 17: nobody can ask again; the gap is told and no card after it is swallowed."""
    line = dealt("8S")
    first = line.shoe.draw("QH")
    frames = [line.shoe.draw(text) for text in FACES]
    kept = frames[:place] + frames[place + size :]
    recording = Recording()
    told = recording.feed(first + b"".join(kept)) + recording.end()
    cards = [str(one.signal.card) for one in told if isinstance(one.signal, CardDrawn)]
    assert cards == ["QH", *FACES[:place], *FACES[place + size :]]
    inside = place + size < len(FACES)  # what was cut off at the end was never named
    assert (recording.counts.gaps, recording.counts.missing) == ((1, size) if inside else (0, 0))


def test_a_recording_gives_up_when_its_shoe_has_gone_on_for_longer_than_a_host_asks():
    """The window of what may wait is bounded: a long recording with a hole tells what follows before it ends."""
    line = dealt("8S")
    recording = Recording()
    recording.feed(line.shoe.draw("QH"))
    line.shoe.draw("2C")  # lost
    told = [one for _ in range(300) for one in recording.feed(line.shoe.draw("3D"))]
    assert sum(isinstance(one.signal, CardDrawn) for one in told) == 300
    assert (recording.counts.gaps, recording.counts.missing) == (1, 1)
