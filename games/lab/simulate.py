"""Simulations: matches between bots. The same seed gives the same result for any number of workers.

Match ``i`` is dealt from its own sealed stream, whose seed is derived from the simulation's seed and ``i``, so any
match can be recorded and replayed. Bots draw from another stream.
"""

from __future__ import annotations

import hashlib
import logging
import math
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypedDict, cast

from games import catalogue
from games.core import BadOption, Bot, FastChance, Game, Information, Record, RulesFailed, SealedChance, State
from games.core.options import OptionValue
from games.core.ranks import win_shares
from games.core.state import Keeps
from games.lab import logs
from games.lab.intervals import wilson
from games.lab.plugins import USUAL, PluginBot, PluginFailed, PluginLimits, is_plugin, seated
from games.lab.pool import Workers, in_workers, program
from games.lab.saved import PLAYED, QUICK, MatchFile, as_line, claim, portions

log = logging.getLogger(__name__)
CHUNK = 500  # maximum number of matches per task
MANY = 64  # assumed number of workers of a cluster
FORMAT = 1  # of the lines in a folder; increase it when their meaning changes
LINES = "simulation.jsonl"


@dataclass(frozen=True)
class Simulation:
    """Who plays what: enough to play match ``i`` of a simulation anywhere. ``options`` has a value for every option."""

    game: Game
    bots: tuple[str, ...]
    options: dict[str, OptionValue]
    seed: str
    limits: PluginLimits = USUAL  # of plug-in bots (FILE.py:CLASS)
    audit: bool = True  # see ``State.audited``; no figure depends on it

    @classmethod
    def checked(
        cls,
        game: Game,
        bots: list[str],
        options: dict[str, str],
        seed: str,
        limits: PluginLimits = USUAL,
        *,
        audit: bool = True,
    ) -> Simulation:
        """Return a simulation that can be played. Raises BadOption."""
        game.check_seats(len(bots))
        for bot in dict.fromkeys(bots):
            if is_plugin(bot):
                PluginBot(bot, game.name, limits).check()
            else:
                catalogue.bot(game, bot, len(bots))
        simulation = cls(game, tuple(bots), game.check_options(options), seed, limits, audit)
        try:
            game.new(len(bots), simulation.options, SealedChance(simulation.match_seed(0)))
        except BadOption:  # contradictory options
            raise
        except Exception as error:  # counted with the matches
            log.debug("the first deal failed: %r", error)
        return simulation

    def match_seed(self, index: int) -> bytes:
        """Return the seed of match ``index``."""
        return hashlib.sha256(f"{self.seed}/{index}".encode()).digest()

    def deal(self, index: int, keeps: Keeps) -> State[Any]:
        """Start match ``index``, of which only so much is kept."""
        chance = SealedChance(self.match_seed(index))
        state = self.game.start_keeping(keeps, len(self.bots), self.options, chance)
        state.audited = self.audit
        return state

    def settings(self) -> dict[str, Any]:
        """Return everything its figures depend on, except the number of matches. Raises OSError."""
        plugins = {
            name: _digest(PluginBot(name, self.game.name, self.limits).file) for name in self.bots if is_plugin(name)
        }
        return {
            "format": FORMAT,
            "program": program(),
            "game": self.game.name,
            "rules": self.game.rules_version,
            "options": self.options,
            "bots": list(self.bots),
            "seed": self.seed,
            "plugins": plugins,
            "limits": [self.limits.seconds, self.limits.megabytes, self.limits.terminal] if plugins else [],
        }

    @property
    def is_slow(self) -> bool:
        """Whether matches may take long: a bot searches, or is a plug-in bot."""
        return any(is_plugin(name) or catalogue.bot(self.game, name).needs == "determinizations" for name in self.bots)

    def seat_bots(self) -> list[Bot]:
        """Return a bot for each seat."""
        return [
            seated(name, self.game.name, seat, self.limits) if is_plugin(name) else catalogue.bot(self.game, name)
            for seat, name in enumerate(self.bots)
        ]


@dataclass
class PlayedMatch:
    """A match between bots. For a bot that fails, the first legal move is made."""

    simulation: Simulation
    index: int
    choices: list[tuple[int, str | int]] = field(default_factory=list)  # (seat, move or its number), in order
    scores: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    options: int = 0  # legal moves, summed over all decisions
    forced: int = 0  # decisions with only one legal move
    failures: Counter[str] = field(default_factory=Counter)  # by bot and kind
    reports: dict[str, str] = field(default_factory=dict)  # details of the first failure of each kind
    broken: RulesFailed | None = None  # the rules failed: there is no result

    @cached_property
    def moves(self) -> list[tuple[int, str]]:
        """Every (seat, move), in order. Moves that were chosen by number are found by playing the match again."""
        found: list[tuple[int, str]] = []
        state = self.simulation.deal(self.index, "nothing")
        for seat, choice in self.choices:
            move = choice if isinstance(choice, str) else state.legal_moves(seat)[choice]
            state.apply(seat, move)
            found.append((seat, move))
        return found


def play_match(simulation: Simulation, index: int) -> PlayedMatch:
    """Play match ``index`` to its end. Raises PluginFailed if a plug-in bot fails and the simulation says to abort."""
    played = PlayedMatch(simulation, index)
    try:
        _play_on(played)
    except PluginFailed:
        raise
    except RulesFailed as failed:
        played.broken = failed
    except Exception as error:  # bots' exceptions are handled in ``_ask``, so these come from the rules
        played.broken = RulesFailed.by(error, f"in match {index}, move {len(played.choices) + 1},")
    return played


def _play_on(played: PlayedMatch) -> None:
    simulation, choices, game = played.simulation, played.choices, played.simulation.game
    bots = simulation.seat_bots()
    chance = FastChance(f"{simulation.seed}/{played.index}")
    # Bots that ask for moves only look at nothing else.
    state = simulation.deal(played.index, "nothing" if all(bot.needs == "moves" for bot in bots) else "sight")
    while seats := state.to_act():
        seat, bot = seats[0], bots[seats[0]]
        if len(choices) >= game.longest:
            raise RulesFailed("too long", f"Match {played.index} has not ended after {len(choices):,} decisions.")
        if bot.reads:
            legal = state.legal_moves(seat)
            try:
                move = _ask(bot, game, state, seat, chance, legal)
            except PluginFailed as failed:
                _note(played, seat, failed)
                move = legal[0]
            state.apply(seat, move)
            choices.append((seat, move))
            count = len(legal)
        else:
            options = state.options(seat)
            count = len(options)
            number = bot.number(count, chance)
            state.take(seat, options[number])
            choices.append((seat, number))
        played.options += count
        played.forced += count == 1
    played.scores, played.ranks, played.winners = state.scores(), list(state.ranks()), state.winners()


def _ask(bot: Bot, game: Game, state: State[Any], seat: int, chance: FastChance, legal: list[str]) -> str:
    """Return the move of a bot. Raises PluginFailed for anything it does wrong."""
    if type(bot) is PluginBot:  # faster than isinstance, which is slow for abstract classes
        bot.start()
    info = Information.of(game, state, seat, chance, bot.needs, legal)
    try:
        move = bot.choose(info)
    except PluginFailed:
        raise
    except Exception as error:
        raise PluginFailed(type(error).__name__, "".join(traceback.format_exception(error))) from error
    if move not in legal:
        raise PluginFailed("illegal move", f"It chose {str(move)[:80]!r}. The legal moves were: {', '.join(legal)}.")
    return move


def _note(played: PlayedMatch, seat: int, failed: PluginFailed) -> None:
    """Count a bot's failure. Raises PluginFailed if it is a plug-in bot and the simulation says to abort."""
    simulation = played.simulation
    name = simulation.bots[seat]
    details = f"Match {played.index}, move {len(played.choices) + 1}, seat {seat}: {failed}"
    if simulation.limits.abort and is_plugin(name):
        raise PluginFailed(failed.kind, f"{name} failed. {details}") from failed
    failure = f"{name}: {failed.kind}"
    played.failures[failure] += 1
    played.reports.setdefault(failure, details)


class MatchRow(TypedDict):
    """What is saved of a match: everything that is counted."""

    index: int
    decisions: int
    options: int
    forced: int
    scores: list[float]
    ranks: list[int]
    winners: list[int]
    failures: dict[str, int]
    reports: dict[str, str]  # of failures, the first of each kind
    broken: str  # the kind of failure of the rules, "" if they did not fail
    text: str  # its details


def row(index: int, played: PlayedMatch) -> MatchRow:
    """Return what is kept of a match."""
    return {
        "index": index,
        "decisions": len(played.choices),
        "options": played.options,
        "forced": played.forced,
        "scores": played.scores,
        "ranks": played.ranks,
        "winners": played.winners,
        "failures": dict(played.failures),
        "reports": played.reports,
        "broken": played.broken.kind if played.broken else "",
        "text": played.broken.text if played.broken else "",
    }


def record(simulation: Simulation, index: int) -> Record:
    """Play match ``index`` and return its record. Raises RulesFailed."""
    played = play_match(simulation, index)
    if played.broken:
        raise played.broken
    return {
        "game": simulation.game.name,
        "rules": simulation.game.rules_version,
        "seats": len(simulation.bots),
        "options": simulation.options,
        "seed": simulation.match_seed(index).hex(),
        "moves": played.moves,
        "names": [f"{bot} {seat}" for seat, bot in enumerate(simulation.bots)],
        "result": [
            {"score": score, "share": share}
            for score, share in zip(played.scores, win_shares(played.winners, len(simulation.bots)), strict=True)
        ],
    }


@dataclass
class Tally:
    """The results of some matches. Exact counts only, so that the order of adding up changes nothing."""

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

    def add(self, row: MatchRow, lost_by: int | None) -> None:
        """Count a match, and list it if seat ``lost_by`` has no share in the win."""
        index, winners = row["index"], row["winners"]
        self.failures.update(row["failures"])
        self._note_reports({failure: (index, details) for failure, details in row["reports"].items()})
        if row["broken"]:
            kind = f"rules: {row['broken']}"
            self.broken[kind] += 1
            self._note_reports({kind: (index, row["text"])})
            return
        self.matches += 1
        self.wins.update((seat, len(winners)) for seat in winners)
        self.scores.update(enumerate(row["scores"]))
        self.decisions += row["decisions"]
        self.options += row["options"]
        self.forced += row["forced"]
        if lost_by is not None and lost_by not in winners:
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
        self._note_reports(other.reports)
        self.lost += other.lost

    @property
    def played(self) -> int:
        """How many matches were begun: those that ended, and those whose rules failed."""
        return self.matches + self.broken.total()

    def _note_reports(self, reports: dict[str, tuple[int, str]]) -> None:
        for failure, report in reports.items():
            self.reports[failure] = min(report, self.reports.get(failure, report))


class SeatReport(TypedDict):
    """How a seat did: matches won, a tie shared by k counting 1/k, Wilson's interval of their rate, the mean score."""

    bot: str
    wins: float
    interval: tuple[float, float]
    mean_score: float


class Sample(TypedDict):
    """The first failure of its kind: in which match, and what is known of it."""

    match: int
    text: str


class _Failures(TypedDict):
    failures: dict[str, int]  # of bots
    broken: dict[str, int]  # matches that are not among ``matches``, because the rules failed
    samples: dict[str, Sample]  # of each kind of ``failures`` and ``broken``


class SimulationReport(_Failures):
    """What a simulation found; ``--json`` prints it with ``seconds``, and ``lost`` where it was asked for."""

    game: str
    seed: str
    options: dict[str, OptionValue]
    matches: int
    seats: list[SeatReport]
    decisions_per_match: float
    options_per_decision: float
    forced: float  # share of the decisions that had only one legal move


def report(simulation: Simulation, tally: Tally) -> SimulationReport:
    """Return the figures of a tally. Raises RulesFailed when not one match came to an end."""
    if not tally.matches:
        kind = min(tally.broken)
        raise RulesFailed(kind.removeprefix("rules: "), tally.reports[kind][1])
    seats: list[SeatReport] = []
    for seat, bot in enumerate(simulation.bots):
        wins = math.fsum(count / k for (winner, k), count in sorted(tally.wins.items()) if winner == seat)
        points = math.fsum(score * count for (winner, score), count in sorted(tally.scores.items()) if winner == seat)
        interval = wilson(wins, tally.matches)
        seats.append({"bot": bot, "wins": wins, "interval": interval, "mean_score": points / tally.matches})
    return {
        "game": simulation.game.name,
        "seed": simulation.seed,
        "options": simulation.options,
        "matches": tally.matches,
        "seats": seats,
        "decisions_per_match": tally.decisions / tally.matches,
        "options_per_decision": tally.options / tally.decisions,
        "forced": tally.forced / tally.decisions,
        **_failures(tally),
    }


def report_without_result(simulation: Simulation, tally: Tally) -> dict[str, object]:
    """Return what ``report`` would, with None for each figure, of a tally in which not one match came to an end."""
    return {
        "game": simulation.game.name,
        "seed": simulation.seed,
        "options": simulation.options,
        "matches": 0,
        "seats": [{"bot": bot, "wins": None, "interval": None, "mean_score": None} for bot in simulation.bots],
        "decisions_per_match": None,
        "options_per_decision": None,
        "forced": None,
        **_failures(tally),
    }


def _failures(tally: Tally) -> _Failures:
    return {
        "failures": dict(sorted(tally.failures.items())),
        "broken": dict(sorted(tally.broken.items())),
        "samples": {kind: {"match": match, "text": text} for kind, (match, text) in sorted(tally.reports.items())},
    }


def simulate(
    simulation: Simulation,
    matches: int,
    *,
    workers: Workers = 1,
    lost_by: int | None = None,
    log_dir: Path | None = None,
    folder: Path | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Tally:
    """Play matches 0 to ``matches`` - 1, in ``workers`` processes, and count the results.

    ``lost_by`` is a seat; the matches it did not win are listed. ``log_dir`` is a folder for a log of every match, made
    if necessary. ``folder`` is another one, which saves each match; saved matches are not played again, unless their
    log is missing. ``progress`` is called with the number of new matches, first with that of saved ones. Raises
    BadOption if the folder has matches of other settings, or the workers cannot be started; ClusterFailed, OSError.
    """
    if log_dir:
        log_dir.mkdir(parents=True, exist_ok=True)
    tally = Tally()
    if folder:
        for each in _kept(simulation, matches, workers, log_dir, folder, progress).first(matches):
            tally.add(cast(MatchRow, each), lost_by)
        return tally
    for part in _parts(simulation, matches, workers, lost_by, log_dir):
        tally.merge(part)
        progress(part.played)
    tally.lost.sort()
    return tally


def _parts(
    simulation: Simulation, matches: int, workers: Workers, lost_by: int | None, log_dir: Path | None
) -> Iterator[Tally]:
    many = workers if isinstance(workers, int) else MANY
    size = min(CHUNK, max(1, matches // (many * 20)))
    chunks = (range(first, min(first + size, matches)) for first in range(0, matches, size))
    work = partial(play_chunk, simulation, lost_by=lost_by, log_dir=log_dir)
    return in_workers(work, chunks, workers)


def _kept(
    simulation: Simulation,
    matches: int,
    workers: Workers,
    log_dir: Path | None,
    folder: Path,
    progress: Callable[[int], object],
) -> MatchFile:
    """Play those matches that a folder does not keep, or that have no log yet, and return its lines."""
    claim(folder, simulation.settings())
    lines = lines_in(folder)
    progress(lines.count(matches))

    def is_missing(index: int) -> bool:
        return index not in lines or bool(log_dir and not (log_dir / logs.file_name(index)).exists())

    left = portions(filter(is_missing, range(matches)), 1 if simulation.is_slow else QUICK)
    for some, results in in_workers(partial(_play_rows, simulation, log_dir=log_dir), left, workers):
        progress(lines.add(some, results))
    return lines


def lines_in(folder: Path) -> MatchFile:
    """Return the matches that a folder keeps of a simulation, a ``MatchRow`` each. Raises BadOption, OSError."""
    return MatchFile(folder / PLAYED / LINES)


def play_chunk(simulation: Simulation, indexes: range, lost_by: int | None, log_dir: Path | None) -> Tally:
    """Play some matches and count them."""
    tally = Tally()
    for each in _rows(simulation, indexes, log_dir):
        tally.add(each, lost_by)
    return tally


def _play_rows(simulation: Simulation, indexes: list[int], log_dir: Path | None) -> tuple[list[int], list[str]]:
    return indexes, [as_line(each) for each in _rows(simulation, indexes, log_dir)]


def _rows(simulation: Simulation, indexes: Iterable[int], log_dir: Path | None) -> Iterator[MatchRow]:
    for index in indexes:
        played = play_match(simulation, index)
        if log_dir and not played.broken:
            write_log(simulation, index, played.moves, log_dir)
        yield row(index, played)


def write_log(simulation: Simulation, index: int, moves: list[tuple[int, str]], folder: Path) -> None:
    """Write the log of a match that has been played."""
    chance = SealedChance(simulation.match_seed(index))
    rows = simulation.game.log_rows(len(simulation.bots), simulation.options, chance, moves)
    logs.write(folder / logs.file_name(index), rows)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
