"""Why a move or an option is refused: a sentence for players, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games import catalogue
from games.core import BadOption, FastChance, Game, IllegalMove, State
from games.core.messages import Message, words
from games.core.words import languages
from tests.tiers import sampled

GAMES = [game.name for game in catalogue.listed()]
MISTAKES = ("", "eat the cards", "7", "#2")
PLIES = 40


def templates(said: Message) -> Iterator[str]:
    """Yield the templates of a message and of the messages in it."""
    yield said.template
    for arg in said.args.values():
        if isinstance(arg, Message):
            yield from templates(arg)


def refusals(game: Game) -> Iterator[Message]:
    """Yield why moves of a match are refused, and options."""
    state: State[Any] = game.start(game.default_seats, game.check_options({}), FastChance("refused"))
    chance, met = FastChance("moves"), set(MISTAKES)
    for _ in range(PLIES):
        if state.over:
            break
        seat = state.to_act()[0]
        legal = state.legal_moves(seat)
        met |= {*legal[:3], *(f"{legal[0].split()[0]} {word}" for word in ("XX", "1 on 9", "4 0", "+ on 3"))}
        for move in sorted(met - set(legal))[:30]:
            with pytest.raises(IllegalMove) as refused:
                state.play(seat, move)
            yield refused.value.text
        state.play(seat, chance.choice(legal))
    for name in ("nothing", "handicap", *(option.name for option in game.options)):
        with pytest.raises(BadOption) as bad:
            game.check_options({name: "?"})
        yield bad.value.text
    with pytest.raises(BadOption) as bad:
        game.check_seats(game.max_seats + 1)
    yield bad.value.text


@pytest.mark.parametrize("name", sampled(GAMES, 6))
def test_a_refusal_is_said_in_every_language(name: str) -> None:
    game = catalogue.find(name)
    said = set(refusals(game))
    assert len(said) > PLIES / 4
    for language in languages():
        known = {**game.words(language), **words(language)}
        missing = {text for each in said for text in templates(each) if text not in known}
        assert missing == set(), language
