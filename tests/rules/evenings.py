"""The worked evenings in docs/evenings: a script in TOML, and the page made of it and of what a console showed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.core.cards import Card
from controller.core.signals import CardDrawn
from drivers.emulators.line import LineShoe
from tests.browser.old_games import Pressed
from tests.rules import table

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "evenings"
NAMES = ("chemin-de-fer", "baccarat-banque")
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
BANK_KEY, CONFIRM = "$", "Enter"
SHOWN_KEYS = {"-": "Backspace"}
HEAD = "<!-- Made by `make pictures` from {name}.toml and from what the console showed: write there, not here. -->"
SPACE = re.compile(r"\s+")
COLUMNS = ("At the table", "The shoe sends", "You press", "The console says")


@dataclass(frozen=True)
class Moment:
    """What happens at the table between two looks at the console; ``picture`` is what is to be seen on it, or empty."""

    cloth: str
    plays: str = ""
    picture: str = ""

    @property
    def cards(self) -> list[str]:
        """The cards that leave the shoe, in order."""
        return [step for step in self.plays.split() if not step.startswith(":")]


@dataclass(frozen=True)
class Coup:
    """A coup; ``results`` are words of each result that the console shows, ``why`` the reason, ``rules`` its ids."""

    name: str
    moments: tuple[Moment, ...]
    results: tuple[str, ...]
    why: str
    rules: tuple[str, ...]
    irregular: bool = False


@dataclass(frozen=True)
class Part:
    """Coups at one table: its profile, and what it changes of it as TOML."""

    title: str
    text: str
    profile: str
    coups: tuple[Coup, ...]
    changes: str = ""


@dataclass(frozen=True)
class Evening:
    """The script of a page."""

    name: str
    title: str
    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Seen:
    """What was pressed in a moment and what the console said at its end, a line each; ``results`` that were new."""

    pressed: tuple[Pressed, ...]
    says: tuple[str, ...]
    results: tuple[str, ...]


Played = list[list[list[Seen]]]  # by part, coup and moment


def read(name: str) -> Evening:
    """Read a script."""
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return Evening(name, data["title"], data["text"], tuple(map(_part, data["part"])))


def _part(data: dict[str, Any]) -> Part:
    coups = tuple(map(_coup, data.pop("coup")))
    return Part(**data, coups=coups)


def _coup(data: dict[str, Any]) -> Coup:
    moments = tuple(Moment(**moment) for moment in data.pop("moment"))
    results, rules = tuple(data.pop("results")), tuple(data.pop("rules"))
    return Coup(**data, moments=moments, results=results, rules=rules)


def numbered(evening: Evening) -> Iterator[tuple[int, Coup]]:
    """Yield the coups of all parts with their numbers in the page."""
    yield from enumerate((coup for part in evening.parts for coup in part.coups), 1)


def pictures(evening: Evening) -> dict[tuple[int, int], str]:
    """Return the file of each picture by the number of its coup and the place of its moment."""
    found = {}
    for number, coup in numbered(evening):
        places = [place for place, moment in enumerate(coup.moments) if moment.picture]
        for nth, place in enumerate(places):
            letter = "abcdefgh"[nth] if len(places) > 1 else ""
            found[number, place] = f"{evening.name}-{number:02}{letter}.png"
    return found


def keys_of(moments: Sequence[Seen]) -> tuple[int, int]:
    """Return how many keys a coup took for its cards, and how many for its bank; a digit is a key.

    >>> shown = (Pressed("$", "Bank"), Pressed("S", "Show the bank"), Pressed("400"), Pressed("Enter", "Confirm"))
    >>> keys_of([Seen(shown, (), ()), Seen((Pressed("1", "PUNTER takes it"), Pressed("T", "Turned")), (), ())])
    (2, 6)
    """
    cards = bank = 0
    banking = False
    for pressed in (one for moment in moments for one in moment.pressed):
        banking = banking or pressed.key == BANK_KEY
        count = 1 if pressed.words else len(pressed.key)
        cards, bank = (cards, bank + count) if banking else (cards + count, bank)
        banking = banking and pressed.key != CONFIRM
    return cards, bank


def document(evening: Evening, played: Played) -> str:
    """Return the page of an evening as it was played."""
    lines = [HEAD.format(name=evening.name), "", f"# {evening.title}", "", evening.text.strip(), ""]
    coups, shots, texts = dict(numbered(evening)), pictures(evening), table.read()[1]
    number = 0
    for part, of_part in zip(evening.parts, played, strict=True):
        lines += [f"## {part.title}", "", part.text.strip(), ""]
        for seen in of_part:
            number += 1
            lines += _coup_lines(number, coups[number], seen)
            lines += [f"- {ident}: {texts[ident]['text']}" for ident in coups[number].rules] + [""]
            for place, moment in enumerate(coups[number].moments):
                if moment.picture:
                    lines += [f"![{moment.picture}](pictures/{shots[number, place]})", ""]
    return "\n".join(lines).rstrip() + "\n"


def write(folder: Path, evening: Evening, page: str) -> None:
    """Write a page, and take away the pictures that it does not show any more."""
    (folder / f"{evening.name}.md").write_text(page, encoding="utf-8")
    for path in (folder / "pictures").glob(f"{evening.name}-*.png"):
        if path.name not in pictures(evening).values():
            path.unlink()


def _coup_lines(number: int, coup: Coup, seen: Sequence[Seen]) -> list[str]:
    rows = [_row(moment, one) for moment, one in zip(coup.moments, seen, strict=True)]
    results = "; ".join(result for one in seen for result in one.results)
    return [
        f"### {number}. {coup.name}",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
        *rows,
        "",
        f"**Result:** {results or 'none'}. {coup.why.strip()} {_keys(seen)}",
        "",
    ]


def _keys(seen: Sequence[Seen]) -> str:
    cards, bank = keys_of(seen)
    of_bank = f", and {bank} for the bank with the digits of its sums" if bank else ""
    return f"**Keys:** {cards or 'none'}{of_bank}."


def _row(moment: Moment, seen: Seen) -> str:
    cells = (moment.cloth.strip(), _sent(moment.cards), _pressed(seen.pressed), "<br>".join(seen.says))
    return f"| {' | '.join(SPACE.sub(' ', cell).replace('|', '/') for cell in cells)} |"


def _sent(cards: Sequence[str]) -> str:
    if not cards:
        return ""
    shoe = LineShoe()
    lines = [b"".join(shoe.says(CardDrawn(None, None, Card.parse(card)))).decode().strip() for card in cards]
    faces = " ".join(("10" if card[0] == "T" else card[0]) + SUITS[card[1]] for card in cards)
    return f"{faces}<br>`{' '.join(lines)}`"


def _pressed(pressed: Sequence[Pressed]) -> str:
    return "<br>".join(map(_key, pressed))


def _key(one: Pressed) -> str:
    key = f"**{SHOWN_KEYS.get(one.key, one.key)}**"
    return f"{key}, held" if one.held else f"{key} {one.words}".rstrip()


def problems(evening: Evening) -> list[str]:
    """Return what is wrong with a script, one sentence each."""
    known = table.read()[1]
    found = [f"{coup.name} has no picture" for _, coup in numbered(evening) if not any(m.picture for m in coup.moments)]
    return found + [
        f"{coup.name} names {ident}, which is no rule"
        for _, coup in numbered(evening)
        for ident in coup.rules
        if ident not in known
    ]
