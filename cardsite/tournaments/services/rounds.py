"""The rounds of tournaments: their tables, their results, and the next round. No organizer has to do anything.

The scheduler of each process calls ``do_run_tournaments`` in each of its rounds. A step locks the tournament and then
reads it, so only one of several processes takes the step.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from cardsite.circles.models import Member
from cardsite.database import DATABASE_UNAVAILABLE
from cardsite.lobby.games import find_game, title_of
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle, presence
from cardsite.people.names import bot_names
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notification, send
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.occupants import places_of
from cardsite.table.services.matches import do_start_match
from cardsite.tournaments.models import Entrant, Pairing, Result, Tournament
from cardsite.tournaments.pairing import (
    Contender,
    RoundDraw,
    larger_tables,
    meetings,
    robin_round,
    swiss_pairs,
)
from games.core import Game

WAIT = timedelta(seconds=60)  # for people, before the match at a table starts without them
PAUSE = timedelta(seconds=30)  # between two rounds
AT_ONCE = 16  # matches of a tournament that one call starts or ends: the scheduler has other work, too
MISSED = 2  # rounds in a row without a decision, after which a person is withdrawn
STALE = timedelta(days=14)  # after which a tournament that has not started is cancelled
ENDED = (Pairing.Status.OVER, Pairing.Status.DROPPED)
log = structlog.get_logger(__name__)


def do_run_tournaments() -> None:
    """Bring all tournaments up to date: start matches, store results, begin and end rounds, cancel stale ones."""
    stale = Q(status=Tournament.Status.OPEN, created__lt=timezone.now() - STALE)
    waiting = Tournament.objects.filter(Q(status=Tournament.Status.RUNNING) | stale).order_by("pk")
    for number, status in list(waiting.values_list("pk", "status")):
        try:
            if status == Tournament.Status.RUNNING:
                do_run_tournament(number)
            else:
                do_cancel_stale(number)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception:  # of one tournament: the others go on
            log.exception("tournament failed to advance", tournament=number)


def do_run_tournament(tournament_id: int) -> None:
    """Bring one running tournament up to date.

    Each transaction is short, because on SQLite the moves at all tables wait for it.
    """
    now = timezone.now()
    unfinished = list(_with_matches(Pairing.objects.filter(tournament=tournament_id).exclude(status__in=ENDED)))
    due = [pairing for pairing in unfinished if _is_due(pairing, now)][:AT_ONCE]
    for pairing in due:
        do_run_pairing(pairing.pk)
    if len(due) < len(unfinished) or Tournament.objects.filter(pk=tournament_id, next_round__gt=now).exists():
        return  # the round goes on, or the pause after it
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).filter(pk=tournament_id).first()
        if tournament and tournament.status == Tournament.Status.RUNNING:
            do_end_round(tournament)


def _with_matches(pairings: QuerySet[Pairing]) -> QuerySet[Pairing]:
    """Return pairings with their tables, and the last match there as ``match_id`` and ``match_status``."""
    last = Match.objects.filter(table=OuterRef("table")).order_by("-number")
    return (
        pairings.select_related("table")
        .prefetch_related("table__seats")
        .annotate(match_id=Subquery(last.values("pk")[:1]), match_status=Subquery(last.values("status")[:1]))
    )


def _is_due(pairing: Pairing, now: datetime) -> bool:
    """Return whether a pairing has a step to take: to start its match, or to store that it has started or ended."""
    status = pairing.match_status  # type: ignore[attr-defined]
    if status is None and pairing.table and pairing.table.status == Table.Status.OPEN:
        return pairing.made <= now - WAIT or all(seat.here for seat in pairing.table.seats.all())
    return status != Match.Status.RUNNING or pairing.status == Pairing.Status.WAITING


def do_run_pairing(pairing_id: int) -> None:
    """Start the match of a pairing, or store that it has started or ended. A match that cannot start is dropped."""
    try:
        with transaction.atomic():
            do_advance_pairing(pairing_id)
    except Refused as refusal:  # the game is gone or was stopped, or the table was closed just now
        log.info("a match of a tournament did not start", pairing=pairing_id, why=refusal.text)
        if refusal.code != "playing":  # another process has started it
            do_drop_pairing(pairing_id)


def do_advance_pairing(pairing_id: int) -> None:
    """Do the work of ``do_run_pairing`` in a transaction. Raises Refused."""
    tournament = Tournament.objects.select_for_update(of=("self",)).filter(pairings=pairing_id).first()
    if tournament is None or tournament.status != Tournament.Status.RUNNING:
        return
    # Read after the lock: another process may have taken this step.
    pairing = _with_matches(Pairing.objects.filter(pk=pairing_id)).get()
    table, status = pairing.table, pairing.match_status  # type: ignore[attr-defined]
    if pairing.status in ENDED:
        return
    if status is None and table and table.status == Table.Status.OPEN:
        for seat in table.seats.all():
            if not seat.here:  # the house plays for them until they come
                presence.do_set_away(table.code, seat.index, True)
        do_start_match(table.code, None)
        pairing.status = Pairing.Status.PLAYING
    elif status == Match.Status.RUNNING:
        pairing.status = Pairing.Status.PLAYING
    elif status == Match.Status.OVER:
        do_note_results(pairing, list(Player.objects.filter(match=pairing.match_id)))  # type: ignore[attr-defined]
        pairing.status = Pairing.Status.OVER
    else:  # the match was dropped, or removed with or without its table
        pairing.status = Pairing.Status.DROPPED
    pairing.save(update_fields=["status"])


@transaction.atomic
def do_drop_pairing(pairing_id: int) -> None:
    """Store that the match of a pairing cannot be played. It gives nobody points."""
    Tournament.objects.select_for_update(of=("self",)).filter(pairings=pairing_id).first()  # locked, as for its start
    waiting = Pairing.objects.filter(pk=pairing_id, table__matches=None).exclude(status__in=ENDED)
    waiting.update(status=Pairing.Status.DROPPED)


def do_note_results(pairing: Pairing, players: Sequence[Player]) -> None:
    """Store the results of an ended match: 1 point for the first, 0 for the last, the others evenly between.

    Entrants who share a place share its points. A person for whom a bot made most decisions gets none. One without any
    decision in ``MISSED`` matches in a row is withdrawn.
    """
    places = places_of(players)
    results = {result.seat: result for result in pairing.results.select_related("entrant")}
    for player, place in zip(players, places, strict=True):
        if result := results.get(player.seat):
            result.place = place
            result.missing = not result.entrant.bot and (bool(player.bot) or not player.counts)
            result.absent = result.missing and not (player.person_id and player.own_decisions)
            result.points = 0.0 if result.missing else points_of(place, places)
            result.save(update_fields=["place", "missing", "absent", "points"])
            if result.absent:
                do_withdraw_absent(pairing.tournament, result.entrant)


def do_withdraw_absent(tournament: Tournament, entrant: Entrant) -> None:
    """Withdraw a person who made no decision in their last ``MISSED`` matches, unless the last round has begun.

    They can join again.
    """
    since = entrant.results.filter(pairing__bye=False, pairing__round__gte=entrant.joined_round, points__isnull=False)
    last = list(since.order_by("-pairing__round").values_list("absent", flat=True)[:MISSED])
    if len(last) == MISSED and all(last) and tournament.round < (tournament.rounds or 0) and not entrant.withdrawn:
        entrant.withdrawn = entrant.absent = True
        entrant.save(update_fields=["withdrawn", "absent"])


def points_of(place: int, places: Sequence[int]) -> float:
    """Return the points for a place among the places of everybody at a table."""
    if len(places) < 2:
        return 1.0
    better, equal = sum(other < place for other in places), places.count(place)
    return (len(places) - 1 - better - (equal - 1) / 2) / (len(places) - 1)


def do_end_round(tournament: Tournament) -> None:
    """If all matches of the round of a locked tournament have ended: end it, or begin the next round after a pause."""
    if tournament.pairings.filter(round=tournament.round).exclude(status__in=ENDED).exists():
        return
    now = timezone.now()
    if tournament.round >= (tournament.rounds or 0):
        do_end(tournament, Tournament.Status.OVER)
    elif tournament.next_round is None:
        tournament.next_round = now + PAUSE
        tournament.save(update_fields=["next_round"])
    elif tournament.next_round <= now:
        try:
            with transaction.atomic():
                do_begin_round(tournament)
        except Refused as refusal:  # the game is gone, or has other bots than at the start
            log.warning("a tournament cannot go on", tournament=tournament.pk, why=refusal.text)
            tournament.refresh_from_db()
            do_end(tournament, Tournament.Status.OVER)


def do_begin_round(tournament: Tournament) -> None:
    """Draw the next round of a locked tournament, and make its tables. It ends if too few still play."""
    do_withdraw_former_members(tournament)
    finished = tables_of(tournament)
    entrants = list(tournament.entrants.select_related("person"))
    draw = _draw(tournament, entrants)
    playing = [entrant for entrant in entrants if entrant.active]
    # In a round robin of two at a table, those who withdrew may have been the only opponents of this round.
    too_few = not draw.tables and (len(playing) < 2 or not _in_pairs(tournament))
    if too_few or not any(entrant.person_id for entrant in playing):
        do_end(tournament, Tournament.Status.OVER)
        return
    tournament.round += 1
    tournament.next_round = None
    tournament.save()
    lifecycle.do_close_idle(finished)  # of earlier rounds
    game = find_game(tournament.game)
    by_number = {entrant.pk: entrant for entrant in entrants}
    for number, drawn in enumerate(draw.tables, 1):
        do_make_table(tournament, game, number, [by_number[one] for one in drawn])
    for number, one in enumerate(draw.byes, len(draw.tables) + 1):
        pairing = Pairing.objects.create(
            tournament=tournament, round=tournament.round, number=number, bye=True, status=Pairing.Status.OVER
        )
        Result.objects.create(pairing=pairing, entrant=by_number[one], seat=0, points=1.0)


def do_make_table(tournament: Tournament, game: Game, number: int, entrants: Sequence[Entrant]) -> None:
    """Make a table of the round, seat its entrants, and notify the people among them."""
    bots = [entrant.bot or "open" for entrant in entrants]
    table = lifecycle.do_create_table(
        None, game, bots, public=tournament.circle_id is None, seconds=tournament.seconds, tournament=True
    )
    taken = {entrant.name for entrant in entrants}
    spare = (name for name in bot_names() if name not in taken)
    for index, entrant in enumerate(entrants):
        # A bot that takes over from a person has a name that no other bot has at this table.
        called = entrant.name if entrant.bot else next(spare)
        Seat.objects.filter(table=table, index=index).update(person=entrant.person, called=called)
    pairing = Pairing.objects.create(tournament=tournament, round=tournament.round, number=number, table=table)
    Result.objects.bulk_create(
        Result(pairing=pairing, entrant=entrant, seat=seat) for seat, entrant in enumerate(entrants)
    )
    title = format_lazy(gettext_lazy("Round {n} begins"), n=tournament.round)
    path = reverse("table:page", args=[table.code])
    body = f"{tournament.name} · {title_of(tournament.game)}"
    notification = Notification(NotificationKind.TOURNAMENT, title, body, path, by=0)
    people = [entrant.person_id for entrant in entrants if entrant.person_id]
    transaction.on_commit(partial(send, people, notification), robust=True)


def _in_pairs(tournament: Tournament) -> bool:
    """Return whether it is a round robin of two at a table, whose rounds are known from the start."""
    return tournament.system == Tournament.System.ROBIN and tournament.table_size == 2


def _draw(tournament: Tournament, entrants: Sequence[Entrant]) -> RoundDraw:
    """Return the draw of the next round. The same standings always give the same draw."""
    following = tournament.round + 1
    chance = random.Random(f"{tournament.code} {following}")
    playing = {entrant.pk for entrant in entrants if entrant.active and entrant.joined_round <= following}
    if len(playing) < 2:
        return RoundDraw([], sorted(playing))
    robin = tournament.system == Tournament.System.ROBIN
    size = tournament.table_size
    if _in_pairs(tournament):
        # The order of the first round holds for all rounds. Entrants who were removed before it are not in it.
        first = Result.objects.filter(pairing__tournament=tournament, pairing__round=1)
        drawn = set(first.values_list("entrant", flat=True)) or playing
        order = [entrant.pk for entrant in entrants if entrant.pk in drawn]
        random.Random(tournament.code).shuffle(order)
        return _without(robin_round(order, following), playing)
    points, byes, tables = _so_far(tournament)
    contenders = [Contender(one, points[one], byes[one]) for one in sorted(playing)]
    met = meetings(tables)
    if size == 2:
        return swiss_pairs(contenders, met, chance)
    least = find_game(tournament.game).min_seats
    return larger_tables(contenders, met, size, least, chance, by_points=not robin)


def _without(draw: RoundDraw, playing: set[int]) -> RoundDraw:
    """Return a draw without the entrants who no longer play: their opponents have a bye."""
    alone = [one for table in draw.tables if not playing.issuperset(table) for one in table if one in playing]
    return RoundDraw(
        [table for table in draw.tables if playing.issuperset(table)],
        [*(one for one in draw.byes if one in playing), *alone],
    )


def _so_far(tournament: Tournament) -> tuple[defaultdict[int, float], Counter[int], list[list[int]]]:
    """Return the points and the number of byes of each entrant, and the entrants of each table so far."""
    points: defaultdict[int, float] = defaultdict(float)
    byes: Counter[int] = Counter()
    tables: dict[int, list[int]] = {}
    rows = Result.objects.filter(pairing__tournament=tournament)
    for pairing, bye, entrant, got in rows.values_list("pairing", "pairing__bye", "entrant", "points"):
        points[entrant] += got or 0
        byes[entrant] += bye
        tables.setdefault(pairing, []).append(entrant)
    return points, byes, list(tables.values())


def tables_of(tournament: Tournament) -> list[int]:
    """Return the numbers of the tables of a tournament so far."""
    return list(Table.objects.filter(pairing__tournament=tournament).values_list("pk", flat=True))


def do_end(tournament: Tournament, status: str) -> None:
    """Store that a locked tournament is over or cancelled."""
    tournament.status, tournament.next_round, tournament.ended = status, None, timezone.now()
    tournament.save()


@transaction.atomic
def do_cancel_stale(tournament_id: int) -> None:
    """Cancel a tournament that has not started for a long time."""
    tournament = Tournament.objects.select_for_update(of=("self",)).filter(pk=tournament_id).first()
    if tournament and tournament.status == Tournament.Status.OPEN:
        do_end(tournament, Tournament.Status.CANCELLED)


def do_withdraw_former_members(tournament: Tournament) -> None:
    """Withdraw people who are no longer members of a tournament's circle."""
    if tournament.circle_id is not None:
        members = Member.objects.filter(circle=tournament.circle_id).values("person")
        gone = tournament.entrants.exclude(person=None).exclude(person__in=members)
        gone.update(withdrawn=True)
