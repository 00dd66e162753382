"""The people at the table in a real Chromium, over a real table: keys counted, previews, sounds, and no growth."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from tests.browser.conftest import LIVE, processes

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

WRONG_SPOT = "P1:2D B1:AH P2:3C B2:2D P3:4S"
MOST_KEYS = 4
SIZES = ((1920, 1080), (1280, 800))


@dataclass
class Playing:
    """The process that serves one real table."""

    process: subprocess.Popen[str]
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == "done"


@pytest.fixture
def play(repository: Path) -> Iterator[Callable[..., Playing]]:
    with processes(repository, "tests.browser.playing") as start:
        yield lambda *options, port=0: Playing(*start(*options, port=port))


@dataclass
class Keyboard:
    """Counts the keys that a person presses."""

    page: object
    pressed: list[str] = field(default_factory=list)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.pressed.append(key)
            self.page.keyboard.press(key)

    def hold(self, key: str) -> int:
        """Hold a key until the command is answered; return the status."""
        self.pressed.append(key)
        with self.page.expect_response("**/commands") as answer:
            self.page.keyboard.down(key)
        self.page.keyboard.up(key)
        return answer.value.status


def at_table(looker, playing: Playing, path: str = "/table/1"):
    page = looker.open(playing.address + path)
    page.evaluate("sessionStorage.setItem('staff', '1042')")
    page.reload()
    page.wait_for_selector(LIVE)
    return page


def tried(page, dialog: str) -> None:
    """Wait until the judge has answered what was keyed last."""
    page.wait_for_selector(f"{dialog} .preview .judged")
    page.wait_for_selector(f"{dialog} [data-confirm]:enabled")


def test_a_wrong_spot_is_found_with_four_keys(play, look):
    """Promised: a wrong spot is thus found although the wire looked lawful; the judge answers at once with the rule."""
    table = play()
    page = at_table(look(), table)
    table.say(f"draw {WRONG_SPOT}")
    page.wait_for_selector("#act-relay")  # the page has heard of it
    keys = Keyboard(page)
    keys.press("!")
    page.wait_for_selector("#cards[open] .lay-card")
    assert "nothing wrong" in page.locator("#cards .preview").inner_text() or page.locator("#cards .found").count() == 0
    keys.press("5", "b")
    page.wait_for_selector("#cards .found .rule-id:has-text('R-PB-03')")
    tried(page, "#cards")
    assert keys.hold("Enter") == 200
    page.wait_for_selector(".felt .banker .spot.n3 .card:not(.empty)")
    assert page.locator(".felt .player .spot.n3 .card.empty").count() == 1
    assert len(keys.pressed) <= MOST_KEYS


def test_two_cards_exchanged_are_told_with_four_keys(play, look):
    """rules.md R-PB-01: saying where one lies exchanges it with the other."""
    table = play()
    page = at_table(look(), table)
    table.say("draw P1:2S B1:3H P2:4C B2:5D")
    page.wait_for_selector("#act-relay")  # the page has heard of it
    keys = Keyboard(page)
    keys.press("!")
    page.wait_for_selector("#cards[open] .lay-card")
    keys.press("3", "b")
    page.wait_for_selector("#cards .found .rule-id:has-text('R-PB-01')")
    tried(page, "#cards")
    assert keys.hold("Enter") == 200
    assert len(keys.pressed) <= MOST_KEYS


def test_a_cable_pulled_for_two_hands_costs_four_keys(play, look):
    """Promised: how many hands were dealt? faults.md A 49."""
    table = play()
    table.say("hands 5")
    table.say("unplug")
    page = at_table(look(), table)
    keys = Keyboard(page)
    keys.press("b")
    page.wait_for_selector("#blind[open]")
    keys.press("p", "b")
    page.wait_for_selector("#blind .told li:nth-child(2)")
    tried(page, "#blind")
    assert keys.hold("Enter") == 200
    page.wait_for_selector(".result:has-text('Result only')")
    assert "7" in page.locator(".result .which").inner_text()
    assert len(keys.pressed) <= MOST_KEYS


def test_a_correction_two_hands_back_costs_four_keys_and_shows_the_counts_before_it_counts(play, look):
    """Promised: correct this or any earlier hand, with a preview of roads and counts before it is confirmed."""
    table = play()
    table.say("hands 4")  # banker, player, player, tie
    page = at_table(look(), table)
    keys = Keyboard(page)
    keys.press("h")
    page.wait_for_selector("#earlier[open] .hand-row")
    keys.press("3", "b")
    tried(page, "#earlier")
    assert page.locator("#earlier .would-counts .changed").count() == 2
    assert keys.hold("Enter") == 200
    assert len(keys.pressed) <= MOST_KEYS
    board = page.context.new_page()
    board.goto(f"{table.address}/board/1")
    assert board.locator(".counts .banker dd").inner_text() == "2"


def test_a_manual_hand_takes_two_keys_a_card(play, look):
    table = play()
    page = at_table(look(), table)
    keys = Keyboard(page)
    keys.press("m")
    page.wait_for_selector("#manual[open]")
    keys.press(*"9s2h0c4dp")
    tried(page, "#manual")
    assert "nothing wrong" in page.locator("#manual .preview").inner_text()
    assert keys.hold("Enter") == 200
    page.wait_for_selector(".result:has-text('Keyed by hand')")


def test_a_face_is_keyed_where_the_cards_lie(play, look):
    table = play()
    page = at_table(look(), table)
    table.say("draw P1:2S B1:3H P2:4C B2:5D")
    page.wait_for_selector("#act-relay")  # the page has heard of it
    keys = Keyboard(page)
    keys.press("!")
    page.wait_for_selector("#cards[open] .lay-card")
    keys.press("4", "k")
    page.wait_for_selector("#cards .faces-row:not([hidden])")
    keys.press("6", "d")
    page.wait_for_selector("#cards .would-seat:has-text('9')")
    tried(page, "#cards")
    assert keys.hold("Enter") == 200
    page.wait_for_selector(".felt .banker .tag:has-text('Keyed')")


def test_an_earlier_hand_opens_by_its_address(play, look):
    """Promised: the same page for a closed hand, from the recall."""
    table = play()
    table.say("hands 3")
    page = at_table(look(), table)
    page.wait_for_selector("[data-part=result]:has-text('3')")  # all three are dealt
    page.goto(f"{table.address}/table/1?hand=1-2")
    page.wait_for_selector("#cards[open] .lay-card:nth-child(4)")
    assert "Hand 2" in page.locator("#cards .of").inner_text()


def test_cards_drawn_meanwhile_join_the_question_and_what_was_said_stays(play, look):
    table = play()
    page = at_table(look(), table)
    table.say("draw P1:2D B1:AH P2:3C B2:2D")
    page.wait_for_selector("#act-relay")  # the page has heard of it
    page.keyboard.press("!")
    page.wait_for_selector("#cards[open] .lay-card:nth-child(4)")
    page.keyboard.press("1")
    page.keyboard.press("s")
    page.wait_for_selector("#cards .lay-card.changed")
    table.say("draw P3:4S")
    page.wait_for_selector("#cards .lay-card:nth-child(5)")
    assert page.locator("#cards .lay-card.changed").count() == 1


def test_a_new_shoe_is_confirmed_by_two_keys_and_old_roads_stay_until_then(play, look):
    """Promised: propose from the wire, confirm by a one-second hold, "1 short"."""
    table = play("--confirm")
    table.say("hands 3")
    table.say("burn 3S 2")
    page = at_table(look(), table)
    assert "supervisor" in page.locator(".prompt").inner_text()
    board = look().open(f"{table.address}/board/1")
    assert board.locator(".road.bead use").count() >= 3
    keys = Keyboard(page)
    keys.press("w")
    page.wait_for_selector("#ask-new_shoe[open]")
    page.locator("#ask-new_shoe [name=serial]").fill("AE-4711")
    page.locator("#ask-new_shoe [data-confirm]").focus()
    assert keys.hold("w") == 200
    page.wait_for_selector(".prompt:has-text('Burn 1 more')")
    expect(board.locator(".road.bead use")).to_have_count(0)
    assert len(keys.pressed) == 2


def test_the_day_of_a_table_is_kept_by_keys_and_shown_at_the_pit(play, look):
    table = play()
    page = at_table(look(), table)
    page.keyboard.press("o")
    page.wait_for_selector("#ask-open_table[open]")
    page.keyboard.type("100-10000")
    with page.expect_response("**/commands"):
        page.keyboard.press("Enter")
    page.keyboard.press("d")
    page.wait_for_selector("#ask-on_duty[open]")
    page.keyboard.type("77")
    with page.expect_response("**/commands"):
        page.keyboard.press("s")
    pit = page.context.new_page()
    pit.goto(f"{table.address}/")
    tile = pit.locator(".tile").inner_text()
    assert all(text in tile for text in ("100-10000", "2026-11-30", "77"))


def test_the_list_of_keys_shows_every_key_and_every_key_works_from_it(play, look):
    """Promised: keys for everything from one action table, `?` shows them."""
    table = play()
    table.say("hands 2")
    page = at_table(look(), table)
    page.keyboard.press("?")
    page.wait_for_selector("#keys[open]")
    keys = set(page.locator("#keys kbd").all_inner_texts())
    assert {"!", "C", "V", "M", "B", "F", "D", "H", "S"} <= keys
    page.keyboard.press("b")
    page.wait_for_selector("#blind[open]")


def test_a_hold_of_an_act_in_the_list_shows_itself(play, look):
    table = play()
    page = at_table(look(), table)
    page.keyboard.down("x")
    page.wait_for_selector("#keys[open] #more-act-close_table[style*='--held']")
    with page.expect_response("**/commands") as answer:
        pass
    page.keyboard.up("x")
    assert answer.value.status == 200
    page.wait_for_selector(".bar .stage:has-text('Closed')")


def test_an_incident_is_acknowledged_by_keys_and_reviewed_by_surveillance(play, look):
    """open until acknowledged, with who, when and a note; reviewed marks; all that belongs to a hand in one."""
    table = play()
    table.say("draw P1:9S B1:2H P2:KC B2:4D P3:5H")
    table.say("call tie")
    pit = at_table(look(), table, "/")
    assert pit.locator(".incident").count() == 1
    assert pit.locator(".incident .more li").count() >= 1
    pit.keyboard.press("1")
    pit.wait_for_selector("#ask-acknowledge[open]")
    pit.keyboard.type("camera 4")
    with pit.expect_response("**/commands") as answer:
        pit.keyboard.press("Enter")
    assert answer.value.status == 200
    eye = at_table(look(), table, "/surveillance/1")
    seen = eye.locator(".incident.seen")
    assert "staff:1042: camera 4" in seen.inner_text()
    seen.get_by_role("button").click()
    eye.wait_for_selector(".incident.seen .tag:has-text('Reviewed by staff:1042')")


def test_an_alert_that_escalates_stands_first_and_is_heard_again(play, look):
    """Promised: unacknowledged ones escalate."""
    table = play()
    table.say("draw P1:9S B1:2H P2:KC B2:4D P3:5H")
    pit = look().open(f"{table.address}/")
    table.say("escalate")
    pit.wait_for_selector(".incident.escalated .level:has-text('Escalated')")
    pit.wait_for_selector("#sound[data-played='escalated']")
    table.say("call tie")
    table.say("draw P1:9S B1:2H P2:KC B2:4D P3:5H")
    pit.wait_for_selector(".incident:nth-child(2)")
    assert "escalated" in pit.locator(".incident").first.get_attribute("class")


def test_sound_is_off_until_armed_and_follows_the_severity(play, look):
    """Promised: sound by severity, armed visibly."""
    table = play()
    page = look().open(f"{table.address}/table/1")
    page.wait_for_selector("body:not(.stale)")  # what stood before the first message makes no sound
    sound = page.locator("#sound")
    assert sound.get_attribute("aria-pressed") == "false"
    sound.click()
    page.wait_for_selector("#sound[aria-pressed=true]")
    assert sound.inner_text() == "Sound on"
    table.say("draw P1:9S B1:2H P2:KC B2:4D P3:5H")
    page.wait_for_selector("#sound[data-played*='alert']")  # further parts of the incident may sound too
    table.say("unplug")
    page.wait_for_selector(".prompt.not-live")
    page.wait_for_selector("#sound[data-played*='stop']")
    page.keyboard.press("s")
    page.wait_for_selector("#sound[aria-pressed=false]")


def test_the_screen_stays_on_where_the_browser_allows_it(play, look):
    looker = look()
    looker.page.add_init_script(
        "Object.defineProperty(navigator, 'wakeLock', {value: {request: async (kind) => ({kind, released: false})}})"
    )
    page = looker.open(f"{play().address}/board/1")
    page.wait_for_selector("body[data-awake=yes]")


def test_a_page_loads_itself_anew_when_the_build_changes(play, look):
    """Promised: reload of itself on a new build."""
    table = play()
    page = look().open(f"{table.address}/table/1")
    page.evaluate("document.body.dataset.build = 'of yesterday'; document.body.dataset.old = 'yes'")
    page.wait_for_selector("body:not([data-old]):not(.stale)")


PLACES = """[...document.querySelectorAll('.bar, .prompt, .felt, .foot, .felt .seat, #list')].map(it => {
    const box = it.getBoundingClientRect();
    return [it.classList[0], box.x, box.y, box.width, box.height].join(' '); })"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_jumps_while_a_lawful_hand_is_dealt(play, look, width, height):
    """Promised: nothing jumps; what a person looks for is where it was a card ago."""
    table = play()
    table.say("hands 3")
    page = look(width, height).open(f"{table.address}/table/1")
    seen = [page.evaluate(PLACES)]
    seats = {"P": "player", "B": "banker"}
    for card in ("P1:2D", "B1:AH", "P2:3C", "B2:2D", "P3:4S", "B3:5C"):
        table.say(f"draw {card}")
        page.wait_for_selector(f".felt .{seats[card[0]]} .spot.n{card[1]} .card:not(.empty)")
        seen.append(page.evaluate(PLACES))
    table.say("call player")
    page.wait_for_selector(".result .which:has-text('4')")
    seen.append(page.evaluate(PLACES))
    assert {tuple(places) for places in seen} == {tuple(seen[0])}


COUNT_STREAMS = """
(() => { const Plain = EventSource; window.streams = [];
  window.EventSource = class extends Plain { constructor(...all) { super(...all); window.streams.push(this); } }; })()
"""


def test_a_page_has_one_stream(play, look):
    table = play()
    looker = look()
    looker.page.add_init_script(COUNT_STREAMS)
    page = looker.open(f"{table.address}/table/1")
    table.say("hands 3")
    page.wait_for_selector(".result .which:has-text('3')")
    assert page.evaluate("streams.filter((one) => one.readyState !== EventSource.CLOSED).length") == 1


COUNT_CHANGES = "window.changes = 0; document.addEventListener('shown', () => { window.changes += 1; })"


@pytest.mark.parametrize("updates", [500, pytest.param(5_000, marks=[pytest.mark.long, pytest.mark.timeout(1_800)])])
def test_a_page_left_open_keeps_its_memory_and_its_nodes(play, look, updates):
    """Promised: a page left open for 5,000 compressed hands keeps its memory and its node count.

    The same shoe of hands is dealt again and again, so the page looks the same at each measure; memory is measured
    after a collection.
    """
    table = play()
    looker = look()
    page = looker.open(f"{table.address}/table/1")
    page.evaluate(COUNT_CHANGES)
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")
    nodes, heaps = [], []
    for _ in range(5):
        for _ in range(updates // 20):
            for line in ("hands 8", f"draw {WRONG_SPOT}", "call tie", "settle"):
                table.say(line)
        page.wait_for_selector(".result .outcome:not(:empty)")
        for _ in range(2):
            tools.send("HeapProfiler.collectGarbage")
        figures = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
        nodes.append(int(figures["Nodes"]))
        heaps.append(figures["JSHeapUsedSize"] / 1e6)
    changes = page.evaluate("window.changes")
    print("changes", changes, "nodes", nodes, "heap MB", [round(heap, 2) for heap in heaps])
    assert looker.complaints == []
    assert changes >= updates * 0.8
    assert max(nodes[1:]) <= min(nodes) + 450  # a part that was just replaced may still be counted
    assert max(heaps[1:]) <= heaps[0] * 1.15 + 0.3


def test_an_unread_card_of_an_earlier_hand_is_keyed(play, look):
    """Promised: a hand that is still open for an unread card is not only accepted or voided: its face can be said."""
    table = play()
    for line in ("draw P1:2S", "unread B1", "draw P2:4C B2:5D", "call banker", "draw P1:KS"):
        table.say(line)
    page = at_table(look(), table)
    page.wait_for_selector("[data-row]")
    keys = Keyboard(page)
    keys.press("u", "!")
    page.wait_for_selector("#cards[open] .lay-card[aria-pressed=true]")
    keys.press("k", "3", "h")
    tried(page, "#cards")
    assert keys.hold("Enter") == 200
    page.wait_for_selector("[data-row]", state="detached")
    assert table.process.poll() is None


DIALOGS = {
    "!": "#cards",
    "h": "#earlier",
    "m": "#manual",
    "b": "#blind",
    "d": "#ask-on_duty",
    "f": "#ask-mark_hand",
    "?": "#keys",
    "o": "#ask-open_table",
    "w": "#ask-new_shoe",
}
SMALL = """(dialog) => [...document.querySelectorAll(`${dialog} button, ${dialog} input`)]
    .filter(it => it.offsetParent)
    .map(it => [it, it.getBoundingClientRect()]).filter(([, box]) => box.width < 44 || box.height < 44)
    .map(([it, box]) => `${dialog} ${it.outerHTML.slice(0, 60)} ${box.width}x${box.height}`)"""
TRIES = 4


def opened(page, key: str, dialog: str) -> None:
    """Open a question by its key, with something in it."""
    page.wait_for_selector(LIVE)
    page.keyboard.press(key)
    page.wait_for_selector(f"{dialog}[open]")
    if dialog == "#cards":
        page.wait_for_selector("#cards .judged")
    if dialog == "#blind":
        page.keyboard.press("t")
        tried(page, dialog)


def stayed(page, key: str, dialog: str) -> bool:
    """Open a question; False where the page went stale and closed it again before it could be looked at."""
    try:
        opened(page, key, dialog)
    except TooLate:
        return False
    return True


def faults_of(page, dialog: str, width: int, height: int) -> list[str]:
    """What is wrong with the look of an open question."""
    report = Axe().run(page).response
    found = [f"{dialog} {item['id']} {item['nodes'][0]['html'][:120]}" for item in report["violations"]]
    box = page.locator(dialog).bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    outside = box["x"] < 0 or box["y"] < 0 or right > width or bottom > height
    return [*found, *page.evaluate(SMALL, dialog), *([f"{dialog} {box}"] if outside else [])]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_question_is_found_clean_and_fits_fingers(play, look, width, height):
    """Promised: axe finds nothing; touch targets 44 px; nothing outside the screen.

    A page that hears nothing for a while closes its question, and rightly: on a busy machine it is asked again.
    """
    table = play()
    table.say("hands 12")
    page = at_table(look(width, height), table)
    for key, dialog in DIALOGS.items():
        for _ in range(TRIES):
            if not stayed(page, key, dialog):
                continue
            faults = faults_of(page, dialog, width, height)
            if page.locator(f"{LIVE} {dialog}[open]").count():
                break
        else:
            pytest.fail(f"{dialog} did not stay open")
        assert faults == []
        page.keyboard.press("Escape")
        page.wait_for_selector(f"{dialog}:not([open])", state="attached")
