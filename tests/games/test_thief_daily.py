"""The daily heist: the same for everybody on one day, and not to be guessed the day before."""

from __future__ import annotations

from datetime import date, timedelta

from games.core import SealedChance
from games.core.chance import SEED_BYTES
from games.thief.rules import HEIST

MONDAY = date(2026, 11, 16)
WEEK = [MONDAY + timedelta(days=day) for day in range(7)]


def test_levels_go_round_with_the_week() -> None:
    assert [HEIST.daily.options(day)["level"] for day in WEEK] == ["1", "2", "3", "4", "1", "2", "3"]
    assert all(HEIST.check_options(HEIST.daily.options(day))["director"] == "on" for day in WEEK)


def test_a_day_has_one_seed_and_deal_in_one_house_and_another_the_next_day_or_elsewhere() -> None:
    seeds = {HEIST.daily.seed(day, secret) for day in WEEK for secret in (b"ours", b"theirs")}
    assert len(seeds) == 14
    assert all(len(seed) == SEED_BYTES for seed in seeds)
    deals = [
        HEIST.new(1, HEIST.daily.options(MONDAY), SealedChance(HEIST.daily.seed(MONDAY, b"ours"))).view(0, face_up=True)
        for _ in range(2)
    ]
    assert deals[0] == deals[1]
