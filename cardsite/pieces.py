"""Rows of pieces in a Markdown page, written ``[[9S 9H torch]]``: words, which a script replaces by pictures.

Imports no Django: the sandbox uses it, too.
"""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from games.core.cards import sign

_PIECES = re.compile(r"\[\[([\w-]{1,20}(?: [\w-]{1,20}){0,11})\]\]", re.ASCII)


def with_pieces(pages: MarkdownIt) -> MarkdownIt:
    """Return a renderer that has been taught rows of pieces."""
    pages.inline.ruler.before("link", "pieces", _pieces)
    pages.add_render_rule("pieces", _draw)
    return pages


def _pieces(state: StateInline, silent: bool) -> bool:
    match = _PIECES.match(state.src, state.pos)
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
