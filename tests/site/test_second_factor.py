"""The second factor of administrators: switching it on, logging in with it, and recovery codes."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from django_otp.oath import TOTP

from tests.running_site import RunningSite
from tests.site.visitor import Answer, Visitor
from tests.tiers import full

LOGIN, PAGE = "/admin/login/", "/admin/second-factor/"
PASSWORD = "four hamsters at 9"
ADMINISTRATORS = 20  # at least as many as tests; making one takes a start of Django, making all takes one, too
MAKE = """
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
kept = make_password({password!r})  # once: it takes a quarter of a second
User.objects.bulk_create(User(username=name, password=kept, is_staff=True, is_superuser=True) for name in {names!r})
"""


class Administrator(Visitor):
    """An administrator of a running site, with an account of their own and an app that makes codes."""

    def __init__(self, site: RunningSite, username: str) -> None:
        super().__init__(site)
        self.username = username
        self.key = ""
        self.used = 0

    def login(self, code: str = "", password: str = PASSWORD) -> Answer:
        """Log in on the administrators' page."""
        return self.post(LOGIN, username=self.username, password=password, code=code)

    def code(self) -> str:
        """Return a code that has not been shown before. One of the next half minute is good too."""
        app = TOTP(bytes.fromhex(self.key))
        app.time = time.time()
        step = max(app.t(), self.used + 1)
        self.used = step
        app.time = step * 30
        return f"{app.token():06d}"

    def switch_on(self) -> list[str]:
        """Enrol, and return the recovery codes."""
        import base64

        typed = re.search(r'id="key">(\w+)<', self.get(PAGE).text)
        assert typed
        self.key = base64.b32decode(typed[1]).hex()
        answer = self.post(PAGE, code=self.code())
        assert answer.status == 200, answer.text
        return recovery_codes(answer)

    def elsewhere(self) -> Administrator:
        """Return the same administrator at another browser."""
        other = Administrator(self.site, self.username)
        other.key, other.used = self.key, self.used
        return other

    @property
    def inside(self) -> bool:
        """Whether the administrators' pages are open."""
        return self.get("/admin/").status == 200


def recovery_codes(answer: Answer) -> list[str]:
    """Return the recovery codes on a page."""
    shown = re.search(r'id="recovery-codes">([^<]*)<', answer.text)
    return shown[1].split() if shown else []


@pytest.fixture(scope="module")
def usernames(site: RunningSite) -> Iterator[str]:
    """Usernames of new administrators, each to be taken once."""
    # Random: a worker that takes tests from another sets this module up twice, on the same site.
    names = [f"boss-{secrets.token_hex(4)}" for _ in range(ADMINISTRATORS)]
    site.manage("shell", "-c", MAKE.format(password=PASSWORD, names=names))
    return iter(names)


@pytest.fixture
def boss(site: RunningSite, usernames: Iterator[str]) -> Administrator:
    """An administrator with a new account, logged in by the password."""
    administrator = Administrator(site, next(usernames))
    assert administrator.login().status == 302
    assert administrator.inside
    return administrator


def test_a_code_is_asked_for_once_it_has_been_confirmed_and_not_before(boss: Administrator) -> None:
    picture = re.search(r'<img src="data:image/svg\+xml[^,]*,([^"]+)"', boss.get(PAGE).text)
    assert picture
    assert unquote(picture[1]).startswith("<svg")
    for wrong in ("", "000000", "abc", "0" * 20, "٣٣٣٣٣٣", "\0"):
        boss.post(PAGE, code=wrong)
    assert boss.elsewhere().login().status == 302
    assert len(boss.switch_on()) == 10
    assert boss.inside  # this browser has just shown a code
    for code in ("", "000000", "wrong"):
        other = boss.elsewhere()
        assert other.login(code).status == 200
        assert not other.inside


def test_a_code_opens_the_pages_and_is_good_once(boss: Administrator) -> None:
    boss.switch_on()
    other, late = boss.elsewhere(), boss.elsewhere()
    code = other.code()
    assert other.login(code).status == 302
    assert other.inside
    assert late.login(code).status == 200
    assert not late.inside


def test_a_recovery_code_does_as_well_and_is_good_once(boss: Administrator) -> None:
    codes = boss.switch_on()
    other = boss.elsewhere()
    assert other.login(codes[3].upper()).status == 302
    assert other.inside
    assert boss.elsewhere().login(codes[3]).status == 200


def test_what_is_wrong_is_not_shown(boss: Administrator) -> None:
    boss.switch_on()

    def page(answer: Answer) -> str:
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"|value="\w{8}"', "", answer.text)

    wrong_password = page(boss.elsewhere().login("zzzzzzzz", password="wrong"))
    assert wrong_password == page(boss.elsewhere().login("zzzzzzzz"))


def test_a_password_without_the_second_factor_makes_nobody_an_administrator(boss: Administrator) -> None:
    boss.switch_on()
    other = boss.elsewhere()
    assert other.post("/people/login/", username=boss.username, password=PASSWORD).status == 302
    assert "Log out" in other.get("/people/me/").text
    assert not other.inside
    code = Visitor(boss.site, "Hostess").open_table("me", "house")
    assert "administration" not in other.get(f"/t/{code}/").text
    assert "administration" in boss.get(f"/t/{code}/").text
    assert other.post(PAGE, code="000000").status == 302  # to the login: it can be neither read nor switched off
    assert not boss.elsewhere().inside


def test_a_session_from_before_is_asked_too(boss: Administrator) -> None:
    old = boss.elsewhere()
    old.login()
    assert old.inside
    boss.switch_on()
    assert not old.inside


@full
def test_new_recovery_codes_and_switching_off_want_a_code(boss: Administrator) -> None:
    first = boss.switch_on()
    refused = boss.post(PAGE, code="zzzzzzzz", do="off")
    assert (refused.status, "That code is wrong" in refused.text) == (400, True)
    assert boss.elsewhere().login().status == 200
    # A wrong recovery code makes recovery codes wait for a second, the app's none.
    second = recovery_codes(boss.post(PAGE, code=boss.code(), do="codes"))
    assert len(second) == 10
    assert not set(first) & set(second)
    # A code that is accepted ends the waiting, so what refuses the old one is that it is old.
    assert boss.elsewhere().login(second[0]).status == 302
    assert boss.elsewhere().login(first[0]).status == 200


def test_switched_off_the_password_is_enough(boss: Administrator) -> None:
    codes = boss.switch_on()
    boss.post(PAGE, code=codes[0], do="off")
    assert boss.elsewhere().login().status == 302


@full
def test_an_administrator_who_has_lost_the_phone_is_helped_by_a_command(boss: Administrator) -> None:
    boss.switch_on()
    assert boss.elsewhere().login().status == 200
    assert boss.username in boss.site.manage("forget_second_factor", boss.username)
    assert boss.elsewhere().login().status == 302
    with pytest.raises(AssertionError, match="has no second factor"):
        boss.site.manage("forget_second_factor", boss.username)
    with pytest.raises(AssertionError, match="no account nobody"):
        boss.site.manage("forget_second_factor", "nobody")


def test_keys_stand_on_no_page_of_other_administrators(boss: Administrator, administrator: Visitor) -> None:
    boss.switch_on()
    assert "otp" not in administrator.get("/admin/").text.lower()
    for path in ("otp_totp/totpdevice/", "otp_static/staticdevice/"):
        assert administrator.get(f"/admin/{path}").status == 404
