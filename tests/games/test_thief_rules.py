"""The rules of Card Thief, row by row, and its deal of the day."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import FastChance, IllegalMove, Information, SealedChance, State
from games.core.chance import SEED_BYTES
from games.core.view import Step, path_moves, plain
from games.thief import cards
from games.thief.board import CELLS
from games.thief.cards import ENEMIES, HATCH, LEVELS, STRONGBOX
from games.thief.director import DirectorRoll
from games.thief.end_of_turn import settle
from games.thief.game import GAME
from games.thief.path import Position, begin, cornered, enter, follow, legal_paths, slips
from games.thief.rules import HeistState, moves_of
from games.thief.vision import gaze, light
from tests.games import thief
from tests.games.thief import heist, lay, log, path_over
from tests.tiers import examples


def cells(mask: int) -> list[int]:
    """The cells of a set."""
    return [cell for cell in CELLS if mask >> cell & 1]


# -- the deck


@pytest.mark.parametrize(
    ("level", "counts"),
    [
        (1, {"guard": 13, "torch": 10}),
        (2, {"guard": 9, "warden": 3, "wolf": 3, "torch": 8}),
        (3, {"guard": 7, "warden": 3, "wolf": 3, "owl": 2, "torch": 8}),
        (4, {"guard": 5, "warden": 3, "wolf": 3, "owl": 2, "overseer": 2, "torch": 8}),
    ],
)
def test_a_level_has_43_cards_of_its_kinds(level: int, counts: dict[str, int]) -> None:
    deck = cards.deck(level)
    same = {"sneak": 6, "hide": 4, "treasure": 6, "door": 2, "trap": 2}
    results = {kind: sum(card.kind == kind for card in deck) for kind in {card.kind for card in deck}}
    assert len(deck) == 43
    assert results == counts | same


@pytest.mark.parametrize(
    ("level", "values"),
    [(1, [2] * 6 + [3] * 5 + [4] * 2), (2, [2] * 5 + [3] * 3 + [4]), (3, [2] * 4 + [3] * 3), (4, [2] * 2 + [3] * 3)],
)
def test_guards_carry_a_gem_less_than_they_cost(level: int, values: list[int]) -> None:
    guards = [card for card in cards.deck(level) if card.kind == "guard"]
    assert [card.value for card in guards] == values
    assert all(card.purse == card.value - 1 for card in guards)


def test_the_printed_values_are_those_of_the_table() -> None:
    deck = cards.deck(4)
    printed = {(card.kind, card.value, card.purse) for card in deck if card.kind in ENEMIES and card.kind != "guard"}
    assert printed == {("warden", 3, 2), ("wolf", 2, 0), ("owl", 2, 0), ("overseer", 4, 3)}
    assert [card.value for card in deck if card.kind == "sneak"] == [1, 1, 2, 2, 2, 3]
    assert [card.value for card in deck if card.kind == "treasure"] == [1, 1, 2, 2, 3, 3]


# -- light and gaze


@pytest.mark.parametrize(
    ("layout", "lit"),
    [
        (". . . . torch . . . @", [1, 3, 4, 5, 7]),
        ("torch . . . . . . . @", [0, 1, 3]),
        (". . . . warden^ . . . @", [1, 3, 5, 7]),
        ("warden^ . . . . . . . @", [1, 3]),
        (". . torch . . . torch . @", [1, 2, 3, 5, 6, 7]),
        ("guard2> sneak1 hide treasure1 . trap door hatch @", []),
    ],
)
def test_torches_light_their_own_cell_and_those_beside_and_wardens_only_those_beside(
    layout: str, lit: list[int]
) -> None:
    assert cells(light(lay(layout).board)) == lit


@pytest.mark.parametrize(
    ("layout", "seen"),
    [
        (". . . . guard2^ . . . @", [1]),
        (". . . . wolf> . . . @", [5]),
        (". . . . wardenv . . . @", [7]),
        (". . . . guard2< . . . @", [3]),
        ("guard2^ . . . . . . . @", []),
        (". . . . overseer< . . . @", [3, 5]),
        (". . . . overseer^ . . . @", [1, 7]),
        ("overseer< . . . . . . . @", [1]),
        (". . . . owl . . . @", [1, 3, 5, 7]),
        ("owl . . . . . . . @", [1, 3]),
    ],
)
def test_enemies_see_one_cell_ahead_overseers_also_behind_and_owls_all_round(layout: str, seen: list[int]) -> None:
    assert cells(gaze(lay(layout).board)) == seen


# -- paths


def test_the_worked_example_comes_out() -> None:
    example = "treasure1 sneak1 treasure1 treasure2 torch torch guard2> guard2< @"
    assert cells(light(lay(example).board)) == [1, 2, 3, 4, 5, 7, 8]
    after = [(w.multiplier, w.stealth, w.gems) for w in (path_over(example, *(4, 0, 1, 3)[:n]) for n in range(1, 5))]
    assert after == [(1, 8, 0), (2, 8, 2), (3, 11, 2), (4, 11, 10)]
    state = heist(example, deck="door door door door")
    state.play(0, "path 4 0 1 3")
    assert (state.stealth, state.gems, state.thief) == (11, 10, 3)
    assert thief.layout(state.board[4:5]) == "guard2^", "the guard at the torch's flank has turned and stepped in"


def test_a_path_takes_two_cards_touching_each_other_and_no_cell_twice() -> None:
    moves = moves_of(lay(". . . . . . treasure1 treasure1 @"))
    assert moves == ["path 7 6"]
    moves = moves_of(lay(". . . . treasure1 treasure1 . treasure1 @"))
    assert moves == [
        "path 4 5", "path 4 5 7", "path 4 7", "path 4 7 5",
        "path 5 4", "path 5 4 7", "path 5 7", "path 5 7 4",
        "path 7 4", "path 7 4 5", "path 7 5", "path 7 5 4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "moves"),
    [
        (". . . . . . . hatch @", ["path 7"]),
        (". . . . . . . treasure1 @", ["path 7"]),
        ("treasure1 . . . @ . . . hatch", ["path 0", "path 8"]),
        (". . . . . . treasure1 hatch @", ["path 7"]),
        ("treasure1 . . treasure1 @ . . . hatch", ["path 0 3", "path 3 0", "path 8"]),
    ],
    ids=["hatch", "no path of two", "no path of two but a hatch", "the hatch ends a path", "a path of two and a hatch"],
)
def test_one_card_is_enough_for_the_hatch_or_where_there_is_no_path_of_two(layout: str, moves: list[str]) -> None:
    assert moves_of(lay(layout)) == moves


def test_each_card_that_does_not_touch_the_start_raises_the_multiplier_first() -> None:
    result = path_over("treasure1 treasure1 treasure1 treasure1 treasure1 treasure1 . . @", 4, 0, 1, 2, 5)
    assert (result.multiplier, result.gems) == (4, 1 + 2 + 3 + 4 + 4)


ENEMY_ROWS = [
    ("flank", ". . . . . guard2> . . @", 2, ()),
    ("diagonal", ". . . . guard3v . . . @", 3, ()),
    ("behind", ". . . . . guard2^ . . @", 0, ("behind",)),
    ("front", ". . . . . guard2v . . @", 3, ("front",)),
    ("lit", ". . torch . . guard2> . . @", 3, ("lit",)),
    ("behind in the light", ". . torch . . guard2^ . . @", 3, ("lit",)),
    ("watched", ". . . . wolf> guard2> . . @", 3, ("watched",)),
    ("alert", ". . . . . guard2>!! . . @", 4, ("alert",)),
    ("all of it", ". . torch . wolf> guard2v! . . @", 6, ("lit", "watched", "front", "alert")),
    ("alert and behind", ". . . . . guard2^!! . . @", 0, ("behind",)),
    ("an owl has front all round", ". . . . . owl . . @", 3, ("front",)),
    ("an owl from a corner", ". . . . owl . . . @", 2, ()),
    ("an overseer's back is front", ". . . . . overseer^ . . @", 5, ("front",)),
    ("an overseer's flank", ". . . . . overseer< . . @", 4, ()),
]


@pytest.mark.parametrize(("layout", "cost", "why"), [row[1:] for row in ENEMY_ROWS], ids=[row[0] for row in ENEMY_ROWS])
def test_an_enemy_costs_its_value_and_one_for_each_disadvantage(layout: str, cost: int, why: tuple[str, ...]) -> None:
    cell = 4 if layout.split()[4] not in (".", "wolf>") else 5
    result = path_over(layout, cell)
    assert 10 - result.stealth == cost
    assert tuple(reason for reason in result.step.why if reason not in ("noise", "howl")) == why


def test_the_multiplier_counts_for_price_and_purse() -> None:
    result = path_over(". . guard3> . . treasure1 . . @", 5, 2)
    assert (result.stealth, result.step.gems) == (10 - 2 * 3, 2 * 2)


def test_from_behind_in_the_dark_an_enemy_is_free_even_without_stealth() -> None:
    assert path_over(". . . . . guard4^ . . @", 5, stealth=-2).gems == 3
    assert moves_of(lay(". . treasure1 . . guard4^ . . @", stealth=-2)) == ["path 5 2", "slip 5"]


@pytest.mark.parametrize(("stealth", "allowed"), [(1, False), (2, True)])
def test_an_enemy_needs_as_much_stealth_as_it_costs(stealth: int, allowed: bool) -> None:
    assert bool(moves_of(lay(". . treasure1 . . guard2> . . @", stealth))) == allowed


CARD_ROWS = [
    ("torch", ". . . . . torch . . @", (5,), (8, 0)),
    ("torch, twice", ". . torch . . treasure1 . . @", (5, 2), (6, 1)),
    ("sneak in the dark", ". . . . . sneak3 . . @", (5,), (13, 0)),
    ("sneak, twice", ". . sneak3 . . treasure1 . . @", (5, 2), (16, 1)),
    ("sneak in the light", ". . torch . . sneak3 . . @", (5,), (10, 0)),
    ("sneak, its torch put out", ". . sneak3 . torch . . . @", (4, 2), (8 + 6, 0)),
    ("treasure", ". . . . . treasure3 . . @", (5,), (10, 3)),
    ("treasure in the light", ". . torch . . treasure3 . . @", (5,), (10, 3)),
    ("door in the dark", ". . . . . door . . @", (5,), (10, 0)),
    ("trap", ". . . . . trap . . @", (5,), (9, 0)),
    ("trap, twice", ". . trap . . treasure1 . . @", (5, 2), (8, 1)),
    ("strongbox, without multiplier", ". . strongbox4 . . treasure1 . . @", (5, 2), (6, 1)),
]


@pytest.mark.parametrize(("layout", "path", "after"), [row[1:] for row in CARD_ROWS], ids=[row[0] for row in CARD_ROWS])
def test_a_card_does_what_its_row_says(layout: str, path: tuple[int, ...], after: tuple[int, int]) -> None:
    result = path_over(layout, *path)
    assert (result.stealth, result.gems) == after


def test_a_door_in_the_light_is_locked_until_its_torch_is_out() -> None:
    moves = moves_of(lay(". . . . torch door . . @"))
    assert moves == ["path 4 5"]


@pytest.mark.parametrize(("stealth", "allowed"), [(3, False), (4, True)])
def test_the_strongbox_asks_for_its_whole_price(stealth: int, allowed: bool) -> None:
    moves = moves_of(lay(". . treasure1 . . strongbox4 . . @", stealth))
    assert moves == (["path 5 2"] if allowed else [])
    if allowed:
        state = heist(". . treasure1 . . strongbox4 . . @", stealth)
        state.apply(0, "path 5 2")
        assert state.box == 4


@pytest.mark.parametrize(
    ("layout", "path", "stealth"),
    [
        ("door . . . treasure1 hide . . @", "path 4 5", 10),
        ("door . . . hide treasure1 . . @", "path 4 5", 3),
        ("door . torch . treasure1 hide . . @", "path 4 5", 3),
    ],
    ids=["last and dark", "not last", "lit"],
)
def test_a_hide_restores_stealth_as_the_last_card_in_the_dark(layout: str, path: str, stealth: int) -> None:
    state = heist(layout, 3, deck="door " * 7)
    state.apply(0, path)
    assert state.stealth == stealth


def test_a_hide_never_lowers_stealth() -> None:
    assert settle(lay(". . . . . . . . @").board, 8, 14, refuge=True).stealth == 14


# -- being seen


@pytest.mark.parametrize(
    ("layout", "stealth"),
    [
        (". . torch . guard4> treasure1 . . @", 0),
        (". . warden> . . treasure1 . . @", -1),
        (". . torch . owl sneak1 . . @", -1),
        (". . torch . owl torch . . @", 2),
        (". . torch . guard4> trap . . @", 1),
    ],
)
def test_no_step_may_leave_the_thief_seen_that_is_out_of_stealth_lit_and_watched(layout: str, stealth: int) -> None:
    assert enter(begin(lay(layout, stealth)), 5) == "seen"
    assert not isinstance(enter(begin(lay(layout, stealth + 2)), 5), str), "with stealth left it is no hindrance"


@pytest.mark.parametrize(
    ("layout", "note"),
    [
        ("door . . . . torch . . @", "shaded"),
        ("door . . . guard4> torch . . @", "shaded"),
        ("door . torch . . torch . . @", "risky"),
        ("door . torch . guard4> torch . . @", ""),
    ],
    ids=["neither", "watched in the dark", "lit where nobody looks", "both"],
)
def test_stealth_may_run_out_in_the_dark_or_where_nobody_looks(layout: str, note: str) -> None:
    after = enter(begin(lay(layout, stealth=1)), 5)
    if note:
        assert not isinstance(after, str)
        assert after.stealth == -1
        paths = GAME.view(heist(layout, 1), 0)["paths"]
        end = steps(paths["start"], "path")["path 5"]
        assert note in [paths["notes"][place]["mark"] for place in end["notes"]]
    else:
        assert after == "seen"


# -- reactions


REACTIONS = [
    ("in its gaze", ". . torch . guard2> treasure1 . . @", "guard2>!"),
    ("on its flank", ". . torch . guard2^ treasure1 . . @", "guard2>*"),
    ("behind it", ". . torch . guard2< treasure1 . . @", "guard2<"),
    ("an owl", ". . torch . owl treasure1 . . @", "owl!"),
    ("an overseer's back", ". . torch . overseer< treasure1 . . @", "overseer<!"),
    ("an overseer's flank", ". . torch . overseer^ treasure1 . . @", "overseer>*"),
    ("in the dark", ". . . . guard2> treasure1 . . @", "guard2>"),
    ("noise beside", ". . . . guard2< trap . . @", "guard2>!*"),
    ("noise in its gaze", ". . . . guard2> trap . . @", "guard2>!*"),
    ("noise beside an owl", ". . . . owl trap . . @", "owl!"),
    ("a lit trap in its gaze", ". . torch . guard2> trap . . @", "guard2>!!*"),
    ("never above two", ". . torch . guard2>!! trap . . @", "guard2>!!*"),
    ("a lit guard from its front", ". . torch . guard2^ guard2v . . @", "guard2>!*"),
    ("a lit guard from its flank", ". . torch . guard2< guard2> . . @", "guard2<"),
    ("a dark guard from its front", ". . . . guard2^ guard2v . . @", "guard2^"),
]


@pytest.mark.parametrize(("layout", "after"), [row[1:] for row in REACTIONS], ids=[row[0] for row in REACTIONS])
def test_the_enemy_in_the_middle_notices_what_happens_to_its_right(layout: str, after: str) -> None:
    result = path_over(layout, 5, stealth=20)
    assert thief.layout(result.board[4:5]) == after


def test_noise_carries_round_the_corner_but_nobody_turns_there() -> None:
    result = path_over(". guard2< . . . trap . owl @", 5)
    assert (thief.layout(result.board[1:2]), thief.layout(result.board[7:8])) == ("guard2<!", "owl!")
    assert thief.layout(path_over("guard2< . . . . trap . . @", 5).board[:1]) == "guard2<", "it is too far away"


@pytest.mark.parametrize(
    ("layout", "howls"),
    [
        ("guard2< . . . . wolf> . . @", True),
        ("guard2< . . . . wolfv . . @", True),
        ("guard2< . . . . wolf^ . . @", False),
        ("guard2< . torch . . wolf^ . . @", True),
    ],
    ids=["flank", "front", "behind in the dark", "behind in the light"],
)
def test_a_wolf_howls_unless_taken_from_behind_in_the_dark(layout: str, howls: bool) -> None:
    assert thief.layout(path_over(layout, 5).board[:1]) == ("guard2<!" if howls else "guard2<")


def test_a_howl_comes_instead_of_noise() -> None:
    result = path_over(". . torch . guard2< wolfv . . @", 5)
    assert thief.layout(result.board[4:5]) == "guard2<!", (
        "alarmed, but it has not turned: the wolf was lit behind its back"
    )


# -- the end of a turn


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("treasure1 . . . . . . . @", ". . . . . . treasure1 . @"),
        ("treasure1 treasure2 . door . . . trap @", ". . . treasure1 treasure2 . door trap @"),
        (". . treasure1 . . . . . @", ". . . . . treasure1 . . @"),
        (". . treasure1 . . @ . . .", ". . treasure1 . . @ . . ."),
        (". . treasure1 . . @ . . door", ". . treasure1 . . @ . . door"),
        ("treasure1 treasure2 treasure3 . @ . . . .", ". treasure2 . . @ . treasure1 . treasure3"),
    ],
)
def test_cards_fall_and_the_thief_carries_what_is_above(before: str, after: str) -> None:
    position = lay(before)
    settled = settle(position.board, position.thief, 10, refuge=False)
    assert thief.layout(settled.board) == after.replace("@", ".")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("guard2>* . . . . . . . @", ". guard2> . . . . . . @"),
        ("guard2>* treasure1 . . . . . . @", ". . . . . . guard2> treasure1 @"),
        (". treasure1 . guard2>* . . . . @", ". treasure1 . . guard2> . . . @"),
        (". . . . . . . guard2>* @", ". . . . . . . guard2> @"),
        ("guard2>* . guard3<* . . . . . @", ". guard2> . . . . . . guard3<"),
    ],
    ids=["it stays where it stepped", "the cell is taken", "it carries", "not onto the thief", "the first cell first"],
)
def test_drawn_enemies_step_into_the_cell_they_face(before: str, after: str) -> None:
    words = before.split()
    if before.startswith("guard2>* . guard3"):
        words[8], words[7] = ".", "@"
    position = lay(" ".join(words))
    settled = settle(position.board, position.thief, 10, refuge=False)
    assert thief.layout(settled.board) == after.replace("@", ".")


@pytest.mark.parametrize(("price", "later"), [(1, 2), (8, 9), (9, 9)])
def test_the_price_of_the_strongbox_rises_to_nine(price: int, later: int) -> None:
    settled = settle(lay(f". . . . . . strongbox{price} . @").board, 8, 10, refuge=False)
    assert thief.layout(settled.board[6:7]) == f"strongbox{later}"


def test_a_house_cleared_of_all_eight_cards_restores_stealth() -> None:
    assert settle(lay(". . . . . . . . @").board, 8, -3, refuge=False).stealth == 10
    assert settle(lay("door . . . . . . . @").board, 8, -3, refuge=False).stealth == -3


def test_after_a_turn_every_cell_but_the_thief_s_is_filled_from_the_deck() -> None:
    state = heist(". . . . treasure1 treasure1 . . @", deck="door " * 8)
    state.apply(0, "path 4 5")
    assert state.thief == 5
    assert [cell for cell in CELLS if state.board[cell] is None] == [5]


# -- slips


SLIPS = [
    ("beside", ". . . . . . . guard4^ @", 0, 0, [7]),
    ("a diagonal is beside too", ". . . . guard4^ . . . @", 0, 0, [4]),
    ("with stealth", ". . . . . . . guard4^ @", 1, 0, []),
    ("a second time", ". . . . . . . guard4^ @", -2, 1, [7]),
    ("not a third time", ". . . . . . . guard4^ @", -2, 2, []),
    ("from the light", ". . . . . torch . guard4^ @", 0, 0, []),
    ("an enemy in the light", ". . . . . . torch guard4^ @", 0, 0, []),
    ("only enemies", ". . . . . . . door @", 0, 0, []),
    ("into a gaze in the dark", ". . . . owl . . guard4< @", 0, 0, [4, 7]),
    ("out of a warden's lamplight", ". . . . . . . warden^ @", 0, 0, []),
    ("round a warden's corner", ". . . . warden^ . . . @", 0, 0, [4]),
    ("too far away", "guard4^ guard4^ . . . . . . @", 0, 0, []),
]


@pytest.mark.parametrize(("layout", "stealth", "made", "to"), [row[1:] for row in SLIPS], ids=[row[0] for row in SLIPS])
def test_a_player_who_is_out_of_stealth_in_the_dark_may_slip_past_an_enemy_in_the_dark(
    layout: str, stealth: int, made: int, to: list[int]
) -> None:
    assert slips(lay(layout, stealth, made)) == to


def test_a_slip_changes_places_takes_the_turn_and_brings_nothing() -> None:
    state = heist("treasure1 door door door door door trap guard4^ @", 0, gems=4)
    state.play(0, "slip 7")
    assert (state.thief, state.turn, state.gems, state.stealth, state.slips) == (7, 1, 4, 0, 1)
    assert thief.layout(state.board) == "treasure1 door door door door door trap . guard4^"
    entries = [(entry["kind"], entry["seat"], entry["motions"]) for entry in state.log or []]
    assert entries == [("move", 0, [{"source": "cell:7", "target": "cell:8"}])]
    assert log(state) == ["Tess slips past the guard 4 (bottom) in the dark."]


def test_a_path_between_lets_one_slip_again() -> None:
    state = heist("door door door door guard2^ door trap guard4^ @", 0)
    state.play(0, "slip 7")
    state.play(0, "slip 8")
    assert not any(move.startswith("slip") for move in state.legal_moves(0))
    state.deck = [cards.Card("door")] * 8
    state.play(0, state.legal_moves(0)[0])
    assert state.slips == 0


# -- the end


def test_leaving_with_the_strongbox_scores_gems_and_five_for_each_stealth_paid() -> None:
    state = heist(". . . . . treasure2 . hatch @", gems=7, box=3)
    state.play(0, "path 7")
    assert (state.ending, state.scores(), state.over) == ("won", [7 + 15], True)
    assert GAME.view(state, 0)["result"]["winners"] == [0]
    assert log(state)[-1] == "Tess gets away with a Strongbox worth 15 and gems worth 7: 22 points."


def test_the_strongbox_may_be_taken_on_the_way_to_the_hatch() -> None:
    state = heist(". . . . . strongbox6 . hatch @")
    state.play(0, "path 7")
    assert state.ending == "failed"
    state = heist(". . . . strongbox6 . . hatch @")
    state.play(0, "path 4 7")
    assert (state.ending, state.scores()) == ("won", [30])


def test_leaving_without_the_strongbox_scores_nothing_and_wins_nothing() -> None:
    state = heist(". . . . . treasure2 . hatch @", gems=7)
    state.play(0, "path 7")
    assert (state.ending, state.scores()) == ("failed", [0])
    assert GAME.view(state, 0)["result"]["winners"] == []
    assert log(state)[-1] == "Tess leaves without the Strongbox. Gems lost: 7."


def test_the_hatch_may_be_taken_in_the_light_without_stealth() -> None:
    state = heist(". . . . . . torch hatch @", 0, box=1)
    state.play(0, "path 7")
    assert state.ending == "won"


@pytest.mark.parametrize(
    ("layout", "ending"),
    [
        ("door torch door door treasure1 door guard4> trap @", "caught"),
        ("door torch door door treasure1 door door trap @", ""),
        ("door door door door treasure1 door guard4> trap @", ""),
    ],
    ids=["both", "light alone", "a gaze alone"],
)
def test_a_player_who_is_out_of_stealth_where_light_and_a_gaze_fall_is_caught(layout: str, ending: str) -> None:
    # The torch of the upper row falls beside the thief, once what carries it is taken.
    state = heist(layout, 1, deck="door " * 8, gems=9)
    state.play(0, "path 4 7")
    assert state.stealth <= 0
    assert state.ending == ending
    if ending:
        assert state.scores() == [0]
        assert log(state)[-1] == "Tess is seen and caught. Gems lost: 10."


def test_a_player_who_has_no_move_is_cornered() -> None:
    state = heist("guard4> guard4> guard4> guard4> treasure1 treasure1 guard4> guard4> @", 1, deck="guard4 guard4")
    state.play(0, "path 4 5")
    assert (state.ending, state.scores()) == ("cornered", [0])
    assert log(state)[-1] == "Tess is cornered by cards that cannot be entered. Gems lost: 2."


# -- what is refused, and how


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("run", "There is no move"),
        ("", "There is no move"),
        ("path", "Write path and the cells it goes to"),
        ("path 4 9", "from 0 to 8"),
        ("path four", "Write path and the cells"),
        ("path  4 5", "Write path and the cells"),
        ("path 4 8", "where you have been"),
        ("path 4 5 4", "where you have been"),
        ("path 2 1", "2 is not next to 8"),
        ("path 4 3", "cell 3. You do not have enough stealth"),
        ("path 4 1", "cell 1. A door in the light"),
        ("path 4 0", "cell 0. You would be caught there"),
        ("path 4", "two cards or more"),
        ("slip 7", "Out of stealth and in the dark, you can change places"),
    ],
)
def test_a_refusal_says_why(move: str, why: str) -> None:
    state = heist("torch door treasure1 warden^ treasure1 treasure1 treasure1 treasure1 @", 3)
    with pytest.raises(IllegalMove) as refusal:
        state.play(0, move)
    assert why in str(refusal.value)
    assert str(refusal.value).endswith(".")


# -- chance


class NotingChance(SealedChance):
    """Notes the labels of the streams that are asked for."""

    asked: list[str]

    def stream(self, label: str) -> SealedChance:
        self.asked.append(label)
        return super().stream(label)


def test_the_deck_and_each_deal_have_a_stream_of_their_own() -> None:
    chance = NotingChance(bytes(32))
    chance.asked = []
    state = HeistState(3, directed=True, chance=chance)
    played = 0
    while not state.over and played < 6:
        state.apply(0, state.legal_moves(0)[0])
        played += 1
    assert chance.asked[:3] == ["level 3/deck", "level 3/deal 1", "level 3/deal 2"]
    assert chance.asked[1:] == [f"level 3/deal {n}" for n in range(1, len(chance.asked))]
    assert chance.position == 0, "nothing is drawn from the match's stream itself"


def test_rolls_of_one_deal_do_not_shift_a_later_one() -> None:
    """Two heists of one seed that took different numbers of cards before deal 2 still roll deal 2 from its start."""
    rolls = []
    for wanted in (2, 5):
        state = HeistState(1, directed=True, chance=SealedChance(bytes(31) + b"\1"))
        move = next(move for move in state.legal_moves(0) if len(move.split()) == wanted + 1)
        state.apply(0, move)
        rolls.append([roll.roll for roll in state.rolls])
    shorter, longer = sorted(rolls, key=len)
    assert shorter
    assert longer[: len(shorter)] == shorter


def test_a_clone_goes_on_dealing_from_the_streams_of_the_match() -> None:
    state = HeistState(1, directed=True, chance=SealedChance(bytes(32)))
    copy = state.clone().clone()
    for _ in range(3):
        move = state.legal_moves(0)[0]
        state.apply(0, move)
        copy.apply(0, move)
        assert (copy.board, copy.deck, copy.rolls) == (state.board, state.deck, state.rolls)
    assert not state.over


def test_forks_of_one_chance_deal_differently() -> None:
    state = HeistState(1, directed=True, chance=FastChance("any"))
    move = max(state.legal_moves(0), key=len)
    chance = FastChance("other")
    boards = set()
    for _ in range(5):
        fork = state.fork(chance)
        fork.apply(0, move)
        boards.add(fork.board)
    assert len(boards) == 5


def known(state: HeistState) -> dict[str, object]:
    """Return all that a state is made of but its chance."""
    return {name: value for name, value in vars(state).items() if name != "chance"}


@examples(20)
@given(seed=st.integers(0, 2**32), level=st.sampled_from(LEVELS), turn=st.integers(0, 6))
def test_a_determinization_depends_only_on_what_is_known_and_on_chance(seed: int, level: int, turn: int) -> None:
    """Whatever the order of the deck and the director's rolls really are, the same chance gives the same belief."""
    states = played(level, seed, directed=True, greedy=8)
    state = states[min(turn, len(states) - 1)]
    believed = state.determinize(0, FastChance("belief"))
    for other in ("other", "another"):
        truth = state.determinize(0, FastChance(other))
        truth.rolls = (DirectorRoll("enemy", len(other), "an enemy"),)
        again = truth.determinize(0, FastChance("belief"))
        assert known(again) == known(believed)
        assert again.chance.randbelow(2**32) == believed.chance.clone().randbelow(2**32)
        assert again.observe(0) == state.observe(0)
    assert believed.rolls == ()
    assert sorted(believed.deck) == sorted(state.deck)


def test_any_card_of_the_deck_may_be_on_top_in_a_determinization() -> None:
    state = HeistState(4, directed=True, chance=SealedChance(bytes(32)))
    chance = FastChance("belief")
    assert {state.determinize(0, chance).deck[-1] for _ in range(600)} == set(state.deck)


# -- random play


@examples(30)
@given(
    seed=st.integers(0, 2**32),
    level=st.sampled_from(LEVELS),
    directed=st.booleans(),
    turn=st.integers(0, 12),
    cap=st.sampled_from((0, 1, 2, 5, 10_000)),
)
def test_a_roll_out_draws_and_ends_as_one_that_writes_its_moves(
    seed: int, level: int, directed: bool, turn: int, cap: int
) -> None:
    states = played(level, seed, directed=directed, greedy=8)
    state = states[min(turn, len(states) - 1)]
    fast, slow, forked = state.clone(), state.clone(), state.fork(FastChance("draws"))
    draws = [FastChance("draws"), FastChance("draws"), forked.chance]
    scores = [fast.rollout(draws[0], cap), State.rollout(slow, draws[1], cap)]
    assert scores[0] == scores[1]
    assert known(fast) == known(slow)
    assert draws[0].randbelow(2**32) == draws[1].randbelow(2**32)
    assert fast.chance.randbelow(2**32) == slow.chance.randbelow(2**32)
    twin = state.fork(FastChance("draws"))  # as in a search: moves and deals drawn from the same chance
    assert forked.rollout(draws[2], cap) == State.rollout(twin, twin.chance, cap)
    assert known(forked) == known(twin)


# -- whole heists


def played(level: int, seed: int, *, directed: bool, greedy: int) -> list[HeistState]:
    """Return the states of a heist, one a turn. The house bot makes ``greedy`` moves of ten, the others are random."""
    state = HeistState(level, directed=directed, chance=FastChance(str(seed)))
    choices = FastChance(f"{seed}/choices")
    bot = GAME.bots[0]()
    states = [state]
    while not state.over:
        house_moves = choices.randbelow(10) < greedy
        if house_moves:
            move = bot.choose(Information.of(GAME, state, 0, choices, bot.needs))
        else:
            move = choices.choice(state.legal_moves(0))
        state = state.clone()
        state.apply(0, move)
        states.append(state)
    return states


@examples(40)
@given(seed=st.integers(0, 2**32), level=st.sampled_from(LEVELS), directed=st.booleans(), greedy=st.integers(0, 10))
def test_no_card_of_a_heist_is_lost(seed: int, level: int, directed: bool, greedy: int) -> None:
    strongboxes, hatches = set(), set()
    for state in played(level, seed, directed=directed, greedy=greedy):
        out = [card for card in state.board if card]
        strongboxes |= {card.number for card in out if card.kind == STRONGBOX}
        hatches |= {card.number for card in out if card.kind == HATCH}
        assert len({card.number for card in out}) == len(out)
        assert all(sum(card.kind == kind for card in out) <= 1 for kind in (STRONGBOX, HATCH))
        if state.ending not in ("won", "failed"):
            assert len(out) == 8
            assert cornered(state.position) == (not moves_of(state.position))
            assert state.board[state.thief] is None
        if state.deck:
            assert len(state.deck) == 43 - state.dealt + state.strongbox_out
            assert not hatches, "it comes when the deck is empty"
    assert len(strongboxes) <= 1
    assert len(hatches) <= 1


@examples(25)
@given(seed=st.integers(0, 2**32), level=st.sampled_from(LEVELS), greedy=st.integers(0, 10))
def test_light_and_gazes_on_a_path_are_those_of_the_cards_that_are_left(seed: int, level: int, greedy: int) -> None:
    """A step works out only what it changes: it must come to the same as looking at the whole board."""
    for state in played(level, seed, directed=True, greedy=greedy)[:-1]:
        for path in legal_paths(state.position):
            board = path.board
            assert path.lit == light(board)
            assert path.watched == gaze(board)
            assert [cell for cell, card in enumerate(board) if card is None] == sorted({state.thief, *path.cells})


def steps(step: Step, verb: str) -> dict[str, Step]:
    """Every beginning of a path, by the text of its move."""
    results = {}
    for longer in step.get("then", []):
        move = f"{verb} {longer['word']}"
        results[move] = longer
        results |= steps(longer, move)
    return results


@examples(8)
@given(seed=st.integers(0, 2**32), level=st.sampled_from(LEVELS), greedy=st.integers(0, 10))
def test_the_paths_show_the_result_of_each(seed: int, level: int, greedy: int) -> None:
    choices = FastChance(str(seed))
    for state in played(level, seed, directed=True, greedy=greedy)[:-1]:
        paths = GAME.view(state, 0)["paths"]
        marks = [note["mark"] for note in paths["notes"]]
        known = steps(paths["start"], paths["verb"])
        assert all(known.get(move.rpartition(" ")[0], {"further": True}) for move in path_moves(paths))
        moves = list(path_moves(paths))
        for move in {choices.choice(moves) for _ in range(12)} if moves else ():
            after = state.clone()
            after.apply(0, move)
            _, _, stealth, loot = known[move]["tally"]
            notes = {marks[note] for note in known[move].get("notes", [])}
            assert after.gems == state.gems + loot
            restored = notes & {"refuge", "cleared"}
            assert after.stealth == (max(10, stealth) if restored else stealth)
            assert ("doomed" in notes) <= (after.ending == "caught")
            assert (after.ending == "caught") <= bool(notes & {"doomed", "risky", "shaded"})
            assert ("escape" in notes) == (after.ending == "won")
            assert ("empty-handed" in notes) == (after.ending == "failed")


@examples(8)
@given(seed=st.integers(0, 2**32), level=st.sampled_from(LEVELS))
def test_the_paths_show_how_the_house_looks_after_each_step(seed: int, level: int) -> None:
    choices = FastChance(str(seed))
    for state in played(level, seed, directed=True, greedy=5)[:-1]:
        view = GAME.view(state, 0)
        paths, cells_now = view["paths"], view["grids"][0]["cells"]
        known = steps(paths["start"], paths["verb"])
        for move in {choices.choice(list(known)) for _ in range(6)} if known else ():
            marks = [set(cell["marks"]) for cell in cells_now]
            badges = [cell["pieces"][0].get("badge") for cell in cells_now]
            words = move.split()
            for length in range(2, len(words) + 1):
                for word, place in known[" ".join(words[:length])].get("looks", {}).items():
                    marks[int(word)] = set(paths["looks"][place]["marks"])
                    badges[int(word)] = paths["looks"][place].get("badge")
            end = follow(state.position, map(int, words[1:]))[-1]
            after = state.clone()
            after.board, after.thief = end.board, end.here
            for cell, shown in enumerate(GAME.view(after, None)["grids"][0]["cells"]):
                assert marks[cell] == set(shown["marks"])
                assert badges[cell] == (shown["pieces"][0].get("badge") if shown["pieces"] else None)


def test_the_paths_say_why_a_card_beside_is_shut() -> None:
    state = heist("torch door treasure1 warden^ treasure1 treasure1 treasure1 treasure1 @", 3)
    paths = GAME.view(state, 0)["paths"]
    shut = steps(paths["start"], "path")["path 4"]["shut"]
    assert {word: paths["notes"][note]["mark"] for word, note in shut.items()} == {
        "0": "seen",
        "1": "locked",
        "3": "too expensive",
    }


@pytest.mark.parametrize("thief", CELLS)
def test_a_view_stays_small_however_many_paths_there_are(thief: int) -> None:
    words = ["treasure1"] * 9
    words[thief] = "@"
    state = heist(" ".join(words))
    assert len(state.legal_moves(0)) <= 1400
    assert len(json.dumps(GAME.view(state, 0), separators=(",", ":"))) < 150_000


def test_a_card_shows_its_price_as_it_lies() -> None:
    state = heist("guard2>! sneak2 torch treasure3 warden^ sneak1 strongbox4 hide @", deck="trap")
    shown = {
        piece["face"]: piece.get("badge", "")
        for c in GAME.view(state, None)["grids"][0]["cells"]
        for piece in c["pieces"]
    }
    priced = {"guard": "-3", "torch": "-2", "treasure": "3", "warden": "-3", "strongbox": "-4"}
    assert shown == priced | {"sneak": "", "hide": "", "thief": ""}
    marks = [cell["marks"] for cell in GAME.view(state, None)["grids"][0]["cells"]]
    assert marks[:3] == [["looks-east", "alert-1"], ["lit", "watched"], ["lit"]]


def test_every_gaze_is_shown_with_two_for_an_overseer_and_all_for_an_owl() -> None:
    state = heist("owl door overseer^ door owl door door overseer> @")
    marks = [
        [mark for mark in cell["marks"] if mark.startswith("looks")]
        for cell in GAME.view(state, None)["grids"][0]["cells"]
    ]
    assert marks[0] == ["looks-east", "looks-south"]
    assert marks[2] == ["looks-north", "looks-south"]
    assert marks[4] == ["looks-north", "looks-east", "looks-south", "looks-west"]
    assert marks[7] == ["looks-east", "looks-west"]


def test_the_table_says_when_there_are_only_slips_and_distinguishes_two_wolves() -> None:
    view = GAME.view(heist("door torch guard4> guard4^ door wolf> guard4> wolf> @", 0), 0)
    assert "no path" in view["prompt"]["text"]
    assert [plain(move["label"], []) for move in view["moves"]] == [
        "Slip past the wolf (right)",
        "Slip past the wolf (bottom)",
    ]


def test_only_the_open_view_shows_the_deck_and_the_director_s_rolls() -> None:
    state = HeistState(2, directed=True, chance=FastChance("any"))
    for audience in (0, None):
        view = GAME.view(state, audience)
        assert [zone["id"] for zone in view["zones"]] == ["deck", "taken"]
        assert len(view["zones"][0]["pieces"]) == 1
    deck, _, director = GAME.view(state, None, face_up=True)["zones"]
    assert [piece["face"] for piece in deck["pieces"]] == [card.kind for card in state.deck]
    assert [piece["label"]["args"]["roll"] for piece in director["pieces"]] == [roll.roll for roll in state.rolls]


def test_what_is_left_in_the_deck_is_counted_by_kind_for_all() -> None:
    state = HeistState(2, directed=True, chance=FastChance("any"))
    counted = {row["piece"]: int(row["cells"][0]) for row in GAME.view(state, None)["odds"]["rows"]}
    out = [card.kind for card in state.board if card]
    everything = [card.kind for card in cards.deck(2)]
    assert counted == {kind: everything.count(kind) - out.count(kind) for kind in counted}
    assert sum(counted.values()) == 35


def test_the_same_position_is_explored_once() -> None:
    position: Position = lay("treasure1 treasure1 treasure1 treasure1 . treasure1 . treasure1 @")
    assert legal_paths(position) is legal_paths(Position(*position))


MONDAY = date(2026, 11, 16)
WEEK = [MONDAY + timedelta(days=day) for day in range(7)]


def test_levels_of_the_deal_of_the_day_follow_the_weekday() -> None:
    assert [GAME.daily.options(day)["level"] for day in WEEK] == ["1", "2", "3", "4", "1", "2", "3"]
    assert all(GAME.check_options(GAME.daily.options(day))["director"] == "on" for day in WEEK)


# The same for everybody on one day, and not to be guessed the day before.
def test_a_day_has_one_seed_and_deal_on_one_site_and_another_the_next_day_or_elsewhere() -> None:
    seeds = {GAME.daily.seed(day, secret) for day in WEEK for secret in (b"ours", b"theirs")}
    assert len(seeds) == 14
    assert all(len(seed) == SEED_BYTES for seed in seeds)
    heists = [GAME.new(1, GAME.daily.options(MONDAY), SealedChance(GAME.daily.seed(MONDAY, b"ours"))) for _ in range(2)]
    first, second = [GAME.view(heist, 0, face_up=True) for heist in heists]
    assert first == second
