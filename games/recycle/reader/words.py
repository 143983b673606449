"""Words that are not of the language: what was meant by them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

PLACES = ("vloc", "iloc", "hloc", "oloc", "mem")
STORES = ("sto", "str", "points")

# How each construct is written. A hint shows this where an author wrote it otherwise.
SHAPES = (
    {
        "game": "(game (setup ...) BLOCK ... (scoring max NUMBER))",
        "declare": "(declare VALUE 'NAME)",
        "setup": "(setup (create players 4) (create deck PLACE (deck ...)))",
        "scoring": "(scoring max NUMBER) or (scoring min NUMBER)",
        "stage": "(stage player (end TEST) BLOCK ...)",
        "end": "(end TEST)",
        "choice": "(choice (STEP STEP ...))",
        "do": "(do (STEP STEP ...))",
        "any": "(any COLLECTION 'NAME ...)",
        "all": "(all COLLECTION 'NAME ...)",
        "let": "(let VALUE 'NAME STEP)",
        "set": "(set (game sto NAME) NUMBER), (set (game str NAME) NAME) or (set (game points NAME) (AWARD ...))",
        "inc": "(inc (game sto NAME) NUMBER)",
        "dec": "(dec (game sto NAME) NUMBER)",
        "move": "(move CARD (top PLACE))",
        "remember": "(remember CARD (top (game mem NAME)))",
        "forget": "(forget CARD)",
        "shuffle": "(shuffle CARDS)",
        "turn": "(turn pass)",
        "cycle": "(cycle next PLAYER) or (cycle current PLAYER)",
        "repeat": "(repeat NUMBER ACTION) or (repeat all (move CARD (top PLACE)))",
        "create": "(create players 4), (create teams (0, 2) (1, 3)) or (create deck PLACE (deck ...))",
        "deck": "(deck (RANK (A, TWO, THREE)) (SUIT (CLUBS, HEARTS)))",
        "and": "(and TEST TEST ...)",
        "or": "(or TEST TEST ...)",
        "not": "(not TEST)",
        "tri": "(tri NUMBER)",
        "fib": "(fib NUMBER)",
        "random": "(random NUMBER) or (random NUMBER .. NUMBER)",
        "range": "(range NUMBER .. NUMBER)",
        "size": "(size COLLECTION)",
        "sum": "(sum CARDS using (game points NAME))",
        "score": "(score CARD using (game points NAME))",
        "cardatt": "(cardatt RANK CARD)",
        "current": "(current player) or (current team)",
        "next": "(next player) or (next team)",
        "previous": "(previous player) or (previous team)",
        "other": "(other player) or (other team)",
        "owner": "(owner CARD)",
        "team": "(team PLAYER)",
        "top": "(top CARDS) or (top NUMBER CARDS)",
        "bottom": "(bottom CARDS) or (bottom NUMBER CARDS)",
        "actual": "(actual CARD)",
        "max": "(max CARDS using (game points NAME))",
        "min": "(min CARDS using (game points NAME))",
        "union": "(union CARDS CARDS ...) or (union (all COLLECTION 'NAME CARDS))",
        "intersect": "(intersect CARDS CARDS ...)",
        "disjunction": "(disjunction CARDS CARDS ...)",
        "filter": "(filter COLLECTION 'NAME TEST)",
        "run": "(run top NUMBER CARDS using (game points NAME))",
        "sort": "(sort CARDS using (game points NAME))",
        "tuples": "(tuples NUMBER CARDS using (game points NAME))",
        "partition": "(partition SUIT CARDS ...)",
        "subsets": "(subsets CARDS)",
        "runs": "(runs largest NUMBER CARDS using (game points NAME)) or (runs all NUMBER ...)",
        "vloc": "(game vloc NAME) or ((current player) vloc NAME)",
        "iloc": "(game iloc NAME) or ((current player) iloc NAME)",
        "hloc": "(game hloc NAME) or ((current player) hloc NAME)",
        "oloc": "(game oloc NAME) or ((current player) oloc NAME)",
        "mem": "(game mem NAME) or ((current player) mem NAME)",
        "sto": "(game sto NAME) or ((current player) sto NAME)",
        "str": "(game str NAME) or ((current player) str NAME)",
        "points": "(game points NAME)",
    }
    | {sign: f"({sign} NUMBER NUMBER)" for sign in ("+", "-", "*", "//", "%", "^", "<", ">", "<=", ">=")}
    | {sign: f"({sign} VALUE VALUE), both of one kind" for sign in ("==", "!=")}
)

# Words that stand inside a construct and begin none.
INNER = ("player", "players", "teams", "pass", "using", "largest", "faro", "new")

KEYWORDS = frozenset(word for word in (*SHAPES, *INNER) if word.isalpha())

# Words that begin what is done, and what may hold several of that.
ACTIONS = frozenset(
    (
        "do",
        "any",
        "all",
        "let",
        "set",
        "inc",
        "dec",
        "move",
        "remember",
        "forget",
        "shuffle",
        "turn",
        "cycle",
        "repeat",
        "create",
    )
)
BLOCKS = frozenset(("stage", "choice", "do", "any", "all", "let"))

# Words of other languages, and how the same is said here.
ELSEWHERE = {
    "if": "A test stands before what depends on it: (TEST ACTION).",
    "when": "A test stands before what depends on it: (TEST ACTION).",
    "else": "Write the opposite test: ((not TEST) ACTION).",
    "for": "For every member of something: (all COLLECTION 'X STEP).",
    "foreach": "For every member of something: (all COLLECTION 'X STEP).",
    "while": "Again and again until a test holds: (stage player (end TEST) BLOCK ...).",
    "loop": "So many times: (repeat NUMBER ACTION).",
    "deal": "Cards are dealt by (move (top (game iloc STOCK)) (top ('P iloc HAND))).",
    "draw": "Cards are drawn by (move (top (game iloc STOCK)) (top ((current player) iloc HAND))).",
    "pass": "To do nothing is written (turn pass).",
    "count": "How many they are is written (size COLLECTION).",
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to ``word``."""
    if len(word) > 40:  # not a typo, and slow to compare
        return None
    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else None
