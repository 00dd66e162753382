"""The shoe of a table: its driver, its port, how it is preset, and what it must prove."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, PlainValidator

from controller.config.kinds import Switch
from controller.settings import STRICT
from drivers.line import code_table
from drivers.ports import PORTS, port_address
from drivers.shoes import DRIVERS, Chosen


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
CardsPerSecond = Annotated[
    int, Field(strict=True, ge=1, le=1000, description="a whole number from 1 to 1000", examples=["40"])
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
Lacks = Annotated[
    tuple[Literal["results", "burn", "cut-card"], ...],
    Field(strict=False, description='a list out of "results", "burn", "cut-card"', examples=['["burn"]']),
]
Mode = Annotated[
    Literal["open", "hidden", "auto"], Field(description='"open", "hidden" or "auto"', examples=['"hidden"'])
]
OrderCheck = Annotated[
    Literal["with-stx", "without-stx"],
    Field(description='"with-stx" or "without-stx"', examples=['"with-stx"']),
]


class Shoe(BaseModel):
    """The shoe of a table. ``mode`` is how the shoe itself is preset, ``codes`` what a line shoe's codes mean.

    ``engineering`` allows `tirage order`; ``order_check`` is what the check of such an order covers.
    ``level``, ``keys`` and ``device`` say which tirage shoe may speak, and how it must prove itself; ``let_down`` names
    one that may speak with less than it proved before; ``without`` says what it cannot tell of what such shoes can.
    ``cards_per_second`` is the most that a hand draws from it: a device that goes on above that is cut off.
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
    without: Lacks = ()
    cards_per_second: CardsPerSecond | None = None

    @property
    def chosen(self) -> Chosen:
        """What the driver wants to know to read what was recorded."""
        return Chosen(self.mode, self.codes, cards_per_second=self.cards_per_second)
