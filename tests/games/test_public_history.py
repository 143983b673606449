"""The public log entries alone contain what is face up at every ply; so does the log as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import pytest

from games.core import FastChance, SealedChance, View
from games.core.cards import sign
from games.core.game import visible_columns
from games.core.view import LogEntry, Piece, plain
from games.thief.board import CELLS, DIRECTIONS, PLACES, START
from games.thief.cards import ENEMIES, NOWHERE, OVERSEER, OWL, WOLF, Card
from games.thief.end_of_turn import settle
from games.thief.path import Path, Position, begin, follow, slipped
from tests.games.cases import CASES, Case, likely_match
from tests.playthroughs import SEED
from tests.tiers import tiered

MATCHES = 6


class History(Protocol):
    """What a reader of the public log knows about the table without a view of it."""

    def read(self, entries: Sequence[LogEntry]) -> None:
        """Read the entries of one ply."""

    def expected(self) -> dict[str, Any]:
        """Return what must be on the table now."""

    def shown(self, view: View) -> dict[str, Any]:
        """Return what a spectator's view shows, in the same form."""


def cards_of(entry: LogEntry) -> list[str]:
    """Return the faces that fill ``{card1}``, ``{card2}``, ..."""
    named = [(name, as_dict(arg)) for name, arg in entry["text"]["args"].items()]
    return [arg["card"] for name, arg in named if name != "card" and "card" in arg]


def as_dict(arg: Any) -> dict[str, Any]:
    return arg if isinstance(arg, dict) else {}


def faces(view: View, zone: str) -> list[str]:
    result = next(one for one in view["zones"] if one["id"] == zone)
    return [piece.get("face", "?") for piece in result["pieces"]]


def size(view: View, zone: str) -> int:
    result = next(one for one in view["zones"] if one["id"] == zone)
    return result.get("size", len(result["pieces"]))


def handicap_of(entry: LogEntry) -> int:
    return int(str(entry["text"]["args"]["amount"]).replace("\N{MINUS SIGN}", "-"))


class Bundles:
    def __init__(self, case: Case) -> None:
        self.pool: list[str] = []
        self.bundles: list[list[str]] = [[] for _ in range(case.seats)]
        self.hands = [0] * case.seats
        self.stock = 52

    def read(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            text, args = entry["text"]["text"], entry["text"]["args"]
            if text.startswith("The pool gets"):
                self.pool = cards_of(entry)
                self.stock -= len(self.pool)
            elif text.startswith("Everybody gets"):
                self.hands = [held + int(str(args["count"])) for held in self.hands]
                self.stock -= int(str(args["count"])) * len(self.hands)
            elif " plays " in text:
                seat, played, taken = as_dict(args["seat"])["seat"], as_dict(args["card"])["card"], cards_of(entry)
                self.hands[seat] -= 1
                self.pool = [face for face in self.pool if face not in taken]
                if "victim" in args:
                    victim = as_dict(args["victim"])["seat"]
                    self.bundles[seat] += self.bundles[victim]
                    self.bundles[victim] = []
                if taken or "victim" in args:
                    self.bundles[seat] += [*taken, played]
                else:
                    self.pool.append(played)

    def expected(self) -> dict[str, Any]:
        tops = [(bundle[-1:], len(bundle)) for bundle in self.bundles]
        return {"pool": self.pool, "tops": tops, "hands": self.hands, "stock": self.stock}

    def shown(self, view: View) -> dict[str, Any]:
        seats = range(len(view["seats"]))
        return {
            "pool": faces(view, "pool"),
            "tops": [(faces(view, f"bundle:{seat}"), size(view, f"bundle:{seat}")) for seat in seats],
            "hands": [size(view, f"hand:{seat}") for seat in seats],
            "stock": size(view, "stock"),
        }


class Thief:
    """Also uses the rules, for the cards that fall and the enemies that turn."""

    def __init__(self, case: Case) -> None:
        self.position = Position((None,) * len(CELLS), START, 10)
        self.gems = self.box = self.dealt = 0

    def read(self, entries: Sequence[LogEntry]) -> None:
        steps = [entry for entry in entries if entry["kind"] == "move"]
        cells = [PLACES.index(str(entry["text"]["args"]["where"])) for entry in steps]
        if steps and "slips past" in steps[0]["text"]["text"]:
            board, stealth = settle(slipped(self.position, cells[0]), cells[0], self.position.stealth, refuge=False)
            self.position = Position(board, cells[0], stealth, self.position.slips + 1)
        elif steps:
            path: Path = follow(self.position, cells)[-1]
            self.gems += path.gems
            self.box += path.box
            board, stealth = path.board, path.stealth
            if not path.step.escapes:
                board, stealth = settle(board, path.here, stealth, refuge=path.step.refuge)
            self.position = Position(board, path.here, stealth)
        cards = list(self.position.board)
        for entry in entries:
            args = entry["text"]["args"]
            if entry["kind"] == "deal" and "where" in args:
                kind, _, value = str(args["card"]).partition(" ")
                self.dealt += 1
                facing = DIRECTIONS.index(str(args["facing"])) if "facing" in args else NOWHERE
                purse = int(value) - 1 if kind in ENEMIES - {WOLF, OWL} else 0
                cell = PLACES.index(str(args["where"]))
                assert cards[cell] is None
                cards[cell] = Card(kind, int(value or 0), purse, facing, number=self.dealt)
        self.position = self.position._replace(board=tuple(cards))

    def expected(self) -> dict[str, Any]:
        light = begin(self.position)
        cells = []
        for cell, card in enumerate(self.position.board):
            marks = ["lit"] * (light.lit >> cell & 1) + ["watched"] * (light.watched >> cell & 1)
            if card and card.kind in ENEMIES - {OWL}:
                ways = [card.facing, (card.facing + 2) % 4] if card.kind == OVERSEER else [card.facing]
                marks += [f"looks-{DIRECTIONS[way]}" for way in ways]
            if card and card.alert:
                marks.append(f"alert-{card.alert}")
            cells.append((f"card:{card.number} {card.kind}" if card else "", sorted(marks)))
        return {"cells": cells, "stealth": self.position.stealth, "gems": self.gems, "box": 5 * self.box}

    def shown(self, view: View) -> dict[str, Any]:
        counters = {counter["id"]: counter["value"] for counter in view["seats"][0]["counters"]}
        cells = []
        for space in view["grids"][0]["cells"]:
            on_it = [f"{piece['id']} {piece['face']}" for piece in space["pieces"] if piece["id"] != "thief"]
            owl = any(piece.get("face") == OWL for piece in space["pieces"])
            marks = [mark for mark in space["marks"] if not (owl and mark.startswith("looks-"))]
            cells.append(("".join(on_it), sorted(marks)))
        return {"cells": cells, **{name: counters[name] for name in ("stealth", "gems", "box")}}


class Enchere:
    def __init__(self, case: Case) -> None:
        self.prize = self.spare = ""
        self.bids: list[str] = []
        self.won: list[list[str]] = [[], [], []]
        self.points = [0, 0, 0]
        self.said: set[int] = set()

    def read(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            text, args = entry["text"]["text"], entry["text"]["args"]
            card = as_dict(args.get("card")).get("card", "")
            if text.startswith("Round"):
                self.won, self.bids, self.prize, self.spare, self.said = [[], [], []], [], "", "", set()
            elif text.startswith("The spare"):
                self.spare = card
            elif text.startswith(("The first prize", "The next prize")):
                self.prize = card
            elif text == "{seat} has bid.":
                self.said.add(as_dict(args["seat"])["seat"])
            elif text.startswith("{a} bid"):
                self.bids, self.said = [as_dict(args[name])["card"] for name in ("one", "two", "three")], set()
            elif " wins {prize}" in text:
                self.won[as_dict(args["seat"])["seat"]].append(self.prize)
                self.prize = ""
            elif " scores " in text or " in all" in text:
                self.points[entry["seat"]] = int(str(args["total"]))
            elif " starts with " in text:
                self.points[entry["seat"]] += handicap_of(entry)

    def expected(self) -> dict[str, Any]:
        lies = [["?"] if seat in self.said else [bid] for seat, bid in enumerate(self.bids or [""] * 3)]
        bids = [[face for face in one if face] for one in lies]
        return {"prize": [self.prize] if self.prize else [], "bids": bids, "won": self.won, "points": self.points}

    def shown(self, view: View) -> dict[str, Any]:
        return {
            "prize": faces(view, "prize"),
            "bids": [faces(view, f"bid:{seat}") for seat in range(3)],
            "won": [faces(view, f"won:{seat}") for seat in range(3)],
            "points": [seat["counters"][0]["value"] for seat in view["seats"]],
        }


class Hamsterdam:
    def __init__(self, case: Case) -> None:
        seats = range(case.seats)
        self.certificates = [2 for _ in seats]
        self.stock: list[list[str]] = [[] for _ in seats]
        self.played: list[list[str]] = [[] for _ in seats]
        self.hands = [0 for _ in seats]
        self.dealer = -1

    def read(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            text, args = entry["text"]["text"], entry["text"]["args"]
            seat = as_dict(args.get("seat")).get("seat", -1)
            for motion in entry.get("motions", []):
                place, _, number = motion["source"].partition(":")
                if place == "modifiers":
                    self.hands[int(number)] -= 1
                place, _, number = motion["target"].partition(":")
                if place == "modifiers":
                    self.hands[int(number)] += 1
            if text.startswith("Round"):
                self.dealer = seat
                self.played = [[] for _ in self.hands]
                self.stock = [["?"] if left else [] for left in self.certificates]
            elif " shows " in text:
                self.stock[seat] = [as_dict(args["card"])["card"]]
            elif " plays " in text:
                target = as_dict(args.get("target", args["seat"]))["seat"]
                self.played[target].append(as_dict(args["card"])["card"])
            elif "loses a certificate" in text:
                self.certificates[seat] -= 1
            elif " starts with " in text:
                self.certificates[seat] += handicap_of(entry)

    def expected(self) -> dict[str, Any]:
        return {
            "certificates": self.certificates, "stock": self.stock, "played": self.played, "hands": self.hands,
            "dealer": self.dealer,
        }  # fmt: skip

    def shown(self, view: View) -> dict[str, Any]:
        seats = range(len(view["seats"]))
        return {
            "certificates": [seat["counters"][0]["value"] for seat in view["seats"]],
            "stock": [faces(view, f"stock:{seat}") for seat in seats],
            "played": [faces(view, f"played:{seat}") for seat in seats],
            "hands": [size(view, f"modifiers:{seat}") for seat in seats],
            "dealer": next(seat["seat"] for seat in view["seats"] if "dealer" in seat["marks"]),
        }


class CamelUp:
    """Follows camels and desert tiles; coins and bets are in the entries as well."""

    def __init__(self, case: Case) -> None:
        self.goal = int(case.options.get("spaces", 16)) + 1
        self.stacks: dict[int, list[str]] = {}
        self.tiles: dict[int, tuple[int, str]] = {}
        self.keep = case.options.get("rules") == "series"

    def read(self, entries: Sequence[LogEntry]) -> None:
        for entry, after in zip(entries, [*entries[1:], None], strict=True):
            text, args = entry["text"]["text"], entry["text"]["args"]
            space = int(str(args.get("space", 0)))
            if text.startswith("The {camel} camel starts"):
                self.stacks.setdefault(space, []).append(str(args["camel"]))
            elif " rolls {pips} for " in text:
                here = next(place for place, stack in self.stacks.items() if args["camel"] in stack)
                at = self.stacks[here].index(str(args["camel"]))
                unit, self.stacks[here] = self.stacks[here][at:], self.stacks[here][:at]
                pushed = after["text"] if after and " sends it " in after["text"]["text"] else None
                to = here + int(str(args["pips"]))
                if pushed and "across the finish line" not in pushed["text"]:
                    to = int(str(pushed["args"]["space"]))
                to = self.goal if pushed and "across the finish line" in pushed["text"] else min(to, self.goal)
                there = self.stacks.setdefault(to, [])
                self.stacks[to] = unit + there if pushed and "sends it back" in pushed["text"] else there + unit
            elif "{side}" in text:
                self.tiles[entry["seat"]] = (space, str(args["side"]).split()[1])
            elif text.startswith("Leg ") and not self.keep:
                self.tiles.clear()

    def expected(self) -> dict[str, Any]:
        stacks = {place: stack for place, stack in self.stacks.items() if stack}
        return {"stacks": stacks, "tiles": sorted(self.tiles.values())}

    def shown(self, view: View) -> dict[str, Any]:
        stacks: dict[int, list[str]] = {}
        tiles = []
        for place, space in enumerate(view["tracks"][0]["spaces"], 1):
            camels = [piece["face"].removeprefix("camel-") for piece in space["pieces"] if "camel-" in piece["face"]]
            if camels:
                stacks[place] = camels
            tiles += [(place, piece["face"]) for piece in space["pieces"] if "camel-" not in piece["face"]]
        return {"stacks": stacks, "tiles": sorted(tiles)}


HISTORIES: dict[str, type[Any]] = {
    "bundles": Bundles, "thief": Thief, "enchere": Enchere, "hamsterdam": Hamsterdam, "camelup": CamelUp,
}  # fmt: skip


# A game that is added later has no reader here, and needs none.
@pytest.mark.parametrize(
    "case", tiered([case for case in CASES if case.game.name in HISTORIES], lambda case: case.quick, str)
)
def test_the_public_log_contains_what_is_face_up_at_every_ply(case: Case) -> None:
    for number in range(MATCHES):
        whole = likely_match(case, str(number))
        match = case.start(FastChance(str(number)))
        history: History = HISTORIES[case.game.name](case)
        for ply in range(whole.ply + 1):
            if ply:
                match.advance(*whole.moves[ply - 1])
            history.read(match.entries(None, ply))
            assert history.expected() == history.shown(match.view(None))


def word(piece: Piece) -> str:
    """Return how sentences name a piece that is face up: by its label if it is no playing card."""
    return plain(piece["label"], ()) if "label" in piece else sign(piece["face"])


def test_every_card_that_a_seat_is_dealt_is_shown_to_it_and_to_nobody_else() -> None:
    for case in CASES:
        if case.game.name in ("camelup", "thief"):
            continue  # in these nobody holds hidden cards
        match = case.start(SealedChance(SEED))
        opened = match.view(None, face_up=True)
        for seat in range(case.seats):
            # In a text a card may come into a hand for all to see, as the one that makes trumps in Whist.
            mine = [entry for entry in match.entries(seat, 0) if case.is_text or entry.get("only") == seat]
            text = " ".join(plain(entry["text"], ["Anna"] * case.seats) for entry in mine)
            for zone in opened["zones"]:
                if zone.get("seat") == seat and zone["layout"] in ("hand", "slot"):
                    for piece in zone["pieces"]:
                        assert all(part in text for part in word(piece).split()), (case, text)


@pytest.mark.parametrize(
    "case", tiered([case for case in CASES if case.game.name != "camelup"], lambda case: case.quick, str)
)
def test_the_log_as_csv_has_all_that_a_spectator_sees_at_every_ply(case: Case) -> None:
    whole = likely_match(case, "table")
    match = case.start(FastChance("table"))
    rows = list(case.game.log_rows(case.seats, match.options, FastChance("table"), whole.moves))
    assert len(rows) == whole.ply + 1
    for ply, row in enumerate(rows):
        if ply:
            match.advance(*whole.moves[ply - 1])
        view = match.view(None)
        assert visible_columns(view).items() <= row.items()
        for zone in view["zones"]:
            for piece in zone["pieces"]:
                if "face" in piece:
                    row_of = str(row[zone["id"]])
                    assert word(piece) in row_of if "label" in piece else piece["face"] in row_of.split()
        for grid in view.get("grids", []):
            for cell in grid["cells"]:
                assert all(mark in str(row[cell["id"]]) for mark in cell["marks"])
                assert all(piece["face"] in str(row[cell["id"]]) for piece in cell["pieces"])
