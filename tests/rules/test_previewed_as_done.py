"""What is shown before a word is confirmed is what confirming it does; what hidden faces decide is not told before."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from controller.core.cards import DECK, Seat
from controller.core.engine import Table
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Accept, Act, Apply, Command, Input, Placed, Relay, Turned
from controller.core.offers import offers
from controller.core.previewing import Preview, preview
from controller.core.previewmoney import How
from controller.core.profile import Closes, Deal
from controller.core.remedies.situations import Remedy
from controller.core.showing import public_view, result_view
from controller.core.snapshot import restore, taken
from controller.core.views import PublicView
from tests.pit.test_effects import shown, text
from tests.rules.cloth import SEATS, Cloth
from tests.rules.test_triggers import banked

LETTERS = {seat: letter for letter, seat in SEATS.items()}
HELD_FOR_A_TAKER = "TH JH 9D AC TS KH 9D"


def tried(table: Table, act: Act, ref: str) -> Preview:
    return preview(table, Input(Command("t", act, ref), by="staff:7"), ident="1", name="1")


def twin(table: Table) -> Table:
    """The same table once more, so that something can be done and was not."""
    again = Table(table.house, identifies=table.identifies)
    restore(again, taken(table))
    return again


def done(table: Table, act: Act, ref: str) -> tuple[str, PublicView]:
    """Confirm it: why it was refused, and the table as everybody sees it then."""
    facts = table.apply(Input(Command("t", act, ref), by="staff:7"))
    assert facts[0].name in {FactName.COMMAND_ACCEPTED, FactName.COMMAND_REJECTED}
    return str(dict(facts[0].data).get("why", "")), public_view(table, ident="1", name="1")


def some_hand(game: str, chance: random.Random) -> Cloth:
    """A hand to which something happened: dealt in part or whole, laid anew, drawn for, ended, held, let stand."""
    house = {"deal": Deal.FACE_UP, "closes": Closes.SHOE} if chance.random() < 0.5 and game == "punto-banco" else {}
    cloth = Cloth(game, **house)
    deck = [str(card) for card in chance.sample(DECK, len(DECK))]
    most = cloth.table.game.most_out
    for _ in range(chance.randint(1, most + 1)):
        if chance.random() < 0.3 and cloth.view.takers:
            cloth.takes(LETTERS[chance.choice(cloth.view.takers)])
        cloth.cards(deck.pop())
    if chance.random() < 0.5:
        lie_anyhow(cloth, chance)
    for act in (Turned(), Accept(tuple(hold.id for hold in cloth.table.hand.holds)) if cloth.table.hand else Turned()):
        if chance.random() < 0.3 and cloth.table.hand is not None:
            cloth.press(act)
    if chance.random() < 0.3 and cloth.table.hand is not None:
        cloth.press(Apply("IR-15", Remedy.CORRECT))
    return cloth


def anyhow(cloth: Cloth, chance: random.Random) -> Relay:
    seats = [chance.choice(cloth.table.game.seats) for _ in cloth.hand.laid]
    placed = [Placed(at, seat, seats[: at + 1].count(seat), seen=False) for at, seat in enumerate(seats)]
    return Relay(tuple(placed))


def lie_anyhow(cloth: Cloth, chance: random.Random) -> None:
    if cloth.table.hand is not None:
        assert cloth.press(anyhow(cloth, chance)) == ""


def every_remedy(cloth: Cloth, chance: random.Random) -> Iterator[Apply]:
    last = len(cloth.hand.laid) - 1
    for situation in offers(cloth.table.house).situations:
        for offer in situation.remedies:
            for places in ((), (last,), (chance.randint(0, last),)):
                for seat in (None, *cloth.table.game.sides):
                    yield Apply(situation.id, offer.remedy, places, seat)


def faces_up(table: Table) -> set[int]:
    """The places in the shoe of the cards that players know."""
    hands = (table.hand, *table.unsettled.values(), *(record.hand for record in table.results))
    return {laid.place for hand in hands if hand for laid in hand.laid if laid.exposed}


def compare(table: Table, act: Act, ref: str) -> str:
    """Hold what is shown against what is done, and return which of the promises was kept."""
    told = tried(table, act, ref)
    real = twin(table)
    why, then = done(real, act, ref)
    assert told.why == why, act
    if why:
        return "refused"
    turned = faces_up(real) - faces_up(table)
    if told.undecided:
        assert turned, act  # else it could have been told
        return "undecided"
    record = next((one for one in real.results if one.hand.ref == ref), None)
    assert (told.result and told.result.call) == (record and result_view(real, record).call), act
    assert turned or told.public == then, act
    return "told"


@pytest.mark.parametrize("game", sorted({*GAMES} | {"punto-banco"}))
@pytest.mark.parametrize("seed", range(6))
def test_what_is_shown_of_a_word_is_what_confirming_it_does(game, seed):
    """rules.md B.4, C.5, faults.md A 45: refusals, holds, the next sentence, seats and result, for every remedy."""
    chance = random.Random(f"{game} {seed}")
    kept = set[str]()
    cloth = next(one for _ in range(100) if (one := some_hand(game, chance)).table.hand is not None)
    ref = cloth.hand.ref
    acts: list[Act] = [*every_remedy(cloth, chance), Turned(), *(anyhow(cloth, chance) for _ in range(5))]
    for act in acts:
        kept.add(compare(cloth.table, act, ref))
    assert "told" in kept


def test_ir_10_r_000_26_27_that_all_hands_are_turned_is_shown_before():
    """rules.md IR-10, R-000-26, R-000-27: they lie open then; what the faces make of it is told when they do."""
    cloth = Cloth("foster").cards("2S 3H 4D 5D 6D KD")  # left has a natural, which nobody knows
    act = Apply("IR-10", Remedy.BAR, seat=Seat.RIGHT)
    told = tried(cloth.table, act, cloth.hand.ref)
    page = text(shown(told, cloth, act))
    assert "The cards are turned face up" in page
    assert "Hidden faces decide what follows" in page
    assert "No card moves" not in page
    assert "stays open" not in page
    assert cloth.press(act) == ""
    assert cloth.result == "right/left"


def test_ir_10_the_money_of_a_hand_that_hidden_faces_may_end_is_not_said_to_stay():
    """rules.md IR-10, R-000-26: left's natural ends the coup, and every stake is settled."""
    cloth = banked("foster").cards("2S 3H 4D 5D 6D KD")
    act = Apply("IR-10", Remedy.BAR, seat=Seat.RIGHT)
    told = tried(cloth.table, act, cloth.hand.ref)
    assert told.money is not None
    assert (told.money.how, told.money.entries) == (How.HIDDEN, ())
    assert cloth.press(act) == ""
    assert cloth.told(FactName.BANK_MOVED)[-1]["entries"]


def test_a_card_that_lies_face_down_is_none_that_the_shoe_could_not_read():
    """rules.md IR-15, B.7: nobody said who took the last card, and every refused remedy is answered."""
    cloth = Cloth("foster").cards(HELD_FOR_A_TAKER).takes("L").cards("3S").close()
    act = Apply("IR-15", Remedy.CORRECT)
    told = tried(cloth.table, act, cloth.hand.ref)
    assert [hold.sentence.id for hold in told.holds] == ["hold.taker-unknown"]
    assert cloth.press(act) == ""
    assert cloth.holds == {"taker-unknown"}
    again = tried(cloth.table, Apply("IR-08", Remedy.ONE_CARD), cloth.hand.ref)
    assert (again.why, again.public.prompt) == ("needs-proved", cloth.view.prompt)


def test_ir_07_r_000_19_what_follows_the_card_that_goes_is_not_told_before_the_faces_are():
    """rules.md IR-07, R-000-18..20: the sentence shown is not one that the hand will not ask for."""
    cloth = Cloth("foster").cards("KS 5H KD 3S 2C 9C 3C").takes("B")
    act = Apply("IR-07", Remedy.MIN_POINT)
    told = tried(cloth.table, act, cloth.hand.ref)
    assert told.undecided
    assert "Turn the cards" not in text(shown(told, cloth, act))
