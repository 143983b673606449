"""Texts by chance: well-formed games that use the whole language in any combination, for hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

NAMES = ("A", "B", "HAND", "STOCK", "SUIT", "RANK", "HEARTS")
ITEM_TYPE = {
    "cards": "card",
    "groups": "cards",
    "players": "player",
    "teams": "team",
    "strs": "str",
    "ints": "int",
    "team": "player",
}
COLLECTIONS = ("cards", "groups", "players", "teams", "strs", "ints", "team")


class Writer:
    """Writes parts of a text. ``scope`` holds the variables around the part that is being written, with their types."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.scope: list[tuple[str, str]] = []
        self.bound = 0

    def one(self, *options: Callable[[], str] | str) -> str:
        chosen = self.draw(st.sampled_from(options))
        return chosen if isinstance(chosen, str) else chosen()

    def number(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def using(self, kind: str) -> list[str]:
        """Return the variables in scope of a type."""
        return [f"'{name}" for name, type in self.scope if type == kind]

    def fresh(self) -> str:
        self.bound += 1
        digits, number = "", self.bound
        while number:
            number, digit = divmod(number - 1, 26)
            digits = chr(65 + digit) + digits
        return f"V{digits}"

    def within(self, type: str, write: Callable[[], str]) -> tuple[str, str]:
        """Return a new variable, and what is written where it is in scope."""
        name = self.fresh()
        self.scope.append((name, type))
        written = write()
        self.scope.pop()
        return f"'{name}", written

    # -- values

    def value(self, type: str, depth: int) -> str:
        """Write a value of a type."""
        known = self.using(type)
        if known and self.number(0, 2) == 0:
            return str(self.draw(st.sampled_from(known)))
        return str(getattr(self, f"a_{type}")(max(depth - 1, 0)))

    def collection(self, depth: int) -> tuple[str, str]:
        """Write a collection; return its type, and it."""
        type = self.one(*COLLECTIONS)
        return type, self.value(type, depth)

    def a_int(self, d: int) -> str:
        if not d:
            return str(self.number(0, 12))
        v = self.value
        return self.one(
            lambda: f"({self.one('+', '-', '*', '//', '%', '^')} {v('int', d)} {v('int', d)})",
            lambda: f"({self.one('tri', 'fib')} {v('int', d)})",
            lambda: f"(random {v('int', d)})",
            lambda: f"(random {v('int', d)} .. {v('int', d)})",
            lambda: f"(size {self.collection(d)[1]})",
            lambda: f"(sum {v('cards', d)} using {self.points(d)})",
            lambda: f"(score {v('card', d)} using {self.points(d)})",
            lambda: f"({self.who(d)} sto {v('str', d)})",
        )

    def a_str(self, d: int) -> str:
        if not d:
            return self.one(*NAMES)
        return self.one(
            lambda: f"(cardatt {self.value('str', d)} {self.value('card', d)})",
            lambda: f"({self.who(d)} str {self.value('str', d)})",
            *NAMES,
        )

    def a_bool(self, d: int) -> str:
        if not d:
            return "(== 0 0)"
        v = self.value
        alike = self.one("int", "str", "card", "player", "team")
        return self.one(
            lambda: f"({self.one('and', 'or')} {v('bool', d)} {v('bool', d)}{self.one('', ' (== 1 1)')})",
            lambda: f"(not {v('bool', d)})",
            lambda: f"({self.one('<', '>', '<=', '>=')} {v('int', d)} {v('int', d)})",
            lambda: f"({self.one('==', '!=')} {v(alike, d)} {v(alike, d)})",
            lambda: self.quantified("bool", d, "any", "all"),
        )

    def quantified(self, inner: str, d: int, *heads: str) -> str:
        type, over = self.collection(d)
        var, written = self.within(ITEM_TYPE[type], lambda: self.value(inner, d))
        return f"({self.one(*heads)} {over} {var} {written})"

    def a_player(self, d: int) -> str:
        return self.one(
            "(current player)",
            "(next player)",
            "(previous player)",
            lambda: f"({self.value('int', d)} player)",
            lambda: f"(owner {self.value('card', d)})" if d else "(0 player)",
        )

    def a_team(self, d: int) -> str:
        return self.one(
            "(current team)",
            "(next team)",
            "(previous team)",
            lambda: f"({self.value('int', d)} team)",
            lambda: f"(team {self.value('player', d)})" if d else "(0 team)",
        )

    def who(self, d: int, *, teams: bool = True) -> str:
        """Write an owner."""
        if teams and self.number(0, 3) == 0:
            return self.value("team", d)
        return self.one("game", lambda: self.value("player", d))

    def points(self, d: int) -> str:
        return f"({self.who(d)} points {self.value('str', d)})"

    def place(self, d: int, *visibilities: str) -> str:
        """Write a place."""
        words = visibilities or ("vloc", "iloc", "hloc", "oloc", "mem")
        return f"({self.who(d, teams=False)} {self.one(*words)} {self.value('str', d)})"

    def a_card(self, d: int) -> str:
        where = self.one("top", "bottom", lambda: self.value("int", d))
        if not d:
            return f"({where} (game vloc A))"
        return self.one(
            lambda: f"({where} {self.value('cards', d)})",
            lambda: f"(actual {self.value('card', d)})",
            lambda: f"({self.one('max', 'min')} {self.value('cards', d)} using {self.points(d)})",
        )

    def several(self, type: str, d: int) -> str:
        return " ".join(self.value(type, d) for _ in range(self.number(1, 3)))

    def each(self, d: int) -> str:
        """Write the cards of each of something."""
        return self.quantified("cards", d, "all")

    def a_cards(self, d: int) -> str:
        if not d:
            return self.one(lambda: self.place(0))
        v = self.value
        combined = self.one("union", "intersect", "disjunction")
        end = self.one("top", "bottom")
        return self.one(
            lambda: self.place(d),
            lambda: f"({combined} {self.several('cards', d)})",
            lambda: f"({combined} {self.each(d)})",
            lambda: self.filter("cards", d),
            lambda: f"({self.one('top', 'bottom', '2')} {v('groups', d)})",
            lambda: f"({end} {v('int', d)} {v('cards', d)})",
            lambda: f"(run {end} {v('int', d)} {v('cards', d)} using {self.points(d)})",
            lambda: f"(sort {v('cards', d)} using {self.points(d)})",
        )

    def filter(self, type: str, d: int) -> str:
        over = self.value(type, d)
        var, test = self.within(ITEM_TYPE[type], lambda: self.value("bool", d))
        return f"(filter {over} {var} {test})"

    def a_groups(self, d: int) -> str:
        v = self.value
        if not d:
            return f"(subsets {v('cards', 0)})"
        return self.one(
            lambda: f"(tuples {v('int', d)} {v('cards', d)} using {self.points(d)})",
            lambda: f"(partition {v('str', d)} {self.several('cards', d)})",
            lambda: f"(partition {v('str', d)} {self.each(d)})",
            lambda: f"(subsets {v('cards', d)})",
            lambda: f"(subsets {v('int', d)} {v('cards', d)})",
            lambda: f"(runs {self.one('largest', 'all')} {v('int', d)} {v('cards', d)} using {self.points(d)})",
            lambda: self.each(d),
            lambda: self.filter("groups", d),
        )

    def a_players(self, d: int) -> str:
        return self.one("player", "(other player)", *([lambda: self.filter("players", d)] if d else []))

    def a_teams(self, d: int) -> str:
        return self.one("team", "(other team)", *([lambda: self.filter("teams", d)] if d else []))

    def a_strs(self, d: int) -> str:
        return self.one("(A)", "(HEARTS, SUIT)", "(A, B, HAND)", *([lambda: self.filter("strs", d)] if d else []))

    def a_ints(self, d: int) -> str:
        return f"(range {self.value('int', d)} .. {self.value('int', d)})"

    # -- what is done

    def step(self, d: int) -> str:
        """Write a step."""
        if d and self.number(0, 2) == 0:
            return f"({self.value('bool', d)} {self.body(d)})"
        return self.body(d)

    def body(self, d: int) -> str:
        if not d:
            return self.simple(0)
        return self.one(
            lambda: f"(do ({self.steps(d - 1)}))",
            lambda: self.for_each(d - 1),
            lambda: self.let(d - 1, self.step),
            lambda: self.simple(d),
            lambda: self.simple(d),
        )

    def steps(self, d: int) -> str:
        return " ".join(self.step(d) for _ in range(self.number(1, 3)))

    def for_each(self, d: int) -> str:
        type, over = self.collection(d)
        var, written = self.within(ITEM_TYPE[type], lambda: self.step(d))
        return f"({self.one('any', 'all')} {over} {var} {written})"

    def let(self, d: int, inside: Callable[[int], str]) -> str:
        type = self.one("int", "bool", "str", *COLLECTIONS)
        value = self.value(type, d)
        var, written = self.within(type, lambda: inside(d))
        return f"(let {value} {var} {written})"

    def simple(self, d: int) -> str:
        v = self.value
        return self.one(
            lambda: f"({self.one('set', 'inc', 'dec')} ({self.who(d)} sto {v('str', d)}) {v('int', d)})",
            lambda: f"(set ({self.who(d)} str {v('str', d)}) {v('str', d)})",
            lambda: f"(set {self.points(d)} ({self.awards(d)}))",
            lambda: self.move(d),
            lambda: f"(remember {v('card', d)} {self.target(d, 'mem')})",
            lambda: self.forget(d),
            lambda: f"(shuffle {v('cards', d)})",
            lambda: f"(shuffle faro {v('cards', d)} {v('cards', d)})",
            "(turn pass)",
            lambda: f"(cycle {self.one('next', 'current')} {self.one('current', 'next', 'previous', v('player', d))})",
            lambda: f"(repeat {v('int', d)} {self.simple(max(d - 1, 0)) if d else '(turn pass)'})",
            lambda: f"(repeat all {self.one(lambda: self.move(d), lambda: self.forget(d))})",
            lambda: f"({self.deck(d)})",
        )

    def move(self, d: int) -> str:
        return f"(move {self.value('card', d)} {self.target(d, 'vloc', 'iloc', 'hloc', 'oloc')})"

    def forget(self, d: int) -> str:
        return f"(forget (top {self.place(d, 'mem')}))"

    def target(self, d: int, *visibilities: str) -> str:
        return f"({self.one('top', 'bottom', lambda: self.value('int', d))} {self.place(d, *visibilities)})"

    def awards(self, d: int) -> str:
        def award() -> str:
            pairs = " ".join(f"({self.value('str', d)} : {self.value('str', d)})" for _ in range(self.number(1, 2)))
            return f"({pairs} {self.value('int', d)})"

        return " ".join(award() for _ in range(self.number(1, 3)))

    def deck(self, d: int) -> str:
        name = self.one("", "RED ")
        shape = self.one(
            "(RANK (A, TWO))", "(RANK (A)) (SUIT (B, C))", "(COLOR (RED (SUIT (H, D))) (BLACK (SUIT (C))))"
        )
        return f"create deck {name}{self.place(d, 'vloc', 'iloc', 'hloc', 'oloc')} (deck {shape})"

    # -- the game

    def block(self, d: int) -> str:
        """Write a block."""
        if not d:
            return f"(do ({self.steps(1)}))"
        return self.one(
            lambda: f"(stage {self.one('player', 'team')} (end {self.value('bool', d)}) {self.block(d - 1)})",
            lambda: f"(choice ({self.steps(d)}))",
            lambda: f"(do ({self.steps(d)}))",
            lambda: self.for_each(d),
            lambda: self.let(
                d, lambda depth: self.one(f"(choice ({self.steps(depth)}))", f"(do ({self.steps(depth)}))")
            ),
        )

    def game(self, d: int) -> str:
        """Write a game; the lines are broken at any place, with comments."""
        declares = ""
        for _ in range(self.number(0, 2)):
            type = self.one("int", "str", "strs", "ints", "bool")
            name = self.fresh()
            declares += f"(declare {self.value(type, 1)} '{name})\n"
            self.scope.append((name, type))
        players = self.one("4", "2 .. 5")
        teams = self.one("", "(create teams (0, 1))")
        decks = self.one("({})", "({}) (repeat 2 ({}))", "(repeat 2 (repeat 3 ({})))")
        decks = decks.replace("{}", self.deck(0))
        blocks = "\n;;comment\n".join(self.block(d) for _ in range(self.number(1, 3)))
        scoring = f"(scoring {self.one('min', 'max')} {self.value('int', d)})"
        return f"(game {declares}(setup (create players {players}) {teams} {decks})\n{blocks}\n{scoring})"


@st.composite
def games(draw: Callable[[st.SearchStrategy[Any]], Any], depth: int = 3) -> str:
    """Return a strategy for whole games."""
    return Writer(draw).game(depth)


@st.composite
def laid_out(draw: Callable[[st.SearchStrategy[Any]], Any], depth: int = 3) -> str:
    """Return a strategy for whole games with blanks, line ends and comments anywhere between their tokens."""
    text: str = draw(games(depth))
    between = draw(
        st.lists(st.sampled_from((" ", "\n", "\n\n", "  ;; so\n", "\n;; alone\n  ", "\r\n")), min_size=1, max_size=9)
    )
    parts = text.split(" ")
    return "".join(part + between[place % len(between)] for place, part in enumerate(parts))
