"""How often each bet wins, exactly: ordered six-card deals of 8 and 6 decks (rules.md C.2)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from controller.core.bank.bets import PREDICATES, Final, Pair
from controller.core.cards import DECK, Card
from controller.core.signals import Call
from tests.oracle.punto_banco import banker_draws, player_draws, winner

DEALS = {8: 4_998_398_275_503_360, 6: 878_869_206_895_680}
WEIGHTS = {
    8: {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
        "dragon-7": 112_633_011_329_024,
        "panda-8": 172_660_763_262_976,
        "super-6": 269_232_304_455_680,
    },
    6: {
        "banker": 403_095_751_234_560,
        "player": 392_220_492_728_832,
        "tie": 83_552_962_932_288,
        "dragon-7": 19_805_383_926_144,
        "panda-8": 30_352_294_536_192,
        "super-6": 47_322_230_031_360,
    },
}
PAIRS = {
    8: {
        "player-pair": Fraction(31, 415),
        "banker-pair": Fraction(31, 415),
        "either-pair": Fraction(340_163, 2_365_251),
        "perfect-pair": Fraction(56_513, 1_689_465),
    },
    6: {
        "player-pair": Fraction(23, 311),
        "banker-pair": Fraction(23, 311),
        "either-pair": Fraction(707_227, 4_965_115),
        "perfect-pair": Fraction(31_673, 993_023),
    },
}
ONE_SIDE_SUITED = {8: Fraction(7, 415), 6: Fraction(5, 311)}


@cache
def ends(decks: int) -> Counter[Final]:
    """Every end of a coup with the number of ordered six-card deals that come to it, by classes of value."""
    left = [16 * decks] + [4 * decks] * 9
    found: Counter[Final] = Counter()

    def deal(p: list[int], b: list[int], weight: int, out: int) -> None:
        seat = _next(p, b)
        if seat is None:
            for gone in range(out, 6):
                weight *= 52 * decks - gone
            result = Call(winner(p, b))
            found[Final(result, sum(p) % 10, sum(b) % 10, len(p), len(b))] += weight
            return
        for value in range(10):
            if copies := left[value]:
                left[value] -= 1
                seat.append(value)
                deal(p, b, weight * copies, out + 1)
                seat.pop()
                left[value] += 1

    deal([], [], 1, 0)
    return found


def _next(p: list[int], b: list[int]) -> list[int] | None:
    """The hand that the next card is for."""
    if len(b) < 2:
        return p if len(p) == len(b) else b
    if len(p) == len(b) == 2:
        if max(sum(p) % 10, sum(b) % 10) >= 8:
            return None
        if player_draws(sum(p) % 10):
            return p
    third = p[2] if len(p) == 3 else None
    return b if len(b) == 2 and banker_draws(sum(b) % 10, third) else None


@cache
def pairs(decks: int) -> Counter[tuple[Pair, Pair]]:
    """Pairs of both sides by the faces of the first four cards; the very first is an ace of spades, all are alike."""
    found: Counter[tuple[Pair, Pair]] = Counter()
    first = Card.parse("AS")
    kinds = [[Pair.of(one, other) for other in DECK] for one in DECK]
    of_first = [Pair.of(first, other) for other in DECK]
    left = [decks - (card == first) for card in DECK]
    for p2, b1 in product(range(52), repeat=2):
        two = left[p2]
        left[p2] -= 1
        three = left[b1]
        left[b1] -= 1
        for b2 in range(52):
            found[of_first[p2], kinds[b1][b2]] += two * three * left[b2]
        left[b1] += 1
        left[p2] += 1
    return found


@pytest.mark.parametrize("decks", [8, 6])
def test_every_ordered_deal_is_counted_once(decks: int):
    """rules.md C.2, total."""
    assert ends(decks).total() == DEALS[decks]


@pytest.mark.parametrize(("decks", "bet"), [(decks, bet) for decks, bets in WEIGHTS.items() for bet in bets])
def test_a_bet_wins_in_exactly_as_many_deals_as_the_rules_say(decks: int, bet: str):
    """rules.md C.2: Dragon 7, Panda 8, Banker wins with 6, and the results themselves."""
    wins = sum(weight for end, weight in ends(decks).items() if PREDICATES[bet](end))
    assert wins == WEIGHTS[decks][bet]


@pytest.mark.parametrize(("decks", "bet"), [(decks, bet) for decks, bets in PAIRS.items() for bet in bets])
def test_a_pair_comes_exactly_as_often_as_the_rules_say(decks: int, bet: str):
    """rules.md C.2: pair of one side, either pair, either suited pair."""
    found = pairs(decks)
    wins = sum(
        weight
        for (player, banker), weight in found.items()
        if PREDICATES[bet](Final(Call.TIE, 0, 0, 2, 2, player, banker))
    )
    assert Fraction(wins, found.total()) == PAIRS[decks][bet]


@pytest.mark.parametrize("decks", [8, 6])
def test_a_suited_pair_of_one_side_comes_exactly_as_often_as_the_rules_say(decks: int):
    """rules.md C.2: suited pair, one side."""
    found = pairs(decks)
    wins = sum(weight for (player, _), weight in found.items() if player is Pair.PERFECT)
    assert Fraction(wins, found.total()) == ONE_SIDE_SUITED[decks]


@pytest.mark.parametrize(("count", "decks", "weight"), [(2, 8, 186_173_936_904_192), (3, 8, 83_058_367_551_488)])
def test_a_win_with_6_parts_into_two_and_three_cards(count: int, decks: int, weight: int):
    """rules.md C.2: on two cards, on three cards."""
    found = ends(decks).items()
    assert sum(w for end, w in found if PREDICATES["super-6"](end) and end.banker_count == count) == weight
