"""What stands on a line, ready to be written; apart from the command, so that its help needs no driver."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from controller.sources.capture import stretches
from drivers import angel_eye, line
from drivers.line.listing import Record as LineRecord
from drivers.line.listing import records as line_records
from drivers.ports.capture import Chunk
from drivers.shoes import Chosen
from drivers.tirage.listing import Record as FrameRecord
from drivers.tirage.listing import Status, Tag
from drivers.tirage.listing import records as frame_records

CUT_FRAME = re.compile(r"\b05(?: 3[0-9](?: [0-9a-f]{2}){0,10})?$")  # shorter than the longest frame
FAULTS = {"ok": None, "unknown": "unknown frame", "bad": "bad checksum", "noise": "noise"}
FRAMED = frozenset({"ok", "unknown"})  # a frame of a type not known here was framed and summed as it must be
TAG_FAULTS = {Tag.WRONG: "wrong tag", Tag.MISSING: "tag missing"}
TAGS = {Tag.NONE: None} | {tag: tag.value for tag in Tag if tag is not Tag.NONE}


class Listed(NamedTuple):
    """A stretch of the line: as JSON and as a line of columns; whether it is what this shoe says.

    ``cut`` says that a capture whose last stretch this is ends inside it.
    """

    item: Mapping[str, Any]
    text: str
    framed: bool
    cut: bool


def _data(reads: Iterable[Chunk]) -> Iterator[bytes]:
    return (read.data for read in reads)


def _angel_eye(reads: Iterable[Chunk], chosen: Chosen) -> Iterator[Listed]:
    for record in angel_eye.records(_data(reads), chosen.mode):
        cut = record.status == "noise" and CUT_FRAME.search(record.hex) is not None
        yield Listed(_angel_eye_item(record), _angel_eye_text(record), record.status in FRAMED, cut)


def _angel_eye_item(record: angel_eye.Record) -> dict[str, Any]:
    return {
        "offset": record.offset,
        "bytes": record.hex,
        "seq": record.seq,
        "type": record.letter or None,
        "name": record.name or None,
        "meaning": record.meaning or None,
        "copy": record.copy,
        "fault": FAULTS[record.status],
    }


def _angel_eye_text(record: angel_eye.Record) -> str:
    seq = "-" if record.seq is None else str(record.seq)
    copy = f"x{record.copy}" if record.copy else "--"
    said = ": ".join(part for part in (record.name, record.meaning) if part)
    what = _what(said, FAULTS[record.status])
    return f"{record.offset:>8}  {seq} {record.letter or '-'} {copy}  {what:<44}  {record.hex}"


def _line(reads: Iterable[Chunk], chosen: Chosen) -> Iterator[Listed]:
    codes = line.code_table(chosen.codes) if chosen.codes else line.DEFAULT_CODES
    for record in line_records(map(_data, stretches(reads)), codes):
        item = _line_item(record)
        what = _what(item["card"] or "", item["fault"])
        text = f"{record.offset:>8}  {record.text or '':<16}  {what:<16}  {record.hex}"
        yield Listed(item, text, record.text is not None, record.cut)


def _line_item(record: LineRecord) -> dict[str, Any]:
    unknown = record.text is not None and record.card is None
    return {
        "offset": record.offset,
        "bytes": record.hex,
        "size": record.size,
        "text": record.text,
        "card": str(record.card) if record.card else None,
        "fault": "noise" if record.text is None else "unknown code" if unknown else None,
    }


def _tirage(reads: Iterable[Chunk], chosen: Chosen) -> Iterator[Listed]:
    for record in frame_records(_data(reads), chosen.trust.keys):
        item = _frame_item(record)
        yield Listed(item, _frame_text(record, item["fault"]), record.frame is not None, record.cut)


def _frame_item(record: FrameRecord) -> dict[str, Any]:
    frame = record.frame
    return {
        "offset": record.offset,
        "bytes": record.hex,
        "type": f"{frame.type:#04x}" if frame else None,
        "name": record.name or None,
        "session": frame.session if frame else None,
        "counter": frame.counter if frame else None,
        "card_number": frame.card if frame else None,
        "device_ms": frame.ms if frame else None,
        "resent": record.resent,
        "fields": dict(record.fields),
        "tag": TAGS[record.tag],
        "fault": _frame_fault(record),
    }


def _frame_fault(record: FrameRecord) -> str | None:
    if record.status in (Status.BAD, Status.NOISE):
        return FAULTS[record.status.value]
    return record.why or TAG_FAULTS.get(record.tag)


def _frame_text(record: FrameRecord, fault: str | None) -> str:
    frame = record.frame
    if frame is None:
        return f"{record.offset:>8}  {_what('', fault):<44}  {record.hex}"
    said = " ".join([record.name or f"type {frame.type:#04x}", *(f"{k}={v}" for k, v in record.fields.items())])
    place = f"{frame.counter:>6} #{frame.card:<3} {frame.ms:>8} ms"
    again = "  resent" if record.resent else ""
    tag = f"  tag {TAGS[record.tag]}" if TAGS[record.tag] and record.tag not in TAG_FAULTS else ""
    return f"{record.offset:>8}  {place}  {_what(said + again + tag, fault):<44}  {record.hex}"


def _what(said: str, fault: str | None) -> str:
    return "  ".join(part for part in (said, f"! {fault}" if fault else "") if part)


LISTS: Mapping[str, Callable[[Iterable[Chunk], Chosen], Iterator[Listed]]] = {
    "angel-eye": _angel_eye,
    "line": _line,
    "tirage": _tirage,
}
