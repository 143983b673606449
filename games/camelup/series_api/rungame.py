"""Let bots play games and log them, as the series does: ``python rungame.py NUM_GAMES BOT...``.

Bots are classes in the ``bots.py`` of the current folder, or in ours where there is none. Every game is written to
``game_logs/game_<i>.csv`` in the current folder, which is made when missing. The bots play in this process, without
limits: to try bots that you do not trust, use ``python -m games simulate``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3]))  # where ``games`` is

import actionids  # noqa: F401 - first, so that ours are used and not files of the current folder
import camelup
import playerinterface

from games.lab import logs

USAGE = """Usage: python rungame.py NUM_GAMES BOT...
NUM_GAMES: how many games to play, each logged to game_logs/game_<i>.csv
BOT: for each player the name of a class in bots.py, as in: python rungame.py 100 RandomBot RandomBot"""
LOGS = Path("game_logs")


def main(arguments: list[str]) -> int:
    """Play the games. Returns the exit code: 2 for invalid arguments, else 0."""
    if len(arguments) < 2:
        print(USAGE)
        return 0
    if not arguments[0].isdecimal():
        print("NUM_GAMES must be an integer")
        return 2
    games, names = int(arguments[0]), arguments[1:]
    try:
        players = [_bot(name) for name in names]
    except LookupError as error:
        print(error.args[0])
        return 2
    LOGS.mkdir(exist_ok=True)
    print(f"Simulating {games} games  with {len(players)} players: {names}...")
    for game in range(games):
        if game % 100 == 0:
            print(f"Simulating game {game} out of {games}")
        action_log, _ = camelup.play_game(players)
        logs.write(LOGS / logs.file_name(game), action_log)
    return 0


def _bot(name: str) -> type[playerinterface.PlayerInterface]:
    """Return a bot by its name. Raises LookupError, listing those there are."""
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    import bots

    classes = {
        known: kind
        for known, kind in vars(bots).items()
        if isinstance(kind, type)
        and issubclass(kind, playerinterface.PlayerInterface)
        and kind is not playerinterface.PlayerInterface
    }
    if name not in classes:
        raise LookupError(f"There is no bot {name} in {bots.__file__}. It has: {', '.join(classes) or 'none'}.")
    return classes[name]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
