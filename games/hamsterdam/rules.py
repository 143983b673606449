"""Hamsterdam Exchange: be the last player who holds a certificate.

Stock deck: A-10 of clubs and diamonds, ace 1. Modifier deck: A-5 of hearts (they subtract) and spades (they add).
Everybody starts with two certificates. A round:

1. Each player still in gets a stock card and a modifier card. Kept modifiers pile up in the hand, so their deck can run
   dry: it is dealt round from the dealer's left until it is empty.
2. Markets open, from the dealer's left, the dealer last, one decision each: ``keep``, or ``trade`` stocks with the next
   player to the left who is still in. The dealer's trade discards the card, face down, and draws the top of the deck.
3. All stocks turn face up.
4. Adjustment, from the dealer's left: ``play 4S on 2`` puts a modifier on any player still in, or ``pass``. It ends
   when everybody still in has passed in a row. A player without modifiers passes automatically.
5. The lowest total, and everybody tied for it, loses a certificate; with none left a player is out.
6. Stocks and played modifiers go back, and the hand of a player who is out; both decks are shuffled, and the next to
   the left of the dealer who is still in deals.

The last player with a certificate wins. A round that takes the last certificate of everybody still in is a shared win.
The first dealer is drawn by lot.

Drawn from the chance, in this order: the first dealer, ``randbelow(seats)``; in each round a shuffle of the stock deck,
then one of the modifiers that nobody kept, each from its printed order.

Source: "Hamsterdam Exchange", SeaLeft Studios' notes on Sleuthhounds: Cruise, 27 September 2019, and ``rules.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

from games.core import Chance, Sight, State
from games.core.cards import Pack, deck, pips, suit
from games.core.messages import Message, message, quoted
from games.core.sight import BLIND
from games.core.state import LONGEST_ROLLOUT
from games.core.view import Sentence, card_arg, hands_seen, say, seat_arg
from games.hamsterdam.dealers import HONEST, Dealer

# -- facts

STOCKS = tuple(deck(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10"), "CD"))
MODIFIERS = tuple(deck(("A", "2", "3", "4", "5"), "HS"))
PACK = Pack.of(STOCKS, back="stock") + Pack.of(MODIFIERS, back="modifier")
CERTIFICATES = 2
MAX_SEATS = 6

STOCKS_ARE_SHOWN = 1_600  # milliseconds for which everybody looks at them
SCORING_IS_SHOWN = 3_000
STOCK_VALUE = {face: pips(face) for face in STOCKS}
MODIFIER_VALUE = {face: pips(face) if suit(face) == "S" else -pips(face) for face in MODIFIERS}

# Every way to play a modifier, by face and then by seat, and what each of these moves means.
PLAYS = {face: [f"play {face} on {seat}" for seat in range(MAX_SEATS)] for face in MODIFIERS}
MEANING = {move: (face, seat) for face, moves in PLAYS.items() for seat, move in enumerate(moves)}

Phase = Literal["market", "adjustment", "over"]


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class RoundScore:
    """How a round ended. All of it was on the table."""

    round: int
    rows: tuple[tuple[int, str, tuple[str, ...], int], ...]  # (seat, stock, modifiers on it, total)
    lost: tuple[int, ...]  # seats that lost a certificate

    @property
    def verdict(self) -> Sentence:
        """Who loses a certificate, and why."""
        lowest = min(points for *_, points in self.rows)
        if len(self.lost) == 1:
            text = "{seat} has the lowest total, {total}, and loses a certificate"
            return say(text, seat=seat_arg(self.lost[0]), total=lowest)
        text = "{count} players tie for the lowest total, {total}, and lose a certificate each"
        return say(text, count=len(self.lost), total=lowest)


class Observation(NamedTuple):
    """All that a seat (None: a spectator) knows. Faces are "" if they are hidden or there is no card.

    A named tuple, because one is made for every decision, and a frozen dataclass takes three times as long.
    """

    seat: int | None
    round: int
    phase: Phase
    dealer: int
    mover: int  # -1 when the match is over
    certificates: tuple[int, ...]
    stock: tuple[str, ...]  # faces the audience sees
    holds: tuple[bool, ...]  # whether each seat has a stock card
    # Stocks the seat has seen and can still locate, its own among them, according to the trades it was shown.
    remembers: tuple[str, ...]
    laid_aside: str  # the stock on the discard pile, if the seat has seen it
    hands: tuple[tuple[str, ...], ...]  # modifiers the audience sees
    hand_sizes: tuple[int, ...]
    played: tuple[tuple[str, ...], ...]  # modifiers on each stock, in order
    decided: tuple[str, ...]  # this round's markets: "keep", "trade" or ""
    passes: int  # in a row
    stock_deck: int
    modifier_deck: int
    discarded: bool  # the dealer's stock lies on the discard pile
    last_score: RoundScore | None
    survived: tuple[int, ...]
    winners: tuple[int, ...]  # empty until the match is over


def left_of(seat: int, certificates: Sequence[int]) -> int:
    """Return the next seat to the left that still has a certificate.

    >>> left_of(1, [2, 2, 0, 1])
    3
    """
    seats = len(certificates)
    for step in range(1, seats + 1):
        if certificates[(seat + step) % seats]:
            return (seat + step) % seats
    raise ValueError("Nobody has a certificate.")


def total(stock: str, played: Sequence[str]) -> int:
    """Return what a stock is worth with the modifiers on it.

    >>> total("3C", ["4S", "5H"])
    2
    """
    return STOCK_VALUE[stock] + sum([MODIFIER_VALUE[face] for face in played])


def moves_of(phase: Phase, hand: Sequence[str], certificates: Sequence[int]) -> list[str]:
    """Return the moves of the player to act, who holds the modifiers ``hand``.

    >>> moves_of("adjustment", ["4S"], certificates=[2, 0, 1])
    ['play 4S on 0', 'play 4S on 2', 'pass']
    """
    if phase == "market":
        return ["keep", "trade"]
    targets = [seat for seat, left in enumerate(certificates) if left]
    return [*[PLAYS[face][seat] for face in hand for seat in targets], "pass"]


# -- state


class HamsterdamState(State[Observation]):
    """A position of Hamsterdam Exchange. ``chance`` shuffles; ``dealing`` says who gets which card."""

    def __init__(self, seats: int, chance: Chance, dealing: Dealer[HamsterdamState], more: Sequence[int] = ()) -> None:
        """Deal the first round. ``more``: the certificates that seats start with in addition to the usual."""
        self.seats = seats
        self.log = []
        self.chance = chance
        self.dealing = dealing
        self.round = 0
        self.phase: Phase = "market"
        self.dealer = chance.randbelow(seats)
        self.order: list[int] = []  # seats in the round, from the dealer's left; the dealer is last
        self.mover = -1
        self.passes = 0
        self.certificates = [CERTIFICATES + extra for extra in more or [0] * seats]
        self.survived = [0] * seats  # rounds at whose end the seat held a certificate
        self.stock = [""] * seats
        # By seat, the stocks it remembers: one a seat, then the discarded one. None if trades are always as announced:
        # then a seat remembers the stocks that it can name (``sight``).
        self.memory: list[tuple[str, ...]] | None = None if dealing.swaps else []
        self.discard: list[str] = []  # at most one card
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.played: list[list[str]] = [[] for _ in range(seats)]
        self.decided = [""] * seats
        self.stock_deck: list[str] = []
        self.modifier_deck: list[str] = []
        self.last_score: RoundScore | None = None
        self.sight = Sight(PACK, seats)
        self.add_entry("info", say("{seat} is drawn by lot to deal first.", seat=seat_arg(self.dealer)))
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
            self._pass(seat)
        else:
            face, target = MEANING[move]
            self._put(seat, face, target)

    def why_not(self, seat: int, move: str) -> Message:
        words = move.split()
        verb = words[0] if words else ""
        if verb not in ("keep", "trade", "pass", "play"):
            return message("There is no move {move}. {may}", move=quoted(move), may=self._may(seat))
        if self.phase == "market" and verb in ("pass", "play"):
            return message("Modifiers can be played once all stocks are face up. {may}", may=self._may(seat))
        if self.phase == "adjustment" and verb in ("keep", "trade"):
            return message("The markets are closed for this round. {may}", may=self._may(seat))
        if verb != "play":
            return message("Write {verb} and nothing else. {may}", verb=quoted(verb), may=self._may(seat))
        if len(words) != 4 or words[2] != "on" or " ".join(words) != move:
            return message(
                "A modifier is played as in 'play 4S on 2': a card you hold and a seat. {may}", may=self._may(seat)
            )
        if words[1] not in self.hands[seat]:
            held = ", ".join(self.hands[seat])
            return message("You do not hold {card}. Your modifiers: {held}.", card=words[1][:10], held=held)
        if words[3] not in map(str, range(self.seats)):
            last = self.seats - 1
            return message("There is no seat {n}: they are numbered from 0 to {last}.", n=words[3][:10], last=last)
        return message("Seat {n} is out of the match: play on a player who still has a certificate.", n=words[3])

    def _may(self, seat: int) -> Message:
        if self.phase == "market":
            return message("You may keep or trade.")
        return message("You may pass, or play one of your modifiers: {held}.", held=", ".join(self.hands[seat]))

    # -- a round

    def _deal(self) -> None:
        """Shuffle both decks, from their printed order, and deal a round."""
        self.round += 1
        self.phase = "market"
        self.passes = 0
        self.discard = []
        seats = self.seats
        self.stock = [""] * seats
        self.played = [[] for _ in range(seats)]
        self.decided = [""] * seats
        kept = {face for hand in self.hands for face in hand}
        self.stock_deck = list(STOCKS)
        self.modifier_deck = [face for face in MODIFIERS if face not in kept]
        self.sight.shuffle(self.stock_deck)
        self.sight.shuffle(self.modifier_deck)
        clockwise = range(self.dealer + 1, self.dealer + 1 + seats)
        self.order = [other % seats for other in clockwise if self.certificates[other % seats]]
        self.dealing.shuffle(self)
        self.hand_out()

    def hand_out(self) -> None:
        """Deal a round from decks that are shuffled."""
        seats, order = self.seats, self.order
        if self.memory is not None:
            self.memory = [("",) * (seats + 1)] * seats
        for seat in order:
            face = self.stock[seat] = self.dealing.stock(self.stock_deck, seat)
            self.sight.show(face, seat)
            if self.memory is not None:
                self.memory[seat] = (*[""] * seat, face, *[""] * (seats - seat))
        supplied = order[: len(self.modifier_deck)]
        for seat in supplied:
            face = self.dealing.modifier(self.modifier_deck, seat)
            self.hands[seat].append(face)
            self.sight.show(face, seat)
        self.mover = order[0]
        if self.log is not None:
            self._log_deal(supplied)

    def _log_deal(self, supplied: list[int]) -> None:
        order = self.order
        self.add_entry("round", say("Round {round}: {seat} deals.", round=self.round, seat=seat_arg(self.dealer)))
        if len(supplied) == len(order):
            text = say("Everybody still in gets a stock and a modifier.")
        elif supplied:
            last = seat_arg(supplied[-1])
            text = say("Everybody still in gets a stock; the last modifier goes to {seat}.", seat=last)
        else:
            text = say("Everybody still in gets a stock; the modifier deck is empty.")
        motions = [("deck:stock", f"stock:{seat}") for seat in order]
        motions += [("deck:modifier", f"modifiers:{seat}") for seat in supplied]
        self.add_entry("deal", text, motions=motions)
        for seat in order:
            stock = card_arg(self.stock[seat])
            if seat in supplied:
                modifier = card_arg(self.hands[seat][-1])
                own = say("You get {stock} and {modifier}.", stock=stock, modifier=modifier)
                others = say("{seat} gets {stock} and {modifier}.", seat=seat_arg(seat), stock=stock, modifier=modifier)
            else:
                own = say("You get {stock} and no modifier.", stock=stock)
                others = say("{seat} gets {stock} and no modifier.", seat=seat_arg(seat), stock=stock)
            self.add_entry("deal", own, only=seat, others=others)

    def _market(self, seat: int, move: str) -> None:
        self.decided[seat] = move
        if move == "trade":
            self._trade(seat)
        elif self.log is not None:
            self.add_entry("move", say("{seat} keeps the stock.", seat=seat_arg(seat)), seat=seat)
        if seat != self.dealer:
            self.mover = self._left_of(seat)
            return
        self.phase = "adjustment"
        self.last_score = None
        if self.log is not None:
            self.add_entry("round", say("Markets close: all stocks turn face up."))
        if self.memory is not None:
            self.memory = [(*self.stock, "" if known[-1] in self.stock else known[-1]) for known in self.memory]
        for shown in self.order:
            self.sight.show_all(self.stock[shown])
            if self.log is not None:
                text = say("{seat} shows {card}.", seat=seat_arg(shown), card=card_arg(self.stock[shown]))
                self.add_entry("info", text, seat=shown)
        if self.log is not None:
            self.pause(say("Markets close: all stocks turn face up."), STOCKS_ARE_SHOWN)
        self._next_adjustment(seat)

    def _left_of(self, seat: int) -> int:
        """Return the next player in the round to the left of ``seat``, which is not the dealer."""
        return self.order[self.order.index(seat) + 1]

    def _trade(self, seat: int) -> None:
        """Trade. Those who trade look at the cards they hold then."""
        if seat == self.dealer:
            left = -1
            self.discard.append(self.stock[seat])
            self.stock[seat] = self.dealing.stock(self.stock_deck, seat)
        else:
            left = self._left_of(seat)
            self.sight.shuffle(self.dealing.trade(self.stock, self.stock_deck, seat, left, self.chance))
            self.sight.show(self.stock[left], left)
        self.sight.show(self.stock[seat], seat)
        if self.memory is not None:
            self.memory = [self._remembered_after(looker, seat, left) for looker in range(self.seats)]
        if self.log is not None:
            self._log_trade(seat, left)

    def _remembered_after(self, looker: int, seat: int, left: int) -> tuple[str, ...]:
        """Return what ``looker`` remembers after a trade, if the trade was as announced."""
        known = list(self._remembered(looker))
        known[left], known[seat] = known[seat], known[left]  # the last place, -1, is that of the discarded stock
        if looker in (seat, left):
            known[looker] = self.stock[looker]
        return tuple(known)

    def _log_trade(self, seat: int, left: int) -> None:
        here = f"stock:{seat}"
        if left < 0:
            text = say("{seat} discards and draws from the stock deck.", seat=seat_arg(seat))
            self.add_entry("move", text, seat=seat, motions=[(here, "discard"), ("deck:stock", here)])
        else:
            text = say("{seat} trades stocks with {left}.", seat=seat_arg(seat), left=seat_arg(left))
            self.add_entry("move", text, seat=seat, motions=[(here, f"stock:{left}"), (f"stock:{left}", here)])
        for looker in (seat, left) if left >= 0 else (seat,):
            card = card_arg(self.stock[looker])
            others = say("The stock of {seat} is now {card}.", seat=seat_arg(looker), card=card)
            self.add_entry("info", say("Your stock is now {card}.", card=card), only=looker, others=others)

    def _pass(self, seat: int) -> None:
        self.passes += 1
        if self.log is not None:
            self.add_entry("move", say("{seat} passes.", seat=seat_arg(seat)), seat=seat)
        self._next_adjustment(seat)

    def _put(self, seat: int, face: str, target: int) -> None:
        self.passes = 0
        self.hands[seat].remove(face)
        self.played[target].append(face)
        self.sight.show_all(face)
        if self.log is not None:
            now = total(self.stock[target], self.played[target])
            motions = [(f"modifiers:{seat}", f"played:{target}")]
            if seat == target:
                text = say(
                    "{seat} plays {card} on their own stock: total {total}.",
                    seat=seat_arg(seat),
                    card=card_arg(face),
                    target=seat_arg(target),
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
            self.add_entry("move", text, seat=seat, motions=motions)
        self._next_adjustment(seat)

    def _next_adjustment(self, seat: int) -> None:
        """Go on from ``seat`` to the next player who has a choice, or to the scoring."""
        order = self.order
        index = order.index(seat)
        while self.passes < len(order):
            index = (index + 1) % len(order)
            seat = order[index]
            if self.hands[seat]:
                self.mover = seat
                return
            self.passes += 1
            if self.log is not None:
                self.add_entry("move", say("{seat} has no modifier and passes.", seat=seat_arg(seat)), seat=seat)
        self._score_round()

    def _score_round(self) -> None:
        """Take the certificates, and deal the next round unless the match is over."""
        stock, played = self.stock, self.played
        totals = {seat: total(stock[seat], played[seat]) for seat in self.order}
        lowest = min(totals.values())
        lost = [seat for seat in self.order if totals[seat] == lowest]
        rows = tuple([(seat, stock[seat], tuple(played[seat]), totals[seat]) for seat in sorted(totals)])
        self.last_score = RoundScore(self.round, rows, tuple(sorted(lost)))
        if self.log is not None:
            self.pause(self.last_score.verdict, SCORING_IS_SHOWN)
        for seat in lost:
            self.certificates[seat] -= 1
        for seat in self.order:
            if self.certificates[seat]:
                self.survived[seat] += 1
        if self.log is not None:
            self._log_scoring(totals, lost)
        if self.seats - self.certificates.count(0) > 1:
            if self.log is not None:
                self._log_collection()
            for seat in lost:
                if not self.certificates[seat]:
                    self.hands[seat] = []
            self.dealer = left_of(self.dealer, self.certificates)
            self._deal()
            return
        self.phase = "over"
        self.mover = -1
        if self.log is not None:
            self.add_winners_entry(self.winners(), "{seat} is the last with a certificate and wins.")

    def _log_scoring(self, totals: dict[int, int], lost: list[int]) -> None:
        self.add_entry("round", say("Everybody has passed: the round is scored."))
        for seat, points in totals.items():
            self.add_entry("info", say("{seat} ends with {total}.", seat=seat_arg(seat), total=points), seat=seat)
        for seat in lost:
            if len(lost) == 1:
                text = say("{seat} has the lowest total and loses a certificate.", seat=seat_arg(seat))
            else:
                text = say("{seat} is tied for the lowest total and loses a certificate.", seat=seat_arg(seat))
            self.add_entry("loss", text, seat=seat)
        for seat in lost:
            if not self.certificates[seat]:
                self.add_entry(
                    "loss", say("{seat} has no certificate left and is out.", seat=seat_arg(seat)), seat=seat
                )

    def _log_collection(self) -> None:
        order = self.order
        motions = [(f"stock:{seat}", "deck:stock") for seat in order]
        if self.discard:
            motions.append(("discard", "deck:stock"))
        motions += [(f"played:{seat}", "deck:modifier") for seat in order for _ in self.played[seat]]
        fallen = [seat for seat in order if not self.certificates[seat]]
        motions += [(f"modifiers:{seat}", "deck:modifier") for seat in fallen for _ in self.hands[seat]]
        self.add_entry("deal", say("Stocks and played modifiers go back; both decks are shuffled."), motions=motions)

    # -- the end

    def scores(self) -> list[float]:
        """Return the rounds each seat survived: those at whose end it still held a certificate.

        The best score is exactly the winners': a sole winner alone survives the last round, and those who
        share a win all fell in the last round, later than anybody else.
        """
        return [float(rounds) for rounds in self.survived]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        remembers = (*self.stock, *(self.discard or [""])) if face_up else self._remembered(seat)
        if face_up or self.phase != "market":
            stock = tuple(self.stock)
        else:
            stock = tuple([face if owner == seat else "" for owner, face in enumerate(self.stock)])
        return Observation(
            seat=seat,
            round=self.round,
            phase=self.phase,
            dealer=self.dealer,
            mover=self.mover,
            certificates=tuple(self.certificates),
            stock=stock,
            holds=tuple([face != "" for face in self.stock]),
            remembers=remembers[:-1],
            laid_aside=remembers[-1],
            hands=hands_seen(self.hands, seat, face_up=face_up),
            hand_sizes=tuple(map(len, self.hands)),
            played=tuple(map(tuple, self.played)),
            decided=tuple(self.decided),
            passes=self.passes,
            stock_deck=len(self.stock_deck),
            modifier_deck=len(self.modifier_deck),
            discarded=bool(self.discard),
            last_score=self.last_score,
            survived=tuple(self.survived),
            winners=tuple(self.winners()) if self.phase == "over" else (),
        )

    def _remembered(self, seat: int | None) -> tuple[str, ...]:
        """Return the stock an audience remembers at each place, then the discarded one."""
        if self.memory is not None and seat is not None:
            return self.memory[seat]
        knows = self.sight.knows
        return tuple([face if face and knows(seat, face) else "" for face in (*self.stock, *(self.discard or [""]))])

    # -- copies

    def fork(self, chance: Chance) -> Self:
        copy = self.shallow_copy(chance)
        copy.certificates = self.certificates[:]
        copy.survived = self.survived[:]
        copy.stock = self.stock[:]
        if self.memory is not None:
            copy.memory = self.memory[:]
        copy.discard = self.discard[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.played = [faces[:] for faces in self.played]
        copy.decided = self.decided[:]
        copy.stock_deck = self.stock_deck[:]
        copy.modifier_deck = self.modifier_deck[:]
        return copy

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Sample everything ``seat`` cannot know, as if an honest dealer had dealt it, also at a rigged table.

        So trades were what the seat was shown, unless cards it sees contradict that.
        """
        if self.memory is None:
            sample = super().determinize(seat, chance)
            sample.dealing = HONEST
            return sample
        believed = self.fork(chance)
        believed.dealing = HONEST
        believed.memory = None
        believed._believe(seat, self.memory)
        sample = super(HamsterdamState, believed).determinize(seat, chance)
        if sample._remembered(seat) != self.memory[seat]:
            sample.memory = [sample._remembered(other) for other in range(self.seats)]
            sample.memory[seat] = self.memory[seat]
        return sample

    def _believe(self, seat: int, memory: Sequence[tuple[str, ...]]) -> None:
        """Put the stocks ``seat`` remembers where it remembers them. Others who remember such a place know that stock.

        The trades determine who does. If a seat remembers a card in two places, one is used: first its own hand.
        """
        places = [(self.stock, place) for place in range(self.seats)] + [(self.discard, 0)] * len(self.discard)
        placed: set[str] = set()
        for place in sorted(range(len(places)), key=lambda place: place != seat):
            pile, at = places[place]
            face = memory[seat][place]
            if face and face not in placed:
                source = next(other for other in (self.stock, self.stock_deck, self.discard) if face in other)
                source[source.index(face)], pile[at] = pile[at], face
                placed.add(face)
        self.sight.shuffle(self.stock_deck)
        for place, (pile, at) in enumerate(places):
            if self.phase == "market" or pile is self.discard:
                self.sight.shuffle([pile[at]])
                for other, known in enumerate(memory):
                    if known[place] and (other != seat or known[place] == pile[at]):
                        self.sight.show(pile[at], other)

    def piles(self) -> Sequence[list[str]]:
        return [self.stock, self.discard, self.stock_deck, *self.hands, self.modifier_deck]

    @property
    def back(self) -> Callable[[str], Hashable]:
        return PACK.backs.__getitem__

    # -- random play, at speed

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        """Play on at random as ``State.rollout`` does, with the same draws, but without writing moves as strings."""
        self.log = None
        self.sight = BLIND
        while cap > 0 and self.phase != "over":
            if self.phase == "market":
                self._market(self.mover, "trade" if chance.randbelow(2) else "keep")
                cap -= 1
            else:
                cap -= self._random_adjustment(chance, cap)
        return self.scores()

    def _random_adjustment(self, chance: Chance, cap: int) -> int:
        """Make at most ``cap`` decisions of an adjustment, and score the round when it ends. Returns their number."""
        order, hands, passes = self.order, self.hands, self.passes
        targets = sorted(order)
        still_in = len(order)
        index = order.index(self.mover)
        made = 0
        while passes < still_in and made < cap:
            made += 1
            hand = hands[order[index]]
            drawn = chance.randbelow(len(hand) * still_in + 1)
            if drawn == len(hand) * still_in:
                passes += 1
            else:
                passes = 0
                self.played[targets[drawn % still_in]].append(hand.pop(drawn // still_in))
            while passes < still_in:
                index = (index + 1) % still_in
                if hands[order[index]]:
                    break
                passes += 1
        self.mover, self.passes = order[index], passes
        if passes == still_in:
            self._score_round()
        return made
