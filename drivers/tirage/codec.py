"""Payloads to messages and back, by the tables made from the schema (no I/O)."""

from __future__ import annotations

from enum import IntEnum

from controller.core.cards import Card, Rank, Suit
from drivers.tirage.layouts import CHECKED, LAYOUTS, TYPES
from drivers.tirage.messages import Message
from drivers.tirage.messages import Suit as WireSuit

_SUITS = {
    WireSuit.SPADES: Suit.SPADES,
    WireSuit.HEARTS: Suit.HEARTS,
    WireSuit.DIAMONDS: Suit.DIAMONDS,
    WireSuit.CLUBS: Suit.CLUBS,
}
CARDS = {wire * 16 + rank: Card.of(rank, suit) for wire, suit in _SUITS.items() for rank in Rank}
CARD_BYTES = {card: byte for byte, card in CARDS.items()}


class PayloadError(ValueError):
    """A payload that is no message; its text is `type`, `length` or `value`."""


def _values(kind: type[IntEnum | bool] | None) -> dict[int, int]:
    if kind is None:
        return {byte: byte for byte in CARDS}
    if issubclass(kind, bool):
        return {0: False, 1: True}
    return {int(member): member for member in kind}


_ALLOWED = {type_: tuple((place, _values(kind)) for place, kind in fields) for type_, fields in CHECKED.items()}


def decode(type_: int, payload: bytes) -> Message:
    """Return the message; raises PayloadError where a field has a value that the schema does not know.

    >>> decode(0x82, bytes.fromhex("07000000 01 01 18"))
    CardDrawn(event=7, seat=<Seat.PLAYER: 1>, place=1, card=24)
    """
    known = LAYOUTS.get(type_)
    if known is None:
        raise PayloadError("type")
    message, layout = known
    if layout.size != len(payload):
        raise PayloadError("length")
    fields = list(layout.unpack(payload))
    for place, allowed in _ALLOWED.get(type_, ()):
        value = allowed.get(fields[place])
        if value is None:
            raise PayloadError("value")
        fields[place] = value
    return message(*fields)


def encode(message: Message) -> tuple[int, bytes]:
    """Return the type and the payload; raises PayloadError for what cannot be said.

    >>> encode(decode(0x82, bytes.fromhex("07000000 01 01 18")))[1].hex()
    '07000000010118'
    """
    type_ = TYPES[type(message)]
    for place, allowed in _ALLOWED.get(type_, ()):
        if message[place] not in allowed:
            raise PayloadError("value")
    return type_, LAYOUTS[type_][1].pack(*message)
