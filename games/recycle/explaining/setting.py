"""What a game is played with: players, cards, places and who sees them, stores, what cards count."""

from __future__ import annotations

from collections import defaultdict

from games.core.moves import RulesFailed
from games.recycle.cards import Attributes, copies_of, deck
from games.recycle.constants import constant
from games.recycle.explaining.course import CourseOfPlay
from games.recycle.explaining.decks import back_of, decks_of
from games.recycle.explaining.points import points_in_words
from games.recycle.explaining.simple import teams_in_words
from games.recycle.explaining.survey import MOST_USES, PIECES
from games.recycle.explaining.words import noun_of
from games.recycle.labels import NOTHING
from games.recycle.phrase_book import MOST_LISTED, Phrase, capital, phrase
from games.recycle.tree import Address, Award, Name, Names, Range, SetName, SetPoints, Value

OPEN, NOTED = phrase("everybody"), phrase("everybody (it notes cards that lie elsewhere)")
EYES = {
    ("vloc", "game"): OPEN,
    ("iloc", "game"): phrase("nobody"),
    ("hloc", "game"): phrase("nobody"),
    ("mem", "game"): NOTED,
    ("iloc", "player"): phrase("only its owner"),
    ("hloc", "player"): phrase("nobody, not even its owner"),
    ("oloc", "player"): phrase("everybody but its owner"),
    ("mem", "player"): NOTED,
}
OWNERS = {"game": phrase("the table"), "player": phrase("each player"), "team": phrase("each team")}
MOST_ROWS = 60  # rows of a table
MOST_WORDS = 20  # that a store may hold, and that are listed
KIND = {"sto": phrase("a number"), "who": phrase("a player")}
SECRET = {
    "i": phrase("{what}, which only its owner knows"),
    "h": phrase("{what}, which nobody knows"),
    "o": phrase("{what}, which its owner does not know"),
}


def what_is_needed(course: CourseOfPlay) -> list[str]:
    """Return the lines about players and cards."""
    game, say = course.game, course.say
    lines = [say("{players}", players=_players(course, game.players))]
    if game.teams and any(len(team) > 1 for team in game.teams.teams):
        teams = teams_in_words(course.book, game.teams.teams)
        opposite = game.teams.teams == ((0, 2), (1, 3))
        message = "teams: {teams}, counted round the table"
        if opposite:
            message = "teams: {teams}, counted round the table. Partners sit opposite each other"
        lines.append(say(message, teams=teams))
    decks, total = decks_of(course, game.decks)
    by_place: dict[str, list[tuple[Phrase, bool]]] = defaultdict(list)
    found: dict[str, Phrase] = {}
    for statement, said, several in decks:
        place = course.place(statement.place).whole
        found[str(place)] = place
        by_place[str(place)].append((said, several))
    for name, held in by_place.items():
        cards = course.book.listed([said for said, _ in held[: MOST_ROWS + 1]], "{others}; {last}", MOST_ROWS)
        message = "{cards}. They begin in {place:dat}" if held[0][1] else "{cards}. It begins in {place:dat}"
        message = "{cards}. They all begin in {place:dat}" if len(held) > 1 else message
        lines.append(say(message, place=found[name], cards=cards))
    if sum(statement.kind == "deck" for statement, *_ in decks) > 1 and total:
        lines.append(say("that makes {n} cards", n=total))
    if len({back_of(statement) for statement, *_ in decks}) > 1:
        lines.append(say("the cards have different backs, which show to which deck a card belongs"))
    return [f"- {capital(str(line))}." for line in lines]


def _players(course: CourseOfPlay, players: Value) -> Phrase:
    noun = course.book.noun("player", several=True)
    if isinstance(players, Range):
        slots = {"low": constant(players.low) or 0, "high": constant(players.high) or 0}
        message = "{low} or {high} {noun}" if slots["high"] == slots["low"] + 1 else "{low} to {high} {noun}"
        return course.say(message, **slots, noun=noun)
    return course.book.some(constant(players) or 0, "player")


def places(course: CourseOfPlay) -> list[str]:
    """Return a table of the places."""
    titles = course.say("| Place | Whose | Who sees them |")
    rows = [str(titles), "|---|---|---|"]
    shown: set[tuple[str, str, str]] = set()
    lists: dict[str, list[Phrase]] = {}
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    fixed_first = sorted(course.survey.places.items(), key=lambda item: not item[0].name)
    for each, nodes in fixed_first:
        by_size = sorted(nodes[:MOST_USES], key=lambda node: len(course.survey.domain(node.name) or ()), reverse=True)
        for node in by_size:
            domain = course.survey.domain(node.name)
            left = [text for text in domain or () if text not in seen[each.word, each.owner]]
            if domain is not None and not left:
                continue
            seen[each.word, each.owner].update(left)
            row = _place_row(course, each, left if domain is not None else None)
            if (*row[:2], each.word) not in shown:
                rows.append(f"| {row[0]} | {row[1]} | {row[2]} |")
            shown.add((*row[:2], each.word))
    for declare in course.game.declares:
        noun = noun_of(declare.var)
        if noun and isinstance(declare.value, Names):
            letters = {text for text in course.place_names.names if len(text) == 1}  # "A" is no ace there
            lists[noun] = [
                course.place_label(text) if text in letters else course.value(text) for text in declare.value.texts
            ]
    lines = rows[:MOST_ROWS]
    if len(rows) > MOST_ROWS:
        lines += ["", str(course.say("There are more of them."))]
    for noun, held in lists.items():
        nouns, listed = course.book.noun(noun, several=True), course.book.listed(held, most=MOST_LISTED)
        lines += [
            "",
            capital(str(course.say("the **{noun}** are {values}.", noun=nouns, values=listed))),
        ]
    hidden = [
        each for each in dict.fromkeys(each.name for each, _ in fixed_first) if each in course.labels.hidden_places
    ]
    if hidden:
        listed = course.book.listed([course.place_label(name) for name in hidden], most=MOST_LISTED)
        message = "Some places are for the rules only, and the table does not show them: {places}."
        lines += ["", str(course.say(message, places=listed))]
    return lines


def _place_row(course: CourseOfPlay, each: Address, called: list[str] | None) -> tuple[str, str, str]:
    say = course.say
    eyes, owner = str(say(EYES.get((each.word, each.owner), OPEN))), str(say(OWNERS[each.owner]))
    if called is None:
        return str(say("Places that get their names in play")), owner, eyes
    labels = [course.place_label(text) for text in called[: MOST_LISTED + 1]]
    both = any(len(course.shown.get((each.owner, text), ())) > 1 for text in called)
    ways = f" {course.seen_by(each.word)}" if both else ""
    return f"{course.book.listed(labels, most=MOST_LISTED)}{ways}", owner, eyes


def stores(course: CourseOfPlay) -> list[str]:
    """Return a list of the numbers and names that are kept."""
    lines, say = [], course.say
    silent = _silent_stores(course)
    for what in ("sto", "str", "who"):
        for each in course.survey.refs:
            if not each.word.endswith(what) or not each.name or each in silent:
                continue
            owner = say("for all") if each.owner == "game" else say(OWNERS[each.owner])
            if each in course.survey.flags:
                kind = say("yes or no")
            else:
                kind = say(KIND[what]) if what in KIND else _which(course, each)
            if secret := each.word.removesuffix(what):
                kind = say(SECRET[secret], what=kind)
            if each.name in course.labels.hidden_stores:
                kind = say("{what} (kept for the rules, not shown at the table)", what=kind)
            label = course.book.label(course.labels.word(each.name))
            lines.append(str(say("- **{label}** ({owner}): {what}.", label=label, owner=owner, what=kind)))
    if not lines:
        return []
    flags = course.survey.flags - silent
    start = say("Numbers begin at 0, and what is yes or no begins with no.") if flags else say("Numbers begin at 0.")
    more = [str(say("There are more of them."))] if len(lines) > MOST_ROWS else []
    return [*lines[:MOST_ROWS], "", " ".join([str(start), *more])]


def _silent_stores(course: CourseOfPlay) -> set[Address]:
    """Return the stores that no sentence speaks of."""
    return {
        each
        for each, writes in course.survey.writes.items()
        if writes and all(id(write) in course.silent for write in writes)
    }


def _which(course: CourseOfPlay, each: Address) -> Phrase:
    texts: dict[str, None] = {}
    for write in course.survey.writes[each]:
        if isinstance(write, SetName):
            domain = course.survey.domain(write.value)
            if domain is None:
                return course.say("a word")
            texts |= dict.fromkeys(domain)
    words = [course.value(text) for text in texts if text not in NOTHING]
    return course.book.listed(words, "{others} or {last}", MOST_WORDS) if words else course.say("a word")


def points(course: CourseOfPlay) -> list[str]:
    """Return what cards count."""
    lines: list[str] = []
    say = course.say
    for each, writes in list(course.survey.writes.items()):
        if each.word != "points" or len(lines) > MOST_ROWS:
            continue
        first = next((write for write in writes if isinstance(write, SetPoints)), None)
        if first is None:
            continue
        label = course.book.label(course.labels.word(each.name)) if each.name else say("Some cards")
        said = course.book.listed(points_in_words(course, first) or [say("nothing")], "{others}; {last}")
        message = "- **{label}**: {points}." if each.owner == "game" else "- **{label}** ({owner}): {points}."
        lines.append(str(say(message, label=label, points=said, owner=say(OWNERS[each.owner]))))
        if len(writes) > 1:
            lines.append(f"    - {say('That changes in the course of the game, as is said there.')}")
    if lines and not _all_named(course):
        lines += ["", str(say("A {noun} that is not named counts 0.", noun=course.book.noun(course.survey.only_kind)))]
    return lines


def _all_named(course: CourseOfPlay) -> bool:
    """Return whether each point map names all cards that there are."""
    try:
        decks = [copies_of(made)[0] for made in course.game.decks]
        meant = [made for made in decks if course.survey.only_kind in ("piece", PIECES[made.kind])]
        cards = [card for made in meant for card in deck(made.attributes)]
    except RulesFailed:
        return False
    maps = [node for writes in course.survey.writes.values() for node in writes if isinstance(node, SetPoints)]
    return all(any(_names(award, card) for award in node.awards) for node in maps for card in cards)


def _names(award: Award, card: Attributes) -> bool:
    """Return whether an award is for a card, whatever happens in the match."""
    return all(
        isinstance(key, Name) and isinstance(value, Name) and card.get(key.text) == value.text
        for key, value in award.pairs
    )
