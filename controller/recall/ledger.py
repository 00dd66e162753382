"""Hands, incidents and duty as rows, from facts as a journal holds them; the same rows for reports and exports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from controller.core.cards import Seat
from controller.recall.ruled import at_close, is_void, with_hold, with_remedy
from controller.recall.totals import total

Plain = dict[str, Any]
HAND_COLUMNS = (
    "table", "shoe", "hand", "player", "banker", "player_total", "banker_total", "result", "recorded", "void", "sort",
    "source", "opened", "closed", "corrections", "irregularities", "punter", "right", "left", "punter_total",
    "right_total", "left_total", "ruled",
)  # fmt: skip
INCIDENT_COLUMNS = (
    "table", "shoe", "hand", "id", "level", "kinds", "at", "escalated", "acknowledged_by", "acknowledged_at", "note",
    "reviewed_by", "reviewed_at",
)  # fmt: skip
FACT_COLUMNS = ("table", "at", "shoe", "hand", "fact", "by", "data")
FACT_HEAD = frozenset({"fact", "shoe", "hand", "at", "by"})
EVERY_SEAT = tuple(seat.value for seat in Seat)  # of all games, as an audit line names them
FORMULA = frozenset("=+-@\t\r")  # a spreadsheet would take such a text for a formula (CWE-1236)
Kept = dict[Any, Plain]


@dataclass(slots=True)
class Ledger:
    """Rows of one table, in the order in which they began.

    A hand's row has the keys of an audit line, then how it came to its result; ``corrections`` are the earlier results
    with who changed them and when, ``ruled`` what its cards do not show (recall/ruled.py). ``abandoned`` are the rows
    of hands that keep no number.
    """

    table: str
    hands: Kept = field(default_factory=dict)
    abandoned: list[Plain] = field(default_factory=list)
    incidents: Kept = field(default_factory=dict)
    duty: list[Plain] = field(default_factory=list)
    burns: list[Plain] = field(default_factory=list)
    off_game: list[Plain] = field(default_factory=list)
    closing: Plain = field(default_factory=dict)
    reason: str = ""  # of what a person asked for last

    def take(self, fact: Plain) -> None:
        """Take the next fact, as `replay --json` writes it."""
        taker = TAKERS.get(fact["fact"])
        if taker is not None:
            taker(self, fact)

    def settled(self, shoe: int) -> Iterator[tuple[str, Plain]]:
        """Yield and forget the rows of shoes before this one, as (hands or incidents, row)."""
        for what, rows in (("hands", self.hands), ("incidents", self.incidents)):
            for key in [key for key, row in rows.items() if int(row["shoe"]) < shoe and self._done(what, row)]:
                yield what, rows.pop(key)

    @staticmethod
    def _done(what: str, row: Plain) -> bool:
        return row["closed"] is not None if what == "hands" else bool(row["reviewed_by"])

    def rest(self) -> Iterator[tuple[str, Plain]]:
        """Yield all rows that are left."""
        yield from (("hands", row) for row in self.hands.values())
        yield from (("incidents", row) for row in self.incidents.values())

    def hand(self, fact: Plain) -> Plain:
        """Return the row of a fact's hand; a new one where the journal begins in its middle."""
        key = (fact["shoe"], fact["hand"])
        if key not in self.hands:
            self.hands[key] = self.row(fact)
        return self.hands[key]

    def row(self, fact: Plain) -> Plain:
        """Return a new row of a hand."""
        head = {"table": self.table, "shoe": fact["shoe"], "hand": fact["hand"], "player": [], "banker": []}
        ends: Plain = {"result": None, "recorded": None, "irregularities": [], "void": False, "sort": "normal"}
        return head | ends | {"source": "shoe", "opened": fact["at"], "closed": None, "corrections": [], "ruled": []}


Taker = Callable[[Ledger, Plain], None]


def _opened(ledger: Ledger, fact: Plain) -> None:
    ledger.hands[fact["shoe"], fact["hand"]] = ledger.row(fact) | {"source": fact.get("source", "shoe")}


def _ended(ledger: Ledger, fact: Plain) -> None:
    row = ledger.hand(fact)
    if fact["fact"] == "HandCorrected":
        earlier = {"was": fact["was"], "was_void": row["void"], "by": _number(fact["by"]), "at": fact["at"]}
        earlier |= {"reason": ledger.reason} if ledger.reason else {}
        row["corrections"].append(earlier)
    else:
        row["closed"] = fact["at"]
    row.update((key, fact[key]) for key in (*EVERY_SEAT, "result", "recorded", "irregularities") if key in fact)
    row["void"] = is_void(fact)
    row["ruled"] = at_close(row["ruled"], {seat: fact[seat] for seat in EVERY_SEAT if seat in fact}, fact)


def _asked(ledger: Ledger, fact: Plain) -> None:
    ledger.reason = fact.get("reason", "")


def _abandoned(ledger: Ledger, fact: Plain) -> None:
    row = ledger.hands.pop((fact["shoe"], fact["hand"]), None)
    if row is not None:
        ledger.abandoned.append(row | {"closed": fact["at"]} | {key: fact[key] for key in EVERY_SEAT if key in fact})


def _marked(ledger: Ledger, fact: Plain) -> None:
    if fact["hand"] is not None:
        ledger.hand(fact)["sort"] = fact["sort"]


def _ruled(ledger: Ledger, fact: Plain) -> None:
    if fact["hand"] is not None:
        row = ledger.hand(fact)
        change = with_remedy if fact["fact"] == "RemedyApplied" else with_hold
        row["ruled"] = change(row["ruled"], fact)


def _incident(ledger: Ledger, fact: Plain) -> None:
    blank = {"table": ledger.table, "shoe": fact["shoe"], "hand": fact["hand"], "id": fact["id"], "level": "notice"}
    later = {"escalated": False, "acknowledged_by": "", "acknowledged_at": None, "note": "", "reviewed_by": ""}
    row = ledger.incidents.setdefault(
        fact["id"], blank | {"kinds": [], "items": [], "at": fact["at"]} | later | {"reviewed_at": None}
    )
    row["kinds"].append(fact["kind"])
    row["items"].append({key: fact.get(key) for key in ("kind", "at", "seat", "rule", "detail")})
    if fact["level"] == "alert":
        row["level"] = "alert"


def _done(ledger: Ledger, fact: Plain) -> None:
    row = ledger.incidents.get(fact["id"])
    if row is None:
        return
    match fact["fact"]:
        case "IncidentEscalated":
            row["escalated"] = True
        case "IncidentAcknowledged":
            row.update(acknowledged_by=_number(fact["by"]), acknowledged_at=fact["at"], note=fact["note"])
        case _:
            row.update(reviewed_by=_number(fact["by"]), reviewed_at=fact["at"])


def _duty(ledger: Ledger, fact: Plain) -> None:
    ledger.duty.append({"at": fact["at"], "post": fact["post"], "staff": fact["staff"], "before": fact["before"]})


def _burn(ledger: Ledger, fact: Plain) -> None:
    ledger.burns.append(fact)


def _off_game(ledger: Ledger, fact: Plain) -> None:
    ledger.off_game.append(fact)


def _closed(ledger: Ledger, fact: Plain) -> None:
    ledger.closing = fact


TAKERS: dict[str, Taker] = {
    "CommandAccepted": _asked,
    "HandOpened": _opened,
    "HandCompleted": _ended,
    "HandVoided": _ended,
    "HandCorrected": _ended,
    "HandAbandoned": _abandoned,
    "HandMarked": _marked,
    "RemedyApplied": _ruled,
    "HandSuspended": _ruled,
    "HandResumed": _ruled,
    "IncidentOpened": _incident,
    "IncidentAdded": _incident,
    "IncidentEscalated": _done,
    "IncidentAcknowledged": _done,
    "IncidentReviewed": _done,
    "DutyChanged": _duty,
    "BurnCardSeen": _burn,
    "OffGameCardSeen": _off_game,
    "ShoeClosed": _closed,
}


def _number(by: str) -> str:
    """Return who did it: a person's staff number, or shoe, timer, recorder."""
    return by.removeprefix("staff:")


def outcome(row: Plain) -> str:
    """Return the result that counts: as recorded, else by the cards; empty for a void hand or one without a result."""
    return "" if row["void"] else row["recorded"] or row["result"] or ""


def _because(earlier: Plain) -> str:
    return f" ({earlier['reason']})" if earlier.get("reason") else ""


def hand_cells(row: Plain) -> list[Any]:
    """Return a hand's row as cells of HAND_COLUMNS; `tirage audit` reads such a table."""
    laid = {seat: row.get(seat, []) for seat in EVERY_SEAT}  # a row has the seats of its own game
    told = row | {seat: " ".join(card or "?" for card in cards) for seat, cards in laid.items()}
    told |= {f"{seat}_total": total(cards) for seat, cards in laid.items()}
    told |= {"result": outcome(row), "recorded": row["recorded"] or ""}
    told["corrections"] = "; ".join(
        f"{earlier['was'] or 'none'} until {earlier['at'] or '?'} by {earlier['by']}{_because(earlier)}"
        for earlier in row["corrections"]
    )
    told["ruled"] = " ".join(row["ruled"])
    told["irregularities"] = " ".join(found["kind"] for found in row["irregularities"])
    return [_cell(told[name]) for name in HAND_COLUMNS]


def incident_cells(row: Plain) -> list[Any]:
    """Return an incident's row as cells of INCIDENT_COLUMNS."""
    told = row | {"kinds": " ".join(row["kinds"])}
    return [_cell(told[name]) for name in INCIDENT_COLUMNS]


def _cell(value: Any) -> Any:
    """Return a value as a cell: nothing for None, 0 or 1 for yes and no; a text cannot become a formula."""
    match value:
        case None:
            return ""
        case bool():
            return int(value)
        case str() if value[:1] in FORMULA:
            return f"'{value}"
        case _:
            return value
