"""Simple actions as sentences: "move the top card of the stock to the pool"."""

from __future__ import annotations

from games.recycle.explaining.clauses import Clauses
from games.recycle.explaining.comparing import current
from games.recycle.explaining.decks import deck_in_words
from games.recycle.explaining.points import award_in_words
from games.recycle.explaining.words import PlayerPhrase
from games.recycle.labels import NOTHING
from games.recycle.phrase_book import MOST_LISTED, Book, Phrase
from games.recycle.tree import (
    Action,
    CardAt,
    CreateDeck,
    CreateTeams,
    Cycle,
    Extreme,
    Filter,
    Forget,
    Move,
    Name,
    Number,
    Pass,
    Place,
    Relative,
    Remember,
    RepeatAll,
    Reveal,
    Roll,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Shuffle,
    Slice,
    Table,
    Type,
    Use,
    Value,
    address_of,
    bare,
)

LONG = 45  # characters of the words for a card: with more, a step of its own says which one is chosen
RATHER_LONG = 38  # with more, the place it goes to is said first
MOVE, PLAY = "move {card:acc} to {place:acc}", "play {card:acc} to {place:acc}"
FIRST = {MOVE: "move to {place:acc} {card:acc}", PLAY: "play to {place:acc} {card:acc}"}  # the place comes first


class Simple(Clauses):
    """Writes simple actions. ``choosing``: they are options of a choice, in which "any" is the player's."""

    choosing = False
    nested = False  # whether what is being described is a part of one step: what it does in some case, say
    rounds: Phrase | None = None  # what is being described, if it consists of turns: "trick"

    def simple(self, action: Action) -> Phrase:
        say = self.say
        match action:
            case Move():
                return self.move(action)
            case RepeatAll(action=inner):
                return self._repeat_all(inner)
            case SetNumber() | SetName() | SetPlayer() | SetPoints():
                return self._set(action)
            case Roll(cards=cards):
                if cards.type is Type.CARD:
                    return say("roll {dice:acc}", dice=self.card(cards))
                # All dice of a place: its other pieces stay as they are.
                return say("roll {dice:acc}", dice=self.them(self.noun(cards)._replace(head="die"), "all {noun}"))
            case Reveal(ref=ref):
                return say("reveal {store}", store=self.store(ref))
            case Remember(card=card, to=to):
                noted = say("note {card:acc} in {place:dat}", card=self.card(card), place=self.place(to.place).whole)
                if to.where == "bottom":
                    return say("{step}, below all that is noted there", step=noted)
                if not isinstance(to.where, str):
                    under = self.beneath(to.where, self.survey.piece(to.place))
                    return say("{step}, above {under:dat} from the bottom", step=noted, under=under)
                return noted
            case Forget(card=card):
                return say("forget {card:acc}", card=self.card(card))
            case Shuffle(cards=cards, second=None):
                return say("shuffle {place:acc}", place=self.noun(cards).whole)
            case Shuffle(cards=cards, second=second) if second is not None:
                message = "put {one:acc} and {other:acc} together, card by card (a faro shuffle)"
                return say(message, one=self.noun(cards).whole, other=self.noun(second).whole)
            case Pass():
                return say("pass")
            case Cycle():
                return self._cycle(action)
            case CreateDeck(place=place):
                made = deck_in_words(self, action, 1)
                return say("add {cards:acc} to {place:acc}", cards=made, place=self.place(place).whole)
            case CreateTeams(teams=teams):
                return say("make teams of {teams}", teams=teams_in_words(self.book, teams))
        return say("go on")

    def move(self, action: Move, card: Phrase | None = None, *, any_card: bool = False) -> Phrase:
        """Return what is moved where. ``card``: what, if not the card of the action; ``any_card``: the player's own."""
        say, wording, where = self.say, card or self.card(action.card), action.to.where
        slots = {"place": self.place(action.to.place).whole, "card": self.taken(wording)}
        if where == "bottom":
            return say("move {card:acc} to the bottom of {place:dat}", **slots)
        if not isinstance(where, str):
            under = self.beneath(where, self.survey.piece(action.to.place))
            return say("move {card:acc} into {place:acc}, above {under:dat} from the bottom", **slots, under=under)
        source, target, message = self._whence(action.card), action.to.place, MOVE
        if isinstance(source, Place) and isinstance(target, Place):
            hidden = isinstance(source.who, Table) and source.vis in ("iloc", "hloc")
            if hidden and isinstance(target.who, Table) and target.vis == "vloc":
                taken = action.card
                if isinstance(taken, CardAt) and taken.where == "top" and taken.cards is source and card is None:
                    return say("turn up {card:acc} and lay it on {place:acc}", **slots)
                return say(MOVE, **slots)
            if hidden and target.vis == "iloc" and not isinstance(target.who, Table) and not card:
                return say("draw {card:acc} into {place:acc}", **slots)
            if not isinstance(source.who, Table) and source.vis == "iloc" and target.vis == "vloc" and self.choosing:
                message = PLAY
        long = len(str(wording)) >= RATHER_LONG and (any_card or message == PLAY)
        return say(FIRST[message] if long else message, **slots)

    def _whence(self, card: Value) -> Value | None:
        """Return the place, or else the collection, that a card is taken from."""
        found = source_of(card)
        if found is None and isinstance(card, Use):
            found = self.survey.values.get(card.var)
        while isinstance(found, Filter | Slice):
            found = found.over if isinstance(found, Filter) else found.cards
        return found

    def _repeat_all(self, inner: Move | Forget) -> Phrase:
        card = bare(inner.card)
        if isinstance(inner, Forget):
            return self.say("clear {store:acc}", store=self.noun(source_of(card) or card).whole)
        if isinstance(card, CardAt):
            noun = self.noun(card.cards)
            one = isinstance(card.cards, Use) and not card.cards.var.live
            move = self.move(inner, noun.whole if one else self.them(noun, "all {noun}"))
            if card.where != "bottom":
                return move
            keeps = "{move}, in the order in which they lie"
            return self.say(keeps if inner.to.where == "top" else "{move}, beginning at the bottom", move=move)
        if isinstance(card, Extreme):
            everything = self.them(self.noun(card.cards), "all {noun}")
            message = (
                "{cards:=} (each time the highest first)"
                if card.op == "max"
                else "{cards:=} (each time the lowest first)"
            )
            return self.move(inner, self.say(message, cards=everything))
        return self.move(inner)

    def _set(self, action: SetNumber | SetName | SetPlayer | SetPoints) -> Phrase:
        say, store = self.say, self.store(action.ref)
        if isinstance(action, SetPoints):
            if len(self.survey.writes[address_of(action.ref)]) == 1:
                return say("work out {store} (see *{title}*)", store=store, title=self.counting())
            awards = [award_in_words(self, award) for award in action.awards[: MOST_LISTED + 1]]
            wording = self.book.listed(awards, "{others}; {last}", MOST_LISTED)
            return say("from now on {store} is: {awards}", store=store, awards=wording)
        value = action.value
        if isinstance(action, SetPlayer) and current(value) and self.you == self.YOU:
            return say("note yourself as {store}", store=store)
        if isinstance(action, SetPlayer):
            return say("note {what:acc} as {store}", what=self.person(value).name, store=store)
        if isinstance(action, SetName):
            if not isinstance(value, Name):
                return say("note {what:acc} as {store}", what=self.name(value), store=store)
            if value.text in NOTHING and value.text not in self.labels.words:
                return say("clear {store:acc}", store=store)
            return say("set {store:acc} to {value}", store=store, value=self.marked(value))
        if action.op == "set":
            flag = address_of(action.ref) in self.survey.flags and isinstance(value, Number)
            number = self.yes(value.value) if flag and isinstance(value, Number) else self.number(value)
            return say("set {store:acc} to {value}", store=store, value=number)
        message = "add {n} to {store:dat}" if action.op == "inc" else "subtract {n} from {store:dat}"
        return say(message, n=self.number(value), store=store)

    def counting(self) -> Phrase:
        """Return the title of the section about points."""
        return self.say("What {nouns} count", nouns=self.book.noun(self.survey.only_kind, several=True))

    def _cycle(self, action: Cycle) -> Phrase:
        say, player = self.say, action.player
        which = player.which if isinstance(player, Relative) else ""
        mine = self.you == self.YOU
        if action.op == "current":
            if which == "current":
                return say("the turn stays where it is")
            anew = mine and not self.choosing
            if which == "next":
                if anew:
                    return say('the turn passes to the next player at once, who is "you" from here on')
                return say("the turn passes to the next player at once")
            message = 'it is now the turn of {person}, who is "you" from here on'
            return say(
                message if anew else "it is now {person|the turn of {person}|the turn of {person}|your turn}",
                person=self._begins(player),
            )
        if which == "current":
            if mine:
                return say("you take another turn after this one")
            if self.you in (self.STARTING, self.FIRST) and self.rounds:
                return say("{person} also begins the next {noun}", person=self.you.name, noun=self.rounds)
            return say("{person} {person|has|have} another turn", person=self.you.name)
        if which == "next":
            return say("the turn then goes on as usual")
        person = self._begins(player)
        if not self.rounds:
            return say("{person} {person|takes|take} the next turn", person=person)
        if not self.nested:
            begins = say("the player who begins the next {noun}", noun=self.rounds)
            self.coming = PlayerPhrase(begins)
        return say("{person} {person|begins|begin} the next {noun}", person=person, noun=self.rounds)

    def _begins(self, player: Value) -> Phrase:
        person = self.person(player)
        return self.say("that player") if isinstance(player, Use) and person.name.count else person.name


def teams_in_words(book: Book, teams: tuple[tuple[int, ...], ...]) -> Phrase:
    """Return a sentence about who plays in a team with whom."""
    wording = []
    for team in teams:
        players = book.listed([str(player + 1) for player in team])
        wording.append(book.say("{noun} {numbers}", noun=book.noun("player", several=len(team) > 1), numbers=players))
    return book.listed(wording, "{others} against {last}" if len(wording) == 2 else "{others} and {last}")


def source_of(card: Value) -> Value | None:
    """Return the collection that a card is taken from."""
    card = bare(card)
    return card.cards if isinstance(card, CardAt | Extreme) else None
