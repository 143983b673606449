"""Enchère: bid one card each, face down and at the same time, for prizes that turn up one by one.

Three players; prizes are the queens, kings and aces, cash the twos to jacks, shuffled separately. A round:

1. Everybody is dealt a hand of cash. Enchère: 12 cards, four stay unseen. Avancée: 13, and the last is the spare, face
   up. Originale: 12, one of the others is the spare, three stay unseen. In Avancée a Joker joins the prizes.
2. A prize turns up. All three bid one card, ``bid 7C``, each when ready (``auction.legal_bids``).
3. The bids turn up together; the winner takes the prize (``auction.award``), and the bids are spent.
4. When the prize pile is empty, each player scores the prizes won (``auction.points``).

Rounds go on until somebody has reached the target: the highest score wins, and if it is shared, another round decides.
With a target of 0 there is one round, and a tie shares the win.

Drawn are, each round: a shuffle of the prizes, then of the cash, each from its printed order (a Joker is last). The
last card is the top. The hands are dealt whole, seat by seat; then comes the spare, then the first prize.

Source: "Enchère Heuristics", the CardStock project, 9 June 2023, and ``rules.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from games.core import Chance, Game, Option, RandomBot, State, winners
from games.core.cards import JOKER, SUIT_NAMES, SUITS, sign
from games.core.dealing import deal_among
from games.core.game import Options
from games.core.view import (
    Counter,
    Deed,
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
from games.enchere.auction import (
    CASH,
    HEIGHT,
    RANK,
    SEATS,
    SUIT,
    VERSIONS,
    Version,
    Why,
    award,
    best_hand,
    legal_bids,
    points,
)
from games.enchere.bots import HouseBot

# -- facts

ONE_ROUND = 0  # as a target
USUAL = -1  # as a target: the version's own
MOST = 200

ORDER = {
    face: place for place, face in enumerate(sorted(CASH, key=lambda face: (SUITS.index(SUIT[face]), HEIGHT[face])))
}

WHY = {
    "rank": "{seat} wins {prize}: {card} is the highest bid.",
    "spare": "{seat} wins {prize}: {card} has the rank of the spare.",
    "suit": "{seat} wins {prize}: of the highest bids, {card} is in its suit.",
    "lowest": "{seat} wins {prize} with the lowest bid, {card}: the others tie, neither in its suit.",
    "colour": "{seat} wins {prize}: all bids tie, none in its suit, and {card} is of its colour.",
    "last": "{seat} wins {prize}: all bids tie, and the prize before went the same way.",
}
FIRST = "{seat} wins {prize}: all bids tie, and it is the first prize of all."


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class Reckoned:
    """How a round ended. All of it was on the table."""

    round: int
    won: tuple[tuple[str, ...], ...]
    scored: tuple[int, ...]
    points: tuple[int, ...]  # with this round's
    final: bool


@dataclass(frozen=True, slots=True)
class Awarded:
    """How a prize went, and by which rule. All of it was on the table."""

    prize: str
    seat: int
    bid: str
    why: Why
    first: bool  # no prize went before it


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a watcher) knows. Faces are "" where they are hidden or there is no card."""

    seat: int | None
    version: str
    target: int
    round: int
    prize: str  # "" when the match is over
    pile: int  # prizes that have not turned up
    spare: str
    aside: int  # cash that was not dealt, without the spare
    hands: tuple[tuple[str, ...], ...]  # empty where the audience does not see them
    hand_sizes: tuple[int, ...]
    bids: tuple[str, ...]  # faces the audience sees
    has_bid: tuple[bool, ...]
    shown: tuple[str, ...]  # the bids for the prize before
    spent: tuple[str, ...]  # all bids of the round that have turned up, those last shown at the end
    void: tuple[str, ...]  # suits that a seat has shown not to hold
    won: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]  # of finished rounds
    awarded: Awarded | None  # the prize before
    reckoned: Reckoned | None
    winners: tuple[int, ...]  # empty until the match is over


# -- state


class EnchereState(State[Observation]):
    """A position of one of the three versions. The top card of a pile is its last."""

    seats = SEATS

    def __init__(self, version: Version, target: int, chance: Chance) -> None:
        self.lines = []
        self.chance = chance
        self.version = version
        self.target = target
        self.round = 0
        self.points = [0] * SEATS
        self.awarded: Awarded | None = None
        self.reckoned: Reckoned | None = None
        self.winners: tuple[int, ...] = ()
        self.hands: list[list[str]] = []  # sorted
        self.bids = [""] * SEATS
        self.shown = [""] * SEATS
        self.spent: list[str] = []
        self.void = [""] * SEATS
        self.won: list[list[str]] = []
        self.prizes: list[str] = []
        self.aside: list[str] = []
        self.spare = self.prize = ""
        self._deal()

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        if not self.prize:
            return ()
        return tuple(seat for seat, bid in enumerate(self.bids) if not bid)

    def legal_moves(self, seat: int) -> list[str]:
        if not self.prize or self.bids[seat]:
            return []
        return [f"bid {face}" for face in legal_bids(self.hands[seat], self.prize, self.spare)]

    def apply(self, seat: int, move: str) -> None:
        bid = move.removeprefix("bid ")
        self.hands[seat].remove(bid)
        self.bids[seat] = bid
        if self.lines is not None:
            text = say("{seat} has bid.", seat=seat_arg(seat))
            before = [(f"bid:{seat}", "cash")] if self.shown[seat] else []
            self.tell("move", text, seat=seat, motions=[*before, (f"hand:{seat}", f"bid:{seat}")])
            self.tell("info", say("You bid {card}.", card=card_arg(bid)), only=seat)
        if all(self.bids):
            self._award()

    def why_not(self, seat: int, move: str) -> str:
        hand = self.hands[seat]
        words = move.split()
        if len(words) != 2 or words[0] != "bid" or " ".join(words) != move:
            return f"A card is bid as in 'bid 7C'. You may bid: {', '.join(legal_bids(hand, self.prize, self.spare))}."
        if words[1] not in hand:
            return f"You do not hold {words[1][:10]}. Your cards: {', '.join(hand)}."
        suit_name = SUIT_NAMES[SUIT[self.prize]]
        return f"You hold {suit_name}: bid one of them, or a card of the spare's rank, {RANK[self.spare]}."

    # -- a round

    def _deal(self) -> None:
        version = self.version
        self.round += 1
        self.prizes = list(version.prizes)
        self.chance.shuffle(self.prizes)
        cash = list(CASH)
        self.chance.shuffle(cash)
        size = version.hand
        self.hands = [sorted((cash.pop() for _ in range(size)), key=ORDER.__getitem__) for _ in range(SEATS)]
        self.spare = cash.pop() if version.spare else ""
        self.aside = cash
        self.bids = [""] * SEATS
        self.shown = [""] * SEATS
        self.spent = []
        self.void = [""] * SEATS
        self.won = [[] for _ in range(SEATS)]
        self.prize = self.prizes.pop()
        if self.lines is not None:
            self._tell_deal()

    def _tell_deal(self) -> None:
        size = self.version.hand
        self.tell("round", say("Round {round}: prizes and cash are shuffled.", round=self.round))
        motions = [("cash", f"hand:{seat}") for seat in range(SEATS) for _ in range(size)]
        self.tell("deal", say("Everybody gets {count} cards.", count=size), motions=motions)
        if self.spare:
            text = say("The spare is {card}.", card=card_arg(self.spare))
            self.tell("deal", text, motions=[("cash", "spare")])
        text = say("The first prize is {card}.", card=card_arg(self.prize))
        self.tell("deal", text, motions=[("prizes", "prize")])

    def _award(self) -> None:
        """Turn the bids up, give the prize to whom it goes, and turn up the next one or end the round."""
        bids, prize = self.bids, self.prize
        before = self.awarded
        seat, why = award(bids, prize, self.spare, before.seat if before else 0)
        self.awarded = Awarded(prize, seat, bids[seat], why, first=before is None)
        if self.lines is not None:
            self._tell_award(self.awarded)
        if self.spare and prize != JOKER:
            for place, bid in enumerate(bids):
                if SUIT[bid] != SUIT[prize] and RANK[bid] != RANK[self.spare]:
                    self.void[place] += SUIT[prize]
        self.spent += bids
        self.shown = bids
        self.bids = [""] * SEATS
        self.won[seat].append(prize)
        self.reckoned = None
        if not self.prizes:
            self._end_round()
            return
        self.prize = self.prizes.pop()
        if self.lines is not None:
            text = say("The next prize is {card}.", card=card_arg(self.prize))
            self.tell("deal", text, motions=[("prizes", "prize")])

    def _tell_award(self, awarded: Awarded) -> None:
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
        self.tell("info", text)
        self.tell("info", _why(awarded), seat=awarded.seat, motions=[("prize", f"won:{awarded.seat}")])

    def _end_round(self) -> None:
        """Score the prizes, and deal the next round unless the match is over."""
        scored = [points(self.version.name, won) for won in self.won]
        self.points = [before + more for before, more in zip(self.points, scored, strict=True)]
        leaders = winners(self.points)
        best = max(self.points)
        over = self.target == ONE_ROUND or (best >= self.target and len(leaders) == 1)
        self.reckoned = Reckoned(self.round, tuple(map(tuple, self.won)), tuple(scored), tuple(self.points), over)
        if self.lines is not None:
            self._tell_scores(scored)
        if over:
            self.prize = ""
            self.winners = tuple(leaders)
            if self.lines is not None:
                self.tell_winners(leaders, "{seat} has the most points and wins.")
            return
        if self.lines is not None:
            if best >= self.target:
                text_ = say(
                    "{count} players are tied at {points}: another round decides.", count=len(leaders), points=best
                )
                self.tell("info", text_)
            self._tell_collection()
        self._deal()

    def _tell_scores(self, scored: list[int]) -> None:
        self.tell("round", say("All prizes are won: the round is scored."))
        for seat, more in enumerate(scored):
            who, total = seat_arg(seat), self.points[seat]
            if self.version.name != "originale":
                text = say("{seat} scores {points} and has {total} in all.", seat=who, points=more, total=total)
            elif more:
                text = say(
                    "{seat} scores {points} for {hand} and has {total} in all.",
                    seat=who,
                    points=more,
                    hand=best_hand(self.won[seat]).name,
                    total=total,
                )
            else:
                text = say("{seat} has no hand, scores nothing and has {total} in all.", seat=who, total=total)
            self.tell("info", text, seat=seat)

    def _tell_collection(self) -> None:
        motions = [(f"won:{seat}", "prizes") for seat, won in enumerate(self.won) for _ in won]
        motions += [(f"bid:{seat}", "cash") for seat in range(SEATS)] + ([("spare", "cash")] if self.spare else [])
        self.tell("deal", say("Prizes and cash go back to their piles."), motions=motions)

    # -- the end

    def scores(self) -> list[float]:
        """Return each seat's points of finished rounds."""
        return [float(count) for count in self.points]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
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
            bids=tuple(bid if face_up or place == seat else "" for place, bid in enumerate(self.bids)),
            has_bid=tuple(bid != "" for bid in self.bids),
            shown=tuple(self.shown),
            spent=tuple(self.spent),
            void=tuple(self.void),
            won=tuple(map(tuple, self.won)),
            points=tuple(self.points),
            awarded=self.awarded,
            reckoned=self.reckoned,
            winners=self.winners,
        )

    def draw(self, observation: Observation) -> View:
        seen = observation
        over = not seen.prize
        may_bid = seen.seat is not None and not over and not seen.has_bid[seen.seat]
        view: View = {
            "game": ENCHERE.name,
            "seat": seen.seat,
            "phase": _phase(seen),
            "prompt": _prompt(seen),
            "to_act": _waited_for(seen),
            "decision": 0,
            "seats": [_seat(seen, seat) for seat in range(SEATS)],
            "zones": _zones(seen),
            "moves": _deeds(seen, seen.hands[seen.seat]) if seen.seat is not None and may_bid else [],
            "over": over,
        }
        if seen.awarded:
            view["settled"] = _why(seen.awarded)
        if seen.reckoned:
            view["reckoning"] = _reckoning(seen.reckoned)
        if over:
            scores = [float(count) for count in seen.points]
            view["result"] = Result(scores=scores, winners=list(seen.winners), text=_outcome(seen.points))
        return view

    # -- copies

    def fork(self, chance: Chance) -> Self:
        twin = self.twin(chance)
        twin.prizes = self.prizes[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.bids = self.bids[:]
        twin.spent = self.spent[:]
        twin.void = self.void[:]
        twin.won = [won[:] for won in self.won]
        return twin

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Draw afresh the others' hands and bids, the cash set aside and the prizes to come.

        Nobody gets a suit they have shown not to hold, and every bid on the table is one that could have been made.
        """
        twin = self.fork(chance)
        if not self.prize:
            return twin
        known = {*self.hands[seat], self.bids[seat], *self.spent, self.spare}
        unseen = [face for face in CASH if face not in known]
        others = [place for place in range(SEATS) if place != seat]
        sizes = [len(self.hands[place]) + (self.bids[place] != "") for place in others]
        void = [self.void[place] for place in others]
        *hands, twin.aside = deal_among(unseen, [*sizes, len(self.aside)], [*void, ""], chance)
        for place, hand in zip(others, hands, strict=True):
            hand.sort(key=ORDER.__getitem__)
            twin.hands[place] = hand
            if self.bids[place]:
                twin.bids[place] = chance.choice(legal_bids(hand, self.prize, self.spare))
                hand.remove(twin.bids[place])
        turned = {self.prize, *(face for won in self.won for face in won)}
        twin.prizes = [face for face in self.version.prizes if face not in turned]
        chance.shuffle(twin.prizes)
        return twin


# -- the observation in the table vocabulary


def _waited_for(seen: Observation) -> list[int]:
    return [seat for seat, done in enumerate(seen.has_bid) if not done] if seen.prize else []


def _phase(seen: Observation) -> Text:
    if not seen.prize:
        return say("The match is over")
    version = VERSIONS[seen.version]
    count = len(version.prizes)
    prize = count - seen.pile
    if seen.target == ONE_ROUND:
        return say("{version}: prize {prize} of {count}", version=version.title, prize=prize, count=count)
    return say(
        "{version}: prize {prize} of {count}, round {round} to {target} points",
        version=version.title,
        prize=prize,
        count=count,
        round=seen.round,
        target=seen.target,
    )


def _prompt(seen: Observation) -> Text:
    if not seen.prize:
        return _outcome(seen.points)
    prize = card_arg(seen.prize)
    waited_for = _waited_for(seen)
    if seen.seat not in waited_for:
        names = {"seat": seat_arg(waited_for[0]), "other": seat_arg(waited_for[-1])}
        if len(waited_for) == SEATS:
            return say("Waiting for three bids for {prize}", prize=prize)
        if len(waited_for) == 1:
            return say("Waiting for {seat} to bid for {prize}", seat=names["seat"], prize=prize)
        return say("Waiting for {seat} and {other} to bid for {prize}", prize=prize, **names)
    hand = seen.hands[seen.seat]
    if len(legal_bids(hand, seen.prize, seen.spare)) == len(hand):
        return say("Your bid for {prize}: any card", prize=prize)
    if any(RANK[face] == RANK[seen.spare] for face in hand):
        return say(
            "Your bid for {prize}: {suit}, or any {rank}",
            prize=prize,
            suit=SUIT_NAMES[SUIT[seen.prize]],
            rank=RANK[seen.spare],
        )
    return say("Your bid for {prize}: {suit}", prize=prize, suit=SUIT_NAMES[SUIT[seen.prize]])


def _why(awarded: Awarded) -> Text:
    """Say in a line why a bid won."""
    template = FIRST if awarded.first and awarded.why == "last" else WHY[awarded.why]
    text = say(template, seat=seat_arg(awarded.seat), prize=card_arg(awarded.prize))
    if "{card}" in template:
        text["args"]["card"] = card_arg(awarded.bid)
    return text


def _outcome(totals: tuple[int, ...]) -> Text:
    best = winners(totals)
    if len(best) == 1:
        return say("{seat} wins with a score of {points}", seat=seat_arg(best[0]), points=max(totals))
    return say("{count} players share the win with a score of {points}", count=len(best), points=max(totals))


def _seat(seen: Observation, seat: int) -> SeatView:
    counter = Counter(id="points", label=say("Points"), value=seen.points[seat])
    return SeatView(seat=seat, state="won" if seat in seen.winners else "in", counters=[counter], marks=[])


def _zones(seen: Observation) -> list[Zone]:
    zones: list[Zone] = []
    for seat in range(SEATS):
        whose = seat_arg(seat)
        held = [open_card(face) for face in seen.hands[seat]]
        bid = Zone(id=f"bid:{seat}", label=say("Bid of {seat}", seat=whose), layout="slot", seat=seat, pieces=[])
        if seen.bids[seat]:
            bid["pieces"].append(open_card(seen.bids[seat]))
        elif seen.has_bid[seat]:
            bid["pieces"].append(closed_card(bid["id"], 0, "stock"))
        elif seen.shown[seat]:  # the last bid lies open until the next one covers it
            bid["pieces"].append(open_card(seen.shown[seat]))
        won = Zone(
            id=f"won:{seat}",
            label=_won_label(seen, seat),
            layout="row",
            seat=seat,
            pieces=[open_card(face) for face in seen.won[seat]],
            total=points(seen.version, seen.won[seat]),
        )
        hand = hand_zone(f"hand:{seat}", say("Hand of {seat}", seat=whose), seat, held, seen.hand_sizes[seat], "stock")
        zones += [won, bid, hand]
    prize = Zone(id="prize", label=say("Prize"), layout="slot", pieces=[])
    if seen.prize:
        prize["pieces"].append(open_card(seen.prize))
    zones += [prize, closed_pile("prizes", say("Prizes to come"), seen.pile, "plain")]
    if seen.spare:
        zones.append(Zone(id="spare", label=say("Spare"), layout="slot", pieces=[open_card(seen.spare)]))
    lying = sum(bool(face) and not done for face, done in zip(seen.shown, seen.has_bid, strict=True))
    out_of_play = seen.aside + len(seen.spent) - lying
    return [*zones, closed_pile("cash", say("Cash out of play"), out_of_play, "stock")]


def _won_label(seen: Observation, seat: int) -> Text:
    if seen.version == "originale" and seen.won[seat]:
        return say("{seat}: {hand}", seat=seat_arg(seat), hand=best_hand(seen.won[seat]).name)
    return say("Prizes of {seat}", seat=seat_arg(seat))


def _deeds(seen: Observation, hand: tuple[str, ...]) -> list[Deed]:
    deeds: list[Deed] = []
    for face in legal_bids(hand, seen.prize, seen.spare):
        spare = seen.spare and RANK[face] == RANK[seen.spare]
        label = say("Bid {card} (spare)" if spare else "Bid {card}", card=card_arg(face))
        deeds.append(Deed(move=f"bid {face}", label=label, pieces=[face]))
    return deeds


def _reckoning(reckoned: Reckoned) -> Reckoning:
    rows: list[ReckoningRow] = []
    best = winners(reckoned.points)
    for seat, won in enumerate(reckoned.won):
        cells = [" ".join(map(sign, won)), figure(reckoned.scored[seat]), figure(reckoned.points[seat])]
        row = ReckoningRow(seat=seat, cells=cells)
        if reckoned.final and seat in best:
            row["mark"] = "won"
        rows.append(row)
    if reckoned.final:
        verdict = _outcome(reckoned.points)
    elif len(best) == 1:
        verdict = say("{seat} leads with a score of {points}", seat=seat_arg(best[0]), points=max(reckoned.points))
    else:
        verdict = say("{count} players lead with a score of {points}", count=len(best), points=max(reckoned.points))
    return Reckoning(
        id=f"round-{reckoned.round}",
        title=say("Round {round}", round=reckoned.round),
        columns=[say("Prizes"), say("Points"), say("Total")],
        rows=rows,
        verdict=verdict,
    )


# -- game


class Enchere(Game):
    """The facts of Enchère in its three versions."""

    name = "enchere"
    title = "Enchère"
    summary = "Three bidders, one card each, all at once: win the prizes, and mind how ties are broken."
    min_seats = max_seats = default_seats = SEATS
    minutes = 15
    options = (
        Option(
            name="version",
            label="Version",
            default="enchere",
            choices=tuple(VERSIONS),
            names={version.name: version.title for version in VERSIONS.values()},
            help="Enchère: bid any card; aces 4, kings 2, queens 1. Avancée: follow suit, a spare, a Joker that costs "
            "10. Originale: follow suit, a spare, and only the best hand of prizes scores.",
        ),
        Option(
            name="target",
            label="Points to win",
            default=USUAL,
            low=USUAL,
            high=MOST,
            names={USUAL: "as usual: 50, 42, 42", ONE_ROUND: "a single round"},
            help="Rounds go on until somebody has as many. 0: a single round.",
        ),
    )
    bots = (HouseBot, RandomBot)
    rules_page = Path(__file__).with_name("rules.md")

    def start(self, seats: int, options: Options, chance: Chance) -> EnchereState:
        version = VERSIONS[str(options["version"])]
        target = int(options["target"])
        return EnchereState(version, version.target if target == USUAL else target, chance)


ENCHERE = Enchere()
