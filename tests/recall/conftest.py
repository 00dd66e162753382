"""Journals of the evenings, made once, and a server of the real pages over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.profile import Deal, House
from tests.pit.conftest import Pit
from tests.pit.sample import floor_of
from tests.recall.dealing import deal
from tests.recall.evening import evening, hidden_hand
from tests.recall.serving import Recalled


@pytest.fixture(scope="session")
def journal(tmp_path_factory) -> Path:
    """The evening's folder. Nobody writes to it."""
    return deal(tmp_path_factory.mktemp("evening") / "b1", evening)


@pytest.fixture(scope="session")
def secret_journal(tmp_path_factory) -> Path:
    """A hand that is open, of which the journal knows faces that players do not."""
    return deal(tmp_path_factory.mktemp("secret") / "b1", hidden_hand, mode="open", house=House(deal=Deal.FACE_DOWN))


@pytest.fixture
def pages(journal, secret_journal) -> Iterator[Pit]:
    """Table 1 has the evening, table 2 the secret hand, table 3 has no journal."""
    floor = floor_of("middle", "face-down", "empty")
    yield from Recalled.running(floor, {"1": journal, "2": secret_journal})
