"""A whole configuration, made of its sections."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from controller.config.accounts import Accounts
from controller.config.days import HouseConfig
from controller.config.kinds import Slug, Slugs, Token
from controller.config.server import Server
from controller.config.tables import Tables
from controller.settings import STRICT

Folder = Annotated[
    str, Field(pattern=r"^[^~\s\x00][^\x00]*$", description="a folder's path", examples=['"/var/lib/tirage"'])
]
DelayS = Annotated[
    float,
    Field(ge=0, le=3600, strict=False, description="seconds from 0 to 3600", examples=["300"]),
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
