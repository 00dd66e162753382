"""A counter to play acts at: short names for what the tests of the bank do over and over."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.core.bank import (
    Bank,
    CloseStakes,
    Done,
    Ended,
    Entry,
    Refused,
    Result,
    SettleSides,
    Terms,
    apply,
    opened,
)
from controller.core.bank.acts import BankAct
from controller.core.bank.ledger import balance
from controller.core.cards import Seat


@dataclass
class Counter:
    """A bank that is changed by acts, each of which must be done unless it is asked to be refused."""

    terms: Terms
    places: tuple[int, ...] = ()
    bank: Bank = field(init=False)
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        bank = opened(self.terms, self.places)
        assert bank is not None
        self.bank = bank

    def do(self, *acts: BankAct) -> Counter:
        for act in acts:
            outcome = apply(self.terms, self.bank, act)
            assert isinstance(outcome, Done), (act, outcome)
            self.bank = outcome.bank
            self.entries += outcome.entries
        return self

    def refused(self, act: BankAct) -> tuple[str, str]:
        outcome = apply(self.terms, self.bank, act)
        assert isinstance(outcome, Refused), outcome
        return outcome.why.value, outcome.rule

    def coup(self, result: str) -> Counter:
        return self.do(CloseStakes(), SettleSides((Ended(Seat.PUNTER, Result(result)),)))

    def coups(self, right: str, left: str) -> Counter:
        ends = (Ended(Seat.RIGHT, Result(right)), Ended(Seat.LEFT, Result(left)))
        return self.do(CloseStakes(), SettleSides(ends))

    def has(self, account: str) -> int:
        return balance(self.bank.accounts, account)

    def reasons(self) -> list[str]:
        return [entry.why.value for entry in self.entries]
