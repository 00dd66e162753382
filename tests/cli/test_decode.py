"""`tirage decode` where there is nothing to decode (design, section 6: 3 is unreadable)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from drivers.ports import HEADER, format_line
from tests.protocol.vectors_by_hand import FOLDER


def decode(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["decode", str(path), *more])


def test_an_empty_file_holds_no_frame(tmp_path: Path):
    path = tmp_path / "empty.raw"
    path.touch()
    done = decode(path)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "got an empty file" in done.stderr


def test_bytes_without_one_good_frame_are_listed_and_cannot_be_read(tmp_path: Path):
    """As a line at the wrong baud rate gives them."""
    path = tmp_path / "noise.raw"
    path.write_bytes(b"\xfe\x80\x9c" * 9)
    done = decode(path)
    assert done.exit_code == 3
    assert "! noise" in done.stdout
    assert "without one good frame" in done.stderr


def test_one_good_frame_among_noise_is_enough(repository: Path, tmp_path: Path):
    """What is wrong on a line stands in the listing, not in the exit code."""
    text = (repository / "tests/golden/two-shoes.hex").read_text()
    path = tmp_path / "noisy.hex"
    path.write_text(f"fe 80 9c\n{text}")
    assert decode(path).exit_code == 0


@pytest.mark.parametrize("text", ["05 30\n0 5 3\n", "05 30\nzz\n"])
def test_the_remedy_names_a_format_that_there_is(tmp_path: Path, text: str):
    path = tmp_path / "shoe.hex"
    path.write_text(text)
    done = decode(path, "--format", "hex")
    assert done.exit_code == 3
    remedy = done.stderr.split("--format ")[1].split()[0]
    assert decode(path, "--format", remedy).exit_code != 2


FRAMES = b"".join(bytes.fromhex(one["hex"]) for one in json.loads((FOLDER / "valid.json").read_text()))
LINES = b"SA\r\nH9\r\nDK\r\n"


def recorded(path: Path, said: bytes = LINES) -> Path:
    """A raw file as the daemon keeps it, of one read."""
    path.write_text(f"{HEADER}\n{format_line(said, 0, 1)}\n")
    return path


@pytest.mark.parametrize(("said", "driver"), [(LINES, "line"), (FRAMES, "tirage")])
def test_the_recording_of_another_shoe_is_called_so_with_the_command_that_reads_it(
    tmp_path: Path, said: bytes, driver: str
):
    """faults.md B 15: name what is wrong, never send people to the wiring where the bytes themselves are good."""
    path = recorded(tmp_path / "000042-shoe.raw", said)
    done = decode(path)
    assert done.exit_code == 3
    assert f"recording of a {driver} shoe; use `tirage decode --driver {driver} {path}`" in done.stderr
    assert "wiring" not in done.stderr
    assert decode(path, "--driver", driver).exit_code == 0
    replayed = CliRunner().invoke(main, ["replay", str(path)])
    assert replayed.exit_code == 3
    assert f"what a {driver} shoe says, by its looks: name its table with --config FILE --table ID" in replayed.stderr
