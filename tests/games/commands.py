"""Commands of ``python -m games``, run in this process: a process of its own would start for each of hundreds."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from games.__main__ import main


class Done(NamedTuple):
    """The exit code of a command and what it printed."""

    code: int
    out: str
    err: str


def run(*arguments: str) -> Done:
    """Run a command. Whatever it raises is raised, except the SystemExit of argparse."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(str(end.code))
    return Done(code, out.getvalue(), err.getvalue())
