"""Files in ``var/`` are readable by their owner only, and the key that signs sessions is never empty."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from cardsite.private import private_database, private_folder, secret_key
from tests.running_site import RunningSite
from tests.site.visitor import Visitor
from tests.tiers import full

NewSite = Callable[..., RunningSite]
SECRETS = ("hamsterdam.sqlite3", "hamsterdam.sqlite3-wal", "hamsterdam.sqlite3-shm", "secret.key")


def strangers_may(path: Path) -> int:
    """Return the permissions that somebody has who is neither the owner nor of the group."""
    return path.stat().st_mode & 0o077


@full
def test_nobody_else_may_read_the_database_or_the_key(new_site: NewSite) -> None:
    before = os.umask(0)  # as careless as it gets
    try:
        site = new_site()
        site.manage("open_house")
        site.start()
    finally:
        os.umask(before)
    Visitor(site, "Pepper").open_table("me", "house")
    var = Path(site.folder, "var")
    assert {path.name for path in var.iterdir()} >= set(SECRETS)
    assert strangers_may(var) == 0
    assert {name: strangers_may(var / name) for name in SECRETS} == dict.fromkeys(SECRETS, 0)


@full
def test_a_site_that_was_open_to_all_is_closed_at_its_next_start(new_site: NewSite) -> None:
    site = new_site()
    site.open()
    site.start()
    var = Path(site.folder, "var")
    var.chmod(0o755)
    for name in SECRETS:
        (var / name).chmod(0o644)
    site.restart()
    assert strangers_may(var) == 0
    assert {name: strangers_may(var / name) for name in SECRETS} == dict.fromkeys(SECRETS, 0)


def test_what_an_operator_allowed_a_group_stays(tmp_path: Path) -> None:
    folder, database = tmp_path / "var", tmp_path / "var" / "db"
    folder.mkdir(mode=0o750)
    database.touch(0o640)
    private_database(database)
    assert (private_folder(folder).stat().st_mode & 0o777, database.stat().st_mode & 0o777) == (0o750, 0o640)


@pytest.mark.parametrize("content", ["", pytest.param("\n", marks=full)])
@pytest.mark.parametrize(
    "command", ["open_house", pytest.param("check", marks=full), pytest.param("migrate", marks=full), "serve"]
)
def test_every_command_refuses_an_empty_key_in_the_same_words(new_site: NewSite, content: str, command: str) -> None:
    site = new_site()
    var = Path(site.folder, "var")
    var.mkdir()
    (var / "secret.key").write_text(content)
    with pytest.raises(AssertionError) as failure:
        site.manage(command)
    assert f"{var}/secret.key contains no key. Restore the old one from a backup" in str(failure.value)
    assert (var / "secret.key").read_text() == content


def test_an_empty_key_from_outside_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY contains no key"):
        secret_key("  ", tmp_path / "secret.key")
    assert secret_key("given", tmp_path / "secret.key") == "given"
    assert not (tmp_path / "secret.key").exists()


def test_processes_that_start_at_once_sign_with_the_same_key(tmp_path: Path) -> None:
    for turn in range(20):
        path = tmp_path / f"key{turn}"
        with ThreadPoolExecutor(8) as processes:
            keys = set(processes.map(lambda _: secret_key("", path), range(8)))  # noqa: B023
        assert len(keys) == 1
        assert keys == {path.read_text()}
    assert len(list(tmp_path.iterdir())) == 20  # and leave nothing else behind
