"""Stealing Bundles on the table: an observation put into the table vocabulary."""

from __future__ import annotations

from collections import Counter as Tally

from games.bundles.rules import CARDS, DEALT, Catch, Observation
from games.core.cards import RANKS, rank
from games.core.ranks import leaders, standings
from games.core.view import (
    Counter,
    Drawing,
    LegalMove,
    Odds,
    OddsRow,
    Piece,
    SeatView,
    Sentence,
    Zone,
    card_arg,
    closed_pile,
    hand_zone,
    open_card,
    say,
    seat_arg,
)


def render(seen: Observation) -> Drawing:
    """Return what an audience sees."""
    drawing = Drawing(
        phase=_phase(seen),
        prompt=_prompt(seen),
        seats=[_seat(seen, seat) for seat in range(len(seen.bundles))],
        zones=_zones(seen),
        moves=_moves(seen) if seen.seat is not None and seen.seat == seen.mover else [],
        odds=_seen(seen),
        standings=standings(tuple([len(bundle) for bundle in seen.bundles])),
    )
    if seen.mover < 0:
        drawing["outcome"] = _outcome(seen)
    return drawing


def _phase(seen: Observation) -> Sentence:
    if seen.mover < 0:
        return say("The match is over")
    seats = len(seen.bundles)
    deals = (len(CARDS) - DEALT) // (DEALT * seats)
    return say("Deal {deal} of {deals}", deal=deals - seen.stock // (DEALT * seats), deals=deals)


def _prompt(seen: Observation) -> Sentence:
    if seen.mover < 0:
        return _outcome(seen)
    if seen.seat == seen.mover:
        return say("Your turn: play a card")
    return say("Waiting for {seat} to play a card", seat=seat_arg(seen.mover))


def _outcome(seen: Observation) -> Sentence:
    sizes = [len(bundle) for bundle in seen.bundles]
    best = leaders(sizes)
    if len(best) == 1:
        return say("{seat} wins with a bundle of {size}", seat=seat_arg(best[0]), size=max(sizes))
    return say("{count} players share the win with bundles of {size}", count=len(best), size=max(sizes))


def _seat(seen: Observation, seat: int) -> SeatView:
    best = leaders([len(bundle) for bundle in seen.bundles]) if seen.mover < 0 else ()
    counter = Counter(id="cards", label=say("Cards"), value=len(seen.bundles[seat]))
    return SeatView(
        seat=seat,
        state="won" if seat in best else "in",
        counters=[counter],
        marks=["first"] if seat == seen.first else [],
    )


def _zones(seen: Observation) -> list[Zone]:
    zones: list[Zone] = []
    for seat, bundle in enumerate(seen.bundles):
        whose = seat_arg(seat)
        held = [_held(seen, seat, face) for face in seen.hands[seat]]
        zones += [
            hand_zone(f"hand:{seat}", say("Hand of {seat}", seat=whose), seat, held, seen.hand_sizes[seat], "plain"),
            Zone(
                id=f"bundle:{seat}",
                label=say("Bundle of {seat}", seat=whose),
                layout="pile",
                seat=seat,
                pieces=[open_card(bundle[-1])] if bundle else [],
                size=len(bundle),
            ),
        ]
    pool = Zone(id="pool", label=say("Pool"), layout="row", pieces=[open_card(face) for face in seen.pool])
    return [*zones, pool, closed_pile("stock", say("Stock"), seen.stock, "plain")]


def _seen(seen: Observation) -> Odds:
    """Return, by rank, what everybody has seen go into the bundles, and how many this audience has not seen."""
    bundles = [Tally(map(rank, bundle)) for bundle in seen.bundles]
    open_now = Tally(map(rank, [*seen.pool, *(face for hand in seen.hands for face in hand)]))
    rows = []
    for one in RANKS:
        there = [bundle[one] for bundle in bundles]
        rows.append(OddsRow(piece=one, cells=[str(count or "") for count in (*there, 4 - sum(there) - open_now[one])]))
    columns = [*[say("{seat}", seat=seat_arg(seat)) for seat in range(len(bundles))], say("Not seen")]
    return Odds(title=say("Seen"), columns=columns, rows=rows)


def _held(seen: Observation, seat: int, face: str) -> Piece:
    """A card in a hand that the audience sees, with what it would add to the bundle if it were played now."""
    growth = seen.catch(seat, face).growth
    return open_card(face, f"+{growth}" if growth else "")


def _moves(seen: Observation) -> list[LegalMove]:
    moves: list[LegalMove] = []
    for face in seen.hands[seen.mover]:
        caught = seen.catch(seen.mover, face)
        takes = list(caught.pool)
        if caught.victim >= 0:
            takes.append(seen.bundles[caught.victim][-1])
        move = LegalMove(move=f"play {face}", label=_label(face, caught), pieces=[face])
        if takes:
            move["takes"] = takes
        moves.append(move)
    return moves


def _label(face: str, caught: Catch) -> Sentence:
    played = card_arg(face)
    if not caught.growth:
        return say("Play {card}: take nothing", card=played)
    if caught.victim < 0:
        return say("Play {card}: take {count} from the pool", card=played, count=len(caught.pool))
    robbed = seat_arg(caught.victim)
    if not caught.pool:
        return say("Play {card}: take {seat}'s bundle of {size}", card=played, seat=robbed, size=caught.stolen)
    return say(
        "Play {card}: take {count} from the pool and {seat}'s bundle of {size}",
        card=played,
        count=len(caught.pool),
        seat=robbed,
        size=caught.stolen,
    )
