"""A long replay: a match of Enchère at an unsealed table, in an empty database, requested as by a browser."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from typing import Any

from bench.speed.rates import Figures
from games.core import Match as Played
from games.core import SealedChance


def replay(arguments: argparse.Namespace) -> Figures:
    """Return the CPU time and the bytes of a request for a long replay: running, first, again, and not modified."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "HAMSTERDAM_VAR": folder,
            "HAMSTERDAM_LOCAL": "1",
            "LOG_LEVEL": "WARNING",
            "RATE_LIMITS": "0",
            "ALLOWED_HOSTS": "testserver",
            "DJANGO_SETTINGS_MODULE": "cardsite.settings",
        }
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        return replayed(arguments.plies)


def replayed(plies: int) -> Figures:
    """Return the CPU milliseconds and bytes of requests for the replay of a match of so many moves. Needs Django."""
    from django.core.management import call_command
    from django.test import Client

    from cardsite.lobby.games import find_game
    from cardsite.lobby.models import Seat, Table
    from cardsite.table.models import Match, Move
    from cardsite.table.services.matches import do_end_match, do_start_match

    call_command("migrate", verbosity=0)
    table = Table.objects.create(game="enchere", sealed=False, options={"version": "originale", "target": 200})
    for index in range(3):
        Seat.objects.create(table=table, index=index, bot="house")
    match = Match.objects.get(pk=do_start_match(table.code, None, seed=bytes(32)))
    running = Played.start(find_game("enchere"), 3, match.options, SealedChance(bytes(32)))
    dice, rows = random.Random(1), []
    while running.ply < plies and (seats := running.to_act()):
        move = dice.choice(running.legal_moves(seats[0]))
        running.advance(seats[0], move)
        rows.append(Move(match=match, ply=running.ply, seat=seats[0], text=move, by="bot", at=0))
    Move.objects.bulk_create(rows)
    browser = Client(headers={"Accept-Encoding": "gzip, deflate, br"})

    def ask(**headers: str) -> tuple[Figures, Any]:
        before = time.process_time()
        answer = browser.get(f"/replay/{match.pk}/frames.json", headers=headers)
        spent = time.process_time() - before
        return {"cpu_ms": round(spent * 1000, 1), "bytes": len(answer.content), "status": answer.status_code}, answer

    ask()  # what a process does once
    figures: Figures = {"plies": len(rows), "running": ask()[0]}
    do_end_match(match.pk, table.pk, [0, 0, 0], [0])
    figures["first"], answer = ask()
    figures["again"] = min((ask()[0] for _ in range(5)), key=lambda one: one["cpu_ms"])
    figures["unchanged"] = ask(**{"If-None-Match": answer.headers.get("ETag", '"none"')})[0]
    return figures
