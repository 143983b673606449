"""Matches between bots, one or a hundred thousand. Same seed, same result, whatever the number of workers.

Match ``i`` of a simulation is dealt from a sealed stream of its own, whose seed is made of the simulation's seed and
``i``: so any of them can be written down as a record and looked at. Bots draw from another stream.
"""

from __future__ import annotations

import hashlib
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
from typing import TypedDict

from games import catalogue
from games.core import Bot, FastChance, Information, Record, SealedChance, winners
from games.core.game import OptionValue
from games.lab import logs
from games.lab.guests import USUAL, Guest, GuestFailed, Limits, is_guest, seated
from games.lab.rates import wilson

CHUNK = 500  # matches handed to a worker at once, at most
INTERRUPTED = 130  # what a shell reports for Ctrl-C


@dataclass(frozen=True)
class Plan:
    """Who plays what: enough to play match ``i`` of a simulation anywhere. ``options`` has a value for every option."""

    game: str
    bots: tuple[str, ...]
    options: dict[str, OptionValue]
    seed: str
    limits: Limits = USUAL  # of guests: bots that are FILE.py:CLASS

    @classmethod
    def checked(cls, game: str, bots: list[str], options: dict[str, str], seed: str, limits: Limits = USUAL) -> Plan:
        """Return a plan that can be played. Raises UnknownGame and BadOption."""
        found = catalogue.find(game)
        found.check_seats(len(bots))
        for bot in dict.fromkeys(bots):
            if is_guest(bot):
                Guest(bot, game, limits).check()
            else:
                found.bot(bot)
        plan = cls(game, tuple(bots), found.check_options(options), seed, limits)
        found.new(len(bots), plan.options, SealedChance(plan.match_seed(0)))  # some options depend on each other
        return plan

    def match_seed(self, index: int) -> bytes:
        """Return the seed of match ``index``."""
        return hashlib.sha256(f"{self.seed}/{index}".encode()).digest()

    def seat_bots(self) -> list[Bot]:
        """Return a bot for each seat."""
        game = catalogue.find(self.game)
        return [
            seated(name, self.game, seat, self.limits) if is_guest(name) else game.bot(name)
            for seat, name in enumerate(self.bots)
        ]


@dataclass
class Played:
    """A match between bots. A bot that failed had a move made for it: see ``Game.instead``."""

    moves: list[tuple[int, str]]
    scores: list[float]
    options: int  # legal moves, summed over all decisions
    failures: Counter[str]
    reports: dict[str, str]  # by failure, what is known of the first of its kind


def play(plan: Plan, index: int) -> Played:
    """Play match ``index`` to its end. Raises GuestFailed when a guest fails and the plan says to abort."""
    game = catalogue.find(plan.game)
    state = game.start(len(plan.bots), plan.options, SealedChance(plan.match_seed(index)))
    state.lines = None
    bots = plan.seat_bots()
    thoughts = FastChance(f"{plan.seed}/{index}")
    played = Played([], [], 0, Counter(), {})
    while seats := state.to_act():
        seat = seats[0]
        info = Information(state, seat, thoughts)
        legal = info.legal_moves
        try:
            move = bots[seat].choose(info)
            if move not in legal:
                raise GuestFailed("illegal move", f"It chose {move[:80]!r}; it might have: {', '.join(legal)}.")
        except Exception as error:  # whatever a bot does wrong, the run goes on
            kind, told = type(error).__name__, "".join(traceback.format_exception(error))
            if isinstance(error, GuestFailed):
                kind, told = error.kind, str(error)
            failure = f"{plan.bots[seat]}: {kind}"
            told = f"Match {index}, move {len(played.moves) + 1}, seat {seat}: {told}"
            if plan.limits.abort and is_guest(plan.bots[seat]):
                raise GuestFailed(kind, f"{plan.bots[seat]} failed. {told}") from error
            played.failures[failure] += 1
            played.reports.setdefault(failure, told)
            move = game.instead if game.instead in legal else thoughts.choice(legal)
        state.apply(seat, move)
        played.moves.append((seat, move))
        played.options += len(legal)
    played.scores = state.scores()
    return played


def record(plan: Plan, index: int) -> Record:
    """Play match ``index`` and write it down."""
    return {
        "game": plan.game,
        "seats": len(plan.bots),
        "options": plan.options,
        "seed": plan.match_seed(index).hex(),
        "moves": play(plan, index).moves,
        "names": [f"{bot} {seat}" for seat, bot in enumerate(plan.bots)],
    }


@dataclass
class Tally:
    """What some matches came to. Exact counts only, so that the order of adding up changes nothing."""

    matches: int = 0
    wins: Counter[tuple[int, int]] = field(default_factory=Counter)  # (seat, how many shared the win)
    scores: Counter[tuple[int, float]] = field(default_factory=Counter)  # (seat, score)
    decisions: int = 0
    options: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    reports: dict[str, tuple[int, str]] = field(default_factory=dict)  # by failure: (match, what is known of the first)
    lost: list[int] = field(default_factory=list)  # matches that the seat in question did not win or share

    def add(self, index: int, played: Played, lost_by: int | None) -> None:
        """Count a match, and list it if seat ``lost_by`` has no share in the win."""
        best = winners(played.scores)
        self.matches += 1
        self.wins.update((seat, len(best)) for seat in best)
        self.scores.update(enumerate(played.scores))
        self.decisions += len(played.moves)
        self.options += played.options
        self.failures += played.failures
        self._hear({failure: (index, told) for failure, told in played.reports.items()})
        if lost_by is not None and lost_by not in best:
            self.lost.append(index)

    def merge(self, other: Tally) -> None:
        """Count what another tally has counted."""
        self.matches += other.matches
        self.wins += other.wins
        self.scores.update(other.scores)
        self.decisions += other.decisions
        self.options += other.options
        self.failures += other.failures
        self._hear(other.reports)
        self.lost += other.lost

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
    failures: dict[str, int]


def report(plan: Plan, tally: Tally) -> Report:
    """Return the figures of a tally."""
    seats: list[SeatReport] = []
    for seat, bot in enumerate(plan.bots):
        wins = math.fsum(count / k for (who, k), count in sorted(tally.wins.items()) if who == seat)
        points = math.fsum(score * count for (who, score), count in sorted(tally.scores.items()) if who == seat)
        interval = wilson(wins, tally.matches)
        seats.append({"bot": bot, "wins": wins, "interval": interval, "mean_score": points / tally.matches})
    return {
        "game": plan.game,
        "seed": plan.seed,
        "options": plan.options,
        "matches": tally.matches,
        "seats": seats,
        "decisions_per_match": tally.decisions / tally.matches,
        "options_per_decision": tally.options / tally.decisions,
        "failures": dict(sorted(tally.failures.items())),
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
        progress(part.matches)
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
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(INTERRUPTED))
    threading.Thread(target=_watch_the_parent, daemon=True).start()


def _watch_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _work(plan: Plan, indexes: range, lost_by: int | None, log_dir: Path | None) -> Tally:
    """Play some matches in a worker."""
    try:
        return play_chunk(plan, indexes, lost_by, log_dir)
    except SystemExit:
        # What was being written has been tidied up. The pool would go on to the next chunk.
        os._exit(INTERRUPTED)


def play_chunk(plan: Plan, indexes: range, lost_by: int | None, log_dir: Path | None) -> Tally:
    """Play some matches and count them."""
    tally = Tally()
    for index in indexes:
        played = play(plan, index)
        tally.add(index, played, lost_by)
        if log_dir:
            write_log(plan, index, played.moves, log_dir)
    return tally


def write_log(plan: Plan, index: int, moves: list[tuple[int, str]], folder: Path) -> None:
    """Write the log of a match that has been played."""
    chance = SealedChance(plan.match_seed(index))
    rows = catalogue.find(plan.game).log_rows(len(plan.bots), plan.options, chance, moves)
    logs.write(folder / logs.file_name(index), rows)
