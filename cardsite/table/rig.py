"""The rigged deck: the settings of an administrator, and the progress of the series. Nobody else may read this."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from cardsite.lobby.games import find_game, sections
from cardsite.lobby.models import Table
from cardsite.people.records import seat_number
from cardsite.refusal import Refused
from cardsite.table.models import Match
from games.core.game import RigPolicy
from games.core.options import OptionValue

RIG_MATCHES = "rig_matches"  # attribute of tables whose matches were prefetched


def rig_options(table: Table) -> dict[str, OptionValue]:
    """Return the secret options for a table's next match, {} for an honest deal. Raises Refused if the game is gone."""
    policy = find_game(table.game).rig
    if not table.rigged or table.sealed or table.favourite is None or policy is None:
        return {}
    if table.rig_lasts == Table.RigLasts.SERIES:
        return policy.options(table.favourite, table.honest_games, series_winners(table), way_of(table, policy))
    return policy.options(table.favourite, 0, [], way_of(table, policy))


def rigable() -> QuerySet[Table]:
    """Return the tables that can be rigged now."""
    tables = Table.objects.filter(game__in=_games_with_rig(), sealed=False, story=False, what_if=False)
    return tables.exclude(status=Table.Status.CLOSED)


def _games_with_rig() -> set[str]:
    """Return the site's games that have a rig. To find all games of tables could mean to read many texts."""
    return {game.name for section in sections() for game in section.games if game.rig}


def way_of(table: Table, policy: RigPolicy) -> str:
    """Return how a table is rigged: a key of ``policy.ways``."""
    return table.rig_way or next(iter(policy.ways))


def series_winners(table: Table) -> list[list[int]]:
    """Return the seats that won each finished match of the series that the rig counts."""
    return [
        match.winning_seats
        for match in _matches(table)
        if match.status == Match.Status.OVER and match.number >= table.rig_from
    ]


def rig_matches() -> QuerySet[Match]:
    """Return the matches of all tables with a rig, and those now stacked, to prefetch for ``rig_status``."""
    stacked = Q(status=Match.Status.RUNNING, favourite__isnull=False)
    return _in_order().filter(Q(table__rigged=True, table__sealed=False) | stacked)


def _matches(table: Table) -> list[Match]:
    known: list[Match] | None = getattr(table, RIG_MATCHES, None)
    return list(_in_order().filter(table=table)) if known is None else known


def _in_order() -> QuerySet[Match]:
    return Match.objects.order_by("number").prefetch_related("players")


def stacked_for(match: Match | None) -> int:
    """Return the seat that a match was stacked for if its players may know that now, else -1."""
    if match is None or match.favourite is None or match.status == Match.Status.RUNNING:
        return -1
    return match.favourite if match.reveal else -1


def rig_status(table: Table) -> str:
    """Return whether the deck is stacked, in a few words for the administrators' list."""
    if table.sealed:
        return _("sealed: cannot be rigged")
    if now := stacked_now(table):
        facts = {"seat": seat_number(now.favourite), "number": now.number}
        return _("STACKED NOW for seat %(seat)s (match %(number)d)") % facts
    if not table.rigged or table.favourite is None:
        return _("honest") if table.game in _games_with_rig() else _("this game cannot be rigged")
    try:
        if not find_game(table.game).rig:
            return _("this game cannot be rigged")
    except Refused:
        return _("this game is no longer available")
    favourite = seat_number(table.favourite)
    if table.rig_lasts == Table.RigLasts.ONCE:
        return _("stacked for seat %(seat)s in the next match") % {"seat": favourite}
    if table.rig_lasts == Table.RigLasts.ALWAYS:
        return _("stacked for seat %(seat)s until it is switched off") % {"seat": favourite}
    won, matches = series_winners(table), _matches(table)
    for number, seats in enumerate(won, 1):
        if table.favourite in seats:
            return _("done: seat %(seat)s won match %(number)d of the series") % {"seat": favourite, "number": number}
    if rig_options(table):
        begun = sum(match.favourite == table.favourite and match.number >= table.rig_from for match in matches)
        return _("stacked from the next match on (%(n)d stacked so far)") % {"n": begun}
    return _("still honest: %(n)d of %(all)d honest matches played") % {"n": len(won), "all": table.honest_games}


def stacked_now(table: Table) -> Match | None:
    """Return the running match of a table if its deck is stacked."""
    if table.sealed:
        return None
    running = (match for match in _matches(table) if match.status == Match.Status.RUNNING)
    return next((match for match in running if match.favourite is not None), None)
