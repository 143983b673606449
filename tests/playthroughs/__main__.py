"""``python -m tests.playthroughs``: write all golden playthroughs again, and remove those that no case has."""

from __future__ import annotations

from tests.games.cases import CASES
from tests.playthroughs import FOLDER, golden_file, playthrough

kept = {golden_file(case) for case in CASES}
for stale in set(FOLDER.glob("*.txt")) - kept:
    stale.unlink()
    print(f"removed {stale.name}")
for case in CASES:
    text = playthrough(case)
    path = golden_file(case)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print(f"wrote {path.name}")
