"""Shoes on USB: a gadget that the guest's own kernel plays, and an FTDI adapter that QEMU plays."""

from __future__ import annotations

import shlex
from typing import Self

from controller.core.signals import Signal
from drivers.emulators import Shoe as Emulator
from tests.firmware.peer import DEVICE, KEY
from tests.guest.machine import Guest

SERIAL = "SHOE7"
DEPLOY = "/opt/tirage/deploy"
DROP_INS = "/etc/systemd/system/tirage.service.d"
GADGET = "/sys/kernel/config/usb_gadget/shoe"


class Shoe:
    """What both have in common: a name that the udev rule gives, and the frames of an Angel Eye shoe."""

    settings = 'driver = "angel-eye"\nmode = "hidden"\n'
    deal = "face_down"
    number: str  # of the interface, as the rule writes it
    node: str  # the kernel's name, whose number may change

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.port = f"/dev/tirage/{SERIAL}-{self.number}"
        self._emulator = Emulator()

    def at(self, guest: Guest) -> Self:
        """Carry it to another machine: it goes on counting."""
        self.guest = guest
        return self

    def is_back(self) -> float:
        """Wait until it is there under its name; return when udev saw it, in the guest's monotonic seconds."""
        self.guest.until(f"[ -c {self.port} ]")
        told = self.guest.do(f"udevadm settle; udevadm info -q property {self.port} | grep ^USEC_INITIALIZED=")
        return int(told.split("=")[1]) / 1e6

    def say(self, *signals: Signal) -> None:
        """Put the frames of these on the wire."""
        self.write(b"".join(copy for one in signals for copy in self._emulator.says(one)))

    def say_to_nobody(self, *signals: Signal) -> None:
        """Count on, as a shoe does whose cable is out."""
        for one in signals:
            self._emulator.says(one)

    def write(self, data: bytes) -> None:
        raise NotImplementedError

    def plug(self) -> None:
        raise NotImplementedError

    def unplug(self) -> None:
        raise NotImplementedError


class Gadget(Shoe):
    """A CDC-ACM gadget on dummy_hcd: its bytes are written in the guest, at the other end of the line."""

    number, node = "00", "ttyACM"

    def plug(self) -> None:
        self.guest.do(f"[ -d {GADGET} ] || gadget make {SERIAL}; gadget plug")
        self.guest.do("exec 4<>/dev/ttyGS0; stty raw -echo <&4")

    def unplug(self) -> None:
        self.guest.do("exec 4>&-; gadget unplug")

    def write(self, data: bytes) -> None:
        escaped = "".join(f"\\x{byte:02x}" for byte in data)
        self.guest.do(f"printf '{escaped}' >&4")


class Usbfs(Gadget):
    """The same gadget, taken from the kernel's driver by libusb, as the documentation says for a `usb:` port."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        self.port = f"usb:1209:0001:{SERIAL}"
        shipped, own = f"{DEPLOY}/udev/70-tirage.rules", "/etc/udev/rules.d/71-shoe.rules"
        guest.do(f"""sed -n 's/^#  *\\(SUBSYSTEM=="usb", .*GROUP=\\)/\\1/p' {shipped} >{own}; [ -s {own} ]""")
        guest.do("udevadm control --reload")
        allowed = r"[Service]\nDeviceAllow=char-usb_device rw\nRestrictAddressFamilies=AF_NETLINK\n"
        guest.do(f"printf '{allowed}' >/run/usb.conf; install -D -m 0644 /run/usb.conf {DROP_INS}/usb.conf")
        guest.do("systemctl daemon-reload")

    def is_back(self) -> float:
        device = "$(dirname $(grep -lx SHOE7 /sys/bus/usb/devices/*/serial))"
        self.guest.until("grep -qx SHOE7 /sys/bus/usb/devices/*/serial")
        told = self.guest.do(f"udevadm settle; udevadm info -q property -p {device} | grep ^USEC_INITIALIZED=")
        return int(told.split("=")[1]) / 1e6


class Reference(Gadget):
    """The reference firmware behind the gadget: it keeps what it said, and can be asked again."""

    settings = 'driver = "tirage"\nkeys = "/etc/tirage/shoe-keys.toml"\n[tables.rules]\nnew_shoe = "wire"\n'
    deal = "face_up"

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        guest.do(f'printf \'"{DEVICE.hex()}" = "{KEY.hex()}"\\n\' >/run/keys')
        guest.do("install -D -m 0600 -o tirage /run/keys /etc/tirage/shoe-keys.toml")
        shoe = f"/opt/tirage/shoe --link /run/shoe --memory /run/shoe.memory --device {DEVICE.hex()} --key {KEY.hex()}"
        guest.do(f"mkfifo /run/script; systemd-run --unit=shoe bash -c 'exec {shoe} <>/run/script'")
        guest.do(f"[ -d {GADGET} ] || gadget make {SERIAL}; until [ -e /run/shoe ]; do sleep 0.1; done")
        guest.do("systemd-run --unit=bridge bridge /run/shoe /dev/ttyGS0")

    def plug(self) -> None:
        self.guest.do("gadget plug")

    def unplug(self) -> None:
        self.guest.do("gadget unplug")

    def play(self, *lines: str) -> None:
        """Make the shoe say what lines of its script tell."""
        self.guest.do(f"printf '%s\\n' {' '.join(map(shlex.quote, lines))} >/run/script")


class Adapter(Shoe):
    """A shoe on QEMU's FTDI adapter: its bytes come from this side."""

    number, node = "00", "ttyUSB"

    def plug(self) -> None:
        self.guest.plug("usb-serial", chardev="adapter", serial=SERIAL)

    def unplug(self) -> None:
        self.guest.unplug("usb-serial")

    def write(self, data: bytes) -> None:
        self.guest.adapter.write(data)
