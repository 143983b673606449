"""The golden playthroughs are what the games do today, and rules do not change without their version."""

from __future__ import annotations

import pytest

from tests.games.cases import CASES, Case
from tests.games.text_game import read
from tests.playthroughs import FOLDER, changed_silently, golden_file, outcome, playthrough, rules_now, rules_on_record


@pytest.mark.parametrize("case", [case for case in CASES if case.golden], ids=str)
def test_a_playthrough_is_unchanged(case: Case) -> None:
    path = golden_file(case)
    assert path.exists(), "Run 'python -m tests.playthroughs' and read what it wrote."
    expected, result = path.read_text().splitlines(), playthrough(case).splitlines()
    changed = [pair for pair in zip(expected, result, strict=False) if pair[0] != pair[1]]
    assert not changed, f"If this is meant, run 'python -m tests.playthroughs' and read the difference: {changed[0]}"
    assert len(result) == len(expected)


def test_no_playthrough_is_left_over() -> None:
    golden = {golden_file(case) for case in CASES if case.golden}
    assert set(FOLDER.glob("*.txt")) == golden, "Run 'python -m tests.playthroughs'."


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rules_replay_seeds_and_moves_as_their_version_did(case: Case) -> None:
    ruled = rules_on_record()[case.game.name]
    assert ruled["version"] == case.game.rules_version, "Run 'python -m tests.playthroughs'."
    expected, result = ruled["matches"][case.name].split(), outcome(case).split()
    ply = next((ply for ply, pair in enumerate(zip(expected, result, strict=False)) if pair[0] != pair[1]), "the end")
    assert expected == result, (
        f"From ply {ply} on stored matches of {case.game.title} would become other matches: "
        "give the game another rules_version."
    )


def test_every_stored_rules_version_belongs_to_a_case() -> None:
    known = {name for ruled in rules_on_record().values() for name in ruled["matches"]}
    assert known == {case.name for case in CASES}, "Run 'python -m tests.playthroughs'."


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("rules 1\nsticks 21\ntake 1 2 3", False),  # as it was
        ("rules 1\nsticks 21\ntake 1 2 3\ntitle Matches", False),  # other words only
        ("rules 1\nsticks 20\ntake 1 2 3", True),
        ("rules 1\nsticks 21\ntake 1 2 4", True),
        ("rules 1\nsticks 21\ntake 1 2 3\nlast loses", True),
        ("rules 2\nsticks 20\ntake 1 2 3", False),  # and has a new version
    ],
    ids=["the same", "other words", "another start", "other moves", "another winner", "another version"],
)
def test_rules_that_change_without_their_version_are_noticed(text: str, silent: bool) -> None:
    before = rules_now([Case("sticks", read("sticks", "rules 1\nsticks 21\ntake 1 2 3"), 2)])
    now = rules_now([Case("sticks", read("sticks", text), 2)])
    assert changed_silently(before, now) == (["sticks"] if silent else [])
