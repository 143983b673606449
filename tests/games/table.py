"""Playing by hand at any table, and looking at it as one audience does."""

from __future__ import annotations

from typing import Any

from games import catalogue
from games.core import FastChance, IllegalMove, State, View
from games.core.view import Zone, plain

NAMES = ["Anna", "Bob", "Cleo", "Dirk", "Els", "Floor"]


def moves(state: State[Any], *texts: str) -> None:
    """Make moves, each by the player whose turn it is."""
    for text in texts:
        state.play(state.to_act()[0], text)


def refusal(state: State[Any], move: str) -> str:
    """Return why the player to act may not make a move."""
    try:
        state.play(state.to_act()[0], move)
    except IllegalMove as error:
        return str(error)
    raise AssertionError(f"{move!r} was allowed")


def log(state: State[Any], audience: int | None = None) -> list[str]:
    """Return the sentences of the log since the last call that an audience may read, and clear the log."""
    entries, state.log = state.log or [], []
    return [plain(entry["text"], NAMES) for entry in entries if entry.get("only", audience) == audience]


def view(state: State[Any], audience: int | None, *, face_up: bool = False) -> View:
    """Return what an audience sees of a state of a built-in game."""
    name = type(state).__module__.split(".")[1]
    return catalogue.find(name).view(state, audience, face_up=face_up)


def everything(state: State[Any]) -> dict[str, Any]:
    """Return all there is in a state, hidden or not: who can name which card, and the next draws, among it."""
    chance = state.chance.clone()
    known = [state.sight.named_by(audience) for audience in (None, *range(state.seats))]
    rest = {name: value for name, value in vars(state).items() if name not in ("chance", "sight")}
    return {**rest, "known": known, "draws": [chance.randbelow(1 << 32) for _ in range(3)]}


def check_determinize(state: State[Any], seat: int) -> None:
    """What is sampled for ``seat`` does not depend on the true state: another one gives the same determinization."""
    other = state.determinize(seat, FastChance("another sample"))
    for seed in "abc":
        expected = everything(state.determinize(seat, FastChance(seed)))
        assert everything(other.determinize(seat, FastChance(seed))) == expected


def check_rollout(state: State[Any], seed: str, cap: int) -> None:
    """A game's own roll-out comes to the state and the scores to which the same draws bring the general one."""
    own, general = (state.fork(FastChance(seed)) for _ in range(2))
    assert own.rollout(own.chance, cap) == State.rollout(general, general.chance, cap)
    assert everything(own) == everything(general)
    apart = [(state.fork(FastChance("deals")), FastChance(seed)) for _ in range(2)]
    (own, choices), (general, same_choices) = apart
    assert own.rollout(choices, cap) == State.rollout(general, same_choices, cap)
    assert everything(own) == everything(general)
    assert choices.randbelow(1 << 32) == same_choices.randbelow(1 << 32)


def zone(state: State[Any], audience: int | None, name: str) -> Zone:
    """Return a zone as an audience sees it."""
    return next(zone for zone in view(state, audience)["zones"] if zone["id"] == name)


def faces(state: State[Any], audience: int | None, name: str) -> list[str]:
    """Return the faces in a zone as an audience sees them, "?" for what lies face down."""
    return [piece.get("face", "?") for piece in zone(state, audience, name)["pieces"]]
