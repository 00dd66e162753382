"""Which shoe may speak, and how it must prove itself (no I/O)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.core.signals import WhyLost
from drivers.tirage.messages import SCHEMA, Capabilities, Hello, Level


class Why(Enum):
    """Why a device is refused, each a sentence for the technician."""

    OTHER_SHOE = "another shoe is on this port: close the shoe record and open it anew for this one"
    TOO_LOW = "the shoe offers less protection than this table asks for"
    PINNED = "this shoe has proved itself before and now does not: refused until two people change the policy"
    NO_KEY = "there is no key for this shoe: a technician must load one"
    SEALED = "level L2 is not built"
    READS_AHEAD = "the shoe reads cards before they are drawn, which asks for level L2: refused"
    NO_RESULTS = (
        "the shoe says that it has no result buttons, and this table leaves it to the shoe to close a hand: "
        'write without = ["results"] in [tables.shoe], and closes = "controller"'
    )
    NO_BURN = (
        "the shoe says that it knows no burn cards, and this table burns: "
        'write without = ["burn"] in [tables.shoe], so that burns are counted'
    )
    NO_CUT_CARD = (
        "the shoe says that it does not see the cut card, and this table goes by it: "
        'write without = ["cut-card"] in [tables.shoe]'
    )
    SCHEMA = "the shoe speaks another edition of the protocol: bring firmware and controller to the same one"
    VERSION = "the shoe speaks a version of the protocol that is not known here"
    TYPE = "the shoe sends a message that is not known here and must not be left out"
    BAD_TAGS = "three frames with a wrong tag: somebody else may be on the line"
    FLOOD = "the shoe babbles: more frames in a second than a shoe can have to say"


WHY_LOST = {
    Why.OTHER_SHOE: WhyLost.OTHER_SHOE,
    Why.TOO_LOW: WhyLost.TOO_LOW,
    Why.PINNED: WhyLost.PINNED,
    Why.NO_KEY: WhyLost.NO_KEY,
    Why.SEALED: WhyLost.SEALED,
    Why.READS_AHEAD: WhyLost.READS_AHEAD,
    Why.NO_RESULTS: WhyLost.NO_RESULTS,
    Why.NO_BURN: WhyLost.NO_BURN,
    Why.NO_CUT_CARD: WhyLost.NO_CUT_CARD,
    Why.SCHEMA: WhyLost.SCHEMA,
    Why.VERSION: WhyLost.VERSION,
    Why.TYPE: WhyLost.MESSAGE,
    Why.BAD_TAGS: WhyLost.BAD_TAGS,
    Why.FLOOD: WhyLost.FLOOD,
}
LACKS = {
    "announces_result": Why.NO_RESULTS,
    "reports_burn": Why.NO_BURN,
    "reports_cut_card": Why.NO_CUT_CARD,
}
# These are about what came over the line, not about who the device is: opening the port again settles nothing.
FOR_A_PERSON = frozenset({Why.BAD_TAGS, Why.FLOOD})


@dataclass(slots=True)
class Policy:
    """What a table accepts. ``pins`` is added to when a shoe proves itself; the owner keeps it.

    ``keys`` has 32 bytes for each device; ``expected`` is the only device that may speak, None for any.
    ``let_down`` is a device that people let in with less than it proved before; what it proves from now on counts.
    ``changes_shoe`` says that the record of the last shoe is closed, so that another device may come.
    ``relies_on`` are capabilities, of LACKS, without which the table cannot be served.
    """

    keys: Mapping[bytes, bytes] = field(default_factory=dict, repr=False)
    lowest: Level = Level.PLAIN
    pins: dict[bytes, Level] = field(default_factory=dict)
    expected: bytes | None = None
    changes_shoe: bool = False
    let_down: bytes | None = None
    relies_on: frozenset[str] = frozenset()

    @property
    def wanted(self) -> Level:
        """The highest level to ask for."""
        return Level.AUTHENTIC if self.keys or self.lowest is not Level.PLAIN else Level.PLAIN

    def refusal(self, hello: Hello) -> Why | None:
        """Return why this device is refused, None if it is not."""
        if self.expected is not None and hello.device != self.expected:
            return Why.OTHER_SHOE
        if hello.level is Level.SEALED:
            return Why.SEALED
        if hello.level < self.pins.get(hello.device, Level.PLAIN):
            return Why.PINNED
        if hello.level < self.lowest:
            return Why.TOO_LOW
        if hello.level is Level.AUTHENTIC and hello.device not in self.keys:
            return Why.NO_KEY
        return Why.SCHEMA if hello.schema != SCHEMA else None

    def unfit(self, said: Capabilities) -> Why | None:
        """Return why a shoe that can do just this cannot serve the table, None if it can."""
        if said.reads_ahead:
            return Why.READS_AHEAD
        missing = (name for name in LACKS if name in self.relies_on and not getattr(said, name))
        return next((LACKS[name] for name in missing), None)

    def proved(self, device: bytes) -> None:
        """Take over that this device has proved itself before."""
        if device != self.let_down:
            self.pins[device] = Level.AUTHENTIC

    def pin(self, hello: Hello) -> None:
        """Remember that this device has proved itself at this level."""
        if hello.level > self.pins.get(hello.device, Level.PLAIN):
            self.pins[hello.device] = hello.level
