"""Write the types of the WebSocket protocol for the browser's modules: ``python -m cardsite.server.wire_types``.

``games.core.view`` (TypedDicts) and ``cardsite.server.protocol`` (msgspec Structs) define the messages. This module
writes both as TypeScript to ``static/js/table/types.d.ts``, with their docstrings and the comments of their fields, so
that the editor and ``tsc`` check the scripts against them. Browsers do not load that file. A test fails when it is out
of date.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from cardsite.server import protocol
from games.core import view

TYPES = Path(__file__).resolve().parents[2] / "static" / "js" / "table" / "types.d.ts"
HEAD = """\
/**
 * The messages of the WebSocket protocol. Written by `python -m cardsite.server.wire_types` from games/core/view.py and
 * cardsite/server/protocol.py: change those and run it again.
 */
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "unknown"}


def typescript(*modules: ModuleType) -> str:
    """Return the messages that some modules define, and all types in them, as TypeScript.

    Messages are Structs with a tag; the names of those that browsers send begin with ``In``, of the others with
    ``Out``. ``Inbound`` and ``Outbound`` are the unions of each. Raises TypeError for an annotation that has no
    counterpart here.
    """
    # A module may have an alias from another one.
    defined = list({name: (name, kind) for module in modules for name, kind in _defined(module)}.values())
    aliases = {kind: name for name, kind in defined if not isinstance(kind, type)}
    comments = {field: text for module in modules for field, text in _comments(module).items()}
    messages = [kind for _, kind in defined if _tag(kind) is not None]
    sent = _held(messages, aliases)
    parts = [HEAD]
    for name, kind in defined:
        if name not in sent:
            continue
        if isinstance(kind, type):
            parts.append(_interface(kind, aliases, comments))
        else:
            union = _written(kind, {other: alias for other, alias in aliases.items() if alias != name})
            parts.append("\n".join([*_comment(comments.get(("", name), "")), f"export type {name} = {union};", ""]))
    for name in ("Inbound", "Outbound"):
        members = [kind.__name__ for kind in messages if name.startswith(_direction(kind))]
        parts.append(f"export type {name} = {' | '.join(members)};\n")
    return "\n".join(parts)


def main() -> None:
    """Write the file."""
    TYPES.write_text(typescript(view, protocol))


def _defined(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the TypedDicts, Structs, unions and literals that a module defines, with their names."""
    for name, kind in vars(module).items():
        if name.startswith("_") or name in ("Inbound", "Outbound"):
            continue
        if isinstance(kind, type):
            if kind.__module__ == module.__name__ and (is_typeddict(kind) or issubclass(kind, msgspec.Struct)):
                yield name, kind
        elif get_origin(kind) in (Union, UnionType, Literal):
            yield name, kind


def _tag(kind: Any) -> str | None:
    config = getattr(kind, "__struct_config__", None)
    return config.tag if config else None


def _direction(message: Any) -> str:
    for direction in ("Out", "In"):
        if message.__name__.startswith(direction):
            return direction
    raise TypeError(f"{message.__name__} begins neither with In nor with Out: who sends it?")


def _held(kinds: list[Any], aliases: Mapping[Any, str]) -> set[str]:
    """Return the names of types and of all types in their fields, also those of Python."""
    names: set[str] = set()
    waiting = list(kinds)
    while waiting:
        one = waiting.pop()
        name = one.__name__ if isinstance(one, type) else aliases.get(one, "")
        if name in names:
            continue
        if name:
            names.add(name)
        waiting += get_type_hints(one, include_extras=True).values() if isinstance(one, type) else get_args(one)
    return names


def _interface(kind: Any, aliases: Mapping[Any, str], comments: Mapping[tuple[str, str], str]) -> str:
    """Return a class as an interface."""
    lines = [*_comment(inspect.cleandoc(vars(kind).get("__doc__") or "")), f"export interface {kind.__name__} {{"]
    optional: set[str] = set()
    if (tag := _tag(kind)) is not None:
        lines.append(f'  {kind.__struct_config__.tag_field}: "{tag}";')
        if _direction(kind) == "In" or kind.__struct_config__.omit_defaults:  # otherwise all fields are sent
            optional = {field.name for field in msgspec.structs.fields(kind) if not field.required}
    for field, hint in get_type_hints(kind, include_extras=True).items():
        lines += [f"  {line}" for line in _comment(comments.get((kind.__name__, field), ""))]
        if get_origin(hint) is NotRequired:
            optional.add(field)
            (hint,) = get_args(hint)
        lines.append(f"  {field}{'?' if field in optional else ''}: {_written(hint, aliases)};")
    return "\n".join([*lines, "}", ""])


def _written(hint: Any, aliases: Mapping[Any, str]) -> str:
    """Return an annotation as TypeScript. Raises TypeError if it has no counterpart."""
    if hint in aliases:
        return aliases[hint]
    if hint in PLAIN:
        return PLAIN[hint]
    if is_typeddict(hint) or (isinstance(hint, type) and issubclass(hint, msgspec.Struct)):
        return str(hint.__name__)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(_written(one, aliases) for one in inner))
    if origin is Literal and all(isinstance(one, str) for one in inner):
        return " | ".join(f'"{one}"' for one in inner)
    if origin is list:
        element = _written(inner[0], aliases)
        return f"({element})[]" if " | " in element else f"{element}[]"
    if origin is dict and inner[0] in (str, int):
        return f"Record<{PLAIN[inner[0]]}, {_written(inner[1], aliases)}>"
    raise TypeError(f"{hint} cannot be written as TypeScript.")


def _comments(module: ModuleType) -> dict[tuple[str, str], str]:
    """Return the comments at line ends: by class and field; by "" and alias for types without a class."""
    source = inspect.getsource(module)
    at_line = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    comments: dict[tuple[str, str], str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.end_lineno in at_line:
            comments["", node.targets[0].id] = at_line[node.end_lineno]
        if not isinstance(node, ast.ClassDef):
            continue
        bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
        comments |= {(node.name, field): text for (owner, field), text in comments.items() if owner in bases}
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and field.end_lineno in at_line:
                comments[node.name, field.target.id] = at_line[field.end_lineno]
    return comments


def _comment(text: str) -> list[str]:
    """Return the lines of a docstring as a comment of JavaScript; none for an empty one."""
    lines = text.replace("``", "`").splitlines()
    if len(lines) < 2:
        return [f"/** {line} */" for line in lines]
    return ["/**", *[f" * {line}".rstrip() for line in lines], " */"]


if __name__ == "__main__":
    main()
