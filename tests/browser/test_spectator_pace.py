"""Spectators may watch at their own pace, or later if the host wants it; players see everything at once."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import code_of, start

A_LITTLE, LONG_ENOUGH = 1000, 2600  # milliseconds, of a pace at which 2500 lie between two moves


def make_pace(page: Page) -> None:
    """Begin to watch slowly, on a page whose clock stands still."""
    page.clock.install()
    page.evaluate(
        """async () => {
          localStorage.setItem("pace", "slower");
          const { SpectatorPace } = await import("/static/js/table/spectator_pace.js");
          window.shown = [];
          window.watching = true;
          window.looking = false;
          window.pace = new SpectatorPace({
            watching: () => window.watching,
            looking: () => window.looking,
            show: (message) => window.shown.push(message.version ?? message.t),
          });
          window.receive = (...messages) => {
            for (const one of messages) if (!window.pace.delays(one)) window.shown.push(one.version ?? one.t);
          };
        }"""
    )


def plies(*versions: int) -> list[dict[str, Any]]:
    """Return messages of moves."""
    return [{"t": "change", "version": version} for version in versions]


def receive(page: Page, *messages: dict[str, Any]) -> list[Any]:
    """Receive messages and return what has been shown since the last look."""
    page.evaluate("(messages) => window.receive(...messages)", list(messages))
    return shown(page)


def shown(page: Page, after: int = 0) -> list[Any]:
    """Return what has been shown since the last look, so many milliseconds later."""
    page.clock.run_for(after)
    return list(page.evaluate("() => window.shown.splice(0)"))


def test_moves_are_shown_one_after_the_other_and_what_follows_them_stays_behind_them(modules: Page) -> None:
    make_pace(modules)
    assert receive(modules, *plies(1, 2, 3), {"t": "table"}, {"t": "chat"}) == [1, "chat"]
    assert modules.evaluate("() => window.pace.behind") == 2
    assert shown(modules, A_LITTLE) == []
    assert shown(modules, LONG_ENOUGH) == [2]
    modules.evaluate("() => (window.looking = true)")
    assert shown(modules, LONG_ENOUGH) == []  # a moment is looked at
    modules.evaluate("() => (window.looking = false)")
    assert shown(modules, LONG_ENOUGH) == [3, "table"]
    assert shown(modules, LONG_ENOUGH) == []
    assert receive(modules, *plies(4)) == [4]


def test_a_visitor_who_switches_the_pace_off_or_sits_down_sees_the_current_position(modules: Page) -> None:
    make_pace(modules)
    assert receive(modules, *plies(1, 2, 3)) == [1]
    modules.evaluate("() => (window.watching = false)")
    assert receive(modules, *plies(4, 5)) == [2, 3, 4, 5]
    modules.evaluate("() => (window.watching = true)")
    assert receive(modules, *plies(6, 7)) == []
    modules.evaluate("() => window.pace.choose('played')")
    assert shown(modules) == [6, 7]
    assert receive(modules, *plies(8, 9)) == [8, 9]


def test_a_player_who_is_behind_may_see_all_of_it_fast(modules: Page) -> None:
    make_pace(modules)
    assert receive(modules, *plies(1, 2, 3, 4)) == [1]
    modules.evaluate("() => window.pace.choose('faster')")
    assert shown(modules, A_LITTLE) == [2, 3]
    assert shown(modules, A_LITTLE) == [4]
    assert receive(modules, *plies(5)) == [5]


def test_after_a_lost_connection_nothing_is_shown_that_the_server_sends_again(modules: Page) -> None:
    make_pace(modules)
    assert receive(modules, *plies(1, 2, 3)) == [1]
    assert receive(modules, {"t": "welcome"}, {"t": "snapshot"}) == ["welcome", "snapshot"]
    assert shown(modules, LONG_ENOUGH) == []


def test_a_delay_is_chosen_at_set_up_and_said_to_players_spectators_and_on_the_tv(visitor: Visitor) -> None:
    host, guest, tv = visitor(), visitor(), visitor()
    host.goto("/new/?game=kuhn")
    host.get_by_label("Your name").fill("Anna")
    host.get_by_label("Seat 2").select_option("house")
    host.get_by_label("Delay for spectators").select_option("1 minute")
    host.get_by_role("button", name="Create the table").click()
    host.wait_for_url("**/t/*/")
    start(host)
    guest.goto(host.url)
    tv.goto(f"/tv/?table={code_of(host.url)}")
    expect(host.locator("[data-chip=delay]")).to_have_text("Spectators: 1 minute later")
    expect(guest.locator("[data-chip=delay]")).to_have_text("Delayed by 1 minute")
    guest.set_viewport_size({"width": 390, "height": 844})  # no room for badges
    expect(guest.locator(".room-phase")).to_contain_text("Delayed by 1 minute")
    expect(tv.locator(".tv-delay")).to_have_text("Delayed by 1 minute")
    for page in (guest, tv):
        expect(page.locator(".felt [data-piece]")).to_have_count(0)  # the match began less than a minute ago
