"""Golden playthroughs: a seeded match as text, as a spectator, each seat and the open table see it.

About a dozen set-ups have one, which ``Case.golden`` chooses. The log is written to the end. Written too are the first
positions, the last one, and each that shows something for the first time, such as the scoring of a round; of the others
there is a hash. A spectator's view is written in full, the others only where they differ: that is what is hidden from
spectators. The files notice any change of rules, dealing, words or secrecy: a person reads the difference before it is
committed. ``python -m tests.playthroughs`` writes them again; with the name of a case it prints all positions of that.

``rules.json`` holds, for each game, the version of its rules, and of every set-up a hash per ply of a seeded match:
every draw, who could act, all legal moves, all scores. Stored matches are played again by these rules, so where a hash
changes the version must. Words and looks may change without.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict

from games.core import FastChance, Match, SealedChance, View, Witness
from games.core.cards import sign
from games.core.view import LegalMove, Paths, Space, Zone, path_moves, plain
from tests.games.cases import Case, random_move

FOLDER = Path(__file__).parent
SEED = bytes(range(32))
RULES = FOLDER / "rules.json"
FIRST_POSITIONS = 8  # that are written
# Digits of the hash of a ply: two different ones in 65,536 have the same, and the plies after them hardly ever.
PLY_DIGITS = 4
VIEW_DIGITS = 12  # of the hash of a position that is not written
MANY_MOVES = 200  # of a player: of more, as of all ways to choose three cards, only the first ones are written
FEW_MOVES = 5


def golden_file(case: Case) -> Path:
    """Return where the playthrough of a case is kept."""
    return FOLDER / f"{case.name}.txt"


class Ruled(TypedDict):
    """What the rules of a game were when they were last looked at."""

    version: str
    matches: dict[str, str]  # by case, see ``outcome``


def rules_on_record() -> dict[str, Ruled]:
    """Read the versions of all rules, and what they made of each case."""
    data: dict[str, Ruled] = json.loads(RULES.read_text()) if RULES.exists() else {}
    return data


def outcome(case: Case) -> str:
    """Return a hash per ply of what the rules make of a seed and random moves, words and looks aside."""
    witness = Witness(SEED)
    match = case.start(witness)
    choices = FastChance(case.name)
    hashes = []
    while True:
        legal = [match.legal_moves(seat) for seat in range(case.seats)]
        winners = match.winners() if match.over else []
        known = json.dumps([match.to_act(), legal, match.scores(), witness.notes, winners])
        hashes.append(hashlib.sha256(known.encode()).hexdigest()[:PLY_DIGITS])
        witness.notes.clear()
        if match.over:
            return " ".join(hashes)
        random_move(match, choices)


def rules_now(cases: Iterable[Case]) -> dict[str, Ruled]:
    """Return the versions of all rules, and what they make of each case today."""
    results: dict[str, Ruled] = {}
    for case in cases:
        ruled = results.setdefault(case.game.name, Ruled(version=case.game.rules_version, matches={}))
        ruled["matches"][case.name] = outcome(case)
    return results


def changed_silently(before: dict[str, Ruled], now: dict[str, Ruled]) -> list[str]:
    """Return the cases of which the rules make something else than before, though they say they are the same rules."""
    return [
        name
        for game, ruled in now.items()
        if game in before and before[game]["version"] == ruled["version"]
        for name, made in ruled["matches"].items()
        if before[game]["matches"].get(name, made) != made
    ]


def playthrough(case: Case, *, whole: bool = False) -> str:
    """Return a random match of a case as text, the same every time. ``whole``: write all positions."""
    match = case.start(SealedChance(SEED))
    choices = FastChance(case.name)
    names = [f"Seat{seat}" for seat in range(case.seats)]
    lines = [f"{case.game.title}, {case.seats} seats, options {match.options}, seed {SEED.hex()}"]
    shown: set[str] = set()  # the parts of a view that have been written
    title = "The deal"
    while True:
        entries, position = _log_entries(match, names), list(_position(match, names))
        parts = set(match.view(None))
        if whole or match.over or match.ply < FIRST_POSITIONS or not parts <= shown:
            lines += ["", f"=== {title}", *entries, *position]
            shown |= parts
        else:
            digest = hashlib.sha256("\n".join(position).encode()).hexdigest()[:VIEW_DIGITS]
            lines += [f"=== {title} (views {digest})", *entries]
        if match.over:
            return "\n".join(lines) + "\n"
        random_move(match, choices)
        seat, move = match.moves[-1]
        title = f"Move {match.ply}: {names[seat]}: {move}"


def _log_entries(match: Match, names: list[str]) -> Iterator[str]:
    for entry in match.log[-1]:
        whom = f"(only {names[entry['only']]}) " if "only" in entry else ""
        motions = "".join(f" [{motion['source']} > {motion['target']}]" for motion in entry.get("motions", []))
        yield f"  {entry['kind']}: {whom}{plain(entry['text'], names)}{motions}"


def _position(match: Match, names: list[str]) -> Iterator[str]:
    public = list(_view(match.view(None), names))
    yield from ["--- a spectator sees", *public]
    for seat, name in enumerate(names):
        yield from [f"--- {name} sees otherwise", *_otherwise(_view(match.view(seat), names), public)]
    opened = _view(match.view(None, face_up=True), names)
    yield from ["--- with all hands open", *_otherwise(opened, public)]
    yield f"--- scores {match.scores()}, decisions {match.decisions}"


def _otherwise(view: Iterator[str], public: list[str]) -> list[str]:
    return [line for line in view if line not in public]


def _view(view: View, names: list[str]) -> Iterator[str]:
    yield f"  {plain(view['phase'], names)}. {plain(view['prompt'], names)}. To act: {view['to_act']}"
    for place in view["seats"]:
        counters = ", ".join(f"{counter['id']} {counter['value']}" for counter in place["counters"])
        zones = [_zone(zone) for zone in view["zones"] if zone.get("seat") == place["seat"]]
        plate = " ".join([names[place["seat"]], place["state"], *place["marks"]])
        yield "  " + "; ".join([f"{plate}: {counters}", *zones])
    shared = [_zone(zone) for zone in view["zones"] if "seat" not in zone]
    if shared:
        yield "  " + "; ".join(shared)
    for track in view.get("tracks", []):
        yield f"  {track['id']}: {' '.join(map(_space, track['spaces']))}"
    for grid in view.get("grids", []):
        for first in range(0, len(grid["cells"]), grid["columns"]):
            yield f"  {grid['id']}: {' '.join(map(_space, grid['cells'][first : first + grid['columns']]))}"
    if "odds" in view:
        columns = ", ".join(plain(column, names) for column in view["odds"]["columns"])
        chances = "; ".join(f"{row['piece']} {' | '.join(row['cells'])}" for row in view["odds"]["rows"])
        yield f"  odds {plain(view['odds']['title'], names)} ({columns}): {chances}"
    moves = [_move(legal, names) for legal in view["moves"]]
    if len(moves) > MANY_MOVES:
        digest = hashlib.sha256("\n".join(moves).encode()).hexdigest()[:VIEW_DIGITS]
        moves[FEW_MOVES:] = [f"  may do {len(moves)} things, in all {digest}"]
    yield from moves
    if "several" in view:
        yield f"  together {view['several']['count']}: {plain(view['several']['label'], names)}"
    if "paths" in view:
        yield from _paths(view["paths"], names)
    if "scoring" in view:
        scoring = view["scoring"]
        columns = ", ".join(plain(column, names) for column in scoring["columns"])
        rows = [f"{names[row['seat']]} {row['cells']} {row.get('mark', '')}".strip() for row in scoring["rows"]]
        heading = f"{scoring['id']}, {plain(scoring['title'], names)} ({columns})"
        yield f"  scoring {heading}: {'; '.join(rows)}. {plain(scoring['verdict'], names)}"
    if "settled" in view:
        yield f"  settled: {plain(view['settled'], names)}"
    if "last_trick" in view:
        yield f"  {_zone(view['last_trick'])}"
    if "result" in view:
        result = view["result"]
        yield f"  result {result['scores']}, winners {result['winners']}: {plain(result['text'], names)}"


def _move(legal: LegalMove, names: list[str]) -> str:
    pieces = "+".join(legal["pieces"])
    return f"  may {legal['move']}: {plain(legal['label'], names)} ({pieces} > {legal.get('target', 'itself')})"


def _paths(paths: Paths, names: list[str]) -> Iterator[str]:
    """How many moves there are, the first two steps of each, and which numbers all of them come to."""
    columns = ", ".join(plain(column, names) for column in paths["columns"])
    moves = list(path_moves(paths))
    digest = hashlib.sha256(json.dumps(paths, sort_keys=True).encode()).hexdigest()
    yield f"  may {paths['verb']} {len(moves)} ways ({columns}), in all {digest[:VIEW_DIGITS]}"
    for first in paths["start"].get("then", []):
        for second in (None, *first.get("then", [])):
            step = second or first
            move = " ".join([paths["verb"], first["word"], *([second["word"]] if second else [])])
            marks = [paths["notes"][note]["mark"] for note in step.get("notes", [])]
            longer = sum(other.startswith(f"{move} ") for other in moves)
            may = "must go on" if step.get("further") else "may end"
            yield f"    {move}: {step['tally']} {' '.join([*marks, may])}, {longer} longer"


def _zone(zone: Zone) -> str:
    size = f" of {zone['size']}" if "size" in zone else ""
    total = f" = {zone['total']}" if "total" in zone else ""
    return f"{zone['id']} [{_pieces(zone)}]{size}{total}"


def _space(space: Space) -> str:
    return f"{space['id']}[{' '.join([_pieces(space), *space['marks']]).strip()}]"


def _pieces(place: Zone | Space) -> str:
    """Faces as people write them, "?" and the back of what lies face down; ids only where they say more."""
    results = []
    for index, piece in enumerate(place["pieces"]):
        face = sign(piece["face"]) if "face" in piece else "?" + piece.get("back", "")
        usual = piece.get("face", f"{place['id']}#{index}")
        own = "" if piece["id"] == usual else f"={piece['id']}"
        results.append(face + piece.get("badge", "") + own)
    return " ".join(results)
