"""How taps and buttons choose one of the legal moves: choose.js, run in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

from tests.tiers import examples

Move = dict[str, Any]  # a legal move as a view has it
Choice = dict[str, Any]

# What the scripts below use. They return texts of moves.
MODULE = """
  const { NOTHING, back, isBegun, buttons, pickable, possible, stillPossible, tapPiece, tapTarget, targets } =
    await import("/static/js/table/choose.js");
  const chosen = (tapped) => tapped && ("decide" in tapped ? tapped.decide.move : tapped.choice);
"""


@pytest.fixture(scope="module")
def page(modules: Page) -> Page:
    return modules


def run(page: Page, script: str, **given: Any) -> Any:
    """Run a script that knows the module's functions and what is ``given``, and return what it returns."""
    return page.evaluate(f"async ({{ {', '.join(given)} }}) => {{ {MODULE} {script} }}", given)


def move(text: str, *pieces: str, target: str = "") -> Move:
    """Return a legal move as a view has it."""
    return {"move": text, "label": {"text": text, "args": {}}, "pieces": list(pieces)} | (
        {"target": target} if target else {}
    )


def choice(*picked: str, aimed: str | None = None) -> Choice:
    """Return a choice."""
    return {"picked": list(picked), "aimed": aimed}


def tap(page: Page, moves: list[Move], before: Choice, piece: str) -> Any:
    """Return what tapping a piece leads to: the text of a move, or what is chosen then."""
    return run(page, "return chosen(tapPiece(moves, before, piece));", moves=moves, before=before, piece=piece)


def aim(page: Page, moves: list[Move], before: Choice, target: str) -> Any:
    """Return what tapping a target leads to: the text of a move, what is chosen then, or None."""
    return run(page, "return chosen(tapTarget(moves, before, target));", moves=moves, before=before, target=target)


def shown(page: Page, moves: list[Move], before: Choice) -> list[str]:
    """Return the buttons: the text of a move, or the next part to choose and the number of moves with it."""
    return list(
        run(
            page,
            """return buttons(moves, before).map((button) =>
                 button.move ? button.move.move
                 : `${button.choice.aimed ?? button.choice.picked.at(-1)}: ${button.moves.length}`);""",
            moves=moves,
            before=before,
        )
    )


def test_one_tap_plays_a_piece_with_one_move_and_no_target(page: Page) -> None:
    moves = [move("play 4C", "4C"), move("play 5C", "5C"), move("pass")]
    assert tap(page, moves, choice(), "4C") == "play 4C"


def test_a_piece_with_a_target_or_a_choice_is_picked_first(page: Page) -> None:
    moves = [move("keep", "4C"), move("trade", "4C", target="seat:1"), move("to pool", "5C", target="zone:pool")]
    assert tap(page, moves, choice(), "4C") == choice("4C")
    assert tap(page, moves, choice(), "5C") == choice("5C")
    assert tap(page, moves, choice("4C"), "4C") == choice()
    assert tap(page, moves, choice("4C"), "5C") == choice("5C")


def test_a_piece_that_the_picked_one_may_go_to_is_a_target(page: Page) -> None:
    moves = [
        move("4C on 5D", "4C", target="piece:5D"),
        move("play 5D", "5D"),
        move("4C on 6D", "4C", target="piece:6D"),
    ]
    assert tap(page, moves, choice("4C"), "5D") == "4C on 5D"


def test_pieces_that_go_together_are_picked_one_by_one_and_then_played(page: Page) -> None:
    moves = [move("meld 4C 4D", "4C", "4D"), move("meld 4C 4H", "4C", "4H")]
    assert tap(page, moves, choice(), "4C") == choice("4C")
    assert tap(page, moves, choice("4C"), "4H") == "meld 4C 4H"


def guesses(card: str, *seats: int) -> list[Move]:
    """Return the moves of a card that is played on somebody, with a guess at what they hold."""
    ranks = ("priest", "baron", "maid", "prince", "king", "countess", "princess")
    return [move(f"{card} on {seat}: {rank}", card, target=f"seat:{seat}") for seat in seats for rank in ranks]


def test_where_moves_share_card_and_target_a_tap_on_the_target_narrows_and_buttons_ask_the_rest(page: Page) -> None:
    moves = [*guesses("guard", 1, 2), move("priest on 1", "priest", target="seat:1")]
    assert tap(page, moves, choice(), "guard") == choice("guard")
    on_two = choice("guard", aimed="seat:2")
    assert aim(page, moves, choice("guard"), "seat:2") == on_two
    assert shown(page, moves, on_two) == [each["move"] for each in guesses("guard", 2)]
    # Another target, another card, or the same target again: one is never stuck.
    assert aim(page, moves, on_two, "seat:1") == choice("guard", aimed="seat:1")
    assert aim(page, moves, on_two, "seat:2") == choice("guard")
    assert tap(page, moves, on_two, "priest") == choice("priest")
    assert tap(page, moves, on_two, "guard") == choice()


def test_a_target_without_a_piece_reduces_the_moves_too(page: Page) -> None:
    moves = [move(f"accuse {seat} of {what}", target=f"seat:{seat}") for seat in (1, 2) for what in ("theft", "arson")]
    assert run(page, "return [...targets(moves, NOTHING)];", moves=moves) == ["seat:1", "seat:2"]
    assert aim(page, moves, choice(), "seat:1") == choice(aimed="seat:1")
    assert shown(page, moves, choice(aimed="seat:1")) == ["accuse 1 of theft", "accuse 1 of arson"]


def test_a_piece_that_may_be_meant_as_a_target_or_as_one_more_is_asked_about(page: Page) -> None:
    moves = [move("4C on 5D", "4C", target="piece:5D"), move("4C and 5D", "4C", "5D"), move("5D, 6D", "5D", "6D")]
    aimed = choice("4C", aimed="piece:5D")
    assert tap(page, moves, choice("4C"), "5D") == aimed
    assert shown(page, moves, aimed) == ["4C on 5D", "4C and 5D"]
    assert tap(page, moves, choice("5D"), "4C") == "4C and 5D"


def test_escape_goes_back_one_step_at_a_time(page: Page) -> None:
    steps = run(
        page,
        """const seen = [];
           for (let at = { picked: ["4C", "4D"], aimed: "seat:1" }; isBegun(at); at = back(at)) seen.push(at);
           return seen;""",
    )
    assert steps == [choice("4C", "4D", aimed="seat:1"), choice("4C", "4D"), choice("4C")]


def test_many_moves_are_grouped_by_what_is_chosen_next_and_few_stand_as_they_are(page: Page) -> None:
    few = [move(f"4C on {n}", "4C", target=f"seat:{n}") for n in range(3)] + [move("pass")]
    assert shown(page, few, choice()) == ["4C on 0", "4C on 1", "4C on 2", "pass"]
    assert shown(page, [*few, move("5C on 0", "5C", target="seat:0")], choice()) == ["4C: 3", "5C on 0", "pass"]
    moves = [*guesses("guard", 1, 2), move("maid", "maid")]
    assert shown(page, moves, choice()) == ["guard: 14", "maid"]
    assert shown(page, moves, choice("guard")) == ["seat:1: 7", "seat:2: 7"]
    # What all have in common is not asked.
    assert shown(page, guesses("guard", 1, 2), choice()) == ["seat:1: 7", "seat:2: 7"]
    assert shown(page, guesses("guard", 1), choice()) == [each["move"] for each in guesses("guard", 1)]


PIECES = st.sampled_from(["a", "b", "c", "d"])
PLACES = st.sampled_from(["seat:1", "seat:2", "zone:pool"])
THINGS = st.one_of(st.none(), PLACES, PIECES.map("piece:{}".format))


def legal_moves(targets: st.SearchStrategy[str | None]) -> st.SearchStrategy[list[Move]]:
    """Return any sets of legal moves: two may share pieces or target, and one's pieces include another's."""
    shape = st.tuples(st.lists(PIECES, unique=True, max_size=3), targets)
    return st.lists(shape, min_size=1, max_size=24).map(
        lambda shapes: [move(f"move {n}", *pieces, target=to or "") for n, (pieces, to) in enumerate(shapes)]
    )


any_set = examples(100)


@given(moves=legal_moves(THINGS))
@any_set
def test_every_move_of_any_set_is_reached_by_buttons_alone_and_each_press_narrows(
    page: Page, moves: list[Move]
) -> None:
    reached, stuck = run(
        page,
        """const reached = new Set(), stuck = [];
           const press = (choice) => {
             for (const button of buttons(moves, choice)) {
               if (button.move) reached.add(button.move.move);
               else if (button.choice.picked.length + (button.choice.aimed !== null)
                        <= choice.picked.length + (choice.aimed !== null)) stuck.push(button.choice);
               else press(button.choice);
             }
           };
           press(NOTHING);
           return [[...reached].sort(), stuck];""",
        moves=moves,
    )
    assert stuck == []
    assert reached == sorted(each["move"] for each in moves)


TAP_ALL = """
  // Tap the pieces of each move and then where it goes, wherever that is lit; return how it ended.
  return moves.map((move) => {
    let choice = NOTHING;
    const things = [...move.pieces.map((id) => `piece:${id}`), ...(move.target ? [move.target] : [])];
    for (const thing of things) {
      const piece = thing.startsWith("piece:") ? thing.slice(6) : "";
      const lit = targets(moves, choice).has(thing);
      if (!lit && !pickable(moves).has(piece)) return { move: move.move, unlit: thing };
      const tapped = piece ? tapPiece(moves, choice, piece) : tapTarget(moves, choice, thing);
      if ("decide" in tapped) return { move: move.move, decided: tapped.decide.move };
      choice = tapped.choice;
    }
    return { move: move.move, choice, left: possible(moves, choice).map((one) => one.move),
             asked: buttons(moves, choice).map((one) => one.move?.move) };
  });
"""


@given(moves=legal_moves(st.one_of(st.none(), PLACES)))
@any_set
def test_every_move_of_any_set_is_reached_by_tapping_its_pieces_and_its_target(page: Page, moves: list[Move]) -> None:
    shape = {each["move"]: (set(each["pieces"]), each.get("target")) for each in moves}
    for end in run(page, TAP_ALL, moves=moves):
        name = end["move"]
        if "decided" in end:  # early, where nothing else was left: then it is that move, or its equal in all but order
            assert end["decided"] == name
            continue
        pieces, target = shape[name]
        assert (set(end["choice"]["picked"]), end["choice"]["aimed"]) == (pieces, target)
        assert name in end["asked"]  # a button of its own, whatever the others are
        assert all(shape[other][0] >= pieces for other in end["left"])
        if target:
            assert all(shape[other] == (pieces, target) for other in end["left"])


@given(moves=legal_moves(THINGS))
@any_set
def test_no_tap_loses_the_move_it_is_meant_for_even_where_pieces_are_targets(page: Page, moves: list[Move]) -> None:
    for end in run(page, TAP_ALL, moves=moves):
        assert "unlit" not in end
        if "decided" in end:
            assert end["decided"] == end["move"]
        else:
            assert end["move"] in end["left"]
