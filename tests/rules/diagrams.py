"""Make docs/state-machines.md: the machines of a table as diagrams, from the tables that move them.

python -m tests.rules.diagrams [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from controller.core.bank import Stage as BankStage
from controller.core.bank.applying import ROWS
from controller.core.engine import Table
from controller.core.inputs import Elapsed, Input, Started, Timer
from controller.core.machine import TRANSITIONS, Phase, Standing, Trigger
from controller.core.profile import House
from controller.core.shoe import STAGES, Stage
from controller.core.signals import LinkLost, LinkOpened, StoodBy
from controller.core.table import Link
from tests.made import ROOT, keep

DOCUMENT = ROOT / "docs" / "state-machines.md"
HEAD = """# The machines of a table

Made by `python -m tests.rules.diagrams` from `TRANSITIONS` (`controller/core/machine.py`), `STAGES`
(`controller/core/shoe.py`), `ROWS` (`controller/core/bank/applying.py`) and, for the link, from a table that is driven
through every input. Do not write here: a test fails when this page is stale.

Guards stand in brackets and are tried from top to bottom: the first row whose guards all hold moves the machine. Each
state answers each trigger, so nothing is ever ignored silently.
"""
Edge = tuple[str, str, str]  # from, to, label
Row = tuple[str, str, str, tuple[Callable[..., bool], ...]]  # trigger, from, to, guards
HAND: tuple[Row, ...] = tuple(
    (trigger.value, source.value, dest.value, guards) for trigger, source, dest, guards in TRANSITIONS
)
SHOE: tuple[Row, ...] = tuple((trigger, source.value, dest.value, guards) for trigger, source, dest, guards in STAGES)
WORDS: dict[str, Any] = {
    "opened": LinkOpened("port"),
    "lost": LinkLost("unplugged"),
    "word of the shoe": StoodBy(),
    "silence ran out": Elapsed(Timer.SILENCE),
    "no frames ran out": Elapsed(Timer.NO_FRAMES),
    "recorder started": Started(),
}


def diagram(initial: str, edges: Iterable[Edge]) -> list[str]:
    """Return a mermaid diagram; labels between the same two states share one arrow."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for source, dest, label in edges:
        arrows.setdefault((source, dest), []).append(label)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {_name(initial)}"]
    lines += [
        f"    {_name(source)} --> {_name(dest)}: {'<br/>'.join(dict.fromkeys(labels))}"
        for (source, dest), labels in arrows.items()
    ]
    return [*lines, "```", ""]


def _name(state: str) -> str:
    return state.replace("-", "_")


def guarded(of: Iterable[Row]) -> list[Edge]:
    """Return the arrows of a machine, each with its trigger and guards; `else` where another row is tried before."""
    edges: list[Edge] = []
    before: set[tuple[str, str]] = set()
    for trigger, source, dest, guards in of:
        names = ", ".join(guard.__name__.replace("_", " ") for guard in guards)
        names = names or ("else" if (trigger, source) in before else "")
        before.add((trigger, source))
        edges.append((source, dest, f"{trigger} [{names}]" if names else trigger))
    return edges


def meanings(guards: Iterable[Callable[..., bool]]) -> list[str]:
    """Return what each guard asks, once."""
    once = dict.fromkeys(guards)
    return ["Guards:", "", *(f"- `{guard.__name__.replace('_', ' ')}`: {_first(guard)}" for guard in once), ""]


def _first(of: Callable[..., bool]) -> str:
    return (of.__doc__ or "").strip().splitlines()[0]


def phases() -> list[str]:
    """Return the machine of a hand."""
    return [
        "## The hand",
        "",
        f"{len(Phase)} phases, {len(Trigger)} triggers, {len(TRANSITIONS)} rows.",
        f"What the guards look at: {', '.join(f'`{name}`' for name in Standing.__slots__)}.",
        "",
        *diagram(Phase.WAITING.value, guarded(HAND)),
        *meanings(guard for row in HAND for guard in row[3]),
        *rows(HAND),
    ]


def stages() -> list[str]:
    """Return the life of a shoe."""
    return [
        "## The shoe",
        "",
        "`begun` a hand opens, `cut` the cut card shows, `counted` a hand is over, or a cut card showed",
        "between two hands, `ended` no more hands.",
        "",
        *diagram(Stage.LOADED.value, guarded(SHOE)),
        *meanings(guard for row in SHOE for guard in row[3]),
        *rows(SHOE),
    ]


def rows(of: Iterable[Row]) -> list[str]:
    """Return the rows of a machine in the order in which they are tried."""
    lines = ["| Trigger | From | To | Guards |", "|---|---|---|---|"]
    for trigger, source, dest, guards in of:
        lines.append(f"| {trigger} | {source} | {dest} | {', '.join(guard.__name__ for guard in guards)} |")
    return [*lines, ""]


def stood(at: Link, reason: str) -> Table:
    """Return a table whose link stands so."""
    table = Table(House())
    table.link, table.link_reason = at, reason
    return table


def link() -> list[str]:
    """Return the link, found by driving a table through every input from every state that it reaches."""
    reached, edges = [(Link.CLOSED, "")], []
    for at, reason in reached:
        for name, what in WORDS.items():
            table = stood(at, reason)
            table.apply(Input(what, by="shoe" if name == "word of the shoe" else "recorder"))
            now = (table.link, table.link_reason)
            edges.append((_link(at, reason), _link(*now), name))
            if now not in reached:
                reached.append(now)
    return ["## The link", "", *diagram(_link(Link.CLOSED, ""), edges)]


def _link(at: Link, reason: str) -> str:
    return f"{at.value}_{reason}" if reason else at.value


def bank() -> list[str]:
    """Return which act is open in which stage of a bank."""
    names = [stage.value for stage in BankStage]
    lines = [f"| Act | {' | '.join(names)} | Rule |", "|---|" + "---|" * (len(names) + 1)]
    for act, row in ROWS.items():
        open_in = ["yes" if stage in row.stages else "" for stage in BankStage]
        lines.append(f"| {act.__name__} | {' | '.join(open_in)} | {row.rule} |")
    return ["## The bank", "", "Where a table keeps one; an act in another stage is refused with the rule.", "", *lines]


def document() -> str:
    """Return docs/state-machines.md as it should be."""
    return "\n".join([HEAD, *phases(), *stages(), *link(), *bank(), ""])


def main(arguments: list[str]) -> int:
    """Write the page, or say that it is stale."""
    return keep(DOCUMENT, document(), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
