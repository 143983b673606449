"""What each faculty is worth: how often a player wins who lacks it, and how often a full one wins with the same cards.

Match ``i`` is dealt once. All seats are played by ``pimc-K``; then seat ``i`` modulo the number of seats is played by
each of the restricted players (``games.search.restricted``), with the same cards and draws. So a restricted player that
makes the same moves has the same match, and the difference of the two shares of the win is that of the faculty alone.

Kinds of moves are those that full players could choose beside others in ``OFFERED`` decisions or more. A faculty that
does not exist in a game is left out: there is no hand where no seat sees a card that spectators do not see, and who
plays for the own score does not ignore the others where a score says only who has won.

Source: A. Jaffe and others, "Evaluating competitive game balance with restricted play", AIIDE 2012.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NotRequired, TypedDict
from urllib.parse import quote

from games.core import BadOption, FastChance, Information, RulesFailed, SealedChance
from games.core.options import OptionValue
from games.core.ranks import win_shares
from games.lab.analyse import Analysis, check_that_it_ends
from games.lab.evidence import line_of
from games.lab.intervals import covering
from games.lab.pool import Workers, in_workers
from games.lab.report_types import Faculty, FacultyName, Figure
from games.lab.reports import mean, rate, subject
from games.lab.saved import PLAYED, MatchFile, as_line, claim
from games.search.bots import bot_named

FORMAT = 1  # of the files; increase it when the same settings give other matches
OFFERED = 100  # decisions that offered a kind of move, before its worth is measured
KINDS = 8  # most of them, the most frequent first
FOLDER = "faculties"  # inside the folder of an analysis
GENERAL: Mapping[FacultyName, str] = {"hand": "blind", "others": "selfish", "ahead": "greedy"}  # and who lacks it
OF_KINDS: tuple[FacultyName, ...] = ("without", "always")  # names of the players, too


class FacultiesReport(TypedDict):
    """``faculties.json``."""

    game: str
    subject: str
    rules: str
    options: dict[str, OptionValue]
    seats: int
    seed: str
    rollouts: int
    matches: int  # with full players, that have ended
    faculties: list[Faculty]
    broken: dict[str, int]  # matches in which the rules failed, by kind


# -- one match


def play(analysis: Analysis, name: str, index: int) -> dict[str, Any]:
    """Play match ``index``, in which the bot ``name`` has one seat. Return what is counted, or how the rules failed."""
    try:
        return {"index": index, **_play(analysis, name, index)}
    except RulesFailed as failed:
        return {"index": index, "broken": failed.kind, "text": str(failed)}
    except Exception as error:
        other = RulesFailed.by(error, f"in match {index} with {name},")
        return {"index": index, "broken": other.kind, "text": str(other)}


def _play(analysis: Analysis, name: str, index: int) -> dict[str, Any]:
    game, seats = analysis.game, analysis.seats
    mine, full = index % seats, _full(analysis)
    deal = SealedChance(hashlib.sha256(f"{analysis.seed}/faculties/{index}".encode()).digest())
    state = game.start_keeping("sight", seats, analysis.options, deal)
    check_that_it_ends(state, FastChance(f"{analysis.seed}/faculties/{index}/probe"))
    bots = {each: bot_named(each, seats) for each in (name, full)}
    offered, examples = Counter[str](), dict[str, str]()
    hidden, decisions = False, 0
    while to_act := state.to_act():
        if decisions >= game.longest:
            raise RulesFailed("too long", f"The match has not ended after {game.longest:,} decisions.")
        seat = to_act[0]
        legal = state.legal_moves(seat)
        move = legal[0]
        if len(legal) > 1:
            if name == full:
                hidden = hidden or bool(state.sight.named_by(seat) - state.sight.named_by(None))
                kinds = dict(zip(state.move_kinds(seat), legal, strict=True))
                if len(kinds) > 1:
                    offered.update(kinds.keys())
                    examples = {**kinds, **examples}
            player = bots[name if seat == mine else full]
            if player is None:
                raise RulesFailed("no bot", f"There is no bot {name!r}.")
            # Each decision has draws of its own, so that equal moves are followed by equal matches.
            chance = FastChance(f"{analysis.seed}/faculties/{index}/{decisions}")
            move = player.choose(Information.of(game, state, seat, chance, player.needs, legal))
        state.apply(seat, move)
        decisions += 1
    row: dict[str, Any] = {"share": win_shares(state.winners(), seats)[mine]}
    if name == full:
        row |= {"scores": state.scores(), "hidden": hidden, "offered": offered, "examples": examples}
    return row


def _full(analysis: Analysis) -> str:
    return f"pimc-{analysis.rollouts}"


# -- many, kept in a folder


def measure(
    analysis: Analysis,
    matches: int,
    folder: Path,
    *,
    workers: Workers = 1,
    progress: Callable[[int, int], object] = lambda total, more: None,
) -> FacultiesReport:
    """Play matches 0 to ``matches`` - 1 with each player, except those saved in ``folder``, and return the worths.

    ``progress`` is called with the number of matches there are in all, which is known when those with full players have
    been played, and with the number of new ones. After an interruption, finished matches are kept. Raises BadOption for
    games of one player or if the folder has matches of other settings; OSError; RulesFailed if no match has ended.
    """
    if analysis.seats == 1:
        raise BadOption("What a faculty is worth is measured by wins against others: it needs 2 players or more.")
    claim(folder, {**analysis.settings(), "format of faculties": FORMAT})
    full = _full(analysis)
    files = {full: _file(folder, full)}
    _play_all(analysis, files, matches, workers, lambda more: progress(matches, more))
    rows = {each["index"]: each for each in files[full].first(matches)}
    ended = [each for each in rows.values() if "share" in each]
    if not ended:
        kind, text = next(((each["broken"], each["text"]) for each in rows.values()), ("no match", "No match ended."))
        raise RulesFailed(kind, text)
    lacking = _lacking(analysis, ended)
    files |= {name: _file(folder, name) for name in lacking}
    total = matches * len(files)
    _play_all(analysis, files, matches, workers, lambda more: progress(total, more))
    broken = Counter(each["broken"] for file in files.values() for each in file.first(matches) if "broken" in each)
    faculties: list[Faculty] = []
    for name, about in lacking.items():
        if found := _worth(analysis, name, rows, files[name].first(matches)):
            faculties.append({**about, "worth": found[0], "wins": found[1]})
    return {
        "game": analysis.game.name,
        "subject": subject(analysis),
        "rules": analysis.game.rules_version,
        "options": analysis.options,
        "seats": analysis.seats,
        "seed": analysis.seed,
        "rollouts": analysis.rollouts,
        "matches": len(ended),
        "faculties": faculties,
        "broken": dict(sorted(broken.items())),
    }


def _file(folder: Path, name: str) -> MatchFile:
    return MatchFile(folder / PLAYED / f"{quote(name, safe='=')}.jsonl")


def _play_all(
    analysis: Analysis,
    files: Mapping[str, MatchFile],
    matches: int,
    workers: Workers,
    progress: Callable[[int], object],
) -> None:
    left = [(name, index) for name, file in files.items() for index in range(matches) if index not in file]
    for (name, index), line in in_workers(partial(_play_one, analysis), left, workers):
        files[name].add([index], [line])
        progress(1)


def _play_one(analysis: Analysis, task: tuple[str, int]) -> tuple[tuple[str, int], str]:
    return task, as_line(play(analysis, *task))


class _About(TypedDict):
    name: FacultyName
    kind: NotRequired[str]
    move: NotRequired[str]
    line: NotRequired[int]
    offered: NotRequired[int]


def _lacking(analysis: Analysis, ended: Sequence[Mapping[str, Any]]) -> dict[str, _About]:
    """Return the restricted players that make sense, by name of the bot, and what each lacks."""
    exists = {
        "hand": any(each["hidden"] for each in ended),
        "others": len({score for each in ended for score in each["scores"]}) > 2,
        "ahead": True,
    }
    found: dict[str, _About] = {
        f"{name}-{analysis.rollouts}": {"name": faculty} for faculty, name in GENERAL.items() if exists[faculty]
    }
    offered, examples = Counter[str](), dict[str, str]()
    for each in ended:
        offered.update(each["offered"])
        examples = {**each["examples"], **examples}
    often = sorted((-many, kind) for kind, many in offered.items() if many >= OFFERED)[:KINDS]
    for many, kind in sorted(often, key=lambda each: (line_of(each[1]) or 0, each[1])):
        for faculty in OF_KINDS:
            about: _About = {"name": faculty, "kind": kind, "move": examples[kind], "offered": -many}
            if line := line_of(kind):
                about["line"] = line
            found[f"{faculty}={kind}-{analysis.rollouts}"] = about
    return found


def _worth(
    analysis: Analysis, name: str, full: Mapping[int, Mapping[str, Any]], rows: Iterable[Mapping[str, Any]]
) -> tuple[Figure, Figure] | None:
    """Return what a player wins less than a full one over the same deals, and what it wins; None without matches."""
    pairs = [(full[each["index"]], each) for each in rows if "share" in each and "share" in full[each["index"]]]
    fewer = mean([(one["share"] - other["share"], 1.0) for one, other in pairs], f"{analysis.seed}/{name}")
    wins = rate([(other["share"], 1.0) for _one, other in pairs])
    if not fewer or not wins:
        return None
    if fewer["low"] is not None and fewer["high"] is not None:
        fewer["low"], fewer["high"] = covering(fewer["value"], fewer["low"], fewer["high"], len(pairs), lowest=-1.0)
    return fewer, wins
