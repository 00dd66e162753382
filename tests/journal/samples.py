"""Journals to test with, and an oracle that reads the stored bytes with nothing of ours."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from controller.core.cards import Card, Seat
from controller.core.facts import Fact, FactName
from controller.core.inputs import Command, Input, Moment, NewShoe
from controller.core.signals import CardDrawn, LinkOpened
from controller.journal.segment import SegmentKind
from controller.journal.writer import Journal

SETTINGS = {"table": "bac-7", "software": "0.1.0", "profile": {"deal": "face_up", "decks": 8}}
DEAL = ((Seat.PLAYER, "9S"), (Seat.BANKER, "4H"), (Seat.PLAYER, "KD"), (Seat.BANKER, "2C"))
NEXT_HAND = ((Seat.PLAYER, "AD"), (Seat.BANKER, "7H"))


def moment(number: int) -> Moment:
    return Moment(1_790_000_000_000_000_000 + number * 1_000_000, number * 1_000_000)


class Clock:
    """A clock that goes on by a millisecond at each look, so that journals of two runs are equal."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self) -> Moment:
        self.number += 1
        return moment(self.number)


def deal(journal: Journal, cards: tuple[tuple[Seat, str], ...] = DEAL) -> list[int]:
    """Record cards as the daemon does: bytes, input, facts."""
    taken = []
    for place, (seat, name) in enumerate(cards):
        at = moment(100 + place)
        span = journal.append_raw(f"\x02{name}\x03".encode(), at)
        index = journal.append_input(Input(CardDrawn(seat, place // 2 + 1, Card.parse(name)), at), span)
        fact = Fact(FactName.CARD_DRAWN, 1, 1, at, (("seat", seat), ("card", Card.parse(name))))
        journal.append_facts([fact], index)
        taken.append(index)
    return taken


def open_sample(folder: Path) -> Journal:
    return Journal.open(folder, **SETTINGS, clock=Clock())


def write_sample(folder: Path) -> None:
    """Write an idle segment, a closed shoe, and the idle segment after it, still open."""
    with open_sample(folder) as journal:
        journal.append_input(Input(LinkOpened("usb-shoe-7"), moment(1)))
        journal.roll(SegmentKind.SHOE, shoe=1, carry={"incidents": ["I-3"]})
        journal.append_input(Input(Command("k1", NewShoe()), moment(2), "staff:1042"))
        deal(journal)
        journal.roll(SegmentKind.IDLE, shoe=1)
        journal.append_input(Input(LinkOpened("usb-shoe-8"), moment(3)))


def oracle_lines(folder: Path) -> list[dict]:
    """Check each stored line by trust.md section 2.2 and return them all."""
    prev, found = "0" * 64, []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
            fields = json.loads(line)
            assert fields["i"] == number
            assert fields["prev"] == prev
            assert fields["crc"] == f"{crc32(line[: line.rindex(b',')]):08x}"
            prev = sha256(line).hexdigest()
            found.append(fields)
    return found


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
