"""Measurements of a text: start them and show their results so far."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsite.lab import findings, library
from cardsite.lab.views import CHART_POLICY, drawn
from cardsite.limits import spend_now
from cardsite.people.models import Person
from cardsite.people.rate_limits import payers, require_cpu
from cardsite.request_data import JsonObject, number_of, text_of
from cardsite.translations import language, said
from cardsite.workshop import measuring
from cardsite.workshop.feel_worker import FeelRequest
from cardsite.workshop.text_views import asked_in_json
from games.lab import report_library
from games.lab.charts import ticks
from games.lab.compare import compare
from games.lab.intervals import FEW
from games.lab.report_types import AnalysisReport, Figure
from games.lab.reports import NAMES, OF_MANY

LATER = 1500  # milliseconds until the page asks again


@asked_in_json
def begin(request: HttpRequest, person: Person, asked: JsonObject) -> JsonObject:
    """{source, table, seats or null; number, low, high for a curve} → {key, url}."""
    spend_now("feel", request, f"person {person.pk}")
    number = text_of(asked, "number", "")
    ends = [number_of(asked, end, least=0) or 0 for end in ("low", "high")] if number else [0, 0]
    wanted = FeelRequest(
        text_of(asked, "source"), text_of(asked, "table", ""), number_of(asked, "seats"), number[:100], *ends
    )
    require_cpu(request)
    key = measuring.do_measure(wanted, payers=payers(request))
    return {"key": key, "url": reverse("workshop:measured", args=[key])}


@never_cache
@require_safe
def measured(request: HttpRequest, key: str) -> HttpResponse:
    """Show the results so far as an HTML fragment; ``?against=`` compares with another key or a lab report."""
    found = measuring.look(key)
    if found is None:
        raise Http404("There is no such measurement.")
    state, report, curve, why = found
    other, title = _other(request.GET.get("against", ""))
    context: dict[str, Any] = {"key": key, "state": state, "report": report, "why": said(why), "later": LATER}
    if curve:
        context["curve"] = _curve(curve)
    if report:
        context |= {
            **findings.said(report),
            "few": report["search_matches"] < FEW,
            "charts": report_library.charts_of(measuring.folder_of_all() / key, report),
            "rows": _rows(report, other),
            "random": report["basics"].get("random"),
            "skill": findings.by_skill(report) if report["seats"] > 1 else None,
            "alone": findings.alone(report) if report["seats"] == 1 else None,
            "broken": _broken(report),
            "sampled": OF_MANY if OF_MANY in report["notes"] else "",
            "against": title if other else "",
        }
    return render(request, "workshop/_measured.html", context)


def _other(name: str) -> tuple[AnalysisReport | None, str]:
    """Return the report to compare with, and its title."""
    if kept := library.find(name):
        return kept.report, kept.title
    found = measuring.look(name) if name.isalnum() else None
    return (found[1], _("the other text")) if found and found[1] else (None, "")


def of_the_house() -> list[dict[str, str]]:
    """Return the reports that come with the site, for comparison."""
    return [{"key": kept.name, "label": kept.title} for kept in library.shipped()]


def _rows(report: AnalysisReport, other: AnalysisReport | None) -> list[dict[str, Any]]:
    """Return the measures of a report, each with its difference to the other report."""
    differences = {row.name: row for row in compare(other, report)} if other else {}
    return [
        {"name": name, "figure": report["measures"].get(name), "than": differences.get(name)}
        for name in NAMES
        if name in report["measures"] or name in differences
    ]


def _broken(report: AnalysisReport) -> list[tuple[str, int]]:
    """Return the number of failed matches by kind, over all runs."""
    kinds: dict[str, int] = {}
    for run in report["runs"].values():
        for kind, many in run["broken"].items():
            kinds[kind] = kinds.get(kind, 0) + many
    return sorted(kinds.items())


def _curve(curve: dict[str, Any]) -> dict[str, Any]:
    """Return a curve for a template: for each measure that any point has, a plot (or None) and its figures."""
    points = sorted(((int(value), point) for value, point in curve["points"].items()), key=lambda each: each[0])
    plots = []
    for name in NAMES:
        figures = [(value, point["measures"][name]) for value, point in points if name in point["measures"]]
        if figures:
            plots.append((name, _plot(figures), figures))
    return {
        "number": curve["number"],
        "now": curve["now"],
        "points": points,
        "plots": plots,
        "size": {"wide": WIDE, "high": HIGH, "left": LEFT, "right": WIDE - RIGHT, "top": TOP, "bottom": HIGH - BOTTOM},
    }


WIDE, HIGH = 300, 150  # of a plot, in pixels
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 34  # of these, around its axes
MOST_TICKS = 6  # numbers along an axis


def _plot(points: list[tuple[int, Figure]]) -> dict[str, Any] | None:
    """Return the coordinates of a curve's points, intervals and axes; None for fewer than two points."""
    found = [(value, figure["value"], *_interval(figure)) for value, figure in points]
    if len(found) < 2:
        return None
    least, most = min(low for *_point, low, _high in found), max(high for *_point, high in found)
    if most - least < 1e-9:  # a flat line, in the middle
        least, most = least - 0.5, most + 0.5
    first, last = found[0][0], found[-1][0]

    def across(value: int) -> float:
        return round(LEFT + (WIDE - LEFT - RIGHT) * (value - first) / (last - first), 1)

    def up(value: float) -> float:
        return round(HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (value - least) / (most - least), 1)

    dots = [
        {"value": value, "x": across(value), "y": up(middle), "low": up(low), "high": up(high)}
        for value, middle, low, high in found
    ]
    line = " ".join(f"{dot['x']},{dot['y']}" for dot in dots)
    step = -(-len(found) // MOST_TICKS)
    return {
        "dots": dots,
        "line": line,
        "x_ticks": [{"at": across(value), "text": str(value)} for value, *_rest in found[::step]],
        "y_ticks": [{"at": up(value), "text": text} for value, text in ticks(least, most, 3).items()],
    }


def _interval(figure: Figure) -> tuple[float, float]:
    value, low, high = figure["value"], figure["low"], figure["high"]
    return value if low is None else low, value if high is None else high


@csp_replace(CHART_POLICY)  # type: ignore[arg-type]  # it takes any view
@never_cache
@require_safe
def chart(request: HttpRequest, key: str, file: str) -> HttpResponse:
    """Return a chart of the results so far."""
    found = measuring.look(key)
    if not (found and found[1]):
        raise Http404("There is no such chart.")
    return drawn(measuring.folder_of_all() / key, found[1], file, language())
