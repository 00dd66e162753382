"""What the second person is shown before saying yes: the act in words, the hand as it lies, and the bare command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.accounts.approvals import Approval, State
from controller.accounts.people import People
from controller.accounts.roles import may_second
from controller.accounts.sessions import Session
from controller.catalogue import Catalogue
from controller.core.inputs import (
    Apply,
    BlindHands,
    Command,
    Correct,
    Fate,
    KeyCard,
    ManualHand,
    MarkHand,
    Placed,
    Relay,
    Sanction,
)
from controller.core.previewing import CardView, HandView
from controller.core.previewmoney import How, MoneyView
from controller.core.reasons import reason_of
from controller.core.views import PublicView, Sentence, Side
from controller.core.words import to_dict
from controller.pit import render
from controller.pit.floor import Floor


def row(
    people: People, floor: Floor, names: Mapping[str, str], words: Catalogue, session: Session, kept: Approval
) -> dict[str, Any]:
    """Return an approval as the second person sees it: in words and exactly what would be done, with its hash."""
    return {
        "id": kept.id,
        "hash": kept.hash,
        "table": names.get(kept.table, kept.table),
        "hand": kept.command.hand,
        "act": words.word(f"act.{kept.kind}"),
        "told": [list(pair) for pair in (*told(floor, words, kept.table, kept.command), *_effect(floor, words, kept))],
        "command": to_dict(kept.command)["act"],
        "first": kept.first,
        "names": people.names_of([kept.first]),
        "state": kept.state.value,
        "sentence": words.text(kept.refusal or Sentence(f"approval.{kept.state.value}")),
        "left_s": int(people.approvals.left_s(kept)),
        "mine": kept.first == session.number,
        "may": kept.first != session.number and may_second(session.roles, kept.kind),
    }


def told(floor: Floor, words: Catalogue, table: str, command: Command) -> Iterator[tuple[str, str]]:
    """Yield what a command means as label and words: its hand, what is wrong there, what it would become."""
    hand = next((view for view in floor.hands(table) if view.ref == command.hand), None)
    if hand is not None:
        yield from _hand(words, hand)
    elif command.hand:
        yield words.word("approval.of-hand"), command.hand
    for sentence in wrong(floor.public(table), command.hand, words):
        yield words.word("approval.why"), sentence
    if would := " · ".join(_would(words, command, hand)):
        yield words.word("approval.would"), would


def _hand(words: Catalogue, hand: HandView) -> Iterator[tuple[str, str]]:
    yield words.word("approval.of-hand"), words.word("lay.hand", n=hand.number)
    yield words.word("approval.cards"), " · ".join(_lies(words, card) for card in hand.cards) or "-"
    call = hand.result.call if hand.result else None
    stands = f"result.{call.value if call else 'none'}" if hand.result else "approval.still-open"
    yield words.word("approval.stands"), words.word(stands)


def _lies(words: Catalogue, card: CardView) -> str:
    unseen = words.word("card.unread" if card.spot.side is Side.UNREAD else "card.back")
    face = str(card.spot.card) if card.spot.card else unseen
    return f"{words.word('card.spot', seat=card.seat, n=card.index)} {face}" if card.seat else face


def wrong(view: PublicView, ref: str, words: Catalogue) -> list[str]:
    """Return what is wrong with a hand, as sentences."""
    holds = view.holds if ref == view.hand_ref else ()
    holds += tuple(hold for hand in view.unsettled if hand.hand_ref == ref for hold in hand.holds)
    return [words.text(hold.sentence) for hold in holds]


def _would(words: Catalogue, command: Command, hand: HandView | None) -> Iterator[str]:
    """Yield what the act itself says."""
    if reason := reason_of(command):
        yield reason
    match command.act:
        case Apply() as act:
            yield from _remedy(words, act, hand)
        case Correct(result):
            yield words.word(f"result.{result.value}")
        case KeyCard(seat, index, card):
            yield f"{words.word('card.spot', seat=seat.value, n=index)} {card}"
        case Relay(cards):
            yield from _placed(words, cards)
        case ManualHand(cards=cards, result=result):
            yield from _placed(words, cards)
            yield words.word(f"result.{result.value}")
        case BlindHands(results):
            yield from (words.word(f"result.{result.value}") for result in results)
        case MarkHand(sort):
            yield words.word(f"sort.{sort.value}")
        case _:
            return


def _remedy(words: Catalogue, act: Apply, hand: HandView | None) -> Iterator[str]:
    """Yield the irregularity, the remedy, and the cards, the side and the sanction that it names."""
    yield words.word(f"situation.{act.irregularity}")
    yield words.word(f"remedy.{act.remedy.value}")
    cards = hand.cards if hand else ()
    yield from (_lies(words, cards[place]) if place < len(cards) else f"{place + 1}" for place in act.places)
    if act.seat is not None:
        yield words.word(f"seat.{act.seat.value}")
    if act.sanction is not Sanction.NONE:
        yield words.word(f"sanction.{act.sanction.value}")


def _effect(floor: Floor, words: Catalogue, kept: Approval) -> Iterator[tuple[str, str]]:
    """Yield what would come of it now while it waits: why the table would refuse it, or the money that would move."""
    if kept.state is not State.PENDING:
        return
    tried = floor.preview(kept.table, kept.command, f"staff:{kept.first}")
    if tried.why:
        yield words.word("approval.refused-now"), words.word(f"rejected.{tried.why}")
    elif tried.money is not None:
        yield words.word("money.title"), " · ".join(said(words, tried.money))


def said(words: Catalogue, money: MoneyView) -> Iterator[str]:
    """Yield who moves money, and each movement, as the pages show them."""
    if money.how is not How.MOVED:
        yield words.word(f"money.{money.how.value}")
    elif not money.entries:
        yield words.word("money.none")
    for one in money.entries:
        yield f"{_account(words, one.source)} → {_account(words, one.target)} {render.money(one.amount)}"


def _account(words: Catalogue, name: str) -> str:
    place = name.partition(":")[2]
    return words.word("bank.to-place", n=place) if place else words.word(f"account.{name}")


def _placed(words: Catalogue, cards: Sequence[Placed]) -> Iterator[str]:
    for card in cards:
        face = f" {card.card}" if card.card else ""
        where = words.word("card.spot", seat=card.seat.value, n=card.index) if card.seat else _fate(words, card)
        yield f"{card.place + 1}: {where}{face}"


def _fate(words: Catalogue, card: Placed) -> str:
    return "-" if card.fate is Fate.HAND else words.word(f"lay.{card.fate.value}")
