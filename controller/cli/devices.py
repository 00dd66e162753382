"""`tirage devices`: what is plugged in that a shoe could be, and which table each would serve."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from controller.config import TableConfig
    from drivers.ports.plugged import Plugged

EPILOG = """\b
Examples:
  tirage devices
  tirage devices --config /etc/tirage/tirage.toml
  tirage devices --json

\b
The first name of each device is the one for a configuration: it stays when the adapter comes back under another
number. Exit codes: 0, 78 bad configuration, 2 usage.
"""

Item = dict[str, Any]


@click.command("devices", epilog=EPILOG)
@click.option("--config", "config_path", type=click.Path(), help="A configuration (TOML) whose tables are looked for.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a device or missing port, then a summary.")
def devices(config_path: str | None, as_json: bool) -> None:
    """List serial and USB devices and scanners that are plugged in, by identity, with who holds each.

    Nothing is opened.
    """
    from controller.cli.check_config import refuse
    from controller.config import ConfigError, load
    from drivers.ports.plugged import plugged

    try:
        tables = load(config_path).tables if config_path else ()
    except ConfigError as error:
        refuse(error, as_json=as_json)
    found = list(listed(plugged(), tables))
    away = list(missing(found, tables))
    if as_json:
        summary = {"summary": {"devices": len(found), "missing": len(away)}}
        click.echo("\n".join(map(json.dumps, [*found, *away, summary])))
        return
    click.echo(
        "\n".join([line for one in found for line in lines(one)] or ["nothing is plugged in that a shoe could be"])
    )
    for one in away:
        click.echo(f"table {one['table']}: {one['port']} {one['note']}{_held(one)}")


def listed(found: Sequence[Plugged], tables: Sequence[TableConfig]) -> Iterator[Item]:
    """Describe each device, with the table that would read it."""
    from drivers.ports import port_address

    wanted = {port_address(table.shoe.port).device: table.id for table in tables}
    for one in found:
        names = {port_address(name).device for name in _names(one, found)}
        table = next((wanted[name] for name in names if name in wanted), None)
        yield {"identity": one.identity, **asdict(one), "table": table, "note": note(one)}


def _names(one: Plugged, found: Sequence[Plugged]) -> Iterator[str]:
    """Yield how a configuration may name a device."""
    yield from filter(None, (one.device, "" if one.twin else one.by_id, one.by_path))
    kind = f"usb:{one.vid}:{one.pid}"
    if one.by_path.startswith(kind) and sum(other.by_path.startswith(kind) for other in found) == 1:
        yield kind


def missing(found: Sequence[Item], tables: Sequence[TableConfig]) -> Iterator[Item]:
    """Describe the ports of tables that are no device here, with who holds each that is a file of this machine."""
    from drivers.ports import port_address
    from drivers.ports.holders import holders

    there = {one["table"] for one in found}
    for table in tables:
        if table.id not in there:
            port = port_address(table.shoe.port)
            held_by = holders(port.path) if port.path else []
            yield {"table": table.id, "port": table.shoe.port, "note": _AWAY[port.there], "held_by": held_by}


def _held(one: Item) -> str:
    return f"; held by {' and '.join(one['held_by'])}" if one["held_by"] else ""


_AWAY = {None: "is a serial server: try `tirage doctor`", True: "is there, and no hardware", False: "is not there"}


def note(one: Plugged) -> str:
    """Say what a technician should know before writing the name down."""
    if one.twin:
        return "another adapter has the same numbers: its name goes by the socket it is plugged into"
    if one.vid and not one.serial:
        return "no serial number: its name goes by the socket it is plugged into"
    return ""


def lines(one: Item) -> Iterator[str]:
    """Return a device for a person."""
    yield one["identity"] + (f"   table {one['table']}" if one["table"] else "")
    usb = f"{one['vid']}:{one['pid']}" if one["vid"] else "not USB"
    serial = f"serial {one['serial']}" if one["serial"] else ""
    yield "    " + "  ".join(filter(None, (one["device"], usb, one["product"], serial)))
    if one["held_by"]:
        yield f"    held by {' and '.join(one['held_by'])}"
    if one["note"]:
        yield f"    {one['note']}"
