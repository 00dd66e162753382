"""After a person said how the cards lie the hand goes on in the same machine; what was seen stays known."""

from __future__ import annotations

import pytest

from controller.core.cards import Card, Seat
from controller.core.inputs import Accept, Apply, Fate, KeyCard, Placed, Relay, Takes, Turned
from controller.core.machine import Phase
from controller.core.remedies.situations import Remedy
from controller.core.signals import CardDrawn
from controller.core.snapshot import restore, taken
from tests.rules.cloth import SEATS, Cloth

PUNTER_STANDS = "3C 2H 3D 4H"  # punter 6 stands; banker 6 stands on that
BOTH_DRAW = "2C 2H 2D AH 9S 5C"  # punter 4 draws a nine: 3; banker 3 may draw: 8
NEXT_DEAL = "9C 9S TC TH"


def spots(text: str) -> tuple[Placed, ...]:
    """Cards as `P1 B1 x > >`: `x` is burnt, `>` opens the next hand unseen, `>s` seen."""
    fates = {"x": (Fate.BURNT, False), ">": (Fate.NEXT, False), ">s": (Fate.NEXT, True)}
    return tuple(
        Placed(at, fate=fates[word][0], seen=fates[word][1])
        if word in fates
        else Placed(at, SEATS[word[0]], int(word[1:]), seen=False)
        for at, word in enumerate(text.split())
    )


def incidents(cloth: Cloth) -> list[str]:
    return [kind for incident in cloth.table.incidents.values() for kind in incident.kinds]


def test_a_relay_finishes_a_hand_that_was_ended():
    """rules.md 1.5 CORRECT, R-002-28: turned while nobody had said who took the fifth card; then it is laid."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H 9S").close()
    assert cloth.holds == {"taker-unknown"}
    assert cloth.press(Relay(spots("P1 B1 P2 B2 P3"))) == ""
    assert cloth.table.hand is None
    assert cloth.result == "banker"  # punter 4 and a nine: 3; banker 7 stands
    assert cloth.kinds == []
    assert cloth.conserved()


def test_a_relay_of_an_ended_hand_tells_what_the_hand_lacks_and_holds_for_it():
    """rules.md A.5 FD-P1: laid with the banker, the punter's four had no card."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H 9S").close()
    cloth.press(Relay(spots("P1 B1 P2 B2 B3")))
    assert "punter-missed-draw" in cloth.holds
    assert cloth.press(Accept(tuple(hold.id for hold in cloth.hand.holds))) == ""
    assert "punter-missed-draw" in cloth.kinds


def test_a_relay_that_changes_nothing_lifts_nothing_that_is_still_wrong():
    """rules.md 1.5: an irregularity is let stand by who was shown it, not by telling the same cards again."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H").close()
    assert cloth.holds == {"punter-missed-draw"}
    assert cloth.press(Relay(spots("P1 B1 P2 B2"))) == ""
    assert cloth.holds == {"punter-missed-draw"}
    assert cloth.press(Relay(spots("P1 B1 P2 B2"), ("punter-missed-draw",))) == ""
    assert cloth.table.hand is None


def test_a_relay_in_mid_hand_leaves_the_next_card_to_be_drawn():
    """rules.md 1.5 BURN: a card too many goes out, the hand goes on."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH 7C")
    assert cloth.press(Relay(spots("P1 B1 P2 B2 x"))) == ""
    cloth.takes("P").cards("9S").takes("B").cards("5C").close()
    assert cloth.result == "banker"
    assert cloth.kinds == []
    assert cloth.conserved()


def test_an_earlier_hand_that_was_ended_is_finished_by_a_relay_too():
    """faults.md A 35: the next hand is dealt while the earlier one waits for who took its card."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H 9S").close()
    ref = cloth.hand.ref
    cloth.cards(NEXT_DEAL)
    assert ref in cloth.table.unsettled
    assert cloth.press(Relay(spots("P1 B1 P2 B2 P3")), ref) == ""
    assert cloth.table.unsettled == {}
    assert cloth.line["result"] == "banker"
    assert len(cloth.hand.laid) == 4


@pytest.mark.parametrize("kept", [2, 3])
def test_several_cards_are_kept_for_the_next_hand_in_the_order_of_the_shoe(kept):
    """rules.md 1.5 NEXT: each card that came too early opens the next hand, the first of them first."""
    faces = ["4C", "4S", "TC"][:kept]
    cloth = Cloth("chemin_tableau").cards(PUNTER_STANDS + " " + " ".join(faces))
    assert cloth.press(Relay(spots("P1 B1 P2 B2" + " >" * kept))) == ""
    assert cloth.conserved()
    cloth.close()
    assert cloth.table.hand is None
    again = Cloth("chemin_tableau")
    restore(again.table, taken(cloth.table))  # a restart in between keeps them
    again.cards("TH")
    assert [str(laid.card) for laid in again.hand.laid] == [*faces, "TH"]
    assert [laid.exposed for laid in again.hand.laid] == [False] * (kept + 1)
    assert again.conserved()


def test_a_whole_deal_that_lies_on_the_felt_is_the_next_hand_at_once():
    """A forgotten close that is told on the `!` page: no further card has to come."""
    cloth = Cloth("chemin_tableau").cards(PUNTER_STANDS + " " + NEXT_DEAL)
    assert cloth.press(Relay(spots("P1 B1 P2 B2 > > > >"))) == ""
    cloth.close()
    assert cloth.result == "tie"
    assert [(str(laid.card), laid.exposed) for laid in cloth.hand.laid] == [(face, False) for face in NEXT_DEAL.split()]
    cloth.close()
    assert [line["result"] for line in cloth.lines()] == ["tie", "tie"]
    assert cloth.conserved()


def test_a_second_card_kept_by_remedy_goes_before_the_one_kept_first():
    """rules.md C.5 PBI-08 NEXT: the last card is named first, the shoe's order rules."""
    cloth = Cloth("punto-banco").cards("2S 3H 4C 5D 9C 8C")
    for place in (5, 4):
        assert cloth.press(Apply("PBI-08", Remedy.NEXT, (place,))) == ""
    assert [str(carry.card) for carry in cloth.table.carried] == ["9C", "8C"]
    assert cloth.conserved()


def test_pbi_08_a_card_that_was_seen_stays_known_when_a_relay_moves_it():
    """rules.md C.4, C.5: a carried card that was seen is pointed out, and nobody turns it face down again."""
    cloth = Cloth("chemin_tableau").cards(PUNTER_STANDS + " 4C 4S")
    cloth.press(Relay(spots("P1 B1 P2 B2 >s >")))
    cloth.close().cards("TC")
    assert [laid.exposed for laid in cloth.hand.laid] == [True, False, False]
    assert "carried-seen" in incidents(cloth)


@pytest.mark.parametrize("named", [True, False])
def test_a_card_that_was_named_and_seen_stays_known_when_it_opened_the_next_hand(named):
    """rules.md C.4, R-000-39, R-002-22: a taken card lies face up; moved by a forgotten close it is known still."""
    cloth = Cloth("chemin_tableau").cards(PUNTER_STANDS + " 9S")
    if named:
        cloth.takes("P")
        assert cloth.hand.laid[4].exposed
    cloth.opened_next(4)
    assert cloth.result == "tie"
    assert [laid.exposed for laid in cloth.hand.laid] == [named]
    assert ("carried-seen" in incidents(cloth)) is named
    assert cloth.conserved()


def test_an_unread_third_card_is_one_incident_whoever_took_it():
    """faults.md A 12, rules.md PBI-12: named later it is the same card still, and one keyed face settles it."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D 5H")
    cloth.hear(CardDrawn(None, None, None, unread=True))
    assert incidents(cloth).count("unread-card") == 1
    assert cloth.press(Takes(Seat.PUNTER)) == ""
    cloth.press(Turned())
    assert incidents(cloth).count("unread-card") == 1
    assert [hold.id for hold in cloth.hand.holds if hold.kind == "unread-card"] == ["unread-card:3:punter"]
    assert cloth.press(KeyCard(Seat.PUNTER, 3, Card.parse("9S"))) == ""
    assert cloth.table.hand is None
    assert cloth.result == "banker"
    assert cloth.told_incidents("unread-card") == 1


def test_two_unread_third_cards_are_two_incidents():
    """faults.md A 12: each card has its own."""
    cloth = Cloth("chemin_tableau").cards("2C 2H 2D AH")
    for _ in range(2):
        cloth.hear(CardDrawn(None, None, None, unread=True))
    cloth.close()
    assert cloth.told_incidents("unread-card") == 2
    assert {hold.id for hold in cloth.hand.holds} == {"unread-card:3:punter", "unread-card:3:banker"}
    for seat, face in ((Seat.PUNTER, "9S"), (Seat.BANKER, "5C")):
        assert cloth.press(KeyCard(seat, 3, Card.parse(face))) == ""
    assert (cloth.table.hand, cloth.table.phase) == (None, Phase.WAITING)
    assert cloth.result == "banker"


@pytest.mark.parametrize("game", ["punto-banco", "chemin_tableau", "foster", "las_vegas"])
@pytest.mark.parametrize("index", [1, 2, 3, 4])
def test_a_card_laid_on_any_spot_while_the_deal_goes_on_makes_no_card_out_of_nothing(game, index):
    """rules.md T5: what a person says of one card proves nothing of cards that a shoe without names never told of."""
    for seat in (letter for letter, seat in SEATS.items() if seat in Cloth(game).table.game.seats):
        cloth = Cloth(game).cards("KS")
        cloth.lie(f"{seat}{index}")
        cloth.cards("4S JD 2H 3H 5H")
        assert [str(card) for card in cloth.table.shoe.faces] == ["KS", "4S", "JD", "2H", "3H", "5H"]
        assert not {"link-gap", "wrong-slot"} & set(incidents(cloth))
        assert len({laid.spot for laid in cloth.hand.laid if laid.seat}) == len(
            [one for one in cloth.hand.laid if one.seat]
        )
        assert cloth.conserved()


def test_a_spot_that_is_filled_is_never_the_next_cards():
    """rules.md T5: a card that order gives a seat lies beside the seat's others, wherever a person laid them."""
    cloth = Cloth("chemin_tableau").cards("KH")
    cloth.lie("B2")
    cloth.cards("9D 6H 9H")
    assert (Seat.BANKER, 3) in {laid.spot for laid in cloth.hand.laid}
    cloth.lie("P1 B1 P2 B2")
    assert cloth.holds == set()
    cloth.close()
    assert (cloth.result, cloth.kinds) == ("banker", [])
