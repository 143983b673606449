"""The pages of tournaments. For strangers a circle's tournament is one that does not exist."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from cardsite.circles.models import Circle
from cardsite.circles.services import find_member
from cardsite.limits import MAX_ENTRANTS, spend_now
from cardsite.lobby.games import TIMES, bot_titles, find_game
from cardsite.lobby.models import Table
from cardsite.people.models import NAME_LENGTH as PERSON_NAME_LENGTH
from cardsite.people.models import Person
from cardsite.people.rate_limits import require_cpu_for_match
from cardsite.people.services import BadName, do_arrive, person_of_request
from cardsite.refusal import Refused, form_status, missing_if_refused
from cardsite.request_data import KEY_DIGITS, whole
from cardsite.tournaments import page_data
from cardsite.tournaments.forms import TournamentForm
from cardsite.tournaments.models import Entrant, Pairing, Tournament
from cardsite.tournaments.services import entering, finding

LISTED = 40  # tournaments on one page
Press = Callable[[HttpRequest, str, Person], str]  # returns the message that the page shows afterwards


def _circle(request: HttpRequest, person: Person | None) -> Circle | None:
    """Return the circle of a new tournament, None if the request names none. Raises Http404."""
    code = request.GET.get("circle") or request.POST.get("circle")
    with missing_if_refused("no_circle"):
        return find_member(code, person).circle if code else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """List the open tournaments. A POST creates one; with ``circle``, the code of a circle, in that circle."""
    person = person_of_request(request)
    circle = _circle(request, person)
    form = TournamentForm(person, request.POST if request.method == "POST" else None)
    status = 400 if form.errors else 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            entering.clean_name(data["title"])  # first, so that a refused name makes nobody a guest
            person = do_arrive(request, data.get("name", ""))
            spend_now("tournament", request, f"person {person.pk}")
            tournament = entering.do_create(
                person,
                data["title"],
                find_game(data["game"]),
                size=data["size"],
                system=data["system"],
                seconds=data["seconds"],
                rounds=data["rounds"],
                circle=circle.code if circle else "",
                plays=data["plays"],
            )
            return redirect("tournaments:page", tournament.code)
        except (Refused, BadName) as refusal:
            form.add_error(None, str(refusal))
            status = form_status(refusal)
    listed = finding.listed()
    context = {
        "form": form,
        "circle": circle,
        "unfinished": listed.filter(status__in=finding.UNFINISHED)[:LISTED],
        "over": listed.filter(status=Tournament.Status.OVER)[:LISTED],
    }
    return render(request, "tournaments/index.html", context, status=status)


def _find(request: HttpRequest, code: str) -> Tournament:
    """Return a tournament that the visitor may see. Raises Http404."""
    with missing_if_refused():
        return finding.find(code, person_of_request(request))


@never_cache
@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show a tournament."""
    tournament = _find(request, code)
    person = person_of_request(request)
    entrants = page_data.entrants_of(tournament)
    names = page_data.names_of(entrants)
    mine = next((one for one in entrants if person and one.person_id == person.pk and not one.withdrawn), None)
    organizes = finding.may_organize(tournament, person)
    context = {
        "tournament": tournament,
        "unfinished": tournament.status in finding.UNFINISHED,
        "time": TIMES[tournament.seconds],
        "mine": mine,
        "absent": any(person and one.person_id == person.pk and one.absent for one in entrants),
        "may_join": mine is None and _may_join(tournament, entrants, person),
        "organizes": organizes,
        "entrants": [(one.pk, names[one.pk]) for one in entrants if one.active] if organizes else [],
        "bots": bot_titles(tournament.game) if organizes else [],
        "now": _now(tournament, entrants, person),
        "state": _state(tournament),
        "earlier": page_data.rounds(tournament, names, person, current=False),
        "name_length": PERSON_NAME_LENGTH,
        "most": MAX_ENTRANTS,
    }
    return render(request, "tournaments/tournament.html", context)


def _may_join(tournament: Tournament, entrants: list[Entrant], person: Person | None) -> bool:
    """Return whether the page offers a person to join who does not take part: ``do_join`` decides."""
    if tournament.status == Tournament.Status.OPEN:
        return True
    before = any(person and one.person_id == person.pk for one in entrants)  # they can come back
    late = tournament.system == Tournament.System.SWISS or before
    return tournament.status == Tournament.Status.RUNNING and tournament.round < (tournament.rounds or 0) and late


@cache_control(private=True, no_cache=True)
@vary_on_headers("Cookie", "Accept-Language")
@conditional_page
@require_safe
def now(request: HttpRequest, code: str) -> HttpResponse:
    """Return the standings and the current round, as {parts: {now: HTML}, state}, with an ETag.

    When ``state`` changes, the rest of the page has changed, too.
    """
    tournament = _find(request, code)
    entrants = page_data.entrants_of(tournament)
    parts = {"now": _now(tournament, entrants, person_of_request(request))}
    return JsonResponse({"parts": parts, "state": _state(tournament)})


def _state(tournament: Tournament) -> str:
    return f"{tournament.status} {tournament.round}"


def _now(tournament: Tournament, entrants: list[Entrant], person: Person | None) -> str:
    """Return the part of the page that changes while it stays open, as HTML."""
    names = page_data.names_of(entrants)
    context: dict[str, Any] = {
        "tournament": tournament,
        "standings": page_data.standings(tournament, entrants),
        "me": person,
        "rounds": page_data.rounds(tournament, names, person, current=True) if tournament.round else [],
        "own_table": page_data.own_table(tournament, person),
        "pause": page_data.pause(tournament),
    }
    return render_to_string("tournaments/_now.html", context)


def menu_links(table: Table, person: Person) -> dict[str, str]:
    """Return the link from a table of a tournament to its page, for people who may see that."""
    if not table.tournament:
        return {}
    pairing = Pairing.objects.filter(table=table).select_related("tournament").first()
    try:
        code = finding.find(pairing.tournament.code, person).code if pairing else ""
    except Refused:
        code = ""
    return {"tournament": reverse("tournaments:page", args=[code])} if code else {}


# -- buttons


def button(press: Press) -> Callable[[HttpRequest, str], HttpResponse]:
    """Make the POST view of a button on the page of a tournament. It redirects to that page.

    ``press`` returns the message that the page shows then.
    """

    @require_POST
    @wraps(press)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        _find(request, code)
        try:
            person = do_arrive(request, request.POST.get("name", ""))
            with missing_if_refused("no_tournament"):
                messages.success(request, press(request, code, person))
        except BadName as bad:
            messages.error(request, str(bad))
        except Refused as refusal:
            return refusal.back_to(request, "tournaments:page", code)
        return redirect("tournaments:page", code)

    return view


@button
def join(request: HttpRequest, code: str, person: Person) -> str:
    spend_now("tournament", request, f"person {person.pk}")
    begins = entering.do_join(code, person)
    if begins == 1:
        return _("You take part. Stay on this page: it leads to your table when the tournament starts.")
    return _("You take part from round %(n)d on. Stay on this page: it leads to your table.") % {"n": begins}


@button
def leave(request: HttpRequest, code: str, person: Person) -> str:
    entering.do_leave(code, person)
    return _("You no longer take part. If your match is in progress, stand up at the table to leave it to a bot.")


@button
def add_bots(request: HttpRequest, code: str, person: Person) -> str:
    entering.do_add_bots(
        code, person, request.POST.get("kind", ""), whole(request.POST.get("count", ""), digits=2) or 0
    )
    return _("The bots take part.")


@button
def remove(request: HttpRequest, code: str, person: Person) -> str:
    """``entrant``: the number of the one who no longer takes part."""
    entering.do_remove(code, person, whole(request.POST.get("entrant", ""), digits=KEY_DIGITS))
    return _("Removed from the tournament.")


@button
def start(request: HttpRequest, code: str, person: Person) -> str:
    require_cpu_for_match(request, person)
    entering.do_start(code, person)
    return _("The tournament has started.")


@button
def cancel(request: HttpRequest, code: str, person: Person) -> str:
    """``sure=yes``: the box was ticked."""
    if request.POST.get("sure") != "yes":
        raise Refused("bad_request", _("Tick the box to confirm."))
    entering.do_cancel(code, person)
    return _("The tournament has been cancelled.")
