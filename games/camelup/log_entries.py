"""The log entries of a match of Camel Up, each turn's from the positions before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from games.camelup import places
from games.camelup.position import LegScore, Position
from games.camelup.terms import COLOURS, LEG_BET, ROLL, TILE
from games.core.view import LogEntry, Motion, Sentence, say, seat_arg


def start(position: Position) -> Iterator[LogEntry]:
    """Yield entries for the start of a match: where the camels are, and who has the first turn."""
    yield _entry("round", say("Every camel's die is rolled once: the race begins."))
    for square, stack in position.stacks().items():
        for index, camel in enumerate(stack):
            where = say("The {camel} camel starts on space {space}.", camel=COLOURS[camel], space=square + 1)
            if index:
                where = say(
                    "The {camel} camel starts on space {space}, on top of {below}.",
                    camel=COLOURS[camel],
                    space=square + 1,
                    below=COLOURS[stack[index - 1]],
                )
            yield _entry("deal", where)
    yield _entry("info", say("{seat} has the first turn.", seat=seat_arg(position.mover)))


def turn(before: Position, move: str, after: Position) -> Iterator[LogEntry]:
    """Yield entries for a move. Those for the end of a leg come from ``leg_end``."""
    kind, first, second = before.terms.notation.meaning[move]  # the other two depend on the kind: see ``Meaning``
    seat = before.mover
    if kind == ROLL:
        yield from _roll(before, after)
    elif kind == TILE:
        yield _tile(before, first, second)
    elif kind == LEG_BET:
        taken = len(before.terms.leg_first) - before.leg_tiles_left(first)
        text = say(
            "{seat} bets on {camel} for this leg: {coins} if it leads.",
            seat=seat_arg(seat),
            camel=COLOURS[first],
            coins=before.terms.leg_first[taken],
        )
        yield _entry("move", text, seat, [Motion(source=places.leg_pile(first), target=places.taken(seat))])
    else:
        yield from _race_card(seat, first, to_win=second == 1)


def leg_end(before: Position, after: Position, score: LegScore) -> Iterator[LogEntry]:
    """Yield entries for the end of a leg with this score, and for the end of the race if it is over."""
    yield from _leg_result(before, score)
    if after.over:
        yield from _race_result(after, score)


def _entry(kind: str, text: Sentence, seat: int | None = None, motions: list[Motion] | None = None) -> LogEntry:
    entry: LogEntry = {"kind": kind, "text": text}  # type: ignore[typeddict-item]
    if seat is not None:
        entry["seat"] = seat
    if motions:
        entry["motions"] = motions
    return entry


def _roll(before: Position, after: Position) -> Iterator[LogEntry]:
    terms = before.terms
    camel, pips = after.last_die
    here, there = before.place[camel], after.place[camel]
    stack = before.stacks()[here]
    unit = stack[stack.index(camel) :]  # the camel and those on its back
    reached = here + pips  # before a desert tile there moves the unit one space further
    owner = next((seat for seat, tile in enumerate(before.tiles) if abs(tile) == reached), None)
    source, target = places.space(terms, here), places.space(terms, there)
    motions = [Motion(source=places.DICE, target=places.ROLLED)]
    for _ in unit:
        ride = Motion(source=source, target=target)
        if owner is not None:
            ride["via"] = places.space(terms, reached)
        motions.append(ride)
    roller = seat_arg(before.mover)
    name = COLOURS[camel]
    if len(unit) == 1:
        text = say("{seat} rolls {pips} for {camel}.", seat=roller, pips=pips, camel=name)
    elif len(unit) == 2:
        text = say(
            "{seat} rolls {pips} for {camel}, which carries {rider}.",
            seat=roller,
            pips=pips,
            camel=name,
            rider=COLOURS[unit[1]],
        )
    else:
        text = say(
            "{seat} rolls {pips} for {camel}, which carries {count} camels.",
            seat=roller,
            pips=pips,
            camel=name,
            count=len(unit) - 1,
        )
    yield _entry("move", text, before.mover, motions)
    if owner is not None:
        template = (
            "The oasis of {seat} sends it on to space {space}: {coins} for {seat}."
            if there > reached
            else "The mirage of {seat} sends it back to space {space}, under the camels there: {coins} for {seat}."
        )
        if there >= terms.spaces:
            template = "The oasis of {seat} sends it across the finish line: {coins} for {seat}."
        yield _entry("info", say(template, seat=seat_arg(owner), space=there + 1, coins=terms.tile_pay), owner)


def _tile(before: Position, side: int, square: int) -> LogEntry:
    seat = before.mover
    old = before.tiles[seat]
    source = places.space(before.terms, abs(old)) if old else places.desert(seat)
    side_up = "an oasis" if side > 0 else "a mirage"
    template = (
        "{seat} moves the desert tile to space {space}: {side}." if old else "{seat} puts {side} on space {space}."
    )
    text = say(template, seat=seat_arg(seat), side=side_up, space=square + 1)
    return _entry("move", text, seat, [Motion(source=source, target=places.space(before.terms, square))])


def _race_card(seat: int, camel: int, *, to_win: bool) -> Iterator[LogEntry]:
    player, name = seat_arg(seat), COLOURS[camel]
    if to_win:
        pile, text = places.WINNER_PILE, say("{seat} puts a race card on the winner's pile.", seat=player)
        own = say("Your card says: {camel} wins.", camel=name)
        others = say("The card of {seat} says: {camel} wins.", seat=player, camel=name)
    else:
        pile, text = places.LOSER_PILE, say("{seat} puts a race card on the loser's pile.", seat=player)
        own = say("Your card says: {camel} comes last.", camel=name)
        others = say("The card of {seat} says: {camel} comes last.", seat=player, camel=name)
    yield _entry("move", text, seat, [Motion(source=places.hand(seat), target=pile)])
    entry = _entry("info", own)
    entry["only"], entry["others"] = seat, others
    yield entry


def _leg_result(before: Position, score: LegScore) -> Iterator[LogEntry]:
    first, second = (COLOURS[camel] for camel in score.ranking[:2])
    text = say("Leg {leg} ends: {first} leads, {second} is second.", leg=score.leg, first=first, second=second)
    motions = []
    for camel, seat in before.leg_bets:
        motions.append(Motion(source=places.taken(seat), target=places.leg_pile(camel)))
    if not before.terms.tiles_stay:
        for seat, tile in enumerate(before.tiles):
            if tile:
                motions.append(Motion(source=places.space(before.terms, abs(tile)), target=places.desert(seat)))
    yield _entry("round", text, None, motions)
    for camel, seat, coins in score.leg_bets:
        if coins < 0:
            text = say("{seat} bet on {camel}: {coins}.", seat=seat_arg(seat), camel=COLOURS[camel], coins=coins)
            yield _entry("loss", text, seat)
        else:
            text = say("{seat} bet on {camel}: +{coins}.", seat=seat_arg(seat), camel=COLOURS[camel], coins=coins)
            yield _entry("win", text, seat)
    for seat, coins in enumerate(score.rolls):
        if not coins:
            continue
        yield _entry("win", say("{seat} gets {coins} for pyramid tiles.", seat=seat_arg(seat), coins=coins), seat)


def _race_result(after: Position, score: LegScore) -> Iterator[LogEntry]:
    first, last = COLOURS[score.ranking[0]], COLOURS[score.ranking[-1]]
    yield _entry("round", say("The race is over: {first} wins, {last} comes last.", first=first, last=last))
    bets_and_templates = (
        (score.winner_bets, "{seat} bet on {camel} to win: +{coins}.", "{seat} bet on {camel} to win: {coins}."),
        (score.loser_bets, "{seat} bet on {camel} to lose: +{coins}.", "{seat} bet on {camel} to lose: {coins}."),
    )
    for bets, gain, loss in bets_and_templates:
        for camel, seat, coins in bets:
            text = say(loss if coins < 0 else gain, seat=seat_arg(seat), camel=COLOURS[camel], coins=coins)
            yield _entry("loss" if coins < 0 else "win", text, seat)
    best = max(after.money)
    winners = [seat for seat, coins in enumerate(after.money) if coins == best]
    for seat in winners:
        if len(winners) == 1:
            text = say("{seat} has the most coins, {coins}, and wins.", seat=seat_arg(seat), coins=best)
        else:
            text = say("{seat} shares the win with {coins} coins.", seat=seat_arg(seat), coins=best)
        yield _entry("win", text, seat)
