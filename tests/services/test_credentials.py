"""A person who logs out through one process is disconnected from the others."""

from __future__ import annotations

from cardsite.server.protocol import SOMEBODY_ELSE
from tests.running_site import RunningSite
from tests.site.test_credentials import Regular, seated, token
from tests.site.visitor import program
from tests.tiers import full


@full
def test_a_logout_and_a_new_token_cut_the_sockets_of_other_processes(
    grown_site: tuple[RunningSite, RunningSite],
) -> None:
    first, second = grown_site
    pepper = Regular(first)
    code = seated(first, pepper)
    made = token(pepper)
    pepper.site = second
    with pepper.connect(code) as browser, program(second, code, made) as bot:
        assert bot.hello()["seat"] == browser.seat == 1
        pepper.site = first
        token(pepper)
        assert bot.closed() == SOMEBODY_ELSE
        browser.settle()
        pepper.post("/people/logout/")
        assert browser.closed() == SOMEBODY_ELSE
