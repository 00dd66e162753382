"""When a shoe's last byte came, across a restart."""

from __future__ import annotations

import pytest

from controller.core.inputs import Moment
from controller.daemon.hearing import heard_before

S = 1_000_000_000


@pytest.mark.parametrize(
    ("kept", "now", "heard"),
    [
        (Moment(1_000 * S, 77 * S), Moment(1_040 * S, 90 * S), 50 * S),  # 40 s ago by the wall
        (Moment(1_000 * S, 77 * S), Moment(1_040 * S, 5 * S), -35 * S),  # before this machine was switched on
        (Moment(1_000 * S, 77 * S), Moment(0, 5 * S), None),  # faults.md B 43: it woke in 1970
        (None, Moment(1_040 * S, 5 * S), None),
    ],
)
def test_the_age_of_a_byte_goes_on_over_a_restart(kept: Moment | None, now: Moment, heard: int | None):
    """faults.md B 30, 43: by the wall clock between two runs, and unknown where that clock went back."""
    assert heard_before(kept, now) == heard
