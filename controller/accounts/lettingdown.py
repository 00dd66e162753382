"""Two persons for a shoe that may speak with less than it proved before: what they said, as the access log keeps it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from controller.accounts.accesslog import FILE_NAME, Flaw, read
from controller.accounts.errors import AccountsError
from controller.accounts.roles import LETTING_DOWN
from controller.accounts.store import Account

ACT = "let_down"
ASKED, GIVEN = "approval-asked", "approval-given"
COUNTS_FOR = timedelta(days=30)  # an exception: whoever needs it longer says so again


@dataclass(frozen=True, slots=True)
class Wish:
    """That a device, 16 hex digits, may speak with less at a table than it proved before."""

    table: str
    device: str

    @property
    def hash(self) -> str:
        """The sha256 that stands in the record of either person."""
        asked = {"act": ACT, "device": self.device, "table": self.table}
        return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def told(self, approval: str, first: str) -> tuple[tuple[str, str], ...]:
        """Return what both records hold."""
        return (
            ("approval", approval),
            ("table", self.table),
            ("act", ACT),
            ("device", self.device),
            ("hash", self.hash),
            ("first", f"staff:{first}"),
        )


def check_two(first: Account, second: Account) -> None:
    """Refuse one person twice, and roles that may not.

    Raises AccountsError.
    """
    if first.number == second.number:
        raise AccountsError("nobody is their own second person: two are needed")
    for account, roles, place in ((first, LETTING_DOWN.first, "first"), (second, LETTING_DOWN.second, "second")):
        if not roles & account.roles:
            wanted = " or ".join(sorted(role.value for role in roles))
            raise AccountsError(f"{account.number} may not be the {place} person: that is for a {wanted}")


def given(folder: Path, wish: Wish, now: datetime) -> bool:
    """Whether two persons have said yes to this wish, by the access log of a data folder, not too long ago.

    What stands behind a line that was changed does not count. Raises OSError where the log cannot be read.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return False
    asked: dict[str, str] = {}  # approval to who asked for it
    for told in read(path):
        if isinstance(told, Flaw):
            return False
        if told.get("act") != ACT or told.get("hash") != wish.hash:
            continue
        who, ident = str(told.get("who")), str(told.get("approval"))
        if told["what"] == ASKED:
            asked[ident] = who
        elif told["what"] == GIVEN and asked.get(ident, who) != who and _recent(told, now):
            return True
    return False


def _recent(told: dict[str, Any], now: datetime) -> bool:
    try:
        return now - datetime.fromisoformat(str(told["utc"])) <= COUNTS_FOR
    except (ValueError, TypeError):
        return False
