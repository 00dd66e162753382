"""What the table is told of the link: each change once, and how good the line is (no I/O, no clock)."""

from __future__ import annotations

from controller.core.signals import BytesDamaged, Damage, LinkLost, LinkOpened, LinkProved, Signal, WhyLost
from drivers.quality import Quality
from drivers.tirage.messages import Hello, Level


class LinkTruth:
    """Open, proved or lost as it was told last; ``out`` has what is to be told now."""

    def __init__(self) -> None:
        self.quality = Quality()
        self.out: list[Signal] = []
        self._told: str | None = None  # the loss that was told last, None while the link is open
        self._alarmed = self._unfit = False

    @property
    def lost_is_told(self) -> bool:
        """Whether the loss that stands now was told."""
        return self._told is not None

    def begin(self) -> None:
        """The port was opened: a loss from before is told anew."""
        self._told = None

    def lost(self, reason: str, why: WhyLost | None = None, *, held: bool = False) -> None:
        """The link is lost; told once for each reason."""
        if reason != self._told:
            self._told = reason
            self.out.append(LinkLost(reason, why, held))

    def opened(self, hello: Hello) -> None:
        """The shoe has said who it is."""
        self._told = None
        self.out.append(LinkOpened(f"tirage {hello.device.hex()}", hello.level is Level.AUTHENTIC))

    def proved(self) -> None:
        """All that the shoe has named is here."""
        if not self._unfit:
            self.out.append(LinkProved())

    def settle(self, hello: Hello, *, live: bool) -> None:
        """Tell of a line that gets worse, before it fails and when it is not fit any more."""
        quality, alarmed, unfit = self.quality, self._alarmed, self._unfit
        self._alarmed, self._unfit = quality.alarming, quality.too_bad
        if self._alarmed > alarmed:
            detail = f"alarm: {quality.share:.1%} of the frames of the last minute were bad"
            self.out.append(BytesDamaged(Damage.CHECKSUM, 0, detail=detail))
        if self._unfit > unfit:
            share = f"{quality.share:.0%} of the frames of a minute were bad"
            self.lost(f"the line is not fit for a table: {share}", WhyLost.UNFIT)
        if self._unfit < unfit:
            self.opened(hello)
            if live:
                self.proved()
