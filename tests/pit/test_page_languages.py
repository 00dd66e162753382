"""Pages, streams and refusals in the language asked for: by the address, by a choice that was kept, by the browser."""

from __future__ import annotations

import re

import pytest

from controller.catalogue import LANGUAGES
from controller.pit import languages


@pytest.mark.parametrize("path", ["/", "/table/1", "/board/1", "/surveillance/1", "/nothing"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_says_its_language(pit, path, language):
    """Requirement: chosen per page; a kiosk keeps it by its address, whatever its browser prefers."""
    with pit.client(**{"accept-language": "fr, en;q=0.5"}) as client:
        html = client.get(path, params={"lang": language}).text
    assert f'<html lang="{language}">' in html
    assert f'href="?lang={language}"' in html
    assert html.count("aria-current") == 1
    assert "[page." not in html


def test_only_a_page_sets_the_cookie(pit):
    """What a script or another program asks for is no choice of a person."""
    with pit.client() as client:
        kept = client.get("/board/1", params={"lang": "zh-Hans"}).headers["set-cookie"]
        other = client.get("/static/page.js", params={"lang": "zh-Hans"})
        piece = client.get("/board/1", params={"lang": "zh-Hans"}, headers={"sec-fetch-dest": "empty"})
    assert kept.startswith("tirage-lang=zh-Hans; HttpOnly; Max-Age=")
    assert kept.endswith("; Path=/; SameSite=Strict")
    assert "set-cookie" not in other.headers
    assert "set-cookie" not in piece.headers


def test_a_choice_is_kept_for_the_pages_that_follow(pit):
    with pit.client() as client:
        client.get("/", params={"lang": "zh-Hant"})
        assert '<html lang="zh-Hant">' in client.get("/board/1").text
        assert '<html lang="en">' in client.get("/board/1", params={"lang": "en"}).text


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-HK", "zh-Hant"),
        ("zh-MO, pt;q=0.5", "zh-Hant"),
        ("fr, en;q=0.5, zh-TW;q=0.7", "zh-Hant"),
        ("zh;q=0, en", "en"),
        ("fr", "en"),
        ("", "en"),
        (";q=x,,zh-Hans;q=much", "en"),
    ],
)
def test_without_a_choice_the_browsers_preference_decides(pit, accepted, language):
    """RFC 9110 section 12.5.4: by weight; zero means not acceptable."""
    with pit.client(**{"accept-language": accepted}) as client:
        assert f'<html lang="{language}">' in client.get("/board/1").text


def test_an_unknown_language_is_no_language(pit):
    with pit.client() as client:
        answer = client.get("/board/1", params={"lang": '"><script>'})
    assert '<html lang="en">' in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(("language", "word"), [("en", "BANKER wins"), ("zh-Hans", "庄赢"), ("zh-Hant", "莊贏")])
def test_a_stream_speaks_its_pages_language(pit, language, word):
    """The first message is the whole page: it must not turn a Chinese page into an English one."""
    with pit.client() as client:
        address = re.search('data-events="([^"]+)"', client.get("/board/1", params={"lang": language}).text)
        assert address
        with client.stream("GET", address[1]) as stream:
            first = next(line for line in stream.iter_lines() if line.startswith("data:"))
    assert word in first.encode().decode("unicode_escape")


def test_a_language_that_nobody_reads_costs_nothing(pit):
    """Topics of other languages are made when a page in them is first asked for."""
    before = set(pit.hub.topics)
    with pit.client() as client:
        client.get("/board/1")
        assert set(pit.hub.topics) == before
        client.get("/board/1", params={"lang": "zh-Hans"})
    assert set(pit.hub.topics) - before == {"zh-Hans/board/1"}


def test_a_refusal_is_said_in_the_language_of_the_page_that_asked(pit):
    """A command tells the language of its page, which an address may have chosen against the cookie."""
    with pit.client(**{"x-tirage-command": "1", "accept-language": "zh-Hans"}) as client:
        client.cookies.set(languages.COOKIE, "zh-Hant")
        answer = client.post("/table/1/commands", json={"nothing": 1})
    assert answer.status_code == 422
    assert answer.json()["sentence"].startswith("无法读取该指令")
