"""What must hold in every game, tried on random matches."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import catalogue
from games.core import (
    BadOption,
    BadRecord,
    FastChance,
    Game,
    IllegalMove,
    Information,
    Match,
    SealedChance,
    State,
    View,
)
from games.core.bot import NEEDS
from games.core.moves import LONGEST_MOVE
from games.core.sight import BLIND
from games.core.view import Paths, Step, path_moves
from games.recycle.phrase_book import EVERYBODY, EVERYBODY_ASKED
from tests.games.cases import Case, cases, games, likely_match, likely_move
from tests.tiers import examples

seeds = st.integers(0, 2**32).map(str)
FEW_ROLLOUTS = 4  # that a bot which searches may spend on a decision: it plays whole matches here
few = examples(3)


def everything(match: Match) -> str:
    """All that anybody can see or know of a position, and its log."""
    audiences: list[int | None] = [None, *range(match.state.seats)]
    views = [match.view(audience) for audience in audiences]
    known = [repr(match.state.observe(audience)) for audience in audiences]
    return json.dumps([views, known, match.view(None, face_up=True), match.log, match.scores()])


@cases
@few
@given(seed=seeds)
def test_somebody_can_act_until_it_is_over_and_the_winners_have_the_best_score(case: Case, seed: str) -> None:
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while match.to_act():
        state = match.state
        assert not state.over
        assert list(state.to_act()) == sorted(set(state.to_act()))
        for seat in range(case.seats):
            moves = state.legal_moves(seat)
            assert bool(moves) == (seat in state.to_act())
            assert len(set(moves)) == len(moves)
            assert all(len(move) <= LONGEST_MOVE for move in moves)
        likely_move(match, choices)
    assert match.over
    result = match.view(None)["result"]
    assert result["scores"] == match.scores()
    assert result["winners"] == match.winners()
    if case.seats > 1:
        assert match.winners() == [seat for seat, rank in enumerate(match.state.ranks()) if rank == 1]


@cases
@few
@given(seed=seeds)
def test_views_refer_only_to_things_in_them_and_offer_each_legal_move_once(case: Case, seed: str) -> None:
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while True:
        # All texts are drawn by one module, and their matches are long: after a while a sample of positions will do.
        looked_at = not case.is_text or match.ply < 40 or match.ply % 8 == 0 or match.over
        for audience in (None, *range(case.seats)) if looked_at else ():
            view = match.view(audience)
            check_view(view, audience, case)
            legal = [] if audience is None else match.state.legal_moves(audience)
            offered = [move["move"] for move in view["moves"]]
            if "paths" in view:
                offered += path_moves(view["paths"])
            assert len(set(offered)) == len(offered)
            assert set(offered) <= set(legal)
            # What does the same as another one is numbered, and people are not offered it again.
            again = {move.rpartition(" #")[0] for move in set(legal) - set(offered)}
            assert again <= set(offered)
        if match.over:
            break
        likely_move(match, choices)


def check_view(view: View, audience: int | None, case: Case) -> None:
    assert (view["game"], view["seat"]) == (case.game.name, audience)
    assert json.loads(json.dumps(view)) == view, "plain data"
    assert [place["seat"] for place in view["seats"]] == list(range(case.seats))
    spaces = [space for track in view.get("tracks", []) for space in track["spaces"]]
    spaces += [cell for grid in view.get("grids", []) for cell in grid["cells"]]
    pieces = [piece["id"] for zone in view["zones"] for piece in zone["pieces"]]
    pieces += [piece["id"] for space in spaces for piece in space["pieces"]]
    assert len(set(pieces)) == len(pieces), "an id is one piece"
    zones = {zone["id"] for zone in view["zones"]} | {space["id"] for space in spaces}
    targets = {f"zone:{zone}" for zone in zones} | {f"seat:{seat}" for seat in range(case.seats)}
    targets |= {f"piece:{piece}" for piece in pieces}
    for move in view["moves"]:
        assert {*move["pieces"], *move.get("takes", [])} <= set(pieces)
        assert move.get("target", f"seat:{0}") in targets
    if "paths" in view:
        assert set(view["paths"]["pieces"].values()) <= set(pieces)
        check_step(view["paths"], view["paths"]["start"])
    for text in texts(view):
        text["text"].format(**text["args"])


def check_step(paths: Paths, step: Step) -> None:
    """Check that a step of a tree of paths is complete: its word, a number for each column, its notes."""
    assert len(step["tally"]) == len(paths["columns"])
    assert all(0 <= note < len(paths["notes"]) for note in [*step.get("notes", []), *step.get("shut", {}).values()])
    longer = step.get("then", [])
    words = [*(other["word"] for other in longer), *step.get("shut", {})]
    assert set(words) <= set(paths["pieces"])
    assert len(set(words)) == len(words)
    for other in longer:
        assert other.get("then") or not other.get("further"), "a step that must be continued can be"
        check_step(paths, other)


def texts(result: Any) -> list[dict[str, Any]]:
    """All sentences in a view or log, however deep."""
    if isinstance(result, dict):
        if set(result) == {"text", "args"}:
            return [result]
        return [text for value in result.values() for text in texts(value)]
    return [text for value in result for text in texts(value)] if isinstance(result, list) else []


def places_of(match: Match) -> set[str]:
    """Return the ids of all places that the spectators' view has."""
    view = match.view(None)
    zones = {zone["id"] for zone in view["zones"]}
    spaces = {space["id"] for track in view.get("tracks", []) for space in track["spaces"]}
    return zones | spaces | {cell["id"] for grid in view.get("grids", []) for cell in grid["cells"]}


@cases
@few
@given(seed=seeds)
def test_motions_in_the_log_go_between_places_of_the_view(case: Case, seed: str) -> None:
    """Before the move or after it: a place in which cards wait until they are passed is only shown while some wait.

    What all players pass on at the same time is in such a place only between two entries.
    """
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    before, after = set[str](), places_of(match)
    while True:
        waiting = Counter[str]()  # cards in places that are not shown
        for motion in (motion for entry in match.log[-1] for motion in entry.get("motions", [])):
            if motion["source"] not in before | after:
                waiting[motion["source"]] -= 1
                assert waiting[motion["source"]] >= 0
            if motion["target"] not in before | after:
                waiting[motion["target"]] += 1
        assert not +waiting
        if match.over:
            break
        likely_move(match, choices)
        before, after = after, places_of(match)


@cases
@few
@given(seed=seeds)
def test_the_log_says_whose_a_move_a_win_and_a_loss_are(case: Case, seed: str) -> None:
    match = likely_match(case, seed)
    for entry in (entry for ply in match.log for entry in ply if entry["kind"] in ("move", "win", "loss")):
        whose = entry["text"]["args"]["seat"]
        assert whose == {"seat": entry["seat"]} if "seat" in entry else whose in (EVERYBODY, EVERYBODY_ASKED), entry
    for (mover, move), ply in zip(match.moves, match.log[1:], strict=True):
        public = [entry for entry in ply if entry["kind"] == "move" and "only" not in entry and "seat" in entry]
        assert [entry["seat"] for entry in public][:1] == [mover], f"{move!r} is not logged as a move of its player"


@cases
@few
@given(seed=seeds)
def test_an_entry_for_one_player_alone_names_that_player_for_others(case: Case, seed: str) -> None:
    match = likely_match(case, seed)
    for ply in range(match.ply + 1):
        own = [entry for entry in match.entries(None, ply, face_up=True) if "only" in entry]
        named = [entry for entry in match.entries(None, ply, face_up=True, named=True) if "only" in entry]
        assert len(named) == len(own)
        for one, other in zip(own, named, strict=True):
            assert "others" not in one | other
            assert {"seat": one["only"]} in other["text"]["args"].values(), one
            assert "You" not in other["text"]["text"], one


@cases
@few
@given(seed=st.binary(min_size=32, max_size=32))
def test_a_replay_equals_the_match_played_live(case: Case, seed: bytes) -> None:
    live = case.start(SealedChance(seed))
    choices = FastChance(seed.hex())
    while not live.over:
        likely_move(live, choices)
    record = json.loads(json.dumps(live.moves))
    again = Match.replay(case.game, case.seats, live.options, seed, record)
    assert everything(again) == everything(live)


@cases
@few
@given(seed=seeds, plies=st.integers(0, 40))
def test_a_clone_goes_its_own_way(case: Case, seed: str, plies: int) -> None:
    match = likely_match(case, seed, plies)
    before = everything(match)
    for copy in (match.state.clone(), match.state.fork(FastChance("other")), pickle.loads(pickle.dumps(match.state))):
        twin = Match(match.game, copy, match.options, list(match.moves), list(match.decisions), list(match.log))
        assert everything(twin) == before
        choices = FastChance("further")
        while not twin.over and twin.ply < match.ply + 30:
            likely_move(twin, choices)
        assert everything(match) == before


@cases
@few
@given(seed=seeds, plies=st.integers(0, 40))
def test_clones_continue_equally_and_so_do_forks_with_equal_chance(case: Case, seed: str, plies: int) -> None:
    state = likely_match(case, seed, plies).state
    futures = []
    for copy in (state.clone(), state.clone(), state.fork(FastChance("other")), state.fork(FastChance("other"))):
        choices = FastChance("further")
        seen: list[View] = []
        while copy.to_act() and len(seen) < 30:
            seat = copy.to_act()[0]
            copy.play(seat, choices.choice(copy.legal_moves(seat)))
            seen.append(case.game.view(copy, None, face_up=True))
        futures.append(json.dumps(seen))
    assert futures[0] == futures[1]
    assert futures[2] == futures[3]


@cases
@few
@given(seed=seeds, plies=st.integers(0, 40), junk=st.text(max_size=30))
def test_an_illegal_move_is_refused_and_changes_nothing(case: Case, seed: str, plies: int, junk: str) -> None:
    match = likely_match(case, seed, plies)
    before = everything(match)
    known = {move for seat in range(case.seats) for move in match.state.legal_moves(seat)}
    tries = {junk, "", " ", *(f"{move} " for move in known), *(move.upper() for move in known), *_altered(known)}
    for seat in range(-1, case.seats + 1):
        legal = match.state.legal_moves(seat) if 0 <= seat < case.seats else []
        for move in tries | known:
            if move not in legal:
                with pytest.raises(IllegalMove, match=r"\S.*\.$"):
                    match.advance(seat, move)
    assert everything(match) == before


def _altered(moves: set[str]) -> set[str]:
    """Moves with a word left out, and with a word too many."""
    words = [move.split() for move in moves]
    shorter = {" ".join(move[:cut] + move[cut + 1 :]) for move in words for cut in range(len(move))}
    return shorter | {" ".join([*move, "0"]) for move in words}


@cases
def test_a_record_with_an_impossible_move_is_refused_with_its_ply(case: Case) -> None:
    match = case.start(SealedChance(bytes(32)))
    seat = match.state.to_act()[0]
    moves = [(seat, match.state.legal_moves(seat)[0]), (seat, "fly away")]
    with pytest.raises(BadRecord, match="Move 2"):
        Match.replay(case.game, case.seats, match.options, bytes(32), moves)


@cases
@few
@given(seed=seeds)
def test_every_bot_plays_only_legal_moves(case: Case, seed: str) -> None:
    match = case.start(FastChance(seed))
    chance = FastChance(f"{seed}/bots")
    bots = [case.game.bot(case.game.bots[seat % len(case.game.bots)].name) for seat in range(case.seats)]
    while not match.over and (not case.is_text or match.ply < 60):
        seat = match.to_act()[-1]
        bot = bots[seat]
        info = Information.of(case.game, match.state, seat, chance, bot.needs, budget=FEW_ROLLOUTS)
        match.advance(seat, bot.choose(info))


@cases
@few
@given(seed=seeds, plies=st.integers(0, 40))
def test_a_rollout_ends_as_random_moves_from_the_same_chance_do(case: Case, seed: str, plies: int) -> None:
    state = likely_match(case, seed, plies).state
    quick, plain = state.fork(FastChance("draws")), state.fork(FastChance("draws"))
    assert quick.rollout(FastChance("moves")) == State.rollout(plain, FastChance("moves"))
    assert quick.over
    assert quick.to_act() == plain.to_act()


@cases
@few
@given(seed=seeds, plies=st.integers(0, 40), cap=st.integers(0, 12))
def test_a_rollout_stops_at_its_limit(case: Case, seed: str, plies: int, cap: int) -> None:
    state = likely_match(case, seed, plies).state
    quick, plain = state.fork(FastChance("draws")), state.fork(FastChance("draws"))
    assert quick.rollout(FastChance("moves"), cap) == State.rollout(plain, FastChance("moves"), cap)
    assert quick.to_act() == plain.to_act()


@cases
@few
@given(seed=seeds)
def test_a_match_without_records_or_written_moves_is_the_same_match(case: Case, seed: str) -> None:
    options, longest = case.game.check_options(case.options), 200
    kept = case.game.start(case.seats, options, FastChance(seed))
    quick = case.game.start_keeping("nothing", case.seats, options, FastChance(seed))
    assert (quick.log, quick.sight) == (None, BLIND)
    choices = FastChance(f"{seed}/choices")
    for _ in range(longest):
        assert quick.to_act() == kept.to_act()
        if kept.over:
            break
        seat = kept.to_act()[0]
        moves, open_options = kept.legal_moves(seat), quick.options(seat)
        number = choices.randbelow(len(moves))
        assert len(open_options) == len(moves)
        quick.take(seat, open_options[number])
        kept.apply(seat, moves[number])
        assert quick.scores() == kept.scores()
    assert [quick.legal_moves(seat) for seat in quick.to_act()] == [kept.legal_moves(seat) for seat in kept.to_act()]
    assert (quick.log, quick.sight) == (None, BLIND)


@cases
def test_what_a_bot_does_to_its_information_changes_nothing(case: Case) -> None:
    match = likely_match(case, "any", 5)
    if match.over:
        return
    before = everything(match)
    seat = match.to_act()[0]
    legal = match.legal_moves(seat)[:]
    for needs in NEEDS:
        info = Information.of(case.game, match.state, seat, FastChance("any"), needs)
        assert info.legal_moves == legal
        info.legal_moves.append("win at once")
        info.legal_moves.reverse()
        assert match.legal_moves(seat) == legal
        with pytest.raises(IllegalMove):
            match.advance(seat, "win at once")
    assert everything(match) == before


@games
@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.new(game.min_seats - 1, {}, FastChance("")),
        lambda game: game.new(game.max_seats + 1, {}, FastChance("")),
        lambda game: game.new(game.default_seats, {"weather": "fine"}, FastChance("")),
        lambda game: game.bot("nobody"),
        lambda game: (
            [game.check_options({option.name: "nonsense"}) for option in game.options]
            or game.check_options({"weather": 1})
        ),
    ],
    ids=["too few seats", "too many seats", "unknown option", "unknown bot", "bad value"],
)
def test_options_and_bots_that_a_game_lacks_are_refused(game: Game, ask: Callable[[Game], object]) -> None:
    with pytest.raises(BadOption, match=r"\.$"):
        ask(game)


@games
def test_a_game_brings_its_rules_page_and_a_house_bot(game: Game) -> None:
    page = game.rules_page()
    assert page.startswith(f"# {game.title}\n")
    assert len(page) > 1500
    assert catalogue.find(game.name) is game
    assert game.min_seats <= game.default_seats <= game.max_seats
    assert game.house_bot == "house"


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(catalogue.UnknownGame, match="hamsterdam"):
        catalogue.find("poker")
