"""How the hand of a row was closed: the cells `void` and `ruled` of a hand table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.audit.cells import MOST_KEPT, flag
from controller.audit.tables import Ending, Outcomes
from controller.core.cards import Seat
from controller.core.games import Game
from controller.core.judgement import Terms

ASKS, TURNED = "taker-unknown", "turned"
Word = Callable[[Terms, Seat], Terms]
# What was ruled for a seat, by the word that `export` writes (docs/interfaces.md).
WORDS: dict[str, Word] = {
    "one-card": lambda terms, seat: replace(terms, final=terms.final | {seat}),
    "zero-hand": lambda terms, seat: replace(terms, tens=terms.tens | {seat}),
    "barred": lambda terms, seat: replace(terms, barred=terms.barred | {seat}),
    "refused": lambda terms, seat: replace(terms, refused=terms.refused | {seat}),
}
FACE_DOWN = "face-down"


@dataclass(frozen=True, slots=True)
class Rulings:
    """Reads a cell of what was ruled in a game."""

    game: Game

    def read(self, text: str) -> Ending:
        """Read words such as `one-card:banker taker-unknown`. Raises ValueError for any other."""
        ending = Ending()
        for word in text.split():
            ending = self._with(ending, word.casefold())
        return ending

    def _with(self, ending: Ending, word: str) -> Ending:
        if word == ASKS:
            return replace(ending, asks=True)
        if word == TURNED:
            return replace(ending, turned=True)
        name, _, seat = word.partition(":")
        seats = {one.value: one for one in self.game.seats}
        if name not in {*WORDS, FACE_DOWN} or seat not in seats:
            expected = ", ".join([*(f"{known}:{self.game.bank.value}" for known in (*WORDS, FACE_DOWN)), ASKS, TURNED])
            raise ValueError(f"expected words such as {expected}, got {word!r}")
        if name == FACE_DOWN:
            return replace(ending, face_down=ending.face_down | {seats[seat]})
        return replace(ending, terms=WORDS[name](ending.terms, seats[seat]))


class Endings(dict[tuple[str, str], Outcomes]):
    """The outcomes of hands that were closed so, by the texts of `void` and `ruled`. Raises ValueError."""

    def __init__(self, game: Game, usual: Outcomes) -> None:
        super().__init__()
        self._game = game
        self._rulings = Rulings(game)
        self._known = {Ending(): usual}

    def __missing__(self, texts: tuple[str, str]) -> Outcomes:
        void, ruled = texts
        ending = self._rulings.read(ruled)
        ending = replace(ending, stopped=bool(flag(void)) and not ending.turned)
        outcomes = self._known.setdefault(ending, Outcomes(self._game, ending))
        if len(self) >= MOST_KEPT:
            self.clear()
        return self.setdefault(texts, outcomes)
