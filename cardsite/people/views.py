"""A person's pages: name, history, token; registering and logging in."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login, views
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from cardsite.limits import spend_now
from cardsite.people.forms import TAKEN, RegisterForm
from cardsite.people.models import Person
from cardsite.people.services import (
    BadName,
    clean_name,
    do_arrive,
    do_make_token,
    do_register,
    person_of_request,
)
from cardsite.refusal import Refused

PAGE = 25


def _history(person: Person, request: HttpRequest, *, public_only: bool) -> Any:
    """Return a page of {id, game, when, won, share, score, opponents} of the matches a person played."""
    played = person.played.select_related("match__table").prefetch_related(Prefetch("match__players"))
    if public_only:
        played = played.filter(match__table__public=True)
    page = Paginator(played.order_by("-match__started"), PAGE).get_page(request.GET.get("page"))
    rows: list[Any] = [
        {
            "id": row.match_id,
            "game": row.match.game,
            "when": row.match.started,
            "status": row.match.status,
            "share": row.share,
            "score": row.score,
            "opponents": [
                {"name": p.name, "bot": p.bot, "person": p.person_id, "share": p.share}
                for p in row.match.players.all()
                if p.seat != row.seat
            ],
        }
        for row in page.object_list
    ]
    page.object_list = rows
    return page


@never_cache
@require_GET
def me(request: HttpRequest) -> HttpResponse:
    """My name, my matches, my programs' token."""
    person = person_of_request(request)
    context = {
        "person": person,
        "matches": _history(person, request, public_only=False) if person else None,
        "token": request.session.pop("new_token", ""),
    }
    return render(request, "people/me.html", context)


@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Take another name."""
    try:
        do_arrive(request, clean_name(request.POST.get("name", "")))
        messages.success(request, _("That is your name now."))
    except (BadName, Refused) as bad:
        messages.error(request, str(bad))
    return redirect("people:me")


@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Make a new token for my programs; it is shown once, on the next page."""
    person = person_of_request(request)
    if person is None:
        messages.error(request, _("Choose a name first."))
    else:
        try:
            spend_now("renew", request, f"person {person.pk}")
            request.session["new_token"] = do_make_token(person)
        except Refused as refusal:
            messages.error(request, refusal.text)
    return redirect("people:me")


@never_cache
def register(request: HttpRequest) -> HttpResponse:
    """Become a registered person; a guest keeps name, seat and history."""
    form = RegisterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            person = do_arrive(request)
            if person.registered:
                return redirect("people:me")
            user = do_register(person, form.cleaned_data["username"], form.cleaned_data["password1"])
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect("people:me")
        except IntegrityError:  # two at once
            form.add_error("username", TAKEN)
        except (BadName, Refused) as refusal:
            form.add_error(None, str(refusal))
    return render(request, "people/register.html", {"form": form}, status=400 if form.errors else 200)


class LoginView(views.LoginView):
    """Log in; what was played as a guest just before comes along (``services.do_adopt``)."""

    template_name = "people/login.html"
    redirect_authenticated_user = True


@never_cache
@require_GET
def player(request: HttpRequest, person_id: int) -> HttpResponse:
    """A player's public page."""
    person = get_object_or_404(Person, pk=person_id)
    context = {"person": person, "matches": _history(person, request, public_only=True)}
    return render(request, "people/player.html", context)
