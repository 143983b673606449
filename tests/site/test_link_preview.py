"""Links to a table: the text and picture of their previews, and the QR code."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from cardsite.front.link import HEIGHT, WIDTH, drawn
from cardsite.lobby.models import Table
from cardsite.table.services.matches import do_start_match
from games import catalogue
from tests.site.conftest import Actor
from tests.site.reasons import why_refused


def preview_tags(page: str) -> dict[str, str]:
    """Return what a page says to programs that make previews."""
    match = re.findall(r'<meta (?:property|name)="((?:og|twitter|robots)[^"]*)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in match} | ({"robots": "noindex"} if "noindex" in page else {})


def pixels(png: bytes) -> bytes:
    """Return the pixels of a picture, which must be a PNG of the right size."""
    image = Image.open(BytesIO(png), formats=["PNG"])
    assert image.size == (WIDTH, HEIGHT)
    return image.tobytes()


def test_a_preview_names_the_game_the_host_and_who_sits_there(newcomer: Client, table: Table, host: Actor) -> None:
    table.host.name = host.person.name = "Anna <b>"  # type: ignore[union-attr]
    host.person.save()
    tags = preview_tags(newcomer.get(f"/t/{table.code}/").content.decode())
    assert tags["og:title"] == "Hamsterdam Exchange at the table of Anna <b>"
    assert tags["og:description"] == "Anna <b>, Guest, 1 bot, 1 free seat. Come and play."
    assert tags["og:url"] == f"http://testserver/t/{table.code}/"
    assert tags["og:image"] == f"http://testserver/t/{table.code}/preview.png"
    assert "robots" not in tags
    Table.objects.update(public=False)
    do_start_match(table.code, host.person)
    tags = preview_tags(newcomer.get(f"/t/{table.code}/").content.decode())
    assert tags["og:description"] == "Anna <b>, Guest, 2 bots. Come and watch."
    assert tags["robots"] == "noindex"  # by link only, and not by a search


def test_the_picture_is_a_png_and_shows_who_sits_down(newcomer: Client, table: Table) -> None:
    def shown() -> bytes:
        answer = newcomer.get(f"/t/{table.code}/preview.png")
        assert answer.headers["Content-Type"] == "image/png"
        return pixels(answer.content)

    before = shown()
    assert shown() == before
    newcomer.post(f"/t/{table.code}/sit/", {"name": "Anna"})
    assert shown() != before


@pytest.mark.parametrize("seats", range(1, 9))
def test_any_table_is_drawn_small_enough_to_be_sent(seats: int) -> None:
    kinds = tuple((("person", "bot", "open")[seat % 3], seat) for seat in range(seats))
    png = drawn("hamsterdam", kinds)
    assert len(pixels(png)) > 0
    assert len(png) < 100_000


def test_every_game_has_a_picture_with_its_number_of_seats(newcomer: Client, host: Actor) -> None:
    for game in (*catalogue.listed(catalogue.providers[0]), catalogue.find("hearts")):
        made = Table.objects.create(game=game.name, host=host.person)
        assert pixels(newcomer.get(f"/t/{made.code}/preview.png").content)


def test_the_code_is_of_the_address_by_which_the_site_was_asked(newcomer: Client, table: Table) -> None:
    import segno

    answer = newcomer.get(f"/t/{table.code}/qr.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    path = segno.make(f"http://testserver/t/{table.code}/", error="m").svg_inline(border=4).split(' d="')[1]
    assert path.split('"')[0] in answer.content.decode()
    other = newcomer.get(f"/t/{table.code}/qr.svg", headers={"Host": "evil.example"})
    assert other.status_code == 400
    assert "Bad request" in other.content.decode()


LAN = "http://192.168.1.7:8000"


@pytest.mark.parametrize(
    ("opened", "lan", "invites_to", "unreachable"),
    [
        ("127.0.0.1:8000", LAN, LAN, False),
        ("localhost:8000", LAN, LAN, False),
        ("[::1]:8000", LAN, LAN, False),
        ("127.0.0.1:8000", "", "http://127.0.0.1:8000", True),
        ("192.168.1.7:8000", LAN, LAN, False),
        ("testserver", "", "http://testserver", False),
        ("testserver", LAN, "http://testserver", False),
    ],
)
def test_the_invitation_has_an_address_that_friends_can_open_or_says_that_there_is_none(
    newcomer: Client, table: Table, settings: Any, opened: str, lan: str, invites_to: str, unreachable: bool
) -> None:
    import segno

    settings.LAN_ADDRESS = lan
    settings.ALLOWED_HOSTS = ["*"]
    page = newcomer.get(f"/t/{table.code}/", headers={"Host": opened})
    boot = page.context["boot"]
    address = f"{invites_to}/t/{table.code}/"
    assert (boot["invite"], boot["unreachable"]) == (address, unreachable)
    code = newcomer.get(f"/t/{table.code}/qr.svg", headers={"Host": opened}).content.decode()
    assert segno.make(address, error="m").svg_inline(border=4).split(' d="')[1].split('"')[0] in code


def test_a_replay_has_a_picture_for_people_who_may_view_it(newcomer: Client, table: Table, host: Actor) -> None:
    match = do_start_match(table.code, host.person)
    tags = preview_tags(newcomer.get(f"/replay/{match}/").content.decode())
    assert tags["og:image"] == f"http://testserver/replay/{match}/preview.png"
    assert pixels(newcomer.get(tags["og:image"]).content)
    Table.objects.update(public=False)
    assert newcomer.get(tags["og:image"]).status_code == 404
    tags = preview_tags(newcomer.get(f"/replay/{match}/?table={table.code}").content.decode())
    assert pixels(newcomer.get(tags["og:image"]).content)


def test_a_closed_table_has_neither_a_preview_nor_a_code(newcomer: Client, table: Table) -> None:
    Table.objects.update(status=Table.Status.CLOSED)
    for kind in ("qr.svg", "preview.png"):
        assert why_refused(newcomer.get(f"/t/{table.code}/{kind}")) == "No Table matches the given query."
