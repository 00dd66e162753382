"""`tirage backup`: a data folder in one file, while the daemon runs."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from controller.cli.params import keep_apart
from controller.cli.telling import EXIT_DEVICE, tell

EXIT_UNREADABLE, EXIT_INTEGRITY, EXIT_CONFIG = 3, 4, 78

EPILOG = """\b
Examples:
  tirage backup --config /etc/tirage/tirage.toml /mnt/backup/tirage-2026-11-30.tar.gz
  tirage backup /var/lib/tirage tirage.tar.gz

\b
The daemon need not stop: each journal is taken up to its last whole line, with
the raw bytes that its records name. Accounts and the access log go with it.
Keep the file as you keep the data: it holds all of it.

\b
Exit codes: 0 done, 2 usage (or the file is there already), 78 bad
configuration, 5 the file or the access log cannot be written, 4 a journal is damaged,
3 the data folder cannot be read or holds no journal.
"""


@click.command("backup", epilog=EPILOG)
@click.argument("places", nargs=-1, metavar="[DATA] OUT.tar.gz", type=click.Path(path_type=Path))
@click.option("--config", "config", type=click.Path(), help="Take the data folder of this configuration.")
def backup(places: tuple[Path, ...], config: str | None) -> None:
    """Copy a data folder into one file, with a manifest of every file's SHA-256."""
    from controller.accounts.errors import CannotLog
    from controller.core.inputs import Moment
    from controller.journal.errors import JournalError
    from controller.journal.writer import system_clock
    from controller.recall.backup import backup as made
    from controller.recall.export import NothingThere
    from controller.recall.manifest import NotEmpty
    from controller.version import VERSION

    data, out = places_of(places, config)
    keep_apart([("OUT.tar.gz", out)], [data])
    now: Moment = system_clock()
    try:
        tell(data, "backup", path=str(out))  # at first: the backup's own copy of the log tells of it
        manifest = made(data, out, software=VERSION, now=now)
    except NotEmpty as error:
        raise click.UsageError(str(error)) from error
    except JournalError as error:
        fail("backup", str(error), EXIT_INTEGRITY)
    except NothingThere as error:
        fail("backup", str(error), EXIT_UNREADABLE)
    except CannotLog as error:
        fail("backup", str(error), EXIT_DEVICE)
    except OSError as error:
        fail("backup", f"{named(error, out)}: {error.strerror or error}", EXIT_DEVICE)
    click.echo(f"{out}: {len(manifest.files)} files of {len(manifest.tables)} tables")
    for table in manifest.tables:
        click.echo(f"  {table.folder}: {table.segment} line {table.line}, hash {table.hash[:8]}")


def places_of(places: tuple[Path, ...], config: str | None) -> tuple[Path, Path]:
    """Return the data folder and the file to write."""
    if len(places) != (1 if config else 2):
        raise click.UsageError("give either --config FILE and OUT.tar.gz, or DATA and OUT.tar.gz")
    return (folder_of(config) if config else places[0]), places[-1]


def named(error: OSError, out: Path) -> str:
    """Return the path that failed, by the name that the user gave: the file is written under another at first."""
    failed = Path(str(error.filename or out))
    return str(out) if failed.name.startswith(f".{out.name}.") else str(failed)


def folder_of(config: str) -> Path:
    """Return the data folder of a configuration."""
    from controller.config import ConfigError, load

    try:
        return Path(load(config).data)
    except ConfigError as error:
        fail("backup", str(error), EXIT_CONFIG)


def fail(command: str, sentence: str, code: int) -> NoReturn:
    """Say what is wrong and end."""
    click.echo(f"tirage {command}: {sentence}", err=True)
    raise click.exceptions.Exit(code)
