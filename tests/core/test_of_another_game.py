"""What a person says in the words of another game is refused, and the answer says what was expected."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from controller import sentences
from controller.core.cards import Card, Seat
from controller.core.inputs import BlindHands, Correct, Fate, KeyCard, ManualHand, Placed, Relay, Takes
from controller.core.signals import Call, ResultCalled
from controller.core.snapshot import taken
from tests.rules.cloth import Cloth

# Written out by the texts: who may win a hand of each game (rules.md R-PB-10, R-002-16, R-000-43, R-000-15).
ONE_SIDE = {"punto-banco": "player banker tie", "chemin_tableau": "punter banker tie"}
TWO_SIDES = {f"{right}/{left}" for right in ("right", "banker", "tie", "void") for left in ("left", "banker", "tie")}
TWO_SIDES |= {f"{right}/void" for right in ("right", "banker", "tie")}
RESULTS = {game: set(words.split()) for game, words in ONE_SIDE.items()} | {"foster": TWO_SIDES}
SEATS = {
    "punto-banco": {Seat.PLAYER, Seat.BANKER},
    "chemin_tableau": {Seat.PUNTER, Seat.BANKER},
    "foster": {Seat.RIGHT, Seat.LEFT, Seat.BANKER},
}
NAMED = {"punto-banco": "player", "chemin_tableau": "punter", "foster": "right-left"}
FIRSTS = "2C 3D 4H 5S AC AD"
GAMES = sorted(SEATS)
SENTENCES = Path(next(iter(sentences.__path__)))


def first_cards(cloth: Cloth) -> tuple[Placed, ...]:
    faces = map(Card.parse, FIRSTS.split())
    deal = cloth.table.game.deal
    return tuple(
        Placed(at, seat, deal[: at + 1].count(seat), card=face)
        for at, (seat, face) in enumerate(zip(deal, faces, strict=False))
    )


def untouched(cloth: Cloth) -> dict:
    return {key: value for key, value in taken(cloth.table).items() if key != "commands"}


@pytest.mark.parametrize("call", Call)
@pytest.mark.parametrize("game", GAMES)
def test_a49_a_result_is_taken_if_and_only_if_the_game_has_it(game, call):
    """faults.md A 49, rules.md R-PB-10, R-000-43: blind, keyed or corrected, one side's word alone is none of two."""
    cloth = Cloth(game)
    lawful = call.value in RESULTS[game]
    before = untouched(cloth)
    for act in (BlindHands((call,)), ManualHand(first_cards(cloth), call)):
        why = cloth.press(act, "")
        assert why == ("" if lawful else f"result-of-{NAMED[game]}")
    assert lawful or untouched(cloth) == before


@pytest.mark.parametrize("game", GAMES)
def test_a45_a_closed_hand_is_not_corrected_to_a_result_of_another_game(game):
    """faults.md A 45."""
    cloth = Cloth(game)
    tie = {"foster": Call.TIE_TIE}.get(game, Call.TIE)
    assert cloth.press(BlindHands((tie,)), "") == ""
    ref, before = cloth.table.results[-1].hand.ref, untouched(cloth)
    for call in Call:
        if call.value not in RESULTS[game]:
            assert cloth.press(Correct(call), ref) == f"result-of-{NAMED[game]}"
    assert untouched(cloth) == before


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("game", GAMES)
def test_a_seat_that_the_game_does_not_have_is_refused_with_the_ones_it_has(game, seat):
    """rules.md R-PB-01, R-002-12, R-000-01..04: a card lies with a seat of the deal."""
    if seat in SEATS[game]:
        return
    why = f"seats-of-{NAMED[game]}"
    cloth = Cloth(game)
    strange = (*first_cards(cloth), Placed(len(cloth.table.game.deal), seat, 3, card=Card.parse("9C")))
    result = {"foster": Call.TIE_TIE}.get(game, Call.TIE)
    assert cloth.press(ManualHand(strange, result), "") == why
    cloth.cards(FIRSTS if game == "foster" else "2C 3D 4H 5S")
    spots = [Placed(at, laid.seat, laid.index) for at, laid in enumerate(cloth.hand.laid)]
    before = untouched(cloth)
    assert cloth.press(Relay((*spots[:-1], Placed(len(spots) - 1, seat, 2)))) == why
    assert cloth.press(KeyCard(seat, 1, Card.parse("9C"))) == why
    assert cloth.press(Takes(seat)) == why
    assert untouched(cloth) == before


def test_a_card_that_leaves_the_hand_needs_no_seat():
    """rules.md 1.5 BURN, NEXT: what lies nowhere has no seat to be wrong about."""
    cloth = Cloth("foster").cards(FIRSTS + " 9C")
    spots = [Placed(at, laid.seat, laid.index) for at, laid in enumerate(cloth.hand.laid[:6])]
    assert cloth.press(Relay((*spots, Placed(6, fate=Fate.BURNT)))) == ""


def test_a_shoe_that_calls_the_result_of_another_game_is_held_and_its_word_never_stands():
    """rules.md R-000-43: a shoe made for two hands says banker where two sides have each their own result."""
    cloth = Cloth("foster").cards("5C AC 5H 4C AD 2H")  # right 9, left 2, banker 7
    cloth.hear(ResultCalled(Call.BANKER, None))
    assert "result-mismatch" in cloth.holds
    cloth.accept()
    assert cloth.table.records[1].outcome is Call.RIGHT_BANKER


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("game", GAMES)
def test_what_was_expected_is_said_in_every_language(game, language):
    """design.md section 1: every sentence that a person reads has an id in the catalogue."""
    said = tomllib.loads((SENTENCES / f"{language}.toml").read_text(encoding="utf-8"))["rejected"]
    assert said[f"result-of-{NAMED[game]}"]
    assert said[f"seats-of-{NAMED[game]}"]
