"""Tricks: where a text plays them, what says who has won one, and which of them the players still see.

All of it follows from the text, whatever its names are. Players choose cards of their own and put them into an open
place of their own. The text finds one card among those of all players. Its owner leads next, or takes the cards: that
is a trick. If the owner only scores for it, as in an auction, it is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.core.view import Arg, Sentence, say, seat_arg
from games.recycle import tree
from games.recycle.layout import Layout, PlaceFact
from games.recycle.machine import Action, Event, Op
from games.recycle.uses import Uses


class Tricks:
    """What a text says about tricks.

    ``place``: the name of the players' places where they lie; "" in a text without tricks. ``kept``: names of open
    places of the table to which only the cards of tricks go: they hold the last trick. ``seats``: whose each of the
    players' places is, by its number. ``decided``: the nodes of actions that say who has won, by number. ``valued``:
    those of actions that add what its cards are worth to a number that counts for the score.
    """

    def __init__(self, game: tree.GameNode, uses: Uses, nodes: Sequence[tree.Action], layout: Layout) -> None:
        self._uses = uses
        self._each = {node.var for node in tree.walk(game.blocks) if isinstance(node, tree.Each)}
        actions = [node for node in tree.walk(game.blocks) if isinstance(node, tree.Cycle | tree.Move | tree.SetPlayer)]
        self._stored = [node for node in actions if isinstance(node, tree.SetPlayer)]
        played = self._played(game)
        decided = [self._decides(node) for node in actions if not isinstance(node, tree.SetPlayer)]
        self.place = next((name for name in decided if name in played), "")
        self.kept = self._kept([node for node in actions if isinstance(node, tree.Move)]) if self.place else frozenset()
        facts = [PlaceFact("vloc", seat, layout.names.get(self.place, 0)) for seat in range(layout.seats)]
        self.seats = {layout.places[fact]: fact.owner for fact in facts if self.place and fact in layout.places}
        self.decided = frozenset(
            number for number, node in enumerate(nodes) if self.place and self._decides(node) == self.place
        )
        self.valued = frozenset(number for number, node in enumerate(nodes) if self.place and self._values(node))

    def _played(self, game: tree.GameNode) -> set[str]:
        """Return the names of the players' open places into which players choose to put cards of their own."""
        found = set()
        for choice in tree.walk(game.blocks):
            if isinstance(choice, tree.Choice):
                for move in tree.walk(choice):
                    if isinstance(move, tree.Move) and self._own(self._sources(move.card)):
                        found.add(self._one(self._sources(move.to.place)))
        return found - {""}

    def _kept(self, moves: Sequence[tree.Move]) -> frozenset[str]:
        ways: dict[str, set[str]] = {}
        for move in moves:
            came = self._one(self._sources(move.card))
            for place in self._sources(move.to.place):
                if isinstance(place.who, tree.Table) and place.vis == "vloc":
                    for name in self._uses.names(place.name):
                        ways.setdefault(name, set()).add(came)
        chosen = {name for _, name in self._uses.chosen_from | self._uses.put_to}
        return frozenset(name for name, came in ways.items() if came == {self.place} and name not in chosen)

    def _decides(self, node: tree.Action) -> str:
        """Return the name of the places of the trick of which an action says who has won it; "" if of none."""
        match node:
            case tree.Cycle(player=player):
                return self._winner(player)
            case tree.SetPlayer(value=value):
                return self._winner(value)
            case tree.Move(card=card, to=to):
                places = list(self._sources(to.place))
                won = {"" if isinstance(place.who, tree.Table) else self._winner(place.who) for place in places}
                return won.pop() if len(won) == 1 and won == {self._one(self._sources(card))} else ""
        return ""

    def _values(self, node: tree.Action) -> bool:
        """Return whether an action adds what the cards of a trick are worth to a number that counts."""
        match node:
            case tree.SetNumber(op="inc", ref=ref, value=value) if _name(ref) in self._uses.counted:
                sums = [one for one in tree.walk(value) if isinstance(one, tree.Sum)]
                return any(self._one(self._sources(one.cards)) == self.place for one in sums)
        return False

    def _winner(self, player: object, seen: set[object] | None = None) -> str:
        """Return the name of the places among whose cards that of a player was found; "" if it is no such player.

        ``seen``: variables and stores that were looked at.
        """
        seen = set() if seen is None else seen
        match player:
            case tree.OwnerOf(card=card):
                return self._among(card)
            case tree.Use(var=var) if var not in seen:
                seen.add(var)
                return self._winner(self._uses.values.get(var), seen)
            case tree.Stored(ref=ref) if (name := _name(ref)) not in seen:
                seen.add(name)
                same = (node.value for node in self._stored if _name(node.ref) == name)
                return next(filter(None, (self._winner(value, seen) for value in same)), "")
        return ""

    def _among(self, card: object) -> str:
        """Return the name of the players' open places among all of whose cards one is found."""
        sources = list(self._sources(card))
        every = len(sources) > 1 or any(isinstance(one.who, tree.Use) and one.who.var in self._each for one in sources)
        return self._one(sources) if every else ""

    def _one(self, places: Iterator[tree.Place] | list[tree.Place]) -> str:
        """Return the one name that open places of players have; "" if these are other places, or have several."""
        found: set[str] = set()
        for place in places:
            if place.vis != "vloc" or isinstance(place.who, tree.Table):
                return ""
            found.update(self._uses.names(place.name))
        return found.pop() if len(found) == 1 else ""

    @staticmethod
    def _own(places: Iterator[tree.Place]) -> bool:
        owners = [place.who for place in places]
        return bool(owners) and not any(isinstance(who, tree.Table) for who in owners)

    def _sources(self, node: object, seen: set[object] | None = None) -> Iterator[tree.Place]:
        """Yield the places from which a value takes its cards, and not those that only a test looks at.

        ``seen``: variables that were looked at.
        """
        seen = set() if seen is None else seen
        match node:
            case tree.Place():
                yield node
            case tree.Use(var=var) if var not in seen:
                seen.add(var)
                yield from self._sources(self._uses.values.get(var), seen)
            case tree.Combined(parts=parts) | tree.Partition(parts=parts):
                for part in parts if isinstance(parts, tuple) else (parts,):
                    yield from self._sources(part, seen)
            case tree.Filter(over=inner) | tree.GroupAt(groups=inner) | tree.Actual(card=inner):
                yield from self._sources(inner, seen)
            case (
                tree.CardAt(cards=inner)
                | tree.Extreme(cards=inner)
                | tree.Sorted(cards=inner)
                | tree.Slice(cards=inner)
                | tree.RunAt(cards=inner)
                | tree.Each(cards=inner)
                | tree.Tuples(cards=inner)
                | tree.Subsets(cards=inner)
                | tree.Selections(cards=inner)
                | tree.Runs(cards=inner)
            ):
                yield from self._sources(inner, seen)


def _name(ref: tree.Ref) -> object:
    """Return what a store is called: a name, or the variable that has it."""
    match ref.name:
        case tree.Name(text=text):
            return text
        case tree.Use(var=var):
            return var
    return ref


# -- in a match


class Trick(NamedTuple):
    """Cards of a trick and who played them, in the order of play; and who has won it (-1: nobody yet).

    ``points``: that its cards have brought the winner.
    """

    plays: tuple[tuple[int, int], ...] = ()  # seat and card
    winner: int = -1
    points: int = 0

    @property
    def card(self) -> int:
        """The card with which it was won; -1 if the winner has played several."""
        cards = [card for seat, card in self.plays if seat == self.winner]
        return cards[0] if len(cards) == 1 else -1


class TricksSoFar(NamedTuple):
    """The tricks of a match that players may look at: the latest, and the last one that was won before it.

    ``left``: how many cards of the latest still lie where they were played. ``gone``: they were gathered and have gone
    on from there, for example into the next deal, so that the trick lies on the table no longer.
    """

    latest: Trick = Trick()
    left: int = 0
    gone: bool = False
    before: Trick = Trick()

    @property
    def on_table(self) -> Trick:
        """What lies in the middle: the latest trick until the next card is played."""
        if self.latest.winner >= 0:
            return Trick() if self.gone else self.latest
        return self.latest if self.left else Trick()

    @property
    def last(self) -> Trick:
        """The last trick that was won and is not in the middle."""
        return self.latest if self.gone and self.latest.winner >= 0 else self.before


def follow(
    tricks: Tricks, course: TricksSoFar, events: Sequence[Event], owners: Sequence[int]
) -> tuple[TricksSoFar, dict[int, Trick]]:
    """Return what events have made of the tricks, and by the place of an event the trick that it decided.

    ``owners``: by place, whose it is.
    """
    seats = tricks.seats
    found: dict[int, Trick] = {}
    if not seats:
        return course, found
    gathered = max(
        (at for at, (action, note) in enumerate(events) if action[0] == Op.MOVE and note in seats), default=-1
    )
    for at, (action, note) in enumerate(events):
        plays = course.latest.plays
        if action[1] in tricks.decided and course.latest.winner < 0 and len(plays) > 1:
            who = {seat for seat, _ in plays}
            winner = _winner_by(action, owners)
            # A text may ask after each card whose is the best so far: a trick is over when its cards are gathered.
            over = len(who) == len(seats) or course.left < len(plays) or gathered >= at
            if winner in who and over:
                found[at] = Trick(plays, winner)
                course = course._replace(latest=found[at])
        if action[0] == Op.MOVE:
            course = _moved(course, seats, action[2], note, action[3])
    return course, found


def _winner_by(action: Action, owners: Sequence[int]) -> int:
    """Return the player whom an action names as the winner: who gets the cards, is stored, or leads next."""
    match action:
        case (Op.MOVE, _node, _card, place, *_):
            return owners[place]
        case (Op.PLAYER, _node, _store, player):
            return int(player)
    return int(action[2])


def _moved(course: TricksSoFar, seats: Mapping[int, int], card: int, source: int, target: int) -> TricksSoFar:
    latest, left, gone, before = course
    ours = any(card == played for _, played in latest.plays)
    if source in seats and ours:
        left -= 1
    elif ours:
        gone = True
    if target not in seats:
        return TricksSoFar(latest, left, gone, before)
    if left <= 0:  # the first card of a trick
        before = latest if latest.winner >= 0 else before
        latest, left, gone = Trick(), 0, False
    return TricksSoFar(latest._replace(plays=(*latest.plays, (seats[target], card))), left + 1, gone, before)


def winning(winner: int, card: Arg | None, points: int = 0) -> Sentence:
    """Return the sentence about who has won a trick. ``card``: with which one, if it was one. ``points``: in it."""
    args: dict[str, Arg] = {"seat": seat_arg(winner)} | ({} if card is None else {"card": card})
    if points > 1:
        args["points"] = points
    template = _WINNING[card is not None, min(points, 2)]
    return say(template, **args)


# The sentence by whether it was won with one card, and by 0, 1 or more points.
_WINNING = {
    (False, 0): "{seat} wins the trick.",
    (False, 1): "{seat} wins the trick (1 point).",
    (False, 2): "{seat} wins the trick ({points} points).",
    (True, 0): "{seat} wins the trick with {card}.",
    (True, 1): "{seat} wins the trick with {card} (1 point).",
    (True, 2): "{seat} wins the trick with {card} ({points} points).",
}
