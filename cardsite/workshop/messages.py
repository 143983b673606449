"""Messages for authors (``games.core.messages``): how they are stored."""

from __future__ import annotations

from typing import Any

from django.db import models

from games.core.messages import Message, as_written, restored


class MessageField(models.TextField):  # type: ignore[type-arg]
    """A message. Rows from before messages were translated have its English text."""

    def from_db_value(self, value: str | None, *_: object) -> Message | None:
        return None if value is None else restored(value)

    def to_python(self, value: Any) -> Message | None:
        return None if value is None else as_written(value)

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else as_written(value).stored() if value else ""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Return the field as migrations know it: for the database it is a text."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs
