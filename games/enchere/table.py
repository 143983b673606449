"""Enchère on the table: an observation put into the table vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import SUIT_NAMES, SUITS, sign
from games.core.ranks import leaders, standings
from games.core.view import (
    Counter,
    Drawing,
    LegalMove,
    Odds,
    OddsRow,
    RoundScoring,
    ScoringRow,
    SeatView,
    Sentence,
    Zone,
    card_arg,
    closed_card,
    closed_pile,
    figure,
    hand_zone,
    open_card,
    say,
    seat_arg,
)
from games.enchere.auction import CASH, RANK, SEATS, SUIT, VERSIONS, best_hand, legal_bids, points
from games.enchere.rules import ONE_ROUND, Observation, RoundScore, why_won


def render(seen: Observation) -> Drawing:
    """Return what an audience sees."""
    may_bid = seen.seat is not None and seen.prize and not seen.has_bid[seen.seat]
    worth = [points(seen.version, won) for won in seen.won]
    drawing = Drawing(
        phase=_phase(seen),
        prompt=_prompt(seen),
        seats=[_seat(seen, seat) for seat in range(SEATS)],
        zones=_zones(seen, worth),
        moves=_moves(seen, seen.hands[seen.seat]) if seen.seat is not None and may_bid else [],
        odds=_cash(seen),
        standings=standings(_standing(seen, worth)),
    )
    if seen.awarded:
        drawing["settled"] = why_won(seen.awarded)
    if seen.last_score:
        drawing["scoring"] = _scoring(seen.last_score)
    if seen.over:
        drawing["outcome"] = _outcome(seen.points)
    return drawing


def _standing(seen: Observation, worth: Sequence[int]) -> tuple[int, ...]:
    """Return the points of each seat, with what its prizes in a round under way are ``worth``."""
    if not seen.prize:
        return seen.points
    return tuple([before + more for before, more in zip(seen.points, worth, strict=True)])


def _waited_for(seen: Observation) -> list[int]:
    return [seat for seat, done in enumerate(seen.has_bid) if not done] if seen.prize else []


def _phase(seen: Observation) -> Sentence:
    if seen.over:
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


def _prompt(seen: Observation) -> Sentence:
    if seen.over:
        return _outcome(seen.points)
    prize = card_arg(seen.prize)
    waited_for = _waited_for(seen)
    if seen.awarded and not waited_for:  # a moment in the middle of a move
        return why_won(seen.awarded)
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


def _outcome(totals: tuple[int, ...]) -> Sentence:
    best = leaders(totals)
    if len(best) == 1:
        return say("{seat} wins with a score of {points}", seat=seat_arg(best[0]), points=max(totals))
    return say("{count} players share the win with a score of {points}", count=len(best), points=max(totals))


def _seat(seen: Observation, seat: int) -> SeatView:
    counter = Counter(id="points", label=say("Points"), value=seen.points[seat])
    marks = [f"void-{suit}" for suit in SUITS if suit in seen.void[seat]]
    return SeatView(seat=seat, state="won" if seat in seen.winners else "in", counters=[counter], marks=marks)


def _zones(seen: Observation, worth: Sequence[int]) -> list[Zone]:
    zones: list[Zone] = []
    for seat in range(SEATS):
        whose = seat_arg(seat)
        held = [open_card(face) for face in seen.hands[seat]]
        bid = Zone(id=f"bid:{seat}", label=say("Bid of {seat}", seat=whose), layout="slot", seat=seat, pieces=[])
        if seen.bids[seat]:
            bid["pieces"].append(open_card(seen.bids[seat]))
            if "" not in seen.bids and seen.awarded and seen.awarded.seat == seat:
                bid["pieces"][0]["mark"] = "won"
        elif seen.has_bid[seat]:
            bid["pieces"].append(closed_card(bid["id"], 0, "stock"))
        elif seen.shown[seat]:  # the last bid is face up until the next one covers it
            bid["pieces"].append(open_card(seen.shown[seat]))
        won = Zone(
            id=f"won:{seat}",
            label=_won_label(seen, seat),
            layout="row",
            seat=seat,
            pieces=[open_card(face) for face in seen.won[seat]],
            total=worth[seat],
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


def _cash(seen: Observation) -> Odds:
    """Return, by suit, the cash that has been bid in this round, and the cash that this audience has not seen."""
    known = {*seen.spent, seen.spare, *seen.bids, *(face for hand in seen.hands for face in hand)}
    rows = []
    for suit in SUITS:
        cash = [face for face in CASH if SUIT[face] == suit]
        spent = [RANK[face] for face in cash if face in seen.spent]
        rows.append(
            OddsRow(piece=SUIT_NAMES[suit], cells=[" ".join(spent), " ".join(RANK[f] for f in cash if f not in known)])
        )
    return Odds(title=say("Seen"), columns=[say("Spent"), say("Not seen")], rows=rows)


def _won_label(seen: Observation, seat: int) -> Sentence:
    if seen.version == "originale" and seen.won[seat]:
        return say("{seat}: {hand}", seat=seat_arg(seat), hand=best_hand(seen.won[seat]).name)
    return say("Prizes of {seat}", seat=seat_arg(seat))


def _moves(seen: Observation, hand: tuple[str, ...]) -> list[LegalMove]:
    moves: list[LegalMove] = []
    for face in legal_bids(hand, seen.prize, seen.spare):
        spare = seen.spare and RANK[face] == RANK[seen.spare]
        label = say("Bid {card} (spare)" if spare else "Bid {card}", card=card_arg(face))
        moves.append(LegalMove(move=f"bid {face}", label=label, pieces=[face]))
    return moves


def _scoring(last_score: RoundScore) -> RoundScoring:
    rows: list[ScoringRow] = []
    best = leaders(last_score.points)
    for seat, won in enumerate(last_score.won):
        cells = [" ".join(map(sign, won)), figure(last_score.scored[seat]), figure(last_score.points[seat])]
        row = ScoringRow(seat=seat, cells=cells)
        if last_score.final and seat in best:
            row["mark"] = "won"
        rows.append(row)
    if last_score.final:
        verdict = _outcome(last_score.points)
    elif len(best) == 1:
        verdict = say("{seat} leads with a score of {points}", seat=seat_arg(best[0]), points=max(last_score.points))
    else:
        verdict = say("{count} players lead with a score of {points}", count=len(best), points=max(last_score.points))
    return RoundScoring(
        id=f"round-{last_score.round}",
        title=say("Round {round}", round=last_score.round),
        columns=[say("Prizes"), say("Points"), say("Total")],
        rows=rows,
        verdict=verdict,
    )
