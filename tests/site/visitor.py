"""A client of a running site: HTTP like a browser, and a table's socket."""

from __future__ import annotations

import http.client
import json
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode, urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardsite.server.changes import apply_change
from cardsite.server.protocol import PROTOCOL
from tests.patience import PATIENCE
from tests.running_site import RunningSite

Message = dict[str, Any]
Choose = Callable[[list[str]], str]


def first(moves: list[str]) -> str:
    """Choose the first legal move."""
    return moves[0]


@dataclass
class Answer:
    """What a page answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Visitor:
    """A person at a browser: keeps cookies, opens pages, presses buttons, opens tables' sockets."""

    def __init__(self, site: RunningSite, name: str = "") -> None:
        self.site = site
        self.name = name
        self.cookies = {"csrftoken": secrets.token_hex(16)}
        self.headers: dict[str, str] = {}  # sent with every request

    def get(self, path: str) -> Answer:
        """Open a page. Redirects are not followed."""
        return self._ask("GET", path, None, {})

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form as its page would."""
        headers = {"X-CSRFToken": self.cookies["csrftoken"], "Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode(fields).encode(), headers)

    def press(self, code: str, action: str, **fields: object) -> Message:
        """Press a button at a table: return its answer, {"ok": ...}."""
        if self.name:
            fields.setdefault("name", self.name)
        answer: Message = self.post(f"/t/{code}/{action}/", **fields).json
        return answer

    def must(self, code: str, action: str, **fields: object) -> None:
        """Press a button that must work."""
        answer = self.press(code, action, **fields)
        assert answer["ok"], answer

    def open_table(
        self,
        *seats: str,
        seconds: int = 300,
        sealed: bool = True,
        public: bool = True,
        game: str = "hamsterdam",
        spectator_delay: int = 0,
        **options: object,
    ) -> str:
        """Make a table, each seat "me", "open" or a kind of bot, and return its code."""
        form = {f"seat{index}": kind for index, kind in enumerate(seats)}
        form |= {f"seat{index}": "none" for index in range(len(seats), 6)}
        form |= {"visibility": "public" if public else "link", "sealed": "yes" if sealed else "no"}
        form |= {"spectator_delay": str(spectator_delay)}
        form |= {f"option_{name}": str(value) for name, value in options.items()}
        answer = self.post(f"/new/?game={game}", **form, seconds=seconds, name=self.name)
        assert answer.status == 302, f"{answer.status}: {answer.text[:2000]}"
        return answer.headers["Location"].strip("/").split("/")[1]

    def connect(self, code: str, hello: bool = True, query: str = "") -> TableSocket:
        """Open the table's socket as this person's browser does, and say hello."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        ws = TableSocket(self.site, code, {"Cookie": cookie}, origin=self.site.url, query=query)
        if hello:
            ws.hello()
        return ws

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        where = urlsplit(self.site.url)
        assert where.hostname
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Cookie": cookie, **headers, **self.headers})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        for header in response.headers.get_all("Set-Cookie") or []:
            if match := re.match(r"([^=]+)=([^;]*)", header):
                self.cookies[match[1]] = match[2].strip('"')
        return answer


class TableSocket:
    """One socket at a table. Keeps every frame, and the table and view of the last of them.

    In ``messages`` a change also has the view that results from it: see ``put_into``.
    """

    def __init__(
        self,
        site: RunningSite,
        code: str,
        headers: dict[str, str] | None = None,
        origin: str | None = None,
        query: str = "",
    ) -> None:
        self.frames: list[str] = []
        self.messages: list[Message] = []
        self.seat: int | None = None
        self.table: Message = {}
        self.view: Message = {}
        self.match = 0
        self.version = -1
        self.spectators = -1
        self.chat: list[Message] = []
        self._id = 0
        self._line = connect(
            f"ws://127.0.0.1:{site.port}/ws/table/{code}/{query}",
            origin=origin,  # type: ignore[arg-type]
            additional_headers=headers,
            max_size=None,
            max_queue=None,
            open_timeout=PATIENCE,
            compression=None,
        )
        self.socket: ClientConnection = self._line.__enter__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the socket, as a browser does that opens another page."""
        self.socket.close()

    def cut(self) -> None:
        """Lose the network: the server is not notified."""
        self.socket.socket.close()

    # -- out

    def send(self, frame: str | bytes) -> None:
        """Send a frame as it is."""
        self.socket.send(frame)

    def say(self, kind: str, **fields: object) -> int:
        """Send a message. Return its number, for those that have one."""
        if kind in ("move", "chat", "ready", "why"):
            self._id += 1
            fields.setdefault("id", self._id)
        self.send(json.dumps({"t": kind, **fields}))
        return self._id

    def hello(self, match: int = 0, version: int = -1) -> Message:
        """Say hello. Return the welcome, when the match, if there is one, has arrived too."""
        self.say("hello", protocol=PROTOCOL, match=match, version=version)
        welcome = self.wait("welcome")
        if self.table["match"] and match != self.table["match"] and not self.table["notice"]:
            self.wait("snapshot")
        return welcome

    def move(self, move: str, decision: int | None = None, match: int | None = None) -> Message:
        """Send a decision, by default the one that is due. Return the ack or the refusal."""
        decision = self.view.get("decision", 0) if decision is None else decision
        number = self.say("move", match=self.match if match is None else match, decision=decision, move=move)
        return self.answer(number)

    def decide(self, choose: Choose = first) -> Message:
        """Make the decision that is due and wait for the ply. Return the ack."""
        ack = self.move(choose([legal["move"] for legal in self.view["moves"]]))
        assert ack["t"] == "ack", ack
        self.until(lambda: self.version >= ack["version"])
        return ack

    def ask(self, kind: str, **fields: object) -> Message:
        """Send a message and return its ack or refusal."""
        return self.answer(self.say(kind, **fields))

    # -- in

    def answer(self, number: int) -> Message:
        """Wait for the ack or the refusal of a message."""
        return self.wait_for(
            lambda m: m["t"] in ("ack", "because", "refused") and m["id"] == number, f"answer {number}"
        )

    def wait(self, kind: str, **fields: object) -> Message:
        """Wait for a message of that type with those fields."""
        return self.wait_for(
            lambda m: m["t"] == kind and all(m.get(name) == value for name, value in fields.items()), f"{kind} {fields}"
        )

    def wait_for(self, wanted: Callable[[Message], bool], what: str = "a message") -> Message:
        """Read until a message is what is wanted, and return it."""
        until = time.monotonic() + PATIENCE
        while True:
            message = self.read(until)
            assert message is not None, f"{what} was not received. Last: {[f[:300] for f in self.frames[-4:]]}"
            if wanted(message):
                return message

    def until(self, condition: Callable[[], bool]) -> None:
        """Read until a condition, on what this socket has received, is true."""
        until = time.monotonic() + PATIENCE
        while not condition():
            assert self.read(until) is not None, f"Timed out. Last: {[f[:300] for f in self.frames[-4:]]}"

    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return bool(self.view) and self.seat in self.view["to_act"]

    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.view) and bool(self.view["over"])

    def settle(self) -> None:
        """Read all that the server had sent when it got this."""
        self.say("ping")
        self.wait("pong")

    def closed(self) -> int:
        """Read until the server closes the socket. Return the close code."""
        until = time.monotonic() + PATIENCE
        try:
            while self.read(until) is not None:
                pass
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
        raise AssertionError("The server did not close the socket.")

    def read(self, until: float) -> Message | None:
        """Read one message, None when there is none until then. Raises ConnectionClosed."""
        try:
            frame = self.socket.recv(timeout=max(0.0, until - time.monotonic()))
        except TimeoutError:
            return None
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: Message = json.loads(frame)
        if message["t"] == "change":
            message = put_into(self.view, message)
        self.messages.append(message)
        match message["t"]:
            case "welcome" | "you":
                self.seat = message["seat"]
            case "snapshot" | "change":
                self.match, self.version, self.view = message["match"], message["version"], message["view"]
            case "spectators":
                self.spectators = message["spectators"]
            case "chat":
                self.chat.append(message["line"])
        if message["t"] in ("welcome", "table"):
            self.table = message["table"]
        if message["t"] == "welcome":
            self.spectators, self.chat = message["spectators"], list(message["chat"])
        return message


def put_into(view: Message, message: Message) -> Message:
    """Return a change with the views that result from it; without them if the view before it is unknown.

    Omitted fields are filled in.
    """
    reveals, known = [], bool(view)
    for reveal in message.get("reveals", []):
        view = apply_change(view, reveal["change"])
        reveals.append({"view": view, "hold": reveal["hold"], "entries": reveal["entries"]})
    view = apply_change(view, message["change"]) if known else {}
    empty = {"log": [], "deadlines": {}, "seed": ""}
    return {**empty, **message, "view": view, "reveals": reveals}


def program(site: RunningSite, code: str, token: str) -> TableSocket:
    """Connect as a program does: with a token, without Origin and cookies."""
    return TableSocket(site, code, {"Authorization": f"Bearer {token}"})


def two_at_a_table(
    site: RunningSite, *others: str, sealed: bool = True, seconds: int = 300
) -> tuple[str, Visitor, Visitor]:
    """Seat a host and a guest with ``others`` (kinds of bots). Return the table's code and both."""
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open", *others, sealed=sealed, seconds=seconds)
    guest.must(code, "sit")
    return code, host, guest


def begin(code: str, host: Visitor, *sockets: TableSocket) -> int:
    """Start the match and wait until every socket has it. Return its number."""
    before = sockets[0].match
    host.must(code, "start")
    for ws in sockets:
        ws.until(lambda ws=ws: ws.match != before)  # type: ignore[misc]
    return sockets[0].match


def play_on(sockets: Sequence[TableSocket], choose: Choose = first, plies: int | None = None) -> None:
    """Play at the seats of ``sockets`` until the match is over, or ``plies`` more are made and seen by all."""
    newest = max(sockets, key=lambda ws: ws.version)
    for ws in sockets:
        ws.until(lambda ws=ws: ws.version >= newest.version)  # type: ignore[misc]
    lead = sockets[0]
    hands = {ws.seat: ws for ws in sockets if ws.seat is not None}
    goal = float("inf") if plies is None else lead.version + plies
    while True:
        lead.until(lambda: lead.over() or lead.version >= goal or any(seat in hands for seat in lead.view["to_act"]))
        if lead.over() or lead.version >= goal:
            break
        hand = next(hands[seat] for seat in lead.view["to_act"] if seat in hands)
        hand.until(lambda: hand.version >= lead.version)  # noqa: B023
        hand.decide(choose)
        lead.until(lambda: lead.version >= hand.version)  # noqa: B023
    for ws in sockets:
        ws.until(lambda ws=ws: ws.version >= lead.version)  # type: ignore[misc]
