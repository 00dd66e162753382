"""Evenings with money, and later words on their hands by chance: no money comes or goes, and every card is kept."""

from __future__ import annotations

import random

import pytest

from controller.core.bank import (
    CallBanco,
    DeclineBank,
    Money,
    NobodyTakes,
    PassBank,
    SetCover,
    SetStake,
    ShowBank,
    Stage,
    TakeBank,
    spots,
)
from controller.core.cards import DECK
from controller.core.engine import Table
from controller.core.expecting import results_of
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Accept, Act, Correct, MarkHand, OpenedNext, Placed, Relay, Sort, Takes, Turned, Void
from controller.core.profile import Deal
from controller.core.snapshot import restore, taken
from controller.moneysettings import BankChoices, terms_of
from tests.rules.cloth import Cloth
from tests.rules.test_money_corrected import conserved

HANDS = 20
VARIANTS = [
    ("chemin_tableau", Money.BANK, {}),
    ("chemin_tableau", Money.FULL, {}),
    ("chemin_free", Money.FULL, {"ties": "return", "holds": "stays"}),
    ("foster", Money.BANK, {}),
    ("las_vegas", Money.FULL, {"a_cheval": True}),
    ("punto-banco", Money.FULL, {"bets": ("player", "banker", "tie", "dragon-7", "either-pair")}),
]


def table(game: str, money: Money, choices: dict) -> Cloth:
    made = terms_of(GAMES[game], money, BankChoices.model_validate(choices).model_dump(exclude_none=True))
    open_ = {"deal": Deal.FACE_UP, "decks": 8} if game == "punto-banco" else {}
    return Cloth(game, money=made, **open_)


def stakes(cloth: Cloth, chance: random.Random) -> list[Act]:
    """What people may do about money before a card, lawful or not."""
    terms, bank = cloth.table.house.money, cloth.table.bank
    assert bank is not None
    first = {
        Stage.AWAITING: [ShowBank(bank.sum + chance.randrange(1, 500)), DeclineBank()][: chance.choice([1, 1, 1, 2])],
        Stage.PASSING: [chance.choice([NobodyTakes(), TakeBank(chance.randint(1, 10), bank.passed_at)])],
    }
    acts: list[Act] = [*first.get(bank.stage, [])]
    for _ in range(chance.randrange(4)):
        on = chance.choice(spots(terms))
        acts.append(SetStake(chance.randint(1, 11), on, chance.randrange(300)))
        acts += [SetCover(side, chance.randrange(300)) for side in terms.sides[:1]]
    acts += chance.choices([CallBanco(chance.randint(1, 10)), PassBank()], k=1) if chance.random() < 0.2 else []
    return acts


def hand(cloth: Cloth, shoe: list[str], chance: random.Random) -> None:
    """Cards and keys until the hand is closed, set aside or void."""
    game = cloth.table.game
    cloth.cards(" ".join(shoe.pop() for _ in game.deal[: -1 if chance.random() < 0.05 else None]))
    if cloth.table.hand is not None and chance.random() < 0.1:
        cloth.press(MarkHand(Sort.FREE))
    for _ in range(chance.randrange(3)):
        if cloth.table.hand is not None:
            cloth.press(Takes(chance.choice(game.seats)))
            cloth.cards(shoe.pop())
    if cloth.table.hand is not None and chance.random() < 0.1:
        cloth.press(OpenedNext(len(game.deal)))
    cloth.press(Turned())


def settle(cloth: Cloth, chance: random.Random) -> None:
    """A supervisor answers what waits, most of the time."""
    for waits in (*cloth.table.unsettled.values(), *([cloth.table.hand] if cloth.table.hand else [])):
        if chance.random() < 0.7:
            act = Accept(tuple(hold.id for hold in waits.holds)) if chance.random() < 0.7 else Void()
            cloth.press(act, waits.ref)


def later_word(cloth: Cloth, chance: random.Random) -> None:
    """Somebody has something to say of a hand that was closed, the last one mostly."""
    if not cloth.table.records:
        return
    numbers = sorted(cloth.table.records)
    record = cloth.table.records[numbers[-1] if chance.random() < 0.6 else chance.choice(numbers)]
    seats = [(laid.seat, laid.index) for laid in record.hand.laid]
    chance.shuffle(seats)
    lies = tuple(Placed(at, seat, index) for at, (seat, index) in enumerate(seats) if seat)
    result = chance.choice(sorted(results_of(cloth.table.game), key=lambda call: call.value))
    cloth.press(chance.choice([Correct(result), Correct(result), Void(), Relay(lies)]), record.hand.ref)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "money", "choices"), VARIANTS)
def test_a45_no_money_comes_or_goes_in_an_evening_of_later_words(game, money, choices, seed):
    """faults.md A 45, rules.md A, B, C.3: settled, settled again or owed, all accounts together stay nothing."""
    chance = random.Random(seed)
    cloth = table(game, money, choices)
    shoe = [str(card) for card in DECK] * cloth.table.house.decks
    chance.shuffle(shoe)
    for _ in range(HANDS):
        for act in stakes(cloth, chance):
            cloth.press(act, "")
            assert conserved(cloth)
        hand(cloth, shoe, chance)
        assert conserved(cloth)
        settle(cloth, chance)
        assert conserved(cloth)
        later_word(cloth, chance)
        assert conserved(cloth)
        assert cloth.conserved()
        bank = cloth.table.bank
        assert bank is not None
        assert sum(stake.amount for stake in bank.stakes) == bank.covered
        again = Table(cloth.table.house, identifies=cloth.table.identifies)
        restore(again, taken(cloth.table))
        assert taken(again) == taken(cloth.table)
    moved = [fact for fact in cloth.told(FactName.BANK_MOVED) if fact["act"] == "Correction"]
    assert len(cloth.told(FactName.HAND_CORRECTED)) > 5
    assert moved or cloth.told(FactName.BANK_OWED)
