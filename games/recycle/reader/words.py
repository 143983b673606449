"""Words that the language does not have: what their author may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from games.core.messages import message

# Words of other programming languages, and what to write instead.
FROM_OTHER_LANGUAGES = {
    "if": message("A test comes before what depends on it: (TEST ACTION)."),
    "when": message("A test comes before what depends on it: (TEST ACTION)."),
    "else": message("Write the opposite test: ((not TEST) ACTION)."),
    "for": message("For every member of something: (all COLLECTION 'X STEP)."),
    "foreach": message("For every member of something: (all COLLECTION 'X STEP)."),
    "while": message("Again and again until a test holds: (stage player (end TEST) BLOCK ...)."),
    "loop": message("So many times: (repeat NUMBER ACTION)."),
    "deal": message("Deal cards with (move (top (game iloc STOCK)) (top ('P iloc HAND)))."),
    "draw": message("Draw cards with (move (top (game iloc STOCK)) (top ((current player) iloc HAND)))."),
    "count": message("Write (size COLLECTION) for how many they are."),
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to ``word``, None if no word is similar."""
    if len(word) > 40:  # not a typo, and slow to compare
        return None
    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else None
