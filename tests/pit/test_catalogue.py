"""The catalogue: every id has its sentence, and nothing is guessed silently."""

from __future__ import annotations

import string

import pytest

from controller import catalogue
from controller.core import incidents
from controller.core.games import GAMES
from controller.core.prompts import DEALERS_OWN
from controller.core.views import Sentence
from controller.pit import render

WORDS = catalogue.load(missing=catalogue.refuse)
KINDS = (*incidents.KINDS, "alarm")
PROMPTS = [
    "waiting",
    "card-next",
    "draws",
    "stands-over",
    "natural",
    "cards-out",
    "lay",
    "turn",
    "press-result",
    "call-result",
    "wait-supervisor",
    "suspended",
    "last-hand",
    "shoe-finished",
    "no-link",
    "not-recording",
    "who-took",
    "card-for",
    "may-draw",
    "card-or-none",
    "card-or-turn",
    "offer",
    "looks-first",
    "turn-close",
]
REJECTIONS = ["moved-on", "nothing-to-do", "not-now", "unknown-incident", "holds-changed", "bad-card", "bad-taker"]
IDS = (
    [f"hold.{kind}" for kind in KINDS]
    + [f"incident.{kind}" for kind in KINDS]
    + [f"prompt.{name}" for name in PROMPTS]
    + [f"short.{kind}" for kind in sorted(DEALERS_OWN)]
    + [f"rejected.{why}" for why in REJECTIONS]
    + [f"link.{reason}" for reason in ("lost", "silent", "opening")]
)


@pytest.mark.parametrize("name", IDS)
def test_every_id_of_the_core_has_a_sentence(name):
    """design.md section 1: every sentence that a person reads has an id in one catalogue."""
    blanks = (("seat", "player"), ("then", "banker"), ("n", "2"), ("result", "player"))
    text = WORDS.text(Sentence(name, blanks))
    assert text
    assert "{" not in text


@pytest.mark.parametrize(
    "name", [name for name in IDS if name.split(".")[0] in {"hold", "incident", "rejected", "link"}]
)
def test_what_is_wrong_is_said_in_whole_sentences(name):
    assert WORDS.texts[name].endswith(".")
    assert len(WORDS.texts[name]) <= 120


@pytest.mark.parametrize("kind", ["impossible-card", "unshuffled", "alarm"])
def test_the_dealer_is_told_nothing_of_a_composition_alarm(kind):
    """Requirement: alarms go to surveillance, the dealer sees "Wait for supervisor"."""
    assert WORDS.texts[f"hold.{kind}"] == "Wait for supervisor."


def test_a_seat_in_a_blank_is_read_out():
    assert WORDS.text(Sentence("prompt.card-next", (("seat", "banker"), ("n", "3")))) == "BANKER: card 3"


def test_a_missing_id_raises_where_it_is_told_to():
    with pytest.raises(catalogue.MissingSentence, match=r"prompt\.nothing"):
        WORDS.text(Sentence("prompt.nothing"))


def test_a_missing_blank_raises_where_it_is_told_to():
    with pytest.raises(catalogue.MissingSentence, match=r"prompt\.draws"):
        WORDS.text(Sentence("prompt.draws"))


def test_a_missing_id_shows_itself_on_the_floor():
    """A page with an odd word is better than no page."""
    assert catalogue.load().text(Sentence("prompt.nothing")) == "[prompt.nothing]"


def test_every_rule_that_a_game_names_has_its_short_text():
    """rules.md R-PB-01..12, and of each game what its judge may cite."""
    named = {f"R-PB-{number:02d}" for number in range(1, 13)}
    for game in GAMES.values():
        named |= game.rules
    assert all(WORDS.rule(rule) for rule in named)


def test_the_blanks_of_the_catalogue_are_names():
    """A blank that is a number or an expression could never be filled by name."""
    fields = [
        field for text in WORDS.texts.values() for _, field, _, _ in string.Formatter().parse(text) if field is not None
    ]
    assert all(field.isidentifier() for field in fields)


@pytest.mark.parametrize("kind", sorted(DEALERS_OWN))
def test_a_prompt_is_short_enough_to_be_read_at_arms_length(kind):
    """Requirement: the dealer's prompt readable at arm's length in a second."""
    assert len(WORDS.text(render.brief(Sentence(f"hold.{kind}")))) <= 32
