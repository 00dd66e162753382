"""Phases of a table, each reached by its shoe and its people, and what an answer to a command must be."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib import resources

from controller.core.inputs import Act, BlindHands, CloseShoe, NewHand
from controller.core.profile import Closes, Deal
from controller.core.signals import Call, ErrorRaised, Fault, PoweredUp
from controller.core.snapshot import taken
from tests.rules.cloth import Cloth

FIRST = {"punto-banco": "2C 3D 4H 2S", "chemin_tableau": "2C 3D 4H 2S", "foster": "2C 3D 4H 2S 2D 3H"}
FIRST |= {"chemin_free": FIRST["chemin_tableau"], "las_vegas": FIRST["foster"]}
OLD = tuple(game for game in FIRST if game != "punto-banco")
Setting = Callable[[Cloth], Cloth]


def some(count: int | None) -> Setting:
    """The first so many cards of the deal; None for all of them."""
    return lambda cloth: cloth.cards(" ".join(FIRST[cloth.name].split()[:count]))


def held(cloth: Cloth) -> Cloth:
    """The shoe cannot read a card after the deal."""
    cloth = some(None)(cloth)
    cloth.hear(ErrorRaised(Fault.CANNOT_READ, 1, error_mode=True))
    return cloth


def asked(cloth: Cloth) -> Cloth:
    """The shoe started again in mid-hand, and said a card since."""
    cloth = some(2)(cloth)
    cloth.hear(PoweredUp())
    return cloth.cards("9C")


def between(cloth: Cloth) -> Cloth:
    tie = Call.TIE_TIE if len(cloth.table.game.sides) == 2 else Call.TIE
    assert cloth.press(BlindHands((tie,)), "") == ""
    return cloth


def unsettled(cloth: Cloth) -> Cloth:
    """An earlier hand waits for a person while the next one is begun."""
    cloth = held(cloth)
    cloth.hear(PoweredUp())
    assert cloth.press(NewHand()) == ""
    return some(1)(cloth)


def shoe_closed(cloth: Cloth) -> Cloth:
    assert between(cloth).press(CloseShoe(), "") == ""
    return cloth


PHASES: dict[str, Setting] = {
    "fresh": lambda cloth: cloth,
    "begun": some(1),
    "nearly-dealt": some(-1),
    "dealt": some(None),
    "drawn": lambda cloth: some(None)(cloth).cards("9C"),
    "ended": lambda cloth: some(None)(cloth).cards("9C").close(),  # of the old games: who took the nine?
    "held": held,
    "asked": asked,
    "between": between,
    "unsettled": unsettled,
    "shoe-closed": shoe_closed,
}
NO_ENDED = {"punto-banco": {"ended"}}  # nobody has to say whose a card is: turned, the hand goes on by the table


def dealt_open(game: str) -> Cloth:
    """A table of this game; punto banco face up, and closed by the shoe's own result."""
    return Cloth(game) if game in OLD else Cloth(game, deal=Deal.FACE_UP, closes=Closes.SHOE)


def sentences() -> list[dict[str, str]]:
    read = (resources.files("controller") / "sentences" / f"{name}.toml" for name in ("en", "zh-Hans", "zh-Hant"))
    return [tomllib.loads(file.read_text("utf-8"))["rejected"] for file in read]


SAID = sentences()


def answered(cloth: Cloth, act: Act, *, meant: bool) -> None:
    """Give the act for the open hand and look at what came of it."""
    before, told = state(cloth), len(cloth.facts)
    why = cloth.press(act)
    assert (why == "") == meant, why or "taken"
    if meant:
        assert len(cloth.facts) > told + 1 or state(cloth) != before, "taken, and nothing came of it"
        return
    assert all(texts.get(why) for texts in SAID), why
    assert state(cloth) == before
    assert len(cloth.facts) == told + 1


def state(cloth: Cloth) -> dict[str, object]:
    return {name: value for name, value in taken(cloth.table).items() if name != "commands"}
