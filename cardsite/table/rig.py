"""The rigged deck: what a table's administrator has set, and where the series stands. Nobody else may read this."""

from __future__ import annotations

from cardsite.lobby import services as lobby
from cardsite.lobby.models import Table
from cardsite.refusal import Refused
from cardsite.table.models import Match
from games.core.options import OptionValue


def rig_options(table: Table) -> dict[str, OptionValue]:
    """Return the secret options for the table's next match, {} for an honest deal. Raises Refused for a lost game."""
    policy = lobby.game_of(table).rig
    if not table.rigged or table.sealed or table.favourite is None or policy is None:
        return {}
    return policy.options(table.favourite, table.honest_games, series_winners(table))


def series_winners(table: Table) -> list[list[int]]:
    """Return the seats that won each finished match of the series that the rig counts."""
    matches = Match.objects.filter(table=table, status=Match.Status.OVER, number__gte=table.rig_from)
    return [
        [player.seat for player in match.players.all() if player.share]
        for match in matches.order_by("number").prefetch_related("players")
    ]


def stacked_for(match: Match | None) -> int:
    """Return the seat that a match was stacked for, if its players may know by now; else -1."""
    if match is None or match.favourite is None or match.status == Match.Status.RUNNING:
        return -1
    return match.favourite if match.table.reveal else -1


def rig_status(table: Table) -> str:
    """Return in a few words whether the deck is stacked, for the administrator's list."""
    try:
        policy = lobby.game_of(table).rig
    except Refused:
        return "this game is not in the house any more"
    if not policy:
        return "this game cannot be rigged"
    if table.sealed:
        return "sealed: cannot be rigged"
    if not table.rigged or table.favourite is None:
        return "honest"
    running = Match.objects.filter(table=table, status=Match.Status.RUNNING).first()
    if running and running.favourite is not None:
        return f"STACKED NOW for seat {running.favourite} (match {running.number})"
    won = series_winners(table)
    for number, seats in enumerate(won, 1):
        if table.favourite in seats:
            return f"done: seat {table.favourite} won game {number} of the series"
    if rig_options(table):
        begun = Match.objects.filter(table=table, favourite=table.favourite, number__gte=table.rig_from).count()
        return f"stacked from the next match on ({begun} stacked so far)"
    return f"honest still: {len(won)} of {table.honest_games} honest games played"
