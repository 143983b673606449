"""Award reasons: which steps of a text award points for some cards, for which cards, and why.

They follow from the structure of the text. Only the attribute names SUIT and RANK matter: they choose the words. An
award is a step that increases a number which is scored, or one that is added to such a number later. Its cards and its
reason are in what stands around it: a test that some cards make fifteen, or are of one suit; a loop through pairs or
runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core.view import Arg, seat_arg
from games.recycle import tree
from games.recycle.uses import Uses


class Gain(NamedTuple):
    """Points that a player has got, or lost: for what, and how many.

    ``source``: a kind of award, the name of a store in capitals whose number was added, "added" or "taken off".
    """

    seat: int
    source: str
    points: int


class AwardReason(NamedTuple):
    """Why a step awards points: a kind of ``_SENTENCES``, a number if it has one, and for which cards.

    ``if_sum``: the sum was stored before, and the cards may have changed since. The reason holds only while they still
    make ``number``.
    """

    kind: str
    number: int
    cards: tree.Value  # CARDS or CARD
    if_sum: tree.Sum | None = None


def how_won(scores: Sequence[float], *, low_wins: bool) -> str:
    """Return the sentence about a player who has won alone, without a full stop: a template with {seat} and {score}."""
    others = len(scores) - 1
    if others and sorted(scores) == [0] * others + [1]:
        return "{seat} wins"  # the score says no more than that
    return "{seat} wins with the lowest score: {score}" if others and low_wins else "{seat} wins with {score}"


# The sentence for each kind; where cards are alike, also by how many they are.
_SENTENCES = {
    "sum": "{seat} scores {points}: {cards} make {number}.",
    "run": "{seat} scores {points}: {cards} are a run.",
    "suit": "{seat} scores {points}: {cards} are of one suit.",
    "same": "{seat} scores {points}: {cards} are alike.",
    "alike": "{seat} scores {points}: {cards} are alike.",
    "alike 2": "{seat} scores {points}: {cards} are a pair.",
    "alike 3": "{seat} scores {points}: {cards} are three of a kind.",
    "alike 4": "{seat} scores {points}: {cards} are four of a kind.",
    "card": "{seat} scores {points} for {cards}.",
}


def award_reasons(game: tree.GameNode, uses: Uses) -> dict[int, AwardReason]:
    """Return the reason of each step that awards points in an open store, by the ``id`` of the step.

    An entry about a secret store would reveal it.
    """
    stored = dict[str, tree.Sum]()
    steps = [node for node in tree.walk(game.blocks) if isinstance(node, tree.SetNumber)]
    for step in steps:
        match step:
            case tree.SetNumber(op="set", ref=ref, value=tree.Sum() as total):
                if not any(isinstance(node, tree.Use) for node in tree.walk(total)):  # a variable is gone by then
                    stored[_name(ref)] = total
    found = {}
    for step, around in _steps(game.blocks, ()):
        if step.op == "inc" and step.ref.vis == "vloc" and _name(step.ref) in uses.counted:
            reason = _reason_of(step, around, stored)
            if reason:
                found[id(step)] = reason
    return found


def _name(ref: tree.Ref) -> str:
    return ref.name.text if isinstance(ref.name, tree.Name) else ""


def _steps(
    steps: Sequence[tree.Block], around: tuple[tree.Action, ...]
) -> Iterator[tuple[tree.SetNumber, tuple[tree.Action, ...]]]:
    """Yield the steps that set numbers, each with the tests and loops that it stands in, the outermost first.

    Those of choices are left out: the log says what was chosen.
    """
    for step in steps:
        match step:
            case tree.SetNumber():
                yield step, around
            case tree.Stage(blocks=blocks):
                yield from _steps(blocks, ())
            case tree.Do(steps=inner):
                yield from _steps(inner, around)
            case tree.When(body=body):
                yield from _steps((body,), (*around, step))
            case tree.ForEach(step=body):
                yield from _steps((body,), (*around, step))
            case tree.Let(step=body):
                yield from _steps((body,), around)
            case tree.Repeat(action=body):
                yield from _steps((body,), around)


def _reason_of(
    step: tree.SetNumber, around: tuple[tree.Action, ...], stored: dict[str, tree.Sum]
) -> AwardReason | None:
    """Return why a step awards points: by its value, or by the innermost test or loop around it; None if not known."""
    match step.value:
        case tree.Size(of=tree.RunAt() as run):
            return AwardReason("run", 0, run)
    for node in reversed(around):
        found = None
        if isinstance(node, tree.When):
            tests = node.test.parts if isinstance(node.test, tree.Logic) and node.test.op == "and" else (node.test,)
            found = next(filter(None, (_tested(test, stored) for test in tests)), None)
        elif isinstance(node, tree.ForEach):
            found = _gone_through(node)
        if found:
            return found
    return None


def _tested(test: tree.Value, stored: dict[str, tree.Sum]) -> AwardReason | None:
    """Return the reason for cards that pass a test."""
    match test:
        case tree.Compare(op="==", left=tree.Sum(cards=cards), right=tree.Number(value=number)):
            return AwardReason("sum", number, cards)
        case tree.Compare(op="==", left=tree.Stored(ref=ref), right=tree.Number(value=number)) if _name(ref) in stored:
            total = stored[_name(ref)]
            return AwardReason("sum", number, total.cards, if_sum=total)
        case tree.Compare(op="==", left=tree.CardAtt(card=card), right=tree.Name()):
            return AwardReason("card", 0, card)
        case tree.Quantified(
            op="all",
            over=cards,
            test=tree.Compare(
                op="==",
                left=tree.CardAtt(key=tree.Name(text=key)),
                right=tree.CardAtt(key=tree.Name(text=other)),
            ),
        ) if cards.type is tree.Type.CARDS and key == other:
            return AwardReason({"SUIT": "suit", "RANK": "alike"}.get(key, "same"), 0, cards)
    return None


def _gone_through(loop: tree.ForEach) -> AwardReason | None:
    """Return the reason for a member of what a loop goes through."""
    over, use = loop.over, tree.Use(loop.at, loop.var)
    while isinstance(over, tree.Filter):
        over = over.over
    match over:
        case tree.Tuples():
            return AwardReason("alike", 0, use)
        case tree.Runs():
            return AwardReason("run", 0, use)
    return None


def source_of(step: tree.Action) -> tuple[str, str]:
    """Return where a step that changes a score takes the points from (see ``Gain``), and the store that it adds."""
    match step:
        case tree.SetNumber(op="inc", value=tree.Stored(ref=ref)) if _name(ref):
            return "added" if isinstance(ref.who, tree.Table) else _name(ref), _name(ref)
        case tree.SetNumber(op="dec"):
            return "taken off", ""
    return "added", ""


def award_sentence(reason: AwardReason, count: int, seat: int, points: int) -> tuple[str, dict[str, Arg]]:
    """Return the sentence about an award for so many cards with the gap ``{cards}``, and what fills the other gaps."""
    template = _SENTENCES.get(f"{reason.kind} {count}", _SENTENCES[reason.kind])
    args: dict[str, Arg] = {"seat": seat_arg(seat), "points": points}
    return template, args | ({"number": reason.number} if reason.kind == "sum" else {})
