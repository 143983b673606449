"""Options of a game: what may be set before a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.core.moves import BadOption

OptionValue = int | str
Options = Mapping[str, OptionValue]


@dataclass(frozen=True)
class Option:
    """Something that may be set before a match: a whole number in a range, or one of some words.

    A game that needs another kind extends this class, and with it ``parse`` and ``allowed``.

    ``names`` are how people are told of values that do not speak for themselves. ``set_by`` says who may: the host of a
    table, in its form; a study, which varies the constants of a game from the command line; or the administrator alone,
    and of that no player or watcher is told.
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
        """The values there are, in short: "on|off", "0..9"."""
        return "|".join(self.choices) or f"{self.low}..{self.high}"

    def shown(self, value: OptionValue) -> str:
        """Return a value of this option as people are told of it."""
        return self.names.get(value, str(value))

    def parse(self, raw: OptionValue) -> OptionValue:
        """Return ``raw``, which may be text from a form or a command line, as a value of this option.

        Raises BadOption, saying what is allowed.
        """
        if self.choices:
            if str(raw) not in self.choices:
                raise BadOption(f"{self.name} must be one of {', '.join(self.choices)}, not {raw!r}.")
            return str(raw)
        try:
            value = int(raw)
        except ValueError:
            raise BadOption(f"{self.name} must be a whole number, not {raw!r}.") from None
        if not self.low <= value <= self.high:
            raise BadOption(f"{self.name} must be from {self.low} to {self.high}, not {value}.")
        return value
