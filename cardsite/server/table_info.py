"""A table and its chat, read from the database in the form that clients are sent."""

from __future__ import annotations

from typing import NamedTuple, cast

from msgspec import structs

from cardsite.lobby.games import clock_runs, find_game, is_correspondence
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services import seating
from cardsite.lobby.services.seating import SEATS
from cardsite.people.models import Restriction
from cardsite.people.restrictions import restriction_of
from cardsite.server.protocol import (
    BotInfo,
    ChatLine,
    ChatRoom,
    DailyInfo,
    DialogueLineInfo,
    DroppedFor,
    HandicapInfo,
    OccupancyInfo,
    OptionInfo,
    PersonStanding,
    SeatInfo,
    SeatKind,
    SeatRequestInfo,
    SeatResultInfo,
    SeekInfo,
    StoryChoiceInfo,
    StoryInfo,
    TableInfo,
    TableStatus,
    TakeBackInfo,
    TimeUp,
    VoiceInfo,
    WhatIfInfo,
)
from cardsite.table.delay import delayed_match, plies_known
from cardsite.table.dropped import notice
from cardsite.table.models import DailyTry, Match, Message, Move
from cardsite.table.moves import milliseconds
from cardsite.table.occupants import occupancies_as_data, results_as_data, vacation_of
from cardsite.table.queries import LAST_MESSAGES, SHOWN_TABLE
from cardsite.table.rig import stacked_for
from cardsite.table.services.takebacks import asked_to_take_back
from cardsite.table.story import helper, progress_of, story_of
from cardsite.table.what_if import address_of
from games import catalogue
from games.core import Game
from games.core.story import NARRATOR, Story, StoryProgress


class Ruling(NamedTuple):
    """What the host or an administrator has decided about a person: fields of OutWelcome and OutYou."""

    standing: PersonStanding
    by_administrator: bool = False
    reason: str = ""
    until: int = 0
    muted: bool = False  # may not chat, also if ``standing`` is something else


UNDECIDED = Ruling("")


class Reading(NamedTuple):
    """A table as it was read: the part for everybody, and the seats of people.

    ``for_spectators`` is the part for everybody as spectators may know it: the same object if they have no delay.
    ``changes_at`` is when that will have changed, in milliseconds since 1970; 0: not without an event.
    """

    info: TableInfo
    for_spectators: TableInfo
    changes_at: int
    persons: dict[int, int]  # person -> seat
    host: int  # Person's number, 0 for none
    rulings: dict[int, Ruling]  # of people about whom something was decided at this table
    barred: dict[int, str]  # the names of those whom the host has removed as spectators


def read_table(code: str) -> Reading:
    """Read a table. Raises Table.DoesNotExist; Refused when its game no longer exists."""
    rows = SHOWN_TABLE.all(code)
    if not rows:
        raise Table.DoesNotExist
    table = rows[0]
    requests: list[SeatRequest] = [row.asking for row in rows if getattr(row, "asking", None)]
    game = find_game(table.game)
    match: Match | None = None if table.fresh else getattr(table, "last_match", None)
    if match:
        match.table = table  # it need not be read again
    seats = SEATS.all(table.pk)
    names = seating.seat_names(seats)
    story = story_of(table)
    info = TableInfo(
        code=code,
        game=game.name,
        title=game.title,
        status=cast("TableStatus", table.status),
        seats=[
            SeatInfo(
                seat=seat.index,
                kind=cast("SeatKind", seat.kind),
                name=names[seat.index],
                bot=seat.bot,
                person=seat.person_id or 0,
                host=seat.person_id is not None and seat.person_id == table.host_id,
                here=seat.here,
                away=seat.away,
                ready=seat.ready,
                ends=seat.ends and table.status == Table.Status.PLAYING,
                held_for=seat.held_for_id or 0,
                wins=seat.wins,
                face=story.faces[seat.index] if story and seat.bot else "",
                handicap=seat.handicap,
                vacation_until=vacation_of(seat.person) if is_correspondence(table.seconds) else 0,
            )
            for seat in seats
        ],
        options=[
            OptionInfo(name=option.name, label=option.label, value=value, shown=option.shown(value))
            for option in game.options
            if option.set_by != "administrator"
            for value in [table.options.get(option.name, option.default)]
            if option.set_by == "host" or value != option.default
        ],
        public=table.public,
        sealed=table.sealed,
        house=table.house,
        together=table.together,
        seconds=table.seconds,
        clock=clock_runs(table.seconds, sum(seat.person_id is not None for seat in seats), waited_for=table.tournament),
        match=match.pk if match else 0,
        number=match.number if match else 0,
        bots=[BotInfo(name=bot.name, title=bot.title) for bot in catalogue.bots(game)] + _helpers(game, story),
        stacked_for=stacked_for(match),
        dropped=cast("DroppedFor", match.dropped if match else ""),
        notice=notice(match, game),
        occupancies=[OccupancyInfo(**row) for row in occupancies_as_data(match.pk)] if match else [],
        results=[SeatResultInfo(**row) for row in results_as_data(match)] if match else [],
        seat_requests=[
            SeatRequestInfo(
                person=seat_request.person_id,
                name=seat_request.person.name,
                next=seat_request.answer == SeatRequest.Answer.NEXT,
            )
            for seat_request in requests
            if seat_request.open
        ],
        what_if=_what_if(match),
        max_seats=game.max_seats,
        min_seats=game.min_seats,
        story=_story(progress_of(table, story)) if story else None,
        daily=_daily(table, game, match),
        closed_because=table.closed_because,
        seek=_seek(table),
        take_back=_take_back(table, match, seats),
        practice=match is not None and match.practice,
        tournament=table.tournament,
        time_up=cast("TimeUp", table.time_up),
        handicap=_handicap(table, game),
        spectator_delay=table.spectator_delay,
    )
    for_spectators, changes_at = _delayed(info, table, game) if table.spectator_delay else (info, 0)
    persons = {seat.person_id: seat.index for seat in seats if seat.person_id}
    rulings = {
        one.person_id: Ruling(cast("PersonStanding", one.standing), one.by_administrator, one.reason)
        for one in requests
        if one.standing
    }
    barred = {one.person_id: one.person.name for one in requests if one.barred}
    return Reading(info, for_spectators, changes_at, persons, host=table.host_id or 0, rulings=rulings, barred=barred)


def _delayed(info: TableInfo, table: Table, game: Game) -> tuple[TableInfo, int]:
    """Return a table as its spectators may know it now, and when that will have changed (0: not without an event)."""
    match, wins, changes = (None, {}, None) if table.fresh else delayed_match(table)
    if match:
        match.table = table
    known, waiting = _known_occupancies(match, table) if match else ([], 0)
    status = table.status
    if status != Table.Status.CLOSED:
        running = match is not None and match.status == Match.Status.RUNNING
        ended = Table.Status.OVER if status == Table.Status.PLAYING else status
        status = Table.Status.PLAYING if running else ended if match else Table.Status.OPEN
    delayed = structs.replace(
        info,
        status=cast("TableStatus", str(status)),
        seats=[
            structs.replace(
                seat,
                ready=seat.ready and status == Table.Status.OVER,
                ends=False,
                wins=max(0.0, seat.wins - wins.get(seat.seat, 0)),
            )
            for seat in info.seats
        ],
        match=match.pk if match else 0,
        number=match.number if match else 0,
        stacked_for=stacked_for(match),
        dropped=cast("DroppedFor", match.dropped if match else ""),
        notice=notice(match, game),
        occupancies=known,
        results=[SeatResultInfo(**row) for row in results_as_data(match)] if match else [],
        practice=match is not None and match.practice,
        take_back=None,
    )
    later = [milliseconds(changes) + 1] if changes else []  # not before, after rounding
    return delayed, min([*later, waiting] if waiting else later, default=0)


def _known_occupancies(match: Match, table: Table) -> tuple[list[OccupancyInfo], int]:
    """Return who was in which seat until the last move that spectators know, and when they will know of a change."""
    rows = [OccupancyInfo(**row) for row in occupancies_as_data(match.pk)]
    if match.status != Match.Status.RUNNING:
        return rows, 0
    plies = plies_known(match, table)
    known = [row for row in rows if row.ply <= plies]
    first = min((row.ply for row in rows if row.ply > plies), default=0)
    at = Move.objects.filter(match=match, ply=first).values_list("at", flat=True).first() if first else None
    return known, at + 1000 * table.spectator_delay if at else 0


def _what_if(match: Match | None) -> WhatIfInfo | None:
    if match is None or match.origin_ply is None:
        return None
    origin = Match.objects.filter(played_on=match).select_related("table").first()
    return WhatIfInfo(match.origin_ply, address_of(origin, match.origin_ply) if origin else "")


def _handicap(table: Table, game: Game) -> HandicapInfo | None:
    handicap = game.handicap
    if handicap is None or table.story or table.what_if or table.tournament:
        return None
    return HandicapInfo(handicap.noun, handicap.low, handicap.high)


def _seek(table: Table) -> SeekInfo | None:
    seek = table.pending_seek
    if seek is None:
        return None
    return SeekInfo(seek.people, seek.bots, milliseconds(seek.starts) if seek.starts else 0)


def _take_back(table: Table, match: Match | None, seats: list[Seat]) -> TakeBackInfo | None:
    if match is None or match.status != Match.Status.RUNNING or not any(seat.take_back for seat in seats):
        return None
    move = asked_to_take_back(table, match)
    if move is None:
        return None
    return TakeBackInfo(move.seat, move.ply, [seat.index for seat in seats if seat.take_back == move.ply])


def _helpers(game: Game, story: Story | None) -> list[BotInfo]:
    kind = helper(story) if story else ""
    return [BotInfo(name=kind, title=catalogue.bot(game, kind).title)] if kind else []


def _story(progress: StoryProgress) -> StoryInfo:
    story = progress.story
    return StoryInfo(
        favourite=story.favourite,
        friend=story.friend,
        done=progress.winner == story.favourite,
        may_ask="ask" in progress.choices,
        lines=[
            DialogueLineInfo(seat=line.speaker, name=story.narrator if line.speaker == NARRATOR else "", text=line.text)
            for line in progress.lines
        ],
        voices=[VoiceInfo(**voice._asdict()) for voice in story.voices],
        over=progress.winner is not None,
        wins=progress.wins,
        won=[sum(seat in winners for winners in progress.won) for seat in range(len(story.names))],
        choices=[StoryChoiceInfo(key, story.choices[key]) for key in progress.choices],
    )


def _daily(table: Table, game: Game, match: Match | None) -> DailyInfo | None:
    if game.daily is None or table.public:  # the table of a deal of the day is never public
        return None
    tried = DailyTry.objects.filter(match__table=table).first()
    return DailyInfo(tried.day.isoformat(), match is not None and match.pk == tried.match_id) if tried else None


def read_restriction(person: int) -> Ruling | None:
    """Read what an administrator has forbidden a person at all tables, None for nothing."""
    restriction = restriction_of(person)
    if restriction is None:
        return None
    until = milliseconds(restriction.until) if restriction.until else 0
    muted = restriction.kind == Restriction.Kind.MUTED
    return Ruling(cast("PersonStanding", restriction.kind), True, restriction.reason, until, muted)


def read_chat(code: str, room: str) -> list[ChatLine]:
    """Read the last messages of a chat room, oldest first."""
    return [chat_line(row) for row in reversed(LAST_MESSAGES[room].all(code))]


def read_chats(codes: list[str], since: int) -> list[tuple[str, ChatLine]]:
    """Read the chat of some tables since a time in milliseconds, oldest first."""
    rows = Message.objects.filter(table__code__in=codes, at__gte=since).select_related("table").order_by("pk")
    return [(row.table.code, chat_line(row)) for row in rows]


def chat_line(row: Message) -> ChatLine:
    """Return a stored message in the form that clients are sent."""
    room = cast("ChatRoom", row.room)
    return ChatLine(
        room=room, n=row.pk, name=row.name, person=row.person_id or 0, seat=row.seat, text=row.text, at=row.at
    )
