"""What comes of a script, written down: integrators build on these facts (design.md section 6).

The expected lines were read over by hand. They change only with a CHANGELOG entry; then write them anew with
`python -m tests.core.test_golden`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from controller.core.engine import Table
from controller.core.inputs import Accept, CloseShoe, Command, Input
from controller.core.profile import Deal, House
from controller.core.signals import Identifies
from controller.core.words import fact_dict
from controller.simulate.script import read_script

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


def told() -> Iterator[str]:
    table = Table(House(deal=Deal.FACE_UP), identifies=Identifies.AT_DRAW)
    with (GOLDEN / "trouble.jsonl").open(encoding="utf-8") as script:
        items = [Input(step.signal) for step in read_script(script)]
    for item in items:
        yield from (json.dumps(fact_dict(fact)) for fact in table.apply(item))
    assert table.hand is not None
    holds = tuple(hold.id for hold in table.hand.holds)
    for command in (Command("1", Accept(holds), table.hand.ref), Command("2", CloseShoe(stub=396))):
        yield from (json.dumps(fact_dict(fact)) for fact in table.apply(Input(command, by="staff:1042")))


def test_a_shoe_of_troubles_gives_the_facts_that_were_written_down():
    assert list(told()) == (GOLDEN / "trouble.facts.jsonl").read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    (GOLDEN / "trouble.facts.jsonl").write_text("".join(f"{line}\n" for line in told()), encoding="utf-8")
