"""The exact wording at the end of a rules page, folded."""

from __future__ import annotations

import re

from games.core.game import EXACT_WORDING

_SECTION = re.compile(rf"<h2([^>]*)>{EXACT_WORDING}</h2>(.*)\Z", re.DOTALL)


def folded(html: str, title: str) -> str:
    """Return the HTML of a rules page with its exact wording, which is in English, folded below ``title``."""
    section = rf'<details><summary\1><strong>{title}</strong></summary><div lang="en">\2</div></details>'
    return _SECTION.sub(section, html)
