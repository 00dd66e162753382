"""The days of a house."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, Field

from controller.settings import STRICT


def zone_name(text: str) -> str:
    """Return the name of a time zone. Raises ValueError for one that this machine does not know."""
    try:
        return text if text == "UTC" else ZoneInfo(text).key
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(text) from error


Zone = Annotated[
    str,
    AfterValidator(zone_name),
    Field(description="a time zone of the IANA list", examples=['"Asia/Macau"']),
]
DayStarts = Annotated[
    str,
    Field(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]$", description="a time of day as HH:MM", examples=['"06:00"']),
]


class HouseConfig(BaseModel):
    """The house's days: its time zone, and when one gaming day ends and the next begins."""

    model_config = STRICT

    zone: Zone = "UTC"
    day_starts: DayStarts = "00:00"
