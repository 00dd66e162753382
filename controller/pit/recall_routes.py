"""Each route of recall and the kind of page that it is (accounts/roles.py).

Without accounts `recall` is as open as the dealer's page, for it shows no more of closed hands than players saw; all
the others are open to this machine and to the token.
"""

from __future__ import annotations

RECALL_ROUTES: dict[str, str] = {
    "/table/{table}/hand": "recall",
    "/table/{table}/hand/{hand:int}": "recall",
    "/table/{table}/hand/{ref}": "recall",
    "/table/{table}/shoe": "reports",
    "/table/{table}/shoe/{shoe:int}": "reports",
    "/table/{table}/shoe/{shoe:int}.csv": "reports",
    "/table/{table}/shoe/{shoe:int}.json": "reports",
    "/table/{table}/shoe/{shoe:int}/incidents.csv": "incidents",
    "/table/{table}/shoe/{shoe:int}/incidents.json": "incidents",
    "/surveillance/{table}/hand": "surveillance",
    "/surveillance/{table}/hand/{hand:int}": "surveillance",
    "/surveillance/{table}/hand/{ref}": "surveillance",
    "/surveillance/{table}/history": "surveillance",
    "/surveillance/{table}/line": "surveillance",
}
OPEN_PAGES = frozenset({"recall"})
