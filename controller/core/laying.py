"""How cards are laid and their faces shown."""

from __future__ import annotations

from dataclasses import replace

from controller.core.banking import close_stakes
from controller.core.betting import watch_bets
from controller.core.cards import Card, Seat
from controller.core.closing import check_result, close_if_due, judge_cards, set_aside, unread
from controller.core.errors import again, end_errors, settle_carry
from controller.core.facts import Audience, FactName
from controller.core.hand import Hand, Laid, Spot
from controller.core.inputs import Sort
from controller.core.machine import Phase, Trigger
from controller.core.maintenance import end_with_a_hand
from controller.core.profile import Deal
from controller.core.shoe import Stage
from controller.core.shoelife import burn_by_count, burns_by_count
from controller.core.signals import CardCarried, CardDrawn, CardShown, Identifies
from controller.core.skipped import fill_gap, fill_skipped, lay_missed, missed_place, spot_of, voided_names
from controller.core.slides import watch_read
from controller.core.stock import at_hand, watch_count
from controller.core.table import Carry, Table, handles
from controller.core.watch import watch_face


@handles(CardDrawn)
def card_drawn(table: Table, drawn: CardDrawn) -> None:
    """A card for the game left the shoe."""
    if table.deferring():
        return
    if burns_by_count(table):
        burn_by_count(table, drawn.card)
        return
    _make_room(table, drawn.seat, drawn.index)
    _lay_kept(table, drawn)
    settle_carry(table)
    hand = _open(table)
    if drawn.seat is None or table.counts_anew:
        hand = lay_missed(table, hand)
    spot = _felt(table, hand, spot_of(table, hand, drawn.seat, drawn.index))
    close_stakes(table, table.current(hand))  # again where a ruling had opened them
    watch_read(table, table.current(hand), drawn)
    place = table.shoe.take(drawn.card)
    hidden_in_open_mode = drawn.card is None and table.identifies is Identifies.AT_DRAW
    laid = Laid(
        *spot,
        place=place,
        card=drawn.card,
        exposed=_public(table, hand) or hand.taker is not None,
        unread=drawn.unread or hidden_in_open_mode,
        wire=_wire(drawn, spot),
    )
    if spot[0] is not None and hand.at(spot) is not None:
        _second_card(table, hand, laid)
        return
    if drawn.seat is not None:  # a place that the game's order alone gives proves nothing of the places before it
        fill_skipped(table, fill_gap(table, table.current(hand), laid), laid)
    lay(table, laid)


@handles(CardCarried)
def card_carried(table: Table, carried: CardCarried) -> None:
    """The overdrawn card of the last hand opens this one; it was counted out of the shoe when it was drawn."""
    if table.deferring():
        return
    _make_room(table, carried.seat, carried.index)
    hand = _open(table)
    carry, later = table.carry, table.kept
    table.carries(*later)
    if carry is None:
        table.raise_("error-anomaly", hand, detail="carried card without an overdraw", key="carry")
    else:
        _point_out(table, carry)
        hand = table.current(hand)
    place = carry.place if carry else table.shoe.take(carried.card)
    card = carried.card or (carry.card if carry else None)
    if carry and carried.card:
        table.shoe.identify(place, carried.card)
    spot = spot_of(table, hand, carried.seat, carried.index)
    wire = _wire(carried, spot)
    exposed = _public(table, hand) or (carry is not None and carry.seen)
    laid = Laid(*spot, place=place, card=card, exposed=exposed, carried=True, wire=wire)
    if hand.at(spot) is not None:
        _second_card(table, hand, laid)
        return
    lay(table, laid)


@handles(CardShown)
def card_shown(table: Table, shown: CardShown) -> None:
    """The face of a card drawn earlier: for players the reveal."""
    if table.deferring():
        return
    end_errors(table)
    hand = table.hand
    if hand is None:
        table.raise_("error-anomaly", None, detail=f"face without a card: {shown.seat.value} {shown.index}", key="face")
        return
    laid = hand.on_wire((shown.seat, shown.index)) or _unheard(table, hand, shown)
    hand = table.current(hand)
    if laid.card is not None and shown.card is not None and laid.card != shown.card:
        table.raise_("wrong-slot", hand, seat=shown.seat, key=str(shown.index), detail=str(shown.card))
        hand = table.current(hand)
        show(table, hand, laid, laid.card)
        return
    show(table, hand, laid, shown.card)


def _unheard(table: Table, hand: Hand, shown: CardShown) -> Laid:
    """A face whose card was never told of: the card is out all the same, and what else was lost nobody knows."""
    place = missed_place(table, None)
    laid = Laid(shown.seat, shown.index, place, card=None, exposed=False)
    table.gap = max(0, table.gap - 1)
    table.rewrite(hand.recovering(laid, table.game))
    again(table, hand, table.gap_kind)
    table.raise_(table.gap_kind, hand)
    watch_count(table, hand)
    table.tell(FactName.CARD_DRAWN, hand, audience=Audience.PUBLIC, seat=laid.seat, index=laid.index, card=None)
    return laid


def show(table: Table, hand: Hand, laid: Laid, card: Card | None, *, keyed: str = "") -> None:
    """Make a face public; ``keyed`` names the person where it was keyed by hand."""
    same_shoe = hand.shoe == table.shoe.number
    if same_shoe and (card is not None or laid.card is None):
        table.shoe.identify(laid.place, card)
    face = laid.faced(card or laid.card, keyed=bool(keyed))
    table.rewrite(hand.with_face(laid, face))
    name = FactName.CARD_KEYED if keyed else FactName.CARD_SHOWN
    extra = {"by": keyed} if keyed else {}
    table.tell(name, hand, audience=Audience.PUBLIC, seat=face.seat, index=face.index, card=face.card, **extra)
    if face.unread:
        unread(table, hand, face)
    if same_shoe:
        watch_face(table, hand, face.card)
    judge_cards(table, hand)
    if hand.called is not None:
        check_result(table, table.current(hand))
    if hand.ref not in table.unsettled:
        table.move(Trigger.SHOW)
    close_if_due(table)


def lay(table: Table, laid: Laid) -> None:
    """Lay a card and let judge and machine say what follows."""
    assert table.hand is not None
    hand = table.hand if laid.keyed else fill_gap(table, table.hand, laid)
    complete = table.phase is Phase.COMPLETE
    laying = hand.recovering(laid, table.game) if laid.keyed else hand.with_card(laid)
    if table.game.asks_taker and len(laying.laid) > laying.dealt_out(table.game):
        laying = replace(laying, taker=None)
        laying = laying.taking(table.game, tuple(one.seat for one in laying.thirds(table.game)))
    table.rewrite(laying)
    table.tell(
        FactName.CARD_DRAWN,
        hand,
        audience=Audience.PUBLIC if laid.exposed else Audience.SURVEILLANCE,
        seat=laid.seat,
        index=laid.index,
        card=laid.card,
        **({"carried": True} if laid.carried else {}),
    )
    if laid.unread:
        unread(table, hand, next(one for one in laying.laid if one.place == laid.place))
    watch_face(table, hand, laid.card if laid.exposed else None, known=laid.card)
    watch_count(table, hand)
    judge_cards(table, hand)
    if complete and table.phase is Phase.COMPLETE:  # more of a kind that a person let stand
        again(table, table.current(hand), "extra-card", laid.seat)
        table.raise_("extra-card", hand, seat=laid.seat, rule=table.game.sources.most_cards)
    table.move(Trigger.LAY)
    close_if_due(table)


def _lay_kept(table: Table, drawn: CardDrawn) -> None:
    """Open the hand with the cards kept for it, where the shoe names no spots and so cannot say it itself."""
    if table.hand is None and drawn.seat is None:
        lay_carried(table)


def lay_whole_deal(table: Table) -> None:
    """Open the next hand where a whole deal was kept for it: it lies out and waits for no further card."""
    if table.hand is None and len(table.carried) >= len(table.game.deal):
        lay_carried(table)


def lay_carried(table: Table) -> None:
    """Open the next hand with the cards that were kept for it; once seen a card stays known (rules.md C.4)."""
    while table.carried:
        carry, *later = table.carried
        hand = _open(table)
        table.carries(*later)
        _point_out(table, carry)
        spot = spot_of(table, table.current(hand), None, None)
        exposed = carry.seen or _public(table, hand)
        lay(table, Laid(*spot, place=carry.place, card=carry.card, exposed=exposed, carried=True))


def _point_out(table: Table, carry: Carry) -> None:
    """Say that players know the card which opens the hand: most houses burn such a card (rules.md C.5)."""
    if carry.seen and table.hand is not None:
        table.raise_("carried-seen", table.hand, detail=str(carry.card or ""))


def lay_again(table: Table, laid: Laid) -> None:
    """Lay a card that was taken for one of the hand before; it was counted out of the shoe when it was drawn."""
    hand = _open(table, laid)
    _point_out(table, Carry(laid.place, laid.card, laid.exposed))
    hand = table.current(hand)
    seat, index = spot_of(table, hand, None, None)
    exposed = laid.exposed or _public(table, hand)
    lay(table, replace(laid, seat=seat, index=index, exposed=exposed, carried=True, wire=None, inferred=False))


def lay_drawn_again(table: Table, laid: Laid) -> None:
    """Lay a card that opened the next hand by mistake as one drawn in the open hand."""
    assert table.hand is not None
    hand = table.hand
    seat, index = spot_of(table, hand, None, None)
    exposed = _public(table, hand) or hand.taker is not None
    lay(table, replace(laid, seat=seat, index=index, exposed=exposed, wire=None, inferred=False))


def lay_turned(table: Table, laid: Laid) -> None:
    """Lay a card that came face down behind the deal: on the seat that draws, or as the first of the next hand."""
    begins = table.hand is None
    hand = _open(table, laid)
    seat, index = spot_of(table, hand, None, None)
    lay(table, replace(laid, seat=seat, index=index, exposed=_public(table, hand), carried=begins))


def _make_room(table: Table, seat: Seat | None, index: int | None) -> None:
    """The first spot named again, or a card after the hand was ended, means a next hand: the open one is set aside."""
    hand, first = table.hand, table.game.deal[0]
    if hand is None:
        return
    named_first = not table.counts_anew and (seat, index) == (first, 1)
    if hand.ended or (named_first and _begun(table, hand)):
        set_aside(table, hand)


def _begun(table: Table, hand: Hand) -> bool:
    """Whether a first spot named now is another hand's."""
    named = hand.at((table.game.deal[0], 1)) is not None
    return named or bool(hand.laid and voided_names(table, hand))


def _open(table: Table, *out: Laid) -> Hand:
    """Open a hand where none is; ``out`` are cards of it that are out of the shoe and on their way."""
    if table.hand is not None:
        return table.hand
    shoe, few = table.shoe, at_hand(table) + len(out)
    late = shoe.stage is Stage.FINISHED
    short = shoe.burn_short() if not shoe.openings else 0
    shoe.begin_hand()
    table.hand = hand = Hand(shoe.number, shoe.openings, shoe.numbered + 1, sort=table.next_sort)
    table.next_sort = Sort.NORMAL
    table.tell(FactName.HAND_OPENED, hand, audience=Audience.PUBLIC)
    if not table.day.open:
        table.raise_("table-closed", hand)
    end_with_a_hand(table)
    watch_bets(table, hand)
    if late:
        table.raise_("late-hand", hand)
    close_stakes(table, table.current(hand))
    if short:
        table.raise_("burn-count", hand, detail=f"{abs(short)} burn card(s) {'missing' if short > 0 else 'too many'}")
    if few < table.house.fewest_cards:
        table.raise_("few-cards", hand, detail=str(few))
    elif not shoe.cut_seen and shoe.left < table.house.cut_card_by:
        table.raise_("no-cut-card", hand, detail=str(shoe.left))
    return table.current(hand)


def _public(table: Table, hand: Hand) -> bool:
    return table.house.deal is Deal.FACE_UP or hand.turned


def _wire(drawn: CardDrawn | CardCarried, spot: tuple[Seat | None, int]) -> tuple[Seat | None, int] | None:
    named = (drawn.seat, drawn.index or 0)
    return named if drawn.seat is not None and named != spot else None


def _felt(table: Table, hand: Hand, named: Spot) -> Spot:
    """Return where a card lies whose named spot a person gave to one that the shoe had named otherwise."""
    taken = hand.at(named)
    moved = named[0] is not None and taken is not None and taken.wire is not None and not table.counts_anew
    return spot_of(table, hand, None, None) if moved and hand.on_wire(named) is None else named


def _second_card(table: Table, hand: Hand, laid: Laid) -> None:
    """A card for a filled spot: the first stays, the second is told and waits (faults.md A 37)."""
    face = laid.card if laid.exposed else None
    table.tell(FactName.OFF_GAME_CARD_SEEN, hand, mode="second-card", card=face)
    table.raise_("wrong-slot", hand, seat=laid.seat, key=str(laid.index), detail=str(face or ""))
    watch_count(table, hand)
