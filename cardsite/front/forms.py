"""The forms for a new table, for the game of an existing one, and for a seek."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from cardsite.lobby.games import (
    CORRESPONDENCE,
    DELAYS,
    NO_CLOCK,
    SECONDS,
    TIMES,
    UNTIL_DEAL_ENDS,
    GameSection,
)
from cardsite.lobby.models import Table
from cardsite.lobby.services.seeks import FEWEST
from cardsite.people.forms import visitor_name
from cardsite.people.models import Person
from cardsite.table.concession import CONCEDED_SEATS
from cardsite.translations import translated, value_in_words
from games import catalogue
from games.core import Game, Option

TIME_CHOICES = [
    (_("Everybody stays at the table"), [(seconds, TIMES[seconds]) for seconds in (*SECONDS, NO_CLOCK)]),
    (_("Nobody needs to stay at the table"), [(seconds, TIMES[seconds]) for seconds in CORRESPONDENCE]),
]


def _field(game: Game, option: Option) -> forms.Field:
    """Return the form field of a game's option.

    A number whose default value has a name, such as "no limit", is empty at first and shows that name as placeholder.
    """
    if option.choices:
        choices = [(choice, value_in_words(game, option, choice)) for choice in option.choices]
        field: forms.Field = forms.ChoiceField(choices=choices, initial=option.default)
    elif type(option) is not Option:  # a game's own kind of option, which checks its values itself
        field = forms.CharField(initial=option.default)
    else:
        field = forms.IntegerField(min_value=option.low, max_value=option.high, initial=option.default)
        if option.default in option.names:
            field.required, field.initial = False, None
            field.widget.attrs["placeholder"] = value_in_words(game, option, option.default)
    field.label, field.help_text = translated(game, option.label), translated(game, option.help)
    return field


class GameForm(forms.Form):
    """The game of a table: its options, the clock, and whether the deal is sealed."""

    seconds = forms.TypedChoiceField(
        label=_("Time per decision"),
        choices=TIME_CHOICES,
        coerce=int,
        initial=60,
        help_text=_(
            "When the time is up, the house decides for you. With hours or days, you come back when it is your turn. "
            "Without a clock, the table waits for everybody. If you are alone with bots, there is no clock."
        ),
    )

    time_up = forms.ChoiceField(
        label=_("When the time is up"),
        choices=Table.TimeUp.choices,
        initial=Table.TimeUp.BOT,
        required=False,
        help_text=_(
            "In a match of two with a clock. If both are out of time at once, or if there are more seats, the house "
            "decides."
        ),
    )

    sealed = forms.ChoiceField(
        label=_("Sealed deal"),
        choices=[
            ("yes", _("Sealed: after each match, all hands are open")),
            ("no", _("Not sealed: hands stay private afterwards")),
        ],
        initial="yes",
        required=False,
        help_text=_(
            "After a sealed match you see all hands and at which move the match was decided, you can play on from any "
            "move, and everybody can check that nobody chose the cards. The choice can be changed between two matches."
        ),
    )

    spectator_delay = forms.TypedChoiceField(
        label=_("Delay for spectators"),
        choices=[
            (0, _("No delay")),
            *((delay, TIMES[delay]) for delay in DELAYS if 0 < delay < UNTIL_DEAL_ENDS),
            (UNTIL_DEAL_ENDS, _("Until the deal ends")),
        ],
        coerce=int,
        initial=0,
        required=False,
        empty_value=None,
        help_text=_(
            "With a delay, nobody who watches can help a player: spectators and the TV see each move so much later, "
            "also its replay. “Until the deal ends”: they see the moves of a deal when it is scored; in a game that "
            "scores no deals, when the match is over. A change counts from the next match on."
        ),
    )

    def __init__(self, game: Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        if not game.min_seats <= CONCEDED_SEATS <= game.max_seats:
            del self.fields["time_up"]
        self.option_names = []
        for option in game.options:
            if option.set_by != "host":
                continue
            self.fields[f"option_{option.name}"] = _field(game, option)
            self.option_names.append(f"option_{option.name}")

    def set_to(self, table: Table, options: dict[str, Any]) -> None:
        """Set the initial values to the settings of an existing table. ``options``: those of this game."""
        self.fields["seconds"].initial = table.seconds
        if "time_up" in self.fields:
            self.fields["time_up"].initial = table.time_up
        self.fields["sealed"].initial = "yes" if table.sealed else "no"
        self.fields["spectator_delay"].initial = table.spectator_delay
        for option in self.game.options:
            value = options.get(option.name, option.default)
            # A default that has a name stays an empty field: see _field.
            if f"option_{option.name}" in self.fields and value != option.default:
                self.fields[f"option_{option.name}"].initial = value

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the game's options, for the template."""
        return [self[name] for name in self.option_names]

    def clean(self) -> dict[str, Any]:
        """Add ``options``: the values of the options that were filled in.

        ``sealed``, ``time_up`` and ``spectator_delay`` are None if nothing was chosen.
        """
        data = super().clean() or {}
        data["time_up"] = data.get("time_up") or None
        given = {name: data[name] for name in self.option_names if data.get(name) not in (None, "")}
        data["options"] = {name.removeprefix("option_"): value for name, value in given.items()}
        data["sealed"] = data["sealed"] == "yes" if data.get("sealed") else None
        return data


class SeekForm(forms.Form):
    """A seek: the game that a person would like to play with people they do not know, and how many."""

    game = forms.ChoiceField(label=_("Game"))
    least = forms.TypedChoiceField(label=_("Minimum number of people"), coerce=int, initial=2)
    most = forms.TypedChoiceField(label=_("Maximum number of people"), coerce=int, initial=4)
    seconds = forms.TypedChoiceField(label=_("Time per decision"), choices=TIME_CHOICES, coerce=int, initial=60)
    bots = forms.BooleanField(label=_("Bots may join"), required=False, initial=True)

    def __init__(self, games_of_site: Iterable[GameSection], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        every = [(each.title, [game for game in each.games if game.max_seats >= FEWEST]) for each in games_of_site]
        games = [(title, some) for title, some in every if some]
        grouped = [(translation.gettext(title), [(game.name, game.title) for game in some]) for title, some in games]
        self.fields["game"].choices = grouped if len(grouped) != 1 else grouped[0][1]  # type: ignore[attr-defined]
        most = max((game.max_seats for _, some in games for game in some), default=FEWEST)
        for name in ("least", "most"):
            self.fields[name].choices = [(n, n) for n in range(FEWEST, most + 1)]  # type: ignore[attr-defined]


class NewTableForm(GameForm):
    """A new table of one game: its seats and whether it is public, in addition to what can be changed later."""

    name = visitor_name()
    visibility = forms.ChoiceField(
        label=_("Who can find it"),
        choices=[("public", _("Everybody: listed on the front page")), ("link", _("Only people with the link"))],
        initial="link",
        widget=forms.RadioSelect,
    )

    def __init__(self, game: Game, person: Person | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(game, *args, **kwargs)
        if person:
            self.fields["name"].initial = person.name
        occupants = [
            ("me", _("Me")),
            ("open", _("Open for a friend")),
            *((bot.name, _("Bot: %(bot)s") % {"bot": translated(game, bot.title)}) for bot in catalogue.bots(game)),
        ]
        self.seat_names = []
        for index in range(game.max_seats):
            default = "me" if index == 0 else "open" if index < game.default_seats else "none"
            choices = occupants if index < game.min_seats else [("none", _("No seat")), *occupants]
            field = forms.ChoiceField(label=_("Seat %(n)d") % {"n": index + 1}, choices=choices, initial=default)
            self.fields[f"seat{index}"] = field
            self.seat_names.append(f"seat{index}")

    @property
    def seat_rows(self) -> list[dict[str, Any]]:
        """The seats' fields, for the template."""
        return [{"index": index, "field": self[name]} for index, name in enumerate(self.seat_names)]

    def clean(self) -> dict[str, Any]:
        """Add ``seats`` and ``public``; refuse more than one seat for the person."""
        data = super().clean()
        seats = [data.get(name, "none") for name in self.seat_names]
        if seats.count("me") > 1:
            raise forms.ValidationError(_("You can take only one seat. Set the others to open or to a bot."))
        data["seats"] = [kind for kind in seats if kind != "none"]
        data["public"] = data.get("visibility") == "public"
        return data
