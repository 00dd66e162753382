"""From a table to what players may know of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from controller.core.betting import open_for_bets
from controller.core.cards import NOT_SHOWN, Seat
from controller.core.closing import seat_points
from controller.core.deciding import may_close, openers, taker_of, takers, takes_back
from controller.core.facts import Audience
from controller.core.games import Game
from controller.core.hand import Hand, Hold, Laid, pairs_of
from controller.core.incidents import KINDS
from controller.core.inputs import Sort
from controller.core.maintenance import offered
from controller.core.profile import VoidMark
from controller.core.prompts import GAPS, prompt
from controller.core.roads import LETTERS, VOID, Roads, bead_plate, roads_of
from controller.core.settling import ASKS
from controller.core.showbank import bank_view
from controller.core.signals import Call, Pairs
from controller.core.stock import stage, too_few
from controller.core.table import Link, Record, Table
from controller.core.views import (
    Counts,
    HoldView,
    PublicView,
    ResultView,
    SeatView,
    Sentence,
    Side,
    SideCounts,
    SpotView,
    UnsettledView,
)

ROAD_CALLS = (Call.PLAYER, Call.PUNTER, Call.BANKER, Call.TIE)  # where one side plays against the bank


def public_view(table: Table, *, ident: str, name: str, recording: str | None = None) -> PublicView:
    """Return what players and dealer may see; ``recording`` is why nothing can be recorded, None while it can."""
    hand = table.hand
    shown = hand or (table.results[-1].hand if table.results else None)
    previous = table.previous
    shoe, records = (previous.shoe, previous.results) if previous else (table.shoe.number, table.results)
    results = tuple(result_view(table, record) for record in records)
    return PublicView(
        table=ident,
        name=name,
        seats=tuple(seat_view(table, shown, seat) for seat in table.game.seats),
        phase=table.phase.value,
        link=_link_word(table),
        link_sentence=_link_sentence(table),
        link_level=table.link_level.value if table.link_level else "",
        recording=recording is None,
        stage=stage(table).value,
        shoe=shoe,
        hand=hand.number if hand else None,
        hand_ref=shown.ref if shown else "",
        prompt=prompt(table),
        holds=(*(hold_view(hold, hand) for hold in (hand.holds if hand else ())), *map(standing, table.holds)),
        acts=acts(table),
        carried_pending=table.carry is not None,
        result=results[-1] if results else None,
        results=results,
        counts=counts(records, results),
        roads=board(results),
        unsettled=tuple(
            UnsettledView(
                one.number,
                one.ref,
                tuple(hold_view(hold, one) for hold in one.holds),
                takers(table, one),
                taker_of(table.game, one),
                takes_back(table, one),
            )
            for one in table.unsettled.values()
        ),
        sort=(hand.sort if hand else table.next_sort).value,
        burn_left=burn_left(table),
        proposed=table.previous is not None,
        open=table.day.open,
        game=table.game,
        takers=takers(table, hand) if hand else (),
        taker_of=taker_of(table.game, hand) if hand else None,
        takes_back=takes_back(table, hand) if hand else False,
        openers=openers(table),
        loose=tuple(spot_view(laid) for laid in hand.waiting(table.game)) if hand else (),
        sides=side_counts(table.game, records, results),
        bank=bank_view(table),
    )


def burn_left(table: Table) -> int | None:
    """Return how many burn cards are still to come before the first hand; None where nobody counts them."""
    if table.shoe.openings or table.shoe.burn_asked is None:
        return None
    return max(table.shoe.burn_short(), 0)


def seat_view(table: Table, hand: Hand | None, seat: Seat) -> SeatView:
    """Return the spots of a seat; points only when each face is public."""
    if hand is None:
        return SeatView(seat, (), None)
    mine = tuple(laid for laid in hand.laid if laid.seat is seat)
    points = seat_points(table, hand, seat)
    natural = points is not None and len(mine) == table.game.initial and points >= table.game.natural
    return SeatView(seat, tuple(spot_view(laid) for laid in mine), points, natural)


def spot_view(laid: Laid) -> SpotView:
    """Return a card as it lies."""
    if laid.card not in (None, NOT_SHOWN) and laid.exposed:
        return SpotView(Side.FACE, laid.card, laid.keyed, laid.carried)
    return SpotView(Side.UNREAD if laid.unread else Side.BACK, None, laid.keyed, laid.carried)


def hold_view(hold: Hold, hand: Hand | None) -> HoldView:
    """Return why a hand waits, without what only surveillance may know."""
    blanks: tuple[tuple[str, str], ...] = (("seat", hold.seat.value),) if hold.seat else ()
    if hold.kind == "result-mismatch":
        called = hand.called.call.value if hand and hand.called else "other"
        blanks = (*blanks, ("result", called))
    if KINDS[hold.kind].audience is Audience.SURVEILLANCE:
        return HoldView(hold.id, Sentence("prompt.wait-supervisor"), hold.person)
    return HoldView(hold.id, Sentence(f"hold.{hold.kind}", blanks, hold.rule), hold.person)


def standing(hold: Hold) -> HoldView:
    """Return why the table waits, whatever hand is dealt: what was lost between two hands is told as that."""
    if hold.kind in GAPS:
        return HoldView(hold.id, Sentence("hold.gap-between-hands"), hold.person)
    return hold_view(hold, None)


def acts(table: Table) -> tuple[str, ...]:
    """Return the kinds of command that would be taken now."""
    hand = table.hand
    day = ("on_duty", *(("open_table",) if not (table.day.open and table.day.day) else ()))
    day = ("close_bets", *day) if open_for_bets(table) else day
    if hand is None:
        return (*_between_hands(table), *day)
    dealt_out = len(hand.laid) >= hand.dealt_out(table.game)
    hidden = dealt_out and any(laid.card and not laid.exposed for laid in hand.laid)
    kinds = {hold.kind for hold in hand.holds}
    if "powered-up" in kinds:
        return ("rest_of_hand", "new_hand", "void", *day)
    consent = ("accept",) if (kinds or table.holds) and not kinds & ASKS else ()
    held = (*consent, *(("correct", "key_card") if kinds else ()))
    laid = ("relay", "apply") if hand.laid else ()
    turned = hidden if not table.game.asks_taker else may_close(table)
    return (*(("turned",) if turned else ()), *_deciding(table, hand), *held, "void", *laid, "mark_hand", *day)


def _deciding(table: Table, hand: Hand) -> Iterator[str]:
    """Yield what only people can tell where they decide."""
    if takers(table, hand):
        yield "takes"
    if openers(table):
        yield "opened_next"


def _between_hands(table: Table) -> Iterator[str]:
    """Yield what can be done while no hand is open."""
    if table.previous is not None:
        yield from ("new_shoe", "mark_hand")
        return
    if table.records:
        yield from ("correct", "void")
        if table.results[-1].hand.laid:
            yield "relay"
    if table.holds:
        yield "accept"
    if too_few(table):
        yield "apply"
    if table.shoe.faces or table.shoe.openings:
        yield "new_shoe"
    if table.shoe.faces and not table.shoe.closed:
        yield "close_shoe"
    yield from ("mark_hand",) if table.shoe.closed else ("manual_hand", "blind_hands", "mark_hand")
    yield from offered(table)
    if table.day.open and not table.unsettled:
        yield "close_table"


def counts(records: tuple[Record, ...], results: tuple[ResultView, ...]) -> Counts:
    """Count what the board counts; a void hand counts for nothing."""
    both = zip(records, results, strict=True)
    lawful = [(record, view) for record, view in both if not record.void and on_board(view)]
    return Counts(
        player=sum(view.call in (Call.PLAYER, Call.PUNTER) for _, view in lawful),
        banker=sum(view.call is Call.BANKER for _, view in lawful),
        tie=sum(view.call is Call.TIE for _, view in lawful),
        player_pair=sum(view.pairs in (Pairs.PLAYER, Pairs.BOTH) for _, view in lawful),
        banker_pair=sum(view.pairs in (Pairs.BANKER, Pairs.BOTH) for _, view in lawful),
        natural=sum(view.natural for _, view in lawful),
    )


def side_counts(game: Game, records: tuple[Record, ...], results: tuple[ResultView, ...]) -> tuple[SideCounts, ...]:
    """Count for each side that plays against the bank apart; a hand that it refused counts for nothing."""
    both = zip(records, results, strict=True)
    calls = [view.call for record, view in both if view.call and not record.void and on_board(view)]
    lists = [call.winners for call in calls if len(call.winners) == len(game.sides)]
    return tuple(
        SideCounts(side, *([won[at] for won in lists].count(name) for name in (side.value, game.bank.value, "tie")))
        for at, side in enumerate(game.sides)
    )


def on_board(view: ResultView) -> bool:
    """Whether a hand stands on the board: free and demonstration hands do not."""
    return view.sort == Sort.NORMAL.value


def result_view(table: Table, record: Record) -> ResultView:
    """Return a closed hand as players may know it."""
    hand = record.hand
    seats = table.game.seats
    views = [seat_view(table, hand, seat) for seat in seats]
    return ResultView(
        number=hand.number,
        call=record.outcome,
        points=tuple(view.points for view in views),
        natural=any(view.natural for view in views),
        pairs=pairs_seen(table, hand),
        corrected=bool(record.corrected_by),
        sort=hand.sort.value,
        source=hand.source.value,
        marked=record.void and table.house.void_mark is VoidMark.BEAD,
    )


def pairs_seen(table: Table, hand: Hand) -> Pairs | None:
    """Return which sides hold a pair; None while a face is not known."""
    pairs = pairs_of(hand, table.game)
    player, banker = pairs.get(Seat.PLAYER), pairs.get(Seat.BANKER)
    if player is None or banker is None:
        return None
    return {(False, False): Pairs.NONE, (True, False): Pairs.PLAYER, (False, True): Pairs.BANKER}.get(
        (player, banker), Pairs.BOTH
    )


def board(results: tuple[ResultView, ...]) -> Roads:
    """Return the roads of the closed hands; a void one adds nothing but the house's mark of it (rules.md part D)."""
    shown = beads(results)
    played = [view.call for view in shown if view.call in ROAD_CALLS]
    roads = roads_of(played)
    if len(played) == len(shown):
        return roads
    return replace(roads, bead=bead_plate(VOID if view.call is None else LETTERS[view.call] for view in shown))


def beads(results: Iterable[ResultView]) -> tuple[ResultView, ...]:
    """Return the hands that have a bead where one side plays against the bank."""
    return tuple(view for view in results if on_board(view) and (view.marked or view.call in ROAD_CALLS))


def _link_word(table: Table) -> str:
    """Return live, syncing or not-live; an open port that brings no shoe is not live."""
    deaf = table.link is Link.SYNCING and table.link_reason == "no-frames"
    return Link.NOT_LIVE.value if deaf or table.link is Link.CLOSED else table.link.value


def _link_sentence(table: Table) -> Sentence | None:
    match table.link:
        case Link.LIVE if not table.link_reason:
            return None
        case Link.LIVE | Link.SYNCING if table.link_reason == "silent":
            return Sentence("link.silent")
        case Link.SYNCING if table.link_reason == "no-frames":
            return Sentence("link.no-frames")
        case Link.SYNCING:
            return Sentence("link.opening")
        case _:
            why = table.link_why.value if table.link_why else "lost"
            return Sentence(f"link.{why}", (("detail", table.link_reason),))
