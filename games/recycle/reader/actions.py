"""Reading what is done: steps, stages and choices."""

from __future__ import annotations

from collections.abc import Callable

from games.core.messages import NONE, message
from games.recycle.reader.base import WANTED, Reader, begins, but, head, is_word, word
from games.recycle.reader.regular import readers
from games.recycle.reader.simple import SIMPLE
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.signatures import ACTIONS, BLOCKS, HEADED, KINDS, PLACES, STORES, VALUES, how_written
from games.recycle.tree import (
    Action,
    Block,
    Choice,
    Do,
    Forget,
    Let,
    Move,
    Repeat,
    RepeatAll,
    Span,
    Stage,
    Type,
    Value,
    When,
)

NOT_HERE = {
    "stage": message("A stage is not allowed here."),
    "choice": message("A choice is not allowed here."),
    "together": message("{kind} is not allowed here.", kind="together"),
}
ONLY_DIRECTLY = {
    "stage": message("A stage must be directly in the game or in another stage, not in do, any, all or choice."),
    "choice": message("A choice must be directly in the game or in a stage, not in do, any, all or choice."),
    "together": message("together must be directly in the game or in a stage, not in do, any, all or choice."),
}
WHERE = {
    "declare": message("It must be directly in the game, before the setup; setup and scoring may occur only once."),
    "setup": message(
        "It must be directly in the game, first, after what is declared; setup and scoring may occur only once."
    ),
    "scoring": message("It must be directly in the game, last; setup and scoring may occur only once."),
}
BLOCK_WANTED = message("Expected a stage, choice, together, do, any, all or let here")


def made_up(at: Span) -> Action:
    """Return a placeholder for an action that could not be read, so that reading can continue."""
    return Do(at, ())


# -- steps


def step(r: Reader, item: Item) -> Action:
    """Read an action, or one with a test before it: ``(test action)``."""
    if isinstance(item, Form) and item.items:
        first = item.items[0]
        if isinstance(first, Form) or (isinstance(first, Atom) and first.kind == "VAR"):
            return _when(r, item)
    return action(r, item)


def _when(r: Reader, form: Form) -> Action:
    """Read a step that begins with a test."""
    first, rest = form.items[0], form.items[1:]
    if form.broken:
        return made_up(form.at)
    if rest and is_word(rest[0], *PLACES, *STORES):
        r.wrong(form.at, message("Expected a step here, but {code} does nothing.", code=r.quoted(form)))
        return made_up(form.at)
    if _acts(first) and not (len(rest) == 1 and head(first) in ("any", "all")):
        for item in form.items:
            step(r, item)
        if rest:
            hint = message("Write several steps one after another as (do (STEP STEP ...)).")
            r.wrong(form.at, message("Expected a test and what depends on it here, but found several steps."), hint)
        else:
            r.wrong(
                form.at,
                message("There is one pair of brackets too many around this step."),
                message("Write {code}.", code=r.quoted(first)),
            )
        return made_up(form.at)
    test = r.want(first, Type.BOOL)
    if len(rest) != 1:
        for item in rest:
            step(r, item)
        if rest:
            hint = message("Write several steps under one test as (TEST (do (STEP STEP ...))).")
            r.wrong(rest[1].at, message("Expected only one action after a test, but found a second."), hint)
        else:
            r.wrong(
                form.at,
                message("Expected an action after a test, but found none."),
                message("Write (TEST ACTION)."),
            )
        return made_up(form.at)
    if isinstance(rest[0], Form) and rest[0].items and isinstance(rest[0].items[0], Form) and not rest[0].broken:
        hint = message("Join the tests: ((and TEST TEST) ACTION).")
        if all(_acts(item) for item in rest[0].items):
            hint = message("Write steps under a test as (TEST (do (STEP STEP ...))).")
        r.wrong(rest[0].at, message("Expected an action after a test, not brackets around something else."), hint)
        return made_up(form.at)
    return When(form.at, test, action(r, rest[0]))


def _acts(item: Item) -> bool:
    return head(item) in ACTIONS


def action(r: Reader, item: Item) -> Action:
    """Read something that is done."""
    if not isinstance(item, Form):
        if item.kind != "OTHER":
            hint = message("Put it in brackets: ({word} ...).", word=item.text) if item.text in ACTIONS else NONE
            r.wrong(item.at, message("Expected a step here, but found {code}.", code=r.quoted(item)), hint)
        return made_up(item.at)
    if not item.items:
        r.wrong(item.at, message("Expected a step between these brackets, but found nothing."))
        return made_up(item.at)
    name = head(item)
    reader = ACTION_READERS.get(name)
    if reader:
        return reader(r, item) or made_up(item.at)
    first = item.items[0]
    if name in NOT_HERE:
        r.wrong(first.at, NOT_HERE[name], ONLY_DIRECTLY[name])
    elif isinstance(first, Atom) and (first.kind != "WORD" or name in NO_ACTION):
        if first.kind != "OTHER":
            test = message("A test comes before what depends on it: (TEST ACTION).") if name in TESTS else NONE
            r.wrong(item.at, message("Expected a step here, but {code} does nothing.", code=r.quoted(item)), test)
    elif isinstance(first, Atom):
        r.unknown(first, message("Expected a step here"))
    return made_up(item.at)


TESTS = frozenset(name for name, ways in HEADED.items() for way in ways if way.gives == "TEST") - ACTIONS
NO_ACTION = frozenset(name for name, ways in HEADED.items() for way in ways if way.gives in VALUES) - ACTIONS | {"game"}


def _steps(r: Reader, form: Form) -> tuple[Action, ...] | None:
    """Read the steps of a ``do`` or a ``choice``: ``(do (step step ...))``."""
    kind = word(form)
    if form.broken:
        return None
    parts = form.items[1:]
    first = parts[0] if parts else None
    if isinstance(first, Form) and len(parts) == 1 and not _misses_brackets(first):
        if not first.items:
            r.wrong(first.at, message("{kind} takes steps, but there are none.", kind=kind), how_written(kind))
        return tuple(step(r, item) for item in first.items)
    if first is None:
        r.wrong(form.at, message("{kind} takes steps, but there are none.", kind=kind), how_written(kind))
    elif isinstance(first, Atom):
        r.wrong(
            first.at,
            message("Expected the steps of {kind} here, but found {code}.", kind=kind, code=r.quoted(first)),
            how_written(kind),
        )
    elif not _misses_brackets(first):
        hint = message("Put one more pair of brackets around all steps: ({kind} (STEP STEP ...)).", kind=kind)
        r.wrong(parts[1].at, message("{kind} takes one list of steps, but more follows here.", kind=kind), hint)
    elif isinstance(first.items[0], Atom):
        hint = message("Put one more pair of brackets around all steps: ({kind} (STEP STEP ...)).", kind=kind)
        r.wrong(first.at, message("The steps of {kind} are not in brackets of their own.", kind=kind), hint)
    else:
        hint = message(
            "Put a test and its action in brackets, and all steps in one more pair: ({kind} ((TEST ACTION))).",
            kind=kind,
        )
        r.wrong(
            first.at,
            message("Expected the steps of {kind} here, but found one step with its test.", kind=kind),
            hint,
        )
    for part in parts:
        if isinstance(part, Form):
            for item in [part] if _misses_brackets(part) else part.items:
                step(r, item)
    return None


def _misses_brackets(form: Form) -> bool:
    """Return whether a form in place of a list of steps is a step itself: (move ...), or ((== ...) (move ...))."""
    first = form.items[0] if form.items else None
    return isinstance(first, Atom) or (len(form.items) == 2 and first is not None and head(first) in TESTS)


# -- actions that hold others


def _do(r: Reader, form: Form) -> Action | None:
    steps = _steps(r, form)
    return None if steps is None else Do(form.at, steps)


def _repeat(r: Reader, form: Form) -> Action | None:
    parts = r.parts(form, "_", "_")
    if not parts:
        return None
    if not is_word(parts[0], "all"):
        return Repeat(form.at, r.want(parts[0], Type.INT), step(r, parts[1]))
    if head(parts[1]) in ("move", "forget"):
        done = action(r, parts[1])
        return RepeatAll(form.at, done) if isinstance(done, Move | Forget) else None
    if not (isinstance(parts[1], Form) and parts[1].broken):
        r.wrong(
            parts[1].at,
            message("Expected a move or a forget after repeat all."),
            message("Write (repeat all (move CARD (top PLACE)))."),
        )
    return None


ACTION_READERS: dict[str, Callable[[Reader, Form], Action | None]] = {
    "do": _do,
    "repeat": _repeat,
    **SIMPLE,
    **readers(KINDS["STEP"].takes),
}


# -- blocks


def block(r: Reader, item: Item) -> Block | None:
    """Read what may stand directly in a game or a stage."""
    kind = head(item)
    if isinstance(item, Form):
        if kind == "stage":
            return _stage(r, item)
        if kind == "choice":
            steps = _steps(r, item)
            return None if steps is None else Choice(item.at, steps)
        if kind == "together":
            return _together(r, item)
        if kind == "let":
            return _let_block(r, item)
        if kind in BLOCKS:
            return action(r, item)
        if kind in ACTION_READERS:
            step(r, item)
            r.wrong(
                item.at,
                message("{kind} is not allowed here by itself.", kind=kind),
                message("Put it into a do: (do (({kind} ...))).", kind=kind),
            )
            return None
        if item.items and isinstance(item.items[0], Form) and not item.broken:
            step(r, item)
            r.wrong(
                item.at,
                message("A test is not allowed here by itself."),
                message("Put it with its action into a do: (do ((TEST ACTION)))."),
            )
            return None
        if item.items and isinstance(item.items[0], Atom) and item.items[0].kind == "WORD":
            if kind in WHERE:
                r.wrong(item.items[0].at, message("{kind} is not allowed here.", kind=kind), WHERE[kind])
            else:
                r.unknown(item.items[0], BLOCK_WANTED)
            return None
    if not (isinstance(item, Form) and item.broken) and not (isinstance(item, Atom) and item.kind == "OTHER"):
        r.wrong(item.at, but(BLOCK_WANTED, message("found {code}", code=r.quoted(item))))
    return None


def _stage(r: Reader, form: Form) -> Block | None:
    if form.broken:
        return None
    items = form.items[1:]
    if not items or not is_word(items[0], "player", "team"):
        first = items[0] if items else None
        near = r.nearest(first.text, frozenset(("player", "team"))) if isinstance(first, Atom) else None
        hint = message("Did you mean {near}?", near=near) if near else how_written("stage")
        r.wrong((first or form.items[0]).at, message("Expected player or team after stage."), hint)
        items = items[1:] if isinstance(first, Atom) else items
    else:
        items = items[1:]
    test: Value | None = None
    if items and begins(items[0], "end"):
        parts = r.parts(items[0], "_")
        items = items[1:]
        test = r.want(parts[0], Type.BOOL) if parts else None
    else:
        at = items[0].at if items else form.items[0].at
        r.wrong(at, message("The end condition of a stage comes before its blocks."), how_written("stage"))
    blocks = tuple(found for item in items if (found := block(r, item)))
    if not items:
        r.wrong(form.at, message("Nothing happens in this stage."), how_written("stage"))
    kind = "team" if len(form.items) > 1 and is_word(form.items[1], "team") else "player"
    return Stage(form.at, kind, test, blocks) if test else None  # type: ignore[arg-type]


def _together(r: Reader, form: Form) -> Block | None:
    """Read ``(together players (choice (step step ...)))``."""
    parts = r.parts(form, "_", "_")
    if not parts:
        return None
    players = r.collection(parts[0])
    if players is not None and players.type is not Type.PLAYERS:
        text = but(WANTED[Type.PLAYERS], r.what(parts[0], players))
        r.wrong(parts[0].at, text, how_written("together"))
        return None
    if not begins(parts[1], "choice"):
        text = message("Expected the choice of these players here, but found {code}.", code=r.quoted(parts[1]))
        r.wrong(parts[1].at, text, how_written("together"))
        return None
    steps = _steps(r, parts[1])
    return Choice(form.at, steps, players) if players and steps is not None else None


def _let_block(r: Reader, form: Form) -> Block | None:
    """Read a ``let`` around a block. Around a choice it is read as one in each step: all begin at the same moment."""
    inner = form.items[-1]
    while head(inner) == "let" and isinstance(inner, Form):
        inner = inner.items[-1]
    if head(inner) not in NOT_HERE or len(form.items) != 4:
        return action(r, form)
    parts = r.parts(form, "_", "_", "_")
    if not parts:
        return None
    if head(parts[2]) == "stage":
        r.wrong(
            parts[2].at,
            message("A stage is not allowed in a let."),
            message("Put the let into the stage, around what needs the variable."),
        )
    if head(parts[2]) == "together":
        text = message("together is not allowed in a let.")
        r.wrong(parts[2].at, text, message("Put the let into the choice, around what needs the variable."))
    value = r.value(parts[0])
    with r.binding(parts[1], value.type if value else None, "let", value) as var:
        choice = block(r, parts[2])
    if not isinstance(choice, Choice) or value is None:
        return None
    return Choice(form.at, tuple(Let(one.at, value, var, one) for one in choice.steps))
