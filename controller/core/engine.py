"""The table with every handler in its place: import `Table` from here."""

from controller.core import errors, laying, link, results, rulings, shoelife
from controller.core.table import HANDLERS, Link, Table

__all__ = ["HANDLERS", "Link", "Table", "errors", "laying", "link", "results", "rulings", "shoelife"]
