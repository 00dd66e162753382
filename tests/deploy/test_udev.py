"""The udev rules: what they set, and that each line is one that udev takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PART = re.compile(r'(?P<key>[A-Z]+)(?:\{(?P<of>[A-Za-z_]+)\})?(?P<op>==|!=|\+=|=)"(?P<value>[^"]*)"')
# udev(7): keys that are only compared, and keys that are only set; ENV and ATTR may be both.
COMPARED = {"ACTION", "SUBSYSTEM", "KERNEL", "DRIVER", "TEST"}
SET = {"GOTO", "LABEL", "GROUP", "MODE", "TAG", "SYMLINK"}
LISTS = {"TAG", "SYMLINK"}
DROP_IN = "/etc/systemd/system/tirage.service.d/with-the-plug.conf"
SYSFS = "/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1:1.0/tty/ttyACM0"
PLUGGED = f"""P: {SYSFS}
N: ttyACM0
E: DEVNAME=/dev/ttyACM0
E: SUBSYSTEM=tty
E: MAJOR=166
E: MINOR=0
E: ID_SERIAL_SHORT=SHOE7
E: ID_USB_INTERFACE_NUM=00
E: ID_PATH=pci-0000:00:14.0-usb-0:1:1.0
A: dev=166:0

"""
# In a mount namespace of its own: udev writes its links and its database where nobody else sees them.
ASIDE = """set -e
mount -t tmpfs none /run
mount --bind "$1" /etc/udev/rules.d
mount --bind "$2" /etc/systemd/system
mount -t tmpfs none /mnt
mknod -m 666 /mnt/null c 1 3
mkdir /mnt/pts && mount --bind /dev/pts /mnt/pts && ln -s pts/ptmx /mnt/ptmx
mount --move /mnt /dev
exec umockdev-run -d "$3" -- udevadm test "/sys$4"
"""


@pytest.fixture
def rules(repository: Path) -> Path:
    return repository / "deploy" / "udev" / "70-tirage.rules"


def parts(line: str) -> list[re.Match[str]]:
    found = [PART.fullmatch(part.strip()) for part in line.split(", ")]
    assert None not in found, line
    return [one for one in found if one is not None]


def lines(path: Path) -> list[list[re.Match[str]]]:
    return [parts(line) for line in path.read_text().splitlines() if line and line[0] != "#"]


def test_each_line_is_made_of_keys_that_udev_knows(rules: Path):
    """udev(7): a wrong operator or key makes udev drop the whole line in silence."""
    assert len(lines(rules)) > 5
    for line in lines(rules):
        for part in line:
            key, operator = part["key"], part["op"]
            assert key in COMPARED | SET | {"ENV", "ATTR"}, part[0]
            assert key not in COMPARED or operator in ("==", "!="), part[0]
            assert key not in SET or operator in ("=", "+="), part[0]
            assert (key in LISTS) == (operator == "+="), part[0]
            assert (key in ("ENV", "ATTR")) == bool(part["of"]), part[0]


def test_every_jump_has_its_mark(rules: Path):
    """udev(7): GOTO without LABEL is an error."""
    found = {key: {p["value"] for line in lines(rules) for p in line if p["key"] == key} for key in ("GOTO", "LABEL")}
    assert found["GOTO"] == found["LABEL"] == {"tirage_end"}


@pytest.mark.parametrize(
    ("sets", "when"),
    [
        ('ENV{ID_MM_DEVICE_IGNORE}="1"', 'ENV{DEVTYPE}=="usb_device"'),  # faults.md B 7
        ('ATTR{latency_timer}="1"', 'DRIVER=="ftdi_sio"'),  # hardware-tests.md 1.1
        ('SYMLINK+="tirage/$env{ID_SERIAL_SHORT}-$env{ID_USB_INTERFACE_NUM}"', 'ENV{ID_SERIAL_SHORT}=="?*"'),  # B 2
        ('SYMLINK+="tirage/at-$env{ID_PATH}"', 'ENV{ID_PATH}=="?*"'),  # B 3
        ('ENV{SYSTEMD_WANTS}="tirage.service"', f'TEST=="{DROP_IN}"'),  # start with the plug, where chosen
    ],
)
def test_the_rules_set_what_the_shoes_need(rules: Path, sets: str, when: str):
    """faults.md B 2, 3, 7: stable names, ModemManager kept away; the FTDI latency timer at 1 ms."""
    (line,) = [line for line in lines(rules) if sets in [part[0] for part in line]]
    assert when in [part[0] for part in line]


def test_udev_itself_takes_the_rules(rules: Path):
    """hardware-tests.md section 3: `udevadm verify` is there from systemd 254 on."""
    udevadm = shutil.which("udevadm")
    if udevadm is None:
        pytest.skip("udevadm is not installed")
    helped = subprocess.run([udevadm, "--help"], capture_output=True, text=True, check=False).stdout
    if " verify " not in helped:
        pytest.skip("this udevadm has no verify: it came with systemd 254")
    done = subprocess.run([udevadm, "verify", str(rules)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("started", [None, "tirage.service"])
def test_udev_names_the_device_and_starts_the_daemon_with_the_plug_only_where_chosen(
    tool, rules: Path, tmp_path: Path, started: str | None
):
    """faults.md B 2, 3, 7, by udev itself at a simulated device; SYSTEMD_WANTS is systemd.device(5)."""
    tool("umockdev-run")
    if os.geteuid() != 0:
        pytest.skip("only root may mount files aside")
    (tmp_path / "rules").mkdir()
    shutil.copy(rules, tmp_path / "rules")
    units = tmp_path / "units"
    (units / "tirage.service.d").mkdir(parents=True)
    if started:
        shutil.copy(rules.parents[1] / "systemd" / "with-the-plug.conf", units / "tirage.service.d")
    (tmp_path / "device").write_text(PLUGGED)
    command = [tool("unshare"), "-m", "sh", "-c", ASIDE, "sh", *(str(tmp_path / name) for name in ("rules", "units"))]
    done = subprocess.run([*command, str(tmp_path / "device"), SYSFS], capture_output=True, text=True, check=False)
    if "Operation not permitted" in done.stderr or "permission denied" in done.stderr:
        pytest.skip("this machine lets nobody mount")
    set_by = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    links = set(set_by["DEVLINKS"].split())
    assert {"/dev/tirage/SHOE7-00", "/dev/tirage/at-pci-0000:00:14.0-usb-0:1:1.0"} <= links, done.stderr
    assert set_by["ID_MM_PORT_IGNORE"] == "1"
    assert ":systemd:" in set_by["TAGS"]
    assert ("/dev/tirage/shoe" in links, set_by.get("SYSTEMD_WANTS")) == (bool(started), started)
