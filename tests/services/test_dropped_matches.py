"""A match that one process drops is dropped in every process."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin
from tests.tiers import full

STICKS = "title Sticks\nrules 1\nsticks 9\ntake 1 2 3\n"


@full
def test_a_player_who_sits_by_way_of_another_process_learns_that_the_match_is_dropped_and_plays_the_next(
    new_site: Callable[..., RunningSite], pg_url: str, redis_url: str, tmp_path: Path
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "breaks.txt").write_text(STICKS + "break apply 7")
    shared = {"DATABASE_URL": pg_url, "REDIS_URL": redis_url, "SECRET_KEY": secrets.token_urlsafe(50)}
    shared |= {"DJANGO_SETTINGS_MODULE": "tests.text_settings", "TEXTS": str(texts)}
    first, second = new_site(**shared), new_site(**shared)
    first.open()
    first.start()
    second.start()
    ann, bob = Visitor(first, "Ann"), Visitor(first, "Bob")
    code = ann.open_table("me", "open", game="breaks")
    bob.must(code, "sit")
    bob.site = second
    with ann.connect(code) as a, bob.connect(code) as b, Visitor(first).connect(code) as watching:
        for number in (1, 2):
            begin(code, ann, a, b, watching)  # by the first process, which keeps the match
            for _ in range(2):
                mover, other = (a, b) if a.my_turn() else (b, a)
                ack = mover.move("take 1")
                assert ack["t"] == "ack", ack
                for ws in (mover, other):
                    ws.until(lambda ws=ws, ply=ack["version"]: ws.version >= ply)  # type: ignore[misc]
            mover = a if a.my_turn() else b
            assert mover.move("take 1")["code"] == "rules_failed"
            for ws in (a, b, watching):
                ws.until(lambda ws=ws: ws.table["dropped"] == "rules_failed")  # type: ignore[misc]
                assert (ws.table["status"], ws.table["number"]) == ("over", number)
            assert {a.move("take 1")["code"], b.move("take 1")["code"]} == {"rules_failed"}
