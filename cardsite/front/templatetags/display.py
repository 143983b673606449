"""Filters of all templates: games by name, also those that no longer exist; portraits; times."""

from __future__ import annotations

from datetime import datetime

from django import template
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


@register.filter
def person_face(number: int | None) -> str:
    """Return the portrait of a person by primary key: the same at every table and on every page."""
    return f"hamster-{(number or 0) % FACES}"


@register.filter
def bot_face(kind: str) -> str:
    """Return the portrait of a kind of bot; kinds without their own share one."""
    return f"bot-{kind if kind in BOT_FACES else 'strong'}"


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
