"""The site's settings for tests in this process: a temporary folder, bots that do not wait.

Tests of the running site (``running_site.py``) use ``cardsite.settings`` itself.
"""

import atexit
import os
import shutil
import tempfile

VAR = tempfile.mkdtemp(prefix="hamsterdam-tests-")
os.mkdir(os.path.join(VAR, "static"))
atexit.register(shutil.rmtree, VAR, ignore_errors=True)

for name in (
    "ALLOWED_HOSTS",
    "BEHIND_PROXY",
    "CSRF_TRUSTED_ORIGINS",
    "DATABASE_URL",
    "DEBUG",
    "REDIS_URL",
    "SECRET_KEY",
):
    os.environ.pop(name, None)
os.environ.update(
    HAMSTERDAM_VAR=VAR, HAMSTERDAM_LOCAL="1", BOT_PACE="0", REVEAL_PACE="0", HOUSE_TABLE="0", RATE_LIMITS="0"
)

from cardsite.settings import *  # noqa: E402, F403
from cardsite.settings import DATABASES, LOCALE_PATHS  # noqa: E402
from cardsite.translations import compile_catalogues  # noqa: E402

compile_catalogues(LOCALE_PATHS[0])

# A file, as the site has: SQLite in memory locks whole tables and cannot show how two writers meet.
DATABASES["default"]["TEST"] = {"NAME": os.path.join(VAR, "test.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # slow hashing is Django's to test
