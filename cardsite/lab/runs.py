"""Pages where staff start, view, cancel, resume and delete reports. All other visitors get 404."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardsite.jobs.folder import JobFolder, read_json
from cardsite.lab import services
from cardsite.lab.forms import RunForm
from cardsite.lab.library import RUN, run_folders
from cardsite.lobby.games import find_game, sections, title_of
from cardsite.people.admin_site import is_administrator
from cardsite.refusal import Refused, missing_if_refused
from games.lab.publish import REPORT

LONGEST_TROUBLE = 2000  # characters of an error that are shown
STATES = {
    "running": gettext_noop("running"),
    "done": gettext_noop("done"),
    "cancelled": gettext_noop("cancelled"),
    "failed": gettext_noop("failed"),
    "interrupted": gettext_noop("interrupted, because the site stopped"),
}


def for_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view that raises Http404 for everybody but administrators."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if not is_administrator(request.user):
            raise Http404("Only administrators can run reports.")
        return view(request, *args, **named)

    return never_cache(guarded)


@for_staff
def runs(request: HttpRequest) -> HttpResponse:
    """Show the form and the reports run on this site."""
    with missing_if_refused():
        game = find_game(request.POST.get("game") or request.GET.get("game") or sections()[0].games[0].name)
    form = RunForm(game, request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        if form.is_valid() and form.analysis:
            try:
                services.do_run(form.analysis, form.cleaned_data["at_random"], form.cleaned_data["searched"])
                return _to_runs(game.name)
            except Refused as refusal:
                form.add_error(None, refusal.text)
        status = 400
    context = {"form": form, "game": game, "sections": sections(), "runs": states()}
    return render(request, "lab/runs.html", context, status=status)


def _to_runs(game: str) -> HttpResponse:
    """Return to the page, with the form of the same game."""
    return redirect(f"{reverse('lab:runs')}?{urlencode({'game': game})}" if game else "lab:runs")


@for_staff
@require_safe
def status(request: HttpRequest) -> JsonResponse:
    """Return the state of all reports, for the page's script."""
    return JsonResponse({"runs": states()})


def states() -> list[dict[str, Any]]:
    """Return all reports run on this site with their states, newest first."""
    read = (_state(path) for path in run_folders())
    return [each for each in read if each]


def _state(folder: Path) -> dict[str, Any] | None:
    number = int(folder.name)
    asked = read_json(folder / services.ASKED)
    if not asked:
        return None
    job = JobFolder(folder)
    state = {None: "interrupted", "stopped": "interrupted", "waiting": "running"}.get(job.state, str(job.state))
    if state == "done" and not (folder / REPORT).exists():
        state = "failed"
    progress = job.progress
    return {
        "number": number,
        "name": f"{RUN}{number}",
        "title": title_of(str(asked.get("game", ""))),
        "asked": asked,
        "state": state,
        "words": _(STATES[state]) if state in STATES else state,
        "done": sum(progress.get("done", {}).values()),
        "total": sum(progress.get("total", {}).values()),
        "trouble": job.why[-LONGEST_TROUBLE:] if state == "failed" else "",
    }


def _button(do: Callable[[int], None]) -> Callable[..., HttpResponse]:
    @for_staff
    @require_POST
    def press(request: HttpRequest, number: int) -> HttpResponse:
        try:
            do(number)
        except Refused as refusal:
            messages.error(request, refusal.text)
        return _to_runs(request.GET.get("game", ""))

    return press


cancel = _button(services.do_cancel)
resume = _button(services.do_resume)
remove = _button(services.do_remove)
