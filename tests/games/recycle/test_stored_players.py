"""A store that holds a player: what it is for, what nobody is, and who is shown."""

from __future__ import annotations

import pytest

from games.core.moves import RulesFailed
from games.recycle.lint import warnings
from games.recycle.machine import NOBODY
from games.recycle.problems import BadText, Source
from games.recycle.reader import read
from tests.games.recycle.played import Played, begun, take, text_of
from tests.games.recycle.tables import Sitting, say_all

SET = "(set (game who LEADER) (1 player))"


def holds(test: str, steps: str) -> bool:
    """Return whether a test holds after some steps."""
    return Played(f"(do ({steps} ({test} (set (game sto X) 1))))").number("X") == 1


@pytest.mark.parametrize(
    ("test", "steps"),
    [
        ("(== (game who LEADER) (1 player))", SET),
        ("(!= (game who LEADER) (0 player))", SET),
        ("(== (next player) (game who LEADER))", SET),
        ("(== ((game who LEADER) sto COINS) 3)", f"{SET} (set ((1 player) sto COINS) 3)"),
        ("(== ((game who LEADER) who RIVAL) (0 player))", f"{SET} (set ((1 player) who RIVAL) (0 player))"),
        ("(== ((team (1 player)) who BEST) (1 player))", f"{SET} (set ((team (game who LEADER)) who BEST) (1 player))"),
        ("(any (LEADER) 'N (== (game who 'N) (1 player)))", SET),
        ("(any player 'P (== 'P (game who LEADER)))", SET),
        ("(== (size (filter player 'P (!= 'P (game who LEADER)))) 1)", SET),
    ],
)
def test_what_a_store_holds_is_that_player(test: str, steps: str) -> None:
    assert holds(test, steps)


@pytest.mark.parametrize(
    "test",
    [
        "(not (any player 'P (== 'P (game who LEADER))))",
        "(all player 'P (!= (game who LEADER) 'P))",
        "(== (game who LEADER) ((0 player) who RIVAL))",
        "(not (!= (game who LEADER) (game who OTHER)))",
    ],
)
def test_an_unset_store_holds_nobody_whom_no_player_equals(test: str) -> None:
    assert holds(test, "(turn pass)")


@pytest.mark.parametrize(
    "step",
    [
        "(cycle next (game who LEADER))",
        "(inc ((game who LEADER) sto N) 1)",
        "(set (game who OTHER) (game who LEADER))",
        "(let (game who LEADER) 'P (turn pass))",
        "(move (top (game vloc DECK)) (top ((game who LEADER) vloc HAND)))",
    ],
)
@pytest.mark.parametrize("where", ["do", "choice"])
def test_anything_else_with_nobody_ends_the_match(step: str, where: str) -> None:
    with pytest.raises(RulesFailed, match="No player is stored here yet") as failed:
        begun(text_of(f"({where} ({step}))")).options()
    assert failed.value.kind == "nobody"


def test_a_player_is_chosen_by_an_option() -> None:
    turns = "(do ((cycle current (game who RIVAL)))) (choice ((turn pass)))"
    state = begun(text_of(f"(choice ((any player 'P (set (game who RIVAL) 'P)))) {turns}"))
    assert state.legal_moves(0) == ["RIVAL=player 0", "RIVAL=player 1"]
    take(state, "RIVAL=player 1")
    assert state.to_act() == (1,)


def test_looking_for_options_leaves_a_store_as_it_was() -> None:
    blocks = "(choice ((do ((set (game who A) (1 player)) ((== (game who A) (1 player)) (turn pass)))) (turn pass)))"
    state = begun(text_of(blocks))
    assert state.legal_moves(0) == ["A=player 1; pass", "pass"]
    assert state.H == [NOBODY]


# -- at the table

DEALER = "(do ((set (game who DEALER) (1 player)) (set ((0 player) who RIVAL) (1 player))))"


def test_the_player_whom_a_store_of_the_table_holds_is_marked() -> None:
    table = Sitting(f"{DEALER} (choice ((set (game who DEALER) (0 player)) (turn pass)))")
    assert [seat["marks"] for seat in table.view()["seats"]] == [[], ["dealer"]]
    assert say_all([{"kind": "info", "text": table.view(None)["phase"]}]) == ["Rival (Anna): Bram"]
    assert table.labels() == ["Dealer: Anna", "Pass"]
    assert say_all(table.play())[0] == "Anna sets dealer to Anna."
    assert [seat["marks"] for seat in table.view(None)["seats"]] == [["dealer"], []]


def test_a_table_file_names_and_hides_such_a_store() -> None:
    named = Sitting(f"{DEALER} (choice ((turn pass)))", '[labels]\nDEALER = "the bank"\n[hide]\nstores = ["RIVAL"]')
    assert [seat["marks"] for seat in named.view()["seats"]] == [[], ["the bank"]]
    assert say_all([{"kind": "info", "text": named.view(None)["phase"]}]) == ["Playing"]
    hidden = Sitting(f"{DEALER} (choice ((turn pass)))", '[hide]\nstores = ["DEALER"]')
    assert [seat["marks"] for seat in hidden.view()["seats"]] == [[], []]


def test_the_log_says_who_is_stored() -> None:
    blocks = "(choice ((turn pass))) (do ((set (game who DEALER) (1 player)) (set ((1 player) who RIVAL) (0 player))))"
    table = Sitting(f"{blocks} (choice ((turn pass)))")
    assert say_all(table.play()) == ["Anna must pass.", "Dealer: Bram.", "Rival of Bram: Anna."]


# -- what is wrong with one


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("(set (game who A) 3)", "Expected a player here, but 3 is a number."),
        ("(inc (game who A) 1)", "Expected a store of numbers here, but (game who A) is one of players."),
        ("(set (game sto A) (game who B))", "Expected a number here, but (game who B) is a player."),
        ("(shuffle (game who A))", "Expected cards here, but (game who A) is a player."),
    ],
)
def test_a_mistake_with_such_a_store_is_reported(step: str, text: str) -> None:
    with pytest.raises(BadText) as found:
        read(text_of(f"(do ({step}))"))
    assert [problem.text for problem in found.value.problems] == [text]


def test_a_player_who_is_never_stored_or_never_read_is_warned_of() -> None:
    text = text_of("(do ((set (game who DEALR) (0 player)) (cycle next (game who DEALER))))")
    found = [(problem.text, problem.hint) for problem in warnings(read(text), Source(text))]
    assert found == [
        ("The player DEALR is set, but never read.", "Did you mean DEALER?"),
        ("The player DEALER is read, but never set.", "Did you mean DEALR?"),
    ]
