"""Opening a session, and who is refused (SPEC.md 4 and 5; trust.md 3.2)."""

from __future__ import annotations

import pytest

from controller.core.signals import LinkOpened, LinkProved
from drivers.tirage import Level, NotLiveError, Policy, Session, State, Why
from drivers.tirage.messages import Lamp, Light, Lock, Outcome
from tests.protocol.line import Line
from tests.protocol.wire import (
    ANSWER,
    BEGIN,
    DEVICE,
    FROM_NOW,
    HELLO,
    KEY,
    LAMP,
    LOCK,
    OPEN,
    REFUSED,
    Shoe,
    card_event,
    frame,
    parsed,
    session_keys,
)


def keyed(**more: object) -> Policy:
    return Policy(keys={DEVICE: KEY}, **more)


def test_a_plain_shoe_is_live_and_shown_as_unauthenticated():
    """trust.md 3.2: L0."""
    line = Line().connect()
    assert line.session.live
    assert (line.session.level, line.session.authentication) == (Level.PLAIN, "UNAUTHENTICATED")
    assert line.signals == [LinkOpened("tirage 0102030405060708", authenticated=False), LinkProved()]
    assert not line.session.standing.capabilities.authenticates


def test_a_shoe_with_a_key_is_live_and_authentic():
    """trust.md 3.2: L1."""
    line = Line(Shoe(key=KEY), keyed()).connect()
    assert line.session.live
    assert (line.session.level, line.session.authentication) == (Level.AUTHENTIC, "authentic")
    assert line.session.standing.capabilities.authenticates


def test_the_host_proves_itself_with_its_start():
    """SPEC.md 4: the tag is made with the key from the host."""
    line = Line(Shoe(key=KEY), keyed())
    asked = line.open()
    echo = parsed(asked)[0][4][:16]
    line.feed(line.shoe.hello(asked))
    start = line.session.outgoing()
    from_host = session_keys(KEY, echo, line.shoe.nonce, DEVICE, 1)[1]
    payload = FROM_NOW.to_bytes(4, "little")
    assert start == frame(BEGIN, payload, session=line.shoe.session, counter=1, key=from_host)


def test_nothing_is_live_before_the_shoe_has_told_what_it_can_do():
    """SPEC.md 6."""
    line = Line()
    line.greet()
    assert line.session.state is State.STARTING
    assert not line.session.live
    with pytest.raises(NotLiveError, match="catching up"):
        line.session.command(Lock())


def test_the_question_is_repeated_with_a_new_nonce():
    """SPEC.md 4: each try has a nonce of its own."""
    line = Line()
    asked = {line.open()}
    for _ in range(3):
        line.wait(500, silent=True)
        asked.add(line.session.outgoing())
    assert [kind for text in asked for kind, *_ in parsed(text)] == [OPEN] * 4


def test_an_answer_to_an_older_question_is_no_answer():
    """SPEC.md 4: the hello echoes the nonce of the question that stands."""
    line = Line()
    late = line.shoe.hello(line.open())
    line.wait(500, silent=True)
    line.feed(late)
    assert (line.session.state, line.session.counts.stale) == (State.OPENING, 1)


def test_the_device_is_pinned_once_it_has_proved_itself():
    """trust.md 3.2: a device once seen at L1 is refused at a lower level."""
    policy = keyed()
    Line(Shoe(key=KEY), policy).connect()
    assert policy.pins == {DEVICE: Level.AUTHENTIC}
    line = Line(Shoe(), policy)
    line.greet()
    assert (line.session.state, line.session.reason) == (State.REFUSED, Why.PINNED.value)
    assert line.link == [Why.PINNED.value]


def test_a_shoe_that_says_less_than_it_was_asked_is_refused_by_policy():
    """trust.md 3.1: capability replies altered on the wire brought OSDP down; the host's own floor decides."""
    line = Line(Shoe(), keyed(lowest=Level.AUTHENTIC))
    line.greet()
    assert line.session.reason == Why.TOO_LOW.value


def test_a_question_altered_on_the_wire_gives_no_session():
    """SPEC.md 5: the level asked for is part of the keys."""
    line = Line(Shoe(key=KEY), keyed())
    echo = parsed(line.open())[0][4][:16]
    line.feed(line.shoe.hello(frame(OPEN, echo + bytes([2]))))
    assert (line.session.state, line.session.counts.forged) == (State.OPENING, 1)


def test_an_answer_that_claims_l1_without_its_tag_opens_nothing():
    """SPEC.md 5: the hello itself is proved."""
    line = Line(Shoe(level=1), keyed())
    line.greet()
    assert (line.session.state, line.session.counts.forged) == (State.OPENING, 1)


@pytest.mark.parametrize(
    ("shoe", "policy", "why"),
    [
        (Shoe(level=2), Policy(), Why.SEALED),
        (Shoe(key=KEY), Policy(keys={bytes(8): KEY}), Why.NO_KEY),
        (Shoe(schema=bytes(8)), Policy(), Why.SCHEMA),
        (Shoe(), Policy(expected=bytes(8)), Why.OTHER_SHOE),
    ],
)
def test_who_is_refused_and_why(shoe: Shoe, policy: Policy, why: Why):
    """SPEC.md 4."""
    line = Line(shoe, policy)
    line.greet()
    assert (line.session.state, line.link) == (State.REFUSED, [why.value])
    assert line.session.outgoing() == b""


def test_a_frame_with_a_tag_is_no_frame_of_a_plain_session():
    """SPEC.md 5: nobody can check it."""
    line = Line().connect()
    shoe = line.shoe
    line.feed(
        frame(0x82, card_event(1, "player", 1, "8S"), session=shoe.session, counter=shoe.counter, card=1, key=KEY)
    )
    assert (line.cards, line.session.counts.forged) == ([], 1)


def test_a_shoe_that_reads_ahead_is_refused():
    """trust.md 4.2: it needs L2, which is not built."""
    line = Line(Shoe(reads_ahead=1)).connect()
    assert (line.session.state, line.session.reason) == (State.REFUSED, Why.READS_AHEAD.value)


def test_a_refused_shoe_stays_refused_until_the_port_is_opened_again():
    """SPEC.md 6."""
    line = Line(Shoe(reads_ahead=1)).connect()
    line.shoe.reads_ahead = 0
    line.feed(line.shoe.draw("8S"))
    line.wait(3000)
    assert (line.session.state, line.cards, line.session.outgoing()) == (State.REFUSED, [], b"")
    assert line.connect().session.live


def test_a_refusal_of_the_shoe_is_told_and_the_host_asks_on():
    """SPEC.md 4: it is not proved, so it ends nothing."""
    line = Line()
    line.open()
    for _ in range(3):
        line.feed(frame(REFUSED, bytes([0, 1, 0, 0, 0])))
    assert line.session.state is State.OPENING
    assert "refuses this level" in line.session.reason
    assert len(line.link) == 1


def test_a_hello_of_another_version_is_refused():
    """SPEC.md 9."""
    line = Line()
    line.open()
    line.feed(frame(HELLO, bytes(60), version=2))
    assert line.session.reason == Why.VERSION.value


def test_a_command_is_numbered_and_its_outcome_kept():
    """SPEC.md 4: answer."""
    line = Line(Shoe(key=KEY), keyed()).connect()
    number = line.session.command(Lamp(Light.STOP))
    kind, _, counter, _, payload = parsed(line.session.outgoing())[0]
    assert (kind, counter, payload) == (LAMP, number, b"\x02")
    line.feed(line.shoe.frame(ANSWER, number.to_bytes(4, "little") + b"\x01"))
    assert line.session.standing.answers == {number: Outcome.BUSY}


def test_a_command_without_an_answer_is_not_sent_again():
    """SPEC.md 4: a lock that was perhaps carried out is not repeated blindly."""
    line = Line().connect()
    line.session.command(Lock())
    assert [kind for kind, *_ in parsed(line.session.outgoing())] == [LOCK]
    line.wait(3000)
    assert line.session.outgoing() == b""


def test_keys_do_not_show_in_any_text():
    """trust.md 4.2: no secrets in tracebacks or logs."""
    policy = keyed()
    line = Line(Shoe(key=KEY), policy).connect()
    text = repr(policy) + repr(vars(line.session)) + repr(vars(line.session._connection._channel))
    assert repr(KEY) not in text
    assert KEY.hex() not in text


def test_bytes_without_a_call_of_opened_open_the_session():
    """The seam of the other drivers: feed is enough."""
    session = Session()
    session.feed(b"\x00", 1)
    assert [kind for kind, *_ in parsed(session.outgoing())] == [OPEN]
