"""The scheduler: runs the bots and clocks of this process's matches, and takes over matches of lost processes.

All its data is in the database, too: which process runs which match, and since when a seat has been to act.
"""

from __future__ import annotations

import asyncio
from functools import partial

import structlog
from django.conf import settings
from django.utils import timezone

from cardsite import costs, metrics
from cardsite.database import DATABASE_UNAVAILABLE, in_thread
from cardsite.events import MatchStarted, TableChanged
from cardsite.lobby.games import is_correspondence
from cardsite.lobby.models import HERE, Seat
from cardsite.lobby.services import lifecycle, presence
from cardsite.refusal import Refused
from cardsite.server.bots import BotPool
from cardsite.server.events import Events, MatchEnded, MovePlayed, OccupantsRead
from cardsite.server.live import LiveMatch, now_ms
from cardsite.server.match_copy import Question
from cardsite.server.match_workers import workers
from cardsite.server.referee import Referee
from cardsite.server.tasks import Tasks
from cardsite.server.turns import Turns
from cardsite.table.models import Match, ServerProcess
from cardsite.table.moves import moment_of
from cardsite.table.services.beginnings import EACH_ROUND, do_start_seeks
from cardsite.table.services.chores import do_keep_house_table
from cardsite.table.services.matches import do_lose_by_time
from cardsite.table.services.processes import (
    do_claim,
    do_end_abandoned,
    do_sign_in,
    do_sign_out,
    do_suspend,
    this_process,
)

# How long a match stops when the process that runs it is lost. Its matches are free LOST (7 s) after its last sign of
# life: table/services/processes.py. Another process looks for free matches every ROUND (2 s), with two database calls
# (1 s): 10 s in all, or 20 s if that process is lost, too. Differences between the machines' clocks are added to that,
# and the time in which the database is unreachable.
ROUND = 2.0  # seconds from one round to the next
BREATH = 0.5  # seconds of pause after a round that took that long or longer
IDLE = 60_000  # milliseconds that a decision is open before its match may be suspended
SOON = 600_000  # milliseconds: a match is not suspended if the time of a decision is up so soon
RETRY = 1.0  # seconds after which a decision that failed is tried again
MISSES = 2  # decisions in a row that a connected person misses before a bot takes over the seat

log = structlog.get_logger(__name__)


class Scheduler:
    """Runs the bots and clocks of one process."""

    def __init__(self, name: str, referee: Referee, events: Events, pool: BotPool, untrusted: BotPool) -> None:
        """``pool``: the processes for bots of the site's own games; ``untrusted``: those for games by visitors."""
        self.name = name
        self.row: ServerProcess | None = None
        self._referee = referee
        self._events = events
        self._pool = pool
        self._untrusted = untrusted
        self.running: set[int] = set()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._next_round = ROUND  # seconds from the beginning of this round
        self._idle: set[int] = set()  # matches that wait only for people, without a clock or with much time left
        self._deciding: set[tuple[int, int]] = set()  # (match, seat) that a bot is deciding for now
        self._turns = Turns()
        self._tasks = Tasks()
        self._loading: set[int] = set()  # matches that are being loaded, to be run by this process

    # -- rounds

    async def run(self) -> None:
        """Run rounds until cancelled: sign in, take over matches, keep the house table going, end abandoned matches."""
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            try:
                await self.round()
                metrics.rounds.set_to_current_time()
            except Exception:
                log.exception("maintenance round failed")
                self._next_round = RETRY  # after the database dropped several connections, each of them fails once
            await asyncio.sleep(max(BREATH, began + self._next_round - clock()))

    async def round(self) -> None:
        """Run one round."""
        self._next_round = ROUND
        self.row = this_process.row = await in_thread(do_sign_in)(self.name)
        alone = not settings.REDIS_URL
        before = set(self.running)
        ours = await in_thread(do_claim)(self.row, alone=alone)
        for match_id in before.difference(ours):  # another process has taken it over, or it has ended
            self.release(match_id)
        self._idle.intersection_update(self._referee.lives)
        for match_id in ours:
            if match_id not in self.running or (match_id not in self._timers and match_id not in self._idle):
                self._run_soon(match_id)  # a match that takes long to replay must not delay the others
        await self._suspend_idle(self.row)
        await in_thread(presence.do_pass_hosts)()
        await in_thread(do_end_abandoned)()
        await in_thread(presence.do_remind)()
        await in_thread(presence.do_notify_after_quiet_hours)()
        await in_thread(do_start_seeks)()
        for work in EACH_ROUND:
            await in_thread(work)()
        await in_thread(lifecycle.do_close_abandoned)()
        if settings.HOUSE_TABLE and (rest := await in_thread(do_keep_house_table)()):
            self._next_round = min(ROUND, rest.total_seconds())  # then it is time for the next match there

    def release(self, match_id: int) -> None:
        """Stop running a match."""
        self.running.discard(match_id)
        self._idle.discard(match_id)
        self._turns.forget(match_id)
        if timer := self._timers.pop(match_id, None):
            timer.cancel()

    async def run_match(self, match_id: int, *, compensated: bool = True) -> None:
        """Run a match from now on. ``compensated``: its clocks may have been compensated for lost time."""
        try:
            if compensated and match_id not in self.running and await self._referee.resync_clocks(match_id):
                await self._events.emit(TableChanged(self._referee.lives[match_id].code))  # other deadlines
            self.running.add(match_id)
            live = await self._referee.live(match_id)
            self.consider(live)
            if live.over:  # a player has resigned or was out of time
                await self._events.emit(MatchEnded(live, made_here=False))
        except (Refused, Match.DoesNotExist):  # it is dropped, or gone
            self.release(match_id)
        except DATABASE_UNAVAILABLE as error:
            log.error("match is waiting for the database", match=match_id, error=str(error).strip())
            self.release(match_id)  # the next round tries again

    def _run_soon(self, match_id: int, *, compensated: bool = True) -> None:
        """Load a match and run it from now on."""
        if match_id not in self._loading:
            self._loading.add(match_id)
            self._tasks.spawn(self._run_logged(match_id, compensated=compensated))

    async def _run_logged(self, match_id: int, *, compensated: bool) -> None:
        try:
            await self.run_match(match_id, compensated=compensated)
        except Exception:
            log.exception("match failed to advance", match=match_id)  # the next round tries again
        finally:
            self._loading.discard(match_id)

    async def _suspend_idle(self, row: ServerProcess) -> None:
        """Suspend the matches that wait only for people while none of these people is connected."""
        lives = [live for match_id in self._idle if (live := self._referee.lives.get(match_id))]
        idle = {
            live.id: moment_of(min(live.dues.values())) if live.dues else None
            for live in lives
            if max(live.since.values(), default=0) < now_ms() - IDLE
        }
        for match_id in await in_thread(do_suspend)(row, idle) if idle else []:
            self.release(match_id)
            self._referee.evict(match_id)

    async def resume(self, code: str) -> None:
        """Run the match of a table again if it was suspended: one of its players is back."""
        if self.row and await in_thread(_is_suspended)(code):
            for match_id in await in_thread(do_claim)(self.row, alone=False):
                if match_id not in self.running:
                    await self.run_match(match_id)

    # -- what is due

    def on_match_started(self, event: MatchStarted) -> None:
        """Run a match that was started by this process."""
        if self.row is not None and self.row.pk == event.process:
            self._run_soon(event.match, compensated=False)

    def on_move_played(self, event: MovePlayed) -> None:
        """Set the timer of the next decision."""
        self.consider(event.live)

    def on_occupants_read(self, event: OccupantsRead) -> None:
        """Set the timer again: the occupant, and the deadline with it, may have changed."""
        if live := self._referee.lives.get(event.match):
            self.consider(live)
        elif event.match in self.running:
            self._run_soon(event.match)

    def consider(self, live: LiveMatch) -> None:
        """Set the timer for the next deadline or bot move of a match."""
        if live.id not in self.running:
            return
        if timer := self._timers.pop(live.id, None):
            timer.cancel()
        self._idle.discard(live.id)
        self._turns.note(live)
        if live.over:
            self.running.discard(live.id)
            return
        due = live.dues
        if all(at > now_ms() + SOON for at in due.values()):
            self._idle.add(live.id)
        if to_come := [at for seat, at in due.items() if (live.id, seat) not in self._deciding]:
            wait = max(0.0, (min(to_come) - now_ms()) / 1000)
            self._timers[live.id] = asyncio.get_running_loop().call_later(wait, self._act, live.id)

    def _act(self, match_id: int) -> None:
        self._timers.pop(match_id, None)
        live = self._referee.lives.get(match_id)
        if live is None:
            self._run_soon(match_id)
            return
        for seat in live.since:
            due = live.due(seat)
            if due is not None and due <= now_ms() and (match_id, seat) not in self._deciding:
                self._deciding.add((match_id, seat))
                self._tasks.spawn(self._decide(live, seat))
        self.consider(live)

    async def _decide(self, live: LiveMatch, seat: int) -> None:
        """Have a bot decide for a seat: a bot's own seat, or that of a person who is away or out of time.

        Nobody decides where everybody can see that the seat must pass.
        """
        occupant, forced = live.occupants[seat], seat in live.must_pass
        by = "forced" if forced else "clock" if occupant.decides else "away" if occupant.person else "bot"
        try:
            decision = live.decisions[seat]
            if by == "clock" and live.loses_by_time(seat):
                await self._lose_by_time(live, seat, decision)
                return
            shown = live.since[seat] + int(settings.BOT_PACE * 1000)
            async with self._referee.rules_of(live.id):
                look = partial(self._question, live, seat, decision)
                charge = partial(costs.book, "bot", live.payers, live.code)
                pool = self._untrusted if live.game.untrusted else self._pool
                move = await pool.choose(live.game.name, (occupant.bot, live.game.house_bot), look, live.code, charge)
            if move is None:
                return
            if by != "clock":
                # Bots move at an even pace, however long they computed: a quick move would reveal that it was forced.
                await asyncio.sleep(max(0, shown - now_ms()) / 1000)
                if live.occupants[seat].decides and not forced:
                    return  # the person is back
            await self._referee.do_move(live.id, seat, decision, move, by)
            if by == "clock":
                await self._missed(live, seat)
        except Match.DoesNotExist:
            log.info("match is gone", match=live.id, seat=seat)  # a move was taken back, or it was removed
        except Refused as refusal:
            # The person was faster, or another process decided: the decision is made.
            log.info("decision was too late", match=live.id, seat=seat, code=refusal.code)
            if refusal.code == "illegal":  # the rules contradict themselves: pause before the next attempt
                await asyncio.sleep(RETRY)
        except Exception:
            log.exception("decision failed", match=live.id, seat=seat)
            await asyncio.sleep(RETRY)
        finally:
            self._deciding.discard((live.id, seat))
            if current := self._referee.lives.get(live.id):
                self.consider(current)
            elif live.id in self.running:
                self._run_soon(live.id)

    async def _lose_by_time(self, live: LiveMatch, seat: int, decision: int) -> None:
        """End a match of two that a person has lost, because their time is up. Raises Dropped."""
        async with live.lock:
            current = self._referee.lives.get(live.id) is live and seat in live.since
            if not current or live.decisions[seat] != decision or not live.loses_by_time(seat):
                return  # they were faster, or are on vacation
            try:
                await in_thread(do_lose_by_time)(live.id, seat, live.version)
                self._referee.evict(live.id)
                return
            except Refused as refusal:
                log.info("clock was too late", match=live.id, seat=seat, code=refusal.code)
        await self._referee.catch_up(live.id)  # another process has made a move, or a player has resigned
        await asyncio.sleep(RETRY)

    async def _question(self, live: LiveMatch, seat: int, decision: int, bot: str) -> Question | None:
        """Return the question for a bot, None if the decision was made meanwhile. Raises RulesFailed, Dropped."""
        async with live.lock:
            if self._referee.lives.get(live.id) is not live or seat not in live.since:
                return None
            if live.decisions[seat] != decision:
                return None
            return await live.question(seat, bot)

    async def _missed(self, live: LiveMatch, seat: int) -> None:
        """Handle a clock that ran out. If the person missed it before, a bot takes over.

        At once if they are not connected, unless the table is for people who come and go.
        """
        moves = zip(live.moves, live.by, strict=True)
        own = [by for (mover, _), by in moves if mover == seat and by != "forced"]
        again = len(own) >= MISSES and all(by in ("clock", "away") for by in own[-MISSES:])
        if again or not (is_correspondence(live.seconds) or await in_thread(_is_here)(live.table_id, seat)):
            await in_thread(presence.do_set_away)(live.code, seat, True)

    async def close(self) -> None:
        """Sign out, so that other processes can take over at once."""
        for match_id in list(self.running):
            self.release(match_id)  # or a decision that is cancelled would set the timer of the next attempt
        self._tasks.cancel()
        self._turns.close()
        self._pool.close()
        self._untrusted.close()
        workers.close()
        if self.row:
            this_process.row = None
            await in_thread(do_sign_out)(self.row)


def _is_suspended(code: str) -> bool:
    return Match.objects.filter(table__code=code, suspended_since__isnull=False, status=Match.Status.RUNNING).exists()


def _is_here(table_id: int, index: int) -> bool:
    return Seat.objects.filter(table=table_id, index=index, seen__gt=timezone.now() - HERE).exists()
