"""A push service: it takes what the site sends, as those of the browsers do, and devices that can read it."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def base64url(raw: bytes) -> str:
    """Return bytes as browsers write them."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class Device:
    """A browser's subscription."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def form(self) -> dict[str, str]:
        """What the page sends to switch it on."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"key": base64url(point), "secret": base64url(self.secret)}
        return {"do": "on", "endpoint": self.endpoint, "zone": "Europe/Amsterdam", **keys}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message."""
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return dict(json.loads(text))


@dataclass
class PushService:
    """What was sent, and how it is answered."""

    url: str
    status: int = 201
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)  # path, headers, body

    def device(self, name: str) -> Device:
        """Return a new device that gets its messages here."""
        return Device(f"{self.url}/{name}")


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(service.status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = PushService(f"http://127.0.0.1:{server.server_address[1]}")
        Thread(target=server.serve_forever, daemon=True).start()
        yield service
        server.shutdown()
