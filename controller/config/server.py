"""Where the pages and the metrics are served, and for whom."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, Field, PlainValidator

from controller.config.kinds import Token
from controller.settings import STRICT

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


Listening = Annotated[
    Address,
    PlainValidator(address_of),
    Field(description="an address as host:port, the port up to 65535", examples=['"127.0.0.1:8080"']),
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
