"""Markdown pages for players, with a table of contents and with pictures of pieces, written ``[[4C]]``."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from cardsite.folding import folded
from games.core.cards import sign
from games.core.game import EXACT_WORDING

PIECES = re.compile(r"\[\[([\w-]{1,20}(?: [\w-]{1,20}){0,11})\]\]", re.ASCII)


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
    pages = MarkdownIt("js-default").enable("table")
    pages.inline.ruler.before("link", "pieces", _pieces)
    pages.add_render_rule("pieces", _draw)
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


def _pieces(state: StateInline, silent: bool) -> bool:
    match = PIECES.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        state.push("pieces", "", 0).content = match[1]
    state.pos = match.end()
    return True


def _draw(
    renderer: RendererProtocol, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:  # the signature that the library requires
    faces = tokens[index].content.split()
    words = [f'<span class="rule-piece" data-face="{escape(face)}">{escape(_word(face))}</span>' for face in faces]
    return f'<span class="rule-pieces">{" ".join(words)}</span>'


def _word(face: str) -> str:
    """Return a face as text: "4♣", "camel blue"."""
    return sign(face).replace("-", " ")
