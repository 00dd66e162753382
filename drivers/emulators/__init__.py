"""Shoes that are not there: they play scripts in a protocol's real bytes on a pseudo-terminal."""

from drivers.emulators.angel_eye import Shoe, actions, play
from drivers.emulators.faults import ByteFault, FaultKind
from drivers.emulators.line import FAULTS as LINE_FAULTS
from drivers.emulators.line import LineShoe
from drivers.emulators.pty import Pty
from drivers.emulators.script import Step

__all__ = ["LINE_FAULTS", "ByteFault", "FaultKind", "LineShoe", "Pty", "Shoe", "Step", "actions", "play"]
