"""The site's own settings with short timeouts: for requests that come slowly and for a database that is busy."""

from cardsite.settings import *  # noqa: F403
from cardsite.settings import DATABASES

HEAD_SECONDS = BODY_SECONDS = 2.0
DATABASES["default"]["OPTIONS"].update(
    {"timeout": 1} if "sqlite" in DATABASES["default"]["ENGINE"] else {"pool": {"min_size": 2, "timeout": 2}}
)
