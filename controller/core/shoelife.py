"""The life of a shoe: burn, cut card, power-up, key, presets, its end and the next one."""

from __future__ import annotations

from controller.core.cards import DECK, Card
from controller.core.closing import set_aside
from controller.core.errors import again, end_errors, settle_carry
from controller.core.facts import Audience, FactName
from controller.core.profile import Burn, BurnTold, NewShoes
from controller.core.shoe import Shoe
from controller.core.signals import (
    BurnCardDrawn,
    CutCardOut,
    LockTurned,
    PoweredUp,
    PresetChanged,
    ShoeLoaded,
    ShoeOrdered,
)
from controller.core.stock import watch_count
from controller.core.table import Previous, Table, handles
from controller.core.watch import watch_face


@handles(BurnCardDrawn)
def burn_card_drawn(table: Table, burn: BurnCardDrawn) -> None:
    """A card of the burn group; its first card opens a new shoe where hands were dealt."""
    if burn.sets_count:
        if table.shoe.begun:
            propose_shoe(table)
        table.shoe.burn_first(burn.card)
    else:
        table.shoe.burn(burn.card)
    face_down = burn.card is not None and not burn.sets_count
    table.tell(
        FactName.BURN_CARD_SEEN,
        None,
        audience=Audience.SURVEILLANCE if face_down else Audience.PUBLIC,
        sets_count=burn.sets_count,
        left=burn.left,
        asked=table.shoe.burn_asked,
        card=burn.card,
    )
    if table.shoe.burn_short() == -1:
        table.raise_("burn-count", None, detail="more burn cards than the first asks for")
    watch_face(table, None, burn.card)
    watch_count(table, None)


def burns_by_count(table: Table) -> bool:
    """Whether the next card of a shoe that tells no burn is burnt: the first of a new shoe, and as many as it asks for.

    Rules.md C.4: the exposed card and that many more leave the shoe before the first hand.
    """
    house, shoe = table.house, table.shoe
    if house.burn_told is BurnTold.SHOE or house.burn is Burn.NONE or shoe.openings or table.hand is not None:
        return False
    return not shoe.faces or shoe.burn_short() > 0


def burn_by_count(table: Table, card: Card | None) -> None:
    """Take a card as the next one of the burn group; a first one that was not read asks for nobody knows how many."""
    first = not table.shoe.faces
    burn_card_drawn(table, BurnCardDrawn(first, 0 if first else table.shoe.burn_short() - 1, card))
    if table.shoe.burn_asked is None:
        table.raise_("burn-count", None, detail="the first burn card was not read")


@handles(CutCardOut)
def cut_card_out(table: Table, cut: CutCardOut) -> None:
    """The cut card showed (faults.md A 41)."""
    if table.deferring():
        return
    table.tell(FactName.CUT_CARD_SEEN, table.hand, audience=Audience.PUBLIC)
    table.shoe.cut()
    if table.hand is None:
        table.shoe.end_hand()


@handles(PoweredUp)
def powered_up(table: Table, powered: PoweredUp) -> None:
    """The shoe started: idle a note, after the cut card a new shoe, in mid-hand a question (faults.md A 10)."""
    end_errors(table)
    table.tell(FactName.POWERED_UP, table.hand, audience=Audience.PUBLIC)
    if table.hand is not None:
        if table.hand.called is None:
            again(table, table.hand, "powered-up")
            table.raise_("powered-up", table.hand)
        return
    table.gap = 0
    if table.shoe.cut_seen:
        propose_shoe(table)


@handles(ShoeLoaded)
def shoe_loaded(table: Table, loaded: ShoeLoaded) -> None:
    """Fresh cards: where some were dealt a new shoe, in mid-hand the question whose the next cards are (B 26)."""
    table.tell(FactName.SHOE_LOADED, table.hand, audience=Audience.PUBLIC, decks=loaded.decks)
    if table.hand is not None:
        powered_up(table, PoweredUp())
        return
    end_errors(table)
    table.gap = 0
    if table.shoe.begun:
        propose_shoe(table)


@handles(LockTurned)
def lock_turned(table: Table, lock: LockTurned) -> None:
    """The shoe's key was turned."""
    table.locked = lock.locked
    table.tell(FactName.LOCK_TURNED, table.hand, locked=lock.locked)


@handles(PresetChanged)
def preset_changed(table: Table, preset: PresetChanged) -> None:
    """A setting of the shoe was changed at the shoe (faults.md A 22)."""
    table.tell(FactName.PRESET_CHANGED, table.hand, address=preset.address, value=preset.value)
    kind = "preset-maintained" if table.maintained else "preset-changed"
    table.raise_(kind, table.hand, detail=f"{preset.address}={preset.value}", key=str(table.incident_count + 1))


@handles(ShoeOrdered)
def shoe_ordered(table: Table, ordered: ShoeOrdered) -> None:
    """A technician told the shoe something; what the shoe makes of it, it says itself."""
    table.tell(
        FactName.SHOE_ORDERED,
        table.hand,
        order=ordered.order,
        answer=ordered.stage,
        code=ordered.code,
        detail=ordered.detail,
        by=table.item.by,
    )


def propose_shoe(table: Table) -> None:
    """The wire shows a new shoe: it is opened, and where the house asks for that, a person confirms it first."""
    confirm = table.house.new_shoe is NewShoes.CONFIRM
    old = Previous(table.shoe.number, table.results, table.shoe.cut_seen)
    next_shoe(table)
    if confirm:
        table.previous = table.previous or old
        table.tell(FactName.SHOE_PROPOSED, None, audience=Audience.PUBLIC)
        table.hold("new-shoe")


def confirm_shoe(table: Table, *, serial: str = "") -> None:
    """A person has seen the new shoe: its roads begin."""
    table.previous = None
    name_shoe(table, serial)
    table.lift(None, frozenset(hold.id for hold in table.holds if hold.kind == "new-shoe"))


def name_shoe(table: Table, serial: str) -> None:
    """Write down the shoe's serial."""
    if serial:
        table.shoe.serial = serial
        table.tell(FactName.SHOE_NAMED, None, serial=serial, by=table.item.by)


def next_shoe(table: Table, *, stub: int | None = None) -> None:
    """Close the shoe's record and open the next one."""
    end_errors(table)
    while table.hand is not None:
        set_aside(table, table.hand)
        table.catch_up()  # what came after a power-up lay in this shoe still
    close_shoe(table, stub=stub)
    settle_carry(table)
    table.shoe = Shoe(table.shoe.number + 1, table.house)
    table.records = {}
    table.alarms = [alarm for alarm in table.alarms if not alarm.held]
    table.gap, table.missed, table.unplaced, table.keyed = 0, (), (), 0
    table.acknowledged = {}
    table.bets_closed = False
    table.tell(FactName.SHOE_OPENED, None, audience=Audience.PUBLIC)


def close_shoe(table: Table, *, stub: int | None) -> None:
    """State what left the shoe, and the difference to its decks where it is known: by the stub (faults.md A 43)."""
    shoe = table.shoe
    if shoe.closed:
        return
    shoe.closed = True
    shoe.end()
    out = len(shoe.faces)
    difference = -shoe.over or None if stub is None else shoe.size - out - stub
    table.tell(
        FactName.SHOE_CLOSED,
        None,
        audience=Audience.SURVEILLANCE,
        hands=len(table.records),
        cards_out=out,
        known=shoe.counts.total(),
        unknown=shoe.unknown,
        **({"unheard": shoe.unheard} if shoe.unheard else {}),
        burnt=shoe.burnt + (shoe.burn_asked is not None),
        off_game=shoe.off_game,
        stub=stub,
        difference=difference,
        impossible=tuple(str(card) for card in DECK if shoe.impossible(card)),
    )
    if difference:
        table.raise_("shoe-count", None, detail=str(difference))
