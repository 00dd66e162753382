"""What a house lets a person choose from when a deal has gone wrong: its situations, and what each remedy must name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.bank import Money
from controller.core.facts import Audience
from controller.core.hand import Hand
from controller.core.incidents import KINDS
from controller.core.inputs import Post, Sanction
from controller.core.profile import House
from controller.core.remedies.situations import Remedy, Situation


class Names(Enum):
    """What a remedy must be told besides its name."""

    NOTHING = "nothing"
    CARDS = "cards"  # one or more of the hand
    CARD = "card"  # exactly one
    LAST_CARD = "last-card"  # the one that was drawn last
    SIDE = "side"  # one that plays against the bank


NAMES = {
    Remedy.BURN: Names.CARDS,
    Remedy.NEXT: Names.LAST_CARD,
    Remedy.FREE_HAND: Names.LAST_CARD,
    Remedy.TO_BANKER: Names.CARD,
    Remedy.PICK: Names.CARD,
    Remedy.PLAY: Names.SIDE,
    Remedy.REFUSE: Names.SIDE,
    Remedy.BAR: Names.SIDE,
}
SILENT = (Remedy.SUPERVISOR,)


@dataclass(frozen=True, slots=True)
class RemedyOffer:
    """A remedy that the house allows, and what it must be told."""

    remedy: Remedy
    names: Names


@dataclass(frozen=True, slots=True)
class SituationOffer:
    """An irregularity with the house's remedies, its preferred one first; ``amends`` as in `Situation`.

    Where the house's rule is ``silent`` nothing is proposed: the remedies are then all that its decider may choose.
    """

    id: str
    remedies: tuple[RemedyOffer, ...]
    amends: str
    decider: Post
    silent: bool


@dataclass(frozen=True, slots=True)
class Offers:
    """All that a house rules on, in the order of its source, its sanctions (rules.md B.6 D12), and its reasons."""

    situations: tuple[SituationOffer, ...]
    sanctions: tuple[Sanction, ...]
    reasons: tuple[str, ...] = ()


def silent(house: House, situation: Situation) -> bool:
    """Whether the rule of the house says nothing of an irregularity (rules.md 1.6)."""
    return house.allowed(situation) == SILENT


def choices(house: House, situation: Situation) -> tuple[Remedy, ...]:
    """Return what may be done about an irregularity, the house's preferred remedy first.

    A silent rule binds nobody: the supervisor may apply what the sources know, let it stand, or void the hand.
    """
    if not silent(house, situation):
        return house.allowed(situation)
    known = (remedy for remedy in situation.remedies if remedy is not Remedy.SUPERVISOR)
    return tuple(dict.fromkeys((*known, Remedy.CORRECT, Remedy.VOID)))


def amends(house: House, situation: Situation) -> str:
    """Return the rule by which bets may change, empty where this house never opens them again (R-FRC-03, A18).

    Where no money is kept people hold the stakes by the texts: those of one hand against the bank never reopen.
    """
    kept = house.money.money is not Money.OFF
    known = situation.amends in house.money.reopens if kept else len(house.game.sides) > 1
    return situation.amends if known else ""


def offers(house: House) -> Offers:
    """Return what may be chosen from at a table of this house."""
    known = tuple(
        SituationOffer(
            one.id,
            tuple(RemedyOffer(remedy, NAMES.get(remedy, Names.NOTHING)) for remedy in choices(house, one)),
            amends(house, one),
            house.decider(one.id),
            silent(house, one),
        )
        for one in house.possible
    )
    return Offers(tuple(one for one in known if one.remedies), house.sanctions, house.reasons)


def fitting(house: House, hand: Hand) -> tuple[str, ...]:
    """Return the situations that what openly holds a hand points to, by id."""
    kinds = {hold.kind for hold in hand.holds if KINDS[hold.kind].audience is not Audience.SURVEILLANCE}
    return tuple(one.id for one in house.possible if kinds & set(one.kinds))
