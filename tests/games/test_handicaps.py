"""Handicaps: seats that start with more or less than usual, in every game that offers them."""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import BadOption, FastChance, Game, Match, SealedChance
from games.core.handicap import OPTION
from games.core.view import plain
from tests.games.cases import likely_move

OFFERING = [game for game in catalogue.listed() if game.handicap]
offering = pytest.mark.parametrize("game", OFFERING, ids=lambda game: game.name)


def begun(game: Game, given: str | int | None = None, seed: bytes = bytes(32)) -> Match:
    options = {} if given is None else {OPTION: given}
    return Match.start(game, game.default_seats, options, SealedChance(seed))


def counted(match: Match) -> list[int]:
    """Return by seat the value of the counter that the game's handicap is named after."""
    assert match.game.handicap
    found = []
    for seat in match.view(None)["seats"]:
        [value] = [one["value"] for one in seat["counters"] if one["label"]["text"] == match.game.handicap.noun]
        found.append(value)
    return found


def test_some_games_offer_handicaps() -> None:
    assert len(OFFERING) >= 3


@offering
def test_each_seat_starts_with_its_handicap_and_all_else_is_the_same(game: Game) -> None:
    assert game.handicap
    amounts = [game.handicap.low, game.handicap.high, *[0] * (game.default_seats - 2)]
    usual, match = begun(game), begun(game, f"{game.handicap.low} {game.handicap.high}")
    assert counted(match) == [before + more for before, more in zip(counted(usual), amounts, strict=True)]
    assert match.to_act() == usual.to_act()
    assert [match.legal_moves(seat) for seat in match.to_act()] == [usual.legal_moves(seat) for seat in usual.to_act()]


@offering
def test_everybody_sees_who_starts_with_what(game: Game) -> None:
    assert game.handicap
    match = begun(game, f"0 {game.handicap.high}")
    names = [f"seat {seat}" for seat in range(game.default_seats)]
    expected = f"seat 1 starts with +{game.handicap.high} ({game.handicap.noun})."
    for audience in (None, *range(game.default_seats)):
        view = match.view(audience)
        assert view["handicap"]["amounts"] == [0, game.handicap.high, *[0] * (game.default_seats - 2)]
        assert expected in [plain(entry["text"], names) for entry in match.entries(audience, 0)]


@offering
def test_a_match_with_handicaps_is_replayed_with_them(game: Game) -> None:
    assert game.handicap
    seed = bytes(range(32))
    match = begun(game, f"{game.handicap.low} {game.handicap.high}", seed)
    choices = FastChance("any")
    while not match.over:
        for reveal in match.reveals(None):
            assert reveal["view"]["handicap"] == match.handicap
        likely_move(match, choices)
    again = Match.replay(game, game.default_seats, match.options, seed, match.moves)
    assert again.view(None) == match.view(None)
    assert match.view(None)["handicap"] == match.handicap


@offering
@pytest.mark.parametrize("given", [None, "", "0", "0 0", 0])
def test_without_a_handicap_a_match_is_stored_as_ever(game: Game, given: str | int | None) -> None:
    match = begun(game, given)
    assert OPTION not in match.options
    assert "handicap" not in match.view(None)
    assert match.log[0] == begun(game).log[0]


@offering
@pytest.mark.parametrize("given", ["1000", "-1000", "1.5", "1,1", "many", "0 0 0 0 0 0 0 0 0 0 1", "1" * 5000])
def test_handicaps_out_of_bounds_are_refused(game: Game, given: str) -> None:
    with pytest.raises(BadOption, match=r"^handicap (must be whole numbers from|has numbers for 11 seats)"):
        begun(game, given)


def test_a_game_that_offers_none_has_no_such_option() -> None:
    with pytest.raises(BadOption, match="has no option 'handicap'"):
        catalogue.find("bundles").check_options({OPTION: "1"})
