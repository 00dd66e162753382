"""`tirage decode`: the frames of a line, offline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BufferedReader
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn, cast

import click

if TYPE_CHECKING:
    from controller.cli.decoding import Listed
    from drivers.ports.capture import Chunk, Format
    from drivers.shoes import Chosen

EXIT_UNREADABLE, EXIT_CONFIG = 3, 78
HEAD_BYTES = 65_536  # enough to see whose bytes they are where no frame was found
USUAL = "angel-eye"
SHOES = {"angel-eye": "an Angel Eye shoe", "line": "a line shoe", "tirage": "a tirage shoe"}
PIECES = {"angel-eye": "frame", "line": "line", "tirage": "frame"}

EPILOG = """\b
Examples:
  tirage decode shoe.hex
  tirage decode --json --format raw 000042-shoe.raw
  tirage simulate --format hex | tirage decode -
  tirage decode --driver tirage --shoe-keys shoe-keys.toml shoe.raw
  tirage decode --config /etc/tirage/tirage.toml --table b1 shoe.raw

\b
Exit codes: 0 all was read, whatever its frames say; 78 bad configuration or file of keys; 2 usage; 3 the file
cannot be read on, is cut inside a frame or a line, or has no good frame.
"""


class Read(NamedTuple):
    """By which protocol a capture is read, as which preset."""

    driver: str
    chosen: Chosen


@click.command("decode", epilog=EPILOG)
@click.argument("file", metavar="FILE|-")
@click.option("--format", "form", type=click.Choice(("hex", "raw")),
              help="hex has one read a line, raw is a recorder's file or bare bytes [by the first bytes].")  # fmt: skip
@click.option("--driver", type=click.Choice(tuple(SHOES)), help=f"Whose bytes they are [{USUAL}].")
@click.option("--mode", type=click.Choice(("auto", "open", "hidden")),
              help="How an Angel Eye is preset: says what a card without a face means [auto].")  # fmt: skip
@click.option("--shoe-keys", "keys_path", metavar="FILE", type=click.Path(dir_okay=False),
              help="The keys of tirage shoes, as a configuration names them: tags are then checked.")  # fmt: skip
@click.option("--config", "config_path", type=click.Path(),
              help="A configuration whose table says driver, preset, codes of cards and keys.")  # fmt: skip
@click.option("--table", "table_id", metavar="ID", help="The table of the configuration.")
@click.option("--json", "style", flag_value="json", help="One JSON object a frame.")
def decode(file: str, form: str | None, style: str | None, **given: str | None) -> None:
    """Show what stands on the line of a shoe, frame by frame: where, what it says, what is wrong with it, its bytes.

    Angel Eye: offset, number, type, copy, meaning, fault, bytes. A copy is counted from 1 while frames repeat; none
    where the bytes are no frame. Line: offset, text, card, fault, bytes. Tirage: offset, frame counter, card number,
    device milliseconds, message with its fields, tag, fault, bytes; a tag is checked where the key is given and the
    session's hello is in the capture.
    """
    from controller.cli.decoding import LISTS
    from drivers.ports.capture import CaptureError, read_capture

    read = _read_as(**given)
    last, framed = None, False
    with readable(file) as stream:
        reads = _kept(read_capture(stream, form_of(stream, form)), head := bytearray())
        try:
            for last in LISTS[read.driver](reads, read.chosen):
                framed = framed or last.framed
                click.echo(json.dumps(last.item) if style == "json" else last.text)
        except CaptureError as error:
            fail(f"{file}: {error}")
    _check_end(file, read.driver, last, bytes(head), framed=framed)


def _read_as(
    driver: str | None, mode: str | None, keys_path: str | None, config_path: str | None, table_id: str | None
) -> Read:
    """Return by what to read. Raises click.UsageError; ends with 78 for a bad configuration or file of keys."""
    from drivers.shoes import Chosen

    if config_path is not None:
        if driver is not None or keys_path is not None:
            raise click.UsageError("the configuration says driver and keys: leave out --driver and --shoe-keys")
        read = _configured(config_path, table_id)
    elif table_id is not None:
        raise click.UsageError("--table names a table of a configuration: add --config FILE")
    else:
        read = Read(driver or USUAL, Chosen())
    if mode is not None and read.driver != "angel-eye":
        raise click.UsageError("--mode is of an Angel Eye: other shoes have no such preset")
    chosen = read.chosen if mode is None else replace(read.chosen, mode=mode)
    return Read(read.driver, chosen if keys_path is None else _with_keys(read.driver, chosen, keys_path))


def _configured(path: str, table_id: str | None) -> Read:
    from controller.cli.gaming import configured
    from controller.config import chosen_of

    shoe = configured(path, table_id).shoe
    return Read(shoe.driver, chosen_of(shoe))


def _with_keys(driver: str, chosen: Chosen, path: str) -> Chosen:
    from controller.config.keys import KeysError, read_keys
    from drivers.shoes import Trust

    if driver != "tirage":
        raise click.UsageError("--shoe-keys are of tirage shoes: add --driver tirage")
    try:
        return replace(chosen, trust=Trust(read_keys(path)))
    except KeysError as error:
        click.echo(f"tirage decode: {error}", err=True)
        raise click.exceptions.Exit(EXIT_CONFIG) from None


def _check_end(file: str, driver: str, last: Listed | None, head: bytes, *, framed: bool) -> None:
    """End with 3 where the capture is cut or has nothing good in it."""
    if last is not None and last.cut:
        fail(f"{file}: the capture ends inside a {PIECES[driver]}")
    if framed:
        return
    if (other := _spoken(driver, head)) is not None:
        fail(
            f"{file}: no {PIECES[driver]} of {SHOES[driver]}: it looks like the recording of a {other} shoe; "
            f"use `tirage decode --driver {other} {file}`, or name its table with --config FILE --table ID"
        )
    came = "an empty file" if last is None else f"bytes without one good {PIECES[driver]}"
    wanted = f"{PIECES[driver]}s of {SHOES[driver]}"
    fail(f"{file}: expected {wanted}, got {came}; check --format, the baud rate and the wiring")


def _kept(reads: Iterator[Chunk], head: bytearray) -> Iterator[Chunk]:
    """Pass reads on and keep the bytes of the first of them."""
    for read in reads:
        if len(head) < HEAD_BYTES:
            head += read.data
        yield read


def _spoken(driver: str, head: bytes) -> str | None:
    from controller.sources.spoken import OtherShoes

    others = OtherShoes(driver)
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
