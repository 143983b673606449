"""The favour: a story for one person at a table of three, with characters of this site.

The idea comes from the original game: a player who has to win without knowing that she is helped, a third one who may
agree to help, and, from the third game on, a deck that favours her. Source: "Hamsterdam Exchange", SeaLeft Studios, 27
September 2019. The characters and their words are ours.
"""

from __future__ import annotations

from games.core.story import HERO, TELLER, DialogueLine, Story, Voice
from games.core.view import say, seat_arg
from games.hamsterdam.rigged import SUBTLE

PRUIM, KROL = 1, 2  # seats

STORY = Story(
    title=say("Do somebody a favour"),
    summary=say("Mevrouw Pruim has to win tonight, and must never know that you saw to it."),
    teller="Oom Joost",
    names=("", "Mevrouw Pruim", "Kapitein Krol"),
    faces=("", "pruim", "krol"),
    favourite=PRUIM,
    friend=KROL,
    way=SUBTLE,
    acts={
        "begin": (
            DialogueLine(TELLER, say("Psst. You there, with the honest whiskers. Do not look round.")),
            DialogueLine(
                TELLER,
                say(
                    "{favourite} by the window has not won a game since Saint Nicholas. If she loses tonight as well, "
                    "she sells her barge and moves in with her sister.",
                    favourite=seat_arg(PRUIM),
                ),
            ),
            DialogueLine(
                TELLER,
                say(
                    "So tonight she wins. Sit down with her and {friend}, who knows of nothing, and see to it that she "
                    "is the last with a certificate. It does not matter what becomes of yours.",
                    friend=seat_arg(KROL),
                ),
            ),
            DialogueLine(TELLER, say("And not a word. She can smell pity from three canals away.")),
        ),
        "lost": (
            DialogueLine(PRUIM, say("Well played, both of you. Once more? I can feel it in my whiskers.")),
            DialogueLine(
                TELLER, say("That was not it. Your spades may lie on her stock, too, and your hearts on the others'.")
            ),
        ),
        "open": (
            DialogueLine(PRUIM, say("Perhaps my sister's sofa is not so bad.")),
            DialogueLine(
                TELLER,
                say(
                    "Two lost. {friend} has a soft heart under that coat: talk to him while she sees to her tea. And "
                    "leave the shuffling to me from now on.",
                    friend=seat_arg(KROL),
                ),
            ),
        ),
        "agreed": (
            DialogueLine(KROL, say("For her? Why did you not say so? I shall lose like a gentleman.")),
            DialogueLine(TELLER, say("Hush, she is coming back. Deal.")),
        ),
        "still": (
            DialogueLine(PRUIM, say("One last game, and then I call the broker.")),
            DialogueLine(TELLER, say("I shuffled as kindly as I know how. Cards have no manners. Again!")),
        ),
        "alone": (
            DialogueLine(PRUIM, say("Ha! And nobody let me win, either.")),
            DialogueLine(TELLER, say("Not a card was touched tonight. That was you alone, and she will never know.")),
        ),
        "friend": (
            DialogueLine(PRUIM, say("Both of you, beaten fair and square! The barge stays.")),
            DialogueLine(KROL, say("I have never lost so well in my life.")),
            DialogueLine(TELLER, say("Two good hearts, and a shuffle that I shall have to answer for.")),
        ),
        "deck": (
            DialogueLine(PRUIM, say("Did you see those cards? The luck is back. The barge stays.")),
            DialogueLine(TELLER, say("Luck, yes. I may have shuffled until it came. Thank you all the same.")),
        ),
    },
    voices=(
        # The person helps her, or does not.
        Voice(PRUIM, "move", HERO, {"target": PRUIM, "card": "S"}, say("On my stock? How kind of you.")),
        Voice(KROL, "move", HERO, {"target": PRUIM, "card": "S"}, say("You give spades away. What are you up to?")),
        Voice(PRUIM, "move", HERO, {"target": PRUIM, "card": "S"}, say("Another one? Are you feeling quite well?")),
        Voice(PRUIM, "move", HERO, {"target": PRUIM, "card": "H"}, say("And I took you for a nice young hamster.")),
        Voice(KROL, "move", HERO, {"target": KROL, "card": "H"}, say("A heart on me! What have I done to you?")),
        Voice(KROL, "move", HERO, {"target": KROL, "card": "H"}, say("Me again. I shall remember that.")),
        # They fight with each other.
        Voice(KROL, "move", KROL, {"target": PRUIM, "card": "H"}, say("Nothing personal, Mevrouw.")),
        Voice(PRUIM, "move", KROL, {"target": PRUIM, "card": "H"}, say("And after all my biscuits, Captain!")),
        Voice(PRUIM, "move", PRUIM, {"target": KROL, "card": "H"}, say("Do not pout, Captain.")),
        Voice(PRUIM, "move", PRUIM, {"target": HERO, "card": "H"}, say("Forgive me, dear. I need this round.")),
        # A certificate is lost.
        Voice(PRUIM, "loss", PRUIM, {}, say("There goes my tea money.")),
        Voice(PRUIM, "loss", PRUIM, {}, say("It is always me.")),
        Voice(KROL, "loss", KROL, {}, say("I have lost bigger ships than that.")),
        Voice(KROL, "loss", KROL, {}, say("Hm. I was counting on that one.")),
        Voice(PRUIM, "loss", HERO, {}, say("Oh, you poor thing. Have a biscuit.")),
        Voice(KROL, "loss", HERO, {}, say("You do not seem to mind losing, my friend.")),
    ),
)
