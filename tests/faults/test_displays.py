"""Pages of one table, side by side, and what they leave behind in the daemon (faults.md B 49, 52)."""

from __future__ import annotations

import gc
import json
import re
import sys
from pathlib import Path

import pytest

from controller.core.signals import PoweredUp, ResultCalled
from controller.simulate.dealing import Shoe
from controller.simulate.dealing import Table as Dealing
from controller.simulate.hand import Mode
from tests.daemon.daemon import Daemon, Stream, table, until
from tests.daemon.dealing import script
from tests.faults.felt import Felt

# What each page says in words: hand in play, shoe, result of the hand before.
SAYS = {
    "table/b1": {"hand": ("status", r"Hand (\d+)"), "shoe": ("status", r"Shoe (\d+)"), "won": ("result", r"\w+ wins")},
    "board/b1": {"shoe": ("status", r"Shoe (\d+)"), "won": ("latest", r"\w+ wins")},
    "pit": {"hand": ("tiles", r"Hand (\d+)"), "won": ("tiles", r"\w+ wins")},
}
ROUNDS = 5
SHOES, HANDS, GREW_BYTES = 2, 12, 512  # the pace is known by the last 100 hands, which are dealt in five rounds


def said(page: Stream, topic: str) -> dict[str, str]:
    """What a page shows, as far as it does yet."""
    found = {what: re.search(words, page.parts.get(part, "")) for what, (part, words) in SAYS[topic].items()}
    return {what: match[match.re.groups] for what, match in found.items() if match}


@pytest.mark.timeout(60)
def test_b49_every_page_of_a_table_names_the_same_hand_shoe_and_result(tmp_path: Path):
    """faults.md B 49: each shows its numbers; here they are compared with each other and with what programs get."""
    signals = script(5, "open", shoes=1, hands=2)
    end = next(place for place, signal in enumerate(signals, 1) if isinstance(signal, ResultCalled))
    with table(tmp_path, mode="open", deal="face_up") as (daemon, shoe, _):
        pages = {topic: Stream(daemon, topic) for topic in SAYS}
        shoe.say(*signals[: end + 3])  # three things of the second hand
        for topic, page in pages.items():
            page.until(lambda _, page=page, topic=topic: said(page, topic).keys() == SAYS[topic].keys())
            page.until(lambda _, page=page, topic=topic: said(page, topic).get("hand", "2") == "2")
        program = json.loads(daemon.get("/api/v1/tables/b1"))
        shown = {topic: said(page, topic) for topic, page in pages.items()}
    whole = {
        "hand": str(program["hand"]),
        "shoe": str(program["shoe"]["shoe"]),
        "won": f"{program['shoe']['results'][-1]['result'].upper()} wins",
    }
    assert shown == {topic: {what: whole[what] for what in says} for topic, says in SAYS.items()}


@pytest.mark.timeout(120)
def test_b52_plugs_pulled_and_pages_opened_leave_no_file_and_no_thread_behind(tmp_path: Path):
    """faults.md B 52: what is open after five rounds is what was open before them; no thread is new since the first."""
    with table(tmp_path) as (daemon, shoe, stream):
        shoe.say(PoweredUp())
        stream.until(lives)
        files, threads = held(daemon, "fd"), []
        for _ in range(ROUNDS):
            pages = [Stream(daemon, topic) for topic in SAYS]
            shoe.pty.unplug()
            stream.shows("status", "NOT LIVE")
            for page in pages:
                page.until(lambda parts: parts)
                page.close()
            shoe.plug()
            shoe.say(PoweredUp())
            stream.until(lives)
            until(lambda: held(daemon, "fd") == files)
            threads.append(held(daemon, "task"))
        assert threads == threads[:1] * ROUNDS


def lives(parts: dict[str, str]) -> bool:
    return parts.get("status", "").replace("NOT LIVE", "").endswith("LIVE")


def held(daemon: Daemon, kind: str) -> int:
    """How many files or threads the daemon has."""
    return len(list(Path(f"/proc/{daemon.process.pid}/{kind}").iterdir()))


@pytest.mark.long
def test_b52_a_table_weighs_no_more_after_many_shoes():
    """faults.md B 52: nothing of an old shoe stays; the same few are dealt again and again, so that caches are full."""
    felt, weights = Felt(), []
    for _ in range(2 * ROUNDS):
        deal(felt)
        gc.collect()
        weights.append(sum(map(sys.getsizeof, gc.get_objects())))  # all that contains anything
    assert (felt.incidents, felt.view.shoe) == ([], 2 * ROUNDS * SHOES)
    assert weights[-1] - weights[ROUNDS - 1] < GREW_BYTES, weights


def deal(felt: Felt) -> None:
    for number in range(1, SHOES + 1):
        shoe = Shoe(Dealing(mode=Mode.OPEN), 3, number)
        felt.say(*shoe.opening())
        for hand in shoe.hands(HANDS):
            felt.say(*hand.signals)
    felt.facts.clear()
    felt.inputs.clear()
