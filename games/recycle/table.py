"""A text on the table: an observation put into the table vocabulary."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence

from games.core.ranks import standings
from games.core.view import (
    Arg,
    Counter,
    Drawing,
    LegalMove,
    Piece,
    RoundScoring,
    ScoringRow,
    SeatView,
    Sentence,
    Several,
    Zone,
    closed_card,
    closed_pile,
    say,
    seat_arg,
)
from games.recycle import verbs
from games.recycle.awards import how_won
from games.recycle.compiler import Program
from games.recycle.labels import NOTHING
from games.recycle.machine import NOBODY, Op
from games.recycle.moves import ChoiceOption, Where
from games.recycle.phrases import MOST_ASKED, OptionPhrases, joined
from games.recycle.rules import Lying, Observation, PlaceSeen, StoreSeen, TrickSeen
from games.recycle.tricks import winning
from games.recycle.zones import is_drawn, is_trick, layout_of, zone_of

MOST_IN_LINE = 4  # stores in the line above the table
MOST_AT_SEAT = 4  # numbers at a player's name, and as many words
MOST_SOURCES = 5  # columns of what a score is made of
# Titles of the columns that are not named after a store: see ``awards.Gain``.
_SOURCES = {
    "sum": say("Sums"),
    "run": say("Runs"),
    "suit": say("One suit"),
    "alike": say("Pairs and more"),
    "same": say("Alike"),
    "card": say("Single cards"),
    "added": say("Added"),
    "taken off": say("Taken off"),
}


def render(seen: Observation, program: Program) -> Drawing:
    """Return what an audience sees."""
    return _Table(seen, program).drawing()


class _Table:
    def __init__(self, seen: Observation, program: Program) -> None:
        self.seen, self.program = seen, program
        self.labels, self.faces = program.labels, program.faces
        self.options = [option for option in seen.options if not option.alike]
        self.filled = {(place.where.vis, place.where.name) for place in seen.places if place.cards}
        targets = [action.target for option in self.options for action in option.actions if action.target]
        self.filled |= {(target.vis, target.name) for target in targets}
        self.places = [place for place in seen.places if is_drawn(program, place.where) and self._matters(place)]
        self.shown = {card.id for _, card in seen.trick.plays}
        self.sizes = {place.where: len(place.cards) for place in seen.places}
        self.kinds: dict[tuple[int, str], set[str]] = {}  # by owner and name: visibility words of what is drawn
        for place in self.places:
            self.kinds.setdefault(place.where[1:], set()).add(place.where.vis)
        hidden = self.labels.hidden_stores
        self.players: list[StoreSeen] = []  # open stores that hold a player
        self.secrets: list[StoreSeen] = []
        self.stores: dict[tuple[str, int], list[StoreSeen]] = {}  # the other open ones, by owner
        for store in seen.stores:
            if store.name not in hidden:
                if store.vis != "vloc":
                    self.secrets.append(store)
                    continue
                if store.what == "who":
                    self.players += [store] if store.value != NOBODY else []
                    continue
                self.stores.setdefault((store.owner, store.number), []).append(store)
        self.teams = {seat: number for number, team in reversed([*enumerate(seen.teams)]) for seat in team}
        self.mover = seen.seat if seen.seat is not None else -1  # only the mover sees options, so it is the viewer
        held = {one.name: self._value(one) for one in self._stores_of("game", 0) if one.what != "who"}
        self.phrases = OptionPhrases(self.labels, self.faces, self.mover, self.sizes, held)

    def _matters(self, place: PlaceSeen) -> bool:
        """Return whether a place has ever held a card, or players may put one there.

        A place from which only the rules take cards, as of those to be passed on, matters while there are some.
        """
        where, uses = place.where, self.program.uses
        kind = where.vis, where.name
        waits = where.owner >= 0 and where.vis in ("iloc", "hloc") and kind in uses.put_to - uses.chosen_from
        if waits and layout_of(self.program, where) == "row" and not verbs.is_hand(where):
            return kind in self.filled
        return place.used or kind in uses.put_to

    def drawing(self) -> Drawing:
        seen = self.seen
        zones = self._zones()
        drawing = Drawing(
            phase=self._phase(),
            prompt=self._prompt(),
            seats=[self._seat(seat) for seat in range(seen.seats)],
            zones=zones,
            moves=self._moves(zones),
        )
        if seen.in_a_row > 1:
            some = self.options[: seen.in_a_row]
            drawing["several"] = Several(count=len(some), label=self.phrases.label_of_several(some))
        if seen.over:
            drawing["outcome"] = self._outcome()
            if scoring := self._scoring():
                drawing["scoring"] = scoring
        if self.program.tricks.place:
            self._add_tricks(drawing)
        if seen.scores and seen.seats > 1:
            scores = tuple([int(score) for score in seen.scores])
            drawing["standings"] = standings(scores, low_wins=self.program.low_wins, teams=seen.teams)
        if self.faces.own:
            drawing["pictures"] = self.faces.own
        return drawing

    def _add_tricks(self, drawing: Drawing) -> None:
        """Add who has won the trick in the middle, and the last one that was won before it."""
        trick, last = self.seen.trick, self.seen.last_trick
        if trick.winner >= 0:
            cards = [card.face for seat, card in trick.plays if seat == trick.winner]
            card = self.faces.arg(cards[0]) if len(cards) == 1 else None
            drawing["settled"] = winning(trick.winner, card, trick.points)
        if last.plays:
            name = self.program.tricks.place
            drawing["last_trick"] = self._trick(f"last:{name}", say("Last trick"), last, "last/")

    # -- words

    def _phase(self) -> Sentence:
        if self.seen.over:
            return say("The match is over")
        shown = [store for store in self._stores_of("game", 0) if store.what != "who" and store.value not in ("", 0)]
        # A player whom the table's store holds has a mark. One whom another player's store holds is named here.
        shown += [store for store in self.players if store.owner == "player"]
        if not shown:
            return say("Playing")
        return joined(list(map(self._in_line, shown[:MOST_IN_LINE])), "{before} \N{MIDDLE DOT} {after}")

    def _in_line(self, store: StoreSeen) -> Sentence:
        """Return what the line above the table says of a store."""
        name, value = self.labels.word(store.name), self._value(store)
        if store.owner == "player":
            return say("{store} ({whom}): {value}", store=name, whom=seat_arg(store.number), value=value)
        return say("{store}: {value}", store=name, value=value)

    def _prompt(self) -> Sentence:
        seen = self.seen
        if seen.over:
            return self._outcome()
        if not self.options:
            first, *more = seen.movers
            waiting = say("Waiting for {seat}", seat=seat_arg(first))
            if more:
                waiting = say("Waiting for {count} players", count=len(seen.movers))
            return joined([self.phrases.label(seen.chosen, 0), waiting]) if seen.chosen else waiting
        asked = self.phrases.asked(self.options, several=seen.in_a_row > 1)
        if len(asked) > MOST_ASKED:
            return say("Your turn: choose one of {count}", count=len(self.options))
        templates = ["Your turn: {a}", "Your turn: {a} or {b}", "Your turn: {a}, {b} or {c}"]
        return say(templates[len(asked) - 1], **dict(zip("abc", asked, strict=False)))

    def _outcome(self) -> Sentence:
        seen = self.seen
        winners = seen.winners
        low = self.program.low_wins
        if not winners:
            alone = "{seat} ends with {score}; lower is better" if low else "{seat} ends with {score}"
            return say(alone, seat=seat_arg(0), score=int(seen.scores[0]))
        score = int(seen.scores[winners[0]])
        if len(winners) == 1:
            return say(how_won(seen.scores, low_wins=low), seat=seat_arg(winners[0]), score=score)
        if tuple(winners) in {tuple(sorted(team)) for team in seen.teams} and len(winners) == 2:
            first, second = map(seat_arg, winners)
            pair = (
                "{first} and {second} win with the lowest score: {score}"
                if low
                else "{first} and {second} win with {score}"
            )
            return say(pair, first=first, second=second, score=score)
        share = (
            "{count} players share the win with the lowest score: {score}"
            if low
            else "{count} players share the win with a score of {score}"
        )
        return say(share, count=len(winners), score=score)

    def _scoring(self) -> RoundScoring | None:
        """Return what the scores of the last round are made of; None if that says no more than the scores."""
        seen, points = self.seen, dict[tuple[int, str], int]()
        sources = list(dict.fromkeys(gain.source for gain in seen.gains))
        shown = [one for one in sources if one not in self.labels.hidden_stores]
        shown = shown if len(shown) <= MOST_SOURCES else shown[: MOST_SOURCES - 1]
        for seat, source, count in seen.gains:
            key = seat, source if source in shown else "added"
            points[key] = points.get(key, 0) + count
        columns = list(dict.fromkeys(source for _, source in points))
        gained = [sum(points.get((seat, one), 0) for one in columns) for seat in range(seen.seats)]
        whole = gained == list(seen.scores)
        if not columns or (whole and len(columns) == 1):
            return None
        titles = [_SOURCES.get(one) or self._word(self.labels.word(one)) for one in columns]
        rows = []
        for seat in range(seen.seats):
            cells = [_signed(points.get((seat, one), 0)) for one in columns]
            row = ScoringRow(seat=seat, cells=[*cells, str(int(seen.scores[seat]))])
            if seat in seen.winners:
                row["mark"] = "won"
            rows.append(row)
        return RoundScoring(
            id="end",
            title=say("the whole match") if whole else say("the last round"),
            columns=[*titles, say("Score")],
            rows=rows,
            verdict=self._outcome(),
        )

    def _value(self, store: StoreSeen) -> Arg:
        if store.what == "who" and isinstance(store.value, int):
            return seat_arg(store.value)
        return store.value if isinstance(store.value, int) else self.labels.value(str(store.value))

    # -- seats

    def _stores_of(self, owner: str, number: int) -> list[StoreSeen]:
        return self.stores.get((owner, number), [])

    def _seat(self, seat: int) -> SeatView:
        seen, labels = self.seen, self.labels
        team = self.teams.get(seat, -1)
        own = self._foremost([*self._stores_of("player", seat), *self._stores_of("team", team)])
        counters = [
            Counter(id=f"{store.owner}:{store.name}", label=self._word(labels.word(store.name)), value=store.value)
            for store in own
            if isinstance(store.value, int)
        ]
        if self._needs_score():
            score = int(seen.scores[seat]) if seen.scores else 0
            counters.insert(0, Counter(id="score", label=say("Score"), value=score))
        words = [labels.value(str(store.value)) for store in own if store.value not in NOTHING and self._is_word(store)]
        words += [labels.value(held.name) for held in self.players if held.owner == "game" and held.value == seat]
        if team >= 0 and len(seen.teams[team]) > 1:
            words.insert(0, f"team {team + 1}")
        state = "won" if seat in seen.winners else "in"
        return SeatView(seat=seat, state=state, counters=counters, marks=list(dict.fromkeys(words)))  # type: ignore[typeddict-item]

    @staticmethod
    def _is_word(store: StoreSeen) -> bool:
        return isinstance(store.value, str)

    def _foremost(self, stores: Sequence[StoreSeen]) -> list[StoreSeen]:
        """Return the stores for which there is room at a player's name, in their order.

        What is scored goes first, then what the table file has a word for.
        """
        labels, scored = self.labels, self.program.uses.scored
        ranked = sorted(stores, key=lambda store: (store.name not in scored, store.name not in labels.words))
        kept: list[StoreSeen] = []
        for words in (False, True):
            kept += [store for store in ranked if self._is_word(store) == words][:MOST_AT_SEAT]
        return sorted((store for store in stores if store in kept), key=lambda store: store.name not in scored)

    def _needs_score(self) -> bool:
        """Return whether no store is the score. One that depends on hidden cards is shown at the end."""
        uses = self.program.uses
        shown = uses.score_store and uses.score_store[1] not in self.labels.hidden_stores
        return not shown and (uses.open_scoring or self.seen.over)

    @staticmethod
    def _word(word: str) -> Sentence:
        return say("{name}", name=word)

    # -- places

    def _zones(self) -> list[Zone]:
        needed = {action.piece for option in self.options for action in option.actions if action.what == Op.MOVE}
        needed |= {piece for option in self.options for action in option.actions for piece in action.dice}
        zones: dict[str, Zone] = {}
        for place in self.places:
            drawn = zone_of(self.program, place.where)
            if is_trick(self.program, place.where):
                label = say("{place}", place=self.labels.word(self.labels.key(place.where.name, place.where.owner)))
                zones[drawn] = self._trick(drawn, label, self.seen.trick)
                continue
            zone = self._zone(place, needed)
            if drawn not in zones:
                zones[drawn] = zone
            elif place.where.zone == drawn:  # what lies face down lies under it
                zones[drawn] = Zone(**{**zone, "pieces": zones[drawn]["pieces"] + zone["pieces"]})
            else:
                zones[drawn]["pieces"] = zone["pieces"] + zones[drawn]["pieces"]
        for drawn, zone in zones.items():
            zone["id"] = drawn
        return [*zones.values(), *map(self._secret, self.secrets)]

    def _trick(self, id: str, label: Sentence, trick: TrickSeen, prefix: str = "") -> Zone:
        """Return a trick. ``prefix``: of the ids of its cards, if they may lie elsewhere at the same time."""
        zone = Zone(id=id, label=label, layout="trick", pieces=[])
        for seat, card in trick.plays:
            piece = self.faces.open(card.face, prefix + card.id)
            piece["seat"] = seat
            if seat == trick.winner:
                piece["mark"] = "won"
            zone["pieces"].append(piece)
        return zone

    def _secret(self, store: StoreSeen) -> Zone:
        """Return a secret store: a note, face up for those who see what is on it. An unset one is empty."""
        id = f"{store.vis[0]}{store.what}:{store.name}"
        zone = Zone(id=id, label=say("{place}", place=self.labels.word(store.name)), layout="slot", pieces=[])
        if store.owner == "player":
            zone["id"], zone["seat"] = f"{id}:{store.number}", store.number
            if store.number != self.seen.seat:
                zone["label"] = say("{place} of {seat}", seat=seat_arg(store.number), **zone["label"]["args"])
        elif store.owner == "team":
            zone["id"] = f"{id}:team {store.number + 1}"
        if store.value is None:
            zone["pieces"] = [closed_card(zone["id"], 0, "note")]
        elif store.value not in (*NOTHING, NOBODY if store.what == "who" else 0):
            text = say("{value}", value=self._value(store))
            zone["pieces"] = [Piece(id=f"{zone['id']}#0", face=f"note {store.value}", label=text)]
        return zone

    def _zone(self, place: PlaceSeen, needed: set[str]) -> Zone:
        where = place.where
        # A trick that was won is in the middle until the next card is played, wherever its cards are by then.
        cards = [card for card in place.cards if not card.id or card.id not in self.shown or where.vis == "mem"]
        layout, label = layout_of(self.program, where), self._label(where)
        if layout == "pile":
            zone = self._pile(where, label, cards, needed)
        else:
            if layout == "hand":
                cards.sort(key=lambda card: self.faces.order(card.face))
            pieces = [self._piece(where, index, card) for index, card in enumerate(cards)]
            zone = Zone(id=where.zone, label=label, layout=layout, pieces=pieces)
        if where.owner >= 0:
            zone["seat"] = where.owner
        return zone

    def _pile(self, where: Where, label: Sentence, cards: Sequence[Lying], needed: set[str]) -> Zone:
        """A pile: of its cards only the top one is drawn, and those that may be taken out of it."""
        listed = [card for card in cards[:-1] if card.id and card.id in needed]
        if cards and not cards[-1].id:
            top = cards[-1]
            zone = closed_pile(where.zone, label, len(cards), top.back)
            zone["pieces"] = [self.faces.closed(piece) for piece in zone["pieces"]]
            if top.face:
                zone["pieces"] = [self.faces.known(top.face, f"{where.zone}#0", top.back)]
        else:
            pieces = [self._piece(where, -1, card) for card in [*listed, *cards[-1:]]]
            zone = Zone(id=where.zone, label=label, layout="pile", pieces=pieces, size=len(cards))
        return zone

    def _piece(self, where: Where, index: int, card: Lying) -> Piece:
        if not card.id:
            if card.face:
                return self.faces.known(card.face, f"{where.zone}#{index}", card.back)
            piece = closed_card(where.zone, index, card.back)
            if card.back.startswith("die "):
                piece["label"] = say("hidden die")
            elif card.back.startswith("tokens "):
                piece["label"] = say("hidden token")
            return self.faces.closed(piece)
        # A memory holds references: the card itself lies elsewhere, under its own id.
        piece = self.faces.open(card.face, f"{where.zone}/{card.id}" if where.vis == "mem" else card.id)
        if card.id in self.seen.awarded:
            piece["mark"] = "won"
        return piece

    def _label(self, where: Where) -> Sentence:
        word = self.labels.word(self.labels.key(where.name, where.owner))
        several = len(self.kinds[where[1:]]) > 1
        closed = where.vis in ("hloc", "iloc") and several and zone_of(self.program, where) == where.zone
        if where.owner < 0 or where.owner == self.seen.seat:
            return say("{place}, face down" if closed else "{place}", place=word)
        whose = seat_arg(where.owner)
        return say("{place} of {seat}, face down" if closed else "{place} of {seat}", place=word, seat=whose)

    # -- moves

    def _moves(self, zones: Sequence[Zone]) -> list[LegalMove]:
        drawn = {piece["id"] for zone in zones for piece in zone["pieces"]}
        ids = {zone["id"] for zone in zones}
        piles = {zone["id"]: zone for zone in zones if zone["layout"] == "pile"}
        labels = self.phrases.labelled(self.options)
        picks = [self._picks(option, drawn, piles) for option in self.options]
        targets = [self._target(option, ids) for option in self.options]
        # One tap is enough where a card can go to one place only; if any can go to several, all are aimed.
        ways = Tally(pieces for pieces, _ in dict.fromkeys(zip([one for one, _ in picks], targets, strict=True)))
        aimed = any(count > 1 for pieces, count in ways.items() if pieces)
        moves = []
        for option, label, (pieces, takes), target in zip(self.options, labels, picks, targets, strict=True):
            move = LegalMove(move=option.move, label=label, pieces=list(pieces))
            if aimed and pieces and target:
                move["target"] = target
            if takes:
                move["takes"] = takes
            moves.append(move)
        return _as_in_hand(moves, zones)

    def _picks(
        self, option: ChoiceOption, drawn: set[str], piles: dict[str, Zone]
    ) -> tuple[tuple[str, ...], list[str]]:
        """Return the pieces that a player picks up for an option, and those that come along.

        Picked are the cards that move first, from one place; of a place that is taken whole one is enough.
        """
        moves = self.phrases.handlings(option)
        rolled = [piece for action in option.actions for piece in action.dice]
        if rolled and not moves:
            return tuple(dict.fromkeys(self._drawn(rolled, drawn, piles))), []
        ids = [list(self._drawn((action.piece for action in move.actions), drawn, piles)) for move in moves]
        if not ids or not ids[0]:
            return (), sorted({one for some in ids for one in some})
        first, others = ids[0], [one for some in ids[1:] for one in some]
        whole = len(first) > 1 and len(moves[0].actions) == self.sizes.get(moves[0].source)
        if whole and not verbs.is_hand(moves[0].source):
            first, others = first[-1:], first[:-1] + others
        picked = dict.fromkeys(first)
        return tuple(picked), [one for one in dict.fromkeys(others) if one not in picked]

    def _drawn(self, pieces: Iterable[str], drawn: set[str], piles: dict[str, Zone]) -> Iterable[str]:
        """Return those of the cards that are drawn, by their ids; the top of a closed pile has one of its own."""
        for piece in pieces:
            zone, _, place = piece.rpartition("#")
            if zone in piles and place.isdecimal():
                if int(place) == piles[zone].get("size", 0) - 1:
                    yield f"{zone}#0"
            elif piece in drawn:
                yield piece

    def _target(self, option: ChoiceOption, zones: set[str]) -> str:
        moves = self.phrases.handlings(option)
        if not moves:
            return ""
        target = moves[0].target
        if target.owner not in (-1, self.mover) and verbs.is_hand(target):
            return f"seat:{target.owner}"
        zone = zone_of(self.program, target)
        return f"zone:{zone}" if zone in zones else ""


def _as_in_hand(moves: Sequence[LegalMove], zones: Sequence[Zone]) -> list[LegalMove]:
    """Return the moves with their cards in the order in which these lie in hands, and moves of hand cards so sorted."""
    hands = [piece["id"] for zone in zones if zone["layout"] == "hand" for piece in zone["pieces"]]
    place = {id: at for at, id in enumerate(hands)}
    held = [move for move in moves if move["pieces"] and all(id in place for id in move["pieces"])]
    for move in held:
        move["pieces"].sort(key=place.__getitem__)
    among = {move["move"] for move in held}
    ordered = iter(sorted(held, key=lambda move: [place[id] for id in move["pieces"]]))
    return [next(ordered) if move["move"] in among else move for move in moves]


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"\N{MINUS SIGN}{-points}" if points else ""
