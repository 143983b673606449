"""The table vocabulary: what a view is made of. One renderer draws any game from it.

Everything here is plain data (dicts, lists, strings, whole numbers) that goes to a browser, a bot or a file as it is.
A view holds what its audience may know and nothing else: hidden means absent. Never put in a face, a count or an
identity that the audience could not name itself; a face-down piece is known only by the place it lies in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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


class Sentence(TypedDict):
    """A sentence: an English template, which is its key in translation catalogues, and the values of its placeholders.

    ``{name}`` in ``text`` is replaced by ``args[name]``: a number, a word, ``{"seat": 2}`` (the player's name is
    put in) or ``{"card": "10C"}`` (drawn as a card). A word is put in as it is, in English, so choose between whole
    sentences rather than building one of parts.
    """

    text: str
    args: dict[str, Arg]


def say(text: str, **args: Arg) -> Sentence:
    """Return a Sentence. Use ``seat_arg(2)`` and ``card_arg("4C")`` for arguments that are players and cards."""
    return {"text": text, "args": args}


def word(text: str) -> str:
    """Return ``text`` unchanged. Marks an argument of a later ``say`` for translation catalogues."""
    return text


@cache  # one object per seat: views are compared part by part, and identical objects compare fast
def seat_arg(index: int) -> SeatArg:
    """Return the argument for the player in that seat. Do not modify it: it is shared."""
    return {"seat": index}


@lru_cache(maxsize=4096)
def card_arg(face: str) -> CardArg:
    """Return the argument for that card. Do not modify it: it is shared."""
    return {"card": face}


# Lists in templates, for each of which a catalogue has one placeholder: {cards}, and {each} for what each player has.
CARDS = re.compile(r"\{card1\}(?:(?:, \{card\d+\})* and \{card\d+\})?")
EACH = re.compile(r"\{seat0.*\}")


def say_cards(text: str, cards: Sequence[str], **args: Arg) -> Sentence:
    """Return a Sentence with all of ``cards``, at least one, for ``{cards}``.

    So there is one template for each number of cards.

    >>> say_cards("You get {cards}.", ["4C", "AS"])["text"]
    'You get {card1} and {card2}.'
    """
    named = {f"card{number}": card_arg(face) for number, face in enumerate(cards, 1)}
    *others, last = [f"{{{name}}}" for name in named]
    listed = f"{', '.join(others)} and {last}" if others else last
    return say(text.replace("{cards}", listed), **args, **named)


def say_cards_to(seat: int, cards: Sequence[str]) -> tuple[Sentence, Sentence]:
    """Return two sentences: for the player who gets the cards, and for others who may know them."""
    return say_cards("You get {cards}.", cards), say_cards("{seat} gets {cards}.", cards, seat=seat_arg(seat))


def plain(text: Sentence, names: Sequence[str], words: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a sentence as a string, with the players' ``names`` by seat: for terminals, files and pages.

    ``words`` is a game's catalogue in another language (``Game.words``); by default it is in English.
    """

    template = words.get(text["text"]) or text["text"]
    return template.format(**{name: written(arg, names, words) for name, arg in text["args"].items()})


class _Word(str):
    """A word in the language of ``words``. For ``{place:to}`` a template has what that calls "to" and the word."""

    def __new__(cls, word: str, words: Mapping[str, str]) -> _Word:
        made = super().__new__(cls, words.get(word) or word)
        made._word, made._words = word, words
        return made

    _word: str
    _words: Mapping[str, str]

    def __format__(self, form: str) -> str:
        return (self._words.get(f"{form} {self._word}") if form else None) or str(self)


def written(
    arg: Arg, names: Sequence[str], words: Mapping[str, str] = MappingProxyType({}), card: Callable[[str], str] = sign
) -> str:
    """Return what stands in a sentence for an argument. ``card`` writes a card, given its face."""
    if isinstance(arg, str):
        return _Word(arg, words)
    if not isinstance(arg, dict):
        return str(arg)
    return names[arg["seat"]] if "seat" in arg else card(arg["card"])


# What a card may have on it: each of these has a drawing in ``static/art/symbols.js``, each colour a rule in cards.css.
Symbol = Literal[
    "triangle", "circle", "square", "hexagon", "star", "moon", "drop", "leaf", "flame", "wave", "sun", "cross",
    "mountain", "bolt", "crown", "tree", "flower", "bell", "shield", "acorn", "coin", "cup", "sword", "baton",
    "heart", "diamond", "club", "spade",
]  # fmt: skip
Colour = Literal[
    "red", "blue", "green", "yellow", "purple", "orange", "teal", "pink", "brown", "black", "white", "grey"
]  # fmt: skip


class Shape(TypedDict):
    """A shape of a picture: an element of SVG with its attributes, which ``games/recycle/svg.py`` has checked."""

    tag: str
    attributes: dict[str, str]


class OwnPicture(TypedDict):
    """A picture that the author of a game drew."""

    box: str  # its viewBox
    shapes: list[Shape]
    plain: bool  # without colours of its own: it takes those of the card


class Piece(TypedDict):
    """A card, a camel, a tile. Pieces with equal ids in two views are the same piece and are animated between zones.

    The id of an open card is its face if that is unique, else what ``Sight.piece_id`` returns.
    """

    id: str
    face: NotRequired[str]  # "10C", "camel-blue"; absent: face down
    back: NotRequired[str]  # which back a face-down card shows: "stock", "modifier", ...
    label: NotRequired[Sentence]  # for pieces that are not playing cards
    # With a corner or a symbol it is drawn as a card with these, whatever its face is called. On a die or a token the
    # symbol stands in the middle. A face-down card with a symbol or a colour shows a back with these.
    corner: NotRequired[str]  # at most three characters, read where cards overlap: "10", "Kn"
    symbol: NotRequired[str]  # in the middle and in the corner: a Symbol, or a key of the view's ``pictures``
    colour: NotRequired[Colour]  # of its frame and its symbol
    number: NotRequired[int]  # how often the symbol is in the middle, if not once
    badge: NotRequired[str]  # a few characters on its corner: what it is worth here ("+4", "-3")
    mark: NotRequired[Literal["won", "lost"]]  # it decides the result, or scores now
    seat: NotRequired[int]  # in a trick: the player who played it


class Zone(TypedDict):
    """A place for pieces, in order (for a pile: bottom first).

    A ``trick`` has the pieces in the order of play, each with its ``seat``; they lie towards their players. The first
    one was led. A trick that was won stays until the next piece is played: the piece that won it has the mark "won".
    """

    id: str
    label: Sentence
    layout: Literal["hand", "row", "pile", "slot", "trick", "notes"]  # notes: sentences shown beside the table
    seat: NotRequired[int]  # its owner; absent: it belongs to nobody
    pieces: list[Piece]
    size: NotRequired[int]  # the number of pieces, if not all are listed (piles)
    total: NotRequired[int]  # a value that the pieces add up to, shown beside the zone


def open_card(face: str, badge: str = "", *, id: str = "") -> Piece:
    """Return a face-up card. ``id`` is the audience's id for it, if several cards have its face.

    The games here need none; the game of docs/writing-a-game.md does.
    """
    piece = Piece(id=id or face, face=face)
    if badge:
        piece["badge"] = badge
    return piece


def closed_card(zone: str, index: int, back: str) -> Piece:
    """Return a face-down card, identified only by its place."""
    return Piece(id=f"{zone}#{index}", back=back)


def known_card(zone: str, index: int, back: str, face: str) -> Piece:
    """Return a face-down card whose face the audience knows, because it has seen it go there."""
    piece = closed_card(zone, index, back)
    piece["label"] = say("face down, {card} as far as you know", card=card_arg(face))
    piece["badge"] = sign(face)
    return piece


def closed_pile(zone: str, label: Sentence, size: int, back: str, top: str = "") -> Zone:
    """Return a face-down pile. Only its top card is listed: those under it are indistinguishable.

    ``top`` is the face of that card, if the audience has seen it go there.
    """
    pieces = [known_card(zone, 0, back, top) if top else closed_card(zone, 0, back)] if size else []
    return Zone(id=zone, label=label, layout="pile", pieces=pieces, size=size)


def hand_zone(zone: str, label: Sentence, seat: int, cards: Sequence[Piece], size: int, back: str) -> Zone:
    """Return the hand of ``seat``: its ``cards`` if the audience sees them, else ``size`` backs."""
    pieces = list(cards) or [closed_card(zone, index, back) for index in range(size)]
    return Zone(id=zone, label=label, layout="hand", seat=seat, pieces=pieces)


def hands_seen(hands: Sequence[Sequence[str]], seat: int | None, *, face_up: bool) -> tuple[tuple[str, ...], ...]:
    """Return the hands with those that ``seat`` (None: a spectator) cannot see emptied; ``face_up`` shows all."""
    return tuple([tuple(hand) if face_up or owner == seat else () for owner, hand in enumerate(hands)])


def figure(number: int, *, signed: bool = False) -> str:
    """Return a number as people write it, with a true minus sign; ``signed`` adds a plus sign to others."""
    return format(number, "+d" if signed else "d").replace("-", "\N{MINUS SIGN}")


class Counter(TypedDict):
    """A number that belongs to a seat: certificates, coins, points."""

    id: str
    label: Sentence
    value: int
    icon: NotRequired[str]  # "certificate", "coin", ...


class SeatView(TypedDict):
    """A seat as it is drawn.

    ``state``: in play; "aside", out of the round but not of the match (folded, knocked out until the next deal); "out"
    of the match for good; or "won". The player's zones are drawn in any case.
    """

    seat: int
    state: Literal["in", "aside", "out", "won"]
    counters: list[Counter]
    marks: list[str]  # "dealer", "first", ...


class LegalMove(TypedDict):
    """A legal move, and the pieces it touches.

    ``move`` is the string to send back. ``pieces`` are the ids to pick up (none: only a button). ``target`` is where
    they go: ``zone:ID``, ``seat:N`` or ``piece:ID`` (absent: picking is enough). Several moves may have the same pieces
    and target, for example if a guess comes with a card; then the player chooses by their labels, as buttons. ``takes``
    are the ids of other pieces that the move would take, which are highlighted before it is made.
    """

    move: str
    label: Sentence
    pieces: list[str]
    target: NotRequired[str]
    takes: NotRequired[list[str]]


class Several(TypedDict):
    """Cards that a player takes one by one in the next ``count`` decisions, and may choose together.

    Each legal move takes one of them, and is legal whichever others were taken before. ``label`` is what all of them
    do; its gaps ``card1``, ``card2``, ... are for the chosen cards.
    """

    count: int
    label: Sentence


class Note(TypedDict):
    """A remark, and a word to mark it with (for an icon or a colour)."""

    mark: str
    text: Sentence


class Look(TypedDict):
    """How a cell of a grid looks: its marks, and the badge of what lies on it."""

    marks: list[str]
    badge: NotRequired[str]


class Step(TypedDict):
    """One more piece of a path. ``tally`` and ``notes`` describe the move if the path ended here."""

    word: str
    tally: list[int]  # values of the columns
    notes: NotRequired[list[int]]  # indexes into the notes
    further: NotRequired[bool]  # True: not a legal move yet, the path must continue
    then: NotRequired[list[Step]]  # possible next steps
    shut: NotRequired[dict[str, int]]  # words the path cannot continue with, though near: the note that says why
    looks: NotRequired[dict[str, int]]  # cells whose look differs from the previous step: indexes of cell and look


class Paths(TypedDict):
    """Legal moves that pick pieces one after the other, as a tree, because many share their beginning.

    A move is the ``verb`` and the words of its steps, separated by spaces. Each word stands for a piece.
    """

    verb: str
    pieces: dict[str, str]  # the piece's id for each word
    columns: list[Sentence]
    notes: list[Note]
    looks: list[Look]  # looks of cells while pieces are picked
    start: Step  # the state before the first piece; it has no word


def path_moves(paths: Paths) -> Iterator[str]:
    """Yield every move of a tree of paths, a path before its continuations."""
    begun = [(paths["verb"], step) for step in reversed(paths["start"].get("then", []))]
    while begun:
        before, step = begun.pop()
        move = f"{before} {step['word']}"
        if not step.get("further"):
            yield move
        begun += [(move, longer) for longer in reversed(step.get("then", []))]


class ScoringRow(TypedDict):
    """A row of the scoring of a round. ``mark`` is "lost" or "won" if the row explains that."""

    seat: int
    cells: list[str]
    mark: NotRequired[str]


class RoundScoring(TypedDict):
    """How a round was scored; shown until the next one is under way."""

    id: str  # changes with each scoring
    title: Sentence
    columns: list[Sentence]
    rows: list[ScoringRow]
    verdict: Sentence


class Space(TypedDict):
    """A space of a track or a cell of a grid."""

    id: str
    pieces: list[Piece]  # bottom first
    marks: list[str]
    label: NotRequired[Sentence]


class Track(TypedDict):
    """Spaces in a line or a loop."""

    id: str
    label: Sentence
    spaces: list[Space]


class Grid(TypedDict):
    """Cells row by row, ``columns`` wide."""

    id: str
    label: Sentence
    columns: int
    cells: list[Space]


class OddsRow(TypedDict):
    """A piece and its chances, in the order of the columns."""

    piece: str
    cells: list[str]


class Odds(TypedDict):
    """Odds that anybody could compute from open information: for learners, shown on request."""

    title: Sentence
    columns: list[Sentence]
    rows: list[OddsRow]


class Round(TypedDict):
    """The standings at some moment: at the deal, when a round begins or ends, at the end."""

    title: Sentence  # what happened at that moment
    values: list[int]  # by seat: the value of the first counter that all seats have


class HandicapView(TypedDict):
    """What the seats started with, more or less than usual."""

    noun: Sentence  # what it counts, in the plural
    amounts: list[int]  # by seat


class Standings(TypedDict):
    """How the match stands, as far as everybody at the table can work it out: what would count if it ended now."""

    scores: list[int]  # by seat
    leaders: list[int]  # the seats that would win; none while all are equal


class MatchResult(TypedDict):
    """How a finished match ended: scores by seat (higher is better) and who shares the win."""

    scores: list[float]  # empty if it was not played to its end: a player resigned, or was out of time
    winners: list[int]
    text: Sentence
    rounds: NotRequired[list[Round]]  # from the deal to the end: where the points came from


class _DrawnTable(TypedDict):
    """The fields of a drawing that reach the audience unchanged."""

    phase: Sentence
    prompt: Sentence  # what this audience should do, or whom everybody waits for
    seats: list[SeatView]
    zones: list[Zone]
    moves: list[LegalMove]  # every legal move of this seat, except those in ``paths``
    several: NotRequired[Several]  # the legal moves may be chosen together
    paths: NotRequired[Paths]
    tracks: NotRequired[list[Track]]
    grids: NotRequired[list[Grid]]
    scoring: NotRequired[RoundScoring]
    odds: NotRequired[Odds]
    settled: NotRequired[Sentence]  # how the last bid, trick or fight went; shown until the next one
    last_trick: NotRequired[Zone]  # the last trick that was won and is no longer in its zone; shown on request
    standings: NotRequired[Standings]  # absent: some of it is hidden, or there is nobody to compare with
    pictures: NotRequired[dict[str, OwnPicture]]  # by the symbols of its pieces: those that the author drew


class Drawing(_DrawnTable):
    """An observation in the table vocabulary: what ``Game.render`` returns."""

    outcome: NotRequired[Sentence]  # how the match ended, a sentence without full stop; default: the winners


class View(_DrawnTable):
    """All that one audience may see of a state: what the game draws, plus the fields all views share."""

    game: str
    seat: int | None  # the seat of this view; None: a spectator's
    to_act: list[int]
    decision: int  # number of decisions this seat has made; sent back with a move (0 for spectators)
    over: bool
    handicap: NotRequired[HandicapView]  # absent: all seats started with the usual
    result: NotRequired[MatchResult]


class Reveal(TypedDict):
    """A moment within a move, shown before the view that the move leads to. Nobody is to act in it."""

    view: View
    hold: int  # milliseconds for which it is shown
    entries: int  # number of the move's log entries to show by then


class Motion(TypedDict):
    """A movement from zone to zone. The views say which piece it is, to those who may know."""

    source: str
    target: str
    via: NotRequired[str]  # a place it passed: a space with a tile that pushed it on


EntryKind = Literal["move", "deal", "round", "loss", "win", "info"]


class LogEntry(TypedDict):
    """An entry of the match's log."""

    kind: EntryKind
    text: Sentence
    seat: NotRequired[int]  # the player who did it
    only: NotRequired[int]  # the one seat that may read it; absent: everybody
    others: NotRequired[Sentence]  # the sentence for other readers, in replays where all may read it; never sent
    motions: NotRequired[list[Motion]]
