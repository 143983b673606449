"""Everything that writes texts of the workshop, for their authors, other people and staff.

Only the ``do_...`` functions write. Each runs in a transaction and raises Refused if it is not allowed. ``do_save`` is
not one transaction: between reading and writing, it waits some seconds for a trial of the text in the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Sum, Value
from django.db.models.functions import Concat
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import GuestAdopted, MatchBegins, MatchDropped, within_transaction
from cardsite.lobby.games import find_game
from cardsite.lobby.models import Table
from cardsite.lobby.services.lifecycle import do_clear_solo_tables, do_create_table
from cardsite.people.audit import change_line, log_change
from cardsite.people.models import Person
from cardsite.people.names import one_line
from cardsite.people.restrictions import require_may_play
from cardsite.refusal import Refused
from cardsite.table.models import DropReason, Match
from cardsite.table.services.matches import do_start_match, do_stop_matches
from cardsite.translations import said
from cardsite.workshop.described import KIND_LENGTH, SUMMARY_LENGTH, TITLE_LENGTH, describe
from cardsite.workshop.models import (
    REPORT_LENGTH,
    Like,
    Report,
    Text,
    Version,
    is_code,
    parts_of,
)
from cardsite.workshop.trial import Trial, size_of, trial
from games.core.messages import NONE, Message
from games.recycle.game import RecycleGame

LEVELS = ("easy", "medium", "strong")  # kinds of bots that play any game
MAX_VERSIONS = 200  # of one text
MAX_REPORTS = 100  # of one text; further ones would tell staff nothing new
MAX_OVERRUNS = 3  # matches of a version that used too much CPU time; after these, no match of it may begin

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Quota:
    """How much one person may store in the workshop."""

    texts: int
    size: int  # bytes of all versions


GUEST, REGISTERED = Quota(10, 1 << 20), Quota(100, 8 << 20)


def quota_of(person: Person) -> Quota:
    """Return how much a person may store: more for registered people."""
    return REGISTERED if person.registered else GUEST


# -- finding texts, and who may see them


def find_text(code: str, person: Person | None, *, staff: bool = False) -> Text:
    """Return the text with this code. Raises Refused if it was removed, or hidden from this person."""
    texts = Text.objects.select_related("owner", "forked_from__text").filter(withdrawn=False)
    text = texts.filter(code=code).first() if is_code(code) else None
    mine = text is not None and person is not None and text.owner_id == person.pk
    if text is None or (text.hidden and not (mine or staff)):
        raise Refused("no_text", _("There is no such game in the workshop. It may have been removed."))
    return text


def find_version(text: Text, number: int | None = None) -> Version:
    """Return a version of a text: by number; without one, the published or else the newest one. Raises Refused."""
    if number is None:
        number = text.published or text.latest
    version = Version.objects.select_related("text").defer("description").filter(text=text, number=number).first()
    if version is None:
        raise Refused("no_version", _("This game has no version %(n)d.") % {"n": number})
    return version


def version_of_game(game: str) -> Version | None:
    """Return the version with this name in the catalogue, None for other games."""
    if parts := parts_of(game):
        code, number = parts
        versions = Version.objects.select_related("text").defer("description")
        return versions.filter(text__code=code, number=number).first()
    return None


def require_open(game: str) -> None:
    """Raise Refused if no table may be opened for this game: a text that was removed, hidden or stopped."""
    version = version_of_game(game)
    if version and version.text.gone:
        raise Refused("no_game", _("This game has been removed by its author or by an administrator."))
    if version:
        require_not_stopped(version)


def require_not_stopped(version: Version) -> None:
    """Raise Refused if no match of a version may begin: staff stopped it, or its matches used too much CPU time."""
    if version.text.stopped:
        raise Refused(
            "stopped", _("An administrator has stopped this game. No new match can start until they allow it.")
        )
    if version.overruns >= MAX_OVERRUNS:
        raise Refused(
            "too_much",
            _(
                "This version of the game used too much computing time in %(n)d matches, so no new match can "
                "start. Its author can save a version that needs less."
            )
            % {"n": version.overruns},
        )


@receiver(within_transaction, sender=MatchBegins)
def _require_not_stopped(sender: object, event: MatchBegins, **_: Any) -> None:
    """Raise Refused before each match, because a table may be older than the stop."""
    if parts := parts_of(event.game):
        # Locked, so that either ``do_stop`` finds a match that begins now, or the match finds the stop.
        Text.objects.select_for_update().filter(code=parts[0]).first()
        if version := version_of_game(event.game):
            require_not_stopped(version)


def require_shown(game: str) -> None:
    """Raise Refused if a game may not be shown: a text that staff have hidden."""
    version = version_of_game(game)
    if version and version.text.hidden:
        raise Refused("no_game", _("This game has been removed by an administrator."))


def may_be_public(game: str) -> bool:
    """Return whether a table of this game may be listed on the front page: not if its text was never published."""
    version = version_of_game(game)
    return version is None or version.text.published is not None


# -- saving


def do_save(
    person: Person, code: str | None, source: str, table: str, base: int | None
) -> tuple[Version, Trial | None]:
    """Save a text, as the next version of one of the person's texts or as a new one. Return the version and its trial.

    ``code``: of the person's text, None for a new one; ``table``: its table file; ``base``: the number of the version
    that was edited. If there is a newer one, saving is refused ("not_latest"). A text equal to the newest version is
    not stored again, and the trial is None, unless that version failed its trial: then it is tried again, because the
    sandbox may have failed, and is stored if it passes. Blocks for the seconds of a trial. Raises Refused.
    """
    size = size_of(source, table)
    same: Version | None = None
    with transaction.atomic():
        text = _own(person, code) if code else None
        if text:
            latest = _require_latest(text, base)
            if (latest.source, latest.table) == (source, table):
                if latest.playable:
                    return latest, None
                same = latest
        _require_below_quota(person, text, size)
    if not connection.in_atomic_block:
        connection.close()  # a trial takes seconds, and there are few connections
    tried = trial(source, table, f"person {person.pk}")
    if same and not tried.ok:
        return same, tried
    return do_save_version(person, code, source, table, base, tried), tried


@transaction.atomic
def do_save_version(
    person: Person, code: str | None, source: str, table: str, base: int | None, tried: Trial
) -> Version:
    """Store a text after its trial. Raises Refused."""
    size = size_of(source, table)
    Person.objects.select_for_update().get(pk=person.pk)  # so that two at once cannot both take the last free place
    text = _own(person, code) if code else None
    if text:
        _require_latest(text, base)
    _require_below_quota(person, text, size)
    return do_add_version(text or Text(owner=person), source, table, size, tried)


def do_add_version(text: Text, source: str, table: str, size: int, tried: Trial) -> Version:
    """Store another version of a text, which may be new. ``size``: bytes of both files; ``tried``: their trial."""
    text.latest += 1
    text.title = tried.title or text.title or _("Untitled")
    text.summary = tried.summary
    text.save()
    return Version.objects.create(
        text=text,
        number=text.latest,
        source=source,
        table=table,
        size=size,
        playable=tried.ok,
        why=tried.why,
        title=text.title,
        summary=text.summary,
        kind=tried.kind,
        min_seats=tried.seats[0],
        max_seats=tried.seats[1],
        minutes=tried.minutes,
        description=tried.description,
    )


@transaction.atomic
def do_describe(number: int, edition: str, description: dict[str, Any] | None, why: Message) -> None:
    """Store a new description of the version with this primary key. If it is None, store why the text does not compile.

    Then the old description stays, because another ``edition`` of the language may compile the text again.
    """
    version = Version.objects.select_for_update().get(pk=number)
    version.description = description or {
        **(version.description or {}), "edition": edition, "unreadable": why.stored(),
    }  # fmt: skip
    version.save(update_fields=["description"])


def _own(person: Person, code: str) -> Text:
    """Return a text of this person. Raises Refused."""
    texts = Text.objects.select_for_update(of=("self",)).filter(withdrawn=False)
    text = texts.filter(code=code).first() if is_code(code) else None
    if text is None or text.owner_id != person.pk:
        raise Refused("not_yours", _("This game is not yours. Make a copy and change the copy."))
    return text


def _require_latest(text: Text, base: int | None) -> Version:
    if base != text.latest:
        raise Refused(
            "not_latest",
            _("This game has been saved elsewhere in the meantime, as version %(n)d. Look at that version first.")
            % {"n": text.latest},
        )
    return Version.objects.get(text=text, number=text.latest)


def _require_below_quota(person: Person, text: Text | None, size: int) -> None:
    """Raise Refused if one more version of that size would exceed a person's quota."""
    quota = quota_of(person)
    more = "" if person.registered else " " + _("Register to keep more.")
    texts = Text.objects.filter(owner=person, withdrawn=False)
    if text is None and texts.count() >= quota.texts:
        full = _("You have %(n)d games here, which is the limit. Remove one.") % {"n": quota.texts}
        raise Refused("full", full + more)
    if text and text.latest >= MAX_VERSIONS:
        raise Refused(
            "full",
            _("This game has %(n)d versions, which is the limit. Make a copy and continue with that.")
            % {"n": MAX_VERSIONS},
        )
    used = Version.objects.filter(text__in=texts).aggregate(used=Sum("size"))["used"] or 0
    if used + size > quota.size:
        full = _("Your games use %(n)d kilobytes with all their versions. The limit is %(most)d. Remove one.")
        raise Refused("full", full % {"n": used // 1024, "most": quota.size // 1024} + more)


@transaction.atomic
def do_fork(person: Person, version: Version) -> Version:
    """Copy a version into a new text of the person. Return the first version of it. Raises Refused."""
    tried = Trial(
        version.playable,
        version.why,
        (version.min_seats, version.max_seats),
        version.title,
        version.summary,
        version.kind,
        version.minutes,
        version.description,
    )
    return _do_copy(person, version.source, version.table, tried, version)


@transaction.atomic
def do_copy_game(person: Person, name: str) -> Version:
    """Copy the text of a game, from the workshop or the library, into a new text of the person. Return its version.

    Raises Refused.
    """
    if version := version_of_game(name):
        if version.text.gone and version.text.owner_id != person.pk:
            raise Refused("no_text", _("This game has been removed by its author or by an administrator."))
        return do_fork(person, version)
    game = find_game(name)
    if not isinstance(game, RecycleGame):
        raise Refused("no_text", _("The rules of this game are not a text, so they cannot be changed here."))
    copy = RecycleGame(game.name, game.text, game.table)  # without introductions, which are not the author's
    tried = Trial(
        True, NONE, (game.min_seats, game.max_seats), game.title[:TITLE_LENGTH], game.summary[:SUMMARY_LENGTH],
        game.kind[:KIND_LENGTH], game.minutes, describe(copy),
    )  # fmt: skip
    return _do_copy(person, game.text, game.table, tried, None)


def _do_copy(person: Person, source: str, table: str, tried: Trial, version: Version | None) -> Version:
    size = size_of(source, table)
    Person.objects.select_for_update().get(pk=person.pk)
    _require_below_quota(person, None, size)
    return do_add_version(Text(owner=person, forked_from=version), source, table, size, tried)


# -- playing


@transaction.atomic
def do_try(person: Person, version: Version, seats: int | None, bot: str, *, public: bool = False) -> Table:
    """Begin a match of a version against bots of one of the ``LEVELS``, at a new table. Raises Refused.

    The table is not sealed, so that the author may look at all hands afterwards. Their earlier test tables are closed.
    """
    if bot not in LEVELS:
        raise Refused("bad_option", _("Bots must be one of: %(levels)s.") % {"levels": ", ".join(LEVELS)})
    if not version.playable:
        raise Refused("not_playable", said(version.why) or _("This version cannot be played yet."))
    require_open(version.game)
    game = find_game(version.game)
    others = (game.default_seats if seats is None else seats) - 1
    do_clear_solo_tables(person)
    table = do_create_table(person, game, ["me", *[bot] * min(others, game.max_seats)], public=public, sealed=public)
    do_start_match(table.code, person)
    return table


# -- publishing


@transaction.atomic
def do_publish(person: Person, code: str, number: int) -> Text:
    """Publish a version of the person's text, in place of the one published before. Raises Refused."""
    require_may_play(person)
    text = _own(person, code)
    version = find_version(text, number)
    if not version.playable:
        raise Refused("not_playable", _("This version cannot be played yet, so it cannot be published."))
    if text.hidden:
        raise Refused("hidden", _("An administrator has hidden this game. Ask them why."))
    text.published_at = text.published_at or timezone.now()
    text.published = number
    text.save()
    return text


@transaction.atomic
def do_unpublish(person: Person, code: str) -> Text:
    """Unpublish the person's text: only people with the link find it. Raises Refused."""
    text = _own(person, code)
    text.published, text.published_at, text.featured = None, None, False
    text.save()
    return text


@transaction.atomic
def do_withdraw(person: Person, code: str) -> None:
    """Remove the person's text. It is kept, but not shown, while there are matches of it. Raises Refused."""
    text = _own(person, code)
    text.withdrawn = True
    text.published, text.published_at, text.featured = None, None, False
    text.save()
    do_remove_unused(Text.objects.filter(pk=text.pk))


def do_remove_unused(texts: QuerySet[Text]) -> int:
    """Delete those of some texts that are ``unused``. Return how many."""
    numbers = list(unused(texts).values_list("pk", flat=True))
    Text.objects.filter(pk__in=numbers).delete()
    return len(numbers)


def unused(texts: QuerySet[Text]) -> QuerySet[Text]:
    """Return those of some texts that were withdrawn and that no stored match or open table needs."""
    games = Concat(Value("w-"), OuterRef("code"), Value("-"))
    matches = Match.objects.filter(game__startswith=games)
    tables = Table.objects.filter(game__startswith=games).exclude(status=Table.Status.CLOSED)
    return texts.filter(~Exists(matches), ~Exists(tables), withdrawn=True)


def to_delete(days: int) -> QuerySet[Text]:
    """Return the texts to be deleted: withdrawn at least so many days ago, and needed by no match or open table."""
    return unused(Text.objects.filter(changed__lt=timezone.now() - timedelta(days=days)))


# -- likes and reports


@transaction.atomic
def do_like(person: Person, code: str, liked: bool) -> None:
    """Add or remove a person's like for a game. Raises Refused."""
    text = find_text(code, person)
    if text.owner_id == person.pk:
        raise Refused("yours", _("You cannot like your own game."))
    if liked:
        Like.objects.get_or_create(text=text, person=person)
    else:
        Like.objects.filter(text=text, person=person).delete()


@transaction.atomic
def do_report(person: Person, code: str, why: str) -> None:
    """Report a game to staff. A second report of a person replaces the first. Raises Refused."""
    require_may_play(person)
    text = find_text(code, person)
    reason = one_line(why)[:REPORT_LENGTH]
    if not reason:
        raise Refused("bad_option", _("Describe in a few words what is wrong with it."))
    if Report.objects.filter(text=text).exclude(person=person).count() >= MAX_REPORTS:
        return
    Report.objects.update_or_create(text=text, person=person, defaults={"why": reason, "number": text.latest})


# -- staff


@transaction.atomic
def do_hide(texts: Iterable[int], hidden: bool, by: User) -> int:
    """Hide texts from everybody but their authors, or show them again. Return how many were changed.

    Here and below, ``by`` is the administrator, for the log of the administrators' site.
    """
    found = Text.objects.filter(pk__in=list(texts), hidden=not hidden)
    log_change(by, found, [change_line(_("hidden"), not hidden, hidden)])
    return found.update(hidden=hidden)


def do_stop(texts: Iterable[int], by: User) -> int:
    """Stop all running matches of texts, and prevent new ones until staff allow them. Return how many were stopped."""
    found = Text.objects.filter(pk__in=list(texts))
    with transaction.atomic():  # committed before matches are stopped, so that none can begin meanwhile
        log_change(by, found.filter(stopped=False), [change_line(_("stopped"), False, True)])
        found.update(stopped=True)
    counts = {text.code: do_stop_matches(version.game for version in text.versions.all()) for text in found}
    log.warning("matches stopped", by=by.pk, matches=counts)
    return sum(counts.values())


@transaction.atomic
def do_allow(texts: Iterable[int], by: User) -> int:
    """Allow matches of texts again that staff have stopped, or that used too much CPU time. Return how many texts."""
    numbers = list(texts)
    stopped = Text.objects.filter(pk__in=numbers, stopped=True)
    log_change(by, stopped, [change_line(_("stopped"), True, False)])
    overrun = Version.objects.filter(text__in=numbers, overruns__gt=0).select_related("text")
    for version in overrun:
        label = _("matches of version %(n)d over the CPU limit") % {"n": version.number}
        log_change(by, version.text, [change_line(label, version.overruns, 0)])
    allowed = {text.pk for text in stopped} | {version.text_id for version in overrun}
    overrun.update(overruns=0, last_overrun="")
    stopped.update(stopped=False)
    return len(allowed)


@transaction.atomic
def do_feature(texts: Iterable[int], featured: bool, by: User) -> int:
    """List published texts first and among the games of the site, or no longer. Return how many were changed."""
    found = Text.objects.filter(pk__in=list(texts), published__isnull=False, featured=not featured)
    log_change(by, found, [change_line(_("featured"), not featured, featured)])
    return found.update(featured=featured)


@transaction.atomic
def do_resolve_reports(texts: Iterable[int], by: User) -> int:
    """Delete the reports of texts, which staff have handled. Return the number of reports."""
    found = Text.objects.filter(pk__in=list(texts), reports__isnull=False).distinct()
    log_change(by, found, [change_line(_("reports"), _("open"), _("resolved"))])
    return Report.objects.filter(text__in=list(texts)).delete()[0]


@transaction.atomic
def do_remove_texts(texts: Iterable[int]) -> None:
    """Delete texts with all versions. Their matches can no longer be shown."""
    Text.objects.filter(pk__in=list(texts)).delete()


def do_remove_reports(reports: Iterable[int]) -> None:
    """Delete reports."""
    Report.objects.filter(pk__in=list(reports)).delete()


# -- receivers


@receiver(post_save, sender=Match)
def do_count_play(sender: object, instance: Match, created: bool, **_: Any) -> None:
    """Count a match that begins, except its author's test matches and matches played on from another one."""
    if created and instance.origin_ply is None and (parts := parts_of(instance.game)):
        table, texts = instance.table, Text.objects.filter(code=parts[0])
        if table.opened_by_id and not table.public:
            texts = texts.exclude(owner=table.opened_by_id)
        texts.update(plays=F("plays") + 1)


@receiver(within_transaction, sender=MatchDropped)
def do_count_overrun(sender: object, event: MatchDropped, **_: Any) -> None:
    """Count a match that was dropped because its rules took too much CPU time."""
    game, why, failure = event
    if why == DropReason.TOO_MUCH and (parts := parts_of(game)):
        code, number = parts
        Version.objects.filter(text__code=code, number=number).update(overruns=F("overruns") + 1, last_overrun=failure)


@receiver(within_transaction, sender=GuestAdopted)
def do_merge_likes_and_reports(sender: object, event: GuestAdopted, **_: Any) -> None:
    """Keep one like and one report for each game when a guest is merged into a person, and no like of an own game."""
    guest, person = event
    for model in (Like, Report):
        texts = list(model._default_manager.filter(person=person).values_list("text", flat=True))
        model._default_manager.filter(person=guest, text__in=texts).delete()
    Like.objects.filter(person=guest, text__owner=person).delete()
    Like.objects.filter(person=person, text__owner=guest).delete()


@receiver(pre_delete, sender=Person)
def do_release_texts(sender: object, instance: Person, **_: Any) -> None:
    """Before a person is deleted: published texts stay, without an owner; the others are withdrawn."""
    texts = Text.objects.filter(owner=instance)
    texts.filter(published=None).update(withdrawn=True, featured=False)
    do_remove_unused(texts)
