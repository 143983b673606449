"""Where a person wants to be notified: on devices, or by e-mail."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.translation import gettext_lazy

from cardsite.people.models import Person

ENDPOINT_LENGTH = 1000  # the longest in use have about 500 characters
MINUTES_A_DAY = 24 * 60


class NotificationKind(models.TextChoices):
    """What a notification is about."""

    TURN = "turn", gettext_lazy("It is my turn in a match over several days")
    REMINDER = "reminder", gettext_lazy("My time there is nearly up")
    EVENING = "evening", gettext_lazy("An evening of a circle begins")
    TOURNAMENT = "tournament", gettext_lazy("My round in a tournament begins")
    INVITED = "invited", gettext_lazy("Somebody invites me or a circle to a table")
    FRIEND = "friend", gettext_lazy("A member of a circle opens its page")


class MailAddress(models.Model):
    """Where a person with an account gets notifications by e-mail, as long as none of their devices gets them."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="mail_address")
    address = models.EmailField()
    confirmed = models.BooleanField(default=False, help_text="The link that was sent there was followed.")
    language = models.CharField(max_length=10, blank=True)
    off = models.JSONField(default=list, blank=True, help_text="The kinds that the person does not want.")

    def __str__(self) -> str:
        return f"e-mail address of {self.person}"


class Subscription(models.Model):
    """A browser's push subscription (RFC 8030): where to send notifications, and which of them.

    ``endpoint`` is an address at the push service of the browser's maker; ``key`` and ``secret`` encrypt messages for
    that browser alone (RFC 8291).
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH, unique=True)
    key = models.CharField(max_length=100)
    secret = models.CharField(max_length=30)
    language = models.CharField(max_length=10, blank=True)
    zone = models.CharField(max_length=50, help_text="The device's time zone.")
    off = models.JSONField(default=list, blank=True, help_text="The kinds that it does not want.")
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Minutes after midnight there.")
    quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    held = models.JSONField(
        default=list, blank=True, help_text="The pages of the turns that it was not notified of in its quiet hours."
    )
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"subscription {self.pk}"

    def wants(self, kind: NotificationKind, now: datetime) -> bool:
        """Return whether a notification of this kind may be sent now."""
        return kind not in self.off and not self.is_quiet(now)

    def is_quiet(self, now: datetime) -> bool:
        """Return whether it is in its quiet hours."""
        if self.quiet_from is None or self.quiet_to is None:
            return False
        there = now.astimezone(ZoneInfo(self.zone))
        minutes = there.hour * 60 + there.minute
        # Both times modulo a day: quiet hours may begin before midnight and end after it.
        return (minutes - self.quiet_from) % MINUTES_A_DAY < (self.quiet_to - self.quiet_from) % MINUTES_A_DAY
