"""Modules of ours in one file for each page, and one for each thing that is fetched only when it is wanted.

A browser on a slow line waits once for a file and once more for each that this one imports, so a page of forty
modules takes seconds. Here each *root* (a module that a page names, or that another fetches by ``import()``) becomes a
pack: all modules that it cannot run without, but for those that are surely there when it comes. A pack is an ES module
in which each module is a function that returns what it exports. Packs share a register on the page, so that a module
runs once, whichever packs it came in.

The sources stay plain ES modules, which browsers run as they are (with ``DEBUG``, and in tests). What cannot be packed
is refused, with its line: see ``read``.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment, String

# The same in every pack, whichever comes first: what is defined runs when it is first needed, once.
REGISTER = (
    "const { $define, $need } = (globalThis[Symbol.for('packs')] ??= (() => {\n"
    "const makers = new Map(), made = new Map();\n"
    "const $need = (name) => (made.has(name) || made.set(name, makers.get(name)()), made.get(name));\n"
    "return { $need, $define: (name, maker) => makers.has(name) || makers.set(name, maker) };\n"
    "})());\n"
)
HIDDEN = "\0"  # stands for each character of a string where the code is searched

_IMPORT = re.compile(r"^import\s+(?:(?P<what>[^;\0]+?)\s+from\s+)?(?P<from>\0+);", re.M)
_EXPORT_FROM = re.compile(r"^export\s+\{(?P<names>[^}]*)\}\s+from\s+(?P<from>\0+);", re.M)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+function|function|class|const)\b[\s*]*(?P<name>[\w$]+))", re.M)
_DEFAULT = re.compile(r"^export\s+default\s+(?!async\b|function\b|class\b)", re.M)
_LATER = re.compile(r"\bimport\(\s*(?P<from>\0+)\s*\)")
_FILE = re.compile(r"\bimport\.meta\.resolve\(\s*(?P<from>\0+)\s*\)")
_LEFT = re.compile(r"^export\b|\bimport\b|\bexport\s+(?:default|const|let|var|function|class|\{|\*)", re.M)
_ALL = re.compile(r"\*\s+as\s+(?P<name>[\w$]+)")
_SOME = re.compile(r"\{(?P<names>[^}]*)\}")


class CannotPack(Exception):
    """A module is written in a way that packs cannot hold; the text says where."""


@dataclass(frozen=True)
class Module:
    """A module of ours, taken apart."""

    path: str
    parts: tuple[str, ...]  # of its body; between each two stands a link
    links: tuple[Link, ...]
    exports: tuple[tuple[str, str], ...]  # names, and what stands for them

    def needs(self, kind: str) -> list[str]:
        """Return what it refers to: "now" to run at all, "later" what it fetches, "file" what is no module."""
        return [link.path for link in self.links if link.kind == kind]


@dataclass(frozen=True)
class Link:
    """A place in a module that names another file."""

    kind: str  # "now", "later", "file"
    path: str
    what: str = ""  # what is taken of it, as the left side of an assignment


def is_module(code: str) -> bool:
    """Whether a script imports or exports anything; others run as they are."""
    return bool(re.search(r"^(?:import|export)\b", code, re.M) or re.search(r"\bimport[.(]", code))


def read(path: str, text: str) -> Module:
    """Take a module apart. Raises CannotPack for what a function cannot do as a module does.

    That is: exported variables that change, ``export *``, exports that are declared elsewhere, default exports with a
    name, and addresses of other files that are not literally there.
    """
    code, mask = _without_comments(text)
    found: list[tuple[int, int, Link | str]] = []  # from, to, what stands there instead
    exports: list[tuple[str, str]] = []

    def spec(match: re.Match[str]) -> str:
        quoted = code[match.start("from") + 1 : match.end("from") - 1]
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), quoted))

    def note(match: re.Match[str], instead: Link | str) -> None:
        found.append((match.start(), match.end(), instead))

    for match in _IMPORT.finditer(mask):
        note(match, Link("now", spec(match), _taken(path, match["what"] or "")))
    for match in _EXPORT_FROM.finditer(mask):
        other = spec(match)
        pairs = [_pair(name) for name in match["names"].split(",") if name.strip()]
        taken = ", ".join(f"{ours}: $of_{theirs}" for ours, theirs in pairs)
        exports += [(theirs, f"$of_{theirs}") for _, theirs in pairs]
        note(match, Link("now", other, f"{{ {taken} }}"))
    for match in _EXPORT.finditer(mask):
        exports.append((match["name"], match["name"]))
        note(match, "")
    for match in _DEFAULT.finditer(mask):
        exports.append(("default", "$default"))
        note(match, "const $default = ")
    for match in _LATER.finditer(mask):
        note(match, Link("later", spec(match)))
    for match in _FILE.finditer(mask):
        note(match, Link("file", spec(match)))
    found.sort(key=lambda each: each[:2])
    parts, links, at = [""], list[Link](), 0
    for begin, end, instead in found:
        _refuse_rest(path, code, mask, at, begin)
        parts[-1] += code[at:begin]
        if isinstance(instead, Link):
            links.append(instead)
            parts.append("")
        else:
            parts[-1] += instead
        at = end
    _refuse_rest(path, code, mask, at, len(code))
    parts[-1] += code[at:]
    return Module(path, tuple(parts), tuple(links), tuple(exports))


def _refuse_rest(path: str, code: str, mask: str, begin: int, end: int) -> None:
    if left := _LEFT.search(mask, begin, end):
        line = code[left.start() :].partition("\n")[0]
        raise CannotPack(f"{path}: {line!r} is no import or export that a pack can hold.")


def _taken(path: str, what: str) -> str:
    """Return what an import takes, as the left side of an assignment."""
    if not what or (every := _ALL.fullmatch(what)):
        return every["name"] if what and every else ""
    if some := _SOME.fullmatch(what):
        pairs = [_pair(name) for name in some["names"].split(",") if name.strip()]
        return "{ " + ", ".join(ours if ours == theirs else f"{ours}: {theirs}" for ours, theirs in pairs) + " }"
    if re.fullmatch(r"[\w$]+", what):
        return f"{{ default: {what} }}"
    raise CannotPack(f"{path}: cannot take {what!r}.")


def _pair(name: str) -> tuple[str, str]:
    """Return the two names of ``a as b``, which are the same where there is one."""
    first, _, second = (part.strip() for part in name.partition(" as "))
    return first, second or first


def _without_comments(text: str) -> tuple[str, str]:
    """Return code without comments and indents, and the same with its strings hidden."""
    code, mask = list[str](), list[str]()
    for kind, value in JavascriptLexer(stripnl=False, ensurenl=False).get_tokens(text):
        if kind in Comment:
            value = "\n" if "\n" in value else " "
        code.append(value)
        mask.append(HIDDEN * len(value) if kind in String else value)
    whole, hidden = "".join(code), "".join(mask)
    pieces, at = list[tuple[int, int]](), 0
    for blank in re.finditer(r"(?<=\n)\s+|[ \t]+(?=\n)", hidden):
        pieces.append((at, blank.start()))
        at = blank.end()
    pieces.append((at, len(whole)))
    return "".join(whole[a:b] for a, b in pieces), "".join(hidden[a:b] for a, b in pieces)


def reached(start: str, edges: Callable[[str], Iterable[str]]) -> list[str]:
    """Return all that can be reached from there, the start last: what something needs comes before it.

    Raises CannotPack for a circle.
    """
    order: dict[str, bool] = {}  # whether it is done

    def go(path: str, way: tuple[str, ...]) -> None:
        if path in way:
            raise CannotPack(f"Modules need each other in a circle: {' → '.join((*way, path))}")
        if path in order:
            return
        for other in edges(path):
            go(other, (*way, path))
        order[path] = True

    go(start, ())
    return list(order)


class Packs:
    """The packs of some modules."""

    def __init__(self, modules: Mapping[str, Module], named: Mapping[str, str]) -> None:
        """``named`` has the final names of files that are no modules of ours, by their paths."""
        self._modules = modules
        self._files = named
        for module in modules.values():
            for link in module.links:
                if link.path not in (named if link.kind == "file" else {**modules, **named}):
                    raise CannotPack(f"{module.path} refers to {link.path}, which is not there.")
        imported = {path for module in modules.values() for path in module.needs("now")}
        later = {path for module in modules.values() for path in module.needs("later") if path in modules}
        self._pages = [path for path in modules if path not in imported | later]
        self.roots = sorted({*self._pages, *later})
        self._whole = {root: reached(root, self._needed) for root in self.roots}
        self.contents, self._there = self._share(later)
        self.names = {root: self._name(root) for root in self.roots}

    def _needed(self, path: str) -> list[str]:
        return [other for other in self._modules[path].needs("now") if other in self._modules]

    def _share(self, later: set[str]) -> tuple[dict[str, list[str]], dict[str, frozenset[str]]]:
        """Return what each pack holds, and what is there before it, whoever fetches it."""
        everything = frozenset(self._modules)
        there = {root: everything if root in later else frozenset[str]() for root in self.roots}
        while True:
            held = {root: [path for path in self._whole[root] if path not in there[root]] for root in self.roots}
            now = dict(there)
            for root in later - set(self._pages):
                fetching = [
                    frozenset(held[pack]) | there[pack]
                    for pack in self.roots
                    if any(root in self._modules[path].needs("later") for path in held[pack])
                ]
                now[root] = frozenset.intersection(*fetching) if fetching else there[root]
            if now == there:
                return held, there
            there = now

    def _name(self, root: str) -> str:
        """Name a pack by the sources of all that can ever come of it, and by how packs are made."""
        seen, open_ = set[str](), [root]
        while open_:
            path = open_.pop()
            if path not in seen:
                seen.add(path)
                module = self._modules.get(path)
                open_ += [link.path for link in module.links] if module else []
        digest = hashlib.sha256(Path(__file__).read_bytes())
        for path in sorted(seen):
            digest.update(f"{path}\0{self._modules.get(path) or self._files.get(path)}\0".encode())
        stem, ending = posixpath.splitext(root)
        return f"{stem}.{digest.hexdigest()[:12]}{ending}"

    def text(self, root: str) -> str:
        """Return a pack."""
        held = self.contents[root]
        natives: dict[str, str] = {}
        bodies = []
        for path in held:
            last = path == root and root in self._pages
            bodies.append(self._module(root, self._modules[path], natives, runs_at_once=last))
        imports = "".join(f'import * as {name} from "{self._way(root, path)}";\n' for path, name in natives.items())
        return imports + REGISTER + "".join(bodies)

    def _module(self, root: str, module: Module, natives: dict[str, str], runs_at_once: bool) -> str:
        body = module.parts[0]
        for link, part in zip(module.links, module.parts[1:], strict=True):
            body += self._link(root, link, natives) + part
        if runs_at_once:  # it may wait, and nobody needs it
            return f"{{\n{body.strip()}\n}}\n"
        told = ", ".join(name if name == what else f"{name}: {what}" for name, what in module.exports)
        # In brackets of its own: browsers then read it once, not once to see where it ends and again to run it.
        return f'$define("{module.path}", (() => {{\n{body.strip()}\nreturn {{ {told} }};\n}}));\n'

    def _link(self, root: str, link: Link, natives: dict[str, str]) -> str:
        if link.kind == "file":
            return f'import.meta.resolve("{self._way(root, link.path)}")'
        if link.kind == "later":
            if link.path not in self._modules:
                return f'import("{self._way(root, link.path)}")'
            if link.path in self.contents[root] or link.path in self._there[root]:
                return f'Promise.resolve().then(() => $need("{link.path}"))'
            return f'import("{self._way(root, link.path)}").then(() => $need("{link.path}"))'
        given = f'$need("{link.path}")'
        if link.path not in self._modules:
            given = natives.setdefault(link.path, f"$native{len(natives)}")
        return f"const {link.what} = {given};" if link.what else f"{given};"

    def _way(self, root: str, path: str) -> str:
        """Return the address of a file as a pack writes it: from where the pack lies."""
        name = self.names[path] if path in self._modules else self._files[path]
        way = posixpath.relpath(name, posixpath.dirname(root))
        return way if way.startswith(".") else f"./{way}"
