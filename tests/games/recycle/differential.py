"""Native games and their texts side by side: dealt the same cards and given the same moves, they must agree.

Each match is dealt by the text, and the native game's cards are laid as the text's lie; then both are given the same
random moves. At every decision compared are: who moves, the legal moves, where every card lies, and the scores; and,
of the mover and of somebody else, what they see and which cards they can name.

``python -m tests.games.recycle.differential 1000`` plays as many matches of each game.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from games.bundles.rules import DEALT, BundlesState
from games.core import FastChance, Sight
from games.core.cards import JOKER
from games.enchere.auction import VERSIONS
from games.enchere.rules import EnchereState
from games.recycle.game import RecycleGame, read
from games.recycle.provider import FOLDER
from games.recycle.rules import RecycleState
from tests.games import bundles, enchere

Places = dict[tuple[int, str], list[str]]  # by owner (-1: the table) and name: the faces, bottom first; "" is a back


@cache
def text_game(name: str) -> RecycleGame:
    """Return a game of the library."""
    return read(name, (FOLDER / f"{name}.rcy").read_text(encoding="utf-8"))


class Text:
    """A match of a text, read as a native game is: cards by face, places by name."""

    def __init__(self, name: str, seats: int, seed: str) -> None:
        state = text_game(name).start(seats, {}, FastChance(seed))
        assert isinstance(state, RecycleState)
        self.state = state

    def face(self, card: int) -> str:
        face = self.state.program.cards.faces[card]
        return JOKER if face == "joker" else face

    def seen(self, seat: int | None, *, face_up: bool = False) -> Places:
        """Return what an audience sees in each place that is not empty."""
        found: Places = {}
        for place in self.state.observe(seat, face_up=face_up).places:
            cards = ["" if not lying.id else JOKER if lying.face == "joker" else lying.face for lying in place.cards]
            if cards:
                assert (place.where.owner, place.where.name) not in found, "a name of two visibilities"
                found[place.where.owner, place.where.name] = cards
        return found

    def numbers(self) -> dict[tuple[str, int, str], int | str]:
        """Return what is kept, by owner (player or table), number of the owner, and name."""
        stores = self.state.observe(None, face_up=True).stores
        return {(one.owner, one.number, one.name): one.value for one in stores if one.value is not None}

    def moves(self) -> dict[str, str]:
        """Return the legal moves by the card that each moves first. No two move the same one."""
        seat = self.state.to_act()[0]
        legal = self.state.legal_moves(seat)
        found = {}
        for move, option in zip(legal, self.state.options(), strict=True):
            what, _, card, *_ = option[0]
            assert what == 0, f"{move!r} is no move of a card"
            found[self.face(card)] = move
        assert len(found) == len(legal), f"two moves alike: {legal}"
        return found

    def exchange(self, one: str, other: str) -> None:
        """Let two cards change places. Everybody then knows what they can see, as after a deal."""
        state = self.state
        cards = [next(card for card in range(len(state.W)) if self.face(card) == face) for face in (one, other)]
        spots = [(state.W[card], state.L[state.W[card]].index(card)) for card in cards]
        for card, (place, position) in zip(cards, reversed(spots), strict=True):
            state.L[place][position] = card
            state.W[card] = place
        state.sight = Sight(state.program.cards, state.seats)
        for place, lie in enumerate(state.L):
            for card in lie:
                for seat in range(state.seats):
                    if state.sees[place] >> seat & 1:
                        state.sight.show(card, seat)
                if state.sees[place] >> state.seats & 1:
                    state.sight.show_all(card)

    def named_by(self, seat: int | None) -> set[str]:
        """Return the cards that an audience can name, wherever they lie."""
        return {self.face(card) for card in self.state.sight.named_by(seat)}


def _places(**named: Sequence[Sequence[str]] | Sequence[str]) -> Places:
    """Return places by name: of the players a list for each, of the table one list. Empty ones are left out."""
    found: Places = {}
    for name, lie in named.items():
        if lie and not isinstance(lie[0], str):
            found |= {(seat, name): list(cards) for seat, cards in enumerate(lie)}
        else:
            found[-1, name] = [str(card) for card in lie]
    return {place: cards for place, cards in found.items() if cards}


def _in_any_order(places: Places, *names: str) -> Places:
    """Return places with the cards of some of them sorted: a hand is no pile."""
    return {place: sorted(cards) if place[1] in names else cards for place, cards in places.items()}


def _backs(count: int) -> list[str]:
    return [""] * count


def _audiences(text: Text, decisions: int) -> tuple[int | None, ...]:
    """Return who is asked what they see: the mover, and in turn one of all seats and the spectators."""
    audiences = (None, *range(text.state.seats))
    return *text.state.to_act(), audiences[decisions % len(audiences)]


# -- Stealing Bundles


def play_bundles(seats: int, seed: str) -> Counter[str]:
    """Play a match of both and compare. Returns how often cards took what; raises AssertionError where they differ."""
    text = Text("stealing", seats, seed)
    native = _bundles_as(text, seats)
    choices = FastChance(f"{seed}/choices")
    happened: Counter[str] = Counter()
    while True:
        _compare_bundles(text, native, happened.total())
        if native.over:
            return happened
        moves = text.moves()
        mover = native.mover
        face = choices.choice(native.hands[mover])
        found = native.observe(mover).catch(mover, face)
        happened[
            "both" if found.pool and found.stolen else "pool" if found.pool else "bundle" if found.stolen else "none"
        ] += 1
        text.state.play(mover, moves[face])
        native.play(mover, f"play {face}")


def _bundles_as(text: Text, seats: int) -> BundlesState:
    """Return a native match with the text's cards. The native game deals from who began, the text from player 0."""
    lie = text.seen(None, face_up=True)
    first = text.state.to_act()[0]
    coming = lie[-1, "STOCK"][::-1]
    stock: list[str] = []
    for deal in range(0, len(coming), DEALT * seats):
        hands = [coming[deal + DEALT * seat : deal + DEALT * (seat + 1)] for seat in range(seats)]
        stock += [face for step in range(seats) for face in hands[(first + step) % seats]]
    return bundles.lay(
        [" ".join(lie[seat, "HAND"]) for seat in range(seats)],
        pool=" ".join(lie[-1, "POOL"]),
        stock=" ".join(reversed(stock)),
        mover=first,
    )


def _compare_bundles(text: Text, native: BundlesState, decisions: int) -> None:
    state, seats = text.state, range(native.seats)
    assert state.to_act() == native.to_act()
    assert state.scores() == native.scores()
    assert state.winners() == native.winners()
    for seat in native.to_act():
        assert {f"play {face}" for face in text.moves()} == set(native.legal_moves(seat))
    # The stock is dealt to other seats first: its cards are compared, not their order.
    true = _places(HAND=native.hands, BUNDLE=native.bundles, POOL=native.pool, STOCK=native.stock)
    assert _in_any_order(text.seen(None, face_up=True), "HAND", "STOCK") == _in_any_order(true, "HAND", "STOCK")
    for audience in _audiences(text, decisions):
        seen = native.observe(audience)
        shown = _places(
            HAND=[seen.hands[one] or _backs(seen.hand_sizes[one]) for one in seats],
            BUNDLE=seen.bundles,
            POOL=seen.pool,
            STOCK=_backs(seen.stock),
        )
        assert _in_any_order(text.seen(audience), "HAND") == _in_any_order(shown, "HAND")
        assert text.named_by(audience) == native.sight.named_by(audience)


# -- Enchère

TEXTS = {"enchere": "enchere-simple", "avancee": "enchere-avancee", "originale": "enchere-originale"}  # by version


def play_enchere(version: str, seed: str, *, first_prize: str = "", bids: Sequence[str] = ()) -> Counter[str]:
    """Play a match of both and compare. Returns how often prizes went by which rule; raises AssertionError where they
    differ.

    With ``first_prize`` that is the first prize, and the players are dealt ``bids`` and bid them, player 0 first.
    """
    text = Text(TEXTS[version], 3, seed)
    if first_prize:
        text.exchange(first_prize, text.seen(None)[-1, "PRIZE"][0])
        for seat, face in enumerate(bids):
            text.exchange(face, text.seen(None, face_up=True)[seat, "HAND"][0])
    native = EnchereState(VERSIONS[version], VERSIONS[version].target, FastChance(seed))
    _deal_as(text, native)
    choices = FastChance(f"{seed}/choices")
    happened: Counter[str] = Counter()
    decisions = 0
    while True:
        _compare_enchere(text, native, decisions)
        if native.over:
            return happened
        seat = text.state.to_act()[0]
        moves = text.moves()
        move = f"bid {bids[seat]}" if decisions < len(bids) else choices.choice(native.legal_moves(seat))
        before = native.round
        text.state.play(seat, moves[move.removeprefix("bid ")])
        native.play(seat, move)
        decisions += 1
        if not any(native.bids) and native.awarded:
            happened["first" if native.awarded.first and native.awarded.why == "last" else native.awarded.why] += 1
        if native.round != before:
            assert text.numbers()["game", 0, "ROUND"] == native.round
            _deal_as(text, native)


def _deal_as(text: Text, native: EnchereState) -> None:
    """Lay the cards of a native round that begins as the text's lie."""
    lie = text.seen(None, face_up=True)
    spare = lie.get((-1, "SPARE"), [""])[0]
    laid = enchere.lay(
        native.version.name,
        [" ".join(lie[seat, "HAND"]) for seat in range(3)],
        *lie[-1, "PRIZE"],
        spare=spare,
        coming=" ".join(lie[-1, "PRIZES"]),
    )
    native.hands, native.prize, native.prizes, native.spare = laid.hands, laid.prize, laid.prizes, laid.spare
    native.aside = lie.get((-1, "CASH"), [])
    native.sight = laid.sight


def _compare_enchere(text: Text, native: EnchereState, decisions: int) -> None:
    state, seats = text.state, range(3)
    assert state.over == native.over
    assert set(state.to_act()) <= set(native.to_act())  # the native game asks all who have not bid, in any order
    assert state.scores() == native.scores()
    kept = text.numbers()
    assert [kept["player", seat, "SCORE"] for seat in seats] == native.points
    assert kept["game", 0, "ROUND"] == native.round
    if native.over:
        assert state.winners() == native.winners()
    for seat in state.to_act():
        assert {f"bid {face}" for face in text.moves()} == set(native.legal_moves(seat))
    if native.version.name == "avancee":  # a tie for the Joker goes to who won before
        latest = native.awarded.seat if native.awarded else 0
        assert [kept["player", seat, "LATEST"] for seat in seats] == [int(seat == latest) for seat in seats]
    if native.version.name == "originale" and native.last_score and native.last_score.round < native.round:
        assert tuple(kept["player", seat, "BEST"] for seat in seats) == native.last_score.scored
    _compare_sights(text, native, decisions)


def _compare_sights(text: Text, native: EnchereState, decisions: int) -> None:
    """Compare all places, as they are and as they are seen."""

    def without_last(spent: Sequence[str], shown: Sequence[str]) -> list[str]:
        return [face for face in spent if face not in shown]

    def ordered(places: Places) -> Places:
        return _in_any_order(places, "HAND", "SPENT", "CASH")

    def one_each(faces: Sequence[str]) -> list[list[str]]:
        return [[face] if face else [] for face in faces]

    seats = range(3)
    true = _places(
        HAND=native.hands,
        BID=one_each(native.bids),
        SHOWN=one_each(native.shown),
        SPENT=without_last(native.spent, native.shown),
        WON=native.won,
        PRIZE=[native.prize] if native.prize else [],
        PRIZES=native.prizes,
        SPARE=[native.spare] if native.spare else [],
        CASH=native.aside,
    )
    assert ordered(text.seen(None, face_up=True)) == ordered(true)
    for audience in _audiences(text, decisions):
        seen = native.observe(audience)
        shown = _places(
            HAND=[seen.hands[one] or _backs(seen.hand_sizes[one]) for one in seats],
            BID=[[seen.bids[one]] if seen.has_bid[one] else [] for one in seats],
            SHOWN=one_each(seen.shown),
            SPENT=without_last(seen.spent, seen.shown),
            WON=seen.won,
            PRIZE=[seen.prize] if seen.prize else [],
            PRIZES=_backs(seen.pile),
            SPARE=[seen.spare] if seen.spare else [],
            CASH=_backs(seen.aside),
        )
        assert ordered(text.seen(audience)) == ordered(shown)
        assert text.named_by(audience) == native.sight.named_by(audience)


# -- many matches

PAIRS: dict[str, Callable[[str], Counter[str]]] = {
    "stealing-2": partial(play_bundles, 2),
    "stealing-3": partial(play_bundles, 3),
    "stealing-4": partial(play_bundles, 4),
    **{text: partial(play_enchere, version) for version, text in TEXTS.items()},
}


def play_many(pair: str, seeds: Iterable[int]) -> Counter[str]:
    """Play matches of a native game and its text. Returns what happened how often.

    Raises AssertionError, with the seed of the match, where they differ.
    """
    happened: Counter[str] = Counter()
    for seed in seeds:
        try:
            happened += PAIRS[pair](str(seed))
        except AssertionError as differ:
            raise AssertionError(f"{pair}, match {seed}: {differ}") from differ
    return happened


if __name__ == "__main__":
    matches = int(sys.argv[1])
    for pair in PAIRS:
        happened = ", ".join(f"{what} {count:,}" for what, count in play_many(pair, range(matches)).most_common())
        sys.stdout.write(f"{pair}: {matches:,} matches, no difference. {happened}\n")
        sys.stdout.flush()
