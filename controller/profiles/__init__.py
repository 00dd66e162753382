"""The house profiles that ship with tirage, one TOML file each, and those that a house writes itself."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from controller.core.bank import Money
from controller.core.profile import House
from controller.profiles.checking import house_in
from controller.toml.reading import text_at

ENDING = ".toml"  # a name that ends so is a file of the house's own
USUAL = {"chemin-de-fer": "chemin_tableau", "banque": "banque_foster"}  # of a table that names no profile


def names() -> tuple[str, ...]:
    """Return the names of the profiles that ship with tirage."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(file.name.removesuffix(ENDING) for file in files if file.name.endswith(ENDING)))


def text_of(name: str) -> str:
    """Return a profile as it is written, by its name or the path of a house's own file.

    Raises KeyError for a name that is none of ``names()``, ConfigError for a file that cannot be read.
    """
    if name.endswith(ENDING):
        return text_at(name, "a profile that can be read")
    if name not in names():
        raise KeyError(name)
    return resources.files(__name__).joinpath(name + ENDING).read_text(encoding="utf-8")


def profile(name: str, *, money: Money | None = None) -> House:
    """Return a profile by its name or path; ``money`` says how much of it a table keeps, where it says so itself.

    Raises KeyError for a name that is none of ``names()``, ConfigError for a house's own file with mistakes.
    """
    return house_in(name, text_of(name), money=money.value if money else None)


def usual(game: str, *, money: Money | None = None) -> House:
    """Return the house of a table that names no profile."""
    return profile(USUAL[game], money=money) if game in USUAL else House()


def beside(folder: Path, name: str) -> str:
    """Return a profile's name as it is, and the path of a file seen from where it was named."""
    return str(folder / name) if name.endswith(ENDING) else name
