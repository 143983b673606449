"""Options in words: the labels of moves, and what the prompt asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.core.view import Arg, Sentence, say, seat_arg, word
from games.recycle import verbs
from games.recycle.faces import Faces
from games.recycle.labels import Labels
from games.recycle.machine import Op
from games.recycle.moves import ChoiceOption, MoveAction, Where
from games.recycle.phrase_book import Verb

MOST_ASKED = 3  # different things that a prompt lists
DETAILS = 4  # levels of detail of an option's label


@dataclass(frozen=True, slots=True)
class Handling:
    """Cards that go from one place to another together. ``actions`` are in the order in which they go."""

    source: Where
    target: Where
    actions: tuple[MoveAction, ...]

    @property
    def faces(self) -> list[str]:
        """What the player sees of them: all faces, or none."""
        faces = [action.face for action in self.actions]
        return faces if all(faces) else []


def handlings(actions: Iterable[MoveAction], labels: Labels) -> list[Handling]:
    """Return the moves of an option. A card that moves on from where it was just put is described as going there.

    Moves through hidden scratch places are left out, unless there are no others.
    """
    ways: dict[str, list[MoveAction]] = {}
    for action in actions:
        if action.what == Op.MOVE:
            ways.setdefault(action.piece, []).append(action)
    whole = [steps[0]._replace(target=steps[-1].target, position=steps[-1].position) for steps in ways.values()]
    shown = [action for action in whole if action.target and action.target.name not in labels.hidden_places]
    found: list[tuple[Where, Where, list[MoveAction]]] = []
    for action in shown or whole:
        source, target = action.source, action.target
        if source is None or target is None:
            continue
        if found and found[-1][:2] == (source, target):
            found[-1][2].append(action)
        else:
            found.append((source, target, [action]))
    return [Handling(source, target, tuple(together)) for source, target, together in found]


class OptionPhrases:
    """Words for the options of a choice that ``mover`` has, who sees so many cards in each place.

    ``held``: what open stores of the table hold, in words, by name.
    """

    def __init__(
        self, labels: Labels, faces: Faces, mover: int, sizes: Mapping[Where, int], held: Mapping[str, Arg]
    ) -> None:
        self.labels, self.faces, self.mover, self.sizes, self.held = labels, faces, mover, sizes, held
        self._handlings: dict[str, list[Handling]] = {}  # by move

    def handlings(self, option: ChoiceOption) -> list[Handling]:
        """Return the moves of an option: see ``handlings``."""
        if option.move not in self._handlings:
            self._handlings[option.move] = handlings(option.actions, self.labels)
        return self._handlings[option.move]

    # -- labels

    def labelled(self, options: Sequence[ChoiceOption]) -> list[Sentence]:
        """Return a different label for each option, with just enough detail to tell them apart."""
        found = [self.label(option, 0) for option in options]
        for detail in range(1, DETAILS):
            met = Counter(map(repr, found))
            if len(met) == len(found):
                return found
            found = [
                self.label(option, detail) if met[repr(text)] > 1 else text
                for option, text in zip(options, found, strict=True)
            ]
        again: Counter[str] = Counter()
        met = Counter(map(repr, found))
        numbered = []
        for text in found:
            again[repr(text)] += 1
            if met[repr(text)] > 1:
                text = say(f"{text['text']} ({{nth}})", **text["args"], nth=again[repr(text)])
            numbered.append(text)
        return numbered

    def label(self, option: ChoiceOption, detail: int) -> Sentence:
        """Return the label of an option. ``detail``: 0 has only what happens to cards, higher has more."""
        actions = option.actions
        moves = [self._of_cards(handling, detail) for handling in self.handlings(option)]
        moves = [text for text in moves if text["text"]] or moves  # a table file may leave one unsaid
        stores = [action for action in actions if action.store and action.what != Op.REVEAL]
        shown = [action for action in stores if action.store and self.labels.says(action.store[2], action.value)]
        said: list[MoveAction] = []
        if detail >= 3:
            said = stores
        elif detail or not moves:
            said = shown
        parts = moves + [self._of_store(action, first=not moves) for action in said]
        others = [text for action in actions if (text := self._of_other(action, alone=not parts))]
        if detail or not parts:
            parts += others
        if not parts:
            parts = [self._of_store(action, first=True) for action in stores] or [say("Go on")]
        return joined(parts)

    def label_of_several(self, options: Sequence[ChoiceOption]) -> Sentence:
        """Return the label for options that take one card each the same way, all of them together."""
        moves = [self.handlings(option)[0] for option in options]
        actions = tuple(action for handling in moves for action in handling.actions)
        return self._of_cards(Handling(moves[0].source, moves[0].target, actions), 0)

    def _of_cards(self, handling: Handling, detail: int) -> Sentence:
        verb = self._verb(handling)
        if not detail and verbs.is_hand(handling.source):
            handling = self._sorted(handling)
        text = self._cards_in(verb.label, verb, handling)
        if detail >= 2 and "{from}" not in text["text"] + verb.label:
            way = verbs.gaps(self.labels, verb, handling.source, handling.target, self.mover)
            args = text["args"] | {"way_from": way["from"], "way_to": way["place"]}
            return say(f"{text['text']} ({{way_from}} \N{RIGHTWARDS ARROW} {{way_to}})", **args)
        return text

    def _sorted(self, handling: Handling) -> Handling:
        """Return a move of cards in the order in which they lie in the hand."""
        return replace(handling, actions=tuple(sorted(handling.actions, key=lambda one: self.faces.order(one.face))))

    def _cards_in(self, template: str, verb: Verb, handling: Handling) -> Sentence:
        faces = [self.faces.arg(face) for face in handling.faces]
        template, cards = verbs.list_cards(template, faces, len(handling.actions), self._at(handling))
        places = verbs.gaps(self.labels, verb, handling.source, handling.target, self.mover)
        return verbs.filled(template, **{**self.held, **cards, **places})

    def _at(self, handling: Handling) -> list[int]:
        """Return where a single card lies that the player does not see: 0 on top, else counted from the bottom."""
        if handling.faces or len(handling.actions) > 1:
            return []
        _, _, place = handling.actions[0].piece.rpartition("#")
        if not place.isdecimal():
            return []
        return [0 if int(place) == self.sizes.get(handling.source, 0) - 1 else int(place) + 1]

    def _verb(self, handling: Handling) -> Verb:
        count = len(handling.actions)
        cards = verbs.Going(
            handling.source,
            handling.target,
            count,
            seen=bool(handling.faces),
            whole=count == self.sizes.get(handling.source),
            top=self._at(handling) in ([], [0]),
        )
        return verbs.of_cards(self.labels, cards, self.mover)

    def _of_store(self, action: MoveAction, *, first: bool) -> Sentence:
        store = action.store or ("game", 0, "")
        verb = verbs.of_store(self.labels, store, action.value, self.mover)
        gaps = verbs.store_gaps(self.labels, store, action.value, player=action.what == Op.PLAYER)
        if not first:
            gaps["store"] = self.labels.bare(store[2])
        return verbs.filled(verb.label, **gaps)

    def _of_other(self, action: MoveAction, *, alone: bool) -> Sentence | None:
        if action.what == Op.PASS:
            return say(verbs.of_passing(self.labels).label) if alone else None
        if action.what == Op.ROLL:
            if len(action.dice) < 2:
                return say("Roll a die") if action.dice else say("Roll no dice")
            return say("Roll {count} dice", count=len(action.dice))
        if action.what == Op.REVEAL and action.store:
            return say("Reveal {store}", store=self.labels.bare(action.store[2]))
        if action.what in (Op.NEXT, Op.CURRENT) and isinstance(action.value, int):
            return say("Next: {next}", next=seat_arg(action.value))
        if action.what == Op.SHUFFLE and action.target:
            return say("Shuffle {shuffled}", shuffled=verbs.called(self.labels, action.target))
        if action.what in (Op.REMEMBER, Op.FORGET) and action.face:
            template = "Note {noted}" if action.what == Op.REMEMBER else "Forget {noted}"
            return say(template, noted=self.faces.arg(action.face))
        if action.what == Op.DRAWN:
            return say("Leave it to chance") if alone else None
        return None

    # -- the prompt

    def asked(self, options: Sequence[ChoiceOption], *, several: bool = False) -> list[str]:
        """Return what may be done, each thing once: ["play a card to the trick", "pass"].

        ``several``: options that take one card each may be chosen together.
        """
        for short in (False, True):
            found: dict[str, bool] = {}  # by what may be done, whether with several cards
            for option in options:
                asked, many = self._asked(option, short=short)
                found[asked] = found.get(asked, several) or many
            if len(found) <= MOST_ASKED:
                break
        said = [asked.replace("{cards}", "cards" if many else "a card") for asked, many in found.items()]
        return list(dict.fromkeys(said))

    def _asked(self, option: ChoiceOption, *, short: bool) -> tuple[str, bool]:
        actions, moves = option.actions, self.handlings(option)
        if moves:
            first = moves[0]
            places = verbs.gaps(self.labels, self._verb(first), first.source, first.target, self.mover)
            asked = self._verb(first).asked
            for gap in ("place", "from"):
                if short:
                    asked = re.sub(rf" (to|from|into|on) {{{gap}}}", "", asked)
                asked = asked.replace(f"{{{gap}}}", str(places[gap]))
            for store, value in self.held.items():
                asked = asked.replace(f"{{{store}}}", str(value))
            return asked, any(len(handling.actions) > 1 for handling in moves)
        for action in actions:
            if action.store and action.what != Op.REVEAL and self.labels.says(action.store[2], action.value):
                asked = verbs.of_store(self.labels, action.store, action.value, self.mover).asked
                return asked.replace("{store}", self.labels.bare(action.store[2])), False
        if any(action.what == Op.PASS for action in actions):
            return verbs.of_passing(self.labels).asked, False
        return "go on", False


def joined(parts: Sequence[Sentence], pair: str = word("{before}; {after}")) -> Sentence:
    """Return several sentences without full stops as one: "Discard K♦; suit: hearts".

    Pages translate it part by part: ``static/js/i18n.js``.
    """
    if len(parts) == 1:
        return parts[0]
    templates: list[str] = []
    args: dict[str, Arg] = {}
    for number, part in enumerate(parts):
        names = {name: name if name not in args else f"{name}_{number}" for name in part["args"]}
        template = part["text"]
        for name, new in names.items():
            template = template.replace(f"{{{name}}}", f"{{{new}}}")
        if number and template[:1] != "{":
            template = template[:1].lower() + template[1:]
        templates.append(template)
        args |= {names[name]: arg for name, arg in part["args"].items()}
    between = pair.removeprefix("{before}").removesuffix("{after}")
    return say(between.join(templates), **args)
