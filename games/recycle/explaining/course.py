"""The course of play: each stage that goes round is a section, what one player does is a list in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.recycle.explaining import names
from games.recycle.explaining.actions import ActionSentences, Item, under
from games.recycle.explaining.comparing import negate
from games.recycle.explaining.stages import StagePlan, count_rounds, plans, subject
from games.recycle.explaining.survey import Survey
from games.recycle.explaining.words import FIRST, STARTING, YOU, Person
from games.recycle.labels import Labels
from games.recycle.tree import Block, Choice, Cycle, Game, Logic, Random, Relative, Stage, Type, Use, Value, walk

LONG_END = 130
ONE_OF = "one of these is the case"
SHORT = 60  # characters of the end of a stage that may be repeated
DEEPEST = 6  # lists inside one another
JUST_PLAYED = Person("whoever has just played", "")
ON_TURN = Person("the player on turn")
IN_TURN = Person("the player in turn", "the player's")


@dataclass
class Section:
    """A part of the page. ``items``: what is done in it, in order."""

    title: str
    intro: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)


class Course(ActionSentences):
    """Writes the course of play."""

    def __init__(self, game: Game, survey: Survey, labels: Labels) -> None:
        super().__init__(survey, labels)
        self.game = game
        self.plans = plans(game, survey)
        count_rounds(game, self.plans, survey)
        self.silent = self.plans.silent
        self.sections: list[Section] = []
        self._marks = self._tell_apart()
        self._moved = False  # whether the blocks being described have passed the turn
        self._starter = "The first player"

    def _tell_apart(self) -> dict[int, str]:
        """Return what is added to the titles of stages of one kind, by stage: what is chosen there, else a letter."""
        found: dict[int, str] = {}
        stages = [node for node in walk(self.game.blocks) if isinstance(node, Stage) and self.plans.of[id(node)].title]
        for title in dict.fromkeys(self.plans.of[id(stage)].title for stage in stages):
            same = [stage for stage in stages if self.plans.of[id(stage)].title == title]
            subjects = [subject(stage) for stage in same]
            told = len(set(subjects)) == len(same) and all(subjects)
            for place, stage in enumerate(same):
                if len(same) > 1:
                    label = names.label(subjects[place], self.labels)
                    found[id(stage)] = f" ({label})" if told else f" {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[place % 26]}"
        return found

    def tell(self) -> list[Section]:
        """Return the sections of the whole course."""
        blocks = self.game.blocks
        first = next((place for place, block in enumerate(blocks) if isinstance(block, Stage | Choice)), len(blocks))
        if not self.game_of_one():
            self.you = FIRST
        before = self._blocks(blocks[:first], "")
        drawn = [node for node in walk(blocks[:first]) if isinstance(node, Cycle) and node.op == "current"]
        if drawn:
            lots = any(isinstance(node, Random) for node in walk(blocks[:first]))
            self._starter = "Whoever was drawn" if lots else "Whoever was put on turn above"
        if before:
            self.sections.append(Section("Before the game", [], before))
        rest = blocks[first:]
        after = len(self.sections)
        items = self._blocks(rest, "")
        if items and (len(rest) > 1 or not isinstance(rest[0], Stage) or not self.plans.of[id(rest[0])].title):
            self.sections.insert(after, Section("The course of play", [], items))
        return self.sections

    # -- blocks

    def _blocks(self, blocks: tuple[Block, ...], inside: str) -> list[Item]:
        found: list[Item] = []
        for place, block in enumerate(blocks):
            before = tuple(each for each in blocks[:place] if not isinstance(each, Stage))
            self._moved = any(isinstance(node, Cycle) and node.op == "current" for node in walk(before))
            if isinstance(block, Choice):
                found.append(self._choice(block))
            elif isinstance(block, Stage):
                found += self._stage(block, inside)
            else:
                found += self.actions(block)
        return found

    def _choice(self, choice: Choice) -> Item:
        person = self.you
        players = any(isinstance(node, Use) and node.type is Type.PLAYER for node in walk(choice))
        if choice.players:
            self.you = Person("each of these players", "their")
        elif person.name != "you" and not players:
            self.you = Person(person.name, "their")
        options = [item for step in choice.steps for item in self.options(step)]
        self.you = person
        who = "you choose" if self.you.name == "you" else f"{self.you.name} chooses"
        if choice.players:
            return Item(
                f"**each of {self.noun(choice.players).whole} chooses one of these, at the same time**",
                options,
                bullets=True,
            )
        if len(options) == 1 and not options[0].inner and not options[0].text.startswith("if "):
            must = "you have to" if self.you.name == "you" else f"{self.you.name} has to"
            return Item(f"{must} {options[0].text}")
        if not options:
            return Item(f"{who} nothing")
        return Item(f"**{who} one of these**", options, bullets=True)

    def _stage(self, stage: Stage, inside: str) -> list[Item]:
        plan = self.plans.of[id(stage)]
        if plan.kind == "once":
            items = self._blocks(stage.blocks, inside)
            if plan.ends is None:
                return items
            return under(f"if {self.clause(negate(_only(plan.ends)))}", items)
        if plan.kind == "again":
            told = f"again and again, until {self.clause(stage.end)}"
            return [Item(told, self._blocks(stage.blocks, inside))]
        if plan.kind == "itself":
            return self._by_itself(stage, inside)
        return [self._round(stage, plan, inside)]

    def _by_itself(self, stage: Stage, inside: str) -> list[Item]:
        turns = any(isinstance(node, Relative) and node.kind == stage.kind for node in walk((stage.end, stage.blocks)))
        before, team = self.you, self.team
        if turns and stage.kind == "player":
            self.you = IN_TURN
        told = f"until {self.clause(stage.end)}, again and again"
        if turns:
            start = before.name if stage.kind == "player" else "the first team"
            told += f", for one {stage.kind} after the other, beginning with {start}"
        items = self._blocks(stage.blocks, inside)
        self.you, self.team = before, team
        return [Item(told, items)] if items else [Item(f"wait until {self.clause(stage.end)}")]

    # -- stages that go round

    def _round(self, stage: Stage, plan: StagePlan, inside: str) -> Item:
        mark = self._marks.get(id(stage), "")
        outer = self.you
        section = Section(f"{names.capital(names.a(plan.title))}{mark}")
        self.sections.append(section)
        ends = self._ends(stage, plan)
        section.ends = self._listed_ends(stage, plan) if len(ends) > LONG_END else []
        section.intro = self._intro(stage, plan, ONE_OF if section.ends else ends, inside)
        self.you = YOU if plan.kind == "turns" else STARTING
        own = tuple(block for block in stage.blocks if not isinstance(block, Stage))
        if plan.kind == "rounds" and any(isinstance(node, Cycle) and node.op == "current" for node in walk(own)):
            self.you = ON_TURN
        if stage.kind == "team" or self.game_of_one():
            self.you = outer
        section.items = self._blocks(stage.blocks, plan.title)
        self.you = outer
        until = f" until {ends}" if len(ends) < SHORT else ""
        return Item(f"play {names.plural(plan.title)}{mark}{until} (see *{section.title}*)")

    def _ends(self, stage: Stage, plan: StagePlan) -> str:
        before = self.you
        self.you = JUST_PLAYED if plan.kind == "turns" else Person(f"whoever began the last {plan.title}")
        if plan.counted:
            told = " or ".join([self._counted(stage, plan), *(self.clause(other) for other in plan.others)])
        else:
            told = self.clause(stage.end)
        self.you = before
        return told

    def _listed_ends(self, stage: Stage, plan: StagePlan) -> list[str]:
        """Return the ends of a stage one by one; [] where there is only one."""
        end = stage.end
        parts = end.parts if isinstance(end, Logic) and end.op == "or" else (end,)
        if len(parts) < 2:
            return []
        before = self.you
        self.you = JUST_PLAYED if plan.kind == "turns" else Person(f"whoever began the last {plan.title}")
        found = [self._counted(stage, plan)] if plan.counted else []
        found += [self.clause(part) for part in (plan.others if plan.counted else parts)]
        self.you = before
        return found

    def _counted(self, stage: Stage, plan: StagePlan) -> str:
        count = plan.counted[1] if plan.counted else None
        if count is None:
            return f"every {stage.kind} has had a {plan.title}"
        if count == 1:
            return f"one {plan.title} has been played"
        return f"{names.number(count) if count else 'no'} {names.plural(plan.title)} have been played"

    def _intro(self, stage: Stage, plan: StagePlan, ends: str, inside: str) -> list[str]:
        many = names.plural(plan.title)
        own = [block for block in stage.blocks if not isinstance(block, Stage)]
        named = any(isinstance(node, Cycle) and node.op == "next" for node in walk(tuple(own)))
        next_one = "the next player in turn, unless it is said otherwise below" if named else "the next player in turn"
        starter = self._starter
        if inside:
            starter = names.capital(self.you.name)
            starter = f"The starting player of the {inside}" if starter == "The starting player" else starter
        if self._moved or (inside and self.you == ON_TURN):
            starter = "Whoever is on turn by then"
        if stage.kind == "team":
            begin = f"The teams take {many} one after the other, beginning with the first."
        elif plan.kind == "turns":
            begin = f"{starter} takes the first turn, and after each turn it is {next_one}."
            if self.game_of_one():
                begin = "You take one turn after another."
        elif self.game_of_one():
            begin = ""
        else:
            begin = f"{starter} begins the first {plan.title}, and each one after it is begun by {next_one}."
        told = [begin] if begin else []
        until = f"{names.capital(many)} go on until {ends}"
        return [*told, f"{until}:" if ends == ONE_OF else f"{until}."]

    def game_of_one(self) -> bool:
        """Return whether there is exactly one player."""
        return getattr(self.game.players, "value", 0) == 1


def _only(test: Value) -> Value:
    return test.parts[0] if isinstance(test, Logic) and len(test.parts) == 1 else test
