"""Enchère: rounds, sealed bids, targets and what everybody sees, rule by rule."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import BadOption, FastChance, IllegalMove, Match, SealedChance
from games.core.cards import JOKER
from games.core.ranks import leaders
from games.core.view import plain
from games.enchere.auction import CASH, SUIT, VERSIONS, award, legal_bids, points
from games.enchere.game import GAME
from games.enchere.rules import ORDER, EnchereState
from tests.games.enchere import bid, lay
from tests.games.table import NAMES, check_determinize, check_rollout, faces, log, refusal, view, zone
from tests.tiers import examples

versions = pytest.mark.parametrize("version", VERSIONS)


def start(version: str, seed: str = "any", target: int = -1) -> EnchereState:
    state = GAME.new(3, {"version": version, "target": target}, FastChance(seed))
    assert isinstance(state, EnchereState)
    return state


# -- the deal


@pytest.mark.parametrize(
    ("version", "hand", "spare", "aside", "prizes"),
    [("enchere", 12, False, 4, 12), ("avancee", 13, True, 0, 13), ("originale", 12, True, 3, 12)],
)
def test_each_version_deals_its_hands_spare_and_prizes(
    version: str, hand: int, spare: bool, aside: int, prizes: int
) -> None:
    state = start(version)
    assert [len(cards) for cards in state.hands] == [hand] * 3
    assert bool(state.spare) == spare
    assert len(state.aside) == aside
    cash = [*state.aside, *(face for cards in state.hands for face in cards), *([state.spare] if spare else [])]
    assert sorted(cash) == sorted(CASH)
    assert len(state.prizes) == prizes - 1
    assert sorted([*state.prizes, state.prize]) == sorted(VERSIONS[version].prizes)
    assert (JOKER in VERSIONS[version].prizes) == (version == "avancee")


@pytest.mark.parametrize("seats", [2, 4])
def test_only_three_may_play(seats: int) -> None:
    with pytest.raises(BadOption, match="takes 3"):
        GAME.new(seats, {}, FastChance(""))


# -- bidding


def test_all_three_bid_at_once_in_any_order_with_the_same_result() -> None:
    ends = set()
    for order in permutations(range(3)):
        match = Match.start(GAME, 3, {"version": "avancee"}, SealedChance(bytes(32)))
        state = match.state
        assert state.to_act() == (0, 1, 2)
        moves = [state.legal_moves(seat)[0] for seat in range(3)]
        for count, seat in enumerate(order, 1):
            assert state.legal_moves(seat)[0] == moves[seat], "a bid changes nothing for players who have not bid yet"
            match.advance(seat, moves[seat])
            if count < 3:
                assert state.to_act() == tuple(sorted(set(range(3)) - set(order[:count])))
        assert match.decisions == [1, 1, 1]
        ends.add(json.dumps(view(state, None, face_up=True)))
    assert len(ends) == 1


def test_nobody_bids_twice_for_a_prize() -> None:
    state = lay("enchere", ["2C 3C", "4C 5C", "6C 7C"], "KD", coming="AS")
    bid(state, "2C")
    assert state.legal_moves(0) == []
    with pytest.raises(IllegalMove, match="not your turn"):
        state.play(0, "bid 3C")
    assert state.hands[0] == ["3C"]


def test_others_see_that_there_is_a_bid_and_nothing_of_it() -> None:
    seen = []
    for face in ("2C", "JD"):
        state = lay("enchere", ["2C JD", "4C 5C", "6C 7C"], "KD", coming="AS")
        bid(state, face)
        assert faces(state, 1, "bid:0") == faces(state, 2, "bid:0") == faces(state, None, "bid:0") == ["?"]
        assert faces(state, 0, "bid:0") == [face]
        seen.append(json.dumps([view(state, 1), view(state, None), log(state, 1)]))
    assert seen[0] == seen[1]


def test_the_log_shows_only_the_bidder_what_was_bid_until_all_have() -> None:
    state = lay("enchere", ["2C 3C", "4C 5C", "6C 7C"], "KD", coming="AS")
    state.play(1, "bid 4C")
    assert state.log is not None
    lines = list(state.log)
    assert log(state, 1) == ["Bob has bid.", "You bid 4♣."]
    state.log = lines
    assert log(state, 0) == ["Bob has bid."]
    state.play(0, "bid 2C")
    log(state)
    state.play(2, "bid 7C")
    assert log(state) == [
        "Cleo has bid.",
        "Anna bid 2♣, Bob 4♣ and Cleo 7♣.",
        "Cleo wins K♦: 7♣ is the highest bid.",
        "The next prize is A♠.",
    ]


def test_bids_turn_up_together_and_are_spent_and_the_next_prize_turns_up() -> None:
    state = lay("enchere", ["2C 3C", "4C 5C", "6C 7C"], "KD", coming="QS AS")
    bid(state, "2C", "5C", "6C")
    assert [faces(state, None, f"bid:{seat}") for seat in range(3)] == [["2C"], ["5C"], ["6C"]]
    assert faces(state, None, "won:2") == ["KD"]
    assert faces(state, None, "prize") == ["AS"]
    assert state.hands == [["3C"], ["4C"], ["7C"]]
    assert state.to_act() == (0, 1, 2)
    sizes = [zone(state, None, "cash")["size"]]
    state.play(1, "bid 4C")
    assert [faces(state, 0, f"bid:{seat}") for seat in range(3)] == [["2C"], ["?"], ["6C"]]
    sizes.append(zone(state, None, "cash")["size"])
    assert sizes[1] - sizes[0] == 1, "the bid before goes when the next is laid"


def test_a_bid_that_does_not_follow_suit_is_refused_with_the_reason() -> None:
    state = lay("avancee", ["2C 9D 3H", "4C 5C 6C", "7C 8C 9C"], "KD", spare="2S", coming="AS QS")
    assert refusal(state, "bid 3H") == "You hold diamonds: bid one of them, or a card of the spare's rank, 2."
    assert refusal(state, "bid JD") == "You do not hold JD. Your cards: 2C, 9D, 3H."
    assert refusal(state, "9D") == "A card is bid as in 'bid 7C'. You may bid: 2C, 9D."
    assert state.legal_moves(0) == ["bid 2C", "bid 9D"]


@pytest.mark.parametrize(
    ("hand", "prize", "spare", "prompt"),
    [
        ("2C 9D", "KD", "", "Your bid for K♦: any card"),
        ("2C 9D", "KD", "4S", "Your bid for K♦: diamonds"),
        ("2C 3C 9D", "KD", "2S", "Your bid for K♦: diamonds, or any 2"),
        ("2C 9D", JOKER, "4S", "Your bid for Joker: any card"),
        ("2C 9C", "KD", "4S", "Your bid for K♦: any card"),
    ],
)
def test_the_prompt_says_what_may_be_bid(hand: str, prize: str, spare: str, prompt: str) -> None:
    state = lay("avancee" if spare else "enchere", [hand, "5C", "6C"], prize, spare=spare)
    assert plain(view(state, 0)["prompt"], NAMES) == prompt


def test_the_prompt_says_who_is_waited_for() -> None:
    state = lay("enchere", ["2C 3C", "4C 5C", "6C 7C"], "KD", coming="AS")
    prompts = [plain(view(state, None)["prompt"], NAMES)]
    for seat in (1, 0):
        state.play(seat, state.legal_moves(seat)[0])
        prompts.append(plain(view(state, 1)["prompt"], NAMES))
    assert prompts == [
        "Waiting for three bids for K♦",
        "Waiting for Anna and Cleo to bid for K♦",
        "Waiting for Cleo to bid for K♦",
    ]


# -- why a bid won, in one line


@pytest.mark.parametrize(
    ("version", "bids", "prize", "spare", "line"),
    [
        ("enchere", "JS 9D 4C", "KD", "", "Anna wins K♦: J♠ is the highest bid."),
        ("avancee", "JD 3S 4H", "KD", "3H", "Bob wins K♦: 3♠ has the rank of the spare."),
        ("enchere", "JS JD 4C", "KD", "", "Bob wins K♦: of the highest bids, J♦ is in its suit."),
        (
            "enchere",
            "JS JC 4D",
            "KD",
            "",
            "Cleo wins K♦ with the lowest bid, 4♦: the others tie, neither in its suit.",
        ),
        (
            "enchere",
            "9S 9H 9C",
            "KD",
            "",
            "Bob wins K♦: all bids tie, none in its suit, and 9♥ is of its colour.",
        ),
        ("avancee", "9S 9H 9C", JOKER, "3H", "Anna wins Joker: all bids tie, and it is the first prize of the match."),
    ],
)
def test_the_log_says_why_a_bid_won(version: str, bids: str, prize: str, spare: str, line: str) -> None:
    cards = bids.split()
    state = lay(version, [f"{face} 2{face[-1]}" for face in cards], prize, spare=spare, coming="AS")
    bid(state, *cards)
    assert line in log(state)


def test_why_a_bid_won_stays_on_the_table_until_the_next_bids_turn_up() -> None:
    state = lay("enchere", ["JS 2C", "JC 3C", "4D 5C"], "KD", coming="AC QS")

    def settled(seat: int | None) -> str:
        return plain(view(state, seat)["settled"], NAMES)

    assert "settled" not in view(state, 0)
    bid(state, "JS", "JC", "4D")
    first = "Cleo wins K♦ with the lowest bid, 4♦: the others tie, neither in its suit."
    assert [settled(0), settled(1), settled(None)] == [first] * 3
    bid(state, "2C", "3C")
    assert settled(0) == settled(None) == first
    state.play(2, "bid 5C")
    assert settled(0) == "Cleo wins Q♠: 5♣ is the highest bid."


def test_three_that_tie_for_a_later_joker_leave_it_to_the_winner_of_the_prize_before() -> None:
    state = lay("avancee", ["9S 2C", "9H JC", "9C 4C"], "KC", spare="3H", coming=f"AS {JOKER}")
    bid(state, "2C", "JC", "4C")
    log(state)
    bid(state, "9S", "9H", "9C")
    assert state.won[1] == ["KC", JOKER]
    assert "Bob wins Joker: all bids tie, so it goes to the winner of the prize before." in log(state)


def test_the_prize_before_the_first_of_a_round_is_the_last_of_the_round_before() -> None:
    state = lay("avancee", ["2C", "JC", "4C"], "KC", spare="3H", target=42)
    bid(state, "2C", "JC", "4C")
    assert state.round == 2
    state.prize = JOKER
    state.hands = [["9S"], ["9H"], ["9C"]]
    log(state)
    bid(state, "9S", "9H", "9C")
    assert state.won[1] == [JOKER]
    assert "Bob wins Joker: all bids tie, so it goes to the winner of the prize before." in log(state)


# -- rounds and targets


def last_prize(points: tuple[int, int, int], *, target: int, won: tuple[str, str, str] = ("", "", "")) -> EnchereState:
    """Return the end of a round in which Cleo has just won Q♦, for one point."""
    state = lay("enchere", ["2C", "3C", "4C"], "QD", points=points, target=target, won=won)
    bid(state, "2C", "3C", "4C")
    return state


def test_scores_are_added_when_the_prize_pile_is_empty_and_a_new_round_is_dealt() -> None:
    state = last_prize((10, 20, 30), target=50, won=("AC KC", "", "AD"))
    assert state.points == [16, 20, 35]
    assert state.round == 2
    assert [len(hand) for hand in state.hands] == [12] * 3
    assert [state.won, state.spent, state.void] == [[[], [], []], [], ["", "", ""]]
    assert not state.over
    lines = log(state)
    assert lines[5:9] == [
        "All prizes are won: the round is scored.",
        "Anna scores 6 and has 16 in all.",
        "Bob scores 0 and has 20 in all.",
        "Cleo scores 5 and has 35 in all.",
    ]


def test_a_round_is_scored_until_the_first_prize_of_the_next_is_won() -> None:
    state = last_prize((10, 20, 30), target=50, won=("AC KC", "", "AD"))
    scoring = view(state, None)["scoring"]
    assert [row["cells"] for row in scoring["rows"]] == [["A♣ K♣", "6", "16"], ["", "0", "20"], ["A♦ Q♦", "5", "35"]]
    assert plain(scoring["verdict"], NAMES) == "Cleo leads with a score of 35"
    for seat in range(3):
        assert "scoring" in view(state, seat)
        state.play(seat, state.legal_moves(seat)[0])
    assert "scoring" not in view(state, None)


def test_the_player_who_reaches_the_target_wins() -> None:
    state = last_prize((10, 20, 49), target=50)
    assert state.over
    assert view(state, None)["result"]["winners"] == [2]
    assert log(state)[-1] == "Cleo has the most points and wins."
    assert plain(view(state, None)["prompt"], NAMES) == "Cleo wins with a score of 50"


def test_the_match_continues_below_the_target() -> None:
    assert not last_prize((10, 20, 48), target=50).over


def test_of_several_who_reach_the_target_the_highest_score_wins() -> None:
    state = last_prize((10, 53, 51), target=50)
    assert state.over
    assert view(state, None)["result"]["winners"] == [1]


@pytest.mark.parametrize(
    ("shared", "announced"), [(49, False), (50, True), (52, True)], ids=["short", "at it", "past it"]
)
def test_if_the_highest_score_is_shared_another_round_is_played(shared: int, announced: bool) -> None:
    state = last_prize((10, shared, shared - 1), target=50)
    assert not state.over
    assert state.round == 2
    assert (f"2 players are tied at {shared}: another round decides." in log(state)) == announced


def test_a_target_of_zero_is_a_single_round_and_a_tie_shares_the_win() -> None:
    state = last_prize((0, 0, 0), target=0, won=("QC", "", ""))
    assert state.over
    assert view(state, None)["result"]["winners"] == [0, 2]
    assert [place["state"] for place in view(state, None)["seats"]] == ["won", "in", "won"]
    assert log(state)[-2:] == ["Anna shares the win.", "Cleo shares the win."]
    assert plain(view(state, None)["prompt"], NAMES) == "2 players share the win with a score of 1"


@pytest.mark.parametrize(("version", "target"), [("enchere", 50), ("avancee", 42), ("originale", 42)])
def test_the_target_is_the_versions_own_unless_one_is_set(version: str, target: int) -> None:
    assert start(version).target == target
    assert start(version, target=7).target == 7
    assert start(version, target=0).target == 0


@pytest.mark.parametrize("target", ["-2", "201", "many"])
def test_a_target_that_makes_no_sense_is_refused(target: str) -> None:
    with pytest.raises(BadOption, match="target must be"):
        GAME.new(3, {"target": target}, FastChance(""))


def test_in_originale_a_round_scores_the_best_hand_only() -> None:
    state = lay("originale", ["2C", "3C", "4C"], "QC", spare="JH", won=["KC KD AC AD", "AH", "QD QH KH KS"])
    bid(state, "2C", "3C", "4C")
    assert state.points == [2, 0, 8]
    assert log(state)[5:] == [
        "All prizes are won: the round is scored.",
        "Anna scores 2 for two pairs and has 2 in all.",
        "Bob has no hand, so scores nothing, and has 0 in all.",
        "Cleo scores 8 for a full house and has 8 in all.",
        "Cleo has the most points and wins.",
    ]


def test_won_prizes_are_shown_with_their_points_or_best_hand() -> None:
    avancee = lay("avancee", ["2C", "3C", "4C"], "QC", spare="JH", won=[f"KH {JOKER}", "QH AS"])
    assert [zone(avancee, None, f"won:{seat}")["total"] for seat in range(3)] == [-3, 3, 0]
    originale = lay("originale", ["2C", "3C", "4C"], "QC", spare="JH", won=["KH KS", "QH AS"])
    assert [plain(zone(originale, None, f"won:{seat}")["label"], NAMES) for seat in range(3)] == [
        "Anna: a pair",
        "Bob: no hand",
        "Prizes of Cleo",
    ]


# -- what everybody knows, and what nobody can


@versions
def test_a_hand_and_a_bid_are_their_owners_to_know_until_the_bids_turn_up(version: str) -> None:
    state = start(version)
    known = {*filter(None, [state.spare, state.prize])}
    hands = [set(hand) for hand in state.hands]
    for seat, move in enumerate([state.legal_moves(seat)[0] for seat in range(3)]):
        assert [state.sight.named_by(audience) for audience in (0, 1, 2, None)] == [
            *(hand | known for hand in hands),
            known,
        ]
        state.play(seat, move)
    known |= {*state.shown, state.prize}
    assert [state.sight.named_by(audience) for audience in (0, 1, 2, None)] == [
        *(hand | known for hand in hands),
        known,
    ]


def test_a_new_round_is_dealt_from_cards_nobody_knows() -> None:
    state = last_prize((10, 20, 30), target=50)
    assert state.round == 2
    assert [state.sight.named_by(seat) for seat in range(3)] == [{*hand, state.prize} for hand in state.hands]


def test_a_player_who_does_not_follow_suit_is_known_to_be_void_for_the_round() -> None:
    state = lay("avancee", ["2C 9C", "5D 6D", "7S 3H"], "KD", spare="7H", coming="QS AS")
    bid(state, "2C", "5D", "7S")
    assert state.void == ["D", "", ""], "a bid of the spare's rank says nothing"


@pytest.mark.parametrize(("version", "prize"), [("enchere", "KD"), ("avancee", JOKER)])
def test_without_a_suit_to_follow_nothing_is_learnt(version: str, prize: str) -> None:
    spare = "7H" if version == "avancee" else ""
    state = lay(version, ["2C 9C", "5D 6D", "9S 3H"], prize, spare=spare, coming="QS AS")
    bid(state, "2C", "5D", "9S")
    assert state.void == ["", "", ""]


def somewhere(version: str, seed: int, plies: int = 36, target: int = 0) -> EnchereState:
    """Return a position after fewer than so many random bids."""
    chance = FastChance(f"{seed}/bids")
    state = start(version, str(seed), target=target)
    for _ in range(chance.randbelow(plies)):
        if not state.over:
            seat = chance.choice(state.to_act())
            state.play(seat, chance.choice(state.legal_moves(seat)))
    return state


@versions
@examples(25)
@given(seed=st.integers(0, 2**32))
def test_what_is_determinized_fits_all_that_was_seen(version: str, seed: int) -> None:
    state = somewhere(version, seed)
    me = seed % 3
    other = state.determinize(me, FastChance(str(seed)))
    cash = [*other.aside, other.spare, *other.spent, *other.bids, *(face for hand in other.hands for face in hand)]
    assert sorted(filter(None, cash)) == sorted(CASH)
    assert sorted([*other.prizes, other.prize, *(face for won in other.won for face in won)]) == sorted(
        VERSIONS[version].prizes
    )
    assert (other.hands[me], other.bids[me]) == (state.hands[me], state.bids[me])
    for seat in range(3):
        held = [*other.hands[seat], *filter(None, [other.bids[seat]])]
        assert len(held) == len(state.hands[seat]) + bool(state.bids[seat])
        assert other.hands[seat] == sorted(other.hands[seat], key=ORDER.__getitem__)
        assert bool(other.bids[seat]) == bool(state.bids[seat])
        assert not {SUIT[face] for face in held} & set(state.void[seat])
        if other.bids[seat]:
            assert other.bids[seat] in legal_bids(held, other.prize, other.spare)


@versions
@examples(25)
@given(seed=st.integers(0, 2**32))
def test_what_is_determinized_depends_on_what_the_seat_knows_alone(version: str, seed: int) -> None:
    state = somewhere(version, seed, plies=41)
    for seat in range(3):
        check_determinize(state, seat)


@versions
@examples(25)
@given(seed=st.integers(0, 2**32), cap=st.integers(0, 100), target=st.sampled_from([0, 20]))
def test_a_rollout_makes_the_same_bids_as_random_legal_ones_with_equal_draws(
    version: str, seed: int, cap: int, target: int
) -> None:
    check_rollout(somewhere(version, seed, 60, target), str(seed), cap)


@versions
def test_the_prizes_to_come_may_come_in_any_order(version: str) -> None:
    state = somewhere(version, seed=3, plies=20)
    coming = sorted(state.prizes)
    samples = [state.determinize(0, FastChance(str(index))) for index in range(200)]
    assert all(sorted(sample.prizes) == coming for sample in samples)
    assert {sample.prizes[-1] for sample in samples} == set(coming)


def test_a_hidden_bid_may_be_any_that_follows_suit() -> None:
    state = lay("originale", ["2C 9C", "5D 6S", "7S 3H"], "KD", spare="10H", coming="QS")
    state.aside = ["8D", "JS", "4C"]
    lying = {*state.aside, state.spare, *(face for hand in state.hands for face in hand)}
    state.spent = [face for face in CASH if face not in lying]
    state.play(1, "bid 5D")
    drawn: Counter[str] = Counter()
    for index in range(600):
        other = state.determinize(0, FastChance(str(index)))
        drawn[other.bids[1]] += 1
        if SUIT[other.bids[1]] != "D":
            assert "D" not in {SUIT[face] for face in other.hands[1]}
    assert set(drawn) == {"5D", "6S", "7S", "3H", "8D", "JS", "4C"}
    assert min(drawn["5D"], drawn["8D"]) > max(drawn[face] for face in ("6S", "7S", "3H", "JS", "4C"))


# -- what always holds


@versions
@examples(20)
@given(seed=st.integers(0, 2**32))
def test_each_prize_goes_to_one_bid_and_no_card_is_lost(version: str, seed: int) -> None:
    state = start(version, str(seed), target=10)
    chance = FastChance(f"{seed}/choices")
    expected = [0, 0, 0]
    while not state.over:
        places = [state.aside, state.spent, *state.hands, state.bids, [state.spare]]
        assert sorted(filter(None, (face for place in places for face in place))) == sorted(CASH)
        seat = chance.choice(state.to_act())
        move = chance.choice(state.legal_moves(seat))
        before = state.clone()
        state.play(seat, move)
        if before.to_act() == (seat,):
            bids = before.bids[:]
            bids[seat] = move.removeprefix("bid ")
            winner, _ = award(bids, before.prize, before.spare, before.awarded.seat if before.awarded else 0)
            before.won[winner].append(before.prize)
            if not before.prizes:
                assert sorted(face for won in before.won for face in won) == sorted(VERSIONS[version].prizes)
                expected = [total + points(version, won) for total, won in zip(expected, before.won, strict=True)]
                assert state.points == expected
            else:
                assert state.won == before.won
        else:
            assert state.won == before.won
    assert max(expected) >= 10
    assert len(leaders(expected)) == 1
