"""`tirage decode` of other shoes: lines of codes (wire-formats.md section 2), frames (SPEC.md 2 to 5)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from drivers.ports import HEADER, format_line
from tests.protocol import wire

KEY, DEVICE = wire.KEY, wire.DEVICE
BASE = ["data = 'data'", "[[tables]]", 'id = "b1"', 'name = "B1"', "[tables.rules]", 'closes = "controller"']
RANKS, SUITS = "A23456789TJQK", "SHDC"
LOCK = 0x04


def decode(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["decode", str(path), *more])


def rows(path: Path, *more: str) -> list[dict]:
    done = decode(path, "--json", *more)
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def keys_file(folder: Path, key: bytes = KEY) -> Path:
    path = folder / "keys.toml"
    path.write_text(f'"{DEVICE.hex()}" = "{key.hex()}"\n')
    path.chmod(0o600)
    return path


def session(key: bytes | None, level: int) -> tuple[wire.Shoe, bytes]:
    """A shoe in a session, and all that stood on the line: both ends, as a tap copies it."""
    shoe = wire.Shoe(key=key, ms=1_000)
    asked = wire.frame(wire.OPEN, bytes(range(16)) + bytes([level]))
    line = asked + shoe.hello(asked)
    begin = wire.frame(wire.BEGIN, b"\xff" * 4, session=shoe.session, counter=1, key=shoe.host_key)
    line += begin + shoe.started(begin)
    shoe.ms = 2_500
    return shoe, line + shoe.draw("8H", "banker", 2)


def test_a_line_is_decoded_by_the_usual_codes(tmp_path: Path):
    path = tmp_path / "shoe.raw"
    path.write_bytes(b"SA\r\nH10\r\n??\r\n")
    assert rows(path, "--driver", "line") == [
        {"offset": 0, "bytes": "53 41", "size": 2, "text": "SA", "card": "AS", "fault": None},
        {"offset": 4, "bytes": "48 31 30", "size": 3, "text": "H10", "card": "TH", "fault": None},
        {"offset": 9, "bytes": "3f 3f", "size": 2, "text": "??", "card": None, "fault": "unknown code"},
    ]


def test_a_line_is_decoded_by_the_codes_of_its_table_in_the_configuration(tmp_path: Path):
    codes = [f'"{n:04}" = "{r}{s}"' for n, (r, s) in enumerate((r, s) for s in SUITS for r in RANKS)]
    shoe = ["[tables.shoe]", 'driver = "line"', 'port = "/dev/ttyS0"', "[tables.shoe.codes]", *codes]
    config = tmp_path / "tirage.toml"
    config.write_text("\n".join(BASE + shoe))
    path = tmp_path / "shoe.hex"
    path.write_text("30 30 30 30 0d 0a\n30 30 31 33 0d 0a 53 41 0d 0a\n")
    cards = [row["card"] for row in rows(path, "--config", str(config))]
    assert cards == ["AS", "AH", None]


def test_damage_on_a_line_is_listed_and_an_unfinished_line_is_a_cut_capture(tmp_path: Path):
    """design, section 6: 3 is cut in mid-record."""
    path = tmp_path / "shoe.raw"
    path.write_bytes(b"\xfe\xfe\r\nSA\r\nH")
    done = decode(path, "--driver", "line", "--json")
    assert done.exit_code == 3
    assert [json.loads(row)["fault"] for row in done.stdout.splitlines()] == ["noise", None, "noise"]
    assert "ends inside a line" in done.stderr


def test_a_tirage_frame_is_told_with_all_it_says(tmp_path: Path):
    """SPEC.md 2 and 3: header and payload."""
    _, line = session(None, 0)
    path = tmp_path / "shoe.raw"
    path.write_bytes(line)
    told = rows(path, "--driver", "tirage")
    names = ["open", "hello", "start", "capabilities", "resending", "heartbeat", "card_drawn"]
    assert [row["name"] for row in told] == names
    card = told[-1]
    assert {key: card[key] for key in ("type", "counter", "card_number", "device_ms", "tag", "fault")} == {
        "type": "0x82",
        "counter": 4,
        "card_number": 1,
        "device_ms": 2500,
        "tag": None,
        "fault": None,
    }
    assert card["fields"] == {"event": 1, "seat": "banker", "place": 2, "card": "8H"}
    assert bytes.fromhex(card["bytes"]) == line[card["offset"] :]
    hello = told[1]["fields"]
    assert (hello["device"], hello["level"]) == (DEVICE.hex(), "plain")


def test_tags_are_present_without_a_key_and_right_with_it(tmp_path: Path):
    """SPEC.md 5: both directions have keys of their own, derived from the hello; `open` is not proved."""
    _, line = session(KEY, 1)
    path = tmp_path / "shoe.raw"
    path.write_text(f"{HEADER}\n{format_line(line, 0, 1)}\n")
    assert [row["tag"] for row in rows(path, "--driver", "tirage")] == [None] + ["not checked"] * 6
    with_key = rows(path, "--driver", "tirage", "--shoe-keys", str(keys_file(tmp_path)))
    assert [row["tag"] for row in with_key] == [None] + ["right"] * 6
    assert not any(row["fault"] for row in with_key)


def test_the_configuration_gives_the_keys_and_no_key_comes_out(tmp_path: Path):
    """trust.md 3.2: a key is shown nowhere; neither are the session's, which follow from it."""
    shoe, line = session(KEY, 1)
    path, config = tmp_path / "shoe.raw", tmp_path / "tirage.toml"
    path.write_bytes(line)
    keys_file(tmp_path)
    section = ["[tables.shoe]", 'driver = "tirage"', 'port = "/dev/ttyACM0"', 'keys = "keys.toml"']
    config.write_text("\n".join(["data = 'data'", "[[tables]]", 'id = "b1"', 'name = "B1"', *section]))
    done = decode(path, "--config", str(config))
    assert done.exit_code == 0
    assert done.stdout.count("tag right") == 6
    told = done.stdout.replace(" ", "")
    assert not [key for key in (KEY, shoe.tag_key, shoe.host_key) if key.hex() in told]


def test_wrong_and_missing_tags_are_faults(tmp_path: Path):
    """SPEC.md 5: in a session of level L1 a frame without a tag is a frame with a wrong tag."""
    shoe, line = session(KEY, 1)
    forged = wire.frame(LOCK, session=shoe.session, counter=9, key=bytes(32))
    bare = wire.frame(LOCK, session=shoe.session, counter=10)
    path = tmp_path / "shoe.raw"
    path.write_bytes(line + forged + bare)
    keys = ("--shoe-keys", str(keys_file(tmp_path)))
    told = rows(path, "--driver", "tirage", *keys)
    assert [row["fault"] for row in told[-3:]] == [None, "wrong tag", "tag missing"]
    assert [row["fault"] for row in rows(path, "--driver", "tirage")[-3:]] == [None, None, "tag missing"]
    other = keys_file(tmp_path, bytes(range(2, 34)))
    assert {row["tag"] for row in rows(path, "--driver", "tirage", "--shoe-keys", str(other))[1:-1]} == {"wrong"}


def test_what_is_no_good_frame_is_told_with_its_reason(tmp_path: Path):
    """SPEC.md 2: a wrong CRC, an unknown type, another version, a value that is none; noise between."""
    good = wire.frame(wire.HEARTBEAT, bytes(6))
    spoilt = good[:-1] + bytes([good[-1] ^ 1])
    strange = [wire.frame(0xB0), wire.frame(wire.HEARTBEAT, bytes(6), version=2), wire.frame(wire.CARD, bytes(7))]
    path = tmp_path / "shoe.raw"
    path.write_bytes(good + spoilt + good + b"\x00\x01" + b"".join(strange))
    faults = [row["fault"] for row in rows(path, "--driver", "tirage")]
    unknown = ["unknown type", "unknown version 2", "unknown value of the payload"]
    assert faults == [None, "bad checksum", None, "noise", *unknown]


def test_an_unfinished_frame_is_a_cut_capture(tmp_path: Path):
    """design, section 6: 3 is cut in mid-record."""
    good = wire.frame(wire.HEARTBEAT, bytes(6))
    path = tmp_path / "shoe.raw"
    path.write_bytes(good + good[:9])
    done = decode(path, "--driver", "tirage")
    assert done.exit_code == 3
    assert "ends inside a frame" in done.stderr


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--driver", "line", "--mode", "open"), "--mode is of an Angel Eye"),
        (("--driver", "line", "--shoe-keys", "keys.toml"), "add --driver tirage"),
        (("--table", "b1"), "add --config FILE"),
        (("--driver", "line", "--config", "tirage.toml"), "leave out --driver"),
    ],
)
def test_options_that_contradict_each_other_are_usage(tmp_path: Path, options: tuple[str, ...], why: str):
    """design, section 6: 2 is usage."""
    done = decode(tmp_path, *options)
    assert done.exit_code == 2
    assert why in done.stderr


def test_keys_that_others_may_read_are_refused(tmp_path: Path):
    """trust.md 3.2: a file of keys is its owner's alone; 78 is a bad configuration."""
    keys = keys_file(tmp_path)
    keys.chmod(0o644)
    done = decode(tmp_path / "shoe.raw", "--driver", "tirage", "--shoe-keys", str(keys))
    assert done.exit_code == 78
    assert f"run chmod 600 {keys}" in done.stderr
