"""Take the picture of a game that the lobby shows: ``python -m tests.browser.picture NAME``.

It starts the site on a folder of its own, sets a table of the game's usual size with its first bot on all other seats,
and plays a match to its end with the first move each time, to see how long one is. Of a second match it plays the first
half, waits for the next turn and writes what then lies on the table to ``art/table.webp`` in the game's folder, 720
pixels wide. A game without a picture is shown with a drawn one; after a change of how a table looks, take it again.

Needs a Chromium, as the browser tests do (``tests/browser/chromium.py`` finds or fetches one).
"""

from __future__ import annotations

import argparse
import base64
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from games import catalogue
from games.core import Game
from tests.browser import chromium
from tests.browser.tables import move, result_of, set_table, start, wait_for_turn
from tests.running_site import RunningSite

WIDTH, HEIGHT = 720, 432  # pixels
TRIES = 5  # matches that may end before they are half as long as the first
QUALITY = 0.8
DESKTOP: ViewportSize = {"width": 1280, "height": 800}

# How high the felt is depends on how much there is to do: of a wider or higher one the middle is taken.
SHRINK = """async ([picture, width, height, quality]) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const scale = Math.max(width / bitmap.width, height / bitmap.height);
  const [wide, high] = [bitmap.width * scale, bitmap.height * scale];
  const paper = canvas.getContext("2d");
  paper.imageSmoothingQuality = "high";
  paper.drawImage(bitmap, (width - wide) / 2, (height - high) / 2, wide, high);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def take(game: Game) -> bytes:
    """Return the picture of a game. Raises AssertionError when its table does not come so far."""
    with tempfile.TemporaryDirectory(prefix="hamsterdam-picture-") as folder:
        site = RunningSite(Path(folder))
        site.open()
        site.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
                picture = _table_of(browser, site, game)
                browser.close()
        finally:
            site.close()
    return picture


def _table_of(browser: Browser, site: RunningSite, game: Game) -> bytes:
    context = browser.new_context(base_url=site.url, viewport=DESKTOP, color_scheme="light", reduced_motion="reduce")
    context.add_init_script("localStorage.tips = 'no'")
    page = context.new_page()
    set_table(page, game.name, (game.house_bot,) * (game.default_seats - 1))
    start(page)
    length = _play(page)
    for _ in range(TRIES):
        page.get_by_role("button", name="Play again").click()
        expect(page.get_by_role("region", name="Result")).to_be_hidden()
        _play(page, length // 2)
        wait_for_turn(page)
        if not result_of(page):
            break
    else:
        raise AssertionError(f"No match lasted for {length // 2} decisions, as half the first one did.")
    page.keyboard.press("Escape")  # closes a scoring panel
    page.mouse.move(0, 0)
    felt = page.locator(".felt").screenshot(animations="disabled")
    blank = browser.new_page()
    shrunk = blank.evaluate(SHRINK, [base64.b64encode(felt).decode(), WIDTH, HEIGHT, QUALITY])
    return base64.b64decode(shrunk)


def _play(page: Page, decisions: int | None = None) -> int:
    """Make so many decisions, or all until the match is over. Return how many were made."""
    made = 0
    while made != decisions:
        wait_for_turn(page)
        if result_of(page):
            break
        seen = page.locator(".log-line").count()
        while move(page):  # more than one press where a card is chosen before its place
            if page.locator(".moves [data-kind=busy]").count() or page.locator(".log-line").count() != seen:
                break
        made += 1
    return made


def main() -> None:
    """Take the picture of the game that the command line names."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("game", metavar="NAME", help="the game's name, as its folder is called")
    parser.add_argument("--to", metavar="FILE", type=Path, help="where to write it, if not to the game's folder")
    arguments = parser.parse_args()
    try:
        game = catalogue.find(arguments.game)
    except catalogue.UnknownGame as unknown:
        parser.error(str(unknown))
    path = arguments.to or game.folder / "art" / "table.webp"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(take(game))
    print(f"{path}: {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
