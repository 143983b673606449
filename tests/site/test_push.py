"""Notifications of devices: who gets which, what they say, and to whom the site sends requests."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY
from pytest_django.fixtures import Settings

from cardsite.circles import services as circles
from cardsite.circles.models import Circle, Member
from cardsite.lobby.games import CORRESPONDENCE
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.services.presence import do_note_turns, do_notify_after_quiet_hours, do_remind
from cardsite.push.models import MINUTES_A_DAY, NotificationKind, Subscription
from cardsite.push.sending import public_key, wait_until_sent
from cardsite.push.services import MOST, do_subscribe
from games import catalogue
from tests.site.conftest import Actor
from tests.site.push_service import Device, PushService, push_service
from tests.site.test_turns import playing

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/people/me/notifications/"


@pytest.fixture
def service(settings: Settings) -> Iterator[PushService]:
    """The only push service that the site knows."""
    with push_service() as running:
        settings.PUSH_SCHEME, settings.PUSH_SERVICES = "http", [running.url.removeprefix("http://")]
        yield running
        wait_until_sent()


def switch_on(actor: Actor, device: Device, **form: str) -> Device:
    """Switch notifications on at a device of somebody."""
    answer = actor.client.post(URL, {**device.form, **form})
    assert answer.status_code == 200, answer.content.decode()
    return device


def thursdays(owner: Actor, *others: Actor) -> Circle:
    """Return a circle with these members."""
    circle = circles.do_make(owner.person, "Thursdays")
    for actor in others:
        Member.objects.create(circle=circle, person=actor.person)
    return circle


def sent(service: PushService) -> list[tuple[str, dict[str, str], bytes]]:
    """Return what was sent so far, and forget it."""
    wait_until_sent()
    requests, service.requests = service.requests, []
    return requests


@pytest.fixture
def device(service: PushService, guest: Actor) -> Device:
    """A device of the guest."""
    return switch_on(guest, service.device("phone"))


# -- what is sent


def test_a_turn_is_sent_encrypted_and_says_where_and_in_which_game(
    service: PushService, device: Device, host: Actor, guest: Actor
) -> None:
    table = playing(host, guest)
    [(path, headers, body)] = sent(service)
    assert path == "/phone"
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=")
    assert f"k={public_key()}" in headers["authorization"]
    assert table.code.encode() not in body
    assert device.read(body) == {
        "title": "It is your turn", "body": "Hamsterdam Exchange", "path": f"/t/{table.code}/", "language": "en"
    }  # fmt: skip


def test_each_turn_is_sent_once(service: PushService, device: Device, host: Actor, guest: Actor) -> None:
    table = playing(host, guest)
    assert len(sent(service)) == 1
    later = timezone.now() + timedelta(hours=9)
    do_note_turns(table.pk, {1: later})  # as after a change of the deadline
    assert sent(service) == []
    do_note_turns(table.pk, {0: later})
    assert sent(service) == []  # the host has no device
    do_note_turns(table.pk, {1: later})
    assert len(sent(service)) == 1


@pytest.mark.parametrize("why", ["here", "away", "off", "quiet"])
def test_nothing_is_sent_to_who_is_at_the_table_away_or_does_not_want_it(
    service: PushService, device: Device, host: Actor, guest: Actor, why: str
) -> None:
    table = playing(host, guest)
    do_note_turns(table.pk, {})
    sent(service)
    now = timezone.now()
    if why == "quiet":
        Subscription.objects.update(quiet_from=0, quiet_to=24 * 60 - 1, zone="UTC")
        if now.hour * 60 + now.minute == 24 * 60 - 1:
            Subscription.objects.update(quiet_from=12 * 60, quiet_to=12 * 60 - 1)
    form = {"do": "wishes", "endpoint": device.endpoint, "kinds": "evening reminder"}
    if why == "off":
        assert guest.client.post(URL, form).json()["kinds"] == ["reminder", "evening"]
    Seat.objects.update(seen=now if why == "here" else now - 2 * HERE, away=why == "away")
    do_note_turns(table.pk, {1: now + timedelta(hours=9)})
    assert sent(service) == []


def test_each_device_gets_it_in_its_language(service: PushService, host: Actor, guest: Actor) -> None:
    devices = {}
    for language in ("de", "fr", "nl"):
        guest.client.cookies["django_language"] = language
        devices[language] = switch_on(guest, service.device(language))
    playing(host, guest)
    titles = {path[1:]: devices[path[1:]].read(body) for path, _, body in sent(service)}
    french = "C\N{RIGHT SINGLE QUOTATION MARK}est \N{LATIN SMALL LETTER A WITH GRAVE} vous"
    expected = {"de": "Du bist dran", "fr": french, "nl": "Jij bent aan de beurt"}
    assert {one["language"]: one["title"] for one in titles.values()} == expected


@pytest.mark.parametrize("seconds", CORRESPONDENCE)
def test_a_reminder_is_sent_once_when_a_sixth_of_the_time_is_left(
    service: PushService, device: Device, host: Actor, guest: Actor, seconds: int
) -> None:
    table = playing(host, guest)
    Table.objects.update(seconds=seconds)
    sent(service)
    for share, titles in ((0.2, []), (0.16, ["Your time is nearly up"]), (0.1, [])):
        Seat.objects.filter(index=1).update(due=timezone.now() + timedelta(seconds=share * seconds))
        do_remind()
        assert [device.read(body)["title"] for _, _, body in sent(service)] == titles
    do_note_turns(table.pk, {1: timezone.now() + timedelta(seconds=seconds * 0.1)})  # the next decision
    do_remind()
    assert len(sent(service)) == 1


def quiet(now: bool) -> None:
    """Let it be in the quiet hours of all devices, or not."""
    minute = (timezone.now() + timedelta(0 if now else 0.5)).astimezone(UTC)
    begin = (minute.hour * 60 + minute.minute - 60) % MINUTES_A_DAY
    Subscription.objects.update(quiet_from=begin, quiet_to=(begin + 120) % MINUTES_A_DAY, zone="UTC")


@pytest.mark.parametrize(
    ("kinds", "reminded", "titles"),
    [
        ("turn reminder", False, ["It is your turn"]),
        ("turn reminder", True, ["Your time is nearly up"]),
        ("turn", True, ["It is your turn"]),
        ("reminder", True, ["Your time is nearly up"]),
        ("reminder", False, []),
        ("", True, []),
    ],
)
def test_a_turn_in_quiet_hours_is_sent_once_when_they_are_over(
    service: PushService, device: Device, host: Actor, guest: Actor, kinds: str, reminded: bool, titles: list[str]
) -> None:
    guest.client.post(URL, {"do": "wishes", "endpoint": device.endpoint, "kinds": kinds})
    quiet(now=True)
    table = playing(host, guest)
    other = playing(host, guest)
    if reminded:
        Seat.objects.filter(table=table, index=1).update(due=timezone.now() + timedelta(seconds=1))
        do_remind()
    do_note_turns(other.pk, {})  # somebody took a move back: this turn is no longer one
    do_notify_after_quiet_hours()
    assert sent(service) == []
    quiet(now=False)
    for expected in (titles, []):
        do_notify_after_quiet_hours()
        shown = [device.read(body) for _, _, body in sent(service)]
        assert [one["title"] for one in shown] == expected
        assert all(one["path"] == f"/t/{table.code}/" for one in shown)


def test_a_person_who_comes_to_the_table_in_quiet_hours_is_not_notified_after_them(
    service: PushService, device: Device, host: Actor, guest: Actor
) -> None:
    quiet(now=True)
    playing(host, guest)
    quiet(now=False)
    Seat.objects.update(seen=timezone.now())
    do_notify_after_quiet_hours()
    assert sent(service) == []


def test_what_has_passed_is_not_sent_after_quiet_hours(
    service: PushService, device: Device, host: Actor, guest: Actor
) -> None:
    quiet(now=True)
    circle = thursdays(host, guest)
    circles.do_start_evening(circle.code, host.person, catalogue.find("hamsterdam"), ["me", "open"])
    quiet(now=False)
    do_notify_after_quiet_hours()
    assert sent(service) == []


def test_an_evening_is_announced_to_the_other_members(service: PushService, host: Actor, guest: Actor) -> None:
    circle = thursdays(host, guest)
    device = switch_on(guest, service.device("phone"))
    switch_on(host, service.device("host"))
    table = circles.do_start_evening(circle.code, host.person, catalogue.find("hamsterdam"), ["me", "open"])
    [(path, _, body)] = sent(service)
    assert path == "/phone"
    words = "Thursdays \N{MIDDLE DOT} Hamsterdam Exchange"
    about = {"title": "An evening begins", "body": words, "path": f"/t/{table.code}/", "language": "en"}
    assert device.read(body) == about


def test_an_invitation_is_sent_to_members_who_are_not_at_the_table(
    service: PushService, host: Actor, guest: Actor, stranger: Actor
) -> None:
    circle = thursdays(host, guest, stranger)
    device = switch_on(guest, service.device("phone"))
    for name, actor in (("host", host), ("stranger", stranger)):
        switch_on(actor, service.device(name))
    table = playing(host, stranger, None)
    sent(service)
    circles.do_invite(circle.code, host.person, table.code)
    [(path, _, body)] = sent(service)
    assert path == "/phone"
    words = "Thursdays \N{MIDDLE DOT} Hamsterdam Exchange"
    about = {"title": "Hostess invites you to a table", "body": words, "path": f"/t/{table.code}/", "language": "en"}
    assert device.read(body) == about


def test_members_learn_that_a_friend_is_here_after_hours_of_absence(
    service: PushService, host: Actor, guest: Actor, stranger: Actor
) -> None:
    circle = thursdays(host, guest, stranger)
    device = switch_on(guest, service.device("phone"))
    switch_on(host, service.device("host"))
    path, at_once = f"/circles/{circle.code}/", timedelta()
    for gone, notified in ((None, True), (at_once, False), (timedelta(hours=5), False), (timedelta(hours=7), True)):
        mine = Member.objects.filter(circle=circle, person=host.person)
        mine.update(seen=None if gone is None else timezone.now() - gone)
        for _ in range(2):
            host.client.get(path)
        found = [device.read(body) for _, _, body in sent(service)]
        about = {"title": "Hostess is here", "body": "Thursdays", "path": path, "language": "en"}
        assert found == ([about] if notified else [])
    mine.update(seen=None)
    Member.objects.filter(person=guest.person).update(seen=timezone.now())  # has the page open
    host.client.get(path)
    assert sent(service) == []


def test_a_test_is_sent_to_this_device_alone(service: PushService, device: Device, guest: Actor) -> None:
    other = switch_on(guest, service.device("tablet"))
    assert guest.client.post(URL, {"do": "test", "endpoint": other.endpoint}).json()["on"]
    [(path, _, body)] = sent(service)
    assert (path, other.read(body)["title"]) == ("/tablet", "Notifications work")


# -- devices


def test_a_device_is_switched_on_asked_and_switched_off(service: PushService, device: Device, guest: Actor) -> None:
    def ask(**form: str) -> dict[str, object]:
        return dict(guest.client.post(URL, {"endpoint": device.endpoint, **form}).json())

    every = {
        "ok": True,
        "on": True,
        "kinds": ["turn", "reminder", "evening", "tournament", "invited", "friend"],
        "quiet_from": "",
        "quiet_to": "",
    }
    assert ask(do="state") == every
    night = {"kinds": "turn", "quiet_from": "22:30", "quiet_to": "07:00"}
    changed = {**every, **night, "kinds": ["turn"]}
    assert ask(do="wishes", **night) == changed
    assert ask(do="state") == changed
    assert ask(do="off") == {"ok": True, "on": False}
    assert ask(do="state") == {"ok": True, "on": False}
    assert "Switch them on first" in str(ask(do="wishes", **night)["text"])


def test_nobody_changes_the_device_of_another_person(
    service: PushService, device: Device, stranger: Actor, guest: Actor
) -> None:
    for do in ("off", "test", "state", "wishes"):
        stranger.client.post(URL, {"do": do, "endpoint": device.endpoint, "kinds": ""})
    assert sent(service) == []
    kept = Subscription.objects.get()
    assert (kept.person, kept.off) == (guest.person, [])


@pytest.mark.parametrize("times", [("25:00", "07:00"), ("22:00", ""), ("x", "y")])
def test_quiet_hours_that_are_no_times_are_refused(device: Device, guest: Actor, times: tuple[str, str]) -> None:
    form = {"do": "wishes", "endpoint": device.endpoint, "quiet_from": times[0], "quiet_to": times[1]}
    assert guest.client.post(URL, form).json()["text"] == "Choose two times of day."


def test_a_person_who_logs_out_gets_nothing_any_more_in_this_browser(service: PushService, admin: Actor) -> None:
    switch_on(admin, service.device("phone"))
    admin.client.post("/people/logout/")
    assert not Subscription.objects.exists()


def test_a_browser_notifies_only_the_person_who_switched_it_on_last(
    service: PushService, device: Device, stranger: Actor
) -> None:
    switch_on(stranger, device)
    assert Subscription.objects.get().person == stranger.person


def test_an_eleventh_device_replaces_the_oldest(service: PushService, guest: Actor) -> None:
    devices = [service.device(str(n)) for n in range(MOST + 2)]
    for one in devices:
        form = one.form
        do_subscribe(guest.person, one.endpoint, form["key"], form["secret"], "en", "UTC")
    assert set(Subscription.objects.values_list("endpoint", flat=True)) == {one.endpoint for one in devices[2:]}


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_its_service_no_longer_knows_is_forgotten(
    service: PushService, device: Device, host: Actor, guest: Actor, status: int
) -> None:
    service.status = status
    playing(host, guest)
    assert len(sent(service)) == 1
    assert not Subscription.objects.exists()


@pytest.mark.parametrize("status", [301, 307, 403, 429, 500])
def test_a_service_that_refuses_or_redirects_is_asked_once_and_nothing_else(
    service: PushService, device: Device, host: Actor, guest: Actor, status: int
) -> None:
    service.status, service.headers = status, {"Location": f"{service.url}/elsewhere"}
    playing(host, guest)
    assert [path for path, _, _ in sent(service)] == ["/phone"]
    assert Subscription.objects.exists()


def test_a_notification_that_fails_with_an_error_is_counted_and_the_next_one_is_sent(
    service: PushService, device: Device, host: Actor, guest: Actor
) -> None:
    def failed() -> float:
        return REGISTRY.get_sample_value("hamsterdam_pushes_total", {"outcome": "failed"}) or 0.0

    subscription, before = Subscription.objects.get(), failed()
    Subscription.objects.update(key="no key")
    playing(host, guest)
    assert sent(service) == []
    assert failed() == before + 1
    subscription.save()
    playing(host, guest)
    assert len(sent(service)) == 1


# -- what is refused


@pytest.mark.parametrize(
    "endpoint",
    [
        "", "x", "https://", "https://[", "http://fcm.googleapis.com/1", "https://fcm.googleapis.com:8080/1",
        "https://me@fcm.googleapis.com/1", "https://fcm.googleapis.com@evil.example/1", "https://127.0.0.1/1",
        "https://fcm.googleapis.com.evil.example/1", "https://evil.example/fcm.googleapis.com", "file:///etc/passwd",
        "https://evilnotify.windows.com/1", "https://169.254.169.254/1", "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)  # fmt: skip
def test_only_known_push_services_are_asked(guest: Actor, endpoint: str) -> None:
    form = Device(endpoint).form
    assert "push service is not known" in guest.client.post(URL, form).json()["text"]


@pytest.mark.parametrize(
    "endpoint", ["https://fcm.googleapis.com/fcm/send/a:b", "https://wns2-db3p.notify.windows.com/w/"]
)
def test_the_push_services_of_browsers_are_known(guest: Actor, endpoint: str) -> None:
    switch_on(guest, Device(endpoint))


@pytest.mark.parametrize("field", ["key", "secret"])
@pytest.mark.parametrize("value", ["", "AAAA", "!" * 87, "A" * 87])
def test_keys_that_are_none_are_refused(guest: Actor, service: PushService, field: str, value: str) -> None:
    form = {**service.device("phone").form, field: value}
    assert "keys of the push subscription are not valid" in guest.client.post(URL, form).json()["text"]


def test_a_newcomer_and_an_unknown_button_are_refused_with_what_to_do(newcomer: object, guest: Actor) -> None:
    assert guest.client.post(URL, {"do": "dance"}).json()["text"] == "Choose one of the buttons."
    answer = newcomer.post(URL, {"do": "state"})  # type: ignore[attr-defined]
    assert answer.json()["text"] == "Choose a name first."


# -- quiet hours


@pytest.mark.parametrize(
    ("quiet", "clock", "wants"),
    [
        (("22:00", "07:00"), "21:59", True), (("22:00", "07:00"), "22:00", False), (("22:00", "07:00"), "03:00", False),
        (("22:00", "07:00"), "07:00", True), (("12:00", "13:00"), "12:30", False), (("12:00", "13:00"), "13:00", True),
        (("00:00", "06:00"), "00:00", False), (("08:00", "08:00"), "08:00", True), (None, "03:00", True),
    ],
)  # fmt: skip
def test_quiet_hours_are_those_of_the_device(quiet: tuple[str, str] | None, clock: str, wants: bool) -> None:
    def minutes(text: str) -> int:
        return int(text[:2]) * 60 + int(text[3:])

    start, end = (minutes(quiet[0]), minutes(quiet[1])) if quiet else (None, None)
    one = Subscription(zone="America/New_York", quiet_from=start, quiet_to=end)
    there = datetime(2026, 1, 15, tzinfo=UTC) + timedelta(hours=5, minutes=minutes(clock))  # five hours behind
    assert one.wants(NotificationKind.TURN, there) is wants
