"""Matches that cannot continue: the reason, for the table, and the error, for the author of the rules.

The two are separate because the error may name hidden cards: a traceback contains the values of an exception.
"""

from __future__ import annotations

from cardsite.refusal import Refused, TableCode
from cardsite.table.models import DropReason, Match
from games.core import Game, OtherRules, RulesFailed
from games.core.messages import Message, message

WORDS: dict[str, str] = {
    DropReason.RULES_FAILED: (
        "The rules of this game failed here, so the match cannot continue. The error has been recorded for their "
        "author."
    ),
    DropReason.NO_END: "This match was stopped: after very many decisions there was still no end in sight.",
    DropReason.OTHER_RULES: "The rules of this game have changed since this match started, so it cannot continue.",
    DropReason.NO_GAME: "The game played here is no longer available, so the match cannot continue.",
    DropReason.TOO_MUCH: (
        "This game used too much computing time here, so the match was stopped. Its author can read what took so long."
    ),
    DropReason.STOPPED: "An administrator has stopped this match.",
    DropReason.AGREED: "The players have ended this match. It has no result.",
}
CODES: dict[str, TableCode] = {
    DropReason.RULES_FAILED: "rules_failed",
    DropReason.NO_END: "no_end",
    DropReason.OTHER_RULES: "other_rules",
    DropReason.NO_GAME: "no_game",
    DropReason.TOO_MUCH: "too_much",
    DropReason.STOPPED: "stopped",
    DropReason.AGREED: "agreed",
}
WORDS_FOR_OLD_ONES = "This match could not continue and was abandoned."  # of matches from before reasons were stored
WORDS_AFTER_THE_END = {
    DropReason.RULES_FAILED: (
        "The match is over and its result counts, but it cannot be shown: its rules fail or take too much computing "
        "time."
    ),
    DropReason.OTHER_RULES: (
        "The last match here was played with rules that have changed since, so it is not shown. Its result counts."
    ),
}
NOTED_AFTER_THE_END = (DropReason.RULES_FAILED, DropReason.TOO_MUCH)  # for ended matches that cannot be shown


class Dropped(Refused):
    """A match that cannot continue, or cannot be shown. ``failure`` is the error, for the author only.

    For ``DropReason.TOO_MUCH`` the author finds it on the game's page: see ``too_much``. ``where`` is a traceback, for
    administrators.
    """

    def __init__(self, why: str, failure: str = "", where: str = "") -> None:
        super().__init__(CODES.get(why, "dropped"), WORDS.get(why, WORDS_FOR_OLD_ONES))
        self.why = why
        self.failure = failure
        self.where = where

    @classmethod
    def by(cls, error: Exception) -> Dropped:
        """Return the reason for dropping a match after an exception of its rules."""
        match error:
            case Dropped():
                return error
            case OtherRules():
                return cls(DropReason.OTHER_RULES, str(error))
            case RulesFailed(kind="too long"):
                return cls(DropReason.NO_END, error.text)
            case RulesFailed():
                return cls(DropReason.RULES_FAILED, str(error))
        return cls(DropReason.RULES_FAILED, f"{type(error).__name__}: {error}")


def too_much(work: Message, most: float, where: str = "") -> Dropped:
    """Return the reason for dropping a match when its rules computed for longer than ``most`` seconds.

    ``work`` names what took so long: "Showing the table after move 12". The author of the rules reads it, so it names
    no cards. ``where`` is a traceback, for administrators.
    """
    seconds = int(most) if most == int(most) else most
    reason = message(
        "{work} took more than {seconds:,} seconds of computing time, which is the limit.", work=work, seconds=seconds
    )
    return Dropped(DropReason.TOO_MUCH, reason, where)


def notice(match: Match | None, game: Game) -> str:
    """Return the sentence for a table whose last match was dropped or cannot be shown; "" for others."""
    if match is None or match.status == Match.Status.RUNNING:
        return ""
    if match.status == Match.Status.DROPPED:
        return Dropped(match.dropped).text
    if match.rules_version != game.rules_version:
        return WORDS_AFTER_THE_END[DropReason.OTHER_RULES]
    return WORDS_AFTER_THE_END[DropReason.RULES_FAILED] if match.failure else ""
