"""The life of a table: created, playing, between matches, closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import TableChanged, publish
from cardsite.lobby.games import CORRESPONDENCE, check_delay, check_options, check_seats, check_seconds, require_bot
from cardsite.lobby.models import HERE, PersonInvitation, Seat, SeatRequest, Seek, Table
from cardsite.lobby.services.permissions import lock, require_no_running_match, require_seat
from cardsite.people.models import Person
from cardsite.people.restrictions import require_may_play
from cardsite.prepared import NO_NUMBER, PreparedUpdate
from cardsite.refusal import Refused
from games.core import Game
from games.core.options import OptionValue
from games.core.story import Story

MAX_TABLES = 10  # open tables that one person created, even if others host them now
ABANDONED = timedelta(hours=2)  # after which an empty table without a match or a change is closed
ABANDONED_LATER = timedelta(days=14)  # the same, of a table with a clock of hours or days that waits for players
TOGETHER = 2  # people: so many at least must agree to end a match
KEPT_SOLO = 3  # unfinished matches alone with bots that a person may leave; bots end older ones
PLAYING = PreparedUpdate(lambda table: Table.objects.filter(pk=table), NO_NUMBER, "status", "fresh", "touched")
BETWEEN = PreparedUpdate(lambda table: Table.objects.filter(pk=table), NO_NUMBER, "status", "touched")


@transaction.atomic
def do_create_table(
    host: Person | None,
    game: Game,
    seats: list[str],
    *,
    options: Mapping[str, OptionValue] | None = None,
    public: bool = True,
    sealed: bool = True,
    seconds: int = 60,
    time_up: str = Table.TimeUp.BOT,
    spectator_delay: int = 0,
    house: bool = False,
    what_if: bool = False,
    tournament: bool = False,
) -> Table:
    """Create a table. ``seats`` has "open", "me" (at most once) or a kind of bot for each seat. Raises Refused."""
    check_seats(game, len(seats))
    values = check_options(game, options or {})
    for kind in seats:
        if kind not in ("open", "me"):
            require_bot(game, kind)
    if seats.count("me") > (host is not None):
        raise Refused("bad_option", _("You can take only one seat. Set the others to open or to a bot."))
    check_seconds(seconds)
    check_delay(spectator_delay)
    if host:
        require_may_play(host)
        Person.objects.select_for_update().get(pk=host.pk)  # two requests at once must not both create the last table
        if Table.objects.filter(opened_by=host).exclude(status=Table.Status.CLOSED).count() >= MAX_TABLES:
            text = _("You already have %(most)d open tables. Close one first.") % {"most": MAX_TABLES}
            raise Refused("too_many_tables", text)
    table = Table.objects.create(
        game=game.name,
        options=values,
        public=public,
        sealed=sealed,
        house=house,
        what_if=what_if,
        tournament=tournament,
        seconds=seconds,
        time_up=time_up,
        spectator_delay=spectator_delay,
        host=host,
        opened_by=host,
    )
    Seat.objects.bulk_create(
        Seat(
            table=table,
            index=index,
            person=host if kind == "me" else None,
            bot="" if kind in ("open", "me") else kind,
        )
        for index, kind in enumerate(seats)
    )
    return table


def do_set_up_story(table: Table, story: Story) -> None:
    """Set up a new table for a story: seat its characters. The deck is honest at first.

    If it is stacked later, that is revealed afterwards: no other person plays there.
    """
    table.story = table.reveal = True
    table.favourite, table.rig_way, table.rig_lasts = story.favourite, story.way, Table.RigLasts.ALWAYS
    table.story_wins = story.wins
    table.save()
    for index, name in enumerate(story.names):
        Seat.objects.filter(table=table, index=index).update(called=name)


@transaction.atomic
def do_clear_solo_tables(host: Person) -> None:
    """Close the tables where a host was alone with bots and no match is running: before the next such table.

    Also those that the host has left, if no other person sits there.
    """
    tables = Table.objects.filter(status__in=(Table.Status.OPEN, Table.Status.OVER))
    tables = tables.filter(Q(host=host) | Q(host=None, opened_by=host))
    for table in tables.exclude(seats__in=Seat.objects.exclude(person=None).exclude(person=host)):
        if table.host_id is None or not Seat.objects.filter(table=table, person=None, bot="").exists():
            do_close_table(table)


def do_close_table(table: Table) -> None:
    """Close a table without a running match, and remove its invitations and requests for a seat."""
    table.status = Table.Status.CLOSED
    table.save()
    do_forget_visitors([table])
    publish(TableChanged(table.code))


def do_forget_visitors(tables: Iterable[Table]) -> None:
    """Remove what is stored of people who asked for a seat at closed tables, were removed there, or invited."""
    for model in (PersonInvitation, SeatRequest):
        model.objects.filter(table__in=tables).delete()


def do_set_ready(table: Table, person: Person, ready: bool) -> None:
    """Store whether a person at a locked table is ready for the next match. Raises Refused."""
    if not Seat.objects.filter(table=table, person=person).update(ready=ready):
        raise Refused("not_seated", _("Sit down first."))
    publish(TableChanged(table.code))


def do_end_seek(code: str) -> None:
    """Leave the start of a table's first match to its host."""
    Seek.objects.filter(table__code=code).delete()


def do_set_ends(table: Table, person: Person, ends: bool) -> bool:
    """Store whether a person at a locked table agrees to end its match. Return whether all do for whom no bot decides.

    A person who does not agree takes back the agreement of everybody. Raises Refused.
    """
    people = Seat.objects.filter(table=table).exclude(person=None)
    require_seat(table, person)
    if people.count() < TOGETHER:
        raise Refused("bad_option", _("You play alone with bots. Stand up if you do not want to play on."))
    return do_store_wish(table, person, ends=ends) and people.filter(ends=True).count() >= TOGETHER


def do_store_wish(table: Table, person: Person, **wish: int) -> bool:
    """Store what a person at a locked table wants, or that nobody wants it any longer if it is 0.

    Return whether all want it for whom no bot decides.
    """
    people = Seat.objects.filter(table=table).exclude(person=None)
    wanted = any(wish.values())
    (people.filter(person=person) if wanted else people).update(**wish)
    publish(TableChanged(table.code))
    return wanted and not people.exclude(**wish).filter(away=False).exists()


def all_agree(table: Table, person: Person) -> bool:
    """Return whether the next match starts now that ``person`` is ready: all people at the table are ready.

    If a person has left, only the host can have bots take the open seats.
    """
    seats = Seat.objects.filter(table=table)
    if seats.exclude(person=None).filter(ready=False).exists():
        return False
    return table.host_id == person.pk or not seats.filter(person=None, bot="").exists()


def do_begin_playing(table: Table, seats: Iterable[Seat]) -> None:
    """Store that a match is running at a locked table, with these seats."""
    table.status, table.fresh, table.touched = Table.Status.PLAYING, False, timezone.now()
    PLAYING.rewrite(table.pk, table.status, table.fresh, table.touched)
    if noted := [seat.pk for seat in seats if seat.ready or seat.ends or seat.take_back or seat.to_act]:
        Seat.objects.filter(pk__in=noted).update(ready=False, ends=False, take_back=0, to_act=False, due=None)
    publish(TableChanged(table.code))


def do_use_rig(table: Table) -> None:
    """Store that a match of a locked table is stacked: a rig for one match is then switched off."""
    if table.rig_lasts == Table.RigLasts.ONCE:
        table.rigged = False
        Table.objects.filter(pk=table.pk).update(rigged=False)


def do_end_playing(table_id: int, winners: Mapping[int, int | None] | None = None, share: float = 0) -> None:
    """Store that a table is between matches, and that ``winners`` have won ``share`` of the last one.

    ``winners``: by seat, the person who has won it; None for a bot, which may have played for a person.
    """
    BETWEEN.rewrite(table_id, Table.Status.OVER, timezone.now())
    if not winners:
        return
    whose, held = Q(), Q()
    for seat, person in winners.items():
        whose |= Q(index=seat, person=person)
        held |= Q(index=seat, person=None, held_for=person) if person else Q(pk=None)
    if Seat.objects.filter(whose, table=table_id).update(wins=F("wins") + share) < len(winners):
        Seat.objects.filter(held, table=table_id).update(held_wins=F("held_wins") + share)


@transaction.atomic
def do_set_house_table(code: str, game: Game) -> None:
    """Set the game of the house table from the next match on, with the site's bots in all seats. Raises Refused."""
    table = lock(code)
    require_no_running_match(table)
    if table.game == game.name:
        return
    table.game, table.options, table.rigged = game.name, {}, False
    table.save()
    Seat.objects.filter(table=table).delete()
    bot = game.house_bot
    Seat.objects.bulk_create(Seat(table=table, index=index, bot=bot) for index in range(game.default_seats))
    publish(TableChanged(table.code))


@transaction.atomic
def do_close_idle(tables: Iterable[int]) -> int:
    """Close those of some tables without a running match. Return how many."""
    busy = (Table.Status.PLAYING, Table.Status.CLOSED)
    idle = list(Table.objects.select_for_update().filter(pk__in=list(tables)).exclude(status__in=busy))
    Table.objects.filter(pk__in=[table.pk for table in idle]).update(status=Table.Status.CLOSED)
    do_forget_visitors(idle)
    for table in idle:
        publish(TableChanged(table.code))
    return len(idle)


def do_close_abandoned() -> None:
    """Close the tables where nobody is and nothing has changed for a long time."""
    now = timezone.now()
    waiting = Table.objects.filter(status__in=(Table.Status.OPEN, Table.Status.OVER), house=False)
    patient = Q(status=Table.Status.OPEN, seconds__gte=CORRESPONDENCE[0], touched__gt=now - ABANDONED_LATER)
    abandoned = waiting.filter(touched__lt=now - ABANDONED).exclude(patient).exclude(seats__seen__gt=now - HERE)
    do_close_idle(abandoned.values_list("pk", flat=True)[:100])


def do_change_table(table: Table, changed: Iterable[str]) -> None:
    """Store the fields ``changed`` that an administrator has set. Publishes no event: see ``table/admin.py``."""
    table.save(update_fields=list(changed))


def do_remove_tables(tables: Iterable[int]) -> None:
    """Remove tables, with their matches and chat."""
    Table.objects.filter(pk__in=list(tables)).delete()
