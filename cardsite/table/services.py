"""What happens to matches: they begin, end, or are given up; what is said beside them; and which process keeps them.

The ``do_...`` functions are the only writers of matches, players, chat, daily tries and keepers. Moves alone are
written elsewhere, by the ledger (``ledger.py``), to which the referee hands each of them: many matches share a commit
there. Each function runs in a transaction, raises Refused when it may not be, and tells of the change after the commit.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from cardsite.lobby import services as lobby
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.people.services import do_remove_people
from cardsite.people.signals import guest_adopted
from cardsite.refusal import Refused
from cardsite.table.dropped import Dropped
from cardsite.table.ledger import PlyTaken
from cardsite.table.models import (
    Chore,
    DailyTry,
    Keeper,
    Match,
    Message,
    Move,
    PackedMoves,
    Player,
    StoredReplay,
)
from cardsite.table.moves import pack
from cardsite.table.rig import rig_options
from games.catalogue import featured
from games.core import BadOption, Game
from games.core.chance import SEED_BYTES
from games.core.game import DailyDeal

LOST = timedelta(seconds=15)  # a keeper not seen for so long has lost its matches
FORGOTTEN = timedelta(days=1)  # a keeper gone for so long will not come back under its name
HOUSE_PAUSE = timedelta(seconds=8)  # between two matches at the house table
BROKEN_PAUSE = timedelta(minutes=10)  # the same after one whose rules broke down: the next would fare no better
HOUSE_KEPT = 50  # matches of the house table that stay for replay
SOMEBODY_WHO_LEFT = "somebody who left"  # what a person who has been removed is called where others played with them
LONGEST_FAILURE = 20_000  # characters of what is noted for the author of rules

log = structlog.get_logger(__name__)


# -- matches


@transaction.atomic
def do_start_match(code: str, person: Person | None, keeper: Keeper | None, seed: bytes | None = None) -> int:
    """Begin the next match of a table's series; empty chairs get the house bot. Return its number.

    ``person`` is who asks: the host for the first match, anybody seated for the next; None: the house itself.
    ``seed`` is a day's, None for a fresh one. The cards are dealt by whoever looks first: see ``live.load``.
    Raises Refused.
    """
    table = lobby.lock(code)
    lobby.require_pause(table)
    if person is not None:
        seated = Seat.objects.filter(table=table, person=person).exists()
        if table.status == Table.Status.OPEN:
            lobby.require_host(table, person)
        elif not seated:
            raise Refused("not_seated", "Sit down first.")
    game = lobby.game_of(table)
    lobby.do_fill_open_seats(table)
    seats = list(Seat.objects.filter(table=table).select_related("person"))
    earlier = Match.objects.filter(table=table).order_by("-number").first()
    rig = rig_options(table)
    try:
        game.check_seats(len(seats))
        options = game.check_options({**table.options, **rig})
    except BadOption as bad:  # the game has changed since the table was made
        raise Refused("bad_option", f"{bad} Make a new table.") from bad
    match = Match(
        table=table,
        number=earlier.number + 1 if earlier else 1,
        game=table.game,
        rules_version=game.rules_version,
        options=options,
        seed=(seed or secrets.token_bytes(SEED_BYTES)).hex(),
        seconds=table.seconds,
        sealed=table.sealed,
        favourite=table.favourite if rig else None,
        keeper=keeper,
    )
    try:
        with transaction.atomic():
            match.save()
    except IntegrityError:
        raise Refused("playing", "The next match has begun already.") from None
    Player.objects.bulk_create(
        Player(match=match, seat=seat.index, person=seat.person, bot=seat.bot, name=lobby.seat_name(seat))
        for seat in seats
    )
    lobby.do_begin_playing(table)
    return match.pk


@transaction.atomic
def do_end_match(match_id: int, table_id: int, scores: Sequence[float], winners: Sequence[int]) -> None:
    """Write down how a match ended: the scores by seat, and who shares the win. It belongs to the last move's commit.

    Raises PlyTaken when the match is not being played any more: another process has given it up.
    """
    running = Match.objects.filter(pk=match_id, status=Match.Status.RUNNING)
    if not running.update(status=Match.Status.OVER, finished=timezone.now(), keeper=None):
        raise PlyTaken(f"match {match_id} has ended")
    share = 1 / len(winners) if winners else 0  # there are games that nobody may win
    players = list(Player.objects.filter(match=match_id))
    for player in players:
        player.score = scores[player.seat]
        player.share = share if player.seat in winners else 0
    Player.objects.bulk_update(players, ["score", "share"])
    lobby.do_end_playing(table_id, winners, share)


@transaction.atomic
def do_drop_match(match_id: int, dropped: Dropped) -> None:
    """Give up a match that cannot go on. Of one that is over its result stays, and only what happened is noted."""
    match = Match.objects.select_for_update(of=("self",)).select_related("table").filter(pk=match_id).first()
    if match is None:
        return
    if match.status == Match.Status.RUNNING:
        match.status, match.dropped, match.keeper = Match.Status.DROPPED, dropped.why, None
        match.finished = timezone.now()
        lobby.do_end_playing(match.table_id)
    elif match.status == Match.Status.DROPPED or match.failure or dropped.why != Match.Dropped.RULES_FAILED:
        return  # all that there is to say is said
    match.failure = _storable(dropped.failure[:LONGEST_FAILURE])
    match.save(update_fields=["failure", "status", "dropped", "keeper", "finished"])
    log.error("match dropped", match=match_id, game=match.game, why=str(dropped.why), failure=match.failure)
    lobby.tell(match.table)


@transaction.atomic
def do_remove_matches(matches: Iterable[int]) -> None:
    """Remove matches for good; a table where one of them was being played is between matches then."""
    doomed = Match.objects.filter(pk__in=list(matches))
    tables = list(Table.objects.filter(matches__in=doomed.filter(status=Match.Status.RUNNING)).distinct())
    doomed.delete()
    for table in tables:
        lobby.do_end_playing(table.pk)
        lobby.tell(table)


@transaction.atomic
def do_begin_daily(person: Person, game: Game, deal: DailyDeal, day: date, keeper: Keeper | None) -> Table:
    """Deal the day's match for a person, bots in the other seats. Raises Refused, for a second try too.

    A try whose match was dropped does not count.
    """
    table = lobby.do_create_table(
        person,
        game,
        ["me", *[game.bots[0].name] * (game.default_seats - 1)],
        options=deal.options(day),
        public=False,
        sealed=False,
        seconds=max(lobby.SECONDS),
    )
    match = do_start_match(table.code, person, keeper, seed=deal.seed(day, settings.SECRET_KEY.encode()))
    DailyTry.objects.filter(game=game.name, day=day, person=person, match__status=Match.Status.DROPPED).delete()
    try:
        with transaction.atomic():
            DailyTry.objects.create(game=game.name, day=day, person=person, match_id=match)
    except IntegrityError:
        raise Refused("tried", "You have had your try for today. There is a new deal tomorrow.") from None
    return table


# -- replays


@transaction.atomic
def do_store_replay(match_id: int, seat: int, face_up: bool, **laid: object) -> None:
    """Store the replay of a match that has ended for one audience: see ``stored_replay.py``."""
    StoredReplay.objects.update_or_create(match_id=match_id, seat=seat, face_up=face_up, defaults=laid)


@receiver(guest_adopted)
def do_keep_earlier_tries(sender: object, guest: Person, person: Person, **_: object) -> None:
    """Of two tries at one deal, a guest's and that of the person the guest turns out to be, the earlier counts."""
    for mine in DailyTry.objects.filter(person=guest).select_related("match"):
        other = DailyTry.objects.filter(person=person, game=mine.game, day=mine.day).select_related("match").first()
        if other:
            later = max(mine, other, key=lambda one: (one.match.status == Match.Status.DROPPED, one.match_id))
            later.delete()


# -- chat


def do_say(code: str, person_id: int, seat: int | None, text: str, at: int) -> Message:
    """Store a line of chat: from a seat for the players, else for the watchers. Raises Refused."""
    person = Person.objects.get(pk=person_id)
    lobby.require_good_standing(person)
    return Message.objects.create(
        table=Table.objects.get(code=code),
        room=Message.Room.WATCHERS if seat is None else Message.Room.PLAYERS,
        person=person,
        name=person.name,
        seat=-1 if seat is None else seat,
        text=text,
        at=at,
    )


def do_remove_messages(messages: Iterable[int]) -> None:
    """Remove lines of chat for good."""
    Message.objects.filter(pk__in=list(messages)).delete()


# -- which process keeps which match


def do_sign_in(name: str) -> Keeper:
    """Note that a process is alive, and return its row."""
    row, _ = Keeper.objects.update_or_create(name=name, defaults={"seen": timezone.now()})
    return row


def do_sign_out(keeper: Keeper) -> None:
    """Note that a process closes, so that others need not wait to take over."""
    Keeper.objects.filter(pk=keeper.pk).update(seen=timezone.now() - LOST)


@transaction.atomic
def do_claim(keeper: Keeper, *, alone: bool) -> list[int]:
    """Take over matches whose keeper is gone (when ``alone``: everybody else's). Return all that ``keeper`` keeps.

    The time during which nobody kept a match is credited to the decisions that were open.
    """
    now = timezone.now()
    gone = Q(keeper=None) | Q(keeper__seen__lt=now - LOST)
    if alone:
        gone |= ~Q(keeper=keeper)
    running = Match.objects.filter(status=Match.Status.RUNNING)
    for match in running.filter(gone).select_related("keeper").select_for_update(of=("self",), skip_locked=True):
        last = match.moves.order_by("-ply").values_list("ply", "at").first() or (0, _milliseconds(match.started))
        seen = _milliseconds(match.keeper.seen) if match.keeper else last[1]
        away = max(0, _milliseconds(timezone.now()) - max(seen, last[1]))
        before = match.credit_ms if match.credit_ply == last[0] else 0
        match.credit_ply, match.credit_ms, match.keeper = last[0], before + away, keeper
        match.save(update_fields=["credit_ply", "credit_ms", "keeper"])
    Keeper.objects.filter(seen__lt=now - FORGOTTEN).delete()
    return list(running.filter(keeper=keeper).values_list("pk", flat=True))


def do_keep_house_table(keeper: Keeper) -> None:
    """See that there is something to watch: open the house table, and begin its next match after a pause."""
    game = featured()
    table = Table.objects.filter(house=True).exclude(status=Table.Status.CLOSED).first()
    if table and table.game != game.name and lobby.do_close_idle([table.pk]):
        table = None
    if table is None:
        seats = [game.bots[0].name] * game.default_seats
        table = lobby.do_create_table(None, game, seats, seconds=min(lobby.SECONDS), house=True)
    elif table.status == Table.Status.PLAYING or table.touched > timezone.now() - _house_pause(table):
        return
    old = Match.objects.filter(table=table).order_by("-number").values_list("pk", flat=True)[HOUSE_KEPT:]
    Match.objects.filter(pk__in=list(old)).delete()
    try:
        do_start_match(table.code, None, keeper)
    except Refused:
        log.debug("another process began the match at the house table")


# -- what is kept, and for how long: see ``tidy.py``


def do_begin_chore(name: str, every: timedelta) -> bool:
    """Say whether a chore is due, and note that it is begun: of several processes that ask, one is told so."""
    now = timezone.now()
    Chore.objects.get_or_create(name=name, defaults={"begun": now - 2 * every})
    return bool(Chore.objects.filter(name=name, begun__lte=now - every).update(begun=now))


@transaction.atomic
def do_tidy(rows: QuerySet[Any], most: int) -> int:
    """Remove ``most`` of some rows at most, with what hangs on them. Return how many.

    Rows that another process is removing, or that somebody is changing, are left to the next round.
    """
    doomed = rows.select_for_update(of=("self",), skip_locked=True).order_by("pk").values_list("pk", flat=True)[:most]
    numbers = list(doomed)
    rows.model._default_manager.filter(pk__in=numbers).delete()
    return len(numbers)


@transaction.atomic
def do_pack_moves(matches: QuerySet[Match], most: int) -> int:
    """Pack the moves of ``most`` of some matches that have ended, one row each. Return how many matches."""
    chosen = matches.select_for_update(of=("self",), skip_locked=True).order_by("pk")[:most]
    numbers = list(chosen.values_list("pk", flat=True))
    for number in numbers:
        rows = list(Move.objects.filter(match=number).order_by("ply"))
        PackedMoves.objects.create(match_id=number, plies=rows[-1].ply if rows else 0, moves=pack(rows))
        Move.objects.filter(match=number, pk__in=[row.pk for row in rows]).delete()
    return len(numbers)


@transaction.atomic
def do_leave(person: Person) -> None:
    """Remove a person who wants it, and all that is theirs alone. What they played with other people stays playable.

    A bot takes their seats; in the other people's matches they become SOMEBODY_WHO_LEFT; what they said and what they
    played alone is removed.
    """
    number, user = person.pk, person.user
    tables = Table.objects.filter(Q(host=person) | Q(opened_by=person) | Q(seats__person=person))
    tables = tables.exclude(status=Table.Status.CLOSED)
    around = {table.pk: table for table in tables}
    for code in Table.objects.filter(seats__person=person).exclude(status=Table.Status.CLOSED).values_list("code"):
        lobby.do_stand(*code, person)
    alone = Match.objects.filter(players__person=person).exclude(status=Match.Status.RUNNING)
    do_remove_matches(alone.exclude(_with_another(person)).values_list("pk", flat=True))
    Player.objects.filter(person=person).update(name=SOMEBODY_WHO_LEFT)
    Message.objects.filter(person=person).delete()
    do_remove_people([number])
    if user:
        user.delete()
    for kind, key in ((Person, number), (User, user.pk if user else None)):
        kept = LogEntry.objects.filter(content_type__app_label=kind._meta.app_label, object_id=str(key))
        kept.filter(content_type__model=kind._meta.model_name).update(object_repr=SOMEBODY_WHO_LEFT)
    empty = Table.objects.filter(pk__in=around).exclude(seats__person__isnull=False)
    lobby.do_close_idle(empty.filter(house=False).values_list("pk", flat=True))
    for table in around.values():
        lobby.tell(table)


def _with_another(person: Person) -> Exists:
    return Exists(Player.objects.filter(match=OuterRef("pk")).exclude(person=None).exclude(person=person))


def _house_pause(table: Table) -> timedelta:
    last = Match.objects.filter(table=table).order_by("-number").first()
    broken = last is not None and last.dropped in (Match.Dropped.RULES_FAILED, Match.Dropped.NO_END)
    return BROKEN_PAUSE if broken else HOUSE_PAUSE


def _storable(text: str) -> str:
    """Return a text, of whatever rules may raise, as any database takes it."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\0")


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
