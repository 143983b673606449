"""Which places of a text are drawn, in which zone, and how they lie."""

from __future__ import annotations

from games.recycle import verbs
from games.recycle.compiler import Program
from games.recycle.labels import ZoneLayout
from games.recycle.layout import PlaceFact
from games.recycle.moves import Where

SLOTS = verbs.TRICKS | verbs.BIDS | verbs.SHOWN  # names of a player's open places for a card or two
PILES = verbs.WON | verbs.DISCARDS  # names of places of which only the top card matters
TABLE_PILES = PILES | verbs.STOCKS


def is_drawn(program: Program, where: Where) -> bool:
    """Return whether a place has a zone: none of the table file's [hide], and memories only if it says how they lie.

    The cards of the last trick are shown on request instead (see ``games.recycle.tricks``).
    """
    labels = program.labels
    if where.vis == "mem":
        return where.name in labels.layouts
    return where.name not in labels.hidden_places and not is_kept(program, where)


def is_trick(program: Program, where: Where) -> bool:
    """Return whether a place is where a player puts cards of a trick. All of these are shown as one zone."""
    return where.owner >= 0 and where.vis == "vloc" and where.name == program.tricks.place


def is_kept(program: Program, where: Where) -> bool:
    """Return whether the cards of the last trick lie side by side in a place of the table."""
    kept = where.owner < 0 and where.vis == "vloc" and where.name in program.tricks.kept
    return kept and layout_of(program, where) != "pile"


def layout_of(program: Program, where: Where) -> ZoneLayout:
    """Return how a place lies: as the table file says, else by whose it is, who sees it and what it is for."""
    name, owned = where.name, where.owner >= 0
    if name in program.labels.layouts:
        return program.labels.layouts[name]
    chosen = (where.vis, name) in program.uses.chosen_from
    if where.vis == "mem":
        return "row"
    if owned:
        if where.vis == "iloc":
            return "hand" if verbs.is_hand(where) or (chosen and name not in verbs.BIDS) else "slot"
        if where.vis == "hloc":
            return "row" if chosen else "pile"
        if name in SLOTS:
            return "slot"
        return "pile" if name in PILES and not chosen else "row"
    if where.vis in ("hloc", "iloc"):
        return "row" if chosen else "pile"
    if name in verbs.SHOWN:
        return "slot"
    return "pile" if not chosen and name in TABLE_PILES else "row"


def zone_of(program: Program, where: Where) -> str:
    """Return the id of the zone in which a place is drawn.

    What lies face down in a row, under open cards of a place of the same name and owner, is drawn with them.
    """
    if is_trick(program, where):
        return f"{where.vis}:{where.name}:all"
    if where.vis == "hloc" and where.name in program.layout.names:
        fact = PlaceFact("vloc", where.owner, program.layout.names[where.name])
        twin = Where("vloc", where.owner, where.name)
        rows = ("row", "slot")
        if fact in program.layout.places and layout_of(program, where) in rows and layout_of(program, twin) in rows:
            return twin.zone
    return where.zone
