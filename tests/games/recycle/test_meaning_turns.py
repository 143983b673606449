"""Who plays when (stages, the cycle of players, scoring), by ``docs/recycle.md``, worked out by hand."""

# ruff: noqa: E501  # a text is easier to read in one line than in pieces

from __future__ import annotations

import pytest

from games.core.moves import RulesFailed
from tests.games.recycle.played import Played, begun, text_of

# What the current player's number adds to a number that is read as a list of digits: players 0, 1, 2 are 1, 2, 3.
WHO = "(do ((all player 'Q ((== 'Q (current player)) (set (game sto LOG) (+ (* 10 (game sto LOG)) ('Q sto ME)))))))"
NUMBERED = "(do ((set ((0 player) sto ME) 1) (set ((1 player) sto ME) 2) (set ((2 player) sto ME) 3)))"


def log(blocks: str, **setting: str) -> int:
    """Return who was current, digit by digit, each time when WHO stood in some blocks."""
    return Played(NUMBERED + blocks, players=setting.pop("players", "3"), **setting).number("LOG")


def times(count: int, name: str = "N") -> str:
    return f"(== (game sto {name}) {count})"


COUNT = "(do ((inc (game sto N) 1)))"


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (f"(stage player (end {times(5)}) {WHO} {COUNT})", 12312),  # the first round is played by who is current
        (f"(do ((cycle current next))) (stage player (end {times(2)}) {WHO} {COUNT})", 23),
        # The end is tested before anybody moves on: the current player is the one who has just played.
        (f"(stage player (end (and {times(2)} (== (current player) (1 player)))) {WHO} {COUNT})", 12),
        (f"(stage player (end (and (> (game sto N) 0) (== (next player) (2 player)))) {WHO} {COUNT})", 12),
        (f"(stage player (end (== 1 1)) {WHO}) {WHO}", 1),  # a stage that ends at once
        (f"(stage player (end {times(4)}) {WHO} {COUNT} (do ((cycle next current))))", 1111),
        (f"(stage player (end {times(4)}) {WHO} {COUNT} (do ((cycle next previous))))", 1321),
        (f"(stage player (end {times(4)}) {WHO} {COUNT} (do ((cycle next next))))", 1231),
        (f"(stage player (end {times(4)}) {WHO} {COUNT} (do ((cycle next (2 player)))))", 1333),
        (f"(stage player (end {times(4)}) {WHO} {COUNT} (do ((all player 'Q ((== 'Q (1 player)) (cycle next 'Q))))))", 1222),
        (f"""(do ((move (top (game vloc DECK)) (top ((2 player) vloc X)))))
            (stage player (end {times(3)}) {WHO} {COUNT} (do ((cycle next (owner (top ((2 player) vloc X)))))))""", 133),
        # The current player is another one at once; who is queued stays queued.
        (f"(stage player (end {times(3)}) {WHO} {COUNT} (do ((cycle current next))) {WHO})", 123123),
        (f"(stage player (end {times(2)}) {WHO} {COUNT} (do ((cycle next (0 player)) (cycle current (2 player)))) {WHO})", 1313),
        (f"(stage player (end {times(3)}) {WHO} {COUNT} (do ((cycle current current))))", 123),
        (f"(stage player (end {times(3)}) {WHO} {COUNT} (do ((cycle current previous))) {WHO})", 131313),
        # At the top there is nobody to move on: the queue is seen, but no stage takes it over.
        (f"(do ((cycle next (2 player)) (all player 'Q ((== 'Q (next player)) (set (game sto LOG) ('Q sto ME)))))) {WHO} {WHO}", 311),
        (f"(do ((cycle next (2 player)))) (stage player (end {times(2)}) {WHO} {COUNT})", 12),
    ],
)  # fmt: skip
def test_players_are_current_in_the_order_of_the_documentation(blocks: str, expected: int) -> None:
    assert log(blocks) == expected


def test_an_inner_stage_begins_with_the_current_player_and_leaves_the_outer_one_alone() -> None:
    inner = f"(stage player (end {times(2)}) {WHO} {COUNT})"
    outer = f"(stage player (end {times(3, 'M')}) (do ((set (game sto N) 0) (inc (game sto M) 1))) {inner})"
    assert log(outer) == 122331  # 1 2, then 2 3, then 3 1


def test_a_player_who_took_the_trick_leads_the_next_one() -> None:
    """The queue of the outer stage is used when the outer stage moves on, and the inner one begins with that player."""
    inner = f"(stage player (end {times(3)}) {WHO} {COUNT})"
    outer = f"(stage player (end {times(3, 'M')}) (do ((set (game sto N) 0) (inc (game sto M) 1))) {inner} (do ((cycle next (1 player)))))"
    assert log(outer) == 123231231


def test_an_inner_stage_does_not_see_the_queue_of_the_outer_one_and_gives_it_back() -> None:
    inner = f"(stage player (end {times(2)}) {WHO} {COUNT})"
    outer = f"""(stage player (end {times(2, "M")}) (do ((inc (game sto M) 1) (set (game sto N) 0) (cycle next (0 player))))
        {inner} (do ((all player 'Q ((== 'Q (next player)) (set (game sto LOG) (+ (* 10 (game sto LOG)) ('Q sto ME))))))))"""
    assert log(outer) == 121121  # in the stage 1 then 2; after it, player 0 is queued as before


def test_the_queue_of_a_stage_is_lost_when_it_ends() -> None:
    inner = f"(stage player (end {times(1)}) {WHO} {COUNT} (do ((cycle next (2 player)))))"
    outer = f"(stage player (end {times(2, 'M')}) (do ((set (game sto N) 0) (inc (game sto M) 1))) {inner} {WHO})"
    assert log(outer) == 1122


def test_an_inner_stage_that_ends_at_once_leaves_the_queue_of_the_outer_one() -> None:
    outer = f"""(stage player (end {times(3, "M")}) {WHO} (do ((inc (game sto M) 1) (cycle next (2 player))))
        (stage player (end (== 1 1)) {WHO}) {WHO})"""
    assert log(outer) == 113333


def test_the_end_is_not_tested_in_the_middle_of_a_round() -> None:
    assert log(f"(stage player (end {times(1)}) {WHO} {COUNT} {WHO} {WHO})") == 111


def test_stages_may_end_at_once_side_by_side_and_inside_each_other() -> None:
    ends = "(stage player (end (== 1 1)) (stage player (end (== 1 1)) (do ((set (game sto N) 9)))))"
    assert log(f"{ends} {ends} (stage player (end {times(2)}) {ends} {WHO} {COUNT} {ends}) {ends}") == 12


def test_a_team_stage_moves_the_team_on_and_not_the_player() -> None:
    blocks = f"""(stage team (end {times(5)}) (do ((inc ((current team) sto X) 1) (inc (game sto N) 1)
        (set ((next team) sto Y) (game sto N)) (set ((previous team) sto Z) (game sto N)) (all (current team) 'Q (inc ('Q sto IN) 1))
        (all (other team) 'T (inc ('T sto OUT) 1)))) {WHO})"""
    played = Played(NUMBERED + blocks, players="4) (create teams (0, 2) (1, 3)")
    assert played.number("LOG") == 11111
    assert [played.number("X", team=team) for team in (0, 1)] == [3, 2]
    assert [played.number("OUT", team=team) for team in (0, 1)] == [2, 3]
    assert [played.number("Y", team=team) for team in (0, 1)] == [4, 5]
    assert [played.number("Z", team=team) for team in (0, 1)] == [4, 5]
    assert [played.number("IN", seat) for seat in range(4)] == [3, 2, 3, 2]


def test_team_stages_are_left_with_the_team_of_the_outer_one() -> None:
    inner = f"(stage team (end {times(2)}) {COUNT} (do ((set (game sto LOG) (+ (* 10 (game sto LOG)) ((current team) sto ME))))))"
    outer = f"""(do ((set ((0 team) sto ME) 1) (set ((1 team) sto ME) 2) (set ((2 team) sto ME) 3)))
        (stage team (end {times(2, "M")}) (do ((set (game sto N) 0) (inc (game sto M) 1))) {inner})"""
    assert Played(outer, players="3").number("LOG") == 1223


def test_players_move_on_inside_a_team_stage_when_a_stage_of_players_is_in_it() -> None:
    blocks = f"(stage team (end {times(2, 'M')}) (do ((inc (game sto M) 1) (set (game sto N) 0))) (stage player (end {times(2)}) {WHO} {COUNT}))"
    assert log(blocks) == 1212


def test_any_all_and_let_stand_as_blocks_of_their_own() -> None:
    played = Played("""(all player 'Q (inc ('Q sto X) 1)) (any (range 1 .. 3) 'N (inc (game sto Y) 'N))
        (let 5 'N (set (game sto Z) 'N)) (all (A, B) 'S ((== 'S B) (set (game str W) 'S)))""")
    assert [played.number("X", seat) for seat in (0, 1)] == [1, 1]
    assert (played.number("Y"), played.number("Z"), played.name("W")) == (6, 5, "B")


def test_steps_of_a_do_see_what_those_before_them_did() -> None:
    played = Played("""(do ((set (game sto X) 1) ((== (game sto X) 1) (set (game sto X) 2)) ((== (game sto X) 1) (set (game sto Y) 1))
        ((== (game sto X) 2) (do ((set (game sto X) 3) ((== (game sto X) 3) (set (game sto Z) 1)))))
        (all (range 1 .. 3) 'N ((< (game sto W) 2) (inc (game sto W) 1)))))""")
    assert [played.number(name) for name in "XYZW"] == [3, 0, 1, 2]


def test_members_are_gone_through_in_the_order_of_the_documentation() -> None:
    order = "(set (game sto LOG) (+ (* 10 (game sto LOG)) {}))"
    players = "(do ((cycle current next) (all player 'Q " + order.format("('Q sto ME)") + ")))"
    assert log(players) == 123  # not from the current one
    assert log("(do ((cycle current next) (all (other player) 'Q " + order.format("('Q sto ME)") + ")))") == 13
    assert log("(do ((all (range 2 .. 5) 'N " + order.format("'N") + ")))") == 2345


def test_other_players_are_those_that_are_not_current_now() -> None:
    played = Played(
        "(do ((cycle current next) (all (other player) 'Q (inc ('Q sto X) 1)) (cycle current next) (all (other player) 'Q (inc ('Q sto X) 10))))",
        players="3",
    )
    assert [played.number("X", seat) for seat in range(3)] == [11, 10, 1]


def test_a_player_alone_is_next_and_previous_to_itself() -> None:
    played = Played(
        f"(stage player (end {times(3)}) (do ((inc ((next player) sto X) 1) (inc ((previous player) sto X) 1))) {COUNT})",
        players="1",
    )
    assert played.number("X", 0) == 6


# -- scoring


@pytest.mark.parametrize(
    ("scoring", "scores", "ranks"),
    [
        ("max ((current player) sto X)", [3, 7, 7], [3, 1, 1]),
        ("min ((current player) sto X)", [3, 7, 7], [1, 2, 2]),
        ("max (game sto NEVER)", [0, 0, 0], [1, 1, 1]),
        ("max (- 0 ((current player) sto X))", [-3, -7, -7], [1, 2, 2]),
        ("max ((next player) sto X)", [7, 7, 3], [1, 1, 3]),  # each as the current player
        ("max ((previous player) sto X)", [7, 3, 7], [1, 3, 1]),
        ("max (size (other player))", [2, 2, 2], [1, 1, 1]),
        ("max (size (game vloc DECK))", [5, 5, 5], [1, 1, 1]),
    ],
)
def test_scores_are_worked_out_with_each_player_as_the_current_one(
    scoring: str, scores: list[int], ranks: list[int]
) -> None:
    blocks = """(do ((set ((0 player) sto X) 3) (set ((1 player) sto X) 7) (set ((2 player) sto X) 7) (cycle current next)
        (cycle next (0 player))))"""
    played = Played(blocks, players="3", scoring=scoring)
    assert played.state.over
    assert played.state.scores() == scores
    assert played.state.ranks() == ranks
    assert played.state.winners() == [seat for seat in range(3) if ranks[seat] == 1]


def test_a_team_wins_together_and_equal_scores_share_the_best_rank() -> None:
    played = Played(
        "(do ((set ((1 team) sto X) 5)))",
        players="4) (create teams (0, 2) (1, 3)",
        scoring="max ((team (current player)) sto X)",
    )
    assert played.state.scores() == [0, 5, 0, 5]
    assert played.state.winners() == [1, 3]


def test_a_score_that_cannot_be_worked_out_ends_the_match_with_its_line() -> None:
    with pytest.raises(RulesFailed, match="line 1"):
        Played("(do ((turn pass)))", scoring="max (// 1 0)").state.scores()


def test_a_text_may_let_the_table_choose_how_many_play() -> None:
    text = text_of(
        "(do ((all player 'Q (inc (game sto X) 1)))) (choice ((turn pass)))",
        players="2 .. 5",
        scoring="max (game sto X)",
    )
    for seats in range(2, 6):
        state = begun(text, seats)
        assert (state.seats, state.I) == (seats, [seats])


def test_declared_values_come_before_players_and_decks() -> None:
    played = Played(
        "(do ((set (game sto X) (size 'THEN)) (set (game sto Y) (size 'NOW))))",
        declares="(declare (filter (game vloc DECK) 'C (== 1 1)) 'THEN) (declare (game vloc DECK) 'NOW)",
    )
    assert (played.number("X"), played.number("Y")) == (0, 5)


@pytest.mark.parametrize("order", ["min", "max"])
@pytest.mark.parametrize("score", [-1, 0, 1])
def test_a_player_who_plays_alone_wins_by_having_nothing_left_or_by_any_score(order: str, score: int) -> None:
    ended = Played("(do ((turn pass)))", players="1", scoring=f"{order} (- {score + 1} 1)").state
    assert ended.over
    assert ended.scores() == [score]
    assert ended.winners() == ([0] if (score <= 0 if order == "min" else score > 0) else [])


@pytest.mark.parametrize(
    ("order", "scores", "winners"),
    [
        ("min", (2, 0, 1), [1]),
        ("min", (-1, 0, -2), [2]),
        ("min", (0, 0, 3), [0, 1]),
        ("min", (3, 2, 1), [2]),
        ("max", (0, 1, 2), [2]),
        ("max", (0, -1, -2), [0]),
        ("max", (1, 1, 1), [0, 1, 2]),
    ],
)
def test_of_several_the_best_scores_win(order: str, scores: tuple[int, ...], winners: list[int]) -> None:
    steps = " ".join(f"(set (({seat} player) sto S) (- {score + 9} 9))" for seat, score in enumerate(scores))
    ended = Played(f"(do ({steps}))", players="3", scoring=f"{order} ((current player) sto S)").state
    assert ended.over
    assert ended.scores() == list(scores)
    assert ended.winners() == winners
