"""By what a capture is read and judged: the shoe's protocol as it is preset, and the choices of the house."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.core.games import Game
from controller.core.profile import BetsClosed, Deal, House, NewShoes
from controller.sources.keys import Keys
from controller.sources.unattended import NOBODY, house_of
from drivers.shoes import DRIVERS, Chosen

ANGEL_EYE, LINE = "angel-eye", "line"
AS_USUAL = Chosen()


@dataclass(frozen=True, slots=True)
class Setting:
    """A house, the name of its shoe's driver, and how that shoe is preset."""

    house: House
    driver: str
    chosen: Chosen = AS_USUAL

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.house.game

    @property
    def needs_keys(self) -> bool:
        """Whether only people tell when a hand is over, so that nothing can be judged without their keys."""
        told = DRIVERS[self.driver].capabilities.announces_result
        return self.game.asks_taker or (not told and self.house.deal is Deal.FACE_DOWN)

    def judging(self, keys: Keys | None) -> House:
        """Return the house that judges a capture: the table's own, but no money where nobody keyed any."""
        kept = keys is not None and keys.keep_money
        return self.house if kept else replace(self.house, money=NOBODY.money)


def usual(game: Game, decks: int | None = None) -> Setting:
    """Return the setting of a game without a configuration: an Angel Eye names seats and results of punto banco alone.

    ``decks`` None is as many as the game usually has.
    """
    return Setting(house_of(game, decks), LINE if game.asks_taker else ANGEL_EYE)


def of_house(house: House, driver: str, chosen: Chosen, decks: int | None = None) -> Setting:
    """Return the setting of a house's own table; nobody is in a capture to confirm a shoe, close bets or say why."""
    counted = house.decks if decks is None else decks
    alone = replace(house, new_shoe=NewShoes.WIRE, bets_closed=BetsClosed.OFF, reason_needed=(), decks=counted)
    return Setting(alone, driver, chosen)
