"""What the recorder's own machine tells: the room on its disk, a record that rots, and that its clock was set."""

from __future__ import annotations

from controller.core.facts import FactName
from controller.core.incidents import CLOCK_STEPPED, DISK_SCARCE
from controller.core.inputs import ClockStepped, DiskRoom, RecordDamaged, Room
from controller.core.table import Table, handles

DISK_LOW = "disk-low"
MS_PER_S = 1_000


@handles(DiskRoom)
def disk_room(table: Table, told: DiskRoom) -> None:
    """Warn of a disk that fills up; nearly full it lets no further hand begin, with room again it does (B 33)."""
    table.room = told.room
    if told.room is Room.SCARCE:
        _scarce(table, told)
        return
    table.hold_after = ""
    table.lift(None, frozenset(hold.id for hold in table.holds if hold.kind == DISK_SCARCE))
    if told.room is Room.LOW and not _open(table, DISK_LOW):
        table.raise_(DISK_LOW, None, detail=f"{told.percent} %")


def _scarce(table: Table, told: DiskRoom) -> None:
    if not _open(table, DISK_SCARCE):
        table.report(DISK_SCARCE, None, detail=f"{told.percent} %")
    if table.hand is not None:
        table.hold_after = table.hand.ref
    elif not any(hold.kind == DISK_SCARCE for hold in table.holds):
        table.hold(DISK_SCARCE)


def _open(table: Table, kind: str) -> bool:
    return any(incident.kind == kind and not incident.hand_ref for incident in table.incidents.values())


@handles(RecordDamaged)
def record_damaged(table: Table, found: RecordDamaged) -> None:
    """Old lines are not what was written: told, each file once as long as nobody has seen it (B 39)."""
    where = f"{found.file}, line {found.line}"
    if not any(item.detail == where for incident in table.incidents.values() for item in incident.items):
        table.raise_("record-damaged", None, detail=where)


@handles(ClockStepped)
def clock_stepped(table: Table, stepped: ClockStepped) -> None:
    """The clock was set: until a person has seen to it each fact says that its time is doubtful (B 43, 45)."""
    by = f"{stepped.by_ms / MS_PER_S:+.1f} s"
    if not table.report_again(CLOCK_STEPPED):
        table.raise_(CLOCK_STEPPED, None, detail=by)
    table.tell(FactName.CLOCK_STEPPED, None, by_ms=stepped.by_ms, detail=by)
