"""Descriptions of visitors' games, from which the site answers questions without reading their texts.

``describe`` runs in the sandbox, during the trial of a text. Its result is stored with the version, and a
``DescribedGame`` answers from it everything that a page or the match server asks of a game. The rules themselves run in
worker processes: a described game that is pickled becomes the playable one where it is unpickled.

Nothing here imports Django.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
from msgspec import Meta

from games import core
from games.core import Chance, Game
from games.core.game import EXACT_WORDING
from games.core.messages import message, quoted
from games.core.options import Options
from games.core.teaching import LONGEST, MOST, tip
from games.core.view import Drawing, Sentence, say
from games.core.words import LOCALE, languages
from games.recycle.explain import LONGEST_WITH_WORDING
from games.recycle.game import MACHINE, MOST_PLAYERS, RecycleGame, read
from games.recycle.place_names import with_places

TITLE_LENGTH, SUMMARY_LENGTH, KIND_LENGTH = 80, 300, 30  # characters
MOST_MINUTES = 999
LONGEST_SIGN = 100  # characters of a sign: what a tip or a meaning is about
MOST_SIGNS = 9  # signs that one tip may require
MOST_MEANINGS = 300
MOST_PHRASES = 1_000

Sign = Annotated[str, Meta(max_length=LONGEST_SIGN)]
ShortText = Annotated[str, Meta(max_length=LONGEST)]
Rules = Annotated[str, Meta(max_length=LONGEST_WITH_WORDING)]
Language = Annotated[str, Meta(max_length=10)]
Seats = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]


class PlayedElsewhere(RuntimeError):
    """The rules of a visitor's game were used in a process that serves people."""


class DescribedTip(msgspec.Struct):
    """A tip of a first match: see ``games.core.teaching``."""

    id: Sign
    at: Sign
    text: ShortText
    when: Annotated[list[Sign], Meta(max_length=MOST_SIGNS)]


class Description(msgspec.Struct):
    """What is stored of a game. All its texts come from a visitor: of limited length, plain text or Markdown."""

    edition: str  # of the code that described it: see ``edition``; "" if only the head is known
    unreadable: Annotated[str, Meta(max_length=8_000)]  # why that code can no longer compile the text: a stored Message
    title: Annotated[str, Meta(max_length=TITLE_LENGTH)]
    summary: Annotated[str, Meta(max_length=SUMMARY_LENGTH)]
    kind: Annotated[str, Meta(max_length=KIND_LENGTH)]
    minutes: Annotated[int, Meta(ge=1, le=MOST_MINUTES)]
    min_seats: Seats
    max_seats: Seats
    default_seats: Seats
    rules_version: Annotated[str, Meta(max_length=64)]
    rules: Rules
    tips: Annotated[list[DescribedTip], Meta(max_length=MOST)]
    about: Annotated[dict[Sign, ShortText], Meta(max_length=MOST_MEANINGS)]
    translated: dict[Language, Rules] = {}  # the rules by language, without their exact wording, which is in English
    # What its places are called inside an English sentence, and these phrases in other languages.
    phrases: Annotated[list[ShortText], Meta(max_length=MOST_PHRASES)] = []
    places: dict[Language, Annotated[dict[ShortText, ShortText], Meta(max_length=MOST_PHRASES)]] = {}


def describe(game: RecycleGame) -> dict[str, Any]:
    """Return the description of a game as plain data. Raises ValueError, with a Message that says what is too long."""
    _require_fit(game)
    places = {language: game.place_words(language) for language in languages()}
    found = Description(
        edition=edition(),
        unreadable="",
        title=_one_line(game.title)[:TITLE_LENGTH],
        summary=_one_line(game.summary)[:SUMMARY_LENGTH],
        kind=_one_line(game.kind)[:KIND_LENGTH],
        minutes=max(1, min(game.minutes, MOST_MINUTES)),
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        default_seats=game.default_seats,
        rules_version=game.rules_version,
        rules=_storable(game.rules_page()),
        translated={one: _storable(_parts(game.rules_page(one))[0]) for one in languages()},
        tips=[
            DescribedTip(
                _storable(one["id"]),
                _storable(one["at"]),
                _storable(one["text"]["text"]),
                [_storable(sign) for sign in one.get("when", [])],
            )
            for one in game.tips
        ],
        about={_storable(sign): _storable(text["text"]) for sign, text in game.about.items()},
        phrases=_kept(next(iter(places.values()))[1]),
        places={
            language: dict(zip(_kept(words), _kept(words.values()), strict=True))
            for language, (words, _phrases) in places.items()
        },
    )
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


def _kept(words: Iterable[str]) -> list[str]:
    """Return phrases as they are stored: the first ones, cut to what a sentence may have."""
    return [_storable(word)[:LONGEST] for word in islice(words, MOST_PHRASES)]


def _parts(page: str) -> tuple[str, str]:
    """Return a page of rules without its exact wording, and that section."""
    rules, heading, exact = page.partition(f"\n## {EXACT_WORDING}\n")
    return rules, heading + exact


def _require_fit(game: RecycleGame) -> None:
    """Raise ValueError if a text and its table file explain more than a description can store."""
    if len(game.about) > MOST_MEANINGS:
        raise ValueError(
            message(
                "[about] of the table file and comments of the text explain {n} things. The limit is {most}.",
                n=len(game.about),
                most=MOST_MEANINGS,
            )
        )
    for one in game.tips:
        if len(one.get("when", [])) > MOST_SIGNS:
            raise ValueError(
                message(
                    "In [tips] of the table file, {name} waits for more than {most} signs.",
                    name=quoted(one["id"]),
                    most=MOST_SIGNS,
                )
            )
    of_tips = [name for one in game.tips for name in (one["id"], one["at"], *one.get("when", []))]
    for name in (*of_tips, *game.about):
        if len(name) > LONGEST_SIGN:
            raise ValueError(
                message(
                    "In the table file, {name} is too long. The limit is {most} characters.",
                    name=quoted(name),
                    most=LONGEST_SIGN,
                )
            )


def described(stored: Any) -> Description:
    """Return a description from its plain data. Raises ValueError if the data is invalid."""
    try:
        return msgspec.convert(stored, Description)
    except msgspec.ValidationError as error:
        raise ValueError(f"This is not a description of a game: {error}") from error


def _storable(words: str) -> str:
    """Return a text without NUL characters, which a table file may contain and no database stores."""
    return words.replace("\0", "\ufffd")


def _one_line(words: str) -> str:
    return " ".join(words.split())


@cache  # the code of a process does not change
def edition() -> str:
    """Return a name for what a description depends on beside the text: the compiler, the core, the translations."""
    folders = Path(inspect.getfile(RecycleGame)).parent, Path(core.__file__).parent
    files = [(folder, path) for folder in folders for path in sorted(folder.rglob("*.py"))]
    files += [(LOCALE, path) for path in sorted(LOCALE.glob("*/recycle.po"))]
    code = [part for folder, path in files for part in (bytes(path.relative_to(folder)), path.read_bytes())]
    return hashlib.sha256(b"\0".join(code)).hexdigest()[:16]


def playable(name: str, text: str, table: str) -> RecycleGame:
    """Return the playable game of a visitor's text. Only for worker processes. Raises BadText, BadTableFile."""
    return read(name, text, table)


class DescribedGame(Game):
    """A game of the workshop in a process that serves people: everything but its rules."""

    untrusted = True
    listed = False
    bots = RecycleGame.bots

    def __init__(self, name: str, text: str, table: str, description: Description) -> None:
        """``text`` and ``table`` are compiled in worker processes only; here they are never read."""
        self.name, self.text, self.table = name, text, table
        self.edition = description.edition
        self.title, self.summary, self.kind = description.title, description.summary, description.kind
        self.minutes = description.minutes
        self.min_seats, self.max_seats = description.min_seats, description.max_seats
        self.default_seats = description.default_seats
        # If the language has changed since this was described, its matches are played by other rules.
        self.rules_version = f"{MACHINE}.{description.rules_version.partition('.')[2]}"
        self.tips = [tip(one.id, one.at, say(one.text), *one.when) for one in description.tips]
        self.about: dict[str, Sentence] = {sign: say(sentence) for sign, sentence in description.about.items()}
        self._rules, self._translated = description.rules, description.translated
        self._phrases, self._places = description.phrases, description.places
        self._words: dict[str, Mapping[str, str]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Unpickle as the playable game, in a worker process, which needs no Django for it."""
        return playable, (self.name, self.text, self.table)

    @property
    def folder(self) -> Path:
        return Path(inspect.getfile(RecycleGame)).parent

    def rules_page(self, language: str = "en") -> str:
        if language in self._translated:
            return self._translated[language] + _parts(self._rules)[1]
        return self._rules or "The rules page is being prepared. Reload in a moment.\n"

    def words(self, language: str) -> Mapping[str, str]:
        if language not in self._words:
            places = self._places.get(language, {})
            self._words[language] = with_places(super().words(language), places, self._phrases, language)
        return self._words[language]

    def start(self, seats: int, options: Options, chance: Chance) -> NoReturn:
        raise self._elsewhere()

    def render(self, observation: Any) -> Drawing:
        raise self._elsewhere()

    def _elsewhere(self) -> PlayedElsewhere:
        return PlayedElsewhere(f"A visitor wrote {self.name}. Play it in a worker process, not here.")
