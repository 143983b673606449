"""The tutorial: lessons from an empty page to a small trick-taking game, and on. Each has goals that are checked.

A goal is checked by what a text does, not by how it is written: random matches are played and the places of cards are
compared, whatever names the author uses. Runs in the sandbox's processes and imports no Django.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from games.core import FastChance, RulesFailed
from games.core.sight import everybody_at
from games.core.words import in_language
from games.recycle.game import RecycleGame
from games.recycle.machine import Op
from games.recycle.problems import BadText
from games.recycle.reader.blocks import called, definitions
from games.recycle.reader.syntax import forms, parse
from games.recycle.rules import RecycleState

FOLDER = Path(__file__).parent / "lessons"
COUNT = 11
SAVING = 6  # the lesson in which the game is saved
MATCHES = 6  # random matches played for each check
LONGEST = 300  # decisions
HEIGHTS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")


@dataclass
class Decision:
    """The options of a player and the choice made. Cards are given by number."""

    seat: int
    hand: frozenset[int]  # cards in places that only this player sees
    offered: list[frozenset[int]]  # by option: the cards that it moves out of the hand
    open: bool  # whether each option moves them to places that everybody sees
    chosen: int


@dataclass
class Played:
    """A random match."""

    seats: int
    dealt: list[frozenset[int]]  # by player: the cards that only they see after the deal
    decisions: list[Decision] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)  # by decision, and last of all who would be next
    lying: list[dict[int, tuple[int, int]]] = field(default_factory=list)  # after it, by card: place, and whose that is
    asked: tuple[int, ...] = ()  # the players who may choose first
    secrets: list[int] = field(default_factory=list)  # by decision: players who have a store that they alone see
    held: int = 0  # stores that hold a player at the end
    dice: tuple[str, ...] = ()  # the faces of dice at the end
    tokens: list[int] = field(default_factory=list)  # by player: tokens at the end
    over: bool = False
    scores: list[float] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    @property
    def before(self) -> int:
        """The number of decisions before the first one about cards."""
        return next((place for place, each in enumerate(self.decisions) if any(each.offered)), 0)

    @property
    def plays(self) -> list[Decision]:
        """The decisions about cards."""
        return self.decisions[self.before :]

    def cards(self) -> list[int]:
        """Return the cards that were played, one for each decision about cards. Raises LookupError if one has none."""
        return [next(iter(each.offered[each.chosen])) for each in self.plays]

    def tricks(self) -> Iterator[tuple[list[Decision], list[int], int]]:
        """Yield each complete trick: its decisions, its cards, and the number of decisions up to its end."""
        plays, cards, size = self.plays, self.cards(), self.seats
        for end in range(size, len(cards) + 1, size):
            yield plays[end - size : end], cards[end - size : end], self.before + end


class PlayedText:
    """A playable text, and random matches of it."""

    def __init__(self, game: RecycleGame) -> None:
        self.game = game
        self.seats = min(max(3, game.min_seats), game.max_seats)
        self.matches = [played(game, self.seats, f"lesson {number}") for number in range(MATCHES)]
        cards = game.program(self.seats).cards
        self.attributes = cards.attributes
        self.count = cards.kinds.count("deck")

    def rank(self, card: int) -> int:
        """Return the rank of a card, by the names that the lesson uses; -1 for other cards."""
        found = [HEIGHTS.index(value) for value in self.attributes[card].values() if value in HEIGHTS]
        return found[0] if found else -1

    def suits(self) -> list[str]:
        """Return attributes that may be suits."""
        keys = {key for each in self.attributes for key, value in each.items() if value not in HEIGHTS}
        return sorted(keys, key=lambda key: (key != "SUIT", key))


def played(game: RecycleGame, seats: int, seed: str) -> Played:
    """Play a random match, as far as it goes."""
    chance = FastChance(f"{seed} moves")
    state = game.start(seats, {}, FastChance(seed))
    match = Played(seats, [_hidden(state, seat) for seat in range(seats)], asked=state.to_act())
    while state.to_act() and len(match.decisions) < LONGEST:
        seat, options = state.to_act()[0], state.options()
        hand = _hidden(state, seat)
        moves = [[action for action in option if action[0] == Op.MOVE and action[2] in hand] for option in options]
        shown = all(move and all(state.sees[action[3]] == everybody_at(seats) for action in move) for move in moves)
        chosen = chance.randbelow(len(options))
        offered = [frozenset(action[2] for action in move) for move in moves]
        match.decisions.append(Decision(seat, hand, offered, shown, chosen))
        match.leaders.append(seat)
        state.play(seat, state.legal_moves(seat)[chosen])
        places = ((place, cards) for place, cards in enumerate(state.L) if state.fact(place).vis != "mem")
        match.secrets.append(sum(_has_secret(state, each) for each in range(seats)))
        match.lying.append({card: (place, state.owners[place]) for place, cards in places for card in cards})
    match.over = not state.to_act()
    match.leaders.append(state.cur)
    if match.over:
        match.scores, match.winners = state.scores(), state.winners()
    kinds, faces = state.program.cards.kinds, state.program.cards.faces
    there = [card for card, place in enumerate(state.W) if place >= 0]
    match.held = sum(held >= 0 for held in state.H)
    match.dice = tuple(faces[card] for card in there if kinds[card] == "die")
    owners = [state.owners[state.W[card]] for card in there if kinds[card] == "tokens"]
    match.tokens = [owners.count(seat) for seat in range(seats)]
    return match


def _has_secret(state: RecycleState, seat: int) -> bool:
    """Return whether a player has a store that no other player sees."""
    own = {name for name in _seen(state, seat) if name[1:3] == ("player", seat)}
    return bool(own.difference(*(_seen(state, other) for other in range(state.seats) if other != seat)))


def _seen(state: RecycleState, seat: int) -> set[tuple[str, str, int, str]]:
    """Return the stores whose value a player sees."""
    stores = state.observe(seat).stores
    return {(store.what, store.owner, store.number, store.name) for store in stores if store.value is not None}


def _hidden(state: RecycleState, seat: int) -> frozenset[int]:
    """Return the cards in places that only this player sees."""
    there = (cards for place, cards in enumerate(state.L) if state.sees[place] == 1 << seat)
    return frozenset(card for cards in there for card in cards)


# -- checks of goals


def _dealt(text: PlayedText) -> bool:
    sizes = {len(hand) for match in text.matches for hand in match.dealt}
    return len(sizes) == 1 and sizes.pop() >= 3


def _mixed(text: PlayedText) -> bool:
    return len({tuple(match.dealt) for match in text.matches}) > 1


def _hand_offered(text: PlayedText) -> bool:
    firsts = [match.decisions[0] for match in text.matches]
    return all(set(first.offered) == {frozenset([card]) for card in first.hand} for first in firsts)


def _all_play(text: PlayedText) -> bool:
    seats = text.seats
    return all({each.seat for each in match.decisions[:seats]} == set(range(seats)) for match in text.matches)


def _open(text: PlayedText) -> bool:
    return all(each.open for match in text.matches for each in match.decisions)


def _ends(text: PlayedText) -> bool:
    return all(match.over for match in text.matches)


def _follows(text: PlayedText, *, able: bool) -> bool:
    """Return whether players follow suit if they can (``able``), or play any card if they cannot."""
    return any(_follows_by(text, suit, able=able) for suit in text.suits())


def _follows_by(text: PlayedText, suit: str, *, able: bool) -> bool:
    met = 0
    for match in text.matches:
        for decisions, cards, _end in match.tricks():
            led = text.attributes[cards[0]].get(suit)
            for each in decisions[1:]:
                fitting = {card for card in each.hand if text.attributes[card].get(suit) == led}
                wanted = fitting or each.hand
                if bool(fitting) != able:
                    continue
                met += not able or fitting != each.hand
                if {card for cards in each.offered for card in cards} != wanted:
                    return False
    return met > 0


def _until_empty(text: PlayedText) -> bool:
    plays = {(len(match.plays), sum(map(len, match.dealt))) for match in text.matches}
    return _ends(text) and all(decisions == cards > 3 for decisions, cards in plays)


def _best(text: PlayedText, decisions: list[Decision], cards: list[int]) -> list[int]:
    """Return who may have won a trick by the highest card of the led suit, for each attribute that may be the suit."""
    found = []
    for suit in text.suits():
        led = text.attributes[cards[0]].get(suit)
        ranks = [text.rank(card) if text.attributes[card].get(suit) == led else -1 for card in cards]
        found.append(decisions[ranks.index(max(ranks))].seat)
    return found


def _winner_takes(text: PlayedText) -> bool:
    tricks = [(match, *trick) for match in text.matches for trick in match.tricks()]
    for match, decisions, cards, end in tricks:
        where = {match.lying[end - 1].get(card) for card in cards}
        place = where.pop()
        if where or place is None or place[1] not in _best(text, decisions, cards):
            return False
    return bool(tricks)


def _winner_leads(text: PlayedText) -> bool:
    tricks = [(match, *trick) for match in text.matches for trick in match.tricks()]
    going_on = [
        (text, decisions, cards, match.leaders[end])
        for match, decisions, cards, end in tricks
        if end < len(match.decisions)
    ]
    return bool(going_on) and all(leader in _best(text, decisions, cards) for _t, decisions, cards, leader in going_on)


def _tricks_counted(text: PlayedText) -> bool:
    for match in text.matches:
        won = [0.0] * match.seats
        for _decisions, cards, end in match.tricks():
            owner = match.lying[end - 1].get(cards[0], (0, -1))[1]
            won[owner] += owner >= 0
        if match.scores != won or match.winners != [seat for seat, each in enumerate(won) if each == max(won)]:
            return False
    return bool(text.matches[0].decisions)


def _titled(text: PlayedText) -> bool:
    return bool(text.game.facts.get("Title", "").strip())


def _summed_up(text: PlayedText) -> bool:
    return len(text.game.facts.get("Summary", "").strip()) >= 10


def _tricks(match: Played) -> list[int]:
    """Return how many tricks each player took, as far as the cards say."""
    won = [0] * match.seats
    for _decisions, cards, end in match.tricks():
        owner = match.lying[end - 1].get(cards[0], (0, -1))[1]
        won[owner] += owner >= 0
    return won


def _calls(text: PlayedText, least: int) -> bool:
    form, _ = parse(text.game.text)
    return sum(part.head == "call" for part in forms(form)) >= least


def _defines(text: PlayedText) -> bool:
    form, _ = parse(text.game.text)
    return any(name.text in called(form.items) for name, _, _ in definitions(form))


def _last_counts_more(text: PlayedText) -> bool:
    """Return whether the winner of the last trick, and nobody else, has two points more than tricks."""
    for match in text.matches:
        *_, (decisions, cards, _end) = match.tricks()
        more = [score - tricks for score, tricks in zip(match.scores, _tricks(match), strict=True)]
        if sorted(more) != [0] * (match.seats - 1) + [2] or more.index(2) not in _best(text, decisions, cards):
            return False
    return True


def _written_in_secret(text: PlayedText) -> bool:
    return all(match.secrets[: text.seats][-1:] == [text.seats] for match in text.matches)


def _first_all(text: PlayedText) -> bool:
    """Return whether each player decides something first that is not about cards."""
    return all(
        match.before == text.seats == len({each.seat for each in match.decisions[: match.before]})
        for match in text.matches
    )


def _exact_counts_more(text: PlayedText) -> bool:
    """Return whether some players have more points than tricks and a bonus for the last one, and others do not."""
    counted = [zip(match.scores, _tricks(match), strict=True) for match in text.matches]
    return {score - tricks > 2 for each in counted for score, tricks in each} == {True, False}


def _at_once(text: PlayedText) -> bool:
    return all(match.asked == tuple(range(text.seats)) for match in text.matches)


def _rolled(text: PlayedText) -> bool:
    return all(match.dice for match in text.matches) and len({match.dice for match in text.matches}) > 1


def _tokens_won(text: PlayedText) -> bool:
    return len({tuple(match.tokens) for match in text.matches}) > 1


Goal = tuple[str, Callable[[PlayedText], bool]]
SAVED = "The game is saved."

GOALS: dict[int, tuple[Goal, ...]] = {
    1: (
        ("The deck has at least twenty cards.", lambda text: text.count >= 20),
        ("Each player is dealt the same number of cards, at least three, that nobody else sees.", _dealt),
        ("The cards are shuffled: another deal gives other hands.", _mixed),
    ),
    2: (
        ("The player whose turn it is may play any card of the hand.", _hand_offered),
        ("All players play one card, in turn.", _all_play),
        ("Everybody sees the cards that are played.", _open),
        ("The match comes to an end.", _ends),
    ),
    3: (
        ("The leader may play any card.", _hand_offered),
        ("A player with a card of the suit that was led must play one.", lambda text: _follows(text, able=True)),
        ("A player without one may play any card.", lambda text: _follows(text, able=False)),
    ),
    4: (
        ("Tricks are played until all hands are empty.", _until_empty),
        ("The highest card of the suit that was led takes all cards of the trick.", _winner_takes),
        ("The winner of a trick leads the next one.", _winner_leads),
    ),
    5: (
        ("The score is the number of tricks taken, and the highest score wins.", _tricks_counted),
        ("Two, three or four can play.", lambda text: (text.game.min_seats, text.game.max_seats) == (2, 4)),
    ),
    6: (
        ("It has a title.", _titled),
        ("It has a summary of one sentence.", _summed_up),
        ("It is still a trick-taking game to the end.", lambda text: _until_empty(text) and _winner_takes(text)),
    ),
    7: (
        ("It is still a trick-taking game to the end.", lambda text: _until_empty(text) and _winner_takes(text)),
        ("A block of your own is defined and called.", _defines),
        ("At least four blocks are called.", lambda text: _calls(text, 4)),
    ),
    8: (
        ("A store holds a player.", lambda text: all(match.held for match in text.matches)),
        ("The player who takes the last trick has two points more.", _last_counts_more),
    ),
    9: (
        ("Before the first card, each player chooses a number.", _first_all),
        ("Only the player sees it.", _written_in_secret),
        ("An exact number earns points, and another one does not.", _exact_counts_more),
    ),
    10: (
        ("All players choose at the same time.", _at_once),
        ("Before the first card, each player chooses a number.", _first_all),
        ("Only the player sees it.", _written_in_secret),
    ),
    11: (
        ("A die is rolled: another match shows another face.", _rolled),
        ("Players win tokens.", _tokens_won),
        ("It is still a trick-taking game to the end.", lambda text: _until_empty(text) and _winner_takes(text)),
    ),
}
READ, PLAYED = "The text can be read.", "The text can be played without errors."


def goals(number: int, source: str, *, saved: bool = False) -> list[dict[str, Any]]:
    """Return the goals of a lesson, each {text, done}, for a text. A text with errors reaches none of them."""
    found: list[tuple[str, bool]]
    checks = GOALS[number]
    try:
        text = PlayedText(RecycleGame("game", source))
        found = [(READ, True)] + [(words, _reached(goal, text)) for words, goal in checks]
    except (BadText, RulesFailed) as wrong:
        read = isinstance(wrong, RulesFailed)
        words = PLAYED if read else READ
        found = [(words, False)] + [(words, False) for words, _goal in checks]
    if number == SAVING:
        found.append((SAVED, saved))
    return [{"text": words, "done": done} for words, done in found]


def _reached(goal: Callable[[PlayedText], bool], text: PlayedText) -> bool:
    try:
        return goal(text)
    except (LookupError, StopIteration):  # the text has no choices, or plays no cards
        return False


# -- the texts of the lessons


def solution(number: int) -> str:
    """Return a text that reaches all goals of a lesson; for lesson 0 the empty page."""
    return (FOLDER / f"{number}.rcy").read_text(encoding="utf-8") if number else ""


def wanted(number: int) -> list[str]:
    """Return the goals of a lesson in words."""
    return [READ, *(words for words, _goal in GOALS[number]), *([SAVED] if number == SAVING else [])]


def course(language: str) -> list[dict[str, Any]]:
    """Return all lessons: {title, html, goals, start, solution}. The goals are in English, whatever the language."""
    found = []
    for number in range(1, COUNT + 1):
        source = in_language(FOLDER / f"{number}.md", language)
        head, _, page = source.read_text(encoding="utf-8").partition("\n")
        found.append(
            {
                "title": head.removeprefix("# "),
                "html": str(MarkdownIt("js-default").render(page)),
                "goals": wanted(number),
                "start": solution(number - 1),
                "solution": solution(number),
            }
        )
    return found
