"""Who comes before whom: the rotation of the bank, priorities among punters, the holders of a side."""

from __future__ import annotations

from dataclasses import replace

from controller.core.bank.ledger import BANKER
from controller.core.bank.state import NOBODY, Bank, Holder, Stake
from controller.core.bank.terms import Banco, Holds, Suivi, Terms
from controller.core.cards import Seat

Places = tuple[int, ...]


def side_of(terms: Terms, place: int) -> Seat:
    """Return the side for which a place holds cards."""
    return terms.sides[0] if len(terms.sides) == 1 or place <= terms.places // 2 else terms.sides[1]


def rebanked(bank: Bank, order: Places) -> Bank:
    """Return the bank with the first place of this rotation that may hold cards as its banker."""
    for turns in range(len(order)):
        if order[turns] not in bank.barred:
            return replace(bank, order=order[turns:] + order[:turns], banker=order[turns])
    return replace(bank, order=order, banker=NOBODY)


def next_banked(bank: Bank) -> Bank:
    """Return the bank in the hands of the player next in order (R-002-19)."""
    return rebanked(bank, bank.order[1:] + bank.order[:1])


def taken_over(bank: Bank, taker: int) -> Bank:
    """Return the bank in the taker's hands, the late banker last in rotation (R-003-14).

    The others keep their order as it runs round the table from the taker's right.
    """
    late, at = bank.order[0], bank.order.index(taker)
    turned = bank.order[at:] + bank.order[:at]
    return replace(bank, order=(*(place for place in turned if place != late), late), banker=taker)


def seated_between(order: Places, place: int) -> Places:
    """Return a rotation with a new place right after the occupied one before it, counted round the table."""
    if not order:
        return (place,)
    before = max((one for one in order if one < place), default=max(order))
    at = order.index(before) + 1
    return (*order[:at], place, *order[at:])


def callers(terms: Terms, bank: Bank) -> Places:
    """Return the seated punters in the order in which they may go bank (D7: R-002-08 or R-004-05)."""
    if terms.holds is Holds.PASSES:
        round_table = tuple(place for place in bank.order if place != bank.banker)
    else:
        half = terms.places // 2
        right = tuple(place for place in bank.order if place <= half)
        round_table = right + tuple(reversed([place for place in bank.order if place > half]))
    return round_table if terms.claims_from is Seat.RIGHT else tuple(reversed(round_table))


def preferred(terms: Terms, bank: Bank) -> Places:
    """Return the seated punters in the order in which their stakes stand: nearest the banker first (R-002-11).

    With a banker between two sides the first place of the right goes before the first of the left, and so on.
    """
    if terms.holds is Holds.PASSES:
        return tuple(place for place in bank.order if place != bank.banker)
    half = terms.places // 2
    return tuple(sorted(bank.order, key=lambda place: ((place - 1) % half, place)))


def ranked(terms: Terms, bank: Bank) -> tuple[Stake, ...]:
    """Return the stakes in the order in which they are preferred: who went bank, the seated, then those who stand."""
    order = preferred(terms, bank)
    claimant = bank.claim.place if bank.claim else NOBODY

    def rank(stake: Stake) -> tuple[bool, int]:
        return stake.who != claimant, order.index(stake.who) if stake.who in order else len(order)

    return tuple(sorted(bank.stakes, key=rank))  # those who stand keep the order in which they came


def before(terms: Terms, bank: Bank, kind: Banco, place: int) -> tuple[int, int]:
    """Return the rank of a call; the lower one has the bank."""
    ranks = {Banco.SUIVI: 0 if terms.suivi is Suivi.FIRST else 1, Banco.BANCO: 1, Banco.WITH_TABLE: 2}
    return ranks[kind], callers(terms, bank).index(place)


def speaker(terms: Terms, bank: Bank) -> int:
    """Return the place that plays for the punters of a bank that passes, NOBODY where stakes do not say.

    Who covered the bank, else the highest staker; the first in rotation of two (R-002-13, A17).
    """
    if bank.claim is not None:
        return bank.claim.place
    able = [stake for stake in ranked(terms, bank) if stake.who > 0 and stake.who not in bank.barred]
    highest = max(able, key=lambda stake: stake.amount, default=None)
    return highest.who if highest else NOBODY


def beyond(terms: Terms, bank: Bank, side: Seat, place: int) -> int:
    """Return the next place of a side that may hold cards after this one; the nearest again after the last.

    Only occupied places count (A12, R-000-52..55).
    """
    able = [one for one in sorted(bank.order) if side_of(terms, one) is side and one not in bank.barred]
    return next((one for one in able if one > place), able[0] if able else NOBODY)


def held(terms: Terms, bank: Bank) -> Bank:
    """Return the bank with every side's cards held by somebody who sits there and may, where there is one."""
    if terms.holds is not Holds.STAYS:
        return bank
    before_now = {holder.side: holder.place for holder in bank.holders}

    def able(side: Seat) -> int:
        place = before_now.get(side, NOBODY)
        sits = place in bank.order and place not in bank.barred
        return place if sits else beyond(terms, bank, side, place)

    return replace(bank, holders=tuple(Holder(side, able(side)) for side in terms.sides))


def first_banked(terms: Terms, bank: Bank) -> Bank:
    """Return a fresh bank with its first banker and holders (R-002-06: the croupier's right)."""
    match terms.holds:
        case Holds.PASSES:
            return rebanked(bank, bank.order)
        case Holds.STAYS:
            return held(terms, replace(bank, banker=BANKER))
        case Holds.HOUSE:
            return bank
