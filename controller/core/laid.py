"""A card of a hand as it lies, a hold of it, and what becomes of both when somebody says who took the card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

from controller.core.cards import Card, Seat
from controller.core.games import Game

UNREAD = "unread-card"  # the kind of incident that names one card

Spot = tuple[Seat | None, int]


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the hand.

    ``place`` is its place in the shoe, ``card`` its face as far as the controller knows it, ``exposed`` whether
    players know it too. ``wire`` is the spot as the shoe named it, which differs after a power-up in mid-hand.
    ``seat`` is None for a card that belongs to no seat, or that nobody said who took.
    """

    seat: Seat | None
    index: int
    place: int
    card: Card | None
    exposed: bool
    unread: bool = False
    keyed: bool = False
    carried: bool = False
    wire: Spot | None = None
    inferred: bool = False  # nobody told the seat: order and count leave no other

    @property
    def spot(self) -> Spot:
        """The seat and the index from 1 at which the card lies."""
        return self.seat, self.index

    def faced(self, card: Card | None, *, keyed: bool | None = None) -> Laid:
        """Return the card turned: its face public, or known to be unreadable."""
        by_hand = self.keyed if keyed is None else keyed
        return Laid(
            self.seat,
            self.index,
            self.place,
            card,
            True,
            card is None,
            by_hand,
            self.carried,
            self.wire,
            self.inferred,
        )


@dataclass(frozen=True, slots=True)
class Hold:
    """Why a hand or a table waits. ``person`` is false where the shoe's own procedure lifts it."""

    id: str
    kind: str
    person: bool
    rule: str = ""
    seat: Seat | None = None


def taken(laid: Laid, seat: Seat | None, told: Seat | None, game: Game) -> Laid:
    """Return a drawn card with the seat that took it; ``told`` is the seat that somebody named, if one did."""
    if seat is None or laid.seat is seat:
        return laid
    return replace(laid, seat=seat, index=game.initial + 1, inferred=told is None)


def next_index(seat: Seat | None, lying: tuple[Laid, ...]) -> int:
    """Return the index of a seat's next card: one that is filled is never given, wherever a person laid the others."""
    held = [laid.index for laid in lying if laid.seat is seat]
    return next(index for index in count(len(held) + 1) if index not in held)


def beside(laid: Laid, lying: tuple[Laid, ...]) -> Laid:
    """Return a card of a seat beside the others that lie there: two cards are never on one spot."""
    filled = laid.seat is not None and any(one.spot == laid.spot for one in lying)
    return replace(laid, index=next_index(laid.seat, lying)) if filled else laid


def held_at_seat(hold: Hold, old: Laid, new: Laid) -> Hold:
    """Return a hold for this card's face as one of the seat that took it."""
    if (hold.kind, hold.seat, hold.id) != (UNREAD, old.seat, f"{UNREAD}:{old.index}") or new.seat is None:
        return hold
    return replace(hold, id=f"{UNREAD}:{new.index}:{new.seat.value}", seat=new.seat)
