"""The laboratory's pages: the list of reports, one report, two reports side by side, the ladders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import structlog
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsite.lab import findings, library
from cardsite.lab.library import ReportSection, StoredReport
from cardsite.lobby.games import find_game
from cardsite.people.admin_site import is_administrator
from cardsite.refusal import Refused
from cardsite.translations import said, translated, value_in_words
from games import catalogue
from games.core.options import OptionValue
from games.lab import report_library
from games.lab.compare import compare as compared
from games.lab.compare import has_few
from games.lab.intervals import FEW
from games.lab.report_library import BadReport
from games.lab.report_types import AnalysisReport
from games.lab.reports import NAMES

log = structlog.get_logger(__name__)

# Measures in the list. Of two in brackets, the first that a report has.
MAIN = (
    ("drama",), ("security",), ("spread_corrected", "spread"), ("fairness_skilled", "fairness"), ("order",),
    ("decisiveness",),
)  # fmt: skip
MAIN_ALONE = ("length", "branching")
CHART_POLICY = {"default-src": ["'none'"], "style-src": ["'unsafe-inline'"], "style-src-attr": None, "img-src": None}


@require_safe
def lab(request: HttpRequest) -> HttpResponse:
    """List all reports."""
    report_sections = library.sections()
    sections = [(section.title, [_card(stored) for stored in section.reports]) for section in report_sections]
    context = {"sections": sections, "choices": _choices(report_sections), "staff": is_administrator(request.user)}
    return render(request, "lab/lab.html", context)


def _card(stored: StoredReport) -> dict[str, Any]:
    report = stored.report
    measures = report["measures"]
    if report["seats"] == 1:
        rows = findings.card_alone(report)
        names = [name for name in MAIN_ALONE if name in measures]
    else:
        rows = []
        names = [known[0] for choice in MAIN if (known := [name for name in choice if name in measures])]
    rows += [(name, measures[name]) for name in names]
    return {"stored": stored, "report": report, "rows": rows}


def _choices(sections: Sequence[ReportSection]) -> list[tuple[str, str]]:
    everything = (stored for section in sections for stored in section.reports)
    return [
        (stored.name, f"{stored.title} ({stored.name})" if stored.made_here else stored.title) for stored in everything
    ]


def _stored_report(name: str) -> StoredReport:
    stored = library.find(name)
    if stored is None:
        raise Http404("There is no such report.")
    return stored


@require_safe
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Show a report."""
    stored = _stored_report(name)
    analysis = stored.report
    measures, full_ties, left_out = analysis["measures"], analysis["measures_full_ties"], analysis["left_out"]
    alone = analysis["seats"] == 1
    shown = [measure for measure in NAMES if measure in measures] if alone else NAMES
    rows = [(measure, measures.get(measure), full_ties.get(measure), left_out.get(measure)) for measure in shown]
    context = {
        **findings.said(analysis),
        "alone": findings.alone(analysis) if alone else None,
        "skill": None if alone else findings.by_skill(analysis),
        "worths": findings.worths(analysis),
        "notes": [] if alone else analysis["notes"],
        "usual": report_library.usual(),
        "manifest": _manifest(stored),
        "stored": stored,
        "staff": is_administrator(request.user),
        "report": analysis,
        "rows": rows,
        "few": analysis["search_matches"] < FEW,
        "options": _options(analysis),
        "runs": [(run, each, sum(each["broken"].values())) for run, each in analysis["runs"].items()],
        "charts": [(file, _(title)) for file, title in report_library.charts_of(stored.folder, analysis).items()],
        "choices": [(other, title) for other, title in _choices(library.sections()) if other != name],
    }
    return render(request, "lab/report.html", context)


def _manifest(stored: StoredReport) -> dict[str, Any] | None:
    try:
        return report_library.read_manifest(stored.folder)
    except BadReport as bad:
        log.warning("could not show a manifest", report=stored.name, why=str(bad))
        return None


def open_options(analysis: AnalysisReport) -> dict[str, OptionValue]:
    """Return the options of a report that everybody may see: not those that only administrators set."""
    try:
        hidden = {option.name for option in find_game(analysis["game"]).options if option.set_by == "administrator"}
    except Refused:
        return {}
    return {name: value for name, value in analysis["options"].items() if name not in hidden}


def _options(analysis: AnalysisReport) -> list[tuple[str, str]]:
    """Return the options of a report as people read them; constants of a game only if changed."""
    options = open_options(analysis)
    if not options:
        return []
    game = find_game(analysis["game"])
    return [
        (translated(game, option.label), value_in_words(game, option, options[option.name]))
        for option in game.options
        if option.name in options and (option.set_by == "host" or options[option.name] != option.default)
    ]


# The pages' policy would refuse a chart's own <style>. This one allows it, and forbids loading anything.
@csp_replace(CHART_POLICY)  # type: ignore[arg-type]  # it takes any view
@cache_control(public=True, max_age=600)
@require_safe
def chart(request: HttpRequest, name: str, file: str) -> HttpResponse:
    """Return a chart of a report; ``?in=`` its language, English by default: the address alone decides, for caches."""
    stored = _stored_report(name)
    return drawn(stored.folder, stored.report, file, request.GET.get("in", ""))


def drawn(folder: Path, report: AnalysisReport, file: str, code: str) -> HttpResponse:
    """Return a chart of the report in a folder, in a language. Raises Http404 if there is no such chart."""
    try:
        svg = library.chart(folder, report, file, code)
    except BadReport as bad:
        raise Http404(str(bad)) from bad
    if svg is None:
        raise Http404("This report has no such chart.")
    return HttpResponse(svg, content_type="image/svg+xml")


@require_safe
def as_json(request: HttpRequest, name: str) -> JsonResponse:
    """Return a report as a file."""
    stored = _stored_report(name)
    report = {**stored.report, "options": open_options(stored.report)}
    response = JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})
    _save_as(response, f"{stored.name}.json")
    return response


@require_safe
def decisions(request: HttpRequest, name: str) -> HttpResponse:
    """Return the decisions of a report's matches as CSV."""
    stored = _stored_report(name)
    try:
        table = report_library.decisions(stored.folder)
    except BadReport as bad:
        raise Http404(str(bad)) from bad
    if table is None:
        raise Http404("This report keeps no decisions.")
    response = HttpResponse(table, content_type="text/csv; charset=utf-8")
    _save_as(response, f"{stored.name}-decisions.csv")
    return response


def _save_as(response: HttpResponse, name: str) -> None:
    """Have browsers save a response under a file name."""
    response["Content-Disposition"] = f'attachment; filename="{re.sub(r"[^a-z0-9.-]", "-", name)}"'


@require_safe
def ladder(request: HttpRequest) -> HttpResponse:
    """Show how strong the bots are at each game."""
    ladders = []
    for stored in library.shipped():
        try:
            each = report_library.read_ladder(stored.folder)
        except BadReport as bad:
            log.warning("could not show a ladder", report=stored.name, why=str(bad))
            continue
        if each:
            left_out = {bot: said(report_library.why_left_out(many)) for bot, many in each["left_out"].items()}
            stale = library.is_stale(each["game"], each["rules"])
            ladders.append((stored, library.subject(each), each, left_out, stale))
    climbed = {each["game"] for _stored_report, _title, each, *_rest in ladders}
    missing = [game.title for game in catalogue.listed() if game.max_seats > 1 and game.name not in climbed]
    return render(request, "lab/ladder.html", {"ladders": ladders, "missing": missing})


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Show two reports side by side: ``?a=NAME&b=NAME``. One that is not named is that of an example."""
    asked = [request.GET.get(which, "") for which in "ab"]
    spare = iter([name for name in report_library.EXAMPLE if name not in asked])
    names = [name or next(spare) for name in asked]
    first, second = (library.find(name) for name in names)
    context: dict[str, Any] = {"choices": _choices(library.sections()), "a": names[0], "b": names[1]}
    status = 200
    if first is None or second is None:
        status = 404
        context["problem"] = _("There is no such report. Choose two of the reports below.")
    elif first.name == second.name:
        context["problem"] = _("These are the same report. Choose another one to compare it with.")
    else:
        rows = compared(first.report, second.report, strict=True)
        context |= {
            "first": first,
            "second": second,
            "example": not any(asked),
            "rows": rows,
            "notes": [(stored.title, note) for stored in (first, second) for note in stored.report["notes"]],
            "few": has_few(first.report, second.report),
            "more": [row.name for row in rows if row.verdict == "more"],
            "less": [row.name for row in rows if row.verdict == "less"],
        }
    return render(request, "lab/compare.html", context, status=status)
