"""One guest for the tests of a run: booted once, and put in order before each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.guest.app import make_app
from tests.guest.debian import Debian, made_in, make_disk
from tests.guest.installed import FOLDER, install
from tests.guest.machine import Guest
from tests.guest.shoes import DROP_INS

DATA_BYTES = 64 << 20


@pytest.fixture(scope="session")
def boot(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Guest]:
    """Return a function that gives a machine whose data are on this disk, made if it is not there."""
    debian: Debian = made_in(pytestconfig.cache.mkdir("guest"))
    folder = tmp_path_factory.mktemp("guest")
    app = make_app(folder)

    def machine(disk: Path) -> Guest:
        if not disk.exists():
            make_disk(disk, DATA_BYTES, "data")
        return Guest(debian, app, disk, disk.with_suffix(".console"))

    return machine


@pytest.fixture(scope="session")
def booted(boot: Callable[[Path], Guest], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    with boot(tmp_path_factory.mktemp("guest") / "data.img") as guest:
        install(guest)
        yield guest


@pytest.fixture
def guest(booted: Guest) -> Iterator[Guest]:
    """A guest with tirage installed and stopped, without data, and nothing plugged in."""
    yield booted
    booted.do("systemctl stop tirage shoe bridge; systemctl reset-failed")
    booted.do(f"rm -rf {FOLDER}/b1 {DROP_INS} /run/shoe* /run/script /etc/udev/rules.d/71-shoe.rules")
    booted.do("udevadm control --reload; systemctl daemon-reload")
