"""From views to what programs get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Literal, cast

from controller.api import bankmodels, models
from controller.catalogue import Catalogue
from controller.core.cards import Seat
from controller.core.roads import Answer, Roads
from controller.core.views import (
    BankView,
    HoldView,
    IncidentView,
    PitView,
    PublicView,
    ResultView,
    SeatView,
    Sentence,
    SpotView,
    SurveillanceView,
    UnsettledView,
)
from controller.core.words import iso
from controller.recall.clock import untimed

Sort = Literal["normal", "free", "demonstration"]
Link = Literal["live", "syncing", "not-live", "closed"]
LinkLevel = Literal["unauthenticated", "authentic"]
Level = Literal["alert", "notice"]
Side = Literal["punter", "right", "left"]
OF_BANK = frozenset({"holders", "claim", "stakes"})  # what the bank has in a form of its own


class Shaper:
    """Makes answers whose sentences are of one catalogue."""

    def __init__(self, words: Catalogue) -> None:
        self._words = words

    def said(self, sentence: Sentence) -> models.Said:
        """Return a sentence."""
        return models.Said(id=sentence.id, text=self._words.text(sentence), rule=sentence.rule)

    def table(self, view: PublicView) -> models.TableState:
        """Return what everybody at the table may know."""
        return self._table(view if view.recording else halted(view))

    def _table(self, view: PublicView) -> models.TableState:
        return models.TableState(
            table=view.table,
            name=view.name,
            open=view.open,
            link=cast("Link", view.link),
            link_sentence=self.said(view.link_sentence) if view.link_sentence else None,
            link_level=cast("LinkLevel", view.link_level) if view.link_level else None,
            recording=view.recording,
            phase=view.phase,
            hand=view.hand,
            hand_ref=view.hand_ref,
            sort=cast("Sort", view.sort),
            prompt=self.said(view.prompt),
            seats=seats(view.seats),
            loose=tuple(map(spot, view.loose)),
            takers=named(view.takers),
            taker_of=taker_of(view),
            openers=view.openers,
            holds=self._holds(view.holds),
            unsettled=tuple(map(self._unsettled, view.unsettled)),
            acts=view.acts,
            carried_pending=view.carried_pending,
            burn_left=view.burn_left,
            bank=bank(view.bank) if view.bank else None,
            shoe=shoe(view),
        )

    def _unsettled(self, view: UnsettledView) -> models.Unsettled:
        return models.Unsettled(
            hand=view.hand,
            hand_ref=view.hand_ref,
            holds=self._holds(view.holds),
            takers=named(view.takers),
            taker_of=taker_of(view),
        )

    def _holds(self, holds: Iterable[HoldView]) -> tuple[models.Hold, ...]:
        return tuple(
            models.Hold(id=hold.id, sentence=self.said(hold.sentence), waits_for_person=hold.waits_for_person)
            for hold in holds
        )

    def incident(self, view: IncidentView) -> models.Incident:
        """Return an incident."""
        return models.Incident(
            id=view.id,
            table=view.table,
            shoe=view.shoe,
            hand=view.hand,
            level=cast("Level", view.level),
            sentence=self.said(view.sentence),
            more=tuple(map(self.said, view.more)),
            since=iso(view.since_utc_ns),
            escalated=view.escalated,
            acknowledged_by=view.acknowledged_by,
            note=view.note,
            reviewed_by=view.reviewed_by,
        )

    def pit(self, view: PitView) -> models.PitState:
        """Return what the pit may know."""
        return self._pit(replace(view, incidents=tuple(map(untimed, view.incidents))))

    def _pit(self, view: PitView) -> models.PitState:
        return models.PitState(
            public=self.table(view.public),
            hands_per_hour=view.hands_per_hour,
            incidents=tuple(map(self.incident, view.incidents)),
            duty=models.Duty(**asdict(view.duty)),
        )

    def surveillance(self, view: SurveillanceView) -> models.SurveillanceState:
        """Return what only surveillance may know."""
        return models.SurveillanceState(
            pit=self._pit(view.pit),
            faces=tuple(
                models.Faces(seat=seat.value, cards=tuple(str(card) if card else None for card in cards))
                for seat, cards in view.faces
            ),
            composition={str(card): number for card, number in view.composition},
            unknown=view.unknown,
            out=view.out,
            left=view.left,
            alarms=tuple(map(self.incident, view.alarms)),
            acknowledged=tuple(map(self.incident, view.acknowledged)),
        )


def halted(view: PublicView) -> PublicView:
    """Return a table while nothing can be recorded: as on the dealer's page no prompt, and no act would be taken."""
    bank = replace(view.bank, acts=()) if view.bank else None
    return replace(view, prompt=Sentence("prompt.not-recording"), acts=(), bank=bank)


def named(takers: Iterable[Seat]) -> tuple[str, ...]:
    """Return the seats that may be named."""
    return tuple(seat.value for seat in takers)


def taker_of(view: PublicView | UnsettledView) -> int | None:
    """Return the place of the card whose taker would be named; None where nobody may be."""
    return view.taker_of if view.takers else None


def spot(view: SpotView) -> models.Spot:
    """Return a card as it lies."""
    card = str(view.card) if view.card else None
    return models.Spot(side=view.side.value, card=card, keyed=view.keyed, carried=view.carried)


def seats(views: Iterable[SeatView]) -> tuple[models.Seat, ...]:
    """Return the seats in their order."""
    return tuple(
        models.Seat(seat=view.seat.value, spots=tuple(map(spot, view.spots)), points=view.points, natural=view.natural)
        for view in views
    )


def result(view: ResultView) -> models.Result:
    """Return a closed hand."""
    return models.Result(
        hand=view.number,
        result=view.call.value if view.call else None,
        points=view.points,
        natural=view.natural,
        pairs=view.pairs.value if view.pairs else None,
        corrected=view.corrected,
        sort=cast("Sort", view.sort),
        source=view.source,
    )


def shoe(view: PublicView) -> models.ShoeState:
    """Return the shoe on the board."""
    return models.ShoeState(
        table=view.table,
        shoe=view.shoe,
        stage=view.stage,
        proposed=view.proposed,
        results=tuple(map(result, view.results)),
        counts=models.Tally(**asdict(view.counts)),
        sides=sides(view),
        roads=roads(view.roads),
    )


def sides(view: PublicView) -> tuple[models.SideTally, ...]:
    """Return the figures of each side; none where players only bet on it."""
    if not view.game.asks_taker:
        return ()
    return tuple(
        models.SideTally(side=cast("Side", one.side.value), won=one.won, lost=one.lost, tied=one.tied)
        for one in view.sides
    )


def bank(view: BankView) -> bankmodels.BankState:
    """Return the bank as everybody around the table may know it."""
    same = {name: getattr(view, name) for name in bankmodels.BankState.model_fields if name not in OF_BANK}
    return bankmodels.BankState(
        holders=tuple(bankmodels.BankPlace(side=side.value, place=place) for side, place in view.holders),
        claim=bankmodels.BankClaim(kind=view.claim[0], place=view.claim[1]) if view.claim else None,
        stakes=tuple(bankmodels.BankStake(**asdict(stake)) for stake in view.stakes),
        **same,
    )


def board(view: PublicView) -> models.Board:
    """Return what an outside feed tells."""
    return models.Board(
        table=view.table, name=view.name, hand=view.hand, phase=view.phase, seats=seats(view.seats), shoe=shoe(view)
    )


def roads(found: Roads) -> models.RoadSet:
    """Return the roads as `tirage roads --json` gives them."""
    return models.RoadSet(
        bead=found.bead,
        big=found.big,
        big_eye=found.big_eye,
        small=found.small,
        cockroach=found.cockroach,
        ties=found.ties,
        ask={"B": _answers(found.ask.banker), "P": _answers(found.ask.player)},
        waiting=found.waiting,
    )


def _answers(answer: Answer) -> models.Answers:
    return models.Answers(big_eye=answer.big_eye, small=answer.small, cockroach=answer.cockroach)
