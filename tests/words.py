"""All sentences that people read, and the catalogues of their translations (``games.core.words``).

``python -m tests.words`` (``make words``) adds new sentences to every catalogue, without a translation, removes those
that are no longer used, and prints how many are left to translate. ``python -m tests.words it`` (``make words ADD=it``)
adds the catalogues of another language.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po
from django.conf.locale import LANG_INFO
from django.template import engines
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation import to_locale

from cardsite import translations
from games import catalogue
from games.core import FastChance, Game, Match, SealedChance
from games.core import words as core_words
from games.core.messages import CONTEXT
from games.core.view import CARDS, EACH
from games.core.words import languages
from games.recycle import phrase_book, reference

ROOT = Path(__file__).parent.parent
SITE = ("site", "scripts")  # the names of its catalogues; the others are folders of games
LANGUAGES = tuple(languages())
CHARTS = [ROOT / "games" / "lab" / name for name in ("charts.py", "goal_chart.py")]
OTHERS = (phrase_book.NOUN, phrase_book.GENDER, phrase_book.LABEL)
Key = tuple[str, str | tuple[str, str]]  # context ("" for none), and the sentence, or singular and plural


# -- the sentences of the site


def of_templates() -> Iterator[Key]:
    """Yield what templates say."""
    engine: Any = engines["django"]
    for path in sorted((ROOT / "templates").rglob("*.html")):
        source = path.read_text(encoding="utf-8")
        template = engine.from_string(source).template
        for node in template.nodelist.get_nodes_by_type((TranslateNode, BlockTranslateNode)):
            yield from _of_node(node)
        for sentence in re.findall(r"[ =]_\(\"([^\"]+)\"\)", source):  # as an argument of a tag
            yield "", sentence


def _of_node(node: TranslateNode | BlockTranslateNode) -> Iterator[Key]:
    context = str(node.message_context.var) if node.message_context else ""
    if isinstance(node, TranslateNode):
        literal = node.filter_expression.var
        sentence = literal if isinstance(literal, str) else getattr(literal, "literal", None)
        if sentence is not None:
            yield context, str(sentence).replace("%", "%%")  # as Django asks its catalogue
        return
    sentences = [node.render_token_list(part)[0] for part in (node.singular, node.plural) if part]
    if node.trimmed:
        sentences = [" ".join(line.strip() for line in words.strip().splitlines()) for words in sentences]
    yield context, sentences[0] if len(sentences) == 1 else (sentences[0], sentences[1])


_CALLS = {
    "_": 1, "gettext": 1, "gettext_lazy": 1, "gettext_noop": 1, "ngettext": 2, "ngettext_lazy": 2, "message": 1,
    "template": 1,
}  # fmt: skip
_IN_CONTEXT = {"pgettext": 1, "pgettext_lazy": 1, "npgettext": 2}


def of_python(names: str = "*.py") -> Iterator[Key]:
    """Yield the sentences of the site's Python files, or of those with such names."""
    for path in sorted((ROOT / "cardsite").rglob(names)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name, context = _called(node), ""
            arguments = node.args
            if name in _IN_CONTEXT:
                context, arguments = _literal(arguments[0]), arguments[1:]
            count = _CALLS.get(name) or _IN_CONTEXT.get(name)
            if not count:
                continue
            sentences = [_literal(argument) for argument in arguments[:count]]
            if all(sentences):
                yield context, sentences[0] if count == 1 else (sentences[0], sentences[1])


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _called(node: ast.Call) -> str:
    """Return the name of the function or method that is called."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _either(node: ast.expr) -> tuple[ast.expr, ...]:
    """Return both values of a conditional expression, or the one of another."""
    return (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,)


def of_the_site() -> set[Key]:
    """Return all that pages and the site's answers say."""
    from cardsite.table import replay_worker
    from cardsite.workshop import lessons, starts
    from games.lab import charts, compare, findings, report_library, reports
    from games.lab.explained import ALONE, FACULTIES, GOALS, MEASURES

    of_games = {
        *(provider.title for provider in catalogue.providers),
        *(measure.title for measure in (*MEASURES.values(), *ALONE.values(), *GOALS.values())),
        *(measure.line for measure in (*MEASURES.values(), *ALONE.values(), *GOALS.values())),
        *FACULTIES.values(),
        *findings.TEMPLATES,
        *findings.DETAILS,
        *findings.ADVICE.values(),
        findings.TRY,
        *(findings.NOTHING, findings.TOO_FEW, findings.DOUBT_LINE, findings.DOUBT_MOVE),
        *reports.BY_SKILL.values(),
        *of_charts(),
        *(chart.title for chart in charts.OF_REPORT.values()),
        report_library.LEAD_TITLE,
        *(reports.ALONE, reports.NO_MATCH, reports.TOO_SHORT, reports.FOR_ONE, reports.OF_PARTNERS),
        *(reports.OLDER, reports.ONE_ROLLOUT, reports.OF_MANY),
        *(compare.ONLY_ONE, compare.NEITHER, compare.OTHER_ROLLOUTS),
        *of_messages("lab", _MESSAGES),  # that pages show; how its runs fail is for the command line
        *of_rigs(),
        replay_worker.STOPPED,
        *(sentence for _name, start in starts.patterns() for sentence in (start.shows, start.summary)),
        *(goal for number in lessons.GOALS for goal in (*lessons.wanted(number), lessons.PLAYED)),
    }
    return {*of_templates(), *of_python(), *(("", sentence) for sentence in of_games)}


def of_rigs() -> set[str]:
    """Return what administrators read about the ways to stack games."""
    return {
        sentence
        for game in catalogue.listed()
        if game.rig
        for sentence in (*game.rig.ways.values(), *game.rig.noticed.values())
    }


def of_charts() -> set[str]:
    """Return what the charts of the laboratory say."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in CHARTS)
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    sentences = (_literal(call.args[0]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "t")
    return set(filter(None, sentences))


# -- what scripts say

_T = re.compile(r"""(?:(?<![\w.])(?:t|noop|plain)\(|\btext ?[:=])\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""")
_CHOICE = re.compile(
    r"""(?<![\w.])t\(\s*[^"'()]*(?:\([^()]*\))?[^"'()]*\?\s*("(?:[^"\\\n]|\\.)*")\s*:\s*("(?:[^"\\\n]|\\.)*")"""
)


def of_scripts() -> set[str]:
    """Return all that scripts say, with the log entries and messages of the site that they translate."""
    from cardsite.table import dropped

    sentences: set[str] = set()
    for path in sorted((ROOT / "static" / "js").rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        literals = [*_T.findall(text), *(each for pair in _CHOICE.findall(text) for each in pair)]
        sentences |= {ast.literal_eval(literal) for literal in literals}
    # messages to everybody at a table, which scripts translate
    dropped_matches = {*dropped.WORDS.values(), *dropped.WORDS_AFTER_THE_END.values(), dropped.WORDS_FOR_OLD_ONES}
    for path in sorted((ROOT / "cardsite").rglob("*.py")):
        sentences |= set(map(_literal, given_to_say(ast.parse(path.read_text(encoding="utf-8")))))
    return {sentence for sentence in sentences if _LETTERS.search(_without_placeholders(sentence))} | dropped_matches


# -- what games say

_PLACEHOLDER = re.compile(r"\{[a-z]\w*(?::,)?\}")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_TRANSLATED = re.compile(r"[A-Za-z]{2}|[:;!?]")  # French has a space before these signs


def folders() -> dict[str, list[Game]]:
    """Return the games of each folder with sentences; none for the core."""
    by_folder: dict[str, list[Game]] = {"core": []}
    for provider in catalogue.providers:
        for name in provider.names():
            game = catalogue.find(name)
            by_folder.setdefault(game.folder.name, []).append(game)
    return by_folder


def of_games(folder: str, games: Iterable[Game], most_seats: int = 6, plies: int = 300, matches: int = 3) -> set[str]:
    """Return all sentences of the games of a folder, without those of the core.

    Those are the ones in their source files, and those of some random matches: with each number of players up to
    ``most_seats``; if that is 0, only with the default number.
    """
    result = set(_said_in(ROOT / "games" / folder)) - {phrase for phrase in of_rules_pages() if "{" in phrase}
    if folder == "core":  # and the titles of the bots that play any game
        return result | {bot.title for bot in catalogue.bots(catalogue.featured())}
    if folder == "recycle":
        result |= set(reference.sentences())
    for game in games:
        result |= _facts(game) | _in_table_file(game)
        for seats in range(game.min_seats, min(game.max_seats, most_seats) + 1) or [game.default_seats]:
            for number in range(matches):
                result |= said_in_match(game, seats, number, plies)
    return result - of_games("core", ())


_MESSAGES = ("message", "template")  # make messages: games/core/messages.py
_FAILURES = ("failed", "_wrong_choice", "RulesFailed")  # begin with a message that is made where it is shown


def of_messages(folder: str, calls: Sequence[str] = (*_MESSAGES, *_FAILURES)) -> set[str]:
    """Return the templates of the messages in a folder of ``games``: for authors, and about refused moves."""
    found = set()
    for path in (ROOT / "games" / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _called(node) in calls:
                found.add(_literal(node.args[0]))
    return {each for each in found if _LETTERS.search(_without_placeholders(each))}


def _said_in(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        if path in PAGES or path.parent in PAGES:
            continue  # see of_rules_pages
        module = ast.parse(path.read_text(encoding="utf-8"))
        yield from _with_placeholders(module)
        said = map(_literal, given_to_say(module))
        yield from (sentence for sentence in said if _TRANSLATED.search(_without_placeholders(sentence)))


def given_to_say(module: ast.Module) -> Iterator[ast.expr]:
    """Yield what a file gives to ``say``, ``say_cards`` and ``word`` (``games.core.view``) as their sentence."""
    for node in ast.walk(module):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):  # methods of these names are others
            continue
        if node.args and node.func.id in ("say", "say_cards", "word"):
            yield from _either(node.args[0])


PAGES = (ROOT / "games" / "recycle" / "explaining", ROOT / "games" / "recycle" / "explain.py")
INFLECTED = {
    "{clause}",
    "{heading}, {step}",
    "{heading}: {step}",
    "{n} {value} {noun}",
    "{owner}' {noun}",
    "{noun} {letter}",
}
_OF_PAGES = re.compile(r"\{[a-z]+(?::[a-z=]+)?\}")


def of_rules_pages() -> set[str]:
    """Return the phrases of rules pages that are made of texts: ``games/recycle/phrase_book.py``.

    They are what is given to ``say`` or ``phrase``, and other texts with slots.
    """
    files = [*PAGES[0].glob("*.py"), PAGES[1], PAGES[1].with_name("phrase_book.py")]
    phrases: set[str] = set(phrase_book.NUMBERS[1:])
    for path in files:
        module = ast.parse(path.read_text(encoding="utf-8"))
        skipped = {id(part) for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values}
        skipped |= {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and node.args:
                if _called(node) in ("say", "phrase"):
                    phrases |= set(map(_literal, _either(node.args[0])))
            elif path.name != "phrase_book.py" and id(node) not in skipped and isinstance(node, ast.expr):
                text = _literal(node)
                if _OF_PAGES.search(text):
                    phrases.add(text)
    return {each for each in phrases if re.search(r"[A-Za-z]", _OF_PAGES.sub("", each)) or each in INFLECTED}


def _with_placeholders(module: ast.Module) -> Iterator[str]:
    """Yield every sentence with a placeholder in a file, even one that reaches ``say`` through a variable.

    Names of zones have placeholders, too (``zone:hand:{me}``), but no spaces. Texts of exceptions are for programmers.
    """
    skipped = {id(each) for node in ast.walk(module) if isinstance(node, ast.Raise) for each in ast.walk(node)}
    for node in ast.walk(module):
        if isinstance(node, ast.Expr | ast.JoinedStr):  # a docstring; or a sentence built of parts
            skipped |= {id(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.Constant)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MESSAGES:
            skipped |= {id(each) for each in ast.walk(node)}  # see of_messages
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
            if _PLACEHOLDER.search(text) and " " in text and _TRANSLATED.search(_without_placeholders(text)):
                yield text


def _without_placeholders(template: str) -> str:
    return _PLACEHOLDER.sub("", template)


def _facts(game: Game) -> set[str]:
    options = [option for option in game.options if option.set_by == "host"]
    words = {
        game.summary,
        game.kind,
        *(bot.title for bot in game.bots),
        *(option.label for option in options),
        *(option.help for option in options),
    }
    for option in options:
        words |= {option.label_of(value) for value in (*option.choices, *option.names, option.default)}
    return said_in(game.teaching()) | {each for each in words if _LETTERS.search(each)}


def _in_table_file(game: Game) -> set[str]:
    """Return all sentences of the table file of a text: a match may use few of them."""
    table = tomllib.loads(getattr(game, "table", ""))
    lines = [*table.get("labels", {}).values(), *table.get("phrases", {}).values()]
    for verb in table.get("verbs", {}).values():
        lines += [verb] if isinstance(verb, str) else verb
    return {line for line in lines if _LETTERS.search(_without_placeholders(line))}


def said_in_match(game: Game, seats: int, number: int, plies: int) -> set[str]:
    """Return the sentences of a random match of a game, for all audiences."""
    sentences: set[str] = set()
    chance = FastChance(f"words {number}")
    match = Match.start(game, seats, game.check_options({}), SealedChance(bytes([number] * 32)))
    for _ in range(plies):
        if match.over:
            break
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
        for audience in (seat, (seat + 1) % seats, None):
            sentences |= said_in(match.view(audience)) | said_in(match.reveals(audience))
    for ply in range(len(match.log)):  # with all hands open: as its own player reads it, and as others do
        for named in (False, True):
            sentences |= said_in(match.entries(None, ply, face_up=True, named=named))
    return sentences


def _label_of(data: Mapping[str, object]) -> str:
    return "zone" if "layout" in data else "thing" if "id" in data else "label"


def said_in(data: object, key: str = "") -> set[str]:
    """Return the sentences in a part of a view or of a log, as they are looked up in a catalogue."""
    sentences: set[str] = set()
    if isinstance(data, dict):
        if data.keys() == {"text", "args"}:
            text = data["text"]
            sentences = {CARDS.sub("{cards}", EACH.sub("{each}", text))}
            sentences |= {value for value in data["args"].values() if isinstance(value, str)}
            whose = [name for name, value in data["args"].items() if isinstance(value, dict) and "seat" in value]
            if whose and (key == "zone" or (key == "thing" and text.endswith(f" of {{{whose[0]}}}"))):
                sentences.add(f"{text} (yours)")
        else:
            for name, value in data.items():
                sentences |= said_in(value, _label_of(data) if name == "label" else name)
    elif isinstance(data, list):
        for value in data:
            sentences |= {value} if key == "marks" and isinstance(value, str) else said_in(value, key)
    elif key == "mark" and isinstance(data, str):
        sentences = {data}
    return {each for each in sentences if _LETTERS.search(_without_placeholders(each))}


# -- the catalogues


def key_of(message: Message) -> Key:
    """Return the key of a message."""
    return message.context or "", message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def folder_of(name: str) -> Path:
    """Return the folder that has a catalogue for each language: the site's or the games'."""
    return translations.LOCALE if name in SITE else core_words.LOCALE


def catalog_of(language: str, name: str) -> Catalog:
    """Return a catalogue of the site or of games."""
    return core_words.read(language, name, folder_of(name))


def known(language: str, name: str) -> dict[str, str]:
    """Return the sentences of a catalogue of scripts or games, and their translations."""
    return {
        str(message.id): str(message.string)
        for message in catalog_of(language, name)
        if message.id and not message.context
    }


_HEAD = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plural}\\n"

"""


def renew(language: str, name: str, sentences: Iterable[Key]) -> int:
    """Write a catalogue with exactly these sentences. Returns how many are not translated."""
    old, new = catalog_of(language, name), Catalog(locale=to_locale(language))
    sentences = list(sentences)
    for context, key in sorted(sentences, key=lambda key: (key[0], key[1] if isinstance(key[1], str) else key[1][0])):
        message = old.get(key, context or None)
        new.add(key, message.string if message and message.id == key else "", context=context or None)
    phrases = {key for context, key in sentences if context == phrase_book.CONTEXT}
    for message in old:
        of_page = (message.context or "").startswith(f"{phrase_book.CONTEXT} ") and phrases
        if of_page and (message.context in OTHERS or message.id in phrases):  # nouns, or a variant of a phrase
            new.add(message.id, message.string, context=message.context)
    for message in new:
        message.flags.clear()
    path = folder_of(name) / language / f"{name}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(_HEAD.format(language=language, plural=new.plural_forms).encode())
        write_po(file, new, width=0, omit_header=True)
    return sum(not all(each.string if isinstance(each.string, tuple) else [each.string]) for each in new)


def main(codes: Sequence[str]) -> None:
    """Bring all catalogues up to date, and add those of new languages."""
    for code in codes:
        if "name_local" not in LANG_INFO.get(code, {}):
            raise SystemExit(f"Django knows no language {code!r}. Use a code such as it or pt-br.")
    catalogues: dict[str, Iterable[Key]] = {"site": of_the_site(), "scripts": [("", each) for each in of_scripts()]}
    for folder, games in folders().items():
        catalogues[folder] = [("", each) for each in of_games(folder, games)]
    for folder in list(catalogues)[len(SITE) :]:
        catalogues[folder] = [*catalogues[folder], *((CONTEXT, each) for each in of_messages(folder))]
    catalogues["recycle"] = [
        *catalogues["recycle"],
        *((phrase_book.CONTEXT, each) for each in of_rules_pages()),
    ]
    for language in sorted({*languages(), *codes}):
        todo = {name: renew(language, name, sentences) for name, sentences in catalogues.items()}
        print(f"{language}: to be translated: " + ", ".join(f"{name} {count}" for name, count in todo.items()))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    main(sys.argv[1:])
