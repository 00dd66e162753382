"""Stakes, covers and banco, while they may be made."""

from __future__ import annotations

from dataclasses import replace

from controller.core.bank.acts import CallBanco, Done, Outcome, Refusal, Refused, SetCover, SetStake, WithdrawBanco
from controller.core.bank.ledger import PUNTERS, Entries
from controller.core.bank.order import before, side_of
from controller.core.bank.state import NOBODY, Bank, Claim, Stage, Stake, cleared, placed
from controller.core.bank.terms import Banco, Terms

A_CHEVAL = "a-cheval"  # a stake on both sides (R-FRB-08)


def spots(terms: Terms) -> tuple[str, ...]:
    """Return what a stake may lie on at this table."""
    sides = tuple(side.value for side in terms.sides)
    return sides + (A_CHEVAL,) * terms.a_cheval + tuple(bet.name for bet in terms.bets)


def set_stake(terms: Terms, bank: Bank, act: SetStake) -> Outcome:
    """A punter changes what he has on one spot."""
    if refused := _not_stakeable(terms, bank, act.who, act.on, act.amount):
        return refused
    riding = bank.stake(act.who, act.on).riding
    if act.amount < riding and bank.stage is Stage.OPEN:
        return Refused(Refusal.STAKES_RIDE, "R-002-29")
    return _staked(bank, Stake(act.who, act.on, act.amount, min(riding, act.amount)))


def set_cover(terms: Terms, bank: Bank, act: SetCover) -> Outcome:
    """The croupier says how much the punters have on one side together."""
    now = bank.stake(PUNTERS, act.on.value)
    if act.on not in terms.sides:
        return Refused(Refusal.NO_SUCH_BET)
    if act.amount < 0:
        return Refused(Refusal.BAD_AMOUNT)
    if covers_whole(bank):
        return Refused(Refusal.BANCO_HELD, "R-002-08")
    if act.amount < now.riding and bank.stage is Stage.OPEN:
        return Refused(Refusal.STAKES_RIDE, "R-002-29")
    if terms.limited and bank.covered - now.amount + act.amount > bank.sum:
        return Refused(Refusal.OVER_BANK, "R-002-11")
    return _staked(bank, Stake(PUNTERS, act.on.value, act.amount, min(now.riding, act.amount)))


def call_banco(terms: Terms, bank: Bank, act: CallBanco) -> Outcome:
    """A player covers the bank, or half of it; stakes that it leaves no room for go back."""
    if refused := _not_callable(terms, bank, act):
        return refused
    if act.claim is Banco.WITH_TABLE:
        bank, entries = _unclaimed(bank)
        bank, own = _emptied(bank, act.place)
        entries += own
    else:
        bank, entries = cleared(bank)
    amount = bank.sum // 2 if act.claim is Banco.WITH_TABLE else bank.sum
    bank, down = placed(bank, Stake(act.place, side_of(terms, act.place).value, amount))
    return Done(replace(bank, claim=Claim(act.claim, act.place)), entries + down)


def withdraw_banco(terms: Terms, bank: Bank, act: WithdrawBanco) -> Outcome:
    """A call is taken back, and the stake with it."""
    if bank.claim is None:
        return Refused(Refusal.NO_BANCO)
    if bank.rides and bank.stage is Stage.OPEN:
        return Refused(Refusal.STAKES_RIDE, "R-002-29")
    free, entries = _unclaimed(bank)
    return _noted(free, entries)


def covers_whole(bank: Bank) -> bool:
    """Whether one player stands against the whole bank."""
    return bank.claim is not None and bank.claim.kind is not Banco.WITH_TABLE


def _not_stakeable(terms: Terms, bank: Bank, who: int, on: str, amount: int) -> Refused | None:
    claimant = bank.claim.place if bank.claim else NOBODY
    stands = who > terms.places
    reasons = (
        (amount < 0, Refused(Refusal.BAD_AMOUNT)),
        (on not in spots(terms), Refused(Refusal.NO_SUCH_BET)),
        (not stands and who not in bank.order, Refused(Refusal.NOT_SEATED)),
        (who == bank.banker, Refused(Refusal.BANKER_SITS, "R-002-07")),
        (covers_whole(bank) or who == claimant, Refused(Refusal.BANCO_HELD, "R-002-08")),
    )
    return next((refused for wrong, refused in reasons if wrong), None)


def _not_callable(terms: Terms, bank: Bank, act: CallBanco) -> Refused | None:
    seated = act.place in bank.order
    reasons = (
        (act.claim not in terms.claims, Refused(Refusal.NOT_KEPT)),
        (not seated, Refused(Refusal.NOT_SEATED)),
        (act.place == bank.banker, Refused(Refusal.BANKER_SITS, "R-002-07")),
        (act.place in bank.barred, Refused(Refusal.BARRED, "R-FRC-06")),
        (bank.rides, Refused(Refusal.STAKES_RIDE, "R-002-29")),
        (act.claim is Banco.SUIVI and bank.suivi != act.place, Refused(Refusal.NO_SUIVI, "R-003-15")),
        (act.claim is Banco.WITH_TABLE and bank.sum < 2, Refused(Refusal.BAD_AMOUNT)),
    )
    refused = next((refused for wrong, refused in reasons if wrong), None)
    return refused or _outranked(terms, bank, act)


def _outranked(terms: Terms, bank: Bank, act: CallBanco) -> Refused | None:
    if bank.claim is None:
        return None
    standing = before(terms, bank, bank.claim.kind, bank.claim.place)
    if before(terms, bank, act.claim, act.place) < standing:
        return None
    return Refused(Refusal.BANCO_NEARER, "R-002-08" if terms.claims_from.value == "right" else "R-004-05")


def _emptied(bank: Bank, who: int) -> tuple[Bank, Entries]:
    entries: Entries = ()
    for stake in [one for one in bank.stakes if one.who == who]:
        bank, back = placed(bank, replace(stake, amount=0, riding=0))
        entries += back
    return bank, entries


def _unclaimed(bank: Bank) -> tuple[Bank, Entries]:
    if bank.claim is None:
        return bank, ()
    return _emptied(replace(bank, claim=None), bank.claim.place)


def without_call_of(bank: Bank, place: int) -> tuple[Bank, Entries]:
    """Return the bank without the call of one who may not hold cards any more."""
    return _unclaimed(bank) if bank.claim is not None and bank.claim.place == place else (bank, ())


def _staked(bank: Bank, stake: Stake) -> Outcome:
    return _noted(*placed(bank, stake))


def _noted(bank: Bank, entries: Entries) -> Done:
    changed = bank.stage is Stage.REOPENED and bool(entries)
    return Done(replace(bank, amended=bank.amended or changed), entries)
