"""A small Debian for the guest, made once and kept: packages from apt, a kernel, the Python that runs these tests."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

KERNEL = "linux-image-amd64"
PACKAGES = [KERNEL, "systemd-sysv", "udev", "kmod", "bash", "coreutils", "util-linux", "grep", "sed", "tar"]
PACKAGES += ["base-passwd", "busybox-static"]
PACKAGES += ["libusb-1.0-0"]  # as the documentation asks for shoes that are no serial device
TOOLS = ("qemu-system-x86_64", "apt-get", "apt-cache", "dpkg-deb", "mke2fs", "depmod", "modprobe", "cpio", "ldconfig")
NOT_UNPACKED = ("./usr/share/doc", "./usr/share/man", "./usr/share/locale", "./usr/share/info", "./usr/lib/debug")
NOT_COPIED = ["test", "idlelib", "tkinter", "_tkinter*", "ensurepip", "lib2to3", "turtledemo", "config-*", "*.a"]
NOT_COPIED += ["site-packages", "dist-packages"]

# What the first root needs to find the disk, and what the tests plug in.
FIRST_MODULES = ("virtio_pci", "virtio_blk", "ext4")
MODULES = ("virtio_console", "dummy_hcd", "libcomposite", "usb_f_acm", "cdc_acm", "ftdi_sio", "uhci_hcd")
DISK_BYTES = 512 << 20
FILES = Path(__file__).resolve().parent / "root"


@dataclass(frozen=True, slots=True)
class Debian:
    """What a guest starts from: its kernel, the first root that loads the disk's drivers, and the disk."""

    kernel: Path
    first_root: Path
    disk: Path


def made_in(cache: Path) -> Debian:
    """Return the Debian kept in ``cache``, made anew where anything that it is made of has changed."""
    require()
    folder = cache / digest()
    debian = Debian(folder / "vmlinuz", folder / "initrd.gz", folder / "debian.img")
    with only_one(cache / "lock"):
        if not (folder / "made").exists():
            for old in cache.glob("*/"):
                shutil.rmtree(old)
            folder.mkdir()
            make(folder, debian)
            (folder / "made").touch()
    return debian


def require() -> None:
    """Skip where a guest cannot be made, and say why."""
    if os.geteuid() != 0:
        pytest.skip("the guest's disk has files of root: only root can make it")
    if platform.machine() != "x86_64":
        pytest.skip(f"the guest is amd64 and takes this machine's Python, which is for {platform.machine()}")
    for name in TOOLS:
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed (make test-long installs it)")
    if not knows_kernel():
        pytest.skip(f"apt knows no package {KERNEL}")


def knows_kernel() -> bool:
    """Whether apt could fetch the kernel; its lists may be old or not there at all."""
    for _ in range(2):
        if "Candidate: " in candidates(KERNEL) and "Candidate: (none)" not in candidates(KERNEL):
            return True
        subprocess.run(["apt-get", "-qq", "update"], check=False, capture_output=True)
    return False


def candidates(*packages: str) -> str:
    """What apt would fetch."""
    said = run("apt-cache", "policy", *packages, env=os.environ | {"LC_ALL": "C"}).stdout
    return "\n".join(line for line in said.splitlines() if line.startswith("  Candidate:"))


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Let other test processes wait until this one is done."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def digest() -> str:
    """Return what tells this one from one of other versions."""
    told = [Path(__file__).read_text(), candidates(*PACKAGES), sys.version]
    told += [path.read_text() for path in sorted(FILES.iterdir())]
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]


def run(*command: str | Path, deadline_s: float = 300, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a tool of this machine; its words are the failure's."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=deadline_s, check=False, **options
    )
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done


def make(folder: Path, debian: Debian) -> None:
    """Fetch, unpack, and lay out the disk."""
    root = folder / "root"
    for package in fetched(folder / "packages"):
        unpack(package, root)
    run("depmod", "-b", root, version(root))
    shutil.copy(next(root.glob("boot/vmlinuz-*")), debian.kernel)
    make_first_root(folder / "first", root, debian.first_root)
    copy_python(root)
    configure(root)
    shrink(root)
    make_disk(debian.disk, DISK_BYTES, "guest", root)
    for done in (root, folder / "packages", folder / "first"):
        shutil.rmtree(done)


def fetched(folder: Path) -> list[Path]:
    """Download the packages and all they need, as if nothing were installed, and check their signatures as apt does."""
    (folder / "partial").mkdir(parents=True)
    (folder / "status").touch()
    places = {"Dir::State::status": folder / "status", "Dir::Cache::archives": folder, "Debug::NoLocking": 1}
    options = [f"-o{name}={value}" for name, value in places.items()]
    run("apt-get", "-qq", "-y", "--no-install-recommends", "--download-only", *options, "install", *PACKAGES)
    return sorted(folder.glob("*.deb"))


def unpack(package: Path, root: Path) -> None:
    """Lay a package's files out; nothing of it is run."""
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (root / name).is_symlink():
            (root / name).symlink_to(f"usr/{name}")
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as archive:
        left_out = [f"--exclude={path}" for path in NOT_UNPACKED]
        run("tar", "-x", "--keep-directory-symlink", *left_out, "-C", root, stdin=archive.stdout)
    assert archive.returncode == 0, package


def version(root: Path) -> str:
    """The kernel's."""
    (folder,) = (root / "lib" / "modules").iterdir()
    return folder.name


def modules(root: Path, names: tuple[str, ...]) -> list[Path]:
    """Return the files of modules and of those that they need, in the order in which they load."""
    said = run("modprobe", "-d", root, "-S", version(root), "--show-depends", "-a", *names).stdout.splitlines()
    return list(dict.fromkeys(Path(line.split()[1]) for line in said if line.startswith("insmod ")))


def make_first_root(folder: Path, root: Path, image: Path) -> None:
    """Pack busybox, the disk's drivers and a script that hands over to the disk."""
    for name in ("bin", "dev", "proc", "sys", "disk", "modules"):
        (folder / name).mkdir(parents=True)
    shutil.copy(root / "bin" / "busybox", folder / "bin")
    shutil.copy(FILES / "init", folder)
    for place, module in enumerate(modules(root, FIRST_MODULES)):
        shutil.copy(module, folder / "modules" / f"{place:02}-{module.name}")
    names = "\n".join(str(path.relative_to(folder)) for path in sorted(folder.rglob("*")))
    packed = subprocess.run(
        ["cpio", "-o", "-H", "newc", "--quiet"], input=names.encode(), cwd=folder, capture_output=True, check=True
    )
    image.write_bytes(packed.stdout)


def copy_python(root: Path) -> None:
    """Copy the Python that runs the tests to /opt/python, with the libraries that it loads."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = root / "opt" / "python"
    (python / "bin").mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), python / "bin" / name)
    shutil.copytree(stdlib, python / "lib" / name, ignore=shutil.ignore_patterns(*NOT_COPIED))
    (python / "bin" / "python").symlink_to(name)
    copy_libraries([python / "bin" / name, *python.rglob("*.so")], root)


def copy_libraries(programs: list[Path], root: Path) -> None:
    """Copy the shared libraries of this machine that the root has not got from its packages."""
    said = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False).stdout
    folder = root / "usr" / "lib" / f"{platform.machine()}-linux-gnu"
    for path in {Path(line.split()[2]) for line in said.splitlines() if " => /" in line}:
        if not (folder / path.name).exists():
            shutil.copy(path, folder / path.name)


def configure(root: Path) -> None:
    """Give the root what the packages' scripts and an installer would: accounts, disks, the agent."""
    etc = root / "etc"
    for name in ("passwd", "group"):
        shutil.copy(root / "usr" / "share" / "base-passwd" / f"{name}.master", etc / name)
    (etc / "machine-id").write_text(f"{1:032x}\n")
    (etc / "hostname").write_text("table\n")
    (etc / "os-release").write_text('NAME="guest"\n')
    shutil.copy(FILES / "fstab", etc / "fstab")
    for name in ("agent", "gadget", "bridge"):
        shutil.copy(FILES / name, root / "usr" / "sbin")
    shutil.copy(FILES / "agent.service", etc / "systemd" / "system")
    (etc / "modules-load.d" / "guest.conf").write_text("virtio_console\n")
    wants = etc / "systemd" / "system" / "multi-user.target.wants"
    wants.mkdir(parents=True, exist_ok=True)
    (wants / "agent.service").symlink_to("../agent.service")
    for folder in ("opt/tirage", "var/lib/tirage", "root", "tmp", "run", "proc", "sys", "dev"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    run("ldconfig", "-r", root)
    run("chroot", root, "/usr/bin/systemd-sysusers")


def shrink(root: Path) -> None:
    """Keep the modules that the tests load, and no kernel."""
    kept = {path.relative_to(root) for path in modules(root, (*FIRST_MODULES, *MODULES))}
    for path in (root / "lib" / "modules").rglob("*.ko*"):
        if path.relative_to(root) not in kept:
            path.unlink()
    run("depmod", "-b", root, version(root))
    shutil.rmtree(root / "boot")


def make_disk(image: Path, size_bytes: int, label: str, content: Path | None = None) -> None:
    """Make an ext4 disk, with the files of a folder if there is one."""
    with image.open("wb") as file:
        file.truncate(size_bytes)
    filled = ["-d", str(content)] if content else []
    run("mke2fs", "-q", "-t", "ext4", "-L", label, "-E", "lazy_itable_init=0", *filled, image)
