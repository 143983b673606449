"""Tournaments: who takes part, the tables of each round, and the results there."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.circles.models import Circle
from cardsite.lobby.models import CODE_LENGTH, Table, new_code
from cardsite.people.models import Person

NAME_LENGTH = 40


class Tournament(models.Model):
    """A tournament: open to everybody, or of a circle, and then visible to its members only."""

    class System(models.TextChoices):
        SWISS = "swiss", gettext_lazy("Swiss")
        ROBIN = "robin", gettext_lazy("Round robin")

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("waiting for players")
        RUNNING = "running", gettext_lazy("running")
        OVER = "over", gettext_lazy("over")
        CANCELLED = "cancelled", gettext_lazy("cancelled")

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    circle = models.ForeignKey(Circle, null=True, blank=True, on_delete=models.CASCADE, related_name="tournaments")
    organizer = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments_organized"
    )
    game = models.CharField(max_length=40)
    table_size = models.PositiveSmallIntegerField(help_text="Entrants at a table, at most.")
    system = models.CharField(max_length=5, choices=System.choices, default=System.SWISS)
    rounds = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=gettext_lazy("Empty until the start: as many as the number of entrants needs.")
    )
    seconds = models.PositiveIntegerField(help_text="Per decision.")
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN, db_index=True)
    round = models.PositiveSmallIntegerField(
        default=0, help_text=gettext_lazy("The last round that has begun; 0 before the start.")
    )
    next_round = models.DateTimeField(null=True, blank=True, help_text="When the next round begins, in a pause.")
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """A person or a bot who takes part. Of a person who was removed from the site, the results are left."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournament_entries"
    )
    bot = models.CharField(max_length=40, blank=True, help_text=gettext_lazy("Kind of bot; empty for a person."))
    name = models.CharField(max_length=40, blank=True, help_text="Of a bot; people are called as they are now.")
    joined_round = models.PositiveSmallIntegerField(default=1, help_text="The first round that they play in.")
    withdrawn = models.BooleanField(default=False, help_text=gettext_lazy("Plays in no further round."))
    absent = models.BooleanField(default=False, help_text="Withdrawn because they missed two rounds in a row.")
    removed = models.BooleanField(default=False, help_text="The organizer has removed them: they cannot join again.")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "person"], name="one_entry_a_person")]

    def __str__(self) -> str:
        return self.shown

    @property
    def shown(self) -> str:
        """The name on pages. Two people may have the same: see ``page_data.names_of``."""
        if self.person:
            return self.person.name
        return self.name if self.bot else _("a former player")

    @property
    def active(self) -> bool:
        """Whether they play in further rounds."""
        return not self.withdrawn and bool(self.bot or self.person_id)


class Pairing(models.Model):
    """A table of a round, or a bye: then there is one result, and no table."""

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting for players")
        PLAYING = "playing", gettext_lazy("playing")
        OVER = "over", gettext_lazy("over")
        DROPPED = "dropped", gettext_lazy("abandoned")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(help_text="Of the table in its round, from 1.")
    bye = models.BooleanField(default=False)
    table = models.OneToOneField(Table, null=True, blank=True, on_delete=models.SET_NULL, related_name="pairing")
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "number"], name="one_pairing_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.round}.{self.number}"


class Result(models.Model):
    """The result of an entrant in a pairing, stored so that it outlives the match."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="results")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="results")
    seat = models.PositiveSmallIntegerField()
    points = models.FloatField(null=True, blank=True, help_text="Empty until the match is over, or if it was dropped.")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    missing = models.BooleanField(default=False, help_text="A bot made most of the person's decisions.")
    absent = models.BooleanField(default=False, help_text="A bot made all of them.")

    class Meta:
        ordering = ["seat"]
        constraints = [models.UniqueConstraint(fields=["pairing", "seat"], name="one_result_a_seat")]

    def __str__(self) -> str:
        return f"{self.entrant}, {self.pairing}"
