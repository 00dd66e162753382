"""What a person may try before it counts: the hands as they lie, and what would come of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.accounts.errors import Denied
from controller.accounts.people import People
from controller.accounts.roles import NOBODY, Roles, may_decide
from controller.catalogue import Catalogue
from controller.core.inputs import Apply, Command
from controller.core.offers import Offers
from controller.core.previewing import HandView, Preview
from controller.core.remedies.situations import Remedy
from controller.core.views import PublicView, Sentence, Side
from controller.core.words import kind_of
from controller.pit import commands, guards
from controller.pit.floor import Floor
from controller.pit.languages import Voice, Voices
from controller.pit.render import names
from controller.pit.signin import person, visitor
from controller.pit.signin_commands import may

UNFITTING = {"bad-layout": "no-fit"}  # a remedy lays no card: it does not fit those that lie there
PLACES = {"basket": "ruling.basket", "next": "lay.next"}


class Pages(Protocol):
    """What these routes need of the pages."""

    @property
    def floor(self) -> Floor: ...

    @property
    def voices(self) -> Voices: ...

    @property
    def people(self) -> People | None: ...

    def known(self, table: str) -> str: ...


def add_rehearsal(app: FastAPI, pages: Pages) -> None:
    """Routes that change nothing."""

    @app.get("/table/{table}/hands")
    async def hands(table: str, request: Request) -> Response:
        words = pages.voices.of(request).words
        ident, came = pages.known(table), visitor(request)
        told = [hand_dict(view) | _told(view, words.word) for view in pages.floor.hands(ident)]
        roles = None if came is None else came.session.roles if came.session else NOBODY
        return JSONResponse({"hands": told, **offers_dict(pages.floor.offers(ident), words, roles)})

    @app.post("/table/{table}/preview")
    async def preview(table: str, request: Request) -> Response:
        guards.same_origin(request)
        command, by = await _asked(pages, request, table)
        ident, voice = pages.known(table), pages.voices.of(request)
        tried = pages.floor.preview(ident, command, by)
        if isinstance(command.act, Apply):
            return ruled(tried, command.act, voice)
        return answered(tried, pages.floor.public(ident), voice)


async def _asked(pages: Pages, request: Request, table: str) -> tuple[Command, str]:
    """Return the command and who asks; with accounts only those who may give it may try it. Raises Refusal."""
    if pages.people is None:
        guards.with_access(request, pages.floor.token)
        body = await commands.read(request, commands.CommandBody)
        return commands.command_of(body), f"staff:{body.staff}"
    session = person(request)
    command = commands.command_of(await commands.read(request, commands.SignedBody))
    kind = kind_of(type(command.act))
    if not may(pages.floor, pages.known(table), session.roles, command):
        came = visitor(request)
        address = came.address if came else "?"
        await pages.people.tell_refused(f"staff:{session.number}", address, f"role: {kind}", request.url.path)
        raise Denied("signin.role")
    return command, f"staff:{session.number}"


def hand_dict(view: HandView) -> dict[str, Any]:
    """Return a hand for the page's script: a face only where players know it."""
    cards = [
        {
            "seat": card.seat,
            "index": card.index,
            "side": card.spot.side.value,
            "card": str(card.spot.card) if card.spot.card else None,
            "seen": card.spot.side is Side.FACE,
            "carried": card.spot.carried,
        }
        for card in view.cards
    ]
    head = {"ref": view.ref, "number": view.number, "open": view.result is None, "initial": view.initial}
    return head | {"cards": cards, "fits": list(view.fits), "opener_seen": view.opener_seen}


def offers_dict(offers: Offers, words: Catalogue, roles: Roles | None = None) -> dict[str, Any]:
    """Return what a house rules on, in the words of the page's language.

    ``yours`` says whether one of the roles decides; without accounts (None) the table says that when it is tried.
    """
    word = words.word
    situations = [
        {
            "id": one.id,
            "says": word(f"situation.{one.id}"),
            "amends": one.amends,
            "silent": one.silent,
            "post": one.decider.value,
            "yours": roles is None or may_decide(roles, one.decider),
            "decider": word(f"ruling.decides-{one.decider.value}"),
            "remedies": [
                {"name": offer.remedy.value, "says": word(f"remedy.{offer.remedy.value}"), "names": offer.names.value}
                for offer in one.remedies
            ],
        }
        for one in offers.situations
    ]
    return {"situations": situations, "sanctions": [sanction.value for sanction in offers.sanctions]}


def _told(view: HandView, word: Callable[..., str]) -> dict[str, str]:
    call = view.result.call if view.result else None
    return {"call": call.value if call else "", "says": word(f"result.{call.value if call else 'none'}")}


def answered(preview: Preview, before: PublicView, voice: Voice) -> Response:
    """Return what would come of it: as a sentence where it would be refused, else as a piece of the page."""
    if preview.why:
        sentence = voice.words.word(f"rejected.{preview.why}")
        return JSONResponse({"accepted": False, "sentence": sentence, "html": "", "accepts": []})
    html = voice.environment.get_template("parts/preview.html").render(
        preview=preview, before=before, after=preview.public, names=names(preview.public)
    )
    kinds = [found.kind for found in preview.found]
    return JSONResponse({"accepted": True, "sentence": "", "html": html, "accepts": kinds})


def ruled(preview: Preview, act: Apply, voice: Voice) -> Response:
    """Return what a remedy would do: which card goes where, the points after it, and whose bets may change."""
    if preview.why:
        sentence = voice.words.word(f"rejected.{UNFITTING.get(preview.why, preview.why)}")
        asks_number = preview.why == "supervisor-decides"
        return JSONResponse({"accepted": False, "sentence": sentence, "html": "", "asks_number": asks_number})
    html = voice.environment.get_template("parts/ruled.html").render(
        preview=preview, bets=bets(preview, act), names=names(preview.public), places=PLACES
    )
    return JSONResponse({"accepted": True, "sentence": "", "html": html})


def bets(preview: Preview, act: Apply) -> Sentence:
    """Return whose bets may change, go back or are bound (rules.md 1.5, R-000-13, R-000-15, R-000-18)."""
    side = (("seat", act.seat.value),) if act.seat else ()
    if preview.result is not None and preview.result.call is None and not preview.undecided:
        return Sentence("ruling.bets-back")
    if act.remedy is Remedy.REFUSE:
        return Sentence("ruling.bets-side-back", side)
    if act.remedy is Remedy.PLAY:
        return Sentence("ruling.bets-bound", side)
    by = (("by", preview.amends),)
    if preview.bets_first:
        return Sentence("ruling.amends-first", by)
    return Sentence("ruling.amends", by) if preview.amends else Sentence("ruling.no-amends")
