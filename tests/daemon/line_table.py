"""A table at a line shoe: its configuration, a shoe on a real terminal, and the daemon that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from tests.daemon.daemon import HOST, Daemon, Dealt, free_port, run

ShoeT = TypeVar("ShoeT", bound=Dealt)


def config(folder: Path, profile: str, rules: str = "") -> Path:
    """Write the configuration of one table; ``rules`` is what it changes of its profile, as lines of TOML."""
    path = folder / "tirage.toml"
    path.write_text(
        f"""data = "data"
[server]
pit = "{HOST}:{free_port()}"
metrics = "{HOST}:{free_port()}"
[[tables]]
id = "b1"
name = "Table 1"
[tables.shoe]
driver = "line"
port = "{folder / "shoe"}"
[tables.rules]
profile = "{profile}"
{rules}
"""
    )
    return path


@dataclass
class LineTable(Generic[ShoeT]):
    """A plugged shoe and the configuration of its table."""

    shoe: ShoeT
    file: Path
    ending: ExitStack

    def start(self) -> Daemon:
        """Run a daemon, again after one that was killed, and wait until it reads the shoe."""
        daemon = self.ending.enter_context(run("--config", self.file))
        self.shoe.plug()
        return daemon


@contextmanager
def line_table(folder: Path, profile: str, shoe: type[ShoeT], rules: str = "") -> Iterator[LineTable[ShoeT]]:
    """Plug a shoe in; at the end every daemon of its table is gone before it is unplugged."""
    folder.mkdir(exist_ok=True)
    plugged = shoe(folder / "shoe")
    with ExitStack() as ending:
        ending.callback(plugged.pty.unplug)
        plugged.pty.plug()
        yield LineTable(plugged, config(folder, profile, rules), ending)
