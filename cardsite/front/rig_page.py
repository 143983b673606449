"""The back room's pages about the rigged deck: which tables, for whom, how, for how long, and what was revealed.

Setting a rig publishes no event and changes no byte that a player is sent. Revealing a match that is over does: it is
the confession. ``table/rig.py`` says what a rig means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import Max, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from cardsite.front.backroom import SeatShown, seats_of
from cardsite.lobby.games import find_game, sections
from cardsite.lobby.models import Table
from cardsite.lobby.services import lifecycle
from cardsite.people.audit import change_line, log_change, user_of
from cardsite.people.records import seat_number
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.rig import RIG_MATCHES, rig_matches, rig_status, rigable, stacked_now
from cardsite.table.services.matches import do_set_reveal
from games.core.game import RigPolicy

TABLES = 100  # that are listed
HISTORY = 50  # matches that are listed
LABELS = {field.name: field.verbose_name for field in Table._meta.fields}


class RigForm(forms.ModelForm):  # type: ignore[type-arg]
    """For whom, how and how long a table is rigged, and whether its next matches are revealed."""

    favourite = forms.TypedChoiceField(
        label=gettext_lazy("Who is to win?"),
        coerce=int,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("The seat is rigged: if another player takes it, that player is the favourite."),
    )
    rig_way = forms.ChoiceField(label=gettext_lazy("How?"), widget=forms.RadioSelect)
    rig_lasts = forms.ChoiceField(
        label=gettext_lazy("How long?"), choices=Table.RigLasts.choices, widget=forms.RadioSelect
    )
    reveal = forms.BooleanField(
        required=False,
        label=gettext_lazy("Reveal after each match"),
        help_text=gettext_lazy(
            "Each match keeps the decision that was set when it started. You can change it until the match is over."
        ),
    )

    class Meta:
        model = Table
        fields = ("favourite", "rig_way", "rig_lasts", "honest_games", "reveal")
        help_texts = {
            "honest_games": gettext_lazy("Only in a series: matches dealt honestly before the deck is rigged.")
        }

    def __init__(self, *args: Any, policy: RigPolicy, seats: Sequence[SeatShown], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["favourite"].choices = [(seat.number, seat.name) for seat in seats]  # type: ignore[attr-defined]
        self.fields["rig_way"].choices = [(way, _(words)) for way, words in policy.ways.items()]  # type: ignore[attr-defined]
        self.initial["rig_way"] = self.initial.get("rig_way") or next(iter(policy.ways))
        self.fields["honest_games"].widget.attrs |= {"min": 0, "max": 99, "inputmode": "numeric"}


@require_safe
def rigs(request: HttpRequest) -> HttpResponse:
    """List the tables that can be rigged, and the matches that were."""
    rigged = Prefetch("matches", rig_matches(), to_attr=RIG_MATCHES)
    tables = rigable().order_by("-touched").prefetch_related("seats__person", rigged)[:TABLES]
    rows = [(table, seats_of(table), rig_status(table), stacked_now(table) is not None) for table in tables]
    return render(request, "backroom/rigs.html", {"rows": rows, "history": history(), "here": "rigs"})


def rig(request: HttpRequest, code: str) -> HttpResponse:
    """Show how a table is rigged, and change it."""
    table = get_object_or_404(rigable(), code=code)
    policy = find_game(table.game).rig
    if policy is None:  # cannot happen: the games are those with a rig
        return redirect("backroom:rigs")
    seats = seats_of(table)
    was = Table.objects.get(pk=table.pk)
    if request.method == "POST" and request.POST.get("do") == "off":
        table.rigged = False
        _store(request, was, table, ["rigged"])
        messages.success(request, _("The deck of this table is honest from the next match on."))
        return redirect("backroom:rig", code)
    table.rigged = True if request.method == "POST" else table.rigged
    form = RigForm(request.POST or None, instance=table, policy=policy, seats=seats)
    if request.method == "POST" and form.is_valid():
        changed = list(form.changed_data)
        if not was.rigged:
            last = table.matches.aggregate(last=Max("number"))["last"] or 0
            table.rig_from = last + 1
            changed += ["rigged", "rig_from"]
        if changed:
            _store(request, was, table, changed)
        messages.success(request, _("Stored. Nobody at the table is notified."))
        return redirect("backroom:rig", code)
    past = history(table)
    facts = {
        "table": was,
        "form": form,
        "seats": seats,
        "status": rig_status(was),
        "now": _named(stacked_now(was)),
        "noticed": [(_(policy.ways[way]), _(words)) for way, words in policy.noticed.items()],
        "history": past,
        "here": "rigs",
    }
    return render(request, "backroom/rig.html", facts, status=400 if form.errors else 200)


@require_POST
def reveal(request: HttpRequest, match_id: int) -> HttpResponse:
    """Decide whether a match is revealed, or reveal one that is over."""
    wanted = request.POST.get("reveal") == "yes"
    match = get_object_or_404(Match.objects.select_related("table"), pk=match_id)
    was = match.reveal
    try:
        match = do_set_reveal(match_id, wanted)
    except Refused as refusal:
        return refusal.back_to(request, "backroom:rigs")
    log_change(user_of(request), match, [change_line(_("reveal after the match"), was, wanted)])
    if match.status != Match.Status.RUNNING:
        messages.success(request, _("Revealed. Everybody who looks at the match can read it now."))
    elif wanted:
        messages.success(request, _("This match will be revealed when it is over."))
    else:
        messages.success(request, _("This match will not be revealed."))
    return redirect("backroom:rig", match.table.code) if match.table.status != "closed" else redirect("backroom:rigs")


class PastRig(NamedTuple):
    """A match with a stacked deck, as the history shows it."""

    match: Match
    favourite: str  # the name of the player of that seat
    way: str
    by: str
    won: bool | None  # None: it has not ended


def history(table: Table | None = None) -> list[PastRig]:
    """Return the last matches that were stacked, at one table or at all, newest first. Stories are left out."""
    found = Match.objects.exclude(favourite=None).filter(table__story=False).order_by("-pk")
    if table:
        found = found.filter(table=table)
    matches = found.select_related("table", "rigged_by").prefetch_related("players")[:HISTORY]
    ways = {game.name: game.rig.ways for section in sections() for game in section.games if game.rig}
    return [_past(match, ways.get(match.game, {})) for match in matches]


def _past(match: Match, ways: Any) -> PastRig:
    player = _favourite_of(match)
    over = match.status == Match.Status.OVER
    by = match.rigged_by.get_username() if match.rigged_by else _("unknown")
    return PastRig(match, player.name, match.rig_way or next(iter(ways), ""), by, player.share > 0 if over else None)


def _named(match: Match | None) -> tuple[Match, str] | None:
    """Return a stacked match with the name of its favourite."""
    return (match, _favourite_of(match).name) if match else None


def _favourite_of(match: Match) -> Player:
    """Return the player for whom a match is stacked; one without a name if nobody was in that seat."""
    return next((player for player in match.players.all() if player.seat == match.favourite), Player())


def _store(request: HttpRequest, was: Table, table: Table, changed: list[str]) -> None:
    table.rigged_by = user_of(request)
    lifecycle.do_change_table(table, [*changed, "rigged_by"])
    lines = [change_line(LABELS[name], _said(was, name), _said(table, name)) for name in changed]
    log_change(table.rigged_by, table, lines)


def _said(table: Table, field: str) -> object:
    """Return the value of a field as the log has it."""
    if field == "favourite":
        return seat_number(table.favourite)
    return table.get_rig_lasts_display() if field == "rig_lasts" else getattr(table, field)
