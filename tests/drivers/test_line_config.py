"""A line shoe and its ports in the configuration: what cannot work is refused in a sentence."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.check_config import check_config
from controller.config import ConfigError, house_of, identifies_of, load
from controller.core.profile import Deal
from controller.core.signals import Identifies
from drivers.line import Session

GOOD = """\
data = "journals"
[[tables]]
id = "b1"
name = "Baccarat 1"
deal = "face_up"
[tables.shoe]
driver = "line"
port = "socket://moxa.pit:4001"
[tables.rules]
closes = "controller"
"""
CODES = "".join(
    f'"{number:04}" = "{rank}{suit}"\n' for number, (rank, suit) in enumerate(product("A23456789TJQK", "SHDC"))
)


@pytest.fixture
def file(tmp_path: Path):
    path = tmp_path / "tirage.toml"

    def write(text: str) -> Path:
        path.write_text(text)
        return path

    return write


def told(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load(path)
    return str(caught.value)


def test_a_line_table_is_good_with_its_drivers_speed(file):
    """wire-formats.md section 2: 9600 baud; faces are told at the draw."""
    (table,) = load(file(GOOD)).tables
    assert (table.shoe.baud, identifies_of(table)) == (9600, Identifies.AT_DRAW)


def test_a_line_table_may_be_dealt_face_down(file):
    """wire-formats.md section 2: the dealer's key turns the cards, and the rules then say where they lie."""
    (table,) = load(file(GOOD.replace('deal = "face_up"\n', ""))).tables
    assert house_of(table).deal is Deal.FACE_DOWN


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('closes = "controller"\n', "", 'announces no result; write closes = "controller"'),
        ("[tables.rules]", 'mode = "hidden"\n[tables.rules]', "this shoe has no such mode"),
        ("socket://moxa.pit:4001", "socket://moxa.pit", "rfc2217://host:port"),
        ("socket://moxa.pit:4001", "socket://moxa.pit:0", "rfc2217://host:port"),
        ("socket://moxa.pit:4001", "socket://fe80::1:4001", 'did you mean "socket://[fe80::1]:4001"?'),
        ("socket://moxa.pit:4001", "rfc2217://2001:db8::7", 'did you mean "rfc2217://[2001:db8::7]:4001"?'),
        ("socket://moxa.pit:4001", "tcp://[::1]:4001", 'did you mean "socket://[::1]:4001"?'),
        ("socket://moxa.pit:4001", "socket://[:::]:4001", "rfc2217://host:port"),
        ("socket://moxa.pit:4001", "tap:log", "tap:/path/file"),
        ("socket://moxa.pit:4001", "http://moxa.pit:80", "rfc2217://host:port"),
        ('"line"', '"lines"', 'did you mean "line"?'),
        ("[tables.rules]", '[tables.shoe.codes]\n"0012" = "AS"\n[tables.rules]', "one code or more for each of the 52"),
        ("[tables.rules]", "codes = 3\n[tables.rules]", "tables[1].shoe.codes"),
    ],
)
def test_what_the_shoe_cannot_know_is_refused_with_the_fix(file, old: str, new: str, says: str):
    """wire-formats.md section 3: the controller must ask what a driver declares, not assume."""
    assert old in GOOD
    assert says in told(file(GOOD.replace(old, new)))


def test_codes_are_of_no_use_to_an_angel_eye(file):
    """wire-formats.md section 3."""
    text = GOOD.replace('"line"', '"angel-eye"').replace(
        "[tables.rules]", f"[tables.shoe.codes]\n{CODES}[tables.rules]"
    )
    assert "tells cards without a table of codes" in told(file(text))


def test_the_codes_of_a_house_reach_its_driver(file):
    """wire-formats.md section 2: the mapping is a table in the configuration."""
    from drivers.shoes import DRIVERS

    text = GOOD.replace("[tables.rules]", f"[tables.shoe.codes]\n{CODES}[tables.rules]")
    (table,) = load(file(text)).tables
    session = DRIVERS[table.shoe.driver].session(table.shoe.chosen)
    assert isinstance(session, Session)
    assert [str(one.signal.card) for one in session.feed(b"0000\r\n0051\r\n")] == ["AS", "KC"]
    summary = json.loads(CliRunner().invoke(check_config, ["--json", str(file(text))]).stdout)["summary"]
    assert (summary["tables"][0]["codes"], summary["tables"][0]["connected"]) == (52, None)


@pytest.mark.parametrize("second", ["socket://MOXA.pit:4001", "rfc2217://moxa.pit:4001"])
def test_two_tables_cannot_have_one_port_of_a_serial_server(file, second: str):
    """wire-formats.md section 1: one TCP port a table; most servers allow one client."""
    more = GOOD.partition("\n")[2].replace('"b1"', '"b2"').replace("socket://moxa.pit:4001", second)
    assert 'the shoe of table "b1"' in told(file(GOOD + more))
