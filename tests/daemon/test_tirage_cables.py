"""A tirage shoe behind other cables: on USB (real libusb and pyusb at a simulated bus), behind a serial server."""

from __future__ import annotations

from pathlib import Path

from drivers.tirage import Session
from tests.daemon.daemon import Stream, run, until
from tests.daemon.tirage_table import bench, config, is_live, keys_file, lost, script, told
from tests.drivers.beds import VID_PID, Bed, bed
from tests.drivers.serial_servers import RFC2217, serving
from tests.firmware.conftest import built  # noqa: F401 - a fixture
from tests.firmware.peer import Firmware, Host
from tests.protocol.wire import BEGIN, DEVICE, KEY, OPEN, RESEND, TAGGED, Shoe, frame, parsed

CARDS = ["8S", "KH", "2C", "3D", "9S", "TD", "AC", "5H"]
SEATS = [("player", 1), ("banker", 1), ("player", 2), ("banker", 2)]


class OnBus:
    """The hand-written shoe, in a socket of the bus; it answers whenever it is served."""

    def __init__(self, usb: Bed) -> None:
        self.usb = usb
        self.shoe = Shoe(key=KEY)
        self.number = 1
        self.said: list[str] = []
        self.started = False

    def plug(self) -> None:
        self.number += 1
        self.started = False
        self.usb.plug(number=self.number)

    def unplug(self) -> None:
        self.usb.ask("unplug 1-1")

    def serve(self) -> bool:
        """Answer what the host asks, and let a heartbeat pass; tell whether a session is under way."""
        self.shoe.ms += 10
        for kind, session, counter, flags, payload in parsed(self.usb.sent()):
            asked = frame(kind, payload, session=session, counter=counter, flags=flags & ~TAGGED)
            if kind == OPEN:
                self.usb.say(self.shoe.hello(asked))
            elif kind == BEGIN and session == self.shoe.session:
                self.usb.say(self.shoe.started(asked))
                self.started = True
            elif kind == RESEND:
                self.usb.say(self.shoe.resent(payload))
        if self.started and self.shoe.ms % 100 == 0:
            self.usb.say(self.shoe.heartbeat())
        return self.started

    def draw(self, place: int) -> None:
        """Let a card be drawn; without the plug nobody hears it."""
        seat, index = SEATS[place % 4]
        frame = self.shoe.draw(CARDS[place], seat, index)
        self.said.append(f"card {seat.upper()} {index} {CARDS[place]}")
        if self.started:
            self.usb.say(frame)


def test_a_shoe_on_usb_is_asked_and_heard_and_loses_nothing_by_its_plug(tmp_path: Path):
    """faults.md B 1 and 2: back under another number, asked for what it said meanwhile."""
    with bed() as usb:
        shoe = OnBus(usb)
        shoe.plug()
        configured = config(tmp_path, f"usb:{VID_PID}:SHOE7", f'keys = "{keys_file(tmp_path, KEY, DEVICE)}"')
        under = ("env", *(f"{name}={usb.environment[name]}" for name in ("LD_PRELOAD", "UMOCKDEV_DIR")))
        with run("--config", configured, under=under) as daemon:

            def live() -> bool:
                return shoe.serve() and daemon.metrics()['tirage_link_live{table="b1"}'] == 1

            until(live)
            shoe.draw(0)
            until(lambda: shoe.serve() and told(tmp_path) == shoe.said)
            shoe.unplug()
            shoe.started = False
            shoe.draw(1)
            shoe.plug()
            until(live)
            shoe.draw(2)
            until(lambda: shoe.serve() and told(tmp_path) == shoe.said)
            daemon.end()
    assert lost(tmp_path) == []


def test_a_shoe_behind_a_serial_server_is_asked_and_heard(built, tmp_path: Path):  # noqa: F811
    """wire-formats.md section 1: often reached through a serial device server; frames go both ways, 0xff doubled."""
    dealt = script(5, 2)
    with bench(tmp_path, built("shoe"), "authentic") as shoe, serving(RFC2217, shoe.firmware.port) as server:
        port = f"rfc2217://127.0.0.1:{server.port}"
        configured = config(tmp_path, port, f'keys = "{keys_file(tmp_path)}"')
        with run("--config", configured) as daemon:
            Stream(daemon).until(is_live)
            shoe.play(*dealt)
            shoe.until_told()
            daemon.end()
    assert lost(tmp_path) == []


def test_a_copy_of_a_line_that_another_host_owns_is_heard_and_nothing_is_sent(built, tmp_path: Path):  # noqa: F811
    """wire-formats.md section 4: a tap; what the other host asks for again is heard once."""
    copy, dealt = tmp_path / "copy", script(5, 2)
    copy.write_bytes(b"")
    with Firmware(built("shoe"), tmp_path) as firmware, run("--config", tapping(tmp_path, copy)) as daemon:
        files = Path(f"/proc/{daemon.process.pid}/fd")
        until(lambda: copy in {file.resolve() for file in files.iterdir()})  # what stood there before is old
        host = Host(firmware.port, Session())

        def served() -> None:
            host.serve()
            with copy.open("ab") as file:
                file.write(bytes(host.raw))
            host.raw.clear()

        until(lambda: served() or daemon.metrics()['tirage_link_live{table="b1"}'] == 1)
        firmware.play(*dealt[:10], "fault lose 1", *dealt[10:])
        until(lambda: served() or told(tmp_path) == dealt)
        host.close()
        daemon.end()
    assert lost(tmp_path) == []


def tapping(folder: Path, copy: Path) -> Path:
    return config(folder, f"tap:{copy}", 'level = "plain"')
