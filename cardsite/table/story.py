"""The story of a game, at a table for one person: its progress, and the characters' lines.

Its progress follows from what every table stores, the moves and winners of its matches, and from what the person chose.
See ``games/core/story.py``; ``services.do_begin_story`` starts one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from cardsite.lobby.games import find_game
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.table.moves import moves_of
from games import core
from games.core import SealedChance
from games.core.story import HERO, Story, StoryProgress, winner_of

ROLLOUTS = 20  # of a friend for a decision: as many as in docs/studies/favour.py


def helper(story: Story) -> str:
    """Return the kind of bot of a friend who helps the favourite: see ``games/search/bots.py``."""
    return f"helper-{story.favourite}-{ROLLOUTS}"


def story_of(table: Table) -> Story | None:
    """Return the story that is played at a table, None if there is none. Raises Refused if the game is gone."""
    return find_game(table.game).story if table.story else None


def progress_of(table: Table, story: Story) -> StoryProgress:
    """Return what has happened so far in a story."""
    finished = list(_finished([table]))
    won = [match.winning_seats for match in finished]
    helped = [_helped(match.pk, match.seed) for match in finished]
    return StoryProgress(story, won, helped, [(game, choice) for game, choice in table.story_chosen], table.story_wins)


def _finished(tables: Iterable[Table]) -> QuerySet[Match]:
    matches = Match.objects.filter(table__in=tables, status=Match.Status.OVER)
    return matches.order_by("table", "number").prefetch_related("players")


@lru_cache(maxsize=256)  # a finished match stays as it is
def _helped(match_id: int, seed: str) -> int:
    """Return how often the person helped in a finished match of a story. Its game is one of the house."""
    match = Match.objects.get(pk=match_id)
    game = find_game(match.game)
    chance = SealedChance(bytes.fromhex(seed))
    replayed = core.Match.start(game, match.players.count(), match.options, chance)
    helped = 0
    for move in moves_of(match_id):
        if game.story and move.seat == HERO and game.story.helps(replayed.state, move.text):
            helped += 1
        replayed.advance(move.seat, move.text)
    return helped


@dataclass(frozen=True)
class CompletedStories:
    """The stories that a person has brought to a good end: the favourite has won."""

    done: int
    quickest: int  # matches of the shortest
    last: frozenset[int]  # the match that completed each; none follows it


def completed_stories(person: Person) -> CompletedStories:
    """Return which stories a person has completed."""
    tables = Table.objects.filter(story=True, matches__players__person=person).distinct()
    by_table: dict[Table, list[Match]] = {}
    for match in _finished(tables).select_related("table"):
        by_table.setdefault(match.table, []).append(match)
    completed = [
        matches
        for table, matches in by_table.items()
        if table.favourite is not None and _winner(table, matches) == table.favourite
    ]
    last = frozenset(matches[-1].pk for matches in completed)
    return CompletedStories(len(completed), min(map(len, completed), default=0), last)


def _winner(table: Table, finished: Iterable[Match]) -> int | None:
    """Return the seat that has won the story of a table, None for nobody yet."""
    won = [match.winning_seats for match in finished]
    return winner_of(won, -1 if table.favourite is None else table.favourite, table.story_wins)


def require_unfinished_story(table: Table) -> None:
    """Raise Refused if a story has ended: there is no further match."""
    story = story_of(table)
    if story and _winner(table, _finished([table])) is not None:
        raise Refused("story_over", _("This story is over. There is always somebody else who needs a favour."))
