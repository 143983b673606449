"""What a tree means, in the form that is read from the sentences of a rules page: see ``page_forms``."""

from __future__ import annotations

from collections.abc import Iterator

from games.recycle import tree as t
from games.recycle.constants import constant
from games.recycle.labels import Labels
from tests.games.recycle.page_forms import YOU, compared, guards, joined, opposite, quantified
from tests.games.recycle.readings import Found, Unread

_NUMBERS = [
    "ONE",
    "TWO",
    "THREE",
    "FOUR",
    "FIVE",
    "SIX",
    "SEVEN",
    "EIGHT",
    "NINE",
    "TEN",
    "ELEVEN",
    "TWELVE",
    "THIRTEEN",
]
FACES = {"ACE": "ace"} | {word: str(number) for number, word in enumerate(_NUMBERS, 1)}
LETTERS = {
    "RANK": {"A": "ace", "J": "jack", "Q": "queen", "K": "king"},
    "SUIT": {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"},
}
SEEN = {"vloc": "(open)", "iloc": "(for the owner's eyes)", "hloc": "(face down)", "oloc": "(open to others)",
        "mem": "(memory)"}  # fmt: skip
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Meaning:
    """Says what the parts of a game mean. ``labels``: what the table file calls things."""

    def __init__(self, game: t.GameNode, labels: Labels) -> None:
        self.game, self.labels = game, labels
        self.within: list[t.Var] = []  # variables of the scope, the outermost first
        self.values: dict[t.Var, t.Value] = {each.var: each.value for each in game.declares}
        self.values |= {node.var: node.value for node in t.walk(game.blocks) if isinstance(node, t.Let)}
        self.over = {
            node.var: node.over
            for node in t.walk((game.blocks, game.decks, game.scoring))
            if isinstance(node, t.Quantified | t.Filter | t.Each | t.ForEach)
        }
        self.named = {
            node.name.text
            for node in t.walk(game.blocks)
            if isinstance(node, t.Ref | t.Place) and isinstance(node.name, t.Name)
        }
        numbers = [node for node in t.walk(game.blocks) if isinstance(node, t.SetNumber)]
        counted = {_key(node.ref) for node in numbers if node.op != "set" or constant(node.value) not in (0, 1)}
        self.flags = {_key(node.ref) for node in numbers} - counted  # stores that are only 0 or 1
        self.attributes: dict[str, set[str]] = {}
        for node in t.walk(game.decks):
            if isinstance(node, t.Attribute):
                self.attributes.setdefault(node.key, set()).update(value.text for value in node.values)
        self.seen: dict[tuple[str, str], set[str]] = {}
        for node in t.walk(game):
            if isinstance(node, t.Place):
                for name in self.names(node.name):
                    self.seen.setdefault((t.owner_of(node), name), set()).add(node.vis)

    def names(self, name: t.Value) -> list[str]:
        """Return the names that a value can be."""
        match name:
            case t.Name(text=text):
                return [text]
            case t.Names(texts=texts):
                return list(texts)
            case t.Use(var=var):
                over = self.values.get(var) or self.over.get(var)
                return self.names(over) if over else []
        return []

    def noun(self, var: t.Var) -> str:
        """Return what a member of what a variable goes through is called."""
        over = self.over[var]
        while isinstance(over, t.Filter):
            over = over.over
        if var.type is t.Type.STR:
            return self._list(over)
        if var.type is t.Type.CARDS:
            return {t.Partition: "group", t.Runs: "run"}.get(type(over), "set")
        return "number" if var.type is t.Type.INT else str(var.type.value)

    def _list(self, over: t.Value) -> str:
        if isinstance(over, t.Use) and over.var.how == "declare":
            return over.var.name.lower().removesuffix("s")
        texts = set(self.names(over))
        for each in self.game.declares:
            if texts and len(each.var.name) > 3 and texts <= set(self.names(each.value)):
                return each.var.name.lower().removesuffix("s")
        return next((key.lower() for key, values in self.attributes.items() if texts <= values), "name")

    def inside(self, var: t.Var, test: t.Value) -> Found:
        self.within.append(var)
        try:
            return self.test(test)
        finally:
            self.within.pop()

    # -- tests

    def test(self, test: t.Value) -> Found:
        """Return what a test means. Raises Unread for a form that no sentence is read for."""
        match test:
            case t.Logic(op=op, parts=parts):
                return joined(op, [self.test(part) for part in parts])
            case t.Not(of=of):
                return opposite(self.test(of))
            case t.Use(var=var) if var in self.values:
                return self.test(self.values[var])
            case t.Quantified(op=op, over=over, var=var, test=inner):
                return quantified(op, self.things(over), self.inside(var, inner))
            case t.Compare(op=op, left=left, right=right):
                return self._compare(op, left, right)
        raise Unread(test)

    def _compare(self, op: str, left: t.Value, right: t.Value) -> Found:
        if isinstance(left, t.Number | t.Name) and not isinstance(right, t.Number | t.Name):
            left, right, op = right, left, MIRRORED.get(op, op)
        match left, right:
            case t.Stored(ref=ref), t.Number(value=0 | 1 as so) if _key(ref) in self.flags and op in ("==", "!="):
                return ("flag", self.value(left)), "==", so if op == "==" else 1 - so
        if isinstance(left, t.CardAtt) and isinstance(right, t.Name):
            return compared(
                self.value(left), op, self.face(right.text, left.key.text if isinstance(left.key, t.Name) else "")
            )
        return compared(self.value(left), op, self.value(right))

    # -- values

    def label(self, name: t.Value) -> str:
        if isinstance(name, t.Name):
            return self.labels.word(name.text).lower()
        raise Unread(name)

    def key(self, key: t.Value) -> str:
        if not isinstance(key, t.Name):
            raise Unread(key)
        return key.text.lower() if key.text in self.named else self.label(key)

    def face(self, text: str, attribute: str = "") -> Found:
        """Return a name as what is read; a rank is a number. ``attribute``: which one of cards has this value."""
        if text in ("", "NONE") and text not in self.labels.words:
            return "none"
        if text in self.labels.words:
            word = self.labels.word(text).lower()
        elif len(text) == 1:
            attribute = attribute or next((each for each in LETTERS if text in self.attributes.get(each, ())), "")
            word = LETTERS.get(attribute, {}).get(text, text)
        else:
            word = FACES.get(text, text.lower())
        return int(word) if word.isdecimal() else word

    def value(self, value: t.Value) -> Found:
        """Return what a value means: a number, a name, a card, a player, or a collection."""
        if (number := constant(value)) is not None:
            return number
        match value:
            case t.Name(text=text):
                return self.face(text)
            case t.Use(var=var):
                return self.variable(var)
            case t.Stored(ref=ref):
                return self.store(ref)
            case t.Numbered(number=t.Random() as drawn, kind="player") if self._any_seat(drawn):
                return ("random player",)
            case t.Numbered(number=which, kind="player"):
                return "numbered", self.value(which)
            case t.Arith(op="%", left=left, right=right) if constant(right) == constant(self.game.players):
                return "%", self.value(left), ("size", "player")
            case t.Arith(op=op, left=left, right=right):
                return op, self.value(left), self.value(right)
            case t.Series(op="tri", of=of):
                return "tri", self.value(of)
            case t.Random(low=low, high=high):
                return "random", self.value(low) if low else 0, self.value(high)
            case t.Size(of=of):
                return "size", self.things(of)
            case t.Sum(cards=cards, using=using):
                return "total", self.label(using.name), self.things(cards)
            case t.Score(card=card, using=using):
                return "of", self.label(using.name), self.value(card)
            case t.CardAtt(key=key, card=card):
                return "of", self.key(key), self.value(card)
            case t.CardAt(
                where="top" | "bottom" as end,
                cards=t.Filter(
                    over=over,
                    var=var,
                    test=t.Compare(
                        op="==", left=t.Score(card=t.Use(var=asked)), right=t.Score(card=t.Extreme() as best)
                    ),
                ),
            ) if asked is var and self.things(over) == self.things(best.cards):
                return "last" if end == "top" else "first", self.value(best)
            case t.CardAt(where="top" | "bottom" as end, cards=cards):
                return end, self.things(cards)
            case t.Extreme(op=op, cards=cards, using=using):
                return "highest" if op == "max" else "lowest", self.things(cards), self.label(using.name)
            case t.Actual(card=card):
                return self.value(card)
            case t.Relative(which="current", kind="player"):
                return YOU
            case t.Relative(which="current", kind="team"):
                return "team of", YOU
            case t.Relative(which=which, kind="player"):
                return (which,)
            case t.OwnerOf(card=card):
                return "owner", self.value(card)
            case t.TeamOf(player=player):
                return "team of", self.value(player)
        return self.things(value)

    def _any_seat(self, drawn: t.Random) -> bool:
        """Return whether a number from 0 up to that of the last player is drawn."""
        match drawn:
            case t.Random(low=None | t.Number(value=0), high=t.Arith(op="-", left=players, right=t.Number(value=1))):
                return self.value(players) in (("size", "player"), constant(self.game.players))
            case t.Random(low=None | t.Number(value=0), high=t.Number(value=last)):
                return last + 1 == constant(self.game.players)
        return False

    def variable(self, var: t.Var) -> Found:
        if var in self.within:
            noun = self.noun(var)
            alike = [each for each in reversed(self.within) if self.noun(each) == noun]
            return "that", noun, alike.index(var)
        if var.how == "let":
            value = self.values[var]
            if isinstance(value, t.Place) or var.live:
                return self.value(value)
            return "named", self.labels.words.get(f"'{var.name}", var.name).lower()
        if var in self.values:
            return self.value(self.values[var])
        raise Unread(f"'{var.name} is out of its scope")

    def store(self, ref: t.Ref) -> Found:
        label = self.label(ref.name)
        return ("store", label) if isinstance(ref.who, t.Table) else ("of", label, self.value(ref.who))

    def things(self, over: t.Value) -> Found:
        """Return a collection."""
        match over:
            case t.Everybody(kind=kind):
                return kind
            case t.Others(kind=kind):
                return f"other {kind}"
            case t.TeamPlayers(team=team):
                return "players of", self.value(team)
            case t.Place():
                return self.place(over)
            case t.Filter(
                over=t.Subsets(cards=cards),
                var=var,
                test=t.Compare(op="==", left=t.Size(of=t.Use(var=asked)), right=count),
            ) if asked is var:
                return "sized", self.value(count), self.things(cards)
            case t.Filter(over=inner, var=var, test=test):
                return quantified("such", self.things(inner), self.inside(var, test))
            case t.Use(var=var) if var.how == "declare" and var.type is t.Type.STRS:
                return var.name.lower().removesuffix("s")
            case t.Use(var=var):
                return self.variable(var)
            case t.Slice(end=end, count=count, cards=cards):
                return "slice", end, self.value(count), self.things(cards)
            case t.Combined(
                op="union", parts=t.Each(over=t.Everybody(kind="player"), var=var, cards=t.Place() as place)
            ) if isinstance(place.who, t.Use) and place.who.var is var:
                return ("place", ("players",), *self._named(place))
            case t.Combined(
                op="union", parts=t.Each(over=names, var=var, cards=t.Place(name=t.Use(var=name), who=t.Table()))
            ) if name is var:
                return "all of", self.things(names)
            case t.Sorted(cards=cards, using=using):
                return "sorted", self.things(cards), self.label(using.name)
            case t.RunAt(end="top", least=least, cards=cards, using=using):
                return "run on top", self.value(least), self.things(cards), self.label(using.name)
            case t.Combined(op="union", parts=tuple() as parts):
                return "or", *map(self.things, parts)
            case t.Partition(key=key, parts=(cards,)):
                return "alike", self.things(cards), self.key(key)
            case t.Subsets(cards=cards):
                return "sets", self.things(cards)
            case t.Selections(count=count, cards=cards):
                return "sized", self.value(count), self.things(cards)
            case t.Runs(which=which, least=least, cards=cards, using=using):
                return f"{which} runs", self.value(least), self.things(cards), self.label(using.name)
            case t.Tuples(count=count, cards=cards, using=using):
                return "equals", self.value(count), self.things(cards), self.alike(using)
            case t.Names(texts=texts):
                return "names", *map(self.face, texts)
            case t.Range(low=low, high=high):
                return "from", self.value(low), self.value(high)
        raise Unread(over)

    def alike(self, using: t.Ref) -> str:
        """Return the attribute by which cards of one score are alike."""
        for node in t.walk(self.game.blocks):
            if isinstance(node, t.SetPoints) and _key(node.ref) == _key(using):
                return self.key(node.awards[0].pairs[0][0])
        raise Unread(using)

    def place(self, place: t.Place) -> Found:
        name, seen = self._named(place)
        if isinstance(place.who, t.Table):
            return name if isinstance(name, tuple) and name[0] == "that" and not seen else ("place", "", name, seen)
        return "place", self.value(place.who), name, seen

    def _named(self, place: t.Place) -> tuple[Found, str]:
        ways = {way for name in self.names(place.name) for way in self.seen.get((t.owner_of(place), name), ())}
        seen = SEEN[place.vis] if len(ways) > 1 else ""
        if not isinstance(place.name, t.Name):
            return self.value(place.name), seen
        text = place.name.text
        return (self.labels.noun(text)[0] or self.labels.word(text)).lower().removesuffix("s"), seen


def _key(ref: t.Ref) -> tuple[str, str, str]:
    return ref.what, t.owner_of(ref), ref.name.text if isinstance(ref.name, t.Name) else ""


Step = tuple[tuple[Found, ...], Found]  # what it stands under, and what is done: see ``page_reader``


class Course(Meaning):
    """Says what is done in a game: its ``steps``. Those of a stage stand under ``("stage", end)``."""

    def __init__(self, game: t.GameNode, labels: Labels) -> None:
        super().__init__(game, labels)
        self.unread: list[str] = []
        self.steps = list(self._blocks(game.blocks, ()))

    def _blocks(self, blocks: tuple[t.Block, ...], above: tuple[Found, ...]) -> Iterator[Step]:
        for block in blocks:
            try:
                if isinstance(block, t.Stage):
                    stage = "stage", self.test(block.end)
                    yield above, stage
                    yield from self._blocks(block.blocks, (*above, stage))
                elif isinstance(block, t.Choice):
                    together = guards("together", self.things(block.players)) if block.players else ()
                    for step in block.steps:
                        yield from self._action(step, (*above, *together, ("choice",)))
                else:
                    yield from self._action(block, above)
            except Unread as unread:
                self.unread.append(str(unread))

    def _action(self, action: t.Action, above: tuple[Found, ...]) -> Iterator[Step]:
        try:
            yield from self._done(action, above)
        except Unread as unread:
            self.unread.append(str(unread))

    def _done(self, action: t.Action, above: tuple[Found, ...]) -> Iterator[Step]:
        match action:
            case t.Do(steps=steps):
                for step in steps:
                    yield from self._action(step, above)
            case t.When(test=test, body=body):
                yield from self._action(body, (*above, ("if", self.test(test))))
            case t.ForEach():
                yield from self._round_table(action, above) or self._for_each(action, above)
            case t.Let(value=value, var=var, step=step):
                if not isinstance(value, t.Place) and not var.live:
                    yield above, ("let", self.variable(var)[1], self.value(value))
                yield from self._action(step, above)
            case t.Repeat(
                count=t.Random() as drawn, action=t.Cycle(op="current", player=t.Relative(which="next", kind="player"))
            ) if self._any_seat(drawn):
                yield above, ("lots",)
            case t.Repeat(count=count, action=step):
                times = self.value(count)
                yield from self._action(step, above if times == 1 else (*above, ("times", times)))
            case _:
                yield above, self._simple(action)

    def _for_each(self, action: t.ForEach, above: tuple[Found, ...]) -> Iterator[Step]:
        over, var, step = action.over, action.var, t.unwrapped(action.step)
        chosen = action.op == "any" and ("choice",) in above
        if not chosen and isinstance(step, t.Move) and isinstance(step.card, t.Use) and step.card.var is var:
            to = self._target(step.to)
            if isinstance(over, t.Slice):
                yield (*above, ("times", self.value(over.count))), ("move", (over.end, self.things(over.cards)), *to)
            else:
                yield above, ("move", ("all", self.things(over)), *to)
            return
        above = (*above, *guards("any" if chosen else "each", self.things(over)))
        self.within.append(var)
        yield from self._action(step, above)
        self.within.pop()

    def _round_table(self, action: t.ForEach, above: tuple[Found, ...]) -> list[Step]:
        """Return the step that deals so many cards round the table; [] for any other."""
        match action:
            case t.ForEach(
                over=t.Range(low=low, high=high),
                var=var,
                step=t.Move(card=card, to=t.Target(where="top", place=t.Place(who=t.Numbered(number=number)) as place)),
            ):
                match number, constant(low), constant(high):
                    case t.Arith(op="%", left=t.Use(var=seat), right=t.Size(of=t.Everybody())), int(first), int(last):
                        if seat is var:
                            to = "place", ("players",), *self._named(place)
                            return [
                                ((*above, ("round the table", last - first + 1)), ("move", self.value(card), "top", to))
                            ]
        return []

    def _target(self, to: t.Target) -> tuple[Found, Found]:
        return to.where if isinstance(to.where, str) else self.value(to.where), self.value(to.place)

    def _simple(self, action: t.Action) -> Found:
        match action:
            case t.Move(card=card, to=to):
                return "move", self.value(card), *self._target(to)
            case t.RepeatAll(action=t.Move(card=t.CardAt(where=where, cards=cards), to=to)):
                way = "all from below" if where == "bottom" else "all"
                return "move", (way, self.things(cards)), *self._target(to)
            case t.RepeatAll(action=t.Forget(card=t.CardAt(cards=cards))):
                return "forget", self.things(cards)
            case t.Forget(card=card):
                return "forget", self.value(card)
            case t.SetNumber(op=op, ref=ref, value=value):
                return op, self.store(ref), self.value(value)
            case t.SetName(ref=ref, value=value) | t.SetPlayer(ref=ref, value=value):
                return "set", self.store(ref), self.value(value)
            case t.SetPoints(ref=ref):
                return "points", self.label(ref.name)
            case t.Shuffle(cards=cards, second=None):
                return "shuffle", self.things(cards)
            case t.Roll(cards=cards):
                return "roll", self.value(cards)
            case t.Reveal(ref=ref):
                return "reveal", self.store(ref)
            case t.Remember(card=card, to=t.Target(where="top", place=place)):
                return "remember", self.value(card), self.value(place)
            case t.Pass():
                return ("pass",)
            case t.Cycle(op=op, player=player):
                return op, self.value(player)
        raise Unread(action)
