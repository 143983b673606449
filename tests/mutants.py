"""``make mutants``: change the lines of a commit series one at a time, and see whether a test notices.

    python -m tests.mutants --since COMMIT [--limit 40] [--seed 1] [PATH ...]

Mutation testing of the lines of ``games/`` and ``cardsite/`` that differ from a commit. Each mutant is one small fault:
a comparison turned round, a condition negated, a number off by one, a call left out, ``and`` for ``or``, a result that
is None. It is put into a copy of the project, and the test files run that import its file, up to the first failure.
What they do not notice is put in together, and all tests run that can notice it: if none fails, all of it survives; if
one does, each half of it is tried again. What survives is listed: either a test is missing, or the fault makes no
difference that matters.

The tools at hand did not fit: mutmut knows no "since a commit", and cosmic-ray changes the files one is working on and
runs the same tests for every mutant.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.affected import ROOT, Affected, imported_by

CPU_SECONDS = 600  # of one process of the tests; what a mutant makes endless ends there, and counts as noticed
OTHER: dict[type[ast.AST], ast.AST] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.And: ast.Or(),
    ast.Or: ast.And(),
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.FloorDiv(),
}


class Mutant(NamedTuple):
    """One fault: in ``path``, the characters from ``start`` to ``end`` become ``new``."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line}: {old}  ->  {new}"


def mutants(path: str, source: str, lines: set[int]) -> list[Mutant]:
    """Return the mutants of a file of which the fault begins in one of ``lines`` (from 1)."""
    begins = [0]
    for text in source.encode().splitlines(keepends=True):
        begins.append(begins[-1] + len(text))
    results = []
    encoded = source.encode()
    for node, new in faults(ast.parse(source)):
        if node.lineno in lines and node.end_lineno is not None and node.end_col_offset is not None:
            start = begins[node.lineno - 1] + node.col_offset
            end = begins[node.end_lineno - 1] + node.end_col_offset
            before, old = encoded[:start].decode(), encoded[start:end].decode()
            results.append(Mutant(path, node.lineno, len(before), len(before) + len(old), old, new))
    return results


def faults(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the parts of a program that can be replaced, each with what replaces it."""
    for node in code(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in OTHER:
                yield node, f"({ast.unparse(ast.Compare(node.left, [OTHER[type(op)]], node.comparators))})"  # type: ignore[list-item]
            case ast.BoolOp():
                yield node, f"({ast.unparse(ast.BoolOp(OTHER[type(node.op)], node.values))})"  # type: ignore[arg-type]
            case ast.BinOp() if type(node.op) in OTHER and not isinstance(node.left, ast.Constant | ast.JoinedStr):
                yield node, f"({ast.unparse(ast.BinOp(node.left, OTHER[type(node.op)], node.right))})"  # type: ignore[arg-type]
            case ast.UnaryOp(op=ast.Not()):
                yield node, f"({ast.unparse(node.operand)})"
            case ast.Constant(value=bool()):
                yield node, str(not node.value)
            case ast.Constant(value=int(number)):
                yield node, str(number + 1)
            case ast.Expr(value=ast.Call() | ast.Await()):
                yield node, "pass"
            case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
                yield node, "return None"
            case _:
                pass
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare):
                yield test, f"(not ({ast.unparse(test)}))"
            case _:
                pass


def code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but those of annotations, which nothing executes."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from code(child)


def changed_lines(since: str, paths: Iterable[str]) -> dict[str, set[int]]:
    """Return the lines of each file that differ from a commit, by the numbers that they have now."""
    asked = ["git", "diff", "-U0", "--diff-filter=d", "--no-renames", since, "--", *paths]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    results: dict[str, set[int]] = {}
    path = ""
    for line in done.stdout.splitlines():
        if line.startswith("+++ b/"):
            path = line.removeprefix("+++ b/")
        elif at := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(at[1]), int(at[2] or 1)
            results.setdefault(path, set()).update(range(first, first + count))
    return {
        path: lines for path, lines in results.items() if path.endswith(".py") and "/migrations/" not in path and lines
    }


def copied(folder: Path) -> None:
    """Copy what git knows of the project, as it lies there now, and lend the copy our installed packages."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in done.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(Path(sys.prefix))


def near(path: str) -> list[str]:
    """Return the test files that import ``path``."""
    module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    return sorted(file for file in Affected([path]).files if module in imported_by(ROOT / file))


def far(mutants: Iterable[Mutant]) -> list[str]:
    """Return what selects all tests that can notice some mutants.

    The site is tested by its pages and its events, which ``affected.py`` cannot follow from import to import. So for a
    mutant of the site that is everything but the tests of the games.
    """
    paths = sorted({mutant.path for mutant in mutants})
    if any(path.startswith("cardsite/") for path in paths):
        return ["tests", *([] if any(path.startswith("games/") for path in paths) else ["--ignore=tests/games"])]
    return ["tests", f"--affected-by={' '.join(paths)}"]


def apart(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """Yield those that overlap none before them, so that they can be put in together."""
    results: list[Mutant] = []
    for new in mutants:
        if all(new.path != old.path or new.end <= old.start or old.end <= new.start for old in results):
            results.append(new)
            yield new


@contextmanager
def put_in(folder: Path, mutants: Iterable[Mutant]) -> Iterator[None]:
    """Put some mutants that do not overlap into the copy of the project, for a while."""
    sources = {path: (folder / path).read_text() for path in {mutant.path for mutant in mutants}}
    for mutant in sorted(mutants, reverse=True, key=lambda mutant: mutant.start):
        text = (folder / mutant.path).read_text()
        (folder / mutant.path).write_text(text[: mutant.start] + mutant.new + text[mutant.end :])
    yield
    for path, source in sources.items():
        (folder / path).write_text(source)


def unnoticed(mutants: list[Mutant], fails: Callable[[list[Mutant]], bool]) -> list[Mutant]:
    """Return the mutants that survive, where ``fails`` says whether a test fails with some of them put in together.

    Few survive the tests that import their file and not these, so most groups need one run. A fault could hide another
    one; a survivor that is listed was in a run without a failure all the same.
    """
    if not mutants or not fails(mutants):
        return mutants
    half = len(mutants) // 2
    return unnoticed(mutants[:half], fails) + unnoticed(mutants[half:], fails) if half else []


def failure(folder: Path, tests: list[str]) -> str:
    """Return what pytest prints if a test fails in the copy of the project, "" if none does."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-n",
        "logical",
        "--maxprocesses=4",
        *tests,
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS)),
    )
    return "" if done.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED) else done.stdout or "no output"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="See which faults no test notices.")
    parser.add_argument("paths", nargs="*", default=["games", "cardsite"], help="files or folders (games and cardsite)")
    parser.add_argument("--since", required=True, metavar="COMMIT", help="try the lines that differ from this commit")
    parser.add_argument("--limit", type=int, default=40, help="try so many, drawn at random (40)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    asked = parser.parse_args()
    changed = changed_lines(asked.since, asked.paths)
    possible = [result for path, lines in changed.items() for result in mutants(path, (ROOT / path).read_text(), lines)]
    shuffled = random.Random(asked.seed).sample(possible, len(possible))
    drawn = sorted(islice(apart(shuffled), asked.limit))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        if drawn and (why := failure(folder, far(drawn))):
            raise SystemExit(f"{why}\nThe tests fail without any mutant.")

        def fails(group: list[Mutant], tests: list[str]) -> bool:
            with put_in(folder, group):
                return bool(failure(folder, tests))

        left = []
        for mutant in drawn:
            killed = (tests := near(mutant.path)) and fails([mutant], tests)
            print("killed" if killed else "unnoticed by tests near it", mutant, flush=True)
            left += [] if killed else [mutant]

        def fails_far(group: list[Mutant]) -> bool:
            noticed = fails(group, far(group))
            print(f"{len(group)} of those together: {'noticed' if noticed else 'unnoticed'} by all tests", flush=True)
            return noticed

        survivors = unnoticed(left, fails_far)
    for mutant in survivors:
        print("SURVIVES", mutant)
    figures = f"{len(drawn) - len(survivors)} killed, {len(survivors)} survive"
    print(f"{len(drawn)} of {len(possible)} possible mutants since {asked.since}: {figures}")


if __name__ == "__main__":
    main()
