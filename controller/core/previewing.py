"""What would come of a command, found out on a copy of the table that knows no more than the players do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from controller.core.cards import NOT_SHOWN
from controller.core.facts import Audience, FactName, Irregularity
from controller.core.hand import Hand, Laid, Source
from controller.core.incidents import KINDS
from controller.core.inputs import Apply, BlindHands, Command, Input, ManualHand
from controller.core.offers import fitting
from controller.core.previewmoney import How, MoneyView, money_view
from controller.core.remedies.bets import bets_first, reopens
from controller.core.remedies.effects import CAUSES, FACE_UNKNOWN
from controller.core.rulings import closed, meant
from controller.core.showing import hold_view, public_view, result_view, seat_view, spot_view
from controller.core.snapshot import restore, taken
from controller.core.stock import too_few
from controller.core.table import Table
from controller.core.veiling import turned, unseen, veil
from controller.core.views import HoldView, PublicView, ResultView, SeatView, Side, SpotView

ENTERS = (ManualHand, BlindHands)
OPENER_SEEN = ("carried-seen", None)  # as a hand keeps it (rules.md C.5: such a card is burnt in most houses)


@dataclass(frozen=True, slots=True)
class CardView:
    """A card of a hand: its seat, its index there from 1, and what players know of it."""

    seat: str
    index: int
    spot: SpotView


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand of this shoe with its cards in drawing order; ``result`` is None while it is open.

    ``initial`` is how many cards every seat has at first, ``opener_seen`` whether players knew the card that opened it
    before the hand began.
    """

    ref: str
    number: int
    cards: tuple[CardView, ...]
    result: ResultView | None
    initial: int
    fits: tuple[str, ...] = ()  # what its holds point to, by the ids of the house's situations
    opener_seen: bool = False


@dataclass(frozen=True, slots=True)
class MoveView:
    """A card that a command puts elsewhere, as it lies before: its seat and index there and after.

    The seat is empty for a card that nobody was named for, ``to`` is hand, basket or next.
    """

    spot: SpotView
    seat: str
    index: int
    to: str
    to_seat: str = ""
    to_index: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """A kind of irregularity and the rules that it rests on."""

    kind: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a command would do. ``why`` is why it would be refused, empty where it would be taken.

    ``found`` is what the judge would say of the hand, ``seats`` how its cards would lie, ``result`` what would stand
    in the records, None while the hand would stay open; ``public`` is the table as it would be then. ``out`` are the
    hand's cards in the basket, ``carried`` the one that would open the next hand, ``moves`` where cards would go.
    ``amends`` is the rule by which bets would be open, ``bets_first`` says that cards are shown only when the remedy
    is given again, ``faces_decide`` that hidden faces say which card goes: it is told when they are shown. ``turned``
    says that hidden faces would be public then. ``money`` is what would move with it, None where the table keeps none.
    """

    why: str
    found: tuple[Irregularity, ...]
    seats: tuple[SeatView, ...]
    result: ResultView | None
    holds: tuple[HoldView, ...]
    public: PublicView
    out: tuple[SpotView, ...] = ()
    carried: SpotView | None = None
    moves: tuple[MoveView, ...] = ()
    amends: str = ""
    bets_first: bool = False
    faces_decide: bool = False
    turned: bool = False
    money: MoneyView | None = None

    @property
    def undecided(self) -> bool:
        """Whether hidden faces decide what follows, so that it is told when they are shown."""
        called = self.result is not None and self.result.call is not None
        return self.faces_decide or (self.turned and not called)

    @property
    def told(self) -> tuple[Told, ...]:
        """What the judge would say, each kind once whatever the seats that it was found at."""
        kinds = dict.fromkeys(found.kind for found in self.found)
        return tuple(Told(kind, self._rules(kind)) for kind in kinds)

    def _rules(self, kind: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(found.rule for found in self.found if found.kind == kind and found.rule))


def hand_views(table: Table) -> tuple[HandView, ...]:
    """Return the hands of this shoe that a person may still set right, the latest first."""
    waiting = [hand for hand in (table.hand, *reversed(table.unsettled.values())) if hand is not None]
    views = [
        HandView(
            hand.ref,
            hand.number,
            card_views(hand),
            None,
            table.game.initial,
            fitting(table.house, hand),
            OPENER_SEEN in hand.said,
        )
        for hand in waiting
    ]
    views += [
        HandView(
            record.hand.ref,
            record.hand.number,
            card_views(record.hand),
            result_view(table, record),
            table.game.initial,
        )
        for record in reversed(table.results)
    ]
    if too_few(table):  # none is open and none may begin: what the house does about that (IR-13, PBI-10)
        ends = tuple(one.id for one in table.house.situations.values() if "few-cards" in one.kinds)
        views.insert(0, HandView("", table.shoe.numbered + 1, (), None, table.game.initial, ends))
    return tuple(views)


def card_views(hand: Hand) -> tuple[CardView, ...]:
    """Return the cards of a hand in drawing order."""
    return tuple(CardView(laid.seat.value if laid.seat else "", laid.index, spot_view(laid)) for laid in hand.laid)


def preview(table: Table, item: Input, *, ident: str, name: str) -> Preview:
    """Apply a command to a copy of the table and say what came of it; the table itself stays as it is.

    The copy forgets what players do not know before it is asked: an answer that nobody recorded must not tell a face.
    """
    asked = item.what
    assert isinstance(asked, Command)
    copy = Table(replace(table.house, reason_needed=()), identifies=table.identifies)
    restore(copy, unseen(taken(table)))
    veil(copy, table)
    before = _cards(copy, asked.hand)
    hidden = {laid.spot for laid in before if laid.card in (None, NOT_SHOWN) and not laid.unread}
    bets = _bets(copy, asked)
    facts = copy.apply(item)
    why = next((str(dict(fact.data)["why"]) for fact in facts if fact.name is FactName.COMMAND_REJECTED), "")
    faces_decide = why == FACE_UNKNOWN and _has_the_faces(table, asked)
    hand, result = _after(copy, asked)
    shows, money = turned(copy), money_view(table, copy, facts, asked.hand)
    return Preview(
        why="" if faces_decide else why,
        found=tuple(_found(copy, hand, result, hidden)) if hand else (),
        seats=tuple(seat_view(copy, hand, seat) for seat in copy.game.seats),
        result=result,
        holds=tuple(hold_view(hold, hand) for hold in hand.holds) if hand and result is None else (),
        public=public_view(copy, ident=ident, name=name),
        out=tuple(map(spot_view, hand.out)) if hand else (),
        carried=_carried(copy),
        moves=tuple(_moves(copy, before, hand)) if hand else (),
        amends=bets[0],
        bets_first=bets[1],
        faces_decide=faces_decide,
        turned=shows,
        money=_by_turned(money) if shows and result is None else money,
    )


def _bets(table: Table, asked: Command) -> tuple[str, bool]:
    """Return the rule by which a remedy would open the bets, and whether it does no more than that at first."""
    hand = meant(table, asked.hand)
    if hand is None or not isinstance(asked.act, Apply) or asked.act.irregularity not in table.house.situations:
        return "", False
    return reopens(table, hand, asked.act), bets_first(table, hand, asked.act)


def _has_the_faces(table: Table, asked: Command) -> bool:
    """Whether the table itself could do what the copy lacked a face for; which face it is, is not said."""
    hand = meant(table, asked.hand)
    if hand is None or not isinstance(asked.act, Apply):
        return False
    return not isinstance(CAUSES[asked.act.remedy](table.game, hand, asked.act), str)


def _moves(table: Table, before: tuple[Laid, ...], hand: Hand) -> Iterator[MoveView]:
    """Yield the cards that lay elsewhere; a card is known by its place in the shoe."""
    after = {laid.place: laid for laid in hand.laid}
    gone = {laid.place for laid in hand.out}
    for laid in before:
        seat = laid.seat.value if laid.seat else ""
        now = after.get(laid.place)
        if now is not None and now.spot != laid.spot:
            yield MoveView(spot_view(laid), seat, laid.index, "hand", now.seat.value if now.seat else "", now.index)
        elif now is None and laid.place in gone:
            yield MoveView(spot_view(laid), seat, laid.index, "basket")
        elif now is None and table.carry and table.carry.place == laid.place:
            yield MoveView(spot_view(laid), seat, laid.index, "next")


def _carried(table: Table) -> SpotView | None:
    carry = table.carry
    if carry is None:
        return None
    known = carry.card if carry.seen and carry.card is not NOT_SHOWN else None
    return SpotView(Side.FACE if known else Side.BACK, known, carried=True)


def _by_turned(money: MoneyView | None) -> MoneyView | None:
    """Return what may move of a hand that its turned cards may end: the faces decide, where nothing else moves."""
    return MoneyView(How.HIDDEN) if money is not None and money == MoneyView(How.MOVED) else money


def _cards(table: Table, ref: str) -> tuple[Laid, ...]:
    hand = meant(table, ref)
    record = closed(table, ref)
    return hand.laid if hand else record.hand.laid if record else ()


def _after(table: Table, asked: Command) -> tuple[Hand | None, ResultView | None]:
    """Return the hand that was meant as it is now, and its result if it is closed."""
    if isinstance(asked.act, ENTERS):
        record = table.results[-1] if table.results else None
    elif (hand := meant(table, asked.hand)) is not None:
        return hand, None
    else:
        record = closed(table, asked.hand)
    return (record.hand, result_view(table, record)) if record else (None, None)


def _found(table: Table, hand: Hand, result: ResultView | None, hidden: set[Any]) -> Iterator[Irregularity]:
    """Yield what is wrong with the hand; that a face is hidden in this copy is nothing wrong."""
    if hand.source is Source.BLIND:
        return  # nobody knows its cards
    judged = hand.judged(table.game)
    over = hand.called is not None if result is None else result.call is not None
    every = hand.irregularities(table.game, judged.owed if over else ())
    if result and result.call and judged.result and result.call not in (judged.result, judged.counted):
        every = tuple(dict.fromkeys((*every, Irregularity("result-mismatch", None, table.game.sources.result))))
    for found in every:
        secret = KINDS[found.kind].audience is Audience.SURVEILLANCE
        if not secret and not (found.kind == "unread-card" and hidden):
            yield found
