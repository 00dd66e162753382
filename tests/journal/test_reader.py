from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.core.cards import Card, Seat
from controller.core.facts import Fact, FactName
from controller.core.signals import CardDrawn, LinkOpened
from controller.journal.errors import JournalDamage
from controller.journal.reader import Difference, differences, inputs, judged, read_folder, read_segment
from controller.journal.resume import resume
from controller.journal.segment import SegmentKind
from tests.journal.samples import DEAL, NEXT_HAND, deal, moment, open_sample, write_sample


def test_inputs_come_back_as_they_were_given_with_their_raw_bytes(tmp_path: Path):
    """trust.md T3: the same inputs give the same table."""
    write_sample(tmp_path)
    found = list(inputs(read_segment(tmp_path / "000002-shoe.jsonl")))
    raw = (tmp_path / "000002-shoe.raw").read_bytes()
    cards = [(index, item, span) for index, item, span in found if isinstance(item.what, CardDrawn)]
    assert [index for index, _, _ in cards] == [3, 5, 7, 9]
    assert [(item.what.seat, str(item.what.card)) for _, item, _ in cards] == list(DEAL)
    assert [item.at for _, item, _ in cards] == [moment(100 + place) for place in range(4)]
    for (_, name), (_, _, span) in zip(DEAL, cards, strict=True):
        assert span is not None
        assert raw[span.offset : span.end].split()[2] == f"\x02{name}\x03".encode().hex().encode()


def fact(name: str, seat: Seat = Seat.PLAYER) -> Fact:
    return Fact(FactName.CARD_DRAWN, 1, 1, moment(100), (("seat", seat), ("card", Card.parse(name))))


def test_facts_of_today_are_compared_with_those_recorded(tmp_path: Path):
    """design.md section 1: byte for byte, or a listed difference."""
    write_sample(tmp_path)
    drawn = next(entry for entry in judged(read_folder(tmp_path)) if isinstance(entry.item.what, CardDrawn))
    same, other = fact("9S"), fact("8S")
    assert differences(drawn, [same]) == []
    [changed] = differences(drawn, [other])
    assert (changed.index, changed.place) == (drawn.index, 0)
    assert (changed.then or {})["card"] == "9S"
    assert (changed.now or {})["card"] == "8S"
    assert differences(drawn, []) == [Difference(drawn.index, 0, changed.then, None)]
    assert differences(drawn, [same, other]) == [Difference(drawn.index, 1, None, changed.now)]


def test_keys_in_another_order_are_a_difference(tmp_path: Path):
    """design.md section 1: byte for byte."""
    write_sample(tmp_path)
    drawn = next(entry for entry in judged(read_folder(tmp_path)) if isinstance(entry.item.what, CardDrawn))
    assert len(differences(drawn, [replace(fact("9S"), data=tuple(reversed(fact("9S").data)))])) == 1


def test_an_input_without_recorded_facts_has_no_differences(tmp_path: Path):
    """A stop before the next commit loses facts, which says nothing against those of today."""
    write_sample(tmp_path)
    linked = next(entry for entry in judged(read_folder(tmp_path)) if isinstance(entry.item.what, LinkOpened))
    assert linked.facts is None
    assert differences(linked, [fact("9S")]) == []


def test_facts_that_follow_another_input_than_theirs_are_damage(tmp_path: Path):
    """Facts pair with the input just before them."""
    write_sample(tmp_path)
    records = list(read_segment(tmp_path / "000002-shoe.jsonl"))
    cards = [record for record in records if record.kind == "card_drawn"]
    facts = [record for record in records if record.kind == "facts"]
    for wrong in ([cards[0], facts[1]], [facts[0]], [cards[0], facts[0], facts[0]]):
        with pytest.raises(JournalDamage, match="facts"):
            list(judged(wrong))


def test_a_table_resumes_from_its_last_shoe_and_all_after_it(tmp_path: Path):
    """trust.md T3: the inputs of the shoe in play, and no older ones."""
    write_sample(tmp_path)
    resumed = resume(tmp_path)
    assert resumed is not None
    assert (resumed.opening.shoe, resumed.carry) == (1, {"incidents": ["I-3"]})
    assert [entry.item.what.__class__.__name__ for entry in resumed.inputs] == [
        "Command",
        *["CardDrawn"] * 4,
        "LinkOpened",
    ]
    assert resumed.open_segment.name == "000003-idle"


def test_a_new_shoe_resumes_without_the_old_one(tmp_path: Path):
    """trust.md T3: bounded by one shoe, however long the table has run."""
    write_sample(tmp_path)
    with open_sample(tmp_path) as journal:
        journal.roll(SegmentKind.SHOE, shoe=2, carry={"incidents": []})
        deal(journal, NEXT_HAND)
        last = journal.append_raw(b"not decoded yet", moment(500))
    resumed = resume(tmp_path)
    assert resumed is not None
    assert (resumed.opening.shoe, len(resumed.inputs)) == (2, 2)
    assert resumed.raw_seen == last.offset


def test_raw_bytes_that_the_stop_left_undecoded_are_found(tmp_path: Path):
    """trust.md promise 3: bytes after the last ones that an input of the open segment names."""
    write_sample(tmp_path)
    with open_sample(tmp_path) as journal:
        left = journal.append_raw(b"not decoded yet", moment(500))
    resumed = resume(tmp_path)
    assert resumed is not None
    assert resumed.raw_seen == left.offset == len(b"# tirage raw 1\n")


def test_a_table_without_a_shoe_resumes_from_its_first_segment(tmp_path: Path):
    """An idle table has a state too: link, sign-in."""
    assert resume(tmp_path / "nothing") is None
    with open_sample(tmp_path) as journal:
        deal(journal)
        journal.roll(SegmentKind.IDLE, shoe=0)
        deal(journal, NEXT_HAND)
    resumed = resume(tmp_path)
    assert resumed is not None
    assert len(resumed.inputs) == 6
