"""What helpers are worth to whom they help: ``python -m bench.helper [GAME] [--seats 3 4 5 6] [--matches 100]``.

Seat 0 is the favourite, and plays as everybody else does (``--others``). One or two of the others are ``helper-0``,
bots that search for the move that is best for seat 0; they sit in each place in turn, equally often. For comparison the
same seats are given to ``ismcts``, which searches as long and plays for itself: the difference is the help. The deal is
honest and the same in all rows, match by match. Prints JSON: the favourite's share of the wins with Wilson's 95 %
interval, the helpers' own share, and how often a helper comes second when the favourite wins, that is, holds out as
long as it does no harm.
"""

from __future__ import annotations

import argparse
import json
from itertools import combinations, product
from typing import TypedDict

from games import catalogue
from games.core import Game, RulesFailed
from games.core.ranks import ranks
from games.lab.intervals import wilson
from games.lab.simulate import Plan, play_match


class Row(TypedDict):
    """How the favourite did with so many of the others being ``kind``."""

    seats: int
    helpers: int
    kind: str
    matches: int
    share: float
    low: float
    high: float
    own_share: float  # of each of them
    second: float | None  # in matches that the favourite won alone


def measure(game: Game, seats: int, helpers: int, kind: str, others: str, matches: int) -> Row:
    """Play so many matches, the helpers in each place in turn."""
    places = list(combinations(range(1, seats), helpers))
    share = own = 0.0
    won = second = 0
    for index in range(matches):
        helping = places[index % len(places)]
        bots = [kind if seat in helping else others for seat in range(seats)]
        played = play_match(Plan.checked(game, bots, {}, f"helper/{seats}"), index)
        if played.broken:
            raise RulesFailed(played.broken.kind, played.broken.text)
        part = 1 / len(played.winners)
        share += part * (0 in played.winners)
        own += part * sum(seat in played.winners for seat in helping)
        if played.winners == [0]:
            won += 1
            found = ranks(played.scores)
            second += any(found[seat] == 2 for seat in helping)
    low, high = wilson(share, matches)
    return {
        "seats": seats,
        "helpers": helpers,
        "kind": kind,
        "matches": matches,
        "share": round(share / matches, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "own_share": round(own / matches / helpers, 4) if helpers else 0.0,
        "second": round(second / won, 4) if won and helpers else None,
    }


def main() -> None:
    """Measure tables of so many seats, without helpers and with one or two."""
    parser = argparse.ArgumentParser(prog="python -m bench.helper", description="What helpers are worth.")
    parser.add_argument("game", nargs="?", default="hamsterdam", choices=[game.name for game in catalogue.listed()])
    parser.add_argument("--seats", type=int, nargs="+", default=[3, 4, 5, 6])
    parser.add_argument("--matches", type=int, default=100, help="in each row")
    parser.add_argument("--others", default="house", help="the bot of the favourite, and of all who do not help")
    parser.add_argument("--playouts", type=int, default=100, help="of a helper, for a decision")
    asked = parser.parse_args()
    game = catalogue.find(asked.game)
    kinds = [f"helper-0-{asked.playouts}", f"ismcts-{asked.playouts}"]
    for seats in asked.seats:
        rows = [(0, asked.others), *product(range(1, min(3, seats)), kinds)]
        for helpers, kind in rows:
            print(json.dumps(measure(game, seats, helpers, kind, asked.others, asked.matches)), flush=True)


if __name__ == "__main__":
    main()
