"""Chance: the sealed stream as docs/fair-play.md specifies it, and what both kinds share."""

from __future__ import annotations

import itertools
import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.core import Chance, FastChance, SealedChance, Witness
from games.hamsterdam.game import GAME

PAGE = Path(__file__).parents[2] / "docs" / "fair-play.md"
VECTORS: list[dict[str, Any]] = json.loads(PAGE.read_text().rpartition("```json")[2].partition("```")[0])
ZERO = bytes(32)
WORD = 2**32


@pytest.fixture(params=["sealed", "witness", "fast"])
def chance(request: pytest.FixtureRequest) -> Chance:
    """A fresh chance of each kind."""
    kinds = {"sealed": SealedChance(ZERO), "witness": Witness(ZERO), "fast": FastChance("a seed")}
    return kinds[request.param]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:4])
def test_the_sealed_stream_gives_the_published_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert SealedChance.commitment(seed) == vector["commitment"]
    raw = SealedChance(seed)
    assert [raw.randbelow(WORD) for _ in vector["words"]] == vector["words"]
    drawn = SealedChance(seed)
    assert [[n, drawn.randbelow(n)] for n, _ in vector["draws"]] == vector["draws"]
    assert drawn.position == vector["words_used"]
    items = list(range(20))
    SealedChance(seed).shuffle(items)
    assert items == vector["shuffle_of_0_to_19"]
    side = SealedChance(seed).stream(vector["stream"]["name"])
    deeper = side.stream(vector["stream_in_stream"]["name"])
    for stream, expected in ((side, vector["stream"]), (deeper, vector["stream_in_stream"])):
        assert stream.label == expected["label"]
        assert [[n, stream.randbelow(n)] for n, _ in expected["draws"]] == expected["draws"]


def test_the_page_shows_the_deal_of_its_example() -> None:
    state = GAME.start(3, {"rigged": -1}, SealedChance(bytes.fromhex(VECTORS[1]["seed"])))
    assert (state.dealer, state.stock, state.hands) == (1, ["6C", "8D", "8C"], [["3H"], ["4S"], ["4H"]])
    assert state.stock_deck[-1] == "4D"


def test_words_that_would_favour_small_numbers_are_discarded() -> None:
    # Of 2**32 words, 3 * 2**30 is the largest multiple of itself: the words below it are the answers, in order.
    n = 3 * 2**30
    raw, drawn = SealedChance(ZERO), SealedChance(ZERO)
    kept = [word for word in (raw.randbelow(WORD) for _ in range(400)) if word < n]
    assert len(kept) < 400
    assert [drawn.randbelow(n) for _ in kept] == kept


def test_the_first_discarded_word_is_the_limit_itself() -> None:
    # Ten goes 429,496,729 times into 2**32: the last six words would be one too many for 0 to 5.
    chance = SealedChance(ZERO)
    chance.randbelow(2)
    chance._words = (0, WORD - 1, WORD - 6, WORD - 7, 0, 0, 0, 0)
    assert chance.randbelow(10) == 9
    assert chance.position == 4


@pytest.mark.parametrize("n", [-1, 0, WORD + 1])
def test_nothing_can_be_drawn_from_no_or_too_many_possibilities(chance: Chance, n: int) -> None:
    with pytest.raises(ValueError, match="possibilities"):
        chance.randbelow(n)


def test_a_draw_from_one_possibility_draws_nothing(chance: Chance) -> None:
    twin = chance.clone()
    assert chance.randbelow(1) == 0
    assert chance.randbelow(1000) == twin.randbelow(1000)


def test_each_number_comes_up_about_equally_often(chance: Chance) -> None:
    counts = Counter(chance.randbelow(5) for _ in range(5000))
    assert set(counts) == set(range(5))
    assert all(850 < count < 1150 for count in counts.values())


class Scripted(Chance):
    """Draws the given numbers, so that every way a shuffle can go may be tried."""

    def __init__(self, draws: tuple[int, ...]) -> None:
        self.draws = list(draws)

    def randbelow(self, n: int) -> int:
        assert self.draws[0] < n
        return self.draws.pop(0)

    def stream(self, label: str) -> Chance:
        raise NotImplementedError

    def clone(self) -> Chance:
        raise NotImplementedError


def test_a_shuffle_makes_every_order_in_exactly_one_way() -> None:
    orders = []
    for draws in itertools.product(range(5), range(4), range(3), range(2)):
        items = list("abcde")
        Scripted(draws).shuffle(items)
        orders.append("".join(items))
    assert sorted(orders) == sorted(map("".join, itertools.permutations("abcde")))


def test_a_choice_from_nothing_is_refused(chance: Chance) -> None:
    with pytest.raises(ValueError, match="possibilities"):
        chance.choice([])


@pytest.mark.parametrize("used", range(10))
def test_clones_and_pickles_continue_equally_from_anywhere_in_a_block(chance: Chance, used: int) -> None:
    for _ in range(used):
        chance.randbelow(WORD)
    twin, loaded = chance.clone(), pickle.loads(pickle.dumps(chance))
    expected = [chance.randbelow(100) for _ in range(20)]
    assert [twin.randbelow(100) for _ in range(20)] == expected
    assert [loaded.randbelow(100) for _ in range(20)] == expected


def test_a_named_stream_neither_moves_nor_repeats_its_parent(chance: Chance) -> None:
    twin = chance.clone()
    side = chance.stream("side")
    drawn = [side.randbelow(WORD) for _ in range(8)]
    expected = [twin.randbelow(WORD) for _ in range(8)]
    assert [chance.randbelow(WORD) for _ in range(8)] == expected
    assert drawn != expected
    again, other = chance.stream("side"), chance.stream("other")
    assert [other.randbelow(WORD) for _ in range(8)] != drawn
    assert [again.randbelow(WORD) for _ in range(8)] == drawn, "a stream depends on its name, not on its parent's place"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        SealedChance(bytes(length))


def test_a_witness_makes_the_same_draws_and_its_notes_can_be_repeated() -> None:
    witness, plain = Witness(ZERO), SealedChance(ZERO)
    cards, expected = list("abcdef"), list("abcdef")
    witness.shuffle(cards)
    plain.shuffle(expected)
    assert cards == expected
    assert witness.randbelow(7) == plain.randbelow(7)
    assert witness.randbelow(1) == 0
    assert witness.stream("side").randbelow(9) == plain.stream("side").randbelow(9)
    streams = {"": SealedChance(ZERO), "/side": SealedChance(ZERO, "/side")}
    assert [note["n"] for note in witness.notes] == [0, 7, 9], "a shuffle, a draw, a draw; a draw from one is none"
    for note in witness.notes:
        stream = streams[note["stream"]]
        if note["n"]:
            assert stream.randbelow(note["n"]) == note["value"]
        else:
            again = list(note["before"])
            stream.shuffle(again)
            assert again == note["after"]
