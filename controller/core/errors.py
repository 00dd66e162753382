"""What the shoe reports of itself: errors, overdraws and cards outside the game."""

from __future__ import annotations

from dataclasses import replace

from controller.core.cards import Card, Seat
from controller.core.facts import Audience, Disposal, FactName
from controller.core.hand import Hand
from controller.core.profile import Deal
from controller.core.signals import (
    ErrorCleared,
    ErrorRaised,
    Fault,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
)
from controller.core.slides import incident_of
from controller.core.stock import watch_count
from controller.core.table import Carry, Overdraw, Table, handles
from controller.core.watch import watch_face

KIND_OF_FAULT = {
    Fault.CANNOT_READ: "cannot-read",
    Fault.OVERDRAW: "overdraw",
    Fault.WRONG_BUTTON: "wrong-button",
    Fault.REVERSE_AT_EXIT: "reverse-run",
    Fault.REVERSE_MIDWAY: "reverse-run",
    Fault.CARD_CODE: "card-code",
    Fault.DRAW_TIMEOUT: "draw-timeout",
    Fault.DOOR_OPEN: "door-open",
    Fault.MOVED: "shoe-moved",
    Fault.UNKNOWN: "unknown-error",
}


@handles(ErrorRaised)
def error_raised(table: Table, raised: ErrorRaised) -> None:
    """The shoe reports an error; state follows its last word (faults.md A 12-19)."""
    if raised.fault is Fault.OVERDRAW and table.deferring():
        return
    kind = KIND_OF_FAULT[raised.fault]
    hand = table.hand
    table.tell(FactName.SHOE_ERROR_RAISED, hand, error=raised.fault, code=raised.code, error_mode=raised.error_mode)
    if kind in table.errors:
        table.raise_("error-anomaly", hand, detail=f"{kind} raised twice", key=kind)
    table.errors[kind] = raised.code
    if raised.fault is Fault.OVERDRAW:
        table.overdraw = Overdraw()
        table.tell(FactName.OVERDRAW_RAISED, hand, audience=Audience.PUBLIC)
        again(table, hand, kind)
    key = "" if kind == "overdraw" else str(table.incident_count + 1)
    table.raise_(incident_of(table, kind), hand, rule="", detail=str(raised.code), key=key)


def again(table: Table, hand: Hand | None, kind: str, seat: Seat | None = None) -> None:
    """Let a kind be raised once more in the same hand."""
    if hand is not None:
        table.rewrite(replace(table.current(hand), said=table.current(hand).said - {(kind, seat)}))


@handles(ErrorCleared)
def error_cleared(table: Table, cleared: ErrorCleared) -> None:
    """The shoe ended an error; the end of an overdraw ends every other one too (wire-formats.md 1.1)."""
    if cleared.fault is Fault.OVERDRAW and table.deferring():
        return
    kind = KIND_OF_FAULT[cleared.fault]
    hand = table.hand
    table.tell(FactName.SHOE_ERROR_CLEARED, hand, error=cleared.fault, code=cleared.code)
    if kind not in table.errors:
        table.raise_("error-anomaly", hand, detail=f"{kind} cleared but not open", key=kind)
        return
    if kind == "overdraw":
        assert table.overdraw is not None
        end_errors(table, Disposal.WITHDRAWN if table.overdraw.shown else _kept(table.overdraw))
        return
    del table.errors[kind]
    _lift_kind(table, kind)


def _kept(overdraw: Overdraw) -> Disposal:
    """An ended overdraw with a card out and none shown: the card opens the next hand."""
    return Disposal.CARRIED if overdraw.places else Disposal.UNKNOWN


def end_errors(table: Table, disposal: Disposal | None = None) -> None:
    """End every open error: done by an overdraw's end and by the next I, G, P or S."""
    if table.overdraw is not None:
        _settle_overdraw(table, disposal)
    for kind in list(table.errors):
        del table.errors[kind]
        _lift_kind(table, kind)


def _settle_overdraw(table: Table, disposal: Disposal | None) -> None:
    overdraw, table.overdraw = table.overdraw, None
    assert overdraw is not None
    disposal = disposal or (Disposal.WITHDRAWN if overdraw.shown else Disposal.UNKNOWN)
    card = table.shoe.faces[overdraw.places[-1]] if overdraw.places else None
    if disposal is Disposal.CARRIED:
        table.carries(Carry(overdraw.places[-1], card, overdraw.shown))
    hand = table.hand
    if hand is not None:
        table.rewrite(_disposed(hand, disposal))
    table.tell(
        FactName.OVERDRAW_SETTLED,
        hand,
        audience=Audience.PUBLIC,
        disposal=disposal,
        card=card if overdraw.shown else None,
    )


def _disposed(hand: Hand, disposal: Disposal) -> Hand:
    """Write what became of the card into the hand's overdraw."""
    noted = tuple(
        replace(found, irregularity=replace(found.irregularity, disposal=disposal))
        if found.irregularity.kind == "overdraw" and found.irregularity.disposal is None
        else found
        for found in hand.noted
    )
    return replace(hand, noted=noted)


def _lift_kind(table: Table, kind: str) -> None:
    """Lift the holds that this error opened, on whichever hand they stand."""
    for hand in (table.hand, *table.unsettled.values()):
        if hand is not None:
            table.lift(hand, frozenset(hold.id for hold in table.current(hand).holds if hold.kind == kind))
    table.lift(None, frozenset(hold.id for hold in table.holds if hold.kind == kind))


def settle_carry(table: Table) -> None:
    """A hand opens without the card kept for it: say so once."""
    if table.carry is not None and table.hand is None:
        table.carries()
        table.raise_("carry-unused", None)


@handles(OffGameCardDrawn)
def off_game_card_drawn(table: Table, drawn: OffGameCardDrawn) -> None:
    """A card outside the game: an overdraw's own card, or one that is counted out of the shoe and told."""
    if table.deferring():
        return
    place = table.shoe.take(drawn.card)
    watch_count(table, table.hand)
    audience = _who(table, drawn.card)
    table.tell(
        FactName.OFF_GAME_CARD_SEEN, table.hand, audience=audience, mode=drawn.mode, code=drawn.code, card=drawn.card
    )
    if table.overdraw is not None:
        table.overdraw.places.append(place)
        return
    table.shoe.off_game += 1
    table.shoe.last_off_game = place
    kind = "card-while-locked" if drawn.mode is OffGameMode.LOCK or table.locked else "off-game-card"
    table.raise_(kind, table.hand, detail=drawn.mode.value, key=str(place))


def _who(table: Table, card: Card | None) -> Audience:
    """A card that is dealt face down may lie face down outside the game too, or open the next hand."""
    return Audience.SURVEILLANCE if card and table.house.deal is Deal.FACE_DOWN else Audience.PIT


@handles(OffGameCardShown)
def off_game_card_shown(table: Table, shown: OffGameCardShown) -> None:
    """The face of a card that is taken out."""
    if table.deferring():
        return
    place = table.shoe.last_off_game
    if table.overdraw is not None:
        if not table.overdraw.places:
            table.overdraw.places.append(table.shoe.take(None))
        table.overdraw.shown = True
        table.shoe.off_game += 1
        place = table.overdraw.places[-1]
    if place is None:
        table.raise_("error-anomaly", table.hand, detail="face of a card that was not drawn", key="off-game-face")
        return
    table.shoe.identify(place, shown.card)
    table.tell(FactName.OFF_GAME_CARD_SEEN, table.hand, mode="shown", card=shown.card)
    watch_face(table, None, shown.card)
