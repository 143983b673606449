"""The page of a game that comes with the site: rules, play, and measures for each version of the rules.

A game of the library also shows its text, to copy and change. Games of the workshop have their own page (``views.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardsite.lab import library
from cardsite.lab.library import StoredReport
from cardsite.lobby.games import find_game
from cardsite.people.services import do_arrive
from cardsite.refusal import Refused, missing_if_refused
from cardsite.workshop import services
from cardsite.workshop.text_views import spend_save
from cardsite.workshop.views import in_words
from games.core import Game


class Measured(NamedTuple):
    """The reports on one version of a game's rules."""

    rules: str
    now: bool  # whether this is the current version
    reports: list[StoredReport]


def _game(name: str) -> Game:
    with missing_if_refused():
        return find_game(name)


def measured(game: Game) -> list[Measured]:
    """Return the lab reports on a game by rules version, the current version first."""
    by_rules: dict[str, list[StoredReport]] = {}
    for kept in [*library.made_here(), *library.shipped()]:
        if kept.report["game"] == game.name:
            by_rules.setdefault(kept.report["rules"], []).append(kept)
    found = [Measured(rules, rules == game.rules_version, reports) for rules, reports in by_rules.items()]
    return sorted(found, key=lambda one: not one.now)


@never_cache
@require_safe
def page(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game that comes with the site."""
    if version := services.version_of_game(game):
        there = reverse("workshop:text", args=[version.text.code])
        return redirect(there if version.number == version.text.published else f"{there}?version={version.number}")
    found = _game(game)
    context: dict[str, Any] = {"game": found, "rules": in_words(found), "measured": measured(found)}
    return render(request, "workshop/house.html", context)


@require_POST
def copy(request: HttpRequest, game: str) -> HttpResponse:
    """Copy a text of the library into the visitor's own texts."""
    found = _game(game)
    try:
        person = do_arrive(request)
        spend_save(request, person)
        version = services.do_copy_game(person, found.name)
    except Refused as refusal:
        return refusal.back_to(request, "workshop:game", game)
    messages.success(request, _("This copy is yours. Change what you like."))
    return redirect("workshop:edit", version.text.code)
