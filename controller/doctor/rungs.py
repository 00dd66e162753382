"""The rungs from a port to its cards: which were reached, and what to do about the first that was not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.doctor.climbing import Found
from drivers.ports import port_address
from drivers.shoes import DRIVERS

LIVE = "live"  # what a session says of itself that has a shoe
OTHER_BAUDS = {4800: 9600, 9600: 4800}  # the speeds seen in the field


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung: whether it was reached, what was seen, and what to do where it was not."""

    name: str
    ok: bool
    seen: str
    advice: str = ""


def rungs(found: Found) -> Iterator[Rung]:
    """Yield the rungs from below, the first that fails last."""
    for name, (reached, seen, advice) in RUNGS.items():
        ok = bool(reached(found))
        yield Rung(name, ok, seen(found), "" if ok else advice(found))
        if not ok:
            return


def _port_advice(found: Found) -> str:
    if found.loss:
        return found.loss
    at = port_address(found.patient.port)
    if not at.on_network:
        return "it did not open in time: try again with more --seconds"
    return (
        f"the serial server does not answer within {found.seconds:.1f} s: look at its power, its lights and its "
        "network cable; if those are well it hangs: switch it off and on, then check that this port of it serves "
        f"{at.kind.value}"
    )


def _bytes_advice(found: Found) -> str:
    if found.session.reason and found.loss == "":
        return f"{found.session.reason}: check that the shoe has power, then the cable both ways"
    if found.loss:
        return found.loss
    where = "the serial server and the cable behind it" if port_address(found.patient.port).on_network else "the cable"
    return f"check that the shoe has power, then {where}; move a card or press a button of the shoe while this listens"


def _frames_advice(found: Found) -> str:
    driver, baud = found.patient.driver, found.patient.baud
    if found.spoken:
        return f'these bytes are of another driver: set driver = "{found.spoken[0]}"'
    kind = port_address(found.patient.port).kind.value
    if kind == "socket":
        return f"check the speed in the serial server's own settings: {driver} shoes have {DRIVERS[driver].baud} baud"
    if kind == "tap":
        return "check that the other program writes the shoe's bytes as they come, and at which speed it reads them"
    other = OTHER_BAUDS.get(baud, DRIVERS[driver].baud)
    return f"the speed is wrong, or two lines are swapped: {baud} baud is set, try --baud {other}"


def _events_advice(found: Found) -> str:
    if reason := found.session.reason:
        live = "the shoe is there: draw a card while this listens"
        known = reason if "[tables.shoe]" in reason else f"{reason}; see [tables.shoe] level, keys and device"
        return live if reason == LIVE else known
    return "the frames are damaged or contradict each other: check the cable, its earth and what runs beside it"


def _cards_advice(found: Found) -> str:
    if found.unread:
        return "the texts are not in the table of codes: write the codes of these decks in [tables.shoe.codes]"
    return "the shoe is heard; draw a card while this listens"


def _damage(found: Found) -> str:
    counts = found.session.counts
    return f"{counts.frames} frames, {counts.bad_checksums} damaged, {counts.noise_bytes} bytes of noise"


Reached = Callable[[Found], object]
Said = Callable[[Found], str]
RUNGS: dict[str, tuple[Reached, Said, Said]] = {
    "port": (
        lambda found: found.opened,
        lambda found: f"{found.patient.port} {'opened' if found.opened else 'did not open'}",
        _port_advice,
    ),
    "bytes": (lambda found: found.size, lambda found: f"{found.size} bytes in {found.reads} reads", _bytes_advice),
    "frames": (lambda found: found.session.counts.frames, _damage, _frames_advice),
    "events": (
        lambda found: found.session.counts.events,
        lambda found: f"{found.session.counts.events} events",
        _events_advice,
    ),
    "cards": (
        lambda found: found.cards,
        lambda found: f"{found.cards} cards" + (f", {found.unread} not read" if found.unread else ""),
        _cards_advice,
    ),
}
