"""The pages about a person: their matches and results. Others see only those at public tables."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsite.circles.services import memberships
from cardsite.lobby.games import words_of
from cardsite.people.admin_site import is_administrator
from cardsite.people.models import Person
from cardsite.people.mutes import muted_by, muted_people
from cardsite.people.services import VACATION_LONGEST, next_vacation, person_of_request
from cardsite.push.models import MailAddress, NotificationKind
from cardsite.push.sending import public_key
from cardsite.table import statistics
from cardsite.table.daily import today
from cardsite.table.ending import in_words, ranks_of
from cardsite.table.models import Match, Player
from cardsite.table.story import completed_stories

MATCHES_PER_PAGE = 25


@dataclass(frozen=True)
class HistoryEntry:
    """A match in a player's history."""

    id: int
    game: str
    when: datetime
    status: str
    code: str  # of the table
    private: bool  # only people with the table's link may watch, so links to the replay have its code
    words: str  # how it ended, in the game's words; "" if it has not ended, or ended before this was stored
    mine: Player
    rank: int
    seats: int
    others: list[Player]
    story: str  # of a match of a story: "done" if it completed the story, else "open"; else ""

    @property
    def counts(self) -> bool:
        """Whether the result counts for the person."""
        return self.mine.counts

    @property
    def over(self) -> bool:
        """Whether the match has a result."""
        return self.status == Match.Status.OVER


@never_cache
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """Show the visitor's name, history and token."""
    person = person_of_request(request)
    seen = request.method == "GET"  # a HEAD request must not use up the token, which is shown once
    context: dict[str, Any] = {
        "person": person,
        "token": request.session.pop("new_token", "") if seen else "",
        "administrator": is_administrator(request.user),
    }
    if person:
        context |= {
            "push_key": public_key(),
            "push_kinds": NotificationKind.choices,
            "next_vacation": next_vacation(person),
            "longest_vacation": timezone.now() + VACATION_LONGEST - timedelta(days=1),
        }
        if settings.EMAIL_HOST and person.registered:
            context["mail"] = MailAddress.objects.filter(person=person).first() or MailAddress()
        results = statistics.results_of(person)
        stories = completed_stories(person)
        context |= _statistics(results, person) | {
            "matches": _page(results, request, stories.last),
            "streaks": statistics.streaks(person, today()),
            "stories": stories,
            "texts": person.texts.count(),
            "circles": memberships(person),
            "muted": muted_people(person),
        }
    return render(request, "people/me.html", context)


@never_cache
@require_safe
def player(request: HttpRequest, person_id: int) -> HttpResponse:
    """Show a player's public page: matches at public tables. A visitor with a name can mute the player there."""
    person, visitor = get_object_or_404(Person, pk=person_id), person_of_request(request)
    results = statistics.results_of(person, public=True)
    context = {
        "person": person,
        "matches": _page(results, request),
        **_statistics(results, person),
        "streaks": statistics.streaks(person, today()),  # public as well: leaderboards of deals of the day show them
        "may_mute": visitor is not None and visitor != person,
        "muted": visitor is not None and person.pk in muted_by(visitor.pk),
    }
    return render(request, "people/player.html", context)


def _statistics(results: QuerySet[Player], person: Person) -> dict[str, Any]:
    """Return the template's data of results by game and by opponent."""
    return {
        "games": statistics.by_game(results),
        "people": statistics.against_people(results, person),
        "bots": statistics.against_bots(results, person),
    }


def _page(results: QuerySet[Player], request: HttpRequest, completed: Container[int] = ()) -> Any:
    """Return one page of matches, the newest first. ``completed``: those that completed a story."""
    with_matches = results.select_related("match__table").prefetch_related("match__players")
    page: Any = Paginator(with_matches.order_by("-match__started"), MATCHES_PER_PAGE).get_page(request.GET.get("page"))
    page.object_list = [_entry(result, completed) for result in page.object_list]
    return page


def _entry(mine: Player, completed: Container[int]) -> HistoryEntry:
    match = mine.match
    everybody = list(match.players.all())
    names = {player.seat: player.shown for player in everybody}
    ranks = ranks_of([player.score for player in everybody], [player.share for player in everybody])
    return HistoryEntry(
        id=match.pk,
        game=match.game,
        when=match.started,
        status=match.status,
        code=match.table.code,
        private=not match.table.public,
        words=in_words(match.outcome, [names.get(seat, "") for seat in range(max(names) + 1)], words_of(match.game)),
        mine=mine,
        rank=mine.place or ranks[everybody.index(mine)],  # older matches have no place stored
        seats=len(everybody),
        others=[player for player in everybody if player.seat != mine.seat],
        story=("done" if match.pk in completed else "open") if match.table.story else "",
    )
