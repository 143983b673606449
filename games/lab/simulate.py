"""Matches between bots, one or a hundred thousand. Same seed, same result, whatever the number of workers.

Match ``i`` of a simulation is dealt from a sealed stream of its own, whose seed is made of the simulation's seed and
``i``: so any of them can be written down as a record and looked at. Bots draw from another stream.
"""

from __future__ import annotations

import hashlib
import logging
import math
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from games.core import BadOption, Bot, FastChance, Game, Information, Record, RulesFailed, SealedChance, State
from games.core.options import OptionValue
from games.lab import logs
from games.lab.guests import USUAL, Guest, GuestFailed, Limits, is_guest, seated
from games.lab.rates import wilson

log = logging.getLogger(__name__)
CHUNK = 500  # matches handed to a worker at once, at most
INTERRUPTED = 130  # what a shell reports for Ctrl-C


@dataclass(frozen=True)
class Plan:
    """Who plays what: enough to play match ``i`` of a simulation anywhere. ``options`` has a value for every option."""

    game: Game
    bots: tuple[str, ...]
    options: dict[str, OptionValue]
    seed: str
    limits: Limits = USUAL  # of guests: bots that are FILE.py:CLASS

    @classmethod
    def checked(cls, game: Game, bots: list[str], options: dict[str, str], seed: str, limits: Limits = USUAL) -> Plan:
        """Return a plan that can be played. Raises BadOption."""
        game.check_seats(len(bots))
        for bot in dict.fromkeys(bots):
            if is_guest(bot):
                Guest(bot, game.name, limits).check()
            else:
                game.bot(bot)
        plan = cls(game, tuple(bots), game.check_options(options), seed, limits)
        try:
            game.new(len(bots), plan.options, SealedChance(plan.match_seed(0)))
        except BadOption:  # some options depend on each other
            raise
        except Exception as error:  # counted with the matches
            log.debug("the first deal failed: %r", error)
        return plan

    def match_seed(self, index: int) -> bytes:
        """Return the seed of match ``index``."""
        return hashlib.sha256(f"{self.seed}/{index}".encode()).digest()

    def seat_bots(self) -> list[Bot]:
        """Return a bot for each seat."""
        return [
            seated(name, self.game.name, seat, self.limits) if is_guest(name) else self.game.bot(name)
            for seat, name in enumerate(self.bots)
        ]


@dataclass
class Played:
    """A match between bots. A bot that failed had the first of its legal moves made for it."""

    moves: list[tuple[int, str]] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    options: int = 0  # legal moves, summed over all decisions
    forced: int = 0  # decisions with only one legal move
    failures: Counter[str] = field(default_factory=Counter)  # of bots, by bot and kind
    reports: dict[str, str] = field(default_factory=dict)  # by failure, what is known of the first of its kind
    broken: RulesFailed | None = None  # why there is no end: the rules broke down


def play_match(plan: Plan, index: int) -> Played:
    """Play match ``index`` to its end. Raises GuestFailed when a guest fails and the plan says to abort."""
    played = Played()
    try:
        _play_on(plan, index, played)
    except GuestFailed:
        raise
    except RulesFailed as failed:
        played.broken = failed
    except Exception as error:  # bots' own are dealt with where they decide, so these are the rules'
        played.broken = RulesFailed.by(error, f"in match {index}, move {len(played.moves) + 1},")
    return played


def _play_on(plan: Plan, index: int, played: Played) -> None:
    game = plan.game
    bots = plan.seat_bots()
    thoughts = FastChance(f"{plan.seed}/{index}")
    state = game.start(len(plan.bots), plan.options, SealedChance(plan.match_seed(index)))
    state.lines = None
    while seats := state.to_act():
        seat, count = seats[0], len(played.moves)
        if count >= game.longest:
            raise RulesFailed("too long", f"Match {index}: after {count:,} decisions there is no end of it in sight.")
        legal = state.legal_moves(seat)
        try:
            move = _ask(bots[seat], game, state, seat, thoughts, legal)
        except GuestFailed as failed:
            _note(plan, index, played, seat, failed)
            move = legal[0]
        state.apply(seat, move)
        played.moves.append((seat, move))
        played.options += len(legal)
        played.forced += len(legal) == 1
    played.scores, played.winners = state.scores(), state.winners()


def _ask(bot: Bot, game: Game, state: State[Any], seat: int, thoughts: FastChance, legal: list[str]) -> str:
    """Return the move of a bot. Raises GuestFailed, whatever it does wrong."""
    if type(bot) is Guest:  # and no subclass: asking an abstract class for its instances is slow
        bot.arrive()
    info = Information.of(game, state, seat, thoughts, bot.needs, legal)
    try:
        move = bot.choose(info)
    except GuestFailed:
        raise
    except Exception as error:
        raise GuestFailed(type(error).__name__, "".join(traceback.format_exception(error))) from error
    if move not in legal:
        raise GuestFailed("illegal move", f"It chose {str(move)[:80]!r}; it might have: {', '.join(legal)}.")
    return move


def _note(plan: Plan, index: int, played: Played, seat: int, failed: GuestFailed) -> None:
    """Note that a bot failed. Raises GuestFailed when it is a guest and the plan says to abort."""
    name = plan.bots[seat]
    told = f"Match {index}, move {len(played.moves) + 1}, seat {seat}: {failed}"
    if plan.limits.abort and is_guest(name):
        raise GuestFailed(failed.kind, f"{name} failed. {told}") from failed
    failure = f"{name}: {failed.kind}"
    played.failures[failure] += 1
    played.reports.setdefault(failure, told)


def record(plan: Plan, index: int) -> Record:
    """Play match ``index`` and write it down. Raises RulesFailed."""
    played = play_match(plan, index)
    if played.broken:
        raise played.broken
    return {
        "game": plan.game.name,
        "rules": plan.game.rules_version,
        "seats": len(plan.bots),
        "options": plan.options,
        "seed": plan.match_seed(index).hex(),
        "moves": played.moves,
        "names": [f"{bot} {seat}" for seat, bot in enumerate(plan.bots)],
    }


@dataclass
class Tally:
    """What some matches came to. Exact counts only, so that the order of adding up changes nothing."""

    matches: int = 0  # that came to an end
    wins: Counter[tuple[int, int]] = field(default_factory=Counter)  # (seat, how many shared the win)
    scores: Counter[tuple[int, float]] = field(default_factory=Counter)  # (seat, score)
    decisions: int = 0
    options: int = 0
    forced: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    reports: dict[str, tuple[int, str]] = field(default_factory=dict)  # by failure: (match, what is known of the first)
    broken: Counter[str] = field(default_factory=Counter)  # matches without an end, by what went wrong with the rules
    lost: list[int] = field(default_factory=list)  # matches that the seat in question did not win or share

    def add(self, index: int, played: Played, lost_by: int | None) -> None:
        """Count a match, and list it if seat ``lost_by`` has no share in the win."""
        self.failures += played.failures
        self._hear({failure: (index, told) for failure, told in played.reports.items()})
        if played.broken:
            kind = f"rules: {played.broken.kind}"
            self.broken[kind] += 1
            self._hear({kind: (index, played.broken.text)})
            return
        self.matches += 1
        self.wins.update((seat, len(played.winners)) for seat in played.winners)
        self.scores.update(enumerate(played.scores))
        self.decisions += len(played.moves)
        self.options += played.options
        self.forced += played.forced
        if lost_by is not None and lost_by not in played.winners:
            self.lost.append(index)

    def merge(self, other: Tally) -> None:
        """Count what another tally has counted."""
        self.matches += other.matches
        self.wins += other.wins
        self.scores.update(other.scores)
        self.decisions += other.decisions
        self.options += other.options
        self.forced += other.forced
        self.failures += other.failures
        self.broken += other.broken
        self._hear(other.reports)
        self.lost += other.lost

    @property
    def played(self) -> int:
        """How many matches were begun: those that ended, and those whose rules broke down."""
        return self.matches + self.broken.total()

    def _hear(self, reports: dict[str, tuple[int, str]]) -> None:
        for failure, report in reports.items():
            self.reports[failure] = min(report, self.reports.get(failure, report))


class SeatReport(TypedDict):
    """How a seat did: matches won, a tie shared by k counting 1/k, Wilson's interval of their rate, the mean score."""

    bot: str
    wins: float
    interval: tuple[float, float]
    mean_score: float


class Report(TypedDict):
    """What a simulation found; ``--json`` prints it with ``seconds``, and ``lost`` where it was asked for."""

    game: str
    seed: str
    options: dict[str, OptionValue]
    matches: int
    seats: list[SeatReport]
    decisions_per_match: float
    options_per_decision: float
    forced: float  # share of the decisions that had only one legal move
    failures: dict[str, int]  # of bots
    broken: dict[str, int]  # matches that are not among ``matches``, because the rules broke down


def report(plan: Plan, tally: Tally) -> Report:
    """Return the figures of a tally. Raises RulesFailed when not one match came to an end."""
    if not tally.matches:
        kind = min(tally.broken)
        raise RulesFailed(kind.removeprefix("rules: "), tally.reports[kind][1])
    seats: list[SeatReport] = []
    for seat, bot in enumerate(plan.bots):
        wins = math.fsum(count / k for (who, k), count in sorted(tally.wins.items()) if who == seat)
        points = math.fsum(score * count for (who, score), count in sorted(tally.scores.items()) if who == seat)
        interval = wilson(wins, tally.matches)
        seats.append({"bot": bot, "wins": wins, "interval": interval, "mean_score": points / tally.matches})
    return {
        "game": plan.game.name,
        "seed": plan.seed,
        "options": plan.options,
        "matches": tally.matches,
        "seats": seats,
        "decisions_per_match": tally.decisions / tally.matches,
        "options_per_decision": tally.options / tally.decisions,
        "forced": tally.forced / tally.decisions,
        "failures": dict(sorted(tally.failures.items())),
        "broken": dict(sorted(tally.broken.items())),
    }


def simulate(
    plan: Plan,
    matches: int,
    *,
    workers: int = 1,
    lost_by: int | None = None,
    log_dir: Path | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Tally:
    """Play matches 0 to ``matches`` - 1, in ``workers`` processes, and count what comes of them.

    ``lost_by``: a seat; the matches it has no share in winning are listed. ``log_dir``: a folder, made if there is
    none, that gets a log of every match. ``progress`` hears of every few matches.
    """
    if log_dir:
        log_dir.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    for part in _parts(plan, matches, workers, lost_by, log_dir):
        tally.merge(part)
        progress(part.played)
    tally.lost.sort()
    return tally


def _parts(plan: Plan, matches: int, workers: int, lost_by: int | None, log_dir: Path | None) -> Iterator[Tally]:
    size = min(CHUNK, max(1, matches // (workers * 20)))
    chunks = (range(first, min(first + size, matches)) for first in range(0, matches, size))
    if workers == 1:
        for chunk in chunks:
            yield play_chunk(plan, chunk, lost_by, log_dir)
        return
    # Spawned, not forked: a progress bar runs in a thread of this process.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_the_parent) as pool:
        try:
            pending = set()
            for chunk in chunks:
                pending.add(pool.submit(_work, plan, chunk, lost_by, log_dir))
                if len(pending) >= workers * 4:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in pending)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _end_with_the_parent() -> None:
    """Have this worker end when it is told to, or the process that started it is gone: without a traceback."""
    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # else a script runs it in the background
        numbers.append(signal.SIGINT)
    for number in numbers:
        signal.signal(number, _leave)
    threading.Thread(target=_watch_the_parent, daemon=True).start()


_playing = False  # whether this worker has something to tidy up before it ends


def _leave(*_: object) -> None:
    """End this worker. Only while it plays by an exception: anywhere else there is somebody who would report that."""
    if _playing:
        # Told twice, as by Ctrl-C and by the pool, it would be interrupted in what the first exception leads to: the
        # pool would then report the second, and wait for ever if another worker has died with the lock for reports.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        sys.exit(INTERRUPTED)
    os._exit(INTERRUPTED)


def _watch_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _work(plan: Plan, indexes: range, lost_by: int | None, log_dir: Path | None) -> Tally:
    """Play some matches in a worker."""
    global _playing
    try:
        try:
            _playing = True
            return play_chunk(plan, indexes, lost_by, log_dir)
        finally:
            _playing = False
    except SystemExit:
        # What was being written has been tidied up. The pool would go on to the next chunk.
        os._exit(INTERRUPTED)


def play_chunk(plan: Plan, indexes: range, lost_by: int | None, log_dir: Path | None) -> Tally:
    """Play some matches and count them."""
    tally = Tally()
    for index in indexes:
        played = play_match(plan, index)
        tally.add(index, played, lost_by)
        if log_dir and not played.broken:
            write_log(plan, index, played.moves, log_dir)
    return tally


def write_log(plan: Plan, index: int, moves: list[tuple[int, str]], folder: Path) -> None:
    """Write the log of a match that has been played."""
    chance = SealedChance(plan.match_seed(index))
    rows = plan.game.log_rows(len(plan.bots), plan.options, chance, moves)
    logs.write(folder / logs.file_name(index), rows)
