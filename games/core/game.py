"""Game: the facts of a game, how a match starts, and the only way to get a view of a state.

A game is a folder: ``rules.py`` (facts, observation, state), ``table.py`` (how an observation is drawn), ``bots.py``,
``game.py`` (the ``Game``, as ``GAME``) and ``rules.md``, the page players read.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from games.core.bot import Bot
from games.core.chance import Chance
from games.core.encoding import Encoder
from games.core.handicap import OPTION, Handicap
from games.core.messages import Message, message, quoted
from games.core.moves import BadOption
from games.core.options import Option, Options, OptionValue
from games.core.state import LONGEST_ROLLOUT, Keeps, Moment, State
from games.core.story import Story
from games.core.teaching import USUAL, Teaching, Tip, usual_reason, usual_tips
from games.core.view import Drawing, MatchResult, OwnPicture, Piece, Sentence, View, plain, say, seat_arg
from games.core.words import catalogue, in_language

EXACT_WORDING = "The exact wording"  # the title of the last section of a generated rules page, which the site folds

LogRow = dict[str, int | float | str]  # by column name, in column order


class TextNumber(NamedTuple):
    """A number in the source of a game that may be varied: see ``Game.numbers``."""

    name: str  # as its author calls it, or its line and column
    value: int
    start: int  # where it stands in the source
    end: int
    around: str  # the piece of the source around it, in one line

    @property
    def is_declared(self) -> bool:
        """Whether its author gave it a name."""
        return ":" not in self.name


class RigPolicy(Protocol):
    """How an administrator may stack a game in favour of one seat, over a series of matches at one table."""

    @property
    def ways(self) -> Mapping[str, str]:
        """The ways to stack the game, each with its description for administrators; the first is the default."""

    @property
    def noticed(self) -> Mapping[str, str]:
        """For each way, how often it works and how players could notice it, for administrators."""

    def options(
        self, favourite: int, honest_games: int, won: Sequence[Sequence[int]], way: str = ...
    ) -> dict[str, OptionValue]:
        """Return the secret options for the next match of a series; {} deals it honestly.

        ``won`` lists the winning seats of each match of the series so far. Raises BadOption for an unknown ``way``.
        """


class DealOfTheDay(Protocol):
    """The deal of the day: one deal, the same for everybody. Its matches cannot be sealed: see ``seed``."""

    def options(self, day: date) -> dict[str, OptionValue]:
        """Return the options of that day's match."""

    def seed(self, day: date, secret: bytes) -> bytes:
        """Return the 32-byte seed of that day's match.

        ``secret`` belongs to the site, so that nobody else can compute the deal of a future day. The seed reveals every
        card, so it must not be published before the day is over.
        """


class Game(ABC):
    """The facts of a game, and how a match starts.

    There is one instance per game: ``GAME`` in its folder's ``game.py``, where ``games.catalogue`` finds it. It is
    pickled by name. A game made from a text is pickled as that text (see ``__reduce__``), so that any process can load
    it.
    """

    name: str  # the name of its folder; used in paths, URLs and on the command line
    title: str
    summary: str  # one sentence for the lobby
    rules_version: str  # change it whenever the same seed and moves may give a different match
    min_seats: int
    max_seats: int
    default_seats: int
    minutes: int  # the usual length of a match between people
    longest: int = 10_000  # decisions after which a match is abandoned: far more than any reasonable match has
    views_need: Keeps = "sight"  # what a match must keep for its views to show all that they show at a table
    options: tuple[Option, ...] = ()
    handicap: Handicap | None = None  # what a seat may start with, more or less than usual; None: nothing else
    bots: tuple[type[Bot], ...]  # the first is the house bot
    guide: type[Bot] | None = None  # a fast bot for roll-outs, if it gives better searches than random moves
    guided: int = LONGEST_ROLLOUT  # decisions a roll-out makes with the guide before it continues at random
    tips: Sequence[Tip] = ()  # for a player's first match, in order; if empty, general tips are used
    pictures: Mapping[str, OwnPicture] = {}  # that its author drew, by the symbols of pieces
    about: Mapping[str, Sentence] = {}  # meanings of signs (``games.core.teaching``), in addition to the usual ones
    rig: RigPolicy | None = None  # None: cannot be stacked
    daily: DealOfTheDay | None = None  # None: no deal of the day
    story: Story | None = None  # None: no story
    kind: str = ""  # the genre people search for, such as "trick-taking"
    listed: bool = True  # in the lobby; otherwise only reachable by name
    featured: bool = False  # shown first in the lobby
    watched: bool = True  # worth watching: the site's own bots play it at the house table
    text: str = ""  # the source of a game written in RECYCLE
    untrusted: bool = False  # written by a visitor: its rules must not run in a process that serves people

    def __reduce__(self) -> str | tuple[Any, ...]:
        return "GAME"

    @property
    def folder(self) -> Path:
        """The folder with the game's files: ``rules.md``, and its pictures if there are any."""
        return Path(inspect.getfile(type(self))).parent

    def rules_page(self, language: str = "en") -> str:
        """Return the rules page for players, as Markdown; in English if there is no translation.

        A section with the title ``EXACT_WORDING`` is the last one. The site folds it.
        """
        return in_language(self.folder / "rules.md", language).read_text(encoding="utf-8")

    def words(self, language: str) -> Mapping[str, str]:
        """Return the translations of this game's sentences, by English template, without untranslated ones."""
        return catalogue(language, "core", self.folder.name)

    def teaching(self) -> Teaching:
        """Return the tips and meanings its table shows; general tips if the game has none of its own."""
        return Teaching(tips=list(self.tips) or usual_tips(self.summary), about={**USUAL, **self.about})

    # -- other values of its numbers

    def numbers(self) -> Mapping[str, TextNumber]:
        """Return the numbers of its source that may be varied, by name; none for a game that is not a text."""
        return {}

    def with_numbers(self, values: Mapping[str, int]) -> Game:
        """Return the game in which some of its numbers have other values. Raises BadOption, also if it is no game."""
        raise BadOption(
            message("{game} has no numbers that can be varied: it is not written as a text.", game=self.title)
        )

    # -- a match begins

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Return the first position in which a player is to act. The arguments must be valid: see ``new``.

        Raises BadOption for options that contradict each other.
        """

    def start_keeping(self, keeps: Keeps, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Start a match of which only so much is kept: see ``State.keep``. The same match as ``start`` gives.

        A game overrides this if it saves time not to keep the log of the deal in the first place.
        """
        return self.start(seats, options, chance).keep(keeps)

    def new(self, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Check seats and options, fill in defaults and start. Raises BadOption."""
        return self.start(self.check_seats(seats), self.check_options(options), chance)

    def encoder(self, seats: int, options: Options) -> Encoder:
        """Return what writes positions of such matches as numbers, for training agents."""
        raise NotImplementedError(f"{self.title} has no encoder: write one in encoding.py in its folder.")

    # -- what an audience sees

    @abstractmethod
    def render(self, observation: Any) -> Drawing:
        """Return an observation in the table vocabulary. Uses only the observation and the game's facts."""

    def why_not(self, observation: Any, touched: str) -> Sentence | None:
        """Return why the touched thing is not part of a legal move, as a sentence for players; None if unknown.

        ``touched`` is ``piece:ID``, ``zone:ID`` or ``seat:N`` of something drawn. Uses only the observation and the
        game's facts, as ``render`` does.
        """
        return usual_reason(self.render(observation), touched)

    def view(self, state: State[Any], seat: int | None, *, decision: int = 0, face_up: bool = False) -> View:
        """Return what ``seat`` (None: a spectator) may see, as plain data. This is the only way out of a state.

        ``decision`` is the number of decisions the seat has made.
        """
        to_act = state.to_act()
        scores = () if to_act else state.scores()
        winners = () if to_act else state.winners()
        return self.view_of(state.observe(seat, face_up=face_up), seat, to_act, scores, winners, decision=decision)

    def view_of(
        self,
        observation: Any,
        seat: int | None,
        to_act: Sequence[int],
        scores: Sequence[float] = (),
        winners: Sequence[int] = (),
        *,
        decision: int = 0,
    ) -> View:
        """Return an observation as a view: what the game draws, plus the fields that all views share."""
        drawing = self.render(observation)
        view: View = {
            "game": self.name,
            "seat": seat,
            "to_act": list(to_act),
            "decision": decision,
            "over": not to_act,
            **drawing,  # type: ignore[typeddict-item]  # without the outcome, which goes into the result
        }
        outcome: Sentence | None = view.pop("outcome", None)  # type: ignore[typeddict-item]
        if not to_act:
            outcome = outcome or _outcome(winners)
            view["result"] = MatchResult(scores=list(scores), winners=list(winners), text=outcome)
        return view

    def view_of_moment(self, moment: Moment, seat: int | None, *, decision: int = 0) -> View:
        """Return what ``seat`` (None: a spectator) may see at a moment within a move, when nobody is to act."""
        view = self.view_of(moment.position.observe(seat), seat, (), decision=decision)
        view.pop("result", None)
        view.pop("paths", None)
        view["over"], view["prompt"], view["moves"] = False, moment.text, []
        return view

    # -- a match as a table

    def log_rows(
        self, seats: int, options: Options, chance: Chance, moves: Sequence[tuple[int, str]]
    ) -> Iterator[LogRow]:
        """Replay a match and yield it as a table: one row for the start and one for each move.

        After the scores, a row contains what a spectator sees: see ``visible_columns``. A game may define columns of
        its own. ``round_id`` counts the moves.
        """
        state = self.start_keeping(self.views_need, seats, options, chance)

        def now() -> LogRow:
            scores: LogRow = {f"player_{seat}_score": score for seat, score in enumerate(state.scores())}
            return scores | visible_columns(self.view(state, None))

        yield {"round_id": 0, **now()}
        for count, (seat, move) in enumerate(moves, 1):
            state.apply(seat, move)
            yield {"round_id": count, "active_player": seat, "move": move, **now()}

    # -- checking seats, options and bots

    @property
    def seats_in_words(self) -> Message:
        """The allowed numbers of seats: "2 to 6 seats", "3 seats"."""
        if self.min_seats == self.max_seats:
            return message("1 seat") if self.max_seats == 1 else message("{n} seats", n=self.max_seats)
        return message("{low} to {high} seats", low=self.min_seats, high=self.max_seats)

    def check_seats(self, seats: int) -> int:
        """Return ``seats`` if the game allows that number. Raises BadOption."""
        if not self.min_seats <= seats <= self.max_seats:
            text = message("{game} takes {seats}, not {n}.", game=self.title, seats=self.seats_in_words, n=seats)
            raise BadOption(text)
        return seats

    def check_options(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Return a value for every option of the game, and the handicaps if a seat has one.

        Raises BadOption for unknown names and bad values.
        """
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known and not (name == OPTION and self.handicap):
                text = message(
                    "{game} has no option {name}. It has: {known}.",
                    game=self.title,
                    name=quoted(name),
                    known=", ".join(known) or message("none"),
                )
                raise BadOption(text)
        values = {name: option.parse(options.get(name, option.default)) for name, option in known.items()}
        given = self.handicap.parse(options.get(OPTION, "")) if self.handicap else ""
        return {**values, OPTION: given} if given else values

    @property
    def house_bot(self) -> str:
        """The name of the bot that fills empty seats and stands in for absent players."""
        return self.bots[0].name

    def bot(self, name: str) -> Bot:
        """Return a bot by name. Raises BadOption, listing the game's bots."""
        for kind in self.bots:
            if kind.name == name:
                return kind()
        known = ", ".join(kind.name for kind in self.bots)
        text = message("{game} has no bot {name}. It has: {known}.", game=self.title, name=quoted(name), known=known)
        raise BadOption(text)


def visible_columns(view: View) -> LogRow:
    """Return what is visible on a table as columns: the counters of each seat, and the pieces of each place.

    A piece is written as its label if it has one, else as its face, or as ``?`` if it is face down; the marks of a
    place follow in brackets. A face-down pile has only a size.
    """
    row: LogRow = {}
    for seat in view["seats"]:
        row |= {f"player_{seat['seat']}_{counter['id']}": counter["value"] for counter in seat["counters"]}
    for zone in view["zones"]:
        if "size" in zone:
            row[f"{zone['id']} size"] = zone["size"]
        if "size" not in zone or any("face" in piece for piece in zone["pieces"]):
            row[zone["id"]] = _pieces(zone["pieces"])
    spaces = [space for track in view.get("tracks", []) for space in track["spaces"]]
    for space in spaces + [cell for grid in view.get("grids", []) for cell in grid["cells"]]:
        marks = f" [{' '.join(space['marks'])}]" if space["marks"] else ""
        row[space["id"]] = _pieces(space["pieces"]) + marks
    return row


def _pieces(pieces: Sequence[Piece]) -> str:
    return " ".join(plain(piece["label"], ()) if "label" in piece else piece.get("face", "?") for piece in pieces)


def _outcome(winners: Sequence[int]) -> Sentence:
    """Return how a match ended, for games that do not describe it themselves."""
    if len(winners) == 1:
        return say("{seat} wins", seat=seat_arg(winners[0]))
    return say("{count} players share the win", count=len(winners)) if winners else say("Nobody wins")
