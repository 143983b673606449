"""What an author is shown: each kind of mistake at its place, with what to do about it."""

from __future__ import annotations

import pytest

from games.recycle.problems import BadText, Problem
from games.recycle.reader import read
from tests.games.recycle.trees import SCORING, SETUP


def problems(text: str) -> list[Problem]:
    """Return what is wrong with a text."""
    with pytest.raises(BadText) as raised:
        read(text)
    return raised.value.problems


def check(text: str, message: str, hint: str) -> None:
    """Assert that a text has one error, between the marks « and », and that the message and the hint are in it."""
    start, end = text.index("«"), text.index("»") - 1
    found = problems(text.replace("«", "").replace("»", ""))
    assert [(problem.at.start, problem.at.end) for problem in found] == [(start, end)], found
    assert message in found[0].text
    assert hint in found[0].hint


QUOTE = "Did you mean the variable '{}? Its apostrophe is missing."

# In a step of a do: the step with the place marked, words of the error, words of the hint.
STEPS = [
    # variables and names
    ("(move «'C» (top (game vloc X)))", "There is no variable 'C here", "leave the apostrophe out"),
    ("(all player 'PLAYER (set («'PLAYR» sto X) 1))", "There is no variable 'PLAYR", "Did you mean 'PLAYER?"),
    (
        "(do ((all player 'P (set ('P sto X) 1)) (set («'P» sto X) 1)))",
        "There is no variable 'P",
        "'P is bound in line 1, and known only inside",
    ),
    ("(all player «P» (turn pass))", "Expected a new variable here, but found P", "apostrophe before it: 'P"),
    ("(let 3 «4» (turn pass))", "Expected a new variable here", "an apostrophe and capital letters"),
    ("(set (game str X) «Hand»)", "Hand is no name", "capital letters"),
    ("(set (game str X) «HAND_ONE»)", "HAND_ONE is no name", "capital letters"),
    ("(set (game str X) «HAND2»)", "HAND2 is no name", "capital letters"),
    ("(set (game str X) «\u2019FOO»)", "does not begin with a plain apostrophe", "Write a variable as 'FOO"),
    ("(all («FOUR FIVE») 'N (turn pass))", "no comma between FOUR and FIVE", "Missing comma between names: FOUR, FIVE"),
    ("(all (FOUR«,») 'N (turn pass))", "Expected another name after this comma", ""),
    ("(all (FOUR «:» FIVE) 'N (turn pass))", "Expected a comma between names", "A colon is allowed only in an award"),
    # a variable without its apostrophe
    (
        "(all (game vloc X) 'C (move «C» (top (game vloc Y))))",
        "Expected a card here, but C is a name",
        QUOTE.format("C"),
    ),
    (
        "(all (game vloc X) 'CARD (move «CRAD» (top (game vloc Y))))",
        "Expected a card",
        "Did you mean the variable 'CARD?",
    ),
    ("(all player 'P (set («P» sto X) 1))", "Expected game or a player here, but P is a name", QUOTE.format("P")),
    ("(all player 'P (cycle next «P»))", "Expected a player here, but P is a name", QUOTE.format("P")),
    ("(let 3 'N (set (game sto X) (+ «N» 1)))", "Expected a number here, but N is a name", QUOTE.format("N")),
    ("(let 3 'N (all (range 1 .. «N») 'I (turn pass)))", "Expected a number here", QUOTE.format("N")),
    ("(let 3 'N (cycle next («N» player)))", "Expected a number here, but N is a name", QUOTE.format("N")),
    ("(let 3 'N (move («N» (game vloc X)) (top (game vloc Y))))", "Expected a number here", QUOTE.format("N")),
    ("(let 3 'N ((== «N» 3) (turn pass)))", "Expected a number here, but N is a name", QUOTE.format("N")),
    ("(let (game vloc X) 'PILE (move (top 'PILE) (top «PILE»)))", "Expected a place here", QUOTE.format("PILE")),
    ("(let (game vloc X) 'PILE (all «PILE» 'C (turn pass)))", "Expected something with members", QUOTE.format("PILE")),
    ("(all (game vloc X) 'C ((== (cardatt SUIT «C») H) (turn pass)))", "Expected a card here", QUOTE.format("C")),
    ("(all player «P» (set ('P sto X) 1))", "Expected a new variable here", "apostrophe before it: 'P"),
    (
        "(move (top (game vloc X)) (top «HAND»))",
        "Expected a place here",
        "(game vloc HAND) or ((current player) iloc HAND)",
    ),
    (
        "(shuffle «HAND»)",
        "Expected cards here, but HAND is a name",
        "(game vloc HAND) or ((current player) iloc HAND)",
    ),
    *(
        (f"(let 3 'N ((== «N» {value}) (turn pass)))", f"Expected {wanted} here, but N is a name", QUOTE.format("N"))
        for value, wanted in (
            ("(current team)", "a team"),
            ("(subsets (game vloc X))", "groups of cards"),
            ("team", "teams"),
            ("(A, B)", "names"),
            ("(range 1 .. 2)", "numbers"),
        )
    ),
    # decimals
    ("(set (game sto X) «1.5»)", "1.5 is not a whole number", "There are no decimals"),
    ("(all (range «1.5») 'N (turn pass))", "1.5 is not a whole number", "There are no decimals"),
    # words
    ("(«mvoe» (top (game vloc X)) (top (game vloc Y)))", "mvoe is no word of the language", "Did you mean move?"),
    ("(«if» (== 1 1) (turn pass))", "if is no word of the language", "A test comes before what depends on it"),
    ("(set (game sto X) («sise» (game vloc X)))", "sise is no word of the language", "Did you mean size?"),
    ("(set (game sto X) (size «hnad»))", "hnad is no word of the language", "Write a name in capital letters"),
    ("(set (game sto X) («move» (top (game vloc X)) 'X))", "Expected a value here, but move is an action", ""),
    ("(set (game sto X) («stage» player))", "Expected a value here, but stage is a block", ""),
    ("(turn pass) «turn»", "Expected a step here, but found turn", "Put it in brackets: (turn ...)"),
    # brackets and parts
    ("«((turn pass))»", "one pair of brackets too many", "Write (turn pass)"),
    ("«((turn pass) (turn pass))»", "found several steps", "(do (STEP STEP ...))"),
    ("((== 1 1) (turn pass) «(turn pass)»)", "found a second", "(TEST (do (STEP STEP ...)))"),
    ("«((== 1 1))»", "found none", "(TEST ACTION)"),
    ("((== 1 1) «((turn pass) (turn pass))»)", "not brackets around something else", "(do (STEP STEP ...))"),
    ("«(== 1 1)»", "does nothing", "(TEST ACTION)"),
    ("«('P vloc X)»", "does nothing", ""),
    ("(do «(turn pass)»)", "The steps of do are not in brackets of their own", "(do (STEP STEP ...))"),
    ("(do «((== 1 1) (turn pass))»)", "found one step with its test", "(do ((TEST ACTION)))"),
    ("(do ((turn pass)) «((turn pass))»)", "more follows here", "one more pair of brackets"),
    ("«(do)»", "do takes steps, but there are none", "(do (STEP STEP ...))"),
    ("(do «()»)", "do takes steps, but there are none", "(do (STEP STEP ...))"),
    ("(all player 'P (turn pass) «(turn pass)»)", "all takes one step, but here is a second", "(do (STEP STEP ...))"),
    ("(let 1 'N (turn pass) «(turn pass)»)", "let takes one step, but here is a second", "(do (STEP STEP ...))"),
    ("(move (top (game vloc X))«)»", "move takes 2 parts, but 1 was found", "(move CARD (top PLACE))"),
    (
        "(move (top (game vloc X)) (top (game vloc Y)) «(top (game vloc Z))»)",
        "move takes 2 parts, but 3 were found",
        "(move",
    ),
    ("(shuffle«)»", "shuffle takes 1 or 3 parts, but none was found", "(shuffle CARDS)"),
    ("(set (game sto X) - «1»)", "set takes 2 parts", "Write a number below zero as (- 0 1)"),
    ("(set (game sto X) «()»)", "nothing between these brackets", ""),
    # where what may stand
    (
        "(«stage» player (end (== 1 1)) (do ((turn pass))))",
        "A stage is not allowed here",
        "directly in the game or in another",
    ),
    ("(«choice» ((turn pass)))", "A choice is not allowed here", "directly in the game or in a stage"),
    # types
    (
        "(move «(game vloc X)» (top (game vloc Y)))",
        "Expected a card here, but (game vloc X) are cards",
        "(top (game vloc X))",
    ),
    ("(set (game sto X) «FOUR»)", "Expected a number here, but FOUR is a name", "Store names with str"),
    ("(set (game str X) «4»)", "Expected a name here, but 4 is a number", ""),
    ("(set (game str X) «(A)»)", "Expected a name here, but (A) are names", "Write A without brackets"),
    ("(set (game sto X) «(game vloc X)»)", "Expected a number here", "(size (game vloc X))"),
    ("(set (game str X) «(top (game vloc X))»)", "Expected a name here", "(cardatt RANK (top (game vloc X)))"),
    ("(«(size player)» (turn pass))", "Expected a test here, but (size player) is a number", "(== (size player) 1)"),
    ("(«(game vloc X)» (turn pass))", "Expected a test here", "(> (size (game vloc X)) 0)"),
    ("(cycle next «(top (game vloc X))»)", "Expected a player here", "(owner (top (game vloc X)))"),
    ("(shuffle «(top (game vloc X))»)", "Expected cards here", "Write (game vloc X) for all cards there"),
    (
        "(shuffle «(subsets (game vloc X))»)",
        "Expected cards here",
        "(top (subsets (game vloc X))) for the first group",
    ),
    (
        "(all «(top (game vloc X))» 'C (turn pass))",
        "Expected something with members",
        "Write (game vloc X) for all cards there",
    ),
    ("(all «5» 'C (turn pass))", "Expected something with members", "(range 1 .. 5)"),
    ("(all «A» 'C (turn pass))", "Expected something with members", "Write a list of one name as (A)"),
    ("(set («(top (game vloc X))» sto X) 1)", "Expected game or a player here", "(owner (top (game vloc X)))"),
    ("(set («player» sto X) 1)", "It is not said which player", "(current player)"),
    ("(set («current» sto X) 1)", "current is not allowed here without brackets", "(current player)"),
    ("(shuffle («(current team)» vloc X))", "Expected game or a player here", "Teams own stores"),
    (
        "(«(== (cardatt SUIT (top (game vloc X))) (top (game vloc X)))» (turn pass))",
        "Only two of one kind",
        "(cardatt SUIT",
    ),
    ("(«(== 1 (game vloc X))» (turn pass))", "Only two of one kind", "(size (game vloc X))"),
    ("(«(== (current player) (current team))» (turn pass))", "is a player, and (current team) is a team", ""),
    ("(«(== (game vloc X) (game vloc Y))» (turn pass))", "These cannot be compared", "single cards"),
    ("(«(== (== 1 1) (== 1 2))» (turn pass))", "These cannot be compared", "(and ...)"),
    ("((all player 'P «(top ('P vloc X))») (turn pass))", "Expected a test or cards here", "Write ('P vloc X)"),
    ("(shuffle (top «player»))", "Expected cards or groups of cards here", ""),
    # places and stores
    ("(shuffle (game vloc «3»))", "Expected a name here, but 3 cannot be one", "capital letters: DISCARD"),
    ("(shuffle (game vloc «new»))", "Expected a name here, but new cannot be one", "capital letters: DISCARD"),
    ("(shuffle (game vloc X «'Y»))", "Expected one name after vloc", ""),
    ("(shuffle (game «X»))", "Expected vloc,", "(game vloc NAME)"),
    ("(set «'X» 3)", "Expected a store here, but found 'X", "A variable keeps its value"),
    ("(set «(game vloc X)» 3)", "Expected a store here", "Cards get into a place by"),
    ("(set (game sto X «3») 3)", "Expected one name after sto, and nothing else.", "(game sto NAME)"),
    ("(«(== (game vloc X) 3)» (turn pass))", "", "Write (size (game vloc X)) for how many they are."),
    ("(inc «(game str X)» 3)", "Expected a store of numbers here", "(inc (game sto NAME) NUMBER)"),
    ("(set (game sto X) (sum (game vloc X) using «(game sto P)»))", "Expected a point map here", "(game points NAME)"),
    ("(set (game sto X) «(game points P)»)", "A point map is no value", "after using"),
    (
        "(set (game sto X) (sum (game vloc X) «by» (game points P)))",
        "Expected using here, but found by",
        "(sum CARDS using",
    ),
    ("(move (top (game vloc X)) «(game vloc Y)»)", "Expected the destination of a card here", "(top (game vloc Y))"),
    (
        "(move (top (game vloc X)) (top «(union (game vloc Y))»))",
        "A card can only be put into a place",
        "Name the place",
    ),
    (
        "(let (union (game vloc Y)) 'U (move (top (game vloc X)) (top «'U»)))",
        "A card can only be put into a place",
        "bound by let to a place",
    ),
    (
        "(move (top (game vloc X)) (top «(game mem Y)»))",
        "Cards cannot lie in a memory",
        "Write remember instead of move",
    ),
    ("(remember (top (game vloc X)) (top «(game vloc Y)»))", "Expected a memory here", "(game mem NAME)"),
    ("(forget «(top (game vloc X))»)", "Only a card of a memory", "(forget (top (game mem NAME)))"),
    ("(let (game mem Y) 'M (move (top (game vloc X)) (top «'M»)))", "Cards cannot lie in a memory", "Write remember"),
    ("(let (game vloc Y) 'V (remember (top (game vloc X)) (top «'V»)))", "Expected a memory here", "(game mem NAME)"),
    ("(let (game vloc Y) 'V (let 'V 'W (forget «(top 'W)»)))", "Only a card of a memory", "(forget (top"),
    # awards
    (
        "(set (game points P) ((«(SUIT (HEARTS))» 4)))",
        "Expected an attribute and its value here",
        "This is the spelling of version 0.5. Now each value has an award of its own: ((SUIT : HEARTS) 4)",
    ),
    ("(set (game points P) (((«SUIT HEARTS») 4)))", "no comma between SUIT and HEARTS", ""),
    ("(set (game points P) «((SUIT : HEARTS) 4)»)", "The awards are not in brackets of their own", "(((RANK : ACE) 4)"),
    ("(set (game points P) «()»)", "Expected awards here, but found none", "(((RANK : ACE) 4)"),
    # steps and values that are none
    ("(repeat all «((turn pass))»)", "Expected a move or a forget after repeat all", "(repeat all (move"),
    ("((== 1 1) «((== 2 2) (turn pass))»)", "not brackets around something else", "((and TEST TEST) ACTION)"),
    ("(do («()»))", "Expected a step between these brackets, but found nothing", ""),
    ("(do «turn»)", "Expected the steps of do here, but found turn", "(do (STEP STEP ...))"),
    ("(«player» (turn pass))", "Expected a step here, but player does not begin one", "(current player)"),
    ("(set (game sto X) («vloc» 3))", "Expected a value here, but vloc does not begin one", "(game vloc NAME)"),
    ("(set (game sto X) (random 1 «:» 6))", "Expected .. here, but found :", "(random NUMBER .. NUMBER)"),
    ("(set (game sto X) «:»)", ": has no place here", ""),
    ("(all (A, «3») 'N (turn pass))", "Expected a name in this list, but found 3", ""),
    ("(all (A «-» B) 'N (turn pass))", "Expected a comma between names, but found -", "Separate names with commas"),
    ("(all player 'P (cycle next «('P)»))", "'P is in brackets here", "A variable has none around it"),
    ("(set (game sto X) «(3)»)", "3 is in brackets here", "A number has none around it"),
    ("(set (game sto X) «((+ 1 2))»)", "one pair of brackets too many here", "Write (+ 1 2)"),
    ("(set (game sto X) «((+ 1 2) 3 4)»)", "((+ 1 2) 3 4) is no value", "A value begins with a word"),
    ("(«(and (== 1 1))» (turn pass))", "and takes at least 2 parts, but 1 was found", "(and TEST TEST ...)"),
    ("(shuffle «(union)»)", "union takes cards, but there are none", "(union CARDS ...)"),
    (
        "(all «(partition SUIT)» 'G (turn pass))",
        "partition takes the name of an attribute",
        "(partition ATTRIBUTE CARDS",
    ),
    (
        "(all (game vloc X) 'C (move (top «'C») (top (game vloc Y))))",
        "Expected cards or groups of cards here, but 'C is a card",
        "Write 'C alone.",
    ),
    (
        "(move «(subsets (game vloc X))» (top (game vloc Y)))",
        "Expected a card here",
        "(top (top (subsets (game vloc X)))) for the top card of the first group",
    ),
    ("(all (game vloc X) 'C (shuffle «'C»))", "Expected cards here, but 'C is a card", "One card is not cards"),
    ("(cycle next «player»)", "Expected a player here, but player are players", "a variable of (all player 'P ...)"),
    ("(set («3» sto X) 3)", "Expected game or a player here, but 3 is a number", "as (3 player)"),
    ("(shuffle «(current vloc X)»)", "Expected player or team after current", "((current player) vloc NAME)"),
    ("(set «X» 3)", "Expected a store here, but found X", "Write a store as (game sto NAME)"),
    ("(shuffle «(game)»)", "after game, but found nothing", "Write a place on the table as (game vloc NAME)"),
    ("(«(== (game sto X) A)» (turn pass))", "Only two of one kind", "Store numbers with sto, names with str"),
    ("(set (game points P) «X»)", "Expected awards here, but found X", "(((RANK : ACE) 4)"),
    ("(set (game points P) («(A)»))", "Expected an award here, but found (A)", "(((RANK : ACE) 4)"),
    (
        "(set (game points P) ((«(RANK 4)» 4)))",
        "Expected an attribute and its value",
        "colon between the two: (RANK : 4)",
    ),
    ("(move (top (game vloc X)) «3»)", "Expected the destination of a card here, but 3 is a number", "(top PLACE)"),
    ("(move (top (game vloc X)) «(HAND 3)»)", "Expected the destination of a card here", "(bottom PLACE) or (2 PLACE)"),
    ("(move (top (game vloc X)) (top «3»))", "Expected a place here, but 3 is a number", "Write (top PLACE)"),
    # words and signs of other languages
    ("(«else» (turn pass))", "else is no word", "Write the opposite test: ((not TEST) ACTION)"),
    ("(«for» player 'P (turn pass))", "for is no word", "For every member of something: (all COLLECTION 'X STEP)"),
    ("(«foreach» player 'P (turn pass))", "foreach is no word", "For every member of something"),
    ("(«while» (== 1 1) (turn pass))", "while is no word", "Again and again until a test holds: (stage player"),
    ("(«loop» 3 (turn pass))", "loop is no word", "So many times: (repeat NUMBER ACTION)"),
    ("(«deal» 3)", "deal is no word", "Deal cards with (move"),
    ("(«draw» 3)", "draw is no word", "Draw cards with (move"),
    ("(set (game sto X) («count» (game vloc X)))", "count is no word", "Write (size COLLECTION) for how many they are"),
    ("(set (game sto X) («/» 4 2))", "/ means nothing in this language", "Write division as //."),
    ("((«!» 1 2) (turn pass))", "! means nothing in this language", "Write inequality as !=."),
    ("((«|» (== 1 1) (== 1 2)) (turn pass))", "| means nothing in this language", "Write (or TEST TEST)."),
    ("((«&» (== 1 1) (== 1 2)) (turn pass))", "& means nothing in this language", "Write (and TEST TEST)."),
    ("(all (range 1 «.» 5) 'N (turn pass))", ". means nothing in this language", "Write a range as 1 .. 5."),
    ("(set (game str X) «'»)", "There is a stray ' here", "A variable is an apostrophe and capital letters"),
    ("(set (game sto X) 1«\u200b»)", "The character 0x200b means nothing in this language", ""),
    (f"(set (game sto «{65 * 'X'}») 1)", "This name has 65 letters; at most 64 are allowed", ""),
    # teams and decks
    ("«(create teams)»", "There is no team here", "(create teams (0, 2) (1, 3)); players are counted from 0"),
    ("(create teams «0»)", "Expected a team here, but found 0", "Write a team as (0, 2)"),
    ("(create teams (0 «:» 1))", "Expected a comma here, but found :", "Write a team as (0, 2)"),
    ("(create teams (0 «,»))", "Expected the number of another player after this comma", "Write a team as (0, 2)"),
    ("(create teams «(0, 0)»)", "A player is in two teams, or in one twice", "Each player has one team at most"),
    (
        "«(create deck BLUE (game vloc X) (deck (A (B))) 3)»",
        "Expected a place and a deck after create deck, but found 4 parts",
        "(create deck (game iloc STOCK) (deck ...))",
    ),
    (
        "(create deck «(game mem X)» (deck (A (B))))",
        "it notes cards that lie elsewhere",
        "Name a place of another kind",
    ),
    ("(create deck (game vloc X) «3»)", "Expected a deck here, but found 3", "Write a deck as (deck"),
    ("(create deck (game vloc X) «(deck)»)", "This deck has no attributes", "Write a deck as (deck"),
    ("(create deck (game vloc X) (deck «3»))", "Expected an attribute and its values here, but found 3", "(deck (RANK"),
    (
        "(create deck (game vloc X) (deck «(A, B)»))",
        "Expected an attribute",
        "These values have no attribute: write (RANK",
    ),
    ("(create deck (game vloc X) (deck (RANK «3»)))", "The values of RANK are not in brackets", "(deck (RANK (A, TWO"),
    ("(create deck (game vloc X) (deck (RANK «()»)))", "Expected values in brackets here, but found ()", "(deck (RANK"),
    (
        "(create deck (game vloc X) (deck (RANK (A «:» B))))",
        "Expected a comma or the end of the list here",
        "(deck (RANK",
    ),
    (
        "(«together» player (choice ((turn pass))))",
        "together is not allowed here",
        "directly in the game or in a stage, not in do, any, all or choice",
    ),
    # the rest
    ("(repeat all «(turn pass)»)", "Expected a move or a forget after repeat all", "(repeat all (move"),
    ("(cycle «foo» current)", "Expected next or current here", "(cycle next PLAYER)"),
    ("(turn «left»)", "Expected pass here, but found left", "(turn pass)"),
    (
        "(all (runs «some» 3 (game vloc X) using (game points P)) 'G (turn pass))",
        "Expected all or largest here",
        "(runs all",
    ),
    ("(shuffle (run «some» 3 (game vloc X) using (game points P)))", "Expected top or bottom here", "(run top"),
    (
        "(all (partition «(game vloc X)» SUIT) 'G (turn pass))",
        "Expected the name of an attribute",
        "(partition SUIT CARDS)",
    ),
    ("(create teams (0 «1»))", "A comma is missing before this number", "(0, 2)"),
    ("(create teams (0) «(0)»)", "A player is in two teams", ""),
    ("«(create players 3)»", "Players are created once", ""),
    ("(create deck «(union (game vloc X))» (deck (A (B))))", "The cards of a deck need a place", "(create deck (game"),
    ("(create deck (game vloc X) (deck «(A)»))", "The attribute A has no values", "(A (A, B))"),
    ("(create deck (game vloc X) (deck («RANK ACE»)))", "no comma between RANK and ACE", ""),
    ("(create deck (game vloc X) (deck (RANK («7», 8))))", "7 cannot be one", "(deck (RANK (A, TWO"),
    ("(set (game sto X) «99999999999»)", "This number is too large", ""),
    ("(set (game sto X) (1 «=» 2))", "= means nothing in this language", "Write equality as =="),
    ("(set (game sto X) «@»)", "@ means nothing in this language", ""),
    ("(set (game sto X) «\u00a0»1)", "looks like a space", "Put a plain space"),
    ("(turn pass) «;» and so on\n", "One semicolon means nothing", "A comment begins with two"),
]


@pytest.mark.parametrize(("text", "message", "hint"), STEPS, ids=[text for text, _, _ in STEPS])
def test_a_mistake_in_a_step_is_reported_at_its_place(text: str, message: str, hint: str) -> None:
    check(f"(game {SETUP} (do ({text})) {SCORING})", message, hint)


# In place of the blocks of a game.
BLOCKS = [
    ("«(move (top (game vloc X)) (top (game vloc Y)))»", "move is not allowed here by itself", "(do ((move ...)))"),
    ("«((== 1 1) (do ((turn pass))))»", "A test is not allowed here by itself", "(do ((TEST ACTION)))"),
    (
        "(stage «(end (== 1 1))» (do ((turn pass))))",
        "Expected player or team after stage",
        "(stage player (end TEST)",
    ),
    ("(stage player «(do ((turn pass)))»)", "The end condition of a stage comes", "(stage player (end TEST)"),
    ("«(stage player (end (== 1 1)))»", "Nothing happens in this stage", ""),
    (
        "(let 1 'N «(stage player (end (== 1 1)) (do ((turn pass))))»)",
        "A stage is not allowed in a let",
        "Put the let into the stage",
    ),
    ("(choice ((«choice» ((turn pass)))))", "A choice is not allowed here", "directly in the game or in a stage"),
    ("(choice ((all player 'P («stage» player))))", "A stage is not allowed here", "not in do, any, all or choice"),
    ("(«setup» (create players 3)) (do ((turn pass)))", "setup is not allowed here", "first, after what is declared"),
    (
        "(let 1 'N «(together player (choice ((turn pass))))»)",
        "together is not allowed in a let",
        "Put the let into the choice",
    ),
    ("(«scoring» max 1) (do ((turn pass)))", "scoring is not allowed here", "last"),
    ("(do ((turn pass))) («declare» 1 'X)", "declare is not allowed here", "before the setup"),
    ("«HAND» (do ((turn pass)))", "but found HAND", ""),
    ("(«stagge» player (end (== 1 1)))", "stagge is no word of the language", "Did you mean stage?"),
]


@pytest.mark.parametrize(("text", "message", "hint"), BLOCKS, ids=[text for text, _, _ in BLOCKS])
def test_a_mistake_between_blocks_is_reported_at_its_place(text: str, message: str, hint: str) -> None:
    check(f"(game {SETUP} {text} {SCORING})", message, hint)


DECK = "(create deck (game iloc S) (deck (R (A))))"
PLAYERS = "(create players 3)"
DO = "(do ((turn pass)))"
END = DO + " " + SCORING + ")"
WHOLE = [
    ("«game»", "A text begins with a bracket", "(game ...)"),
    ("«;»; nothing\n", "There is nothing in this text", "(game ...)"),
    ("«(»game", "This bracket is never closed", "a ) is missing at the end, if not before"),
    ("«)»", "A bracket is closed here, but none is open", "(game ...)"),
    (f"(«play» {SETUP} {END}", "A text begins with (game", "(game (setup"),
    (f"(game «{DO}» {SCORING})", "Expected the setup here", "(setup (create players 4)"),
    (f"(game {SETUP} {DO}«)»", "Expected the scoring before the game ends", "(scoring max NUMBER)"),
    (f"(game {SETUP} {DO}«)» {SCORING})", "The game ends with this bracket, before its scoring", "one ) too many"),
    (f"«(game {SETUP} {SCORING})»", "Nothing happens in this game", ""),
    (f"(game {SETUP} {DO} (scoring «most» 1))", "Expected max or min here", "(scoring max NUMBER)"),
    (f"(game (setup «{DECK}») {END}", "The setup begins with its players", "(create players 4)"),
    (f"(game «(setup (create players 3))» {END}", "No deck is created", "(create deck"),
    (
        f"(game (setup {PLAYERS} «(create teams (0, 3))» {DECK}) {END}",
        "no player with the number 3",
        "the 3 players are 0 to 2",
    ),
    (f"(game (setup «(create players 5 .. 2)» {DECK}) {END}", "the lower one first", "(create players 2 .. 5)"),
    (
        f"(game (setup {PLAYERS} {DECK} «(shuffle (game iloc S))») {END}",
        "Expected decks here in the setup",
        "follows after the setup",
    ),
    (f"(game (setup {PLAYERS} {DECK} «(create teams (0))») {END}", "Expected decks here", "then the teams"),
]


@pytest.mark.parametrize(("text", "message", "hint"), WHOLE, ids=[text for text, _, _ in WHOLE])
def test_a_mistake_in_the_frame_of_a_game_is_reported_at_its_place(text: str, message: str, hint: str) -> None:
    check(text, message, hint)


def test_several_mistakes_are_all_reported_in_the_order_of_the_text() -> None:
    text = f"""(game {SETUP}
 (do ((move 'X (top (game vloc A)))
      (set (game sto B) FOUR)
      (all player 'P
       (do ((mvoe 'P) (set ('P str C) (game vloc D)))))))
 (scoring max HIGH))"""
    found = problems(text)
    assert [problem.text for problem in found] == [
        "There is no variable 'X here.",
        "Expected a number here, but FOUR is a name.",
        "mvoe is no word of the language.",
        "Expected a name here, but (game vloc D) are cards.",
        "Expected a number here, but HIGH is a name.",
    ]


def test_what_could_not_be_read_causes_no_further_errors() -> None:
    text = f"""(game {SETUP} (do ((let (sise (game vloc X)) 'N (do ((set (game sto A) 'N) (set (game str B) 'N)
    (all 'N 'M (move 'M (top (game vloc A)))) ((== 'N A) (turn pass))))))) {SCORING})"""
    assert [problem.text for problem in problems(text)] == ["sise is no word of the language."]


def test_more_than_a_hundred_mistakes_are_not_reported() -> None:
    text = f"(game {SETUP} (do ({'(set (game sto A) B)' * 300})) {SCORING})"
    assert len(problems(text)) == 100


def test_an_error_is_shown_with_its_line_and_a_hint() -> None:
    with pytest.raises(BadText) as raised:
        read(f"(game {SETUP}\n (do ((set (game sto A) FOUR)))\n {SCORING})", "mine.rcy")
    assert str(raised.value) == (
        "mine.rcy:2:25: error: Expected a number here, but FOUR is a name.\n"
        "   (do ((set (game sto A) FOUR)))\n"
        "                          ^^^^\n"
        "  hint: Store names with str, numbers with sto."
    )


UNCLOSED = [
    # a step without its end: the choice after it cannot be inside
    ("(stage player\n  (end (== 1 1))\n  «(»do\n   ((turn pass))\n  (choice\n   ((turn pass))))\n", 7),
    # one missing in the depth of a do: the next block stands left of it
    ("(do\n  ((turn pass)\n   «(»set (game sto X) 1\n   (turn pass)))\n (do\n  ((turn pass)))\n", 6),
    # a choice that looks as if it were inside, and cannot be
    ("«(»do (\n    (turn pass)\n      (choice\n       ((turn pass))))\n", 5),
    # the last one of a stage: the scoring cannot be inside
    ("«(»stage player\n  (end (== 1 1))\n  (do\n   ((turn pass)))\n", 7),
]


@pytest.mark.parametrize(("blocks", "line"), UNCLOSED)
def test_a_bracket_that_is_never_closed_is_found_by_words_and_indentation(blocks: str, line: int) -> None:
    text = f"(game\n {SETUP}\n {blocks} {SCORING})"
    place = text.index("«")
    found = problems(text.replace("«", "").replace("»", ""))
    assert [(problem.text, problem.at.start) for problem in found] == [("This bracket is never closed.", place)]
    assert f"before line {line}." in found[0].hint


LAID_OUT = """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, TWO)))))
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (choice
      ((move (top (game iloc STOCK))
             (top ((current player) vloc WON)))
       (turn pass)))
    (do
      ((inc (game sto TURNS) 1)
       (inc (game sto ROUNDS) 1))))
  (scoring max
    (+ (size ((current player) vloc WON))
       (game sto TURNS))))
"""
LINES = LAID_OUT.splitlines()


@pytest.mark.parametrize("number", [number for number, line in enumerate(LINES[:-1], 1) if line.endswith(")")])
def test_a_bracket_that_is_missing_at_the_end_of_a_line_is_missing_before_the_next_line(number: int) -> None:
    lines = [line[:-1] if place == number else line for place, line in enumerate(LINES, 1)]
    [found] = problems("\n".join(lines))
    assert found.text == "This bracket is never closed."
    assert found.hint == f"By the words and the indentation after it, its ) is missing before line {number + 1}."


@pytest.mark.parametrize("number", [5, 10, 13])
def test_where_a_game_ends_before_its_scoring_the_line_with_one_bracket_too_many_is_named(number: int) -> None:
    lines = [f"{line})" if place == number else line for place, line in enumerate(LINES, 1)]
    last = problems("\n".join(lines))[-1]
    assert last.text == "The game ends with this bracket, before its scoring."
    assert last.hint == f"By the indentation, line {number} has one ) too many."


def test_brackets_may_not_lie_too_deep() -> None:
    deep = "(not " * 200 + "(== 1 1)" + ")" * 200
    found = problems(f"(game {SETUP} (do (({deep} (turn pass)))) {SCORING})")
    assert [problem.text for problem in found] == ["Brackets lie more than 100 deep here."]


def test_a_text_may_not_be_too_long() -> None:
    found = problems(";" * (64 * 1024 + 1))
    assert "at most 65,536 are allowed" in found[0].text


CAPITALS = "Write names in capital letters: {}."
SLIPS = [
    ("(shuffle (game hloc stock))", "Expected a name here, but stock is in small letters.", CAPITALS.format("STOCK")),
    ("(shuffle (game hloc deck))", "Expected a name here, but deck is in small letters.", CAPITALS.format("DECK")),
    ("((== (game str S) none) (turn pass))", "none is no word of the language.", CAPITALS.format("NONE")),
    ("(set (game str T) (cardatt s (top (game vloc S))))", "s is no word of the language.", CAPITALS.format("S")),
    ("(shuffle (game hlok S))", "but found hlok.", "Did you mean hloc?"),
    ("(cycle next (dealer player))", "but found dealer.", "Write a stored player as (game who DEALER)."),
    ("(cycle next (nextt player))", "but found nextt.", "Did you mean next?"),
    ("(cycle next (DEALER player))", "DEALER is a name.", "Write a stored player as (game who DEALER)."),
    ("(inc (game sto X) -5)", "inc takes 2 parts, but 3 were found.", "Write a number below zero as (- 0 5)."),
    (
        "(set (game points P) (((R : A) -5)))",
        "Expected a number without a sign here.",
        "Write a number below zero as (- 0 5).",
    ),
]


@pytest.mark.parametrize(("step", "message", "hint"), SLIPS, ids=[step for step, _, _ in SLIPS])
def test_a_common_mistake_is_one_error_that_says_what_to_write(step: str, message: str, hint: str) -> None:
    [found] = problems(f"(game (setup {PLAYERS} {DECK}) (do ({step})) {SCORING})")
    assert message in found.text
    assert found.hint == hint


def test_a_misspelt_word_of_a_fixed_place_is_one_error() -> None:
    stage = "(stage players (end (== 1 1)) (do ((turn pass))))"
    [found] = problems(f"(game (setup {PLAYERS} {DECK}) {stage} {SCORING})")
    assert found.hint == "Did you mean player?"
    [found] = problems(f"(game (setup {PLAYERS} {DECK}) {DO} (scoring maximum 1))")
    assert found.hint == "Did you mean max?"


def test_a_player_in_two_teams_is_shown_at_the_second_of_them_whatever_else_is_wrong() -> None:
    text = f"(game {SETUP} (do ((create teams (X) (0) (0)))) {SCORING})"
    at = [problem.at for problem in problems(text) if "in two teams" in problem.text]
    assert [text[span.start - 4 : span.end] for span in at] == ["(0) (0)"]


@pytest.mark.parametrize(("length", "quoted"), [(40, 40 * "X"), (41, 37 * "X" + "...")])
def test_a_message_quotes_at_most_40_characters(length: int, quoted: str) -> None:
    [found] = problems(f"(game {SETUP} (do ((move {length * 'X'} (top (game vloc Y))))) {SCORING})")
    assert found.text == f"Expected a card here, but {quoted} is a name."
