"""Who has the bank and at what sum; who sits, and who may hold cards."""

from __future__ import annotations

from dataclasses import replace

from controller.core.bank.acts import (
    DeclineBank,
    Done,
    LeavePlace,
    NobodyTakes,
    Outcome,
    PassBank,
    Penalise,
    Readmit,
    Refusal,
    Refused,
    ShowBank,
    Sit,
    TakeBank,
)
from controller.core.bank.ledger import BANK, Entries, Why, account, moved
from controller.core.bank.order import held, next_banked, rebanked, seated_between, taken_over
from controller.core.bank.settling import retired
from controller.core.bank.staking import without_call_of
from controller.core.bank.state import NOBODY, Bank, Breach, Stage, cleared
from controller.core.bank.terms import Holds, Terms
from controller.core.sanctions import Sanction

COUP_ON = (Stage.CLOSED, Stage.REOPENED)


def show_bank(terms: Terms, bank: Bank, act: ShowBank) -> Outcome:
    """The banker puts his sum down; later he may add to it and take nothing out."""
    if bank.banker == NOBODY:
        return Refused(Refusal.NOBODY_MAY, "R-FRC-06")
    if bank.claim is not None:
        return Refused(Refusal.BANCO_HELD, "R-002-08")
    if act.amount < bank.sum:
        return Refused(Refusal.WINNINGS_STAY, "R-003-10")
    if act.amount < 1:
        return Refused(Refusal.BAD_AMOUNT)
    entries = moved(account(bank.banker), BANK, act.amount - bank.sum, Why.SHOWN)
    return Done(replace(bank.post(entries), stage=Stage.OPEN), entries)


def decline_bank(terms: Terms, bank: Bank, act: DeclineBank) -> Outcome:
    """The cards go on to the next player."""
    return Done(next_banked(bank))


def pass_bank(terms: Terms, bank: Bank, act: PassBank) -> Outcome:
    """The banker takes his bank; where it passes the others are asked whether they want it at this sum."""
    if bank.rides:
        return Refused(Refusal.STAKES_RIDE, "R-002-29")
    bank, back = cleared(bank)
    entries = moved(BANK, account(bank.banker), bank.sum, Why.RETIRED)
    asks = terms.holds is Holds.PASSES
    stage, passed_at = (Stage.PASSING, bank.sum) if asks else (Stage.AWAITING, 0)
    return Done(replace(bank.post(entries), stage=stage, passed_at=passed_at), back + entries)


def take_bank(terms: Terms, bank: Bank, act: TakeBank) -> Outcome:
    """Somebody has it at exactly the sum at which it stood, no more and no less."""
    if act.place not in bank.order:
        return Refused(Refusal.NOT_SEATED)
    if act.place == bank.banker:
        return Refused(Refusal.BANKER_SITS, "R-003-12")
    if act.place in bank.barred:
        return Refused(Refusal.BARRED, "R-FRC-06")
    if act.amount != bank.passed_at:
        return Refused(Refusal.NOT_THE_SUM, "R-003-12")
    taken = taken_over(bank, act.place)
    entries = moved(account(act.place), BANK, act.amount, Why.SHOWN)
    return Done(replace(taken.post(entries), stage=Stage.OPEN, passed_at=0), entries)


def nobody_takes(terms: Terms, bank: Bank, act: NobodyTakes) -> Outcome:
    """The retiring banker's right-hand neighbour has the deal, at any sum he likes."""
    neighbour = next((place for place in bank.order[1:] if place not in bank.barred), NOBODY)
    after = taken_over(bank, neighbour) if neighbour else rebanked(bank, bank.order)
    return Done(replace(after, stage=Stage.AWAITING, passed_at=0))


def sit(terms: Terms, bank: Bank, act: Sit) -> Outcome:
    """A newcomer's turn comes where he sits."""
    if not 1 <= act.place <= terms.places:
        return Refused(Refusal.NOT_SEATED)
    if act.place in bank.order:
        return Refused(Refusal.SEAT_TAKEN)
    passes = terms.holds is Holds.PASSES
    order = seated_between(bank.order, act.place) if passes else tuple(sorted((*bank.order, act.place)))
    return Done(_filled(terms, replace(bank, order=order)))


def leave_place(terms: Terms, bank: Bank, act: LeavePlace) -> Outcome:
    """A place is free again, and with it every right of the one who sat there."""
    if refused := _not_leavable(bank, act.place):
        return refused
    order = tuple(place for place in bank.order if place != act.place)
    barred = tuple(place for place in bank.barred if place != act.place)
    suivi = NOBODY if bank.suivi == act.place else bank.suivi
    left = replace(bank, order=order, barred=barred, suivi=suivi)
    return Done(_filled(terms, rebanked(left, order) if bank.banker == act.place else left))


def penalise(terms: Terms, bank: Bank, act: Penalise) -> Outcome:
    """A penalty is written down. Only being barred has an effect here, and never on money."""
    if act.penalty not in terms.sanctions or act.penalty is Sanction.NONE:
        return Refused(Refusal.PENALTY_FORBIDDEN, "R-FRC-06")
    if act.place not in bank.order:
        return Refused(Refusal.NOT_SEATED)
    if act.amount < 0:
        return Refused(Refusal.BAD_AMOUNT)
    written = Breach(act.place, act.penalty, act.rule, act.amount, bank.coup)
    noted = replace(bank, sanctions=(*bank.sanctions, written))
    return Done(*_barred(terms, noted, act.place)) if act.penalty is Sanction.NO_HOLD else Done(noted)


def readmit(terms: Terms, bank: Bank, act: Readmit) -> Outcome:
    """He may hold cards again when his turn comes."""
    if act.place not in bank.barred:
        return Refused(Refusal.NOT_BARRED)
    barred = tuple(place for place in bank.barred if place != act.place)
    return Done(_filled(terms, replace(bank, barred=barred)))


def _not_leavable(bank: Bank, place: int) -> Refused | None:
    reasons = (
        (place not in bank.order, Refusal.NOT_SEATED),
        (bank.stage in COUP_ON, Refusal.STAKES_CLOSED),
        (place == bank.banker and bank.stage is not Stage.AWAITING, Refusal.BANKER_SITS),
        (any(stake.who == place for stake in bank.stakes), Refusal.STAKES_UP),
    )
    return next((Refused(why) for wrong, why in reasons if wrong), None)


def _barred(terms: Terms, bank: Bank, place: int) -> tuple[Bank, Entries]:
    """Return the bank with a player who holds no cards from here on; a coup in hand is given first (R-FRC-04)."""
    bank = replace(bank, barred=tuple(sorted({*bank.barred, place})))
    if bank.stage in COUP_ON:
        return bank, ()
    if place != bank.banker:
        free, entries = (bank, ()) if bank.rides else without_call_of(bank, place)
        return _filled(terms, free), entries
    match bank.stage:
        case Stage.OPEN if not bank.rides:
            return retired(bank)
        case Stage.AWAITING:
            return rebanked(bank, bank.order), ()
        case _:
            return bank, ()


def _filled(terms: Terms, bank: Bank) -> Bank:
    """Return the bank with somebody to hold it, and the cards of each side, where nobody did and one may now."""
    if terms.holds is Holds.PASSES and bank.banker == NOBODY:
        return rebanked(bank, bank.order)
    return bank if bank.stage in COUP_ON else held(terms, bank)
