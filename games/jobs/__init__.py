"""Work in child processes: how they are started, limited, asked and ended, for the site and the command line.

``process.py``
    ``Child(handler, limits, setup)`` is one process that answers requests, one at a time. ``handler`` is a function of
    a module, ``handler(request: bytes) -> bytes``; ``setup`` is another, called once before the process is confined, to
    import what the handler needs. The process starts with the first request, and again if it has ended.
    ``child.ask(request, cpu)`` blocks and returns ``JobResult(payload, cpu)``: what the handler returned and how many
    CPU seconds that took. ``await child.ask_async(request, cpu)`` does the same on an event loop, without a thread.
    ``cpu`` is a deadline in CPU seconds. When it is reached the handler is interrupted by ``OutOfTime`` (``child.py``),
    which no ``except Exception`` stops; the process stays. A handler that cannot be interrupted is killed ``GRACE`` CPU
    seconds later. No wall-clock time counts, except for a child that sleeps: ``limits.idle``. ``child.kill()`` ends the
    process at any time, from any thread; its current request raises ``ChildDied``. ``child.end()`` waits until it is
    gone.

    What can go wrong is a ``JobFailed``, with the CPU seconds it has cost in ``cpu``:
    ``TooMuchCpu``, ``OutOfMemory``, ``HandlerFailed`` (the handler raised; the message is its traceback), ``ChildDied``
    (``Stalled`` if it slept too long), and ``Busy`` (the request was not made, because others come first).

``pool.py``
    ``Pool(make_child, size, waiting)`` is up to ``size`` children. ``pool.ask(request, cpu, key)`` and
    ``pool.ask_async(...)`` wait for a free child. The ``key`` that has used the least CPU lately goes first: a
    person, an address or a table. ``pool.borrow(key)`` and ``pool.borrow_async(key)`` are context managers that lend a
    child for several requests; ``pool.book(key, cpu)`` then counts what they cost.

``family.py``
    A child with ``Limits(helpers=True)`` may start processes; its supervisor finds, counts and ends them.

``confine.py``
    What a child with ``Limits(confined=True)`` cannot do. ``protections()`` returns which of it this system enforces.

Children send bytes, which are never unpickled here: parse them as JSON. Limits, handler and setup are pickled to the
child.
"""

from games.jobs.child import Limits
from games.jobs.process import (
    Busy,
    Child,
    ChildDied,
    HandlerFailed,
    JobFailed,
    JobResult,
    OutOfMemory,
    Stalled,
    TooMuchCpu,
)

__all__ = [
    "Busy",
    "Child",
    "ChildDied",
    "HandlerFailed",
    "JobFailed",
    "JobResult",
    "Limits",
    "OutOfMemory",
    "Stalled",
    "TooMuchCpu",
]
