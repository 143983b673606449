"""The ladder of a circle: how well its members play each game, for those who want to know.

Ratings are computed from the matches of the circle's evenings and tournaments whenever the page is opened, by the
Plackett-Luce model of Weng and Lin (JMLR 12, 2011: "A Bayesian approximation method for online ranking"), which takes
matches of any number of players with shared places. The house bot of each game is the anchor: its rating stays 1000, so
ratings of members who have played with it mean the same in two circles. Other bots are rated by their kind. Matches
with handicaps are left out. A seat whose result does not count, and a person who has left the site, are left out of a
match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import reduce
from itertools import groupby
from operator import or_
from typing import NamedTuple

from django.db.models import F, Q

from cardsite.circles.models import Circle
from cardsite.lobby.games import house_bot, title_of
from cardsite.people.names import distinct_names
from cardsite.table.delay import hidden
from cardsite.table.models import Match, Player
from cardsite.table.occupants import places_of
from games.core.handicap import OPTION as HANDICAP

ANCHOR = 1000
SCALE = 40  # rating points for each point of the model
CERTAIN_AFTER = 10  # matches after which a rating is no longer uncertain
MOST = 2_000  # how many of the newest matches are counted
# Functions that return which matches are those of a circle: higher apps add their own.
MATCHES_OF_CIRCLE: list[Callable[[Circle], Q]] = [lambda circle: Q(table__evening__circle=circle)]


class LadderEntry(NamedTuple):
    """A member on a ladder. ``uncertain``: the rating rests on fewer than ``CERTAIN_AFTER`` matches."""

    name: str
    person: int
    rating: int
    matches: int
    uncertain: bool


class CircleLadder(NamedTuple):
    """The members who take part and have played a game, the best first."""

    game: str
    title: str
    entries: list[LadderEntry]


def ladders(circle: Circle) -> list[CircleLadder]:
    """Return the ladders of a circle, that of the game played most first."""
    from openskill.models import PlackettLuce  # only a page that few open needs it

    wanted = circle.members.filter(ladder=True).select_related("person")
    names = distinct_names({member.person_id: member.person.name for member in wanted})
    model = PlackettLuce()
    new = model.mu, model.sigma
    ratings: dict[tuple[str, object], tuple[float, float]] = {}  # by game and player: mean and deviation
    played: defaultdict[tuple[str, object], int] = defaultdict(int)
    anchors: dict[str, str] = {}  # by game
    of_circle = reduce(or_, [found(circle) for found in MATCHES_OF_CIRCLE])
    over = Match.objects.filter(of_circle, status=Match.Status.OVER, practice=False).exclude(hidden())
    newest = over.exclude(options__has_key=HANDICAP).order_by("-finished")
    rows = Player.objects.filter(match__in=list(newest.values_list("pk", flat=True)[:MOST]))
    rows = rows.annotate(game=F("match__game")).order_by("match__finished", "match", "seat")
    for _match, group in groupby(rows, key=lambda row: row.match_id):
        everybody = list(group)
        game = everybody[0].game
        places = places_of(everybody)
        some = [
            ((game, row.person_id or row.bot), place)
            for row, place in zip(everybody, places, strict=True)
            if row.counts and (row.person_id or row.bot)
        ]
        if len({player for player, _ in some}) < 2:
            continue
        before = [[model.rating(mu, sigma)] for mu, sigma in (ratings.get(player, new) for player, _ in some)]
        after = model.rate(before, ranks=[place for _, place in some])
        if game not in anchors:
            anchors[game] = house_bot(game)
        for (player, _), [rating] in zip(some, after, strict=True):
            played[player] += 1
            if player[1] != anchors[game]:
                ratings[player] = rating.mu, rating.sigma
    found: defaultdict[str, list[LadderEntry]] = defaultdict(list)
    for (game, person), (mean, _deviation) in ratings.items():
        if isinstance(person, int) and person in names:
            matches = played[game, person]
            points = round(ANCHOR + SCALE * (mean - new[0]))
            found[game].append(LadderEntry(names[person], person, points, matches, matches < CERTAIN_AFTER))
    every = [
        CircleLadder(game, title_of(game), sorted(entries, key=lambda entry: (-entry.rating, entry.name)))
        for game, entries in found.items()
    ]
    return sorted(every, key=lambda ladder: (-sum(entry.matches for entry in ladder.entries), ladder.title))
