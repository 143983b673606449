"""The front door: what is being played, play now, a new table, the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import structlog
from django.contrib import messages
from django.db import connection
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_POST
from markdown_it import MarkdownIt

from cardsite.front.forms import TableForm
from cardsite.front.pictures import drawn
from cardsite.limits import spend_now
from cardsite.lobby import services as lobby
from cardsite.lobby.games import find_game, shelves
from cardsite.lobby.models import HERE, Table
from cardsite.people.services import BadName, do_arrive, person_of_request
from cardsite.refusal import Refused
from cardsite.table.daily import board, table_of_try, today
from cardsite.table.house import house
from cardsite.table.services import do_begin_daily, do_start_match
from games.catalogue import featured
from games.core import Game

log = structlog.get_logger(__name__)
LISTED = 24  # tables on the front page
LIVELIEST_FIRST = (Table.Status.PLAYING, Table.Status.OPEN, Table.Status.OVER)


def _card(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "minutes": game.minutes,
        "daily": game.daily is not None,
        "listed": game.listed,
    }


def _shelves(under: int = 1) -> dict[str, Any]:
    """Return the games to show, {title, games: [card]} for each shelf, and the heading of a game.

    They stand under a heading of that level. Where there is more than one shelf, each has one too.
    """
    found = [{"title": shelf.title, "games": [_card(game) for game in shelf.games]} for shelf in shelves()]
    return {"shelves": found, "game_heading": f"h{under + 1 + (len(found) > 1)}"}


def _game(name: str) -> Game:
    try:
        return find_game(name)
    except Refused as gone:
        raise Http404(gone.text) from gone


def _rows(tables: Iterable[Table]) -> list[dict[str, Any]]:
    rows = []
    for table in tables:
        seats = list(table.seats.all())
        room = house.relay.rooms.get(table.code)
        rows.append(
            {
                "code": table.code,
                "game": table.game,
                "gone": not _is_here(table.game),
                "status": table.status,
                "players": [
                    {"name": lobby.seat_name(s), "kind": s.kind, "bot": s.bot, "person": s.person_id}
                    for s in seats
                    if s.kind != "open"
                ],
                "seats_free": sum(s.kind == "open" for s in seats),
                "watchers": house.relay.watchers(room) if room else 0,
                "match_number": table.match_count,  # type: ignore[attr-defined]
                "house": table.house,
                "host": table.host.name if table.host else "",
                "sealed": table.sealed,
            }
        )
    return rows


def _is_here(game: str) -> bool:
    try:
        return bool(find_game(game))
    except Refused:
        return False


@never_cache
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """What is being played now, and how to join."""
    person = person_of_request(request)
    tables = (
        Table.objects.exclude(status=Table.Status.CLOSED)
        .select_related("host")
        .prefetch_related("seats__person")
        .annotate(match_count=Count("matches", distinct=True))
        .order_by("house", "-touched")
    )
    alive = Q(status=Table.Status.PLAYING) | Q(house=True) | Q(seats__seen__gt=timezone.now() - HERE)
    public = _rows(tables.filter(alive, public=True).distinct()[:LISTED])
    public.sort(key=lambda row: LIVELIEST_FIRST.index(row["status"]))
    mine = _rows(tables.filter(Q(seats__person=person) | Q(host=person)).distinct()[:10]) if person else []
    known = {row["code"] for row in mine}
    watchable = next((t for t in public if t["status"] == "playing" and not t["gone"]), None)
    context = {
        **_shelves(under=2),
        "first": _card(featured()),
        "tables": [row for row in public if row["code"] not in known and not row["gone"]],
        "mine": mine,
        "watchable": watchable,
    }
    return render(request, "front/home.html", context)


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """One click: a table with the visitor and bots, playing."""
    rules_of = _game(game)
    try:
        person = do_arrive(request)
        spend_now("table", request, f"person {person.pk}")
        lobby.do_clear_solo_tables(person)
        bots = [rules_of.bots[0].name] * (rules_of.default_seats - 1)
        table = lobby.do_create_table(person, rules_of, ["me", *bots])
        do_start_match(table.code, person, house.keeper.row)
    except Refused as refusal:
        return _refuse(request, refusal)
    return redirect("table:page", table.code)


@never_cache
def daily(request: HttpRequest, game: str) -> HttpResponse:
    """The deal of the day: its board of scores, and one try."""
    rules_of = _game(game)
    if rules_of.daily is None:
        raise Http404(f"{rules_of.title} has no deal of the day.")
    day = today()
    person = person_of_request(request)
    tried = table_of_try(person, rules_of, day) if person else None
    if request.method == "POST" and not tried:
        try:
            person = do_arrive(request)
            spend_now("table", request, f"person {person.pk}")
            lobby.do_clear_solo_tables(person)
            tried = do_begin_daily(person, rules_of, rules_of.daily, day, house.keeper.row)
        except Refused as refusal:
            return _refuse(request, refusal)
    if request.method == "POST" and tried:
        return redirect("table:page", tried.code)
    playing = tried is not None and tried.status == Table.Status.PLAYING
    context = {
        "game": _card(rules_of),
        "day": day,
        "options": [(o.label, o.shown(rules_of.daily.options(day).get(o.name, o.default))) for o in rules_of.options],
        "rows": board(rules_of, day),
        "me": person.pk if person else 0,
        "tried": tried,
        "playing": playing,
    }
    return render(request, "front/daily.html", context)


@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Make a table."""
    game = _game(request.GET.get("game") or request.POST.get("game") or featured().name)
    person = person_of_request(request)
    form = TableForm(game, person, request.POST if request.method == "POST" else None)
    slow = False
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            person = do_arrive(request, data["name"])
            spend_now("table", request, f"person {person.pk}")
            table = lobby.do_create_table(
                person,
                game,
                data["seats"],
                options=data["options"],
                public=data["public"],
                sealed=data["sealed_deal"],
                seconds=data["seconds"],
            )
            return redirect("table:page", table.code)
        except (Refused, BadName) as refusal:
            form.add_error(None, str(refusal))
            slow = isinstance(refusal, Refused) and refusal.status == 429
    context = {"form": form, "game": _card(game), **_shelves()}
    return render(request, "front/new.html", context, status=429 if slow else 400 if form.errors else 200)


def _refuse(request: HttpRequest, refusal: Refused) -> HttpResponse:
    if refusal.status == 429:
        return refusal.on_a_page(request)
    messages.error(request, refusal.text)
    return redirect("front:home")


@require_GET
def games(request: HttpRequest) -> HttpResponse:
    """All games."""
    return render(request, "front/games.html", _shelves())


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """A game's rules page."""
    found = _game(game)
    try:
        text = found.rules_page()
    except Exception:  # a game that is made of a text may raise whatever its reader does
        log.exception("a page of rules cannot be read", game=game)
        text = f"# {found.title}\n\n{_('There is no page of rules that can be read.')}"
    # Whoever wrote the page, raw HTML in it stays text: "js-default" escapes it.
    html = mark_safe(MarkdownIt("js-default").enable("table").render(text))  # noqa: S308
    return render(request, "front/rules.html", {"game": _card(found), "html": html})


@cache_control(public=True, max_age=3600)
@require_GET
def picture(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """The picture that the house draws of a game which brings none."""
    return HttpResponse(drawn(game, kind), content_type="image/svg+xml")


@never_cache
@require_GET
def health(request: HttpRequest) -> JsonResponse:
    """For load balancers and ``make play``: 200 when pages, database and the house's own work are well."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    keeper = house.keeper.row
    return JsonResponse({"ok": True, "keeper": bool(keeper), "rooms": len(house.relay.rooms), "process": house.name})
