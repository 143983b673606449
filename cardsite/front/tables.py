"""The tables on the front page: when it is opened, and updates while it stays open.

Public tables are read and rendered once every few seconds for all visitors of a language. A visitor's own tables are
read for each of them: few have any.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from threading import Lock
from typing import Any

from django.contrib import messages
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from cardsite.circles.services import TableCircle, circles_of_tables
from cardsite.limits import spend_now
from cardsite.lobby.games import CORRESPONDENCE, TIMES, find_game, is_correspondence
from cardsite.lobby.models import HERE, PersonInvitation, Seat, Table
from cardsite.lobby.services import seating
from cardsite.lobby.services.invitations import do_answer, in_words, open_invitations
from cardsite.lobby.services.presence import turns_of
from cardsite.people.models import Person
from cardsite.people.services import person_of_request
from cardsite.refusal import Refused
from cardsite.server.protocol import TableInfo
from cardsite.server.server import match_server
from cardsite.table.delay import game_shown, has_delay, hidden, with_delay
from cardsite.table.models import Match
from cardsite.table.queries import of_last_match
from cardsite.translations import language
from cardsite.workshop.services import require_shown
from games.core import Game
from games.core.view import Standings

LISTED = 24  # tables on the front page
MINE = 30  # of the visitor's own tables
CARDS = 5000  # of tables that are kept rendered
FRESH = 2.0  # seconds for which public tables that were read are shown to other visitors, too
STAGES = 3  # of a match: opening, middle and end
LIVELIEST_FIRST = (Table.Status.PLAYING, Table.Status.OPEN, Table.Status.OVER)
TableRow = dict[str, Any]


def _tables() -> QuerySet[Table]:
    return (
        with_delay(Table.objects.exclude(status=Table.Status.CLOSED))
        .select_related("host", "seek")
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("person")))
        .annotate(last_number=of_last_match("number"), last_started=of_last_match("started"))
        .order_by("house", "tournament", "-touched")  # a tournament has many tables, which are on its page as well
    )


def _at_table(seats: QuerySet[Seat]) -> Exists:
    """Return the condition that a table has one of these seats."""
    return Exists(seats.filter(table=OuterRef("pk")))


def public_rows() -> list[TableRow]:
    """Return the rows of public tables: first those that look for people, then the most active.

    Only where somebody is or plays; a table with a clock of hours or days waits for players without them. Tables of a
    tournament where only bots play are left out.
    """
    suspended = Match.objects.filter(table=OuterRef("pk"), status=Match.Status.RUNNING, suspended_since__isnull=False)
    played = Q(~Exists(suspended), status=Table.Status.PLAYING)
    waits = Q(status=Table.Status.OPEN, seconds__gte=CORRESPONDENCE[0])
    bots_only = Q(tournament=True) & ~_at_table(Seat.objects.exclude(person=None))
    # A table that disappears when its players leave would show spectators with a delay that the match is over.
    unknown = Exists(Match.objects.filter(hidden(), table=OuterRef("pk"), status=Match.Status.OVER))
    alive = played | waits | unknown | Q(house=True) | _at_table(Seat.objects.filter(seen__gt=timezone.now() - HERE))
    rows = _rows(_tables().filter(alive, ~bots_only, public=True)[:LISTED])
    rows.sort(key=lambda row: (not row["seek"], LIVELIEST_FIRST.index(row["status"])))
    return [row for row in rows if not row["gone"]]


def rows_of(person: Person | None) -> list[TableRow]:
    """Return the rows of the tables where a person sits or that they host; first where it is their turn."""
    if person is None:
        return []
    mine = _tables().filter(Q(pk__in=Seat.objects.filter(person=person).values("table")) | Q(host=person))
    mine = mine.annotate(turn=_at_table(turns_of(person)))
    return _rows(mine.order_by("-turn", "house", "-touched")[:MINE], person)


def count_turns(mine: Iterable[TableRow]) -> int:
    """Return at how many of a person's tables it is their turn: those come first in ``rows_of``."""
    return sum(bool(row["turn"]) for row in mine)


def others(rows: Iterable[TableRow], mine: Iterable[TableRow]) -> list[TableRow]:
    """Return the rows that are not in ``mine``."""
    known = {row["code"] for row in mine}
    return [row for row in rows if row["code"] not in known]


def best_to_watch(rows: Iterable[TableRow]) -> list[TableRow]:
    """Return the tables to watch, the best first.

    People before bots, then by how far the match is, how close it is, by number of people and by number of spectators.
    The house table is last, also between two matches.
    """

    def order(row: TableRow) -> tuple[Any, ...]:
        first = row["house"], not row["people"]
        return *first, -row["stage"], -row["close"], -row["people"], -row["spectators"], row["code"]

    return sorted((row for row in rows if row["status"] == Table.Status.PLAYING or row["house"]), key=order)


def _stage(game: Game | None, started: datetime | None) -> int:
    """Return the third of a match that is played, 0 to 2, judged by the usual length of the game."""
    if game is None or started is None:
        return 0
    minutes = (timezone.now() - started).total_seconds() / 60
    return min(STAGES - 1, int(STAGES * minutes / max(1, game.minutes)))


def closeness(standings: Standings | None) -> float:
    """Return how small the lead is, relative to the scores: 0 to 1 for a tie. 0 if the standings are not known."""
    if standings is None:
        return 0
    scores, leaders = standings["scores"], standings["leaders"]
    if not leaders:
        return 1
    lead = min((abs(scores[leaders[0]] - score) for i, score in enumerate(scores) if i not in leaders), default=0)
    return max(0, 1 - lead / max(1, *map(abs, scores)))


def _rows(tables: Iterable[Table], person: Person | None = None) -> list[TableRow]:
    rows = []
    me = person.pk if person else None
    lives = {live.code: live for live in list(match_server.referee.lives.values())}  # of this process
    for table in tables:
        seats = list(table.seats.all())
        names = seating.seat_names(seats)
        game = _game(table.game)
        playing = table.status == Table.Status.PLAYING
        live = lives.get(table.code) if playing else None
        waiting = [s for s in seats if playing and s.to_act and s.person_id and not s.away]
        row: TableRow = {
            "code": table.code,
            "game": table.game,
            "title": game.title if game else "",
            "gone": game is None,
            "status": table.status,
            "players": [
                {"name": names[s.index], "kind": s.kind, "bot": s.bot, "person": s.person_id}
                for s in seats
                if s.kind != "open"
            ],
            "people": sum(s.kind == "person" for s in seats),
            "seek": _missing(table, seats),
            "seats_free": sum(s.kind == "open" for s in seats),
            "spectators": match_server.relay.spectators_at(table.code),
            "match_number": table.last_number or 0,  # type: ignore[attr-defined]
            "stage": _stage(game, table.last_started),  # type: ignore[attr-defined]
            "close": round(closeness(live.standings), 1) if live else 0,
            "waits_for": [(names[s.index], s.due) for s in waiting if s.person_id != me],
            "turn": [s.due for s in waiting if s.person_id == me],
            "time": TIMES[table.seconds] if is_correspondence(table.seconds) else "",
            "house": table.house,
            "what_if": table.what_if,
            "host": table.host.name if table.host else "",
        }
        sits = me is not None and any(seat.person_id == me for seat in seats)
        if has_delay(table) and not sits and (known := match_server.relay.known_to_spectators(table.code)):
            row |= _as_spectators_know(known)
        rows.append(row)
    return rows


def _as_spectators_know(known: TableInfo) -> TableRow:
    """Return the parts of a row that change during a match, as spectators with a delay know them."""
    return {
        "game": known.game,
        "title": known.title,
        "status": known.status,
        "players": [
            {"name": seat.name, "kind": seat.kind, "bot": seat.bot, "person": seat.person or None}
            for seat in known.seats
            if seat.kind != "open"
        ],
        "people": sum(seat.kind == "person" for seat in known.seats),
        "seats_free": sum(seat.kind == "open" for seat in known.seats),
        "match_number": known.number,
        "stage": 0,
        "close": 0,
        "waits_for": [],
    }


def _missing(table: Table, seats: Iterable[Seat]) -> int:
    """Return how many people are missing at a table with a seek, at least 1; 0 at one without, or that has begun."""
    seek = table.pending_seek
    return max(1, seek.people - sum(seat.person_id is not None for seat in seats)) if seek else 0


def _game(name: str) -> Game | None:
    try:
        require_shown(name)
        return find_game(name)
    except Refused:
        return None


# -- invitations


def invitations_of(person: Person | None) -> list[dict[str, str]]:
    """Return the invitations that a person may accept: {code, html, title}."""
    # Most people have none, and this question is answered in a fifth of the time.
    if person is None or not PersonInvitation.objects.filter(person=person, answered=None).exists():
        return []
    found = (
        open_invitations(person)
        .select_related("by")
        .prefetch_related(Prefetch("table", with_delay(Table.objects.select_related("host"))))
    )[:MINE]
    circles = circles_of_tables(person, [one.table_id for one in found])
    return [_invitation(one, circles[one.table_id]) for one in found]


def _invitation(one: PersonInvitation, circles: Sequence[TableCircle]) -> dict[str, str]:
    table = one.table
    host = table.host.name if table.host and table.host_id != one.by_id else ""
    words = str(in_words(one.by))
    row: dict[str, Any] = {"code": table.code, "by": one.by.name, "person": one.by_id, "words": words, "host": host}
    row["circles"] = circles
    row["game"] = game_shown(table) if has_delay(table) else table.game
    return {"code": table.code, "title": words, "html": render_to_string("front/_invitation.html", row)}


@require_POST
def accept(request: HttpRequest, code: str) -> HttpResponse:
    """Seat the visitor at the table to which they are invited, and redirect there.

    If no seat is free now, they find there what they can do.
    """
    person = person_of_request(request)
    if person is None:
        return redirect("table:page", code)
    try:
        spend_now("sit", request, f"person {person.pk}")
        seating.do_sit(code, person)
    except Refused as refusal:
        if refusal.code not in ("playing", "seated", "taken"):
            return refusal.back_to(request, "front:home")
    return redirect("table:page", code)


@require_POST
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """Decline the invitation to a table."""
    if person := person_of_request(request):
        do_answer(code, person)
    return redirect("front:home")


# -- updates


class TableCards:
    """Cache of the rows of public tables, and of the rendered cards of tables."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read = float("-inf")
        self._rows: list[TableRow] = []
        # By language, table and whose table it is (0: a public one), the last used at the end: the row, and its card.
        self._cards: OrderedDict[tuple[str, str, int], tuple[TableRow, str]] = OrderedDict()

    def rows(self) -> list[TableRow]:
        """Return ``public_rows``, at most ``FRESH`` seconds old."""
        with self._lock:
            if time.monotonic() - self._read > FRESH:
                self._rows, self._read = public_rows(), time.monotonic()
            return self._rows

    def card(self, row: TableRow, person: int = 0) -> str:
        """Return the card of a row in the language of this request. ``person``: it is one of this person's tables."""
        key = (language(), row["code"], person)
        with self._lock:
            before = self._cards.pop(key, None)
        if before is None or before[0] != row:
            before = row, render_to_string("front/_table_card.html", {"table": row, "mine": bool(person)})
        with self._lock:
            self._cards[key] = before
            while len(self._cards) > CARDS:
                self._cards.popitem(last=False)
        return before[1]


cards = TableCards()


@cache_control(private=True, no_cache=True)
@vary_on_headers("Cookie", "Accept-Language")
@conditional_page
@require_safe
def now(request: HttpRequest) -> HttpResponse:
    """Return the tables now, with an ETag: {tables: [{code, html, free, title}], mine: [...], invited, watch, turns}.

    ``invited``: see ``invitations_of``. ``watch`` is the code of the best table to watch, "" if there is none;
    ``turns`` at how many it is one's turn.
    """
    person = person_of_request(request)
    mine = rows_of(person)
    rows = others(cards.rows(), mine)
    best = best_to_watch(rows)
    me = person.pk if person else 0
    return JsonResponse(
        {
            "tables": [_as_sent(row, cards.card(row)) for row in rows],
            "mine": [_as_sent(row, cards.card(row, me)) for row in mine],
            "invited": invitations_of(person),
            "watch": best[0]["code"] if best else "",
            "turns": count_turns(mine),
        }
    )


def _as_sent(row: TableRow, html: str) -> dict[str, Any]:
    return {"code": row["code"], "html": html, "free": row["seats_free"], "title": row["title"]}


@never_cache
@require_safe
def turn(request: HttpRequest) -> HttpResponse:
    """Redirect to the table where the visitor's turn is most urgent; ``?after=CODE``: to another than this one."""
    person = person_of_request(request)
    waiting = turns_of(person).exclude(table__code=request.GET.get("after", "")) if person else Seat.objects.none()
    seat = waiting.select_related("table").first()
    if seat is None:
        messages.info(request, _("No other table is waiting for you."))
        return redirect("front:home")
    return redirect("table:page", seat.table.code)


# -- watching


@never_cache
@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """Redirect to the best public table to watch; ``?after=CODE``: to the next one."""
    after = request.GET.get("after", "")
    best = best_to_watch(others(cards.rows(), rows_of(person_of_request(request))))
    codes = [row["code"] for row in best]
    if not codes:
        messages.info(request, _("No public table is in play right now."))
        return redirect("front:home")
    index = codes.index(after) + 1 if after in codes else 0
    code = codes[index % len(codes)]
    if code == after:
        messages.info(request, _("This is the only public table in play right now."))
    return redirect("table:page", code)
