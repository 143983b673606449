"""Sessions in the database, asked for only by keys that it could have given out."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.utils import timezone

from cardsite.prepared import NO_CODE, Prepared

SESSION = Prepared(lambda key: SessionStore.get_model_class().objects.filter(session_key=key), NO_CODE)


class SessionStore(DatabaseStore):
    """Django's store. Any other key, one with a NUL in it for example, is nobody's, and never reaches the database."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and len(key or "") <= 40 and (key or "").isascii() and (key or "").isalnum()

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        found = SESSION.first(self.session_key) if self.session_key else None
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None  # as Django does, so that a new one is made where something is to be kept
            return None
        return found
