"""Each address of the programs' interface and the kind of page that it is (accounts/roles.py).

`board` shows public facts only; what a query asks beyond that is checked by door.py.
"""

from __future__ import annotations

ROOT = "/api/v1"
TABLE = f"{ROOT}/tables/{{table}}"

PUBLIC = "public"  # nobody needs to be known: the description says nothing, and a feed has a token of its own
API_PAGES: dict[str, str] = {
    f"{ROOT}/openapi.json": PUBLIC,
    f"{ROOT}/feeds/{{feed}}/events": PUBLIC,
    f"{ROOT}/tables": "board",
    f"{ROOT}/events": "board",
    TABLE: "board",
    f"{TABLE}/pit": "pit",
    f"{TABLE}/surveillance": "surveillance",
    f"{TABLE}/roads": "board",
    f"{TABLE}/shoes/current": "board",
    f"{TABLE}/shoes/{{shoe}}": "reports",
    f"{TABLE}/hands": "recall",
    f"{TABLE}/hands/{{hand}}": "recall",
    f"{TABLE}/incidents": "incidents",
}
COMMANDS = f"{TABLE}/commands"
OPEN_PAGES = frozenset({PUBLIC, "board", "pit", "recall"})  # without accounts, as the pages are
