"""What a stage is to people: turns that go round, something one player does alone, something that happens by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from games.recycle.explaining.comparing import current
from games.recycle.explaining.survey import Survey
from games.recycle.logic import holds
from games.recycle.tree import (
    Action,
    Address,
    Block,
    CardAt,
    Choice,
    Compare,
    CreateDeck,
    Cycle,
    Do,
    Everybody,
    Extreme,
    ForEach,
    GameNode,
    Let,
    Logic,
    Move,
    Name,
    Node,
    Number,
    OwnerOf,
    Place,
    Ref,
    Relative,
    SetName,
    SetNumber,
    Shuffle,
    Size,
    Stage,
    Stored,
    Target,
    Value,
    When,
    address_of,
    walk,
)

MOST_PARTS = 20  # of an end that are looked at
StageKind = Literal["turns", "rounds", "once", "again", "itself"]


@dataclass
class StagePlan:
    """How a stage is described. ``ends``: parts of its end that its kind does not imply; ``title``: of its section."""

    kind: StageKind
    ends: Value | None
    title: str = ""
    counted: bool = False  # it ends after so many times round:
    times: int | None = None  # None: once around the table
    others: tuple[Value, ...] = ()


class AlwaysSet(NamedTuple):
    """What a store is always set to in a block: numbers or names of the text, and by which steps."""

    values: set[int | str]
    steps: list[int]


@dataclass
class StagePlans:
    """The plans of all stages, and the steps that need no sentence of their own."""

    of: dict[int, StagePlan] = field(default_factory=dict)
    silent: set[int] = field(default_factory=set)


def plans(game: GameNode, survey: Survey) -> StagePlans:
    """Return how to describe the stages of a game."""
    found = StagePlans()
    _plan_blocks(game.blocks, found, survey)
    _title(game.blocks, found, [])
    return found


def _plan_blocks(blocks: tuple[Block, ...], found: StagePlans, survey: Survey) -> None:
    for place, block in enumerate(blocks):
        if isinstance(block, Stage):
            _plan_blocks(block.blocks, found, survey)
            found.of[id(block)] = _plan(block, blocks, place, found, survey)


def _plan(stage: Stage, blocks: tuple[Block, ...], place: int, found: StagePlans, survey: Survey) -> StagePlan:
    before = blocks[place - 1] if place else None
    if not any(isinstance(node, Choice) for node in walk(stage)):
        return StagePlan("itself", stage.end)
    if stage.kind == "player":
        once = _once(stage, before, found, survey) or _one_card(stage, blocks[:place], found, survey)
        if once:
            return once
    inner = [found.of[id(block)] for block in _open_stages(stage.blocks, found)]
    together = any(isinstance(block, Choice) and block.players for block in stage.blocks)
    if together or any(plan.kind in ("turns", "rounds") for plan in inner):
        return StagePlan("rounds", stage.end)
    again = [step for step in _always(stage.blocks) if _same_again(step)]
    turned = [node for node in walk(stage.blocks) if isinstance(node, Cycle)]
    if again and len(turned) == len(again) and stage.kind == "player":
        found.silent |= {id(step) for step in again}
        return StagePlan("again", stage.end)
    return StagePlan("turns", stage.end)


def _open_stages(blocks: tuple[Block, ...], found: StagePlans) -> Iterator[Stage]:
    """Yield the stages in blocks, through those that one player does alone."""
    for block in blocks:
        if isinstance(block, Stage):
            yield block
            if found.of[id(block)].kind in ("once", "again"):
                yield from _open_stages(block.blocks, found)


def _same_again(step: Action) -> bool:
    return isinstance(step, Cycle) and step.op == "next" and current(step.player)


def _always(blocks: tuple[Block, ...]) -> Iterator[Action]:
    """Yield the simple steps of blocks that are always done."""
    for block in blocks:
        if isinstance(block, Do):
            yield from _always(block.steps)
        elif not isinstance(block, Stage | Choice | When | ForEach | Let):
            yield block


def _sets(block: Block) -> dict[Address, AlwaysSet]:
    """Return which stores a block always sets to a number or name of the text."""
    found: dict[Address, AlwaysSet] = {}
    if isinstance(block, Choice):
        each = [_sets_of_option(step) for step in block.steps]
        if not each:
            return {}
        for store in set(each[0]).intersection(*each[1:]):
            found[store] = AlwaysSet(
                set().union(*(one[store].values for one in each)), [at for one in each for at in one[store].steps]
            )
        return found
    for step in _always((block,)):
        _note_set(step, found)
    return found


def _sets_of_option(step: Action) -> dict[Address, AlwaysSet]:
    """Return the same of an option: what is under a condition is done if the option is there at all."""
    while isinstance(step, When | ForEach | Let):
        step = step.body if isinstance(step, When) else step.step
    found: dict[Address, AlwaysSet] = {}
    for each in _always((step,)):
        _note_set(each, found)
    return found


def _note_set(step: Action, found: dict[Address, AlwaysSet]) -> None:
    if isinstance(step, SetNumber | SetName) and address_of(step.ref).name and _own(step.ref.who):
        value = _said(step.value)
        if value is None or (isinstance(step, SetNumber) and step.op != "set"):
            found.pop(address_of(step.ref), None)
        else:
            found[address_of(step.ref)] = AlwaysSet({value}, [id(step)])


def _said(value: Value) -> int | str | None:
    """Return the number or name that the text itself says; None for what is computed."""
    return value.value if isinstance(value, Number) else value.text if isinstance(value, Name) else None


def _own(who: Node) -> bool:
    return not isinstance(who, Relative) or current(who)


def _once(stage: Stage, before: Block | None, found: StagePlans, survey: Survey) -> StagePlan | None:
    """Return the plan of a stage that ends after one round, whatever happens in it; None if it may go on."""
    parts = stage.end.parts if isinstance(stage.end, Logic) and stage.end.op == "or" else (stage.end,)
    written: dict[Address, AlwaysSet] = {}
    for block in stage.blocks:
        if not isinstance(block, Stage):
            written |= _sets(block)
    for part in parts[:MOST_PARTS]:
        if not (isinstance(part, Compare) and isinstance(part.left, Stored) and isinstance(part.right, Number | Name)):
            continue
        store = address_of(part.left.ref)
        if store not in written or not _own(part.left.ref.who):
            continue
        values, steps = written[store]
        inside = [
            node for node in walk(stage) if isinstance(node, SetNumber | SetName) and address_of(node.ref) == store
        ]
        if {id(node) for node in inside} != set(steps) or any(isinstance(node, Cycle) for node in walk(stage.blocks)):
            continue
        if not all(_holds(part, value) for value in values):
            continue
        preset = _sets(before) if isinstance(before, Do) else {}
        at_first, preset_steps = preset.get(store, AlwaysSet(set(), []))
        if at_first and not any(_holds(part, value) for value in at_first):
            rest = tuple(other for other in parts if other is not part)
            uses = len(survey.refs[store])
            accounted = {*steps, *preset_steps}
            writes = {id(write) for write in survey.writes[store]}
            if writes == accounted and uses == len(accounted) + 1:
                found.silent |= accounted
            return StagePlan("once", Logic(stage.end.at, "or", rest) if rest else None)
        return StagePlan("once", stage.end)
    return None


def _one_card(stage: Stage, before: tuple[Block, ...], found: StagePlans, survey: Survey) -> StagePlan | None:
    """Return the plan of a stage in which the one card that can lie somewhere is moved away; None for any other."""
    match stage.end:
        case Compare(op="==", left=Size(of=Place(name=Name()) as place), right=Number(value=0)):
            where = address_of(place)
        case _:
            return None
    choice = stage.blocks[0]
    if where.owner != "game" or len(stage.blocks) > 1 or not isinstance(choice, Choice):
        return None
    for option in choice.steps:
        inside = option
        while isinstance(inside, When | ForEach | Let):
            inside = inside.body if isinstance(inside, When) else inside.step
        if not any(isinstance(step, Move) and _from(step) == where for step in _always((inside,))):
            return None
    made = [
        node
        for node in walk((survey.game.decks, survey.game.blocks))
        if isinstance(node, CreateDeck | Target) and isinstance(node.place, Place) and address_of(node.place) == where
    ]
    brought = [move.to for block in before for move in _once_only(block, found) if any(move.to is to for to in made)]
    return StagePlan("once", stage.end) if len(made) == 1 and len(brought) == 1 else None


def _from(move: Move) -> Address | None:
    card = move.card
    return address_of(card.cards) if isinstance(card, CardAt) and isinstance(card.cards, Place) else None


def _once_only(block: Block, found: StagePlans) -> Iterator[Move]:
    """Yield the moves in a block that are made once at most."""
    if isinstance(block, Stage):
        if found.of[id(block)].kind == "once":
            for each in block.blocks:
                yield from _once_only(each, found)
    elif isinstance(block, Choice | Do):
        for step in block.steps:
            yield from _once_only(step, found)
    elif isinstance(block, When):
        yield from _once_only(block.body, found)
    elif isinstance(block, Move):
        yield block


def _holds(test: Compare, value: int | str) -> bool:
    """Return whether a comparison with a number or a name holds for a value."""
    wanted = _said(test.right)
    if isinstance(value, int) and isinstance(wanted, int):
        return holds(test.op, value, wanted)
    return (value == wanted) == (test.op == "==")


def count_rounds(game: GameNode, found: StagePlans, survey: Survey) -> None:
    """Find the stages that end after so many times round, and silence their counting."""
    accounted: dict[Address, set[int]] = {}
    _count(game.blocks, found, survey, False, accounted)
    for store, steps in accounted.items():
        writes = {id(write) for write in survey.writes[store]}
        asked = len(survey.refs[store]) - len(writes)
        if writes <= steps and asked == len(steps - writes):
            found.silent |= writes


def _count(
    blocks: tuple[Block, ...], found: StagePlans, survey: Survey, nested: bool, accounted: dict[Address, set[int]]
) -> None:
    for place, block in enumerate(blocks):
        if not isinstance(block, Stage):
            continue
        _count(block.blocks, found, survey, True, accounted)
        plan = found.of[id(block)]
        if plan.kind not in ("turns", "rounds") or plan.ends is None:
            continue
        parts = plan.ends.parts if isinstance(plan.ends, Logic) and plan.ends.op == "or" else (plan.ends,)
        for part in parts[:MOST_PARTS]:
            counted = _counted(block, part, blocks[:place], survey, nested)
            if counted:
                plan.counted = True
                store, plan.times, steps = counted
                plan.others = tuple(other for other in parts if other is not part)
                accounted.setdefault(store, set()).update(steps)
                break


def _counted(
    stage: Stage, part: Value, before: tuple[Block, ...], survey: Survey, nested: bool
) -> tuple[Address, int | None, set[int]] | None:
    """Return the store that counts the times round of a stage up to its end, how many, and the nodes that do it."""
    match part:
        case Compare(op="==" | ">=", left=Stored(ref=ref), right=Number(value=number)):
            until: int | None = number
        case Compare(op="==" | ">=", left=Stored(ref=ref), right=Size(of=Everybody(kind=kind))) if kind == stage.kind:
            until = None
        case _:
            return None
    store = address_of(ref)
    steps = [step for step in _always(stage.blocks) if isinstance(step, SetNumber) and address_of(step.ref) == store]
    if store.owner != "game" or len(steps) != 1 or steps[0].op != "inc":
        return None
    if not isinstance(steps[0].value, Number) or steps[0].value.value != 1:
        return None
    inside = {id(node) for node in walk(stage) if isinstance(node, SetNumber) and address_of(node.ref) == store}
    if inside != {id(steps[0])}:
        return None
    reset: set[int] = set()
    if nested or len(survey.writes[store]) > 1:
        for block in reversed(before):
            writes = [node for node in walk(block) if isinstance(node, SetNumber) and address_of(node.ref) == store]
            if writes:
                last = writes[-1]
                if not any(step is last for step in _always((block,))):
                    return None
                if len(writes) > 1 or last.op != "set" or last.value != Number(last.value.at, 0):
                    return None
                reset = {id(last)}
                break
        else:
            return None
    own = tuple(block for block in stage.blocks if not isinstance(block, Stage))
    if until is None and any(isinstance(node, Cycle) for node in walk(own)):
        return None
    return store, until, {*inside, *reset, id(part)}


# -- titles


def _title(blocks: tuple[Block, ...], found: StagePlans, above: list[str]) -> None:
    for block in blocks:
        if not isinstance(block, Stage):
            continue
        plan = found.of[id(block)]
        if plan.kind == "turns":
            plan.title = "turn"
        elif plan.kind == "rounds":
            plan.title = _round(block, above)
        _title(block.blocks, found, [*above, plan.title] if plan.title else above)


def _round(stage: Stage, above: list[str]) -> str:
    own = tuple(block for block in stage.blocks if not isinstance(block, Stage))
    names = []
    if any(isinstance(node, Shuffle) for node in walk(own)):
        names.append("deal")
    if any(isinstance(node, Cycle) and _of_best(node.player) for node in walk(own)):
        names.append("trick")
    for name in (*names, "round", "part", "section"):
        if name not in above:
            return name
    return f"level {len(above) + 1}"


def _of_best(player: Value) -> bool:
    return isinstance(player, OwnerOf) and isinstance(player.card, Extreme)


def subject(stage: Stage) -> Place | Ref | None:
    """Return the place or store that the choices of a stage change first, if the text names it."""
    for block in stage.blocks:
        if isinstance(block, Choice):
            for node in walk(block.steps):
                if isinstance(node, Move) and isinstance(node.to.place, Place) and isinstance(node.to.place.name, Name):
                    return node.to.place
                if isinstance(node, SetNumber | SetName) and isinstance(node.ref.name, Name):
                    return node.ref
        elif isinstance(block, Stage):
            found = subject(block)
            if found:
                return found
    return None
