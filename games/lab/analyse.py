"""The matches behind a report: three runs or five, saved as they are played.

Each run has the same number of matches. In *search*, every seat takes the move that did best in k roll-outs of each
(``games.search.pimc``), and all estimates are recorded. In *random*, every seat takes any move. In *order*, seat 0
searches against random players. A solitaire game has only the first two: order would equal search.

Two more runs are played on request. In *strong*, every seat is the strong bot of the tables. In *duel*, one seat is,
each in turn, and the easy bot has the others.

Match ``i`` of a run is dealt from its own sealed stream, derived from the seed, the run and ``i``; so are the bots'
draws. So the figures do not depend on the number of processes or on interruptions. A folder has one line of JSON for
each match; a second run with the same settings continues it.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from games import catalogue
from games.core import BadOption, Bot, FastChance, Game, Information, RulesFailed, SealedChance, State
from games.core.options import OptionValue
from games.core.state import LONGEST_ROLLOUT
from games.lab.histories import DIGITS, DecisionRecord, History, as_json, of_json
from games.lab.measures import apart
from games.lab.pool import Workers, in_workers
from games.lab.saved import PLAYED, QUICK, MatchFile, as_line, claim, portions
from games.search.pimc import ROLLOUTS, Estimates, Pimc, estimate

log = logging.getLogger(__name__)

Run = Literal["search", "random", "order", "strong", "duel"]
RUNS: tuple[Run, ...] = ("search", "random", "order")
SKILLED: tuple[Run, ...] = ("strong", "duel")  # on request
FORMAT = 1  # of the files; increase it when the same settings give other matches. Lines may get more optional fields.


@dataclass(frozen=True)
class Analysis:
    """What is analysed: enough to play match ``i`` of a run anywhere. ``options`` has a value for every option.

    ``examined``: of a decision with more moves, those who search examine so many, drawn at random; None: all.
    """

    game: Game
    seats: int
    options: dict[str, OptionValue]
    seed: str
    rollouts: int = ROLLOUTS
    examined: int | None = None

    @classmethod
    def checked(
        cls,
        game: Game,
        seats: int | None,
        options: Mapping[str, OptionValue],
        seed: str,
        rollouts: int = ROLLOUTS,
        examined: int | None = None,
    ) -> Analysis:
        """Return an analysis that can be played; ``seats`` None: the game's default. Raises BadOption."""
        seats = game.check_seats(game.default_seats if seats is None else seats)
        analysis = cls(game, seats, game.check_options(options), seed, rollouts, examined)
        try:
            game.new(seats, analysis.options, SealedChance(analysis.match_seed("search", 0)))
        except BadOption:  # contradictory options
            raise
        except Exception as error:  # counted with the matches
            log.debug("the first deal failed: %r", error)
        return analysis

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs that make sense for this number of seats, without those on request."""
        return RUNS if self.seats > 1 else ("search", "random")

    def bot(self, run: Run, index: int, seat: int) -> Bot | None:
        """Return who sits there in match ``index`` of a run other than search; None for a random player."""
        match run:
            case "order":
                return Pimc(self.rollouts, self.examined) if seat == 0 else None
            case "strong":
                return catalogue.bot(self.game, "strong", self.seats)
            case "duel":
                return catalogue.bot(self.game, "strong" if seat == index % self.seats else "easy", self.seats)
        return None

    def match_seed(self, run: Run, index: int) -> bytes:
        """Return the seed from which match ``index`` of a run is dealt."""
        return hashlib.sha256(f"{self.seed}/{run}/{index}".encode()).digest()

    def settings(self) -> dict[str, Any]:
        """Return everything its figures depend on, except the number of matches."""
        found = {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "options": self.options,
            "seats": self.seats,
            "rollouts": self.rollouts,
            "seed": self.seed,
        }
        return found if self.examined is None else {**found, "examined": self.examined}


@dataclass
class RunResult:
    """The matches of a run by number, and the failures."""

    histories: list[History] = field(default_factory=list)
    broken: Counter[str] = field(default_factory=Counter)  # matches without a result because the rules failed, by kind
    reports: dict[str, tuple[int, str]] = field(default_factory=dict)  # by kind: the first such match and its message
    rollouts: int = 0  # started
    lost: int = 0  # of these, in which the rules failed


# -- one match


def play(analysis: Analysis, run: Run, index: int) -> dict[str, Any]:
    """Play a match of a run and return its history as plain data, or how the rules failed."""
    rollout_counts = Counter[str]()
    result: dict[str, Any] = {"index": index}
    try:
        result["history"] = as_json(_history(analysis, run, index, rollout_counts))
    except RulesFailed as failed:
        result |= {"broken": failed.kind, "text": str(failed)}
    except Exception as error:
        other = RulesFailed.by(error, f"in match {index} of the run {run!r},")
        result |= {"broken": other.kind, "text": str(other)}
    return result | {"rollouts": rollout_counts["begun"], "lost": rollout_counts["begun"] - rollout_counts["ended"]}


def _history(analysis: Analysis, run: Run, index: int, rollout_counts: Counter[str]) -> History:
    game = analysis.game
    chance = FastChance(f"{analysis.seed}/{run}/{index}")
    deal = _Dealer(analysis.match_seed(run, index))
    state = game.start_keeping("nothing" if run == "random" else "sight", analysis.seats, analysis.options, deal)
    if run != "random":
        check_that_it_ends(state, FastChance(f"{analysis.seed}/{run}/{index}/probe"))
    decisions: list[DecisionRecord] = []
    deals, dealt = [0], deal.shuffles
    while seats := state.to_act():
        if len(decisions) >= game.longest:
            raise RulesFailed("too long", f"The match has not ended after {game.longest:,} decisions.")
        if deal.shuffles > dealt:
            deals, dealt = [*deals, len(decisions)], deal.shuffles
        seat = seats[0]
        legal = state.legal_moves(seat)
        if run == "search":
            decision = _searched(analysis, state, seat, legal, chance, rollout_counts)
        else:
            bot = analysis.bot(run, index, seat)
            info = Information.of(game, state, seat, chance, bot.needs if bot else "moves", legal)
            move = bot.choose(info) if bot else chance.choice(legal)
            decision = DecisionRecord(seat, move, len(legal))
        decisions.append(decision)
        state.apply(seat, decision.move)
    scores, ranks, winners = tuple(state.scores()), tuple(state.ranks()), tuple(state.winners())
    return History(index, tuple(decisions), scores, ranks, winners, tuple(deals))


class _Dealer(SealedChance):
    """A sealed stream that counts shuffles: a deal begins at the first decision after one."""

    __slots__ = ("shuffles",)

    def __init__(self, seed: bytes, label: str = "") -> None:
        super().__init__(seed, label)
        self.shuffles = 0

    def shuffle(self, items: MutableSequence[Any]) -> None:
        self.shuffles += 1
        super().shuffle(items)


def check_that_it_ends(state: State[Any], chance: FastChance) -> None:
    """Raise RulesFailed if a random match does not end: then roll-outs do not either, and a decision takes minutes."""
    trial = state.fork(chance).keep("nothing")
    trial.rollout(chance)
    if not trial.over:
        raise RulesFailed("too long", f"A random match has not ended after {LONGEST_ROLLOUT:,} decisions.")


def _searched(
    analysis: Analysis, state: State[Any], seat: int, legal: list[str], chance: FastChance, rollout_counts: Counter[str]
) -> DecisionRecord:
    """Return the decision of a searching bot with all estimates, also for forced moves."""
    estimates = estimate(
        Information.of(analysis.game, state, seat, chance, "determinizations", legal),
        analysis.rollouts,
        chance,
        most=analysis.examined,
    )
    rollout_counts["begun"] += analysis.rollouts * min(len(legal), analysis.examined or len(legal))
    rollout_counts["ended"] += sum(estimates.samples)
    best = estimates.best(seat)
    if best is None:
        raise RulesFailed("no roll-out ends", f"No roll-out of the {len(legal)} moves of seat {seat} has ended.")
    return recorded(state, seat, legal, best, estimates)


def recorded(state: State[Any], seat: int, legal: Sequence[str], chosen: int, estimates: Estimates) -> DecisionRecord:
    """Return the record of a decision whose moves were estimated. Roll-outs of the chosen one must have ended."""
    known = {
        number: tuple(round(each, DIGITS) for each in mean)
        for number, mean in enumerate(estimates.means)
        if mean is not None
    }
    all_kinds = state.move_kinds(seat)
    kinds = tuple(all_kinds[number] for number in known)
    means = tuple(mean[seat] for mean in known.values())
    distance = apart([estimates.halves[number] for number in known])
    return DecisionRecord(seat, legal[chosen], len(legal), known[chosen], means, kinds, distance)


# -- many, kept in a folder


def counts(analysis: Analysis, matches: int, searched: int | None = None, strong: int = 0) -> dict[Run, int]:
    """Return the number of matches of each run.

    ``searched`` is that of the runs with search, if smaller; ``strong`` that of the runs with strong bots.
    """
    fewer = matches if searched is None else min(matches, searched)
    many = {run: matches if run == "random" else fewer for run in analysis.runs}
    if strong:
        many |= dict.fromkeys(SKILLED if analysis.seats > 1 else SKILLED[:1], strong)
    return many


def analyse(
    analysis: Analysis,
    matches: int,
    folder: Path,
    *,
    searched: int | None = None,
    strong: int = 0,
    workers: Workers = 1,
    progress: Callable[[Run, int], object] = lambda run, more: None,
) -> dict[Run, RunResult]:
    """Play matches 0 to ``matches`` - 1 of every run, except those saved in ``folder``, and return all of them.

    ``searched`` is the number of matches of the slower runs with search; default: the same. ``strong`` is that of the
    runs with strong bots, by default none. ``progress`` is called with the number of new matches of a run, first with
    the number already saved. After an interruption, finished matches are kept. Raises BadOption if the folder has
    matches of other settings; OSError.
    """
    claim(folder, analysis.settings())
    many = counts(analysis, matches, searched, strong)
    done = {run: MatchFile(folder / PLAYED / f"{run}.jsonl") for run in many}
    for run, lines in done.items():
        progress(run, lines.count(many[run]))
    work = partial(_play_chunk, analysis)
    tasks = (task for run in many for task in _tasks(run, done[run], many[run]))
    for (run, indexes), new_lines in in_workers(work, tasks, workers):
        done[run].add(indexes, new_lines)
        progress(run, len(indexes))
    return {run: _read(lines, many[run]) for run, lines in done.items()}


def _tasks(run: Run, done: MatchFile, matches: int) -> Iterator[tuple[Run, list[int]]]:
    left = [index for index in range(matches) if index not in done]
    for some in portions(left, QUICK if run == "random" else 1):
        yield run, some


def _play_chunk(analysis: Analysis, task: tuple[Run, list[int]]) -> tuple[tuple[Run, list[int]], list[str]]:
    run, indexes = task
    return task, [as_line(play(analysis, run, index)) for index in indexes]


def _read(lines: MatchFile, matches: int) -> RunResult:
    played = RunResult()
    for each in lines.first(matches):
        played.rollouts += each["rollouts"]
        played.lost += each["lost"]
        if "history" in each:
            played.histories.append(of_json(each["history"]))
        else:
            played.broken[each["broken"]] += 1
            played.reports.setdefault(each["broken"], (each["index"], each["text"]))
    return played
