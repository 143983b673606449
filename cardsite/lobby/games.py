"""The games of the site.

A table may be older than its game, and a game may be a text that cannot be read. Neither may break a page: such games
are left out of lists, and refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import structlog
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.refusal import Refused
from cardsite.translations import detail_or, language, translated
from games import catalogue
from games.core import BadOption, Game
from games.core.chance import FastChance
from games.core.options import OptionValue

LENGTHS = (5, 10, 20)  # minutes, for filters by length
SECONDS = (15, 30, 60, 120, 300, 900)
HOUR, DAY = 3600, 86_400  # seconds
CORRESPONDENCE = (HOUR, 8 * HOUR, DAY, 3 * DAY, 7 * DAY)  # seconds per decision: nobody needs to stay at the table
# Instead of seconds: spectators see the moves of a deal when it has been scored. It is more than any delay in seconds,
# so that code which does not know it hides more, not less.
UNTIL_DEAL_ENDS = 1_000_000_000
DELAYS = (0, 15, 60, 180, UNTIL_DEAL_ENDS)  # seconds by which spectators may see a table later than its players
NO_CLOCK = 0  # instead of seconds: the table waits for everybody
TIMES = {
    15: gettext_lazy("15 seconds"),
    30: gettext_lazy("30 seconds"),
    60: gettext_lazy("1 minute"),
    120: gettext_lazy("2 minutes"),
    180: gettext_lazy("3 minutes"),
    300: gettext_lazy("5 minutes"),
    900: gettext_lazy("15 minutes"),
    HOUR: gettext_lazy("1 hour"),
    8 * HOUR: gettext_lazy("8 hours"),
    DAY: gettext_lazy("1 day"),
    3 * DAY: gettext_lazy("3 days"),
    7 * DAY: gettext_lazy("7 days"),
    NO_CLOCK: gettext_lazy("No clock"),
}

log = structlog.get_logger(__name__)


class GameSection(NamedTuple):
    """The games that the lobby shows under one heading; at least one."""

    title: str
    games: list[Game]


def sections() -> list[GameSection]:
    """Return the sections that have games, with those games, in the catalogue's order."""
    every = [GameSection(section.title, catalogue.listed(section)) for section in catalogue.providers]
    return [section for section in every if section.games]


def find_game(name: str) -> Game:
    """Return the game of that name, listed or not. Raises Refused when there is none, or it cannot be read."""
    try:
        return catalogue.find(name)
    except catalogue.UnknownGame:
        pass
    except catalogue.UnreadableGame as error:
        log.error("could not read a game", game=name, why=str(error))
    raise Refused("no_game", _("This game is no longer available. Choose another one on the front page."))


def bot_titles(name: str) -> list[tuple[str, str]]:
    """Return the kinds of bots of a game, with their titles in the visitor's language; none if the game is gone."""
    try:
        game = find_game(name)
    except Refused:
        return []
    return [(bot.name, translated(game, bot.title)) for bot in catalogue.bots(game)]


@lru_cache(maxsize=1000)  # names: games of the workshop are added and removed
def has_board(name: str) -> bool:
    """Return whether one of the site's own games has a board, from its first position; False for others."""
    game = next((game for game in catalogue.listed(catalogue.providers[0]) if game.name == name), None)
    if game is None:
        return False
    view = game.view(game.new(game.default_seats, {}, FastChance("any")), None)
    return any(view.get(what) for what in ("tracks", "grids", "odds"))


def words_of(name: str) -> Mapping[str, str]:
    """Return the sentences of a game in this request's language; none if it is gone."""
    try:
        return catalogue.find(name).words(language())
    except (catalogue.UnknownGame, catalogue.UnreadableGame):
        return {}


def title_of(name: str) -> str:
    """Return the title of a game, or its name if it is gone."""
    try:
        return catalogue.title_of(name)
    except (catalogue.UnknownGame, catalogue.UnreadableGame):
        return name.replace("-", " ").capitalize()


def clock_runs(seconds: int, people: int, *, waited_for: bool) -> bool:
    """Return whether a clock runs for decisions: it does not for a person alone with bots.

    ``waited_for``: it does for them, too, because people at other tables wait until the match is over.
    """
    return seconds != NO_CLOCK and people > (0 if waited_for else 1)


def is_correspondence(seconds: int) -> bool:
    """Return whether a table with so much time per decision is for people who come and go."""
    return seconds >= CORRESPONDENCE[0]


def require_bot(game: Game, kind: str) -> None:
    """Raise Refused for a kind of bot that the game does not have."""
    known = [bot.name for bot in catalogue.bots(game)]
    if kind not in known:
        raise Refused(
            "bad_option",
            _("%(game)s has no bot “%(kind)s”. It has: %(known)s.")
            % {"game": game.title, "kind": kind[:40], "known": ", ".join(known)},
        )


def house_bot(game: str) -> str:
    """Return the kind of bot that stands in for people who are away, "" if the game is gone."""
    try:
        return find_game(game).house_bot
    except Refused:
        return ""


def check_seats(game: Game, seats: int) -> None:
    """Raise Refused for a number of seats that the game does not have."""
    try:
        game.check_seats(seats)
    except BadOption as bad:
        limits = {"game": game.title, "least": game.min_seats, "most": game.max_seats, "n": seats}
        general = _("%(game)s cannot have %(n)d seats. The minimum is %(least)d, the maximum %(most)d.") % limits
        raise Refused("bad_option", detail_or(bad, general, game)) from bad


def check_options(game: Game, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return a value for every option that is not for administrators. Raises Refused."""
    try:
        values = game.check_options(options)
    except BadOption as bad:
        general = _("%(game)s cannot be played with these options. Choose others.") % {"game": game.title}
        raise Refused("bad_option", detail_or(bad, general, game)) from bad
    return {option.name: values[option.name] for option in game.options if option.set_by != "administrator"}


def check_delay(delay: int) -> None:
    """Raise Refused for a delay of spectators that is not offered."""
    if delay not in DELAYS:
        known = {"known": ", ".join(map(str, DELAYS[:-1])), "until": UNTIL_DEAL_ENDS}
        raise Refused(
            "bad_option",
            _("The spectator delay must be one of %(known)s seconds, or %(until)d: until the deal ends.") % known,
        )


def check_seconds(seconds: int) -> None:
    """Raise Refused for a time per decision that is not offered."""
    if seconds not in (*SECONDS, *CORRESPONDENCE, NO_CLOCK):
        known = ", ".join(map(str, (*SECONDS, *CORRESPONDENCE)))
        raise Refused(
            "bad_option",
            _("Seconds per decision must be one of %(known)s, or %(none)d for no clock.")
            % {"known": known, "none": NO_CLOCK},
        )
