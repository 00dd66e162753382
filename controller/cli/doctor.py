"""`tirage doctor`: the first thing that is wrong between a shoe and this machine, and what to do."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.gaming import one_table

if TYPE_CHECKING:
    from controller.doctor.climbing import Found, Patient
    from controller.doctor.rungs import Rung

EXIT_DEVICE = 5

EPILOG = """\b
Examples:
  tirage doctor --port /dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10KZP45-if00-port0
  tirage doctor --port socket://192.0.2.7:4001 --driver line --seconds 30
  tirage doctor --port wedge:/dev/input/by-id/usb-Scanner-event-kbd --driver line
  tirage doctor --config /etc/tirage/tirage.toml --table b1 --bundle b1.zip

\b
It climbs port, bytes, frames, events, cards; draw a card while it listens. Nothing is sent but to a tirage shoe,
which is asked who it is: device, firmware, level, authenticated or UNAUTHENTICATED. Stop the daemon first: a port
cannot be shared.
Exit codes: 0 a card was heard, 5 a rung failed, 78 bad configuration, 2 usage.
"""


@click.command("doctor", epilog=EPILOG)
@click.option("--port", help="A port as a configuration writes it: /dev/..., socket://host:port, usb:VID:PID:SERIAL.")
@click.option("--driver", type=click.Choice(["angel-eye", "line", "tirage"]), default="angel-eye", show_default=True)
@click.option("--baud", type=click.IntRange(1200, 115_200), help="The speed (else the driver's usual one).")
@click.option("--config", "config_path", type=click.Path(), help="Take port, driver and speed from a configuration.")
@click.option("--table", "table_id", help="The table of the configuration.")
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=10.0, show_default=True, help="Listen so long.")
@click.option("--bundle", type=click.Path(dir_okay=False, path_type=Path), help="Write a zip to send to a helper.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a rung, then a summary.")
def doctor(
    port: str | None, driver: str, baud: int | None, config_path: str | None, table_id: str | None, seconds: float,
    bundle: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Listen at a port and say the first rung that fails and what to do."""
    from controller.doctor.bundle import report, write_bundle
    from controller.doctor.climbing import climb
    from controller.doctor.rungs import rungs
    from drivers.ports.plugged import plugged

    if (port is None) == (config_path is None):
        raise click.UsageError("give either --port PORT or --config FILE")
    patient = _configured(str(config_path), table_id, as_json=as_json) if port is None else _named(port, driver, baud)
    found = asyncio.run(climb(patient, seconds))
    reached = list(rungs(found))
    _tell(found, reached, as_json=as_json)
    if bundle is not None:
        try:
            write_bundle(bundle, report(found, reached, plugged()), patient.port)
        except OSError as error:
            raise click.UsageError(f"the bundle cannot be written: {error}") from None
    sys.exit(0 if reached[-1].ok else EXIT_DEVICE)


def _named(port: str, driver: str, baud: int | None) -> Patient:
    from controller.doctor.climbing import Patient
    from drivers.ports import PORTS, MisspeltPortError, port_address
    from drivers.shoes import DRIVERS, Chosen, Trust
    from drivers.tirage import Level

    try:
        port_address(port)
    except MisspeltPortError as error:
        raise click.UsageError(f"{port!r} is no port: did you mean {error.meant}?") from None
    except ValueError:
        raise click.UsageError(f"{port!r} is no port: write {PORTS}") from None
    return Patient(port, driver, baud or DRIVERS[driver].baud, Chosen(trust=Trust(lowest=Level.PLAIN)))


def _configured(path: str, table_id: str | None, *, as_json: bool) -> Patient:
    from controller.cli.check_config import refuse
    from controller.config import ConfigError, chosen_for, load
    from controller.doctor.climbing import Patient

    try:
        config = load(path)
    except ConfigError as error:
        refuse(error, as_json=as_json)
    table = one_table(config.tables, table_id)
    shoe = table.shoe
    return Patient(shoe.port, shoe.driver, shoe.baud, chosen_for(config, table))


def _tell(found: Found, reached: list[Rung], *, as_json: bool) -> None:
    from controller.doctor.identity import can_say, identity_of

    last, shoe = reached[-1], identity_of(found.session)
    if as_json:
        failed = None if last.ok else last.name
        summary = {"summary": {"failed": failed, "advice": last.advice, "shoe": asdict(shoe) if shoe else None}}
        click.echo("\n".join(map(json.dumps, [*map(asdict, reached), summary])))
        return
    for rung in reached:
        click.echo(f"{rung.name:7} {'ok  ' if rung.ok else 'FAIL'}  {rung.seen}")
    if can_say(found.session):
        click.echo(f"shoe          {shoe or 'no shoe was let in that said who it is'}")
    click.echo("a card was heard: the shoe can be read" if last.ok else f"What to do: {last.advice}.")
