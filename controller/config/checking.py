"""What no key of a configuration shows by itself: sections that contradict each other, or ask what cannot be had."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from controller.config.house import able_of, house_of
from controller.config.model import Config
from controller.config.server import ANY_ADDRESS, Address
from controller.config.tables import TableConfig
from controller.config.trust import trust_faults
from controller.core.games import PUNTO_BANCO
from controller.core.profile import Closes, House
from controller.core.signals import Capabilities, Names
from controller.profiles import checking as rules
from controller.profiles import profile, usual
from controller.profiles.banking import faults_of_money
from controller.toml.places import Path as Place
from controller.toml.problems import Fault
from drivers.ports import port_address
from drivers.shoes import DRIVERS


def contradictions(config: Config) -> Iterator[Fault]:
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
    strange = list(rules.strange_switches(base.game.name, dict(table.rules)))
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
    named, able = f'driver = "{shoe.driver}"', able_of(table)
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
    if shoe.without and not driver.proves:
        fix = "take the key out: what this shoe tells is known"
        yield Fault((*at, "shoe", "without"), "a shoe that says what it can", named, fix)
    yield from trust_faults((*at, "shoe"), shoe)
    if house.game.asks_taker and able.names_seat is not Names.NOT_AT_ALL:
        fix = 'write driver = "line": this shoe names the seats of punto banco'
        yield Fault((*at, "shoe", "driver"), f"a shoe that tells cards only, for {house.game.name}", named, fix)
        return
    yield from _unknowable(at, house, named, able)
    cut = rules.shallow_cut(house) if able.reports_cut_card else ()
    for key, *told in (*rules.contradictions(house), *cut):
        yield Fault((*at, key) if key == "deal" else (*at, "rules", key), *told)


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
