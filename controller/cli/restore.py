"""`tirage restore`: a backup into an empty data folder."""

from __future__ import annotations

from pathlib import Path

import click

from controller.cli.backup import EXIT_INTEGRITY, EXIT_UNREADABLE, fail
from controller.cli.telling import EXIT_DEVICE, tell

EPILOG = """\b
Examples:
  tirage restore /mnt/backup/tirage-2026-11-30.tar.gz /var/lib/tirage

\b
DATA must not be there yet, or be empty. Every file is compared with the
manifest, and every line of every journal with the one before it; DATA is there
only if all of it is right. Then start the daemon with a configuration that
names DATA: an open shoe goes on.

\b
Exit codes: 0 done, 2 usage (or DATA is not empty), 5 DATA cannot be written,
4 the backup is not what its manifest says, or a journal in it is damaged,
3 the backup cannot be read.
"""


@click.command("restore", epilog=EPILOG)
@click.argument("backup", metavar="BACKUP.tar.gz", type=click.Path(path_type=Path))
@click.argument("data", metavar="DATA", type=click.Path(path_type=Path))
def restore(backup: Path, data: Path) -> None:
    """Put a backup into a data folder, verified."""
    from controller.accounts.errors import CannotLog
    from controller.journal.errors import JournalError
    from controller.recall.manifest import BadBackup, NotEmpty
    from controller.recall.restoring import restore as put_back

    if not backup.is_file():
        fail("restore", f"{backup} is not there", EXIT_UNREADABLE)
    try:
        manifest = put_back(backup, data)
        tell(data, "restore", path=str(backup))
    except NotEmpty as error:
        raise click.UsageError(str(error)) from error
    except (BadBackup, JournalError) as error:
        fail("restore", str(error), EXIT_INTEGRITY)
    except CannotLog as error:
        fail("restore", f"{data} is restored, but {error}", EXIT_DEVICE)
    except OSError as error:
        fail("restore", f"{error.filename or data}: {error.strerror or error}", EXIT_DEVICE)
    click.echo(f"{data}: {len(manifest.files)} files of {len(manifest.tables)} tables, made {manifest.made}")
