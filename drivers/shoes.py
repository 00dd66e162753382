"""The drivers by the names that a configuration uses: what their shoes can know, and how a session of one is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.core.signals import Capabilities
from drivers import angel_eye, line
from drivers.heard import Session


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a house says about its shoe: how it is preset, and the codes of its decks where they are its own."""

    mode: str = "auto"
    codes: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Driver:
    """A shoe's protocol: its capabilities, its usual speed, the modes it has, and how a session is made."""

    capabilities: Capabilities
    baud: int
    modes: tuple[str, ...]
    has_codes: bool
    session: Callable[[Chosen], Session]


def _line_session(chosen: Chosen) -> Session:
    return line.Session(line.code_table(chosen.codes)) if chosen.codes else line.Session()


DRIVERS: Mapping[str, Driver] = {
    "angel-eye": Driver(
        angel_eye.CAPABILITIES,
        angel_eye.BAUD,
        ("auto", "open", "hidden"),
        has_codes=False,
        session=lambda chosen: angel_eye.Session(chosen.mode),
    ),
    "line": Driver(line.CAPABILITIES, line.BAUD, ("auto",), has_codes=True, session=_line_session),
}
