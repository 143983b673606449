"""Options of a game: what can be set before a match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.core.messages import message, quoted
from games.core.moves import BadOption

OptionValue = int | str
Options = Mapping[str, OptionValue]


@dataclass(frozen=True)
class Option:
    """An option of a match: a whole number in a range, or one of some words.

    A game that needs another kind extends this class and overrides ``parse`` and ``allowed``.

    ``names`` are labels for values that are not self-explanatory. ``set_by`` says who may set it: the host of a table;
    a study, which varies the constants of a game from the command line; or only an administrator, and then players and
    spectators do not see it.
    """

    name: str
    label: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    names: Mapping[OptionValue, str] = field(default_factory=dict)
    help: str = ""
    set_by: Literal["host", "study", "administrator"] = "host"

    @property
    def allowed(self) -> str:
        """The allowed values, in short: "on|off", "0..9"."""
        return "|".join(self.choices) or f"{self.low}..{self.high}"

    def label_of(self, value: OptionValue) -> str:
        """Return the label of a value."""
        return self.names.get(value, str(value))

    def parse(self, raw: OptionValue) -> OptionValue:
        """Return ``raw``, which may come from a form or a command line, as a value of this option.

        Raises BadOption, listing the allowed values.
        """
        if self.choices:
            if str(raw) not in self.choices:
                raise self.not_one_of(self.choices, raw)
            return str(raw)
        value = whole(raw)
        if value is None:
            text = message(
                "{option} must be a whole number from {low} to {high}, not {given}.",
                option=self.name,
                low=self.low,
                high=self.high,
                given=quoted(raw),
            )
            raise BadOption(text)
        if not self.low <= value <= self.high:
            raise self.not_between(self.low, self.high, value)
        return value

    def not_one_of(self, choices: Iterable[str], raw: object) -> BadOption:
        """Return the refusal of a value that is none of these."""
        text = message(
            "{option} must be one of {choices}, not {given}.",
            option=self.name,
            choices=", ".join(choices),
            given=quoted(raw),
        )
        return BadOption(text)

    def not_between(self, low: OptionValue, high: OptionValue, raw: object) -> BadOption:
        """Return the refusal of a value that is out of a range."""
        text = message(
            "{option} must be from {low} to {high}, not {given}.",
            option=self.name,
            low=low,
            high=high,
            given=quoted(raw),
        )
        return BadOption(text)


_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,1000}\s*")


def whole(raw: object) -> int | None:
    """Return ``raw`` as a whole number, also if it is a string of one; None otherwise.

    >>> [whole(raw) for raw in (7, " -1 ", "1.5", 1.5, True, [1], "", "٣")]
    [7, -1, None, None, None, None, None, None]
    """
    if isinstance(raw, str):
        return int(raw) if _WHOLE.fullmatch(raw) else None
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None
