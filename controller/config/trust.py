"""What a configuration says about trust in a tirage shoe: its keys, its level, and who may speak with less."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum

from controller.accounts.lettingdown import Wish, given
from controller.config.keys import KeysError, read_keys
from controller.config.model import Config
from controller.config.shoe import Shoe
from controller.config.tables import TableConfig
from controller.toml.places import Path as Place
from controller.toml.problems import Fault
from drivers.ports import PortKind, port_address
from drivers.shoes import DRIVERS, Chosen, Trust
from drivers.tirage import Level

LEVELS = {None: Level.AUTHENTIC, "authentic": Level.AUTHENTIC, "plain": Level.PLAIN}
TRUST = ("level", "keys", "device", "let_down")


def chosen_of(shoe: Shoe) -> Chosen:
    """Return what the driver wants to know to serve a port, keys included. Raises KeysError."""
    keys = read_keys(shoe.keys) if shoe.keys else {}
    device = bytes.fromhex(shoe.device) if shoe.device else None
    listens = port_address(shoe.port).kind is PortKind.TAP
    let_down = bytes.fromhex(shoe.let_down) if shoe.let_down else None
    return replace(shoe.chosen, trust=Trust(keys, LEVELS[shoe.level], device, listens, let_down))


class LetDown(Enum):
    """What the `let_down` of a table is worth, each a sentence for the technician."""

    BY_TWO = "two persons have said so"
    WAITS = "does not count: two persons must say so first, with `tirage accounts let-down`"
    UNSEEN = "does not count: the access log, in which two persons say so, cannot be read by this user"
    UNENFORCED = (
        "counts, and that two persons wrote it cannot be enforced: without accounts nobody is known; enable [accounts]"
    )


def let_down_of(config: Config, table: TableConfig) -> LetDown | None:
    """Return what a table's `let_down` is worth now; None where none is named."""
    device = table.shoe.let_down
    if device is None:
        return None
    if not config.accounts.enabled:
        return LetDown.UNENFORCED
    try:
        by_two = given(config.data_folder, Wish(table.id, device), datetime.now(UTC))
    except OSError:
        return LetDown.UNSEEN
    return LetDown.BY_TWO if by_two else LetDown.WAITS


def shoe_in_force(config: Config, table: TableConfig) -> Shoe:
    """Return the shoe of a table as it is served: without a `let_down` that does not count."""
    if let_down_of(config, table) in (LetDown.WAITS, LetDown.UNSEEN):
        return table.shoe.model_copy(update={"let_down": None})
    return table.shoe


def trust_faults(at: Place, shoe: Shoe) -> Iterator[Fault]:
    """What a shoe cannot prove, or could not be asked to prove."""
    named = f'driver = "{shoe.driver}"'
    if not DRIVERS[shoe.driver].proves:
        for key in TRUST:
            if (value := getattr(shoe, key)) is not None:
                yield Fault(
                    (*at, key), f"no {key}", f'"{value}" with {named}', "take the key out: this shoe proves nothing"
                )
        return
    if port_address(shoe.port).kind is PortKind.WEDGE:
        yield Fault(
            (*at, "port"), "a line that carries both ways", f'"{shoe.port}" with {named}', "name the shoe's own port"
        )
    yield from _keys_faults(at, shoe)


def _keys_faults(at: Place, shoe: Shoe) -> Iterator[Fault]:
    if shoe.keys is None:
        if LEVELS[shoe.level] is Level.AUTHENTIC:
            fix = 'add keys = "/etc/tirage/shoe-keys.toml", or level = "plain": the pages then say UNAUTHENTICATED'
            yield Fault((*at, "keys"), "the keys that shoes prove themselves with", "nothing", fix)
        return
    try:
        keys = read_keys(shoe.keys)
    except KeysError as error:
        yield Fault((*at, "keys"), "a file with the keys of the shoes", error.came, error.fix)
        return
    if shoe.device is not None and bytes.fromhex(shoe.device) not in keys and LEVELS[shoe.level] is Level.AUTHENTIC:
        yield Fault((*at, "device"), "a device with a key", f'"{shoe.device}"', f"add its key to {shoe.keys}")
