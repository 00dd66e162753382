"""`tirage decode`: the frames of a line, offline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

import click

if TYPE_CHECKING:
    from drivers.angel_eye import Record

EXIT_UNREADABLE = 3
FAULTS = {"ok": None, "unknown": "unknown frame", "bad": "bad checksum", "noise": "noise"}

EPILOG = """\b
Examples:
  tirage decode shoe.hex
  tirage decode --json --format raw 000042-shoe.raw
  tirage simulate --format hex | tirage decode -

\b
Exit codes: 0 all was read, whatever the frames say; 2 usage; 3 the file
cannot be read on, or is cut in mid-line.
"""


@click.command("decode", epilog=EPILOG)
@click.argument("file", metavar="FILE|-")
@click.option("--format", "form", type=click.Choice(("hex", "raw", "bytes")),
              help="hex has one read a line, raw is the recorder's file [by the first bytes].")  # fmt: skip
@click.option("--mode", type=click.Choice(("auto", "open", "hidden")), default="auto", show_default=True,
              help="How the shoe is preset: says what a card without a face means.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a frame.")
def decode(file: str, form: str | None, mode: str, as_json: bool) -> None:
    """Show the frames of an Angel Eye capture: offset, bytes, number, type, meaning, copy, fault.

    A copy is counted from 1 while frames repeat; 0 where the bytes are no frame.
    """
    from drivers.angel_eye import records
    from drivers.ports.capture import SNIFF_BYTES, CaptureError, Format, read_capture, sniff

    write = json_line if as_json else text_line
    with readable(file) as stream:
        named = Format(form) if form else sniff(stream.peek(SNIFF_BYTES)[:SNIFF_BYTES])  # type: ignore[attr-defined]
        try:
            for record in records((chunk.data for chunk in read_capture(stream, named)), mode):
                click.echo(write(record))
        except CaptureError as error:
            click.echo(f"tirage decode: {file}: {error}", err=True)
            raise click.exceptions.Exit(EXIT_UNREADABLE) from None


@contextmanager
def readable(path: str) -> Iterator[BinaryIO]:
    """Open a file for bytes, or stdin for `-`."""
    try:
        file = click.open_file(path, "rb")
    except OSError as error:
        click.echo(f"tirage decode: {path}: {error.strerror}", err=True)
        raise click.exceptions.Exit(EXIT_UNREADABLE) from None
    with file:
        yield cast(BinaryIO, file)


def json_line(record: Record) -> str:
    """Return a record as a JSON object."""
    return json.dumps(
        {
            "offset": record.offset,
            "bytes": record.hex,
            "seq": record.seq,
            "type": record.letter or None,
            "name": record.name or None,
            "meaning": record.meaning or None,
            "copy": record.copy,
            "fault": FAULTS[record.status],
        }
    )


def text_line(record: Record) -> str:
    """Return a record as a line of columns."""
    seq = "-" if record.seq is None else str(record.seq)
    copy = f"x{record.copy}" if record.copy else "--"
    said = ": ".join(part for part in (record.name, record.meaning) if part)
    fault = f"! {FAULTS[record.status]}" if FAULTS[record.status] else ""
    what = "  ".join(part for part in (said, fault) if part)
    return f"{record.offset:>8}  {seq} {record.letter or '-'} {copy}  {what:<44}  {record.hex}"
