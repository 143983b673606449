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
    """Create ``tables`` tables and return what a benchmark needs to know of them.

    That is {"tables": [{"code", "sessions", "match", "moves"}], "administrator"}. ``sessions`` are the session keys of
    the people, the host's first. ``administrator`` is the session key of an administrator, "" if none is asked for.

    ``game``: "text:NAME" is a text of the library, saved by a visitor. ``seats``, ``bots`` and ``open`` are the numbers
    of seats with people, with house bots, and free. ``seconds``: the time for a decision. ``away``: bots also decide
    for the people, who only press buttons. ``started``: a match is started at each table, "match" (else 0). ``left``:
    also a match, which is played at random until so many moves are left: "moves", each a [seat, move].
    """
    from django.db import transaction

    from cardsite.lobby.services import lifecycle, presence, seating
    from cardsite.people.models import Person
    from cardsite.people.services import SESSION_KEY
    from cardsite.table.services.matches import do_start_match
    from games import catalogue

    made = []
    if game.startswith("text:"):
        game = _save_text(game.removeprefix("text:"))
    for number in range(tables):
        with transaction.atomic():  # one for each table, so that the running site can write in between
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
            moves = _play_until(match, left, random.Random(number)) if left else []
            made.append({"code": table.code, "sessions": sessions, "match": match, "moves": moves})
    return {"tables": made, "administrator": _administrator() if administrator else ""}


def _save_text(name: str) -> str:
    """Save a text of the library as a visitor does. Return the name of its game. Raises RuntimeError if refused."""
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


def _play_until(match_id: int, left: int, chance: random.Random) -> list[tuple[int, str]]:
    """Play a match at random to its end. Store all moves but the last ``left``, and return these."""
    from cardsite.lobby.games import find_game
    from cardsite.server.live import now_ms
    from cardsite.table.models import Match, Move
    from games import core

    row = Match.objects.get(pk=match_id)
    # Unpickled, a game of a visitor is one that can be played, as in a worker process.
    game = pickle.loads(pickle.dumps(find_game(row.game)))
    match_chance = core.SealedChance(bytes.fromhex(row.seed))
    match = core.Match.start(game, row.players.count(), row.options, match_chance)
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
