"""Circles: groups of friends. Only members may know that a circle exists: see ``services.find_member``."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from cardsite.lobby.models import CODE_LENGTH, Table, new_code
from cardsite.people.models import REASON_LENGTH, Person
from cardsite.people.names import MESSAGE_LENGTH

NAME_LENGTH = 40
TOKEN_BYTES = 16


def new_token() -> str:
    """Return a random token that cannot be guessed, for the link by which people join a circle, or for a date."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Circle(models.Model):
    """A circle. It has at least one member, and one of them is its owner.

    One that was closed has none, and is kept until the reports about it are resolved.
    """

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    token = models.CharField(
        max_length=32, unique=True, default=new_token, editable=False, help_text="People with the link may join."
    )
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A member of a circle: a person with an account, or a guest until their session ends."""

    class Role(models.TextChoices):
        OWNER = "owner", gettext_lazy("owner")
        MEMBER = "member", gettext_lazy("member")

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=6, choices=Role.choices, default=Role.MEMBER)
    joined = models.DateTimeField(auto_now_add=True)
    seen = models.DateTimeField(null=True, blank=True, help_text="When the person last had the circle's page open.")
    ladder = models.BooleanField(default=False, help_text="The person is listed on the circle's ladders.")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["circle", "person"], name="one_membership_a_person"),
            models.UniqueConstraint(fields=["circle"], condition=models.Q(role="owner"), name="one_owner_a_circle"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.circle}"

    @property
    def is_owner(self) -> bool:
        """Whether this member is the owner."""
        return self.role == self.Role.OWNER


class Evening(models.Model):
    """An evening of a circle at one table. Its matches are those of the table: see ``evenings.py``."""

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="evenings")
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="evening")
    started = models.DateTimeField(auto_now_add=True)
    doubled = models.JSONField(default=list, help_text="The numbers of the matches at the table that count double.")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.circle}, {self.started:%Y-%m-%d}"


class Invitation(models.Model):
    """That a circle is invited to a table: its page lists the table until it is closed. ``by``: who did so last.

    Each member has a ``PersonInvitation`` besides.
    """

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="invitations")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invitations")
    by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="circle_invitations", editable=False
    )
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["circle", "table"], name="one_invitation_a_circle")]

    def __str__(self) -> str:
        return f"{self.circle} to {self.table}"


class CircleMessage(models.Model):
    """A chat message in a circle. It is removed with its author; the newest ones are kept: see ``services.KEPT``.

    A reported message that leaves the chat is kept, ``removed``, until the reports about it are resolved.
    """

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="messages")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="circle_messages")
    text = models.CharField(max_length=MESSAGE_LENGTH)
    at = models.DateTimeField(default=timezone.now)
    removed = models.BooleanField(default=False, help_text="It is in no chat, only in reports.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text


class CircleReport(models.Model):
    """A member reports messages of others to the administrators."""

    circle = models.ForeignKey(Circle, on_delete=models.CASCADE, related_name="reports")
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="circle_reports")
    messages = models.ManyToManyField(CircleMessage, related_name="reports")
    why = models.CharField(max_length=REASON_LENGTH)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.why


class Plan(models.Model):
    """The date of the next evening of a circle. ``uid`` and ``sequence`` identify it to calendar programs."""

    circle = models.OneToOneField(Circle, on_delete=models.CASCADE, related_name="plan")
    at = models.DateTimeField()
    uid = models.CharField(max_length=32, unique=True, default=new_token)
    sequence = models.PositiveIntegerField(default=0)
    changed = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.circle}, {self.at:%Y-%m-%d %H:%M}"
