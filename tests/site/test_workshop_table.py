"""A text that somebody has just written is played at a real table of a running site, and hostile ones stop nobody."""

from __future__ import annotations

import json
from typing import Any

from cardsite.table.dropped import WORDS
from cardsite.table.models import DropReason
from tests.running_site import RunningSite
from tests.site.hostile_texts import UNPLAYED, library, small
from tests.site.visitor import Answer, Visitor, begin, play_on


def ask(visitor: Visitor, path: str, **asked: object) -> Answer:
    """Send a JSON object as the editor does."""
    kind = {"Content-Type": "application/json", "Accept": "application/json"}
    headers = {"X-CSRFToken": visitor.cookies["csrftoken"], **kind}
    return visitor._ask("POST", path, json.dumps(asked).encode(), headers)


def save(visitor: Visitor, source: str, table: str = "", **asked: object) -> Any:
    """Save a text, and return the answer."""
    answer = ask(visitor, "/workshop/save/", source=source, table=table, **asked)
    assert answer.status == 200, answer.text
    return answer.json


def test_it_is_written_tried_and_played_to_its_end_with_bots_while_its_author_changes_it(site: RunningSite) -> None:
    author = Visitor(site, "Author")
    kept = save(author, *library("kuhn"))
    code = ask(author, "/workshop/try/", code=kept["code"], number=1, seats=2, bots="easy").json["url"].split("/")[2]
    with author.connect(code) as ws:
        ws.decide()
        other = save(author, small(), code=kept["code"], base=1)
        assert (other["number"], other["playable"], other["title"]) == (2, True, "Pick or Drop")
        play_on([ws])
        assert ws.over()
        assert ws.view["game"] == f"w-{kept['code']}-1"
        match = ws.table["match"]
    frames = author.get(f"/replay/{match}/frames.json").json
    assert (frames["title"], frames["over"], frames["remark"]) == ("Kuhn Poker", True, "")
    assert frames["frames"][-1]["view"]["over"]


def test_pictures_of_an_author_are_seen_at_the_table_and_kept_in_copies_and_files(site: RunningSite) -> None:
    author, friend = Visitor(site, "Author"), Visitor(site, "Friend")
    source, table = library("expeditions")
    kept = save(author, source, table)
    path = f"/workshop/{kept['code']}"
    assert author.get(f"{path}/1.toml").text == table
    copy = friend.post(f"{path}/fork/", number=1).headers["Location"].split("/")[2]
    assert copy != kept["code"]
    assert friend.get(f"/workshop/{copy}/1.toml").text == table
    code = ask(author, "/workshop/try/", code=kept["code"], number=1, seats=2, bots="easy").json["url"].split("/")[2]
    with author.connect(code) as ws:
        ws.decide()
        stock = next(zone for zone in ws.view["zones"] if zone["id"] == "hloc:STOCK")
        drawn = {piece["symbol"] for zone in ws.view["zones"] for piece in zone["pieces"]} & ws.view["pictures"].keys()
        assert stock["pieces"][0]["symbol"] in drawn
        assert len(ws.view["pictures"]) == 4


def two_at_a_text(site: RunningSite) -> tuple[Visitor, Visitor, str, str]:
    """Return an author and a friend at a table of the author's text, that text, and the table."""
    author, friend = Visitor(site, "Author"), Visitor(site, "Friend")
    text = save(author, small())["code"]
    code = author.open_table("me", "open", game=f"w-{text}-1", public=False)
    friend.must(code, "sit")
    return author, friend, text, code


def test_friends_play_it_by_its_link(site: RunningSite) -> None:
    author, friend, _, code = two_at_a_text(site)
    with author.connect(code) as mine, friend.connect(code) as theirs:
        begin(code, author, mine, theirs)
        play_on([mine, theirs])
        assert mine.over()
        assert theirs.over()


def test_staff_stop_it_under_its_players_and_say_when_it_may_be_played_again(
    site: RunningSite, administrator: Visitor
) -> None:
    author, friend, text, code = two_at_a_text(site)
    with author.connect(code) as mine, friend.connect(code) as theirs:
        begin(code, author, mine, theirs)
        assert administrator.post(f"/workshop/{text}/judge/", do="stop").status == 302
        for ws in (mine, theirs):
            ws.until(lambda ws=ws: ws.table["dropped"] == "stopped")  # type: ignore[misc]
            assert (ws.table["status"], ws.table["notice"]) == ("over", WORDS[DropReason.STOPPED])
        assert author.press(code, "start")["code"] == "stopped"
        assert administrator.post(f"/workshop/{text}/judge/", do="allow").status == 302
        author.must(code, "start")
        for ws in (mine, theirs):
            ws.until(lambda ws=ws: ws.table["status"] == "playing")  # type: ignore[misc]


def test_hostile_texts_are_answered_while_a_table_beside_them_plays_on(site: RunningSite) -> None:
    author, player = Visitor(site, "Author"), Visitor(site, "Player")
    code = player.open_table("me", "house", "house", public=False)
    with player.connect(code) as ws:
        begin(code, player, ws)
        for what in ("a loop for ever", "a million cards", "10^9 options", "a match without end"):
            source, why = UNPLAYED[what]
            assert why in save(author, source)["why"]
            if not ws.over():
                play_on([ws], plies=2)
        too_large = ask(author, "/workshop/save/", source="x" * 1_000_000, table="")
        assert (too_large.status, too_large.json["text"][:35]) == (413, "A request may have at most 256 KiB ")
    assert "Traceback" not in site.log
