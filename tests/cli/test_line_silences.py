"""A line shoe's capture after noise: read offline as the table heard it (wire-formats.md section 2, faults.md B 15)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from drivers.ports import HEADER, format_line

MS = 1_000_000
HAND = (b"S9\r\n", b"H2\r\n", b"SK\r\n", b"D4\r\n")  # PLAYER 9 and BANKER 6: a natural, and no third card
FACES = ["9S", "2H", "KS", "4D"]
NOISE = bytes(range(0x80, 0xE4))  # of a burst on the cable, more than a line may have
LONG = b"A" * 500 + b"\r\n"
CONFIG = """\
data = "data"
[[tables]]
id = "b1"
name = "B1"
deal = "face_up"
[tables.rules]
closes = "controller"
burn = "none"
new_shoe = "wire"
[tables.shoe]
driver = "line"
port = "/dev/ttyS0"
"""
Reads = tuple[tuple[int, bytes], ...]  # each with the milliseconds since the one before


def recorded(folder: Path, reads: Reads) -> Path:
    """A raw file as a daemon writes it."""
    path, ms = folder / "shoe.raw", 0
    lines = [HEADER]
    for pause, data in reads:
        ms += pause
        lines.append(format_line(data, ms * MS, ms * MS))
    path.write_text("\n".join(lines) + "\n")
    return path


def asked(name: str, path: Path, *more: str) -> Result:
    config = path.parent / "tirage.toml"
    config.write_text(CONFIG)
    return CliRunner().invoke(main, [name, "--config", str(config), "--table", "b1", *more, str(path)])


def decoded(path: Path, *more: str) -> list[str | None]:
    """The cards that are listed, None for what is none."""
    done = asked("decode", path, "--json", *more)
    assert done.exit_code == 0, done.stderr
    return [json.loads(row)["card"] for row in done.stdout.splitlines()]


def dealt(pause_ms: int = 300) -> Reads:
    return tuple((pause_ms, line) for line in HAND)


@pytest.mark.parametrize(
    "noise", [NOISE, NOISE + b"\r\n", LONG, NOISE * 30], ids=["burst", "line", "long line", "much"]
)
def test_cards_after_a_burst_of_noise_and_a_silence_are_listed(tmp_path: Path, noise: bytes):
    """faults.md B 15: garbage is doubted until the line falls silent, and a raw file says when it did."""
    path = recorded(tmp_path, (*dealt(), (20, noise), (3_000, HAND[0]), *dealt()[1:], *dealt()))
    told = decoded(path)
    assert [card for card in told if card] == FACES * 3
    assert told[4] is None


@pytest.mark.parametrize("noise", [NOISE, LONG], ids=["burst", "long line"])
def test_hands_after_a_burst_of_noise_and_a_silence_are_replayed_and_audited(tmp_path: Path, noise: bytes):
    """faults.md B 13: dropped, counted and told; the capture is not cut, and no hand after it is lost."""
    path = recorded(tmp_path, (*dealt(), (20, noise), (3_000, HAND[0]), *dealt()[1:], *dealt()))
    replayed, audited = asked("replay", path), asked("audit", path)
    assert f"frames 12, events 12, noise bytes {len(noise)}, bad checksums 1" in replayed.output
    assert "hands 3" in replayed.output
    assert "3 hands, 0 irregular; Player 3" in audited.output
    for done in (replayed, audited):
        assert done.exit_code == 1  # told: one line of noise, which may have been a card
        assert "ends inside" not in done.output


def test_cards_that_follow_garbage_without_a_silence_are_not_believed(tmp_path: Path):
    """faults.md B 15: never guess from garbage; chance makes lines too."""
    path = recorded(tmp_path, (*dealt(), (20, NOISE + b"\n"), *dealt(pause_ms=20)))
    assert decoded(path) == [*FACES, None]


def test_a_line_that_is_torn_by_a_silence_is_no_card(tmp_path: Path):
    """faults.md B 12: as at the table, where half a line waits for its rest only so long."""
    path = recorded(tmp_path, ((0, b"S"), (200, b"9\r\n"), (20, b"H1"), (300, b"0\r\n"), (20, b"SK\r\n")))
    assert decoded(path)[0] == "9S"
    assert decoded(path)[1:] == [None, None, "KS"]


def test_a_capture_that_ends_inside_a_line_after_a_silence_is_cut(tmp_path: Path):
    """design, section 6: 3 is cut in mid-record."""
    path = recorded(tmp_path, (*dealt(), (3_000, b"S")))
    for name in ("decode", "replay", "audit"):
        done = asked(name, path)
        assert (done.exit_code, "ends inside" in done.output) == (3, True), name


def test_bare_bytes_after_a_line_that_is_too_long_are_cards(tmp_path: Path):
    """wire-formats.md section 2: at most 64 bytes a line; where no times are known, its line end ends it."""
    path = tmp_path / "shoe.bin"
    path.write_bytes(LONG + b"".join(HAND) * 3)
    assert decoded(path, "--format", "raw") == [None, *FACES * 3]
    replayed = asked("replay", path, "--format", "raw")
    assert (replayed.exit_code, "hands 3" in replayed.output) == (1, True)


def test_bare_bytes_that_end_with_garbage_of_whole_lines_are_not_cut(tmp_path: Path):
    """design, section 6: 3 is cut in mid-record, and nothing else is called so."""
    path = tmp_path / "shoe.bin"
    path.write_bytes(b"".join(HAND) + NOISE + b"\r\n" + HAND[0])
    replayed = asked("replay", path, "--format", "raw")
    assert "ends inside" not in replayed.output
    assert f"events 4, noise bytes {len(NOISE) + 2 + len(HAND[0])}, bad checksums 2" in replayed.output
