"""The house of the accounts' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.accounts.house import House, running


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with running(tmp_path) as made:
        yield made


@pytest.fixture
def two_persons(tmp_path: Path) -> Iterator[House]:
    """A house that asks two persons for voids and corrections."""
    with running(tmp_path, two_persons=frozenset({"void", "correct"})) as made:
        yield made
