"""People: guests with a name, and registered people."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

NAME_LENGTH = 24


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
    blocked = models.BooleanField(default=False, help_text=gettext_lazy("Cannot sit down or chat."))

    class Meta:
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name

    @property
    def registered(self) -> bool:
        """Whether this person has an account, and so keeps the history on any machine."""
        return self.user_id is not None


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token in hexadecimal, which is what is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()
