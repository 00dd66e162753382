"""A remedy is given only where its situation can be there, and lifts what it is about (rules.md B.4, C.5)."""

from __future__ import annotations

import pytest

from controller.core.bank import Money, SetCover, ShowBank, Stage
from controller.core.cards import Seat
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Apply, Command, Input
from controller.core.offers import fitting, offers
from controller.core.previewing import Preview, preview
from controller.core.profile import Closes, Deal, House
from controller.core.remedies.situations import Remedy
from controller.moneysettings import terms_of
from controller.pit import rehearsal
from tests.rules.cloth import Cloth

LAWFUL = "2S 5H KD 2C KD 2D"


def banked(game: str) -> Cloth:
    """A table that keeps the bank, with 1,000 shown and 10 on its first side."""
    cloth = Cloth(game, money=terms_of(GAMES[game], Money.BANK, {}))
    assert cloth.press(ShowBank(1_000)) == ""
    assert cloth.press(SetCover(cloth.table.game.sides[0], 10)) == ""
    return cloth


def stage(cloth: Cloth) -> Stage:
    assert cloth.table.bank is not None
    return cloth.table.bank.stage


def tried(cloth: Cloth, act: Apply) -> Preview:
    return preview(cloth.table, Input(Command("t", act, cloth.hand.ref), by="staff:7"), ident="1", name="1")


def opened(cloth: Cloth) -> list[bool]:
    return [told["bets_open"] for told in cloth.told(FactName.REMEDY_APPLIED)]


def test_ir_04_a_missed_draw_of_an_open_hand_is_not_put_right_as_a_misdeal():
    """rules.md IR-04: before looked at; the false or missed draw is IR-15's."""
    cloth = Cloth("chemin_tableau").cards("2S 5H AD 2C").close()
    held = cloth.holds
    assert "punter-missed-draw" in held
    assert cloth.apply("IR-04", Remedy.CORRECT) == "needs-going-on"
    assert cloth.holds == held
    assert cloth.apply("IR-15", Remedy.CORRECT) == ""


def test_ir_04_once_a_third_card_lies_open_no_misdeal_is_put_right_and_no_bet_reopens():
    """rules.md IR-04, R-000-12, R-000-13: until cards are seen."""
    cloth = banked("foster").cards(f"{LAWFUL} 4C").takes("R")
    assert cloth.apply("IR-04", Remedy.CORRECT) == "needs-unseen"
    assert stage(cloth) is Stage.CLOSED


def test_ir_03_a_card_that_somebody_took_is_not_the_bankers():
    """rules.md IR-03: a card that both refused."""
    cloth = Cloth("chemin_tableau").cards("2S 5H 4D KD 4C").takes("P")
    assert cloth.apply("IR-03", Remedy.TO_BANKER, 4) in {"needs-loose", "bad-layout"}
    cloth.close()
    assert cloth.apply("IR-03", Remedy.TO_BANKER, 4) == "needs-going-on"
    assert cloth.holds == {"punter-false-draw"}


def test_ir_02_a_card_drawn_falsely_is_no_faced_card():
    """rules.md IR-02: on appearance."""
    cloth = Cloth("chemin_tableau").cards("2S 5H 4D KD 9C").takes("P")
    assert cloth.apply("IR-02", Remedy.BURN, 4) == "needs-faced"
    cloth.close()
    assert cloth.apply("IR-02", Remedy.BURN, 4) == "needs-going-on"
    assert cloth.basket() == []


@pytest.mark.parametrize(
    ("ident", "remedy", "places"),
    [
        ("IR-08", Remedy.ONE_CARD, ()),
        ("IR-08b", Remedy.MIN_POINT, ()),
        ("IR-11", Remedy.PICK, (6,)),
        ("IR-12", Remedy.TO_BANKER, (6,)),
        ("IR-14", Remedy.PICK, (6,)),
    ],
)
def test_ir_08_11_12_14_a_lawful_hand_loses_no_card(ident, remedy, places):
    """rules.md IR-08, IR-08b, IR-11, IR-12, IR-14: what the layout shows not to be there is not put right."""
    seat = "B" if ident == "IR-08b" else "R"
    cloth = Cloth("foster").cards(f"{LAWFUL} 9C").takes(seat)
    assert cloth.apply(ident, remedy, *places) in {"needs-proved", "bad-layout"}
    assert cloth.basket() == []


@pytest.mark.parametrize(
    ("game", "cards", "seat"), [("foster", "2S 5H KD 2H 2C 6C", "R"), ("chemin_tableau", "2S 5H 2H KD", "P")]
)
def test_ir_06_a_card_that_was_drawn_is_none_too_many_on_the_deal(game, cards, seat):
    """rules.md IR-06, A5, R-000-39: the deal only; his drawn card lies open, and goes nowhere unseen (R-000-17)."""
    cloth = Cloth(game).cards(cards).takes(seat).cards("KH")
    last = len(cloth.hand.laid) - 1
    assert cloth.apply("IR-06", Remedy.REFUSE, seat=seat) == "needs-dealt"
    assert cloth.apply("IR-06", Remedy.PICK, last) == "needs-dealt"
    assert cloth.apply("IR-06", Remedy.PICK, 0) == "needs-dealt"
    assert (cloth.basket(), cloth.holds) == ([], set())


def test_ir_09_a_bankers_first_card_in_its_turn_is_no_late_one():
    """rules.md IR-09: a player had his second before the banker's first."""
    cloth = Cloth("foster").cards("2S 5H KD 2C")
    assert cloth.apply("IR-09", Remedy.ZERO_HAND) == "needs-proved"
    assert cloth.basket() == []


def test_ir_14_of_two_cards_drawn_only_one_of_them_goes():
    """rules.md IR-14, R-000-47: he keeps either of the two, not one that was dealt to him."""
    cloth = Cloth("foster").cards(f"{LAWFUL} 5C 9C").lie("R1 L1 B1 R2 L2 B2 R3 R4")
    assert cloth.apply("IR-14", Remedy.PICK, 0) == "needs-second-drawn"
    assert cloth.apply("IR-14", Remedy.PICK, 6) == ""


def punto(cards: str) -> Cloth:
    return Cloth("punto-banco", deal=Deal.FACE_UP, closes=Closes.SHOE).cards(cards)


@pytest.mark.parametrize(
    ("ident", "remedy", "place", "why"),
    [
        ("PBI-08", Remedy.NEXT, 3, "needs-surplus"),
        ("PBI-09", Remedy.BURN, 1, "needs-faced"),
        ("PBI-02", Remedy.BURN, 3, "needs-possible"),
        ("PBI-01", Remedy.BURN, 3, "needs-possible"),
    ],
)
def test_pbi_01_02_08_09_a_lawful_card_of_punto_banco_stays(ident, remedy, place, why):
    """rules.md C.5 PBI-01, PBI-02, PBI-08, PBI-09."""
    cloth = punto("2S 3H 4D KC")  # Player 6 stands, Banker 3 is to draw
    assert cloth.apply(ident, remedy, place) == why
    assert len(cloth.hand.laid) == 4


def test_pbi_08_a_card_that_is_owed_is_none_too_many():
    """rules.md C.5 PBI-08: surplus is what the rules do not ask for."""
    cloth = punto("2S 3H 3D KC 5C")  # Player 5 draws
    assert cloth.apply("PBI-08", Remedy.BURN, 4) == "needs-surplus"


def test_pbi_07_a_note_lifts_nothing_and_lets_no_card_too_many_stand():
    """rules.md C.5 PBI-07: a card exposed early is all that it is about."""
    cloth = punto("2C 3D 4H 4S 9C")
    held = cloth.holds
    assert held
    assert cloth.apply("PBI-07", Remedy.CORRECT) == ""
    assert cloth.holds == held


def test_pbi_15_a_hold_of_surveillances_stays_whatever_else_is_ruled():
    """rules.md C.5 PBI-15: only the supervisor's word for it lifts it."""
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP, closes=Closes.SHOE, decks=1).cards("9S 2H 4C 9S KD")
    assert "impossible-card" in cloth.holds
    for ident in ("PBI-07", "PBI-13", "PBI-18"):
        assert cloth.apply(ident, Remedy.CORRECT) == ""
        assert "impossible-card" in cloth.holds
    assert cloth.apply("PBI-15", Remedy.SUPERVISOR) == ""
    assert "impossible-card" not in cloth.holds


# ---- bets ----------------------------------------------------------------------------------------------------------


def test_ir_07_r_000_18_19_bets_change_first_and_the_bankers_cards_are_shown_after():
    """rules.md IR-07: AMEND, then expose; what is shown, recorded and done is one thing."""
    cloth = banked("foster").cards("9H 9D KC TH TD 9C 3C").lie("R1 L1 B1 R2 L2 B2 B3")
    act = Apply("IR-07", Remedy.MIN_POINT)
    assert rehearsal.bets(tried(cloth, act), act).id == "ruling.amends-first"
    assert cloth.press(act) == ""
    assert (stage(cloth), opened(cloth), cloth.basket()) == (Stage.REOPENED, [True], [])
    assert not any(laid.exposed for laid in cloth.hand.laid)
    assert cloth.press(SetCover(Seat.LEFT, 900)) == ""
    assert rehearsal.bets(tried(cloth, act), act).id == "ruling.no-amends"
    assert cloth.press(act) == ""
    assert (stage(cloth), opened(cloth), cloth.basket()) == (Stage.CLOSED, [True, False], ["KC"])
    assert cloth.press(SetCover(Seat.LEFT, 0)) == "stakes-closed"


def test_ir_07_r_000_18_no_bet_changes_once_every_hand_lies_open():
    """rules.md R-000-07, R-000-13, R-000-18."""
    cloth = banked("foster").cards("KS 5H KD 3S 2C 5C")
    assert cloth.apply("IR-10", Remedy.BAR, seat="R") == ""  # all three lie open from here
    cloth.cards("3C").takes("B")
    act = Apply("IR-07", Remedy.MIN_POINT)
    assert rehearsal.bets(tried(cloth, act), act).id == "ruling.no-amends"
    assert cloth.press(act) == ""
    assert (stage(cloth), opened(cloth), cloth.basket()) == (Stage.CLOSED, [False, False], ["5C"])
    assert cloth.press(SetCover(Seat.LEFT, 900)) == "stakes-closed"


def test_ir_07_r_000_18_a_card_too_many_that_the_key_named_opens_the_bets_as_any_other():
    """rules.md IR-07, R-000-18, R-000-39: a drawn card lies face up, and shows nobody's hand."""
    cloth = banked("foster").cards("KS 5H KD 3S 2C 9C 3C").takes("B")
    act = Apply("IR-07", Remedy.MIN_POINT)
    assert rehearsal.bets(tried(cloth, act), act).id == "ruling.amends-first"
    assert cloth.press(act) == ""
    assert (stage(cloth), opened(cloth), cloth.basket()) == (Stage.REOPENED, [True], [])
    assert cloth.press(SetCover(Seat.LEFT, 20)) == ""
    assert cloth.press(act) == ""
    assert (stage(cloth), opened(cloth), cloth.basket()) == (Stage.CLOSED, [True, False], ["KD"])
    assert cloth.press(SetCover(Seat.LEFT, 0)) == "stakes-closed"
    cloth.close()
    assert cloth.apply("IR-07", Remedy.MIN_POINT) != ""


def test_r_000_13_stakes_that_were_opened_stay_as_they_are_once_the_cards_are_turned():
    """rules.md R-000-13: before cards are seen."""
    cloth = banked("foster").cards("2S 5H KD 2C KD 2D")
    assert cloth.apply("IR-04", Remedy.CORRECT) == ""
    assert cloth.press(SetCover(Seat.LEFT, 20)) == ""
    assert cloth.apply("IR-10", Remedy.BAR, seat="R") == ""  # all three lie open from here
    assert cloth.press(SetCover(Seat.LEFT, 900)) == "stakes-closed"


def test_r_frc_03_a_house_that_never_reopens_promises_and_records_no_change_of_bets():
    """rules.md R-FRC-03, A18."""
    cloth = banked("chemin_tableau").cards("2S 5H 5D 3D").lie("P1 P2 B1 B2")
    act = Apply("IR-04", Remedy.MOVE)
    assert rehearsal.bets(tried(cloth, act), act).id == "ruling.no-amends"
    assert cloth.press(act) == ""
    assert (opened(cloth), stage(cloth)) == ([False], Stage.CLOSED)


# ---- what is tried, and what a holder chose -------------------------------------------------------------------------


def test_ir_07_r_000_19_a_preview_says_that_hidden_faces_decide_and_the_remedy_is_given():
    """rules.md IR-07, R-000-18..20: what can be done is not refused when it is tried."""
    cloth = Cloth("foster").cards(f"{LAWFUL} 9C").takes("B")
    act = Apply("IR-07", Remedy.MIN_POINT)
    told = tried(cloth, act)
    assert (told.why, told.faces_decide, told.moves) == ("", True, ())
    assert cloth.press(act) == ""
    assert (cloth.basket(), cloth.hand.ended) == (["KD"], False)


@pytest.mark.parametrize("first", [Remedy.REFUSE, Remedy.PLAY])
@pytest.mark.parametrize("then", [Remedy.REFUSE, Remedy.PLAY])
@pytest.mark.parametrize("ident", ["IR-05"])
def test_ir_05_r_000_15_a_choice_binds(ident, first, then):
    """rules.md R-000-15: what the holder chose once is chosen."""
    cloth = Cloth("las_vegas").cards(LAWFUL)
    assert cloth.apply(ident, first, seat="R") == ""
    assert cloth.apply(ident, then, seat="R") == "choice-binds"
    assert cloth.apply(ident, then, seat="L") == ""


def test_ir_05_r_000_15_a_side_that_gave_up_is_asked_for_nothing():
    """rules.md R-000-15, R-004-11: the left is asked next, and the right's card would be a false draw."""
    cloth = Cloth("las_vegas").cards(LAWFUL)
    assert cloth.apply("IR-05", Remedy.REFUSE, seat="R") == ""
    assert cloth.asks[1] == "left"
    cloth.cards("3D").takes("R")
    assert cloth.holds == {"right-false-draw"}


# Situations that a game's seats rule out (rules.md B.4): chemin de fer has one hand against the bank, no left one.
CANNOT_BE = {"chemin_free": {"IR-12"}, "chemin_tableau": {"IR-12"}, "chemin_tableau_no_option": {"IR-12"}}


@pytest.mark.parametrize("game", GAMES)
def test_only_what_a_games_seats_can_have_is_offered_whatever_the_house_says_of_it(game):
    """rules.md B.4, C.5: IR-12 is of the left hand; a silent rule of it is no choice of anybody's."""
    for remedies in ((), (("IR-12", (Remedy.SUPERVISOR,)),)):
        house = House(game=GAMES[game], remedies=remedies)
        assert house.situations.keys() - {one.id for one in offers(house).situations} == CANNOT_BE.get(game, set())


def test_a_second_card_drawn_in_chemin_de_fer_points_to_no_left_hand():
    """rules.md B.4 IR-11, IR-12, IR-14."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH 9S 5C 7C")
    assert "extra-card" in cloth.holds
    fits = fitting(cloth.table.house, cloth.hand)
    assert ("IR-14" in fits, "IR-12" in fits) == (True, False)
