"""faults.md A 44, 45: why a past hand is corrected, and why a shoe is begun though no cut card showed."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.facts import Audience
from controller.core.inputs import Accept, Correct, NewShoe, Placed, Relay, Void
from controller.core.profile import NewShoes
from controller.core.signals import Call, CutCardOut
from controller.core.words import fact_dict, from_dict, to_dict
from controller.recall.ledger import Ledger, hand_cells
from tests.faults.felt import BANKER_WINS, B, Felt, P

AS_THEY_LIE = tuple(Placed(at, seat, index) for at, (seat, index) in enumerate([(P, 1), (B, 1), (P, 2), (B, 2)]))


def needing(*what: str, **choices: Any) -> Felt:
    felt = Felt(reason_needed=what, **choices)
    felt.hand(BANKER_WINS, "banker")
    return felt


def test_a45_the_reason_of_a_correction_is_a_fact_for_staff_and_none_for_players():
    felt = needing()
    told = felt.ask(Correct(Call.TIE, "called wrong"), "1-1", by="staff:7")
    assert (told[0]["fact"], told[0]["reason"], told[0]["by"]) == ("CommandAccepted", "called wrong", "staff:7")
    assert "called wrong" not in repr(felt.below(Audience.PIT))
    assert "called wrong" not in repr(felt.view)


def test_a45_without_a_reason_a_fact_is_as_it_was_before_there_were_any():
    felt = needing()
    assert "reason" not in felt.ask(Correct(Call.TIE), "1-1")[0]


@pytest.mark.parametrize("act", [Correct(Call.TIE), Void(), Relay(AS_THEY_LIE)], ids=["correct", "void", "relay"])
def test_a45_a_house_may_ask_for_a_reason_for_each_change_of_a_closed_hand(act):
    felt = needing("correct")
    assert felt.ask(act, "1-1")[0].get("why") == "needs-reason"
    assert felt.ask(from_dict(to_dict(act) | {"reason": " "}), "1-1")[0].get("why") == "needs-reason"
    assert felt.results == ["banker"]
    assert felt.ask(from_dict(to_dict(act) | {"reason": "keyed wrong"}), "1-1")[0]["fact"] == "CommandAccepted"


@pytest.mark.parametrize("reason", ["\u200b", " \u00a0\u3000", "\u2060\ufeff", "\u0007", "\u034f", "\u3164\u2800"])
def test_a45_a_reason_that_nobody_can_see_is_none(reason: str):
    """faults.md A 45; docs/operating.md, `reason_needed`: a reason must be given."""
    felt = needing("correct")
    assert felt.ask(Correct(Call.TIE, reason), "1-1")[0].get("why") == "needs-reason"
    assert felt.results == ["banker"]


@pytest.mark.parametrize("reason", ["7", "?", "错", "\u200bkeyed", "لا"])
def test_a45_one_character_that_shows_is_a_reason_in_any_script(reason: str):
    """faults.md A 45: whoever corrects may write as the house does."""
    assert needing("correct").ask(Correct(Call.TIE, reason), "1-1")[0]["fact"] == "CommandAccepted"


def test_a45_an_open_hand_is_settled_without_a_reason():
    felt = needing("correct", "new_shoe")
    felt.draw("P1:2S")
    assert felt.ask(Void())[0]["fact"] == "CommandAccepted"


def test_a45_the_export_of_a_hand_has_the_reason_of_each_correction():
    felt = needing()
    felt.ask(Correct(Call.TIE, "called wrong"), "1-1", by="staff:7")
    felt.ask(Correct(Call.PLAYER), "1-1", by="staff:8")
    ledger = Ledger("b1")
    for fact in felt.facts:
        ledger.take(fact_dict(fact))
    [row] = ledger.hands.values()
    assert [one.get("reason") for one in row["corrections"]] == ["called wrong", None]
    assert " by 7 (called wrong); tie until " in " ".join(map(str, hand_cells(row)))


def test_a44_a_new_shoe_before_the_cut_card_showed_asks_for_its_reason_where_the_house_does():
    felt = needing("new_shoe")
    assert felt.ask(NewShoe(), "")[0]["why"] == "needs-reason"
    told = felt.ask(NewShoe(reason="a torn card"), "")
    assert (told[0]["reason"], felt.table.shoe.number) == ("a torn card", 2)


def test_a44_after_the_cut_card_a_new_shoe_asks_for_none():
    felt = needing("new_shoe")
    felt.say(CutCardOut())
    assert felt.ask(NewShoe(), "")[0]["fact"] == "CommandAccepted"


def test_a44_at_a_shoe_that_tells_no_cut_card_a_new_shoe_asks_for_none():
    felt = needing("new_shoe", cut_card_by=0)
    assert felt.ask(NewShoe(), "")[0]["fact"] == "CommandAccepted"


@pytest.mark.parametrize("cut", [False, True])
def test_a44_a_shoe_that_the_wire_proposes_is_confirmed_with_a_reason_unless_the_cut_card_had_shown(cut):
    felt = needing("new_shoe", new_shoe=NewShoes.CONFIRM)
    if cut:
        felt.say(CutCardOut())
    felt.burn("2C", 2)
    assert felt.view.proposed
    if not cut:
        assert felt.ask(NewShoe("S-1"), "")[0]["why"] == "needs-reason"
        accept = Accept(tuple(hold.id for hold in felt.view.holds))
        assert felt.ask(accept, "")[0]["why"] == "needs-reason"
        assert felt.view.proposed
    reason = "" if cut else "changed by the shift"
    assert felt.ask(NewShoe("S-1", reason), "")[0]["fact"] == "CommandAccepted"
    assert not felt.view.proposed


@pytest.mark.parametrize("kind", ["void", "correct", "relay", "new_shoe"])
def test_an_act_that_was_recorded_before_there_were_reasons_reads_as_one_without(kind: str):
    """Design, section 1: an old journal replays to the same facts."""
    acts = {"void": Void(), "correct": Correct(Call.TIE), "relay": Relay(AS_THEY_LIE), "new_shoe": NewShoe("S")}
    written = to_dict(acts[kind])
    assert "reason" not in written  # and what is recorded without one is written as it was
    assert from_dict(written) == acts[kind]
    assert to_dict(from_dict(written | {"reason": "keyed wrong"}))["reason"] == "keyed wrong"
