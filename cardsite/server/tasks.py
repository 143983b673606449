"""Tasks that nobody waits for, kept until they end, so that they are not collected as garbage."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any


class Tasks(set[asyncio.Task[None]]):
    """Tasks that are under way."""

    def spawn(self, work: Coroutine[Any, Any, None], context: Context | None = None) -> None:
        """Start a task; ``context``: another one than the caller's."""
        task = asyncio.get_running_loop().create_task(work, context=context)
        self.add(task)
        task.add_done_callback(self.discard)

    def cancel(self) -> None:
        """Cancel all of them."""
        for task in self:
            task.cancel()
