"""The measures in plain English, for readers of a report: a title, and a sentence on what a higher value means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from games.lab.report_types import Faculty


class Explained(NamedTuple):
    """The title and description of a measure."""

    title: str
    line: str
    rate: bool = True  # from 0 to 1, or slightly outside


MEASURES = {
    "drama": Explained("Drama", "How far the winner was behind, while behind. A higher value means more to catch up."),
    "security": Explained(
        "Security", "How much of the match the winner was not behind; near 1 means leading all the way."
    ),
    "spread": Explained(
        "Spread", "How much a choice matters: the best option minus the worst one; 0 where there is no choice."
    ),
    "spread_corrected": Explained(
        "Spread, corrected",
        "How far apart two options are, without what the noise of roll-outs adds (root mean square); 0 where there is "
        "no choice.",
    ),
    "fairness": Explained(
        "Fairness", "Whether the first seat wins as often as the others in random play: 1 if it does."
    ),
    "fairness_skilled": Explained(
        "Fairness by skill",
        "Whether the first seat wins as often as the others among players who think: 1 if it does.",
    ),
    "convergence": Explained(
        "Convergence", "Whether options become fewer as the match goes on (above 0.5) or more (below)."
    ),
    "order": Explained(
        "Order", "How much thinking pays off against players who do not think: 0 not at all, 1 a certain win."
    ),
    "decisiveness": Explained("Decisiveness", "How late the win became certain; near 1 means only at the end."),
    "coolness": Explained("Coolness", "How rarely a player's prospects get worse between two of their own decisions."),
    "clarity": Explained("Clarity", "How often no option stands out from the others as clearly the best."),
    "stability": Explained("Stability", "How rarely players change places, as seen by the deciding player."),
    "lead_change": Explained("Lead changes", "How often the expected winner changes from one decision to the next."),
    "length": Explained("Length", "Decisions in a match, of all players together.", rate=False),
    "branching": Explained("Branching", "Options per decision, on average.", rate=False),
}

# Of games for one player: by name of a figure.
ALONE = {
    "wins": Explained("Win rate", "How many matches are won."),
    "score": Explained("Score", "The mean score of a match.", rate=False),
    "tension": Explained(
        "Tension", "How much of the doubt about the score is left half-way: 1 all of it, 0 nothing.", rate=False
    ),
}

# Goals of a search for numbers (``games.lab.goals``) that are no measures of reports, or measured otherwise.
GOALS = {
    "fair": Explained(
        "Seat advantage", "How far a seat's rate of wins is from the fair share, for the seat that is farthest from it."
    ),
    "length": Explained(
        "Decisions", "Decisions in a match among players who think, of all players together.", rate=False
    ),
    "minutes": Explained("Minutes", "Those decisions times the seconds that people take for one.", rate=False),
}

# Faculties, by their name and then by what they are about.
FACULTIES = {
    "hand": "Seeing one's hand",
    "others": "An eye on the others",
    "ahead": "Thinking ahead",
    "without line": "Taking line {line} at all",
    "without move": "Taking “{move}” at all",
    "always line": "Choosing between line {line} and others",
    "always move": "Choosing between “{move}” and others",
}


def goal_title(name: str, t: Callable[[str], str] = str) -> str:
    """Return the title of a goal; ``t`` translates it."""
    return t(GOALS[name].title if name in GOALS else MEASURES[name].title)


def goal_line(name: str, t: Callable[[str], str] = str) -> str:
    """Return the explanation of a goal; ``t`` translates it."""
    return t(GOALS[name].line if name in GOALS else MEASURES[name].line)


def faculty_title(faculty: Faculty, t: Callable[[str], str] = str) -> str:
    """Return what a faculty is; ``t`` translates a template."""
    name = faculty["name"]
    if name in FACULTIES:
        return t(FACULTIES[name])
    if "line" in faculty:
        return t(FACULTIES[f"{name} line"]).format(line=faculty["line"])
    return t(FACULTIES[f"{name} move"]).format(move=faculty.get("kind") or "pass")
