"""Start matches in special ways: play now, seeks, what-if, the deal of the day, stories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import GuestAdopted, TableChanged, publish, within_transaction
from cardsite.lobby.games import NO_CLOCK, SECONDS, find_game
from cardsite.lobby.models import Seat, Seek, Table
from cardsite.lobby.services import lifecycle, permissions
from cardsite.lobby.services.seeks import do_plan_start
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import DailyTry, Match, Player
from cardsite.table.services.matches import do_end_solo_matches, do_start_match
from cardsite.table.story import helper, progress_of, story_of
from cardsite.table.what_if import WhatIfStep
from games import catalogue
from games.core import Game
from games.core.game import DealOfTheDay
from games.core.story import Story

log = structlog.get_logger(__name__)

# What else starts matches, called in each round of the scheduler of each process: higher apps add their own.
EACH_ROUND: list[Callable[[], None]] = []
SAME_CLICK = timedelta(seconds=5)  # a second "Play now" within this time, before the first move, returns the same table


@transaction.atomic
def do_play_now(person: Person, game: Game, *, public: bool = True) -> Table:
    """Return a table where a person plays with bots: a new one, or that of a click just before. Raises Refused."""
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks waits for the first
    since = timezone.now() - SAME_CLICK
    recent = Table.objects.filter(opened_by=person, game=game.name, status=Table.Status.PLAYING, created__gt=since)
    recent = recent.filter(what_if=False, story=False)
    bots = [game.house_bot] * (game.default_seats - 1)
    for table in recent.exclude(matches__moves__by="person"):
        seats = Seat.objects.filter(table=table)
        if seats.filter(person=person).exists() and [seat.bot for seat in seats if not seat.person_id] == bots:
            return table
    lifecycle.do_clear_solo_tables(person)
    do_end_solo_matches(person)
    table = lifecycle.do_create_table(person, game, ["me", *bots], public=public)
    do_start_match(table.code, person)
    return table


def do_start_seeks() -> None:
    """Start the first match of each table whose seek has found enough people, or plan when it starts."""
    waiting = Seek.objects.filter(table__status=Table.Status.OPEN).annotate(come=Count("table__seats__person"))
    waiting = waiting.filter(Q(come__gte=F("people")) | Q(starts__isnull=False))
    for code in list(waiting.values_list("table__code", flat=True)):
        try:
            with transaction.atomic():
                table = permissions.lock(code)
                if do_plan_start(table, find_game(table.game)):
                    do_start_match(code, None)
        except Refused as refusal:  # the game is gone, or an administrator has stopped it
            log.info("a match did not start by itself", table=code, why=refusal.text)
            lifecycle.do_end_seek(code)


@transaction.atomic
def do_play_on(person: Person, step: WhatIfStep, seat: int) -> Table:
    """Return a private table where a person continues a match from one of its steps, with bots in all other seats.

    It is a new one, or that of a click just before. Nothing counts there: see ``what_if.py``. Raises Refused.
    """
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks waits for the first
    players = list(Player.objects.filter(match=step.match))
    if not 0 <= seat < len(players):
        raise Refused("no_seat", _("This match has no such seat."))
    since = timezone.now() - SAME_CLICK
    recent = Table.objects.filter(opened_by=person, what_if=True, status=Table.Status.PLAYING, created__gt=since)
    recent = recent.filter(matches__origin=step.origin, matches__origin_ply=step.ply)
    for table in recent.exclude(matches__moves__by="person"):
        if Seat.objects.filter(table=table, person=person, index=seat).exists():
            return table
    lifecycle.do_clear_solo_tables(person)
    do_end_solo_matches(person)
    game = find_game(step.match.game)
    kinds = {bot.name for bot in catalogue.bots(game)}
    bots = [player.bot if player.bot in kinds else game.house_bot for player in players]
    table = lifecycle.do_create_table(
        person,
        game,
        [*bots[:seat], "me", *bots[seat + 1 :]],
        options=step.match.options,
        public=False,
        sealed=False,
        seconds=NO_CLOCK,
        what_if=True,
    )
    do_start_match(table.code, person, step=step)
    return table


@transaction.atomic
def do_begin_daily(person: Person, game: Game, deal: DealOfTheDay, day: date) -> Table:
    """Start the deal of the day for a person, with bots in the other seats. Raises Refused, also for a second try.

    A try whose match was dropped does not count.
    """
    lifecycle.do_clear_solo_tables(person)
    table = lifecycle.do_create_table(
        person,
        game,
        ["me", *[game.house_bot] * (game.default_seats - 1)],
        options=deal.options(day),
        public=False,
        sealed=False,
        seconds=max(SECONDS),
    )
    match = do_start_match(table.code, person, seed=deal.seed(day, settings.SECRET_KEY.encode()))
    DailyTry.objects.filter(game=game.name, day=day, person=person, match__status=Match.Status.DROPPED).delete()
    try:
        with transaction.atomic():
            DailyTry.objects.create(game=game.name, day=day, person=person, match_id=match)
    except IntegrityError:
        raise Refused("tried", _("You have already played today's deal. There is a new one tomorrow.")) from None
    return table


@transaction.atomic
def do_begin_story(person: Person, game: Game, story: Story) -> Table:
    """Return a table where a person plays a game's story: a new one, or that of a click just before. Raises Refused."""
    Person.objects.select_for_update().get(pk=person.pk)  # the second of two clicks waits for the first
    since = timezone.now() - SAME_CLICK
    recent = Table.objects.filter(opened_by=person, game=game.name, story=True, created__gt=since)
    if table := recent.filter(status=Table.Status.PLAYING).exclude(matches__moves__by="person").first():
        return table
    lifecycle.do_clear_solo_tables(person)
    do_end_solo_matches(person)
    seats = ["me", *[game.house_bot] * (len(story.names) - 1)]
    table = lifecycle.do_create_table(person, game, seats, public=False, sealed=False)
    lifecycle.do_set_up_story(table, story)
    do_start_match(table.code, person)
    return table


@transaction.atomic
def do_choose(code: str, person: Person, choice: str) -> None:
    """In a story, between two matches or at its end: choose one of the options on offer. Raises Refused."""
    table = permissions.lock(code)
    permissions.require_host(table, person)
    permissions.require_no_running_match(table)
    story = story_of(table)
    progress = progress_of(table, story) if story else None
    chosen = next((option for option in progress.choices if option == choice), None) if progress else None
    if story is None or progress is None or chosen is None:
        raise Refused("bad_option", _("You cannot choose that right now."))
    progress = replace(progress, chosen=[*progress.chosen, (len(progress.won), chosen)])
    table.story_chosen = progress.chosen
    table.rigged = progress.stacked
    table.save(update_fields=["story_chosen", "rigged"])
    if progress.agreed:
        Seat.objects.filter(table=table, index=story.friend).update(bot=helper(story))
    publish(TableChanged(table.code))


@receiver(within_transaction, sender=GuestAdopted)
def do_keep_earlier_tries(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep one of two tries at one deal, when a guest logs in as a person who also has one.

    It is the one whose match was not dropped, else the earlier.
    """
    guest, person = event
    for mine in DailyTry.objects.filter(person=guest).select_related("match"):
        other = DailyTry.objects.filter(person=person, game=mine.game, day=mine.day).select_related("match").first()
        if other:
            worse = max(mine, other, key=lambda each: (each.match.status == Match.Status.DROPPED, each.match_id))
            worse.delete()
