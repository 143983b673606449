"""A real table's page with a test at the other end of its line: for views that no game of the house has."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

Json = dict[str, Any]


def say(text: str, **args: Any) -> Json:
    """Return a sentence as it goes over the wire."""
    return {"text": text, "args": args}


def legal_move(text: str, *pieces: str, target: str = "", label: str = "") -> Json:
    """Return a legal move as a view has it."""
    found: Json = {"move": text, "label": say(label or text), "pieces": list(pieces)}
    return found | ({"target": target} if target else {})


def card(face: str) -> Json:
    """Return a piece that is a card; one with a word for a face is told by a label."""
    return {"id": face, "face": face} | ({} if face[-1] in "CDHS" else {"label": say(face)})


def seat_view(seat: int, **more: Any) -> Json:
    """Return a seat as a view has it."""
    return {"seat": seat, "state": "in", "counters": [], "marks": []} | more


def zone(ident: str, *pieces: Json, seat: int | None = None, layout: str = "row") -> Json:
    """Return a zone as a view has it."""
    found: Json = {"id": ident, "label": say(ident), "layout": layout, "pieces": list(pieces)}
    return found | ({} if seat is None else {"seat": seat})


def hand(*faces: str) -> Json:
    """Return the hand of seat 0."""
    return zone("hand:0", *map(card, faces), seat=0, layout="hand")


class PretendTable:
    """A table of ``seats`` at which the page's visitor has seat 0 and ``view`` is what there is to see.

    What the visitor decides is kept in ``decided``, and refused, so that the same may be decided otherwise.
    """

    def __init__(self, page: Page, address: str, seats: int = 3) -> None:
        self.page = page
        self.address = address  # of a real table, of which the page is taken and nothing else
        self.decided: list[str] = []
        self.view: Json = {}
        self.table: Json = {
            "code": "pretended",
            "game": "pretended",
            "title": "A pretended game",
            "status": "playing",
            "seats": [self._seat(seat) for seat in range(seats)],
            "options": [],
            "public": True,
            "sealed": False,
            "house": False,
            "seconds": 60,
            "match": 1,
            "number": 1,
            "bots": [{"name": "house", "title": "House AI"}],
            "stacked_for": -1,
            "dropped": "",
            "notice": "",
        }
        self._socket: WebSocketRoute | None = None

    def open(self, *moves: Json, zones: list[Json], seats: list[Json] | None = None, **more: Any) -> None:
        """Open the page and show it this view of a match."""
        self.show(*moves, zones=zones, seats=seats, **more)
        self.page.route_web_socket(re.compile("/ws/table/"), self._answer)
        self.page.goto(self.address)
        expect(self.page.locator(".prompt")).to_have_text(self.view["prompt"]["text"])

    def show(self, *moves: Json, zones: list[Json], seats: list[Json] | None = None, **more: Any) -> None:
        """Show another view."""
        self.view = {
            "game": "pretended",
            "seat": 0,
            "phase": say("A round"),
            "prompt": say("Your turn: decide") if moves else say("Wait"),
            "to_act": [0] if moves else [1],
            "decision": 0,
            "seats": seats or [seat_view(seat) for seat in range(len(self.table["seats"]))],
            "zones": zones,
            "moves": list(moves),
            "over": False,
            **more,
        }
        if self._socket:
            self._show()

    def tell(self, **table: Any) -> None:
        """Tell that something about the table has changed."""
        self.table |= table
        self._send({"t": "table", "table": self.table, "now": 0, "deadlines": {}})

    def _answer(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(lambda text: self._hear(json.loads(text)))

    def _hear(self, message: Json) -> None:
        if message["t"] == "hello":
            you = {"seat": 0, "name": "Anna", "host": True}
            self._send({"t": "welcome", "protocol": 1, "table": self.table, "chat": [], "watchers": 0, **you})
            self._show()
        elif message["t"] == "move":
            self.decided.append(message["move"])
            self._send({"t": "refused", "id": message["id"], "code": "pretended", "text": ""})

    def _show(self) -> None:
        state = {"match": 1, "version": 0, "view": self.view, "log": [[]], "now": 0, "deadlines": {}}
        self._send({"t": "snapshot", "commitment": "", "seed": "", **state})

    def _send(self, message: Json) -> None:
        assert self._socket is not None, "The page has not said hello."
        self._socket.send(json.dumps(message))

    def _seat(self, seat: int) -> Json:
        person = seat == 0
        return {
            "seat": seat,
            "kind": "person" if person else "bot",
            "name": ("Anna", "Bram", "Cato", "Dirk", "Elsa", "Fien", "Guus", "Hans")[seat],
            "bot": "" if person else "house",
            "person": int(person),
            "host": person,
            "here": True,
            "away": False,
            "wins": 0.0,
        }
