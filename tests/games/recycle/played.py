"""Small texts, played by both programs compiled from them: with a log and without one they must do the same."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from games.core import FastChance
from games.core.sight import BLIND
from games.recycle.game import read
from games.recycle.layout import PlaceFact, StoreFact
from games.recycle.rules import RecycleState

FIVE = "(create deck (game vloc DECK) (deck (N (A, B, C, D, E))))"  # the cards a to e, of which e lies on top
PIPS = "(set (game points P) (((N : A) 1) ((N : B) 2) ((N : C) 3) ((N : D) 4) ((N : E) 5)))"
HANDS = """(create deck ((0 player) vloc HAND) (deck (N (A, B, C))))
    (create deck ((1 player) vloc HAND) (deck (N (X, Y))))
    (create deck (game vloc DECK) (deck (N (P, Q))))"""  # a b c; x y; p q
START = "(choice ((turn pass)))"  # so that what follows is done by both programs

FIELDS = (
    "L",
    "W",
    "I",
    "S",
    "H",
    "P",
    "D",
    "cur",
    "queued",
    "tcur",
    "stack",
    "teams",
    "team_of",
    "made",
    "decided",
    "choice",
)


def text_of(blocks: str, *, decks: str = FIVE, players: str = "2", declares: str = "", scoring: str = "max 0") -> str:
    """Return a text whose blocks are these."""
    return f"(game {declares} (setup (create players {players}) {decks}) {blocks} (scoring {scoring}))"


def begun(text: str, seats: int | None = None, seed: str = "x") -> RecycleState:
    """Return a match of a text at its first choice."""
    game = read("text", text)
    state = game.new(seats or game.min_seats, {}, FastChance(seed))
    assert isinstance(state, RecycleState)
    return state


def quietly(state: RecycleState) -> RecycleState:
    """Return a copy of a state that the quiet program goes on with."""
    twin = state.clone()
    twin.sight, twin.log, twin.events = BLIND, None, None
    return twin


def take(state: RecycleState, move: str) -> None:
    """Make a move with the program that logs, and check that the quiet one does the same."""
    twin = quietly(state)
    seat = state.to_act()[0]
    twin.apply(seat, move)
    state.apply(seat, move)
    assert fields(twin) == fields(state)


def fields(state: RecycleState) -> dict[str, Any]:
    """Return all that a match depends on. Places and stores made by name count if something is there."""
    found = {name: deepcopy(getattr(state, name)) for name in FIELDS}
    known = len(state.program.place_facts)
    found["L"] = found["L"][:known]
    for what, name in (("sto", "I"), ("str", "S"), ("points", "P")):
        found[name] = found[name][: len(state.program.store_facts[what])]  # type: ignore[index]
    found["named"] = sorted((fact, tuple(state.L[place])) for fact, place in state.extra.items() if state.L[place])
    kept: dict[str, Any] = {"sto": state.I, "str": state.S, "points": state.P}
    found["kept"] = sorted(
        (key[0], key[1], tuple(value) if isinstance(value, list) else value)
        for key, store in state.extra_stores.items()
        if (value := kept[key[0]][store]) and value is not state.program.zeros
    )
    found["W"] = [state.fact(place) if place >= 0 else None for place in found["W"]]
    found["chance"] = state.chance.clone().randbelow(2**32)
    return found


class Played:
    """A match of some blocks, with what is where by name. ``owner``: a player's number; None: the table."""

    def __init__(self, blocks: str, **setting: str) -> None:
        """Play blocks up to their first choice. ``setting``: a seed, and what ``text_of`` takes."""
        seed = setting.pop("seed", "x")
        self.state = begun(text_of(START + blocks, **setting), seed=seed)
        take(self.state, "pass")

    @property
    def program(self) -> Any:
        return self.state.program

    def face(self, card: int) -> str:
        face: str = self.program.cards.faces[card]
        return face

    def cards(self, name: str, owner: int | None = None, vis: str = "vloc") -> str:
        """Return the faces of the cards of a place, the bottom one first."""
        fact = PlaceFact(vis, -1 if owner is None else owner, self.program.layout.names.get(name, -1))  # type: ignore[arg-type]
        place = self.program.layout.places.get(fact, self.state.extra.get(fact))
        return "" if place is None else " ".join(map(self.face, self.state.L[place]))

    def store(self, what: str, name: str, owner: int | None, team: int | None) -> Any:
        whose = ("game", 0) if owner is None and team is None else ("player", owner) if team is None else ("team", team)
        fact = StoreFact(*whose, self.program.layout.names.get(name, -1))  # type: ignore[arg-type]
        place = self.program.layout.stores[what].get(fact, self.state.extra_stores.get((what, fact)))  # type: ignore[arg-type]
        kept: Any = {"sto": self.state.I, "str": self.state.S, "points": self.state.P}[what]
        return 0 if place is None else kept[place]  # what was never named was never set

    def number(self, name: str, owner: int | None = None, *, team: int | None = None) -> int:
        found: int = self.store("sto", name, owner, team)
        return found

    def name(self, name: str, owner: int | None = None, *, team: int | None = None) -> str:
        found: str = self.program.names[self.store("str", name, owner, team)]
        return found

    def scores_of(self, name: str, owner: int | None = None, *, team: int | None = None) -> dict[str, int]:
        """Return what a point map gives each card that it gives something."""
        found = self.store("points", name, owner, team)
        return {self.face(card): worth for card, worth in enumerate(found) if worth}

    def moves(self) -> list[str]:
        """Return what may be chosen, as the player to act reads it."""
        return self.state.legal_moves(self.state.cur)

    def take(self, move: str) -> Played:
        take(self.state, move)
        return self


def number(expression: str, steps: str = "", **setting: str) -> int:
    """Return what an expression is worth after some steps, with five cards of one to five pips in DECK."""
    played = Played(f"(do ({PIPS} {steps} (set (game sto X) {expression})))", **setting)
    return played.number("X")


def holds(test: str, steps: str = "", **setting: str) -> bool:
    """Return whether a test holds after some steps."""
    return bool(Played(f"(do ({PIPS} {steps} ({test} (set (game sto X) 1))))", **setting).state.I[0])


def cards(collection: str, steps: str = "", **setting: str) -> str:
    """Return the faces of a collection, in its order, as steps go through it."""
    gone = f"(all {collection} 'EACH (remember 'EACH (top (game mem FOUND))))"
    return Played(f"(do ({PIPS} {steps} {gone}))", **setting).cards("FOUND", vis="mem")


def groups(collection: str, steps: str = "", **setting: str) -> list[str]:
    """Return the faces of each group of some groups."""
    marked = setting.pop("decks", FIVE) + "(create deck (game vloc MARK) (deck (MARK (END))))"
    one = "(all 'EACH 'ONE (remember 'ONE (top (game mem FOUND))))"
    end = "(remember (top (game vloc MARK)) (top (game mem FOUND)))"
    played = Played(f"(do ({PIPS} {steps} (all {collection} 'EACH (do ({one} {end})))))", decks=marked, **setting)
    found = played.cards("FOUND", vis="mem").split("end")
    return [group.strip() for group in found[:-1]]
