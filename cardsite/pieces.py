"""Rows of pieces in a Markdown page, written ``[[9S 9H torch]]``: words, which a script replaces by pictures.

A card of another pack has its corner, symbol, colour and words, of which the words have to be there:
``[[7/leaf/green/Green_7]]``. A number after the symbol says how often it is drawn: ``leaf3``.

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

_PLAIN = "[a-zA-Z0-9_-]{1,20}"
_SAFE = r"""[^\s\[\]/<>&|`*\\"']"""
_DRAWN = f"{_SAFE}{{0,3}}/[a-z]*[0-9]{{0,2}}/[a-z]*/{_SAFE}{{1,60}}"
_PIECE = f"(?:{_DRAWN}|{_PLAIN})"
_PIECES = re.compile(rf"\[\[({_PIECE}(?: {_PIECE}){{0,11}})\]\]")


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
    words = map(_span, tokens[index].content.split(" "))
    return f'<span class="rule-pieces">{" ".join(words)}</span>'


def _span(piece: str) -> str:
    corner, symbol, colour, face = piece.split("/") if "/" in piece else ("", "", "", piece)
    word = sign(face).replace("-", " ") if face == piece else face.replace("_", " ")  # "4♣", "camel blue", "Green 7"
    name = symbol.rstrip("0123456789")
    drawn = {"face": face if face == piece else word, "corner": corner, "symbol": name, "colour": colour}
    drawn["number"] = symbol.removeprefix(name)
    data = "".join(f' data-{key}="{escape(value)}"' for key, value in drawn.items() if value)
    return f'<span class="rule-piece"{data}>{escape(word)}</span>'
