"""How Card Thief looks on a table: the view of an observation, with the result of every path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from games.core.view import (
    Counter,
    Drawing,
    Grid,
    LegalMove,
    Look,
    Note,
    Odds,
    OddsRow,
    Paths,
    Piece,
    SeatView,
    Sentence,
    Space,
    Step,
    Zone,
    closed_pile,
    say,
    seat_arg,
)
from games.thief.board import CELLS, DIRECTIONS, MEMBERS, NEIGHBOURS, PLACES, SIDE, card_on, mask
from games.thief.cards import (
    BOX_WORTH,
    ENEMIES,
    SNEAK,
    STRONGBOX,
    TORCH,
    TORCH_COST,
    TRAP,
    TRAP_COST,
    TREASURE,
    Card,
)
from games.thief.end_of_turn import caught, settle
from games.thief.path import Path, Position, begin, enter, follow, legal_paths, price, slips
from games.thief.rules import REFUSALS, Observation, outcome, zone_id
from games.thief.vision import directions, light

# Why a step costs what it costs, and what it may lead to: shown next to the running totals.
NOTES = {
    "begin": say("Each card that does not touch your start adds 1 to the multiplier."),
    "lit": say("It is in the light: 1 more."),
    "watched": say("Another enemy watches it: 1 more."),
    "front": say("You come from its front: 1 more."),
    "alert": say("It is on the alert: 1 more for each alert."),
    "behind": say("From behind in the dark: free."),
    "out": say("The torch goes out."),
    "exposed": say("It is in the light, so it does nothing."),
    "refuge": say("If you end here, you are hidden and have at least 10 stealth."),
    "cleared": say("No cards are left. If you end here, you have at least 10 stealth."),
    "box": say("The Strongbox is yours. Outside, it is worth five times its price."),
    "noise": say("It makes a noise: enemies around it are alarmed and turn."),
    "howl": say("It howls: every enemy is alarmed."),
    "escape": say("You leave with the Strongbox and win."),
    "empty-handed": say("You leave without the Strongbox: the heist fails."),
    "risky": say("No stealth, in the light: you are caught here if a new enemy looks at you."),
    "shaded": say("No stealth, in the dark: you are caught here if new cards bring light and a gaze."),
    "doomed": say("No stealth: if you end here, you are seen when the cards fall, and caught."),
}

_LISTED_NOTES = [Note(mark=mark, text=text) for mark, text in (NOTES | REFUSALS).items()]
_NOTE_INDEX = {note["mark"]: index for index, note in enumerate(_LISTED_NOTES)}


def render(seen: Observation) -> Drawing:
    """Return what an audience sees."""
    mine = seen.seat == 0 and not seen.ending
    drawing = Drawing(
        phase=say("Turn {turn}, level {level}", turn=_turn(seen), level=seen.level),
        prompt=_prompt(seen),
        seats=[_seat(seen)],
        zones=_zones(seen),
        moves=_slips(seen.position) if mine else [],
        grids=[_grid(seen.position)],
        odds=_left(seen),
    )
    if mine:
        drawing["paths"] = _paths(seen)
    if seen.ending:
        drawing["outcome"] = outcome(seen.ending, seen.gems, seen.box)
    return drawing


def _turn(seen: Observation) -> int:
    """Return the number of the turn under way, or of the last."""
    return seen.turn + (not seen.ending)


def _prompt(seen: Observation) -> Sentence:
    if seen.ending:
        return outcome(seen.ending, seen.gems, seen.box)
    if seen.seat != 0:
        return say("Waiting for {seat} to draw a path", seat=seat_arg(0))
    if not legal_paths(seen.position):
        return say("Your turn: there is no path, so slip past an enemy")
    if seen.position.stealth <= 0:
        return say("Your turn: out of stealth, so avoid lit cells that an enemy looks at")
    return say("Your turn: draw a path over the cards")


def _seat(seen: Observation) -> SeatView:
    counters = [
        Counter(id="stealth", label=say("Stealth"), value=seen.position.stealth, icon="stealth"),
        Counter(id="gems", label=say("Gems"), value=seen.gems, icon="gem"),
        Counter(id="box", label=say("Strongbox value"), value=BOX_WORTH * seen.box, icon="strongbox"),
        Counter(id="turn", label=say("Turn"), value=_turn(seen), icon="moon"),
    ]
    if seen.position.slips:
        counters.append(Counter(id="slips", label=say("Slips in a row"), value=seen.position.slips))
    state: Literal["in", "out", "won"] = "in" if not seen.ending else "won" if seen.ending == "won" else "out"
    return SeatView(seat=0, state=state, counters=counters, marks=[])


def _zones(seen: Observation) -> list[Zone]:
    deck = closed_pile("deck", say("Deck"), sum(count for _, count in seen.left), "heist")
    if seen.deck:
        deck["pieces"] = [
            Piece(id=f"deck#{index}", face=card.kind, label=_label(card)) for index, card in enumerate(seen.deck)
        ]
    zones = [deck, Zone(id="taken", label=say("Taken"), layout="pile", pieces=[])]
    if seen.rolls:
        rolls = [
            Piece(
                id=f"roll#{index}",
                face=f"roll-{roll.roll}",
                label=say("{step}: rolled {roll}, {outcome}", step=roll.step, roll=roll.roll, outcome=roll.outcome),
            )
            for index, roll in enumerate(seen.rolls)
        ]
        zones.append(Zone(id="director", label=say("The director's last deal"), layout="notes", pieces=rolls))
    return zones


def _label(card: Card) -> Sentence:
    if card.value and card.kind != STRONGBOX:  # its price is on the badge
        return say("{card} {value}", card=card.kind, value=card.value)
    return say("{card}", card=card.kind)


def _grid(position: Position) -> Grid:
    start = begin(position)
    cells = []
    for cell, card in enumerate(position.board):
        look = _look(card, cell, *_lights(start, cell))
        if card is None:
            pieces = [Piece(id="thief", face="thief", label=say("The thief"))] if cell == position.thief else []
        else:
            pieces = [Piece(id=f"card:{card.number}", face=card.kind, label=_label(card))]
            if "badge" in look:
                pieces[0]["badge"] = look["badge"]
        cells.append(Space(id=zone_id(cell), pieces=pieces, marks=look["marks"], label=say(PLACES[cell])))
    return Grid(id="house", label=say("The house"), columns=SIDE, cells=cells)


def _lights(path: Path, cell: int) -> tuple[bool, bool]:
    """Return whether a cell is lit, and whether it is watched, at the end of ``path``."""
    return bool(path.lit >> cell & 1), bool(path.watched >> cell & 1)


def _look(card: Card | None, cell: int, lit: bool, watched: bool) -> Look:
    """Return how a cell looks: light, gazes, and what its card costs or brings now."""
    look = Look(marks=[mark for mark, seen in (("lit", lit), ("watched", watched)) if seen])
    if card:
        if card.kind in ENEMIES:
            look["marks"] += [f"looks-{DIRECTIONS[facing]}" for facing in directions(card, cell)]
            if card.alert:
                look["marks"].append(f"alert-{card.alert}")
        if badge := _badge(card, lit=lit, watched=watched):
            look["badge"] = badge
    return look


def _badge(card: Card, *, lit: bool, watched: bool) -> str:
    """Return what a card costs or brings now, entered from a flank and before the multiplier."""
    if card.kind in ENEMIES:
        return f"-{price(card, lit=lit, watched=watched, front=False)}"
    if card.kind == SNEAK:
        return "" if lit else f"+{card.value}"
    costs = {TORCH: TORCH_COST, TRAP: TRAP_COST, STRONGBOX: card.value}
    if card.kind in costs:
        return f"-{costs[card.kind]}"
    return str(card.value) if card.kind == TREASURE else ""


def _left(seen: Observation) -> Odds:
    rows = [OddsRow(piece=kind, cells=[str(count)]) for kind, count in seen.left]
    return Odds(title=say("Left in the deck"), columns=[say("Cards")], rows=rows)


def _slips(position: Position) -> list[LegalMove]:
    moves = []
    for cell in slips(position):
        card = card_on(position.board, cell)
        label = say("Slip past the {card} ({where})", card=card.kind, where=PLACES[cell])
        moves.append(LegalMove(move=f"slip {cell}", label=label, pieces=["thief"], target=f"piece:card:{card.number}"))
    return moves


# -- paths and their results


def _paths(seen: Observation) -> Paths:
    position = seen.position
    start = begin(position)
    looks = _Looks()
    return Paths(
        verb="path",
        pieces={str(cell): f"card:{card.number}" for cell, card in enumerate(position.board) if card},
        columns=[say("Multiplier"), say("Change"), say("Stealth"), say("Loot")],
        notes=_LISTED_NOTES,
        start=_step(start, start, _onward(position), looks, boxed=seen.box > 0),
        looks=looks.listed,
    )


class _Looks:
    """The looks of cells while paths are drawn over them. Each is listed once: thousands of steps share a few."""

    def __init__(self) -> None:
        self.listed: list[Look] = []
        self._indices: dict[tuple[Card | None, int, bool, bool], int] = {}

    def index(self, path: Path, cell: int) -> int:
        """Return the index in ``listed`` of the look of a cell at the end of ``path``."""
        card = path.cards[cell] if path.left >> cell & 1 else None
        key = (card, cell, *_lights(path, cell))
        if key not in self._indices:
            look = _look(*key)
            if look not in self.listed:
                self.listed.append(look)
            self._indices[key] = self.listed.index(look)
        return self._indices[key]


def _onward(position: Position) -> Mapping[tuple[int, ...], list[Path]]:
    """Return the possible continuations of each beginning of a path, by its cells; also of the empty one."""
    onward: defaultdict[tuple[int, ...], list[Path]] = defaultdict(list)
    for path in legal_paths(position):
        begun = path.cells[:-1]
        if len(begun) == 2 and begun not in onward:  # no path by itself
            onward[begun[:1]].append(follow(position, begun[1:])[-1])
        onward[begun].append(path)
    return onward


def _step(
    before: Path, path: Path, onward: Mapping[tuple[int, ...], list[Path]], looks: _Looks, *, boxed: bool
) -> Step:
    """Return the last step of a path for the view, with its possible continuations."""
    boxed = boxed or path.box > 0
    step = Step(
        word=str(path.here),
        tally=[path.multiplier, path.stealth - before.stealth, path.stealth, path.gems],
    )
    notes = (
        [_NOTE_INDEX[why] for why in path.step.why + _prospects(path, boxed)]
        if path is not before
        else [_NOTE_INDEX["begin"]]
    )
    if notes:
        step["notes"] = notes
    then = onward.get(path.cells, [])
    if path is before or (then and len(path.cells) == 2):  # one card is enough only if no path has two
        step["further"] = True
    if changes := _changes(before, path, looks):
        step["looks"] = changes
    if then:
        step["then"] = [_step(path, longer, onward, looks, boxed=boxed) for longer in then]
    entered = {longer.here for longer in then}
    shut = {
        str(cell): _NOTE_INDEX[refusal]
        for cell in NEIGHBOURS[path.here]
        if cell not in entered and path.left >> cell & 1 and isinstance(refusal := enter(path, cell), str)
    }
    if shut and not path.step.escapes:
        step["shut"] = shut
    return step


def _changes(before: Path, after: Path, looks: _Looks) -> dict[str, int]:
    """Return the cells that look different after a step, each with the index of its look in ``looks``."""
    changed = (before.lit ^ after.lit) | (before.watched ^ after.watched) | (before.left ^ after.left)
    if before.cards is not after.cards:  # an enemy has noticed something
        changed |= mask([cell for cell in CELLS if before.cards[cell] != after.cards[cell]])
    return {str(cell): looks.index(after, cell) for cell in MEMBERS[changed]}


def _prospects(path: Path, boxed: bool) -> tuple[str, ...]:
    """Return what happens if the path ends here: keys of ``NOTES``."""
    if path.step.escapes:
        return ("escape",) if boxed else ("empty-handed",)
    if not path.left:
        return ("cleared",)
    if path.stealth > 0:
        return ()
    board, stealth = settle(path.board, path.here, path.stealth, refuge=path.step.refuge)
    if stealth > 0:
        return ()
    if caught(board, path.here, stealth):
        return ("doomed",)
    return ("risky",) if light(board) >> path.here & 1 else ("shaded",)
