"""The drivers by the names that a configuration uses: what their shoes can know, and how a session of one is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.core.signals import Capabilities
from drivers import angel_eye, line, tirage
from drivers.heard import Session
from drivers.live import Live, Lives, one_way
from drivers.rate import CARDS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Trust:
    """Which tirage shoe may speak: the keys by device, the lowest level, and the only device if one is named.

    ``listens`` says that another host owns the line, ``let_down`` is a device that may speak with less than it proved
    before.
    """

    keys: Mapping[bytes, bytes] = field(default_factory=dict, repr=False)
    lowest: tirage.Level = tirage.Level.AUTHENTIC
    device: bytes | None = None
    listens: bool = False
    let_down: bytes | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a house says about its shoe: how it is preset, the codes of its decks where they are its own, its trust.

    ``relies_on`` are names of Capabilities that the table's rules need; a shoe that says it lacks one is refused.
    ``cards_per_second`` is the most that a hand draws; None leaves it to the driver.
    """

    mode: str = "auto"
    codes: Mapping[str, str] | None = None
    trust: Trust = Trust()
    relies_on: frozenset[str] = frozenset()
    cards_per_second: int | None = None


@dataclass(frozen=True, slots=True)
class Driver:
    """A shoe's protocol: its capabilities, its usual speed, the modes it has, and how a session is made.

    ``session`` reads what was recorded, ``live`` serves a port.
    """

    capabilities: Capabilities
    baud: int
    modes: tuple[str, ...]
    has_codes: bool
    session: Callable[[Chosen], Session]
    live: Callable[[Chosen], Lives]
    proves: bool = False  # whether it can prove what it says


def _line_session(chosen: Chosen) -> Session:
    return line.Session(line.code_table(chosen.codes)) if chosen.codes else line.Session()


def _angel_eye_session(chosen: Chosen) -> Session:
    return angel_eye.Session(chosen.mode)


def _tirage_lives(chosen: Chosen) -> Lives:
    trust = chosen.trust
    make = tirage.Session.tap if trust.listens else tirage.Session

    def live(marks: Sequence[str]) -> Live:
        # A device whose key is known here has no reason ever to speak without proof.
        policy = tirage.Policy(
            trust.keys, trust.lowest, expected=trust.device, let_down=trust.let_down, relies_on=chosen.relies_on
        )
        for device in trust.keys:
            policy.proved(device)
        return tirage.LiveShoe(make(policy, tirage.Memory.of(marks)), policy)

    return live


DRIVERS: Mapping[str, Driver] = {
    "angel-eye": Driver(
        angel_eye.CAPABILITIES,
        angel_eye.BAUD,
        ("auto", "open", "hidden"),
        has_codes=False,
        session=_angel_eye_session,
        live=lambda chosen: one_way(lambda: _angel_eye_session(chosen), chosen.cards_per_second),
    ),
    "line": Driver(
        line.CAPABILITIES,
        line.BAUD,
        ("auto",),
        has_codes=True,
        session=_line_session,
        # Its whole line is cards: at its speed it never comes to the limit of events.
        live=lambda chosen: one_way(lambda: _line_session(chosen), chosen.cards_per_second or CARDS_PER_SECOND),
    ),
    "tirage": Driver(
        tirage.CAPABILITIES,
        tirage.BAUD,
        ("auto",),
        has_codes=False,
        session=lambda _: tirage.Recording(),
        live=_tirage_lives,
        proves=True,
    ),
}
