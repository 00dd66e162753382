"""The keys of a tirage shoe in the configuration: what it must prove, and with what (trust.md 3.2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError, chosen_of, load
from drivers.shoes import Trust
from drivers.tirage import Level

DEVICE, KEY = bytes(range(1, 9)), bytes(range(1, 33))
GOOD_LINE = f'"{DEVICE.hex()}" = "{KEY.hex()}"\n'


def shoe_section(folder: Path, *lines: str, port: str = "/dev/ttyACM0") -> Path:
    path = folder / "tirage.toml"
    table = ['data = "data"', "[[tables]]", 'id = "b1"', 'name = "B1"', "[tables.shoe]", 'driver = "tirage"']
    path.write_text("\n".join([*table, f'port = "{port}"', *lines]))
    return path


def keys(folder: Path, text: str = GOOD_LINE, mode: int = 0o600) -> Path:
    path = folder / "keys.toml"
    path.write_text(text)
    path.chmod(mode)
    return path


def trust(path: Path) -> Trust:
    return chosen_of(load(path).tables[0].shoe).trust


def problem(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load(path)
    (found,) = caught.value.problems
    return str(found)


def test_a_shoe_must_prove_itself_unless_the_house_says_otherwise(tmp_path: Path):
    """trust.md 3.1: security that is optional and off by default is none."""
    assert "came nothing; add keys" in problem(shoe_section(tmp_path))
    keys(tmp_path)
    assert trust(shoe_section(tmp_path, 'keys = "keys.toml"')) == Trust({DEVICE: KEY}, Level.AUTHENTIC)
    assert trust(shoe_section(tmp_path, 'level = "plain"')) == Trust({}, Level.PLAIN)


def test_a_shoe_that_is_to_be_let_down_is_named_by_its_device(tmp_path: Path):
    """trust.md 3.2."""
    named = shoe_section(tmp_path, 'level = "plain"', f'let_down = "{DEVICE.hex()}"')
    assert trust(named) == Trust({}, Level.PLAIN, let_down=DEVICE)


def test_keys_are_seen_from_the_configuration_and_shown_nowhere(tmp_path: Path):
    keys(tmp_path)
    config = load(shoe_section(tmp_path, 'keys = "keys.toml"'))
    chosen = chosen_of(config.tables[0].shoe)
    assert config.tables[0].shoe.keys == str(tmp_path / "keys.toml")
    assert KEY.hex() not in repr(chosen) + repr(config)
    assert repr(KEY) not in repr(chosen)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622])
def test_keys_that_others_may_read_are_refused(tmp_path: Path, mode: int):
    path = keys(tmp_path, mode=mode)
    assert f"(mode {mode:04o}); run chmod 600 {path}" in problem(shoe_section(tmp_path, 'keys = "keys.toml"'))


@pytest.mark.parametrize(
    ("text", "came"),
    [
        ("", "without a key"),
        ("no toml at all", "is no TOML"),
        (f'"{DEVICE.hex()}" = "{bytes(32).hex()}"', f"no key for device {DEVICE.hex()}"),
        (f'"{DEVICE.hex()}" = "{KEY.hex()[:62]}"', f"no key for device {DEVICE.hex()}"),
        (f'"{DEVICE.hex()}" = 7', f"no key for device {DEVICE.hex()}"),
        (f'"shoe" = "{KEY.hex()}"', "a device that is not 16 hex digits"),
    ],
)
def test_a_wrong_file_of_keys_is_told_without_a_key(tmp_path: Path, text: str, came: str):
    """SPEC.md 5: there is no default key, and a key of all zero is refused."""
    keys(tmp_path, text)
    told = problem(shoe_section(tmp_path, 'keys = "keys.toml"'))
    assert came in told
    assert KEY.hex()[:20] not in told


def test_a_file_of_keys_that_is_not_there_is_told(tmp_path: Path):
    """faults.md B 56: and none is made."""
    assert "no such file" in problem(shoe_section(tmp_path, 'keys = "keys.toml"'))
    assert not (tmp_path / "keys.toml").exists()


def test_the_one_device_of_a_table_needs_its_key(tmp_path: Path):
    keys(tmp_path)
    assert "add its key" in problem(shoe_section(tmp_path, 'keys = "keys.toml"', 'device = "1112131415161718"'))
    named = trust(shoe_section(tmp_path, 'keys = "keys.toml"', f'device = "{DEVICE.hex()}"'))
    assert named.device == DEVICE


def test_a_tap_is_listened_to_and_a_scanner_carries_no_such_line(tmp_path: Path):
    """wire-formats.md section 4."""
    assert trust(shoe_section(tmp_path, 'level = "plain"', port="tap:/var/log/shoe")).listens
    assert "carries both ways" in problem(shoe_section(tmp_path, 'level = "plain"', port="wedge:/dev/input/event3"))


@pytest.mark.parametrize(
    "line", ['level = "plain"', 'keys = "keys.toml"', 'device = "0102030405060708"', 'let_down = "0102030405060708"']
)
def test_another_shoe_proves_nothing(tmp_path: Path, line: str):
    path = shoe_section(tmp_path, line)
    path.write_text(path.read_text().replace('driver = "tirage"', 'driver = "angel-eye"'))
    assert "this shoe proves nothing" in problem(path)
