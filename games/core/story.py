"""A story at a table: another player has to win the evening, and one person is to make that happen unnoticed.

An evening is as many games as it takes until somebody has won ``Story.wins`` of them. Between two games the person may
choose: ask a third character for help, who agrees if they have seen the person help; and, once that is so or the
favourite has lost a game, let the narrator stack the deck. After a good end they choose whether to tell.

A game defines its story as data: who sits where, what counts as help, and what is said. This module decides what
happens when, for any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from games.core.view import EntryKind, Sentence

# When the lines of each act are shown:
# - begin: before the first game;
# - lost, won: after each game, if the favourite lost or won it, unless the friend was asked since; then, until the
#   friend agrees, noticed if they have noticed that the person helps, else hint;
# - agreed, refused: the answer of the friend who was asked since the last game;
# - offer, accepted: the deck may be chosen, or was chosen since the last game;
# - over: another player has won the evening;
# - alone, friend, deck: the favourite has won it, at most with the person's help, with the friend's too, or with a
#   stacked deck, whether or not the friend helped;
# - told, kept: the person has told the favourite about it, or has not.
Act = Literal[
    "begin", "lost", "won", "noticed", "hint", "agreed", "refused", "offer", "accepted",
    "over", "alone", "friend", "deck", "told", "kept",
]  # fmt: skip
Choice = Literal["ask", "deck", "tell", "keep"]  # ask the friend, have the deck stacked, tell the favourite or not
NARRATOR = -1  # the narrator, who does not sit at the table
HERO = 0  # the seat of the person


class DialogueLine(NamedTuple):
    """A line of dialogue: of a seat, or of the narrator."""

    speaker: int  # a seat, or NARRATOR
    text: Sentence


class Voice(NamedTuple):
    """What a character of a story says during a game, whenever its log has an entry of this kind and seat.

    ``about`` are arguments that the entry's sentence must have: by name, a seat, or the suit of a card. If there are
    several voices for the same entry, they take turns.
    """

    speaker: int  # a seat
    kind: EntryKind
    seat: int
    about: Mapping[str, int | str]
    text: Sentence


@dataclass(frozen=True)
class Story:
    """Who takes part, what they say, and when they help."""

    title: Sentence
    summary: Sentence  # the task, in a sentence for the front page
    narrator: str  # the narrator's name
    names: tuple[str, ...]  # by seat; the person's is empty
    faces: tuple[str, ...]  # by seat, the portraits in static/art/portraits.svg; the person's is empty
    favourite: int  # the seat that has to win
    friend: int  # the seat that may agree to help
    acts: Mapping[Act, tuple[DialogueLine, ...]]  # without "offer", "accepted" and "deck" if the deck is always honest
    choices: Mapping[Choice, Sentence]  # the words on the buttons; without "deck" if the deck is always honest
    helps: Callable[[Any, str], bool]  # whether a move of the person helps, by the state of the game before it
    enough: int  # helpful moves after which the friend notices that the person helps
    wins: int = 2  # games that win the evening
    voices: tuple[Voice, ...] = ()
    way: str = ""  # how the deck helps: see ``RigPolicy``; empty: the default way


def winner_of(won: Sequence[Sequence[int]], favourite: int, wins: int) -> int | None:
    """Return the seat that was the first to win ``wins`` games, None for nobody yet.

    If several reach it in the same game, it is the favourite if that is one of them, else who won a game first.

    >>> winner_of([[0, 1], [0, 1]], favourite=1, wins=2)
    1
    """
    games: dict[int, int] = {}
    for winners in won:
        for seat in winners:
            games[seat] = games.get(seat, 0) + 1
        if reached := [seat for seat, count in games.items() if count >= wins]:
            return favourite if favourite in reached else reached[0]
    return None


@dataclass(frozen=True)
class StoryProgress:
    """The progress of a story: what has happened so far, and what follows from it."""

    story: Story
    won: Sequence[Sequence[int]] = ()  # the winners of each game
    helped: Sequence[int] = ()  # helpful moves of the person, by game
    chosen: Sequence[tuple[int, Choice]] = ()  # what the person chose, and after how many games
    wins: int = 0  # games that win this evening; 0: as many as the story says

    @property
    def winner(self) -> int | None:
        """The seat that has won the evening; None while it goes on."""
        return winner_of(self.won, self.story.favourite, self.wins or self.story.wins)

    @property
    def agreed(self) -> bool:
        """Whether the friend helps: they were asked after a game in which they saw the person help."""
        return any(choice == "ask" and self._noticed(game) for game, choice in self.chosen)

    @property
    def stacked(self) -> bool:
        """Whether the deck is stacked from the next game on."""
        return any(choice == "deck" for _, choice in self.chosen)

    def _noticed(self, games: int) -> bool:
        """Return whether the friend had noticed by the end of so many games that the person helps."""
        return sum(self.helped[:games]) >= self.story.enough

    @property
    def _recent_choices(self) -> list[Choice]:
        """What was chosen since the last game."""
        return [choice for game, choice in self.chosen if game == len(self.won)]

    @property
    def choices(self) -> list[Choice]:
        """What the person may choose now."""
        if not self.won:
            return []
        if self.winner is not None:
            return ["tell", "keep"] if self.winner == self.story.favourite and not self._recent_choices else []
        results: list[Choice] = []
        if not self.agreed and "ask" not in self._recent_choices:
            results.append("ask")
        lost = any(self.story.favourite not in winners for winners in self.won)
        if "deck" in self.story.choices and not self.stacked and (lost or self._noticed(len(self.won))):
            results.append("deck")
        return results

    @property
    def ending(self) -> Act | None:
        """How the evening ended; None while it goes on."""
        if self.winner is None:
            return None
        if self.winner != self.story.favourite:
            return "over"
        return "deck" if self.stacked else "friend" if self.agreed else "alone"

    @property
    def lines(self) -> list[DialogueLine]:
        """What is said now."""
        acts: list[Act] = []
        if not self.won:
            acts.append("begin")
        elif self.ending:
            acts.append(self.ending)
            if self._recent_choices:
                acts.append("told" if "tell" in self._recent_choices else "kept")
        else:
            noticed = self._noticed(len(self.won))
            if "ask" in self._recent_choices:
                acts.append("agreed" if noticed else "refused")
            else:
                acts.append("won" if self.story.favourite in self.won[-1] else "lost")
                if not self.agreed:
                    acts.append("noticed" if noticed else "hint")
            if "deck" in self._recent_choices:
                acts.append("accepted")
            elif "deck" in self.choices:
                acts.append("offer")
        return [line for act in acts for line in self.story.acts[act]]
