"""The wire protocol, version 1: every message as a type. ``docs/protocol.md`` tells it in words.

``In...`` is what a browser or a program sends, ``Out...`` what it gets. All are JSON objects in text frames; ``t``
names the type. Unknown types, unknown fields and wrong types are refused with a code and a sentence, and nothing else
happens.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from games.core import Line, View

PROTOCOL = 1
MAX_FRAME = 4096  # bytes of one inbound frame: the longest chat line in 4-byte characters still fits
MAX_CHAT = 500  # characters of a chat message

# Codes with which a connection is closed. Applications may send 3000 to 4999, and Daphne raises at others but 1000.
NO_SUCH_TOKEN = 4001
SOMEBODY_ELSE = 4003  # the session or token by which it came is good no more
NO_SUCH_TABLE = 4004
TOO_SLOW = 4008  # too much waited for it
FAILED = 4011  # the server met something unexpected
TOO_MANY_FRAMES = 4029
TOO_MANY_SOCKETS = 4030


class InHello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """First message. ``match`` and ``version`` are what the client has (0 and -1: nothing)."""

    protocol: int
    match: int = 0
    version: int = -1


class InMove(msgspec.Struct, tag_field="t", tag="move", forbid_unknown_fields=True):
    """A decision. ``decision`` is the view's: the same decision sent twice is played once."""

    id: int
    match: int
    decision: int
    move: str


class InChat(msgspec.Struct, tag_field="t", tag="chat", forbid_unknown_fields=True):
    """A chat line: it goes to the players' room from a seat, else to the watchers' room."""

    id: int
    text: str


class InBack(msgspec.Struct, tag_field="t", tag="back", forbid_unknown_fields=True):
    """I am back: hand me my seat again."""


class InPing(msgspec.Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Are you there? Answered by a pong."""


Inbound = InHello | InMove | InChat | InBack | InPing


SeatKind = Literal["open", "person", "bot"]
TableStatus = Literal["open", "playing", "over", "closed"]  # "over": between matches
ChatRoom = Literal["players", "watchers"]
Decider = Literal["person", "bot", "clock"]  # "clock": a bot decided for a person
DroppedFor = Literal["", "rules_failed", "no_end", "other_rules", "no_game"]  # "": it was not, or nobody noted why


class OptionInfo(msgspec.Struct):
    """An option of the table, as its players may know it."""

    name: str
    label: str
    value: int | str
    shown: str  # the value as people are told of it


class SeatInfo(msgspec.Struct):
    """A seat of a table."""

    seat: int
    kind: SeatKind
    name: str
    bot: str  # the kind of bot ("house"), "" for others
    person: int  # the person's public number (page /people/N/), 0 for others
    host: bool
    here: bool  # connected now (bots always are)
    away: bool  # a bot stands in for the person
    wins: float  # matches won at this table, a tie shared


class BotInfo(msgspec.Struct):
    """A kind of bot: its name in messages, and its title as people read it."""

    name: str
    title: str


class TableInfo(msgspec.Struct):
    """All that is public about a table."""

    code: str
    game: str
    title: str
    status: TableStatus
    seats: list[SeatInfo]
    options: list[OptionInfo]
    public: bool
    sealed: bool
    house: bool
    seconds: int  # for one decision
    match: int  # the current or last match, 0 before the first
    number: int  # of that match in the series, from 1
    bots: list[BotInfo]  # the kinds there are
    stacked_for: int  # -1, or the seat the last match was stacked for, where the house owns up to it
    dropped: DroppedFor  # why the last match was given up
    notice: str  # that it was, or cannot be shown, in a sentence for everybody at the table; "" nearly always


class ChatLine(msgspec.Struct):
    """A line of chat. ``seat`` is -1 for watchers."""

    room: ChatRoom
    n: int  # grows
    name: str
    seat: int
    text: str
    at: int  # milliseconds since 1970


class OutWelcome(msgspec.Struct, tag_field="t", tag="welcome"):
    """Answer to hello. A snapshot or the gap follows when there is a match."""

    protocol: int
    seat: int | None
    name: str
    host: bool
    table: TableInfo
    chat: list[ChatLine]
    watchers: int


class OutYou(msgspec.Struct, tag_field="t", tag="you"):
    """Who you are at this table has changed."""

    seat: int | None
    name: str
    host: bool


class OutTable(msgspec.Struct, tag_field="t", tag="table"):
    """Something about the table has changed: a seat, the status, who is here, and with them the clocks."""

    table: TableInfo
    now: int
    deadlines: dict[str, int]


class OutSnapshot(msgspec.Struct, tag_field="t", tag="snapshot"):
    """The match as it stands, with the whole log: ``log[k]`` are the lines of ply k."""

    match: int
    version: int
    view: View
    log: list[list[Line]]
    now: int  # server's clock, milliseconds since 1970
    deadlines: dict[str, int]  # by seat, on the same clock
    commitment: str  # SHA-256 of the seed, "" where the table is not sealed
    seed: str  # "" until a sealed match is over


class OutPly(msgspec.Struct, tag_field="t", tag="ply"):
    """One move was made. ``version`` is the one before plus one; a gap means: say hello again."""

    match: int
    version: int
    seat: int  # who decided
    by: Decider
    view: View
    log: list[Line]
    now: int
    deadlines: dict[str, int]
    seed: str


class OutAck(msgspec.Struct, tag_field="t", tag="ack"):
    """Your move is stored for good as ply ``version``; ``again``: it had been before."""

    id: int
    match: int
    version: int
    again: bool


class OutRefused(msgspec.Struct, tag_field="t", tag="refused"):
    """What you sent changed nothing. ``id`` is the message's, 0 if it had none; ``text`` says what to do."""

    id: int
    code: str
    text: str


class OutChat(msgspec.Struct, tag_field="t", tag="chat"):
    """Somebody said something."""

    line: ChatLine


class OutCrowd(msgspec.Struct, tag_field="t", tag="crowd"):
    """How many watch."""

    watchers: int


class OutPong(msgspec.Struct, tag_field="t", tag="pong"):
    """Here I am."""

    now: int
