"""The view contains everything that the house bot reads, so a player who reloads the page misses nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from games.camelup.position import HIDDEN
from games.camelup.terms import COLOURS
from games.core import Information, View
from games.core.cards import RANKS, SUITS, rank, sign
from games.core.view import Piece
from games.thief.board import DIRECTIONS
from games.thief.cards import ENEMIES, NOWHERE, OWL, WOLF, Card
from games.thief.path import Position
from tests.games.cases import CASES, Case, positions
from tests.tiers import sampled

POSITIONS = 30
UNSIGNED = {sign(f"{rank}{suit}"): f"{rank}{suit}" for rank in RANKS for suit in SUITS}
Reader = Callable[[View, Any], Any]  # what a view shows of a field; the observation has facts of the game


def zone(view: View, name: str) -> list[Piece]:
    return next(one["pieces"] for one in view["zones"] if one["id"] == name)


def size(view: View, name: str) -> int:
    result = next(one for one in view["zones"] if one["id"] == name)
    return result.get("size", len(result["pieces"]))


def faces(view: View, name: str) -> tuple[str, ...]:
    return tuple(piece["face"] for piece in zone(view, name) if "face" in piece)


def by_seat(read: Callable[[View, int], Any]) -> Reader:
    return lambda view, _: tuple(read(view, seat["seat"]) for seat in view["seats"])


def counter(name: str) -> Reader:
    def read(view: View, seat: int) -> int:
        return next((c["value"] for c in view["seats"][seat]["counters"] if c["id"] == name), 0)

    return by_seat(read)


def mark(words: dict[str, str]) -> Reader:
    return by_seat(lambda view, seat: next((words[m] for m in view["seats"][seat]["marks"] if m in words), ""))


def odds(view: View) -> dict[str, list[str]]:
    return {row["piece"]: row["cells"] for row in view["odds"]["rows"]}


# -- Hamsterdam Exchange


def remembered(view: View, seat: int) -> str:
    pieces = zone(view, f"stock:{seat}")
    return "".join(
        piece.get("face") or UNSIGNED[piece["badge"]] for piece in pieces if "face" in piece or "badge" in piece
    )


def phase(view: View, _: Any) -> str:
    return "over" if view["over"] else "market" if "markets" in view["phase"]["text"] else "adjustment"


HAMSTERDAM: dict[str, Reader] = {
    "phase": phase,
    "certificates": counter("certificates"),
    "stock": by_seat(lambda view, seat: "".join(faces(view, f"stock:{seat}"))),
    "hands": by_seat(lambda view, seat: faces(view, f"modifiers:{seat}")),
    "played": by_seat(lambda view, seat: faces(view, f"played:{seat}")),
    "decided": mark({"kept": "keep", "traded": "trade"}),
    "remembers": by_seat(remembered),
    # Not read by the house bot, but there for people.
    "laid_aside": lambda view, _: "".join(UNSIGNED[p["badge"]] for p in zone(view, "discard") if "badge" in p),
    "passes": lambda view, _: sum("passed" in seat["marks"] for seat in view["seats"]),
    "dealer": lambda view, _: next(seat["seat"] for seat in view["seats"] if "dealer" in seat["marks"]),
}

# -- Stealing Bundles: what lies in a bundle is shown by rank, which is all that matters but for its top


def by_rank(bundles: tuple[tuple[str, ...], ...]) -> list[tuple[int, str, Counter[str]]]:
    return [(len(bundle), "".join(bundle[-1:]), Counter(map(rank, bundle))) for bundle in bundles]


def bundles(view: View, _: Any) -> Any:
    results = []
    for seat in range(len(view["seats"])):
        inside = Counter({one: int(cells[seat]) for one, cells in odds(view).items() if cells[seat]})
        results.append((size(view, f"bundle:{seat}"), "".join(faces(view, f"bundle:{seat}")), inside))
    return results


BUNDLES: dict[str, Reader] = {
    "hands": by_seat(lambda view, seat: faces(view, f"hand:{seat}")),
    "hand_sizes": by_seat(lambda view, seat: size(view, f"hand:{seat}")),
    "pool": lambda view, _: faces(view, "pool"),
    "bundles": bundles,
    "catch": lambda view, _: None,  # a method, of the fields above
}

# -- Enchère


def spent(view: View, _: Any) -> Any:
    suits = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
    return {one + suits[suit] for suit, (gone, _) in odds(view).items() for one in gone.split()}


ENCHERE: dict[str, Reader] = {
    "hands": by_seat(lambda view, seat: faces(view, f"hand:{seat}")),
    "prize": lambda view, _: "".join(faces(view, "prize")),
    "spare": lambda view, _: "".join(faces(view, "spare")) if any(z["id"] == "spare" for z in view["zones"]) else "",
    "won": by_seat(lambda view, seat: faces(view, f"won:{seat}")),
    "void": by_seat(lambda view, seat: "".join(m[-1] for m in view["seats"][seat]["marks"] if m.startswith("void-"))),
    "spent": spent,
    "version": lambda view, seen: seen.version,  # an option of the table
}

# -- Card Thief


def position(view: View, seen: Any) -> Position:
    cards: list[Card | None] = []
    thief = seen.position.thief  # on no cell after leaving by the Hatch
    for space in view["grids"][0]["cells"]:
        piece = next(iter(space["pieces"]), None)
        if piece is None or piece["id"] == "thief":
            thief = len(cards) if piece else thief
            cards.append(None)
            continue
        kind, value = piece["face"], int(str(piece["label"]["args"].get("value", 0)))
        if kind == "strongbox":
            value = -int(piece["badge"])
        looks = [m.removeprefix("looks-") for m in space["marks"] if m.startswith("looks-")]
        facing = DIRECTIONS.index(looks[0]) if looks and kind != OWL else NOWHERE
        alert = sum(int(m.removeprefix("alert-")) for m in space["marks"] if m.startswith("alert-"))
        purse = value - 1 if kind in ENEMIES - {WOLF, OWL} else 0
        cards.append(Card(kind, value, purse, facing, alert, number=int(piece["id"].removeprefix("card:"))))
    counters = {c["id"]: c["value"] for c in view["seats"][0]["counters"]}
    return Position(tuple(cards), thief, counters["stealth"], counters.get("slips", 0))


THIEF: dict[str, Reader] = {
    "position": position,
    "gems": lambda view, _: counter("gems")(view, None)[0],
    "box": lambda view, _: counter("box")(view, None)[0] // 5,
    "left": lambda view, _: tuple((piece, int(cells[0])) for piece, cells in odds(view).items()),
    "turn": lambda view, _: counter("turn")(view, None)[0] - (not view["over"]),
}

# -- Camel Up: of the race, what the view shows, by what it is in the position


def race(view: View, seen: Any) -> dict[str, Any]:
    terms = seen.position.terms
    colours = list(COLOURS)
    place, order, tiles = {}, [], {}
    for square, space in enumerate(view["tracks"][0]["spaces"]):
        for piece in space["pieces"]:
            kind, _, name = piece["id"].partition(":")
            if kind == "camel":
                place[colours.index(name)] = square
                order.append(colours.index(name))
            else:
                tiles[int(name)] = square if kind == "oasis" else -square
    piles = {}
    for win in ("win", "lose"):
        pile = zone(view, f"race:{win}")
        camels = [colours.index(p["face"].removeprefix("race-")) if "face" in p else HIDDEN for p in pile]
        piles[win] = list(zip(camels, map(_better, pile), strict=True))
    bets = [zone(view, f"bets:{seat['seat']}") for seat in view["seats"]]
    mine = zone(view, f"cards:{view['seat']}")
    return {
        "place": place,
        "order": order,
        "tiles": tiles,
        "left": {colours.index(p["id"].removeprefix("die:")) for p in zone(view, "dice")},
        "money": list(counter("coins")(view, None)),
        "leg_tiles": [size(view, f"leg:{colours[camel]}") for camel in range(terms.camels)],
        "leg_bets": [Counter(piece["face"].removeprefix("leg-") for piece in own) for own in bets],
        "piles": piles,
        "cards": {piece["face"] for piece in mine},
    }


def _better(piece: Piece) -> int:
    arg = piece["label"]["args"]["seat"]
    assert isinstance(arg, dict)
    return int(str(arg["seat"]))  # type: ignore[typeddict-item]


def as_race(result: Any, seen: Any) -> dict[str, Any]:
    terms = result.terms
    finish = terms.spaces
    return {
        "place": {camel: min(square, finish) for camel, square in enumerate(result.place)},
        "order": list(result.order),
        "tiles": {seat: tile for seat, tile in enumerate(result.tiles) if tile},
        "left": set(result.left),
        "money": list(result.money),
        "leg_tiles": [result.leg_tiles_left(camel) for camel in range(terms.camels)],
        "leg_bets": [
            Counter(COLOURS[c] for c, owner in result.leg_bets if owner == seat) for seat in range(result.seats)
        ],
        "piles": {"win": list(result.winner_bets), "lose": list(result.loser_bets)},
        "cards": {f"race-{COLOURS[camel]}" for camel in range(terms.camels) if result.cards[seen.seat] >> camel & 1},
    }


CAMELUP: dict[str, Reader] = {"position": race}

READERS = {"hamsterdam": HAMSTERDAM, "bundles": BUNDLES, "enchere": ENCHERE, "thief": THIEF, "camelup": CAMELUP}
# How a value of an observation is written in the view, where they differ.
FORMS: dict[tuple[str, str], Callable[[Any, Any], Any]] = {
    ("bundles", "bundles"): lambda value, _: by_rank(value),
    ("bundles", "catch"): lambda value, _: None,
    ("enchere", "spent"): lambda value, _: set(value),
    ("enchere", "void"): lambda value, _: tuple("".join(suit for suit in SUITS if suit in void) for void in value),
    ("camelup", "position"): as_race,
    ("hamsterdam", "passes"): lambda value, seen: value if seen.phase == "adjustment" else 0,
    # Drawn enemies have stepped when a turn ends, unless the match has ended with it.
    ("thief", "position"): lambda value, _: value._replace(
        board=tuple(card and card._replace(drawn=False) for card in value.board)
    ),
}


class NotingObservation:
    """An observation that notes which of its fields are read."""

    def __init__(self, seen: Any) -> None:
        self._seen, self.read = seen, set[str]()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        value = getattr(self._seen, name)
        return value.__func__.__get__(self) if hasattr(value, "__func__") else value


# A game that is added later has no reader here, and needs none.
READ = [case for case in CASES if case.game.name in READERS]


@pytest.mark.parametrize("case", sampled(READ, 8, str))
def test_what_the_house_bot_reads_is_in_the_view_of_its_seat(case: Case) -> None:
    readers = READERS[case.game.name]
    read: set[str] = set()
    for match, seat, chance in positions(case, POSITIONS):
        for audience in match.to_act():
            info = Information.of(case.game, match.state, audience, chance.clone(), "observation")
            noting = NotingObservation(info.observation)
            info._observation = noting
            case.game.bots[0]().choose(info)
            read |= noting.read
        seen, view = match.state.observe(seat), match.view(seat)
        for name, reader in readers.items():
            form = FORMS.get((case.game.name, name), lambda value, _: value)
            assert reader(view, seen) == form(getattr(seen, name), seen), name
    assert read, "the bot has decided something"
    assert read <= set(readers), "and reads nothing that the view does not show"


def test_every_field_that_is_looked_for_is_one_of_the_observation() -> None:
    for case in READ:
        seen = positions(case, 1)[0][0].state.observe(None)
        names = {one.name for one in fields(seen)} if is_dataclass(seen) else set(seen._fields)
        assert set(READERS[case.game.name]) - {"catch"} <= names
