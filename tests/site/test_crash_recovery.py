"""``kill -9`` during a match: everything acknowledged is stored, and play continues."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed

from cardsite.lobby.models import Table
from cardsite.table.models import Match, Move
from games import catalogue, core
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.conftest import DatabaseOf
from tests.site.visitor import Message, begin, play_on, two_at_a_table
from tests.tiers import full, is_full

ROUNDS = 8 if is_full() else 2


def test_a_killed_site_loses_no_acknowledged_move_and_plays_a_resent_one_once(
    new_site: Callable[..., RunningSite], database_of: DatabaseOf
) -> None:
    dice = random.Random(20201120)
    site = new_site()
    site.open()
    site.start()
    site_db = database_of(site)
    code, host, guest = two_at_a_table(site, "house")
    acknowledged: dict[tuple[int, int], Message] = {}  # (match, ply): what was acknowledged
    for _ in range(ROUNDS):
        one, two = host.connect(code), guest.connect(code)
        if one.over() or not one.match:
            begin(code, host, one, two)
        # The power goes at a moment that nobody chooses, while both play as fast as they can.
        power_cut = threading.Timer(dice.uniform(0.02, 0.4), site.kill)
        power_cut.start()
        sent: tuple[int, int, int, str] | None = None  # the decision in flight: match, seat, decision, move
        try:
            while True:
                for ws in (one, two):
                    ws.settle()
                    if ws.over() and ws is one:
                        one.until(lambda one=one: one.table["status"] == "over")  # type: ignore[misc]
                        begin(code, host, one, two)
                    if ws.my_turn():
                        move = dice.choice(ws.view["moves"])["move"]
                        sent = (ws.match, ws.seat or 0, ws.view["decision"], move)
                        ack = ws.move(move)
                        assert ack["t"] == "ack", ack
                        acknowledged[ack["match"], ack["version"]] = {"seat": ws.seat, "move": move}
                        sent = None
                        ws.until(lambda ws=ws, ack=ack: ws.version >= ack["version"])  # type: ignore[misc]
        except (ConnectionClosed, OSError):
            pass
        power_cut.join()
        for ws in (one, two):
            ws.close()
        site.start()
        stored = {
            (row.match_id, row.ply): {"seat": row.seat, "move": row.text} for row in Move.objects.using(site_db).all()
        }
        assert acknowledged.items() <= stored.items()
        if sent:  # the same client sends again what it got no answer to
            match, seat, decision, move = sent
            again = (host, guest)[seat].connect(code)
            for expected in (None, True):
                answer = again.move(move, decision=decision, match=match)
                assert answer["t"] == "ack", answer
                assert answer["again"] is (expected or answer["again"])
            acknowledged[match, answer["version"]] = {"seat": seat, "move": move}
            again.close()
            made = Move.objects.using(site_db).filter(match=match, seat=seat).order_by("ply")
            assert [row.text for row in made][decision] == move
    with host.connect(code) as one, guest.connect(code) as two:
        play_on([one, two])
    for row in Match.objects.using(site_db).all():
        made = Move.objects.using(site_db).filter(match=row).order_by("ply")
        assert [m.ply for m in made] == list(range(1, len(made) + 1))
        game = catalogue.find(row.game)
        replayed = core.Match.replay(game, 3, row.options, bytes.fromhex(row.seed), [(m.seat, m.text) for m in made])
        assert replayed.over == (row.status == Match.Status.OVER)


@full
def test_a_match_of_bots_alone_is_played_on_after_a_kill(
    new_site: Callable[..., RunningSite], database_of: DatabaseOf
) -> None:
    site = new_site(HOUSE_TABLE="1", BOT_PACE="0.05")
    site.open()
    site.start()
    site_db = database_of(site)
    house = Table.objects.using(site_db).filter(house=True)
    wait_for(lambda: house.exists() and Move.objects.using(site_db).count() >= 3)
    site.restart()
    before = Move.objects.using(site_db).count()
    wait_for(lambda: Move.objects.using(site_db).count() > before)
    assert house.count() == 1
