"""The one sentence for the dealer: the next step before it happens, and in hidden mode only what the wire proves."""

from __future__ import annotations

import tomllib

import pytest

from controller.core.cards import Card, Seat
from controller.core.games import GAMES
from controller.core.inputs import OpenedNext, Takes, Turned
from controller.core.profile import Burn, Closes, Deal
from controller.core.signals import CardDrawn, CutCardOut, Identifies, OffGameCardDrawn, OffGameMode
from tests.faults.felt import BANKER_WINS, Felt


def told(felt: Felt) -> tuple[str, dict[str, str], str]:
    prompt = felt.view.prompt
    return prompt.id, dict(prompt.blanks), prompt.rule


OPEN = {
    "": ("prompt.waiting", {}, ""),
    "P1:2D": ("prompt.card-next", {"seat": "banker", "n": "1"}, "R-PB-01"),
    "P1:2D B1:AH": ("prompt.card-next", {"seat": "player", "n": "2"}, "R-PB-01"),
    "P1:2D B1:AH P2:3C": ("prompt.card-next", {"seat": "banker", "n": "2"}, "R-PB-01"),
    "P1:2D B1:AH P2:3C B2:2D": ("prompt.draws", {"seat": "player"}, "R-PB-03"),
    "P1:2D B1:AH P2:3C B2:2D P3:4S": ("prompt.draws", {"seat": "banker"}, "R-PB-05"),
    "P1:2D B1:AH P2:3C B2:2D P3:8S": ("prompt.stands-over", {"seat": "banker"}, "R-PB-05"),
    "P1:2D B1:AH P2:3C B2:2D P3:4S B3:5C": ("prompt.press-result", {"n": "6"}, ""),
    "P1:2C B1:KH P2:4H B2:5D": ("prompt.draws", {"seat": "banker"}, "R-PB-04"),
    "P1:2C B1:KH P2:4H B2:6D": ("prompt.stands-over", {"seat": "banker"}, "R-PB-04"),
    "P1:2C B1:KH P2:4H B2:5D B3:9C": ("prompt.press-result", {"n": "5"}, ""),
    "P1:9S B1:2H P2:KC B2:4D": ("prompt.natural", {}, "R-PB-02"),
    "P1:2S B1:3H P2:4C B2:5D": ("prompt.natural", {}, "R-PB-02"),
}

HIDDEN = {
    "P1": ("prompt.card-next", {"seat": "banker", "n": "1"}, "R-PB-01"),
    "P1 B1 P2": ("prompt.card-next", {"seat": "banker", "n": "2"}, "R-PB-01"),
    "P1 B1 P2 B2": ("prompt.cards-out", {"n": "4"}, ""),
    "P1 B1 P2 B2 P3": ("prompt.lay", {"seat": "player", "n": "5"}, ""),
    "P1 B1 P2 B2 B3": ("prompt.lay", {"seat": "banker", "n": "5"}, ""),
    "P1 B1 P2 B2 P3 B3": ("prompt.turn", {"seat": "banker", "n": "6"}, ""),
}


@pytest.mark.parametrize(("dealt", "expected"), OPEN.items())
def test_face_up_the_next_step_is_told_before_it_happens(dealt, expected):
    felt = Felt(identifies=Identifies.AT_DRAW)
    felt.draw(dealt)
    assert told(felt) == expected


@pytest.mark.parametrize(("dealt", "expected"), HIDDEN.items())
@pytest.mark.parametrize("identifies", [Identifies.AT_REVEAL, Identifies.AT_DRAW])
def test_face_down_only_the_wire_speaks(dealt, expected, identifies):
    """The shoe may know the faces or not: players see the dealer's page, so the prompt is the same."""
    faces = dict(zip(["P1", "B1", "P2", "B2", "P3", "B3"], ["9S", "2H", "KC", "4D", "3C", "3D"], strict=True))
    felt = Felt(deal=Deal.FACE_DOWN, identifies=identifies)
    known = identifies is Identifies.AT_DRAW
    felt.draw(" ".join(f"{spot}:{faces[spot]}" if known else spot for spot in dealt.split()))
    assert told(felt) == expected


def test_after_the_faces_hidden_mode_tells_what_the_rules_say():
    felt = Felt(deal=Deal.FACE_DOWN, identifies=Identifies.AT_REVEAL)
    felt.draw("P1 B1 P2 B2")
    felt.show(BANKER_WINS)
    assert told(felt)[0] == "prompt.natural"


def test_between_hands_the_end_of_the_shoe_is_told():
    felt = Felt(hands_after_cut=1)
    felt.hand(BANKER_WINS, "banker")
    felt.say(CutCardOut())
    assert told(felt)[0] == "prompt.last-hand"
    felt.hand(BANKER_WINS, "banker")
    assert told(felt)[0] == "prompt.shoe-finished"


def test_a_note_changes_no_prompt():
    felt = Felt()
    felt.draw("P1:2D")
    before = told(felt)
    felt.say(OffGameCardDrawn(OffGameMode.SETTING, 0, None))
    assert told(felt) == before


def test_every_prompt_and_hold_that_can_be_told_is_in_the_catalogue(repository):
    """Every sentence that a person reads has an id in one catalogue (design.md section 1)."""
    from controller.core.facts import Audience
    from controller.core.incidents import KINDS, Lifts

    words = tomllib.loads((repository / "controller" / "sentences" / "en.toml").read_text(encoding="utf-8"))
    for expected in (*OPEN.values(), *HIDDEN.values()):
        assert expected[0].removeprefix("prompt.") in words["prompt"]
    for kind, how in KINDS.items():
        secret = how.audience is Audience.SURVEILLANCE
        assert secret or how.lifts is Lifts.NOTHING or kind in words["hold"], kind
        assert ("alarm" if secret else kind) in words["incident"], kind


CHEMIN = {
    "2H 3H 2S": ("prompt.card-next", {"seat": "banker", "n": "2"}, "R-002-12"),
    "2H 3H 2S 3S": ("prompt.card-or-none", {"seat": "punter", "then": "banker"}, "FD-B3"),
    "2H 3H 2S 3S :punter": ("prompt.card-for", {"seat": "punter"}, ""),
    "2H 3H 2S 3S :punter 4H": ("prompt.card-or-turn", {"seat": "banker"}, ""),
    "2H 3H 2S 3S 4H": ("prompt.who-took", {"n": "5"}, ""),
    "2H 3H 2S 3S 4H :banker": ("prompt.turn-close", {}, ""),
    "2H 3H 2S 3S 4H 5H": ("prompt.turn-close", {}, ""),
    "2H 3H 2S 3S 4H T": ("prompt.who-took", {"n": "5"}, ""),
}
FOSTER = {
    "2H 3H 4H 2S 3S 4S": ("prompt.offer", {"seat": "right", "then": "left"}, "R-000-33"),
    "2H 3H 4H 2S 3S 4S 5S": ("prompt.who-took", {"n": "7"}, ""),
    "2H 3H 4H 2S 3S 4S 5S :right": ("prompt.card-or-none", {"seat": "left", "then": "banker"}, ""),
    "2H 3H 4H 2S 3S 4S 5S :left": ("prompt.card-or-turn", {"seat": "banker"}, ""),
    "2H 3H 4H 2S 3S 4S 5S 6S 7S": ("prompt.turn-close", {}, ""),
}
LAS_VEGAS = {"2H 3H 4H 2S 3S 4S": ("prompt.looks-first", {"seat": "right", "then": "banker"}, "R-004-08")}
OLD_GAMES = [
    (game, dealt, expected)
    for game, rows in (("chemin_tableau", CHEMIN), ("foster", FOSTER), ("las_vegas", LAS_VEGAS))
    for dealt, expected in rows.items()
]


def sat(game: str, deal: Deal = Deal.FACE_DOWN) -> Felt:
    choices = {"game": GAMES[game], "decks": 6, "closes": Closes.CONTROLLER, "burn": Burn.NONE}
    return Felt(deal=deal, identifies=Identifies.AT_DRAW, **choices)


def play(felt: Felt, dealt: str) -> None:
    """Deal cards of a shoe that names no seat; `:seat` says who takes, T turns the cards."""
    for word in dealt.split():
        if word == "T":
            felt.ask(Turned())
        elif word.startswith(":"):
            felt.ask(Takes(Seat(word[1:])))
        else:
            felt.say(CardDrawn(None, None, Card.parse(word)))


@pytest.mark.parametrize(("game", "dealt", "expected"), OLD_GAMES)
def test_where_people_decide_the_prompt_asks_whose_turn_it_is(game, dealt, expected):
    """Promised: deal order and count say almost everything; R-002-21, R-000-33, R-004-08."""
    felt = sat(game)
    play(felt, dealt)
    assert told(felt) == expected


@pytest.mark.parametrize("dealt", ["9H 3H KS 3S", "2H 3H 2S 3S", "5H KH KS 7S"])
def test_while_a_hand_is_face_down_card_and_stand_stay_open_to_it(dealt):
    """Promised: the console offers what is lawful by public knowledge only, whatever the faces are."""
    felt = sat("chemin_tableau")
    play(felt, dealt)
    assert {"turned", "takes"} <= set(felt.view.acts)
    assert felt.view.takers == (Seat.PUNTER, Seat.BANKER)


def test_a_card_that_a_seat_has_passed_is_not_offered_to_it():
    """R-000-35: who refused cannot come back once a later seat has taken."""
    felt = sat("foster")
    play(felt, "2H 3H 4H 2S 3S 4S 5S :left")
    assert felt.view.takers == (Seat.BANKER,)


def test_the_turn_is_not_offered_before_the_cards_are_dealt():
    felt = sat("chemin_tableau")
    play(felt, "2H 3H 2S")
    assert not {"turned", "takes", "opened_next"} & set(felt.view.acts)


def test_a_hand_with_faces_up_is_closed_by_the_same_key():
    """Promised: one key exposes and closes, also where nothing is hidden."""
    felt = sat("chemin_free", Deal.FACE_UP)
    play(felt, "2H KH 2S 2D")
    assert told(felt) == ("prompt.draws", {"seat": "punter"}, "R-002-22")
    play(felt, "AH")
    assert told(felt) == ("prompt.may-draw", {"seat": "banker"}, "R-002-27")
    assert "turned" in felt.view.acts
    play(felt, "T")
    assert felt.results == ["punter"]


def test_a_forgotten_close_is_offered_once_a_card_too_many_is_out():
    felt = sat("chemin_tableau")
    play(felt, "7H 7D KS JC")
    assert "opened_next" not in felt.view.acts
    play(felt, "4H")
    assert felt.view.openers == (4,)
    felt.ask(OpenedNext(4))
    assert (felt.results, told(felt)[0]) == (["tie"], "prompt.card-next")


def test_each_side_of_banque_has_its_own_counts():
    """R-000-44: the sides are independent of each other."""
    felt = sat("foster")
    play(felt, "9H 3H 2S KD 4S KC T")
    play(felt, "2H 3D 9S 2D 4D QC T")
    counts = {one.side.value: (one.won, one.lost, one.tied) for one in felt.view.sides}
    assert counts == {"right": (1, 1, 0), "left": (1, 1, 0)}
