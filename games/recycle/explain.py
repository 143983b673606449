"""The rules page of a text, written from its tree: who plays, what lies where, what is done, how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core.game import EXACT_WORDING
from games.recycle.explaining.actions import Item, joined
from games.recycle.explaining.bookkeeping import marks, numbered
from games.recycle.explaining.course import DEEPEST, CourseOfPlay, Section
from games.recycle.explaining.exact import exact
from games.recycle.explaining.setting import places, points, stores, what_is_needed
from games.recycle.explaining.survey import Survey
from games.recycle.explaining.words import MOST, THEIRS, PlayerPhrase
from games.recycle.labels import Labels
from games.recycle.phrase_book import Book, capital, phrase
from games.recycle.tree import GameNode, Name, Place, Ref, Relative, Size, Stored, TeamOf

LONGEST_WITH_WORDING = 40_000  # characters of a page with its exact wording
LONGEST_PAGE = 24_000  # of a page without it
LONGEST_LINE = 2_500
INLINE = 200  # characters of a line whose sublist stands behind it, not below
MOST_CARDS = {True: phrase("most {noun} in {place:dat}"), False: phrase("fewest {noun} in {place:dat}")}


def explain(
    tree: GameNode, labels: Labels, facts: Mapping[str, str], language: str = "en", example: Sequence[str] = ()
) -> str:
    """Return a rules page in Markdown, in a language.

    It follows from the tree alone: ``labels`` only says what things are called, ``facts`` (the head of the text) has
    the title and the summary, ``example`` the beginning of a match. It never raises. The page has at most
    ``LONGEST_PAGE`` characters.
    """
    course = CourseOfPlay(tree, Survey(tree), labels, Book(language))
    book, say = course.book, course.say
    title = " ".join(facts.get("Title", "A card game").split())
    sections = course.write()
    course.you = course.YOU
    lines = [f"# {title}", ""]
    if summary := facts.get("Summary", ""):
        lines += [str(book.label(summary)), ""]
    parts = [(say("The aim"), [_aim(course)]), (say("What you need"), what_is_needed(course))]
    for part, said in parts:
        lines += [f"## {part}", "", *said, ""]
    pieces = [book.noun(kind, several=True) for kind in course.survey.kinds]
    described = [line for section in sections for line in _section(course, section)]
    order = dict.fromkeys(each for line in described for each in marks(line, len(course.notes)))
    numbers = {each: number for number, each in enumerate(order, 1)}
    lines += [numbered(line, numbers) for line in described]
    begun = [f"- {line}" for line in example]
    parts = [
        (course.counting(), points(course)),
        (say("An example: how a match may begin"), begun),
        (say("Notes"), _notes(course, list(order))),
        (say("Where {nouns} lie, and who sees them", nouns=book.listed(pieces)), places(course)),
        (say("What is written down"), stores(course)),
    ]
    for part, said in parts:
        lines += [f"## {part}", "", *said, ""] if said else []
    # Not those of the example: the log's sentences are joined already, and pictures of cards are not words.
    return _bounded([line if line in begun else book.spelled(line) for line in lines], book)


def _notes(course: CourseOfPlay, order: Sequence[int]) -> list[str]:
    """Return the notes to the course of play, in the order of their marks."""
    if not order:
        return []
    intro = course.say("Some values are counted or set along the way, because the sentences above ask about them:")
    notes = (capital(str(course.notes[each])) for each in order)
    return [str(intro), "", *(f"{number}. {note}." for number, note in enumerate(notes, 1))]


def introduced(introduction: str, page: str, language: str) -> str:
    """Return a rules page that begins with an introduction written by hand.

    The page's title and summary are left out, and its other sections become parts of one section. The exact wording
    stays last.
    """
    _, _, sections = page.partition("\n## ")
    rules, heading, wording = f"## {sections}".partition(f"\n## {EXACT_WORDING}\n")
    lower = "\n".join(f"#{line}" if line.startswith("#") else line for line in rules.splitlines())
    title = Book(language).say("The rules, step by step")
    return f"{introduction.rstrip()}\n\n## {title}\n\n{lower.rstrip()}\n{heading}{wording}"


def exact_wording(tree: GameNode, labels: Labels, room: int) -> str:
    """Return the section of a rules page that leaves nothing out, of at most ``room`` characters."""
    return _bounded(exact(tree, labels), Book(), room)


def _section(course: CourseOfPlay, section: Section) -> list[str]:
    lines = [f"## {capital(str(section.title))}", ""]
    intro = [f"{capital(str(sentence))}." for sentence in section.intro]
    if intro:
        lines += [" ".join(intro)[:-1] + (":" if section.ends else "."), ""]
    if section.ends:
        lines += [f"- {capital(str(course.say('{clause}', clause=end)))}." for end in section.ends] + [""]
    return [*lines, *_list(course.book, section.items, 0, bullets=False), ""]


def _list(book: Book, items: list[Item], depth: int, bullets: bool) -> list[str]:
    lines = []
    indent = "    " * min(depth, DEEPEST)
    for place, item in enumerate(items, 1):
        mark = "-" if bullets else f"{place}."
        text = capital(str(item.text))
        line = joined(book, item.inner) if item.inner and not item.bullets else None
        if line and len(text) + len(str(line)) < INLINE:
            text = str(book.say("{heading}: {step}", heading=text, step=line))
            item = Item(item.text)
        lines.append(f"{indent}{mark} {text}{':' if item.inner else '.'}")
        lines += _list(book, item.inner, depth + 1, item.bullets)
    return lines


def _aim(course: CourseOfPlay) -> str:
    """Return the sentences that say who wins."""
    scoring, say = course.game.scoring, course.say
    high, value = scoring.op == "max", scoring.value
    if course.game_of_one():
        message = "Your score is {n}; the higher, the better." if high else "Your score is {n}; the lower, the better."
        return str(say(message, n=course.number(value)))
    match value:
        case Stored(
            ref=Ref(who=(Relative(which="current") | TeamOf(player=Relative(which="current"))) as who) as ref
        ) if isinstance(ref.name, Name):
            label = course.store_label(ref.name)
            most = say(MOST[high, label.count], store=label)
            if isinstance(who, TeamOf):
                return str(say("The team with the {most} wins; its players share the score.", most=most))
            sentence = say("The player with the {most} wins.", most=most)
        case Size(of=Place() as place):
            before, course.you = course.you, PlayerPhrase(course.YOU.name, THEIRS)
            noun = course.place(place)
            course.you = before
            cards = say(MOST_CARDS[high], place=noun.whole, noun=course.book.noun(noun.head, several=True))
            sentence = say("The player with the {most} wins.", most=cards)
        case _:
            message = (
                "Your score is {n}. The highest score wins." if high else "Your score is {n}. The lowest score wins."
            )
            sentence = say(message, n=course.number(value))
    return f"{sentence} {say('Players who tie share the win.')}"


def _bounded(lines: list[str], book: Book, room: int = LONGEST_PAGE) -> str:
    found: list[str] = []
    length = 0
    last = str(book.say("*The text goes on, but this page ends here: it has become too long.*"))
    for line in lines:
        cut = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE].rsplit(' ', 1)[0]} …"
        length += len(cut) + 1
        if length > room - len(last):
            found += ["", last]
            break
        found.append(cut)
    return "\n".join(found).rstrip() + "\n"
