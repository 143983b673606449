"""A text is tried out as a table would use it: with each number of players, and everything a table does is measured."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cardsite.workshop import trying
from games.recycle.game import RecycleGame
from games.recycle.rules import RecycleState

TEXT = """(game
  (setup (create players 2 .. 5) (create deck (game hloc STOCK) (deck (RANK (A, B, C, D, E, F)) (SUIT (G, H)))))
  (do ((shuffle (game hloc STOCK)) (all player 'P (move (top (game hloc STOCK)) (top ('P iloc HAND))))))
  (stage player (end (== (size (game hloc STOCK)) 0))
    (choice ((move (top (game hloc STOCK)) (top ((current player) vloc WON))))){then})
  (scoring max (size ((current player) vloc WON))))
"""


def tried(then: str = "") -> dict[str, Any]:
    return trying.try_out(TEXT.replace("{then}", then), "")


def test_a_text_that_a_table_can_play_passes() -> None:
    found = tried()
    assert (found["ok"], found["why"], found["seats"]) == (True, "", (2, 5))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_rules_that_break_down_with_the_fewest_the_usual_or_the_most_players_are_found(players: int) -> None:
    found = tried(f"(do (((== (size player) {players}) (move (top (game vloc NOWHERE)) (top (game vloc PILE))))))")
    assert not found["ok"]
    assert found["why"].startswith(
        f"In a match of random moves with {players} players the rules broke down (no such card)"
    )


@pytest.mark.parametrize(
    ("owner", "method", "why"),
    [
        (RecycleGame, "new", "the deal took too long"),
        (RecycleState, "legal_moves", "to find what may be done (1 options)"),
        (RecycleGame, "view", "to show the table to 3 players"),
        (RecycleState, "determinize", "to deal a bot what it cannot see"),
        (RecycleState, "apply", "to carry it out"),
    ],
)
def test_each_thing_that_a_table_does_may_not_take_too_long(
    monkeypatch: pytest.MonkeyPatch, owner: Any, method: str, why: str
) -> None:
    clock: Any = SimpleNamespace(now=0.0, process_time=lambda: clock.now)
    real = getattr(owner, method)

    def slow(*args: Any, **kwargs: Any) -> Any:
        clock.now += 1.6
        return real(*args, **kwargs)

    monkeypatch.setattr(trying, "time", clock)
    assert tried()["ok"]
    monkeypatch.setattr(owner, method, slow)
    found = tried()
    assert not found["ok"]
    assert why in found["why"]
