"""Background jobs: how they end, which of them wait, and how other processes see their state."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from cardsite import costs
from cardsite.jobs.folder import LOCK, SEEN, JobFolder, JobState
from cardsite.jobs.queue import Job, Queue
from cardsite.refusal import Refused
from games.jobs import Limits
from tests.jobs.handlers import job
from tests.patience import wait_for

ROOT = Path(__file__).parents[2]
BUSY = 10**9  # CPU seconds that nobody waits for


@pytest.fixture
def queue() -> Queue:
    """A queue of one job at a time, where one more may wait."""
    return Queue("report", job, Limits(confined=True, memory=512 << 20), 1)


class JobStarter:
    """Starts jobs, and receives how they end."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.ends: dict[str, tuple[str, Any]] = {}
        self.folders: list[JobFolder] = []

    def job(self, key: str, what: str, argument: Any = None, **more: Any) -> Job:
        """Return a job that ``tests.jobs.handlers.job`` does; ``more``: further fields of the job."""
        folder = JobFolder(self.root / key)
        self.folders.append(folder)
        request = json.dumps([what, argument, str(folder.path)]).encode()

        def ended(how: str, result: Any) -> None:
            self.ends[key] = how, result

        return Job(key, lambda left: request, folder, ended=ended, **more)

    def until(self, key: str, state: JobState) -> JobFolder:
        """Wait until a job has a state, and return its folder."""
        folder = JobFolder(self.root / key)
        wait_for(lambda: folder.state == state, f"{state}; it is {folder.state}, {folder.why}")
        return folder


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[JobStarter]:
    made = JobStarter(tmp_path)
    yield made
    for folder in made.folders:
        if folder.state in ("waiting", "running"):
            folder.cancel()
    for folder in made.folders:
        wait_for(lambda folder=folder: folder.state not in ("waiting", "running"))  # type: ignore[misc]


def test_a_finished_job_leaves_its_result_and_its_cost_is_charged(queue: Queue, jobs: JobStarter) -> None:
    assert queue.start(jobs.job("one", "find", 7, payers=("person 71",)))
    folder = jobs.until("one", "done")
    assert (folder.path / "found").read_text() == "7"
    assert jobs.ends["one"] == ("done", 7)
    assert costs.spent("person 71")["report"] > 0


def test_a_job_without_a_folder_has_an_answer_and_nothing_else(queue: Queue, jobs: JobStarter) -> None:
    results: list[Any] = []
    request = json.dumps(["burn", 0.0, ""]).encode()
    failing = Job("none", lambda left: request, ended=lambda how, what: results.append((how, what)))
    queue.start(failing)
    wait_for(lambda: results)
    assert results == [("failed", None)], "an answer that is not JSON is a failure"


def test_why_a_job_failed_is_kept_and_it_can_be_started_again(queue: Queue, jobs: JobStarter) -> None:
    queue.start(jobs.job("one", "give up", "The text is empty."))
    assert jobs.until("one", "failed").why == "The text is empty."
    queue.start(jobs.job("one", "fail", "a bug"))
    wait_for(lambda: "ValueError: a bug" in JobFolder(jobs.root / "one").why)
    jobs.until("one", "failed")
    queue.start(jobs.job("one", "find", 1))
    assert jobs.until("one", "done").why == ""


@pytest.mark.parametrize(
    ("what", "argument", "why"),
    [
        ("eat", 1 << 30, "more memory than it may have"),
        ("burn and die", 0.1, "or the server stopped"),
        ("burn", 60, "too long"),
    ],
)
def test_a_job_that_exceeds_its_limits_fails_and_its_cost_is_charged(
    queue: Queue, jobs: JobStarter, what: str, argument: float, why: str
) -> None:
    queue.cpu = 0.3
    queue.start(jobs.job("one", what, argument, payers=(f"person {what}",)))
    assert why in jobs.until("one", "failed").why
    assert costs.spent(f"person {what}")["report"] > 0


def test_a_job_with_enough_results_when_its_time_is_up_has_not_failed(jobs: JobStarter) -> None:
    limits = Limits(confined=True)
    queue = Queue("report", job, limits, 1, cpu=0.3, enough=lambda folder: (folder.path / "kept").exists())
    queue.start(jobs.job("one", "keep"))
    assert jobs.until("one", "done").why == ""


def test_a_job_is_cancelled_while_it_runs_and_while_it_waits(queue: Queue, jobs: JobStarter) -> None:
    queue.start(jobs.job("one", "burn", BUSY))
    jobs.until("one", "running")
    queue.start(jobs.job("two", "find", 2))
    waiting = jobs.until("two", "waiting")
    waiting.cancel()
    JobFolder(jobs.root / "one").cancel()
    jobs.until("one", "cancelled")
    assert not (jobs.until("two", "cancelled").path / "found").exists()


def test_a_job_whose_page_nobody_views_stops_unless_it_is_set_to_continue(jobs: JobStarter) -> None:
    queue = Queue("report", job, Limits(), 1, forgotten=100.0)
    queue.start(jobs.job("one", "burn", BUSY))
    one = jobs.until("one", "running")
    long_ago = time.time() - 1000
    os.utime(one.path / SEEN, (long_ago, long_ago))
    jobs.until("one", "stopped")
    assert one.is_forgotten(100.0)
    one.see()
    assert not one.is_forgotten(100.0)
    one.keep_going()
    os.utime(one.path / SEEN, (long_ago, long_ago))
    assert not one.is_forgotten(100.0)


def test_a_full_queue_refuses_jobs_until_a_place_is_free(queue: Queue, jobs: JobStarter) -> None:
    def start(job: Job) -> bool:
        try:
            return queue.start(job)
        except Refused:
            return False

    for _ in range(3):
        wait_for(lambda: start(jobs.job("one", "burn", BUSY)))
        jobs.until("one", "running")
        wait_for(lambda: start(jobs.job("two", "find", 2)))
        with pytest.raises(Refused, match="Too many requests are waiting") as refused:
            queue.start(jobs.job("three", "find", 3))
        assert refused.value.code == "busy"
        assert JobFolder(jobs.root / "three").state is None
        JobFolder(jobs.root / "one").cancel()
        jobs.until("two", "done")


def test_waiting_jobs_alternate_whenever_one_has_stored_more(jobs: JobStarter) -> None:
    def kept(folder: JobFolder) -> int:
        return (folder.path / "kept").stat().st_size if (folder.path / "kept").exists() else 0

    queue = Queue("report", job, Limits(confined=True), 2, time_slice=0.05, kept=kept)
    for key in ("one", "two"):
        queue.start(jobs.job(key, "keep", payers=(key,)))
    folders = [JobFolder(jobs.root / key) for key in ("one", "two")]
    seen = [0, 0]
    for _ in range(2):
        for number, folder in enumerate(folders):
            wait_for(lambda number=number, folder=folder: kept(folder) > seen[number])  # type: ignore[misc]
            seen[number] = kept(folder)


def test_of_the_waiting_jobs_the_one_whose_payer_used_less_cpu_goes_first(jobs: JobStarter) -> None:
    queue = Queue("report", job, Limits(), 2)
    queue.start(jobs.job("earlier", "burn", 0.3, payers=("heavy",)))
    jobs.until("earlier", "failed")
    queue.start(jobs.job("now", "burn", BUSY, payers=("other",)))
    jobs.until("now", "running")
    for number, payer in enumerate(("heavy", "light"), 1):
        queue.start(jobs.job(payer, "find", 1, payers=(payer,)))
        wait_for(lambda number=number: queue._slots.waiting == number)  # type: ignore[misc]
    JobFolder(jobs.root / "now").cancel()
    for key in ("heavy", "light"):
        jobs.until(key, "done")
    assert list(jobs.ends) == ["earlier", "now", "light", "heavy"]


def test_a_job_that_another_process_has_taken_is_not_started_twice(queue: Queue, jobs: JobStarter) -> None:
    other = JobFolder(jobs.root / "one")
    lock = other.take()
    assert lock
    assert not queue.start(jobs.job("one", "find", 1))
    states = [other.state]
    other.begin()
    states.append(other.state)
    lock.close()  # as if that process were gone
    assert [*states, other.state] == ["waiting", "running", "stopped"]
    assert queue.start(jobs.job("one", "find", 1))
    jobs.until("one", "done")


LOSING = """
import sys, time
from pathlib import Path
from cardsite.jobs.folder import JobFolder
folder = JobFolder(Path(sys.argv[1]))
lock = folder.take()
folder.begin()
print("taken", flush=True)
time.sleep(1000)
"""


def test_a_job_whose_process_is_killed_is_recognized_by_its_lock(jobs: JobStarter) -> None:
    folder = JobFolder(jobs.root / "one")
    process = subprocess.Popen([sys.executable, "-c", LOSING, str(folder.path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    before = folder.state
    process.kill()
    process.wait()
    assert [before, folder.state] == ["running", "stopped"]
    assert (folder.path / LOCK).exists()


def test_a_job_whose_child_is_ended_from_outside_is_interrupted_and_not_failed(queue: Queue, jobs: JobStarter) -> None:
    before = psutil.Process().children()  # other tests may have left some at work
    queue.start(jobs.job("one", "burn", BUSY))
    jobs.until("one", "running")

    def at_work() -> psutil.Process | None:
        new = [each for each in psutil.Process().children() if each not in before]
        return next((each for each in new if each.cpu_times().user > 0.3), None)

    wait_for(at_work).terminate()
    assert jobs.until("one", "stopped").why == ""


@pytest.mark.parametrize("written", ["", "[", "{}", '{"how": 7}', '{"how": "nonsense"}'])
def test_files_that_are_invalid_are_ignored(jobs: JobStarter, written: str) -> None:
    folder = JobFolder(jobs.root / "one")
    folder.path.mkdir()
    assert folder.state is None
    (folder.path / "ended.json").write_text(written)
    assert folder.state == "stopped"
    assert folder.progress == {}
    assert folder.why == ""
    assert folder.is_forgotten(math.inf)
