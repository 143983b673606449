"""Reading a text: from what an author wrote to a typed tree, or to all that is wrong with it."""

from __future__ import annotations

from typing import TypeGuard

from games.core.messages import message
from games.recycle import signatures
from games.recycle.constants import constant
from games.recycle.indentation import closed_too_early
from games.recycle.problems import BadText, Source
from games.recycle.reader.actions import block, step
from games.recycle.reader.base import Reader, begins, head, is_word, made_up
from games.recycle.reader.blocks import written_out
from games.recycle.reader.decks import create
from games.recycle.reader.piles import CARDS, owned
from games.recycle.reader.regular import readers
from games.recycle.reader.syntax import Form, Item, Unparsed, parse
from games.recycle.reader.values import VALUES
from games.recycle.signatures import how_written
from games.recycle.tree import (
    CreateDeck,
    CreateTeams,
    Declare,
    GameNode,
    Number,
    Range,
    Repeat,
    Span,
    Type,
    Value,
)


def read(text: str, name: str = "game.rcy") -> GameNode:
    """Return the tree of a text, of which ``name`` is the file. Raise ``BadText`` with all that is wrong with it."""
    source = Source(text, name)
    try:
        form, problems = parse(text)
    except Unparsed as unparsed:
        raise BadText(source, [unparsed.problem]) from None
    reading = Reader(source, readers(signatures.VALUES) | VALUES | CARDS, owned, step)
    for problem in problems:
        reading.wrong(problem.at, problem.text, problem.hint)
    written = written_out(reading, form)
    game = _game(reading, written) if written else None
    if reading.problems or game is None:
        raise BadText(source, sorted(reading.problems, key=lambda problem: problem.at))
    return game


def _game(r: Reader, form: Form) -> GameNode | None:
    items = form.items
    if not items or not is_word(items[0], "game"):
        r.wrong((items[0] if items else form).at, message("A text begins with (game."), how_written("game"))
        return None
    items = items[1:]
    declares = []
    while items and begins(items[0], "declare"):
        declares.append(_declare(r, items[0]))
        items = items[1:]
    if items and begins(items[0], "setup"):
        players, teams, decks = _setup(r, items[0])
        items = items[1:]
    else:
        at = items[0].at if items else form.at
        r.wrong(at, message("Expected the setup here."), how_written("setup"))
        players, teams, decks = Number(form.at, 1), None, ()
    last = items[-1] if items and begins(items[-1], "scoring") else None
    if last:
        items = items[:-1]
    blocks = tuple(found for item in items if (found := block(r, item)))
    scoring = readers(("SCORING",))["scoring"](r, last) if last else None
    if not last:
        _no_scoring(r, form)
    if not items:
        r.wrong(
            form.at,
            message("Nothing happens in this game."),
            message("Stages, choices and dos go between setup and scoring."),
        )
    if scoring is None:
        return None
    return GameNode(form.at, tuple(found for found in declares if found), players, teams, decks, blocks, scoring)


def _no_scoring(r: Reader, form: Form) -> None:
    """Report that there is no scoring, or that it stands after the end of the game."""
    end = form.at.end
    if "(scoring" in r.source.text[end:].replace(" ", ""):
        at, line = Span(end - 1, end), closed_too_early(r.source)
        hint = (
            message("By the indentation, line {line} has one ) too many.", line=line)
            if line
            else message("Somewhere before, there is one ) too many.")
        )
        r.wrong(at, message("The game ends with this bracket, before its scoring."), hint)
    elif not any(head(item) == "scoring" for item in form.items):  # else its wrong place is reported
        at = Span(end - 1, end)
        r.wrong(
            at,
            message("Expected the scoring before the game ends."),
            message("It is the last part of a game. {hint}", hint=how_written("scoring")),
        )


def _declare(r: Reader, item: Form) -> Declare | None:
    parts = r.parts(item, "_", "_")
    if not parts:
        return None
    value = r.value(parts[0])
    var = r.bind(parts[1], value.type if value else None, "declare", value)
    return Declare(item.at, value, var) if value else None


# -- the setup


def _setup(r: Reader, item: Form) -> tuple[Value, CreateTeams | None, tuple[CreateDeck | Repeat, ...]]:
    items = item.items[1:]
    players: Value = made_up(Type.INT, item.at)
    if items and _creates(items[0], "players"):
        players = _players(r, items[0])
        items = items[1:]
    elif not item.broken:
        r.wrong(
            (items[0] if items else item).at,
            message("The setup begins with its players."),
            message("Write (create players 4)."),
        )
    teams = None
    if items and _creates(items[0], "teams"):
        found = create(r, items[0])
        teams = found if isinstance(found, CreateTeams) else None
        if teams and isinstance(players, Number):
            _check_members(r, items[0], teams, players.value)
        items = items[1:]
    plain: list[CreateDeck] = []
    repeated: list[Repeat] = []
    for each in items:
        made = _deck_of_setup(r, each)
        if isinstance(made, Repeat):
            repeated.append(made)
        elif isinstance(made, CreateDeck):
            plain.append(made)
    if not items and not item.broken:
        r.wrong(item.at, message("No deck is created in this setup."), how_written("create", "DECKS"))
    return players, teams, (*plain, *repeated)


def _creates(item: Item, what: str) -> TypeGuard[Form]:
    return begins(item, "create") and len(item.items) > 1 and is_word(item.items[1], what)


def _players(r: Reader, form: Form) -> Value:
    parts = r.parts(form, "players", "_", "..", "_") if len(form.items) > 3 else r.parts(form, "players", "_")
    if not parts:
        return made_up(Type.INT, form.at)
    numbers = [_fixed(r.want(part, Type.INT)) for part in parts]
    if len(numbers) == 1:
        return numbers[0]
    low, high = numbers
    if not (isinstance(low, Number) and isinstance(high, Number) and 1 <= low.value <= high.value):
        r.wrong(
            form.at,
            message("Expected two numbers here, the lower one first."),
            message("Write (create players 2 .. 5)."),
        )
    return Range(form.at, low, high)


def _fixed(value: Value) -> Value:
    """Return a value as a plain number if the text alone determines it, else as it is."""
    found = constant(value)
    return value if found is None or found < 0 else Number(value.at, found)


def _check_members(r: Reader, form: Form, teams: CreateTeams, players: int) -> None:
    for number in (number for team in teams.teams for number in team):
        if number >= players:
            r.wrong(
                form.at,
                message("There is no player with the number {number}.", number=number),
                message("The numbers of the {players} players are 0 to {last}.", players=players, last=players - 1),
            )
            return


def _deck_of_setup(r: Reader, item: Item) -> CreateDeck | Repeat | None:
    if isinstance(item, Form):
        if any(_creates(item, kind) for kind in ("deck", "tokens", "die")):
            made = create(r, item)
            return made if isinstance(made, CreateDeck) else None
        if head(item) == "repeat":
            parts = r.parts(item, "_", "_")
            if not parts:
                return None
            count, inner = r.want(parts[0], Type.INT), _deck_of_setup(r, parts[1])
            return Repeat(item.at, count, inner) if inner else None
        if item.broken:
            return None
    hint = message(
        "First come the players, then the teams, then the decks. What is done with them follows after the setup."
    )
    if isinstance(item, Form) and head(item) == "create":
        hint = message("First come the players, once, then the teams, once, then the decks.")
    r.wrong(item.at, message("Expected decks here in the setup, but found {code}.", code=r.quoted(item)), hint)
    return None
