"""Replays of matches that have ended, laid out once for each audience, stored packed, and sent as they are stored.

Laying out a long match costs half a second and gives megabytes, so nobody may have it done again and again by asking.
What is stored is the frames alone, which hold no names: who played, what an administrator reveals and every other word
beside the frames is read again for each visitor. Who may see what is decided before anything here is asked for.

The frames are packed (raw deflate) so that the packing of what follows them can be appended: a stored replay is sent
without unpacking it. A gzip of several members would do as well, but browsers read the first one only.
"""

from __future__ import annotations

import hashlib
import pickle
import struct
import zlib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import structlog
from django.db import DatabaseError

from cardsite.lobby.games import find_game
from cardsite.refusal import Refused
from cardsite.table import replay, replayed
from cardsite.table.models import Match, StoredReplay
from cardsite.table.services import do_store_replay
from games import core

ENDED = (Match.Status.OVER, Match.Status.DROPPED)
WATCHERS = -1  # how their audience is stored, which has no seat
GZIP_HEADER = bytes.fromhex("1f8b08000000000000ff")
TIGHT, QUICK = 6, 1  # how hard to pack what is kept, and what is sent once

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Laid:
    """The frames that an audience may see, packed, and whether the rules could follow the match to its end."""

    packed: bytes
    size: int
    crc: int
    complete: bool

    def gzipped(self, rest: dict[str, Any]) -> bytes:
        """Return the JSON object of the frames and all of ``rest``, in gzip."""
        tail = _tail(rest)
        packer = zlib.compressobj(QUICK, zlib.DEFLATED, -zlib.MAX_WBITS)
        end = struct.pack("<II", zlib.crc32(tail, self.crc), (self.size + len(tail)) % 2**32)
        return b"".join([GZIP_HEADER, self.packed, packer.compress(tail), packer.flush(), end])

    def plain(self, rest: dict[str, Any]) -> bytes:
        """Return the same unpacked."""
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self.packed) + _tail(rest)


def _tail(rest: dict[str, Any]) -> bytes:
    return b"," + msgspec.json.encode(rest)[1:]


def edition(match: Match) -> str:
    """Return what the frames of a match that has ended depend on beside the match: "" if that is not known.

    That is all code of the game and of the core, not only the version of the rules: words and looks may change without
    it, and pages must never be sent what they cannot draw any more.
    """
    if match.status not in ENDED:
        return ""
    try:
        game = find_game(match.game)
    except Refused:
        return ""
    own = hashlib.sha256(pickle.dumps(game)).digest()  # of its name, or of the text that it is made of
    parts = [own, _code(game.folder), _code(Path(core.__file__).parent), _file(Path(replayed.__file__))]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


# A process runs the code that it has read at its start: to look at it once is enough.


@cache
def _code(folder: Path) -> bytes:
    code = b"\0".join(path.name.encode() + path.read_bytes() for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(code).digest()


@cache
def _file(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def find(match: Match, edition: str, seat: int | None, *, face_up: bool) -> Laid | None:
    """Return what is stored for an audience in this edition, None if there is nothing."""
    if not edition:
        return None
    stored = StoredReplay.objects.filter(match=match, edition=edition, seat=_place(seat), face_up=face_up).first()
    return Laid(bytes(stored.packed), stored.size, stored.crc, stored.complete) if stored else None


def lay_out(match: Match, edition: str, seat: int | None, *, face_up: bool) -> Laid:
    """Lay out a match for an audience, and store that unless there is no edition: a match under way is not stored."""
    frames, complete = replay.frames(match, seat, face_up=face_up)
    plain = b'{"frames":' + msgspec.json.encode(frames)
    packer = zlib.compressobj(TIGHT if edition else QUICK, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(plain) + packer.flush(zlib.Z_SYNC_FLUSH)  # ends on a whole byte, and open for more
    laid = Laid(packed, len(plain), zlib.crc32(plain), complete)
    if edition:
        try:
            do_store_replay(match.pk, _place(seat), face_up, edition=edition, **asdict(laid))
        except DatabaseError as error:  # a full disk, or the match was removed meanwhile: it can be shown all the same
            log.warning("could not store a replay", match=match.pk, error=repr(error))
    return laid


def etag(edition: str, seat: int | None, face_up: bool, rest: dict[str, Any]) -> str:
    """Return the name of what an audience is sent now: another one whenever a byte of it may be another."""
    identity = msgspec.json.encode([edition, _place(seat), face_up, rest])
    return f'W/"{hashlib.sha256(identity).hexdigest()[:40]}"'


def takes_gzip(accepted: str) -> bool:
    """Return whether a client that sends this Accept-Encoding reads gzip."""
    weights: dict[str, str] = {}
    for one in accepted.lower().split(","):
        coding, _, parameters = one.partition(";")
        weights[coding.strip()] = parameters.replace(" ", "").removeprefix("q=")
    weight = weights.get("gzip", weights.get("*", "0"))
    return bool(weight.strip("0.")) if weight else "gzip" in weights or "*" in weights


def _place(seat: int | None) -> int:
    return WATCHERS if seat is None else seat
