"""Several cards in a row: where a text has a player take them one by one, although they could be taken together.

It follows from the text, whatever its names are. Each option takes one card out of a place that its player sees and
puts it into a place. Until the next such choice the text looks at nothing but how many cards lie somewhere and at open
stores, and neither moves nor shows a card. So which card was taken makes no difference to what is asked next, and the
number of choices that follow tells the player nothing about hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.recycle import tree
from games.recycle.logic import meaning

# What a text may do and look at between two such choices, besides places whose size it asks for.
_QUIET = (
    tree.Arith
    | tree.Compare
    | tree.Cycle
    | tree.Do
    | tree.Everybody
    | tree.Logic
    | tree.TeamPlayers
    | tree.Name
    | tree.Not
    | tree.Number
    | tree.Numbered
    | tree.Others
    | tree.Pass
    | tree.Quantified
    | tree.Range
    | tree.Relative
    | tree.SetName
    | tree.SetNumber
    | tree.SetPlayer
    | tree.Stored
    | tree.Table
    | tree.TeamOf
    | tree.When
)
_OPEN = (tree.Type.INT, tree.Type.STR, tree.Type.PLAYER, tree.Type.TEAM)  # of variables: bound by the steps themselves


def next_of_several(choices: Sequence[tree.Choice], blocks: Sequence[tree.Block]) -> dict[int, int]:
    """Return which choice may come next in a row, by number: choice 1 is the first of ``choices``."""
    numbers = {id(choice): number for number, choice in enumerate(choices, 1)}
    found = {}
    for sequence, end in _sequences(blocks):
        for place, block in enumerate(sequence):
            if isinstance(block, tree.Choice):
                again = () if end is None else (end, *sequence)
                later = _next((*sequence[place + 1 :], *again))
                if later and _alike(block, later):
                    found[numbers[id(block)]] = numbers[id(later)]
    return found


def _sequences(blocks: Sequence[tree.Block]) -> Iterator[tuple[Sequence[tree.Block], tree.Value | None]]:
    """Yield all lists of blocks, and for those of a stage, which are repeated, the test that ends it."""
    yield blocks, None
    for block in blocks:
        if isinstance(block, tree.Stage):
            for inner, end in _sequences(block.blocks):
                yield inner, block.end if inner is block.blocks else end


def _next(steps: Iterable[tree.Block | tree.Value]) -> tree.Choice | None:
    """Return the first choice, if nothing before it looks at cards or shows any."""
    for step in steps:
        if isinstance(step, tree.Choice):
            return step
        if isinstance(step, tree.Stage) or not _is_quiet(step):
            return None
    return None


def _is_quiet(node: object) -> bool:
    match node:
        case tree.Size(of=tree.Place()):
            return True
        case tree.Use(var=var):
            return var.type in _OPEN
        case tree.Stored(ref=ref) | tree.SetNumber(ref=ref) | tree.SetName(ref=ref) | tree.SetPlayer(ref=ref):
            inside = [part for part in tree.parts(node) if part is not ref]
            return ref.vis == "vloc" and all(map(_is_quiet, (ref.who, ref.name, *inside)))
        case tuple():
            return all(map(_is_quiet, node))
        case tree.Node():
            return isinstance(node, _QUIET) and all(map(_is_quiet, tree.parts(node)))
    return True


def _alike(one: tree.Choice, other: tree.Choice) -> bool:
    """Return whether both choices move a card from the same place to the same place."""
    way = _way(one)
    return way is not None and way == _way(other)


def _way(choice: tree.Choice) -> tuple[str, str] | None:
    """Return from where to where the card of a choice goes, by ``meaning``; None if its options do anything else."""
    match choice:
        case tree.Choice(
            steps=(
                tree.ForEach(
                    op="any",
                    over=tree.Place(vis="iloc" | "vloc") as source,
                    var=var,
                    step=tree.Move(card=tree.Use(var=card), to=tree.Target(place=tree.Place() as target)),
                ),
            ),
            players=None,
        ) if var is card:
            return meaning(source), meaning(target)
    return None
