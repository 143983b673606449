"""The site in a home network: its address for other devices, and the invitation to print (``serve --lan``)."""

from __future__ import annotations

import socket
from contextlib import suppress
from io import StringIO

import segno
from django.conf import settings
from django.core.management.base import CommandError

SOMEWHERE = ("192.0.2.1", 9)  # reserved for documentation: nothing is sent there, only the route is looked up


def address() -> str:
    """Return this machine's address in its network. Raises OSError if it is not in a network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(SOMEWHERE)
        return str(probe.getsockname()[0])
    known = socket.gethostbyname(socket.gethostname())
    if known.startswith("127."):
        raise OSError("this machine is not in a network")
    return known


def open_to_network() -> str:
    """Accept requests for this machine's names in its network, and return its address there. Raises CommandError."""
    if not settings.LOCAL:
        raise CommandError("Without HAMSTERDAM_LOCAL=1 the site requires HTTPS, which a local network does not have.")
    try:
        own_address = address()
    except OSError:
        raise CommandError("This machine is not in a network, so other devices cannot reach it.") from None
    settings.ALLOWED_HOSTS.extend(names(own_address))
    return own_address


def names(own_address: str) -> list[str]:
    """Return the host names that browsers in the network may use for this machine; ``own_address``: its address."""
    own = socket.gethostname().lower()
    return [own_address, own, f"{own.removesuffix('.local')}.local"]


def invitation(url: str) -> str:
    """Return what the terminal shows: a QR code of the address, the address, and an explanation."""
    code = StringIO()
    segno.make(url).terminal(code, border=2, compact=True)
    return (
        f"{code.getvalue()}\nEverybody in your network can open {url}\n"
        "The connection is not encrypted: use it among friends at home, not in a hotel, and choose passwords that you "
        "use nowhere else."
    )
