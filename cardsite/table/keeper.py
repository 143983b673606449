"""The keeper: drives bots and clocks of the matches this process keeps, and takes over those of processes that died.

Nothing it knows is only in memory: who keeps which match, and since when a seat is waited for, is in the database.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cardsite.database import in_thread
from cardsite.lobby import services as lobby
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.signals import table_changed
from cardsite.refusal import Refused
from cardsite.table import referee as rules
from cardsite.table.bots import BotPool
from cardsite.table.live import Live, now_ms
from cardsite.table.models import Keeper as Row
from cardsite.table.models import Match
from cardsite.table.referee import Referee
from games import catalogue
from games.core import BadRecord

ROUND = 5.0  # seconds between rounds through the house
LOST = timedelta(seconds=15)  # a keeper not seen for so long has lost its matches
RETRY = 1.0  # seconds after which a decision that failed is tried again
MISSES = 2  # decisions in a row that a connected person lets the clock make before a bot keeps the seat
HOUSE_PAUSE = timedelta(seconds=8)  # between two matches at the house table
HOUSE_KEPT = 50  # matches of the house table that stay for replay
FORSAKEN = timedelta(hours=2)  # after how long without any change a table where nobody is and nothing goes on is closed

log = structlog.get_logger(__name__)


class Keeper:
    """One a process."""

    def __init__(self, name: str, referee: Referee, pool: BotPool) -> None:
        self.name = name
        self.row: Row | None = None
        self._referee = referee
        self._pool = pool
        self.kept: set[int] = set()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._deciding: set[tuple[int, int]] = set()  # (match, seat) that somebody thinks about now
        self._tasks: set[asyncio.Task[None]] = set()

    # -- rounds through the house

    async def run(self) -> None:
        """Go round for ever: sign in, take over forsaken matches, open the house table, close what is forsaken."""
        while True:
            try:
                await self.round()
            except Exception:
                log.exception("round failed")
            await asyncio.sleep(ROUND)

    async def round(self) -> None:
        """Go round once."""
        self.row = await in_thread(_sign_in)(self.name)
        alone = not settings.REDIS_URL
        kept = set(self.kept)
        ours = await in_thread(_claim)(self.row, alone=alone)
        for match_id in kept.difference(ours):  # another process has taken it over, or it has ended
            self.release(match_id)
        for match_id in ours:
            if match_id not in self.kept or match_id not in self._timers:
                await self.take(match_id)
        await in_thread(_close_forsaken)()
        if settings.HOUSE_TABLE:
            await in_thread(_house_table)(self.row)

    def release(self, match_id: int) -> None:
        """Drive a match no longer."""
        self.kept.discard(match_id)
        if timer := self._timers.pop(match_id, None):
            timer.cancel()

    async def take(self, match_id: int) -> None:
        """Drive a match from here on."""
        try:
            if match_id not in self.kept and await self._referee.wind(match_id):
                table_changed.send(Table, code=self._referee.lives[match_id].code)  # other deadlines
            self.kept.add(match_id)
            self.consider(await self._referee.live(match_id))
        except BadRecord as bad:
            log.error("match cannot be played on", match=match_id, why=str(bad))
            await in_thread(rules.drop_match)(match_id)
        except Match.DoesNotExist:
            self.kept.discard(match_id)

    # -- what is due

    def consider(self, live: Live) -> None:
        """Set the timer for the next thing that is due in a match; called after every change of it."""
        if live.id not in self.kept:
            return
        if timer := self._timers.pop(live.id, None):
            timer.cancel()
        if live.over:
            self.kept.discard(live.id)
            return
        due = [self._due(live, seat) for seat in live.since if (live.id, seat) not in self._deciding]
        if due:
            wait = max(0.0, (min(due) - now_ms()) / 1000)
            self._timers[live.id] = asyncio.get_running_loop().call_later(wait, self._act, live.id)

    def _due(self, live: Live, seat: int) -> int:
        """Return when a bot is to begin thinking for a seat."""
        return live.since[seat] + (live.seconds * 1000 if live.sitters[seat].decides else 0)

    def _act(self, match_id: int) -> None:
        self._timers.pop(match_id, None)
        live = self._referee.lives.get(match_id)
        if live is None:
            self._spawn(self.take(match_id))
            return
        for seat in live.since:
            if self._due(live, seat) <= now_ms() and (match_id, seat) not in self._deciding:
                self._deciding.add((match_id, seat))
                self._spawn(self._decide(live, seat))
        self.consider(live)

    def _spawn(self, work: object) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _decide(self, live: Live, seat: int) -> None:
        """Have a bot decide for a seat: its own, or one whose person is away or out of time."""
        sitter = live.sitters[seat]
        by = "clock" if sitter.person else "bot"
        try:
            decision = live.play.decisions[seat]
            shown = live.since[seat] + int(settings.BOT_PACE * 1000)
            move = await self._pool.choose(live.play.game.name, sitter.bot, live.play.state, seat)
            if not sitter.decides:
                # Shown at an even pace, however long it was thought over: a quick answer would tell of a forced one.
                await asyncio.sleep(max(0, shown - now_ms()) / 1000)
                if live.sitters[seat].decides:
                    return  # the person is back
            await self._referee.play(live.id, seat, decision, move, by)
            if sitter.decides:
                await self._missed(live, seat)
        except Refused as refusal:
            # The person was faster, or another process decided: either way it is done.
            log.info("decision came too late", match=live.id, seat=seat, code=refusal.code)
        except Exception:
            log.exception("decision failed", match=live.id, seat=seat)
            await asyncio.sleep(RETRY)
        finally:
            self._deciding.discard((live.id, seat))
            if current := self._referee.lives.get(live.id):
                self.consider(current)
            elif live.id in self.kept:
                self._spawn(self.take(live.id))

    async def _missed(self, live: Live, seat: int) -> None:
        """A person let the clock run out: who is not here, or does it again, has a bot keep the seat warm."""
        own = [by for (mover, _), by in zip(live.play.moves, live.by, strict=True) if mover == seat]
        again = len(own) >= MISSES and all(by == "clock" for by in own[-MISSES:])
        if again or not await in_thread(_is_here)(live.table_id, seat):
            await in_thread(rules.set_away)(live.table_id, seat, True)

    async def close(self) -> None:
        """Sign out, so that others need not wait to take over."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._pool.close(kill=True)
        if self.row:
            await in_thread(_sign_out)(self.row)


def _sign_in(name: str) -> Row:
    row, _ = Row.objects.update_or_create(name=name, defaults={"seen": timezone.now()})
    return row


def _sign_out(row: Row) -> None:
    Row.objects.filter(pk=row.pk).update(seen=timezone.now() - LOST)


@transaction.atomic
def _claim(row: Row, *, alone: bool) -> list[int]:
    """Take over matches whose keeper is gone (when ``alone``: everybody else's). Return all that are kept by ``row``.

    The time during which nobody kept a match is credited to the decisions that were open.
    """
    now = timezone.now()
    gone = Q(keeper=None) | Q(keeper__seen__lt=now - LOST)
    if alone:
        gone |= ~Q(keeper=row)
    running = Match.objects.filter(status=Match.Status.RUNNING)
    for match in running.filter(gone).select_related("keeper").select_for_update(of=("self",), skip_locked=True):
        last = match.moves.order_by("-ply").values_list("ply", "at").first() or (
            0,
            int(match.started.timestamp() * 1000),
        )
        seen = int(match.keeper.seen.timestamp() * 1000) if match.keeper else last[1]
        away = max(0, now_ms() - max(seen, last[1]))
        before = match.credit_ms if match.credit_ply == last[0] else 0
        match.credit_ply, match.credit_ms, match.keeper = last[0], before + away, row
        match.save(update_fields=["credit_ply", "credit_ms", "keeper"])
    # A keeper that has been gone for a day will not come back under its name.
    Row.objects.filter(seen__lt=now - timedelta(days=1)).delete()
    return list(running.filter(keeper=row).values_list("pk", flat=True))


def _is_here(table_id: int, index: int) -> bool:
    return Seat.objects.filter(table=table_id, index=index, seen__gt=timezone.now() - HERE).exists()


def _close_forsaken() -> None:
    now = timezone.now()
    idle = Table.objects.filter(status__in=(Table.Status.OPEN, Table.Status.OVER), house=False)
    for table in idle.filter(touched__lt=now - FORSAKEN).exclude(seats__seen__gt=now - HERE)[:100]:
        Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED)
        lobby.tell(table)


def _house_table(row: Row) -> None:
    """See that there is something to watch: open the house table, and begin its next match after a pause."""
    table = Table.objects.filter(house=True).exclude(status=Table.Status.CLOSED).first()
    if table is None:
        game = next(iter(catalogue.GAMES.values()))
        seats = [game.bots[0].name] * game.default_seats
        table = lobby.do_create_table(None, game, seats, seconds=15, house=True)
    elif table.status == Table.Status.PLAYING or table.touched > timezone.now() - HOUSE_PAUSE:
        return
    old = Match.objects.filter(table=table).order_by("-number").values_list("pk", flat=True)[HOUSE_KEPT:]
    Match.objects.filter(pk__in=list(old)).delete()
    try:
        rules.start_match(table.code, None, row)
    except Refused:
        log.debug("another process began the match at the house table")
