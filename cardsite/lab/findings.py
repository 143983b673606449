"""The findings of a report, and wins by skill, as pages show them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from cardsite.lobby.games import find_game
from cardsite.refusal import Refused
from games.lab.explained import ALONE, faculty_title
from games.lab.findings import advice, details, doubts, findings, nothing, sentence, skilled_seats
from games.lab.report_library import usual
from games.lab.report_types import AnalysisReport, Figure
from games.lab.reports import BY_SKILL, fairness

LEAST_SCALE = 0.1  # of drawn worths, on both sides of 0: so that small ones look small


class SaidFinding(NamedTuple):
    """A finding in the language of this request. ``line`` is one of the text; ``url`` shows it, "" if nothing does."""

    kind: str
    text: str
    details: str
    advice: str
    line: int | None
    url: str


class SaidDoubt(NamedTuple):
    """An option whose worth is in doubt, in the language of this request. ``url`` shows the ``line`` of the text."""

    text: str
    line: int | None
    url: str


def said(report: AnalysisReport) -> dict[str, Any]:
    """Return the findings for a template: ``findings``; if there are none, ``nothing`` to say, and ``doubts``."""
    found = [
        SaidFinding(
            each["kind"],
            sentence(each, _),
            " · ".join(details(each, _)),
            advice(each, _),
            each.get("line"),
            _line_url(report, each["line"]) if "line" in each else "",
        )
        for each in findings(report, usual())
    ]
    if found:
        return {"findings": found, "nothing": "", "doubts": []}
    doubtful = [
        SaidDoubt(each.text(_), each.line, "" if each.line is None else _line_url(report, each.line))
        for each in doubts(report)
    ]
    return {"findings": [], "nothing": nothing(report, _), "doubts": doubtful}


def _line_url(report: AnalysisReport, line: int) -> str:
    """Return where a line of the game's text is shown; "" if it is not, or has changed since."""
    try:
        game = find_game(report["game"])
    except Refused:
        return ""
    if not game.text or game.untrusted or game.rules_version != report["rules"]:
        return ""
    return f"{reverse('workshop:game', args=[game.name])}#line-{line}"


class WorthRow(NamedTuple):
    """What a faculty is worth, in the language of this request. ``url`` shows the ``line`` of the text."""

    title: str
    worth: Figure
    wins: Figure
    line: int | None
    url: str


def worths(report: AnalysisReport) -> dict[str, Any] | None:
    """Return what each faculty is worth for a template: ``rows``, ``deals``, and the ``scale`` of their drawings.

    None if it was not measured.
    """
    faculties = report.get("faculties")
    if not faculties:
        return None
    rows = [
        WorthRow(
            faculty_title(each, _),
            each["worth"],
            each["wins"],
            each.get("line"),
            _line_url(report, each["line"]) if "line" in each else "",
        )
        for each in faculties
    ]
    ends = [end for row in rows for end in (row.worth["low"], row.worth["high"], row.worth["value"]) if end is not None]
    scale = min(-LEAST_SCALE, *ends), max(LEAST_SCALE, *ends)
    return {"rows": rows, "deals": max(row.worth["matches"] for row in rows), "scale": scale}


def by_skill(report: AnalysisReport) -> dict[str, Any]:
    """Return wins by seat for each kind of players, for a template.

    ``columns``: the titles; ``seats``: a row of figures for each seat; ``headline``: fairness among the most skilled
    players with enough matches, and who they are; None if there are too few.
    """
    runs = [(run, title) for run, title in BY_SKILL.items() if run in report["basics"]]
    rows = [
        (seat + 1, [report["basics"][run]["seats"][seat]["wins"] for run, _title in runs])
        for seat in range(report["seats"])
    ]
    columns = [(_(title), report["basics"][run]["ties"]["matches"]) for run, title in runs]
    skilled = skilled_seats(report)
    headline: tuple[str, Figure] | None = None
    if skilled and skilled[0] != "random":
        headline = _(BY_SKILL[skilled[0]]), fairness(skilled[1][0], report["seats"])
    return {"columns": columns, "seats": rows, "headline": headline}


def alone(report: AnalysisReport) -> dict[str, Any]:
    """Return wins, scores and tension of a game for one player, for a template: ``columns`` and ``rows`` of figures."""
    runs = [(run, title) for run, title in BY_SKILL.items() if run in report["basics"]]
    players = [report["basics"][run]["seats"][0] for run, _title in runs]
    tension = [report.get("tension") if run == "search" else None for run, _title in runs]
    rows: list[tuple[str, str, list[Figure | None]]] = []
    for name, figures in (
        ("wins", [player["wins"] for player in players]),
        ("score", [player["mean_score"] for player in players]),
        ("tension", tension),
    ):
        if any(figures):
            rows.append((_(ALONE[name].title), _(ALONE[name].line), list(figures)))
    columns = [(_(title), report["basics"][run]["ties"]["matches"]) for run, title in runs]
    return {"columns": columns, "rows": rows}


def card_alone(report: AnalysisReport) -> list[tuple[str, Figure]]:
    """Return figures of a game for one player by name, for its card: those of the most skilled player there is."""
    run = next((run for run in reversed(BY_SKILL) if run in report["basics"]), None)
    if run is None:
        return []
    player = report["basics"][run]["seats"][0]
    found = [("wins", player["wins"]), ("score", player["mean_score"])]
    return [*found, ("tension", report["tension"])] if "tension" in report else found
