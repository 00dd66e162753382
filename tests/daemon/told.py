"""The oracle of what a table was told: each thing the shoe said once, in order, and every gap said to be one."""

from __future__ import annotations

from pathlib import Path

from controller.core.signals import BytesDamaged, PoweredUp, Signal
from controller.journal.reader import inputs, read_folder

MODULUS = 9


def nothing_is_doubled_and_every_gap_is_told(folder: Path, sent: list[Signal]) -> int:
    """Compare the journal with what was dealt; return how many things of it were heard."""
    place = told = heard = 0
    for _, item, _ in inputs(read_folder(folder)):
        if item.by != "shoe":
            continue
        if isinstance(item.what, BytesDamaged):
            told += item.what.lost
            continue
        place = place_of(item.what, sent, place, told) + 1
        told, heard = 0, heard + 1
    return heard


def place_of(signal: Signal, sent: list[Signal], place: int, told: int) -> int:
    """Where a signal stands in what was dealt; the numbers begin anew at a power-up, so they tell no gap across it.

    A gap's size is known up to a multiple of nine (wire-formats.md 1.1); that there is one must be told all the same.
    """
    sizes = range(told, len(sent), MODULUS) if told else [0]
    for size in sizes:
        if sent[place + size : place + size + 1] == [signal]:
            return place + size
    for later in range(place, len(sent)):
        if sent[later] == signal and PoweredUp() in sent[place : later + 1]:
            return later
    raise AssertionError(f"{signal} after {sent[place - 1]} with {told} told missing; next were {sent[place:][:4]}")
