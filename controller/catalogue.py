"""The catalogue: every sentence that a person reads, by its id."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from controller.core.views import Sentence

Missing = Callable[[str], str]

ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh-Hans", "zh-Hant")  # the first is the one that all others are measured by


class MissingSentence(LookupError):
    """An id, or a blank of a sentence, that the catalogue does not have."""


def refuse(what: str) -> str:
    """Raise for a missing id: what tests want."""
    raise MissingSentence(what)


def show_id(what: str) -> str:
    """Return the id itself, in brackets: a page with an odd word is better than no page."""
    return f"[{what}]"


@dataclass(frozen=True)
class Catalogue:
    """Sentences of one language, with {blanks}.

    A blank's value is itself looked up as `blank.value` first, so that ("seat", "player") reads PLAYER.
    ``missing`` says what becomes of an id that is not there.
    """

    language: str
    texts: Mapping[str, str]
    missing: Missing = show_id

    def text(self, sentence: Sentence) -> str:
        """Return the sentence with its blanks filled.

        >>> load().text(Sentence("prompt.draws", (("seat", "banker"),)))
        'BANKER draws'
        """
        return self._fill(sentence.id, dict(sentence.blanks))

    def word(self, name: str, **blanks: object) -> str:
        """Return the text of an id, its blanks given by name."""
        return self._fill(name, {blank: str(value) for blank, value in blanks.items()})

    def rule(self, name: str) -> str:
        """Return the short text of a rule by its id, as `R-PB-03`."""
        return self._fill(f"rule.{name}", {})

    def _fill(self, name: str, blanks: Mapping[str, str]) -> str:
        text = self.texts.get(name)
        if text is None:
            return self.missing(name)
        values = {blank: self.texts.get(f"{blank}.{value}", value) for blank, value in blanks.items()}
        try:
            return text.format_map(values)
        except KeyError as error:
            return self.missing(f"{name}: no blank {error}")


def load(language: str = ENGLISH, missing: Missing = show_id) -> Catalogue:
    """Read the sentences of a language that come with the program; what it lacks is said in English.

    Raises FileNotFoundError for a language that does not come with it.
    """
    return Catalogue(language, read(ENGLISH) | read(language), missing)


def read(language: str) -> dict[str, str]:
    """Return the sentences of one language by their ids, as its file has them. Raises FileNotFoundError."""
    text = resources.files("controller").joinpath("sentences", f"{language}.toml").read_text("utf-8")
    return flat(tomllib.loads(text))


def flat(tables: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """Return nested tables as one, with dotted ids.

    >>> flat({"link": {"lost": "The cable is out."}})
    {'link.lost': 'The cable is out.'}
    """
    texts: dict[str, str] = {}
    for name, value in tables.items():
        texts |= {path + name: value} if isinstance(value, str) else flat(value, f"{path}{name}.")
    return texts
