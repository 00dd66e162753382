"""The systemd unit, checked by systemd's own tools (no running systemd is needed)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXPOSURE_LIMIT = 25  # tenths: 2.5 on systemd's scale of 10
EXECUTABLE = "/opt/tirage/.venv/bin/tirage"


@pytest.fixture
def unit(repository: Path) -> Path:
    return repository / "deploy" / "systemd" / "tirage.service"


def settings(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def exposure(tool, unit: Path) -> subprocess.CompletedProcess[str]:
    analyze = tool("systemd-analyze")
    command = [analyze, "security", "--offline=true", f"--threshold={EXPOSURE_LIMIT}", "--no-pager", str(unit)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_reads_the_unit_without_a_word(tool, unit: Path, tmp_path: Path):
    """trust.md 4: `systemd-analyze verify`; the installed program is replaced by one that is there."""
    text = unit.read_text()
    assert EXECUTABLE in text
    copy = tmp_path / "tirage.service"
    copy.write_text(text.replace(EXECUTABLE, sys.executable))
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def with_the_plug(unit: Path, folder: Path) -> tuple[Path, Path]:
    """The unit as a house has it that installed the drop-in."""
    copy, drop_in = folder / "tirage.service", folder / "tirage.service.d" / "with-the-plug.conf"
    copy.write_text(unit.read_text().replace(EXECUTABLE, sys.executable))
    drop_in.parent.mkdir()
    shutil.copy(unit.parent / "with-the-plug.conf", drop_in)
    return copy, drop_in


def test_systemd_reads_the_choice_to_follow_the_plug_without_a_word(tool, unit: Path, tmp_path: Path):
    """hardware-tests.md section 3: BindsTo the device's unit stops it on unplug; and the check can fail."""
    copy, drop_in = with_the_plug(unit, tmp_path)
    command = [tool("systemd-analyze"), "verify", "--man=no", str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    drop_in.write_text(drop_in.read_text().replace("BindsTo", "BindsToo"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "BindsToo" in done.stderr


def test_the_unit_is_bound_to_the_name_that_udev_gives_the_shoe(tool, unit: Path, repository: Path):
    """systemd.device(5): the unit of /dev/tirage/shoe, as `systemd-escape` writes it; udev makes that link."""
    escaped = subprocess.run(
        [tool("systemd-escape"), "--path", "--suffix=device", "/dev/tirage/shoe"], capture_output=True, check=True
    )
    bound = settings(unit.parent / "with-the-plug.conf")
    assert bound["BindsTo"] == bound["After"] == [escaped.stdout.decode().strip()]
    assert (
        'SYMLINK+="tirage/shoe", ENV{SYSTEMD_WANTS}="tirage.service"'
        in (repository / "deploy" / "udev" / "70-tirage.rules").read_text()
    )


def test_a_misspelt_setting_would_be_found(tool, unit: Path, tmp_path: Path):
    """The check above can fail."""
    copy = tmp_path / "tirage.service"
    copy.write_text(unit.read_text().replace(EXECUTABLE, sys.executable).replace("LimitCORE", "LimitCore"))
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert "LimitCore" in done.stderr


def test_the_unit_exposes_at_most_two_and_a_half(tool, unit: Path):
    """trust.md 4: exposure <= 2.5 by `systemd-analyze security --offline`."""
    done = exposure(tool, unit)
    assert done.returncode == 0, done.stdout


def test_a_unit_without_the_fences_would_be_refused(tool, unit: Path, tmp_path: Path):
    """The check above can fail."""
    copy = tmp_path / "tirage.service"
    fences = ("Protect", "Restrict", "SystemCall", "Capability", "NoNew")
    copy.write_text("\n".join(line for line in unit.read_text().splitlines() if not line.startswith(fences)))
    assert exposure(tool, copy).returncode != 0


def test_the_service_always_comes_back_unless_its_configuration_is_bad(unit: Path):
    """faults.md B 30; exit codes of design, section 6: 2 usage and 78 bad configuration do not mend themselves."""
    found = settings(unit)
    assert (found["Restart"], found["RestartSec"]) == (["always"], ["500ms"])
    assert found["StartLimitIntervalSec"] == ["0"]
    assert found["RestartPreventExitStatus"] == ["2 78"]


def test_the_service_reaches_serial_lines_and_nothing_else(unit: Path):
    """Only the character devices a shoe can be on."""
    found = settings(unit)
    assert found["DevicePolicy"] == ["closed"]
    assert found["DeviceAllow"] == ["char-ttyUSB rw", "char-ttyACM rw", "char-ttyS rw"]


def test_no_face_can_leave_in_a_core_dump(unit: Path):
    """trust.md: a dump would hold faces that nobody may see yet."""
    assert settings(unit)["LimitCORE"] == ["0"]


def test_the_account_is_made_with_the_serial_group(tool, repository: Path, tmp_path: Path):
    """`systemd-sysusers` in an empty root."""
    (tmp_path / "etc").mkdir()
    declared = repository / "deploy" / "systemd" / "tirage.sysusers"
    subprocess.run([tool("systemd-sysusers"), f"--root={tmp_path}", str(declared)], check=True, capture_output=True)
    assert "tirage:x:" in (tmp_path / "etc" / "passwd").read_text()
    dialout = next(line for line in (tmp_path / "etc" / "group").read_text().splitlines() if line.startswith("dialout"))
    assert dialout.endswith(":tirage")
