"""Seeks: a person would like to play a game with so many people, and meets others who would, too.

A seek is a public table whose first match starts by itself: see ``do_start_seeks`` in ``table/services/beginnings.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import TableChanged, publish
from cardsite.lobby.games import check_options, check_seconds, is_correspondence
from cardsite.lobby.models import Seat, Seek, Table
from cardsite.lobby.services.lifecycle import do_create_table
from cardsite.lobby.services.permissions import lock
from cardsite.lobby.services.presence import do_pass_host
from cardsite.lobby.services.seating import do_remove_seats, do_sit, do_vacate
from cardsite.people.models import Person
from cardsite.refusal import Refused
from games.core import Game

FEWEST = 2  # people who seek: with fewer, nobody needs to be sought
TRIED = 20  # seeks of others, the oldest first
PAUSE = timedelta(seconds=20)  # before a match with free seats starts: somebody else may take one
LONG_PAUSE = timedelta(minutes=10)  # the same, where the clock has hours or days


@transaction.atomic
def do_seek(person: Person, game: Game, least: int, most: int, *, bots: bool, seconds: int) -> Table:
    """Seat a person with others who seek the same, or else at a new public table. Return the table. Raises Refused.

    ``least`` and ``most``: with how many people they would like to play, themselves included. ``bots``: bots may take
    further seats. The game has its default options.
    """
    least, most = _people(game, least, most, bots=bots)
    check_seconds(seconds)
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks finds the table of the first
    same = Seek.objects.filter(
        bots=bots, table__game=game.name, table__seconds=seconds, table__options=check_options(game, {})
    )
    same = same.filter(table__status=Table.Status.OPEN, table__public=True)
    mine = same.filter(table__seats__person=person).select_related("table").first()
    if mine:
        return mine.table
    for code in same.order_by("pk").values_list("table__code", flat=True)[:TRIED]:
        try:
            with transaction.atomic():
                return do_join_seek(code, person, game, least, most)
        except Refused:
            continue  # this table does not fit
    spare = [game.house_bot] * max(0, game.min_seats - most)
    table = do_create_table(person, game, ["me", *["open"] * (most - 1), *spare], seconds=seconds)
    Seek.objects.create(table=table, people=least, bots=bots)
    return table


def _people(game: Game, least: int, most: int, *, bots: bool) -> tuple[int, int]:
    """Return the least and most people in a range with whom a game can be played. Raises Refused if there are none."""
    if game.max_seats < FEWEST:
        raise Refused("bad_option", _("%(game)s is a game for one player.") % {"game": game.title})
    fewest = FEWEST if bots else max(FEWEST, game.min_seats)
    fits = range(max(least, fewest), min(most, game.max_seats) + 1)
    if not fits:
        counts = {"game": game.title, "least": fewest, "most": game.max_seats}
        if fewest == game.max_seats:
            raise Refused("bad_option", _("%(game)s needs %(most)d people. Choose that number.") % counts)
        raise Refused(
            "bad_option", _("%(game)s needs %(least)d to %(most)d people. Choose a number in that range.") % counts
        )
    return fits[0], fits[-1]


def do_join_seek(code: str, person: Person, game: Game, least: int, most: int) -> Table:
    """Seat a person at the table of a seek, whose numbers of people are narrowed to theirs. Raises Refused."""
    table = lock(code)
    seek = table.pending_seek
    if seek is None:  # its match has begun since the seeks were listed
        raise Refused("playing", _("A match is in progress. Wait until it ends."))
    free = list(Seat.objects.filter(table=table, person=None, bot=""))
    taken = Seat.objects.filter(table=table).exclude(person=None).count()  # also by a person who may come back
    room = min(most, taken + len(free))
    seek.people = max(seek.people, least)
    if not _present(table) or seek.people > room or taken >= room:
        raise Refused("taken", _("That seat is taken. Choose another, or watch."))
    seek.save(update_fields=["people"])
    do_give_up_seats(table, game, free[room - taken :], bots=seek.bots)
    do_sit(code, person)
    return table


def do_give_up_seats(table: Table, game: Game, free: Sequence[Seat], *, bots: bool) -> None:
    """Remove some free seats of a locked table. Those that the game needs get ``bots``, or stay free."""
    kept = max(0, game.min_seats - Seat.objects.filter(table=table).count() + len(free))
    do_remove_seats(table, free[kept:])
    if bots:
        Seat.objects.filter(pk__in=[seat.pk for seat in free[:kept]]).update(bot=game.house_bot)


def _present(table: Table) -> list[Seat]:
    """Return the seats of the people who wait at a table. With a clock of minutes, only those who are there count."""
    seats = Seat.objects.filter(table=table).exclude(person=None)
    return [seat for seat in seats if seat.here or is_correspondence(table.seconds)]


def do_plan_start(table: Table, game: Game) -> bool:
    """Return whether the first match of a locked table starts now by itself, and prepare its seats for that.

    If enough people have come but seats are free, it starts after a pause; that is stored. People who are not there
    lose their seats.
    """
    seek = table.pending_seek
    if seek is None:
        return False
    present = _present(table)
    seats = list(Seat.objects.filter(table=table))
    full = len(present) == sum(not seat.bot for seat in seats)
    now = timezone.now()
    starts = None
    if len(present) >= seek.people:
        pause = LONG_PAUSE if is_correspondence(table.seconds) else PAUSE
        starts = now if full else seek.starts or now + pause
    if starts is None or starts > now:
        if starts != seek.starts:
            seek.starts = starts
            seek.save(update_fields=["starts"])
            publish(TableChanged(table.code))
        return False
    for seat in seats:
        if seat.person_id and seat not in present:
            gone = seat.person_id
            do_vacate(table, seat)
            if table.host_id == gone:
                do_pass_host(table)
    if not seek.bots:
        do_give_up_seats(table, game, list(Seat.objects.filter(table=table, person=None, bot="")), bots=False)
    seek.delete()
    return True
