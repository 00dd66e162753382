"""The demonstration: two simulated shoes on real pseudo-terminals, one open and dealt face up, one hidden."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from controller.config import Config
from controller.simulate.demo import demo_steps
from drivers.emulators import Pty, play

SEEDS = {"open": 7, "hidden": 11}


def demo_config(folder: Path, pit: str, metrics: str) -> Config:
    """Return the configuration of the demonstration, everything in one folder."""
    tables = [
        ("open", "Table 1 · open shoe, dealt face up", "face_up"),
        ("hidden", "Table 2 · hidden shoe, dealt face down", "face_down"),
    ]
    return Config.model_validate(
        {
            "data": str(folder / "journal"),
            "server": {"pit": pit, "metrics": metrics},
            "tables": [
                {
                    "id": mode,
                    "name": name,
                    "deal": deal,
                    "rules": {"new_shoe": "wire"},  # nobody sits at it who could confirm one
                    "shoe": {"driver": "angel-eye", "port": str(folder / f"shoe-{mode}"), "mode": mode},
                }
                for mode, name, deal in tables
            ],
        }
    )


@contextmanager
def shoes(folder: Path) -> Iterator[dict[str, Pty]]:
    """Lay out a pseudo-terminal for each shoe; unplugs them at the end."""
    with ExitStack() as stack:
        yield {mode: stack.enter_context(Pty(folder / f"shoe-{mode}")) for mode in SEEDS}


async def deal(pty: Pty, mode: str, speed: float) -> None:
    """Deal on one of them without end."""
    await play(demo_steps(SEEDS[mode], mode), pty, pace=1 / speed, seed=SEEDS[mode])
