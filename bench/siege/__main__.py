"""How much people at quiet tables are disturbed by attacks on the site: ``python -m bench.siege``.

For each attack a new site is started as `make play` starts it, on all cores and with rate limits. A few probes, each a
person with a bot at a table of their own, ping and move there: first with nobody else on the site, then while the
attack runs in a process of its own at low priority. Prints JSON; exits with 1 if an attack is not held off. `--list`
lists the attacks. bench/README.md says how to read the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from bench.harness.command import parser_of, percentiles, run, show
from bench.harness.load import QUIET
from bench.harness.running import ROOT, TICKS, Site, cost_of, reference_loop, running_site
from bench.siege.attack import FILES, Attack
from bench.siege.attacks.every import ATTACKS
from bench.siege.probes import BEGIN, LATE, Probes, ProbeTimes

SLOWEST = 0.25  # seconds: the 99th percentile of a probe's round trips under any attack
TIMES = 3.0  # the median under an attack, at most so many times the quiet one
BOT = 2.0  # seconds: the 99th percentile of a bot's turn at the probes' tables; reported, and no part of the verdict
CALM = 60.0  # seconds for the site to come to rest afterwards
IDLE = (3, 4)  # fields of /proc/stat: time in which a core had nothing to do, or waited for a disk
TOKEN = "t" * 32  # of /metrics
COST = re.compile(r"^hamsterdam_cost_seconds(?:_total)?\{(?P<labels>[^}]*)\} (?P<value>\S+)", re.MULTILINE)
KIND = re.compile(r'kind="([^"]*)"')


@dataclass(frozen=True)
class Spent:
    """CPU seconds since some time: of the site, of what it has started, of both sides of the siege, of all cores."""

    server: float
    children: float
    probes: float
    attacker: float
    machine: float

    @classmethod
    def now(cls, site: Site, attacker: int) -> Spent:
        """Return what has been spent so far."""
        server, children, own = site.serving_cost().cpu, site.child_cpu(), time.process_time()
        busy = sum(int(value) for index, value in enumerate(_cpu_ticks()) if index not in IDLE) / TICKS
        return cls(server, children, own, cost_of([attacker]).cpu, busy)

    def since(self, then: Spent) -> Spent:
        """Return what has been spent since then."""
        parts = (getattr(self, one.name) - getattr(then, one.name) for one in fields(self))
        return Spent(*parts)

    def figures(self, seconds: float) -> dict[str, float]:
        """Return them, and as shares of a core: of the attacker and of whatever else runs on this machine."""
        others = self.machine - self.server - self.children - self.probes - self.attacker
        return {
            "server_cpu_s": round(self.server, 2),
            "children_cpu_s": round(self.children, 2),
            "probes_cpu_share": round(self.probes / seconds, 2),
            "attacker_cpu_share": round(self.attacker / seconds, 2),
            "others_cpu_share": round(max(0.0, others) / seconds, 2),
        }


def _cpu_ticks() -> list[str]:
    """Return the first eight CPU counters of the machine, in ticks."""
    return Path("/proc/stat").read_text().splitlines()[0].split()[1:9]


class Attacker:
    """The process that attacks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    @classmethod
    @contextlib.asynccontextmanager
    async def at(cls, site: Site, attack: Attack, seed: str) -> AsyncIterator[Attacker]:
        """Prepare an attack and let it begin; whatever happens, it is ended."""
        prepared = await asyncio.to_thread(site.prepare, **attack.needs) if attack.needs else {}
        asked = {"name": attack.name, "port": site.port, "prepared": prepared, "seed": seed}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.siege.attacks",
            json.dumps(asked),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**20,
        )
        try:
            yield cls(process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def begun(self) -> None:
        """Return when the attack is under way. Raises RuntimeError when it is not after a long time."""
        try:
            async with asyncio.timeout(BEGIN):
                line = await self._line()
        except TimeoutError:
            raise RuntimeError(f"The attack was not under way after {BEGIN:.0f} s.") from None
        if line != "begun":
            raise RuntimeError(f"The attack could not begin: {line}")

    async def end(self) -> dict[str, Any]:
        """End the attack and return what it did. Raises RuntimeError if its process has ended before."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            async with asyncio.timeout(LATE):
                report: dict[str, Any] = await self._line()
        except TimeoutError:
            return {"trouble": "The attack did not say what it did."}
        return report

    async def _line(self) -> Any:
        assert self._process.stdout
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("The process that attacks has ended.")
        return json.loads(line)


def milliseconds(seconds: list[float]) -> dict[str, float | int | None]:
    """Return how many there are, the median, the 99th percentile and the worst in milliseconds."""
    named = percentiles(seconds)
    worst = round(max(seconds) * 1000, 2) if seconds else None
    return {"count": len(seconds), "median": named.get("p50"), "p99": named.get("p99"), "worst": worst}


def figures_of(tally: ProbeTimes) -> dict[str, Any]:
    """Return what probes have seen."""
    return {
        "ping_ms": milliseconds(tally.pings),
        "move_ms": milliseconds(tally.moves),
        "bot_ms": milliseconds(tally.bots),
        "start_ms": milliseconds(tally.starts),
        "page_ms": milliseconds(tally.pages),
        "probe_lag_ms": milliseconds(tally.lags),
        "connections_lost": tally.lost,
    }


def booked(site: Site) -> dict[str, float] | None:
    """Return the CPU seconds that the site has booked, by kind; None where it books none."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{site.port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=LATE) as answer:
            text = answer.read().decode()
    except OSError:
        return None
    seconds: dict[str, float] = {}
    for row in COST.finditer(text):
        kind = KIND.search(row["labels"])
        name = kind[1] if kind else row["labels"]
        seconds[name] = seconds.get(name, 0.0) + float(row["value"])
    return seconds or None


def difference(now: dict[str, float] | None, then: dict[str, float] | None) -> dict[str, float] | None:
    """Return what was booked in between, by kind."""
    if now is None:
        return None
    before = then or {}
    return {kind: round(value - before.get(kind, 0.0), 3) for kind, value in now.items()}


def judged(quiet: ProbeTimes, attacked: ProbeTimes, unanswered: int) -> dict[str, Any]:
    """Return how an attack compares with quiet, and whether it is held off."""
    verdict: dict[str, Any] = {"unanswered": unanswered}
    holds = not (unanswered or attacked.lost)
    for name in ("pings", "moves"):
        before, now = (milliseconds(getattr(tally, name)) for tally in (quiet, attacked))
        ratio = None
        if before["median"] and now["median"]:
            ratio = round(now["median"] / before["median"], 2)
        holds = holds and ratio is not None and ratio <= TIMES and (now["p99"] or 0.0) <= SLOWEST * 1000
        verdict[f"{name}_times_quiet"] = ratio
    bots = milliseconds(attacked.bots)["p99"]
    return {**verdict, "holds": holds, "bots_in_time": bots is not None and bots <= BOT * 1000}


async def rest(site: Site) -> float | None:
    """Return how many seconds the site took to come to rest; None when it did not for long."""
    began, used = time.monotonic(), 1.0
    # The probes continue, and cost next to nothing.
    while used > 4 * QUIET:
        if time.monotonic() > began + CALM:
            return None
        before = site.serving_cost().cpu + site.child_cpu()
        await asyncio.sleep(1)
        used = site.serving_cost().cpu + site.child_cpu() - before
    return round(time.monotonic() - began, 1)


async def besiege(site: Site, attack: Attack, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one attack."""
    probes = Probes(site)
    await probes.sit(arguments.game)
    quiet = await probes.watch(arguments.quiet)
    await probes.wait(quiet)
    async with Attacker.at(site, attack, arguments.seed) as attacker:
        setting_up = time.monotonic()
        await attacker.begun()
        set_up = time.monotonic() - setting_up
        cost = await asyncio.to_thread(booked, site)
        before, began = Spent.now(site, attacker.pid), time.monotonic()
        attacked = await probes.watch(arguments.seconds)
        spent, seconds = Spent.now(site, attacker.pid).since(before), time.monotonic() - began
        memory = site.serving_cost().rss
        did = await attacker.end()
    unanswered = await probes.wait(attacked)
    trouble = probes.trouble()
    rested = await rest(site)
    cost_now = await asyncio.to_thread(booked, site)
    probes.leave()
    verdict = judged(quiet, attacked, unanswered)
    verdict["holds"] = verdict["holds"] and not trouble and not did.get("trouble")
    return {
        "attack": attack.name,
        "about": attack.about,
        "seconds": round(seconds, 1),
        **verdict,
        "quiet": figures_of(quiet),
        "attacked": figures_of(attacked),
        **spent.figures(seconds),
        "booked_cpu_s": difference(cost_now, cost),
        "server_mb": round(memory / 2**20, 1),
        "set_up_s": round(set_up, 1),
        "rested_after_s": rested,
        "probe_trouble": trouble,
        "attacker": did,
    }


def attacked_site(attack: Attack, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one attack on a new site; where it came to nothing, why. It is not held off then."""
    try:
        with running_site(
            arguments.server, "sqlite", apart=False, RATE_LIMITS="1", BEHIND_PROXY="1", METRICS_TOKEN=TOKEN
        ) as site:
            figures = run(besiege(site, attack, arguments))
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        print(f"{attack.name}: {error!r}", file=sys.stderr)
        return {"attack": attack.name, "error": repr(error), "holds": False, "bots_in_time": False}
    now = figures["attacked"]["ping_ms"]
    notes = f"{'' if figures['holds'] else ', not held off'}{'' if figures['bots_in_time'] else ', bots late'}"
    print(f"{attack.name}: ping {now['median']} / {now['p99']} ms{notes}", file=sys.stderr)
    return figures


def siege(names: Iterable[str], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of some attacks, each on a new site."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES), hard))  # of the site, which inherits it
    results = [attacked_site(ATTACKS[name], arguments) for name in names]
    return {
        "cores": len(os.sched_getaffinity(0)),
        "reference_loop_ms": reference_loop(),
        "target": {"p99_ms": SLOWEST * 1000, "median_times_quiet": TIMES},
        "holds": all(one["holds"] for one in results),
        "bots_in_time": all(one["bots_in_time"] for one in results),
        "attacks": results,
    }


def main() -> None:
    """Run the attacks that the command line names."""
    parser = parser_of("siege", __doc__)
    parser.add_argument("--list", action="store_true", help="list the attacks and exit")
    parser.add_argument(
        "--only",
        action="append",
        choices=sorted(ATTACKS),
        metavar="NAME",
        help="only this attack (may be repeated)",
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of each attack (default: %(default)s)")
    parser.add_argument(
        "--quiet", type=float, default=8.0, metavar="SECONDS", help="duration of the phase before it (%(default)s)"
    )
    parser.add_argument("--game", default="bundles", help="game that the probes play (default: %(default)s)")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--seed", default="siege", help="seed of the random choices of attackers")
    arguments = parser.parse_args()
    if arguments.list:
        for attack in ATTACKS.values():
            print(f"{attack.name:18} {attack.about}")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the site is ended, too
    figures = siege(arguments.only or ATTACKS, arguments)
    show(figures)
    sys.exit(not figures["holds"])


if __name__ == "__main__":
    main()
