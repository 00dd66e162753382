"""The built wheel in an empty environment runs the demonstration."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.daemon.daemon import DEADLINE_S, HOST, free_port

BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "controller", "drivers")


@pytest.fixture
def tirage(repository: Path, tmp_path: Path) -> Path:
    """The command as a person gets it: our packages from the wheel alone, the libraries from where the tests run."""
    for name in BUILT_FROM:
        copy = shutil.copytree if (repository / name).is_dir() else shutil.copy
        copy(repository / name, made(tmp_path / "source") / name)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), "source"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    site = next((environment / "lib").glob("python*")) / "site-packages"
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "libraries.pth").write_text(libraries + "\n")
    return environment / "bin" / "tirage"


def made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=DEADLINE_S) as answer:  # noqa: S310 - our own server
        return str(answer.read().decode())


@pytest.mark.wheel
def test_the_wheel_runs_the_demonstration(tirage: Path, tmp_path: Path):
    """Promised: pages, static files and metrics, in a folder that is no checkout."""
    pit, metrics = f"{HOST}:{free_port()}", f"{HOST}:{free_port()}"
    command = [str(tirage), "run", "--demo", "--pit", pit, "--metrics", metrics]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=clean) as process:
        try:
            assert "DEMO" in process.stdout.readline()
            page = read(f"http://{pit}/")
            assert "DEMO" in page
            for asset in set(re.findall(r'(?:src|href)="(/static/[^"?]+)', page)):
                assert read(f"http://{pit}{asset}")
            assert "tirage_build_info" in read(f"http://{metrics}/metrics")
            process.terminate()
            assert process.wait(DEADLINE_S) == 0
        finally:
            process.kill()
