"""The site in a home network: by which address others in the house reach it, and what they are told."""

from __future__ import annotations

import socket
from contextlib import suppress
from io import StringIO

import segno

SOMEWHERE = ("192.0.2.1", 9)  # an address for examples: nothing is ever sent there, only the way to it is looked up


def address() -> str:
    """Return this machine's address in its network. Raises OSError where it is in none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(SOMEWHERE)
        return str(probe.getsockname()[0])
    known = socket.gethostbyname(socket.gethostname())
    if known.startswith("127."):
        raise OSError("this machine is in no network")
    return known


def names(found: str) -> list[str]:
    """Return the host names by which browsers in the house may ask for this machine, whose address is ``found``."""
    own = socket.gethostname().lower()
    return [found, own, f"{own.removesuffix('.local')}.local"]


def invitation(url: str) -> str:
    """Return what stands in the terminal: a QR code of the address, the address, and what all this means."""
    code = StringIO()
    segno.make(url).terminal(code, border=2, compact=True)
    return (
        f"{code.getvalue()}\nEverybody in your network comes in by {url}\n"
        "Nothing on the way is encrypted: fine among friends at home, not in a hotel; use no password that you need "
        "elsewhere."
    )
