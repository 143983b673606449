"""The analysis of a text: its problems, its rules, its table.

All of this runs in the sandbox's processes (``sandbox_worker.py``) and imports no Django. Questions and answers are
plain data. For a text with errors all functions raise Unreadable, except ``check``, which lists them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any

from markdown_it import MarkdownIt

from cardsite.pieces import with_pieces
from games.core import FastChance, IllegalMove, Match, RulesFailed, SealedChance
from games.core.messages import NONE, Message, as_written, message, quoted, template
from games.recycle.compiler import program
from games.recycle.game import RecycleGame
from games.recycle.indentation import indentation
from games.recycle.labels import BadTableFile, Labels
from games.recycle.lint import warnings
from games.recycle.numbers import with_numbers as changed
from games.recycle.pack import pack
from games.recycle.problems import BadText, Problem, Source, with_players
from games.recycle.rules import RecycleState
from games.recycle.style import format_text as formatted
from games.recycle.svg import BadPicture, read_picture, written_again
from games.recycle.zones import is_drawn

NAME = "game"  # for a text that has none yet
MOST_PROBLEMS = 100  # listed in an answer
LONGEST_TITLE = 60  # characters of the title above the editor
MOST_OPTIONS = 12  # whose labels are in an answer
MOST_PLACES = 60  # of which an answer says who knows their cards

IN_LINE = template("Line {line}: {text}")

Answer = dict[str, Any]


class Unreadable(Exception):
    """The question cannot be answered for this text. ``text`` says why."""

    def __init__(self, text: Message) -> None:
        super().__init__(text)
        self.text = text


def _with_newlines(source: str) -> str:
    """Return a text whose lines end as on Unix."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=4)
def _read(source: str, table: str) -> RecycleGame:
    return RecycleGame(NAME, source, table)


def _game(source: str, table: str) -> RecycleGame:
    """Return the game of a text. Raises Unreadable."""
    try:
        return _read(_with_newlines(source), _with_newlines(table))
    except BadText as bad:
        raise Unreadable(first_problem(bad)) from None
    except BadTableFile as bad:
        raise Unreadable(bad.text) from None


def first_problem(bad: BadText) -> Message:
    """Return the first problem of a text, with its line."""
    line, _ = bad.source.line_and_column(bad.problems[0].at.start)
    return message(IN_LINE, line=line, text=bad.problems[0].text)


# -- problems


def check(source: str, table: str = "", language: str = "en") -> Answer:
    """Return the problems of a text and its facts.

    ``problems``: {severity, line, column, end_line, end_column, text, hint}, lines and columns (in characters) from 1.
    ``table_problem``: what is wrong with the table file, "" if nothing. ``ok``: whether it can be played. Then title
    and seats (None unless ok), the rules in a language, as HTML ("" unless ok), and its ``cards``: see
    ``games.recycle.pack`` (None unless ok).
    """
    source = _with_newlines(source)
    answer: Answer = {
        "ok": False, "problems": [], "table_problem": NONE, "title": "", "seats": None,
        "rules": "", "cards": None,
    }  # fmt: skip
    shown = Source(source, NAME)
    try:
        game = _read(source, "")
        answer["title"] = title(game)
        problems = [*_too_many_seats(game), *warnings(game.tree, shown, _labels(table))]
    except BadText as bad:
        problems = sorted((*bad.problems, *indentation(shown)), key=lambda problem: problem.at)
    try:
        if table and not any(problem.severity == "error" for problem in problems):
            game = _read(source, _with_newlines(table))
    except BadTableFile as bad:
        answer["table_problem"] = bad.text
    answer["problems"] = [_problem(problem, shown) for problem in problems[:MOST_PROBLEMS]]
    if not answer["table_problem"] and not any(problem.severity == "error" for problem in problems):
        answer |= {"ok": True, "seats": [game.min_seats, game.max_seats], "rules": rules(game, language)}
        answer["cards"] = pack(game.program(game.default_seats))
    return answer


def picture(markup: str) -> Answer:
    """Return a picture of an author as ``markup`` for a table file, and as the ``picture`` it is. Raises Unreadable."""
    try:
        found = read_picture(markup)
    except BadPicture as bad:
        raise Unreadable(bad.text) from None
    return {"markup": written_again(found), "picture": found}


def _labels(table: str) -> Labels:
    """Return what a table file says; nothing if it is wrong, which is said elsewhere."""
    try:
        return Labels.read(_with_newlines(table))
    except BadTableFile:
        return Labels()


def _too_many_seats(game: RecycleGame) -> Iterator[Problem]:
    """Yield problems that only occur with some numbers of players."""
    for seats in range(game.min_seats, game.max_seats + 1):
        try:
            game.program(seats)
        except BadText as bad:
            for one in bad.problems:
                yield with_players(seats, one)
            return


def _problem(problem: Problem, source: Source) -> Answer:
    line, column = source.line_and_column(problem.at.start)
    end_line, end_column = source.line_and_column(max(problem.at.end, problem.at.start))
    return {
        "severity": problem.severity, "line": line, "column": column, "end_line": end_line, "end_column": end_column,
        "text": problem.text, "hint": problem.hint,
    }  # fmt: skip


def title(game: RecycleGame) -> str:
    """Return the title of a game, in one short line."""
    return " ".join(game.facts.get("Title", "").split())[:LONGEST_TITLE] or "Untitled game"


def rules(game: RecycleGame, language: str) -> str:
    """Return the rules page of a game as HTML; HTML in it is escaped."""
    pages = MarkdownIt("js-default").enable("table").disable(["image", "linkify"])  # no links or images to elsewhere
    page = game.explained(language, game.example(language))
    return str(with_pieces(pages).render(page))


def explain(source: str, table: str = "") -> str:
    """Return the rules of a text as a page in Markdown. Raises Unreadable."""
    return _game(source, table).rules_page()


def format_text(source: str) -> str:
    """Return a text in the standard layout. Raises Unreadable."""
    try:
        return formatted(_with_newlines(source))
    except BadText as bad:
        raise Unreadable(first_problem(bad)) from None


def numbers(source: str) -> list[list[Any]]:
    """Return the numbers of a text that may be varied, the fields of a ``TextNumber`` each. Raises Unreadable."""
    return [list(each) for each in _game(source, "").numbers().values()]


def with_numbers(source: str, values: dict[str, int]) -> str:
    """Return a text in which some numbers have other values; nothing else changes. Raises Unreadable."""
    game = _game(source, "")
    if unknown := [name for name in values if name not in game.numbers()]:
        raise Unreadable(message("This text has no number {name} that can be varied.", name=quoted(unknown[0])))
    return changed(game.source.text, values)


# -- the table

LOOK_PLIES = 400  # the most plies that are played
LOOK_TIME = 1.5  # CPU seconds


class Followed:
    """A random match whose position after any ply can be shown.

    It may start like a match that was played at a table: ``deal`` is its seed in hexadecimal, ``opening`` its moves, of
    which as many are replayed as the rules of this text allow.
    """

    def __init__(
        self, game: RecycleGame, seats: int, seed: str, deal: str = "", opening: tuple[tuple[int, str], ...] = ()
    ) -> None:
        self.game, self.seats, self.seed, self.deal, self.opening = game, seats, seed, deal, opening
        self.opened = 0  # moves of the opening that could be replayed
        self.moves: list[tuple[int, str]] = []
        self.ended, self.failure = "", NONE  # "over", "broken", or "cut" if it goes on beyond the limits
        self._match: Match | None = None
        self._follow()

    def _start(self) -> Match:
        chance = SealedChance(bytes.fromhex(self.deal)) if self.deal else FastChance(self.seed)
        return Match.start(self.game, self.seats, {}, chance)

    def _follow(self) -> None:
        enough = time.process_time() + LOOK_TIME
        chance = FastChance(f"{self.seed} moves")
        try:
            match = self._start()
            with suppress(IllegalMove):
                for seat, move in self.opening:
                    match.advance(seat, move)
                    self.moves.append((seat, move))
            self.opened = match.ply
            while not match.over:
                if match.ply >= max(LOOK_PLIES, 2 * self.opened) or time.process_time() > enough:
                    self.ended = "cut"
                    return
                seat = match.to_act()[0]
                move = chance.choice(match.legal_moves(seat))
                match.advance(seat, move)
                self.moves.append((seat, move))
            self.ended = "over"
        except RulesFailed as failed:
            self.ended, self.failure = "broken", failure_line(failed)

    def at(self, ply: int) -> Match | None:
        """Return the match after so many plies; None if even the deal fails."""
        ply = max(0, min(ply, len(self.moves)))
        try:
            if self._match is None or self._match.ply > ply:
                self._match = self._start()
            for seat, move in self.moves[self._match.ply : ply]:
                self._match.advance(seat, move)
        except RulesFailed:  # in the deal, or in the last move
            self._match = None
        return self._match


def failure_line(failed: RulesFailed) -> Message:
    """Return the error that ended a match in one line, for the author."""
    text = as_written(failed.text)
    if text.template == program.IN_LINE:
        return message(IN_LINE, line=text.args["line"], text=text.args["text"])
    return as_written(text.split("\n")[0][:400]) if "\n" in text else text


@lru_cache(maxsize=8)
def _followed(
    source: str, table: str, seats: int, seed: str, deal: str, opening: tuple[tuple[int, str], ...]
) -> Followed:
    return Followed(_game(source, table), seats, seed, deal, opening)


def look(
    source: str,
    table: str = "",
    seats: int = 0,
    seat: int | None = None,
    plies: int = 0,
    seed: str = "1",
    face_up: bool = False,
    deal: str = "",
    opening: Sequence[Sequence[Any]] = (),
) -> Answer:
    """Return the table after so many random plies, as ``seat`` (None: a spectator) sees it. Raises Unreadable.

    With ``deal`` and ``opening`` it starts like a match that was played: see Followed; ``opened`` says how many moves
    could be replayed.

    ``view`` (None if even the deal fails), ``lines`` (log entries of the last move), its ``mover`` (-1 for none),
    ``ply``, ``length`` of the whole match, how it ``ended`` (see Followed) and its ``failure``; ``seats``, and the
    numbers of players allowed; ``asked``: who is to choose, the number of options, and some of them; and ``sees``: see
    the function of that name.
    """
    game = _game(source, table)
    if not game.min_seats <= seats <= game.max_seats:
        seats = game.default_seats
    seat = seat if seat is not None and 0 <= seat < seats else None
    played = tuple((int(mover), str(move)) for mover, move in opening)
    followed = _followed(_with_newlines(source), _with_newlines(table), seats, seed, deal, played)
    match = followed.at(plies)
    answer: Answer = {
        "seats": seats, "min": game.min_seats, "max": game.max_seats, "seat": seat, "ply": 0, "mover": -1,
        "length": len(followed.moves), "ended": followed.ended, "failure": followed.failure, "view": None,
        "lines": [], "asked": None, "sees": [], "opened": followed.opened,
    }  # fmt: skip
    if match is None:
        return answer
    try:
        view: Answer = {**match.view(seat, face_up=face_up), "moves": []}
        view.pop("paths", None)
        answer |= {
            "ply": match.ply,
            "mover": followed.moves[match.ply - 1][0] if match.ply else -1,
            "view": view,
            "lines": match.entries(seat, match.ply, face_up=face_up),
            "asked": _asked(match),
            "sees": sees(match.state),  # type: ignore[arg-type]  # always the state of a text
        }
    except RulesFailed as failed:
        answer |= {"ended": "broken", "failure": failure_line(failed)}
    return answer


def _asked(match: Match) -> Answer | None:
    if match.over:
        return None
    seat = match.to_act()[0]
    moves = match.view(seat)["moves"]
    return {"seat": seat, "count": len(moves), "labels": [move["label"] for move in moves[:MOST_OPTIONS]]}


def sees(state: RecycleState) -> list[Answer]:
    """Return who knows which cards, by name of place: {name, label, word, whose, cards, owner, others, spectators}.

    ``owner``, ``others`` and ``spectators`` are [number of cards whose faces they know, number of cards]; places on the
    table have no owner. A player who saw a card being moved to a place knows it there, even if the place is hidden.
    """
    counted: dict[tuple[str, bool, str], Counter[str]] = {}
    for audience in [*range(state.seats), None]:
        for place in state.observe(audience).places:
            where, cards = place.where, place.cards
            if not cards or not is_drawn(state.program, where):
                continue
            found = counted.setdefault((where.vis, where.owner >= 0, where.name), Counter())
            who = "spectators" if audience is None else "owner" if audience == where.owner else "others"
            found[who] += sum(bool(card.face) for card in cards)
            found[f"of {who}"] += len(cards)
    labels = state.program.labels
    return [
        {
            "name": name,
            "label": labels.word(labels.key(name, 0 if owned else -1)),
            "word": word,
            "whose": "player" if owned else "table",
            "cards": found["of spectators"],
            **{who: [found[who], found[f"of {who}"]] for who in ("owner", "others", "spectators")},
        }
        for (word, owned, name), found in islice(counted.items(), MOST_PLACES)
    ]
