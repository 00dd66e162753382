"""Live push: snapshots, changes, beats, clients that do not read, and the end."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable

import httpx
import pytest

from controller.pit import stream
from controller.pit.server import PortBusy, WebServer

WAIT_S = 10.0
NEVER = lambda _: None  # noqa: E731


def until(true: Callable[[], object], within_s: float = WAIT_S) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end, "the condition did not come true"
        time.sleep(0.01)


def opened(pit, path: str = "/events/table/1", receive_buffer: int | None = None) -> socket.socket:
    line = socket.socket()
    if receive_buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    line.settimeout(WAIT_S)
    line.connect(("127.0.0.1", pit.web.port))
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return line


class Events:
    """The events of a stream, one by one."""

    def __init__(self, response: httpx.Response) -> None:
        self.lines = response.iter_lines()

    def next(self, kind: str | None = None) -> dict:
        event: dict[str, str] = {}
        for line in self.lines:
            name, _, value = line.partition(": ")
            if name:
                event[name] = value
            elif "data" in event:
                found = {"event": event["event"], "id": event["id"]} | json.loads(event["data"])
                if kind in {None, found["event"]}:
                    return found
                event = {}
            else:
                event = {}
        raise AssertionError("the stream ended")


def test_a_stream_begins_with_a_snapshot_and_then_tells_what_changed(pit):
    """trust.md T5, faults.md B 48: a snapshot with its number first, then only newer things."""
    with pit.client() as client, client.stream("GET", "/events/table/1") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        events = Events(response)
        first = events.next()
        pit.show("1", "incident")
        second = events.next("parts")
    assert first["event"] == "snapshot"
    assert set(first["parts"]) == {"status", "prompt", "felt", "trouble", "result", "acts", "list", "bank", "bankacts"}
    assert "PLAYER draws" in first["parts"]["prompt"]
    assert "R-PB-05" in second["parts"]["trouble"]
    assert "result" not in second["parts"], "what did not change is not sent"
    assert second["seq"] > first["seq"]


def test_a_client_that_comes_back_gets_everything_again(pit):
    """faults.md A 50, B 48."""
    with pit.client() as client:
        with client.stream("GET", "/events/table/1") as response:
            Events(response).next()
        pit.show("1", "unread")
        with client.stream("GET", "/events/table/1") as response:
            again = Events(response).next()
    assert again["event"] == "snapshot"
    assert "Key its face" in again["parts"]["trouble"]


def test_a_quiet_stream_beats_so_that_the_page_knows_it_is_live(pit):
    """trust.md T5, faults.md B 47: the page says by itself within 2 s that the server is gone."""
    with pit.client() as client, client.stream("GET", "/events/board/1") as response:
        events = Events(response)
        first = events.next()
        began = time.monotonic()
        beats = [events.next("beat") for _ in range(3)]
        took = time.monotonic() - began
    assert [beat["seq"] for beat in beats] == [first["seq"]] * 3
    assert took < 3 * stream.BEAT_S + 1.0


def test_each_message_says_when_the_shoe_was_heard_by_the_clock_of_the_server(pit):
    """faults.md B 50: age computed from the server, not from the clock of the page; the snapshot's too, though kept."""
    pit.floor.stamps = {"1": time.monotonic_ns() - 5_000_000_000}
    with pit.client() as client:
        for _ in range(2):
            with client.stream("GET", "/events/table/1") as response:
                events = Events(response)
                told = [events.next()["heard"], events.next("beat")["heard"]]
            ages = [heard["now"] - heard["at"]["1"] for heard in told]
            assert 5_000 <= ages[0] < ages[1] < 5_000 + 1_000 * WAIT_S
        with client.stream("GET", "/events/pit") as response:
            assert set(Events(response).next()["heard"]["at"]) == {"1"}, "nothing came from the others yet"


def test_a_table_tells_only_its_own_pages_and_the_pit(pit):
    streams = ("/events/table/2", "/events/pit")
    with pit.client() as client, client.stream("GET", streams[0]) as other, client.stream("GET", streams[1]) as whole:
        events, floor_events = Events(other), Events(whole)
        events.next()
        floor_events.next()
        pit.show("1", "incident")
        assert "Suspended" in floor_events.next("parts")["parts"]["tiles"]
        assert events.next()["event"] == "beat"


def test_a_change_is_rendered_once_for_all_who_look():
    hub, rendered = stream.Hub(), []

    def render() -> dict[str, str]:
        rendered.append(1)
        return {"part": str(len(rendered))}

    topic = hub.add("page", frozenset({"1"}), render, NEVER)
    readers = [hub.join("page") for _ in range(20)]
    topic.stale = True
    hub._flush()
    assert len(rendered) == 2
    assert {id(reader.pending) for reader in readers} == {id(stream.SNAPSHOT)}


def test_a_slow_reader_holds_one_message_and_then_gets_the_latest_state():
    """trust.md T12, faults.md B 46: bounded, coalesced to the latest snapshot."""
    hub, state = stream.Hub(), ["a"]
    topic = hub.add("page", frozenset({"1"}), lambda: {"part": state[0]}, NEVER)
    reader = hub.join("page")
    reader._take()
    for letter in "bcdef":
        state[0] = letter
        topic.stale = True
        hub._flush()
    assert reader.pending is stream.SNAPSHOT
    assert json.loads(reader._take().decode().split("data: ")[1])["parts"] == {"part": "f"}


def test_a_page_that_cannot_be_rendered_ends_its_streams():
    """Beats over an old page would call it live."""
    hub, broken = stream.Hub(), []

    def render() -> dict[str, str]:
        if broken:
            raise ValueError("no such sentence")
        return {"part": "a"}

    topic = hub.add("page", frozenset({"1"}), render, NEVER)
    reader = hub.join("page")
    broken.append(1)
    topic.stale = True
    with pytest.raises(ValueError, match="no such sentence"):
        hub._flush()
    assert reader.closed


def test_a_client_that_closes_is_forgotten(pit):
    line = opened(pit)
    until(lambda: pit.hub.clients == 1)
    line.close()
    until(lambda: pit.hub.clients == 0)


def test_a_client_that_does_not_read_is_dropped_and_delays_nobody(pit, monkeypatch):
    """trust.md T12, faults.md B 46: dropped within 5 s of standing still, and the others do not notice."""
    dead = opened(pit, receive_buffer=2048)
    until(lambda: pit.hub.clients == 1)
    with pit.client() as client, client.stream("GET", "/events/table/1") as response:
        events = Events(response)
        events.next()
        began, delays, number = time.monotonic(), [], 0
        while pit.hub.clients > 1:
            assert time.monotonic() - began < stream.STALLED_S + WAIT_S
            asked = time.monotonic()
            pit.show("1", ("middle", "incident")[number := (number + 1) % 2])
            events.next("parts")
            delays.append(time.monotonic() - asked)
    assert max(delays) < 1.0
    until(lambda: ended(dead))
    dead.close()


def ended(line: socket.socket) -> bool:
    try:
        return line.recv(65536) == b""
    except ConnectionResetError:
        return True


def test_the_server_stops_within_a_second_whoever_reads(pit):
    """Requirement: 50 streams open, 20 of them not reading."""
    reading = [opened(pit) for _ in range(30)]
    stuck = [opened(pit, receive_buffer=2048) for _ in range(20)]
    until(lambda: pit.hub.clients == 50)
    for line in reading:
        line.setblocking(False)
    number = 0

    def stalled() -> int:
        return sum(
            connection.transport.get_write_buffer_size() > 0 for connection in pit.web._server.server_state.connections
        )

    while pit.call(stalled) < 20:
        pit.show("1", ("middle", "incident")[number := (number + 1) % 2])
        for line in reading:
            drain(line)
    began = time.monotonic()
    pit.stop()
    assert time.monotonic() - began < 1.0
    for line in reading + stuck:
        line.close()


def drain(line: socket.socket) -> None:
    try:
        while line.recv(1 << 20):
            pass
    except BlockingIOError:
        return


def test_a_busy_port_is_one_clear_sentence(pit):
    """Requirement: ports busy: one clear sentence."""
    second = WebServer(lambda *_: None, pit.hub, "127.0.0.1", pit.web.port)
    with pytest.raises(PortBusy, match=rf"127\.0\.0\.1:{pit.web.port}: Address already in use"):
        pit.run(second.start())
