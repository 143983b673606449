"""How strong bots are: shares of wins with Wilson's 95 % intervals.

    python -m bench.strength pairs GAME [N]   every two bots of a game against each other
    python -m bench.strength helpers [GAME]   what helpers are worth to the seat they help
    python -m bench.strength enchere [DEALS]  Enchère's house bot against two copies of another bot
    python -m bench.strength camelup [DEALS]  Camel Up's strong bot with other values of its constants
    python -m bench.strength thief [N]        Card Thief by level, with the dealing director and without

``COMMAND --help`` describes a command.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import re
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict

from bench.harness.command import Commands, show
from games import catalogue
from games.__main__ import exit_code
from games.camelup.bots import StrongBot
from games.camelup.game import CamelUp
from games.camelup.terms import Terms
from games.core import Bot, FastChance, Game, Information, RulesFailed, SealedChance
from games.core.options import OptionValue
from games.core.ranks import ranks
from games.core.terminal import path_argument
from games.enchere.auction import height, legal_bids
from games.enchere.bots import Rivals, Stakes, points_of_sets, prize_bits
from games.enchere.game import Enchere
from games.enchere.rules import Observation
from games.lab.arguments import add_options, options_of
from games.lab.interrupt import listen
from games.lab.intervals import wilson
from games.lab.ladder import Ladder, Outcome, deals_in, play
from games.lab.printed import resumable
from games.lab.simulate import Simulation, play_match, simulate
from games.thief.cards import LEVELS
from games.thief.game import GAME as THIEF
from games.thief.rules import HeistState

# -- pairs

BUILT_IN = "built-in"  # instead of a game: all that are built in
UNLIMITED = 10**9  # matches, if CPU time is the limit


class PairResult(TypedDict):
    """The result of ``bot`` against ``other``."""

    bot: str
    other: str
    matches: int
    share: float  # of the wins of ``bot``, with its 95 % interval from ``low`` to ``high``
    low: float
    high: float
    mean_score: float
    other_mean_score: float
    failures: int


def pair_of(game: Game, seats: int, bot: str, other: str, options: dict[str, str]) -> Ladder:
    """Return the schedule of two bots, which alternate around the table: a ladder of two. Raises BadOption."""
    for order in ((bot, other), (other, bot)):
        checked = Simulation.checked(game, [order[seat % 2] for seat in range(seats)], options, "bench")
    return Ladder(game, (bot, other), seats, checked.options, "bench")


def pair_result(pair: Ladder, deals: Sequence[Sequence[Outcome]]) -> PairResult:
    """Return the result of deals that were played in both rotations. Raises RulesFailed if no match has ended."""
    wins: list[float] = []  # of the first bot, by match; in a game for one, by deal
    scores: tuple[list[float], list[float]] = [], []
    for deal in deals:
        ended = [outcome for outcome in deal if not outcome.broken]
        for outcome in ended:
            for bot, score in zip(outcome.seating, outcome.scores, strict=True):
                scores[bot].append(score)
        if pair.seats > 1:
            wins += (
                math.fsum(win for bot, win in zip(each.seating, each.wins, strict=True) if not bot) for each in ended
            )
        elif len(ended) == 2:
            mine, theirs = scores[0][-1], scores[1][-1]
            wins.append(0.5 if mine == theirs else float(mine > theirs))
    if not wins:
        raise RulesFailed("no match", f"No match of {' and '.join(pair.bots)} has ended.")
    share = math.fsum(wins) / len(wins)
    low, high = wilson(math.fsum(wins), len(wins))
    return {
        "bot": pair.bots[0],
        "other": pair.bots[1],
        "matches": len(wins),
        "share": share,
        "low": low,
        "high": high,
        "mean_score": math.fsum(scores[0]) / len(scores[0]),
        "other_mean_score": math.fsum(scores[1]) / len(scores[1]),
        "failures": sum(outcome.failures.total() for deal in deals for outcome in deal),
    }


def _line(game: Game, figure: PairResult, *, markdown: bool) -> str:
    scores = f"{figure['mean_score']:.2f}, {figure['other_mean_score']:.2f}"
    if markdown:
        rates = f"{figure['share'] * 100:.1f} % ({figure['low'] * 100:.1f} - {figure['high'] * 100:.1f})"
        pairing = f"`{figure['bot']}` against `{figure['other']}`"
        return f"| {game.title} | {pairing} | {rates} | {figure['matches']:,} | {scores} |"
    rates = f"{figure['share']:7.1%} {figure['low']:7.1%} - {figure['high']:7.1%}"
    return f"{figure['bot']:8} {figure['other']:8} {rates} {figure['matches']:>8,}   {scores}"


def pairs(asked: argparse.Namespace) -> None:
    """Every two bots share a table, and play each deal twice, the second time with the seats swapped.

    So equally good bots win half of the matches. A win shared by k seats counts 1/k for each. In a game for one player
    both bots play the same deals, and the better score wins. Prints a table, or JSON; if interrupted, the figures so
    far. With --out the same command then continues.
    """
    games = catalogue.listed(catalogue.providers[0]) if asked.game == BUILT_IN else [catalogue.find(asked.game)]
    options = options_of(asked)
    if asked.markdown:
        print("| Game | | Share of wins | Matches | Mean scores |\n|---|---|---|---|---|")
    printed: list[dict[str, Any]] = []

    def add(pair: Ladder, deals: Sequence[Sequence[Outcome]]) -> None:
        figure = pair_result(pair, deals)
        printed[-1]["figures"].append(figure)
        if not asked.json:
            print(_line(pair.game, figure, markdown=asked.markdown), flush=True)

    def finish() -> None:
        if asked.json:
            show(printed if asked.game == BUILT_IN else printed[0])

    def measure(pair: Ladder, folder: Path) -> None:
        matches = UNLIMITED if asked.minutes else asked.matches * (2 if pair.seats == 1 else 1)
        seconds, workers = (asked.minutes * 60, 1) if asked.minutes else (math.inf, asked.workers)

        def print_finished() -> None:
            with suppress(RulesFailed):  # no match has ended
                add(pair, deals_in(folder, pair, matches))
            finish()

        with resumable(asked.out, print_finished):
            deals = play(pair, matches, folder, workers=workers, seconds=seconds)
        add(pair, deals)

    with TemporaryDirectory() as temporary:
        for game in games:
            seats = asked.seats or game.default_seats
            if not (asked.json or asked.markdown):
                print(f"{game.name}, {seats} seats; shares with 95 % intervals")
                print(f"{'bot':8} {'against':8} {'share':>7} {'interval':>17} {'matches':>8}   mean scores")
            printed.append({"game": game.name, "seats": seats, "options": options, "figures": []})
            met = combinations(asked.bots or [bot.name for bot in game.bots], 2)
            for bot, other in (re.split(r"(?<!\.py):", pair) for pair in asked.pairs) if asked.pairs else met:
                digest = hashlib.sha256(json.dumps([bot, other]).encode()).hexdigest()[:10]
                folder = (asked.out or Path(temporary)) / f"{game.name}-{digest}"
                measure(pair_of(game, seats, bot, other, options), folder)
    finish()


# -- helpers


class HelperResult(TypedDict):
    """The results of the favourite, seat 0, with bots of one kind in ``helpers`` of the other seats."""

    seats: int
    helpers: int
    kind: str
    matches: int
    share: float  # of the wins of the favourite, with its 95 % interval from ``low`` to ``high``
    low: float
    high: float
    own_share: float  # of the wins of each of the other bots
    second: float | None  # how often one of them came second when the favourite won alone


def helped(game: Game, seats: int, helping_seats: int, kind: str, others: str, matches: int) -> HelperResult:
    """Return the results of ``matches`` matches in which ``helping_seats`` seats have bots of ``kind``.

    The combinations of these seats take turns. The favourite and the remaining seats have ``others``. Raises
    RulesFailed.
    """
    seatings = list(combinations(range(1, seats), helping_seats))
    share = own = 0.0
    won = second = 0
    for index in range(matches):
        helping = seatings[index % len(seatings)]
        bots = [kind if seat in helping else others for seat in range(seats)]
        played = play_match(Simulation.checked(game, bots, {}, f"helper/{seats}"), index)
        if played.broken:
            raise RulesFailed(played.broken.kind, played.broken.text)
        part = 1 / max(1, len(played.winners))  # a match may be won by nobody
        share += part * (0 in played.winners)
        own += part * sum(seat in played.winners for seat in helping)
        if played.winners == [0]:
            won += 1
            placings = ranks(played.scores)
            second += any(placings[seat] == 2 for seat in helping)
    low, high = wilson(share, matches)
    return {
        "seats": seats,
        "helpers": helping_seats,
        "kind": kind,
        "matches": matches,
        "share": round(share / matches, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "own_share": round(own / matches / helping_seats, 4) if helping_seats else 0.0,
        "second": round(second / won, 4) if won and helping_seats else None,
    }


def helpers(asked: argparse.Namespace) -> None:
    """Seat 0 is the favourite, and plays as everybody else does (``--others``).

    One or two of the other seats have ``helper-0``, a bot that searches for the move that is best for seat 0, in each
    combination of seats equally often. For comparison the same seats are given to ``ismcts``, which searches as long
    and plays for itself: the difference is the help. All rows have the same deals, none of them stacked. Prints JSON:
    the favourite's share of the wins, the helpers' own share, and how often a helper comes second when the favourite
    wins.
    """
    game = catalogue.find(asked.game)
    kinds = [f"helper-0-{asked.rollouts}", f"ismcts-{asked.rollouts}"]
    for seats in asked.seats:
        rows = [(0, asked.others), *product(range(1, min(3, seats)), kinds)]
        for number, kind in rows:
            print(json.dumps(helped(game, seats, number, kind, asked.others, asked.matches)), flush=True)


# -- enchere


class FormerStakes(Stakes):
    """The stakes of ``Former``: what a prize adds to a player's points.

    In Originale also what one more of the prizes that are left would then add on average.
    """

    def _stake(self, prize: int, left: int) -> float:
        gains = [self._worth(won | prize, left) - self._worth(won, left) for won in self.won]
        mine = gains.pop(self.me)
        return mine + 0.5 * sum(gains) / len(gains)

    def _worth(self, won: int, left: int) -> float:
        have = self._points(won)
        if self.version != "originale" or not left:
            return have
        more = [self._points(won | bit) - have for bit in prize_bits(self.version).values() if bit & left]
        return have + sum(more) / len(more)

    def _points(self, won: int) -> float:
        return float(points_of_sets(self.version)[won])


class Former(Bot):
    """The former house bot: it weighs the prize on the table against the mean of those to come, and plans no cards."""

    name = "former"
    title = "Former house bot"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        bids = legal_bids(seen.hands[info.seat], seen.prize, seen.spare)
        if len(bids) == 1:
            return f"bid {bids[0]}"
        stakes, rivals = FormerStakes(seen, info.seat), Rivals(seen, info.seat)
        later = stakes.later()
        now, then = stakes.now(), 1.25 * sum(later) / len(later) if later else 0.0
        return f"bid {max(bids, key=lambda bid: now * rivals.chance(bid) - then * rivals.strength(bid))}"


class Saver(Bot):
    """Saves high cards for valuable prizes: its bid ranks in its hand as the prize ranks among those to come."""

    name = "saver"
    title = "Saver"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        bids = legal_bids(seen.hands[info.seat], seen.prize, seen.spare)
        stakes = Stakes(seen, info.seat)
        now, later = stakes.now(), stakes.later()
        share = sum(stake < now for stake in later) / len(later) if later else 1.0
        bids = sorted(bids, key=lambda bid: height(bid, seen.spare))
        return f"bid {bids[min(len(bids) - 1, int(share * len(bids)))]}"


class EnchereWithRivals(Enchere):
    """The game, with ``Former`` and ``Saver`` as further bots."""

    bots: tuple[type[Bot], ...] = (*Enchere.bots, Former, Saver)


def enchere(asked: argparse.Namespace) -> None:
    """Enchère's house bot plays each deal of a single round from all three seats, against two copies of another bot.

    The other bots are its predecessor (``former``), one that saves high cards for valuable prizes (``saver``), and a
    random one. An equally good bot wins a third of the matches. A win shared by k seats counts 1/k.
    """
    deals = asked.deals
    game = EnchereWithRivals()
    for version in ("enchere", "avancee", "originale"):
        for other in ("former", "saver", "random"):
            won, began = 0.0, time.process_time()
            for seat in range(3):
                bots = [other] * 3
                bots[seat] = "house"
                simulation = Simulation.checked(game, bots, {"version": version, "target": "0"}, "bench")
                for deal in range(deals):
                    winners = play_match(simulation, deal).winners
                    won += (seat in winners) / len(winners)
            low, high = wilson(won, 3 * deals)
            each = (time.process_time() - began) / (3 * deals) * 1000
            print(
                f"{version:9} against two {other:6} {won / (3 * deals):.1%} [{low:.1%}, {high:.1%}] of {3 * deals}, "
                f"{each:.0f} ms a match",
                flush=True,
            )


# -- camelup

# Values of the constants of ``StrongBot`` to compare with its own: smaller and larger ones.
VALUES: dict[str, tuple[float, ...]] = {
    "spite": (0.0, 0.5, 1.3),
    "patience": (0.0, 0.1, 0.6),
    "turn": (0.5, 2.5),
    "tried": (1, 2, 10),
}


class CamelUpWithVariants(CamelUp):
    """The game with one more bot, the variant that is measured at the moment."""


def camelup(asked: argparse.Namespace) -> None:
    """For each constant of Camel Up's strong bot, the share of wins of the bot with other values.

    A bot with another value plays against the bot as it is, two of each at a table. Each deal is played twice, the
    second time with the seats swapped. Also prints how many coins a turn earns.
    """
    deals = asked.deals
    game = CamelUpWithVariants()
    for constant, values in VALUES.items():
        print(f"{constant} is {getattr(StrongBot, constant)}:")
        for value in values:
            variant = type("Variant", (StrongBot,), {"name": "variant", constant: value})
            CamelUpWithVariants.bots = (*CamelUp.bots, variant)
            pair = pair_of(game, game.default_seats, "variant", "strong", {})
            with TemporaryDirectory() as folder:
                figures = pair_result(pair, play(pair, 2 * deals, Path(folder)))
            coins = figures["mean_score"] - figures["other_mean_score"]
            share = f"{figures['share']:.1%} ({figures['low']:.1%} - {figures['high']:.1%})"
            print(f"  {value:4} wins {share} and has {coins:+.2f} coins", flush=True)
    simulation = Simulation.checked(game, ["strong"] * game.default_seats, {}, "bench")
    tally = simulate(simulation, deals)
    coins_at_start = game.default_seats * Terms.money * deals
    earned = sum(score * count for (_, score), count in tally.scores.items()) - coins_at_start
    print(f"A turn of the strong bot against itself earns {earned / tally.decisions:.2f} coins.")


# -- thief

ENDINGS = ("won", "failed", "caught", "cornered")
LOST = (("failed", 6), ("caught", 6), ("cornered", 8))  # with the widths of their columns


class Heists(TypedDict):
    """The results of one bot at one level."""

    bot: str
    level: int
    director: str
    heists: int
    endings: dict[str, int]
    win_rate: float
    low: float
    high: float
    mean_score_of_wins: float
    turns: float


def heist(bot: str, options: dict[str, OptionValue], index: int) -> HeistState:
    """Return the final state of heist number ``index``, played by a bot."""
    simulation = Simulation(THIEF, (bot,), options, "bench")
    state = THIEF.start(1, options, SealedChance(simulation.match_seed(index)))
    state.log = None  # nobody reads it
    player = THIEF.bot(bot)
    chance = FastChance(f"bench/{index}")
    while not state.over:
        state.apply(0, player.choose(Information.of(THIEF, state, 0, chance, player.needs)))
    return state


def heists_of(task: tuple[str, int, str, int]) -> Heists:
    """Return the results of a task: a bot, a level, the director ("on" or "off"), and a number of heists."""
    bot, level, director, heists = task
    options: dict[str, OptionValue] = {"level": str(level), "director": director}
    ended = [heist(bot, options, index) for index in range(heists)]
    endings = {ending: sum(state.ending == ending for state in ended) for ending in ENDINGS}
    low, high = wilson(endings["won"], heists)
    return {
        "bot": bot,
        "level": level,
        "director": director,
        "heists": heists,
        "endings": endings,
        "win_rate": endings["won"] / heists,
        "low": low,
        "high": high,
        "mean_score_of_wins": sum(state.scores()[0] for state in ended) / max(1, endings["won"]),
        "turns": sum(state.turn for state in ended) / heists,
    }


def thief(asked: argparse.Namespace) -> None:
    """Bots play the same seeds, and so the same shuffled decks, with the dealing director and without.

    A bot does not know whether there is a director, so the difference is what the director does. Prints a table, or
    JSON.
    """
    tasks = [
        (bot, level, director, asked.heists)
        for bot in ("greedy", "random")
        for level in LEVELS
        for director in ("on", "off")
    ]
    if not asked.json:
        print(f"{asked.heists} heists each; wins with 95 % intervals")
        print(f"{'bot':8} {'level':>5} {'director':8} {'won':>7} {'interval':>17}   failed caught cornered")
    figures = []
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        for figure in pool.imap(heists_of, tasks):
            figures.append(figure)
            if not asked.json:
                rates = f"{figure['win_rate']:7.1%} {figure['low']:7.1%} - {figure['high']:7.1%}"
                others = " ".join(f"{figure['endings'][ending]:>{width}}" for ending, width in LOST)
                print(f"{figure['bot']:8} {figure['level']:>5} {figure['director']:8} {rates}  {others}", flush=True)
    if asked.json:
        show(figures)


# -- the command line


def main() -> None:
    known = [game.name for game in catalogue.listed()]
    commands = Commands("strength", __doc__)
    command = commands.add(pairs)
    command.add_argument("game", choices=[BUILT_IN, *known], metavar="GAME", help="or built-in: all built-in games")
    command.add_argument("matches", nargs="?", type=int, default=200, help="of every two bots")
    extent = command.add_mutually_exclusive_group()
    extent.add_argument("--minutes", type=float, help="of CPU in one process for every two bots, instead of matches")
    extent.add_argument(
        "--out", type=path_argument, metavar="DIR", help="folder for the matches, so that the run can continue"
    )
    command.add_argument("--bots", nargs="+", help="every two of them meet (default: all bots of the game)")
    command.add_argument("--pairs", nargs="+", metavar="BOT:BOT", help="these pairs instead")
    command.add_argument("--seats", type=int, help="at a table (default: the usual number)")
    add_options(command)
    command.add_argument("--workers", type=int, default=1, help="processes to use")
    shape = command.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--markdown", action="store_true", help="print a table as bench/README.md has it")
    command = commands.add(helpers)
    command.add_argument("game", nargs="?", default="hamsterdam", choices=known, metavar="GAME")
    command.add_argument("--seats", type=int, nargs="+", default=[3, 4, 5, 6])
    command.add_argument("--matches", type=int, default=100, help="in each row")
    command.add_argument("--others", default="house", help="the bot of the favourite and of the seats without a helper")
    command.add_argument("--rollouts", type=int, default=100, help="of a helper, for a decision")
    command = commands.add(enchere)
    command.add_argument("deals", nargs="?", type=int, default=200, help="of each version and opponent, from all seats")
    command = commands.add(camelup)
    command.add_argument("deals", nargs="?", type=int, default=200, help="of each variant, each played twice")
    command = commands.add(thief)
    command.add_argument("heists", nargs="?", type=int, default=1000, help="of each bot and level, for each director")
    command.add_argument("--workers", type=int, default=1, help="processes to use")
    command.add_argument("--json", action="store_true", help="print JSON")
    asked = commands.parse()
    listen()
    sys.exit(exit_code(f"python -m bench.strength {asked.measure.__name__}", partial(asked.measure, asked)))


if __name__ == "__main__":
    main()
