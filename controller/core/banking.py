"""The money of a table: its bank follows the hands. The first card closes the stakes, the result settles them."""

from __future__ import annotations

from dataclasses import replace
from typing import cast, get_args

from controller.core.bank import (
    Bank,
    BankAct,
    BankCommand,
    CloseStakes,
    Done,
    Ended,
    Final,
    Refusal,
    Refused,
    ReopenStakes,
    Result,
    SettleBets,
    SettleSides,
    Stage,
    apply,
    owed,
    resettled,
    settled,
)
from controller.core.bank.acts import CallBanco, SetCover, SetStake
from controller.core.bank.correcting import OF_PEOPLE, null
from controller.core.bank.ledger import posted
from controller.core.bankref import moved_on
from controller.core.expecting import TIE, strange_result
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Source
from controller.core.incidents import BY_HAND
from controller.core.inputs import Command, Sort
from controller.core.judgement import REFUSED
from controller.core.remedies.triggers import OPENED, dealt, seen
from controller.core.rulings import Effect, rules
from controller.core.signals import Call
from controller.core.stock import ended
from controller.core.table import Record, Table

NOT_READY = "bank-not-ready"
STAKED_EARLIER = "staked-earlier"
BETS = (CallBanco, SetCover, SetStake)  # on a hand that is to follow


def ruling_bank(table: Table, act: BankAct, asked: Command) -> Effect | str:
    """Do what a person asks of the bank, or say which rule forbids it."""
    if table.bank is None:
        return "bank-not-kept"
    if moved_on(table, table.bank, act, asked.hand):
        return "moved-on"
    if _too_late(table, act):
        return Refusal.STAKES_CLOSED.value
    if type(act) in BETS and ended(table):
        return Refusal.SHOE_FINISHED.value
    outcome = apply(table.house.money, table.bank, act)
    if isinstance(outcome, Refused):
        return STAKED_EARLIER if _lie_on_another(table, outcome) else outcome.why.value

    def effect() -> None:
        table.money_since = (*table.money_since, table.item)
        _post(table, table.hand, outcome, type(act).__name__)

    return effect


def _too_late(table: Table, act: BankAct) -> bool:
    """Whether the hand dealt takes no stake: they were not ready (R-000-07), or its cards were seen (R-000-13)."""
    hand = table.hand
    if type(act) in OF_PEOPLE:
        return False
    if _amends_what_was_seen(table, act):
        return True
    return hand is not None and hand.sort is Sort.NORMAL and table.staked != hand.ref


def _lie_on_another(table: Table, outcome: Refused) -> bool:
    """Whether the stakes are closed for a hand that still waits, of this shoe or a former one, and not for this one."""
    waiting = {hand.ref for hand in table.unsettled.values()}
    return outcome.why is Refusal.STAKES_CLOSED and table.staked in waiting


def _amends_what_was_seen(table: Table, act: BankAct) -> bool:
    """Whether this would change stakes that a ruling opened, on a hand of which a face is public by now."""
    hands = (table.hand, *table.unsettled.values())
    staked = next((hand for hand in hands if hand is not None and hand.ref == table.staked), None)
    reopened = table.bank is not None and table.bank.stage is Stage.REOPENED
    if not reopened or staked is None or type(act) is CloseStakes:
        return False
    return seen(dealt(table.game, staked) if OPENED in staked.said else staked)


for _act in get_args(BankCommand):
    rules(_act)(ruling_bank)


def close_stakes(table: Table, hand: Hand) -> None:
    """The first card is out: no bet may be made or changed (R-000-07)."""
    if table.bank is None or hand.sort is not Sort.NORMAL or (NOT_READY, None) in hand.said:
        return
    if table.bank.stage is Stage.CLOSED and table.staked in {"", hand.ref}:
        table.staked = hand.ref
        return
    outcome = apply(table.house.money, table.bank, CloseStakes())
    if isinstance(outcome, Refused) or table.staked not in {"", hand.ref}:
        refused = outcome if isinstance(outcome, Refused) else Refused(Refusal.STAKES_CLOSED, "R-000-07")
        table.raise_(NOT_READY, hand, rule=refused.rule, detail=refused.why.value)
        return
    table.staked = hand.ref
    _post(table, hand, outcome, CloseStakes.__name__)


def may_reopen(table: Table, hand: Hand, rule: str) -> bool:
    """Whether bets on this hand may be amended: its stakes are closed and the house has the rule, or they are open."""
    if table.bank is None:
        return True  # people keep the stakes themselves
    if table.staked != hand.ref:
        return False
    open_again = table.bank.stage is Stage.REOPENED
    return open_again or isinstance(apply(table.house.money, table.bank, ReopenStakes(rule)), Done)


def reopen_stakes(table: Table, hand: Hand, rule: str) -> None:
    """Let bets be amended where the texts and the house do (R-000-13, R-000-18)."""
    if table.bank is None or not rule:
        return
    outcome = apply(table.house.money, table.bank, ReopenStakes(rule))
    if isinstance(outcome, Done):
        _post(table, hand, outcome, ReopenStakes.__name__)


def close_reopened(table: Table, hand: Hand) -> None:
    """Close stakes that a ruling opened on this hand, before its cards are shown."""
    if table.bank is not None and table.bank.stage is Stage.REOPENED and table.staked == hand.ref:
        close_stakes(table, hand)


def settle(table: Table, hand: Hand, outcome: Call | None) -> Bank | None:
    """Pay and take by the result; without one every stake goes back.

    Returns the bank as it stood, for a later word on the result; None where no stake lay on this hand.
    """
    if table.bank is None:
        return None
    if hand.source is not Source.SHOE or table.staked == hand.ref:  # a ruling may have opened them again
        close_stakes(table, hand)
    if table.staked != hand.ref or table.bank.stage is not Stage.CLOSED:
        if hand.sort is Sort.NORMAL:
            table.report("bank-unsettled", hand)
        return None
    stood = table.bank
    end = _end(table, hand, outcome)
    done, refused = settled(table.house.money, stood, end)
    if end is None or refused:
        why = refused or Refused(Refusal.FACES_UNKNOWN)
        table.report("bank-unsettled", hand, rule=why.rule, detail=why.why.value)
    table.staked, table.money_since = "", ()
    _post(table, hand, done, type(end or null(table.house.money)).__name__)
    return stood


def settle_again(table: Table, was: Record, now: Record) -> Record:
    """Move a settled hand's money by a later word on it, or say who owes what where that is too late."""
    if table.bank is None or was.stood is None:
        return now
    terms, stood = table.house.money, was.stood
    ends = _end(table, was.hand, was.outcome), _end(table, now.hand, now.outcome)
    since = tuple(cast(BankAct, cast(Command, item.what).act) for item in table.money_since)
    done = None if was.by_hand else resettled(terms, table.bank, stood, *ends, since)
    if done is not None:
        if done.entries or done.bank != table.bank:
            _post(table, now.hand, done, "Correction")
        return now
    entries = owed(terms, stood, *ends)
    if entries:
        table.tell(FactName.BANK_OWED, now.hand, entries=entries, by=table.item.by)
        table.report(BY_HAND, now.hand, detail=", ".join(f"{one.name} {one.amount}" for one in posted((), entries)))
    return replace(now, by_hand=True)


def _end(table: Table, hand: Hand, outcome: Call | None) -> BankAct | None:
    """The act that settles this hand; None where nobody can say it, as its cards or its sides are not known."""
    game, terms = table.game, table.house.money
    if outcome is None or hand.sort is not Sort.NORMAL:
        return null(terms)
    if strange_result(game, (outcome,)):
        return None
    if terms.sides:
        kinds = {game.bank.value: Result.BANKER, TIE: Result.TIE, REFUSED: Result.REFUSED}
        pairs = zip(game.sides, outcome.winners, strict=True)
        return SettleSides(tuple(Ended(side, kinds.get(winner, Result.PLAYER)) for side, winner in pairs))
    seats = [tuple(card for card in hand.cards_of(seat) if card) for seat in game.seats]
    if hand.source is Source.BLIND or any(len(cards) < game.initial for cards in seats):
        return None
    return SettleBets(Final.of(outcome, *seats))


def _post(table: Table, hand: Hand | None, outcome: Done, act: str) -> None:
    table.bank = outcome.bank
    bank = outcome.bank
    table.tell(
        FactName.BANK_MOVED,
        hand,
        audience=Audience.PIT,
        act=act,
        stage=bank.stage,
        banker=bank.banker,
        sum=bank.sum,
        covered=bank.covered,
        entries=outcome.entries,
        by=table.item.by,
    )
