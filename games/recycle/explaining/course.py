"""The course of play: each stage that goes round is a section, what one player does is a list in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from string import ascii_uppercase

from games.recycle.explaining.actions import ActionSentences, Item
from games.recycle.explaining.comparing import current, negate
from games.recycle.explaining.stages import StagePlan, count_rounds, plans, subject
from games.recycle.explaining.survey import Survey
from games.recycle.explaining.words import THEIRS, PlayerPhrase
from games.recycle.labels import Labels
from games.recycle.phrase_book import Book, Phrase, Slot, capital, phrase
from games.recycle.tree import (
    Block,
    Choice,
    Cycle,
    GameNode,
    Let,
    Logic,
    Number,
    Place,
    Ref,
    Relative,
    Stage,
    Table,
    Type,
    Use,
    Value,
    walk,
)

MOST_ENDS = 2  # of a stage that are said in one sentence
SHORT = 60  # characters of the end of a stage that may be repeated
DEEPEST = 6  # nested lists

# What is said of a choice with one option: the step, or what is chosen and what is done then.
ALONE = (
    phrase("{person} {person|has|have} to {action}"),
    phrase("{person} {person|has|have} to choose {what:acc}, then {next}"),
)
TOGETHER = (
    phrase("at the same time, {each} has to {action}"),
    phrase("at the same time, {each} has to choose {what:acc}, then {next}"),
)
STARTS = {  # by whether it is one turn after another
    True: "{starter} takes the first turn, and then the turn passes from player to player",
    False: "{starter} begins the first {noun}, and the next player in turn begins each one after it",
}


@dataclass
class Section:
    """A part of the page. ``items``: what is done in it, in order."""

    title: Phrase
    intro: list[Phrase] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    ends: list[Phrase] = field(default_factory=list)


class CourseOfPlay(ActionSentences):
    """Writes the course of play."""

    def __init__(self, game: GameNode, survey: Survey, labels: Labels, book: Book) -> None:
        super().__init__(survey, labels, book)
        self.game = game
        self.plans = plans(game, survey)
        count_rounds(game, self.plans, survey)
        self.silent = self.plans.silent
        self.sections: list[Section] = []
        self._moved = False  # whether the blocks being described have passed the turn
        self.ON_TURN = PlayerPhrase(book.say("the player whose turn it is"))
        self.IN_TURN = PlayerPhrase(book.say("the player in turn"), "the player's {noun}")
        self._starter = self.FIRST.name
        self._titles: dict[int, Phrase] = {}  # of sections, by stage, where there are several of a kind
        self._marks: dict[int, str] = {}  # what is added to those that have no title of their own
        self._distinguish()

    def _distinguish(self) -> None:
        """Give stages of one kind different titles: by where cards go there, or what is set, else by a letter."""
        stages = [node for node in walk(self.game.blocks) if isinstance(node, Stage) and self.plans.of[id(node)].title]
        for title in dict.fromkeys(self.plans.of[id(stage)].title for stage in stages):
            alike = [stage for stage in stages if self.plans.of[id(stage)].title == title]
            if len(alike) < 2:
                continue
            titles = [self._by_subject(title, subject(stage)) for stage in alike]
            apart = all(titles) and len(set(map(str, titles))) == len(alike)
            for place, (stage, found) in enumerate(zip(alike, titles, strict=True)):
                if apart and found:
                    self._titles[id(stage)] = found
                else:
                    self._marks[id(stage)] = f" {ascii_uppercase[place % 26]}"

    def _by_subject(self, title: str, what: Place | Ref | None) -> Phrase | None:
        """Return a title such as "a turn: cards to the crib"; None without a place or store that can be named there."""
        if what is None or not (isinstance(what.who, Table) or current(what.who)):
            return None
        turn = self.book.a(self.book.noun(title))
        if isinstance(what, Ref):
            return self.say("{turn}: {store}", turn=turn, store=self.store(what))
        cards = self.book.noun(self.survey.piece(what), several=True)
        return self.say("{turn}: {cards} to {place:acc}", turn=turn, cards=cards, place=self.place(what).whole)

    def write(self) -> list[Section]:
        """Return the sections of the whole course."""
        blocks, say = self.game.blocks, self.say
        first = next((place for place, block in enumerate(blocks) if isinstance(block, Stage | Choice)), len(blocks))
        if not self.game_of_one():
            self.you = self.FIRST
        before = self._blocks(blocks[:first], "")
        drawn = [node for node in walk(blocks[:first]) if isinstance(node, Cycle) and node.op == "current"]
        if drawn:
            lots = any(self.draws_lots(node) for node in walk(blocks[:first]))
            self._starter = say("the player who was drawn") if lots else say("the player who got the turn above")
        if before:
            self.sections.append(Section(say("Before the game"), [], before))
        rest = blocks[first:]
        after = len(self.sections)
        items = self._blocks(rest, "")
        if items and (len(rest) > 1 or not isinstance(rest[0], Stage) or not self.plans.of[id(rest[0])].title):
            self.sections.insert(after, Section(say("The course of play"), [], items))
        return self.sections

    # -- blocks

    def _blocks(self, blocks: tuple[Block, ...], inside: str) -> list[Item]:
        found: list[Item] = []
        for place, block in enumerate(blocks):
            before = tuple(each for each in blocks[:place] if not isinstance(each, Stage))
            self._moved = any(isinstance(node, Cycle) and node.op == "current" for node in walk(before))
            if isinstance(block, Choice):
                found += self._choice(block)
            elif isinstance(block, Stage):
                found += self._stage(block, inside)
            else:
                found += self.actions(block)
        return self.with_notes(found)

    def _choice(self, choice: Choice) -> list[Item]:
        """Return the lines of a choice: first what a ``let`` around it names."""
        first = choice.steps[0] if choice.steps else None
        if isinstance(first, Let) and not choice.players:
            inner = tuple(step.step for step in choice.steps if isinstance(step, Let) and step.var is first.var)
            if len(inner) == len(choice.steps):
                return [*self.named(first, inner), *self._choice(replace(choice, steps=inner))]
        return [self._chosen_from(choice)]

    def _chosen_from(self, choice: Choice) -> Item:
        person, say = self.you, self.say
        players = any(isinstance(node, Use) and node.type is Type.PLAYER for node in walk(choice))
        if choice.players:
            self.you = PlayerPhrase(say("each of these players"), THEIRS)
        elif person != self.YOU and not players:
            self.you = PlayerPhrase(person.name, THEIRS)
        options = [item for step in choice.steps for item in self.options(step)]
        self.you = person
        if choice.players:
            each = self.one(self.noun(choice.players), "each {noun}")
            if only := self._has_to(options, *TOGETHER, each=each):
                return only
            text = say("**{each} chooses one of these, at the same time**", each=each)
            return Item(text, options, bullets=True, opens=True)
        who = self.you.name
        if only := self._has_to(options, *ALONE, person=who):
            return only
        if not options:
            return Item(say("{person} {person|chooses|choose} nothing", person=who))
        text = say("**{person} {person|chooses|choose} one of these**", person=who)
        return Item(text, options, bullets=True, opens=True)

    def _has_to(self, options: list[Item], simple: str, choosing: str, **who: Phrase) -> Item | None:
        """Return the line for the only option of a choice; None where it has several, or one sentence cannot say it."""
        if len(options) != 1 or options[0].inner or options[0].covers:
            return None
        if options[0].chosen is None:
            return Item(self.say(simple, action=options[0].text, **who))
        what, then = options[0].chosen
        return Item(self.say(choosing, what=what, next=then, **who)) if then else None

    def _stage(self, stage: Stage, inside: str) -> list[Item]:
        plan = self.plans.of[id(stage)]
        before = self.nested, self.rounds, self.coming
        self.nested = plan.kind not in ("turns", "rounds")
        if self.nested:
            self.rounds = self.coming = None  # the turns that go round are not those of this stage
        found = self._planned(stage, plan, inside)
        self.nested, self.rounds, self.coming = before
        return found

    def _planned(self, stage: Stage, plan: StagePlan, inside: str) -> list[Item]:
        if plan.kind == "once":
            items = self._blocks(stage.blocks, inside)
            if plan.ends is None:
                return items
            return self.under(self.say("if {clause}", clause=self.clause(negate(_only(plan.ends)))), items)
        if plan.kind == "again":
            text = self.say("again and again, until {clause}", clause=self.clause(stage.end))
            return [Item(text, self._blocks(stage.blocks, inside), covers=True)]
        if plan.kind == "itself":
            return self._by_itself(stage, inside)
        return [self._round(stage, plan, inside)]

    def _by_itself(self, stage: Stage, inside: str) -> list[Item]:
        turns = any(isinstance(node, Relative) and node.kind == stage.kind for node in walk((stage.end, stage.blocks)))
        before, team, say = self.you, self.team, self.say
        if turns and stage.kind == "player":
            self.you = self.IN_TURN
        clause = self.clause(stage.end)
        message, start = "until {clause}, again and again", before.name
        if turns and stage.kind == "player":
            message = "until {clause}, again and again, for one player after another, beginning with {start:dat}"
        elif turns:
            message = "until {clause}, again and again, for one team after another, beginning with {start:dat}"
            start = say("the first team")
        items = self._blocks(stage.blocks, inside)
        self.you, self.team = before, team
        if not items:
            return [Item(say("wait until {clause}", clause=clause))]
        return [Item(say(message, clause=clause, start=start), items, covers=True)]

    # -- stages that go round

    def _round(self, stage: Stage, plan: StagePlan, inside: str) -> Item:
        mark, outer, say = self._marks.get(id(stage), ""), self.you, self.say
        noun, nouns = self.book.noun(plan.title), self.book.noun(plan.title, several=True)
        title = self._titles.get(id(stage)) or say("{noun}{mark}", noun=noun if mark else self.book.a(noun), mark=mark)
        section = Section(title)
        self.sections.append(section)
        ends = self._ends(stage, plan)
        section.ends = self._listed_ends(stage, plan)
        section.intro = self._intro(stage, plan, None if section.ends else ends, inside)
        around = self.rounds, self.coming
        self.rounds, self.coming = noun if plan.kind == "rounds" else None, None
        self.you = self.YOU if plan.kind == "turns" else self.STARTING
        own = tuple(block for block in stage.blocks if not isinstance(block, Stage))
        if plan.kind == "rounds" and any(isinstance(node, Cycle) and node.op == "current" for node in walk(own)):
            self.you = self.ON_TURN
        if stage.kind == "team" or self.game_of_one():
            self.you, self.rounds = outer, None
        section.items = self._blocks(stage.blocks, plan.title)
        self.you = outer
        self.rounds, self.coming = around
        named = capital(str(section.title)).replace("*", "")  # it is in italics as a whole
        slots: dict[str, Slot] = {"many": nouns, "title": named}
        if len(str(ends)) < SHORT:
            return Item(say("play {many:acc} until {clause} (see *{title}*)", **slots, clause=ends))
        return Item(say("play {many:acc} (see *{title}*)", **slots))

    def _last(self, plan: StagePlan) -> PlayerPhrase:
        """Return who an end asks about, if it asks about the current player."""
        if plan.kind == "turns":
            return PlayerPhrase(self.say("the player who has just played"))
        return PlayerPhrase(self.say("the player who began the last {noun}", noun=self.book.noun(plan.title)))

    def _ends(self, stage: Stage, plan: StagePlan) -> Phrase:
        before, self.you = self.you, self._last(plan)
        if plan.counted:
            ends = self.book.listed([self._counted(stage, plan), *map(self.clause, plan.others)], "{others} or {last}")
        else:
            ends = self.clause(stage.end)
        self.you = before
        return ends

    def _listed_ends(self, stage: Stage, plan: StagePlan) -> list[Phrase]:
        """Return the ends of a stage one by one; [] where there are few."""
        end = stage.end
        parts = end.parts if isinstance(end, Logic) and end.op == "or" else (end,)
        if len(parts) <= MOST_ENDS and not any(isinstance(part, Logic) for part in parts):
            return []
        before, self.you = self.you, self._last(plan)
        found = [self._counted(stage, plan)] if plan.counted else []
        found += [self.clause(part) for part in (plan.others if plan.counted else parts)]
        self.you = before
        return found

    def _counted(self, stage: Stage, plan: StagePlan) -> Phrase:
        if plan.times is None:
            every = self.say("every {noun}", noun=self.book.noun(stage.kind))
            return self.say("{every} has had {turn:acc}", every=every, turn=self.book.a(self.book.noun(plan.title)))
        return self.say("{turns} {turns|has|have} been played", turns=self.book.some(plan.times, plan.title))

    def _intro(self, stage: Stage, plan: StagePlan, ends: Phrase | None, inside: str) -> list[Phrase]:
        say, noun, many = self.say, self.book.noun(plan.title), self.book.noun(plan.title, several=True)
        own = [block for block in stage.blocks if not isinstance(block, Stage)]
        named = any(isinstance(node, Cycle) and node.op == "next" for node in walk(tuple(own)))
        starter = self._starter
        if inside:
            starter = self.you.name
            if self.you == self.STARTING:
                starter = say("the starting player of the {noun}", noun=self.book.noun(inside))
        if self._moved or (inside and self.you == self.ON_TURN):
            starter = say("the player whose turn it is by then")
        slots = {"starter": starter, "noun": noun, "many": many}
        found = []
        if stage.kind == "team":
            found.append(say("the teams take {many:acc} one after the other, beginning with the first", **slots))
        elif self.game_of_one():
            found += [say("you take one turn after another")] if plan.kind == "turns" else []
        elif _goes_round(stage):
            turn = say(STARTS[plan.kind == "turns"], **slots)
            found.append(say("{turn}, unless a step below says otherwise", turn=turn) if named else turn)
        return [
            *found,
            say(
                "{many} go on until {clause}" if ends else "{many} go on until one of these is the case",
                many=many,
                clause=ends or "",
            ),
        ]

    def game_of_one(self) -> bool:
        """Return whether there is exactly one player."""
        return isinstance(self.game.players, Number) and self.game.players.value == 1


def _goes_round(stage: Stage) -> bool:
    """Return whether anything in a stage depends on whose turn it is."""
    found = list(walk((stage.end, stage.blocks)))
    together = [node for node in found if isinstance(node, Choice) and node.players]
    own = {id(node) for choice in together for node in (choice, *walk(choice.steps))}  # "current" is who chooses there
    return any(isinstance(node, Relative | Cycle | Stage | Choice) and id(node) not in own for node in found)


def _only(test: Value) -> Value:
    return test.parts[0] if isinstance(test, Logic) and len(test.parts) == 1 else test
