"""What people do around a table, and what the house does with tables.

The ``do_...`` functions are the only writers of tables and seats. Each runs in a transaction, raises Refused when it
may not be, and tells of the change after the commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.dispatch import receiver
from django.utils import timezone

from cardsite.lobby.games import find_game
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.signals import table_changed
from cardsite.people.models import Person
from cardsite.people.signals import guest_adopted, person_changed
from cardsite.refusal import Refused
from games.core import BadOption, Game
from games.core.options import OptionValue

SECONDS = (15, 30, 60, 120, 300, 900)
BOT_NAMES = ("Aagje", "Bram", "Cato", "Dirk", "Elsje", "Floris", "Griet", "Hendrik")
MAX_TABLES = 10  # that one person has opened and that are not closed, whoever hosts them by now
FORSAKEN = timedelta(hours=2)  # after how long without any change a table where nobody is and nothing goes on is closed
TABLES_AT_ONCE = 200  # whose people are noted as still here in one write


def game_of(table: Table) -> Game:
    """Return the game a table plays. Raises Refused when it is not in the house any more."""
    return find_game(table.game)


def house_bot(game: str) -> str:
    """Return the kind of bot that stands in for people who are away, "" where the game is gone."""
    try:
        return find_game(game).bots[0].name
    except Refused:
        return ""


def seat_name(seat: Seat) -> str:
    """Return how a seat's player is called at the table, "" for an open seat."""
    if seat.person:
        return seat.person.name
    return BOT_NAMES[seat.index % len(BOT_NAMES)] if seat.bot else ""


def tell(table: Table) -> None:
    """Tell of a change to a table once it is committed."""
    transaction.on_commit(lambda: table_changed.send(Table, code=table.code))


@receiver(person_changed)
def _tell_tables_of(sender: object, person: Person, **_: object) -> None:
    for table in Table.objects.filter(seats__person=person).exclude(status=Table.Status.CLOSED):
        tell(table)


def lock(code: str) -> Table:
    """Return the table with its row locked until the transaction ends. Raises Refused."""
    table = Table.objects.select_for_update().filter(code=code).first()
    if table is None or table.status == Table.Status.CLOSED:
        raise Refused("no_table", "This table is gone. Find another one on the front page.")
    return table


def require_host(table: Table, person: Person) -> None:
    """Raise Refused unless ``person`` is the host; where there is none, whoever opened the table."""
    if (table.host_id or table.opened_by_id) != person.pk:
        raise Refused("not_host", "Only the host can do that.")


def require_pause(table: Table) -> None:
    """Raise Refused while a match is being played."""
    if table.status == Table.Status.PLAYING:
        raise Refused("playing", "A match is being played. Wait for its end.")


def require_good_standing(person: Person) -> None:
    """Raise Refused for somebody whom an administrator has blocked."""
    if person.blocked:
        raise Refused("blocked", "You may watch, but not sit down or talk. Ask the administrator.")


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
    house: bool = False,
) -> Table:
    """Make a table. ``seats`` says for each seat "open", "me" (at most once) or a kind of bot. Raises Refused."""
    try:
        game.check_seats(len(seats))
        values = game.check_options(options or {})
        for kind in seats:
            if kind not in ("open", "me"):
                game.bot(kind)
    except BadOption as bad:
        raise Refused("bad_option", str(bad)) from bad
    if seats.count("me") > (host is not None):
        raise Refused("bad_option", "You can take one seat.")
    if seconds not in SECONDS:
        raise Refused("bad_option", f"Seconds for a decision: {', '.join(map(str, SECONDS))}.")
    if host:
        require_good_standing(host)
        Person.objects.select_for_update().get(pk=host.pk)  # two at once must not both be the tenth
        if Table.objects.filter(opened_by=host).exclude(status=Table.Status.CLOSED).count() >= MAX_TABLES:
            raise Refused("too_many_tables", "Ten tables that you opened are still there. Close one first.")
    open_options = {o.name: values[o.name] for o in game.options if o.set_by != "administrator"}
    table = Table.objects.create(
        game=game.name,
        options=open_options,
        public=public,
        sealed=sealed,
        house=house,
        seconds=seconds,
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


@transaction.atomic
def do_clear_solo_tables(host: Person) -> None:
    """Close the tables where a host sat alone among bots and nothing is being played: before the next such table.

    Those, too, that the host has left, and nobody else sits at.
    """
    tables = Table.objects.filter(status__in=(Table.Status.OPEN, Table.Status.OVER))
    tables = tables.filter(Q(host=host) | Q(host=None, opened_by=host))
    for table in tables.exclude(seats__in=Seat.objects.exclude(person=None).exclude(person=host)):
        if table.host_id is None or not Seat.objects.filter(table=table, person=None, bot="").exists():
            table.status = Table.Status.CLOSED
            table.save()
            tell(table)


@transaction.atomic
def do_sit(code: str, person: Person, index: int | None = None) -> Seat:
    """Sit a person down on an open seat (the first one when ``index`` is None). Raises Refused."""
    require_good_standing(person)
    table = lock(code)
    require_pause(table)
    if Seat.objects.filter(table=table, person=person).exists():
        raise Refused("seated", "You sit at this table already.")
    seats = Seat.objects.filter(table=table, person=None, bot="")
    seat = (seats if index is None else seats.filter(index=index)).first()
    if seat is None:
        raise Refused("taken", "That seat is taken. Choose another, or watch.")
    seat.person = person
    seat.away = False
    seat.wins = 0
    try:
        with transaction.atomic():
            seat.save(update_fields=["person", "away", "wins"])
    except IntegrityError:
        raise Refused("seated", "You sit at this table already.") from None
    if table.host_id is None and not table.house:
        table.host = person
    table.save()
    tell(table)
    return seat


@transaction.atomic
def do_stand(code: str, person: Person) -> None:
    """Give up a seat. In mid-match the house bot plays it to the end. Raises Refused."""
    table = lock(code)
    seat = Seat.objects.filter(table=table, person=person).first()
    if seat is None:
        raise Refused("not_seated", "You do not sit at this table.")
    do_vacate(table, seat)
    if table.host_id == person.pk:
        heir = Seat.objects.filter(table=table).exclude(person=None).first()
        table.host = heir.person if heir else None
    table.save()
    tell(table)


def do_vacate(table: Table, seat: Seat) -> None:
    """Take the person off a seat of a locked table. In mid-match the house bot sits down there."""
    seat.person = None
    seat.away = False
    seat.wins = 0
    if table.status == Table.Status.PLAYING:
        seat.bot = house_bot(table.game)
    seat.save(update_fields=["person", "bot", "away", "wins"])


@receiver(guest_adopted)
def do_leave_double_seats(sender: object, guest: Person, person: Person, **_: object) -> None:
    """Where a guest and the person that the guest turns out to be both sit at a table, the guest's seat is given up."""
    for seat in Seat.objects.filter(person=guest, table__seats__person=person).select_related("table"):
        table = Table.objects.select_for_update().get(pk=seat.table_id)
        do_vacate(table, seat)
        tell(table)


@transaction.atomic
def do_set_seat(code: str, person: Person, index: int, kind: str) -> None:
    """Host: make a seat without a person "open" or a bot of that kind. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    seat = Seat.objects.filter(table=table, index=index).first()
    if seat is None:
        raise Refused("no_seat", f"This table has no seat {index}.")
    if seat.person_id:
        raise Refused("taken", "A person sits there.")
    if kind != "open":
        try:
            game_of(table).bot(kind)
        except BadOption as bad:
            raise Refused("bad_option", str(bad)) from bad
    seat.bot = "" if kind == "open" else kind
    seat.wins = 0
    seat.save(update_fields=["bot", "wins"])
    table.save()
    tell(table)


@transaction.atomic
def do_fill(code: str, person: Person) -> None:
    """Host: put the house bot on every open seat. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    do_fill_open_seats(table)
    table.save()
    tell(table)


def do_fill_open_seats(table: Table) -> None:
    """Put the house bot on every open seat of a locked table. Raises Refused when its game is gone."""
    bot = game_of(table).bots[0].name
    Seat.objects.filter(table=table, person=None, bot="").update(bot=bot, wins=0)


@transaction.atomic
def do_close(code: str, person: Person) -> None:
    """Host: close the table for good. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    table.status = Table.Status.CLOSED
    table.save()
    tell(table)


# -- a match begins and ends


def do_begin_playing(table: Table) -> None:
    """Note that a match is played at a locked table from now on."""
    table.status = Table.Status.PLAYING
    table.save()
    tell(table)


def do_end_playing(table_id: int, winners: Iterable[int] = (), share: float = 0) -> None:
    """Note that a table is between matches, and that ``winners`` have won ``share`` of the last one each."""
    Table.objects.filter(pk=table_id).update(status=Table.Status.OVER, touched=timezone.now())
    Seat.objects.filter(table=table_id, index__in=list(winners)).update(wins=F("wins") + share)


# -- who is here


def do_note_here(code: str, person: int) -> None:
    """Note that somebody who sits at a table has come."""
    Seat.objects.filter(table__code=code, person=person).update(seen=timezone.now())


def do_note_gone(code: str, person: int) -> None:
    """Note that somebody who sits at a table has left."""
    Seat.objects.filter(table__code=code, person=person).update(seen=None)


def do_note_still_here(persons: Mapping[str, set[int]]) -> None:
    """Note who still sits at which table, for many tables at once: each write alone would be a flush to the disk."""
    codes = list(persons)
    for first in range(0, len(codes), TABLES_AT_ONCE):
        taken = Seat.objects.filter(table__code__in=codes[first : first + TABLES_AT_ONCE]).exclude(person=None)
        rows = taken.values_list("pk", "table__code", "person")
        here = [pk for pk, code, person in rows if person in persons[code]]
        Seat.objects.filter(pk__in=here).update(seen=timezone.now())


@transaction.atomic
def do_set_away(code: str, index: int, away: bool) -> None:
    """Note that a bot stands in for a person, or that the person is back."""
    table = Table.objects.get(code=code)
    if Seat.objects.filter(table=table, index=index, away=not away).exclude(person=None).update(away=away):
        tell(table)


# -- the house and its administrators


@transaction.atomic
def do_close_idle(tables: Iterable[int]) -> int:
    """Close those of some tables where nothing is being played. Return how many."""
    busy = (Table.Status.PLAYING, Table.Status.CLOSED)
    idle = list(Table.objects.select_for_update().filter(pk__in=list(tables)).exclude(status__in=busy))
    Table.objects.filter(pk__in=[table.pk for table in idle]).update(status=Table.Status.CLOSED)
    for table in idle:
        tell(table)
    return len(idle)


def do_close_forsaken() -> None:
    """Close the tables where nobody is and nothing has gone on for long."""
    now = timezone.now()
    waiting = Table.objects.filter(status__in=(Table.Status.OPEN, Table.Status.OVER), house=False)
    forsaken = waiting.filter(touched__lt=now - FORSAKEN).exclude(seats__seen__gt=now - HERE)
    do_close_idle(forsaken.values_list("pk", flat=True)[:100])


def do_change_table(table: Table, changed: Iterable[str]) -> None:
    """Store what an administrator has set at a table: the names of the fields. Nobody there is told."""
    table.save(update_fields=list(changed))


def do_remove_tables(tables: Iterable[int]) -> None:
    """Remove tables, with all that was played and said there."""
    Table.objects.filter(pk__in=list(tables)).delete()
