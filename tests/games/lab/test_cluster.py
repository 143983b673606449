"""Simulations on a cluster: a scheduler and workers of dask.distributed, in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from distributed import Client

from games import catalogue
from games.__main__ import main
from games.lab import pool
from games.lab.analyse import Analysis, Run, analyse
from games.lab.plugins import ROOT
from games.lab.pool import ClusterFailed
from games.lab.publish import publish
from games.lab.saved import PLAYED
from games.lab.simulate import Simulation, report, simulate
from tests.patience import PATIENCE, wait_for
from tests.tiers import full

SIMULATION = Simulation.checked(catalogue.find("hamsterdam"), ["house", "random", "house"], {}, "a seed")
AGRAM = Analysis.checked(catalogue.find("agram"), None, {}, "a seed", 2)


class Cluster:
    """A scheduler, which cannot import this project, and the workers that a test starts."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        scheduler_file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", folder, "--host", "127.0.0.1", "--port", "0", "--scheduler-file", scheduler_file
        )
        wait_for(lambda: scheduler_file.exists() and scheduler_file.read_text().endswith("}"))
        self.address: str = json.loads(scheduler_file.read_text())["address"]

    def worker(self, cwd: Path = ROOT) -> subprocess.Popen[bytes]:
        """Start a worker in a folder: it can import what lies there."""
        options = "--no-nanny", "--nthreads", "1", "--local-directory", self._folder
        return self._start("worker", cwd, self.address, *options)

    def _start(self, what: str, cwd: Path, *arguments: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard", *map(str, arguments)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        process = subprocess.Popen(
            command, cwd=cwd, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        self._stack.enter_context(process)
        self._stack.callback(process.kill)
        return process

    def has(self, workers: int) -> None:
        """Wait until so many workers are there."""
        with Client(self.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers, timeout=PATIENCE)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path)


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@full
def test_a_cluster_that_loses_a_worker_computes_the_same_figures(cluster: Cluster, tmp_path: Path) -> None:
    workers = [cluster.worker(), cluster.worker()]
    cluster.has(2)
    at_once, here = tmp_path / "once", tmp_path / "here"
    publish(AGRAM, 20, analyse(AGRAM, 20, at_once), at_once)
    noted: list[Run] = []

    def kill(run: Run, more: int) -> None:
        noted.extend([run] * more)
        if len(noted) > 5:
            workers[0].kill()

    publish(AGRAM, 20, analyse(AGRAM, 20, here, workers=cluster.address, progress=kill), here)
    assert workers[0].wait(60) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert files(here) == files(at_once)
    assert report(SIMULATION, simulate(SIMULATION, 200, workers=cluster.address)) == report(
        SIMULATION, simulate(SIMULATION, 200)
    )


@full
@pytest.mark.parametrize("end", ["ctrl-c", "scheduler"])
def test_matches_of_a_cluster_are_kept_and_the_same_command_continues(
    cluster: Cluster, tmp_path: Path, end: str
) -> None:
    cluster.worker()
    out = tmp_path / "out"
    command = ["simulate", "hamsterdam", "--seed", "1", "--out", str(out)]
    kept = out / PLAYED / "simulation.jsonl"
    run = [sys.executable, "-m", "games", *command, "100000", "--dask", cluster.address]
    with subprocess.Popen(run, cwd=ROOT, stderr=subprocess.PIPE, text=True) as going:
        wait_for(lambda: kept.exists() and kept.stat().st_size > 0)
        going.send_signal(signal.SIGINT) if end == "ctrl-c" else cluster.scheduler.kill()
        output = going.communicate(timeout=PATIENCE)[1]
    saved = f"Finished matches are saved in {out}; repeat the command to continue.\n"
    if end == "ctrl-c":
        assert output == f"{saved}Interrupted.\n"
        assert going.returncode == 130
        with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            wait_for(lambda: not client.processing()[next(iter(client.processing()))])
    else:
        assert output == f"{saved}python -m games simulate: The cluster at {cluster.address} is gone.\n"
        assert going.returncode == 1
    before = kept.read_text()
    all_of_it = 1 + max(
        json.loads(row)["index"] for row in before.splitlines()
    )  # a few may be missing: they arrive in any order
    assert main([*command, str(all_of_it + 5)]) == 0
    assert kept.read_text().startswith(before)
    assert kept.read_text().count("\n") == all_of_it + 5


@full
def test_a_worker_without_this_program_or_with_another_one_is_reported(cluster: Cluster, tmp_path: Path) -> None:
    bare = cluster.worker(tmp_path)
    with pytest.raises(
        ClusterFailed, match=r"cannot import what it needs: No module named 'games'\. Start the workers"
    ):
        simulate(SIMULATION, 4, workers=cluster.address)
    bare.kill()
    shutil.copytree(ROOT / "games", tmp_path / "other" / "games", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "other" / "games" / "hamsterdam" / "rules.py").open("a").write("# another version\n")
    cluster.worker(tmp_path / "other")
    with pytest.raises(ClusterFailed, match=r"another version of this program \(\w+, not \w+\)"):
        simulate(SIMULATION, 4, workers=cluster.address)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["100", "--dask", "tcp://127.0.0.1:1"], "no dask scheduler at tcp://127.0.0.1:1"),
        (["100", "--dask", "nonsense://x"], "no dask scheduler at nonsense://x"),
        (["100", "house", "random", "--log-dir", "logs", "--dask", "tcp://127.0.0.1:1"], "leave out --dask"),
        (["100", "house", "mine.py:Mine", "--dask", "tcp://127.0.0.1:1"], "leave out --dask"),
        (
            ["100", "house", "random", "--terminal", "--dask", "tcp://127.0.0.1:1"],
            "--terminal works with one process only",
        ),
    ],
)
def test_options_that_a_cluster_does_not_support_are_refused(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "LONGEST_CONNECT", 0.5)
    assert main(["simulate", "hamsterdam", *arguments]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("place", [["--workers", "2", "--dask", "tcp://127.0.0.1:1"], ["--dask", ""]])
def test_workers_and_dask_exclude_each_other(place: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "hamsterdam", "100", *place])


def test_the_package_missing_for_a_cluster_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["simulate", "hamsterdam", "100", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "not installed: pip install distributed" in capsys.readouterr().err
