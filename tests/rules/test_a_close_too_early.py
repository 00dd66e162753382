"""The key that closes, pressed too early: a slip is taken back by naming who takes the next card."""

from __future__ import annotations

import pytest

from controller.core.bank import Money, SetCover, ShowBank, Stage
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Command, Fate, Input, OnDuty, Placed, Post, Relay, Takes
from controller.core.machine import Phase
from controller.core.previewing import preview
from controller.core.profile import Deal
from controller.core.remedies.situations import Remedy
from controller.core.signals import CutCardOut
from controller.core.snapshot import restore, taken
from controller.moneysettings import terms_of
from tests.rules.cloth import SEATS, Cloth

# Game, the deal, who is owed a card by the rules, and that card.
OWED = {
    "chemin_free": ("2C 2H 2D 5H", "P", "9S"),  # R-002-22
    "chemin_tableau": ("2C 2H 2D 5H", "P", "9S"),
    "chemin_tableau_no_option": ("KC 2H 6D 2D", "B", "9S"),  # FD-B1: punter stood, banker 4
    "foster": ("KC 2H 6D 7D 4H TC", "B", "9S"),  # R-000-36: both refused
    "las_vegas": ("2C 2H 6D AD 4H TC", "R", "9S"),  # R-004-21
}
DEAL = ("Y1", "B1", "Y2", "B2")
EACH = pytest.mark.parametrize("game", OWED)


def slip(cloth: Cloth, seat: str, ref: str | None = None) -> str:
    """Name who takes the next card of a hand that was closed too early, as the page does."""
    hands = (cloth.table.hand, *cloth.table.unsettled.values())
    hand = next(one for one in hands if one is not None and ref in (None, one.ref))
    return cloth.press(Takes(SEATS[seat], len(hand.laid)), hand.ref)


@EACH
def test_a_slip_of_the_key_is_taken_back_by_naming_who_takes_the_next_card(game):
    """rules.md B.4 IR-15, R-004-18: those are missed draws; a card that is still to come is none."""
    deal, seat, card = OWED[game]
    meant = Cloth(game).cards(deal).takes(seat).cards(card).close()
    cloth = Cloth(game).cards(deal).close()
    assert [kind.endswith("-missed-draw") for kind in cloth.holds] == [True]
    assert SEATS[seat] in cloth.view.takers
    assert cloth.view.taker_of == len(cloth.hand.laid)
    assert "takes" in cloth.view.acts
    assert slip(cloth, seat) == ""
    assert (cloth.holds, cloth.asks[:2]) == (set(), ("card-for", SEATS[seat].value))
    cloth.cards(card).close()
    assert cloth.line == meant.line
    assert cloth.kinds == []
    assert cloth.conserved()


@EACH
def test_the_cards_lie_face_down_again_as_if_the_key_had_never_been_pressed(game):
    """rules.md C.6: nothing that is shown after the slip depends on a face that is down."""
    deal, seat, _ = OWED[game]
    untouched = Cloth(game).cards(deal).takes(seat)
    cloth = Cloth(game).cards(deal).close()
    slip(cloth, seat)
    assert cloth.view == untouched.view
    assert set(cloth.points.values()) == {None}
    assert cloth.hand == untouched.hand


@EACH
def test_a_card_that_opened_the_next_hand_since_comes_back_to_its_own(game):
    """rules.md C.6: no shoe can tell a late card from the next hand's first; whoever says so is believed."""
    deal, seat, card = OWED[game]
    cloth = Cloth(game).cards(deal).close()
    ref = cloth.hand.ref
    cloth.cards(card)
    assert cloth.view.unsettled[0].takers[0] in {SEATS[seat], *cloth.table.game.sides}
    assert slip(cloth, seat, ref) == ""
    assert cloth.table.unsettled == {}
    assert (cloth.hand.ref, len(cloth.hand.laid)) == (ref, len(deal.split()) + 1)
    assert cloth.hand.laid[-1].spot == (SEATS[seat], 3)
    assert [laid.exposed for laid in cloth.hand.laid] == [False] * len(deal.split()) + [True]
    assert [fact["hand"] for fact in cloth.told(FactName.HAND_ABANDONED)] == [2]
    cloth.close()
    assert (cloth.kinds, cloth.table.phase) == ([], Phase.WAITING)
    assert cloth.conserved()
    cloth.cards("2S")
    assert (cloth.hand.number, len(cloth.hand.laid)) == (2, 1)


def test_two_cards_that_came_since_are_the_two_that_were_drawn():
    """R-002-21, R-002-27: the first for the punter, so that the second is the banker's."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH").close()
    ref = cloth.hand.ref
    cloth.cards("9S 5C")
    assert [seat.value for seat in cloth.view.unsettled[0].takers] == ["punter"]
    assert slip(cloth, "P", ref) == ""
    cloth.close()
    assert (cloth.line["punter"], cloth.line["banker"]) == (["2C", "2D", "9S"], ["2H", "AH", "5C"])
    assert cloth.kinds == []


@pytest.mark.parametrize("since", ["9S 5C 2S", "9S 5C 2S 3S"])
def test_more_cards_than_the_hand_can_have_are_the_next_hands(since):
    """R-002-21, R-000-40: one card a hand at most."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH").close()
    ref = cloth.hand.ref
    cloth.cards(since)
    assert cloth.view.unsettled[0].takers == ()
    assert slip(cloth, "P", ref) == "bad-taker"


def test_a_next_hand_of_which_a_card_was_ruled_on_keeps_its_cards():
    """rules.md 1.5 BURN: somebody has said already whose those cards are."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH").close()
    ref = cloth.hand.ref
    cloth.cards("9S")
    assert cloth.apply("IR-02", Remedy.BURN, 0) == ""
    assert slip(cloth, "P", ref) == "bad-taker"


def test_a_true_missed_draw_stands_as_before():
    """rules.md B.4 IR-15, R-004-18: the result stands."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H").close()
    assert cloth.apply("IR-15", Remedy.CORRECT) == ""
    assert (cloth.result, cloth.kinds) == ("banker", ["punter-missed-draw"])


def test_a_draw_that_is_missed_after_all_is_told_again():
    """FD-P1: the slip is taken back, then the hand is turned without the card."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH").close()
    slip(cloth, "B")
    cloth.cards("5C").close()
    assert cloth.holds == {"punter-missed-draw"}
    assert cloth.told_incidents("punter-missed-draw") == 2
    assert cloth.accept().kinds == ["punter-missed-draw"]


def test_a_taken_card_lies_open_still_when_a_slip_is_taken_back():
    """R-000-39: only what the key had turned is face down again."""
    cloth = Cloth("las_vegas").cards("2C 2H 6D AD 4H TC").takes("L").cards("9S").close()
    assert cloth.holds == {"right-missed-draw", "left-false-draw"}
    assert slip(cloth, "B") == ""
    assert cloth.holds == set()
    assert [laid.exposed for laid in cloth.hand.laid] == [False] * 6 + [True]


def test_a_dealer_alone_does_not_take_back_a_close_where_a_supervisor_decides_on_draws():
    """rules.md 1.6, B.4 IR-15: a missed draw is not mended by who dealt it."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H")
    cloth.press(OnDuty(Post.DEALER, "7"), "")
    cloth.press(OnDuty(Post.SUPERVISOR, "8"), "")
    cloth.close()
    assert slip(cloth, "P") == "supervisor-decides"
    house = Cloth("chemin_tableau", decides=(("IR-15", Post.DEALER),)).cards("2C 2H 2D 5H")
    house.press(OnDuty(Post.DEALER, "7"), "")
    house.close()
    assert slip(house, "P") == ""


def test_a_close_is_not_undone_by_half_a_word():
    """Only who names the card behind the last one says that the hand was not over."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H").close()
    assert cloth.press(Takes(SEATS["P"])) == "bad-taker"


def test_a_hand_that_stands_is_not_gone_on_with():
    """R-002-28: what nothing held is closed, and a closed hand takes no card."""
    cloth = Cloth("chemin_tableau").cards("3C 2H 3D 4H").close()
    assert cloth.press(Takes(SEATS["P"], 4), cloth.view.hand_ref) == "moved-on"


def test_a_hand_opened_by_mistake_after_the_cut_card_is_none_of_those_that_may_follow():
    """rules.md C.4: the hands after the cut card are counted by those that are dealt."""
    cloth = Cloth("chemin_tableau", hands_after_cut=1).cards("2C 2H")
    cloth.hear(CutCardOut())
    cloth.cards("2D 5H").close()
    ref = cloth.hand.ref
    cloth.cards("9S")
    slip(cloth, "P", ref)
    cloth.close()
    assert cloth.view.prompt.id == "prompt.last-hand"


def test_a_restart_and_a_replay_keep_what_the_key_had_turned():
    """The journal's inputs give the same facts; the state that is written brings the slip back too."""
    cloth = Cloth("foster").cards("KC 2H 6D 7D 4H TC").close()
    again = Cloth("foster")
    restore(again.table, taken(cloth.table))
    again.keys = cloth.keys
    for one in (cloth, again):
        slip(one, "B")
        one.cards("9S").close()
    assert again.line == cloth.line
    assert taken(again.table) == taken(cloth.table)


def test_a_preview_says_that_the_hand_goes_on_and_changes_nothing():
    """rules.md C.6: it is asked of a copy that knows open faces only."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H").close()
    before = taken(cloth.table)
    asked = Command("x", Takes(SEATS["P"], 4), cloth.hand.ref)
    shown = preview(cloth.table, Input(asked, by="staff:8"), ident="1", name="Table 1")
    assert (shown.why, shown.result, shown.holds, shown.public.prompt.id) == ("", None, (), "prompt.card-for")
    assert {spot.card for seat in shown.seats for spot in seat.spots} == {None}
    assert taken(cloth.table) == before


@pytest.mark.parametrize(("deal", "seat"), [("2C 2H 2D 5H", "Y"), ("KC KH 7D 5H", "B")])
def test_pbi_05_in_punto_banco_the_owed_card_follows_the_key_whether_it_was_a_slip_or_not(deal, seat):
    """rules.md PBI-05, R-PB-03, R-PB-04: before any later card it is drawn now; the page says for whom."""
    cloth = Cloth("punto-banco").cards(deal).close()
    assert (cloth.holds, cloth.asks[:2]) == (set(), ("draws", SEATS[seat].value))
    cloth.cards("9S")
    assert cloth.line[SEATS[seat].value][-1] == "9S"
    assert cloth.kinds == []


@pytest.mark.parametrize("up", list(Deal))
def test_pbi_05_a_card_taken_for_the_owed_one_opens_the_next_hand_once_a_person_says_so(up):
    """rules.md PBI-05, C.6: the draw was missed, the next hand begun; no shoe tells, so its card closed this one."""
    cloth = Cloth("punto-banco", deal=up).cards("2C 2H 2D 5H")
    if up is Deal.FACE_DOWN:
        cloth.close()
    cloth.cards("9S")
    ref = cloth.view.hand_ref
    assert (cloth.table.hand, cloth.result) == (None, "banker")
    spots = [Placed(at, SEATS[word[0]], int(word[1])) for at, word in enumerate(DEAL)]
    assert cloth.press(Relay((*spots, Placed(4, fate=Fate.NEXT))), ref) == ""
    corrected = cloth.told(FactName.HAND_CORRECTED)[-1]
    assert (corrected["player"], corrected["result"]) == (["2C", "2D"], "banker")
    assert [one["kind"] for one in corrected["irregularities"]] == ["player-missed-draw"]
    assert cloth.conserved()
    cloth.cards("8C")
    assert [(str(laid.card), laid.spot[0]) for laid in cloth.hand.laid] == [("9S", SEATS["Y"]), ("8C", SEATS["B"])]
    assert cloth.told_incidents("carried-seen") == 1
    assert cloth.conserved()


def test_a_card_of_a_closed_hand_is_no_later_hands_once_another_was_begun():
    """rules.md 1.5 NEXT: the order of the shoe rules."""
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP).cards("2C 2H 2D 5H 9S")
    ref = cloth.view.hand_ref
    cloth.cards("8C")
    spots = [Placed(at, SEATS[word[0]], int(word[1])) for at, word in enumerate(DEAL)]
    assert cloth.press(Relay((*spots, Placed(4, fate=Fate.NEXT))), ref) == "bad-layout"


def test_the_stakes_of_a_hand_that_goes_on_lie_on_it_still():
    """R-000-07, R-002-16: a card that opened the next hand by mistake moves no money, the result moves it once."""
    cloth = Cloth("chemin_tableau", money=terms_of(GAMES["chemin_tableau"], Money.BANK, {}))
    assert cloth.press(ShowBank(1_000)) == ""
    assert cloth.press(SetCover(SEATS["P"], 100)) == ""
    cloth.cards("2C 2H 2D 5H").close()
    ref = cloth.hand.ref
    cloth.cards("9S")
    assert slip(cloth, "P", ref) == ""
    assert (cloth.table.staked, cloth.table.bank and cloth.table.bank.stage) == (ref, Stage.CLOSED)
    cloth.close()
    settled = [moved for moved in cloth.told(FactName.BANK_MOVED) if moved["act"] == "SettleSides"]
    assert [moved["hand"] for moved in settled] == [1]
    assert (cloth.table.staked, cloth.told_incidents("bank-unsettled")) == ("", 0)
