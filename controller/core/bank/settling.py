"""A coup against a banker: who wins what, what rides, the rake, and who holds the bank and the cards next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.core.bank.acts import Done, Ended, Outcome, Refusal, Refused, Result, SettleSides
from controller.core.bank.ledger import BANK, RAKE, STAKES, Entries, Why, account, moved
from controller.core.bank.order import beyond, held, next_banked, side_of
from controller.core.bank.staking import A_CHEVAL, covers_whole
from controller.core.bank.state import NOBODY, Bank, Claim, Holder, Stage, Stake, cleared
from controller.core.bank.terms import WHOLE_BP, Holds, RakeOn, Terms, Ties, house_part, player_part

SCORES = {Result.PLAYER: 1, Result.BANKER: -1}  # of the punters
NULL = (Result.VOID, Result.REFUSED)
Results = dict[str, Result]  # by side


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a coup did to one stake: what the bank wins of it, what it pays on it, and what abides the next hand."""

    stake: Stake
    lost: int = 0
    won: int = 0
    rides: int = 0

    @property
    def returned(self) -> int:
        """What goes back to the punter of his own."""
        return self.stake.amount - self.lost - self.rides


def settle_sides(terms: Terms, bank: Bank, act: SettleSides) -> Outcome:
    """Settle each side with the banker apart (R-000-43, 44)."""
    if not _lawful(terms, act.ends):
        return Refused(Refusal.BAD_ENDS)
    results = {end.side.value: end.result for end in act.ends}
    verdicts = tuple(_verdict(terms, results, stake) for stake in bank.stakes)
    entries = _movements(terms, bank, verdicts)
    riding = tuple(replace(one.stake, amount=one.rides, riding=one.rides) for one in verdicts if one.rides)
    settled = replace(bank.post(entries), stakes=riding, amended=False, coup=bank.coup + 1)
    claim = bank.claim if bank.claim and any(stake.who == bank.claim.place for stake in riding) else None
    settled = replace(settled, claim=claim, suivi=_suivi(terms, bank, results, claim))
    following, more = _following(terms, settled, results)
    return Done(following, entries + more)


def _lawful(terms: Terms, ends: tuple[Ended, ...]) -> bool:
    refusable = len(terms.sides) > 1  # with one hand against him nobody binds a side (R-000-15)
    sides = [end.side for end in ends]
    return sorted(side.value for side in sides) == sorted(side.value for side in terms.sides) and (
        refusable or all(end.result is not Result.REFUSED for end in ends)
    )


def _verdict(terms: Terms, results: Results, stake: Stake) -> Verdict:
    mine = list(results.values()) if stake.on == A_CHEVAL else [results[stake.on]]
    score = sum(SCORES.get(result, 0) for result in mine)
    if score > 0:
        return Verdict(stake, won=player_part(stake.amount, score, len(mine), terms.odd_unit))
    if score < 0:
        return Verdict(stake, lost=house_part(stake.amount, -score, len(mine), terms.odd_unit))
    rides = terms.ties is Ties.RIDE and not any(result in NULL for result in mine)
    return Verdict(stake, rides=stake.amount if rides else 0)


def _movements(terms: Terms, bank: Bank, verdicts: tuple[Verdict, ...]) -> Entries:
    lost, won = sum(one.lost for one in verdicts), sum(one.won for one in verdicts)
    rake = _rake(terms, verdicts)
    short = max(0, won + rake - lost - bank.sum)
    assert not (short and terms.limited), "stakes were cut back to the bank"
    entries = sum((moved(STAKES, BANK, one.lost, Why.LOST) for one in verdicts), ())
    entries += moved(account(bank.banker), BANK, short, Why.MADE_GOOD)
    for one in verdicts:
        entries += moved(BANK, account(one.stake.who), one.won, Why.WON)
    entries += moved(BANK, RAKE, rake, Why.RAKED)
    for one in verdicts:
        entries += moved(STAKES, account(one.stake.who), one.returned, Why.RETURNED)
    return entries


def _rake(terms: Terms, verdicts: tuple[Verdict, ...]) -> int:
    """Return the house's part of what the banker won: of the coup, or of each side by itself."""
    wins: dict[str, int] = {}
    for one in verdicts:
        heap = "" if terms.rake_on is RakeOn.NET else one.stake.on
        wins[heap] = wins.get(heap, 0) + one.lost - one.won
    return sum(house_part(win, terms.rake_bp, WHOLE_BP, terms.odd_unit) for win in wins.values() if win > 0)


def _suivi(terms: Terms, bank: Bank, results: Results, riding: Claim | None) -> int:
    """Return the place that may go bank again: who went bank and lost (R-003-15); a null coup changes nothing."""
    claimant = bank.claim.place if bank.claim else NOBODY
    mine = results[side_of(terms, claimant).value] if claimant else None
    null = mine in NULL if claimant else all(result in NULL for result in results.values())
    if null or riding:
        return bank.suivi
    return claimant if covers_whole(bank) and mine is Result.BANKER else NOBODY


def _following(terms: Terms, bank: Bank, results: Results) -> tuple[Bank, Entries]:
    """Return who holds bank and cards next, and what goes back to a banker who does not."""
    if terms.holds is Holds.STAYS:
        stage = Stage.OPEN if bank.sum else Stage.AWAITING
        return held(terms, replace(_moved_seats(terms, bank, results), stage=stage)), ()
    if Result.PLAYER in results.values() or bank.banker in bank.barred:
        return retired(bank)
    return replace(bank, stage=Stage.OPEN), ()  # A15: a tie leaves him the deal too


def retired(bank: Bank) -> tuple[Bank, Entries]:
    """Return the bank in the next player's hands, what stood in it with the one before, and no stake on the table."""
    bank, back = cleared(bank)
    entries = moved(BANK, account(bank.banker), bank.sum, Why.RETIRED)
    return next_banked(replace(bank.post(entries), stage=Stage.AWAITING)), back + entries


def _moved_seats(terms: Terms, bank: Bank, results: Results) -> Bank:
    """Return the bank with the cards one place on where a side lost (R-000-52..55); a tie moves none (A11)."""
    return replace(
        bank,
        holders=tuple(
            Holder(one.side, beyond(terms, bank, one.side, one.place))
            if results[one.side.value] is Result.BANKER
            else one
            for one in bank.holders
        ),
    )
