"""Portraits: the symbol of static/art/portraits.svg for a person or a bot."""

from __future__ import annotations

from django import template

FACES = 8
BOT_FACES = ("house", "random", "strong")

register = template.Library()


@register.filter
def person_face(number: int | None) -> str:
    """Return the hamster of a person by primary key: the same at every table and on every page."""
    return f"hamster-{(number or 0) % FACES}"


@register.filter
def bot_face(kind: str) -> str:
    """Return the machine of a kind of bot; kinds without their own portrait share one."""
    return f"bot-{kind if kind in BOT_FACES else 'strong'}"
