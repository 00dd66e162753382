"""A hand recalled from the journal: cards, times, prompts, rulings, bytes; and what nobody but surveillance may see."""

from __future__ import annotations

import pytest

from controller.catalogue import load
from controller.core.facts import Audience
from controller.pit.recall_view import ended, sayer
from controller.recall.hand import NoSuchHand, recall
from controller.recall.places import NoSuchShoe, latest_shoe
from controller.recall.story import tell
from tests.recall.dealing import UTC_NS
from tests.recall.evening import NOTE

S = 1_000_000_000


def cards_of(hand) -> list[tuple[str, int, str]]:
    return [(card.seat.value, card.index, str(card.spot.card)) for card in hand.cards]


@pytest.fixture(scope="module")
def shoe(journal):
    return tell(journal, 1)


def test_cards_come_in_drawing_order_with_the_times_of_draw_and_reveal(shoe):
    """Requirement: cards in drawing order with times. The shoe says one thing a second."""
    hand = recall(shoe, 1, Audience.PIT)
    assert cards_of(hand) == [("player", 1, "9S"), ("banker", 1, "2C"), ("player", 2, "KD"), ("banker", 2, "4H")]
    drawn = [card.drawn - hand.begin for card in hand.cards]
    assert drawn == [0, S, 2 * S, 3 * S]
    assert [card.shown - hand.begin for card in hand.cards] == [4 * S, 5 * S, 6 * S, 7 * S]
    assert [card.place for card in hand.cards] == [3, 4, 5, 6]


def test_the_range_for_the_cameras_is_from_the_first_card_to_the_closing(shoe):
    hand = recall(shoe, 1, Audience.PIT)
    assert hand.begin > UTC_NS
    assert hand.end - hand.begin == 8 * S


def test_what_a_person_closes_later_ends_for_the_cameras_with_its_last_message(shoe):
    """Promised: minutes until a ruling are no recording to look through; a lawful hand ends with its result."""
    lawful = recall(shoe, 1, Audience.PIT)
    assert ended(shoe, lawful) == lawful.end
    ruled = [hand for hand in (recall(shoe, number, Audience.PIT) for number in shoe.hands) if late(shoe, hand)]
    assert ruled, "no hand of the evening was closed by a person"
    for hand in ruled:
        assert hand.begin < ended(shoe, hand) < hand.end


def late(shoe, hand) -> bool:
    """Whether a person's command closed the hand."""
    first = next(iter(hand.verdicts), None)
    return first is not None and first.by.startswith("staff:") and hand.source == "shoe"


def test_prompts_are_those_that_the_dealer_had(shoe):
    """Requirement: prompts as shown. Four cards face down, then the natural once both Player faces are open."""
    prompts = [moment.prompt.id for moment in recall(shoe, 1, Audience.PIT).moments[:9]]
    assert prompts == [
        *["prompt.card-next"] * 3, *["prompt.cards-out"] * 3, *["prompt.natural"] * 2, "prompt.waiting",
    ]  # fmt: skip


def test_each_moment_has_the_bytes_that_told_it(shoe):
    """wire-formats.md 1: `45 47 90 03` is the result frame; three copies came."""
    moments = [moment for moment in recall(shoe, 1, Audience.PIT).moments if moment.frames]
    assert len(moments) == 9
    assert all(frame.copies == 3 for moment in moments for frame in moment.frames)
    assert said(moments[0].frames[0]) == "Card drawn, PLAYER 1, Face down"
    assert said(moments[4].frames[0]) == "Card shown, PLAYER 1, 9S"
    assert moments[8].frames[0].hex.split()[2] == "47"


def said(frame) -> str:
    return ", ".join(sayer(load())(word) for word in frame.words)


def test_a_corrected_result_keeps_the_earlier_one_with_who_and_when(shoe):
    """Requirement: corrections struck through; trust.md 2.2: corrections append, nothing is edited."""
    hand = recall(shoe, 1, Audience.PIT)
    assert [(verdict.outcome, verdict.by) for verdict in hand.verdicts] == [("player", ""), ("banker", "staff:1043")]
    assert hand.verdicts[1].at.utc_ns > hand.verdicts[0].at.utc_ns
    assert hand.called == "player"


def test_who_closed_a_hand_that_waited_is_told(shoe):
    """trust.md 4.3: a named person closes what the shoe called otherwise."""
    hand = recall(shoe, 2, Audience.PIT)
    assert (hand.called, [(verdict.outcome, verdict.by) for verdict in hand.verdicts]) == (
        "banker",
        [("player", "staff:1042")],
    )


def test_an_incident_stays_with_its_hand_with_note_and_review(shoe):
    """Requirement: who, when and a note; reviewed marks."""
    (incident,) = recall(shoe, 2, Audience.PIT).incidents
    assert incident.kinds == ("result-mismatch",)
    assert (incident.acknowledged_by, incident.note, incident.reviewed_by) == ("staff:1042", NOTE, "staff:3001")


def test_a_keyed_card_and_a_card_that_was_moved_show_what_was_said_before(shoe):
    hand = recall(shoe, 3, Audience.PIT)
    first, _, second, _ = hand.cards
    assert second.spot.keyed
    assert (first.index, second.index) == (2, 1)
    assert [(was.index, str(was.card), was.by) for was in first.earlier] == [(1, "8D", "staff:1042")]
    assert [(was.index, str(was.card)) for was in second.earlier] == [(2, "QS")]


def test_a_hand_known_by_its_result_alone_has_no_cards(shoe):
    """faults.md A 49: results only, for a dead shoe."""
    hand = recall(shoe, 4, Audience.PIT)
    assert (hand.source, hand.cards, hand.verdicts[-1].outcome) == ("blind", (), "tie")


def test_hands_lead_to_each_other(shoe):
    first, last = recall(shoe, 1, Audience.PIT), recall(shoe, 5, Audience.PIT)
    assert (first.previous, first.following, first.latest) == (None, 2, 5)
    assert (last.previous, last.following) == (4, None)


def test_an_open_hand_shows_only_what_players_see(secret_journal):
    """design.md section 1: every fact has an audience; a face before the reveal is surveillance's alone."""
    story = tell(secret_journal, 1)
    public, seen = recall(story, 1, Audience.PIT), recall(story, 1, Audience.SURVEILLANCE)
    assert [card.spot.card for card in public.cards] == [None] * 3
    assert [str(card.spot.card) for card in seen.cards] == ["9H", "4C", "KS"]
    assert not any(moment.frames for moment in public.moments)
    assert sum(len(moment.frames) for moment in seen.moments) == 3
    assert "9H" not in repr(public)


def test_what_is_not_there_is_said_to_be_not_there(journal, shoe):
    with pytest.raises(NoSuchHand):
        recall(shoe, 6, Audience.PIT)
    with pytest.raises(NoSuchShoe):
        tell(journal, 3)
    assert latest_shoe(journal) == 2


def test_a_line_that_is_being_written_is_left_for_later(journal, tmp_path):
    """A page is asked for while the recorder writes: half a line is no damage."""
    for path in journal.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    last = max(tmp_path.glob("*.jsonl"))
    whole = len(tell(tmp_path, 2).steps)
    content = last.read_bytes()
    last.write_bytes(content[:-20])
    cut = content[: content[:-20].rfind(b"\n") + 1]
    assert whole - 1 <= len(tell(tmp_path, 2).steps) <= whole
    last.write_bytes(cut)
    assert whole - 1 <= len(tell(tmp_path, 2).steps) <= whole


def test_a_hand_left_to_a_person_is_followed_into_the_next_shoe(tmp_path):
    """faults.md A 35: a hand that is closed after its shoe ended still has its verdict."""
    from controller.core.inputs import Accept
    from controller.core.signals import BurnCardDrawn, Call, Pairs, PoweredUp, ResultCalled, StoodBy
    from tests.recall.dealing import card, deal

    async def work(dealing):
        await dealing.shoe()
        await dealing.hand("9S KD", "2C 4H", Call.PLAYER)
        await dealing.draw("9S KD", "2C 4H")
        await dealing.show("9S KD", "2C 4H")
        await dealing.say(ResultCalled(Call.BANKER, Pairs.NONE))
        await dealing.say(PoweredUp(), StoodBy(), BurnCardDrawn(sets_count=True, left=1, card=card("2S")))
        assert dealing.table.unsettled
        holds = tuple(hold.id for hold in dealing.table.unsettled["1-2"].holds)
        await dealing.ask(Accept(holds), "1-2", by="staff:1050")

    hand = recall(tell(deal(tmp_path / "b1", work), 1), 2, Audience.PIT)
    assert not hand.open
    assert [verdict.outcome for verdict in hand.verdicts] == ["banker"]
    assert cards_of(hand)[0] == ("player", 1, "9S")
