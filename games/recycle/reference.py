"""The reference in ``docs/recycle.md``, made of the table of the language: ``python -m games.recycle.reference``."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from games.recycle.reader.blocks import standard_texts
from games.recycle.signatures import SECTIONS, Signature

WIDTH = 120  # of a line
PAGE = Path(__file__).parents[2] / "docs" / "recycle.md"

_HEAD = """\
## Every word

In capitals is what you fill in: NUMBER, TEST, NAME, CARD, CARDS, PLACE, GROUPS, PLAYER and TEAM are explained under
their own headings; COLLECTION is anything that [can be gone through](#what-can-be-gone-through), VALUE any of these,
STEP and ACTION a [step](#steps), BLOCK a [block](#blocks), PART anything, `'X` a new variable. `...` means that more of
the same may follow. In the examples `'P` is a player, `'C` a card, `'N` a number, `'NAME` a name.

*Ours* marks what the language as it was published does not have; everything else is CardStock's.
"""


def reference() -> str:
    """Return the reference as Markdown, which begins with its heading."""
    return "\n".join((_HEAD, *(line for title in SECTIONS for line in _section(title))))


def sentences() -> Iterator[str]:
    """Yield what explains the language, which is translated: headings, and what words and blocks mean."""
    for title, (about, signatures) in SECTIONS.items():
        yield from filter(None, (title, about))
        yield from (signature.means for signature in signatures)
    yield from (means for _, means in standard_texts().values())


def with_reference(page: str) -> str:
    """Return a page with the reference as it is now in place of the one that it has."""
    return re.sub(r"^## Every word\n.*?(?=^## )", lambda _: f"{reference()}\n", page, flags=re.MULTILINE | re.DOTALL)


def _section(title: str) -> Iterator[str]:
    about, signatures = SECTIONS[title]
    yield f"### {title}\n"
    if about:
        yield f"{_wrapped(about)}\n"
    yield from map(_item, signatures)
    yield ""


def _item(signature: Signature) -> str:
    """Return the list item of a signature: what to write, what it means, and an example."""
    example = f" Example: `{signature.example}`" if signature.example else ""
    return _wrapped(
        f"- `{signature.spelling}`: {'*Ours.* ' if signature.ours else ''}{signature.means}{example}", indent="  "
    )


def _wrapped(text: str, indent: str = "") -> str:
    """Return a paragraph in lines. No line ends inside backticks."""
    kept = re.sub("`[^`]+`", lambda code: code[0].replace(" ", "\0"), text)
    lines = textwrap.fill(kept, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
