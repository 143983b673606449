"""Looks for texts that cost the most of what the workshop's trial lets through: ``python -m bench.siege.hunt``.

Texts of the library and of the siege are changed at random: numbers grow, steps are repeated, put into loops, doubled
or exchanged between texts. Each one is played by several ways of choosing, and what a table asks of it is measured in
CPU time of this process: its options, a move, a view, a determinization, the scores, the log of a move. The most
expensive of each kind that pass the trial are kept and changed further. So it is random search with hill-climbing, by a
seed, and bounded in CPU seconds. Prints JSON and writes the finds into a folder, each with its costs in its header.
Give such a folder to ``--begin`` to continue from it.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from bench.harness.command import parser_of, show
from bench.harness.running import ROOT
from bench.siege.texts import TEXTS, names
from cardsite.workshop.trial_worker import DECISION, try_out
from games import core
from games.core import FastChance, RulesFailed
from games.core.texts import LARGEST
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile
from games.recycle.machine import MOST_STEPS
from games.recycle.problems import BadText
from games.recycle.reader.syntax import tokens
from games.recycle.rules import RecycleState

KINDS = ("options", "apply", "view", "determinize", "scores", "log")
LIBRARY = ROOT / "games" / "recycle" / "library"
ELITE = 5  # texts of each kind that are changed further
DECISIONS = 12  # of a match that is measured
LOOKED = 2.0  # CPU seconds for one text at most
TRIED = 20.0  # and for its trial: as in cardsite/limits.py, which needs the site's settings
BETTER = 1.05  # factor by which a text must be more expensive: CPU time varies
MEMORY = 3 << 30  # bytes of address space
NUMBERS = (0, 1, 2, 3, 5, 10, 20, 36, 98, 100, 300, 600, 1000, 2000, 10_000)
Tree = list[Any]  # of trees and words


class HuntTimeout(BaseException):
    """So much CPU time was spent. No rules can catch it."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise HuntTimeout in the block when it has computed for so long."""

    def on_alarm(_number: int, _frame: FrameType | None) -> None:
        raise HuntTimeout

    before = signal.signal(signal.SIGVTALRM, on_alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# -- what a text costs


@dataclass
class Slowest:
    """The most expensive question of a kind: CPU seconds, and how the match came there."""

    seconds: float = 0.0
    seats: int = 0
    policy: str = ""
    decision: int = 0
    steps: int = 0  # of the machine, of which it allows only so many

    def nanoseconds_a_step(self) -> float | None:
        """Return what a step cost; None where none was counted."""
        return round(self.seconds / self.steps * 1e9, 1) if self.steps else None


Costs = dict[str, Slowest]
Policy = Callable[[Sequence[str], random.Random, dict[str, str]], str]


def _any(moves: Sequence[str], chance: random.Random, _kept: dict[str, str]) -> str:
    return chance.choice(moves)


def _same(moves: Sequence[str], chance: random.Random, kept: dict[str, str]) -> str:
    """Return what was chosen last time, where it can be: so that what counts repetitions is found."""
    if kept.get("move") not in moves:
        kept["move"] = chance.choice(moves)
    return kept["move"]


def _last(moves: Sequence[str], _chance: random.Random, _kept: dict[str, str]) -> str:
    return moves[-1]


POLICIES: dict[str, Policy] = {"any": _any, "same": _same, "last": _last}
AUTHOR = "author"  # plays the moves that make a text of the siege slow, where there are such moves
AUTHORS_MOVES = {f"siege {name}": text.play for name, text in TEXTS.items()}


class TextCosts:
    """Measures one text."""

    def __init__(self, game: RecycleGame, seed: str, authors_moves: Sequence[str]) -> None:
        """``authors_moves``: the first moves of the original text's author."""
        self._game, self._seed, self._authors_moves = game, seed, authors_moves
        self.costs: Costs = {kind: Slowest() for kind in KINDS}
        self._now: tuple[int, str, int] = (0, "", 0)

    def measure(self) -> None:
        """Play matches with the most and the fewest players. Raises HuntTimeout; rules that fail only end the match."""
        for seats in dict.fromkeys((self._game.max_seats, self._game.min_seats)):
            for policy in [AUTHOR, *POLICIES] if self._authors_moves else POLICIES:
                self._now = seats, policy, 0
                try:
                    self._play(seats, policy)
                except (RulesFailed, core.IllegalMove, RecursionError, MemoryError):
                    continue

    def _play(self, seats: int, policy: str) -> None:
        chance = random.Random(f"{self._seed} {seats} {policy} {self._game.rules_version}")
        match = core.Match.start(self._game, seats, {}, FastChance(f"{self._seed} {seats}"))
        samples, kept = FastChance("samples"), dict[str, str]()
        for decision in range(DECISIONS):
            self._now = seats, policy, decision
            if not match.to_act():
                break
            seat = match.to_act()[0]
            moves: list[str] = self._ask("options", match, match.legal_moves, seat)
            for audience in (None, seat, (seat + 1) % seats):
                self._ask("view", match, _drawn, match, audience)
            self._ask("determinize", match, match.state.determinize, seat, samples)
            self._ask("scores", match, match.scores)
            scripted = self._authors_moves[decision : decision + 1] if policy == AUTHOR else ()
            choose = POLICIES.get(policy, _any)
            move = scripted[0] if scripted and scripted[0] in moves else choose(moves, chance, kept)
            self._ask("apply", match, match.advance, seat, move)
            self._ask("log", match, _logged, match)

    def _ask(self, kind: str, match: core.Match, question: Callable[..., Any], *asked: Any) -> Any:
        """Ask something and note its cost, also if it fails."""
        state = match.state
        began = time.thread_time()  # process_time() is less exact while an alarm is set
        assert isinstance(state, RecycleState)
        try:
            return question(*asked)
        finally:
            seconds = time.thread_time() - began
            if seconds > self.costs[kind].seconds:
                steps = MOST_STEPS - state.steps if kind in ("options", "apply") else 0
                self.costs[kind] = Slowest(seconds, *self._now, steps)


def _drawn(match: core.Match, audience: int | None) -> bytes:
    return msgspec.json.encode(match.view(audience))


def _logged(match: core.Match) -> bytes:
    return msgspec.json.encode(match.entries(None, match.ply))


# -- how texts are changed


def parsed(text: str) -> Tree:
    """Return the brackets of a text, without its comments. Raises ValueError for brackets that do not match."""
    stack: list[Tree] = [[]]
    for token in map(str, tokens(text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) < 2:
                raise ValueError("A bracket is closed that is not open.")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1 or not stack[0] or not isinstance(stack[0][0], list):
        raise ValueError("A bracket is never closed.")
    tree: Tree = stack[0][0]
    return tree


def written(tree: Tree | str) -> str:
    """Return a tree as a text again."""
    return tree if isinstance(tree, str) else f"({' '.join(map(written, tree))})"


def copied(tree: Any) -> Any:
    """Return a copy of a tree with all that is in it."""
    return [copied(one) for one in tree] if isinstance(tree, list) else tree


def groups(tree: Tree) -> list[Tree]:
    """Return all groups of a tree, itself first."""
    subtrees = [tree]
    for one in tree:
        if isinstance(one, list):
            subtrees += groups(one)
    return subtrees


STEPS = frozenset({"do", "set", "inc", "dec", "move", "repeat", "all", "any", "shuffle", "remember", "forget", "cycle"})
VALUES = frozenset({"+", "-", "*", "//", "%", "^", "tri", "fib", "size", "sum", "score"})
CARDS = frozenset({"union", "intersect", "disjunction", "filter", "sort", "game"})
EXCHANGEABLE = (  # words of which each can replace another of the same set
    STEPS,
    VALUES,
    CARDS,
    frozenset({"stage", "choice", "do"}),
    frozenset({"and", "or", "not", "==", "!=", "<", ">"}),
)


def head(tree: Any) -> str:
    """Return the word that a bracket begins with, "" for anything else."""
    return tree[0] if isinstance(tree, list) and tree and isinstance(tree[0], str) else ""


class Breeder:
    """Changes texts by chance."""

    def __init__(self, chance: random.Random, trees: Sequence[Tree]) -> None:
        self._chance = chance
        self._pool: dict[str, list[Tree]] = {}
        self._fresh = 0
        for tree in trees:
            for group in groups(tree):
                self._pool.setdefault(head(group), []).append(group)

    def child(self, tree: Tree) -> Tree:
        """Return a changed copy of a tree, which may no longer be a valid text."""
        changed: Tree = copied(tree)
        for _ in range(self._chance.choice((1, 1, 1, 2, 3))):
            self._chance.choice(self._changes)(self, changed)
        return changed

    def _variable(self) -> str:
        self._fresh = (self._fresh + 1) % 676
        return f"'H{chr(65 + self._fresh // 26)}{chr(65 + self._fresh % 26)}"

    def _one(self, tree: Tree, wanted: Callable[[Tree], bool]) -> Tree | None:
        candidates = [group for group in groups(tree) if wanted(group)]
        return self._chance.choice(candidates) if candidates else None

    def _number(self, tree: Tree) -> None:
        group = self._one(tree, lambda one: any(isinstance(word, str) and word.isdecimal() for word in one))
        if group is None:
            return
        index = self._chance.choice([at for at, word in enumerate(group) if isinstance(word, str) and word.isdecimal()])
        value = int(group[index])
        group[index] = str(
            self._chance.choice((value * 2, value * 10, value + 1, value // 2, self._chance.choice(NUMBERS)))
        )

    def _exchange(self, tree: Tree) -> None:
        """Replace a part by a similar part of this text or another."""
        group = self._one(tree, lambda one: bool(head(one)) and one is not tree)
        if group is None:
            return
        alike = [words for words in EXCHANGEABLE if head(group) in words]
        heads = sorted(self._chance.choice(alike)) if alike else [head(group)]
        if others := [one for name in heads for one in self._pool.get(name, ())]:
            group[:] = list(copied(self._chance.choice(others)))

    def _double(self, tree: Tree) -> None:
        """Do something twice."""
        group = self._one(tree, lambda one: any(head(child) in STEPS | {"choice", "stage"} for child in one))
        if group is not None:
            indices = [at for at, child in enumerate(group) if head(child) in STEPS | {"choice", "stage"}]
            index = self._chance.choice(indices)
            group.insert(index, copied(group[index]))

    def _remove(self, tree: Tree) -> None:
        group = self._one(tree, lambda one: len(one) > 1 and all(isinstance(child, list) for child in one))
        if group is not None:
            group.pop(self._chance.randrange(len(group)))

    def _loop(self, tree: Tree) -> None:
        """Put a step into a loop."""
        step = self._one(tree, lambda one: head(one) in STEPS)
        if step is None:
            return
        variable, inside, count = self._variable(), copied(step), str(self._chance.choice(NUMBERS[3:]))
        step[:] = self._chance.choice(
            (
                ["all", ["range", "1", "..", count], variable, inside],
                ["all", "player", variable, inside],
                ["all", parsed(names(min(int(count), 98))), variable, inside],
                ["repeat", count, inside],
                ["any", ["range", "1", "..", count], variable, inside],
            )
        )

    def _work(self, tree: Tree) -> None:
        """Have a number worked out the long way."""
        group = self._one(tree, lambda one: head(one) in VALUES | {"set", "inc", "=="})
        if group is None or len(group) < 2:
            return
        first, second, rounds = self._variable(), self._variable(), self._chance.choice(("20", "100", "300", "500"))
        group[-1] = [
            "size",
            ["filter", ["range", "1", "..", rounds], first,
             ["any", ["range", "1", "..", rounds], second, ["==", first, "0"]]],
        ]  # fmt: skip

    def _name(self, tree: Tree) -> None:
        """Compute the name of a place or a store, so that it is created during the match."""
        loop = self._one(tree, lambda one: head(one) in ("all", "any") and len(one) == 4)
        if loop is None or not isinstance(loop[3], list):
            return
        words = ("vloc", "iloc", "hloc", "oloc", "mem", "sto", "str")
        place = self._one(loop[3], lambda one: len(one) == 3 and one[1] in words)
        if place is not None:
            place[2] = loop[2]

    def _players(self, tree: Tree) -> None:
        for group in groups(tree):
            if group[:2] == ["create", "players"]:
                group[2:] = [self._chance.choice(("1", "2", "4", "10", "20"))]

    def _see(self, tree: Tree) -> None:
        """Change who sees a place."""
        words = ("vloc", "iloc", "hloc", "oloc", "mem")
        place = self._one(tree, lambda one: len(one) == 3 and one[1] in words)
        if place is not None:
            place[1] = self._chance.choice(words)

    _changes = (_number, _number, _exchange, _exchange, _double, _remove, _loop, _loop, _work, _name, _players, _see)


# -- the hunt


@dataclass
class Find:
    """A text, and what it costs."""

    text: str
    costs: Costs
    born: str  # the text that it was changed from
    passed: bool = False  # its trial; False: it had none
    tree: Tree = field(repr=False, default_factory=list)


class Hunt:
    """Finds expensive texts, as long as CPU time is left."""

    def __init__(self, seed: str, seconds: float, announce: Callable[[str], None]) -> None:
        self._chance = random.Random(seed)
        self._seconds = seconds
        self._say = announce
        self._seed = seed
        self.elite: dict[str, list[Find]] = {kind: [] for kind in KINDS}
        self.counts = {"made": 0, "texts": 0, "measured": 0, "tried": 0, "refused": 0, "kept": 0, "out of time": 0}
        self.faults: dict[str, str] = {}  # by kind, what the rules raised that is no RulesFailed: the text

    def run(self, originals: dict[str, str]) -> None:
        """Measure ``originals`` (texts by name), then changed copies of them, until the CPU time is used up."""
        began = time.process_time()
        trees = {name: parsed(text) for name, text in originals.items()}
        for name, tree in trees.items():
            if time.process_time() - began > self._seconds / 2:
                break
            self.consider(tree, name)
        breeder = Breeder(self._chance, list(trees.values()))
        while time.process_time() - began < self._seconds:
            kind = self._chance.choice(KINDS)
            parents = self.elite[kind]
            if parents and self._chance.random() < 0.8:
                parent = self._chance.choice(parents)
                tree, name = parent.tree, parent.born
            else:
                name = self._chance.choice(list(trees))
                tree = trees[name]
            self.counts["made"] += 1
            self.consider(breeder.child(tree), name)

    def consider(self, tree: Tree, born: str) -> None:
        """Measure a text, and keep it if it costs more than others and passes the trial."""
        text = written(tree)
        if len(text) > LARGEST:
            return
        try:
            with bounded(LOOKED):
                game = RecycleGame("x", text)
                for seats in (game.min_seats, game.max_seats):
                    game.program(seats)
        except (BadText, BadTableFile, RecursionError, MemoryError, HuntTimeout):
            return
        self.counts["texts"] += 1
        measured = TextCosts(game, self._seed, AUTHORS_MOVES.get(born, ()))
        try:
            with bounded(LOOKED):
                measured.measure()
        except HuntTimeout:
            self.counts["out of time"] += 1
        except Exception as error:  # whatever rules may raise: it is a find of its own
            self.faults.setdefault(f"{type(error).__name__}: {error}"[:200], text)
            return
        self.counts["measured"] += 1
        find = Find(text, measured.costs, born, tree=tree)
        better = [kind for kind in KINDS if self._is_better(kind, find)]
        # A trial takes seconds, so only records get one: texts that cost less than a passed one are kept without.
        if any(self._is_record(kind, find) for kind in better):
            if not self._passes(text):
                return
            find.passed = True
        self._keep(find, better)

    def _is_better(self, kind: str, find: Find) -> bool:
        there = self.elite[kind]
        return len(there) < ELITE or find.costs[kind].seconds > there[-1].costs[kind].seconds * BETTER

    def _is_record(self, kind: str, find: Find) -> bool:
        there = self.elite[kind]
        return not there or find.costs[kind].seconds > there[0].costs[kind].seconds

    def _passes(self, text: str) -> bool:
        self.counts["tried"] += 1
        try:
            with bounded(TRIED):
                passes = try_out(text, "")["ok"]
        except (HuntTimeout, MemoryError):
            passes = False
        self.counts["refused"] += not passes
        return bool(passes)

    def _keep(self, find: Find, kinds: list[str]) -> None:
        self.counts["kept"] += bool(kinds)
        for kind in kinds:
            there = [*self.elite[kind], find]
            there.sort(key=lambda one: -one.costs[kind].seconds)
            # Keep few descendants of each text; otherwise those of a single one soon take every place.
            descendants = [one for one in there if one.born == find.born]
            if len(descendants) > ELITE // 2:
                there.remove(descendants[-1])
            if there and there[0] is find:
                self._say(f"{kind}: {find.costs[kind].seconds * 1000:.0f} ms, of {find.born}")
            self.elite[kind] = there[:ELITE]

    def figures(self) -> dict[str, Any]:
        """Return what was found, the most expensive of each kind first."""
        return {
            "allowed_ms": DECISION * 1000,
            "counts": self.counts,
            "faults": sorted(self.faults),
            "finds": {
                kind: [
                    {
                        "ms": round(one.costs[kind].seconds * 1000, 1),
                        "times_allowed": round(one.costs[kind].seconds / DECISION, 2),
                        "ns_a_step": one.costs[kind].nanoseconds_a_step(),
                        **{name: value for name, value in asdict(one.costs[kind]).items() if name != "seconds"},
                        "of": one.born,
                        "passed": one.passed,
                        "characters": len(one.text),
                    }
                    for one in self.elite[kind]
                ]
                for kind in KINDS
            },
        }

    def write(self, folder: Path) -> None:
        """Write the most expensive texts of each kind, and those that raised unexpected exceptions, into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for kind in KINDS:
            for number, one in enumerate(self.elite[kind], 1):
                cost = one.costs[kind]
                summary = f"{cost.seconds * 1000:.0f} ms, {cost.seats} players, {cost.policy}, decision {cost.decision}"
                (folder / f"{kind}-{number}.rcy").write_text(f";; Summary: {kind}: {summary}\n{one.text}\n")
        for number, (error, text) in enumerate(sorted(self.faults.items()), 1):
            (folder / f"fault-{number}.rcy").write_text(f";; Summary: {' '.join(error.split())}\n{text}\n")


def main() -> None:
    """Hunt as the command line says."""
    parser = parser_of("siege.hunt", __doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="of CPU (default: %(default)s)")
    parser.add_argument("--seed", default="hunt")
    parser.add_argument("--begin", type=Path, metavar="FOLDER", help="with the texts there, too")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=ROOT / "var" / "hunt", help="for what is found")
    arguments = parser.parse_args()
    os.nice(19)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.set_int_max_str_digits(0)  # the digits of a large number are to be measured, not refused
    originals = (
        {path.stem: path.read_text() for path in sorted(arguments.begin.glob("*.rcy"))} if arguments.begin else {}
    )
    originals |= {f"siege {name}": text.source for name, text in TEXTS.items()}
    originals |= {path.stem: path.read_text() for path in sorted(LIBRARY.glob("*.rcy"))}
    hunt = Hunt(arguments.seed, arguments.seconds, lambda text: print(text, file=sys.stderr))
    hunt.run(originals)
    hunt.write(arguments.out)
    show(hunt.figures())


if __name__ == "__main__":
    main()
