"""An audit as one page to keep or print: no script, nothing from another address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TextIO

from controller.audit.lines import Line, Plain, RowNote, Tally
from controller.audit.output import cards_of
from controller.audit.texts import KINDS, RULES

MOST_NOTES = 1_000  # rows listed one by one; their number stands in the summary in any case


@dataclass(slots=True)
class Report:
    """Collects what an audit's page shows: the irregular hands and the rows that could not be read."""

    hands: list[Plain] = field(default_factory=list)
    notes: list[RowNote] = field(default_factory=list)

    def take(self, line: Line | RowNote) -> None:
        """Keep a line if the page shows it."""
        if isinstance(line, RowNote):
            if len(self.notes) < MOST_NOTES:
                self.notes.append(line)
        elif line.outcome.kinds:
            self.hands.append(line.plain)

    def write(self, out: TextIO, sources: Sequence[str], tally: Tally) -> None:
        """Write the page; ``sources`` are the names of the inputs."""
        from jinja2 import Environment, PackageLoader, StrictUndefined

        environment = Environment(
            loader=PackageLoader("controller.audit", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        page = environment.get_template("report.html").stream(
            sources=sources,
            summary=tally.summary()["summary"],
            hands=self.hands,
            notes=self.notes,
            kinds=KINDS,
            rules={rule: text for rule, text in RULES.items() if rule in self.rules},
            rule_texts=RULES,
            cards_of=cards_of,
        )
        page.enable_buffering(100)
        out.writelines(page)

    @property
    def rules(self) -> set[str]:
        """The rules that irregular hands broke."""
        return {found["rule"] for hand in self.hands for found in hand["irregularities"] if found["rule"]}
