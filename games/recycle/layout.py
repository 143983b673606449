"""Where a program keeps what a text speaks of: names, places and stores, by number."""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.recycle.tree import Owner, Vis

What = Literal["sto", "str", "who", "points"]


class PlaceFact(NamedTuple):
    """A place: its visibility word, whose it is (-1: the table's), and the number of its name."""

    vis: Vis
    owner: int
    name: int


class StoreFact(NamedTuple):
    """A store: of the table, of a player or of a team (``number``), the number of its name, and who sees it."""

    owner: Owner
    number: int
    name: int
    vis: Vis = "vloc"


class Layout:
    """Numbers for names, places and stores. ``seats`` and ``teams``: how many there are, teams at most."""

    def __init__(self, seats: int, teams: int) -> None:
        self.seats, self.teams = seats, teams
        self.names: dict[str, int] = {"": 0}
        self.places: dict[PlaceFact, int] = {}
        self.stores: dict[What, dict[StoreFact, int]] = {"sto": {}, "str": {}, "who": {}, "points": {}}

    def name(self, text: str) -> int:
        """Return the number of a name."""
        return self.names.setdefault(text, len(self.names))

    def place(self, vis: Vis, owned: bool, name: str) -> int:
        """Return the number of a place: of the table, or of player 0, after which those of the others follow."""
        number = self.name(name)
        first = PlaceFact(vis, 0 if owned else -1, number)
        if first not in self.places:
            for owner in range(self.seats) if owned else [-1]:
                self.places[PlaceFact(vis, owner, number)] = len(self.places)
        return self.places[first]

    def store(self, what: What, owner: Owner, name: str, vis: Vis = "vloc") -> int:
        """Return the number of a store among those of its kind: of the table, or of the first player or team."""
        number = self.name(name)
        stores = self.stores[what]
        first = StoreFact(owner, 0, number, vis)
        if first not in stores:
            for one in range({"game": 1, "player": self.seats, "team": self.teams}[owner]):
                stores[StoreFact(owner, one, number, vis)] = len(stores)
        return stores[first]
