"""The daily heist: one deal a day, the same for everybody."""

from __future__ import annotations

import hmac
from datetime import date

from games.core.options import OptionValue
from games.thief.cards import LEVELS


class DailyHeist:
    """What is dealt on a day, see ``games.core.game.DailyDeal``.

    Levels go round with the week: Monday 1, Thursday 4, Friday 1, Sunday 3.
    """

    def options(self, day: date) -> dict[str, OptionValue]:
        """Return the options of that day's heist."""
        return {"level": str(LEVELS[day.weekday() % len(LEVELS)]), "director": "on"}

    def seed(self, day: date, secret: bytes) -> bytes:
        """Return the seed of that day's heist."""
        return hmac.digest(secret, f"thief/daily/{day.isoformat()}".encode(), "sha256")
