"""``manage.py serve``, as ``make play`` runs it: how it starts and how it ends."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import subprocess
from collections.abc import Callable
from typing import TypeVar

import psutil
import pytest

from cardsite.front import lan
from tests.patience import PATIENCE, wait_for
from tests.running_site import ROOT, RunningSite
from tests.site.visitor import Visitor
from tests.tiers import full

NewSite = Callable[..., RunningSite]
T = TypeVar("T")


def test_ctrl_c_stops_the_site_quietly_and_leaves_no_process_behind(new_site: NewSite) -> None:
    site = new_site(HOUSE_TABLE="1")
    site.open()
    site.start()
    home = Visitor(site)
    with home.connect(house_table(home)) as spectator:
        spectator.until(lambda: spectator.version > 0)  # bots have moved, so they have processes of their own
        group = site.pid
        assert len(living(group)) > 1
        assert site.stop() == 0, site.log
    assert "Traceback" not in site.log
    wait_for(lambda: not living(group), "all processes to end")


@full
def test_a_port_that_is_taken_is_named_in_one_sentence(new_site: NewSite) -> None:
    first, second = new_site(), new_site()
    first.open()
    first.start()
    second.open()
    second.port = first.port
    with pytest.raises(AssertionError) as failure:
        second.manage("serve", "--port", str(first.port))
    words = str(failure.value)
    assert f"Cannot listen on 127.0.0.1:{first.port}: [Errno 98] Address already in use. If the port is in use" in words
    assert words.count("isten on") == 1
    assert "Traceback" not in str(failure.value)


@full
def test_the_site_is_opened_to_the_home_network_and_prints_its_address(new_site: NewSite) -> None:
    try:
        address = lan.address()
    except OSError:
        pytest.skip("this machine is in no network")
    site = new_site()
    alone = site.command()
    site.command = lambda: [*alone, "--lan"]  # type: ignore[method-assign]
    site.open()
    site.start()
    url = f"http://{address}:{site.port}/"
    assert f"Everybody in your network can open {url}" in site.log
    assert "The connection is not encrypted" in site.log
    assert site.log.count("\N{FULL BLOCK}") + site.log.count("\N{UPPER HALF BLOCK}") > 50  # the QR code

    def status(host: str) -> int:
        line = http.client.HTTPConnection(address, site.port, timeout=PATIENCE)
        with contextlib.closing(line):
            line.request("GET", "/", headers={"Host": host})
            return line.getresponse().status

    for host in lan.names(address):
        assert status(f"{host}:{site.port}") == 200
    assert status("evil.example") == 400


@full
def test_without_the_flag_the_site_is_not_reachable_by_the_network(new_site: NewSite) -> None:
    site = new_site()
    site.open()
    site.start()
    for host in lan.names("192.0.2.7"):
        visitor = Visitor(site)
        visitor.headers["Host"] = host
        assert visitor.get("/").status == 400


@full
def test_a_site_that_insists_on_https_is_not_opened_to_a_home_network(new_site: NewSite) -> None:
    site = new_site(HAMSTERDAM_LOCAL="0")
    with pytest.raises(AssertionError, match="HAMSTERDAM_LOCAL=1"):
        site.manage("serve", "--lan")


@pytest.mark.parametrize(("asked", "flag"), [("LAN=1", True), ("PORT=9", False)])
def test_make_play_opens_it_when_asked(asked: str, flag: bool) -> None:
    done = subprocess.run(["make", "-n", "play", asked], cwd=ROOT, text=True, capture_output=True, check=True)
    assert ("--lan" in done.stdout) is flag


@full
def test_the_administrator_is_made_once_and_the_password_shown_once(new_site: NewSite) -> None:
    site = new_site()
    assert "Password:" in site.manage("open_house")
    assert "Password:" not in site.manage("open_house")


def living(group: int) -> list[psutil.Process]:
    """Return the processes of a group, but for those that have ended but whose parent has not waited for them."""
    results = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                results.append(process)
    return results


def house_table(visitor: Visitor) -> str:
    """Wait for the house table to be on the front page, and return its code."""
    return str(wait_for(lambda: re.search(r'(?<=href="/t/)\w+', visitor.get("/").text), "the house table")[0])
