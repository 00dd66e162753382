"""The pages as they come over the wire."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from controller import catalogue
from controller.core.views import DutyView, Sentence
from controller.pit import render
from tests.pit.sample import STATES, floor_of, incident, public

PAGES = ("/", "/table/1", "/board/1", "/surveillance/1")
WORDS = catalogue.load(missing=catalogue.refuse)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_html_that_nobody_may_keep(pit, path):
    """trust.md 4.4: strict policy, no framing, no storing."""
    with pit.client() as client:
        answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_inline_script_or_style_or_an_outside_address(pit, path):
    """trust.md 4.4, ASVS 3.6.1: nothing from outside; the policy would block inline code silently."""
    with pit.client() as client:
        html = client.get(path).text
    assert re.search(r"<script(?![^>]* src=)", html) is None
    assert re.search(r"<style|\sstyle=|\son[a-z]+=", html) is None
    assert re.search(r"(?:src|href)=[\"'](?:https?:)?//", html) is None


def test_the_script_and_the_sheet_come_with_their_types(pit):
    """A browser under nosniff runs nothing that has the wrong type."""
    with pit.client() as client:
        assert client.get("/static/page.js").headers["content-type"].startswith("text/javascript")
        assert client.get("/static/page.css").headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", ["table", "board"])
def test_every_state_has_all_its_sentences(kind, state):
    """The catalogue here raises for a missing id."""
    parts = {"table": render.TABLE, "board": render.BOARD}[kind]
    sheet = render.Sheet(kind, parts, render.environment(WORDS))
    assert all(isinstance(html, str) for html in sheet.render(STATES[state]).values())


@pytest.mark.parametrize("path", ["/", "/table/2", "/board/2"])
def test_no_public_page_tells_a_face_that_only_surveillance_sees(pit, path):
    """trust.md promise 4: the sample's hidden faces are on surveillance's page and on no other."""
    names = ("7 of hearts", "queen of spades", "9 of diamonds")
    with pit.client() as client:
        html = client.get(path).text
        secret = client.get("/surveillance/2").text
    assert all(name in secret for name in names)
    assert not any(name in html for name in names)


def test_the_dealers_page_shows_backs_before_the_reveal(pit):
    """Requirement: in face-down play nothing that depends on a face leaves surveillance."""
    with pit.client() as client:
        html = client.get("/table/2").text
        secret = client.get("/surveillance/2").text
    felt = html[html.index('class="felt"') : html.index('class="trouble"')]
    assert felt.count("Face down") == 4
    assert "of hearts" not in html
    assert "7 of hearts" in secret


def test_a_page_without_recorder_gives_no_prompt():
    """design.md section 3: prompts go blank and the page says NOT RECORDING: deal by procedure."""
    shown = render.prompt(replace(public(), recording=False))
    assert shown["sentence"].id == "prompt.not-recording"


def test_a_page_whose_link_is_lost_gives_no_prompt():
    """trust.md T5: stale is shown stale."""
    shown = render.prompt(replace(public(), link="not-live", link_sentence=Sentence("link.lost")))
    assert shown["sentence"].id == "prompt.no-link"
    assert shown["why"].id == "link.lost"


def test_the_table_that_needs_a_person_stands_first():
    """The pit page orders tables by need."""
    floor = floor_of("middle", "not-live", "incident", "not-recording")
    order = sorted((floor.pit(table) for table, _ in floor.tables), key=render.need)
    assert [view.public.table for view in order] == ["4", "3", "2", "1"]


def test_a_tile_tells_the_serial_of_the_shoe(pit):
    """Requirement: shoe serial; who walks to a table sees whether it is the shoe that was brought there."""
    duty = DutyView("2026-09-21", "100-10000", "2001", "1042", "AE-4711")
    pit.call(lambda: setattr(pit.floor, "duty", duty))
    with pit.client() as client:
        html = client.get("/").text
    assert re.search(r"<dt>Shoe serial</dt><dd>AE-4711</dd>", html)


def test_open_incidents_put_alerts_before_notices():
    """The list stays until each is acknowledged; the worst stands on top."""
    floor = floor_of("middle")
    floor.incidents = {"1": (incident("1", 1, level="notice"), incident("1", 2), incident("1", 3))}
    found = render.open_incidents([floor.pit("1")])
    assert [item.id for _, item in found] == ["i3", "i2", "i1"]


def test_a_name_is_escaped(pit):
    """A table's name comes from a configuration file, not from us."""
    pit.call(lambda: pit.floor.views.update({"1": replace(public(), name="<img src=x>")}))
    pit.call(lambda: pit.hub.publish("1"))
    with pit.client() as client:
        html = client.get("/table/1").text
    assert "<img" not in html


def test_what_is_not_there_is_said_in_a_sentence(pit):
    with pit.client() as client:
        page, table = client.get("/nothing"), client.get("/table/99")
    assert page.status_code == table.status_code == 404
    assert "no such page" in page.text
    assert "no such table" in table.text


def test_demo_is_on_every_page(pit):
    """Requirement: DEMO on every page of the demonstration."""
    with pit.client() as client:
        assert all('class="demo"' in client.get(path).text for path in PAGES)


@pytest.mark.parametrize(
    ("path", "shown"), [("/", True), ("/surveillance/1", True), ("/table/1", False), ("/board/1", False)]
)
def test_pit_and_surveillance_see_that_a_shoe_cannot_prove_what_it_says(pit, path: str, shown):
    """trust.md 3.2, L0: a legacy shoe is UNAUTHENTICATED to pit and surveillance; it says nothing about its level."""
    assert pit.floor.views["1"].link == "live"
    with pit.client() as client:
        assert ('class="link unauthenticated"' in client.get(path).text) is shown
