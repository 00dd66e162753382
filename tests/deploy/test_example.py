"""The example configuration is one that the daemon takes."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path


def test_the_example_configuration_passes_check_config(repository: Path):
    """Design, section 6: exit 0 is a good configuration, 78 a bad one."""
    example = repository / "deploy" / "tirage.toml"
    command = [sys.executable, "-m", "controller", "check-config", str(example)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=repository, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_unit_and_configuration_speak_of_the_same_folder(repository: Path):
    """StateDirectory=tirage is /var/lib/tirage, the only folder the fenced service may write."""
    unit = (repository / "deploy" / "systemd" / "tirage.service").read_text()
    data = tomllib.loads((repository / "deploy" / "tirage.toml").read_text())["data"]
    assert "\nStateDirectory=tirage\n" in unit
    assert data == "/var/lib/tirage"


def test_prometheus_asks_where_the_daemon_answers(repository: Path):
    """One address in two files."""
    metrics = tomllib.loads((repository / "deploy" / "tirage.toml").read_text())["server"]["metrics"]
    assert f'targets: ["{metrics}"]' in (repository / "deploy" / "prometheus" / "scrape.yml").read_text()
