"""Keys of one game beside the cards of another: told plainly, before hands are made up of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from controller.core.cards import Seat
from controller.core.facts import Fact, FactName
from controller.core.games import Game
from controller.core.inputs import Act
from controller.sources.capture import NoFramesError
from controller.sources.keys import CROUPIER, Keys, KeysError

SEAT = "a key names the seat {seat}, which {game} does not have: are these the keys of another game than --game?"
NONE_TAKEN = "the table took none of the {count} keys as {game}: are these the keys of another game than --game?"
NO_FRAMES = "{error}, and --game: it was read as {game}"
TAKEN = {FactName.COMMAND_ACCEPTED: True, FactName.COMMAND_REJECTED: False}


@dataclass(slots=True)
class Fitting:
    """Whether keys fit the game by which they are read: first by their seats, in the end by what the table took."""

    keys: Keys
    game: Game
    taken: int = 0
    refused: int = 0

    def check_seats(self) -> None:
        """Raise KeysError for a key about a seat that the game does not have."""
        for commands in self.keys.after.values():
            for seat in (seat for command in commands for seat in seats_in(command.act)):
                if seat not in self.game.seats:
                    raise KeysError(SEAT.format(seat=seat.value, game=self.game.name))

    def take(self, fact: Fact) -> None:
        """Count the keys that the table took, and those that it refused."""
        accepted = TAKEN.get(fact.name)
        if accepted is not None and dict(fact.data)["by"] == CROUPIER:
            self.taken += accepted
            self.refused += not accepted

    def check(self) -> None:
        """Raise KeysError at the end for keys after cards that never came, and for those that fit nowhere."""
        self.keys.check()
        self.check_seats()  # a script tells its keys on the way
        if self.refused and not self.taken:
            raise KeysError(NONE_TAKEN.format(count=self.refused, game=self.game.name))


def seats_in(act: Act) -> Iterator[Seat]:
    """Yield the seats that an act names, itself or in the cards that it lays."""
    for field in fields(act):
        value = getattr(act, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            named = getattr(part, "seat", part)
            if isinstance(named, Seat):
                yield named


def sentence_of(error: Exception, game: Game) -> str:
    """Return what is said of a capture that cannot be read; one without a frame may be that of another game's shoe."""
    return NO_FRAMES.format(error=error, game=game.name) if isinstance(error, NoFramesError) else str(error)
