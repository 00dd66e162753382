"""Scripts of signals as JSON lines: what a simulated shoe says, and the fixture format of the tests.

Where people decide, the croupier's keys stand between the cards.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

from controller.core.inputs import Command
from controller.core.signals import Signal
from controller.core.words import from_dict, to_dict
from controller.sources.keys import command_dict, command_of
from drivers.emulators.script import Step

SIGNALS = get_args(Signal)
EXAMPLE = '{"wait":0.8,"kind":"stood_by"}'


class ScriptError(ValueError):
    """A line of a script cannot be read; the message names the line, what was expected and what came."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class KeyStep:
    """A key of the croupier and the seconds of waiting before it."""

    command: Command
    wait_s: float = 0.0


def write_line(step: Step | KeyStep) -> str:
    """Return a step as one line, without its line end.

    >>> from controller.core.signals import StoodBy
    >>> write_line(Step(StoodBy(), 0.8))
    '{"wait":0.8,"kind":"stood_by"}'
    """
    said = command_dict(step.command) if isinstance(step, KeyStep) else to_dict(step.signal)
    return json.dumps({"wait": step.wait_s} | said, separators=(",", ":"))


def read_steps(lines: Iterable[str]) -> Iterator[Step | KeyStep]:
    """Read steps, one a line; blank lines and lines that begin with # are skipped, ``wait`` is 0 where it is left out.

    Raises ScriptError at the first line that is not a step.
    """
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield _step(number, text)


def read_script(lines: Iterable[str]) -> Iterator[Step]:
    """Read the steps of a shoe alone, its script having no keys; else as `read_steps`."""
    return signals_of(read_steps(lines))


def read_all(lines: Iterable[bytes]) -> Iterator[Step | KeyStep]:
    """Read the steps of a file. Raises ScriptError, also for what is not UTF-8 and where no step is in it."""
    step = None
    for step in read_steps(_texts(lines)):
        yield step
    if step is None:
        raise ScriptError(1, f"expected steps, one a line, such as {EXAMPLE}; there is none in it")


def read_bytes(lines: Iterable[bytes]) -> Iterator[Step]:
    """Read the steps of a file that has no keys; else as `read_all`."""
    return signals_of(read_all(lines))


def signals_of(steps: Iterable[Step | KeyStep]) -> Iterator[Step]:
    """Pass steps of a shoe on. Raises ScriptError at a key."""
    for number, step in enumerate(steps, 1):
        if isinstance(step, KeyStep):
            raise ScriptError(number, "a key of a croupier: name the game with --game")
        yield step


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            came = f"the byte 0x{line[error.start]:02x}"
            raise ScriptError(number, f"expected text in UTF-8, got {came}; save the file as UTF-8") from None


def _step(number: int, text: str) -> Step | KeyStep:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ScriptError(number, f"expected an object such as {EXAMPLE}: {error}") from None
    if not isinstance(data, dict):
        raise ScriptError(number, f"expected a JSON object, got {text[:40]!r}")
    wait_s = _wait(number, data.pop("wait", 0.0))
    try:
        if "act" in data:
            return KeyStep(command_of(data, number), wait_s)
        signal = from_dict(data)
    except (ValueError, AttributeError) as error:
        raise ScriptError(number, str(error)) from None
    if not isinstance(signal, SIGNALS):
        raise ScriptError(number, f"{data['kind']} is no signal of a shoe")
    return Step(signal, wait_s)


def _wait(number: int, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ScriptError(number, f"wait is a number of seconds from 0, not {value!r}")
    return float(value)
