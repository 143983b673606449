"""Tables and the seats at them."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from cardsite.lobby.games import find_game
from cardsite.people.models import Person
from cardsite.refusal import Refused

CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no letter that can be taken for another
HERE = timedelta(seconds=30)  # how long after a sign of life a person counts as here
CODE_LENGTH = 10  # 31**10: a link-only table cannot be guessed


def new_code() -> str:
    """Return a table's address: not guessable, easy to read out."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """A table: a game, its options, its seats, and a series of matches."""

    class Status(models.TextChoices):
        OPEN = "open", "waiting for players"
        PLAYING = "playing", "playing"
        OVER = "over", "between matches"
        CLOSED = "closed", "closed"

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True)
    public = models.BooleanField(default=True, help_text="Listed on the front page; otherwise by link only.")
    sealed = models.BooleanField(default=True, help_text="Publishes the seed's hash before, the seed after each match.")
    house = models.BooleanField(default=False, help_text="The house's own table: bots that play on and on.")
    seconds = models.PositiveIntegerField(default=60, help_text="For one decision.")
    host = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="hosted")
    # Hosts come and go; whoever made the table answers for it until it is closed.
    opened_by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="opened", editable=False
    )
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN, db_index=True)
    created = models.DateTimeField(auto_now_add=True)
    touched = models.DateTimeField(auto_now=True, db_index=True)

    # The rigged deck: only ever read by the referee and the administrator's pages.
    rigged = models.BooleanField("stack the deck", default=False)
    favourite = models.PositiveSmallIntegerField("favourite seat", null=True, blank=True)
    honest_games = models.PositiveSmallIntegerField("honest games first", default=2)
    rig_from = models.PositiveIntegerField("series counts from match", default=1)
    reveal = models.BooleanField(
        "reveal after the match", default=False, help_text="Tell everybody, once a stacked match is over."
    )

    def __str__(self) -> str:
        return f"{self.game} {self.code}"

    def clean(self) -> None:
        """Refuse a rig that would break a promise or cannot be dealt."""
        if not self.rigged:
            return
        try:
            rig = find_game(self.game).rig
        except Refused as gone:
            raise ValidationError(gone.text) from gone
        if not rig:
            raise ValidationError("This game has no rigged deck.")
        if self.sealed:
            raise ValidationError("A sealed table promises a fair deal, so it cannot be rigged. Use an unsealed table.")
        if self.favourite is None:
            raise ValidationError({"favourite": "Choose the seat that is to win."})
        if self.pk and not self.seats.filter(index=self.favourite).exists():
            raise ValidationError({"favourite": f"This table has seats 0 to {self.seats.count() - 1}."})


class Seat(models.Model):
    """A chair: open, a person's, or a bot's."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats")
    bot = models.CharField(max_length=40, blank=True, help_text="The kind of bot, empty for none.")
    away = models.BooleanField(default=False, help_text="A bot keeps the person's seat warm.")
    seen = models.DateTimeField(null=True, blank=True)
    wins = models.FloatField(default=0, help_text="Matches won in this series, a tie shared.")

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="one_chair_a_place"),
            models.UniqueConstraint(fields=["table", "person"], name="one_chair_a_person"),
            models.CheckConstraint(condition=models.Q(person=None) | models.Q(bot=""), name="a_person_or_a_bot"),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of {self.table_id}"

    @property
    def kind(self) -> str:
        """Return "open", "person" or "bot"."""
        return "bot" if self.bot else "person" if self.person_id else "open"

    @property
    def here(self) -> bool:
        """Whether whoever sits here is at the table now; bots always are."""
        return bool(self.bot) or (self.seen is not None and self.seen > timezone.now() - HERE)
