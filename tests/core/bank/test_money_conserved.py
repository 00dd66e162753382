"""Whatever is done in whatever order, no money comes or goes, and a second telling agrees (rules.md A, B, C.3)."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.core.bank import (
    Banco,
    Bank,
    CallBanco,
    CloseStakes,
    DeclineBank,
    Done,
    Ended,
    Final,
    Holds,
    LeavePlace,
    Money,
    NobodyTakes,
    Pair,
    PassBank,
    Penalise,
    Readmit,
    ReopenStakes,
    Result,
    SetCover,
    SetStake,
    SettleBets,
    SettleSides,
    ShowBank,
    Sit,
    Stage,
    TakeBank,
    WithdrawBanco,
    apply,
    opened,
    owed,
    resettled,
    spots,
)
from controller.core.bank.acts import BankAct
from controller.core.sanctions import Sanction
from controller.core.signals import Call
from tests.core.bank.houses import casino, houses
from tests.core.bank.oracle import Casino

PLACES = st.integers(1, 7)  # six sit, the seventh stands
AMOUNTS = st.integers(0, 400)
ENDS = st.sampled_from(["player", "banker", "banker", "tie", "void", "refused"])


class Evening(RuleBasedStateMachine):
    """A bank and its oracle through the same acts."""

    holds = Holds.PASSES

    @initialize(data=st.data())
    def opens(self, data) -> None:
        self.terms = data.draw(houses(self.holds))
        self.oracle = casino(self.terms)
        bank = opened(self.terms)
        assert bank is not None
        self.bank = bank
        self.moves: Counter[str] = Counter()
        self.last: tuple[Bank, BankAct, Casino] | None = None  # as the stakes of the last coup lay, and its end
        self.since: list[tuple[BankAct, tuple[object, ...]]] = []

    def both(self, act: BankAct, *told: object, **ends: str) -> bool:
        before, told_before = self.bank, deepcopy(self.oracle)
        outcome = apply(self.terms, before, act)
        lawful = self.oracle.settle(**ends) if ends else self.oracle.do(told)
        assert isinstance(outcome, Done) == bool(lawful), (act, outcome)
        if isinstance(outcome, Done):
            self.bank = outcome.bank
            for entry in outcome.entries:
                assert entry.amount > 0
                self.moves[entry.source] -= entry.amount
                self.moves[entry.target] += entry.amount
            if isinstance(act, SettleSides | SettleBets):
                self.last, self.since = (before, act, told_before), []
            else:
                self.since.append((act, told))
        return isinstance(outcome, Done)

    @rule(data=st.data())
    def a_later_word_on_the_last_coup(self, data) -> None:
        """The coup ended otherwise: its money moves as if that had been said at once, or people owe each other."""
        if self.last is None:
            return
        stood, was, oracle = self.last
        now, told, ends = self._some_end(data)
        acts = tuple(act for act, _ in self.since)
        if not isinstance(apply(self.terms, stood, now), Done):
            return
        done = resettled(self.terms, self.bank, stood, was, now, acts)
        if done is None:
            assert self.since
            entries = owed(self.terms, stood, was, now)
            assert all(entry.amount > 0 for entry in entries)
            assert {"bank", "stakes"}.isdisjoint({name for one in entries for name in (one.source, one.target)})
            return
        self.oracle = deepcopy(oracle)
        assert self.oracle.settle(**ends) if ends else self.oracle.do(told)
        assert all(self.oracle.do(again) for _, again in self.since)
        for entry in done.entries:
            self.moves[entry.source] -= entry.amount
            self.moves[entry.target] += entry.amount
        self.bank, self.last = done.bank, (stood, now, oracle)

    @rule(data=st.data())
    def a_coup(self, data) -> None:
        """What happens on most evenings: a sum if one is owed, some stakes or a call, cards, an end."""
        if self.bank.stage is Stage.AWAITING:
            self.shows(data)
        self._stakes_are_made(data)
        if self.terms.reopens and data.draw(st.booleans()):
            self.both(ReopenStakes("R-000-13"), "reopen", "R-000-13")
            self._stakes_are_made(data)
        self.ends(data)

    def _stakes_are_made(self, data) -> None:
        placing = self.covers if self.terms.money is Money.BANK else self.stakes
        for _ in range(data.draw(st.integers(0, 5))):
            data.draw(st.sampled_from([placing, placing, self.says_suivi, self.calls_banco]))(data)
        if self.bank.claim is not None and data.draw(st.integers(0, 5)) == 5:
            self.takes_banco_back(data)
        self.both(CloseStakes(), "close")

    @rule(data=st.data())
    def a_passed_bank(self, data) -> None:
        if self.both(PassBank(), "pass_") and self.terms.holds is Holds.PASSES:
            self.says_suivi(data)
            data.draw(st.sampled_from([self.takes, self.takes, self.nobody_takes]))(data)

    @rule(data=st.data())
    def anything(self, data) -> None:
        data.draw(
            st.sampled_from(
                [
                    self.shows,
                    self.stakes,
                    self.covers,
                    self.calls_banco,
                    self.says_suivi,
                    self.takes_banco_back,
                    self.first_card,
                    self.reopens,
                    self.ends,
                    self.declines,
                    self.passes,
                    self.takes,
                    self.nobody_takes,
                ]
            )
        )(data)

    @rule(data=st.data())
    def somebody_comes(self, data) -> None:
        data.draw(st.sampled_from([self.sits, self.is_readmitted]))(data)

    @rule(data=st.data(), rare=st.integers(0, 5))
    def somebody_goes(self, data, rare: int) -> None:
        if rare == 5:
            data.draw(st.sampled_from([self.leaves, self.is_barred]))(data)

    def shows(self, data) -> None:
        amount = data.draw(AMOUNTS) + data.draw(st.sampled_from([0, self.bank.sum]))
        self.both(ShowBank(amount), "show", amount)

    def stakes(self, data) -> None:
        who, on, amount = data.draw(PLACES), data.draw(st.sampled_from(spots(self.terms))), data.draw(AMOUNTS)
        self.both(SetStake(who, on, amount), "stake", who, on, amount)

    def covers(self, data) -> None:
        if self.terms.sides:
            side, amount = data.draw(st.sampled_from(self.terms.sides)), data.draw(AMOUNTS)
            self.both(SetCover(side, amount), "cover", side.value, amount)

    def calls_banco(self, data) -> None:
        self._calls(data.draw(PLACES), data.draw(st.sampled_from(Banco)))

    def says_suivi(self, data) -> None:
        if self.bank.suivi:
            self._calls(self.bank.suivi, Banco.SUIVI)

    def _calls(self, place: int, kind: Banco) -> None:
        if self.terms.holds is not Holds.HOUSE:
            self.both(CallBanco(place, kind), "banco", place, kind.value)

    def takes_banco_back(self, data) -> None:
        self.both(WithdrawBanco(), "unbanco")

    def first_card(self, data) -> None:
        self.both(CloseStakes(), "close")

    def reopens(self, data) -> None:
        name = data.draw(st.sampled_from(["R-000-13", "R-000-16"]))
        self.both(ReopenStakes(name), "reopen", name)

    def ends(self, data) -> None:
        act, told, words = self._some_end(data)
        self.both(act, *told, **words)

    def _some_end(self, data) -> tuple[BankAct, tuple[object, ...], dict[str, str]]:
        """The act that ends a coup somehow, and what the oracle is told of it."""
        if self.terms.holds is Holds.HOUSE:
            return self._bets_end(data)
        words = {side.value: data.draw(ENDS) for side in self.terms.sides}
        return SettleSides(tuple(Ended(side, Result(words[side.value])) for side in self.terms.sides)), (), words

    def _bets_end(self, data) -> tuple[BankAct, tuple[object, ...], dict[str, str]]:
        call = data.draw(st.sampled_from(Call))
        points = [data.draw(st.sampled_from([5, 6, 7, 8])) for _ in range(2)]
        counts = [data.draw(st.integers(2, 3)) for _ in range(2)]
        pairs = [data.draw(st.sampled_from([Pair.NONE, Pair.RANK, Pair.PERFECT])) for _ in range(2)]
        told = ("finish", call.value, *points, *counts, *(pair.value for pair in pairs))
        return SettleBets(Final(call, *points, *counts, *pairs)), told, {}

    def passes(self, data) -> None:
        self.both(PassBank(), "pass_")

    def takes(self, data) -> None:
        place, amount = data.draw(PLACES), self.bank.passed_at + data.draw(st.sampled_from([0, 0, 0, 1, -1]))
        self.both(TakeBank(place, amount), "take", place, amount)

    def nobody_takes(self, data) -> None:
        self.both(NobodyTakes(), "nobody")

    def declines(self, data) -> None:
        self.both(DeclineBank(), "decline")

    def sits(self, data) -> None:
        place = data.draw(st.sampled_from([one for one in range(1, 8) if one not in self.bank.order]))
        self.both(Sit(place), "sit", place)

    def leaves(self, data) -> None:
        place = data.draw(PLACES)
        self.both(LeavePlace(place), "leave", place)

    def is_barred(self, data) -> None:
        place = data.draw(PLACES)
        self.both(Penalise(place, Sanction.NO_HOLD, "FD-P1"), "bar", place)

    def is_readmitted(self, data) -> None:
        place = data.draw(st.sampled_from(self.bank.barred or (1,)))
        self.both(Readmit(place), "readmit", place)

    @invariant()
    def no_money_comes_or_goes(self) -> None:
        assert sum(one.amount for one in self.bank.accounts) == 0
        moved = {name: amount for name, amount in self.moves.items() if amount}
        assert {one.name: one.amount for one in self.bank.accounts if one.amount} == moved
        assert sum(stake.amount for stake in self.bank.stakes) == self.bank.covered
        assert self.bank.sum >= 0

    @invariant()
    def the_second_telling_agrees(self) -> None:
        chips = {str(name): amount for name, amount in self.oracle.chips.items() if amount}
        ours = {one.name.removeprefix("place:"): one.amount for one in self.bank.accounts if one.amount}
        assert ours == chips
        assert self._laid() == [(key, amount) for key, amount in self.oracle.bets.items() if amount]
        assert (self.bank.claim.place if self.bank.claim else None) == (self.oracle.caller or (None, None))[1]
        assert {one.riding for one in self.bank.stakes} - {0} == set(self.oracle.held.values()) - {0}
        assert self.bank.stage.value == self.oracle.phase
        assert list(self.bank.order) == self.oracle.ring
        assert (self.bank.suivi or None) == self.oracle.again
        assert {holder.side.value: holder.place or None for holder in self.bank.holders} == self.oracle.cards
        if self.terms.holds is Holds.PASSES:
            assert (self.bank.banker or None) == self.oracle.banker

    def _laid(self) -> list[tuple]:
        return [((one.who or "punters", one.on), one.amount) for one in self.bank.stakes if one.amount]


class Staying(Evening):
    holds = Holds.STAYS


class HousePays(Evening):
    holds = Holds.HOUSE


@pytest.mark.parametrize("story", [Evening, Staying, HousePays])
def test_money_is_conserved_and_the_oracle_agrees_in_every_sequence(story: type[Evening]):
    """rules.md A.1..A.3, B.1..B.3, R-PB-07, faults.md A 45: purses, bank, stakes, rake and house never change."""
    case = story.TestCase()
    case.settings = settings(
        max_examples=150, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )
    case.runTest()
