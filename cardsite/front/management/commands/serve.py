"""``manage.py serve``: one Daphne process. Any other ASGI server does as well: see docs/deployment.md."""

from __future__ import annotations

import asyncio
import struct
from argparse import ArgumentParser
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from cardsite.front import lan
from cardsite.front.door import Lines, listen_in
from cardsite.table.protocol import MAX_FRAME as LONGEST_MESSAGE
from cardsite.table.protocol import TOO_MANY_FRAMES
from cardsite.table.relay import WRITE_NOW

MAX_FRAME = 64 * 1024  # bytes of a WebSocket frame that Daphne reads before it hangs up
MAX_MESSAGE = 2 * 1024 * 1024  # the same of a whole message; what we send is held to it too, and dropped beyond it
MAX_BEHIND = 256 * 1024  # bytes that may wait, beside the longest message, for a peer that does not read
KERNEL_BUFFER = 128 * 1024  # bytes that the system keeps for it beside that; it would take megabytes
MAX_UNHEARD = 256  # messages of a peer that wait for the application: more than anybody may send in ten seconds


class Tap:
    """Knows whether a connection takes more: what Twisted calls a push producer."""

    def __init__(self) -> None:
        self.flows = asyncio.Event()
        self.resumeProducing()

    def pauseProducing(self) -> None:
        """Be told that more waits to be written than should."""
        self.flows.clear()

    def resumeProducing(self) -> None:
        """Be told that all is written."""
        self.flows.set()

    stopProducing = resumeProducing  # the connection is lost: nobody waits for it


class Wire(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's WebSocket, writing at once what the connection takes, and holding back the application otherwise.

    Twisted would keep each message for the next turn of its loop, and pay two more system calls for it: a delivery
    costs a third this way. Nor does Daphne tell anybody that a peer has stopped reading: see ``flows``.
    """

    _longest = 0  # bytes of one write since nothing waited

    def onOpen(self) -> None:
        self._tap = Tap()
        self.transport.unregisterProducer()  # the HTTP connection that this one was
        self.transport.registerProducer(self._tap, True)
        self.transport.getHandle().setsockopt(SOL_SOCKET, SO_SNDBUF, KERNEL_BUFFER)
        super().onOpen()

    async def flows(self) -> None:
        """Return when the connection takes more, or is lost."""
        await self._tap.flows.wait()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if self.application_queue.qsize() >= MAX_UNHEARD:
            self.sendClose(code=TOO_MANY_FRAMES)
            return
        if len(payload) > 2 * LONGEST_MESSAGE:  # will be refused as too long: the rest need not wait for that
            payload = payload[: 2 * LONGEST_MESSAGE].decode(errors="ignore").encode()
        super().onMessage(payload, isBinary)

    def write_now(self, text: str) -> bool:
        """Write a message, if nothing waits to be written before it. Return whether that was so.

        Beside the writing itself, an ASGI message for each of five hundred watchers and a turn of their task cost most.
        """
        if self.state != self.STATE_OPEN or self._behind() or not self._tap.flows.is_set():
            return False
        payload = text.encode()
        self.sendData(_head(len(payload)) + payload)
        return True

    def _behind(self) -> int:
        """Return how many bytes wait to be written."""
        line = self.transport
        return len(line.dataBuffer) - line.offset + line._tempDataLen  # type: ignore[no-any-return]

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        line = self.transport
        behind = self._behind()
        if not behind:
            self._longest = 0
        elif behind - self._longest > MAX_BEHIND:  # answers to pings, which no application holds back
            self.dropConnection(abort=True)
            return
        self._longest = max(self._longest, len(data))
        if not behind and line.connected and not line.disconnecting:
            written = line.writeSomeData(data)
            if isinstance(written, int):  # else it is an error, which the line will meet again and deal with
                data = data[written:]
        if data:
            line.write(data)


def _head(size: int) -> bytes:
    """Return what stands before a text of so many bytes in a frame of its own (RFC 6455, 5.2)."""
    if size < 126:
        return struct.pack(">BB", 0x81, size)
    if size < 1 << 16:
        return struct.pack(">BBH", 0x81, 126, size)
    return struct.pack(">BBQ", 0x81, 127, size)


class Command(BaseCommand):
    help = "Serve the site with Daphne until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--lan", action="store_true", help="Open it to the home network, by plain HTTP.")

    def handle(self, *args: Any, **options: Any) -> None:
        import daphne.server
        from twisted.internet import reactor
        from twisted.internet.defer import Deferred

        from cardsite.asgi import application
        from cardsite.table.house import house

        host, port = options["host"], options["port"]
        invite = ""
        if options["lan"]:
            host, invite = "0.0.0.0", f"http://{_open_to_network()}:{port}/"  # noqa: S104
        failed: list[str] = []

        def say(text: str) -> None:
            self.stdout.write(text)
            self.stdout.flush()

        class Door(daphne.server.Server):  # type: ignore[misc]
            """Daphne's server, saying where it listens, or clearly why it cannot."""

            def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
                if scope["type"] == "websocket":
                    scope["extensions"] = {WRITE_NOW: {"write": protocol.write_now}}
                return super().create_application(protocol, scope)

            async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
                await super().handle_reply(protocol, message)
                if message["type"] == "websocket.send":
                    await protocol.flows()

            def listen_success(self, port: Any) -> None:
                super().listen_success(port)
                address = port.getHost()
                here = "127.0.0.1" if invite else address.host
                say(f"Hamsterdam is open: http://{here}:{address.port}/")
                say(f"Administrators:     http://{here}:{address.port}/admin/")
                if invite:
                    say(lan.invitation(invite))
                say("Ctrl-C closes it.")

            def listen_error(self, failure: Any) -> None:
                failed.append(failure.getErrorMessage())
                self.stop()

            def kill_all_applications(self) -> Any:
                # Daphne takes for granted that each connection has an application; one that has said half a request,
                # or has got its answer, has none.
                none = asyncio.get_event_loop().create_future()
                none.set_result(None)
                for connection in self.connections.values():
                    connection.setdefault("application_instance", none)
                return super().kill_all_applications()

        WebSocketFactory.protocol = Wire
        daphne.server.HTTPFactory = Lines  # Daphne makes its own, and asks nobody
        server = Door(
            application,
            endpoints=[f"tcp:port={port}:interface={host}"],
            signal_handlers=True,
            server_name="Hamsterdam",
            websocket_max_message_size=MAX_MESSAGE,
            websocket_max_frame_size=MAX_FRAME,
            ping_interval=20,
            ping_timeout=30,
            ready_callable=lambda: asyncio.get_event_loop().call_soon(house.open),
            verbosity=0,
        )
        listen_in()
        # Twisted waits for what this returns, so the house signs out while its loop still runs.
        closing = lambda: Deferred.fromFuture(asyncio.ensure_future(house.close()))  # noqa: E731
        reactor.addSystemEventTrigger("before", "shutdown", closing)  # type: ignore[arg-type]
        server.run()
        reactor._asyncioEventloop.run_until_complete(_let_go())
        if failed:
            raise CommandError(f"Cannot listen on {host}:{port}: {failed[0]} Set PORT to a free one.")


def _open_to_network() -> str:
    """Have the site answer to its names in the home network, and return its address there. Raises CommandError."""
    if not settings.LOCAL:
        raise CommandError("Without HAMSTERDAM_LOCAL=1 the site insists on HTTPS, which a home network has not.")
    try:
        found = lan.address()
    except OSError:
        raise CommandError("This machine is in no network that others could come by.") from None
    settings.ALLOWED_HOSTS.extend(lan.names(found))
    return found


async def _let_go() -> None:
    """End the connections that Daphne has cancelled; left to the interpreter's last cleaning they can crash it."""
    connections = asyncio.all_tasks() - {asyncio.current_task()}
    for connection in connections:
        connection.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
