"""The story of a game, at a table for one person: its progress, and the characters' lines.

Its progress follows from what every table stores: the seats, the kinds of bots, and the winners. See
``games/core/story.py``; ``services.do_begin_story`` starts one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Min
from django.utils.translation import gettext as _

from cardsite.lobby.games import find_game
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.rig import series_winners
from games.core.story import DialogueLine, Story

ROLLOUTS = 200  # of a friend for a decision, which takes at most a second


def helper(story: Story) -> str:
    """Return the kind of bot of a friend who helps the favourite: see ``games/search/bots.py``."""
    return f"helper-{story.favourite}-{ROLLOUTS}"


def story_of(table: Table) -> Story | None:
    """Return the story that is played at a table, None if there is none. Raises Refused if the game is gone."""
    return find_game(table.game).story if table.story else None


@dataclass(frozen=True)
class StoryProgress:
    """The progress of a story between two of its matches."""

    story: Story
    won: list[list[int]]  # the winners of each match so far
    asked: bool  # the friend was asked to help
    helped: bool  # the friend helped in the last match

    @classmethod
    def of(cls, table: Table, story: Story) -> StoryProgress:
        """Read the progress of a story."""
        asked = Seat.objects.filter(table=table, index=story.friend, bot=helper(story)).exists()
        last = Match.objects.filter(table=table, status=Match.Status.OVER).order_by("-number").values("pk")[:1]
        helped = asked and Player.objects.filter(match__in=last, seat=story.friend, bot=helper(story)).exists()
        return cls(story, series_winners(table), asked, helped)

    @property
    def done(self) -> bool:
        """Whether the story has ended."""
        return self.story.done(self.won)

    @property
    def may_ask(self) -> bool:
        """Whether the friend may be asked now."""
        return self.story.may_ask(self.won, self.asked)

    @property
    def lines(self) -> Sequence[DialogueLine]:
        """The lines after the last match."""
        return self.story.acts[self.story.act(self.won, self.asked, self.helped)]


@dataclass(frozen=True)
class CompletedStories:
    """The number of stories that a person has completed, and the matches that the quickest took."""

    done: int
    quickest: int


def completed_stories(person: Person) -> CompletedStories:
    """Return how many stories a person has completed, and how quickly."""
    mine = Player.objects.filter(person=person, match__table__story=True, match__status=Match.Status.OVER)
    theirs = Player.objects.filter(match__in=mine.values("match"), share__gt=0, seat=F("match__table__favourite"))
    completed = theirs.aggregate(done=Count("match__table", distinct=True), quickest=Min("match__number"))
    return CompletedStories(completed["done"], completed["quickest"] or 0)


def require_unfinished_story(table: Table) -> None:
    """Raise Refused if a story has ended: there is no further match."""
    story = story_of(table)
    if story and StoryProgress.of(table, story).done:
        raise Refused("story_over", _("This story is over. There is always somebody else who needs a favour."))
