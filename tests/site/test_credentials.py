"""A socket is closed when the session or token that opened it becomes invalid."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.contrib.auth.models import User

from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.server.protocol import CREDENTIALS_EXPIRED
from cardsite.server.room import Room, Socket
from cardsite.server.server import MatchServer
from cardsite.server.table_info import Delay, Reading
from cardsite.server.transport import Client
from cardsite.table.models import Message
from tests.patience import PATIENCE
from tests.running_site import RunningSite
from tests.site.visitor import Visitor, program, two_at_a_table
from tests.tiers import full

PASSWORD = "four hamsters at table 9"


class Regular(Visitor):
    """A visitor who has registered, with a user name of their own."""

    def __init__(self, site: RunningSite, name: str = "Pepper") -> None:
        super().__init__(site, name)
        self.username = f"{name}-{secrets.token_hex(4)}"
        self.post("/people/me/name/", name=name)
        fields = {"username": self.username, "password1": PASSWORD, "password2": PASSWORD}
        answer = self.post("/people/register/", **fields)
        assert answer.status == 302, answer.text

    def account(self, site_db: str) -> int:
        """Return the number of the account."""
        return User.objects.using(site_db).get(username=self.username).pk


def token(visitor: Visitor) -> str:
    """Make a token and return it."""
    visitor.post("/people/me/token/")
    [made] = re.findall(r'id="token-text">([\w-]+)<', visitor.get("/people/me/").text)
    return str(made)


def seated(site: RunningSite, visitor: Visitor) -> str:
    """Return a table where a visitor sits on seat 1."""
    code = Visitor(site, "Hostess").open_table("me", "open", "house")
    visitor.must(code, "sit")
    return code


def test_a_logout_cuts_the_sockets_of_that_browser_and_no_others(site: RunningSite) -> None:
    pepper = Regular(site)
    elsewhere = Visitor(site)
    elsewhere.post("/people/login/", username=pepper.username, password=PASSWORD)
    code, other = seated(site, pepper), Visitor(site, "Guest")
    with pepper.connect(code) as cut, elsewhere.connect(code) as stays, program(site, code, token(pepper)) as bot:
        bot.hello()
        with other.connect(code) as spectator:
            pepper.post("/people/logout/")
            assert cut.closed() == CREDENTIALS_EXPIRED
            for ws in (stays, bot, spectator):
                ws.settle()
    with pepper.connect(code) as again:
        assert again.seat is None


@pytest.mark.django_db(transaction=True)
async def test_frames_from_a_closed_socket_are_ignored() -> None:
    async def send(event: object) -> None: ...

    person = await Person.objects.acreate(name="Pepper")
    table = await Table.objects.acreate(game="hamsterdam")
    socket = Socket(send, person.pk, person.name)
    room: Any = None  # nobody asks for it
    client = Client(table.code, socket, room, person, "")
    socket.close(CREDENTIALS_EXPIRED)
    await client.receive(json.dumps({"t": "chat", "id": 1, "text": "am I still here?"}))
    assert not await Message.objects.aexists()


async def test_a_change_without_a_notice_is_found_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def send(event: object) -> None: ...

    async def nobody() -> None:
        return None

    async def pepper() -> Person:
        rounds.append(7)
        if len(rounds) == 2:  # so everybody has been looked at once
            done.set()
        return Person(pk=7)

    rounds: list[int] = []
    done = asyncio.Event()

    monkeypatch.setattr("cardsite.server.server.CHECK_CREDENTIALS_EVERY", 0.0)
    info = cast("Any", SimpleNamespace(match=0))
    house, room = MatchServer(), Room(Reading(info, info, Delay(), {}, 0, {}, {}, frozenset()))
    gone, same, spectator = (Socket(send, person, "") for person in (7, 7, 0))
    gone.identify, same.identify, spectator.identify = nobody, pepper, nobody
    room.sockets = {gone, same, spectator}
    house.relay.rooms["table"] = room
    looking = asyncio.create_task(house._check_all_credentials())
    async with asyncio.timeout(PATIENCE):
        await done.wait()
    looking.cancel()
    assert [socket.closing for socket in (gone, same, spectator)] == [True, False, False]


def test_a_new_token_cuts_the_programs_of_the_old_one_and_not_the_browser(site: RunningSite) -> None:
    pepper = Regular(site)
    code = seated(site, pepper)
    with program(site, code, token(pepper)) as bot, pepper.connect(code) as browser:
        assert bot.hello()["seat"] == 1
        renewed = token(pepper)
        assert bot.closed() == CREDENTIALS_EXPIRED
        browser.settle()
        with program(site, code, renewed) as again:
            assert again.hello()["seat"] == 1


def cut_by(administrator: Visitor, path: str, **fields: object) -> None:
    """Do something to an account in the administrators' pages."""
    answer = administrator.post(path, **fields)
    assert answer.status == 302
    assert "login" not in answer.headers["Location"]


def test_another_password_cuts_all_browsers(site: RunningSite, administrator: Visitor, site_db: str) -> None:
    pepper = Regular(site)
    code = seated(site, pepper)
    with pepper.connect(code) as ws:
        account = pepper.account(site_db)
        cut_by(
            administrator, f"/admin/auth/user/{account}/password/", password1="other 4 words", password2="other 4 words"
        )
        assert ws.closed() == CREDENTIALS_EXPIRED


def test_an_account_that_is_closed_loses_browsers_and_programs(
    site: RunningSite, administrator: Visitor, site_db: str
) -> None:
    pepper = Regular(site)
    code = seated(site, pepper)
    made = token(pepper)
    with pepper.connect(code) as ws, program(site, code, made) as bot:
        bot.hello()
        when = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
        account = pepper.account(site_db)
        cut_by(administrator, f"/admin/auth/user/{account}/change/", username="closed-" + secrets.token_hex(4), **when)
        assert (ws.closed(), bot.closed()) == (CREDENTIALS_EXPIRED, CREDENTIALS_EXPIRED)
    late = program(site, code, made)
    assert late.closed() == 4001


@full
@pytest.mark.parametrize("what", ["auth/user", "people/person"])
def test_a_player_who_is_removed_is_cut_off(site: RunningSite, administrator: Visitor, site_db: str, what: str) -> None:
    pepper = Regular(site)
    code = seated(site, pepper)
    with pepper.connect(code) as ws, program(site, code, token(pepper)) as bot:
        bot.hello()
        account = pepper.account(site_db)
        if what == "people/person":
            account = Person.objects.using(site_db).get(user=account).pk
        cut_by(administrator, f"/admin/{what}/{account}/delete/", post="yes")
        assert (ws.closed(), bot.closed()) == (CREDENTIALS_EXPIRED, CREDENTIALS_EXPIRED)


def test_a_guest_who_logs_in_is_cut_as_the_guest(site: RunningSite) -> None:
    pepper = Regular(site)
    code, _, guest = two_at_a_table(site, "house")
    with guest.connect(code) as ws:
        assert guest.post("/people/login/", username=pepper.username, password=PASSWORD).status == 302
        assert ws.closed() == CREDENTIALS_EXPIRED
    with guest.connect(code) as again:
        assert again.seat == 1
