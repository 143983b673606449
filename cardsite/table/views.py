"""The table's pages and the buttons on them. Parse, authorise, call a service, answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from cardsite import metrics
from cardsite.limits import spend_now
from cardsite.lobby import services as lobby
from cardsite.lobby.games import title_of
from cardsite.lobby.models import Table
from cardsite.people.backroom import is_administrator
from cardsite.people.models import Person
from cardsite.people.services import BadName, do_arrive, person_of_request
from cardsite.refusal import Refused, as_data
from cardsite.table import replay, stored_replay
from cardsite.table.house import house
from cardsite.table.models import Match
from cardsite.table.rig import stacked_for
from cardsite.table.services import do_start_match
from games.core import SealedChance
from games.core.chance import Draw

Button = Callable[[HttpRequest, str, Person], None]


def button(press: Button) -> Callable[[HttpRequest, str], HttpResponse]:
    """Make a POST view of what a button does: {"ok": true}, or {"ok": false, "code", "text"} with a 4xx status."""

    @require_POST
    @wraps(press)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            person = do_arrive(request, request.POST.get("name", ""))
            press(request, code, person)
        except BadName as bad:
            return JsonResponse(as_data("bad_name", str(bad)), status=400)
        except Refused as refusal:
            metrics.refusals.labels(refusal.code).inc()
            return refusal.in_json()
        return JsonResponse({"ok": True})

    view.answers_json = True  # type: ignore[attr-defined]  # also when it is refused before it is asked
    return view


def _number(request: HttpRequest, field: str) -> int | None:
    raw = request.POST.get(field, "")
    if not raw:
        return None
    try:
        return int(raw)
    except ValueError:
        raise Refused("bad_option", f"{field} must be a number.") from None


@button
def sit(request: HttpRequest, code: str, person: Person) -> None:
    spend_now("sit", request, f"person {person.pk}")
    lobby.do_sit(code, person, _number(request, "seat"))


@button
def stand(request: HttpRequest, code: str, person: Person) -> None:
    lobby.do_stand(code, person)


@button
def seat(request: HttpRequest, code: str, person: Person) -> None:
    lobby.do_set_seat(code, person, _number(request, "seat") or 0, request.POST.get("kind", ""))


@button
def fill(request: HttpRequest, code: str, person: Person) -> None:
    lobby.do_fill(code, person)


@button
def start(request: HttpRequest, code: str, person: Person) -> None:
    do_start_match(code, person, house.keeper.row)


@button
def close(request: HttpRequest, code: str, person: Person) -> None:
    lobby.do_close(code, person)


@button
def name(request: HttpRequest, code: str, person: Person) -> None:
    """The name came with the form and has been taken already."""
    get_object_or_404(Table, code=code)


@never_cache
@ensure_csrf_cookie
@require_GET
def page(request: HttpRequest, code: str) -> HttpResponse:
    """The table. Everything on it arrives by the socket."""
    table = get_object_or_404(Table.objects.exclude(status=Table.Status.CLOSED), code=code)
    try:
        title = lobby.game_of(table).title
    except Refused:
        return _gone(request, table.game)
    here = reverse("table:page", args=[code])
    boot = {
        "ws": f"/ws/table/{code}/",
        "code": code,
        "invite": request.build_absolute_uri(here),
        "admin": is_administrator(request.user),
        "urls": {
            **{
                action: reverse(f"table:{action}", args=[code])
                for action in ("sit", "stand", "seat", "fill", "start", "close", "name")
            },
            "again": reverse("table:start", args=[code]),
            "rules": reverse("front:rules", args=[table.game]),
            "lobby": reverse("front:home"),
            "replay": reverse("table:replay", args=[0]),
            "verify": reverse("table:verify", args=[0]),
        },
    }
    return render(request, "table/table.html", {"table": table, "title": title, "boot": boot})


def _match_for(request: HttpRequest, match_id: int) -> tuple[Match, Person | None]:
    """Return a match the visitor may look back at: any at a public table, else one played, hosted, or by link."""
    match = get_object_or_404(Match.objects.select_related("table"), pk=match_id)
    person = person_of_request(request)
    if not (match.table.public or is_administrator(request.user)):
        mine = person and (match.players.filter(person=person).exists() or match.table.host_id == person.pk)
        if not mine and request.GET.get("table") != match.table.code:
            raise Http404
    return match, person


@never_cache
@require_GET
def replay_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Step through a match."""
    match, _person = _match_for(request, match_id)
    query = f"?table={match.table.code}" if not match.table.public else ""
    if not replay.rules_shown(match):
        return _gone(request, match.game, replay.result(match))
    boot = {
        "frames": reverse("table:frames", args=[match_id]) + query,
        "verify": reverse("table:verify", args=[match_id]) + query if match.sealed else "",
        "table": reverse("table:page", args=[match.table.code]),
    }
    remark = replay.remark(match)
    result = replay.result(match) if remark else []
    context = {"match": match, "title": title_of(match.game), "boot": boot, "remark": remark, "result": result}
    return render(request, "table/replay.html", context)


def _gone(request: HttpRequest, game: str, result: Sequence[dict[str, Any]] = ()) -> HttpResponse:
    """Say that a game is not in the house any more, and how the match ended that somebody wants to see."""
    return render(request, "table/gone.html", {"title": title_of(game), "result": result}, status=410)


@cache_control(private=True, no_cache=True)
@require_GET
def frames(request: HttpRequest, match_id: int) -> HttpResponse:
    """All frames of a match, as the visitor may see them: of one that has ended as they are stored."""
    match, person = _match_for(request, match_id)
    admin = is_administrator(request.user)
    seat, face_up = replay.audience_of(match, person, admin=admin)
    over = match.status == Match.Status.OVER
    stacked = match.favourite if admin and match.favourite is not None else stacked_for(match)
    beside: dict[str, Any] = {
        "game": match.game,
        "title": title_of(match.game),
        "match": match.pk,
        "number": match.number,
        "over": over,
        "names": replay.names(match),
        "seat": seat,
        "face_up": face_up,
        "rules": {"played": match.rules_version, "shown": replay.rules_shown(match)},
        "remark": replay.remark(match),
        "result": replay.result(match),
        "sealed": match.sealed,
        "commitment": _commitment(match),
        "seed": match.seed if match.sealed and over else "",
        "stacked_for": stacked,
    }
    edition = stored_replay.edition(match)
    etag = stored_replay.etag(edition, seat, face_up, beside) if edition else None
    # The name holds the audience, so what another visitor of the same browser was sent is never taken for it.
    response = get_conditional_response(request, etag=etag, response=None) if etag else None
    if response is None:
        gzipped = stored_replay.takes_gzip(request.headers.get("Accept-Encoding", ""))
        laid = stored_replay.find(match, edition, seat, face_up=face_up)
        if laid is None or not gzipped:  # whoever cannot unpack costs megabytes
            try:
                spend_now("replay", request)
            except Refused as refusal:
                return refusal.in_json()
        laid = laid or stored_replay.lay_out(match, edition, seat, face_up=face_up)
        if not laid.complete:
            beside["remark"] = " ".join(filter(None, [beside["remark"], _(replay.STOPPED)]))
        response = HttpResponse(
            laid.gzipped(beside) if gzipped else laid.plain(beside), content_type="application/json"
        )
        if gzipped:
            response["Content-Encoding"] = "gzip"
    if etag:
        response["ETag"] = etag
    else:
        add_never_cache_headers(response)
    patch_vary_headers(response, ["Accept-Encoding", "Cookie"])
    return response


def _commitment(match: Match) -> str:
    return SealedChance.commitment(bytes.fromhex(match.seed)) if match.sealed else ""


@never_cache
@require_GET
def verify(request: HttpRequest, match_id: int) -> HttpResponse:
    """Check a sealed deal in the browser."""
    match, _person = _match_for(request, match_id)
    over = match.status == Match.Status.OVER
    query = f"?table={match.table.code}" if not match.table.public else ""
    opened = match.sealed and over
    refused = ""
    draws: list[Draw] = []
    if opened:
        try:
            spend_now("replay", request)
        except Refused as refusal:
            return refusal.on_a_page(request)
        try:
            draws = replay.draws(match)
        except Refused as refusal:
            refused = refusal.text
    boot: dict[str, Any] = {
        "sealed": match.sealed,
        "over": over,
        "commitment": _commitment(match),
        "seed": match.seed if opened else "",
        "draws": draws,
        "refused": refused,  # why the deal cannot be made again; the seed can be checked all the same
        "replay": reverse("table:replay", args=[match_id]) + query,
        "record": reverse("table:record", args=[match_id]) + query if opened else "",
    }
    return render(request, "table/verify.html", {"match": match, "title": title_of(match.game), "boot": boot})


@never_cache
@require_GET
def record(request: HttpRequest, match_id: int) -> JsonResponse:
    """A finished sealed match as a file, to be played again by ``python -m games replay``."""
    match, _person = _match_for(request, match_id)
    if not match.sealed or match.status != Match.Status.OVER:
        raise Http404("Only a finished match of a sealed table is open.")
    try:
        response = JsonResponse(replay.record(match))
    except Refused as gone:
        raise Http404(gone.text) from gone
    response["Content-Disposition"] = f'attachment; filename="{match.game}-{match.pk}.json"'
    return response
