"""A text compiled for a number of players: the functions it runs by, and what they know of it."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import count
from typing import Any
from weakref import finalize

from games.core.chance import Chance
from games.core.messages import Message, as_written, message, template
from games.core.moves import RulesFailed
from games.recycle import machine, operations, tree
from games.recycle.awards import award_reasons
from games.recycle.cards import Cards, copies_of
from games.recycle.compiler.actions import Actions
from games.recycle.compiler.choices import Choices, looks
from games.recycle.compiler.code import CannotCompile, Code
from games.recycle.compiler.flow import Flow
from games.recycle.compiler.guesses import Guesses
from games.recycle.compiler.passes import Passes
from games.recycle.compiler.values import LOCALS, Values
from games.recycle.faces import Faces
from games.recycle.labels import Labels
from games.recycle.layout import Layout, StoreFact, What
from games.recycle.machine import Action, Position
from games.recycle.problems import BadText, Problem, Source, players_of
from games.recycle.several import next_of_several
from games.recycle.tree import Number, Span, walk
from games.recycle.tricks import Tricks
from games.recycle.uses import Uses

Run = Callable[[Position], int]
# A value that a secret store may have, given the player who chose, the owner of the store, its value before, and a
# source of random numbers.
Guess = Callable[[Position, int, int, int, Chance], int]

MOST_NAMED_PLACES = 200  # that are there from the start
MOST_NODES = 25_000  # of the tree of a text
NODES_OF_BLOCK = 25  # that a stage or choice counts as: it becomes several functions
MOST_SCORES = 200_000  # in the cache of point maps, all maps together
OVERHEAD = 100  # scores that a map counts as in addition, for its key and its list
MOST_SELECTIONS = 1_000  # in the cache of which cards have a value
_number = count()

TOO_MANY_PLACES = template(
    "With {players} this text has {n:,} places, and a match may have {most:,}. Use fewer names, or fewer players."
)
TOO_MANY_STORES = template(
    "With {players} this text has {n:,} stores of a kind, and a match may have {most:,}. "
    "Use fewer names, or fewer players."
)
IN_LINE = template("{file}, line {line}: {text}\n  {code}")


class Program:
    """A compiled text. It is shared by all states of all its matches, which never modify it.

    ``recorded`` and ``quiet`` are the functions of ``flow.py`` in two versions; the quiet one keeps no record and no
    events. ``options[c](state, chance)`` finds the options of choice c, and ``after[c]`` is the function that
    continues.
    """

    def __init__(self, game: tree.GameNode, seats: int, source: Source, labels: Labels) -> None:
        self.game, self.seats, self.source, self.labels = game, seats, source, labels
        self.sent_as: tuple[Callable[..., Program], tuple[Any, ...]] | None = None  # to another process: a call
        in_play = [node for block in game.blocks for node in walk(block)]
        self.teams = _teams(game.teams, seats)
        more = sum(len(node.teams) for node in in_play if isinstance(node, tree.CreateTeams))
        self.layout = Layout(seats, len(self.teams) + more)
        setup = [copies_of(made) for made in game.decks]
        later = [node for node in in_play if isinstance(node, tree.CreateDeck)]
        self.deck_statements = [made for made, _ in setup] + later
        self.cards = Cards(self.deck_statements, [times for _, times in setup] + [None] * len(later), game.declares)
        for attributes in self.cards.attributes:  # so that all can be compared with names and asked for by them
            for key, value in attributes.items():
                self.layout.name(key)
                self.layout.name(value)
        self._check_length()
        self._compile()

    def _check_length(self) -> None:
        """Raise CannotCompile where the text becomes too long."""
        nodes = 0
        for node in walk(self.game):
            nodes += NODES_OF_BLOCK if isinstance(node, tree.Stage | tree.Choice) else 1
            if nodes >= MOST_NODES:
                raise CannotCompile(node.at, message("This text is too long to be compiled."))

    def _check_places(self) -> None:
        """Raise CannotCompile for more places or stores than there may be, with as many players as may play."""
        players = self.game.players
        most = (
            players.high.value if isinstance(players, tree.Range) and isinstance(players.high, Number) else self.seats
        )
        owned = sum(place.owner >= 0 for place in self.layout.places)
        places = len(self.layout.places) + owned // self.seats * (most - self.seats)
        stores = 0
        for facts in self.layout.stores.values():
            owned = sum(fact.owner != "game" for fact in facts)
            stores = max(stores, len(facts) + owned // self.seats * (most - self.seats))
        for why, found, limit in (
            (TOO_MANY_PLACES, places, machine.MOST_PLACES),
            (TOO_MANY_STORES, stores, machine.MOST_STORES),
        ):
            if found > limit:
                raise CannotCompile(self.game.at, message(why, players=players_of(most), n=found, most=limit))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.sent_as is None:
            raise TypeError("Only the program of a game can be sent to another process.")
        return self.sent_as

    def _compile(self) -> None:
        game = self.game
        self._keys: dict[str, int] = {}
        values, code = Values(self.layout, self._keys, len(self.cards)), Code()
        reasons = award_reasons(game, self.uses)
        actions = Actions(values, code, list(self.deck_statements), reasons)
        self._declare(values, actions, code)
        recorded, quiet = (Flow(values, actions, code, quiet=one) for one in (False, True))
        for flow in (recorded, quiet):
            flow.write(game.decks, game.blocks)
        self.draws: list[bool] = [False]  # by choice: whether looking for its options draws from chance
        choices = Choices(values, actions, code)
        drawn: list[bool] = []  # by choice: whether one option can be drawn without a list of all
        for number, choice in enumerate(recorded.choices, 1):
            values.random = False
            choices.function(f"options_{number}", choice)
            self.draws.append(values.random)
            drawn.append(not values.random and choices.drawn(f"drawn_{number}", choice))
        passes = Passes(game, recorded.choices, values, code)
        self._passes = [passes.function(f"passes_{n}", n, choice) for n, choice in enumerate(recorded.choices, 1)]
        guesses = Guesses(values, actions, code)
        guesses.write(game.blocks)
        # By choice: whether what may be chosen may depend on what its player cannot see.
        self.looks = [False, *map(looks, recorded.choices)]
        values.chance, values.random = "ch", False
        with code.of(game.scoring.at), code.function("score(s, cur, ch)", **LOCALS):
            code.line(f"return number({values.value(game.scoring.value)})")
        self.score_draws = values.random
        self.low_wins = game.scoring.op == "min"
        self.nodes, self._point_maps, self.kept_teams = actions.nodes, actions.point_maps, actions.kept_teams
        self.choices, self.after = recorded.choices, recorded.after
        self.group = {number: guesses.of[id(node)] for number, node in enumerate(self.nodes) if id(node) in guesses.of}
        self._groups = guesses.groups
        self.award_reasons = {
            number: reasons[id(node)] for number, node in enumerate(self.nodes) if id(node) in reasons
        }
        self._check_places()
        self._name_places()
        self.names = list(self.layout.names)
        self._spans = code.spans
        self._execute(code, recorded, drawn)
        self._note_facts()

    def place_of(self, node: int) -> str:
        """Return where the node of an action stands in the text: "LINE:COLUMN", both from 1."""
        line, column = self.source.line_and_column(self.nodes[node].at.start)
        return f"{line}:{column}"

    def _name_places(self) -> None:
        """Let places that the text makes by name be there from the start, as far as it says which they are."""
        for vis, owned, name in self.uses.named_places():
            if len(self.layout.places) < MOST_NAMED_PLACES:
                self.layout.place(vis, owned, name)

    def _declare(self, values: Values, actions: Actions, code: Code) -> None:
        """Write what is declared: numbers and names stand where they are used, the rest is worked out at the start."""
        with code.function("declare(s)", **LOCALS, cur="0"):
            kept = 0
            for declare in self.game.declares:
                value, var = declare.value, declare.var
                with code.of(declare.at):
                    text = values.text(value)
                    if text is not None:
                        values.texts[var] = text
                    if text is not None or isinstance(value, tree.Number | tree.Names):
                        values.variables[var] = values.value(value)
                        continue
                    place = values.is_place(value)
                    actions.declared(declare)
                    found = values.spot(value) if place else values.value(value)
                    if not found.isdecimal():
                        code.line(f"s.D.append({found})")
                        found, kept = f"s.D[{kept}]", kept + 1
                    (values.live if place else values.variables)[var] = found

    def _execute(self, code: Code, flow: Flow, drawn: Sequence[bool]) -> None:
        """Compile and execute the generated Python, and keep its functions. Raises CannotCompile.

        ``drawn``: by choice, whether there is a function that draws one of its options.
        """
        text = "\n".join(code.lines) + "\n"
        self.text = text
        self.zeros = [0] * len(self.cards)
        self._file = f"<recycle {next(_number)}>"
        keyed: dict[int, Sequence[int]] = {}
        numbers = self.layout.names

        def table(key: str) -> Sequence[int]:
            return [numbers.get(attributes.get(key, ""), 0) for attributes in self.cards.attributes]

        def attribute(key: int) -> Sequence[int]:
            if key not in keyed:
                name = self.names[key]
                keyed[key] = table(name) if name in self.cards.keys else self.zeros
            return keyed[key]

        scope: dict[str, Any] = {
            name: getattr(module, name) for module in (operations, machine) for name in module.FOR_PROGRAMS
        }
        others = [tuple(one for one in range(self.seats) if one != seat) for seat in range(self.seats)]
        scope |= {"OTHERS": others, "attribute": attribute, "points": self._points_of}
        scope |= {f"A{number}": table(key) for key, number in self._keys.items()}
        self._attribute = attribute
        self._cards_by: dict[tuple[int, int], Sequence[int]] = {}
        self._maps: dict[tuple[int, tuple[int, ...]], Sequence[int]] = {}
        try:
            program = compile(text, self._file, "exec")
        except (SyntaxError, RecursionError, MemoryError) as error:  # what Python reads is not as deep as it may be
            at = self._spans[error.lineno - 1] if isinstance(error, SyntaxError) and error.lineno else self.game.at
            raise CannotCompile(at, message("Too many parts are nested here.")) from error
        exec(program, scope)  # noqa: S102  # our own names and numbers: see the package
        linecache.cache[self._file] = (len(text), None, text.splitlines(keepends=True), self._file)
        finalize(self, linecache.cache.pop, self._file, None)
        self.recorded: list[Run] = [scope[f"recorded_{number}"] for number in range(flow.count)]
        self.quiet: list[Run] = [scope[f"quiet_{number}"] for number in range(flow.count)]
        self.options: list[Callable[[Position, Chance], list[tuple[Action, ...]]]] = [
            lambda state, chance: [],
            *(scope[f"options_{number}"] for number in range(1, len(drawn) + 1)),
        ]
        # By choice: what draws one option, as if from the list of all; None: they have to be listed.
        self.drawn: list[Callable[[Position, Chance], tuple[Action, ...]] | None] = [
            None,
            *(scope[f"drawn_{number}"] if there else None for number, there in enumerate(drawn, 1)),
        ]
        # By choice: whether everybody can see that its player must pass; None: nobody ever can.
        self.must_pass: list[Callable[[Position], bool] | None] = [
            None,
            *(scope[f"passes_{number}"] if there else None for number, there in enumerate(self._passes, 1)),
        ]
        self.declare: Callable[[Position], None] = scope["declare"]
        self.score: Callable[[Position, int, Chance], int] = scope["score"]
        # By group of statements that set a secret store: what one of them may have stored.
        self.guesses: list[list[Guess]] = [[scope[f"guess_{one}"] for one in group] for group in self._groups]

    def _note_facts(self) -> None:
        """Keep what the layout, the cards and the tree say, as ``machine.Facts`` explains it."""
        self.place_facts = list(self.layout.places)
        self.store_facts: dict[What, list[StoreFact]] = {
            what: list(stores) for what, stores in self.layout.stores.items()
        }
        self.followed = [isinstance(node, tree.Move) and _followed(node) for node in self.nodes]
        self.plain = [
            isinstance(node, tree.SetNumber | tree.SetName | tree.SetPlayer) and _written(node.value)
            for node in self.nodes
        ]
        self.changes = [isinstance(node, tree.SetNumber) and node.op != "set" for node in self.nodes]
        self.dice = "die" in self.cards.kinds
        self.backs = self.cards.backs if len(set(self.cards.backs)) > 1 else None  # None: all look alike

    # -- for tables and log entries

    @cached_property
    def faces(self) -> Faces:
        """What its cards are called."""
        return Faces(self.cards, self.labels, self.uses.orders, self.uses.grouping)

    @cached_property
    def uses(self) -> Uses:
        """What it does with its places and stores."""
        return Uses(self.game)

    @cached_property
    def next_of_several(self) -> dict[int, int]:
        """By choice: the one that may come next where a player takes several cards one by one."""
        return next_of_several(self.choices, self.game.blocks)

    @cached_property
    def tricks(self) -> Tricks:
        """What it says about tricks."""
        return Tricks(self.game, self.uses, self.nodes, self.layout)

    # -- point maps

    def _points_of(self, which: int, values: tuple[int, ...]) -> Sequence[int]:
        """Return the score of each card by an award list, its values that are not fixed being ``values``.

        Scores add up over all awards that a card meets.
        """
        known = which, values
        if known in self._maps:
            return self._maps[known]
        given = iter(values)

        def number(value: tree.Value) -> int:
            if isinstance(value, tree.Name):
                return self.layout.name(value.text)
            return value.value if isinstance(value, tree.Number) else next(given)

        scores = [0] * len(self.cards)
        for award in self._point_maps[which].awards:
            (key, value), *more = [(number(name), number(value)) for name, value in award.pairs]
            cards = self._having(key, value)
            for other, wanted in more:
                table = self._attribute(other)
                cards = [card for card in cards if table[card] == wanted]
            worth = number(award.value)
            for card in cards:
                scores[card] += worth
        if len(self._maps) * (len(scores) + OVERHEAD) >= MOST_SCORES:
            self._maps.clear()
        self._maps[known] = scores
        return scores

    def _having(self, key: int, value: int) -> Sequence[int]:
        """Return the cards that have an attribute with a value."""
        if (key, value) not in self._cards_by:
            if len(self._cards_by) >= MOST_SELECTIONS:
                self._cards_by.clear()
            self._cards_by[key, value] = [card for card, its in enumerate(self._attribute(key)) if its == value]
        return self._cards_by[key, value]

    # -- what fails

    def failure(self, error: Exception) -> RulesFailed:
        """Return what running the program has raised as the failure of the text, with the line that it came from."""
        at: Span | None = None
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self._file:
                at = self._spans[trace.tb_lineno - 1]
            trace = trace.tb_next
        kind, text = self.kind_and_text(error)
        return self.failed(kind, text, at)

    @staticmethod
    def kind_and_text(error: Exception) -> tuple[str, Message]:
        """Return what went wrong in a word, and in a sentence for the author of a text."""
        if isinstance(error, RulesFailed):
            return error.kind, as_written(error.text)
        if isinstance(error, IndexError | KeyError):
            return "no such card", message("There is no card here to take.")
        if isinstance(error, RecursionError):
            return "too deep", message("Too many parts are nested here.")
        if isinstance(error, ValueError):
            return "no such card", message("This card is no longer where it is taken from.")
        return type(error).__name__, message(
            "The engine failed here: {error}. Please report this text.", error=str(error)
        )

    def failed(self, kind: str, text: Message, at: Span | None) -> RulesFailed:
        """Return the failure of a text at a place in it."""
        if at is None:
            return RulesFailed(kind, text)
        line, _ = self.source.line_and_column(at.start)
        code = self.source.line(line).strip()
        return RulesFailed(kind, message(IN_LINE, file=self.source.name, line=line, text=text, code=code))


def compile_game(game: tree.GameNode, seats: int, source: Source, labels: Labels | None = None) -> Program:
    """Return a text as a program for so many players. Raises BadText when it asks for more than there may be."""
    try:
        return Program(game, seats, source, labels or Labels())
    except CannotCompile as refused:
        raise BadText(source, [Problem("error", refused.at, refused.text)]) from refused
    except RecursionError as deep:
        raise BadText(source, [Problem("error", game.at, message("Too many parts are nested here."))]) from deep
    except RulesFailed as failure:
        at = game.decks[0].at if game.decks else game.at
        raise BadText(source, [Problem("error", at, as_written(failure.text))]) from failure


def _teams(made: tree.CreateTeams | None, seats: int) -> list[tuple[int, ...]]:
    """Return the teams of the setup: each player alone where it makes none."""
    if made is None:
        return [(seat,) for seat in range(seats)]
    for team in made.teams:
        for seat in team:
            if seat >= seats:
                raise RulesFailed(
                    "no such player",
                    message(
                        "A team lists the player number {seat}: with {seats} players, the numbers are 0 to {last}.",
                        seat=seat,
                        seats=seats,
                        last=seats - 1,
                    ),
                )
    return list(made.teams)


def _written(value: tree.Value) -> bool:
    """Return whether the text itself says a value: a number, a name, a player by number."""
    if isinstance(value, tree.Numbered):
        value = value.number
    return isinstance(value, tree.Number | tree.Name)


def _followed(move: tree.Move) -> bool:
    """Return whether everybody can tell which card of a place a move takes: the top one, not one chosen by its face."""
    card = tree.bare(move.card)
    if not isinstance(card, tree.CardAt):
        return False
    return isinstance(card.cards, tree.Place) or (isinstance(card.cards, tree.Use) and card.cards.var.live)
