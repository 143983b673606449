"""Refusals are in the language of the person who reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import translation

from cardsite.jobs import queue
from cardsite.jobs.folder import JobFolder
from games.core.words import languages


@pytest.mark.parametrize("why", [queue.TOO_LONG, queue.BUSY, queue.NO_ANSWER, queue.TOO_MUCH_MEMORY, queue.LOST])
def test_why_a_job_failed_is_in_the_language_of_each_reader(tmp_path: Path, why: str) -> None:
    folder = JobFolder(tmp_path)
    folder.end("failed", why)
    assert folder.why == why
    said = {why}
    for code in languages():
        with translation.override(code):
            said.add(folder.why)
    assert len(said) == len(languages()) + 1
