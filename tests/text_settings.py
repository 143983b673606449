"""The site's settings for tests that need games whose rules fail, change or are removed while a real site runs.

The site also has the games of the folder in the environment variable ``TEXTS``: a text file for each game, in the small
language of ``tests.games.text_game``.
"""

import os
from pathlib import Path

from cardsite.settings import *  # noqa: F403
from games import catalogue
from tests.games.text_game import read

catalogue.providers.append(catalogue.TextFolder("Texts", Path(os.environ["TEXTS"]), ".txt", read))
