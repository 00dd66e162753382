"""`tirage accounts` as a process, also beside a running daemon."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.daemon.daemon import HOST, config_of, run

PASSWORD = "brass kettle under moss"
COMMAND = [sys.executable, "-m", "controller", "accounts"]
OURS = {"X-Tirage-Command": "1", "Content-Type": "application/json"}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return config_of(tmp_path, more="[accounts]\nenabled = true\n")


def tirage(config: Path, *words: str, told: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words, "--config", str(config)], input=told, capture_output=True, text=True, check=False
    )


def test_the_first_account_is_made_on_the_command_line_and_listed(config):
    made = tirage(config, "add", "1042", "--role", "supervisor", "--name", "Ada Byron", told=PASSWORD + "\n")
    assert made.returncode == 0, made.stderr
    [line] = tirage(config, "list", "--json").stdout.splitlines()
    assert json.loads(line) == {
        "number": "1042",
        "name": "Ada Byron",
        "roles": ["supervisor"],
        "disabled": False,
        "must_change": True,
    }


@pytest.mark.parametrize(
    ("words", "told", "says"),
    [
        (("add", "7", "--role", "dealer"), "short\n", "too short"),
        (("add", "7", "--role", "dealer"), "passwordpassword\n", "tried first"),
        (("add", "7", "--role", "dealer"), "", "too short"),
        (("disable", "7"), "", "no account 7"),
        (("erase", "7"), "", "no account 7"),
        (("roles", "7", "--role", "dealer"), "", "no account 7"),
        (("kiosk", "remove", "nothing"), "", "no display nothing"),
    ],
)
def test_what_is_not_done_is_said_in_a_line_and_changes_nothing(config, words, told, says):
    done = tirage(config, *words, told=told)
    assert done.returncode == 1
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert tirage(config, "list", "--json").stdout == ""


@pytest.mark.parametrize("command", ["add", "roles"])
@pytest.mark.parametrize(
    ("names", "says"), [(["croupier"], "no role croupier"), (["account-admin", "supervisor"], "no rights at tables")]
)
def test_roles_that_are_not_there_or_do_not_go_together_are_usage(config, command, names, says):
    """Design, section 6: 2 is usage; nothing is asked, nothing made."""
    done = tirage(config, command, "7", *(word for name in names for word in ("--role", name)), told=PASSWORD)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert tirage(config, "list", "--json").stdout == ""


def test_a_password_is_no_argument(config):
    """Arguments are seen by every user of the machine."""
    assert tirage(config, "add", "7", "--role", "dealer", "--password", PASSWORD).returncode == 2
    assert tirage(config, "add", "7", PASSWORD, "--role", "dealer").returncode == 2


def test_on_a_terminal_the_password_is_asked_twice_and_not_shown(config):
    near, far = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "add", "7", "--role", "dealer", "--config", str(config)], stdin=far, stdout=far, stderr=far
    )
    os.close(far)
    seen = b""
    for prompt in (b"Password: ", b"confirmation: "):
        while not seen.endswith(prompt):
            seen += os.read(near, 1)
        os.write(near, PASSWORD.encode() + b"\n")
    assert process.wait(30) == 0
    while True:
        try:
            seen += os.read(near, 1_024)
        except OSError:
            break
    os.close(near)
    assert PASSWORD.encode() not in seen
    assert b"account 7: dealer" in seen


def test_every_change_and_each_reading_of_the_log_is_in_the_log(config):
    tirage(config, "add", "7", "--role", "dealer", "--name", "Ada Byron", told=PASSWORD)
    tirage(config, "roles", "7", "--role", "supervisor")
    tirage(config, "password", "7", told="seven lanterns by the quay")
    tirage(config, "disable", "7")
    tirage(config, "enable", "7")
    tirage(config, "erase", "7")
    token = tirage(config, "kiosk", "add", "board 1").stdout.strip()
    tirage(config, "kiosk", "remove", "board 1")
    shown = tirage(config, "log", "--json")
    lines = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [line["what"] for line in lines] == [
        "account-added",
        "roles-changed",
        "password-set",
        "account-disabled",
        "account-enabled",
        "name-erased",
        "display-added",
        "display-removed",
        "log-read",
    ]
    assert {line["who"] for line in lines} == {f"os:{os.getuid()}"}
    assert not any(secret in shown.stdout for secret in ("Ada", "Byron", token, PASSWORD, "lanterns"))


def test_a_log_that_was_edited_exits_4(config, tmp_path):
    tirage(config, "add", "7", "--role", "dealer", told=PASSWORD)
    tirage(config, "disable", "7")
    path = tmp_path / "data" / "access.jsonl"
    path.write_text(path.read_text().replace('"dealer"', '"auditor"'))
    done = tirage(config, "log")
    assert done.returncode == 4
    assert "does not follow" in done.stdout


def test_a_configuration_that_is_wrong_exits_78(tmp_path):
    path = config_of(tmp_path, more='[accounts]\ntwo_persons = ["void"]\n')
    done = tirage(path, "list")
    assert done.returncode == 78
    assert "accounts.two_persons" in done.stderr


def test_beside_the_daemon_an_account_signs_in_commands_and_is_thrown_out(config, tmp_path):
    """The whole way: command line, real daemon, journal."""
    with run("--config", config) as daemon:
        page = f"http://{HOST}:{daemon.pit}"
        assert tirage(config, "add", "7", "--role", "supervisor", told=PASSWORD).returncode == 0
        with httpx.Client(base_url=page, headers=OURS, trust_env=False, timeout=20) as client:
            signed = client.post("/signin", json={"number": "7", "password": PASSWORD})
            assert signed.json()["must_change"] is True
            client.headers["X-Tirage-Csrf"] = signed.json()["csrf"]
            changed = client.post("/me/password", json={"old": PASSWORD, "new": "seven lanterns by the quay"})
            client.headers["X-Tirage-Csrf"] = changed.json()["csrf"]
            body = {"id": "3f0c1a52-7c1b-4b0e-9d0e-0c6f1a2b3c4d", "act": {"kind": "new_shoe"}}
            assert client.post("/table/b1/commands", json=body).status_code in {200, 409}
            assert tirage(config, "disable", "7").returncode == 0
            assert client.get("/").status_code == 401
    journal = "".join(path.read_text() for path in (tmp_path / "data" / "b1").glob("*.jsonl"))
    assert '"by":"staff:7"' in journal
    assert tirage(config, "log").returncode == 0
