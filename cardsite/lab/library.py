"""Which reports there are: those that come with the project, and those that staff have run here.

A report is found among those that there are, never by a path that somebody sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import structlog
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from cardsite.lobby.games import find_game, title_of
from cardsite.refusal import Refused
from cardsite.words import language, said, shown
from games import catalogue
from games.lab import gallery
from games.lab.charts import in_english
from games.lab.gallery import BadReport
from games.lab.ladder import LadderReport
from games.lab.publish import REPORT
from games.lab.reports import AnalysisReport

RUN = "run-"  # begins the name of a report that was made here

log = structlog.get_logger(__name__)


class Kept(NamedTuple):
    """A report that can be shown."""

    name: str
    folder: Path
    report: AnalysisReport

    @property
    def title(self) -> str:
        """What to call it: the game, and what is unusual about it."""
        return subject(self.report)

    @property
    def made_here(self) -> bool:
        """Whether staff have run it on this site."""
        return self.name.startswith(RUN)

    @property
    def stale(self) -> str:
        """Why its figures may not hold any more: the version of today's rules, "" while they are the same."""
        return is_stale(self.report["game"], self.report["rules"])

    @property
    def game_title(self) -> str:
        """The title of its game."""
        return title_of(self.report["game"])


def subject(report: AnalysisReport | LadderReport) -> str:
    """Return what a report is about, in the language of this request: it says so itself in English."""
    if language() == "en":
        return report["subject"]
    try:
        game = find_game(report["game"])
    except Refused:
        return report["subject"]
    seats = ngettext("%(n)d player", "%(n)d players", report["seats"]) % {"n": report["seats"]}
    unusual = [
        f"{said(game, option.label)}: {shown(game, option, report['options'][option.name])}"
        for option in game.options
        if option.set_by != "administrator" and report["options"].get(option.name, option.default) != option.default
    ]
    return ", ".join([game.title, seats, *unusual])


def chart(folder: Path, report: AnalysisReport, file: str, code: str) -> str | None:
    """Return a chart of a report in a language, None where it has no such one. Raises BadReport."""
    with override(code if code in dict(settings.LANGUAGES) else "en"):
        told: AnalysisReport = {**report, "subject": subject(report)}
        return gallery.chart(folder, told, file, in_english if language() == "en" else _)


def is_stale(game: str, rules: str) -> str:
    """Return the version of a game's rules today if it is not this one: "?" when the game is gone, else ""."""
    try:
        now = find_game(game).rules_version
    except Refused:
        return "?"
    return "" if now == rules else now


class ReportSection(NamedTuple):
    """Reports under one heading."""

    title: str
    reports: list[Kept]


def runs_folder() -> Path:
    """Return where reports lie that were made here: a folder each, named by a number."""
    return Path(settings.VAR_DIR) / "lab"


def run_folders() -> list[Path]:
    """Return the folders of what has been asked for here, newest first, finished or not."""
    there = runs_folder()
    found = (path for path in there.iterdir() if path.name.isdecimal()) if there.is_dir() else ()
    return sorted(found, key=lambda path: -int(path.name))


def shipped() -> list[Kept]:
    """Return the reports that come with the project, in the order of the sections."""
    places = {game.name: place for place, game in enumerate(catalogue.listed())}
    found = _kept((path.name, path) for path in gallery.SHIPPED.iterdir())
    return sorted(found, key=lambda kept: (places.get(kept.report["game"], len(places)), len(kept.name), kept.name))


def made_here() -> list[Kept]:
    """Return the reports that staff have made here, newest first."""
    return _kept((f"{RUN}{path.name}", path) for path in run_folders())


def _kept(named: Iterable[tuple[str, Path]]) -> list[Kept]:
    found = (_read(name, path) for name, path in named if (path / REPORT).is_file())
    return [kept for kept in found if kept]


def _read(name: str, folder: Path) -> Kept | None:
    try:
        return Kept(name, folder, report_in(folder))
    except (BadReport, OSError) as error:
        log.warning("a report cannot be shown", report=name, why=str(error))
        return None


def report_in(folder: Path) -> AnalysisReport:
    """Return the report in a folder, read again only when it has changed. Raises BadReport, OSError."""
    return _cached(folder, (folder / REPORT).stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _cached(folder: Path, changed: int) -> AnalysisReport:
    return gallery.read(folder)


def find(name: str) -> Kept | None:
    """Return the report of that name, None when there is none."""
    if name.startswith(RUN):
        named = [(f"{RUN}{path.name}", path) for path in run_folders()]
    else:
        named = [(path.name, path) for path in gallery.SHIPPED.iterdir()]
    return next(iter(_kept((known, path) for known, path in named if known == name)), None)


def sections() -> list[ReportSection]:
    """Return all reports as the gallery shows them: made here first, then by the section on which their game stands."""
    rest = {kept.name: kept for kept in shipped()}
    found = [ReportSection("Run on this site", made_here())]
    for section in catalogue.providers:
        names = {game.name for game in catalogue.listed(section)}
        here = [kept for kept in rest.values() if kept.report["game"] in names]
        found.append(ReportSection(section.title, here))
        for kept in here:
            del rest[kept.name]
    found.append(ReportSection("Of games that are gone", list(rest.values())))
    return [section for section in found if section.reports]
