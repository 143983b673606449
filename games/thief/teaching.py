"""What Card Thief explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import Sentence, say
from games.thief.rules import Observation

TIPS = (
    tip(
        "goal",
        "counter:gems",
        say("Take gems, find the Strongbox, leave by the Hatch. Only with the Strongbox do gems count."),
    ),
    tip(
        "path",
        "piece:thief",
        say("You are here. Tap or drag from card to card, two or more; diagonals count. Then take the path."),
        "path",
    ),
    tip("tally", "path", say("Before you take a path, this shows what it would cost and earn, and why.")),
    tip(
        "stealth",
        "counter:stealth",
        say("Stealth pays for enemies and torches. Without any, you are caught in the light if an enemy looks at you."),
    ),
    tip(
        "gaze",
        "space:looks-*",
        say("Arrows show where enemies look. Taken from straight behind in the dark, they cost nothing."),
    ),
    tip(
        "light",
        "space:lit",
        say("In the light, enemies cost more and sneaks give nothing. A torch on your path goes out."),
    ),
    tip(
        "multiplier",
        "piece:treasure",
        say("Each card that does not touch your start raises the multiplier: take guards early, treasures late."),
        "path",
    ),
)

ABOUT = {
    "counter:stealth": say(
        "You spend stealth on enemies, torches and traps. A sneak or a hide in the dark gives some back."
    ),
    "counter:gems": say("Gems count only if you leave with the Strongbox."),
    "counter:box": say("What the Strongbox is worth outside: five gems for each point of stealth it cost."),
    "counter:slips": say("Turns in a row in which you slipped past an enemy: two at most."),
    "counter:turn": say("Turns so far. A Strongbox on the board costs 1 more after each, and is worth 5 more."),
    "badge:piece:torch": say("Stealth that it costs to put this out, before the multiplier of your path."),
    "badge:piece:trap": say("Stealth that it costs to step on this, before the multiplier of your path."),
    "badge:piece:sneak": say("Stealth that it gives in the dark, times the multiplier of your path."),
    "badge:piece:treasure": say("Gems, times the multiplier of your path."),
    "badge:piece:strongbox": say(
        "Stealth that the Strongbox costs now. Outside, it is worth five gems for each point."
    ),
    "badge:piece:*": say(
        "Stealth that this enemy costs from the side, before the multiplier. From the front it costs 1 more."
    ),
    "space:lit": say("In the light: enemies here cost 1 more, sneaks give nothing, doors stay shut."),
    "space:watched": say("An enemy looks at this cell."),
    "space:alert-*": say("Alert: this enemy costs this much more."),
    "space:looks-*": say("This enemy looks this way. From straight behind, in the dark, it is free."),
    "size:deck": say("Cards left in the deck. When it is empty, the Hatch turns up."),
    "size:taken": say("Cards that you have taken."),
}


def why_not(seen: Observation, touched: str) -> Sentence | None:
    """Return why the touched thing is not part of a legal move; None if there is nothing to say about it."""
    if seen.seat != 0 or seen.ending:
        return None
    if touched.startswith(("piece:card:", "zone:cell")):
        return say("The next card of a path must touch the last one (diagonals count). No card can come twice.")
    if touched == "piece:thief":
        return say("You are here. A path begins with a card that touches you.")
    return None
