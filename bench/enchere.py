"""How good Enchère's house bot is: ``python -m bench.enchere [DEALS]``.

It plays each deal of a single round from all three seats, against two others of a kind: the house bot as it was before
it planned all its cards, a bot that saves high cards for dear prizes, and random ones. Who is as good as they are wins
a third; a shared win counts its share. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import time

from games.core import Bot, Information
from games.enchere.auction import height, legal_bids
from games.enchere.bots import Rivals, Stakes, _bits, _points
from games.enchere.game import Enchere
from games.enchere.rules import Observation
from games.lab.intervals import wilson
from games.lab.simulate import Plan, play_match


class FormerStakes(Stakes):
    """What a prize adds, and in Originale, what one more of those left would add on average."""

    def _stake(self, prize: int, left: int) -> float:
        gains = [self._worth(won | prize, left) - self._worth(won, left) for won in self.won]
        mine = gains.pop(self.me)
        return mine + 0.5 * sum(gains) / len(gains)

    def _worth(self, won: int, left: int) -> float:
        have = self._points(won)
        if self.version != "originale" or not left:
            return have
        more = [self._points(won | bit) - have for bit in _bits(self.version).values() if bit & left]
        return have + sum(more) / len(more)

    def _points(self, won: int) -> float:
        return float(_points(self.version)[won])


class Former(Bot):
    """Weighs the prize on the table against the mean of those to come."""

    name = "former"
    title = "Former house bot"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        bids = legal_bids(seen.hands[info.seat], seen.prize, seen.spare)
        if len(bids) == 1:
            return f"bid {bids[0]}"
        stakes, rivals = FormerStakes(seen, info.seat), Rivals(seen, info.seat)
        later = stakes.later()
        now, then = stakes.now(), 1.25 * sum(later) / len(later) if later else 0.0
        return f"bid {max(bids, key=lambda bid: now * rivals.chance(bid) - then * rivals.strength(bid))}"


class Saver(Bot):
    """Bids as high among its cards as the prize is dear among those to come."""

    name = "saver"
    title = "Saver"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        bids = legal_bids(seen.hands[info.seat], seen.prize, seen.spare)
        stakes = Stakes(seen, info.seat)
        now, later = stakes.now(), stakes.later()
        share = sum(stake < now for stake in later) / len(later) if later else 1.0
        bids = sorted(bids, key=lambda bid: height(bid, seen.spare))
        return f"bid {bids[min(len(bids) - 1, int(share * len(bids)))]}"


class Study(Enchere):
    """The game, with the bots that the house bot is compared with."""

    bots: tuple[type[Bot], ...] = (*Enchere.bots, Former, Saver)


def main() -> None:
    """Play, and print a line for each version and opponent."""
    parser = argparse.ArgumentParser(prog="python -m bench.enchere", description="Enchère's house bot, measured.")
    parser.add_argument(
        "deals", nargs="?", type=int, default=200, help="of each version and opponent, from three seats"
    )
    deals = parser.parse_args().deals
    game = Study()
    for version in ("enchere", "avancee", "originale"):
        for other in ("former", "saver", "random"):
            won, began = 0.0, time.process_time()
            for seat in range(3):
                bots = [other] * 3
                bots[seat] = "house"
                plan = Plan.checked(game, bots, {"version": version, "target": "0"}, "bench")
                for deal in range(deals):
                    winners = play_match(plan, deal).winners
                    won += (seat in winners) / len(winners)
            low, high = wilson(won, 3 * deals)
            each = (time.process_time() - began) / (3 * deals) * 1000
            print(
                f"{version:9} against two {other:6} {won / (3 * deals):.1%} [{low:.1%}, {high:.1%}] of {3 * deals}, "
                f"{each:.0f} ms a match",
                flush=True,
            )


if __name__ == "__main__":
    main()
