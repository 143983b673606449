"""Notifications of turns at tables for days: whose turn begins, and whose time is nearly up."""

from __future__ import annotations

from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from cardsite.events import TurnsBegan, TurnsRunOut, after_commit
from cardsite.lobby.games import title_of
from cardsite.lobby.models import HERE
from cardsite.lobby.services.presence import waited_for
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notice, send


@receiver(after_commit, sender=TurnsBegan)
def notify_of_turns(sender: object, event: TurnsBegan, **_: object) -> None:
    """Notify the people of some seats, unless they are at the table, that it is their turn."""
    _notify(event.table, event.seats, NotificationKind.TURN, gettext_lazy("It is your turn"))


@receiver(after_commit, sender=TurnsRunOut)
def remind_of_turns(sender: object, event: TurnsRunOut, **_: object) -> None:
    """Remind the people of some seats, unless they are at the table, that their time is nearly up."""
    _notify(event.table, event.seats, NotificationKind.REMINDER, gettext_lazy("Your time is nearly up"))


def _notify(table: int, indexes: tuple[int, ...], kind: NotificationKind, title: str | Promise) -> None:
    seats = waited_for().filter(table=table, index__in=indexes).exclude(seen__gt=timezone.now() - HERE)
    for seat in seats.select_related("table"):
        path = reverse("table:page", args=[seat.table.code])
        send([seat.person_id or 0], Notice(kind, title, title_of(seat.table.game), path))
