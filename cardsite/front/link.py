"""For links to a table: a picture of its players for previews, and a QR code."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache
from math import cos, pi, sin

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from PIL import Image, ImageDraw

from cardsite.front.pictures import COLOURS
from cardsite.lobby.models import Table
from cardsite.server.server import match_server
from cardsite.table.delay import has_delay, with_delay
from cardsite.table.invitation import address_for_friends
from cardsite.table.models import Player
from cardsite.table.views import match_for

WIDTH, HEIGHT = 1200, 630  # the usual size of link previews
FINER = 3  # pictures are drawn larger and reduced, which softens their edges
FURS = ("#c98f4e", "#e8d3ae", "#9a7b5f", "#d9b382", "#7c6a5c", "#f0e6d2", "#b5743a", "#a99a86")
INK, CREAM, BRASS, WOOD, FELT, FLOOR = "#2a1d12", "#f5f0e2", "#b08d4c", "#6d4526", "#1d5a58", "#123e3f"


@cache_control(max_age=60)
@require_safe
def qr(request: HttpRequest, code: str) -> HttpResponse:
    """The address of a table as a QR code."""
    get_object_or_404(Table.objects.exclude(status=Table.Status.CLOSED), code=code)
    address = address_for_friends(request, code)
    drawn = segno.make(address, error="m").svg_inline(border=4, scale=8, light="#ffffff", dark="#16343a")
    picture = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)  # it is a file of its own here
    return HttpResponse(picture, content_type="image/svg+xml")


@cache_control(max_age=60)
@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """The table from above: a hamster for each person, a machine for each bot, and open seats."""
    table = get_object_or_404(with_delay(Table.objects.exclude(status=Table.Status.CLOSED)), code=code)
    known = match_server.relay.known_to_spectators(code) if has_delay(table) else None
    seats: list[tuple[str, int | None]] = (
        [(seat.kind, seat.person) for seat in known.seats]
        if known
        else [(seat.kind, seat.person_id) for seat in table.seats.all()]
    )
    players = tuple((kind, (person or 0) % len(FURS)) for kind, person in seats)
    return HttpResponse(drawn(known.game if known else table.game, players), content_type="image/png")


@cache_control(private=True, max_age=60)
@require_safe
def replay_picture(request: HttpRequest, match_id: int) -> HttpResponse:
    """The table of a match from above, with its players, for those who may view the match."""
    match, _person = match_for(request, match_id)
    rows = Player.objects.filter(match=match)
    seats = tuple(("bot" if row.bot else "person", (row.person_id or 0) % len(FURS)) for row in rows)
    return HttpResponse(drawn(match.game, seats), content_type="image/png")


@lru_cache(maxsize=256)
def drawn(game: str, seats: tuple[tuple[str, int], ...]) -> bytes:
    """Return a PNG of a table: ``seats`` are (kind, which fur) around it."""
    dark, middle, light = COLOURS[hashlib.sha256(game.encode()).digest()[0] % len(COLOURS)]
    canvas = Canvas(FLOOR)
    x, y = WIDTH / 2, HEIGHT / 2
    for wide, high, colour in ((470, 235, WOOD), (446, 211, BRASS), (440, 205, FELT)):
        canvas.oval(x, y, wide, high, colour)
    for card in range(3):
        left = x - 140 + 140 * card
        canvas.box(left, y, 52, 74, 10, dark)
        canvas.box(left, y, 49, 71, 8, CREAM if card else middle)
        canvas.oval(left, y, 20, 30, middle if card else light)
    for number, (kind, fur) in enumerate(seats):
        angle = pi / 2 + 2 * pi * number / len(seats)
        _player(canvas, x + 470 * cos(angle), y + 232 * sin(angle), kind, FURS[fur])
    return canvas.png()


def _player(canvas: Canvas, x: float, y: float, kind: str, fur: str) -> None:
    canvas.oval(x, y, 72, 72, BRASS)
    canvas.oval(x, y, 66, 66, FLOOR if kind == "open" else CREAM)
    if kind == "open":
        return
    if kind == "bot":
        canvas.box(x, y - 48, 3, 12, 2, INK)
        canvas.oval(x, y - 56, 7, 7, BRASS)
        canvas.box(x, y + 2, 42, 38, 12, "#8fa3b5")
        canvas.box(x, y + 20, 22, 5, 3, INK)
    else:
        for side in (-1, 1):
            canvas.oval(x + 30 * side, y - 34, 17, 17, fur)
            canvas.oval(x + 30 * side, y - 34, 9, 9, "#e9a9a0")
        canvas.oval(x, y + 6, 46, 42, fur)
        canvas.oval(x, y + 24, 20, 14, CREAM)
        canvas.oval(x, y + 17, 6, 5, INK)
    for side in (-1, 1):
        canvas.oval(x + 17 * side, y - 4, 7, 8, INK)


class Canvas:
    """A picture to paint on. Shapes are given by their centre and half their size; later ones cover earlier ones."""

    def __init__(self, colour: str) -> None:
        self._image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER), colour)
        self._draw = ImageDraw.Draw(self._image)

    def oval(self, x: float, y: float, wide: float, high: float, colour: str) -> None:
        """Paint an oval."""
        self._draw.ellipse(_bounds(x, y, wide, high), colour)

    def box(self, x: float, y: float, wide: float, high: float, radius: float, colour: str) -> None:
        """Paint a box with rounded corners."""
        self._draw.rounded_rectangle(_bounds(x, y, wide, high), radius * FINER, colour)

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        file = io.BytesIO()
        self._image.reduce(FINER).save(file, "PNG", optimize=True)
        return file.getvalue()


def _bounds(x: float, y: float, wide: float, high: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = (FINER * at for at in (x - wide, y - high, x + wide, y + high))
    return left, top, right - 1, bottom - 1  # Pillow counts the last pixel in
