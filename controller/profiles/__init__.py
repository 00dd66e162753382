"""The house profiles that ship with tirage, one TOML file each."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from controller.core.profile import House
from controller.settings import Profile, with_choices


def names() -> tuple[str, ...]:
    """Return the names of the profiles that ship with tirage."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@cache
def profile(name: str) -> House:
    """Return a profile by its name. Raises KeyError for a name that is none of ``names()``."""
    if name not in names():
        raise KeyError(name)
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return with_choices(House(), dict(Profile.model_validate(tomllib.loads(text))))
