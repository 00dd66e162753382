"""What people say of cards, hands, shoes and the table's day, and what comes of it (faults.md A 45-50, design.md 3)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.core.cards import Card, Seat
from controller.core.engine import Table
from controller.core.facts import FactName
from controller.core.inputs import (
    Accept,
    Acknowledge,
    BlindHands,
    CloseTable,
    Command,
    Correct,
    Elapsed,
    Fate,
    Input,
    ManualHand,
    MarkHand,
    Moment,
    NewShoe,
    OnDuty,
    OpenTable,
    Placed,
    Post,
    Relay,
    RestOfHand,
    Review,
    Sort,
    Timer,
    Turned,
    Void,
)
from controller.core.previewing import preview
from controller.core.profile import Deal, NewShoes
from controller.core.signals import Call, ErrorCleared, ErrorRaised, Fault, PoweredUp
from controller.core.snapshot import restore, taken
from controller.core.words import fact_dict, from_dict, to_dict
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, SIX_CARDS, TIE_OF_SIX, Felt, kinds, names

P, B = Seat.PLAYER, Seat.BANKER
S = 1_000_000_000


def lies(*spots: str, **changes: Placed) -> tuple[Placed, ...]:
    """Cards as `P1 B1 ...`; a card that is no longer in the hand is given as it is by its place (`at4=...`)."""
    seats = {"P": P, "B": B}
    placed = {place: Placed(place, seats[spot[0]], int(spot[1])) for place, spot in enumerate(spots) if spot != "-"}
    placed |= {int(name[2:]): change for name, change in changes.items()}
    return tuple(placed[place] for place in sorted(placed))


def rejected(facts: list[dict[str, Any]]) -> str:
    return next((fact["why"] for fact in facts if fact["fact"] == "CommandRejected"), "")


# ---- cards as they lie ---------------------------------------------------------------------------------------------


def test_a_card_on_the_wrong_side_is_judged_although_the_wire_looked_lawful():
    """a wrong spot is thus found although the wire looked lawful. rules.md R-PB-03: Player had to draw on 5."""
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S")
    assert felt.holds == []
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "B3")))
    found = felt.told("IrregularityFound")
    assert [(one["kind"], one["rule"]) for one in found] == [("player-missed-draw", "R-PB-03")]
    assert felt.holds == ["player-missed-draw:player"]


def test_what_the_person_was_shown_holds_nothing_any_more_and_stays_on_the_line():
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S")
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "B3"), ("player-missed-draw",)))
    assert felt.holds == []
    assert felt.incidents == ["player-missed-draw"]
    felt.call("banker")
    assert ("player-missed-draw", "player", "R-PB-03") in kinds(felt.line())


def test_two_cards_exchanged_are_out_of_order():
    """rules.md R-PB-01."""
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.ask(Relay(lies("P1", "B1", "B2", "P2")))
    assert {(one["kind"], one["rule"]) for one in felt.told("IrregularityFound")} == {("wrong-order", "R-PB-01")}


def test_a_hand_relaid_closes_with_its_result_once_nothing_holds_it():
    """The result was called for the cards as they lie: Player 1+3 draws a 5 to 9, the Banker stands on 7."""
    felt = Felt()
    felt.draw("P1:AS B1:3H P2:3C B2:4D B3:5D")  # the shoe counted the third card for the Banker
    felt.call("player")
    assert felt.holds != []
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "P3")))
    assert felt.results == ["player"]
    assert kinds(felt.line()) == []


def test_a_result_is_held_against_the_cards_as_they_lie_now():
    """rules.md R-PB-10: with the exchange the other side is nearer to nine."""
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D")
    felt.call("player")
    assert felt.results == ["player"]
    ref = felt.table.results[-1].hand.ref
    felt.ask(Relay(lies("B1", "P1", "B2", "P2"), ("wrong-order",)), ref)
    line = felt.told("HandCorrected")[-1]
    assert ("result-mismatch", None, "R-PB-10") in kinds(line)
    assert ("wrong-order", "banker", "R-PB-01") in kinds(line) or ("wrong-order", None, "R-PB-01") in kinds(line)


def test_a_mismatch_that_the_true_layout_explains_is_none():
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D")
    felt.call("banker")
    assert felt.holds == ["result-mismatch"]
    felt.ask(Relay(lies("B1", "P1", "B2", "P2"), ("wrong-order",)))
    assert felt.results == ["banker"]
    assert "result-mismatch" not in [kind for kind, _, _ in kinds(felt.line())]


def test_an_unsettled_hand_can_be_relaid_and_closes():
    """faults.md A 35: the next hand is dealt while the earlier one waits."""
    felt = Felt()
    felt.draw("P1:AS B1:3H P2:3C B2:4D B3:5D")
    felt.call("player")
    ref = felt.table.hand.ref
    felt.draw(BANKER_WINS)
    assert [view.hand_ref for view in felt.view.unsettled] == [ref]
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "P3")), ref)
    assert felt.view.unsettled == ()
    assert felt.results == ["player"]


def test_a_closed_hand_is_relaid_and_the_earlier_record_is_superseded():
    felt = Felt()
    felt.hand(SIX_CARDS, "player")
    felt.hand(BANKER_WINS, "banker")
    first = felt.table.results[0].hand
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "B3", "P3")), first.ref)
    [view, _] = felt.view.results
    assert view.corrected
    assert felt.told("HandCorrected")[-1]["by"] == "staff:1042"


def test_a_card_that_opened_the_next_hand_is_carried_there():
    """faults.md A 13."""
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:5H")  # a card too many after a natural
    assert felt.holds != []
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", at4=Placed(4, fate=Fate.NEXT))))
    assert felt.view.carried_pending
    felt.call("player")
    assert felt.results == ["player"]
    assert felt.out == 5


def test_a_burnt_card_leaves_the_hand_and_stays_out_of_the_shoe():
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:5H")
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", at4=Placed(4, fate=Fate.BURNT))))
    felt.call("player")
    assert felt.results == ["player"]
    assert (felt.out, felt.table.shoe.off_game) == (5, 1)


def test_a_corrected_face_changes_points_and_composition():
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    true = Placed(3, B, 2, card=Card.parse("6D"))
    felt.ask(Relay((*lies("P1", "B1", "P2"), true)))
    assert felt.view.seats[1].points == 9
    seen = dict(felt.eye.composition)
    assert (seen[Card.parse("5D")], seen[Card.parse("6D")]) == (0, 1)


def test_a_card_that_players_have_not_seen_stays_hidden():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.ask(
        Relay(
            tuple(
                Placed(place, seat, index, seen=False)
                for place, (seat, index) in enumerate(((P, 1), (B, 1), (P, 2), (B, 2)))
            )
        )
    )
    assert [view.points for view in felt.view.seats] == [None, None]


@pytest.mark.parametrize(
    "cards",
    [
        lies("P1", "B1", "P2"),  # one card is missing
        lies("P1", "B1", "P2", "P2"),  # two on one spot
        (*lies("P1", "B1", "P2"), Placed(2, B, 2)),  # one card twice
        (*lies("P1", "B1", "P2"), Placed(3, B, 0)),
        (*lies("P1", "B1", "P2"), Placed(3, B, 2, card=Card.parse("5"))),  # a value is no face
        (),
    ],
)
def test_a_layout_that_cannot_be_is_refused_and_changes_nothing(cards):
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    before = felt.view
    assert rejected(felt.ask(Relay(cards))) == "bad-layout"
    assert felt.view == before


def test_a_hand_that_is_not_there_cannot_be_relaid():
    felt = Felt()
    felt.draw(BANKER_WINS)
    assert rejected(felt.ask(Relay(lies("P1", "B1", "P2", "B2")), "7-7")) == "moved-on"


def test_an_error_that_the_shoe_has_not_ended_still_holds_the_hand():
    """faults.md A 13: the shoe's own procedure ends an overdraw, a word about the cards does not."""
    felt = Felt()
    felt.draw("P1:2S B1:3H P2:4C B2:5D")
    felt.say(ErrorRaised(Fault.OVERDRAW, 2, error_mode=False))
    felt.ask(Relay(lies("P1", "B1", "P2", "B2")))
    assert felt.holds == ["overdraw"]
    felt.say(ErrorCleared(Fault.OVERDRAW, 2))
    assert felt.holds == []
    felt.call("banker")
    assert felt.results == ["banker"]


def test_cards_are_told_after_the_question_whose_the_next_ones_are():
    """faults.md A 10: what the shoe said since the power-up waits for that answer and must not be lost."""
    felt = Felt()
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())
    felt.draw("P2:4C B2:5D")
    assert rejected(felt.ask(Relay(lies("P1", "B1")))) == "answer-first"
    felt.ask(RestOfHand())
    assert len(felt.table.hand.laid) == 4


# ---- hands that the shoe did not tell of ----------------------------------------------------------------------------


def keyed(text: str) -> tuple[Placed, ...]:
    seats = {"P": P, "B": B}
    tokens = [token.partition(":") for token in text.split()]
    return tuple(
        Placed(place, seats[spot[0]], int(spot[1]), card=Card.parse(face))
        for place, (spot, _, face) in enumerate(tokens)
    )


def test_a_manual_hand_takes_its_number_its_road_and_its_cards():
    """faults.md A 49."""
    felt = Felt()
    felt.hand(PLAYER_WINS, "player")
    felt.ask(ManualHand(keyed(BANKER_WINS), Call.BANKER), "")
    assert felt.results == ["player", "banker"]
    assert (felt.view.result.number, felt.view.result.source, felt.view.result.points) == (2, "manual", (6, 8))
    assert felt.out == 8


def test_a_manual_hand_is_judged_as_any_other():
    """rules.md R-PB-03 and R-PB-10: Player stood on 5, and nine is more than two."""
    felt = Felt()
    felt.ask(ManualHand(keyed("P1:2D B1:9H P2:3C B2:KD"), Call.PLAYER), "")
    assert felt.incidents == ["result-mismatch"]
    assert ("result-mismatch", None, "R-PB-10") in kinds(felt.line())
    felt.ask(ManualHand(keyed("P1:2D B1:3H P2:3C B2:4D"), Call.BANKER), "")
    assert ("player-missed-draw", "player", "R-PB-03") in kinds(felt.line())


@pytest.mark.parametrize(
    ("cards", "result", "why"),
    [
        (keyed("P1:2D B1:9H P2:3C"), Call.PLAYER, "first-cards"),
        (keyed(BANKER_WINS), Call.FORCED_END, "result-of-player"),
        (keyed("P1:2D B1:9H P2:3C B2:KD P4:2H"), Call.PLAYER, "bad-layout"),
        (keyed("P1:2D B1:9H P2:3C B2:KD B2:2H"), Call.PLAYER, "bad-layout"),
        (lies("P1", "B1", "P2", "B2"), Call.PLAYER, "first-cards"),
    ],
)
def test_a_manual_hand_that_cannot_be_is_refused(cards, result, why):
    """faults.md A 49: and the answer says what is missing."""
    felt = Felt()
    assert rejected(felt.ask(ManualHand(cards, result), "")) == why
    assert felt.results == []


def test_blind_hands_stand_on_the_roads_and_tell_no_cards():
    """Promised: a pulled cable, "how many hands were dealt?"."""
    felt = Felt()
    felt.hand(PLAYER_WINS, "player")
    felt.ask(BlindHands((Call.BANKER, Call.TIE)), "")
    assert felt.results == ["player", "banker", "tie"]
    assert felt.view.counts.tie == 1
    assert [cell.mark for cell in felt.view.roads.bead] == ["P", "B", "T"]
    assert felt.out == 4
    assert kinds(felt.line()) == []
    assert felt.view.result.source == "blind"


@pytest.mark.parametrize(
    ("results", "why"),
    [((), "blind-count"), ((Call.FORCED_END,), "result-of-player"), ((Call.TIE,) * 31, "blind-count")],
)
def test_blind_hands_that_cannot_be_are_refused(results, why):
    """faults.md A 49: and the answer says what can be entered."""
    assert rejected(Felt().ask(BlindHands(results), "")) == why


def test_no_hand_is_entered_while_one_is_open():
    felt = Felt()
    felt.draw("P1:2S")
    assert rejected(felt.ask(BlindHands((Call.TIE,)))) == "hand-open"
    assert rejected(felt.ask(ManualHand(keyed(BANKER_WINS), Call.BANKER))) == "hand-open"


@pytest.mark.parametrize("sort", [Sort.FREE, Sort.DEMONSTRATION])
def test_a_hand_without_bets_is_recorded_and_stands_on_no_road(sort):
    """faults.md A 46."""
    felt = Felt()
    felt.ask(MarkHand(sort), "")
    felt.hand(PLAYER_WINS, "player")
    felt.hand(BANKER_WINS, "banker")
    assert [view.sort for view in felt.view.results] == [sort.value, "normal"]
    assert (felt.view.counts.player, felt.view.counts.banker, len(felt.view.roads.bead)) == (0, 1, 1)


def test_the_open_hand_alone_is_marked():
    felt = Felt()
    felt.draw("P1:2S")
    felt.ask(MarkHand(Sort.FREE))
    felt.draw("B1:3H P2:4C B2:5D")
    felt.call("banker")
    felt.hand(PLAYER_WINS, "player")
    assert [view.sort for view in felt.view.results] == ["free", "normal"]


# ---- the table's day ------------------------------------------------------------------------------------------------


def test_a_table_is_opened_for_a_day_and_closed():
    """faults.md A 47."""
    felt = Felt()
    felt.ask(OpenTable("2026-11-30", "100-10000"), "")
    felt.ask(OnDuty(Post.DEALER, "77"), "")
    felt.ask(OnDuty(Post.SUPERVISOR, "12"), "")
    duty = felt.pit.duty
    assert (duty.day, duty.limits, duty.dealer, duty.supervisor) == ("2026-11-30", "100-10000", "77", "12")
    felt.ask(OnDuty(Post.DEALER, "78"), "")
    assert felt.told("DutyChanged")[-1]["before"] == "77"
    felt.ask(CloseTable(), "")
    assert not felt.view.open
    assert felt.pit.duty.dealer == ""


def test_a_card_at_a_closed_table_is_an_incident_and_the_hand_goes_on():
    felt = Felt()
    felt.ask(CloseTable(), "")
    felt.hand(BANKER_WINS, "banker")
    assert felt.incidents == ["table-closed"]
    assert felt.results == ["banker"]


@pytest.mark.parametrize("day", ["", "30.11.2026", "2026-11-3", "today"])
def test_a_day_that_is_none_is_refused(day):
    assert rejected(Felt().ask(OpenTable(day), "")) == "bad-day"


def test_a_table_is_not_closed_over_an_open_hand():
    felt = Felt()
    felt.draw("P1:2S")
    assert rejected(felt.ask(CloseTable())) == "hand-open"


# ---- a proposed shoe ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["new-shoe", "accept"])
def test_old_roads_stay_until_a_person_confirms_the_new_shoe(by):
    """Promised: propose a new shoe from the wire, confirm by a hold, old roads stay until then; faults.md A 44."""
    felt = Felt(new_shoe=NewShoes.CONFIRM)
    felt.hand(BANKER_WINS, "banker")
    felt.burn("3S", 2)
    assert (felt.view.proposed, felt.view.shoe, felt.results) == (True, 1, ["banker"])
    assert felt.view.burn_left == 1
    assert felt.view.prompt.id == "prompt.new-shoe"
    if by == "accept":
        felt.accept("")
    else:
        felt.ask(NewShoe("AE-4711"), "")
        assert felt.pit.duty.serial == "AE-4711"
    assert (felt.view.proposed, felt.view.shoe, felt.results) == (False, 2, [])
    assert (felt.view.prompt.id, dict(felt.view.prompt.blanks)["n"]) == ("prompt.burn", "1")


def test_a_house_that_trusts_the_wire_is_asked_nothing():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.burn("3S", 3)
    assert (felt.view.proposed, felt.view.shoe, felt.results) == (False, 2, [])


# ---- incidents ------------------------------------------------------------------------------------------------------


def at(felt: Felt, seconds: int, timer: Timer) -> list[str]:
    moment = Moment(seconds * S, seconds)
    return [fact["fact"] for fact in map(fact_dict, felt.put(Input(Elapsed(timer), moment, "timer")))]


def test_all_that_belongs_to_a_hand_is_one_incident():
    felt = Felt()
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S B3:5C P4:6H")
    [incident] = felt.pit.incidents
    assert incident.level == "alert"
    felt.call("tie")
    [incident] = felt.pit.incidents
    assert "incident.result-mismatch" in [said.id for said in (incident.sentence, *incident.more)]


def test_an_alert_that_nobody_acknowledged_escalates_once():
    felt = Felt(escalate_s=60)
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:5H")
    began = felt.pit.incidents[0].since_utc_ns // S
    assert at(felt, began + 59, Timer.ESCALATION) == []
    assert at(felt, began + 60, Timer.ESCALATION) == ["IncidentEscalated"]
    assert felt.pit.incidents[0].escalated
    assert at(felt, began + 120, Timer.ESCALATION) == []


def test_a_notice_never_escalates():
    felt = Felt(escalate_s=60)
    felt.draw(BANKER_WINS)
    felt.run_out(Timer.NO_RESULT)
    assert felt.incidents == ["no-result"]
    assert at(felt, 10_000, Timer.ESCALATION) == []


def test_an_acknowledged_incident_is_reviewed_once():
    felt = Felt()
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:5H")
    ident = felt.pit.incidents[0].id
    assert rejected(felt.ask(Review(ident), "")) == "unknown-incident"
    felt.ask(Acknowledge(ident, "camera 4"), "", by="staff:12")
    felt.ask(Review(ident), "", by="staff:31")
    [seen] = felt.eye.acknowledged
    assert (seen.acknowledged_by, seen.note, seen.reviewed_by) == ("staff:12", "camera 4", "staff:31")
    assert rejected(felt.ask(Review(ident), "")) == "nothing-to-do"


# ---- snapshot and replay --------------------------------------------------------------------------------------------


def evening(felt: Felt) -> None:
    """Everything that people do, once."""
    felt.stand_by()
    felt.ask(OpenTable("2026-11-30", "100-10000"), "")
    felt.ask(OnDuty(Post.DEALER, "77"), "")
    felt.burn("3S", 3)
    felt.draw("P1:AS B1:3H P2:3C B2:4D B3:5D")
    felt.call("player")
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "P3")))
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:5H")
    felt.ask(Relay((*lies("P1", "B1", "P2", "B2"), Placed(4, fate=Fate.NEXT))))
    felt.call("player")
    felt.ask(ManualHand(keyed(TIE_OF_SIX), Call.TIE), "")
    felt.ask(BlindHands((Call.BANKER, Call.TIE)), "")
    felt.ask(MarkHand(Sort.FREE), "")
    felt.hand(SIX_CARDS, "player")
    felt.ask(Relay(lies("P1", "B1", "P2", "B2", "B3", "P3"), ("player-missed-draw",)), felt.table.results[-1].hand.ref)
    at(felt, 10_000, Timer.ESCALATION)
    for incident in list(felt.table.incidents):
        felt.ask(Acknowledge(incident), "")
        felt.ask(Review(incident), "")
    felt.burn("2S", 1)
    felt.ask(NewShoe("AE-1"), "")
    felt.ask(CloseTable(), "")


def told(facts: Any) -> list[str]:
    return [json.dumps(fact_dict(fact)) for fact in facts]


def test_a_replay_of_the_written_inputs_gives_the_same_facts():
    """design.md section 1: replaying a journal gives its facts byte for byte."""
    felt = Felt(new_shoe=NewShoes.CONFIRM)
    evening(felt)
    accepted = [dict(fact.data)["act"] for fact in felt.facts if fact.name is FactName.COMMAND_ACCEPTED]
    assert {"relay", "manual_hand", "blind_hands", "mark_hand", "open_table", "on_duty", "review"} <= set(accepted)
    again = Table(felt.table.house, identifies=felt.table.identifies)
    facts = []
    for item in felt.inputs:
        what = from_dict(json.loads(json.dumps(to_dict(item.what))))
        facts += again.apply(Input(what, item.at, item.by))
    assert told(facts) == told(felt.facts)


def test_a_table_brought_back_at_any_point_goes_on_as_if_nothing_had_been():
    """Every act of people leaves a state that a snapshot holds."""
    felt = Felt(new_shoe=NewShoes.CONFIRM)
    evening(felt)
    whole = Table(felt.table.house, identifies=felt.table.identifies)
    for item in felt.inputs:
        back = Table(felt.table.house, identifies=felt.table.identifies)
        restore(back, json.loads(json.dumps(taken(whole))))
        assert told(back.apply(item)) == told(whole.apply(item))
        assert taken(back) == taken(whole)


# ---- trying ---------------------------------------------------------------------------------------------------------


def tried(felt: Felt, act: Any, hand: str | None = None) -> Any:
    ref = hand if hand is not None else felt.table.hand.ref if felt.table.hand else ""
    return preview(felt.table, Input(Command("try", act, ref), felt.now, "staff:1042"), ident="1", name="Table 1")


def test_a_preview_says_what_the_command_then_does_and_changes_nothing():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S")
    before = taken(felt.table)
    act = Relay(lies("P1", "B1", "P2", "B2", "B3"))
    seen = tried(felt, act)
    assert [(found.kind, found.rule) for found in seen.found] == [("player-missed-draw", "R-PB-03")]
    assert taken(felt.table) == before
    felt.ask(act)
    assert seen.public == felt.view


def test_a_preview_of_a_correction_shows_roads_and_counts_after_it():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    felt.hand(PLAYER_WINS, "player")
    act, ref = Correct(Call.TIE), felt.table.results[0].hand.ref
    seen = tried(felt, act, ref)
    assert (seen.public.counts.banker, seen.public.counts.tie) == (0, 1)
    assert [found.kind for found in seen.found] == ["result-mismatch"]
    felt.ask(act, ref)
    assert (seen.public.roads, seen.public.counts) == (felt.view.roads, felt.view.counts)


@pytest.mark.parametrize("cards", [4, 5, 6])
def test_a_preview_tells_no_face_that_players_have_not_seen(cards):
    """An answer that nobody recorded must not tell a face: over other hidden cards it is the same."""
    first, second = Felt(deal=Deal.FACE_DOWN), Felt(deal=Deal.FACE_DOWN)
    tokens = SIX_CARDS.split()[:cards]
    others = ["P1:9S", "B1:9H", "P2:KC", "B2:9D", "P3:KS", "B3:KC"][:cards]
    first.draw(" ".join(tokens))
    second.draw(" ".join(others))
    spots = [token.partition(":")[0] for token in tokens]
    for act in (Relay(lies(*spots)), Turned(), Void(), Correct(Call.TIE), Accept(())):
        assert repr(tried(first, act)) == repr(tried(second, act))


def test_a_preview_does_not_probe_the_composition():
    """Whether a face is used up is known to surveillance alone."""
    rich, poor = Felt(decks=1, deal=Deal.FACE_DOWN), Felt(decks=1, deal=Deal.FACE_DOWN)
    rich.draw("P1:KS")
    poor.draw("P1:9S")
    for felt in (rich, poor):
        felt.ask(from_dict({"kind": "void"}))
    act = ManualHand(keyed("P1:9S B1:2H P2:KC B2:4D"), Call.PLAYER)
    assert repr(tried(rich, act, "")) == repr(tried(poor, act, ""))


def test_a_refused_command_says_so_in_its_preview():
    felt = Felt()
    felt.draw(BANKER_WINS)
    assert tried(felt, Relay(())).why == "bad-layout"
    assert names(felt.ask(Relay(()))) == ["CommandRejected"]
