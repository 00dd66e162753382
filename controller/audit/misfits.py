"""Places of a capture where messages of the shoe are missing, be it that no number shows it but what it says next."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.core.facts import Fact, FactName

TOLD = frozenset({FactName.INCIDENT_OPENED, FactName.INCIDENT_ADDED})
# A second card for a spot; a hand left before its first cards were out; another result than the one that closed a hand.
OF_A_HAND = frozenset({"wrong-slot", "abandoned-hand"})
OF_NO_HAND = frozenset({"result-mismatch", "link-gap", "count-back"})
# What the shoe says about a card or a hand that was never told of, by the table's own words for it.
NEVER_TOLD = ("result without a hand", "face without a card", "carried card without", "face of a card that was not")
STARTED_AGAIN = "powered-up"  # a hand that is left for that is left for a reason


@dataclass(slots=True)
class Misfits:
    """Takes the facts of a capture; ``count`` places are not whole, the ``first`` of them by shoe, hand and kind.

    A gap within a hand stands on the line of that hand.
    """

    count: int = 0
    first: tuple[int, int | None, str] | None = None
    _started: set[str] = field(default_factory=set)  # incidents of hands in which the shoe started again

    def take(self, fact: Fact) -> None:
        """Take the next fact."""
        if fact.name not in TOLD:
            return
        told = dict(fact.data)
        kind, ident = str(told["kind"]), str(told["id"])
        if kind == STARTED_AGAIN:
            self._started.add(ident)
        elif ident not in self._started and _is_misfit(fact, kind, str(told["detail"])):
            self.count += 1
            self.first = self.first or (fact.shoe, fact.hand, kind)

    @property
    def sentence(self) -> str:
        """What to tell of it; empty where all fits."""
        if self.first is None:
            return ""
        shoe, hand, kind = self.first
        where = f"shoe {shoe}" + (f", hand {hand}" if hand is not None else ", between hands")
        places = "in 1 place" if self.count == 1 else f"in {self.count} places"
        return (
            f"the shoe's messages are not whole {places}, first at {where} ({kind}): "
            "cards or hands may be missing, also where its numbers show no gap"
        )


def _is_misfit(fact: Fact, kind: str, detail: str) -> bool:
    if kind == "error-anomaly":
        return detail.startswith(NEVER_TOLD)
    return kind in (OF_NO_HAND if fact.hand is None else OF_A_HAND)
