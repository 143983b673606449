"""What a look at a long match costs the server: CPU and bytes a request, first and again.

    .venv/bin/python -m bench.replays [--plies 1560]

One process, no sockets: a match of Enchère, at an unsealed table, is written into an empty database in a temporary
folder, and its frames are asked for as a browser asks for them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from typing import Any


def main() -> None:
    wish = argparse.ArgumentParser(description=__doc__)
    wish.add_argument("--plies", type=int, default=1560)
    wished = wish.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            HAMSTERDAM_VAR=folder,
            HAMSTERDAM_LOCAL="1",
            LOG_LEVEL="WARNING",
            RATE_LIMITS="0",
            ALLOWED_HOSTS="testserver",
        )
        os.environ.pop("DATABASE_URL", None)
        os.environ["DJANGO_SETTINGS_MODULE"] = "cardsite.settings"
        import django

        django.setup()
        print(json.dumps(measure(wished.plies), indent=2))


def measure(plies: int) -> dict[str, Any]:
    """Return the figures: {plies, running, first, again, unchanged}, each of the last four {cpu_ms, bytes, status}."""
    from django.core.management import call_command
    from django.test import Client

    from cardsite.lobby.models import Seat, Table
    from cardsite.table.models import Match, Move
    from cardsite.table.services import do_end_match, do_start_match
    from games.core import Match as Played
    from games.core import SealedChance

    call_command("migrate", verbosity=0)
    table = Table.objects.create(game="enchere", sealed=False, options={"version": "originale", "target": 200})
    for index in range(3):
        Seat.objects.create(table=table, index=index, bot="house")
    match = Match.objects.get(pk=do_start_match(table.code, None, None, seed=bytes(32)))
    from cardsite.lobby.games import find_game

    played = Played.start(find_game("enchere"), 3, match.options, SealedChance(bytes(32)))
    dice, rows = random.Random(1), []
    while played.ply < plies and (seats := played.to_act()):
        move = dice.choice(played.legal_moves(seats[0]))
        played.advance(seats[0], move)
        rows.append(Move(match=match, ply=played.ply, seat=seats[0], text=move, by="bot", at=0))
    Move.objects.bulk_create(rows)
    browser = Client(headers={"Accept-Encoding": "gzip, deflate, br"})

    def ask(**headers: str) -> tuple[dict[str, Any], Any]:
        before = time.process_time()
        answer = browser.get(f"/replay/{match.pk}/frames.json", headers=headers)
        spent = time.process_time() - before
        return {"cpu_ms": round(spent * 1000, 1), "bytes": len(answer.content), "status": answer.status_code}, answer

    ask()  # what a process does once
    figures = {"plies": len(rows), "running": ask()[0]}
    do_end_match(match.pk, table.pk, [0, 0, 0], [0])
    figures["first"], answer = ask()
    figures["again"] = min((ask()[0] for _ in range(5)), key=lambda one: one["cpu_ms"])
    figures["unchanged"] = ask(**{"If-None-Match": answer.headers.get("ETag", '"none"')})[0]
    return figures


if __name__ == "__main__":
    main()
