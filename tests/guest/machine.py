"""A guest at work: QEMU without the processor's help, an agent that runs what a test asks for, and its USB sockets."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.guest.debian import Debian

MEMORY_MB = 768
# The guest's clock counts its instructions, 2 ns each: its seconds are those of a slow machine of its own, however busy
# this one is. While it has nothing to do it waits in true time.
PACE = "shift=1"
BOOT_S = 300.0  # of this machine, which may be busy; on a quiet one it takes 15
ANSWER_S = 300.0  # of this machine
LONGEST_S = 600.0  # of this machine, for what has a deadline in the guest
WAIT_S = 30.0  # of the guest
LAST_WORDS = 4000
WORDS = "console=ttyS0 root=/dev/vda rw panic=-1 systemd.unit=multi-user.target systemd.mask=getty.target"
WORDS += " systemd.journald.forward_to_console=1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a line of shell said in the guest, and its exit code."""

    code: int
    text: str


class Lines:
    """One end of a line to QEMU, with a deadline at every read."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours
        self._rest = b""

    def close(self) -> None:
        self._socket.close()

    def write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def line(self, deadline: float) -> bytes:
        """Return the next line; raises TimeoutError, EOFError."""
        while b"\n" not in self._rest:
            self._read(deadline)
        line, self._rest = self._rest.split(b"\n", 1)
        return line

    def bytes(self, size: int, deadline: float) -> bytes:
        """Return so many bytes; raises TimeoutError, EOFError."""
        while len(self._rest) < size:
            self._read(deadline)
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def _read(self, deadline: float) -> None:
        self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
        data = self._socket.recv(65536)
        if not data:
            raise EOFError
        self._rest += data


class Guest:
    """A machine that runs from entering to leaving; ``disk`` survives a power cut, all else is as new at each boot."""

    def __init__(self, debian: Debian, app: Path, disk: Path, console: Path) -> None:
        self._debian = debian
        self._drives = ((debian.disk, "snapshot=on"), (app, "readonly=on"), (disk, "cache=writeback"))
        self._console = console

    def __enter__(self) -> Self:
        pairs = [socket.socketpair() for _ in range(3)]
        numbers = [theirs.fileno() for _, theirs in pairs]
        self._process = subprocess.Popen(self._command(*numbers), pass_fds=numbers)
        for _, theirs in pairs:
            theirs.close()
        self._agent, self._monitor, self.adapter = (Lines(ours) for ours, _ in pairs)
        try:
            self.boot_s = self._greeted()
        except BaseException:
            self.cut_power()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.cut_power()

    def _command(self, agent: int, monitor: int, adapter: int) -> Sequence[str | Path]:
        debian = self._debian
        command: list[str | Path] = ["qemu-system-x86_64", "-accel", "tcg", "-icount", PACE, "-smp", "1"]
        command += ["-m", str(MEMORY_MB), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"]
        command += ["-kernel", debian.kernel, "-initrd", debian.first_root, "-append", WORDS]
        command += ["-serial", f"file:{self._console}"]
        command += ["-chardev", f"socket,id=agent,fd={agent}", "-device", "virtio-serial-pci"]
        command += ["-device", "virtserialport,chardev=agent,name=agent"]
        command += ["-chardev", f"socket,id=monitor,fd={monitor}", "-mon", "chardev=monitor,mode=control"]
        command += ["-chardev", f"socket,id=adapter,fd={adapter}", "-device", "piix3-usb-uhci,id=usb"]
        for path, kind in self._drives:
            command += ["-drive", f"file={path},if=virtio,format=raw,{kind}"]
        return command

    def _greeted(self) -> float:
        start = time.monotonic()
        self._monitored("qmp_capabilities")
        assert self._answer(BOOT_S) == Answer(0, "")
        return time.monotonic() - start

    def cut_power(self) -> None:
        """Kill the machine: what it had not put on its disk is gone."""
        self._process.kill()
        self._process.wait()
        for line in (self._agent, self._monitor, self.adapter):
            line.close()

    def ask(self, line: str, deadline_s: float = ANSWER_S) -> Answer:
        """Run a line of shell, as root."""
        self._agent.write(line.encode() + b"\n")
        return self._answer(deadline_s)

    def do(self, line: str, deadline_s: float = ANSWER_S) -> str:
        """Run a line of shell that must end well; return what it said."""
        answer = self.ask(line, deadline_s)
        assert answer.code == 0, (line, answer, self.last_words())
        return answer.text.strip()

    def until(self, condition: str, deadline_s: float = WAIT_S, pause_s: float = 0.1) -> None:
        """Wait until a condition of the shell holds, for so many seconds of the guest."""
        limit = f"((SECONDS < {deadline_s:.0f})) || break; sleep {pause_s}"
        self.do(f"SECONDS=0; until {condition}; do {limit}; done 2>/dev/null; {condition}", LONGEST_S)

    def plug(self, device: str, **properties: str) -> None:
        """Put a device of QEMU into a USB socket of the machine."""
        self._monitored("device_add", driver=device, id=device, bus="usb.0", **properties)

    def unplug(self, device: str) -> None:
        """Pull it out."""
        self._monitored("device_del", id=device)

    def _monitored(self, command: str, **arguments: str) -> None:
        self._monitor.write(json.dumps({"execute": command, "arguments": arguments}).encode())
        deadline = time.monotonic() + ANSWER_S
        while "return" not in (said := json.loads(self._monitor.line(deadline))):
            assert "error" not in said, said

    def _answer(self, deadline_s: float) -> Answer:
        deadline = time.monotonic() + deadline_s
        try:
            code, size = map(int, self._agent.line(deadline).split())
            return Answer(code, self._agent.bytes(size, deadline).decode(errors="replace"))
        except (TimeoutError, EOFError) as error:
            raise AssertionError(f"the guest is silent ({error!r}); its console ends:\n{self.last_words()}") from error

    def last_words(self) -> str:
        """The end of what it printed on its serial console."""
        return self._console.read_text(errors="replace")[-LAST_WORDS:] if self._console.exists() else ""
