"""What one process has to tell the others: gathered while the last of it is on its way, and sent in one go."""

from __future__ import annotations

import asyncio
from typing import Any

Notice = dict[str, Any]
# What a notice is about. Of the same thing the last one says all, for whoever hears it looks at the books. Each line of
# chat is a thing of its own.
ABOUT = {"ply": "match", "table": "code", "crowd": "code", "proofs": "person", "beat": "kind"}


class Notifications:
    """Notices that wait to be sent, at most ``most`` of them. For one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[object, Notice] = {}
        self._some = asyncio.Event()

    def put(self, notice: Notice) -> bool:
        """Have a notice sent. Return whether there was room for it."""
        kind = notice["kind"]
        about: object = (kind, notice[ABOUT[kind]]) if kind in ABOUT else id(notice)
        earlier = self._waiting.pop(about, None)
        if earlier is None and len(self._waiting) >= self._most:
            return False
        if earlier and earlier.get("new"):
            notice = {**notice, "new": True}
        self._waiting[about] = notice
        self._some.set()
        return True

    async def take(self) -> list[Notice]:
        """Return all that waits, as soon as there is anything, in the order in which it was last told."""
        await self._some.wait()
        self._some.clear()
        taken = list(self._waiting.values())
        self._waiting.clear()
        return taken
