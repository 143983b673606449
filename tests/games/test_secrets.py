"""No seat is sent anything it cannot know: change what is hidden, and every byte it gets stays the same.

``determinize`` redraws all that a seat cannot know. Its view must not change by a byte; nor may a log entry say
more than the view shows; nor may what a bot gets contain anything else.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from games import catalogue
from games.core import FastChance, Game, Information, Match, State
from games.core.bot import NEEDS
from games.core.moves import RulesFailed
from games.core.view import LogEntry, View
from tests.games.cases import Case, cases, likely_move, positions
from tests.tiers import is_full

POSITIONS = 60 if is_full() else 12


def seen(case: Case, state: State[Any], audience: int | None, *, face_up: bool = False) -> str:
    """Return a view. A determinization may be one in which a player has no option: then what the rules say."""
    try:
        return json.dumps(case.game.view(state, audience, face_up=face_up))
    except RulesFailed as failure:
        return str(failure)


def observed(state: State[Any], audience: int | None) -> str:
    """Return an observation, or what the rules say: see ``seen``."""
    try:
        return repr(state.observe(audience))
    except RulesFailed as failure:
        return str(failure)


def whole(case: Case, state: State[Any]) -> list[str]:
    """Return all of a state: what everybody sees and knows, all cards face up, and what will be drawn next."""
    audiences = [None, *range(state.seats)]
    draws = [state.chance.clone().randbelow(1 << 32) for _ in range(3)]
    return [
        seen(case, state, None, face_up=True),
        *[seen(case, state, audience) for audience in audiences],
        *[observed(state, audience) for audience in audiences],
        repr(draws),
    ]


def untouched(match: Match) -> str:
    """Return all of a position, to check that nothing in it has changed."""
    seats = range(match.state.seats)
    return json.dumps([match.view(None, face_up=True), [repr(match.state.observe(seat)) for seat in seats], match.log])


@cases
def test_what_a_seat_cannot_know_changes_no_byte_it_is_sent(case: Case) -> None:
    differ = hidden = 0
    for match, seat, chance in positions(case, POSITIONS):
        state = match.state
        before = untouched(match)
        face_up = without_ids(case.game.view(state, seat, face_up=True))
        other = state.determinize(seat, chance)
        for audience in (seat, None):
            assert seen(case, other, audience) == seen(case, state, audience)
            assert repr(other.observe(audience)) == repr(state.observe(audience)), "bots get no more than people"
        assert other.to_act() == state.to_act()
        assert other.legal_moves(seat) == state.legal_moves(seat)
        assert untouched(match) == before
        hidden += face_up != without_ids(case.game.view(state, seat))
        # Where two cards are hidden, every second determinization is the true state: it is sampled a few times.
        samples = (other, state.determinize(seat, chance), state.determinize(seat, chance))
        differ += any(without_ids(case.game.view(sample, seat, face_up=True)) != face_up for sample in samples)
    assert differ >= hidden * 0.6, "what is hidden is really redrawn"


def after_the_same_move(case: Case) -> Iterator[tuple[State[Any], State[Any], State[Any], int]]:
    """Yield (before, here, there, seat): the same move made in two positions that the seat could not distinguish.

    Their logs have the entries of the move, and nothing before it.
    """
    for match, seat, chance in positions(case, POSITIONS):
        if match.over:
            continue
        here, there = match.state.clone(), match.state.determinize(seat, chance)
        mover = here.to_act()[0]
        try:
            moves = [move for move in here.legal_moves(mover) if move in there.legal_moves(mover)]
        except RulesFailed:
            continue  # the mover must hold a certain card by the rules of a text, and in this one does not
        if not moves:
            continue
        move = chance.choice(moves)
        here.log, there.log = [], []
        here.play(mover, move)
        there.play(mover, move)
        yield match.state, here, there, seat


def shown_in_passing(entry: LogEntry, audience: int | None) -> bool:
    """Return whether the cards of a log entry were moved to or from places of a text that this audience sees.

    Later steps of the same move may have hidden them again, as when a crib is counted and shuffled.
    """

    def sees(place: str) -> bool:
        return place.startswith("vloc:") or (place.startswith("iloc:") and place.endswith(f":{audience}"))

    motions = entry.get("motions", [])
    return bool(motions) and all(sees(motion["target"]) or sees(motion["source"]) for motion in motions)


def cards_in(entry: LogEntry) -> set[str]:
    """Return the cards that a log entry names."""
    return {arg["card"] for arg in entry["text"]["args"].values() if isinstance(arg, dict) and "card" in arg}


def open_cards(view: View) -> set[str]:
    """Return the faces that a view shows."""
    return {piece["face"] for zone in view["zones"] for piece in zone["pieces"] if "face" in piece}


def not_in_passing(log: list[LogEntry], seen: set[str], audience: int | None) -> list[LogEntry]:
    """Return the entries of a log, without those that move cards shown in passing, or count them.

    ``seen``: the cards that the audience saw before the move; they may be counted together with those.
    """
    others = [entry for entry in log if not shown_in_passing(entry, audience)]
    shown = set[str]().union(*(cards_in(entry) for entry in log if shown_in_passing(entry, audience)))

    def counts(entry: LogEntry) -> bool:
        cards = cards_in(entry)
        return not entry.get("motions") and bool(cards & shown) and cards <= shown | seen

    return [entry for entry in others if not counts(entry)]


@cases
def test_the_log_shows_no_audience_more_than_the_table_does(case: Case) -> None:
    """Make the same move in two positions a seat cannot distinguish: if they still look alike, so do the logs."""
    compared = 0
    for before, here, there, seat in after_the_same_move(case):
        for audience in (seat, None):
            views = [case.game.view(state, audience) for state in (here, there)]
            if without_ids(views[0]) == without_ids(views[1]):
                compared += 1
                logs = [
                    [entry for entry in state.log or [] if entry.get("only", audience) == audience]
                    for state in (here, there)
                ]
                # What was shown in passing may differ, and so may what it scores, even the number of those entries.
                seen_before = open_cards(case.game.view(before, audience))
                here_said, there_said = (not_in_passing(log, seen_before, audience) for log in logs)
                assert here_said == there_said
                if logs[0] != logs[1]:
                    continue  # then the reveals may differ, too
                moments = [
                    [case.game.view_of_moment(moment, audience) for moment in state.moments] for state in (here, there)
                ]
                assert [without_ids(view) for view in moments[0]] == [without_ids(view) for view in moments[1]]
    assert compared


@cases
def test_what_is_determinized_depends_on_nothing_but_what_the_seat_knows(case: Case) -> None:
    """Two true states that look the same to a seat are determinized alike: else search would distinguish them."""
    for match, seat, chance in positions(case, POSITIONS):
        state = match.state
        other = state.determinize(seat, chance)
        draws = [FastChance("again"), FastChance("again")]
        assert whole(case, state.determinize(seat, draws[0])) == whole(case, other.determinize(seat, draws[1]))


def reachable(root: object) -> list[object]:
    """Return all objects that can be reached from one, except code and the game, which has no secrets."""
    results: dict[int, object] = {}
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) not in results and not isinstance(thing, type | ModuleType | FunctionType | Game):
            results[id(thing)] = thing
            waiting += gc.get_referents(thing)
    return list(results.values())


@cases
@pytest.mark.parametrize("needs", NEEDS)
def test_a_bot_gets_no_true_state(case: Case, needs: Any) -> None:
    for match, seat, chance in positions(case, POSITIONS):
        if seat not in match.to_act():
            continue
        state = match.state
        other = state.determinize(seat, chance)
        information = [Information.of(case.game, truth, seat, FastChance("a bot's"), needs) for truth in (state, other)]
        for info in information:
            samples = [thing for thing in reachable(info) if isinstance(thing, State)]
            assert len(samples) == (needs == "determinizations")
            assert state not in samples
            assert other not in samples
        if needs == "determinizations":
            here, there = (info.determinize(FastChance("another sample")) for info in information)
            assert whole(case, here) == whole(case, there)
        if needs != "moves":
            assert repr(information[0].observation) == repr(information[1].observation)
            assert information[0].view == information[1].view


@cases
def test_ids_of_pieces_reveal_nothing_that_faces_do_not(case: Case) -> None:
    """Make the same move where a seat cannot distinguish two positions: if the faces are alike, so are the ids."""
    for _, here, there, seat in after_the_same_move(case):
        for audience in (seat, None):
            views = [case.game.view(state, audience) for state in (here, there)]
            if without_ids(views[0]) == without_ids(views[1]):
                assert views[0] == views[1]


def without_ids(result: Any) -> Any:
    """Return a view without the ids of its pieces."""
    if isinstance(result, dict):
        return {
            key: without_ids(value) for key, value in result.items() if key not in ("id", "pieces", "takes", "moves")
        } | {"pieces": [without_ids(piece) for piece in result.get("pieces", []) if isinstance(piece, dict)]}
    return [without_ids(value) for value in result] if isinstance(result, list) else result


@cases
def test_determinizations_can_be_played_to_the_end(case: Case) -> None:
    for match, seat, chance in positions(case, POSITIONS)[:8]:
        other = match.state.determinize(seat, chance)
        while other.to_act():
            mover = other.to_act()[0]
            other.play(mover, chance.choice(other.legal_moves(mover)))


@cases
def test_no_seed_deck_order_or_secret_option_is_in_what_is_sent(case: Case) -> None:
    secret = [option.name for option in case.game.options if option.set_by == "administrator"]
    for match, seat, _ in positions(case, POSITIONS):
        sent = json.dumps([match.view(seat), match.view(None), match.log]).lower()
        assert not any(word in sent for word in ("seed", "favourite", *secret))


def shape(result: Any, path: str = "") -> set[str]:
    """Return every path of keys, with the type of the value at its end; for a sentence, its text."""
    if isinstance(result, dict):
        if set(result) == {"text", "args"}:
            return {f"{path} {result['text']} {sorted(result['args'])}"}
        return {piece for key, value in result.items() for piece in shape(value, f"{path}.{key}")}
    if isinstance(result, list):
        return {piece for value in result for piece in shape(value, f"{path}[]")}
    return {f"{path} {type(result).__name__}"}


riggable = pytest.mark.parametrize(
    ("game", "way"),
    [
        pytest.param(game, way, id=f"{game.name}-{way}")
        for game in catalogue.listed()
        if game.rig
        for way in game.rig.ways
    ],
)


@riggable
def test_a_rigged_match_has_the_shape_of_an_honest_one(game: Game, way: str) -> None:
    assert game.rig
    options = game.rig.options(favourite=1, honest_games=0, won=[], way=way)
    rigged = Case("rigged", game, game.default_seats, options)
    honest = Case("honest", game, game.default_seats)
    shapes = []
    for case, matches in ((rigged, 15), (honest, 60)):
        results: set[str] = set()
        for index in range(matches):
            match = case.start(FastChance(str(index)))
            choices = FastChance(f"{index}/choices")
            while not match.over:
                for audience in (0, 1, None):
                    results |= shape(match.view(audience))
                likely_move(match, choices)
            results |= shape(match.view(None)) | shape(match.log)
        shapes.append(results)
    assert shapes[0] <= shapes[1]
