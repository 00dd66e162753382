"""Every house's table answers programs at every moment of an evening, whatever it keeps of the money."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product

import pytest

from controller import catalogue
from controller.api.shaping import Shaper
from controller.core.bank import Money
from controller.core.bank.acts import (
    Banco,
    CallBanco,
    DeclineBank,
    NobodyTakes,
    PassBank,
    SetCover,
    SetStake,
    ShowBank,
    Sit,
    TakeBank,
    WithdrawBanco,
)
from controller.core.cards import DECK
from controller.core.inputs import Input, Turned, Void
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.signals import CardDrawn, Identifies, LinkOpened
from controller.profiles import names, profile
from tests.faults.felt import Felt

STEPS = 160
HOUSES = [  # in punto banco the house pays, so nobody holds a bank
    (name, money)
    for name, money in product(names(), Money)
    if (profile(name).game.name, money) != ("punto-banco", Money.BANK)
]
SHAPER = Shaper(catalogue.load(missing=catalogue.refuse))


def seated(house: House) -> Felt:
    """A shoe that tells cards alone, dealt face down where the game asks who took a card."""
    plain = {"burn": Burn.NONE, "decks": 8, "closes": Closes.CONTROLLER}
    hidden = {"deal": Deal.FACE_DOWN} if house.game.asks_taker else {}
    chosen = {one.name: getattr(house, one.name) for one in fields(House)} | plain | hidden
    felt = Felt(identifies=Identifies.AT_DRAW, **chosen)
    felt.put(Input(LinkOpened("/dev/shoe"), felt.now, "recorder"))
    return felt


def tried(felt: Felt, chance: random.Random) -> None:
    """Something that people do at a table; what is not open now is refused, which is an answer too."""
    seat = chance.choice(felt.table.house.game.seats)
    place, amount = chance.randrange(1, 6), chance.choice((10, 40, 1_000))
    spots = felt.view.bank.spots if felt.view.bank else ()
    acts: tuple[Callable[[], object], ...] = (
        lambda: felt.say(CardDrawn(None, None, chance.choice(DECK))),
        lambda: felt.ask(Turned()),
        felt.accept,
        lambda: felt.ask(Void()),
        lambda: felt.ask(ShowBank(1_000)),
        lambda: felt.ask(SetCover(seat, amount)),
        lambda: felt.ask(SetStake(place, chance.choice(spots or ("punter",)), amount)),
        lambda: felt.ask(CallBanco(place, chance.choice(tuple(Banco)))),
        lambda: felt.ask(WithdrawBanco()),
        lambda: felt.ask(chance.choice((PassBank(), DeclineBank(), NobodyTakes(), TakeBank(place, 500), Sit(place)))),
    )
    chance.choices(acts, weights=(30, 8, 4, 1, 2, 2, 2, 1, 1, 1))[0]()


@pytest.mark.parametrize(("name", "money"), HOUSES)
def test_every_state_of_every_house_is_one_that_the_interface_describes(name: str, money: Money):
    """docs/interfaces.md: an answer has no key and no value that is not described."""
    felt, chance = seated(profile(name, money=money)), random.Random(f"{name}/{money}")
    for _ in range(STEPS):
        tried(felt, chance)
        view = replace(felt.view, table="1")
        told = (SHAPER.table(view), SHAPER.pit(felt.pit), SHAPER.surveillance(felt.eye))
        for state in told:
            assert type(state).model_validate_json(state.model_dump_json()) == state
    assert felt.results  # hands were closed on the way
    assert (felt.view.bank is None) == (money is Money.OFF)
