"""The table of the language: every way to write each of its words, with its arguments, its meaning and an example.

The reader, the formatter, the editor and the tables in ``docs/recycle.md`` all take the language from here.

A shape is written like the text itself. Small letters and signs stand for themselves, capitals for an argument of that
kind (``KINDS``), which is shown as its spelling. ``...`` after a kind means one or more. What follows ``|`` is put on
lines of its own if the form is too long for one line, what follows ``||`` always.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import get_args

from games.core.messages import NONE, Message, any_of, message
from games.recycle import tree
from games.recycle.tree import Node, Type


@dataclass(frozen=True, slots=True)
class ArgumentKind:
    """A kind of argument. ``type``: of its values, if that is one type; ``takes``: kinds of forms that it accepts."""

    takes: tuple[str, ...]
    type: Type | None = None
    spelling: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a shape: a word or sign that stands for itself, or an argument. ``more``: one or more of it."""

    text: str
    more: bool = False

    @property
    def kind(self) -> ArgumentKind | None:
        """The kind of an argument; None for a word or sign."""
        return KINDS.get(self.text)


@dataclass(frozen=True)
class Signature:
    """One way to write something, and what kind of thing it is then (``gives``).

    ``node``: the class of the tree that the reader makes of it, and the words that the class is given first. Without
    one, the reader has a function of its own for it. ``ours``: the language as it was published does not have it.
    """

    shape: str
    gives: str
    means: str
    example: str
    node: type[Node] | None = None
    words: tuple[str, ...] = ()
    ours: bool = False

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the shape. A shape without brackets has one."""
        texts = [text for text in self.shape.strip("()").split() if text not in ("|", "||")]
        following = [*texts[1:], ""]
        return tuple(Part(text, after == "...") for text, after in zip(texts, following, strict=True) if text != "...")

    @property
    def head(self) -> str:
        """The word or sign with which the shape begins, or ""."""
        first = self.parts[0]
        return "" if first.kind or not self.shape.startswith("(") else first.text

    @property
    def spelling(self) -> str:
        """The shape as people read it."""
        shown = _KIND.sub(lambda found: KINDS[found[0]].spelling or found[0], re.sub(r" \|+", "", self.shape))
        return shown.replace(" ,", ",")

    @property
    def snippet(self) -> str:
        """The shape without its brackets, with ``${1:KIND}`` where the author fills something in."""
        number = count(1)  # gaps with one number would be filled in together

        def gap(found: re.Match[str]) -> str:
            before, what = ("'", found[0][1:]) if found[0].startswith("'") else ("", found[0])
            return f"{before}${{{next(number)}:{what}}}"

        inside = self.spelling.removeprefix("(").removesuffix(")") if self.shape.startswith("(") else self.spelling
        return re.sub(rf"'X|(?:^game\b)(?= [a-z])|{_KIND.pattern}", gap, re.sub(r",? ?\.\.\.", "", inside))


VALUES = (
    *("NUMBER", "NUMBERS", "TEST", "NAME", "NAMES", "CARD", "CARDS", "GROUPS", "PLAYER", "PLAYERS", "TEAM", "TEAMS"),
    *("PLACE", "COLLECTION", "NUMBERSTORE", "NAMESTORE", "PLAYERSTORE"),
)

ANYTHING = tuple(dict.fromkeys((
    *VALUES, *("STAGE", "CHOICE", "TOGETHER", "COMPOUND", "ACTION", "WHEN", "STEPS", "DECKS", "DECK"),
    *("FEATURE", "FEATURES", "AWARDS", "AWARD", "PAIR", "POINTS", "TARGET"),
)))  # fmt: skip

KINDS = {
    "NUMBER": ArgumentKind(("NUMBER", "NUMBERSTORE"), Type.INT),
    "TEST": ArgumentKind(("TEST",), Type.BOOL),
    "NAME": ArgumentKind(("NAME", "NAMESTORE"), Type.STR),
    "ATTRIBUTE": ArgumentKind(("NAME", "NAMESTORE"), Type.STR),
    "CARD": ArgumentKind(("CARD",), Type.CARD),
    "CARDS": ArgumentKind(("CARDS", "PLACE"), Type.CARDS),
    "PLACE": ArgumentKind(("PLACE",)),
    "GROUPS": ArgumentKind(("GROUPS",), Type.GROUPS),
    "PLAYER": ArgumentKind(("PLAYER", "PLAYERSTORE"), Type.PLAYER),
    "TEAM": ArgumentKind(("TEAM",), Type.TEAM),
    "PLAYERS": ArgumentKind(("PLAYERS", "COLLECTION", "TEAM"), Type.PLAYERS),
    "TEAMS": ArgumentKind(("TEAMS",), Type.TEAMS),
    "NAMES": ArgumentKind(("NAMES",), Type.STRS),
    "NUMBERS": ArgumentKind(("NUMBERS",), Type.INTS),
    "COLLECTION": ArgumentKind(
        ("CARDS", "PLACE", "GROUPS", "PLAYERS", "TEAMS", "NAMES", "NUMBERS", "TEAM", "COLLECTION")
    ),
    "VALUE": ArgumentKind(VALUES),
    "VAR": ArgumentKind((), spelling="'X"),
    "TURN": ArgumentKind(("TURN", "PLAYER", "PLAYERSTORE"), spelling="PLAYER"),
    "OWNER": ArgumentKind(("OWNER", "PLAYER", "PLAYERSTORE"), spelling="game"),
    "HOLDER": ArgumentKind(("OWNER", "PLAYER", "PLAYERSTORE", "TEAM"), spelling="game"),
    "NUMBERSTORE": ArgumentKind(("NUMBERSTORE",), spelling="(game sto NAME)"),
    "NAMESTORE": ArgumentKind(("NAMESTORE",), spelling="(game str NAME)"),
    "PLAYERSTORE": ArgumentKind(("PLAYERSTORE",), spelling="(game who NAME)"),
    "SECRET": ArgumentKind(("NUMBERSTORE", "NAMESTORE", "PLAYERSTORE"), spelling="(PLAYER isto NAME)"),
    "POINTS": ArgumentKind(("POINTS",), spelling="(game points NAME)"),
    "TARGET": ArgumentKind(("TARGET",), spelling="(top PLACE)"),
    "NOTE": ArgumentKind(("TARGET",), spelling="(top (game mem NAME))"),
    "AWARDS": ArgumentKind(("AWARDS",), spelling="(((RANK : ACE) NUMBER) ...)"),
    "AWARD": ArgumentKind(("AWARD",), spelling="((RANK : ACE) NUMBER)"),
    "PAIR": ArgumentKind(("PAIR",), spelling="(RANK : ACE)"),
    "STEP": ArgumentKind(("ACTION", "COMPOUND", "WHEN", "DECKS")),
    "STEPS": ArgumentKind(("STEPS",), spelling="(STEP STEP ...)"),
    "ACTION": ArgumentKind(("ACTION", "COMPOUND", "DECKS")),
    "CARDACTION": ArgumentKind(("ACTION",), spelling="(move CARD (top PLACE))"),
    "BLOCK": ArgumentKind(("STAGE", "CHOICE", "TOGETHER", "COMPOUND")),
    "CHOICE": ArgumentKind(("CHOICE",), spelling="(choice (STEP STEP ...))"),
    "END": ArgumentKind(("END",), spelling="(end TEST)"),
    "DECLARE": ArgumentKind(("DECLARE", "DEFINE"), spelling="(declare VALUE 'X)"),
    "PARAMETERS": ArgumentKind(("PARAMETERS",), spelling="('X 'Y ...)"),
    "PART": ArgumentKind(ANYTHING),
    "SETUP": ArgumentKind(("SETUP",), spelling="(setup ...)"),
    "SEATS": ArgumentKind(("SEATS",), spelling="(create players 4)"),
    "PARTNERS": ArgumentKind(("PARTNERS",), spelling="(create teams (0, 2) ...)"),
    "SIDE": ArgumentKind(("SIDE",), spelling="(0, 2)"),
    "DECKS": ArgumentKind(("DECKS",), spelling="(create deck PLACE (deck ...))"),
    "DECK": ArgumentKind(("DECK",), spelling="(deck ...)"),
    "FEATURE": ArgumentKind(("FEATURE",), spelling="(RANK (ACE, KING))"),
    "FEATURES": ArgumentKind(("FEATURES",), spelling="(ACE, KING)"),
    "SCORING": ArgumentKind(("SCORING",), spelling="(scoring max NUMBER)"),
    "GAME": ArgumentKind(("GAME",)),
}
CALL = "CALL"  # what a call gives: it can stand for anything
KINDS = {name: replace(kind, takes=(*kind.takes, CALL)) if kind.takes else kind for name, kind in KINDS.items()}

_KIND = re.compile(rf"\b(?:{'|'.join(sorted(KINDS, key=len, reverse=True))})\b")

# Of each section of the reference: what holds for all of it, and the signatures.
# fmt: off
SECTIONS: dict[str, tuple[str, tuple[Signature, ...]]] = {
    "The frame": ("", (
        Signature("(game | SETUP BLOCK ... SCORING)", "GAME",
                  "The whole text: what there is, what happens, and how it is scored.", ""),
        Signature("(game | DECLARE ... SETUP BLOCK ... SCORING)", "GAME",
                  "The whole text, with declarations and named blocks.", ""),
        Signature("(declare VALUE VAR)", "DECLARE", "A name for something that never changes, before the setup.",
                  "(declare (NORTH, SOUTH) 'SIDES)"),
        Signature("(declare NUMBER VAR)", "DECLARE", "A declared number can be used wherever a number can, also in the "
                  "setup: `(create players 'NUMP)`.", "(declare 4 'NUMP)"),
        Signature("(define NAME PARAMETERS || PART ...)", "DEFINE", "A named block, before the setup: what each "
                  "call of it means.",
                  "(define DRAW ('P 'N) (repeat 'N (move (top (game vloc TABLE)) (top ('P iloc HAND)))))", ours=True),
        Signature("(VAR ...)", "PARAMETERS", "The parameters of a block; `()` if it has none.",
                  "(define ADD ('N) (inc (game sto COUNT) 'N))", ours=True),
        Signature("(call NAME PART ...)", CALL, "The parts of that block, with these parts in place of its "
                  "parameters. A call can be anywhere.", "(call DEAL 2 (game vloc TABLE) HAND)", ours=True),
        Signature("(call NAME)", CALL, "A block without parameters.", "(call LEADER)", ours=True),
        Signature("(setup || SEATS DECKS ...)", "SETUP", "How many play, and which cards there are.", ""),
        Signature("(setup || SEATS PARTNERS DECKS ...)", "SETUP",
                  "How many play, who plays with whom, and which cards there are.", ""),
        Signature("(create players NUMBER)", "SEATS", "How many play, first in the setup.", "(create players 4)"),
        Signature("(create players NUMBER .. NUMBER)", "SEATS", "The table chooses how many play.",
                  "(create players 2 .. 4)", ours=True),
        Signature("(create teams SIDE ...)", "PARTNERS",
                  "Players are counted from 0. Without this line everybody is a team.", "(create teams (0, 2) (1, 3))"),
        Signature("(create deck PLACE | DECK)", "DECKS", "Cards in a place, in the setup or during the game. The last "
                  "card made is on top.",
                  "(create deck (game hloc STOCK) (deck (RANK (ACE, KING)) (SUIT (CLUBS, HEARTS))))"),
        Signature("(create deck NAME PLACE | DECK)", "DECKS", "Cards with a back of their own, here BLUE.",
                  "(create deck BLUE (game hloc STOCK) (deck (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (CLUBS))))))"),
        Signature("(create tokens PLACE | DECK)", "DECKS", "The same as `create deck`, but shown as tokens. All that "
                  "can be done with cards can be done with them.",
                  "(repeat 4 (create tokens (game vloc BANK) (deck (COLOUR (RED)))))", ours=True),
        Signature("(create die PLACE | DECK)", "DECKS", "A die: its faces are the cards of the deck, of which one is "
                  "there, at first the first one.",
                  "(repeat 2 (create die (game vloc DICE) (deck (PIPS (ONE, TWO, THREE, FOUR, FIVE, SIX)))))",
                  ours=True),
        Signature("(deck FEATURE ...)", "DECK", "A card for every combination of the attributes; the first changes "
                  "most slowly.", "(create deck (game hloc STOCK) (deck (RANK (ACE, KING)) (SUIT (CLUBS, HEARTS))))"),
        Signature("(ATTRIBUTE FEATURES ...)", "FEATURE", "An attribute and its values. Attributes can be nested.",
                  "(create deck (game hloc STOCK) (deck (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (CLUBS))))))"),
        Signature("(repeat NUMBER | DECKS)", "DECKS", "Several of the same deck, created after all others.",
                  "(repeat 2 (create deck (game hloc STOCK) (deck (RANK (ACE, KING)))))"),
        Signature("(scoring max NUMBER)", "SCORING", "Last of all: what a player has, as `(current player)`, and that "
                  "more is better. Equal scores share a rank; partners share their better one.",
                  "(scoring max ((current player) sto POINTS))", tree.Scoring, ("max",)),
        Signature("(scoring min NUMBER)", "SCORING", "The same, and less is better.",
                  "(scoring min (size ((current player) iloc HAND)))", tree.Scoring, ("min",)),
    )),
    "Blocks": ("They are in the game, or in a stage, one after the other.", (
        Signature("(stage player || END BLOCK ...)", "STAGE", "Goes round the players, a turn each, until its end is "
                  "true.", "(stage player (end (> (game sto ROUND) 2)) (do ((inc (game sto ROUND) 1))))"),
        Signature("(stage team || END BLOCK ...)", "STAGE", "Goes round the teams, until its end is true.",
                  "(stage team (end (> (game sto PAID) 3)) (do ((inc (game sto PAID) 1))))"),
        Signature("(end TEST)", "END", "When a stage is over. It is tested before each time round.",
                  "(stage player (end (> (game sto ROUND) 5)) (do ((inc (game sto ROUND) 1))))"),
        Signature("(choice | STEPS)", "CHOICE", "The current player takes one of the options. Each step is one, or "
                  "several.", "(choice ((turn pass) (inc ((current player) sto COUNT) 1)))"),
        Signature("(together PLAYERS | CHOICE)", "TOGETHER", "Each of some players takes an option, at the same time. "
                  "When all have chosen, the options are carried out, one after the other.",
                  "(together player (choice ((inc ((current player) sto COUNT) 1) (turn pass))))", ours=True),
        Signature("(do | STEPS)", "COMPOUND", "Immediately, in order. In a choice all of them are one option.",
                  "(do ((turn pass) (turn pass)))"),
        Signature("(STEP ...)", "STEPS", "Steps, in brackets of their own; one step as well.", "(do ((turn pass)))"),
        Signature("(all COLLECTION VAR | STEP)", "COMPOUND", "For every member, which is the variable meanwhile. A "
                  "step that contains others may be a block.", "(all player 'P (set ('P sto COUNT) 3))", tree.ForEach,
                  ("all",)),
        Signature("(let VALUE VAR | CHOICE)", "CHOICE", "A name for a value, around a choice.",
                  "(let (size player) 'N (choice ((inc (game sto COUNT) 'N) (turn pass))))", ours=True),
    )),
    "Steps": ("", (
        Signature("(move CARD TARGET)", "ACTION", "A card goes from where it is to a place.",
                  "(move (top (game vloc TABLE)) (top ('P iloc HAND)))", tree.Move),
        Signature("(top PLACE)", "TARGET", "To the top of a place.", "(move 'C (top (game vloc TABLE)))"),
        Signature("(bottom PLACE)", "TARGET", "To the bottom of a place.", "(move 'C (bottom (game vloc TABLE)))"),
        Signature("(NUMBER PLACE)", "TARGET", "At position NUMBER: that many cards are below it.",
                  "(move 'C (1 (game vloc TABLE)))"),
        Signature("(repeat NUMBER | ACTION)", "ACTION", "So many times.",
                  "(repeat 2 (move (top (game vloc TABLE)) (top (game vloc PILE))))"),
        Signature("(repeat all | CARDACTION)", "ACTION", "A move or a forget, as often as there are cards.",
                  "(repeat all (move (top (game vloc TABLE)) (top (game vloc PILE))))"),
        Signature("(shuffle CARDS)", "ACTION", "Shuffles the cards; players who knew a card there no longer do.",
                  "(shuffle (game vloc TABLE))", tree.Shuffle),
        Signature("(roll CARDS)", "ACTION", "Each die is replaced by one of its faces, all equally likely.",
                  "(roll (game vloc TABLE))", ours=True),
        Signature("(roll CARD)", "ACTION", "A single die.", "(roll (top (game vloc TABLE)))", ours=True),
        Signature("(shuffle faro CARDS CARDS)", "ACTION", "A card of each place alternately, into the first. Of one "
                  "place with itself: its lower and its upper half, of which the lower has the card more.",
                  "(shuffle faro (game vloc TABLE) (game vloc PILE))", tree.Shuffle),
        Signature("(set NUMBERSTORE | NUMBER)", "ACTION", "Stores a number.", "(set (game sto COUNT) 3)"),
        Signature("(inc NUMBERSTORE | NUMBER)", "ACTION", "Adds to a stored number.", "(inc ('P sto COUNT) 1)"),
        Signature("(dec NUMBERSTORE | NUMBER)", "ACTION", "Subtracts from a stored number.",
                  "(dec ((team 'P) sto COUNT) 1)"),
        Signature("(set NAMESTORE | NAME)", "ACTION", "Stores a name.", "(set (game str SUIT) HEARTS)"),
        Signature("(set PLAYERSTORE | PLAYER)", "ACTION", "Stores a player.", "(set (game who DEALER) (next player))",
                  ours=True),
        Signature("(reveal SECRET)", "ACTION", "Everybody sees what a secret store holds, until it is set again.",
                  "(reveal ('P isto BID))", ours=True),
        Signature("(set POINTS | AWARDS)", "ACTION", "Stores a point map, in place of the whole one before. Awards add "
                  "up.", "(set (game points WORTH) (((RANK : ACE) 11) ((RANK : TWO) 2)))"),
        Signature("(AWARD ...)", "AWARDS", "Awards, in brackets of their own; one award as well.",
                  "(set (game points WORTH) (((RANK : ACE) 11)))"),
        Signature("(PAIR ... NUMBER)", "AWARD", "What a card scores; with two pairs it must have both.",
                  "(set (game points WORTH) (((RANK : TWO) (SUIT : HEARTS) 50)))"),
        Signature("(ATTRIBUTE : NAME)", "PAIR", "An attribute, and the value that a card must have.",
                  "(set (game points WORTH) (((SUIT : HEARTS) 1)))"),
        Signature("(remember CARD NOTE)", "ACTION", "Notes a card; it stays where it is.",
                  "(remember (top (game vloc TABLE)) (top (game mem NOTED)))", tree.Remember),
        Signature("(forget CARD)", "ACTION", "Deletes a note; of a card that is noted twice the one on top. Of a card "
                  "that does not come from a memory, every memory that notes it deletes a note.",
                  "(forget (top (game mem SEEN)))"),
        Signature("(cycle next TURN)", "ACTION", "Who has the next turn.", "(cycle next (owner 'C))", tree.Cycle,
                  ("next",)),
        Signature("(cycle current TURN)", "ACTION", "Whose turn it is, from now on.", "(cycle current 'P)",
                  tree.Cycle, ("current",)),
        Signature("current", "TURN", "In a cycle: the current player.", "(cycle next current)"),
        Signature("next", "TURN", "In a cycle: the next player.", "(cycle current next)"),
        Signature("previous", "TURN", "In a cycle: the player on the seat before.", "(cycle next previous)"),
        Signature("(turn pass)", "ACTION", "Nothing, as an option.", "(turn pass)", tree.Pass),
        Signature("(TEST ACTION)", "WHEN", "Only if a test is true at that moment.",
                  "((> 'N 0) (inc (game sto COUNT) 1))"),
        Signature("(any COLLECTION VAR | STEP)", "COMPOUND", "In a choice: one option for each member. Elsewhere as "
                  "`all`.", "(any ('P iloc HAND) 'D (move 'D (top (game vloc TABLE))))", tree.ForEach, ("any",)),
        Signature("(let VALUE VAR | STEP)", "COMPOUND", "A name for a value. Of a place it follows its changes.",
                  "(let (size ('P iloc HAND)) 'HELD (set (game sto COUNT) 'HELD))", tree.Let),
    )),
    "Numbers": ("Also digits, as `7`, and a variable that is a number.", (
        Signature("(HOLDER sto NAME)", "NUMBERSTORE", "A stored number of the table, a player or a team; 0 if nothing "
                  "was stored. Everybody sees it.", "(game sto COUNT)"),
        Signature("(+ NUMBER NUMBER)", "NUMBER", "The sum.", "(+ 'N 1)", tree.Arith, ("+",)),
        Signature("(- NUMBER NUMBER)", "NUMBER", "The difference. Write a number below zero as `(- 0 1)`.",
                  "(- 'N 1)", tree.Arith, ("-",)),
        Signature("(* NUMBER NUMBER)", "NUMBER", "The product.", "(* 'N 2)", tree.Arith, ("*",)),
        Signature("(// NUMBER NUMBER)", "NUMBER", "Divided, truncated towards zero: 3. By 0 the match fails.",
                  "(// 7 2)", tree.Arith, ("//",)),
        Signature("(% NUMBER NUMBER)", "NUMBER", "The remainder, with the sign of the first: 1.", "(% 7 2)",
                  tree.Arith, ("%",)),
        Signature("(^ NUMBER NUMBER)", "NUMBER", "To the power of: 8.", "(^ 2 3)", tree.Arith, ("^",)),
        Signature("(tri NUMBER)", "NUMBER", "1 + 2 + 3 + 4, and so on up to the number: 10.", "(tri 4)",
                  tree.Series, ("tri",)),
        Signature("(fib NUMBER)", "NUMBER", "The NUMBER-th Fibonacci number, here 13.", "(fib 7)", tree.Series,
                  ("fib",)),
        Signature("(random NUMBER)", "NUMBER", "From 0 to the number, each equally likely.", "(random 5)"),
        Signature("(random NUMBER .. NUMBER)", "NUMBER", "From the first to the second: here a die.",
                  "(random 1 .. 6)"),
        Signature("(size COLLECTION)", "NUMBER", "How many: cards, players, teams, names, groups.",
                  "(size (game vloc TABLE))", tree.Size),
        Signature("(sum CARDS using POINTS)", "NUMBER", "What cards score together, by a point map.",
                  "(sum (game vloc TABLE) using (game points HEIGHT))", tree.Sum),
        Signature("(score CARD using POINTS)", "NUMBER", "What one card scores; 0 if no award fits.",
                  "(score 'C using (game points HEIGHT))", tree.Score),
        Signature("(HOLDER points NAME)", "POINTS", "A point map: what cards score. It is computed when it is set.",
                  "(score 'C using (game points HEIGHT))"),
    )),
    "Names": ("Also capitals, as `HEARTS`, and a variable that is a name.", (
        Signature("(HOLDER str NAME)", "NAMESTORE", "A stored name of the table, a player or a team; nothing, which is "
                  "not NONE, if nothing was stored. Everybody sees it.", "(game str SUIT)"),
        Signature("(cardatt ATTRIBUTE CARD)", "NAME", "An attribute of a card; nothing if it has none of that name, or "
                  "if there is no card.", "(cardatt SUIT 'C)", tree.CardAtt),
    )),
    "Tests": ("", (
        Signature("(== VALUE VALUE)", "TEST", "Equal: two numbers, names, cards, players or teams. Two cards are equal "
                  "if they are the same one.", "(== 'N 1)"),
        Signature("(== CARD CARD)", "TEST", "Also if a place is empty: its top is no card, which no card equals. The "
                  "tops of two empty places are equal.", "(== 'C (top (game vloc PILE)))"),
        Signature("(!= VALUE VALUE)", "TEST", "Not equal.", "(!= (cardatt SUIT 'C) HEARTS)"),
        Signature("(< NUMBER NUMBER)", "TEST", "Less than.", "(< 'N 3)", tree.Compare, ("<",)),
        Signature("(> NUMBER NUMBER)", "TEST", "More than.", "(> 'N 3)", tree.Compare, (">",)),
        Signature("(<= NUMBER NUMBER)", "TEST", "At most.", "(<= 'N 3)", tree.Compare, ("<=",)),
        Signature("(>= NUMBER NUMBER)", "TEST", "At least.", "(>= 'N 3)", tree.Compare, (">=",)),
        Signature("(and TEST TEST ...)", "TEST", "All of them, from the left.", "(and (> 'N 0) (< 'N 9))"),
        Signature("(or TEST TEST ...)", "TEST", "One of them, from the left.", "(or (> 'N 0) (== 'N 9))"),
        Signature("(not TEST)", "TEST", "The opposite.", "(not (> 'N 0))", tree.Not),
        Signature("(any COLLECTION VAR | TEST)", "TEST", "For at least one; false if there are none.",
                  "(any player 'Q (> (size ('Q iloc HAND)) 0))", tree.Quantified, ("any",)),
        Signature("(all COLLECTION VAR | TEST)", "TEST", "For every one; true if there are none.",
                  "(all player 'Q (> (size ('Q iloc HAND)) 0))"),
    )),
    "Places": ("Of the table (`game`), or of a player: a variable, `(current player)`, or any other. The name can be "
               "computed, as in `(game vloc 'NAME)`. A variable can be bound to a place by `let`.", (
        Signature("(OWNER vloc NAME)", "PLACE", "Everybody sees it: tricks, open piles, cards that somebody has won.",
                  "(game vloc TABLE)"),
        Signature("(OWNER iloc NAME)", "PLACE", "Its owner sees it: a hand. On the table nobody does.",
                  "('P iloc HAND)"),
        Signature("(OWNER hloc NAME)", "PLACE", "Nobody sees it: the stock, cards face down.",
                  "((current player) hloc FACEDOWN)"),
        Signature("(OWNER oloc NAME)", "PLACE", "All but its owner see it.", "((next player) oloc HELDOUT)"),
        Signature("(OWNER mem NAME)", "PLACE", "A memory: notes of cards, which stay where they are. Everybody sees "
                  "it.", "(game mem SEEN)"),
        Signature("game", "OWNER", "The table itself, as the owner of places and stores.", "(game vloc TABLE)"),
    )),
    "Single cards": ("Also a variable that is a card.", (
        Signature("(top CARDS)", "CARD", "The last that was put there. An empty place has none: that can only be "
                  "compared (`==`, `!=`, `cardatt`); anything else done with it ends the match as failed (`no such "
                  "card`).", "(top (game vloc TABLE))"),
        Signature("(bottom CARDS)", "CARD", "The first.", "(bottom (game vloc TABLE))"),
        Signature("(NUMBER CARDS)", "CARD", "By number, from 0 at the bottom: here the third.",
                  "(2 (game vloc TABLE))"),
        Signature("(max CARDS using POINTS)", "CARD", "The one that scores most, among equals at random.",
                  "(max (game vloc TABLE) using (game points HEIGHT))", tree.Extreme, ("max",)),
        Signature("(min CARDS using POINTS)", "CARD", "The one that scores least, among equals at random.",
                  "(min (game vloc TABLE) using (game points HEIGHT))", tree.Extreme, ("min",)),
        Signature("(actual CARD)", "CARD", "The card itself that a memory notes: the same as without `actual`.",
                  "(actual (top (game mem SEEN)))", tree.Actual),
    )),
    "Cards": ("A place, or a list of cards, which stay where they are.", (
        Signature("(union CARDS ...)", "CARDS", "One after the other.", "(union (game vloc TABLE) ('P iloc HAND))"),
        Signature("(union GROUPS)", "CARDS", "The cards of all groups: here of every player.",
                  "(union (all player 'Q ('Q iloc HAND)))"),
        Signature("(intersect CARDS ...)", "CARDS", "Cards that are in all of them.",
                  "(intersect (game vloc TABLE) (game mem SEEN))"),
        Signature("(disjunction CARDS ...)", "CARDS", "Cards that are there exactly once.",
                  "(disjunction (game vloc TABLE) (game mem SEEN))"),
        Signature("(filter CARDS VAR | TEST)", "CARDS", "Those that pass a test.",
                  "(filter (game vloc TABLE) 'D (== (cardatt SUIT 'D) HEARTS))"),
        Signature("(top NUMBER CARDS)", "CARDS", "So many on top, from the top downwards.",
                  "(top 2 (game vloc TABLE))"),
        Signature("(bottom NUMBER CARDS)", "CARDS", "So many at the bottom.", "(bottom 2 (game vloc TABLE))"),
        Signature("(run top NUMBER CARDS using POINTS)", "CARDS", "As many cards on top as make a run in any order, if "
                  "they are that many or more; by score.", "(run top 3 (game vloc TABLE) using (game points HEIGHT))",
                  tree.RunAt, ("top",)),
        Signature("(run bottom NUMBER CARDS using POINTS)", "CARDS", "The same from the bottom.",
                  "(run bottom 3 (game vloc TABLE) using (game points HEIGHT))", tree.RunAt, ("bottom",)),
        Signature("(sort CARDS using POINTS)", "CARDS", "By score, the lowest first.",
                  "(sort (game vloc TABLE) using (game points HEIGHT))", tree.Sorted),
        Signature("(top GROUPS)", "CARDS", "The first group of several.", "(top (partition SUIT (game vloc TABLE)))"),
        Signature("(bottom GROUPS)", "CARDS", "The last group.", "(bottom (partition SUIT (game vloc TABLE)))"),
        Signature("(NUMBER GROUPS)", "CARDS", "A group by number, from 0.", "(0 (partition SUIT (game vloc TABLE)))"),
    )),
    "Groups of cards": ("", (
        Signature("(partition ATTRIBUTE CARDS ...)", "GROUPS", "By an attribute, in order of first appearance.",
                  "(partition SUIT (game vloc TABLE) ('P iloc HAND))"),
        Signature("(tuples NUMBER CARDS using POINTS)", "GROUPS", "All groups of so many cards of equal score: here "
                  "pairs.", "(tuples 2 (game vloc TABLE) using (game points HEIGHT))", tree.Tuples),
        Signature("(runs all NUMBER CARDS using POINTS)", "GROUPS",
                  "Every run of so many cards or more, parts of longer ones too.",
                  "(runs all 2 (game vloc TABLE) using (game points HEIGHT))", tree.Runs, ("all",)),
        Signature("(runs largest NUMBER CARDS using POINTS)", "GROUPS", "Those that cannot be made longer.",
                  "(runs largest 1 (game vloc TABLE) using (game points HEIGHT))", tree.Runs, ("largest",)),
        Signature("(subsets CARDS)", "GROUPS", "Every selection, also that of no card.", "(subsets ('P iloc HAND))",
                  tree.Subsets),
        Signature("(subsets NUMBER CARDS)", "GROUPS", "Every selection of so many cards.", "(subsets 2 ('P iloc HAND))",
                  tree.Selections, ours=True),
        Signature("(all COLLECTION VAR | CARDS)", "GROUPS", "The cards of each member.",
                  "(all player 'Q ('Q iloc HAND))"),
    )),
    "Secret stores": ("Everybody sees when one is set; those that are named here also see to what. The first letter "
                      "says who, as of places.", (
        Signature("(HOLDER isto NAME)", "NUMBERSTORE", "A number that its owner sees: the player, or the players of "
                  "the team. On the table nobody does.", "('P isto BID)", ours=True),
        Signature("(HOLDER hsto NAME)", "NUMBERSTORE", "A number that nobody sees.", "(game hsto CODE)", ours=True),
        Signature("(HOLDER osto NAME)", "NUMBERSTORE", "A number that the other players see.", "('P osto FOREHEAD)",
                  ours=True),
        Signature("(HOLDER istr NAME)", "NAMESTORE", "A name that its owner sees.", "('P istr ROLE)", ours=True),
        Signature("(HOLDER hstr NAME)", "NAMESTORE", "A name that nobody sees.", "(game hstr WORD)", ours=True),
        Signature("(HOLDER ostr NAME)", "NAMESTORE", "A name that the other players see.", "('P ostr HAT)", ours=True),
        Signature("(HOLDER iwho NAME)", "PLAYERSTORE", "A player whom its owner sees.", "('P iwho TARGET)", ours=True),
        Signature("(HOLDER hwho NAME)", "PLAYERSTORE", "A player whom nobody sees.", "(game hwho SPY)", ours=True),
        Signature("(HOLDER owho NAME)", "PLAYERSTORE", "A player whom the other players see.", "('P owho FRIEND)",
                  ours=True),
    )),
    "Players and teams": ("Also a variable that is a player or a team.", (
        Signature("(current player)", "PLAYER", "Whose turn it is.", "(current player)"),
        Signature("(next player)", "PLAYER", "Who is next, as far as it is known.", "(next player)"),
        Signature("(previous player)", "PLAYER", "The seat before, not the player who moved before.",
                  "(previous player)"),
        Signature("(NUMBER player)", "PLAYER", "By number, from 0.", "(0 player)"),
        Signature("(HOLDER who NAME)", "PLAYERSTORE", "A stored player, of the table, a player or a team. As long as "
                  "none was stored it is nobody: that can only be compared, and no player equals it; anything else "
                  "done with it ends the match as failed (`nobody`). Everybody sees it.",
                  "((current player) who RIVAL)", ours=True),
        Signature("(owner CARD)", "PLAYER", "In whose place a card is; fails for one on the table.", "(owner 'C)",
                  tree.OwnerOf),
        Signature("(team PLAYER)", "TEAM", "The team of a player. Where something is gone through: the players of that "
                  "team.", "(team 'P)", tree.TeamOf),
        Signature("(current team)", "TEAM", "In a stage of teams: whose turn it is.", "(current team)"),
        Signature("(next team)", "TEAM", "The next team.", "(next team)"),
        Signature("(previous team)", "TEAM", "The team before.", "(previous team)"),
        Signature("(NUMBER team)", "TEAM", "By number, from 0.", "(1 team)"),
    )),
    "What can be gone through": ("By `all`, `any`, `filter` and `size`: cards, groups, teams, and these.", (
        Signature("player", "PLAYERS", "All players, from seat 0.", "player"),
        Signature("(other player)", "PLAYERS", "All but the current one.", "(other player)", tree.Others, ("player",)),
        Signature("team", "TEAMS", "All teams.", "team"),
        Signature("(other team)", "TEAMS", "All but the current one.", "(other team)", tree.Others, ("team",)),
        Signature("(range NUMBER .. NUMBER)", "NUMBERS", "Numbers, both ends; none if the first is above the second.",
                  "(range 1 .. 3)", tree.Range),
        Signature("(NAME , NAME ...)", "NAMES", "Names.", "(NORTH, SOUTH)"),
        Signature("(filter COLLECTION VAR | TEST)", "COLLECTION", "Those that pass a test.",
                  "(filter player 'Q (> (size ('Q iloc HAND)) 0))", tree.Filter),
    )),
}
# fmt: on

SIGNATURES = tuple(signature for _, signatures in SECTIONS.values() for signature in signatures)

WORDS = frozenset(
    part.text for signature in SIGNATURES for part in signature.parts if not part.kind and part.text.isalpha()
)
PLACES = tuple(signature.parts[1].text for signature in SIGNATURES if signature.gives == "PLACE")
STORES = tuple(
    signature.parts[1].text
    for signature in SIGNATURES
    if signature.gives in ("NUMBERSTORE", "NAMESTORE", "PLAYERSTORE", "POINTS")
)
WHICH: tuple[tree.Which, ...] = get_args(tree.Which)  # of the players and teams: which one, by whose turn it is
SECRET = tuple(word for word in STORES if word[1:] in STORES)  # those that not everybody sees

HEADED: dict[str, list[Signature]] = {}  # the signatures that begin with each word or sign
for _signature in SIGNATURES:
    if _signature.head:
        HEADED.setdefault(_signature.head, []).append(_signature)

# Words and signs that begin what is done, and what may hold several of that.
ACTIONS, BLOCKS = (
    frozenset(
        head
        for head, signatures in HEADED.items()
        for signature in signatures
        if signature.gives in KINDS[kind].takes and signature.gives != CALL
    )
    for kind in ("STEP", "BLOCK")
)

MOST_SHAPES = 3  # of a hint


def signatures_of(word: str) -> list[Signature]:
    """Return the signatures of a word: those that begin with it, or else those that contain it."""
    return HEADED.get(word) or [one for one in SIGNATURES if any(part.text == word for part in one.parts)]


def how_written(word: str, gives: str = "") -> Message:
    """Return the sentence that says how a word is written, with an example; ``NONE`` if it is no word of the language.

    ``gives``: only where it is this kind of thing.
    """
    signatures = [one for one in signatures_of(word) if one.gives == gives or (not gives and one.gives != "TARGET")]
    signatures = signatures[:MOST_SHAPES]
    if not signatures:
        return NONE
    shapes = list(dict.fromkeys(signature.spelling for signature in signatures))
    example = next((one.example for one in signatures if one.example not in ("", *shapes)), "")
    if example:
        return message("Write {code}. For example: {example}.", code=any_of(shapes), example=example)
    return message("Write {code}.", code=any_of(shapes))
