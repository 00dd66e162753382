"""A later word on a settled hand moves its money, or says who owes what; no money comes or goes by it."""

from __future__ import annotations

import pytest

from controller.core.bank import Money, SetCover, SetStake, ShowBank, Sit, Stage
from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.facts import FactName
from controller.core.inputs import Act, BlindHands, Correct, MarkHand, Placed, Relay, Sort, Void
from controller.core.profile import Deal
from controller.core.showing import public_view
from controller.core.signals import Call
from controller.core.snapshot import restore, taken
from controller.core.watching import pit_view
from tests.rules.cloth import SEATS, Cloth
from tests.rules.test_money_at_the_table import BANKER_WINS, PUNTERS_WIN, TIE, bank, terms

NEXT_HAND = "5D 5S 2D 4S"  # 7 against 9
PAID = {"banker": (980, 1), "punter": (0, 2), "tie": (600, 1)}  # bank and banker, of 600 with 400 covered, rake 20


def chemin(cards: str, cover: int = 400, money: Money = Money.BANK) -> Cloth:
    """One settled hand of chemin de fer: 600 in the bank, 400 covered, 5 per cent rake."""
    cloth = Cloth("chemin_tableau", money=terms("chemin_tableau", money))
    assert cloth.press(ShowBank(600)) == ""
    laid = SetCover(Seat.PUNTER, cover) if money is Money.BANK else SetStake(3, "punter", cover)
    assert cloth.press(laid) == ""
    return cloth.cards(cards).close()


def later(cloth: Cloth, act: Act) -> str:
    """Give an act for the first hand."""
    return cloth.press(act, cloth.table.records[1].hand.ref)


def sums(cloth: Cloth) -> dict[str, int]:
    return {one.name: one.amount for one in bank(cloth).accounts if one.amount}


def conserved(cloth: Cloth) -> bool:
    """Whether all accounts come to nothing, and every movement told gives the accounts that stand."""
    told: dict[str, int] = {}
    for fact in cloth.told(FactName.BANK_MOVED):
        for entry in fact["entries"]:
            told[entry["source"]] = told.get(entry["source"], 0) - entry["amount"]
            told[entry["target"]] = told.get(entry["target"], 0) + entry["amount"]
    return sum(sums(cloth).values()) == 0 and {name: one for name, one in told.items() if one} == sums(cloth)


def kinds(cloth: Cloth) -> list[str]:
    return [kind for incident in cloth.table.incidents.values() for kind in incident.kinds]


@pytest.mark.parametrize("money", [Money.BANK, Money.FULL])
@pytest.mark.parametrize(
    ("cards", "call", "end"),
    [
        (BANKER_WINS, Call.PUNTER, "punter"),
        (BANKER_WINS, Call.TIE, "tie"),
        (PUNTERS_WIN, Call.BANKER, "banker"),
        (PUNTERS_WIN, Call.TIE, "tie"),
        (TIE, Call.BANKER, "banker"),
        (TIE, Call.PUNTER, "punter"),
    ],
)
def test_a45_r_002_16_17_29_a_corrected_result_pays_as_if_it_had_been_called_at_once(money, cards, call, end):
    """faults.md A 45, rules.md R-002-16, 17, 19, 29, R-FRC-05: bank, rake, riding stakes and banker follow."""
    cloth = chemin(cards, money=money)
    assert later(cloth, Correct(call)) == ""
    straight = chemin({"banker": BANKER_WINS, "punter": PUNTERS_WIN, "tie": TIE}[end], money=money)
    assert cloth.table.bank == straight.table.bank
    assert (bank(cloth).sum, bank(cloth).banker) == PAID[end]
    assert conserved(cloth)
    assert cloth.told(FactName.BANK_MOVED)[-1]["act"] == "Correction"
    assert cloth.told(FactName.BANK_OWED) == []


def test_a45_a_voided_hand_gives_its_stakes_back_and_may_be_corrected_again():
    """faults.md A 45, rules.md 1.5 VOID: bets are returned; a still later word moves them once more."""
    cloth = chemin(BANKER_WINS)
    before = cloth.table.bank
    assert later(cloth, Void()) == ""
    assert (bank(cloth).sum, bank(cloth).covered, sums(cloth)) == (600, 0, {"bank": 600, "place:1": -600})
    assert later(cloth, Correct(Call.BANKER)) == ""
    assert cloth.table.bank == before
    assert conserved(cloth)


def test_r_000_44_52_53_each_side_of_a_corrected_hand_is_settled_apart_and_its_seats_move_by_the_last_word():
    """rules.md R-000-44, R-000-52, R-000-53: right had won and left lost; it was the other way round."""
    cloth = Cloth("foster", money=terms("foster", rake_bp=0))
    for act in (ShowBank(1_000), SetCover(Seat.RIGHT, 300), SetCover(Seat.LEFT, 200)):
        assert cloth.press(act) == ""
    cloth.cards("5C AC 5H 4C AD 2H").close()  # right 9, left 2, banker 7
    assert later(cloth, Correct(Call.BANKER_LEFT)) == ""
    assert (bank(cloth).sum, sums(cloth)["punters"]) == (1_100, -100)
    assert [(one.side.value, one.place) for one in bank(cloth).holders] == [("right", 2), ("left", 6)]
    assert conserved(cloth)


def test_a_closed_hand_that_is_relaid_pays_by_its_cards_as_they_lie():
    """rules.md R-000-43: nobody called a result, the cards gave it; laid otherwise they give another."""
    cloth = chemin(BANKER_WINS)  # 5C 2C with the punter, 5H 4H with the banker
    spots = tuple(Placed(at, SEATS[spot[0]], int(spot[1])) for at, spot in enumerate(["B1", "P1", "B2", "P2"]))
    assert later(cloth, Relay(spots, ("wrong-order",))) == ""
    assert cloth.table.records[1].outcome is Call.PUNTER
    assert (bank(cloth).sum, bank(cloth).banker) == PAID["punter"]
    assert conserved(cloth)


def test_r_pb_07_a_side_bet_follows_the_face_that_is_put_right():
    """rules.md R-PB-07, C.3: the last card of Banker was no four but a three, and Dragon 7 loses."""
    cloth = Cloth(
        "punto-banco",
        deal=Deal.FACE_UP,
        decks=8,
        money=terms("punto-banco", Money.FULL, bets=("player", "banker", "tie", "dragon-7")),
    )
    for act in (SetStake(1, "banker", 200), SetStake(2, "dragon-7", 10)):
        assert cloth.press(act) == ""
    cloth.cards("2C 2D 3H AH TC 4S")  # Player 5 draws a ten: 5; Banker 3 draws a four: 7
    assert (sums(cloth)["place:1"], sums(cloth)["place:2"]) == (190, 400)
    spots = ["Y1", "B1", "Y2", "B2", "Y3", "B3"]
    placed = [Placed(at, SEATS[spot[0]], int(spot[1])) for at, spot in enumerate(spots)]
    placed[5] = Placed(5, Seat.BANKER, 3, card=Card.parse("3S"))
    assert later(cloth, Relay(tuple(placed))) == ""
    assert (sums(cloth)["place:1"], sums(cloth)["place:2"]) == (190, -10)
    assert conserved(cloth)


def test_what_was_done_about_money_since_is_done_again():
    """faults.md A 45: a newcomer and a cover of the next coup stay; the wrong coup's money goes back all the same."""
    cloth = chemin(BANKER_WINS)
    for act in (ShowBank(2_000), SetCover(Seat.PUNTER, 500)):
        assert cloth.press(act) == ""
    assert later(cloth, Void()) == ""
    assert (bank(cloth).sum, bank(cloth).covered, bank(cloth).stage) == (2_000, 500, Stage.OPEN)
    assert sums(cloth) == {"bank": 2_000, "stakes": 500, "place:1": -2_000, "punters": -500}
    assert conserved(cloth)
    cloth.cards(NEXT_HAND).close()
    assert bank(cloth).sum == 2_475


def owed(cloth: Cloth) -> list[tuple[str, str, int]]:
    told = cloth.told(FactName.BANK_OWED)
    return [(one["source"], one["target"], one["amount"]) for one in told[-1]["entries"]] if told else []


@pytest.mark.parametrize("after", ["dealt", "played", "shown"])
def test_a45_where_a_later_hand_was_played_on_the_money_it_is_said_who_owes_what(after):
    """faults.md A 45: the ledger of the later hand stays as it is; who must settle by hand reads the amounts."""
    cloth = chemin(BANKER_WINS)
    if after == "shown":  # the banker who lost by the last word has added to his bank: that cannot be done again
        assert cloth.press(ShowBank(2_000)) == ""
    else:
        cloth.cards(NEXT_HAND)
    if after == "played":
        cloth.close()
    before = cloth.table.bank
    assert later(cloth, Correct(Call.PUNTER)) == ""
    assert cloth.table.bank == before
    assert sorted(owed(cloth)) == [("place:1", "punters", 780), ("rake", "punters", 20)]
    assert "bank-by-hand" in kinds(cloth)
    view = pit_view(cloth.table, public_view(cloth.table, ident="1", name="Table 1"))
    said = [one for incident in view.incidents for one in (incident.sentence, *incident.more)]
    assert [(one.id, dict(one.blanks)) for one in said if one.id.startswith("owed.")] == [
        ("owed.place-gives", {"n": "1", "amount": "780"}),
        ("owed.gets", {"account": "punters", "amount": "800"}),
        ("owed.gives", {"account": "rake", "amount": "20"}),
    ]
    assert later(cloth, Correct(Call.BANKER)) == ""  # and back: the opposite is owed, and nothing moves
    assert sorted(owed(cloth)) == [("punters", "place:1", 780), ("punters", "rake", 20)]
    assert cloth.table.bank == before
    assert conserved(cloth)


def test_a_correction_that_changes_no_money_says_nothing():
    """faults.md A 45: nothing was covered."""
    cloth = chemin(BANKER_WINS, cover=0)
    cloth.cards(NEXT_HAND).close()
    assert later(cloth, Correct(Call.TIE)) == ""
    assert owed(cloth) == []
    assert "bank-by-hand" not in kinds(cloth)


def test_a48_a_correction_after_a_restart_moves_the_same_money():
    """faults.md A 48: what a hand stood on is part of the table's state."""
    cloth = chemin(BANKER_WINS)
    assert cloth.press(Sit(5)) == "seat-taken"
    assert cloth.press(ShowBank(2_000)) == ""
    again = Table(cloth.table.house, identifies=cloth.table.identifies)
    restore(again, taken(cloth.table))
    cloth.table = again
    assert later(cloth, Void()) == ""
    assert (bank(cloth).sum, bank(cloth).covered) == (2_000, 0)
    assert conserved(cloth)


def test_a35_the_stakes_of_a_hand_that_waits_are_settled_by_it_and_not_by_the_next():
    """faults.md A 35, rules.md R-000-07: the next hand's stakes were never made, and its result takes none."""
    cloth = Cloth("chemin_tableau", money=terms("chemin_tableau"))
    for act in (ShowBank(600), SetCover(Seat.PUNTER, 400)):
        assert cloth.press(act) == ""
    cloth.cards("2C 2H 2D 5H 9S").close()  # nobody said who took the nine
    ref = cloth.hand.ref
    cloth.cards(NEXT_HAND)
    assert "bank-not-ready" in kinds(cloth)
    assert cloth.press(SetCover(Seat.PUNTER, 500)) == "stakes-closed"
    cloth.close()
    assert bank(cloth).covered == 400
    cloth.takes("P", ref)
    assert (bank(cloth).sum, bank(cloth).covered) == (980, 0)
    assert conserved(cloth)


def test_r_000_07_a_bank_shown_after_the_first_card_is_none_of_this_hands():
    """rules.md R-000-07, R-FRC-08: cards came before the bank was shown; now it is too late for this hand."""
    cloth = Cloth("chemin_tableau", money=terms("chemin_tableau")).cards("5C")
    assert cloth.press(ShowBank(600)) == "stakes-closed"
    cloth.cards("5H 2C 4H").close()
    assert sums(cloth) == {}
    assert cloth.press(ShowBank(600)) == ""


def test_r_000_07_a_hand_is_not_marked_free_once_its_stakes_are_closed():
    """rules.md R-000-07, IR-01: marking it would give the stakes back; the coup is played for them."""
    cloth = Cloth("chemin_tableau", money=terms("chemin_tableau"))
    for act in (ShowBank(600), SetCover(Seat.PUNTER, 400)):
        assert cloth.press(act) == ""
    cloth.cards("5C")
    assert cloth.press(MarkHand(Sort.FREE)) == "stakes-closed"
    cloth.cards("5H 2C 4H").close()
    assert (bank(cloth).sum, bank(cloth).covered) == (980, 0)


def test_bets_that_need_cards_nobody_saw_go_back_and_are_told():
    """faults.md A 49, rules.md R-PB-12: a blind hand's pairs are not known; a person settles them."""
    cloth = Cloth("punto-banco", decks=8, money=terms("punto-banco", Money.FULL))
    assert cloth.press(SetStake(1, "player", 100)) == ""
    assert cloth.press(BlindHands((Call.PLAYER,)), "") == ""
    assert (bank(cloth).stage, sums(cloth)) == (Stage.OPEN, {})
    assert "bank-unsettled" in kinds(cloth)
