"""A read-only tap on a file that another program appends to (wire-formats.md section 4)."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from drivers.ports import PortLost, PortOpened, link_to
from tests.drivers.terminals import Reader, kinds

LATENCY_S = 0.1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shoe.log"
    path.write_bytes(b"yesterday")
    return path


def tapping(path: Path, play: Callable[[Reader], Awaitable[None]]) -> Reader:
    async def table() -> Reader:
        reader = Reader(link_to(f"tap:{path}", 4800))
        try:
            await play(reader)
        finally:
            await reader.close()
        return reader

    return asyncio.run(table())


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def opened(events: list) -> int:
    return kinds(events).count("PortOpened")


def test_what_is_appended_is_read_and_what_was_there_is_not(file):
    """faults.md B 11: stale bytes from before would be taken for cards that are dealt now."""

    async def play(reader: Reader) -> None:
        await reader.until(opened)
        for data in (b"one", b"two"):
            append(file, data)
            await reader.until(lambda _, data=data: reader.data.endswith(data))

    reader = tapping(file, play)
    assert (reader.data, reader.events[0]) == (b"onetwo", PortOpened(f"tap:{file}"))
    assert file.read_bytes() == b"yesterdayonetwo"


def test_a_byte_is_seen_within_a_tenth_of_a_second(file):
    """Promised: a tap with bounded latency; the best of five, as the machine is shared."""
    took = []

    async def play(reader: Reader) -> None:
        await reader.until(opened)
        for number in range(5):
            began = time.monotonic()
            append(file, b"x")
            await reader.until(lambda _, size=number + 1: len(reader.data) == size)
            took.append(time.monotonic() - began)

    tapping(file, play)
    assert sorted(took)[2] < LATENCY_S


@pytest.mark.parametrize("whole", [b"new", b""], ids=["another file is there", "it comes later"])
def test_a_rotated_file_is_told_and_the_new_one_read_from_its_beginning(file, whole):
    """Nothing written before the rotation or after it is left out."""

    async def play(reader: Reader) -> None:
        await reader.until(opened)
        append(file, b"old")
        file.rename(file.with_suffix(".1"))
        if not whole:
            await reader.until(lambda events: "PortLost" in kinds(events))
        file.write_bytes(whole or b"new")
        await reader.until(lambda _: reader.data == b"oldnew")

    reader = tapping(file, play)
    told = [event.reason for event in reader.events if isinstance(event, PortLost)]
    assert "bytes may be missing" in told[0]
    assert opened(reader.events) == 2


def test_a_file_that_is_cut_short_is_told_and_read_from_its_beginning(file):
    """Rotation by copy and truncate: what was written between the two is lost, so an open hand is unproved."""

    async def play(reader: Reader) -> None:
        await reader.until(opened)
        append(file, b"old")
        await reader.until(lambda _: reader.data == b"old")
        os.truncate(file, 0)
        await reader.until(lambda events: "PortLost" in kinds(events))
        append(file, b"new")
        await reader.until(lambda _: reader.data == b"oldnew")

    reader = tapping(file, play)
    assert [event.reason for event in reader.events if isinstance(event, PortLost)] == [
        f"tap:{file} was cut short: bytes may be missing"
    ]


def test_a_file_that_comes_to_be_is_read_from_its_beginning(tmp_path):
    """The other program starts later than we: all it writes is new."""
    file = tmp_path / "later.log"

    async def play(reader: Reader) -> None:
        await reader.until(lambda events: events)
        file.write_bytes(b"first")
        await reader.until(lambda _: reader.data == b"first")

    assert kinds(tapping(file, play).events) == ["PortLost", "PortOpened"]


def test_a_folder_is_no_tap(tmp_path):
    """A wrong line in the configuration."""

    async def play(reader: Reader) -> None:
        await reader.until(lambda events: events)

    (lost, *_) = tapping(tmp_path, play).events
    assert "cannot be read" in lost.reason
