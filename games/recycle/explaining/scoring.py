"""How a game ends: who has won."""

from __future__ import annotations

from games.recycle.explaining.course import Course
from games.recycle.tree import Name, Place, Relative, Size, Stored, TeamOf


def scoring(course: Course) -> list[str]:
    """Return the sentences that say who wins."""
    game = course.game
    scoring = game.scoring
    high = scoring.op == "max"
    value = scoring.value
    alone = course.game_of_one()
    share = "Players who have equally much share the win."
    if alone:
        return [f"The game is over when all of this is done. Your score is {course.number(value)}; {_better(high)}."]
    match value:
        case Stored(ref=ref) if isinstance(ref.name, Name) and isinstance(ref.who, Relative | TeamOf):
            most = "highest" if high else "lowest"
            label = f"*{course.store_label(ref.name)}*"
            if isinstance(ref.who, TeamOf):
                who = f"The team with the {most} {label} wins"
                return [f"When all of this is over, the game ends. {who}; its players share the score."]
            told = f"Whoever has the {most} {label} wins."
        case Size(of=Place() as place):
            told = f"Whoever has the {'most' if high else 'fewest'} cards in {course.place(place).whole} wins."
            told = told.replace(" your ", " their ")
        case _:
            told = f"Your score is {course.number(value)}. The {'highest' if high else 'lowest'} score wins."
    return [f"When all of this is over, the game ends. {told} {share}"]


def _better(high: bool) -> str:
    return "the higher, the better" if high else "the lower, the better"
