"""Everything that a journal or script holds comes back as it was (controller/core/words.py)."""

from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.cards import DECK, Card, Rank, Seat
from controller.core.facts import Disposal, Fact, FactName, HandLine, Irregularity
from controller.core.inputs import (
    Accept,
    Act,
    ClockStepped,
    Command,
    Correct,
    DiskRoom,
    Elapsed,
    Input,
    KeyCard,
    Moment,
    Placed,
    RecordDamaged,
    Started,
    Timer,
    Void,
)
from controller.core.signals import Call, CardDrawn, ResultCalled, Signal, StoodBy
from controller.core.words import (
    TYPES,
    fact_dict,
    from_dict,
    hand_dict,
    input_dict,
    input_of,
    iso,
    kind_of,
    to_dict,
    utc_ns,
)

OTHERS = (Command, Elapsed, Started, DiskRoom, ClockStepped, RecordDamaged)
CARDS = [*DECK, *(Card.of(rank, None) for rank in Rank), *(Card.of_value(points) for points in range(10))]


def strategy(hint: Any) -> st.SearchStrategy:
    """Any value that a field of this type may hold."""
    if get_origin(hint) is UnionType:
        return st.one_of([strategy(option) for option in get_args(hint)])
    if get_origin(hint) is tuple:
        return st.lists(strategy(get_args(hint)[0]), max_size=4).map(tuple)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    known = {int: st.integers(-9, 999), str: st.text(max_size=9), bool: st.booleans(), type(None): st.none()}
    if hint in known:
        return known[hint]
    return st.sampled_from(CARDS) if hint is Card else thing(hint)


def thing(cls: type) -> st.SearchStrategy:
    hints = get_type_hints(cls)
    return st.builds(cls, **{field.name: strategy(hints[field.name]) for field in fields(cls)})


@pytest.mark.parametrize("cls", [*get_args(Signal), *get_args(Act), *OTHERS], ids=kind_of)
@given(data=st.data())
def test_every_signal_act_and_timer_comes_back_from_json(cls, data):
    what = data.draw(thing(cls))
    line = json.loads(json.dumps(input_dict(Input(what, Moment(1, 2), "staff:1042"))))
    assert input_of(line) == Input(what, Moment(1, 2), "staff:1042")
    assert from_dict(json.loads(json.dumps(to_dict(what)))) == what


def test_every_kind_has_one_name_and_each_signal_and_act_has_one():
    assert set(TYPES.values()) == {*get_args(Signal), *get_args(Act), *OTHERS, Placed}
    assert all(kind_of(cls) == name for name, cls in TYPES.items())


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_every_card_is_read_as_it_is_written(card):
    assert Card.parse(str(card)) == card


def test_an_input_without_a_time_comes_back_without_one():
    item = Input(StoodBy(), Moment(), "replay")
    assert input_of(input_dict(item)) == item


def test_the_drivers_note_stands_beside_what_was_said_and_comes_back():
    item = Input(StoodBy(), Moment(1, 2), "shoe", "0102030405060708 1 7 5 8203")
    line = json.loads(json.dumps(input_dict(item)))
    assert (line["data"], input_of(line)) == ({"mark": item.mark}, item)
    assert line["data"], "reading takes nothing away"


@given(st.integers(0, 4_102_444_800_000_000_000))
def test_a_moment_comes_back_to_the_nanosecond(ns):
    assert utc_ns(iso(ns)) == ns


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"kind": "card_stolen"}, "known kind"),
        ({}, "known kind"),
        ({"kind": "stood_by", "colour": "red"}, "has no field colour"),
        ({"kind": "card_drawn", "seat": "player", "index": 1}, "card"),
        ({"kind": "card_drawn", "seat": "dealer", "index": 1, "card": None}, "dealer"),
        ({"kind": "card_drawn", "seat": "player", "index": "1", "card": None}, "expected int"),
        ({"kind": "card_drawn", "seat": "player", "index": True, "card": None}, "expected int"),
        ({"kind": "card_drawn", "seat": "player", "index": 1, "card": "1S"}, "expected a card"),
        ({"kind": "card_drawn", "seat": "player", "index": 1, "card": 7}, "expected Card"),
        ({"kind": "accept", "holds": "link-gap"}, "expected a list"),
        ({"kind": "accept", "holds": None}, "expected a list"),
        ({"kind": "command", "id": "1", "act": {"kind": "stood_by"}}, "stood_by"),
        ({"kind": "command", "id": "1", "act": "void"}, "expected"),
        ({"kind": "command", "id": 1, "act": {"kind": "void"}}, "expected str"),
        ({"kind": "lock_turned", "locked": 1}, "expected bool"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(data, why):
    with pytest.raises(ValueError, match=why):
        from_dict(data)


def test_a_command_names_its_hand_and_its_act():
    line = to_dict(Command("7", KeyCard(Seat.BANKER, 2, Card.parse("5D")), "1-3"))
    assert line == {
        "kind": "command",
        "id": "7",
        "act": {"kind": "key_card", "seat": "banker", "index": 2, "card": "5D"},
        "hand": "1-3",
    }


def test_a_fact_is_written_as_replay_gives_it():
    """design.md section 6: fact, shoe as a string, hand null between hands, at in UTC or null."""
    fact = Fact(FactName.CARD_DRAWN, 1, 7, Moment(), (("seat", Seat.BANKER), ("index", 2), ("card", None)))
    assert fact_dict(fact) == {
        "fact": "CardDrawn",
        "shoe": "1",
        "hand": 7,
        "at": None,
        "seat": "banker",
        "index": 2,
        "card": None,
    }


def test_a_closed_hand_has_the_keys_of_an_audit_line():
    line = HandLine(
        cards=((Seat.PLAYER, (Card.parse("9S"), None)), (Seat.BANKER, (Card.parse("7"),))),
        result=None,
        recorded="banker",
        irregularities=(
            Irregularity("overdraw", None, None, Disposal.CARRIED),
            Irregularity("unread-card", Seat.PLAYER),
        ),
    )
    assert hand_dict(line) == {
        "player": ["9S", None],
        "banker": ["7"],
        "result": None,
        "recorded": "banker",
        "irregularities": [
            {"kind": "overdraw", "seat": None, "rule": None, "disposal": "carried"},
            {"kind": "unread-card", "seat": "player", "rule": None},
        ],
    }


def test_things_of_one_kind_are_told_apart():
    assert from_dict(to_dict(ResultCalled(Call.TIE, None))) != ResultCalled(Call.BANKER, None)
    assert from_dict(to_dict(CardDrawn(None, None, None, unread=True))).unread
    assert from_dict(to_dict(Correct(Call.TIE))) == Correct(Call.TIE)
    assert from_dict(to_dict(Accept(("a", "b")))) == Accept(("a", "b"))
    assert from_dict(to_dict(Elapsed(Timer.SILENCE))) == Elapsed(Timer.SILENCE)
    assert from_dict(to_dict(Void())) == Void()
