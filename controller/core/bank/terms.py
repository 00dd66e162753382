"""What a house has chosen about money at a table, as frozen values. No game is named below this module."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.core.bank.bets import Bet
from controller.core.cards import Seat
from controller.core.sanctions import Sanction


class Money(Enum):
    """How much of the money a table keeps."""

    OFF = "off"  # nothing of it exists
    BANK = "bank"  # the bank, and what the punters cover together
    FULL = "full"  # each stake of each player too


class Holds(Enum):
    """Who holds the bank (D14)."""

    PASSES = "passes"  # a player, until he loses or passes it
    STAYS = "stays"  # one banker; the players' seats move instead
    HOUSE = "house"  # the house pays and takes


class Ties(Enum):
    """What a tie does to stakes (D6)."""

    RIDE = "ride"  # they abide the result of the next hand (R-002-29)
    RETURN = "return"  # a stand-off: bets are free again (R-000-42, R-004-14)


class Favour(Enum):
    """Who gets what is smaller than one minor unit when the house takes its part."""

    PLAYER = "player"  # the house's part is rounded down
    HOUSE = "house"  # the house's part is rounded up


class RakeOn(Enum):
    """What counts as the banker's win of a coup; one side only makes no difference."""

    NET = "net"  # what he won on all sides less what he lost
    SIDE = "side"  # each side he won, by itself


class Banco(Enum):
    """How one player covers the bank."""

    BANCO = "banco"  # all of it (R-002-08)
    SUIVI = "suivi"  # all of it again, after a banco that was lost (R-003-15)
    WITH_TABLE = "with-table"  # half of it, the table the rest (R-FRC-08)


class Suivi(Enum):
    """Whether a suivi goes before a banco; the texts leave it open."""

    FIRST = "first"
    IN_ORDER = "in-order"


LAWFUL_SANCTIONS = (Sanction.BLAME, Sanction.NO_HOLD)  # R-FRC-06 forbids every money penalty
WHOLE_BP = 10_000  # basis points of the whole


@dataclass(frozen=True, slots=True)
class Terms:
    """A house's choices about money; amounts are whole minor units everywhere.

    ``places`` are the seats, counted from the croupier's right where the bank passes; where it stays the first half
    sits on the banker's right and the second on his left, the nearest first. ``rake_bp`` is taken from the banker's
    win. ``claims_from`` is the side of the banker where priority starts (D7). ``reopens`` are the rules under which
    closed stakes open again. Raises ValueError where the choices contradict each other.
    """

    money: Money = Money.OFF
    holds: Holds = Holds.PASSES
    sides: tuple[Seat, ...] = (Seat.PUNTER,)
    places: int = 10
    limited: bool = True  # the punters' stakes may not be over the bank
    rake_bp: int = 500
    rake_on: RakeOn = RakeOn.NET
    odd_unit: Favour = Favour.PLAYER
    ties: Ties = Ties.RIDE
    claims: tuple[Banco, ...] = (Banco.BANCO, Banco.SUIVI, Banco.WITH_TABLE)
    claims_from: Seat = Seat.RIGHT
    suivi: Suivi = Suivi.FIRST
    reopens: tuple[str, ...] = ()
    sanctions: tuple[Sanction, ...] = LAWFUL_SANCTIONS
    a_cheval: bool = False
    bets: tuple[Bet, ...] = ()

    def __post_init__(self) -> None:
        for wrong, sentence in self._contradictions():
            if wrong:
                raise ValueError(sentence)

    def _contradictions(self) -> tuple[tuple[bool, str], ...]:
        house = self.holds is Holds.HOUSE
        return (
            (not 0 <= self.rake_bp <= WHOLE_BP, f"rake_bp is 0 to {WHOLE_BP} basis points, not {self.rake_bp}"),
            (self.places < 2, f"places is 2 or more, not {self.places}"),
            (self.holds is Holds.STAYS and self.places % 2 == 1, "places is even where both sides seat as many"),
            (house and self.money is Money.BANK, "money is off or full where the house pays: there is no bank to keep"),
            (house != (not self.sides), "sides are for a table with a banker, and it has one at least"),
            (house != bool(self.bets), "bets are for a table where the house pays, and it has one at least"),
            (self.holds is Holds.PASSES and len(self.sides) > 1, "a bank passes where one hand plays against it (D14)"),
            (self.a_cheval and len(self.sides) != 2, "a_cheval needs two sides"),
            (self.claims_from not in {Seat.RIGHT, Seat.LEFT}, "claims_from is right or left"),
        )


def house_part(amount: int, part: int, whole: int, odd_unit: Favour) -> int:
    """Return the part of an amount that goes to the house or the bank, in whole units.

    >>> house_part(19, 500, 10_000, Favour.PLAYER), house_part(19, 500, 10_000, Favour.HOUSE)
    (0, 1)
    """
    return amount * part // whole if odd_unit is Favour.PLAYER else -(-amount * part // whole)


def player_part(amount: int, part: int, whole: int, odd_unit: Favour) -> int:
    """Return the part of an amount that goes to a player, in whole units.

    >>> player_part(10, 19, 20, Favour.PLAYER), player_part(10, 19, 20, Favour.HOUSE)
    (10, 9)
    """
    return -(-amount * part // whole) if odd_unit is Favour.PLAYER else amount * part // whole


CHEMIN = Terms(money=Money.BANK)  # R-FRC-05: 5 per cent; D6: S2 and S3
BANQUE_LIMITED = Terms(  # R-FRB-03: 2 per cent; D6: S0; A2: R-000-13 and 18 alone reopen stakes
    money=Money.BANK,
    holds=Holds.STAYS,
    sides=(Seat.RIGHT, Seat.LEFT),
    rake_bp=200,
    ties=Ties.RETURN,
    claims=(),
    reopens=("R-000-13", "R-000-18"),
)
BANQUE_OPEN = Terms(  # R-FRB-03: 1.25 per cent; R-FRB-05: no maximum on punters
    money=Money.BANK,
    holds=Holds.STAYS,
    sides=(Seat.RIGHT, Seat.LEFT),
    limited=False,
    rake_bp=125,
    ties=Ties.RETURN,
    claims=(),
    reopens=("R-000-13", "R-000-18"),
)
BANQUE_VEGAS = Terms(  # R-004-04, 05, 14, 18: S4 names no rake
    money=Money.BANK,
    holds=Holds.STAYS,
    sides=(Seat.RIGHT, Seat.LEFT),
    rake_bp=0,
    ties=Ties.RETURN,
    claims=(Banco.BANCO,),
    claims_from=Seat.LEFT,
    sanctions=(Sanction.LIABLE,),
)
