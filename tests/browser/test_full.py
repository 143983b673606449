"""A page beyond the limit of sockets says so, and connects by itself when another one is closed."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosed

from tests.browser.conftest import Visitor
from tests.browser.tables import code_of, set_table
from tests.running_site import RunningSite
from tests.site.visitor import TableSocket
from tests.site.visitor import Visitor as Browserless
from tests.tiers import full


def the_only_socket(page: Page, site: RunningSite, code: str) -> TableSocket:
    """Open a socket as soon as there is room for it."""
    for _ in range(200):
        try:
            return Browserless(site).connect(code)
        except (ConnectionClosed, OSError):
            page.wait_for_timeout(100)
    raise AssertionError("The socket of the page that was left is still counted.")


@full
def test_a_page_that_is_one_too_many_says_why_and_opens_when_another_is_closed(
    new_site: Callable[..., RunningSite], visitor: Visitor
) -> None:
    site = new_site(RATE_LIMITS="1", SOCKETS_AN_ADDRESS="1")
    site.open()
    site.start()
    page = visitor(at=site)
    address = set_table(page, "hamsterdam", ("house",))
    expect(page.get_by_role("button", name="Start the match")).to_be_visible()
    page.goto("/people/me/")  # its socket is closed, which the site notices in its own time
    with the_only_socket(page, site, code_of(address)):
        page.goto(address)
        banner = page.get_by_role("status").filter(has_text="Too many tables are open")
        expect(banner).to_be_visible()
    expect(page.get_by_role("button", name="Start the match")).to_be_visible()
    expect(banner).to_be_hidden()
