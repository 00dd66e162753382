"""An audit as one page to keep or print: no script, nothing from another address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TextIO

from controller.audit.lines import SEATS, Line, Plain, RowNote, Tally
from controller.audit.output import cards_of, outcome_text
from controller.audit.texts import kind_text, one, rule_text
from controller.catalogue import Catalogue

MOST_NOTES = 1_000  # rows listed one by one; their number stands in the summary in any case


@dataclass(slots=True)
class Report:
    """Collects what an audit's page shows: the irregular hands and the rows that could not be read."""

    seats: tuple[str, ...] = SEATS
    hands: list[Plain] = field(default_factory=list)
    notes: list[RowNote] = field(default_factory=list)

    def take(self, line: Line | RowNote) -> None:
        """Keep a line if the page shows it."""
        if isinstance(line, RowNote):
            if len(self.notes) < MOST_NOTES:
                self.notes.append(line)
        elif line.outcome.kinds:
            self.hands.append(line.plain)

    def write(self, out: TextIO, sources: Sequence[str], tally: Tally, words: Catalogue) -> None:
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
            rules={rule: text for rule in sorted(self.rules) if (text := rule_text(rule, words))},
            kind_text=lambda kind: kind_text(kind, words),
            rule_text=lambda rule: rule_text(rule, words),
            one=lambda name: one(name, words),
            w=words.word,
            language=words.language,
            outcome_text=lambda result: outcome_text(result, words),
            seats=self.seats,
            usual_seats=SEATS,
            cards_of=cards_of,
        )
        page.enable_buffering(100)
        out.writelines(page)

    @property
    def rules(self) -> set[str]:
        """The rules that irregular hands broke."""
        return {found["rule"] for hand in self.hands for found in hand["irregularities"] if found["rule"]}
