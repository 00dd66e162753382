"""What the shoe of an evening says for each word of the script, as signals that it sends in its real bytes."""

from __future__ import annotations

from collections.abc import Callable

from controller.core.cards import Card
from controller.core.signals import (
    BurnCardDrawn,
    Call,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
)
from tests.browser.evening import AFTERNOON, HANDS, Hand
from tests.browser.evening_oracle import pairs_of, wire_spots
from tests.e2e.sitting import card, carried, drawn, unread

OFF_GAME = OffGameCardDrawn(OffGameMode.SETTING, 0, None)
SAYS: dict[str, list[Signal]] = {
    "S": [PoweredUp()],
    "C": [CutCardOut()],
    "overdraw": [ErrorRaised(Fault.OVERDRAW, 2, error_mode=False), OFF_GAME],
    "overdraw-ends": [ErrorCleared(Fault.OVERDRAW, 2)],
    "wrong-button": [ErrorRaised(Fault.WRONG_BUTTON, 3, error_mode=False), ErrorCleared(Fault.WRONG_BUTTON, 3)],
}


def words_of_shoe(word: str) -> list[Signal]:
    """What the shoe says for a word of the script."""
    name, _, rest = word.partition(":")
    return SAYS[word] if word in SAYS else TELLS[name](*rest.split(":"))


def burnt(what: str) -> list[Signal]:
    """The first burn card by its face, the others by how many are still to come."""
    if what.isdigit():
        return [BurnCardDrawn(sets_count=False, left=int(what), card=None)]
    return [BurnCardDrawn(sets_count=True, left=0, card=Card.parse(what))]


def some_of(number: str, cards: str = "") -> list[Signal]:
    """A hand, or some of its cards."""
    hand = HANDS[int(number) - 1]
    return cards_of(hand, cards, wire_spots(hand)[int(cards[0]) - 1 :]) if cards else whole(hand)


def counted_anew(number: str, cards: str) -> list[Signal]:
    """Cards as a shoe names them that started again: from the first spot."""
    hand = HANDS[int(number) - 1]
    return cards_of(hand, cards, wire_spots(hand))


def cards_of(hand: Hand, cards: str, spots: list[str]) -> list[Signal]:
    first, last = map(int, cards.split("-"))
    faces = hand.faces.split()[first - 1 : last]
    return [drawn(spot, face) for spot, face in zip(spots, faces, strict=False)]


def whole(hand: Hand) -> list[Signal]:
    cards = [drawn(spot, face) for spot, face in zip(wire_spots(hand), hand.faces.split(), strict=True)]
    return [*cards, result_of(hand)]


def result_of(hand: Hand) -> Signal:
    return ResultCalled(Call(hand.said or hand.result), Pairs(pairs_of(hand)))


TELLS: dict[str, Callable[..., list[Signal]]] = {
    "burn": burnt,
    "hand": some_of,
    "anew": counted_anew,
    "before": lambda number: whole(AFTERNOON[int(number) - 1]),
    "G": lambda number: [result_of(HANDS[int(number) - 1])],
    "taken": lambda face: [OffGameCardShown(card(face))],
    "carried": lambda face: [carried("P1", face)],
    "unread": lambda spot: [unread(spot)],
}
