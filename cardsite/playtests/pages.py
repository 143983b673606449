"""The part of a game's page about its playtests: people's figures beside the bots', and the notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from cardsite import costs
from cardsite.lab.templatetags.lab import interval, number, percent, percent_interval
from cardsite.lab.views import open_options
from cardsite.lobby.games import find_game
from cardsite.people.admin_site import is_administrator
from cardsite.people.models import Person
from cardsite.people.rate_limits import payers
from cardsite.people.services import person_of_request
from cardsite.playtests import figures
from cardsite.playtests.figures import FEWEST, Choices, HumanFigures, Middle, Subject
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.table.views import may_view, played_again
from cardsite.table.what_if import address_of
from cardsite.workshop import measuring
from cardsite.workshop.models import Version, parts_of
from games.lab.evidence import line_of
from games.lab.findings import skilled_seats
from games.lab.report_types import AnalysisReport, Figure

NONE = "\u2013"


class Row(NamedTuple):
    """A figure of people beside that of the bots, as they are shown."""

    title: str
    people: str
    bots: str = NONE


class ChoiceRow(NamedTuple):
    """A kind of move: how often people chose it where they had another choice, and how often it was the best."""

    kind: str
    line: str  # of the text; "" if it is none
    offered: int
    people: str
    bots: str


class ShownNote(NamedTuple):
    """A note without its writer. ``url`` leads to the step of the replay, "" if the reader may not see that match."""

    note: str
    about: str
    url: str
    when: datetime


def of_text(request: HttpRequest, version: Version) -> dict[str, Any] | None:
    """Return what a template shows of the playtests of a text: to its author and administrators; None to others."""
    person, owner = person_of_request(request), version.text.owner_id
    if not (is_administrator(request.user) or (person and person.pk == owner)):
        return None
    report = measuring.report_of(version.source, version.table) if version.playable else None
    try:
        rules = find_game(version.game).rules_version
    except Refused:
        rules = ""
    subject = Subject(version.game, rules, author=owner)
    games = Q(game__startswith=f"w-{version.text.code}-")
    return _shown(request, subject, report, games, version.minutes, version.source)


def of_report(request: HttpRequest, report: AnalysisReport) -> dict[str, Any] | None:
    """Return what a template shows of the playtests of a report's game: to administrators; None to others."""
    if not is_administrator(request.user):
        return None
    subject = Subject(report["game"], report["rules"], seats=report["seats"], options=open_options(report))
    try:
        game = find_game(report["game"])
    except Refused:
        return None
    return _shown(request, subject, report, Q(game=report["game"]), game.minutes, game.text)


def _shown(
    request: HttpRequest, subject: Subject, report: AnalysisReport | None, games: Q, minutes: int, text: str
) -> dict[str, Any]:
    numbers = figures.newest(subject)
    found = figures.figures(subject, numbers)
    counts = "choices" in request.GET and found is not None
    again = request.GET.copy()
    again["choices"] = "1"
    context: dict[str, Any] = {
        "rows": rows(found, report, minutes) if found else [],
        "so_far": ngettext("%(n)d match so far.", "%(n)d matches so far.", len(numbers)) % {"n": len(numbers)},
        "fewest": FEWEST,
        "measured": report is not None,
        "seconds_each": _seconds_each(found) if found else 0,
        "notes": notes(games, subject.author, person_of_request(request), admin=is_administrator(request.user)),
        "count": "" if counts or found is None else f"?{again.urlencode()}#playtests",
    }
    if counts:
        try:
            with costs.charged("replay", payers(request)):
                counted = played_again(
                    request, ("choices", subject.game, tuple(numbers)), lambda: figures.choices(subject)
                )
            context |= {"choices": choice_rows(counted, report, text.splitlines()), "replayed": counted.matches}
        except Refused as refusal:
            context["refused"] = refusal.text
    return context


def _seconds_each(found: HumanFigures) -> int:
    """Return how long people take for a decision, for the search for numbers (``workshop/tune.js``); 0: unknown."""
    decisions = found.length["value"] if found.length else 0.0
    return round(60 * found.minutes.median / decisions) if found.minutes and decisions else 0


def rows(found: HumanFigures, report: AnalysisReport | None, minutes: int) -> list[Row]:
    """Return the table: figures of people, and those of the bots of a report if there is one."""
    length = report["measures"].get("length") if report else None
    skilled = skilled_seats(report) if report else None
    shown = [
        Row(_("Matches"), str(found.matches), str(report["matches"] + report["search_matches"]) if report else NONE),
        Row(
            _("Minutes"),
            _middle(found.minutes) if found.minutes else NONE,
            _("expected: %(n)d") % {"n": minutes} if minutes else NONE,
        ),
        Row(_("Decisions in a match"), _figure(found.length), _figure(length)),
        Row(_("Decisions of each person"), _middle(found.own)),
    ]
    for size, seats in found.seats.items():
        for seat, figure in enumerate(seats):
            title = _("Seat %(n)d of %(size)d wins") % {"n": seat + 1, "size": size}
            bots = skilled[1][seat] if skilled and report and report["seats"] == size else None
            shown.append(Row(title, _rate(figure), _rate(bots)))
    shown += [
        Row(_("Matches in which somebody was away"), _part(found.away, found.ended)),
        Row(_("Matches in which somebody left"), _part(found.left, found.ended)),
        *(
            Row(_("Abandoned: %(reason)s") % {"reason": one.reason}, _part(one.matches, found.ended))
            for one in found.abandoned
        ),
        Row(_("Was it fun? (1 to 5)"), _opinion(found.fun)),
        Row(_("Was it fair? (1 to 5)"), _opinion(found.fair)),
    ]
    return shown


def choice_rows(found: Choices, report: AnalysisReport | None, text: Sequence[str]) -> list[ChoiceRow]:
    """Return how often people chose each kind of move, most offered first, and how often it was the best for bots."""
    kinds = report.get("evidence", {}).get("kinds", {}) if report else {}
    return [
        ChoiceRow(
            kind,
            _line(kind, text),
            offered,
            percent(found.chosen[kind] / offered),
            percent(kinds[kind]["best"] / kinds[kind]["offered"]) if kind in kinds else NONE,
        )
        for kind, offered in found.offered.most_common()
    ]


def _line(kind: str, text: Sequence[str]) -> str:
    """Return the line of a text where a kind of move stands."""
    line = line_of(kind)
    return text[line - 1].strip() if line and line <= len(text) else ""


def notes(games: Q, author: int | None, reader: Person | None, *, admin: bool) -> list[ShownNote]:
    """Return the newest notes as a reader may see them."""
    shown = []
    for one in figures.notes(games, author):
        may = admin or may_view(one.match, reader)
        about = _("the whole match") if one.ply is None else _("move %(n)d") % {"n": one.ply}
        shown.append(
            ShownNote(
                one.note, f"{_rules(one.match)}, {about}", address_of(one.match, one.ply) if may else "", one.created
            )
        )
    return shown


def _rules(match: Match) -> str:
    parts = parts_of(match.game)
    return _("version %(n)s") % {"n": parts[1] if parts else match.rules_version}


def _middle(found: Middle) -> str:
    median, low, high = (f"{round(each, 1):g}" for each in found)
    return f"{median} ({low} … {high})"


def _figure(figure: Figure | None) -> str:
    return f"{number(figure['value'])} ({interval(figure)})" if figure else NONE


def _rate(figure: Figure | None) -> str:
    if figure is None:
        return NONE
    return f"{percent(figure['value'])} ({percent_interval(figure)}; {figure['matches']})"


def _opinion(figure: Figure | None) -> str:
    if figure is None:
        return _("fewer than %(n)d answers") % {"n": FEWEST}
    return f"{figure['value']:.1f} ({figure['low']:.1f} … {figure['high']:.1f}; {figure['matches']})"


def _part(matches: int, of: int) -> str:
    return _("%(n)d of %(all)d") % {"n": matches, "all": of}
