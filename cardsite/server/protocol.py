"""The WebSocket protocol: every message as a type. ``docs/protocol.md`` describes it.

``In...`` messages are sent by a browser or a program, ``Out...`` by the server. All are JSON objects in text frames;
``t`` is the type. Unknown types, unknown fields and wrong types are refused with a code and a sentence.

The *version* of a match is its ply: the number of moves made so far, 0 after the deal. A client that has version v
needs the changes from v + 1 on.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from games.core import LogEntry, View
from games.core.view import EntryKind, Sentence

PROTOCOL = 3  # version of the protocol: docs/protocol.md says what the earlier ones were
encode = msgspec.json.Encoder().encode
MAX_INBOUND = 4096  # bytes of a message from a client: the longest chat line in 4-byte characters still fits
MAX_TOUCHED = 80  # characters of the name of something on the table

# Close codes. Applications may use 3000 to 4999; Daphne raises for others, except 1000.
NO_SUCH_TOKEN = 4001
CREDENTIALS_EXPIRED = 4003  # the session or token is no longer valid
NO_SUCH_TABLE = 4004
REMOVED = 4007  # the host has removed the person from the table
TOO_SLOW = 4008  # the client read its messages too slowly
SERVER_ERROR = 4011
TOO_MANY_FRAMES = 4029
TOO_MANY_SOCKETS = 4030


class InHello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first message. ``match`` and ``version`` are those the client has (0 and -1: none)."""

    protocol: int
    match: int = 0
    version: int = -1


class InMove(msgspec.Struct, tag_field="t", tag="move", forbid_unknown_fields=True):
    """A move. ``decision`` is the number that the view gives: a decision that is sent twice is played once."""

    id: int
    match: int
    decision: int
    move: str


class InChat(msgspec.Struct, tag_field="t", tag="chat", forbid_unknown_fields=True):
    """A chat message, for the room of players or of spectators, or for both if the host has joined the rooms."""

    id: int
    text: str


class InBack(msgspec.Struct, tag_field="t", tag="back", forbid_unknown_fields=True):
    """A player who is back takes over the seat from the bot."""


class InReady(msgspec.Struct, tag_field="t", tag="ready", forbid_unknown_fields=True):
    """Whether the player is ready for the next match. It starts when all people at the table are ready."""

    id: int
    ready: bool = True


class InWhy(msgspec.Struct, tag_field="t", tag="why", forbid_unknown_fields=True):
    """Ask why something cannot be used. ``touched`` is ``piece:ID``, ``zone:ID`` or ``seat:N`` of your view."""

    id: int
    match: int
    touched: str


class InSeen(msgspec.Struct, tag_field="t", tag="seen", forbid_unknown_fields=True):
    """The player has seen all reveals of the move ``version``. When all have who are here, bots do not wait longer."""

    match: int
    version: int


class InPing(msgspec.Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """A ping; the answer is a pong."""


Inbound = InHello | InMove | InChat | InReady | InBack | InWhy | InSeen | InPing


SeatKind = Literal["open", "person", "bot"]
TableStatus = Literal["open", "playing", "over", "closed"]  # "over": between matches
# What happens in a match of two seats when the time of a person is up: a bot decides, or the match is lost. If there
# are more seats, or if both are out of time at once, a bot decides.
TimeUp = Literal["bot", "resign"]
ChatRoom = Literal["players", "spectators", "all"]  # "all": both share a room, by choice of the host
# Who decided. "clock" and "away": a bot, because the person was out of time or away. "forced": nobody, because the
# player had to pass, as everybody could see.
Decider = Literal["person", "bot", "clock", "away", "forced"]
# What was decided about you; "" if nothing was. By the host: "removed" from your seat, "refused" a seat, or "barred" as
# a spectator. By an administrator: "removed"; "muted": you may not chat at any table; "blocked": nor sit down anywhere.
PersonStanding = Literal["", "removed", "refused", "barred", "muted", "blocked"]
# Why a match was dropped; "": it was not, or the reason is not known. "resigned" and "late": a match of two seats has a
# result although it was not played to its end, because a player gave up or was out of time.
DroppedFor = Literal[
    "", "rules_failed", "no_end", "other_rules", "no_game", "too_much", "stopped", "agreed", "resigned", "late"
]


class OptionInfo(msgspec.Struct):
    """An option of the table, as its players may know it."""

    name: str
    label: str
    value: int | str
    shown: str  # the value as people read it


class HandicapInfo(msgspec.Struct):
    """What the game lets seats start with, more or less than usual: so many of ``noun``."""

    noun: str
    low: int
    high: int


class SeatInfo(msgspec.Struct):
    """A seat of a table."""

    seat: int
    kind: SeatKind
    name: str
    bot: str  # the kind of bot, such as "house"; "" if it is not a bot
    person: int  # the person's public number (page /people/N/); 0 if it is not a person
    host: bool
    here: bool  # connected now; always true of bots
    away: bool  # a bot decides for the person
    ready: bool  # the person wants the next match
    held_for: int  # the person who stood up during the match and may take the seat back from the bot; usually 0
    wins: float  # matches won at this table; ties are shared
    face: str = ""  # the portrait of a character of a story, "" for everybody else
    ends: bool = False  # the person agrees to end the running match without a result
    handicap: int = 0  # what the seat starts the next match with, more or less than usual
    vacation_until: int = 0  # where the clock has hours or days: the end of the person's last vacation, in milliseconds


class OccupancyInfo(msgspec.Struct):
    """Who decides for a seat of the current or last match from a ply on, and what they are called then."""

    ply: int  # the number of moves made before
    seat: int
    kind: SeatKind
    name: str
    bot: str  # the kind of bot, "" for a person
    person: int  # the person's public number, 0 for a bot
    away: bool  # a bot decides for the person
    removed: bool  # the person who was there before was removed, by the host or an administrator


class SeatResultInfo(msgspec.Struct):
    """Whose result that of a seat is, and who decided."""

    seat: int
    name: str
    person: int  # their public number, 0 for a bot
    decisions: int  # made in this seat
    own: int  # those of them that the person made; bots made the others
    counts: bool  # false: the result does not count for the person, as bots made most of the decisions


class BotInfo(msgspec.Struct):
    """A kind of bot: its name in messages, and its title as people read it."""

    name: str
    title: str


class SeatRequestInfo(msgspec.Struct):
    """A person who requests a seat from the host."""

    person: int  # their public number
    name: str
    next: bool  # has a seat from the next match on


class WhatIfInfo(msgspec.Struct):
    """The step of an ended match that a table continues from. Nothing counts there."""

    ply: int  # how many of its moves had been made
    replay: str  # the address of that step, "" when the match is gone


class DialogueLineInfo(msgspec.Struct):
    """A line of a story."""

    seat: int  # the speaker; -1: a person without a seat
    name: str  # of a person without a seat, else ""
    text: Sentence


class VoiceInfo(msgspec.Struct):
    """What a character of a story says whenever the log has an entry of this kind and seat.

    ``about`` are arguments that the entry's sentence must have: by name, a seat, or the suit of a card. If there are
    several voices for the same event, they take turns.
    """

    speaker: int  # a seat
    kind: EntryKind
    seat: int
    about: dict[str, int | str]
    text: Sentence


class StoryChoiceInfo(msgspec.Struct):
    """What the person may choose between two games of a story, or at its end."""

    key: str
    text: Sentence


class StoryInfo(msgspec.Struct):
    """The story that one person plays at a table: seat ``favourite`` has to win without noticing the help."""

    favourite: int
    friend: int  # the seat that can be asked to help
    done: bool  # the favourite has won the evening
    may_ask: bool  # "ask" is one of the choices
    lines: list[DialogueLineInfo]  # after the last game
    voices: list[VoiceInfo]  # during a game
    over: bool = False  # somebody has won the evening
    wins: int = 1  # games that win the evening
    won: list[int] = []  # games won so far, by seat
    choices: list[StoryChoiceInfo] = []  # what the person may choose now


class DailyInfo(msgspec.Struct):
    """A table where a person plays the deal of the day."""

    day: str  # 2026-11-22
    counts: bool  # the current or last match counts; others at the same table do not


class SeekInfo(msgspec.Struct):
    """What makes the first match of a table start by itself."""

    people: int  # with so many it starts after a pause; with all seats taken, at once
    bots: bool  # bots take the seats that are still free then; else these are removed
    starts: int  # when the match starts if nobody leaves, in milliseconds since 1970; 0: not enough people are here


class TakeBackInfo(msgspec.Struct):
    """A request to take back a decision, and all moves after it."""

    seat: int  # whose decision it is
    move: int  # its number in the match, from 1
    agreed: list[int]  # the seats whose people agree


class TableInfo(msgspec.Struct):
    """The public data of a table."""

    code: str
    game: str
    title: str
    status: TableStatus
    seats: list[SeatInfo]
    options: list[OptionInfo]
    public: bool
    sealed: bool
    house: bool  # a table of the site's own, where only bots play
    together: bool  # players and spectators share one chat room
    seconds: int  # allowed for a decision; 0: there is no clock
    clock: bool  # whether the clock runs; it does not for a person alone with bots
    match: int  # the current or last match, 0 before the first
    number: int  # of that match at this table, from 1
    bots: list[BotInfo]  # the kinds of bots that this game has
    stacked_for: int  # the seat that the last match was rigged for, if that is revealed; else -1
    dropped: DroppedFor  # why the last match was not played to its end, if it was not
    notice: str  # a sentence for everybody if the last match was abandoned or cannot be shown; usually ""
    occupancies: list[OccupancyInfo]  # of the current or last match: first of each seat, then all changes
    results: list[SeatResultInfo]  # of the last match, by seat; empty unless it is over
    seat_requests: list[SeatRequestInfo]  # in the order in which they were made
    what_if: WhatIfInfo | None  # usually null
    max_seats: int  # of the game
    min_seats: int
    story: StoryInfo | None = None
    daily: DailyInfo | None = None
    closed_because: str = ""  # the notice of an administrator who has closed the table
    seek: SeekInfo | None = None  # only before the first match
    take_back: TakeBackInfo | None = None
    practice: bool = False  # somebody alone with bots took back a move of the last match: its result does not count
    tournament: bool = False  # the one match here is part of a tournament, and starts by itself
    time_up: TimeUp = "bot"
    handicap: HandicapInfo | None = None  # null: all seats start alike
    spectator_delay: int = 0  # seconds by which spectators see the matches later; 1000000000: when a deal has ended


class ChatLine(msgspec.Struct):
    """A chat message. ``seat`` is -1 for spectators."""

    room: ChatRoom
    n: int  # increases from message to message
    name: str
    person: int  # their public number, 0 for a person whose account was removed
    seat: int
    text: str
    at: int  # milliseconds since 1970


class OutWelcome(msgspec.Struct, tag_field="t", tag="welcome"):
    """The answer to hello. If there is a match, a snapshot or the missing changes follow."""

    protocol: int
    seat: int | None
    name: str
    host: bool
    person: int  # your public number, 0 if you have no name
    standing: PersonStanding
    by_administrator: bool  # whether an administrator has decided that, not the host
    reason: str  # of an administrator; may be empty
    until: int  # milliseconds since 1970; 0: no end is set
    table: TableInfo
    chat: list[ChatLine]
    spectators: int
    muted: bool = False  # an administrator has forbidden the person to chat, also if they have another standing
    kept: bool = False  # you stood up during the match and may take your seat back
    mutes: list[int] = []  # the people whom you have muted: their messages are not shown to you


class OutYou(msgspec.Struct, tag_field="t", tag="you"):
    """Your own seat or role at this table has changed, or whom you have muted."""

    seat: int | None
    name: str
    host: bool
    person: int
    standing: PersonStanding
    by_administrator: bool
    reason: str
    until: int
    muted: bool = False
    kept: bool = False
    mutes: list[int] = []


class OutTable(msgspec.Struct, tag_field="t", tag="table"):
    """A change of the table: its seats, status, presence or clocks. ``now`` and ``deadlines`` as in OutSnapshot."""

    table: TableInfo
    now: int
    deadlines: dict[str, int]


class OutSnapshot(msgspec.Struct, tag_field="t", tag="snapshot"):
    """The whole match, with its log: ``log[k]`` are the entries of ply k."""

    match: int
    version: int
    view: View
    log: list[list[LogEntry]]
    now: int  # server's clock, milliseconds since 1970
    deadlines: dict[str, int]  # by seat, on the same clock
    commitment: str  # SHA-256 of the seed, "" where the table is not sealed
    seed: str  # "" until a sealed match is over


class RevealChange(msgspec.Struct):
    """A reveal: a position in the middle of a move, to be shown first, as a change of the view before it."""

    change: Any
    hold: int  # milliseconds to show it; bots and clocks wait for that time
    entries: int  # the number of log entries of this ply shown by then


class OutChange(msgspec.Struct, tag_field="t", tag="change", omit_defaults=True):
    """A move, as a change of the view before it (``changes.difference``).

    ``version`` is the previous one plus one; after a gap, send hello again. Each of ``reveals`` is a change of the one
    before, and ``change`` is a change of the last one. Missing fields are empty. If the server does not know the view
    before, it sends a snapshot instead.
    """

    match: int
    version: int
    seat: int  # the seat that decided
    by: Decider
    change: Any
    now: int
    log: list[LogEntry] = []
    deadlines: dict[str, int] = {}
    seed: str = ""
    reveals: list[RevealChange] = []


class OutAck(msgspec.Struct, tag_field="t", tag="ack"):
    """Your move is stored as ply ``version``. ``again``: it had been stored before."""

    id: int
    match: int
    version: int
    again: bool


class OutRefused(msgspec.Struct, tag_field="t", tag="refused"):
    """Your message was refused and changed nothing. ``id`` is the message's (0: none); ``text`` says what to do."""

    id: int
    code: str
    text: str


class OutBecause(msgspec.Struct, tag_field="t", tag="because"):
    """Why something cannot be used now, from what you may know; ``text`` is null if the game does not say."""

    id: int
    text: Sentence | None


class OutChat(msgspec.Struct, tag_field="t", tag="chat"):
    """A chat message."""

    line: ChatLine


class PersonInfo(msgspec.Struct):
    """A person by their public number."""

    person: int
    name: str


class OutSpectators(msgspec.Struct, tag_field="t", tag="spectators"):
    """The number of spectators. For the host only: ``people``, those with a name, and ``barred``, who was removed."""

    spectators: int
    people: list[PersonInfo] = []
    barred: list[PersonInfo] = []


class OutPong(msgspec.Struct, tag_field="t", tag="pong"):
    """The answer to a ping."""

    now: int
