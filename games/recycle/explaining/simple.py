"""Simple actions as sentences: "move the top card of the stock to the pool"."""

from __future__ import annotations

from games.recycle.explaining import names
from games.recycle.explaining.clauses import Clauses
from games.recycle.explaining.decks import deck_in_words
from games.recycle.explaining.phrases import op_word
from games.recycle.explaining.points import award_in_words
from games.recycle.explaining.survey import key
from games.recycle.tree import (
    Action,
    Actual,
    Best,
    CardAt,
    CreateDeck,
    CreateTeams,
    Cycle,
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
)

LONG = 45  # characters of a card: then where it goes is said first


class Simple(Clauses):
    """Writes simple actions. ``choosing``: they are options of a choice, in which "any" is the player's."""

    choosing = False

    def simple(self, action: Action) -> str:
        match action:
            case Move():
                return self.move(action)
            case RepeatAll(action=inner):
                return self._repeat_all(inner)
            case SetNumber() | SetName() | SetPlayer() | SetPoints():
                return self._set(action)
            case Roll(cards=cards):
                return f"roll {self.card(cards) if cards.type is Type.CARD else self.noun(cards).whole}"
            case Reveal(ref=ref):
                return f"reveal {self.store(ref)}"
            case Remember(card=card, to=to):
                return f"note {self.card(card)} in {self.place(to.place).whole}"
            case Forget(card=card):
                return f"forget {self.card(card)}"
            case Shuffle(cards=cards, second=None):
                return f"shuffle {self.noun(cards).whole}"
            case Shuffle(cards=cards, second=second) if second is not None:
                both = f"{self.noun(cards).whole} and {self.noun(second).whole}"
                return f"put {both} together, card by card (a faro shuffle)"
            case Pass():
                return "pass"
            case Cycle():
                return self._cycle(action)
            case CreateDeck(place=place):
                return f"add {deck_in_words(action, 1, self.labels)} to {self.place(place).whole}"
            case CreateTeams(teams=teams):
                return f"make teams of {teams_in_words(teams)}"
        return "go on"

    def move(self, action: Move, card: str = "") -> str:
        told = card or self.card(action.card)
        to, where = self.place(action.to.place).whole, action.to.where
        if where == "bottom":
            return f"move {told} to the bottom of {to}"
        if not isinstance(where, str):
            return f"move {told} into {to}, above {self._under(where)} from the bottom"
        source = self._whence(action.card)
        target = action.to.place
        if isinstance(source, Place) and isinstance(target, Place):
            hidden = isinstance(source.who, Table) and source.vis in ("iloc", "hloc")
            if hidden and isinstance(target.who, Table) and target.vis == "vloc":
                return (
                    f"turn up {told} and lay it on {to}" if told.startswith("the top card") else f"move {told} to {to}"
                )
            if hidden and target.vis == "iloc" and not isinstance(target.who, Table) and not card:
                return f"draw {told} into {to}"
            own = not isinstance(source.who, Table) and source.vis == "iloc"
            if own and target.vis == "vloc" and self.choosing:
                return f"play {told} to {to}" if len(told) < LONG else f"play to {to} {told}"
        return (
            f"move {told} to {to}"
            if len(told) < LONG or not told.startswith(("a ", "an ", "any "))
            else f"move to {to} {told}"
        )

    def _whence(self, card: Value) -> Value | None:
        """Return the place, or else the collection, that a card is taken from."""
        found = source_of(card)
        if found is None and isinstance(card, Use):
            found = self.survey.values.get(card.var)
        while isinstance(found, Filter | Slice):
            found = found.over if isinstance(found, Filter) else found.cards
        return found

    def _repeat_all(self, inner: Move | Forget) -> str:
        card = inner.card
        while isinstance(card, Actual):
            card = card.card
        if isinstance(inner, Forget):
            return f"clear {self.noun(source_of(card) or card).whole}"
        if isinstance(card, CardAt):
            noun = self.noun(card.cards)
            told = noun.whole if isinstance(card.cards, Use) and not card.cards.var.live else f"all {noun.many}"
            order = ""
            if isinstance(card.cards, Place) and card.where == "bottom" and inner.to.where == "top":
                order = ", in the order in which they lie"
            return self.move(inner, told) + order
        if isinstance(card, Best):
            return self.move(inner, f"all {self.noun(card.cards).many} (each time the {op_word(card.op)} first)")
        return self.move(inner)

    def _set(self, action: SetNumber | SetName | SetPlayer | SetPoints) -> str:
        store = self.store(action.ref)
        if isinstance(action, SetPoints):
            told = "; ".join(award_in_words(self, award) for award in action.awards[:40])
            if len(self.survey.writes[key(action.ref)]) == 1:
                return f"work out {store} (see *What cards count*)"
            return f"from now on {store} is: {told}"
        value = action.value
        if isinstance(action, SetPlayer):
            return f"note {self.person(value).name} as {store}"
        if isinstance(action, SetName):
            if isinstance(value, Name):
                if value.text in names.NOTHING and value.text not in self.labels.words:
                    return f"clear {store}"
                mark = "" if self._is_value(value) else "*"
                return f"set {store} to {mark}{self.word(value)}{mark}"
            return f"note {self.name(value)} as {store}"
        if action.op == "set":
            if key(action.ref) in self.survey.flags and isinstance(value, Number):
                return f"set {store} to {'yes' if value.value else 'no'}"
            return f"set {store} to {self.number(value)}"
        if action.op == "inc":
            return f"add {self.number(value)} to {store}"
        return f"take {self.number(value)} from {store}"

    def _cycle(self, action: Cycle) -> str:
        player = action.player
        if action.op == "current":
            if isinstance(player, Relative) and player.which == "next":
                you = ', who is "you" from here on' if self.you.name == "you" and not self.choosing else ""
                return f"the turn passes to the next player at once{you}"
            if isinstance(player, Relative) and player.which == "current":
                return "the turn stays where it is"
            you = ', and is "you" from here on' if self.you.name == "you" and not self.choosing else ""
            return f"{self._begins(player)} is on turn now{you}"
        if isinstance(player, Relative) and player.which == "current":
            if self.you.name == "you":
                return "it is your turn again after this"
            return (
                f"{self.you.name} {'begins the next one, too' if 'start' in self.you.name else 'is on turn once more'}"
            )
        if isinstance(player, Relative) and player.which == "next":
            return "the turn then goes on as usual"
        return f"{self._begins(player)} is the next player"

    def _begins(self, player: Value) -> str:
        person = self.person(player)
        if isinstance(player, Use) and person.name == "the players":
            return "that player"
        return person.name


def teams_in_words(teams: tuple[tuple[int, ...], ...]) -> str:
    """Return a sentence about who plays in a team with whom."""
    told = []
    for team in teams:
        players = names.listed([str(player + 1) for player in team])
        told.append(f"player{'s' if len(team) > 1 else ''} {players}")
    return names.listed(told, "against") if len(told) == 2 else names.listed(told)


def source_of(card: Value) -> Value | None:
    """Return the collection that a card is taken from."""
    while isinstance(card, Actual):
        card = card.card
    if isinstance(card, CardAt):
        return card.cards
    if isinstance(card, Best):
        return card.cards
    return None
