"""The workshop's first page: the games of visitors, by search, kind, players and length, a page at a time.

Everything stands in the address, so it works without a script and can be linked to.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsite.lobby.games import LENGTHS
from cardsite.people.models import Person
from cardsite.people.names import one_line
from cardsite.people.services import person_of_request
from cardsite.request_data import whole
from cardsite.workshop import measuring, services
from cardsite.workshop.described import KIND_LENGTH
from cardsite.workshop.models import Like, Text, Version, is_code, listed
from games import catalogue
from games.recycle.game import MOST_PLAYERS

FEATURED, PAGE, KINDS = 12, 24, 30  # games on the front page, games on a page here, kinds to choose from
LONGEST, MOST_WORDS = 80, 8  # characters and words of a search
MEASURES = ("length", "fairness", "drama", "order")  # that are shown of a game
LISTS = ("mine", "liked")
ORDERS = {
    "new": ("-text__featured", "-text__published_at"),
    "played": ("-text__plays", "-text__published_at"),
    "liked": ("-liked", "-text__published_at"),
}


class Wanted(NamedTuple):
    """What a visitor looks for, by the names of the address's parameters. An empty part means any."""

    q: str = ""  # words of the title, the summary, the kind or the author's name
    kind: str = ""
    players: str = ""
    minutes: str = ""  # at most
    list: str = ""  # one of LISTS: the visitor's own games, or those they like
    of: str = ""  # the code of a text: only copies of that
    order: str = ""  # one of ORDERS

    @property
    def address(self) -> str:
        """The parameters of an address that asks for this, to be followed by more."""
        return urlencode({name: value for name, value in self._asdict().items() if value})


def wanted_by(request: HttpRequest) -> Wanted:
    """Return what an address asks for, without what cannot be asked for."""
    asked = {name: request.GET.get(name, "") for name in Wanted._fields}
    numbers = [str(n) for n in range(1, MOST_PLAYERS + 1)]
    return Wanted(
        q=one_line(asked["q"][: 2 * LONGEST])[:LONGEST],
        kind=one_line(asked["kind"][:KIND_LENGTH]),
        players=asked["players"] if asked["players"] in numbers else "",
        minutes=asked["minutes"] if whole(asked["minutes"], digits=3) else "",
        list=asked["list"] if asked["list"] in LISTS else "",
        of=asked["of"] if is_code(asked["of"]) else "",
        order=asked["order"] if asked["order"] in ORDERS else "",
    )


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the games that visitors have published, their own, or those that the visitor likes."""
    person = person_of_request(request)
    wanted = wanted_by(request)
    origin = Text.objects.filter(listed(), code=wanted.of).first() if wanted.of else None
    wanted = wanted._replace(of=origin.code if origin else "")
    page = Paginator(found(wanted, person), PAGE).get_page(request.GET.get("page"))
    context = {
        "wanted": wanted,
        "mine": wanted.list == "mine",
        "narrowed": wanted._replace(list="", order="") != Wanted(),
        "games": with_figures(page.object_list),
        "page": page,
        "origin": origin,
        "kinds": kinds_to_choose(wanted.kind),
        "players": range(1, MOST_PLAYERS + 1),
        "lengths": LENGTHS,
        "house": [game for game in catalogue.listed() if game.text] if page.number == 1 and not any(wanted) else [],
    }
    return render(request, "workshop/index.html", context)


def published() -> QuerySet[Version]:
    """Return the published versions that may be played."""
    return Version.objects.filter(listed("text__"), number=F("text__published"), overruns__lt=services.MAX_OVERRUNS)


def for_a_list(versions: QuerySet[Version]) -> QuerySet[Version]:
    """Return versions with what a list shows of each: ``liked``, its number of likes, its author and its origin."""
    likes = Like.objects.filter(text=OuterRef("text")).order_by().values("text").annotate(n=Count("pk")).values("n")
    origin = "text__forked_from"
    unused = ("description", *(f"{origin}__{name}" for name in ("source", "table", "description")))
    versions = versions.select_related("text__owner", f"{origin}__text").defer(*unused)
    return versions.annotate(liked=Coalesce(Subquery(likes), 0))


def featured() -> QuerySet[Version]:
    """Return the published versions that staff feature, for the front page."""
    return for_a_list(published()).filter(text__featured=True).order_by("-text__published_at")[:FEATURED]


def found(wanted: Wanted, person: Person | None) -> QuerySet[Version]:
    """Return the versions that a visitor looks for: of their own games the newest, of others the published one."""
    match wanted.list:
        case "mine":
            versions = Version.objects.filter(text__owner=person, text__withdrawn=False, number=F("text__latest"))
        case "liked":
            versions = published().filter(text__likes__person=person)
        case _:
            versions = published()
    if wanted.list and person is None:
        versions = Version.objects.none()
    for word in wanted.q.split()[:MOST_WORDS]:
        spellings = {word, word.lower(), word.upper(), word.capitalize()}  # SQLite knows the capitals of ASCII only
        fields = ("title", "summary", "kind", "text__owner__name")
        tests = [Q(**{f"{field}__icontains": each}) for field in fields for each in sorted(spellings)]
        versions = versions.filter(reduce(or_, tests))
    if wanted.kind:
        versions = versions.filter(kind=wanted.kind)
    if wanted.players:
        versions = versions.filter(min_seats__lte=int(wanted.players), max_seats__gte=int(wanted.players))
    if wanted.minutes:
        versions = versions.filter(playable=True, minutes__lte=int(wanted.minutes))
    if wanted.of:
        versions = versions.filter(text__forked_from__text__code=wanted.of)
    usual = ("-text__changed",) if wanted.list == "mine" else ORDERS["new"]
    return for_a_list(versions).order_by(*ORDERS.get(wanted.order, usual))


def kinds_to_choose(chosen: str) -> list[str]:
    """Return the most frequent kinds of published games, and the one that is chosen."""
    counted = published().exclude(kind="").values("kind").annotate(n=Count("pk")).order_by("-n", "kind")[:KINDS]
    return sorted({one["kind"] for one in counted} | ({chosen} if chosen else set()))


def with_figures(versions: Iterable[Version]) -> list[Version]:
    """Return versions, each with those of its ``figures`` that have been measured."""
    versions = list(versions)
    for version in versions:
        report = measuring.report_of(version.source, version.table) if version.playable else None
        shown = [(name, report["measures"].get(name)) for name in MEASURES] if report else []
        version.figures = [(name, figure) for name, figure in shown if figure]  # type: ignore[attr-defined]
    return versions
