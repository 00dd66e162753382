"""What can be done about money, and what comes of it. A refusal is an answer and changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.bank.bets import Final
from controller.core.bank.ledger import Entries
from controller.core.bank.state import Bank
from controller.core.bank.terms import Banco
from controller.core.cards import Seat
from controller.core.sanctions import Sanction
from controller.core.signals import Call


class Result(Enum):
    """How a coup ended for one side: what the shoe or a person calls, or what only a ruling can say."""

    PLAYER = "player"  # the punters' hand won
    BANKER = "banker"
    TIE = "tie"
    VOID = "void"  # the coup is null for everybody
    REFUSED = "refused"  # the holder refused to play it: it is null for his side (R-000-14..16)

    @classmethod
    def of(cls, call: Call) -> Result:
        """Return what a call means for money; a forced end is void."""
        return cls.VOID if call is Call.FORCED_END else cls(call.value)


@dataclass(frozen=True, slots=True)
class ShowBank:
    """The banker shows the sum he risks (R-002-07); shown again, it is the whole sum, with what he adds."""

    amount: int


@dataclass(frozen=True, slots=True)
class DeclineBank:
    """The player to whom the cards came does not want the bank."""


@dataclass(frozen=True, slots=True)
class PassBank:
    """The banker retires (R-003-11)."""


@dataclass(frozen=True, slots=True)
class TakeBank:
    """A player takes a passed bank at the sum it stood at; those before him in rotation have declined (R-003-12)."""

    place: int
    amount: int


@dataclass(frozen=True, slots=True)
class NobodyTakes:
    """Nobody wants a passed bank at its sum (R-003-13)."""


@dataclass(frozen=True, slots=True)
class SetStake:
    """A player has ``amount`` on ``on`` from now on; 0 takes it back. Numbers above the places are people who stand."""

    who: int
    on: str
    amount: int


@dataclass(frozen=True, slots=True)
class SetCover:
    """The punters together have ``amount`` on a side, where single stakes are not kept."""

    on: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class CallBanco:
    """A player covers the bank. A nearer player's call goes before it until the stakes are closed."""

    place: int
    claim: Banco = Banco.BANCO


@dataclass(frozen=True, slots=True)
class WithdrawBanco:
    """The call did not hold after all."""


@dataclass(frozen=True, slots=True)
class CloseStakes:
    """The first card is out (R-000-07), or reopened stakes are made."""


@dataclass(frozen=True, slots=True)
class ReopenStakes:
    """A ruling lets bets be changed or withdrawn; ``rule`` is the one it rests on."""

    rule: str


@dataclass(frozen=True, slots=True)
class Ended:
    """How the coup ended for one side."""

    side: Seat
    result: Result


@dataclass(frozen=True, slots=True)
class SettleSides:
    """The coup is over where there is a banker: one end for each side."""

    ends: tuple[Ended, ...]


@dataclass(frozen=True, slots=True)
class SettleBets:
    """The coup is over where the house pays."""

    end: Final


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody takes a place."""

    place: int


@dataclass(frozen=True, slots=True)
class LeavePlace:
    """Somebody gives his place up."""

    place: int


@dataclass(frozen=True, slots=True)
class Penalise:
    """A penalty is written against a player; ``rule`` is the one he broke, ``amount`` what the house names."""

    place: int
    penalty: Sanction
    rule: str
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Readmit:
    """A player who was barred may hold cards again."""

    place: int


# What a person may do; the hand itself reopens and settles.
BankCommand = (
    ShowBank
    | DeclineBank
    | PassBank
    | TakeBank
    | NobodyTakes
    | SetStake
    | SetCover
    | CallBanco
    | WithdrawBanco
    | CloseStakes
    | Sit
    | LeavePlace
    | Penalise
    | Readmit
)
BankAct = BankCommand | ReopenStakes | SettleSides | SettleBets


class Refusal(Enum):
    """Why an act was refused; each is the id of a sentence."""

    NOT_KEPT = "bank-not-kept"  # this table keeps no such thing
    BANK_OWED = "bank-owed"  # the banker has shown no sum yet
    BANK_PASSING = "bank-passing"  # it is asked who takes the bank
    BANK_NOT_PASSING = "bank-not-passing"
    BANK_SHOWN = "bank-shown-already"
    STAKES_CLOSED = "stakes-closed"
    STAKES_OPEN = "stakes-open"
    SHOE_FINISHED = "shoe-finished"  # no hand is to follow in it
    STAKES_RIDE = "stakes-ride"
    STAKES_UP = "stakes-up"
    WINNINGS_STAY = "winnings-stay"
    NOT_THE_SUM = "not-the-sum"
    NOT_SEATED = "not-seated"
    SEAT_TAKEN = "seat-taken"
    BANKER_SITS = "banker-sits"
    BARRED = "barred"
    NOT_BARRED = "not-barred"
    NOBODY_MAY = "nobody-may-hold"
    NO_SUCH_BET = "no-such-bet"
    BAD_AMOUNT = "bad-amount"
    OVER_BANK = "over-the-bank"
    BANCO_HELD = "banco-held"
    BANCO_NEARER = "banco-nearer"
    NO_BANCO = "no-banco"
    NO_SUIVI = "no-suivi"
    NOT_REOPENED = "stakes-not-reopened"
    BAD_ENDS = "bad-ends"
    FACES_UNKNOWN = "faces-unknown"
    PENALTY_FORBIDDEN = "penalty-forbidden"


@dataclass(frozen=True, slots=True)
class Done:
    """The bank after an act, and the movements it made."""

    bank: Bank
    entries: Entries = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing changed; ``rule`` is the one that forbids it, empty where it is no rule of the texts."""

    why: Refusal
    rule: str = ""


Outcome = Done | Refused
