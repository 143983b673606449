"""The TV: a page for a large screen. It shows a live table, and changes to another one between deals.

By default it shows the best public table to watch. ``?table=CODE``, ``?person=N`` and ``?circle=CODE`` keep it with a
table, with a player, or with the evening of a circle, which only its members may see.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe
from django.views.decorators.vary import vary_on_headers

from cardsite.circles import evenings, page_data
from cardsite.circles.services import find_member
from cardsite.front.tables import best_to_watch, cards
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.people.services import person_of_request
from cardsite.refusal import missing_if_refused
from cardsite.request_data import KEY_DIGITS, whole
from cardsite.translations import language


class TvChoice(NamedTuple):
    """What a TV shows: the codes of tables, the best first, and what it says if there is none.

    ``subject`` is the name of the player or circle it stays with, "" for none. ``evening`` is the score of a circle's
    evening, the best first, as (name, points).
    """

    codes: list[str]
    nothing: str
    subject: str = ""
    evening: tuple[tuple[str, float], ...] = ()


def _choice(request: HttpRequest) -> TvChoice:
    """Return what was asked for. Raises Http404 if there is no such table, person or circle for this visitor."""
    asked = request.GET
    if "table" in asked:
        table = _table(asked["table"])
        return TvChoice([table.code], _("This table is closed."))
    if "person" in asked:
        person = get_object_or_404(Person, pk=whole(asked["person"], digits=KEY_DIGITS))
        rows = [row for row in cards.rows() if any(seat["person"] == person.pk for seat in row["players"])]
        codes = [row["code"] for row in best_to_watch(rows) or rows]
        return TvChoice(codes, _("%(name)s is not at a public table now.") % {"name": person.name}, person.name)
    if "circle" in asked:
        return _evening(request, asked["circle"])
    return TvChoice([row["code"] for row in best_to_watch(cards.rows())], _("No public table is in play right now."))


def _table(code: str) -> Table:
    if not code.isalnum():  # not every database can search for NUL
        raise Http404("No table has such a code.")
    return get_object_or_404(Table.objects.exclude(status=Table.Status.CLOSED), code=code)


def _evening(request: HttpRequest, code: str) -> TvChoice:
    with missing_if_refused():
        circle = find_member(code, person_of_request(request)).circle
    # A table in play first; of several, the newest.
    ours = [table for table in page_data.tables(circle) if table.evening]
    tables = sorted(ours, key=lambda table: table.status != Table.Status.PLAYING)
    score = next(iter(evenings.scores(circle, tables[0].evening)), None) if tables else None
    standings = tuple((one.name, one.points) for one in score.standings) if score else ()
    return TvChoice([table.code for table in tables], _("No evening is on."), circle.name, standings)


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the page. Its contents arrive by script."""
    choice = _choice(request)
    query = request.GET.urlencode()
    # The script replaces 0 by the number of a match, the code of a table, or the name of a game.
    context: dict[str, Any] = {
        "subject": choice.subject,
        "boot": {
            "now": f"{reverse('front:tv_now')}{'?' if query else ''}{query}",
            "words": reverse("front:words", args=[0, language()]),
            "table": reverse("table:page", args=["0"]),
            "qr": reverse("front:qr", args=["0"]),
        },
    }
    return render(request, "front/tv.html", context)


@cache_control(private=True, no_cache=True)
@vary_on_headers("Cookie", "Accept-Language")
@conditional_page
@require_safe
def now(request: HttpRequest) -> HttpResponse:
    """Return what to show now, with an ETag: {tables: [code, ...], nothing, evening: [{name, points}]}."""
    choice = _choice(request)
    evening = [{"name": name, "points": points} for name, points in choice.evening]
    return JsonResponse({"tables": choice.codes, "nothing": choice.nothing, "evening": evening})
