"""Filters of all templates: games by name, also those that no longer exist; portraits; times."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from cardsite.front import pictures
from cardsite.lobby.games import title_of

FACES = 8  # hamsters in static/art/portraits.svg
BOT_FACES = ("house", "random", "strong")  # kinds of bots with a portrait of their own there

register = template.Library()
register.filter("game_title", title_of)
register.filter("game_sign", pictures.sign)
register.filter("game_table", pictures.table_picture)


@register.simple_tag
def portrait(kind: str, bot: str = "", person: int | None = None, css: str = "") -> SafeString:
    """Return a portrait as HTML.

    ``kind``: of seat, "person", "bot" or "open"; ``bot``: the kind of bot, those without a portrait of their own share
    one; ``person``: the primary key, so that a person looks the same everywhere; ``css``: further classes.
    """
    if kind == "bot":
        face, css = f"bot-{bot if bot in BOT_FACES else 'strong'}", f"portrait-bot {css}"
    elif kind == "person":
        face = f"hamster-{(person or 0) % FACES}"
    else:
        return format_html('<span class="portrait portrait-open {}"></span>', css)
    return format_html(
        '<svg class="portrait {}" viewBox="0 0 64 64" aria-hidden="true"><use href="{}#{}"/></svg>',
        *(css, static("art/portraits.svg"), face),
    )


@register.filter
def moment(when: datetime) -> str:
    """Return a time as HTML. Scripts show it in the visitor's time zone and calendar, without scripts it is in UTC."""
    return _time(mark_safe(""), when)


@register.filter
def deadline(when: datetime) -> str:
    """Return a time as HTML, like ``moment``; but scripts show the day and the time of day, however near it is."""
    return _time(mark_safe(" data-exact"), when)


def _time(attributes: SafeString, when: datetime) -> str:
    shown = date_format(when, "DATETIME_FORMAT")
    return format_html('<time datetime="{}"{}>{} UTC</time>', when.isoformat(), attributes, shown)
