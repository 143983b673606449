"""Every game as an environment: what an agent may know, that numbers mean one thing each, and others' own tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from games import catalogue
from games.core import FastChance, Game, Match
from games.env.gym import SeatEnv
from games.env.play import Coding, Play, numbers_of
from games.env.vector import Vector
from games.env.words import MoveWords, Spelled, branching
from games.env.zoo import MatchEnv
from tests.games.cases import CASES, STRANGERS, Case, positions
from tests.running_site import ROOT
from tests.tiers import full, sampled, tiered


def has_encoder(game: Game) -> bool:
    """Whether a game can be an environment; an encoder is optional for a game that somebody adds."""
    return type(game).encoder is not Game.encoder


NATIVE = [name for name in catalogue.providers[0].names() if has_encoder(catalogue.find(name))]
TEXTS = ["golf-patience", "gops", "hearts", "kuhn", "president", "rummy"]
CODED = [case for case in [*CASES, *STRANGERS] if has_encoder(case.game)]
cases = pytest.mark.parametrize("case", tiered(CODED, lambda case: case.quick, str))


def test_all_games_of_the_site_can_be_environments() -> None:
    assert {"hamsterdam", "bundles", "enchere", "camelup", "thief"} <= {*NATIVE}
    assert has_encoder(catalogue.find("agram"))


# PettingZoo wonders at observations with a mask in them, which is how its own card games give theirs.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("name", sampled([*NATIVE, *TEXTS], 4))
def test_pettingzoo_finds_no_fault(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(MatchEnv(name), num_cycles=40)
    seed_test(lambda: MatchEnv(name), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", sampled([*NATIVE, *TEXTS], 4))
def test_gymnasium_finds_no_fault(name: str) -> None:
    check_env(SeatEnv(name), skip_render_check=True)


def play(env: MatchEnv, seed: int) -> dict[str, float]:
    """Play at random to the end; return the sum of what each agent was rewarded with."""
    env.reset(seed)
    choices, result = FastChance(str(seed)), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, done, cut, _ = env.last()
        result[agent] += reward
        env.step(None if done or cut else choices.choice(np.flatnonzero(observed["action_mask"]).tolist()))
    return result


@pytest.mark.parametrize("name", ["hamsterdam", "enchere", "kuhn"])
def test_a_player_who_wins_alone_gets_one_and_what_is_won_is_lost(name: str) -> None:
    for seed in range(5):
        env = MatchEnv(name)
        result = play(env, seed)
        winners = [env.possible_agents[seat] for seat in env.play.state.winners()]
        best = max(result.values())
        assert [agent for agent in result if result[agent] == best] == winners
        assert (best == 1) == (len(winners) == 1)
        assert sum(result.values()) == pytest.approx(0)


# -- observations


def coded(case: Case) -> Coding:
    return Coding(case.game, case.seats, case.options)


def seen(coding: Coding, state: Any, seat: int) -> dict[str, float]:
    """Return what differs from 0 in an observation, by name."""
    out = np.zeros(len(coding.encoder.names), np.float32)
    coding.encoder.write(state, seat, numbers_of(out))
    return {coding.encoder.names[number]: float(out[number]) for number in np.flatnonzero(out)}


@cases
def test_each_number_of_an_observation_has_a_name_of_its_own(case: Case) -> None:
    coding = coded(case)
    assert len(set(coding.names)) == len(coding.names) == coding.size
    assert len(set(coding.words.words)) == len(coding.words)


@cases
def test_a_seat_observes_the_same_whatever_is_hidden_from_it(case: Case) -> None:
    coding = coded(case)
    for match, seat, chance in positions(case, 4):
        here = seen(coding, match.state, seat)
        assert here
        for _ in range(2):
            assert seen(coding, match.state.determinize(seat, chance), seat) == here


def test_another_seat_sees_other_cards() -> None:
    for name in ("hamsterdam", "enchere", "bundles", "hearts"):
        coding = Coding(catalogue.find(name))
        state = coding.start(FastChance("other"))
        other = state.determinize(0, FastChance("x"))
        assert seen(coding, state, 1) != seen(coding, other, 1), name


def test_players_are_counted_from_the_viewer() -> None:
    coding = Coding(catalogue.find("hamsterdam"), 4)
    state = coding.start(FastChance("1"))
    for seat in range(4):
        assert seen(coding, state, seat)[f"to act +{(state.to_act()[0] - seat) % 4}"] == 1


def test_what_lies_open_and_in_the_own_hand_is_named_and_what_lies_closed_is_counted() -> None:
    coding = Coding(catalogue.find("agram"), 2)
    state: Any = coding.start(FastChance("1"))
    observed = state.observe(0)
    shown = seen(coding, state, 0)
    for place in observed.places:
        away = f" +{place.where.owner}" if place.where.owner >= 0 else ""
        name = f"{place.where.vis} {place.where.name}{away}"
        assert shown.get(f"{name} size", 0) == len(place.cards)
        faces = sorted(card.face for card in place.cards if card.face)
        start = f"{name} "
        named = [key.removeprefix(start) for key in shown if key.startswith(start)]
        assert sorted(face for face in named if face != "size" and not face.startswith("top ")) == faces


# -- actions


def walks(moves: list[tuple[Spelled, int]], depth: int = 0) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the words that are chosen for each move, and its number."""
    here = branching(moves, depth)
    for word, rest in here.ways.items():
        if len(rest) == 1:
            yield (word,), rest[0][1]
        else:
            yield from (((word, *more), number) for more, number in walks(list(rest), here.depth + 1))


@cases
def test_each_move_is_one_way_of_choosing_words_and_each_way_is_a_move(case: Case) -> None:
    words = coded(case).words
    for match, _seat, _chance in positions(case, 4):
        for mover in match.to_act():
            moves = match.legal_moves(mover)
            found = list(walks([(words.spell(move), number) for number, move in enumerate(moves)]))
            assert sorted(number for _, number in found) == list(range(len(moves)))
            assert len({chosen for chosen, _ in found}) == len(moves)


def test_a_move_that_begins_another_and_one_in_no_alphabet_are_spelled_apart() -> None:
    words = MoveWords(["7", "7C", "BID=", *map(str, range(20))])
    moves = ["BID=1", "BID=13", "BID=199", "é 7C", "e 7C", "7C #2", "7C", "", "byte 3"]
    spelled = [words.spell(move) for move in moves]
    assert len(set(spelled)) == len(moves)
    for one in spelled:
        assert one[-1] == 0
        assert 0 not in one[:-1]
    assert sorted(number for _, number in walks([(each, n) for n, each in enumerate(spelled)])) == list(range(9))


def test_words_with_blanks_in_them_are_found_whatever_stands_before_and_after() -> None:
    words = MoveWords(["A", "B", "; ", "player ", " on ", "take a b"])
    for move, expected in {
        "A B A": ["A", " ", "B", " ", "A"],
        "A; player B": ["A", "; ", "player ", "B"],
        "player": [*"player"],
        "A;B; ": ["A", ";", "B", "; "],
        " A on B ": [" ", "A", " on ", "B", " "],
        "take a b": ["take a b"],
        "take a A": [*"take a ", "A"],
        "A  onB": ["A", " ", " ", "o", "n", "B"],
    }.items():
        spelled = words.spell(move)
        assert ([words.words[number] for number in spelled[:-1]], spelled[-1]) == (expected, 0)


def test_the_words_already_chosen_of_a_move_are_seen_by_the_one_who_chooses() -> None:
    play = Play(Coding(catalogue.find("thief")), FastChance("1"))
    before = play.observe(0)
    while play.choose(play.offered[-1]):
        before = play.observe(0)
    assert (play.observe(0) != before).any()


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    env = MatchEnv("bundles")
    env.reset(1)
    mask = env.last()[0]["action_mask"]
    with pytest.raises(ValueError, match="no action of seat"):
        env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.play.history == []


@pytest.mark.parametrize("name", ["kuhn", "enchere", "hearts", "gops", "camelup"])
def test_a_match_in_numbers_is_the_match_with_these_moves(name: str) -> None:
    play, choices = Play(Coding(catalogue.find(name)), FastChance("same")), FastChance("choices")
    match = Match.start(play.coding.game, play.coding.seats, {}, FastChance("same"))
    while not play.over:
        play.choose(choices.choice(play.offered))
    for seat, move in play.history:
        match.advance(seat, move)
    assert match.over
    assert list(match.scores()) == play.scores()


# -- information states


@pytest.mark.parametrize(("name", "seats", "steps"), [("kuhn", 2, 6), ("agram", 2, 3), ("enchere", 3, 4)])
def test_keys_are_equal_just_if_own_histories_are(name: str, seats: int, steps: int) -> None:
    coding = Coding(catalogue.find(name), seats)
    histories: dict[str, tuple[Any, ...]] = {}
    keys: dict[tuple[Any, ...], str] = {}
    for number in range(150):
        # Few deals and many ways to play them, so that histories are often equal.
        play, choices = Play(coding, FastChance(str(number % 5)), keys=True), FastChance(f"choices {number}")
        own: list[list[Any]] = [[seat, play.observe(seat).tobytes()] for seat in range(seats)]
        for _ in range(steps):
            mover, moves = play.seat, len(play.history)
            while len(play.history) == moves:
                play.choose(choices.choice(play.offered))
            own[mover].append(play.history[-1][1])
            for seat in range(seats):
                play_seen = seen_bytes(play, seat)
                if play_seen != next(each for each in reversed(own[seat]) if isinstance(each, bytes)):
                    own[seat].append(play_seen)
                key, history = play.key(seat), tuple(own[seat])
                assert histories.setdefault(key, history) == history
                assert keys.setdefault(history, key) == key
            if play.over:
                break
    assert len(keys) > 20


def seen_bytes(play: Play, seat: int) -> bytes:
    return play.observe(seat).tobytes()


# -- many at once, and failures


def test_many_matches_at_once_are_those_that_are_played_one_by_one() -> None:
    coding, many = Coding(catalogue.find("kuhn")), 3
    vector, choices = Vector(coding, many, "v"), FastChance("choices")
    alone = [Play(coding, FastChance(f"v {number + 1}")) for number in range(many)]
    ended: dict[int, list[float]] = {}
    while not ended:
        for number, play in enumerate(alone):
            assert vector.seats[number] == play.seat
            assert (vector.observations[number] == play.observe(play.seat)).all()
            assert (vector.masks[number] == play.mask()).all()
        words = [choices.choice(play.offered) for play in alone]
        for play, word in zip(alone, words, strict=True):
            play.choose(word)
        ended = vector.step(np.array(words))
    assert ended == {number: play.rewards() for number, play in enumerate(alone) if play.over}


def test_a_match_whose_rules_fail_is_truncated_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    env = MatchEnv("bundles")
    env.reset(1)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("by a rule")

    monkeypatch.setattr(type(env.play.state), "apply", broken)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert set(env.truncations.values()) == {True}
    assert "by a rule" in env.infos[env.agents[0]]["failed"]
    assert set(env.rewards.values()) == {0.0}
    assert not env.observe(env.agents[0])["observation"].any()


def test_a_seat_plays_against_the_bots_it_is_given_in_each_seat_in_turn() -> None:
    env = SeatEnv("agram", 3, opponent="random")
    seats = []
    for number in range(4):
        observed, info = env.reset(seed=7 if not number else None)
        seats.append(env.seat)
        over = False
        while not over:
            assert env.action_masks().tolist() == info["action_mask"].tolist(), "which sb3-contrib asks for"
            observed, reward, over, cut, info = env.step(np.flatnonzero(info["action_mask"])[0])
            assert not cut
        assert reward == env.play.rewards()[env.seat]
        assert observed.shape == (env.coding.size,)
    assert seats == [0, 1, 2, 0]


def test_the_example_trains_a_player_from_a_clone(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "docs/examples/train.py"), "kuhn", "20", "20"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={}, check=True)
    assert "after 20 matches" in done.stdout


@full
def test_the_example_learns(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "docs/examples/train.py"), "agram"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={}, check=True)
    before, after = (float(rate) for rate in re.findall(r"[+-]\d\.\d\d", done.stdout))
    assert after > before + 0.08
