"""The configuration: one TOML file for one daemon. What is wrong with it is told by line, with the fix."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.configmodel import ANY_ADDRESS, Address, Config, Server, Shoe, TableConfig, TableRules
from controller.configproblems import ConfigError, Fault, Problem, faults_of, located
from controller.core.profile import Closes, Deal, House
from controller.core.signals import Identifies, Names
from controller.profiles import profile
from controller.settings import SettingsError, house_from_dict, settings_dict, with_choices
from drivers.ports import port_address
from drivers.shoes import DRIVERS

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
    "house_from_dict",
    "house_of",
    "identifies_of",
    "load",
    "settings_dict",
]

IDENTIFIES = {"open": Identifies.AT_DRAW, "hidden": Identifies.AT_REVEAL, "auto": Identifies.EITHER}
SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


def load(path: str | Path) -> Config:
    """Read a configuration, "-" for stdin. A relative data folder lies beside the file.

    Raises ConfigError with every problem.
    """
    text = _text(path)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_syntax(path, text, str(error))]) from None
    try:
        config = Config.model_validate(document)
    except ValidationError as error:
        raise ConfigError(located(str(path), text, faults_of(Config, error))) from None
    if faults := list(_contradictions(config)):
        raise ConfigError(located(str(path), text, faults))
    return config.model_copy(update={"data": str(Path(path).parent / config.data)})


def _text(path: str | Path) -> str:
    wanted = "a configuration that can be read"
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        came = (error.strerror or str(error)).lower()
        raise ConfigError(
            [Problem(str(path), None, "", wanted, came, "name a file that is there and readable")]
        ) from None
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        came = f"the byte 0x{content[error.start]:02x}"
        raise ConfigError([Problem(str(path), line, "", "text in UTF-8", came, "save the file as UTF-8")]) from None


def _syntax(path: str | Path, text: str, message: str) -> Problem:
    found = SYNTAX.fullmatch(message)
    what = found["what"] if found else message
    line = int(found["line"]) if found and found["line"] else text.count("\n") + (not text.endswith("\n"))
    written = text.split("\n")[line - 1].strip() if line else ""
    fix = "write key = value, texts in double quotes, sections as [name]"
    return Problem(str(path), line, "", "TOML", f"`{written}` ({what[:1].lower()}{what[1:]})", fix)


def _contradictions(config: Config) -> Iterator[Fault]:
    """What no key shows by itself."""
    yield from _twice(config)
    server = config.server
    if _collide(server.pit, server.metrics):
        yield Fault(("server", "metrics"), "another address than pit", f'"{server.metrics}"', "give one another port")
    yield from _accounts(config)
    yield from _feeds(config)
    for place, table in enumerate(config.tables):
        yield from _shoe(place, table)
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


def _shoe(place: int, table: TableConfig) -> Iterator[Fault]:
    """What a table asks of its shoe that the shoe cannot know."""
    shoe, house, driver = table.shoe, house_of(table), DRIVERS[table.shoe.driver]
    named = f'driver = "{shoe.driver}"'
    if shoe.mode not in driver.modes:
        modes = " or ".join(f'"{mode}"' for mode in driver.modes)
        came = f'"{shoe.mode}" with {named}'
        yield Fault(("tables", place, "shoe", "mode"), modes, came, "take the key out: this shoe has no such mode")
    if shoe.codes is not None and not driver.has_codes:
        fix = "take the section out: this shoe tells cards without a table of codes"
        yield Fault(("tables", place, "shoe", "codes"), "no codes", f"codes with {named}", fix)
    if driver.capabilities.names_seat is Names.NOT_AT_ALL and house.deal is Deal.FACE_DOWN:
        fix = 'write deal = "face_up": where a third card lies follows from faces that all have seen'
        came = f'"face_down" with {named}, which names no seat'
        yield Fault(("tables", place, "deal"), 'cards dealt "face_up"', came, fix)
    if not driver.capabilities.announces_result and house.closes is Closes.SHOE:
        fix = 'write closes = "controller" in [tables.rules]'
        came = f'"shoe" with {named}, which announces no result'
        yield Fault(("tables", place, "rules", "closes"), 'hands closed by "controller"', came, fix)


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
    """Return what the house has chosen for a table: its own word, else its profile's, else the default."""
    house = profile(table.rules.profile) if table.rules.profile else House()
    chosen: dict[str, Any] = {"decks": table.decks, "deal": table.deal, "game": table.game}
    return with_choices(with_choices(house, chosen), dict(table.rules))


def identifies_of(table: TableConfig) -> Identifies:
    """Return when the shoe of a table tells faces."""
    known = DRIVERS[table.shoe.driver].capabilities.identifies
    return IDENTIFIES[table.shoe.mode] if known is Identifies.EITHER else known
