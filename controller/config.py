"""The configuration: one TOML file for one daemon. What is wrong with it is told by line, with the fix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.configmodel import ANY_ADDRESS, Address, Config, Server, Shoe, TableConfig, TableRules
from controller.configproblems import ConfigError, Fault, Problem, faults_of, located
from controller.configreading import document, text_at
from controller.core.games import PUNTO_BANCO
from controller.core.profile import Burn, BurnTold, Closes, House
from controller.core.signals import Capabilities, Identifies, Names
from controller.profiles import ENDING, beside, profile, usual
from controller.profiles.banking import faults_of_money
from controller.profiles.checking import contradictions, shallow_cut, strange_switches
from controller.settings import SettingsError, house_from_dict, settings_dict, with_choices
from controller.shoekeys import KeysError, read_keys
from controller.tomlplaces import Path as Place
from drivers.ports import PortKind, port_address
from drivers.shoes import DRIVERS, Chosen, Trust
from drivers.tirage import Level

__all__ = [
    "Address",
    "Config",
    "ConfigError",
    "Problem",
    "Server",
    "SettingsError",
    "Shoe",
    "TableConfig",
    "TableRules",
    "chosen_of",
    "house_from_dict",
    "house_of",
    "identifies_of",
    "load",
    "settings_dict",
]

LEVELS = {None: Level.AUTHENTIC, "authentic": Level.AUTHENTIC, "plain": Level.PLAIN}
IDENTIFIES = {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL, "auto": Identifies.EITHER}


def load(path: str | Path) -> Config:
    """Read a configuration, "-" for stdin. A relative data folder lies beside the file.

    Raises ConfigError with every problem.
    """
    text, folder = text_at(path), Path(path).parent
    try:
        config = Config.model_validate(document(path, text))
    except ValidationError as error:
        raise ConfigError(located(str(path), text, faults_of(Config, error))) from None
    if faults := list(_own_profiles(config, folder)):
        raise ConfigError(located(str(path), text, faults))
    config = _beside(config, folder)
    if faults := list(_contradictions(config)):
        raise ConfigError(located(str(path), text, faults))
    return config


def _beside(config: Config, folder: Path) -> Config:
    """Return the configuration with its relative paths seen from where the file lies."""
    tables = tuple(_with_keys(_with_profile(table, folder), folder) for table in config.tables)
    return config.model_copy(update={"data": str(folder / config.data), "tables": tables})


def _with_profile(table: TableConfig, folder: Path) -> TableConfig:
    named = table.rules.profile
    if named is None:
        return table
    return table.model_copy(update={"rules": table.rules.model_copy(update={"profile": beside(folder, named)})})


def _with_keys(table: TableConfig, folder: Path) -> TableConfig:
    if table.shoe.keys is None:
        return table
    return table.model_copy(update={"shoe": table.shoe.model_copy(update={"keys": str(folder / table.shoe.keys)})})


def _own_profiles(config: Config, folder: Path) -> Iterator[Fault]:
    """Yield the house's own profiles that are not there. Raises ConfigError for one with mistakes, by its lines."""
    for place, table in enumerate(config.tables):
        named = table.rules.profile
        if named is None or not named.endswith(ENDING):
            continue
        path = folder / named
        if not path.is_file():
            came = f'"{named}", and there is no file {path}'
            fix = "name a file that is there, by its path from the configuration"
            yield Fault(("tables", place, "rules", "profile"), "a profile that can be read", came, fix)
            continue
        profile(str(path))


def _contradictions(config: Config) -> Iterator[Fault]:
    """What no key shows by itself."""
    yield from _twice(config)
    server = config.server
    if _collide(server.pit, server.metrics):
        yield Fault(("server", "metrics"), "another address than pit", f'"{server.metrics}"', "give one another port")
    yield from _accounts(config)
    yield from _feeds(config)
    for place, table in enumerate(config.tables):
        game_faults = list(_game(place, table))
        yield from game_faults or _shoe(place, table)
    if server.pit.loopback:
        return
    if server.token is None and not config.accounts.enabled:
        came = f'"{server.pit}" and no token'
        fix = "add a token of 16 characters or more to [server], or listen on 127.0.0.1"
        yield Fault(("server", "pit"), "a token where other machines reach the pages", came, fix)
    if server.pit.host in ANY_ADDRESS and not server.hosts:
        fix = 'add the name or address that people type, as hosts = ["pit.example"]'
        yield Fault(("server", "pit"), "the names that browsers will use", f'"{server.pit}" and no hosts', fix)


def _accounts(config: Config) -> Iterator[Fault]:
    """What accounts need: TLS beyond this machine, and no token that would open the pages without a person."""
    accounts, server = config.accounts, config.server
    if accounts.two_persons and not accounts.enabled:
        fix = "set enabled = true in [accounts]: two persons are known by their accounts"
        yield Fault(("accounts", "two_persons"), "accounts that are enabled", "two persons without accounts", fix)
    if not accounts.enabled:
        return
    if server.token is not None:
        fix = "take the token out: people sign in, displays have tokens of their own"
        yield Fault(("server", "token"), "no token beside accounts", "both", fix)
    if not server.pit.loopback and not accounts.https:
        fix = "put a proxy with TLS before it and set https = true in [accounts], or listen on 127.0.0.1"
        yield Fault(("server", "pit"), "TLS where passwords are typed", f'"{server.pit}" without https', fix)


def _game(place: int, table: TableConfig) -> Iterator[Fault]:
    """What a table's game does not go with: a profile of another, or another's switches."""
    named, kept = table.rules.profile, ("tables", place, "rules", "money")
    base = profile(named) if named else usual(table.game or PUNTO_BANCO.name)
    if table.game not in {None, base.game.name}:
        came = f'"{table.game}" with profile "{table.rules.profile}", which is for {base.game.name}'
        fix = f'write game = "{base.game.name}", or name another profile'
        yield Fault(("tables", place, "game"), "the game of its profile", came, fix)
        return
    strange = list(strange_switches(base.game.name, dict(table.rules)))
    for fault in strange:
        yield fault._replace(path=("tables", place, "rules", *fault.path))
    money = list(faults_of_money(base.game.name, table.rules.money, kept))
    yield from money
    try:
        _ = strange or money or house_of(table)
    except ValueError as error:
        fix = 'write money = "off", or mend [bank] in its profile'
        yield Fault(kept, "choices that go together", str(error), fix)


def _shoe(place: int, table: TableConfig) -> Iterator[Fault]:
    """What a table asks of its shoe that the shoe cannot know, and what its choices come to together."""
    shoe, house, driver = table.shoe, house_of(table), DRIVERS[table.shoe.driver]
    named, able = f'driver = "{shoe.driver}"', driver.capabilities
    at: Place = ("tables", place)
    if shoe.mode not in driver.modes:
        modes = " or ".join(f'"{mode}"' for mode in driver.modes)
        came = f'"{shoe.mode}" with {named}'
        yield Fault((*at, "shoe", "mode"), modes, came, "take the key out: this shoe has no such mode")
    if shoe.codes is not None and not driver.has_codes:
        fix = "take the section out: this shoe tells cards without a table of codes"
        yield Fault((*at, "shoe", "codes"), "no codes", f"codes with {named}", fix)
    if shoe.engineering and shoe.driver != "angel-eye":
        fix = "take the key out: nothing can be sent to this shoe"
        yield Fault((*at, "shoe", "engineering"), "a shoe that takes orders", named, fix)
    yield from _trust((*at, "shoe"), shoe)
    if house.game.asks_taker and able.names_seat is not Names.NOT_AT_ALL:
        fix = 'write driver = "line": this shoe names the seats of punto banco'
        yield Fault((*at, "shoe", "driver"), f"a shoe that tells cards only, for {house.game.name}", named, fix)
        return
    yield from _unknowable(at, house, named, able)
    cut = shallow_cut(house) if able.reports_cut_card else ()
    for key, *told in (*contradictions(house), *cut):
        yield Fault((*at, key) if key == "deal" else (*at, "rules", key), *told)


def _trust(at: Place, shoe: Shoe) -> Iterator[Fault]:
    """What a shoe cannot prove, or could not be asked to prove."""
    named = f'driver = "{shoe.driver}"'
    if not DRIVERS[shoe.driver].proves:
        for key in ("level", "keys", "device", "let_down"):
            if (value := getattr(shoe, key)) is not None:
                yield Fault(
                    (*at, key), f"no {key}", f'"{value}" with {named}', "take the key out: this shoe proves nothing"
                )
        return
    if port_address(shoe.port).kind is PortKind.WEDGE:
        yield Fault(
            (*at, "port"), "a line that carries both ways", f'"{shoe.port}" with {named}', "name the shoe's own port"
        )
    if shoe.keys is None:
        if LEVELS[shoe.level] is Level.AUTHENTIC:
            fix = 'add keys = "/etc/tirage/shoe-keys.toml", or level = "plain": the pages then say UNAUTHENTICATED'
            yield Fault((*at, "keys"), "the keys that shoes prove themselves with", "nothing", fix)
        return
    try:
        keys = read_keys(shoe.keys)
    except KeysError as error:
        yield Fault((*at, "keys"), "a file with the keys of the shoes", error.came, error.fix)
        return
    if shoe.device is not None and bytes.fromhex(shoe.device) not in keys and LEVELS[shoe.level] is Level.AUTHENTIC:
        yield Fault((*at, "device"), "a device with a key", f'"{shoe.device}"', f"add its key to {shoe.keys}")


def _unknowable(at: Place, house: House, named: str, able: Capabilities) -> Iterator[Fault]:
    if not able.announces_result and house.closes is Closes.SHOE and not house.game.asks_taker:
        fix = 'write closes = "controller" in [tables.rules]'
        came = f'"shoe" with {named}, which announces no result'
        yield Fault((*at, "rules", "closes"), 'hands closed by "controller"', came, fix)


def _feeds(config: Config) -> Iterator[Fault]:
    """A feed has a name of its own and tables that are there."""
    known, seen = {table.id for table in config.tables}, set[str]()
    for at, feed in enumerate(config.feeds):
        if feed.name in seen:
            yield Fault(("feeds", at, "name"), "a name of its own", f'"{feed.name}" again', "choose another name")
        seen.add(feed.name)
        for missing in sorted(set(feed.tables) - known):
            fix = f"name one of {', '.join(sorted(known))}"
            yield Fault(("feeds", at, "tables"), "tables of this configuration", f'"{missing}"', fix)


def _twice(config: Config) -> Iterator[Fault]:
    seen: set[tuple[int, str]] = set()
    for (_, one), (at, two) in combinations(enumerate(config.tables), 2):
        if one.id == two.id and (at, "id") not in seen:
            yield Fault(("tables", at, "id"), "an id of its own", f'"{two.id}" again', "choose another id")
            seen.add((at, "id"))
        if port_address(one.shoe.port).device == port_address(two.shoe.port).device and (at, "port") not in seen:
            came = f'"{two.shoe.port}", the shoe of table "{one.id}"'
            yield Fault(("tables", at, "shoe", "port"), "a device of its own", came, "name this table's own shoe")
            seen.add((at, "port"))


def _collide(one: Address, two: Address) -> bool:
    if one.port != two.port or one.port == 0:
        return False
    hosts = {"127.0.0.1" if address.host.lower() == "localhost" else address.host for address in (one, two)}
    return len(hosts) == 1 or bool(hosts & ANY_ADDRESS)


def house_of(table: TableConfig) -> House:
    """Return what the house has chosen for a table: its own word, else its profile's, else the game's usual one."""
    chosen: dict[str, Any] = {"decks": table.decks, "deal": table.deal}
    house = with_choices(with_choices(_base(table), chosen), dict(table.rules))
    able = DRIVERS[table.shoe.driver].capabilities
    if not able.reports_cut_card and table.rules.cut_card_by is None:
        house = replace(house, cut_card_by=0)  # nobody would tell that it showed: `fewest_cards` ends the shoe
    if not able.reports_burn and house.burn is not Burn.NONE:
        house = replace(house, burn_told=BurnTold.COUNT)
    return house


def _base(table: TableConfig) -> House:
    named, money = table.rules.profile, table.rules.money
    return profile(named, money=money) if named else usual(table.game or PUNTO_BANCO.name, money=money)


def identifies_of(table: TableConfig) -> Identifies:
    """Return when the shoe of a table tells faces."""
    known = DRIVERS[table.shoe.driver].capabilities.identifies
    return IDENTIFIES[table.shoe.mode] if known is Identifies.EITHER else known


def chosen_of(shoe: Shoe) -> Chosen:
    """Return what the driver wants to know to serve a port, keys included. Raises KeysError."""
    keys = read_keys(shoe.keys) if shoe.keys else {}
    device = bytes.fromhex(shoe.device) if shoe.device else None
    listens = port_address(shoe.port).kind is PortKind.TAP
    let_down = bytes.fromhex(shoe.let_down) if shoe.let_down else None
    return replace(shoe.chosen, trust=Trust(keys, LEVELS[shoe.level], device, listens, let_down))
