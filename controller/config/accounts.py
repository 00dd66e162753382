"""Whether people sign in, how strictly, and for which acts two of them are needed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from controller.accounts.roles import DUAL
from controller.config.kinds import Switch
from controller.settings import STRICT


def dual_act(text: str) -> str:
    """Return the kind of an act that two persons may be asked for. Raises ValueError."""
    if text not in DUAL:
        raise ValueError(text)
    return text


Policy = Annotated[Literal["modern", "gaming"], Field(description='"modern" or "gaming"', examples=['"modern"'])]
DualAct = Annotated[
    str,
    AfterValidator(dual_act),
    Field(description=f"acts that two persons may be asked for: {', '.join(sorted(DUAL))}", examples=['["void"]']),
]
DualActs = Annotated[
    tuple[DualAct, ...],
    Field(strict=False, description=f"a list out of {', '.join(sorted(DUAL))}", examples=['["void"]']),
]


class Accounts(BaseModel):
    """Whether people sign in, how strictly, and for which acts two of them are needed."""

    model_config = STRICT

    enabled: Switch = False
    https: Switch = False  # browsers reach the pages by TLS, through a proxy
    auth_policy: Policy = "modern"
    two_persons: DualActs = ()
