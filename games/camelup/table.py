"""Camel Up on the table: an observation put into the table vocabulary.

Camels and desert tiles are pieces on the track, leg tiles lie in piles and before players, race cards in hands and on
two piles. A desert tile is two pieces, one a side: the side that is up lies on the track, the other before its owner.
"""

from __future__ import annotations

from games.camelup import places
from games.camelup.odds import leg_odds
from games.camelup.position import HIDDEN, Bets, LegScore, Position
from games.camelup.rules import Observation
from games.camelup.rules_engine import get_valid_moves
from games.camelup.terms import COLOURS, LEG_BET, MIRAGE, OASIS, ROLL, TILE
from games.core.ranks import leaders, standings
from games.core.view import (
    Counter,
    Drawing,
    LegalMove,
    Odds,
    OddsRow,
    Piece,
    RoundScoring,
    ScoringRow,
    SeatView,
    Sentence,
    Space,
    Track,
    Zone,
    closed_card,
    figure,
    say,
    seat_arg,
)


def render(seen: Observation) -> Drawing:
    """Return what an audience sees."""
    race = seen.position
    moves = [] if race.over or seen.seat != race.mover else get_valid_moves(race, race.mover)
    drawing = Drawing(
        phase=_phase(race),
        prompt=_prompt(seen),
        seats=[_seat(race, seat) for seat in range(race.seats)],
        zones=[*_shared(race), *(zone for seat in range(race.seats) for zone in _own(seen, seat))],
        tracks=[_track(race)],
        moves=[_legal_move(race, move) for move in moves],
        standings=standings(race.money),
    )
    # From the end of a leg, which a reveal shows, until the first die of the next one.
    if race.last_score and (race.over or len(race.left) == race.terms.camels or race.last_score.leg == race.leg):
        drawing["scoring"] = _scoring(race, race.last_score)
    if seen.odds and not race.over:
        drawing["odds"] = _odds(race)
    if race.over:
        drawing["outcome"] = _outcome(race)
    return drawing


def _phase(race: Position) -> Sentence:
    return say("The race is over") if race.over else say("Leg {leg}", leg=race.leg)


def _prompt(seen: Observation) -> Sentence:
    race = seen.position
    if race.over:
        return _outcome(race)
    if seen.seat == race.mover:
        return say("Your turn: roll a die, bet on the leg or the race, or place your desert tile")
    return say("Waiting for {seat} to roll, bet or place a tile", seat=seat_arg(race.mover))


def _outcome(race: Position) -> Sentence:
    winners = leaders(race.money)
    if len(winners) == 1:
        return say("{seat} wins with {coins} coins", seat=seat_arg(winners[0]), coins=max(race.money))
    return say("{count} players share the win with {coins} coins", count=len(winners), coins=max(race.money))


# -- places and pieces


def _seat(race: Position, seat: int) -> SeatView:
    counters = [Counter(id="coins", label=say("Coins"), value=race.money[seat], icon="coin")]
    if not race.terms.pay_at_once:
        counters.append(Counter(id="pyramids", label=say("Pyramid tiles"), value=race.pyramids[seat], icon="pyramid"))
    won = race.over and seat in leaders(race.money)
    marks = ["first"] if seat == race.opener and not race.over else []
    return SeatView(seat=seat, state="won" if won else "in", counters=counters, marks=marks)


def _track(race: Position) -> Track:
    stacks = race.stacks()
    spaces: list[Space] = []
    for square in range(race.terms.spaces):
        pieces = [_camel(camel) for camel in stacks.get(square, [])]
        for seat, tile in enumerate(race.tiles):
            if tile and abs(tile) == square:
                pieces.append(_tile(seat, OASIS if tile > 0 else MIRAGE))
        label = say("{number}", number=square + 1)
        spaces.append(Space(id=places.space(race.terms, square), pieces=pieces, marks=[], label=label))
    beyond = [_camel(camel) for camel in race.order if race.place[camel] >= race.terms.spaces]
    spaces.append(Space(id=places.FINISH, pieces=beyond, marks=["finish"], label=say("Finish")))
    return Track(id="track", label=say("Race track"), spaces=spaces)


def _camel(camel: int) -> Piece:
    name = COLOURS[camel]
    return Piece(id=places.camel(camel), face=f"camel-{name}", label=say("{camel} camel", camel=name))


def _tile(seat: int, side: int) -> Piece:
    if side == OASIS:
        label = say("Oasis of {seat}", seat=seat_arg(seat))
        return Piece(id=places.tile(seat, side), face="oasis", label=label, badge="+1")
    label = say("Mirage of {seat}", seat=seat_arg(seat))
    return Piece(id=places.tile(seat, side), face="mirage", label=label, badge="-1")


def _die(camel: int, pips: int) -> Piece:
    name = COLOURS[camel]
    piece = Piece(id=places.die(camel), face=f"die-{name}", label=say("{camel} die", camel=name))
    if pips:
        piece["badge"] = str(pips)
    return piece


def _leg_tile(race: Position, camel: int, index: int) -> Piece:
    name = COLOURS[camel]
    label = say("Leg tile of {camel}", camel=name)
    badge = str(race.terms.leg_first[index])
    return Piece(id=places.leg_tile(camel, index), face=f"leg-{name}", label=label, badge=badge)


def _card(seat: int, camel: int) -> Piece:
    name = COLOURS[camel]
    return Piece(id=places.card(seat, camel), face=f"race-{name}", label=say("{camel} race card", camel=name))


def _shared(race: Position) -> list[Zone]:
    terms = race.terms
    pyramid = Piece(id=places.PYRAMID, face="pyramid", label=say("Pyramid"))
    waiting = [_die(camel, 0) for camel in race.left]
    rolled = [_die(camel, pips) for camel, pips in enumerate(race.dice) if camel not in race.left]
    zones = [
        Zone(id=places.PYRAMID, label=say("Pyramid"), layout="slot", pieces=[pyramid]),
        Zone(id=places.DICE, label=say("Dice in the pyramid"), layout="row", pieces=waiting),
        Zone(id=places.ROLLED, label=say("Dice rolled in this leg"), layout="row", pieces=rolled),
    ]
    tiles = len(terms.leg_first)
    for camel in range(terms.camels):
        taken = tiles - race.leg_tiles_left(camel)
        pieces = [_leg_tile(race, camel, index) for index in reversed(range(taken, tiles))]
        label = say("Leg tiles of {camel}", camel=COLOURS[camel])
        zones.append(Zone(id=places.leg_pile(camel), label=label, layout="pile", pieces=pieces, size=len(pieces)))
    zones.append(_pile(places.WINNER_PILE, say("Winner"), race.winner_bets))
    zones.append(_pile(places.LOSER_PILE, say("Loser"), race.loser_bets))
    return zones


def _pile(zone: str, label: Sentence, bets: Bets) -> Zone:
    pieces: list[Piece] = []
    for index, (camel, seat) in enumerate(bets):
        if camel == HIDDEN:
            piece = closed_card(zone, index, f"race-{seat}")
            piece["label"] = say("Race card of {seat}", seat=seat_arg(seat))
        else:
            piece = _card(seat, camel)
            piece["label"] = say("{seat} bets on {camel}", seat=seat_arg(seat), camel=COLOURS[camel])
        pieces.append(piece)
    return Zone(id=zone, label=label, layout="pile", pieces=pieces, size=len(pieces))


def _own(seen: Observation, seat: int) -> list[Zone]:
    race = seen.position
    whose = seat_arg(seat)
    counted = [0] * race.terms.camels
    tiles: list[Piece] = []
    for camel, better in race.leg_bets:
        if better == seat:
            tiles.append(_leg_tile(race, camel, counted[camel]))
        counted[camel] += 1
    sides = [_tile(seat, side) for side in (OASIS, MIRAGE) if race.tiles[seat] * side <= 0]
    cards = Zone(
        id=places.hand(seat), label=say("Race cards of {seat}", seat=whose), layout="hand", seat=seat, pieces=[]
    )
    if seen.all_open or seat == seen.seat:
        cards["pieces"] = [_card(seat, camel) for camel in range(race.terms.camels) if race.cards[seat] >> camel & 1]
    else:
        played = sum(better == seat for _, better in (*race.winner_bets, *race.loser_bets))
        left = range(race.terms.camels - played)
        cards["pieces"] = [closed_card(places.hand(seat), index, f"race-{seat}") for index in left]
    return [
        Zone(id=places.taken(seat), label=say("Leg bets of {seat}", seat=whose), layout="row", seat=seat, pieces=tiles),
        Zone(
            id=places.desert(seat),
            label=say("Desert tile of {seat}", seat=whose),
            layout="row",
            seat=seat,
            pieces=sides,
        ),
        cards,
    ]


# -- moves


def _legal_move(race: Position, move: str) -> LegalMove:
    kind, first, second = race.terms.notation.meaning[move]
    seat = race.mover
    if kind == ROLL:
        return LegalMove(move=move, label=say("Roll a die"), pieces=[places.PYRAMID])
    if kind == TILE:
        target = f"zone:{places.space(race.terms, second)}"
        text = "Oasis on space {space}" if first == OASIS else "Mirage on space {space}"
        tile = places.tile(seat, first)
        return LegalMove(move=move, label=say(text, space=second + 1), pieces=[tile], target=target)
    name = COLOURS[first]
    if kind == LEG_BET:
        index = len(race.terms.leg_first) - race.leg_tiles_left(first)
        label = say("Bet on {camel} for {coins}", camel=name, coins=race.terms.leg_first[index])
        return LegalMove(move=move, label=label, pieces=[places.leg_tile(first, index)])
    text, pile = "{camel} wins the race", places.WINNER_PILE
    if not second:
        text, pile = "{camel} loses the race", places.LOSER_PILE
    card = places.card(seat, first)
    return LegalMove(move=move, label=say(text, camel=name), pieces=[card], target=f"zone:{pile}")


# -- the end of a leg, and what may come


def _scoring(race: Position, last_score: LegScore) -> RoundScoring:
    columns, parts = [say("Leg bets")], [[(seat, coins) for _, seat, coins in last_score.leg_bets]]
    if not race.terms.pay_at_once:
        columns.append(say("Pyramid tiles"))
        parts.append([(seat, coins) for seat, coins in enumerate(last_score.rolls) if coins])
    if last_score.race:
        columns += [say("Winner bets"), say("Loser bets")]
        piles = (last_score.winner_bets, last_score.loser_bets)
        parts += [[(seat, coins) for _, seat, coins in pile] for pile in piles]
    rows: list[ScoringRow] = []
    for seat in range(race.seats):
        cells = [" ".join(figure(coins, signed=True) for whose, coins in part if whose == seat) for part in parts]
        row = ScoringRow(seat=seat, cells=[*cells, figure(race.money[seat])])
        if race.over and seat in leaders(race.money):
            row["mark"] = "won"
        rows.append(row)
    first, second, last = (COLOURS[last_score.ranking[index]] for index in (0, 1, -1))
    if last_score.race:
        title, verdict = say("The race"), say("{first} wins the race, {last} comes last", first=first, last=last)
    else:
        title = say("Leg {leg}", leg=last_score.leg)
        verdict = say("{first} leads, {second} is second", first=first, second=second)
    return RoundScoring(
        id=f"leg-{last_score.leg}", title=title, columns=[*columns, say("Coins")], rows=rows, verdict=verdict
    )


def _odds(race: Position) -> Odds:
    leg = leg_odds(race)
    rows: list[OddsRow] = []
    for camel in range(race.terms.camels):
        shares = leg.ranks[camel] / leg.sequences
        cells = [f"{share:.0%}" for share in (shares[0], shares[1], shares[-1])]
        rows.append(OddsRow(piece=places.camel(camel), cells=cells))
    columns = [say("First"), say("Second"), say("Last")]
    return Odds(title=say("Chances at the end of this leg"), columns=columns, rows=rows)
