"""From text to nested lists of tokens with their positions. Their meaning is the reader's task.

The language consists of brackets and words. Names and variables are in capitals, words of the language in small
letters. Anything after the first complete form is ignored. A comment goes from ``;;`` to the end of its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Literal, TypeGuard

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from games.core.messages import NONE, Message, message
from games.core.texts import LARGEST
from games.recycle.problems import Problem
from games.recycle.reader.brackets import misplaced_bracket
from games.recycle.signatures import WORDS
from games.recycle.tree import Span

MAX_DEPTH = 100  # of nested brackets, because code that processes the tree is recursive
MAX_PROBLEMS = 100  # that are reported
MAX_NAME = 64  # letters
MAX_DIGITS = 300  # with zeros in front; int() refuses thousands
MAX_NUMBER = 2**31 - 1  # numbers of the reference engine have 32 bits

GRAMMAR = r"""
    start: form _rest*
    form: OPEN item* CLOSE
    ?item: form | WORD | NAME | INT | VAR | SIGN | OTHER
    _rest: OPEN | CLOSE | WORD | NAME | INT | VAR | SIGN | OTHER

    OPEN: "("
    CLOSE: ")"
    WORD: /[a-z]+/
    NAME: /[A-Z]+/
    INT: /[0-9]+/
    VAR: /'[ \t\r\n]*[A-Z]+/
    SIGN: /\.\.|<=|>=|==|!=|\/\/|[,:<>+*%^-]/
    OTHER.-1: /;[^\n]*|[^\n]/

    %ignore /[ \t\r\n\ufeff]+/
    COMMENT: /;;[^\n]*/
    %ignore COMMENT
"""

SIDE_BY_SIDE = ("==", "!=", "cardatt", "partition", "call")  # after these, two names may stand side by side

TOKENS = frozenset(("OPEN", "CLOSE", "WORD", "NAME", "INT", "VAR", "SIGN", "OTHER", "COMMENT"))
AtomKind = Literal["WORD", "NAME", "INT", "VAR", "SIGN", "OTHER"]


@dataclass(slots=True, eq=False)
class Atom:
    """One token. The ``text`` of a variable is its name, without the apostrophe.

    ``mark``: variables of one name with different marks are different variables (``blocks.py``).
    """

    kind: AtomKind
    text: str
    at: Span
    mark: int = 0


@dataclass(slots=True, eq=False)
class Form:
    """What stands between a pair of brackets. ``broken``: it holds tokens that are wrong by themselves."""

    items: list[Item]
    at: Span
    depth: int
    broken: bool = False

    @property
    def head(self) -> str:
        """The word or sign that the form begins with, or ""."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) and first.kind in ("WORD", "SIGN") else ""


Item = Atom | Form


class Unparsed(Exception):
    """The brackets of a text do not match, or there is nothing, or too much. Holds one ``Problem``."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


@lru_cache(maxsize=1)  # callers that read a text often ask for its warnings, its layout or its blocks next
def parse(text: str) -> tuple[Form, tuple[Problem, ...]]:
    """Return the first form of a text, and the problems of its tokens. Raises ``Unparsed`` if there is no form.

    Callers must not change the form, because all of them get the same one.
    """
    if len(text) > LARGEST:
        raise Unparsed(
            _error(
                Span(0, 1),
                message("This text has {n:,} characters; at most {most:,} are allowed.", n=len(text), most=LARGEST),
            )
        )
    try:
        form: Form = _lark().parse(text)  # type: ignore[assignment]  # the transformer makes forms
    except UnexpectedInput:
        raise Unparsed(misplaced_bracket(list(tokens(text)), len(text))) from None
    if form.depth > MAX_DEPTH:
        raise Unparsed(
            _error(
                deepest(form).at,
                message("Brackets lie more than {most} deep here.", most=MAX_DEPTH),
                message("No game needs that."),
            )
        )
    found = (problem for each in forms(form) for problem in _problems(each))
    return form, tuple(islice(found, MAX_PROBLEMS))


def tokens(text: str, *, comments: bool = False) -> Iterator[Token]:
    """Yield the tokens of a text, with ``comments`` those, too."""
    for token in _lark().lex(text, dont_ignore=comments):
        if token.type in TOKENS:
            yield token


def forms(form: Form) -> Iterator[Form]:
    """Yield a form and all forms in it, in the order of the text."""
    waiting = [form]
    while waiting:
        form = waiting.pop()
        yield form
        waiting += [item for item in reversed(form.items) if isinstance(item, Form)]


@v_args(inline=True)
class _Shape(Transformer[Token, Form]):
    """Makes atoms and forms while lark parses."""

    def start(self, form: Form, *rest: Token) -> Form:
        return form

    def form(self, opening: Token, *parts: Form | Token) -> Form:
        items = [part if isinstance(part, Form) else atom(part) for part in parts]
        closing = items.pop()
        depth = 1 + max([item.depth for item in items if isinstance(item, Form)], default=0)
        return Form(items, Span(opening.start_pos or 0, closing.at.end), depth)


def atom(token: Token) -> Atom:
    """Return what the reader knows of a token."""
    kind: AtomKind = token.type  # type: ignore[assignment]
    text = token[1:].lstrip() if kind == "VAR" else str(token)
    return Atom(kind, text, Span(token.start_pos or 0, token.end_pos or 0))


@cache
def _lark() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="basic", transformer=_Shape())


def _error(at: Span, text: Message, hint: Message = NONE) -> Problem:
    return Problem("error", at, text, hint)


def deepest(form: Form) -> Form:
    """Return the form that lies one level too deep."""
    for _ in range(MAX_DEPTH):
        form = max((item for item in form.items if isinstance(item, Form)), key=lambda item: item.depth)
    return form


# -- tokens that are wrong by themselves


def _problems(form: Form) -> Iterator[Problem]:
    """Yield what is wrong with the tokens of a form, and mark it as broken if that is anything."""
    items, place = form.items, 0
    while place < len(items):
        item = items[place]
        place += 1
        if isinstance(item, Form):
            continue
        if item.kind == "INT" and (decimals := _decimals(items[place - 1 : place + 2])):
            place += 2
            form.broken = True
            yield decimals
            continue
        end = place
        while end < len(items) and _glued(items[end - 1], items[end]):
            end += 1
        if end > place:
            run = [part for part in items[place - 1 : end] if isinstance(part, Atom)]
            place = end
            problem = _not_a_name(run)
        elif item.kind == "OTHER":
            problem = _strange(item)
        elif (
            item.kind == "NAME"
            and place < len(items)
            and _is_name(after := items[place])
            and form.head not in SIDE_BY_SIDE
        ):
            problem = _no_comma(item, after)
        elif item.kind in ("NAME", "VAR") and len(item.text) > MAX_NAME:
            problem = _error(
                item.at,
                message("This name has {n} letters; at most {most} are allowed.", n=len(item.text), most=MAX_NAME),
            )
        elif item.kind == "INT" and (len(item.text) > MAX_DIGITS or int(item.text) > MAX_NUMBER):
            problem = _error(
                item.at, message("This number is too large; {most} is the largest there is.", most=MAX_NUMBER)
            )
        else:
            continue
        form.broken = True
        yield problem


def _decimals(items: list[Item]) -> Problem | None:
    """Return the error of a number with decimals: it is read as two numbers with a dot between them."""
    texts = [item.text for item in items if isinstance(item, Atom)]
    if len(texts) < 3 or texts[1] != "." or not texts[2].isdecimal() or items[0].at.end + 1 != items[2].at.start:
        return None
    number = short("".join(texts))
    at = Span(items[0].at.start, items[2].at.end)
    return _error(
        at,
        message("{number} is not a whole number.", number=number),
        message("There are no decimals: count in halves, tenths or hundredths."),
    )


def _is_name(item: Item) -> TypeGuard[Atom]:
    return isinstance(item, Atom) and item.kind == "NAME"


def _no_comma(left: Atom, right: Atom) -> Problem:
    one, other = short(left.text), short(right.text)
    at = Span(left.at.start, right.at.end)
    return _error(
        at,
        message("There is no comma between {one} and {other}.", one=one, other=other),
        message("Missing comma between names: {one}, {other}.", one=one, other=other),
    )


def _glued(left: Item, right: Item) -> bool:
    """Return whether two tokens without a space between them were meant as one."""
    if isinstance(left, Form) or isinstance(right, Form) or left.at.end != right.at.start:
        return False
    if right.kind == "OTHER":
        return left.kind != "SIGN" and (right.text == "_" or right.text.isalnum())
    if left.kind == "OTHER":
        return (left.text == "_" or left.text.isalnum() or left.text in QUOTES) and right.kind in (
            "WORD",
            "NAME",
            "INT",
        )
    if left.kind == "NAME":
        return right.kind in ("WORD", "INT") or right.text == "-"
    if left.kind == "SIGN":
        return left.text == "-" and right.kind == "NAME"
    if left.kind == "VAR":
        return right.kind == "INT" or (right.kind == "WORD" and right.text not in WORDS)
    if left.kind == "INT":
        return right.kind == "NAME" or (right.kind == "WORD" and right.text not in WORDS)
    return right.kind in ("NAME", "INT") and left.text not in WORDS  # a word


INSTEAD = {
    "/": message("Write division as //."),
    "=": message("Write equality as ==."),
    "!": message("Write inequality as !=."),
    ".": message("Write a range as 1 .. 5."),
    "|": message("Write (or TEST TEST)."),
    "&": message("Write (and TEST TEST)."),
}
QUOTES = "\u2018\u2019\u201c\u201d`\u00b4\"'"


def _not_a_name(run: list[Atom]) -> Problem:
    at = Span(run[0].at.start, run[-1].at.end)
    whole = "".join("'" + part.text if part.kind == "VAR" else part.text for part in run)
    if whole[0] in QUOTES and whole[1:].isalpha() and whole[1:].isupper():
        return _error(
            at,
            message("{code} does not begin with a plain apostrophe.", code=short(whole)),
            message("Write a variable as '{name}.", name=whole[1:]),
        )
    return _error(
        at,
        message("{code} is no name.", code=short(whole)),
        message("Write names in capital letters from A to Z only: no small letters, digits, _ or -."),
    )


def _strange(item: Atom) -> Problem:
    text = item.text
    if text.startswith(";"):
        return _error(
            Span(item.at.start, item.at.start + 1),
            message("One semicolon means nothing."),
            message("A comment begins with two: ;;"),
        )
    if text in QUOTES:
        return _error(
            item.at,
            message("There is a stray {text} here.", text=text),
            message("A variable is an apostrophe and capital letters: 'X."),
        )
    if text.isspace():
        return _error(
            item.at,
            message("This looks like a space, but is another character."),
            message("Put a plain space in its place."),
        )
    found = message("{text} means nothing in this language.", text=text)
    if not text.isprintable():
        code = f"{ord(text):#06x}"
        found = message("The character {code} means nothing in this language.", code=code)
    return _error(item.at, found, INSTEAD.get(text, NONE))


def short(text: str) -> str:
    """Return a text cut to what fits into a message."""
    return text if len(text) <= 40 else text[:37] + "..."
