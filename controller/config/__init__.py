"""The configuration: one TOML file for one daemon."""

from controller.config.house import chosen_for, house_of, identifies_of
from controller.config.loading import load
from controller.config.model import Config
from controller.config.server import Address, Server
from controller.config.shoe import Shoe
from controller.config.tables import TableConfig, TableRules
from controller.config.trust import LetDown, chosen_of, let_down_of, shoe_in_force
from controller.settings import SettingsError, house_from_dict, settings_dict
from controller.toml.problems import ConfigError, Problem

__all__ = [
    "Address",
    "Config",
    "ConfigError",
    "LetDown",
    "Problem",
    "Server",
    "SettingsError",
    "Shoe",
    "TableConfig",
    "TableRules",
    "chosen_for",
    "chosen_of",
    "house_from_dict",
    "house_of",
    "identifies_of",
    "let_down_of",
    "load",
    "settings_dict",
    "shoe_in_force",
]
