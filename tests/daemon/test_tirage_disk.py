"""A full disk at a table whose shoe can be asked again: what was dealt meanwhile is in the journal afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.daemon.daemon import until
from tests.daemon.small_disk import fill
from tests.daemon.test_disk_full import small_disk  # noqa: F401 - a fixture
from tests.daemon.tirage_table import is_live, lost, script, table, told
from tests.firmware.conftest import built  # noqa: F401 - a fixture


def test_what_was_dealt_while_nothing_could_be_recorded_is_asked_for_again(built, tmp_path: Path, small_disk: Path):  # noqa: F811
    """faults.md B 33 and 36: nothing is judged that is not recorded, and here nothing is missing in the end."""
    dealt = script(5, 2)
    with table(tmp_path, built("shoe"), "authentic") as (shoe, daemon, stream):
        shoe.play(*dealt[:15])
        shoe.until_told()
        filler = fill(small_disk)
        stream.shows("status", "NOT RECORDING")
        shoe.play(*dealt[15:])
        until(lambda: shoe.firmware.listen() is None and daemon.metrics()['tirage_recording{table="b1"}'] == 0)
        assert len(told(tmp_path)) < len(dealt)
        filler.unlink()
        shoe.until_told()
        stream.until(lambda parts: is_live(parts) and "NOT RECORDING" not in parts["status"])
        assert stream.parts["trouble"] == ""
        daemon.end()
    assert told(tmp_path) == dealt
    assert lost(tmp_path) == []
