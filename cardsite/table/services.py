"""Services for matches: start, end and abandon them, chat, and assign them to processes.

The ``do_...`` functions are the only writers of matches, players, chat, daily tries and server processes. Only moves
are written elsewhere, by the ledger (``ledger.py``), where many matches share a commit. Each function runs in a
transaction, raises Refused when it is not allowed, and publishes its changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import (
    GuestAdopted,
    MatchBegins,
    MatchDropped,
    MatchStarted,
    PersonChanged,
    SeatsChanged,
    TableChanged,
    after_commit,
    publish,
    publish_now,
    within_transaction,
)
from cardsite.lobby.games import NO_CLOCK, SECONDS, find_game
from cardsite.lobby.models import HERE, Seat, SeatRequest, Table
from cardsite.lobby.services import lifecycle, permissions, presence, seat_requests, seating
from cardsite.lobby.services.seating import SEATS
from cardsite.people.models import Person
from cardsite.people.services import do_remove_people
from cardsite.refusal import Refused
from cardsite.table.dropped import NOTED_AFTER_THE_END, Dropped
from cardsite.table.ending import NO_ENDING, Ending
from cardsite.table.models import (
    Chore,
    DailyTry,
    DropReason,
    Match,
    Message,
    Move,
    Occupancy,
    PackedMoves,
    Player,
    ServerProcess,
    StoredReplay,
)
from cardsite.table.moves import PlyTaken, pack, plies_of
from cardsite.table.occupants import Occupant, last_occupants, occupancies_of, occupants_at, seat_results
from cardsite.table.queries import END, LAST_MATCH, PLAYERS, RESULT
from cardsite.table.rig import rig_options, way_of
from cardsite.table.story import StoryProgress, helper, require_unfinished_story, story_of
from cardsite.table.what_if import WhatIfStep, step_again
from games import catalogue
from games.core import BadOption, Game
from games.core.chance import SEED_BYTES
from games.core.game import DailyDeal
from games.core.story import Story

SAME_CLICK = timedelta(seconds=5)  # a second "Play now" within this time, before the first move, returns the same table
LOST = timedelta(seconds=7)  # a process not seen for so long loses its matches: see ROUND in server/scheduler.py
ABANDONED = timedelta(days=1)  # bots end a match that was suspended for so long
PROCESS_GONE = timedelta(days=1)  # a process gone for so long will not return under its name
RESULT_READ = timedelta(seconds=4)  # time to read a result at the house table, between two matches
LINE_READ = timedelta(seconds=1)  # more for each player
BACKUP = "backup"  # the name of the Chore that has the time of the last backup
BROKEN_PAUSE = timedelta(minutes=10)  # before a game whose rules failed at the house table is played there again
HOUSE_KEPT = 50  # matches of the house table that are kept for replay
FORMER_PLAYER = "a former player"  # name of a removed person in matches with other people
LONGEST_FAILURE = 20_000  # characters of an error stored for the author of the rules

log = structlog.get_logger(__name__)


# -- matches


@transaction.atomic
def do_start_match(
    code: str, person: Person | None, *, seed: bytes | None = None, step: WhatIfStep | None = None
) -> int:
    """Start the next match of a table's series; open seats get the house bot. Return its number.

    ``person`` must be the host; None: the site itself, or all players together (``do_agree``). ``seed`` is that of a
    day, None for a random one; ``step`` is a step of another match to continue from. The cards are dealt when the match
    is first loaded: see ``live.load``. Raises Refused.
    """
    table = permissions.lock(code)
    permissions.require_pause(table)
    if person is not None:
        permissions.require_host(table, person)
    game = find_game(table.game)
    publish_now(MatchBegins(game.name))
    require_unfinished_story(table)
    seat_requests.do_seat_promised(table)
    seats = seating.do_fill_open_seats(table)
    earlier = LAST_MATCH.first(table.pk)
    if table.what_if and step is None and earlier:
        step = step_again(earlier)
    rig = {} if step else rig_options(table)
    try:
        game.check_seats(len(seats))
        options = game.check_options(step.match.options if step else {**table.options, **rig})
    except BadOption as bad:  # the game has changed since the table was made
        raise Refused("bad_option", f"{bad} Make a new table.") from bad
    match = Match(
        table=table,
        number=earlier.number + 1 if earlier else 1,
        game=table.game,
        rules_version=game.rules_version,
        options=options,
        seed=step.match.seed if step else (seed or secrets.token_bytes(SEED_BYTES)).hex(),
        origin=step.origin if step else None,
        origin_ply=step.ply if step else None,
        seconds=table.seconds,
        sealed=table.sealed,
        process=this_process.row,
    )
    if rig and game.rig:
        match.favourite, match.rig_way = table.favourite, way_of(table, game.rig)
        match.reveal, match.rigged_by_id = table.reveal, table.rigged_by_id
        lifecycle.do_use_rig(table)
    try:
        match.save()
    except IntegrityError:
        raise Refused("playing", _("The next match has already started.")) from None
    occupants = occupants_at(seats)
    Player.objects.bulk_create(
        Player(match=match, seat=seat, person_id=one.person, bot=one.bot, name=one.name)
        for seat, one in occupants.items()
    )
    Occupancy.objects.bulk_create(_occupancies(match.pk, 0, occupants))
    if step:
        now = _milliseconds(timezone.now())
        # Stored as moves of bots: nobody at this table made them.
        Move.objects.bulk_create(
            Move(match=match, ply=move.ply, seat=move.seat, text=move.text, by="bot", at=now) for move in step.moves
        )
    lifecycle.do_begin_playing(table, seats)
    publish(MatchStarted(match.pk, match.process_id or 0))
    return match.pk


@transaction.atomic
def do_play_now(person: Person, game: Game, *, public: bool = True) -> Table:
    """Return a table where a person plays with bots: a new one, or that of a click just before. Raises Refused."""
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks waits for the first
    since = timezone.now() - SAME_CLICK
    recent = Table.objects.filter(opened_by=person, game=game.name, status=Table.Status.PLAYING, created__gt=since)
    recent = recent.filter(what_if=False, story=False)
    bots = [game.bots[0].name] * (game.default_seats - 1)
    for table in recent.exclude(matches__moves__by="person"):
        seats = Seat.objects.filter(table=table)
        if seats.filter(person=person).exists() and [seat.bot for seat in seats if not seat.person_id] == bots:
            return table
    lifecycle.do_clear_solo_tables(person)
    do_end_solo_matches(person)
    table = lifecycle.do_create_table(person, game, ["me", *bots], public=public)
    do_start_match(table.code, person)
    return table


@transaction.atomic
def do_play_on(person: Person, step: WhatIfStep, seat: int) -> Table:
    """Return a private table where a person continues a match from one of its steps, with bots in all other seats.

    It is a new one, or that of a click just before. Nothing counts there: see ``what_if.py``. Raises Refused.
    """
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks waits for the first
    players = list(Player.objects.filter(match=step.match))
    if not 0 <= seat < len(players):
        raise Refused("no_seat", _("This match has no such seat."))
    since = timezone.now() - SAME_CLICK
    recent = Table.objects.filter(opened_by=person, what_if=True, status=Table.Status.PLAYING, created__gt=since)
    recent = recent.filter(matches__origin=step.origin, matches__origin_ply=step.ply)
    for table in recent.exclude(matches__moves__by="person"):
        if Seat.objects.filter(table=table, person=person, index=seat).exists():
            return table
    lifecycle.do_clear_solo_tables(person)
    do_end_solo_matches(person)
    game = find_game(step.match.game)
    kinds = {bot.name for bot in catalogue.bots(game)}
    bots = [player.bot if player.bot in kinds else game.bots[0].name for player in players]
    table = lifecycle.do_create_table(
        person,
        game,
        [*bots[:seat], "me", *bots[seat + 1 :]],
        options=step.match.options,
        public=False,
        sealed=False,
        seconds=NO_CLOCK,
        what_if=True,
    )
    do_start_match(table.code, person, step=step)
    return table


@transaction.atomic
def do_agree(code: str, person: Person, ready: bool) -> int:
    """Store whether a person at a table is ready for its next match, and start it when all are.

    Return its number, 0 if it has not started. Raises Refused, also for the first match, which the host starts.
    """
    table = permissions.lock(code)
    permissions.require_pause(table)
    if table.status == Table.Status.OPEN:
        raise Refused("not_host", _("The host starts the first match."))
    lifecycle.do_set_ready(table, person, ready)
    return do_start_match(code, None) if ready and lifecycle.all_agree(table, person) else 0


@transaction.atomic
def do_end_match(
    match_id: int,
    table_id: int,
    scores: Sequence[float],
    winners: Sequence[int],
    ending: Ending = NO_ENDING,
    deciders: Iterable[tuple[int, str]] = (),
) -> None:
    """Store the result of a match: the scores by seat, and the winners. Called in the transaction of the last move.

    ``deciders`` has the seat and the ``by`` of each move, in order: ``occupants.seat_results`` says whose results they
    are. Raises PlyTaken when the match is no longer running: another process has dropped it.
    """
    over = (Match.Status.OVER, timezone.now(), None, ending.outcome, ending.low_wins)
    if not END.rewrite(match_id, *over):
        raise PlyTaken(f"match {match_id} has ended")
    share = 1 / len(winners) if winners else 0  # some games can end without a winner
    whose = seat_results(occupancies_of(match_id), deciders)
    won: dict[int, int | None] = {}
    for one in PLAYERS.all(match_id):
        one.score = scores[one.seat]
        one.share = share if one.seat in winners else 0
        one.place = ending.ranks[one.seat] if ending.ranks else None
        one.person_id, one.bot, one.name, one.decisions, one.own_decisions = whose[one.seat]
        if one.share:
            won[one.seat] = one.person_id if one.counts else None
        RESULT.rewrite(
            one.pk,
            *(one.score, one.share, one.place, one.decisions, one.own_decisions),
            *(one.person_id, one.bot, one.name),
        )
    lifecycle.do_end_playing(table_id, won, share)


# -- who is in which seat: see ``occupants.py``


@receiver(within_transaction, sender=SeatsChanged)
def do_note_occupants(sender: object, event: SeatsChanged, **_: object) -> None:
    """Store who is in which seat now, if a match is being played: for each seat where that has changed."""
    match = LAST_MATCH.first(event.table)
    if match is None or match.status != Match.Status.RUNNING:
        return
    known = occupancies_of(match.pk)
    before, now = last_occupants(known), occupants_at(SEATS.all(event.table))
    changed = {seat: one for seat, one in now.items() if seat in before and before[seat] != one}
    if not changed:
        return
    if known[0].pk is None:  # it was started by an earlier version
        Occupancy.objects.bulk_create(known)
    rows = _occupancies(match.pk, plies_of(match.pk), changed)
    removed = set(SeatRequest.objects.filter(table=event.table, removed=True).values_list("person", flat=True))
    for row in rows:
        row.removed = before[row.seat].person in removed and before[row.seat].person != row.person_id
    Occupancy.objects.bulk_create(rows)


def _occupancies(match_id: int, ply: int, occupants: Mapping[int, Occupant]) -> list[Occupancy]:
    return [
        Occupancy(
            match_id=match_id, ply=ply, seat=seat, person_id=one.person, bot=one.bot, away=one.away, name=one.name
        )
        for seat, one in occupants.items()
    ]


@receiver(after_commit, sender=PersonChanged)
def do_note_new_name(sender: object, event: PersonChanged, **_: object) -> None:
    """Store the new name of a person in the matches that they are playing."""
    playing = Table.objects.filter(seats__person=event.person, status=Table.Status.PLAYING)
    for code in list(playing.values_list("code", flat=True)):
        with transaction.atomic():
            table = permissions.lock(code)
            publish_now(SeatsChanged(table.pk))
            publish(TableChanged(code))


@transaction.atomic
def do_end_solo_matches(person: Person) -> None:
    """Have bots end all but the last few matches that a person started alone with bots and left."""
    mine = Match.objects.filter(status=Match.Status.RUNNING, table__seats__person=person)
    others = Seat.objects.filter(table=OuterRef("table")).exclude(person=None).exclude(person=person)
    left = mine.filter(asleep__isnull=False).exclude(Exists(others)).order_by("-pk").values_list("pk", flat=True)
    do_leave_to_bots(list(left[lifecycle.KEPT_SOLO :]))


@transaction.atomic
def do_drop_match(match_id: int, dropped: Dropped) -> None:
    """Drop a match that cannot continue. If it is over, its result stays, and only the error is stored."""
    match = Match.objects.select_for_update(of=("self",)).select_related("table").filter(pk=match_id).first()
    if match is None:
        return
    if match.status == Match.Status.RUNNING:
        match.status, match.dropped, match.process = Match.Status.DROPPED, dropped.why, None
        match.finished = timezone.now()
        lifecycle.do_end_playing(match.table_id)
    elif match.status == Match.Status.DROPPED or match.failure or dropped.why not in NOTED_AFTER_THE_END:
        return  # the error is stored already
    match.failure = _storable(dropped.failure[:LONGEST_FAILURE])
    match.save(update_fields=["failure", "status", "dropped", "process", "finished"])
    if dropped.why == DropReason.STOPPED:
        log.info("match stopped", match=match_id, game=match.game)
    else:
        log.error("match abandoned", match=match_id, game=match.game, why=str(dropped.why), failure=match.failure)
    publish_now(MatchDropped(match.game, dropped.why, match.failure))
    publish(TableChanged(match.table.code))


@transaction.atomic
def do_set_reveal(match_id: int, reveal: bool) -> Match:
    """Administrator: decide whether everybody may know, once it is over, that a match was stacked. Raises Refused.

    A match that is over and revealed stays revealed. Nobody is notified of a decision about a running match.
    """
    match = Match.objects.select_for_update(of=("self",)).select_related("table").filter(pk=match_id).first()
    if match is None or match.favourite is None:
        raise Refused("bad_option", _("The deck of this match was not stacked."))
    if match.status != Match.Status.RUNNING and match.reveal and not reveal:
        raise Refused("done", _("This match has been revealed. That cannot be taken back."))
    if match.reveal != reveal:
        match.reveal = reveal
        match.save(update_fields=["reveal"])
        if match.status != Match.Status.RUNNING:
            publish(TableChanged(match.table.code))
    return match


def do_stop_matches(games: Iterable[str]) -> int:
    """Drop all running matches of some games, for an administrator. Return how many.

    Each has a transaction of its own, so that no table waits for all of them.
    """
    running = Match.objects.filter(game__in=list(games), status=Match.Status.RUNNING)
    stopped = list(running.values_list("pk", flat=True))
    for match_id in stopped:
        do_drop_match(match_id, Dropped(DropReason.STOPPED))
    return len(stopped)


@transaction.atomic
def do_remove_matches(matches: Iterable[int]) -> None:
    """Remove matches permanently. A table where one of them was being played is between matches then."""
    doomed = Match.objects.filter(pk__in=list(matches))
    tables = list(Table.objects.filter(matches__in=doomed.filter(status=Match.Status.RUNNING)).distinct())
    doomed.delete()
    for table in tables:
        lifecycle.do_end_playing(table.pk)
        publish(TableChanged(table.code))


@transaction.atomic
def do_begin_daily(person: Person, game: Game, deal: DailyDeal, day: date) -> Table:
    """Start the deal of the day for a person, with bots in the other seats. Raises Refused, also for a second try.

    A try whose match was dropped does not count.
    """
    lifecycle.do_clear_solo_tables(person)
    table = lifecycle.do_create_table(
        person,
        game,
        ["me", *[game.bots[0].name] * (game.default_seats - 1)],
        options=deal.options(day),
        public=False,
        sealed=False,
        seconds=max(SECONDS),
    )
    match = do_start_match(table.code, person, seed=deal.seed(day, settings.SECRET_KEY.encode()))
    DailyTry.objects.filter(game=game.name, day=day, person=person, match__status=Match.Status.DROPPED).delete()
    try:
        with transaction.atomic():
            DailyTry.objects.create(game=game.name, day=day, person=person, match_id=match)
    except IntegrityError:
        raise Refused("tried", _("You have already played today's deal. There is a new one tomorrow.")) from None
    return table


# -- stories


@transaction.atomic
def do_begin_story(person: Person, game: Game, story: Story) -> Table:
    """Return a table where a person plays a game's story: a new one, or that of a click just before. Raises Refused."""
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks waits for the first
    since = timezone.now() - SAME_CLICK
    recent = Table.objects.filter(opened_by=person, game=game.name, story=True, created__gt=since)
    if table := recent.filter(status=Table.Status.PLAYING).exclude(matches__moves__by="person").first():
        return table
    lifecycle.do_clear_solo_tables(person)
    do_end_solo_matches(person)
    seats = ["me", *[game.bots[0].name] * (len(story.names) - 1)]
    table = lifecycle.do_create_table(person, game, seats, public=False, sealed=False)
    lifecycle.do_set_scene(table, story)
    do_start_match(table.code, person)
    return table


@transaction.atomic
def do_ask_friend(code: str, person: Person) -> None:
    """Between two matches of a story: ask its third character to help. Raises Refused."""
    table = permissions.lock(code)
    permissions.require_host(table, person)
    permissions.require_pause(table)
    story = story_of(table)
    if story is None or not StoryProgress.of(table, story).may_ask:
        raise Refused("bad_option", _("You cannot ask for help right now."))
    Seat.objects.filter(table=table, index=story.friend).update(bot=helper(story))
    publish(TableChanged(table.code))


# -- replays


@transaction.atomic
def do_store_replay(match_id: int, seat: int, face_up: bool, **fields: object) -> None:
    """Store the replay of a match that has ended for one audience: see ``stored_replay.py``."""
    StoredReplay.objects.update_or_create(match_id=match_id, seat=seat, face_up=face_up, defaults=fields)


@receiver(within_transaction, sender=GuestAdopted)
def do_keep_earlier_tries(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep the earlier of two tries at one deal, when a guest has logged in as a person who also has a try."""
    guest, person = event
    for mine in DailyTry.objects.filter(person=guest).select_related("match"):
        other = DailyTry.objects.filter(person=person, game=mine.game, day=mine.day).select_related("match").first()
        if other:
            later = max(mine, other, key=lambda one: (one.match.status == Match.Status.DROPPED, one.match_id))
            later.delete()


# -- chat


def do_post_message(code: str, person_id: int, seat: int | None, text: str, at: int) -> Message:
    """Store a chat message, for the room of the sender: players or spectators, or both if they share a room.

    Raises Refused.
    """
    table = Table.objects.get(code=code)
    own = Message.ChatRoom.SPECTATORS if seat is None else Message.ChatRoom.PLAYERS
    person = Person.objects.get(pk=person_id)
    permissions.require_good_standing(person)
    permissions.require_not_barred(table, person)
    names = seating.seat_names(Seat.objects.filter(table__code=code).select_related("person"))
    return Message.objects.create(
        table=table,
        room=Message.ChatRoom.ALL if table.together else own,
        person=person,
        name=person.name if seat is None else names.get(seat, person.name),
        seat=-1 if seat is None else seat,
        text=text,
        at=at,
    )


def do_remove_messages(messages: Iterable[int]) -> None:
    """Remove chat messages permanently."""
    Message.objects.filter(pk__in=list(messages)).delete()


# -- which process runs which match


class ThisProcess:
    """The row of this process, which runs the matches that it starts."""

    row: ServerProcess | None = None  # set by the match server when it signs in; None without a match server


this_process = ThisProcess()


def do_sign_in(name: str) -> ServerProcess:
    """Store that a process is alive, and return its row."""
    row, _made = ServerProcess.objects.update_or_create(name=name, defaults={"seen": timezone.now()})
    return row


def do_sign_out(process: ServerProcess) -> None:
    """Store that a process stops, so that other processes can take over at once."""
    ServerProcess.objects.filter(pk=process.pk).update(seen=timezone.now() - LOST)


@transaction.atomic
def do_claim(process: ServerProcess, *, alone: bool) -> list[int]:
    """Take over matches whose process is gone (if ``alone``: of all others). Return all matches of ``process``.

    Open decisions are compensated for the time in which no process ran the match. A suspended match is not taken over
    until one of its players is here, or its table has changed.
    """
    now = timezone.now()
    gone = Q(process=None) | Q(process__seen__lt=now - LOST)
    if alone:
        gone |= ~Q(process=process)
    running = Match.objects.filter(status=Match.Status.RUNNING)
    awake = Q(asleep=None) | Q(asleep__lt=F("table__touched")) | Q(_person_here())
    for match in (
        running.filter(gone).filter(awake).select_related("process").select_for_update(of=("self",), skip_locked=True)
    ):
        last = match.moves.order_by("-ply").values_list("ply", "at").first() or (0, _milliseconds(match.started))
        seen = _milliseconds(match.process.seen) if match.process else last[1]
        away = max(0, _milliseconds(timezone.now()) - max(seen, last[1]))
        # A suspended match has no process, and ``away`` includes the time of earlier suspensions.
        before = match.compensation_ms if match.process and match.compensation_ply == last[0] else 0
        match.compensation_ply, match.compensation_ms = last[0], before + away
        match.process, match.asleep = process, None
        match.save(update_fields=["compensation_ply", "compensation_ms", "process", "asleep"])
    ServerProcess.objects.filter(seen__lt=now - PROCESS_GONE).delete()
    return list(running.filter(process=process).values_list("pk", flat=True))


@transaction.atomic
def do_put_to_sleep(process: ServerProcess, matches: Iterable[int]) -> list[int]:
    """Suspend those of some matches without a clock whose players are all away. Return which.

    No process runs them until one of their players is back: see ``do_claim``.
    """
    kept = Match.objects.select_for_update().filter(pk__in=list(matches), process=process, status=Match.Status.RUNNING)
    numbers = list(kept.exclude(_person_here()).values_list("pk", flat=True))
    if numbers:
        Match.objects.filter(pk__in=numbers).update(asleep=timezone.now(), process=None)
    return numbers


def do_end_abandoned() -> None:
    """Have bots end the matches that were suspended for a long time."""
    long = Match.objects.filter(status=Match.Status.RUNNING, asleep__lt=timezone.now() - ABANDONED)
    do_leave_to_bots(list(long.values_list("pk", flat=True)[:100]))


@transaction.atomic
def do_leave_to_bots(matches: Sequence[int]) -> None:
    """Have bots decide for all people in some suspended matches until they are back."""
    if matches:
        presence.do_leave_to_bots(Table.objects.filter(matches__in=matches).values_list("pk", flat=True))
        Match.objects.filter(pk__in=matches).update(asleep=None)


def _person_here() -> Exists:
    """Whether one of the players of a match is at its table."""
    here = Seat.objects.filter(table=OuterRef("table"), seen__gt=timezone.now() - HERE)
    return Exists(here.exclude(person=None))


def do_keep_house_table() -> timedelta | None:
    """Keep a match running at the house table: open the table, and start its next match after a pause.

    Its games alternate. Return the rest of the pause, None while a match is being played.
    """
    games = catalogue.watched()
    table = Table.objects.filter(house=True).exclude(status=Table.Status.CLOSED).first()
    if table is None:
        seats = [games[0].bots[0].name] * games[0].default_seats
        table = lifecycle.do_create_table(None, games[0], seats, seconds=min(SECONDS), house=True)
    elif table.status == Table.Status.PLAYING:
        return None
    last = Match.objects.filter(table=table).order_by("-number").first()
    rest = table.touched + RESULT_READ + LINE_READ * last.players.count() - timezone.now() if last else timedelta()
    games = [game for game in games if game.name not in _broken_lately(table)]
    if rest > timedelta() or not games:
        return max(rest, RESULT_READ)
    old = Match.objects.filter(table=table).order_by("-number").values_list("pk", flat=True)[HOUSE_KEPT:]
    Match.objects.filter(pk__in=list(old)).delete()
    try:
        with transaction.atomic():
            lifecycle.do_set_house_table(table.code, _after(last, games))
            do_start_match(table.code, None)
    except Refused:
        log.debug("another process began the match at the house table")
    return None


# -- data retention: see ``tidy.py``


def do_begin_chore(name: str, every: timedelta) -> bool:
    """Return whether a chore is due, and store that it has started: only one of several processes gets True."""
    now = timezone.now()
    Chore.objects.get_or_create(name=name, defaults={"begun": now - 2 * every})
    return bool(Chore.objects.filter(name=name, begun__lte=now - every).update(begun=now))


def do_note_backup() -> None:
    """Store that a backup was made now."""
    Chore.objects.update_or_create(name=BACKUP, defaults={"begun": timezone.now()})


def backed_up() -> datetime | None:
    """Return when the last backup was made, None if none was."""
    return Chore.objects.filter(name=BACKUP).values_list("begun", flat=True).first()


def living_processes() -> list[ServerProcess]:
    """Return the processes of the site that run now, by their heartbeats."""
    return list(ServerProcess.objects.filter(seen__gt=timezone.now() - LOST).order_by("name"))


@transaction.atomic
def do_tidy(rows: QuerySet[Any], most: int) -> int:
    """Remove at most ``most`` of some rows, with the rows that depend on them. Return how many.

    Rows that another process is removing or changing are left for the next round.
    """
    doomed = rows.select_for_update(of=("self",), skip_locked=True).order_by("pk").values_list("pk", flat=True)[:most]
    numbers = list(doomed)
    rows.model._default_manager.filter(pk__in=numbers).delete()
    return len(numbers)


@transaction.atomic
def do_pack_moves(matches: QuerySet[Match], most: int) -> int:
    """Pack the moves of at most ``most`` ended matches, into one row each. Return how many matches."""
    chosen = matches.select_for_update(of=("self",), skip_locked=True).order_by("pk")[:most]
    numbers = list(chosen.values_list("pk", flat=True))
    for number in numbers:
        rows = list(Move.objects.filter(match=number).order_by("ply"))
        PackedMoves.objects.create(match_id=number, plies=rows[-1].ply if rows else 0, moves=pack(rows))
        Move.objects.filter(match=number, pk__in=[row.pk for row in rows]).delete()
    return len(numbers)


@transaction.atomic
def do_leave(person: Person) -> None:
    """Remove a person at their own request. Matches with other people are kept.

    A bot takes their seats; in matches with other people they become FORMER_PLAYER; their chat messages and the matches
    that they played alone are removed.
    """
    number, user = person.pk, person.user
    tables = Table.objects.filter(Q(host=person) | Q(opened_by=person) | Q(seats__person=person))
    tables = tables.exclude(status=Table.Status.CLOSED)
    around = {table.pk: table for table in tables}
    for code in Table.objects.filter(seats__person=person).exclude(status=Table.Status.CLOSED).values_list("code"):
        seating.do_stand(*code, person)
    alone = Match.objects.filter(players__person=person).exclude(status=Match.Status.RUNNING)
    do_remove_matches(alone.exclude(_with_another(person)).values_list("pk", flat=True))
    for rows in (Player, Occupancy):
        rows.objects.filter(person=person).update(name=FORMER_PLAYER)
    Message.objects.filter(person=person).delete()
    do_remove_people([number])
    if user:
        user.delete()
    for kind, key in ((Person, number), (User, user.pk if user else None)):
        kept = LogEntry.objects.filter(content_type__app_label=kind._meta.app_label, object_id=str(key))
        kept.filter(content_type__model=kind._meta.model_name).update(object_repr=FORMER_PLAYER)
    empty = Table.objects.filter(pk__in=around).exclude(seats__person__isnull=False)
    lifecycle.do_close_idle(empty.filter(house=False).values_list("pk", flat=True))
    for table in around.values():
        publish(TableChanged(table.code))


def _with_another(person: Person) -> Exists:
    return Exists(Player.objects.filter(match=OuterRef("pk")).exclude(person=None).exclude(person=person))


def _broken_lately(table: Table) -> set[str]:
    """Return the games whose rules failed at a table a short time ago: the next match would probably fail, too."""
    broken = Match.objects.filter(
        table=table, dropped__in=(DropReason.RULES_FAILED, DropReason.NO_END, DropReason.TOO_MUCH)
    )
    return set(broken.filter(finished__gt=timezone.now() - BROKEN_PAUSE).values_list("game", flat=True))


def _after(last: Match | None, games: Sequence[Game]) -> Game:
    """Return the next game of the house table."""
    names = [game.name for game in games]
    return games[(names.index(last.game) + 1) % len(games)] if last and last.game in names else games[0]


def _storable(text: str) -> str:
    """Return the message of any exception of rules in a form that every database can store."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\0")


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
