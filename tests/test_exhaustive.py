"""Every value sequence, and every deal of a whole shoe: the judge is right to the integer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from controller.audit.cells import Cells, code_of, points_of
from controller.audit.tables import Outcomes, mismatched
from controller.core.cards import Rank, Seat
from controller.core.games import PUNTO_BANCO
from controller.core.judge import in_order, judge
from controller.core.judgement import Judgement, Next
from controller.core.machine import HandMachine, Phase, Standing, Trigger
from tests.oracle import punto_banco as oracle

LAW = judge.__wrapped__  # each sequence is asked once: no cache
VALUES = range(10)
P, B = Seat.PLAYER, Seat.BANKER

# trust.md 5.1
SORTS = {
    (4, "lawful"): 4_000,
    (4, "too few"): 1_200,
    (4, "unfinished"): 4_800,
    (5, "lawful"): 29_400,
    (5, "too many"): 40_000,
    (5, "too few"): 30_600,
    (6, "lawful"): 306_000,
    (6, "too many"): 694_000,
}


BY_PHASE = {
    (Phase.COMPLETE, None): "lawful",
    (Phase.SUSPENDED, None): "too many",
    (Phase.DRAWING, P): "unfinished",
    (Phase.DRAWING, B): "too few",
}


def walk(values: tuple[int, ...], dealt: tuple, found: dict) -> None:
    """Deal every hand that begins with these cards, each card to the seat that the judge names."""
    judgement = LAW(PUNTO_BANCO, dealt)
    if len(values) >= 4:
        found[values] = judgement
    if judgement.step.next is Next.OVER:
        return
    assert judgement.step.next is Next.CARD, values
    for value in VALUES:
        walk((*values, value), (*dealt, (judgement.step.seat, value)), found)


@pytest.fixture(scope="module")
def dealt() -> dict[tuple[int, ...], Judgement]:
    """The judge's word on every hand that it lets be dealt, lawful ones and those that still wait for a card."""
    found: dict[tuple[int, ...], Judgement] = {}
    walk((), (), found)
    return found


@pytest.fixture(scope="module")
def lawful(dealt) -> list[tuple[tuple[int, ...], Judgement]]:
    return [(values, judgement) for values, judgement in dealt.items() if judgement.step.next is Next.OVER]


def sort_by_judge(values: tuple[int, ...], dealt: dict[tuple[int, ...], Judgement]) -> str:
    judgement = dealt.get(values)
    if judgement is None:
        return "too many"
    if judgement.step.next is Next.OVER:
        return "lawful"
    return "unfinished" if judgement.step.seat is P else "too few"


def test_all_1_110_000_value_sequences_of_four_to_six_cards_are_classed_as_the_oracle_classes_them(dealt):
    """trust.md T1 and 5.1."""
    counted: Counter[tuple[int, str]] = Counter()
    for length in (4, 5, 6):
        for values in product(VALUES, repeat=length):
            said = sort_by_judge(values, dealt)
            assert said == oracle.sort_of(values), values
            counted[length, said] += 1
    assert counted == SORTS


def sorts_by_machine(machine: HandMachine, found: dict, values: tuple[int, ...] = (), dealt: tuple = ()) -> Counter:
    """Fire the machine for every card of every sequence up to six cards, and sort each by the phase alone."""
    before, sorts = machine.phase, Counter()
    for value in VALUES:
        step = (found.get(values) or LAW(PUNTO_BANCO, dealt)).step
        laid = (*dealt, (step.seat if step.next is Next.CARD else None, value))
        after = (*values, value)
        judgement = found.get(after) or LAW(PUNTO_BANCO, laid)
        machine.resume(before)
        standing = Standing(True, judgement.step, len(laid) >= len(PUNTO_BANCO.deal), bool(judgement.findings))
        phase = machine.fire(Trigger.LAY, standing)
        if len(after) >= 4:
            sorts[len(after), BY_PHASE[phase, judgement.step.seat if phase is Phase.DRAWING else None]] += 1
        if len(after) < 6:
            sorts += sorts_by_machine(machine, found, after, laid)
    return sorts


def test_the_machine_sorts_all_1_110_000_value_sequences_as_the_oracle_does(dealt):
    """trust.md T1 and 5.1: card by card through the hand machine, a card after the end included."""
    assert sorts_by_machine(HandMachine(), dealt) == SORTS


def test_no_hand_of_seven_cards_is_ever_dealt(dealt):
    """trust.md 5.1: of 10,000,000 sequences of seven cards none is lawful."""
    assert max(map(len, dealt)) == 6
    assert all(judgement.step.next is Next.OVER for values, judgement in dealt.items() if len(values) == 6)


def test_each_of_the_339_400_lawful_hands_has_no_fault_and_the_oracles_result(lawful):
    """trust.md 5.1, R-PB-10."""
    assert len(lawful) == 339_400
    for values, judgement in lawful:
        player, banker = oracle.seated(values)
        assert not judgement.findings, values
        assert not judgement.owed, values
        assert judgement.totals == (oracle.point(player), oracle.point(banker)), values
        assert judgement.result is judgement.counted, values
        assert judgement.result.value == oracle.winner(player, banker), values


def test_what_the_judge_waits_for_is_what_closing_the_hand_would_miss(dealt):
    """design.md section 3: exhaustive; a hand closed too early names the seat, and the rule it waits by."""
    for values, judgement in dealt.items():
        if judgement.step.next is Next.CARD:
            kind = f"{judgement.step.seat.value}-missed-draw"
            assert (kind, judgement.step.rule) == (judgement.owed[0].kind, judgement.owed[0].rule), values


def seat_hands() -> Iterator[tuple[int, ...]]:
    """One for each of the 110 ways a seat's cards can matter, and a few of more than their simplest cards."""
    for total in VALUES:
        yield (0, total)
        yield from ((0, total, third) for third in VALUES)
    yield from ((9, 9), (7, 5), (8, 8, 1), (9, 4, 6))


def test_every_pair_of_seats_has_the_oracles_faults_in_order_and_its_results():
    """design.md section 6, audit: kinds, seats, rules, order, and the result of the cards that count."""
    for player, banker in product(seat_hands(), repeat=2):
        judgement = LAW(PUNTO_BANCO, in_order(PUNTO_BANCO, {P: player, B: banker}))
        said = [
            (one.kind, one.seat and one.seat.value, one.rule) for one in (*judgement.irregularities, *judgement.owed)
        ]
        assert said == oracle.faults(list(player), list(banker)), (player, banker)
        assert judgement.result.value == oracle.winner(list(player), list(banker)), (player, banker)
        assert judgement.counted.value == oracle.winner(*oracle.counting(list(player), list(banker)))


def test_the_audits_table_of_codes_says_what_the_judge_says_of_every_lawful_hand(lawful):
    """performance.md, the compiled table: equality by construction is proved again."""
    outcomes = Outcomes(PUNTO_BANCO)
    for values, judgement in lawful:
        player, banker = (code_of(tuple(cards)) for cards in oracle.seated(values))
        outcome = outcomes[player, banker, None]
        assert (outcome.result, outcome.kinds) == (judgement.result.value, ()), values
    assert len(outcomes) <= 110 * 110


def test_the_audits_table_says_what_the_judge_says_of_hands_of_any_cards():
    """The code of a seat forgets only what cannot matter: every two or three cards against their simplest twin."""
    for length in (2, 3):
        for cards in product(VALUES, repeat=length):
            twin = points_of(code_of(cards))
            for other in ((0, 3), (0, 6, 7)):
                for sides in (({P: cards, B: other}, {P: twin, B: other}), ({P: other, B: cards}, {P: other, B: twin})):
                    one, two = (LAW(PUNTO_BANCO, in_order(PUNTO_BANCO, side)) for side in sides)
                    assert one == two, (cards, twin, other)


def test_a_recorded_result_is_wrong_only_when_neither_reading_of_the_cards_gives_it():
    """design.md section 6, result-mismatch."""
    for player, banker in product(seat_hands(), repeat=2):
        judgement = LAW(PUNTO_BANCO, in_order(PUNTO_BANCO, {P: player, B: banker}))
        right = {
            oracle.winner(list(player), list(banker)),
            oracle.winner(*oracle.counting(list(player), list(banker))),
        }
        wrong = {side for side in ("player", "banker", "tie") if mismatched(judgement, side)}
        assert wrong == {"player", "banker", "tie"} - right, (player, banker)
        assert not mismatched(judgement, "unknown")
        assert not mismatched(judgement, None)


# rules.md C.2: 8 decks, 6 decks
TABLE = {
    "total": (4_998_398_275_503_360, 878_869_206_895_680),
    "banker": (2_292_252_566_437_888, 403_095_751_234_560),
    "player": (2_230_518_282_592_256, 392_220_492_728_832),
    "tie": (475_627_426_473_216, 83_552_962_932_288),
    "player natural": (946_869_886_480_896, 166_513_433_708_160),
    "banker natural": (946_869_886_480_896, 166_513_433_708_160),
    "player natural 9": (474_361_430_409_216, 83_474_097_315_840),
    "player natural 8": (472_508_456_071_680, 83_039_336_392_320),
    "any natural": (1_714_696_016_515_584, 301_554_615_390_336),
    "both natural": (179_043_756_446_208, 31_472_252_025_984),
    "player wins by natural": (812_685_054_124_032, 142_932_180_948_480),
    "banker wins by natural": (812_685_054_124_032, 142_932_180_948_480),
    "natural tie": (89_325_908_267_520, 15_690_253_493_376),
    "4 cards": (1_893_735_611_458_560, 333_025_560_274_176),
    "5 cards": (1_516_734_808_780_800, 266_771_777_612_544),
    "P3 B2": (928_334_664_929_280, 163_291_542_997_248),
    "P2 B3": (588_400_143_851_520, 103_480_234_615_296),
    "6 cards": (1_587_927_855_264_000, 279_071_869_008_960),
    "Dragon 7": (112_633_011_329_024, 19_805_383_926_144),
    "Panda 8": (172_660_763_262_976, 30_352_294_536_192),
    "Banker wins with 6": (269_232_304_455_680, 47_322_230_031_360),
    "Banker wins with 6 on two cards": (186_173_936_904_192, 32_726_541_207_168),
    "Banker wins with 6 on three cards": (83_058_367_551_488, 14_595_688_824_192),
    "tie on 6": (96_170_001_308_416, 16_880_962_938_048),
}
TIES_8 = (
    28_979_901_420_544, 20_499_217_668_352, 20_006_606_104_576, 22_250_510_129_408, 36_294_133_463_040,
    39_684_046_743_808, 96_170_001_308_416, 101_717_538_899_968, 54_879_416_675_072, 55_146_054_060_032,
)  # fmt: skip
MARGINS_8 = {
    "player": (
        186_780_352_174_080, 166_169_165_987_840, 141_238_897_317_888,
        89_590_261_473_280, 34_097_645_543_424, 18_409_431_764_992,
    ),
    "banker": (
        201_147_167_287_296, 157_275_882_332_160, 119_200_072_366_080,
        79_517_099_278_336, 28_305_092_784_128, 15_390_342_909_952,
    ),
}  # fmt: skip


def ways(values: tuple[int, ...], decks: int) -> int:
    """In how many ordered deals of six cards the hand begins with these values."""
    left = [16 * decks, *[4 * decks] * 9]
    number, cards = 1, 52 * decks
    for value in values:
        number *= left[value]
        left[value] -= 1
        cards -= 1
    for _ in range(6 - len(values)):
        number *= cards
        cards -= 1
    return number


Class = tuple[int, int, bool, bool, int, int, str]  # cards of each side, naturals, points, result


@pytest.fixture(scope="module")
def weights(lawful) -> dict[int, Counter[Class]]:
    """For 8 and 6 decks, the number of deals of each kind of hand, as the judge deals and calls them."""
    found: dict[int, Counter[Class]] = {8: Counter(), 6: Counter()}
    for values, judgement in lawful:
        first = [(values[0] + values[2]) % 10, (values[1] + values[3]) % 10]
        player_cards = 2 + (len(values) == 6 or (len(values) == 5 and max(first) <= 7 and drew(values)))
        kind = (
            player_cards,
            len(values) - player_cards,
            first[0] >= 8,
            first[1] >= 8,
            *judgement.totals,
            judgement.result.value,
        )
        for decks, weight in found.items():
            weight[kind] += ways(values, decks)
    return found


def drew(values: tuple[int, ...]) -> bool:
    """Whether the fifth card was the Player's, as the judge lays it."""
    first = tuple(zip((P, B, P, B), values[:4], strict=True))
    return judge(PUNTO_BANCO, first).step.seat is P


PREDICATES = {
    "total": lambda *_: True,
    "banker": lambda p, b, pn, bn, pt, bt, won: won == "banker",
    "player": lambda p, b, pn, bn, pt, bt, won: won == "player",
    "tie": lambda p, b, pn, bn, pt, bt, won: won == "tie",
    "player natural": lambda p, b, pn, bn, pt, bt, won: pn,
    "banker natural": lambda p, b, pn, bn, pt, bt, won: bn,
    "player natural 9": lambda p, b, pn, bn, pt, bt, won: pn and pt == 9,
    "player natural 8": lambda p, b, pn, bn, pt, bt, won: pn and pt == 8,
    "any natural": lambda p, b, pn, bn, pt, bt, won: pn or bn,
    "both natural": lambda p, b, pn, bn, pt, bt, won: pn and bn,
    "player wins by natural": lambda p, b, pn, bn, pt, bt, won: pn and won == "player",
    "banker wins by natural": lambda p, b, pn, bn, pt, bt, won: bn and won == "banker",
    "natural tie": lambda p, b, pn, bn, pt, bt, won: pn and won == "tie",
    "4 cards": lambda p, b, *_: p + b == 4,
    "5 cards": lambda p, b, *_: p + b == 5,
    "P3 B2": lambda p, b, *_: (p, b) == (3, 2),
    "P2 B3": lambda p, b, *_: (p, b) == (2, 3),
    "6 cards": lambda p, b, *_: p + b == 6,
    "Dragon 7": lambda p, b, pn, bn, pt, bt, won: won == "banker" and b == 3 and bt == 7,
    "Panda 8": lambda p, b, pn, bn, pt, bt, won: won == "player" and p == 3 and pt == 8,
    "Banker wins with 6": lambda p, b, pn, bn, pt, bt, won: won == "banker" and bt == 6,
    "Banker wins with 6 on two cards": lambda p, b, pn, bn, pt, bt, won: won == "banker" and bt == 6 and b == 2,
    "Banker wins with 6 on three cards": lambda p, b, pn, bn, pt, bt, won: won == "banker" and bt == 6 and b == 3,
    "tie on 6": lambda p, b, pn, bn, pt, bt, won: won == "tie" and pt == 6,
}


@pytest.mark.parametrize("name", TABLE)
def test_a_whole_shoe_dealt_by_the_judge_gives_the_published_integers(name, weights):
    """rules.md C.2, 8 and 6 decks."""
    found = tuple(sum(count for kind, count in weights[decks].items() if PREDICATES[name](*kind)) for decks in (8, 6))
    assert found == TABLE[name]


def test_ties_by_point_and_margins_of_wins_are_the_published_integers(weights):
    """rules.md C.2, ties by point 0..9 and non-natural margin wins 4..9 of eight decks."""
    ties: Counter[int] = Counter()
    margins: Counter[tuple[str, int]] = Counter()
    for (_, _, player_natural, banker_natural, player, banker, won), count in weights[8].items():
        if won == "tie":
            ties[player] += count
        elif not (player_natural or banker_natural):
            margins[won, abs(player - banker)] += count
    assert tuple(ties[point] for point in VALUES) == TIES_8
    assert {side: tuple(margins[side, by] for by in range(4, 10)) for side in MARGINS_8} == MARGINS_8


@pytest.mark.parametrize(
    ("decks", "one", "either"), [(8, (31, 415), (340_163, 2_365_251)), (6, (23, 311), (707_227, 4_965_115))]
)
def test_pairs_of_a_whole_shoe_come_as_often_as_published(decks, one, either):
    """rules.md C.2 and R-PB-12: ten and jack are no pair."""
    cells = Cells()
    paired = {(a, b): cells[f"{a.letter}? {b.letter}?"].pair for a, b in product(Rank, repeat=2)}
    total = player = any_side = 0
    for ranks in product(Rank, repeat=4):
        left = dict.fromkeys(Rank, 4 * decks)
        number = 1
        for rank in ranks:
            number *= left[rank]
            left[rank] -= 1
        total += number
        player += number * paired[ranks[0], ranks[2]]
        any_side += number * (paired[ranks[0], ranks[2]] or paired[ranks[1], ranks[3]])
    assert player * one[1] == total * one[0]
    assert any_side * either[1] == total * either[0]
