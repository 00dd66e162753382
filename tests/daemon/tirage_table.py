"""A daemon at a table whose shoe is the reference firmware, and what its journal says the shoe told."""

from __future__ import annotations

import json
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from controller.core.signals import (
    BurnCardDrawn,
    CardDrawn,
    CutCardOut,
    Pairs,
    PoweredUp,
    ResultCalled,
    Signal,
    StoodBy,
)
from controller.journal.raw import read_raw_lines
from controller.simulate.dealing import Shoe, Table
from controller.simulate.hand import Mode
from drivers.tirage import Recording
from tests.daemon.daemon import COMMAND, HOST, REPOSITORY, Daemon, Stream, environment, free_port, records, run, until
from tests.firmware.peer import DEVICE, KEY, Firmware

OTHER_KEY = bytes(range(2, 34))
NOTHING_SAID = {"bytes_damaged", "powered_up"}
PAIRS = {Pairs.NONE: 0, Pairs.PLAYER: 1, Pairs.BANKER: 2, Pairs.BOTH: 3, None: 4}


def line_of(signal: Signal) -> str:
    """The line of the firmware's script for what a shoe says."""
    match signal:
        case PoweredUp():
            return "loaded 8"
        case StoodBy():
            return "button STAND_BY 0"
        case CardDrawn(seat, index, card):
            return f"card {seat.name} {index} {card}"
        case BurnCardDrawn(sets_count, left, card):
            return f"burn {int(sets_count)} {left} {card}"
        case ResultCalled(call, pairs):
            return f"button {call.name} {PAIRS[pairs]}"
        case CutCardOut():
            return "cut"
    raise AssertionError(signal)


def script(seed: int, hands: int) -> list[str]:
    """A shoe from its loading on, of so many hands dealt by the rules, as lines of the script."""
    shoe = Shoe(Table(mode=Mode.OPEN), seed)
    said = [*shoe.opening(), *(signal for played in shoe.hands(hands) for signal in played.signals)]
    return [line_of(signal) for signal in said]


def endless(seed: int) -> Iterator[str]:
    """Shoe after shoe, as lines of the script."""
    for number in count(seed):
        yield from script(number, 10_000)


def faces(lines: Iterable[str]) -> list[str]:
    """The cards that lines of a script draw or burn, in their order."""
    return [line.split()[-1] for line in lines if line.startswith(("card ", "burn "))]


def told(folder: Path) -> list[str]:
    """What the shoe told by the journal, as lines of the script; damage and starts are left out."""
    lines = (record for record in records(folder) if record["by"] == "shoe" and record["kind"] not in NOTHING_SAID)
    return [_line_told(record["kind"], record["data"]) for record in lines]


def _line_told(kind: str, data: dict) -> str:
    match kind:
        case "card_drawn":
            return f"card {data['seat'].upper()} {data['index']} {data['card']}"
        case "burn_card_drawn":
            return f"burn {int(data['sets_count'])} {data['left']} {data['card']}"
        case "result_called":
            pairs = {"none": 0, "player": 1, "banker": 2, "both": 3, None: 4}[data["pairs"]]
            return f"button {data['call'].replace('-', '_').upper()} {pairs}"
        case "shoe_loaded":
            return f"loaded {data['decks']}"
    return {"stood_by": "button STAND_BY 0", "cut_card_out": "cut"}[kind]


def lost(folder: Path) -> list[dict]:
    """Every word of something that may be missing."""
    return [
        record["data"] for record in records(folder) if record["kind"] == "bytes_damaged" and record["data"]["lost"]
    ]


def kept_faces(folder: Path) -> list[str]:
    """The cards that the bytes kept of the shoe tell, in their order."""
    kept = [line for raw in sorted((folder / "data" / "b1").glob("*.raw")) for line, _ in read_raw_lines(raw)]
    recording = Recording()
    signals = [one.signal for line in dict.fromkeys(kept) for one in recording.feed(line.data)]
    return [str(signal.card) for signal in signals if isinstance(signal, CardDrawn | BurnCardDrawn)]


def keys_file(folder: Path, key: bytes = KEY, device: bytes = DEVICE) -> Path:
    path = folder / "keys.toml"
    path.write_text(f'"{device.hex()}" = "{key.hex()}"\n')
    path.chmod(0o600)
    return path


def config(folder: Path, port: Path | str, *more: str) -> Path:
    """Write the configuration of a table with a tirage shoe; ``more`` are lines of its section."""
    path = folder / "tirage.toml"
    lines = [
        'data = "data"',
        "[server]",
        f'pit = "{HOST}:{free_port()}"',
        f'metrics = "{HOST}:{free_port()}"',
        "[[tables]]",
        'id = "b1"',
        'name = "Baccarat 1"',
        'deal = "face_up"',
        "[tables.shoe]",
        'driver = "tirage"',
        f'port = "{port}"',
        *more,
        "[tables.rules]",
        'new_shoe = "wire"',
    ]
    path.write_text("\n".join(lines))
    return path


@dataclass
class Bench:
    """A shoe and the table that it serves; ``said`` is what it has been made to say."""

    folder: Path
    firmware: Firmware
    config: Path
    said: list[str] = field(default_factory=list)

    def play(self, *lines: str) -> None:
        self.firmware.play(*lines)
        self.said += [line for line in lines if not line.startswith("fault ")]

    def until_told(self) -> None:
        """Wait until the journal has all that the shoe has said."""
        until(lambda: len(told(self.folder)) >= len(self.said))
        assert told(self.folder) == self.said


LEVELS: dict[str, tuple[Sequence[str], bool]] = {"plain": (('level = "plain"',), False), "authentic": ((), True)}


@contextmanager
def bench(folder: Path, program: Path, level: str, *options: str) -> Iterator[Bench]:
    """A shoe without its daemon."""
    more, keyed = LEVELS[level]
    own = ("--key", KEY.hex()) if keyed else ()
    with Firmware(program, folder, *own, *options) as firmware:
        lines = [*more, *([f'keys = "{keys_file(folder)}"'] if keyed else [])]
        yield Bench(folder, firmware, config(folder, firmware.port, *lines))


@contextmanager
def table(folder: Path, program: Path, level: str = "plain", *options: str) -> Iterator[tuple[Bench, Daemon, Stream]]:
    """A shoe, its daemon and the dealer's page, once the shoe is live."""
    with ExitStack() as stack:
        made = stack.enter_context(bench(folder, program, level, *options))
        daemon = stack.enter_context(run("--config", made.config))
        # Each loss is a line of the log; a full pipe would stop the daemon in the long run.
        threading.Thread(target=deque, args=(daemon.process.stderr, 0), daemon=True).start()
        stream = Stream(daemon)
        stream.until(is_live)
        yield made, daemon, stream


def is_live(parts: dict[str, str]) -> bool:
    status = parts.get("status", "")
    return " LIVE" in status and "NOT LIVE" not in status


def tirage(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run another command of the program."""
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False, env=environment()
    )


def objects(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]
