"""Enchère: bid one card each, face down and at the same time, for prizes that turn up one by one.

Three players; prizes are the queens, kings and aces, cash the twos to jacks, shuffled separately. A round:

1. Everybody is dealt a hand of cash. Enchère: 12 cards, four stay unseen. Avancée: 13, and the last is the spare, face
   up. Originale: 12, one of the others is the spare, three stay unseen. In Avancée a Joker joins the prizes.
2. A prize turns up. All three bid one card, ``bid 7C``, each when ready (``auction.legal_bids``).
3. The bids turn up together; the winner takes the prize (``auction.award``), and the bids are spent.
4. When the prize pile is empty, each player scores the prizes won (``auction.points``).

Rounds go on until somebody has reached the target: the highest score wins, and if it is shared, another round decides.
With a target of 0 there is one round, and a tie shares the win.

Random draws, each round: a shuffle of the prizes, then of the cash, each from its printed order (a Joker is last). The
last card is the top. The hands are dealt whole, seat by seat; then comes the spare, then the first prize.

Source: "Enchère Heuristics", the CardStock project, 9 June 2023, and ``rules.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from games.core import Chance, Sight, State
from games.core.cards import JOKER, SUIT_NAMES, SUITS, Pack
from games.core.dealing import MayHold, redeal
from games.core.messages import Message, message
from games.core.ranks import leaders
from games.core.sight import BLIND
from games.core.state import LONGEST_ROLLOUT
from games.core.view import Sentence, card_arg, hands_seen, say, say_cards_to, seat_arg, word
from games.enchere.auction import (
    CASH,
    COURT,
    HEIGHT,
    RANK,
    SEATS,
    SUIT,
    Version,
    Why,
    award,
    best_hand,
    legal_bids,
    points,
)

# -- facts

BIDS_SHOWN = 2_200  # milliseconds of the reveal of the bids
WON_PRIZE_SHOWN = 700  # milliseconds before the next prize turns up
ONE_ROUND = 0  # the target of a match of one round
DEFAULT_TARGET = -1  # stands for the target of the version
MAX_TARGET = 200

BIDS = {face: f"bid {face}" for face in CASH}  # the moves

PACK = Pack.of(CASH, back="cash") + Pack.of((*COURT, JOKER), back="prize")
ORDER = {
    face: index for index, face in enumerate(sorted(CASH, key=lambda face: (SUITS.index(SUIT[face]), HEIGHT[face])))
}

WHY = {
    "rank": word("{seat} wins {prize}: {card} is the highest bid."),
    "spare": word("{seat} wins {prize}: {card} has the rank of the spare."),
    "suit": word("{seat} wins {prize}: of the highest bids, {card} is in its suit."),
    "lowest": word("{seat} wins {prize} with the lowest bid, {card}: the others tie, neither in its suit."),
    "colour": word("{seat} wins {prize}: all bids tie, none in its suit, and {card} is of its colour."),
    "last": word("{seat} wins {prize}: all bids tie, so it goes to the winner of the prize before."),
}
FIRST = word("{seat} wins {prize}: all bids tie, and it is the first prize of the match.")


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class RoundScore:
    """How a round ended. All of it is public. Tuples are by seat."""

    round: int
    won: tuple[tuple[str, ...], ...]
    scored: tuple[int, ...]
    points: tuple[int, ...]  # after this round
    final: bool  # whether the match is over


class Awarded(NamedTuple):
    """Who won a prize, and by which rule. All of it is public."""

    prize: str
    seat: int
    bid: str
    why: Why
    first: bool  # whether it was the first prize of the match


def why_won(awarded: Awarded) -> Sentence:
    """Return why a bid won, as a sentence."""
    template = FIRST if awarded.first and awarded.why == "last" else WHY[awarded.why]
    text = say(template, seat=seat_arg(awarded.seat), prize=card_arg(awarded.prize))
    if "{card}" in template:
        text["args"]["card"] = card_arg(awarded.bid)
    return text


class Observation(NamedTuple):
    """All that a seat (None: a spectator) knows. Faces are "" if they are hidden or there is no card.

    A named tuple, because one is made for every decision, and a frozen dataclass takes three times as long.
    """

    seat: int | None
    version: str
    target: int
    round: int
    prize: str  # "" when the match is over, and while the prize before moves to its winner
    pile: int  # prizes that have not turned up
    spare: str
    aside: int  # cash that was not dealt, without the spare
    hands: tuple[tuple[str, ...], ...]  # empty where the audience does not see them
    hand_sizes: tuple[int, ...]
    bids: tuple[str, ...]  # faces the audience sees: all once all have bid
    has_bid: tuple[bool, ...]
    shown: tuple[str, ...]  # the bids for the prize before
    spent: tuple[str, ...]  # all bids of the round that have turned up, the latest last
    void: tuple[str, ...]  # by seat: the suits that it has shown not to hold, some several times
    won: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]  # of finished rounds
    awarded: Awarded | None  # the prize before
    last_score: RoundScore | None
    winners: tuple[int, ...]  # empty until the match is over

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.winners)


# -- state


class EnchereState(State[Observation]):
    """A position of one of the three versions. The top card of a pile is its last."""

    seats = SEATS

    def __init__(self, version: Version, target: int, chance: Chance, points: Sequence[int] = (0,) * SEATS) -> None:
        """Deal the first round. ``points``: the points that each seat starts with."""
        self.log = []
        self.chance = chance
        self.version = version
        self.target = target
        self.round = 0
        self.points = list(points)
        self.awarded: Awarded | None = None
        self.last_score: RoundScore | None = None
        self.hands: list[list[str]] = []  # sorted
        self.bids = [""] * SEATS
        self.shown = [""] * SEATS
        self.spent: list[str] = []
        self.void = [""] * SEATS
        self.won: list[list[str]] = []
        self.prizes: list[str] = []
        self.aside: list[str] = []
        self.spare = self.prize = ""
        self.sight = Sight(PACK, SEATS)
        self._deal()

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        if not self.prize:
            return ()
        return tuple([seat for seat, bid in enumerate(self.bids) if not bid])

    def legal_moves(self, seat: int) -> list[str]:
        if not self.prize or self.bids[seat]:
            return []
        return [BIDS[face] for face in legal_bids(self.hands[seat], self.prize, self.spare)]

    def apply(self, seat: int, move: str) -> None:
        bid = move.removeprefix("bid ")
        self.hands[seat].remove(bid)
        self.bids[seat] = bid
        if self.log is not None:
            text = say("{seat} has bid.", seat=seat_arg(seat))
            before = [(f"bid:{seat}", "cash")] if self.shown[seat] else []
            self.add_entry("move", text, seat=seat, motions=[*before, (f"hand:{seat}", f"bid:{seat}")])
            others = say("{seat} bids {card}.", seat=seat_arg(seat), card=card_arg(bid))
            self.add_entry("info", say("You bid {card}.", card=card_arg(bid)), only=seat, others=others)
        if "" not in self.bids:
            self._award()

    def why_not(self, seat: int, move: str) -> Message:
        hand = self.hands[seat]
        words = move.split()
        if len(words) != 2 or words[0] != "bid" or " ".join(words) != move:
            legal = ", ".join(legal_bids(hand, self.prize, self.spare))
            return message("A card is bid as in 'bid 7C'. You may bid: {legal}.", legal=legal)
        if words[1] not in hand:
            return message("You do not hold {card}. Your cards: {held}.", card=words[1][:10], held=", ".join(hand))
        return message(
            "You hold {suit}: bid one of them, or a card of the spare's rank, {rank}.",
            suit=Message(SUIT_NAMES[SUIT[self.prize]], {}),
            rank=RANK[self.spare],
        )

    # -- a round

    def _deal(self) -> None:
        version = self.version
        self.round += 1
        self.prizes = list(version.prizes)
        self.chance.shuffle(self.prizes)
        cash = list(CASH)
        self.chance.shuffle(cash)
        size = version.hand
        self.hands = []
        for _ in range(SEATS):
            self.hands.append(sorted(cash[-size:], key=ORDER.__getitem__))
            del cash[-size:]
        self.spare = cash.pop() if version.spare else ""
        self.aside = cash
        self.sight.shuffle(version.prizes)
        self.sight.shuffle(CASH)
        for seat, hand in enumerate(self.hands):
            for face in hand:
                self.sight.show(face, seat)
        if self.spare:
            self.sight.show_all(self.spare)
        self.bids = [""] * SEATS
        self.shown = [""] * SEATS
        self.spent = []
        self.void = [""] * SEATS
        self.won = [[] for _ in range(SEATS)]
        self._turn_up()
        if self.log is not None:
            self._log_deal()

    def _log_deal(self) -> None:
        size = self.version.hand
        self.add_entry("round", say("Round {round}: prizes and cash are shuffled.", round=self.round))
        motions = [("cash", f"hand:{seat}") for seat in range(SEATS) for _ in range(size)]
        self.add_entry("deal", say("Everybody gets {count} cards.", count=size), motions=motions)
        for seat, hand in enumerate(self.hands):
            own, others = say_cards_to(seat, hand)
            self.add_entry("deal", own, only=seat, others=others)
        if self.spare:
            text = say("The spare is {card}.", card=card_arg(self.spare))
            self.add_entry("deal", text, motions=[("cash", "spare")])
        text = say("The first prize is {card}.", card=card_arg(self.prize))
        self.add_entry("deal", text, motions=[("prizes", "prize")])

    def _turn_up(self) -> None:
        self.prize = self.prizes.pop()
        self.sight.show_all(self.prize)

    def _award(self) -> None:
        """Turn the bids up and give the prize to the winner. Turn up the next prize, or end the round."""
        bids, prize = self.bids, self.prize
        before = self.awarded
        seat, why = award(bids, prize, self.spare, before.seat if before else 0)
        self.awarded = Awarded(prize, seat, bids[seat], why, first=before is None)
        if self.log is not None:
            self._log_award(self.awarded)
        if self.spare and prize != JOKER:
            for bidder, bid in enumerate(bids):
                if SUIT[bid] != SUIT[prize] and RANK[bid] != RANK[self.spare]:
                    self.void[bidder] += SUIT[prize]
        for bid in bids:
            self.sight.show_all(bid)
        self.spent += bids
        self.shown = bids
        self.bids = [""] * SEATS
        self.won[seat].append(prize)
        self.last_score = None
        self.prize = ""
        if self.log is not None:
            self.pause(why_won(self.awarded), WON_PRIZE_SHOWN)
        if not self.prizes:
            self._end_round()
            return
        self._turn_up()
        if self.log is not None:
            text = say("The next prize is {card}.", card=card_arg(self.prize))
            self.add_entry("deal", text, motions=[("prizes", "prize")])

    def _log_award(self, awarded: Awarded) -> None:
        one, two, three = map(card_arg, self.bids)
        text = say(
            "{a} bid {one}, {b} {two} and {c} {three}.",
            a=seat_arg(0),
            one=one,
            b=seat_arg(1),
            two=two,
            c=seat_arg(2),
            three=three,
        )
        self.add_entry("info", text)
        self.pause(why_won(awarded), BIDS_SHOWN)
        self.add_entry("info", why_won(awarded), seat=awarded.seat, motions=[("prize", f"won:{awarded.seat}")])

    def _end_round(self) -> None:
        """Score the prizes, and deal the next round unless the match is over."""
        scored = [points(self.version.name, won) for won in self.won]  # in this round
        self.points = [before + more for before, more in zip(self.points, scored, strict=True)]
        leading = leaders(self.points)
        best = max(self.points)
        over = self.target == ONE_ROUND or (best >= self.target and len(leading) == 1)
        self.last_score = RoundScore(self.round, tuple(map(tuple, self.won)), tuple(scored), tuple(self.points), over)
        if self.log is not None:
            self._log_scores(scored)
        if over:
            if self.log is not None:
                self.add_winners_entry(leading, "{seat} has the most points and wins.")
            return
        if self.log is not None:
            if best >= self.target:
                decider = say(
                    "{count} players are tied at {points}: another round decides.", count=len(leading), points=best
                )
                self.add_entry("info", decider)
            self._log_collection()
        self._deal()

    def _log_scores(self, scored: list[int]) -> None:
        self.add_entry("round", say("All prizes are won: the round is scored."))
        for seat, more in enumerate(scored):
            player, total = seat_arg(seat), self.points[seat]
            if self.version.name != "originale":
                text = say("{seat} scores {points} and has {total} in all.", seat=player, points=more, total=total)
            elif more:
                text = say(
                    "{seat} scores {points} for {hand} and has {total} in all.",
                    seat=player,
                    points=more,
                    hand=best_hand(self.won[seat]).name,
                    total=total,
                )
            else:
                text = say("{seat} has no hand, so scores nothing, and has {total} in all.", seat=player, total=total)
            self.add_entry("info", text, seat=seat)

    def _log_collection(self) -> None:
        motions = [(f"won:{seat}", "prizes") for seat, won in enumerate(self.won) for _ in won]
        motions += [(f"bid:{seat}", "cash") for seat in range(SEATS)] + ([("spare", "cash")] if self.spare else [])
        self.add_entry("deal", say("Prizes and cash go back to their piles."), motions=motions)

    # -- the end

    def scores(self) -> list[float]:
        """Return each seat's points of finished rounds."""
        return [float(count) for count in self.points]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        open_ = face_up or "" not in self.bids  # all have bid: the bids turn up
        return Observation(
            seat=seat,
            version=self.version.name,
            target=self.target,
            round=self.round,
            prize=self.prize,
            pile=len(self.prizes),
            spare=self.spare,
            aside=len(self.aside),
            hands=hands_seen(self.hands, seat, face_up=face_up),
            hand_sizes=tuple(map(len, self.hands)),
            bids=tuple(bid if open_ or bidder == seat else "" for bidder, bid in enumerate(self.bids)),
            has_bid=tuple(bid != "" for bid in self.bids),
            shown=tuple(self.shown),
            spent=tuple(self.spent),
            void=tuple(self.void),
            won=tuple(map(tuple, self.won)),
            points=tuple(self.points),
            awarded=self.awarded,
            last_score=self.last_score,
            winners=tuple(self.winners()) if self.last_score and self.last_score.final else (),
        )

    # -- copies

    def fork(self, chance: Chance) -> Self:
        copy = self.shallow_copy(chance)
        copy.prizes = self.prizes[:]
        copy.hands = [hand[:] for hand in self.hands]
        copy.bids = self.bids[:]
        copy.spent = self.spent[:]
        copy.void = self.void[:]
        copy.won = [won[:] for won in self.won]
        copy.aside = self.aside[:]
        return copy

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Sample the others' hands and bids, the cash set aside and the prizes to come.

        Nobody gets a suit they have shown not to hold, and every bid on the table is one they could have made.
        """
        sample = self.fork(chance)
        face_down = [bidder for bidder, bid in enumerate(self.bids) if bid and bidder != seat]
        for bidder in face_down:
            sample.hands[bidder].append(self.bids[bidder])  # redealt with the hand that it was bid from
        redeal(sample.piles(), sample.sight, seat, chance, back=self.back, may_hold=self.may_hold(seat))
        sample.arrange()
        for bidder in face_down:
            hand = sample.hands[bidder]
            sample.bids[bidder] = chance.choice(legal_bids(hand, self.prize, self.spare))
            hand.remove(sample.bids[bidder])
        return sample

    def piles(self) -> Sequence[list[str]]:
        return [*self.hands, self.aside, self.prizes]

    @property
    def back(self) -> Callable[[str], Hashable]:
        return PACK.backs.__getitem__

    def may_hold(self, seat: int) -> MayHold[str] | None:
        """Return a test: nobody holds a suit they have shown not to hold; the other piles may contain any cards."""
        if not any(self.void):
            return None
        void = [*self.void, "", ""]
        return lambda pile, face: not void[pile] or SUIT[face] not in void[pile]

    def arrange(self) -> None:
        for hand in self.hands:
            hand.sort(key=ORDER.__getitem__)

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        """Play on at random as ``State.rollout`` does, with the same draws, but without writing moves as strings."""
        self.log = None
        self.sight = BLIND
        for _ in range(cap):
            if not self.prize:
                break
            seat = self.bids.index("")
            hand = self.hands[seat]
            bid = chance.choice(legal_bids(hand, self.prize, self.spare))
            hand.remove(bid)
            self.bids[seat] = bid
            if "" not in self.bids:
                self._award()
        return self.scores()
