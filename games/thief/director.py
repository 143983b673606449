"""The dealing director: it chooses the next cards so that a heist stays tense and a thief in trouble gets some help.

The functions ``enemies`` to ``rest`` are the article's steps, in its order, and the constants its numbers;
``strongbox`` and ``after_the_deck`` add what the rules deal besides. A deal chooses exactly as many cards as there are
empty cells. Cards chosen earlier in the same deal count as being on the board.

Source: "Card Thief", Tinytouchtales, 27 September 2018. Where it leaves something open, "Chosen:" says what we do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, TypeVar

from games.core import Chance
from games.core.view import word
from games.thief.board import Board
from games.thief.cards import (
    BOX_PRICE,
    DOOR,
    ENEMIES,
    GUARD,
    HATCH,
    HIDE,
    OVERSEER,
    OWL,
    PRINTED,
    SNEAK,
    STRONGBOX,
    TORCH,
    TRAP,
    TREASURE,
    WARDEN,
    WOLF,
    Card,
    guard,
)
from games.thief.vision import LIGHTS

Kinds = frozenset[str]
T = TypeVar("T", int, Kinds)
Bands = Sequence[tuple[int, Kinds]]  # (highest roll of 1 to 100, what it deals)

SNEAKS, HIDES, TORCHES, TREASURES = map(frozenset, ([SNEAK], [HIDE], [TORCH], [TREASURE]))
OBSTACLES = frozenset([DOOR, TRAP])  # the article's "obstacles"
LIGHT_CARRIERS = frozenset(LIGHTS)  # the article's "torches": wardens count
ANY: Kinds = frozenset()  # "a completely random card": the next of the shuffled deck

# "If not I will try to deal a similar type"; with none left either, a random card.
SIMILAR: dict[str, Kinds] = {HIDE: SNEAKS, SNEAK: HIDES, TORCH: frozenset([WARDEN])}

MOST_ENEMIES = ((5, 4), (15, 2), (100, 3))  # 5 % four, 10 % two, 85 % three
ENEMY_OR_RANDOM: Bands = ((85, ENEMIES), (100, ANY))
SNEAK_OR_TREASURE: Bands = ((70, SNEAKS), (100, TREASURES))
OBSTACLE_OR_TREASURE_OR_RANDOM: Bands = ((39, OBSTACLES), (90, TREASURES), (100, ANY))

EARLY_TURNS = 3
LOW_STEALTH = 5
TORCHES_WANTED = 2

# Scripted cards, outside the article's five types.
STRONGBOX_AFTER = 22  # cards dealt from the deck of 43

# After the deck.
POOLS = {
    1: (GUARD,),
    2: (GUARD, WARDEN, WOLF),
    3: (GUARD, WARDEN, WOLF, OWL),
    4: (GUARD, WARDEN, WOLF, OWL, OVERSEER),
}
END_GUARDS = (2, 3)  # values, even odds
HARDER_EVERY = 3  # deals without a deck: after each so many, enemies get +1 value, and +1 gem if they have any


class DirectorRoll(NamedTuple):
    """A roll of the director: its step, the number from 1 to 100, and the decision.

    It is hidden during the heist; replays with all cards face up show it.
    """

    step: str
    roll: int
    outcome: str


@dataclass
class Deal:
    """One deal under way. ``deck`` is taken from; its last card is the top."""

    size: int
    board: Board
    stealth: int
    turns: int  # finished so far
    level: int
    deck: list[Card]
    chance: Chance
    strongbox_due: bool = False
    hatch_due: bool = False  # as soon as the deck is empty
    late_deals: int = 0  # earlier ones for which the deck was too short
    chosen: list[Card] = field(default_factory=list)
    rolls: list[DirectorRoll] = field(default_factory=list)

    # -- what the steps ask and do

    @property
    def room(self) -> bool:
        """Whether a card is missing and the deck has one."""
        return len(self.chosen) < self.size and bool(self.deck)

    def count(self, kinds: Kinds) -> int:
        """Return how many cards of these kinds are out: on the board or chosen."""
        count = 0
        for card in (*self.board, *self.chosen):
            if card is not None and card.kind in kinds:
                count += 1
        return count

    def give(self, kinds: Kinds) -> None:
        """Choose the card of these kinds that is nearest the top, else one of a similar kind, else the top card."""
        if not (kinds and (self._dig(kinds) or self._dig(_similar(kinds)))):
            self.chosen.append(self.deck.pop())

    def _dig(self, kinds: Kinds) -> bool:
        """Choose the card of these kinds that is nearest the top. Return whether there is one."""
        for index in range(len(self.deck) - 1, -1, -1):
            if self.deck[index].kind in kinds:
                self.chosen.append(self.deck.pop(index))
                return True
        return False

    def roll(self, step: str, bands: Sequence[tuple[int, T]]) -> T:
        """Roll 1 to 100 and return the outcome of the band it falls in."""
        rolled = self.chance.randbelow(100) + 1
        outcome = next(outcome for highest, outcome in bands if rolled <= highest)
        self.rolls.append(DirectorRoll(step, rolled, _words(outcome)))
        return outcome


@cache
def _similar(kinds: Kinds) -> Kinds:
    """Return the kinds similar to these; empty if there are none."""
    return frozenset().union(*(SIMILAR.get(kind, ()) for kind in kinds))


@cache
def _words(outcome: int | Kinds) -> str:
    """Return what was decided as a person reads it: "3", "door or trap", "a random card"."""
    if isinstance(outcome, int):
        return str(outcome)
    if not outcome:
        return word("a random card")
    if outcome == ENEMIES:
        return word("an enemy")
    if outcome == OBSTACLES:
        return word("door or trap")
    [kind] = outcome
    return kind


def direct(deal: Deal) -> list[Card]:
    """Choose the cards of a deal as the article describes."""
    strongbox(deal)
    enemies(deal)
    sneak_and_hide(deal)
    torches(deal)
    treasure(deal)
    obstacle(deal)
    rest(deal)
    after_the_deck(deal)
    return deal.chosen


def shuffle_only(deal: Deal) -> list[Card]:
    """Choose the cards of a deal from the top of the deck, without the director; scripted cards come even so."""
    strongbox(deal)
    rest(deal)
    after_the_deck(deal)
    return deal.chosen


# -- the steps, in order


def strongbox(deal: Deal) -> None:
    """Deal the Strongbox if it is due: once a heist, after ``STRONGBOX_AFTER`` cards."""
    if deal.strongbox_due:
        deal.chosen.append(Card(STRONGBOX, value=BOX_PRICE))


def enemies(deal: Deal) -> None:
    """Roll how many enemies there may be; for each that is missing, an enemy at 85 %, else a random card.

    Chosen: one roll for each missing enemy, as many as were missing at the start; the random card uses its try up, and
    may be an enemy itself.
    """
    if not deal.room:
        return
    most = deal.roll(word("most enemies"), MOST_ENEMIES)
    for _ in range(most - deal.count(ENEMIES)):
        if deal.room:
            deal.give(deal.roll(word("enemy"), ENEMY_OR_RANDOM))


def sneak_and_hide(deal: Deal) -> None:
    """Deal a sneak in the first turns if none is out. Then deal a hide if stealth is low and none is out.

    If stealth is high, no sneak was out and none was dealt here, roll for a sneak or a treasure.

    Chosen: "played at least 3 turns" counts finished turns; the roll belongs to "no sneak on the board", the hide does
    not; at exactly 5 stealth neither happens.
    """
    no_sneak = deal.count(SNEAKS) < 1
    sneak_dealt = deal.room and no_sneak and deal.turns < EARLY_TURNS
    if sneak_dealt:
        deal.give(SNEAKS)
    if not deal.room:
        return
    if deal.stealth < LOW_STEALTH and deal.count(HIDES) < 1:
        deal.give(HIDES)
    elif deal.stealth > LOW_STEALTH and no_sneak and not sneak_dealt:
        deal.give(deal.roll(word("sneak or treasure"), SNEAK_OR_TREASURE))


def torches(deal: Deal) -> None:
    """Deal torches until two torches or wardens are out.

    Chosen: if neither kind is left, a random card each time, so there may be fewer.
    """
    while deal.room and deal.count(LIGHT_CARRIERS) < TORCHES_WANTED:
        deal.give(TORCHES)


def treasure(deal: Deal) -> None:
    """Deal a treasure if there is no obstacle. Chosen: the article's words, though it may mean "no treasure"."""
    if deal.room and deal.count(OBSTACLES) == 0:
        deal.give(TREASURES)


def obstacle(deal: Deal) -> None:
    """If there is still no obstacle, roll for one, a treasure or a random card."""
    if deal.room and deal.count(OBSTACLES) == 0:
        deal.give(deal.roll(word("obstacle"), OBSTACLE_OR_TREASURE_OR_RANDOM))


def rest(deal: Deal) -> None:
    """Fill what is left from the top of the deck."""
    while deal.room:
        deal.give(ANY)


def after_the_deck(deal: Deal) -> None:
    """Once the deck is empty: the Hatch first, then torches up to two, then enemies from the level's pool."""
    if len(deal.chosen) < deal.size and deal.hatch_due:
        deal.chosen.append(Card(HATCH))
    while len(deal.chosen) < deal.size:
        enough = deal.count(LIGHT_CARRIERS) >= TORCHES_WANTED
        deal.chosen.append(late_enemy(deal) if enough else Card(TORCH))


def late_enemy(deal: Deal) -> Card:
    """Make an enemy that was in no deck, the harder the longer the thief stays."""
    kind = deal.chance.choice(POOLS[deal.level])
    printed = guard(deal.chance.choice(END_GUARDS)) if kind == GUARD else PRINTED[kind]
    harder = deal.late_deals // HARDER_EVERY
    return printed._replace(value=printed.value + harder, purse=printed.purse + harder if printed.purse else 0)
