"""``docs/protocol.md`` agrees with the types, and the example bot plays."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
import pytest

from cardsite.people.names import MESSAGE_LENGTH
from cardsite.refusal import TableCode
from cardsite.server import protocol
from cardsite.table.models import DropReason
from games.core.moves import LONGEST_MOVE
from tests.running_site import ROOT, RunningSite
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table
from tests.tiers import full

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
BOT = ROOT / "docs" / "examples" / "bot.py"
TYPES = {
    kind.__struct_config__.tag: kind
    for name, kind in vars(protocol).items()
    if re.match(r"(In|Out)[A-Z]", name) and isinstance(kind, type) and issubclass(kind, msgspec.Struct)
}
BOTH_WAYS = {"chat": (protocol.InChat, protocol.OutChat)}


def examples() -> list[dict[str, Any]]:
    """Return every example of the page."""
    return [msgspec.json.decode(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def keys(kind: Any, example: Any) -> None:
    """Check that an example of a type has its fields, all of them unless they have defaults, and no others."""
    fields = msgspec.structs.fields(kind)
    required = {field.name for field in fields if field.required}
    assert required <= set(example) - {"t"} <= {field.name for field in fields}, kind
    for field in fields:
        inner = getattr(field.type, "__args__", [field.type])[0]
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct) and field.name in example:
            value = example[field.name]
            for each in value if isinstance(value, list) else [value] if value else []:
                keys(inner, each)


def fits(value: Any, hint: Any, where: str) -> None:
    """Check that a value is of a type, the vocabulary of views included, which msgspec itself cannot read."""
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        hints = get_type_hints(hint, include_extras=True)
        required = {name for name, part in hints.items() if get_origin(part) is not NotRequired}
        assert required <= set(value) <= set(hints), where
        for name, part in value.items():
            fits(part, hints[name], f"{where}.{name}")
    elif origin is NotRequired:
        fits(value, inner[0], where)
    elif origin is list:
        for each in value:
            fits(each, inner[0], where)
    elif origin is dict:
        for each in value.values():
            fits(each, inner[1], where)
    elif origin in (Union, UnionType):
        assert any(fitting(value, one, where) for one in inner), where
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        for field in msgspec.structs.fields(hint):
            if field.name in value:  # ``keys`` says which must be
                fits(value[field.name], field.type, f"{where}.{field.name}")
    else:
        msgspec.convert(value, hint)


def fitting(value: Any, hint: Any, where: str) -> bool:
    """Return whether a value is of a type."""
    try:
        fits(value, hint, where)
    except (AssertionError, AttributeError, TypeError, msgspec.ValidationError):
        return False
    return True


@pytest.mark.parametrize("example", examples(), ids=lambda example: example["t"])
def test_every_example_is_a_message_of_the_protocol(example: dict[str, Any]) -> None:
    kinds = BOTH_WAYS.get(example["t"], (TYPES[example["t"]],))
    kind = next(
        kind
        for kind in kinds
        if {f.name for f in msgspec.structs.fields(kind)} & (set(example) - {"t"}) or kind is kinds[-1]
    )
    for field in msgspec.structs.fields(kind):
        if field.name in example:
            fits(example[field.name], field.type, field.name)
    keys(kind, example)


def test_every_message_has_an_example() -> None:
    kinds = [example["t"] for example in examples()]
    assert set(kinds) == set(TYPES)
    assert kinds.count("chat") == 2


def test_every_refusal_and_close_code_is_documented() -> None:
    missing = {code for code in get_args(TableCode) if f"`{code}`" not in PAGE}
    assert not missing
    closes = protocol.SERVER_ERROR, protocol.NO_SUCH_TOKEN, protocol.NO_SUCH_TABLE
    for close in (
        *closes,
        protocol.TOO_MANY_FRAMES,
        protocol.TOO_MANY_SOCKETS,
        protocol.TOO_SLOW,
        protocol.CREDENTIALS_EXPIRED,
    ):
        assert f"| {close} |" in PAGE
        assert 4000 <= close < 5000  # Autobahn, which Daphne uses, raises at others
    assert str(protocol.MAX_INBOUND) in PAGE
    assert str(MESSAGE_LENGTH) in PAGE
    assert f"at most {LONGEST_MOVE} characters" in PAGE
    assert set(get_args(protocol.DroppedFor)) == {"", *DropReason.values}
    for why in DropReason.values:
        assert f"| `{why}` |" in PAGE


# -- the example bot


@contextmanager
def bot(site: RunningSite, code: str, token: str) -> Iterator[subprocess.Popen[str]]:
    """Run the example bot as its docstring says."""
    # Shorter pauses before the library reconnects.
    short_backoff = {"WEBSOCKETS_BACKOFF_INITIAL_DELAY": "0.1", "WEBSOCKETS_BACKOFF_MIN_DELAY": "0.2"}
    with subprocess.Popen(
        [sys.executable, "-u", str(BOT), f"{site.url}/t/{code}/", token],
        env={**site.environment, **short_backoff},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def token_of(visitor: Visitor) -> str:
    """Make a token on a visitor's page."""
    visitor.post("/people/me/token/")
    match = re.search(r'id="token-text">([\w-]+)<', visitor.get("/people/me/").text)
    assert match
    return match[1]


def test_the_example_bot_plays_a_series_to_its_end(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site, "house")
    with bot(site, code, token_of(guest)), host.connect(code) as one:
        one.until(lambda: bool(one.table["seats"][1]["here"]))
        for _ in range(2):
            begin(code, host, one)
            play_on([one])
            assert {m["by"] for m in one.messages if m["t"] == "change" and m["seat"] == 1} == {"person"}
            one.until(lambda: one.table["status"] == "over")


@full
def test_the_example_bot_comes_back_after_a_restart(new_site: Callable[..., RunningSite]) -> None:
    site = new_site()
    site.open()
    site.start()
    code, host, guest = two_at_a_table(site)
    with bot(site, code, token_of(guest)) as running:
        with host.connect(code) as one:
            one.until(lambda: bool(one.table["seats"][1]["here"]))
            begin(code, host, one)
            play_on([one], plies=3)
            site.restart()
        with host.connect(code) as one:
            play_on([one])
            assert {m["by"] for m in one.messages if m["t"] == "change" and m["seat"] == 1} <= {"person"}
        running.kill()
        assert running.stdout
        assert "Connection lost. Reconnecting …" in running.stdout.read()


def test_the_example_bot_says_why_it_stops(site: RunningSite) -> None:
    code, _, guest = two_at_a_table(site)
    for where, token, words in ((code, "wrong", "does not know this token"), ("nosuch", token_of(guest), "closed")):
        with bot(site, where, token) as running:
            assert running.stdout
            assert words in running.stdout.read()
            assert running.wait() == 1
