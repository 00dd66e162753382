"""The event streams: one of many tables for programs of the house, and feeds to programs outside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from controller.api.door import Door, Outside, Place
from controller.api.feed import Channel, Feed
from controller.api.openings import ROOT
from controller.api.problems import MEDIA_TYPE, Refused
from controller.api.reader import FeedReader, Source
from controller.api.records import Problem
from controller.api.shaping import Shaper, board
from controller.core.facts import Audience
from controller.pit import guards
from controller.pit.stream import EventStream

MOST_STREAMS = 500
Shape = Callable[[str], BaseModel]
AudienceName = Literal["public", "pit", "surveillance"]
STREAM: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": "Refused.", "content": {MEDIA_TYPE: {}}}
    for status in (401, 403, 404, 422, 429, 503)
}
STREAM[200] = {"description": "Server-sent events: snapshot, fact and beat.", "content": {"text/event-stream": {}}}


class Live:
    """The tables as they are. A state is written once, however many ask for it."""

    def __init__(self, channel: Channel, shape: Shape) -> None:
        self._channel = channel
        self._shape = shape
        self._written: dict[str, tuple[int, int, str]] = {}

    def whole(self, table: str, _ripe: float) -> tuple[int, str] | None:
        """Return the newest number and the state as JSON."""
        changed = self._channel.changed.get(table, 0)
        made, _, text = self._written.get(table, (-1, 0, ""))
        if made != changed:
            text = self._shape(table).model_dump_json()
            self._written[table] = changed, self._channel.number, text
        return self._channel.number, text


class Delayed:
    """The boards as they were ``delay_s`` ago: a snapshot must not be newer than the facts that follow it."""

    def __init__(self, feed: Feed, channel: Channel) -> None:
        self._feed = feed
        self._channel = channel
        self._written: dict[str, tuple[float, str]] = {}

    def whole(self, table: str, ripe: float) -> tuple[int, str] | None:
        """Return the number and the state of the latest ripe board; None while none is, or facts after it are gone."""
        past = self._feed.past(table, ripe)
        if past is None or past.number < self._channel.lost.get(table, 0):
            return None
        made, text = self._written.get(table, (-1.0, ""))
        if made != past.at:
            text = board(past.view).model_dump_json()
            self._written[table] = past.at, text
        return past.number, text


def add_streams(app: FastAPI, door: Door, feed: Feed, shaper: Shaper, outside: tuple[Outside, ...]) -> None:
    """Add both kinds of stream."""
    add_events(app, door, feed, sources_of(door.place, feed, shaper))
    add_feeds(app, door.place, feed, {one.name: one for one in outside})


def sources_of(place: Place, feed: Feed, shaper: Shaper) -> dict[Audience, Source]:
    """Return where the snapshots of each audience come from."""
    floor = place.floor
    shapes: dict[Audience, Shape] = {
        Audience.PUBLIC: lambda table: shaper.table(floor.public(table)),
        Audience.PIT: lambda table: shaper.pit(floor.pit(table)),
        Audience.SURVEILLANCE: lambda table: shaper.surveillance(floor.surveillance(table)),
    }
    return {audience: Live(feed.channels[audience], shape) for audience, shape in shapes.items()}


def add_events(app: FastAPI, door: Door, feed: Feed, sources: dict[Audience, Source]) -> None:
    """The stream of many tables."""

    @app.get(f"{ROOT}/events", tags=["events"], response_class=Response, responses=STREAM)
    async def events(
        request: Request,
        tables: Annotated[str, Query(max_length=2_000, description="Ids with commas; all without.")] = "",
        audience: Annotated[AudienceName, Query(description="Whose facts.")] = "public",
    ) -> Response:
        """Follow tables: a snapshot of each, then facts. `Last-Event-ID` goes on where a stream ended."""
        wanted = Audience[audience.upper()]
        await door.audience(request, wanted)
        channel = feed.channels[wanted]
        reader = FeedReader(
            feed,
            channel,
            chosen(tables, tuple(door.place.names)),
            sources[wanted],
            door.alive(request),
            come_to=channel.number_of(request.headers.get("last-event-id", "")),
        )
        return opened(feed, reader)


def add_feeds(app: FastAPI, place: Place, feed: Feed, outside: dict[str, Outside]) -> None:
    """The feeds to programs outside the house."""
    channel = feed.channels[Audience.PUBLIC]
    live, delayed = Live(channel, lambda table: board(place.floor.public(table))), Delayed(feed, channel)

    @app.get(f"{ROOT}/feeds/{{feed}}/events", tags=["events"], response_class=Response, responses=STREAM)
    async def outside_events(
        request: Request, name: Annotated[str, Path(alias="feed", max_length=64, description="The feed's name.")]
    ) -> Response:
        """Follow the tables of a feed by its own token; nothing is told before its delay is over."""
        found = outside.get(name)
        if not guards.token_fits(guards.given_token(request), found.token if found else None) or found is None:
            raise Refused("feed")
        reader = FeedReader(
            feed,
            channel,
            found.tables or tuple(place.names),
            delayed if found.delay_s else live,
            delay_s=found.delay_s,
            come_to=channel.number_of(request.headers.get("last-event-id", "")),
        )
        return opened(feed, reader)


def chosen(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tables asked for, each once. Raises Refused for one that is not there.

    >>> chosen("b2,b1,b2", ("b1", "b2", "b3")), chosen("", ("b1", "b2"))
    (('b2', 'b1'), ('b1', 'b2'))
    """
    asked = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not set(asked) <= set(known):
        raise Refused("tables")
    return asked or known


def opened(feed: Feed, reader: FeedReader) -> Response:
    """Return the stream of a reader. Raises Refused where too many are open."""
    if feed.readers >= MOST_STREAMS:
        raise Refused("busy")
    feed.join(reader)
    return EventStream(feed, reader)
