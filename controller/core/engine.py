"""The table with every handler and ruling in its place: import `Table` from here."""

from controller.core import errors, housekeeping, keying, laying, link, results, rulings, settling, shoelife
from controller.core.table import HANDLERS, Link, Table

__all__ = [
    "HANDLERS", "Link", "Table", "errors", "housekeeping", "keying", "laying", "link", "results", "rulings", "settling",
    "shoelife",
]  # fmt: skip
