"""``manage.py serve``: one Daphne process. Any other ASGI server does as well: see docs/deployment.md."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.core.management.base import BaseCommand, CommandError

MAX_FRAME = 64 * 1024  # bytes of a WebSocket frame that Daphne reads before it hangs up
MAX_MESSAGE = 2 * 1024 * 1024  # the same of a whole message; what we send is held to it too, and dropped beyond it
MAX_BEHIND = 2 * 1024 * 1024  # bytes that wait for a peer that does not read, before it is cut off


class Wire(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's WebSocket, writing at once what the connection takes.

    Twisted would keep each message for the next turn of its loop, and pay two more system calls for it: a delivery
    costs a third this way. Nor does it tell anybody that a peer has stopped reading, so we look ourselves.
    """

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        line = self.transport
        behind = len(line.dataBuffer) - line.offset + line._tempDataLen
        if behind > MAX_BEHIND:
            self.dropConnection(abort=True)
            return
        if not behind and line.connected and not line.disconnecting:
            written = line.writeSomeData(data)
            if isinstance(written, int):  # else it is an error, which the line will meet again and deal with
                data = data[written:]
        if data:
            line.write(data)


class Command(BaseCommand):
    help = "Serve the site with Daphne until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        from daphne.server import Server
        from twisted.internet import reactor
        from twisted.internet.defer import Deferred

        from cardsite.asgi import application
        from cardsite.table.house import house

        host, port = options["host"], options["port"]
        failed: list[str] = []

        def say(text: str) -> None:
            self.stdout.write(text)
            self.stdout.flush()

        class Door(Server):  # type: ignore[misc]
            """Daphne's server, saying where it listens, or clearly why it cannot."""

            def listen_success(self, port: Any) -> None:
                super().listen_success(port)
                address = port.getHost()
                say(f"Hamsterdam is open: http://{address.host}:{address.port}/")
                say(f"Administrators:     http://{address.host}:{address.port}/admin/")
                say("Ctrl-C closes it.")

            def listen_error(self, failure: Any) -> None:
                failed.append(failure.getErrorMessage())
                self.stop()

        WebSocketFactory.protocol = Wire
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
        # Twisted waits for what this returns, so the house signs out while its loop still runs.
        closing = lambda: Deferred.fromFuture(asyncio.ensure_future(house.close()))  # noqa: E731
        reactor.addSystemEventTrigger("before", "shutdown", closing)  # type: ignore[arg-type]
        server.run()
        reactor._asyncioEventloop.run_until_complete(_let_go())
        if failed:
            raise CommandError(f"Cannot listen on {host}:{port}: {failed[0]} Set PORT to a free one.")


async def _let_go() -> None:
    """End the connections that Daphne has cancelled; left to the interpreter's last cleaning they can crash it."""
    connections = asyncio.all_tasks() - {asyncio.current_task()}
    for connection in connections:
        connection.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
