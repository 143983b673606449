"""Background tasks, referenced until they end so that they are not garbage-collected."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any


class Tasks(set[asyncio.Task[None]]):
    """The running tasks."""

    def spawn(self, work: Coroutine[Any, Any, None], context: Context | None = None) -> None:
        """Start a task; ``context``: its context if not the caller's."""
        task = asyncio.get_running_loop().create_task(work, context=context)
        self.add(task)
        task.add_done_callback(self.discard)

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self:
            task.cancel()
