"""The disk of /opt/tirage: the project as an installation lays it out, and the reference firmware as a program."""

from __future__ import annotations

import re
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

from tests.firmware.peer import build
from tests.guest.debian import make_disk, run

REPOSITORY = Path(__file__).resolve().parents[2]
BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE", "controller", "drivers")
NAME = f"python{sys.version_info.major}.{sys.version_info.minor}"
DISK_BYTES = 160 << 20


def make_app(folder: Path) -> Path:
    """Install the project as it stands now and return the disk."""
    root, disk = folder / "app", folder / "app.img"
    environment = root / ".venv"
    site = environment / "lib" / NAME / "site-packages"
    site.mkdir(parents=True)
    (environment / "bin").mkdir()
    (environment / "pyvenv.cfg").write_text("home = /opt/python/bin\ninclude-system-site-packages = false\n")
    (environment / "bin" / "python").symlink_to(f"/opt/python/bin/{NAME}")
    copy_libraries(site)
    install_project(folder / "source", site)
    (environment / "bin" / "tirage").write_text(
        "#!/opt/tirage/.venv/bin/python\nfrom controller.cli.main import main\n\nmain()\n"
    )
    (environment / "bin" / "tirage").chmod(0o755)
    shutil.copytree(REPOSITORY / "deploy", root / "deploy")
    shutil.copy(build(folder / "firmware", "shoe", CFLAGS="-static"), root / "shoe")
    make_disk(disk, DISK_BYTES, "app", root)
    shutil.rmtree(root)
    return disk


def copy_libraries(site: Path) -> None:
    """Copy the libraries that the runtime lock names, from where the tests run."""
    lock = (REPOSITORY / "requirements" / "runtime.txt").read_text()
    for name in re.findall(r"^([a-z][\w.-]*)==", lock, re.MULTILINE):
        for file in distribution(name).files or ():
            target = site / file
            if target.resolve().is_relative_to(site.resolve()):  # not its scripts
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file.locate(), target)


def install_project(source: Path, site: Path) -> None:
    """Build the wheel and unpack it, compiled: an emulated processor compiles slowly."""
    for name in BUILT_FROM:
        copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
        source.mkdir(exist_ok=True)
        copy(REPOSITORY / name, source / name)
    wheels = source / "wheels"
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, source)
    (wheel,) = wheels.glob("*.whl")
    run(sys.executable, "-m", "zipfile", "-e", wheel, site)
    run(sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", site)
