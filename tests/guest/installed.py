"""tirage in the guest, installed as the heads of the files in deploy/ say."""

from __future__ import annotations

import base64
import io
import json
import shlex
import tarfile
from pathlib import Path
from typing import Any

from tests.guest.machine import Guest
from tests.guest.shoes import DEPLOY, Shoe

FOLDER = "/var/lib/tirage"
TABLE = f"{FOLDER}/b1"
START_S = 60.0  # of the guest; it takes 8
CONFIG = """data = "{folder}"
[[tables]]
id = "b1"
name = "Baccarat 1"
deal = "{shoe.deal}"
[tables.shoe]
port = "{shoe.port}"
{shoe.settings}"""


def install(guest: Guest) -> None:
    """The account, the unit and the rules."""
    guest.do(f"systemd-sysusers {DEPLOY}/systemd/tirage.sysusers")
    guest.do(f"install -m 0644 {DEPLOY}/systemd/tirage.service /etc/systemd/system/")
    guest.do(f"install -m 644 {DEPLOY}/udev/70-tirage.rules /etc/udev/rules.d/ && udevadm control --reload")
    guest.do("systemctl daemon-reload")


class Table:
    """The service at one table, and what it has recorded."""

    def __init__(self, guest: Guest, shoe: Shoe) -> None:
        self.guest, self.shoe = guest, shoe
        text = CONFIG.format(folder=FOLDER, shoe=shoe)
        guest.do(f"base64 -d >/run/tirage.toml <<<{base64.b64encode(text.encode()).decode()}")
        guest.do("install -D -m 0640 -g tirage /run/tirage.toml /etc/tirage/tirage.toml")

    def start(self) -> None:
        """Start the service and wait until it reads its shoe."""
        self.guest.do("systemctl start tirage")
        self.reads()

    def stop(self) -> None:
        self.guest.do("systemctl stop tirage")

    def reads(self) -> None:
        """Wait until the port is open, as the metrics tell."""
        self.guest.until(metric("tirage_link_up", 1), START_S, pause_s=0.5)

    def is_live(self) -> None:
        """Wait until the shoe was heard, as the metrics tell."""
        self.guest.until(metric("tirage_link_live", 1), START_S, pause_s=0.5)

    def has_shown(self, cards: int) -> None:
        """Wait until so many cards are published; they are on the disk before."""
        self.guest.until(metric("tirage_cards_total", cards))

    def has_recorded(self, text: str, times: int = 1) -> None:
        """Wait until so many lines of the journal have this text."""
        self.guest.until(f"[ $(cat {TABLE}/*.jsonl | grep -cF {shlex.quote(text)}) -ge {times} ]")


def copied(guest: Guest, folder: Path) -> Path:
    """Copy the table's data out of the guest."""
    packed = base64.b64decode(guest.do(f"tar -c -C {FOLDER} b1 | base64 -w 0"))
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "b1"


def metric(name: str, value: int) -> str:
    """A condition of the shell: the metric has this value."""
    asks = r"printf 'GET /metrics HTTP/1.0\r\n\r\n' >&5; cat <&5"
    return f"""(exec 5<>/dev/tcp/127.0.0.1/9464 && {asks}) | grep -qF '{name}{{table="b1"}} {value:.1f}'"""


def records(folder: Path) -> list[dict[str, Any]]:
    """Every line of a journal."""
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]


def facts(folder: Path, name: str) -> list[dict[str, Any]]:
    """The facts of this name."""
    told = (fact for record in records(folder) if record["kind"] == "facts" for fact in record["data"]["facts"])
    return [fact for fact in told if fact["fact"] == name]


def when(folder: Path, kind: str) -> list[float]:
    """When records of a kind were made, in the guest's monotonic seconds."""
    return [record["mono"] / 1e9 for record in records(folder) if record["kind"] == kind]
