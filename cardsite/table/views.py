"""The table's pages and the buttons on them. Parse, authorise, call a service, answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from cardsite import costs, metrics
from cardsite.limits import spend_now
from cardsite.lobby.games import find_game, has_board, title_of
from cardsite.lobby.models import Table
from cardsite.lobby.services import hosting, presence, seat_requests, seating
from cardsite.people.admin_site import is_administrator
from cardsite.people.models import Person
from cardsite.people.rate_limits import payers, require_cpu, require_cpu_for_match
from cardsite.people.services import BadName, do_arrive, person_of_request
from cardsite.refusal import Refused, as_data, missing_if_refused
from cardsite.table import replay, replay_worker, stored_replay
from cardsite.table.delay import game_shown, has_delay, is_hidden, with_delay
from cardsite.table.invitation import address_for_friends, is_unreachable
from cardsite.table.models import DailyTry, Match
from cardsite.table.moves import plies_of
from cardsite.table.occupants import occupancies_as_data, occupancies_of, results_as_data
from cardsite.table.replay_queue import queue
from cardsite.table.rig import stacked_for
from cardsite.table.services.beginnings import do_choose
from cardsite.table.services.chat import do_report_messages
from cardsite.table.services.invitations import do_invite_person, people_to_invite
from cardsite.table.services.matches import do_agree, do_agree_to_end, do_resign, do_start_match
from cardsite.table.services.takebacks import do_answer_take_back, do_ask_to_take_back
from cardsite.table.what_if import address_of, may_play_on
from cardsite.translations import language
from games.core import SealedChance
from games.core.chance import Draw
from games.core.options import whole

MOST = 2**31 - 1  # the largest number in a form: no row has a larger one, and some databases reject it
BUTTONS = (
    "sit", "stand", "come_back", "request_seat", "withdraw_request", "answer_request", "set_seat", "set_handicap",
    "fill", "make_host", "remove_person", "remove_spectator", "readmit_spectator", "add_seat", "remove_seat",
    "share_chat", "report_chat", "invite_person", "start", "ready", "end", "resign", "take_back", "choose", "close",
    "name",
)  # fmt: skip
Button = Callable[[HttpRequest, str, Person], None]
# Functions that return further links in the menu of a table, by name. Apps above this one add theirs in ``ready``.
MENU_LINKS: list[Callable[[Table, Person], dict[str, str]]] = []
Found = TypeVar("Found")


def button(press: Button) -> Callable[[HttpRequest, str], HttpResponse]:
    """Make the POST view of a button. A person who presses it is no longer away.

    It answers {"ok": true}, or {"ok": false, "code", "text"} with a 4xx status.
    """

    @require_POST
    @wraps(press)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            person = do_arrive(request, request.POST.get("name", ""))
            presence.do_end_away(code, person.pk)
            press(request, code, person)
        except BadName as bad:
            return JsonResponse(as_data("bad_name", str(bad)), status=400)
        except Refused as refusal:
            metrics.refusals.labels(refusal.code).inc()
            return refusal.in_json()
        return JsonResponse({"ok": True})

    view.answers_json = True  # type: ignore[attr-defined]  # also when middleware refuses the request
    return view


def _number(request: HttpRequest, field: str) -> int | None:
    raw = request.POST.get(field, "")
    if not raw:
        return None
    try:
        return max(-1, min(int(raw), MOST))
    except ValueError:
        raise Refused("bad_option", _("%(field)s must be a number.") % {"field": field}) from None


def _seat_number(request: HttpRequest) -> int:
    number = _number(request, "seat")
    if number is None:
        raise Refused("bad_option", _("Choose a seat."))
    return number


@button
def sit(request: HttpRequest, code: str, person: Person) -> None:
    spend_now("sit", request, f"person {person.pk}")
    seating.do_sit(code, person, _number(request, "seat"))


@button
def stand(request: HttpRequest, code: str, person: Person) -> None:
    seating.do_stand(code, person)


@button
def come_back(request: HttpRequest, code: str, person: Person) -> None:
    spend_now("sit", request, f"person {person.pk}")
    seating.do_return(code, person)


@button
def request_seat(request: HttpRequest, code: str, person: Person) -> None:
    spend_now("request_seat", request, f"person {person.pk}")
    seat_requests.do_request_seat(code, person)


@button
def withdraw_request(request: HttpRequest, code: str, person: Person) -> None:
    seat_requests.do_withdraw_request(code, person)


@button
def answer_request(request: HttpRequest, code: str, person: Person) -> None:
    asking = _number(request, "person") or 0
    seat_requests.do_answer_request(code, person, asking, request.POST.get("answer", ""), _number(request, "seat"))


@button
def make_host(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_make_host(code, person, _seat_number(request))


@button
def remove_person(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_remove_from_table(code, person, _seat_number(request))


@button
def add_seat(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_add_seat(code, person)


@button
def remove_seat(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_remove_seat(code, person, _seat_number(request))


@button
def remove_spectator(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_remove_spectator(code, person, _number(request, "person") or 0)


@button
def readmit_spectator(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_readmit_spectator(code, person, _number(request, "person") or 0)


@button
def share_chat(request: HttpRequest, code: str, person: Person) -> None:
    """``together=no``: players and spectators have separate rooms again."""
    hosting.do_share_chat(code, person, request.POST.get("together") != "no")


@button
def report_chat(request: HttpRequest, code: str, person: Person) -> None:
    """``messages``: their numbers, separated by commas."""
    spend_now("report", request, f"person {person.pk}")
    numbers = [int(n) for n in request.POST.get("messages", "").split(",") if n.isdecimal() and len(n) < 16]
    do_report_messages(code, person, numbers, request.POST.get("why", ""))


@button
def invite_person(request: HttpRequest, code: str, person: Person) -> None:
    """``person``: somebody on the list of ``people``."""
    number = _number(request, "person") or 0
    spend_now("invite_person", request, f"person {person.pk}")
    spend_now("invite_pair", request, f"person {person.pk} {number}")
    do_invite_person(code, person, number)


@never_cache
@require_safe
def people(request: HttpRequest, code: str) -> HttpResponse:
    """Return the people whom the visitor may invite to a table: {people: [{person, name, invited}]}.

    Nobody, if the visitor may not invite.
    """
    table = get_object_or_404(Table.objects.exclude(status=Table.Status.CLOSED), code=code)
    person = person_of_request(request)
    try:
        found = people_to_invite(table, person) if person else []
    except Refused:
        found = []
    return JsonResponse({"people": [one._asdict() for one in found]})


@button
def set_seat(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_set_seat(code, person, _number(request, "seat") or 0, request.POST.get("kind", ""))


@button
def set_handicap(request: HttpRequest, code: str, person: Person) -> None:
    """``amount``: what the seat starts with, more or less than usual."""
    hosting.do_set_handicap(code, person, _number(request, "seat") or 0, whole(request.POST.get("amount", "")))


@button
def fill(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_fill(code, person)


@button
def start(request: HttpRequest, code: str, person: Person) -> None:
    require_cpu_for_match(request, person)
    do_start_match(code, person)


@button
def ready(request: HttpRequest, code: str, person: Person) -> None:
    """``ready=no``: the person is no longer ready for the next match."""
    is_ready = request.POST.get("ready") != "no"
    if is_ready:
        require_cpu_for_match(request, person)
    do_agree(code, person, is_ready)


@button
def end(request: HttpRequest, code: str, person: Person) -> None:
    """``agree=no``: the person wants to play on, so nobody's agreement to end the match counts any longer."""
    do_agree_to_end(code, person, request.POST.get("agree") != "no")


@button
def resign(request: HttpRequest, code: str, person: Person) -> None:
    do_resign(code, person)


@button
def take_back(request: HttpRequest, code: str, person: Person) -> None:
    """Ask to take back one's last decision. With ``move``, agree to take back that one; ``agree=no``: not."""
    move = _number(request, "move")
    if move is None:
        do_ask_to_take_back(code, person)
    else:
        do_answer_take_back(code, person, move, request.POST.get("agree") != "no")


@button
def choose(request: HttpRequest, code: str, person: Person) -> None:
    """``choice``: one of the choices of a story."""
    do_choose(code, person, request.POST.get("choice", ""))


@button
def close(request: HttpRequest, code: str, person: Person) -> None:
    hosting.do_close(code, person)


@button
def name(request: HttpRequest, code: str, person: Person) -> None:
    """The name came with the form and has been taken already."""
    get_object_or_404(Table, code=code)


@never_cache
@ensure_csrf_cookie
@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    """The table's page. Its contents arrive through the socket."""
    table = get_object_or_404(with_delay(Table.objects.all()), code=code)
    if table.status == Table.Status.CLOSED:
        return _closed(request, table)
    game = game_shown(table) if has_delay(table) else table.game
    try:
        title = find_game(game).title
    except Refused:
        return _gone(request, game)
    person = person_of_request(request)
    here = reverse("table:page", args=[code])
    tried = None if table.public else DailyTry.objects.filter(match__table=table).first()
    boot: dict[str, Any] = {
        "ws": f"/ws/table/{code}/",
        "code": code,
        "game": game,
        "invite": address_for_friends(request, code),
        "unreachable": is_unreachable(request),
        "pauses": settings.REVEAL_PACE > 0,
        "preferences": person.preferences if person else {},
        "urls": {
            **{action: reverse(f"table:{action}", args=[code]) for action in BUTTONS},
            "qr": reverse("front:qr", args=[code]),
            "people": reverse("table:people", args=[code]),
            "change": reverse("front:change", args=[code]),
            # For game "0": the game of the table may change while the page is open.
            "rules": reverse("front:rules", args=[0]),
            "drawer": reverse("front:rules_drawer", args=[0]),
            "words": reverse("front:words", args=[0, language()]),
            "teaching": reverse("front:teaching", args=[0]),
            "lobby": reverse("front:home"),
            "preference": reverse("people:preference"),
            "mute": reverse("people:mute"),
            "notifications": f"{reverse('people:me')}#notifications",
            "watch": reverse("front:watch"),
            "tv": f"{reverse('front:tv')}?table={code}",
            "board": reverse("front:daily_of", args=[table.game, tried.day]) if tried else "",
            "replay": reverse("table:replay", args=[0]),
            "verify": reverse("table:verify", args=[0]),
            "opinion": reverse("playtests:opinion", args=[0]),
        },
    }
    if person:
        for menu_links in MENU_LINKS:
            boot["urls"] |= menu_links(table, person)
    if is_administrator(request.user):
        boot["urls"]["administration"] = reverse("backroom:table", args=[code])
    picture = request.build_absolute_uri(reverse("front:preview", args=[code]))
    link = {"url": request.build_absolute_uri(here), "picture": picture, **_words_of_link(table, title)}
    words = reverse("front:words", args=[game, language()])
    context = {
        "table": table, "title": title, "boot": boot, "link": link, "words": words, "board": has_board(game),
    }  # fmt: skip
    return render(request, "table/table.html", context)


def _closed(request: HttpRequest, table: Table) -> HttpResponse:
    """The page of a closed table: the notice of who closed it, and a link to the replay of its last match.

    Raises Http404 if it has neither.
    """
    match = Match.objects.filter(table=table).exclude(status=Match.Status.RUNNING).order_by("-number").first()
    if match is None and not table.closed_because:
        raise Http404("This table is closed.")
    context = {
        "title": title_of(match.game if match else table.game),
        "replay": address_of(match) if match else "",
        "because": table.closed_because,
    }
    return render(request, "table/closed.html", context, status=410)


def _words_of_link(table: Table, title: str) -> dict[str, str]:
    """Return the words of a link preview of a table: the game, the host and the players."""
    # Who sits there now may say more of a match than spectators know.
    seats = [] if has_delay(table) else list(table.seats.select_related("person"))
    names = seating.seat_names(seats)
    people = [names[seat.index] for seat in seats if seat.person_id]
    bots, free = (sum(seat.kind == kind for seat in seats) for kind in ("bot", "open"))
    parts = [
        *people,
        ngettext("%(n)d bot", "%(n)d bots", bots) % {"n": bots} if bots else "",
        ngettext("%(n)d free seat", "%(n)d free seats", free) % {"n": free} if free else "",
    ]
    whose = _("%(game)s at the table of %(name)s") % {"game": title, "name": table.host.name} if table.host else title
    playing = table.status == Table.Status.PLAYING
    invites = _("Come and play.") if free else _("Come and watch.") if playing and seats else _("Come in.")
    return {"title": whose, "description": ". ".join(filter(None, [", ".join(filter(None, parts)), invites]))}


def match_for(request: HttpRequest, match_id: int) -> tuple[Match, Person | None]:
    """Return a match that the visitor may view: at a public table, or one they played, hosted, or have the link of.

    Raises Http404 for others, and for one that spectators do not know yet (``delay.is_hidden``).
    """
    match = get_object_or_404(Match.objects.select_related("table"), pk=match_id)
    person = person_of_request(request)
    by_link = request.GET.get("table") == match.table.code
    administrator = is_administrator(request.user)
    if not (by_link or may_view(match, person) or administrator):
        raise Http404("People without the link to this table may not look at its matches.")
    if not administrator and is_hidden(match, person):
        raise Http404("Spectators of this table see its matches with a delay. Come back when that time has passed.")
    return match, person


def may_view(match: Match, person: Person | None) -> bool:
    """Return whether a person may view a match without the link of its table."""
    if match.table.public:
        return True
    return person is not None and (_has_played(match, person) or match.table.host_id == person.pk)


@never_cache
@ensure_csrf_cookie
@require_safe
def replay_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Replay a match step by step: ``?move=N`` is the first step shown, ``seat=N`` the seat in front."""
    match, person = match_for(request, match_id)
    query = _by_link(match.table)
    if not replay.rules_shown(match):
        return _gone(request, match.game, replay.result(match))
    over = match.status == Match.Status.OVER
    remark = replay.remark(match)
    has_lead = over and (match.sealed or is_administrator(request.user)) and not remark
    boot = {
        "words": reverse("front:words", args=[match.game, language()]),
        "frames": reverse("table:frames", args=[match_id]) + query,
        "teaching": reverse("front:teaching", args=[match.game]),
        "verify": reverse("table:verify", args=[match_id]) + query if match.sealed else "",
        "table": reverse("table:page", args=[match.table.code]),
        "record": reverse("table:record", args=[match_id]) + query if over and match.sealed else "",
        "lead": reverse("lab:lead", args=[match_id]) + query if has_lead else "",
        "edit": reverse("workshop:from", args=[match_id]) + query if replay.is_text(match) else "",
        "play_on": reverse("front:play_on", args=[match_id]) + query if may_play_on(match, person) else "",
        "opinion": reverse("playtests:opinion", args=[match_id]) if over and _has_played(match, person) else "",
        "shared": address_of(match),
        "closed": match.table.status == Table.Status.CLOSED,
    }
    result = replay.result(match) if remark else []
    title = title_of(match.game)
    here = f"{request.path}?{request.GET.urlencode()}" if request.GET else request.path
    picture = request.build_absolute_uri(reverse("front:replay_preview", args=[match_id]) + query)
    words = _words_of_replay(request, match, title)
    link = {"url": request.build_absolute_uri(here), "picture": picture, **words}
    context = {
        "match": match, "title": title, "boot": boot, "remark": remark, "result": result, "link": link,
        "board": has_board(match.game),
    }  # fmt: skip
    return render(request, "table/replay.html", context)


def _has_played(match: Match, person: Person | None) -> bool:
    return person is not None and match.players.filter(person=person).exists()


def _words_of_replay(request: HttpRequest, match: Match, title: str) -> dict[str, str]:
    """Return the words of a link preview of a replay, or of one of its steps: the match and its result."""
    players = replay.names(match)
    names = ", ".join(player["name"] for player in players)
    last = plies_of(match.pk)
    asked = request.GET.get("move", "")
    words = {"game": title, "names": names, "n": min(int(asked), last) if asked.isdecimal() and len(asked) < 7 else 0}
    heading = _("Move %(n)d of %(game)s: %(names)s") if words["n"] else _("%(game)s: %(names)s")
    winners = ", ".join(player["name"] for player in replay.result(match) if player["share"])
    ending = _("Won by %(names)s.") % {"names": winners} if winners else ""
    moves = ngettext(
        "A match of %(n)d move, to replay step by step.", "A match of %(n)d moves, to replay step by step.", last
    )
    return {"title": heading % words, "description": " ".join(filter(None, [ending, moves % {"n": last}]))}


def _by_link(table: Table) -> str:
    """Return the query for addresses of a match, if the visitor may view it only by the link of its table."""
    return "" if table.public else f"?table={table.code}"


def _gone(request: HttpRequest, game: str, result: Sequence[dict[str, Any]] = ()) -> HttpResponse:
    """The page of a match whose game no longer exists, with its result."""
    return render(request, "table/gone.html", {"title": title_of(game), "result": result}, status=410)


@cache_control(private=True, no_cache=True)
@require_safe
def frames(request: HttpRequest, match_id: int) -> HttpResponse:
    """All frames of a match that the visitor may see; of an ended match as they are stored."""
    match, person = match_for(request, match_id)
    with costs.charged("replay", payers(request), match.table.code):
        return _frames(request, match, person)


def _frames(request: HttpRequest, match: Match, person: Person | None) -> HttpResponse:
    admin = is_administrator(request.user)
    seat, face_up = replay.audience_of(match, person, admin=admin)
    over = match.status == Match.Status.OVER
    stacked = match.favourite if admin and match.favourite is not None else stacked_for(match)
    rest: dict[str, Any] = {
        "game": match.game,
        "title": title_of(match.game),
        "match": match.pk,
        "number": match.number,
        "over": over,
        "names": replay.names(match),
        "occupancies": occupancies_as_data(occupancies_of(match.pk)),
        "results": results_as_data(match),
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
    etag = stored_replay.etag(edition, seat, face_up, rest) if edition else None
    # The tag contains the audience, so a response for another visitor of the same browser is never reused.
    response = get_conditional_response(request, etag=etag, response=None) if etag else None
    if response is None:
        gzipped = stored_replay.takes_gzip(request.headers.get("Accept-Encoding", ""))
        rendered = stored_replay.find(match, edition, seat, face_up=face_up)
        try:
            if rendered is None:
                rendered = played_again(
                    request,
                    (match.pk, edition, seat, face_up),
                    # Meanwhile another process, or another request here, may have stored it.
                    lambda: (
                        stored_replay.find(match, edition, seat, face_up=face_up)
                        or stored_replay.render(match, edition, seat, face_up=face_up)
                    ),
                )
            elif not gzipped:  # a client without gzip costs megabytes
                spend_now("replay", request)
        except Refused as refusal:
            return refusal.in_json()
        if not rendered.complete:
            rest["remark"] = " ".join(filter(None, [rest["remark"], _(replay_worker.STOPPED)]))
        response = HttpResponse(
            rendered.gzipped(rest) if gzipped else rendered.plain(rest), content_type="application/json"
        )
        if gzipped:
            response["Content-Encoding"] = "gzip"
    if etag:
        response["ETag"] = etag
    else:
        add_never_cache_headers(response)
    patch_vary_headers(response, ["Accept-Encoding", "Cookie"])
    return response


def played_again(request: HttpRequest, what: Hashable, work: Callable[[], Found]) -> Found:
    """Return the result of ``work``, which replays a match, or its result for an earlier request for ``what``.

    Raises Refused when a rate limit or CPU limit is reached, and passes on exceptions of ``work``.
    """
    spend_now("replay", request)
    require_cpu(request)
    person = person_of_request(request)
    guest = person is None or person.user_id is None
    return queue.do(what, work, payers(request)[-1 if guest else 0], guest=guest)  # a guest counts by address


def _commitment(match: Match) -> str:
    return SealedChance.commitment(bytes.fromhex(match.seed)) if match.sealed else ""


@never_cache
@require_safe
def verify(request: HttpRequest, match_id: int) -> HttpResponse:
    """The page that verifies a sealed deal in the browser."""
    match, _person = match_for(request, match_id)
    over = match.status == Match.Status.OVER
    query = _by_link(match.table)
    opened = match.sealed and over
    refused = ""
    draws: list[Draw] = []
    if opened:
        try:
            with costs.charged("replay", payers(request), match.table.code):
                draws = played_again(request, (match.pk, "draws"), lambda: replay.draws(match))
        except Refused as refusal:
            if refusal.code in ("slow_down", "busy"):
                return refusal.on_a_page()
            refused = refusal.text
    boot: dict[str, Any] = {
        "sealed": match.sealed,
        "over": over,
        "commitment": _commitment(match),
        "seed": match.seed if opened else "",
        "draws": draws,
        "refused": refused,  # why the deal cannot be repeated; the seed can still be checked
        "replay": reverse("table:replay", args=[match_id]) + query,
        "record": reverse("table:record", args=[match_id]) + query if opened else "",
    }
    return render(request, "table/verify.html", {"match": match, "title": title_of(match.game), "boot": boot})


@never_cache
@require_safe
def record(request: HttpRequest, match_id: int) -> JsonResponse:
    """An ended sealed match as a file for ``python -m games replay``.

    Its seed reveals every hand, which stays private at a table that is not sealed.
    """
    match, _person = match_for(request, match_id)
    if not match.sealed or match.status != Match.Status.OVER:
        raise Http404("Only a finished match of a sealed table is open.")
    with missing_if_refused():
        response = JsonResponse(replay.record(match))
    response["Content-Disposition"] = f'attachment; filename="{match.game}-{match.pk}.json"'
    return response
