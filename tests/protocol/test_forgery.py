"""Frames that somebody else made, kept or moved: none is believed (trust.md T17)."""

from __future__ import annotations

import copy
import random
import zlib

import pytest

from controller.core.signals import BytesDamaged, LinkLost
from drivers.tirage import Policy, State
from tests.protocol.line import Line
from tests.protocol.wire import CARD, DEVICE, KEY, Shoe, card_event, frame, session_keys

TRIES, TRIES_LONG = 10_000, 100_000
CARDS = ("8S", "KH", "2C", "3D", "9S", "TD", "4H", "5C")


class Attacker:
    """Someone on the wire who has seen two sessions and knows everything but the key."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.line = Line(Shoe(key=KEY), Policy(keys={DEVICE: KEY}))
        self.older = self._deal()
        self.line.heard += self.line.session.flush()
        self.line.shoe.ms += 100
        self.seen = self._deal()
        self.unheard = [self.line.shoe.draw(card) for card in CARDS]  # on the wire and held back
        self.kinds = [self.forged, self.flipped, self.replayed, self.cross_session, self.reordered, self.borrowed]

    def _deal(self) -> list[bytes]:
        self.line.connect()
        assert self.line.session.live
        frames = [self.line.shoe.draw(card) for card in CARDS]
        for data in frames:
            self.line.feed(data)
        return frames

    def forged(self) -> bytes:
        """A frame of this session with a guessed key."""
        shoe = self.line.shoe
        event = card_event(shoe.event + 1, "banker", 1, self.random.choice(CARDS))
        key = self.random.randbytes(32)
        return frame(CARD, event, session=shoe.session, counter=shoe.counter + 1, card=shoe.card + 1, key=key)

    def flipped(self) -> bytes:
        """A held-back frame with bits changed and its CRC made right again."""
        data = bytearray(self.random.choice(self.unheard)[:-4])
        for bit in self.random.sample(range(16, 8 * len(data)), self.random.randint(1, 3)):
            data[bit // 8] ^= 1 << bit % 8
        return whole(data)

    def replayed(self) -> bytes:
        """A frame of this session that was heard."""
        return self.random.choice(self.seen)

    def cross_session(self) -> bytes:
        """A frame of the session before, with the number of this one."""
        data = bytearray(self.random.choice(self.older)[:-4])
        data[4:6] = self.line.shoe.session.to_bytes(2, "little")
        return whole(data)

    def reordered(self) -> bytes:
        """A later frame first: it is authentic, and the ones before it are then too late."""
        return self.unheard[-1] + self.random.choice(self.unheard[:-1])

    def borrowed(self) -> bytes:
        """A frame made with the right key of another device, or with the host's own key."""
        shoe = self.line.shoe
        keys = session_keys(KEY, bytes(16), shoe.nonce, bytes(8), 1)
        key = self.random.choice([*keys, shoe.host_key])
        return frame(
            CARD, card_event(shoe.event + 1, "player", 1, "8S"), session=shoe.session, counter=shoe.counter, key=key
        )


def whole(data: bytearray) -> bytes:
    """Put a right CRC behind changed bytes."""
    return bytes(data) + zlib.crc32(data[1:]).to_bytes(4, "little")


def attack(tries: int, seed: int) -> None:
    attacker = Attacker(seed)
    standing = attacker.line.session
    standing._nonce = None  # nothing is asked during an attack
    for number in range(tries):
        kind = attacker.kinds[number % len(attacker.kinds)]
        session = copy.deepcopy(standing)
        heard = session.feed(kind(), attacker.line.now_ns)
        believed = [item.signal for item in heard if not isinstance(item.signal, BytesDamaged | LinkLost)]
        assert believed == [], kind.__name__
        assert session.state in (State.LIVE, State.REFUSED)


def test_no_frame_of_an_attacker_is_believed():
    """trust.md T17: forged, changed, replayed, cross-session, reordered, made with another key."""
    attack(TRIES, 17)


@pytest.mark.long
def test_no_frame_of_an_attacker_is_believed_in_a_long_run():
    """trust.md T17: 10^5."""
    attack(TRIES_LONG, 1700)


def test_the_frames_held_back_are_believed_when_they_come_as_they_were():
    """The attack can fail: the same frames, in order, are cards."""
    attacker = Attacker(1)
    before = len(attacker.line.cards)
    for data in attacker.unheard:
        attacker.line.feed(data)
    assert attacker.line.cards[before:] == list(CARDS)


@pytest.mark.parametrize("level", [0, 1])
def test_replayed_and_cross_session_frames_are_no_cards_at_any_level(level: int):
    """SPEC.md 5: L0 proves nothing, but it does not double a card either."""
    shoe = Shoe(key=KEY if level else None)
    line = Line(shoe, Policy(keys={DEVICE: KEY} if level else {})).connect()
    old = [shoe.draw(card) for card in CARDS]
    for data in old:
        line.feed(data)
    line.heard += line.session.flush()
    line.connect()
    new = [shoe.draw(card) for card in CARDS]
    for data in new:
        line.feed(data)
    for data in old + new + new[::-1]:
        line.feed(data)
    assert line.cards == [*CARDS, *CARDS]
    assert line.session.live
