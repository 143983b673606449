"""People: guests with a name, and registered people."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

NAME_LENGTH = 24
# What a person sets at a table, and the values there are (static/js/table/storage.js).
PREFERENCES = {
    "confirm": ("off", "touch", "always"),
    "ahead": ("on", "off"),
    "sound": ("on", "off"),
    "suits": ("two", "four"),
    "tips": ("yes", "no"),
    "pauses": ("yes", "no"),
}
REASON_LENGTH = 200


class Person(models.Model):
    """A player, spectator or chat writer. Guests have no user; their session holds the person's primary key."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="person"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    # Only the hash is stored: a token is shown once, when it is created.
    token_hash = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    # The last day they visited. Only used to decide when a guest is removed.
    seen = models.DateField(default=timezone.localdate, db_index=True, editable=False)
    # How they want tables: names of PREFERENCES, as their browsers store them.
    preferences = models.JSONField(default=dict, blank=True, editable=False)
    vacation_until = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Their clocks of hours and days begin anew then."
    )

    class Meta:
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name

    @property
    def registered(self) -> bool:
        """Whether this person has an account, and so keeps the history on any machine."""
        return self.user_id is not None

    @property
    def on_vacation(self) -> bool:
        """Whether no time passes for them now in matches with a clock of hours or days."""
        return self.vacation_until is not None and self.vacation_until > timezone.now()

    @property
    def last_vacation_day(self) -> datetime | None:
        """A time on the last day of their last vacation, which may end with that day."""
        return self.vacation_until - timedelta(seconds=1) if self.vacation_until else None


class Restriction(models.Model):
    """What an administrator has forbidden a person for a time, and why. The person reads the reason."""

    class Kind(models.TextChoices):
        MUTED = "muted", gettext_lazy("may not chat")
        BLOCKED = "blocked", gettext_lazy("may not sit down or chat")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="restrictions")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="")
    until = models.DateTimeField(
        null=True, blank=True, help_text=gettext_lazy("Empty: until an administrator lifts it.")
    )
    made = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    lifted = models.DateTimeField(
        null=True, blank=True, help_text=gettext_lazy("When an administrator ended it early.")
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.get_kind_display()

    @property
    def active(self) -> bool:
        """Whether it holds now."""
        return self.lifted is None and (self.until is None or self.until > timezone.now())


class Mute(models.Model):
    """That a person wants to read no messages of another one, and to get no invitations and notifications by them.

    The other person never learns of it.
    """

    by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="mutes")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="muted_by")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["by", "person"], name="one_mute_a_pair")]

    def __str__(self) -> str:
        return f"{self.person} by {self.by}"


class SetupStep(models.Model):
    """A step of the checklist for a new site that an administrator has marked as done or not needed."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token in hexadecimal, which is what is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()
