"""What people say to a table over HTTP: taken once, refused where the hand has moved on, kept with their name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

from controller.catalogue import load
from controller.core.cards import Card, Seat
from controller.core.signals import Call, CardDrawn, Pairs, PoweredUp, ResultCalled, Signal
from tests.daemon.daemon import Daemon, Dealt, Stream, facts, records, run, table, until

NO_BURN = '[tables.rules]\nburn = "none"\n'
SPOTS = ((Seat.PLAYER, 1), (Seat.BANKER, 1), (Seat.PLAYER, 2), (Seat.BANKER, 2))


def cards(text: str) -> list[Signal]:
    """The first cards of a hand in dealing order; `??` is one that the shoe cannot read."""
    faces = [None if word == "??" else Card.parse(word) for word in text.split()]
    return [
        CardDrawn(seat, index, face, unread=face is None) for (seat, index), face in zip(SPOTS, faces, strict=False)
    ]


def result(call: Call) -> ResultCalled:
    return ResultCalled(call, Pairs.NONE)


@pytest.fixture
def at_table(tmp_path: Path):
    with table(tmp_path, mode="open", deal="face_up", more=NO_BURN) as (daemon, shoe, stream):
        shoe.say(PoweredUp())
        yield daemon, shoe, stream


def held(shoe: Dealt, stream: Stream) -> None:
    """Deal a hand and call a result that it does not have."""
    shoe.say(*cards("9S 4H KD 2C"), result(Call.BANKER))
    stream.shows("trouble", "the cards say otherwise")


def test_a_supervisor_accepts_a_hand_as_it_lies(at_table, tmp_path: Path):
    """Design, section 3: a hold that the shoe does not lift waits for a named person."""
    daemon, shoe, stream = at_table
    held(shoe, stream)
    assert daemon.give({"kind": "accept", "holds": ["result-mismatch"]}, "1-1") == (200, ok())
    stream.until(lambda parts: parts["trouble"] == "")
    daemon.end()
    (command,) = commands(tmp_path)
    assert (command["by"], command["data"]["act"]["kind"]) == ("staff:1042", "accept")
    (done,) = facts(tmp_path, "HandCompleted")
    assert (done["recorded"], done["result"]) == ("banker", "player")


def test_an_accept_that_does_not_name_the_holds_of_now_is_refused(at_table, tmp_path: Path):
    daemon, shoe, stream = at_table
    held(shoe, stream)
    status, answer = daemon.give({"kind": "accept", "holds": ["link-gap"]}, "1-1")
    assert (status, answer["accepted"]) == (409, False)
    daemon.end()
    assert [fact["why"] for fact in facts(tmp_path, "CommandRejected")] == ["holds-changed"]
    assert facts(tmp_path, "HandCompleted") == []


def test_a_hand_is_voided_once_however_often_it_is_asked(at_table, tmp_path: Path):
    """Promised: each command idempotent."""
    daemon, shoe, stream = at_table
    shoe.say(*cards("2S 3H"))
    stream.shows("prompt", "PLAYER: card 2")
    ident = str(uuid4())
    answers = [daemon.give({"kind": "void"}, "1-1", ident=ident) for _ in range(3)]
    assert answers == [(200, ok())] * 3
    daemon.end()
    assert len(facts(tmp_path, "HandVoided")) == len(facts(tmp_path, "CommandAccepted")) == 1
    assert facts(tmp_path, "HandVoided")[0]["by"] == "staff:1042"


def test_a_command_for_a_hand_that_has_moved_on_changes_nothing(at_table, tmp_path: Path):
    """Promised: each names the hand it means and is refused if that hand has moved on."""
    daemon, shoe, stream = at_table
    shoe.say(*cards("9S 4H KD 2C"), result(Call.PLAYER), *cards("2S"))
    stream.shows("status", "Hand 2")
    stream.shows("prompt", "BANKER: card 1")
    status, answer = daemon.give({"kind": "accept", "holds": []}, "1-1")
    assert (status, answer["accepted"], answer["sentence"] != "") == (409, False, True)
    daemon.end()
    assert [fact["why"] for fact in facts(tmp_path, "CommandRejected")] == ["moved-on"]


def test_a_rejected_command_answers_with_its_first_reason_however_often_it_is_asked(at_table, tmp_path: Path):
    """Promised: each command idempotent; nor does a restart change the answer."""
    daemon, shoe, stream = at_table
    shoe.say(*cards("9S 4H KD 2C"), result(Call.PLAYER), *cards("2S"))
    stream.shows("status", "Hand 2")
    ident = str(uuid4())
    first = daemon.give({"kind": "accept", "holds": []}, "1-1", ident=ident)
    assert first == (409, {"accepted": False, "sentence": load().texts["rejected.moved-on"]})
    assert daemon.give({"kind": "accept", "holds": []}, "1-1", ident=ident) == first
    daemon.end()
    assert [fact["why"] for fact in facts(tmp_path, "CommandRejected")] == ["moved-on"]
    with run("--config", tmp_path / "tirage.toml") as again:
        assert again.give({"kind": "accept", "holds": []}, "1-1", ident=ident) == first


def test_a_card_that_the_shoe_could_not_read_is_keyed(at_table, tmp_path: Path):
    """faults.md A 12: the entry is marked as a person's."""
    daemon, shoe, stream = at_table
    shoe.say(*cards("2S 3H ?? KD"))
    stream.shows("trouble", "could not read a card")
    act = {"kind": "key_card", "seat": "player", "index": 2, "card": "6C"}
    assert daemon.give(act, "1-1", staff="77") == (200, ok())
    stream.shows("prompt", "Natural")
    shoe.say(result(Call.PLAYER))
    stream.shows("result", "Hand 1")
    daemon.end()
    assert [(fact["card"], fact["by"]) for fact in facts(tmp_path, "CardKeyed")] == [("6C", "staff:77")]
    assert facts(tmp_path, "HandCompleted")[0]["player"] == ["2S", "6C"]


def test_a_closed_hand_is_corrected_and_nothing_is_erased(at_table, tmp_path: Path):
    """faults.md A 45: the later word supersedes the earlier one, which stays in the journal."""
    daemon, shoe, stream = at_table
    shoe.say(*cards("9S 4H KD 2C"), result(Call.PLAYER))
    stream.shows("result", "Hand 1")
    assert daemon.give({"kind": "correct", "result": "tie"}, "1-1") == (200, ok())
    stream.shows("result", "TIE")
    daemon.end()
    assert [fact["recorded"] for fact in facts(tmp_path, "HandCompleted")] == ["player"]
    (corrected,) = facts(tmp_path, "HandCorrected")
    assert (corrected["by"], corrected["was"], corrected["recorded"]) == ("staff:1042", "player", "tie")


def test_an_incident_stays_until_a_person_acknowledges_it(at_table, tmp_path: Path):
    daemon, shoe, stream = at_table
    pit = Stream(daemon, "pit")
    held(shoe, stream)
    pit.until(lambda parts: "result" in parts.get("incidents", "").lower())
    (incident,) = [one for one in opened(tmp_path, daemon) if one["kind"] == "result-mismatch"]
    assert daemon.give({"kind": "acknowledge", "incident": incident["id"], "note": "seen"}) == (200, ok())
    pit.until(lambda parts: "result" not in parts["incidents"].lower())
    assert daemon.give({"kind": "acknowledge", "incident": incident["id"]})[0] == 409
    daemon.end()
    (seen,) = facts(tmp_path, "IncidentAcknowledged")
    assert (seen["by"], seen["note"]) == ("staff:1042", "seen")


def opened(folder: Path, daemon: Daemon) -> list[dict]:
    """The incidents in the journal; their line goes to the disk with the next commit, which a refused command makes."""
    daemon.give({"kind": "acknowledge", "incident": "none"})
    until(lambda: facts(folder, "IncidentOpened"))
    return facts(folder, "IncidentOpened")


def test_the_metrics_agree_with_the_facts_of_the_journal(at_table, tmp_path: Path):
    """Promised: cards, hands by outcome, irregularities by kind."""
    daemon, shoe, stream = at_table
    held(shoe, stream)
    daemon.give({"kind": "accept", "holds": ["result-mismatch"]}, "1-1")
    shoe.say(*cards("9S 4H KD 2C"), result(Call.PLAYER), *cards("2S 2H"))
    stream.shows("status", "Hand 3")
    stream.shows("prompt", "PLAYER: card 2")
    daemon.give({"kind": "void"}, "1-3")
    metrics = daemon.metrics()
    daemon.end()
    outcomes = Counter(fact["recorded"] for fact in facts(tmp_path, "HandCompleted"))
    outcomes["void"] = len(facts(tmp_path, "HandVoided"))
    found = Counter(fact["kind"] for fact in facts(tmp_path, "IrregularityFound"))
    assert outcomes == {"banker": 1, "player": 1, "void": 1}
    assert found == {"result-mismatch": 1}
    assert metrics['tirage_cards_total{table="b1"}'] == len(facts(tmp_path, "CardDrawn")) == 10
    assert counted(metrics, "tirage_hands_total", "outcome") == outcomes
    assert counted(metrics, "tirage_irregularities_total", "kind") == found
    assert metrics['tirage_frames_repeated_total{table="b1"}'] == 2 * (1 + 10 + 2)


def counted(metrics: dict[str, float], name: str, label: str) -> Counter[str]:
    """The values of a family by one of its labels; zeros are left out."""
    samples = {sample.partition(f'{label}="')[2].partition('"')[0]: value for sample, value in metrics.items()
               if sample.startswith(f"{name}{{")}  # fmt: skip
    return Counter({word: int(value) for word, value in samples.items() if value})


def ok() -> dict:
    return {"accepted": True, "sentence": ""}


def commands(folder: Path) -> list[dict]:
    return [record for record in records(folder) if record["kind"] == "command"]
