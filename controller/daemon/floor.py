"""All tables of the process, as the pages see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo

from controller.core.facts import FactName
from controller.core.inputs import Command, Input, OpenTable, Post
from controller.core.offers import Offers, offers
from controller.core.previewing import HandView, Preview, hand_views, preview
from controller.core.showing import public_view
from controller.core.views import PitView, PublicView, Sentence, SurveillanceView
from controller.core.watching import pit_view, surveillance_view
from controller.daemon.queued import now
from controller.daemon.station import Station
from controller.pit.floor import Answer
from controller.version import VERSION


@dataclass(frozen=True, slots=True)
class Calendar:
    """The house's days: its time zone, and when one gaming day ends and the next begins."""

    zone: tzinfo = UTC
    day_starts: time = time()

    def day(self, at: datetime) -> str:
        """Return the gaming day of a moment.

        >>> from datetime import timezone
        >>> Calendar(timezone(timedelta(hours=8)), time(6)).day(datetime(2026, 11, 29, 20, 30, tzinfo=UTC))
        '2026-11-29'
        """
        local = at.astimezone(self.zone)
        began = timedelta(hours=self.day_starts.hour, minutes=self.day_starts.minute)
        return (local.replace(tzinfo=None) - began).date().isoformat()  # by the clock on the wall


class House:
    """The floor of one house: its tables in the order of the configuration."""

    def __init__(
        self, stations: Iterable[Station], *, demo: bool, token: str | None, calendar: Calendar | None = None
    ) -> None:
        self._stations = {station.ident: station for station in stations}
        self._views: dict[str, tuple[int, PublicView]] = {}  # the last view of each table, and of which change
        self._calendar = calendar or Calendar()
        self.demo = demo
        self.token = token
        self.version = VERSION

    @property
    def stations(self) -> Sequence[Station]:
        """The tables at work."""
        return tuple(self._stations.values())

    @property
    def tables(self) -> Sequence[tuple[str, str]]:
        """Id and name of each table."""
        return tuple((station.ident, station.name) for station in self._stations.values())

    def public(self, table: str) -> PublicView:
        """Return what players and dealer may see. Raises KeyError."""
        station = self._stations[table]
        made, view = self._views.get(table, (-1, None))
        if view is None or made != station.published:  # several pages look at each change
            view = public_view(station.table, ident=table, name=station.name, recording=station.cannot_record)
            self._views[table] = (station.published, view)
        return view

    def pit(self, table: str) -> PitView:
        """Return the tile of a table. Raises KeyError."""
        return pit_view(self._stations[table].table, self.public(table))

    def surveillance(self, table: str) -> SurveillanceView:
        """Return what only surveillance sees. Raises KeyError."""
        return surveillance_view(self._stations[table].table, self.pit(table))

    def heard(self, table: str) -> int | None:
        """Return when the last byte came from a shoe, by the monotonic clock; None if none did. Raises KeyError."""
        return self._stations[table].heard_ns

    def decider(self, table: str, irregularity: str) -> Post:
        """Return who may decide about an irregularity at a table. Raises KeyError."""
        return self._stations[table].table.house.decider(irregularity)

    def offers(self, table: str) -> Offers:
        """Return what the house of a table rules on. Raises KeyError."""
        return offers(self._stations[table].table.house)

    async def command(self, table: str, command: Command, by: str) -> Answer:
        """Put a command to a table; a repeated id gives the first verdict again. Raises KeyError."""
        verdict = await self._stations[table].ask(self._dated(table, command), by)
        if verdict is FactName.COMMAND_ACCEPTED:
            return Answer(accepted=True)
        return Answer(accepted=False, sentence=Sentence(f"rejected.{verdict}"))

    def hands(self, table: str) -> Sequence[HandView]:
        """Return the hands that may still be set right. Raises KeyError."""
        return hand_views(self._stations[table].table)

    def preview(self, table: str, command: Command, by: str) -> Preview:
        """Return what would come of a command. Raises KeyError."""
        station = self._stations[table]
        item = Input(self._dated(table, command), now(), by)
        return preview(station.table, item, ident=table, name=station.name)

    def _dated(self, table: str, command: Command) -> Command:
        """Fill in what the page leaves to the house: the gaming day, and the limits that were there before."""
        act = command.act
        if not isinstance(act, OpenTable):
            return command
        day = act.day or self._calendar.day(datetime.now(UTC))
        limits = act.limits or self._stations[table].table.day.limits
        return replace(command, act=OpenTable(day, limits))
