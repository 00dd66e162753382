"""A process of its own that replays shoes: the live tables' loop never waits for one, and never shares its lock."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from controller.journal.errors import JournalError
from controller.recall.places import chapter, latest_shoe
from controller.recall.story import Story, tell

STORIES_KEPT = 3  # a told shoe takes a few megabytes
NICE = 10  # the live tables come first
PR_SET_PDEATHSIG = 1  # linux/prctl.h: a clerk does not outlive its daemon, however that ends
Stamp = tuple[tuple[str, int], ...]
T = TypeVar("T")


class CannotTell(Exception):
    """A journal cannot be read; the text is a sentence for the technician."""


class Clerk:
    """Answers questions about shoes. The process starts with the first one."""

    def __init__(self) -> None:
        self._process: ProcessPoolExecutor | None = None

    async def ask(self, folder: Path, shoe: int | None, what: Callable[..., T], *args: Any) -> T:
        """Return ``what(story, *args)`` of a shoe, the latest for None; ``what`` is a function of a module.

        Raises NoSuchShoe, CannotTell, and what ``what`` raises.
        """
        try:
            return await self._answered(folder, shoe, what, args)
        except BrokenProcessPool:  # it was killed: a new one may do better
            await self.close()
            return await self._answered(folder, shoe, what, args)

    async def _answered(self, folder: Path, shoe: int | None, what: Callable[..., T], args: tuple[Any, ...]) -> T:
        if self._process is None:
            self._process = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=begin, initargs=(os.getpid(),)
            )
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._process, answer, folder, shoe, what, args)

    async def close(self) -> None:
        """Let the process end."""
        if self._process is not None:
            self._process.shutdown(wait=False, cancel_futures=True)
            self._process = None


def begin(daemon: int) -> None:
    """Prepare the clerk's process; ``daemon`` is the process that it works for."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the daemon ends it
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != daemon:  # it ended before that was said
        os._exit(0)


def answer(folder: Path, shoe: int | None, what: Callable[..., T], args: tuple[Any, ...]) -> T:
    """Answer in the clerk's process. Raises NoSuchShoe, CannotTell, and what ``what`` raises."""
    try:
        number = latest_shoe(folder) if shoe is None else shoe
        place = chapter(folder, number)
        journals = [segment.journal for segment in (*place.own, *place.after)]
        return what(told(folder, number, tuple((path.name, path.stat().st_size) for path in journals)), *args)
    except (JournalError, OSError, ValueError) as error:  # not all of them can be sent between processes
        raise CannotTell(str(error)) from None


@lru_cache(maxsize=STORIES_KEPT)
def told(folder: Path, shoe: int, stamp: Stamp) -> Story:  # noqa: ARG001 - a longer journal is another story
    """Return a shoe as its journal stands. Raises NoSuchShoe, JournalError, OSError."""
    return tell(folder, shoe)
