"""The reference firmware, built once a session with the sanitizers on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.peer import build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory):
    """Return a function that gives a program of the firmware by its name."""
    folder = tmp_path_factory.mktemp("firmware")

    def program(name: str) -> Path:
        return build(folder, name, SANITIZE="1")

    return program
