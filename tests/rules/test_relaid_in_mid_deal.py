"""A person says in mid-deal how the cards lie: the next ones go to the seats that lack theirs, and none appears."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from controller.core.cards import Card, Seat
from controller.core.games import GAMES
from controller.core.inputs import Placed, Relay
from controller.core.remedies.situations import Remedy
from controller.core.signals import CardDrawn
from tests.faults.felt import Felt
from tests.rules.cloth import SEATS, Cloth

FACES = ["2S", "3H", "4D", "5C", "6S", "7H", "8D", "9C", "AS", "TH"]
DEALS = {
    "punto-banco": "YBYB",
    "chemin_free": "PBPB",
    "chemin_tableau": "PBPB",
    "foster": "RLBRLB",
    "las_vegas": "RLBRLB",
}
LETTERS = {seat: letter for letter, seat in SEATS.items()}


def numbered(letters: str) -> str:
    """`RLR` as `R1 L1 R2`."""
    return " ".join(f"{letter}{letters[: at + 1].count(letter)}" for at, letter in enumerate(letters))


def lying(cloth: Cloth) -> str:
    """The seats of the open hand's cards in the order of the shoe, by letter."""
    return "".join(LETTERS[laid.seat] if laid.seat else "-" for laid in cloth.hand.laid)


def told(cloth: Cloth) -> set[str]:
    return {kind for incident in cloth.table.incidents.values() for kind in incident.kinds}


def relaid(game: str, letters: str, more: int) -> Cloth:
    """A table where so many cards were laid, said to lie so, and some came after them."""
    cloth = Cloth(game).cards(" ".join(FACES[: len(letters)]))
    cloth.lie(numbered(letters))
    return cloth.cards(" ".join(FACES[len(letters) : len(letters) + more]))


@pytest.mark.parametrize("game", DEALS)
def test_wherever_the_first_cards_were_laid_the_others_complete_the_deal_and_no_card_appears(game):
    """rules.md T5, R-PB-01, R-000-04, R-002-12, R-004-07: two cards a seat, each card that left the shoe once."""
    deal = DEALS[game]
    for size in range(1, len(deal)):
        for way in product(sorted(set(deal)), repeat=size):
            lacks = sum(max(0, 2 - way.count(seat)) for seat in set(deal))
            cloth = relaid(game, "".join(way), lacks)
            counts = Counter(lying(cloth))
            assert all(counts[seat] == max(2, way.count(seat)) for seat in set(deal)), (way, lying(cloth))
            assert lying(cloth).startswith("".join(way))
            assert [str(card) for card in cloth.table.shoe.faces] == FACES[: size + lacks]
            assert [laid.place for laid in cloth.hand.laid] == list(range(size + lacks))
            assert not {"link-gap", "unread-card", "wrong-slot"} & told(cloth)
            assert cloth.conserved()


@pytest.mark.parametrize("game", DEALS)
def test_cards_that_are_said_to_lie_as_dealt_leave_the_deal_as_it_was(game):
    """rules.md T5: telling the same again changes nothing."""
    deal = DEALS[game]
    for size in range(1, len(deal)):
        cloth = relaid(game, deal[:size], len(deal) - size)
        assert (lying(cloth), cloth.holds) == (deal, set())


@pytest.mark.parametrize(
    ("game", "said", "then"),
    [
        ("foster", "RLR", "LBB"),  # a player had his second before the banker his first
        ("las_vegas", "RLR", "LBB"),
        ("foster", "RLBRB", "L"),  # the banker had two before the left had
        ("foster", "RB", "LRLB"),  # the left was passed over
        ("foster", "L", "RBRLB"),
        ("chemin_tableau", "PP", "BB"),
        ("chemin_tableau", "BP", "PB"),
        ("punto-banco", "BYB", "Y"),
        ("punto-banco", "YY", "BB"),
        ("foster", "RLBRLR", "B"),  # the deal has as many cards as it takes, and one seat lacks one
    ],
)
def test_the_next_card_goes_to_the_seat_that_lacks_one(game, said, then):
    """rules.md IR-08, IR-09, R-000-04, R-000-21, R-000-24: who lacks a card gets the next, the deal goes around."""
    cloth = relaid(game, said, 0)
    for face, letter in zip(FACES[len(said) :], then, strict=False):
        step = cloth.hand.judged(cloth.table.game).step
        assert (LETTERS[step.seat], step.rule) == (letter, cloth.table.game.sources.order)
        cloth.cards(face)
        assert lying(cloth)[-1] == letter


def test_a_let_stand_hand_asks_for_the_card_of_the_deal_that_is_lacking():
    """rules.md R-000-04: seven cards, and still it is a card of the deal that is asked for."""
    cloth = relaid("foster", "RLBRLR", 0).accept()
    assert cloth.asks == ("card-next", "banker", "R-000-04")


def test_ir_09_goes_on_from_a_deal_that_was_told_in_time():
    """rules.md IR-09, R-000-24, R-000-25: the other player has his second, the banker one, and it goes out."""
    cloth = relaid("foster", "RLR", 2)
    assert cloth.apply("IR-09", Remedy.ZERO_HAND) == ""
    assert cloth.lies() == {"R": "2S 4D", "L": "3H 5C", "B": ""}
    assert (cloth.basket(), cloth.holds) == (["6S"], set())


def named(text: str) -> CardDrawn:
    return CardDrawn(SEATS[text[0]], int(text[1]), Card.parse(text[2:]))


def test_a_shoe_that_names_places_names_none_that_a_person_filled_and_its_card_is_laid():
    """faults.md A 37, rules.md R-PB-01: it counts on as it was told to; the felt lacks the player's second card."""
    felt = Felt()
    felt.say(*map(named, ("Y12S", "B13H", "Y24D")))
    spots = ("B1", "Y1", "B2")
    placed = tuple(Placed(at, SEATS[spot[0]], int(spot[1]), seen=True) for at, spot in enumerate(spots))
    felt.ask(Relay(placed, ("wrong-order",)))
    felt.say(named("B25C"))
    hand = felt.table.hand
    assert hand is not None
    assert [(laid.seat, laid.index) for laid in hand.laid][-1] == (Seat.PLAYER, 2)
    assert not any(kind in felt.incidents for kind in ("wrong-slot", "link-gap"))
    assert (felt.out, len(hand.laid)) == (4, 4)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_whatever_was_said_in_mid_deal_a_shoe_that_names_places_loses_and_doubles_no_card(size):
    """faults.md A 37, rules.md T5: each card that it tells of lies once, none is added."""
    names = ("Y1", "B1", "Y2", "B2")
    told = [named(name + face) for name, face in zip(names, FACES, strict=False)]
    for way in product((Seat.PLAYER, Seat.BANKER), repeat=size):
        felt = Felt()
        felt.say(*told[:size])
        placed = tuple(Placed(at, seat, way[: at + 1].count(seat), seen=True) for at, seat in enumerate(way))
        felt.ask(Relay(placed, ("wrong-order",)))
        felt.say(*told[size:])
        hand = felt.table.hand
        assert hand is not None
        assert [str(laid.card) for laid in hand.laid] == FACES[:4]
        assert felt.out == 4
        assert not {"wrong-slot", "link-gap", "unread-card"} & set(felt.incidents)


def test_the_games_of_this_file_are_all_the_games():
    """rules.md T5."""
    assert DEALS.keys() >= set(GAMES) - {"chemin_tableau_no_option"}
