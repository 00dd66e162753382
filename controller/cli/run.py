"""`tirage run`: the daemon."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from controller.cli.params import FiniteRange

EXIT_CONFIG, EXIT_DEVICE, EXIT_INTEGRITY, EXIT_USAGE = 78, 5, 4, 2

EPILOG = """\b
Examples:
  tirage run --demo
  tirage run --config /etc/tirage/tirage.toml

\b
Exit codes: 0 stopped by SIGTERM or SIGINT, 78 bad configuration, 5 an address or folder is in use, 4 a journal is
damaged, 2 usage. A missing shoe is no reason to end: its table says NOT LIVE until it is there.
"""


def here(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """Take an address of this machine alone: a demonstration has no accounts and no token."""
    from controller.config.server import address_of

    try:
        address = address_of(value)
    except ValueError as error:
        raise click.BadParameter(f"expected host:port such as 127.0.0.1:8080, got {value!r}: {error}") from error
    if not address.loopback:
        raise click.BadParameter(f"a demonstration is shown on this machine only, not on {address.host}: use 127.0.0.1")
    return value


@click.command("run", epilog=EPILOG)
@click.option("--config", "config_path", type=click.Path(), help="The configuration (TOML).")
@click.option("--demo", is_flag=True, help="Two simulated shoes; no configuration, no hardware.")
@click.option(
    "--data", type=click.Path(file_okay=False), help="Demo: keep its data here (else it is removed at the end)."
)
@click.option("--pit", default="127.0.0.1:8080", show_default=True, callback=here, help="Demo: address of the pages.")
@click.option(
    "--metrics", default="127.0.0.1:9464", show_default=True, callback=here, help="Demo: address of the metrics."
)
@click.option("--speed", type=FiniteRange(min=0.01), default=1.0, help="Demo: 2 deals twice as fast.")
def run(config_path: str | None, demo: bool, data: str | None, pit: str, metrics: str, speed: float) -> None:
    """Run the tables of a configuration, or a demonstration."""
    if demo == (config_path is not None):
        raise click.UsageError("give either --config FILE or --demo")
    sys.exit(_demo(data, pit, metrics, speed) if demo else _configured(str(config_path)))


def _configured(path: str) -> int:
    from controller.config import ConfigError, load

    try:
        config = load(path)
    except ConfigError as error:
        click.echo(str(error), err=True)
        return EXIT_CONFIG
    return _guarded(lambda app: app.run(config, click.echo), readable=False)


def _demo(data: str | None, pit: str, metrics: str, speed: float) -> int:
    with tempfile.TemporaryDirectory(prefix="tirage-demo-") as temporary:
        folder = Path(data or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return _guarded(
            lambda app: app.run_demo(folder, click.echo, pit=pit, metrics=metrics, speed=speed), readable=True
        )


def _guarded(work: Callable[[ModuleType], Coroutine[Any, Any, None]], *, readable: bool) -> int:
    from controller import app
    from controller.accounts.errors import AccountsError, CannotLog
    from controller.daemon.recorder import SettingsChanged
    from controller.journal.errors import CannotRecord, FolderLocked, JournalError
    from controller.logs import prepare_logs
    from controller.pit.server import PortBusy
    from controller.scraping import CannotListen
    from controller.settings import SettingsError

    prepare_logs(readable=readable)
    try:
        asyncio.run(work(app))
    except (PortBusy, CannotListen, FolderLocked, CannotRecord, CannotLog) as error:
        return _sorry(error, EXIT_DEVICE)
    except SettingsChanged as error:
        return _sorry(error, EXIT_CONFIG)
    except (JournalError, SettingsError, AccountsError) as error:
        return _sorry(error, EXIT_INTEGRITY)
    return 0


def _sorry(error: Exception, code: int) -> int:
    click.echo(f"tirage run: {error}", err=True)
    return code
