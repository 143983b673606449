"""Answers after matches as a table for the study ``docs/studies/people.md``, without names and notes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TextIO

from django.db.models import Count, Q

from cardsite.lab import library
from cardsite.playtests.models import Opinion
from cardsite.workshop import measuring
from cardsite.workshop.services import version_of_game

MEASURES = ("drama", "spread", "length")
COLUMNS = ("match", "game", "rules", "players", "people", "share", "fun", "fair", *MEASURES)


def write(to: TextIO) -> int:
    """Write the answers as CSV, with the bots' measures of each game. Return the number of answers."""
    table = csv.DictWriter(to, COLUMNS)
    table.writeheader()
    written = 0
    for row in rows():
        table.writerow(row)
        written += 1
    return written


def rows() -> Iterator[Mapping[str, object]]:
    """Yield each answer. ``match`` counts from 1 in this table, so that answers on one match are known as such."""
    people = Count("match__players", filter=Q(match__players__bot=""))
    answers = Opinion.objects.filter(match__favourite=None).exclude(fun=None, fair=None).order_by("match", "pk")
    places: dict[int, int] = {}
    for one in answers.select_related("match").annotate(players=Count("match__players"), people=people):
        match = one.match
        mine = match.players.filter(seat=one.seat).first()
        yield {
            "match": places.setdefault(match.pk, len(places) + 1),
            "game": match.game,
            "rules": match.rules_version,
            "players": one.players,
            "people": one.people,
            "share": mine.share if mine else "",
            "fun": one.fun,
            "fair": one.fair,
            **measures(match.game, match.rules_version),
        }


@cache
def measures(game: str, rules: str) -> Mapping[str, float]:
    """Return the bots' measures of a game with these rules, as far as there is a report."""
    version = version_of_game(game)
    if version:
        report = measuring.report_of(version.source, version.table)
    else:
        stored = (each.report for each in [*library.made_here(), *library.shipped()])
        report = next((each for each in stored if (each["game"], each["rules"]) == (game, rules)), None)
    if report is None:
        return {}
    known = report["measures"]
    if "spread_corrected" in known:
        known = {**known, "spread": known["spread_corrected"]}
    return {name: known[name]["value"] for name in MEASURES if name in known}
