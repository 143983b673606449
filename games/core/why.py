"""Why something at a table cannot be used now: what any table can tell, from nothing but what is drawn there."""

from __future__ import annotations

from games.core.cards import RANKS, SUIT_NAMES, SUITS, rank, suit
from games.core.view import Drawing, Piece, Text, Zone, say


def usual_reason(drawing: Drawing, touched: str) -> Text | None:
    """Return why ``touched`` (``piece:ID``, ``zone:ID``, ``seat:N``) is no part of a legal move; None: cannot tell."""
    kind, _, name = touched.partition(":")
    usable = {id for move in drawing["moves"] for id in move["pieces"]}
    if kind != "piece" or name in usable or not usable:
        return None
    zone = next((zone for zone in drawing["zones"] if any(piece["id"] == name for piece in zone["pieces"])), None)
    if zone is None:
        return None
    good = [piece for piece in zone["pieces"] if piece["id"] in usable]
    if not good:
        return say("Nothing that lies here can be used now.")
    suits = {_suit(piece) for piece in good}
    if len(suits) == 1 and (wanted := suits.pop()) and _suit(_piece(zone, name)) not in ("", wanted):
        return say("Of these cards only {suit} can be used now.", suit=SUIT_NAMES[wanted])
    return say("Of these only the ones that stand out can be used now.")


def _piece(zone: Zone, name: str) -> Piece:
    return next(piece for piece in zone["pieces"] if piece["id"] == name)


def _suit(piece: Piece) -> str:
    """Return the suit of a playing card, "" of anything else."""
    face = piece.get("face", "")
    return suit(face) if rank(face) in RANKS and suit(face) in SUITS else ""


def touchable(drawing: Drawing) -> set[str]:
    """Return the names of all that may be touched in vain: ``piece:ID`` that no move picks, ``zone:ID``, ``seat:N``."""
    boards = [track["spaces"] for track in drawing.get("tracks", [])] + [g["cells"] for g in drawing.get("grids", [])]
    places = [*drawing["zones"], *(space for spaces in boards for space in spaces)]
    pieces = {f"piece:{piece['id']}" for place in places for piece in place["pieces"]}
    pieces -= {f"piece:{id}" for move in drawing["moves"] for id in move["pieces"]}
    return pieces | {f"zone:{place['id']}" for place in places} | {f"seat:{seat['seat']}" for seat in drawing["seats"]}
