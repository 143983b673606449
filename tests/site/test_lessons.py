"""The tutorial's lessons: each solution solves its task, and the text before it does not."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from cardsite.workshop import lessons
from games.core.words import in_language
from games.recycle.reader.syntax import tokens
from games.recycle.style import format_text
from tests import words
from tests.tiers import full, sampled

EVERY = range(1, lessons.COUNT + 1)


def done(number: int, source: str) -> list[bool]:
    return [goal["done"] for goal in lessons.goals(number, source, saved=True)]


@pytest.mark.parametrize("number", sampled(EVERY, 4))
def test_a_lesson_is_done_with_what_it_shows_and_not_with_what_came_before(number: int) -> None:
    assert all(done(number, lessons.solution(number)))
    assert not all(done(number, lessons.solution(number - 1)))


@full
def test_a_goal_that_was_reached_stays_reached() -> None:
    last = lessons.solution(lessons.COUNT)
    kept = {1: [0, 1, 2, 3], 5: [0, 2], 7: [0, 1, 2, 3], 10: [0, 1, 2, 3]}
    for number, these in kept.items():
        assert [done(number, last)[goal] for goal in these] == [True] * len(these)


def followed(number: int, text: str) -> str:
    """Return a text after somebody has done what a lesson says, to the letter."""
    page = (lessons.FOLDER / f"{number}.md").read_text()
    blocks = re.findall(r"```\n(.*?)```", page, re.DOTALL)
    scoring = text.rfind("(scoring")
    if number == 1:
        return str(blocks[0].replace("(scoring", f"{blocks[1]}(scoring"))
    if number == 2:
        return f"{text[:scoring]}{blocks[0]}{text[scoring:]}"
    if number == 3:
        before, _, _ = text.partition("(choice")
        return f"{before.replace('(stage', blocks[0] + '(stage')}{blocks[1]}{blocks[2]}{text[scoring:]}"
    if number == 4:
        before = text[:scoring].replace("(do ((set (game str LED)", f"{blocks[0]}(do ((set (game str LED)")
        return f"{before}{blocks[1]}{blocks[2]}"
    if number == 5:
        return f"{text[:scoring]}{blocks[0]}".replace("(create players 3)", blocks[1])
    if number == 6:
        return f"{blocks[0]}{text}"
    if number == 7:
        before = text[: text.index("(do\n")].replace("(setup", f"{blocks[0]}(setup")
        return f"{before}{blocks[1]}{text[scoring:]}"
    if number == 8:
        before = text[:scoring].replace("(call WINNER HEIGHT))", f"(call WINNER HEIGHT)){blocks[0]}")
        return f"{before}{blocks[1]}{blocks[2]}"
    if number == 9:
        bonus, tricks = text.index("(do ((inc"), text.index("(stage")
        return f"{text[:tricks]}{blocks[0]}{text[tricks:bonus]}{blocks[1]}{text[scoring:]}"
    bids = text.index("(together" if number == 11 else "(stage")
    if number == 10:
        return f"{text[:bids]}{blocks[0]}{text[text.index('(stage', bids + 1) :]}"
    setup = text[: text.index("(do\n")].rstrip()[:-1] + blocks[0] + ")"
    rest = text[bids:scoring].replace("(inc ('P sto BONUS) 5)", blocks[2])
    return f"{setup}{blocks[1]}{rest}{blocks[3]}"


@full
def test_a_visitor_who_does_what_the_lessons_say_to_the_letter_gets_through_all_of_them() -> None:
    text = ""
    for number in EVERY:
        text = followed(number, text)
        assert all(done(number, text)), f"lesson {number}:\n{text}"
    assert [*map(str, tokens(text))] == [*map(str, tokens(lessons.solution(lessons.COUNT)))]


@pytest.mark.parametrize(
    ("number", "old", "new", "missed"),
    [
        (1, "(shuffle (game hloc STOCK))", "(turn pass)", 3),
        (1, "'P iloc HAND", "'P vloc HAND", 2),
        (2, "vloc TRICK", "hloc TRICK", 3),
        (3, "!= (cardatt SUIT 'C)", "== (cardatt SUIT 'C)", 3),
        (4, "(RANK : ACE) 14", "(RANK : ACE) 1", 2),
        (4, "cycle next (owner", "cycle next (owner", None),
        (5, "scoring max", "scoring min", 1),
        (6, "Title:", "Titel:", 1),
        (7, "(define RANKS ()", "(define UNUSED ()", 0),
        (7, "(call GATHER (top ((next player) vloc WON)))", "(call GATHER (top ((current player) vloc WON)))", 1),
        (8, "(set (game who LAST) (next player))", "(set (game who LAST) (player 1))", 2),
        (9, "isto BID", "sto BID", 2),
        (9, "(inc ('P sto BONUS) 5)", "(inc ('P sto BONUS) 0)", 3),
        (9, "'N) (set", "'N) (turn pass) (set", None),
        (10, "(set ((current player) isto BID) 'N)", "(set ((current player) sto BID) 'N)", 3),
        (10, "together player", "together (player 1)", 1),
        (11, "(roll (game vloc DIE))", "(turn pass)", 1),
        (11, "(top ('P vloc TOKENS))", "(top (game vloc BANK))", 2),
    ],
)
def test_a_goal_that_is_missed_is_reported(number: int, old: str, new: str, missed: int | None) -> None:
    text = lessons.solution(number)
    assert old in text
    reached = done(number, text.replace(old, new))
    assert (reached[missed] is False) if missed is not None else all(reached)


def test_a_text_that_cannot_be_read_or_breaks_off_reaches_nothing_and_says_which() -> None:
    assert lessons.goals(2, "(game")[0] == {"text": "The text can be read.", "done": False}
    broken = lessons.solution(2).replace("(repeat 5", "(repeat 99")
    assert lessons.goals(2, broken)[0] == {"text": "The text can be played without errors.", "done": False}
    assert not any(goal["done"] for goal in lessons.goals(4, broken))


def test_solutions_of_lessons_are_formatted() -> None:
    for number in EVERY:
        assert format_text(lessons.solution(number)) == lessons.solution(number)


# -- in other languages


def parts(page: Path) -> dict[str, Counter[str]]:
    """Return what a lesson and its translations have in common: blocks, code, links, and how many words stand out."""
    found: dict[str, Counter[str]] = {"tags": Counter(), "code": Counter(), "links": Counter()}
    for block in MarkdownIt("js-default").parse(page.read_text(encoding="utf-8")):
        for token in (block, *(block.children or ())):
            if token.nesting == 1:
                found["tags"][token.tag] += 1
                found["links"].update([str(token.attrs["href"])] if "href" in token.attrs else [])
            elif token.type in ("fence", "code_block", "code_inline"):
                found["code"][token.content] += 1
    return found


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("number", EVERY)
def test_a_lesson_has_the_same_code_links_and_blocks_in_every_language(number: int, language: str) -> None:
    english = lessons.FOLDER / f"{number}.md"
    translated = in_language(english, language)
    assert translated != english, "it is not translated"
    assert parts(translated) == parts(english)
    assert lessons.course(language)[number - 1]["title"] in translated.read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("number", EVERY)
def test_a_lesson_names_buttons_as_the_editor_shows_them(number: int, language: str) -> None:
    """What stands out in bold is what the editor and the pages show, in every language."""
    shown = {**words.known(language, "site"), **words.known(language, "scripts")}
    english, translated = (
        re.findall(r"\*\*(.+?)\*\*", " ".join(page.read_text(encoding="utf-8").split()))
        for page in (lessons.FOLDER / f"{number}.md", lessons.FOLDER / f"{number}.{language}.md")
    )
    assert Counter(translated) == Counter(shown[label] for label in english)
