"""Card Thief: draw a path over the cards, stay out of light and gazes, and leave by the Hatch with the Strongbox.

Nine cells; the thief stands on one, a card lies on each other. A turn is ``path 4 0 1 3``, the cells in order, or
``slip 5``. The path:

1. goes from card to card next to each other, diagonals too, no cell twice, two cards or more (one, if it is the Hatch
   or if there is no path of two). A multiplier starts at 1; each card that is not next to where the thief started adds
   1 to it before it counts.
2. Each card costs or brings what it says, as light and gaze are at that moment (``path.enter``).
3. A step that would leave the thief seen, that is out of stealth, lit and in a gaze all at once, is not allowed.

A slip, out of stealth and in the dark, changes places with an enemy next to the thief that stands in the dark.

Then refuge and cleared board restore stealth, the Strongbox gets dearer, drawn enemies step closer, cards fall, and the
director fills the empty cells (``dusk``, ``director``). Who is seen now is caught; who has no move is cornered. The
heist is won by leaving with the Strongbox: gems and five for each stealth it cost. Else the score is 0.

Drawn are, each from a stream of its own: ``level N/deck``, the shuffle of the printed deck, whose last card is the top;
and for the n-th deal ``level N/deal n``: the director's rolls, a shuffle of the empty cells (ascending) that the chosen
cards then take in order, and in that order the facing of each card that has one, among the directions that stay on the
board, clockwise from north.

Source: "Card Thief", Tinytouchtales, 27 September 2018, for the director; ``rules.md`` for all else.
"""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from games.core import Chance, Game, Option, RandomBot, State, winners
from games.core.game import Options
from games.core.view import (
    Counter,
    Deed,
    Grid,
    Look,
    Note,
    Odds,
    OddsRow,
    Piece,
    Result,
    SeatView,
    Space,
    Step,
    Text,
    Trail,
    View,
    Zone,
    closed_pile,
    say,
)
from games.core.view import seat as seat_arg
from games.thief import cards
from games.thief.board import AHEAD, CELLS, DIRECTIONS, NEIGHBOURS, OUTSIDE, PLACES, SIDE, START, Board, card_on
from games.thief.bots import GreedyBot, HouseBot
from games.thief.cards import (
    BOX_WORTH,
    ENEMIES,
    HATCH,
    KINDS,
    LEVELS,
    NOWHERE,
    OWL,
    SNEAK,
    STRONGBOX,
    TORCH,
    TORCH_COST,
    TRAP,
    TRAP_COST,
    TREASURE,
    Card,
)
from games.thief.daily import DailyHeist
from games.thief.director import STRONGBOX_AFTER, Deal, Roll, direct, shuffle_only
from games.thief.dusk import caught, settle
from games.thief.gaze import directions
from games.thief.light import light
from games.thief.path import (
    Branch,
    Position,
    Walk,
    begin,
    cornered,
    enter,
    explore,
    follow,
    price,
    slipped,
    slips,
    surcharges,
)

# -- facts

STEALTH = 10
TYPED = 43  # cards of a deck

Ending = Literal["", "won", "failed", "caught", "cornered"]

# Why a step costs what it costs, and what it may lead to: said beside the running totals.
NOTES = {
    "lit": say("It stands in the light: 1 more."),
    "watched": say("Another enemy watches it: 1 more."),
    "front": say("You come from its front: 1 more."),
    "alert": say("It is on the alert: 1 more for each alarm."),
    "behind": say("From behind in the dark: free."),
    "out": say("The torch goes out."),
    "exposed": say("It lies in the light and does nothing."),
    "refuge": say("End here and you are hidden, with stealth back at 10."),
    "cleared": say("Nothing is left: end here and stealth is back at 10."),
    "box": say("The Strongbox is yours. Its price is worth five times as much outside."),
    "noise": say("It makes a noise: enemies around it are alarmed and turn."),
    "howl": say("It howls: every enemy is alarmed."),
    "escape": say("You leave with the Strongbox and win."),
    "empty-handed": say("You leave without the Strongbox: the heist fails."),
    "risky": say("Out of stealth in the light: if you end here, the gaze of a new enemy catches you."),
    "shaded": say("Out of stealth in the dark: if you end here, new light and a gaze together catch you."),
    "doomed": say("Out of stealth, and when the cards have fallen you will be seen: caught."),
}

# Why a step cannot be taken.
REFUSALS = {
    "empty": say("There is no card on it any more."),
    "escaped": say("The Hatch ends the path."),
    "dear": say("You have too little stealth for it."),
    "locked": say("A door in the light cannot be entered."),
    "seen": say("You would be seen there: out of stealth, in the light and in a gaze."),
}

_REMARKS = [Note(mark=mark, text=text) for mark, text in (NOTES | REFUSALS).items()]
_PLACE = {note["mark"]: place for place, note in enumerate(_REMARKS)}


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a watcher) knows: everything but the order of the deck and the director's rolls."""

    seat: int | None
    level: int
    directed: bool
    position: Position
    turn: int  # turns finished
    gems: int
    box: int  # price paid for the Strongbox, 0: not held
    left: tuple[tuple[str, int], ...]  # cards in the deck, by kind
    ending: Ending
    deck: tuple[Card, ...] = ()  # the top last; only face up
    rolls: tuple[Roll, ...] = ()  # of the last deal; only face up


def score(gems: int, box: int) -> int:
    """Return what a heist that got away is worth."""
    return gems + BOX_WORTH * box


# -- state


class HeistState(State[Observation]):
    """A heist under way."""

    seats = 1

    def __init__(self, level: int, directed: bool, chance: Chance) -> None:
        self.lines = []
        self.level = level
        self.directed = directed
        self.chance = chance  # only ever a source of named streams
        self.deck = cards.deck(level)
        chance.stream(f"level {level}/deck").shuffle(self.deck)
        self.board: Board = (None,) * len(CELLS)
        self.thief = START
        self.stealth = STEALTH
        self.gems = 0
        self.box = 0
        self.turn = 0
        self.slips = 0
        self.deals = 0
        self.dealt = 0
        self.late_deals = 0  # for which the deck was too short
        self.strongbox_out = False
        self.rolls: tuple[Roll, ...] = ()
        self.ending: Ending = ""
        self.tell("info", say("{seat} slips into the house at night, level {level}.", seat=seat_arg(0), level=level))
        self._deal()
        self._look_round()

    @property
    def position(self) -> Position:
        """What the legal moves depend on."""
        return Position(self.board, self.thief, self.stealth, self.slips)

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        return () if self.ending else (0,)

    def legal_moves(self, seat: int) -> list[str]:
        if seat != 0 or self.ending:
            return []
        return moves_of(self.position)

    def apply(self, seat: int, move: str) -> None:
        verb, *words = move.split()
        cells = [int(word) for word in words]
        self.turn += 1
        if verb == "slip":
            self._slip(cells[0])
        else:
            self._walk(cells)
        if not self.ending:
            self._look_round()

    def why_not(self, seat: int, move: str) -> str:
        words = move.split()
        verb = words[0] if words else ""
        if verb not in ("path", "slip"):
            return f"There is no move {move[:80]!r}. Draw a path, such as {self.legal_moves(seat)[0]!r}."
        cells = words[1:]
        if not cells or " ".join(words) != move or any(cell not in map(str, CELLS) for cell in cells):
            return f"A {verb} is that word and the cells it goes to, from 0 to {CELLS[-1]}, as in '{verb} 4 0'."
        if verb == "slip":
            return (
                "You may slip only out of stealth and in the dark, to an enemy beside you in the dark, twice in a row."
            )
        return self._why_no_path([int(cell) for cell in cells])

    def _why_no_path(self, cells: list[int]) -> str:
        walk = begin(self.position)
        for cell in cells:
            if cell in walk.cells:
                return f"A path comes to no cell twice, and {cell} is where you have been."
            if cell not in NEIGHBOURS[walk.here]:
                return f"A path goes from cell to cell next to each other, and {cell} is not next to {walk.here}."
            after = enter(walk, cell)
            if isinstance(after, str):
                return f"You cannot enter cell {cell}. {REFUSALS[after]['text']}"
            walk = after
        return "A path takes two cards or more, unless it goes through the Hatch or there is no longer one."

    # -- a turn

    def _slip(self, cell: int) -> None:
        card = card_on(self.board, cell)
        self.board = slipped(self.position, cell)
        if self.lines is not None:
            text = say("{seat} slips past the {card} in the dark.", seat=seat_arg(0), card=card.kind)
            self.tell("move", text, seat=0, motions=[(_zone(cell), _zone(self.thief))])
        self.slips += 1
        self._rest(self.board, cell, refuge=False)

    def _walk(self, cells: list[int]) -> None:
        walks = follow(self.position, cells)
        if self.lines is not None:
            for before, after in pairwise(walks):
                self._tell_step(before, after)
        walk = walks[-1]
        self.slips = 0
        self.gems += walk.gems
        self.box += walk.box
        if walk.escaped:
            self.board = walk.board
            self.thief = walk.here
            self.stealth = walk.stealth
            self._end("won" if self.box else "failed")
        else:
            self._rest(walk.board, walk.here, refuge=walk.refuge, stealth=walk.stealth)

    def _rest(self, board: Board, thief: int, *, refuge: bool, stealth: int | None = None) -> None:
        """End the turn on cell ``thief``: settle and deal."""
        before = self.stealth if stealth is None else stealth
        self.thief = thief
        self.board, self.stealth = settle(board, thief, before, refuge=refuge)
        if self.lines is not None and self.stealth > before:
            self.tell("info", say("{seat} is back at {stealth} stealth.", seat=seat_arg(0), stealth=self.stealth))
        self._deal()

    def _deal(self) -> None:
        """Fill the empty cells."""
        empty = [cell for cell in CELLS if self.board[cell] is None and cell != self.thief]
        if not empty:
            return
        self.deals += 1
        chance = self.chance.stream(f"level {self.level}/deal {self.deals}")
        deal = Deal(
            size=len(empty),
            board=self.board,
            stealth=self.stealth,
            turns=self.turn,
            level=self.level,
            deck=self.deck,
            chance=chance,
            strongbox_due=not self.strongbox_out and TYPED - len(self.deck) >= STRONGBOX_AFTER,
            hatch_due=self.late_deals == 0,
            late=self.late_deals,
        )
        self.late_deals += len(self.deck) < len(empty)
        self.strongbox_out |= deal.strongbox_due
        chosen = direct(deal) if self.directed else shuffle_only(deal)
        self.rolls = tuple(deal.rolls)
        chance.shuffle(empty)
        board = list(self.board)
        for cell, card in zip(empty, chosen, strict=True):
            self.dealt += 1
            board[cell] = card._replace(facing=_facing(card, cell, chance), number=self.dealt)
        self.board = tuple(board)
        if self.lines is not None:
            self._tell_deal(empty, chosen)

    def _look_round(self) -> None:
        """See whether the thief is caught, or has nowhere to go."""
        if caught(self.board, self.thief, self.stealth):
            self._end("caught")
        elif cornered(self.position):
            self._end("cornered")

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        if self.lines is not None:
            kind: Literal["win", "loss"] = "win" if ending == "won" else "loss"
            text = _outcome(ending, self.gems, self.box)
            self.tell(kind, say(f"{text['text']}.", **text["args"]), seat=0)

    # -- the log

    def _tell_step(self, before: Walk, after: Walk) -> None:
        text = _step_text(card_on(before.board, after.here), before, after)
        self.tell("move", text, seat=0, motions=[(_zone(after.here), "taken")])

    def _tell_deal(self, empty: list[int], chosen: list[Card]) -> None:
        motions = [("deck", _zone(cell)) for cell in empty]
        text = say("One card is dealt.") if len(empty) == 1 else say("{count} cards are dealt.", count=len(empty))
        self.tell("deal", text, motions=motions)
        for card in chosen:
            if card.kind == STRONGBOX:
                self.tell("info", say("The Strongbox is here. It gets dearer, and better, every turn."))
            elif card.kind == HATCH:
                self.tell("info", say("The deck is empty, and the Hatch is open."))

    # -- the end

    def scores(self) -> list[float]:
        return [float(score(self.gems, self.box)) if self.ending == "won" else 0.0]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        kinds = Tally(card.kind for card in self.deck)
        return Observation(
            seat=seat,
            level=self.level,
            directed=self.directed,
            position=self.position,
            turn=self.turn,
            gems=self.gems,
            box=self.box,
            left=tuple((kind, kinds[kind]) for kind in KINDS if kinds[kind]),
            ending=self.ending,
            deck=tuple(self.deck) if face_up else (),
            rolls=self.rolls if face_up else (),
        )

    def draw(self, observation: Observation) -> View:
        seen = observation
        position = seen.position
        mine = seen.seat == 0 and not seen.ending
        view: View = {
            "game": HEIST.name,
            "seat": seen.seat,
            "phase": say("Turn {turn}, level {level}", turn=_turn(seen), level=seen.level),
            "prompt": _prompt(seen),
            "to_act": [] if seen.ending else [0],
            "decision": 0,
            "seats": [_seat(seen)],
            "zones": _zones(seen),
            "moves": _slip_deeds(position) if mine else [],
            "over": bool(seen.ending),
            "grids": [_grid(position)],
            "odds": _left(seen),
        }
        if mine:
            view["trail"] = _trail(seen)
        if seen.ending:
            scores = [float(score(seen.gems, seen.box)) if seen.ending == "won" else 0.0]
            text = _outcome(seen.ending, seen.gems, seen.box)
            view["result"] = Result(scores=scores, winners=winners(scores), text=text)
        return view

    # -- copies

    def clone(self) -> HeistState:
        return self._copy(self.chance.clone())

    def fork(self, chance: Chance) -> HeistState:
        # The deals are named streams, and equal names of one chance draw alike: each fork gets names of its own.
        return self._copy(chance.stream(f"fork {chance.below(2**32)}"))

    def _copy(self, chance: Chance) -> HeistState:
        twin = self.twin(chance)
        twin.deck = self.deck[:]
        return twin

    def determinize(self, seat: int, chance: Chance) -> HeistState:
        """Shuffle the deck and deal from ``chance`` from here on; nobody knows what the director rolled before.

        Every order is possible. (Kinds that the director has dug for lie a little deeper in truth.)
        """
        twin = self.fork(chance)
        twin.chance.stream("deck").shuffle(twin.deck)
        twin.rolls = ()
        return twin


def moves_of(position: Position) -> list[str]:
    """Return every legal move of a position: paths, then slips."""
    paths = [f"path {' '.join(map(str, walk.cells[1:]))}" for branch in explore(position) for walk in branch.paths()]
    return paths + [f"slip {cell}" for cell in slips(position)]


def _facing(card: Card, cell: int, chance: Chance) -> int:
    if card.kind not in ENEMIES or card.kind == OWL:
        return NOWHERE
    return chance.choice([way for way, ahead in enumerate(AHEAD[cell]) if ahead != OUTSIDE])


# -- the observation in the table vocabulary


def _zone(cell: int) -> str:
    return f"cell:{cell}"


def _turn(seen: Observation) -> int:
    """Return the number of the turn under way, or of the last."""
    return seen.turn + (not seen.ending)


def _prompt(seen: Observation) -> Text:
    if seen.ending:
        return _outcome(seen.ending, seen.gems, seen.box)
    if seen.seat != 0:
        return say("Waiting for {seat} to draw a path", seat=seat_arg(0))
    if not explore(seen.position):
        return say("Your turn: no path leads on, so slip past an enemy")
    if seen.position.stealth <= 0:
        return say("Your turn: you are out of stealth, so beware of light and gaze together")
    return say("Your turn: draw a path over the cards")


def _outcome(ending: Ending, gems: int, box: int) -> Text:
    thief = seat_arg(0)
    if ending == "won":
        return say(
            "{seat} gets away with {gems} gems and a Strongbox worth {box}: {score} points",
            seat=thief,
            gems=gems,
            box=BOX_WORTH * box,
            score=score(gems, box),
        )
    if ending == "failed":
        return say("{seat} leaves without the Strongbox, so {gems} gems count for nothing", seat=thief, gems=gems)
    if ending == "caught":
        return say("{seat} is seen and caught, and loses {gems} gems", seat=thief, gems=gems)
    return say("{seat} is cornered, and loses {gems} gems", seat=thief, gems=gems)


def _step_text(card: Card, before: Walk, after: Walk) -> Text:
    thief = seat_arg(0)
    change = after.stealth - before.stealth
    if card.kind in ENEMIES:
        if "behind" in after.why:
            return say(
                "{seat} takes the {card} from behind: loot {gems}.", seat=thief, card=card.kind, gems=after.gained
            )
        return say(
            "{seat} takes the {card} for {price} stealth: loot {gems}.",
            seat=thief,
            card=card.kind,
            price=-change,
            gems=after.gained,
        )
    if card.kind == STRONGBOX:
        return say("{seat} takes the Strongbox for {price} stealth.", seat=thief, price=-change)
    if card.kind == HATCH:
        return say("{seat} leaves by the Hatch.", seat=thief)
    if card.kind == TORCH:
        return say("{seat} puts out a torch for {price} stealth.", seat=thief, price=-change)
    if card.kind == TRAP:
        return say("{seat} sets off a trap for {price} stealth.", seat=thief, price=-change)
    if after.gained:
        return say("{seat} takes a treasure: loot {gems}.", seat=thief, gems=after.gained)
    if change > 0:
        return say("{seat} goes by way of the {card}: {gain} more stealth.", seat=thief, card=card.kind, gain=change)
    return say("{seat} goes by way of the {card}.", seat=thief, card=card.kind)


def _seat(seen: Observation) -> SeatView:
    counters = [
        Counter(id="stealth", label=say("Stealth"), value=seen.position.stealth, icon="stealth"),
        Counter(id="gems", label=say("Gems"), value=seen.gems, icon="gem"),
        Counter(id="box", label=say("Strongbox, worth"), value=BOX_WORTH * seen.box, icon="strongbox"),
        Counter(id="turn", label=say("Turn"), value=_turn(seen), icon="moon"),
    ]
    state: Literal["in", "out", "won"] = "in" if not seen.ending else "won" if seen.ending == "won" else "out"
    return SeatView(seat=0, state=state, counters=counters, marks=[])


def _zones(seen: Observation) -> list[Zone]:
    deck = closed_pile("deck", say("Deck"), sum(count for _, count in seen.left), "heist")
    if seen.deck:
        deck["pieces"] = [
            Piece(id=f"deck#{place}", face=card.kind, label=_label(card)) for place, card in enumerate(seen.deck)
        ]
    zones = [deck, Zone(id="taken", label=say("Taken"), layout="pile", pieces=[])]
    if seen.rolls:
        told = [
            Piece(
                id=f"roll#{place}",
                face=f"roll-{roll.roll}",
                label=say("{step}: rolled {roll}, {outcome}", step=roll.step, roll=roll.roll, outcome=roll.outcome),
            )
            for place, roll in enumerate(seen.rolls)
        ]
        zones.append(Zone(id="director", label=say("The director's last deal"), layout="row", pieces=told))
    return zones


def _label(card: Card) -> Text:
    if card.value and card.kind != STRONGBOX:  # its price is on the badge
        return say("{card} {value}", card=card.kind, value=card.value)
    return say("{card}", card=card.kind)


def _grid(position: Position) -> Grid:
    start = begin(position)
    cells = []
    for cell, card in enumerate(position.board):
        look = _look(start, cell)
        if card is None:
            pieces = [Piece(id="thief", face="thief", label=say("The thief"))] if cell == position.thief else []
        else:
            pieces = [Piece(id=f"card:{card.number}", face=card.kind, label=_label(card))]
            if "badge" in look:
                pieces[0]["badge"] = look["badge"]
        cells.append(Space(id=_zone(cell), pieces=pieces, marks=look["marks"], label=say(PLACES[cell])))
    return Grid(id="house", label=say("The house"), columns=SIDE, cells=cells)


def _look(walk: Walk, cell: int) -> Look:
    """Return how a cell looks when a path has come so far: light, gazes, and what its card costs or brings now."""
    lit, watched = bool(walk.lit >> cell & 1), bool(walk.watched >> cell & 1)
    look = Look(marks=["lit"] * lit + ["watched"] * watched)
    if card := walk.board[cell]:
        if card.kind in ENEMIES:
            look["marks"] += [f"looks-{DIRECTIONS[way]}" for way in directions(card, cell)]
            look["marks"] += [f"alert-{card.alert}"] * bool(card.alert)
        if badge := _badge(card, lit=lit, watched=watched):
            look["badge"] = badge
    return look


def _badge(card: Card, *, lit: bool, watched: bool) -> str:
    """Return what a card costs or brings as it lies, from a side and before the multiplier."""
    if card.kind in ENEMIES:
        return f"-{price(card, surcharges(card, lit=lit, watched=watched, front=False))}"
    if card.kind == SNEAK:
        return "" if lit else f"+{card.value}"
    costs = {TORCH: TORCH_COST, TRAP: TRAP_COST, STRONGBOX: card.value}
    if card.kind in costs:
        return f"-{costs[card.kind]}"
    return str(card.value) if card.kind == TREASURE else ""


def _left(seen: Observation) -> Odds:
    rows = [OddsRow(piece=kind, cells=[str(count)]) for kind, count in seen.left]
    return Odds(title=say("Left in the deck"), columns=[say("Cards")], rows=rows)


def _slip_deeds(position: Position) -> list[Deed]:
    deeds = []
    for cell in slips(position):
        card = card_on(position.board, cell)
        label = say("Slip past the {card} ({where}): change places", card=card.kind, where=PLACES[cell])
        deeds.append(Deed(move=f"slip {cell}", label=label, pieces=["thief"], target=f"piece:card:{card.number}"))
    return deeds


def _trail(seen: Observation) -> Trail:
    position = seen.position
    start = begin(position)
    looks: list[Look] = []
    return Trail(
        verb="path",
        pieces={str(cell): f"card:{card.number}" for cell, card in enumerate(position.board) if card},
        columns=[say("Multiplier"), say("Change"), say("Stealth"), say("Loot")],
        notes=_REMARKS,
        start=_step(start, start, explore(position), looks, legal=False, boxed=seen.box > 0),
        looks=looks,
    )


def _changes(before: Walk, after: Walk, looks: list[Look]) -> dict[str, int]:
    """Return the cells that look otherwise after a step, each with the place of its look in ``looks``, added if new."""
    shifted = (before.lit ^ after.lit) | (before.watched ^ after.watched)
    changes = {}
    for cell in CELLS:
        if shifted >> cell & 1 or before.board[cell] != after.board[cell]:
            look = _look(after, cell)
            if look not in looks:
                looks.append(look)
            changes[str(cell)] = looks.index(look)
    return changes


def _step(before: Walk, walk: Walk, then: tuple[Branch, ...], looks: list[Look], *, legal: bool, boxed: bool) -> Step:
    """Put a path into words: what its last step was like, and how it may go on."""
    boxed = boxed or walk.box > 0
    step = Step(
        word=str(walk.here),
        tally=[walk.multiplier, walk.stealth - before.stealth, walk.stealth, walk.gems],
    )
    notes = [_PLACE[why] for why in walk.why + _prospects(walk, boxed)] if walk is not before else []
    if notes:
        step["notes"] = notes
    if not legal:
        step["further"] = True
    if changes := _changes(before, walk, looks):
        step["looks"] = changes
    if then:
        step["then"] = [
            _step(walk, branch.walk, branch.then, looks, legal=branch.legal, boxed=boxed) for branch in then
        ]
    open_cells = {branch.walk.here for branch in then}
    shut = {
        str(cell): _PLACE[refusal]
        for cell in NEIGHBOURS[walk.here]
        if cell not in open_cells and walk.board[cell] is not None and isinstance(refusal := enter(walk, cell), str)
    }
    if shut and not walk.escaped:
        step["shut"] = shut
    return step


def _prospects(walk: Walk, boxed: bool) -> tuple[str, ...]:
    """Return what would come of a path if it ended here."""
    if walk.escaped:
        return ("escape",) if boxed else ("empty-handed",)
    if not any(walk.board):
        return ("cleared",)
    if walk.stealth > 0:
        return ()
    board, stealth = settle(walk.board, walk.here, walk.stealth, refuge=walk.refuge)
    if stealth > 0:
        return ()
    if caught(board, walk.here, stealth):
        return ("doomed",)
    return ("risky",) if light(board) >> walk.here & 1 else ("shaded",)


# -- game


class CardThief(Game):
    """The facts of Card Thief."""

    name = "thief"
    title = "Card Thief"
    summary = "Alone in the dark: draw a path past guards and torches, and get away with the Strongbox."
    min_seats = max_seats = default_seats = 1
    minutes = 10
    options = (
        Option(
            name="level",
            label="Level",
            default="1",
            choices=tuple(map(str, LEVELS)),
            help="1: guards. 2: wardens and wolves join them. 3: owls. 4: overseers.",
        ),
        Option(
            name="director",
            label="Dealing director",
            default="on",
            choices=("on", "off"),
            help="On: the deal keeps every board tense and helps a thief in trouble. Off: a plain shuffle.",
        ),
    )
    bots = (HouseBot, GreedyBot, RandomBot)
    rules_page = Path(__file__).with_name("rules.md")
    daily = DailyHeist()

    def start(self, seats: int, options: Options, chance: Chance) -> HeistState:
        """Shuffle and deal the first eight cards."""
        return HeistState(int(options["level"]), options["director"] == "on", chance)


HEIST = CardThief()
