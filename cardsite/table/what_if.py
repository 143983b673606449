"""What if: one person and bots continue an ended match from one of its steps.

A match is its seed and its moves, so the new match starts with the same seed and the moves so far
(``services.do_play_on``), at a private table of its own. It is never sealed: everybody who has seen the replay may know
the deal. Its result does not count: see ``Table.what_if``. The next match at that table starts at the same step.

The deal reveals every hand. So a match can be continued if it was sealed, because its seed is then published; or if a
person played it alone with bots at an unsealed private table, where they can only cheat themselves.
"""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from cardsite.lobby.games import find_game
from cardsite.lobby.models import Seat
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.daily import today
from cardsite.table.models import DailyTry, Match, Move
from cardsite.table.moves import moves_of
from games.core import Game

MOST_MOVES = 2_000  # of an opening that is replayed with other rules


class WhatIfStep(NamedTuple):
    """A step of a match to continue from: the match with the deal, and the moves so far."""

    match: Match  # the match whose row has these moves
    origin: Match | None  # the match in which they were played; None if it is gone
    ply: int
    moves: list[Move]


def may_know_deal(match: Match, person: Person | None) -> bool:
    """Return whether a person who may view a match may know its deal."""
    if is_todays_deal(match):
        return False
    if match.sealed:
        return match.status == Match.Status.OVER
    if person is None or match.table.public or match.table.opened_by_id != person.pk or match.favourite is not None:
        return False
    played = match.players.exclude(person=None).values_list("person", flat=True)
    sitting = Seat.objects.filter(table=match.table_id).exclude(person=None).values_list("person", flat=True)
    return set(played) == {person.pk} and set(sitting) <= {person.pk}


def is_todays_deal(match: Match) -> bool:
    """Return whether others may still play the deal of a match today."""
    return DailyTry.objects.filter(match=match, day=today()).exists()


def may_play_on(match: Match, person: Person | None) -> bool:
    """Return whether a person who may view a match may continue it from its steps."""
    return match.status == Match.Status.OVER and may_know_deal(match, person)


class Opening(NamedTuple):
    """The beginning of a match: the seed of its deal, in hexadecimal, and its moves up to a ply."""

    seats: int
    deal: str
    moves: list[tuple[int, str]]


def opening(match: Match, person: Person | None, ply: int) -> Opening | None:
    """Return the opening of a match that ``person`` may view, None if they may not know its deal.

    It reveals every hand, so it is passed to the sandbox only, never to a browser.
    """
    if not may_know_deal(match, person):
        return None
    rows = moves_of(match.pk)[: min(ply, MOST_MOVES)]
    return Opening(match.players.count(), match.seed, [(row.seat, row.text) for row in rows])


def step_of(match: Match, person: Person, ply: int) -> WhatIfStep:
    """Return a step of a match that ``person`` may view. Raises Refused if they may not continue it."""
    if match.status != Match.Status.OVER:
        raise Refused("playing", _("You can play on only from a match that was played to its end."))
    if is_todays_deal(match):
        raise Refused("daily", _("This is today's deal. You can play on from it tomorrow."))
    if not may_know_deal(match, person):
        raise Refused(
            "not_open",
            _("This match was not sealed, so only the person who played it alone with bots can play on from it."),
        )
    moves = moves_of(match.pk)
    if not 0 <= ply < len(moves):
        raise Refused("bad_option", _("The match is over at this point. Go back a move and play on from there."))
    return require_rules(WhatIfStep(match, match, ply, moves[:ply]))


def step_again(last: Match) -> WhatIfStep | None:
    """Return the step that the last match of a table continued from, None if it started with its own deal."""
    if last.origin_ply is None:
        return None
    moves = moves_of(last.pk)[: last.origin_ply]
    return require_rules(WhatIfStep(last, last.origin, last.origin_ply, moves))


def require_rules(step: WhatIfStep) -> WhatIfStep:
    """Return a step. Raises Refused if the rules have changed since its match was played."""
    game: Game = find_game(step.match.game)
    if game.rules_version != step.match.rules_version:
        raise Refused(
            "other_rules",
            _("The rules of this game have changed since this match was played, so nobody can play on from it."),
        )
    return step


def address_of(match: Match, ply: int | None = None) -> str:
    """Return the address of a replay, at a step, for people with the link of its table."""
    query = {"move": ply, "table": None if match.table.public else match.table.code}
    given = {name: value for name, value in query.items() if value is not None}
    return reverse("table:replay", args=[match.pk]) + (f"?{urlencode(given)}" if given else "")
