"""What the other commands and the pages of what was say of a tirage shoe."""

from __future__ import annotations

import json
import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.daemon.daemon import text_of
from tests.daemon.tirage_table import (
    LEVELS,
    OTHER_KEY,
    bench,
    config,
    faces,
    keys_file,
    objects,
    script,
    table,
    tirage,
)
from tests.firmware.conftest import built  # noqa: F401 - a fixture
from tests.firmware.peer import DEVICE, KEY, Firmware

HANDS = 2
CARDS = {rank + suit for rank in "A23456789TJQK" for suit in "SHDC"}


@pytest.mark.parametrize("level", LEVELS)
def test_doctor_asks_the_shoe_who_it_is_and_climbs_to_its_cards(built, tmp_path: Path, level: str):  # noqa: F811
    """faults.md B 15: port, bytes, frames, events, cards, and the first that is missing is named."""
    with bench(tmp_path, built("shoe"), level) as shoe:
        shoe.firmware.play(*["wait 500", "card PLAYER 1 8S"] * 60)  # whenever it listens, a card comes
        found = tirage("doctor", "--json", "--config", shoe.config)
    rungs = [one["name"] for one in objects(found.stdout) if "name" in one and one["ok"]]
    assert (found.returncode, rungs) == (0, ["port", "bytes", "frames", "events", "cards"])


WHO = {"plain": ("plain", "UNAUTHENTICATED"), "authentic": ("authentic", "authenticated")}


@pytest.mark.parametrize("level", LEVELS)
def test_doctor_says_which_shoe_answered_and_whether_it_proved_that(built, tmp_path: Path, level: str):  # noqa: F811
    """trust.md 3.2: who is on the line, and never silently unproved; docs/technician.md: it asks the shoe who it is."""
    file = tmp_path / "out.zip"
    with bench(tmp_path, built("shoe"), level) as shoe:
        text = tirage("doctor", "--seconds", "2", "--bundle", file, "--config", shoe.config).stdout
        asked = objects(tirage("doctor", "--json", "--seconds", "2", "--config", shoe.config).stdout)[-1]["summary"]
    with ZipFile(file) as made:
        told = "".join(made.read(name).decode() for name in made.namelist())
        bundled = json.loads(made.read("report.json"))["shoe"]
    who = bundled.pop("firmware")
    assert re.fullmatch("[0-9a-f]{8}", who)
    assert bundled == dict(zip(("level", "authentication"), WHO[level], strict=True)) | {"device": DEVICE.hex()}
    assert asked["shoe"] == bundled | {"firmware": who}
    assert f"device {DEVICE.hex()}, firmware {who}, level {', '.join(WHO[level])}\n" in text
    assert KEY.hex() not in told + text


def test_doctor_says_why_a_shoe_is_refused(built, tmp_path: Path):  # noqa: F811
    """trust.md 3.2: a wrong key is told, not guessed from silence."""
    with Firmware(built("shoe"), tmp_path, "--key", KEY.hex()) as firmware:
        lines = f'keys = "{keys_file(tmp_path, OTHER_KEY)}"'
        found = tirage("doctor", "--seconds", "4", "--config", config(tmp_path, firmware.port, lines))
    assert found.returncode == 5
    assert "three frames with a wrong tag" in found.stdout
    assert "no shoe was let in that said who it is" in found.stdout


def test_doctor_tells_a_shoe_that_does_not_answer_from_one_that_is_silent(tmp_path: Path, built):  # noqa: F811
    """faults.md B 15: no shoe protocol, and never a guess."""
    with Firmware(built("shoe"), tmp_path) as firmware:
        firmware.play("fault silence 9000")
        found = tirage("doctor", "--seconds", "3", "--driver", "tirage", "--port", firmware.port)
    assert found.returncode == 5
    assert "nothing comes from the port" in found.stdout


def test_devices_and_check_config_know_the_shoe(built, tmp_path: Path):  # noqa: F811
    """`tirage devices` names the table's port, `tirage check-config` the driver and its speed."""
    with bench(tmp_path, built("shoe"), "authentic") as shoe:
        there = tirage("devices", "--json", "--config", shoe.config)
        checked = tirage("check-config", shoe.config)
    assert "is there, and no hardware" in next(one["note"] for one in objects(there.stdout) if one.get("table") == "b1")
    assert f"tirage, auto mode, {shoe.firmware.port} at 115200 baud" in checked.stdout
    assert KEY.hex() not in checked.stdout


def test_what_was_recorded_is_shown_again_without_a_key(built, tmp_path: Path):  # noqa: F811
    """SPEC.md 7: who recorded it has looked at the proofs."""
    dealt = script(5, HANDS)
    with table(tmp_path, built("shoe"), "authentic") as (shoe, daemon, _):
        shoe.play(*dealt)
        shoe.until_told()
        line = text_of(daemon.get("/surveillance/b1/line"))
        history = text_of(daemon.get("/surveillance/b1/history"))
        daemon.end()
    drawn = [word for word in reversed(line.split()) if word in CARDS]
    assert drawn == faces(dealt)
    assert "Fresh cards loaded" in line
    assert "Messages missing 0" in line
    assert [f"Hand closed {result}" in history for result in ("PLAYER", "BANKER")] == [True, True]
