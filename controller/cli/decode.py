"""`tirage decode`: the frames of a line, offline."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import TYPE_CHECKING, BinaryIO, NoReturn, cast

import click

if TYPE_CHECKING:
    from drivers.angel_eye import Record
    from drivers.ports.capture import Format

EXIT_UNREADABLE = 3
HEAD_BYTES = 65_536  # enough to see whose bytes they are where no frame was found
FRAMED = ("ok", "unknown")  # a frame of a type not known here was framed and summed as it must be
FAULTS = {"ok": None, "unknown": "unknown frame", "bad": "bad checksum", "noise": "noise"}
CUT_FRAME = re.compile(r"\b05(?: 3[0-9](?: [0-9a-f]{2}){0,10})?$")  # shorter than the longest frame

EPILOG = """\b
Examples:
  tirage decode shoe.hex
  tirage decode --json --format raw 000042-shoe.raw
  tirage simulate --format hex | tirage decode -

\b
Exit codes: 0 all was read, whatever its frames say; 2 usage; 3 the file
cannot be read on, is cut inside a frame or a line, or has no good frame.
"""


@click.command("decode", epilog=EPILOG)
@click.argument("file", metavar="FILE|-")
@click.option("--format", "form", type=click.Choice(("hex", "raw")),
              help="hex has one read a line, raw is a recorder's file or bare bytes [by the first bytes].")  # fmt: skip
@click.option("--mode", type=click.Choice(("auto", "open", "hidden")), default="auto", show_default=True,
              help="How the shoe is preset: says what a card without a face means.")  # fmt: skip
@click.option("--json", "style", flag_value="json", help="One JSON object a frame.")
def decode(file: str, form: str | None, mode: str, style: str | None) -> None:
    """Show the frames of an Angel Eye capture: offset, number, type, copy, meaning, fault, bytes.

    A copy is counted from 1 while frames repeat; none where the bytes are no frame.
    """
    from drivers.angel_eye import records
    from drivers.ports.capture import CaptureError, read_capture

    write = json_line if style == "json" else text_line
    last, framed = None, False
    with readable(file) as stream:
        reads = _kept((chunk.data for chunk in read_capture(stream, form_of(stream, form))), head := bytearray())
        try:
            for last in records(reads, mode):
                framed = framed or last.status in FRAMED
                click.echo(write(last))
        except CaptureError as error:
            fail(f"{file}: {error}")
    if last is not None and last.status == "noise" and CUT_FRAME.search(last.hex):
        fail(f"{file}: the capture ends inside a frame")
    if not framed and (other := _spoken(bytes(head))) is not None:
        fail(
            f"{file}: no frame of an Angel Eye shoe, and this command reads no others: it looks like the recording of "
            f"a {other} shoe; use `tirage replay --config FILE --table ID {file}`"
        )
    if not framed:
        came = "an empty file" if last is None else "bytes without one good frame"
        fail(f"{file}: expected frames of an Angel Eye shoe, got {came}; check --format, the baud rate and the wiring")


def _kept(reads: Iterator[bytes], head: bytearray) -> Iterator[bytes]:
    """Pass reads on and keep the first of them."""
    for data in reads:
        if len(head) < HEAD_BYTES:
            head += data
        yield data


def _spoken(head: bytes) -> str | None:
    from controller.sources.spoken import OtherShoes

    others = OtherShoes("angel-eye")
    others.feed(head)
    return others.name


def form_of(stream: BinaryIO, named: str | None) -> Format:
    """Return how a capture is written, by its first bytes where it is not said."""
    from drivers.ports.capture import SNIFF_BYTES, Format, sniff

    if named == "hex":
        return Format.HEX
    form = sniff(cast(BufferedReader, stream).peek(SNIFF_BYTES)[:SNIFF_BYTES])
    return Format.BYTES if named == "raw" and form is Format.HEX else form


def fail(sentence: str) -> NoReturn:
    """Say what cannot be read on and end."""
    click.echo(f"tirage decode: {sentence}", err=True)
    raise click.exceptions.Exit(EXIT_UNREADABLE)


@contextmanager
def readable(path: str) -> Iterator[BinaryIO]:
    """Open a file for bytes, or stdin for `-`."""
    try:
        file = click.open_file(path, "rb")
    except OSError as error:
        fail(f"{path}: {error.strerror}")
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
