"""Put the logs of many games into one file, as the series does: ``python merge_game_logs.py DIRECTORY``.

Reads DIRECTORY/game_<n>.csv and writes ``game_logs/GameLogs.csv`` in the current folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3]))  # where ``games`` is

from games.lab import logs

USAGE = "Usage: python merge_game_logs.py DIRECTORY"
LOGS = Path("game_logs")


def main(arguments: list[str]) -> int:
    """Merge the logs. Returns the exit code: 2 if the logs cannot be merged, else 0."""
    if not arguments:
        print(USAGE)
        return 0
    try:
        LOGS.mkdir(exist_ok=True)
        logs.merge(Path(arguments[0]), LOGS / logs.MERGED)
    except (logs.BadLogs, OSError) as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
