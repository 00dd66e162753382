"""Languages: every sentence in each of them, and none outside the catalogues."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import catalogue
from controller.catalogue import ENGLISH, LANGUAGES
from controller.core.cards import Seat, Suit
from controller.core.facts import Audience
from controller.core.games import GAMES
from controller.core.incidents import KINDS, Level, Lifts
from controller.core.machine import Phase
from controller.core.shoe import Stage
from controller.core.signals import Call, Pairs
from controller.core.table import Link
from controller.core.views import Sentence
from controller.pit import acts, render
from tests import literals
from tests.conftest import REPOSITORY

PIT = REPOSITORY / "controller" / "pit"
TEMPLATES = sorted([*PIT.glob("templates/**/*.html"), *PIT.glob("templates/**/*.svg")])
SCRIPTS = sorted(PIT.glob("static/**/*.js"))
CHINESE = tuple(language for language in LANGUAGES if language != ENGLISH)
TEXTS = {language: catalogue.read(language) for language in LANGUAGES}

# Strings of scripts that no person reads: words of the browser and of HTTP.
MACHINE = frozenset({"use strict", "Content-Type", "Authorization", "Bearer", "Enter", "Escape", "Tab", "Home", "End"})
# What looks like an id and is a file's name, or what a template reads of a value.
NO_IDS = frozenset({"html", "js", "css", "svg", "value"})
# Ids whose text is the same in every language: languages' own names, and letters of cards.
SAME = re.compile(r"language|rank\.|pairs\.none|refused\.content-type")


# ---- the catalogues ------------------------------------------------------------------------------------------------


def blanks(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)


@pytest.mark.parametrize("language", CHINESE)
def test_every_sentence_is_in_every_language_with_its_blanks(language):
    """Requirement: all that people read comes from catalogues. The message lists what is to be translated."""
    english, other = TEXTS[ENGLISH], TEXTS[language]
    problems = [f"missing: {name} = {english[name]!r}" for name in english if name not in other]
    problems += [f"not in English: {name}" for name in other if name not in english]
    problems += [
        f"other blanks: {name}: {blanks(english[name])} in English, {blanks(other[name])} here"
        for name in english
        if name in other and blanks(english[name]) != blanks(other[name])
    ]
    assert not problems, f"controller/sentences/{language}.toml\n" + "\n".join(problems)


@pytest.mark.parametrize("language", CHINESE)
def test_no_sentence_was_left_in_english(language):
    untouched = [
        f"{name} = {text!r}"
        for name, text in TEXTS[language].items()
        if not SAME.match(name)
        and not re.search("[\u4e00-\u9fff]", text)
        and literals.words_in(re.sub("{[a-z]+}", "", text))
    ]
    assert not untouched, "\n".join(untouched)


@pytest.mark.parametrize(("language", "encoding"), [("zh-Hans", "gb2312"), ("zh-Hant", "big5hkscs")])
def test_each_chinese_is_written_in_its_own_script(language, encoding):
    """GB 2312 has no traditional forms, Big5 with the Hong Kong supplement is the set of traditional ones."""
    # The cockroach of the road's name is Cantonese and in no mainland standard of 1980.
    told = {name: text.replace("\u66f1\u7534", "") for name, text in TEXTS[language].items()}
    wrong = {
        (name, sign)
        for name, text in told.items()
        if not name.startswith("language")
        for sign in text
        if sign.encode(encoding, "ignore") == b""
    }
    assert not wrong


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-Hans", "庄 闲 和 庄对 闲对 例牌 珠盘路 大路 大眼仔路 小路 曱甴路"),
        ("zh-Hant", "莊 閒 和 莊對 閒對 例牌 珠盤路 大路 大眼仔路 小路 曱甴路"),
    ],
)
def test_the_games_own_words_are_those_of_the_floor(language, words):
    """Requirement: the words that players know their board by."""
    shown = "banker-wins player-wins ties banker-pairs player-pairs naturals bead big big-eye small cockroach"
    assert [TEXTS[language][f"page.{name}"] for name in shown.split()] == words.split()


# ---- what the core can say -----------------------------------------------------------------------------------------


def trees(folder: str) -> Iterator[ast.Module]:
    for path in sorted((REPOSITORY / "controller" / folder).glob("*.py")):
        yield ast.parse(path.read_text("utf-8"))


def told_by_name() -> set[str]:
    """Ids that the program writes out where it makes a sentence."""
    calls = [node for tree in (*trees("core"), *trees("daemon"), *trees("pit")) for node in ast.walk(tree)]
    return {
        call.args[0].value
        for call in calls
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"Sentence", "_blanks", "_of"}
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def rejections() -> set[str]:
    """Reasons that a ruling returns instead of an effect."""
    rulings = [
        node
        for tree in trees("core")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns and ast.unparse(node.returns).endswith("| str")
    ]
    returned = [node.value for ruling in rulings for node in ast.walk(ruling) if isinstance(node, ast.Return)]
    ways = [
        way for value in returned for way in ((value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,))
    ]
    return {way.value for way in ways if isinstance(way, ast.Constant) and isinstance(way.value, str)}


def ids() -> set[str]:
    secret = {kind for kind, how in KINDS.items() if how.audience is Audience.SURVEILLANCE}
    rules = {rule for game in GAMES.values() for rule in game.rules}
    return (
        {f"incident.{kind}" for kind in (*KINDS, "alarm")}
        | {f"hold.{kind}" for kind, how in KINDS.items() if how.lifts is not Lifts.NOTHING and kind not in secret}
        | {f"rejected.{why}" for why in rejections()}
        | {f"{what}.{act.kind}" for act in acts.ACTS for what in ("act", "ask")}
        | {f"rule.{rule}" for rule in rules}
        | {f"page.{level.value}" for level in Level}
        | {f"phase.{phase.value}" for phase in Phase}
        | {f"stage.{stage.value}" for stage in Stage}
        | {f"state.{link.value}" for link in Link if link is not Link.CLOSED}
        | {f"{where}.{call.value}" for call in Call for where in ("result",)}
        | {f"pairs.{pairs.value}" for pairs in Pairs}
        | {f"{where}.{seat.value}" for seat in Seat for where in ("seat", "letter", "then")}
        | {f"suit.{suit.value}" for suit in Suit}
        | told_by_name()
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_the_core_can_say_has_its_words(language):
    """design.md section 1: every sentence has an id in the catalogue; found in the source, not in a list of ours."""
    assert len(rejections()) > 5, "the rulings were not found"
    assert len(told_by_name()) > 15, "the prompts were not found"
    missing = sorted(ids() - TEXTS[language].keys())
    assert not missing, f"controller/sentences/{language}.toml\n" + "\n".join(missing)


def test_whatever_a_page_asks_for_is_in_the_catalogue():
    """An id that is written out must be there; of one that is put together, its table must."""
    source = "\n".join(path.read_text("utf-8") for path in (*TEMPLATES, *sorted(PIT.glob("*.py"))))
    tables = {name.partition(".")[0] for name in TEXTS[ENGLISH]}
    written = re.findall(r"""["']([a-z-]+)\.([\w-]+)["']""", source)
    whole = {f"{table}.{name}" for table, name in written if table in tables and name not in NO_IDS}
    started = set(re.findall(r"""\bw\(["']([\w-]+)\.["']\s*~""", source))
    assert len(whole) > 100
    begun = {name for name in whole if name.endswith("-") and any(known.startswith(name) for known in TEXTS[ENGLISH])}
    assert not sorted(whole - begun - TEXTS[ENGLISH].keys())
    assert not sorted(started - tables)


# ---- what templates and scripts say by themselves ------------------------------------------------------------------


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_says_nothing_by_itself(path: Path):
    """Requirement: a test finds a string without a key."""
    assert literals.in_template(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_says_nothing_by_itself(path: Path):
    assert literals.in_script(path.read_text("utf-8"), MACHINE) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_that_asks_says_its_pages_language(path: Path):
    """The answer is shown on the page; its address may have chosen another language than browser and cookie."""
    source = path.read_text("utf-8")
    assert source.count('"Accept-Language": language') == source.count('"X-Tirage-Command"')


def test_the_style_sheets_say_nothing_by_themselves():
    sheets = "".join(path.read_text("utf-8") for path in (PIT / "static").glob("**/*.css"))
    said = re.findall(r"""content:\s*["']([^"']*)["']""", sheets)
    assert [text for text in said if literals.words_in(text)] == []


@pytest.mark.parametrize(
    "template",
    [
        "<p>Deal the cards</p>",
        '<button title="Close it">x</button>',
        '<i aria-label="{{ "Spot" if a else b }}"></i>',
        "<p>{{ name or 'none at all' }}</p>",
        "{% if a %}<b>庄</b>{% endif %}",
        "<p data-lost='no answer came'></p>",
    ],
)
def test_the_search_finds_what_is_written_in(template):
    assert literals.in_template(template)


@pytest.mark.parametrize("line", ['say("Wait for it")', "place.title = 'Closed'", "x = `庄 ${n}`"])
def test_the_search_finds_what_a_script_says(line):
    assert literals.in_script(line, MACHINE)


@pytest.mark.parametrize("language", CHINESE)
def test_a_prompt_in_chinese_is_short_enough_to_be_read_at_arms_length(language):
    """A sign is as wide as two letters: half of what English may have."""
    words = catalogue.load(language)
    told = [name for name in TEXTS[language] if name.startswith(("prompt.", "short."))]
    filled = [words.text(Sentence(name, (("seat", "banker"), ("then", "punter"), ("n", "2")))) for name in told]
    assert max(len(text) for text in filled) <= 18
    assert render.brief(Sentence("hold.overdraw")).id in told
