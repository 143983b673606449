"""The table vocabulary: what a view is made of. One renderer draws any game from it.

Everything here is plain data (dicts, lists, text, whole numbers) that goes to a browser, a bot or a file as it is.
A view holds what its audience may know and nothing else: hidden means absent. Never put in a face, a count or an
identity that the audience could not name itself; a face-down piece is known only by the place it lies in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, NotRequired, TypedDict, final

from games.core.cards import sign


@final
class SeatArg(TypedDict):
    """An argument of a sentence that stands for the player in that seat."""

    seat: int


@final
class CardArg(TypedDict):
    """An argument of a sentence that stands for that card."""

    card: str


Arg = int | str | SeatArg | CardArg


class Text(TypedDict):
    """A sentence: an English template, which is also its key in a translation catalogue, and what fills its gaps.

    ``{name}`` in ``text`` is replaced by ``args[name]``: a number, a word, ``{"seat": 2}`` (the player's name is
    put in) or ``{"card": "10C"}`` (drawn as a card). A word is put in as it is, in English, so choose between whole
    sentences rather than building one of parts.
    """

    text: str
    args: dict[str, Arg]


def say(text: str, **args: Arg) -> Text:
    """Return a Text. Use ``seat_arg(2)`` and ``card_arg("4C")`` for arguments that are players and cards."""
    return {"text": text, "args": args}


def word(text: str) -> str:
    """Return ``text``, which goes into a ``say`` elsewhere: so that whoever makes catalogues finds it."""
    return text


@cache  # one object a seat: views are compared part by part, and the very same object is equal at once
def seat_arg(index: int) -> SeatArg:
    """Return the argument that stands for the player in that seat. Nobody changes it."""
    return {"seat": index}


@lru_cache(maxsize=4096)
def card_arg(face: str) -> CardArg:
    """Return the argument that stands for that card. Nobody changes it."""
    return {"card": face}


def say_cards(text: str, cards: Sequence[str], **args: Arg) -> Text:
    """Return a Text with all of ``cards``, of which there is at least one, in place of ``{cards}``.

    So there is a template for each number of cards.

    >>> say_cards("You get {cards}.", ["4C", "AS"])["text"]
    'You get {card1} and {card2}.'
    """
    named = {f"card{place}": card_arg(face) for place, face in enumerate(cards, 1)}
    *others, last = [f"{{{name}}}" for name in named]
    listed = f"{', '.join(others)} and {last}" if others else last
    return say(text.replace("{cards}", listed), **args, **named)


def say_cards_to(seat: int, cards: Sequence[str]) -> tuple[Text, Text]:
    """Return how a player is told which cards they get, and how others are where they may know."""
    return say_cards("You get {cards}.", cards), say_cards("{seat} gets {cards}.", cards, seat=seat_arg(seat))


def plain(text: Text, names: Sequence[str], words: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a sentence as plain text, with the players' ``names`` by seat: for terminals, files and pages.

    In English, or as ``words`` says it, a game's catalogue in another language (``Game.words``).
    """

    def word(arg: Arg) -> str:
        if not isinstance(arg, dict):
            return (words.get(arg) if isinstance(arg, str) else None) or str(arg)
        return names[arg["seat"]] if "seat" in arg else sign(arg["card"])

    template = words.get(text["text"]) or text["text"]
    return template.format(**{name: word(arg) for name, arg in text["args"].items()})


class Piece(TypedDict):
    """A card, a camel, a tile. Pieces with the same id in two views are the same piece, and travel between zones.

    The id of an open card is its face where there is one of it, else what ``Sight.piece_id`` calls it.
    """

    id: str
    face: NotRequired[str]  # "10C", "camel-blue"; absent: face down
    back: NotRequired[str]  # which back a face-down card shows: "stock", "modifier", ...
    label: NotRequired[Text]  # for pieces that are not playing cards
    badge: NotRequired[str]  # a few characters on its corner: what it is worth here ("+4", "-3")
    mark: NotRequired[Literal["won", "lost"]]  # it is what decides just now: the winning bid, the lowest stock


class Zone(TypedDict):
    """A place where pieces lie, in order (for a pile: bottom first)."""

    id: str
    label: Text
    layout: Literal["hand", "row", "pile", "slot", "notes"]  # notes: sentences, to be read beside the table, not on it
    seat: NotRequired[int]  # whose it is; absent: it lies in the middle
    pieces: list[Piece]
    size: NotRequired[int]  # how many there are, where not every piece is listed (piles)
    total: NotRequired[int]  # a value the zone adds up to, shown beside it


def open_card(face: str, badge: str = "", *, id: str = "") -> Piece:
    """Return a card that lies face up. ``id``: what the audience calls it, where there are several of its face."""
    piece = Piece(id=id or face, face=face)
    if badge:
        piece["badge"] = badge
    return piece


def closed_card(zone: str, index: int, back: str) -> Piece:
    """Return a card that lies face down, known by its place only."""
    return Piece(id=f"{zone}#{index}", back=back)


def known_card(zone: str, index: int, back: str, face: str) -> Piece:
    """Return a card that lies face down, of which the audience knows which it is: it has seen it go there."""
    piece = closed_card(zone, index, back)
    piece["label"] = say("face down, {card} as far as you know", card=card_arg(face))
    piece["badge"] = sign(face)
    return piece


def closed_pile(zone: str, label: Text, size: int, back: str, top: str = "") -> Zone:
    """Return a pile that lies face down. Only its top is listed: nobody can tell the cards under it apart.

    ``top``: its face, if the audience has seen it go there.
    """
    pieces = [known_card(zone, 0, back, top) if top else closed_card(zone, 0, back)] if size else []
    return Zone(id=zone, label=label, layout="pile", pieces=pieces, size=size)


def hand_zone(zone: str, label: Text, seat: int, cards: Sequence[Piece], size: int, back: str) -> Zone:
    """Return the hand of ``seat``: its ``cards`` where the audience sees them, else ``size`` backs."""
    pieces = list(cards) or [closed_card(zone, index, back) for index in range(size)]
    return Zone(id=zone, label=label, layout="hand", seat=seat, pieces=pieces)


def hands_seen(hands: Sequence[Sequence[str]], seat: int | None, *, face_up: bool) -> tuple[tuple[str, ...], ...]:
    """Return the hands that ``seat`` (None: a watcher) sees, its own; empty those it does not; ``face_up`` all."""
    return tuple([tuple(hand) if face_up or place == seat else () for place, hand in enumerate(hands)])


def figure(number: int, *, signed: bool = False) -> str:
    """Return a number as people write it, with a true minus; ``signed`` puts a plus before those from 0."""
    return format(number, "+d" if signed else "d").replace("-", "\N{MINUS SIGN}")


class Counter(TypedDict):
    """A number that belongs to a seat: certificates, coins, points."""

    id: str
    label: Text
    value: int
    icon: NotRequired[str]  # "certificate", "coin", ...


class SeatView(TypedDict):
    """One player's place at the table.

    ``state``: in play; "aside", out of the round but not of the match (folded, knocked out until the next deal); "out"
    of the match for good; or "won". Whatever lies before a player is drawn in any of them.
    """

    seat: int
    state: Literal["in", "aside", "out", "won"]
    counters: list[Counter]
    marks: list[str]  # "dealer", "first", ...


class LegalMove(TypedDict):
    """A legal move, and the pieces it touches.

    ``move`` is the text to send back. ``pieces`` are the ids to pick up (none: only a button), ``target`` is where they
    go: ``zone:ID``, ``seat:N`` or ``piece:ID`` (absent: no target, picking is enough). Several moves may have the same
    pieces and target, as where a card is played on somebody and a guess comes with it: then their labels, as buttons,
    are the last choice. ``takes`` are the ids of other pieces that the move would take along: to be pointed out before
    it is made.
    """

    move: str
    label: Text
    pieces: list[str]
    target: NotRequired[str]
    takes: NotRequired[list[str]]


class Note(TypedDict):
    """A remark, and a word to mark it with (for an icon or a colour)."""

    mark: str
    text: Text


class Look(TypedDict):
    """How a cell of a grid looks: its marks, and the badge of what lies on it."""

    marks: list[str]
    badge: NotRequired[str]


class Step(TypedDict):
    """One more piece of a path. ``tally`` and ``notes`` tell what the move would come to if it ended here."""

    word: str
    tally: list[int]  # by the columns
    notes: NotRequired[list[int]]  # places in the notes
    further: NotRequired[bool]  # True: not a move yet, it must go on
    then: NotRequired[list[Step]]  # how it may go on
    shut: NotRequired[dict[str, int]]  # words it may not go on with that lie near, and the note that says why
    looks: NotRequired[dict[str, int]]  # cells, by their place in the grid, that look otherwise than a step before


class Paths(TypedDict):
    """Legal moves that pick pieces one after the other, told as a tree because so many begin alike.

    A move is the ``verb`` and the words of its steps, with a space between. Each word stands for a piece.
    """

    verb: str
    pieces: dict[str, str]  # the piece's id for each word
    columns: list[Text]
    notes: list[Note]
    looks: list[Look]  # that cells of the grid take on while pieces are picked
    start: Step  # of no word yet: how things are before the first piece


def path_moves(paths: Paths) -> Iterator[str]:
    """Yield every move that a tree of paths tells, shorter ones first where one begins another."""
    begun = [(paths["verb"], step) for step in reversed(paths["start"].get("then", []))]
    while begun:
        before, step = begun.pop()
        move = f"{before} {step['word']}"
        if not step.get("further"):
            yield move
        begun += [(move, longer) for longer in reversed(step.get("then", []))]


class ReckoningRow(TypedDict):
    """A row of a reckoning. ``mark`` is "lost" or "won" where the row explains such a thing."""

    seat: int
    cells: list[str]
    mark: NotRequired[str]


class Reckoning(TypedDict):
    """Why a round ended as it did: shown until the next one is under way."""

    id: str  # changes when there is a new one
    title: Text
    columns: list[Text]
    rows: list[ReckoningRow]
    verdict: Text


class Space(TypedDict):
    """A space of a track or a cell of a grid."""

    id: str
    pieces: list[Piece]  # bottom first
    marks: list[str]
    label: NotRequired[Text]


class Track(TypedDict):
    """Spaces in a line or loop."""

    id: str
    label: Text
    spaces: list[Space]


class Grid(TypedDict):
    """Cells row by row, ``columns`` wide."""

    id: str
    label: Text
    columns: int
    cells: list[Space]


class OddsRow(TypedDict):
    """A piece and its chances, in the order of the columns."""

    piece: str
    cells: list[str]


class Odds(TypedDict):
    """Chances that anybody could work out from what lies open: for learners, shown to those who ask."""

    title: Text
    columns: list[Text]
    rows: list[OddsRow]


class Round(TypedDict):
    """How all stood at some time: when a round ended or began, at the deal, at the end."""

    title: Text  # what happened then
    values: list[int]  # by seat: of the first counter that all of them have


class Result(TypedDict):
    """How a finished match ended: scores by seat (higher is better) and who shares the win."""

    scores: list[float]
    winners: list[int]
    text: Text
    rounds: NotRequired[list[Round]]  # from the deal to the end, where the points came from


class _Table(TypedDict):
    """What a game draws that reaches the audience as it is."""

    phase: Text
    prompt: Text  # what this audience should do, or whom everybody waits for
    seats: list[SeatView]
    zones: list[Zone]
    moves: list[LegalMove]  # every legal move of this seat, but those told as paths
    paths: NotRequired[Paths]
    tracks: NotRequired[list[Track]]
    grids: NotRequired[list[Grid]]
    reckoning: NotRequired[Reckoning]
    odds: NotRequired[Odds]
    settled: NotRequired[Text]  # how a bid, a trick or a fight last went, to be read until the next one is settled


class Drawing(_Table):
    """An observation in the table vocabulary: what ``Game.render`` returns."""

    outcome: NotRequired[Text]  # how a finished match ended, in a sentence without a full stop; else core finds one


class View(_Table):
    """All that one audience may see of a state: what the game draws, and what core puts round it."""

    game: str
    seat: int | None  # whose view; None: a watcher's
    to_act: list[int]
    decision: int  # how many decisions this seat has made: sent back with a move (0 for watchers)
    over: bool
    result: NotRequired[Result]


class Stage(TypedDict):
    """A moment in the middle of a move: shown before the view that the move led to. Nobody is to act in it."""

    view: View
    hold: int  # for how many milliseconds it is looked at
    lines: int  # how many of the move's log lines have been told by then


class Motion(TypedDict):
    """Something travelled: from a zone to a zone. What it is, the views tell, to those who may know."""

    source: str
    target: str
    via: NotRequired[str]  # a place it was sent on from: a track's space with a tile that pushed it


LineKind = Literal["move", "deal", "round", "loss", "win", "info"]


class Line(TypedDict):
    """A log line: something that a person should notice."""

    kind: LineKind
    text: Text
    seat: NotRequired[int]  # who did it
    only: NotRequired[int]  # the one seat that may read it; absent: everybody
    others: NotRequired[Text]  # how that is told to others where all may read it; taken out before a line is sent
    motions: NotRequired[list[Motion]]
