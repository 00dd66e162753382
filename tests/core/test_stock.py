"""Too few cards for a hand, told before card 1; and more cards than a shoe holds."""

from __future__ import annotations

import random

import pytest

from controller.core.bank import SetCover, ShowBank
from controller.core.bank.terms import BANQUE_LIMITED, CHEMIN
from controller.core.cards import DECK
from controller.core.facts import FactName
from controller.core.inputs import CloseShoe, NewShoe
from controller.core.previewing import hand_views
from controller.core.remedies.situations import Remedy
from controller.core.signals import OffGameCardDrawn, OffGameMode
from controller.core.watching import pit_view, surveillance_view
from tests.faults.felt import BANKER_WINS, Felt
from tests.rules.cloth import Cloth

TOO_FEW = {"chemin_tableau": 6, "foster": 9, "las_vegas": 9}  # one less than each text asks for
SHUFFLED = [str(card) for card in random.Random(6).sample(DECK, 52)]


def dealt_down_to(game: str, left: int) -> Cloth:
    """One deck of which so many cards are left between two hands; voided hands took the others."""
    money = CHEMIN if game == "chemin_tableau" else BANQUE_LIMITED
    cloth = Cloth(game, decks=1, fewest_cards=TOO_FEW[game] + 1, cut_card_by=0, money=money)
    assert cloth.press(ShowBank(1_000)) == ""
    taken = SHUFFLED[: 52 - left]
    for at in range(0, len(taken), 3):
        cloth.cards(" ".join(taken[at : at + 3])).void()
    assert (cloth.table.shoe.left, cloth.table.hand) == (left, None)
    return cloth


@pytest.mark.parametrize(("game", "left"), TOO_FEW.items())
def test_ir_13_r_000_06_r_003_17_before_card_1_the_dealer_is_told_that_no_hand_may_begin(game, left):
    """rules.md R-000-06, R-003-17, A14: measured before card 1; the shoe is finished and no bet is made."""
    cloth = dealt_down_to(game, left)
    bank = cloth.view.bank
    assert bank is not None
    assert (cloth.asks[0], cloth.view.stage, bank.stage, "set_cover" in bank.acts) == (
        "few-cards",
        "finished",
        "closed",
        False,
    )
    assert cloth.press(SetCover(cloth.table.house.money.sides[0], 10)) == "shoe-finished"


@pytest.mark.parametrize(("game", "left"), TOO_FEW.items())
def test_r_000_06_r_003_17_one_card_more_and_the_hand_is_dealt(game, left):
    """rules.md R-000-06, R-003-17: as many as are asked for are enough."""
    cloth = dealt_down_to(game, left + 1)
    bank = cloth.view.bank
    assert bank is not None
    assert (cloth.asks[0], cloth.view.stage, bank.stage) == ("waiting", "in-play", "open")
    assert cloth.press(SetCover(cloth.table.house.money.sides[0], 10)) == ""
    cloth.cards("2C")
    assert (cloth.holds, cloth.view.stage) == (set(), "in-play")


@pytest.mark.parametrize(("game", "left"), TOO_FEW.items())
def test_r_000_06_r_003_17_a_card_that_comes_nevertheless_is_a_fact_and_waits_for_a_supervisor(game, left):
    """rules.md R-000-06, R-003-17, PBI-20: as a card after the last hand does."""
    cloth = dealt_down_to(game, left).cards(SHUFFLED[-left])
    assert (cloth.holds, str(cloth.hand.laid[0].card), cloth.asks[0]) == (
        {"few-cards"},
        SHUFFLED[-left],
        "wait-supervisor",
    )
    assert cloth.view.holds[0].sentence.id == "hold.few-cards"
    assert cloth.hand.holds[0].person
    assert cloth.apply("IR-13", Remedy.END_SHOE) == ""
    assert (cloth.table.hand, cloth.view.stage, cloth.asks[0]) == (None, "finished", "shoe-finished")


def test_ir_13_r_003_18_the_shoe_is_ended_before_card_1_by_the_remedy():
    """rules.md IR-13, "before card 1 ENDSHOE"; R-003-18: the stub goes to the basket."""
    cloth = dealt_down_to("foster", 9)
    assert "apply" in cloth.view.acts
    known = hand_views(cloth.table)[0]
    assert (known.ref, known.cards, known.fits) == ("", (), ("IR-13",))
    assert cloth.apply("IR-07", Remedy.MIN_POINT) == "moved-on"  # there is no hand
    assert cloth.apply("IR-13", Remedy.END_SHOE) == ""
    applied = cloth.told(FactName.REMEDY_APPLIED)[-1]
    assert (applied["irregularity"], applied["hand"], applied["by"]) == ("IR-13", None, "staff:7")
    assert (cloth.asks[0], cloth.view.stage) == ("shoe-finished", "finished")
    assert cloth.apply("IR-13", Remedy.END_SHOE) == "nothing-to-do"
    assert cloth.press(CloseShoe(stub=9)) == ""
    assert cloth.told(FactName.SHOE_CLOSED)[-1]["difference"] == 0


def test_ir_13_with_cards_enough_there_is_nothing_to_rule_on_before_card_1():
    """rules.md IR-13: fewer than ten cards before a coup."""
    cloth = dealt_down_to("foster", 10)
    assert "apply" not in cloth.view.acts
    assert cloth.apply("IR-13", Remedy.END_SHOE) == "moved-on"


def test_r_003_16_18_a_new_shoe_is_taken_before_card_1():
    """rules.md R-003-16, R-003-18: a fresh supply."""
    cloth = dealt_down_to("chemin_tableau", 6)
    assert cloth.press(NewShoe()) == ""
    assert (cloth.table.shoe.number, cloth.table.shoe.left, cloth.asks[0], cloth.view.stage) == (
        2,
        52,
        "waiting",
        "loaded",
    )
    assert cloth.press(SetCover(cloth.table.house.money.sides[0], 10)) == ""


def test_r_000_06_the_cards_of_a_forgotten_close_count_for_the_hand_that_they_opened():
    """rules.md R-000-06: ten were left before card 1, whenever it is known that it was card 1."""
    cloth = dealt_down_to("foster", 16).cards("2C 5C 3D 4D 2H 5H 2S").opened_next(6)
    assert (len(cloth.hand.laid), cloth.table.shoe.left, cloth.holds) == (1, 9, set())


def test_r_000_06_one_card_less_before_a_forgotten_close_is_told():
    """rules.md R-000-06."""
    cloth = dealt_down_to("foster", 15).cards("2C 5C 3D 4D 2H 5H 2S").opened_next(6)
    assert (len(cloth.hand.laid), cloth.table.shoe.left, cloth.holds) == (1, 8, {"few-cards"})


def test_r_pb_11_with_five_cards_left_punto_banco_is_told_too():
    """faults.md A 42: six cards for a hand of punto banco; a card outside the game may be the one too many."""
    felt = Felt(decks=1, cut_card_by=0)
    felt.say(*(OffGameCardDrawn(OffGameMode.SETTING, 0, None) for _ in range(46)))
    assert felt.view.prompt.id == "prompt.waiting"
    felt.say(OffGameCardDrawn(OffGameMode.SETTING, 0, None))
    assert (felt.view.prompt.id, felt.view.stage) == ("prompt.few-cards", "finished")


def test_r_frc_02_a_hand_begun_with_cards_enough_is_played_to_its_end_and_then_the_shoe_is_finished():
    """rules.md R-FRC-02: a coup already begun is finished."""
    felt = Felt(decks=1, cut_card_by=0)
    felt.say(*(OffGameCardDrawn(OffGameMode.SETTING, 0, None) for _ in range(46)))
    felt.draw("P1:2S")
    assert (felt.holds, felt.view.stage) == ([], "in-play")
    felt.draw(BANKER_WINS.removeprefix("P1:2S "))
    felt.call("banker")
    assert (felt.results, felt.view.stage, felt.view.prompt.id) == (["banker"], "finished", "prompt.few-cards")


def test_more_cards_than_the_shoe_holds_are_a_card_too_many_and_nothing_is_left():
    """faults.md A 43: cards out, basket and stub make 52 x decks; a card more is no card less than none."""
    cloth = dealt_down_to("chemin_tableau", 1).cards("2C")
    assert cloth.holds == {"few-cards"}
    cloth.cards("3C")
    assert cloth.holds == {"few-cards", "too-many-cards"}
    pit = pit_view(cloth.table, cloth.view)
    surveillance = surveillance_view(cloth.table, pit)
    assert (surveillance.out, surveillance.left) == (53, 0)
    told = {sentence.id for one in pit.incidents for sentence in (one.sentence, *one.more)}
    assert {"incident.few-cards", "incident.too-many-cards"} <= told
    cloth.void()
    assert cloth.press(CloseShoe()) == ""  # nobody need count to know that it does not add up
    assert cloth.told(FactName.SHOE_CLOSED)[-1]["difference"] == -1
    assert cloth.told_incidents("shoe-count") == 1


def test_every_hand_of_a_shoe_that_gave_too_many_cards_waits_for_a_person():
    """faults.md A 43: what is counted of such a shoe is not proved, by whatever hand is dealt from it."""
    cloth = dealt_down_to("chemin_tableau", 0)
    for _ in range(2):
        cloth.cards("2C")
        assert "too-many-cards" in cloth.holds
        cloth.void()


def test_a_card_too_many_outside_the_game_holds_the_table():
    """faults.md A 43, A 21."""
    cloth = dealt_down_to("chemin_tableau", 0)
    cloth.hear(OffGameCardDrawn(OffGameMode.SETTING, 0, None))
    assert [hold.kind for hold in cloth.table.holds if hold.kind == "too-many-cards"] == ["too-many-cards"]
    assert surveillance_view(cloth.table, pit_view(cloth.table, cloth.view)).left == 0
