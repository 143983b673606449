"""Changes by the host of a table: seats, bots, the game, its options and clock, the chat, another host."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import TableChanged, publish
from cardsite.lobby.games import check_delay, check_options, check_seats, check_seconds, find_game, require_bot
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services.lifecycle import do_close_table, do_end_seek
from cardsite.lobby.services.permissions import lock, require_host, require_no_running_match, require_own_game
from cardsite.lobby.services.seating import (
    do_add_seats,
    do_fill_open_seats,
    do_remove_player,
    do_remove_seats,
    do_restart_series,
    seat_at,
)
from cardsite.people.models import Person
from cardsite.refusal import Refused
from games import catalogue
from games.core import Game
from games.core.options import OptionValue

MAX_REMOVED = 100  # people whom the host of one table has removed


def _lock_to_change(code: str, person: Person) -> Table:
    """Lock a table of which the host may change the seats and the game now, and return it. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_no_running_match(table)
    require_own_game(table)
    return table


@transaction.atomic
def do_set_seat(code: str, person: Person, index: int, kind: str) -> None:
    """Host: set a seat without a person to "open" or to a kind of bot. Raises Refused."""
    table = _lock_to_change(code, person)
    seat = seat_at(table, index)
    if seat.person_id:
        raise Refused("taken", _("A person sits in that seat."))
    if kind != "open":
        require_bot(find_game(table.game), kind)
    seat.bot = "" if kind == "open" else kind
    seat.held_for = None
    seat.wins = seat.held_wins = 0
    seat.save(update_fields=["bot", "held_for", "wins", "held_wins"])
    table.save()  # stores that it was touched now: idle tables are closed
    publish(TableChanged(table.code))


@transaction.atomic
def do_set_handicap(code: str, person: Person, index: int, amount: int | None) -> None:
    """Host: have a seat start with more or less than usual from the next match on. Raises Refused.

    A new series begins, and the host starts its first match: people who were ready had not seen the change.
    """
    table = _lock_to_change(code, person)
    seat = seat_at(table, index)
    handicap = find_game(table.game).handicap
    if handicap is None:
        raise Refused("bad_option", _("All seats of this game start alike, so no handicap was set."))
    if amount is None or not handicap.low <= amount <= handicap.high:
        bounds = {"low": handicap.low, "high": handicap.high}
        raise Refused("bad_option", _("A handicap must be from %(low)d to %(high)d.") % bounds)
    seat.handicap = amount
    seat.save(update_fields=["handicap"])
    do_end_seek(code)  # for people who do not know each other
    do_restart_series(table)


@transaction.atomic
def do_fill(code: str, person: Person) -> None:
    """Host: put the house bot on every open seat. Raises Refused."""
    table = _lock_to_change(code, person)
    do_fill_open_seats(table)
    table.save()  # touched, too
    publish(TableChanged(table.code))


@transaction.atomic
def do_close(code: str, person: Person) -> None:
    """Host: close the table permanently. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    require_no_running_match(table)
    do_close_table(table)


@transaction.atomic
def do_make_host(code: str, person: Person, index: int) -> None:
    """Host: make the person in that seat the host. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    seat = seat_at(table, index)
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
    seat = seat_at(table, index)
    if seat.person is None or seat.person_id == person.pk:
        raise Refused("bad_option", _("No other person sits in that seat, so nobody was removed."))
    do_remove_player(table, seat)


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
def do_readmit_spectator(code: str, person: Person, spectator: int) -> None:
    """Host: let a person whom the host has removed as a spectator come back, and sit down. Raises Refused."""
    table = lock(code)
    require_host(table, person)
    barred = SeatRequest.objects.filter(table=table, person=spectator, barred=True)
    if not barred.filter(by_administrator=False).delete()[0] and not barred.update(barred=False):
        raise Refused("bad_option", _("You have not removed this person, so nothing was changed."))
    publish(TableChanged(table.code))


@transaction.atomic
def do_add_seat(code: str, person: Person) -> None:
    """Host: add an open seat. Raises Refused."""
    table = _lock_to_change(code, person)
    do_add_seats(table, find_game(table.game), 1)
    do_restart_series(table)


@transaction.atomic
def do_remove_seat(code: str, person: Person, index: int) -> None:
    """Host: remove a seat without a person. Raises Refused."""
    table = _lock_to_change(code, person)
    seat = seat_at(table, index)
    if seat.person_id:
        raise Refused("taken", _("A person sits in that seat."))
    check_seats(find_game(table.game), Seat.objects.filter(table=table).count() - 1)
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
    time_up: str | None = None,
    spectator_delay: int | None = None,
) -> None:
    """Host: change the game of the table, its options, its clock, or whether its deals are sealed. Raises Refused.

    ``time_up``: what happens when somebody's time is up; ``spectator_delay``: the delay of spectators in seconds; None:
    what has been chosen before.

    Open seats are added, and seats without a person removed, until their number fits the game. Bots of a kind that the
    new game does not have are replaced by the house bot.
    """
    table = _lock_to_change(code, person)
    table.options = check_options(game, options)
    check_seconds(seconds)
    do_end_seek(code)  # it was for another game, or another clock
    table.seconds = seconds
    table.time_up = time_up or table.time_up
    if spectator_delay is not None:
        check_delay(spectator_delay)
        table.spectator_delay = spectator_delay
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
        Seat.objects.filter(table=table).update(handicap=0)  # it was one of the other game
        if len(seats) < game.min_seats:
            do_add_seats(table, game, game.min_seats - len(seats))
        # Open seats are removed before those of bots, and of each the last ones first.
        spare = sorted((seat for seat in seats if not seat.person_id), key=lambda seat: (not seat.bot, seat.index))
        do_remove_seats(table, spare[::-1][: max(0, len(seats) - game.max_seats)])
        known = [bot.name for bot in catalogue.bots(game)]
        Seat.objects.filter(table=table).exclude(bot="").exclude(bot__in=known).update(bot=game.house_bot)
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
