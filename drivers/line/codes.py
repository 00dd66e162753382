"""Which text on the line is which card: a table, since every maker of decks prints codes of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from controller.core.cards import Card

LONGEST_LINE_BYTES = 64  # without its line end
SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
DECK = frozenset(rank + suit for rank, suit in product(RANKS, SUITS))
SHOWN_CARDS = 3  # of the cards that lack a code


class CodesError(ValueError):
    """A table of codes cannot be used; its text says why and names the code."""


def _default() -> dict[str, Card]:
    codes = {suit + rank: Card.parse(rank + suit) for suit, rank in product(SUITS, RANKS)}
    return codes | {suit + "10": Card.parse("T" + suit) for suit in SUITS}


DEFAULT_CODES: Mapping[str, Card] = _default()  # wire-formats.md section 2: suit letter, then A 2-9 10 or T J Q K


def folded(text: str) -> str:
    """Return a code as it is looked up: without blanks around it, in capitals.

    >>> folded(" h10 ")
    'H10'
    """
    return text.strip().upper()


def code_table(codes: Mapping[str, str]) -> dict[str, Card]:
    """Read a house's own table, code to card (`{"0012": "AS"}`); it replaces the default table. Raises CodesError.

    Each of the 52 cards needs a code; several codes may mean one card. No code may be the end of another: a line whose
    beginning was lost would then be read as a card that it is not.
    """
    table: dict[str, Card] = {}
    for code, text in codes.items():
        name = folded(code)
        if not name or not name.isascii() or not name.isprintable() or len(name) > LONGEST_LINE_BYTES:
            raise CodesError(f"the code {code!r} is not 1 to {LONGEST_LINE_BYTES} printable ASCII characters")
        if name in table:
            raise CodesError(f"the code {name!r} stands twice: upper and lower case are one")
        table[name] = _card(code, text)
    _check_ends(table)
    _check_deck(table)
    return table


def _card(code: str, text: str) -> Card:
    try:
        card = Card.parse(text)
    except ValueError:
        card = None
    if card is None or card.rank is None or card.suit is None:
        raise CodesError(f"the code {code!r} means {text!r}, which is no card such as AS or TD")
    return card


def _check_ends(codes: Iterable[str]) -> None:
    known = set(codes)
    for code in codes:
        if ends := known.intersection(code[start:] for start in range(1, len(code))):
            raise CodesError(f"the code {min(ends)!r} is the end of the code {code!r}")


def _check_deck(table: Mapping[str, Card]) -> None:
    if missing := sorted(DECK - {str(card) for card in table.values()}):
        more = "" if len(missing) <= SHOWN_CARDS else f" and {len(missing) - SHOWN_CARDS} more"
        raise CodesError(f"no code for {', '.join(missing[:SHOWN_CARDS])}{more}")
