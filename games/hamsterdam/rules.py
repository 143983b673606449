"""Hamsterdam Exchange: be the last player who holds a certificate.

Stock deck: A-10 of clubs and diamonds, ace 1. Modifier deck: A-5 of hearts (they subtract) and spades (they add).
Everybody starts with two certificates. A round:

1. Each player still in gets a stock card and a modifier card. Kept modifiers pile up in the hand, so their deck can run
   dry: it is dealt round from the dealer's left until it is empty.
2. Markets open, from the dealer's left, the dealer last, one decision each: ``keep``, or ``trade`` stocks with the next
   player to the left who is still in. The dealer's trade discards the card, face down, and draws the top of the deck.
3. All stocks turn face up.
4. Adjustment, from the dealer's left: ``play 4S on 2`` puts a modifier on any player still in, or ``pass``. It ends
   when everybody still in has passed in a row. Who has no modifier passes without being asked.
5. The lowest total, and everybody tied for it, loses a certificate; with none left a player is out.
6. Stocks and played modifiers go back, and the hand of a player who is out; both decks are shuffled, and the deal
   passes to the left.

The last player with a certificate wins. A round that takes the last certificate of everybody still in is a shared win.
The first dealer is drawn by lot.

Drawn from the chance, in this order: the first dealer, ``below(seats)``; in each round a shuffle of the stock deck,
then one of the modifiers that nobody kept, each from its printed order.

Source: "Hamsterdam Exchange", SeaLeft Studios' notes on Sleuthhounds: Cruise, 27 September 2019, and ``rules.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol, Self

from games.core import BadOption, Chance, Game, Option, RandomBot, State
from games.core.cards import deck, pips, suit
from games.core.game import Options
from games.core.view import (
    Counter,
    Deed,
    Piece,
    Reckoning,
    ReckoningRow,
    Result,
    SeatView,
    Text,
    View,
    Zone,
    closed_card,
    closed_pile,
    figure,
    hand_zone,
    hands_seen,
    open_card,
    say,
)
from games.core.view import card as card_arg
from games.core.view import seat as seat_arg
from games.hamsterdam.bots import HouseBot
from games.hamsterdam.rigged import RiggedDealer, RiggedSeries

# -- facts

STOCKS = tuple(deck(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10"), "CD"))
MODIFIERS = tuple(deck(("A", "2", "3", "4", "5"), "HS"))
CERTIFICATES = 2
MAX_SEATS = 6

STOCK_VALUE = {face: pips(face) for face in STOCKS}
MODIFIER_VALUE = {face: pips(face) if suit(face) == "S" else -pips(face) for face in MODIFIERS}

Phase = Literal["market", "adjustment", "over"]


class Dealer(Protocol):
    """Who handles the cards. The top card of a deck is its last."""

    def stock(self, deck: list[str], seat: int) -> str:
        """Take a stock card for ``seat`` from ``deck``, which is never empty."""

    def modifier(self, deck: list[str], seat: int) -> str:
        """Take a modifier for ``seat`` from ``deck``, which is not empty."""

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> None:
        """Carry out a trade of ``seat`` with its neighbour ``left``."""


class HonestDealer:
    """Top card first, whoever it is for; a trade is a trade."""

    def stock(self, deck: list[str], seat: int) -> str:
        return deck.pop()

    def modifier(self, deck: list[str], seat: int) -> str:
        return deck.pop()

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> None:
        stocks[seat], stocks[left] = stocks[left], stocks[seat]


HONEST = HonestDealer()


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class Reckoned:
    """How a round ended. All of it was on the table."""

    round: int
    rows: tuple[tuple[int, str, tuple[str, ...], int], ...]  # (seat, stock, modifiers on it, total)
    lost: tuple[int, ...]  # seats that lost a certificate


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a watcher) knows. Faces are "" where they are hidden or there is no card."""

    seat: int | None
    round: int
    phase: Phase
    dealer: int
    mover: int  # -1 when the match is over
    certificates: tuple[int, ...]
    stock: tuple[str, ...]  # faces the audience sees
    holds: tuple[bool, ...]  # who has a stock card at all
    remembers: tuple[str, ...]  # stocks the seat has seen or, after trades, believes to lie there
    hands: tuple[tuple[str, ...], ...]  # modifiers the audience sees
    hand_sizes: tuple[int, ...]
    played: tuple[tuple[str, ...], ...]  # modifiers on each stock, in order
    decided: tuple[str, ...]  # this round's markets: "keep", "trade" or ""
    passes: int  # in a row
    stock_deck: int
    modifier_deck: int
    discarded: bool  # the dealer's stock lies on the discard pile
    reckoned: Reckoned | None
    survived: tuple[int, ...]
    winners: tuple[int, ...]  # empty until the match is over


def left_of(seat: int, certificates: Sequence[int]) -> int:
    """Return the next seat to the left that still has a certificate."""
    seats = len(certificates)
    for step in range(1, seats + 1):
        if certificates[(seat + step) % seats]:
            return (seat + step) % seats
    raise ValueError("Nobody has a certificate.")


def total(stock: str, played: Sequence[str]) -> int:
    """Return what a stock is worth with the modifiers on it."""
    return STOCK_VALUE[stock] + sum(MODIFIER_VALUE[face] for face in played)


def moves_of(phase: Phase, hand: Sequence[str], certificates: Sequence[int]) -> list[str]:
    """Return the moves of the player to act, who holds the modifiers ``hand``."""
    if phase == "market":
        return ["keep", "trade"]
    targets = [seat for seat, left in enumerate(certificates) if left]
    return [*(f"play {face} on {seat}" for face in hand for seat in targets), "pass"]


# -- state


class HamsterdamState(State[Observation]):
    """A position of Hamsterdam Exchange. ``chance`` shuffles; ``dealing`` says who gets which card."""

    def __init__(self, seats: int, chance: Chance, dealing: Dealer) -> None:
        self.seats = seats
        self.lines = []
        self.chance = chance
        self.dealing = dealing
        self.round = 0
        self.phase: Phase = "market"
        self.dealer = chance.below(seats)
        self.mover = -1
        self.passes = 0
        self.certificates = [CERTIFICATES] * seats
        self.survived = [0] * seats  # rounds at whose end the seat held a certificate
        self.stock = [""] * seats
        self.discard = ""
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.played: list[list[str]] = [[] for _ in range(seats)]
        self.decided = [""] * seats
        # memory[viewer][place]: the stock that viewer takes to lie there; the last place is the discard pile.
        self.memory: list[list[str]] = []
        self.stock_deck: list[str] = []
        self.modifier_deck: list[str] = []
        self.reckoned: Reckoned | None = None
        self.winners: tuple[int, ...] = ()
        self.tell("info", say("{seat} is drawn by lot to deal first.", seat=seat_arg(self.dealer)))
        self._deal()

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        return () if self.phase == "over" else (self.mover,)

    def legal_moves(self, seat: int) -> list[str]:
        if seat != self.mover:
            return []
        return moves_of(self.phase, self.hands[seat], self.certificates)

    def apply(self, seat: int, move: str) -> None:
        if self.phase == "market":
            self._market(seat, move)
        elif move == "pass":
            self.passes += 1
            if self.lines is not None:
                self.tell("move", say("{seat} passes.", seat=seat_arg(seat)), seat=seat)
            self._next_adjustment(seat)
        else:
            _, face, _, target = move.split()
            self._put(seat, face, int(target))
            self._next_adjustment(seat)

    def why_not(self, seat: int, move: str) -> str:
        words = move.split()
        verb = words[0] if words else ""
        if verb not in ("keep", "trade", "pass", "play"):
            return f"There is no move {move[:80]!r}. {self._may(seat)}"
        if self.phase == "market" and verb in ("pass", "play"):
            return f"Modifiers are played, or not, once all stocks are face up. {self._may(seat)}"
        if self.phase == "adjustment" and verb in ("keep", "trade"):
            return f"The markets are closed for this round. {self._may(seat)}"
        if verb != "play":
            return f"A {verb} is that one word and nothing else. {self._may(seat)}"
        if len(words) != 4 or words[2] != "on" or " ".join(words) != move:
            return f"A modifier is played as in 'play 4S on 2': a card you hold and a seat. {self._may(seat)}"
        if words[1] not in self.hands[seat]:
            return f"You do not hold {words[1][:10]}. Your modifiers: {', '.join(self.hands[seat])}."
        if words[3] not in map(str, range(self.seats)):
            return f"There is no seat {words[3][:10]}: they are numbered from 0 to {self.seats - 1}."
        return f"Seat {words[3]} is out of the match: play on somebody who still has a certificate."

    def _may(self, seat: int) -> str:
        if self.phase == "market":
            return "You may keep or trade."
        return f"You may pass, or play one of your modifiers: {', '.join(self.hands[seat])}."

    # -- a round

    def _deal(self) -> None:
        """Shuffle both decks, from their printed order, and deal a round."""
        self.round += 1
        self.phase = "market"
        self.passes = 0
        self.discard = ""
        seats = self.seats
        self.stock = [""] * seats
        self.played = [[] for _ in range(seats)]
        self.decided = [""] * seats
        self.memory = [[""] * (seats + 1) for _ in range(seats)]
        kept = {face for hand in self.hands for face in hand}
        self.stock_deck = list(STOCKS)
        self.modifier_deck = [face for face in MODIFIERS if face not in kept]
        self.chance.shuffle(self.stock_deck)
        self.chance.shuffle(self.modifier_deck)
        order = self._round_from_the_left()
        for seat in order:
            self.stock[seat] = self.memory[seat][seat] = self.dealing.stock(self.stock_deck, seat)
        supplied = order[: len(self.modifier_deck)]
        for seat in supplied:
            self.hands[seat].append(self.dealing.modifier(self.modifier_deck, seat))
        self.mover = order[0]
        if self.lines is not None:
            self._tell_deal(order, supplied)

    def _round_from_the_left(self) -> list[int]:
        """Return the seats still in, from the dealer's left; the dealer is last."""
        places = range(self.dealer + 1, self.dealer + 1 + self.seats)
        return [place % self.seats for place in places if self.certificates[place % self.seats]]

    def _tell_deal(self, order: list[int], supplied: list[int]) -> None:
        self.tell("round", say("Round {round}: {seat} deals.", round=self.round, seat=seat_arg(self.dealer)))
        if len(supplied) == len(order):
            text = say("Everybody still in gets a stock and a modifier.")
        elif supplied:
            last = seat_arg(supplied[-1])
            text = say("Everybody still in gets a stock; the last modifier goes to {seat}.", seat=last)
        else:
            text = say("Everybody still in gets a stock; the modifier deck is empty.")
        motions = [("deck:stock", f"stock:{seat}") for seat in order]
        motions += [("deck:modifier", f"modifiers:{seat}") for seat in supplied]
        self.tell("deal", text, motions=motions)
        for seat in order:
            stock = card_arg(self.stock[seat])
            if seat in supplied:
                modifier = card_arg(self.hands[seat][-1])
                self.tell("deal", say("You get {stock} and {modifier}.", stock=stock, modifier=modifier), only=seat)
            else:
                self.tell("deal", say("You get {stock} and no modifier.", stock=stock), only=seat)

    def _market(self, seat: int, move: str) -> None:
        self.decided[seat] = move
        if move == "trade":
            self._trade(seat)
        elif self.lines is not None:
            self.tell("move", say("{seat} keeps the stock.", seat=seat_arg(seat)), seat=seat)
        if seat != self.dealer:
            self.mover = left_of(seat, self.certificates)
            return
        self.phase = "adjustment"
        self.reckoned = None
        if self.lines is not None:
            self.tell("round", say("Markets close: all stocks turn face up."))
            for shown in self._round_from_the_left():
                text = say("{seat} shows {card}.", seat=seat_arg(shown), card=card_arg(self.stock[shown]))
                self.tell("info", text, seat=shown)
        self._next_adjustment(seat)

    def _trade(self, seat: int) -> None:
        """Trade, and let everybody remember what an honest trade would have taught them."""
        if seat == self.dealer:
            left = -1
            self.discard = self.stock[seat]
            self.stock[seat] = self.dealing.stock(self.stock_deck, seat)
            for memory in self.memory:
                memory[-1] = memory[seat]
                memory[seat] = ""
        else:
            left = left_of(seat, self.certificates)
            self.dealing.trade(self.stock, self.stock_deck, seat, left, self.chance)
            for memory in self.memory:
                memory[seat], memory[left] = memory[left], memory[seat]
            self.memory[left][left] = self.stock[left]
        self.memory[seat][seat] = self.stock[seat]
        if self.lines is not None:
            self._tell_trade(seat, left)

    def _tell_trade(self, seat: int, left: int) -> None:
        here = f"stock:{seat}"
        if left < 0:
            text = say("{seat} discards and draws from the stock deck.", seat=seat_arg(seat))
            self.tell("move", text, seat=seat, motions=[(here, "discard"), ("deck:stock", here)])
        else:
            text = say("{seat} trades stocks with {left}.", seat=seat_arg(seat), left=seat_arg(left))
            self.tell("move", text, seat=seat, motions=[(here, f"stock:{left}"), (f"stock:{left}", here)])
        for looker in (seat, left) if left >= 0 else (seat,):
            self.tell("info", say("Your stock is now {card}.", card=card_arg(self.stock[looker])), only=looker)

    def _put(self, seat: int, face: str, target: int) -> None:
        self.passes = 0
        self.hands[seat].remove(face)
        self.played[target].append(face)
        if self.lines is not None:
            now = total(self.stock[target], self.played[target])
            motions = [(f"modifiers:{seat}", f"played:{target}")]
            if seat == target:
                text = say(
                    "{seat} plays {card} on their own stock: total {total}.",
                    seat=seat_arg(seat),
                    card=card_arg(face),
                    total=now,
                )
            else:
                text = say(
                    "{seat} plays {card} on {target}: total {total}.",
                    seat=seat_arg(seat),
                    card=card_arg(face),
                    target=seat_arg(target),
                    total=now,
                )
            self.tell("move", text, seat=seat, motions=motions)

    def _next_adjustment(self, seat: int) -> None:
        """Go on from ``seat`` to the next player who has a choice, or to the reckoning."""
        still_in = self.seats - self.certificates.count(0)
        while self.passes < still_in:
            seat = left_of(seat, self.certificates)
            if self.hands[seat]:
                self.mover = seat
                return
            self.passes += 1
            if self.lines is not None:
                self.tell("move", say("{seat} has no modifier and passes.", seat=seat_arg(seat)), seat=seat)
        self._reckon()

    def _reckon(self) -> None:
        """Take the certificates, and deal the next round unless the match is over."""
        order = self._round_from_the_left()
        totals = {seat: total(self.stock[seat], self.played[seat]) for seat in order}
        lowest = min(totals.values())
        lost = [seat for seat in order if totals[seat] == lowest]
        rows = tuple((seat, self.stock[seat], tuple(self.played[seat]), totals[seat]) for seat in sorted(order))
        self.reckoned = Reckoned(self.round, rows, tuple(sorted(lost)))
        for seat in lost:
            self.certificates[seat] -= 1
        for seat, left in enumerate(self.certificates):
            if left:
                self.survived[seat] += 1
        if self.lines is not None:
            self._tell_reckoning(order, totals, lost)
        remaining = [seat for seat in order if self.certificates[seat]]
        if len(remaining) > 1:
            if self.lines is not None:
                self._tell_collection(order)
            for seat in lost:
                if not self.certificates[seat]:
                    self.hands[seat] = []
            self.dealer = left_of(self.dealer, self.certificates)
            self._deal()
            return
        self.winners = tuple(remaining or sorted(order))
        self.phase = "over"
        self.mover = -1
        if self.lines is not None:
            self.tell_winners(self.winners, "{seat} is the last with a certificate and wins.")

    def _tell_reckoning(self, order: list[int], totals: dict[int, int], lost: list[int]) -> None:
        self.tell("round", say("Everybody has passed: the round is reckoned."))
        for seat in order:
            self.tell("info", say("{seat} ends with {total}.", seat=seat_arg(seat), total=totals[seat]), seat=seat)
        for seat in lost:
            if len(lost) == 1:
                text = say("{seat} has the lowest total and loses a certificate.", seat=seat_arg(seat))
            else:
                text = say("{seat} is tied for the lowest total and loses a certificate.", seat=seat_arg(seat))
            self.tell("loss", text, seat=seat)
        for seat in lost:
            if not self.certificates[seat]:
                self.tell("loss", say("{seat} has no certificate left and is out.", seat=seat_arg(seat)), seat=seat)

    def _tell_collection(self, order: list[int]) -> None:
        motions = [(f"stock:{seat}", "deck:stock") for seat in order]
        if self.discard:
            motions.append(("discard", "deck:stock"))
        motions += [(f"played:{seat}", "deck:modifier") for seat in order for _ in self.played[seat]]
        fallen = [seat for seat in order if not self.certificates[seat]]
        motions += [(f"modifiers:{seat}", "deck:modifier") for seat in fallen for _ in self.hands[seat]]
        self.tell("deal", say("Stocks and played modifiers go back; both decks are shuffled."), motions=motions)

    # -- the end

    def scores(self) -> list[float]:
        """Return the rounds each seat survived: those at whose end it still held a certificate.

        The best score is exactly the winners': a sole winner alone survives the last round, and those who
        share a win all fell in the last round, later than anybody else.
        """
        return [float(rounds) for rounds in self.survived]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        if face_up or self.phase != "market":
            stock = remembers = tuple(self.stock)
        elif seat is None:
            stock = remembers = ("",) * self.seats
        else:
            stock = tuple([face if place == seat else "" for place, face in enumerate(self.stock)])
            remembers = tuple(self.memory[seat][:-1])
        return Observation(
            seat=seat,
            round=self.round,
            phase=self.phase,
            dealer=self.dealer,
            mover=self.mover,
            certificates=tuple(self.certificates),
            stock=stock,
            holds=tuple([face != "" for face in self.stock]),
            remembers=remembers,
            hands=hands_seen(self.hands, seat, face_up=face_up),
            hand_sizes=tuple(map(len, self.hands)),
            played=tuple(map(tuple, self.played)),
            decided=tuple(self.decided),
            passes=self.passes,
            stock_deck=len(self.stock_deck),
            modifier_deck=len(self.modifier_deck),
            discarded=self.discard != "",
            reckoned=self.reckoned,
            survived=tuple(self.survived),
            winners=self.winners,
        )

    def draw(self, observation: Observation) -> View:
        seen = observation
        view: View = {
            "game": HAMSTERDAM.name,
            "seat": seen.seat,
            "phase": _phase(seen),
            "prompt": _prompt(seen),
            "to_act": [] if seen.phase == "over" else [seen.mover],
            "decision": 0,
            "seats": [_seat(seen, seat) for seat in range(len(seen.certificates))],
            "zones": _zones(seen),
            "moves": _deeds(seen) if seen.seat is not None and seen.seat == seen.mover else [],
            "over": seen.phase == "over",
        }
        if seen.reckoned:
            view["reckoning"] = _reckoning(seen.reckoned)
        if seen.phase == "over":
            scores = [float(rounds) for rounds in seen.survived]
            view["result"] = Result(scores=scores, winners=list(seen.winners), text=_outcome(seen))
        return view

    # -- copies

    def fork(self, chance: Chance) -> Self:
        twin = self.twin(chance)
        twin.certificates = self.certificates[:]
        twin.survived = self.survived[:]
        twin.stock = self.stock[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.played = [faces[:] for faces in self.played]
        twin.decided = self.decided[:]
        twin.memory = [memory[:] for memory in self.memory]
        twin.stock_deck = self.stock_deck[:]
        twin.modifier_deck = self.modifier_deck[:]
        return twin

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Draw afresh all that ``seat`` cannot know. What it believes holds; the dealer is an honest one.

        Under a rigged dealer beliefs may contradict each other or what lies open: then the later ones give way.
        """
        twin = self.fork(chance)
        twin.dealing = HONEST
        self._redraw_stocks(seat, twin)
        self._redraw_modifiers(seat, twin)
        return twin

    def _redraw_stocks(self, seat: int, twin: HamsterdamState) -> None:
        discard = self.seats
        places = [place for place, face in enumerate(self.stock) if face]
        if self.discard:
            places.append(discard)
        beliefs = self.memory[seat]
        unseen = list(STOCKS)
        lying: dict[int, str] = {}
        for place in places:
            if place != discard and (place == seat or self.phase != "market"):
                lying[place] = self.stock[place]
                unseen.remove(lying[place])
        for place in places:
            if place not in lying and beliefs[place] in unseen:
                lying[place] = beliefs[place]
                unseen.remove(lying[place])
        twin.chance.shuffle(unseen)
        for place in places:
            if place not in lying:
                lying[place] = unseen.pop()
        twin.stock_deck = unseen
        twin.discard = lying.pop(discard, "")
        for place, face in lying.items():
            twin.stock[place] = face
        # Who knows which place is public, since trades are; what they know there has just changed.
        for viewer, memory in enumerate(twin.memory):
            if viewer != seat:
                for place, face in enumerate([*twin.stock, twin.discard]):
                    if memory[place]:
                        memory[place] = face

    def _redraw_modifiers(self, seat: int, twin: HamsterdamState) -> None:
        known = {*self.hands[seat], *(face for faces in self.played for face in faces)}
        unseen = [face for face in MODIFIERS if face not in known]
        twin.chance.shuffle(unseen)
        for place, hand in enumerate(self.hands):
            if place != seat:
                twin.hands[place] = [unseen.pop() for _ in hand]
        twin.modifier_deck = unseen


# -- the observation in the table vocabulary


def _phase(seen: Observation) -> Text:
    if seen.phase == "market":
        return say("Round {round}: markets open", round=seen.round)
    if seen.phase == "adjustment":
        return say("Round {round}: adjustment", round=seen.round)
    return say("The match is over")


def _prompt(seen: Observation) -> Text:
    if seen.phase == "over":
        return _outcome(seen)
    mover = seat_arg(seen.mover)
    if seen.phase == "adjustment":
        if seen.seat == seen.mover:
            return say("Your adjustment: play a modifier on anybody, or pass")
        return say("Waiting for {seat} to play a modifier or pass", seat=mover)
    if seen.seat != seen.mover:
        return say("Waiting for {seat} to keep or trade", seat=mover)
    own = card_arg(seen.stock[seen.mover])
    if seen.mover == seen.dealer:
        return say("Your market: keep the {card} or trade it for the top of the stock deck", card=own)
    left = seat_arg(left_of(seen.mover, seen.certificates))
    return say("Your market: keep the {card} or trade it with {seat}", card=own, seat=left)


def _outcome(seen: Observation) -> Text:
    if len(seen.winners) == 1:
        return say("{seat} wins, the last with a certificate", seat=seat_arg(seen.winners[0]))
    return say(
        "{count} players lose their last certificate together and share the win",
        count=len(seen.winners),
    )


def _seat(seen: Observation, seat: int) -> SeatView:
    certificates = seen.certificates[seat]
    counter = Counter(id="certificates", label=say("Certificates"), value=certificates, icon="certificate")
    state: Literal["in", "out", "won"] = "won" if seat in seen.winners else "in" if certificates else "out"
    return SeatView(seat=seat, state=state, counters=[counter], marks=["dealer"] if seat == seen.dealer else [])


# Most of a table stays as it is from ply to ply and from audience to audience, so its parts are kept: making them was
# most of what a move cost the site. Nobody changes a view.


def _zones(seen: Observation) -> list[Zone]:
    zones: list[Zone] = []
    for seat in range(len(seen.certificates)):
        zones += _places(
            seat, seen.stock[seat], seen.holds[seat], seen.hands[seat], seen.hand_sizes[seat], seen.played[seat]
        )
    zones += _piles(seen.stock_deck, seen.modifier_deck, seen.discarded)
    return zones


@lru_cache(maxsize=4096)
def _places(
    seat: int, face: str, holds: bool, hand: tuple[str, ...], hand_size: int, played: tuple[str, ...]
) -> tuple[Zone, Zone, Zone]:
    whose = seat_arg(seat)
    stock = Zone(id=f"stock:{seat}", label=say("Stock of {seat}", seat=whose), layout="slot", seat=seat, pieces=[])
    if face:
        stock["pieces"].append(_open(face))
        stock["total"] = total(face, played)
    elif holds:
        stock["pieces"].append(closed_card(stock["id"], 0, "stock"))
    label = say("Modifiers of {seat}", seat=whose)
    modifiers = hand_zone(f"modifiers:{seat}", label, seat, [_open(face) for face in hand], hand_size, "modifier")
    on_it = Zone(id=f"played:{seat}", label=say("Played on {seat}", seat=whose), layout="row", seat=seat, pieces=[])
    on_it["pieces"] = [_open(face) for face in played]
    return stock, modifiers, on_it


@lru_cache(maxsize=1024)
def _piles(stock_deck: int, modifier_deck: int, discarded: bool) -> tuple[Zone, Zone, Zone]:
    return (
        closed_pile("deck:stock", say("Stock deck"), stock_deck, "stock"),
        closed_pile("deck:modifier", say("Modifier deck"), modifier_deck, "modifier"),
        closed_pile("discard", say("Discarded stock"), int(discarded), "stock"),
    )


def _open(face: str) -> Piece:
    return open_card(face, "" if face in STOCK_VALUE else _signed(face))


def _signed(modifier: str) -> str:
    return figure(MODIFIER_VALUE[modifier], signed=True)


def _deeds(seen: Observation) -> list[Deed]:
    me = seen.mover
    if seen.phase == "market":
        own = seen.stock[me]
        keep = Deed(move="keep", label=say("Keep {card}", card=card_arg(own)), pieces=[own])
        if me == seen.dealer:
            label = say("Trade {card} for the top of the stock deck", card=card_arg(own))
            return [keep, Deed(move="trade", label=label, pieces=[own], target="zone:deck:stock")]
        left = left_of(me, seen.certificates)
        label = say("Trade {card} with {seat}", card=card_arg(own), seat=seat_arg(left))
        return [keep, Deed(move="trade", label=label, pieces=[own], target=f"seat:{left}")]
    return [_adjustment(move, me) for move in moves_of(seen.phase, seen.hands[me], seen.certificates)]


@lru_cache(maxsize=1024)
def _adjustment(move: str, me: int) -> Deed:
    if move == "pass":
        return Deed(move=move, label=say("Pass"), pieces=[])
    _, face, _, target = move.split()
    if int(target) == me:
        label = say("{card} on your own stock", card=card_arg(face))
    else:
        label = say("{card} on {seat}", card=card_arg(face), seat=seat_arg(int(target)))
    return Deed(move=move, label=label, pieces=[face], target=f"seat:{target}")


@lru_cache(maxsize=1024)
def _reckoning(reckoned: Reckoned) -> Reckoning:
    rows: list[ReckoningRow] = []
    for seat, stock, modifiers, points in reckoned.rows:
        row = ReckoningRow(seat=seat, cells=[str(STOCK_VALUE[stock]), " ".join(map(_signed, modifiers)), str(points)])
        if seat in reckoned.lost:
            row["mark"] = "lost"
        rows.append(row)
    lowest = min(points for *_, points in reckoned.rows)
    if len(reckoned.lost) == 1:
        verdict = say(
            "{seat} has the lowest total, {total}, and loses a certificate",
            seat=seat_arg(reckoned.lost[0]),
            total=lowest,
        )
    else:
        verdict = say(
            "{count} players tie for the lowest total, {total}, and lose a certificate each",
            count=len(reckoned.lost),
            total=lowest,
        )
    return Reckoning(
        id=f"round-{reckoned.round}",
        title=say("Round {round}", round=reckoned.round),
        columns=[say("Stock"), say("Modifiers"), say("Total")],
        rows=rows,
        verdict=verdict,
    )


# -- game


class HamsterdamExchange(Game):
    """The facts of Hamsterdam Exchange."""

    name = "hamsterdam"
    title = "Hamsterdam Exchange"
    summary = "Keep your stock or pass it on, then push prices up and down: the lowest loses a certificate."
    min_seats = 2
    max_seats = MAX_SEATS
    default_seats = 3
    minutes = 10
    options = (
        Option(
            name="rigged",
            label="Deck stacked for seat",
            default=-1,
            low=-1,
            high=MAX_SEATS - 1,
            help="The seat that gets the good cards; -1: nobody, an honest deal.",
            secret=True,
        ),
    )
    bots = (HouseBot, RandomBot)
    rules_page = Path(__file__).with_name("rules.md")
    rig = RiggedSeries()

    def start(self, seats: int, options: Options, chance: Chance) -> HamsterdamState:
        """Deal the first round. Raises BadOption when the deck is to be stacked for a seat that is not there."""
        favourite = int(options["rigged"])
        if favourite >= seats:
            raise BadOption(f"rigged must be a seat from 0 to {seats - 1}, or -1 for nobody, not {favourite}.")
        return HamsterdamState(seats, chance, HONEST if favourite < 0 else RiggedDealer(favourite))


HAMSTERDAM = HamsterdamExchange()
