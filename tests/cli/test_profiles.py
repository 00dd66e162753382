"""`tirage profiles` as operators call it (design, section 6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.profiles import profiles
from controller.profiles import names


def called(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(profiles, list(arguments), input=given)


def lines(result: Result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_profile_is_listed_with_its_game():
    """Design, section 6: --json is JSON lines, the summary last."""
    *told, last = lines(called("list", "--json"))
    assert [one["name"] for one in told] == list(names())
    assert last == {"summary": {"profiles": len(told)}}
    assert called("list").stdout.count("\n") == len(told)


def test_a_profile_is_shown_value_by_value_with_its_sources():
    """Promised: show prints every value with its source."""
    *told, last = lines(called("show", "banque_las_vegas", "--json"))
    found = {one["key"]: (one["value"], one["source"]) for one in told}
    assert found["decks"] == (8, "[V S4] D8: eight in Las Vegas (R-004-01)")
    assert found["remedies.IR-07"] == ("silent", "no word of it: silent")
    assert found["bank.claims_from"][0] == "left"
    assert found["decides.IR-07"] == ("supervisor", "")
    assert last["summary"] == {"profile": "banque_las_vegas", "game": "banque", "values": len(told)}


@pytest.mark.parametrize("name", names())
def test_every_profile_can_be_shown_to_a_person(name: str):
    result = called("show", name)
    assert result.exit_code == 0
    assert all("  # " in line for line in result.stdout.splitlines())


def test_a_profile_of_the_house_is_checked_line_by_line(tmp_path: Path):
    """Design, section 6: 78 is a bad configuration; FILE:LINE comes first."""
    file = tmp_path / "house.toml"
    file.write_text('decks = 8\n[remedies]\n"PBI-01" = ["bury"]\n')
    result = called("check", str(file))
    assert (result.exit_code, result.stdout.split(": ")[:2]) == (78, [f"{file}:3", "remedies.PBI-01[1]"])
    problem, last = lines(called("check", "--json", str(file)))
    assert (problem["line"], last) == (3, {"summary": {"problems": 1}})


def test_a_good_profile_is_ok_from_standard_input_too():
    """Design, section 6: - is stdin."""
    result = called("check", "-", given="decks = 6\n")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "ok")


def test_two_profiles_are_compared_by_key_and_by_irregularity(tmp_path: Path):
    """Promised: diff says what differs."""
    result = called("diff", "house_burn", "house_reuse", "--json")
    *told, last = lines(result)
    assert [one["key"] for one in told] == ["remedies.PBI-01", "remedies.PBI-02", "remedies.PBI-03", "remedies.PBI-08"]
    assert told[0] == {"key": "remedies.PBI-01", "one": ["burn"], "other": ["to_banker", "burn", "next"]}
    assert (result.exit_code, last["summary"]["differences"]) == (1, 4)
    assert called("diff", "fr_2007", "fr_2007").exit_code == 0


@pytest.mark.parametrize("arguments", [("show", "fr_2008"), ("diff", "fr_2007", "fr_2008")])
def test_a_profile_that_is_not_there_is_wrong_usage_with_the_names(arguments: tuple[str, ...]):
    """Design, section 6: 2 is usage."""
    result = called(*arguments)
    assert result.exit_code == 2
    assert "fr_2007" in result.stderr


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path):
    """Promised: one clear sentence each."""
    result = called("show", str(tmp_path / "none.toml"))
    assert (result.exit_code, result.stdout.count("\n")) == (78, 1)


@pytest.mark.parametrize("command", ["list", "show", "check", "diff"])
def test_every_help_has_an_example_and_the_exit_codes(command: str):
    """Design, section 6."""
    told = called(command, "--help").stdout
    assert "tirage profiles" in told
    assert "Exit codes" in told
