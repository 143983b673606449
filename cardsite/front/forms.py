"""The form that makes a table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardsite.lobby.services import SECONDS
from cardsite.people.models import NAME_LENGTH, Person
from games.core import Game, Option

_TIMES = {15: _("15 seconds"), 30: _("30 seconds"), 60: _("1 minute"), 120: _("2 minutes"), 300: _("5 minutes")}


def _field(option: Option) -> forms.Field:
    """Return the field of an option. A number whose default has a name is left empty for it."""
    if option.choices:
        choices = [(choice, option.shown(choice)) for choice in option.choices]
        field: forms.Field = forms.ChoiceField(choices=choices, initial=option.default)
    elif type(option) is not Option:  # a kind of a game's own, which alone knows what it takes
        field = forms.CharField(initial=option.default)
    else:
        field = forms.IntegerField(min_value=option.low, max_value=option.high, initial=option.default)
        if option.default in option.names:
            field.required, field.initial = False, None
            field.widget.attrs["placeholder"] = option.shown(option.default)
    field.label, field.help_text = option.label, option.help
    return field


class TableForm(forms.Form):
    """A table of one game: who sits where, the game's options, and what the host promises."""

    name = forms.CharField(label=_("Your name"), max_length=NAME_LENGTH, required=False)
    visibility = forms.ChoiceField(
        label=_("Who can find it"),
        choices=[("public", _("Everybody: it stands on the front page")), ("link", _("Only who has the link"))],
        initial="public",
        widget=forms.RadioSelect,
    )
    sealed = forms.ChoiceField(
        label=_("Sealed deal"),
        choices=[
            ("auto", _("As usual: sealed when everybody can find it")),
            ("yes", _("Sealed: anybody can check the deal afterwards")),
            ("no", _("Not sealed: hands stay private afterwards")),
        ],
        initial="auto",
        help_text=_("A sealed table publishes a fingerprint of the shuffle before the first card and the key after."),
    )
    seconds = forms.TypedChoiceField(
        label=_("Time for a decision"),
        choices=[(s, _TIMES.get(s, _("15 minutes"))) for s in SECONDS],
        coerce=int,
        initial=60,
    )

    def __init__(self, game: Game, person: Person | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        if person:
            self.fields["name"].initial = person.name
        kinds = [
            ("me", _("Me")),
            ("open", _("Open for a friend")),
            *((bot.name, _("Bot: %(bot)s") % {"bot": bot.title}) for bot in game.bots),
        ]
        self.seat_names = []
        for index in range(game.max_seats):
            default = "me" if index == 0 else "open" if index < game.default_seats else "none"
            choices = kinds if index < game.min_seats else [("none", _("No seat")), *kinds]
            field = forms.ChoiceField(label=_("Seat %(n)d") % {"n": index + 1}, choices=choices, initial=default)
            self.fields[f"seat{index}"] = field
            self.seat_names.append(f"seat{index}")
        self.option_names = []
        for option in game.options:
            if option.set_by != "host":
                continue
            self.fields[f"option_{option.name}"] = _field(option)
            self.option_names.append(f"option_{option.name}")

    @property
    def seat_rows(self) -> list[dict[str, Any]]:
        """The seats' fields, for the template."""
        return [{"index": index, "field": self[name]} for index, name in enumerate(self.seat_names)]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The game's own fields, for the template."""
        return [self[name] for name in self.option_names]

    def clean(self) -> dict[str, Any]:
        """Check the seats together."""
        data = super().clean() or {}
        seats = [data.get(name, "none") for name in self.seat_names]
        if seats.count("me") > 1:
            raise forms.ValidationError(_("You can take one seat: set the others to open or to a bot."))
        data["seats"] = [kind for kind in seats if kind != "none"]
        given = {name: data[name] for name in self.option_names if data.get(name) not in (None, "")}
        data["options"] = {name.removeprefix("option_"): value for name, value in given.items()}
        public = data.get("visibility") == "public"
        data["public"] = public
        data["sealed_deal"] = public if data.get("sealed") == "auto" else data.get("sealed") == "yes"
        return data
