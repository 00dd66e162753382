"""The one sentence for the dealer: the next step before it happens, and in hidden mode only what the wire proves."""

from __future__ import annotations

import tomllib

import pytest

from controller.core.profile import Deal
from controller.core.signals import CutCardOut, Identifies, OffGameCardDrawn, OffGameMode
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
