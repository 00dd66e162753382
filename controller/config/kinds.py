"""Kinds of values that several sections have: a description says what a key may be, an example how it is written."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

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
Slugs = Annotated[
    tuple[Slug, ...],
    Field(strict=False, description="a list of tables' ids", examples=['["b1"]']),
]
Switch = Annotated[bool, Field(description="true or false", examples=["true"])]
Token = Annotated[
    str,
    Field(
        min_length=16,
        pattern=r"^[!-~]+$",
        description="a secret of 16 characters or more, without spaces",
        examples=['"..." (`openssl rand -hex 16` makes one)'],
    ),
]
