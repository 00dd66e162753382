"""Which language a page speaks: asked for by its address, kept in a cookie, or what the browser prefers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from jinja2 import Environment
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


@dataclass
class Keeping:
    """Middleware: a page whose address asks for a language puts it into a cookie, for the pages that follow."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the cookie, and say what the page was chosen by, where the answer is a page."""

        async def chosen(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.add_vary_header("Accept-Language")
                    headers.add_vary_header("Cookie")
                    _keep(Request(scope), headers)
            await send(message)

        await self.app(scope, receive, chosen if scope["type"] == "http" else send)


def _keep(request: Request, headers: MutableHeaders) -> None:
    asked = request.query_params.get(PARAMETER)
    # A script that loads a piece of its page says the page's language too; only who goes to an address chooses.
    if asked in LANGUAGES and request.headers.get("sec-fetch-dest", "document") == "document":
        secure = "; Secure" if request.url.scheme == "https" else ""
        headers.append("set-cookie", f"{COOKIE}={asked}; HttpOnly; Max-Age={KEPT_S}; Path=/; SameSite=Strict{secure}")


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
