"""A page of another origin, open in the browser of the dealer, commands nothing and reads nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from controller.core.signals import PoweredUp
from tests.daemon.daemon import HOST, facts
from tests.e2e.looking import pages_of
from tests.e2e.sitting import dealt, sitting

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

VOID = {"id": "0d9f2f4c-3a35-4a0e-8f0a-3f6a1c1f0b01", "staff": "1042", "hand": "1-1", "act": {"kind": "void"}}
# Each way in which a page of another site can send something: with leave, without, and as a form.
ATTACK = """async ([address, body]) => {
    const post = (mode, headers) => fetch(address + '/table/b1/commands', {
        method: 'POST', mode, headers, body, credentials: 'include',
    }).then(it => `${it.type} ${it.status}`, () => 'refused');
    const read = path => fetch(address + path).then(it => it.text(), () => 'refused');
    return [
        await post('cors', {'Content-Type': 'application/json', 'X-Tirage-Command': '1'}),
        await post('cors', {'Content-Type': 'text/plain'}),
        await post('no-cors', {'Content-Type': 'text/plain'}),
        await read('/table/b1'),
        await read('/surveillance/b1'),
    ];
}"""
FORM = """([address, body]) => {
    const form = Object.assign(document.createElement('form'), {
        method: 'POST', enctype: 'text/plain', action: address + '/table/b1/commands'});
    const [name, value] = [body.slice(0, -1) + ',"x":"', '"}'];
    form.append(Object.assign(document.createElement('input'), {name, value}));
    document.body.append(form);
    form.submit();
}"""
FRAME = """address => new Promise(done => {
    const frame = Object.assign(document.createElement('iframe'), {src: address + '/table/b1'});
    frame.onload = () => done(frame.contentDocument === null);
    document.body.append(frame);
})"""


class Blank(BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title><body>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer((HOST, 0), Blank)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_page_of_another_origin_cannot_command_read_or_frame(tmp_path: Path, look: Callable, elsewhere: str):
    """trust.md 4.4, ASVS 3.5: guards of origin, header and content type, and no CORS leave."""
    with sitting(tmp_path, mode="open", deal="face_up") as table, pages_of(table, look) as pages:
        table.say(PoweredUp(), *dealt("3H KD 4C 6S")[:3])
        pages.prompts("BANKER: card 2")
        foreign = look().page
        foreign.goto(elsewhere)
        answers = foreign.evaluate(ATTACK, [table.address, json.dumps(VOID)])
        assert answers == ["refused"] * 5
        said: list[str] = []
        foreign.on("console", lambda message: said.append(message.text))
        foreign.evaluate(FRAME, table.address)
        assert any("frame" in text for text in said), said
        with foreign.expect_response("**/commands") as answer:
            foreign.evaluate(FORM, [table.address, json.dumps(VOID)])
        assert answer.value.status == 403
        expect(pages.dealer.locator(".prompt .say")).to_have_text("BANKER: card 2")
        assert facts(tmp_path, "CommandAccepted", "CommandRejected", "HandVoided") == []
        assert table.daemon.give({"kind": "void"}, "1-1")[0] == 200, "the same command from here is taken"
