"""Which moments more people than surveillance may know.

How long somebody thought tells what he holds (R-002-30). So whoever is below surveillance learns when a hand began and
when it was settled, and what the house did between hands, but no moment within a hand: not even one that has nothing
to do with cards, since the next fact in the stream would be dated by it.
"""

from __future__ import annotations

from dataclasses import replace

from controller.core.facts import FactName
from controller.core.link import NO_FRAMES
from controller.core.views import IncidentView

TIMED = frozenset(
    {
        FactName.HAND_OPENED,
        FactName.HAND_COMPLETED,
        FactName.HAND_VOIDED,
        FactName.HAND_ABANDONED,
        FactName.HAND_CORRECTED,
        FactName.SHOE_OPENED,
        FactName.SHOE_PROPOSED,
        FactName.SHOE_NAMED,
        FactName.SHOE_CLOSED,
        FactName.TABLE_OPENED,
        FactName.TABLE_CLOSED,
    }
)
# Incidents that begin a set time after the shoe last spoke, and so tell when the last card was taken.
FROM_THE_LAST_WORD = frozenset({"silence", NO_FRAMES})


def untimed(view: IncidentView) -> IncidentView:
    """Return an incident as those below surveillance may know it: not when within a hand it began."""
    dates_a_card = view.hand is not None or view.sentence.id.removeprefix("incident.") in FROM_THE_LAST_WORD
    return replace(view, since_utc_ns=None) if dates_a_card else view
