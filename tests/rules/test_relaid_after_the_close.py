"""What a person tells late of a hand counts as if it had been told in time: seats, faces and who took a card."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.core.cards import DECK, Card
from controller.core.inputs import Correct, Relay, Takes
from controller.core.signals import Call
from tests.model.games.evening import value
from tests.oracle.old_games import RULES, tell
from tests.rules.cloth import SEATS, Cloth
from tests.rules.test_laid_again import spots

WRONGLY_NAMED = "2S 5H 4D KD 4C"  # punter 6 stands; the fifth card is the banker's
LETTERS = {seat.value: letter for letter, seat in SEATS.items()}


def closed_with_a_wrong_taker() -> tuple[Cloth, str]:
    cloth = Cloth("chemin_tableau_no_option").cards(WRONGLY_NAMED).takes("P").close()
    assert cloth.holds == {"punter-false-draw", "banker-missed-draw"}
    return cloth, cloth.hand.ref


def recorded(cloth: Cloth) -> list[str]:
    record = cloth.table.records[1]
    return [one.kind for one in record.hand.line(cloth.table.game, record.outcome).irregularities]


def test_a_draw_that_was_missed_only_as_the_cards_were_named_is_not_in_the_record():
    """rules.md A.5 FD-B1: the banker has his card; held or not, the hand was lawful."""
    cloth, _ = closed_with_a_wrong_taker()
    cloth.lie("P1 B1 P2 B2 B3")
    assert (cloth.table.hand, cloth.result, cloth.kinds) == (None, "banker", [])


@pytest.mark.parametrize("closed", ["accepted", "void", "corrected"])
def test_a_closed_hands_record_keeps_no_draw_that_was_not_missed(closed):
    """rules.md A.5 FD-B1: also where it was let stand, called or void before somebody told how the cards lay."""
    cloth, ref = closed_with_a_wrong_taker()
    match closed:
        case "accepted":
            cloth.accept()
        case "void":
            cloth.void()
        case _:
            assert cloth.press(Correct(Call.BANKER), ref) == ""
    assert "banker-missed-draw" in recorded(cloth)
    assert cloth.press(Relay(spots("P1 B1 P2 B2 B3")), ref) == ""
    assert recorded(cloth) == []


def test_a_draw_that_is_missed_again_as_the_cards_are_told_holds_the_hand_again():
    """rules.md A.5 FD-B1, FD-P2: told there and back, what is wrong is wrong again."""
    cloth = Cloth("chemin_tableau_no_option").cards("2S 5H 4D KD 9C").takes("P").close()
    held = cloth.holds
    assert held == {"punter-false-draw"}
    cloth.lie("P1 B1 P2 B2 P3")
    assert cloth.holds == held


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("seed", range(25))
def test_what_is_recorded_is_what_the_texts_say_of_the_cards_as_they_were_told_to_lie(game, seed):
    """rules.md A, B and T5: takers named at random, then told; the oracle knows only how the cards lie."""
    chance = random.Random(f"{game} {seed}")
    rules = RULES[game]
    drawn = chance.randint(0, len(rules.turns) - 1)
    faces = [str(card) for card in chance.sample(DECK, len(rules.deal) + drawn)]
    named, lies = (sorted(chance.sample(rules.turns, drawn), key=rules.turns.index) for _ in range(2))
    cloth = Cloth(game).cards(" ".join(faces[: len(rules.deal)]))
    for seat, face in zip(named, faces[len(rules.deal) :], strict=True):
        cloth.takes(LETTERS[seat]).cards(face)
    cloth.close()
    if cloth.table.hand is None:
        return  # nothing was wrong
    seats = [*rules.deal, *lies]
    cloth.lie(" ".join(f"{LETTERS[seat]}{seats[: at + 1].count(seat)}" for at, seat in enumerate(seats)))
    if cloth.table.hand is not None:
        cloth.accept()
    said = tell(rules, [(seat, value(face)) for seat, face in zip(seats, faces, strict=True)])
    assert sorted(cloth.kinds) == sorted(fault[0] for fault in (*said.faults, *said.owed))


@pytest.mark.parametrize("closed", [False, True])
def test_a_face_told_once_too_often_is_an_alarm_wherever_it_is_told(closed):
    """faults.md A 39, rules.md PBI-15: a person's word for a face counts as the shoe's or a key's does."""
    cloth = Cloth("chemin_tableau", decks=1).cards("2S 5H 4D KD 4C").takes("B")
    ref = cloth.hand.ref
    if closed:
        cloth.close()
        if cloth.table.hand is not None:
            cloth.accept()
    faces = {1: "2S", 4: "2S"}
    placed = tuple(
        replace(one, card=Card.parse(faces[one.place])) if one.place in faces else one
        for one in spots("P1 B1 P2 B2 B3")
    )
    assert cloth.press(Relay(placed), ref) == ""
    assert [alarm.kind for alarm in cloth.table.alarms] == ["impossible-card"]


@pytest.mark.parametrize(("keys", "game"), [("RL", "foster"), ("P", "chemin_tableau")])
def test_a_card_that_order_gave_the_banker_may_be_named_by_the_key_too(keys, game):
    """rules.md R-000-36, R-000-39, R-002-22: before it comes or after; named, it lies face up before its owner."""
    cloth = Cloth(game).cards("2S 2H KD TH" if game == "chemin_tableau" else "2S 5H KD 2H 2C 6C")
    for key, face in zip(keys, ("KH", "4D"), strict=False):
        cloth.takes(key).cards(face)
    cloth.cards("5S")
    last = cloth.hand.laid[-1]
    assert (last.seat, last.inferred, last.exposed) == (SEATS["B"], True, False)
    assert cloth.press(Takes(SEATS["B"], len(cloth.hand.laid))) == ""
    assert (cloth.hand.laid[-1].exposed, cloth.hand.laid[-1].inferred) == (True, False)
    assert cloth.press(Takes(SEATS["B"])) == "bad-taker"
    cloth.close()
    assert cloth.table.hand is None
