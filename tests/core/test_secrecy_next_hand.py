"""Non-interference of the card that opened the next hand after a forgotten close: it was never turned."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from controller.core.cards import DECK, Card
from controller.core.deciding import takers
from controller.core.engine import Table
from controller.core.facts import Audience, Fact
from controller.core.games import GAMES
from controller.core.inputs import Act, Command, Input, Moment, OpenedNext, Takes, Turned
from controller.core.previewing import hand_views
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.showing import public_view
from controller.core.signals import CardDrawn, Identifies
from controller.core.watching import pit_view, surveillance_view
from tests.rules.cloth import Cloth

OWN = {"chemin_free": (4, 5, 6), "chemin_tableau": (4, 5, 6), "foster": (6, 7, 8, 9), "las_vegas": (6, 7, 8, 9)}
COUPS = [(game, own) for game, sizes in OWN.items() for own in sizes]
FORGOTTEN = {"0 alone": (), "T, then 0": (Turned(),)}


class Evening:
    """A table that hears cards and keys, and what its people may know after each."""

    def __init__(self, game: str) -> None:
        house = House(game=GAMES[game], decks=6, deal=Deal.FACE_DOWN, closes=Closes.CONTROLLER, burn=Burn.NONE)
        self.table = Table(house, identifies=Identifies.AT_DRAW)
        self.seen: list[object] = []
        self.number = 0

    def _take(self, item: Input) -> tuple[Fact, ...]:
        self.number += 1
        facts = self.table.apply(item)
        view = public_view(self.table, ident="1", name="Table 1")
        told = [fact for fact in facts if fact.audience is not Audience.SURVEILLANCE]
        self.seen.append((told, view, pit_view(self.table, view), hand_views(self.table)))
        return facts

    def card(self, face: Card) -> None:
        self._take(Input(CardDrawn(None, None, face), Moment(self.number, self.number)))

    def press(self, act: Act) -> str:
        asked = Command(f"k{self.number}", act, self.table.hand.ref if self.table.hand else "")
        answer = self._take(Input(asked, Moment(self.number, self.number), "staff:1"))[0]
        return str(dict(answer.data).get("why", ""))


def pair(game: str, own: int, rng: random.Random) -> tuple[Evening, Evening]:
    """Return two evenings with one coup, each third card named or not, that differ in the face after it."""
    one, other = Evening(game), Evening(game)
    cards = rng.sample(DECK, own + 2)
    for number, card in enumerate(cards[:own]):
        for evening in (one, other):
            evening.card(card)
        may = takers(one.table, one.table.hand)
        if number >= len(one.table.game.deal) and may and rng.random() < 0.7:
            seat = rng.choice(may)
            assert one.press(Takes(seat)) == other.press(Takes(seat))
    one.card(cards[own])
    other.card(cards[own + 1])
    return one, other


def forgotten(game: str, own: int, keys: tuple[Act, ...]) -> Iterator[tuple[Evening, Evening]]:
    """Yield pairs of evenings after the forgotten close, where these keys had not closed the coup lawfully."""
    for seed in range(60):
        one, other = pair(game, own, random.Random(f"{game} {own} {seed}"))
        for key in keys:
            assert one.press(key) == other.press(key) == ""
        if any(evening.table.hand is None for evening in (one, other)):
            assert one.table.hand is other.table.hand is None  # the card was this coup's, by its number and the rules
            continue
        yield one, other


@pytest.mark.parametrize("keys", FORGOTTEN.values(), ids=FORGOTTEN)
@pytest.mark.parametrize(("game", "own"), COUPS)
def test_the_face_that_opened_the_next_hand_changes_nothing_public(game: str, own: int, keys: tuple[Act, ...]):
    """R-000-05, R-002-14: a hand is not looked at before it is dealt; T shows the cards of the hand that it ends."""
    compared = 0
    for one, other in forgotten(game, own, keys):
        for evening in (one, other):
            assert evening.press(OpenedNext(own)) == ""
            for card in DECK[: len(evening.table.game.deal) - 1]:
                evening.card(card)
        for left, right in zip(one.seen, other.seen, strict=True):
            assert left == right
        hand = one.table.hand
        assert hand is not None
        assert (hand.laid[0].carried, hand.laid[0].exposed) == (True, False)
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize("game", OWN)
def test_the_two_evenings_do_differ_for_surveillance_and_after_the_turn(game: str):
    own = OWN[game][0]
    one, other = pair(game, own, random.Random(1))
    for evening in (one, other):
        evening.press(OpenedNext(own))
    eyes = [surveillance_view(evening.table, evening.seen[-1][1]).faces for evening in (one, other)]
    assert eyes[0] != eyes[1]
    for evening in (one, other):
        for card in DECK[: len(evening.table.game.deal) - 1]:
            evening.card(card)
        assert evening.press(Turned()) == ""
    assert one.seen[-1] != other.seen[-1]


def test_a_sixth_card_against_the_table_is_asked_for_before_its_face_is_shown():
    """R-FRC-01: a banker of 7 stands on a four; his card may have opened the next hand, until somebody names it."""
    cloth = Cloth("chemin_tableau").cards("2C 2D 2H 5D 4S").takes("P").cards("9S").close()
    assert cloth.holds == {"taker-unknown"}
    assert cloth.asks[0] == "who-took"
    assert cloth.view.loose[0].card is None
    cloth.takes("B")
    assert cloth.holds == {"banker-false-draw"}
    assert cloth.points == cloth.points | {"P": 8, "B": 6}


def test_a_sixth_card_by_the_table_is_never_asked_for():
    """Never asked in a lawful coup: order and count give the banker's card its seat, and one key closes."""
    cloth = Cloth("chemin_tableau").cards("2C 2D 2H 3D 4S").takes("P").cards("2S").close()
    assert cloth.table.hand is None
    assert cloth.result == "punter"


def test_a_card_that_was_drawn_face_up_stays_known_in_the_next_hand():
    """rules.md C.4: a card once seen stays known; here the house deals face up."""
    cloth = Cloth("chemin_tableau", deal=Deal.FACE_UP).cards("2S 5H 3D 2D 9S").opened_next(4)
    assert [(laid.exposed, str(laid.card)) for laid in cloth.hand.laid] == [(True, "9S")]
    assert cloth.told_incidents("carried-seen") == 1
