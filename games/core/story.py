"""A story that is played at a table: somebody else there has to win, and one person is to see to it unnoticed.

A game tells it as data, like its other sentences: who sits where, and what is said before, between and after the games.
Who acts when is said here, for any game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.core.view import Text

# Before the first game; after a lost one, while nobody helps yet; when the friend may be asked; when they have said
# yes; after more lost ones. Then the ends: the favourite has won by the person's help alone, with the friend's, or with
# that of the deck.
Act = Literal["begin", "lost", "open", "agreed", "still", "alone", "friend", "deck"]
TELLER = -1  # who tells the story, and does not sit at the table
HERO = 0  # the seat of the person


class Said(NamedTuple):
    """What somebody says: a seat, or the teller."""

    who: int
    text: Text


@dataclass(frozen=True)
class Story:
    """Who is in it, what they say, and when they help."""

    title: Text
    summary: Text  # what is asked, in a sentence for the front page
    teller: str  # a name
    names: tuple[str, ...]  # by seat; that of the person is empty
    favourite: int  # the seat that has to win
    friend: int  # the one that may be talked into helping
    acts: Mapping[Act, tuple[Said, ...]]
    honest: int = 2  # games after which the friend may be asked, and from which on the deck helps
    way: str = ""  # how it does: see ``RigPolicy``; empty: the usual way

    def done(self, won: Sequence[Sequence[int]]) -> bool:
        """Whether the favourite has won one of the games so far, alone or with others. ``won``: the winners of each."""
        return any(self.favourite in winners for winners in won)

    def may_ask(self, won: Sequence[Sequence[int]], asked: bool) -> bool:
        """Whether the friend may be asked now. ``asked``: they have been."""
        return len(won) >= self.honest and not asked and not self.done(won)

    def act(self, won: Sequence[Sequence[int]], asked: bool, helped: bool) -> Act:
        """Return what is to be told after some games. ``helped``: the friend did so in the last of them."""
        if not won:
            return "begin"
        if self.done(won):
            return "friend" if helped else "deck" if len(won) > self.honest else "alone"
        if len(won) < self.honest:
            return "lost"
        if asked and not helped:
            return "agreed"
        return "still" if helped or len(won) > self.honest else "open"
