"""The pages of recall as a browser or a program asks for them."""

from __future__ import annotations

import csv
import io
import os
import re
import signal
from html import unescape

import pytest

from controller.accounts.roles import PAGES
from controller.pit.recall_routes import OPEN_PAGES, RECALL_ROUTES
from controller.pit.signin_routes import ROUTES
from tests.recall.evening import NOTE


def text_of(html: str) -> str:
    body = re.sub(r"<script.*?</script>|<head.*?</head>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", body)))


def filled(path: str) -> str:
    return path.replace("{table}", "1").replace("{hand:int}", "1").replace("{ref}", "1-1").replace("{shoe:int}", "1")


def test_a_hand_page_tells_result_corrections_cards_and_time_range(pages):
    with pages.client() as client:
        html = client.get("/table/1/hand/1?shoe=1").text
    told = text_of(html)
    assert "<del>PLAYER</del>" in html
    assert re.search(r"13:\d\d:\d\d\.\d{3} to 13:\d\d:\d\d\.\d{3}|14:\d\d:\d\d\.\d{3} to 14:\d\d:\d\d\.\d{3}", told)
    assert "9S" in told
    assert "1043" in told
    assert "called for the wrong side" in told  # faults.md A 45: who, when, why


def test_without_a_number_the_latest_hand_is_shown(pages):
    """Requirement: latest first. Shoe 2 has one open hand; of shoe 1 the fifth is the last."""
    with pages.client() as client:
        assert "Hand 1 Shoe 2" in text_of(client.get("/table/1/hand").text)
        assert "Hand 5 Shoe 1" in text_of(client.get("/table/1/hand?shoe=1").text)


def test_leaves_lead_over_the_end_of_a_shoe(pages):
    with pages.client() as client:
        second, last = client.get("/table/1/hand/1?shoe=2").text, client.get("/table/1/hand/5?shoe=1").text
        first = client.get("/table/1/hand/1?shoe=1").text
    assert 'data-arrow="ArrowLeft" href="/table/1/hand?shoe=1"' in second
    assert 'data-arrow="ArrowRight" href="/table/1/hand/1?shoe=2"' in last
    assert 'data-arrow="ArrowLeft"' not in first


def test_a_face_that_players_have_not_seen_is_on_no_page_but_surveillances(pages):
    """trust.md 4.2 and design.md section 1: neither as a face, nor in a message, nor in the shoe's bytes."""
    with pages.client() as client:
        public = client.get("/table/2/hand/1").text
        report = client.get("/table/2/shoe/1.json").text + client.get("/table/2/shoe/1.csv").text
        seen = client.get("/surveillance/2/hand/1").text
    for face in ("9H", "4C", "KS"):
        assert face not in text_of(public)
        assert face not in report
        assert face in text_of(seen)
    assert "<code>" not in public
    assert "<code>05 " in seen


def test_the_report_is_a_page_a_table_and_json(pages):
    with pages.client() as client:
        page = text_of(client.get("/table/1/shoe/1").text)
        table = client.get("/table/1/shoe/1.csv")
        plain = client.get("/table/1/shoe/1.json").json()
    assert "Counted back 400" in page
    assert "Link to the shoe UNAUTHENTICATED" in page  # trust.md 3.2, L0
    assert plain["levels"] == ["unauthenticated"]
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [row["result"] for row in rows] == ["banker", "player", "player", "tie", "player"]
    assert table.headers["content-disposition"] == 'attachment; filename="1-shoe-1.csv"'
    assert plain["cards"]["difference"] == 1


def test_incidents_are_exported_with_who_when_and_note(pages):
    """Requirement."""
    with pages.client() as client:
        (row,) = [
            row
            for row in csv.DictReader(io.StringIO(client.get("/table/1/shoe/1/incidents.csv").text))
            if "result-mismatch" in row["kinds"]
        ]
        plain = client.get("/table/1/shoe/1/incidents.json").json()
    assert (row["acknowledged_by"], row["note"], row["reviewed_by"]) == ("1042", NOTE, "3001")
    assert row["acknowledged_at"].startswith("2026-09-21T")
    assert plain[0]["id"] == row["id"]


def test_the_history_is_filtered_and_offers_the_review_of_what_is_only_acknowledged(pages):
    with pages.client() as client:
        people = client.get("/surveillance/1/history?shoe=1&group=people").text
        line = client.get("/surveillance/1/line?shoe=1").text
    assert 'class="of-people"' in people
    assert 'class="of-cards"' not in people
    assert 'data-act="review"' not in people, "it is reviewed already"
    assert NOTE in people
    assert "Messages by copies seen 3 " in text_of(line)
    assert "Card drawn · BANKER 1 · Face down" in text_of(line)


@pytest.mark.parametrize(
    "path",
    [
        "/table/1/hand/0",
        "/table/1/hand/99",
        "/table/1/hand/-1",
        "/table/1/hand/1?shoe=9",
        "/table/1/shoe/9",
        "/table/3/hand",
        "/table/nobody/hand",
        "/surveillance/1/hand/99",
        "/table/1/shoe/1.xml",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(pages, path):
    with pages.client() as client:
        answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no such" in text_of(answer.text)


@pytest.mark.parametrize("path", sorted(RECALL_ROUTES))
def test_every_route_answers_and_has_its_row_for_accounts(pages, path):
    with pages.client() as client:
        assert client.get(filled(path)).status_code == 200
    assert ROUTES["GET", path].page == RECALL_ROUTES[path]
    assert RECALL_ROUTES[path] in PAGES


@pytest.mark.parametrize("path", sorted(path for path, page in RECALL_ROUTES.items() if page not in OPEN_PAGES))
def test_without_accounts_other_machines_need_the_token(pages, path):
    """A proxy on this machine speaks for others: its requests are not taken for this machine's."""
    with pages.client(**{"x-forwarded-for": "10.0.0.9"}) as client:
        answer = client.get(filled(path))
    assert answer.status_code == 403
    assert "9S" not in answer.text


def test_a_damaged_journal_is_told_and_no_other_page_suffers(pages, journal, tmp_path):
    for path in journal.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (segment,) = tmp_path.glob("000002-shoe.jsonl")
    segment.write_bytes(segment.read_bytes().replace(b'"hand":1', b'"hand":2', 1))
    pages.folders["3"] = tmp_path
    with pages.client() as client:
        assert "The journal is damaged" in client.get("/table/3/shoe/1").text
        assert client.get("/table/3/shoe/1").status_code == 409
        assert client.get("/table/1/shoe/1").status_code == 200


def test_a_clerk_that_was_killed_is_replaced(pages):
    """The process that replays is not the daemon's: its end costs one question at most, here none."""
    with pages.client() as client:
        assert client.get("/table/1/hand").status_code == 200
        (pid,) = pages.archive.clerk._process._processes
        os.kill(pid, signal.SIGKILL)
        assert client.get("/table/1/hand").status_code == 200
        assert pid not in pages.archive.clerk._process._processes


def test_nothing_is_replayed_before_somebody_asks(pages):
    with pages.client() as client:
        client.get("/table/1")
        client.get("/surveillance/1")
        assert pages.archive.clerk._process is None
