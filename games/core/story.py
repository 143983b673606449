"""A story at a table: another player has to win, and one person is to make that happen unnoticed.

A game defines it as data: who sits where, and what is said before, between and after the games. This module decides who
acts when, for any game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.core.view import EntryKind, Text

# When the lines of each act are shown: before the first game; after a lost one, while nobody helps yet; when the friend
# may be asked; when they have agreed; after further lost games. Then the endings: the favourite has won with the
# person's help alone, with the friend's, or with the deck's.
Act = Literal["begin", "lost", "open", "agreed", "still", "alone", "friend", "deck"]
TELLER = -1  # the narrator, who does not sit at the table
HERO = 0  # the seat of the person


class DialogueLine(NamedTuple):
    """A line of dialogue: of a seat, or of the narrator."""

    speaker: int  # a seat, or TELLER
    text: Text


class Voice(NamedTuple):
    """What a character says during a game, whenever something happens: an entry of the log of this kind and seat.

    ``about`` are arguments that the entry's sentence must have: by name, a seat, or the suit of a card. If there are
    several voices for the same event, they take turns.
    """

    speaker: int  # a seat
    kind: EntryKind
    seat: int
    about: Mapping[str, int | str]
    text: Text


@dataclass(frozen=True)
class Story:
    """Who takes part, what they say, and when they help."""

    title: Text
    summary: Text  # the task, in a sentence for the front page
    teller: str  # the narrator's name
    names: tuple[str, ...]  # by seat; the person's is empty
    faces: tuple[str, ...]  # by seat, the portraits in static/art/portraits.svg; the person's is empty
    favourite: int  # the seat that has to win
    friend: int  # the seat that may agree to help
    acts: Mapping[Act, tuple[DialogueLine, ...]]
    honest: int = 2  # games after which the friend may be asked and the deck begins to help
    voices: tuple[Voice, ...] = ()
    way: str = ""  # how the deck helps: see ``RigPolicy``; empty: the default way

    def done(self, won: Sequence[Sequence[int]]) -> bool:
        """Return whether the favourite has won a game, alone or shared. ``won`` are the winners of each game."""
        return any(self.favourite in winners for winners in won)

    def may_ask(self, won: Sequence[Sequence[int]], asked: bool) -> bool:
        """Return whether the friend may be asked now. ``asked``: they have been asked."""
        return len(won) >= self.honest and not asked and not self.done(won)

    def act(self, won: Sequence[Sequence[int]], asked: bool, helped: bool) -> Act:
        """Return what to say after these games. ``helped``: the friend helped in the last one."""
        if not won:
            return "begin"
        if self.done(won):
            return "friend" if helped else "deck" if len(won) > self.honest else "alone"
        if len(won) < self.honest:
            return "lost"
        if asked and not helped:
            return "agreed"
        return "still" if helped or len(won) > self.honest else "open"
