"""A script: what a shoe says, and how long it waits before each thing."""

from __future__ import annotations

from dataclasses import dataclass

from controller.core.signals import Signal


@dataclass(frozen=True, slots=True)
class Step:
    """A signal and the seconds of waiting before it.

    LinkLost unplugs the terminal, LinkOpened plugs it in, BytesDamaged with NOISE is that many bytes of noise.
    """

    signal: Signal
    wait_s: float = 0.0
