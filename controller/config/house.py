"""What judges a table, of all that its house has written: its rules, and what its shoe can tell of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.config.model import Config
from controller.config.tables import TableConfig
from controller.config.trust import chosen_of, shoe_in_force
from controller.core.games import PUNTO_BANCO
from controller.core.profile import Burn, BurnTold, Closes, House
from controller.core.signals import Capabilities, Identifies
from controller.profiles import profile, usual
from controller.settings import with_choices
from drivers.shoes import DRIVERS, Chosen

IDENTIFIES = {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL, "auto": Identifies.EITHER}
LACKS = {"results": "announces_result", "burn": "reports_burn", "cut-card": "reports_cut_card"}


def house_of(table: TableConfig) -> House:
    """Return what the house has chosen for a table: its own word, else its profile's, else the game's usual one."""
    chosen: dict[str, Any] = {"decks": table.decks, "deal": table.deal}
    house = with_choices(with_choices(_base(table), chosen), dict(table.rules))
    able = able_of(table)
    if not able.reports_cut_card and table.rules.cut_card_by is None:
        house = replace(house, cut_card_by=0)  # nobody would tell that it showed: `fewest_cards` ends the shoe
    if not able.reports_burn and house.burn is not Burn.NONE:
        house = replace(house, burn_told=BurnTold.COUNT)
    return house


def able_of(table: TableConfig) -> Capabilities:
    """Return what the shoe of a table can tell: what its driver's shoes can, without what the house says it lacks."""
    lacking: dict[str, Any] = {LACKS[word]: False for word in table.shoe.without}
    return replace(DRIVERS[table.shoe.driver].capabilities, **lacking)


def relied_on(table: TableConfig) -> frozenset[str]:
    """Return the capabilities that a table's rules need of its shoe, and its shoe has by its driver and its house."""
    house, able = house_of(table), able_of(table)
    needed = {
        "announces_result": house.closes is Closes.SHOE,
        "reports_burn": house.burn is not Burn.NONE,
        "reports_cut_card": house.cut_card_by > 0,
    }
    return frozenset(name for name, is_needed in needed.items() if is_needed and getattr(able, name))


def chosen_for(config: Config, table: TableConfig) -> Chosen:
    """Return what the driver wants to know to serve a table. Raises KeysError."""
    return replace(chosen_of(shoe_in_force(config, table)), relies_on=relied_on(table))


def _base(table: TableConfig) -> House:
    named, money = table.rules.profile, table.rules.money
    return profile(named, money=money) if named else usual(table.game or PUNTO_BANCO.name, money=money)


def identifies_of(table: TableConfig) -> Identifies:
    """Return when the shoe of a table tells faces."""
    known = DRIVERS[table.shoe.driver].capabilities.identifies
    return IDENTIFIES[table.shoe.mode] if known is Identifies.EITHER else known
