"""Standard output that fails in a way of its own, so that no command takes it for a failure of its files."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TextIO

import click

EXIT_DEVICE = 5
EXIT_BROKEN_PIPE = 141  # what a shell reports of a program that ended by SIGPIPE
NOWHERE = -1  # no descriptor: the parent closed it, and a file of ours may have its number by now
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class OutputFailed(Exception):
    """Standard output took no more; ``number`` is the errno. No OSError, since click and the commands catch those."""

    def __init__(self, error: OSError) -> None:
        super().__init__("it is closed" if error.errno == errno.EBADF else error.strerror or str(error))
        self.number = error.errno


class Descriptor(io.RawIOBase):
    """A descriptor to write to; once ``given_up``, what is left in buffers is dropped. Raises OutputFailed."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.given_up = False

    def writable(self) -> bool:
        """It is for writing only."""
        return True

    def isatty(self) -> bool:
        """Whether a person looks at it."""
        return self._number != NOWHERE and os.isatty(self._number)

    def fileno(self) -> int:
        """Return the descriptor. Raises io.UnsupportedOperation where it is closed."""
        return super().fileno() if self._number == NOWHERE else self._number

    def write(self, data: Any, /) -> int:
        """Write bytes, and return how many of them were."""
        if self.given_up or not len(data):  # a library that asks by an empty write is not told of a full disk
            return len(data)
        try:
            return os.write(self._number, data)
        except OSError as error:
            raise OutputFailed(error) from error


def replaced(stream: TextIO | None) -> TextIO | None:
    """Return a text stream on the same descriptor; None for a stream without one, as tests have it."""
    if stream is None:  # so Python says that it was closed
        return io.TextIOWrapper(io.BufferedWriter(Descriptor(NOWHERE)), encoding="utf-8", newline="\n")
    buffer = getattr(stream, "buffer", None)
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(getattr(buffer, "raw", buffer), io.FileIO):
        return None
    stream.flush()
    raw = Descriptor(stream.fileno())
    return io.TextIOWrapper(
        # Unbuffered (python -u), the text layer stands on the descriptor itself.
        io.BufferedWriter(raw) if hasattr(buffer, "raw") else raw,  # type: ignore[type-var]
        encoding=stream.encoding,
        errors=stream.errors,
        newline="\n",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


@contextmanager
def guarded() -> Iterator[None]:
    """Turn an output that fails, its last flush included, into an exit code and at most one sentence."""
    before, stream = sys.stdout, replaced(sys.stdout)
    if stream is not None:
        sys.stdout = stream
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OutputFailed as failed:
        end(failed.number, f"standard output cannot be written: {failed}")
    except OSError as error:
        if error.errno not in FULL:
            raise
        end(error.errno, f"{error.filename or 'an output file'} cannot be written: {error.strerror}")
    finally:
        give_up(stream)
        sys.stdout = before


def give_up(stream: TextIO | None) -> None:
    """Let nothing be written when the stream is thrown away."""
    raw = getattr(stream.buffer, "raw", stream.buffer) if stream else None
    if isinstance(raw, Descriptor):
        raw.given_up = True


def end(number: int | None, sentence: str) -> NoReturn:
    """End quietly where the reader has gone, else with a sentence."""
    if number == errno.EPIPE:
        sys.exit(EXIT_BROKEN_PIPE)
    with suppress(OSError):
        click.echo(f"tirage: {sentence}; what was written is not complete", err=True)
    sys.exit(EXIT_DEVICE)
