"""The table with every handler and ruling in its place: import `Table` from here."""

from controller.core import (
    entering,
    errors,
    host,
    housekeeping,
    keying,
    laying,
    link,
    relaying,
    results,
    rulings,
    settling,
    shoelife,
    taking,
)
from controller.core.remedies import ruling as remedies
from controller.core.table import HANDLERS, Link, Table

__all__ = [
    "HANDLERS",
    "Link",
    "Table",
    "entering",
    "errors",
    "host",
    "housekeeping",
    "keying",
    "laying",
    "link",
    "relaying",
    "remedies",
    "results",
    "rulings",
    "settling",
    "shoelife",
    "taking",
]
