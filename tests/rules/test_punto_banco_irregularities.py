"""Every irregularity of punto banco with the remedies of our default house (rules.md C.5, column GEN)."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.inputs import Apply, CloseShoe, KeyCard
from controller.core.profile import Burn
from controller.core.remedies.situations import Remedy
from controller.core.signals import CardDrawn, CutCardOut, Identifies
from tests.faults.felt import B, Felt, kinds

PLAYER_STANDS = "P1:3S B1:AH P2:4C B2:3D"  # 7 stands; Banker 4 draws
BOTH_STAND = "P1:3S B1:2H P2:4C B2:4D"  # 7 and 6
NATURAL = "P1:5S B1:2H P2:3C B2:3D"  # Player 8
PLAYER_DRAWS = "P1:2S B1:3H P2:3C B2:KD"  # Player 5 draws, Banker 3


def ruled(felt: Felt, ident: str, remedy: Remedy, *places: int) -> dict[str, Any]:
    """Apply a remedy to the open hand and return the fact that says so."""
    told = felt.ask(Apply(ident, remedy, places))
    assert told[0]["fact"] == "CommandAccepted", told
    return felt.told("RemedyApplied")[-1]


def lies(felt: Felt) -> dict[str, str]:
    """The open hand's public faces by seat."""
    return {
        seat.seat.value: " ".join(str(spot.card) for spot in seat.spots) for seat in felt.view.seats if felt.table.hand
    }


def basket(felt: Felt) -> list[str]:
    hand = felt.table.hand or felt.table.results[-1].hand
    return [str(laid.card) for laid in hand.out]


def test_pbi_01_the_card_becomes_the_bankers_where_he_owes_one():
    """rules.md PBI-01, GEN: TO_BANKER3."""
    felt = Felt()
    felt.draw(f"{PLAYER_STANDS} P3:5H")
    assert "player-false-draw:player" in felt.holds
    ruled(felt, "PBI-01", Remedy.TO_BANKER, 4)
    assert (lies(felt), basket(felt), felt.holds) == ({"player": "3S 4C", "banker": "AH 3D 5H"}, [], [])
    felt.call("banker")
    assert (felt.results, kinds(felt.line())) == (["banker"], [("player-false-draw", "player", "R-PB-03")])


def test_pbi_01_the_card_is_not_the_bankers_where_he_stands():
    """rules.md PBI-01: only if Banker owes a card."""
    felt = Felt()
    felt.draw(f"{BOTH_STAND} P3:5H")
    told = felt.ask(Apply("PBI-01", Remedy.TO_BANKER, (4,)))
    assert (told[0]["fact"], told[0]["why"]) == ("CommandRejected", "not-owed")


@pytest.mark.parametrize("remedy", [Remedy.BURN, Remedy.NEXT, Remedy.FREE_HAND])
@pytest.mark.parametrize(
    ("ident", "cards", "extra", "call"),
    [
        ("PBI-01", BOTH_STAND, "P3:5H", "player"),
        ("PBI-02", NATURAL, "P3:5H", "player"),
        ("PBI-03", BOTH_STAND, "B3:5H", "player"),
    ],
    ids=["PBI-01", "PBI-02", "PBI-03"],
)
def test_pbi_01_02_03_a_card_too_many_is_burnt_or_opens_the_next_hand_and_the_result_stands(
    remedy, ident, cards, extra, call
):
    """rules.md PBI-01..03, and the main profile switch `excess_card`; a free hand is a house's third way."""
    felt = Felt()
    felt.draw(f"{cards} {extra}")
    assert felt.holds
    ruled(felt, ident, remedy, 4)
    assert felt.holds == []
    assert basket(felt) == (["5H"] if remedy is Remedy.BURN else [])
    assert felt.view.carried_pending is (remedy is not Remedy.BURN)
    felt.call(call)
    assert (felt.results, felt.view.sort) == ([call], "free" if remedy is Remedy.FREE_HAND else "normal")
    assert [kind for kind, _, _ in kinds(felt.line())] == [f"{'banker' if extra[0] == 'B' else 'player'}-false-draw"]
    assert felt.out == 5


def test_the_kept_card_opens_the_next_hand_of_a_shoe_that_names_no_spots():
    """rules.md 1.5 NEXT."""
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw(f"{NATURAL} P3:5H")
    ruled(felt, "PBI-02", Remedy.NEXT, 4)
    felt.call("player")
    felt.say(CardDrawn(None, None, felt.table.shoe.faces[0]))
    assert lies(felt) == {"player": "5H", "banker": "5S"}
    assert felt.view.carried_pending is False
    assert felt.out == 6


def test_pbi_04_a_card_given_to_the_banker_first_is_moved_to_the_player_and_the_banker_judged_anew():
    """rules.md PBI-04: it is the right next card."""
    felt = Felt()
    felt.draw(f"{PLAYER_DRAWS} B3:8H")
    assert "player-missed-draw:player" in felt.holds
    ruled(felt, "PBI-04", Remedy.MOVE)
    assert (lies(felt), felt.holds) == ({"player": "2S 3C 8H", "banker": "3H KD"}, [])
    assert felt.view.phase == "complete"  # Banker 3 stands on an 8


def test_pbi_05_a_card_that_is_owed_is_drawn_now():
    """rules.md PBI-05: before any later card."""
    felt = Felt()
    felt.hand(PLAYER_STANDS, "player")
    assert "banker-missed-draw:banker" in felt.holds
    ruled(felt, "PBI-05", Remedy.DRAW_NOW)
    assert (felt.view.phase, felt.holds) == ("drawing", [])
    felt.draw("B3:5H")
    felt.call("banker")
    assert (felt.results, [kind for kind, _, _ in kinds(felt.line())]) == (["banker"], ["banker-missed-draw"])


def test_pbi_06_the_shoes_order_rules_and_the_layout_is_moved():
    """rules.md PBI-06."""
    felt = Felt()
    felt.draw("P1:3S P2:2H B1:4C B2:4D")
    assert any(hold.startswith("wrong-order") for hold in felt.holds)
    ruled(felt, "PBI-06", Remedy.MOVE)
    assert (lies(felt), felt.holds) == ({"player": "3S 4C", "banker": "2H 4D"}, [])


def test_pbi_07_a_card_exposed_early_but_in_order_stands():
    """rules.md PBI-07: CORRECT, log."""
    felt = Felt()
    felt.draw("P1:3S B1:2H")
    assert ruled(felt, "PBI-07", Remedy.CORRECT)["remedy"] == "correct"
    felt.draw("P2:4C B2:4D")
    felt.call("player")
    assert (felt.results, kinds(felt.line())) == (["player"], [])


@pytest.mark.parametrize("remedy", [Remedy.BURN, Remedy.NEXT])
def test_pbi_08_of_more_cards_at_once_the_surplus_is_burnt_or_kept(remedy):
    """rules.md PBI-08."""
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:3C B2:KD P3:8H")
    felt.draw("P4:9C")
    assert "extra-card:player" in felt.holds
    ruled(felt, "PBI-08", remedy, 5)
    assert (basket(felt), felt.view.carried_pending) == ((["9C"], False) if remedy is Remedy.BURN else ([], True))
    assert (lies(felt)["player"], felt.view.phase) == ("2S 3C 8H", "complete")


def test_pbi_09_a_boxed_card_is_burnt_and_the_next_one_serves():
    """rules.md PBI-09."""
    felt = Felt()
    felt.draw("P1:3S B1:2H")
    ruled(felt, "PBI-09", Remedy.BURN, 1)
    assert (lies(felt), basket(felt)) == ({"player": "3S", "banker": ""}, ["2H"])
    felt.draw("B1:4D P2:4C B2:2D")
    felt.call("player")
    assert (felt.results, felt.out) == (["player"], 5)


def test_pbi_10_a_shoe_that_runs_out_within_a_hand_voids_it_and_ends():
    """rules.md PBI-10: VOID, ENDSHOE."""
    felt = Felt()
    felt.draw("P1:3S B1:2H")
    ruled(felt, "PBI-10", Remedy.END_SHOE)
    assert (felt.results, felt.view.stage) == ([None], "finished")


@pytest.mark.parametrize(("remedy", "out"), [(Remedy.CORRECT, []), (Remedy.BURN, ["3S"])])
def test_pbi_11_a_card_detached_before_bets_close_is_given_or_burnt_and_never_goes_back(remedy, out):
    """rules.md PBI-11, faults.md A 25: a person says so, for no shoe knows of bets."""
    felt = Felt()
    felt.draw("P1:3S")
    ruled(felt, "PBI-11", remedy, 0)
    assert (basket(felt), felt.out) == (out, 1)


def test_pbi_12_an_unread_card_is_keyed_while_its_face_is_on_the_layout():
    """rules.md PBI-12."""
    felt = Felt()
    felt.draw("P1:3S B1:2H P2:4C")
    felt.say(CardDrawn(B, 2, None, unread=True))
    assert any(hold.startswith("unread-card") for hold in felt.holds)
    felt.ask(KeyCard(B, 2, felt.table.shoe.faces[0] or pytest.fail("no face")))
    assert felt.holds == []


def test_pbi_12_else_the_hand_is_void():
    """rules.md PBI-12."""
    felt = Felt()
    felt.draw("P1:3S B1:2H P2:4C")
    felt.say(CardDrawn(B, 2, None, unread=True))
    ruled(felt, "PBI-12", Remedy.VOID)
    assert felt.results == [None]


@pytest.mark.parametrize("ident", ["PBI-13", "PBI-14", "PBI-17", "PBI-18"])
def test_pbi_13_14_17_18_what_was_put_right_by_hand_is_recorded_and_the_hand_goes_on(ident):
    """rules.md PBI-13 picked up too soon, PBI-14 equipment, PBI-17 on the floor, PBI-18 damaged."""
    felt = Felt()
    felt.draw(BOTH_STAND)
    assert ruled(felt, ident, Remedy.CORRECT)["irregularity"] == ident
    felt.call("player")
    assert (felt.results, kinds(felt.line())) == (["player"], [])


def test_pbi_14_an_equipment_fault_that_affects_the_outcome_voids_the_hand():
    """rules.md PBI-14."""
    felt = Felt()
    felt.draw(BOTH_STAND)
    ruled(felt, "PBI-14", Remedy.VOID)
    assert felt.results == [None]


def test_pbi_15_an_impossible_card_stops_the_table_and_proposes_nothing():
    """rules.md PBI-15: SUPERVISOR; finished hands stand."""
    felt = Felt(decks=1)
    felt.hand("P1:9S B1:2H P2:KC B2:4D", "player")
    felt.draw("P1:9S B1:3H P2:4C")
    assert felt.holds  # of which only surveillance hears the cause
    situation = felt.table.house.situations["PBI-15"]
    assert felt.table.house.allowed(situation) == (Remedy.SUPERVISOR,)
    ruled(felt, "PBI-15", Remedy.SUPERVISOR)
    assert (felt.holds, felt.results) == ([], ["player"])


def test_pbi_16_cards_that_do_not_add_up_at_the_end_are_told():
    """rules.md PBI-16: dealt + burned + stub = 52 x decks."""
    felt = Felt(decks=1)
    felt.hand("P1:9S B1:2H P2:KC B2:4D", "player")
    felt.ask(CloseShoe(stub=47), "")
    assert "shoe-count" in felt.incidents


@pytest.mark.parametrize("others", [2, 4], ids=["one-short", "one-too-many"])
def test_pbi_19_a_wrong_burn_count_is_told_before_the_first_hand(others):
    """rules.md PBI-19."""
    felt = Felt(burn=Burn.FACE_10)
    felt.burn("3H", others)
    felt.draw("P1:3S")
    assert "burn-count" in felt.incidents


def test_pbi_20_a_hand_begun_after_the_limit_is_void_or_a_supervisors():
    """rules.md PBI-20."""
    felt = Felt(hands_after_cut=0)
    felt.say(CutCardOut())
    felt.draw("P1:3S")
    assert "late-hand" in felt.holds
    ruled(felt, "PBI-20", Remedy.VOID)
    assert felt.results == [None]


def test_a_remedy_that_the_house_does_not_have_is_refused():
    """rules.md 1.6: a profile's own actions; fr_2007 never lets a wrongly pulled card live on."""
    felt = Felt(remedies=(("PBI-02", (Remedy.BURN, Remedy.VOID)),))
    felt.draw(f"{NATURAL} P3:5H")
    told = felt.ask(Apply("PBI-02", Remedy.NEXT, (4,)))
    assert (told[0]["fact"], told[0]["why"]) == ("CommandRejected", "not-of-this-house")
    assert felt.holds


def test_later_hands_counts_and_roads_are_right_after_a_remedy():
    """Promised: after a ruling the hand goes on in the same machine."""
    felt = Felt()
    felt.draw(f"{BOTH_STAND} P3:5H")
    ruled(felt, "PBI-01", Remedy.BURN, 4)
    felt.call("player")
    felt.hand("P1:2C B1:KH P2:4H B2:6D", "tie")
    felt.hand("P1:2S B1:3H P2:4C B2:5D", "banker")
    assert felt.results == ["player", "tie", "banker"]
    assert (felt.view.counts.player, felt.view.counts.tie, felt.view.counts.banker) == (1, 1, 1)
    assert felt.out == 13
    assert [row.mark for row in felt.view.roads.bead] == ["P", "T", "B"]
