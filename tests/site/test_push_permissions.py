"""Who may do what with notifications: every address and button, and every role.

A cell is what the person gets: ``ok``, or the refusal. Nothing that is somebody else's ever changes, unless one has the
link of an e-mail that was sent to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.db.models import Q
from pytest_django.fixtures import Settings

from cardsite.push import services, urls
from cardsite.push.models import MailAddress, Subscription
from cardsite.push.sending import wait_until_sent
from tests.site.conftest import Actor, block
from tests.site.grids import BLOCKED, OK, cast_of, cell_of, rows, undone
from tests.site.push_service import PushService, push_service

ROLES = ("newcomer", "stranger", "guest", "blocked", "staff", "owner")

# newcomer   has no name yet
# stranger   has a name, and no notifications
# guest      has a device with notifications, and no account
# blocked    the same, blocked by an administrator since
# staff      is logged in as an administrator, and has no notifications
# owner      has an account, a device with notifications, and an address for e-mails that is not confirmed yet
#
# Of a device that somebody else has switched on, nobody learns that it exists: "test", "off" and "state" do nothing.
GRID = """
action        newcomer stranger guest      blocked staff owner
on            no_name  ok       ok         blocked ok    ok
wishes        no_name  off      ok         ok      off   ok
test          no_name  ok       ok         ok      ok    ok
state         no_name  ok       ok         ok      ok    ok
off           no_name  ok       ok         ok      ok    ok
their-wishes  no_name  off      off        off     off   ok
their-test    no_name  ok       ok         ok      ok    ok
their-state   no_name  ok       ok         ok      ok    ok
their-off     no_name  ok       ok         ok      ok    ok
mail          no_name  account  account    blocked ok    ok
mail-off      no_name  ok       ok         ok      ok    ok
confirm-page  ok       ok       ok         ok      ok    ok
confirm       ok       ok       ok         ok      ok    ok
stop-page     ok       ok       ok         ok      ok    ok
stop          ok       ok       ok         ok      ok    ok
"""
LINES = rows(GRID)[1:]
REASONS = {
    "An administrator has blocked you: you may watch, but not sit down or chat.": BLOCKED,
    "Choose a name first.": "no_name",
    "This device gets no notifications. Switch them on first.": "off",
    "E-mails need an account. Register first.": "account",
}
URL = "/people/me/notifications/"
WITH_DEVICE = ("guest", "blocked", "owner")
STORED = (Subscription.objects.all(), MailAddress.objects.all())
ADDRESS = "owner@house.example"


@dataclass
class Scene:
    """One person of each role, and the push service of their devices."""

    cast: dict[str, Actor]
    service: PushService

    def act(self, role: str, action: str) -> str:
        """Have somebody do something. Return what they get, and check what has changed and what was sent."""
        before = kept(self, role, own=False), kept(self, role, own=True)
        self.service.requests.clear()
        cell = self._ask(role, action)
        wait_until_sent()
        others, own = kept(self, role, own=False), kept(self, role, own=True)
        if action not in ("confirm", "stop"):
            assert others == before[0]
        if cell != OK or action.endswith(("-page", "state", "test")):
            assert own == before[1]
        elif role == "owner":
            assert own != before[1]
        wanted = [f"/{role}"] if cell == OK and action == "test" and role in WITH_DEVICE else []
        if role == "owner" and action == "their-test":
            wanted = ["/owner"]
        assert [path for path, *_ in self.service.requests] == wanted
        return cell

    def _ask(self, role: str, action: str) -> str:
        client = self.cast[role].client
        link = action.removesuffix("-page")
        if link in ("confirm", "stop"):
            path = f"{URL}mail/{link}/{services.token_of(MailAddress.objects.get())}/"
            answer = client.post(path) if link == action else client.get(path)
        elif action.startswith("mail"):
            form = {"do": "off"} if action == "mail-off" else {"address": f"{role}@new.example", "kind": "turn"}
            answer = client.post(f"{URL}mail/", form)
        else:
            do = action.removeprefix("their-")
            name = "owner" if do != action else "new" if do == "on" else role
            answer = client.post(URL, {**self.service.device(name).form, "do": do, "kinds": "turn"})
        return cell_of(client, answer, REASONS, ())


def kept(scene: Scene, role: str, *, own: bool) -> list[object]:
    """Return what is stored of a person's notifications, or of everybody else's."""
    mine = Q(person=scene.cast[role].person.pk)
    return [list(each.filter(mine if own else ~mine).order_by("pk").values()) for each in STORED]


@pytest.fixture
def scene(settings: Settings, db: None) -> Iterator[Scene]:
    """All roles, those with a device, and an address that waits for its confirmation."""
    settings.EMAIL_HOST, settings.SITE_URL = "mail.house.example", "https://cards.example"
    with push_service() as service:
        settings.PUSH_SCHEME, settings.PUSH_SERVICES = "http", [service.url.removeprefix("http://")]
        scene = Scene(cast_of(ROLES), service)
        owner = scene.cast["owner"]
        owner.person.user = User.objects.create_user("owner")
        owner.person.save()
        owner.client.force_login(owner.person.user)
        for role in WITH_DEVICE:
            form = service.device(role).form
            services.do_subscribe(scene.cast[role].person, form["endpoint"], form["key"], form["secret"], "en", "UTC")
        services.do_set_address(owner.person, ADDRESS, [], "en")
        block(scene.cast["blocked"].person)
        yield scene


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_each_role_may_do_what_the_grid_says(line: list[str], scene: Scene) -> None:
    action, *wanted = line
    outcomes = {}
    for role in ROLES:
        with undone():
            outcomes[role] = scene.act(role, action)
    assert outcomes == dict(zip(ROLES, wanted, strict=True))


def test_every_address_of_notifications_is_in_the_grid() -> None:
    known = {line[0].split("-")[0] for line in LINES} - {"on", "wishes", "test", "state", "off", "their"} | {"device"}
    assert known == {pattern.name for pattern in urls.urlpatterns}
