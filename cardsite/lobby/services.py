"""Services for tables and seats: by people between matches, and by the site itself.

The ``do_...`` functions are the only writers of tables and seats. Each runs in a transaction, raises Refused when it
is not allowed, and publishes its changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import (
    GuestAdopted,
    PersonChanged,
    SeatsChanged,
    TableChanged,
    after_commit,
    happens,
    publish,
    within_transaction,
)
from cardsite.lobby.games import find_game
from cardsite.lobby.models import HERE, Seat, SeatRequest, Table
from cardsite.people.models import Person
from cardsite.people.names import BOT_NAMES, distinct_names
from cardsite.prepared import NO_CODE, NO_NUMBER, Prepared, PreparedUpdate
from cardsite.refusal import Refused
from games import catalogue
from games.core import BadOption, Game
from games.core.options import OptionValue
from games.core.story import Story

SECONDS = (15, 30, 60, 120, 300, 900)
NO_CLOCK = 0  # instead of seconds: the table waits for everybody
MAX_TABLES = 10  # open tables that one person created, even if others host them now
HOST_GONE = timedelta(minutes=2)  # after which an absent host is replaced by a person who is here
ABANDONED = timedelta(hours=2)  # after which an empty table without a match or a change is closed
KEPT_SOLO = 3  # unfinished matches alone with bots that a person may leave; bots end older ones
MAX_REMOVED = 100  # people whom the host of one table has removed
MAX_REQUESTS = 8  # unanswered requests for a seat at one table
TABLES_AT_ONCE = 200  # whose people are stored as still here in one write

# Frequent queries, run at every start and end of a match, and at every change of a table.
LOCKED_TABLE = Prepared(lambda code: Table.objects.select_for_update().filter(code=code), NO_CODE)
SEATS = Prepared(lambda table: Seat.objects.filter(table=table).select_related("person"), NO_NUMBER)
REQUESTS = Prepared(lambda table: SeatRequest.objects.filter(table=table), NO_NUMBER)
ASKING = Prepared(  # of people who wait for an answer, or have a seat from the next match on
    lambda table: SeatRequest.objects.filter(table=table, answer__in=("waits", "next")).select_related("person"),
    NO_NUMBER,
)
PLAYING = PreparedUpdate(lambda table: Table.objects.filter(pk=table), NO_NUMBER, "status", "fresh", "touched")
BETWEEN = PreparedUpdate(lambda table: Table.objects.filter(pk=table), NO_NUMBER, "status", "touched")


def game_of(table: Table) -> Game:
    """Return the game a table plays. Raises Refused when it no longer exists."""
    return find_game(table.game)


def require_bot(game: Game, kind: str) -> None:
    """Raise Refused for a kind of bot that the game does not have."""
    known = [bot.name for bot in catalogue.bots(game)]
    if kind not in known:
        raise Refused("bad_option", f"{game.title} has no bot {kind[:40]!r}. It has: {', '.join(known)}.")


def house_bot(game: str) -> str:
    """Return the kind of bot that stands in for people who are away, "" if the game is gone."""
    try:
        return find_game(game).bots[0].name
    except Refused:
        return ""


def clock_runs(seconds: int, people: int) -> bool:
    """Return whether a clock runs for decisions: it does not for a person alone with bots."""
    return seconds != NO_CLOCK and people > 1


def seat_name(seat: Seat) -> str:
    """Return the name of a seat's player at the table, "" for an open seat."""
    if seat.person:
        return seat.person.name
    return (seat.called or BOT_NAMES[seat.index % len(BOT_NAMES)]) if seat.bot else ""


def seat_names(seats: Iterable[Seat]) -> dict[int, str]:
    """Return the names of the players at a table, by seat. Equal names are made distinct."""
    seats = list(seats)
    people = distinct_names({seat.person.pk: seat.person.name for seat in seats if seat.person})
    return {seat.index: people[seat.person_id] if seat.person_id else seat_name(seat) for seat in seats}


@receiver(after_commit, sender=PersonChanged)
def _publish_tables_of(sender: object, event: PersonChanged, **_: object) -> None:
    for table in Table.objects.filter(seats__person=event.person).exclude(status=Table.Status.CLOSED):
        publish(TableChanged(table.code))


def lock(code: str) -> Table:
    """Return the table with its row locked until the transaction ends. Raises Refused."""
    table = LOCKED_TABLE.first(code)
    if table is None or table.status == Table.Status.CLOSED:
        raise Refused("no_table", _("This table no longer exists. Find another one on the front page."))
    return table


def require_host(table: Table, person: Person) -> None:
    """Raise Refused unless ``person`` is the host, or, if there is none, the person who created the table."""
    if (table.host_id or table.opened_by_id) != person.pk:
        raise Refused("not_host", _("Only the host can do that."))


def require_pause(table: Table) -> None:
    """Raise Refused while a match is being played."""
    if table.status == Table.Status.PLAYING:
        raise Refused("playing", _("A match is in progress. Wait until it ends."))


def require_own_game(table: Table) -> None:
    """Raise Refused if game and seats are those of a story, or of another match that the table continues."""
    if table.story:
        raise Refused("story", _("This table plays a story, so its seats and game cannot be changed."))
    if table.what_if:
        raise Refused(
            "what_if",
            _("This table continues another match, so its game and seats cannot be changed. Create another table."),
        )


def require_good_standing(person: Person) -> None:
    """Raise Refused for a person whom an administrator has blocked."""
    if person.blocked:
        raise Refused("blocked", _("You are blocked: you may watch, but not sit down or chat. Ask the administrator."))


def require_welcome(table: Table, person: Person) -> None:
    """Raise Refused for a person whom the host has removed from a locked table and not seated again since."""
    own = [seat_request for seat_request in REQUESTS.all(table.pk) if seat_request.person_id == person.pk]
    _require_not_barred(own)
    if any(seat_request.removed for seat_request in own):
        raise Refused("removed", _("The host has removed you from this table. Ask for a seat, or watch."))


def require_not_barred(table: Table, person: Person) -> None:
    """Raise Refused for a person whom the host has removed as a spectator."""
    _require_not_barred(one for one in REQUESTS.all(table.pk) if one.person_id == person.pk)


def _require_not_barred(own: Iterable[SeatRequest]) -> None:
    if any(seat_request.barred for seat_request in own):
        raise Refused("barred", _("The host has removed you from this table. Choose another table."))


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
    what_if: bool = False,
) -> Table:
    """Create a table. ``seats`` has "open", "me" (at most once) or a kind of bot for each seat. Raises Refused."""
    _check_seats(game, len(seats))
    values = _check_options(game, options or {})
    for kind in seats:
        if kind not in ("open", "me"):
            require_bot(game, kind)
    if seats.count("me") > (host is not None):
        raise Refused("bad_option", _("You can take only one seat. Set the others to open or to a bot."))
    _check_seconds(seconds)
    if host:
        require_good_standing(host)
        Person.objects.select_for_update().get(pk=host.pk)  # two requests at once must not both create the tenth table
        if Table.objects.filter(opened_by=host).exclude(status=Table.Status.CLOSED).count() >= MAX_TABLES:
            raise Refused("too_many_tables", _("You already have ten open tables. Close one first."))
    table = Table.objects.create(
        game=game.name,
        options=values,
        public=public,
        sealed=sealed,
        house=house,
        what_if=what_if,
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


def do_set_scene(table: Table, story: Story) -> None:
    """Set up a new table for a story: seat its characters, and rig the deck as the story says.

    The rig is revealed afterwards: no other person plays there.
    """
    table.story = table.rigged = table.reveal = True
    table.favourite, table.honest_games, table.rig_way = story.favourite, story.honest, story.way
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
            do_shut(table)


@transaction.atomic
def do_sit(code: str, person: Person, index: int | None = None) -> Seat:
    """Give a person an open seat (the first one if ``index`` is None). Raises Refused."""
    require_good_standing(person)
    table = lock(code)
    require_pause(table)
    if table.opened_by_id != person.pk:
        require_own_game(table)
    require_welcome(table, person)
    seats = SEATS.all(table.pk)
    if any(seat.person_id == person.pk for seat in seats):
        raise Refused("seated", _("You already sit at this table."))
    free = [seat for seat in seats if seat.kind == "open" and index in (None, seat.index)]
    if not free:
        raise Refused("taken", _("That seat is taken. Choose another, or watch."))
    do_seat(table, free[0], person)
    return free[0]


def do_seat(table: Table, seat: Seat, person: Person) -> None:
    """Give a person a seat of a locked table that is open or a bot's. Raises Refused."""
    back = seat.held_for_id == person.pk
    seat.person, seat.bot, seat.held_for = person, "", None
    seat.wins, seat.held_wins = seat.held_wins if back else 0, 0
    seat.away = seat.ready = False
    seat.seen = None  # it was that of the previous person; the relay stores presence
    try:
        with transaction.atomic():
            seat.save()
    except IntegrityError:
        raise Refused("seated", _("You already sit at this table.")) from None
    if any(other.held_for_id == person.pk for other in SEATS.all(table.pk)):
        Seat.objects.filter(table=table, held_for=person).update(held_for=None, held_wins=0)
    do_end_request(table, person.pk)
    if table.host_id is None and not table.house:
        table.host, table.host_seen = person, timezone.now()
    table.save()
    _seats_changed(table)


def _seats_changed(table: Table) -> None:
    """Publish that the occupants of a table have changed."""
    if table.status == Table.Status.PLAYING:
        happens(SeatsChanged(table.pk))
    publish(TableChanged(table.code))


@transaction.atomic
def do_stand(code: str, person: Person) -> None:
    """Give up a seat. During a match the house bot takes over, and the seat can be taken back. Raises Refused."""
    table = lock(code)
    seat = Seat.objects.filter(table=table, person=person).first()
    if seat is None:
        raise Refused("not_seated", _("You are not seated at this table."))
    wins = seat.wins
    do_vacate(table, seat)
    if seat.bot:
        seat.held_for, seat.held_wins = person, wins
        seat.save(update_fields=["held_for", "held_wins"])
    if table.host_id == person.pk:
        do_pass_host(table)
    table.save()
    _seats_changed(table)


@transaction.atomic
def do_return(code: str, person: Person) -> None:
    """Take back a seat that was given up during a match, while the bot has it. Raises Refused."""
    require_good_standing(person)
    table = lock(code)
    require_welcome(table, person)
    seat = Seat.objects.filter(table=table, held_for=person, person=None).exclude(bot="").first()
    if seat is None:
        raise Refused("taken", _("That seat is no longer reserved for you. Ask the host for a seat."))
    do_seat(table, seat, person)


def do_vacate(table: Table, seat: Seat) -> None:
    """Remove the person from a seat of a locked table. During a match the house bot takes over."""
    seat.person = None
    seat.away = seat.ready = False
    seat.wins = 0
    if table.status == Table.Status.PLAYING:
        seat.bot = house_bot(table.game)
    seat.save(update_fields=["person", "bot", "away", "ready", "wins"])


def do_pass_host(table: Table) -> None:
    """Make another person at a locked table its host, preferably one who is here; nobody if there is no person."""
    others = Seat.objects.filter(table=table).exclude(person=None).exclude(person=table.host_id)
    here = others.filter(seen__gt=timezone.now() - HERE).first()
    next_host = here or others.first()
    table.host = next_host.person if next_host else None
    table.host_seen = timezone.now()
    table.save(update_fields=["host", "host_seen"])
    publish(TableChanged(table.code))


def do_pass_hosts() -> None:
    """Replace hosts who have been absent for a while by a player who is here."""
    now = timezone.now()
    here = Seat.objects.filter(table=OuterRef("pk"), seen__gt=now - HERE).exclude(person=None)
    hostless = Table.objects.exclude(host=None).exclude(status=Table.Status.CLOSED)
    hostless = hostless.filter(Exists(here.exclude(person=OuterRef("host"))), host_seen__lt=now - HOST_GONE)
    for number in list(hostless.values_list("pk", flat=True)[:100]):
        with transaction.atomic():
            for table in hostless.select_for_update().filter(pk=number):  # if still absent
                do_pass_host(table)


@receiver(within_transaction, sender=GuestAdopted)
def do_leave_double_seats(sender: object, event: GuestAdopted, **_: object) -> None:
    """Give up the guest's seat where a guest and the account that the guest logs in to both sit at a table."""
    guest, person = event
    for seat in Seat.objects.filter(person=guest, table__seats__person=person).select_related("table"):
        table = Table.objects.select_for_update().get(pk=seat.table_id)
        do_vacate(table, seat)
        _seats_changed(table)
    for seat_request in SeatRequest.objects.filter(person=guest, table__seat_requests__person=person):
        # The person has a request of their own. Logging in does not undo that the host removed the guest.
        if seat_request.removed:
            barred = {"barred": True} if seat_request.barred else {}
            SeatRequest.objects.filter(table=seat_request.table_id, person=person).update(removed=True, **barred)
        seat_request.delete()
    both = (guest, person)
    seated = SeatRequest.objects.filter(person__in=both, table__seats__person__in=both)  # no longer requesting a seat
    seated.filter(removed=False).delete()
    seated.update(answer=SeatRequest.Answer.NONE)


@transaction.atomic
def do_set_seat(code: str, person: Person, index: int, kind: str) -> None:
    """Host: set a seat without a person to "open" or to a kind of bot. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    require_own_game(table)
    seat = _seat(table, index)
    if seat.person_id:
        raise Refused("taken", _("A person sits in that seat."))
    if kind != "open":
        require_bot(game_of(table), kind)
    seat.bot = "" if kind == "open" else kind
    seat.held_for = None
    seat.wins = seat.held_wins = 0
    seat.save(update_fields=["bot", "held_for", "wins", "held_wins"])
    table.save()
    publish(TableChanged(table.code))


@transaction.atomic
def do_fill(code: str, person: Person) -> None:
    """Host: put the house bot on every open seat. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    require_own_game(table)
    do_fill_open_seats(table)
    table.save()
    publish(TableChanged(table.code))


def do_fill_open_seats(table: Table) -> list[Seat]:
    """Put the house bot on every open seat of a locked table. Return all seats, with their people.

    Raises Refused if the game is gone.
    """
    bot = game_of(table).bots[0].name
    seats = SEATS.all(table.pk)
    if empty := [seat for seat in seats if seat.kind == "open"]:
        Seat.objects.filter(pk__in=[seat.pk for seat in empty]).update(bot=bot, wins=0)
        for seat in empty:
            seat.bot, seat.wins = bot, 0
    return seats


@transaction.atomic
def do_close(code: str, person: Person) -> None:
    """Host: close the table permanently. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    do_shut(table)


def do_shut(table: Table) -> None:
    """Close a table without a running match, and remove its requests for a seat."""
    table.status = Table.Status.CLOSED
    table.save()
    SeatRequest.objects.filter(table=table).delete()
    publish(TableChanged(table.code))


# -- changes by the host


@transaction.atomic
def do_make_host(code: str, person: Person, index: int) -> None:
    """Host: make the person in that seat the host. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    seat = _seat(table, index)
    if seat.person is None:
        raise Refused("bad_option", _("The host must be a person, and no person sits in that seat."))
    table.host, table.host_seen = seat.person, timezone.now()
    table.save()
    publish(TableChanged(table.code))


@transaction.atomic
def do_remove_from_table(code: str, person: Person, index: int) -> None:
    """Host: remove a person from their seat, at any time. The house bot takes over.

    They may watch and request a seat, but no longer sit down by themselves. Raises Refused.
    """
    table = lock(code)
    require_host(table, person)
    seat = _seat(table, index)
    if seat.person is None or seat.person_id == person.pk:
        raise Refused("bad_option", _("No other person sits in that seat, so nobody was removed."))
    gone = {"answer": SeatRequest.Answer.NONE, "removed": True}
    SeatRequest.objects.update_or_create(table=table, person=seat.person, defaults=gone)
    do_vacate(table, seat)
    seat.bot = house_bot(table.game)
    seat.save(update_fields=["bot"])
    table.save()
    _seats_changed(table)


@transaction.atomic
def do_remove_spectator(code: str, person: Person, spectator: int) -> None:
    """Host: remove a person without a seat: they may no longer open the table. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    watching = Person.objects.filter(pk=spectator).exclude(pk=person.pk)
    if not watching.exclude(seats__table=table).exists():
        raise Refused("bad_option", _("No spectator of this table has that number, so nobody was removed."))
    if SeatRequest.objects.filter(table=table, barred=True).count() >= MAX_REMOVED:
        raise Refused("wait", _("You have removed too many people. Close this table and create another one."))
    gone = {"answer": SeatRequest.Answer.NONE, "removed": True, "barred": True}
    SeatRequest.objects.update_or_create(table=table, person_id=spectator, defaults=gone)
    Seat.objects.filter(table=table, held_for=spectator).update(held_for=None, held_wins=0)
    publish(TableChanged(table.code))


@transaction.atomic
def do_add_seat(code: str, person: Person) -> None:
    """Host: add an open seat. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    require_own_game(table)
    do_add_seats(table, game_of(table), 1)
    do_restart_series(table)


@transaction.atomic
def do_remove_seat(code: str, person: Person, index: int) -> None:
    """Host: remove a seat without a person. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    require_own_game(table)
    seat = _seat(table, index)
    if seat.person_id:
        raise Refused("taken", _("A person sits in that seat."))
    _check_seats(game_of(table), Seat.objects.filter(table=table).count() - 1)
    do_remove_seats(table, [seat])
    do_restart_series(table)


@transaction.atomic
def do_change_game(
    code: str,
    person: Person,
    game: Game,
    options: Mapping[str, OptionValue],
    seconds: int,
    *,
    sealed: bool | None = None,
) -> None:
    """Host: change the game of the table, its options, its clock, or whether its deals are sealed. Raises Refused.

    Open seats are added, and seats without a person removed, until their number fits the game. Bots of a kind that the
    new game does not have are replaced by the house bot.
    """
    table = lock(code)
    require_host(table, person)
    require_pause(table)
    require_own_game(table)
    table.options = _check_options(game, options)
    _check_seconds(seconds)
    table.seconds = seconds
    if sealed is not None and sealed != table.sealed:
        table.sealed = sealed
        if sealed:
            table.rigged = False  # a sealed table promises a fair deal
    if table.game != game.name:
        seats = list(Seat.objects.filter(table=table))
        people = sum(seat.person_id is not None for seat in seats)
        if people > game.max_seats:
            counts = {"game": game.title, "n": game.max_seats, "people": people}
            raise Refused(
                "bad_option",
                _("%(game)s has at most %(n)d seats, but %(people)d people sit at this table. Choose another game.")
                % counts,
            )
        table.game, table.rigged = game.name, False
        if len(seats) < game.min_seats:
            do_add_seats(table, game, game.min_seats - len(seats))
        spare = sorted((seat for seat in seats if not seat.person_id), key=lambda seat: (not seat.bot, seat.index))
        do_remove_seats(table, spare[::-1][: max(0, len(seats) - game.max_seats)])
        known = [bot.name for bot in catalogue.bots(game)]
        Seat.objects.filter(table=table).exclude(bot="").exclude(bot__in=known).update(bot=game.bots[0].name)
        do_restart_series(table)
    table.save()
    publish(TableChanged(table.code))


@transaction.atomic
def do_share_chat(code: str, person: Person, together: bool) -> None:
    """Host: let players and spectators share a chat room, or have separate ones. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    table.together = together
    table.save()
    publish(TableChanged(table.code))


def do_add_seats(table: Table, game: Game, more: int) -> None:
    """Add open seats to a locked table. Raises Refused."""
    seats = Seat.objects.filter(table=table).count()
    _check_seats(game, seats + more)
    Seat.objects.bulk_create(Seat(table=table, index=seats + number) for number in range(more))


def do_remove_seats(table: Table, seats: Iterable[Seat]) -> None:
    """Remove seats from a locked table; the seats after them move up."""
    for seat in sorted(seats, key=lambda seat: -seat.index):
        seat.delete()
        for later in Seat.objects.filter(table=table, index__gt=seat.index).order_by("index"):
            later.index -= 1
            later.save(update_fields=["index"])
        if table.favourite is not None and table.favourite >= seat.index:
            table.rigged = table.rigged and table.favourite != seat.index
            table.favourite = max(0, table.favourite - 1)


def do_end_request(table: Table, person: int) -> None:
    """End a person's request for a seat. That the host removed them is forgotten only when they are seated."""
    if all(seat_request.person_id != person for seat_request in REQUESTS.all(table.pk)):
        return
    requests = SeatRequest.objects.filter(table=table, person=person)
    if Seat.objects.filter(table=table, person=person).exists():
        requests.delete()
    else:
        requests.filter(removed=False).delete()
        requests.update(answer=SeatRequest.Answer.NONE)


def _seat(table: Table, index: int) -> Seat:
    seat = Seat.objects.filter(table=table, index=index).select_related("person").first()
    if seat is None:
        raise Refused("no_seat", f"This table has no seat {index}.")
    return seat


def _check_seats(game: Game, seats: int) -> None:
    try:
        game.check_seats(seats)
    except BadOption as bad:
        raise Refused("bad_option", str(bad)) from bad


def _check_options(game: Game, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return a value for every option that is not for administrators. Raises Refused."""
    try:
        values = game.check_options(options)
    except BadOption as bad:
        raise Refused("bad_option", str(bad)) from bad
    return {option.name: values[option.name] for option in game.options if option.set_by != "administrator"}


def _check_seconds(seconds: int) -> None:
    if seconds not in (*SECONDS, NO_CLOCK):
        known = ", ".join(map(str, SECONDS))
        raise Refused("bad_option", f"Seconds per decision must be one of {known}, or {NO_CLOCK} for no clock.")


def do_restart_series(table: Table) -> None:
    """Start a new series: the table has changed, so its last match is no longer shown."""
    table.status, table.fresh = Table.Status.OPEN, True
    table.save()
    publish(TableChanged(table.code))


# -- requests for a seat


@transaction.atomic
def do_request_seat(code: str, person: Person) -> None:
    """Request a seat from the host. Raises Refused."""
    require_good_standing(person)
    table = lock(code)
    require_not_barred(table, person)
    require_own_game(table)
    if table.host_id is None:
        raise Refused("no_host", _("This table has no host who could give you a seat. Choose another table."))
    if Seat.objects.filter(table=table, person=person).exists():
        raise Refused("seated", _("You already sit at this table."))
    if SeatRequest.objects.filter(table=table, answer=SeatRequest.Answer.WAITS).count() >= MAX_REQUESTS:
        raise Refused(
            "wait", _("Too many people are asking for a seat here. Wait until the host has answered some of them.")
        )
    waits = {"answer": SeatRequest.Answer.WAITS}
    SeatRequest.objects.update_or_create(table=table, person=person, defaults=waits)
    publish(TableChanged(table.code))


@transaction.atomic
def do_withdraw_request(code: str, person: Person) -> None:
    """Withdraw a request for a seat, or decline a seat in the next match."""
    table = lock(code)
    do_end_request(table, person.pk)
    publish(TableChanged(table.code))


@transaction.atomic
def do_answer_request(code: str, person: Person, asking: int, answer: str, index: int | None = None) -> None:
    """Host: answer a request for a seat. Raises Refused.

    "now" seats the person: in seat ``index``, else in an open seat, else instead of a bot; between matches a seat is
    added if there is none. "next" does so when the match is over. "no" rejects the request.
    """
    table = lock(code)
    require_host(table, person)
    seat_request = SeatRequest.objects.filter(table=table, person=asking).first()
    if seat_request is None or not seat_request.open:
        raise Refused("no_request", _("This person is no longer asking for a seat."))
    if answer in ("now", "next"):
        require_good_standing(seat_request.person)
        if Seat.objects.filter(table=table, person=asking).exists():
            raise Refused("seated", _("This person already sits at this table."))
    if answer == "next" and table.status == Table.Status.PLAYING:
        seat_request.answer = SeatRequest.Answer.NEXT
        seat_request.save()
    elif answer in ("now", "next"):
        seat = _spare_seat(table, index)
        if seat is None:
            raise Refused("taken", _("There is no free seat. Replace a bot, or choose another game."))
        do_seat(table, seat, seat_request.person)
    elif answer == "no":
        seat_request.answer = SeatRequest.Answer.NO
        seat_request.save()
    else:
        raise Refused("bad_option", _("The answer must be now, next or no."))
    publish(TableChanged(table.code))


def _spare_seat(table: Table, index: int | None = None) -> Seat | None:
    """Return a seat of a locked table for one more person, None if there is none."""
    seats = Seat.objects.filter(table=table, person=None)
    if index is not None:
        return seats.filter(index=index).first()
    spare = seats.filter(bot="").first() or seats.filter(held_for=None).last() or seats.last()
    if spare is None and table.status != Table.Status.PLAYING and not table.what_if:
        try:
            do_add_seats(table, game_of(table), 1)
        except Refused:
            return None
        spare = seats.filter(bot="").first()
        do_restart_series(table)
    return spare


# -- start and end of a match


def do_set_ready(table: Table, person: Person, ready: bool) -> None:
    """Store whether a person at a locked table is ready for the next match. Raises Refused."""
    if not Seat.objects.filter(table=table, person=person).update(ready=ready):
        raise Refused("not_seated", _("Sit down first."))
    publish(TableChanged(table.code))


def all_agree(table: Table, person: Person) -> bool:
    """Whether the next match starts now that ``person`` is ready: all people at the table are ready.

    If a person has left, only the host can have bots take the open seats.
    """
    seats = Seat.objects.filter(table=table)
    if seats.exclude(person=None).filter(ready=False).exists():
        return False
    return table.host_id == person.pk or not seats.filter(person=None, bot="").exists()


def do_seat_promised(table: Table) -> None:
    """Before the next match of a locked table: seat the people whom the host has promised a seat."""
    for seat_request in ASKING.all(table.pk):
        if seat_request.answer != SeatRequest.Answer.NEXT or seat_request.person.blocked:
            continue
        if Seat.objects.filter(table=table, person=seat_request.person).exists():  # because of a login in the meantime
            do_end_request(table, seat_request.person_id)
        elif seat := _spare_seat(table):
            do_seat(table, seat, seat_request.person)


def do_begin_playing(table: Table, seats: Iterable[Seat]) -> None:
    """Store that a match is running at a locked table, with these seats."""
    table.status, table.fresh, table.touched = Table.Status.PLAYING, False, timezone.now()
    PLAYING.rewrite(table.pk, table.status, table.fresh, table.touched)
    if ready := [seat.pk for seat in seats if seat.ready]:
        Seat.objects.filter(pk__in=ready).update(ready=False)
    publish(TableChanged(table.code))


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


# -- presence


def do_note_here(code: str, person: int) -> None:
    """Store that a player or the host of a table is connected."""
    now = timezone.now()
    Seat.objects.filter(table__code=code, person=person).update(seen=now)
    Table.objects.filter(code=code, host=person).update(host_seen=now)


def do_note_gone(code: str, person: int) -> None:
    """Store that a player of a table has left."""
    Seat.objects.filter(table__code=code, person=person).update(seen=None)


def do_note_still_here(persons: Mapping[str, set[int]]) -> None:
    """Store who is still at which table, for many tables at once: separate writes would be a flush to disk each."""
    codes = list(persons)
    for first in range(0, len(codes), TABLES_AT_ONCE):
        taken = Seat.objects.filter(table__code__in=codes[first : first + TABLES_AT_ONCE]).exclude(person=None)
        rows = taken.values_list("pk", "table__code", "person")
        here = [pk for pk, code, person in rows if person in persons[code]]
        Seat.objects.filter(pk__in=here).update(seen=timezone.now())
        hosted = Table.objects.filter(code__in=codes[first : first + TABLES_AT_ONCE]).exclude(host=None)
        hosts = [pk for pk, code, host in hosted.values_list("pk", "code", "host") if host in persons[code]]
        Table.objects.filter(pk__in=hosts).update(host_seen=timezone.now())


@transaction.atomic
def do_set_away(code: str, index: int, away: bool) -> None:
    """Store that a bot stands in for a person, or that the person is back."""
    table = Table.objects.select_for_update().get(code=code)
    if Seat.objects.filter(table=table, index=index, away=not away).exclude(person=None).update(away=away):
        _seats_changed(table)


def do_end_away(code: str, person: int) -> None:
    """Store that a person is back at a table, because they have done something there. They may not sit there."""
    for index in Seat.objects.filter(table__code=code, person=person, away=True).values_list("index", flat=True):
        do_set_away(code, index, False)


def do_leave_to_bots(tables: Iterable[int]) -> None:
    """Have bots stand in for all people at some tables."""
    left = list(Table.objects.filter(pk__in=list(tables)))
    Seat.objects.filter(table__in=left).exclude(person=None).update(away=True)
    for table in left:
        _seats_changed(table)


# -- the site and its administrators


@transaction.atomic
def do_set_house_table(code: str, game: Game) -> None:
    """Set the game of the house table from the next match on, with the site's bots in all seats. Raises Refused."""
    table = lock(code)
    require_pause(table)
    if table.game == game.name:
        return
    table.game, table.options, table.rigged = game.name, {}, False
    table.save()
    Seat.objects.filter(table=table).delete()
    bot = game.bots[0].name
    Seat.objects.bulk_create(Seat(table=table, index=index, bot=bot) for index in range(game.default_seats))
    publish(TableChanged(table.code))


@transaction.atomic
def do_close_idle(tables: Iterable[int]) -> int:
    """Close those of some tables without a running match. Return how many."""
    busy = (Table.Status.PLAYING, Table.Status.CLOSED)
    idle = list(Table.objects.select_for_update().filter(pk__in=list(tables)).exclude(status__in=busy))
    Table.objects.filter(pk__in=[table.pk for table in idle]).update(status=Table.Status.CLOSED)
    SeatRequest.objects.filter(table__in=idle).delete()
    for table in idle:
        publish(TableChanged(table.code))
    return len(idle)


def do_close_abandoned() -> None:
    """Close the tables where nobody is and nothing has changed for a long time."""
    now = timezone.now()
    waiting = Table.objects.filter(status__in=(Table.Status.OPEN, Table.Status.OVER), house=False)
    abandoned = waiting.filter(touched__lt=now - ABANDONED).exclude(seats__seen__gt=now - HERE)
    do_close_idle(abandoned.values_list("pk", flat=True)[:100])


def do_change_table(table: Table, changed: Iterable[str]) -> None:
    """Store the fields ``changed`` that an administrator has set. Publishes no event: see ``table/admin.py``."""
    table.save(update_fields=list(changed))


def do_remove_tables(tables: Iterable[int]) -> None:
    """Remove tables, with their matches and chat."""
    Table.objects.filter(pk__in=list(tables)).delete()
