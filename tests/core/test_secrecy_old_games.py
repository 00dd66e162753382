"""Non-interference where people decide: until the cards are turned nothing public depends on a card face down."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from controller.core.cards import DECK, Card
from controller.core.deciding import takers
from controller.core.engine import Table
from controller.core.facts import Audience, Fact
from controller.core.games import GAMES
from controller.core.inputs import Accept, Command, Input, Moment, OpenedNext, Takes, Turned, Void
from controller.core.previewing import hand_views, preview
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.showing import public_view
from controller.core.signals import BytesDamaged, CardDrawn, Damage, Identifies, LinkLost, LinkOpened
from controller.core.watching import pit_view, surveillance_view

OLD = ("chemin_free", "chemin_tableau", "foster", "las_vegas")
NOISES = [[BytesDamaged(Damage.NOISE, 3)], [LinkLost("unplugged"), LinkOpened("again")]]


def table(game: str) -> Table:
    house = House(game=GAMES[game], decks=6, deal=Deal.FACE_DOWN, closes=Closes.CONTROLLER, burn=Burn.NONE)
    return Table(house, identifies=Identifies.AT_DRAW)


def script(game: str, rng: random.Random) -> list[object]:
    """Some hands without their turn: cards out one by one, some named before, some after, some that opened the next."""
    of, steps = table(game), list[object]()

    def take(step: object) -> None:
        steps.append(step)
        put(of, step, DECK[0], len(steps))

    for _ in range(rng.randrange(1, 4)):
        for _ in range(rng.randrange(len(of.game.deal), of.game.most_out + 2)):
            take("card")
            may = takers(of, of.hand) if of.hand else ()
            if may and rng.random() < 0.4:
                take(Takes(rng.choice(may)))
            if rng.random() < 0.1:
                for noise in rng.choice(NOISES):
                    take(noise)
        if of.hand is not None and len(of.hand.laid) > len(of.game.deal) and rng.random() < 0.3:
            take(OpenedNext(len(of.hand.laid) - 1))
        if of.hand is not None:
            take(Accept(tuple(hold.id for hold in of.hand.holds)) if rng.random() < 0.3 else Void())
    return steps


def put(of: Table, step: object, face: Card, number: int) -> tuple[Fact, ...]:
    """Apply a step of a script."""
    if step == "card":
        return of.apply(Input(CardDrawn(None, None, face), Moment(number, number)))
    if isinstance(step, Takes | OpenedNext | Accept | Void | Turned):
        asked = Command(str(number), step, of.hand.ref if of.hand else "")
        return of.apply(Input(asked, Moment(number, number), "staff:1"))
    return of.apply(Input(step, Moment(number, number)))


def shown_cards(game: str, steps: Sequence[object]) -> set[int]:
    """The places in the shoe of the cards that became public in a script, whatever their faces."""
    of, places = table(game), set[int]()
    for number, step in enumerate(steps):
        put(of, step, DECK[0], number)
        hands = (of.hand, *of.unsettled.values(), *(record.hand for record in of.results))
        places |= {laid.place for hand in hands if hand for laid in hand.laid if laid.exposed}
    return places


def faces(rng: random.Random, steps: Sequence[object], public: set[int], common: Sequence[Card]) -> Iterator[Card]:
    cards = [step for step in steps if step == "card"]
    return iter([common[at] if at in public else rng.choice(DECK) for at in range(len(cards))])


def public(facts: tuple[Fact, ...]) -> list[Fact]:
    return [fact for fact in facts if fact.audience is not Audience.SURVEILLANCE]


def seen(of: Table) -> tuple:
    view = public_view(of, ident="1", name="Table 1")
    tried = ()
    if of.hand is not None:
        asks = [Turned(), Void(), *(Takes(seat) for seat in of.game.seats)]
        tried = tuple(
            preview(of, Input(Command("try", ask, of.hand.ref), Moment(), "staff:1"), ident="1", name="")
            for ask in asks
        )
    return view, pit_view(of, view), hand_views(of), tried


@pytest.mark.parametrize("game", OLD)
@pytest.mark.parametrize("seed", range(10))
def test_two_shoes_that_differ_in_cards_face_down_alone_look_the_same_until_the_turn(game: str, seed: int):
    """Promised: no points, hint, suspension or counter before the reveal; R-000-39: what was taken is up."""
    rng = random.Random(f"{game} {seed}")
    steps = script(game, rng)
    up = shown_cards(game, steps)
    common = [rng.choice(DECK) for _ in steps]
    one, other = table(game), table(game)
    left, right = faces(rng, steps, up, common), faces(rng, steps, up, common)
    for number, step in enumerate(steps):
        drawn = (next(left), next(right)) if step == "card" else (DECK[0], DECK[0])
        assert public(put(one, step, drawn[0], number)) == public(put(other, step, drawn[1], number)), step
        assert seen(one) == seen(other), step


@pytest.mark.parametrize("game", OLD)
def test_the_comparison_can_fail_for_the_turn_and_for_surveillance(game: str):
    one, other = table(game), table(game)
    for number in range(len(one.game.deal)):
        put(one, "card", DECK[number], number)
        put(other, "card", DECK[number + 13], number)
    assert seen(one) == seen(other)
    eyes = [surveillance_view(of, seen(of)[1]).faces for of in (one, other)]
    assert eyes[0] != eyes[1]
    for of in (one, other):
        put(of, Turned(), DECK[0], 50)
    assert seen(one) != seen(other)


def test_a_card_that_nobody_was_named_for_stays_face_down():
    of = table("foster")
    for number in range(8):
        put(of, "card", DECK[number], number)
    assert [spot.card for spot in public_view(of, ident="1", name="").loose] == [None, None]
