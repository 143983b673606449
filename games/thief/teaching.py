"""What Card Thief explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import Text, say
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
        say("Here you are. Tap or drag from card to card, diagonals too, two cards or more. Then take the path."),
        "path",
    ),
    tip("tally", "path", say("Before you take a path, this shows what it would cost and bring, and why.")),
    tip(
        "stealth",
        "counter:stealth",
        say("Stealth pays for enemies and torches. Without any, light and a gaze together catch you."),
    ),
    tip(
        "gaze",
        "space:looks-*",
        say("Enemies look where the arrows point. From straight behind in the dark they cost nothing."),
    ),
    tip(
        "light", "space:lit", say("In the light all is dearer, and sneaks give nothing. A torch on your path goes out.")
    ),
    tip(
        "multiplier",
        "piece:treasure",
        say("Each card away from your start makes those after it count more: treasures late, guards early."),
        "path",
    ),
)

ABOUT = {
    "counter:stealth": say("What enemies, torches and traps cost you. A sneak or a hide in the dark gives some back."),
    "counter:gems": say("They count only if you leave with the Strongbox."),
    "counter:box": say("What the Strongbox is worth outside: five gems for each stealth it cost."),
    "counter:slips": say("Turns in a row in which you slipped past an enemy: two at most."),
    "counter:turn": say("Turns so far. A Strongbox on the board costs 1 more after each, and is worth 5 more."),
    "badge:piece:torch": say("Stealth it costs to put this out, before the multiplier of your path."),
    "badge:piece:trap": say("Stealth it costs to step on this, before the multiplier of your path."),
    "badge:piece:sneak": say("Stealth it gives in the dark, times the multiplier of your path."),
    "badge:piece:treasure": say("Gems, times the multiplier of your path."),
    "badge:piece:strongbox": say("Stealth the Strongbox costs now. It is worth five gems outside for each."),
    "badge:piece:*": say("Stealth this enemy costs from its side, before the multiplier. From its front it is 1 more."),
    "space:lit": say("In the light: enemies here cost 1 more, sneaks give nothing, doors stay shut."),
    "space:watched": say("Somebody looks at this cell."),
    "space:alert-*": say("On the alert: this enemy costs this much more."),
    "space:looks-*": say("This enemy looks this way. From straight behind, in the dark, it is free."),
    "size:deck": say("Cards still to come. The Hatch turns up when they are out."),
    "size:taken": say("Cards that you have taken."),
}


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why the touched thing is not part of a legal move; None if there is nothing to say about it."""
    if seen.seat != 0 or seen.ending:
        return None
    if touched.startswith("piece:card:") or touched.startswith("zone:cell"):
        return say("A path goes on to a card that touches the last one, diagonals too, and to none twice.")
    if touched == "piece:thief":
        return say("Here you stand. A path begins at a card beside you.")
    return None
