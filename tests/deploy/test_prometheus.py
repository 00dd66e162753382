"""Scrape configuration and alert rules, checked by promtool itself."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CASE = re.compile(r"alertname: (\w+)\n\s+exp_alerts:( \[\])?")


@pytest.fixture
def rules(repository: Path) -> Path:
    return repository / "deploy" / "prometheus"


def promtool(tool, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([tool("promtool"), *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments",
    [("check", "config", "scrape.yml"), ("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")],
    ids=" ".join,
)
def test_promtool_accepts_it(tool, rules: Path, arguments: tuple[str, ...]):
    """Deployment: what is shipped loads, and each alert fires when its test says so."""
    done = promtool(tool, rules, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        ("tirage_recording == 0", "tirage_recording == 1"),
        ("tirage_disk_free_ratio < 0.2", "tirage_disk_free_ratio <= 0.2"),
        ("increase(tirage_clock_steps_total[15m]) > 0", "tirage_clock_steps_total > 0"),
        (" or tirage_accounts_log_bytes > 16777216", " or tirage_accounts_log_bytes > 1"),
        ("for: 30s", "for: 10s"),
        ("for: 5m", "for: 3m"),
        ("tirage_frames_missing_total[5m]) > 0", "tirage_frames_missing_total[5m]) > 1"),
        ("and tirage_link_live == 1", ""),
        (" or (tirage_link_live == 0 and tirage_link_silent == 1)", ""),
        (" and tirage_link_silent == 1", ""),
        ("tirage_link_live == 0 and ", ""),
    ],
)
def test_a_rule_that_is_wrong_fails_its_test(tool, rules: Path, tmp_path: Path, rule: str, broken: str):
    """The check above can fail."""
    text = (rules / "alerts.yml").read_text()
    assert rule in text
    (tmp_path / "alerts.yml").write_text(text.replace(rule, broken))
    shutil.copy(rules / "alerts_test.yml", tmp_path)
    assert promtool(tool, tmp_path, "test", "rules", "alerts_test.yml").returncode == 1


def test_every_alert_has_a_case_that_fires_and_one_that_does_not(rules: Path):
    """Deployment: an alert nobody tried is no alert."""
    alerts = set(re.findall(r"alert: (\w+)", (rules / "alerts.yml").read_text()))
    cases = CASE.findall((rules / "alerts_test.yml").read_text())
    assert {name for name, quiet in cases if not quiet} == alerts
    assert {name for name, quiet in cases if quiet} == alerts


def test_no_alert_names_a_shoe_a_hand_a_card_or_a_person(rules: Path):
    """dependencies.md, metrics: labels are table, outcome, kind and version, never more."""
    text = (rules / "alerts.yml").read_text()
    by = re.findall(r"by \(([^)]*)\)", text)
    matched = re.findall(r"\{(\w+)=", text)
    labels = {label.strip() for names in by for label in names.split(",")} | set(matched)
    assert labels <= {"instance", "job", "table", "le", "outcome", "kind", "version"}


def test_every_metric_an_alert_reads_is_one_the_daemon_has(rules: Path):
    """An alert on a name that nobody exposes never fires."""
    metrics = pytest.importorskip("controller.metrics")
    read = set(re.findall(r"tirage_[a-z_]+", (rules / "alerts.yml").read_text()))
    declared = set(re.findall(r"tirage_[a-z_]+", inspect.getsource(metrics)))
    suffixes = ("", "_total", "_bucket", "_info")
    assert read <= {name + suffix for name in declared for suffix in suffixes}
