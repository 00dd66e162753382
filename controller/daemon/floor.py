"""All tables of the process, as the pages see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.core.facts import FactName
from controller.core.inputs import Command
from controller.core.showing import public_view
from controller.core.views import PitView, PublicView, Sentence, SurveillanceView
from controller.core.watching import pit_view, surveillance_view
from controller.daemon.station import Station
from controller.pit.floor import Answer
from controller.version import VERSION


class House:
    """The floor of one house: its tables in the order of the configuration."""

    def __init__(self, stations: Iterable[Station], *, demo: bool, token: str | None) -> None:
        self._stations = {station.ident: station for station in stations}
        self._views: dict[str, tuple[int, PublicView]] = {}  # the last view of each table, and of which change
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

    async def command(self, table: str, command: Command, by: str) -> Answer:
        """Put a command to a table; a repeated id gives the first verdict again. Raises KeyError."""
        verdict = await self._stations[table].ask(command, by)
        if verdict is FactName.COMMAND_ACCEPTED:
            return Answer(accepted=True)
        why = verdict if isinstance(verdict, str) else "not-now"
        return Answer(accepted=False, sentence=Sentence(f"rejected.{why}"))
