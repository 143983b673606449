"""What a table explains: tips of a first match, what the things on it mean, and why a tap does nothing.

Tips and meanings are data about a game, sent once and not with each view. They refer to things on the table by *signs*,
so that neither the page nor the tests depend on a game: ``zone:hand:0``, ``counter:coins``, ``mark:dealer``. A sign may
end in ``*``, a wildcard, and may contain ``{me}``, the seat of the viewer.

==================  ===================================================================================================
sign                is there
==================  ===================================================================================================
``prompt``          always: the question
``log``, ``rules``  always: the log, and the button of the rules
``phase:WORD``      while the phase has that word as an argument, such as a version of the game
``moves``           while this seat has a move: the buttons
``pick``            while there is a piece to pick up
``move:VERB``       while a move begins with those words
``does:WORD``       while a part of a move, between semicolons, ends with that word
``target``          while a piece has a place to go to
``turn``            while somebody else is to act
``seat:N``          always: a player's name plate
``state:aside``     while a seat is in that state
``zone:ID``         while something lies there
``place:ID``        while there is such a zone, empty or not
``size:ID``         while the view has the number of its cards
``total:ID``        while that zone has a total
``counter:ID``      while a seat has that counter
``mark:WORD``       while a seat has that mark
``piece:FACE``      while such a piece is face up
``badge:ID``        while a piece there has a badge: in a zone, or ``badge:piece:FACE`` on a track or a grid
``known:ID``        while a face-down card is there whose face this audience knows
``decides:won``     while a piece is marked as the one that wins, or loses
``space:MARK``      while a space of a track or a cell of a grid has that mark
``track``, ``grid``, ``odds``, ``path``, ``scoring``, ``settled``     while the view has one
==================  ===================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict

from games.core.cards import RANKS, SUIT_NAMES, SUITS, rank, suit
from games.core.messages import message, quoted
from games.core.view import Drawing, Piece, Sentence, View, Zone, say

LONGEST = 180  # characters of a tip: nobody reads more during a match
MOST = 9  # tips of a game; some may apply to one version of it only


class Tip(TypedDict):
    """A tip for a first match. It is shown once all its signs are there and the tips before it were read."""

    id: str
    text: Sentence
    at: str  # the sign it points at, which must be there too
    when: NotRequired[list[str]]  # other signs that must be there


class Teaching(TypedDict):
    """All that a table explains about a game: its tips in order, and meanings by sign."""

    tips: list[Tip]
    about: dict[str, Sentence]


def tip(name: str, at: str, text: Sentence, *when: str) -> Tip:
    """Return a tip that points ``at`` a sign and is shown while that sign and all of ``when`` are there."""
    made = Tip(id=name, text=text, at=at)
    if when:
        made["when"] = list(when)
    return made


# Meanings that apply at every table. A game's own take precedence.
USUAL: Mapping[str, Sentence] = {
    "mark:dealer": say("Deals in this round."),
    "mark:first": say("Plays first."),
    "mark:bot": say("A house bot sits here."),
    "mark:away": say("Away: a house bot plays in this seat."),
    "mark:*": say("What the rules remember about this player."),
    "counter:score": say("The score so far, as the rules count it."),
    "counter:*": say("A number that the rules keep for this player."),
    "total:*": say("The total value of what is here."),
    "size:*": say("The number of cards here."),
    "badge:*": say("Its current value."),
    "known:*": say("This card is face down, but you have seen it. Others may not know it."),
    "decides:won": say("This one wins."),
    "decides:lost": say("This one loses."),
    "state:aside": say("Out of this round, and back in the next."),
    "state:out": say("Out of the match. Everything here stays visible."),
    "state:won": say("Wins the match."),
    "space:*": say("What the rules remember about this place."),
    "ring": say("The ring is the clock of the player who has to decide. When it runs out, the house decides."),
    "lantern": say("The lantern marks the player who has to act."),
}


def usual_tips(summary: str) -> list[Tip]:
    """Return tips for a game without its own: its summary, and what is the same at every table."""
    return [
        tip("goal", "prompt", say(summary)),
        tip("question", "prompt", say("This line always shows what you have to do, or who everybody is waiting for.")),
        tip("pick", "pick", say("What you can use now is highlighted. Tap it.")),
        tip("target", "target", say("Then tap one of the highlighted places to move it there.")),
        tip("moves", "moves", say("Everything you may do now is also a button here. No other move is allowed.")),
        tip("counters", "counter:*", say("Point at a number or a mark, or press and hold it, to see what it means.")),
        tip(
            "rules", "rules", say("The rules open beside the table. When you play alone with bots, there is no hurry.")
        ),
    ]


# -- what is there


def matches(pattern: str, sign: str, me: int | None = None) -> bool:
    """Return whether a pattern matches a sign, seen from the seat ``me``."""
    pattern = pattern.replace("{me}", str(0 if me is None else me))
    return sign.startswith(pattern[:-1]) if pattern.endswith("*") else sign == pattern


def there(view: View, pattern: str) -> bool:
    """Return whether a view shows the thing a sign refers to."""
    return any(matches(pattern, sign, view["seat"]) for sign in signs(view))


def signs(view: View) -> Iterator[str]:
    """Yield the signs of everything a view shows, possibly repeated."""
    yield from ("prompt", "log", "rules")
    yield from (f"phase:{word}" for word in view["phase"]["args"].values() if isinstance(word, str))
    yield from (name for name in ("odds", "scoring", "settled") if name in view)
    if "paths" in view:
        yield "path"
    if view["moves"] or "paths" in view:
        yield "moves"
    elif not view["over"]:
        yield "turn"
    for move in view["moves"]:
        yield f"move:{move['move']}"
        yield from (f"does:{part.rpartition(' ')[2]}" for part in move["move"].split("; "))
        if move["pieces"]:
            yield "pick"
            if "target" in move:
                yield "target"
    yield from explained(view)
    for seat in view["seats"]:
        yield f"seat:{seat['seat']}"
    for zone in view["zones"]:
        yield f"place:{zone['id']}"
        if zone["pieces"]:
            yield f"zone:{zone['id']}"
        yield from (f"piece:{piece['face']}" for piece in zone["pieces"] if "face" in piece)
    for board, spaces in (("track", view.get("tracks", [])), ("grid", view.get("grids", []))):
        if spaces:
            yield board
    yield from (f"piece:{piece['face']}" for piece in _on_boards(view) if "face" in piece)


def explained(view: View) -> Iterator[str]:
    """Yield the signs in a view that need an explanation."""
    for seat in view["seats"]:
        if seat["state"] != "in":
            yield f"state:{seat['state']}"
        yield from (f"counter:{counter['id']}" for counter in seat["counters"])
        yield from (f"mark:{mark}" for mark in seat["marks"])
    for zone in view["zones"]:
        yield from _of_zone(zone)
    for piece in _on_boards(view):
        yield from _of_piece(piece, f"piece:{piece.get('face', '')}")
    boards = [track["spaces"] for track in view.get("tracks", [])] + [grid["cells"] for grid in view.get("grids", [])]
    for space in (space for spaces in boards for space in spaces):
        yield from (f"space:{mark}" for mark in space["marks"])


def _of_zone(zone: Zone) -> Iterator[str]:
    if "total" in zone:
        yield f"total:{zone['id']}"
    if "size" in zone or zone["layout"] == "pile":
        yield f"size:{zone['id']}"
    for piece in zone["pieces"]:
        yield from _of_piece(piece, zone["id"])


def _of_piece(piece: Piece, where: str) -> Iterator[str]:
    if "badge" in piece:
        yield f"badge:{where}" if "face" in piece else f"known:{where}"
    if "mark" in piece:
        yield f"decides:{piece['mark']}"


def _on_boards(view: View) -> Iterator[Piece]:
    for track in view.get("tracks", []):
        yield from (piece for space in track["spaces"] for piece in space["pieces"])
    for grid in view.get("grids", []):
        yield from (piece for cell in grid["cells"] for piece in cell["pieces"])


def meaning(about: Mapping[str, Sentence], sign: str) -> Sentence | None:
    """Return the meaning of a sign: by its name, else by the most specific pattern; None if nothing matches."""
    fitting = [pattern for pattern in about if matches(pattern, sign)]
    return about[max(fitting, key=lambda pattern: (not pattern.endswith("*"), len(pattern)))] if fitting else None


def checked(tips: Sequence[Tip]) -> list[Tip]:
    """Return ``tips``. Raises ValueError if there are too many, one is too long, or two share a name."""
    if len(tips) > MOST:
        raise ValueError(
            message("A game has at most {most} tips, not {n}: a newcomer wants to play.", most=MOST, n=len(tips))
        )
    for one in tips:
        if not 0 < len(one["text"]["text"]) <= LONGEST:
            text = message(
                "A tip has 1 to {most} characters, and {name} has {n}.",
                most=LONGEST,
                name=quoted(one["id"]),
                n=len(one["text"]["text"]),
            )
            raise ValueError(text)
    if len({one["id"] for one in tips}) < len(tips):
        raise ValueError(message("Two tips have the same name."))
    return list(tips)


def texts(teaching: Teaching) -> Iterable[Sentence]:
    """Yield every sentence of a teaching, for translation catalogues."""
    return [*(one["text"] for one in teaching["tips"]), *teaching["about"].values()]


def usual_reason(drawing: Drawing, touched: str) -> Sentence | None:
    """Return why ``touched`` (``piece:ID``, ``zone:ID``, ``seat:N``) is not part of a legal move; None if unknown."""
    kind, _, name = touched.partition(":")
    usable = {id for move in drawing["moves"] for id in move["pieces"]}
    if kind != "piece" or name in usable or not usable:
        return None
    zone = next((zone for zone in drawing["zones"] if any(piece["id"] == name for piece in zone["pieces"])), None)
    if zone is None:
        return None
    good = [piece for piece in zone["pieces"] if piece["id"] in usable]
    if not good:
        return say("Nothing here can be used now.")
    suits = {_suit(piece) for piece in good}
    if len(suits) == 1 and (wanted := suits.pop()) and _suit(_piece(zone, name)) not in ("", wanted):
        return say("Of these cards, only {suit} can be used now.", suit=SUIT_NAMES[wanted])
    return say("Of these, only the highlighted ones can be used now.")


def _piece(zone: Zone, name: str) -> Piece:
    return next(piece for piece in zone["pieces"] if piece["id"] == name)


def _suit(piece: Piece) -> str:
    """Return the suit of a playing card, "" of anything else."""
    face = piece.get("face", "")
    return suit(face) if rank(face) in RANKS and suit(face) in SUITS else ""


def touchable(drawing: Drawing) -> set[str]:
    """Return the signs of everything that can be touched without effect: pieces that no move uses, zones and seats."""
    boards = [track["spaces"] for track in drawing.get("tracks", [])] + [g["cells"] for g in drawing.get("grids", [])]
    places = [*drawing["zones"], *(space for spaces in boards for space in spaces)]
    pieces = {f"piece:{piece['id']}" for place in places for piece in place["pieces"]}
    pieces -= {f"piece:{id}" for move in drawing["moves"] for id in move["pieces"]}
    return pieces | {f"zone:{place['id']}" for place in places} | {f"seat:{seat['seat']}" for seat in drawing["seats"]}
