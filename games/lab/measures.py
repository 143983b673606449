"""The measures: how a game feels, as numbers. Each is a small function over the history of one match.

It returns the match's part of a ratio: (of the sum, of its weight). A measure of many matches is the sum of the
first over the sum of the second, so a match counts once where its weight is 1, and as often as it has decisions where
they are its weight; a weight of 0 leaves it out. Three are not of that kind: ``fairness``, ``order`` (of a rate of
wins) and ``trend`` (a curve).

A player's *scaled rank* is (n - rank)/(n - 1): 1 first, 0 last (``games.core.ranks``). Its *estimate* est[p][t] at
decision t is its mean scaled rank over the roll-outs of the move that the mover chose there, as the mover sees it.

Ties. A match with a tie for first has several winners. By the convention *shared* each of k winners has 1/k of the
win, of a lead, and of a match's weight; by *full* each has all of it, as in the figures published for card games.

Sources. C. Browne, Automatic Generation and Evaluation of Recombination Games (PhD thesis, Queensland University of
Technology, 2008), introduced drama, decisiveness, coolness, clarity, stability, lead change and others, for games of
two; he computes them differently. The formulas here are those used for card games of any number of players by the
CardStock project; thresholds, weights and what is a tie are stated with each.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from games.core.ranks import ranks, scaled_ranks, win_shares
from games.lab.histories import DIGITS, History

Ties = Literal["shared", "full"]
Part = tuple[float, float]  # of the sum, of the weight
NOTHING: Part = (0.0, 0.0)

DECIDED = 0.8  # estimate above which the winner is sure of winning
UNCLEAR = 0.3  # lead of the best option over the mean one from which a choice is not clear to a beginner
TINY = 10.0 ** (3 - DIGITS)  # the most that rounding errors of estimates may add up to
POINTS = 100  # of a resampled lead history


def drama_threshold(players: int) -> float:
    """Return the estimate below which a player is not winning: half-way between the first and the second rank.

    (1 + (n - 2)/(n - 1)) / 2: .5, .75, .8333, .875, .9 for 2 to 6 players. Raises ValueError for one.
    """
    if players < 2:
        raise ValueError("The drama threshold needs at least 2 players.")
    return round((1 + (players - 2) / (players - 1)) / 2, DIGITS)


# -- of matches with search


def drama(history: History, ties: Ties) -> Part:
    """How far behind the winner was when it was behind: mean over D of sqrt(threshold - est[w][t]), 0 if D is empty.

    D: the decisions of anybody at which the winner's estimate is below the threshold. Higher: more to catch up.
    """
    threshold = drama_threshold(history.seats)

    def of(winner: int) -> float:
        behind = [
            threshold - each.estimates[winner] for each in history.decisions if each.estimates[winner] < threshold
        ]
        return math.fsum(map(math.sqrt, behind)) / len(behind) if behind else 0.0

    return _of_winners(history, ties, of)


def security(history: History, ties: Ties) -> Part:
    """How much of the match the winner was not behind: 1 - |D|/T; D as for ``drama``, T all decisions."""
    threshold = drama_threshold(history.seats)

    def of(winner: int) -> float:
        return 1 - sum(each.estimates[winner] < threshold for each in history.decisions) / len(history.decisions)

    return _of_winners(history, ties, of)


def decisiveness(history: History, ties: Ties) -> Part:
    """How late the winner could be sure: 1 - (N - m)/N over its own N estimates, the first above 0.8 being number m.

    If none is, m = N - 1. Near 1: decided at the end. A winner that never decided anything is left out.
    """

    def of(winner: int) -> float | None:
        own = history.own_estimates(winner)
        first = next((number for number, mine in enumerate(own) if mine > DECIDED), len(own) - 1)
        return 1 - (len(own) - first) / len(own) if own else None

    return _of_winners(history, ties, of)


def _of_winners(history: History, ties: Ties, of: Callable[[int], float | None]) -> Part:
    """Return the part of a match: for the winner, or for each of those that share the win."""
    values = [value for winner in history.winners if (value := of(winner)) is not None]
    if not values:
        return NOTHING
    return (math.fsum(values) / len(values), 1.0) if ties == "shared" else (math.fsum(values), float(len(values)))


def spread(history: History) -> Part:
    """How much a choice matters: the best option's mean minus the worst one's, over all decisions (forced ones: 0).

    A maximum of noisy means is biased upward: never compare figures from different numbers of roll-outs, and see
    ``spread_corrected``.
    """
    return math.fsum(max(each.means) - min(each.means) for each in history.decisions), float(len(history.decisions))


def apart(halves: Sequence[tuple[float, float] | None]) -> float | None:
    """Return an unbiased estimate of the squared distance of two options; None if that cannot be known.

    The best of noisy means looks better than it is, and the worst one worse: if m options are equal, and their means
    over k roll-outs have the standard error s, the expected spread is not 0 but d s, where d is the mean range of m
    normal numbers (1.13 for two, 1.69 for three, 3.08 for ten). For k = 5 and results of 0 and 1 that is .25 for two
    options and .69 for ten. To choose the best and the worst option by one half of the roll-outs, and value them by the
    other half, errs the other way: where half of five roll-outs picks wrong ones, nothing is left.

    So this is about two options drawn at random, whose mean squared distance is twice the variance of the options'
    values. The variance of their means contains that of the roll-outs, but the covariance of two halves does not, since
    the roll-outs of a half are independent of those of the other: E[(a - A)(b - B)] is the variance of the values, for
    any number of roll-outs and of options. It may be negative.

    ``halves``: of each option, the mean over one half and over the other.

    Sources: L. H. C. Tippett, Biometrika 17 (1925), page 364, for ranges; C. Spearman, British Journal of Psychology 3
    (1910), page 271, for the covariance of halves, from which the reliability of a test is estimated.

    >>> round(apart([(0.9, 0.7), (0.3, 0.3)]), 9)  # (.9 - .3)(.7 - .3): the square, if both halves agree
    0.24
    """
    known = [half for half in halves if half is not None]
    if len(halves) == 1:
        return 0.0
    if len(known) < len(halves):
        return None
    first, second = (math.fsum(half[one] for half in known) / len(known) for one in (0, 1))
    together = math.fsum((one - first) * (other - second) for one, other in known)
    return round(2 * together / (len(known) - 1), DIGITS)


def spread_squared(history: History) -> Part:
    """The square of the corrected spread: mean of ``apart`` over all decisions (forced ones: 0)."""
    known = [each.apart for each in history.decisions if each.apart is not None]
    return (math.fsum(known), float(len(known))) if len(known) == len(history.decisions) else NOTHING


def spread_corrected(squared: float) -> float:
    """Return how much a choice matters, without what chance adds to ``spread``.

    The root mean square of the distance of two options, over all decisions; 0 where noise makes the square negative.
    """
    return math.sqrt(max(0.0, squared))


def clarity(history: History) -> Part:
    """How often no option stands out: 1 - the share of decisions where the best is 0.3 or more above the mean one."""
    unclear = sum(
        max(each.means) - math.fsum(each.means) / len(each.means) >= UNCLEAR - TINY for each in history.decisions
    )
    return float(len(history.decisions) - unclear), float(len(history.decisions))


def coolness(history: History) -> Part:
    """How rarely a player's prospects worsen: 1 - the share of pairs of consecutive own estimates that fall.

    All pairs of all players and matches count alike.
    """
    pairs = [pair for player in range(history.seats) for pair in pairwise(history.own_estimates(player))]
    return float(sum(after >= before for before, after in pairs)), float(len(pairs))


def stability(history: History) -> Part:
    """How rarely ranks change: 1 - the share of (player, step) where the rank by estimate changed.

    Places are competition ranks: tied players share the better one. All steps of all matches count alike.
    """
    rankings = [ranks(each.estimates) for each in history.decisions]
    kept = sum(sum(map(operator.eq, before, after)) for before, after in pairwise(rankings))
    return float(kept), float(history.seats * (len(rankings) - 1))


def lead_change(history: History, ties: Ties) -> Part:
    """How often the estimated leader changes: changes / (T - 1), a match of one decision left out.

    Several may lead. *shared*: each of k has 1/k of the lead, and what counts is how much of it changes hands; *full*:
    any change of leaders counts in full. If one player always leads alone, the two are the same.
    """
    steps = len(history.decisions) - 1
    if steps < 1:
        return NOTHING
    leading = [_leaders(each.estimates) for each in history.decisions]
    if ties == "full":
        return sum(before != after for before, after in pairwise(leading)) / steps, 1.0
    changes = (_changed_share(before, after, history.seats) for before, after in pairwise(leading))
    return math.fsum(changes) / steps, 1.0


def _leaders(estimates: Sequence[float]) -> list[int]:
    best = max(estimates)
    return [player for player, mine in enumerate(estimates) if mine == best]


def _changed_share(before: Sequence[int], after: Sequence[int], players: int) -> float:
    """Return how much of the lead changes hands: half the sum of all differences between two sets of shares."""
    if before == after:
        return 0.0
    then, now = win_shares(before, players), win_shares(after, players)
    return math.fsum(abs(new - old) for old, new in zip(then, now, strict=True)) / 2


def tension(history: History) -> Part:
    """Of a solitaire game: how much of the doubt about the score is left half-way. 1: all of it, 0: none.

    The distance between the expected score and the final one at the decision half-way, over the same at the first
    decision; sums over matches. Expected scores are means of few roll-outs, so a little doubt always remains.
    """
    final, expected = history.scores[0], lead_history(history, 0)
    return abs(expected[len(expected) // 2] - final), abs(expected[0] - final)


def lead_history(history: History, player: int) -> list[float]:
    """Return est[player][t] for every decision t of the match, of any mover."""
    return [each.estimates[player] for each in history.decisions]


def trend(history: History) -> list[list[float]]:
    """Return what a match adds to the trend graph: the lead history of each final rank, the first one first.

    Each lead history is resampled linearly to 100 points, from the first decision at x = 0 to the last at x = .99, and
    ends with the true scaled rank at x = 1. Players whose final ranks tie have the same mean curve at each of their
    places, so that it does not matter where they sit.
    """
    grid = np.linspace(0, len(history.decisions) - 1, POINTS)
    final = scaled_ranks(history.ranks)
    curves = np.empty((history.seats, POINTS + 1))
    for player in range(history.seats):
        curves[player, :POINTS] = np.interp(grid, range(len(history.decisions)), lead_history(history, player))
        curves[player, POINTS] = final[player]
    order = sorted(range(history.seats), key=lambda player: history.ranks[player])
    tied = [[other for other in order if history.ranks[other] == history.ranks[player]] for player in order]
    placed: list[list[float]] = [curves[players].mean(axis=0).tolist() for players in tied]
    return placed


# -- of matches without


def convergence(history: History) -> Part:
    """Whether choices get fewer: 1/2 - b/2, b the least-squares slope of the number of options on the move number.

    Above .5 they do; values may lie outside of 0..1. A match of one decision has no slope and is left out.
    """
    counts = [each.options for each in history.decisions]
    total = len(counts)
    if total < 2:
        return NOTHING
    middle, mean = (total + 1) / 2, sum(counts) / total
    slope = math.fsum((move - middle) * (count - mean) for move, count in enumerate(counts, 1))
    slope /= total * (total * total - 1) / 12  # the sum of all (move - middle) squared
    return 0.5 - slope / 2, 1.0


def length(history: History) -> Part:
    """How many decisions a match has."""
    return float(len(history.decisions)), 1.0


def branching(history: History) -> Part:
    """How many options a decision has, forced ones included; all decisions of all matches count alike."""
    return float(sum(each.options for each in history.decisions)), float(len(history.decisions))


def win(history: History, seat: int, ties: Ties = "shared") -> Part:
    """Return the share of the win of ``seat``: 1 if it won; in a tie of k seats for first, 1/k or a full win."""
    return win_shares(history.winners, history.seats, shared=ties == "shared")[seat], 1.0


def tied(history: History) -> Part:
    """Return whether several players share the win."""
    return float(len(history.winners) > 1), 1.0


def fairness(rate: float, players: int) -> float:
    """Return how near the first seat's rate of wins in random play is to the fair share 1/n: 1 if it is equal.

    n rate if rate <= 1/n, else n/(n - 1) (1 - rate).
    """
    return players * rate if rate * players <= 1 else players / (players - 1) * (1 - rate)


def order(rate: float, players: int) -> float:
    """Return how much better than chance one bot that searches does against random ones: (rate - 1/n)/(1 - 1/n).

    1: it always wins; 0: search is of no use; below 0: it does harm. ``rate``: of wins, the bot in the first seat.
    """
    return (rate - 1 / players) / (1 - 1 / players)


def fairness_interval(low: float, high: float, players: int) -> tuple[float, float]:
    """Return the fairness of a rate between ``low`` and ``high``: it rises up to 1/n and falls after."""
    ends = fairness(low, players), fairness(high, players)
    return min(ends), 1.0 if low <= 1 / players <= high else max(ends)
