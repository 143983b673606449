"""Make the animation of the README from screenshots of the running site: ``python -m docs.animation``.

It shows a move at a table of Hamsterdam Exchange, then the first text of ``docs/recycle.md`` typed into the editor, and
the table that it becomes. The result is ``docs/animation.webp``; ``--frames FOLDER`` also keeps each frame as a PNG.
"""

from __future__ import annotations

import argparse
import io
import re
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import chromium
from tests.running_site import ROOT, RunningSite

OUTPUT = ROOT / "docs" / "animation.webp"
WIDTH, HEIGHT = 1120, 700  # of the browser window
SMALLER = 0.75
QUALITY = 75
READ, LOOK, TYPE, MOVE = 2400, 1200, 130, 90  # how long a frame stays, in milliseconds

ANSWERS = ".room[data-mine] .moves:not(.extra):not([aria-disabled]) button"

Frame = tuple[Image.Image, int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=Path, metavar="FOLDER", help="keep each frame as a PNG in this folder")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = RunningSite(Path(folder), BOT_PACE="0.6")
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        with site.running():
            context = browser.new_context(
                base_url=site.url, viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB"
            )
            context.add_init_script("localStorage.tips = 'no'")
            page = context.new_page()
            frames = without_repeats([*a_move(page), *a_text(page)])
            browser.close()
    first, *rest = [image for image, _ in frames]
    durations = [duration for _, duration in frames]
    first.save(
        OUTPUT,
        save_all=True,
        append_images=rest,
        duration=durations,
        loop=0,
        quality=QUALITY,
        method=6,
        minimize_size=True,
    )
    if wanted.frames:
        wanted.frames.mkdir(parents=True, exist_ok=True)
        for number, (image, duration) in enumerate(frames):
            image.save(wanted.frames / f"{number:02}-{duration}.png")
    print(f"{OUTPUT.relative_to(ROOT)}: {len(frames)} frames, {OUTPUT.stat().st_size // 1000} kB")


def a_move(page: Page) -> list[Frame]:
    """Return frames of a table of Hamsterdam Exchange: two questions, the answers, and what the bots do."""
    page.goto("/new/?game=hamsterdam")
    page.locator("[name=name]").fill("Saskia")
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url("**/t/*/")
    page.locator(".moves.extra button:visible").first.click()
    frames = []
    for _ in range(2):
        expect(page.locator(ANSWERS).first).to_be_visible()
        page.wait_for_timeout(1500)  # until the cards lie still
        frames.append(shot(page, READ))
        page.locator(ANSWERS).nth(1).hover()
        frames.append(shot(page, LOOK // 2))
        page.locator(ANSWERS).nth(1).click()
        frames += [shot(page, MOVE) for _ in range(14)]
    page.wait_for_timeout(1500)
    return [*frames, shot(page, LOOK)]


def a_text(page: Page) -> list[Frame]:
    """Return frames of the editor: a text that is typed, its preview, and a move at the table where it is played."""
    text = re.findall(r"```recycle\n(.*?)```", (ROOT / "docs" / "recycle.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    page.goto("/workshop/new/")
    expect(page.locator(".problems[data-state=good]")).to_be_visible()
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(";; Title: Both Ends\n")
    expect(page.locator(".problems[data-state=error]")).to_be_visible()
    page.wait_for_timeout(1500)  # until the draft is kept
    page.reload()  # so that the preview is empty, too
    expect(page.locator(".problems[data-state=error]")).to_be_visible()
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+End")
    frames = [shot(page, LOOK)]
    for line in text.strip().splitlines():
        words = re.findall(r"\s*\S+", line)
        for part in ("".join(words[: len(words) // 2]), "".join(words[len(words) // 2 :]) + "\n"):
            page.keyboard.insert_text(part)
            frames.append(shot(page, TYPE))
    expect(page.locator(".problems[data-state=good]")).to_be_visible()
    expect(page.locator("#panel-table .felt [data-piece]").first).to_be_visible()
    page.wait_for_timeout(800)
    frames.append(shot(page, READ))
    page.locator(".bench .button-primary").first.click()
    page.wait_for_url("**/t/*/")
    expect(page.locator(ANSWERS).first).to_be_visible()
    page.wait_for_timeout(1500)
    frames.append(shot(page, READ))
    page.locator(ANSWERS).first.click()
    frames += [shot(page, MOVE) for _ in range(8)]
    page.wait_for_timeout(1500)
    return [*frames, shot(page, READ)]


def without_repeats(frames: list[Frame]) -> list[Frame]:
    """Return the frames without those that are like the one before; a frame that follows one of several stays long."""
    kept: list[Frame] = []
    for image, duration in frames:
        if kept and kept[-1][0].tobytes() == image.tobytes():
            kept[-1] = (image, max(kept[-1][1], duration))
        else:
            kept.append((image, duration))
    return kept


def shot(page: Page, duration: int) -> Frame:
    """Return the page as it is now, and how many milliseconds the frame stays."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return image.resize((round(WIDTH * SMALLER), round(HEIGHT * SMALLER)), Image.Resampling.LANCZOS), duration


if __name__ == "__main__":
    main()
