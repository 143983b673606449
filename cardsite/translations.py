"""Translations: what games say in the language of a request, and catalogues as Django and scripts read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from babel.messages.mofile import write_mo
from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

from games.core import BadOption, Game, IllegalMove, messages
from games.core.messages import Message
from games.core.options import Option, OptionValue
from games.core.words import catalogue, languages, read

LOCALE = Path(__file__).with_name("locale")  # the site's catalogues, a folder for each language


def language() -> str:
    """Return the language of this request, by its code: "nl"."""
    return get_language() or "en"


def known_language(code: str) -> str:
    """Return the code of a language if the site has it, else that of English."""
    return code if code in dict(settings.LANGUAGES) else "en"


def language_of(headers: Iterable[tuple[bytes, bytes]], cookies: Mapping[str, str]) -> str:
    """Return the language of an answer without a Django request: to a WebSocket handshake, or to a refused request.

    As for a page, the language cookie decides, or else what the browser accepts.
    """
    request = HttpRequest()
    request.COOKIES = dict(cookies)
    request.META["HTTP_ACCEPT_LANGUAGE"] = dict(headers).get(b"accept-language", b"").decode("latin-1")
    return translation.get_language_from_request(request)


def translated(game: Game, template: str) -> str:
    """Return the translation of a game's sentence in the language of this request, if there is one."""
    return game.words(language()).get(template) or template


def said(message: Message, game: Game | None = None) -> str:
    """Return a message in the language of this request.

    Messages of ``cardsite`` are in the site's own catalogue. ``game``: the one whose words may be filled in.
    """
    code = language()
    known, words = messages.words(code), game.words(code) if game else {}
    return message.translated(code, lambda text: known.get(text) or words.get(text) or (text and _(text)))


def detail_or(refusal: IllegalMove | BadOption, general: str, game: Game) -> str:
    """Return why the rules of a game refuse a move or options, in the language of this request.

    ``general`` is for reasons that are not translated, such as those of a game that is not in this tree.
    """
    text = refusal.text
    return said(text, game) if language() == "en" or text.template in messages.words(language()) else general


def value_in_words(game: Game, option: Option, value: OptionValue) -> str:
    """Return the value of an option in words, for people."""
    return translated(game, option.label_of(value))


def marked_if_english(game: Game, html: SafeString) -> SafeString:
    """Return a page of a game's rules, with a remark if it is in English and the reader's language is another."""
    if language() == "en" or game.rules_page(language()) != game.rules_page():
        return html
    note = _("This rules page is available in English only.")
    return format_html('<p class="soft">{}</p><div lang="en">{}</div>', note, html)


def compile_catalogues(target: Path) -> None:
    """Write the site's catalogues into a folder, as ``LANGUAGE/LC_MESSAGES/django.mo``, and the scripts' as JSON.

    The JSON files go to ``TARGET/scripts`` and are served as static files under ``locale``.
    """
    scripts = target / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    for language in languages():
        sentences = dict(catalogue(language, "scripts", folder=LOCALE))
        written = json.dumps(sentences, ensure_ascii=False, separators=(",", ":"))
        (scripts / f"{language}.json").write_text(written, encoding="utf-8")
        file = target / to_locale(language) / "LC_MESSAGES" / "django.mo"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as compiled:
            write_mo(compiled, read(language, "site", LOCALE))  # without untranslated sentences
