"""`tirage check-config` as operators call it (design, section 6)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.check_config import check_config


def called(*arguments: str) -> Result:
    return CliRunner().invoke(check_config, list(arguments))


@pytest.fixture
def example(repository: Path) -> Path:
    return repository / "deploy" / "tirage.toml"


def test_a_good_configuration_is_ok_though_its_shoe_is_not_connected(example: Path):
    """Design, section 6: exit 0; a device is looked for when the daemon runs."""
    result = called(str(example))
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "ok")
    assert "b1" in result.stdout
    assert "(not connected now)" in result.stdout


def test_the_summary_is_one_object(example: Path):
    """Design, section 6: --json is JSON lines."""
    (line,) = called("--json", str(example)).stdout.splitlines()
    summary = json.loads(line)["summary"]
    assert (summary["problems"], summary["pit"], summary["token"]) == (0, "127.0.0.1:8080", False)
    assert summary["tables"][0]["rules"]["identifies"] == "at-reveal"


def test_each_problem_is_a_line_that_an_editor_can_follow(example: Path, tmp_path: Path):
    """Design, section 6: 78 is a bad configuration; FILE:LINE comes first."""
    file = tmp_path / "tirage.toml"
    file.write_text(example.read_text().replace("decks = 8", "deks = 8").replace("baud = 4800", "baud = 4801"))
    wanted = [number for number, line in enumerate(file.read_text().splitlines(), 1) if line[:4] in ("deks", "baud")]
    result = called(str(file))
    assert result.exit_code == 78
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [f"{file}:{line}" for line in wanted]


def test_problems_are_objects_too(example: Path, tmp_path: Path):
    """Design, section 6: --json is JSON lines, the summary last."""
    file = tmp_path / "tirage.toml"
    file.write_text(example.read_text().replace("decks = 8", "deks = 8"))
    result = called("--json", str(file))
    problem, last = map(json.loads, result.stdout.splitlines())
    assert (result.exit_code, last) == (78, {"summary": {"problems": 1}})
    assert set(problem) == {"file", "line", "key", "expected", "came", "fix"}
    assert (problem["key"], problem["fix"]) == ("tables[1].deks", "did you mean decks?")


def test_a_missing_file_is_a_bad_configuration_in_one_sentence(tmp_path: Path):
    """Design, section 6: 78, not a usage error and no traceback."""
    result = called(str(tmp_path / "none.toml"))
    assert (result.exit_code, result.stdout.count("\n")) == (78, 1)
    assert "no such file" in result.stdout


def test_a_token_is_not_printed(example: Path, tmp_path: Path):
    """What is printed lands in logs and in messages for help."""
    file = tmp_path / "tirage.toml"
    file.write_text(example.read_text().replace('# token = "..."', 'token = "correct-horse-battery"'))
    for arguments in ([str(file)], ["--json", str(file)]):
        result = called(*arguments)
        assert (result.exit_code, "correct-horse" in result.stdout) == (0, False)


def test_standard_input_is_read_for_a_dash(example: Path):
    """Design, section 6: `-` is stdin; a relative data folder lies in the working folder."""
    result = CliRunner().invoke(check_config, ["-", "--json"], input=example.read_bytes())
    assert json.loads(result.stdout)["summary"]["problems"] == 0
    wrong = CliRunner().invoke(check_config, ["-"], input=example.read_text().replace("decks = 8", "deks = 8"))
    assert wrong.exit_code == 78
    assert wrong.stdout.startswith("-:")


def test_the_fix_of_the_metrics_is_their_own_default(tmp_path: Path):
    """Design, section 6: the fix can be written as it stands; 8080 is the pages'."""
    file = tmp_path / "tirage.toml"
    file.write_text("[server]\nmetrics = 9464\npit = 8080\n")
    said = called(str(file)).stdout
    assert 'write metrics = "127.0.0.1:9464"' in said
    assert 'write pit = "127.0.0.1:8080"' in said


def test_help_has_an_example():
    """Design, section 6: each --help has an example."""
    assert "tirage check-config /etc/tirage/tirage.toml" in called("--help").stdout
