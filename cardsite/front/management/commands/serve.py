"""``manage.py serve``: one Daphne process. Any other ASGI server does as well: see docs/deployment.md."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from cardsite.front import lan
from cardsite.front.http import HttpFactory, log_from_twisted
from cardsite.front.websocket import MAX_FRAME, MAX_MESSAGE, ReceiveQueue, WebSocketFactory
from cardsite.private_api import daphne as private_daphne
from cardsite.private_api import twisted as private_twisted
from cardsite.server.room import WRITE_NOW

PING_SECONDS = 20  # between two pings of an idle socket; a proxy must wait longer than two of them


class Command(BaseCommand):
    help = "Serve the site with Daphne until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--lan", action="store_true", help="Make the site available in the local network, over plain HTTP."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        import daphne.server
        from twisted.internet import reactor
        from twisted.internet.defer import Deferred

        from cardsite.asgi import application
        from cardsite.server.server import match_server

        host, port = options["host"], options["port"]
        invite = ""
        if options["lan"]:
            settings.LAN_ADDRESS = f"http://{lan.open_to_network()}:{port}"
            host, invite = "0.0.0.0", f"{settings.LAN_ADDRESS}/"  # noqa: S104
        failed: list[str] = []

        def announce(text: str) -> None:
            self.stdout.write(text)
            self.stdout.flush()

        class Server(daphne.server.Server):  # type: ignore[misc]
            """Daphne's server. It prints its address, or why it cannot listen."""

            def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
                if scope["type"] != "websocket":
                    return super().create_application(protocol, scope)
                scope |= {"asgi": {"version": "3.0"}, "extensions": {WRITE_NOW: {"write": protocol.write_now}}}
                queue = ReceiveQueue()
                running = self.application(scope=scope, receive=queue.get, send=partial(self.handle_reply, protocol))
                private_daphne.set_application(self, protocol, asyncio.ensure_future(running))
                return queue

            async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
                await super().handle_reply(protocol, message)
                if message["type"] == "websocket.send":
                    await protocol.drain()

            def listen_success(self, port: Any) -> None:
                super().listen_success(port)
                address = port.getHost()
                here = "127.0.0.1" if invite else address.host
                announce(f"Hamsterdam is open: http://{here}:{address.port}/")
                announce(f"Administrators:     http://{here}:{address.port}/admin/")
                if invite:
                    announce(lan.invitation(invite))
                announce("Press Ctrl-C to stop.")

            def listen_error(self, failure: Any) -> None:
                failed.append(str(getattr(failure.value, "socketError", failure.value)))
                self.stop()

            def kill_all_applications(self) -> Any:
                done = asyncio.get_event_loop().create_future()
                done.set_result(None)
                private_daphne.complete_connections(self, done)
                return super().kill_all_applications()

        private_daphne.use_factories(HttpFactory, WebSocketFactory)
        server = Server(
            application,
            endpoints=[f"tcp:port={port}:interface={host}"],
            signal_handlers=True,
            server_name="Hamsterdam",
            websocket_max_message_size=MAX_MESSAGE,
            websocket_max_frame_size=MAX_FRAME,
            ping_interval=PING_SECONDS,
            ping_timeout=30,
            ready_callable=lambda: asyncio.get_event_loop().call_soon(match_server.open),
            verbosity=0,
        )
        log_from_twisted()
        # Twisted waits for what this returns, so the match server signs out while the loop still runs.
        closing = lambda: Deferred.fromFuture(asyncio.ensure_future(match_server.close()))  # noqa: E731
        reactor.addSystemEventTrigger("before", "shutdown", closing)  # type: ignore[arg-type]
        server.run()
        private_twisted.event_loop(reactor).run_until_complete(_finish_tasks())
        if failed:
            raise CommandError(
                f"Cannot listen on {host}:{port}: {failed[0]}. If the port is in use, choose another one: --port N, or "
                "make play PORT=N."
            )


async def _finish_tasks() -> None:
    """End the connections that Daphne has cancelled; at the end of the interpreter they could crash it."""
    connections = asyncio.all_tasks() - {asyncio.current_task()}
    for connection in connections:
        connection.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
