"""What the names of places usually mean, in every text: the one table behind tables, buttons, log and rules page.

A row has what a place is for, and the names of such places. A name with ``*`` is no noun by itself: a sentence says
"the stock", but "the place *Played*". After ``=`` is what players call it, if not the name.
"""

from __future__ import annotations

_TABLE = """
hands     HAND HANDS CARDS
stocks    STOCK DECK DRAW=draw_pile DRAWPILE=draw_pile STOCKPILE TALON PACK POND BOX SUPPLY PRIZES
discards  DISCARD=discard_pile DISCARDS DISCARDPILE=discard_pile WASTE TRASH GRAVEYARD SCRAP BURN* OUT*
tricks    TRICK LEAD*
played    PLAYED* PLAY* INPLAY* PLAYAREA*
bids      BID BIDS BET BETS
melds     MELD MELDS SETS RUNS BOOKS TABLEAU ROW
won       WON* WINS* TRICKSWON*=tricks_won CAPTURED* CAPTURES* TAKEN* SCOREPILE* BUNDLE EATEN*
shown     STARTER TRUMP TRUMPCARD* TURNED* UP* UPCARD PRIZE CURRENT* ACTIVE* SHOWN* DRAWN*
others    PILE PILES POOL BUNDLES TRICKS ROWS COLUMN COLUMNS CRIB SPARE CASH HOUSE CARD OFFER POT KITTY FOUNDATION
others    FOUNDATIONS BANK BOARD MARKET RIVER RESERVE STACK STACKS BAG BIN LINE
"""

_ENTRIES = [
    (use, *entry.partition("=")[::2])
    for use, *entries in map(str.split, _TABLE.strip().split("\n"))
    for entry in entries
]
NOUNS = frozenset(name.lower() for _, name, _ in _ENTRIES if not name.endswith("*"))
USUAL = {name.rstrip("*"): label.replace("_", " ").capitalize() for _, name, label in _ENTRIES if label}


def used_for(what: str) -> frozenset[str]:
    """Return the names of places that are for ``what``, the first word of a row."""
    return frozenset(name.rstrip("*") for use, name, _ in _ENTRIES if use == what)
