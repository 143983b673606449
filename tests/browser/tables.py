"""Actions at a table in a browser: open it, sit down, wait for a turn, play, open the replay."""

from __future__ import annotations

import contextlib

from playwright.sync_api import Locator, Page, TimeoutError, expect

READY = ".moves:not(.extra):not([aria-disabled])"  # buttons of a question that takes an answer
MOVE = f"{READY} button"
# Asked often, so by selectors: to find things by their roles, the browser works out those of the whole page.
NOW = """(move) => document.querySelector(".result")?.checkVisibility() ? "over"
  : document.querySelector(move)?.checkVisibility() ? "turn" : null"""


def set_table(host: Page, game: str, seats: tuple[str, ...], seconds: str = "60", **options: str) -> str:
    """Make a public, sealed table: the host, and on the other ``seats`` what their kind says. Return its address.

    ``seconds``: per decision.
    """
    host.goto(f"/new/?game={game}")
    host.get_by_label("Your name").fill("Anna")
    for number, kind in enumerate(seats, 2):
        host.get_by_label(f"Seat {number}").select_option(kind)
    host.get_by_label("Time per decision").select_option(seconds)
    for name, value in options.items():
        field = host.locator(f"[name=option_{name}]")
        field.select_option(value) if field.evaluate("(one) => one.tagName") == "SELECT" else field.fill(value)
    host.get_by_label("Everybody: listed on the front page").check()
    host.get_by_role("button", name="Create the table").click()
    host.wait_for_url("**/t/*/")
    return host.url


def create_circle(owner: Page) -> str:
    """Make the circle Thursdays of Anna. Return the link that invites to it."""
    owner.goto("/circles/")
    owner.get_by_label("Your name").fill("Anna")
    owner.get_by_label("Name of the circle").fill("Thursdays")
    owner.get_by_role("button", name="Create the circle").click()
    return owner.locator("#invite-link").inner_text()


def code_of(address: str) -> str:
    """Return the code of the table at an address."""
    return address.rstrip("/").split("/")[-1]


def sit_down(friend: Page, address: str, name: str) -> None:
    """Follow the link, take the free seat, say a name."""
    friend.goto(address)
    friend.get_by_role("button", name="Sit here").first.click()
    friend.get_by_label("Your name").fill(name)
    friend.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(friend.locator("li[data-kind=person]").filter(has_text=name)).to_contain_text("you")


def play_now(page: Page, game: str) -> None:
    """Begin a match of a game with bots from the list of games."""
    page.goto("/games/")
    page.locator(f"form[action='/play/{game}/'] button").click()
    page.wait_for_url("**/t/*/")


def sit_with_bots(page: Page) -> None:
    """Press Play now and wait for the first own turn."""
    page.goto("/")
    page.get_by_role("button", name="Play now", exact=True).click()
    page.wait_for_url("**/t/*/")
    wait_for_turn(page)


def start(host: Page, *others: Page) -> None:
    """Start the match, and let everybody see the cards or the board."""
    host.get_by_role("button", name="Start the match").click()
    for page in (host, *others):
        expect(page.locator(".felt [data-piece]").first).to_be_visible()


def wait_for_turn(page: Page) -> None:
    """Wait until there is a move to make or the match is over."""
    expect(page.locator(f".room[data-mine] {READY}, .result:visible").first).to_be_attached()


def result_of(page: Page) -> str:
    """Return what the result panel says, "" while there is none."""
    panel = page.get_by_role("region", name="Result")
    return panel.inner_text() if panel.is_visible() else ""


def scores_of(page: Page) -> list[str]:
    """Return the scores that the result panel shows, the best first: the same to everybody."""
    return page.locator(".result table").first.locator("tbody td").all_inner_texts()


def move(page: Page) -> bool:
    """If it is this person's turn, press the first of their buttons. Return whether it was."""
    if page.evaluate(NOW, MOVE) == "turn":
        with contextlib.suppress(TimeoutError):  # the button was that of a decision just made
            page.locator(MOVE).first.click(timeout=1000)
            return True
    return False


def play_out(*people: Page, until: int = 10_000) -> int:
    """Let people decide as their turns come, until the match is over or ``until`` decisions are made."""
    made = 0
    while made < until and any(page.evaluate(NOW, MOVE) != "over" for page in people):
        made += sum(move(person) for person in people)
        people[0].wait_for_timeout(50)  # gives the browsers' own events a chance to run
    return made


def play_with_keys(page: Page) -> int:
    """Play to the end with nothing but the key 1. Return how often it was pressed."""
    pressed = 0
    while not result_of(page):
        wait_for_turn(page)
        page.keyboard.press("1")
        pressed += 1
        assert pressed < 500
    return pressed


def step_through(page: Page) -> None:
    """Go from the result to the replay, and through it with the slider, there and back."""
    page.get_by_role("link", name="Replay the match").click()
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_value("0")
    last = int(slider.get_attribute("max") or 0)
    assert last > 1
    for place in (last // 2, last, 1):
        slider.fill(str(place))
        expect(page.get_by_text(f"{place} / {last}")).to_be_visible()
    assert fits(page)


def fits(page: Page) -> bool:
    """Say whether the page needs no scrolling."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"
        )
    )


def piece(page: Page, ident: str) -> Locator:
    """Return the piece with that id."""
    return page.locator(f'[data-piece="{ident}"]')
