"""State: a position in a game, with all that the rules do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar

from games.core.chance import Chance
from games.core.dealing import MayHold, redeal
from games.core.moves import LONGEST_MOVE, IllegalMove, RulesFailed
from games.core.ranks import ranks
from games.core.sight import BLIND, Sight
from games.core.view import Line, LineKind, Motion, Text, say, seat_arg

MOST_OPTIONS = 20_000  # legal moves of one seat at once: beyond that nobody can be shown a choice
LONGEST_PLAYOUT = 10_000  # decisions

O = TypeVar("O")  # the game's own observation  # noqa: E741


class Moment(NamedTuple):
    """How things lay in the middle of a move, to be looked at before what followed: see ``State.pause``."""

    position: State[Any]
    text: Text  # what is to be seen
    hold: int  # for how many milliseconds
    lines: int  # how many log lines of the move had been told


class State(ABC, Generic[O]):
    """A position. ``play`` checks a move; ``apply`` does not, and is for callers that took it from ``legal_moves``."""

    seats: int
    chance: Chance
    sight: Sight = BLIND  # who has seen what, in games that keep track of cards
    lines: list[Line] | None  # what happened since the log was last taken; None: nobody reads it
    audited: bool = True  # whether a game that can compute the result of each move twice does so
    moments: tuple[Moment, ...] = ()  # what is to be looked at of the move that was made last, in order

    # -- whose turn, and what may be done

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may move now, ascending; none when the match is over.

        Where several may move at once they decide without knowing of each other: what those before chose must not show
        in the observations of those after, but for the fact that they have decided. Whoever plays a match by itself
        asks the first of them, then looks again.
        """

    @abstractmethod
    def legal_moves(self, seat: int) -> list[str]:
        """Return every legal move of ``seat``, no two alike, in a fixed order; empty when it is not to act.

        Moves that would read alike are told apart by number (``moves.numbered``). A game that finds its moves by trying
        them out keeps what it found until the next ``apply``. Nobody changes the list.
        """

    @abstractmethod
    def apply(self, seat: int, move: str) -> None:
        """Make a legal move. What happens for an illegal one is undefined: see ``play``."""

    def play(self, seat: int, move: str) -> None:
        """Check a move and make it. Raises IllegalMove and changes nothing when the rules refuse it.

        Raises RulesFailed when the rules offer what no match can hold: too many moves, or one that is too long.
        """
        if seat not in self.to_act():
            raise IllegalMove("The match is over." if self.over else "It is not your turn.")
        legal = self.legal_moves(seat)
        if len(legal) > MOST_OPTIONS:
            raise RulesFailed(
                "too many options", f"Seat {seat} has {len(legal):,} legal moves, the most are {MOST_OPTIONS:,}."
            )
        if move not in legal:
            raise IllegalMove(self.why_not(seat, move))
        if len(move) > LONGEST_MOVE:
            raise RulesFailed(
                "move too long", f"{move[:80]!r} ... has {len(move)} characters, at most {LONGEST_MOVE} can be stored."
            )
        try:
            self.apply(seat, move)
        except IllegalMove as refusal:  # too late to refuse: it was among the legal ones
            raise RulesFailed.by(refusal, f"refused {move!r}, a legal move of seat {seat}: they") from refusal

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
        """Return each seat's score, as its players count it. Only a finished match has final ones."""

    def ranks(self) -> list[int]:
        """Return each seat's rank by its score, the highest first. A game of low scores or of teams says so here."""
        return ranks(self.scores())

    @property
    def low_wins(self) -> bool:
        """Whether low scores are the good ones: what who plays alone goes for, where ranks tell nothing."""
        return False

    def winners(self) -> list[int]:
        """Return the seats that share the first rank. Who plays alone has nobody to beat: any score above 0 wins."""
        if self.seats == 1:
            return [0] if self.scores()[0] > 0 else []
        return [seat for seat, rank in enumerate(self.ranks()) if rank == 1]

    # -- what an audience may know

    @abstractmethod
    def observe(self, seat: int | None, *, face_up: bool = False) -> O:
        """Return all that ``seat`` (None: a watcher) may know. The one place where hidden things are told apart.

        ``face_up`` shows every hand: for the replay of a finished sealed match, and for administrators.
        """

    # -- copies

    def clone(self) -> Self:
        """Return an independent copy with an equal stream of chance and no log."""
        return self.fork(self.chance.clone())

    @abstractmethod
    def fork(self, chance: Chance) -> Self:
        """Return a clone whose future draws come from ``chance``."""

    def shallow_copy(self, chance: Chance) -> Self:
        """Return the beginning of a fork: it shares with this state whatever can change, until ``fork`` copies that."""
        copy = self.__class__.__new__(self.__class__)
        copy.__dict__.update(self.__dict__)
        copy.lines = None
        copy.moments = ()
        copy.chance = chance
        copy.sight = self.sight.copy()
        return copy

    # -- what a seat may believe

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Return a fork in which all that ``seat`` cannot know is drawn afresh, consistent with what it has seen.

        Every card that the seat cannot name (``sight``) is dealt anew to where a card of the same back lies. A game
        adds what its rules let one infer (``may_hold``) and what else is hidden. ``seat``'s own observation stays
        exactly the same, and the result depends on nothing but what the seat knows and ``chance``.
        """
        world = self.fork(chance)
        redeal(world.piles(), world.sight, seat, chance, back=self.back, may_hold=self.may_hold(seat))
        world.arrange()
        return world

    def piles(self) -> Sequence[list[Any]]:
        """Return the lists in which cards lie that some seat may not know, always in the same order; "" is no card."""
        raise NotImplementedError(f"{type(self).__name__} has hidden cards: name its piles, or write determinize.")

    @property
    def back(self) -> Callable[[Any], Hashable] | None:
        """What tells the back of a card, where there are several: only cards with the same back can be confused."""
        return None

    def may_hold(self, seat: int) -> MayHold[Any] | None:
        """Return which cards may lie in which pile, as far as ``seat`` can infer it; None: any may lie anywhere."""
        return None

    def arrange(self) -> None:
        """Put what is kept in an order, such as sorted hands, in that order again after cards were dealt afresh."""

    def unwatched(self) -> Self:
        """Keep neither a log nor who has seen what from here on, for matches that nobody looks at. Returns itself."""
        self.lines = None
        self.sight = BLIND
        return self

    def playout(self, chance: Chance, cap: int = LONGEST_PLAYOUT) -> list[float]:
        """Play on from here, every decision drawn from ``chance``, for ``cap`` decisions at most. Changes this state.

        Returns the scores as they are then. Nobody looks at such a match, so neither a log nor who has seen what is
        kept. A game that can do this faster does.
        """
        self.unwatched()
        for _ in range(cap):
            seats = self.to_act()
            if not seats:
                break
            self.apply(seats[0], chance.choice(self.legal_moves(seats[0])))
        return self.scores()

    # -- the log, and what everybody plays for

    def pause(self, text: Text, hold: int, position: State[O] | None = None) -> None:
        """Have everybody look at how things lie now, for ``hold`` milliseconds, before what else the move brings.

        For what would be gone before anybody has seen it: bids that turn up, a trick that is full, a leg's end.
        ``position``: another one to look at; it is observed and rendered, and nothing else is asked of it. Nothing
        happens where nobody looks.
        """
        if self.lines is not None:
            now = self.clone() if position is None else position
            self.moments = (*self.moments, Moment(now, text, hold, len(self.lines)))

    def tell(
        self,
        kind: LineKind,
        text: Text,
        *,
        seat: int | None = None,
        only: int | None = None,
        others: Text | None = None,
        motions: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Add a log line. ``only`` keeps it for one seat; ``motions`` are (from, to) zone ids.

        ``others`` says the same with the name of that seat, for replays in which all hands are open.

        Callers in hot paths test ``self.lines is not None`` first, to save making the text.
        """
        if self.lines is None:
            return
        line: Line = {"kind": kind, "text": text}
        if seat is not None:
            line["seat"] = seat
        if only is not None:
            line["only"] = only
        if others is not None:
            line["others"] = others
        if motions:
            line["motions"] = [Motion(source=source, target=target) for source, target in motions]
        self.lines.append(line)

    def tell_winners(self, seats: Sequence[int], alone: str) -> None:
        """Say who has won: ``alone`` is the sentence for a sole winner, ``{seat}``; several share the win."""
        text = alone if len(seats) == 1 else "{seat} shares the win."
        for winner in seats:
            self.tell("win", say(text, seat=seat_arg(winner)), seat=winner)
