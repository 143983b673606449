"""The page of a game in the workshop, and its buttons; and the page that copies the text of a match."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from markdown_it import MarkdownIt

from cardsite.folding import folded
from cardsite.limits import spend_now
from cardsite.lobby.games import bot_titles, find_game, title_of
from cardsite.people.admin_site import is_administrator
from cardsite.people.audit import user_of
from cardsite.people.models import Person
from cardsite.people.rate_limits import charged, spend_table
from cardsite.people.services import do_arrive, person_of_request
from cardsite.pieces import with_pieces
from cardsite.refusal import Refused, missing_if_refused
from cardsite.request_data import whole
from cardsite.table.replay import is_text
from cardsite.table.views import match_for
from cardsite.table.what_if import may_know_deal
from cardsite.translations import language, marked_if_english, said
from cardsite.workshop import measuring, services
from cardsite.workshop.feel import of_the_house
from cardsite.workshop.feel_worker import FeelRequest
from cardsite.workshop.models import REPORT_LENGTH, Like, Report, Text, Version, listed
from cardsite.workshop.text_views import spend_save
from games.core import Game
from games.recycle.game import usual_seats

Press = Callable[[HttpRequest, Person, str], str]  # returns where to redirect to, "" for the game's page


@never_cache
@require_safe
def text(request: HttpRequest, code: str) -> HttpResponse:
    """Show a game: its rules, its versions, and its buttons."""
    person = person_of_request(request)
    staff = is_administrator(request.user)
    with missing_if_refused():
        found = services.find_text(code, person, staff=staff)
        version = services.find_version(found, _number(request.GET.get("version")))
    own = person is not None and found.owner_id == person.pk
    try:
        with charged(request, "page"):
            rules = _rules(version)
    except Refused as refusal:
        return refusal.on_a_page()
    context = {
        "text": found,
        "version": version,
        "versions": found.versions.defer("source", "table", "description").order_by("-number"),
        "rules": rules,
        "why": said(version.why),
        "last_overrun": said(version.last_overrun),
        "own": own,
        "levels": [(name, title) for name, title in bot_titles(version.game) if name in services.LEVELS],
        "seats": range(version.min_seats, version.max_seats + 1),
        "usual": usual_seats(version.min_seats, version.max_seats),
        "likes": Like.objects.filter(text=found).count(),
        "liked": person is not None and Like.objects.filter(text=found, person=person).exists(),
        "reported": person is not None and Report.objects.filter(text=found, person=person).exists(),
        "reports": Report.objects.filter(text=found).select_related("person") if staff else [],
        "staff": staff,
        "closed": _closed(version),
        "copies": Text.objects.filter(listed(), forked_from__text=found).count(),
        "link": request.build_absolute_uri(reverse("workshop:text", args=[code])),
        "longest_report": REPORT_LENGTH,
        "boot": {
            "feel": reverse("workshop:feel"),
            "tune": {name: reverse(f"workshop:{name}") for name in ("tune", "tune_numbers", "tune_make")}
            if own
            else None,
            "version": reverse("workshop:json", args=["CODE", 0]),
            "code": code,
            "number": version.number,
            "reports": of_the_house(),
            "numbers": list(found.versions.filter(playable=True).order_by("-number").values_list("number", flat=True)),
        },
    }
    return render(request, "workshop/text.html", context)


def _closed(version: Version) -> str:
    """Return why no match of a version may begin, "" if one may."""
    try:
        services.require_not_stopped(version)
    except Refused as refusal:
        return refusal.text
    return ""


def _rules(version: Version) -> SafeString:
    """Return the rules in words as HTML, "" if the version does not compile."""
    if not version.playable:
        return SafeString("")
    try:
        return in_words(find_game(version.game))
    except Refused:  # the language has changed since its trial
        return SafeString("")


def in_words(game: Game) -> SafeString:
    """Return the rules of a game as HTML, without their title, which the page has already.

    Raw HTML in it is escaped ("js-default"), and nothing is fetched from elsewhere.
    """
    page = game.rules_page(language())
    if page.startswith("# "):
        page = page.partition("\n")[2]
    pages = with_pieces(MarkdownIt("js-default").enable("table").disable(["image", "linkify"]))
    html = str(pages.render(page))
    return marked_if_english(game, SafeString(folded(html, _("The exact wording"))))


def _number(raw: str | None) -> int | None:
    """Return a number from an address, None if there is none. Raises Refused."""
    if not raw:
        return None
    found = whole(raw, digits=6)
    if not found:
        raise Refused("no_version", _("That is not a version number."))
    return found


# -- from a match


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def from_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Copy the text of a match and open the editor at the match's position after ``ply``."""
    match, person = match_for(request, match_id)
    ply = whole(request.GET.get("ply", ""), digits=6) or 0
    source = services.version_of_game(match.game)
    if source is None and not is_text(match):
        raise Http404("The rules of this match are not a text.")
    known = may_know_deal(match, person)
    if request.method == "POST":
        try:
            person = do_arrive(request)
            spend_save(request, person)
            copy = services.do_copy_game(person, match.game)
        except Refused as refusal:
            return refusal.back_to(request, request.get_full_path())
        there = reverse("workshop:edit", args=[copy.text.code])
        if known:
            at = {"match": match.pk, "ply": ply} | ({} if match.table.public else {"table": match.table.code})
            there = f"{there}?{urlencode(at)}"
        return redirect(there)
    context = {"match": match, "title": title_of(match.game), "ply": ply, "known": known}
    return render(request, "workshop/from.html", context)


# -- buttons


def button(press: Press) -> Callable[..., HttpResponse]:
    """Make a POST view of a button on a game's page. A refusal is shown on that page."""

    @require_POST
    @wraps(press)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return redirect(press(request, do_arrive(request), code) or reverse("workshop:text", args=[code]))
        except Refused as refusal:
            there = ("workshop:index",) if refusal.code == "no_text" else ("workshop:text", code)
            return refusal.back_to(request, *there)

    return view


def _find(request: HttpRequest, person: Person, code: str) -> Version:
    text = services.find_text(code, person, staff=is_administrator(request.user))
    return services.find_version(text, _number(request.POST.get("number")))


@button
def play(request: HttpRequest, person: Person, code: str) -> str:
    """Begin a match with bots, at a table that others may watch if the game is published."""
    spend_table(request, person)
    version = _find(request, person, code)
    level = request.POST.get("bots", "strong")
    public = services.may_be_public(version.game)
    table = services.do_try(person, version, _number(request.POST.get("seats")), level, public=public)
    return reverse("table:page", args=[table.code])


@button
def fork(request: HttpRequest, person: Person, code: str) -> str:
    spend_save(request, person)
    copy = services.do_fork(person, _find(request, person, code))
    messages.success(request, _("This copy is yours. Change what you like."))
    return reverse("workshop:edit", args=[copy.text.code])


@button
def publish(request: HttpRequest, person: Person, code: str) -> str:
    number = _number(request.POST.get("number"))
    if number is None:
        raise Refused("bad_option", _("Choose a version."))
    services.do_publish(person, code, number)
    version = services.find_version(services.find_text(code, person, staff=False), number)
    with suppress(Refused):  # too many wait: the page will request it again
        measuring.do_measure(FeelRequest(version.source, version.table, None), watched=False)
    messages.success(request, _("Version %(n)d is now published for everybody.") % {"n": number})
    return ""


@button
def unpublish(request: HttpRequest, person: Person, code: str) -> str:
    services.do_unpublish(person, code)
    messages.success(request, _("The game is no longer published. Only people with the link can find it."))
    return ""


@button
def withdraw(request: HttpRequest, person: Person, code: str) -> str:
    if request.POST.get("sure") != "yes":
        raise Refused("bad_request", _("Tick the box to confirm."))
    services.do_withdraw(person, code)
    messages.success(request, _("The game and all its versions have been removed."))
    return reverse("workshop:index")


@button
def like(request: HttpRequest, person: Person, code: str) -> str:
    """Add a like; ``liked=no`` removes it."""
    services.do_like(person, code, request.POST.get("liked") != "no")
    return ""


@button
def report(request: HttpRequest, person: Person, code: str) -> str:
    spend_now("report", request, f"person {person.pk}")
    services.do_report(person, code, request.POST.get("why", ""))
    messages.success(request, _("Thank you. An administrator will look at it."))
    return ""


@button
def judge(request: HttpRequest, person: Person, code: str) -> str:
    """For staff: feature, hide or stop a game, undo that, or resolve its reports."""
    if not is_administrator(request.user):
        raise Http404("Only administrators can moderate games.")
    text, user = services.find_text(code, person, staff=True), user_of(request)
    match request.POST.get("do"):
        case "feature" | "unfeature" as what:
            if not services.do_feature([text.pk], what == "feature", user):
                raise Refused("bad_option", _("Only published games can be featured."))
        case "hide" | "show" as what:
            services.do_hide([text.pk], what == "hide", user)
        case "stop":
            count = services.do_stop([text.pk], user)
            messages.success(request, ngettext("%(n)d match stopped.", "%(n)d matches stopped.", count) % {"n": count})
        case "allow":
            services.do_allow([text.pk], user)
        case "resolve":
            count = services.do_resolve_reports([text.pk], user)
            messages.success(request, ngettext("%(n)d report removed.", "%(n)d reports removed.", count) % {"n": count})
        case _:
            raise Refused("bad_option", _("Choose to feature, hide or stop the game, or to resolve its reports."))
    return ""
