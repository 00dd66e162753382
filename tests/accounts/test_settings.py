"""The section [accounts] of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError, load

TABLE = """\
[[tables]]
id = "b1"
name = "Baccarat 1"
[tables.shoe]
driver = "angel-eye"
port = "/dev/ttyUSB0"
"""


def written(folder: Path, server: str, accounts: str) -> Path:
    path = folder / "tirage.toml"
    path.write_text(f'data = "data"\n[server]\n{server}\n[accounts]\n{accounts}\n{TABLE}')
    return path


def test_accounts_are_off_until_a_house_turns_them_on(tmp_path):
    accounts = load(written(tmp_path, "", "")).accounts
    assert (accounts.enabled, accounts.auth_policy, accounts.two_persons) == (False, "modern", ())


def test_a_house_that_asks_two_persons_beyond_this_machine(tmp_path):
    server = 'pit = "192.0.2.1:8080"'
    path = written(tmp_path, server, 'enabled = true\nhttps = true\ntwo_persons = ["void", "correct"]')
    assert load(path).accounts.two_persons == ("void", "correct")


@pytest.mark.parametrize(
    ("server", "accounts", "key"),
    [
        ("", 'two_persons = ["void"]', "accounts.two_persons"),
        ("", 'enabled = true\ntwo_persons = ["acknowledge"]', "accounts.two_persons"),
        ("", 'enabled = true\ntwo_persons = ["void", "explode"]', "accounts.two_persons"),
        ("", 'enabled = true\nauth_policy = "strict"', "accounts.auth_policy"),
        ("", 'enabled = "yes"', "accounts.enabled"),
        ('pit = "192.0.2.1:8080"', "enabled = true", "server.pit"),
        ('token = "0123456789abcdef"', "enabled = true", "server.token"),
    ],
)
def test_what_contradicts_is_told_by_its_key(tmp_path, server, accounts, key):
    """A token would open the pages without a person; passwords must not cross a network in clear."""
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, server, accounts))
    [problem] = caught.value.problems
    assert problem.key.startswith(key)
    assert "0123456789abcdef" not in str(problem)


def test_without_accounts_a_token_is_still_asked_for_beyond_this_machine(tmp_path):
    with pytest.raises(ConfigError, match="a token where other machines reach the pages"):
        load(written(tmp_path, 'pit = "192.0.2.1:8080"', ""))
