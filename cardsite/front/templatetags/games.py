"""What a template says and shows of a game, by its name: also of one that is not in the house any more."""

from __future__ import annotations

from django import template

from cardsite.front import pictures
from cardsite.lobby.games import title_of

register = template.Library()
register.filter("game_title", title_of)
register.filter("game_sign", pictures.sign)
register.filter("game_table", pictures.table_picture)
