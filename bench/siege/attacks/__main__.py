"""The process of one attack. ``bench.siege`` starts it.

The process runs at low priority. Its command line is JSON and contains the port of the site. On standard output it
writes JSON: "begun" when the attack is under way, and the results after its standard input was closed, which ends the
attack.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import sys
from typing import Any

from bench.siege.attack import FILES, AttackRun
from bench.siege.attacks.every import ATTACKS

NICE = 10


async def _run(name: str, port: int, prepared: dict[str, Any], seed: str) -> dict[str, Any]:
    run = AttackRun(port, prepared, seed)
    loop = asyncio.get_running_loop()
    ended = loop.run_in_executor(None, sys.stdin.read)
    work = asyncio.ensure_future(ATTACKS[name].work(run))
    await asyncio.wait({work, ended}, return_when=asyncio.FIRST_COMPLETED)
    run.begun()
    await ended
    run.over.set()
    _done, late = await asyncio.wait({work}, timeout=2)
    for task in late:
        task.cancel()
    error = None if late else work.exception()
    return {
        "did": dict(sorted(run.counts.items())),
        **run.notes,
        "trouble": repr(error) if error else "",
    }


def main() -> None:
    """Run the attack that the command line names."""
    asked = json.loads(sys.argv[1])
    with contextlib.suppress(OSError):
        os.nice(NICE)
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES), hard))
    print(json.dumps(asyncio.run(_run(**asked))), flush=True)
    os._exit(0)  # without waiting for requests that are still open


if __name__ == "__main__":
    main()
