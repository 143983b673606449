"""The WebSocket protocol: every message as a type. ``docs/protocol.md`` describes it.

``In...`` is what a browser or a program sends, ``Out...`` what it gets. All are JSON objects in text frames; ``t``
names the type. Unknown types, unknown fields and wrong types are refused with a code and a sentence, and nothing else
happens.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from games.core import LogEntry, View
from games.core.view import Text

PROTOCOL = 2  # its number. In 1, which is gone, each move came with the whole view
encode = msgspec.json.Encoder().encode
MAX_FRAME = 4096  # bytes of one inbound frame: the longest chat line in 4-byte characters still fits
MAX_CHAT = 500  # characters of a chat message
MAX_TOUCHED = 80  # characters of the name of something on the table

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
    """A chat line: it goes to the players' room from a seat, else to the watchers', or to all together."""

    id: int
    text: str


class InBack(msgspec.Struct, tag_field="t", tag="back", forbid_unknown_fields=True):
    """I am back: hand me my seat again."""


class InReady(msgspec.Struct, tag_field="t", tag="ready", forbid_unknown_fields=True):
    """I want the next match at this table, or not yet. It begins when all people who sit there do."""

    id: int
    ready: bool = True


class InWhy(msgspec.Struct, tag_field="t", tag="why", forbid_unknown_fields=True):
    """Why can I not use this? ``touched`` is ``piece:ID``, ``zone:ID`` or ``seat:N`` of my view."""

    id: int
    match: int
    touched: str


class InPing(msgspec.Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Are you there? Answered by a pong."""


Inbound = InHello | InMove | InChat | InReady | InBack | InWhy | InPing


SeatKind = Literal["open", "person", "bot"]
TableStatus = Literal["open", "playing", "over", "closed"]  # "over": between matches
ChatRoom = Literal["players", "watchers", "all"]  # "all": where the host has both share one
Decider = Literal["person", "bot", "clock", "away"]  # "clock", "away": a bot decided for a person, and why
DroppedFor = Literal["", "rules_failed", "no_end", "other_rules", "no_game", "too_much", "stopped"]  # "": not noted


class OptionInfo(msgspec.Struct):
    """An option of the table, as its players may know it."""

    name: str
    label: str
    value: int | str
    shown: str  # the value as people read it


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
    ready: bool  # the person wants the next match
    held_for: int  # the person who stood up in mid-match and may take the seat back from the bot; 0 nearly always
    wins: float  # matches won at this table, a tie shared


class BotInfo(msgspec.Struct):
    """A kind of bot: its name in messages, and its title as people read it."""

    name: str
    title: str


class AskingInfo(msgspec.Struct):
    """A person who requests a seat from the host."""

    person: int  # their public number
    name: str
    next: bool  # has been promised one in the next match


class WhatIfInfo(msgspec.Struct):
    """From where a table plays on: a step of a match that is over. Nothing counts there."""

    ply: int  # how many of its moves had been made
    replay: str  # the address of that step, "" when the match is gone


class SaidInfo(msgspec.Struct):
    """A line of a story."""

    seat: int  # who says it; -1: a person without a seat
    name: str  # of that one, "" for a seat's
    text: Text


class StoryInfo(msgspec.Struct):
    """The story that is played at a table for one person: seat ``favourite`` has to win without knowing of the help."""

    favourite: int
    friend: int  # the seat that may be talked into helping
    done: bool  # the favourite has won
    may_ask: bool  # the friend may be asked now, between two games
    lines: list[SaidInfo]  # after the last game


class DailyInfo(msgspec.Struct):
    """A table where a person has their try at the deal of a day."""

    day: str  # 2026-11-22
    counts: bool  # the current or last match is the try; others at the same table do not count


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
    together: bool  # players and watchers share one room of talk
    seconds: int  # for one decision; 0: there is no clock
    clock: bool  # one runs: not without seconds, and not for a person alone with bots
    match: int  # the current or last match, 0 before the first
    number: int  # of that match in the series, from 1
    bots: list[BotInfo]  # the kinds there are
    stacked_for: int  # -1, or the seat the last match was stacked for, where that is revealed
    dropped: DroppedFor  # why the last match was given up
    notice: str  # that it was, or cannot be shown, in a sentence for everybody at the table; "" nearly always
    asking: list[AskingInfo]
    what_if: WhatIfInfo | None  # null nearly always
    most: int  # chairs that the game can have
    least: int
    story: StoryInfo | None = None
    daily: DailyInfo | None = None


class ChatLine(msgspec.Struct):
    """A line of chat. ``seat`` is -1 for watchers."""

    room: ChatRoom
    n: int  # grows
    name: str
    person: int  # their public number, 0 for a person whose account was removed
    seat: int
    text: str
    at: int  # milliseconds since 1970


class OutWelcome(msgspec.Struct, tag_field="t", tag="welcome"):
    """Answer to hello. A snapshot or the gap follows when there is a match."""

    protocol: int
    seat: int | None
    name: str
    host: bool
    person: int  # your public number, 0 without a name
    table: TableInfo
    chat: list[ChatLine]
    watchers: int


class OutYou(msgspec.Struct, tag_field="t", tag="you"):
    """Who you are at this table has changed."""

    seat: int | None
    name: str
    host: bool
    person: int


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
    log: list[list[LogEntry]]
    now: int  # server's clock, milliseconds since 1970
    deadlines: dict[str, int]  # by seat, on the same clock
    commitment: str  # SHA-256 of the seed, "" where the table is not sealed
    seed: str  # "" until a sealed match is over


class StageChange(msgspec.Struct):
    """A moment in the middle of a move, to be shown before what follows: what it changes in the view before it."""

    change: Any
    hold: int  # milliseconds for which it is shown; bots and clocks wait for that
    lines: int  # of the log of this ply, that have been shown by then


class OutChange(msgspec.Struct, tag_field="t", tag="change", omit_defaults=True):
    """One move was made, sent as what it has changed in the view before: by ``changes.difference``.

    ``version`` is the one before plus one; a gap means: say hello again. ``stages`` follow each other, each a change of
    the one before, and ``change`` follows the last of them. What is left out is empty. Where the server does not know
    the view before, a snapshot comes instead.
    """

    match: int
    version: int
    seat: int  # who decided
    by: Decider
    change: Any
    now: int
    log: list[LogEntry] = []
    deadlines: dict[str, int] = {}
    seed: str = ""
    stages: list[StageChange] = []


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


class OutBecause(msgspec.Struct, tag_field="t", tag="because"):
    """Why something cannot be used now, by what you may know; ``text`` is null where the game has nothing to say."""

    id: int
    text: Text | None


class OutChat(msgspec.Struct, tag_field="t", tag="chat"):
    """A line of chat."""

    line: ChatLine


class OutCrowd(msgspec.Struct, tag_field="t", tag="crowd"):
    """How many watch."""

    watchers: int


class OutPong(msgspec.Struct, tag_field="t", tag="pong"):
    """Here I am."""

    now: int
