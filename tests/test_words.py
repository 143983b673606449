"""No sentence is left out: all that people read is in every catalogue, with its placeholders, and nothing else is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.template import engines
from django.template.base import TextNode
from django.template.loader_tags import BlockNode

from cardsite import translations
from games import catalogue
from games.core import words as core_words
from games.core.game import EXACT_WORDING
from games.core.messages import CONTEXT
from games.recycle import phrase_book
from tests import words
from tests.words import LANGUAGES, ROOT

languages = pytest.mark.parametrize("language", LANGUAGES)
_SLOT = re.compile(r"\{([a-z]+)(?=[:|}])")
_GAP = re.compile(r"\{\w+(?::,)?\}|%\(\w+\)[sd]|%%")
_FORM = re.compile(r"(?<=\w):[a-z]+(?=\})")  # of a word, which a translation may ask for: {place:to}
NAMES = {"Hamsterdam", "· Hamsterdam", "(UTC)"}  # what is called so in every language
OF_MACHINES = {"page", "picture"}  # blocks that name a page and its picture for styles


def gaps(sentences: Iterable[str]) -> list[set[str]]:
    """Return the gaps of each sentence."""
    return [set(_GAP.findall(_FORM.sub("", sentence))) for sentence in sentences]


def well(english: str, translated: str) -> bool:
    """Return whether a translation has the gaps of what it translates: a place of one's own needs nobody's name."""
    there, wanted = gaps([translated, english])
    return bool(translated) and there <= wanted and (english.endswith(" (yours)") or there == wanted)


@languages
def test_every_sentence_of_the_site_is_translated(language: str) -> None:
    sentences = words.of_the_site()
    catalog = words.catalog_of(language, "site")
    known = {words.key_of(message): message.string for message in catalog if message.id}
    assert sentences - set(known) == set(), "run make words, and translate what is new"
    assert set(known) - sentences == set(), "nobody says that any more: run make words"
    for (_, english), translated in known.items():
        if isinstance(english, str):
            assert well(english, str(translated)), english
        else:
            assert isinstance(translated, tuple | list)
            assert all(translated), english
            assert len(translated) == catalog.num_plurals
            assert all(there <= set().union(*gaps(english)) for there in gaps(translated)), english


@languages
def test_every_sentence_of_the_scripts_is_translated(language: str) -> None:
    known = words.known(language, "scripts")
    assert set(known) == words.of_scripts(), "run make words, and translate what is new"
    assert [english for english, translated in known.items() if not well(english, translated)] == []


@pytest.mark.parametrize("folder", words.folders())
def test_every_sentence_of_the_games_is_translated(folder: str) -> None:
    said = words.of_games(folder, words.folders()[folder], most_seats=0, plies=60, matches=1)
    for language in LANGUAGES:
        known = words.known(language, folder)
        everywhere = words.known(language, "core")
        assert [english for english, translated in known.items() if not well(english, translated)] == [], language
        assert said - set(known) - set(everywhere) == set(), f"{language}: run make words, and translate what is new"


@languages
def test_a_language_has_the_catalogues_of_what_there_is_and_no_others(language: str) -> None:
    for folder, names in ((core_words.LOCALE, words.folders()), (translations.LOCALE, words.SITE)):
        assert {path.name for path in (folder / language).iterdir()} == {f"{name}.po" for name in names}


def test_a_language_that_nobody_knows_is_not_added() -> None:
    with pytest.raises(SystemExit, match="Django knows no language 'xx'"):
        words.main(["xx"])


@languages
def test_every_built_in_game_has_its_rules_in_every_language(language: str) -> None:
    for folder in words.folders():
        english = ROOT / "games" / folder / "rules.md"
        if english.is_file():
            page, translated = english.read_text(), english.with_suffix(f".{language}.md").read_text()
            for sign in ("\n# ", "\n## ", "\n|", "[[", "]("):
                assert f"\n{translated}".count(sign) == f"\n{page}".count(sign), f"{folder}: {sign!r}"


@languages
def test_every_text_of_the_library_has_its_rules_in_every_language(language: str) -> None:
    texts = [game for game in catalogue.listed() if game.text]
    assert texts
    for game in texts:
        page, shown = game.rules_page(), game.rules_page(language)
        assert shown != page
        for sign in ("\n# ", "\n## ", "\n- ", "\n1. "):
            assert f"\n{shown}".count(sign) == f"\n{page}".count(sign), f"{game.name}: {sign!r}"
        rules = shown.partition(f"\n## {EXACT_WORDING}\n")[0]
        assert not re.search(r"\b(the|with|whose|your|their|cards?)\b", rules), f"{game.name}: English is left"


@languages
def test_every_phrase_of_the_rules_pages_is_translated(language: str) -> None:
    """A translation uses the slots of its phrase, or those that are given beside them, and its brackets match."""
    of_page = {
        str(each.id): each for each in words.catalog_of(language, "recycle") if each.context == phrase_book.CONTEXT
    }
    said = words.of_rules_pages()
    assert said - set(of_page) == set(), "run make words, and translate what is new"
    assert set(of_page) <= said, "nobody says that any more: run make words"
    beside = {"{the}", "{noun}", "{starter}", "{rest}"}
    for message in words.catalog_of(language, "recycle"):
        if message.context and message.context.startswith(phrase_book.CONTEXT) and message.context not in words.OTHERS:
            there, wanted = (set(_SLOT.findall(str(text))) for text in (message.string, message.id))
            phrase_book.parsed(str(message.string))
            assert message.string, message.id
            assert {f"{{{name}}}" for name in there - wanted} <= beside, message.id


@languages
@pytest.mark.parametrize("folder", words.folders())
def test_every_message_of_games_is_translated(folder: str, language: str) -> None:
    said = words.of_messages(folder)
    known = {str(each.id): str(each.string) for each in words.catalog_of(language, folder) if each.context == CONTEXT}
    assert said - set(known) == set(), "run make words, and translate what is new"
    assert set(known) <= said, "nobody says that any more: run make words"
    assert [english for english, translated in known.items() if not well(english, translated)] == []


# -- every sentence is in the catalogues

TEXTS_OF_AUTHORS = {"cardsite/workshop/described.py"}  # gives ``say`` the sentences of a game that a visitor wrote


@languages
def test_every_sentence_of_the_site_in_a_log_or_view_is_translated(language: str) -> None:
    """Scripts translate what ``say`` returns. So the site gives it a literal, or a literal marked by ``word``."""
    known = words.known(language, "scripts")
    for path in sorted((ROOT / "cardsite").rglob("*.py")):
        place = str(path.relative_to(ROOT))
        if place not in TEXTS_OF_AUTHORS:
            module = ast.parse(path.read_text(encoding="utf-8"))
            constants = dict(constants_of(module))
            for given in words.given_to_say(module):
                sentence = given.value if isinstance(given, ast.Constant) else constants.get(ast.unparse(given))
                assert known.get(str(sentence)), f"{place}: {ast.unparse(given)}"


def constants_of(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the constants of a file that ``word`` marks as sentences."""
    for node in module.body:
        if isinstance(node, ast.Assign) and re.fullmatch(r"word\(.*\)", ast.unparse(node.value)):
            assert isinstance(node.value, ast.Call)
            yield ast.unparse(node.targets[0]), ast.literal_eval(node.value.args[0])


def text_of_templates() -> Iterator[tuple[str, str]]:
    """Yield the sentences of templates that are in no catalogue, each with its file."""
    engine: Any = engines["django"]
    for path in sorted((ROOT / "templates").rglob("*.html")):
        source = path.read_text(encoding="utf-8")
        template = engine.from_string(source).template
        unseen = [block for block in template.nodelist.get_nodes_by_type(BlockNode) if block.name in OF_MACHINES]
        apart = {id(node) for block in unseen for node in block.nodelist}
        nodes = [node for node in template.nodelist.get_nodes_by_type(TextNode) if id(node) not in apart]
        page = "\x00".join(str(node.s) for node in nodes)
        page = re.sub(r"(?s)<(script|style)\b.*?</\1>|<!--.*?-->|<meta\b[^>]*>", "", page)
        labels = re.findall(
            r"\b(?:aria-label|title|alt|placeholder|content)=[\"']([^\"'\x00]*[A-Za-z]{3}[^\"'\x00]*)", page
        )
        read = re.split(r"[<>\x00]", re.sub(r"<[^<>]*>", "\x00", page))
        for text in (*labels, *read):
            if re.search(r"[A-Za-z]{3}", re.sub(r"&\w+;", "", text)):
                yield str(path.relative_to(ROOT)), " ".join(text.split())


def test_every_sentence_of_the_templates_is_in_the_catalogues() -> None:
    assert [(place, text) for place, text in text_of_templates() if text not in NAMES] == []


# Calls whose last argument, or the named one, is a sentence for a person.
REFUSALS = {"Refused", "OutRefused", "ValidationError", "add_error", "as_data"}
TRANSLATING = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext"}


def text_of_refusals() -> Iterator[tuple[str, str]]:
    """Yield the sentences of refusals and messages in Python files that are not translated, each with its file."""
    for path in sorted((ROOT / "cardsite").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            is_message = isinstance(function, ast.Attribute) and ast.unparse(function.value) == "messages"
            if name in REFUSALS or is_message:
                for text in plain_text(node.args[-1]):
                    yield str(path.relative_to(ROOT)), text


def plain_text(node: ast.AST) -> Iterator[str]:
    """Yield the sentences in an expression, without those that are given to a function that translates."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TRANSLATING:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"[A-Za-z]{2} ", node.value):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from plain_text(child)


def test_every_sentence_of_a_refusal_is_translated() -> None:
    assert list(text_of_refusals()) == []


def test_built_in_games_have_catalogues() -> None:
    folders = words.folders()
    for game in catalogue.listed():
        assert game in folders[game.folder.name]
        assert game.words("nl"), game.name
