"""Answers of people after a match."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy

from cardsite.people.models import Person
from cardsite.table.models import Match

NOTE_LENGTH = 500
LEAST, MOST = 1, 5  # of an answer: not at all, very


class Opinion(models.Model):
    """A player's answers after a match, and a note for the designer. The match has the game and its version."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="opinions")
    person = models.ForeignKey(
        Person,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="opinions",
        help_text=gettext_lazy("Empty once the person has been removed. Designers never see it."),
    )
    seat = models.PositiveSmallIntegerField()
    fun = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(LEAST), MaxValueValidator(MOST)]
    )
    fair = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(LEAST), MaxValueValidator(MOST)]
    )
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    ply = models.PositiveIntegerField(
        null=True, blank=True, help_text=gettext_lazy("The move that the note is about; empty: the whole match.")
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "person"], name="one_opinion_a_person")]

    def __str__(self) -> str:
        return self.note or f"fun {self.fun}, fair {self.fair}"
