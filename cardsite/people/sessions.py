"""Sessions in the database, asked for only by keys that it could have given out."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore


class SessionStore(DatabaseStore):
    """Django's store. Any other key, one with a NUL in it for example, is nobody's, and never reaches the database."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and len(key or "") <= 40 and (key or "").isascii() and (key or "").isalnum()
