"""The measures in plain English, for readers of a report: a title, and a sentence on what a higher value means."""

from __future__ import annotations

from typing import NamedTuple


class Explained(NamedTuple):
    """The title and description of a measure."""

    title: str
    line: str
    rate: bool = True  # from 0 to 1, or slightly outside


MEASURES = {
    "drama": Explained("Drama", "How far behind the winner had been when it was behind: more is more to catch up."),
    "security": Explained("Security", "How much of the match the winner was not behind: near 1, it led all the way."),
    "spread": Explained(
        "Spread", "How much a choice matters: the best option less the worst one, 0 where nothing is to be chosen."
    ),
    "fairness": Explained("Fairness", "Whether the first seat wins as often as any other by chance: 1 if it does."),
    "convergence": Explained(
        "Convergence", "Whether options become fewer as the match goes on (above .5) or more (below)."
    ),
    "order": Explained("Order", "How much thinking pays against players who do not think: 0 nothing, 1 a sure win."),
    "decisiveness": Explained("Decisiveness", "How late the winner could be sure of it: near 1, only at the end."),
    "coolness": Explained("Coolness", "How seldom a player's prospects worsen from one own decision to the next."),
    "clarity": Explained("Clarity", "How often no option stands out from the others as clearly the best."),
    "stability": Explained("Stability", "How seldom players change places, as the one who decides sees them."),
    "lead_change": Explained("Lead changes", "How often somebody else is expected to win, from decision to decision."),
    "length": Explained("Length", "Decisions that a match takes, of all players together.", rate=False),
    "branching": Explained("Branching", "Options that a decision has, on average.", rate=False),
}
