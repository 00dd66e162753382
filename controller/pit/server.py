"""The web server inside the daemon's own loop: it leaves signals alone and stops within a second."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.pit.stream import Hub

DRAIN_S = 0.3  # how long a client may take to read the end of its stream
BACKLOG = 128


class PortBusy(Exception):
    """The address cannot be listened on; the text is a sentence for the person who starts the daemon."""


class Connection(H11Protocol):
    """A connection whose requests know their transport, so that a stalled stream can be cut."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection."""
        super().connection_made(transport)
        # The state is shared by all connections until it is copied; uvicorn copies it again into every request.
        self.app_state = self.app_state | {"transport": transport}


class QuietServer(uvicorn.Server):
    """uvicorn without its signal handlers: the daemon decides when to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the process's signals as they are."""
        yield

    def abort(self) -> None:
        """Cut the connections that are left, whatever is still unsent."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class WebServer:
    """The pages on one address. `start` listens, `stop` ends every stream and is back within a second."""

    def __init__(self, app: ASGIApp, hub: Hub, host: str, port: int) -> None:
        self.hub = hub
        self.host = host
        self.port = port
        config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,  # guards.py wants the true peer
            server_header=False,
            timeout_keep_alive=15,
            h11_max_incomplete_event_size=16_384,
        )
        self._server = QuietServer(config)
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen and begin to serve; port 0 becomes the port that was free.

        Raises PortBusy with a sentence that names the address.
        """
        line = listen(self.host, self.port)
        self.port = line.getsockname()[1]
        self._serving = asyncio.create_task(self._server.serve(sockets=[line]), name="pit")

    async def serve(self) -> None:
        """Serve until stopped."""
        if self._serving is None:
            await self.start()
        assert self._serving is not None  # noqa: S101 - start has just set it
        await asyncio.shield(self._serving)

    async def stop(self) -> None:
        """End all streams, wait DRAIN_S for their clients, cut the rest."""
        self.hub.close()
        self._server.should_exit = True
        if self._serving is None:
            return
        await asyncio.wait({self._serving}, timeout=DRAIN_S)
        while not self._serving.done():
            self._server.abort()
            await asyncio.wait({self._serving}, timeout=0.05)
        self._serving.result()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises PortBusy with a sentence that names the address.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        line = socket.socket(family, kind, proto)
    except OSError as error:
        raise PortBusy(f"cannot serve pages on {shown(host, port)}: {error.strerror or error}") from error
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.bind(address)
        line.listen(BACKLOG)
        line.setblocking(False)
    except OSError as error:
        line.close()
        raise PortBusy(f"cannot serve pages on {shown(host, port)}: {error.strerror or error}") from error
    return line


def shown(host: str, port: int) -> str:
    """Return an address as people write it.

    >>> shown("::1", 8080)
    '[::1]:8080'
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
