"""Where metrics are scraped: an address and a thread of their own."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread
from wsgiref.simple_server import WSGIServer

from prometheus_client import start_http_server

from controller.metrics import Metrics

STOP_TIMEOUT_S = 0.8  # the daemon is to end within 1 s; the server looks every 0.5 s whether it should


class CannotListen(Exception):
    """The address for metrics cannot be had; its text is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Serving:
    """The server of the metrics, in its own thread. ``port`` is the one it was given where 0 was asked for."""

    server: WSGIServer
    thread: Thread

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.server.server_port

    def stop(self) -> None:
        """Take no more requests and give the port back; waits half a second at most."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(STOP_TIMEOUT_S)


def serve(metrics: Metrics, host: str, port: int) -> Serving:
    """Answer scrapes at an address until stopped. Raises CannotListen."""
    try:
        return Serving(*start_http_server(port, addr=host, registry=metrics.registry))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        fix = "stop the program that holds it, or choose another address as metrics in [server]"
        raise CannotListen(f"metrics cannot listen on {host} port {port}: {why}; {fix}") from None
