"""Game: the facts of a game. State: a position in it, with all that the rules do.

A game's ``rules.py`` has, in this order: a docstring with the rules in short, the facts (sizes, decks), the
observation, the state (start, to_act, legal_moves, apply, scores, observe, draw, clone, determinize), and last the
``Game``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from games.core.bot import Bot
from games.core.chance import Chance
from games.core.moves import BadOption, IllegalMove
from games.core.view import Line, Motion, Text, View, say
from games.core.view import seat as seat_arg

OptionValue = int | str
Options = Mapping[str, OptionValue]
LogRow = dict[str, int | float | str]  # by column, in the order of the columns
O = TypeVar("O")  # the game's own observation  # noqa: E741


@dataclass(frozen=True)
class Option:
    """Something that may be set before a match: a whole number in a range, several of them, or one of some words.

    ``most`` is for several: the value is a text like "5,3,2" of at most so many numbers, each in the range.
    ``names`` are how people are told of values that do not speak for themselves. ``secret`` options are an
    administrator's: no player or watcher is told of them. ``study`` ones are constants that a study may vary: set from
    the command line, and offered in no form.
    """

    name: str
    label: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    most: int = 0
    names: Mapping[OptionValue, str] = field(default_factory=dict)
    help: str = ""
    secret: bool = False
    study: bool = False

    def shown(self, value: OptionValue) -> str:
        """Return a value of this option as people are told of it."""
        return self.names.get(value, str(value))

    def parse(self, raw: OptionValue) -> OptionValue:
        """Return ``raw``, which may be text from a form or a command line, as a value of this option.

        Raises BadOption, saying what is allowed.
        """
        if self.choices:
            if str(raw) not in self.choices:
                raise BadOption(f"{self.name} must be one of {', '.join(self.choices)}, not {raw!r}.")
            return str(raw)
        if self.most:
            return self._parse_several(str(raw))
        try:
            value = int(raw)
        except ValueError:
            raise BadOption(f"{self.name} must be a whole number, not {raw!r}.") from None
        if not self.low <= value <= self.high:
            raise BadOption(f"{self.name} must be from {self.low} to {self.high}, not {value}.")
        return value

    def _parse_several(self, raw: str) -> str:
        if raw == self.default:
            return raw
        numbers = [int(number) for number in raw.split(",") if number.strip().removeprefix("-").isdecimal()]
        if len(numbers) != raw.count(",") + 1 or len(numbers) > self.most:
            raise BadOption(f"{self.name} must be up to {self.most} whole numbers like 5,3,2, not {raw!r}.")
        if not all(self.low <= number <= self.high for number in numbers):
            raise BadOption(f"{self.name} must be numbers from {self.low} to {self.high}, not {raw!r}.")
        return ",".join(map(str, numbers))


@dataclass(frozen=True)
class Command:
    """What else a game does on the command line: ``python -m games GAME NAME FILE.json`` prints what ``run`` returns.

    ``run`` gets and returns what JSON can hold. It raises BadOption when it cannot use what the file holds.
    """

    name: str
    help: str
    run: Callable[[Any], Any]


class RigPolicy(Protocol):
    """How an administrator may stack a game in favour of one seat, over a series at one table."""

    def options(self, favourite: int, honest_games: int, won: Sequence[Sequence[int]]) -> dict[str, OptionValue]:
        """Return the secret options for the next match of a series ({}: deal it honestly).

        ``won`` lists the seats that won each match of the series so far.
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


class State(ABC, Generic[O]):
    """A position. ``play`` checks a move; ``apply`` does not, and is for callers that took it from ``legal_moves``."""

    seats: int
    chance: Chance
    lines: list[Line] | None  # what happened since the log was last taken; None: nobody reads it

    # -- whose turn, and what may be done

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may move now, ascending; none when the match is over."""

    @abstractmethod
    def legal_moves(self, seat: int) -> list[str]:
        """Return every legal move of ``seat``, in a fixed order; empty when it is not to act."""

    @abstractmethod
    def apply(self, seat: int, move: str) -> None:
        """Make a legal move. What happens for an illegal one is undefined: see ``play``."""

    def play(self, seat: int, move: str) -> None:
        """Check a move and make it. Raises IllegalMove and changes nothing when the rules refuse it."""
        if seat not in self.to_act():
            raise IllegalMove("The match is over." if self.over else "It is not your turn.")
        if move not in self.legal_moves(seat):
            raise IllegalMove(self.why_not(seat, move))
        self.apply(seat, move)

    def why_not(self, seat: int, move: str) -> str:
        """Return why ``move``, which is not legal, is refused, in a player's words."""
        return f"You cannot do {move[:80]!r} now. You may: {', '.join(self.legal_moves(seat)[:12])}."

    # -- the end

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.to_act()

    @abstractmethod
    def scores(self) -> list[float]:
        """Return each seat's score, higher is better. Only a finished match has final ones."""

    # -- what an audience may know

    @abstractmethod
    def observe(self, seat: int | None, *, face_up: bool = False) -> O:
        """Return all that ``seat`` (None: a watcher) may know. The one place where hidden things are told apart.

        ``face_up`` shows every hand: for the replay of a finished sealed match, and for administrators.
        """

    @abstractmethod
    def draw(self, observation: O) -> View:
        """Put an observation into the table vocabulary. Reads nothing but the observation and the game's facts."""

    def view(self, seat: int | None, *, face_up: bool = False) -> View:
        """Return what ``seat`` (None: a watcher) may see, as plain data. The one way out of a state."""
        return self.draw(self.observe(seat, face_up=face_up))

    # -- copies

    def clone(self) -> Self:
        """Return an independent copy with an equal stream of chance and no log."""
        return self.fork(self.chance.clone())

    @abstractmethod
    def fork(self, chance: Chance) -> Self:
        """Return a clone whose future draws come from ``chance``."""

    def twin(self, chance: Chance) -> Self:
        """Return the beginning of a fork: it shares with this state whatever can change, until ``fork`` copies that."""
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin.lines = None
        twin.chance = chance
        return twin

    @abstractmethod
    def determinize(self, seat: int, chance: Chance) -> Self:
        """Return a fork in which all that ``seat`` cannot know is drawn afresh, consistent with what it has seen.

        ``seat``'s own observation stays exactly the same.
        """

    # -- the log

    def tell(
        self,
        kind: str,
        text: Text,
        *,
        seat: int | None = None,
        only: int | None = None,
        motions: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Add a log line. ``only`` keeps it for one seat; ``motions`` are (from, to) zone ids.

        Callers in hot paths test ``self.lines is not None`` first, to save making the text.
        """
        if self.lines is None:
            return
        line: Line = {"kind": kind, "text": text}  # type: ignore[typeddict-item]
        if seat is not None:
            line["seat"] = seat
        if only is not None:
            line["only"] = only
        if motions:
            line["motions"] = [Motion(source=source, target=target) for source, target in motions]
        self.lines.append(line)

    def tell_winners(self, seats: Sequence[int], alone: str) -> None:
        """Say who has won: ``alone`` is the sentence for a sole winner, ``{seat}``; several share the win."""
        text = alone if len(seats) == 1 else "{seat} shares the win."
        for winner in seats:
            self.tell("win", say(text, seat=seat_arg(winner)), seat=winner)


class Game(ABC):
    """The facts of a game, and the way to start it. One object a game, in ``games.catalogue``."""

    name: str  # in paths, URLs and on the command line
    title: str
    summary: str  # one sentence for the lobby
    min_seats: int
    max_seats: int
    default_seats: int
    minutes: int  # how long a match among people takes
    options: tuple[Option, ...] = ()
    bots: tuple[type[Bot], ...]  # the first is the house bot, which keeps empty chairs warm
    rules_page: Path  # rules.md
    rig: RigPolicy | None = None  # None: cannot be rigged
    daily: DailyDeal | None = None  # None: has no deal of the day
    instead = ""  # the move made for a bot that fails, where it is legal; else a random one
    commands: tuple[Command, ...] = ()
    guest_path: tuple[Path, ...] = ()  # folders whose modules a guest's file may import by their bare names

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Return the first position where somebody is to act. The arguments must be good: see ``new``."""

    def new(self, seats: int, options: Options, chance: Chance) -> State[Any]:
        """Check seats and options, fill in defaults and start. Raises BadOption."""
        return self.start(self.check_seats(seats), self.check_options(options), chance)

    def log_rows(
        self, seats: int, options: Options, chance: Chance, moves: Sequence[tuple[int, str]]
    ) -> Iterator[LogRow]:
        """Play a match again, from equal chance, and yield it as a table: a row for the start and one a move.

        A game may have columns of its own; ``round_id`` counts the moves.
        """
        state = self.start(seats, options, chance)
        state.lines = None

        def scores() -> LogRow:
            return {f"player_{seat}_score": score for seat, score in enumerate(state.scores())}

        yield {"round_id": 0, **scores()}
        for count, (seat, move) in enumerate(moves, 1):
            state.apply(seat, move)
            yield {"round_id": count, "active_player": seat, "move": move, **scores()}

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
                raise BadOption(f"{self.title} has no option {name!r}. It has: {', '.join(known) or 'none'}.")
        return {name: option.parse(options.get(name, option.default)) for name, option in known.items()}

    def bot(self, name: str) -> Bot:
        """Return a bot of that kind. Raises BadOption, listing the kinds there are."""
        for kind in self.bots:
            if kind.name == name:
                return kind()
        raise BadOption(f"{self.title} has no bot {name[:40]!r}. It has: {', '.join(k.name for k in self.bots)}.")

    def guest(self, kind: type) -> Bot:
        """Return a bot made of a class from somebody's own file. Raises BadOption when this game cannot use it."""
        if not issubclass(kind, Bot):
            raise BadOption(f"{kind.__name__} is no bot for {self.title}: a bot extends games.core.Bot.")
        return kind()


def winners(scores: Sequence[float]) -> list[int]:
    """Return the seats that share the best score. Who plays alone has nobody to beat: any score above 0 wins."""
    best = max(scores)
    if len(scores) == 1 and best <= 0:
        return []
    return [seat for seat, score in enumerate(scores) if score == best]
