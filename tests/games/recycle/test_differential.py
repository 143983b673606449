"""Native games and their texts agree: see ``differential.py``, which can be asked for many more matches."""

from __future__ import annotations

import pytest

from games.core.cards import JOKER, rank
from tests.games.recycle.differential import TEXTS, Text, play_enchere, play_many
from tests.tiers import tiered

# Seeds of matches in which every rule comes up by which a card takes something, or a prize goes to somebody.
TAKINGS = {"none", "pool", "bundle", "both"}
AWARDS = {
    "enchere-simple": (range(5), {"rank", "suit", "lowest", "colour"}),
    "enchere-avancee": ((0, 1, 2, 6), {"rank", "spare", "suit", "lowest", "colour", "last"}),
    "enchere-originale": ((0, 1, 2, 8), {"rank", "spare", "suit", "lowest", "colour"}),
}


@pytest.mark.parametrize("seats", tiered([2, 3, 4], lambda seats: seats == 3))
def test_stealing_bundles_plays_as_its_text_does(seats: int) -> None:
    assert set(play_many(f"stealing-{seats}", range(20))) == TAKINGS


@pytest.mark.parametrize("text", tiered(list(AWARDS), lambda text: text.endswith("simple")))
def test_enchere_plays_as_its_texts_do(text: str) -> None:
    seeds, rules = AWARDS[text]
    assert set(play_many(text, seeds)) == rules


def test_a_joker_that_comes_first_and_is_tied_by_all_goes_to_the_first_seat_in_both() -> None:
    happened = play_enchere("avancee", "0", first_prize=JOKER, bids=["6S", "6C", "6H"])
    assert next(iter(happened)) == "first"


@pytest.mark.parametrize("version", ["avancee", "originale"])
def test_bids_of_the_spares_rank_tie_like_others_in_both(version: str) -> None:
    [spare] = Text(TEXTS[version], 3, "0").seen(None)[-1, "SPARE"]
    one, two = [f"{rank(spare)}{suit}" for suit in "CHS" if suit != spare[-1]][:2]
    low = "3D" if rank(spare) == "2" else "2D"
    happened = play_enchere(version, "0", first_prize="KD", bids=[one, two, low])
    assert next(iter(happened)) == "lowest"
