"""Who a shoe says it is, where its protocol lets one ask: device, firmware, and whether it proved that."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.live import Live
from drivers.tirage import Level, LiveShoe

FIRMWARE_BYTES = 4  # of the digest; as much as tells two builds apart by eye


@dataclass(frozen=True, slots=True)
class Identity:
    """A tirage shoe by its answer: 16 and 8 hex digits, the level of the session, and what that proves."""

    device: str
    firmware: str
    level: str
    authentication: str

    def __str__(self) -> str:
        return f"device {self.device}, firmware {self.firmware}, level {self.level}, {self.authentication}"


def can_say(shoe: Live) -> bool:
    """Whether a shoe of this protocol can be asked who it is."""
    return isinstance(shoe, LiveShoe)


def identity_of(shoe: Live) -> Identity | None:
    """Return who let itself be known in the last session; None of a shoe that cannot say so or was not let in."""
    if not isinstance(shoe, LiveShoe) or (hello := shoe.session.hello) is None:
        return None
    proved = hello.level is Level.AUTHENTIC
    firmware = hello.firmware[:FIRMWARE_BYTES].hex()
    return Identity(
        hello.device.hex(), firmware, hello.level.name.lower(), "authenticated" if proved else "UNAUTHENTICATED"
    )
