"""A game of sticks with bots that are slow, hang, crash, cheat or fail, for tests of the pool of bots."""

from __future__ import annotations

import os
import time

from games.core import Bot, Information, RandomBot
from tests.games.text_game import LastBot, TextGame

SLOW = 0.005  # seconds that the slow bot takes


class SlowBot(LastBot):
    """Takes its time, and then as many sticks as it may."""

    name = "slow"
    title = "Slow"

    def choose(self, info: Information) -> str:
        time.sleep(SLOW)
        return super().choose(info)


class LateBot(Bot):
    """Takes far more time than anybody has, or as much as its budget says, in milliseconds; then the first move."""

    name = "late"
    title = "Late"

    def choose(self, info: Information) -> str:
        time.sleep(info.budget / 1000)
        return info.legal_moves[0]


class HangingBot(Bot):
    """Never comes to an end, and does not even let go of the interpreter."""

    name = "hanging"
    title = "Hanging"

    def choose(self, info: Information) -> str:
        return str(sum(10**1_000_000 % 7 for _ in range(10**9)))


class CrashingBot(Bot):
    """Takes its process down."""

    name = "crashing"
    title = "Crashing"

    def choose(self, info: Information) -> str:
        os._exit(1)


class FailingBot(Bot):
    """Raises."""

    name = "failing"
    title = "Failing"

    def choose(self, info: Information) -> str:
        raise ValueError("I cannot decide.")


class CheatingBot(Bot):
    """Makes a move that it may not make."""

    name = "cheating"
    title = "Cheating"

    def choose(self, info: Information) -> str:
        return "take 99"


class BudgetBot(Bot):
    """Takes as many sticks as it may spend roll-outs."""

    name = "budget"
    title = "Budget"

    def choose(self, info: Information) -> str:
        return f"take {info.budget}"


class PatientBot(Bot):
    """Thinks until it is asked to decide, and takes two."""

    name = "patient"
    title = "Patient"

    def choose(self, info: Information) -> str:
        while not info.enough():
            pass
        return "take 2"


BOTS = (LastBot, RandomBot, SlowBot, LateBot, HangingBot, CrashingBot, FailingBot, CheatingBot, BudgetBot, PatientBot)


class ThinkingGame(TextGame):
    """Sticks, with all of these bots."""

    bots = BOTS  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return ThinkingGame, (self.name, self.facts.text)


class BadHouse(ThinkingGame):
    """The same, where not even the house's bot is any good."""

    bots = (FailingBot, *BOTS)  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return BadHouse, (self.name, self.facts.text)
