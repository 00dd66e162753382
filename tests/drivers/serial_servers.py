"""Serial servers as other programs: what stands between a network and a shoe."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Sends to its one client what it reads on its standard input; says its port first.
RAW = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
client, _ = server.accept()
while data := sys.stdin.buffer.read1(4096):
    client.sendall(data)
"""

# pyserial's own side of RFC 2217 for servers, before a pseudo-terminal, which has no modem lines to set or ask.
RFC2217 = """
import socket, sys, threading, serial, serial.rfc2217
class Terminal(serial.Serial):
    cts = dsr = ri = cd = property(lambda self: False)
    def _update_dtr_state(self): pass
    def _update_rts_state(self): pass
line = Terminal(sys.argv[1], timeout=0.05)
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    class Writer:
        def write(self, data): client.sendall(data)
    bridge = serial.rfc2217.PortManager(line, Writer())
    def up():
        try:
            while True:
                if data := line.read(1024):
                    client.sendall(b"".join(bridge.escape(data)))
        except OSError: pass
    threading.Thread(target=up, daemon=True).start()
    try:
        while data := client.recv(1024):
            line.write(b"".join(bridge.filter(data)))
            print("baud", line.baudrate, flush=True)
    except OSError: pass
"""


class Server:
    """A server process and the port it listens at."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.port = int(self.line())

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()


@contextmanager
def serving(program: str, *arguments: Path | str) -> Iterator[Server]:
    """Run a server; killed at the end."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Server(process)
        finally:
            process.kill()
