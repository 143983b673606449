"""The end of a turn, up to the deal: refuge, the Strongbox, enemies that step closer, and how the cards fall."""

from __future__ import annotations

from typing import NamedTuple

from games.thief.board import AHEAD, CELLS, Board, fall
from games.thief.cards import BOX_MOST, HIDE_RESTORES, STRONGBOX, Card
from games.thief.vision import gaze, light


class TurnEnd(NamedTuple):
    """What a turn leaves behind."""

    board: Board
    stealth: int


def rested(stealth: int, *, refuge: bool, cleared: bool) -> int:
    """Return the stealth of a thief who rests: in a refuge, or where no card is left, at least what a hide restores."""
    return max(stealth, HIDE_RESTORES) if refuge or cleared else stealth


def settle(board: Board, thief: int, stealth: int, *, refuge: bool) -> TurnEnd:
    """Return what is left when the thief rests on cell ``thief``, before new cards are dealt."""
    cards = list(board)
    for cell in CELLS:
        card = cards[cell]
        if card is not None and card.kind == STRONGBOX:
            cards[cell] = card._replace(value=min(BOX_MOST, card.value + 1))
    fall(cards, floors={thief, *_step_closer(cards, thief)})
    return TurnEnd(tuple(cards), rested(stealth, refuge=refuge, cleared=not any(cards)))


def _step_closer(cards: list[Card | None], thief: int) -> list[int]:
    """Let drawn enemies step into the empty cells they face, in cell order. Return where they stand now."""
    stepped: list[int] = []
    for cell, enemy in list(enumerate(cards)):
        if enemy is None or not enemy.drawn:
            continue
        cards[cell] = enemy = enemy._replace(drawn=False)
        ahead = AHEAD[cell][enemy.facing]
        if cards[ahead] is None and ahead != thief:
            cards[ahead], cards[cell] = enemy, None
            stepped.append(ahead)
    return stepped


def caught(board: Board, thief: int, stealth: int) -> bool:
    """Return whether the thief is seen: out of stealth, in the light, and in a gaze.

    A thief who hides has stealth again, so hiding needs no rule of its own here.
    """
    return stealth <= 0 and bool((light(board) & gaze(board)) >> thief & 1)
