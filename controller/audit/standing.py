"""What is wrong with the hands of a capture or a journal in the end: the last word on each, as audit lines give it.

An irregularity that was found and then mended by a person's key (a forgotten close, a false call) is told as a fact
when it happens; it stands no longer, so that it is none of the evening.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.audit.misfits import Misfits
from controller.core.engine import Table
from controller.core.facts import Fact, FactName, HandLine
from controller.core.hand import Hand

CLOSING = frozenset({FactName.HAND_COMPLETED, FactName.HAND_VOIDED, FactName.HAND_CORRECTED})


@dataclass(slots=True)
class Standing:
    """The hands with something wrong, by shoe and number; ``dropped`` counts abandoned ones, which keep no number."""

    wrong: set[tuple[int, int | None]] = field(default_factory=set)
    dropped: int = 0
    misfits: Misfits = field(default_factory=Misfits)  # of captures: in a journal a person has had the last word

    def take(self, fact: Fact) -> None:
        """Take the next fact."""
        if fact.name in CLOSING:
            change = self.wrong.add if line_of(fact).irregularities else self.wrong.discard
            change((fact.shoe, fact.hand))
        elif fact.name is FactName.HAND_ABANDONED:
            self.dropped += bool(line_of(fact).irregularities)

    def end(self, table: Table) -> None:
        """Take what is still open at the end."""
        self.wrong.update((hand.shoe, hand.number) for hand in unfinished(table) if hand.irregularities(table.game))

    @property
    def irregular(self) -> bool:
        """Whether the exit code is to say that irregularities were found."""
        return bool(self.wrong or self.dropped or self.misfits.count)


def line_of(fact: Fact) -> HandLine:
    """Return the audit line of a fact that ends a hand."""
    line: HandLine = dict(fact.data)["line"]
    return line


def unfinished(table: Table) -> Iterator[Hand]:
    """Yield the hands that are open at the end and wait for a person, or of which something is wrong already."""
    for hand in (*table.unsettled.values(), table.hand):
        if hand is not None and (hand.holds or hand.irregularities(table.game)):
            yield hand
