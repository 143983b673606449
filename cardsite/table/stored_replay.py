"""Replays of ended matches: rendered once for each audience, stored compressed, and sent as stored.

Rendering a long match takes half a second and gives megabytes, so repeated requests must not repeat it. Only the frames
are stored, which contain no names: the players, and everything else except the frames, are read again for each visitor.
The caller has checked who may see what.

The frames are compressed (raw deflate) in such a way that more compressed data can be appended, so a stored replay is
sent without decompressing it. Browsers read only the first member of a gzip file, so several members would not do.
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
from cardsite.table import replay, replay_worker
from cardsite.table.models import Match, StoredReplay
from cardsite.table.services.matches import do_store_replay
from games import core

ENDED = (Match.Status.OVER, Match.Status.DROPPED)
SPECTATORS = -1  # stored for the audience without a seat
GZIP_HEADER = bytes.fromhex("1f8b08000000000000ff")
TIGHT, QUICK = 6, 1  # compression levels: for storage, and for data that is sent once

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class RenderedReplay:
    """The frames that an audience may see, compressed, and whether the rules could replay the match to its end."""

    packed: bytes
    size: int
    crc: int
    complete: bool

    def gzipped(self, rest: dict[str, Any]) -> bytes:
        """Return the JSON object of the frames and of ``rest``, gzipped."""
        tail = _tail(rest)
        packer = zlib.compressobj(QUICK, zlib.DEFLATED, -zlib.MAX_WBITS)
        end = struct.pack("<II", zlib.crc32(tail, self.crc), (self.size + len(tail)) % 2**32)
        return b"".join([GZIP_HEADER, self.packed, packer.compress(tail), packer.flush(), end])

    def plain(self, rest: dict[str, Any]) -> bytes:
        """Return the same, not compressed."""
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self.packed) + _tail(rest)


def _tail(rest: dict[str, Any]) -> bytes:
    return b"," + msgspec.json.encode(rest)[1:]


def edition(match: Match) -> str:
    """Return a hash of what the frames of an ended match depend on besides the match; "" if that is unknown.

    That is all code of the game and of the core, not only the version of the rules: words and drawing may change
    without it, and pages must never receive frames that they can no longer draw.
    """
    if match.status not in ENDED:
        return ""
    try:
        game = find_game(match.game)
    except Refused:
        return ""
    own = hashlib.sha256(pickle.dumps(game)).digest()  # of its name, or of its text
    parts = [own, _code(game.folder), _code(Path(core.__file__).parent), _file(Path(replay_worker.__file__))]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


# The code of a process does not change, so it is hashed once.


@cache
def _code(folder: Path) -> bytes:
    code = b"\0".join(path.name.encode() + path.read_bytes() for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(code).digest()


@cache
def _file(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def find(match: Match, edition: str, seat: int | None, *, face_up: bool) -> RenderedReplay | None:
    """Return the stored frames for an audience in this edition, None if there are none."""
    if not edition:
        return None
    stored = StoredReplay.objects.filter(match=match, edition=edition, seat=_stored_seat(seat), face_up=face_up).first()
    return RenderedReplay(bytes(stored.packed), stored.size, stored.crc, stored.complete) if stored else None


def render(match: Match, edition: str, seat: int | None, *, face_up: bool) -> RenderedReplay:
    """Render the frames of a match for an audience. Store them unless there is no edition: a running match has none."""
    frames, complete = replay.frames(match, seat, face_up=face_up)
    plain = b'{"frames":' + msgspec.json.encode(frames)
    packer = zlib.compressobj(TIGHT if edition else QUICK, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(plain) + packer.flush(zlib.Z_SYNC_FLUSH)  # ends on a whole byte, and can be continued
    rendered = RenderedReplay(packed, len(plain), zlib.crc32(plain), complete)
    if edition:
        try:
            do_store_replay(match.pk, _stored_seat(seat), face_up, edition=edition, **asdict(rendered))
        except DatabaseError as error:  # a full disk, or the match was removed meanwhile: it can still be shown
            log.warning("could not store a replay", match=match.pk, error=repr(error))
    return rendered


def etag(edition: str, seat: int | None, face_up: bool, rest: dict[str, Any]) -> str:
    """Return a tag of the response for an audience: it changes whenever a byte of the response may change."""
    identity = msgspec.json.encode([edition, _stored_seat(seat), face_up, rest])
    return f'W/"{hashlib.sha256(identity).hexdigest()[:40]}"'


def takes_gzip(accepted: str) -> bool:
    """Return whether a client that sends this Accept-Encoding reads gzip."""
    weights: dict[str, str] = {}
    for one in accepted.lower().split(","):
        coding, _, parameters = one.partition(";")
        weights[coding.strip()] = parameters.replace(" ", "").removeprefix("q=")
    weight = weights.get("gzip", weights.get("*", "0"))
    return bool(weight.strip("0.")) if weight else "gzip" in weights or "*" in weights


def _stored_seat(seat: int | None) -> int:
    return SPECTATORS if seat is None else seat
