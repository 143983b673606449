"""The record of who has seen which card, and the ids that distinguish open cards of one face."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import FastChance, Sight
from games.core.cards import Pack, deck
from games.core.dealing import redeal
from games.core.sight import BLIND
from tests.tiers import examples

DOUBLES = Pack.of({"guard": 3, "priest": 2, "king": 1})


def test_a_pack_distinguishes_cards_of_one_face() -> None:
    assert DOUBLES.cards == ("guard", "guard.2", "guard.3", "priest", "priest.2", "king")
    assert [DOUBLES.faces[card] for card in DOUBLES] == ["guard"] * 3 + ["priest"] * 2 + ["king"]
    assert DOUBLES.doubles == {"guard", "priest"}
    assert not Pack.of(deck()).doubles
    both = Pack.of(["A", "2"], back="red") + Pack.of({"x": 2}, back="blue", attributes={"x": {"suit": "none"}})
    assert [both.backs[card] for card in both.cards] == ["red", "red", "blue", "blue"]
    assert both.attributes["x"] == {"suit": "none"}


def test_a_card_is_known_to_whom_it_was_shown_until_it_is_shuffled() -> None:
    sight = Sight(DOUBLES, 3)
    assert not any(sight.knows(audience, "king") for audience in (0, 1, 2, None))
    sight.show("king", 1)
    assert [audience for audience in (0, 1, 2, None) if sight.knows(audience, "king")] == [1]
    sight.show_all("guard")
    assert [audience for audience in (0, 1, 2, None) if sight.knows(audience, "guard")] == [0, 1, 2, None]
    sight.shuffle(["king", "guard"])
    assert not any(sight.knows(audience, card) for audience in (0, 1, 2, None) for card in ("king", "guard"))


def test_of_cards_with_one_face_a_seat_keeps_the_one_that_spectators_keep() -> None:
    """Otherwise what spectators know would be false in a determinization, which keeps only what the seat knows."""
    sight, hand = Sight(DOUBLES, 2), ["guard", "guard.2", "guard.3"]
    sight.show("guard.2", 1)  # the first guard that seat 1 sees, and the second one that spectators see
    sight.show_all("guard")
    sight.show_all("guard.2")
    sight.show_to("guard.3", 0b110, hand)  # to seat 1 and to spectators
    assert sight.named_by(None) == sight.named_by(1) == {"guard.2", "guard.3"}


def test_a_copy_is_independent() -> None:
    sight = Sight(DOUBLES, 2)
    sight.show("guard", 0)
    copy = sight.copy()
    copy.show_all("guard.2")
    sight.shuffle(["guard"])
    assert sight.named_by(0) == set()
    assert copy.named_by(0) == {"guard", "guard.2"}
    assert copy.named_by(1) == {"guard.2"}


def test_cards_that_changed_places_out_of_sight_are_known_only_to_the_seat_that_saw_it() -> None:
    sight = Sight(DOUBLES, 3)
    for card in ("guard", "priest"):
        sight.show(card, 0)
        sight.show(card, 1)
    sight.mix(["guard", "priest", "king"], but=[0])
    assert (sight.named_by(0), sight.named_by(1)) == ({"guard", "priest"}, set())


def test_the_id_of_a_face_that_is_there_once_is_the_face() -> None:
    assert Sight(DOUBLES, 2).piece_id(None, "king") == "king"


def test_open_cards_of_one_face_have_different_ids_which_stay_while_they_are_followed() -> None:
    sight = Sight(DOUBLES, 2)
    sight.show_all("guard.3")
    first = sight.piece_id(None, "guard.3")
    sight.show_all("guard")
    assert first == sight.piece_id(None, "guard.3") != sight.piece_id(None, "guard")
    sight.shuffle(["guard"])
    assert sight.piece_id(None, "guard.3") == first


def test_ids_reveal_neither_which_of_the_doubles_it_is_nor_when_others_saw_one() -> None:
    ids = []
    for card in ("guard", "guard.2", "guard.3"):
        sight = Sight(DOUBLES, 2)
        other = next(one for one in ("guard", "guard.2", "guard.3") if one != card)
        sight.show(other, 1)  # spectators and seat 0 must not notice
        sight.show_all(card)
        ids.append((sight.piece_id(None, card), sight.piece_id(0, card)))
    assert ids == [ids[0]] * 3


def test_a_shuffle_cannot_be_followed_by_ids() -> None:
    """A card that was open goes into the deck; whichever of its kind comes out then has the same id."""
    ids = []
    for drawn in ("guard", "guard.2", "guard.3"):
        sight = Sight(DOUBLES, 2)
        sight.show_all("guard")
        sight.shuffle(DOUBLES.cards)
        sight.show_all(drawn)
        ids.append(sight.piece_id(0, drawn))
    assert ids == [ids[0]] * 3


def test_a_card_from_a_hand_is_taken_for_the_one_of_its_face_that_was_known_to_be_there() -> None:
    """Seat 1 has seen a guard go to seat 0's hand, which may hold another: nobody knows which one is played."""
    seen = []
    for played in ("guard", "guard.2"):
        sight = Sight(DOUBLES, 2)
        sight.show_all("guard")
        sight.show("guard", 0)
        sight.show("guard.2", 0)
        before = sight.piece_id(1, "guard")
        sight.show_all(played, out_of=["guard", "guard.2"])
        left = "guard.2" if played == "guard" else "guard"
        seen.append((before, sight.piece_id(1, played), sight.knows(1, left), sight.knows(0, left)))
    assert seen == [seen[0]] * 2
    assert seen[0][0] == seen[0][1], "it is the guard that was followed, for all that seat 1 knows"
    assert seen[0][2:] == (False, True)


def test_drawing_a_card_that_was_never_shown_is_an_error_that_says_so() -> None:
    with pytest.raises(LookupError, match=r"guard\.2 .* seat 1.* call sight\.show"):
        Sight(DOUBLES, 2).piece_id(1, "guard.2")
    assert Sight(DOUBLES, 2).piece_id(1, "guard.2", face_up=True) == "guard.2"


def test_a_seat_that_knew_the_card_of_a_place_knows_the_one_that_was_dealt_there_again() -> None:
    sight = Sight(DOUBLES, 2)
    sight.show("guard", 1)
    sight.redraw(["guard", "king"], ["king", "guard"])
    assert sight.named_by(1) == {"king"}
    assert sight.copy().named_by(1) == {"king"}


def test_a_blind_record_knows_nothing() -> None:
    BLIND.show_all("guard")
    BLIND.show("guard", 0)
    assert not BLIND.knows(0, "guard")
    assert BLIND.copy() is BLIND


# -- random tables: cards are drawn, played, taken back, passed on and shuffled


@dataclass
class Table:
    """Piles and hands; every hand is seen by its owner, the middle by all, the deck by nobody."""

    seats: int
    deck: list[str]
    hands: list[list[str]]
    sight: Sight
    middle: list[str] = field(default_factory=list)

    def piles(self) -> list[list[str]]:
        return [self.deck, *self.hands, self.middle]

    def step(self, chance: FastChance) -> None:
        """Draw, play, take back, pass on or shuffle, at random."""
        seat = chance.randbelow(self.seats)
        hand = self.hands[seat]
        kind = chance.randbelow(6)
        if kind in (0, 1) and self.deck:
            card = self.deck.pop()
            hand.append(card)
            self.sight.show(card, seat)
        elif kind == 2 and hand:
            card = hand.pop(chance.randbelow(len(hand)))
            self.sight.show_all(card, out_of=[card, *hand])
            self.middle.append(card)
        elif kind == 3 and self.middle:  # taken from the middle, for all to see
            hand.append(self.middle.pop())
        elif kind == 4 and hand:  # passed on, face down
            card = hand.pop(chance.randbelow(len(hand)))
            left = self.hands[(seat + 1) % self.seats]
            self.sight.mix([card, *hand], but=[seat])
            left.append(card)
            self.sight.show(card, (seat + 1) % self.seats)
        elif kind == 5 and self.middle:
            self.sight.shuffle([*self.middle, *self.deck])
            self.deck += self.middle
            self.middle = []
            chance.shuffle(self.deck)

    def view(self, audience: int | None) -> list[list[str]]:
        """Return ids and faces as an audience sees them."""
        hands = [
            [self.sight.piece_id(seat, card) for card in hand] if audience == seat else ["?"] * len(hand)
            for seat, hand in enumerate(self.hands)
        ]
        return [[self.sight.piece_id(audience, card) for card in self.middle], *hands, ["?"] * len(self.deck)]


def table(seed: str, seats: int, steps: int, pack: Pack) -> Table:
    """Return a table after some random steps."""
    chance = FastChance(seed)
    cards = list(pack)
    chance.shuffle(cards)
    result = Table(seats, cards, [[] for _ in range(seats)], Sight(pack, seats))
    for _ in range(steps):
        result.step(chance)
    return result


packs = st.sampled_from([DOUBLES, Pack.of({"a": 4, "b": 4}), Pack.of(deck(suits="C"))])


@examples(200)
@given(seed=st.integers(0, 2**32).map(str), seats=st.integers(2, 4), steps=st.integers(0, 40), pack=packs)
def test_ids_are_different_in_every_view_and_say_the_face(seed: str, seats: int, steps: int, pack: Pack) -> None:
    result = table(seed, seats, steps, pack)
    for audience in (None, *range(seats)):
        open_ids = [one for zone in result.view(audience) for one in zone if one != "?"]
        assert len(set(open_ids)) == len(open_ids)
        own = [] if audience is None else result.hands[audience]
        assert Counter(one.split(".")[0] for one in open_ids) == Counter(
            pack.faces[card] for card in [*result.middle, *own]
        )


@examples(200)
@given(
    seed=st.integers(0, 2**32).map(str),
    seats=st.integers(2, 4),
    steps=st.integers(0, 40),
    pack=packs,
    more=st.integers(0, 9),
)
def test_a_determinization_looks_the_same_to_the_seat_now_and_later(
    seed: str, seats: int, steps: int, pack: Pack, more: int
) -> None:
    """Redeal what seat 0 does not know: its view stays, and its knowledge of every place it can name."""
    result = table(seed, seats, steps, pack)
    before = result.view(0)
    known = [[card if result.sight.knows(0, card) else "" for card in pile] for pile in result.piles()]
    redeal(result.piles(), result.sight, 0, FastChance("redeal"))
    assert result.view(0) == before
    assert [[card if result.sight.knows(0, card) else "" for card in pile] for pile in result.piles()] == known
    assert sorted(card for pile in result.piles() for card in pile) == sorted(pack)
    for seat in range(1, seats):
        result.view(seat)  # raises if a player cannot name a card of their hand
    chance = FastChance(f"{seed} continued")
    for _ in range(more):
        result.step(chance)
    for audience in (None, *range(seats)):
        result.view(audience)


@examples(100)
@given(seed=st.integers(0, 2**32).map(str), seats=st.integers(2, 4), steps=st.integers(0, 40), pack=packs)
def test_a_determinized_deal_depends_on_what_the_seat_knows_only(seed: str, seats: int, steps: int, pack: Pack) -> None:
    results: list[Any] = []
    for first in ("one", "two"):
        result = table(seed, seats, steps, pack)
        redeal(result.piles(), result.sight, 0, FastChance(first))
        redeal(result.piles(), result.sight, 0, FastChance("the same"))
        results.append(result.piles())
    assert results[0] == results[1]


def test_of_several_known_cards_of_a_face_nobody_knows_which_comes_out_of_a_hand() -> None:
    """Both were seen going into the hand of seat 0: to all others it makes no difference which of them is played."""
    after = []
    for played in ("cat", "cat.2"):
        hand = ["cat", "cat.2", "mouse"]
        sight = Sight(Pack.of({"cat": 2, "mouse": 1}), 2)
        for card in ("cat", "cat.2"):
            sight.show_all(card)
        sight.take(played, hand, [1, 2])
        sight.show_all(played, hand)
        after.append([sight.piece_id(audience, played) for audience in (1, None)])
        assert {sight.piece_id(0, card) for card in ("cat", "cat.2")} == {"cat.1", "cat.2"}  # seat 0 sees the hand
    assert after[0] == after[1] == ["cat.1", "cat.1"]


def test_a_card_that_may_be_one_of_several_known_ones_is_taken_for_the_first_of_them_however_they_lie() -> None:
    for hand in (("guard", "guard.2", "guard.3"), ("guard.2", "guard", "guard.3")):
        sight = Sight(DOUBLES, 2)
        for card in ("guard", "guard.2"):
            sight.show(card, 1)
        sight.show("guard.3", 1, hand)
        assert sight.piece_id(1, "guard.3") == "guard.1"
