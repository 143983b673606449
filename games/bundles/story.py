"""The birthday: a story for one person at a table of three, with characters of this site.

See ``games/core/story.py``. The cards are always honest here.
"""

from __future__ import annotations

from games.bundles.rules import BundlesState, catch
from games.core.story import HERO, NARRATOR, DialogueLine, Story, Voice
from games.core.view import say, seat_arg

FIENTJE, WILLEM = 1, 2  # seats


def helps(state: BundlesState, move: str) -> bool:
    """Return whether a move leaves Fientje the bundle that the person could steal, and gains the person fewer cards.

    Taking more cards elsewhere proves nothing.
    """
    catches = {f"play {face}": catch(face, HERO, state.pool, state.bundles) for face in state.hands[HERO]}
    stolen = [one.growth for one in catches.values() if one.victim == FIENTJE]
    return bool(stolen) and catches[move].growth < max(stolen)


STORY = Story(
    title=say("The birthday"),
    summary=say("Fientje is six today. She has to win, and must never know that you saw to it."),
    narrator="Moeder Roos",
    names=("", "Fientje", "Opa Willem"),
    faces=("", "fientje", "willem"),
    favourite=FIENTJE,
    friend=WILLEM,
    helps=helps,
    enough=1,
    choices={
        "ask": say("Ask {friend} to help her", friend=seat_arg(WILLEM)),
        "tell": say("Tell her"),
        "keep": say("Say nothing"),
    },
    acts={
        "begin": (
            DialogueLine(NARRATOR, say("There you are. Shoes off, there is cake later. Now listen, quickly.")),
            DialogueLine(
                NARRATOR,
                say(
                    "{favourite} is six today. She has lost to her brother all week, and he says that six is too small "
                    "for cards.",
                    favourite=seat_arg(FIENTJE),
                ),
            ),
            DialogueLine(
                NARRATOR,
                say(
                    "Whoever wins two games first lights the candles. Play with her and {friend}, and let it be her. "
                    "Do not ask him yet: he lets nobody win.",
                    friend=seat_arg(WILLEM),
                ),
            ),
            DialogueLine(NARRATOR, say("But she must believe it. She counts on her fingers, and she counts well.")),
        ),
        "lost": (DialogueLine(FIENTJE, say("That one was only for practice. Again!")),),
        "won": (DialogueLine(FIENTJE, say("I won! One more, and I get to light all six!")),),
        "hint": (DialogueLine(NARRATOR, say("A bundle that you could steal, and do not, stays hers.")),),
        "noticed": (
            DialogueLine(
                WILLEM,
                say("You had the card for her bundle. I looked into your hand: at my age one may. What is this about?"),
            ),
        ),
        "agreed": (
            DialogueLine(WILLEM, say("Losing on purpose, at my age. Well. For six candles I can do it.")),
            DialogueLine(NARRATOR, say("Hush, she is coming back with the lemonade. Deal.")),
        ),
        "refused": (
            DialogueLine(WILLEM, say("Children must learn to lose. I have not seen you let her win, either.")),
        ),
        "alone": (
            DialogueLine(FIENTJE, say("I won! I won! Opa, did you see?")),
            DialogueLine(NARRATOR, say("Opa played to win, and she won all the same. Will you tell her?")),
        ),
        "friend": (
            DialogueLine(FIENTJE, say("I beat you both! Six is not too small!")),
            DialogueLine(WILLEM, say("Too big for me, if anything.")),
            DialogueLine(NARRATOR, say("Two grown hamsters, beaten by a child. Will you tell her?")),
        ),
        "over": (
            DialogueLine(FIENTJE, say("I do not even want any cake.")),
            DialogueLine(NARRATOR, say("She had three pieces. Come again tomorrow: she wants to practise.")),
        ),
        "told": (
            DialogueLine(FIENTJE, say("I know. You are not good at it. Next time I will let you win.")),
            DialogueLine(NARRATOR, say("Six years old. I did warn you.")),
        ),
        "kept": (
            DialogueLine(FIENTJE, say("You may light one, too. The smallest.")),
            DialogueLine(NARRATOR, say("That is the best thing she has to give. Thank you, dear.")),
        ),
    },
    voices=(
        # The person steals.
        Voice(FIENTJE, "move", HERO, {"victim": FIENTJE}, say("Hey! That was mine!")),
        Voice(WILLEM, "move", HERO, {"victim": FIENTJE}, say("Quite right. That is how one learns.")),
        Voice(FIENTJE, "move", HERO, {"victim": FIENTJE}, say("Mama! Our guest takes all my cards!")),
        Voice(WILLEM, "move", HERO, {"victim": WILLEM}, say("From an old hamster! Well, well.")),
        Voice(FIENTJE, "move", HERO, {"victim": WILLEM}, say("You got Opa!")),
        # They steal from the person.
        Voice(FIENTJE, "move", FIENTJE, {"victim": HERO}, say("I have been waiting for that one!")),
        Voice(WILLEM, "move", FIENTJE, {"victim": HERO}, say("You left it open, my friend.")),
        Voice(WILLEM, "move", WILLEM, {"victim": HERO}, say("That will teach you, too.")),
        # They steal from each other.
        Voice(FIENTJE, "move", FIENTJE, {"victim": WILLEM}, say("Mine now, Opa!")),
        Voice(WILLEM, "move", FIENTJE, {"victim": WILLEM}, say("She has my eyes. And now my cards.")),
        Voice(WILLEM, "move", WILLEM, {"victim": FIENTJE}, say("Cards are cards, little one.")),
        Voice(FIENTJE, "move", WILLEM, {"victim": FIENTJE}, say("Opa! It is my birthday!")),
    ),
)
