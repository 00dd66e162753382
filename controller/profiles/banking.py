"""What a profile says of the bank, checked by its game whether money is kept or not: each mistake by its key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from controller.core.bank import Holds, Money, Terms
from controller.core.cards import Seat
from controller.core.games import game_of
from controller.core.profile import House
from controller.moneysettings import BETS, USUAL
from controller.toml.problems import Fault

BANKS_OF = {1: (Holds.PASSES, Holds.STAYS), 2: (Holds.STAYS,), 0: (Holds.HOUSE,)}  # by the sides against it (D14)
FROM = ("right", "left")
NO_BANK = "the house pays, so nobody holds a bank"


def faults_of_bank(game: str, said: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the values of [bank] and with ``money``; a value of another type is told elsewhere."""
    yield from faults_of_money(game, said.get("money"), ("money",))
    bank = said.get("bank")
    if not isinstance(bank, dict):
        return
    for check in CHECKS:
        for key, *told in check(game, bank):
            yield Fault(("bank", *(key if isinstance(key, tuple) else (key,))), *told)


def faults_of_money(game: str, money: object, path: tuple[str | int, ...]) -> Iterator[Fault]:
    """Yield the bank that is to be kept where the house pays; ``money`` stands at ``path``."""
    if getattr(money, "value", money) == Money.BANK.value and not USUAL[game].sides:
        yield Fault(path, f'"off" or "full" in {game}', f'"bank": {NO_BANK}', 'write money = "full", or money = "off"')


Told = tuple[Any, str, str, str]  # the key or its path in [bank], what was expected, what came, the fix


def _holds(game: str, bank: Mapping[str, Any]) -> Iterator[Told]:
    lawful = tuple(holds.value for holds in BANKS_OF[len(USUAL[game].sides)])
    came = bank.get("holds")
    if came in {holds.value for holds in Holds} and came not in lawful:
        yield "holds", f"{_choice(lawful)} in {game}", f'"{came}"', f'write holds = "{lawful[0]}", or take the key out'


def _places(game: str, bank: Mapping[str, Any]) -> Iterator[Told]:
    usual: Terms = USUAL[game]
    places, stays = bank.get("places"), bank.get("holds", usual.holds.value) == Holds.STAYS.value
    if isinstance(places, int) and places % 2 and stays:
        expected = "an even number: as many seats on either side of a banker who stays"
        yield "places", expected, str(places), f"write places = {places + 1}"


def _claims(game: str, bank: Mapping[str, Any]) -> Iterator[Told]:
    if not USUAL[game].sides:
        for key in ("claims", "claims_from"):
            if bank.get(key):
                yield key, f"no {key} in {game}: {NO_BANK}", json.dumps(bank[key]), "take the key out"
        return
    came = bank.get("claims_from")
    if came in {seat.value for seat in Seat} and came not in FROM:
        expected = f"{_choice(FROM)}: the side of the banker where priority starts"
        yield "claims_from", expected, f'"{came}"', 'write claims_from = "right"'


def _a_cheval(game: str, bank: Mapping[str, Any]) -> Iterator[Told]:
    if bank.get("a_cheval") is True and len(USUAL[game].sides) != len(FROM):
        yield "a_cheval", f"false in {game}, where there are no two sides", "true", "take the key out"


def _bets(game: str, bank: Mapping[str, Any]) -> Iterator[Told]:
    names = bank.get("bets")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return
    if USUAL[game].sides:
        yield "bets", f"no bets in {game}: they play against the banker", _listed(names), "take the key out"
    elif not names:
        yield "bets", "one bet at least", "an empty list", 'write bets = ["player", "banker", "tie"], or take it out'
    else:
        yield from _unknown("bets", names, tuple(BETS), "bets")
        yield from _one_spot_twice(names)


def _one_spot_twice(names: Sequence[str]) -> Iterator[Told]:
    """Two bets of one spot have one key and one place on the layout: nobody could say which is meant."""
    first: dict[str, str] = {}
    for place, name in enumerate(names):
        if name not in BETS:
            continue
        other = first.setdefault(BETS[name].name, name)
        if other != name or names.index(name) != place:
            fix = f'take "{other}" or "{name}" out' if other != name else "take it out"
            yield ("bets", place), f"one bet on the spot {BETS[name].name}", f'"{name}" beside "{other}"', fix


def _reopens(game: str, bank: Mapping[str, Any]) -> Iterator[Told]:
    rules = bank.get("reopens")
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        return
    known = {one.amends: None for one in House(game=game_of(game, {})).situations.values() if one.amends}
    yield from _unknown("reopens", rules, tuple(known), "rules under which bets may be amended")


def _unknown(key: str, names: Sequence[str], known: Sequence[str], what: str) -> Iterator[Told]:
    for place, name in enumerate(names):
        if name in known:
            continue
        near = get_close_matches(name, known, n=1)
        fix = f'did you mean "{near[0]}"?' if near else "take it out"
        yield (key, place), f"{what} out of {', '.join(known) or 'none in this game'}", f'"{name}"', fix


CHECKS: tuple[Callable[[str, Mapping[str, Any]], Iterator[Told]], ...] = (
    _holds,
    _places,
    _claims,
    _a_cheval,
    _bets,
    _reopens,
)


def _choice(words: Sequence[str]) -> str:
    return " or ".join(f'"{word}"' for word in words)


def _listed(names: Sequence[str]) -> str:
    return json.dumps(names) if names else "an empty list"
