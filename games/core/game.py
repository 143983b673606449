"""Game: the facts of a game, the way to start it, and the one way out of its states.

A game is a folder: ``rules.py`` (facts, observation, state), ``table.py`` (how an observation is drawn), ``bots.py``,
``game.py`` (the ``Game``, as ``GAME``) and ``rules.md``, the page players read.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from games.core.bot import Bot
from games.core.chance import Chance
from games.core.moves import BadOption
from games.core.options import Option, Options, OptionValue
from games.core.state import LONGEST_PLAYOUT, Moment, State
from games.core.story import Story
from games.core.teaching import USUAL, Teaching, Tip, usual_reason, usual_tips
from games.core.view import Drawing, Piece, Result, Text, View, plain, say, seat_arg
from games.core.words import catalogue, in_language

LogRow = dict[str, int | float | str]  # by column, in the order of the columns


class RigPolicy(Protocol):
    """How an administrator may stack a game in favour of one seat, over a series at one table."""

    @property
    def ways(self) -> Mapping[str, str]:
        """The ways there are to stack it, each with what an administrator is told of it; the first is the usual one."""

    def options(
        self, favourite: int, honest_games: int, won: Sequence[Sequence[int]], way: str = ...
    ) -> dict[str, OptionValue]:
        """Return the secret options for the next match of a series ({}: deal it honestly).

        ``won`` lists the seats that won each match of the series so far. Raises BadOption for a way there is not.
        """


class DailyDeal(Protocol):
    """One deal a day, the same for everybody. A table that plays it cannot be sealed: see ``seed``."""

    def options(self, day: date) -> dict[str, OptionValue]:
        """Return the options of that day's match."""

    def seed(self, day: date, secret: bytes) -> bytes:
        """Return the seed of that day's match, 32 bytes.

        ``secret`` is the house's own, so that nobody can deal tomorrow's match at home. As long as the day lasts the
        seed tells every card to whoever has not played yet: it must not be published before.
        """


class Game(ABC):
    """The facts of a game, and the way to start it.

    One object a game: ``GAME`` in its folder's ``game.py``, where ``games.catalogue`` finds it. It is handed to another
    process by name; a game that is made of a text while the house runs is handed over as that text (``__reduce__``).
    """

    name: str  # in paths, URLs and on the command line: the name of its folder
    title: str
    summary: str  # one sentence for the lobby
    rules_version: str  # another text whenever equal seeds and moves may give another match
    min_seats: int
    max_seats: int
    default_seats: int
    minutes: int  # how long a match among people takes
    longest: int = 10_000  # decisions after which a match is given up: far more than any sensible one has
    options: tuple[Option, ...] = ()
    bots: tuple[type[Bot], ...]  # the first is the house bot: it takes empty seats and stands in
    guide: type[Bot] | None = None  # a quick bot, if searches do better to play on with it than at random
    guided: int = LONGEST_PLAYOUT  # decisions for which they do, before the rest is at random
    tips: Sequence[Tip] = ()  # of a first match, in their order; none: those that suit any game
    about: Mapping[str, Text] = {}  # by sign (``games.core.teaching``) what things at its table mean, beyond the usual
    rig: RigPolicy | None = None  # None: cannot be rigged
    daily: DailyDeal | None = None  # None: has no deal of the day
    story: Story | None = None  # None: none is played at its tables
    kind: str = ""  # what sort of game it is, in a word by which people look for it: "trick-taking"
    listed: bool = True  # in the lobby; otherwise for those who know its name
    featured: bool = False  # stands first
    watched: bool = True  # good to watch when bots play it: one of those that take turns at the house table
    text: str = ""  # of which it is made, if it is made of one that people write
    untrusted: bool = False  # its rules must not run in a process that serves people: a visitor has written them

    def __reduce__(self) -> str | tuple[Any, ...]:
        return "GAME"

    @property
    def folder(self) -> Path:
        """Where the game's own files are: ``rules.md``, and its pictures if it has any."""
        return Path(inspect.getfile(type(self))).parent

    def rules_page(self, language: str = "en") -> str:
        """Return the page players read, as Markdown; in English where nobody has written it in that language."""
        return in_language(self.folder / "rules.md", language).read_text(encoding="utf-8")

    def words(self, language: str) -> Mapping[str, str]:
        """Return what this game says in a language by its English template, without what is not translated."""
        return catalogue(language, "games/core", f"games/{self.folder.name}")

    def teaching(self) -> Teaching:
        """Return what its table teaches: the game's own tips, else those that suit any; and what all there means."""
        return Teaching(tips=list(self.tips) or usual_tips(self.summary), about={**USUAL, **self.about})

    # -- a match begins

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Return the first position where somebody is to act. The arguments must be good: see ``new``.

        Raises BadOption for options that contradict each other.
        """

    def new(self, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Check seats and options, fill in defaults and start. Raises BadOption."""
        return self.start(self.check_seats(seats), self.check_options(options), chance)

    # -- what an audience sees

    @abstractmethod
    def render(self, observation: Any) -> Drawing:
        """Put an observation into the table vocabulary. Reads nothing but the observation and the game's facts."""

    def why_not(self, observation: Any, touched: str) -> Text | None:
        """Return why what a player has touched is no part of a legal move, in a player's words; None: no idea.

        ``touched`` is ``piece:ID``, ``zone:ID`` or ``seat:N`` of what is drawn. Reads nothing but the observation and
        the game's facts, as ``render``.
        """
        return usual_reason(self.render(observation), touched)

    def view(self, state: State[Any], seat: int | None, *, decision: int = 0, face_up: bool = False) -> View:
        """Return what ``seat`` (None: a watcher) may see, as plain data. The one way out of a state.

        ``decision`` counts the seat's decisions so far.
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
        """Return an observation as a view: what the game draws, and what all views have in common."""
        drawing = self.render(observation)
        view: View = {
            "game": self.name,
            "seat": seat,
            "to_act": list(to_act),
            "decision": decision,
            "over": not to_act,
            **drawing,  # type: ignore[typeddict-item]  # without the outcome, which goes into the result
        }
        outcome: Text | None = view.pop("outcome", None)  # type: ignore[typeddict-item]
        if not to_act:
            outcome = outcome or _outcome(winners)
            view["result"] = Result(scores=list(scores), winners=list(winners), text=outcome)
        return view

    def view_of_moment(self, moment: Moment, seat: int | None, *, decision: int = 0, face_up: bool = False) -> View:
        """Return what ``seat`` (None: a watcher) may see of a moment in the middle of a move: nobody is to act."""
        view = self.view_of(moment.position.observe(seat, face_up=face_up), seat, (), decision=decision)
        view.pop("result", None)
        view.pop("paths", None)
        view["over"], view["prompt"], view["moves"] = False, moment.text, []
        return view

    # -- a match as a table

    def log_rows(
        self, seats: int, options: Options, chance: Chance, moves: Sequence[tuple[int, str]]
    ) -> Iterator[LogRow]:
        """Play a match again, from equal chance, and yield it as a table: a row for the start and one a move.

        After the scores a row has what a watcher sees then: see ``lying_open``. A game may have columns of its own;
        ``round_id`` counts the moves.
        """
        state = self.start(seats, options, chance)
        state.lines = None

        def now() -> LogRow:
            scores: LogRow = {f"player_{seat}_score": score for seat, score in enumerate(state.scores())}
            return scores | lying_open(self.view(state, None))

        yield {"round_id": 0, **now()}
        for count, (seat, move) in enumerate(moves, 1):
            state.apply(seat, move)
            yield {"round_id": count, "active_player": seat, "move": move, **now()}

    # -- what is asked for, checked

    @property
    def seats_in_words(self) -> str:
        """How many may play: "2 to 6 seats", "3 seats"."""
        if self.min_seats == self.max_seats:
            return "1 seat" if self.max_seats == 1 else f"{self.max_seats} seats"
        return f"{self.min_seats} to {self.max_seats} seats"

    def check_seats(self, seats: int) -> int:
        """Return ``seats`` if the game takes so many. Raises BadOption."""
        if not self.min_seats <= seats <= self.max_seats:
            raise BadOption(f"{self.title} takes {self.seats_in_words}, not {seats}.")
        return seats

    def check_options(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Return a value for every option of the game. Raises BadOption for unknown names and bad values."""
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise BadOption(f"{self.title} has no option {name[:40]!r}. It has: {', '.join(known) or 'none'}.")
        return {name: option.parse(options.get(name, option.default)) for name, option in known.items()}

    def bot(self, name: str) -> Bot:
        """Return a bot of that kind. Raises BadOption, listing the kinds there are."""
        for kind in self.bots:
            if kind.name == name:
                return kind()
        raise BadOption(f"{self.title} has no bot {name[:40]!r}. It has: {', '.join(k.name for k in self.bots)}.")


def lying_open(view: View) -> LogRow:
    """Return what lies on a table as columns: the counters of each seat, and the pieces at each place by its id.

    A piece is its label if it has one, else its face, and ``?`` if it lies face down; the marks of a place follow in
    brackets. Of a pile that lies face down only its size is told.
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


def _outcome(winners: Sequence[int]) -> Text:
    """Say how a match ended, for games that do not say it better."""
    if len(winners) == 1:
        return say("{seat} wins", seat=seat_arg(winners[0]))
    return say("{count} players share the win", count=len(winners)) if winners else say("Nobody wins")
