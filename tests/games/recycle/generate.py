"""Texts made by the grammar: every construct of the language, in any combination that fits together by its types.

What is made is small, and mostly goes on for some turns: what a step needs is often asked for by a test before it.
``texts()`` is for hypothesis; ``Author(pick)`` writes one text out of any source of whole numbers. With ``ours`` the
text also uses what the language as it was published does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Pick = Callable[[int], int]  # returns a whole number from 0 up to, but not with, the one given

NAMES = ("A", "B", "C", "HEAP", "ROW")
KEYS = ("RANK", "SUIT", "KIND", "NOKEY")
PLACES = (
    "(game vloc HEAP)",
    "(game iloc STOCK)",
    "(game hloc STOCK)",
    "(game oloc ROW)",
    "(game vloc A)",
    "((current player) iloc HAND)",
    "((current player) vloc HEAP)",
    "((0 player) iloc HAND)",
    "((next player) hloc HAND)",
    "((previous player) oloc HAND)",
)
MEMORIES = ("(game mem NOTED)", "((current player) mem NOTED)")
MAPS = ("(game points P)", "(game points Q)", "((current player) points P)")
DEEPEST = 3  # nested values; steps as many more
ITEM_TYPE = {
    "cards": "card", "groups": "cards", "players": "player", "teams": "team", "strs": "str", "ints": "int",
}  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Return a strategy for texts."""
    return Author(lambda n: draw(st.integers(0, n - 1)), ours=draw(st.booleans())).text()


class Author:
    """Writes one text."""

    def __init__(self, pick: Pick, *, ours: bool = False) -> None:
        self.pick = pick
        self._ours = ours
        self.scope: list[tuple[str, str, bool]] = []  # variables: name, type, whether they are bound to a place
        self._fresh = 0
        self.depth = 0

    def one(self, of: Sequence[str]) -> str:
        return of[self.pick(len(of))]

    def odds(self, one_in: int) -> bool:
        return self.pick(one_in) == 0

    def ours(self, *more: T) -> tuple[T, ...]:
        """Return what is possible if a text may use what the published language does not have."""
        return more if self._ours else ()

    @contextmanager
    def bound(self, kind: str, live: bool = False) -> Iterator[str]:
        """Within: one more variable. Most have names of their own; some hide another one."""
        letters, number = "", self._fresh
        self._fresh += 1
        while True:
            letters += "XYZ"[number % 3]
            number //= 3
            if not number:
                break
        name = "'V" + letters
        if self.scope and self.odds(12):
            name = self.scope[self.pick(len(self.scope))][0]
        self.scope.append((name, kind, live))
        yield name
        self.scope.pop()

    def variables(self, kind: str, *, live: bool = False) -> list[str]:
        """Return the variables of a type that can be seen here."""
        last = {name: (found, bound) for name, found, bound in self.scope}
        return [name for name, (found, bound) in last.items() if found == kind and (bound or not live)]

    # -- a whole text

    def text(self) -> str:
        declares: list[str] = []
        for _ in range(self.pick(4)):
            kind = self.one(("int", "strs", "str", "ints", "place"))
            value = {
                "int": str(self.pick(4)), "strs": "(A, B)", "str": self.one(NAMES), "ints": "(range 1 .. 3)",
                "place": self.one(("(game vloc HEAP)", "(game iloc STOCK)", "((0 player) iloc HAND)")),
            }[kind]  # fmt: skip
            name = f"'D{'ABCD'[len(declares)]}"
            declares.append(f"(declare {value} {name})")
            self.scope.append((name, "cards" if kind == "place" else kind, kind == "place"))
        players = self.one(("1", "2", "3", "4", "2 .. 3", "1 .. 4"))
        teams = "(create teams (0, 2) (1, 3))" if players == "4" and self.odds(2) else ""
        fixed = "(create deck (game vloc FIXED) (deck (RANK (A, B)) (SUIT (HEARTS))))"  # never taken away
        decks = " ".join([f"(create deck {self.deck()})", fixed, *(self.setup_deck() for _ in range(self.pick(2)))])
        if self._ours:
            dice = f"(repeat 2 (create die {self.one(PLACES)} (deck (RANK (A, TWO, THREE)) (KIND (DIE)))))"
            decks += f" (create tokens {self.one(PLACES)} (deck (KIND (A, B)))) {dice}"
        known = "".join(f"(set ({who} who W) (0 player))" for who in self.ours("game", "(current player)"))
        deal = f"(do ({known} {'(shuffle (game iloc STOCK))' * self.pick(2)} {self.deal()} {self.points(MAPS[0])}))"
        turn = " ".join([self.block() for _ in range(1 + self.pick(3))])
        more = " ".join(self.block() for _ in range(self.pick(2)))
        stage = f"""(stage {self.one(("player", "player", "team"))} (end (>= (game sto TURN) {4 + self.pick(12)}))
            (do ((inc (game sto TURN) 1))) {turn} {self.choice()})"""
        value = self.any_int()
        scoring = self.one(("((current player) sto X)", "(size ((current player) iloc HAND))", value))
        return f"""(game {" ".join(declares)} (setup (create players {players}) {teams} {decks})
            {deal} {more} {stage} (scoring {self.one(("max", "min"))} {scoring}))"""

    def deck(self) -> str:
        name = self.one(("", "", "RED", "BLUE"))
        where = self.one(("(game iloc STOCK)", "(game iloc STOCK)", "(game vloc HEAP)", "(game hloc STOCK)"))
        attributes = self.one((
            "(RANK (A, TWO, THREE)) (SUIT (HEARTS, SPADES))", "(RANK (A, B, C, D))", "(RANK (A, B)) (KIND (A))",
            "(RANK (ONE, TWO)) (KIND (BIG (SUIT (H, D))) (SMALL (SUIT (S))))",
        ))  # fmt: skip
        return f"{name} {where} (deck {attributes})"

    def setup_deck(self) -> str:
        made = f"(create deck {self.deck()})"
        return made if self.odds(2) else f"(repeat {self.one(('2', '1', '0'))} {made})"

    def deal(self) -> str:
        return f"""(all player 'DEALT (repeat {self.pick(3)} ((> (size (game iloc STOCK)) 0)
            (move (top (game iloc STOCK)) (top ('DEALT iloc HAND))))))"""

    # -- blocks

    def block(self) -> str:
        self.depth += 1
        try:
            kind = self.pick(12)
            if kind < 4:
                return f"(do ({self.steps()}))"
            if kind < 8:
                return self.choice()
            if kind < 10 and self.depth < DEEPEST:
                counter = f"(game sto N{'ABC'[self.depth]})"
                blocks = " ".join(self.block() for _ in range(1 + self.pick(2)))
                return f"""(do ((set {counter} 0))) (stage {self.one(("player", "player", "team"))}
                    (end (or (>= {counter} {self.pick(4)}) {self.any_bool()})) (do ((inc {counter} 1))) {blocks})"""
            if kind == 10:
                return self.loop(self.step)
            return self.let(self.step)
        finally:
            self.depth -= 1

    def choice(self, lets: int = 0) -> str:
        """Return a choice. ``lets``: how many are around it."""
        if lets < DEEPEST and self.odds(6):
            return self.let(lambda: self.choice(lets + 1))
        if self._ours and not lets and self.odds(3):
            players = self.one(("player", "(other player)", self.any_players()))
            return f"(together {players} (choice ({self.steps()} (turn pass))))"
        last = self.one(
            ("(turn pass)", "(turn pass)", "(set ((current player) sto X) 1)", "(inc ((current player) sto X) 1)")
        )
        return f"(choice ({self.steps()} {last}))"

    # -- steps

    def steps(self) -> str:
        return " ".join(self.step() for _ in range(1 + self.pick(3)))

    def step(self) -> str:
        if self.depth < DEEPEST + 2 and self.odds(2):
            self.depth += 1
            try:
                return self.one_of(
                    lambda: f"(do ({self.steps()}))",
                    lambda: f"({self.any_bool()} {self.step_without_test()})",
                    lambda: self.loop(self.step),
                    lambda: self.loop(self.step),
                    lambda: self.let(self.step),
                    lambda: f"(repeat {self.small()} {self.step()})",
                )
            finally:
                self.depth -= 1
        return self.simple()

    def step_without_test(self) -> str:
        return self.one_of(
            lambda: f"(do ({self.steps()}))",
            lambda: self.loop(self.step),
            lambda: self.let(self.step),
            self.plain,
        )

    def one_of(self, *ways: Callable[[], str]) -> str:
        return ways[self.pick(len(ways))]()

    def loop(self, inside: Callable[[], str]) -> str:
        over, kind = self.collection()
        with self.bound(ITEM_TYPE[kind]) as var:
            return f"({self.one(('any', 'all'))} {over} {var} {inside()})"

    def let(self, inside: Callable[[], str]) -> str:
        if self.odds(3):
            place = self.place()
            with self.bound("cards", live=True) as var:
                return f"(let {place} {var} {inside()})"
        kind = self.one(("int", "bool", "str", "cards", "cards", "groups", "players", "strs", "ints"))
        value = self.of(kind)
        with self.bound(kind) as var:
            return f"(let {value} {var} {inside()})"

    def simple(self) -> str:
        """Return an action, often with the test that makes it possible."""
        if self.odds(3):
            return self.plain()
        source = self.source()
        moved = f"({self.one(('top', 'top', 'bottom'))} {source})"
        return self.one_of(
            lambda: f"((> (size {source}) 0) (move {moved} {self.target()}))",
            lambda: f"((> (size {source}) 0) (move {moved} {self.target()}))",
            lambda: f"((> (size {source}) 0) (move (max {source} using {self.one(MAPS)}) {self.target()}))",
            lambda: f"((> (size {source}) 0) (remember {moved} (top {self.one(MEMORIES)})))",
            lambda: f"(repeat all (move {moved} {self.target()}))",
            lambda: "((> (size (game mem NOTED)) 0) (forget (top (game mem NOTED))))",
            lambda: "(repeat all (forget (bottom (game mem NOTED))))",
        )

    def plain(self) -> str:
        return self.one_of(
            lambda: f"(set {self.number_store()} {self.any_int()})",
            lambda: f"({self.one(('inc', 'dec'))} {self.number_store()} {self.any_int()})",
            lambda: f"(set {self.name_store()} {self.any_str()})",
            lambda: self.points(self.one(MAPS)),
            lambda: f"(shuffle {self.one((self.place(), self.any_cards()))})",
            lambda: f"(shuffle faro {self.place()} {self.place()})" if self.odds(4) else "(turn pass)",
            lambda: "(turn pass)",
            lambda: f"(cycle {self.one(('next', 'current'))} {self.one(('next', 'previous', self.any_player()))})",
            lambda: f"(move {self.one((*self.variables('card'), '(top (game iloc STOCK))'))} {self.target()})",
            lambda: f"(create deck {self.deck()})" if self.odds(4) else "(turn pass)",
            lambda: "(create teams (0))" if self.odds(12) else "(turn pass)",
            *self.ours(
                lambda: (
                    f"(set ({self.owner()} {self.one(('who', 'who', 'iwho', 'hwho', 'owho'))} W) {self.any_player()})"
                ),
                lambda: f"(set {self.secret('sto', 'X')} {self.any_int()})",
                lambda: f"({self.one(('inc', 'dec'))} {self.secret('sto', 'X')} {self.any_int()})",
                lambda: f"(set {self.secret('str', 'S')} {self.any_str()})",
                lambda: f"(reveal {self.secret(self.one(('sto', 'str', 'who')), self.one(('X', 'S', 'W')))})",
                lambda: f"(roll {self.one((self.place(), self.any_cards()))})",
                lambda: f"(roll {self.any_card()})",
            ),
        )

    def points(self, ref: str) -> str:
        awards = " ".join(
            f"({' '.join(f'({self.key()} : {self.any_str()})' for _ in range(1 + self.pick(2)))} {self.any_int()})"
            for _ in range(1 + self.pick(3))
        )
        return f"(set {ref} ({awards}))"

    def place(self) -> str:
        live = self.variables("cards", live=True)
        if live and self.odds(3):
            return self.one(live)
        if self.odds(4):
            who = self.one(("game", self.any_player()))
            return f"({who} {self.one(('vloc', 'iloc', 'hloc', 'oloc'))} {self.any_str()})"
        return self.one(PLACES)

    def source(self) -> str:
        """Return cards that may be moved away."""
        held = self.variables("cards")
        if held and self.odds(3):
            return self.one(held)
        return self.place() if self.odds(2) else self.any_cards()

    def target(self) -> str:
        place = self.place()
        where = self.one(("top", "top", "top", "bottom", "0", f"(size {place})"))
        return f"({where} {place})"

    def number_store(self) -> str:
        return f"({self.owner()} sto {self.one(('X', 'Y', self.any_str()))})"

    def name_store(self) -> str:
        return f"({self.owner()} str {self.one(('S', self.any_str()))})"

    def secret(self, kind: str, name: str) -> str:
        return f"({self.owner()} {self.one(('i', 'h', 'o'))}{kind} {name})"

    def owner(self) -> str:
        return self.one(("game", "(current player)", self.any_player(), self.any_team()))

    # -- values

    def of(self, kind: str) -> str:
        found: str = getattr(self, f"any_{kind}")()
        return found

    def deep(self, kind: str, simple: Callable[[], str], *ways: Callable[[], str]) -> str:
        """Return a variable of a type, something simple, or one of several ways to put something together."""
        known = self.variables(kind)
        if known and self.odds(3):
            return self.one(known)
        if self.depth >= DEEPEST + 2 or self.odds(3):
            return simple()
        self.depth += 1
        try:
            return ways[self.pick(len(ways))]()
        finally:
            self.depth -= 1

    def small(self) -> str:
        return self.one(("0", "1", "2", "2", "3", "(random 2)", "(size player)", *self.variables("int")))

    def any_int(self) -> str:
        return self.deep(
            "int",
            lambda: self.one(
                ("0", "1", "2", "7", "(game sto X)", "((current player) sto X)", "(size (game vloc HEAP))")
            ),
            lambda: f"({self.one(('+', '-', '*', '+', '-'))} {self.any_int()} {self.small()})",
            lambda: f"({self.one(('//', '%', '^'))} {self.small()} {self.one(('1', '2', '(size player)'))})",
            lambda: f"({self.one(('tri', 'fib'))} {self.small()})",
            lambda: f"(random {self.small()})",
            lambda: f"(random 0 .. {self.small()})",
            lambda: f"(size {self.collection()[0]})",
            lambda: f"(sum {self.any_cards()} using {self.one(MAPS)})",
            lambda: f"(score {self.any_card()} using {self.one(MAPS)})",
            lambda: f"({self.any_player()} sto X)",
            lambda: f"({self.any_team()} sto X)",
            *self.ours(lambda: self.secret("sto", "X")),
        )

    def any_str(self) -> str:
        return self.deep(
            "str",
            lambda: self.one(NAMES),
            lambda: f"(cardatt {self.key()} {self.any_card()})",
            lambda: f"({self.owner()} str S)",
            *self.ours(lambda: self.secret("str", "S")),
        )

    def key(self) -> str:
        return self.one((*KEYS, *KEYS, *self.variables("str")))

    def any_bool(self) -> str:
        return self.deep(
            "bool",
            lambda: self.one(("(== 1 1)", "(== 1 2)", "(> (size (game iloc STOCK)) 0)", "(== (game sto X) 0)")),
            lambda: f"({self.one(('and', 'or'))} {self.any_bool()} {self.any_bool()})",
            lambda: f"(not {self.any_bool()})",
            lambda: f"({self.one(('<', '>', '<=', '>=', '==', '!='))} {self.any_int()} {self.any_int()})",
            lambda: f"({self.one(('==', '!='))} {self.any_str()} {self.any_str()})",
            lambda: f"({self.one(('==', '!='))} {self.any_player()} {self.any_player()})",
            lambda: f"({self.one(('==', '!='))} {self.any_team()} {self.any_team()})",
            lambda: f"({self.one(('==', '!='))} {self.any_card()} {self.any_card()})",
            self.quantified,
            self.quantified,
            *self.ours(lambda: f"({self.one(('==', '!='))} {self.any_player()} ({self.owner()} who W))"),
        )

    def quantified(self) -> str:
        over, kind = self.collection()
        with self.bound(ITEM_TYPE[kind]) as var:
            return f"({self.one(('any', 'all'))} {over} {var} {self.any_bool()})"

    def any_player(self) -> str:
        return self.deep(
            "player",
            lambda: self.one(("(current player)", "(next player)", "(previous player)", "(0 player)")),
            lambda: f"({self.small()} player)" if self.odds(8) else "(current player)",
            lambda: f"(owner {self.any_card()})" if self.odds(8) else "(next player)",
            *self.ours(
                lambda: "(game who W)",
                lambda: f"({self.owner()} who W)" if self.odds(4) else "(game who W)",
            ),
        )

    def any_team(self) -> str:
        return self.deep(
            "team",
            lambda: self.one(("(current team)", "(next team)", "(previous team)", "(0 team)")),
            lambda: f"(team {self.any_player()})",
        )

    def any_card(self) -> str:
        return self.deep(
            "card",
            lambda: f"(top {self.place()})" if self.odds(6) else "(top (game vloc FIXED))",
            lambda: f"({self.one(('top', 'bottom', '0'))} {self.there()})",
            lambda: f"({self.one(('max', 'min'))} {self.there()} using {self.one(MAPS)})",
            lambda: f"(actual {self.any_card()})",
            lambda: f"(({self.one(('random', 'tri'))} 1) {self.there()})",
        )

    def there(self) -> str:
        """Return cards of which there are some, mostly."""
        if self.odds(8):
            return self.any_cards()
        return self.one(("(game vloc FIXED)", f"(union (game vloc FIXED) {self.any_cards()})"))

    def any_cards(self) -> str:
        return self.deep(
            "cards",
            self.place,
            lambda: (
                f"({self.one(('union', 'union', 'intersect', 'disjunction'))} {self.any_cards()} {self.any_cards()})"
            ),
            lambda: f"({self.one(('union', 'intersect', 'disjunction'))} {self.each()})",
            lambda: self.filter(self.any_cards(), "card"),
            lambda: self.filter(self.any_cards(), "card"),
            lambda: f"(top (partition RANK {self.there()}))",
            lambda: f"({self.one(('top', 'bottom', '0'))} {self.any_groups()})" if self.odds(8) else self.place(),
            lambda: f"({self.one(('top', 'bottom'))} {self.one(('1', '2'))} {self.there()})",
            lambda: (
                f"({self.one(('top', 'bottom'))} {self.small()} {self.any_cards()})" if self.odds(8) else self.place()
            ),
            lambda: f"(run {self.one(('top', 'bottom'))} {self.small()} {self.any_cards()} using {self.one(MAPS)})",
            lambda: f"(sort {self.any_cards()} using {self.one(MAPS)})",
            lambda: self.one(MEMORIES),
        )

    def each(self) -> str:
        over, kind = self.collection()
        with self.bound(ITEM_TYPE[kind]) as var:
            return f"(all {over} {var} {self.any_cards()})"

    def filter(self, over: str, member: str) -> str:
        with self.bound(member) as var:
            return f"(filter {over} {var} {self.any_bool()})"

    def any_groups(self) -> str:
        return self.deep(
            "groups",
            lambda: f"(partition {self.key()} {self.place()})",
            lambda: f"(tuples {self.small()} {self.any_cards()} using {self.one(MAPS)})",
            lambda: f"(partition {self.key()} {self.any_cards()} {self.any_cards()})",
            lambda: f"(partition {self.key()} {self.each()})",
            lambda: f"(subsets {self.any_cards()})",
            lambda: f"(subsets {self.small()} {self.any_cards()})",
            lambda: f"(runs {self.one(('largest', 'all'))} {self.small()} {self.any_cards()} using {self.one(MAPS)})",
            self.each,
            lambda: self.filter(self.any_groups(), "cards"),
        )

    def any_players(self) -> str:
        return self.deep(
            "players",
            lambda: self.one(("player", "(other player)")),
            lambda: self.filter(self.any_players(), "player"),
            lambda: self.any_team(),
        )

    def any_teams(self) -> str:
        return self.deep("teams", lambda: self.one(("team", "(other team)")), lambda: self.filter("team", "team"))

    def any_strs(self) -> str:
        return self.deep(
            "strs", lambda: self.one(("(A, B)", "(A)", "(C, A, C)")), lambda: self.filter("(A, B, C)", "str")
        )

    def any_ints(self) -> str:
        return self.deep(
            "ints",
            lambda: f"(range {self.pick(3)} .. {self.pick(4)})",
            lambda: f"(range {self.small()} .. {self.small()})",
            lambda: self.filter("(range 1 .. 3)", "int"),
        )

    def collection(self) -> tuple[str, str]:
        """Return something to go through, and its type."""
        kind = self.one(("cards", "cards", "cards", "groups", "players", "players", "teams", "strs", "ints"))
        return self.of(kind), kind
