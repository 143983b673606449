"""The favour: a story for one person at a table of three, with characters of this site.

The idea comes from the original game: a player who has to win without knowing that she is helped, a third one who may
agree to help, and a deck that favours her from the third game on. Source: "Hamsterdam Exchange", SeaLeft Studios, 27
September 2019. The characters and their words are ours.
"""

from __future__ import annotations

from games.core.cards import pips
from games.core.story import HERO, NARRATOR, DialogueLine, Story, Voice
from games.core.view import say, seat_arg
from games.hamsterdam.rigged import SUBTLE
from games.hamsterdam.rules import HamsterdamState, left_of

PRUIM, KROL = 1, 2  # seats
GOOD_STOCK = 7  # pips: most stocks are worse


def helps(state: HamsterdamState, move: str) -> bool:
    """Return whether a move puts a spade on her stock, or trades her a good stock.

    No player has a reason of their own for that. A heart on the captain proves nothing, nor does one on the person's
    own stock: in a round that is decided already, careless players put them anywhere.
    """
    if move == "trade":
        good = pips(state.stock[HERO]) >= GOOD_STOCK
        return good and state.dealer != HERO and left_of(HERO, state.certificates) == PRUIM
    return move.endswith(f"S on {PRUIM}")


STORY = Story(
    title=say("Do somebody a favour"),
    summary=say("Mevrouw Pruim has to win tonight, and must never know that you saw to it."),
    narrator="Oom Joost",
    names=("", "Mevrouw Pruim", "Kapitein Krol"),
    faces=("", "pruim", "krol"),
    favourite=PRUIM,
    friend=KROL,
    way=SUBTLE,
    helps=helps,
    enough=1,
    choices={
        "ask": say("Ask {friend} to help her", friend=seat_arg(KROL)),
        "deck": say("Let Oom Joost shuffle"),
        "tell": say("Tell her"),
        "keep": say("Say nothing"),
    },
    acts={
        "begin": (
            DialogueLine(NARRATOR, say("Psst. You there, with the honest whiskers. Do not look round.")),
            DialogueLine(
                NARRATOR,
                say(
                    "{favourite} by the window has not won an evening since Saint Nicholas. If she loses tonight as "
                    "well, she sells her barge and moves in with her sister.",
                    favourite=seat_arg(PRUIM),
                ),
            ),
            DialogueLine(
                NARRATOR,
                say(
                    "The evening goes to whoever wins two games first. Sit down with her and {friend}, who knows of "
                    "nothing, and see to it that she does. It does not matter what becomes of you.",
                    friend=seat_arg(KROL),
                ),
            ),
            DialogueLine(NARRATOR, say("And not a word. She can smell pity from three canals away.")),
        ),
        "lost": (DialogueLine(PRUIM, say("Well played, both of you. Once more? I can feel it in my whiskers.")),),
        "won": (DialogueLine(PRUIM, say("That one was mine! One more, and the barge stays.")),),
        "hint": (
            DialogueLine(
                NARRATOR,
                say("Trade her a good stock, and put your spades on it. The captain has eyes: he will wonder."),
            ),
        ),
        "noticed": (
            DialogueLine(KROL, say("I have eyes, my friend. You do not play for yourself. What is this about?")),
        ),
        "agreed": (
            DialogueLine(KROL, say("For her? Why did you not say so? I shall lose like a gentleman.")),
            DialogueLine(NARRATOR, say("Hush, she is coming back. Deal.")),
        ),
        "refused": (DialogueLine(KROL, say("Lose on purpose? You first. Show me at the table that you mean it.")),),
        "offer": (DialogueLine(NARRATOR, say("Cards have no manners. I could shuffle until they do.")),),
        "accepted": (DialogueLine(NARRATOR, say("Look at the ceiling for a moment. There. What a pretty shuffle.")),),
        "alone": (
            DialogueLine(PRUIM, say("Ha! And nobody let me win, either.")),
            DialogueLine(NARRATOR, say("Not a card was touched, and nobody else helped. Will you tell her?")),
        ),
        "friend": (
            DialogueLine(PRUIM, say("Both of you, beaten fair and square! The barge stays.")),
            DialogueLine(KROL, say("I have never lost so well in my life.")),
            DialogueLine(NARRATOR, say("Two good hearts, and honest cards. Will you tell her?")),
        ),
        "deck": (
            DialogueLine(PRUIM, say("Did you see those cards? The luck is back. The barge stays.")),
            DialogueLine(NARRATOR, say("Luck, yes. I may have shuffled until it came. Will you tell her?")),
        ),
        "over": (
            DialogueLine(PRUIM, say("Then I call the broker. My sister has a very hard sofa.")),
            DialogueLine(NARRATOR, say("It was worth a try. Come back: she has called him every week this year.")),
        ),
        "told": (
            DialogueLine(PRUIM, say("I know, dear. Nobody has ever been so silly for my sake. Have a biscuit.")),
            DialogueLine(NARRATOR, say("Three canals away. I did warn you.")),
        ),
        "kept": (
            DialogueLine(PRUIM, say("Good night, dear. Next week I teach you how to win.")),
            DialogueLine(NARRATOR, say("Not a word. You are an honest hamster, in your way.")),
        ),
    },
    voices=(
        # The person helps her, or does not.
        Voice(PRUIM, "move", HERO, {"target": PRUIM, "card": "S"}, say("On my stock? How kind of you.")),
        Voice(KROL, "move", HERO, {"target": PRUIM, "card": "S"}, say("You give spades away. What are you up to?")),
        Voice(PRUIM, "move", HERO, {"target": PRUIM, "card": "S"}, say("Another one? Are you feeling quite well?")),
        Voice(KROL, "move", HERO, {"target": HERO, "card": "H"}, say("A heart on your own stock? That is new to me.")),
        Voice(PRUIM, "move", HERO, {"target": HERO, "card": "H"}, say("Hearts are for others, dear.")),
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
