"""A small game whose rules are a text, as in the workshop: players take sticks in turn, and the last stick wins.

The text has a line for each fact::

    rules 1            the version; by default the text itself
    sticks 21
    take 1 2 3         how many may be taken at once
    last loses         instead of winning
    title Sticks
    break apply        where the rules fail, for tests: start, to_act, legal_moves, apply, observe, render,
                       scores, why_not; "break apply 3" only when 3 sticks or fewer are left
    endless            sticks are put back: the match never ends

It is a whole game by the interface of ``games.core``, and a provider lists it like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from games.core import Bot, Chance, Game, Information, RandomBot, State
from games.core.messages import Message, message
from games.core.options import Options
from games.core.view import Counter, Drawing, LegalMove, SeatView, Zone, say, seat_arg


class Broken(Exception):
    """Raised where the text says that the rules fail."""


@dataclass(frozen=True)
class Facts:
    """The contents of a text."""

    text: str
    rules: str
    sticks: int
    take: tuple[int, ...]
    last_loses: bool
    title: str
    breaks: str  # where; "" nowhere
    breaks_at: int  # when so many sticks or fewer are left
    endless: bool

    def may_take(self, sticks: int) -> list[int]:
        """Return how many of ``sticks`` may be taken."""
        return [count for count in self.take if count <= sticks] or [sticks]

    def breaking(self, where: str, sticks: int) -> None:
        """Raise Broken if the text says that the rules fail here."""
        if self.breaks == where and sticks <= self.breaks_at:
            raise Broken(f"The rules fail at {where}, with {sticks} sticks left.")


def facts_of(text: str) -> Facts:
    """Return the contents of a text. Raises ValueError for an invalid one."""
    results = {words[0]: words[1:] for line in text.splitlines() if (words := line.split())}
    broken = results.get("break", [])
    sticks = int(results["sticks"][0])
    return Facts(
        text=text,
        rules=" ".join(results.get("rules", [text])),
        sticks=sticks,
        take=tuple(map(int, results["take"])),
        last_loses="last" in results,
        title=" ".join(results.get("title", ["Sticks"])),
        breaks=broken[0] if broken else "",
        breaks_at=int(broken[1]) if len(broken) > 1 else sticks,
        endless="endless" in results,
    )


@dataclass(frozen=True)
class Observation:
    """The whole state: nothing is hidden."""

    facts: Facts
    seat: int | None
    mover: int
    sticks: int
    taken: tuple[int, ...]
    over: bool


class SticksState(State[Observation]):
    """Sticks on a heap."""

    def __init__(self, facts: Facts, seats: int, chance: Chance) -> None:
        self.facts = facts
        self.seats = seats
        self.chance = chance
        self.log = []
        self.sticks = facts.sticks
        self.mover = chance.randbelow(seats)
        self.taken = [0] * seats
        self.last = -1
        self.add_entry("info", say("{seat} begins.", seat=seat_arg(self.mover)))

    def to_act(self) -> tuple[int, ...]:
        self.facts.breaking("to_act", self.sticks)
        return (self.mover,) if self.sticks else ()

    def legal_moves(self, seat: int) -> list[str]:
        self.facts.breaking("legal_moves", self.sticks)
        if not self.sticks or seat != self.mover:
            return []
        return [f"take {count}" for count in self.facts.may_take(self.sticks)]

    def apply(self, seat: int, move: str) -> None:
        count = int(move.split()[1])
        self.taken[seat] += count  # before it fails: nobody may see a state that is half changed
        self.facts.breaking("apply", self.sticks)
        self.sticks -= count
        if self.facts.endless:
            self.sticks = self.facts.sticks
        self.last = seat
        self.mover = (seat + 1) % self.seats
        self.add_entry("move", say("{seat} takes {count}.", seat=seat_arg(seat), count=count), seat=seat)

    def why_not(self, seat: int, move: str) -> Message:
        self.facts.breaking("why_not", self.sticks)
        return message("Take {sticks} sticks.", sticks=", ".join(map(str, self.facts.take)))

    def scores(self) -> list[float]:
        self.facts.breaking("scores", self.sticks)
        return [float((seat == self.last) != self.facts.last_loses) for seat in range(self.seats)]

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        self.facts.breaking("observe", self.sticks)
        return Observation(self.facts, seat, self.mover, self.sticks, tuple(self.taken), not self.sticks)

    def fork(self, chance: Chance) -> Self:
        copy = self.shallow_copy(chance)
        copy.taken = self.taken[:]
        return copy

    def determinize(self, seat: int, chance: Chance) -> Self:
        return self.fork(chance)


class LastBot(Bot):
    """Takes as many as it may, which distinguishes it from a bot that plays at random."""

    name = "house"
    title = "House"

    def choose(self, info: Information) -> str:
        return info.legal_moves[-1]


class TextGame(Game):
    """A game whose rules are a text."""

    summary = "Take sticks from a heap."
    min_seats = 2
    max_seats = 4
    default_seats = 2
    minutes = 2
    longest = 200
    bots = (LastBot, RandomBot)

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.facts = facts_of(text)
        self.title = self.facts.title
        self.rules_version = self.facts.rules

    def __reduce__(self) -> tuple[object, ...]:
        return read, (self.name, self.facts.text)

    @property
    def folder(self) -> Path:
        return Path(__file__).parent

    def rules_page(self, language: str = "en") -> str:
        return f"# {self.title}\n\nTake sticks.\n"

    def start(self, seats: int, options: Options, chance: Chance) -> SticksState:
        self.facts.breaking("start", self.facts.sticks)
        return SticksState(self.facts, seats, chance)

    def render(self, observation: Observation) -> Drawing:
        seen = observation
        seen.facts.breaking("render", seen.sticks)
        mine = not seen.over and seen.seat == seen.mover
        return Drawing(
            phase=say("{count} sticks", count=seen.sticks),
            prompt=say("Take some sticks") if mine else say("Waiting"),
            seats=[
                SeatView(
                    seat=seat,
                    state="in",
                    counters=[Counter(id="taken", label=say("Taken"), value=count)],
                    marks=[],
                )
                for seat, count in enumerate(seen.taken)
            ],
            zones=[Zone(id="heap", label=say("Heap"), layout="pile", pieces=[], size=seen.sticks)],
            moves=[
                LegalMove(move=f"take {count}", label=say("Take {count}", count=count), pieces=[])
                for count in (seen.facts.may_take(seen.sticks) if mine else ())
            ],
        )


def read(name: str, text: str) -> TextGame:
    """Return the game of a text: the function that ``games.catalogue.TextFolder`` takes."""
    return TextGame(name, text)
