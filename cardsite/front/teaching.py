"""What a table fetches on demand: the rules for its drawer, and the game's tips and meanings."""

from __future__ import annotations

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsite import costs
from cardsite.front.prose import Prose, prose
from cardsite.lobby.games import find_game
from cardsite.people.rate_limits import payers
from cardsite.refusal import missing_if_refused
from cardsite.translations import language, marked_if_english
from cardsite.workshop.services import require_shown
from games.core import Game

log = structlog.get_logger(__name__)


def shown_game(name: str) -> Game:
    """Return a game that may be shown. Raises Http404."""
    with missing_if_refused():
        require_shown(name)
        return find_game(name)


def rules_of(game: Game) -> Prose:
    """Return a game's page of rules."""
    try:
        page = prose(game.rules_page(language()))
        return page._replace(html=marked_if_english(game, page.html))
    except Exception:  # compiling a text may raise anything
        log.exception("could not read a rules page", game=game.name)
        return prose(f"# {game.title}\n\n{_('This game has no readable rules page.')}")


@cache_control(private=True, max_age=300)
@require_safe
def drawer(request: HttpRequest, game: str) -> HttpResponse:
    """Return a game's rules for the drawer beside the felt, as an HTML fragment."""
    with costs.charged("page", payers(request)):
        shown = shown_game(game)
        rules = rules_of(shown)
    return render(request, "front/rules_drawer.html", {"game": shown, "rules": rules})


@cache_control(private=True, max_age=300)
@require_safe
def teaching(request: HttpRequest, game: str) -> JsonResponse:
    """Return the tips of a game and the meanings of things at its table: ``games.core.teaching``."""
    return JsonResponse(shown_game(game).teaching())
