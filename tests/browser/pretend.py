"""A real table's page with the test as its server: for views that no built-in game has."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from cardsite.server.protocol import PROTOCOL

Json = dict[str, Any]
NAMES = ("Anna", "Bram", "Cato", "Dirk", "Elsa", "Fien", "Guus", "Hans")  # by seat


def say(text: str, **args: Any) -> Json:
    """Return a sentence as it is sent."""
    return {"text": text, "args": args}


def legal_move(text: str, *pieces: str, target: str = "", label: str = "") -> Json:
    """Return a legal move as a view has it."""
    results: Json = {"move": text, "label": say(label or text), "pieces": list(pieces)}
    return results | ({"target": target} if target else {})


def card(face: str) -> Json:
    """Return a piece that is a card; one with a word for a face has a label."""
    return {"id": face, "face": face} | ({} if face[-1] in "CDHS" else {"label": say(face)})


def seat_view(seat: int, **more: Any) -> Json:
    """Return a seat as a view has it."""
    return {"seat": seat, "state": "in", "counters": [], "marks": []} | more


def zone(ident: str, *pieces: Json, seat: int | None = None, layout: str = "row") -> Json:
    """Return a zone as a view has it."""
    results: Json = {"id": ident, "label": say(ident), "layout": layout, "pieces": list(pieces)}
    return results | ({} if seat is None else {"seat": seat})


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
        self.log: list[Any] = []  # of the last move
        self.you: Json = {"seat": 0, "name": "Anna", "host": True, "person": 1}
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
            "together": False,
            "seconds": 60,
            "clock": True,
            "match": 1,
            "number": 1,
            "bots": [{"name": "house", "title": "House AI"}],
            "stacked_for": -1,
            "dropped": "",
            "notice": "",
            "occupancies": [],
            "results": [],
            "seat_requests": [],
            "max_seats": 8,
            "min_seats": 2,
        }
        self._socket: WebSocketRoute | None = None
        self._shown = 1  # positions shown
        self._spectators = 0  # sent with each of them, so that a test knows when it has been drawn

    def open_on_tv(self, code: str) -> None:
        """Open the TV, which shows this table as that of a code, before its first match."""
        self.you = {"seat": None, "name": "", "host": False, "person": 0}
        self.table["match"] = 0
        self.page.route_web_socket(re.compile("/ws/table/"), self._answer)
        self.page.goto(f"/tv/?table={code}")
        expect(self.page.locator(".tv-title")).to_have_text(self.table["title"])

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

    def show_position(self, view: Json, names: list[str], *, again: bool = False) -> None:
        """Show a position of a real game and wait until it is drawn: of another match, or ``again`` of the last one.

        ``names`` are those who sit there; the page's visitor has seat 0.
        """
        self._shown += 1
        seats = [self._seat(seat) | {"name": name} for seat, name in enumerate(names)]
        match = self.table["match"] if again else self._shown
        self.table |= {"seats": seats, "match": match, "status": "over" if view["over"] else "playing"}
        self.table |= {"game": view["game"]}
        self.view = view
        if self.you["seat"] is None:  # the TV says nothing of spectators
            self.table |= {"title": f"Position {self._shown}"}
        self._send({"t": "table", "table": self.table, "now": 0, "deadlines": {}})
        self._show()
        if self.you["seat"] is None:
            expect(self.page.locator(".tv-title")).to_have_text(self.table["title"])
            expect(self.page.locator(".felt .seat")).to_have_count(len(names))
        else:
            self._spectators = self._shown
            self._send({"t": "spectators", "spectators": self._spectators})
            shown = self.page.locator(".room-chip[data-chip=spectators]")
            expect(shown).to_have_text(re.compile(rf"\b{self._shown}\b"))
        if view.get("tracks") or view.get("grids"):
            expect(self.page.locator(".board").first).to_be_visible()  # what draws it is fetched on demand

    def open_room(self, names: list[str]) -> None:
        """Show the room as it is before the first match, with these people in it; the first is the host and visitor."""
        seats = [self._seat(seat) | {"name": name} for seat, name in enumerate(names)]
        self.table |= {"seats": seats, "match": 0, "status": "open"}
        self._welcome()

    def update(self, **table: Any) -> None:
        """Send a change of the table."""
        self.table |= table
        self._send({"t": "table", "table": self.table, "now": 0, "deadlines": {}})

    def _answer(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(lambda text: self._receive(json.loads(text)))

    def _receive(self, message: Json) -> None:
        if message["t"] == "hello":
            self._welcome()
            if self.view:
                self._show()
        elif message["t"] == "ping":
            self._send({"t": "pong", "now": 0})
        elif message["t"] == "move":
            self.decided.append(message["move"])
            self._send({"t": "refused", "id": message["id"], "code": "pretended", "text": ""})

    def _welcome(self) -> None:
        welcome = {"table": self.table, "chat": [], "spectators": self._spectators, **self.you}
        self._send({"t": "welcome", "protocol": PROTOCOL, **welcome})

    def _show(self) -> None:
        state = {"match": self.table["match"], "version": 0, "view": self.view, "log": [self.log]}
        self._send({"t": "snapshot", "commitment": "", "seed": "", "now": 0, "deadlines": {}, **state})

    def _send(self, message: Json) -> None:
        assert self._socket is not None, "The page has not said hello."
        self._socket.send(json.dumps(message))

    def _seat(self, seat: int) -> Json:
        person = seat == 0
        return {
            "seat": seat,
            "kind": "person" if person else "bot",
            "name": NAMES[seat],
            "bot": "" if person else "house",
            "person": int(person),
            "host": person,
            "here": True,
            "away": False,
            "ready": False,
            "held_for": 0,
            "wins": 0.0,
        }
