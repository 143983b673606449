"""Markdown pages for players, with a table of contents and with pictures of pieces, written ``[[4C]]``."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from cardsite.folding import folded
from cardsite.pieces import with_pieces
from games.core.game import EXACT_WORDING


class Heading(NamedTuple):
    """A heading in the table of contents."""

    id: str
    text: str


class Prose(NamedTuple):
    """A page: its title, its HTML and its headings."""

    title: str
    html: SafeString
    contents: list[Heading]


def prose(text: str) -> Prose:
    """Return a Markdown page as HTML, with its exact wording folded. Raw HTML in it is escaped ("js-default").

    ``[[9S 9H torch]]`` is a row of pieces given by their faces: words, which a script replaces by pictures.
    """
    pages = with_pieces(MarkdownIt("js-default").enable("table"))
    tokens = pages.parse(text)
    title, exact = "", _("The exact wording")
    contents: list[Heading] = []
    for opening, inside in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        words = "".join(part.content for part in inside.children or [] if part.type in ("text", "code_inline"))
        if opening.tag == "h1":
            title = title or words
        elif opening.tag == "h2":
            words = exact if words == EXACT_WORDING else words
            heading = Heading(f"rules-{len(contents)}-{slugify(words)}".rstrip("-"), words)
            opening.attrSet("id", heading.id)
            contents.append(heading)
    html = folded(pages.renderer.render(tokens, pages.options, {}), exact)
    return Prose(title, mark_safe(html), contents)  # noqa: S308
