"""A trace of a match, for the author of its text: every action with its line, with all hidden cards.

Match ``index`` of a seed is the match that ``python -m games simulate`` plays with that seed and that number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from games.core import BadOption, Bot, Chance, FastChance, Information, RulesFailed, SealedChance
from games.recycle.compiler import Program
from games.recycle.game import RecycleGame
from games.recycle.machine import Action, Event, Op, Position
from games.recycle.rules import RecycleState
from games.recycle.tree import Span

MOST_SCORES = 12  # values of a point map that are shown
OnAction = Callable[[Position, Action, Any], object]  # called after each action, with its note


class _LiveEvents(list[Event]):
    """Replaces the list of events: passes each event on at once and stores nothing."""

    def __init__(self, position: Position, on_action: OnAction) -> None:
        self._position, self._on_action = position, on_action

    def append(self, event: Event) -> None:
        self._on_action(self._position, *event)


class TracedState(RecycleState):
    """A state that reports each action as it is done, so also those before a failure.

    ``on_action`` must not raise: that would look like a failure of the text.
    """

    def __init__(self, program: Program, chance: Chance, on_action: OnAction) -> None:
        self._on_action = on_action
        super().__init__(program, chance)

    def _run(self, function: int) -> None:
        self._listen()
        super()._run(function)

    def _take(
        self, taken: Sequence[tuple[int, tuple[Action, ...]]], carry_out: Callable[[Position, Action], object]
    ) -> None:
        self._listen()
        super()._take(taken, carry_out)

    def _listen(self) -> None:
        if self.events is not None:  # else it is a copy, in which a bot looks ahead
            self.events = _LiveEvents(self, self._on_action)


def trace(
    game: RecycleGame,
    bots: Sequence[str],
    seed: str,
    index: int,
    moves: Iterable[str],
    *,
    options: bool,
    say: Callable[[str], object],
) -> None:
    """Play a match and call ``say`` with each line of its trace.

    ``moves`` are made first, by the players who are to move; then ``bots`` continue, one for each seat. ``options``:
    include all options of every choice. Raises BadOption, also for a move that cannot be made; RulesFailed, after the
    lines that led to it.
    """
    _Trace(game, bots, seed, index, options, say).play(iter(moves))


class _Trace:
    """What a trace is made from."""

    def __init__(
        self,
        game: RecycleGame,
        bots: Sequence[str],
        seed: str,
        index: int,
        options: bool,
        say: Callable[[str], object],
    ) -> None:
        self.game, self.options, self.say = game, options, say
        seats = game.check_seats(len(bots))
        self.bots: list[Bot] = [game.bot(name) for name in bots]
        self.program = game.program(seats)
        self.chance = SealedChance(hashlib.sha256(f"{seed}/{index}".encode()).digest())
        self.thoughts = FastChance(f"{seed}/{index}")
        self._pending: list[str] = []
        players = f"{seats} players" if seats > 1 else "1 player"
        say(f"{game.source.name}: {players} ({', '.join(bots)}), seed {seed}, match {index}")

    def play(self, moves: Iterator[str]) -> None:
        """Play the match."""
        self.say("The deal")
        with self._printing():
            state = TracedState(self.program, self.chance, self._on_action)
        while seats := state.to_act():
            self._decide(state, seats[0], moves)
        if move := next(moves, None):
            raise BadOption(f"The match is over: nobody is there to make the move {move[:80]!r}.")
        scores = ", ".join(f"{_player(seat)} {score:g}" for seat, score in enumerate(state.scores()))
        winners = " and ".join(map(_player, state.winners()))
        self.say(f"The end: {scores}; {f'won by {winners}' if winners else 'won by nobody'}")

    def _decide(self, state: TracedState, seat: int, moves: Iterator[str]) -> None:
        """Have the option of a choice taken."""
        decided = state.decided + len(state.pending)
        if decided >= self.game.longest:
            raise RulesFailed("too long", f"After {decided:,} decisions the match has not ended.")
        legal = state.legal_moves(seat)
        head = f"Decision {decided + 1}, {self._line(self.program.choices[state.choice - 1].at)}: {_player(seat)}"
        if self.options:
            self.say(f"{head} may take:")
            for number, text in enumerate(legal, 1):
                self.say(f"  {number:>9}  {text}")
        given = next(moves, None)
        if given is None:
            bot = self.bots[seat]
            move = bot.choose(Information.of(self.game, state, seat, self.thoughts, bot.needs, legal))
        elif given in legal:
            move = given
        else:
            there = f"{', '.join(legal[:12])}{', ...' if legal[12:] else ''}"
            raise BadOption(f"{head} cannot take {given[:80]!r}. There are: {there}.")
        self.say(f"{head} takes {legal.index(move) + 1} of {len(legal)}: {move}")
        state.log = []  # nobody reads the log
        with self._printing():
            state.apply(seat, move)

    @contextmanager
    def _printing(self) -> Iterator[None]:
        """Collect the lines, and print them at the end: if the output is closed, the text is not to blame."""
        try:
            yield
        finally:
            lines, self._pending = self._pending, []
            for line in lines:
                self.say(line)

    def _on_action(self, position: Position, action: Action, note: Any) -> None:
        line = self._line(self.program.nodes[action[1]].at)
        self._pending.append(f"  {line:>9}  {described(position, self.program, action, note)}")

    def _line(self, at: Span) -> str:
        return f"line {self.game.source.line_and_column(at.start)[0]}"


def described(s: Position, program: Program, action: Action, note: Any) -> str:
    """Return what an action has done, in the words of the text. ``note`` is that of ``machine.perform``."""
    faces, names = program.cards.faces, program.names
    match action:
        case (Op.MOVE, _, card, target, position):
            return f"move {faces[card]}: {_place(s, program, note)} > {_place(s, program, target)}{_at(position)}"
        case (Op.NUMBER, _, store, _):
            return f"{_store(s, program, 'sto', store)}: {note} > {s.I[store]}"
        case (Op.NAME, _, store, name):
            return f"{_store(s, program, 'str', store)}: {names[note] or '(empty)'} > {names[name] or '(empty)'}"
        case (Op.PLAYER, _, store, player):
            before = "nobody" if note < 0 else _player(note)
            return f"{_store(s, program, 'who', store)}: {before} > {_player(player)}"
        case (Op.ROLL, _, _):
            return f"roll {', '.join(f'{faces[old]} > {faces[new]}' for old, new in note) or 'no dice'}"
        case (Op.REVEAL, _, what, store):
            return f"{_store(s, program, what, store)} is revealed"
        case (Op.POINTS, _, store, scores):
            return f"{_store(s, program, 'points', store)}: {_scores(program, scores)}"
        case (Op.REMEMBER, _, card, memory, position):
            return f"remember {faces[card]} in {_place(s, program, memory)}{_at(position)}"
        case (Op.FORGET, _, card, memory):
            return f"forget {faces[card]}{f' in {_place(s, program, memory)}' if memory >= 0 else ''}"
        case (Op.SHUFFLE, _, list()):
            return "shuffle cards of no place: nothing happens"
        case (Op.SHUFFLE, _, place):
            return f"shuffle {_place(s, program, place)}: {_cards(len(s.L[place]))}"
        case (Op.FARO, _, first, second):
            return f"interleave {_place(s, program, first)} with {_place(s, program, second)}"
        case (Op.PASS, _):
            return "turn pass"
        case (Op.NEXT, _, player):
            return f"next is {_player(player)}"
        case (Op.CURRENT, _, player):
            return f"current is {_player(player)}"
        case (Op.DECK, _, statement, target):
            made = len(program.cards.decks[statement])
            return f"create deck: {_cards(made)} in {_place(s, program, target)}"
        case (Op.AWARD, _, cards):
            return f"points for {', '.join(faces[card] for card in cards)}"
        case (Op.TEAMS, _, statement):
            teams = program.kept_teams[statement].teams
            return f"create teams: {'; '.join(' and '.join(map(_player, team)) for team in teams)}"
    return str(action)


def _player(seat: int) -> str:
    """Return a player as people at a table are counted: from 1. Texts count from 0."""
    return f"player {seat + 1}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _place(s: Position, program: Program, place: int) -> str:
    fact = s.fact(place)
    owner = "game" if fact.owner < 0 else _player(fact.owner)
    return f"{owner} {fact.vis} {program.names[fact.name]}"


def _store(s: Position, program: Program, what: Any, store: int) -> str:
    fact = s.store_fact(what, store)
    owner = "game" if fact.owner == "game" else f"{fact.owner} {fact.number + 1}"
    word = what if fact.vis == "vloc" else fact.vis[0] + what
    return f"{owner} {word} {program.names[fact.name]}"


def _at(position: int) -> str:
    return "" if position < 0 else f", position {position}"


def _scores(program: Program, scores: Sequence[int]) -> str:
    """Return the scores of a map, the highest first, without cards that score nothing."""
    faces: dict[str, int] = {}
    for card, score in enumerate(scores):
        if score:
            faces.setdefault(program.cards.faces[card], score)
    ordered = sorted(faces.items(), key=lambda item: -item[1])
    shown = [f"{face} {score}" for face, score in ordered[:MOST_SCORES]]
    if ordered[MOST_SCORES:]:
        shown.append("...")
    return ", ".join(shown) or "every card 0"
