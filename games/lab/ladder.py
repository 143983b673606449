"""A ladder of bots: ratings with intervals, from a schedule in which every bot plays every seat equally often.

The bots are shuffled for each deal and seated in that order. Then each bot moves on by one seat and the same deal is
played again, until every bot has sat in every seat once. So a deal is played in as many *rotations* as there are bots.
With fewer seats than bots some bots sit out; with more seats a bot takes several.

The ratings follow the Bradley-Terry model: the odds that one bot ends ahead of another are the ratio of their
strengths. Every pair of a match counts as one comparison, a tie as half a win for each. The fit is implemented here, in
twenty lines, because maintained libraries for it need SciPy.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, takewhile
from pathlib import Path
from time import process_time
from typing import Any, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from games.core import BadOption, FastChance, Game, RulesFailed
from games.core.options import OptionValue
from games.core.ranks import win_shares
from games.lab.intervals import wilson
from games.lab.plugins import USUAL, PluginLimits
from games.lab.pool import Workers, in_workers
from games.lab.saved import PLAYED, QUICK, MatchFile, as_line, claim, portions
from games.lab.simulate import MatchRow, Simulation, play_match, row

AVERAGE, SCALE = 1500.0, 400.0  # the Elo scale
PRIOR = 0.5  # added wins for each of two bots, so that one that lost every match has a finite rating
MAX_STEPS, TOLERANCE = 1000, 1e-6  # of the iterative fit
RESAMPLES = 500
FEWEST_DEALS = 5  # fewer are too few for the bootstrap
FEWEST_BOTS, MOST_BOTS = 2, 50
FORMAT = 1  # of the lines in a folder; increase it when their meaning changes
LINES = "ladder.jsonl"
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Ladder:
    """Which bots play which game: enough to play any match of the ladder anywhere."""

    game: Game
    bots: tuple[str, ...]
    seats: int
    options: dict[str, OptionValue]
    seed: str
    limits: PluginLimits = USUAL

    @classmethod
    def checked(
        cls,
        game: Game,
        bots: Sequence[str],
        seats: int | None,
        options: dict[str, str],
        seed: str,
        limits: PluginLimits = USUAL,
    ) -> Ladder:
        """Return a ladder that can be played; ``seats`` None: the game's default. Raises BadOption."""
        if not FEWEST_BOTS <= len(bots) <= MOST_BOTS:
            raise BadOption(f"A ladder takes {FEWEST_BOTS} to {MOST_BOTS} bots, not {len(bots)}.")
        if len(set(bots)) < len(bots):
            raise BadOption("Name each bot of a ladder once.")
        seats = game.check_seats(max(2, game.default_seats) if seats is None else seats)
        if seats < 2:
            raise BadOption("A ladder needs at least 2 seats.")
        for first in range(0, len(bots), seats):  # so that every bot is checked at a full table
            seating = [bots[(first + seat) % len(bots)] for seat in range(seats)]
            checked = Simulation.checked(game, seating, options, seed, limits)
        return cls(game, tuple(bots), seats, checked.options, seed, limits)

    def deals(self, matches: int) -> int:
        """Return how many deals give at least so many matches."""
        return math.ceil(matches / len(self.bots))

    def seating(self, deal: int, rotation: int) -> tuple[int, ...]:
        """Return the bot (its index in ``bots``) of each seat, in a rotation of a deal."""
        order = list(range(len(self.bots)))
        FastChance(f"{self.seed}/order/{deal}").shuffle(order)
        return tuple(order[(seat + rotation) % len(order)] for seat in range(self.seats))

    def simulation(self, seating: Sequence[int]) -> Simulation:
        """Return a simulation with these bots, by seat. Match n of it has the deal n of the ladder."""
        return Simulation(self.game, tuple(self.bots[bot] for bot in seating), self.options, self.seed, self.limits)

    def settings(self) -> dict[str, Any]:
        """Return everything its figures depend on, except the number of matches. Raises OSError."""
        return {**self._everybody.settings(), "seats": self.seats, "format of ladders": FORMAT}

    @property
    def is_slow(self) -> bool:
        """Whether matches may take long: see ``Simulation.is_slow``."""
        return self._everybody.is_slow

    @property
    def _everybody(self) -> Simulation:
        return self.simulation(range(len(self.bots)))


@dataclass
class Outcome:
    """A match of a ladder: the bot of each seat, and the result."""

    seating: tuple[int, ...]
    ranks: tuple[int, ...]  # by seat; empty if the rules failed
    wins: tuple[float, ...]  # by seat: its share of the win
    scores: tuple[float, ...] = ()  # by seat
    failures: Counter[str] = field(default_factory=Counter)
    broken: str = ""  # the kind of RulesFailed, if the rules failed


class LadderRow(TypedDict):
    """A bot's results. The rating is on the Elo scale; ``win`` is its share of wins per seat taken."""

    bot: str
    rating: float
    low: float | None
    high: float | None
    win: float
    win_low: float
    win_high: float
    seats: int  # seats taken in all matches


class LadderReport(TypedDict):
    """``ladder.json``. ``ahead[a][b]`` is how often bot a ended ahead of bot b; a tie counts as half."""

    game: str
    subject: str
    rules: str
    options: dict[str, OptionValue]
    seats: int
    seed: str
    rounds: int  # deals, each played in every rotation
    matches: int  # that have ended
    standings: list[LadderRow]  # best first
    bots: list[str]
    ahead: list[list[float]]
    failures: dict[str, int]  # of bots, by kind
    broken: dict[str, int]  # matches in which the rules failed, by kind
    left_out: dict[str, int]  # bots that are too slow to play, with their roll-outs for a decision


def play(
    ladder: Ladder,
    matches: int,
    folder: Path,
    *,
    workers: Workers = 1,
    seconds: float = math.inf,
    progress: Callable[[int], object] = lambda _: None,
) -> list[list[Outcome]]:
    """Play as many deals as give at least this many matches, except those saved in ``folder``. Return them by deal.

    No deal is begun after ``seconds`` CPU seconds of this process. ``progress`` is called with the number of new
    matches, first with the number already saved. After an interruption, finished matches are kept. Raises BadOption if
    the folder has matches of other settings; ClusterFailed, OSError.
    """
    lines, rotations = _lines(ladder, folder), len(ladder.bots)
    many = ladder.deals(matches) * rotations
    progress(lines.count(many))
    began = process_time()
    left = (index for index in range(many) if index not in lines)
    in_time = takewhile(lambda index: index % rotations or process_time() - began < seconds, left)
    tasks = portions(in_time, 1 if ladder.is_slow else QUICK)
    for some, results in in_workers(partial(_play_rows, ladder), tasks, workers):
        progress(lines.add(some, results))
    return deals_in(folder, ladder, matches)


def deals_in(folder: Path, ladder: Ladder, matches: int) -> list[list[Outcome]]:
    """Return those deals of ``play`` that a folder has in every rotation. Raises BadOption, OSError."""
    rotations = len(ladder.bots)
    rows = cast("Iterator[MatchRow]", _lines(ladder, folder).first(ladder.deals(matches) * rotations))
    deals = (list(deal) for _, deal in groupby(rows, key=lambda each: each["index"] // rotations))
    return [[_outcome(ladder, each) for each in deal] for deal in deals if len(deal) == rotations]


def _lines(ladder: Ladder, folder: Path) -> MatchFile:
    """Return the matches that a folder keeps of a ladder: rotation r of deal d of n bots has the number d n + r."""
    claim(folder, ladder.settings())
    return MatchFile(folder / PLAYED / LINES)


def _play_rows(ladder: Ladder, indexes: list[int]) -> tuple[list[int], list[str]]:
    lines = []
    for index in indexes:
        deal, rotation = divmod(index, len(ladder.bots))
        lines.append(as_line(row(index, play_match(ladder.simulation(ladder.seating(deal, rotation)), deal))))
    return indexes, lines


def _outcome(ladder: Ladder, played: MatchRow) -> Outcome:
    seating = ladder.seating(*divmod(played["index"], len(ladder.bots)))
    failures = Counter(played["failures"])
    if played["broken"]:
        return Outcome(seating, (), (), (), failures, played["broken"])
    wins = tuple(win_shares(played["winners"], ladder.seats))
    return Outcome(seating, tuple(played["ranks"]), wins, tuple(played["scores"]), failures)


# -- ratings


def comparisons(outcomes: Iterator[Outcome] | Sequence[Outcome], bots: int) -> Matrix:
    """Return how often each bot ended ahead of each other one, a tie as half. A bot is not compared with itself."""
    ahead = np.zeros((bots, bots))
    for outcome in outcomes:
        for seat, rank in enumerate(outcome.ranks):
            for other, theirs in enumerate(outcome.ranks):
                one, two = outcome.seating[seat], outcome.seating[other]
                if one != two:
                    ahead[one, two] += 1.0 if rank < theirs else 0.5 if rank == theirs else 0.0
    return ahead


def ratings(ahead: Matrix) -> Matrix:
    """Return the Bradley-Terry ratings for comparisons: how often one was ahead of another.

    With strengths g, the chance that a is ahead of b is g_a / (g_a + g_b). The maximum likelihood is found by
    minorisation and maximisation: g_a := W_a / sum over b of N_ab / (g_a + g_b), repeatedly, where W_a are the wins of
    a and N_ab is how often the two met. ``PRIOR`` wins are added to both sides of every pair. The rating is 400
    log10(g), with mean 1500. A stack of matrices gives a stack of ratings.

    Source: D. R. Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32 (2004), page 384.

    >>> ratings(np.array([[0.0, 99.5], [9.5, 0.0]])).round(1).tolist()  # 10 : 1, prior included
    [1700.0, 1300.0]
    """
    many = ahead.shape[-1]
    wins = ahead + PRIOR * (1 - np.eye(many))
    met = wins + wins.swapaxes(-1, -2)
    strength = np.ones(ahead.shape[:-1])
    for _ in range(MAX_STEPS):
        new = wins.sum(axis=-1) / (met / (strength[..., :, None] + strength[..., None, :])).sum(axis=-1)
        new /= np.exp(np.log(new).mean(axis=-1, keepdims=True))
        done = np.abs(np.log(new / strength)).max() < TOLERANCE
        strength = new
        if done:
            break
    rated: Matrix = AVERAGE + SCALE * np.log10(strength)
    return rated


def intervals(deals: Sequence[Matrix], seed: str) -> tuple[Matrix, Matrix] | None:
    """Return the 95 % percentile bootstrap intervals of the ratings: the low ends and the high ends.

    ``deals`` are the comparisons of each deal; fewer than FEWEST_DEALS give None. The matches of a deal are not
    independent of each other, so they are resampled together. For the source see ``intervals.bootstrap``.
    """
    if len(deals) < FEWEST_DEALS:
        return None
    table = np.array(deals)
    draws = np.random.RandomState(list(hashlib.sha256(seed.encode()).digest()))
    resampled = np.array([table[draws.randint(0, len(table), len(table))].sum(axis=0) for _ in range(RESAMPLES)])
    low, high = np.quantile(ratings(resampled), [0.025, 0.975], axis=0)
    return low, high


def report(ladder: Ladder, deals: Sequence[Sequence[Outcome]], left_out: dict[str, int] | None = None) -> LadderReport:
    """Return the standings. Raises RulesFailed if no match has ended."""
    outcomes = [outcome for deal in deals for outcome in deal]
    ended = [outcome for outcome in outcomes if outcome.ranks]
    broken = Counter(outcome.broken for outcome in outcomes if outcome.broken)
    if not ended:
        raise RulesFailed(min(broken, default="no match"), "No match of the ladder has ended.")
    many = len(ladder.bots)
    by_deal = [comparisons(deal, many) for deal in deals]
    ahead: Matrix = np.sum(by_deal, axis=0)
    rated, ends = ratings(ahead), intervals(by_deal, ladder.seed)
    standings: list[LadderRow] = []
    for bot, name in enumerate(ladder.bots):
        won = [win for one in ended for seat, win in enumerate(one.wins) if one.seating[seat] == bot]
        low, high = wilson(math.fsum(won), len(won)) if won else (0.0, 1.0)
        standings.append({
            "bot": name,
            "rating": round(float(rated[bot]), 1),
            "low": round(float(ends[0][bot]), 1) if ends else None,
            "high": round(float(ends[1][bot]), 1) if ends else None,
            "win": math.fsum(won) / len(won) if won else 0.0,
            "win_low": low,
            "win_high": high,
            "seats": len(won),
        })  # fmt: skip
    standings.sort(key=lambda each: -each["rating"])
    failures: Counter[str] = sum((outcome.failures for outcome in outcomes), Counter())
    return {
        "game": ladder.game.name,
        "subject": f"{ladder.game.title}, {ladder.seats} players",
        "rules": ladder.game.rules_version,
        "options": ladder.options,
        "seats": ladder.seats,
        "seed": ladder.seed,
        "rounds": len(deals),
        "matches": len(ended),
        "standings": standings,
        "bots": list(ladder.bots),
        "ahead": ahead.tolist(),
        "failures": dict(sorted(failures.items())),
        "broken": dict(sorted(broken.items())),
        "left_out": left_out or {},
    }
