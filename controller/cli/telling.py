"""What a command of the terminal takes out of a data folder, or puts there, is told in its access log."""

from __future__ import annotations

import os
from pathlib import Path

EXIT_DEVICE = 5


def log_folder(path: Path) -> Path | None:
    """Return the data folder around a table's folder or a segment; None where no access log is kept.

    A house keeps one from its first account on. A copy of a journal elsewhere has none, and gets none.
    """
    from controller.accounts.accesslog import FILE_NAME

    whole = path.resolve()
    return next((folder for folder in (whole, *whole.parents[:2]) if (folder / FILE_NAME).exists()), None)


def tell(place: Path, what: str, **more: str | int) -> None:
    """Record who did something, where an access log is kept; the terminal knows its user by number only.

    Raises CannotLog.
    """
    from controller.accounts.accesslog import AccessLog, Entry
    from controller.accounts.clock import Clock

    folder = log_folder(place)
    if folder is None:
        return
    log = AccessLog(folder, Clock())
    try:
        log.tell(Entry(f"os:{os.getuid()}", what, "terminal", tuple(more.items())))
    finally:
        log.close()
