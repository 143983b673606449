"""Actions with cards and stores in words, inferred from the names of places and who sees them.

A verb is three templates: the button of a move, the log entry, and the prompt. They are whole sentences, each a key of
a translation catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.view import Arg, Sentence, say, seat_arg
from games.recycle import phrase_book as book
from games.recycle.cards import PieceKind
from games.recycle.labels import Labels
from games.recycle.moves import Where
from games.recycle.phrase_book import Verb, used_for

HANDS, STOCKS, DISCARDS = used_for("hands"), used_for("stocks"), used_for("discards")
TRICKS, PLAYED, BIDS, MELDS = used_for("tricks"), used_for("played"), used_for("bids"), used_for("melds")
WON, SHOWN = used_for("won"), used_for("shown")
SPOKEN = frozenset({"BID", "BET", "RAISE", "CALL", "GUESS", "PAY", "ASK", "CLAIM", "DECLARE"})  # stores that are verbs

MOST_NAMED = 8  # cards; for more, only their number is written


def is_hand(where: Where) -> bool:
    """Return whether a place is a player's hand."""
    return where.owner >= 0 and where.vis != "mem" and (where.name in HANDS or where.name.endswith("HAND"))


def is_named_after(labels: Labels, where: Where, kind: PieceKind) -> bool:
    """Return whether a place is called what lies there: "tokens". A sentence about these need not name it."""
    return book.UNNAMED[kind][1] == f"{{count}} {labels.bare(where.name)}"


def is_stock(where: Where) -> bool:
    """Return whether a place is a stock: it belongs to the table, and nobody sees its cards."""
    return where.owner < 0 and (where.vis in ("hloc", "iloc") or where.name in STOCKS)


@dataclass(frozen=True, slots=True)
class Going:
    """Cards that go from one place to another, and what their mover knows of them."""

    source: Where
    target: Where
    count: int
    seen: bool  # the mover sees them
    whole: bool = False  # they are all that lay there
    top: bool = True  # it is the uppermost card that goes


def of_cards(labels: Labels, cards: Going, mover: int) -> Verb:
    """Return the verb for moving cards."""
    found = _inferred(cards, mover)
    for key in (f"{cards.source.name}>{cards.target.name}", cards.target.name):
        if key in labels.verbs:
            return _complete(labels.verbs[key], found)
    return found


def has_own(labels: Labels, source: Where, target: Where) -> bool:
    """Return whether the table file says what moving cards this way is called."""
    return f"{source.name}>{target.name}" in labels.verbs or target.name in labels.verbs


def _inferred(cards: Going, mover: int) -> Verb:
    source, target = cards.source, cards.target
    if target.owner >= 0 and target.owner != mover:
        return book.GIVE if is_hand(target) else book.PUT_ON
    if source.owner >= 0 and source.owner != mover:
        return book.TAKE_OF if is_hand(source) else book.TAKE_OFF
    return _out_of_own(source, target) if source.owner >= 0 else _off_the_table(cards)


def _out_of_own(source: Where, target: Where) -> Verb:
    for names, verb in (
        (TRICKS, book.PLAY_TRICK),
        (PLAYED, book.PLAY),
        (DISCARDS, book.DISCARD),
        (BIDS, book.BID),
        (MELDS, book.LAY_OUT),
    ):
        if target.name in names:
            return verb
    if target.vis == "vloc" and is_hand(source):
        return book.PLAY_TO
    return book.LAY if target.vis in ("hloc", "iloc") else book.PUT


def _off_the_table(cards: Going) -> Verb:
    source, target = cards.source, cards.target
    blind = not cards.seen and cards.count == 1 and cards.top
    if is_stock(source):
        if target.vis == "vloc" and (target.owner < 0 or not is_hand(target)):
            return book.TURN_TOP if blind else book.TURN_UP
        return book.DRAW_TOP if blind else book.DRAW
    if target.owner >= 0:
        return book.TAKE_ALL if cards.whole and cards.count > 1 else book.TAKE
    return book.PUT if source.name in SHOWN else book.MOVE_ON


def of_store(labels: Labels, store: tuple[str, int, str], value: int | str | None, mover: int) -> Verb:
    """Return the verb for setting a store to a value; None: one that is drawn."""
    kind, number, name = store
    found = book.SET_OF if kind == "player" and number != mover else book.SPEAK if name in SPOKEN else book.SET
    if value is None:
        found = book.BY_LOT
    for key in (f"{name}={value}", name):
        if key in labels.verbs:
            return _complete(labels.verbs[key], found)
    return found


def of_passing(labels: Labels) -> Verb:
    """Return the verb for passing."""
    return _complete(labels.verbs["PASS"], book.PASS) if "PASS" in labels.verbs else book.PASS


def _complete(said: Verb, inferred: Verb) -> Verb:
    """Return a verb of a table file; what it does not say is as usual."""
    logged = said.logged or inferred.logged
    asked = said.asked or inferred.asked
    return Verb(said.label, logged, asked)


# -- gaps are filled


def called(labels: Labels, where: Where) -> str:
    """Return how a place is called inside a sentence."""
    return labels.phrase(labels.key(where.name, where.owner))


def list_cards(
    template: str,
    faces: Sequence[Arg],
    count: int,
    at: Sequence[int] = (),
    most: int = MOST_NAMED,
    kind: PieceKind = "deck",
) -> tuple[str, dict[str, Arg]]:
    """Put cards in place of ``{cards}``: ``faces``, or their number if the reader may not see them.

    ``at``: their places from the top, if needed to tell them apart; ``kind``: cards, dice or tokens.
    """
    if "{cards}" not in template:
        return template, {}
    if faces and len(faces) <= most:
        named = {f"card{place}": face for place, face in enumerate(faces, 1)}
        *others, last = [f"{{{name}}}" for name in named]
        return template.replace("{cards}", f"{', '.join(others)} and {last}" if others else last), named
    if len(at) == 1:
        if at[0] == 0:
            return template.replace("{cards}", "the top card"), {}
        return template.replace("{cards}", "card {at}"), {"at": at[0]}
    if count == 1:
        return template.replace("{cards}", book.UNNAMED[kind][0]), {}
    return template.replace("{cards}", book.UNNAMED[kind][1]), {"count": count}


def filled(template: str, **args: Arg) -> Sentence:
    """Return a sentence with the gaps that it has."""
    return say(template, **{name: arg for name, arg in args.items() if f"{{{name}}}" in template})


def gaps(labels: Labels, verb: Verb, source: Where, target: Where, mover: int) -> dict[str, Arg]:
    """Return what fills the gaps for places and for the other player."""
    other = target.owner if target.owner not in (-1, mover) else source.owner
    whose = "{whom}'s {place}" in verb.logged, "{whom}'s {from}" in verb.logged
    return {
        "place": labels.owned(target.name) if whose[0] else called(labels, target),
        "from": labels.owned(source.name) if whose[1] else called(labels, source),
        "whom": seat_arg(max(other, 0)),
    }


def store_gaps(labels: Labels, store: tuple[str, int, str], value: int | str | None, *, player: bool) -> dict[str, Arg]:
    """Return what fills the gaps for a store and its value. ``player``: the value is the seat of one."""
    kind, number, name = store
    said: Arg = value if isinstance(value, int) else (labels.value(value) if value else "none")
    if player and isinstance(value, int):
        said = seat_arg(value)
    return {"store": labels.word(name), "value": said, "whom": seat_arg(number if kind == "player" else 0)}
