"""Writing a text in the workshop: completion, names, problems, versions and files, with keys and on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import VIEWPORTS, Visitor
from tests.browser.test_axe import serious
from tests.browser.test_workshop import opened, text_of, write
from tests.running_site import RunningSite
from tests.tiers import full

TABLE = '[labels]\nROW = "Row of cards"\nTAKEN = "Cards"\n\n[hide]\nplaces = ["ROW"]\n'


def write_table(page: Page, text: str) -> None:
    page.get_by_role("tab", name="Words for the table").click()
    page.locator(".pane-words .cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


def table_of(page: Page) -> str:
    return "\n".join(page.locator(".pane-words .cm-content > .cm-line").all_text_contents())


def put_cursor(page: Page, line: str, word: str) -> None:
    """Put the cursor before a word of a line, by keys."""
    page.locator(".pane-game .cm-line", has_text=line).first.click(position={"x": 1, "y": 8})
    page.keyboard.press("Home")
    page.keyboard.press("Home")
    shown = page.locator(".pane-game .cm-line", has_text=line).first.inner_text()
    for _ in range(shown.index(word)):
        page.keyboard.press("ArrowRight")


def selected(page: Page) -> str:
    found: str = page.evaluate("getSelection().toString()")
    return found


def command(page: Page, name: str) -> None:
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("button", name=name).click()


# -- completion


@full
def test_names_of_the_text_are_offered_where_they_may_stand(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    offers = page.locator(".cm-tooltip-autocomplete li")
    page.locator(".cm-line", has_text="shuffle").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("(do ((move (top (game vloc ")  # offered without asking: nothing but a name can follow
    expect(offers.first).to_contain_text("ROW")
    offers.first.click()
    page.keyboard.press("End")
    expect(page.locator(".cm-line").nth(8)).to_have_text("  (do ((move (top (game vloc ROW)))))")  # brackets as well
    write(page, "(game (setup (create players 2)) (do ((all player 'P (any ('P iloc HAND) 'C (move '")
    page.keyboard.press("Control+Space")
    expect(offers).to_have_text(["'C"])  # a card; 'P is a player
    page.keyboard.press("Escape")
    decks = "(create deck (game hloc S) (deck (SUIT (RED, BLUE)) (COLOR (PINK))))"
    write(page, f"(game (setup (create players 2) {decks}) (do (((== (cardatt SUIT (top (game hloc S))) ")
    page.keyboard.press("Control+Space")
    expect(offers.nth(0)).to_have_text("BLUE")
    expect(offers.nth(1)).to_have_text("RED")
    expect(offers.filter(has_text="PINK")).to_have_count(0)


@full
def test_a_call_is_completed_with_a_gap_for_each_part_of_the_block(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    block = ";; GIVE: so many cards to a player.\n(define GIVE ('N 'P)\n(repeat 'N (turn pass)))\n"
    write(page, f"(game\n{block}(do (")
    offers = page.locator(".cm-tooltip-autocomplete li")
    page.keyboard.type("(call")
    offers.filter(has_text=re.compile("^call GIVE")).click()
    assert text_of(page).splitlines()[-1] == "(do ((call GIVE N P)"
    assert selected(page) == "N"
    page.keyboard.type("3")
    page.keyboard.press("Tab")
    assert selected(page) == "P"
    write(page, f"(game\n{block}(do (")
    page.keyboard.type("(call ")  # offered without asking
    expect(offers.first).to_have_text("GIVEN P")
    expect(page.locator(".cm-completionInfo")).to_have_text("So many cards to a player.")
    offers.filter(has_text="DEAL").click()
    assert text_of(page).splitlines()[-1] == "(do ((call DEAL NUMBER FROM TO)"
    write(page, f"(game\n{block}(do ((call  2 'P))))")
    for _ in range(len(" 2 'P))))")):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Control+Space")
    offers.first.click()
    assert text_of(page).splitlines()[-1] == "(do ((call GIVE 2 'P))))"  # the parts that stand there are kept


@full
def test_a_new_line_is_indented_as_the_formatter_does_it_and_brackets_are_shown(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write(page, "(game")
    for line in ("(setup", "(create players 2)"):
        page.keyboard.press("Enter")
        page.keyboard.insert_text(line)
    page.keyboard.insert_text(")")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("(do ((set (game sto N) (+ (game sto N)")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("1")
    assert text_of(page).splitlines() == [
        "(game",
        "  (setup",
        "    (create players 2))",
        "  (do ((set (game sto N) (+ (game sto N)",
        "                            1",
    ]
    page.keyboard.insert_text(")")
    expect(page.locator(".cm-matchingBracket")).to_have_text(["(", ")"])


# -- names


@full
def test_a_name_leads_to_its_definition_and_to_all_references_by_keys_and_by_a_click(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write_table(page, TABLE)
    page.get_by_role("tab", name="Game").click()
    put_cursor(page, "scoring", "HEARTS")
    page.keyboard.press("F12")
    assert selected(page) == "HEARTS"
    expect(page.locator(".pane-game .cm-activeLine")).to_contain_text("(deck (RANK")
    page.locator(".cm-line", has_text="scoring").get_by_text("'C").last.click(modifiers=["ControlOrMeta"])
    assert selected(page) == "'C"
    expect(page.locator(".pane-game .cm-activeLine")).to_contain_text("scoring")

    put_cursor(page, "shuffle", "ROW")
    page.keyboard.press("Shift+F12")
    references = page.get_by_role("region", name="ROW: in 7 places")
    expect(references.get_by_role("button")).to_have_count(8)  # and one that closes
    expect(page.locator(".reference")).to_have_count(5)
    page.keyboard.press("ArrowDown")
    expect(references.get_by_role("button", name="Line 8")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".pane-game .cm-activeLine")).to_contain_text("create deck")
    references.get_by_role("button", name="Words for the table, line 6").click()
    expect(page.locator(".pane-words .cm-content")).to_be_focused()
    assert selected(page) == "ROW"
    page.get_by_role("tab", name="Game").click()
    references.get_by_role("button", name=re.compile("^Line 6")).focus()
    page.keyboard.press("Escape")
    expect(references).to_have_count(0)
    expect(page.locator(".pane-game .cm-content")).to_be_focused()
    page.keyboard.press("Shift+F12")
    page.locator(".pane-game .cm-content").focus()
    page.keyboard.press("Escape")  # closes it from the text, too
    expect(page.locator(".references")).to_have_count(0)

    put_cursor(page, "shuffle", "shuffle")
    page.keyboard.press("F12")
    expect(page.locator(".editor-status")).to_contain_text("Put the cursor on a name of your own first")


@full
def test_a_name_is_changed_everywhere_and_in_the_words_for_the_table(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write_table(page, TABLE)
    page.get_by_role("tab", name="Game").click()
    before = text_of(page)
    put_cursor(page, "shuffle", "ROW")
    page.keyboard.press("F2")
    name = page.get_by_role("textbox", name="A new name for ROW")
    expect(name).to_be_focused()
    page.keyboard.type("row2")
    expect(page.get_by_role("alert")).to_have_text("A name has capital letters from A to Z and nothing else.")
    name.fill("taken")
    expect(page.get_by_role("alert")).to_contain_text("The words for the table have TAKEN already.")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert text_of(page) == before

    put_cursor(page, "shuffle", "ROW")
    page.keyboard.press("F2")
    name.fill("line")
    page.get_by_role("button", name="Rename in 7 places").click()
    expect(page.locator(".problems")).to_contain_text("No problems found")
    assert text_of(page) == before.replace("ROW", "LINE")
    page.get_by_role("tab", name="Words for the table").click()
    assert table_of(page) == TABLE.replace("ROW", "LINE")
    expect(page.locator("#panel-table")).to_contain_text("row of cards")

    page.get_by_role("tab", name="Game").click()
    put_cursor(page, "scoring", "HEARTS")
    page.keyboard.press("F2")
    page.get_by_role("textbox", name="A new name for HEARTS").fill("CLUBS")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("There is CLUBS already")
    page.keyboard.press("Escape")
    assert text_of(page) == before.replace("ROW", "LINE")
    expect(page.locator(".pane-game .cm-content")).to_be_focused()


@full
def test_a_name_that_a_block_of_the_language_uses_keeps_it(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    text = text_of(page).replace("TAKEN", "HAND").replace("(stage", "(do ((call GATHER (game vloc ROW))))\n  (stage")
    write(page, text.replace("vloc HAND", "vloc TRICK"))
    put_cursor(page, "scoring", "TRICK")
    page.keyboard.press("F2")
    expect(page.locator(".editor-status")).to_have_text(
        "A block that comes with the language uses the name TRICK, so it stays."
    )
    expect(page.locator(".rename")).to_have_count(0)


# -- problems


def test_while_a_text_is_checked_no_old_verdict_is_shown_as_one(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    expect(page.locator(".problems")).to_contain_text("No problems found")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/workshop/check/", hold)
    with page.expect_request("**/workshop/check/"):
        write(page, "(game\n  (mvoe))")
        expect(page.locator(".problems-head")).to_have_text("Checking …")
    expect(page.locator(".problems")).to_have_attribute("data-state", "old")
    held.pop().continue_()
    expect(page.locator(".problems")).to_contain_text("mvoe is no word")
    expect(page.locator("#panel-table")).to_contain_text("The text has errors. This is how it was before them.")

    page.keyboard.press("ControlOrMeta+Home")
    with page.expect_request("**/workshop/check/"):
        page.keyboard.insert_text(";; one more\n;; and another\n")
        expect(page.locator(".problems-head")).to_have_text("Checking …")
    page.locator(".problems").get_by_role("button", name="mvoe").click()  # listed for line 2, but it stands in line 4
    assert selected(page) == "mvoe"
    held.pop().abort()
    expect(page.locator(".problems-head")).to_contain_text("The server cannot be reached.")
    expect(page.locator(".problems")).to_have_attribute("data-state", "unknown")


WARNED = """(game
  (setup (create players 2) (create deck (game hloc STOCK) (deck (SUIT (RED, BLUE)))))
  (do ((inc (game sto COUNT) 1)))
  (do ((mvoe 1)))
  (scoring max (size (game hloc STOCK))))"""


@full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_errors_and_warnings_differ_in_more_than_colour_and_f8_goes_from_one_to_the_next(
    visitor: Visitor, scheme: Literal["light", "dark"]
) -> None:
    page = opened(visitor, "/workshop/new/", scheme=scheme)
    write(page, WARNED.replace("  (do ((mvoe 1)))\n", "").replace("  (do", "  (do ((dec (game sto OTHER) 1)))\n  (do"))
    problems = page.locator(".problems")
    expect(problems).to_contain_text("2 warnings")
    look = "(node) => [getComputedStyle(node).textDecorationStyle, getComputedStyle(node).textDecorationColor]"
    line, colour = page.locator(".cm-lintRange-warning").first.evaluate(look)
    page.keyboard.press("ControlOrMeta+Home")
    seen = []
    for _ in range(3):
        page.keyboard.press("F8")
        seen.append(selected(page))
    assert seen == ["OTHER", "COUNT", "OTHER"]
    page.evaluate(  # what screen readers read is there for a moment only
        "() => { window.announced = ''; const live = document.querySelector('.pane-game .cm-announced');"
        " new MutationObserver(() => { announced += live.textContent }).observe(live, { childList: true }) }"
    )
    page.keyboard.press("Shift+F8")
    assert selected(page) == "COUNT"
    expect(page.locator(".keys")).to_contain_text("is set, but never read")
    page.wait_for_function("announced.includes('is set, but never read')")
    assert serious(page) == []

    write(page, WARNED)
    expect(problems).to_contain_text("1 error")
    expect(problems.get_by_role("button", name="Error: ")).to_have_count(1)
    other_line, other_colour = page.locator(".cm-lintRange-error").first.evaluate(look)
    assert line != other_line
    assert colour != other_colour
    command(page, "Next problem")
    assert selected(page) == "mvoe"
    expect(page.locator(".pane-game .cm-content")).to_be_focused()


@full
def test_a_long_list_of_problems_scrolls_and_the_page_does_not(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write(page, "(game\n" + "  (do ((mvoe 1)))\n" * 20 + ")")
    expect(page.locator(".problems")).to_contain_text(re.compile(r"\d\d errors"))
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


# -- tooltips


@full
def test_a_tooltip_says_what_a_word_means_and_escape_closes_it(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    page.locator(".cm-line", has_text="shuffle").get_by_text("shuffle").hover()
    tooltip = page.locator(".cm-tooltip-hover")
    expect(tooltip).to_contain_text("Example: (shuffle (game vloc TABLE))")
    page.keyboard.press("Escape")  # also if the focus is elsewhere
    expect(tooltip).to_have_count(0)
    page.locator(".cm-line", has_text="shuffle").get_by_text("ROW").hover()
    expect(tooltip).to_contain_text("a place that everybody sees, of the table")
    page.mouse.move(2, 2)
    expect(tooltip).to_have_count(0)
    called = "(do ((call DEAL 1 (game vloc ROW) TAKEN)))\n  (do ((call MIX (game vloc ROW))))\n  (stage"
    text = text_of(page).replace("(setup", ";; Shuffles.\n  (define MIX ('WHAT) (shuffle 'WHAT))\n  (setup")
    write(page, text.replace("(stage", called))
    page.locator(".cm-line", has_text="call DEAL").get_by_text("DEAL").hover()
    expect(tooltip).to_contain_text("(call DEAL NUMBER FROM TO)")
    expect(tooltip).to_contain_text("So many cards from the top of a place to each player")
    page.mouse.move(2, 2)
    expect(tooltip).to_have_count(0)
    for word in ("call MIX", "MIX"):
        put_cursor(page, "call MIX", word)
        expect(page.locator(".keys")).to_contain_text("(call MIX WHAT) Shuffles.")


def test_what_an_author_writes_is_shown_as_text_and_never_as_markup(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    markup = "<img src=x onerror=document.title=1>"
    written = (
        f";; Title: {markup}\n" + text_of(page).replace("(shuffle", f";; {markup}\n    (shuffle").split("\n", 1)[1]
    )
    write(page, written)
    expect(page.locator(".editor-title")).to_have_text(markup)
    write_table(page, f'[labels]\nROW = "{markup}"\n')
    expect(page.locator("#panel-table")).to_contain_text(markup)
    page.get_by_role("tab", name="Game").click()
    saved(page, 1)
    edited(page, "stage player", f" ;; {markup}")
    command(page, "Compare versions")
    expect(page.get_by_role("region", name="Comparison")).to_contain_text("Differences: 1 in the text")
    drop(page, {f"{markup}.png": ""})
    expect(page.locator(".editor-status")).to_contain_text(f"{markup}.png was not imported")
    assert page.locator("#editor img[onerror], .cm-tooltip img").count() == 0


# -- versions


def edited(page: Page, line: str, more: str) -> None:
    page.mouse.move(2, 2)
    expect(page.locator(".cm-tooltip-hover")).to_have_count(0)
    page.locator(".pane-game .cm-line", has_text=line).first.click()
    page.keyboard.press("End")
    page.keyboard.insert_text(more)


def saved(page: Page, number: int) -> None:
    page.keyboard.press("ControlOrMeta+s")
    expect(page.locator(".editor-status")).to_contain_text(f"Saved as version {number}.")


@full
def test_a_text_is_compared_with_its_versions_and_lines_are_restored(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    saved(page, 1)
    edited(page, "create players", " ;; some")
    write_table(page, TABLE)
    saved(page, 2)
    comparison = page.get_by_role("region", name="Comparison")
    expect(comparison).to_be_hidden()
    page.get_by_role("tab", name="Game").click()
    edited(page, "shuffle", " ;; well")
    command(page, "Compare versions")
    expect(comparison).to_contain_text("Differences: 1 in the text, 0 in the words for the table")
    comparison.get_by_role("combobox").select_option(label="version 1")
    expect(comparison).to_contain_text("Differences: 2 in the text, 1 in the words for the table")
    expect(page.locator(".pane-game .cm-deletedLine")).to_have_count(2)
    assert serious(page) == []
    page.get_by_role("button", name="Restore").first.click()
    expect(comparison).to_contain_text("Differences: 1 in the text, 1 in the words for the table")
    assert ";; some" not in text_of(page)
    assert ";; well" in text_of(page)
    page.locator(".pane-game .cm-content").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Restore")).to_be_focused()
    page.keyboard.press("Enter")
    expect(comparison).to_contain_text("Differences: 0 in the text, 1 in the words for the table")
    comparison.get_by_role("button", name="Next difference").click()  # there is none in the text
    expect(page.locator(".pane-words .cm-insertedLine").first).to_be_visible()
    comparison.get_by_role("button", name="Close").focus()
    page.keyboard.press("Escape")
    expect(comparison).to_be_hidden()
    expect(page.locator(".pane-words .cm-content")).to_be_focused()
    expect(page.locator(".cm-insertedLine, .cm-changedLine")).to_have_count(0)

    page.goto(page.url.replace("edit/", "?version=2"))
    page.get_by_role("link", name="What changed in version 2").click()
    expect(comparison).to_contain_text("Compared with")
    expect(comparison.get_by_role("combobox")).to_have_value("1")
    expect(page.locator(".cm-insertedLine, .cm-changedLine").first).to_contain_text(";; some")


def two_tabs(visitor: Visitor) -> tuple[Page, Page]:
    """Return two tabs with one text: the first has saved version 2, and the second changes of its own to version 1."""
    mine = opened(visitor, "/workshop/new/")
    saved(mine, 1)
    theirs = mine.context.new_page()
    theirs.goto(mine.url)
    expect(theirs.locator(".editor-status")).to_have_text("Version 1.")
    edited(theirs, "create players", " ;; theirs")
    edited(theirs, "stage player", " ;; Theirs")
    saved(theirs, 2)
    edited(mine, "create players", " ;; mine")
    edited(mine, "(setup", " ;; Mine")
    mine.keyboard.press("ControlOrMeta+s")
    expect(mine.locator(".editor-status")).to_contain_text("saved elsewhere in the meantime, as version 2")
    return mine, theirs


@full
def test_of_two_who_save_at_once_the_second_takes_parts_of_both(visitor: Visitor) -> None:
    page, _ = two_tabs(visitor)
    comparison = page.get_by_role("region", name="Comparison")
    expect(comparison).to_contain_text("Lines of version 2 are red and have a minus; yours are green.")
    chunks = page.locator(".pane-game .cm-deletedChunk")
    expect(chunks).to_have_count(2)
    assert serious(page) == []
    chunks.first.get_by_role("button", name="Take mine").click()
    expect(chunks).to_have_count(1)
    chunks.first.get_by_role("button", name="Take theirs").click()
    expect(chunks).to_have_count(0)
    expect(comparison).to_contain_text("No differences")
    saved(page, 3)
    expect(comparison).to_be_hidden()
    page.goto(page.url)
    expect(page.locator(".editor-status")).to_have_text("Version 3.")
    text = text_of(page)
    assert ";; mine" in text
    assert ";; Mine" in text
    assert ";; theirs" not in text
    assert ";; Theirs" in text


@full
@pytest.mark.parametrize("take", ["mine", "theirs"])
def test_of_two_who_save_at_once_the_second_takes_all_of_one(visitor: Visitor, take: str) -> None:
    page, other = two_tabs(visitor)
    own = text_of(page)
    if take == "mine":
        page.get_by_role("button", name="Take all of mine, and save").click()
        expect(page.locator(".editor-status")).to_contain_text("Saved as version 3.")
        assert ";; mine" in text_of(page)
        edited(other, "shuffle", " ;; once more")
        other.keyboard.press("ControlOrMeta+s")
        expect(other.get_by_role("region", name="Comparison")).to_contain_text("version 3")
    else:
        page.get_by_role("button", name="Take all of theirs").click()
        expect(page.locator(".editor-status")).to_contain_text("This is version 2 now.")
        assert text_of(page) == text_of(other)
        page.locator(".pane-game .cm-content").focus()
        page.keyboard.press("ControlOrMeta+z")
        assert text_of(page) == own
        saved(page, 3)
    expect(page.get_by_role("region", name="Comparison")).to_be_hidden()


@full
def test_a_conflict_that_was_not_settled_is_shown_again_after_a_reload(visitor: Visitor) -> None:
    page, _ = two_tabs(visitor)
    page.reload()
    expect(page.locator(".editor-status")).to_contain_text("Your draft from")
    assert ";; mine" in text_of(page)
    page.keyboard.press("ControlOrMeta+s")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Take all of theirs")).to_be_visible()


@full
def test_a_draft_of_an_older_version_is_compared_with_the_newest_and_replaced_by_it(visitor: Visitor) -> None:
    page, _ = two_tabs(visitor)
    page.reload()
    status = page.locator(".editor-status")
    expect(status).to_contain_text("Your draft from")
    assert ";; mine" in text_of(page)
    command(page, "Compare versions")
    comparison = page.get_by_role("region", name="Comparison")
    expect(comparison.get_by_role("option")).to_have_text(["version 2", "version 1"])
    expect(page.locator(".pane-game .cm-deletedChunk").first).to_contain_text(";; theirs")
    comparison.get_by_role("button", name="Close").click()
    status.get_by_role("button", name="Go back to version 2").click()
    expect(status).to_have_text("Version 2.")
    text = text_of(page)
    assert ";; theirs" in text
    assert ";; mine" not in text
    edited(page, "shuffle", " ;; well")
    saved(page, 3)
    expect(comparison).to_be_hidden()


# -- files


def drop(page: Page, files: dict[str, str]) -> None:
    page.locator(".pane-game .cm-content").evaluate(
        """(node, files) => {
             const dataTransfer = new DataTransfer();
             for (const [name, text] of Object.entries(files)) dataTransfer.items.add(new File([text], name));
             for (const type of ["dragover", "drop"])
               node.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
           }""",
        files,
    )


@full
def test_a_text_and_its_table_file_are_imported_and_downloaded(visitor: Visitor, tmp_path: Path) -> None:
    page = opened(visitor, "/workshop/new/")
    first = text_of(page)
    game = tmp_path / "My Game.rcy"
    game.write_text(";; Title: Über all\n" + first)
    with page.expect_file_chooser() as chooser:
        command(page, "Import files")
    chooser.value.set_files([game])
    status = page.locator(".editor-status")
    expect(status).to_contain_text("The text was imported. The words for the table are as they were.")
    assert text_of(page) == game.read_text()
    page.keyboard.press("ControlOrMeta+z")
    assert text_of(page) == first
    drop(page, {"game.rcy": game.read_text(), "game.toml": TABLE})
    expect(status).to_contain_text("The text and the words for the table were imported.")
    expect(page.locator(".editor-title")).to_have_text("Über all")
    for end, held in (("(.rcy)", game.read_text()), ("(.toml)", TABLE)):
        with page.expect_download() as downloaded:
            command(page, f"Download the {'text' if end == '(.rcy)' else 'words for the table'} {end}")
        assert downloaded.value.suggested_filename == f"uber-all{end.strip('()')}"
        assert downloaded.value.path().read_text() == held

    drop(page, {"game.rcy": "(" * 65_537})
    expect(status).to_have_text("game.rcy was not imported: a text may have at most 65536 characters.")
    assert text_of(page) == game.read_text()
    bad = tmp_path / "latin.rcy"
    bad.write_bytes("(game) ;; é".encode("latin-1"))
    with page.expect_file_chooser() as chooser:
        command(page, "Import files")
    chooser.value.set_files([bad])
    expect(status).to_contain_text("latin.rcy was not imported: it is not in UTF-8.")
    drop(page, {"table.toml": "[labels]\n"})
    expect(status).to_contain_text("The words for the table were imported.")
    expect(page.locator(".pane-words .cm-content")).to_be_visible()
    assert table_of(page) == "[labels]\n"


# -- on a phone, and with keys


@full
@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
def test_all_tabs_are_in_view_on_a_phone(visitor: Visitor, site: RunningSite, language: str) -> None:
    page = visitor(device="phone", reduced_motion=True)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
    page.goto("/workshop/tutorial/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    width, _ = VIEWPORTS["phone"]
    tabs = [tab for tab in page.get_by_role("tab").all() if tab.is_visible()]
    assert len(tabs) == 7
    tabs[-1].click()
    tabs[0].click()
    for tab in [tab for tab in page.get_by_role("tab").all() if tab.is_visible()]:
        box = tab.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 44
        assert tab.evaluate("(tab) => tab.scrollWidth <= tab.clientWidth && tab.scrollHeight <= tab.clientHeight")
        assert lines_of(tab) <= len(tab.inner_text().split()), "no word is broken"


def lines_of(element: Locator) -> int:
    """Return how many lines the words of an element take."""
    found: int = element.evaluate(
        "(element) => { const range = document.createRange(); range.selectNodeContents(element);"
        " return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size }"
    )
    return found


SIZES = [(1280, 800), (390, 844), (844, 390), (820, 1180), (1920, 1080), (640, 400)]  # the last: 1280 at 200 %


@full
def test_some_lines_of_the_text_are_in_view_at_every_size(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        shown = page.locator(".cm-scroller:visible").first.bounding_box()
        assert shown
        assert shown["height"] >= 70, (width, height)


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=full)])
def test_everything_in_the_menu_works_on_a_phone_without_a_serious_violation(
    visitor: Visitor, scheme: Literal["light", "dark"]
) -> None:
    page = opened(visitor, "/workshop/new/", device="phone", scheme=scheme)
    menu = page.get_by_role("button", name="Edit")
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Format")).to_be_focused()
    assert serious(page) == []
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Download the words")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Format")).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()

    put_cursor(page, "shuffle", "ROW")
    command(page, "Find references")
    assert serious(page) == []
    page.get_by_role("button", name="Close").click()
    command(page, "Rename")
    assert serious(page) == []
    page.keyboard.press("Escape")
    command(page, "Find and replace")
    expect(page.get_by_role("textbox", name="Find")).to_be_focused()
    assert serious(page) == []
    page.keyboard.press("Escape")
    put_cursor(page, "scoring", "TAKEN")
    command(page, "Go to definition")
    assert selected(page) == "TAKEN"
    write(page, "(game(setup(create players 2)))")
    command(page, "Format")
    expect(page.locator(".editor-status")).to_have_text("The text is formatted.")
    width = page.evaluate("document.scrollingElement.scrollWidth")
    assert width == VIEWPORTS["phone"][0]
