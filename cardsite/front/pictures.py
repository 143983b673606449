"""Pictures of games: those in a game's folder, or ones drawn from its name."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse

from cardsite.lobby.games import title_of

# Dark, middle and light shades of Delft blue, canal green, brick, plum, ochre and slate.
COLOURS = (
    ("#1c3f80", "#2c58a5", "#a9c3e4"),
    ("#144a4b", "#2a7472", "#a5cfca"),
    ("#76301f", "#a5482f", "#e9c3b2"),
    ("#4d2b5b", "#774b88", "#d3bcdd"),
    ("#64470f", "#94691c", "#e6d1a0"),
    ("#2a3643", "#4b5d6e", "#bdcad5"),
)


def sign(game: str) -> str:
    """Return the address of a game's tile, 160 by 160 pixels."""
    return _own(game, "sign.svg") or reverse("front:sign", args=[game])


def table_picture(game: str) -> str:
    """Return the address of a picture of a game's table in the middle of a match, 720 by 432 pixels."""
    return _own(game, "table.webp") or reverse("front:table_picture", args=[game])


@lru_cache(maxsize=500)  # the files do not change while the site runs; to look for one takes a tenth of a millisecond
def _own(game: str, file: str) -> str:
    path = f"games/{game}/{file}"
    return static(path) if finders.find(path) else ""


def drawn(game: str, kind: str) -> str:
    """Return a picture of a game as SVG, "sign" or "table": its initials, in a colour derived from its name."""
    title = title_of(game)
    dark, middle, light = COLOURS[hashlib.sha256(game.encode()).digest()[0] % len(COLOURS)]
    initials = "".join(word[0] for word in title.split()[:2]).upper()
    context = {"title": title, "initials": initials, "dark": dark, "middle": middle, "light": light}
    return render_to_string(f"front/art/{kind}.svg", context)
