"""The catalogue's provider of visitors' games: ``w-CODE-N`` is the game made of version N of the text CODE.

A version never changes, so a match keeps its rules whatever its author saves or removes later and whatever staff hide;
``services.require_open`` decides whether new tables may be opened. The catalogue does not list these games: pages query
the database. A version that has not passed its trial is not a game.

Processes that serve people never read a text: they hold its description (``described.py``). Worker processes compile
and play it.

Games are looked up in the event loop, too, where the database cannot be used. A game with a match in this process is
always in memory, since the match holds it; recently used ones are cached; any other is read once, in a thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakValueDictionary

import structlog
from django.db import connection
from django.db.models import QuerySet

from cardsite.database import DATABASE_UNAVAILABLE
from cardsite.refusal import Refused
from cardsite.workshop.described import DescribedGame, described, edition
from cardsite.workshop.models import Version, parts_of
from cardsite.workshop.services import do_describe
from cardsite.workshop.trial import describe_again
from games.catalogue import UnreadableGame
from games.core import Game
from games.core.messages import restored

KEPT = 100  # cached games, of some 100 KB each at most

log = structlog.get_logger(__name__)


class VersionProvider:
    """Finds the games of versions, and caches those used last."""

    title = "From the workshop"

    def __init__(self) -> None:
        self._alive: WeakValueDictionary[str, DescribedGame] = WeakValueDictionary()
        self._kept: OrderedDict[str, DescribedGame] = OrderedDict()
        self._lock = threading.Lock()  # protects both
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="workshop")
        self._describing = threading.Lock()  # one at a time, as each takes a process of the sandbox
        self._not_described: set[str] = set()  # games on which the sandbox failed: not tried again in this process

    def names(self) -> Sequence[str]:
        """Return no names: there are many, and most are private."""
        return ()

    def find(self, name: str) -> Game | None:
        """Return the game of a version that passed its trial, None for other names. Raises UnreadableGame.

        If its description is by another edition of the language, a new one is made in the background; until then the
        old one is used.
        """
        if parts_of(name) is None:
            return None
        game = self._at_hand(name)
        if game is None:
            try:
                asyncio.get_running_loop()
            except RuntimeError:
                game = self._read(name)
            else:
                game = self._reader.submit(self._read_in_thread, name).result()
        if game and game.edition != edition():
            self._describe_again(name)
        return game

    def title_of(self, name: str) -> str | None:
        """Return the title of a version from the database, None for other names. Raises UnreadableGame."""
        if game := self._at_hand(name):
            return game.title
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return _title(name)
        found = self.find(name)
        return found.title if found else None

    def _at_hand(self, name: str) -> DescribedGame | None:
        with self._lock:
            game = self._alive.get(name)
            if game is not None:
                self._kept[name] = game
                self._kept.move_to_end(name)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return game

    def _read(self, name: str) -> DescribedGame | None:
        version = _versions(name).first()
        if version is None:
            return None
        try:
            description = described(version.description)
        except ValueError as error:
            raise UnreadableGame(f"{name}: {error}") from error
        game = DescribedGame(name, version.source, version.table, description)
        game.title = version.title
        if description.unreadable and description.edition == edition():  # the language has changed since its trial
            raise UnreadableGame(f"{name} is no game: {restored(description.unreadable)}")
        with self._lock:
            self._alive.setdefault(name, game)
        return self._at_hand(name)

    def _describe_again(self, name: str) -> None:
        """Describe a version again in a thread, unless one is being described: then at its next use."""
        if name not in self._not_described and self._describing.acquire(blocking=False):
            threading.Thread(target=self._describe_now, args=(name,), daemon=True, name="describe").start()

    def _describe_now(self, name: str) -> None:
        try:
            if version := _versions(name).first():  # another process may have described it by now
                describe_version(version)
            with self._lock:
                self._alive.pop(name, None)
                self._kept.pop(name, None)
        except Refused as refusal:
            if refusal.code != "busy":
                self._not_described.add(name)
            log.warning("could not describe a game", game=name, why=refusal.text)
        except DATABASE_UNAVAILABLE as error:
            log.warning("could not describe a game", game=name, why=str(error).strip())
        except Exception:
            self._not_described.add(name)
            log.exception("could not describe a game", game=name)
        finally:
            self._describing.release()
            connection.close()  # threads like this one keep none open

    def _read_in_thread(self, name: str) -> DescribedGame | None:
        """Read a version in the reader's thread, which keeps no connection open."""
        try:
            return self._read(name)
        finally:
            connection.close()


def describe_version(version: Version) -> bool:
    """Store a new description of a version, if needed. Blocks for about a second. Return whether it was needed.

    Raises Refused if the sandbox is busy or fails; the old description stays then.
    """
    if (version.description or {}).get("edition") == edition():
        return False
    description, why = describe_again(version.source, version.table)
    do_describe(version.pk, edition(), description, why)
    return True


def _versions(name: str) -> QuerySet[Version]:
    """Return the version with this name, if it passed its trial."""
    code, number = parts_of(name) or ("", 0)
    return Version.objects.filter(text__code=code, number=number, playable=True)


def _title(name: str) -> str | None:
    code, number = parts_of(name) or ("", 0)
    found = Version.objects.filter(text__code=code, number=number) if code else Version.objects.none()
    return found.values_list("title", flat=True).first()


PROVIDER = VersionProvider()
