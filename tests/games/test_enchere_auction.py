"""Who wins a prize: each tie rule by name, and all possible bids against the rule written in another way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import pytest

from games.core.cards import JOKER
from games.enchere.auction import CASH, COURT, VERSIONS, Why, award, best_hand, legal_bids, points
from games.enchere.game import GAME
from tests.tiers import full, tiered

PRIZES = (*COURT, JOKER)

# -- by name


@pytest.mark.parametrize(
    ("bids", "prize", "winner", "why"),
    [
        ("JS 9D 4C", "KD", 0, "rank"),
        ("9D 10S 2D", "KD", 1, "rank"),
        ("2C 2D 3H", "AS", 2, "rank"),
        ("JS JD 4C", "KD", 1, "suit"),
        ("4D 10S 10D", "QD", 2, "suit"),
        ("7C 7D 7H", "AH", 2, "suit"),
        ("JS JC 4D", "KD", 2, "lowest"),
        ("10H 9C 10D", "KS", 1, "lowest"),
        ("2S 3C 3D", "AS", 0, "lowest"),
        ("9S 9H 9C", "KD", 1, "colour"),
        ("9S 9H 9D", "KC", 0, "colour"),
        ("9C 9S 9D", "QH", 2, "colour"),
        ("9H 9C 9D", "AS", 1, "colour"),
    ],
)
def test_rank_decides_then_suit_then_the_lowest_then_the_colour(bids: str, prize: str, winner: int, why: Why) -> None:
    assert award(bids.split(), prize, "", 0) == (winner, why)


@pytest.mark.parametrize(
    ("bids", "prize", "spare", "winner", "why"),
    [
        ("JD 3S 10D", "KD", "3H", 1, "spare"),
        ("JD 2S JS", "KD", "2H", 1, "spare"),
        ("3D 3S JH", "KD", "3H", 0, "suit"),
        ("3S 3C JD", "KD", "3H", 2, "lowest"),
        ("JD 3S 3C", "KD", "3D", 0, "lowest"),
        ("3S 3C 3D", "KH", "3H", 2, "colour"),
        ("3S 3C 3D", "KD", "3H", 2, "suit"),
        ("JD JS 4H", "KD", "3H", 0, "suit"),
        ("JC JS 4H", "KD", "3H", 2, "lowest"),
        ("JC JS JH", "KD", "3H", 2, "colour"),
    ],
)
def test_the_spares_rank_beats_every_other_and_ties_in_it_are_broken_alike(
    bids: str, prize: str, spare: str, winner: int, why: Why
) -> None:
    assert award(bids.split(), prize, spare, 0) == (winner, why)


@pytest.mark.parametrize("last", [0, 1, 2])
@pytest.mark.parametrize(
    ("bids", "winner", "why"),
    [
        ("JD 9S 10D", 0, "rank"),
        ("JD 3S 10D", 1, "spare"),
        ("JD JS 10D", 2, "lowest"),
        ("3C 5C 3S", 1, "lowest"),
    ],
)
def test_the_joker_has_no_suit_so_two_that_tie_for_it_lose(bids: str, winner: int, why: Why, last: int) -> None:
    assert award(bids.split(), JOKER, "3H", last) == (winner, why)


@pytest.mark.parametrize("last", [0, 1, 2])
@pytest.mark.parametrize("bids", ["9S 9C 9D", "3S 3C 3D"])
def test_three_that_tie_for_the_joker_leave_it_to_the_winner_of_the_prize_before(bids: str, last: int) -> None:
    assert award(bids.split(), JOKER, "3H", last) == (last, "last")


# -- by enumeration

CASH_RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J"]
RED = {"D", "H"}


def rule(cards: Sequence[str], prize: str, spare: str) -> str | None:
    """Return which of three bids wins, None for a three-way tie for the Joker: the rule written as what beats what.

    Cards of the spare's rank are above all others, which are ordered by rank. A bid that is alone at the top wins.
    """
    steps: dict[int, list[str]] = {}
    for card in cards:
        special = bool(spare) and card[:-1] == spare[:-1]
        steps.setdefault(99 if special else CASH_RANKS.index(card[:-1]), []).append(card)
    ladder = [steps[step] for step in sorted(steps)]
    top = ladder[-1]
    if len(top) == 1:
        return top[0]
    in_suit = [card for card in top if card[-1] == prize[-1] and prize != JOKER]
    if in_suit:
        return in_suit[0]
    if len(top) == 2:
        return ladder[0][0]
    if prize == JOKER:
        return None
    (alike,) = [card for card in top if (card[-1] in RED) == (prize[-1] in RED)]
    return alike


def check(bids: Sequence[str], prize: str, spare: str) -> None:
    last = len(bids[0] + bids[1]) % 3
    seat, why = award(bids, prize, spare, last)
    winner = rule(bids, prize, spare)
    assert (why == "last") == (winner is None)
    assert seat == (last if winner is None else bids.index(winner)), (bids, prize, spare)


@pytest.mark.parametrize("prize", tiered(COURT, lambda prize: prize in ("QC", "KD", "AH")))
def test_without_a_spare_the_rule_decides_all_bids_for_all_prizes(prize: str) -> None:
    count = 0
    for bids in permutations(CASH, 3):
        check(bids, prize, "")
        count += 1
    assert count == 40 * 39 * 38


@full
@pytest.mark.parametrize("rank", CASH_RANKS)
def test_with_a_spare_the_rule_decides_all_bids_for_all_prizes(rank: str) -> None:
    """Every spare, all sets of three bids, every prize where bids tie, else one of each suit; seatings go round."""
    seatings = list(permutations(range(3)))
    for suit in "CDHS":
        spare = rank + suit
        triples = list(combinations([face for face in CASH if face != spare], 3))
        assert len(triples) == 9139
        for index, triple in enumerate(triples):
            a, b, c = seatings[index % 6]
            tie = len({face[:-1] for face in triple}) < 3
            for prize in PRIZES if tie else ("QC", "KD", "AH", "QS", JOKER):
                check((triple[a], triple[b], triple[c]), prize, spare)


def test_seats_do_not_matter_for_who_wins() -> None:
    for bids, prize, spare in ((("JS", "JC", "4D"), "KD", ""), (("3S", "9C", "3D"), "AH", "3C")):
        winners = {order[award(order, prize, spare, 0)[0]] for order in permutations(bids)}
        assert len(winners) == 1


# -- what may be bid


@pytest.mark.parametrize(
    ("hand", "prize", "spare", "legal"),
    [
        ("2C 9D 3H", "KD", "", "2C 9D 3H"),
        ("2C 9D 3H JD", "KD", "5S", "9D JD"),
        ("2C 9D 3H JD", "KD", "2S", "2C 9D JD"),
        ("2C 9D 3H JD", "KS", "5S", "2C 9D 3H JD"),
        ("2C 9D 3H JD", JOKER, "5S", "2C 9D 3H JD"),
        ("2C 9D", "KD", "9S", "9D"),
    ],
    ids=["no spare", "suit", "suit or the spare's rank", "void", "the Joker", "both at once"],
)
def test_suit_is_followed_unless_there_is_no_spare_or_the_bid_has_its_rank(
    hand: str, prize: str, spare: str, legal: str
) -> None:
    assert legal_bids(hand.split(), prize, spare) == legal.split()


# -- what prizes are worth


def test_in_enchere_an_ace_is_worth_four_a_king_two_and_a_queen_one() -> None:
    assert [points("enchere", [face]) for face in ("AC", "KD", "QH")] == [4, 2, 1]
    assert points("enchere", COURT) == 28


def test_in_avancee_hearts_count_two_the_king_of_hearts_seven_and_the_joker_takes_ten() -> None:
    assert [points("avancee", [face]) for face in ("AC", "QS", "QH", "AH", "KH", JOKER)] == [1, 1, 2, 2, 7, -10]
    assert points("avancee", VERSIONS["avancee"].prizes) == 9 + 2 + 2 + 7 - 10


@pytest.mark.parametrize(
    ("won", "name", "value"),
    [
        ("", "no hand", 0),
        ("QC KD AH", "no hand", 0),
        ("QC QD AH", "a pair", 1),
        ("QC QD AH AS KC", "two pairs", 2),
        ("QC QD AH AS KC KD", "two pairs", 2),
        ("QC KC AC", "a royal trio", 4),
        ("QC KC AC QD KD", "a royal trio", 4),
        ("QC KC AC QD KD AD", "a royal trio", 4),
        ("QC QD QH AC", "three of a kind", 6),
        ("QC QD QH KC AC", "three of a kind", 6),
        ("QC QD QH KC KS", "a full house", 8),
        ("KC KD KH AC AS", "a full house", 8),
        ("AC AD AH QC QD", "a full house", 8),
        ("QC QD QH KC KS KD", "a full house", 8),
        ("QC QD QH QS", "four of a kind", 10),
        ("KC KD KH KS AC AD", "four of a kind", 10),
        ("AC AD AH KC KS", "a full house of three aces and two kings", 12),
        ("AC AD AH KC KS KD KH", "a full house of three aces and two kings", 12),
        ("AC AD AH KC KS QC QD QH QS", "a full house of three aces and two kings", 12),
        ("AC AD AH AS", "four aces", 15),
        (" ".join(COURT), "four aces", 15),
    ],
)
def test_in_originale_the_best_hand_scores_its_highest_row_once(won: str, name: str, value: int) -> None:
    assert best_hand(won.split()).name == name
    assert points("originale", won.split()) == value


def test_all_sets_of_prizes_score_the_highest_row_that_some_of_their_cards_fill() -> None:
    """Each row of the table as the cards it takes, tried on all 4096 sets."""
    by_rank = {rank: [face for face in COURT if face[0] == rank] for rank in "QKA"}
    pairs = [set(pair) for rank in "QKA" for pair in combinations(by_rank[rank], 2)]
    triples = [set(triple) for rank in "QKA" for triple in combinations(by_rank[rank], 3)]
    aces = [triple for triple in triples if all(face[0] == "A" for face in triple)]
    kings = [pair for pair in pairs if all(face[0] == "K" for face in pair)]
    rows = [(15, [set(by_rank["A"])]), (12, [a | k for a in aces for k in kings])]
    rows += [(10, [set(by_rank[rank]) for rank in "QKA"])]
    rows += [(8, [t | p for t in triples for p in pairs if len(t | p) == 5 and len({f[0] for f in t | p}) == 2])]
    rows += [(6, triples), (4, [{rank + suit for rank in "QKA"} for suit in "CDHS"])]
    rows += [(2, [p | q for p, q in combinations(pairs, 2) if len({f[0] for f in p | q}) == 2]), (1, pairs)]
    for held in range(1 << len(COURT)):
        won = {face for place, face in enumerate(COURT) if held >> place & 1}
        expected = next((value for value, hands in rows if any(hand <= won for hand in hands)), 0)
        assert points("originale", won) == expected, won


def test_the_versions_have_the_cards_and_targets_of_the_rules() -> None:
    assert [(v.name, v.target, v.hand, len(v.prizes), v.spare) for v in VERSIONS.values()] == [
        ("enchere", 50, 12, 12, False),
        ("avancee", 42, 13, 13, True),
        ("originale", 42, 12, 12, True),
    ]
    assert len(set(CASH)) == 40
    assert {option.name: option.choices for option in GAME.options}["version"] == tuple(VERSIONS)
