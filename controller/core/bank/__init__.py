"""The bank of a table: who holds it, what lies against it, and every movement of money, in whole minor units.

A table with ``terms.money`` off has no bank: `opened` gives None and nothing else of this is called. Otherwise it
keeps one `Bank`, a frozen value of plain parts that a snapshot can hold, and changes it by `apply` alone::

    bank = opened(terms)                                     # or opened(terms, (1, 2, 5)): the occupied places
    outcome = apply(terms, bank, ShowBank(10_000))           # Done(bank, entries) | Refused(why, rule)
    ... SetStake | SetCover | CallBanco                      # while stakes are open
    ... CloseStakes()                                        # the first card of the coup is out
    ... ReopenStakes("R-000-13"), changes, CloseStakes()     # where a ruling lets bets be amended
    ... SettleSides((Ended(Seat.PUNTER, Result.of(call)),))  # the coup is settled; or SettleBets(Final.of(...))
    bank.stage, bank.banker, bank.sum, bank.holders, speaker(terms, bank)  # who is next, and at what

After a coup the stage is OPEN (the bank goes on with what stands in it) or AWAITING (a new sum is owed, by
``bank.banker``). A passed bank is PASSING until `TakeBank` or `NobodyTakes`. A refusal leaves the bank as it is;
its ``why`` is the id of a sentence, its ``rule`` the id of the rule. ``entries`` are for the journal: posting them
gives ``bank.accounts``, whose sum is always 0.

Ready houses are CHEMIN, BANQUE_LIMITED, BANQUE_OPEN and BANQUE_VEGAS in `terms`, and the layouts COMMISSION,
COMMISSION_FREE, EZ and PAIRS in `bets`; every one of their fields is a house's to change.

Rounding: a part smaller than one unit goes where ``terms.odd_unit`` says, by default to the player, so that the
house's rake and commission are rounded down.
"""

from controller.core.bank.acts import (
    BankAct,
    BankCommand,
    CallBanco,
    CloseStakes,
    DeclineBank,
    Done,
    Ended,
    LeavePlace,
    NobodyTakes,
    Outcome,
    PassBank,
    Penalise,
    Readmit,
    Refusal,
    Refused,
    ReopenStakes,
    Result,
    SetCover,
    SetStake,
    SettleBets,
    SettleSides,
    ShowBank,
    Sit,
    TakeBank,
    WithdrawBanco,
)
from controller.core.bank.applying import apply, opened
from controller.core.bank.bets import Bet, Clause, Final, Pair
from controller.core.bank.correcting import owed, resettled, settled
from controller.core.bank.ledger import Account, Entry, Why
from controller.core.bank.order import callers, preferred, speaker
from controller.core.bank.staking import A_CHEVAL, spots
from controller.core.bank.state import NOBODY, Bank, Breach, Claim, Holder, Stage, Stake
from controller.core.bank.terms import Banco, Favour, Holds, Money, RakeOn, Suivi, Terms, Ties

__all__ = [
    "A_CHEVAL",
    "NOBODY",
    "Account",
    "Banco",
    "Bank",
    "BankAct",
    "BankCommand",
    "Bet",
    "Breach",
    "CallBanco",
    "Claim",
    "Clause",
    "CloseStakes",
    "DeclineBank",
    "Done",
    "Ended",
    "Entry",
    "Favour",
    "Final",
    "Holder",
    "Holds",
    "LeavePlace",
    "Money",
    "NobodyTakes",
    "Outcome",
    "Pair",
    "PassBank",
    "Penalise",
    "RakeOn",
    "Readmit",
    "Refusal",
    "Refused",
    "ReopenStakes",
    "Result",
    "SetCover",
    "SetStake",
    "SettleBets",
    "SettleSides",
    "ShowBank",
    "Sit",
    "Stage",
    "Stake",
    "Suivi",
    "TakeBank",
    "Terms",
    "Ties",
    "Why",
    "WithdrawBanco",
    "apply",
    "callers",
    "opened",
    "owed",
    "preferred",
    "resettled",
    "settled",
    "speaker",
    "spots",
]
