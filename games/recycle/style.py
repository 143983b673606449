"""The formatter: two spaces a level, lines up to 100 characters, closing brackets together; comments are kept.

Blank lines between two things are reduced to one. Text after the game, which is not part of it, is unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.recycle.problems import BadText, Source
from games.recycle.reader.syntax import Unparsed, parse, tokens
from games.recycle.signatures import HEADED

WIDTH = 100


@dataclass(slots=True)
class Leaf:
    """A word, name, number, variable or sign."""

    text: str
    blank: bool  # a blank line stands before it


@dataclass(slots=True)
class Comment:
    """A comment. ``alone``: nothing stands before it in its line."""

    text: str
    blank: bool
    alone: bool


@dataclass(slots=True)
class Group:
    """What stands between two brackets. ``flat`` is it in one line; None if that is too long, or not wanted."""

    blank: bool
    items: list[Item] = field(default_factory=list)
    flat: str | None = None

    @property
    def head(self) -> str:
        """The first item, if it is not a group."""
        return self.items[0].text if self.items and isinstance(self.items[0], Leaf) else ""


Item = Leaf | Comment | Group


def format_text(text: str) -> str:
    """Return a text in the layout of this module. Raise ``BadText`` if its brackets or tokens are wrong."""
    source = Source(text)
    try:
        form, problems = parse(text)
    except Unparsed as unparsed:
        raise BadText(source, [unparsed.problem]) from None
    if problems:
        raise BadText(source, problems)
    out = _Writer()
    before, game = _items(text, form.at.end)
    for comment in before:
        if comment.blank and out.lines[-1]:
            out.newline(0)
        out.write(comment.text)
        out.newline(0)
    if game.blank and before:
        out.newline(0)
    _write(out, game, 0)
    return _with_rest("\n".join(out.lines), text[form.at.end :])


def _with_rest(game: str, rest: str) -> str:
    """Return a game with what follows it, a comment in its last line included."""
    line, _, more = rest.partition("\n")
    if line.strip().startswith(";;"):
        game = f"{game} {line.strip()}"
        rest = more
    rest = rest.replace("\r", "").strip()
    return f"{game}\n\n{rest}\n" if rest else f"{game}\n"


def _items(text: str, end: int) -> tuple[list[Comment], Group]:
    """Return the comments before a game, and the game."""
    before: list[Comment] = []
    open_groups: list[Group] = []
    game = Group(blank=False)
    last = 0  # the end of the token before
    for token in tokens(text[:end], comments=True):
        start = token.start_pos or 0
        gap = text[last:start]
        blank = gap.count("\n") > 1
        around = open_groups[-1].items if open_groups else None
        if token.type == "OPEN":
            group = Group(blank)
            if around is None:
                game = group
            else:
                around.append(group)
            open_groups.append(group)
        elif token.type == "CLOSE":
            _flatten(open_groups.pop())
        elif token.type == "COMMENT":
            comment = Comment(token.rstrip(), blank, "\n" in gap)
            if around is None:
                before.append(comment)
            else:
                around.append(comment)
        elif around is not None:
            word = "'" + token[1:].lstrip() if token.type == "VAR" else str(token)
            around.append(Leaf(word, blank))
        last = token.end_pos or start
    game.flat = None
    return before, game


def _flatten(group: Group) -> None:
    """Note how a group looks in one line, if it may stand in one."""
    signatures = HEADED.get(group.head, [])
    if any("||" in signature.shape for signature in signatures):
        return
    steps = group.items[1] if len(group.items) == 2 else None
    if any(one.parts[-1].text == "STEPS" for one in signatures) and isinstance(steps, Group) and len(steps.items) > 1:
        return
    line = "("
    for item in group.items:
        word = item.flat if isinstance(item, Group) else item.text
        if word is None or isinstance(item, Comment) or len(line) > WIDTH:
            return
        line += word if line == "(" or word == "," else f" {word}"
    group.flat = f"{line})"


class _Writer:
    def __init__(self) -> None:
        self.lines = [""]
        self.closed = False  # by a comment: nothing else can stand in this line

    @property
    def column(self) -> int:
        return len(self.lines[-1])

    def write(self, text: str) -> None:
        self.lines[-1] += text

    def newline(self, column: int, *, blank: bool = False) -> None:
        if blank:
            self.lines.append("")
        self.lines.append(" " * column)
        self.closed = False

    def comment(self, comment: Comment, column: int) -> None:
        """Write a comment: in its line, or after what stands before it."""
        if comment.alone:
            self.newline(column, blank=comment.blank)
            self.write(comment.text)
        else:
            self.write(f" {comment.text}")
        self.closed = True


def _write(out: _Writer, group: Group, after: int) -> None:
    """Write a group at the column where the writer stands; ``after`` brackets are closed behind it."""
    column = out.column
    if group.flat is not None and column + len(group.flat) + after <= WIDTH:
        out.write(group.flat)
        return
    out.write("(")
    items = group.items
    first = items[0] if items else None
    if isinstance(first, Comment):
        out.write(first.text)
        out.closed = True
        _lines(out, items[1:], column + 1, after + 1)
    elif isinstance(first, Group):
        if all(_is_award(item) for item in items):
            _fill(out, items, column + 1, after + 1)
        else:
            _write(out, first, 0 if len(items) > 1 else after + 1)
            _lines(out, items[1:], column + 1, after + 1)
    elif all(not isinstance(item, Group) for item in items):
        _fill(out, items, column + 1, after + 1)
    elif first is not None:
        _headed(out, group, first, after + 1)
    if out.closed:
        out.newline(column + 1)
    out.write(")")


def _headed(out: _Writer, group: Group, first: Leaf, after: int) -> None:
    """Write what a form that begins with a word holds."""
    column = out.column - 1
    items = group.items
    out.write(first.text)
    count = _first_line(items, first.text)
    if count is not None:
        place = 1
        while place < count and not isinstance(items[place], Comment):
            _inline(out, items[place], 0)
            place += 1
        if len(items[place:]) > 1 and all(map(_is_award, items[place:])):
            out.newline(column + 2)
            _fill(out, items[place:], column + 2, after)
        else:
            _lines(out, items[place:], column + 2, after)
        return
    units = _units(items[1:])
    aligned = out.column + 1
    if not any(isinstance(item, Comment) for item in items) and (
        len(units) == 1 or all(_fits(unit, aligned, after) for unit in units)
    ):
        for item in units[0]:
            _inline(out, item, after if len(units) == 1 and item is units[0][-1] else 0)
        _lines(out, [item for unit in units[1:] for item in unit], aligned, after)
    else:
        _lines(out, items[1:], column + 2, after)


def _first_line(items: list[Item], head: str) -> int | None:
    """Return how many items of a form stay on its first line where it is broken into several.

    None: the first two, if the rest has room below the second.
    """
    signatures = [signature for signature in HEADED.get(head, []) if "|" in signature.shape]
    same = (signature for signature in signatures if len(signature.parts) == len(items))
    signature = next(same, signatures[0] if signatures else None)
    return len(signature.shape.partition("|")[0].split()) if signature else None


def _inline(out: _Writer, item: Leaf | Group | Comment, after: int) -> None:
    """Write an item into the line."""
    if isinstance(item, Group):
        out.write(" ")
        _write(out, item, after)
    else:
        out.write(item.text if item.text == "," else f" {item.text}")


def _units(items: list[Item]) -> list[list[Item]]:
    """Part items into what stands in a line: words go with the group that follows them."""
    units: list[list[Item]] = []
    for item in items:
        if units and isinstance(units[-1][-1], Leaf) and not isinstance(item, Comment):
            units[-1].append(item)
        else:
            units.append([item])
    return units


def _fits(unit: list[Item], column: int, after: int) -> bool:
    length = 0
    for item in unit:
        flat = item.flat if isinstance(item, Group) else item.text
        if flat is None:
            return False
        length += len(flat) + 1
    return column + length - 1 + after <= WIDTH


def _lines(out: _Writer, items: list[Item], column: int, after: int) -> None:
    """Write items into lines of their own, from a column on."""
    units = _units(items)
    for unit in units:
        if isinstance(unit[0], Comment):
            out.comment(unit[0], column)
            continue
        out.newline(column, blank=unit[0].blank)
        for place, item in enumerate(unit):
            behind = after if unit is units[-1] and item is unit[-1] else 0
            if place:
                _inline(out, item, behind)
            elif isinstance(item, Group):
                _write(out, item, behind)
            else:
                out.write(item.text)


def _fill(out: _Writer, items: list[Item], column: int, after: int) -> None:
    """Write items into lines that are as full as may be."""
    for place, item in enumerate(items):
        if isinstance(item, Comment):
            out.comment(item, column)
            continue
        word = (item.flat or "") if isinstance(item, Group) else item.text
        comma = place + 1 < len(items) and _is_comma(items[place + 1])
        room = after if place + 1 == len(items) else int(comma)
        if out.closed:
            out.newline(column)
        elif out.column > column and word != ",":
            if out.column + 1 + len(word) + room > WIDTH:
                out.newline(column)
            else:
                out.write(" ")
        out.write(word)


def _is_comma(item: Item) -> bool:
    return isinstance(item, Leaf) and item.text == ","


def _is_award(item: Item) -> bool:
    """Return whether an item is an award, such as ((RANK : ACE) 4), or a comment among awards."""
    if isinstance(item, Comment):
        return True
    pair = item.items[0] if isinstance(item, Group) and item.items else None
    if not isinstance(item, Group) or not isinstance(pair, Group) or item.flat is None:
        return False
    return any(isinstance(part, Leaf) and part.text == ":" for part in pair.items)
