"""A game made from a text in RECYCLE, and the header of such a text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from games.core import BadOption, Chance, Game, RandomBot
from games.core.game import TextNumber
from games.core.messages import message, quoted
from games.core.options import Options
from games.core.state import Keeps
from games.core.view import Drawing, Sentence, word
from games.core.words import languages
from games.recycle.bots import HouseBot
from games.recycle.compiler import Program, compile_game
from games.recycle.encoding import RecycleEncoder
from games.recycle.example import beginning, example
from games.recycle.explain import LONGEST_PAGE, LONGEST_WITH_WORDING, exact_wording, explain, introduced
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from games.recycle.numbers import numbers, with_numbers
from games.recycle.phrase_book import Book
from games.recycle.place_names import PlaceNames, with_places
from games.recycle.problems import BadText, Problem, Source
from games.recycle.reader import read as read_text
from games.recycle.reader.blocks import standard_text
from games.recycle.reader.syntax import tokens
from games.recycle.rules import Observation, RecycleState
from games.recycle.table import render
from games.recycle.teaching import counters, tips
from games.recycle.tree import Node, Number, Range, Span

MACHINE = "1"  # changed whenever a text that did not change may play otherwise
MOST_PLAYERS = 20

# Trailing blanks are stripped, not matched: on a line full of blanks a match would backtrack over each of them.
_LINE = re.compile(r"\s*;;+\s*([A-Z][a-z]+)\s*:(.*)")
_MORE = re.compile(r"\s*;;+\s{3,}(\S.*)")


class RecycleGame(Game):
    """A text in RECYCLE, with its table file and its introductions if it has them."""

    bots = (HouseBot, RandomBot)
    views_need = "log"  # the order in which cards of a trick were played is kept together with the log

    def __init__(self, name: str, text: str, table: str = "", *introductions: str) -> None:
        """Make a game of a text. Raises BadText, BadTableFile.

        ``introductions``: what a newcomer reads before the rules, in English and in each of ``languages()``, or "".
        """
        self.name, self.text, self.table, self.introductions = name, text, table, introductions
        self.source = Source(text, f"{name}.rcy")
        self.tree = read_text(text, self.source.name)
        self.labels = Labels.read(table)
        self.pictures = self.labels.pictures
        self.about = {**counters(self.tree, self.labels, text), **self.labels.about}
        self.facts = header(text)
        self.title = self.facts.get("Title", name.replace("-", " ").capitalize())
        self.summary = self.facts.get("Summary", word("A game written in RECYCLE."))
        self.tips = tips(self.tree, self.labels, self.summary)
        self.kind = self.facts.get("Kind", "")
        minutes = self.facts.get("Minutes", "")
        self.minutes = int(minutes) if minutes.isdecimal() and len(minutes) < 5 else 10
        # Not how it is laid out, nor what its comments say.
        said = " ".join(filter(None, (*tokens(text), standard_text(text))))
        self.rules_version = f"{MACHINE}.{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        self.min_seats, self.max_seats = _seats(self.tree.players, self.source)
        self.default_seats = usual_seats(self.min_seats, self.max_seats)
        self._programs: dict[int, Program] = {}
        self._pages: dict[str, str] = {}  # the rules page in each language
        self._words: dict[str, Mapping[str, str]] = {}
        self.program(self.min_seats)  # refuse a text that is too large immediately

    def __reduce__(self) -> tuple[Any, ...]:
        return read, (self.name, self.text, self.table, *self.introductions)

    def program(self, seats: int) -> Program:
        """Return the text compiled for so many players. Raises BadText."""
        if seats not in self._programs:
            program = compile_game(self.tree, seats, self.source, self.labels)
            program.sent_as = _program, (seats, self.name, self.text, self.table, *self.introductions)
            self._programs[seats] = program
        return self._programs[seats]

    def words(self, language: str) -> Mapping[str, str]:
        if language not in self._words:
            known = super().words(language)  # none in English
            self._words[language] = with_places(known, *self.place_words(language), language) if known else known
        return self._words[language]

    def place_words(self, language: str) -> tuple[dict[str, str], list[str]]:
        """Return what the places of the text are called, by the English phrase, and all these phrases."""
        names = PlaceNames(Survey(self.tree).place_names(), self.labels, Book(language))
        return names.translated(super().words(language)), names.phrases

    def rules_page(self, language: str = "en") -> str:
        if language not in self._pages:
            page = self.explained(language, self.example(language))
            introduction = dict(zip(("en", *languages()), self.introductions, strict=False)).get(language, "")
            self._pages[language] = introduced(introduction, page, language) if introduction else page
        return self._pages[language]

    @cached_property
    def begun(self) -> list[Sentence]:
        """The log of the beginning of a match: the example of the rules page."""
        return beginning(self)

    def example(self, language: str) -> list[str]:
        """Return the beginning of a match as Markdown, with its cards as pictures."""
        pictures = self.program(self.default_seats).faces.pictures() if self.begun else {}
        return example(self, self.begun, language, pictures)

    def explained(self, language: str = "en", begun: Sequence[str] = ()) -> str:
        """Return the rules page that is made from the text. ``begun``: the beginning of a match."""
        facts = {"Summary": self.summary, **self.facts, "Title": self.title}
        return f"{explain(self.tree, self.labels, facts, language, begun).rstrip()}\n\n{self._exact}"

    @cached_property
    def _exact(self) -> str:
        return exact_wording(self.tree, self.labels, LONGEST_WITH_WORDING - LONGEST_PAGE)

    def numbers(self) -> Mapping[str, TextNumber]:
        return numbers(self.text)

    def with_numbers(self, values: Mapping[str, int]) -> RecycleGame:
        if unknown := [name for name in values if name not in self.numbers()]:
            raise BadOption(message("This text has no number {name} that can be varied.", name=quoted(unknown[0])))
        try:
            return read(self.name, with_numbers(self.text, values), self.table)
        except BadText as bad:
            line, _ = bad.source.line_and_column(bad.problems[0].at.start)
            raise BadOption(message("Line {line}: {text}", line=line, text=bad.problems[0].text)) from None

    def start(self, seats: int, options: Options, chance: Chance) -> RecycleState:
        return RecycleState(self.program(seats), chance)

    def start_keeping(self, keeps: Keeps, seats: int, options: Options, chance: Chance) -> RecycleState:
        return RecycleState(self.program(seats), chance, keeps)

    def encoder(self, seats: int, options: Options) -> RecycleEncoder:
        return RecycleEncoder(self.program(seats))

    def render(self, observation: Observation) -> Drawing:
        return render(observation, self.program(observation.seats))


def usual_seats(fewest: int, most: int) -> int:
    """Return how many play a text unless somebody chooses otherwise: three, if so many can."""
    return min(max(fewest, 3), most)


def header(text: str) -> dict[str, str]:
    """Return the comments ``;; Key: value`` before the first bracket, by key. An indented line continues the one above.

    >>> header(";; Title: Agram\\n;; Players: 2-5\\n(game")
    {'Title': 'Agram', 'Players': '2-5'}
    """
    found: dict[str, str] = {}
    key = ""
    for line in text.lstrip("\ufeff").splitlines():
        if line.lstrip().startswith("("):
            break
        if match := _LINE.match(line):
            key = match[1]
            found.setdefault(key, match[2].strip())
        elif key and (more := _MORE.match(line)):
            found[key] += f" {more[1].rstrip()}"
        else:
            key = ""
    return found


@lru_cache(maxsize=64)
def read(name: str, text: str, table: str = "", *introductions: str) -> RecycleGame:
    """Return the game of a text. Raises BadText, BadTableFile."""
    return RecycleGame(name, text, table, *introductions)


def _program(seats: int, *game: str) -> Program:
    """Return a program that was sent from another process. ``game``: the arguments of ``read``."""
    return read(*game).program(seats)


def _seats(players: object, source: Source) -> tuple[int, int]:
    low, high = (players.low, players.high) if isinstance(players, Range) else (players, players)
    if isinstance(low, Number) and isinstance(high, Number) and 1 <= low.value <= high.value <= MOST_PLAYERS:
        return low.value, high.value
    at = players.at if isinstance(players, Node) else Span(0, 0)
    text = message(
        "How many players there are is a number from 1 to {most}, or a range of such numbers.", most=MOST_PLAYERS
    )
    raise BadText(source, [Problem("error", at, text, message("Write (create players 4) or (create players 2 .. 5)."))])
