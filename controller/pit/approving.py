"""What the second person is shown before saying yes: the act in words, the hand as it lies, and the bare command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.accounts.approvals import Approval
from controller.accounts.people import People
from controller.accounts.roles import may_second
from controller.accounts.sessions import Session
from controller.catalogue import Catalogue
from controller.core.inputs import BlindHands, Command, Correct, Fate, KeyCard, ManualHand, MarkHand, Placed, Relay
from controller.core.previewing import CardView, HandView
from controller.core.views import PublicView, Side
from controller.core.words import to_dict
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
        "told": [list(pair) for pair in told(floor, words, kept.table, kept.command)],
        "command": to_dict(kept.command)["act"],
        "first": kept.first,
        "names": people.names_of([kept.first]),
        "state": kept.state.value,
        "sentence": words.word(f"approval.{kept.state.value}"),
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
    if would := " · ".join(_would(words, command)):
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


def _would(words: Catalogue, command: Command) -> Iterator[str]:
    """Yield what the act itself says."""
    match command.act:
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


def _placed(words: Catalogue, cards: Sequence[Placed]) -> Iterator[str]:
    for card in cards:
        face = f" {card.card}" if card.card else ""
        where = words.word("card.spot", seat=card.seat.value, n=card.index) if card.seat else _fate(words, card)
        yield f"{card.place + 1}: {where}{face}"


def _fate(words: Catalogue, card: Placed) -> str:
    return "-" if card.fate is Fate.HAND else words.word(f"lay.{card.fate.value}")
