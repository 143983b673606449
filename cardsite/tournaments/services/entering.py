"""Create a tournament, join and leave it, start and cancel it.

People whom an administrator has blocked may look and leave. An organizer who is blocked may also cancel.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cardsite.circles.services import find_member
from cardsite.events import GuestAdopted, PersonBlocked, within_transaction
from cardsite.limits import MAX_ENTRANTS, MAX_TOURNAMENTS
from cardsite.lobby.games import SECONDS, find_game, require_bot, sections
from cardsite.lobby.services import lifecycle
from cardsite.people.models import Person
from cardsite.people.names import bot_names, clean_group_name
from cardsite.people.restrictions import require_may_play
from cardsite.refusal import Refused
from cardsite.tournaments.models import NAME_LENGTH, Entrant, Tournament
from cardsite.tournaments.pairing import MOST_ROUNDS, robin_rounds, swiss_rounds
from cardsite.tournaments.services.finding import (
    UNFINISHED,
    lock,
    lock_to_organize,
    require_open,
    require_room,
    require_unfinished,
)
from cardsite.tournaments.services.rounds import do_begin_round, do_end, do_withdraw_former_members, tables_of
from games.core import Game

MIN_ENTRANTS = 3


def clean_name(raw: str) -> str:
    """Return the name of a tournament as it may be shown. Raises Refused."""
    return clean_group_name(
        raw,
        NAME_LENGTH,
        _("Enter a name for the tournament."),
        _("The name of a tournament may have at most %(most)d characters; this one has %(n)d."),
    )


def games() -> list[Game]:
    """Return the games of which there can be a tournament: those in the catalogue's lists for several players."""
    return [game for section in sections() for game in section.games if game.max_seats > 1]


def _check_size(game: Game, size: int) -> None:
    least, most = max(2, game.min_seats), game.max_seats
    if not least <= size <= most:
        counts = {"game": game.title, "least": least, "most": most}
        if least == most:
            raise Refused("seats", _("%(game)s is for %(most)d players at a table. Choose that number.") % counts)
        raise Refused(
            "seats",
            _("%(game)s is for %(least)d to %(most)d players at a table. Choose a number in that range.") % counts,
        )


@transaction.atomic
def do_create(
    person: Person,
    name: str,
    game: Game,
    *,
    size: int,
    system: str,
    seconds: int,
    rounds: int | None = None,
    circle: str = "",
    plays: bool = True,
) -> Tournament:
    """Create a tournament that ``person`` organizes, in the circle with this code or open to everybody.

    ``rounds``: None for as many as the number of entrants needs. ``plays``: the organizer takes part. Raises Refused.
    """
    require_may_play(person)
    Person.objects.select_for_update().get(pk=person.pk)  # two requests at once must not both create the last one
    unfinished = Tournament.objects.filter(organizer=person, status__in=UNFINISHED).count()
    if unfinished >= MAX_TOURNAMENTS:
        raise Refused(
            "full",
            _("You organize %(n)d tournaments that are not over. Finish or cancel one first.") % {"n": unfinished},
        )
    if game.name not in [one.name for one in games()]:
        raise Refused("no_game", _("Choose another game: one of the site, for several players."))
    _check_size(game, size)
    if seconds not in SECONDS or system not in Tournament.System.values:
        raise Refused("bad_option", _("Choose one of the values in the form."))
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        raise Refused("range", _("A tournament has 1 to %(n)d rounds.") % {"n": MOST_ROUNDS})
    tournament = Tournament.objects.create(
        name=clean_name(name),
        circle=find_member(circle, person).circle if circle else None,
        organizer=person,
        game=game.name,
        table_size=size,
        system=system,
        # Two at a table: everybody meets everybody, whatever was asked for.
        rounds=None if system == Tournament.System.ROBIN and size == 2 else rounds,
        seconds=seconds,
    )
    if plays:
        Entrant.objects.create(tournament=tournament, person=person)
    return tournament


@transaction.atomic
def do_join(code: str, person: Person) -> int:
    """Have a person take part. Return the number of the first round that they play in. Raises Refused.

    A Swiss tournament can be joined while it runs. A person who has withdrawn can join any tournament again.
    """
    tournament = lock(code, person)
    require_may_play(person)
    require_unfinished(tournament)
    mine = tournament.entrants.filter(person=person).first()
    if mine and not mine.withdrawn:
        raise Refused("yours", _("You already take part."))
    if mine and mine.removed:
        raise Refused("removed", _("The organizer has removed you from this tournament."))
    running = tournament.status == Tournament.Status.RUNNING
    if running and tournament.round >= (tournament.rounds or 0):
        raise Refused("too_late", _("The last round has begun. Nobody can join any more."))
    if running and mine is None and tournament.system == Tournament.System.ROBIN:
        raise Refused("too_late", _("A round robin cannot be joined once it has started."))
    require_room(tournament, 1)
    following = tournament.round + 1
    if mine:
        do_rejoin(tournament, mine)
    else:
        Entrant.objects.create(tournament=tournament, person=person, joined_round=following)
    return following


def do_rejoin(tournament: Tournament, entrant: Entrant) -> None:
    """Have a person who withdrew, or was withdrawn, take part again from the next round on."""
    if entrant.absent:
        entrant.joined_round = tournament.round + 1  # the rounds that they have missed count no longer
    entrant.withdrawn = entrant.absent = False
    entrant.save(update_fields=["withdrawn", "absent", "joined_round"])


@transaction.atomic
def do_leave(code: str, person: Person) -> None:
    """Withdraw a person who asks for it: from the next round on, if the tournament has started. Raises Refused."""
    tournament = lock(code, person)
    require_unfinished(tournament)
    mine = tournament.entrants.filter(person=person, withdrawn=False).first()
    if mine is None:
        raise Refused("gone", _("You do not take part."))
    do_withdraw(tournament, mine)


@transaction.atomic
def do_remove(code: str, person: Person, number: int | None) -> None:
    """Organizer: withdraw the entrant with this number. A person cannot join again. Raises Refused."""
    tournament = lock_to_organize(code, person)
    require_may_play(person)
    require_unfinished(tournament)
    entrant = tournament.entrants.filter(pk=number or 0, withdrawn=False).first()
    if entrant is None:
        raise Refused("gone", _("They no longer take part. Nothing was changed."))
    if entrant.bot:
        do_withdraw(tournament, entrant)
    else:
        entrant.withdrawn = entrant.removed = True
        entrant.save(update_fields=["withdrawn", "removed"])


def do_withdraw(tournament: Tournament, entrant: Entrant) -> None:
    """Withdraw an entrant. Once the tournament has started, the results stay."""
    if tournament.status == Tournament.Status.OPEN:
        entrant.delete()
    else:
        entrant.withdrawn = True
        entrant.save(update_fields=["withdrawn"])


@transaction.atomic
def do_add_bots(code: str, person: Person, kind: str, count: int) -> None:
    """Organizer: add so many bots of a kind, before the start. Raises Refused."""
    tournament = lock_to_organize(code, person)
    require_may_play(person)
    require_open(tournament)
    require_bot(find_game(tournament.game), kind)
    if not 1 <= count <= MAX_ENTRANTS:
        raise Refused("range", _("Enter a number from 1 to %(n)d.") % {"n": MAX_ENTRANTS})
    require_room(tournament, count)
    taken = set(tournament.entrants.exclude(bot="").values_list("name", flat=True))
    free = islice((name for name in bot_names() if name not in taken), count)
    Entrant.objects.bulk_create(Entrant(tournament=tournament, bot=kind, name=name) for name in free)


@transaction.atomic
def do_start(code: str, person: Person) -> None:
    """Organizer: start the tournament, with its first round. Raises Refused."""
    tournament = lock_to_organize(code, person)
    require_may_play(person)
    require_open(tournament)
    do_withdraw_former_members(tournament)
    entrants = [entrant for entrant in tournament.entrants.all() if entrant.active]
    game = find_game(tournament.game)
    least = max(MIN_ENTRANTS, game.min_seats)
    if len(entrants) < least:
        raise Refused(
            "seats",
            ngettext(
                "A tournament of this game needs at least %(n)d player.",
                "A tournament of this game needs at least %(n)d players.",
                least,
            )
            % {"n": least}
            + " "
            + _("Wait for more, or add bots."),
        )
    if not any(entrant.person_id for entrant in entrants):
        raise Refused("seats", _("Only bots take part. Wait for a person."))
    _check_size(game, tournament.table_size)
    if tournament.rounds is None:
        swiss = tournament.system == Tournament.System.SWISS
        size = tournament.table_size
        tournament.rounds = swiss_rounds(len(entrants)) if swiss else robin_rounds(len(entrants), size)
    tournament.status, tournament.started = Tournament.Status.RUNNING, timezone.now()
    do_begin_round(tournament)


@transaction.atomic
def do_cancel(code: str, person: Person) -> None:
    """Organizer: end the tournament without a winner. Matches in progress go on, and count for nothing.

    Raises Refused.
    """
    tournament = lock_to_organize(code, person)
    require_unfinished(tournament)
    do_end(tournament, Tournament.Status.CANCELLED)
    lifecycle.do_close_idle(tables_of(tournament))


@transaction.atomic
def do_remove_tournaments(tournaments: Iterable[int]) -> None:
    """Remove tournaments, for administrators. Their tables and matches stay."""
    Tournament.objects.filter(pk__in=list(tournaments)).delete()


# -- people who leave


@receiver(within_transaction, sender=PersonBlocked)
def do_withdraw_blocked(sender: object, event: PersonBlocked, **_: object) -> None:
    """Withdraw a person whom an administrator has blocked from all tournaments."""
    theirs = Entrant.objects.filter(person=event.person)
    theirs.filter(tournament__status=Tournament.Status.OPEN).delete()
    theirs.filter(tournament__status=Tournament.Status.RUNNING).update(withdrawn=True)


@receiver(within_transaction, sender=GuestAdopted)
def do_merge_entries(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep one entry where a guest and the account that the guest logs in to both take part: that of the account.

    Once the tournament has started, the results of the guest's entry stay in the standings, without a person, and the
    account takes part again if it had withdrawn and the guest had not.
    """
    entries = Entrant.objects.filter(person=event.guest, tournament__entrants__person=event.person)
    for guest in entries.select_related("tournament"):
        tournament = guest.tournament
        if tournament.status == Tournament.Status.OPEN:
            guest.delete()
            continue
        account = tournament.entrants.get(person=event.person)
        if account.withdrawn and not (guest.withdrawn or account.removed):
            do_rejoin(tournament, account)
        guest.person, guest.withdrawn = None, True
        guest.save(update_fields=["person", "withdrawn"])
