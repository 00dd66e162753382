"""Which language a page speaks: asked for by its address, kept in a cookie, or what the browser prefers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import Response

from controller import catalogue
from controller.catalogue import ENGLISH, LANGUAGES, Catalogue
from controller.pit import render

PARAMETER = "lang"
COOKIE = "tirage-lang"
KEPT_S = 400 * 24 * 3_600  # browsers keep no cookie longer
# RFC 4647 lookup with the scripts that regions write (BCP 47; CLDR likely subtags).
TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})


@dataclass(frozen=True)
class Voice:
    """A language with what speaks it."""

    words: Catalogue
    environment: Environment

    @property
    def language(self) -> str:
        """The language's tag, as `zh-Hans`."""
        return self.words.language


@dataclass
class Voices:
    """The languages of this process. Only English is there from the start: another is made when it is first asked."""

    english: Catalogue
    _made: dict[str, Voice] = field(default_factory=dict)

    def of(self, request: Request) -> Voice:
        """Return the voice that answers a request."""
        return self.speaking(language_of(request))

    def speaking(self, language: str) -> Voice:
        """Return the voice of one of LANGUAGES."""
        if language not in self._made:
            words = self.english if language == ENGLISH else catalogue.load(language, self.english.missing)
            self._made[language] = Voice(words, render.environment(words))
        return self._made[language]


def language_of(request: Request) -> str:
    """Return the language of a page or of an answer.

    A page's address decides first, so that a kiosk keeps its language; then its cookie. A command, and a stream, which
    belong to a page that is already there, say the page's language themselves.
    """
    asked = request.query_params.get(PARAMETER, "")
    kept = request.cookies.get(COOKIE, "") if request.method == "GET" else ""
    best = preferred(request.headers.get("accept-language", ""))
    return next((tag for tag in (asked, kept) if tag in LANGUAGES), best)


def stream_language(request: Request) -> str:
    """Return the language of a stream: its address says it, or else it is English whoever listens."""
    asked = request.query_params.get(PARAMETER, "")
    return asked if asked in LANGUAGES else ENGLISH


def keep(request: Request, response: Response) -> None:
    """Keep in a cookie a language that an address asked for."""
    asked = request.query_params.get(PARAMETER)
    if asked in LANGUAGES:
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, asked, max_age=KEPT_S, httponly=True, samesite="strict", secure=secure)


def preferred(accepted: str) -> str:
    """Return the first language of an Accept-Language header that we speak; English if none.

    >>> preferred("fr, zh-TW;q=0.8, en;q=0.5"), preferred("de"), preferred("zh")
    ('zh-Hant', 'en', 'zh-Hans')
    """
    ranked = sorted(_weighted(accepted), key=lambda item: -item[1])
    return next((known for tag, weight in ranked if weight > 0 and (known := spoken(tag))), ENGLISH)


def spoken(tag: str) -> str:
    """Return which of our languages serves a tag; empty if none does.

    >>> spoken("zh-HK"), spoken("zh-Hans-HK"), spoken("EN-gb"), spoken("fr")
    ('zh-Hant', 'zh-Hans', 'en', '')
    """
    primary, *rest = tag.lower().split("-")
    if primary == "zh":
        return "zh-Hant" if TRADITIONAL & set(rest) and "hans" not in rest else "zh-Hans"
    return ENGLISH if primary == ENGLISH else ""


def _weighted(accepted: str) -> Iterator[tuple[str, float]]:
    for item in accepted.split(","):
        tag, _, weight = item.strip().partition(";q=")
        try:
            yield tag.strip(), float(weight or 1)
        except ValueError:
            continue  # a header that makes no sense must not cost the page
