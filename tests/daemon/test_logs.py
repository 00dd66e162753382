"""A log that nobody reads: a terminal that was paused, a collector that hangs."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from controller.core.signals import PoweredUp, StoodBy
from controller.logs import LINES_KEPT, Lines
from tests.daemon.daemon import Daemon, facts, table, until


def fill(daemon: Daemon) -> None:
    """Fill the pipe of its log to the last byte."""
    pipe = os.open(f"/proc/{daemon.process.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(pipe, b"\n")
    except BlockingIOError:
        os.close(pipe)


def test_a_log_that_nobody_reads_holds_up_no_table_and_not_the_end(tmp_path: Path):
    """Promised: whoever reads the log may stop; the table goes on, is recorded, and ends when told."""
    with table(tmp_path) as (daemon, shoe, stream):
        until(shoe.pty.has_reader)
        shoe.say(PoweredUp(), StoodBy())
        stream.until(lambda parts: parts.get("status", "").replace("NOT LIVE", "").endswith(" LIVE"))
        fill(daemon)
        for _ in range(2):
            shoe.pty.unplug()
            stream.shows("status", "NOT LIVE")
            shoe.pty.plug()
            until(shoe.pty.has_reader)
            stream.shows("status", "CONNECTING")
        code, seconds = daemon.end(signal.SIGTERM)
        assert (code, seconds < 3.0) == (0, True)
        assert daemon.process.stderr.read().strip() == "", "the pipe was full: nothing came through"
    assert [fact["link"] for fact in facts(tmp_path, "LinkChanged")].count("not-live") == 2


def test_what_is_dropped_is_counted():
    """Promised: a reader who comes back reads what was kept, whole, and how much was not."""
    back, out = os.pipe()
    lines, many = Lines(out), LINES_KEPT + 5_000
    for number in range(many):
        lines.msg(json.dumps({"event": "said", "number": number}))
    numbers, dropped, kept = [], 0, b""
    while len(numbers) + dropped < many:
        kept += os.read(back, 65536)
        *whole, kept = kept.split(b"\n")
        for line in map(json.loads, whole):
            if line["event"] == "said":
                numbers.append(line["number"])
            else:
                dropped += line["count"]
    lines.finish()
    assert numbers == sorted(set(numbers))
    assert (len(numbers) + dropped, dropped > 0) == (many, True)
