"""What a player thinks of a match: asked and answered by the scripts of the table and of the replay."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsite.limits import spend_now
from cardsite.lobby.games import find_game
from cardsite.people.models import Person
from cardsite.playtests.models import Opinion
from cardsite.playtests.services import Given, do_answer, require_may_answer
from cardsite.refusal import Refused
from cardsite.request_data import whole
from cardsite.table.models import Match
from cardsite.table.views import match_for


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def opinion(request: HttpRequest, match_id: int) -> HttpResponse:
    """GET: {often, answer: {fun, fair, note, ply} or null}. POST ``fun``, ``fair``, ``note``, ``ply``: {ok}.

    ``often``: ask after every match, not once a day. Parts that are not sent stay as they were.
    """
    match, person = match_for(request, match_id)
    try:
        if request.method == "POST":
            spend_now("opinion", request, f"person {person.pk}" if person else "")
            do_answer(match, person, _given(request))
            return JsonResponse({"ok": True})
        require_may_answer(match, person)
        often = find_game(match.game).untrusted
    except Refused as refusal:
        return refusal.in_json()
    return JsonResponse({"ok": True, "often": often, "answer": _answer(match, person)})


opinion.answers_json = True  # type: ignore[attr-defined]  # also when middleware refuses the request


def _answer(match: Match, person: Person | None) -> Mapping[str, object] | None:
    return Opinion.objects.filter(match=match, person=person).values("fun", "fair", "note", "ply").first()


def _given(request: HttpRequest) -> Given:
    numbers = [_number(request.POST.get(name, "")) for name in ("fun", "fair", "ply")]
    return Given(numbers[0], numbers[1], request.POST.get("note"), numbers[2])


def _number(raw: str) -> int | None:
    if not raw:
        return None
    number = whole(raw, digits=9)
    if number is None:
        raise Refused("bad_option", _("An answer is a number from 1 to 5."))
    return number
