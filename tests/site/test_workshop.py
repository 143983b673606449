"""Games that people write: kept in versions, within quotas, shown to whom they are meant for, and taken away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.workshop import services
from cardsite.workshop.models import Like, Report, Text, Version
from cardsite.workshop.services import Quota
from cardsite.workshop.trial import Trial
from games.core.messages import NONE, message
from tests.site.conftest import Actor, block, boss
from tests.site.stored_texts import GOOD, keep
from tests.site.test_privacy import leave

BAD = Trial(False, message("There is a bracket too many."))


@pytest.fixture
def text(host: Actor) -> Text:
    """A text of the host's with one version, by link only."""
    return keep(host).text


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect a refusal with that code."""
    with pytest.raises(Refused) as refusal:
        yield
    assert refusal.value.code == code


# -- versions


def test_each_save_is_a_version_and_those_before_it_stay(host: Actor, text: Text) -> None:
    keep(host, "(game two)", Trial(True, NONE, (3, 3), "Four Cards"), text)
    text.refresh_from_db()
    assert (text.latest, text.title) == (2, "Four Cards")
    rows = Version.objects.filter(text=text).values_list("number", "source", "title", "min_seats")
    assert list(rows) == [(1, "(game)", "Three Cards", 2), (2, "(game two)", "Four Cards", 3)]


def test_what_was_saved_elsewhere_meanwhile_is_not_overwritten(host: Actor, text: Text) -> None:
    keep(host, "(game two)", text=Text.objects.get())
    with refused("not_latest"):
        services.do_save_version(host.person, text.code, "(game other)", "", 1, GOOD)
    assert Version.objects.count() == 2


def test_a_text_that_cannot_be_played_is_kept_and_says_why(host: Actor, text: Text) -> None:
    kept = keep(host, "(game", BAD, text)
    assert (kept.playable, kept.why, kept.title) == (False, BAD.why, "Three Cards")
    with refused("not_playable"):
        services.do_publish(host.person, text.code, kept.number)


def test_nobody_saves_publishes_or_removes_the_game_of_somebody_else(text: Text, guest: Actor) -> None:
    someone = guest.person
    for attempt in (
        lambda: services.do_save_version(someone, text.code, "(game)", "", 1, GOOD),
        lambda: services.do_publish(someone, text.code, 1),
        lambda: services.do_unpublish(someone, text.code),
        lambda: services.do_withdraw(someone, text.code),
    ):
        with refused("not_yours"):
            attempt()


def test_a_copy_is_ones_own_and_says_where_it_is_from(text: Text, guest: Actor) -> None:
    copy = services.do_fork(guest.person, services.find_version(text))
    assert (copy.text.owner, copy.text.forked_from, copy.number) == (guest.person, text.versions.get(), 1)
    assert (copy.source, copy.playable, copy.min_seats, copy.text.published) == ("(game)", True, 2, None)
    assert copy.text.code != text.code


# -- quotas


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for two texts and a hundred bytes, and three versions of each; somewhat more for registered people."""
    monkeypatch.setattr(services, "GUEST", Quota(2, 100))
    monkeypatch.setattr(services, "REGISTERED", Quota(3, 3000))
    monkeypatch.setattr(services, "MAX_VERSIONS", 3)


@pytest.mark.usefixtures("tight")
def test_the_limit_of_games_is_higher_for_registered_people(host: Actor, text: Text) -> None:
    keep(host)
    full = r"2 games here, which is the limit\. Remove one\. Register to keep more\."
    with pytest.raises(Refused, match=full):
        keep(host)
    with pytest.raises(Refused, match=full):
        services.do_fork(host.person, text.versions.get())
    host.person.user = User.objects.create_user("hostess")
    host.person.save()
    keep(host)
    with pytest.raises(Refused, match=r"Remove one\.$"):
        keep(host)


@pytest.mark.usefixtures("tight")
def test_versions_and_their_room_are_counted(host: Actor, text: Text) -> None:
    with pytest.raises(Refused, match=r"Your games use 0 kilobytes with all their versions\. The limit is 0"):
        keep(host, "x" * 95, text=text)
    for number in range(2):
        keep(host, f"({number})", text=Text.objects.get())
    with pytest.raises(Refused, match="has 3 versions"):
        keep(host, "(z)", text=Text.objects.get())


@pytest.mark.usefixtures("tight")
def test_a_game_that_is_removed_gives_its_room_back(host: Actor, text: Text) -> None:
    keep(host)
    services.do_withdraw(host.person, text.code)
    keep(host)
    assert Text.objects.count() == 2


# -- the library


def test_a_newer_version_is_not_published_until_its_author_says_so(host: Actor, text: Text) -> None:
    assert services.do_publish(host.person, text.code, 1).published == 1
    keep(host, "(game two)", text=Text.objects.get())
    assert services.find_version(Text.objects.get()).number == 1
    first = Text.objects.get().published_at
    services.do_publish(host.person, text.code, 2)
    assert services.find_version(Text.objects.get()).number == 2
    assert Text.objects.get().published_at == first


def test_a_visitor_who_is_blocked_publishes_and_reports_nothing(host: Actor, text: Text, guest: Actor) -> None:
    block(host.person, guest.person)
    with refused("blocked"):
        services.do_publish(host.person, text.code, 1)
    with refused("blocked"):
        services.do_report(guest.person, text.code, "x")


def test_what_is_hidden_only_its_author_and_staff_see(host: Actor, text: Text, guest: Actor) -> None:
    services.do_publish(host.person, text.code, 1)
    services.do_feature([text.pk], True, boss())
    services.do_hide([text.pk], True, boss())
    for person in (None, guest.person):
        with refused("no_text"):
            services.find_text(text.code, person)
    assert services.find_text(text.code, host.person) == services.find_text(text.code, None, staff=True) == text
    with refused("no_game"):
        services.require_open(text.versions.get().game)
    with refused("hidden"):
        services.do_publish(host.person, text.code, 1)
    services.do_hide([text.pk], False, boss())
    services.require_open(text.versions.get().game)


def test_only_what_is_published_can_be_featured_and_stands_on_the_front_page(host: Actor, text: Text) -> None:
    game = text.versions.get().game
    assert services.do_feature([text.pk], True, boss()) == 0
    assert not services.may_be_public(game)
    services.do_publish(host.person, text.code, 1)
    assert services.may_be_public(game)
    assert services.do_feature([text.pk], True, boss()) == 1
    services.do_unpublish(host.person, text.code)
    assert not Text.objects.get().featured


# -- likes, reports, plays


def test_one_likes_a_game_once_and_never_ones_own(host: Actor, text: Text, guest: Actor) -> None:
    for _again in range(2):
        services.do_like(guest.person, text.code, True)
    assert Like.objects.count() == 1
    services.do_like(guest.person, text.code, False)
    with refused("yours"):
        services.do_like(host.person, text.code, True)
    assert not Like.objects.exists()


def test_of_what_one_person_reports_the_last_word_counts(text: Text, guest: Actor) -> None:
    with refused("bad_option"):
        services.do_report(guest.person, text.code, " \0 ")
    for why in ("rude", "very\nrude \N{RIGHT-TO-LEFT OVERRIDE}" + "x" * 900):
        services.do_report(guest.person, text.code, why)
    report = Report.objects.get()
    assert report.why.startswith("very rude x")
    assert len(report.why) == 500
    assert services.do_resolve_reports([text.pk], boss()) == 1


def begin(version: Version, opened_by: Person | None, *, public: bool = False) -> Match:
    """Begin a match of a version at a table of its own."""
    table = Table.objects.create(game=version.game, opened_by=opened_by, public=public)
    return Match.objects.create(table=table, number=1, game=version.game, seed="00", seconds=60, sealed=False)


def test_plays_are_matches_that_are_not_their_authors_own_tries(host: Actor, text: Text, guest: Actor) -> None:
    version = text.versions.get()
    begin(version, host.person)
    assert Text.objects.get().plays == 0
    begin(version, guest.person).save()  # saved again: counted once
    begin(version, host.person, public=True)
    begin(version, None)
    assert Text.objects.get().plays == 3


# -- what goes


def test_a_removed_game_goes_at_once_unless_a_match_was_played_by_it(host: Actor, guest: Actor) -> None:
    played, other = keep(host), keep(host)
    match = begin(played, guest.person)
    for version in (played, other):
        services.do_withdraw(host.person, version.text.code)
    assert list(Version.objects.all()) == [played]
    with refused("no_text"):
        services.find_text(played.text.code, host.person)
    with refused("no_game"):
        services.require_open(played.game)
    Text.objects.update(changed=timezone.now() - timedelta(days=1000))
    call_command("tidy")
    assert Version.objects.exists()
    match.table.delete()
    call_command("tidy")
    assert not Text.objects.exists()


def test_a_visitor_who_leaves_takes_all_along_but_what_was_published_or_played(host: Actor, guest: Actor) -> None:
    published, played, drafted = keep(host), keep(host), keep(host)
    services.do_publish(host.person, published.text.code, 1)
    services.do_like(guest.person, published.text.code, True)
    begin(played, guest.person)
    services.do_like(guest.person, drafted.text.code, True)
    leave(host)
    assert not Text.objects.filter(pk=drafted.text_id).exists()
    assert not Text.objects.exclude(owner=None)
    rows = set(Text.objects.values_list("pk", "withdrawn"))
    assert rows == {(published.text_id, False), (played.text_id, True)}
    leave(guest)
    assert not Like.objects.exists()


def test_a_guest_who_does_not_come_back_goes_with_texts_and_all(host: Actor, text: Text) -> None:
    Person.objects.update(seen=(timezone.now() - timedelta(days=1000)).date())
    call_command("tidy")
    assert not Person.objects.exists()
    assert not Text.objects.exists()


# -- staff


def test_staff_feature_hide_and_resolve_by_the_pages_of_administrators(host: Actor, text: Text, admin: Actor) -> None:
    services.do_publish(host.person, text.code, 1)
    services.do_report(admin.person, text.code, "<script>alert(1)</script>")

    def act(action: str) -> Text:
        form = {"action": action, "_selected_action": [text.pk]}
        assert admin.client.post("/admin/workshop/text/", form).status_code == 302
        return Text.objects.get()

    assert "reported" in admin.client.get("/admin/workshop/text/?reported=yes").content.decode()
    page = admin.client.get(f"/admin/workshop/text/{text.pk}/change/").content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
    assert act("feature").featured
    assert act("hide").hidden
    assert not act("show").hidden
    assert not act("unfeature").featured
    act("resolve")
    assert not Report.objects.exists()
    admin.client.post(
        "/admin/workshop/text/", {"action": "delete_selected", "_selected_action": [text.pk], "post": "yes"}
    )
    assert not Text.objects.exists()
