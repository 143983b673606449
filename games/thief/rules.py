"""Card Thief: draw a path over the cards, stay out of light and gazes, and leave by the Hatch with the Strongbox.

Nine cells: the thief stands on one, and a card lies on each of the others. A turn is ``path 4 0 1 3``, the cells in
order, or ``slip 5``. The path:

1. goes from card to card next to each other, diagonals too, no cell twice, two cards or more (one, if it is the Hatch
   or if there is no path of two). A multiplier starts at 1; each card that is not next to where the thief started adds
   1 to it before it counts.
2. Each card costs or gives what ``path.enter`` says, which depends on the light and the enemies' gazes at that moment.
3. A step that would leave the thief seen, that is out of stealth, lit and in a gaze all at once, is not allowed.

A slip is possible out of stealth and in the dark: the thief changes places with a neighbouring enemy in the dark.

At the end of a turn, a refuge and a cleared board restore stealth, the Strongbox costs one more, drawn enemies step
closer, cards fall, and the director fills the empty cells (``end_of_turn``, ``director``). A thief who is seen now is
caught; one without a move is cornered. The heist is won by leaving with the Strongbox; the score is the gems, and five
for each point of stealth that the Strongbox cost. Otherwise the score is 0.

Random draws, each from a stream of its own: ``level N/deck``, the shuffle of the printed deck, whose last card is its
top; and for the n-th deal ``level N/deal n``: the director's rolls, a shuffle of the empty cells (ascending) that the
chosen cards then take in order, and in that order the facing of each card that has one, among the directions that stay
on the board, clockwise from north. A fork draws all of that from the chance it is given, without streams.

Source: "Card Thief", Tinytouchtales, 27 September 2018, for the director; ``rules.md`` for all else.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, Self

from games.core import Chance, State
from games.core.messages import Message, message, quoted
from games.core.state import LONGEST_ROLLOUT
from games.core.view import Sentence, say, seat_arg, word
from games.thief import cards
from games.thief.board import CELLS, DIRECTIONS, INWARD, NEIGHBOURS, PLACES, START, Board, card_on, opposite
from games.thief.cards import BOX_WORTH, ENEMIES, HATCH, KINDS, NOWHERE, OVERSEER, OWL, STRONGBOX, TORCH, TRAP, Card
from games.thief.director import STRONGBOX_AFTER, Deal, DirectorRoll, direct, shuffle_only
from games.thief.end_of_turn import caught, settle
from games.thief.path import Path, Position, begin, cornered, enter, follow, legal_paths, paths_from, slipped, slips

# -- facts

STEALTH = 10
DECK_SIZE = 43

Ending = Literal["", "won", "failed", "caught", "cornered"]

# Why a step cannot be taken.
REFUSALS = {
    "empty": say("There is no card there any more."),
    "escaped": say("The Hatch ends the path."),
    "too expensive": say("You do not have enough stealth for it."),
    "locked": say("A door in the light cannot be entered."),
    "seen": say("You would be caught there: out of stealth, in the light, and an enemy looks at you."),
}


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a spectator) knows: everything but the order of the deck and the director's rolls."""

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
    rolls: tuple[DirectorRoll, ...] = ()  # of the last deal; only face up


def score(gems: int, box: int) -> int:
    """Return the score of a heist that was won. ``box``: the stealth that the Strongbox cost."""
    return gems + BOX_WORTH * box


def moves_of(position: Position) -> list[str]:
    """Return every legal move of a position: paths, then slips."""
    return [path.move for path in legal_paths(position)] + [f"slip {cell}" for cell in slips(position)]


# -- state


class HeistState(State[Observation]):
    """A position of a heist."""

    seats = 1

    def __init__(self, level: int, directed: bool, chance: Chance) -> None:
        self.log = []
        self.level = level
        self.directed = directed
        self.chance = chance
        self.streamed = True  # each deal draws from a stream of its own; a fork draws from its chance as it is
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
        self.rolls: tuple[DirectorRoll, ...] = ()
        self.ending: Ending = ""
        self.add_entry(
            "info", say("{seat} slips into the house at night, level {level}.", seat=seat_arg(0), level=level)
        )
        self._deal()
        self._check_end()

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
        if verb == "slip":
            self._make(cells[0])
            return
        paths = follow(self.position, cells)
        if self.log is not None:
            for before, after in pairwise(paths):
                self._log_step(before, after)
        self._make(paths[-1])

    def why_not(self, seat: int, move: str) -> Message:
        words = move.split()
        verb = words[0] if words else ""
        if verb not in ("path", "slip"):
            return message(
                "There is no move {move}. Draw a path, such as {path}.",
                move=quoted(move),
                path=quoted(self.legal_moves(seat)[0]),
            )
        cells = words[1:]
        if not cells or " ".join(words) != move or any(cell not in map(str, CELLS) for cell in cells):
            return message(
                "Write {verb} and the cells it goes to, from 0 to {last}, as in '{verb} 4 0'.",
                verb=verb,
                last=CELLS[-1],
            )
        if verb == "slip":
            return message(
                "Out of stealth and in the dark, you can change places with an enemy in the dark, "
                "at most twice in a row."
            )
        return self._why_no_path([int(cell) for cell in cells])

    def _why_no_path(self, cells: list[int]) -> Message:
        path = begin(self.position)
        for cell in cells:
            if cell in path.cells:
                return message("No cell comes twice in a path, and {cell} is where you have been.", cell=cell)
            if cell not in NEIGHBOURS[path.here]:
                return message(
                    "A path goes from cell to cell next to each other, and {cell} is not next to {here}.",
                    cell=cell,
                    here=path.here,
                )
            after = enter(path, cell)
            if isinstance(after, str):
                why = Message(REFUSALS[after]["text"], {})
                return message("You cannot enter cell {cell}. {why}", cell=cell, why=why)
            path = after
        return message("A path takes two cards or more, unless it ends at the Hatch or there is no path of two.")

    # -- a turn

    def _make(self, turn: Path | int) -> None:
        """Take a turn: a path, or a slip to a cell."""
        self.turn += 1
        if isinstance(turn, Path):
            self._arrive(turn)
        else:
            self._slip(turn)
        if not self.ending:
            self._check_end()

    def _arrive(self, path: Path) -> None:
        """End the turn where a path ends."""
        self.slips = 0
        self.gems += path.gems
        self.box += path.box
        if path.step.escapes:
            self.board = path.board
            self.thief = path.here
            self.stealth = path.stealth
            self._end("won" if self.box else "failed")
        else:
            self._rest(path.board, path.here, path.stealth, refuge=path.step.refuge)

    def _slip(self, cell: int) -> None:
        card = card_on(self.board, cell)
        if self.log is not None:
            text = say(
                "{seat} slips past the {card} ({where}) in the dark.",
                seat=seat_arg(0),
                card=str(card),
                where=PLACES[cell],
            )
            self.add_entry("move", text, seat=0, motions=[(zone_id(cell), zone_id(self.thief))])
        self.slips += 1
        self._rest(slipped(self.position, cell), cell, self.stealth, refuge=False)

    def _rest(self, board: Board, thief: int, stealth: int, *, refuge: bool) -> None:
        """End the turn on cell ``thief``: settle and deal."""
        self.thief = thief
        self.board, self.stealth = settle(board, thief, stealth, refuge=refuge)
        if self.log is not None and self.stealth > stealth:
            self.add_entry("info", say("{seat} is back to {stealth} stealth.", seat=seat_arg(0), stealth=self.stealth))
        self._deal()

    def _deal(self) -> None:
        """Fill the empty cells."""
        empty = [cell for cell in CELLS if self.board[cell] is None and cell != self.thief]
        if not empty:
            return
        self.deals += 1
        chance = self.chance.stream(f"level {self.level}/deal {self.deals}") if self.streamed else self.chance
        deal = Deal(
            size=len(empty),
            board=self.board,
            stealth=self.stealth,
            turns=self.turn,
            level=self.level,
            deck=self.deck,
            chance=chance,
            strongbox_due=not self.strongbox_out and DECK_SIZE - len(self.deck) >= STRONGBOX_AFTER,
            hatch_due=self.late_deals == 0,
            late_deals=self.late_deals,
        )
        self.late_deals += len(self.deck) < len(empty)
        self.strongbox_out |= deal.strongbox_due
        chosen = direct(deal) if self.directed else shuffle_only(deal)
        self.rolls = tuple(deal.rolls)
        chance.shuffle(empty)
        placed = {cell: (card, _facing(card, cell, chance)) for cell, card in zip(empty, chosen, strict=True)}
        empty.sort()  # in board order: the order in which the director chose them would reveal its decisions
        board = list(self.board)
        for cell in empty:
            self.dealt += 1
            card, facing = placed[cell]
            board[cell] = Card(card.kind, card.value, card.purse, facing, number=self.dealt)
        self.board = tuple(board)
        if self.log is not None:
            self._log_deal(empty, chosen)

    def _check_end(self) -> None:
        """End the heist if the thief is caught or has no move."""
        if caught(self.board, self.thief, self.stealth):
            self._end("caught")
        elif cornered(self.position):
            self._end("cornered")

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        if self.log is not None:
            kind: Literal["win", "loss"] = "win" if ending == "won" else "loss"
            self.add_entry(kind, outcome(ending, self.gems, self.box, LOGGED_ENDINGS), seat=0)

    # -- the log

    def _log_step(self, before: Path, after: Path) -> None:
        text = _step_sentence(card_on(before.board, after.here), before, after)
        text["args"]["where"] = PLACES[after.here]
        self.add_entry("move", text, seat=0, motions=[(zone_id(after.here), "taken")])

    def _log_deal(self, empty: list[int], chosen: list[Card]) -> None:
        motions = [("deck", zone_id(cell)) for cell in empty]
        text = say("One card is dealt.") if len(empty) == 1 else say("{count} cards are dealt.", count=len(empty))
        self.add_entry("deal", text, motions=motions)
        for cell in empty:
            self.add_entry("deal", _dealt_sentence(card_on(self.board, cell), PLACES[cell]))
        for card in chosen:
            if card.kind == STRONGBOX:
                self.add_entry("info", say("The Strongbox is here. Every turn it costs more, and is worth more."))
            elif card.kind == HATCH:
                self.add_entry("info", say("The deck is empty, and the Hatch is open."))

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

    # -- copies

    def clone(self) -> Self:
        copy = self.fork(self.chance.clone())
        copy.streamed = self.streamed
        return copy

    def fork(self, chance: Chance) -> Self:
        # Equal streams of one chance would deal alike in every fork, and a stream for each deal costs more than a deal.
        copy = self.shallow_copy(chance)
        copy.deck = self.deck[:]
        copy.streamed = False
        return copy

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Shuffle the deck and deal from ``chance`` from here on. Nobody knows the director's earlier rolls.

        Every order is equally likely. (In truth, kinds the director has drawn from the deck lie a little deeper.)
        """
        sample = super().determinize(seat, chance)
        sample.rolls = ()
        return sample

    def piles(self) -> Sequence[list[Card]]:
        return [self.deck]

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        """Play on at random as ``State.rollout`` does, with the same draws, but without writing moves as strings."""
        self.log = None
        for _ in range(cap):
            if self.ending:
                break
            position = self.position
            turns: list[Path | int] = [*paths_from(begin(position)), *slips(position)]
            self._make(chance.choice(turns))
        return self.scores()


def _facing(card: Card, cell: int, chance: Chance) -> int:
    if card.kind not in ENEMIES or card.kind == OWL:
        return NOWHERE
    return chance.choice(INWARD[cell])


# -- sentences


def zone_id(cell: int) -> str:
    """Return the name of a cell in views and in the motions of the log."""
    return f"cell:{cell}"


ENDINGS: dict[Ending, str] = {
    "won": word("{seat} gets away with a Strongbox worth {box} and gems worth {gems}: {score} points"),
    "failed": word("{seat} leaves without the Strongbox. Gems lost: {gems}"),
    "caught": word("{seat} is seen and caught. Gems lost: {gems}"),
    "cornered": word("{seat} is cornered by cards that cannot be entered. Gems lost: {gems}"),
}
LOGGED_ENDINGS: dict[Ending, str] = {
    "won": word("{seat} gets away with a Strongbox worth {box} and gems worth {gems}: {score} points."),
    "failed": word("{seat} leaves without the Strongbox. Gems lost: {gems}."),
    "caught": word("{seat} is seen and caught. Gems lost: {gems}."),
    "cornered": word("{seat} is cornered by cards that cannot be entered. Gems lost: {gems}."),
}


def outcome(ending: Ending, gems: int, box: int, sentences: Mapping[Ending, str] = ENDINGS) -> Sentence:
    """Return how a heist ended; by default as a sentence without a full stop, as views have it."""
    text = say(sentences[ending], seat=seat_arg(0), gems=gems)
    if ending == "won":
        text["args"] |= {"box": BOX_WORTH * box, "score": score(gems, box)}
    return text


def _dealt_sentence(card: Card, where: str) -> Sentence:
    if card.facing == NOWHERE:
        return say("{where}: {card}.", where=where, card=str(card))
    looks = DIRECTIONS[card.facing]
    if card.kind == OVERSEER:
        behind = DIRECTIONS[opposite(card.facing)]
        return say(
            "{where}: {card}, looking {facing} and {behind}.", where=where, card=str(card), facing=looks, behind=behind
        )
    return say("{where}: {card}, looking {facing}.", where=where, card=str(card), facing=looks)


def _step_sentence(card: Card, before: Path, after: Path) -> Sentence:
    """Say what a step did; the place goes into ``where``."""
    thief, name = seat_arg(0), str(card)
    change = after.stealth - before.stealth
    if card.kind in ENEMIES:
        if "behind" in after.step.why:
            return say(
                "{seat} takes the {card} ({where}) from behind: loot {gems}.",
                seat=thief,
                card=name,
                gems=after.step.gems,
            )
        return say(
            "{seat} takes the {card} ({where}) for {price} stealth: loot {gems}.",
            seat=thief,
            card=name,
            price=-change,
            gems=after.step.gems,
        )
    if card.kind == STRONGBOX:
        return say("{seat} takes the Strongbox ({where}) for {price} stealth.", seat=thief, price=-change)
    if card.kind == HATCH:
        return say("{seat} leaves by the Hatch ({where}).", seat=thief)
    if card.kind == TORCH:
        return say("{seat} puts out a torch ({where}) for {price} stealth.", seat=thief, price=-change)
    if card.kind == TRAP:
        return say("{seat} sets off a trap ({where}) for {price} stealth.", seat=thief, price=-change)
    if after.step.gems:
        return say("{seat} takes the {card} ({where}): loot {gems}.", seat=thief, card=name, gems=after.step.gems)
    if change > 0:
        return say("{seat} takes the {card} ({where}): {gain} more stealth.", seat=thief, card=name, gain=change)
    return say("{seat} crosses the {card} ({where}).", seat=thief, card=name)
