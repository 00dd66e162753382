"""A line that loses, spoils, repeats and swaps frames and is pulled out: in the end every card is heard once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.core.signals import BytesDamaged
from drivers.tirage import Policy
from tests.protocol.line import Line
from tests.protocol.wire import DEVICE, KEY, RESEND, Shoe, parsed

FACES = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
DEEDS = ("draw", "draw", "draw", "lose", "spoil", "repeat", "late", "beat", "pull", "wait")
STEP_MS = 20  # fewer than 200 frames a second

stories = st.lists(st.sampled_from(DEEDS), max_size=60)


class Bad:
    """A line with deeds; what the host asks is always answered, at once or late."""

    def __init__(self, key: bytes | None) -> None:
        self.line = Line(Shoe(key=key), Policy(keys={DEVICE: KEY} if key else {})).connect()
        self.drawn: list[str] = []
        self.late: list[bytes] = []

    def do(self, deed: str) -> None:
        line = self.line
        line.now_ms += STEP_MS
        line.shoe.ms += STEP_MS
        match deed:
            case "beat":
                line.feed(line.shoe.heartbeat())
            case "wait":
                line.heard += line.session.tick(line.now_ns)
            case "pull":
                line.heard += line.session.flush()
                self.late.clear()
                line.feed(line.shoe.hello(line.open()))
            case _:
                self.send(deed, self.draw())
        self.answer()

    def draw(self) -> bytes:
        face = FACES[len(self.drawn) % len(FACES)]
        self.drawn.append(face)
        return self.line.shoe.draw(face)

    def send(self, deed: str, data: bytes) -> None:
        match deed:
            case "draw":
                self.line.feed(data)
                for late in self.late:
                    self.line.feed(late)
                self.late.clear()
            case "spoil":
                self.line.feed(data[:9] + bytes([data[9] ^ 1]) + data[10:])
            case "repeat":
                self.line.feed(data + data)
            case "late":
                self.late.append(data)

    def answer(self) -> None:
        """Let the shoe answer all that the host has asked."""
        line = self.line
        while asked := line.session.outgoing():
            for kind, _, _, _, payload in parsed(asked):
                line.feed(self._reply(kind, asked, payload))

    def _reply(self, kind: int, asked: bytes, payload: bytes) -> bytes:
        match kind:
            case 0x01:
                return self.line.shoe.hello(asked)
            case 0x02:
                return self.line.shoe.started(asked)
        assert kind == RESEND
        return self.line.shoe.resent(payload)


def outcome(key: bytes | None, story: list[str]) -> Bad:
    bad = Bad(key)
    # A spoilt frame may hold back what follows for a tenth of a second.
    for deed in [*story, *["wait"] * 6, "beat", "wait"]:
        bad.do(deed)
    return bad


@given(stories)
def test_every_card_is_heard_once_and_in_order(story: list[str]):
    """trust.md promise 3; faults.md B 1, 13, 16, 17, 18 in any mixture."""
    bad = outcome(None, story)
    assert bad.line.cards == bad.drawn
    assert [s for s in bad.line.signals if isinstance(s, BytesDamaged) and s.lost] == []
    assert bad.line.session.memory.card == len(bad.drawn)


@given(stories)
def test_proof_changes_nothing_in_that(story: list[str]):
    """The same at L1."""
    bad = outcome(KEY, story)
    assert bad.line.cards == bad.drawn
    assert bad.line.session.counts.forged == 0
