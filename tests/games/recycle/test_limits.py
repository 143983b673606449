"""A text may ask for anything, and gets it up to a limit: past that it is refused, or its match ends with a clear message.

What is tested is that each kind of too much is found, by its name and with its line, by both programs: the one that records what is done, and the quiet one.
"""

# ruff: noqa: E501  # a text is easier to read in one line than in pieces

from __future__ import annotations

import pytest

from games.core import Chance, FastChance, State
from games.core.moves import RulesFailed
from games.recycle import machine, rules
from games.recycle.game import RecycleGame
from games.recycle.problems import BadText
from games.recycle.rules import RecycleState
from tests.games.recycle.played import START, begun, quietly, text_of
from tests.tiers import full, sampled

HUNDRED = "(create deck (game vloc DECK) (deck (N (A, B, C, D, E)) (M (A, B, C, D, E)) (K (A, B, C, D))))"
THOUSAND = "".join(HUNDRED.replace("(N", f"(L ({letter})) (N") for letter in "ABCDEFGHIJ")
DOUBLES = f"(repeat 10 {HUNDRED})"
D = "(game vloc DECK)"
P = "using (game points P)"


def endless(steps: str) -> str:
    return f"(stage player (end (== 1 2)) (do ({steps})))"


def nested(count: int, around: str, inside: str) -> str:
    """Return ``inside`` with so many times ``around`` around it: # stands for what is inside, 'V for a new variable."""
    for number in range(count):
        name = "'" + "".join("ABCDEFGHIJ"[int(digit)] for digit in str(number + 10))
        before = "'" + "".join("ABCDEFGHIJ"[int(digit)] for digit in str(number + 11))
        inside = around.replace("#", inside).replace("'V", name).replace("'W", before)
    return inside


ENDLESS = [
    "(turn pass)",
    "(inc (game sto X) 1) (dec (game sto X) 1)",
    f"(set (game sto X) (size (filter {D} 'C (== (cardatt N 'C) A))))",
    f"(repeat all (move (top {D}) (bottom (game vloc X)))) (repeat all (move (top (game vloc X)) (bottom {D})))",
    f"(shuffle {D})",
    "(inc (game sto X) 1) (set (game points P) (((N : A) (game sto X)) ((M : A) 2)))",
    f"(set (game sto X) (size (subsets (top 16 {D}))))",
    f"(set (game sto X) (size (subsets 3 (top 20 {D}))))",
    f"(set (game sto X) (size (run top 1 {D} {P})))",
    f"(set (game sto X) (size (sort {D} {P})))",
    f"(set (game sto X) (size (partition N {D} {D} {D})))",
    f"(all {D} 'C (set (game sto X) (size (game vloc (cardatt N 'C)))))",
    f"(set (game sto X) (size (disjunction {D} {D})))",
    f"(set (game sto X) (score (max {D} {P}) {P}))",
    "(set (game sto X) (fib 40))",
    "(all player 'Q (cycle next 'Q))",
    f"(let {D} 'L (move (bottom 'L) (top 'L)))",
]


@pytest.mark.parametrize("steps", sampled(ENDLESS, 2))
@pytest.mark.parametrize(
    "decks", [pytest.param(HUNDRED, id="hundred"), pytest.param(THOUSAND, id="thousand", marks=full)]
)
def test_what_never_ends_is_ended(steps: str, decks: str) -> None:
    fails(endless(steps), "too many steps", decks=decks)


@pytest.mark.parametrize(
    ("blocks", "kind"),
    [
        (endless("(create deck (game vloc X) (deck (N (A, B, C, D, E)) (M (A, B, C, D, E))))"), "too many cards"),
        (endless("(create teams (0))"), "too many teams"),
        (endless(f"(all {D} 'C (remember 'C (top (game mem M))))"), "too many cards"),
        (endless("(inc (game sto X) 2147483647)"), "number too large"),
        ("(do ((repeat 100 (set (game sto X) (* (+ 3 (game sto X)) (+ 3 (game sto X)))))))", "number too large"),
        (f"(do ((let 2147483647 'CA {nested(10, '''(let (* 'W 'W) 'V #)''', '(set (game sto X) 1)')})))", "number too large"),
        ("(do ((set (game sto X) (^ 2147483647 2147483647))))", "number too large"),
        ("(do ((set (game sto X) (random (+ 2147483647 2147483647)))))", "number too large"),
        ("(do ((all (range 1 .. 100000) 'A (turn pass))))", "range too long"),
        ("(do ((repeat 1000000 (turn pass))))", "too many repeats"),
        ("(do ((all (range 1 .. 10000) 'A (all (range 1 .. 10000) 'B (turn pass)))))", "too many steps"),
        ("(do ((repeat 10000 (repeat 10000 (turn pass)))))", "too many steps"),
        ("(do ((set (game sto X) (size (filter (range 1 .. 10000) 'A (any (range 1 .. 10000) 'B (== 'A 0)))))))", "too many steps"),
        (f"(do ((set (game sto X) (size (filter {D} 'A (any {D} 'B (any {D} 'C (any {D} 'E (== 'A 'C)))))))))", "too many steps"),
        (f"(do ((all {D} 'C (all {D} 'E (set (game sto X) (size (filter {D} 'F (== 'F (max (union {D} {D}) {P})))))))))", "too many steps"),
        (f"(do ((let {D} 'EA {nested(30, '''(let (union 'W 'W) 'V #)''', '(turn pass)')})))", "too many steps"),
        (f"(do ((set (game sto X) (size (subsets (top 20 {D}))))))", "too many groups"),
        (f"(do ((set (game sto X) (size (subsets 4 {D})))))", "too many groups"),
        (f"(do ((set (game sto X) (size (subsets 60 (union {D} {D} {D}))))))", "too many groups"),
        (f"(do ((set (game sto X) (size (tuples 5 {D} {P})))))", "too many groups"),
        (f"(do ((all (range 1 .. 10000) 'N (set (game sto X) (size (filter (subsets (top 12 {D})) 'G (== 5 (sum 'G {P}))))))))", "too many steps"),
        (f"{START} (choice ({nested(4, f'''(any {D} 'V #)''', '(turn pass)')}))", "too many options"),
        (f"{START} (choice ((do ({' '.join([f'''(any {D} 'C (turn pass))'''] * 4)}))))", "too many options"),
        (f"{START} (choice ((do ({' '.join([f'''(any {D} 'C ((== 1 2) (turn pass)))'''] * 6)})) (turn pass)))", "too many steps"),
        (f"{START} (choice ((do ({' '.join(['''(any (A, B) 'C ((== 1 2) (turn pass)))'''] * 24)})) (turn pass)))", "too many steps"),
        (f"{START} (choice ({nested(6, f'''(any {D} 'V #)''', '((== 1 2) (turn pass))')} (turn pass)))", "too many steps"),
        (f"{START} (choice ((any (range 1 .. 10000) 'A (all {D} 'C (set (game sto X) 'A)))))", "too many options"),
        (f"{START} (choice ((repeat 100 (any (range 1 .. 2) 'A (inc (game sto X) 'A)))))", "too many options"),
        (f"{START} (choice ((repeat 101 (any (range 1 .. 2) 'A (inc (game sto X) 'A)))))", "too many repeats"),
        (f"{START} (choice ((all (range 1 .. 101) 'B (any (range 1 .. 2) 'A (inc (game sto X) 'A)))))", "too many repeats"),
        (f"{START} (choice ((repeat 100 (repeat 100 (any (A) 'A (turn pass))))))", "too deep"),
        (f"{START} (choice ({nested(30, '''(any (range 1 .. 2) 'V #)''', '(turn pass)')}))", "too many options"),
    ],
)  # fmt: skip
def test_too_much_of_anything_ends_the_match_by_its_name(blocks: str, kind: str) -> None:
    fails(blocks, kind)


def fails(blocks: str, kind: str, decks: str = HUNDRED) -> None:
    """See that blocks fail in both programs, by this kind of failure, with a line of the text.

    A tenth of the steps is allowed that matches may take: it shows the same in a tenth of the time.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            rules, "MOST_STEPS", machine.MOST_STEPS // (1 if kind in ("too many options", "too many cards") else 10)
        )
        _fails(blocks, kind, decks)


def _fails(blocks: str, kind: str, decks: str) -> None:
    state = begun(text_of(START + blocks, decks=decks))
    for one in (quietly(state), state):
        with pytest.raises(RulesFailed, match=", line 1: ") as failed:
            play_on(one)
        assert failed.value.kind == kind
        assert "engine failed" not in failed.value.text
    with pytest.raises(RulesFailed) as failed:
        begun(text_of(START + blocks, decks=decks)).rollout(FastChance("x"))
    assert failed.value.kind == kind


def plays(blocks: str, decks: str = HUNDRED) -> None:
    state = begun(text_of(START + blocks, decks=decks))
    for one in (quietly(state), state):
        play_on(one)


def play_on(state: RecycleState) -> None:
    """Take the last option again and again."""
    while not state.over:
        state.apply(state.cur, state.legal_moves(state.cur)[-1])


@pytest.mark.parametrize(
    "blocks",
    [
        f"{START} (choice ({nested(30, '''(any (A) 'V #)''', '(turn pass)')}))",
        f"{START} (choice ({nested(75, '''(any (A) 'V #)''', '(turn pass)')}))",
        f"{START} (choice ({nested(30, '''(all (A) 'V #)''', '''(any (A) 'Z (turn pass))''')}))",
        f"{START} (choice ((do ({' '.join(['''(any (A) 'Z (turn pass))'''] * 40)}))))",
        f"{START} (choice ((all {D} 'C (move 'C (bottom (game vloc X))))))",
        f"{START} (choice ((any {D} 'A (all {D} 'C (move 'C (bottom (game vloc X)))))))",
        f"(do (({nested(75, '''(any (A) 'V #)''', '(== 1 1)')} (turn pass))))",
        f"(do ((set (game sto X) (size {nested(80, '(union # (game vloc E))', D)}))))",
        f"(do ((set (game sto X) (size {nested(80, '''(filter # 'V (== 1 1))''', D)}))))",
        f"(do (({nested(80, '(not #)', '(== 1 1)')} (turn pass))))",
        f"(do ((set (game sto X) (size {nested(40, '(top (subsets #))', '(game vloc E)')}))))",
        f"(do ((set (game sto X) {nested(80, '(- # 1)', '0')})))",
        nested(80, "(stage player (end (== 1 1)) #)", "(do ((turn pass)))"),
        f"(do ({nested(40, '(do (#))', '(turn pass)')}))",
        f"(do ({'(inc (game sto X) 1)' * 2000}))",
        START * 500,
        "(do ((create deck (game vloc X) (deck (N (A)))) (repeat 450 (create deck (game vloc X) (deck (N (A)))))))",
        f"(do ((set (game sto X) (size (subsets (top 16 {D}))))))",
        f"(do ((repeat 1000 (shuffle {D})) (repeat 50 (repeat all (move (top {D}) (bottom {D}))))))",
    ],
)  # fmt: skip
def test_what_is_much_but_not_too_much_is_played(blocks: str) -> None:
    plays(blocks)


@pytest.mark.parametrize(
    ("blocks", "decks", "reason"),
    [
        (f"(do ({nested(30, '''(any (A) 'V #)''', '(turn pass)')}))", HUNDRED, "loops"),
        (f"{START} (choice ({nested(30, '''(all (A) 'V #)''', '(turn pass)')}))", HUNDRED, "loops"),
        (f"{START} (choice ((do ({' '.join(['''(any (A) 'Z (turn pass))'''] * 300)}))))", HUNDRED, "nested"),
        (f"(do (((and {'(==1 1)' * 8500}) (turn pass))))", HUNDRED, "too long"),
        (START * 2000, HUNDRED, "too long"),
        (f"(do ((shuffle faro (union {D} {D}) {D})))", HUNDRED, "two places"),
        ("(do ((turn pass)))", f"(repeat 11 {HUNDRED})", "1,000 cards, not 1,100"),
        ("(do ((turn pass)))", f"(repeat 1000000000 (repeat 1000000000 {HUNDRED}))", "1,000 cards"),
        ("(do ((turn pass)))", HUNDRED.replace("(K", "(J (A, B, C, D, E, F)) (K"), "500 different cards"),
        (f"(do ({HUNDRED}))", DOUBLES, "1,000 cards"),
        ("(do ((turn pass)))", f"(create deck {D} (deck {''.join(f'(K{chr(65 + k // 26)}{chr(65 + k % 26)} (A))' for k in range(41))}))",
         "40 attributes"),
        ("".join(f"(do ((move (top {D}) (top ((0 player) vloc {chr(65 + k // 26)}{chr(65 + k % 26)})))))" for k in range(600)), HUNDRED,
         "places"),
    ],
)  # fmt: skip
def test_a_text_that_asks_for_too_much_is_refused_before_it_is_played(blocks: str, decks: str, reason: str) -> None:
    with pytest.raises(BadText, match=reason) as refused:
        RecycleGame("text", text_of(blocks, decks=decks, players="4"))
    assert "text.rcy:1:" in str(refused.value)


@pytest.mark.parametrize("players", ["0", "21", "0 .. 3", "2 .. 21", "1000000"])
def test_nobody_plays_alone_with_nobody_or_with_more_than_twenty(players: str) -> None:
    with pytest.raises(BadText, match="from 1 to 20" if players != "0 .. 3" else "two numbers"):
        RecycleGame("text", text_of("(do ((turn pass)))", players=players))


def test_twenty_may_play() -> None:
    state = begun(text_of(f"(do ((all player 'Q (set ('Q sto X) 1)))) {START}", players="20"), 20)
    assert state.I == [1] * 20


def test_places_of_players_are_counted_for_as_many_as_may_play_before_anybody_plays() -> None:
    named = [f"N{chr(65 + k)}" for k in range(20)]
    blocks = "".join(f"(do ((move (top {D}) (top ((0 player) vloc {name})))))" for name in named)
    RecycleGame("text", text_of(blocks, decks="(create deck (game vloc DECK) (deck (N (A))))", players="2 .. 19"))
    with pytest.raises(BadText, match="With 20 players this text has 401 places, and a match may have 400"):
        RecycleGame("text", text_of(blocks, decks="(create deck (game vloc DECK) (deck (N (A))))", players="2 .. 20"))


def test_places_and_stores_that_are_made_by_name_are_counted() -> None:
    names = ", ".join(
        f"N{chr(65 + k // 676)}{chr(65 + k // 26 % 26)}{chr(65 + k % 26)}" for k in range(machine.MOST_PLACES + 1)
    )

    blocks = f"(do ((all (filter ({names}) 'N (== 1 1)) 'N (set (game sto X) (size (game vloc 'N))))))"
    fails(blocks, "too many places")
    more = "(do ((all player 'Q (all (filter ({}) 'N (== 1 1)) 'N (do ((set ('Q sto 'N) 1) (set ('Q str 'N) A))))))) "
    state = begun(text_of(START + more.format(names), decks=HUNDRED, players="6"))
    with pytest.raises(RulesFailed, match="1,000 stores"):
        state.apply(0, "pass")


LONG = "(inc (game sto X) 1) (dec (game sto X) 1)" * 1_000


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param(endless(LONG), marks=full),
        f"(do ((all (range 1 .. 10000) 'A (do ({LONG})))))",
        pytest.param(f"(do ((repeat 10000 (do ({LONG})))))", marks=full),
        pytest.param(endless(f"(all player 'P (do ({LONG})))"), marks=full),
        pytest.param(f"(do ((repeat 10000 (repeat all (move (top {D}) (bottom {D}))))))", marks=full),
    ],
)
def test_what_never_ends_is_ended_before_what_was_done_fills_the_memory(
    blocks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_STEPS", machine.MOST_STEPS // 10)
    monkeypatch.setattr(machine, "MOST_DONE", machine.MOST_DONE // 10)
    state = begun(text_of(START + blocks, decks=HUNDRED))
    with pytest.raises(RulesFailed, match="it may never end"):
        state.apply(0, "pass")
    assert state.events is not None
    assert len(state.events) <= machine.MOST_DONE


def test_a_long_test_counts_for_more_steps_than_a_short_one() -> None:
    long = " ".join(["(== (cardatt N 'C) A)"] * 200)
    fails(endless(f"(set (game sto X) (size (filter {D} 'C (or {long}))))"), "too many steps")
    state = begun(
        text_of(f"{START} (do ((set (game sto X) (size (filter {D} 'C (or {long})))))) {START}", decks=HUNDRED)
    )
    before = state.steps
    state.apply(0, "pass")
    assert before - state.steps > 100 * 50


def test_steps_are_counted_anew_at_each_decision() -> None:
    """A match may go on for ever, as long as somebody is asked."""
    busy = f"(do ((all {D} 'C (all {D} 'E (set (game sto X) (size (filter (top 40 {D}) 'F (== 'F 'C))))))))"
    state = begun(text_of(f"(stage player (end (== 1 2)) {START} {busy})", decks=HUNDRED))
    for _ in range(12):
        state.apply(state.cur, "pass")


def test_a_scoring_of_too_many_steps_ends_the_match() -> None:
    heavy = f"max (size (filter {D} 'A (any {D} 'B (any {D} 'C (any {D} 'E (== 1 2))))))"
    state = begun(text_of(START, decks=HUNDRED, scoring=heavy))
    with pytest.raises(RulesFailed, match="too many steps"):
        state.apply(0, "pass")


def test_a_choice_has_as_many_options_as_can_be_shown() -> None:
    options = START + "(choice ((any (range 1 .. {}) 'A (set (game sto X) 'A))))"
    plays(options.format(machine.MOST_OPTIONS))
    with pytest.raises(RulesFailed, match="may have at most 1,000 options, and this one has 1,001"):
        plays(options.format(machine.MOST_OPTIONS + 1))


def test_the_options_of_a_choice_have_so_many_actions_in_all() -> None:
    moves = START + "(choice ((any (range 1 .. {}) 'A (all (game vloc DECK) 'C (move 'C (bottom (game vloc X)))))))"
    plays(moves.format(machine.MOST_ACTIONS // 100))
    with pytest.raises(RulesFailed, match="may have 10,000 actions in all, and these have 10,100"):
        plays(moves.format(machine.MOST_ACTIONS // 100 + 1))


def test_places_that_come_into_being_count_for_every_player() -> None:
    """The table shows a place of one player for all of them."""
    names = ", ".join(f"N{chr(65 + k)}" for k in range(machine.MOST_PLACES // 20))
    named = "(do ((all (filter ({}) 'N (== 1 1)) 'N (set (game sto X) (size ((0 player) vloc 'N))))))"
    text = text_of(
        START + named.format(names) + START, decks="(create deck (game vloc DECK) (deck (N (A))))", players="20"
    )
    with pytest.raises(RulesFailed, match="may have at most 400 places") as failed:
        begun(text, 20).apply(0, "pass")
    assert failed.value.kind == "too many places"
    few = begun(text.replace(", NT)", ")"), 20)
    few.apply(0, "pass")
    assert (len(few.L), few.room) == (20, machine.MOST_PLACES - 19)


def test_all_memories_together_have_a_limit() -> None:
    names = ", ".join(f"M{chr(65 + k)}" for k in range(21))
    noted = f"(do ((all (filter ({names}) 'M (== 1 1)) 'M (all {D} 'C (remember 'C (top (game mem 'M)))))))"
    fails(noted, "too many cards")
    struck = f"(do ((repeat 30 (do ((all {D} 'C (remember 'C (top (game mem M)))) (repeat all (forget (top (game mem M)))))))))"
    plays(struck)


def test_a_world_for_a_bot_is_looked_for_with_little_work_where_each_takes_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What may be chosen depends on where every hidden card lies, so no other determinization is possible."""
    deal = "(do ((shuffle (game hloc DECK))))"
    named = "(any (filter (game hloc DECK) 'C (== (cardatt N 'C) A)) 'D (move 'D (top (game vloc PILE))))"
    text = text_of(f"{deal} (choice ({named}))", decks=HUNDRED.replace("vloc", "hloc"))
    dealt: list[int] = []
    tried = State.determinize

    def count(state: RecycleState, seat: int, chance: Chance) -> RecycleState:
        dealt.append(seat)
        return tried(state, seat, chance)

    monkeypatch.setattr(State, "determinize", count)
    determinizations = []
    for most in (rules.MOST_LOOKED_FOR, 1_000):
        monkeypatch.setattr(rules, "MOST_LOOKED_FOR", most)
        state = RecycleState(RecycleGame("x", text).program(2), FastChance("x"))
        state.determinize(0, FastChance("y"))
        determinizations.append(len(dealt))
        dealt.clear()
    assert determinizations[0] == rules.MOST_DETERMINIZATIONS + 1
    assert 2 <= determinizations[1] <= 20
