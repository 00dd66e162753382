"""A coup where the house pays and takes."""

from __future__ import annotations

from dataclasses import replace

from controller.core.bank.acts import Done, Outcome, Refusal, Refused, SettleBets
from controller.core.bank.bets import Bet, Clause, Final
from controller.core.bank.ledger import HOUSE, STAKES, Entries, Why, account, moved
from controller.core.bank.state import Bank, Stage, Stake
from controller.core.bank.terms import Terms, player_part
from controller.core.signals import Call


def settle_bets(terms: Terms, bank: Bank, act: SettleBets) -> Outcome:
    """Pay, push or take each bet by its table; a forced end returns them all (R-PB-07)."""
    bets = {bet.name: bet for bet in terms.bets}
    try:
        entries = tuple(entry for stake in bank.stakes for entry in _settled(terms, bets[stake.on], stake, act.end))
    except ValueError:
        return Refused(Refusal.FACES_UNKNOWN, "R-PB-12")
    settled = replace(bank.post(entries), stakes=(), stage=Stage.OPEN, amended=False, coup=bank.coup + 1)
    return Done(settled, entries)


def _settled(terms: Terms, bet: Bet, stake: Stake, end: Final) -> Entries:
    whose = account(stake.who)
    if end.result is Call.FORCED_END:
        return moved(STAKES, whose, stake.amount, Why.RETURNED)
    clause = bet.clause(end)
    if clause is None:
        return moved(STAKES, HOUSE, stake.amount, Why.TAKEN)
    paid = moved(HOUSE, whose, _pays(terms, clause, stake), Why.PAID)
    return paid + moved(STAKES, whose, stake.amount, Why.RETURNED)


def _pays(terms: Terms, clause: Clause, stake: Stake) -> int:
    return player_part(stake.amount, clause.pays, clause.per, terms.odd_unit)
