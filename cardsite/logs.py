"""What Django logs, at the length and the level that it is worth."""

from __future__ import annotations

import logging


class OneLine(logging.Filter):
    """A request that was refused is one line, and a warning at most.

    Django tells of a wrong host or too many fields at level error with a traceback, though anybody may send them. Of a
    database that cannot be used ``failures`` has told already.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record; shorten it if it tells of a request that was refused."""
        status = getattr(record, "status_code", None)
        if not record.name.startswith("django.") or not isinstance(status, int):
            return True
        if status == 503:
            return False
        if status < 500:
            record.exc_info = record.exc_text = None
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True
