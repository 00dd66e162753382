"""The configuration, its problems by line, the house profiles, and the house that a journal keeps."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from controller.config import (
    Config,
    ConfigError,
    Problem,
    SettingsError,
    house_from_dict,
    house_of,
    identifies_of,
    load,
    settings_dict,
)
from controller.config.keys import KeysError, read_keys
from controller.core.games import GAMES
from controller.core.inputs import Post, Sanction
from controller.core.profile import (
    BetsClosed,
    Burn,
    BurnTold,
    Closes,
    Deal,
    House,
    Maintenance,
    NewShoes,
    SecondSlide,
    VoidMark,
)
from controller.core.remedies.situations import Remedy
from controller.core.signals import Identifies
from controller.daemon.demo import demo_config
from controller.profiles import profile
from controller.toml.places import places

GOOD = """\
data = "journals"

[server]
pit = "127.0.0.1:8080"

[[tables]]
id = "b1"
name = "Baccarat 1"

[tables.shoe]
driver = "angel-eye"
port = "/dev/ttyUSB0"
mode = "hidden"

[tables.rules]
burn = "face-0"

[[tables]]
id = "b2"
name = "Baccarat 2"
decks = 6
deal = "face_up"
shoe = { driver = "angel-eye", port = "/dev/ttyUSB1", mode = "open" }
"""


@pytest.fixture
def written(tmp_path: Path):
    """Return a function that writes a configuration and gives its path."""

    def write(text: str | bytes) -> Path:
        file = tmp_path / "tirage.toml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return write


def problems(file: Path) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        load(file)
    return caught.value.problems


def test_a_good_configuration_gives_each_table_its_house(written):
    """Design, section 2: profile.py is what a house has chosen; what it has not chosen is the default."""
    config = load(written(GOOD))
    one, two = config.tables
    assert house_of(one) == House(burn=Burn.FACE_0)
    assert house_of(two) == House(decks=6, deal=Deal.FACE_UP)
    assert (one.shoe.baud, str(config.server.metrics)) == (4800, "127.0.0.1:9464")


def test_a_relative_data_folder_lies_beside_the_file(written, tmp_path: Path):
    """A service has another working folder than the person who wrote the file."""
    assert load(written(GOOD)).data_folder == tmp_path / "journals"


@pytest.mark.parametrize(
    ("mode", "identifies"),
    [("open", Identifies.AT_DRAW), ("hidden", Identifies.AT_REVEAL), ("auto", Identifies.EITHER)],
)
def test_the_mode_of_the_shoe_says_when_faces_are_told(written, mode: str, identifies: Identifies):
    """wire-formats.md section 1: open mode names the card at the draw, hidden mode with the result."""
    (table,) = load(written(GOOD.partition("[tables.rules]")[0].replace('"hidden"', f'"{mode}"'))).tables
    assert identifies_of(table) is identifies


@pytest.mark.parametrize("mode", ["open", "hidden", "auto"])
def test_cards_are_face_down_unless_the_house_says_otherwise(written, mode: str):
    """In open mode too: a face that the shoe tells early is not for the players."""
    (table,) = load(written(GOOD.partition("[tables.rules]")[0].replace('"hidden"', f'"{mode}"'))).tables
    assert house_of(table).deal is Deal.FACE_DOWN


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "says"),
    [
        ('data = "journals"', "", 1, "data", "came nothing; add data ="),
        ('data = "journals"', "data = 3", 1, "data", "expected a folder's path, came 3"),
        ('pit = "127.0.0.1:8080"', 'pitt = "127.0.0.1:8080"', 4, "server.pitt", "did you mean pit?"),
        ('"127.0.0.1:8080"', '"127.0.0.1:99999"', 4, "server.pit", 'came "127.0.0.1:99999"'),
        ('"127.0.0.1:8080"', '"127.0.0.1:9464"', 3, "server.metrics", "give one another port"),
        ('"127.0.0.1:8080"', '"0.0.0.0:9464"', 3, "server.metrics", "give one another port"),
        (
            'pit = "127.0.0.1:8080"',
            'hosts = ["pit.example",\n"pit.example:80"]',
            5,
            "server.hosts[2]",
            "without a port",
        ),
        ('id = "b1"', 'id = "B 1"', 7, "tables[1].id", "small letters"),
        ('id = "b2"', 'id = "b1"', 19, "tables[2].id", 'came "b1" again; choose another id'),
        ("decks = 6", 'decks = "6"', 21, "tables[2].decks", 'came "6"; write decks = 8'),
        ("decks = 6", "decks = true", 21, "tables[2].decks", "came true"),
        ("decks = 6", "decks = 17", 21, "tables[2].decks", "from 1 to 16"),
        ('"face_up"', '"faceup"', 22, "tables[2].deal", 'did you mean "face_up"?'),
        ('port = "/dev/ttyUSB0"\n', "", 10, "tables[1].shoe.port", "came nothing; add port ="),
        ('"/dev/ttyUSB0"', '"ttyUSB0"', 12, "tables[1].shoe.port", "the whole path"),
        ('"/dev/ttyUSB1"', '"/dev/ttyUSB0"', 23, "tables[2].shoe.port", 'the shoe of table "b1"'),
        ('mode = "open"', 'made = "open"', 23, "tables[2].shoe.made", "did you mean mode?"),
        ('mode = "hidden"', 'mode = "hiden"', 13, "tables[1].shoe.mode", 'did you mean "hidden"?'),
        ('driver = "angel-eye"\n', 'driver = "angel"\n', 11, "tables[1].shoe.driver", 'did you mean "angel-eye"?'),
        ("[tables.rules]", "[tables.rule]", 15, "tables[1].rule", "did you mean rules?"),
        ('burn = "face-0"', 'burn = "fixed-9"', 16, "tables[1].rules.burn", 'or "none", came "fixed-9"'),
        (
            'burn = "face-0"',
            'bets_closed = "yes"',
            16,
            "tables[1].rules.bets_closed",
            '"off" or "operator", came "yes"',
        ),
        ('burn = "face-0"', "early_read_ms = 5001", 16, "tables[1].rules.early_read_ms", "from 0 to 5000, came 5001"),
        ('burn = "face-0"', 'reason_needed = ["accept"]', 16, "tables[1].rules.reason_needed[1]", 'came "accept"'),
        ('burn = "face-0"', 'reasons = ["a\\nb"]', 16, "tables[1].rules.reasons[1]", "each a line of at most 200"),
        ('burn = "face-0"', 'void_mark = "big"', 16, "tables[1].rules.void_mark", '"none" or "bead", came "big"'),
        ('burn = "face-0"', "hands_after_cut = -1", 16, "tables[1].rules.hands_after_cut", "from 0 to 10, came -1"),
        ('burn = "face-0"', "tables.burn = 1", 16, "tables[1].rules.tables", "unknown key tables"),
        ('burn = "face-0"', '"profile" = "fr_2008"', 16, "tables[1].rules.profile", "fr_2007, house_burn, house_reuse"),
        ("shoe = {", "sho = {", 18, "tables[2].shoe", "add [tables.shoe]"),
    ],
)
def test_a_mistake_is_told_by_line_and_key_with_the_fix(written, old: str, new: str, line: int, key: str, says: str):
    """Promised: check-config names the line and the fix."""
    assert old in GOOD
    found = {(problem.line, problem.key): str(problem) for problem in problems(written(GOOD.replace(old, new)))}
    assert (line, key) in found, found
    assert says in found[line, key]


def test_every_mistake_is_told_at_once_in_the_order_of_lines(written):
    """A person mends a file once, not once a mistake."""
    text = GOOD.replace("decks = 6", "decks = 0").replace('id = "b1"', "id = 1").replace('"face-0"', '"face"')
    assert [problem.line for problem in problems(written(text))] == [7, 16, 21]


@pytest.mark.parametrize("tables", ["", "tables = []", "[tables]\nid = 'b1'", "tables = 'b1'"])
def test_a_configuration_without_tables_is_refused(written, tables: str):
    """Promised: one or more tables in a process."""
    (problem,) = problems(written(f"data = 'x'\n{tables}\n"))
    assert (problem.key, problem.fix[-10:]) == ("tables", "[[tables]]")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("data = \n", 1),
        ('data = "x"\n\n[server\npit = 1\n', 3),
        ('data = "x"\ndata = "y"\n', 2),
        ('data = "x"\ndata2 = """never\nends\n', 3),
        (b'data = "x"\nname = "\xe9"\n', 2),
    ],
)
def test_what_is_no_toml_is_told_by_line(written, text: str | bytes, line: int):
    """Promised: validated, with the line."""
    (problem,) = problems(written(text))
    assert problem.line == line
    assert problem.fix


def test_a_configuration_that_begins_with_a_byte_order_mark_is_read(written):
    """Some editors begin UTF-8 with one; a mistake keeps its line, also where the text is no UTF-8 further on."""
    assert load(written("\ufeff" + GOOD)).tables
    (problem,) = problems(written(b'\xef\xbb\xbfdata = "x"\nname = "\xe9"\n'))
    assert (problem.line, problem.came, problem.fix) == (2, "the byte 0xe9", "save the file as UTF-8")


def test_a_file_of_keys_is_read_as_every_other_file(tmp_path: Path):
    """trust.md 3.2: with a byte order mark too; what is no UTF-8 is told without a key."""
    path = tmp_path / "Keys.toml"
    line = f'"0102030405060708" = "{"5a" * 32}"\n'
    path.touch(mode=0o600)
    path.write_text("\ufeff" + line, "utf-8")
    assert read_keys(path) == {bytes(range(1, 9)): b"\x5a" * 32}
    path.write_text("\ufeff" + line, "utf-16")
    with pytest.raises(KeysError) as caught:
        read_keys(path)
    assert str(caught.value) == f"{path}: the byte 0xff; save the file as UTF-8"


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path):
    """Promised: one clear sentence each."""
    (problem,) = problems(tmp_path / "none.toml")
    assert "no such file" in str(problem)


@pytest.mark.parametrize(
    ("server", "refused"),
    [
        ('pit = "192.0.2.1:80"', ["a token where other machines reach the pages"]),
        ('pit = "192.0.2.1:80"\ntoken = "0123456789abcdef"', []),
        ('pit = "pit.example:80"', ["a token where other machines reach the pages"]),
        ('pit = "localhost:80"', []),
        ('pit = "[::1]:80"', []),
        ('pit = "0.0.0.0:80"\ntoken = "0123456789abcdef"', ["the names that browsers will use"]),
        ('pit = "[::]:80"\ntoken = "0123456789abcdef"\nhosts = ["pit.example", "192.0.2.1"]', []),
    ],
)
def test_pages_that_other_machines_reach_need_a_token(written, server: str, refused: list[str]):
    """Promised: loopback or a configured token until accounts exist."""
    file = written(GOOD.replace('pit = "127.0.0.1:8080"', server))
    assert ([problem.expected for problem in problems(file)] if refused else load(file) and []) == refused


@pytest.mark.parametrize(
    ("server", "names_used"),
    [
        ('pit = "192.0.2.1:80"', ("192.0.2.1",)),
        ('pit = "0.0.0.0:80"\nhosts = ["Pit.Example"]', ("pit.example",)),
        ('pit = "Pit.Example:80"\nhosts = ["pit.example", "::2"]', ("pit.example", "::2")),
    ],
)
def test_browsers_may_use_the_names_given_and_the_address_listened_on(
    written, server: str, names_used: tuple[str, ...]
):
    """trust.md 4.4: other names are turned away, so these must not be."""
    token = '\ntoken = "0123456789abcdef"'
    assert load(written(GOOD.replace('pit = "127.0.0.1:8080"', server + token))).server.names == names_used


def test_two_names_of_one_device_are_one_device(written, tmp_path: Path):
    """faults.md: a second reader on a line takes bytes away from the first."""
    (tmp_path / "ttyUSB0").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyUSB0")
    text = GOOD.replace("/dev/ttyUSB0", f"{tmp_path}/ttyUSB0").replace("/dev/ttyUSB1", f"{tmp_path}/by-id")
    assert [problem.key for problem in problems(written(text))] == ["tables[2].shoe.port"]


@pytest.mark.parametrize("token", ['"s3cret"', '"s3cret with spaces in it"', '["s3cret"]'])
def test_a_token_is_never_repeated(written, token: str):
    """A problem goes into logs, and so does what a configuration looks like."""
    (problem,) = problems(written(GOOD.replace("[server]", f"[server]\ntoken = {token}")))
    good = load(written(GOOD.replace("[server]", '[server]\ntoken = "s3cret-s3cret-s3cret"')))
    assert "s3cret" not in str(problem) + repr(good)


# Where keys stand.

TRICKY = '''\
one = 1  # = 9
a.b."c.d" = 2
'lit\\eral' = 3
"q\\"u\\u0041" = 4
text = """5
no = 0
[no]
\\""" still "" """
raw = \'\'\'9
no = 0\'\'\'
list = [11, [11, 11],  # ] 0
  12, { x = 12, y.z = [12] },
  "13", "#]", 13.0,
]
date = 2026-11-30T01:00:00Z
[t.u]
v = 17
  [ t . "w x" ]
v=19
[[r]]
v = 21
[[r.s]]
v = 23
[[r.s]]
v = 25
[r.s.q]
v = 27
[[r]]
v = 29
s = [{v = 30}, {v = 30}]
quote = """"31"""""
last = 32'''


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], object]]:
    match value:
        case dict():
            for key, inside in value.items():
                yield from leaves(inside, (*path, key))
        case list():
            for place, inside in enumerate(value):
                yield from leaves(inside, (*path, place))
        case _:
            yield path, value


def test_every_key_is_found_on_its_line():
    """Each value of this document is, or begins with, the number of its line; tomllib reads it independently."""
    numbered = {
        path: int(found[1])
        for path, value in leaves(tomllib.loads(TRICKY))
        if (found := re.match(r'"?(\d{1,2})(?:\.0|"*|\n[\s\S]*)$', str(value)))
    }
    lines = places(TRICKY)
    assert len(numbered) == 25
    assert {path: lines.get(path) for path in numbered} == numbered


def test_a_section_stands_on_the_line_of_its_header():
    """What a section lacks is told there."""
    lines = places(TRICKY)
    assert [lines[path] for path in [("t", "u"), ("r",), ("r", 1), ("r", 0, "s", 1), ("r", 0, "s", 1, "q")]] == [
        16,
        20,
        28,
        24,
        26,
    ]


KEY = st.one_of(
    st.from_regex(r"[A-Za-z0-9_-]{1,4}", fullmatch=True), st.text("ab.#[]=\"'\\ é\t", min_size=1, max_size=4)
)
VALUE = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.text("a\"'\\#]}=,\n", max_size=6)),
    lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(KEY, inside, max_size=3)),
    max_leaves=6,
)


def toml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{toml(key)} = {toml(inside)}" for key, inside in value.items()) + "}"
        case list():
            return "[\n" + "".join(f"{toml(inside)},\n" for inside in value) + "]"
        case _:
            return json.dumps(value)


@given(st.dictionaries(KEY, VALUE, max_size=4))
def test_no_key_is_lost_whatever_the_document_holds(document: dict[str, object]):
    """Any document that tomllib takes: each of its keys has a line, in the order of the document."""
    text = "".join(f"{toml(key)} = {toml(value)}\n" for key, value in document.items())
    assert tomllib.loads(text) == document
    lines = places(text)
    assert {path for path, _ in leaves(document) if path} <= set(lines)
    assert list(lines.values()) == sorted(lines.values())


# Profiles and the journal's settings.


def test_a_table_may_choose_otherwise_than_its_profile(written):
    """rules.md C.4: fr_2007 has six decks and no hand after the cut card."""
    text = GOOD.replace('burn = "face-0"', 'profile = "fr_2007"\nhands_after_cut = 1\ncut_card_by = 11')
    one, _ = load(written(text)).tables
    assert house_of(one) == replace(profile("fr_2007"), hands_after_cut=1, cut_card_by=11)
    two, _ = load(written(text.replace('name = "Baccarat 1"', 'name = "x"\ndecks = 8\ndeal = "face_up"'))).tables
    assert house_of(two) == replace(house_of(one), decks=8, deal=Deal.FACE_UP)


def in_pairs(chosen: dict[str, object]) -> tuple[tuple[str, object], ...]:
    return tuple(chosen.items())


HOUSES = st.builds(
    House,
    game=st.sampled_from([*GAMES.values()]),
    decks=st.integers(1, 16),
    deal=st.sampled_from(Deal),
    hands_after_cut=st.integers(0, 10),
    burn=st.sampled_from(Burn),
    closes=st.sampled_from(Closes),
    fewest_cards=st.integers(0, 52),
    cut_card_by=st.integers(0, 208),
    silence_s=st.integers(1, 86_400),
    no_result_s=st.integers(1, 3_600),
    remedies=st.dictionaries(st.sampled_from(["PBI-01", "PBI-02"]), st.tuples(st.sampled_from(Remedy))).map(in_pairs),
    decides=st.dictionaries(st.sampled_from(["PBI-01", "PBI-02"]), st.sampled_from(Post)).map(in_pairs),
    sanctions=st.lists(st.sampled_from(Sanction), max_size=2).map(tuple),
    burn_told=st.sampled_from(BurnTold),
    void_mark=st.sampled_from(VoidMark),
    bets_closed=st.sampled_from(BetsClosed),
    second_slide=st.sampled_from(SecondSlide),
    early_read_ms=st.integers(0, 5_000),
    maintenance=st.sampled_from(Maintenance),
    reasons=st.lists(st.sampled_from(["keyed wrong", "读错"]), max_size=2).map(tuple),
    reason_needed=st.lists(st.sampled_from(["correct", "new_shoe"]), max_size=2).map(tuple),
)


@given(HOUSES, st.sampled_from(Identifies))
def test_a_house_comes_back_from_the_journal_as_it_was(house: House, identifies: Identifies):
    """Design, section 1: replay judges by the profile that was in force."""
    kept = json.loads(json.dumps(settings_dict(house, identifies)))
    assert house_from_dict(kept) == (house, identifies)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"surplus": "burn"}, "surplus"),
        ({"decks": "8"}, "decks"),
        ({"burn": "face-11"}, "burn"),
        ({"game": "whist"}, "game"),
        ({"remedies": {"PBI-01": ["pray"]}}, "remedies"),
        ({"identifies": "never"}, "identifies"),
    ],
)
def test_settings_of_another_version_are_refused(wrong: dict[str, object], says: str):
    """Design, section 1: judging by other rules than were in force would be a silent lie."""
    with pytest.raises(SettingsError, match=says):
        house_from_dict(settings_dict(House(), Identifies.EITHER) | wrong)


def test_settings_that_say_little_leave_the_defaults():
    """A journal that was written by hand, or before a key was there."""
    house = House(decks=6, deal=Deal.FACE_UP, new_shoe=NewShoes.WIRE)  # so shoes began before a house could choose
    assert house_from_dict({"deal": "face_up", "decks": 6}) == (house, Identifies.EITHER)
    assert (house.void_mark, house.bets_closed, house.maintenance) == (VoidMark.NONE, BetsClosed.OFF, Maintenance.OFF)
    assert (house.second_slide, house.early_read_ms) == (SecondSlide.ALLOWED, 0)
    assert (house.reasons, house.reason_needed) == ((), ())


def test_a_new_shoe_waits_for_a_person_unless_the_house_trusts_the_wire(written, tmp_path: Path):
    """faults.md A 10: a shoe's signs propose a new shoe; nobody sits at a demonstration."""
    assert house_of(load(written(GOOD)).tables[0]).new_shoe is NewShoes.CONFIRM
    demo = demo_config(tmp_path, "127.0.0.1:0", "127.0.0.1:0")
    assert {house_of(table).new_shoe for table in demo.tables} == {NewShoes.WIRE}


# What the documents say.


def keys_of(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield name
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from keys_of(part)


def test_every_key_has_its_row_in_the_operators_document(repository: Path):
    """docs/operating.md is where people look a key up."""
    rows = re.findall(r"^\|(.*?)\|", (repository / "docs" / "operating.md").read_text(), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`\[{0,2}([a-z_.]+)\]{0,2}`", row)}
    keys = set(keys_of(Config))
    assert len(keys) > 20
    assert keys - told - {"server", "tables", "shoe", "rules"} == set()


def test_the_smallest_configuration_of_the_readme_is_one(repository: Path, written):
    """What a person copies must work."""
    (text,) = re.findall(r"```toml\n(.*?)```", (repository / "README.md").read_text(), re.DOTALL)
    assert [table.id for table in load(written(text)).tables] == ["b1"]


@pytest.mark.parametrize("name", ["README.md", "docs/operating.md", "docs/interfaces.md", "docs/design-notes.md"])
def test_every_file_that_a_document_points_to_is_there(repository: Path, name: str):
    """A link that leads nowhere costs a reader's trust."""
    document = repository / name
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text())
    assert [link for link in links if not (document.parent / link).is_file()] == []
