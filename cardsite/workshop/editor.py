"""The editor's page, for a new text, for a saved one and for the lessons; and the pages of patterns and of words.

The page contains only the text to begin with. Drafts are kept in the browser; saved texts are fetched with
``text_views.as_json``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from csp.constants import NONCE
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from cardsite.request_data import KEY_DIGITS, whole
from cardsite.workshop import lessons
from cardsite.workshop.feel import of_the_house
from cardsite.workshop.starts import Start, pattern, patterns, small_game
from games.core.texts import LARGEST
from games.core.words import catalogue
from games.recycle.labels import MOST_PICTURES
from games.recycle.reader.blocks import standard_texts
from games.recycle.reader.syntax import MAX_NAME
from games.recycle.signatures import CALL, HEADED, KINDS, SECTIONS, SIGNATURES, WORDS, Signature
from games.recycle.svg import LONGEST
from games.recycle.tree import ITEM_TYPE, TeamPlayers

# The views whose addresses the scripts of the page know by these names.
FETCHED = ("check", "format", "look", "picture", "save", "try", "step", "tutorial", "feel", "index")
LONGEST_NUMBER = 6  # digits of a version's number in an address


@cache
def reference(code: str = "en") -> dict[str, Any]:
    """Return what the editor knows of RECYCLE, explained in the language of that code.

    Its words, what members of collections are, the blocks that come with it, and how long names may be.
    """
    blocks = {name: {"text": text, "means": meaning(means, code)} for name, (text, means) in standard_texts().items()}
    return {"words": _words(code), "members": _members(), "blocks": blocks, "longest_name": MAX_NAME}


def meaning(means: str, code: str) -> str:
    """Return what something of RECYCLE means, in the language of that code, as Markdown."""
    return catalogue(code, "recycle").get(means, means)


def _words(code: str) -> list[dict[str, Any]]:
    """Return the words and signs of RECYCLE with their forms, those without a word under ""."""
    found: dict[str, list[dict[str, Any]]] = {word: [] for word in ("", *HEADED, *sorted(WORDS - set(HEADED)))}
    for signature in SIGNATURES:
        word = next((part.text for part in signature.parts if part.text in found), "")
        found[word].append(_form(signature, code))
    return [{"name": word, "forms": forms} for word, forms in found.items()]


def _form(signature: Signature, code: str) -> dict[str, Any]:
    """Return a signature as JSON. That a call fits everywhere is not repeated at each part."""
    parts = [
        {"kind": part.text, "takes": [gives for gives in part.kind.takes if gives != CALL], "more": part.more}
        if part.kind
        else part.text
        for part in signature.parts
    ]
    return {
        "shape": signature.spelling,
        "snippet": signature.snippet,
        "gives": signature.gives,
        "parts": parts,
        "breaks": "|" in signature.shape,
        "means": meaning(signature.means, code).replace("`", ""),
        "example": signature.example,
    }


def _members() -> dict[str, str]:
    """Return what the members of each collection are, by the kinds that forms give; "" if that depends on its items.

    A place has cards as members, and a team its players. A call may give any collection.
    """
    names = {kind.type: name for name, kind in reversed(KINDS.items()) if kind.type and name in kind.takes}
    found = {}
    for gives in KINDS["COLLECTION"].takes:
        types = (kind.type for kind in KINDS.values() if gives in kind.takes and kind.type in ITEM_TYPE)
        collection = TeamPlayers.type if gives == "TEAM" else next(types, None)
        if gives != CALL:
            found[gives] = names[ITEM_TYPE[collection]] if collection and gives != "COLLECTION" else ""
    return found


def _address(name: str, *args: object) -> str:
    return reverse(f"workshop:{name}", args=args)


def page(request: HttpRequest, start: Start, look: str = "", **more: Any) -> HttpResponse:
    """Return the editor's page, which begins with ``start`` unless the browser has a draft of it.

    ``look``: the address of a state of a match to show at the table; "": a new deal, played on at random.
    """
    boot = {
        "start": {"key": start.name, "title": start.title, "source": start.source, "table": start.table},
        "code": "",
        "version": 0,
        "urls": {
            **{name: _address(name) for name in FETCHED},
            **({"look": look} if look else {}),
            "text": _address("text", "CODE"),
            "edit": _address("edit", "CODE"),
            "version": _address("json", "CODE", 0),
        },
        "largest": LARGEST,
        "pictures": {"longest": LONGEST, "most": MOST_PICTURES},
        "nonce": str(request.csp_nonce),  # type: ignore[attr-defined]
        "language": reference(get_language() or "en"),
        "reports": of_the_house(),
        "tutorial": None,
        "at": 0,  # the ply at which the table is shown first
        "against": 0,  # a version to compare with
        **more,
    }
    return render(request, "workshop/edit.html", {"boot": boot})


# CodeMirror adds its styles by script.
editor_page = csp_update({"style-src": [NONCE]})


@editor_page
@never_cache
@ensure_csrf_cookie
@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """Edit a new text; ``?pattern=NAME`` begins with a pattern."""
    name = request.GET.get("pattern", "")
    start = pattern(name) if name else small_game()
    if start is None:
        raise Http404("There is no such pattern.")
    return page(request, start)


@editor_page  # type: ignore[arg-type]
@never_cache
@ensure_csrf_cookie
@require_safe
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """Edit a saved text: its newest version, or ``?version=N``; ``&against=M`` shows what differs from another one.

    The script shows the refusal if it may not be read.
    """
    names = ("version", "against")
    numbers: dict[str, Any] = {name: whole(request.GET.get(name, ""), digits=LONGEST_NUMBER) or 0 for name in names}
    return page(request, Start(code, "", ""), code=code, **numbers, **_from_match(request))


def _from_match(request: HttpRequest) -> dict[str, Any]:
    """Return from where the editor fetches its table if ``?match=M&ply=P`` names a position to begin from."""
    match, ply = (whole(request.GET.get(name, ""), digits=KEY_DIGITS) for name in ("match", "ply"))
    if match is None or ply is None:
        return {}
    table = request.GET.get("table", "")
    return {"at": ply, "look": _address("look_from", match, ply) + (f"?{urlencode({'table': table})}" if table else "")}


@editor_page
@never_cache
@ensure_csrf_cookie
@require_safe
def tutorial(request: HttpRequest) -> HttpResponse:
    """Show the lessons, from an empty page to a game. ``?step=N`` opens one of them."""
    asked = whole(request.GET.get("step", ""), digits=2) or 0
    step = asked if asked <= lessons.COUNT else 0
    return page(
        request, Start("tutorial", _("Your first game"), ""), tutorial={"at": step, "lessons": _course(get_language())}
    )


@cache
def _course(language: str) -> list[dict[str, Any]]:
    return [{**each, "goals": [_(goal) for goal in each["goals"]]} for each in lessons.course(language)]


@require_safe
def pattern_page(request: HttpRequest) -> HttpResponse:
    """Show the patterns: short texts to copy from."""
    return render(request, "workshop/patterns.html", {"patterns": patterns()})


@require_safe
def word_page(request: HttpRequest) -> HttpResponse:
    """Show every way to write each word of RECYCLE, and the blocks that come with it."""
    code = get_language() or "en"
    html = MarkdownIt("js-default").renderInline
    sections = [
        {
            "title": meaning(title, code),
            "about": SafeString(html(meaning(about, code))),
            "signatures": [
                {"signature": one, "means": SafeString(html(meaning(one.means, code)))} for one in signatures
            ],
        }
        for title, (about, signatures) in SECTIONS.items()
    ]
    blocks = [{"text": text, "means": meaning(means, code)} for text, means in standard_texts().values()]
    return render(request, "workshop/words.html", {"sections": sections, "blocks": blocks})
