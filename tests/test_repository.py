"""The repository itself: what a stranger who clones it relies on."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

# Written so that this file does not match its own patterns.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.])/(?:work|root|home/[a-z]+)" + "/"),
    "a job folder": re.compile(r"/tmp/" + r"bash_jobs"),
    "a package registry": re.compile("|".join(("py" + r"pi\.org", "python" + r"hosted\.org", "registry\\." + "npm"))),
    "an index option": re.compile(r"^\s*--(?:extra-)?(?:index-url|find-links|trusted-host)", re.MULTILINE),
}
APACHE_2_TEXT = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"  # sha256 of the licence as published
LONGEST_FILE = 400  # lines; design, section 5 wants 100 to 250 and a hard look at 300


@pytest.fixture(scope="session")
def project(repository: Path) -> dict:
    return tomllib.loads((repository / "pyproject.toml").read_text())


@pytest.fixture(scope="session")
def files(repository: Path) -> list[Path]:
    """Every file that is committed or about to be."""
    git = ["git", "-C", str(repository), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(git, capture_output=True, check=True, text=True).stdout.split("\0")
    found = [repository / name for name in names if name and (repository / name).is_file()]
    assert len(found) > 20
    return found


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names_what_belongs_to_one_workplace(files: list[Path], what: str):
    """A clone must work anywhere, so no file may hold this."""
    found = [f"{path.name}: {match[0]}" for path in files if (match := FORBIDDEN[what].search(text_of(path)))]
    assert found == []


def test_no_file_is_a_manager_a_handler_a_util_a_helper_or_a_base(files: list[Path]):
    """Design, section 5: words of the field."""
    name = re.compile(r"(manager|handler|util|helper|base)s?\.py$", re.IGNORECASE)
    kind = re.compile(r"^class (\w*(?:Manager|Util|Helper)\w*)", re.MULTILINE)
    python = [path for path in files if path.suffix == ".py"]
    assert [path.name for path in python if name.search(path.name)] == []
    assert [match for path in python for match in kind.findall(text_of(path))] == []


def test_no_source_file_is_longer_than_a_reader_can_hold(repository: Path, files: list[Path]):
    """Design, section 5."""
    sources = [path for path in files if path.suffix == ".py" and "tests" not in path.relative_to(repository).parts]
    long = {path.name: text_of(path).count("\n") for path in sources}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FILE} == {}


@pytest.mark.parametrize("target", ["run", "test", "test-long", "bench", "lint", "setup", "setup-test", "lock"])
def test_make_has_the_target(repository: Path, target: str):
    """CONTRIBUTING.md and the README name these."""
    assert target in targets((repository / "Makefile").read_text())


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_make_target_a_document_names_is_there(repository: Path, document: str):
    """What a person is told to type must work."""
    named = set(re.findall(r"`?make ([a-z][a-z-]*)`", (repository / document).read_text()))
    assert named <= targets((repository / "Makefile").read_text())


def test_the_readme_tells_how_to_run_and_how_to_test(repository: Path):
    """The two commands that a person needs."""
    readme = (repository / "README.md").read_text()
    assert "make run" in readme
    assert "make test" in readme


def test_the_readme_says_that_nobody_has_certified_this(repository: Path):
    """It must be plain before anybody puts it on a table."""
    readme = " ".join((repository / "README.md").read_text().split())
    assert re.search(r"not certified", readme, re.IGNORECASE)
    assert re.search(r"jurisdiction", readme, re.IGNORECASE)


def test_the_changelog_has_the_version(repository: Path, project: dict):
    """Keep a Changelog: the newest heading is this version or what comes after it."""
    headings = re.findall(r"^## \[?([^\]\s]+)", (repository / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert project["project"]["version"] in headings


def test_the_licence_is_apache_2_to_the_letter(repository: Path, project: dict):
    """The text as published, and the same in the metadata."""
    assert hashlib.sha256((repository / "LICENSE").read_bytes()).hexdigest() == APACHE_2_TEXT
    assert project["project"]["license"] == "Apache-2.0"


@pytest.mark.parametrize("lock", ["runtime.txt", "dev.txt"])
def test_every_pinned_package_has_its_hash(repository: Path, lock: str):
    """dependencies.md: exact hashes in a lock file."""
    text = (repository / "requirements" / lock).read_text().replace("\\\n", " ")
    pins = [line for line in text.splitlines() if re.match(r"[a-z0-9]", line)]
    assert len(pins) > 20
    assert [pin.split()[0] for pin in pins if not re.match(r"\S+==\S+\s.*--hash=sha256:[0-9a-f]{64}", pin)] == []


def test_both_locks_pin_the_same_versions(repository: Path):
    """The tests run what is shipped."""
    pins = {
        name: dict(re.findall(r"^(\S+)==(\S+)", (repository / "requirements" / name).read_text(), re.MULTILINE))
        for name in ("runtime.txt", "dev.txt")
    }
    assert pins["runtime.txt"].items() <= pins["dev.txt"].items()


def test_every_dependency_of_the_project_is_locked(repository: Path, project: dict):
    """A floor in pyproject.toml without a pin would be chosen by the day of the installation."""
    lock = (repository / "requirements" / "runtime.txt").read_text()
    names = [re.split(r"[<>=]", requirement)[0] for requirement in project["project"]["dependencies"]]
    assert [name for name in names if not re.search(rf"^{name}==", lock, re.MULTILINE)] == []


def test_continuous_integration_runs_the_readmes_test_command(repository: Path):
    """What the README promises is what is checked."""
    script = (repository / ".ci" / "run").read_text()
    assert "set -euo pipefail" in script
    assert re.search(r"^make test$", script, re.MULTILINE)
    assert (repository / ".ci" / "run").stat().st_mode & 0o111


def test_scripts_are_sound_shell(repository: Path):
    """`bash -n` reads each of them."""
    for name in ("run", "packages"):
        subprocess.run(["bash", "-n", str(repository / ".ci" / name)], check=True)


def test_setting_up_without_root_prints_one_line_and_exits_78(repository: Path, tmp_path: Path):
    """dependencies.md: a plain Debian without make and venv, and nobody to install them."""
    # An empty PATH is such a machine: no apt-get either, so nothing is installed whoever runs this.
    command = [shutil.which("bash"), str(repository / ".ci" / "packages"), "run"]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 78
    assert done.stderr == "missing: sudo apt-get install --no-install-recommends make python3 python3-venv\n"


@pytest.fixture(scope="session")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(repository)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.wheel
def test_the_wheel_holds_both_packages_and_all_their_data(wheel: Path, files: list[Path], repository: Path):
    """Design, section 2: templates, static files and profiles go with the code; tests do not."""
    listing = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(wheel)], capture_output=True, text=True, check=True
    ).stdout
    inside = {line.rsplit(maxsplit=3)[0] for line in listing.splitlines()[1:]}
    ours = {str(path.relative_to(repository)) for path in files}
    packaged = {name for name in ours if name.startswith(("controller/", "drivers/"))}
    assert packaged - inside == set()
    assert {name.split("/")[0] for name in inside} - {"controller", "drivers"} == {
        wheel.stem.split("-py3")[0] + ".dist-info"
    }


@pytest.mark.wheel
def test_the_wheel_in_an_empty_environment_tells_its_version(wheel: Path, project: dict, tmp_path: Path):
    """`tirage version` names the version and that nobody has certified it."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    # The libraries are those of the lock, taken from where the tests run; our own packages come from the wheel alone.
    site = next((environment / "lib").glob("python*")) / "site-packages"
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "libraries.pth").write_text(libraries + "\n")
    done = subprocess.run(
        [str(environment / "bin" / "tirage"), "version"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert project["project"]["version"] in done.stdout
    assert "not certified" in done.stdout.lower()
