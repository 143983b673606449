"""The reports that come with the project: one for every listed game, made by ``python -m games reports``.

They are in ``report_library/`` beside this file, one folder each: the report, the decisions as a compressed table, and
one lead history. Other charts are drawn from the report on demand. Reports that ``python -m games analyse`` made can be
read as well.

The number of matches with search depends on how long a match is, never on the speed of the machine, so equal seeds give
equal reports everywhere.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import itertools
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from statistics import quantiles
from typing import Any, cast

from games import catalogue
from games.core import Game
from games.core.messages import Message, message
from games.core.options import Option, OptionValue
from games.lab import ladder as ladders
from games.lab.analyse import Analysis, analyse, play
from games.lab.charts import OF_REPORT, Translate, in_english, lead_chart
from games.lab.findings import figures
from games.lab.histories import DecisionRecord, History, of_json
from games.lab.intervals import FEW
from games.lab.ladder import Ladder, LadderReport
from games.lab.pool import program
from games.lab.publish import DECISIONS, REPORT, publish
from games.lab.report_types import AnalysisReport
from games.lab.reports import ALONE, NAMES, OLDER, covered, fairness
from games.lab.saved import replace_whole, write_whole
from games.search.ismcts import Ismcts

SHIPPED = Path(__file__).with_name("report_library")
# Two reports for readers who have not chosen any: of well-known games, with as many players each and without partners,
# so that every measure can be compared, and some differ clearly.
EXAMPLE = ("crazy-eights", "rummy")
PACKED = f"{DECISIONS}.gz"
LEAD = "lead-history-0.svg"
LEAD_TITLE = "Lead history of one match"
SEED = "gallery"  # of all these reports, from an earlier name of this module
MATCHES, ROLLOUTS = 100, 5
SEARCHED_LEAST, SEARCHED_MOST = FEW, 100
EFFORT = 1_500_000  # decisions in roll-outs for the run with search, approximately
PROBES = 5  # random matches to estimate that
MANIFEST = "manifest.json"
OF_LADDER = ("rules", "options", "seats", "seed", "rounds", "matches", "bots")
OF_MANIFEST = ("game", "rules", "options", "seats", "seed", "rollouts", "matches", "search_matches")  # from the report
LADDER = "ladder.json"
LADDER_BOT = 200_000  # decisions in roll-outs for one bot in a round
LADDER_HOUSE = 400_000  # the same for the house bot, which people play against
LADDER_EFFORT = 1_000_000  # the same for a whole ladder, approximately
LADDER_LEAST, LADDER_MOST = 5, 10  # rounds; there are no intervals for fewer
SEARCHING = 2  # minimum number of searching bots on a ladder, if they are fast enough
SMALL = (20, 10, 5, 2)  # roll-outs of the smaller searches to use if those of the tables are too slow
MANY = 4  # an option with more values does not make variants
LARGEST = 4 * 2**20  # maximum bytes of a report
USUAL_OF = 5  # reports that must have a figure for it to be called usual


class BadReport(ValueError):
    """A folder without a valid report; the message says why."""


@dataclass(frozen=True)
class Subject:
    """What a report of the library is about, and its name."""

    name: str
    game: Game
    options: dict[str, OptionValue] = field(default_factory=dict)


def subjects() -> Iterator[Subject]:
    """Yield what the library has reports of: every listed game, and its variants if there are some.

    A variant is another value of the game's first option that has only a few values and is set by the host of a table.
    """
    for game in catalogue.listed():
        yield Subject(game.name, game)
        if option := _version_option(game):
            for value in option.choices:
                if value != option.default:
                    yield Subject(f"{game.name}-{option.name}-{value}", game, {option.name: value})


def _version_option(game: Game) -> Option | None:
    options = (each for each in game.options if each.set_by == "host" and 1 < len(each.choices) <= MANY)
    first = next(options, None)
    return first if first and set(first.choices) != {"on", "off"} else None


def searched(analysis: Analysis) -> int:
    """Return the number of matches with search: as many as ``EFFORT`` allows, within bounds.

    A match with search takes some roll-outs for each option of each decision, and each of them has as many decisions as
    remain.
    """
    efforts = [
        analysis.rollouts * sum(each.options * (len(decisions) - number) for number, each in enumerate(decisions))
        for decisions in _probes(analysis)
    ]
    if not efforts:
        return SEARCHED_LEAST
    return max(SEARCHED_LEAST, min(SEARCHED_MOST, round(EFFORT * len(efforts) / sum(efforts))))


def _probes(analysis: Analysis) -> list[tuple[DecisionRecord, ...]]:
    """Return the decisions of some random matches, of those that end."""
    played = (play(analysis, "random", index) for index in range(PROBES))
    return [of_json(each["history"]).decisions for each in played if "history" in each]


def is_current(subject: Subject, folder: Path) -> bool:
    """Return whether the report of a subject in ``folder`` was made by the current rules and settings."""
    try:
        stored = read(folder / subject.name)
    except BadReport:
        return False
    now = Analysis.checked(subject.game, None, subject.options, SEED, ROLLOUTS)
    mine = {**now.settings(), "matches": MATCHES, "search_matches": searched(now)}
    del mine["format"]
    return all(stored.get(name) == value for name, value in mine.items())


def make(subject: Subject, into: Path = SHIPPED, work: Path | None = None) -> AnalysisReport:
    """Make a report of the library, as ``into/NAME``. If interrupted, the old one remains. Raises OSError.

    ``work`` is a folder to save the matches in, so that the next call can continue. The report has a manifest: see
    ``manifest``.
    """
    analysis = Analysis.checked(subject.game, None, subject.options, SEED, ROLLOUTS)
    many = searched(analysis)
    with tempfile.TemporaryDirectory() as made:
        folder = work / subject.name if work else Path(made)
        played = analyse(analysis, MATCHES, folder, searched=many)
        report = publish(analysis, MATCHES, played, folder, searched=many)
        _ship(folder, report, into / subject.name)
    write_whole(into / subject.name / MANIFEST, json.dumps(manifest(into / subject.name, report), indent=1) + "\n")
    return report


def manifest(folder: Path, report: AnalysisReport) -> dict[str, Any]:
    """Return what a report of the library was made with, so that it can be cited and made again.

    The hash of the program is that of ``games.lab.pool.program``: the source of rules, bots and laboratory.
    """
    files = sorted(path for path in folder.iterdir() if path.name in (REPORT, PACKED, LEAD))
    ladder = ladder_manifest(folder)
    return {
        "program": program(),
        "command": f"python -m games reports {folder.name}",
        "date": datetime.now(UTC).date().isoformat(),
        **{name: report[name] for name in OF_MANIFEST},  # type: ignore[literal-required]
        "bots": {"search": report["player"], "random": "random", "order": f"{report['player']}, random"},
        "files": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
        **({"ladder": ladder} if ladder else {}),
    }


def ladder_manifest(folder: Path) -> dict[str, Any] | None:
    """Return what the ladder in a folder was made with; None if there is none. Raises BadReport."""
    made = read_ladder(folder)
    if made is None:
        return None
    return {
        "command": f"python -m games reports --ladders {folder.name}",
        **{name: made[name] for name in OF_LADDER},  # type: ignore[literal-required]
        "sha256": hashlib.sha256((folder / LADDER).read_bytes()).hexdigest(),
    }


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a report; None if it has none, as older ones. Raises BadReport."""
    return _stored(folder / MANIFEST, "manifest")


def _stored(path: Path, what: str, keys: Iterable[str] = ()) -> dict[str, Any] | None:
    """Return the object in a JSON file, which must have some ``keys``; None if there is no file. Raises BadReport."""
    if not path.is_file():
        return None
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadReport(f"{path} cannot be read: {error}.") from error
    if not isinstance(stored, dict) or not stored.keys() >= set(keys):
        raise BadReport(f"{path} is not a {what}.")
    return stored


def _ship(folder: Path, report: AnalysisReport, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress((folder / DECISIONS).read_bytes(), 9, mtime=0)
    replace_whole(target / PACKED, lambda path: path.write_bytes(packed))
    if (folder / LEAD).exists():
        write_whole(target / LEAD, (folder / LEAD).read_text(encoding="utf-8"))
    write_whole(target / REPORT, json.dumps(report, separators=(",", ":"), ensure_ascii=False) + "\n")


# -- ladders


def prepared_ladder(subject: Subject) -> tuple[Ladder, int, dict[str, int]] | None:
    """Return the ladder of a game, its number of matches, and the bots left out with their roll-outs for a decision.

    Slow bots are left out: one with p roll-outs for a decision makes about p T^2 / 2 decisions in a round of matches of
    length T, in which it takes every seat once. If few searching bots are fast enough, smaller searches such as
    ``ismcts-20`` join, so that random players are not the only opponents. None for a solitaire game.
    """
    game = subject.game
    seats = max(2, game.default_seats)
    if game.max_seats < 2:
        return None
    analysis = Analysis.checked(game, seats, subject.options, SEED)
    lengths = [len(decisions) for decisions in _probes(analysis)]
    length = sum(lengths) / len(lengths) if lengths else 1.0
    bots = {kind.name: getattr(kind, "rollouts", 0) for kind in catalogue.bots(game)}
    efforts = {name: rollouts * length**2 / 2 for name, rollouts in bots.items()}
    left_out = {
        name: bots[name]
        for name, effort in efforts.items()
        if effort > (LADDER_HOUSE if name == game.house_bot else LADDER_BOT)
    }
    names = [name for name in bots if name not in left_out]
    for rollouts in SMALL:
        one = rollouts * length**2 / 2
        if one <= LADDER_BOT and sum(efforts[name] > 0 for name in names) < SEARCHING:
            name = f"{Ismcts.name}-{rollouts}"
            names.append(name)
            efforts[name] = one
    if len(names) < 2:
        return None
    effort = sum(efforts[name] for name in names)
    rounds = max(LADDER_LEAST, min(LADDER_MOST, round(LADDER_EFFORT / effort) if effort else LADDER_MOST))
    return Ladder.checked(game, names, seats, {}, SEED), rounds * len(names), left_out


def why_left_out(rollouts: int) -> Message:
    """Return the reason that a ladder is without a bot with so many roll-outs for a decision."""
    return message("{n:,} roll-outs a decision take too long here", n=rollouts)


def is_current_ladder(subject: Subject) -> bool:
    """Return whether the ladder in the library has the rules, the bots and the matches it would get if made again."""
    made, prepared = read_ladder(SHIPPED / subject.name), prepared_ladder(subject)
    if made is None or prepared is None:
        return made is None and prepared is None
    ladder, matches, left_out = prepared
    played = made["matches"] + sum(made["broken"].values())
    now = subject.game.rules_version, set(ladder.bots), matches, set(left_out)
    return now == (made["rules"], set(made["bots"]), played, set(made["left_out"]))


def make_ladder(subject: Subject) -> LadderReport | None:
    """Play the ladder of a game, as ``report_library/NAME/ladder.json``; None for a game without one."""
    prepared = prepared_ladder(subject)
    if prepared is None:
        return None
    ladder, matches, left_out = prepared
    with tempfile.TemporaryDirectory() as kept:
        made = ladders.report(ladder, ladders.play(ladder, matches, Path(kept)), left_out)
    folder = SHIPPED / subject.name
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / LADDER, json.dumps(made, separators=(",", ":"), ensure_ascii=False) + "\n")
    if known := read_manifest(folder):
        write_whole(folder / MANIFEST, json.dumps(known | {"ladder": ladder_manifest(folder)}, indent=1) + "\n")
    return made


def read_ladder(folder: Path) -> LadderReport | None:
    """Return the ladder in a folder; None if there is none. Raises BadReport."""
    return cast("LadderReport | None", _stored(folder / LADDER, "ladder", LadderReport.__required_keys__))


def tidy() -> list[str]:
    """Remove reports that no longer belong to the library, and return their names."""
    known = {subject.name for subject in subjects()}
    gone = sorted(path.name for path in SHIPPED.iterdir() if path.is_dir() and path.name not in known)
    for name in gone:
        shutil.rmtree(SHIPPED / name)
    return gone


# -- reading


def read(folder: Path) -> AnalysisReport:
    """Return the report in a folder. Raises BadReport."""
    path = folder / REPORT
    try:
        if path.stat().st_size > LARGEST:
            raise BadReport(f"{path} is too large to be a report.")
        stored: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadReport(f"{path} cannot be read: {error}.") from error
    wanted = AnalysisReport.__required_keys__ - {"search_matches"}  # missing in older ones, as are those not required
    if not isinstance(stored, dict) or not wanted <= stored.keys():
        raise BadReport(f"{path} is not a report.")
    stored.setdefault("search_matches", stored["matches"])
    report = cast(AnalysisReport, stored)
    if not set(report["measures"]) <= set(NAMES):
        raise BadReport(f"{path} has measures that are not known.")
    try:
        return completed(report)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise BadReport(f"{path} is not a report: {error!r}.") from error


def completed(report: AnalysisReport) -> AnalysisReport:
    """Complete a report that may have been made by an older version, as far as its figures allow.

    It gets skilled fairness, the reason why other measures are missing, and intervals that cover (``covered``). One of
    this version stays as it is.
    """
    measures = report["measures"]
    thinking = report["basics"].get("search")
    if thinking and report["seats"] > 1:
        measures.setdefault("fairness_skilled", fairness(thinking["seats"][0]["wins"], report["seats"]))
    for table in (measures, report["measures_full_ties"]):
        for name, figure in table.items():
            table[name] = covered(name, figure) or figure
    for name in NAMES:
        if name not in measures:
            report["left_out"].setdefault(name, ALONE if report["seats"] == 1 else OLDER)
    in_order = [name for name in NAMES if name in measures]
    report["measures"] = {name: measures[name] for name in in_order}
    return report


@lru_cache(maxsize=1)
def usual() -> dict[str, tuple[float, float]]:
    """Return what is usual in the library: the quartiles of each figure of ``findings.figures`` and of each measure.

    A figure needs enough matches in ``USUAL_OF`` reports.
    """
    values: dict[str, list[float]] = {}
    for path in sorted(SHIPPED.iterdir()):
        try:
            report = read(path)
        except BadReport:
            continue
        known = {name: figure["value"] for name, figure in report["measures"].items() if figure["matches"] >= FEW}
        if report["search_matches"] >= FEW or report["seats"] == 1:
            known |= figures(report)
        for name, value in known.items():
            values.setdefault(name, []).append(value)
    quartiles = {
        name: quantiles(each, n=4, method="inclusive") for name, each in values.items() if len(each) >= USUAL_OF
    }
    return {name: (each[0], each[2]) for name, each in quartiles.items()}


def chart(folder: Path, report: AnalysisReport, name: str, t: Translate = in_english) -> str | None:
    """Return a chart of a report as SVG; None if the report does not have it. Raises BadReport.

    ``t`` translates its labels. A lead history is drawn from the decisions. That of a solitaire game is the stored one,
    in English, because the table does not have the final score.
    """
    try:
        if name == LEAD:
            return _lead(folder, report, t)
        known = OF_REPORT.get(name)
        return known.draw(report, t) if known and known.has(report) else None
    except (OSError, EOFError, LookupError, TypeError, ValueError) as error:
        raise BadReport(f"{name} of {folder} cannot be drawn: {error!r}.") from error


def _lead(folder: Path, report: AnalysisReport, t: Translate) -> str | None:
    if not (folder / LEAD).is_file():
        return None
    table = decisions(folder) if report["seats"] > 1 else None
    if table is None:
        return (folder / LEAD).read_text(encoding="utf-8")
    return lead_chart(report, _first_match(table.decode(), report["seats"]), t)


def _first_match(table: str, seats: int) -> History:
    """Return the first match of a table of decisions, with everything a lead history needs."""
    rows = csv.DictReader(io.StringIO(table))
    first = next(rows)
    ranks = tuple(int(first[f"rank_{seat}"]) for seat in range(seats))
    decisions: list[DecisionRecord] = []
    deals: dict[int, int] = {}  # the first decision of each
    for row in (first, *itertools.takewhile(lambda row: row["match"] == first["match"], rows)):
        estimates = tuple(float(row[f"estimate_{seat}"]) for seat in range(seats))
        deals.setdefault(int(row.get("deal") or 0), len(decisions))
        decisions.append(DecisionRecord(int(row["mover"]), row["move"], int(row["options"]), estimates))
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == min(ranks))
    # The table has no scores. Ranks, negated, have the same order.
    scores = tuple(-float(rank) for rank in ranks)
    return History(int(first["match"]), tuple(decisions), scores, ranks, winners, tuple(deals.values()))


def charts_of(folder: Path, report: AnalysisReport) -> dict[str, str]:
    """Return the charts of a report: titles by file name."""
    there = [(name, each.title) for name, each in OF_REPORT.items() if each.has(report)]
    if (folder / LEAD).is_file():
        there.insert(1, (LEAD, LEAD_TITLE))
    return dict(there)


def decisions(folder: Path) -> bytes | None:
    """Return the decisions of a report as CSV; None if there are none. Raises BadReport."""
    try:
        if (folder / PACKED).is_file():
            return gzip.decompress((folder / PACKED).read_bytes())
        return (folder / DECISIONS).read_bytes() if (folder / DECISIONS).is_file() else None
    except (OSError, EOFError) as error:
        raise BadReport(f"The decisions in {folder} cannot be read: {error!r}.") from error
