"""What everybody plays for is shown before the match continues: open bids, a full trick, the end of a leg."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from games import catalogue
from games.core import FastChance, Match
from games.core.view import Reveal
from tests.games.cases import Case, cases, likely_move
from tests.tiers import full

LONGEST = 6_000  # milliseconds that a move may make everybody wait
LONGEST_COUNT = 30_000  # that the awards of a count may take as well: there is a moment for each; "Continue" skips them


def moves_of(case: Case, seed: str, most: int = 60) -> Iterator[Match]:
    """Yield a match after each of its likely moves."""
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while not match.over and match.ply < most:
        likely_move(match, choices)
        yield match


@cases
def test_in_a_moment_nobody_is_to_act_and_everybody_can_be_shown_it(case: Case) -> None:
    for match in moves_of(case, "moments"):
        moments = match.state.moments
        awards = sum(moment.hold for moment in moments if getattr(moment.position, "awarded_cards", ()))
        assert awards <= LONGEST_COUNT
        assert match.hold - awards <= LONGEST
        for audience in (None, *range(case.seats)):
            reveals = match.reveals(audience)
            assert sum(reveal["hold"] for reveal in reveals) == match.hold
            entries = [reveal["entries"] for reveal in reveals]
            assert entries == sorted(entries)
            assert all(count <= len(match.entries(audience, match.ply)) for count in entries)
            for reveal in reveals:
                view = json.loads(json.dumps(reveal["view"]))
                assert (view["to_act"], view["moves"], view["over"]) == ([], [], False)
                assert view["prompt"]["text"]
                assert "paths" not in view
                assert "result" not in view


@cases
def test_a_match_that_nobody_looks_at_is_the_same_one(case: Case) -> None:
    """Moments are copies taken in the middle of a move: taking them must change nothing, what is drawn least of all."""
    match = case.start(FastChance("watched"))
    alone = case.start(FastChance("watched")).state.keep("nothing")
    choices = FastChance("watched/choices")
    while not match.over and match.ply < 60:
        likely_move(match, choices)
        seat, move = match.moves[-1]
        assert move in alone.legal_moves(seat)
        alone.apply(seat, move)
        assert alone.moments == ()
    assert alone.to_act() == match.to_act()
    assert alone.scores() == match.scores()


def moves_with_reveals(
    game: str, seats: int, wanted: int, **options: int | str
) -> Iterator[tuple[Match, list[Reveal]]]:
    """Yield (match, reveals of its last move as a spectator sees them) until there were so many moves with some."""
    case = Case(game, catalogue.find(game), seats, dict(options))
    result = 0
    for seed in range(100):
        for match in moves_of(case, f"{game}/{seed}", 400):
            if reveals := match.reveals(None):
                yield match, reveals
                result += 1
            if result == wanted:
                return
    raise AssertionError(f"{game} has too few moments.")


def zone(reveal: Reveal, name: str) -> list[str]:
    """The faces of the pieces at a place."""
    [result] = [zone for zone in reveal["view"]["zones"] if zone["id"] == name]
    return [piece.get("face", "?") for piece in result["pieces"]]


@pytest.mark.parametrize("version", ["enchere", "avancee", "originale"])
def test_bids_lie_open_the_winner_marked_before_the_next_prize_turns_up(version: str) -> None:
    for match, reveals in moves_with_reveals("enchere", 3, 20, version=version):
        bids, gone = reveals
        marked = [
            zone["seat"]
            for zone in bids["view"]["zones"]
            for piece in zone["pieces"]
            if piece.get("mark") == "won" and "seat" in zone
        ]
        last = [move.removeprefix("bid ") for _, move in match.moves[-3:]]
        assert sorted(zone(bids, f"bid:{seat}")[0] for seat in range(3)) == sorted(last)
        [winner] = marked
        [prize] = zone(bids, "prize")
        assert prize not in zone(bids, f"won:{winner}")
        assert prize in zone(gone, f"won:{winner}")
        assert zone(gone, "prize") == []
        assert bids["view"]["prompt"]["args"]["seat"] == {"seat": winner}


def test_at_the_end_of_a_round_of_hamsterdam_the_lowest_stock_is_marked_before_the_next_is_dealt() -> None:
    rounds = 0
    for _, reveals in moves_with_reveals("hamsterdam", 4, 20):
        view = reveals[-1]["view"]
        if "scoring" not in view:
            assert view["prompt"]["text"] == "Markets close: all stocks turn face up."
            continue
        rounds += 1
        lost = {row["seat"] for row in view["scoring"]["rows"] if row.get("mark") == "lost"}
        marked = {zone["seat"] for zone in view["zones"] for piece in zone["pieces"] if piece.get("mark") == "lost"}
        assert marked == lost
    assert rounds


def test_a_bundle_that_is_stolen_is_looked_at() -> None:
    for match, reveals in moves_with_reveals("bundles", 4, 10):
        texts = [line["text"]["text"] for line in match.entries(None, match.ply) if line["kind"] == "move"]
        assert "steals" in texts[0] or match.over
        assert reveals[-1]["view"]["prompt"]["text"] == texts[0]


@full
@pytest.mark.parametrize("rules", ["official", "series"])
def test_the_end_of_a_leg_is_looked_at_with_the_bets_that_led_there(rules: str) -> None:
    ends = 0
    for match, [reveal] in moves_with_reveals("camelup", 4, 25, rules=rules):
        after = match.view(None)
        bets = [zone for zone in reveal["view"]["zones"] if zone["id"].startswith("taken:") or "leg" in zone["id"]]
        assert bets
        assert reveal["view"]["scoring"]["id"] == after["scoring"]["id"]
        camels = [
            [
                piece["id"]
                for space in view["tracks"][0]["spaces"]
                for piece in space["pieces"]
                if "camel" in piece["id"]
            ]
            for view in (reveal["view"], after)
        ]
        assert camels[0] == camels[1]
        ends += match.over
    assert ends, "a race's end, too"


def test_the_card_that_fills_a_trick_is_seen_to_lie_there() -> None:
    """Of a text, too: the rules clear a trick away in the same move."""
    for match, reveals in moves_with_reveals("agram", 3, 20):
        played = match.moves[-1][1].split()
        faces = [
            face for zone in reveals[0]["view"]["zones"] for piece in zone["pieces"] if (face := piece.get("face"))
        ]
        assert set(faces) & set(played), "the last card of the trick lies open"
        assert len(faces) >= 3, "so do the others'"
