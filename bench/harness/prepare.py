"""Make people, sessions and tables for a benchmark, straight in the database. Run by ``Site.prepare``."""

from __future__ import annotations

import json
import pickle
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def prepare(
    game: str,
    tables: int,
    seats: int,
    seconds: int = 900,
    started: bool = False,
    bots: int = 0,
    away: bool = False,
    left: int = 0,
    open: int = 0,
    administrator: bool = False,
) -> dict[str, Any]:
    """Return the tables: {"tables": [{"code", "sessions": [one a seat, the host's first], "match", "moves"}]}.

    "administrator" is the session of an administrator, or "" if none is asked for.

    ``game`` "text:NAME" is a text of the library, saved by a visitor. ``started`` also starts a match at each table
    (else ``match`` is 0). ``left`` then plays it at random until so many moves are left, which are "moves", each a
    [seat, move]. ``bots``: seats of house bots. ``away``: bots also play for the people, who only press buttons.
    ``open``: free seats.
    """
    from django.db import transaction

    from cardsite.lobby.services import lifecycle, presence, seating
    from cardsite.people.models import Person
    from cardsite.people.services import SESSION_KEY
    from cardsite.table.services.matches import do_start_match
    from games import catalogue

    made = []
    if game.startswith("text:"):
        game = _saved(game.removeprefix("text:"))
    for number in range(tables):
        with transaction.atomic():  # one a table: nobody else may have to wait long for the database
            persons = [Person.objects.create(name=f"Load {number}.{seat}") for seat in range(seats)]
            rules = catalogue.find(game)
            kinds = ["me", *["open"] * (seats - 1), *[rules.house_bot] * bots, *["open"] * open]
            table = lifecycle.do_create_table(persons[0], rules, kinds, seconds=seconds)
            for person in persons[1:]:
                seating.do_sit(table.code, person)
            for seat in range(seats if away else 0):
                presence.do_set_away(table.code, seat, True)
            sessions = [session_of({SESSION_KEY: person.pk}) for person in persons]
            match = do_start_match(table.code, persons[0]) if started or left else 0
            moves = _play(match, left, random.Random(number)) if left else []
            made.append({"code": table.code, "sessions": sessions, "match": match, "moves": moves})
    return {"tables": made, "administrator": _administrator() if administrator else ""}


def _saved(name: str) -> str:
    """Save a text of the library as a visitor's, and return the name of the game."""
    from cardsite.people.models import Person
    from cardsite.workshop.services import do_save
    from games import recycle

    library = Path(recycle.__file__).parent / "library"
    source, table = ((library / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("rcy", "toml"))
    version, _ = do_save(Person.objects.create(name="Author"), None, source, table, None)
    if not version.playable:
        raise RuntimeError(f"The text is not playable: {version.why}")
    return version.game


def session_of(values: dict[str, Any]) -> str:
    """Return the key of a new session with these values."""
    from django.conf import settings

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session.update(values)
    session.create()
    return str(session.session_key)


def _administrator() -> str:
    """Return the session of an administrator who has just logged in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User

    user = User.objects.create_superuser("load")
    backend = settings.AUTHENTICATION_BACKENDS[0]
    return session_of(
        {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: user.get_session_auth_hash()}
    )


def _play(match_id: int, left: int, chance: random.Random) -> list[tuple[int, str]]:
    """Play a match that has begun at random until ``left`` moves are left, and return those."""
    from cardsite.lobby.games import find_game
    from cardsite.server.live import now_ms
    from cardsite.table.models import Match, Move
    from games import core

    row = Match.objects.get(pk=match_id)
    # As a worker process gets it: a visitor's game is played nowhere else.
    game = pickle.loads(pickle.dumps(find_game(row.game)))
    chance_of_match = core.SealedChance(bytes.fromhex(row.seed))
    match = core.Match.start(game, row.players.count(), row.options, chance_of_match)
    while not match.over:
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
    Move.objects.bulk_create(
        Move(match_id=match_id, ply=ply, seat=seat, text=move, by="person", at=now_ms())
        for ply, (seat, move) in enumerate(match.moves[:-left], 1)
    )
    return match.moves[-left:]


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(prepare(**json.loads(sys.argv[1]))))
