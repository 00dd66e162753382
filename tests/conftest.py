"""What all tests share: where things lie, and how hard hypothesis tries."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent

# The machine that runs the tests is shared: slowness of one example says nothing about the code.
settings.register_profile("tirage", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", parent=settings.get_profile("tirage"), derandomize=False, max_examples=1_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "tirage"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def captures() -> Path:
    """Captures from the field, kept outside the repository."""
    folder = REPOSITORY.parent / "shared" / "captures"
    if not folder.is_dir():
        pytest.skip("the field captures are not beside this checkout (../shared/captures)")
    return folder


@pytest.fixture(scope="session")
def tool():
    """Return a function that finds a program, or skips the test and says what is missing."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"{name} is not installed (make setup-test installs it)")
        return path

    return find
