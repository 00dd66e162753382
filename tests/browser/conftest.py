"""A real Chromium, and the pages served by a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

LAUNCH = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
LIVE = "body:not(.stale)"


# Not for the whole session: while it is there, its event loop occupies the thread, and no other test could run one.
@pytest.fixture(scope="module")
def chromium(tool) -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=tool("chromium"), args=list(LAUNCH))
        yield browser
        browser.close()


@dataclass
class Looker:
    """A page, with everything that the browser complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self._note(message.type, message.text))

    def _note(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.complaints.append(text)

    def open(self, address: str) -> Page:
        self.page.goto(address)
        self.page.wait_for_selector(LIVE)
        return self.page


@pytest.fixture
def look(chromium) -> Iterator[Callable[..., Looker]]:
    contexts = []

    def new(width: int = 1920, height: int = 1080, **options: object) -> Looker:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        return Looker(context.new_page())

    yield new
    for context in contexts:
        context.close()


@dataclass
class Served:
    """The process that serves the sample floor."""

    process: subprocess.Popen[str]
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def show(self, table: str, state: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{table} {state}\n")
        self.process.stdin.flush()

    def given(self) -> str:
        """The next command that came, as the process prints it."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


@contextmanager
def processes(repository: Path, module: str) -> Iterator[Callable[..., tuple[subprocess.Popen[str], int]]]:
    """Start a module of the tests that serves pages and prints its port; end all that were started."""
    running: list[subprocess.Popen[str]] = []

    def start(*options: str, port: int = 0) -> tuple[subprocess.Popen[str], int]:
        process = subprocess.Popen(
            [sys.executable, "-m", module, f"--port={port}", *options],
            cwd=repository,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(repository)},
        )
        running.append(process)
        assert process.stdout is not None
        return process, int(process.stdout.readline())

    yield start
    for process in running:
        process.kill()
        process.wait()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()


@pytest.fixture
def serve(repository: Path) -> Iterator[Callable[..., Served]]:
    with processes(repository, "tests.pit.serve") as start:
        yield lambda *states, port=0: Served(*start(*states, port=port))
