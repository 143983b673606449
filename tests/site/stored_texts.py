"""Visitors' texts in the database, as if a trial had accepted them, and matches of them."""

from __future__ import annotations

import pickle
from contextlib import suppress
from dataclasses import replace

from cardsite.lobby.games import find_game
from cardsite.table.models import Match, Move
from cardsite.table.services.matches import do_end_match
from cardsite.workshop import services
from cardsite.workshop.described import describe
from cardsite.workshop.models import Text, Version
from cardsite.workshop.trial import Trial
from games import core
from games.core import Game, SealedChance
from games.core.messages import NONE
from games.recycle.game import RecycleGame
from games.recycle.problems import BadText
from tests.site.conftest import Actor

GOOD = Trial(True, NONE, (2, 4), "Three Cards", "Play them.", "shedding", 5)


def keep(
    actor: Actor, source: str = "(game)", tried: Trial = GOOD, text: Text | None = None, table: str = ""
) -> Version:
    """Save a text for somebody, as if ``tried`` were the result of its trial; as the next version of ``text`` if given.

    Its description is made here instead of in the sandbox, if the text can be read at all.
    """
    if tried.ok and tried.description is None:
        with suppress(BadText):
            tried = replace(tried, description=describe(RecycleGame("game", source, table)))
    code, base = (text.code, text.latest) if text else (None, None)
    return services.do_save_version(actor.person, code, source, table, base, tried)


def playable(name: str) -> Game:
    """Return a game as a worker process gets it."""
    game: Game = pickle.loads(pickle.dumps(find_game(name)))
    return game


def play(match: Match, plies: int = 1000) -> None:
    """Play a match by a visitor's rules directly in the database, the first legal move each time."""
    played = core.Match.start(
        playable(match.game), match.players.count(), match.options, SealedChance(bytes.fromhex(match.seed))
    )
    rows = []
    while not played.over and played.ply < plies:
        seat = played.to_act()[0]
        move = played.legal_moves(seat)[0]
        played.advance(seat, move)
        rows.append(Move(match=match, ply=played.ply, seat=seat, text=move, by="person", at=1000))
    Move.objects.bulk_create(rows)
    if played.over:
        do_end_match(match.pk, match.table_id, list(played.scores()), list(played.winners()))
    match.refresh_from_db()
