"""The croupier's keys to a capture of a shoe that tells cards alone: which act came after which card."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from controller.core.bank.acts import BankCommand
from controller.core.engine import Table
from controller.core.games import Game
from controller.core.inputs import Act, Command, Input, NewShoe, OnDuty, OpenTable
from controller.core.signals import CardDrawn
from controller.core.words import from_dict, to_dict

ACTS = get_args(Act)
OF_THE_BANK = get_args(BankCommand)
CROUPIER = "croupier"
OF_NO_HAND = (NewShoe, OpenTable, OnDuty)
EXAMPLE = '{"after":4,"act":{"kind":"turned"}}'
NEEDED = (
    "this shoe tells cards alone, and {why}: add --keys FILE with a line for each key of the "
    "croupier, such as {example} after the fourth card, or give the script of a simulation with --format script"
)
DECIDES = "in {game} people decide"
TURNS = "nobody else tells when the cards are turned"


class KeysError(ValueError):
    """Keys that cannot be read, or that do not fit their capture; the message says where and what was expected."""


class NoKeysError(Exception):
    """A capture of cards alone came without keys, and nothing can be judged by it."""

    def __init__(self, game: Game) -> None:
        why = DECIDES.format(game=game.name) if game.asks_taker else TURNS
        super().__init__(NEEDED.format(why=why, example=EXAMPLE))


@dataclass(slots=True)
class Keys:
    """Commands by the number of cards that had left the shoe before; ``cards`` counts those that did."""

    after: dict[int, list[Command]] = field(default_factory=dict)
    cards: int = 0

    def add(self, after: int, command: Command) -> None:
        """Put one more key after this card."""
        self.after.setdefault(after, []).append(command)

    @property
    def keep_money(self) -> bool:
        """Whether a key is one of the bank."""
        return any(isinstance(command.act, OF_THE_BANK) for after in self.after.values() for command in after)

    def before(self, item: Input) -> Iterator[Input]:
        """Yield what was keyed before the first card, when that comes."""
        if isinstance(item.what, CardDrawn) and not self.cards:
            yield from (Input(command, item.at, CROUPIER) for command in self.after.get(0, ()))

    def due(self, item: Input, table: Table) -> Iterator[Input]:
        """Yield what was keyed between this input and the next; a key that names no hand means the open one."""
        if not isinstance(item.what, CardDrawn):
            return
        self.cards += 1
        for command in self.after.get(self.cards, ()):
            yield Input(_meant(command, table), item.at, CROUPIER)

    def check(self) -> None:
        """Raise KeysError for a key after a card that never came."""
        last = max(self.after, default=0)
        if last > self.cards:
            raise KeysError(f"a key stands after card {last}, but only {self.cards} cards came: are these its keys?")


def of_no_hand(item: Input) -> bool:
    """Whether this is a command about the shoe or the table, not about a hand."""
    return isinstance(item.what, Command) and isinstance(item.what.act, OF_NO_HAND)


def _meant(command: Command, table: Table) -> Command:
    if command.hand or table.hand is None or isinstance(command.act, OF_NO_HAND):
        return command
    return replace(command, hand=table.hand.ref)


def keys_line(after: int, command: Command) -> str:
    """Return a key as a line of a keys file.

    >>> from controller.core.inputs import Turned
    >>> keys_line(4, Command("key-1", Turned(), "1-1"))
    '{"after":4,"act":{"kind":"turned"},"hand":"1-1","id":"key-1"}'
    """
    return json.dumps({"after": after} | command_dict(command), separators=(",", ":"))


def command_dict(command: Command) -> dict[str, Any]:
    """Return a command as keys files and scripts have it; `command_of` reads it."""
    return {"act": to_dict(command.act), "hand": command.hand, "id": command.id}


def command_of(data: Mapping[str, Any], number: int) -> Command:
    """Read a command; ``hand`` and ``id`` may be left out. Raises ValueError with what was expected."""
    strange = data.keys() - {"act", "hand", "id"}
    if strange:
        raise ValueError(f"a key has act, hand and id, not {', '.join(sorted(strange))}")
    said = data.get("act")
    act = from_dict(said) if isinstance(said, dict) else None
    if not isinstance(act, ACTS):
        raise ValueError('expected an act such as {"kind":"turned"}')  # noqa: TRY004 - callers wait for one exception
    hand, name = data.get("hand", ""), data.get("id", f"key-{number}")
    if not (isinstance(hand, str) and isinstance(name, str)):
        raise ValueError("hand and id are texts")  # noqa: TRY004
    return Command(name, act, hand)


def read_keys(lines: Iterable[bytes]) -> Keys:
    """Read a keys file; blank lines and lines that begin with # are skipped. Raises KeysError."""
    keys = Keys()
    for number, line in enumerate(lines, 1):
        if (text := line.strip()) and not text.startswith(b"#"):
            try:
                data = json.loads(text)
                after = data.pop("after", None) if isinstance(data, dict) else None
                if isinstance(after, bool) or not isinstance(after, int) or after < 0:
                    raise ValueError("expected after, the number of cards before it, from 0")  # noqa: TRY301
                keys.add(after, command_of(data, number))
            except (ValueError, RecursionError) as error:
                raise KeysError(f"line {number}: {error}; a line is such as {EXAMPLE}") from None
    return keys
