"""The form of a new tournament."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from cardsite.lobby.games import SECONDS, TIMES, sections
from cardsite.people.forms import visitor_name
from cardsite.people.models import Person
from cardsite.tournaments.models import NAME_LENGTH, Tournament
from cardsite.tournaments.pairing import MOST_ROUNDS
from cardsite.tournaments.services.entering import games


class TournamentForm(forms.Form):
    """A new tournament: the game, the tables, the system, the clock."""

    name = visitor_name()
    title = forms.CharField(
        label=_("Name of the tournament"),
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    game = forms.ChoiceField(label=_("Game"))
    size = forms.TypedChoiceField(label=_("Players at a table"), coerce=int, initial=2)
    system = forms.ChoiceField(
        label=_("System"),
        choices=Tournament.System.choices,
        initial=Tournament.System.SWISS,
        help_text=_(
            "Swiss: in each round you meet players with as many points as you, and people may still join later. "
            "Round robin: everybody meets everybody."
        ),
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=_(
            "Empty: as many as the number of players needs. A round robin of two at a table always has so many."
        ),
    )
    seconds = forms.TypedChoiceField(
        label=_("Time per decision"),
        choices=[(seconds, TIMES[seconds]) for seconds in SECONDS],
        coerce=int,
        initial=60,
    )
    plays = forms.BooleanField(label=_("I play, too"), required=False, initial=True)

    def __init__(self, person: Person | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if person:
            del self.fields["name"]
        known = {game.name for game in games()}
        every = [
            (
                translation.gettext(section.title),
                [(game.name, game.title) for game in section.games if game.name in known],
            )
            for section in sections()
        ]
        groups = [(title, some) for title, some in every if some]
        self.fields["game"].choices = groups if len(groups) > 1 else groups[0][1]  # type: ignore[attr-defined]
        most = max(game.max_seats for game in games())
        self.fields["size"].choices = [(n, n) for n in range(2, most + 1)]  # type: ignore[attr-defined]
