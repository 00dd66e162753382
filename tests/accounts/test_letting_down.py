"""Two persons for a shoe that may speak with less than it proved before (trust.md 3.2)."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time_ns

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner, Result

from controller.accounts.lettingdown import COUNTS_FOR, Wish, given
from controller.accounts.passwords import Keeper
from controller.accounts.roles import fitting
from controller.accounts.store import Store
from controller.cli.main import main
from controller.config import LetDown, let_down_of, load, shoe_in_force
from tests.daemon.daemon import records, run, until
from tests.daemon.tirage_table import bench
from tests.daemon.tirage_table import config as table_config
from tests.firmware.conftest import built  # noqa: F401 - a fixture

DEVICE = "0102030405060708"
STAFF = {"7001": "technician", "2001": "supervisor", "2002": "surveillance", "1042": "dealer"}
WORDS = {number: f"brass kettle under {role} {number}" for number, role in STAFF.items()}
KEEPER = Keeper(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
ACCOUNTS = "[accounts]\nenabled = true\n"
TABLE = f"""[[tables]]
id = "b1"
name = "B1"
[tables.shoe]
driver = "tirage"
port = "/dev/ttyACM0"
level = "plain"
let_down = "{DEVICE}"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    path = tmp_path / "tirage.toml"
    path.write_text('data = "data"\n' + ACCOUNTS + TABLE)
    people(tmp_path / "data")
    return path


def people(folder: Path) -> None:
    """Put the staff into a data folder, each with a password of their own choice."""
    store = Store(folder)
    for number, role in STAFF.items():
        kept = KEEPER.hash(WORDS[number])
        store.add(number, "", fitting([role]), kept, time_ns())
        store.set_password(number, kept, time_ns(), must_change=0)  # as after the first sign-in
    store.close()


def let_down(config: Path, first: str, second: str, *, told: str | None = None, device: str = DEVICE) -> Result:
    words = ["accounts", "let-down", device, "--table", "b1", "--staff", first, "--second", second]
    both = f"{WORDS[first]}\n{WORDS[second]}\n"
    return CliRunner().invoke(main, [*words, "--config", str(config)], input=both if told is None else told)


def worth(config: Path) -> LetDown | None:
    read = load(config)
    return let_down_of(read, read.tables[0])


def in_force(config: Path) -> str | None:
    read = load(config)
    return shoe_in_force(read, read.tables[0]).let_down


def log_of(config: Path) -> Path:
    return config.parent / "data" / "access.jsonl"


def test_a_key_in_the_configuration_alone_lets_no_shoe_down(config: Path):
    """trust.md 3.2: refused until two people change the policy; one who edits a file is not two."""
    assert worth(config) is LetDown.WAITS
    assert in_force(config) is None


def test_two_persons_let_a_shoe_down_and_the_access_log_has_both(config: Path):
    """trust.md 3.2; the same hash stands in both records, as for every act of two persons."""
    done = let_down(config, "7001", "2001")
    assert done.exit_code == 0, done.output
    assert worth(config) is LetDown.BY_TWO
    assert in_force(config) == DEVICE
    asked, agreed = map(json.loads, log_of(config).read_text().splitlines())
    assert [asked["who"], asked["what"]] == ["staff:7001", "approval-asked"]
    assert [agreed["who"], agreed["what"]] == ["staff:2001", "approval-given"]
    same = ("approval", "hash", "device", "table", "act", "first")
    assert [asked[name] for name in same] == [agreed[name] for name in same]
    assert (asked["device"], asked["table"], asked["act"]) == (DEVICE, "b1", "let_down")


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("2001", "2001", "their own second person"),
        ("1042", "2001", "may not be the first"),
        ("2001", "7001", "may not be the second"),
        ("2001", "1042", "may not be the second"),
    ],
)
def test_one_person_twice_or_a_role_that_may_not_changes_nothing(config: Path, first: str, second: str, says: str):
    done = let_down(config, first, second)
    assert done.exit_code == 1
    assert says in done.output
    assert worth(config) is LetDown.WAITS


@pytest.mark.parametrize("wrong", [0, 1])
def test_each_of_the_two_gives_their_own_password(config: Path, wrong: int):
    """The second's password for the first, or the first's for both, is no proof of two."""
    lines = [WORDS["7001"], WORDS["2001"]]
    lines[wrong] = lines[1 - wrong]
    done = let_down(config, "7001", "2001", told="\n".join(lines) + "\n")
    assert done.exit_code == 1
    assert "is wrong" in done.output
    assert worth(config) is LetDown.WAITS
    (told,) = map(json.loads, log_of(config).read_text().splitlines())
    assert told["what"] == "sign-in-failed"


def test_wrong_passwords_are_waited_for_as_at_the_sign_in(config: Path):
    """ASVS 6.3.1: no more guesses here than on the page."""
    for _ in range(5):
        let_down(config, "7001", "2001", told="nothing\n")
    assert "wait" in let_down(config, "7001", "2001").output
    assert worth(config) is LetDown.WAITS


def test_a_password_that_somebody_else_gave_does_not_count(config: Path):
    """Whoever sets two passwords would be two persons."""
    store = Store(config.parent / "data")
    store.set_password("2001", KEEPER.hash(WORDS["2001"]), time_ns(), must_change=1)
    store.close()
    done = let_down(config, "7001", "2001")
    assert done.exit_code == 1
    assert "must sign in and choose a password first" in done.output


def test_a_consent_is_for_one_shoe_at_one_table_and_ends(config: Path):
    let_down(config, "7001", "2002")
    folder, now = config.parent / "data", datetime.now(UTC)
    assert given(folder, Wish("b1", DEVICE), now)
    assert not given(folder, Wish("b2", DEVICE), now)
    assert not given(folder, Wish("b1", "1102030405060708"), now)
    assert not given(folder, Wish("b1", DEVICE), now + COUNTS_FOR + timedelta(minutes=1))


def test_a_consent_behind_a_changed_line_does_not_count(config: Path):
    """The log is a chain: what was put into it later is not what two persons said."""
    let_down(config, "7001", "2001")
    path = log_of(config)
    asked, agreed = path.read_text().splitlines()
    path.write_text(f"{asked.replace('staff:7001', 'staff:2002')}\n{agreed}\n")
    assert worth(config) is LetDown.WAITS


def test_without_accounts_it_counts_and_is_said_not_to_be_enforced(config: Path):
    """Nobody is known without accounts: said plainly, by the check and at each start."""
    config.write_text(config.read_text().replace(ACCOUNTS, ""))
    assert worth(config) is LetDown.UNENFORCED
    assert in_force(config) == DEVICE
    told = CliRunner().invoke(main, ["check-config", str(config)])
    assert told.exit_code == 0
    assert "cannot be enforced: without accounts nobody is known" in told.stdout
    done = let_down(config, "7001", "2001")
    assert done.exit_code == 1
    assert "not enabled" in done.output


def test_the_check_of_a_configuration_says_what_it_waits_for(config: Path):
    done = subprocess.run(
        [sys.executable, "-m", "controller", "check-config", "--json", str(config)],
        capture_output=True,
        text=True,
        check=True,
    )
    (note,) = json.loads(done.stdout)["summary"]["notes"]
    assert note.startswith(f"table b1: let_down of {DEVICE} does not count: two persons must say so first")


def test_the_daemon_lets_the_shoe_in_once_two_persons_have_said_so(built, tmp_path: Path):  # noqa: F811
    """trust.md 3.2: the pin outlasts the configuration, and one person's edit of it."""
    live = 'tirage_link_live{table="b1"}'
    with bench(tmp_path, built("shoe"), "authentic") as shoe:
        with run("--config", shoe.config) as daemon:
            until(lambda: daemon.metrics()[live] == 1)
            shoe.play("loaded 8", "card PLAYER 1 8S")
            shoe.until_told()
            daemon.end()
        people(tmp_path / "data")
        edited = table_config(tmp_path, shoe.firmware.port, 'level = "plain"', f'let_down = "{DEVICE}"')
        edited.write_text(edited.read_text().replace("[[tables]]", f"{ACCOUNTS}[[tables]]", 1))
        with run("--config", edited) as daemon:
            assert daemon.logged("let_down")["worth"] == LetDown.WAITS.value
            assert daemon.logged("link lost")["why"] == "pinned"
            assert daemon.metrics()[live] == 0
            daemon.end()
        done = let_down(edited, "7001", "2001")
        assert done.exit_code == 0, done.output
        with run("--config", edited) as daemon:
            until(lambda: daemon.metrics()[live] == 1)
            daemon.end()
    changed = [record["data"]["driver"] for record in records(tmp_path) if record["kind"] == "settings_changed"]
    assert [settings.get("let_down") for settings in changed][-1] == DEVICE
