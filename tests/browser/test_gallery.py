"""Who watches may watch at a pace of their own; who plays sees everything at once."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

A_LITTLE, LONG_ENOUGH = 1000, 2600  # milliseconds, of a pace at which 2500 lie between two moves


def gallery(page: Page) -> None:
    """Begin to watch slowly, on a page whose clock stands still."""
    page.clock.install()
    page.evaluate(
        """async () => {
          localStorage.setItem("pace", "slower");
          const { Gallery } = await import("/static/js/table/gallery.js");
          window.shown = [];
          window.watching = true;
          window.looking = false;
          window.gallery = new Gallery({
            watching: () => window.watching,
            looking: () => window.looking,
            show: (message) => window.shown.push(message.version ?? message.t),
          });
          window.hear = (...messages) => {
            for (const one of messages) if (!window.gallery.keeps(one)) window.shown.push(one.version ?? one.t);
          };
        }"""
    )


def plies(*versions: int) -> list[dict[str, Any]]:
    """Return what is told of moves."""
    return [{"t": "change", "version": version} for version in versions]


def hear(page: Page, *messages: dict[str, Any]) -> list[Any]:
    """Hear messages, and return what has been shown since the last look."""
    page.evaluate("(messages) => window.hear(...messages)", list(messages))
    return shown(page)


def shown(page: Page, after: int = 0) -> list[Any]:
    """Return what has been shown since the last look, so many milliseconds later."""
    page.clock.run_for(after)
    return list(page.evaluate("() => window.shown.splice(0)"))


def test_moves_are_shown_one_after_the_other_and_what_follows_them_stays_behind_them(modules: Page) -> None:
    gallery(modules)
    assert hear(modules, *plies(1, 2, 3), {"t": "table"}, {"t": "chat"}) == [1, "chat"]
    assert modules.evaluate("() => window.gallery.behind") == 2
    assert shown(modules, A_LITTLE) == []
    assert shown(modules, LONG_ENOUGH) == [2]
    modules.evaluate("() => (window.looking = true)")
    assert shown(modules, LONG_ENOUGH) == []  # a moment is looked at
    modules.evaluate("() => (window.looking = false)")
    assert shown(modules, LONG_ENOUGH) == [3, "table"]
    assert shown(modules, LONG_ENOUGH) == []
    assert hear(modules, *plies(4)) == [4]


def test_who_has_enough_of_it_or_sits_down_sees_how_the_table_stands(modules: Page) -> None:
    gallery(modules)
    assert hear(modules, *plies(1, 2, 3)) == [1]
    modules.evaluate("() => (window.watching = false)")
    assert hear(modules, *plies(4, 5)) == [2, 3, 4, 5]
    modules.evaluate("() => (window.watching = true)")
    assert hear(modules, *plies(6, 7)) == []
    modules.evaluate("() => window.gallery.choose('played')")
    assert shown(modules) == [6, 7]
    assert hear(modules, *plies(8, 9)) == [8, 9]


def test_who_is_behind_may_see_all_of_it_fast(modules: Page) -> None:
    gallery(modules)
    assert hear(modules, *plies(1, 2, 3, 4)) == [1]
    modules.evaluate("() => window.gallery.choose('faster')")
    assert shown(modules, A_LITTLE) == [2, 3]
    assert shown(modules, A_LITTLE) == [4]
    assert hear(modules, *plies(5)) == [5]


def test_after_a_cut_line_nothing_is_shown_that_the_house_tells_again(modules: Page) -> None:
    gallery(modules)
    assert hear(modules, *plies(1, 2, 3)) == [1]
    assert hear(modules, {"t": "welcome"}, {"t": "snapshot"}) == ["welcome", "snapshot"]
    assert shown(modules, LONG_ENOUGH) == []
