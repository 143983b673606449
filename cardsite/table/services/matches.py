"""Start, end, drop and remove matches, and record who is in their seats."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import (
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
from cardsite.lobby.games import find_game
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services import lifecycle, permissions, presence, seat_requests, seating
from cardsite.lobby.services.seating import SEATS
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.concession import CONCEDED_SEATS, concession
from cardsite.table.delay import delay_for_next
from cardsite.table.dropped import NOTED_AFTER_THE_END, Dropped
from cardsite.table.ending import NO_ENDING, Ending
from cardsite.table.models import DailyTry, DropReason, Match, Move, Occupancy, Player, StoredReplay
from cardsite.table.moves import PlyTaken, milliseconds, moves_of, plies_of
from cardsite.table.occupants import Occupant, last_occupants, occupancies_of, occupants_at, seat_results
from cardsite.table.queries import END, LAST_MATCH, LOCKED_TABLE, PLAYERS, RESULT
from cardsite.table.rig import rig_options, way_of
from cardsite.table.services.processes import do_leave_to_bots_in, this_process
from cardsite.table.story import require_unfinished_story
from cardsite.table.what_if import WhatIfStep, step_again
from cardsite.translations import detail_or
from games.core import BadOption
from games.core.chance import SEED_BYTES
from games.core.handicap import OPTION as HANDICAP
from games.core.messages import as_written

LONGEST_FAILURE = 20_000  # characters of an error stored for the author of the rules
log = structlog.get_logger(__name__)


@transaction.atomic
def do_start_match(
    code: str, person: Person | None, *, seed: bytes | None = None, step: WhatIfStep | None = None
) -> int:
    """Start the next match of a table's series; open seats get the house bot. Return its primary key.

    ``person`` must be the host; None: the site itself, or all players together (``do_agree``). ``seed`` is that of a
    day, None for a random one; ``step`` is a step of another match to continue from. The cards are dealt when the match
    is first loaded: see ``live.load``. Raises Refused.
    """
    table = permissions.lock(code)
    permissions.require_no_running_match(table)
    if person is not None:
        permissions.require_host(table, person)
    game = find_game(table.game)
    publish_now(MatchBegins(game.name))
    require_unfinished_story(table)
    if table.tournament and (person is not None or LAST_MATCH.first(table.pk)):
        permissions.require_no_tournament(table)
    seat_requests.do_seat_promised(table)
    seats = seating.do_fill_open_seats(table)
    earlier = LAST_MATCH.first(table.pk)
    if table.what_if and step is None and earlier:
        step = step_again(earlier)
    rig = {} if step else rig_options(table)
    try:
        game.check_seats(len(seats))
        handicaps = {HANDICAP: " ".join(str(seat.handicap) for seat in seats)} if game.handicap else {}
        options = game.check_options(step.match.options if step else {**table.options, **rig, **handicaps})
    except BadOption as bad:  # the game has changed since the table was made
        detail = detail_or(bad, _("The game has changed since this table was made."), game)
        raise Refused("bad_option", f"{detail} {_('Make a new table.')}") from bad
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
        time_up=table.time_up,
        sealed=table.sealed,
        spectator_delay=delay_for_next(table, [earlier, step.match if step else None]),
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
        now = milliseconds(timezone.now())
        # Stored as moves of bots: nobody at this table made them.
        Move.objects.bulk_create(
            Move(match=match, ply=move.ply, seat=move.seat, text=move.text, by="bot", at=now) for move in step.moves
        )
    lifecycle.do_begin_playing(table, seats)
    publish(MatchStarted(match.pk, match.process_id or 0))
    return match.pk


@transaction.atomic
def do_agree(code: str, person: Person, ready: bool) -> int:
    """Store whether a person at a table is ready for its next match, and start it when all are.

    Return its primary key, 0 if it has not started. Raises Refused, also for the first match, which the host starts.
    """
    table = permissions.lock(code)
    permissions.require_no_running_match(table)
    permissions.require_no_tournament(table)
    if table.status == Table.Status.OPEN:
        raise Refused("not_host", _("The host starts the first match."))
    lifecycle.do_set_ready(table, person, ready)
    return do_start_match(code, None) if ready and lifecycle.all_agree(table, person) else 0


@transaction.atomic
def do_agree_to_end(code: str, person: Person, agrees: bool) -> None:
    """Store whether a person at a table agrees to end the running match, and end it without a result when all do.

    Raises Refused.
    """
    table = permissions.lock(code)
    match = LAST_MATCH.first(table.pk)
    if match is None or match.status != Match.Status.RUNNING:
        raise Refused("over", _("No match is in progress."))
    permissions.require_no_tournament(table)
    if lifecycle.do_set_ends(table, person, agrees):
        do_drop_match(match.pk, Dropped(DropReason.AGREED))


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
    are. Raises PlyTaken when the match is no longer running: another process has dropped it, or a player has resigned.
    """
    LOCKED_TABLE.first(table_id)  # before the match, as everywhere: or a resignation at this moment is a deadlock
    over = (Match.Status.OVER, timezone.now(), None, ending.outcome, ending.low_wins, "")
    if not END.rewrite(match_id, *over):
        raise PlyTaken(f"match {match_id} has ended")
    do_store_results(match_id, table_id, scores, winners, ending.ranks, deciders)


@transaction.atomic
def do_resign(code: str, person: Person) -> None:
    """End the running match of two seats at a table: ``person`` has lost it. Raises Refused."""
    table = permissions.lock(code)
    match = LAST_MATCH.first(table.pk)
    if match is None or match.status != Match.Status.RUNNING:
        raise Refused("over", _("No match is in progress."))
    permissions.require_seat(table, person)
    if table.story:
        raise Refused("story", _("A story is played to its end: nobody can resign."))
    if DailyTry.objects.filter(match=match).exists():
        raise Refused("daily", _("The deal of the day is played to its end: nobody can resign."))
    seats = SEATS.all(table.pk)
    if len(seats) != CONCEDED_SEATS:
        raise Refused("bad_option", _("You can resign only in a match of two. Stand up: a bot plays on for you."))
    do_concede(table, match, next(seat.index for seat in seats if seat.person_id == person.pk), DropReason.RESIGNED)


@transaction.atomic
def do_lose_by_time(match_id: int, loser: int, plies: int) -> None:
    """End a running match of two seats after its move number ``plies``: the time of ``loser`` is up.

    Raises Refused when that is no longer its last move, or when it has ended; Match.DoesNotExist.
    """
    match = Match.objects.select_related("table").get(pk=match_id)
    do_concede(permissions.lock(match.table.code), match, loser, DropReason.LATE)
    if plies_of(match_id) != plies:  # asked last, because a move may be stored meanwhile; this takes all of it back
        raise Refused("stale", _("You have already made this decision. Look at the table and continue."))


def do_concede(table: Table, match: Match, loser: int, why: DropReason) -> None:
    """End the running match of two seats at a locked table before its end: the other seat than ``loser`` has won.

    ``why`` is RESIGNED or LATE. Raises Refused when the match has ended just now.
    """
    winners, text = concession(why, loser)
    if not END.rewrite(match.pk, Match.Status.OVER, timezone.now(), None, text, False, why):
        raise Refused("over", _("No match is in progress."))
    deciders = [(move.seat, move.by) for move in moves_of(match.pk, running=True)]
    ranks = [1 if seat in winners else 2 for seat in range(CONCEDED_SEATS)]
    do_store_results(match.pk, table.pk, [None] * CONCEDED_SEATS, winners, ranks, deciders)
    presence.do_note_turns(table.pk, {})
    log.info("match conceded", match=match.pk, game=match.game, why=str(why))
    publish(TableChanged(table.code))


def do_store_results(
    match_id: int,
    table_id: int,
    scores: Sequence[float | None],
    winners: Sequence[int],
    ranks: Sequence[int],
    deciders: Iterable[tuple[int, str]],
) -> None:
    """Store the results of a match that is over, by seat, and whose they are. ``deciders``: see ``do_end_match``."""
    share = 1 / len(winners) if winners else 0  # some games can end without a winner
    whose = seat_results(occupancies_of(match_id), deciders)
    won: dict[int, int | None] = {}
    for one in PLAYERS.all(match_id):
        one.score = scores[one.seat]
        one.share = share if one.seat in winners else 0
        one.place = ranks[one.seat] if ranks else None
        one.person_id, one.bot, one.name, one.decisions, one.own_decisions = whose[one.seat]
        if one.share:
            won[one.seat] = one.person_id if one.counts else None
        RESULT.rewrite(
            one.pk,
            *(one.score, one.share, one.place, one.decisions, one.own_decisions),
            *(one.person_id, one.bot, one.name),
        )
    lifecycle.do_end_playing(table_id, won, share)


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
    left = (
        mine.filter(suspended_since__isnull=False, table__tournament=False)
        .exclude(Exists(others))
        .order_by("-pk")
        .values_list("pk", flat=True)
    )
    do_leave_to_bots_in(list(left[lifecycle.KEPT_SOLO :]))


@transaction.atomic
def do_drop_match(match_id: int, dropped: Dropped) -> None:
    """Drop a match that cannot continue. If it is over, its result stays, and only the error is stored."""
    Table.objects.select_for_update().filter(matches=match_id).first()  # locked before the match, as everywhere
    match = Match.objects.select_for_update(of=("self",)).select_related("table").filter(pk=match_id).first()
    if match is None:
        return
    if match.status == Match.Status.RUNNING:
        match.status, match.dropped, match.process = Match.Status.DROPPED, dropped.why, None
        match.finished = timezone.now()
        lifecycle.do_end_playing(match.table_id)
    elif match.status == Match.Status.DROPPED or match.failure or dropped.why not in NOTED_AFTER_THE_END:
        return  # the error is stored already
    failure = f"{dropped.failure}\n{dropped.where}" if dropped.where else dropped.failure
    match.failure = _storable(failure[:LONGEST_FAILURE])
    match.save(update_fields=["failure", "status", "dropped", "process", "finished"])
    if dropped.why in (DropReason.STOPPED, DropReason.AGREED):
        log.info("match stopped", match=match_id, game=match.game, why=str(dropped.why))
    else:
        log.error("match abandoned", match=match_id, game=match.game, why=str(dropped.why), failure=match.failure)
    publish_now(MatchDropped(match.game, dropped.why, as_written(dropped.failure)))
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
def do_store_replay(match_id: int, seat: int, face_up: bool, **fields: object) -> None:
    """Store the replay of a match that has ended for one audience: see ``stored_replay.py``."""
    StoredReplay.objects.update_or_create(match_id=match_id, seat=seat, face_up=face_up, defaults=fields)


def _storable(text: str) -> str:
    """Return the message of any exception of rules in a form that every database can store."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\0")
