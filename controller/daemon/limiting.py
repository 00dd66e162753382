"""Whether a shoe says more than a shoe can: a device that babbles is cut off before it fills disk and pages."""

from __future__ import annotations

from collections.abc import Iterable

from controller.core.signals import BurnCardDrawn, BytesDamaged, CardDrawn, OffGameCardDrawn, Signal
from drivers.rate import CARDS_OVER_S, NS_PER_S, Rate

# After an opening a serial server or an adapter may hand over at once what waited in it: some hands, not a shoe.
BURST_S = 1
BURST_EVENTS = 600
CALM_S = 60  # after a shoe that babbled: one that was opened again sooner hands over no such burst
CARDS = (CardDrawn, BurnCardDrawn, OffGameCardDrawn)


class Limit:
    """Counts what was heard since the port was opened, by the time it came. ``cut`` says that it was too much.

    ``cards_per_second`` is what no hand exceeds for long, None where cards are not limited apart.
    """

    def __init__(self, cards_per_second: int | None = None) -> None:
        self.cut = False
        self._rate = Rate()
        self._burst = Rate(BURST_EVENTS)
        self._cards = Rate(cards_per_second * CARDS_OVER_S, CARDS_OVER_S) if cards_per_second else None
        self._from_ns = 0
        self._calm_ns = 0  # from then on a shoe that babbled is like any other

    def opened(self, now_ns: int) -> None:
        """The port was opened: at first more may come than later."""
        self.cut = False
        self._rate.clear()
        self._burst.clear()
        self._from_ns = now_ns + BURST_S * NS_PER_S if now_ns >= self._calm_ns else now_ns
        if self._cards is not None:
            self._cards.clear()

    def exceeded(self, heard: Iterable[Signal], now_ns: int) -> bool:
        """Take what was heard at a time, and tell whether it is too much."""
        settled = now_ns >= self._from_ns
        rate = self._rate if settled else self._burst
        for signal in heard:
            much = rate.count(now_ns)
            many = settled and self._cards is not None and _is_card(signal) and self._cards.count(now_ns)
            self.cut = self.cut or much or many
        if self.cut:
            self._calm_ns = now_ns + CALM_S * NS_PER_S
        return self.cut


def _is_card(signal: Signal) -> bool:
    """Whether a card left the shoe with it, or may have."""
    return isinstance(signal, CARDS) or (isinstance(signal, BytesDamaged) and signal.lost > 0)
