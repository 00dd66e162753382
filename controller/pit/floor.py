"""What the pages ask of the tables, as a protocol: the pit knows no shoe, no journal and no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.core.inputs import Command, Post
from controller.core.offers import Offers
from controller.core.previewing import HandView, Preview
from controller.core.views import PitView, PublicView, Sentence, SurveillanceView


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command: taken, or rejected with the reason; a rejected one changed nothing."""

    accepted: bool
    sentence: Sentence | None = None


class Floor(Protocol):
    """The tables of this process.

    ``tables`` gives (id, name) in the house's order and stays the same while the process runs.
    ``token`` is what other machines need for commands and surveillance; None closes both to them.
    The views raise KeyError for a table that is not there.
    """

    @property
    def tables(self) -> Sequence[tuple[str, str]]: ...

    @property
    def demo(self) -> bool: ...

    @property
    def token(self) -> str | None: ...

    @property
    def version(self) -> str: ...

    def public(self, table: str) -> PublicView: ...

    def pit(self, table: str) -> PitView: ...

    def surveillance(self, table: str) -> SurveillanceView: ...

    def heard(self, table: str) -> int | None:
        """Return when a shoe's last byte came, by the monotonic clock (ns); None if none did. Raises KeyError."""
        ...

    def decider(self, table: str, irregularity: str) -> Post:
        """Return who may decide about an irregularity at a table. Raises KeyError."""
        ...

    def offers(self, table: str) -> Offers:
        """Return the house's situations with its remedies. Raises KeyError."""
        ...

    async def command(self, table: str, command: Command, by: str) -> Answer:
        """Judge a command of ``by`` (`staff:1042`); a repeated ``command.id`` gives the first answer again."""
        ...

    def hands(self, table: str) -> Sequence[HandView]:
        """Return the hands of this shoe that may still be set right, the latest first. Raises KeyError."""
        ...

    def preview(self, table: str, command: Command, by: str) -> Preview:
        """Return what would come of a command, without changing anything. Raises KeyError."""
        ...
