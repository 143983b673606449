"""The worker process that runs matches of visitors' games: its requests and its answers.

A request is a pickle, made by the match server. An answer is MessagePack, so that a text that takes over the worker
cannot harm the server. Nothing here imports Django.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import msgspec

from cardsite.server.match_copy import MatchCopy, MatchRecord
from games.core import IllegalMove, RulesFailed
from games.core.match import UNPLAYABLE, OtherRules
from games.core.messages import Message, of_data
from games.jobs.child import is_memory_error

MOST_COPIES = 100  # in one process; the least recently used is evicted first

DONE, UNKNOWN, RAISED = "done", "unknown", "raised"
ERRORS: dict[str, type[Exception]] = {kind.__name__: kind for kind in (*UNPLAYABLE, OtherRules)}

_copies: OrderedDict[int, MatchCopy] = OrderedDict()  # by LiveMatch.key


class NoCopy(Exception):
    """The worker has no copy of the match at the server's version: it needs the record to rebuild it."""


class WorkerRequest(NamedTuple):
    """A method of a match's copy to call; with ``record`` the copy is rebuilt first."""

    match: int
    version: int  # the number of moves that the server knows
    record: MatchRecord | None
    method: str
    args: tuple[Any, ...]


class WorkerAnswer(NamedTuple):
    """DONE with the return value, UNKNOWN if a record is needed, RAISED with an error's name and messages."""

    how: str
    result: msgspec.Raw = msgspec.Raw(b"\xc0")


def handle(request: bytes) -> bytes:
    """Answer a request. If it is interrupted, for example by a deadline, the copy that it was changing is discarded."""
    match, version, record, method, args = WorkerRequest(*pickle.loads(request))  # noqa: S301 - the match server sent it
    copy = _copies.pop(match, None)
    try:
        if record is not None:
            copy = MatchCopy.deal(record)
            copy.start(record.moves)
            if record.conceded:
                copy.concede(record.conceded)
        elif copy is None or copy.version != version:
            return _encoded(UNKNOWN)
        result = getattr(copy, method)(*args)
    except IllegalMove as refusal:
        if copy is not None:
            _keep(match, copy)  # nothing was changed
        return _raised(refusal)
    except Exception as error:
        if is_memory_error(error):
            raise
        known = type(error).__name__ in ERRORS
        return _raised(error if known else RulesFailed.by(error, "of a visitor's text"))
    _keep(match, copy)
    return _encoded(DONE, result)


def _keep(match: int, copy: MatchCopy) -> None:
    _copies[match] = copy
    while len(_copies) > MOST_COPIES:
        _copies.popitem(last=False)


def _raised(error: Exception) -> bytes:
    said = [arg.data() if isinstance(arg, Message) else str(arg) for arg in error.args]
    return _encoded(RAISED, [type(error).__name__, *said])


def _encoded(how: str, result: Any = None) -> bytes:
    return msgspec.msgpack.encode((how, result))


@cache
def _result_of(method: Callable[..., Any]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(get_type_hints(method)["return"])


def result(answer: bytes, method: Callable[..., Any]) -> Any:
    """Return what a method of ``MatchCopy`` returned in a worker. Raises what it raised, and NoCopy.

    Raises msgspec.ValidationError for an invalid answer.
    """
    how, raw = _answer(answer)
    if how == UNKNOWN:
        raise NoCopy
    if how == RAISED:
        kind, *said = msgspec.msgpack.decode(raw, type=list[str | dict[str, Any]])
        raise ERRORS.get(str(kind), RulesFailed)(*map(_message, said))
    return _result_of(method).decode(raw)


def _message(said: str | dict[str, Any]) -> str:
    """Return a message that a worker sent. Raises msgspec.ValidationError for one that is invalid."""
    if isinstance(said, str):
        return said
    try:
        return of_data(said)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise msgspec.ValidationError(repr(error)) from None


_answer = msgspec.msgpack.Decoder(WorkerAnswer).decode
