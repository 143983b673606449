"""Positions of a text as numbers: see ``games.core.encoding``.

For each place there are the faces that the viewer can name in it, the number of its cards, and, where all see them,
the face on top; for each store what it holds, as far as the viewer sees it; and whose turn and which choice it is. The
order of cards under the top one is left out. So are places and stores whose names a text computes in play and which
are not known beforehand: none in the library.
"""

from __future__ import annotations

from games.core.encoding import Encoder, Numbers
from games.recycle.compiler import Program
from games.recycle.layout import StoreFact, What
from games.recycle.machine import who_sees_store
from games.recycle.rules import RecycleState

NUMBERS = 200  # that are words of their own in moves
SIGNS = (
    "pass", "top", "new", " ", ">", "=", ":", "; ", "#", "next:", "turn:", "player ", "team ", "roll ", "reveal ",
    "remember ", "forget ", "shuffle", "interleave ", "deck ", "teams ", "points ", "drawn ", "?", "-",
)  # fmt: skip
KINDS: tuple[What, ...] = ("sto", "str", "who")


class RecycleEncoder(Encoder):
    """An encoder of a text, for a number of players."""

    def __init__(self, program: Program) -> None:
        faces = list(dict.fromkeys(program.cards.faces.values()))
        written = [name for name in program.names if name]
        super().__init__(program.seats, [*SIGNS, *faces, *written, *map(str, range(NUMBERS))])
        self.program = program
        number = {face: at for at, face in enumerate(faces)}
        self.face = [number[program.cards.faces[card]] for card in range(len(program.cards))]
        # By place as the viewer counts: where its faces begin, those of its top card (-1: none), and its size.
        self._places: dict[tuple[str, int, int], tuple[int, int, int]] = {}
        for fact in program.place_facts:
            name = f"{fact.vis} {program.names[fact.name]}{f' +{fact.owner}' * (fact.owner >= 0)}"
            first = min(self.each(name, faces).values(), default=0)
            top = min(self.each(f"{name} top", faces).values(), default=-1) if fact.vis == "vloc" else -1
            self._places[fact] = first, top, self.number(f"{name} size")
        self._stores: dict[tuple[What, StoreFact], int] = {}
        for what in KINDS:
            for store in program.store_facts[what]:
                name = (
                    f"{what} {program.names[store.name]}{f' {store.owner} +{store.number}' * (store.owner != 'game')}"
                )
                self._stores[what, store] = len(self.names)
                if what == "sto":
                    self.number(name)
                else:
                    self.each(name, program.names if what == "str" else range(self.seats))
        self.to_act = self.players("to act")
        self.chosen = self.players("has chosen")
        self.partner = self.players("partner")
        self.choice = self.number("choice 0")
        for choice in range(1, len(program.choices) + 1):
            self.number(f"choice {choice}")
        self._seen = [self._of_seat(seat) for seat in range(self.seats)]

    def _of_seat(self, seat: int) -> tuple[list[tuple[int, int, int]], list[tuple[What, int, int, bool]]]:
        """Return where a viewer's places and stores are written: by place, and as (kind, store, index, open)."""
        places = [
            self._places[fact._replace(owner=(fact.owner - seat) % self.seats) if fact.owner >= 0 else fact]
            for fact in self.program.place_facts
        ]
        team = next((number for number, team in enumerate(self.program.teams) if seat in team), 0)
        many = {"player": self.seats, "team": max(1, self.program.layout.teams), "game": 1}
        me = {"player": seat, "team": team, "game": 0}
        stores = [
            (
                what,
                store,
                self._stores[what, fact._replace(number=(fact.number - me[fact.owner]) % many[fact.owner])],
                fact.vis == "vloc",
            )
            for what in KINDS
            for store, fact in enumerate(self.program.store_facts[what])
        ]
        return places, stores

    def write(self, state: RecycleState, seat: int, out: Numbers) -> None:
        face, sees, many = self.face, state.sees, self.seats
        places, stores = self._seen[seat]
        known = None
        for place, cards in enumerate(state.L[: len(places)]):
            if not cards:
                continue
            first, top, size = places[place]
            out[size] = len(cards)
            if sees[place] >> seat & 1:
                for card in cards:
                    out[first + face[card]] += 1
                if top >= 0:
                    out[top + face[cards[-1]]] = 1
                continue
            if known is None:
                known = state.sight.named_by(seat)
            if known:
                for card in known.intersection(cards):
                    out[first + face[card]] += 1
        numbers, names, holders = state.I, state.S, state.H
        for what, store, index, is_open in stores:
            if not is_open and not who_sees_store(state, what, store) >> seat & 1:
                continue
            if what == "sto":
                out[index] = numbers[store]
            elif what == "str":
                out[index + names[store]] = 1
            elif (holder := holders[store]) >= 0:
                out[index + (holder - seat) % many] = 1
        movers = state.to_act()
        for mover in movers:
            out[self.to_act[mover - seat]] = 1
        for one in state.pending:
            out[self.chosen[one - seat]] = 1
        if seat in movers:
            out[self.choice + state.choice] = 1
        team = state.team_of[seat]
        if team >= 0:
            for one in state.teams[team]:
                out[self.partner[one - seat]] = 1
