"""Secret stores: who sees the value, until when, and what the others may believe it is."""

from __future__ import annotations

from itertools import product

import pytest

from games.core import FastChance
from games.recycle.problems import BadText
from games.recycle.reader import read
from games.recycle.rules import RecycleState
from tests.games.recycle.played import begun, take, text_of
from tests.games.recycle.tables import Sitting, say_all

AUDIENCES = (0, 1, 2, None)
SEES = {"i": (1,), "h": (), "o": (0, 2)}  # of a store of the second of three players
VALUES = {
    "sto": ("(random 7 .. 7)", 7),
    "str": ("(cardatt N (top (game vloc DECK)))", "E"),
    "who": ("((random 0) player)", 0),
}
PASS = "(choice ((turn pass)))"


def value(state: RecycleState, audience: int | None, name: str = "X") -> int | str | None:
    """Return what an audience is shown of a secret store: the table's, team 0's or player 1's."""
    (found,) = [each for each in state.observe(audience).stores if each.name == name and each.vis != "vloc"
                and each.number == (1 if each.owner == "player" else 0)]  # fmt: skip
    return found.value


@pytest.mark.parametrize(("eyes", "kind"), [*product(SEES, VALUES)])
def test_a_secret_store_is_seen_by_those_whom_its_word_says(eyes: str, kind: str) -> None:
    written, held = VALUES[kind]
    state = begun(text_of(f"(do ((set ((1 player) {eyes}{kind} X) {written}))) {PASS}", players="3"))
    assert [value(state, audience) for audience in AUDIENCES] == [
        held if audience in SEES[eyes] else None for audience in AUDIENCES
    ]
    assert all(each.value is not None for each in state.observe(None, face_up=True).stores)


@pytest.mark.parametrize(("eyes", "seen"), [("i", ()), ("h", ()), ("o", (0, 1, 2))])
def test_a_secret_store_of_the_table_has_no_owner(eyes: str, seen: tuple[int, ...]) -> None:
    state = begun(text_of(f"(do ((set (game {eyes}sto X) (random 7 .. 7)))) {PASS}", players="3"))
    assert [audience for audience in AUDIENCES if value(state, audience) == 7] == list(seen)


def test_the_players_of_a_team_see_a_secret_of_the_team() -> None:
    setup = "(setup (create players 4) (create teams (0, 2) (1, 3)) (create deck (game hloc S) (deck (N (A)))))"
    blocks = f"(do ((set ((0 team) isto X) (random 7 .. 7)) (set ((0 team) osto Y) (random 7 .. 7)))) {PASS}"
    state = begun(f"(game {setup} {blocks} (scoring max 0))")
    assert [seat for seat in range(4) if value(state, seat) == 7] == [0, 2]
    assert [seat for seat in range(4) if value(state, seat, "Y") == 7] == [1, 3]


def test_a_secret_store_and_an_open_one_of_the_same_name_are_two() -> None:
    state = begun(text_of(f"(do ((set ((1 player) isto X) 5) (set ((1 player) sto X) 3))) {PASS}"))
    assert {each.vis: each.value for each in state.observe(1).stores if each.number == 1} == {"iloc": 5, "vloc": 3}


def test_a_store_that_was_never_set_is_no_secret() -> None:
    state = begun(text_of(f"(do ((set ((0 player) isto X) (random 5)))) {PASS}"))
    assert [value(state, audience) for audience in (0, 1, None)] == [0, 0, 0]


def test_what_the_text_itself_says_outside_of_a_choice_is_no_secret() -> None:
    state = begun(text_of(f"(do ((set ((1 player) isto X) (random 5)) (set ((1 player) isto X) 3))) {PASS}"))
    assert value(state, 0) == 3
    state = begun(text_of(f"(do ((set ((1 player) isto X) (random 5)) (inc ((1 player) isto X) 3))) {PASS}"))
    assert value(state, 0) is None, "to what it was added is"
    state = begun(text_of(f"(do ((inc ((1 player) isto X) 3) (dec ((1 player) isto X) 1))) {PASS}"))
    assert value(state, 0) == 2


CHOICE = "(choice ((any (range 1 .. 3) 'N (set {} 'N))))"


def test_what_is_chosen_is_seen_by_the_player_who_chose_it_too() -> None:
    state = begun(text_of(f"{CHOICE.format('(game hsto X)')} {PASS}", players="3"))
    take(state, "X=2")
    assert [value(state, audience) for audience in AUDIENCES] == [2, None, None, None]


def test_an_option_that_says_a_fixed_value_is_as_secret_as_the_others() -> None:
    options = "(set ((1 player) isto X) 1) (set ((1 player) isto X) 2)"
    state = begun(text_of(f"(do ((cycle current (1 player)))) (choice ({options})) {PASS}"))
    take(state, "X=2")
    assert [value(state, audience) for audience in (0, 1, None)] == [None, 2, None]


def test_a_secret_is_revealed_until_it_is_set_again() -> None:
    blocks = f"{CHOICE.format('((1 player) isto X)')} (do ((reveal ((1 player) isto X)))) {PASS}"
    state = begun(text_of(f"(do ((cycle current (1 player)))) {blocks} {CHOICE.format('((1 player) isto X)')} {PASS}"))
    take(state, "X=3")
    assert [value(state, audience) for audience in (0, 1, None)] == [3, 3, 3]
    take(state, "pass")
    take(state, "X=2")
    assert [value(state, audience) for audience in (0, 1, None)] == [None, 2, None]


# -- what the others believe


def believed(blocks: str, move: str, *, seat: int = 0, name: str = "X") -> set[int]:
    """Return what ``seat`` may believe that a store holds after player 1's move."""
    state = begun(text_of(f"(do ((cycle current (1 player)))) {blocks} {PASS}"))
    take(state, move)
    found = set()
    (store,) = [each for each in state.secrets if state.program.names[state.store_fact(*each).name] == name]
    for number in range(80):
        determinized = state.determinize(seat, FastChance(str(number)))
        assert repr(determinized.observe(seat)) == repr(state.observe(seat))
        found.add(determinized.kept(store[0])[store[1]])
    return found


MINE = "((current player) isto X)"
TWICE = (1, 2, 10, 11, 18)  # each of the two changes is guessed as either statement: 18 is two times inc


@pytest.mark.parametrize("taken", [1, 3])
def test_others_believe_all_that_could_have_been_chosen(taken: int) -> None:
    assert believed(CHOICE.format(MINE), f"X={taken}") == {1, 2, 3}
    assert believed(CHOICE.format(MINE), f"X={taken}", seat=1) == {taken}


@pytest.mark.parametrize(
    ("options", "moves", "possible"),
    [
        (f"(set {MINE} 4) (set {MINE} 9)", ("X=4", "X=9"), {4, 9}),
        (f"(any (range 1 .. 4) 'N ((== (% 'N 2) 0) (set {MINE} 'N)))", ("X=2", "X=4"), {2, 4}),
        (f"(any (range 1 .. 3) 'N (let (* 'N 'N) 'M (set {MINE} (+ 'M 1))))", ("X=2", "X=10"), {2, 5, 10}),
        (f"(any (range 1 .. 2) 'N (do ((set {MINE} 'N) (inc {MINE} 9))))", ("X=1; X=10", "X=2; X=11"), {*TWICE}),
        (f"(any (range 1 .. (size (game hloc PILE))) 'N (set {MINE} 'N))", ("X=1", "X=2"), {1, 2}),
    ],
)  # fmt: skip
def test_others_believe_exactly_what_the_options_could_have_set(
    options: str, moves: tuple[str, str], possible: set[int]
) -> None:
    pile = "(do ((repeat 2 (move (top (game vloc DECK)) (top (game hloc PILE))))))"
    for move in moves:
        assert believed(f"{pile} (choice ({options}))", move) == possible


def test_what_others_believe_of_two_secrets_depends_on_what_they_believe_of_the_first() -> None:
    both = "(any (range 1 .. 3) 'N (do ((set ((current player) isto X) 'N) (set (game hsto Y) (* 10 'N)))))"
    twice = f"(choice ({both})) (do ((set (game hsto Z) (+ ((1 player) isto X) ((1 player) isto X)))))"
    assert believed(twice, "X=2; Y=20", name="Z") == {2, 4, 6}


def test_a_secret_that_was_drawn_is_drawn_again() -> None:
    assert believed("(do ((set (game hsto X) (random 2 .. 4)))) (choice ((turn pass)))", "pass") == {2, 3, 4}


def test_names_and_players_are_believed_in_the_same_way() -> None:
    both = "(do ((set (game hstr X) 'C) (set (game hwho Y) 'P)))"
    state = begun(text_of(f"(choice ((any (RED, BLUE) 'C (any player 'P {both})))) {PASS}"))
    take(state, "X=RED; Y=player 1")
    possible = [state.determinize(1, FastChance(str(number))) for number in range(40)]
    assert {state.program.names[determinized.S[0]] for determinized in possible} == {"RED", "BLUE"}
    assert {determinized.H[0] for determinized in possible} == {0, 1}


def test_what_is_chosen_by_a_hidden_card_is_believed_by_the_cards_that_may_be_there() -> None:
    deal = "(do ((shuffle (game hloc S)) (repeat 2 (move (top (game hloc S)) (top ((1 player) iloc HAND))))))"
    held = "(any ((current player) iloc HAND) 'C (set ((current player) istr X) (cardatt N 'C)))"
    text = text_of(f"{deal} (do ((cycle current (1 player)))) (choice ({held})) {PASS}",
                   decks="(create deck (game hloc S) (deck (N (A, B, C, D))))")  # fmt: skip
    state = begun(text)
    take(state, state.legal_moves(1)[0])
    for number in range(20):
        sample = state.determinize(0, FastChance(str(number)))
        hand = next(cards for cards, owner in zip(sample.L, sample.owners, strict=True) if owner == 1 and cards)
        assert sample.S[1] in {sample.program._attribute(sample.program.layout.names["N"])[card] for card in hand}


def test_a_bot_that_may_not_know_a_secret_looks_for_a_sample_with_its_own_options() -> None:
    secret = "(any (range 1 .. 4) 'N (set ((current player) isto X) 'N))"
    answer = "(choice ((any (range 1 .. ((1 player) isto X)) 'M (set (game sto GUESS) 'M))))"
    second, first = (f"(do ((cycle current ({seat} player))))" for seat in (1, 0))
    state = begun(text_of(f"{second} (choice ({secret})) {first} {answer}"))
    take(state, "X=3")
    for number in range(20):
        sample = state.determinize(0, FastChance(str(number)))
        assert sample.legal_moves(0) == state.legal_moves(0)


# -- the table and its log


def test_a_secret_is_a_note_that_lies_face_down_for_the_others() -> None:
    table = Sitting(f"{CHOICE.format('((current player) isto BID)')} {CHOICE.format('((next player) isto BID)')}")
    assert table.zone("isto:BID:0", 1)["pieces"] == []
    table.play(1)
    assert table.zone("isto:BID:0", 1)["pieces"] == [{"id": "isto:BID:0#0", "back": "note"}]
    assert table.zone("isto:BID:0", 1)["seat"] == 0
    (note,) = table.zone("isto:BID:0", 0)["pieces"]
    assert say_all([{"kind": "info", "text": note["label"]}]) == ["2"]
    hidden = Sitting(f"{CHOICE.format('((current player) isto BID)')}", '[hide]\nstores = ["BID"]')
    assert "isto:BID:0" not in hidden.zones(0)


def test_the_log_says_that_something_was_chosen_and_to_whom_what() -> None:
    reveal = "(do ((reveal ((0 player) isto BID)) (set ((0 player) isto BID) 0)))"
    table = Sitting(f"{CHOICE.format('((current player) isto BID)')} {PASS} {reveal} {PASS}")
    entries = table.play(2)
    assert say_all(entries, None) == ["Anna secretly chooses the bid."]
    assert say_all(entries, 1) == ["Anna secretly chooses the bid."]
    assert say_all(entries, 0) == ["Anna secretly chooses the bid.", "Anna: Bid 3."]
    assert say_all(table.play())[1:] == ["Bid of Anna: 3."]


# -- what is wrong with one


def test_only_a_secret_can_be_revealed() -> None:
    with pytest.raises(BadText) as found:
        read(text_of("(do ((reveal (game sto X))))"))
    (problem,) = found.value.problems
    assert problem.text == "Expected a secret store here, but everybody sees (game sto X)."
    assert problem.hint.startswith("Write (reveal (PLAYER isto NAME)).")
