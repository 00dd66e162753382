"""USB shoes for a test bed of umockdev: run by the system's own Python (which has gi), under umockdev-wrapper.

Says the root of the test bed first. Each line on the standard input is a command, answered by a line: what was done,
or `no` and why. A command names the device by its socket:
    plug SOCKET NUMBER KIND SERIAL   KIND is vendor or acm, SERIAL is - for none
    say SOCKET HEX        the shoe says bytes, in packets
    stall SOCKET TIMES    the endpoint stops so often, each time until it is cleared
    fail SOCKET ERRNO     the next read ends with this error
    unplug SOCKET
    scanner NUMBER FILE   a scanner is plugged in as event NUMBER and types what a recording (evemu) says
    pull NUMBER           the scanner is unplugged
    sent SOCKET           the bytes that the host has sent since this was asked last
    told SOCKET           what was asked of the device so far: claims, clearings, and what came in control transfers
"""

import errno
import fcntl
import os
import struct
import sys
import threading
from collections import Counter, deque

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

VID, PID, PACKET, IN, OUT = 0x1209, 0x0001, 64, 0x85, 0x02
PIPE_BYTES = 4096
BUS = "/sys/devices/pci0000:00/0000:00:14.0/usb1"

# linux/usbdevice_fs.h, 64 bit: direction, size, 'U' and number.
SUBMIT, DISCARD, REAP, REAP_NOW = 0x8038550A, 0x550B, 0x4008550C, 0x4008550D
CLAIM, RELEASE, CONFIGURE, CLEAR, RESET = 0x8004550F, 0x80045510, 0x80045505, 0x80045515, 0x5514
DRIVER, DISCONNECT, CAPABILITIES = 0x41045508, 0xC0105512, 0x8004551A
URB_BYTES, URB_STATUS, URB_BUFFER, URB_LENGTH, URB_ACTUAL = 56, 4, 16, 24, 28
CONTROL, SETUP_BYTES = 2, 8


def described(kind: str) -> bytes:
    """Device, configuration, interfaces and endpoints; the pair of bulk endpoints never has the first numbers."""
    pair = struct.pack("<BBBBHB", 7, 5, OUT, 2, PACKET, 0) + struct.pack("<BBBBHB", 7, 5, IN, 2, PACKET, 0)
    notices = struct.pack("<BBBBHB", 7, 5, 0x81, 3, 8, 10)
    if kind == "acm":
        body = struct.pack("<9B", 9, 4, 0, 0, 1, 2, 2, 1, 0) + b"\x05\x24\x00\x10\x01\x04\x24\x02\x02" + notices
        body += struct.pack("<9B", 9, 4, 1, 0, 2, 0x0A, 0, 0, 0) + pair
        interfaces = 2
    else:
        body = struct.pack("<9B", 9, 4, 0, 0, 3, 0xFF, 0, 0, 0) + notices + pair
        interfaces = 1
    head = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, VID, PID, 0x0100, 1, 2, 3, 1)
    return head + struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), interfaces, 1, 0, 0x80, 50) + body


class Shoe(UMockdev.IoctlBase):
    """What the kernel would serve for one device. Its ioctls come in another thread than the commands."""

    def __init__(self, node: str, driver: str) -> None:
        super().__init__()
        self.lock = threading.RLock()
        self.node = node
        self.driver = driver  # that the kernel bound to it
        self.owner = None
        self.words: deque[bytes] = deque()
        self.errors: deque[int] = deque()
        self.stalls = 0
        self.halted = self.gone = False
        self.waiting: list = []  # URBs that ask for bytes
        self.done: list = []  # URBs to be reaped
        self.told: Counter[str] = Counter()
        self.sent = b""
        self.pipe = -1

    def make_pollable(self) -> None:
        """Put a FIFO in the place of the plain file, which poll always calls writable: full while nothing is done."""
        os.unlink(self.node)  # noqa: PTH108 - runs on the system's Python, with os throughout
        os.mkfifo(self.node)
        self.pipe = os.open(self.node, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.write(self.pipe, bytes(PIPE_BYTES))

    def poll_says(self) -> None:
        """Let poll say that something is done, or that nothing is; a plain file always says so."""
        if self.pipe < 0:
            return
        try:
            if self.done or self.gone:
                os.read(self.pipe, PIPE_BYTES)
            else:
                os.write(self.pipe, bytes(PIPE_BYTES))
        except BlockingIOError:
            pass

    def do_client_vanished(self, client) -> None:
        with self.lock:
            if self.owner is client:
                self.owner = None
            self.waiting = [urb for urb in self.waiting if urb[0] is not client]
            self.done = [urb for urb in self.done if urb[0] is not client]

    def do_handle_ioctl(self, client) -> bool:
        with self.lock:
            try:
                status = self.asked(client, client.get_request())
            except OSError as error:
                client.complete(-1, error.errno)
            else:
                client.complete(status, 0)
            self.poll_says()
        return True

    def asked(self, client, request: int) -> int:
        if request in (REAP, REAP_NOW):  # also when it is gone: what was under way must come back
            return self.reap(client)
        if self.gone:
            raise OSError(errno.ENODEV, "")
        argument = client.get_arg()
        if request == SUBMIT:
            return self.submit(client, argument)
        if request == DISCARD:
            return self.discard(client, argument)
        if request == CLAIM:
            return self.claim(client, argument)
        if request == CLEAR:
            self.told["clear"] += 1
            self.halted = False
            self.serve()
        elif request == CAPABILITIES:
            argument.resolve(0, 4).update(0, struct.pack("<I", 0))
        elif request == DRIVER:
            if not self.driver:
                raise OSError(errno.ENODATA, "")
            argument.resolve(0, 260).update(4, self.driver.encode() + b"\0")
        elif request == DISCONNECT:
            self.driver = ""
            self.told["detach"] += 1
        elif request == CONFIGURE:
            self.told["configure"] += 1
        elif request == RELEASE:
            self.owner = None
        elif request != RESET:
            raise OSError(errno.ENOTTY, "")
        return 0

    def claim(self, client, argument) -> int:
        number = struct.unpack("<I", bytes(argument.resolve(0, 4).retrieve()))[0]
        if self.driver or self.owner not in (None, client):
            raise OSError(errno.EBUSY, "")
        self.owner = client
        self.told[f"claim-{number}"] += 1
        return 0

    def submit(self, client, argument) -> int:
        # Its address tells URBs apart when one is discarded; resolving puts another in its place.
        place = struct.unpack("<Q", bytes(argument.retrieve()))[0]
        urb = argument.resolve(0, URB_BYTES)
        raw = bytes(urb.retrieve())
        kind, endpoint, length = raw[0], raw[1], struct.unpack_from("<i", raw, URB_LENGTH)[0]
        buffer = urb.resolve(URB_BUFFER, length) if length else None
        entry = (client, place, argument, urb, buffer, length)
        if kind == CONTROL:
            self.told["control " + bytes(buffer.retrieve()).hex()] += 1
            self.finish(entry, 0, length - SETUP_BYTES)
        elif endpoint == IN:
            self.waiting.append(entry)
            self.serve()
        else:
            self.told["out " + bytes(buffer.retrieve()).hex()] += 1
            self.sent += bytes(buffer.retrieve())
            self.finish(entry, 0, length)
        return 0

    def serve(self) -> None:
        """Answer the URBs that wait, in their order, as far as there is something to say."""
        while self.waiting:
            if self.errors:
                self.finish(self.waiting.pop(0), -self.errors.popleft(), 0)
            elif self.halted or self.stalls:
                if not self.halted:
                    self.stalls -= 1
                    self.halted = True
                self.finish(self.waiting.pop(0), -errno.EPIPE, 0)
            elif self.words:
                entry = self.waiting.pop(0)
                word = self.words.popleft()
                entry[4].update(0, word)
                self.finish(entry, 0, len(word))
            else:
                return

    def discard(self, client, argument) -> int:
        place = struct.unpack("<Q", bytes(argument.retrieve()))[0]
        for entry in self.waiting:
            if entry[1] == place:
                self.told["timeout"] += 1
                self.waiting.remove(entry)
                self.finish(entry, -errno.ENOENT, 0)
                return 0
        raise OSError(errno.EINVAL, "")

    def finish(self, entry, status: int, actual: int) -> None:
        entry[3].update(URB_STATUS, struct.pack("<i", status))
        entry[3].update(URB_ACTUAL, struct.pack("<i", actual))
        self.done.append(entry)

    def reap(self, client) -> int:
        for entry in self.done:
            if entry[0] is client:
                self.done.remove(entry)
                client.get_arg().resolve(0, 8).set_ptr(0, entry[3])
                return 0
        raise OSError(errno.ENODEV if self.gone else errno.EAGAIN, "")

    def vanish(self) -> None:
        with self.lock:
            self.gone = True
            for entry in self.waiting:
                self.finish(entry, -errno.ESHUTDOWN, 0)
            self.waiting.clear()
            self.poll_says()


class Bus:
    """The sockets and what is in them."""

    def __init__(self) -> None:
        self.bed = UMockdev.Testbed.new()
        self.root = self.bed.get_root_dir()
        self.bed.add_from_string(
            f"P: {BUS[4:]}\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\nA: busnum=1\\n\nA: devnum=1\\n\n"
        )
        self.shoes: dict[str, Shoe] = {}

    def plug(self, socket: str, number: str, kind: str, serial: str) -> str:
        node = f"bus/usb/001/{int(number):03}"
        lines = [
            f"P: {BUS[4:]}/{socket}",
            f"N: {node}",
            "E: SUBSYSTEM=usb",
            "E: DEVTYPE=usb_device",
            f"E: DEVNAME=/dev/{node}",
            "E: BUSNUM=001",
            f"E: DEVNUM={int(number):03}",
            "E: MAJOR=189",
            f"E: MINOR={int(number) - 1}",
            "A: busnum=1\\n",
            f"A: devnum={int(number)}\\n",
            "A: speed=12\\n",
            "A: bConfigurationValue=1\\n",
            f"A: idVendor={VID:04x}\\n",
            f"A: idProduct={PID:04x}\\n",
            "A: product=Shoe\\n",
            f"H: descriptors={described(kind).hex().upper()}",
        ]
        if serial != "-":
            lines.append(f"A: serial={serial}\\n")
        shoe = Shoe(f"{self.root}/dev/{node}", "cdc_acm" if kind == "acm" else "")
        self.bed.attach_ioctl(f"/dev/{node}", shoe)
        self.bed.add_from_string("\n".join(lines) + "\n")  # which sends the event of the plug, too
        with shoe.lock:
            shoe.make_pollable()
            shoe.poll_says()
        self.shoes[socket] = shoe
        return "plugged"

    def say(self, socket: str, text: str) -> str:
        data, shoe = bytes.fromhex(text), self.shoes[socket]
        with shoe.lock:
            shoe.words.extend(data[at : at + PACKET] for at in range(0, len(data), PACKET))
            shoe.serve()
            shoe.poll_says()
        return "said"

    def stall(self, socket: str, times: str) -> str:
        shoe = self.shoes[socket]
        with shoe.lock:
            shoe.stalls += int(times)
            shoe.serve()
            shoe.poll_says()
        return "stalled"

    def fail(self, socket: str, number: str) -> str:
        shoe = self.shoes[socket]
        with shoe.lock:
            shoe.errors.append(int(number))
            shoe.serve()
            shoe.poll_says()
        return "failed"

    def unplug(self, socket: str) -> str:
        shoe = self.shoes.pop(socket)
        self.bed.uevent(f"{BUS}/{socket}", "remove")
        self.bed.remove_device(f"{BUS}/{socket}")
        shoe.vanish()
        return "unplugged"

    def scanner(self, number: str, recording: str) -> str:
        place = f"{BUS[4:]}/1-3/1-3:1.0/0003:1209:0002.0001/input/input{number}/event{number}"
        self.bed.add_from_string(
            f"P: {BUS[4:]}/1-3\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\n"
            "A: idVendor=1209\\n\nA: idProduct=0002\\n\nA: serial=SCAN7\\n\nA: product=Scanner\\n\n\n"
            f"P: {place}\nN: input/event{number}\nS: input/by-id/usb-Scanner_SCAN7-event-kbd\n"
            f"E: DEVNAME=/dev/input/event{number}\nE: SUBSYSTEM=input\nE: ID_INPUT=1\nE: ID_INPUT_KEYBOARD=1\n"
            f"E: MAJOR=13\nE: MINOR={64 + int(number)}\nA: dev=13:{64 + int(number)}\\n\n"
        )
        self.bed.load_evemu_events(f"/dev/input/event{number}", recording)
        return "plugged"

    def pull(self, number: str) -> str:
        place = f"{BUS}/1-3/1-3:1.0/0003:1209:0002.0001/input/input{number}/event{number}"
        terminal = self.bed.get_dev_fd(f"/dev/input/event{number}")
        self.bed.uevent(place, "remove")
        self.bed.remove_device(place)
        self.bed.remove_device(f"{BUS}/1-3")
        os.unlink(f"{self.root}/dev/input/by-id/usb-Scanner_SCAN7-event-kbd")  # noqa: PTH108 - as udev does
        for name in os.listdir(f"{self.root}/dev/.ptymap"):  # noqa: PTH208 - the next terminal may have this number
            os.unlink(f"{self.root}/dev/.ptymap/{name}")  # noqa: PTH108
        os.close(terminal)
        return "unplugged"

    def sent(self, socket: str) -> str:
        shoe = self.shoes[socket]
        with shoe.lock:
            sent, shoe.sent = shoe.sent, b""
        return sent.hex() or "-"

    def told(self, socket: str) -> str:
        with self.shoes[socket].lock:
            return ", ".join(f"{what} x{times}" for what, times in sorted(self.shoes[socket].told.items()))


bus = Bus()
print(bus.root, flush=True)
for line in sys.stdin:
    command, *arguments = line.split()
    try:
        answer = getattr(bus, command)(*arguments)
    except Exception as error:
        answer = f"no: {error!r}"
    print(answer, flush=True)
