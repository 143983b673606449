"""Players choose at the same time: what each may choose, what others learn of it and when, and what is done then."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

from games import catalogue
from games.core import FastChance, Game, Match, RulesFailed, SealedChance
from games.core.moves import IllegalMove
from games.core.view import LogEntry, plain
from games.recycle.game import RecycleGame
from games.recycle.problems import BadText
from games.recycle.reader import read
from games.recycle.rules import RecycleState
from tests.games.recycle.played import begun, text_of
from tests.games.recycle.tables import NAMES, Sitting, say_all

PASS = "(choice ((turn pass)))"
BIDS = "(together player (choice ((any (range 1 .. 3) 'N (set ((current player) sto BID) 'N)))))"
HANDS = "(create deck (game hloc S) (deck (N (A, B, C, D, E, F, G, H))))"
DEAL = "(do ((shuffle (game hloc S)) (call DEAL 2 (game hloc S) HAND)))"
PLAY = """(together player (choice
    ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN)))))))"""


def numbers(state: RecycleState, name: str) -> list[int | str | None]:
    return [store.value for store in state.observe(None).stores if store.name == name and store.owner == "player"]


def known(game: Game, match: Match, audience: int | None) -> str:
    """Return all that an audience is sent: its view, what a bot in its seat gets, and the log."""
    moves = match.state.legal_moves(audience) if audience is not None else []
    log = [match.entries(audience, ply) for ply in range(match.ply + 1)]
    return json.dumps([match.view(audience), repr(match.state.observe(audience)), moves, log])


# -- who chooses, and when it is done


def test_all_may_choose_at_once_and_nothing_is_done_until_all_have() -> None:
    state = begun(text_of(f"{BIDS} {PASS}", players="3"))
    assert state.to_act() == (0, 1, 2)
    state.play(1, "BID=3")
    assert state.to_act() == (0, 2)
    assert numbers(state, "BID") == [0, 0, 0]
    state.play(2, "BID=1")
    state.play(0, "BID=2")
    assert numbers(state, "BID") == [2, 3, 1]
    assert state.to_act() == (0,)


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_it_makes_no_difference_who_chooses_first(order: tuple[int, ...]) -> None:
    steps = "(together player (choice ((any (A, B) 'X (set (game str LAST) 'X)) (inc (game sto SUM) (random 9)))))"
    state = begun(text_of(f"{steps} {PASS}", players="3"))
    chosen = {0: 0, 1: 2, 2: 1}
    for seat in order:
        state.play(seat, state.legal_moves(seat)[chosen[seat]])
    assert [store.value for store in state.observe(None).stores if store.name in ("LAST", "SUM")] == [state.I[0], "B"]
    assert state.I == begun_in_order(steps).I


def begun_in_order(steps: str) -> RecycleState:
    state = begun(text_of(f"{steps} {PASS}", players="3"))
    for seat, number in enumerate((0, 2, 1)):
        state.play(seat, state.legal_moves(seat)[number])
    return state


def test_options_are_those_before_anybody_chose_and_done_one_after_the_other() -> None:
    taking = "(together player (choice ((move (top (game vloc DECK)) (top ((current player) vloc WON))))))"
    state = begun(text_of(f"{taking} {PASS}", players="3"))
    assert {move for seat in range(3) for move in state.legal_moves(seat)} == {"e DECK>WON"}
    for seat in range(3):
        state.play(seat, "e DECK>WON")
    card = state.program.cards.faces
    assert [card[one] for cards in state.L[1:] for one in cards] == ["e"], "the last of them has it"
    assert state.L[3], "and that is player 2"


def test_the_current_player_is_each_of_them_and_then_the_same_as_before() -> None:
    naming = "(together (other player) (choice ((set (game who SEEN) (current player)) (cycle current next))))"
    blocks = f"(do ((cycle current (1 player)))) {naming} (choice ((set (game who NOW) (current player))))"
    state = begun(text_of(blocks, players="3"))
    assert state.to_act() == (0, 2)
    state.play(0, "turn:1")
    state.play(2, "SEEN=player 2")
    assert state.to_act() == (1,)
    assert state.H[0] == 2


@pytest.mark.parametrize(
    ("players", "asked"),
    [
        ("player", (0, 1, 2, 3)),
        ("(other player)", (1, 2, 3)),
        ("(team (1 player))", (1, 3)),
        ("(filter player 'P (== ('P sto IN) 1))", (2,)),
        ("(filter player 'P (== ('P sto IN) 5))", ()),
    ],
)
def test_those_choose_whom_the_text_names(players: str, asked: tuple[int, ...]) -> None:
    setup = "(setup (create players 4) (create teams (0, 2) (1, 3)) (create deck (game hloc S) (deck (N (A)))))"
    blocks = (
        f"(do ((set ((2 player) sto IN) 1))) (together {players} (choice ((turn pass)))) (do ((inc (game sto X) 1)))"
    )
    state = RecycleGame("x", f"(game {setup} {blocks} (scoring max (game sto X)))").new(4, {}, FastChance("x"))
    assert state.to_act() == asked
    for seat in asked:
        state.play(seat, "pass")
    assert state.over
    assert state.scores() == [1.0] * 4


def test_in_a_stage_they_choose_again_each_time_round() -> None:
    stage = f"(stage player (end (== (game sto ROUND) 2)) {BIDS} (do ((inc (game sto ROUND) 1))))"
    state = begun(text_of(stage))
    for _ in range(2):
        assert state.to_act() == (0, 1)
        state.play(1, "BID=1")
        state.play(0, "BID=2")
    assert state.over


def test_a_choice_that_is_made_cannot_be_changed_and_others_than_the_asked_have_none() -> None:
    state = begun(text_of(f"(together (other player) (choice ((turn pass)))) {PASS}", players="3"))
    assert state.legal_moves(0) == []
    with pytest.raises(IllegalMove, match="not your turn"):
        state.play(0, "pass")
    state.play(2, "pass")
    with pytest.raises(IllegalMove, match="not your turn"):
        state.play(2, "pass")
    assert state.to_act() == (1,)


def test_a_player_without_an_option_ends_the_match_and_is_named() -> None:
    none = "(together player (choice (((== (current player) (1 player)) (turn pass)))))"
    state = begun(text_of(none))
    with pytest.raises(RulesFailed, match=r"Player 1 has no option here\."):
        state.legal_moves(0)
    assert state.legal_moves(1) == ["pass"]


# -- what others learn


@pytest.mark.parametrize("steps", [BIDS, PLAY])
@pytest.mark.parametrize("chooser", range(3))
def test_a_choice_that_waits_is_in_nothing_that_others_are_sent(steps: str, chooser: int) -> None:
    game = RecycleGame("x", text_of(f"{DEAL} {steps} {PASS}", decks=HANDS, players="3"))
    others = [audience for audience in (None, 0, 1, 2) if audience != chooser]
    sent: dict[int | None, set[str]] = {audience: set() for audience in (None, 0, 1, 2)}
    counts = len(Match.start(game, 3, {}, SealedChance(bytes(32))).legal_moves(chooser))
    for number in range(counts):
        match = Match.start(game, 3, {}, SealedChance(bytes(32)))
        match.advance(chooser, match.legal_moves(chooser)[number])
        for audience in sent:
            sent[audience].add(known(game, match, audience))
        for audience in others:
            assert match.view(audience)["to_act"] == [seat for seat in range(3) if seat != chooser]
    assert {audience: len(found) for audience, found in sent.items()} == {
        audience: counts if audience == chooser else 1 for audience in sent
    }


@pytest.mark.parametrize(("name", "chooser"), [("hearts", 0), ("hearts", 2), ("cribbage", 0), ("cribbage", 1)])
def test_cards_that_wait_are_in_nothing_that_others_are_sent_or_believe(name: str, chooser: int) -> None:
    """The same bytes for each of the others, and the same guesses of their bots, whichever cards were chosen."""
    game = catalogue.find(name)
    others = [audience for audience in (None, *range(game.min_seats)) if audience != chooser]
    sent: dict[int | None, set[str]] = {audience: set() for audience in others}
    believed: dict[int | None, set[str]] = {audience: set() for audience in others}
    own = set()
    for number in (0, 1, 8, -1):
        match = Match.start(game, game.min_seats, {}, SealedChance(bytes(32)))
        if name == "hearts":
            match.advance(1, match.legal_moves(1)[44])
        match.advance(chooser, match.legal_moves(chooser)[number])
        for audience in others:
            sent[audience].add(known(game, match, audience))
            if audience is not None:
                sample = match.state.determinize(audience, FastChance("guess"))
                assert isinstance(sample, RecycleState)
                believed[audience].add(repr((sample.L, sample.pending)))
        own.add(known(game, match, chooser))
    assert {len(each) for each in sent.values()} == {1}
    assert {len(each) for audience, each in believed.items() if audience is not None} == {1}
    assert len(own) == 4


def test_who_passes_first_makes_no_difference_to_the_match() -> None:
    ends = set()
    for order in permutations(range(4)):
        match = Match.start(catalogue.find("hearts"), 4, {}, SealedChance(bytes(32)))
        for seat in order:
            match.advance(seat, match.legal_moves(seat)[100 + seat])
        assert isinstance(match.state, RecycleState)
        ends.add(repr((match.state.L, match.to_act(), match.view(None)["zones"])))
    assert len(ends) == 1


def test_those_who_wait_believe_anything_of_what_others_have_chosen() -> None:
    state = begun(text_of(f"{BIDS} {PASS}", players="3"))
    state.play(0, "BID=3")
    state.play(1, "BID=2")
    samples = [state.determinize(seat, FastChance(f"{seat}/{number}")) for seat in (2, 1) for number in range(40)]
    assert {sample.pending[0] for sample in samples} == {0, 1, 2}
    assert {sample.pending[1] for sample in samples[:40]} == {0, 1, 2}
    assert {sample.pending[1] for sample in samples[40:]} == {1}, "one's own choice is known"


def test_what_others_believe_comes_from_the_cards_that_may_be_there() -> None:
    state = begun(text_of(f"{DEAL} {PLAY} {PASS}", decks=HANDS, players="2"))
    state.play(0, state.legal_moves(0)[0])
    faces = set()
    for number in range(60):
        sample = state.determinize(1, FastChance(str(number)))
        sample.play(1, sample.legal_moves(1)[0])
        faces |= {lying.face for place in sample.observe(None).places if place.where.owner == 0
                  and place.where.name == "SHOWN" for lying in place.cards}  # fmt: skip
    assert len(faces) == 6, "any card but the own ones"


def test_a_copy_goes_on_as_the_match_would() -> None:
    state = begun(text_of(f"{BIDS} {PASS}", players="3"))
    state.play(1, "BID=3")
    twin = state.clone()
    twin.play(0, "BID=1")
    assert (state.to_act(), twin.to_act()) == ((0, 2), (2,))
    twin.play(2, "BID=2")
    assert numbers(twin, "BID") == [1, 3, 2]
    assert numbers(state, "BID") == [0, 0, 0]


def test_what_is_drawn_for_the_options_stays_drawn_until_all_have_chosen() -> None:
    steps = "(together player (choice ((any (range 1 .. (random 1 .. 9)) 'N (set ((current player) sto BID) 'N)))))"
    for seed in range(10):
        state = begun(text_of(f"{steps} {PASS}", players="3"), seed=str(seed))
        fresh = begun(text_of(f"{steps} {PASS}", players="3"), seed=str(seed))
        state.play(2, state.legal_moves(2)[-1])
        assert state.legal_moves(0) == fresh.legal_moves(0)
        fresh.play(0, fresh.legal_moves(0)[-1])
        state.play(0, state.legal_moves(0)[-1])
        fresh.play(2, fresh.legal_moves(2)[-1])
        assert state.legal_moves(1) == fresh.legal_moves(1)


DRAWN = "(choice ((any (range 1 .. (random 1 .. 9)) 'N (set ((current player) sto BID) 'N))))"


def test_what_is_drawn_for_the_options_of_one_player_says_nothing_about_those_of_another() -> None:
    text = text_of(f"(together player {DRAWN}) {PASS}")
    counts = set()
    for seed in range(20):
        state = begun(text, seed=str(seed))
        counts.add((len(state.legal_moves(0)), len(state.legal_moves(1))))
    assert len(counts) > 9
    assert any(first != second for first, second in counts)


@pytest.mark.parametrize("chosen", [True, False])
def test_nobody_knows_what_was_drawn_for_the_options_of_another(chosen: bool) -> None:
    state = begun(text_of(f"(together player {DRAWN}) {PASS}"))
    if chosen:
        state.play(0, state.legal_moves(0)[0])
    samples = [state.determinize(1, FastChance(f"sample {number}")) for number in range(40)]
    assert {len(sample.options(0)) for sample in samples} == {*range(1, 10)}
    assert all(sample.legal_moves(1) == state.legal_moves(1) for sample in samples)


def test_nobody_knows_what_was_drawn_for_the_options_of_the_player_to_act() -> None:
    state = begun(text_of(f"{DRAWN} {PASS}"))
    samples = [state.determinize(1, FastChance(f"sample {number}")) for number in range(40)]
    assert {len(sample.options(0)) for sample in samples} == {*range(1, 10)}


# -- the table and its log


def test_the_table_says_for_whom_it_waits_and_what_one_has_chosen() -> None:
    table = Sitting(f"{BIDS} {PASS}", seats=3)

    def prompt(seat: int | None) -> str:
        return say_all([{"kind": "info", "text": table.view(seat)["prompt"]}])[0]

    assert prompt(None) == "Waiting for 3 players"
    table.state.play(1, "BID=3")
    assert prompt(1) == "Bid 3; waiting for 2 players"
    assert prompt(None) == "Waiting for 2 players"
    table.state.play(0, "BID=1")
    assert prompt(0) == "Bid 1; waiting for Coco"
    assert prompt(None) == "Waiting for Coco"
    assert prompt(2).startswith("Your turn: ")


def test_the_log_says_who_has_chosen_and_at_the_end_what() -> None:
    table = Sitting(f"{BIDS} {PASS}")
    state = table.state
    state.log = []
    state.play(1, "BID=3")
    assert say_all(state.log) == ["Bram has chosen."]
    state.log = []
    state.play(0, "BID=2")
    assert say_all(state.log) == ["Anna has chosen.", "Anna: Bid 2.", "Bram: Bid 3."]


LAY = """(together {who} (choice
    ((any (subsets {count} ((current player) iloc HAND)) 'SOME
       (repeat all (move (top 'SOME) (top ({place}))))) (turn pass))))"""
TO_HANDS = "(do ((all player 'P (repeat 3 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))"


def chosen_by(table: Sitting, seats: tuple[int, ...], number: int = 0) -> list[LogEntry]:
    """Have these seats, who are all that are asked, choose by the number of an option; return what is logged then."""
    state = table.state
    assert state.to_act() == seats
    for seat in seats:
        state.log = []  # the entries after the last choice are left
        state.play(seat, table.view(seat)["moves"][number]["move"])
    return state.log or []


@pytest.mark.parametrize("place", ["(current player) iloc AWAY", "game hloc CRIB"])
@pytest.mark.parametrize(("count", "said"), [(1, "a card"), (2, "2 cards"), (3, "3 cards")])
@pytest.mark.parametrize("seats", [2, 3])
def test_one_line_says_what_all_have_laid_away_and_each_reads_which_cards_these_were(
    seats: int, count: int, said: str, place: str
) -> None:
    table = Sitting(f"{TO_HANDS} {LAY.format(who='player', count=count, place=place)} {PASS}", seats=seats)
    shown = [plain(table.view(seat)["moves"][0]["label"], NAMES) for seat in range(seats)]
    log = chosen_by(table, (*range(seats),))
    _, everybody = say_all(log)
    assert everybody.startswith(f"Everybody puts {said} ")
    assert len(next(entry for entry in log if "seat" not in entry and "only" not in entry)["motions"]) == seats * count
    for seat in range(seats):
        _, same, own = say_all(log, seat)
        assert same == everybody
        assert own.startswith(f"{NAMES[seat]} puts ")
        assert own == f"{NAMES[seat]} puts {shown[seat].removeprefix('Put ')}."


def test_one_line_for_some_of_the_players_does_not_say_everybody() -> None:
    who = "(other player)"
    table = Sitting(f"{TO_HANDS} {LAY.format(who=who, count=2, place='game hloc CRIB')} {PASS}", seats=3)
    log = chosen_by(table, (1, 2))
    assert [line.split(" puts ")[0] for line in say_all(log)] == ["Coco has chosen.", "Each player asked"]
    assert len(say_all(log, 1)) == 3


def test_what_is_not_the_same_of_all_stays_a_line_of_each() -> None:
    table = Sitting(f"{TO_HANDS} {LAY.format(who='player', count=2, place='game hloc CRIB')} {PASS}", seats=3)
    state = table.state
    state.log = []
    for seat, number in enumerate((0, 0, -1)):
        state.play(seat, table.view(seat)["moves"][number]["move"])
    lines = say_all(state.log)[3:]
    assert [line.split()[:2] for line in lines] == [["Anna", "puts"], ["Bram", "puts"], ["Coco", "passes."]]
    assert [len(say_all(state.log, seat)) for seat in range(3)] == [7, 7, 6]


def test_one_line_says_that_all_pass_or_have_chosen_in_secret() -> None:
    table = Sitting(f"{TO_HANDS} {LAY.format(who='player', count=2, place='game hloc CRIB')} {PASS}", seats=3)
    assert say_all(chosen_by(table, (0, 1, 2), -1)) == ["Coco has chosen.", "Everybody passes."]
    secret = "(together player (choice ((any (range 1 .. 3) 'N (set ((current player) isto HIDDEN) 'N)))))"
    log = chosen_by(Sitting(f"{secret} {PASS}", seats=3), (0, 1, 2))
    assert say_all(log) == ["Coco has chosen.", "Everybody secretly chooses the hidden."]
    assert say_all(log, 1)[2:] == ["Bram sets hidden to 1."]


@pytest.mark.parametrize("name", ["cribbage", "enchere-simple", "gops", "hearts", "oh-hell", "spoof"])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_no_simultaneous_choice_of_the_library_says_the_same_of_each_player(name: str, seed: str) -> None:
    game, chance = catalogue.find(name), FastChance(seed)
    match = Match.start(game, game.max_seats, {}, FastChance(seed))
    found = 0
    while not match.over and match.ply < 150:
        asked = match.to_act()
        seat = asked[chance.randbelow(len(asked))]
        match.advance(seat, chance.choice(match.state.legal_moves(seat)))
        if len(asked) == 1:
            said = [entry["text"] for entry in match.log[-1] if "only" not in entry and entry["kind"] == "move"]
            said = [text for text in said if text["text"] != "{seat} has chosen."]
            alike = [{**text["args"], "seat": 0} for text in said]
            assert len(said) < game.max_seats or any(one != alike[0] for one in alike)
            found += bool(said)
    assert found


def test_the_rules_page_calls_it_a_round_in_which_all_choose() -> None:
    begin = "(do ((repeat (random (- (size player) 1)) (cycle current next)) (set (game who DEALER) (current player))))"
    stage = (
        f"(stage player (end (== (size (game hloc S)) 0)) {PLAY} (do ((move (top (game hloc S)) (top (game vloc O))))))"
    )
    page = RecycleGame("x", text_of(f"{begin} {stage}", decks=HANDS, players="3")).rules_page()
    assert "2. Note the starting player as *Dealer*." in page, "not the first player: lots were drawn"
    assert "## A round" in page
    assert "## A turn" not in page
    assert "At the same time, each player has to play a card from their hand" in page


# -- what is wrong with one


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ("(together player)", "together takes 2 parts, but 1 was found."),
        ("(together (game vloc S) (choice ((turn pass))))", "Expected players here, but (game vloc S) are cards."),
        ("(together player (turn pass))", "Expected the choice of these players here, but found (turn pass)."),
        ("(do ((together player (choice ((turn pass))))))", "together is not allowed here."),
        ("(let 1 'N (together player (choice ((set (game sto X) 'N)))))", "together is not allowed in a let."),
    ],
)
def test_a_mistake_with_it_is_reported(block: str, text: str) -> None:
    with pytest.raises(BadText) as found:
        read(text_of(block))
    assert [problem.text for problem in found.value.problems] == [text]


def test_a_record_can_have_the_choices_in_any_order() -> None:
    game = RecycleGame("x", text_of(f"{DEAL} {PLAY} {PASS}", decks=HANDS, players="3"))
    ends: set[str] = set()
    for order in permutations(range(3)):
        match = Match.start(game, 3, {}, SealedChance(bytes(32)))
        moves: list[tuple[int, str]] = []
        for seat in order:
            moves.append((seat, match.legal_moves(seat)[1]))
            match.advance(*moves[-1])
        again = Match.replay(game, 3, {}, bytes(32), moves)
        views: list[Any] = [again.view(seat) for seat in (None, 0, 1, 2)]
        assert views == [match.view(seat) for seat in (None, 0, 1, 2)]
        ends.add(json.dumps(views))
    assert len(ends) == 1
