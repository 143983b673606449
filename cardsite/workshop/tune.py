"""The search for the numbers of a text: start it, show its candidates so far, and make one the next version."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsite.jobs.folder import JobFolder, JobState, read_json
from cardsite.jobs.queue import Job, Queue
from cardsite.lab.views import CHART_POLICY
from cardsite.limits import WORK, spend_now
from cardsite.people.models import Person
from cardsite.people.rate_limits import charged, payers, require_cpu
from cardsite.refusal import Refused
from cardsite.request_data import JsonObject, number_of, text_of
from cardsite.translations import known_language, language, said
from cardsite.workshop import measuring, sandbox
from cardsite.workshop.models import Version
from cardsite.workshop.services import find_text, find_version
from cardsite.workshop.text_views import asked_in_json, save_text
from cardsite.workshop.tune_worker import TUNED, TuneRequest, search
from games.core.messages import as_written, of_data
from games.jobs import Limits
from games.lab.explained import goal_line, goal_title
from games.lab.goal_chart import curve as drawn_curve
from games.lab.goals import ALONE, GOALS
from games.lab.intervals import FEW
from games.lab.tuning import CandidateReport, TuningReport, values_of

LATER = 1500  # milliseconds until the page asks again
MOST_NUMBERS, MOST_GOALS = 6, len(GOALS)
# What the panel offers: (name, usual target, usual tolerance).
OFFERED = (
    ("fair", 0, 0.1), ("length", 40, 4), ("minutes", 15, 2), ("spread_corrected", 0.2, 0.05), ("drama", 0.3, 0.05),
    ("decisiveness", 0.7, 0.1), ("lead_change", 0.3, 0.1), ("branching", 5, 1),
)  # fmt: skip

queue = Queue(
    "report",
    search,
    Limits(nice=19, memory=measuring.MEMORY, confined=True),
    WORK["tune"].waiting,
    cpu=WORK["tune"].cpu,
    overtime=measuring.OVERTIME,
    enough=lambda folder: (folder.path / TUNED).exists(),
    time_slice=measuring.TIME_SLICE,
    kept=measuring.played,
    forgotten=measuring.FORGOTTEN,
)


# -- requests


@asked_in_json
def numbers(request: HttpRequest, person: Person, asked: JsonObject) -> JsonObject:
    """{code, number} → {numbers: what can be varied, goals: what can be aimed at}, for the author of a text."""
    version = _own_version(person, asked)
    with charged(request, "check"):
        known = sandbox.numbers(version.source, f"person {person.pk}")
    ranges = [(number, values_of(number, None)) for number in known]
    found = [
        {"name": each.name, "value": each.value, "around": each.around, "low": values[0], "high": values[-1]}
        for each, values in ranges
    ]
    alone = version.max_seats == 1
    goals = [
        {
            "name": name,
            "title": goal_title(name, _),
            "line": goal_line(name, _),
            "target": target,
            "tolerance": tolerance,
        }
        for name, target, tolerance in OFFERED
        if not alone or name in ALONE
    ]
    return {"numbers": found, "goals": goals}


@asked_in_json
def begin(request: HttpRequest, person: Person, asked: JsonObject) -> JsonObject:
    """{code, number, seats or null, vary, goals, seconds} → {key, url}.

    ``vary``: [[name, low, high]]; ``goals``: [[name, target, tolerance]].
    """
    spend_now("feel", request, f"person {person.pk}")
    version = _own_version(person, asked)
    seats = number_of(asked, "seats")
    if seats is not None and not version.min_seats <= seats <= version.max_seats:
        counts = {"least": version.min_seats, "most": version.max_seats}
        raise Refused("seats", _("This game is for %(least)d to %(most)d players.") % counts)
    wanted = TuneRequest(
        version.source,
        version.table,
        seats,
        [(name[:100], int(low), int(high)) for name, low, high in _rows(asked, "vary", MOST_NUMBERS)],
        [(name[:100], target, tolerance) for name, target, tolerance in _rows(asked, "goals", MOST_GOALS)],
        _positive(asked.get("seconds")),
    )
    require_cpu(request)
    key = do_search(wanted, payers(request))
    return {"key": key, "url": reverse("workshop:tuned", args=[key])}


@asked_in_json
def make(request: HttpRequest, person: Person, asked: JsonObject) -> JsonObject:
    """{code, number, values: {name: value}} → as ``save``: version ``number`` with other numbers is the next one."""
    version = _own_version(person, asked)
    values = asked.get("values")
    if not isinstance(values, dict) or not all(
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 for value in values.values()
    ):
        raise Refused("bad_request", _("%(name)s must give a whole number for each name.") % {"name": "values"})
    with charged(request, "check"):
        source = sandbox.with_numbers(version.source, values, f"person {person.pk}")
    return save_text(request, person, version.text.code, source, version.table, version.number)


def _own_version(person: Person, asked: JsonObject) -> Version:
    """Return the version that is asked for. Raises Refused, also if it is another person's."""
    text = find_text(text_of(asked, "code"), person)
    if text.owner_id != person.pk:
        raise Refused("not_yours", _("This game is not yours. Make a copy and change the copy."))
    return find_version(text, number_of(asked, "number"))


def _rows(asked: JsonObject, name: str, most: int) -> list[tuple[str, float, float]]:
    """Return rows of a name and two numbers. Raises Refused."""
    rows = asked.get(name)
    good = isinstance(rows, list) and all(
        isinstance(row, list) and len(row) == 3 and isinstance(row[0], str) and all(map(_is_number, row[1:]))
        for row in rows
    )
    if not good:
        raise Refused("bad_request", _("%(name)s must be rows of a name and two numbers.") % {"name": name})
    if not rows:
        raise Refused("empty", _("Choose at least one number and one goal."))
    if len(rows) > most:
        raise Refused("too_large", _("Choose at most %(n)d.") % {"n": most})
    return [(row[0], row[1], row[2]) for row in rows]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < 1e9


def _positive(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and _is_number(value) and value > 0 else None


# -- jobs


def do_search(asked: TuneRequest, who_pays: tuple[str, ...] = ()) -> str:
    """Start or resume a search, unless it is complete. Returns its key. Raises Refused."""
    key = measuring.key_of(asked)
    folder = JobFolder(measuring.folder_of_all() / key)
    if folder.state in ("done", "failed", "running", "waiting"):
        folder.see()
    else:
        request = partial(measuring.request_for, asked, folder)
        queue.start(Job(f"tune {key}", request, folder, who_pays, ended=measuring.remove_oldest))
    return key


def look(key: str) -> tuple[JobState, TuningReport | None, JobFolder] | None:
    """Return the state of a search, its report so far and its folder; None if there is none. Counts as a view."""
    folder = JobFolder(measuring.folder_of_all() / key)
    state = folder.state
    if state is None:
        return None
    if state in ("running", "waiting"):
        folder.see()
    made: Any = read_json(folder.path / TUNED)
    return state, made or None, folder


# -- what is shown


@never_cache
@require_safe
def tuned(request: HttpRequest, key: str) -> HttpResponse:
    """Show the candidates so far as an HTML fragment."""
    found = look(key)
    if found is None:
        raise Http404("There is no such search.")
    state, made, folder = found
    context: dict[str, Any] = {
        "key": key,
        "state": state,
        "why": said(measuring.why_failed(folder)),
        "progress": folder.progress,
        "later": LATER,
        "few": FEW,
    }
    if made:
        names = [str(goal["name"]) for goal in made["goals"]]
        context |= {
            "made": made,
            "names": list(made["numbers"]),
            "goals": made["goals"],
            "rows": [
                {**each, "place": place, "goals": [each["figures"].get(name) for name in names], "why": _why(each)}
                for place, each in enumerate(made["candidates"], 1)
            ],
            "curves": [name for name in names if any(name in each["figures"] for each in made["candidates"])],
            "played": sum(each["matches"] for each in made["candidates"]),
            "drawn": len(made["candidates"]) < made["combinations"],
            "language": language(),
            "ended": state not in ("waiting", "running"),
        }
    return render(request, "workshop/_tuned.html", context)


def _why(candidate: CandidateReport) -> str:
    """Return what is wrong with a candidate, in the language of this request."""
    known = candidate.get("why_data")  # a search before this version has none
    return said(of_data(known) if known else as_written(candidate["why"]))


@csp_replace(CHART_POLICY)  # type: ignore[arg-type]  # it takes any view
@never_cache
@require_safe
def curve(request: HttpRequest, key: str, goal: str) -> HttpResponse:
    """Return the curve of a goal so far; ``?in=`` its language."""
    found = look(key)
    made = found[1] if found else None
    if made is None or not any(each["name"] == goal for each in made["goals"]):
        raise Http404("There is no such curve.")
    with override(known_language(request.GET.get("in", ""))):
        seats = ngettext("%(n)d player", "%(n)d players", made["seats"]) % {"n": made["seats"]}
        title = made["subject"].rpartition(", ")[0]  # before the number of players: a text has no options
        svg = drawn_curve({**made, "subject": f"{title}, {seats}"}, goal, _)
    if svg is None:
        raise Http404("There is no such curve.")
    return HttpResponse(svg, content_type="image/svg+xml")
