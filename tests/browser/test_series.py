"""A series of matches: two people and a bot play, others come and go, one of them an administrator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import play_out, result_of, sit_down
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.tiers import full


def make_table(host: Page, name: str) -> str:
    """Make a public, unsealed table: the host, a seat for a friend, a bot. Return its address."""
    host.goto("/new/")
    host.get_by_label("Your name").fill(name)
    host.get_by_label("Everybody: listed on the front page").check()
    host.get_by_label("Seat 3").select_option(label="Bot: House AI")
    host.get_by_label("Sealed deal").select_option(label="Not sealed: hands stay private afterwards")
    host.get_by_role("button", name="Create the table").click()
    host.wait_for_url("**/t/*/")
    return host.url


def administrator(page: Page, password: str) -> Page:
    """Log in to the administration."""
    page.goto("/admin/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    return page


def wins(page: Page) -> dict[str, float]:
    """Return who has won how many matches of the series, as the result panel says."""
    rows = page.get_by_role("region", name="Result").locator("table").first.locator("tbody tr")
    found = {row.locator("th").get_attribute("title"): row.locator("td").last.inner_text() for row in rows.all()}
    return {str(name): float(won.replace("½", ".5").replace("⅓", ".333")) for name, won in found.items()}


@full
def test_two_people_and_a_bot_play_a_series_watched_interrupted_and_rigged(
    visitor: Visitor, new_site: Callable[..., RunningSite]
) -> None:
    site = new_site()
    password = re.search(r"Password:\s+(\S+)", site.open())
    site.start()
    anna, bob, walter, admin = (visitor(at=site) for _ in range(4))

    address = make_table(anna, "Anna")
    sit_down(bob, address, "Bob")
    walter.goto(address)
    expect(anna.get_by_text("1 spectator")).to_be_visible()
    anna.get_by_role("button", name="Start the match").click()

    # First match: Bob reloads in the middle, and finds everything as it was.
    play_out(anna, bob, until=4)
    before = bob.get_by_role("region", name="Log", exact=True).inner_text()
    bob.reload()
    expect(bob.get_by_role("region", name="Log", exact=True)).to_contain_text(before.splitlines()[0])
    assert bob.get_by_role("region", name="Log", exact=True).inner_text().startswith(before)
    play_out(anna, bob)
    assert all(map(result_of, (anna, bob, walter)))
    assert sum(wins(anna).values()) == pytest.approx(1)

    # Second match: Anna loses the network; the table goes on being hers when it comes back.
    anna.get_by_role("button", name="Play again").click()
    expect(anna.get_by_text("Waiting for Bob")).to_be_visible()
    expect(bob.get_by_text("Ready for the next match: Anna")).to_be_visible()
    anna.get_by_role("button", name="Not yet").click()
    bob.get_by_role("button", name="Play again").click()
    expect(bob.get_by_text("Waiting for Anna")).to_be_visible()
    anna.get_by_role("button", name="Play again").click()
    expect(anna.get_by_role("region", name="Result")).to_be_hidden()
    play_out(anna, bob, until=3)
    anna.context.set_offline(True)
    expect(anna.get_by_text(re.compile("Connection lost"))).to_be_visible()
    anna.context.set_offline(False)
    expect(anna.get_by_text(re.compile("Connection lost"))).to_be_hidden()
    play_out(anna, bob)
    wait_for(lambda: sum(wins(bob).values()) == pytest.approx(2), "The second win")
    won = wins(bob)

    # Third match: the administrator wants a seat to win that has not won yet.
    favourite = min(won, key=lambda name: won[name])
    assert password
    administrator(admin, password[1])
    admin.goto("/admin/lobby/table/")
    expect(admin.get_by_role("row").filter(has_text="Anna")).to_contain_text("honest")
    admin.get_by_role("row").filter(has_text="Anna").get_by_role("link").first.click()
    admin.get_by_label("Stack the deck").check()
    seat = admin.get_by_label("Favourite seat")
    seat.select_option(label=next(o for o in seat.locator("option").all_inner_texts() if favourite in o))
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(admin.get_by_role("row").filter(has_text="Anna")).to_contain_text("stacked from the next match on")
    anna.get_by_role("button", name="Start without waiting").click()
    expect(bob.get_by_role("region", name="Result")).to_be_hidden()
    play_out(anna, bob, until=2)
    admin.reload()
    expect(admin.get_by_role("row").filter(has_text="Anna")).to_contain_text("STACKED NOW")
    play_out(anna, bob)
    assert wins(walter) == wins(anna) == wins(bob)

    # Only the administrators know.
    admin.goto("/admin/table/match/")
    expect(admin.get_by_role("row").filter(has_text="Anna")).to_have_count(3)
    expect(admin.get_by_role("row").filter(has_text="seat ")).to_have_count(1)
    for page in (anna, bob, walter):
        assert not re.search("rigg|stack(ed|ing) |favourite", page.content(), re.IGNORECASE)
    replay = walter.request.get(f"{site.url}/replay/3/frames.json")
    assert json.loads(replay.text())["stacked_for"] == -1
