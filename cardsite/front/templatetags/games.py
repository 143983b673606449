"""Titles and pictures of games by name, also of games that no longer exist."""

from __future__ import annotations

from django import template

from cardsite.front import pictures
from cardsite.lobby.games import title_of

register = template.Library()
register.filter("game_title", title_of)
register.filter("game_sign", pictures.sign)
register.filter("game_table", pictures.table_picture)
