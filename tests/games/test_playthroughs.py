"""The golden playthroughs are what the games do today."""

from __future__ import annotations

import pytest

from tests.games.cases import CASES, Case
from tests.playthroughs import FOLDER, golden_file, playthrough


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_playthrough_is_as_it_was(case: Case) -> None:
    path = golden_file(case)
    assert path.exists(), "Run 'python -m tests.playthroughs' and read what it wrote."
    expected, found = path.read_text().splitlines(), playthrough(case).splitlines()
    changed = [pair for pair in zip(expected, found, strict=False) if pair[0] != pair[1]]
    assert not changed, f"If this is meant, run 'python -m tests.playthroughs' and read the difference: {changed[0]}"
    assert len(found) == len(expected)


def test_no_playthrough_is_left_over() -> None:
    assert set(FOLDER.glob("*.txt")) == {golden_file(case) for case in CASES}, "Run 'python -m tests.playthroughs'."
