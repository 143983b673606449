"""Data retention: old data are removed, data that somebody may come back to are not."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.people.services import do_make_token, person_of_cookies, person_of_token
from cardsite.table import tidy
from cardsite.table.dropped import Dropped
from cardsite.table.models import DropReason, Match, Message, Move, PackedMoves, Player, StoredReplay
from cardsite.table.moves import moves_after, moves_of
from cardsite.table.services.chores import do_begin_chore, do_pack_moves
from cardsite.table.services.matches import do_drop_match, do_start_match
from tests.patience import wait_for
from tests.running_site import ROOT, RunningSite
from tests.site.conftest import Actor, DatabaseOf
from tests.site.copies import load
from tests.site.test_stored_replays import ask, play, unpacked
from tests.site.visitor import Visitor, begin, play_on
from tests.tiers import full

LONG_AGO = timedelta(days=1000)


def age(days: int = 1000) -> None:
    """Have all that there is happened so many days ago."""
    past = timezone.now() - timedelta(days=days)
    Person.objects.update(seen=past.date(), created=past)
    Match.objects.update(started=past)
    Match.objects.exclude(finished=None).update(finished=past)
    Table.objects.update(touched=past, created=past)
    Message.objects.update(at=int(past.timestamp() * 1000))
    StoredReplay.objects.update(made=past)


@pytest.fixture
def solo(host: Actor) -> Match:
    """A match that a guest played alone with bots, over; the table is closed."""
    host.client.post("/play/bundles/")
    match = Match.objects.get()
    play(match)
    Table.objects.filter(pk=match.table_id).update(status=Table.Status.CLOSED)
    return match


@pytest.fixture
def together(table: Table, host: Actor, guest: Actor) -> Match:
    """A match of two guests, over; the table is closed."""
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED)
    return match


# -- named


def kept() -> dict[str, str]:
    """Return what docs/what-is-kept.md says of each model: {its label: how long}."""
    page = (ROOT / "docs/what-is-kept.md").read_text()
    return dict(re.findall(r"^\| `([a-z_]+\.\w+)`[^|]*\| ([^|]+) \|", page, re.MULTILINE))


def test_every_model_is_kept_for_a_reason_or_tidied() -> None:
    assert set(kept()) == {model._meta.label for model in apps.get_models()}


def test_every_setting_that_the_page_names_is_one_and_none_is_forgotten(settings: Settings) -> None:
    named = {name for how in kept().values() for name in re.findall(r"`([A-Z_]+)`", how)}
    assert named == {task.setting for task in tidy.TASKS}
    assert all(isinstance(getattr(settings, name), int) for name in named)


# -- what goes


def test_a_guest_without_a_result_who_does_not_come_back_goes(stranger: Actor) -> None:
    age()
    call_command("tidy")
    assert not Person.objects.exists()


def test_a_match_that_a_guest_played_alone_goes_with_guest_and_table(solo: Match, host: Actor) -> None:
    ask(host.client, solo)
    Message.objects.create(table=solo.table, room="players", person=host.person, name="Hostess", text="hm", at=0)
    age()
    call_command("tidy")
    call_command("tidy")
    for model in (Person, Table, Seat, Match, Player, Move, Message, StoredReplay):
        assert not model._default_manager.exists(), model


def test_chat_goes_and_the_match_beside_it_stays(together: Match, host: Actor) -> None:
    Message.objects.create(table=together.table, room="players", person=host.person, name="H", text="hm", at=0)
    age()
    call_command("tidy")
    assert not Message.objects.exists()
    assert Match.objects.exists()


def test_stored_replays_go_and_are_computed_again(together: Match, host: Actor) -> None:
    before = unpacked(ask(host.client, together))
    age()
    call_command("tidy")
    assert not StoredReplay.objects.exists()
    assert unpacked(ask(host.client, together)) == before


def test_sessions_that_have_run_out_go(host: Actor, guest: Actor) -> None:
    gone = Session.objects.order_by("pk")[0]
    Session.objects.filter(pk=gone.pk).update(expire_date=timezone.now() - timedelta(seconds=1))
    call_command("tidy")
    assert Session.objects.count() == 1


# -- what stays


Change = Callable[[Match, Actor], object]
STAYS: dict[str, Change] = {
    "with an account": lambda match, host: Person.objects.filter(pk=host.person.pk).update(
        user=User.objects.create_user("pepper")
    ),
    "of a guest who still comes": lambda match, host: Person.objects.update(seen=timezone.localdate()),
    "under way": lambda match, host: Match.objects.update(status=Match.Status.RUNNING, finished=None),
    "at a table that is open": lambda match, host: Table.objects.update(status=Table.Status.OVER),
    "that has just ended": lambda match, host: Match.objects.update(finished=timezone.now()),
    "that was dropped just now": lambda match, host: (
        Match.objects.update(status=Match.Status.RUNNING, finished=None),
        do_drop_match(match.pk, Dropped(DropReason.NO_END)),
        Table.objects.update(status=Table.Status.CLOSED),
    ),
}


@pytest.mark.parametrize("why", STAYS)
def test_a_match_played_alone_stays(why: str, solo: Match, host: Actor) -> None:
    age()
    STAYS[why](solo, host)
    call_command("tidy")
    assert Match.objects.filter(pk=solo.pk).exists()
    # A match that was dropped is no result to come back to.
    assert Person.objects.filter(pk=host.person.pk).exists() == ("dropped" not in why)
    assert Table.objects.filter(pk=solo.table_id).exists()
    assert len(moves_of(solo.pk)) == stored_length(solo)


def stored_length(match: Match) -> int:
    """Return how many moves a match has, according to the database."""
    packed = PackedMoves.objects.filter(match=match).first()
    return packed.plies if packed else Move.objects.filter(match=match).count()


def test_a_match_between_guests_stays_and_so_do_they(together: Match, host: Actor, guest: Actor) -> None:
    age()
    call_command("tidy")
    assert set(Person.objects.all()) == {host.person, guest.person}
    assert together in Match.objects.all()


@pytest.mark.parametrize("what", ["a seat", "a table", "a table they made", "a visit today", "an account"])
def test_a_guest_stays_who_has(what: str, stranger: Actor, table: Table) -> None:
    person = stranger.person
    if what == "a seat":
        table.seats.filter(index=3).update(person=person)
    elif what.startswith("a table"):
        Table.objects.update(**{"host" if what == "a table" else "opened_by": person})
    elif what == "an account":
        person.user = User.objects.create_user("pepper")
        person.save()
    age()
    if what == "a visit today":
        stranger.client.get("/people/me/")
    call_command("tidy")
    assert Person.objects.filter(pk=person.pk).exists()


def test_nothing_goes_where_the_setting_is_0(
    solo: Match, together: Match, host: Actor, stranger: Actor, settings: Settings
) -> None:
    Message.objects.create(table=solo.table, room="players", person=host.person, name="Hostess", text="hm", at=0)
    ask(host.client, together)
    age()
    for task in tidy.TASKS:
        setattr(settings, task.setting, 0)
    models = (Person, Table, Match, Move, Message, StoredReplay)
    before = [model._default_manager.count() for model in models]
    call_command("tidy")
    assert [model._default_manager.count() for model in models] == before


@pytest.mark.parametrize("path", ["a page", "a socket", "a token"])
def test_a_visit_by_page_socket_or_token_is_noted(path: str, stranger: Actor) -> None:
    token = do_make_token(stranger.person)
    age()
    if path == "a page":
        stranger.client.get("/")
    elif path == "a socket":  # looked up so when it opens, and now and then while it is open
        assert person_of_cookies({name: cookie.value for name, cookie in stranger.client.cookies.items()})
    else:
        assert person_of_token(token)
    assert Person.objects.get(pk=stranger.person.pk).seen == timezone.localdate()


# -- packed


def test_packed_moves_are_what_they_were(together: Match, host: Actor) -> None:
    before = moves_of(together.pk)
    replay, own_data = f"/replay/{together.pk}/frames.json", "/people/me/data.json"
    replayed = host.client.get(replay).content
    age()
    data = host.client.get(own_data).content  # has the times that were just changed
    StoredReplay.objects.all().delete()
    call_command("tidy")
    assert not Move.objects.filter(match=together).exists()
    fields = [(m.match_id, m.ply, m.seat, m.text, m.by, m.at) for m in before]
    assert [(m.match_id, m.ply, m.seat, m.text, m.by, m.at) for m in moves_of(together.pk)] == fields
    assert [m.ply for m in moves_after(together.pk, 3)] == [m.ply for m in before[3:]]
    assert moves_after(together.pk, len(before)) == []
    assert host.client.get(replay).content == replayed
    assert host.client.get(own_data).content == data
    assert load(together.pk).over


def test_a_sealed_match_is_proved_and_written_down_as_before_when_it_is_packed(table: Table, host: Actor) -> None:
    Table.objects.update(sealed=True)
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match)
    paths = (f"/replay/{match.pk}/record.json", f"/verify/{match.pk}/")
    pages = [re.sub(rb"csrf[^>]*", b"", host.client.get(path).content) for path in paths]
    age()
    call_command("tidy")
    assert PackedMoves.objects.filter(match=match).exists()
    assert [re.sub(rb"csrf[^>]*", b"", host.client.get(path).content) for path in paths] == pages


def test_a_match_that_is_packed_while_its_moves_are_read_is_found_whole(
    transactional_db: None, together: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packed between the reading of the rows and that of the pack, and before both: either way all moves are there."""
    expected = len(moves_of(together.pk))
    reading = Move.objects.filter

    def packed_first(*args: object, **named: object) -> object:
        monkeypatch.undo()
        with ThreadPoolExecutor(1) as other:
            other.submit(_pack, together.pk).result()
        return reading(*args, **named)

    monkeypatch.setattr(Move.objects, "filter", packed_first)
    assert len(moves_of(together.pk)) == expected
    assert PackedMoves.objects.exists()


def _pack(match: int) -> None:
    do_pack_moves(Match.objects.filter(pk=match), 10)
    connection.close()


def test_a_match_under_way_is_never_packed(table: Table, host: Actor) -> None:
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match, plies=5)
    age()
    call_command("tidy")
    assert Move.objects.filter(match=match).count() == 5
    assert not PackedMoves.objects.exists()


# -- by several at once, in batches, while the site runs


def test_of_several_processes_one_begins_a_chore(transactional_db: None) -> None:
    def begin_it(_: int) -> bool:
        try:
            return do_begin_chore("tidy", timedelta(hours=1))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as processes:
        assert sorted(processes.map(begin_it, range(8))) == [False] * 7 + [True]
    assert do_begin_chore("another", timedelta(hours=1))


def test_batches_are_bounded_and_all_is_done_in_the_end(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Person.objects.bulk_create(Person(name="Gone") for _ in range(250))
    age()
    done = [count for what, count in tidy.batches() if what == "guests"]
    assert done == [100, 100, 50]
    assert not Person.objects.exists()


@full
def test_a_running_site_tidies_and_leaves_alone_who_is_connected(
    tmp_path_factory: pytest.TempPathFactory, database_of: DatabaseOf
) -> None:
    site = RunningSite(tmp_path_factory.mktemp("tidied"), TIDY_MINUTES="0.02")
    site.open()
    try:
        site.start()
        site_db = database_of(site)
        gone, spectator, host, other = (Visitor(site, name) for name in ("Gone", "Spectator", "Hostess", "Guest"))
        code = host.open_table("me", "open")
        other.must(code, "sit")
        for visitor in (gone, spectator):
            visitor.post("/people/me/name/", name=visitor.name)
        people = Person.objects.using(site_db)
        with host.connect(code) as one, other.connect(code) as two, spectator.connect(code) as three:
            match = begin(code, host, one, two)
            play_on([one, two], plies=4)
            people.filter(name="Gone").update(seen=timezone.localdate() - LONG_AGO)
            Match.objects.using(site_db).update(started=timezone.now() - LONG_AGO)
            wait_for(lambda: not people.filter(name="Gone").exists())
            assert three.ask("chat", text="still here")["t"] == "ack"
            play_on([one, two])
            assert Match.objects.using(site_db).get(pk=match).status == "over"
            moves = Move.objects.using(site_db).filter(match=match).count()
            assert moves == one.version
        Match.objects.using(site_db).update(finished=timezone.now() - LONG_AGO)
        wait_for(lambda: PackedMoves.objects.using(site_db).filter(match=match, plies=moves).exists())
        assert len(host.get(f"/replay/{match}/frames.json").json["frames"]) == moves + 1
        assert "Traceback" not in site.log
    finally:
        site.close()


def test_the_page_of_settings_names_no_day_that_is_not_so(settings: Settings) -> None:
    text = Path(ROOT / "docs/what-is-kept.md").read_text()
    for task in tidy.TASKS:
        assert f"`{task.setting}` ({getattr(settings, task.setting)})" in text
