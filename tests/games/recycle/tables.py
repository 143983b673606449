"""Small texts at a table: what is drawn of them, and what is logged."""

from __future__ import annotations

from typing import Any

from games.core import FastChance
from games.core.view import LogEntry, View, Zone, plain
from games.recycle.game import RecycleGame
from games.recycle.rules import RecycleState

NAMES = ("Anna", "Bram", "Coco", "Dirk")
PACK = "(RANK (A, TWO, THREE, FOUR, EIGHT)) (SUIT (CLUBS, HEARTS))"
PASSING = "(choice ((turn pass)))"


class Sitting:
    """A match of a text. ``blocks`` are its blocks after the setup; all cards of ``deck`` begin in the STOCK."""

    def __init__(
        self,
        blocks: str,
        table: str = "",
        *,
        seats: int = 2,
        deck: str = PACK,
        teams: str = "",
        scoring: str = "max 0",
        stock: str = "hloc",
        declare: str = "",
        more: str = "",
        seed: str = "1",
    ) -> None:
        text = (
            f"(game {declare} (setup (create players {seats}) {teams}"
            f" (create deck (game {stock} STOCK) (deck {deck})) {more})"
            f" {blocks} (scoring {scoring}))"
        )
        self.game = RecycleGame("made", text, table)
        state = self.game.new(seats, {}, FastChance(seed))
        assert isinstance(state, RecycleState)
        self.state = state

    @property
    def mover(self) -> int:
        return self.state.to_act()[0]

    def view(self, seat: int | None = -1) -> View:
        """What a seat sees: by default who is to move."""
        return self.game.view(self.state, self.mover if seat == -1 else seat)

    def labels(self) -> list[str]:
        return [plain(move["label"], NAMES) for move in self.view()["moves"]]

    def zone(self, id: str, seat: int | None = -1) -> Zone:
        return next(zone for zone in self.view(seat)["zones"] if zone["id"] == id)

    def zones(self, seat: int | None = None) -> list[str]:
        return [zone["id"] for zone in self.view(seat)["zones"]]

    def play(self, number: int = 0) -> list[LogEntry]:
        """Take an option, by its place among the buttons. Returns its log entries."""
        assert self.state.log is not None
        before = len(self.state.log)
        self.state.play(self.mover, self.view()["moves"][number]["move"])
        return self.state.log[before:]

    def entries(self) -> list[LogEntry]:
        return list(self.state.log or ())


def say_all(lines: list[LogEntry], reader: int | None = None) -> list[str]:
    """What a reader is shown, in plain English."""
    return [plain(line["text"], NAMES) for line in lines if line.get("only", reader) == reader]


def counters(view: View, seat: int) -> dict[str, Any]:
    """The numbers at a seat, by what they are called."""
    return {plain(one["label"], NAMES): one["value"] for one in view["seats"][seat]["counters"]}
