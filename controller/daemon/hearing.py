"""Whether what comes from a port is understood: an open port that brings bytes may still bring no shoe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.core.inputs import Moment, Timer
from controller.core.signals import LinkLost, LinkOpened, WhyLost
from drivers.heard import Counts
from drivers.quality import Quality

NO_FRAMES_S = 1.5  # from the first byte that is no frame until a look at it; within 2 s the page says so
BYTES_BEFORE_FIRST_FRAME = 16  # a burst of noise as a shoe starts is shorter
BYTES_BETWEEN_FRAMES = 256  # from a shoe that was understood before: noise of a moment is shorter


@dataclass(slots=True)
class Hearing:
    """Follows a session's figures while its port is open. ``told`` says that the page has it already."""

    told: bool = False
    _frames: int = 0
    _understood: bool = False
    _bytes: int = 0  # since the last frame
    _since: float = 0.0  # monotonic seconds of the first of them
    _judged: tuple[int, int] = (0, 0)  # frames that checked and that did not, as far as their share was judged
    _quality: Quality = field(default_factory=Quality)
    _worse: bool = False
    _unfit: bool = False

    def opened(self, counts: Counts) -> None:
        """The port was opened: nothing has come from it yet."""
        self._frames, self._bytes = counts.frames, 0
        self._understood = self.told = False
        self._judged = (counts.frames, counts.bad_checksums)
        self._unfit = False

    def weigh(self, counts: Counts, now_ns: int, identity: str | None) -> Iterator[Timer | LinkLost | LinkOpened]:
        """Count the frames that came and yield what their share of bad ones in the last minute newly tells.

        Without ``identity`` nothing of the link: the protocol itself says whether its line is fit (faults.md B 13, 14).
        """
        now = (counts.frames, counts.bad_checksums)
        good, bad = (max(new - old, 0) for new, old in zip(now, self._judged, strict=True))
        self._judged = now
        for _ in range(good):
            self._quality.good(now_ns)
        for _ in range(bad):
            self._quality.bad(now_ns)
        if not (self._understood and good):
            return  # bytes that make no frame at all are told as that
        worse, unfit = self._worse, self._unfit
        self._worse, self._unfit = self._quality.alarming, identity is not None and self._quality.too_bad
        if self._worse and not worse:
            yield Timer.BAD_LINE
        if self._unfit and not unfit:
            share = f"{self._quality.share:.0%} of the frames of a minute were bad"
            yield LinkLost(f"the line is not fit for a table: {share}", WhyLost.UNFIT)
        if unfit and identity is not None and not self._unfit:
            yield LinkOpened(identity)

    def framed(self, size: int, counts: Counts, now: float) -> bool:
        """Take so many bytes that came now (monotonic seconds), and tell whether they completed a frame."""
        if counts.frames == self._frames:
            self._since = self._since if self._bytes else now
            self._bytes += size
            return False
        self._frames, self._bytes = counts.frames, 0
        self._understood, self.told = True, False
        return True

    @property
    def deaf(self) -> bool:
        """Whether more bytes than a burst of noise have brought no frame, and nobody was told."""
        enough = BYTES_BETWEEN_FRAMES if self._understood else BYTES_BEFORE_FIRST_FRAME
        return self._bytes >= enough and not self.told

    def overdue(self, now: float) -> bool:
        """Whether it is deaf, and has been so for too long at this time."""
        return self.deaf and now - self._since >= NO_FRAMES_S

    def passed(self) -> None:
        """The time for a look came and it was but a burst: forget it, if the shoe was understood before."""
        if self._understood:
            self._bytes = 0


def heard_before(kept: Moment | None, now: Moment) -> int | None:
    """Return when the last byte of an earlier run came, by the monotonic clock of this one.

    Between two runs only the wall clock goes on; where it stands before that byte it tells nothing, so None.
    """
    if kept is None or kept.utc_ns is None or now.utc_ns is None or now.mono_ns is None:
        return None
    age_ns = now.utc_ns - kept.utc_ns
    return now.mono_ns - age_ns if age_ns >= 0 else None
