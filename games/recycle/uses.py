"""What can be read off a text without playing it: what is chosen from, and what the scoring looks at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.recycle import tree
from games.recycle.tree import Node, address_of, parts, walk

ROUNDS = frozenset({"ROUND", "ROUNDS", "DEAL", "DEALS", "HANDS", "HOLE"})  # names of numbers that count rounds
DEEPEST = 20  # variables that stand for each other


class Uses:
    """How a text uses its places and stores.

    ``chosen_from``: (visibility word, name) of the places that some choice goes through card by card.
    ``put_to``: those where some option of a choice puts a card.
    ``scored``: names of the stores in which the score is counted. ``counted``: those, and the stores that are added to
    them. ``rounds``: whether a number of the table counts rounds, by its name. ``score_store``: the store of a player
    or a team that is the score, ("player", "SCORE"), if it is one. ``open_scoring``: whether anybody could work out
    the scores. ``orders``: by attribute, the place of each of its values from low to high. ``grouping``: the attributes
    that put cards together; others only tell cards apart, as suits do in Go Fish.
    """

    def __init__(self, game: tree.GameNode) -> None:
        self.values: dict[tree.Var, Any] = {}  # of variables: what they stand for, or go through
        for node in walk((game.declares, game.blocks, game.scoring)):
            if isinstance(node, tree.Declare | tree.Let):
                self.values[node.var] = node.value
            elif isinstance(node, tree.ForEach | tree.Each | tree.Quantified | tree.Filter):
                self.values[node.var] = node.over
        self._keyed: dict[str, dict[str, None]] = {}  # by attribute of cards, its values
        for node in walk((game.decks, game.blocks)):
            if isinstance(node, tree.Attribute):
                self._keyed.setdefault(node.key, {}).update((value.text, None) for value in node.values)
        self.orders = {key: self._order(game, key, list(values)) for key, values in self._keyed.items()}
        names = (node.text for node in walk((game.declares, game.blocks, game.scoring)) if isinstance(node, tree.Name))
        self.grouping = self._keyed.keys() & (Counter(names) - Counter(self._named_cards(game)))
        self._all_places = [node for node in walk((game.declares, game.blocks)) if isinstance(node, tree.Place)]
        self.chosen_from: set[tuple[str, str]] = set()
        self.put_to: set[tuple[str, str]] = set()
        for node in walk(game.blocks):
            if isinstance(node, tree.Choice):
                for step in walk(node):
                    if isinstance(step, tree.ForEach):
                        self.chosen_from.update(self._places(step.over))
                    elif isinstance(step, tree.Move):
                        self.put_to.update(self._places(step.to.place))
        value = game.scoring.value
        self.scored = {
            node.name.text for node in walk(value) if isinstance(node, tree.Ref) and isinstance(node.name, tree.Name)
        }
        self.counted = {name for name in self.scored if name}
        self.rounds = False
        for node in walk(game.blocks):
            match node:
                case tree.SetNumber(op="inc", ref=ref, value=tree.Stored(ref=of)) if (
                    address_of(ref).name in self.scored
                ):
                    self.counted |= {address_of(of).name} - {""}
                case tree.SetNumber(ref=ref) if isinstance(ref.who, tree.Table) and ref.vis == "vloc":
                    self.rounds |= address_of(ref).name in ROUNDS
        self.score_store: tuple[str, str] | None = None
        if isinstance(value, tree.Stored) and value.ref.vis == "vloc":
            store = address_of(value.ref)
            if store.name and store.owner != "game":
                self.score_store = (store.owner, store.name)
        self.open_scoring = not any(
            isinstance(node, tree.Random)
            or (isinstance(node, tree.Place | tree.Ref) and node.vis not in ("vloc", "mem"))
            for node in _looked_at(value)
        )

    @staticmethod
    def _named_cards(game: tree.GameNode) -> Iterator[str]:
        """Yield the attributes that are compared with a value by name, as to find the three of clubs."""
        return (
            one.key.text
            for node in walk((game.declares, game.blocks, game.scoring))
            if isinstance(node, tree.Compare)
            for one, other in ((node.left, node.right), (node.right, node.left))
            if isinstance(one, tree.CardAtt) and isinstance(one.key, tree.Name) and isinstance(other, tree.Name)
        )

    @staticmethod
    def _order(game: tree.GameNode, key: str, values: list[str]) -> dict[str, int]:
        """Return the order of an attribute's values: by the first point map that tells all apart, else as declared."""
        for node in walk(game.blocks):
            if isinstance(node, tree.SetPoints):
                worth: dict[str, int] = {}
                for award in node.awards:
                    match award:
                        case tree.Award(
                            pairs=((tree.Name(text=at), tree.Name(text=value)),), value=tree.Number(value=points)
                        ):
                            if at == key:
                                worth[value] = worth.get(value, 0) + points
                if worth.keys() >= set(values) and len({worth[value] for value in values}) == len(values):
                    values = sorted(values, key=worth.__getitem__)
                    break
        return {value: place for place, value in enumerate(values)}

    def named_places(self) -> Iterator[tuple[tree.Vis, bool, str]]:
        """Yield the places that may come into being by name: visibility word, whether players own them, name."""
        for node in self._all_places:
            if isinstance(node.name, tree.Use | tree.CardAtt):
                owned = not isinstance(node.who, tree.Table)
                for name in dict.fromkeys(self.names(node.name)):
                    yield node.vis, owned, name

    def _places(self, node: object, seen: frozenset[tree.Var] = frozenset()) -> Iterator[tuple[str, str]]:
        for one in walk(node):
            if isinstance(one, tree.Place):
                for name in self.names(one.name):
                    yield one.vis, name
            elif isinstance(one, tree.Use) and one.var in self.values and one.var not in seen:
                yield from self._places(self.values[one.var], seen | {one.var})

    def names(self, node: object) -> Iterator[str]:
        """Yield the names that the name of a place may be."""
        for _ in range(DEEPEST):  # a variable may stand for another one
            if not isinstance(node, tree.Use):
                break
            node = self.values.get(node.var)
        if isinstance(node, tree.Name):
            yield node.text
        elif isinstance(node, tree.Names):
            yield from node.texts
        elif isinstance(node, tree.CardAtt) and isinstance(node.key, tree.Name):
            yield from self._keyed.get(node.key.text, ())


def _looked_at(value: object) -> Iterator[Node]:
    """Yield what a value depends on; the size of a place is open to all."""
    if isinstance(value, tree.Size) and isinstance(value.of, tree.Place):
        return
    if isinstance(value, Node):
        yield value
        for part in parts(value):
            yield from _looked_at(part)
    elif isinstance(value, tuple):
        for one in value:
            yield from _looked_at(one)
