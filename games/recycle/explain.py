"""The rules page of a text, written from its tree: who plays, what lies where, what is done, how it ends."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from games.recycle.explaining import names
from games.recycle.explaining.actions import Item, joined
from games.recycle.explaining.course import DEEPEST, Course, Section
from games.recycle.explaining.exact import exact
from games.recycle.explaining.setting import places, points, stores, what_is_needed
from games.recycle.explaining.survey import Survey
from games.recycle.explaining.words import YOU
from games.recycle.labels import Labels
from games.recycle.tree import Game, Name, Place, Relative, Size, Stored, TeamOf

LONGEST = 40_000  # characters of a page with its exact wording
LONGEST_PAGE = 24_000  # of a page without it
LONGEST_LINE = 2_500
LIBRARY = Path(__file__).parent / "library"


def explain(tree: Game, labels: Labels, facts: Mapping[str, str]) -> str:
    """Return a rules page in Markdown.

    It follows from the tree alone: ``labels`` only says what things are called, ``facts`` (the head of the text) has
    the title and the summary. It never raises. The page has at most ``LONGEST_PAGE`` characters.
    """
    course = Course(tree, Survey(tree), labels)
    title = " ".join(facts.get("Title", "A card game").split())
    sections = course.tell()
    course.you = YOU
    summary = facts.get("Summary", "")
    lines = [f"# {title}", ""]
    if summary:
        lines += [names.plain(summary), ""]
    lines += ["## The aim", "", _aim(course), ""]
    lines += what_is_needed(course)
    for section in sections:
        lines += _section(section)
    if worth := points(course):
        lines += ["## What cards count", "", *worth, ""]
    lines += ["## Where cards lie, and who sees them", "", *places(course), ""]
    if kept := stores(course):
        lines += ["## What is written down", "", *kept, ""]
    return _bounded(lines)


def exact_wording(tree: Game, labels: Labels, room: int) -> str:
    """Return the section of a rules page that leaves nothing out, of at most ``room`` characters."""
    return _bounded(exact(tree, labels), room)


def _section(section: Section) -> list[str]:
    lines = [f"## {section.title}", ""]
    if section.intro:
        lines += [" ".join(section.intro), ""]
    if section.ends:
        lines += [f"- {names.capital(end)}." for end in section.ends] + [""]
    return [*lines, *_list(section.items, 0, bullets=False), ""]


def _list(items: list[Item], depth: int, bullets: bool) -> list[str]:
    lines = []
    indent = "    " * min(depth, DEEPEST)
    for place, item in enumerate(items, 1):
        mark = "-" if bullets else f"{place}."
        text = names.capital(item.text)
        if not item.inner:
            lines.append(f"{indent}{mark} {text}.")
            continue
        line = None if item.bullets else joined(item.inner)
        if line and len(text) + len(line) < 200:
            lines.append(f"{indent}{mark} {text}: {line}.")
            continue
        lines.append(f"{indent}{mark} {text}:")
        lines += _list(item.inner, depth + 1, item.bullets)
    return lines


def _aim(course: Course) -> str:
    """Return the sentences that say who wins."""
    scoring = course.game.scoring
    high = scoring.op == "max"
    value = scoring.value
    if course.game_of_one():
        return f"Your score is {course.number(value)}; {_better(high)}."
    match value:
        case Stored(ref=ref) if isinstance(ref.name, Name) and isinstance(ref.who, Relative | TeamOf):
            label = course.store_label(ref.name)
            most = ("most" if high else "fewest") if names.is_plural(label) else "highest" if high else "lowest"
            if isinstance(ref.who, TeamOf):
                return f"The team with the {most} *{label}* wins; its players share the score."
            sentence = f"The player with the {most} *{label}* wins."
        case Size(of=Place() as place):
            sentence = f"The player with the {'most' if high else 'fewest'} cards in {course.place(place).whole} wins."
            sentence = sentence.replace(" your ", " their ")
        case _:
            sentence = f"Your score is {course.number(value)}. The {'highest' if high else 'lowest'} score wins."
    return f"{sentence} Players who tie share the win."


def _better(high: bool) -> str:
    return "the higher, the better" if high else "the lower, the better"


def _bounded(lines: list[str], room: int = LONGEST_PAGE) -> str:
    found: list[str] = []
    length = 0
    for line in lines:
        cut = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE].rsplit(' ', 1)[0]} …"
        length += len(cut) + 1
        if length > room - 100:
            found += ["", "*The text goes on, but this page ends here: it has become too long.*"]
            break
        found.append(cut)
    return "\n".join(found).rstrip() + "\n"


def mark(english: str) -> str:
    """Return the first line of a translation of the page ``english``: it names that page by a hash."""
    return f"<!-- of {hashlib.sha256(english.encode()).hexdigest()[:8]} -->"


def translated(name: str, english: str, language: str) -> str:
    """Return the rules page of a library game in ``language``; ``english`` if there is no current translation.

    A translation is a file ``library/NAME.LANGUAGE.md``. English pages are generated from the text, so the first line
    of a translation names its page, as ``<!-- of 1a2b3c4d -->``. A translation of another page is out of date and not
    shown.
    """
    file = LIBRARY / f"{name}.{language}.md"
    if not file.is_file():
        return english
    first, _, translation = file.read_text(encoding="utf-8").partition("\n")
    return translation if first == mark(english) else english
