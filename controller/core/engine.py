"""The table with every handler and ruling in its place: import `Table` from here."""

from controller.core import (
    entering,
    errors,
    housekeeping,
    keying,
    laying,
    link,
    relaying,
    results,
    rulings,
    settling,
    shoelife,
)
from controller.core.table import HANDLERS, Link, Table

__all__ = [
    "HANDLERS",
    "Link",
    "Table",
    "entering",
    "errors",
    "housekeeping",
    "keying",
    "laying",
    "link",
    "relaying",
    "results",
    "rulings",
    "settling",
    "shoelife",
]
