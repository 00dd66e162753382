"""What a file of a shoe holds as inputs and keys: a capture with its keys beside it, or a script with both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from controller.core.inputs import Input
from controller.core.signals import CardDrawn
from controller.simulate.script import KeyStep, read_all
from controller.sources.capture import Capture, form_of
from controller.sources.keys import Keys, NoKeysError, read_keys
from controller.sources.setting import Setting

SCRIPT = "script"


@dataclass(frozen=True, slots=True)
class Dealt:
    """Inputs in order, the keys to them, and the capture that they come from; a script has none."""

    inputs: Iterable[Input]
    keys: Keys = field(default_factory=Keys)
    capture: Capture | None = None


def dealt(stream: BinaryIO, form: str, setting: Setting, keys_path: str | None) -> Dealt:
    """Return what a file holds. Raises NoKeysError, KeysError, OSError; reading on raises what its format raises."""
    if form == SCRIPT:
        keys = Keys()
        return Dealt(_scripted(stream, keys), keys)
    if setting.needs_keys and keys_path is None:
        raise NoKeysError(setting.game)
    keys = read_keys(Path(keys_path).read_bytes().splitlines()) if keys_path else Keys()
    capture = Capture(stream, form_of(stream, form), setting.driver, setting.chosen)
    return Dealt(capture, keys, capture)


def _scripted(stream: Iterable[bytes], keys: Keys) -> Iterator[Input]:
    """Yield the signals of a script, each once the keys that follow it are in their place."""
    cards, last = 0, None
    for step in read_all(stream):
        if isinstance(step, KeyStep):
            keys.add(cards, step.command)
            continue
        if last is not None:
            yield last
        last = Input(step.signal)
        cards += isinstance(step.signal, CardDrawn)
    if last is not None:
        yield last
