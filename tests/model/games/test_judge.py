"""The judge of chemin de fer and banque, card for card against the fold told from the texts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations, product

import pytest

from controller.core.cards import Seat
from controller.core.games import GAMES, NO_THIRD, banque, chemin_de_fer
from controller.core.games.banque import FOSTER, LAS_VEGAS, BankerNatural, FiveRule
from controller.core.games.chemin_de_fer import MORE_OPTIONAL_CELLS, OPTIONAL_CELLS, BankerTable
from controller.core.judge import judge
from controller.core.judgement import Judgement, Next, Terms
from tests.oracle import old_games as oracle
from tests.oracle.old_games import Rules, Told, laid, tell

LAW = judge.__wrapped__  # hands hardly repeat: no cache
VALUES = range(10)
FOUR_CELLS = (*OPTIONAL_CELLS, *MORE_OPTIONAL_CELLS)
CHEMIN = {
    "chemin_free": (GAMES["chemin_free"], oracle.RULES["chemin_free"]),
    "chemin_tableau": (GAMES["chemin_tableau"], oracle.RULES["chemin_tableau"]),
    "chemin_tableau_no_option": (GAMES["chemin_tableau_no_option"], oracle.RULES["chemin_tableau_no_option"]),
    "four optional cells": (
        chemin_de_fer(BankerTable.TABLEAU, FOUR_CELLS),
        oracle.chemin_tableau((point, "-" if third == NO_THIRD else third) for point, third in FOUR_CELLS),
    ),
}
BANQUE = {
    "foster": (GAMES["foster"], oracle.RULES["foster"]),
    "las_vegas": (GAMES["las_vegas"], oracle.RULES["las_vegas"]),
    "foster under the club's law": (
        banque(replace(FOSTER, five_rule=FiveRule.CLUB_LAW)),
        replace(oracle.FOSTER, five="club_law"),
    ),
    "las_vegas, five as advice": (
        banque(replace(LAS_VEGAS, five_rule=FiveRule.ADVICE)),
        replace(oracle.LAS_VEGAS, five="advice"),
    ),
    "las_vegas, the banker's natural wins": (
        banque(replace(LAS_VEGAS, banker_natural=BankerNatural.WINS)),
        replace(oracle.LAS_VEGAS, banker_natural="wins"),
    ),
}
ALL = {**CHEMIN, **BANQUE}
EVERY = pytest.mark.parametrize("name", ALL)
WORD = {Next.CARD: "must", Next.CHOICE: "may"}
SEATS = {seat.value: seat for seat in Seat}


def said(judgement: Judgement, rules: Rules) -> tuple:
    """The judge's word in the fold's form: next, over, faults, owed, points, sides."""
    step = judgement.step
    return (
        (step.seat.value, WORD[step.next]) if step.next in WORD else None,
        step.next is Next.OVER,
        [(one.kind, one.seat and one.seat.value) for one in judgement.irregularities],
        [(one.kind, one.seat and one.seat.value) for one in judgement.owed],
        judgement.result and judgement.result.value,
        judgement.counted and judgement.counted.value,
    )


def expected(told: Told) -> tuple:
    return (
        told.next[0] if told.next else None,
        told.over,
        [fault[:2] for fault in told.faults],
        [fault[:2] for fault in told.owed],
        called(told.sides, told),
        called(told.counted, told),
    )


def called(sides: dict[str, str | None], told: Told) -> str | None:
    """As results are called: the winner on the right, then on the left; "void" where a side refused."""
    if any(kind == "incomplete-hand" for kind, *_ in told.owed):
        return None
    return "/".join(won or "void" for won in sides.values())


def agree(game, rules: Rules, dealt: Iterable, terms: oracle.Terms = oracle.PLAIN) -> None:
    cards = tuple(dealt)
    ruled = Terms(*(frozenset(SEATS[seat] for seat in seats) for seats in as_ruled(rules, cards, terms)))
    judgement = LAW(game, tuple((SEATS.get(seat), value) for seat, value in cards), ruled)
    told = tell(rules, cards, terms)
    assert said(judgement, rules) == expected(told), (cards, terms)
    if told.owed[:1] != (("incomplete-hand", None, ""),):
        assert dict(zip([seat.value for seat in game.seats], judgement.totals, strict=True)) == told.points, cards


def as_ruled(rules: Rules, cards: tuple, terms: oracle.Terms) -> tuple:
    """The judge's terms: a liar is barred by the ruling, which looks at his point (IR-10)."""
    nought = {seat for seat in terms.liars if sum([v for s, v in cards if s == seat][:2]) % 10 == 0}
    return terms.one_card, terms.two_tens, terms.liars - nought, terms.refused


def points(totals: tuple[int, ...]) -> tuple[int, ...]:
    """The plainest first cards, by value in dealing order, that give the seats these points."""
    return (*[0] * len(totals), *totals)


def orders(rules: Rules, most: int) -> Iterator[tuple[str | None, ...]]:
    """Every order in which up to so many seats take one third card each."""
    for length in range(most + 1):
        yield from permutations(rules.turns, length)


def every_hand(rules: Rules, values: Iterable[int]) -> Iterator[tuple]:
    """Every point of each hand, every order of third cards, each with every one of these values."""
    seats = len(rules.turns)
    for totals in product(VALUES, repeat=seats):
        first = laid(rules, points(totals))
        for order in orders(rules, seats):
            for thirds in product(values, repeat=len(order)):
                yield (*first, *zip(order, thirds, strict=True))


def any_hand(chance: random.Random, rules: Rules) -> tuple:
    """Any cards: third cards to any seat, more than one, or to none."""
    first = laid(rules, [chance.randrange(10) for _ in rules.deal])
    later = [chance.choice((*rules.turns, *rules.turns, None)) for _ in range(chance.randrange(6))]
    return (*first, *((seat, chance.randrange(10)) for seat in later))


@pytest.mark.parametrize("name", CHEMIN)
def test_each_point_and_each_third_card_of_chemin_de_fer_is_judged_as_the_texts_have_it(name):
    """rules.md A.4, A.5: 100 pairs of points, every order and value of third cards."""
    game, rules = CHEMIN[name]
    for dealt in every_hand(rules, VALUES):
        agree(game, rules, dealt)


@pytest.mark.parametrize("name", BANQUE)
def test_each_point_of_the_three_hands_of_banque_is_judged_as_the_texts_have_it(name):
    """rules.md B.5: 1,000 points of three hands, every order of third cards, their values by chance."""
    game, rules = BANQUE[name]
    chance = random.Random(35)
    for totals in product(VALUES, repeat=3):
        for order in orders(rules, 3):
            thirds = [(seat, chance.randrange(10)) for seat in order]
            agree(game, rules, laid(rules, points(totals), *thirds))


@EVERY
def test_cards_by_chance_are_judged_as_the_texts_have_them(name):
    """rules.md A.5, R-000-40: any first cards, then cards to any seat, to one seat twice, or to nobody."""
    game, rules = ALL[name]
    chance = random.Random(40)
    for _ in range(3_000):
        agree(game, rules, any_hand(chance, rules))


@EVERY
def test_a_hand_is_judged_as_it_grows(name):
    """R-002-12, R-000-04, R-004-07: each card has its seat before it comes."""
    game, rules = ALL[name]
    chance = random.Random(12)
    for _ in range(300):
        dealt = any_hand(chance, rules)
        for length in range(len(dealt) + 1):
            agree(game, rules, dealt[:length])


@EVERY
def test_first_cards_in_another_order_are_told(name):
    """R-002-12, R-000-04: two cards each, but dealt around wrongly."""
    game, rules = ALL[name]
    chance = random.Random(4)
    for order in sorted(set(permutations(rules.deal))):
        thirds = [(seat, chance.randrange(10)) for seat in rules.turns[: chance.randrange(3)]]
        agree(game, rules, (*((seat, chance.randrange(10)) for seat in order), *thirds))


def terms_by_chance(chance: random.Random, rules: Rules) -> oracle.Terms:
    """Rulings of B.4: the banker's hand put right, a player who lied, a side that gave up."""
    return chance.choice(
        (
            oracle.Terms(one_card=frozenset({"banker"})),
            oracle.Terms(two_tens=frozenset({"banker"})),
            oracle.Terms(liars=frozenset({chance.choice(rules.players)})),
            oracle.Terms(refused=frozenset({chance.choice(rules.players)})),
            oracle.Terms(one_card=frozenset({"banker"}), refused=frozenset({chance.choice(rules.players)})),
        )
    )


def dealt_on_terms(chance: random.Random, rules: Rules, terms: oracle.Terms) -> tuple:
    """As many first cards as the ruling leaves each seat, then third cards."""
    left = {seat: 1 if seat in terms.one_card else 0 if seat in terms.two_tens else 2 for seat in rules.turns}
    seats = [seat for place, seat in enumerate(rules.deal) if rules.deal[:place].count(seat) < left[seat]]
    first = [(seat, chance.randrange(10)) for seat in seats]
    takers = [seat for seat in rules.turns if seat not in terms.refused]
    later = chance.sample(takers, chance.randrange(len(takers) + 1))
    return (*first, *((seat, chance.randrange(10)) for seat in later))


@pytest.mark.parametrize("name", BANQUE)
def test_hands_on_terms_are_judged_as_the_texts_have_them(name):
    """IR-05, IR-06, IR-08, IR-09, IR-10."""
    game, rules = BANQUE[name]
    chance = random.Random(8)
    for _ in range(4_000):
        terms = terms_by_chance(chance, rules)
        agree(game, rules, dealt_on_terms(chance, rules, terms), terms)


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", CHEMIN)
def test_every_value_sequence_of_chemin_de_fer_is_judged_as_the_texts_have_it(name):
    """trust.md T1: 10,000 deals of four cards, and after each every order and value of third cards."""
    game, rules = CHEMIN[name]
    for values in product(VALUES, repeat=4):
        first = laid(rules, values)
        for order in orders(rules, 2):
            for thirds in product(VALUES, repeat=len(order)):
                agree(game, rules, (*first, *zip(order, thirds, strict=True)))


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", BANQUE)
def test_every_point_and_order_of_banque_is_judged_as_the_texts_have_it(name):
    """trust.md T1: 1,000 points of three hands, every order of third cards, five values of each."""
    game, rules = BANQUE[name]
    for dealt in every_hand(rules, (0, 1, 4, 8, 9)):
        agree(game, rules, dealt)
