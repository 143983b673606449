"""The site's own settings, with a push service that has no certificate: the one of the tests."""

from cardsite.settings import *  # noqa: F403

PUSH_SCHEME = "http"
