"""The daily heist: the same for everybody on one day, and not to be guessed the day before."""

from __future__ import annotations

from datetime import date, timedelta

from games.core import SealedChance
from games.core.chance import SEED_BYTES
from games.thief.game import GAME

MONDAY = date(2026, 11, 16)
WEEK = [MONDAY + timedelta(days=day) for day in range(7)]


def test_levels_follow_the_weekday() -> None:
    assert [GAME.daily.options(day)["level"] for day in WEEK] == ["1", "2", "3", "4", "1", "2", "3"]
    assert all(GAME.check_options(GAME.daily.options(day))["director"] == "on" for day in WEEK)


def test_a_day_has_one_seed_and_deal_on_one_site_and_another_the_next_day_or_elsewhere() -> None:
    seeds = {GAME.daily.seed(day, secret) for day in WEEK for secret in (b"ours", b"theirs")}
    assert len(seeds) == 14
    assert all(len(seed) == SEED_BYTES for seed in seeds)
    heists = [GAME.new(1, GAME.daily.options(MONDAY), SealedChance(GAME.daily.seed(MONDAY, b"ours"))) for _ in range(2)]
    first, second = [GAME.view(heist, 0, face_up=True) for heist in heists]
    assert first == second
