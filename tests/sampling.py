"""Samples in `make test`, the rest in `make test-long`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Return the cases with those that are not quick marked long; a case of several values is a tuple."""
    values = {case: case if isinstance(case, tuple) else (case,) for case in cases}
    assert set(quick) <= values.keys(), "a sample is one of the cases"
    return [pytest.param(*held, marks=() if case in quick else pytest.mark.long) for case, held in values.items()]
