"""Golden playthroughs: every state of a seeded match, as a watcher, each seat and the open table show it, as text.

A watcher's view is written in full, the others' only where they differ: that is what is kept from watchers. The files
notice any change of rules, dealing, words or secrecy: a person reads the difference before it is committed.
``python -m tests.playthroughs`` writes them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from games.core import FastChance, Match, SealedChance, View
from games.core.cards import sign
from games.core.view import Space, Trail, Zone, plain, trail_moves
from tests.games.cases import Case, random_move

FOLDER = Path(__file__).parent
SEED = bytes(range(32))


def golden_file(case: Case) -> Path:
    """Return where the playthrough of a case is kept."""
    return FOLDER / f"{case.name}.txt"


def playthrough(case: Case) -> str:
    """Return a random match of a case as text, the same every time."""
    match = case.start(SealedChance(SEED))
    choices = FastChance(case.name)
    names = [f"Seat{seat}" for seat in range(case.seats)]
    lines = [f"{case.game.title}, {case.seats} seats, options {match.options}, seed {SEED.hex()}"]
    lines += _position(match, names, "The deal")
    while not match.state.over:
        random_move(match, choices)
        seat, move = match.moves[-1]
        lines += _position(match, names, f"Move {match.ply}: {names[seat]}: {move}")
    return "\n".join(lines) + "\n"


def _position(match: Match, names: list[str], title: str) -> Iterator[str]:
    yield ""
    yield f"=== {title}"
    for line in match.log[-1]:
        whom = f"(only {names[line['only']]}) " if "only" in line else ""
        motions = "".join(f" [{motion['source']} > {motion['target']}]" for motion in line.get("motions", []))
        yield f"  {line['kind']}: {whom}{plain(line['text'], names)}{motions}"
    public = list(_view(match.view(None), names))
    yield from ["--- a watcher sees", *public]
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
        who = " ".join([names[place["seat"]], place["state"], *place["marks"]])
        yield "  " + "; ".join([f"{who}: {counters}", *zones])
    shared = [_zone(zone) for zone in view["zones"] if "seat" not in zone]
    if shared:
        yield "  " + "; ".join(shared)
    for track in view.get("tracks", []):
        yield f"  {track['id']}: {' '.join(map(_space, track['spaces']))}"
    for grid in view.get("grids", []):
        for first in range(0, len(grid["cells"]), grid["columns"]):
            yield f"  {grid['id']}: {' '.join(map(_space, grid['cells'][first : first + grid['columns']]))}"
    for deed in view["moves"]:
        pieces = "+".join(deed["pieces"])
        yield f"  may {deed['move']}: {plain(deed['label'], names)} ({pieces} > {deed.get('target', 'itself')})"
    if "trail" in view:
        yield from _trail(view["trail"], names)
    if "reckoning" in view:
        reckoning = view["reckoning"]
        columns = ", ".join(plain(column, names) for column in reckoning["columns"])
        rows = [f"{names[row['seat']]} {row['cells']} {row.get('mark', '')}".strip() for row in reckoning["rows"]]
        heading = f"{reckoning['id']}, {plain(reckoning['title'], names)} ({columns})"
        yield f"  reckoning {heading}: {'; '.join(rows)}. {plain(reckoning['verdict'], names)}"
    if "settled" in view:
        yield f"  settled: {plain(view['settled'], names)}"
    if "result" in view:
        result = view["result"]
        yield f"  result {result['scores']}, winners {result['winners']}: {plain(result['text'], names)}"


def _trail(trail: Trail, names: list[str]) -> Iterator[str]:
    """How many moves there are, the first two steps of each, and which numbers all of them come to."""
    columns = ", ".join(plain(column, names) for column in trail["columns"])
    moves = list(trail_moves(trail))
    digest = hashlib.sha256(json.dumps(trail, sort_keys=True).encode()).hexdigest()
    yield f"  may {trail['verb']} {len(moves)} ways ({columns}), in all {digest[:12]}"
    for first in trail["start"].get("then", []):
        for second in (None, *first.get("then", [])):
            step = second or first
            move = " ".join([trail["verb"], first["word"], *([second["word"]] if second else [])])
            marks = [trail["notes"][note]["mark"] for note in step.get("notes", [])]
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
    found = []
    for index, piece in enumerate(place["pieces"]):
        face = sign(piece["face"]) if "face" in piece else "?" + piece.get("back", "")
        usual = piece.get("face", f"{place['id']}#{index}")
        own = "" if piece["id"] == usual else f"={piece['id']}"
        found.append(face + piece.get("badge", "") + own)
    return " ".join(found)
