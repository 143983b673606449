"""The rules page that is made of a tree: it says what the text says, in words that people read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from games import catalogue
from games.recycle.example import beginning, example, in_signs
from games.recycle.explain import LONGEST_WITH_WORDING, explain
from games.recycle.explaining.bookkeeping import SIGN
from games.recycle.explaining.course import CourseOfPlay
from games.recycle.explaining.survey import Survey
from games.recycle.game import header
from games.recycle.labels import Labels
from games.recycle.phrase_book import Book, _messages, singular
from games.recycle.problems import BadText
from games.recycle.provider import FOLDER
from games.recycle.reader import read
from games.recycle.reader.syntax import MAX_DEPTH
from games.recycle.tree import Choice, Declare, GameNode, Let, Place, Ref, Type, walk
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.texts import games as texts
from tests.tiers import examples, sampled

NAMES = [path.stem for path in LIBRARY]
library = pytest.mark.parametrize("name", sampled(NAMES, 3))

NOTED = r"(?: \[[\d, ]+\])?"  # the numbers of notes
PACK = """(deck (RANK (A, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, J, Q, K))
          (COLOR (RED (SUIT (HEARTS, DIAMONDS))) (BLACK (SUIT (CLUBS, SPADES)))))"""
HAND = "((current player) iloc HAND)"
HEIGHT = "(set (game points HEIGHT) (((SUIT : (game str LED)) 100) ((RANK : A) 3) ((RANK : K) 2) ((RANK : Q) 1)))"


@cache
def book(name: str) -> tuple[GameNode, Labels, str]:
    """Return a text of the library, its labels, and its page."""
    text = (FOLDER / f"{name}.rcy").read_text(encoding="utf-8")
    labels = labels_of(FOLDER / f"{name}.rcy")
    tree = read(text)
    return tree, labels, explain(tree, labels, header(text))


def page(
    *blocks: str,
    players: str = "3",
    decks: str = f"(create deck (game hloc STOCK) {PACK})",
    declares: str = "",
    scoring: str = "max (size ((current player) vloc WON))",
    table: str = "",
    language: str = "en",
) -> str:
    """Return the page of a game of some blocks, each run of white space as one space."""
    text = f"(game {declares} (setup (create players {players}) {decks}) {' '.join(blocks)} (scoring {scoring}))"
    return " ".join(explain(read(text), Labels.read(table), {"Title": "A Game"}, language).split())


def later(*blocks: str, **parts: str) -> Callable[[], str]:
    return lambda: page(*blocks, **parts)


def turn(*blocks: str, end: str = f"(== (size {HAND}) 0)") -> str:
    """Return a stage of turns."""
    return f"(stage player (end {end}) {' '.join(blocks)})"


def choice(*steps: str) -> str:
    return f"(choice ({' '.join(steps)}))"


def do(*steps: str) -> str:
    return f"(do ({' '.join(steps)}))"


PASS = choice("(turn pass)", f"(move (top {HAND}) (top (game vloc POOL)))")
SHADES = [f"SHADE{one}{other}" for one in "ABCDEFG" for other in "ABCDEFG"]

NEIGHBOUR = "(((% (+ 'S {}) 3) player) iloc HAND)"
# What stands in a text, and the sentence that has to be on its page.
SAID: dict[str, tuple[Callable[[], str], str]] = {
    "one seat further round": (
        later(
            do(f"(all (range 0 .. 2) 'S (move (top (('S player) iloc HAND)) (top {NEIGHBOUR.format(1)})))"),
        ),
        "to the hand of the player one seat further round.",
    ),
    "several seats further round": (
        later(
            do(f"(all (range 0 .. 2) 'S (move (top (('S player) iloc HAND)) (top {NEIGHBOUR.format(2)})))"),
        ),
        "to the hand of the player two seats further round.",
    ),
    "a die with a face for every combination": (
        later(PASS, decks="(create die (game vloc TRAY) (deck (SIGN (STAR, MOON)) (PIPS (ONE, TWO))))"),
        "One die with these faces: every combination of sign (star and moon) and pips (1 and 2).",
    ),
    "a pack": (later(PASS), "A standard pack of 52 cards. They begin in the stock."),
    "two packs": (
        later(PASS, decks=f"(repeat 2 (create deck (game hloc STOCK) {PACK}))"),
        "Two standard packs of 52 cards.",
    ),
    "a part of a pack": (
        later(PASS, decks="(create deck (game hloc S) (deck (RANK (SEVEN, EIGHT, NINE, A)) (SUIT (HEARTS, CLUBS))))"),
        "Eight cards: the 7 to 9 and ace of hearts and clubs.",
    ),
    "as many of each as it says": (
        later(
            PASS,
            decks="(create deck (game hloc S) (deck (N (ONE))))"
            " (repeat 2 (create deck (game hloc S) (deck (N (TWO)))))",
        ),
        "One 1; two 2s. They all begin in the place *S*. - That makes 3 cards.",
    ),
    "that the table of places goes on": (
        later(
            do(*(f"(move (top (game hloc STOCK)) (top (game vloc {shade}{end})))" for shade in SHADES for end in "XY"))
        ),
        "There are more of them.",
    ),
    "that the words of a store go on": (
        later(PASS, do(*(f"(set (game str MOOD) {shade})" for shade in SHADES))),
        "shadecf or ….",
    ),
    "that the suits of a deck go on": (
        later(
            PASS,
            decks=f"(create deck (game hloc STOCK) (deck (RANK (A, TWO, SEVEN)) (SUIT ({', '.join(SHADES[:18])}))))",
        ),
        "shadecb and ….",
    ),
    "that a list goes on": (
        later(PASS, declares=f"(declare ({', '.join(SHADES)}) 'SHADES)"),
        "shadefe and ….",
    ),
    "players": (later(PASS, players="2 .. 5"), "- 2 to 5 players."),
    "teams": (
        later(PASS, players="4) (create teams (0, 2) (1, 3)"),
        "Teams: players 1 and 3 against players 2 and 4",
    ),
    "who sees an own place": (
        later(do("(move (top (game hloc STOCK)) (top ((current player) iloc SECRET)))")),
        "| Secret | each player | only its owner |",
    ),
    "who sees what the owner does not": (
        later(do("(move (top (game hloc STOCK)) (top ((current player) oloc BROW)))")),
        "| Brow | each player | everybody but its owner |",
    ),
    "who sees a place of the table": (later(PASS), "| Stock | the table | nobody |"),
    "a place under two visibilities": (
        later(
            do(
                "(move (top (game hloc STOCK)) (top ((current player) hloc LEFT)))",
                "(move (top ((current player) hloc LEFT)) (top ((current player) vloc LEFT)))",
            )
        ),
        "place *Left* (face down) to the first player's place *Left* (open).",
    ),
    "a deal": (
        later(do("(all player 'P (repeat 4 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))")),
        "Deal four cards from the stock to each player's hand.",
    ),
    "a deal round the table": (
        later(
            do(
                "(all (range 1 .. 52) 'N"
                " (move (top (game hloc STOCK)) (top (((% 'N (size player)) player) iloc HAND))))"
            )
        ),
        "Deal 52 cards from the stock to the players' hands, one by one and in turn.",
    ),
    "two cards at a time round the table are no single cards": (
        later(
            do(
                "(all (range 1 .. 8) 'N"
                " (repeat 2 (move (top (game hloc STOCK)) (top (((% 'N (size player)) player) iloc HAND)))))"
            )
        ),
        "For each number from 1 to 8, move the top two cards of the stock to the hand of the player",
    ),
    "a range that is empty is no deal": (
        later(
            do("(all (range 9 .. 3) 'N (move (top (game hloc STOCK)) (top (((% 'N (size player)) player) iloc HAND))))")
        ),
        "For each number from 9 to 3, draw the top card of the stock into the hand of the player",
    ),
    "a lot": (
        later(do("(repeat (random (- (size player) 1)) (cycle current next))"), turn(PASS)),
        "Draw lots: the player who is drawn begins.",
    ),
    "move all": (
        later(do("(all player 'P (repeat all (move (top ('P vloc WON)) (top (game hloc STOCK)))))")),
        "Move all cards from each player's place *Won* to the stock.",
    ),
    "move all in their order": (
        later(do("(repeat all (move (bottom (game vloc POOL)) (top (game vloc PILE))))")),
        "Move all cards from the pool to the pile, in the order in which they lie.",
    ),
    "move all from below to below": (
        later(do("(repeat all (move (bottom (game vloc POOL)) (bottom (game vloc PILE))))")),
        "Move all cards from the pool to the bottom of the pile, beginning at the bottom.",
    ),
    "until all hands are empty": (
        later(turn(PASS, end="(all player 'P (== (size ('P iloc HAND)) 0))")),
        "Turns go on until every player's hand is empty.",
    ),
    "the end is asked of who has just played": (
        later(turn(PASS)),
        "Turns go on until the hand of the player who has just played is empty.",
    ),
    "follow suit": (
        later(
            turn(
                choice(
                    f"(any (filter {HAND} 'C (== (cardatt SUIT 'C) (game str LED))) 'X"
                    " (move 'X (top (game vloc POOL))))",
                    f"((== (size (filter {HAND} 'C (== (cardatt SUIT 'C) (game str LED)))) 0)"
                    f" (any {HAND} 'X (move 'X (top (game vloc POOL)))))",
                )
            )
        ),
        "- Play to the pool a card from your hand whose suit is *Led*. "
        "- If there is no card in your hand whose suit is *Led*, play a card from your hand to the pool.",
    ),
    "none of the suit, said by all": (
        later(turn(PASS, do(f"((all {HAND} 'C (!= (cardatt SUIT 'C) HEARTS)) (inc (game sto N) 2))"))),
        "If there is no card in your hand whose suit is hearts, add 2 to *N*.",
    ),
    "the winner of a trick": (
        later(
            turn(
                PASS,
                do(
                    HEIGHT,
                    "(cycle next (owner (max (union (all player 'P ('P vloc TRICK))) using (game points HEIGHT))))",
                ),
            )
        ),
        "The player who has the card in the players' tricks with the highest *Height* takes the next turn.",
    ),
    "what wins a trick": (
        later(
            turn(
                PASS,
                do(
                    HEIGHT,
                    "(cycle next (owner (max (union (all player 'P ('P vloc TRICK))) using (game points HEIGHT))))",
                ),
            )
        ),
        "**Height**: from low to high queen, king, ace; a card whose suit is *Led* is higher than any other.",
    ),
    "what cards count": (
        later(
            do(
                "(set (game points PIPS) (((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)"
                " ((RANK : J) 10) ((RANK : Q) 10) ((RANK : Q) (SUIT : SPADES) 13)))"
            ),
            scoring="min (sum ((current player) vloc WON) using (game points PIPS))",
        ),
        "**Pips**: 2 to 4 = their number, ace = 1, jack and queen = 10; the queen of spades counts 13 more.",
    ),
    "a score below zero": (
        later(
            do("(set (game points PIPS) (((RANK : A) (- 0 5))))"),
            scoring="max (sum ((current player) vloc WON) using (game points PIPS))",
        ),
        "ace = \N{MINUS SIGN}5.",
    ),
    "alike in rank": (
        later(
            turn(
                choice(
                    f"(any (filter {HAND} 'C (== (cardatt RANK 'C) (cardatt RANK (top (game vloc POOL))))) 'X"
                    " (move 'X (top (game vloc POOL))))"
                )
            )
        ),
        "You have to play to the pool a card from your hand of the same rank as the top card of the pool.",
    ),
    "a set of one rank": (
        later(
            do("(set (game points ORDER) (((RANK : A) 1) ((RANK : TWO) 2)))"),
            turn(
                choice(
                    f"(any (tuples 3 {HAND} using (game points ORDER)) 'S"
                    " (repeat all (move (top 'S) (top (game vloc MELD)))))"
                )
            ),
        ),
        "a set of three cards of the same rank from your hand",
    ),
    "a run": (
        later(
            do("(set (game points ORDER) (((RANK : A) 1) ((RANK : TWO) 2)))"),
            turn(
                choice(
                    f"(any (runs largest 3 {HAND} using (game points ORDER)) 'S"
                    " (repeat all (move (top 'S) (top (game vloc MELD)))))"
                )
            ),
        ),
        "a longest possible run of three cards or more from your hand with consecutive *Order*",
    ),
    "any two cards": (
        later(
            turn(
                choice(
                    f"(any (filter (subsets {HAND}) 'S (== (size 'S) 2)) 'PAIR"
                    " (repeat all (move (top 'PAIR) (top (game hloc CRIB)))))"
                )
            )
        ),
        "You have to move any two cards from your hand to the crib.",
    ),
    "any three cards": (
        later(turn(choice(f"(any (subsets 3 {HAND}) 'THREE (repeat all (move (top 'THREE) (top (game hloc CRIB)))))"))),
        "You have to move any three cards from your hand to the crib.",
    ),
    "choices inside one another": (
        later(
            turn(choice(f"(any {HAND} 'C (any (other player) 'O (move 'C (top ('O iloc HAND)))))")),
        ),
        "choose a card in your hand, and another player, then move that card to their hand",
    ),
    "what is true is distinguished": (
        later(do("((== (game sto A) 3) (inc (game sto B) 2))", "((!= (game sto A) 3) (dec (game sto B) 1))")),
        "1. If *A* is 3, add 2 to *B*. 2. Otherwise, subtract 1 from *B*.",
    ),
    "no otherwise after a change": (
        later(do("((== (game sto A) 3) (set (game sto A) 4))", "((!= (game sto A) 3) (dec (game sto B) 1))")),
        "1. If *A* is 3, set *A* to 4. 2. If *A* is not 3, subtract 1 from *B*.",
    ),
    "no otherwise after a roll": (
        later(
            do(
                "((== (cardatt PIPS (top (game vloc TRAY))) SIX) (roll (top (game vloc TRAY))))",
                "((!= (cardatt PIPS (top (game vloc TRAY))) SIX) (dec (game sto B) 1))",
            ),
            decks="(create die (game vloc TRAY) (deck (PIPS (ONE, SIX))))",
        ),
        "2. If the top die of the tray is not a 6, subtract 1 from *B*.",
    ),
    "no otherwise where the card has another owner": (
        later(
            do(
                f"(all {HAND} 'C (do ("
                "((== (owner 'C) (0 player)) (move 'C (top ((1 player) iloc HAND))))"
                "((!= (owner 'C) (0 player)) (dec (game sto B) 1)))))"
            )
        ),
        "2. If the owner of that card is not player 1, subtract 1 from *B*.",
    ),
    "no otherwise where chance decides between equals": (
        later(
            do(
                f"((== (cardatt SUIT (max {HAND} using (game points P))) HEARTS) (inc (game sto B) 2))",
                f"((!= (cardatt SUIT (max {HAND} using (game points P))) HEARTS) (dec (game sto B) 1))",
            )
        ),
        "is not hearts, subtract 1 from *B*.",
    ),
    "yes and no": (
        later(do("(set (game sto OPEN) 1)", "((== (game sto OPEN) 0) (inc (game sto N) 2))")),
        "1. Set *Open* to yes. 2. If *Open* is no, add 2 to *N*.",
    ),
    "nothing is noted": (
        later(
            do(
                "(set (game str LED) NONE)",
                "((== (game str LED) NONE) (set (game str LED) (cardatt SUIT (top (game vloc POOL)))))",
            )
        ),
        "1. Clear *Led*. 2. If nothing is noted as *Led*, note the suit of the top card of the pool as *Led*.",
    ),
    "so many rounds": (
        later(turn(do("(inc (game sto ROUND) 1)"), PASS, end="(== (game sto ROUND) 7)")),
        "Turns go on until seven turns have been played.",
    ),
    "more rounds than one can count": (
        later(turn(do("(inc (game sto ROUND) 2)"), PASS, end="(== (game sto ROUND) 7)")),
        "Turns go on until *Round* is 7.",
    ),
    "once around": (
        later(turn(PASS, do("(inc (game sto SEATS) 1)"), end="(== (game sto SEATS) (size player))")),
        "Turns go on until every player has had a turn.",
    ),
    "the same player again": (
        later(turn(turn(PASS, do("(cycle next current)"), end=f"(== (size {HAND}) 2)"))),
        "Again and again, until there are exactly two cards in your hand: 1. **You choose one of these**:",
    ),
    "a turn that may be left out": (
        later(
            turn(
                do("(set (game sto TODO) 1)"),
                turn(PASS, do("(set (game sto TODO) 0)"), end=f"(or (== (game sto TODO) 0) (== (size {HAND}) 0))"),
            )
        ),
        "1. If your hand is not empty, **you choose one of these**: - Pass.",
    ),
    "another one begins": (
        later(
            do(
                "(cycle current (owner (top (filter (union (all player 'P ('P iloc HAND))) 'C"
                " (and (== (cardatt RANK 'C) TWO) (== (cardatt SUIT 'C) CLUBS))))))"
            ),
            turn(PASS),
        ),
        "It is now the turn of the owner of the 2 of clubs in the players' hands.",
    ),
    "players are distinguished": (
        later(do("(all player 'X (all player 'Y ((> ('X sto LIVES) ('Y sto LIVES)) (inc ('X sto WINS) 1))))")),
        "For each player A: for each player whose *Lives* are less than player A's *Lives*, "
        "add 1 to player A's *Wins*.",
    ),
    "someone else's cards": (
        later(
            turn(
                PASS,
                do(
                    "(any (other player) 'P"
                    " ((== (cardatt RANK (top ('P vloc BUNDLE))) (cardatt RANK (top (game vloc POOL))))"
                    " (repeat all (move (bottom ('P vloc BUNDLE)) (top ((current player) vloc BUNDLE))))))"
                ),
            )
        ),
        "For each other player, if the top card of their bundle has the same rank as the top card of the pool, "
        "move all cards from their bundle to your bundle, in the order in which they lie.",
    ),
    "a list of places": (
        later(
            do("(all 'COLUMNS 'C (repeat 2 (move (top (game hloc STOCK)) (top (game vloc 'C)))))"),
            declares="(declare (LEFT, RIGHT) 'COLUMNS)",
        ),
        "For each column, move the top two cards of the stock to that column.",
    ),
    "what a value is called": (
        later(do("(let (size (game vloc POOL)) 'MANY ((> 'MANY 3) (inc (game sto N) 'MANY)))")),
        "1. Let *many* be the number of cards in the pool. 2. If *many* is more than 3, add *many* to *N*.",
    ),
    "a memory": (
        later(
            do("(remember (top (game vloc POOL)) (top (game mem SEEN)))", "(repeat all (forget (top (game mem SEEN))))")
        ),
        "1. Note the top card of the pool in the place *Seen*. 2. Clear the place *Seen*.",
    ),
    "arithmetic": (
        later(do("(set (game sto N) (+ (* 2 (game sto A)) (// (tri 3) (size player))))")),
        "Set *N* to (2 \N{MULTIPLICATION SIGN} *A*) + (6 ÷ the number of players (dropping the remainder)).",
    ),
    "chance": (later(do("(set (game sto N) (random 1 .. 6))")), "Set *N* to a random number from 1 to 6."),
    "a card below others": (
        later(do("(move (top (game vloc POOL)) (bottom (game hloc STOCK)))")),
        "Move the top card of the pool to the bottom of the stock.",
    ),
    "teams in turn": (
        later(
            "(stage team (end (== (game sto N) 3)) (do ((inc (game sto N) 1) (inc ((current team) sto SCORE) 2))))",
            players="4) (create teams (0, 2) (1, 3)",
        ),
        "for one team after another, beginning with the first team: "
        "add 2 to the *Score* of the team whose turn it is [1].",
    ),
    "who wins by cards": (later(PASS), "## The aim The player with the most cards in their place *Won* wins."),
    "who wins by a number": (
        later(PASS, scoring="max ((current player) sto LAST)"),
        "The player with the highest *Last* wins.",
    ),
    "who wins by points": (
        later(PASS, scoring="min ((current player) sto POINTS)"),
        "The player with the fewest *Points* wins.",
    ),
    "which team wins": (
        later(PASS, players="4) (create teams (0, 2) (1, 3)", scoring="max ((team (current player)) sto SCORE)"),
        "The team with the highest *Score* wins; its players share the score.",
    ),
    "alone": (
        later(PASS, players="1", scoring="max (size (game vloc PILE))"),
        "Your score is the number of cards in the pile; the higher, the better.",
    ),
    "a turn handed on": (
        later(turn(PASS, do("(cycle current next)", "(inc ((current player) sto N) 2)"))),
        'The turn passes to the next player at once, who is "you" from here on. 3. Add 2 to your *N*.',
    ),
    "a condition of the first step only": (
        later(do("(all player 'P (do (((== ('P sto N) 2) (inc ('P sto M) 3)) (set ('P sto L) 1))))")),
        "For each player: 1. If their *N* is 2, add 3 to their *M*. 2. Set their *L* to 1.",
    ),
    "a condition of the first step of an option": (
        later(turn(choice("(do (((== (game sto A) 1) (inc (game sto B) 2)) (set (game sto C) 3)))", "(turn pass)"))),
        "- All of this, in order: 1. If *A* is 1, add 2 to *B*. 2. Set *C* to 3. - Pass.",
    ),
    "groups that are bound": (
        later(do("(let (partition SUIT (game vloc POOL)) 'MATCHES (set (game sto N) (size 'MATCHES)))")),
        "Let *matches* be the groups of all cards of one suit in the pool.",
    ),
    "a deck of combinations": (
        later(
            PASS,
            decks="(create deck (game hloc S) (deck (NUMBER (ONE, TWO)) (COPY (ONE)) (HUE (YELLOW))))",
        ),
        "Two cards: of yellow, every combination of number (1 and 2) and copy (1).",
    ),
    "brackets around one step": (
        later(do("(all player 'P (do (((== ('P sto N) 2) (do ((inc ('P sto M) 3)))))))")),
        "For each player whose *N* is 2, add 3 to their *M*.",
    ),
    "until everybody has something": (
        later(turn(PASS, end="(all player 'P (> (size ('P vloc TRICK)) 0))")),
        "Turns go on until no player's trick is empty.",
    ),
    "a choice of who begins": (
        later(turn(choice(f"(any {HAND} 'C (move 'C (top ((current player) vloc GIFT))))"), turn(PASS))),
        "The starting player has to play a card from their hand to their place *Gift*.",
    ),
    "the lowest, said by a filter": (
        later(
            turn(
                choice(
                    "(move (top (filter (game vloc POOL) 'C (== (score 'C using (game points WORTH))"
                    " (score (min (game vloc POOL) using (game points WORTH)) using (game points WORTH)))))"
                    f" (top {HAND}))"
                )
            )
        ),
        "You have to move the card from the pool with the lowest *Worth* (among equals, the last) to your hand.",
    ),
    "not this and that": (
        later(
            do("((and (== (game sto A) 2) (not (and (== (game sto B) 3) (== (game sto C) 4)))) (inc (game sto N) 2))")
        ),
        "If *A* is 2, and either *B* is not 3 or *C* is not 4, add 2 to *N*.",
    ),
    "the player before": (
        later(turn(do("(inc ((previous player) sto N) 2)"), PASS)),
        "Add 2 to the *N* of the player before you.",
    ),
    "skipping": (
        later(turn(PASS, do("(all player 'P ((== ((next player) sto LIVES) 0) (cycle current next)))"))),
        "As long as the next player's *Lives* are 0, that player is passed over.",
    ),
    "no skipping": (  # whoever it was before, the next player stays the next one
        later(turn(PASS, do("(all player 'P ((== ((next player) sto LIVES) 0) (cycle next next)))"))),
        "Once for each player: if the next player's *Lives* are 0, the turn then goes on as usual.",
    ),
    "for all of them this or that, or something else": (
        later(
            do(
                "((or (all player 'P (or (== ('P sto A) 2) (== ('P sto B) 3))) (== (game sto C) 4))"
                " (inc (game sto N) 2))"
            )
        ),
        "If for every player, either their *A* is 2 or their *B* is 3, or *C* is 4, add 2 to *N*.",
    ),
    "as many cards as a sum": (
        later(do("((== (size (game vloc POOL)) (- 12 (game sto A))) (inc (game sto N) 2))")),
        "If the number of cards in the pool is equal to 12 \N{MINUS SIGN} *A*, add 2 to *N*.",
    ),
    "players with fewer cards than another place has": (
        later(do("((any player 'P (< (size ('P iloc HAND)) (size (game vloc POOL)))) (inc (game sto N) 2))")),
        "a player such that the number of cards in their hand is less than the number of cards in the pool,",
    ),
    "a condition behind one that takes up its sentence": (
        later(
            turn(
                choice(
                    f"(any (filter {HAND} 'C (or (== (game sto A) 2) (all (game vloc POOL) 'D (!= 'C 'D)))) 'X"
                    " (move 'X (top (game vloc POOL))))"
                )
            )
        ),
        "a card A from your hand such that *A* is 2, or such that there is no card in the pool that is card A.",
    ),
    "whose hand is meant where all choose at once": (
        later(
            turn(
                "(together player (choice ((any (other player) 'P"
                " (do ((set ((current player) sto N) (size ('P iloc HAND))) (inc (game sto M) 2)))))))"
            )
        ),
        "has to choose another player, then set their *N* to the number of cards in that player's hand; then add 2 to",
    ),
    "what is done several times for each player": (  # for one after the other, as the stock may become empty
        later(
            do(
                "(all player 'P (repeat 2 ((> (size (game hloc STOCK)) 0)"
                " (move (top (game hloc STOCK)) (top ('P iloc HAND))))))"
            )
        ),
        "For each player: twice: if the stock is not empty, draw the top card of the stock into their hand.",
    ),
    "what is counted before a loop inside a loop": (
        later(
            "(stage player (end (>= (game sto A) 2)) (do ((inc (game sto A) 1)))"
            " (stage player (end (== (size (game hloc STOCK)) 0))"
            " (do ((move (top (game hloc STOCK)) (top (game vloc POOL)))))))"
        ),
        "Until *A* is at least 2, again and again: 1. Add 1 to *A*. 2. Until the stock is empty, again and again: turn",
    ),
    "a word of the table file": (
        later(do("(inc (game sto POT) 2)"), table='[labels]\nPOT = "Jackpot"'),
        "Add 2 to *Jackpot*.",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_page_says_what_its_text_says(name: str) -> None:
    explained, wanted = SAID[name]
    assert wanted in explained()


def test_a_list_of_40_is_shown_whole() -> None:
    assert "shadefd and shadefe." in page(PASS, declares=f"(declare ({', '.join(SHADES[:40])}) 'SHADES)")


def test_what_may_not_be_written_is_written_in_no_page() -> None:
    """A label is text, whatever Markdown would make of it."""
    explained = page(do("(inc (game sto POT) 2)"), table='[labels]\nPOT = "a | b *c* <i> [d](e)"')
    html = MarkdownIt("js-default").enable("table").render(explained.replace("- **", "\n\n- **"))
    assert "a | b *c* &lt;i&gt; [d](e)" in html


@library
def test_a_page_of_the_library_is_plain_english(name: str) -> None:
    _, _, explained = book(name)
    assert explained.startswith(f"# {header((FOLDER / f'{name}.rcy').read_text(encoding='utf-8'))['Title']}\n")
    assert 1500 < len(explained) < LONGEST_WITH_WORDING
    assert not re.search(r"(?<!\w)'[A-Z]+\b", explained), "a raw variable"
    assert not re.search(r"\b(cardatt|iloc|vloc|hloc|oloc|sto|condact)\b", explained), "a word of the language"
    assert not re.search(r"\((?:size|top|bottom|sum|score|current|owner|filter|union|==|!=|game) ", explained), (
        "a bracket form"
    )
    assert not re.search(r"\bNone\b|\bnothing at all\b|(?<!\+ )…", explained)
    assert not re.search(r"\S {2,}\S| [.,;:]|\.\.|,,", explained), "a gap or doubled stop"
    assert not re.search(r"\b(an other|a ace|a 8|are a|is are)\b", explained)
    assert not re.search(r"\b(the the|of of|to to|that that)\b", explained.replace("such that that", ""))


@library
def test_a_page_of_the_library_says_where_all_cards_lie_and_what_is_kept(name: str) -> None:
    tree, labels, explained = book(name)
    survey = Survey(tree)
    words = CourseOfPlay(tree, survey, labels, Book())
    low = explained.lower()
    for node in walk(tree):
        if isinstance(node, Place):
            for text in survey.domain(node.name) or []:
                word = str(words.place_label(text)).split()[-1].lower()
                assert word in low, f"the place {text}"
        if isinstance(node, Ref):
            for text in survey.domain(node.name) or []:
                if text not in labels.hidden_stores:
                    assert str(words.book.label(labels.word(text))).lower() in low, f"the store {text}"


@library
def test_a_page_of_the_library_has_a_line_for_each_option(name: str) -> None:
    tree, _, explained = book(name)
    several = [node for node in walk(tree.blocks) if isinstance(node, Choice) and len(node.steps) > 1]
    options = sum(len(choice.steps) for choice in several)
    lists = re.findall(rf"choose[s]? one of these\*\*{NOTED}:\n((?: *- .*\n(?:(?: {{4,}}\d+\..*\n))*)+)", explained)
    lines = sum(len(re.findall(r"(?m)^ *- ", found)) for found in lists)
    assert lines >= options
    assert explained.count("one of these**") >= len(several)


@library
def test_a_page_of_the_library_is_a_list_of_lists_and_no_code(name: str) -> None:
    html = MarkdownIt("js-default").enable("table").render(book(name)[2])
    assert "<code>" not in html, "nothing is set in so far that it is taken for code"
    assert "<ol>" in html
    assert "<table>" in html
    assert html.count("<h1>") == 1


def test_pages_of_the_library_say_how_their_games_are_played() -> None:
    said = {
        "agram": "Tricks go on until every player's hand is empty.",
        "blackjack": "Set your *State* to *stand*.",
        "cuckoo": "As long as the next player's *Lives* are 0, that player is passed over.",
        "go-fish": "Clear each player's *Asked for*.",
        "golf": "If the stock is empty: move all cards from the discard pile but the top one to the stock",
        "gops": "If there is exactly one card in *highest bids*",
        "hearts": "It is now the turn of the owner of the 2 of clubs in the players' hands.",
        "kuhn": "The player with the most *Chips* wins.",
        "stealing": "The player with the most cards in their bundle wins.",
        "whist": "For each team whose *Tricks* are more than 6, add that team's *Tricks* \N{MINUS SIGN} 6 to that team",
    }
    for name, sentence in said.items():
        assert sentence in re.sub(rf"{NOTED}(?=[.:\n])", "", book(name)[2]), name


@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
@pytest.mark.parametrize("end", ["(< (size player) 2)", "(== (size player) 0)", "(== (size player) 2)"])
def test_an_empty_gap_in_a_sentence_leaves_one_space(end: str, language: str) -> None:
    turns = "(stage player (end (== 0 1)) (choice ((set ((current player) sto A) 1))))"
    counted, once_more = f"(stage player (end {end}) {turns})", f"(stage player (end (== 0 1)) {turns})"
    setup = f"(setup (create players 4) (create deck (game hloc STOCK) {PACK}))"
    explained = explain(read(f"(game {setup} {counted} {once_more} (scoring max 0))"), Labels(), {}, language)
    assert not re.search(r"\S {2,}\S", explained)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("nl", "er meer dan twee spelers zijn:"),
        ("de", "zwei Personen gibt:"),
        ("fr", "il y a plus de deux joueurs"),
    ],
)
def test_a_count_of_all_players_has_the_word_order_of_a_condition(language: str, sentence: str) -> None:
    deal = do(f"((> (size player) 2) (move (top (game hloc STOCK)) (top {HAND})))")
    assert sentence in page(deal, players="2 .. 4", language=language)


@examples(30)
@given(texts())
def test_any_text_is_explained(text: str) -> None:
    try:
        tree = read(text)
    except BadText:
        return
    explained = explain(tree, Labels(), {"Title": "Any"})
    assert explained.startswith("# Any\n")
    assert len(explained) <= LONGEST_WITH_WORDING
    assert not re.search(r"(?<!\w)'[A-Z]+\b", explained)
    assert not re.search(r"\bNone\b|\S {2,}\S|<games\.|object at 0x", explained)
    assert "## The aim" in explained


def test_a_text_that_is_very_deep_or_very_long_has_a_page_of_bounded_length() -> None:
    deep = "(size (game vloc A))"
    for _ in range(MAX_DEPTH - 20):
        deep = f"(+ 1 {deep})"
    doubled = " ".join(
        f"(declare (+ '{one} '{one}) '{other})"
        for one, other in zip("ABCDEFGHIJKLMNOPQRSTUVW", "BCDEFGHIJKLMNOPQRSTUVWX", strict=True)
    )
    start = "(declare (size (range 1 .. 3)) 'A)"
    long = " ".join("(inc (game sto N) 1)" for _ in range(2_900))
    for explained in (
        page(do(f"(set (game sto N) {deep})")),
        page(do("(set (game sto N) 'X)"), declares=f"{start} {doubled}"),
        page(do(long)),
    ):
        assert 500 < len(explained) <= LONGEST_WITH_WORDING


@pytest.mark.parametrize("language", ["nl", "fr", "de"])
@pytest.mark.parametrize("path", STRANGERS, ids=lambda path: path.stem)
def test_the_page_of_a_text_that_nobody_has_tuned_anything_for_is_in_every_language(path: Path, language: str) -> None:
    tree = read(path.read_text(encoding="utf-8"))
    english = explain(tree, Labels(), {"Title": "A Game"})
    page = explain(tree, Labels(), {"Title": "A Game"}, language)
    for sign in ("\n# ", "\n## ", "\n- ", "\n1. "):
        assert page.count(sign) == english.count(sign), sign
    assert not re.search(r"\b(the|with|whose|your|their|cards?|moves?|tricks?)\b", re.sub(r"\*[^*]+\*", "", page))
    assert not re.search(r"[{}\[\]]| ,|\S {2,}\S", re.sub(NOTED, "", page)), "a slot that is not filled, or a gap"


def test_german_words_stand_in_their_case() -> None:
    text = f"""(game (setup (create players 3) (create deck (game hloc STOCK) {PACK}))
      (do ((move (top (game hloc STOCK)) (top (game vloc DISCARD))) (shuffle (game hloc STOCK))))
      (scoring max (size ((current player) vloc WON))))"""
    page = explain(read(text), Labels(), {"Title": "Ein Spiel"}, "de")
    assert "Deck die oberste Karte vom Talon auf und leg sie auf den Ablagestapel." in page
    assert "Misch den Talon." in page
    assert "Es gewinnt die Person, die die meisten Karten an ihrer Stelle *Gewonnen* hat." in page


@pytest.mark.parametrize("language", ["nl", "fr", "de"])
def test_a_verb_has_a_form_for_you(language: str) -> None:
    rules, *_ = _messages(language)
    templates = [rules["rules", f"{{what}} {{what|is|are}} {word}{{that}}"] for word in ("", "not ")]
    templates += [said for (_, message), said in rules.items() if "{person|" in message]
    assert len(templates) > 6
    assert [said for said in templates if not re.search(r"\{(what|person)(\|([^{}]|\{\w+\})*){3}\}", said)] == []


def test_who_is_you_is_said_with_its_own_verb() -> None:
    test = "(== (current player) (owner (max (union (all player 'P ('P vloc A))) using (game points W))))"
    written = turn(do(f"({test} (set (game who DEALER) (current player)))"), choice("(turn pass)"))
    assert "note yourself as *Dealer*" in page(written)
    for language, said in (("nl", " bent"), ("de", " bist"), ("fr", "vous êtes")):
        assert said in page(written, language=language), language


def test_only_where_a_card_is_not_named_the_page_says_what_it_counts() -> None:
    decks = "(create deck (game hloc STOCK) (deck (RANK (ACE, KING)) (SUIT (HEARTS, SPADES))))"
    counts = "(set (game points W) (((RANK : ACE) 4){}))"
    scoring = "max (sum ((current player) vloc WON) using (game points W))"
    all_named, some_named = (
        page(do(counts.format(more)), PASS, decks=decks, scoring=scoring) for more in (" ((RANK : KING) 1)", "")
    )
    assert "that is not named" not in all_named
    assert "A card that is not named counts 0." in some_named


def test_a_round_in_which_it_is_nobodys_turn_is_begun_by_nobody() -> None:
    choose = f"(together player (choice ((move (top {HAND}) (top (game vloc POOL))))))"
    assert "begins the first round" not in page(turn(choose, end="(== (size (game vloc POOL)) 9)"))
    assert "begins the first round" in page(turn(choose, do("(inc ((current player) sto A) 1)")))


def test_cards_are_dealt_to_a_place_by_its_own_preposition() -> None:
    deal = do("(all player 'P (move (top (game vloc PILE)) (top ('P vloc ROW))))")
    said = page(deal, decks=f"(create deck (game vloc PILE) {PACK})", language="de")
    assert "vom Stapel in die Reihe jeder Person" in said


def test_numbers_and_dice_are_said_in_sentences() -> None:
    assert "Note a random player as *Mole*." in page(do("(set (game who MOLE) ((random 2) player))"))
    assert "(the number of players): " in page(
        do("(repeat (size player) (do ((set (game str A) X) (shuffle (game vloc A)))))")
    )


def test_what_a_let_around_a_choice_names_stands_before_the_choice() -> None:
    steps = (
        "((> 'N 3) (move (top (game hloc STOCK)) (top (game vloc A)))) (move (top (game vloc A)) (top (game vloc B)))"
    )
    let = f"(let (size {HAND}) 'N (choice ({steps})))"
    said = page(turn(let))
    assert (
        "1. Let *n* be the number of cards in your hand. 2. **You choose one of these**: - If *n* is more than 3"
        in said
    )
    assert said.count("Let *n* be") == 1
    assert "Let *n*" not in page(turn(f"(let 3 'N {choice('(turn pass)', '(shuffle (game vloc A))')})"))


def test_a_player_is_drawn_only_where_lots_are_drawn() -> None:
    luck, rounds = "(set (game sto LUCK) (random 3))", turn(choice("(turn pass)"))
    assert "drawn" not in page(do(luck, "(cycle current (1 player))"), rounds)
    for lots in (
        "(repeat (random 0 .. (- (size player) 1)) (cycle current (next player)))",
        "(cycle current ((random 2) player))",
    ):
        assert "The player who was drawn takes the first turn" in page(do(lots), rounds)


def test_what_is_of_a_team_is_said_of_a_team_in_every_language() -> None:
    step = "(all team 'T ((> ('T sto TRICKS) 6) (inc ('T sto POINTS) ('T sto TRICKS))))"
    for language, said in (
        ("en", "add that team's *Tricks* to that team's *Points*"),
        ("nl", "van dat team"),
        ("de", "dieser Mannschaft"),
        ("fr", "de cette équipe"),
    ):
        assert said in page("(do ((create teams (0, 1) (2, 3))))", do(step), players="4", language=language)


def test_declared_names_of_places_are_no_values_of_cards() -> None:
    move = "(all 'COLS 'C (move (top (game hloc STOCK)) (top (game vloc 'C))))"
    assert "The **cols** are A, B and C." in page(do(move), declares="(declare (A, B, C) 'COLS)")


def test_the_opposite_of_a_declared_test_is_said() -> None:
    said = page(turn(choice("(turn pass)"), end="(not 'LONG)"), declares="(declare (> 3 2) 'LONG)")
    assert "until 3 is at most 2" in said


def test_who_alone_has_the_most_is_said_as_that() -> None:
    end = """(any player 'P (and (>= ('P sto POINTS) 42)
      (== (size (filter player 'Q (>= ('Q sto POINTS) {}))) 1)))"""
    alone = turn(choice("(inc ((current player) sto POINTS) 1)"), end=end.format("('P sto POINTS)"))
    assert "until one player alone has the most *Points*, at least 42." in page(alone)
    assert "allein die meisten *Punkte* hat, mindestens 42" in page(alone, language="de")
    other = turn(choice("(inc ((current player) sto POINTS) 1)"), end=end.format("('P sto CHIPS)"))
    assert "alone" not in page(other), "another store"


SHOW = (
    do("(set (game sto SHOW) 0)", "(shuffle (game hloc STOCK))"),
    turn(do("(inc (game sto SHOW) 1)"), PASS, do("((== (game sto SHOW) 3) (shuffle (game hloc STOCK)))")),
)
NOTES = "1. Before this, set *Show* to 0. 2. Before this, add 1 to *Show*."


@pytest.mark.parametrize(
    ("blocks", "scoring", "noted"),
    [
        (SHOW, "max (size (game vloc POOL))", True),
        (SHOW, "max (game sto SHOW)", False),
        ((*SHOW, turn(choice("(set (game sto SHOW) 2)"))), "max (size (game vloc POOL))", False),
        ((*SHOW, do("(set (game sto SHOW) (score (top (game vloc POOL)) using (game points P)))")), "max 0", False),
        ((*SHOW, do("(inc (game sto CHIPS) (game sto SHOW))")), "max (game sto CHIPS)", False),
    ],
    ids=["counts", "is scored", "is chosen", "is what a card counts", "is added to the score"],
)
def test_what_only_counts_is_set_in_notes(blocks: tuple[str, ...], scoring: str, noted: bool) -> None:
    said = page(*blocks, scoring=scoring)
    assert (NOTES in said) == noted
    assert said.count("dd 1 to *Show*") == 1


def test_a_hidden_store_is_set_in_a_note_that_says_to_which_step_it_belongs() -> None:
    step = "((== (game sto DEAL) 1) (do ((set (game str WAY) LEFT) (set (game sto SEATS) 1))))"
    move = "(all player 'P (move (top (game hloc STOCK)) (top (((game sto SEATS) player) iloc HAND))))"
    explained = page(do(step, move), table='[hide]\nstores = ["SEATS"]')
    assert "1. If *Deal* is 1, set *Way* to *left* [1]. 2." in explained
    assert "1. Then, as part of this step, set *Seats* to 1." in explained
    assert "## Notes" not in page(do(step, move))
    apart = do("((== (game sto DEAL) 1) (set (game str WAY) LEFT))", "(set (game sto SEATS) 1)", move)
    assert "1. After this, set *Seats* to 1." in page(apart, table='[hide]\nstores = ["SEATS"]')


def test_a_label_with_the_character_that_marks_notes_has_a_page() -> None:
    label = f"{SIGN}{'9' * 5_000}{SIGN}"  # more digits than Python turns into a number
    counted = do("(set (game sto DEAL) (size (game vloc POOL)))")
    assert "## The aim" in page(counted, table=f'[labels]\nDEAL = "{label}"')


def test_what_is_set_on_a_condition_is_said_where_it_happens() -> None:
    step = "((== (size (game vloc POOL)) 3) (set (game sto OVER) 1))"
    explained = page(turn(do(step), PASS, end="(== (game sto OVER) 1)"), table='[hide]\nstores = ["OVER"]')
    assert "If there are exactly three cards in the pool, set *Over* to yes." in explained


def test_what_a_let_names_is_called_as_the_table_file_says_in_every_language() -> None:
    named = do("(let (size (game vloc POOL)) 'HIGH ((> 'HIGH 3) (inc (game sto N) 'HIGH)))")
    table = """[labels]\n"'HIGH" = "highest value"\nHIGH = "Something else\""""
    for language, said in (
        ("en", "Let *highest value* be the number of cards in the pool. 2. If *highest value* is more than 3"),
        ("nl", "Noem dit *hoogste waarde*:"),
        ("de", "Nenne dies *höchster Wert*:"),
        ("fr", "*valeur la plus haute*"),
    ):
        assert said in page(named, table=table, language=language), language
    assert "Noem dit *kleur*:" in page(named.replace("'HIGH", "'SUIT"), language="nl"), "a word that is known"


@pytest.mark.parametrize("language", ["nl", "de", "fr"])
def test_what_texts_of_the_library_name_has_a_word_in_every_language(language: str) -> None:
    words = Book(language)
    for name in NAMES:
        tree, labels, _ = book(name)
        for node in walk(tree):
            if isinstance(node, Let) and not isinstance(node.value, Place):
                given = labels.words[f"'{node.var.name}"]
                assert str(words.label(given)) != given, (name, node.var.name)
            elif isinstance(node, Declare) and node.var.type is Type.STRS:
                assert words.knows(singular(node.var.name.lower())), (name, node.var.name)


def test_a_page_has_the_beginning_of_the_same_match_as_an_example_in_every_language() -> None:
    hearts = catalogue.find("hearts")
    thirteen = next(line for line in example(hearts, beginning(hearts), "en") if "gets [[" in line)
    assert [len(row.split()) for row in re.findall(r"\[\[(.*?)\]\]", thirteen)] == [12, 1], "a row is not longer"
    game = catalogue.find("cribbage")
    pages = [game.rules_page(), game.rules_page("nl")]
    for page, line in zip(pages, ("- Anna plays [[3D]].", "- Anna speelt [[3D]]."), strict=True):
        assert line in page
        assert "3\N{BLACK DIAMOND SUIT}" in in_signs(page)
        assert "[[" not in in_signs(page)
