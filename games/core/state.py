"""State: a position in a game, and all of its rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Literal, NamedTuple, Self, TypeVar

from games.core.chance import Chance
from games.core.dealing import MayHold, redeal
from games.core.messages import Message, message, quoted
from games.core.moves import LONGEST_MOVE, IllegalMove, RulesFailed
from games.core.ranks import ranks
from games.core.sight import BLIND, Sight
from games.core.view import EntryKind, LogEntry, Motion, Sentence, say, seat_arg

MAX_LEGAL_MOVES = 20_000  # legal moves of one seat: nobody could choose from more
LONGEST_ROLLOUT = 10_000  # decisions

O = TypeVar("O")  # the game's own observation  # noqa: E741
# What a state keeps for readers: nothing, which cards each seat has seen (``sight``), or that and the log.
Keeps = Literal["nothing", "sight", "log"]


class Moment(NamedTuple):
    """A position in the middle of a move, shown to players before the move continues: see ``State.pause``."""

    position: State[Any]
    text: Sentence  # what players should notice
    hold: int  # milliseconds
    entries: int  # number of log entries of the move written so far


class State(ABC, Generic[O]):
    """A position. ``play`` checks a move; ``apply`` does not, and is for callers that took it from ``legal_moves``."""

    seats: int
    chance: Chance
    sight: Sight = BLIND  # which cards each seat has seen, in games that track it
    log: list[LogEntry] | None  # entries since the log was last read; None: no log is kept
    audited: bool = True  # whether a game that can compute the result of a move in two ways compares them
    moments: tuple[Moment, ...] = ()  # positions within the last move that are revealed before its end, in order

    # -- whose turn, and what may be done

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may move now, ascending; empty when the match is over.

        Seats that may move at the same time decide independently: observations must not reveal what the others chose,
        only that they have decided. Simulations let the first seat move, then ask again; at a table any may be first.
        """

    @abstractmethod
    def legal_moves(self, seat: int) -> list[str]:
        """Return all legal moves of ``seat``, without duplicates and in a fixed order; empty if it is not to act.

        Moves with the same notation are numbered (``moves.numbered``). A game that finds its moves by trying them out
        caches them until the next ``apply``. Callers must not modify the list.
        """

    def must_pass(self, seat: int) -> bool:
        """Return whether ``seat`` is to act and has a single legal move, to pass, as everybody can see.

        Then the table makes that move, and nobody is asked. This may depend on nothing that is hidden from anybody:
        a move that was not asked for tells everybody that there was no choice.
        """
        return False

    def move_kinds(self, seat: int) -> list[str]:
        """Return the kind of each legal move, in their order, for statistics of how often each kind is chosen.

        By default the first word of a move. A game written as a text says where in it the move stands: "LINE:COLUMN".
        """
        return [move.split(maxsplit=1)[0] if move else "" for move in self.legal_moves(seat)]

    @abstractmethod
    def apply(self, seat: int, move: str) -> None:
        """Make a legal move. The result for an illegal one is undefined: see ``play``."""

    def options(self, seat: int) -> Sequence[Any]:
        """Return the legal moves of ``seat`` as ``take`` accepts them, in the order of ``legal_moves``.

        For callers that choose by number. A game whose moves are slow to write in notation returns them in a form of
        its own. Callers must not modify the result.
        """
        return self.legal_moves(seat)

    def take(self, seat: int, option: Any) -> None:
        """Make a legal move that ``options`` has returned for this position."""
        self.apply(seat, option)

    def play(self, seat: int, move: str) -> None:
        """Check a move and make it. Raises IllegalMove if the rules refuse it; the state is then unchanged.

        Raises RulesFailed if the rules offer too many moves, or one that is too long.
        """
        if seat not in self.to_act():
            raise IllegalMove(message("The match is over.") if self.over else message("It is not your turn."))
        legal = self.legal_moves(seat)
        if len(legal) > MAX_LEGAL_MOVES:
            text = message(
                "Seat {seat} has {n:,} legal moves; the maximum is {most:,}.",
                seat=seat,
                n=len(legal),
                most=MAX_LEGAL_MOVES,
            )
            raise RulesFailed("too many options", text)
        if move not in legal:
            raise IllegalMove(self.why_not(seat, move))
        if len(move) > LONGEST_MOVE:
            text = message(
                "{move} ... has {n} characters, at most {most} can be stored.",
                move=quoted(move),
                n=len(move),
                most=LONGEST_MOVE,
            )
            raise RulesFailed("move too long", text)
        try:
            self.apply(seat, move)
        except IllegalMove as refusal:  # too late to refuse it: ``legal_moves`` has listed it
            raise RulesFailed.by(refusal, f"refused {move!r}, a legal move of seat {seat}: they") from refusal

    def why_not(self, seat: int, move: str) -> Message:
        """Return why the illegal ``move`` is refused, as a sentence for players."""
        legal = ", ".join(self.legal_moves(seat)[:12])
        return message("You cannot do {move} now. You may: {legal}.", move=quoted(move), legal=legal)

    # -- the end

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.to_act()

    @abstractmethod
    def scores(self) -> list[float]:
        """Return each seat's score as players count it. Scores are final only when the match is over."""

    def ranks(self) -> list[int]:
        """Return the rank of each seat, in seat order: 1 for the highest score, and the same for equal scores.

        Games with low scores or teams override this.
        """
        return ranks(self.scores())

    @property
    def low_wins(self) -> bool:
        """Whether a lower score is better. ``ranks`` must agree; in a solitaire game, every rank is 1."""
        return False

    def winners(self) -> list[int]:
        """Return the seats that share the first rank.

        A solitaire player wins with a score above 0, or of at most 0 if ``low_wins``.
        """
        if self.seats == 1:
            score = self.scores()[0]
            return [0] if (score <= 0 if self.low_wins else score > 0) else []
        return [seat for seat, rank in enumerate(self.ranks()) if rank == 1]

    # -- what an audience may know

    @abstractmethod
    def observe(self, seat: int | None, *, face_up: bool = False) -> O:
        """Return all that ``seat`` (None: a spectator) may know. Only this method separates hidden from visible things.

        ``face_up`` shows every hand: for replays of finished sealed matches, and for administrators.
        """

    # -- copies

    def clone(self) -> Self:
        """Return an independent copy with the same chance stream and no log."""
        return self.fork(self.chance.clone())

    @abstractmethod
    def fork(self, chance: Chance) -> Self:
        """Return a clone whose future draws come from ``chance``."""

    def shallow_copy(self, chance: Chance) -> Self:
        """Return the start of a fork, which still shares mutable parts with this state; ``fork`` copies those."""
        copy = self.__class__.__new__(self.__class__)
        copy.__dict__.update(self.__dict__)
        copy.log = None
        copy.moments = ()
        copy.chance = chance
        copy.sight = self.sight.copy()
        return copy

    # -- determinizations

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Return a fork in which everything ``seat`` cannot know is sampled, consistent with what it has seen.

        Every card the seat cannot name (``sight``) is dealt to a random place that had a card with the same back. A
        game adds what its rules let a player infer (``may_hold``) and samples anything else that is hidden. The seat's
        own observation stays the same. The result depends only on what the seat knows and on ``chance``.
        """
        sample = self.fork(chance)
        redeal(sample.piles(), sample.sight, seat, chance, back=self.back, may_hold=self.may_hold(seat))
        sample.arrange()
        return sample

    def determinize_blind(self, seat: int, chance: Chance) -> Self:
        """Return a determinization as if ``seat`` had seen no more than spectators: its own hand is sampled, too.

        Its legal moves may be others. For players that may not look at their cards: see ``games.search.restricted``.
        """
        blind = self.fork(chance)
        blind.sight.forget(seat)
        return blind.determinize(seat, chance)

    def piles(self) -> Sequence[list[Any]]:
        """Return the lists of cards that some seat may not know, always in the same order; "" is an empty place."""
        raise NotImplementedError(f"{type(self).__name__} has hidden cards: name its piles, or write determinize.")

    @property
    def back(self) -> Callable[[Any], Hashable] | None:
        """A function that returns a card's back, if there are several: cards with different backs are not confused."""
        return None

    def may_hold(self, seat: int) -> MayHold[Any] | None:
        """Return a test of which cards may lie in which pile, as far as ``seat`` can infer; None: any card anywhere."""
        return None

    def arrange(self) -> None:
        """Restore the order of what is kept sorted, such as hands, after cards were redealt."""

    def keep(self, what: Keeps) -> Self:
        """Keep only ``what``, and return self: "nothing" drops the log and the record of who has seen what.

        "sight" drops the log only, "log" drops neither. A record that was dropped cannot be begun later.
        """
        if what != "log":
            self.log = None
        if what == "nothing":
            self.sight = BLIND
        return self

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        """Play at random from here, using ``chance``, for at most ``cap`` decisions. Modifies this state.

        Returns the scores at the end. No log and no record of who has seen what is kept. Games override this if they
        can do it faster.
        """
        self.keep("nothing")
        for _ in range(cap):
            seats = self.to_act()
            if not seats:
                break
            self.take(seats[0], chance.choice(self.options(seats[0])))
        return self.scores()

    # -- the log and reveals

    def pause(self, text: Sentence, hold: int, position: State[O] | None = None) -> None:
        """Show the current position for ``hold`` milliseconds before the rest of the move.

        For things that would disappear before anybody could see them: revealed bids, a complete trick, the end of a
        leg. ``position`` is another one to show instead; it is only observed and rendered. Without a log, this does
        nothing.
        """
        if self.log is not None:
            now = self.clone() if position is None else position
            self.moments = (*self.moments, Moment(now, text, hold, len(self.log)))

    def add_entry(
        self,
        kind: EntryKind,
        text: Sentence,
        *,
        seat: int | None = None,
        only: int | None = None,
        others: Sentence | None = None,
        motions: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Add a log entry. ``only`` limits it to one seat; ``motions`` are pairs of zone ids (from, to).

        ``others`` is the same sentence with that seat's name, for replays in which all hands are open.

        In code that runs often, test ``self.log is not None`` before making the sentence.
        """
        if self.log is None:
            return
        entry: LogEntry = {"kind": kind, "text": text}
        if seat is not None:
            entry["seat"] = seat
        if only is not None:
            entry["only"] = only
        if others is not None:
            entry["others"] = others
        if motions:
            entry["motions"] = [Motion(source=source, target=target) for source, target in motions]
        self.log.append(entry)

    def add_winners_entry(self, seats: Sequence[int], alone: str) -> None:
        """Log who has won. ``alone`` is the template for a single winner, whose name fills ``{seat}``."""
        text = alone if len(seats) == 1 else "{seat} shares the win."
        for winner in seats:
            self.add_entry("win", say(text, seat=seat_arg(winner)), seat=winner)
