"""What a table fetches: tips and meanings, the rules for the drawer, and reasons."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from cardsite.front.prose import prose
from cardsite.server.protocol import MAX_TOUCHED
from games import catalogue
from tests.running_site import RunningSite
from tests.site.reasons import NO_GAME, why_refused
from tests.site.visitor import Visitor, begin, two_at_a_table
from tests.tiers import full


@pytest.mark.django_db
def test_a_table_can_fetch_what_its_game_teaches(client: Client) -> None:
    answer = client.get("/rules/enchere/teaching.json")
    assert answer.json() == catalogue.find("enchere").teaching()
    assert why_refused(client.get("/rules/no-game/teaching.json")) == NO_GAME


@pytest.mark.django_db
def test_the_drawer_holds_the_page_of_rules_and_where_to_go_in_it(client: Client) -> None:
    drawer, page = (client.get(f"/rules/hamsterdam/{part}").content.decode() for part in ("drawer/", ""))
    assert "<html" not in drawer
    article = drawer[drawer.index('<article class="prose">') :].strip()
    assert article in page
    for heading in prose(catalogue.find("hamsterdam").rules_page()).contents:
        assert f'<a href="#{heading.id}">' in drawer
        assert f'<h2 id="{heading.id}">' in article
    assert why_refused(client.get("/rules/no-game/drawer/")) == NO_GAME


def test_pieces_in_a_page_are_words_until_they_are_drawn() -> None:
    assert prose("Bids [[9S torch]].").html == (
        '<p>Bids <span class="rule-pieces"><span class="rule-piece" data-face="9S">9♠</span> '
        '<span class="rule-piece" data-face="torch">torch</span></span>.</p>\n'
    )
    assert 'data-face="camel-blue">camel blue<' in prose("[[camel-blue]]").html


@pytest.mark.parametrize("text", ["[[<b>]]", '[["x]]', "[[4C", "[[]]", "`[[4C]]`", "[[a\nb]]", f"[[{'x' * 21}]]"])
def test_what_is_no_piece_stays_text(text: str) -> None:
    html = prose(text).html
    assert "rule-piece" not in html
    assert "<b>" not in html


def test_raw_html_in_a_page_of_rules_stays_text() -> None:
    page = prose("# <i>A</i>\n\n## <script>\n\n<script>alert(1)</script>")
    assert "<script" not in page.html
    assert page.contents[0].text == "<script>"


def test_pages_of_the_house_show_pieces_that_there_are() -> None:
    for name in ("hamsterdam", "bundles", "enchere", "camelup", "thief"):
        assert "rule-piece" in prose(catalogue.find(name).rules_page()).html, name


@full
def test_nobody_alone_with_bots_is_hurried_while_reading_the_rules(site: RunningSite) -> None:
    reader = Visitor(site, "Anna")
    code = reader.open_table("me", "house", "house", seconds=60)
    with reader.connect(code) as ws:
        begin(code, reader, ws)
        ws.until(ws.my_turn)
        assert reader.get("/rules/hamsterdam/drawer/").status == 200
        ws.settle()
        clocked = [message["deadlines"] for message in ws.messages if "deadlines" in message]
        assert clocked
        assert not any(clocked), "no clock runs for anybody there"
        assert not ws.table["clock"]
        assert ws.my_turn()


def test_a_player_is_sent_the_reason_and_nobody_else_is(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    sockets = [host.connect(code), guest.connect(code)]
    begin(code, host, *sockets)
    mover = next(ws for ws in sockets if ws.my_turn())
    match = mover.match
    reason = mover.ask("why", match=match, touched="zone:deck:modifier")
    assert reason["t"] == "because"
    assert reason["text"]["text"].startswith("Modifiers are dealt")
    for made_up in ("zone:nowhere", "seat:77", "piece:", "seat:x", "x"):
        assert mover.ask("why", match=match, touched=made_up)["text"] is None
    assert mover.ask("why", match=match, touched="x" * (MAX_TOUCHED + 1))["code"] == "too_long"
    assert mover.ask("why", match=match + 1, touched="seat:0")["code"] == "other_match"
    spectator = Visitor(site).connect(code)
    assert spectator.ask("why", match=match, touched="seat:0")["code"] == "not_seated"


def test_cards_of_other_packs_in_a_page_say_how_they_are_drawn() -> None:
    assert prose("[[7/leaf/green/Green_7 9S]] [[/drop//x]]").html == (
        '<p><span class="rule-pieces"><span class="rule-piece" data-face="Green 7" data-corner="7" data-symbol="leaf" '
        'data-colour="green">Green 7</span> <span class="rule-piece" data-face="9S">9♠</span></span> '
        '<span class="rule-pieces"><span class="rule-piece" data-face="x" data-symbol="drop">x</span></span></p>\n'
    )
    assert 'data-symbol="leaf" data-colour="green" data-number="3">' in prose("[[7/leaf3/green/Green_7]]").html
    for text in (
        "[[7/leaf/green/]]",
        "[[7/leaf123/green/x]]",
        "[[7/3leaf/green/x]]",
        '[[7/leaf/"/x]]',
        "[[<b>/leaf/red/x]]",
        "[[1234/leaf/red/x]]",
        "[[a/b/c]]",
    ):
        assert "rule-piece" not in prose(text).html


@pytest.mark.parametrize(("name", "symbol"), [("expeditions", "tree"), ("colours", "leaf")])
@pytest.mark.parametrize("language", ["en", "nl", "de", "fr"])
def test_the_rules_of_a_game_with_another_pack_draw_its_cards(name: str, symbol: str, language: str) -> None:
    html = prose(catalogue.find(name).rules_page(language)).html
    assert f'data-symbol="{symbol}" data-colour="green"' in html
    assert "[[" not in html
    assert "//" not in re.sub(r"https?://", "", html)
