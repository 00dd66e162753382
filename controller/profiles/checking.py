"""What a profile says, checked: every mistake by line, with the fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from controller.core.games import CHOICES, NAMES, PUNTO_BANCO, game_of
from controller.core.games.making import READERS
from controller.core.inputs import Post
from controller.core.profile import BetsClosed, Closes, Deal, House
from controller.core.remedies.situations import SITUATIONS, Remedy, Situation
from controller.profiles.banking import faults_of_bank
from controller.settings import Profile, with_choices
from controller.toml.problems import ConfigError, Fault, Problem, faults_of, located
from controller.toml.reading import document

SILENT = "silent"  # the source says nothing: the supervisor decides, and nothing is proposed
BY_ID = ("remedies", "decides")
GAME_NAMES = ", ".join(f'"{name}"' for name in NAMES)


def house_in(file: str, text: str, **over: Any) -> House:
    """Return the house of a profile's text, with other values for the keys ``over`` that are not None.

    ``file`` is where it came from. Raises ConfigError with every problem.
    """
    own = document(file, text)
    if not own:
        raise ConfigError([_empty(file)])
    said = own | {key: value for key, value in over.items() if value is not None}
    if faults := list(_faults(said)):
        raise ConfigError(located(file, text, faults))
    try:
        house = _house(said)
    except ValueError as error:
        fix = 'mend it in [bank], or write money = "off"'
        raise ConfigError(
            located(file, text, [Fault(("bank",), "choices that go together", str(error), fix)])
        ) from None
    if faults := [Fault((key,), *told) for key, *told in (*contradictions(house), *shallow_cut(house))]:
        raise ConfigError(located(file, text, faults))
    return house


def _empty(file: str) -> Problem:
    fix = f'write game = "{PUNTO_BANCO.name}" at least; a key that is absent has its default (`tirage profiles show`)'
    return Problem(file, 1, "", f"the game that it is for, {GAME_NAMES}", "a file without a key", fix)


def _house(said: Mapping[str, Any]) -> House:
    lists = {key: [Remedy.SUPERVISOR] if value == SILENT else value for key, value in said.get("remedies", {}).items()}
    return with_choices(House(), dict(Profile.model_validate({**said, "remedies": lists})))


def _faults(said: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with single keys."""
    name = said.get("game", PUNTO_BANCO.name)
    if name in NAMES:
        yield from strange_switches(name, said)
        yield from faults_of_bank(name, said)
    known = House(game=game_of(name, {})).situations if name in NAMES else SITUATIONS
    for section in BY_ID:
        yield from _by_id(section, said.get(section, {}), known)
    try:
        Profile.model_validate({key: value for key, value in said.items() if key not in BY_ID})
    except ValidationError as error:
        yield from faults_of(Profile, error)


def strange_switches(game: str, said: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield each switch that is one of another game."""
    for key in CHOICES:
        if said.get(key) is not None and key not in READERS[game]:
            owner = next(name for name, readers in READERS.items() if key in readers)
            fix = (
                "take the key out"
                if "game" in said
                else f'write game = "{owner}" if it is for that, or take the key out'
            )
            yield Fault((key,), f"no switch of another game than {game}", f"{key} of {owner}", fix)


def _by_id(section: str, said: object, known: Mapping[str, Situation]) -> Iterator[Fault]:
    if not isinstance(said, dict):
        fix = f"write [{section}] on a line of its own, then the ids"
        yield Fault((section,), "a section", f"{said!r}", fix)
        return
    for ident, value in said.items():
        if ident not in known:
            yield _unknown((section, ident), ident, known)
        elif section == "decides":
            yield from _decider(ident, value)
        elif value != SILENT:
            yield from _remedies(known[ident], value)


def _unknown(path: tuple[str, str], ident: str, known: Mapping[str, Situation]) -> Fault:
    near = get_close_matches(ident, known, n=1)
    elsewhere = ident in SITUATIONS
    other = "take it out, or write the game that it is for" if elsewhere else "take it out"
    fix = other if elsewhere or not near else f"did you mean {near[0]}?"
    came = f"{ident}, which is of another game" if elsewhere else f"the unknown id {ident}"
    return Fault(path, f"one of the ids {', '.join(known)}", came, fix)


def _decider(ident: str, value: object) -> Iterator[Fault]:
    if value not in {post.value for post in Post}:
        yield Fault(("decides", ident), '"dealer" or "supervisor"', _written(value), f'write "{ident}" = "supervisor"')


def _remedies(situation: Situation, value: object) -> Iterator[Fault]:
    lawful = [remedy.value for remedy in situation.remedies if remedy is not Remedy.SUPERVISOR]
    choice = ", ".join(f'"{remedy}"' for remedy in lawful)
    wanted = f'"silent" or a list out of {choice}' if lawful else '"silent"'
    example = f'["{lawful[0]}"]' if lawful else f'"{SILENT}"'
    path = ("remedies", situation.id)
    if not isinstance(value, list) or not value:
        yield Fault(path, wanted, _written(value), f'write "{situation.id}" = {example}')
        return
    for place, remedy in enumerate(value):
        if remedy not in lawful:
            near = get_close_matches(str(remedy), lawful, n=1)
            fix = f'did you mean "{near[0]}"?' if near else f'write "{situation.id}" = {example}'
            yield Fault((*path, place), wanted, _written(remedy), fix)


def _written(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def contradictions(house: House) -> Iterator[tuple[str, str, str, str]]:
    """Yield what no key shows by itself: the key, what was expected, what came, and the fix."""
    name, most = house.game.name, house.game.most_out
    if house.game.asks_taker and house.deal is Deal.FACE_UP:
        fix = 'write deal = "face_down": they look at their cards and choose'
        yield "deal", f'cards dealt "face_down" in {name}', '"face_up"', fix
    if house.game.asks_taker and house.closes is Closes.SHOE:
        fix = 'write closes = "controller": the hand ends when the cards are turned'
        yield "closes", f'hands of {name} closed by "controller"', '"shoe"', fix
    if house.game.asks_taker and house.bets_closed is BetsClosed.OPERATOR:
        fix = 'write bets_closed = "off": the first card closes the stakes where money is kept'
        yield "bets_closed", f'bets that nobody closes by a key ("off") in {name}', '"operator"', fix
    if house.fewest_cards < most:
        fix = f"write fewest_cards = {most}: a hand may take so many"
        yield "fewest_cards", f"{most} cards or more", str(house.fewest_cards), fix


def shallow_cut(house: House) -> Iterator[tuple[str, str, str, str]]:
    """Yield the cut card that lies so near the end that a hand could run out of cards (rules.md C.4)."""
    need = house.fewest_behind_cut
    if house.cut_card_by < need:
        fix = f"write cut_card_by = {need} or more, or let fewer hands begin after it"
        expected = f"{need} cards behind the cut card, as {house.hands_after_cut} hand(s) may begin after it"
        yield "cut_card_by", expected, str(house.cut_card_by), fix
