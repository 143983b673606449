"""Fuzzing of the workshop's trial: ``python -m bench.siege.fuzz`` searches for expensive texts that pass it.

Texts of the library and of the siege are mutated: numbers grow, steps are repeated, put into loops, doubled or
exchanged between texts. Each mutant is played by several policies. Every question that a table asks of a game is timed
in CPU seconds of this process (``QUESTIONS``). The most expensive texts for each question that pass the trial are kept
and mutated further: random search with hill climbing, by a seed, for a number of CPU seconds. Prints JSON and writes
the kept texts into a folder, each with its cost in its header. Give such a folder to ``--begin`` to continue from it.
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

QUESTIONS = ("options", "apply", "view", "determinize", "scores", "log")
LIBRARY = ROOT / "games" / "recycle" / "library"
KEPT = 5  # texts for each question that are mutated further
DECISIONS = 12  # of a match that is measured
MEASURING = 2.0  # CPU seconds for compiling one text, and for playing it
TRIAL = 20.0  # CPU seconds for a trial: as in cardsite/limits.py, which needs the site's settings
BETTER = 1.05  # factor by which a text must be more expensive: CPU time varies
MEMORY = 3 << 30  # bytes of address space
NUMBERS = (0, 1, 2, 3, 5, 10, 20, 36, 98, 100, 300, 600, 1000, 2000, 10_000)  # that a mutation puts into a text
Tree = list[Any]  # of trees and words


class OutOfTime(BaseException):
    """The CPU time for a text is used up. It is no Exception, because rules may catch those."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block after so many CPU seconds."""

    def on_alarm(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTime

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
    """The longest that a question took: CPU seconds, and how the match got there."""

    seconds: float = 0.0
    seats: int = 0
    policy: str = ""
    decision: int = 0
    steps: int = 0  # of the RECYCLE machine; 0 for questions whose steps are not counted

    def nanoseconds_a_step(self) -> float | None:
        """Return what a step of the machine took; None if none was counted."""
        return round(self.seconds / self.steps * 1e9, 1) if self.steps else None


Costs = dict[str, Slowest]
Policy = Callable[[Sequence[str], random.Random, dict[str, str]], str]


def _any(moves: Sequence[str], chance: random.Random, _kept: dict[str, str]) -> str:
    return chance.choice(moves)


def _same(moves: Sequence[str], chance: random.Random, kept: dict[str, str]) -> str:
    """Return the same move as last time if it is legal, to reach rules that count repetitions."""
    if kept.get("move") not in moves:
        kept["move"] = chance.choice(moves)
    return kept["move"]


def _last(moves: Sequence[str], _chance: random.Random, _kept: dict[str, str]) -> str:
    return moves[-1]


POLICIES: dict[str, Policy] = {"any": _any, "same": _same, "last": _last}
AUTHOR = "author"  # a further policy: plays the moves by which the author of a text of the siege makes it slow
AUTHORS_MOVES = {f"siege {name}": text.play for name, text in TEXTS.items()}


class TextCosts:
    """Measures one text. ``costs`` has the longest time of each question."""

    def __init__(self, game: RecycleGame, seed: str, authors_moves: Sequence[str]) -> None:
        """``authors_moves``: the first moves that the author of the original text has written down; none if empty."""
        self._game, self._seed, self._authors_moves = game, seed, authors_moves
        self.costs: Costs = {question: Slowest() for question in QUESTIONS}
        self._now: tuple[int, str, int] = (0, "", 0)  # seats, policy, decision

    def measure(self) -> None:
        """Play matches with the most and the fewest players. Raises OutOfTime; rules that fail only end the match."""
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
                self._ask("view", match, _encoded_view, match, audience)
            self._ask("determinize", match, match.state.determinize, seat, samples)
            self._ask("scores", match, match.scores)
            scripted = self._authors_moves[decision : decision + 1] if policy == AUTHOR else ()
            choose = POLICIES.get(policy, _any)
            move = scripted[0] if scripted and scripted[0] in moves else choose(moves, chance, kept)
            self._ask("apply", match, match.advance, seat, move)
            self._ask("log", match, _encoded_log, match)

    def _ask(self, question: str, match: core.Match, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what ``function`` returns, and note how long it took, even if it fails."""
        state = match.state
        began = time.thread_time()  # process_time() is less exact while an alarm is set
        assert isinstance(state, RecycleState)
        try:
            return function(*arguments)
        finally:
            seconds = time.thread_time() - began
            if seconds > self.costs[question].seconds:
                steps = MOST_STEPS - state.steps if question in ("options", "apply") else 0
                self.costs[question] = Slowest(seconds, *self._now, steps)


def _encoded_view(match: core.Match, audience: int | None) -> bytes:
    return msgspec.json.encode(match.view(audience))


def _encoded_log(match: core.Match) -> bytes:
    return msgspec.json.encode(match.entries(None, match.ply))


# -- how texts are mutated


def parsed(text: str) -> Tree:
    """Return a text as nested lists of words, without its comments. Raises ValueError if brackets do not match."""
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
    """Return a deep copy of a tree."""
    return [copied(part) for part in tree] if isinstance(tree, list) else tree


def groups(tree: Tree) -> list[Tree]:
    """Return a tree and all trees in it."""
    subtrees = [tree]
    for part in tree:
        if isinstance(part, list):
            subtrees += groups(part)
    return subtrees


STEPS = frozenset({"do", "set", "inc", "dec", "move", "repeat", "all", "any", "shuffle", "remember", "forget", "cycle"})
VALUES = frozenset({"+", "-", "*", "//", "%", "^", "tri", "fib", "size", "sum", "score"})
CARDS = frozenset({"union", "intersect", "disjunction", "filter", "sort", "game"})
EXCHANGEABLE = (  # sets of first words: a group can be replaced by another whose first word is in the same set
    STEPS,
    VALUES,
    CARDS,
    frozenset({"stage", "choice", "do"}),
    frozenset({"and", "or", "not", "==", "!=", "<", ">"}),
)


def head(tree: Any) -> str:
    """Return the first word of a group; "" if it begins with a group, or ``tree`` is not a group."""
    return tree[0] if isinstance(tree, list) and tree and isinstance(tree[0], str) else ""


class Mutator:
    """Changes texts at random. It may take parts from any of ``trees``."""

    def __init__(self, chance: random.Random, trees: Sequence[Tree]) -> None:
        self._chance = chance
        self._pool: dict[str, list[Tree]] = {}  # groups by their first word
        self._variables = 0  # new variables so far
        for tree in trees:
            for group in groups(tree):
                self._pool.setdefault(head(group), []).append(group)

    def mutant(self, tree: Tree) -> Tree:
        """Return a changed copy of a tree, which may no longer be a valid text."""
        changed: Tree = copied(tree)
        for _ in range(self._chance.choice((1, 1, 1, 2, 3))):
            self._chance.choice(self._mutations)(self, changed)
        return changed

    def _variable(self) -> str:
        """Return a variable that the text hardly has: ``'HAA`` to ``'HZZ``."""
        self._variables = (self._variables + 1) % 676
        return f"'H{chr(65 + self._variables // 26)}{chr(65 + self._variables % 26)}"

    def _any_group(self, tree: Tree, wanted: Callable[[Tree], bool]) -> Tree | None:
        """Return one of the groups of a tree that are wanted, at random; None if there is none."""
        candidates = [group for group in groups(tree) if wanted(group)]
        return self._chance.choice(candidates) if candidates else None

    def _number(self, tree: Tree) -> None:
        """Change a number."""
        group = self._any_group(tree, lambda group: any(isinstance(word, str) and word.isdecimal() for word in group))
        if group is None:
            return
        index = self._chance.choice([at for at, word in enumerate(group) if isinstance(word, str) and word.isdecimal()])
        value = int(group[index])
        group[index] = str(
            self._chance.choice((value * 2, value * 10, value + 1, value // 2, self._chance.choice(NUMBERS)))
        )

    def _exchange(self, tree: Tree) -> None:
        """Replace a part by a similar part of this text or another."""
        group = self._any_group(tree, lambda group: bool(head(group)) and group is not tree)
        if group is None:
            return
        alike = [words for words in EXCHANGEABLE if head(group) in words]
        heads = sorted(self._chance.choice(alike)) if alike else [head(group)]
        if others := [other for name in heads for other in self._pool.get(name, ())]:
            group[:] = list(copied(self._chance.choice(others)))

    def _double(self, tree: Tree) -> None:
        """Repeat a step or a block behind itself."""
        group = self._any_group(tree, lambda group: any(head(child) in STEPS | {"choice", "stage"} for child in group))
        if group is not None:
            indices = [at for at, child in enumerate(group) if head(child) in STEPS | {"choice", "stage"}]
            index = self._chance.choice(indices)
            group.insert(index, copied(group[index]))

    def _remove(self, tree: Tree) -> None:
        """Remove one of several groups."""
        group = self._any_group(tree, lambda group: len(group) > 1 and all(isinstance(child, list) for child in group))
        if group is not None:
            group.pop(self._chance.randrange(len(group)))

    def _loop(self, tree: Tree) -> None:
        """Put a step into a loop."""
        step = self._any_group(tree, lambda group: head(group) in STEPS)
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

    def _nested_loops(self, tree: Tree) -> None:
        """Replace an operand by a number that takes two nested loops to compute."""
        group = self._any_group(tree, lambda group: head(group) in VALUES | {"set", "inc", "=="})
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
        loop = self._any_group(tree, lambda group: head(group) in ("all", "any") and len(group) == 4)
        if loop is None or not isinstance(loop[3], list):
            return
        words = ("vloc", "iloc", "hloc", "oloc", "mem", "sto", "str")
        place = self._any_group(loop[3], lambda group: len(group) == 3 and group[1] in words)
        if place is not None:
            place[2] = loop[2]

    def _players(self, tree: Tree) -> None:
        """Change the number of players."""
        for group in groups(tree):
            if group[:2] == ["create", "players"]:
                group[2:] = [self._chance.choice(("1", "2", "4", "10", "20"))]

    def _visibility(self, tree: Tree) -> None:
        """Change who sees a place."""
        words = ("vloc", "iloc", "hloc", "oloc", "mem")
        place = self._any_group(tree, lambda group: len(group) == 3 and group[1] in words)
        if place is not None:
            place[1] = self._chance.choice(words)

    _mutations = (
        _number,
        _number,
        _exchange,
        _exchange,
        _double,
        _remove,
        _loop,
        _loop,
        _nested_loops,
        _name,
        _players,
        _visibility,
    )


# -- the search


@dataclass
class Candidate:
    """A text, and what it costs."""

    text: str
    costs: Costs
    origin: str  # the name of the original text that it is a mutant of
    passed: bool = False  # its trial; False if it had none
    tree: Tree = field(repr=False, default_factory=list)


class Fuzzer:
    """Searches for expensive texts until its CPU time is used up. ``announce`` is called with a line for each record.

    ``kept`` has the most expensive texts for each question, the most expensive first. ``faults`` has a text for each
    exception of the rules that is not RulesFailed, by the words of the exception.
    """

    def __init__(self, seed: str, seconds: float, announce: Callable[[str], None]) -> None:
        self._chance = random.Random(seed)
        self._seconds = seconds
        self._announce = announce
        self._seed = seed
        self.kept: dict[str, list[Candidate]] = {question: [] for question in QUESTIONS}
        self.counts = {"made": 0, "texts": 0, "measured": 0, "tried": 0, "refused": 0, "kept": 0, "out of time": 0}
        self.faults: dict[str, str] = {}

    def run(self, originals: dict[str, str]) -> None:
        """Measure ``originals`` (texts by name), for half of the CPU time at most, then mutants of them."""
        began = time.process_time()
        trees = {name: parsed(text) for name, text in originals.items()}
        for name, tree in trees.items():
            if time.process_time() - began > self._seconds / 2:
                break
            self.consider(tree, name)
        mutator = Mutator(self._chance, list(trees.values()))
        while time.process_time() - began < self._seconds:
            parents = self.kept[self._chance.choice(QUESTIONS)]
            if parents and self._chance.random() < 0.8:
                parent = self._chance.choice(parents)
                tree, name = parent.tree, parent.origin
            else:
                name = self._chance.choice(list(trees))
                tree = trees[name]
            self.counts["made"] += 1
            self.consider(mutator.mutant(tree), name)

    def consider(self, tree: Tree, origin: str) -> None:
        """Measure a text, and keep it if it costs more than others and passes the trial.

        A text that is too long, not valid RECYCLE, or compiles too slowly is ignored.
        """
        text = written(tree)
        if len(text) > LARGEST:
            return
        try:
            with bounded(MEASURING):
                game = RecycleGame("x", text)
                for seats in (game.min_seats, game.max_seats):
                    game.program(seats)
        except (BadText, BadTableFile, RecursionError, MemoryError, OutOfTime):
            return
        self.counts["texts"] += 1
        measured = TextCosts(game, self._seed, AUTHORS_MOVES.get(origin, ()))
        try:
            with bounded(MEASURING):
                measured.measure()
        except OutOfTime:
            self.counts["out of time"] += 1
        except Exception as error:  # whatever rules may raise
            self.faults.setdefault(f"{type(error).__name__}: {error}"[:200], text)
            return
        self.counts["measured"] += 1
        candidate = Candidate(text, measured.costs, origin, tree=tree)
        better = [question for question in QUESTIONS if self._is_better(question, candidate)]
        # A trial takes seconds, so only records get one: texts that cost less than a passed one are kept without.
        if any(self._is_record(question, candidate) for question in better):
            if not self._passes(text):
                return
            candidate.passed = True
        self._keep(candidate, better)

    def _is_better(self, question: str, candidate: Candidate) -> bool:
        kept = self.kept[question]
        return len(kept) < KEPT or candidate.costs[question].seconds > kept[-1].costs[question].seconds * BETTER

    def _is_record(self, question: str, candidate: Candidate) -> bool:
        kept = self.kept[question]
        return not kept or candidate.costs[question].seconds > kept[0].costs[question].seconds

    def _passes(self, text: str) -> bool:
        self.counts["tried"] += 1
        try:
            with bounded(TRIAL):
                passes = try_out(text, "")["ok"]
        except (OutOfTime, MemoryError):
            passes = False
        self.counts["refused"] += not passes
        return bool(passes)

    def _keep(self, candidate: Candidate, questions: list[str]) -> None:
        self.counts["kept"] += bool(questions)
        for question in questions:
            kept = [*self.kept[question], candidate]
            kept.sort(key=lambda one: -one.costs[question].seconds)
            # Keep few mutants of each original; otherwise those of a single one soon take every place.
            siblings = [one for one in kept if one.origin == candidate.origin]
            if len(siblings) > KEPT // 2:
                kept.remove(siblings[-1])
            if kept and kept[0] is candidate:
                self._announce(
                    f"{question}: {candidate.costs[question].seconds * 1000:.0f} ms, mutant of {candidate.origin}"
                )
            self.kept[question] = kept[:KEPT]

    def figures(self) -> dict[str, Any]:
        """Return the figures of the search as JSON has them, the most expensive text of each question first."""
        return {
            "allowed_ms": DECISION * 1000,
            "counts": self.counts,
            "faults": sorted(self.faults),
            "finds": {question: [_figures(one, question) for one in self.kept[question]] for question in QUESTIONS},
        }

    def write(self, folder: Path) -> None:
        """Write the kept texts, and those that raised unexpected exceptions, into a folder, made if necessary."""
        folder.mkdir(parents=True, exist_ok=True)
        for question in QUESTIONS:
            for number, one in enumerate(self.kept[question], 1):
                cost = one.costs[question]
                summary = f"{cost.seconds * 1000:.0f} ms, {cost.seats} players, {cost.policy}, decision {cost.decision}"
                (folder / f"{question}-{number}.rcy").write_text(f";; Summary: {question}: {summary}\n{one.text}\n")
        for number, (error, text) in enumerate(sorted(self.faults.items()), 1):
            (folder / f"fault-{number}.rcy").write_text(f";; Summary: {' '.join(error.split())}\n{text}\n")


def _figures(candidate: Candidate, question: str) -> dict[str, Any]:
    cost = candidate.costs[question]
    return {
        "ms": round(cost.seconds * 1000, 1),
        "times_allowed": round(cost.seconds / DECISION, 2),
        "ns_a_step": cost.nanoseconds_a_step(),
        **{name: value for name, value in asdict(cost).items() if name != "seconds"},
        "of": candidate.origin,
        "passed": candidate.passed,
        "characters": len(candidate.text),
    }


def main() -> None:
    parser = parser_of("siege.fuzz", __doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="of CPU (default: %(default)s)")
    parser.add_argument("--seed", default="fuzz")
    parser.add_argument("--begin", type=Path, metavar="FOLDER", help="with the texts there, too")
    parser.add_argument("--out", type=Path, metavar="FOLDER", default=ROOT / "var" / "fuzz", help="for the kept texts")
    arguments = parser.parse_args()
    if arguments.begin and not arguments.begin.is_dir():
        parser.error(f"--begin: {arguments.begin} is not a folder.")
    os.nice(19)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.set_int_max_str_digits(0)  # the digits of a large number are to be measured, not refused
    originals = (
        {path.stem: path.read_text() for path in sorted(arguments.begin.glob("*.rcy"))} if arguments.begin else {}
    )
    originals |= {f"siege {name}": text.source for name, text in TEXTS.items()}
    originals |= {path.stem: path.read_text() for path in sorted(LIBRARY.glob("*.rcy"))}
    fuzzer = Fuzzer(arguments.seed, arguments.seconds, lambda text: print(text, file=sys.stderr))
    fuzzer.run(originals)
    fuzzer.write(arguments.out)
    show(fuzzer.figures())


if __name__ == "__main__":
    main()
