"""The front page, new tables, the deal of the day, the list of games, and rules."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from cardsite import costs
from cardsite.circles.models import Circle
from cardsite.circles.services import do_start_evening, find_member, memberships
from cardsite.front.forms import GameForm, NewTableForm, SeekForm
from cardsite.front.pictures import drawn
from cardsite.front.tables import best_to_watch, cards, count_turns, invitations_of, others, rows_of
from cardsite.front.teaching import rules_of, shown_game
from cardsite.lobby.games import LENGTHS, GameSection, find_game, sections, words_of
from cardsite.lobby.models import Table
from cardsite.lobby.services import hosting, lifecycle, permissions, presence
from cardsite.lobby.services.seeks import do_seek
from cardsite.people.models import Person
from cardsite.people.rate_limits import payers, spend_table
from cardsite.people.services import BadName, do_arrive, person_of_request
from cardsite.refusal import Refused, form_status, missing_if_refused
from cardsite.table.daily import leaderboard, table_of_try, today
from cardsite.table.ending import in_words
from cardsite.table.services.beginnings import do_begin_daily, do_begin_story, do_play_now
from cardsite.table.story import completed_stories
from cardsite.translations import language, translated, value_in_words
from cardsite.workshop.library import featured as featured_texts
from cardsite.workshop.services import may_be_public, require_open
from games.catalogue import featured as featured_game
from games.core import Game
from games.core.game import DealOfTheDay


def _card(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": translated(game, game.summary),
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "minutes": game.minutes,
        "kind": translated(game, game.kind),
        "daily": game.daily is not None,
        "story": {
            "title": in_words(game.story.title, (), words_of(game.name)),
            "summary": in_words(game.story.summary, (), words_of(game.name)),
            "face": game.story.faces[game.story.favourite],
        }
        if game.story
        else None,
        "listed": game.listed,
    }


def _sections(every: Iterable[GameSection], under: int = 1) -> dict[str, Any]:
    """Return the template's data of all games: the sections, the featured texts, and the heading level of a game.

    ``under`` is the level of the heading above the sections. If there are several, each has a heading of its own.
    """
    shown = [_section(index, section.title, section.games) for index, section in enumerate(every)]
    heading = f"h{under + 1 + (len(shown) > 1)}"
    return {"sections": shown, "featured_texts": _featured_texts(), "game_heading": heading}


def _featured_texts() -> list[dict[str, Any]]:
    """Return the workshop's games that staff feature, as cards."""
    return [
        {
            "name": version.game,
            "code": version.text.code,
            "title": version.title,
            "summary": version.summary,
            "min_seats": version.min_seats,
            "max_seats": version.max_seats,
            "minutes": version.minutes,
            "kind": version.kind,
        }
        for version in featured_texts()
    ]


def _section(index: int, title: str, games: list[Game]) -> dict[str, Any]:
    """Return the template's data of a section of games.

    The first section has pictures. The others are long lists with filters, whose values are in ``kinds``, ``players``
    and ``lengths``.
    """
    lengths = [most for most in LENGTHS if min(game.minutes for game in games) <= most]
    return {
        "title": title,
        "games": [_card(game) for game in games],
        "rows": index > 0,
        "id": f"games-{index}",
        "kinds": sorted({translated(game, game.kind) for game in games} - {""}),
        "players": range(min(game.min_seats for game in games), max(game.max_seats for game in games) + 1),
        "lengths": lengths,
    }


def _game(name: str, played: str = "") -> Game:
    """Return a game that a table may choose; the one it has (``played``) is always allowed. Raises Http404."""
    with missing_if_refused():
        if name != played:
            require_open(name)
        return find_game(name)


def _require_publishable(game: Game, public: bool) -> None:
    """Raise Refused for a public table of a game that its author has not published."""
    if public and not may_be_public(game.name):
        raise Refused(
            "bad_option",
            _("This game is not published, so its table cannot be listed. Choose “Only people with the link”."),
        )


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page."""
    person = person_of_request(request)
    own_tables = rows_of(person)
    tables = others(cards.rows(), own_tables)
    best = best_to_watch(tables)
    circles = list(memberships(person)) if person else []
    invited = invitations_of(person)
    context = {
        **_shared_context(),
        "tables": [{"code": row["code"], "card": cards.card(row)} for row in tables],
        "mine": [{"code": row["code"], "card": cards.card(row, person.pk)} for row in own_tables] if person else [],
        "invited": invited,
        "turns_waiting": count_turns(own_tables),  # as the page's updates have it, without another query
        "known": person is not None,
        "circles": circles,
        "top": not (invited or own_tables or circles),
        "best": best[0] if best else None,
        "watchable": bool(best) or settings.HOUSE_TABLE,
    }
    return render(request, "front/home.html", context)


SHARED_FRESH = 30.0  # seconds after which a game that was opened, closed or featured is so on the front page, too
_shared: dict[str, tuple[float, dict[str, Any]]] = {}  # by language: when it was made, and what ``_shared_context`` has


def _shared_context() -> dict[str, Any]:
    """Return the part of the front page's context that is the same for all visitors of a language.

    It is made once every half minute, with the fields of its form rendered: a third of the page's CPU time.
    """
    made, context = _shared.get(language(), (float("-inf"), {}))
    if time.monotonic() - made <= SHARED_FRESH:
        return context
    every = sections()
    shown = _sections(every, under=2)
    seek = SeekForm(every, initial={"game": featured_game().name})
    context = {
        **shown,
        "featured_game": _card(featured_game()),
        "with_story": [game for section in shown["sections"] for game in section["games"] if game["story"]],
        "seek": format_html_join("", "{}", ((render_to_string("front/_field.html", {"field": one}),) for one in seek)),
    }
    _shared[language()] = time.monotonic(), context
    return context


@require_POST
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """Start a match of the visitor against bots at a new table."""
    chosen = _game(game)
    try:
        person = do_arrive(request)
        spend_table(request, person)
        table = do_play_now(person, chosen, public=may_be_public(game))
    except Refused as refusal:
        return refusal.back_to(request, "front:home")
    return redirect("table:page", table.code)


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """Seat the visitor with others who would like to play the same, or where such people will come."""
    form = SeekForm(sections(), request.POST)
    try:
        if not form.is_valid():
            raise Refused("bad_option", _("Choose a game and how many people from the lists."))
        wanted = form.cleaned_data
        person = do_arrive(request)
        spend_table(request, person)
        least, most = sorted((wanted["least"], wanted["most"]))
        game = _game(wanted["game"])
        table = do_seek(person, game, least, most, bots=wanted["bots"], seconds=wanted["seconds"])
    except Refused as refusal:
        return refusal.back_to(request, "front:home")
    return redirect("table:page", table.code)


@never_cache
def story(request: HttpRequest, game: str) -> HttpResponse:
    """Show the beginning of a game's story. A POST opens a table where the visitor plays it."""
    chosen = _game(game)
    if chosen.story is None:
        raise Http404(f"{chosen.title} has no story.")
    story = chosen.story
    if request.method == "POST":
        try:
            person = do_arrive(request)
            spend_table(request, person)
            return redirect("table:page", do_begin_story(person, chosen, story).code)
        except Refused as refusal:
            return refusal.back_to(request, "front:home")
    visitor = person_of_request(request)
    context = {
        "game": _card(chosen),
        "scene": [
            {
                "name": story.names[speaker] if speaker >= 0 else story.narrator,
                "lines": [in_words(line.text, story.names, words_of(game)) for line in spoken],
            }
            for speaker, spoken in groupby(story.acts["begin"], key=lambda line: line.speaker)
        ],
        "stories": completed_stories(visitor) if visitor else None,
    }
    return render(request, "front/story.html", context)


@never_cache
def daily(request: HttpRequest, game: str, day: date | None = None) -> HttpResponse:
    """Show the deal of the day: its leaderboard, and one try. For an earlier ``day`` only the leaderboard."""
    chosen = _game(game)
    if chosen.daily is None:
        raise Http404(f"{chosen.title} has no deal of the day.")
    now = today()
    if day is not None and day != now:
        return _past_leaderboard(request, chosen, chosen.daily, day, now)
    day = now
    person = person_of_request(request)
    tried = table_of_try(person, chosen, day) if person else None
    if request.method == "POST" and not tried:
        try:
            person = do_arrive(request)
            spend_table(request, person)
            tried = do_begin_daily(person, chosen, chosen.daily, day)
        except Refused as refusal:
            return refusal.back_to(request, "front:home")
    if request.method == "POST" and tried:
        return redirect("table:page", tried.code)
    playing = tried is not None and tried.status == Table.Status.PLAYING
    context = {**_day(chosen, chosen.daily, day, person), "tried": tried, "playing": playing}
    return render(request, "front/daily.html", context)


def _past_leaderboard(request: HttpRequest, game: Game, deal: DealOfTheDay, day: date, now: date) -> HttpResponse:
    """Show the leaderboard of an earlier day. Raises Http404 if nobody played."""
    context = {**_day(game, deal, day, person_of_request(request)), "past": True}
    if day > now or not context["rows"]:
        raise Http404("Nobody has played the deal of that day.")
    return render(request, "front/daily.html", context)


def _day(game: Game, deal: DealOfTheDay, day: date, person: Person | None) -> dict[str, Any]:
    """Return the template's data of the deal of a day."""
    chosen = deal.options(day)
    return {
        "game": _card(game),
        "day": day,
        "options": [
            (translated(game, option.label), value_in_words(game, option, chosen.get(option.name, option.default)))
            for option in game.options
        ],
        "rows": leaderboard(game, day),
        "me": person.pk if person else 0,
    }


def _circle(request: HttpRequest, person: Person | None) -> Circle | None:
    """Return the circle of which a new table starts an evening, None if it names none. Raises Http404."""
    code = request.GET.get("circle") or request.POST.get("circle")
    with missing_if_refused():
        return find_member(code, person).circle if code else None


@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Show the form for a new table. A POST opens the table and redirects to it. ``circle``: it starts an evening."""
    game = _game(request.GET.get("game") or request.POST.get("game") or featured_game().name)
    person = person_of_request(request)
    circle = _circle(request, person)
    form = NewTableForm(game, person, request.POST if request.method == "POST" else None)
    status = 400 if form.errors else 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            person = do_arrive(request, data["name"])
            spend_table(request, person)
            _require_publishable(game, data["public"])
            create = partial(do_start_evening, circle.code) if circle else lifecycle.do_create_table
            table = create(
                person,
                game,
                data["seats"],
                options=data["options"],
                public=data["public"],
                sealed=data["sealed"] is not False,
                seconds=data["seconds"],
                time_up=data["time_up"] or Table.TimeUp.BOT,
                spectator_delay=data["spectator_delay"] or 0,
            )
            return redirect("table:page", table.code)
        except (Refused, BadName) as refusal:
            form.add_error(None, str(refusal))
            status = form_status(refusal)
    context = {"form": form, "game": _card(game), "circle": circle, **_sections(sections())}
    return render(request, "front/new.html", context, status=status)


@never_cache
def change(request: HttpRequest, code: str) -> HttpResponse:
    """Let the host change the game, options or clock of a table between matches."""
    table = get_object_or_404(Table.objects.exclude(status=Table.Status.CLOSED), code=code)
    game = _game(request.GET.get("game") or request.POST.get("game") or table.game, played=table.game)
    person = person_of_request(request)
    form = GameForm(game, request.POST if request.method == "POST" else None)
    try:
        if person is None:
            raise Refused("not_host", _("Only the host can do that."))
        permissions.require_host(table, person)
        permissions.require_no_running_match(table)
        if request.method == "POST":
            presence.do_end_away(code, person.pk)
        if request.method == "POST" and form.is_valid():
            _require_publishable(game, table.public)
            data = form.cleaned_data
            more = {name: data[name] for name in ("sealed", "time_up", "spectator_delay")}
            hosting.do_change_game(code, person, game, data["options"], data["seconds"], **more)
            return redirect("table:page", code)
    except Refused as refusal:
        if refusal.code != "bad_option":
            return refusal.back_to(request, "table:page", code)
        form.add_error(None, refusal.text)
    form.set_to(table, table.options if table.game == game.name else {})
    context = {"form": form, "game": _card(game), "table": table, **_sections(sections())}
    return render(request, "front/change.html", context, status=400 if form.errors else 200)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """List all games."""
    return render(request, "front/games.html", _sections(sections()))


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's rules."""
    with costs.charged("page", payers(request)):
        shown = shown_game(game)
        context = {"game": _card(shown), "rules": rules_of(shown), "pictures": shown.pictures}
    return render(request, "front/rules.html", context)


@cache_control(public=True, max_age=3600)
@require_safe
def words(request: HttpRequest, game: str, language: str) -> HttpResponse:
    """Return the translations of a game's texts, keyed by the English text, for the scripts of a table."""
    with missing_if_refused():
        return JsonResponse(dict(find_game(game).words(language)))


@cache_control(public=True, max_age=3600)
@require_safe
def picture(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """Return the generated picture of a game that has none of its own."""
    return HttpResponse(drawn(game, kind), content_type="image/svg+xml")
