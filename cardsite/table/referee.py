"""The referee: the only writer of matches. Validates the seat and the move, appends, commits, then announces."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from cardsite.database import in_thread
from cardsite.lobby import services as lobby
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.ledger import Entry, Ledger, PlyTaken
from cardsite.table.live import Live, load, moves_after, now_ms
from cardsite.table.models import Keeper, Match, Player
from cardsite.table.rig import rig_options
from games.core import IllegalMove, winners
from games.core.chance import SEED_BYTES

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Played:
    """A move that is stored: as which ply, and whether it had been before."""

    version: int
    again: bool


class Referee:
    """Keeps this process's copies of matches and changes them, one move at a time."""

    def __init__(self, announce: Callable[[Live, bool], Awaitable[None]]) -> None:
        # Called after every ply of a copy, in order, with whether it was made here or learnt from another process.
        self._announce = announce
        self._ledger = Ledger()
        self.lives: dict[int, Live] = {}

    async def live(self, match_id: int) -> Live:
        """Return the copy of a match, loading it when needed. Raises Match.DoesNotExist, BadRecord."""
        if match_id not in self.lives:
            live = await in_thread(load)(match_id)
            self.lives.setdefault(match_id, live)
        return self.lives[match_id]

    def forget(self, match_id: int) -> None:
        """Drop a copy that nobody needs."""
        self.lives.pop(match_id, None)

    async def play(self, match_id: int, seat: int, decision: int, move: str, by: str = "person") -> Played:
        """Make a move for good. ``decision`` counts the seat's own decisions: the same one again plays nothing.

        Raises Refused, with a code and a sentence.
        """
        while True:
            live = await self.live(match_id)
            async with live.lock:
                if self.lives.get(match_id) is not live:
                    continue  # forgotten while we waited
                if earlier := _decided(live, seat, decision, move):
                    return earlier
                at = now_ms()
                try:
                    live.advance(seat, move, by, at)
                except IllegalMove as refusal:
                    raise Refused("over" if live.over else "illegal", str(refusal)) from refusal
                entry = Entry(match_id, live.version, seat, move, by, at)
                try:
                    await self._ledger.append(entry, self._ending(live) if live.over else None)
                except PlyTaken:
                    live.take(await in_thread(load)(match_id))
                    await self._announce(live, False)
                    continue
                except BaseException:
                    # Nothing is known to be stored: forget the copy, so that the next look reads what is.
                    self.forget(match_id)
                    raise
                await self._announce(live, True)
                return Played(live.version, again=False)

    async def catch_up(self, match_id: int, ply: int | None = None) -> None:
        """Another process says that the match is at ``ply``: bring our copy there, if we have one. None: look."""
        live = self.lives.get(match_id)
        if live is None or (ply is not None and live.version >= ply):
            return
        async with live.lock:
            if ply is not None and live.version >= ply:
                return
            for move in await in_thread(moves_after)(match_id, live.version):
                live.advance(move.seat, move.text, move.by, move.at)
                await self._announce(live, False)

    async def wind(self, match_id: int) -> bool:
        """Set the clocks of our copy of a match, if we have one, by the books: time may have been credited there.

        Return whether that made a difference. Raises Match.DoesNotExist, BadRecord.
        """
        live = self.lives.get(match_id)
        if live is None or not await in_thread(_has_credit)(match_id):
            return False
        fresh = await in_thread(load)(match_id)
        await self.catch_up(match_id, fresh.version)
        async with live.lock:
            if live.version != fresh.version:
                return False
            before = live.since
            live.since = {seat: max(at, before.get(seat, at)) for seat, at in fresh.since.items()}
            return live.since != before

    def _ending(self, live: Live) -> Callable[[], None]:
        """Return what is written together with the last move: scores, wins, and the table's pause."""
        scores = live.play.state.scores()
        won = winners(scores)
        share = 1 / len(won) if won else 0  # there are games that nobody may win
        match_id, table_id = live.id, live.table_id

        def write() -> None:
            Match.objects.filter(pk=match_id).update(status=Match.Status.OVER, finished=timezone.now(), keeper=None)
            Table.objects.filter(pk=table_id).update(status=Table.Status.OVER, touched=timezone.now())
            players = list(Player.objects.filter(match=match_id))
            for player in players:
                player.score = scores[player.seat]
                player.share = share if player.seat in won else 0
            Player.objects.bulk_update(players, ["score", "share"])
            Seat.objects.filter(table=table_id, index__in=won).update(wins=F("wins") + share)

        return write


def _has_credit(match_id: int) -> bool:
    return Match.objects.values_list("credit_ms", flat=True).get(pk=match_id) > 0


def _decided(live: Live, seat: int, decision: int, move: str) -> Played | None:
    """Return the outcome of a decision that was made before, None for one that is to be made now. Raises Refused."""
    if not 0 <= seat < len(live.play.decisions):
        raise Refused("no_seat", "This match has no such seat.")
    made = live.play.decisions[seat]
    if decision == made:
        return None
    if decision > made:
        raise Refused("ahead", "The table is not there yet. Reload the page.")
    if decision < 0:
        raise Refused("stale", "Decisions are counted from 0. Send the number that came with the view.")
    ply, earlier, by = live.decision_of(seat, decision)
    if earlier == move:
        return Played(ply, again=True)
    if by == "clock":
        raise Refused("too_late", "Your time was up, so the house decided for you. Look at the table and go on.")
    raise Refused("stale", "You had decided that already. Look at the table and go on.")


@transaction.atomic
def start_match(code: str, person: Person | None, keeper: Keeper | None, seed: bytes | None = None) -> int:
    """Deal the next match of a table's series; empty chairs get the house bot. Return its number.

    ``person`` is who asks: the host for the first match, anybody seated for the next; None: the house itself.
    ``seed`` is a day's, None for a fresh one.
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
    lobby.fill_open_seats(table)
    game = lobby.game_of(table)
    earlier = Match.objects.filter(table=table).order_by("-number").first()
    number = earlier.number + 1 if earlier else 1
    rig = rig_options(table)
    match = Match(
        table=table,
        number=number,
        game=table.game,
        options=game.check_options({**table.options, **rig}),
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
        for seat in Seat.objects.filter(table=table).select_related("person")
    )
    table.status = Table.Status.PLAYING
    table.save()
    lobby.tell(table)
    return match.pk


@transaction.atomic
def drop_match(match_id: int) -> None:
    """Give up a match that cannot be played on (a record the rules no longer understand)."""
    match = Match.objects.select_related("table").get(pk=match_id)
    match.status = Match.Status.DROPPED
    match.keeper = None
    match.save()
    match.table.status = Table.Status.OVER
    match.table.save()
    lobby.tell(match.table)


@transaction.atomic
def set_away(table_id: int, index: int, away: bool) -> None:
    """Note that a bot keeps a person's seat warm, or that the person is back."""
    table = Table.objects.get(pk=table_id)
    if Seat.objects.filter(table=table, index=index, away=not away).exclude(person=None).update(away=away):
        lobby.tell(table)
