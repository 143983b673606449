"""The story of a game, at a table for one person: where it stands, and what is said there.

Nothing of it is stored but what any table stores: who sits where, which kind of bot, and who has won. See
``games/core/story.py``; ``services.do_begin_story`` begins one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Min
from django.utils.translation import gettext as _

from cardsite.lobby import services as lobby
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.rig import series_winners
from games.core.story import Said, Story

PLAYOUTS = 200  # that a friend spends on a decision: it is looked for in a second at most


def helper(story: Story) -> str:
    """Return the kind of bot that a friend becomes who plays for the favourite: see ``games/search/bots.py``."""
    return f"helper-{story.favourite}-{PLAYOUTS}"


def story_of(table: Table) -> Story | None:
    """Return the story that is played at a table, None where there is none. Raises Refused for a lost game."""
    return lobby.game_of(table).story if table.story else None


@dataclass(frozen=True)
class Standing:
    """Where a story stands between two of its games."""

    story: Story
    won: list[list[int]]  # the winners of each game so far
    asked: bool  # the friend has been talked into helping
    helped: bool  # and did so in the last game

    @classmethod
    def of(cls, table: Table, story: Story) -> Standing:
        """Read it."""
        asked = Seat.objects.filter(table=table, index=story.friend, bot=helper(story)).exists()
        last = Match.objects.filter(table=table, status=Match.Status.OVER).order_by("-number").values("pk")[:1]
        helped = asked and Player.objects.filter(match__in=last, seat=story.friend, bot=helper(story)).exists()
        return cls(story, series_winners(table), asked, helped)

    @property
    def done(self) -> bool:
        """Whether it is at its end."""
        return self.story.done(self.won)

    @property
    def may_ask(self) -> bool:
        """Whether the friend may be asked now."""
        return self.story.may_ask(self.won, self.asked)

    @property
    def lines(self) -> Sequence[Said]:
        """What is said after the last game."""
        return self.story.acts[self.story.act(self.won, self.asked, self.helped)]


@dataclass(frozen=True)
class Favours:
    """How many stories a person has brought to a good end, and in how many games the quickest."""

    done: int
    quickest: int


def favours(person: Person) -> Favours:
    """Return how many there were."""
    mine = Player.objects.filter(person=person, match__table__story=True, match__status=Match.Status.OVER)
    theirs = Player.objects.filter(match__in=mine.values("match"), share__gt=0, seat=F("match__table__favourite"))
    found = theirs.aggregate(done=Count("match__table", distinct=True), quickest=Min("match__number"))
    return Favours(found["done"], found["quickest"] or 0)


def require_going_on(table: Table) -> None:
    """Raise Refused where a story is at its end: no game follows."""
    story = story_of(table)
    if story and Standing.of(table, story).done:
        raise Refused("story_over", _("This story is over. There is always somebody else who needs a favour."))
