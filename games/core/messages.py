"""Messages: what is wrong with a text, or why a move is refused, with what it takes to say it in another language.

A message is made where something is wrong, often in a process that does not know who will read it. It is an English
string, so the command line and files need nothing else. It keeps its template, which is its key in the catalogues
(context ``problem``), and what is filled in, so that it can be stored and shown to each reader in their language.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any

from games.core.words import LOCALE, catalogue

CONTEXT = "problem"  # of messages in catalogues
LONGEST = 500  # characters of anything that is filled in and stored
LONGEST_QUOTED = 80  # characters
LONGEST_TEXT = 2_000  # characters of a text that is not made of a template


@cache
def words(language: str) -> Mapping[str, str]:
    """Return the translations of the messages of all games in a language, by their templates."""
    return catalogue(language, *sorted(file.stem for file in (LOCALE / language).glob("*.po")), context=CONTEXT)


Find = Callable[[str], str]  # returns the translation of a template; the template itself if there is none


class _Filled(Formatter):
    """Fills templates, and writes numbers as a language does.

    A template may come from the sandbox, so it can only name what is filled in, and none of its attributes.
    """

    def __init__(self, language: str) -> None:
        self._language = language

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec != ",":
            return str(value)
        if self._language == "en":
            return f"{value:,}"
        from babel.numbers import format_decimal  # here: it is slow to import

        return str(format_decimal(value, locale=self._language.replace("-", "_")))


class Message(str):
    """A sentence in English. In ``template``, ``{name}`` stands for ``args[name]``.

    ``{n:,}`` is a number that each language writes in its own way.
    """

    template: str
    args: Mapping[str, int | float | str | Message]

    def __new__(cls, template: str, args: Mapping[str, int | float | str | Message]) -> Message:
        made = super().__new__(cls, _Filled("en").vformat(template, (), args))
        made.template, made.args = template, args
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, int | float | str | Message]]:  # type: ignore[override]
        return self.template, self.args

    def translated(self, language: str, find: Find) -> str:
        """Return the message in a language."""
        args = {
            name: arg.translated(language, find) if isinstance(arg, Message) else arg for name, arg in self.args.items()
        }
        return _Filled(language).vformat(find(self.template), (), args)

    def data(self) -> dict[str, Any]:
        """Return the message as plain data: {text, args}, as sentences are."""
        args = {
            name: arg.data() if isinstance(arg, Message) else arg[:LONGEST] if isinstance(arg, str) else arg
            for name, arg in self.args.items()
        }
        return {"text": self.template, "args": args}

    def stored(self) -> str:
        """Return the message as text from which ``restored`` makes it again."""
        return json.dumps(self.data(), ensure_ascii=False)


def message(template: str, **args: int | float | str | Message) -> Message:
    """Return a message. Choose between whole sentences rather than building one of parts."""
    return Message(template, args)


def template(text: str) -> str:
    """Return ``text`` unchanged. Marks the template of a later ``message`` for translation catalogues."""
    return text


def quoted(raw: object) -> str:
    """Return something refused as messages show it: in quotes if it is a string, shortened if it is long.

    >>> quoted("hold"), quoted(7)
    ("'hold'", '7')
    """
    text = raw if isinstance(raw, str) else repr(raw)
    cut = text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…"
    return repr(cut) if isinstance(raw, str) else cut


NONE = message("")


def of_data(data: Mapping[str, Any]) -> Message:
    """Return the message of plain data."""
    return Message(
        data["text"], {name: of_data(arg) if isinstance(arg, dict) else arg for name, arg in data["args"].items()}
    )


def restored(text: str) -> Message:
    """Return a message that was stored; any other text as a message."""
    return of_data(json.loads(text)) if text.startswith('{"text": ') else as_written(text)


def as_written(text: str) -> Message:
    """Return a text as a message, which is translated if its catalogue has the whole of it; a message as it is."""
    return text if isinstance(text, Message) else Message(text[:LONGEST_TEXT].replace("{", "{{").replace("}", "}}"), {})


def in_lines(lines: Iterable[str]) -> Message:
    """Return a message of several lines."""
    named = {f"line{number}": line for number, line in enumerate(lines)}
    return Message("\n".join(f"{{{name}}}" for name in named), named)


def any_of(words: Iterable[str]) -> str:
    """Return words as a list, a Message if there are several: "A, B or C"."""
    *most, last = words
    return message("{most} or {last}", most=", ".join(most), last=last) if most else last


def all_of(words: Iterable[str]) -> str:
    """Return words as a list, a Message if there are several: "A, B and C"."""
    *most, last = words
    return message("{most} and {last}", most=", ".join(most), last=last) if most else last
