"""E-mails instead of notifications: who gets which, and that nobody gets them who has not asked for them."""

from __future__ import annotations

import re
import socket
from datetime import timedelta

import pytest
import structlog
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django.fixtures import Settings

from cardsite.lobby.models import Seat
from cardsite.push import services
from cardsite.push.models import MailAddress, NotificationKind, Subscription
from cardsite.push.sending import wait_until_sent
from tests.site.conftest import Actor
from tests.site.test_turns import playing

pytestmark = pytest.mark.django_db(transaction=True)
URL = "/people/me/notifications/mail/"
ADDRESS = "anna@house.example"
EVERY = [kind.value for kind in NotificationKind]


@pytest.fixture(autouse=True)
def _mail_server(settings: Settings) -> None:
    settings.EMAIL_HOST, settings.SITE_URL = "mail.house.example", "https://cards.example"


@pytest.fixture
def member(guest: Actor) -> Actor:
    """Somebody with an account."""
    guest.person.user = User.objects.create_user("anna")
    guest.person.save()
    guest.client.force_login(guest.person.user)
    return guest


def sent() -> list[EmailMessage]:
    """Return the e-mails that were sent so far, and forget them."""
    wait_until_sent()
    mails, mail.outbox = list(mail.outbox), []  # codespell:ignore outbox - the name that Django gave it
    return mails


def link(message: EmailMessage, which: str) -> str:
    """Return the path of a link in an e-mail."""
    found = re.search(rf"https://cards\.example(/people/me/notifications/mail/{which}/\S+)", str(message.body))
    assert found
    return found[1]


def confirmed(actor: Actor, address: str = ADDRESS) -> MailAddress:
    """Enter an address, and follow the link in the e-mail."""
    actor.client.post(URL, {"address": address, "kind": EVERY})
    [message] = sent()
    assert (message.to, message.subject) == ([address], "Confirm your e-mail address")
    path = link(message, "confirm")
    assert address in actor.client.get(path).content.decode()
    assert not MailAddress.objects.get().confirmed  # programs that follow links confirm nothing
    assert Client().post(path).headers["Location"] == "/people/me/"  # on any device
    return MailAddress.objects.get()


def test_a_confirmed_address_gets_what_happened_and_where_and_a_way_to_end_it(host: Actor, member: Actor) -> None:
    assert confirmed(member).confirmed
    table = playing(host, member)
    [message] = sent()
    assert (message.to, message.subject) == ([ADDRESS], "It is your turn")
    assert f"Hamsterdam Exchange\n\nhttps://cards.example/t/{table.code}/" in message.body
    path = link(message, "stop")
    assert path in message.extra_headers["List-Unsubscribe"]
    stranger = Client()
    assert "Get no more e-mails?" in stranger.get(path).content.decode()
    assert MailAddress.objects.exists()
    stranger.post(path)
    assert not MailAddress.objects.exists()


def test_nothing_is_sent_to_an_address_that_is_not_confirmed(host: Actor, member: Actor) -> None:
    member.client.post(URL, {"address": ADDRESS, "kind": EVERY})
    sent()
    playing(host, member)
    assert sent() == []


def test_another_address_is_confirmed_again_and_the_same_one_is_not(member: Actor) -> None:
    confirmed(member)
    member.client.post(URL, {"address": ADDRESS, "kind": ["turn"]})
    assert (sent(), MailAddress.objects.get().off) == (
        [],
        ["reminder", "evening", "tournament", "invited", "friend"],
    )
    member.client.post(URL, {"address": "bob@house.example", "kind": EVERY})
    [message] = sent()
    assert message.to == ["bob@house.example"]
    assert not MailAddress.objects.get().confirmed


def test_a_kind_can_be_switched_off(host: Actor, member: Actor) -> None:
    confirmed(member)
    member.client.post(URL, {"address": ADDRESS, "kind": ["evening"]})
    playing(host, member)
    assert sent() == []


def test_a_person_who_has_a_device_for_notifications_gets_no_e_mail(host: Actor, member: Actor) -> None:
    confirmed(member)
    Subscription.objects.create(person=member.person, endpoint="https://push.example/1", zone="UTC", off=EVERY)
    playing(host, member)
    assert sent() == []


def test_a_person_who_is_at_the_table_gets_none(host: Actor, member: Actor) -> None:
    confirmed(member)
    table = playing(host, member, None)
    [_] = sent()
    Seat.objects.filter(table=table).update(to_act=False)
    assert sent() == []


@pytest.mark.parametrize("address", ["", "anna", "anna@", "a@b.example\nBcc: c@d.example", "x" * 250 + "@b.example"])
def test_what_is_no_address_is_refused(member: Actor, address: str) -> None:
    member.client.post(URL, {"address": address, "kind": EVERY})
    assert "That is not an e-mail address." in member.client.get("/people/me/").content.decode()
    assert (sent(), MailAddress.objects.count()) == ([], 0)


def test_a_guest_needs_an_account(guest: Actor) -> None:
    assert "E-mail address" not in guest.client.get("/people/me/").content.decode()
    guest.client.post(URL, {"address": ADDRESS, "kind": EVERY})
    assert "E-mails need an account. Register first." in guest.client.get("/people/me/").content.decode()
    assert sent() == []


def test_a_site_without_a_mail_server_offers_none(member: Actor, settings: Settings) -> None:
    settings.EMAIL_HOST = ""
    assert "E-mail address" not in member.client.get("/people/me/").content.decode()
    member.client.post(URL, {"address": ADDRESS, "kind": EVERY})
    assert "This site sends no e-mails." in member.client.get("/people/me/").content.decode()


@pytest.mark.parametrize("which", ["confirm", "stop"])
def test_a_made_up_or_old_link_does_nothing(member: Actor, monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    address = services.do_set_address(member.person, ADDRESS, EVERY, "en")
    for token in ("x", services.token_of(address)[:-1], "x" * 3000):
        assert member.client.post(f"{URL}{which}/{token}/").headers["Location"] == "/people/me/"
        assert "This link no longer works." in member.client.get("/people/me/").content.decode()
    assert not MailAddress.objects.get().confirmed
    monkeypatch.setattr(services, "CONFIRMED_WITHIN", timedelta(seconds=-1))
    member.client.post(f"{URL}confirm/{services.token_of(address)}/")
    assert not MailAddress.objects.get().confirmed


def test_a_mail_server_that_does_not_answer_loses_nothing_else(host: Actor, member: Actor, settings: Settings) -> None:
    confirmed(member)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.EMAIL_HOST, settings.EMAIL_PORT = closed.getsockname()
    with structlog.testing.capture_logs() as lines:
        table = playing(host, member)
        wait_until_sent()
    assert table.matches.exists()
    assert [line["event"] for line in lines].count("e-mail was not sent") == 1
