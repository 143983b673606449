"""The site's own settings, with hardly any patience: for requests that come slowly, for a database that is busy.

So that a test of what happens when patience ends need not have it.
"""

from cardsite.settings import *  # noqa: F403
from cardsite.settings import DATABASES

HEAD_SECONDS = BODY_SECONDS = 2.0
DATABASES["default"]["OPTIONS"].update(
    {"timeout": 1} if "sqlite" in DATABASES["default"]["ENGINE"] else {"pool": {"min_size": 2, "timeout": 2}}
)
