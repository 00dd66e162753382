"""Pages from views. The dealer's page and the board are made from the public view and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Generic, TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from controller.catalogue import LANGUAGES, Catalogue
from controller.core.cards import DECK, Card, Rank, Seat, Suit
from controller.core.games import PUNTO_BANCO, Game
from controller.core.views import (
    IncidentView,
    PitView,
    PublicView,
    Sentence,
    SurveillanceView,
)
from controller.pit import acts, bankacts, roadmap
from controller.pit.offering import SPOTS, doing, listing
from controller.recall.clock import untimed

ViewT = TypeVar("ViewT")


@dataclass(frozen=True)
class Part(Generic[ViewT]):
    """A piece of a page that is sent by itself.

    ``shows`` takes from the view exactly what the piece needs; while that stays equal, nothing is rendered.
    """

    name: str
    shows: Callable[[ViewT], Mapping[str, Any]]


@dataclass
class Sheet(Generic[ViewT]):
    """The parts of one page, with what they showed last."""

    kind: str
    parts: Sequence[Part[ViewT]]
    environment: Environment
    _seen: dict[str, tuple[Mapping[str, Any], str]] = field(default_factory=dict)

    def render(self, view: ViewT) -> dict[str, str]:
        """Return every part's HTML; only those that changed cost anything."""
        return {part.name: self._part(part, view) for part in self.parts}

    def _part(self, part: Part[ViewT], view: ViewT) -> str:
        shown = part.shows(view)
        seen = self._seen.get(part.name)
        if seen is not None and seen[0] == shown:
            return seen[1]
        html = self.environment.get_template(f"parts/{self.kind}_{part.name}.html").render(shown)
        self._seen[part.name] = (shown, html)
        return html


# ---- what each part shows ------------------------------------------------------------------------------------------


def prompt(view: PublicView) -> dict[str, Any]:
    """The prompt, or what must stand in its place: a page that cannot be relied on must not prompt."""
    if not view.recording:
        return {"state": "not-recording", "sentence": Sentence("prompt.not-recording"), "why": None}
    if view.link != "live":
        return {"state": view.link, "sentence": Sentence("prompt.no-link"), "why": view.link_sentence}
    return {"state": view.phase, "sentence": brief(view.prompt), "why": None}


def brief(sentence: Sentence) -> Sentence:
    """Return what can be read at arm's length: a hold as a prompt is told in few words."""
    kind, _, name = sentence.id.partition(".")
    return replace(sentence, id=f"short.{name}") if kind == "hold" else sentence


def status(view: PublicView) -> dict[str, Any]:
    """The line above everything."""
    return {
        "table": view.table,
        "name": view.name,
        "hand": view.hand,
        "shoe": view.shoe,
        "stage": view.stage,
        "phase": view.phase,
        "link": view.link,
        "link_level": view.link_level,
        "game": view.game,
        "recording": view.recording,
        "sort": view.sort,
        "open": view.open,
    }


def felt(view: PublicView) -> dict[str, Any]:
    """The cards as they lie."""
    return {"seats": view.seats, "carried": view.carried_pending, "spots": SPOTS} | {
        "loose": view.loose,
        "people": view.game.asks_taker,
    }


def trouble(view: PublicView) -> dict[str, Any]:
    """What is wrong, of this hand and of earlier ones."""
    earlier = [(one, acts.taking(seats_of(view), one.takers, one.taker_of)) for one in view.unsettled]
    return {"holds": view.holds, "unsettled": earlier, "settling": acts.SETTLING, "shown_rows": ROWS_SHOWN}


def counts(view: PublicView) -> dict[str, Any]:
    """The numbers of the board."""
    return {"counts": view.counts, "hand": view.hand, "last": view.result, "sides": view.sides, "game": view.game}


def latest(view: PublicView) -> dict[str, Any]:
    """The last result and what the shoe is at, for everybody around the table."""
    state = "not-recording" if not view.recording else "" if view.link == "live" else view.link
    return {"last": view.result, "stage": view.stage, "shoe": view.shoe, "names": names(view), "state": state}


def seats_of(view: PublicView) -> list[Seat]:
    """Return the seats in dealing order."""
    return [seat.seat for seat in view.seats]


def names(view: PublicView) -> list[str]:
    """Return the seats' names in the order of a result's points."""
    return [seat.seat.value for seat in view.seats]


def roads(view: PublicView) -> dict[str, Any]:
    """All roads; the template cuts them to the board, so that unchanged ones cost a comparison only."""
    return {"road": view.roads, "results": view.results, "game": view.game}


def alarms(view: SurveillanceView) -> dict[str, Any]:
    """What is wrong, and what was acknowledged in this shoe and waits to be gone through."""
    return {"alarms": view.alarms, "incidents": view.pit.incidents, "acknowledged": view.acknowledged}


def composition(view: SurveillanceView) -> dict[str, Any]:
    """The 4 by 13 grid with its sums."""
    seen = dict(view.composition)
    rows = [(suit, [seen.get(Card.of(rank, suit), 0) for rank in Rank]) for suit in Suit]
    columns = [sum(seen.get(Card.of(rank, suit), 0) for suit in Suit) for rank in Rank]
    total = sum(seen.get(card, 0) for card in DECK)
    return {"rows": rows, "columns": columns, "total": total} | {
        name: getattr(view, name) for name in ("unknown", "unheard", "doubtful", "out", "left")
    }


TABLE: tuple[Part[PublicView], ...] = (
    Part("status", status),
    Part("prompt", prompt),
    Part("felt", felt),
    Part("trouble", trouble),
    Part("result", lambda view: {"last": view.result, "names": names(view)}),
    Part("acts", doing),
    Part("list", listing),
    Part("bank", bankacts.bank),
    Part("bankacts", bankacts.bank_acts),
)
BOARD: tuple[Part[PublicView], ...] = (
    Part("status", status),
    Part("counts", counts),
    Part("latest", latest),
    Part("roads", roads),
    Part("derived", roads),
)
PIT: tuple[Part[Sequence[PitView]], ...] = (
    Part("tiles", lambda views: {"tiles": sorted(views, key=need)}),
    Part("incidents", lambda views: {"incidents": open_incidents(views)}),
)
SURVEILLANCE: tuple[Part[SurveillanceView], ...] = (
    Part("status", lambda view: status(view.pit.public)),
    Part("faces", lambda view: {"faces": view.faces, "loose": view.unnamed, "seats": view.pit.public.seats}),
    Part("composition", composition),
    Part("alarms", alarms),
)

BANK_AND_TIES = frozenset({"banker", "tie", "void"})
SIDE = "player"
ROWS_SHOWN = 4  # of what is wrong: with more the page says how many there are, and they scroll
NEEDS = ("not-recording", "suspended", "not-live", "syncing", "incident", "last-hand", "finished", "")


def concern(view: PitView) -> str:
    """Return what a table needs a person for, most urgent first; empty if for nothing."""
    public = view.public
    if not public.recording:
        return "not-recording"
    if public.phase == "suspended" or public.unsettled:
        return "suspended"
    if public.link != "live":
        return public.link
    if view.incidents:
        return "incident"
    return public.stage if public.stage in NEEDS else ""


def need(view: PitView) -> int:
    """Return the table's place by need; equal ones keep the house's order."""
    return NEEDS.index(concern(view))


def open_incidents(views: Iterable[PitView]) -> list[tuple[str, IncidentView]]:
    """Return the open incidents with their tables' names: escalated ones, other alerts, then the latest first."""
    found = [(view.public.name, _shown(view, incident)) for view in views for incident in view.incidents]
    return sorted(found, key=lambda item: (*_rank(item[1]), -(item[1].since_utc_ns or 0)))


def _shown(view: PitView, incident: IncidentView) -> IncidentView:
    return untimed(incident) if view.public.game.asks_taker else incident


def _rank(incident: IncidentView) -> tuple[bool, bool]:
    return not incident.escalated, incident.level != "alert"


# ---- the environment of the templates ------------------------------------------------------------------------------


def environment(words: Catalogue) -> Environment:
    """Return Jinja with the catalogue and the field's small words at hand; undefined names raise."""
    made = Environment(
        loader=PackageLoader("controller.pit"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"sentence": words.text, "json": attribute, "face": face_name(words), "utc": clock, "money": money}
    made.globals |= {
        "w": words.word,
        "rule": words.rule,
        "language": words.language,
        "languages": LANGUAGES,
        "ranks": [rank.letter for rank in Rank],
        "suits": [suit.value for suit in Suit],
        "concern": concern,
        "cut": roadmap.board,
        "plates": roadmap.plates,
        "game": PUNTO_BANCO,  # of pages that show no one table; a table's own page brings its own
        "tint": tint,
        "side_calls": side_calls,
        "every_call": every_call,
        # Keys are those of a keyboard, whatever the language of the page.
        "call_keys": acts.CALLS,
        "sort_keys": acts.SORTS,
        "post_keys": acts.POSTS,
        "page_keys": acts.PAGE,
        "bank_key": acts.BANK,
        "sanction_keys": acts.SANCTIONS,
        "decider_key": acts.DECIDER,
        "row_key": next(key.key for key in acts.PAGE if key.name == "unsettled"),
        "laying": acts.laying,
        "most_amount": bankacts.MOST_AMOUNT,
        "confirm_key": acts.CONFIRM,
        "manual_spots": spots_to_key,
    }
    return made


def spots_to_key(game: Game) -> list[list[str | int]]:
    """Return the spots of a hand that is keyed, in drawing order as each [seat, index]."""
    dealt: list[list[str | int]] = [
        [seat.value, game.deal[: place + 1].count(seat)] for place, seat in enumerate(game.deal)
    ]
    return [*dealt, *([turn.seat.value, game.initial + 1] for turn in game.turns)]


def tint(won: str) -> str:
    """Return the class of a winner: one colour for the bank, one for whoever plays against it.

    >>> tint("right"), tint("banker"), tint("")
    ('player', 'banker', '')
    """
    return won if won in BANK_AND_TIES else won and SIDE


def side_calls(game: Game, side: Seat) -> list[str]:
    """Return who may have won a side: where there are several sides one may have refused the coup."""
    return [side.value, game.bank.value, "tie", *(["void"] if len(game.sides) > 1 else [])]


def every_call(game: Game) -> list[str]:
    """Return all results of a game, as core/signals.py names them."""
    return ["/".join(won) for won in product(*(side_calls(game, side) for side in game.sides))]


def attribute(value: Any) -> str:
    """Return JSON for an attribute; the template escapes it."""
    return json.dumps(value, separators=(",", ":"))


def face_name(words: Catalogue) -> Callable[[Card], str]:
    """Return a function that reads a card out, as `king of hearts`."""

    def name(card: Card) -> str:
        if card.rank is None:
            return str(card.points)
        rank = card.rank.letter
        if card.suit is None:
            return words.word(f"rank.{rank}") if rank in "ATJQK" else rank
        return words.word("card.face", rank=rank, suit=card.suit.value)

    return name


def clock(utc_ns: int | None) -> str:
    """Return the time of day in UTC, as `21:04:07`; a dash where it is not known."""
    if utc_ns is None:
        return "-"
    seconds = utc_ns // 1_000_000_000 % 86_400
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def money(units: int) -> str:
    """Return a sum of minor units in groups of three, as `12 500`, with spaces that do not break."""
    return f"{units:,}".replace(",", "\u202f")


def marked(parts: Mapping[str, str]) -> dict[str, Markup]:
    """Return rendered parts as markup for the page around them."""
    return {name: Markup(html) for name, html in parts.items()}  # noqa: S704 - Jinja has escaped them
