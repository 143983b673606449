"""What a game is played with: players, cards, places and who sees them, stores, what cards count."""

from __future__ import annotations

from collections import defaultdict

from games.recycle.constants import constant
from games.recycle.explaining import names
from games.recycle.explaining.course import Course
from games.recycle.explaining.decks import decks_of
from games.recycle.explaining.points import points_in_words
from games.recycle.explaining.simple import teams_in_words
from games.recycle.explaining.survey import Key
from games.recycle.explaining.words import SEEN_BY
from games.recycle.tree import Name, Range, SetName, SetPoints, Value

EYES = {
    ("vloc", "game"): "everybody",
    ("iloc", "game"): "nobody",
    ("hloc", "game"): "nobody",
    ("oloc", "game"): "everybody",
    ("mem", "game"): "everybody (it notes cards that lie elsewhere)",
    ("vloc", "player"): "everybody",
    ("iloc", "player"): "only its owner",
    ("hloc", "player"): "nobody, not even its owner",
    ("oloc", "player"): "everybody but its owner",
    ("mem", "player"): "everybody (it notes cards that lie elsewhere)",
}
OWNERS = {"game": "the table", "player": "each player", "team": "each team"}
MOST = 60  # rows of a table
KIND = {"sto": "a number", "who": "a player"}
SECRET = {"i": ", which only its owner knows", "h": ", which nobody knows", "o": ", which its owner does not know"}


def what_is_needed(course: Course) -> list[str]:
    """Return the lines about players and cards."""
    game = course.game
    lines = ["## What you need", "", f"- {_players(game.players)}"]
    if game.teams and any(len(team) > 1 for team in game.teams.teams):
        lines.append(
            f"- Teams: {teams_in_words(game.teams.teams)}, counted round the table.{_partners(game.teams.teams)}"
        )
    decks, total = decks_of(game.decks, course.labels)
    by_place: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for statement, told in decks:
        name = statement.name.text if isinstance(statement.name, Name) else ""
        by_place[course.place(statement.place).whole].append((told, name))
    backs = {name for held in by_place.values() for _, name in held}
    for place, held in by_place.items():
        cards = "; ".join(told for told, _ in held[:MOST])
        are = " They all begin" if len(held) > 1 else " They begin"
        lines.append(f"- {names.capital(cards)}.{are} in {place}.")
    if sum(statement.kind == "deck" for statement, _ in decks) > 1 and total:
        lines.append(f"- That makes {total} cards.")
    if len(backs) > 1:
        lines.append("- There are cards with different backs: from behind you can tell which deck a card is of.")
    return [*lines, ""]


def _players(players: Value) -> str:
    if isinstance(players, Range):
        low, high = constant(players.low), constant(players.high)
        return f"{low} to {high} players."
    count = constant(players) or 0
    return "One player." if count == 1 else f"{names.capital(names.number(count))} players."


def _partners(teams: tuple[tuple[int, ...], ...]) -> str:
    if teams == ((0, 2), (1, 3)):
        return " Partners sit opposite each other."
    return ""


def places(course: Course) -> list[str]:
    """Return a table of the places."""
    rows = ["| Place | Whose | Who sees its cards |", "|---|---|---|"]
    told: set[tuple[str, str, str]] = set()
    lists: dict[str, list[str]] = {}
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    fixed_first = sorted(course.survey.places.items(), key=lambda item: not item[0].name)
    for each, nodes in fixed_first:
        by_size = sorted(nodes[:500], key=lambda node: len(course.survey.domain(node.name) or ()), reverse=True)
        for node in by_size:
            domain = course.survey.domain(node.name)
            left = [text for text in domain or () if text not in seen[each.what, each.owner]]
            if domain is not None and not left:
                continue
            seen[each.what, each.owner].update(left)
            row = _place_row(course, each, left if domain is not None else None)
            if (*row[:2], each.what) not in told and len(rows) < MOST:
                rows.append(f"| {row[0]} | {row[1]} | {row[2]} |")
            told.add((*row[:2], each.what))
    for declare in course.game.declares:
        texts = getattr(declare.value, "texts", None)
        if texts and len(declare.var.name) > 3:
            lists[names.plural(names.singular(declare.var.name.lower()))] = [course.value(text) for text in texts]
    lines = rows
    for word, held in lists.items():
        lines += ["", f"The **{word}** are {names.listed(held[:40])}."]
    if course.labels.hidden_places & {each.name for each in course.survey.places}:
        lines += ["", "Some of these are for the rules only: the table does not show them."]
    return lines


def _place_row(course: Course, each: Key, called: list[str] | None) -> tuple[str, str, str]:
    eyes = EYES.get((each.what, each.owner), "everybody")
    owner = OWNERS[each.owner]
    if called is None:
        return "Places that get their names in play", owner, eyes
    words = [names.place(text, course.labels)[0] for text in called[:40]]
    labels = [names.capital(word if "*" not in word else word.split(" *")[-1].strip("*")) for word in words]
    both = any(len(course.shown.get((each.owner, text), ())) > 1 for text in called)
    return f"{names.listed(labels)}{f' ({SEEN_BY[each.what]})' if both else ''}", owner, eyes


def stores(course: Course) -> list[str]:
    """Return a list of the numbers and names that are kept."""
    lines = []
    silent = _silent_stores(course)
    for what in ("sto", "str", "who"):
        for each in course.survey.refs:
            if not each.what.endswith(what) or not each.name or each in silent:
                continue
            label = names.label(each.name, course.labels)
            owner = OWNERS[each.owner].replace("the table", "for all")
            kind = "yes or no" if each in course.survey.flags else KIND.get(what) or _which(course, each)
            hidden = (
                ", a note for the rules that the table does not show"
                if each.name in course.labels.hidden_stores
                else ""
            )
            lines.append(f"- **{label}** ({owner}): {kind}{SECRET.get(each.what[:-3], '')}{hidden}.")
    if not lines:
        return []
    more = "" if len(lines) < MOST else " There are more of them."
    start = "Numbers begin at 0" + (", what is yes or no begins with no" if course.survey.flags - silent else "")
    return [*lines[:MOST], "", f"{start}.{more}"]


def _silent_stores(course: Course) -> set[Key]:
    """Return the stores that no sentence speaks of."""
    found = set()
    for each, writes in course.survey.writes.items():
        if writes and all(id(write) in course.silent for write in writes):
            found.add(each)
    return found


def _which(course: Course, each: Key) -> str:
    texts: dict[str, None] = {}
    for write in course.survey.writes[each]:
        if isinstance(write, SetName):
            domain = course.survey.domain(write.value)
            if domain is None:
                return "a word"
            texts |= dict.fromkeys(domain)
    words = [course.value(text) for text in texts if text not in names.NOTHING]
    return names.listed(words[:20], "or") if words else "a word"


def points(course: Course) -> list[str]:
    """Return what cards count."""
    lines: list[str] = []
    for each, writes in course.survey.writes.items():
        if each.what != "points" or len(lines) > MOST:
            continue
        first = next((write for write in writes if isinstance(write, SetPoints)), None)
        if first is None:
            continue
        label = names.label(each.name, course.labels) if each.name else "Some cards"
        owner = "" if each.owner == "game" else f" (of {OWNERS[each.owner]})"
        told = points_in_words(course, first)
        lines.append(f"- **{label}**{owner}: {'; '.join(told) or 'nothing'}.")
        if len(writes) > 1:
            lines.append("    - That changes in the course of the game, as is said there.")
    if lines:
        lines += ["", "A card that is not named counts 0."]
    return lines
