"""The servers of the interface's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.serving import TOKEN, Api, running


@pytest.fixture
def api() -> Iterator[Api]:
    with running("middle", "face-down", "empty") as made:
        yield made


@pytest.fixture
def guarded() -> Iterator[Api]:
    with running("middle", token=TOKEN) as made:
        yield made
