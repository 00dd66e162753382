"""Tables as CSV (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""Return a table with its head as CSV.

    >>> csv_text(("a", "b"), [(1, "x, y")])
    'a,b\r\n1,"x, y"\r\n'
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
