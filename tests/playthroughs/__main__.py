"""``python -m tests.playthroughs``: write all golden playthroughs again, and remove those that no case has.

``python -m tests.playthroughs CASE`` prints that of one case with all its positions, to be read.

Writes nothing when rules have changed and not their version: matches that were played by the old ones would become
other matches.
"""

from __future__ import annotations

import json
import sys

from tests.games.cases import CASES
from tests.playthroughs import (
    FOLDER,
    RULES,
    changed_silently,
    golden_file,
    playthrough,
    rules_now,
    rules_on_record,
)

if asked := sys.argv[1:]:
    print(*(playthrough(case, whole=True) for case in CASES if case.name in asked), sep="\n")
    sys.exit()
now = rules_now(CASES)
if changed := changed_silently(rules_on_record(), now):
    games = ", ".join(sorted({case.game.title for case in CASES if case.name in changed}))
    sys.exit(f"The rules of {games} have changed ({', '.join(changed)}): give the game another rules_version.")
text = json.dumps(now, indent=2, sort_keys=True) + "\n"
if not RULES.exists() or RULES.read_text() != text:
    RULES.write_text(text)
    print(f"wrote {RULES.name}")
golden = [case for case in CASES if case.golden]
kept = {golden_file(case) for case in golden}
for stale in set(FOLDER.glob("*.txt")) - kept:
    stale.unlink()
    print(f"removed {stale.name}")
for case in golden:
    text = playthrough(case)
    path = golden_file(case)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        print(f"wrote {path.name}")
