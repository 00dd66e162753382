"""The keys of the configuration, as models. A key's description says what it may be, its example how it is written."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, Field, PlainValidator

from controller.accounts.roles import DUAL
from controller.profiles import ENDING, names
from controller.settings import STRICT, DealName, Decks, Game, Rules
from drivers.line import code_table
from drivers.ports import PORTS, port_address
from drivers.shoes import DRIVERS, Chosen

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
ADDRESS = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[A-Za-z0-9.-]+)):(?P<port>\d{1,5})")
LAST_PORT = 65_535
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


class Address(NamedTuple):
    """Where a server listens; port 0 is any free one."""

    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address_of(text: object) -> Address:
    """Read `host:port` or `[::1]:port`. Raises ValueError.

    >>> address_of("[::1]:8080")
    Address(host='::1', port=8080)
    """
    found = ADDRESS.fullmatch(text) if isinstance(text, str) else None
    if found is None or int(found["port"]) > LAST_PORT:
        raise ValueError(text)
    return Address(found["six"] or found["host"], int(found["port"]))


def host_name(text: str) -> str:
    """Return a host name or an IP address. Raises ValueError.

    >>> host_name("Pit.Example"), host_name("::1")
    ('pit.example', '::1')
    """
    return text.lower() if NAME.fullmatch(text) else str(ip_address(text))


def at_least_one(tables: tuple[TableConfig, ...]) -> tuple[TableConfig, ...]:
    """Return the tables. Raises ValueError where there is none."""
    if not tables:
        raise ValueError("no table")
    return tables


def port_text(text: str) -> str:
    """Return how a port is written. Raises ValueError for what is no port."""
    port_address(text)
    return text


def codes_of(value: object) -> dict[str, str]:
    """Return the codes of a house's decks, code to card. Raises ValueError, CodesError."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise ValueError(value)
    code_table(value)
    return value


def usual_baud(shoe: dict[str, Any]) -> Any:
    """Return the speed that a driver's shoes usually have, of those that a configuration may name."""
    known = DRIVERS.get(shoe.get("driver", ""))
    return known.baud if known else 4800


def profile_name(text: str) -> str:
    """Return the name of a profile that is there, or the path of one. Raises ValueError."""
    if text not in names() and not text.endswith(ENDING):
        raise ValueError(text)
    return text


def zone_name(text: str) -> str:
    """Return the name of a time zone. Raises ValueError for one that this machine does not know."""
    try:
        return text if text == "UTC" else ZoneInfo(text).key
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(text) from error


def dual_act(text: str) -> str:
    """Return the kind of an act that two persons may be asked for. Raises ValueError."""
    if text not in DUAL:
        raise ValueError(text)
    return text


Listening = Annotated[
    Address,
    PlainValidator(address_of),
    Field(description="an address as host:port, the port up to 65535", examples=['"127.0.0.1:8080"']),
]
Text = Annotated[
    str, Field(min_length=1, max_length=60, description="a text of 1 to 60 characters", examples=['"Baccarat 1"'])
]
Slug = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$",
        description="1 to 32 small letters, digits and hyphens, none of these at an end",
        examples=['"b1"'],
    ),
]
Folder = Annotated[
    str, Field(pattern=r"^[^~\s\x00][^\x00]*$", description="a folder's path", examples=['"/var/lib/tirage"'])
]
HostName = Annotated[
    str,
    AfterValidator(host_name),
    Field(description="a host name or IP address, without a port", examples=['"pit.example"']),
]
HostNames = Annotated[
    tuple[HostName, ...],
    Field(strict=False, description="a list of host names without ports", examples=['["pit.example"]']),
]
Token = Annotated[
    str,
    Field(
        min_length=16,
        pattern=r"^[!-~]+$",
        description="a secret of 16 characters or more, without spaces",
        examples=['"..." (`openssl rand -hex 16` makes one)'],
    ),
]
Port = Annotated[
    str,
    AfterValidator(port_text),
    Field(
        description=PORTS,
        examples=['"/dev/serial/by-id/..." (`tirage devices` lists them)'],
    ),
]
Codes = Annotated[
    dict[str, str],
    PlainValidator(codes_of),
    Field(
        description="a section [tables.shoe.codes] with one code or more for each of the 52 cards",
        examples=['[tables.shoe.codes], then lines such as "0012" = "AS"'],
    ),
]
Baud = Annotated[
    Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200],
    Field(description="one of 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200", examples=["4800"]),
]
DriverName = Annotated[
    Literal["angel-eye", "line", "tirage"],
    Field(description='"angel-eye", "line" or "tirage"', examples=['"angel-eye"']),
]
TrustLevel = Annotated[
    Literal["authentic", "plain"], Field(description='"authentic" or "plain"', examples=['"authentic"'])
]
KeyFile = Annotated[
    str,
    Field(
        pattern=r"^[^~\s\x00][^\x00]*$",
        description="the path of a file with the keys of the shoes",
        examples=['"/etc/tirage/shoe-keys.toml"'],
    ),
]
DeviceId = Annotated[
    str,
    Field(
        pattern=r"^[0-9a-f]{16}$",
        description="a device as 16 hex digits in small letters",
        examples=['"0102030405060708"'],
    ),
]
Mode = Annotated[
    Literal["open", "hidden", "auto"], Field(description='"open", "hidden" or "auto"', examples=['"hidden"'])
]
OrderCheck = Annotated[
    Literal["with-stx", "without-stx"],
    Field(description='"with-stx" or "without-stx"', examples=['"with-stx"']),
]
ProfileName = Annotated[
    str,
    AfterValidator(profile_name),
    Field(
        description=f"one of the profiles {', '.join(names())}, or the path of your own file, ending in {ENDING}",
        examples=['"house_burn"'],
    ),
]

Zone = Annotated[
    str,
    AfterValidator(zone_name),
    Field(description="a time zone of the IANA list", examples=['"Asia/Macau"']),
]
DayStarts = Annotated[
    str,
    Field(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]$", description="a time of day as HH:MM", examples=['"06:00"']),
]
Policy = Annotated[Literal["modern", "gaming"], Field(description='"modern" or "gaming"', examples=['"modern"'])]
Switch = Annotated[bool, Field(description="true or false", examples=["true"])]
DualAct = Annotated[
    str,
    AfterValidator(dual_act),
    Field(description=f"acts that two persons may be asked for: {', '.join(sorted(DUAL))}", examples=['["void"]']),
]
DelayS = Annotated[
    float,
    Field(ge=0, le=3600, strict=False, description="seconds from 0 to 3600", examples=["300"]),
]
Slugs = Annotated[
    tuple[Slug, ...],
    Field(strict=False, description="a list of tables' ids", examples=['["b1"]']),
]
DualActs = Annotated[
    tuple[DualAct, ...],
    Field(strict=False, description=f"a list out of {', '.join(sorted(DUAL))}", examples=['["void"]']),
]


class Server(BaseModel):
    """Where the pages and the metrics are served, for which host names, and the token other machines need."""

    model_config = STRICT

    pit: Listening = Address("127.0.0.1", 8080)
    metrics: Listening = Field(default=Address("127.0.0.1", 9464), examples=['"127.0.0.1:9464"'])
    hosts: HostNames = ()
    token: Token | None = Field(default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The host names that browsers may use besides loopback: those given, and the address listened on."""
        own = () if self.pit.host in ANY_ADDRESS else (self.pit.host.lower(),)
        return tuple(dict.fromkeys((*self.hosts, *own)))


class HouseConfig(BaseModel):
    """The house's days: its time zone, and when one gaming day ends and the next begins."""

    model_config = STRICT

    zone: Zone = "UTC"
    day_starts: DayStarts = "00:00"


class Accounts(BaseModel):
    """Whether people sign in, how strictly, and for which acts two of them are needed."""

    model_config = STRICT

    enabled: Switch = False
    https: Switch = False  # browsers reach the pages by TLS, through a proxy
    auth_policy: Policy = "modern"
    two_persons: DualActs = ()


class Shoe(BaseModel):
    """The shoe of a table. ``mode`` is how the shoe itself is preset, ``codes`` what a line shoe's codes mean.

    ``engineering`` allows `tirage order`; ``order_check`` is what the check of such an order covers.
    ``level``, ``keys`` and ``device`` say which tirage shoe may speak, and how it must prove itself; ``let_down`` names
    one that may speak with less than it proved before.
    """

    model_config = STRICT

    driver: DriverName
    port: Port
    baud: Baud = Field(default_factory=usual_baud)
    mode: Mode = "auto"
    codes: Codes | None = None
    engineering: Switch = False
    order_check: OrderCheck = "with-stx"
    level: TrustLevel | None = None
    keys: KeyFile | None = None
    device: DeviceId | None = None
    let_down: DeviceId | None = None

    @property
    def chosen(self) -> Chosen:
        """What the driver wants to know to read what was recorded."""
        return Chosen(self.mode, self.codes)


class TableRules(Rules):
    """The rules of a table: a profile, and what the house chooses otherwise."""

    profile: ProfileName | None = None


class TableConfig(BaseModel):
    """One table. ``game``, ``decks`` and ``deal`` are the profile's where they are None."""

    model_config = STRICT

    id: Slug
    name: Text
    game: Game | None = None
    decks: Decks | None = None
    deal: DealName | None = None
    shoe: Annotated[Shoe, Field(description="a section [tables.shoe]", examples=["[tables.shoe]"])]
    rules: TableRules = TableRules()


Tables = Annotated[
    tuple[TableConfig, ...],
    AfterValidator(at_least_one),
    Field(strict=False, description="a section [[tables]] for each table", examples=["[[tables]]"]),
]


class FeedConfig(BaseModel):
    """Public facts for a program outside the house, ``delay_s`` late; of all tables where none is named."""

    model_config = STRICT

    name: Slug
    token: Annotated[Token, Field(repr=False)]
    tables: Slugs = ()
    delay_s: DelayS = 0.0


Feeds = Annotated[
    tuple[FeedConfig, ...],
    Field(strict=False, description="a section [[feeds]] for each feed", examples=["[[feeds]]"]),
]


class Config(BaseModel):
    """A whole configuration."""

    model_config = STRICT

    data: Folder
    house: HouseConfig = HouseConfig()
    server: Server = Server()
    accounts: Accounts = Accounts()
    tables: Tables
    feeds: Feeds = ()

    @property
    def data_folder(self) -> Path:
        """Where journals and raw bytes are kept."""
        return Path(self.data)
