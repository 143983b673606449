"""The pages of circles. For people who are not members, a circle is not found (404)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from cardsite.circles import calendar, evenings, moments, page_data, picture, services
from cardsite.circles.ladder import CERTAIN_AFTER, ladders
from cardsite.circles.models import NAME_LENGTH, Circle, Evening, Invitation, Member, Plan
from cardsite.lab.services import do_ask_lead
from cardsite.limits import spend_now
from cardsite.lobby.models import Table
from cardsite.people.models import NAME_LENGTH as PERSON_NAME_LENGTH
from cardsite.people.models import REASON_LENGTH, Person
from cardsite.people.mutes import muted_by
from cardsite.people.names import MESSAGE_LENGTH
from cardsite.people.rate_limits import charged, payers, require_cpu
from cardsite.people.restrictions import require_may_play
from cardsite.people.services import BadName, do_arrive, person_of_request
from cardsite.push.services import known_zone
from cardsite.refusal import Refused, form_status, missing_if_refused
from cardsite.request_data import KEY_DIGITS, whole
from cardsite.table.invitation import address_of_page, is_unreachable

Press = Callable[[HttpRequest, str, Person], str]  # returns the message that the page shows afterwards
# What the page of a confirmation shows, for a member who would change the person with this number.
Consequences = Callable[[Member, int | None], dict[str, object]]
PARTS = ("now", "chat", "members", "link", "renew", "settings")  # of the page of a circle; polled while it is open
EVENING_LENGTH = timedelta(hours=3)  # in calendars


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """List the visitor's circles. A POST creates a circle."""
    error, status = "", 200
    if request.method == "POST":
        try:
            services.clean_name(request.POST.get("circle", ""))
            person = do_arrive(request, request.POST.get("name", ""))
            spend_now("circle", request, f"person {person.pk}")
            return redirect("circles:page", services.do_make(person, request.POST.get("circle", "")).code)
        except (Refused, BadName) as refusal:
            error, status = str(refusal), form_status(refusal)
    context = {
        "memberships": services.memberships(person_of_request(request)),
        "error": error,
        "circle_length": NAME_LENGTH,
        "name_length": PERSON_NAME_LENGTH,
        "entered": request.POST.get("circle", ""),
        "entered_name": request.POST.get("name", ""),
    }
    return render(request, "circles/index.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Ask a person with the link whether they join. A POST joins.

    The page does not name the circle or its members, so a link preview does not either.
    """
    with missing_if_refused():
        circle = services.find_by_token(token)
    person, error, status = person_of_request(request), "", 200
    if person and circle.members.filter(person=person).exists():
        return redirect("circles:page", circle.code)
    if request.method == "POST":
        try:
            person = do_arrive(request, request.POST.get("name", ""))
            spend_now("circle", request, f"person {person.pk}")
            with missing_if_refused("no_circle"):
                return redirect("circles:page", services.do_join(person, token).code)
        except (Refused, BadName) as refusal:
            error, status = str(refusal), form_status(refusal)
    context = {
        "person": person,
        "error": error,
        "name_length": PERSON_NAME_LENGTH,
        "entered_name": request.POST.get("name", person.name if person else ""),
    }
    return render(request, "circles/join.html", context, status=status)


def _member(request: HttpRequest, code: str) -> Member:
    """Return the membership of the visitor in a circle, with the circle. Raises Http404 for everybody else."""
    with missing_if_refused():
        return services.find_member(code, person_of_request(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show a circle to a member. A POST writes a message in its chat. The field keeps a refused one."""
    me = _member(request, code)
    if request.method != "POST":
        return _page(request, me)
    text = request.POST.get("text", "")
    try:
        spend_now("chat", request, f"person {me.person_id}")
        with missing_if_refused("no_circle"):
            services.do_post_message(code, me.person, text)
    except Refused as refusal:
        return _page(request, me, text, refusal)
    return redirect(reverse("circles:page", args=[code]) + "#chat")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, code: str) -> HttpResponse:
    """List the messages of others to a member. A POST reports the numbers in ``message``, with the reason ``why``.

    The list includes messages of people whom the member has muted.
    """
    me = _member(request, code)
    chosen = {number for raw in request.POST.getlist("message") if (number := whole(raw, digits=KEY_DIGITS))}
    error: Refused | None = None
    if request.method == "POST":
        try:
            spend_now("report", request, f"person {me.person_id}")
            with missing_if_refused("no_circle"):
                services.do_report_messages(code, me.person, chosen, request.POST.get("why", ""))
        except Refused as refusal:
            error = refusal
        else:
            messages.success(request, _("Reported. An administrator will look at it."))
            return redirect("circles:page", code)
    context = {
        "circle": me.circle,
        "others": [message for message in page_data.messages(me) if not message.own],
        "chosen": chosen,
        "why": request.POST.get("why", ""),
        "why_length": REASON_LENGTH,
        "error": error,
    }
    return render(request, "circles/report.html", context, status=form_status(error) if error else 200)


def _page(request: HttpRequest, me: Member, entered: str = "", error: Refused | None = None) -> HttpResponse:
    """Return the page of a circle. ``entered`` is a message that was refused, and ``error`` says why."""
    services.do_note_here(me)
    circle = me.circle
    context = {
        "circle": circle,
        "me": me,
        "parts": _parts(request, me),
        "message_length": MESSAGE_LENGTH,
        "entered": entered,
        "error": error,
        "scores": evenings.scores(circle),
        "plan": _plan(circle),
        "unreachable": is_unreachable(request),
    }
    return render(request, "circles/circle.html", context, status=form_status(error) if error else 200)


@cache_control(private=True, no_cache=True)
@vary_on_headers("Cookie", "Accept-Language")
@conditional_page
@require_safe
def now(request: HttpRequest, code: str) -> HttpResponse:
    """Return the parts of the page that change while it is open, as {parts: {name: HTML}}, with an ETag.

    Also stores that the member is present.
    """
    me = _member(request, code)
    services.do_note_here(me)
    return JsonResponse({"parts": _parts(request, me)})


def _parts(request: HttpRequest, me: Member) -> dict[str, str]:
    """Return the HTML of ``PARTS`` by name. It contains no CSRF tokens, which would change the ETag each time."""
    circle = me.circle
    members, muted = page_data.members(circle), muted_by(me.person_id)
    context = {
        "circle": circle,
        "me": me,
        "members": members,
        "others": [member for member in members if member.person != me.person_id],
        "here": [member for member in members if member.here],
        "tables": page_data.tables(circle, muted),
        "muted": muted,
        "messages": page_data.messages(me, muted),
        "some_hidden": circle.messages.filter(removed=False, person__in=muted).exists(),
        "invite": address_of_page(request, reverse("circles:join", args=[circle.token])),
        "circle_length": NAME_LENGTH,
    }
    return {name: render_to_string(f"circles/_{name}.html", context) for name in PARTS}


# -- evenings


@never_cache
@require_safe
def evening(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show the score and the matches of an evening to a member."""
    me = _member(request, code)
    score = _score(me.circle, number)
    next_match = services.next_match(score.evening)
    context = {
        "circle": me.circle,
        "score": score,
        "next_match": next_match,
        "doubled": next_match in score.evening.doubled,
        "may_double": next_match and (me.is_owner or score.evening.table.host_id == me.person_id),
        "moments": moments.moments_of(score.evening),
    }
    return render(request, "circles/evening.html", context)


def _score(circle: Circle, number: int) -> evenings.EveningScore:
    """Return an evening of a circle with its score. Raises Http404."""
    score = next(iter(evenings.scores(circle, number)), None)
    if score is None:
        raise Http404(services.no_circle().text)
    return score


@cache_control(private=True, no_cache=True)
@vary_on_headers("Cookie", "Accept-Language")
@conditional_page
@require_safe
def evening_picture(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Return a picture with the score and the best moment of an evening, for a member to share.

    ``zone`` is the time zone of the date in it. An unknown one counts as UTC.
    """
    me = _member(request, code)
    score = _score(me.circle, number)
    try:
        with charged(request, "page"):
            zone = ZoneInfo(known_zone(request.GET.get("zone", "")))
            content = picture.content_of(me.circle.name, score, moments.moments_of(score.evening), zone)
            response = HttpResponse(picture.drawn(content), content_type="image/png")
    except Refused as refusal:
        return refusal.on_a_page()
    response["Content-Disposition"] = 'inline; filename="evening.png"'
    return response


@require_POST
def analyse(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Start the analysis of the matches of an evening for its best moments: of as many as the queue takes."""
    me = _member(request, code)
    found = get_object_or_404(me.circle.evenings, pk=number)
    try:
        require_may_play(me.person)
        matches = moments.eligible(found)
        known = moments.histories(matches)
        for match in matches:
            if match.pk not in known:
                spend_now("lead", request)
                require_cpu(request)
                do_ask_lead(match, payers(request))
    except Refused as refusal:
        if not moments.moments_of(found).working:  # else the page shows what has been started
            return refusal.back_to(request, "circles:evening", code, number)
    return redirect("circles:evening", code, number)


def menu_links(table: Table, person: Person) -> dict[str, str]:
    """Return the links that a table's menu gets from circles, by name.

    ``evening``: its evening, for members of the circle; ``circles``: to invite one of the person's circles.
    """
    held = Evening.objects.filter(table=table, circle__members__person=person).select_related("circle").first()
    found = {"evening": reverse("circles:evening", args=[held.circle.code, held.pk])} if held else {}
    if services.memberships(person).exists() and not (table.story or table.what_if or table.tournament):
        found["circles"] = reverse("circles:invite", args=[table.code])
    return found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ladder(request: HttpRequest, code: str) -> HttpResponse:
    """Show the ladders of a circle to a member. A POST lists the visitor on them, or with ``listed=no`` not."""
    me = _member(request, code)
    if request.method == "POST":
        services.do_set_ladder(code, me.person, request.POST.get("listed") != "no")
        return redirect("circles:ladder", code)
    try:
        with charged(request, "page"):
            found = ladders(me.circle)
    except Refused as refusal:
        return refusal.on_a_page()
    context = {"circle": me.circle, "me": me, "ladders": found, "certain_after": CERTAIN_AFTER}
    return render(request, "circles/ladder.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, table: str) -> HttpResponse:
    """List the visitor's circles. A POST invites the one called ``circle`` to the table, and returns there."""
    found = get_object_or_404(Table.objects.exclude(status=Table.Status.CLOSED), code=table)
    person = person_of_request(request)
    if request.method == "POST":
        code = request.POST.get("circle", "")
        try:
            with missing_if_refused("no_circle"):
                member = services.find_member(code, person)
                spend_now("invite", request, f"person {member.person_id}")
                services.do_invite(code, member.person, table)
            messages.success(request, _("The circle is invited. Its page leads to this table."))
        except Refused as refusal:
            return refusal.back_to(request, "circles:invite", table)
        return redirect("circles:invite", table)
    invited = set(Invitation.objects.filter(table=found).values_list("circle", flat=True))
    context = {"table": found, "memberships": services.memberships(person), "invited": invited}
    return render(request, "circles/invite.html", context)


def _plan(circle: Circle) -> Plan | None:
    """Return the date of the next evening, None if there is none or it has passed."""
    return Plan.objects.filter(circle=circle, at__gt=timezone.now() - EVENING_LENGTH).first()


@never_cache
@require_safe
def calendar_file(request: HttpRequest, code: str) -> HttpResponse:
    """Return the date of the next evening as a file for calendar programs."""
    circle = _member(request, code).circle
    plan = _plan(circle)
    if plan is None:
        raise Http404("No evening is planned.")
    page = address_of_page(request, reverse("circles:page", args=[code]))
    content = calendar.event(
        uid=f"{plan.uid}@hamsterdam",
        sequence=plan.sequence,
        changed=plan.changed,
        start=plan.at,
        length=EVENING_LENGTH,
        summary=_("Card evening: %(circle)s") % {"circle": circle.name},
        url=page,
    )
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="evening.ics"'
    return response


# -- buttons


def button(press: Press) -> Callable[[HttpRequest, str], HttpResponse]:
    """Make the POST view of a button on the page of a circle. It redirects to that page, which shows a message.

    ``press`` does what the button is for, and returns the message or raises Refused. If the visitor is not a member
    afterwards, the view redirects to the list of circles.
    """

    @require_POST
    @wraps(press)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        person = person_of_request(request)
        if person is None:
            raise Http404(services.no_circle().text)
        try:
            with missing_if_refused("no_circle"):
                messages.success(request, press(request, code, person))
        except Refused as refusal:
            return refusal.back_to(request, "circles:page", code)
        if services.memberships(person).filter(circle__code=code).exists():
            return redirect("circles:page", code)
        return redirect("circles:index")

    return view


def confirmed_button(consequences: Consequences) -> Callable[[Press], Callable[[HttpRequest, str], HttpResponse]]:
    """Make the view of a button that needs a confirmation: unless ``sure=yes`` is posted, it shows what would happen.

    ``consequences`` returns the context of that page, or raises Refused.
    """

    def decorate(press: Press) -> Callable[[HttpRequest, str], HttpResponse]:
        pressed = button(press)

        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(press)
        def view(request: HttpRequest, code: str) -> HttpResponse:
            if request.POST.get("sure") == "yes":
                return pressed(request, code)
            me = _member(request, code)
            number = whole((request.POST or request.GET).get("person", ""), digits=KEY_DIGITS)
            try:
                context = consequences(me, number)
            except Refused as refusal:
                return refusal.back_to(request, "circles:page", code)
            return render(request, "circles/confirm.html", {"circle": me.circle, "act": press.__name__, **context})

        return view

    return decorate


def _if_leaving(me: Member, number: int | None) -> dict[str, object]:
    """Return who would be the next owner (``heir``), and whether the circle would be closed (``last``)."""
    heir = services.next_owner(me)
    return {"heir": _row(me.circle, heir.person_id) if heir else None, "last": me.is_owner and not heir}


def _if_changing(me: Member, number: int | None) -> dict[str, object]:
    """Return the member whom the owner is about to change. Raises Refused."""
    return {"other": _row(me.circle, services.find_other(me, number).person_id)}


def _if_removing(me: Member, number: int | None) -> dict[str, object]:
    """Return the member whom the owner is about to remove. Raises Refused."""
    require_may_play(me.person)
    return _if_changing(me, number)


def _if_closing(me: Member, number: int | None) -> dict[str, object]:
    """Return nothing: the page names the circle. Raises Refused for everybody but the owner."""
    services.require_owner(me)
    return {}


def _row(circle: Circle, person: int) -> page_data.MemberRow:
    """Return a member as the page of the circle shows them."""
    return next(row for row in page_data.members(circle) if row.person == person)


def _person(request: HttpRequest) -> int | None:
    return whole(request.POST.get("person", ""), digits=KEY_DIGITS)


@confirmed_button(_if_leaving)
def leave(request: HttpRequest, code: str, person: Person) -> str:
    services.do_leave(code, person)
    return _("You have left the circle.")


@confirmed_button(_if_removing)
def remove(request: HttpRequest, code: str, person: Person) -> str:
    services.do_remove_member(code, person, _person(request))
    return _("Removed. The link to join has changed, so that they cannot use the old one.")


@button
def remove_message(request: HttpRequest, code: str, person: Person) -> str:
    services.do_remove_message(code, person, whole(request.POST.get("message", ""), digits=KEY_DIGITS))
    return _("The message has been removed.")


@confirmed_button(_if_changing)
def transfer(request: HttpRequest, code: str, person: Person) -> str:
    services.do_transfer(code, person, _person(request))
    return _("The circle has a new owner.")


@button
def rename(request: HttpRequest, code: str, person: Person) -> str:
    services.do_rename(code, person, request.POST.get("circle", ""))
    return _("The circle has been renamed.")


@button
def renew_link(request: HttpRequest, code: str, person: Person) -> str:
    services.do_renew_link(code, person)
    return _("The circle has a new link. The old one no longer works.")


@confirmed_button(_if_closing)
def close(request: HttpRequest, code: str, person: Person) -> str:
    services.do_close(code, person)
    return _("The circle has been closed.")


@button
def plan(request: HttpRequest, code: str, person: Person) -> str:
    """Plan an evening. Scripts send the time as ``utc``; without scripts, the field ``when`` is taken for UTC."""
    services.find_member(code, person)
    at = _moment(request.POST.get("utc") or request.POST.get("when", ""))
    if at is None:
        raise Refused("bad_request", _("Enter a date and a time."))
    services.do_plan(code, person, at)
    return _("The date is set. Members can add it to their calendars.")


def _moment(raw: str) -> datetime | None:
    """Return the time in a form's field, in UTC if it has no time zone; None if it is not a time."""
    try:
        at = parse_datetime(raw)
        return at if at is None or at.tzinfo else at.replace(tzinfo=UTC)
    except ValueError:
        return None


@button
def cancel_plan(request: HttpRequest, code: str, person: Person) -> str:
    services.do_cancel_plan(code, person)
    return _("The date has been removed. Calendars that have it keep it.")


@require_POST
def double(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Let the match ``match`` of an evening count double, or with ``double=no`` once."""
    person = person_of_request(request)
    if person is None:
        raise Http404(services.no_circle().text)
    match = whole(request.POST.get("match", ""), digits=KEY_DIGITS)
    try:
        with missing_if_refused("no_circle"):
            services.do_set_double(code, person, number, match, request.POST.get("double") != "no")
    except Refused as refusal:
        return refusal.back_to(request, "circles:evening", code, number)
    return redirect("circles:evening", code, number)
