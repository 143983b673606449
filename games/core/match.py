"""Match: a state with its moves and its log. Game, options, seats, seed and moves determine every state.

So does the version of the rules: under other rules the same seed and moves give another match, so a record names the
version. Exceptions that the rules raise become ``RulesFailed`` here, and only here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, NotRequired, TypedDict

from games.core.chance import Chance, SealedChance
from games.core.game import Game
from games.core.handicap import OPTION, handicap_entries, handicaps
from games.core.messages import message
from games.core.moves import BadOption, IllegalMove, RulesFailed
from games.core.options import Options, OptionValue
from games.core.state import State
from games.core.teaching import touchable
from games.core.view import HandicapView, LogEntry, MatchResult, Reveal, Round, Sentence, Standings, View, say, seat_arg


class SeatResult(TypedDict):
    """How a match ended for a seat: its score and its share of the win (1; 1/k if k seats share the win; or 0)."""

    score: float
    share: float


class Record(TypedDict):
    """A match as it is stored or sent: all that is needed to replay it."""

    game: str
    rules: NotRequired[str]  # version of the rules; missing in records from before rules had versions
    seats: int
    options: dict[str, OptionValue]
    seed: str  # hexadecimal
    moves: list[tuple[int, str]]  # (seat, move), in order
    names: NotRequired[list[str]]
    result: NotRequired[list[SeatResult]]  # by seat, of a finished match; for readers only: a replay computes it again


class BadRecord(ValueError):
    """A record that cannot be replayed; the message says at which ply and why."""


class OtherRules(BadRecord):
    """A match played under another version of the rules: under the current one it might be a different match."""


# The exceptions that replaying a stored match may raise.
UNPLAYABLE = (RulesFailed, BadRecord, BadOption, IllegalMove)


def check_rules(game: Game, version: str) -> None:
    """Raise OtherRules unless ``version`` is the current version of the game's rules."""
    if version != game.rules_version:
        then = f"version {version}" if version else "an older version"
        raise OtherRules(
            f"This match of {game.title} was played by {then} of the rules. Under the current version, "
            f"{game.rules_version}, the same seed and moves may give another match."
        )


class RulesCall:
    """A context manager that turns exceptions of the rules into RulesFailed.

    IllegalMove, BadOption and RulesFailed itself pass through. ``where`` is a format string for ``args``. It is only
    formatted on failure, because this runs often.
    """

    __slots__ = ("args", "game", "where")

    def __init__(self, game: Game, where: str, *args: object) -> None:
        self.game, self.where, self.args = game, where, args

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, (IllegalMove, BadOption, RulesFailed)):
            raise RulesFailed.by(error, f"of {self.game.title}, {self.where.format(*self.args)},") from error


class Concession(NamedTuple):
    """The end of a match that was not played to its end: who has won, and why, as a sentence without full stop."""

    winners: list[int]
    text: Sentence


def resigned(loser: int, winner: int) -> Sentence:
    """Return how a match ended in which a player gave up."""
    return say("{loser} has resigned: {winner} wins", loser=seat_arg(loser), winner=seat_arg(winner))


def out_of_time(loser: int, winner: int) -> Sentence:
    """Return how a match ended in which a player's time was up."""
    return say("{loser} was out of time: {winner} wins", loser=seat_arg(loser), winner=seat_arg(winner))


def not_asked(view: View) -> View:
    """Return the view of a seat that must pass, where the table makes that move: see ``State.must_pass``."""
    return {**view, "prompt": say("You must pass"), "moves": []}


@dataclass
class Match:
    """A match in progress: its state, its moves, and its log by ply (``log[0]`` the deal, ``log[k]`` the k-th move).

    Exceptions of the rules are raised as RulesFailed. After that the match is invalid and must not be used again.
    """

    game: Game
    state: State[Any]
    options: dict[str, OptionValue]
    moves: list[tuple[int, str]] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)  # number of decisions so far, by seat
    log: list[list[LogEntry]] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)  # see ``note_round``
    conceded: Concession | None = None  # how it ended, if not by the rules
    standings: Standings | None = None  # as spectators saw them when the last round was noted
    settled: int = 0  # the number of moves when a round was last scored; 0: none was
    _scoring: str = ""  # which that was

    @classmethod
    def start(cls, game: Game, seats: int, options: Options, chance: Chance) -> Match:
        """Deal a new match. Raises BadOption, RulesFailed."""
        checked = game.check_options(options)
        with RulesCall(game, "at the deal"):
            state = game.start(game.check_seats(seats), checked, chance)
        match = cls(game, state, checked, decisions=[0] * seats)
        if match.handicap:
            state.log = [*handicap_entries(match.handicap), *(state.log or [])]
        match._take_log()
        return match

    @classmethod
    def replay(cls, game: Game, seats: int, options: Options, seed: bytes, moves: Iterable[tuple[int, str]]) -> Match:
        """Return the match with this seed and these moves. Raises BadOption, BadRecord (illegal move), RulesFailed."""
        match = cls.start(game, seats, options, SealedChance(seed))
        for ply, (seat, move) in enumerate(moves, 1):
            try:
                match.advance(seat, move)
            except IllegalMove as refusal:
                raise BadRecord(f"Move {ply} ({move!r} by seat {seat}) cannot be played: {refusal}") from refusal
        return match

    @property
    def ply(self) -> int:
        """The number of moves made, which is the version of the match."""
        return len(self.moves)

    def advance(self, seat: int, move: str, note: LogEntry | None = None) -> None:
        """Check a move, make it and log it. ``note`` is a log entry to put before those of the move.

        Raises IllegalMove, with the match unchanged, if the move is refused; RulesFailed if the rules fail or the match
        exceeds the game's maximum number of decisions.
        """
        if self.conceded:
            raise IllegalMove(message("The match is over."))
        if self.ply >= self.game.longest:
            raise RulesFailed("too long", message("The match has not ended after {n:,} decisions.", n=self.ply))
        self.state.moments = ()
        if note:
            self.state.log = [note]
        try:
            with RulesCall(self.game, "when seat {} played {!r} as move {}", seat, move, self.ply + 1):
                self.state.play(seat, move)
        except IllegalMove:
            self.state.log = []
            raise
        self.moves.append((seat, move))
        self.decisions[seat] += 1
        self._take_log()

    def concede(self, concession: Concession) -> None:
        """End the match here, whatever the rules say. Nobody can move any more, and its scores are not known."""
        if not self.conceded:
            self.conceded = concession
            self.log[-1] = [*self.log[-1], LogEntry(kind="info", text=concession.text)]

    def _take_log(self) -> None:
        self.log.append(self.state.log or [])
        self.state.log = []

    # -- queries, each of which may raise RulesFailed

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.to_act()

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may move now, ascending."""
        if self.conceded:
            return ()
        with RulesCall(self.game, "when asked who is to act after move {}", self.ply):
            return self.state.to_act()

    def legal_moves(self, seat: int) -> list[str]:
        """Return every legal move of ``seat``."""
        if self.conceded:
            return []
        with RulesCall(self.game, "when asked for the moves of seat {} after move {}", seat, self.ply):
            return self.state.legal_moves(seat)

    def must_pass(self, seat: int) -> bool:
        """Return whether everybody can see that ``seat``, which is to act, must pass: see ``State.must_pass``."""
        if self.conceded:
            return False
        with RulesCall(self.game, "when asked whether seat {} must pass after move {}", seat, self.ply):
            return self.state.must_pass(seat)

    def view(self, seat: int | None, *, face_up: bool = False) -> View:
        """Return what ``seat`` (None: a spectator) may see now; ``face_up``: everything."""
        with RulesCall(self.game, "when the table was drawn for {} after move {}", _audience(seat), self.ply):
            decision = 0 if seat is None else self.decisions[seat]
            view = self._with_handicap(self.game.view(self.state, seat, decision=decision, face_up=face_up))
        if self.conceded:
            return _conceded_view(view, self.conceded)
        if "result" in view and _rounds_explain(self.rounds, view["result"]["scores"]):
            view["result"]["rounds"] = self.rounds
        return view

    def why_not(self, seat: int, touched: str) -> Sentence | None:
        """Return why ``touched`` is not part of a legal move of ``seat``.

        None if the game gives no reason, if it is part of one, or if nothing on the table is called that.
        """
        with RulesCall(self.game, "when seat {} asked about {!r} after move {}", seat, touched, self.ply):
            observation = self.state.observe(seat)
            if touched not in touchable(self.game.render(observation)):
                return None
            return self.game.why_not(observation, touched)

    def note_round(self) -> None:
        """Record the standings, as spectators see them, if the last move began or ended a round, or the match.

        Call it after the deal and after each move if the result should show where the points came from. If the view
        cannot be drawn, this does nothing: the error appears when it is drawn for players.
        """
        round_title = next((entry["text"] for entry in self.log[-1] if entry["kind"] == "round"), None)
        ended = self.over
        if not (round_title or ended or self.ply == 0):
            return
        try:
            view = self.view(None)
        except RulesFailed:
            return
        self.standings, seats = view.get("standings"), view["seats"]
        scoring = view["scoring"]["id"] if "scoring" in view else ""
        if scoring and scoring != self._scoring:
            self._scoring, self.settled = scoring, self.ply
        counters = [{one["id"]: one["value"] for one in seat["counters"]} for seat in seats]
        shared = [name for name in counters[0] if all(name in others for others in counters)] if counters else []
        if not shared:
            return
        values = [counter[shared[0]] for counter in counters]
        if not self.rounds or self.rounds[-1]["values"] != values:
            self.rounds.append(
                Round(title=round_title or (say("The end") if ended else say("The deal")), values=values)
            )

    def reveals(self, seat: int | None) -> list[Reveal]:
        """Return the reveals of the last move as ``seat`` (None: a spectator) may see them, in order."""
        with RulesCall(self.game, "when a reveal of move {} was drawn for {}", self.ply, _audience(seat)):
            decision = 0 if seat is None else self.decisions[seat]
            return [
                Reveal(
                    view=self._with_handicap(self.game.view_of_moment(moment, seat, decision=decision)),
                    hold=moment.hold,
                    entries=len(self._readable(self.log[-1][: moment.entries], seat, face_up=False)),
                )
                for moment in self.state.moments
            ]

    @property
    def handicap(self) -> HandicapView | None:
        """What the seats started with, more or less than usual; None if no seat did."""
        if self.game.handicap is None or OPTION not in self.options:
            return None
        amounts = handicaps(self.options, len(self.decisions))
        return HandicapView(noun=say(self.game.handicap.noun), amounts=amounts)

    def _with_handicap(self, view: View) -> View:
        if handicap := self.handicap:
            view["handicap"] = handicap
        return view

    @property
    def hold(self) -> int:
        """The total time, in milliseconds, for which the reveals of the last move are shown."""
        return sum(moment.hold for moment in self.state.moments)

    def scores(self) -> Sequence[float]:
        """Return each seat's score."""
        with RulesCall(self.game, "when asked for the scores after move {}", self.ply):
            return self.state.scores()

    def winners(self) -> list[int]:
        """Return the seats that share the win."""
        with RulesCall(self.game, "when asked who has won after move {}", self.ply):
            return self.state.winners()

    def entries(self, seat: int | None, ply: int, *, face_up: bool = False, named: bool = False) -> list[LogEntry]:
        """Return the log entries of one ply that ``seat`` (None: a spectator) may read.

        An entry for a single player has a text for that player, "You get 3D", and one for others, "Bram gets 3D".
        ``named`` selects the latter.
        """
        return self._readable(self.log[ply], seat, face_up, named)

    @staticmethod
    def _readable(entries: Sequence[LogEntry], seat: int | None, face_up: bool, named: bool = False) -> list[LogEntry]:
        return [
            _as_sent(entry, named) if "others" in entry else entry
            for entry in entries
            if face_up or entry.get("only", seat) == seat
        ]


def _audience(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def _conceded_view(view: View, concession: Concession) -> View:
    """Return the last position of a match that was not played to its end, as the view of a match that is over."""
    ended: View = {**view, "to_act": [], "moves": [], "over": True, "prompt": concession.text}
    ended.pop("paths", None)
    ended.pop("several", None)
    ended["result"] = MatchResult(scores=[], winners=concession.winners, text=concession.text)
    return ended


def _as_sent(entry: LogEntry, named: bool) -> LogEntry:
    """Return an entry without its field ``others``. ``named``: the sentence of that field replaces the entry's own."""
    sent = entry.copy()
    others = sent.pop("others")
    if named:
        sent["text"] = others
    return sent


def _rounds_explain(rounds: Sequence[Round], scores: Sequence[float]) -> bool:
    """Return whether the rounds explain the scores: their points add up to the scores, or they count lives down.

    In some games the rounds count something else, or the points of a round do not count towards the next.
    """
    if len(rounds) <= 2:
        return False
    first, last = rounds[0]["values"], rounds[-1]["values"]
    gained = [now - before for before, now in zip(first, last, strict=True)]
    lost = all(now <= before for a, b in pairwise(rounds) for before, now in zip(a["values"], b["values"], strict=True))
    return lost or list(scores) in (last, gained)
