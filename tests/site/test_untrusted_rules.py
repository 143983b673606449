"""Processes that serve people never read or play a visitor's text."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.test import Client

from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table import replay, replay_worker
from cardsite.table.models import Match
from cardsite.table.replay_worker import Bounds, DrawsAsked
from cardsite.workshop import services
from cardsite.workshop.models import Version
from games.core import SealedChance, Witness
from games.jobs import Busy, ChildDied, JobFailed, JobResult, OutOfMemory, TooMuchCpu
from games.jobs.pool import Pool
from games.recycle.game import RecycleGame, read
from tests.site import stored_texts
from tests.site.conftest import Actor
from tests.site.reasons import why_refused
from tests.site.test_workshop_provider import empty, keep, start

__all__ = ["empty"]  # a fixture


@pytest.fixture
def version(host: Actor) -> Version:
    """A published game for two of the host's."""
    version = keep(host)
    services.do_publish(host.person, version.text.code, 1)
    return version


@pytest.fixture
def played(version: Version, host: Actor, guest: Actor) -> Match:
    """A sealed match of it that is over."""
    match = start(version, host, guest)
    match.sealed = True
    match.save()
    stored_texts.play(match)
    assert match.status == Match.Status.OVER
    return match


@pytest.fixture
def read_here(played: Match, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are made of visitors' texts in this process from here on: they cannot be."""
    results: list[str] = []
    read.cache_clear()
    real = RecycleGame.__init__

    def made(game: RecycleGame, name: str, *more: Any) -> None:
        if name.startswith("w-"):
            results.append(name)
            raise AssertionError("a visitor's text is read in a process that serves people")
        real(game, name, *more)

    monkeypatch.setattr(RecycleGame, "__init__", made)
    return results


def frames(actor: Actor, match: Match) -> Any:
    """Return the replay of a match as somebody sees it."""
    return actor.client.get(f"/replay/{match.pk}/frames.json?table={match.table.code}").json()


def test_no_page_reads_it(
    read_here: list[str], version: Version, played: Match, host: Actor, guest: Actor, admin: Actor
) -> None:
    game, code, table = version.game, version.text.code, played.table.code
    link = f"?table={table}"
    pages = [
        "/", "/games/", "/workshop/", "/people/me/", f"/new/?game={game}", f"/rules/{game}/", f"/rules/{game}/drawer/",
        f"/rules/{game}/teaching.json", f"/games/{game}/words/nl.json", f"/pictures/{game}/sign.svg",
        f"/workshop/{code}/", f"/workshop/{code}/1.json", f"/workshop/{code}/edit/", f"/workshop/house/{game}/",
        f"/workshop/from/{played.pk}/{link}", f"/t/{table}/", f"/t/{table}/preview.png", f"/replay/{played.pk}/{link}",
        f"/replay/{played.pk}/record.json{link}", f"/replay/{played.pk}/frames.json{link}",
        f"/verify/{played.pk}/{link}",
    ]  # fmt: skip
    for actor in (host, guest, admin):
        for path in pages:
            answer = actor.client.get(path)
            assert answer.status_code in (200, 302), (path, answer.status_code)
    assert admin.client.get(f"/lab/runs/?game={game}").status_code == 200
    assert read_table(table).info.title == version.title
    for path in (f"/play/{game}/", f"/workshop/{code}/play/", f"/workshop/{code}/fork/"):
        assert guest.client.post(path).status_code == 302
    assert Match.objects.filter(game=game).count() == 3
    assert not read_here


def test_a_replay_is_that_of_the_rules_themselves(played: Match, host: Actor) -> None:
    there = frames(host, played)["frames"]
    recorded = replay._recorded(played)
    here, complete = replay_worker.frames(
        recorded._replace(game=stored_texts.playable(played.game)), 0, replay.BUILT_IN_BOUNDS, face_up=True
    )
    assert complete
    assert there == [json.loads(bytes(frame)) for frame in here]


def test_a_deal_is_proved_by_the_rules_themselves(played: Match) -> None:
    witness = Witness(bytes.fromhex(played.seed))
    assert isinstance(witness, SealedChance)
    recorded = replay._recorded(played)
    assert replay.draws(played) == replay_worker.draws(recorded._replace(game=stored_texts.playable(played.game)))


def test_a_replay_that_takes_too_much_is_shown_as_far_as_it_went(
    played: Match, host: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bounds in (Bounds(cpu=0.0), Bounds(cpu=60.0, size=10)):
        monkeypatch.setattr(replay, "VISITORS_BOUNDS", bounds)
        made, complete = replay.frames(played, None, face_up=False)
        assert (len(made), complete) == (1, False)
        assert replay_worker.STOPPED in str(json.loads(bytes(made[0]))["log"])


@pytest.mark.parametrize(("failure", "tries"), [(TooMuchCpu, 1), (OutOfMemory, 1), (ChildDied, 2), (Busy, 2)])
def test_a_replay_that_took_too_much_is_not_tried_again_for_a_while(
    played: Match, host: Actor, guest: Actor, monkeypatch: pytest.MonkeyPatch, failure: type[JobFailed], tries: int
) -> None:
    asked = []

    def fail(request: bytes, *_: object) -> JobResult:
        asked.append(request)
        raise failure("It is over its limit.")

    monkeypatch.setattr(replay, "_too_much", {})
    monkeypatch.setattr(replay.workers, "ask", fail)
    path = f"/replay/{played.pk}/frames.json?table={played.table.code}"
    code = "busy" if failure is Busy else "too_much"
    assert [why_refused(actor.client.get(path)) for actor in (host, host)] == [code] * 2
    assert len(asked) == tries
    assert why_refused(Client().get(path)) == code  # a spectator's is another one
    assert len(asked) == tries + 1
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + replay.REMEMBERED + 1)
    assert why_refused(host.client.get(path)) == code
    assert len(asked) == tries + 2


def test_only_so_many_replays_that_took_too_much_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_too_much", {})
    monkeypatch.setattr(replay, "MOST_REMEMBERED", 3)
    for match in (1, 2, 3, 1, 4):
        replay._remember((match, "ab", 10, DrawsAsked()))
    assert [match for match, _deal, _moves, _asked in replay._too_much] == [3, 1, 4]


def test_a_replay_without_an_answer_is_refused(played: Match, host: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "CPU", 0.001)
    answer = host.client.get(f"/replay/{played.pk}/frames.json?table={played.table.code}")
    assert why_refused(answer) == "too_much"
    with pytest.raises(Refused, match="need too much computing time or memory"):
        replay.draws(played)
    monkeypatch.setattr(replay, "_too_much", {})
    monkeypatch.setattr(replay, "workers", Pool(lambda: replay.workers.children[0], 0, 0))
    answer = host.client.get(f"/replay/{played.pk}/frames.json?table={played.table.code}")
    assert why_refused(answer) == "busy"
