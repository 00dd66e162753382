"""Logs of the running daemon: lines on stderr that never hold up a table."""

from __future__ import annotations

import atexit
import json
import logging
import os
import sys
from queue import Full, Queue
from threading import Thread

import structlog

LINES_KEPT = 10_000  # that wait for a reader who has stopped reading: a paused terminal, a full pipe
LAST_WORDS_S = 1.0


def prepare_logs(*, readable: bool) -> None:
    """Log JSON lines on stderr, or readable ones for a person who watches a demonstration."""
    logging.getLogger("transitions").setLevel(logging.WARNING)  # at DEBUG each trigger costs eight times as much
    lines = Lines(sys.stderr.fileno())
    atexit.register(lines.finish)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False) if readable else structlog.processors.JSONRenderer(),
        ],
        logger_factory=lines.logger,
    )


class Lines:
    """Writes lines to a file descriptor from a thread of its own, so that nobody waits for whoever reads them.

    Of more than ``LINES_KEPT`` lines that nobody takes the latest are dropped, and how many is told in their place.
    """

    def __init__(self, out: int) -> None:
        self._out = out
        self._waiting: Queue[str | None] = Queue(LINES_KEPT)
        self._dropped = 0
        self._thread = Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def logger(self, *_: object) -> Lines:
        """Return what structlog calls with a line of any level."""
        return self

    def msg(self, line: str) -> None:
        """Take a line without waiting."""
        try:
            self._waiting.put_nowait(line)
        except Full:
            self._dropped += 1

    log = debug = info = warning = error = critical = exception = fatal = failure = msg

    def finish(self) -> None:
        """Write what waits, for so long as somebody reads."""
        try:
            self._waiting.put(None, timeout=LAST_WORDS_S)
        except Full:
            return
        self._thread.join(LAST_WORDS_S)

    def _write(self) -> None:
        reader_is_there = True
        while (line := self._waiting.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            lines = [line, json.dumps({"event": "lines dropped", "count": dropped})] if dropped else [line]
            if reader_is_there:
                reader_is_there = self._written("".join(f"{one}\n" for one in lines).encode(errors="backslashreplace"))

    def _written(self, data: bytes) -> bool:
        """Write past the buffer of `sys.stderr`: a thread that is stuck in that one would hold up the end too."""
        try:
            while data:
                data = data[os.write(self._out, data) :]
        except OSError:  # nobody can read it any more; the records are the journal, not the log
            return False
        return True
