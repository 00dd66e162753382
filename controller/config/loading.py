"""A configuration, read from its file: what is wrong with it is told by line, with the fix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from controller.config.checking import contradictions
from controller.config.model import Config
from controller.config.tables import TableConfig
from controller.profiles import ENDING, beside, profile
from controller.toml.problems import ConfigError, Fault, faults_of, located
from controller.toml.reading import document, text_at


def load(path: str | Path) -> Config:
    """Read a configuration, "-" for stdin. A relative data folder lies beside the file.

    Raises ConfigError with every problem.
    """
    text, folder = text_at(path), Path(path).parent
    try:
        config = Config.model_validate(document(path, text))
    except ValidationError as error:
        raise ConfigError(located(str(path), text, faults_of(Config, error))) from None
    if faults := list(_own_profiles(config, folder)):
        raise ConfigError(located(str(path), text, faults))
    config = _beside(config, folder)
    if faults := list(contradictions(config)):
        raise ConfigError(located(str(path), text, faults))
    return config


def _beside(config: Config, folder: Path) -> Config:
    """Return the configuration with its relative paths seen from where the file lies."""
    tables = tuple(_with_keys(_with_profile(table, folder), folder) for table in config.tables)
    return config.model_copy(update={"data": str(folder / config.data), "tables": tables})


def _with_profile(table: TableConfig, folder: Path) -> TableConfig:
    named = table.rules.profile
    if named is None:
        return table
    return table.model_copy(update={"rules": table.rules.model_copy(update={"profile": beside(folder, named)})})


def _with_keys(table: TableConfig, folder: Path) -> TableConfig:
    if table.shoe.keys is None:
        return table
    return table.model_copy(update={"shoe": table.shoe.model_copy(update={"keys": str(folder / table.shoe.keys)})})


def _own_profiles(config: Config, folder: Path) -> Iterator[Fault]:
    """Yield the house's own profiles that are not there. Raises ConfigError for one with mistakes, by its lines."""
    for place, table in enumerate(config.tables):
        named = table.rules.profile
        if named is None or not named.endswith(ENDING):
            continue
        path = folder / named
        if not path.is_file():
            came = f'"{named}", and there is no file {path}'
            fix = "name a file that is there, by its path from the configuration"
            yield Fault(("tables", place, "rules", "profile"), "a profile that can be read", came, fix)
            continue
        profile(str(path))
