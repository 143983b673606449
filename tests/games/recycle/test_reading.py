"""Every construct of the language, read into the tree that it should be."""

from __future__ import annotations

from typing import Literal

import pytest

from games.recycle import tree as t
from games.recycle.reader import read
from games.recycle.tree import Node, Type, Value
from tests.games.recycle.trees import AT, SCORING, SETUP, among_variables, bare, block, game, step, value

TABLE = t.Table(AT)
CURRENT = t.Relative(AT, "current", "player")
CURRENT_TEAM = t.Relative(AT, "current", "team")
ONE, TWO = t.Number(AT, 1), t.Number(AT, 2)
X, RANK = t.Name(AT, "X"), t.Name(AT, "RANK")
PLACE = t.Place(AT, TABLE, "vloc", X)
CARD = t.CardAt(AT, "top", PLACE)
POINTS = t.Ref(AT, "points", TABLE, X)
KEPT = t.Stored(AT, t.Ref(AT, "str", TABLE, X))
VISIBILITIES: tuple[t.Vis, ...] = ("vloc", "iloc", "hloc", "oloc", "mem")
LESS, MORE = t.Compare(AT, "<", ONE, TWO), t.Compare(AT, ">", ONE, TWO)
PASS = t.Pass(AT)


def var(name: str, type: Type, how: Literal["let", "each"] = "each", live: bool = False) -> t.Var:
    """Return a new variable."""
    return t.Var(name, type, AT, how, live)


def binding(kind: str, type: Type, over: Value, *, where: str = "") -> Value:
    """Return what binds 'V and asks, or is, something of it."""
    v = var("V", type)
    use = t.Use(AT, v)
    if kind == "cards":
        return t.Each(AT, over, v, t.Place(AT, use, "vloc", X))
    test = t.Compare(AT, "==", use, use)
    if kind == "filter":
        return t.Filter(AT, over, v, test)
    return t.Quantified(AT, "any" if kind == "any" else "all", over, v, test)


PLAYERS = t.Everybody(AT, "player")
SUBSETS = t.Subsets(AT, PLACE)
EACH = binding("cards", Type.PLAYER, PLAYERS)

VALUES: list[tuple[str, Value]] = [
    # numbers
    ("7", t.Number(AT, 7)),
    ("0000000000000007", t.Number(AT, 7)),
    ("(+ 1 2)", t.Arith(AT, "+", ONE, TWO)),
    ("(- 1 2)", t.Arith(AT, "-", ONE, TWO)),
    ("(* 1 2)", t.Arith(AT, "*", ONE, TWO)),
    ("(// 1 2)", t.Arith(AT, "//", ONE, TWO)),
    ("(% 1 2)", t.Arith(AT, "%", ONE, TWO)),
    ("(^ 1 2)", t.Arith(AT, "^", ONE, TWO)),
    ("(tri 1)", t.Series(AT, "tri", ONE)),
    ("(fib 1)", t.Series(AT, "fib", ONE)),
    ("(random 1)", t.Random(AT, None, ONE)),
    ("(random 1 .. 2)", t.Random(AT, ONE, TWO)),
    ("(random 1..2)", t.Random(AT, ONE, TWO)),
    ("(size (game vloc X))", t.Size(AT, PLACE)),
    ("(size player)", t.Size(AT, PLAYERS)),
    ("(size (current team))", t.Size(AT, t.TeamPlayers(AT, CURRENT_TEAM))),
    ("(sum (game vloc X) using (game points X))", t.Sum(AT, PLACE, POINTS)),
    ("(score (top (game vloc X)) using (game points X))", t.Score(AT, CARD, POINTS)),
    ("(game sto X)", t.Stored(AT, t.Ref(AT, "sto", TABLE, X))),
    ("((current player) sto X)", t.Stored(AT, t.Ref(AT, "sto", CURRENT, X))),
    ("((team (current player)) sto X)", t.Stored(AT, t.Ref(AT, "sto", t.TeamOf(AT, CURRENT), X))),
    # names
    ("X", X),
    ("(game str X)", t.Stored(AT, t.Ref(AT, "str", TABLE, X))),
    ("(cardatt RANK (top (game vloc X)))", t.CardAtt(AT, RANK, CARD)),
    ("(game sto (cardatt RANK (top (game vloc X))))", t.Stored(AT, t.Ref(AT, "sto", TABLE, t.CardAtt(AT, RANK, CARD)))),
    # tests
    (
        "(and (< 1 2) (> 1 2) (<= 1 2))",
        t.Logic(AT, "and", (LESS, MORE, t.Compare(AT, "<=", ONE, TWO))),
    ),
    ("(or (>= 1 2) (== 1 2))", t.Logic(AT, "or", (t.Compare(AT, ">=", ONE, TWO), t.Compare(AT, "==", ONE, TWO)))),
    ("(not (!= 1 2))", t.Not(AT, t.Compare(AT, "!=", ONE, TWO))),
    ("(== X RANK)", t.Compare(AT, "==", X, RANK)),
    ("(!= (top (game vloc X)) (top (game vloc X)))", t.Compare(AT, "!=", CARD, CARD)),
    ("(== (current player) (1 player))", t.Compare(AT, "==", CURRENT, t.Numbered(AT, ONE, "player"))),
    (
        "(== (current team) (team (current player)))",
        t.Compare(AT, "==", CURRENT_TEAM, t.TeamOf(AT, CURRENT)),
    ),
    ("(any player 'V (== 'V 'V))", binding("any", Type.PLAYER, PLAYERS)),
    ("(all (range 1 .. 2) 'V (== 'V 'V))", binding("all", Type.INT, t.Range(AT, ONE, TWO))),
    # players and teams
    ("(current player)", CURRENT),
    ("(next player)", t.Relative(AT, "next", "player")),
    ("(previous team)", t.Relative(AT, "previous", "team")),
    ("(2 player)", t.Numbered(AT, TWO, "player")),
    ("((+ 1 2) team)", t.Numbered(AT, t.Arith(AT, "+", ONE, TWO), "team")),
    ("(owner (top (game vloc X)))", t.OwnerOf(AT, CARD)),
    ("(team (owner (top (game vloc X))))", t.TeamOf(AT, t.OwnerOf(AT, CARD))),
    # cards
    ("(top (game vloc X))", CARD),
    ("(bottom (game vloc X))", t.CardAt(AT, "bottom", PLACE)),
    ("(2 (game vloc X))", t.CardAt(AT, TWO, PLACE)),
    ("((+ 1 2) (game vloc X))", t.CardAt(AT, t.Arith(AT, "+", ONE, TWO), PLACE)),
    ("((game sto X) (game vloc X))", t.CardAt(AT, t.Stored(AT, t.Ref(AT, "sto", TABLE, X)), PLACE)),
    ("(actual (top (game vloc X)))", t.Actual(AT, CARD)),
    ("(max (game vloc X) using (game points X))", t.Extreme(AT, "max", PLACE, POINTS)),
    ("(min (game vloc X) using (game points X))", t.Extreme(AT, "min", PLACE, POINTS)),
    # places and what is made of cards
    *((f"(game {vis} X)", t.Place(AT, TABLE, vis, X)) for vis in VISIBILITIES),
    (
        "((owner (top (game vloc X))) vloc (game str X))",
        t.Place(AT, t.OwnerOf(AT, CARD), "vloc", t.Stored(AT, t.Ref(AT, "str", TABLE, X))),
    ),
    ("(union (game vloc X) (game vloc X))", t.Combined(AT, "union", (PLACE, PLACE))),
    ("(intersect (game vloc X))", t.Combined(AT, "intersect", (PLACE,))),
    ("(disjunction (all player 'V ('V vloc X)))", t.Combined(AT, "disjunction", EACH)),  # type: ignore[arg-type]
    ("(filter (game vloc X) 'V (== 'V 'V))", binding("filter", Type.CARD, PLACE)),
    ("(filter (A, B) 'V (== 'V 'V))", binding("filter", Type.STR, t.Names(AT, ("A", "B")))),
    (
        "(filter (current team) 'V (== 'V 'V))",
        binding("filter", Type.PLAYER, t.TeamPlayers(AT, CURRENT_TEAM)),
    ),
    ("(top (subsets (game vloc X)))", t.GroupAt(AT, "top", SUBSETS)),
    ("(2 (subsets (game vloc X)))", t.GroupAt(AT, TWO, SUBSETS)),
    ("(top (top (subsets (game vloc X))))", t.CardAt(AT, "top", t.GroupAt(AT, "top", SUBSETS))),
    ("(actual (top (subsets (game vloc X))))", t.Actual(AT, t.CardAt(AT, "top", t.GroupAt(AT, "top", SUBSETS)))),
    ("(top 2 (game vloc X))", t.Slice(AT, "top", TWO, PLACE)),
    ("(bottom (size player) (game vloc X))", t.Slice(AT, "bottom", t.Size(AT, PLAYERS), PLACE)),
    ("(run top 2 (game vloc X) using (game points X))", t.RunAt(AT, "top", TWO, PLACE, POINTS)),
    ("(run bottom 2 (game vloc X) using (game points X))", t.RunAt(AT, "bottom", TWO, PLACE, POINTS)),
    ("(sort (game vloc X) using (game points X))", t.Sorted(AT, PLACE, POINTS)),
    # groups
    ("(tuples 2 (game vloc X) using (game points X))", t.Tuples(AT, TWO, PLACE, POINTS)),
    ("(partition RANK (game vloc X) (game vloc X))", t.Partition(AT, RANK, (PLACE, PLACE))),
    ("(partition RANK (all player 'V ('V vloc X)))", t.Partition(AT, RANK, EACH)),  # type: ignore[arg-type]
    ("(subsets (game vloc X))", SUBSETS),
    ("(subsets 2 (game vloc X))", t.Selections(AT, TWO, PLACE)),
    ("(runs largest 2 (game vloc X) using (game points X))", t.Runs(AT, "largest", TWO, PLACE, POINTS)),
    ("(runs all 2 (game vloc X) using (game points X))", t.Runs(AT, "all", TWO, PLACE, POINTS)),
    ("(all player 'V ('V vloc X))", EACH),
    # other collections
    ("player", PLAYERS),
    ("team", t.Everybody(AT, "team")),
    ("(other player)", t.Others(AT, "player")),
    ("(other team)", t.Others(AT, "team")),
    ("(A, B)", t.Names(AT, ("A", "B"))),
    ("(A)", t.Names(AT, ("A",))),
    ("(range 1 .. 2)", t.Range(AT, ONE, TWO)),
    ("(range 1..2)", t.Range(AT, ONE, TWO)),
]


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_a_value_is_read(text: str, expected: Value) -> None:
    assert bare(value(text)) == bare(expected)
    assert value(text).type is expected.type


TARGET = t.Target(AT, "top", PLACE)
STORE = t.Ref(AT, "sto", TABLE, X)
AWARD = t.Award(AT, ((RANK, X),), ONE)
ACE = t.AttributeValue(AT, "A")
DECK = t.CreateDeck(AT, t.Name(AT, "DEFAULT"), PLACE, (t.Attribute(AT, "R", (ACE,)),))
LOOP = var("V", Type.PLAYER)
TEST = t.Compare(AT, "==", ONE, TWO)

STEPS: list[tuple[str, Node]] = [
    ("(set (game sto X) 1)", t.SetNumber(AT, "set", STORE, ONE)),
    ("(inc (game sto X) 1)", t.SetNumber(AT, "inc", STORE, ONE)),
    ("(dec (game sto X) 1)", t.SetNumber(AT, "dec", STORE, ONE)),
    ("(set (game str X) RANK)", t.SetName(AT, t.Ref(AT, "str", TABLE, X), RANK)),
    ("(set (game points X) (((RANK : X) 1)))", t.SetPoints(AT, POINTS, (AWARD,))),
    (
        "(set (game points X) (((RANK : X) (X : (game str X)) 2) ((RANK : X) 1)))",
        t.SetPoints(AT, POINTS, (t.Award(AT, ((RANK, X), (X, t.Stored(AT, t.Ref(AT, "str", TABLE, X)))), TWO), AWARD)),
    ),
    ("(move (top (game vloc X)) (top (game vloc X)))", t.Move(AT, CARD, TARGET)),
    ("(move (top (game vloc X)) (bottom (game vloc X)))", t.Move(AT, CARD, t.Target(AT, "bottom", PLACE))),
    ("(move (top (game vloc X)) (2 (game vloc X)))", t.Move(AT, CARD, t.Target(AT, TWO, PLACE))),
    (
        "(remember (top (game vloc X)) (top (game mem X)))",
        t.Remember(AT, CARD, t.Target(AT, "top", t.Place(AT, TABLE, "mem", X))),
    ),
    ("(forget (top (game mem X)))", t.Forget(AT, t.CardAt(AT, "top", t.Place(AT, TABLE, "mem", X)))),
    ("(shuffle (game vloc X))", t.Shuffle(AT, PLACE)),
    ("(shuffle faro (game vloc X) (game iloc X))", t.Shuffle(AT, PLACE, t.Place(AT, TABLE, "iloc", X))),
    ("(turn pass)", PASS),
    ("(cycle next current)", t.Cycle(AT, "next", CURRENT)),
    ("(cycle current next)", t.Cycle(AT, "current", t.Relative(AT, "next", "player"))),
    ("(cycle next previous)", t.Cycle(AT, "next", t.Relative(AT, "previous", "player"))),
    ("(cycle next (owner (top (game vloc X))))", t.Cycle(AT, "next", t.OwnerOf(AT, CARD))),
    ("(repeat 2 (turn pass))", t.Repeat(AT, TWO, PASS)),
    ("(repeat 2 (do ((turn pass))))", t.Repeat(AT, TWO, t.Do(AT, (PASS,)))),
    ("(repeat 2 (all player 'V (turn pass)))", t.Repeat(AT, TWO, t.ForEach(AT, "all", PLAYERS, LOOP, PASS))),
    ("(repeat all (move (top (game vloc X)) (top (game vloc X))))", t.RepeatAll(AT, t.Move(AT, CARD, TARGET))),
    (
        "(repeat all (forget (top (game mem X))))",
        t.RepeatAll(AT, t.Forget(AT, t.CardAt(AT, "top", t.Place(AT, TABLE, "mem", X)))),
    ),
    ("(create deck (game vloc X) (deck (R (A))))", DECK),
    ("(create deck RANK (game vloc X) (deck (R (A))))", t.CreateDeck(AT, RANK, PLACE, DECK.attributes)),
    ("(create teams (0, 12) (1))", t.CreateTeams(AT, ((0, 12), (1,)))),
    ("(do ((turn pass) ((== 1 2) (turn pass))))", t.Do(AT, (PASS, t.When(AT, TEST, PASS)))),
    ("((== 1 2) (do ((turn pass))))", t.When(AT, TEST, t.Do(AT, (PASS,)))),
    ("(any player 'V (turn pass))", t.ForEach(AT, "any", PLAYERS, LOOP, PASS)),
    ("(all player 'V ((== 1 2) (turn pass)))", t.ForEach(AT, "all", PLAYERS, LOOP, t.When(AT, TEST, PASS))),
    ("(let 1 'V (turn pass))", t.Let(AT, ONE, var("V", Type.INT, "let"), PASS)),
    ("(let (game vloc X) 'V (turn pass))", t.Let(AT, PLACE, var("V", Type.CARDS, "let", live=True), PASS)),
    ("((any player 'V (== 'V 'V)) (turn pass))", t.When(AT, binding("any", Type.PLAYER, PLAYERS), PASS)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STEPS, ids=[text for text, _ in STEPS])
def test_a_step_is_read(text: str, expected: Node) -> None:
    assert bare(step(text)) == bare(expected)


def test_a_deck_has_all_values_of_an_attribute_with_what_lies_under_each() -> None:
    made = step(
        "(create deck (game vloc X) (deck (RANK (A, TWO) (J)) (COLOR (RED (SUIT (H, D))) (BLACK, WHITE (SUIT (C))))))"
    )
    a, two, j = (t.AttributeValue(AT, name) for name in ("A", "TWO", "J"))
    red = t.Attribute(AT, "SUIT", (t.AttributeValue(AT, "H"), t.AttributeValue(AT, "D")))
    black = t.Attribute(AT, "SUIT", (t.AttributeValue(AT, "C"),))
    colours = tuple(
        t.AttributeValue(AT, name, (under,)) for name, under in (("RED", red), ("BLACK", black), ("WHITE", black))
    )
    assert isinstance(made, t.CreateDeck)
    assert bare(made.attributes) == bare((t.Attribute(AT, "RANK", (a, two, j)), t.Attribute(AT, "COLOR", colours)))


USES = [
    # a step among variables of each type, and a path to where the variable should be
    ("(set (game sto X) 'N)", ["value"], "N"),
    ("(set (game str X) 'S)", ["value"], "S"),
    ("(set (game sto 'S) 1)", ["ref", "name"], "S"),
    ("(shuffle ('P vloc X))", ["cards", "who"], "P"),
    ("(set ('T sto X) 1)", ["ref", "who"], "T"),
    ("(shuffle 'CS)", ["cards"], "CS"),
    ("(move 'C (top (game vloc X)))", ["card"], "C"),
    ("(move (top 'CS) (top (game vloc X)))", ["card", "cards"], "CS"),
    ("(move ('N 'CS) (top (game vloc X)))", ["card", "where"], "N"),
    ("(shuffle (top 'N 'CS))", ["cards", "count"], "N"),
    ("(set ((team 'P) sto X) 1)", ["ref", "who", "player"], "P"),
    ("(cycle next 'P)", ["player"], "P"),
    ("(cycle next ('N player))", ["player", "number"], "N"),
    # where a card is wanted, cards of a variable stand for the top one, groups for that of their first
    ("(move 'CS (top (game vloc X)))", ["card", "cards"], "CS"),
    ("(move 'G (top (game vloc X)))", ["card", "cards", "groups"], "G"),
    ("((== 'C 'CS) (turn pass))", ["test", "right", "cards"], "CS"),
    # (top G) of groups is cards
    ("(shuffle (top 'G))", ["cards", "groups"], "G"),
    # a place that a variable follows can be put on
    ("(move 'C (top 'LIVE))", ["to", "place"], "LIVE"),
    ("(let 'LIVE 'M (move 'C (top 'M)))", ["value"], "LIVE"),
    # a team where its players are wanted
    ("(all 'T 'X (turn pass))", ["over", "team"], "T"),
    # two variables are compared as what they are
    ("((== 'N 'N) (turn pass))", ["test", "left"], "N"),
    ("((== 'P 'P) (turn pass))", ["test", "left"], "P"),
    ("((== 'S 'S) (turn pass))", ["test", "left"], "S"),
    # the groups of a variable, all of them
    ("(shuffle (union 'G))", ["cards", "parts", "over"], "G"),
]


@pytest.mark.parametrize(("text", "path", "name"), USES, ids=[text for text, _, _ in USES])
def test_a_variable_is_that_of_its_binding(text: str, path: list[str], name: str) -> None:
    found, variables = among_variables(text)
    node: object = found
    for part in path:
        node = getattr(node, part)
    assert isinstance(node, t.Use)
    assert node.var is variables[name]


def test_an_inner_variable_of_the_same_name_is_another_one() -> None:
    outer = step("(all player 'V (do ((all (game vloc X) 'V (move 'V (top (game vloc X)))) (set ('V sto X) 1))))")
    assert isinstance(outer, t.ForEach)
    assert isinstance(outer.step, t.Do)
    inner, after = outer.step.steps
    assert isinstance(inner, t.ForEach)
    assert isinstance(inner.step, t.Move)
    assert isinstance(after, t.SetNumber)
    assert isinstance(inner.step.card, t.Use)
    assert isinstance(after.ref.who, t.Use)
    assert inner.step.card.var is inner.var
    assert after.ref.who.var is outer.var


def test_declared_variables_are_known_everywhere() -> None:
    read_game = game(
        "(do ((all 'L 'V (shuffle (game vloc 'V)))))",
        declares="(declare (A, B) 'L) (declare (+ 1 2) 'N) (declare 'N 'M)",
        setup="(setup (create players 'M) (create deck (game iloc STOCK) (deck (RANK (A)))))",
        scoring="(scoring min 'N)",
    )
    l_, n, m = (declare.var for declare in read_game.declares)
    assert [(each.name, each.type, each.how) for each in (l_, n, m)] == [
        ("L", Type.STRS, "declare"),
        ("N", Type.INT, "declare"),
        ("M", Type.INT, "declare"),
    ]
    assert next(use.var for use in t.walk(read_game) if isinstance(use, t.Use)) is l_
    assert read_game.players == t.Number(read_game.players.at, 3)
    assert read_game.scoring.op == "min"
    assert read_game.scoring.value == t.Number(read_game.scoring.value.at, 3)


def test_stages_choices_and_other_blocks_are_read() -> None:
    found = block(
        "(stage team (end (== 1 2)) (choice ((turn pass))) (stage player (end (== 1 2)) (all player 'V (turn pass))))"
    )
    inner = t.Stage(AT, "player", TEST, (t.ForEach(AT, "all", PLAYERS, LOOP, PASS),))
    assert bare(found) == bare(t.Stage(AT, "team", TEST, (t.Choice(AT, (PASS,)), inner)))


def test_a_let_around_a_choice_is_read_as_one_in_each_step() -> None:
    found = block("(let 1 'V (let 'V 'W (choice ((turn pass) ((== 'W 2) (turn pass))))))")
    v, w = var("V", Type.INT, "let"), var("W", Type.INT, "let")
    steps = (PASS, t.When(AT, t.Compare(AT, "==", t.Use(AT, w), TWO), PASS))
    expected = (t.Let(AT, ONE, v, t.Let(AT, t.Use(AT, v), w, each)) for each in steps)
    assert bare(found) == bare(t.Choice(AT, tuple(expected)))


def test_repeated_decks_come_after_plain_ones() -> None:
    decks = ["(create deck {} (game vloc X) (deck (R (A))))".replace("{}", name) for name in "ABC"]
    made = f"(repeat 2 {decks[0]}) {decks[1]} (repeat 1 (repeat 2 {decks[2]}))"
    setup = f"(setup (create players 3) (create teams (0, 1)) {made})"
    found = game("(do ((turn pass)))", setup=setup)
    a, b, c = (t.CreateDeck(AT, t.Name(AT, name), PLACE, DECK.attributes) for name in "ABC")
    assert bare(found.decks) == bare((b, t.Repeat(AT, TWO, a), t.Repeat(AT, ONE, t.Repeat(AT, TWO, c))))
    assert found.teams is not None
    assert found.teams.teams == ((0, 1),)


def test_the_number_of_players_may_be_left_to_the_table() -> None:
    setup = "(setup (create players 2 .. 5) (create deck (game iloc STOCK) (deck (RANK (A)))))"
    players = game("(do ((turn pass)))", setup=setup).players
    assert bare(players) == bare(t.Range(AT, TWO, t.Number(AT, 5)))


PLAIN = f"(game {SETUP} (do ((set (game str X) HAND) (let 1 'N (turn pass)))) {SCORING})"
SAME = {
    "a byte order mark": "\ufeff" + PLAIN,
    "other line ends": PLAIN.replace(" ", "\r\n"),
    "tabs": PLAIN.replace(" ", "\t"),
    "a bracket too many": PLAIN + ")",
    "anything behind": PLAIN + " ) (junk @ 'X 12ABC",
    "a comment without a line end": PLAIN + " ;; the end",
    "comments": ";; first\n" + PLAIN.replace(" ", " ;; (\n ") + ";;",
    "a blank in a variable": PLAIN.replace("'N", "' N"),
    "no blanks around brackets": PLAIN.replace(" (", "(").replace(") ", ")"),
}


@pytest.mark.parametrize("how", SAME)
def test_what_means_nothing_is_skipped(how: str) -> None:
    assert bare(read(SAME[how])) == bare(read(PLAIN))


def test_every_node_says_where_it_stands() -> None:
    text = f"(game {SETUP} (do ((move (top (game vloc A)) (top ((current player) iloc B))))) {SCORING})"
    places = {text[node.at.start : node.at.end] for node in t.walk(read(text))}
    assert {
        "(game vloc A)",
        "(top (game vloc A))",
        "(current player)",
        "A",
        "(top ((current player) iloc B))",
        text,
    } <= places
