"""Answers after a match: who may give them, and the writers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import GuestAdopted, within_transaction
from cardsite.people.models import Person
from cardsite.people.names import one_line
from cardsite.people.restrictions import require_may_chat
from cardsite.playtests.models import LEAST, MOST, NOTE_LENGTH, Opinion
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.moves import plies_of
from cardsite.workshop.services import version_of_game

OPEN_FOR = timedelta(days=1)  # after the end of a match


class Given(NamedTuple):
    """Parts of an answer; None leaves what was answered before. ``note``: "" removes it; ``ply`` belongs to it."""

    fun: int | None = None
    fair: int | None = None
    note: str | None = None
    ply: int | None = None


def require_may_answer(match: Match, person: Person | None) -> Player:
    """Return the result of a person who may say what they think of a match. Raises Refused with the reason."""
    mine = match.players.filter(person=person).first() if person else None
    if mine is None:
        raise Refused("not_yours", _("You did not play this match."))
    if match.status == Match.Status.RUNNING:
        raise Refused("playing", _("You can answer when the match is over."))
    if match.status == Match.Status.DROPPED:
        raise Refused("dropped", _("This match was abandoned."))
    if match.practice or match.table.story or match.table.what_if:
        raise Refused("not_counted", _("Practice, what-if matches and stories are not playtests."))
    if not mine.counts:
        raise Refused("not_counted", _("A bot played for you in most of this match."))
    if match.finished and match.finished < timezone.now() - OPEN_FOR:
        raise Refused("too_late", _("You can answer until a day after the match."))
    version = version_of_game(match.game)
    if version and person and version.text.owner_id == person.pk:
        raise Refused("yours", _("You wrote this game, so only the answers of others count."))
    return mine


@transaction.atomic
def do_answer(match: Match, person: Person | None, given: Given) -> Opinion:
    """Store what a player thinks of a match, or change it. Raises Refused."""
    mine = require_may_answer(match, person)
    if given == Given():
        raise Refused("bad_option", _("Answer a question or write a note."))
    if any(rate is not None and not LEAST <= rate <= MOST for rate in (given.fun, given.fair)):
        raise Refused("bad_option", _("An answer is a number from 1 to 5."))
    rates = {name: rate for name, rate in (("fun", given.fun), ("fair", given.fair)) if rate is not None}
    changed: dict[str, Any] = {"seat": mine.seat, **rates}
    if given.note is not None:
        note = one_line(given.note)[:NOTE_LENGTH]
        if note and mine.person:
            require_may_chat(mine.person)
        if given.ply is not None and not 0 <= given.ply <= plies_of(match.pk):
            raise Refused("bad_option", _("This match has no such move."))
        changed |= {"note": note, "ply": given.ply if note else None}
    return Opinion.objects.update_or_create(match=match, person=person, defaults=changed)[0]


def do_remove_opinions(opinions: Iterable[int]) -> None:
    """Remove answers permanently."""
    Opinion.objects.filter(pk__in=list(opinions)).delete()


@receiver(within_transaction, sender=GuestAdopted)
def do_keep_one_opinion(sender: object, event: GuestAdopted, **_: Any) -> None:
    """Keep one answer for each match when a guest is merged into a person: that of the person."""
    matches = list(Opinion.objects.filter(person=event.person).values_list("match", flat=True))
    Opinion.objects.filter(person=event.guest, match__in=matches).delete()


@receiver(pre_delete, sender=Person)
def do_forget_notes(sender: object, instance: Person, **_: Any) -> None:
    """Before a person is deleted: remove their notes. The numbers stay, without the person."""
    Opinion.objects.filter(person=instance).update(note="", ply=None)
