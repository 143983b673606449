"""``manage.py serve``, as ``make play`` runs it: how it starts and how it ends."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable
from typing import TypeVar

import psutil
import pytest

from tests.running_site import RunningSite
from tests.site.visitor import Visitor

NewSite = Callable[..., RunningSite]
T = TypeVar("T")


def test_ctrl_c_closes_the_house_quietly_and_leaves_no_process_behind(new_site: NewSite) -> None:
    site = new_site(HOUSE_TABLE="1")
    site.open()
    site.start()
    home = Visitor(site)
    with home.wire(house_table(home)) as watcher:
        watcher.until(lambda: watcher.version > 0)  # bots have moved, so they have processes of their own
        group = site.pid
        assert len(living(group)) > 1
        assert site.stop() == 0, site.log
    assert "Traceback" not in site.log
    wait_for(lambda: not living(group), "all processes to end")


def test_a_port_that_is_taken_is_named_in_one_sentence(new_site: NewSite) -> None:
    first, second = new_site(), new_site()
    first.open()
    first.start()
    second.open()
    second.port = first.port
    with pytest.raises(AssertionError) as failure:
        second.manage("serve", "--port", str(first.port))
    assert f"Cannot listen on 127.0.0.1:{first.port}" in str(failure.value)
    assert "Traceback" not in str(failure.value)


def test_the_administrator_is_made_once_and_the_password_shown_once(new_site: NewSite) -> None:
    site = new_site()
    assert "Password:" in site.open()
    assert "Password:" not in site.open()


def living(group: int) -> list[psutil.Process]:
    """Return the processes of a group, but for those that have ended and are not yet buried."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def house_table(visitor: Visitor) -> str:
    """Wait for the house table to be on the front page, and return its code."""
    return str(wait_for(lambda: re.search(r'(?<=href="/t/)\w+', visitor.get("/").text), "the house table")[0])


def wait_for(condition: Callable[[], T | None], what: str) -> T:
    """Return what ``condition`` gives as soon as it is true."""
    deadline = time.monotonic() + 60
    while not (result := condition()):
        assert time.monotonic() < deadline, f"Waited in vain for {what}."
        time.sleep(0.05)
    return result
