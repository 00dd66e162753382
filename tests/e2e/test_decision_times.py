"""How long somebody thought leaves the daemon for surveillance alone: two evenings that differ in nothing but time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.core.signals import Call, CardDrawn, ErrorCleared, ErrorRaised, Fault, Pairs, ResultCalled
from tests.browser.old_games import LineDealt, config
from tests.daemon.daemon import run
from tests.e2e.listening import TOPICS, Events, Listener, parting
from tests.e2e.programs import ADDRESSES, FEED, GUARDED, MOMENT, ROOT, STREAMS, Told, timed
from tests.e2e.sitting import Sitting, card, dealt, drawn, sitting

# What one evening plays: a lawful hand, one with a false draw, one that is still open. `:seat` names who takes.
EVENINGS = {
    "chemin_tableau": ("2C 3C 2S QC :punter 4H 5C !", "8C 5S KC 2C :punter 7S !", "2C 3C 2S QC :punter 4H"),
    "banque_foster": ("2C 3C 2S QC KS 5C :right 4H 7C 6S !", "9C 5S 2C QS TS AC :left 4H !", "2C 3C 2S QC KS 5C"),
}
ACCEPTING = "9d3f1a52-2f3e-4f61-9c55-0d7f6c0c7d10"
Steps = list[dict[str, str]]


@contextmanager
def seated(folder: Path, profile: str) -> Iterator[Sitting]:
    folder.mkdir()
    shoe, file = LineDealt(folder / "shoe"), config(folder, profile)
    file.write_text(file.read_text() + FEED)
    shoe.pty.plug()
    try:
        with run("--config", file) as daemon:
            shoe.plug()
            yield Sitting(folder, daemon, shoe)
    finally:
        shoe.pty.unplug()


def old_game(folder: Path, profile: str) -> tuple[Steps, str]:
    """All that programs below surveillance heard of an evening at each step, and surveillance's own stream."""
    with seated(folder, profile) as table, Listener(table) as listener:
        for number, hand in enumerate(EVENINGS[profile], 1):
            for step in hand.split():
                acts = {"!": {"kind": "turned"}, ":": {"kind": "takes", "seat": step[1:]}}
                if act := acts.get(step[0]):
                    said = table.daemon.give(act, f"1-{number}", ident=f"{number:08x}-2f3e-4f61-9c55-{len(step):012x}")
                    assert said[0] == 200, (step, said)
                    listener.hear()
                else:
                    listener.say(CardDrawn(None, None, card(step)))
            accept(table)
        return listener.steps, watched(table)


def accept(table: Sitting) -> None:
    """Let a hand stand that waits for a supervisor."""
    state = json.loads(table.daemon.get(f"{ROOT}/tables/b1"))
    if state["holds"]:
        act = {"kind": "accept", "holds": [hold["id"] for hold in state["holds"]]}
        assert table.daemon.give(act, state["hand_ref"], ident=ACCEPTING)[0] == 200


def punto_banco(folder: Path) -> tuple[Steps, str]:
    """A hand with an error of the shoe in it, one with a false draw that waits, open cards."""
    player = ResultCalled(Call.PLAYER, Pairs.NONE)
    slow = (ErrorRaised(Fault.DRAW_TIMEOUT, 7, error_mode=True), ErrorCleared(Fault.DRAW_TIMEOUT, 7))
    with sitting(folder, mode="open", deal="face_up") as table, Listener(table) as listener:
        for signal in (*dealt("2C 3C 2S QC"), *slow, drawn("P3", "KS"), drawn("B3", "5C"), player):
            listener.say(signal)
        for signal in (*dealt("9C 3C KS QC"), drawn("P3", "AS")):
            listener.say(signal)
        return listener.steps, watched(table)


def watched(table: Sitting) -> str:
    """Surveillance's stream from now on: its snapshot, with the incidents as it may know them."""
    stream = Told(table.daemon, f"{ROOT}/events?audience=surveillance")
    stream.close()
    return "\n".join(stream.told)


def of_programs(step: dict[str, str]) -> dict[str, str]:
    return {place: step[place] for place in (*ADDRESSES, *STREAMS, "/metrics")}


def compared(one: tuple[Steps, str], other: tuple[Steps, str]) -> None:
    (steps, seen), (again, seen_again) = one, other
    assert {*ADDRESSES, *STREAMS} < steps[-1].keys()
    assert parting(*([of_programs(step) for step in run] for run in (steps, again))) is None
    for number, step in enumerate(steps, 1):
        for place in (*ADDRESSES, *STREAMS):
            assert timed(step[place]) == "", f"{place} at step {number}"
    assert MOMENT.search(seen), "the canary is blind: surveillance reads when it was"
    assert seen != seen_again


@pytest.mark.timeout(240)
@pytest.mark.parametrize("profile", EVENINGS)
def test_programs_below_surveillance_learn_no_time_within_a_hand(tmp_path: Path, profile: str):
    """R-002-30: the clock of two runs is never the same, so that any moment but a hand's own would part them."""
    compared(old_game(tmp_path / "one", profile), old_game(tmp_path / "other", profile))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("profile", EVENINGS)
def test_where_people_decide_only_surveillance_counts_from_the_last_byte(tmp_path: Path, profile: str):
    """R-002-30: between a card and a key somebody thinks, and the age of the last byte would say how long."""
    with seated(tmp_path / "one", profile) as table:
        for step in EVENINGS[profile][-1].split():
            if step[0] != ":":
                table.shoe.say(CardDrawn(None, None, card(step)))
        for topic, path in TOPICS.items():
            assert last_bytes(table, topic) == {}, topic
            assert "data-heard" not in table.daemon.get(path), topic
        assert last_bytes(table, "surveillance/b1").keys() == {"b1"}
        assert "data-heard" in table.daemon.get("/surveillance/b1")


def last_bytes(table: Sitting, topic: str) -> dict[str, int]:
    """When the last byte of each shoe came, as a page's stream says."""
    events = Events(table.daemon.pit, topic)
    told = events.read()["heard"]["at"]
    events.close()
    assert isinstance(told, dict)
    return told


@pytest.mark.timeout(240)
def test_nor_do_they_at_punto_banco(tmp_path: Path):
    """The same words for every game: a dealer's pace is nobody's business either."""
    compared(punto_banco(tmp_path / "one"), punto_banco(tmp_path / "other"))


def test_every_address_is_heard_or_guarded(tmp_path: Path):
    """A new one is either listened to here and in the secrecy tests, or closed to all below surveillance."""
    with sitting(tmp_path) as table:
        described = json.loads(table.daemon.get(f"{ROOT}/openapi.json"))["paths"]
    names = {"{table}": "b1", "{shoe}": "1", "{hand}": "1", "{feed}": "tv"}
    paths = set()
    for path in described:
        for name, value in names.items():
            path = path.replace(name, value)  # noqa: PLW2901 - each name in its turn
        paths.add(path)
    heard = {path.partition("?")[0] for path in (*ADDRESSES, *STREAMS)}
    assert paths | {f"{ROOT}/openapi.json"} == heard | set(GUARDED)
