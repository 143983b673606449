"""Hamsterdam Exchange: every rule and ruling, by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import BadOption, FastChance, SealedChance
from games.core.ranks import leaders
from games.core.view import plain
from games.hamsterdam.game import GAME
from games.hamsterdam.rules import MODIFIERS, STOCKS, HamsterdamState, total
from tests.games.hamsterdam import deal, open_stocks
from tests.games.table import (
    NAMES,
    check_determinize,
    check_rollout,
    faces,
    log,
    moves,
    refusal,
    view,
    zone,
)
from tests.tiers import examples

HONEST_DEAL = {"rigged": -1}

# -- the deal


def test_the_decks_are_those_of_the_rules() -> None:
    assert len(STOCKS) == len(set(STOCKS)) == 20
    assert len(MODIFIERS) == len(set(MODIFIERS)) == 10
    assert [total(f"{rank}{suit}", []) for suit in "CD" for rank in ("A", "2", "10")] == [1, 2, 10] * 2


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_starts_with_two_certificates_a_stock_and_a_modifier(seats: int) -> None:
    state = GAME.start(seats, HONEST_DEAL, SealedChance(bytes(32)))
    assert state.certificates == [2] * seats
    assert all(stock in STOCKS for stock in state.stock)
    assert [len(hand) for hand in state.hands] == [1] * seats
    assert len(state.stock_deck) == 20 - seats
    assert len(state.modifier_deck) == 10 - seats


def test_the_first_dealer_is_drawn_by_lot() -> None:
    dealers = {GAME.start(4, HONEST_DEAL, FastChance(str(seed))).dealer for seed in range(60)}
    assert dealers == {0, 1, 2, 3}


def test_the_player_left_of_the_dealer_begins_and_the_dealer_is_last() -> None:
    state = deal(["6C", "7C", "8C", "9C"], dealer=1)
    order = []
    for _ in range(4):
        order.append(state.mover)
        moves(state, "keep")
    assert order == [2, 3, 0, 1]


def test_a_modifier_deck_that_runs_dry_is_dealt_round_from_the_dealers_left() -> None:
    # Nine modifiers are kept, Anna and Bob pass; the next dealer is Anna, so Bob gets the tenth and Cleo and Anna none.
    hands = ["AH 2H 3H 4H", "5H AS 2S", "3S 4S"]
    state = open_stocks(["3C", "8C", "9C"], hands, dealer=2)
    log(state)
    moves(state, "pass", "pass", "pass")
    assert state.dealer == 0
    assert state.hands == [hands[0].split(), [*hands[1].split(), "5S"], hands[2].split()]
    assert state.modifier_deck == []
    lines = log(state, 2)
    assert "Everybody still in gets a stock; the last modifier goes to Bob." in lines
    assert f"You get {plain_card(state.stock[2])} and no modifier." in lines


def test_from_an_empty_modifier_deck_nobody_gets_one() -> None:
    hands = ["AH 2H 3H 4H", "5H AS 2S", "3S 4S 5S"]
    state = open_stocks(["3C", "8C", "9C"], hands)
    log(state)
    moves(state, "pass", "pass", "pass")
    assert state.hands == [hand.split() for hand in hands]
    assert "Everybody still in gets a stock; the modifier deck is empty." in log(state)


def plain_card(face: str) -> str:
    return plain({"text": "{card}", "args": {"card": {"card": face}}}, NAMES)


# -- markets open


def test_a_trade_swaps_stocks_with_the_left_neighbour_and_both_look() -> None:
    state = deal(["3C", "8D", "5D"])
    moves(state, "trade")
    assert state.stock == ["8D", "3C", "5D"]
    assert [faces(state, seat, f"stock:{seat}") for seat in range(3)] == [["8D"], ["3C"], ["5D"]]
    assert state.mover == 1


def test_only_the_two_who_traded_read_which_stocks_they_have_now() -> None:
    state = deal(["3C", "8D", "5D"])
    moves(state, "trade")
    entries = [[entry for entry in state.log or [] if entry.get("only", seat) == seat] for seat in (0, 1, 2, None)]
    public = "Anna trades stocks with Bob."
    assert [[plain(entry["text"], NAMES) for entry in read] for read in entries] == [
        [public, "Your stock is now 8♦."],
        [public, "Your stock is now 3♣."],
        [public],
        [public],
    ]


def test_a_trade_skips_players_who_are_out() -> None:
    state = deal(["3C", "", "5D", "9C"])
    moves(state, "trade")
    assert state.stock == ["5D", "", "3C", "9C"]


def test_the_dealers_trade_discards_face_down_and_draws_the_top_of_the_deck() -> None:
    state = deal(["7C", "8D", "2D"], ["AH", "AS", "2S"], top="6D")
    moves(state, "keep", "keep")
    log(state)
    assert (len(state.stock_deck), faces(state, 2, "discard")) == (17, [])
    moves(state, "trade")
    assert state.stock == ["7C", "8D", "6D"]
    assert len(state.stock_deck) == 16
    assert [faces(state, audience, "discard") for audience in (0, 2, None)] == [["?"]] * 3
    lines = log(state, 0)
    assert lines[0] == "Cleo discards and draws from the stock deck."
    assert not any("2♦" in line for line in lines), "nobody is shown what the dealer had"


def test_everybody_decides_once_and_then_all_stocks_are_open() -> None:
    state = deal(["7C", "8D", "2D"], ["AH", "AS", "2S"])
    moves(state, "keep", "keep")
    assert [faces(state, None, f"stock:{seat}") for seat in range(3)] == [["?"]] * 3
    moves(state, "keep")
    assert [faces(state, None, f"stock:{seat}") for seat in range(3)] == [["7C"], ["8D"], ["2D"]]
    lines = log(state)
    assert lines[-4:] == [
        "Markets close: all stocks turn face up.",
        "Anna shows 7♣.",
        "Bob shows 8♦.",
        "Cleo shows 2♦.",
    ]


# -- adjustment


def test_hearts_subtract_and_spades_add_and_all_of_them_count() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S 5H", "2S", "AH"])
    moves(state, "play 4S on 0", "play 2S on 0", "play AH on 0")
    assert zone(state, None, "stock:0")["total"] == 3 + 4 + 2 - 1
    assert faces(state, None, "played:0") == ["4S", "2S", "AH"]


def test_a_total_may_fall_below_zero() -> None:
    state = open_stocks(["AC", "8D"], ["2S", "5H"])
    moves(state, "pass", "play 5H on 0")
    assert zone(state, None, "stock:0")["total"] == -4


def test_a_modifier_may_go_on_anybody_still_in_oneself_included() -> None:
    state = open_stocks(["3C", "", "5D"], ["4S 5H", "", "AH"])
    assert state.legal_moves(0) == ["play 4S on 0", "play 4S on 2", "play 5H on 0", "play 5H on 2", "pass"]
    assert state.legal_moves(2) == []


def test_it_ends_when_everybody_has_passed_in_a_row() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S", "2S", "AH"])
    moves(state, "pass", "pass")
    assert state.round == 1
    moves(state, "pass")
    assert state.round == 2


def test_a_player_who_passed_may_play_later_if_somebody_played_in_between() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S", "2S 3H", "AH"])
    moves(state, "pass", "play 2S on 1", "pass", "play 4S on 0")
    assert zone(state, None, "stock:0")["total"] == 7
    assert state.round == 1


def test_a_player_who_played_last_must_pass_too() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S", "2S 3H", "AH"])
    moves(state, "pass", "play 2S on 1", "pass", "pass")
    assert (state.round, state.mover) == (1, 1)
    moves(state, "pass")
    assert state.round == 2


def test_a_player_without_modifiers_passes_automatically_and_the_log_says_so() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["", "2S", ""])
    assert state.mover == 1
    assert log(state)[-1] == "Anna has no modifier and passes."
    moves(state, "play 2S on 1")
    lines = log(state)
    assert lines[0] == "Bob plays 2♠ on their own stock: total 10."
    assert lines[1:4] == [f"{name} has no modifier and passes." for name in ("Cleo", "Anna", "Bob")]
    assert state.round == 2


def test_without_any_modifier_in_hand_the_round_is_scored_at_once() -> None:
    state = open_stocks(["3C", "8D", "5D"])
    assert state.round == 2
    assert state.certificates == [1, 2, 2]


# -- the scoring


def test_the_lowest_total_loses_a_certificate() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S"])
    moves(state, "play 4S on 0")
    assert state.certificates == [2, 2, 1]
    assert "Cleo has the lowest total and loses a certificate." in log(state)


def test_everybody_tied_for_lowest_loses_one() -> None:
    state = open_stocks(["5C", "8D", "5D"])
    assert state.certificates == [1, 2, 1]
    entries = log(state)
    assert [f"{name} is tied for the lowest total and loses a certificate." in entries for name in NAMES[:3]] == [
        True,
        False,
        True,
    ]


def test_without_a_certificate_a_player_is_out_and_the_hand_goes_back() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S 5S", "2S", "AH"], certificates=[1, 2, 2])
    moves(state, "pass", "pass", "pass")
    assert view(state, None)["seats"][0]["state"] == "out"
    assert "Anna has no certificate left and is out." in log(state)
    assert (state.stock[0], state.hands[0]) == ("", [])
    assert sum(map(len, state.hands)) + len(state.modifier_deck) == 10
    assert {"4S", "5S"} <= {*state.modifier_deck, *state.hands[1], *state.hands[2]}


def test_stocks_and_played_modifiers_go_back_and_unplayed_ones_stay_in_hand() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S 5S", "2S", "AH"])
    moves(state, "play 4S on 0", "pass", "pass", "pass")
    assert state.round == 2
    assert [hand[0] for hand in state.hands] == ["5S", "2S", "AH"]
    assert [len(hand) for hand in state.hands] == [2, 2, 2]
    assert sorted([*state.stock, *state.stock_deck]) == sorted(STOCKS)
    assert sorted([*state.modifier_deck, *(face for hand in state.hands for face in hand)]) == sorted(MODIFIERS)
    assert faces(state, None, "played:0") == []


def test_the_deal_passes_to_the_left_and_skips_players_who_are_out() -> None:
    state = open_stocks(["8C", "3D", "9D", "10D"], dealer=0, certificates=[2, 1, 2, 2])
    assert state.dealer == 2
    assert state.mover == 3
    assert view(state, None)["seats"][2]["marks"] == ["dealer"]


# -- the end


def test_the_last_with_a_certificate_wins() -> None:
    state = open_stocks(["3C", "", "5D"], certificates=[1, 0, 1])
    assert state.over
    assert log(state)[-1] == "Cleo is the last with a certificate and wins."
    seen = view(state, 0)
    assert seen["result"]["winners"] == [2]
    assert [place["state"] for place in seen["seats"]] == ["out", "out", "won"]
    assert (seen["to_act"], seen["moves"]) == ([], [])
    assert [state.observe(audience).mover for audience in (None, 0, 2)] == [-1, -1, -1], "nobody is to decide"
    assert refusal_when_over(state) == "The match is over."


def refusal_when_over(state: HamsterdamState) -> str:
    with pytest.raises(ValueError, match="over") as caught:
        state.play(0, "keep")
    return str(caught.value)


def test_a_round_that_takes_the_last_certificate_of_all_is_a_shared_win() -> None:
    state = open_stocks(["5C", "", "5D"], certificates=[1, 0, 1])
    assert state.over
    assert log(state)[-2:] == ["Anna shares the win.", "Cleo shares the win."]
    result = view(state, None)["result"]
    assert result["winners"] == [0, 2]
    assert plain(result["text"], NAMES) == "2 players lose their last certificate together and share the win"


def test_the_score_is_the_rounds_survived() -> None:
    state = open_stocks(["3C", "8D", "9D"], certificates=[1, 2, 2])  # Anna survives none
    assert state.scores() == [0, 1, 1]


@examples(60)
@given(seats=st.integers(2, 6), seed=st.integers(0, 10**9))
def test_cards_are_conserved_and_the_best_scores_are_the_winners(seats: int, seed: int) -> None:
    state = GAME.start(seats, HONEST_DEAL, FastChance(str(seed)))
    choices = FastChance(f"{seed}/choices")
    while True:
        on_table = [face for face in (*state.stock, *state.discard) if face]
        assert sorted([*on_table, *state.stock_deck]) == sorted(STOCKS)
        modifiers = [face for faces in (*state.hands, *state.played) for face in faces]
        assert sorted([*modifiers, *state.modifier_deck]) == sorted(MODIFIERS)
        if state.over:
            break
        state.play(state.mover, choices.choice(state.legal_moves(state.mover)))
    assert state.last_score
    left = [seat for seat, certificates in enumerate(state.certificates) if certificates]
    assert leaders(state.scores()) == state.winners() == (left or list(state.last_score.lost))
    assert state.round <= 2 * seats


def test_the_example_of_the_rules_page_plays_as_written() -> None:
    page = " ".join(GAME.rules_page().split())
    assert "She does pass: two birds with one stone" in page
    state = deal(["3C", "8D", "5D"], ["4S", "2H", "AS"], top="6C")
    moves(state, "trade", "trade", "trade", "pass", "play 2H on 2", "play AS on 2", "pass")
    assert state.last_score
    assert [(stock, points) for _, stock, _, points in state.last_score.rows] == [("8D", 8), ("5D", 5), ("6C", 5)]
    assert state.last_score.lost == (1, 2)
    assert state.certificates == [2, 1, 1]


# -- refusals


@pytest.mark.parametrize(
    ("move", "answer"),
    [
        ("pass", "Modifiers can be played once all stocks are face up. You may keep or trade."),
        ("play 4S on 2", "Modifiers can be played once all stocks are face up. You may keep or trade."),
        ("keep it", "Write 'keep' and nothing else. You may keep or trade."),
        ("hold", "There is no move 'hold'. You may keep or trade."),
        ("", "There is no move ''. You may keep or trade."),
        ("x" * 500, f"There is no move '{'x' * 80}…'. You may keep or trade."),
    ],
)
def test_in_the_market_a_wrong_move_is_explained(move: str, answer: str) -> None:
    assert refusal(deal(["3C", "8D", "5D"], ["4S", "2H", "AS"]), move) == answer


MAY = "You may pass, or play one of your modifiers: 4S, 5H."


@pytest.mark.parametrize(
    ("move", "answer"),
    [
        ("trade", f"The markets are closed for this round. {MAY}"),
        ("keep", f"The markets are closed for this round. {MAY}"),
        ("pass now", f"Write 'pass' and nothing else. {MAY}"),
        ("play 4S", f"A modifier is played as in 'play 4S on 2': a card you hold and a seat. {MAY}"),
        ("play 4S at 2", f"A modifier is played as in 'play 4S on 2': a card you hold and a seat. {MAY}"),
        ("play  4S on 2", f"A modifier is played as in 'play 4S on 2': a card you hold and a seat. {MAY}"),
        ("play AS on 2", "You do not hold AS. Your modifiers: 4S, 5H."),
        ("play 9C on 2", "You do not hold 9C. Your modifiers: 4S, 5H."),
        ("play 4S on 4", "There is no seat 4: they are numbered from 0 to 3."),
        ("play 4S on Bob", "There is no seat Bob: they are numbered from 0 to 3."),
        ("play 4S on 1", "Seat 1 is out of the match: play on a player who still has a certificate."),
        ("dance", f"There is no move 'dance'. {MAY}"),
    ],
)
def test_in_the_adjustment_a_wrong_move_is_explained(move: str, answer: str) -> None:
    assert refusal(open_stocks(["3C", "", "5D", "8C"], ["4S 5H", "", "AS"]), move) == answer


def test_a_move_out_of_turn_is_refused_as_such() -> None:
    with pytest.raises(ValueError, match="It is not your turn"):
        deal(["3C", "8D", "5D"]).play(1, "keep")


def test_a_deck_stacked_for_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadOption, match="from 0 to 2"):
        GAME.new(3, {"rigged": 3}, FastChance(""))


# -- what the table shows


def test_the_prompt_says_what_the_mover_decides_and_whom_others_wait_for() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "", ""])

    def prompts() -> list[str]:
        return [plain(view(state, audience)["prompt"], NAMES) for audience in (state.mover, None)]

    assert prompts() == ["Your market: keep the 3♣ or trade it with Bob", "Waiting for Anna to keep or trade"]
    moves(state, "keep", "keep")
    assert prompts() == [
        "Your market: keep the 5♦ or trade it for the top of the stock deck",
        "Waiting for Cleo to keep or trade",
    ]
    moves(state, "keep")
    assert prompts() == [
        "Your adjustment: play a modifier on anybody, or pass",
        "Waiting for Anna to play a modifier or pass",
    ]


def test_each_legal_move_names_the_cards_it_picks_up_and_where_they_go() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "", ""])
    picked = [(legal["move"], legal["pieces"], legal.get("target")) for legal in view(state, 0)["moves"]]
    assert picked == [("keep", ["3C"], None), ("trade", ["3C"], "seat:1")]
    moves(state, "keep", "keep")
    assert view(state, 2)["moves"][1].get("target") == "zone:deck:stock"
    moves(state, "keep")
    picked = [(legal["move"], legal["pieces"], legal.get("target")) for legal in view(state, 0)["moves"]]
    assert picked[1] == ("play 4S on 1", ["4S"], "seat:1")
    assert picked[-1] == ("pass", [], None)
    assert view(state, 1)["moves"] == []
    assert view(state, None)["moves"] == []


def test_a_face_down_card_is_known_by_its_place_only_and_an_open_one_by_its_face() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "2H 3H", ""])
    assert zone(state, 0, "stock:0")["pieces"] == [{"id": "3C", "face": "3C"}]
    assert zone(state, 0, "stock:1")["pieces"] == [{"id": "stock:1#0", "back": "stock"}]
    assert [piece["id"] for piece in zone(state, 0, "modifiers:1")["pieces"]] == ["modifiers:1#0", "modifiers:1#1"]
    assert zone(state, 1, "modifiers:1")["pieces"][0] == {"id": "2H", "face": "2H", "badge": "\N{MINUS SIGN}2"}


def test_a_total_is_shown_beside_ones_own_stock_and_beside_all_open_ones() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "", ""])
    assert zone(state, 0, "stock:0")["total"] == 3
    assert "total" not in zone(state, 0, "stock:1")
    assert "total" not in zone(state, None, "stock:0")
    moves(state, "keep", "keep", "keep")
    assert [zone(state, None, f"stock:{seat}")["total"] for seat in range(3)] == [3, 8, 5]


def test_the_scoring_is_shown_until_the_next_adjustment() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S"])
    assert "scoring" not in view(state, None)
    moves(state, "play 4S on 0")
    scoring = view(state, None)["scoring"]
    assert [row["cells"] for row in scoring["rows"]] == [["3", "+4", "7"], ["8", "", "8"], ["5", "", "5"]]
    assert [row.get("mark") for row in scoring["rows"]] == [None, None, "lost"]
    assert plain(scoring["verdict"], NAMES) == "Cleo has the lowest total, 5, and loses a certificate"
    moves(state, "keep", "keep")
    assert view(state, None)["scoring"] == scoring
    moves(state, "keep")
    assert "scoring" not in view(state, None)


def test_the_last_scoring_stays_when_the_match_is_over() -> None:
    state = open_stocks(["5C", "", "5D"], certificates=[1, 0, 1])
    verdict = view(state, None)["scoring"]["verdict"]
    assert plain(verdict, NAMES) == "2 players tie for the lowest total, 5, and lose a certificate each"


def test_the_open_table_shows_every_hand_but_no_deck() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "2H", "AS"], top="6D")
    seen = view(state, None, face_up=True)
    shown = {piece["face"] for zone in seen["zones"] for piece in zone["pieces"] if "face" in piece}
    assert shown == {"3C", "8D", "5D", "4S", "2H", "AS"}


# -- who has seen what


def named(state: HamsterdamState) -> list[set[str]]:
    """Return the cards that each seat can name, and those that spectators can."""
    return [state.sight.named_by(audience) for audience in (*range(state.seats), None)]


def test_after_the_deal_everybody_knows_only_their_own_cards() -> None:
    state = GAME.start(3, HONEST_DEAL, FastChance("any"))
    assert named(state) == [{state.stock[seat], *state.hands[seat]} for seat in range(3)] + [set()]


def test_a_player_who_traded_knows_both_cards_wherever_they_go() -> None:
    state = deal(["3C", "8D", "5D", "9C"])
    moves(state, "trade")
    assert named(state) == [{"3C", "8D"}, {"3C", "8D"}, {"5D"}, {"9C"}, set()]
    moves(state, "trade")  # Bob passes Anna's 3 on to Cleo
    assert named(state) == [{"3C", "8D"}, {"3C", "8D", "5D"}, {"3C", "5D"}, {"9C"}, set()]
    assert [state.observe(seat).remembers for seat in range(4)] == [
        ("8D", "", "3C", ""),
        ("8D", "5D", "3C", ""),
        ("", "5D", "3C", ""),
        ("", "", "", "9C"),
    ]


def test_only_the_dealer_knows_the_drawn_stock_and_remembers_the_discarded_one() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "", ""], top="6D")
    moves(state, "keep", "trade")
    before = named(state)
    trade = state.clone()
    trade._trade(2)  # before all stocks turn up
    assert trade.stock[2] == "6D"
    assert trade.discard == ["8D"]
    assert named(trade) == [before[0], before[1], {*before[2], "6D"}, set()]


def test_open_stocks_are_known_to_all_until_they_are_shuffled_and_kept_modifiers_to_their_owner() -> None:
    state = deal(["3C", "8D", "5D"], ["4S 5S", "2S", "AH"])
    moves(state, "keep", "keep", "keep")
    assert all(state.sight.knows(None, face) for face in ("3C", "8D", "5D"))
    moves(state, "play 4S on 0")
    assert all({"3C", "8D", "5D", "4S"} <= known for known in named(state))
    moves(state, "pass", "pass", "pass")
    assert state.round == 2
    assert state.hands[0][0] == "5S"
    assert named(state) == [{state.stock[seat], *state.hands[seat]} for seat in range(3)] + [set()]


# -- determinizations


def test_a_card_one_gave_away_is_remembered_wherever_it_goes() -> None:
    state = deal(["3C", "8D", "5D", "9C"])
    moves(state, "trade", "trade")  # Anna's 3 goes to Bob, and from him to Cleo
    for seed in range(20):
        sample = state.determinize(0, FastChance(str(seed)))
        assert sample.stock[:3:2] == ["8D", "3C"]
    assert len({state.determinize(0, FastChance(str(seed))).stock[1] for seed in range(40)}) > 5, (
        "Anna has never seen Cleo's 5"
    )
    assert state.observe(0).remembers == ("8D", "", "3C", "")


def test_a_player_who_gave_the_dealer_a_stock_remembers_it_when_it_is_discarded() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "2H", "AS"], top="6D")
    moves(state, "keep", "trade", "trade")  # Bob's 8 goes to Cleo, who throws it away
    assert all(state.determinize(1, FastChance(str(seed))).discard == ["8D"] for seed in range(20))
    assert len({state.determinize(0, FastChance(str(seed))).discard[0] for seed in range(40)}) > 5


def test_what_others_remember_is_redrawn_with_the_cards() -> None:
    for seed in range(30):
        state = deal(["3C", "8D", "5D", "9C"], ["AH"])
        moves(state, *["trade", "keep"][seed % 2 :], "trade")
        sample = state.determinize(3, FastChance(str(seed)))
        for viewer in range(3):
            known, before = sample.observe(viewer).remembers, state.observe(viewer).remembers
            assert [face != "" for face in known] == [face != "" for face in before], (
                "everybody sees who has seen which card"
            )
            assert all(face in ("", stock) for face, stock in zip(known, sample.stock, strict=True))


def test_the_order_of_the_decks_is_redrawn() -> None:
    state = deal(["3C", "8D", "5D"], ["4S", "2H 3H", "AS"])
    tops = {(sample.stock_deck[-1], sample.modifier_deck[-1]) for sample in determinizations(state, 0, 100)}
    assert len({stock for stock, _ in tops}) > 15
    assert len({modifier for _, modifier in tops}) > 7


@examples(60)
@given(seats=st.integers(2, 6), favourite=st.integers(-1, 1), plies=st.integers(0, 60), seed=st.integers(0, 10**9))
def test_what_is_determinized_depends_on_what_the_seat_knows_alone(
    seats: int, favourite: int, plies: int, seed: int
) -> None:
    state = somewhere(seats, favourite, plies, seed)
    for seat in range(seats):
        check_determinize(state, seat)


@examples(100)
@given(
    seats=st.integers(2, 6),
    favourite=st.integers(-1, 1),
    plies=st.integers(0, 60),
    cap=st.integers(0, 100),
    seed=st.integers(0, 10**9),
)
def test_a_rollout_makes_the_same_moves_as_random_legal_ones_with_equal_draws(
    seats: int, favourite: int, plies: int, cap: int, seed: int
) -> None:
    check_rollout(somewhere(seats, favourite, plies, seed), str(seed), cap)


def somewhere(seats: int, favourite: int, plies: int, seed: int) -> HamsterdamState:
    """Return a position after so many random moves of a match dealt honestly (-1) or for a favourite."""
    state = GAME.start(seats, {"rigged": favourite}, FastChance(str(seed)))
    choices = FastChance(f"{seed}/choices")
    for _ in range(plies):
        if not state.over:
            moves(state, choices.choice(state.legal_moves(state.mover)))
    return state


def determinizations(state: HamsterdamState, seat: int, times: int) -> list[HamsterdamState]:
    return [state.determinize(seat, FastChance(str(time))) for time in range(times)]


def test_hands_of_others_are_redrawn_from_all_modifiers_one_has_not_seen() -> None:
    state = open_stocks(["3C", "8D", "5D"], ["4S", "2H 3H", "AS"])
    moves(state, "play 4S on 0")
    hands = [state.determinize(2, FastChance(str(seed))).hands for seed in range(200)]
    assert all(hand[2] == ["AS"] and len(hand[1]) == 2 for hand in hands)
    assert {face for hand in hands for face in hand[1]} == set(MODIFIERS) - {"4S", "AS"}
