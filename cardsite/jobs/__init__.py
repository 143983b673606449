"""Long work in the background: one model of a job, and queues of them. What computes is a process of ``games.jobs``.

``folder.py``
    ``JobFolder``: where a job keeps what it has come to, with its state, who looks on, and how it is cancelled. All
    processes of the site see the same; a job whose process is lost is told by its lock, and can go on.
``queue.py``
    ``Queue``: jobs of one kind, a few at a time, in turns by the CPU time of whoever asked. Each runs in a confined
    child that may write to its folder only, and its cost is booked.
``worker.py``
    What a handler in such a child answers.

Reports of the laboratory, lead histories and measurements of texts are such jobs. What is answered while somebody
waits for it (bots, the sandbox, matches) asks ``games.jobs.pool`` without a queue of jobs.
"""
