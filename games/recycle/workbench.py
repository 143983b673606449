"""The language for an editor: each word with its syntax, its meaning, and a snippet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from games.recycle.reader.words import SHAPES


@dataclass(frozen=True, slots=True)
class Word:
    """A word or sign of the language.

    ``forms``: how it is written, a bracket each; ``snippets``: the same without the outer bracket, for each form of a
    word, with ``${1:WHAT}`` where the author fills something in.
    """

    name: str
    forms: tuple[str, ...]
    means: str

    @property
    def snippets(self) -> list[str]:
        """What is typed for it."""
        return [_snippet(form) for form in self.forms] if self.name.isalpha() else []


# What stands in capitals in a form and is to be filled in; other names there are examples, and stay.
_GAPS = re.compile(
    r"'NAME\b|\b(?:NUMBER|TEST|STEP|BLOCK|PLACE|CARDS|CARD|COLLECTION|PLAYER|VALUE|ACTION|AWARD|NAME|SUIT|RANK|'X)\b"
)

_MEANS = {
    "game": "The whole text; or, before a place or store, that it belongs to the table.",
    "declare": "A name for something that never changes, before the setup.",
    "setup": "How many play, who is with whom, and which cards there are.",
    "scoring": "Last of all: what each player has in the end, as (current player), and whether more or less is better.",
    "stage": "Goes round the players, a turn each time, until its end is true.",
    "end": "When a stage is over. It is looked at before each time round.",
    "choice": "Asks the player whose turn it is. Each step is an option, or several; what is chosen is done.",
    "do": "Does its steps, one after the other. In a choice, all of them are one option.",
    "any": "In a choice: one option for each member. As a test: true for at least one. 'NAME stands for the member.",
    "all": "For every member, who is 'NAME meanwhile. As a test: true for every one of them.",
    "let": "A name for a value, for one step or around a choice. Of a place it follows the place itself.",
    "set": "Stores a number, a name or what cards score, instead of what was there.",
    "inc": "Adds to a number that is stored.",
    "dec": "Takes off from a number that is stored.",
    "move": "A card goes from where it lies to the top of a place; (bottom PLACE) and (1 PLACE) work, too.",
    "remember": "Notes a card in a memory. The card stays where it is.",
    "forget": "Strikes a card out of a memory.",
    "shuffle": "Mixes a place by chance. Whoever knew a card there does not any more.",
    "turn": "Nothing, as an option: passing.",
    "cycle": "Who has the next turn (next), or whose turn it is from now on (current).",
    "repeat": "Does something so many times, or as often as there are cards (all).",
    "create": "In the setup: how many play, the teams, and decks of cards. In mid-game: new cards, new teams.",
    "deck": "Cards: every combination of these attributes. Attributes may stand below others: (RED (SUIT (HEARTS))).",
    "and": "True if all of them are, from the left.",
    "or": "True if one of them is, from the left.",
    "not": "The opposite.",
    "tri": "1 + 2 + 3 and so on, up to the number: (tri 4) is 10.",
    "fib": "Of 1, 1, 2, 3, 5, 8, 13 ...: (fib 7) is 13.",
    "random": "A number by chance, from 0 or from the first number, both ends as likely as what is between.",
    "range": "Numbers from the first to the second, both of them too. Nothing if the first is greater.",
    "size": "How many: cards, players, teams, names, groups.",
    "sum": "What cards score together, by a point map.",
    "score": "What one card scores, by a point map; 0 if no award fits.",
    "cardatt": "An attribute of a card, as its suit. Nothing if it has none of that name, or there is no card.",
    "current": "Whose turn it is. In a stage of teams also the team.",
    "next": "Who is next, as far as is known.",
    "previous": "The seat before: not the player who moved before.",
    "other": "All but the current one.",
    "owner": "In whose place a card lies. It fails for a card on the table.",
    "team": "The team of a player; its players, where something is gone through.",
    "top": "The card that was put there last; or so many of them, from the top down. Of groups the first.",
    "bottom": "The card that was put there first; or so many of them. Of groups the last.",
    "actual": "The card itself that a memory notes: the same as without this word.",
    "max": "The card that scores most; among equals one by lot.",
    "min": "The card that scores least; among equals one by lot.",
    "union": "Cards of several places, one after the other.",
    "intersect": "Cards that are in all of them.",
    "disjunction": "Cards that are in exactly one of them.",
    "filter": "Those members that pass a test, in which 'NAME is the member.",
    "run": "As many cards at one end as make a run in any order, if that many or more.",
    "sort": "Cards by their score, the lowest first.",
    "tuples": "All groups of so many cards of equal score: pairs, triples.",
    "partition": "Groups of cards that share an attribute, as all of a suit.",
    "subsets": "Every selection of cards, also that of none.",
    "runs": "Groups of cards whose scores follow each other: all of them, or those that cannot be made longer.",
    "vloc": "A place that everybody sees: tricks, open piles, what somebody has won.",
    "iloc": "A place that its owner sees: a hand. On the table nobody sees it.",
    "hloc": "A place that nobody sees into: the stock, cards face down.",
    "oloc": "A place that all but its owner see.",
    "mem": "A memory: it notes cards, which stay where they are. Everybody sees it.",
    "sto": "A number that is kept, of the table, a player or a team. 0 until it is set. Everybody sees it.",
    "str": "A name that is kept. Nothing until it is set, which is not NONE. Everybody sees it.",
    "points": "A point map: what cards score. Worked out when it is set; awards add up.",
    "player": "All players; after (current, (next and the like that player.",
    "players": "How many play: a number, or (create players 2 .. 5) where the table may choose.",
    "teams": "Who is with whom: players are counted from 0. Without it everybody is a team of one.",
    "pass": "Stands in (turn pass): nothing, as an option.",
    "using": "Says by which point map cards are compared or counted.",
    "largest": "In runs: only those that cannot be made longer.",
    "faro": "Shuffles two places into one, a card of each in turn.",
    "new": "Kept by the language.",
    "+": "The sum.",
    "-": "The difference. A number below zero is written (- 0 1).",
    "*": "The product.",
    "//": "Divided, and cut off towards zero. By 0 it breaks the match off.",
    "%": "What is left over when it is divided.",
    "^": "To the power of.",
    "==": "Whether two are the same. Two cards are if they are one and the same card: compare (cardatt RANK ...) else.",
    "!=": "Whether two are not the same.",
    "<": "Less than.",
    ">": "More than.",
    "<=": "At most.",
    ">=": "At least.",
}
_FORMS = {
    "player": "(current player) or (all player 'P STEP)",
    "players": "(create players 2 .. 4)",
    "teams": "(create teams (0, 2) (1, 3))",
    "pass": "(turn pass)",
    "using": "(max CARDS using (game points NAME))",
    "largest": "(runs largest NUMBER CARDS using (game points NAME))",
    "faro": "(shuffle faro PLACE PLACE)",
}


def words() -> list[Word]:
    """Return all words and signs of the language."""
    return [
        Word(name, tuple(forms(SHAPES.get(name, "") or _FORMS.get(name, ""))), means) for name, means in _MEANS.items()
    ]


def forms(shape: str) -> Iterator[str]:
    """Yield the brackets of a shape: "(turn pass), (let A 'B) or (do (C))" has three."""
    depth = start = 0
    for place, char in enumerate(shape):
        if char == "(":
            start = place if depth == 0 else start
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                yield shape[start : place + 1]


def _snippet(form: str) -> str:
    number = count(1)  # gaps of one number would be filled in together
    inside = re.sub(r" ?\.\.\.", "", form[1:-1])
    return _GAPS.sub(lambda gap: _gap(next(number), gap[0]), inside)


def _gap(number: int, what: str) -> str:
    return f"'${{{number}:X}}" if what.startswith("'") else f"${{{number}:{what}}}"
