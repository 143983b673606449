"""``handler404`` of the site: the answer for a missing page, which depends on the kind of page that was requested."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from cardsite.front.server_errors import wants_json
from cardsite.people.admin_site import is_administrator
from cardsite.refusal import Refused, as_data

FILE = re.compile(r"\.\w{1,11}$")  # how the address of a file ends
ASKED_IN_JSON = (".json", ".webmanifest")


class Link(NamedTuple):
    """A button: the name of the view that it links to, and its label."""

    view: str
    label: str | Promise


class Missing(NamedTuple):
    """The words for a missing page of one kind, and its buttons, the best first."""

    heading: str | Promise
    words: str | Promise
    links: tuple[Link, ...]


TABLES = Link("front:home", _("Go to the tables"))
GAMES = Link("front:games", _("All games"))
OWN_TABLE = Link("front:new", _("New table"))
OWN_PAGE = Link("people:me", _("Your page"))
TOURNAMENTS = Link("tournaments:index", _("All tournaments"))
OWN_CIRCLES = Link("circles:index", _("Your circles"))
WORKSHOP = Link("workshop:index", _("Go to the workshop"))
LABORATORY = Link("lab:lab", _("Go to the laboratory"))
ADMINISTRATION = Link("admin:index", _("Go to the administration"))

ANYTHING = Missing(
    _("Page not found"),
    _("Check the address for typos. The page may also have moved."),
    (TABLES, GAMES),
)
KINDS: Mapping[str, Missing] = {
    "table": Missing(
        _("Table not found"),
        _(
            "This table may have been removed. Check the address for typos. If somebody sent you the "
            "link, ask them for a new one."
        ),
        (TABLES, OWN_TABLE),
    ),
    "match": Missing(
        _("Match not found"),
        _(
            "It may have been removed, or it was played at a table that only people with the link can see. If "
            "somebody sent you the link, check that it is complete."
        ),
        (TABLES, OWN_PAGE),
    ),
    "person": Missing(
        _("Player not found"),
        _("This player may have left the site. Check the address for typos."),
        (TABLES, OWN_PAGE),
    ),
    "circle": Missing(
        _("Circle not found"),
        _(
            "It may have been closed, or you are not a member of it. If a friend sent you a link to join, ask them for "
            "a new one."
        ),
        (TABLES, OWN_CIRCLES),
    ),
    "tournament": Missing(
        _("Tournament not found"),
        _(
            "It may have been removed, or it belongs to a circle of which you are not a member. Check the address for "
            "typos."
        ),
        (TOURNAMENTS, TABLES),
    ),
    "game": Missing(
        _("Game not found"),
        _("It may have been removed. Check the address for typos, or choose another game."),
        (GAMES, WORKSHOP),
    ),
    "daily": Missing(
        _("No deal of the day here"),
        _("This game has no deal of the day, or there is no such game. The list of games shows which games have one."),
        (GAMES, TABLES),
    ),
    "story": Missing(
        _("This game has no story"),
        _("Only a few games have a story. Check the address for typos."),
        (TABLES, GAMES),
    ),
    "text": Missing(
        _("Game not found"),
        _("Its author may have removed it. Check the address for typos, or choose another game."),
        (WORKSHOP, GAMES),
    ),
    "report": Missing(
        _("Report not found"),
        _("It may have been removed. Check the address for typos."),
        (LABORATORY, GAMES),
    ),
    "administration": Missing(ANYTHING.heading, ANYTHING.words, (ADMINISTRATION, TABLES)),
}

# The kind of page, by the first part of its address.
BEGINNINGS: Mapping[str, str] = {
    "t": "table",
    "replay": "match",
    "verify": "match",
    "people": "person",
    "circles": "circle",
    "tournaments": "tournament",
    "games": "game",
    "new": "game",
    "pictures": "game",
    "play": "game",
    "rules": "game",
    "daily": "daily",
    "favour": "story",
    "workshop": "text",
    "lab": "report",
    "admin": "administration",
}
# Exceptions, by the name of the view.
PAGES: Mapping[str, str] = {
    "lab:lead": "match",
    "circles:invite": "table",
    "workshop:look_from": "match",
    "workshop:from": "match",
    "workshop:game": "game",
    "workshop:copy": "game",
    "workshop:measured": "report",
    "workshop:chart": "report",
}


def missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the answer for a missing page: HTML, or JSON or plain text if the request wants no page."""
    found, path = KINDS.get(kind_of(request, exception), ANYTHING), request.path_info
    if wants_json(request) or path.endswith(ASKED_IN_JSON):
        return JsonResponse(as_data("not_found", str(found.words)), status=404)
    if FILE.search(path):
        return HttpResponse(f"{found.words}\n", content_type="text/plain; charset=utf-8", status=404)
    links = [link for link in found.links if link is not ADMINISTRATION or _by_administrator(request)]
    context = {
        "heading": found.heading,
        "words": found.words,
        "links": [(reverse(link.view), link.label) for link in links],
    }
    return render(request, "404.html", context, status=404)


def _by_administrator(request: HttpRequest) -> bool:
    return hasattr(request, "user") and is_administrator(request.user)


def kind_of(request: HttpRequest, exception: Exception | None = None) -> str:
    """Return the kind of page that was requested, "" if unknown. ``exception`` is why it is missing, if known."""
    cause = exception.__cause__ if exception else None
    if isinstance(cause, Refused) and cause.code == "no_circle":
        return "circle"
    view = request.resolver_match.view_name if request.resolver_match else ""
    return PAGES.get(view) or BEGINNINGS.get(request.path_info.strip("/").partition("/")[0], "")
