"""A house with accounts over one real table, judged in place, and the words of its refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.accounts.people import Rules
from controller.core.inputs import Input
from controller.core.signals import LinkOpened
from controller.core.words import fact_dict
from tests.accounts.house import House
from tests.browser.playing import TableFloor, choices
from tests.faults.felt import Felt

NOT_YOURS = "Your role does not allow this. Ask a supervisor."


class Seated(House):
    """The house, and what happens at its table."""

    @property
    def felt(self) -> Felt:
        return self.floor.felt  # type: ignore[attr-defined,no-any-return]

    def say(self, line: str) -> None:
        """Let the shoe say something, in the words of tests/browser/playing.py, where the server's loop runs."""

        async def heard() -> None:
            self.floor.hear(line)  # type: ignore[attr-defined]

        self.run(heard())

    @property
    def ref(self) -> str:
        assert self.felt.table.hand is not None
        return self.felt.table.hand.ref

    def facts(self, name: str) -> list[dict[str, Any]]:
        return [fact_dict(fact) for fact in self.felt.facts if fact.name.value == name]


@contextmanager
def seated(folder: Path, *options: str, **rules: object) -> Iterator[Seated]:
    """Run a house whose table is that of ``options``, as `--profile=banque_fr --money=full`."""
    floor = TableFloor(Felt(**choices(list(options))))
    floor.felt.put(Input(LinkOpened("/dev/shoe"), floor.felt.now, "recorder"))
    floor.felt.stand_by()
    house = Seated(folder, Rules(**rules), floor=floor, hub=floor.hub)  # type: ignore[arg-type]
    house.start()
    try:
        yield house
    finally:
        house.stop()
