"""The browser's types of the protocol are those of the server, and scripts that use them wrongly are refused."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cardsite.server import protocol, wire_types
from games.core import view

HERE = Path(__file__).resolve().parent
COMPILER = HERE / "node_modules" / ".bin" / "tsc"


def test_the_types_that_are_committed_are_those_of_the_server() -> None:
    assert wire_types.TYPES.read_text() == wire_types.typescript(view, protocol), (
        "Run: .venv/bin/python -m cardsite.server.wire_types"
    )


def module(tmp_path: Path, source: str) -> ModuleType:
    """Return a module with this source, from a file, since comments are read from there."""
    path = tmp_path / "made_up_wire.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("made_up_wire", path)
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules["made_up_wire"] = made
    spec.loader.exec_module(made)
    return made


SOURCE = '''
from __future__ import annotations
from typing import Literal, NotRequired, TypedDict
import msgspec

Kind = Literal["a", "b"]  # of thing
Mixed = int | str | list[Kind]

class _Base(TypedDict):
    count: int  # how many

class Thing(_Base):
    """A thing."""

    kinds: list[int | None]
    more: NotRequired[dict[str, Thing]]  # by name

class Unsent(TypedDict):
    """Nothing that is sent holds this."""

    name: str

class InAsk(msgspec.Struct, tag_field="t", tag="ask"):
    """What is there?

    ``about`` may be left out.
    """

    id: int
    about: Kind = "a"

class OutSend(msgspec.Struct, tag_field="t", tag="send"):
    thing: Thing
    mixed: Mixed
    sure: bool = True
'''

WRITTEN = """
/** of thing */
export type Kind = "a" | "b";

export type Mixed = number | string | Kind[];

/** A thing. */
export interface Thing {
  /** how many */
  count: number;
  kinds: (number | null)[];
  /** by name */
  more?: Record<string, Thing>;
}

/**
 * What is there?
 *
 * `about` may be left out.
 */
export interface InAsk {
  t: "ask";
  id: number;
  about?: Kind;
}

export interface OutSend {
  t: "send";
  thing: Thing;
  mixed: Mixed;
  sure: boolean;
}

export type Inbound = InAsk;

export type Outbound = OutSend;
"""


def test_messages_and_all_they_hold_are_written_with_their_comments(tmp_path: Path) -> None:
    assert wire_types.typescript(module(tmp_path, SOURCE)) == wire_types.HEAD + WRITTEN


@pytest.mark.parametrize("annotation", ["set[str]", "dict[bool, str]", "Literal[1]", "bytes", "tuple[int, str]"])
def test_what_has_no_counterpart_in_a_browser_is_refused(tmp_path: Path, annotation: str) -> None:
    made = module(tmp_path, SOURCE + f"    odd: {annotation} = None\n")
    with pytest.raises(TypeError, match="cannot be written"):
        wire_types.typescript(made)


def test_a_message_that_does_not_say_who_sends_it_is_refused(tmp_path: Path) -> None:
    made = module(tmp_path, SOURCE.replace("OutSend", "Tell"))
    with pytest.raises(TypeError, match="who sends it"):
        wire_types.typescript(made)


WRONG_USES = {
    "a field that is not there": "view.trail;",
    "a word that is none of those there are": 'view.seats[0].state === "gone";',
    "something that may be missing": "view.result.text;",
    "a field of another message": 'if (message.t === "ack") message.view;',
    "a message the server does not know": '/** @type {import("./types.js").Inbound} */\nconst sent = { t: "mvoe" };',
}


@pytest.mark.skipif(not COMPILER.exists(), reason="the compiler is not installed: make lint does it where npm is")
def test_a_script_that_takes_the_protocol_for_something_else_is_refused(tmp_path: Path) -> None:
    options = {"extends": str(HERE / "tsconfig.json"), "include": ["*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options))
    (tmp_path / "types.d.ts").write_text(wire_types.TYPES.read_text())
    start = "/** @param {import('./types.js').View} view @param {import('./types.js').Outbound} message */\n"
    uses = {"right.js": "view.seats;", **{f"wrong{n}.js": use for n, use in enumerate(WRONG_USES.values())}}
    for name, line in uses.items():
        (tmp_path / name).write_text(f"{start}export function use(view, message) {{\n{line}\nmessage.t;\n}}\n")
    done = subprocess.run([COMPILER, "--project", tmp_path], capture_output=True, text=True)
    refused = {Path(line.partition("(")[0]).name for line in done.stdout.splitlines() if "error TS" in line}
    assert refused == set(uses) - {"right.js"}, done.stdout
