"""The reports: those that come with the project, and those that staff have run on this site.

A report is looked up by name in a list of known folders, never by a path in a request.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import structlog
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, override

from cardsite.lobby.games import find_game, title_of
from cardsite.refusal import Refused
from cardsite.translations import known_language, language, translated, value_in_words
from games import catalogue
from games.lab import report_library
from games.lab.charts import in_english
from games.lab.ladder import LadderReport
from games.lab.publish import REPORT
from games.lab.report_library import BadReport
from games.lab.report_types import AnalysisReport

RUN = "run-"  # prefix of the names of reports that were run on this site

log = structlog.get_logger(__name__)


class StoredReport(NamedTuple):
    """A report that can be shown."""

    name: str
    folder: Path
    report: AnalysisReport

    @property
    def title(self) -> str:
        """Its title: the game, and its unusual options."""
        return subject(self.report)

    @property
    def made_here(self) -> bool:
        """Whether it was run on this site."""
        return self.name.startswith(RUN)

    @property
    def stale(self) -> str:
        """The version of the game's current rules, if the report is about other rules; "" otherwise."""
        return is_stale(self.report["game"], self.report["rules"])

    @property
    def game_title(self) -> str:
        """The title of its game."""
        return title_of(self.report["game"])


def subject(report: AnalysisReport | LadderReport) -> str:
    """Return the subject of a report in the language of this request. The report itself has it in English."""
    if language() == "en":
        return report["subject"]
    try:
        game = find_game(report["game"])
    except Refused:
        return report["subject"]
    seats = ngettext("%(n)d player", "%(n)d players", report["seats"]) % {"n": report["seats"]}
    unusual = [
        f"{translated(game, option.label)}: {value_in_words(game, option, report['options'][option.name])}"
        for option in game.options
        if option.set_by != "administrator" and report["options"].get(option.name, option.default) != option.default
    ]
    return ", ".join([game.title, seats, *unusual])


def chart(folder: Path, report: AnalysisReport, file: str, code: str) -> str | None:
    """Return a chart of a report in a language, None if there is no such chart. Raises BadReport."""
    with override(known_language(code)):
        named: AnalysisReport = {**report, "subject": subject(report)}
        return report_library.chart(folder, named, file, in_english if language() == "en" else _)


def is_stale(game: str, rules: str) -> str:
    """Return the version of a game's current rules if it differs from ``rules``, "?" if the game is gone, else ""."""
    try:
        now = find_game(game).rules_version
    except Refused:
        return "?"
    return "" if now == rules else now


class ReportSection(NamedTuple):
    """Reports under one heading."""

    title: str
    reports: list[StoredReport]


def runs_folder() -> Path:
    """Return the folder of reports run on this site: a numbered folder each."""
    return Path(settings.VAR_DIR) / "lab"


def run_folders() -> list[Path]:
    """Return the folders of all reports run on this site, finished or not, newest first."""
    there = runs_folder()
    folders = (path for path in there.iterdir() if path.name.isdecimal()) if there.is_dir() else ()
    return sorted(folders, key=lambda path: -int(path.name))


def shipped() -> list[StoredReport]:
    """Return the reports that come with the project, in the order of the sections."""
    order = {game.name: index for index, game in enumerate(catalogue.listed())}
    reports = _stored_reports((path.name, path) for path in report_library.SHIPPED.iterdir())
    return sorted(
        reports, key=lambda stored: (order.get(stored.report["game"], len(order)), len(stored.name), stored.name)
    )


def made_here() -> list[StoredReport]:
    """Return the reports run on this site, newest first."""
    return _stored_reports((f"{RUN}{path.name}", path) for path in run_folders())


def _stored_reports(named: Iterable[tuple[str, Path]]) -> list[StoredReport]:
    reports = (_read(name, path) for name, path in named if (path / REPORT).is_file())
    return [stored for stored in reports if stored]


def _read(name: str, folder: Path) -> StoredReport | None:
    try:
        return StoredReport(name, folder, report_in(folder))
    except (BadReport, OSError) as error:
        log.warning("could not show a report", report=name, why=str(error))
        return None


def report_in(folder: Path) -> AnalysisReport:
    """Return the report in a folder, cached until the file changes. Raises BadReport, OSError."""
    return _cached(folder, (folder / REPORT).stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _cached(folder: Path, changed: int) -> AnalysisReport:
    return report_library.read(folder)


def find(name: str) -> StoredReport | None:
    """Return the report with this name, None if there is none."""
    if name.startswith(RUN):
        named = [(f"{RUN}{path.name}", path) for path in run_folders()]
    else:
        named = [(path.name, path) for path in report_library.SHIPPED.iterdir()]
    return next(iter(_stored_reports((known, path) for known, path in named if known == name)), None)


def sections() -> list[ReportSection]:
    """Return all reports in sections: those run on this site first, then by the section of their game."""
    rest = {stored.name: stored for stored in shipped()}
    shown = [ReportSection(gettext_noop("Run on this site"), made_here())]
    for section in catalogue.providers:
        names = {game.name for game in catalogue.listed(section)}
        here = [stored for stored in rest.values() if stored.report["game"] in names]
        shown.append(ReportSection(section.title, here))
        for stored in here:
            del rest[stored.name]
    shown.append(ReportSection(gettext_noop("Games that are no longer available"), list(rest.values())))
    return [section for section in shown if section.reports]
