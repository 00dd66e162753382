"""What a person does around the hands: incidents seen, shoes closed and opened."""

from __future__ import annotations

from controller.core.facts import FactName
from controller.core.inputs import Acknowledge, CloseShoe, Command, NewShoe
from controller.core.rulings import Effect, rules
from controller.core.shoelife import close_shoe, next_shoe
from controller.core.table import Table


@rules(Acknowledge)
def ruling_acknowledge(table: Table, act: Acknowledge, asked: Command) -> Effect | str:
    """Take an incident off the list of open ones; the journal keeps it."""
    incident = table.incidents.get(act.incident)
    if incident is None:
        return "unknown-incident"

    def effect() -> None:
        del table.incidents[act.incident]
        table.tell(
            FactName.INCIDENT_ACKNOWLEDGED,
            None,
            id=incident.id,
            kind=incident.kind,
            of=incident.hand,
            by=table.item.by,
            note=act.note,
        )

    return effect


@rules(CloseShoe)
def ruling_close_shoe(table: Table, act: CloseShoe, asked: Command) -> Effect | str:
    """Finish the shoe, with the stub if it was counted."""
    if table.hand is not None:
        return "not-now"
    if table.shoe.closed:
        return "nothing-to-do"
    return lambda: close_shoe(table, stub=act.stub)


@rules(NewShoe)
def ruling_new_shoe(table: Table, act: NewShoe, asked: Command) -> Effect | str:
    """Begin the next shoe's record."""
    if table.hand is not None:
        return "not-now"
    if not table.shoe.faces:
        return "nothing-to-do"
    return lambda: next_shoe(table)
