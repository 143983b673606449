"""The site's settings, plus a provider of games from texts: the folder in the environment variable ``TEXTS``.

For tests that need games whose rules fail, change or are removed while a real site runs.
"""

import os
from pathlib import Path

from cardsite.settings import *  # noqa: F403
from games import catalogue
from tests.games.text_game import read

SUFFIX = ".txt"

catalogue.providers.append(catalogue.TextFolder("Texts", Path(os.environ["TEXTS"]), SUFFIX, read))
