"""Actions: moves are chosen word by word, and the words of a game are numbered.

A move such as "7C HAND>TRICK" is the words "7C", " ", "HAND", ">", "TRICK" and an end. The legal moves of a decision
form a trie. A word on which all of them agree needs no action. So in most games a move is one action, and a move of
several cards is one action for each of them. Characters that are not part of a word of the game are spelled one by one,
so every move of every game can be made, and in one way only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

MOST_CACHED = 100_000  # parts of moves
LETTERS = [chr(code) for code in range(32, 127)]
BYTES = [f"byte {code}" for code in range(256)]  # of all other characters, in UTF-8

Spelled = tuple[int, ...]  # the numbers of the words of a move


class MoveWords:
    """The words of a game's moves; ``words[0]`` is the end of a move."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(dict.fromkeys(["", *words, *LETTERS, *BYTES]))
        self._numbers = {word: number for number, word in enumerate(self.words)}
        longest_first = sorted(filter(None, [*words, *LETTERS]), key=len, reverse=True)
        self._next = re.compile("|".join([*map(re.escape, longest_first), "."]), re.DOTALL)
        # Moves of several cards are made of few parts, with blanks in between. A part is spelled once, unless a word
        # with a blank in it may begin there: then it depends on what follows.
        self._parts: dict[str, Spelled] = {}
        spread = [word for word in words if " " in word and word != " "]
        self._before_blanks = tuple({word[:at] for word in spread for at, sign in enumerate(word) if sign == " "})

    def __len__(self) -> int:
        return len(self.words)

    def spell(self, move: str) -> Spelled:
        """Return the words of a move, by number. No two moves have the same, and none begins with those of another."""
        found: list[int] = []
        for part in move.split(" "):
            numbers = self._parts.get(part)
            if numbers is None:
                numbers = self._part(part)
            if not numbers:
                return (*self._numbers_of(move), 0)
            found += numbers
        found[-1] = 0  # no blank follows the last part
        return tuple(found)

    def _part(self, part: str) -> Spelled:
        """Return the words of what stands between two blanks, and a blank; () if a longer word may begin in it."""
        if len(self._parts) >= MOST_CACHED:
            self._parts.clear()
        spread = part.endswith(self._before_blanks)
        numbers = self._parts[part] = () if spread else (*self._numbers_of(part), self._numbers[" "])
        return numbers

    def _numbers_of(self, text: str) -> list[int]:
        found: list[int] = []
        for word in self._next.findall(text):
            if word in self._numbers:
                found.append(self._numbers[word])
            else:
                found += [self._numbers[BYTES[code]] for code in word.encode()]
        return found


class Branching(NamedTuple):
    """Where moves differ: how many words they share, and by the next word the moves that go on with it."""

    depth: int
    ways: Mapping[int, Sequence[tuple[Spelled, int]]]  # a move: its words, and its number among the legal ones


def branching(moves: Sequence[tuple[Spelled, int]], depth: int) -> Branching:
    """Return where moves that share their first ``depth`` words differ; a single one at its next word."""
    while True:
        ways: dict[int, list[tuple[Spelled, int]]] = {}
        for move in moves:
            word = move[0][depth]
            if word in ways:
                ways[word].append(move)
            else:
                ways[word] = [move]
        if len(ways) > 1 or len(moves) == 1:
            return Branching(depth, ways)
        depth += 1
