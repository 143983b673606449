"""Games that are texts: played by clicks, keys and buttons; and their library."""

from __future__ import annotations

import contextlib
import re

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from games import catalogue
from tests.browser.conftest import Visitor
from tests.browser.tables import play_with_keys, result_of, set_table, start, step_through, wait_for_turn
from tests.running_site import RunningSite
from tests.tiers import full

LIBRARY = catalogue.providers[1]


def turn(page: Page) -> None:
    """Wait until there is a move to make, and its button to press."""
    expect(page.locator(".room[data-mine] .moves button, .result:visible").first).to_be_visible()


BEGUN_OR_LOGGED = """(entries) => document.querySelectorAll(".log-line").length > entries
  || document.querySelector(".moves [data-kind=back]")"""


def play_by_pieces(page: Page) -> int:
    """Play to the end by clicks on pieces where one may be picked, else on buttons. Return how many were."""
    picked = 0
    for _ in range(400):
        turn(page)
        if result_of(page):
            return picked
        entries = page.locator(".log-line").count()
        pieces = page.locator(".felt [data-legal]")
        if pieces.count():
            pieces.last.click(position={"x": 8, "y": 20})
            picked += 1
            with contextlib.suppress(TimeoutError):  # it may have been decided before this looks
                page.wait_for_function(BEGUN_OR_LOGGED, arg=entries, timeout=2000)
        if page.locator(".log-line").count() == entries:  # the piece does not say all: where to, or what with it
            lit = page.locator(".felt .aim")
            button = page.get_by_role("group", name="Your moves").get_by_role("button")
            if lit.count():
                lit.first.click()
            elif button.count():
                with contextlib.suppress(TimeoutError):  # what was clicked first did say all, and it is decided now
                    button.first.click(timeout=2000)
        with contextlib.suppress(AssertionError):  # a click may meet a choice that is being taken back: then once more
            expect(page.locator(".log-line").nth(entries)).to_be_attached(timeout=5000)
    raise AssertionError("It does not end.")


@full
def test_a_text_is_played_to_its_end_by_clicks_on_cards_and_looked_at_again(visitor: Visitor) -> None:
    page = visitor(reduced_motion=True)
    set_table(page, "crazy-eights", ("random", "none", "none", "none"))
    start(page)
    assert play_by_pieces(page) >= 3
    assert re.search(r"wins? with|share the win", result_of(page))
    step_through(page)


def test_a_text_is_played_to_its_end_by_keys_alone(visitor: Visitor) -> None:
    page = visitor(reduced_motion=True)
    set_table(page, "agram", ("random", "random", "none", "none"))
    start(page)
    assert play_with_keys(page) >= 6
    assert result_of(page)


def test_a_card_goes_where_it_is_aimed(visitor: Visitor) -> None:
    page = visitor(reduced_motion=True)
    set_table(page, "expeditions", ("random",))
    start(page)
    turn(page)
    card = page.locator(".own [data-layout=hand] [data-legal]").last
    name = card.get_attribute("aria-label") or ""
    card.click(position={"x": 8, "y": 20})
    page.locator('.shared [data-zone="vloc:DISCARD"] > .aim').click()
    colour = re.escape(name.split()[-1])  # the number stands before it on the card
    expect(page.locator(".log-line").filter(has_text=re.compile(f"You discard .*{colour}"))).to_have_count(1)


@full
@pytest.mark.parametrize("device", ["desktop", "phone"])
@pytest.mark.parametrize("game", ["hearts", "expeditions", "go-fish"])
def test_the_last_of_many_options_can_be_pressed(visitor: Visitor, game: str, device: str) -> None:
    page = visitor(device=device, reduced_motion=True)
    set_table(page, game, ("random",) * (catalogue.find(game).default_seats - 1))
    start(page)
    for _ in range(5):
        wait_for_turn(page)
        turn(page)
        if result_of(page):
            break
        entries = page.locator(".log-line").count()
        buttons = page.locator(".moves button:not([data-kind=back], [aria-pressed=true])")  # cards not yet selected
        confirm = page.locator(".moves [data-kind=confirm]:enabled")
        while buttons.count():
            button = confirm if confirm.count() else buttons.last
            button.scroll_into_view_if_needed()
            button.click()
            if page.locator(".moves [data-kind=busy]").count() or page.locator(".log-line").count() > entries:
                break
        expect(page.locator(".log-line").nth(entries)).to_be_attached()


# -- the library


def test_a_game_is_found_by_players_length_and_kind(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/games/")
    games = catalogue.listed(LIBRARY)
    rows = page.locator(".game-rows > li:visible")
    expect(rows).to_have_count(len(games))
    page.get_by_label("Players").select_option("4")
    four = [game for game in games if game.min_seats <= 4 <= game.max_seats]
    expect(rows).to_have_count(len(four))
    page.get_by_label("Kind").select_option("trick-taking")
    results = [game.title for game in four if game.kind == "trick-taking"]
    expect(rows.locator(".game-row-title")).to_have_text(results)
    page.get_by_label("Length").select_option("5")
    quick = [game for game in four if game.kind == "trick-taking" and game.minutes <= 5]
    expect(rows).to_have_count(len(quick))
    expect(page.get_by_role("status").filter(has_text="game")).to_have_text(
        {0: "No games match. Try fewer filters.", 1: "1 game"}.get(len(quick), f"{len(quick)} games")
    )
    # The house's own games stand as they are.
    expect(page.locator(".game-card")).to_have_count(len(catalogue.listed(catalogue.providers[0])))


@full
def test_without_scripts_the_library_is_a_plain_list(browser: Browser, site: RunningSite) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/games/")
    assert page.locator(".game-rows > li").count() == len(catalogue.listed(LIBRARY))
    assert page.get_by_label("Kind").is_hidden()
    context.close()
