"""The sandbox: questions about untrusted texts, answered in confined processes.

The functions block, and are for views in threads. The processes run at low priority with limits of memory and CPU time;
the worst a text can do is to end its process. A limited number of questions wait for their turn. All functions raise
Refused, with a message for the author, if a text is too large, takes too much or has errors, or if too many questions
wait. The cost of a question is added to the charge of the thread that asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from cardsite import costs, page_queue
from cardsite.folding import folded
from cardsite.jobs.queue import BUSY, TOO_LONG
from cardsite.limits import CHECKS_AT_ONCE, WORK
from cardsite.refusal import PageCode, Refused, TableCode
from cardsite.translations import said
from cardsite.workshop.sandbox_worker import DONE, answer
from games.core.game import TextNumber
from games.core.messages import Message, message, of_data
from games.core.texts import LARGEST
from games.jobs import Busy, Child, ChildDied, HandlerFailed, JobFailed, Limits, OutOfMemory, Stalled, TooMuchCpu
from games.jobs.pool import Pool, TooManyWait
from games.recycle.svg import LONGEST

MOST_SEATS = 20
MEMORY = 512 * 1024 * 1024  # bytes of address space: a process has 40 MB, and the library's largest game another 10
LARGEST_ANSWER = 8 * 1024 * 1024  # bytes
PATIENCE = 15.0  # seconds for which a question waits for its turn
NICE = 19

log = structlog.get_logger(__name__)


class SandboxRefused(Refused):
    """A refusal by the sandbox. ``why`` can be stored, and shown to others in their languages."""

    def __init__(self, code: PageCode | TableCode, why: Message) -> None:
        super().__init__(code, said(why))
        self.why = why


class Sandbox:
    """A few processes that answer questions, started on demand."""

    def __init__(
        self, processes: int, waiting: int, seconds: float, memory: int = MEMORY, idle: float = Limits.idle
    ) -> None:
        """``waiting``: how many questions may wait; ``seconds`` (CPU), ``memory`` (bytes): limits of a question."""
        limits = Limits(nice=NICE, memory=memory, confined=True, idle=idle, largest=LARGEST_ANSWER)
        self.pool = Pool(
            lambda: Child(answer, limits, name="sandbox"),
            processes,
            waiting,
            lambda who: CHECKS_AT_ONCE["person" if who else "newcomers"],
        )
        self._seconds = seconds

    def ask(self, question: str, who: str = "", **asked: Any) -> Any:
        """Return the answer to one of ``sandbox_worker.QUESTIONS``. Raises SandboxRefused.

        ``who`` ("" for a newcomer) may have only a few questions at a time.
        """
        request = json.dumps({"question": question, **asked}).encode()
        try:
            with page_queue.aside():  # meanwhile another request may use this one's place
                found = self.pool.ask(request, self._seconds, who, PATIENCE)
        except JobFailed as failed:
            costs.add(failed.cpu)
            raise _refused(failed, question) from failed
        costs.add(found.cpu)
        how, what = json.loads(found.payload)
        if how == DONE:
            return what
        raise SandboxRefused("text", of_data(what))

    def close(self) -> None:
        """Kill its processes. The next question starts new ones."""
        self.pool.close()


def _refused(failed: JobFailed, question: str) -> SandboxRefused:
    """Return the refusal for a question that got no answer."""
    match failed:
        case TooManyWait(own=True):
            return SandboxRefused("busy", message("Your previous request is still running. Try again in a moment."))
        case Busy() | Stalled():
            return SandboxRefused("busy", BUSY)
        case TooMuchCpu():
            return SandboxRefused("too_much", TOO_LONG)
        case OutOfMemory():
            return SandboxRefused(
                "too_much", message("This text needs too much memory. Use fewer cards, places or groups.")
            )
        case HandlerFailed():
            log.error("sandbox failed", question=question, why=str(failed))
            return SandboxRefused(
                "broken", message("The sandbox failed on this text. That is our fault; please report the text.")
            )
        case ChildDied() | _:
            log.warning("sandbox process was lost", question=question, why=str(failed))
            return SandboxRefused(
                "broken", message("The sandbox failed on this text. Try again, or simplify the text.")
            )


# For the editor's questions. Measurements take minutes, and have processes of their own (``measuring``).
quick = Sandbox(2, WORK["check"].waiting, WORK["check"].cpu)


# -- the questions


def check(source: str, table: str = "", who: str = "") -> dict[str, Any]:
    """Return the problems of a text and its facts: see ``text_analysis.check``. The rules' exact wording is folded."""
    found: dict[str, Any] = quick.ask("check", who, **_of_size(source, table), language=get_language() or "en")
    found["problems"] = [
        one | {"text": said(of_data(one["text"])), "hint": said(of_data(one["hint"]))} for one in found["problems"]
    ]
    found["table_problem"] = said(of_data(found["table_problem"]))
    return found | {"rules": folded(found["rules"], _("The exact wording"))}


def format_text(source: str, who: str = "") -> str:
    """Return a text in the standard layout."""
    return str(quick.ask("format_text", who, source=_of_size(source, "")["source"]))


def picture(markup: str, who: str = "") -> dict[str, Any]:
    """Return a picture of an author, checked: see ``text_analysis.picture``."""
    if len(markup) > LONGEST:
        raise Refused("too_large", _("A picture has at most %(n)d characters.") % {"n": LONGEST})
    found: dict[str, Any] = quick.ask("picture", who, markup=markup)
    return found


def explain(source: str, table: str = "", who: str = "") -> str:
    """Return the rules of a text as a page in Markdown."""
    return str(quick.ask("explain", who, **_of_size(source, table)))


def look(
    source: str,
    table: str = "",
    seats: int = 0,
    seat: int | None = None,
    plies: int = 0,
    seed: str = "1",
    *,
    face_up: bool = False,
    who: str = "",
    deal: str = "",
    opening: Sequence[tuple[int, str]] = (),
) -> dict[str, Any]:
    """Return the table after so many random plies, as ``seat`` (None: a spectator) sees it: see ``text_analysis.look``.

    ``seats`` 0: the usual number of players.
    """
    if not 0 <= seats <= MOST_SEATS:
        raise Refused("seats", _("A table has at most %(n)d seats.") % {"n": MOST_SEATS})
    asked: dict[str, Any] = {"seats": seats, "seat": seat, "plies": plies, "seed": seed[:40], "face_up": face_up}
    asked |= {"deal": deal, "opening": list(opening)}
    found: dict[str, Any] = quick.ask("look", who, **_of_size(source, table), **asked)
    return found | {"failure": said(of_data(found["failure"]))}


def numbers(source: str, who: str = "") -> list[TextNumber]:
    """Return the numbers of a text that may be varied."""
    return [TextNumber(*each) for each in quick.ask("numbers", who, source=_of_size(source, "")["source"])]


def with_numbers(source: str, values: Mapping[str, int], who: str = "") -> str:
    """Return a text in which some numbers have other values."""
    return str(quick.ask("with_numbers", who, source=_of_size(source, "")["source"], values=values))


def goals(number: int, source: str, *, saved: bool, who: str = "") -> list[dict[str, Any]]:
    """Return the goals of a lesson, and which of them a text reaches: see ``lessons.goals``."""
    source = _of_size(source, "")["source"]
    found: list[dict[str, Any]] = quick.ask("goals", who, number=number, source=source, saved=saved)
    return found


def _of_size(source: str, table: str) -> dict[str, str]:
    """Return a text and its table file as arguments. Raises Refused if they are too large."""
    check_size(source, table)
    return {"source": source, "table": table}


def check_size(source: str, table: str) -> None:
    """Raise Refused if a text or its table file is too large."""
    if max(len(source), len(table)) > LARGEST:
        raise Refused("too_large", _("A text may have at most %(n)d characters.") % {"n": LARGEST})
