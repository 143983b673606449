"""Hamsterdam Exchange on the table: an observation put into the table vocabulary."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal

from games.core.ranks import standings
from games.core.view import (
    Counter,
    Drawing,
    LegalMove,
    Piece,
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
    known_card,
    open_card,
    say,
    seat_arg,
    word,
)
from games.hamsterdam.rules import (
    MEANING,
    MODIFIER_VALUE,
    STOCK_VALUE,
    Observation,
    RoundScore,
    left_of,
    moves_of,
    total,
)


def render(seen: Observation) -> Drawing:
    """Return what an audience sees."""
    drawing = Drawing(
        phase=_phase(seen),
        prompt=_prompt(seen),
        seats=_seats(seen.certificates, seen.winners, seen.dealer, seen.decided, _passed(seen)),
        zones=_zones(seen),
        moves=_moves(seen) if seen.seat is not None and seen.seat == seen.mover else [],
        standings=standings(seen.certificates),
    )
    if seen.last_score:
        drawing["scoring"] = _scoring(seen.last_score)
    if seen.phase == "over":
        drawing["outcome"] = _outcome(seen)
    return drawing


def _phase(seen: Observation) -> Sentence:
    if seen.phase == "market":
        return say("Round {round}: markets open", round=seen.round)
    if seen.phase == "adjustment":
        return say("Round {round}: adjustment", round=seen.round)
    return say("The match is over")


def _prompt(seen: Observation) -> Sentence:
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


def _outcome(seen: Observation) -> Sentence:
    if len(seen.winners) == 1:
        return say("{seat} wins, the last with a certificate", seat=seat_arg(seen.winners[0]))
    return say(
        "{count} players lose their last certificate together and share the win",
        count=len(seen.winners),
    )


# Most of a table is the same from ply to ply and from audience to audience, so its parts are cached: making them took
# most of the time of a move. Views are never modified.


@lru_cache(maxsize=4096)
def _seats(
    certificates: tuple[int, ...],
    winners: tuple[int, ...],
    dealer: int,
    decided: tuple[str, ...],
    passed: tuple[int, ...],
) -> list[SeatView]:
    did = {"keep": ("kept",), "trade": ("traded",), "": ()}
    return [
        _seat(
            seat,
            certificates[seat],
            seat in winners,
            ("dealer",) * (seat == dealer) + ("passed",) * (seat in passed) + did[decided[seat]],
        )
        for seat in range(len(certificates))
    ]


@lru_cache(maxsize=1024)
def _seat(seat: int, certificates: int, won: bool, marks: tuple[str, ...]) -> SeatView:
    counter = Counter(id="certificates", label=say("Certificates"), value=certificates, icon="certificate")
    state: Literal["in", "out", "won"] = "won" if won else "in" if certificates else "out"
    return SeatView(seat=seat, state=state, counters=[counter], marks=list(marks))


def _passed(seen: Observation) -> tuple[int, ...]:
    """Return the seats that have passed since the last modifier was played."""
    if seen.phase != "adjustment" or not seen.passes:
        return ()
    seats = len(seen.certificates)
    clockwise = range(seen.dealer + 1, seen.dealer + 1 + seats)
    order = [other % seats for other in clockwise if seen.certificates[other % seats]]
    now = order.index(seen.mover)
    return tuple([order[now - step] for step in range(1, seen.passes + 1)])


def _zones(seen: Observation) -> list[Zone]:
    # The stocks that lose are marked while all look at them; after that the next round is dealt.
    lost = seen.last_score.lost if seen.last_score and seen.phase == "adjustment" else ()
    zones: list[Zone] = []
    for seat, played in enumerate(seen.played):
        zones.append(_stock(seat, seen.stock[seat], seen.holds[seat], seen.remembers[seat], played, seat in lost))
        zones.append(_modifiers(seat, seen.hands[seat], seen.hand_sizes[seat]))
        zones.append(_played(seat, played))
    zones += _piles(seen.stock_deck, seen.modifier_deck, seen.discarded, seen.laid_aside)
    return zones


@cache
def _of(seat: int, text: str) -> Sentence:
    return say(text, seat=seat_arg(seat))


@lru_cache(maxsize=4096)
def _stock(seat: int, face: str, holds: bool, known: str, played: tuple[str, ...], loses: bool) -> Zone:
    stock = Zone(id=f"stock:{seat}", label=_of(seat, word("Stock of {seat}")), layout="slot", seat=seat, pieces=[])
    if face:
        stock["pieces"] = [_open(face)]
        stock["total"] = total(face, played)
        if loses:
            stock["pieces"] = [{**_open(face), "mark": "lost"}]
    elif known:
        stock["pieces"] = [known_card(stock["id"], 0, "stock", known)]
    elif holds:
        stock["pieces"] = [closed_card(stock["id"], 0, "stock")]
    return stock


@lru_cache(maxsize=4096)
def _modifiers(seat: int, hand: tuple[str, ...], size: int) -> Zone:
    label = _of(seat, word("Modifiers of {seat}"))
    return hand_zone(f"modifiers:{seat}", label, seat, [_open(face) for face in hand], size, "modifier")


@lru_cache(maxsize=4096)
def _played(seat: int, played: tuple[str, ...]) -> Zone:
    label = _of(seat, word("Played on {seat}"))
    return Zone(id=f"played:{seat}", label=label, layout="row", seat=seat, pieces=[_open(face) for face in played])


@lru_cache(maxsize=1024)
def _piles(stock_deck: int, modifier_deck: int, discarded: bool, laid_aside: str) -> tuple[Zone, Zone, Zone]:
    return (
        closed_pile("deck:stock", say("Stock deck"), stock_deck, "stock"),
        closed_pile("deck:modifier", say("Modifier deck"), modifier_deck, "modifier"),
        closed_pile("discard", say("Discarded stock"), int(discarded), "stock", laid_aside),
    )


@cache
def _open(face: str) -> Piece:
    return open_card(face, "" if face in STOCK_VALUE else _signed(face))


def _signed(modifier: str) -> str:
    return figure(MODIFIER_VALUE[modifier], signed=True)


def _moves(seen: Observation) -> list[LegalMove]:
    me = seen.mover
    if seen.phase == "market":
        own = seen.stock[me]
        keep = LegalMove(move="keep", label=say("Keep {card}", card=card_arg(own)), pieces=[own])
        if me == seen.dealer:
            label = say("Trade {card} for the top of the stock deck", card=card_arg(own))
            return [keep, LegalMove(move="trade", label=label, pieces=[own], target="zone:deck:stock")]
        left = left_of(me, seen.certificates)
        label = say("Trade {card} with {seat}", card=card_arg(own), seat=seat_arg(left))
        return [keep, LegalMove(move="trade", label=label, pieces=[own], target=f"seat:{left}")]
    return [_adjustment(move, me) for move in moves_of(seen.phase, seen.hands[me], seen.certificates)]


@lru_cache(maxsize=1024)
def _adjustment(move: str, me: int) -> LegalMove:
    if move == "pass":
        return LegalMove(move=move, label=say("Pass"), pieces=[])
    face, target = MEANING[move]
    if target == me:
        label = say("{card} on your own stock", card=card_arg(face))
    else:
        label = say("{card} on {seat}", card=card_arg(face), seat=seat_arg(target))
    return LegalMove(move=move, label=label, pieces=[face], target=f"seat:{target}")


@lru_cache(maxsize=1024)
def _scoring(last_score: RoundScore) -> RoundScoring:
    rows: list[ScoringRow] = []
    for seat, stock, modifiers, points in last_score.rows:
        cells = [str(STOCK_VALUE[stock]), " ".join(map(_signed, modifiers)), figure(points)]
        row = ScoringRow(seat=seat, cells=cells)
        if seat in last_score.lost:
            row["mark"] = "lost"
        rows.append(row)
    return RoundScoring(
        id=f"round-{last_score.round}",
        title=say("Round {round}", round=last_score.round),
        columns=[say("Stock"), say("Modifiers"), say("Total")],
        rows=rows,
        verdict=last_score.verdict,
    )
