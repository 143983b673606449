"""Long work in the background: one model of a job, and queues of jobs. The work runs in a child of ``games.jobs``.

``folder.py``
    ``JobFolder``: state, results and progress of a job; when it was last viewed; how to cancel it. All processes of the
    site see the same. A job whose process died is recognised by its free lock and can be resumed.
``queue.py``
    ``Queue``: runs jobs of one kind, a few at a time; the person who has used the least CPU time is next. Each runs in
    a confined child that may write to its folder only, and its cost is booked.
``worker.py``
    The answers of a handler in such a child.

Reports of the laboratory, lead histories and measurements of texts are such jobs. Work that a person waits for (bots,
the sandbox, matches) uses ``games.jobs.pool`` directly.
"""
