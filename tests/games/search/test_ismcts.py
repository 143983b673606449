"""Tree search, in small games that were solved by hand."""

from __future__ import annotations

import pytest

from games.core import Bot, FastChance, Information
from games.lab.simulate import Simulation, report, simulate
from games.search.bots import LEVELS, Helper
from games.search.ismcts import Ismcts, Search
from games.search.pimc import Pimc
from games.search.results import shared
from tests.games.search.toys import Facts, Moves, asked, in_turn
from tests.games.text_game import read
from tests.tiers import full

STICKS = read("sticks", "sticks 21\ntake 1 2 3")


@pytest.mark.parametrize("sticks", [5, 6, 7, 9, 10, 11])
@pytest.mark.parametrize("seats_seed", ["a", "b"])
def test_it_finds_the_forced_win(sticks: int, seats_seed: str) -> None:
    """The player who leaves a multiple of four takes the last stick, whatever the other player does."""
    game = read("sticks", f"sticks {sticks}\ntake 1 2 3")
    state = game.new(2, {}, FastChance(seats_seed))
    info = Information.of(game, state, state.to_act()[0], FastChance(seats_seed), "determinizations")
    assert Ismcts(800).choose(info) == f"take {sticks % 4}"


def test_it_finds_the_reply_that_flat_monte_carlo_overlooks() -> None:
    """After "trust" one answer in ten loses, and a clever opponent gives it. After "safe" one of ten moves of our own
    wins, whatever the answer was; random players hardly ever make it.
    """
    answers = [str(number) for number in range(10)]

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        won = made[1][1] != "0" if made[0][1] == "trust" else made[2][1] == "0"
        return float(won), float(not won)

    facts = Facts(2, in_turn(2, 3), lambda made, seat: answers if made else ["safe", "trust"], scores)
    assert Pimc(30).choose(asked(facts)) == "trust"
    assert Ismcts(3000).choose(asked(facts)) == "safe"


class Clever(Bot):
    """Makes the last of its moves."""

    name = "house"
    title = "Clever"
    needs = "moves"

    def choose(self, info: Information) -> str:
        return info.legal_moves[-1]


@pytest.mark.parametrize(("guide", "best"), [(None, "trust"), (Clever, "safe")])
def test_where_a_game_has_a_guide_a_search_plays_on_with_it(guide: type[Bot] | None, best: str) -> None:
    """After "trust" one of 1024 sequences of moves loses, and the guide plays it; after "safe" half of them lose.

    Six random roll-outs do not show that.
    """

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        later = [move for _, move in made[1:]]
        won = later[0] == "y" if made[0][1] == "safe" else "x" in later
        return float(won), float(not won)

    facts = Facts(2, in_turn(2, 11), lambda made, seat: ["x", "y"] if made else ["safe", "trust"], scores)
    results = [Ismcts(6).choose(asked(facts, str(seed), guide=guide)) for seed in range(9)]
    assert results.count(best) >= 7


@pytest.mark.parametrize("at_once", [False, True])
def test_others_are_assumed_to_play_like_the_guide_until_a_move_has_been_tried_often(at_once: bool) -> None:
    """After the guide's answer "trust" loses, after nine others it wins: trying all of them first overrates it."""

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        mine, theirs = dict(made)[0], dict(made)[1]
        won = card < 5 if mine == "safe" else theirs != "9"
        return float(won), float(not won)

    names = [str(number) for number in range(10)]
    facts = Facts(
        2,
        lambda made: [seat for seat in (0, 1) if seat not in dict(made)][: 2 if at_once else 1],
        lambda made, seat: names if seat else ["safe", "trust"],
        scores,
        cards=10,
    )
    results = [Ismcts(30).choose(asked(facts, str(seed), guide=Clever)) for seed in range(9)]
    assert results.count("safe") >= 8


@pytest.mark.parametrize(("guided", "asked_for"), [(3, 3), (100, 10)])
def test_a_guide_is_asked_for_as_many_decisions_as_the_game_says(guided: int, asked_for: int) -> None:
    """Ten decisions follow the one that is searched; one of twenty is a surprise."""
    asked_seats: list[int] = []

    class Noting(Clever):
        def choose(self, info: Information) -> str:
            asked_seats.append(info.seat)
            return super().choose(info)

    facts = Facts(2, in_turn(2, 11), lambda made, seat: ["x", "y"], lambda made, card: (1.0, 0.0))
    most = 0
    for seed in range(9):
        asked_seats.clear()
        Ismcts(1).choose(asked(facts, str(seed), guide=Noting, guided=guided))
        most = max(most, len(asked_seats))
    assert most == asked_for


MANY = [str(number) for number in range(100)]


def test_with_many_moves_and_few_roll_outs_it_takes_the_move_of_the_guide() -> None:
    """It wins in nine determinizations of ten, the others in four: one roll-out of each of forty would show nothing."""

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        won = card < (9 if made[0][1] == MANY[-1] else 4)
        return float(won), float(not won)

    facts = Facts(2, in_turn(2, 1), lambda made, seat: MANY, scores, cards=10)
    results = [Ismcts(40).choose(asked(facts, str(seed), guide=Clever)) for seed in range(9)]
    assert results.count(MANY[-1]) >= 8


def test_a_search_finds_what_is_better_than_the_guide() -> None:
    """Its move wins in half of the determinizations, and one of forty always."""

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        won = made[0][1] == "7" or card < 5
        return float(won), float(not won)

    facts = Facts(2, in_turn(2, 1), lambda made, seat: MANY[:40], scores, cards=10)
    assert {Ismcts(4000).choose(asked(facts, str(seed), guide=Clever)) for seed in range(3)} == {"7"}


def matching(made: Moves, card: int) -> tuple[float, ...]:
    """Seat 0 wins unless seat 1 names the same of three; by "safe" it has a draw for certain."""
    chosen = dict(made)
    if chosen[0] == "safe":
        return 0.0, 0.0
    return (0.0, 1.0) if chosen[0] == chosen[1] else (1.0, 0.0)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_simultaneous_decisions_do_not_depend_on_our_choice(seed: str) -> None:
    """An opponent who saw our choice would match it, and only "safe" would be left; two in three guesses are wrong."""
    names = ["x", "y", "z"]
    facts = Facts(
        2,
        lambda made: [seat for seat in (0, 1) if seat not in dict(made)],
        lambda made, seat: names if seat else [*names, "safe"],
        matching,
    )
    result = Search(asked(facts, seed), FastChance(seed)).run(2000)
    assert result.moves[result.best(0) or 0] != "safe"
    guided = Facts(2, in_turn(2, 2), facts.options, matching)
    result = Search(asked(guided, seed), FastChance(seed)).run(2000)
    assert result.moves[result.best(0) or 0] == "safe"


def test_each_player_maximises_its_own_result() -> None:
    """Seat 1 can give the win to seat 0 or to seat 2, and takes the second place where seat 2 wins."""

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        if made[0][1] == "keep":
            return 1.0, 2.0, 0.0
        return (3.0, 0.0, 1.0) if made[1][1] == "to 0" else (0.0, 2.0, 3.0)

    facts = Facts(
        3,
        lambda made: [[0], [1] if made[-1:] == ((0, "ask"),) else [], []][len(made)],
        lambda made, seat: ["to 0", "to 2"] if seat else ["ask", "keep"],
        scores,
    )
    assert Ismcts(300).choose(asked(facts)) == "keep"


@pytest.mark.parametrize(("favourite", "best"), [(0, "a"), (1, "b"), (2, "c")])
def test_a_helper_plays_for_the_seat_it_helps(favourite: int, best: str) -> None:
    wins = {"a": (2.0, 1.0, 0.0), "b": (0.0, 2.0, 1.0), "c": (1.0, 0.0, 2.0)}
    facts = Facts(3, in_turn(3, 1), lambda made, seat: list("abc"), lambda made, card: wins[made[0][1]])
    info = asked(facts)
    assert Helper(favourite, 60).choose(info) == best
    assert info.samples == 60


def test_a_helper_assumes_that_the_others_do_not_help() -> None:
    """To "pass" leaves it to seat 1 to make seat 2 win, which it could; but it takes the win itself."""

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        if made[0][1] == "share":
            return 0.0, 1.0, 1.0
        return (1.0, 0.0, 2.0) if made[1][1] == "give" else (1.0, 2.0, 0.0)

    facts = Facts(
        3,
        lambda made: [[0], [1] if made[-1:] == ((0, "pass"),) else [], []][len(made)],
        lambda made, seat: ["give", "win"] if seat else ["pass", "share"],
        scores,
    )
    assert Helper(2, 400).choose(asked(facts)) == "share"


@pytest.mark.parametrize("rollouts", [1, 2, 40, 333])
def test_a_search_makes_exactly_as_many_roll_outs_as_it_is_asked_for(rollouts: int) -> None:
    state = STICKS.new(2, {}, FastChance("x"))
    info = asked(Facts(2, in_turn(2, 4), lambda made, seat: ["a", "b"], lambda made, card: (1.0, 0.0)))
    result = Search(info, FastChance("x")).run(rollouts)
    assert info.samples == rollouts == sum(result.visits)
    assert state.to_act()


@pytest.mark.parametrize("kind", LEVELS)
def test_a_level_spends_its_budget_and_never_more_than_it_may(kind: type) -> None:
    facts = Facts(2, in_turn(2, 4), lambda made, seat: ["a", "b"], lambda made, card: (1.0, 0.0))
    for budget in (1, 30, 100_000):
        info = asked(facts, budget=budget)
        kind().choose(info)
        assert info.samples == min(budget, kind.rollouts)  # type: ignore[attr-defined]


def test_higher_levels_make_more_roll_outs() -> None:
    budgets = [kind.rollouts for kind in LEVELS]  # type: ignore[attr-defined]
    assert budgets == sorted(set(budgets))


def test_a_search_that_has_to_decide_does_after_no_further_roll_out() -> None:
    facts = Facts(2, in_turn(2, 4), lambda made, seat: ["a", "b"], lambda made, card: (1.0, 0.0))
    info = asked(facts)
    asked_so_far = 0

    def enough() -> bool:
        nonlocal asked_so_far
        asked_so_far += 1
        return asked_so_far > 7

    result = Search(info.with_chance(info.chance, enough), info.chance).run(100)
    assert sum(result.visits) == 7


def test_a_forced_move_costs_nothing() -> None:
    info = asked(Facts(2, in_turn(2, 4), lambda made, seat: ["a"], lambda made, card: (1.0, 0.0)))
    assert Ismcts(50).choose(info) == "a"
    assert info.samples == 0


def test_a_roll_out_whose_rules_fail_is_ignored() -> None:
    """Move "good" wins if the card is 3, and otherwise its roll-out fails; with "never" every roll-out fails."""
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: ["poor", "good", "never"],
        lambda made, card: (float(made[0][1] == "good"), 0.5),
        cards=4,
        impossible=lambda made, card: made[-1][1] == "never" or (made[-1][1] == "good" and card < 3),
    )
    info = asked(facts)
    result = Search(info, info.chance).run(300)
    assert info.samples == 300
    assert 0 < sum(result.visits) < 300
    assert result.visits[2] == 0
    assert result.means[2] is None
    assert result.moves[result.best(0) or 0] == "good"


def test_if_every_roll_out_fails_a_legal_move_is_made() -> None:
    moves = ["a", "b", "c"]
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: moves,
        lambda made, card: (0.0, 0.0),
        impossible=lambda made, card: True,
    )
    assert Search(asked(facts), FastChance("x")).run(20).best(0) is None
    assert {Ismcts(5).choose(asked(facts, str(seed))) for seed in range(30)} == set(moves)


def digits(made: Moves, card: int) -> tuple[float, ...]:
    """Two digits and the sign that is chosen last; a bad one is worth far less than any two digits bring."""
    first, second, sign = (move for _, move in made)
    return (1000.0 + int(first) * 10 + int(second) - (0 if sign == "+" else 500),)


@pytest.mark.parametrize(("low_wins", "best"), [(False, "9"), (True, "0")])
def test_a_player_who_plays_alone_plays_for_the_score_however_it_is_counted(low_wins: bool, best: str) -> None:
    facts = Facts(
        1,
        in_turn(1, 3),
        lambda made, seat: ["+", "-"] if len(made) == 2 else list("0369"),
        digits,
        low_wins=low_wins,
    )
    assert Ismcts(1500).choose(asked(facts)) == best


def test_a_shared_first_place_is_worth_less_than_one_alone() -> None:
    """By the scaled rank alone a draw is as good as a win, and the first of the two would be taken."""
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: ["draw", "win"],
        lambda made, card: (1.0, float(made[0][1] == "draw")),
    )
    assert Ismcts(50).choose(asked(facts)) == "win"


@pytest.mark.parametrize(
    ("ranks", "worth"),
    [
        ([1, 2], [1, 0]),
        ([3, 1, 2], [0, 1, 0.5]),
        ([1, 1, 1], [0.5, 0.5, 0.5]),
        ([1, 2, 2, 4], [1, 0.5, 0.5, 0]),
        ([1, 2, 1, 2], [5 / 6, 1 / 6, 5 / 6, 1 / 6]),  # two teams of two
    ],
)
def test_tied_seats_share_what_their_places_are_worth(ranks: list[int], worth: list[float]) -> None:
    assert shared(ranks) == pytest.approx(worth)
    assert sum(shared(ranks)) == pytest.approx(len(ranks) / 2)


@full
@pytest.mark.parametrize("bots", [["ismcts-60", "random"], ["random", "ismcts-60"]])
def test_it_beats_random_players(bots: list[str]) -> None:
    simulation = Simulation.checked(STICKS, bots, {}, "beats")
    made = report(simulation, simulate(simulation, 40))
    wins = {seat["bot"]: seat["wins"] for seat in made["seats"]}
    assert wins["ismcts-60"] >= 36
    assert not made["failures"]


@pytest.mark.parametrize(("cards", "best"), [(2, "risk"), (5, "share")])
def test_a_shared_win_is_worth_a_part_of_a_win_to_a_helper(cards: int, best: str) -> None:
    """All three share the win, or seat 1 wins alone if the unseen card is the one of ``cards``."""

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        if made[0][1] == "share":
            return 1.0, 1.0, 1.0
        return (0.0, 1.0, 0.0) if card == 0 else (0.0, 0.0, 1.0)

    facts = Facts(3, in_turn(3, 1), lambda made, seat: ["share", "risk"], scores, cards=cards)
    assert Helper(1, 400).choose(asked(facts)) == best
