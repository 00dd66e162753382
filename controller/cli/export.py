"""`tirage export`: hands, facts and incidents of journals as tables or JSON lines."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from controller.cli.telling import EXIT_DEVICE, tell

if TYPE_CHECKING:
    from controller.recall.ledger import Plain

EXIT_UNREADABLE = 3
EXIT_INTEGRITY = 4
EXIT_IRREGULAR = 1
NS_PER_S = 1_000_000_000

EPILOG = """\b
Examples:
  tirage export /var/lib/tirage --what hands > hands.csv
  tirage export /var/lib/tirage/b1 --shoe 42 --what incidents --format jsonl
  tirage export /var/lib/tirage --what facts --from 2026-11-30T06:00 --to 2026-12-01T06:00 --format jsonl
  tirage export /var/lib/tirage --table b1 --what hands | tirage audit --format csv -

\b
PATH is a data folder, a table's folder, or a segment (000042-shoe.jsonl). It may
be read while the daemon runs: a line that is being written is left for later.
Times are UTC; --to is not included. Every line is verified before it is shown.
Where the data folder has accounts, its access log tells who exported what.

\b
Exit codes: 0 clean, 1 a hand with an irregularity or an incident is among the
rows, 3 PATH cannot be read or holds no journal, 4 a journal is damaged and only
what is whole was given, 5 the access log cannot be written, 2 usage.
"""


class Utc(click.ParamType):  # type: ignore[type-arg]
    """A moment in UTC, as nanoseconds."""

    name = "UTC"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read ISO 8601; without a zone it is UTC."""
        if isinstance(value, int):
            return value
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"expected a UTC time such as 2026-11-30T06:00, got {value!r}", param, ctx)
        told = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return round(told.timestamp()) * NS_PER_S


@click.command("export", epilog=EPILOG)
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option("--what", type=click.Choice(("hands", "facts", "incidents")), default="hands", show_default=True)
@click.option("--format", "form", type=click.Choice(("csv", "jsonl")), default="csv", show_default=True)
@click.option("--table", metavar="ID", help="Only this table.")
@click.option("--shoe", type=click.IntRange(1), metavar="N", help="Only this shoe.")
@click.option("--from", "begin", type=Utc(), help="Only what began at this time or later.")
@click.option("--to", "end", type=Utc(), help="Only what began before this time.")
def export(
    path: Path, what: str, form: str, table: str | None, shoe: int | None, begin: int | None, end: int | None
) -> None:
    """Write hands, facts or incidents of journals to standard output."""
    from controller.accounts.errors import CannotLog
    from controller.journal.errors import JournalError
    from controller.recall.export import NothingThere, Wanted, rows

    wanted = Wanted(what, table, shoe, begin, end)
    try:
        tell(path, "export", path=str(path), rows=what)
        irregular = write(what, form, rows(path, wanted))
    except JournalError as error:
        fail(str(error), EXIT_INTEGRITY)
    except NothingThere as error:
        fail(str(error), EXIT_UNREADABLE)
    except CannotLog as error:
        fail(str(error), EXIT_DEVICE)
    except OSError as error:
        fail(f"{error.filename or path}: {error.strerror}", EXIT_UNREADABLE)
    if irregular:
        raise click.exceptions.Exit(EXIT_IRREGULAR)


def write(what: str, form: str, rows: Iterable[Plain]) -> bool:
    """Write rows; return whether an irregularity is among them."""
    from controller.recall.export import fact_cells
    from controller.recall.ledger import FACT_COLUMNS, HAND_COLUMNS, INCIDENT_COLUMNS, hand_cells, incident_cells

    tables = {
        "hands": (HAND_COLUMNS, hand_cells),
        "facts": (FACT_COLUMNS, fact_cells),
        "incidents": (INCIDENT_COLUMNS, incident_cells),
    }
    columns, cells = tables[what]
    writer = csv.writer(sys.stdout)
    encode = json.JSONEncoder(separators=(",", ":")).encode
    if form == "csv":
        writer.writerow(columns)
    irregular = False
    for row in rows:
        irregular = irregular or is_irregular(what, row)
        if form == "csv":
            writer.writerow(cells(row))
        else:
            sys.stdout.write(encode(row) + "\n")
    sys.stdout.flush()
    return irregular


def is_irregular(what: str, row: Plain) -> bool:
    """Whether a row tells of something that was wrong."""
    match what:
        case "hands":
            return bool(row["irregularities"])
        case "facts":
            return str(row["fact"]) == "IrregularityFound"
        case _:
            return True


def fail(sentence: str, code: int) -> NoReturn:
    """Say what is wrong and end."""
    click.echo(f"tirage export: {sentence}", err=True)
    raise click.exceptions.Exit(code)
