"""Experiments as files: a YAML file says who plays what how often, and a folder gets everything that came of it.

The file is a mapping; all lists are combined with each other, and each combination is a *case*:

```yaml
title: What thinking is worth
games: [agram, bundles]        # names, or paths of texts in RECYCLE
seats: [3]                     # numbers of players; without it, each game's usual number
options: [{}, {target: 50}]    # mappings; without it, the usual options
bots: [[strong, easy]]         # the last bot also gets the seats that are left; or FILE.py:CLASS
seeds: [1]                     # any texts
matches: 300                   # of each case at most (default: 100); each bot sits in every seat equally often
until: {half_width: 5}         # stop a case when the interval of its first bot's wins is at most +- 5 points
```

Paths are relative to the file. The matches of each case are saved as they are played, so an interrupted experiment can
continue, and an edited one plays only what is new. The same file gives the same tables for any number of workers.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from itertools import product
from pathlib import Path
from typing import Any, TypedDict, TypeGuard, cast

import yaml

from games import catalogue
from games.core import BadOption
from games.core.ranks import win_shares
from games.lab.charts import Chart, ticks
from games.lab.intervals import FEW, wilson
from games.lab.plugins import USUAL, is_plugin
from games.lab.pool import Workers, program
from games.lab.report_types import Figure
from games.lab.saved import replace_whole, write_whole
from games.lab.simulate import MatchRow, Simulation, Tally, lines_in, simulate

KEYS = ("title", "games", "seats", "options", "bots", "seeds", "matches", "until")
LARGEST = 1 << 20  # bytes of an experiment's file
MOST_CASES = 1000
STEP = 60  # matches of a case between two looks at its interval, approximately
COLUMNS = ("case", "game", "seats", "options", "bots", "seed", "arrangement", "match", "decisions", "broken")
OF_SEAT = ("seat", "bot", "score", "rank", "win")
RESULTS, MATCHES, PARQUET, MANIFEST, PAGE = (
    "results.csv", "matches.csv", "matches.parquet", "manifest.json", "report.html",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A combination: its simulations, one for each arrangement of the bots around the table."""

    game: str  # as the file says it
    title: str
    seats: int
    options: dict[str, Any]  # those that the file gives
    bots: tuple[str, ...]
    seed: str
    arrangements: tuple[Simulation, ...]

    @property
    def folder(self) -> str:
        """The name of the folder with its matches: the same whatever else is in the file."""
        what = json.dumps([self.game, self.options, self.bots, self.seed])
        name = self.arrangements[0].game.name
        return f"{name}-{self.seats}-{hashlib.sha256(what.encode()).hexdigest()[:10]}"


@dataclass(frozen=True)
class Experiment:
    """What a file asks for. ``half_width``: in points of a hundred, None without a stopping rule."""

    title: str
    text: str
    cases: tuple[Case, ...]
    matches: int
    half_width: float | None

    @classmethod
    def read(cls, path: Path) -> Experiment:
        """Return the experiment in a file. Raises BadOption, which says what is wrong; OSError."""
        if path.stat().st_size > LARGEST:
            raise BadOption(f"{path} is larger than {LARGEST:,} bytes.")
        try:
            text = path.read_text(encoding="utf-8")
            given = yaml.safe_load(text)
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            raise BadOption(f"{path} is not YAML: {error}") from error
        if not isinstance(given, dict):
            raise BadOption(f"{path} must be a mapping with these keys: {', '.join(KEYS)}.")
        if unknown := [str(key)[:40] for key in given if key not in KEYS]:
            raise BadOption(f"{path} has the unknown key {unknown[0]!r}. The keys are {', '.join(KEYS)}.")
        matches, until = given.get("matches", 100), given.get("until") or {}
        if not _is_whole(matches) or matches < 1:
            raise BadOption(f"{path}: matches must be a whole number of 1 or more, not {matches!r}.")
        half_width = until.get("half_width") if isinstance(until, dict) and set(until) <= {"half_width"} else ""
        if half_width is not None and not (_is_number(half_width) and 0 < half_width < 50):
            raise BadOption(f"{path}: until must be as in {{half_width: 5}}, a number of points between 0 and 50.")
        cases = tuple(_cases(given, path))
        return cls(str(given.get("title", path.stem)), text, cases, matches, half_width)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list(given: Mapping[str, Any], key: str, path: Path, usual: list[Any] | None) -> list[Any]:
    values = given.get(key, usual)
    if not isinstance(values, list) or not values:
        raise BadOption(f"{path}: {key} must be a list that is not empty, as in {key}: [...].")
    return values


def _cases(given: Mapping[str, Any], path: Path) -> Iterator[Case]:
    lists = [
        _list(given, "games", path, None),
        _list(given, "seats", path, [None]),
        _list(given, "options", path, [{}]),
        _list(given, "bots", path, None),
        _list(given, "seeds", path, [path.stem]),
    ]
    if (many := math.prod(map(len, lists))) > MOST_CASES:
        raise BadOption(f"{path} has {many:,} cases, which is more than {MOST_CASES:,}.")
    known: set[str] = set()
    for game, seats, options, bots, seed in product(*lists):
        case = _case(path, game, seats, options, bots, seed)
        if case.folder in known:
            raise BadOption(f"{path} has a case twice: {describe(case)}.")
        known.add(case.folder)
        yield case


def _case(path: Path, name: object, seats: object, options: object, bots: object, seed: object) -> Case:
    """Return a combination that can be played. Raises BadOption."""
    if not isinstance(options, dict):
        raise BadOption(f"{path}: each of the options must be a mapping such as {{target: 50}}, not {options!r}.")
    if not isinstance(bots, list) or not bots:
        raise BadOption(f"{path}: each of the bots must be a list such as [strong, easy], not {bots!r}.")
    if seats is not None and not _is_whole(seats):
        raise BadOption(f"{path}: each of the seats must be a whole number, not {seats!r}.")
    game = catalogue.find_or_read(_placed(path, str(name)))
    many = game.check_seats(game.default_seats if seats is None else cast(int, seats))
    if len(bots) > many:
        raise BadOption(f"{path}: {len(bots)} bots do not fit at a table of {many}.")
    named = tuple(_placed(path, str(bot)) if is_plugin(str(bot)) else str(bot) for bot in bots)
    table = named + named[-1:] * (many - len(named))
    rotations = dict.fromkeys(table[shift:] + table[:shift] for shift in range(many))
    values = {str(key): _as_option(value) for key, value in options.items()}
    arrangements = tuple(
        Simulation.checked(game, list(seated), values, f"{seed}/{number}", USUAL)
        for number, seated in enumerate(rotations)
    )
    return Case(str(name), game.title, many, values, tuple(str(bot) for bot in bots), str(seed), arrangements)


def _placed(path: Path, name: str) -> str:
    """Return a name as it is, and a path relative to the file as one relative to the current directory."""
    return str(path.parent / name) if "." in name and (path.parent / name.partition(":")[0]).is_file() else name


def _as_option(value: object) -> str:
    """Return the value of an option as on the command line; YAML reads ``on`` and ``off`` as truth values."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def describe(case: Case) -> str:
    """Return a case in one line: "agram, 3 players, target=50: strong, easy (seed 1)"."""
    options = "".join(f", {name}={value}" for name, value in case.options.items())
    return f"{case.game}, {case.seats} players{options}: {', '.join(case.bots)} (seed {case.seed})"


# -- playing


class BotResult(TypedDict):
    """How a bot did in a case: its share of the wins (a tie shared by k counts 1/k), and Wilson's interval of it."""

    bot: str
    copies: int  # seats it had in each match
    wins: float
    share: float
    low: float
    high: float
    fair: float  # its share if all players were equal
    mean_score: float


@dataclass
class CaseResult:
    """What a case came to. ``bots`` is empty if no match came to an end."""

    case: Case
    matches: int = 0  # that came to an end
    decisions: int = 0
    bots: list[BotResult] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)  # of bots
    broken: Counter[str] = field(default_factory=Counter)  # matches without an end

    @property
    def half_width(self) -> float:
        """Of the first bot's interval, in points of a hundred."""
        return 50 * (self.bots[0]["high"] - self.bots[0]["low"]) if self.bots else 50.0


def run(
    experiment: Experiment,
    folder: Path,
    *,
    workers: Workers = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> list[CaseResult]:
    """Play an experiment into a folder and return its results, by case.

    ``progress`` is called with the number of new matches. Raises BadOption, OSError, ClusterFailed; what is saved by
    then is not played again.
    """
    return [_play(experiment, case, folder, workers, progress) for case in experiment.cases]


def _play(
    experiment: Experiment, case: Case, folder: Path, workers: Workers, progress: Callable[[int], object]
) -> CaseResult:
    many = len(case.arrangements)
    each = math.ceil(experiment.matches / many)  # of an arrangement
    steps = [each] if experiment.half_width is None else [*range(-(-STEP // many), each, -(-STEP // many)), each]
    counted: list[int] = [0] * many
    for matches in steps:
        tallies = []
        for number, simulation in enumerate(case.arrangements):
            seen = 0

            def advance(more: int, number: int = number) -> None:
                nonlocal seen
                seen += more
                if seen > counted[number]:
                    progress(seen - counted[number])
                    counted[number] = seen

            at = matches_folder(folder, case, number)
            tallies.append(simulate(simulation, matches, workers=workers, folder=at, progress=advance))
        result = _result(case, tallies)
        narrow = experiment.half_width is not None and result.half_width <= experiment.half_width
        if narrow and result.matches >= FEW:
            break
    return result


def matches_folder(folder: Path, case: Case, arrangement: int) -> Path:
    """Return the folder with the saved matches of an arrangement."""
    return folder / "cases" / case.folder / str(arrangement)


def _result(case: Case, tallies: list[Tally]) -> CaseResult:
    result = CaseResult(case)
    wins: Counter[tuple[str, int]] = Counter()  # by bot and how many shared the win
    points: dict[str, list[float]] = {}
    copies = Counter(case.arrangements[0].bots)
    for simulation, tally in zip(case.arrangements, tallies, strict=True):
        result.matches += tally.matches
        result.decisions += tally.decisions
        result.failures += tally.failures
        result.broken += tally.broken
        for (seat, sharing), count in tally.wins.items():
            wins[simulation.bots[seat], sharing] += count
        for (seat, score), count in tally.scores.items():
            points.setdefault(simulation.bots[seat], []).append(score * count)
    for bot, many in copies.items() if result.matches else ():
        won = math.fsum(wins[bot, sharing] / sharing for sharing in range(1, case.seats + 1))
        low, high = wilson(won, result.matches)
        result.bots.append({
            "bot": bot,
            "copies": many,
            "wins": won,
            "share": won / result.matches,
            "low": low,
            "high": high,
            "fair": many / case.seats,
            "mean_score": math.fsum(sorted(points[bot])) / (result.matches * many),
        })  # fmt: skip
    return result


# -- what the folder gets


def publish(experiment: Experiment, results: list[CaseResult], folder: Path, *, parquet: bool = False) -> None:
    """Write the tables, the charts, the page and the manifest of an experiment. Raises OSError.

    ``parquet``: also the table of matches as Parquet; call ``games.lab.tables.check_parquet`` before.
    """
    charts = {f"{name}.svg": svg for name, svg in _charts(results).items()}
    replace_whole(folder / RESULTS, lambda path: _write_results(path, results))
    replace_whole(folder / MATCHES, lambda path: _write_matches(path, results, folder))
    if parquet:
        from pyarrow import csv as arrow
        from pyarrow import parquet as writing

        table = arrow.read_csv(folder / MATCHES)
        replace_whole(folder / PARQUET, lambda path: writing.write_table(table, path))
    for name, svg in charts.items():
        write_whole(folder / name, svg)
    write_whole(folder / PAGE, _page(experiment, results, list(charts)))
    made = [RESULTS, MATCHES, *([PARQUET] if parquet else []), PAGE, *charts]
    write_whole(folder / MANIFEST, json.dumps(_manifest(experiment, results, folder, made), indent=1) + "\n")


def _write_results(path: Path, results: list[CaseResult]) -> None:
    rows = list(_rows_of_results(results))
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def _write_matches(path: Path, results: list[CaseResult], folder: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS + OF_SEAT)
        for number, result in enumerate(results, 1):
            table.writerows(_rows_of_matches(number, result, folder))


def _rows_of_results(results: list[CaseResult]) -> Iterator[dict[str, object]]:
    for number, result in enumerate(results, 1):
        case = result.case
        of_case = {
            "case": number,
            "game": case.game,
            "seats": case.seats,
            "options": json.dumps(case.options),
            "bots": ", ".join(case.bots),
            "seed": case.seed,
            "matches": result.matches,
            "broken": result.broken.total(),
            "failures": result.failures.total(),
            "decisions_per_match": result.decisions / result.matches if result.matches else "",
        }
        if not result.bots:  # no match came to an end
            yield of_case | dict.fromkeys(BotResult.__annotations__, "")
        yield from (of_case | bot for bot in result.bots)


def _rows_of_matches(number: int, result: CaseResult, folder: Path) -> Iterator[list[object]]:
    """Yield a row for each seat of each match that counts, in order."""
    case = result.case
    played = (result.matches + result.broken.total()) // len(case.arrangements)
    what = [number, case.game, case.seats, json.dumps(case.options), ", ".join(case.bots), case.seed]
    for arrangement, simulation in enumerate(case.arrangements):
        for each in lines_in(matches_folder(folder, case, arrangement)).first(played):
            row = cast(MatchRow, each)
            shares = win_shares(row["winners"], case.seats)
            for seat, bot in enumerate(simulation.bots):
                ended = [row["scores"][seat], row["ranks"][seat], shares[seat]] if not row["broken"] else ["", "", ""]
                yield [*what, arrangement, row["index"], row["decisions"], row["broken"], seat, bot, *ended]


def _charts(results: list[CaseResult]) -> dict[str, str]:
    """Return a chart for each game: the share of wins of the first bot of each case, as a percentage."""
    charts = {}
    by_game: dict[str, list[tuple[int, CaseResult]]] = {}
    for number, result in enumerate(results, 1):
        if result.bots:
            by_game.setdefault(result.case.arrangements[0].game.name, []).append((number, result))
    for name, some in by_game.items():
        caption = (
            "The share of matches that the first bot of each case has won, with Wilson's interval of 95 %; a tie "
            "shared by k counts 1/k. Empty marks: a fair share. The cases are numbered as in the table."
        )
        chart = Chart(f"{some[0][1].case.title}: wins of the first bot", caption, (0.5, len(some) + 0.5), (0, 100))
        every = math.ceil(len(some) / 20)
        labels = {float(at): str(number) for at, (number, _) in enumerate(some, 1) if at % every == 0 or every == 1}
        chart.axes("Case", "Wins (%)", labels, ticks(0, 100, 5))
        for at, (_, result) in enumerate(some, 1):
            first, matches = result.bots[0], result.matches
            fair: Figure = {"value": 100 * first["fair"], "low": None, "high": None, "matches": matches}
            low, high = 100 * first["low"], 100 * first["high"]
            chart.interval(1, at, fair, empty=True)
            chart.interval(0, at, {"value": 100 * first["share"], "low": low, "high": high, "matches": matches})
        chart.markers(0, "first bot")
        chart.markers(1, "fair share")
        charts[f"wins-{name}"] = chart.svg()
    return charts


def _page(experiment: Experiment, results: list[CaseResult], charts: list[str]) -> str:
    rows = []
    for number, result in enumerate(results, 1):
        for bot in result.bots:
            cells = (
                number, describe(result.case), bot["bot"], f"{result.matches:,}", f"{100 * bot['share']:.1f} %",
                f"{100 * bot['low']:.1f} - {100 * bot['high']:.1f} %", f"{100 * bot['fair']:.1f} %",
                f"{bot['mean_score']:.2f}",
            )  # fmt: skip
            rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
        for kind, count in sorted((result.broken + result.failures).items()):
            rows.append(f'<tr><td>{number}</td><td colspan="7">{escape(kind)}: {count:,}</td></tr>')
    heads = ("Case", "What", "Bot", "Matches", "Wins", "Interval of 95 %", "Fair share", "Mean score")
    return "\n".join([
        "<!doctype html>",
        f'<html lang="en"><meta charset="utf-8"><title>{escape(experiment.title)}</title>',
        "<style>body{font:16px system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.2rem .6rem;text-align:left}"
        "td:not(:nth-child(2)){white-space:nowrap}div{overflow-x:auto}",
        "img{max-width:100%}:root{color-scheme:light dark}</style>",
        f"<h1>{escape(experiment.title)}</h1>",
        *(f'<p><img src="{escape(name)}" alt="Wins of the first bot of each case, as in the table"></p>'
          for name in charts),
        "<div><table><thead><tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr></thead><tbody>",
        *rows,
        "</tbody></table></div>",
        f"<h2>The experiment</h2><pre>{escape(experiment.text)}</pre>",
        "</html>",
    ]) + "\n"  # fmt: skip


def _manifest(experiment: Experiment, results: list[CaseResult], folder: Path, made: list[str]) -> dict[str, object]:
    return {
        "title": experiment.title,
        "experiment": experiment.text,
        "program": program(),
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
        "cases": [
            {
                "case": describe(result.case),
                "folder": f"cases/{result.case.folder}",
                "rules": result.case.arrangements[0].game.rules_version,
                "options": result.case.arrangements[0].options,
                "matches": result.matches,
            }
            for result in results
        ],
        "files": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in made},
    }
