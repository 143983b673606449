"""The English of the rules page as a grammar: its clauses and steps. It shares no code with what writes them.

What is read has the form of ``page_forms``, with two differences until ``page_reader`` has seen the whole sentence: a
variable is called as there, ``("that", noun, letter)``, ``("it",)`` or ``("that", "player", "their")``; and things that
a sentence goes through are ``("bind", op, noun, letter, things, test)``. Where the test is None, the rest of the clause
or step around is the test: "every player's hand is empty".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from tests.games.recycle.page_forms import YOU, compared, joined, opposite
from tests.games.recycle.readings import Found, Rule, Rules

Head = tuple[str, str]  # what something is called: noun and letter
Step = tuple[tuple[Found, ...], Found]  # what it stands under, from the outermost, and what is done
Made = Callable[..., Found]

NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]
AMOUNTS = {
    "more than ": ">", "at least ": ">=", "fewer than ": "<", "at most ": "<=", "not exactly ": "!=",
    "exactly ": "==", "": "==",
}  # fmt: skip
SIGNS = {
    "": "==", "not ": "!=", "equal to ": "==", "not equal to ": "!=", "the same as ": "==", "more than ": ">",
    "at least ": ">=", "less than ": "<", "at most ": "<=",
}  # fmt: skip
IT, THEIR = ("it",), ("that", "player", "their")
MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
ON_TURN = (
    "you", "the starting player", "the player whose turn it is", "the first player", "the player who has just played",
    "the player whose turn it would be", "the player in turn", "each of these players",
)  # fmt: skip


class Names(NamedTuple):
    """What a page calls places, stores, the members of its lists of names ("column"), and what a step names."""

    places: Iterable[str]
    stores: Iterable[str]
    nouns: Iterable[str]
    lets: Iterable[str]


def one_of(words: Iterable[str], form: str = "{}") -> re.Pattern[str]:
    """Return a pattern for any of some words. ``form``: what stands around one."""
    return re.compile(form.format(f"(?:{'|'.join(map(re.escape, words)) or '(?!)'})"))


def kind(noun: str) -> str:
    """Return what a thing is called here: any piece is a card."""
    return {"die": "card", "token": "card", "piece": "card", "seat": "number"}.get(noun, noun)


def single(noun: str) -> str:
    """Return the singular of a plural."""
    return "die" if noun == "dice" else noun.removesuffix("s")


def label(text: str) -> str:
    return text.strip("*").lower()


def itself(found: Found) -> Found:
    return found


def such(head: Head, things: Found, test: Found) -> Found:
    return "bind", "such", *head, things, test


def some(op: str) -> Made:
    """Return what makes a part of a clause of things that are described, such as "card in your hand"."""
    return lambda what: ("bind", op, *what[0], what[1], None)


def hoisted(found: Found, ops: tuple[str, ...]) -> tuple[Found, list[Found]]:
    """Return what is said with "that player" for "every player", and what was said so, the outermost first."""
    if not isinstance(found, tuple):
        return found, []
    if found[:1] == ("bind",):
        _, op, noun, letter, things, test = found
        things, outer = hoisted(things, ops)
        if test is None and op in ops:
            return ("that", noun, letter), [*outer, ("bind", op, noun, letter, things, None)]
        return ("bind", op, noun, letter, things, test), outer
    both = [hoisted(part, ops) for part in found]
    return tuple(part for part, _ in both), [bind for _, binds in both for bind in binds]


def fact(build: Made) -> Made:
    """Return what makes a clause, with its quantifiers before it."""

    def made(*slots: Found) -> Found:
        found, binds = hoisted(build(*slots), ("all", "any", "none"))
        for _, op, *what, _ in reversed(binds):
            found = ("bind", "all", *what, opposite(found)) if op == "none" else ("bind", op, *what, found)
        return found

    return made


def place(owner: Found, name: Found, seen: str = "") -> Found:
    """Return a place; one of the table that a variable names is called as the variable."""
    if not owner and not seen and isinstance(name, tuple) and name[0] in ("that", "bind"):
        return name
    return "place", owner, name, seen


def near(how: tuple[str, str], of: str, one: Found, other: Found) -> Found:
    """Return "one more or one less than"."""
    op, sign = how
    one, other = ("of", of, one), ("of", of, other)
    return joined(op, [compared(one, sign, ("+", other, 1)), compared(other, sign, ("+", one, 1))])


def alone(noun: str, of: str, least: int) -> Found:
    """Return that of one, at least so many of something are, and of nobody else as many."""
    mine = "of", of, ("that", noun, "alone")
    as_many = such((noun, ""), noun, compared(("of", of, IT), ">=", mine))
    test = joined("and", [compared(mine, ">=", least), compared(("size", as_many), "==", 1)])
    return "bind", "any", noun, "alone", noun, test


def joins(category: str, part: str) -> dict[str, list[Rule]]:
    """Return the rules for parts that are joined. What has parts joined otherwise begins with "both" or "either"."""
    found: dict[str, list[Rule]] = {category: [(f"{{{part}}}", itself)], f"BOTH_{part}": []}
    for op, both in (("and", "both"), ("or", "either")):

        def made(one: Found, other: Found, op: str = op) -> Found:
            return joined(op, [one, other])

        two: list[Rule] = [(f"{{{part}}}[|,] {op} {{{part}}}", made), (f"{{{part}}}, {{{part}_{op}}}", made)]
        found[category] += two
        found[f"{part}_{op}"] = two
        found[f"BOTH_{part}"] += [
            (f"{both} {{{part}}}[|,] {op} {{{part}}}", made),
            (f"{both} {{{part}}}, {{{part}_{op}}}", made),
        ]
    return found


def cards(inside: str, end: str = "") -> dict[str, list[Rule]]:
    """Return the rules for cards that are "in" a place, or are taken "from" it. ``end``: of the categories' names."""
    place = f"{{IN{end}}}"
    return {
        f"IN{end}": [
            (f"{inside} {{PLACE}}", itself),
            (f"{inside} {{PLACE}} or {inside} {{PLACE}}", lambda *places: ("or", *places)),
            ("in the {LISTS}", lambda noun: ("all of", noun)),
            ("among {LET}", itself),
            ("[of|in] {GROUP}", itself),
            ("among the {END} {NUMERAL} {_PIECES} of {PLACE}", lambda *what: ("slice", *what)),
            (f"{place} (sorted by {{LABEL}}, the lowest first)", lambda *what: ("sorted", *what)),
            (
                "of the longest run of at least {COUNT} {_PIECES} on top of {PLACE} (by {LABEL}, in any order)",
                lambda *what: ("run on top", *what),
            ),
        ],
        f"GROUPS{end}": [
            (
                f"group[|s] of all {{_PIECES}} of one {{WORD}} {place}",
                lambda key, where: (("group", ""), ("alike", where, key)),
            ),
            (
                f"set[|s] of any number of {{_PIECES}} (even none) {place}",
                lambda where: (("set", ""), ("sets", where)),
            ),
            (
                f"set[|s] of {{COUNT}} {{_PIECES}} of the same {{WORD}} {place}",
                lambda count, key, where: (("set", ""), ("equals", count, where, key)),
            ),
            (
                f"{{RUNS}} of {{COUNT}} {{_PIECES}} or more {place} with consecutive {{LABEL}}",
                lambda which, *what: (("run", ""), (f"{which} runs", *what)),
            ),
        ],
        f"CARD{end}": [
            ("that {_PIECE}", lambda: ("that", "card", "")),
            ("{NOUN} {LETTER}", lambda *called: ("that", *called)),
            ("the {END} {_PIECES} of {PLACE}", lambda *what: what),
            ("the {END} {_PIECES} of {GROUP}", lambda *what: what),
            (f"the [|top ]{{_PIECES}} {place}", lambda where: ("top", where)),
            (
                f"the top {{_PIECES}} {place} {{RELATIVES}}",
                lambda where, test: ("top", such(("card", ""), where, test)),
            ),
            (
                f"the {{RANK}} of {{FACE}} {place}",
                lambda rank, suit, where: ("only", such(("card", ""), where, exactly(rank, suit))),
            ),
            (f"{{BEST{end}}}", itself),
            (f"{{BEST{end}}} (among equals, the {{WHICH}})", lambda best, last: (last, best)),
            ("every {SOME}", some("all")),
        ],
        f"BEST{end}": [
            (f"the {{_PIECES}} {place} with the {{MOST}} {{LABEL}}", lambda where, most, of: (most, where, of))
        ],
    }


def phrases(names: Names) -> Rules:
    """Return the grammar of the clauses of a page."""
    nouns = ["player", "team", "card", "token", "die", "piece", "set", "group", "run", "number", "seat", *names.nouns]
    return {
        # words
        "WORD": re.compile(r"[\w+-]+"),
        "WORDS": re.compile(r"[\w+-]+(?: (?!and\b)[\w+-]+)*"),
        "LABEL": (one_of(names.stores, r"\*{}\*"), label),
        "LET": (one_of(names.lets, r"\*{}\*"), lambda text: ("named", label(text))),
        "NAME": (re.compile(rf"\*(?!{one_of(names.lets).pattern}\*)[^*A-Z][^*]*\*"), label),
        "LISTED": (re.compile(r"\*[^*]+\*"), label),
        "PLAIN": (one_of(map(str.lower, names.places)), str.lower),
        "NOUN": (one_of(nouns), kind),
        "NOUNS": ({f"{noun}s": kind(noun) for noun in nouns} | {"dice": "card"}),
        "LISTS": {f"{noun}s": noun for noun in names.nouns},
        "LETTER": re.compile("[A-Z]"),
        "DIGITS": (re.compile(r"\d+"), int),
        "NUMERAL": {word: number for number, word in enumerate(NUMBERS)},
        "PIECES": re.compile("(?:card|token|die|dice|piece)s?"),
        "PIECE": re.compile("card|token|die|piece"),
        "SET": re.compile("set|group|run"),
        "END": {"top": "top", "bottom": "bottom"},
        "A": re.compile("an?"),
        "IS": {f"{be}{how}": sign for be in ("is ", "are ") for how, sign in SIGNS.items()},
        "BE": {f"{be}{how}": sign for be in ("is ", "are ") for how, sign in (("", "=="), ("not ", "!="))},
        "YES": {"yes": 1, "no": 0},
        # clauses
        **joins("CLAUSE", "FACT"),
        "FACT": [
            ("{BOTH_FACT}", itself),
            ("{PLACE} [is|are] empty", fact(lambda place: compared(("size", place), "==", 0))),
            ("{PLACE} [is|are] not empty", fact(lambda place: compared(("size", place), ">", 0))),
            ("there [is|are] {MANY}", fact(lambda many: compared(*many))),
            ("{VALUE} {IS}{VALUE}", fact(compared)),
            ("{VALUE} {BE}{FACE}", fact(compared)),
            ("{VALUE} is {YES}", fact(lambda value, so: (("flag", value), "==", so))),
            ("{CARD} {BE}{_A} {FACE}", fact(lambda card, sign, face: compared(("of", "rank", card), sign, face))),
            ("{CARD} {BE}{_A} {DIGITS}", fact(lambda card, sign, rank: compared(("of", "rank", card), sign, rank))),
            ("{CARD} has {ALIKE} {CARD}", fact(lambda one, alike, other: alike(one, other))),
            ("the {LABEL} of {CARD} is {NEAR} {CARD}", fact(lambda of, one, by, other: near(by, of, one, other))),
            ("nothing is noted as {STORE}", fact(lambda store: compared(store, "==", "none"))),
            ("something is noted as {STORE}", fact(lambda store: compared(store, "!=", "none"))),
            ("for every {SOME}, {FACT}", lambda what, test: ("bind", "all", *what[0], what[1], test)),
            ("one {NOUN} alone has the most {LABEL}, at least {COUNT}", alone),
            ("{PERSON} {BE}{PERSON}", fact(compared)),
        ],
        "ALIKE": [
            ("the same {WORD} as", lambda key: lambda one, other: compared(("of", key, one), "==", ("of", key, other))),
            (
                "a different {WORD} from",
                lambda key: lambda one, other: compared(("of", key, one), "!=", ("of", key, other)),
            ),
        ],
        "NEAR": {
            "one more or one less than that of": ("or", "=="),
            "neither one more nor one less than that of": ("and", "!="),
        },
        "AMOUNT": [(f"{how}{{COUNT}}", lambda count, sign=sign: (sign, count)) for how, sign in AMOUNTS.items()],
        "COUNT": [("{NUMERAL}", itself), ("{DIGITS}", itself), ("{STORE}", itself)],
        "MANY": [
            ("{_A} {SOME}", lambda what: (("size", what[1]), ">", 0)),
            ("another {OTHER}", lambda what: (("size", what[1]), ">", 0)),
            ("{AMOUNT} {SOME}", lambda amount, what: (("size", what[1]), *amount)),
        ],
        # things that are described: what one is called, and all of them
        "SOME": [
            ("{HEAD}", lambda head: (head, head[0])),
            ("{HEAD} {RELATIVES}", lambda head, test: (head, such(head, head[0], test))),
            ("{HEAD} {IN}", lambda head, where: (head, where)),
            ("{HEAD} {IN} {RELATIVES}", lambda head, where, test: (head, such(head, where, test))),
            ("{GROUPS}", itself),
            ("{GROUPS} {RELATIVES}", lambda groups, test: (groups[0], such(groups[0], groups[1], test))),
            ("other {OTHER}", itself),
            ("player of {PERSON}", lambda team: (("player", ""), ("players of", team))),
            (
                "player of {PERSON} {RELATIVES}",
                lambda team, test: (("player", ""), such(("player", ""), ("players of", team), test)),
            ),
            ("number from {VALUE} to {VALUE}", lambda *ends: (("number", ""), ("from", *ends))),
            ("number {LETTER} from {VALUE} to {VALUE}", lambda at, *ends: (("number", at), ("from", *ends))),
            ("seat (counted from {VALUE} to {VALUE})", lambda *ends: (("number", ""), ("from", *ends))),
            ("{NOUN} out of {WORDS} and {WORDS}", lambda noun, *words: ((noun, ""), ("names", *words))),
        ],
        "HEAD": [
            ("{NOUN}", lambda noun: (noun, "")),
            ("{NOUNS}", lambda noun: (noun, "")),
            ("{NOUN} {LETTER}", lambda noun, letter: (noun, letter)),
        ],
        "OTHER": [
            ("{NOUN}", lambda noun: ((noun, ""), f"other {noun}")),
            ("{NOUN} {RELATIVES}", lambda noun, test: ((noun, ""), such((noun, ""), f"other {noun}", test))),
        ],
        "RUNS": {
            "run": "all",
            "runs": "all",
            "longest possible run": "largest",
            "longest possible runs": "largest",
        },
        # after a noun
        "WITH": [
            ("with {_PIECES}", lambda: compared(("size", IT), ">", 0)),
            ("without {_PIECES}", lambda: compared(("size", IT), "==", 0)),
            ("with {AMOUNT} {_PIECES}", lambda amount: compared(("size", IT), *amount)),
            (
                "with at least as many {_PIECES} as there are {_PIECES} in {PLACE}",
                lambda where: compared(("size", IT), ">=", ("size", where)),
            ),
            (
                "with fewer {_PIECES} than there are {_PIECES} in {PLACE}",
                lambda where: compared(("size", IT), "<", ("size", where)),
            ),
            ("with {_PIECES} in {PLACE}", lambda where: compared(("size", where), ">", 0)),
            ("without {_PIECES} in {PLACE}", lambda where: compared(("size", where), "==", 0)),
            ("with {AMOUNT} {_PIECES} in {PLACE}", lambda amount, where: compared(("size", where), *amount)),
            ("with nothing noted as {LABEL}", lambda of: compared(("of", of, IT), "==", "none")),
            ("with something noted as {LABEL}", lambda of: compared(("of", of, IT), "!=", "none")),
            ("other than {PERSON}", lambda person: compared(IT, "!=", person)),
        ],
        **joins("RELATIVES", "RELATIVE"),
        "RELATIVE": [
            ("{BOTH_RELATIVE}", itself),
            ("{WITH}", itself),
            ("{WITH} such that {FACT}", lambda one, other: joined("and", [one, other])),
            ("{RELATIVE} (or any at all, if {CLAUSE})", lambda one, other: joined("or", [one, other])),
            ("{RELATIVE} (but only if {CLAUSE})", lambda one, other: joined("and", [one, other])),
            ("of {ALIKE} {CARD}", lambda alike, card: alike(IT, card)),
            ("whose {WORD} {BE}the {WORD} of {CARD}", whose_face),
            ("whose {WORD} {BE}{FACE}", lambda key, *what: compared(("of", key, IT), *what)),
            ("whose {WORD} {BE}{COUNT}", lambda key, *what: compared(("of", key, IT), *what)),
            ("whose {WORD} {BE}{LET}", lambda key, *what: compared(("of", key, IT), *what)),
            ("whose {LABEL} {BE}{NAME}", lambda of, *what: compared(("of", of, IT), *what)),
            ("whose {LABEL} {IS}{VALUE}", lambda of, *what: compared(("of", of, IT), *what)),
            ("whose {LABEL} is {YES}", lambda of, so: (("flag", ("of", of, IT)), "==", so)),
            (
                "whose {LABEL} {IS}that of {CARD}",
                lambda of, sign, card: compared(("of", of, IT), sign, ("of", of, card)),
            ),
            ("whose {LABEL} is {NEAR} {CARD}", lambda of, by, card: near(by, of, IT, card)),
            ("that is {CARD}", lambda card: compared(IT, "==", card)),
            ("[that|who] is {PERSON}", lambda person: compared(IT, "==", person)),
            ("such that {FACT}", itself),
        ],
        # places
        **cards("in"),
        **cards("from", "_FROM"),
        "GROUP": [("that {SET}", lambda noun: ("that", noun, ""))],
        "PLACE": [
            ("the {PLACED}", lambda placed: place("", *placed)),
            ("{WHOSE} {PLACED}", lambda owner, placed: place(owner, *placed)),
            ("the {PLACED} of {PERSON}", lambda placed, owner: place(owner, *placed)),
            ("{LISTED_ONE}", itself),
            ("{LET}", itself),
        ],
        "PLACED": [("{PLACE_NAME}", lambda name: (name,)), ("{PLACE_NAME} {SEEN}", lambda *what: what)],
        "SEEN": re.compile(r"\((?:open|face down|for the owner's eyes|open to others|memory)\)"),
        "PLACE_NAME": [
            ("{PLAIN}", single),
            ("{_LAYOUT} {LISTED}", single),
            ("{_LAYOUT} for {LISTED_ONE}", itself),
            ("{_LAYOUT} for the {WORD} of {CARD}", lambda key, card: ("of", key, card)),
            ("{_LAYOUT} noted as {STORE}", itself),
        ],
        "LAYOUT": re.compile("(?:row|pile|place|hand)s?"),
        "LISTED_ONE": [
            ("that {LIST}", lambda noun: ("that", noun, "")),
            ("every {LIST}", lambda noun: some("all")(((noun, ""), noun))),
        ],
        "LIST": one_of(names.nouns),
        # people
        "WHOSE": [
            ("your", lambda: YOU),
            ("their", lambda: THEIR),
            ("the player's", lambda: YOU),
            ("the players'", lambda: ("players",)),
            ("{PERSON}'s", itself),
        ],
        "EVERY": {"every": "all", "each": "each", "no": "none", "some": "any"},
        "PERSON": [
            *[(person, lambda: YOU) for person in ON_TURN],
            ("the player who began the last {_WORD}", lambda: YOU),
            ("the next player", lambda: ("next",)),
            ("the player who begins the next {_WORD}", lambda: ("next",)),
            ("the player before the starting player", lambda: ("previous",)),
            ("that player", lambda: ("that", "player", "")),
            ("that team", lambda: ("that", "team", "")),
            ("{NOUN} {LETTER}", lambda *called: ("that", *called)),
            ("player {DIGITS}", lambda number: ("numbered", number - 1)),
            ("the player in that seat", lambda: ("numbered", ("that", "number", ""))),
            (
                "the player {COUNT} [seat|seats] further round",
                lambda by: ("numbered", ("%", ("+", ("that", "number", ""), by), ("size", "player"))),
            ),
            ("the owner of {CARD}", lambda card: ("owner", card)),
            ("the player who has {CARD}", lambda card: ("owner", card)),
            ("the {LABEL}", lambda of: ("store", of)),
            ("{WHOSE} {LABEL}", lambda owner, of: ("of", of, owner)),
            ("{WHOSE} team", lambda owner: ("team of", owner)),
            ("the team of {PERSON}", lambda owner: ("team of", owner)),
            ("{EVERY} {NOUN}", lambda op, noun: some(op)(((noun, ""), noun))),
            ("{EVERY} other {NOUN}", lambda op, noun: some(op)(((noun, ""), f"other {noun}"))),
            ("{EVERY} player of {PERSON}", lambda op, team: some(op)((("player", ""), ("players of", team)))),
        ],
        # values
        "STORE": [
            ("{LABEL}", lambda of: ("store", of)),
            ("{WHOSE} {LABEL}", lambda owner, of: ("of", of, owner)),
            ("the {LABEL} of {PERSON}", lambda of, owner: ("of", of, owner)),
        ],
        "VALUE": [
            ("{PART}", itself),
            ("{PART} + {PART}", lambda *parts: ("+", *parts)),
            (f"{{PART}} {MINUS} {{PART}}", lambda *parts: ("-", *parts)),
            (f"{{PART}} {TIMES} {{PART}}", lambda *parts: ("*", *parts)),
            ("{PART} ÷ {PART} (dropping the remainder)", lambda *parts: ("//", *parts)),
            ("the remainder of {PART} ÷ {PART}", lambda *parts: ("%", *parts)),
            ("1 + 2 + … + {PART}", lambda part: ("tri", part)),
            ("a random number from {PART} to {PART}", lambda *parts: ("random", *parts)),
        ],
        "PART": [
            ("({VALUE})", itself),
            ("{DIGITS}", itself),
            (f"{MINUS}{{DIGITS}}", lambda number: -number),
            ("{STORE}", itself),
            ("{LET}", itself),
            ("that number", lambda: ("that", "number", "")),
            ("number {LETTER}", lambda letter: ("that", "number", letter)),
            ("the number of {SOME}", lambda what: ("size", what[1])),
            ("the total {LABEL} of the {_PIECES} {IN}", lambda *what: ("total", *what)),
            ("the {LABEL} of {CARD}", lambda *what: ("of", *what)),
            ("the {WORD} of {CARD}", lambda *what: ("of", *what)),
        ],
        "FACE": [("{ONE_WORD}", itself), ("{ONE_WORD} {BONUS}", lambda *words: " ".join(words)), ("{NAME}", itself)],
        "ONE_WORD": re.compile(r"(?!(?:yes|no|not|empty)$)[a-zA-Z][\w-]*"),
        "BONUS": re.compile(r"\+\d+"),
        # cards
        "RANK": [("{FACE}", itself), ("{DIGITS}", itself)],
        "WHICH": {"first": "first", "last": "last"},
        "MOST": {"highest": "highest", "lowest": "lowest"},
    }


def whose_face(key: Found, sign: str, other: Found, card: Found) -> Found:
    return compared(("of", key, IT), sign, ("of", other, card))


def exactly(rank: Found, suit: Found) -> Found:
    return joined("and", [compared(("of", "rank", IT), "==", rank), compared(("of", "suit", IT), "==", suit)])


# -- steps


def done(*actions: Found) -> tuple[Step, ...]:
    """Return steps; "each player's hand" and "a card in your hand" in one are what it stands under."""
    found = []
    for action in actions:
        bare, binds = hoisted(action, ("each", "some"))
        above = dict.fromkeys(("any" if op == "some" else op, *what) for _, op, *what, _ in binds)
        found.append((tuple(above), bare))
    return tuple(found)


def doing(what: str) -> Made:
    return lambda *slots: done((what, *slots))


def under(above: tuple[Found, ...], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(((*above, *inner), action) for inner, action in steps)


def moved(what: Found, to: Found, end: Found = "top") -> tuple[Step, ...]:
    """Return what moves something: several places are several steps, and so many cards so many times one."""
    if what[0] == "and":
        return tuple(step for one in what[1:] for step in moved(one, to, end))
    if what[0] == "times":
        return under((what[:2],), done(("move", what[2], end, to)))
    return done(("move", what, end, to))


def dealt(count: Found, source: Found, to: Found) -> tuple[Step, ...]:
    ((above, (times, action)),) = done((("times", count), ("move", ("top", source), "top", to)))
    return ((above if count == 1 else (*above, times), action),)


def each(op: str) -> Made:
    return lambda what: ((op, *what[0], what[1]),)


def choice(who: str) -> Found:
    """Return what stands before the options of a choice. With others than "you", "their" is what belongs to them."""
    return ("choice",) if who == "you" else ("choice", "their")


def together(players: Found) -> tuple[Found, ...]:
    """Return what stands before the options of what several choose at the same time."""
    return ("together", players[1]), choice("each")


def test(what: str) -> Made:
    return lambda clause: ((what, clause),)


STEPS: Rules = {
    "TEXT": [("{SERIES}", itself), ("{ABOVE}: {TEXT}", under)],
    "SERIES": [
        ("{STEP}", itself),
        ("{STEP}; then {SERIES}", lambda step, rest: (*step, *rest)),
        ("{LAST}", itself),
    ],
    "LAST": [
        ("choose {CHOSEN}; {SERIES}", under),
        ("{WHO} to choose {CHOSEN}, then {SERIES}", lambda who, *rest: under(who, under(*rest))),
        ("{HEADING}, {LAST}", under),
        ("{WHO} to {LAST}", under),
    ],
    "STEP": [
        ("{ACTION}", itself),
        ("{HEADING}, {STEP}", under),
        ("{WHO} to {STEP}", under),
        (
            "as long as {CLAUSE}, {PASSED}",
            lambda clause, step: under((("each", "player", "", "player"), ("if", clause)), step),
        ),
    ],
    "NOTE": [("{SERIES}", itself), ("{SERIES}; {NOTE}", lambda steps, rest: (*steps, *rest))],
    "PASSED": [
        ("[that player is passed over|the turn goes on to the next player]", lambda: done(("current", ("next",))))
    ],
    # what steps stand under
    "ABOVE": [
        ("{HEADING}", itself),
        ("{HEADING}, {ABOVE}", lambda above, rest: (*above, *rest)),
        ("choose {CHOSEN}", itself),
        ("all of this, in order", lambda: ()),
        ("**{CHOOSER} choose[|s] one of these**", lambda who: (choice(who),)),
        ("**each {SOME} chooses one of these, at the same time**", together),
    ],
    "WHO": [
        ("{CHOOSER} [has|have]", lambda who: (choice(who),)),
        ("at the same time, each {SOME} has", together),
    ],
    "CHOOSER": re.compile("you|the [a-z ]+"),
    "HEADING": [
        ("if {CLAUSE}", test("if")),
        ("otherwise", lambda: (("otherwise",),)),
        ("[for|once for] each {SOME}", each("each")),
        ("{COUNT} times", lambda count: (("times", count),)),
        ("twice", lambda: (("times", 2),)),
        ("this many times ({VALUE})", lambda count: (("times", count),)),
        ("again and again, until {CLAUSE}", test("until")),
        ("until {CLAUSE}, again and again", test("until")),
        (
            "until {CLAUSE}, again and again, for one player after another, beginning with {_PERSON}",
            test("until"),
        ),
    ],
    "CHOSEN": [("{ONE}", itself), ("{ONE}, and {ONE}", lambda one, other: (*one, *other))],
    "ONE": [
        ("{_A} {SOME}", each("any")),
        ("another {OTHER}", each("any")),
        ("any {COUNT} {_PIECES} {IN}", lambda *what: each("any")((("set", ""), ("sized", *what)))),
        ("any {_PIECES} (as many as {VALUE}) {IN}", lambda *what: each("any")((("set", ""), ("sized", *what)))),
        (
            "how many {_PIECES} of {GROUP} (at least one)",
            lambda group: each("any")((("number", ""), ("from", 1, ("size", group)))),
        ),
    ],
    # what is done
    "WHAT": [
        ("{CARD_FROM}", itself),
        ("all {_PIECES} {IN_FROM}", lambda where: ("all", where)),
        ("all {_PIECES} {IN_FROM} {RELATIVES}", lambda where, test: ("all", such(("card", ""), where, test))),
        ("all {_PIECES} {INS}", lambda places: ("and", *(("all", where) for where in places))),
        (
            "all {_PIECES} {IN_FROM} but the top one",
            lambda where: ("times", ("-", ("size", where), 1), ("bottom", where)),
        ),
        (
            "all {_PIECES} {IN_FROM} but the bottom one",
            lambda where: ("times", ("-", ("size", where), 1), ("top", where)),
        ),
        ("{_A} {HEAD} {IN_FROM}", lambda head, where: some("some")((head, where))),
        ("{_A} {HEAD} {IN_FROM} {RELATIVES}", lambda head, where, test: some("some")((head, such(head, where, test)))),
        ("{_A} {GROUPS_FROM}", lambda groups: ("all", some("some")(groups))),
        ("any {COUNT} {_PIECES} {IN_FROM}", lambda *what: ("all", some("some")((("set", ""), ("sized", *what))))),
        ("{GROUP}", lambda group: ("all", group)),
        ("the {END} {NUMERAL} {_PIECES} of {PLACE}", lambda end, count, where: ("times", count, (end, where))),
        ("{STORE} {_PIECES} of {GROUP}", lambda count, where: ("times", count, ("top", where))),
        ("that many {_PIECES} of {GROUP}", lambda where: ("times", ("that", "number", ""), ("top", where))),
        (
            "as many {_PIECES} of {GROUP} as there are {_PIECES} {IN}",
            lambda where, counted: ("times", ("size", counted), ("top", where)),
        ),
    ],
    "INS": [("{IN_FROM} and {IN_FROM}", lambda *places: places), ("{IN_FROM}, {INS}", lambda one, rest: (one, *rest))],
    "ACTION": [
        ("[move|play] {WHAT} to {PLACE}", moved),
        ("[move|play] to {PLACE} {WHAT}", lambda to, what: moved(what, to)),
        ("draw {WHAT} into {PLACE}", moved),
        ("turn up {WHAT} and lay it on {PLACE}", moved),
        ("move {WHAT} to the bottom of {PLACE}", lambda what, to: moved(what, to, "bottom")),
        ("move {WHAT} into {PLACE}, above {COUNT} {_PIECES} from the bottom", moved),
        (
            "move {WHAT} to {PLACE}, in the order in which they lie",
            lambda what, to: moved(("all from below", *what[1:]), to) if what[0] == "all" else None,
        ),
        (
            "move {WHAT} to the bottom of {PLACE}, beginning at the bottom",
            lambda what, to: moved(("all from below", *what[1:]), to, "bottom") if what[0] == "all" else None,
        ),
        (
            "move {WHAT} into {PLACE}, above {COUNT} {_PIECES} from the bottom, beginning at the bottom",
            lambda what, to, under: moved(("all from below", *what[1:]), to, under) if what[0] == "all" else None,
        ),
        ("deal {COUNT} {_PIECES} from {PLACE} to {PLACE}", dealt),
        (
            "deal {_PIECES} from {PLACE} until there are {VALUE} in {PLACE}",
            lambda source, count, to: dealt(("-", count, ("size", to)), source, to),
        ),
        (
            "deal {COUNT} {_PIECES} from {PLACE} to {PLACE}, one by one and in turn",
            lambda count, source, to: under((("round the table", count),), moved(("top", source), to)),
        ),
        ("shuffle {PLACE}", doing("shuffle")),
        ("roll all dice in {PLACE}", doing("roll")),
        ("roll {CARD}", doing("roll")),
        ("note {CARD} in {PLACE}", doing("remember")),
        ("[clear {PLACE}|forget {CARD}]", doing("forget")),
        ("clear {STORE}", lambda store: done(("set", store, "none"))),
        ("set {STORE} to {VALUE}", doing("set")),
        ("set {STORE} to {FACE}", doing("set")),
        ("set {STORE} to {YES}", doing("set")),
        ("add {VALUE} to {STORE}", lambda value, store: done(("inc", store, value))),
        ("subtract {VALUE} from {STORE}", lambda value, store: done(("dec", store, value))),
        ("note {NOTED} as {STORE}", lambda value, store: done(("set", store, value))),
        ("reveal {STORE}", doing("reveal")),
        ("work out {LABEL} (see *{_TITLE}*)", doing("points")),
        ("let {LET} be {LET_BE}", lambda name, value: done(("let", name[1], value))),
        ("draw lots: the player who is drawn begins", doing("lots")),
        ("pass", doing("pass")),
        ("the turn stays where it is", lambda: done(("current", YOU))),
        (
            'the turn passes to the next player at once[|, who is "you" from here on]',
            lambda: done(("current", ("next",))),
        ),
        ('it is now the turn of {PERSON}[|, who is "you" from here on]', doing("current")),
        ("it is now your turn", lambda: done(("current", YOU))),
        ("you take another turn after this one", lambda: done(("next", YOU))),
        ("{PERSON} [|also ]begins the next {_WORD}", doing("next")),
        ("{PERSON} [has|have] another turn", doing("next")),
        ("{PERSON} [takes|take] the next turn", doing("next")),
        ("the turn then goes on as usual", lambda: done(("next", ("next",)))),
        ("play {_ROUNDS} until {ENDS} (see *{TITLE}*)", lambda ends, title: done(("stage", title, ends))),
        ("play {_ROUNDS} (see *{TITLE}*)", lambda title: done(("stage", title, None))),
    ],
    "ROUNDS": re.compile(r"[a-z]+(?: [A-Z])?"),
    "NOTED": [
        ("yourself", lambda: YOU),
        ("{PERSON}", itself),
        ("a random player", lambda: ("random player",)),
        ("the {WORD} of {CARD}", lambda *what: ("of", *what)),
        ("{LISTED_ONE}", itself),
        ("that suit", lambda: ("that", "suit", "")),
    ],
    "LET_BE": [
        ("{VALUE}", itself),
        ("{CARD}", itself),
        ("{PLACE} and {PLACE}", lambda *places: ("or", *places)),
        ("the {_PIECES} {IN} {RELATIVES}", lambda where, test: such(("card", ""), where, test)),
    ],
    "TITLE": re.compile(r"[^()]+"),
    # the end of a stage
    "ENDS": [
        ("{CLAUSE}", itself),
        ("{PLAYED}", itself),
        ("{PLAYED} or {FACT}", lambda played, test: joined("or", [played, test])),
    ],
    "PLAYED": [
        ("{COUNT} {_WORD} [has|have] been played", lambda count: ("played", count)),
        ("every {NOUN} has had a turn", lambda noun: ("played", ("size", noun))),
    ],
}
