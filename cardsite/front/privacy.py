"""The privacy page; a visitor's own data as a download; deleting an account."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_otp import devices_for_user

from cardsite.circles.services import memberships
from cardsite.limits import spend_now
from cardsite.lobby.models import Table
from cardsite.people.models import Person, Restriction
from cardsite.people.services import person_of_request
from cardsite.push.models import MailAddress
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.table.moves import moves_by
from cardsite.table.services.leaving import FORMER_PLAYER, do_leave
from cardsite.workshop.models import Version

TEXT_FIELDS = ("code", "title", "published", "featured", "hidden", "withdrawn", "plays", "created", "changed")
VERSION_FIELDS = ("number", "source", "table", "made", "playable", "why")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data are stored and for how long, with the settings that ``table/tidy.py`` uses."""
    kept = {
        "session": _days(settings.KEEP_SESSIONS_DAYS),
        "guest": _days(settings.KEEP_GUESTS_DAYS),
        "solo": _days(settings.KEEP_SOLO_DAYS),
        "chat": _days(settings.KEEP_CHAT_DAYS),
    }
    return render(request, "front/privacy.html", {"kept": kept, "somebody": _(FORMER_PLAYER)})


def _days(days: int) -> str:
    """Return a number of days in words, "" for data that are kept for ever."""
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days} if days else ""


@never_cache
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Return all data about the visitor as a file."""
    person = person_of_request(request)
    if person is None:
        return redirect("people:me")
    try:
        spend_now("download", request, f"person {person.pk}")
    except Refused as refusal:
        return refusal.on_a_page()
    response = JsonResponse(all_about(person), json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="hamsterdam.json"'
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest) -> HttpResponse:
    """Delete the visitor's data, after a page that explains what that means."""
    person = person_of_request(request)
    if person is None:
        return redirect("people:me")
    # The last administrator must not be lost: only another administrator can delete an administrator.
    stays = person.user is not None and person.user.is_staff
    if request.method == "POST" and not stays and request.POST.get("sure") == "yes":
        do_leave(person)
        request.session.flush()
        messages.success(request, _("You have left, and your data has been removed. You are welcome back at any time."))
        return redirect("front:home")
    context = {"person": person, "stays": stays, "somebody": _(FORMER_PLAYER), "asked": request.method == "POST"}
    return render(request, "front/leave.html", context, status=400 if request.method == "POST" else 200)


def all_about(person: Person) -> dict[str, Any]:
    """Return every row that refers to a person, without secrets: passwords, tokens, keys, and other people's secrets.

    Of matches only their own moves: the moves of others and the deal are in the replay, as far as they may see them.
    """
    hosted, opened = (_tables(Q(**{name: person})) for name in ("host", "opened_by"))
    return {
        "person": {
            "number": person.pk,
            "name": person.name,
            "first_here": person.created,
            "last_here": person.seen,
            "vacation_until": person.vacation_until,
            "preferences": person.preferences,
            "has_token": bool(person.token_hash),
        },
        **_account(person),
        "restrictions": [
            {"kind": one.kind, "reason": one.reason, "since": one.made, "until": one.until, "lifted": one.lifted}
            for one in person.restrictions.order_by("pk")
        ],
        "people_muted": [  # and not who has muted the person
            {"person": one.person.name, "since": one.made} for one in person.mutes.select_related("person")
        ],
        "seats": [
            {"table": seat.table.code, "seat": seat.index, "away": seat.away, "last_here": seat.seen, "wins": seat.wins}
            for seat in person.seats.select_related("table").order_by("pk")
        ],
        "seats_to_come_back_to": [
            {"table": seat.table.code, "seat": seat.index, "wins": seat.held_wins}
            for seat in person.held_seats.select_related("table").order_by("pk")
        ],
        "seat_requests": [
            {
                "table": seat_request.table.code,
                "answer": seat_request.answer,
                "removed": seat_request.removed,
                "barred": seat_request.barred,
                "by_administrator": seat_request.by_administrator,
                "reason": seat_request.reason,
            }
            for seat_request in person.seat_requests.select_related("table")
        ],
        "invitations": [
            {
                "table": one.table.code,
                "by": one.by.name,
                "made": one.made,
                "answered": one.answered,
                "of_circle": one.of_circle,
            }
            for one in person.invitations.select_related("table", "by").order_by("pk")
        ],
        "invitations_made": [  # not whether the other person has declined
            {"table": one.table.code, "person": one.person.name, "made": one.made}
            for one in person.invitations_made.select_related("table", "person").order_by("pk")
        ],
        "tables_hosted": hosted,
        "tables_made": opened,
        "matches": _matches(person),
        "seats_in_matches": list(
            person.occupancies.order_by("pk").values("match", "ply", "seat", "name", "away", "removed")
        ),
        "messages": list(person.messages.order_by("pk").values("table__code", "room", "name", "seat", "text", "at")),
        "messages_reported": [
            {
                "table": one.table.code,
                "why": one.why,
                "at": one.at,
                "messages": list(one.messages.values("name", "text")),
            }
            for one in person.chat_reports.select_related("table").order_by("pk")
        ],
        "circle_messages_reported": [
            {
                "circle": one.circle.name,
                "why": one.why,
                "at": one.at,
                "messages": list(one.messages.values("person__name", "text")),
            }
            for one in person.circle_reports.select_related("circle").order_by("pk")
        ],
        "games_written": [
            {**row, "versions": list(Version.objects.filter(text=row.pop("pk")).values(*VERSION_FIELDS))}
            for row in person.texts.order_by("pk").values("pk", *TEXT_FIELDS)
        ],
        "games_liked": list(person.likes.order_by("pk").values("text__code", "text__title", "at")),
        "opinions": list(
            person.opinions.order_by("pk").values("match", "seat", "fun", "fair", "note", "ply", "created")
        ),
        "games_reported": list(person.reports.order_by("pk").values("text__code", "number", "why", "at")),
        "circles": [
            {
                "circle": member.circle.name,
                "role": member.role,
                "joined": member.joined,
                "last_here": member.seen,
                "on_the_ladder": member.ladder,
            }
            for member in memberships(person)
        ],
        "circles_invited": list(person.circle_invitations.order_by("pk").values("circle__name", "table__code", "made")),
        "circle_messages": list(person.circle_messages.values("text", "at")),
        "tournaments": [
            {
                "tournament": one.tournament.name,
                "from_round": one.joined_round,
                "left": one.withdrawn,
                "results": list(
                    one.results.order_by("pk").values("pairing__round", "points", "place", "missing", "absent")
                ),
            }
            for one in person.tournament_entries.select_related("tournament").order_by("pk")
        ],
        "tournaments_organized": list(
            person.tournaments_organized.order_by("pk").values("name", "game", "status", "created")
        ),
        "devices_notified": list(
            person.push_subscriptions.values(
                "endpoint", "key", "language", "zone", "off", "quiet_from", "quiet_to", "held", "made"
            )
        ),
        "e_mails": list(MailAddress.objects.filter(person=person).values("address", "confirmed", "language", "off")),
        "deals_of_the_day": list(person.daily_tries.order_by("day", "game").values("game", "day", "match")),
    }


def _account(person: Person) -> dict[str, Any]:
    user = person.user
    if user is None:
        nothing = (
            "second_factors",
            "done_as_administrator",
            "people_restricted",
            "tables_arranged",
            "matches_arranged",
        )
        return {"account": None, **{name: [] for name in nothing}}
    return {
        "account": {
            "user_name": user.get_username(),
            "first_name": user.first_name,
            "last_name": user.last_name,
            "email": user.email,
            "made": user.date_joined,
            "last_login": user.last_login,
            "administrator": user.is_staff,
            "groups": list(user.groups.values_list("name", flat=True)),
            "permissions": list(user.user_permissions.values_list("codename", flat=True)),
        },
        "second_factors": [{"name": one.name, "confirmed": one.confirmed} for one in devices_for_user(user, None)],
        "done_as_administrator": [
            {"when": entry.action_time, "what": entry.object_repr, "action": entry.get_action_flag_display()}
            for entry in LogEntry.objects.filter(user=user).order_by("pk")
        ],
        "people_restricted": [
            {"person": one.person.name, "kind": one.kind, "reason": one.reason, "since": one.made, "until": one.until}
            for one in Restriction.objects.filter(by=user).select_related("person").order_by("pk")
        ],
        "tables_arranged": list(Table.objects.filter(rigged_by=user).order_by("pk").values_list("code", flat=True)),
        "matches_arranged": list(Match.objects.filter(rigged_by=user).order_by("pk").values_list("pk", flat=True)),
    }


def _tables(which: Q) -> list[dict[str, Any]]:
    # Not the fields of the rigged deck, which a host must not know about.
    fields = ("code", "game", "options", "public", "sealed", "seconds", "status", "created", "touched")
    return list(Table.objects.filter(which).order_by("pk").values(*fields))


def _matches(person: Person) -> list[dict[str, Any]]:
    rows: dict[int, dict[str, Any]] = {
        row.match_id: {
            "match": row.match_id,
            "table": row.match.table.code,
            "game": row.match.game,
            "number": row.match.number,
            "seat": row.seat,
            "name": row.name,
            "started": row.match.started,
            "finished": row.match.finished,
            "status": row.match.status,
            "score": row.score,
            "share": row.share,
            "place": row.place,
            "decisions": row.decisions,
            "own_decisions": row.own_decisions,
            "moves": [],
        }
        for row in person.played.select_related("match__table").order_by("match")
    }
    for move in moves_by(person):
        match = rows.get(move.match_id)
        # Moves of a bot that took over their seat are not theirs, and may reveal what they may not know.
        if match and move.seat == match["seat"] and move.by != "bot":
            match["moves"].append({"ply": move.ply, "move": move.text, "by": move.by, "at": move.at})
    return list(rows.values())
