"""The trial of a text: with each number of players, measuring everything that a table does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cardsite.workshop import trial_worker
from games.recycle.example import MOST_PLIES
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
    return trial_worker.try_out(TEXT.replace("{then}", then), "")


def test_a_text_that_a_table_can_play_passes() -> None:
    answer = tried()
    assert (answer["ok"], answer["why"], answer["seats"]) == (True, "", (2, 5))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_rules_that_break_down_with_the_fewest_the_usual_or_the_most_players_are_found(players: int) -> None:
    answer = tried(f"(do (((== (size player) {players}) (move (top (game vloc NOWHERE)) (top (game vloc PILE))))))")
    assert not answer["ok"]
    assert answer["why"].startswith(f"In a random match with {players} players, the rules failed (no such card)")


@pytest.mark.parametrize(
    ("owner", "method", "why"),
    [
        (RecycleGame, "new", "the deal took too long"),
        (RecycleState, "legal_moves", "finding the legal moves"),
        (RecycleGame, "view", "showing the table to 3 players"),
        (RecycleState, "determinize", "dealing hidden cards for a bot"),
        (RecycleState, "apply", "making a move"),
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

    monkeypatch.setattr(trial_worker, "time", clock)
    assert tried()["ok"]
    monkeypatch.setattr(owner, method, slow)
    answer = tried()
    assert not answer["ok"]
    assert why in answer["why"]


@pytest.mark.parametrize(
    ("owner", "method"),
    [
        (RecycleGame, "new"),
        (RecycleState, "legal_moves"),
        (RecycleGame, "view"),
        (RecycleState, "determinize"),
        (RecycleState, "apply"),
    ],
)
def test_what_is_slow_only_now_and_then_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, owner: Any, method: str
) -> None:
    """As where other processes use up the caches: what counts is the shortest time."""
    clock: Any = SimpleNamespace(now=0.0, calls=0, process_time=lambda: clock.now)
    real = getattr(owner, method)
    allowed = trial_worker.COMPILING if method == "new" else trial_worker.DECISION

    def slow_at_times(*args: Any, **kwargs: Any) -> Any:
        clock.calls += 1
        clock.now += 2 * allowed if clock.calls % 29 == 5 else 0
        return real(*args, **kwargs)

    monkeypatch.setattr(trial_worker, "time", clock)
    monkeypatch.setattr(trial_worker, "PLAYING", 1e9)
    monkeypatch.setattr(owner, method, slow_at_times)
    answer = tried()
    assert (answer["ok"], answer["why"]) == (True, "")
    assert clock.calls > 5


def test_the_same_matches_are_played_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Any = SimpleNamespace(now=0.0, pace=0.0, process_time=lambda: clock.now)
    real, taken = RecycleState.apply, []

    def noted(state: RecycleState, seat: int, move: str) -> None:
        clock.now += clock.pace
        taken.append(move)
        real(state, seat, move)

    monkeypatch.setattr(trial_worker, "time", clock)
    monkeypatch.setattr(RecycleState, "apply", noted)
    played = []
    for clock.pace in (0.0, trial_worker.PLAYING / 200):
        assert tried()["ok"]
        played.append(taken[:])
        taken.clear()
    assert len(played[0]) > 30
    assert played[0] == played[1]


def test_a_match_that_never_ends_is_refused_after_so_many_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_worker, "DECISIONS", 40)
    assert "with 3 players, there was no end after 40 decisions with 40 options" in endless("(turn pass)")["why"]


def test_a_match_that_never_ends_is_refused_after_so_many_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_worker, "OPTIONS", 1_000)
    assert "no end after 11 decisions with 1,100 options" in endless("(any (range 1 .. 100) 'A (turn pass))")["why"]


def test_a_match_is_left_when_the_time_for_all_of_them_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Any = SimpleNamespace(now=0.0, process_time=lambda: clock.now)
    real = RecycleState.apply

    def slow(state: RecycleState, seat: int, move: str) -> None:
        clock.now += trial_worker.DECISION - 0.01
        real(state, seat, move)

    monkeypatch.setattr(trial_worker, "time", clock)
    monkeypatch.setattr(RecycleState, "apply", slow)
    assert endless("(turn pass)")["ok"]
    example = MOST_PLIES * trial_worker.DECISION  # the match on the rules page
    assert clock.now < trial_worker.PLAYING + 1 + example


def endless(option: str) -> dict[str, Any]:
    text = TEXT.replace("(move (top (game hloc STOCK)) (top ((current player) vloc WON)))", option)
    return trial_worker.try_out(text.replace("{then}", ""), "")
