"""The stored moves of a match: one row for each move, or, for an old match, one row for all.

All code reads moves through this module. ``services.do_pack_moves`` packs them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
from django.db.models import F

from cardsite.people.models import Person
from cardsite.table.models import Move, PackedMoves
from cardsite.table.queries import MOVES
from games.core.view import LogEntry, say, seat_arg

MoveRow = tuple[int, int, str, str, int]  # ply, seat, text, by, at
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[MoveRow]).decode


class PlyTaken(Exception):
    """Another process has already written this ply: our copy of the match is out of date."""


def decided_for(seat: int, by: str) -> LogEntry | None:
    """Return the log entry that says why a bot decides for a person, None if no bot does."""
    if by == "clock":
        text = say("Time is up: the house decides for {seat}.", seat=seat_arg(seat))
    elif by == "away":
        text = say("{seat} is away: the house decides.", seat=seat_arg(seat))
    else:
        return None
    return LogEntry(kind="info", text=text, seat=seat)


def pack(moves: Iterable[Move]) -> bytes:
    """Return all moves of a match, in their order, in the form for ``unpack``."""
    return zlib.compress(_encode([(m.ply, m.seat, m.text, m.by, m.at) for m in moves]), 9)


def unpack(match_id: int, packed: bytes) -> list[Move]:
    """Return the moves that were packed. They are no longer rows, so they cannot be saved."""
    rows = _decode(zlib.decompress(packed))
    return [Move(match_id=match_id, ply=ply, seat=seat, text=text, by=by, at=at) for ply, seat, text, by, at in rows]


def moves_after(match_id: int, ply: int) -> list[Move]:
    """Read the moves of a match that came after ``ply``, in their order."""
    # Rows first: a match that is packed between the two readings is found in one of them.
    rows = list(Move.objects.filter(match=match_id, ply__gt=ply).order_by("ply"))
    if rows and rows[0].ply == ply + 1:
        return rows
    packed = PackedMoves.objects.filter(match=match_id, plies__gt=ply).values_list("moves", flat=True).first()
    earlier = unpack(match_id, bytes(packed)) if packed is not None else []
    return [move for move in earlier if move.ply > ply] + rows


def moves_by(person: Person) -> list[Move]:
    """Read the moves of all matches of a person: of packed matches all moves, else those of their seat."""
    # Rows first, here too; if a match is packed between the two readings, the rows count.
    rows = Move.objects.filter(match__players__person=person, seat=F("match__players__seat"))
    loose = list(rows.order_by("match", "ply"))
    packs = PackedMoves.objects.filter(match__players__person=person).exclude(match__in={row.match_id for row in loose})
    return [move for pack in packs for move in unpack(pack.match_id, bytes(pack.moves))] + loose


def moves_of(match_id: int, *, running: bool = False) -> list[Move]:
    """Read all moves of a match, in their order. Those of one that is ``running`` are not packed."""
    return MOVES.all(match_id) if running else moves_after(match_id, 0)


def plies_of(match_id: int) -> int:
    """Return the number of moves of a match, without reading them."""
    last = Move.objects.filter(match=match_id).order_by("-ply").values_list("ply", flat=True).first()
    return last or PackedMoves.objects.filter(match=match_id).values_list("plies", flat=True).first() or 0


def moment_of(at: int) -> datetime:
    """Return the time that is so many milliseconds after 1970."""
    return datetime.fromtimestamp(at / 1000, UTC)


def milliseconds(moment: datetime) -> int:
    """Return a time in milliseconds since 1970."""
    return int(moment.timestamp() * 1000)
