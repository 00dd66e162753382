"""The cells of a hand table, each distinct text read once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import NamedTuple, cast

from controller.audit.lines import compact
from controller.core.cards import Card
from controller.core.games import Game
from controller.core.judgement import Points
from controller.core.signals import Call

Code = int | tuple[Points, ...]  # see `code_of`
NO_THIRD = 10
UNREAD = "?"  # a card that lies there and was not read
MOST_DIGITS = 18  # of a hand's number
MOST_KEPT = 1 << 18  # distinct texts; a table of faces has 143,364 with two or three cards


def code_of(points: tuple[Points, ...]) -> Code:
    """Return a number for the cards of a seat such that equal numbers behave alike.

    Two or three cards count by the point of the first two and the value of the third; any other number of cards
    is its own code, and so are cards of which one was not read.

    >>> code_of((9, 5)), code_of((0, 4, 3)), code_of((7,)), code_of((7, None))
    (54, 47, (7,), (7, None))
    """
    match points:
        case (int() as first, int() as second):
            return (first + second) % 10 * 11 + NO_THIRD
        case (int() as first, int() as second, int() as third):
            return (first + second) % 10 * 11 + third
        case _:
            return points


def points_of(code: Code) -> tuple[Points, ...]:
    """Return the simplest cards that have this code."""
    if isinstance(code, tuple):
        return code
    total, third = divmod(code, 11)
    return (0, total) if third == NO_THIRD else (0, total, third)


class Cell(NamedTuple):
    """The cards of one seat.

    ``json`` is their text as an audit line has it, ``total`` their point, None where one was not read. ``faces`` holds
    those of which rank and suit are known, as text, which is hashed much faster than a card. ``pair`` says whether the
    first two are one (R-PB-12), None where their ranks are not known.
    """

    code: Code
    json: str
    total: int | None
    faces: tuple[str, ...]
    pair: bool | None

    @staticmethod
    def of(cards: list[Card | None]) -> Cell:
        """Return the cell of these cards; None for one that was not read."""
        if None in cards:
            return Cell.unread(cards)
        known = cast("list[Card]", cards)
        points = tuple([card.points for card in known])
        texts = [str(card) for card in known]
        faces = tuple([text for text, card in zip(texts, known, strict=True) if card.suit])
        return Cell(code_of(points), json_of(texts), sum(points) % 10, faces, pair_of(cards))

    @staticmethod
    def unread(cards: list[Card | None]) -> Cell:
        """Return the cell of cards of which one was not read."""
        texts = [str(card) if card else None for card in cards]
        faces = tuple([str(card) for card in cards if card and card.suit])
        points = tuple([card.points if card else None for card in cards])
        return Cell(code_of(points), compact(texts), None, faces, pair_of(cards))


def json_of(texts: list[str]) -> str:
    """Return a JSON list of cards: their texts need no escapes."""
    return '["' + '","'.join(texts) + '"]' if texts else "[]"


def pair_of(cards: list[Card | None]) -> bool | None:
    """Return whether the first two cards are a pair, None where there are not two with a rank."""
    ranks = [card.rank for card in cards[:2] if card is not None and card.rank is not None]
    return None if len(ranks) < 2 else ranks[0] is ranks[1]


class Cells(dict[str, Cell]):
    """Cards by the text of their cell. Raises ValueError for a text that holds anything else."""

    def __missing__(self, text: str) -> Cell:
        tokens = text.replace(",", " ").split()
        cell = Cell.of([None if token == UNREAD else Card.parse(token) for token in tokens])
        if len(self) >= MOST_KEPT:
            self.clear()
        self[text] = cell
        return cell


COMMON = {
    **dict.fromkeys(("banker", "banco", "b"), "banker"),
    **dict.fromkeys(("tie", "egalite", "égalité", "t"), "tie"),
}
COMMON_SIDES = ("banker", "tie")
WORDS = COMMON | dict.fromkeys(("player", "punto", "p"), "player")
# Where people decide: a side by its seat, `void` where it refused the coup.
OF_SEATS = {
    "punter": COMMON | dict.fromkeys(("punter", "ponte", "punto", "p"), "punter"),
    "right": COMMON | {"right": "right", "r": "right", "void": "void"},
    "left": COMMON | {"left": "left", "l": "left", "void": "void"},
}
BETWEEN = re.compile(r"[\s/,;+-]+")  # what may part the words of a result with two


class ResultWords(dict[str, str | None]):
    """Recorded results by the text of their cell: a side, "unknown", or None for an empty cell."""

    def __init__(self, more: dict[str, str], words: Mapping[str, str] = WORDS) -> None:
        super().__init__()
        self._words = {**words} | {word.casefold(): side for word, side in more.items()}

    def __missing__(self, text: str) -> str | None:
        whole = text.strip().casefold()
        if len(self) >= MOST_KEPT:
            self.clear()
        first = whole.split()[0].rstrip(".,:;!") if whole else ""
        found = self._words.get(whole) or self._words.get(first, "unknown")
        return self.setdefault(text, found if whole else None)


class PairedWords(dict[str, str | None]):
    """Recorded results of two sides, the right one's first: `banker/tie`; "unknown" for anything else."""

    def __init__(self, more: dict[str, str]) -> None:
        super().__init__()
        said = {word.casefold(): side for word, side in more.items()}
        self._sides = [{**OF_SEATS[side]} | said for side in ("right", "left")]

    def __missing__(self, text: str) -> str | None:
        parts = [part for part in BETWEEN.split(text.strip().casefold()) if part]
        if len(self) >= MOST_KEPT:
            self.clear()
        read = [words.get(part) for words, part in zip(self._sides, parts, strict=False)]
        known = len(parts) == len(self._sides) and "/".join(map(str, read)) in CALLS
        return self.setdefault(text, "/".join(map(str, read)) if known else "unknown" if parts else None)


CALLS = frozenset(call.value for call in Call)


def result_words(game: Game, more: dict[str, str]) -> ResultWords | PairedWords:
    """Return what reads the recorded results of a game."""
    if len(game.sides) > 1:
        return PairedWords(more)
    return ResultWords(more, OF_SEATS[game.sides[0].value] if game.asks_taker else WORDS)


def sides_of(game: Game) -> tuple[str, ...]:
    """Return what a word of a result may stand for."""
    refused = ("void",) if len(game.sides) > 1 else ()
    return (*(side.value for side in game.sides), *COMMON_SIDES, *refused)


def results_of(game: Game) -> tuple[str, ...]:
    """Return the results that a summary counts even where none came.

    >>> from controller.core.games import GAMES
    >>> results_of(GAMES["chemin_free"]), results_of(GAMES["foster"])[:4]
    (('punter', 'banker', 'tie'), ('right/left', 'right/banker', 'right/tie', 'banker/left'))
    """
    sides = [(side.value, *COMMON_SIDES) for side in game.sides]
    return tuple("/".join(names) for names in product(*sides))


FLAGS = dict.fromkeys(("1", "true", "yes", "y"), True) | dict.fromkeys(("0", "false", "no", "n"), False)


def flag(text: str) -> bool | None:
    """Read a yes or no, None for an empty cell. Raises ValueError for anything else."""
    said = text.strip().casefold()
    if said and said not in FLAGS:
        raise ValueError(f"expected 1, yes, true, 0, no or false, got {text!r}")
    return FLAGS.get(said)


def whole(text: str) -> int | None:
    """Read a hand's number, None for an empty cell. Raises ValueError for anything but digits."""
    said = text.strip()
    if not said:
        return None
    if not (said.isascii() and said.isdigit() and len(said) <= MOST_DIGITS):
        raise ValueError(f"expected a whole number from 0, got {text!r}")
    return int(said)


def point(text: str) -> int | None:
    """Read the point that a row states, None for an empty cell. Raises ValueError for anything but 0 to 9."""
    said = text.strip()
    if said and not (len(said) == 1 and "0" <= said <= "9"):
        raise ValueError(f"expected a point from 0 to 9, got {text!r}")
    return int(said) if said else None
