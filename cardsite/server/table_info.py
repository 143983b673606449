"""A table and its chat, read from the database in the form that clients are sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from msgspec import structs

from cardsite.lobby.games import clock_runs, find_game, is_correspondence
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services import seating
from cardsite.lobby.services.seating import SEATS
from cardsite.people.models import Restriction
from cardsite.people.mutes import muted_by
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
from cardsite.table.delay import as_known, delayed_match, known_occupancies
from cardsite.table.dropped import notice
from cardsite.table.models import DailyTry, Match, Message, Occupancy
from cardsite.table.moves import milliseconds
from cardsite.table.occupants import (
    Occupant,
    last_occupants,
    occupancies_as_data,
    occupancies_of,
    results_as_data,
    vacation_of,
)
from cardsite.table.queries import LAST_MESSAGES, SHOWN_TABLE
from cardsite.table.rig import stacked_for
from cardsite.table.services.takebacks import asked_to_take_back
from cardsite.table.story import helper, progress_of, story_of
from cardsite.table.what_if import address_of
from games import catalogue
from games.core import Game
from games.core.options import OptionValue
from games.core.story import NARRATOR, Story, StoryProgress


class Ruling(NamedTuple):
    """What the host or an administrator has decided about a person: fields of OutWelcome and OutYou."""

    standing: PersonStanding
    by_administrator: bool = False
    reason: str = ""
    until: int = 0
    muted: bool = False  # may not chat, also if ``standing`` is something else


NO_RULING = Ruling("")


class Delay(NamedTuple):
    """How much later spectators see a table now. Times are in milliseconds since 1970.

    ``seconds``: 0 for no delay; or UNTIL_DEAL_ENDS. ``since``: when the first match began of which they do not know
    everything; 0 if they know all that has happened. ``changes``: when they will know more; 0: not without an event.
    """

    seconds: int = 0
    since: int = 0
    changes: int = 0


class Reading(NamedTuple):
    """A table as it was read: the part for everybody, and the seats of people.

    ``for_spectators`` is the part for everybody as spectators may know it: the same object if they know everything.
    """

    info: TableInfo
    for_spectators: TableInfo
    delay: Delay
    persons: dict[int, int]  # person -> seat
    host: int  # Person's number, 0 for none
    rulings: dict[int, Ruling]  # of people about whom something was decided at this table
    barred: dict[int, str]  # the names of those whom the host has removed as spectators
    kept: frozenset[int]  # people who stood up during the match and may take their seat back


def read_table(code: str) -> Reading:
    """Read a table. Raises Table.DoesNotExist; Refused when its game no longer exists."""
    rows = SHOWN_TABLE.all(code)
    if not rows:
        raise Table.DoesNotExist
    table = rows[0]
    requests: list[SeatRequest] = [row.asking for row in rows if getattr(row, "asking", None)]
    game = find_game(table.game)
    last: Match | None = getattr(table, "last_match", None)
    match = None if table.fresh else last
    playing = table.status == Table.Status.PLAYING
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
                ends=seat.ends and playing,
                held_for=seat.held_for_id or 0,
                wins=seat.wins,
                face=story.faces[seat.index] if story and seat.bot else "",
                handicap=seat.handicap,
                vacation_until=vacation_of(seat.person) if is_correspondence(table.seconds) else 0,
            )
            for seat in seats
        ],
        options=_options(game, table.options),
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
        occupancies=_occupancy_infos(occupancies_of(match.pk)) if match else [],
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
        spectator_delay=match.spectator_delay if match and playing else table.spectator_delay,
    )
    maybe = table.spectator_delay or (last and last.spectator_delay)  # else no query is needed
    for_spectators, delay = _for_spectators(info, table) if maybe else (info, Delay())
    persons = {seat.person_id: seat.index for seat in seats if seat.person_id}
    rulings = {
        one.person_id: Ruling(cast("PersonStanding", one.standing), one.by_administrator, one.reason)
        for one in requests
        if one.standing
    }
    barred = {one.person_id: one.person.name for one in requests if one.barred}
    kept = frozenset(seat.held_for_id for seat in seats if seat.held_for_id)
    return Reading(info, for_spectators, delay, persons, table.host_id or 0, rulings, barred, kept)


def _options(game: Game, values: Mapping[str, OptionValue]) -> list[OptionInfo]:
    return [
        OptionInfo(name=option.name, label=option.label, value=value, shown=option.label_of(value))
        for option in game.options
        if option.set_by != "administrator"
        for value in [values.get(option.name, option.default)]
        if option.set_by == "host" or value != option.default
    ]


def _for_spectators(info: TableInfo, table: Table) -> tuple[TableInfo, Delay]:
    """Return a table as its spectators may know it now, and their delay."""
    match, first, wins, changes = delayed_match(table)
    if first is None:
        return info, Delay(table.spectator_delay)
    if not first.spectator_delay:
        return info, Delay()
    game = find_game(first.game)
    if match:
        match.table = table
    shown = match is not None and match.pk == first.pk
    rows, more = known_occupancies(as_known(first))
    occupancies = _occupancy_infos(rows)
    seats = last_occupants(rows)
    now = {seat.index: seat for seat in SEATS.all(table.pk)}
    later = [at for at in (changes, more) if at]
    # As it was when that match began: the host may have changed the table since its end.
    then = structs.replace(
        info,
        game=first.game,
        title=game.title,
        status=cast("TableStatus", _status_known(table, match, playing=shown)),
        seats=[_seat_known(seat, one, table, now.get(seat), wins.get(seat, 0)) for seat, one in sorted(seats.items())],
        options=_options(game, first.options),
        sealed=first.sealed,
        seconds=first.seconds,
        time_up=cast("TimeUp", first.time_up),
        clock=clock_runs(first.seconds, sum(bool(one.person) for one in seats.values()), waited_for=table.tournament),
        bots=[BotInfo(name=bot.name, title=bot.title) for bot in catalogue.bots(game)],
        max_seats=game.max_seats,
        min_seats=game.min_seats,
        match=match.pk if match else 0,
        number=match.number if match else 0,
        stacked_for=stacked_for(match),
        dropped=cast("DroppedFor", match.dropped if match else ""),
        notice=notice(match, game),
        occupancies=occupancies if shown or match is None else _occupancy_infos(occupancies_of(match.pk)),
        results=[SeatResultInfo(**row) for row in results_as_data(match)] if match else [],
        practice=match is not None and match.practice,
        take_back=None,
        story=None,
        spectator_delay=first.spectator_delay,
    )
    changes_at = milliseconds(min(later)) + 1 if later else 0  # not before, after rounding
    return then, Delay(first.spectator_delay, milliseconds(first.started), changes_at)


def _status_known(table: Table, match: Match | None, *, playing: bool) -> str:
    if table.status == Table.Status.CLOSED:
        return str(table.status)
    return str(Table.Status.PLAYING if playing else Table.Status.OVER if match else Table.Status.OPEN)


def _seat_known(seat: int, one: Occupant, table: Table, now: Seat | None, wins: float) -> SeatInfo:
    """Return a seat of a match of which spectators do not know everything.

    Who is connected, ready or wishes something belongs to the present, so it is not in it. ``now``: the seat of now;
    ``wins``: those that spectators do not know.
    """
    held = 0.0
    if now and now.person_id == one.person:
        held = now.wins
    elif now and one.person and now.held_for_id == one.person:
        held = now.held_wins
    return SeatInfo(
        seat=seat,
        kind="bot" if one.bot else "person",
        name=one.name,
        bot=one.bot,
        person=one.person or 0,
        host=one.person is not None and one.person == table.host_id,
        here=not one.bot,
        away=one.away,
        ready=False,
        ends=False,
        held_for=0,
        wins=max(0.0, held - wins),
        handicap=now.handicap if now else 0,
    )


def _occupancy_infos(rows: Iterable[Occupancy]) -> list[OccupancyInfo]:
    return [OccupancyInfo(**row) for row in occupancies_as_data(rows)]


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


def read_person(person: int) -> tuple[Ruling | None, list[int]]:
    """Read what an administrator has forbidden a person at all tables, and whom the person has muted."""
    return read_restriction(person), muted_by(person)


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
