"""The editor's page: for a new text, for one that is kept, and for the lessons; and the gallery of patterns.

The page itself holds no text but the one it begins with: drafts live in the browser, and what is kept is fetched from
where it is kept (``texts.as_json``).
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
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from cardsite.workshop import lessons, sandbox
from cardsite.workshop.asking import whole
from cardsite.workshop.feel import of_the_house
from cardsite.workshop.gallery import Start, pattern, patterns, small_game
from games.recycle.workbench import words

LONGEST_NUMBER = 6  # digits of a version's number in an address


@cache
def _words() -> list[dict[str, Any]]:
    return [
        {"name": word.name, "forms": list(word.forms), "snippets": word.snippets, "means": word.means}
        for word in words()
    ]


def _address(name: str, *args: object) -> str:
    return reverse(f"workshop:{name}", args=args)


def page(request: HttpRequest, start: Start, look: str = "", **more: Any) -> HttpResponse:
    """Return the editor's page, which begins with ``start`` unless there is a draft of it in the browser.

    ``look``: where it asks for the table, if that is not played at random from the deal.
    """
    boot = {
        "start": {"key": start.name, "title": start.title, "source": start.source, "table": start.table},
        "code": "",
        "version": 0,
        "urls": {
            **{name: _address(name) for name in ("check", "format", "look", "save", "try", "step", "tutorial", "feel")},
            **({"look": look} if look else {}),
            "shelf": _address("shelf"),
            "text": _address("text", "CODE"),
            "edit": _address("edit", "CODE"),
            "version": _address("json", "CODE", 0),
        },
        "largest": sandbox.LARGEST,
        "nonce": str(request.csp_nonce),  # type: ignore[attr-defined]  # CodeMirror makes styles as it goes
        "words": _words(),
        "reports": of_the_house(),
        "tutorial": None,
        "at": 0,  # the move after which the table is shown first
        **more,
    }
    return render(request, "workshop/edit.html", {"boot": boot})


editing = csp_update({"style-src": [NONCE]})


@editing
@never_cache
@ensure_csrf_cookie
@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """A new text: ``?pattern=NAME`` begins with one of the gallery."""
    name = request.GET.get("pattern", "")
    start = pattern(name) if name else small_game()
    if start is None:
        raise Http404("There is no such pattern.")
    return page(request, start)


@editing  # type: ignore[arg-type]
@never_cache
@ensure_csrf_cookie
@require_safe
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """A text that is kept: its newest version, or ``?version=N``. Whoever may not read it is told so in it."""
    version = whole(request.GET.get("version", ""), digits=LONGEST_NUMBER) or 0
    return page(request, Start(code, "", ""), code=code, version=version, **_from_match(request))


def _from_match(request: HttpRequest) -> dict[str, Any]:
    """Return where the editor asks for its table when ``?match=M&ply=P`` names a position to begin from."""
    match, ply = (whole(request.GET.get(name, ""), digits=LONGEST_NUMBER) for name in ("match", "ply"))
    if match is None or ply is None:
        return {}
    table = request.GET.get("table", "")
    return {"at": ply, "look": _address("look_from", match, ply) + (f"?{urlencode({'table': table})}" if table else "")}


@editing
@never_cache
@ensure_csrf_cookie
@require_safe
def tutorial(request: HttpRequest) -> HttpResponse:
    """The lessons: from an empty page to a game of one's own, in six steps. ``?step=N`` opens one."""
    asked = request.GET.get("step", "")
    step = int(asked) if asked in map(str, range(1, lessons.COUNT + 1)) else 0
    return page(request, Start("tutorial", _("Your first game"), ""), tutorial={"at": step, "lessons": _course()})


@cache
def _course() -> list[dict[str, Any]]:
    return lessons.course()


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Short texts to copy from."""
    return render(request, "workshop/patterns.html", {"patterns": patterns()})
