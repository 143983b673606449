"""Invalid frames: each is answered by one refusal, changes nothing, and the connection stays open."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from cardsite.lobby.games import NO_CLOCK
from cardsite.table import models
from tests.running_site import RunningSite
from tests.site.visitor import Message, TableSocket, Visitor, begin, two_at_a_table
from tests.tiers import examples

MOVE = {"t": "move", "id": 1, "match": 1, "decision": 0, "move": "keep"}


@pytest.fixture(scope="module")
def seated(site: RunningSite) -> Iterator[TableSocket]:
    """A socket of a person who sits in a running match, at a table of this file's own."""
    code, host, guest = two_at_a_table(site, seconds=NO_CLOCK)  # no bot moves, however long the tests take
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        yield one


def replies_to(ws: TableSocket, frame: str | bytes) -> list[Message]:
    """Send a frame and return the answers that it gets. The socket must stay open."""
    before = len(ws.messages)
    ws.send(frame)
    ws.settle()
    return [m for m in ws.messages[before:] if m["t"] not in ("pong", "spectators", "table")]


def refusal_of(ws: TableSocket, frame: str | bytes) -> Message:
    """Send a frame and return its only answer, a refusal."""
    [reply] = replies_to(ws, frame)
    assert reply["t"] == "refused"
    return reply


@pytest.mark.parametrize(
    "frame",
    [
        "",
        " ",
        "\0",
        "null",
        "true",
        "1",
        "NaN",
        '"hello"',
        "[]",
        "{}",
        "{",
        "[" * 4000,
        '{"a":' * 700,
        '{"t":1}',
        '{"t":null}',
        '{"t":["move"]}',
        '{"t":"nosuch"}',
        '{"t":"InMove"}',
        '{"t":"welcome","protocol":3}',
        '{"t":"ping","t":"back"}',
        '{"t":"ping","extra":1}',
        '{"t":"ping"}{"t":"ping"}',
        '{"t":"ping"} x',
        '{"t":"chat","id":1}',
        '{"t":"chat","id":1,"text":null}',
        '{"t":"chat","id":1,"text":["a"]}',
        '{"t":"chat","id":"1","text":"a"}',
        '{"t":"chat","id":1,"text":"\\ud800"}',
        '{"t":"chat","id":1,"text":"a","room":"spectators"}',
        '{"t":"hello"}',
        '{"t":"hello","protocol":"1"}',
        '{"t":"hello","protocol":3,"seat":1}',
        '{"t":"hello","protocol":3e999}',
        '{"t":"hello","protocol":3,"version":0.5}',
        json.dumps({**MOVE, "seat": 1}),
        json.dumps({**MOVE, "id": 1.5}),
        json.dumps({**MOVE, "decision": None}),
        json.dumps({**MOVE, "decision": True}),
        json.dumps({**MOVE, "move": 7}),
        json.dumps({**MOVE, "move": {"$ne": ""}}),
        json.dumps({k: v for k, v in MOVE.items() if k != "move"}),
        '{"t":"move","id":' + "9" * 4050 + "}",
    ],
)
def test_a_malformed_frame_is_refused_as_garbage(seated: TableSocket, frame: str) -> None:
    refusal = refusal_of(seated, frame)
    assert refusal["code"] == "garbage"
    assert refusal["id"] == 0
    assert len(str(refusal["text"])) < 300


@pytest.mark.parametrize("frame", [b"", b"\0\xff\xfe", b'{"t":"ping"}', b"\x1f\x8b" + b"\0" * 3000, b"x" * 60000])
def test_a_binary_frame_is_refused(seated: TableSocket, frame: bytes) -> None:
    assert refusal_of(seated, frame)["code"] == "garbage"


@pytest.mark.parametrize("frame", ["x" * 4097, json.dumps({"t": "chat", "id": 1, "text": "x" * 5000}), "é" * 2049])
def test_a_frame_of_more_than_4096_bytes_is_refused(seated: TableSocket, frame: str) -> None:
    assert refusal_of(seated, frame)["code"] == "too_long"


def test_the_longest_chat_line_fits_into_a_frame(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    with host.connect(host.open_table("me", "house")) as ws:
        ws.send(json.dumps({"t": "chat", "id": 1, "text": "\N{HAMSTER FACE}" * 500}, ensure_ascii=False))
        assert ws.answer(1)["t"] == "ack"
        assert ws.ask("chat", text="x" * 501)["code"] == "too_long"


@pytest.mark.parametrize("frame", ["x" * 10_000_000, b"x" * 10_000_000])
def test_a_paste_of_ten_megabytes_ends_the_connection_and_nothing_else(site: RunningSite, frame: str | bytes) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house")
    with Visitor(site).connect(code) as bystander:
        ws = host.connect(code)
        with contextlib.suppress(ConnectionClosed):  # while it still sends
            ws.send(frame)
        assert ws.closed() in (1006, 1009)
        bystander.settle()
    assert site.healthy()


def test_big_whole_numbers_are_numbers(seated: TableSocket) -> None:
    """A client may count its messages as it likes; what is returned is what it sent."""
    number = 2**80
    seated.send(json.dumps({**MOVE, "id": number, "match": seated.match, "decision": 2**70}))
    assert seated.answer(number)["code"] == "ahead"


NUMBERS = st.integers() | st.floats() | st.integers(-3, 3)
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NEARLY_VALID = st.fixed_dictionaries(
    {"t": st.sampled_from(["move", "chat", "ready", "back", "ping", "nosuch", 1, None])},
    optional={
        "id": NUMBERS | st.text(max_size=3),
        "match": NUMBERS | ANYTHING,
        "decision": NUMBERS | ANYTHING,
        "move": st.sampled_from(["pass", "play 3S on 0", "keep now", ""]) | ANYTHING,
        "text": st.just(" \0\t ") | st.integers(),
        "protocol": st.integers(),
        "seat": st.integers(),
    },
)


@examples(150)
@given(
    frame=ANYTHING.map(json.dumps)
    | NEARLY_VALID.map(json.dumps)
    | st.text(st.characters(codec="utf-8"), max_size=60)  # a socket cannot send lone surrogates
    | st.binary(max_size=60)
)
def test_no_random_frame_breaks_the_table(seated: TableSocket, site_db: str, frame: str | bytes) -> None:
    made = models.Move.objects.using(site_db).filter(match=seated.match).count()
    chat_lines = models.Message.objects.using(site_db).filter(table__code=seated.table["code"]).count()
    replies = replies_to(seated, frame)
    assert {m["t"] for m in replies} <= {"refused"}
    assert "failed" not in [m["code"] for m in replies]
    assert models.Move.objects.using(site_db).filter(match=seated.match).count() == made
    assert models.Message.objects.using(site_db).filter(table__code=seated.table["code"]).count() == chat_lines
