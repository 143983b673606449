"""Sessions in the database, looked up only by keys that the site could have created."""

from __future__ import annotations

from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

from cardsite.prepared import NO_CODE, Prepared
from cardsite.private_api.django import CheckedSessionStore

LONGEST_KEY = 40  # characters, of the column in the database
SESSION = Prepared(lambda key: SessionStore.get_model_class().objects.filter(session_key=key), NO_CODE)


class SessionStore(CheckedSessionStore):
    """Django's store. An invalid key, for example one with a NUL, never reaches the database."""

    def is_key(self, key: str) -> bool:
        """Return whether this site could have created the key."""
        return len(key) <= LONGEST_KEY and key.isascii() and key.isalnum()

    def find(self, key: str) -> AbstractBaseSession | None:
        """Return the session with this key, None if there is none or it has expired."""
        session = SESSION.first(key)
        return session if session and session.expire_date > timezone.now() else None
