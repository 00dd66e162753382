"""Houses by chance, and the oracle of each: what the property test of money plays with."""

from __future__ import annotations

from hypothesis import strategies as st

from controller.core.bank import Banco, Favour, Holds, Money, RakeOn, Suivi, Terms, Ties, spots
from controller.core.bank.bets import COMMISSION, DRAGON_7, PAIRS, PANDA_8, SUPER_6
from controller.core.cards import Seat
from tests.core.bank.oracle import Casino

SIDES = {Holds.PASSES: (Seat.PUNTER,), Holds.STAYS: (Seat.RIGHT, Seat.LEFT), Holds.HOUSE: ()}
BETS = (*COMMISSION, DRAGON_7, PANDA_8, SUPER_6, *PAIRS)


@st.composite
def houses(draw: st.DrawFn, holds: Holds) -> Terms:
    house = holds is Holds.HOUSE
    return Terms(
        money=Money.FULL if house else draw(st.sampled_from([Money.BANK, Money.FULL])),
        holds=holds,
        sides=SIDES[holds],
        places=6,
        limited=draw(st.booleans()),
        rake_bp=draw(st.sampled_from([0, 125, 500, 3333])),
        rake_on=draw(st.sampled_from(RakeOn)),
        odd_unit=draw(st.sampled_from(Favour)),
        ties=draw(st.sampled_from(Ties)),
        claims=draw(st.sampled_from([tuple(Banco), (Banco.BANCO,), ()])),
        claims_from=draw(st.sampled_from([Seat.RIGHT, Seat.LEFT])),
        suivi=draw(st.sampled_from(Suivi)),
        reopens=draw(st.sampled_from([(), ("R-000-13",)])),
        a_cheval=holds is Holds.STAYS and draw(st.booleans()),
        bets=BETS if house else (),
    )


def casino(terms: Terms) -> Casino:
    return Casino(
        kind=terms.holds.value,
        money=terms.money.value,
        places=terms.places,
        limited=terms.limited,
        rake_bp=terms.rake_bp,
        rake_on=terms.rake_on.value,
        odd=terms.odd_unit.value,
        ties=terms.ties.value,
        claims={kind.value for kind in terms.claims},
        from_left=terms.claims_from is Seat.LEFT,
        suivi_first=terms.suivi is Suivi.FIRST,
        reopens=terms.reopens,
        spots=spots(terms),
    )
