"""The form with which staff start a report."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.translations import detail_or, translated, value_in_words
from games.core import BadOption, Game
from games.lab.analyse import Analysis

MOST_MATCHES, MOST_SEARCHED, MOST_ROLLOUTS = 1000, 200, 50
LONGEST_OPTION, LONGEST_SEED = 100, 40


class RunForm(forms.Form):
    """A report on one game. A valid form has the ``analysis`` to run."""

    seats = forms.IntegerField(label=gettext_lazy("Players"))
    # Not called "matches": a field of that name would hide the form element's method from scripts.
    at_random = forms.IntegerField(
        label=gettext_lazy("Random matches"), min_value=1, max_value=MOST_MATCHES, initial=100
    )
    searched = forms.IntegerField(
        label=gettext_lazy("Matches with search"),
        min_value=1,
        max_value=MOST_SEARCHED,
        initial=30,
        help_text=gettext_lazy("These are slow: seconds or minutes each. You can cancel, and continue later."),
    )
    rollouts = forms.IntegerField(
        label=gettext_lazy("Roll-outs per move"),
        min_value=1,
        max_value=MOST_ROLLOUTS,
        initial=10,
        help_text=gettext_lazy("The bundled reports use 5, published figures 10."),
    )
    seed = forms.CharField(
        label=gettext_lazy("Seed"),
        required=False,
        max_length=LONGEST_SEED,
        help_text=gettext_lazy("Any text. The same seed gives the same report. Leave empty for a random seed."),
    )

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.analysis: Analysis | None = None
        seats = self.fields["seats"]
        self.fields["seats"] = forms.IntegerField(
            label=seats.label, min_value=game.min_seats, max_value=game.max_seats, initial=game.default_seats
        )
        # Options that only administrators set are secret at tables, so reports must not show them.
        self._options = [option for option in game.options if option.set_by != "administrator"]
        for option in self._options:
            field: forms.Field = forms.CharField(required=False, max_length=LONGEST_OPTION)
            if option.choices:
                choices = [(choice, value_in_words(game, option, choice)) for choice in option.choices]
                field = forms.ChoiceField(choices=choices, initial=option.default, required=False)
            else:
                field.widget.attrs["placeholder"] = value_in_words(game, option, option.default)
            field.label, field.help_text = translated(game, option.label), translated(game, option.help)
            self.fields[f"option_{option.name}"] = field

    @property
    def game_fields(self) -> list[forms.BoundField]:
        """The fields of the game's options, for the template."""
        return [self[f"option_{option.name}"] for option in self._options]

    @property
    def common_fields(self) -> list[forms.BoundField]:
        """The other fields, for the template."""
        return [self[name] for name in ("seats", "at_random", "searched", "rollouts", "seed")]

    def clean(self) -> dict[str, Any]:
        """Check the options together, by the game's rules."""
        data = super().clean() or {}
        if self.errors:
            return data
        given = {option.name: data.get(f"option_{option.name}") for option in self._options}
        options = {name: value for name, value in given.items() if value not in (None, "")}
        seed = data["seed"] or secrets.token_hex(8)
        try:
            self.analysis = Analysis.checked(self.game, data["seats"], options, seed, data["rollouts"])
        except Exception as error:  # the deal of a text may raise anything
            general = _("This game cannot be dealt with these settings. Change the options or the number of players.")
            detail = detail_or(error, general, self.game) if isinstance(error, BadOption) else general
            raise forms.ValidationError(detail[:500]) from error
        return data
