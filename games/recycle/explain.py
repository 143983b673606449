"""A rules page out of a tree: who plays, what lies where and who sees it, what is done, how it ends."""

from __future__ import annotations

from collections.abc import Mapping

from games.recycle.explaining import names
from games.recycle.explaining.course import DEEPEST, Course, Section
from games.recycle.explaining.deeds import Item, joined
from games.recycle.explaining.scoring import scoring
from games.recycle.explaining.setting import places, points, stores, what_is_needed
from games.recycle.explaining.survey import Survey
from games.recycle.explaining.words import YOU
from games.recycle.labels import Labels
from games.recycle.tree import Game

LONGEST = 40_000  # characters of a page
LONGEST_LINE = 2_500


def explain(tree: Game, labels: Labels, facts: Mapping[str, str]) -> str:
    """Return a rules page in Markdown.

    It follows from the tree alone: ``labels`` only says what things are called, ``facts`` (the head of the text) has
    the title and the summary. It never raises, and is never longer than ``LONGEST`` characters.
    """
    course = Course(tree, Survey(tree), labels)
    title = " ".join(facts.get("Title", "A card game").split())
    sections = course.tell()
    course.you = YOU
    summary = facts.get("Summary", "")
    lines = [f"# {title}", ""]
    if summary:
        lines += [names.plain(summary), ""]
    lines += what_is_needed(course)
    lines += ["## Where cards lie, and who sees them", "", *places(course), ""]
    kept = stores(course)
    if kept:
        lines += ["## What is written down", "", *kept, ""]
    worth = points(course)
    if worth:
        lines += ["## What cards count", "", *worth, ""]
    for section in sections:
        lines += _section(section)
    lines += ["## The end", "", *scoring(course), ""]
    return _bounded(lines)


def _section(section: Section) -> list[str]:
    lines = [f"## {section.title}", ""]
    if section.intro:
        lines += [" ".join(section.intro), ""]
    if section.ends:
        lines += [f"- {names.capital(end)}." for end in section.ends] + [""]
    if section.after:
        lines += [section.after, ""]
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


def _bounded(lines: list[str]) -> str:
    found: list[str] = []
    length = 0
    for line in lines:
        cut = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE].rsplit(' ', 1)[0]} …"
        length += len(cut) + 1
        if length > LONGEST - 100:
            found += ["", "*The text goes on, but this page ends here: it has become too long.*"]
            break
        found.append(cut)
    return "\n".join(found).rstrip() + "\n"
