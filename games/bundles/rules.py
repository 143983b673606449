"""Stealing Bundles: have the largest bundle when all cards are played.

52 cards, two to four players. Four cards go face up to the pool. Whenever all hands are empty and the stock is not,
everybody gets four. In turn, play one card:

1. It takes every pool card of its rank, and the bundle of another player whose top card has its rank.
2. What it takes goes on your bundle: the stolen bundle in its order, then the pool cards, the played card last, on top.
3. Matching nothing, it joins the pool. Your own bundle's top card is no match.

When stock and hands are empty the largest bundle wins; equal ones share the win. Cards left in the pool belong to
nobody.

Drawn are: the player who begins, by lot; then the deck is shuffled once, from its printed order. Its last card is the
top. Four go to the pool, then, at each deal, four to each player from the one who began.

Source: "Stealing Bundles: Coding", the CardStock project, and ``rules.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from games.core import Chance, Sight, State
from games.core.cards import Pack, deck, pips, rank, suit
from games.core.messages import Message, message
from games.core.sight import BLIND
from games.core.state import LONGEST_ROLLOUT
from games.core.view import card_arg, hands_seen, say, say_cards, say_cards_to, seat_arg

# -- facts

PACK = Pack.of(deck())
CARDS = PACK.cards
STEAL_IS_SEEN = 1_500  # milliseconds for which everybody looks at it
LAST_CARD_LIES = 1_200
DEALT = 4  # to the pool, and to each hand at every deal

RANK = {face: rank(face) for face in CARDS}
ORDER = {face: index for index, face in enumerate(sorted(CARDS, key=lambda face: (pips(face), suit(face))))}


# -- what an audience knows


class Catch(NamedTuple):
    """What a card takes: cards from the pool, and the bundle of one other player (-1: of none).

    No two bundles show the same rank: the card that would put it on top a second time steals the first.
    """

    pool: tuple[str, ...]
    victim: int
    stolen: int  # cards in the victim's bundle

    @property
    def growth(self) -> int:
        """How many cards the bundle of the player gains, the played one among them."""
        return len(self.pool) + self.stolen + 1 if self.pool or self.stolen else 0


def catch(face: str, seat: int, pool: Sequence[str], bundles: Sequence[Sequence[str]]) -> Catch:
    """Return what ``face`` takes when ``seat`` plays it."""
    wanted = RANK[face]
    taken = tuple([other for other in pool if RANK[other] == wanted])
    for victim, bundle in enumerate(bundles):
        if bundle and victim != seat and RANK[bundle[-1]] == wanted:
            return Catch(taken, victim, len(bundle))
    return Catch(taken, -1, 0)


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a spectator) knows: everything but the stock and the hands of others.

    ``bundles`` are listed whole, bottom first: everybody saw what went into them. A view shows only their tops.
    """

    seat: int | None
    first: int
    mover: int  # -1 when the match is over
    pool: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]  # empty where the audience does not see them
    hand_sizes: tuple[int, ...]
    bundles: tuple[tuple[str, ...], ...]
    stock: int

    def catch(self, seat: int, face: str) -> Catch:
        """Return what ``face`` takes when ``seat`` plays it."""
        return catch(face, seat, self.pool, self.bundles)


# -- state


class BundlesState(State[Observation]):
    """A position of Stealing Bundles. The top card of stock and bundles is their last."""

    def __init__(self, seats: int, chance: Chance) -> None:
        self.seats = seats
        self.log = []
        self.chance = chance
        self.first = self.mover = chance.randbelow(seats)
        self.stock = list(CARDS)
        self.hands: list[list[str]] = [[] for _ in range(seats)]  # sorted
        self.bundles: list[list[str]] = [[] for _ in range(seats)]
        chance.shuffle(self.stock)
        self.pool = [self.stock.pop() for _ in range(DEALT)]
        self.sight = Sight(PACK, seats)
        for face in self.pool:
            self.sight.show_all(face)
        self.add_entry("info", say("{seat} is drawn by lot to play first.", seat=seat_arg(self.first)))
        self.add_entry("deal", say_cards("The pool gets {cards}.", self.pool), motions=[("stock", "pool")] * DEALT)
        self._deal()

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        return () if self.mover < 0 else (self.mover,)

    def legal_moves(self, seat: int) -> list[str]:
        return [f"play {face}" for face in self.hands[seat]] if seat == self.mover else []

    def apply(self, seat: int, move: str) -> None:
        self._play(seat, move.removeprefix("play "))

    def _play(self, seat: int, face: str) -> None:
        caught = catch(face, seat, self.pool, self.bundles)
        if self.log is not None:
            self._log_play(seat, face, caught)
        self.hands[seat].remove(face)
        self.sight.show_all(face)
        if caught.pool or caught.stolen:
            bundle = self.bundles[seat]
            if caught.victim >= 0:
                bundle += self.bundles[caught.victim]
                self.bundles[caught.victim] = []
            if caught.pool:
                bundle += caught.pool
                self.pool = [other for other in self.pool if other not in caught.pool]
            bundle.append(face)
        else:
            self.pool.append(face)
        self.mover = (seat + 1) % self.seats
        if self.log:
            if caught.victim >= 0:
                self.pause(self.log[-1]["text"], STEAL_IS_SEEN)
            elif not (self.stock or self.hands[self.mover]):
                self.pause(self.log[-1]["text"], LAST_CARD_LIES)
        if not self.hands[self.mover]:  # so are all others: everybody has played as many cards
            if self.stock:
                self._deal()
            else:
                self._end()

    def why_not(self, seat: int, move: str) -> Message:
        held = ", ".join(self.hands[seat])
        words = move.split()
        if len(words) == 2 and words[0] == "play" and " ".join(words) == move:
            return message("You do not hold {card}. Your cards: {held}.", card=words[1][:10], held=held)
        return message("A card is played as in 'play 7C'. Your cards: {held}.", held=held)

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        self.log = None
        self.sight = BLIND
        for _ in range(cap):
            if self.mover < 0:
                break
            self._play(self.mover, chance.choice(self.hands[self.mover]))
        return self.scores()

    # -- a deal

    def _deal(self) -> None:
        order = [(self.first + step) % self.seats for step in range(self.seats)]
        for seat in order:
            self.hands[seat] = sorted([self.stock.pop() for _ in range(DEALT)], key=ORDER.__getitem__)
            for face in self.hands[seat]:
                self.sight.show(face, seat)
        if self.log is None:
            return
        motions = [("stock", f"hand:{seat}") for seat in order for _ in range(DEALT)]
        self.add_entry("deal", say("Everybody gets {count} cards.", count=DEALT), motions=motions)
        for seat in order:
            own, others = say_cards_to(seat, self.hands[seat])
            self.add_entry("deal", own, only=seat, others=others)

    def _log_play(self, seat: int, face: str, caught: Catch) -> None:
        player, played, own = seat_arg(seat), card_arg(face), f"bundle:{seat}"
        if not caught.growth:
            text = say("{seat} plays {card}. It takes nothing and joins the pool.", seat=player, card=played)
            self.add_entry("move", text, seat=seat, motions=[(f"hand:{seat}", "pool")])
            return
        # The played card first: it is the one that is seen to arrive on top.
        motions = [(f"hand:{seat}", own), *(("pool", own) for _ in caught.pool)]
        if caught.victim < 0:
            text = say_cards(
                "{seat} plays {card} and takes {cards} from the pool.", caught.pool, seat=player, card=played
            )
        else:
            robbed = seat_arg(caught.victim)
            motions.append((f"bundle:{caught.victim}", own))
            if caught.pool:
                text = say_cards(
                    "{seat} plays {card}, takes {cards} from the pool and steals {victim}'s bundle of {size}.",
                    caught.pool,
                    seat=player,
                    card=played,
                    victim=robbed,
                    size=caught.stolen,
                )
            else:
                text = say(
                    "{seat} plays {card} and steals {victim}'s bundle of {size}.",
                    seat=player,
                    card=played,
                    victim=robbed,
                    size=caught.stolen,
                )
        self.add_entry("move", text, seat=seat, motions=motions)

    def _end(self) -> None:
        self.mover = -1
        if self.log is None:
            return
        self.add_entry("round", say("All cards are played: the bundles are counted."))
        for seat, bundle in enumerate(self.bundles):
            self.add_entry("info", say("{seat} has {count} cards.", seat=seat_arg(seat), count=len(bundle)), seat=seat)
        self.add_winners_entry(self.winners(), "{seat} has the largest bundle and wins.")

    # -- the end

    def scores(self) -> list[float]:
        """Return how many cards each bundle has."""
        return [float(len(bundle)) for bundle in self.bundles]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        return Observation(
            seat=seat,
            first=self.first,
            mover=self.mover,
            pool=tuple(self.pool),
            hands=hands_seen(self.hands, seat, face_up=face_up),
            hand_sizes=tuple(map(len, self.hands)),
            bundles=tuple(map(tuple, self.bundles)),
            stock=len(self.stock),
        )

    # -- copies

    def fork(self, chance: Chance) -> Self:
        copy = self.shallow_copy(chance)
        copy.stock = self.stock[:]
        copy.pool = self.pool[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.bundles = [bundle[:] for bundle in self.bundles]
        return copy

    def piles(self) -> Sequence[list[str]]:
        return [self.stock, *self.hands]

    def arrange(self) -> None:
        for hand in self.hands:
            hand.sort(key=ORDER.__getitem__)
