"""Friends at a table: the host changes it, one leaves and comes back, one comes late, and all agree to play again."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import fits, play_out, set_table, sit_down, start
from tests.tiers import full, tiered


def seat(page: Page, name: str, within: str = ".waiting-room, .result, .host-dialog") -> str:
    """Return what the list of seats in sight says of somebody."""
    row = page.locator(within).locator("visible=true").get_by_role("listitem").filter(has_text=name)
    return row.first.inner_text()


def host_dialog(host: Page) -> Page:
    """Open the host's dialog."""
    host.get_by_label("Menu", exact=True).click()
    host.get_by_role("button", name="Seats and people").click()
    expect(host.get_by_role("dialog", name="Seats and people")).to_be_visible()
    return host


@full
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_one_leaves_and_comes_back_one_comes_late_and_another_becomes_host(
    visitor: Visitor, device: Literal["desktop", "phone"]
) -> None:
    anna, bob, late = visitor(device=device), visitor(), visitor()
    address = set_table(anna, "hamsterdam", ("open", "random", "none", "none", "none"))
    sit_down(bob, address, "Bob")
    start(anna, bob)

    # Who stands up is asked first, and takes the seat back.
    bob.get_by_label("Menu", exact=True).click()
    bob.get_by_role("button", name="Stand up").click()
    question = bob.get_by_role("dialog", name="Stand up in the middle of the match?")
    expect(question).to_contain_text("you can take the seat back")
    question.get_by_role("button", name="Cancel").click()
    expect(bob.locator(".room[data-seated]")).to_be_attached()
    bob.get_by_label("Menu", exact=True).click()
    bob.get_by_role("button", name="Stand up").click()
    bob.keyboard.press("1")  # no move, while a question is open
    question.get_by_role("button", name="Stand up").click()
    expect(bob.locator(".room[data-seated]")).not_to_be_attached()
    expect(anna.locator(".log")).to_contain_text(re.compile(r"Bob has left\. The bot .+ takes the seat\."))
    bob.get_by_role("button", name="Take your seat back").click()
    expect(bob.locator(".room[data-seated]")).to_be_attached()
    expect(anna.locator(".log")).to_contain_text("Bob takes the seat of")

    # Who comes late asks, and the host gives them a bot's place.
    late.goto(address)
    late.get_by_role("button", name="Ask for a seat").click()
    late.get_by_label("Your name").fill("Late Lotte")
    late.get_by_role("dialog").get_by_role("button", name="Ask for a seat").click()
    expect(late.get_by_role("button", name="You have asked for a seat")).to_be_visible()
    expect(anna.get_by_text("Late Lotte asks for a seat.")).to_be_visible()
    anna.get_by_role("button", name="Answer").click()
    assert fits(anna)
    violations = Axe().run(anna).response["violations"]
    assert [each["help"] for each in violations if each["impact"] in ("serious", "critical")] == []
    anna.get_by_label("Seat Late Lotte now, in place of").select_option(index=1)
    expect(late.locator(".room[data-seated]")).to_be_attached()
    expect(anna.get_by_text("Nobody is asking for a seat.")).to_be_visible()
    anna.get_by_role("dialog").get_by_label("Actions for Bob").select_option(label="Make them the host")
    expect(anna.get_by_role("dialog", name="Seats and people")).to_be_hidden()
    play_out(anna, bob, late)

    # The new host shows one out, and changes the game; nobody has to go to another table.
    for page in (anna, late):
        page.get_by_role("button", name="Play again").click()
    expect(bob.get_by_text("Ready for the next match: Anna and Late Lotte")).to_be_visible()
    host_dialog(bob).get_by_role("dialog").get_by_label("Actions for Late Lotte").select_option(
        label="Remove from the table"
    )
    bob.get_by_role("dialog", name="Remove Late Lotte from the table?").get_by_role(
        "button", name="Remove from the table"
    ).click()
    expect(late.locator(".room[data-seated]")).not_to_be_attached()
    bob.get_by_role("dialog").get_by_role("link", name="Game, options, clock").click()
    bob.get_by_role("link", name="Stealing Bundles").click()
    bob.get_by_role("button", name="Play Stealing Bundles").click()
    bob.wait_for_url("**/t/*/")
    for page in (anna, bob):
        expect(page.get_by_role("heading", name="Stealing Bundles").first).to_be_visible()
        expect(page.get_by_role("region", name="Before the match")).to_be_visible()
    assert "ready" in seat(anna, "Anna")
    bob.get_by_role("region", name="Before the match").get_by_role("button", name="Add a seat").click()
    expect(anna.get_by_text("Open seat")).to_be_visible()
    start(bob, anna, late)


@full
def test_a_match_remembers_who_played_after_they_have_left_and_after_a_reload(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    address = set_table(anna, "hamsterdam", ("open", "none", "none", "none", "none"))
    sit_down(bob, address, "Bob")
    start(anna, bob)
    play_out(anna, bob, until=2)
    bob.goto("/people/me/")
    bob.get_by_label("Name shown to others").fill("Robert")
    bob.get_by_role("button", name="Change").click()
    bob.get_by_role("link", name=re.compile("Go to the table")).click()
    bob.get_by_label("Menu", exact=True).click()
    bob.get_by_role("button", name="Stand up").click()
    bob.get_by_role("dialog").get_by_role("button", name="Stand up").click()
    log = anna.locator(".log")
    expect(log).to_contain_text("Bob is now called Robert.")
    expect(log).to_contain_text(re.compile(r"Robert has left\. The bot \w+ takes the seat\."))
    play_out(anna)
    shown = log.inner_text()
    anna.reload()
    result = anna.get_by_role("region", name="Result")
    expect(result).to_contain_text(re.compile(r"Robert made \d of \d+ decisions"))
    made, of_all = map(int, re.findall(r"Robert made (\d) of (\d+) decisions", result.inner_text())[0])
    assert log.inner_text() == shown
    assert "Bob" in shown.split("Bob is now called Robert.")[0]
    anna.get_by_role("link", name="Replay").click()
    anna.get_by_role("button", name="Go to the end").click()
    expect(anna.locator(".log")).to_have_text(
        re.compile(r"Bob .*Bob is now called Robert\..*Robert has left", re.DOTALL)
    )
    if 2 * made < of_all:
        expect(anna.locator(".prompt")).to_contain_text("The result does not count for Robert.")
    else:
        expect(anna.locator(".prompt")).not_to_contain_text("does not count")


def test_people_are_notified_of_what_the_host_has_decided_about_them(visitor: Visitor) -> None:
    anna, bob, walter = visitor(), visitor(device="phone"), visitor(device="phone")
    address = set_table(anna, "hamsterdam", ("open", "house", "none", "none", "none"))
    bob.goto(address)
    bob.get_by_role("button", name="Sit here").first.click()
    bob.get_by_label("Your name").fill("   ")
    bob.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    wrong = bob.get_by_label("Your name").evaluate("(field) => field.validationMessage")
    assert wrong == "A name needs at least one letter or sign, not only spaces."
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(anna.locator(".table-news")).to_contain_text("Bob sits down.")
    anna.get_by_label("Who takes seat 3").select_option("random")
    expect(bob.locator("li[data-kind=open]")).to_have_count(0)  # Bob sees that he has sat down
    expect(bob.locator("li[data-kind]").filter(has_text="Random")).to_be_visible()
    walter.goto(address)
    start(anna, bob, walter)
    walter.get_by_role("button", name="Ask for a seat").click()
    walter.get_by_label("Your name").fill("Walter")
    walter.get_by_role("dialog").get_by_role("button", name="Ask for a seat").click()
    anna.get_by_role("button", name="Answer").click()
    anna.get_by_role("dialog", name="Seats and people").get_by_role("button", name="No", exact=True).click()
    note = walter.get_by_role("alert").filter(has_text="The host has not given you a seat.")
    expect(note).to_be_in_viewport()
    host = anna.get_by_role("dialog", name="Seats and people")
    host.get_by_role("listitem").filter(has_text="Walter").get_by_role("button", name="Remove from the table").click()
    sure = anna.get_by_role("dialog", name="Remove Walter from the table?")
    sure.get_by_role("button", name="Remove from the table").click()
    expect(walter.get_by_text("The host has removed you from this table.")).to_be_in_viewport()
    walter.reload()
    expect(walter.get_by_text("The host has removed you from this table.")).to_be_in_viewport()
    host.get_by_label("Actions for Bob").select_option(label="Remove from the table")
    sure = anna.get_by_role("dialog", name="Remove Bob from the table?")
    sure.get_by_role("button", name="Remove from the table").click()
    expect(bob.get_by_role("alert").filter(has_text="The host has removed you from your seat.")).to_be_in_viewport()
    expect(bob.get_by_role("button", name="Ask for a seat")).to_be_visible()
    # The host changes her mind.
    host.get_by_role("listitem").filter(has_text="Walter").get_by_role("button", name="Let them come back").click()
    expect(host.get_by_role("heading", name="Removed spectators")).to_be_hidden()
    walter.reload()
    expect(walter.get_by_role("button", name="Ask for a seat")).to_be_visible()


@full
def test_a_person_reports_messages_to_the_administrators(visitor: Visitor) -> None:
    anna, bob = visitor(device="phone"), visitor()
    address = set_table(anna, "hamsterdam", ("open", "none", "none", "none", "none"))
    sit_down(bob, address, "Bob")
    start(anna, bob)
    anna.get_by_role("button", name="Chat", exact=True).click()
    expect(anna.get_by_role("button", name="Report …")).to_be_hidden()
    bob.get_by_role("tab", name="Chat").click()
    bob.get_by_label("Write a message", exact=True).fill("You cannot play")
    bob.keyboard.press("Enter")
    anna.get_by_role("button", name="Report …").click()
    dialog = anna.get_by_role("dialog", name="Report messages")
    dialog.get_by_label("What is wrong?").fill("Rude")
    dialog.get_by_role("button", name="Report").click()
    message = dialog.get_by_label("Bob You cannot play")
    assert message.evaluate("(box) => box.validationMessage") == "Choose at least one message."
    assert fits(anna)
    violations = Axe().run(anna).response["violations"]
    assert [each["help"] for each in violations if each["impact"] in ("serious", "critical")] == []
    message.check()
    dialog.get_by_role("button", name="Report").click()
    expect(anna.locator(".table-news")).to_contain_text("Reported. An administrator will look at it.")
    expect(bob.locator(".table-news")).not_to_contain_text("Reported")


# The pieces that a bubble covers.
COVERED = """() => {
  const bubbles = [...document.querySelectorAll(".bubble")].map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll(".felt [data-piece]")].filter((piece) => {
    const box = piece.getBoundingClientRect();
    return bubbles.some((one) => Math.min(one.right, box.right) - Math.max(one.left, box.left) > 1 &&
      Math.min(one.bottom, box.bottom) - Math.max(one.top, box.top) > 1);
  }).length;
}"""


@pytest.mark.parametrize("device", ["desktop", "phone"])
@pytest.mark.parametrize("game", tiered(["hearts", "hamsterdam", "bundles"], lambda game: game == "hearts"))
def test_what_people_say_covers_no_cards(visitor: Visitor, game: str, device: str) -> None:
    host, friend = visitor(device=device), visitor(device=device)
    address = set_table(host, game, ("open",))
    sit_down(friend, address, "Bob")
    start(host, friend)
    for page, words in ((host, "That was not the card that I had hoped for"), (friend, "Tja …")):
        page.get_by_role("button" if device == "phone" else "tab", name=re.compile("^Chat")).click()
        page.get_by_label("Write a message", exact=True).fill(words)
        page.keyboard.press("Enter")
        if device == "phone":
            page.keyboard.press("Escape")
        for other in (host, friend):
            expect(other.locator(".bubble", has_text=words)).to_be_visible()
            # When all are dealt. (A function: the site's policy allows no page to evaluate an expression.)
            other.wait_for_function(f"() => document.querySelector('.bubble') && ({COVERED})() === 0")


@full
def test_people_chat_by_phrases_and_bubbles_in_one_room_and_can_mute_each_other(visitor: Visitor) -> None:
    anna, bob, spectator = visitor(device="phone"), visitor(), visitor()
    address = set_table(anna, "hamsterdam", ("open", "none", "none", "none", "none"))
    sit_down(bob, address, "Bob")
    spectator.goto(address)
    start(anna, bob, spectator)
    anna.get_by_role("button", name="Chat", exact=True).click()
    anna.get_by_role("button", name="Well played!").click()
    for page in (anna, bob):
        expect(page.locator(".bubble")).to_have_text("Well played!")
    expect(anna.locator(".rail[data-open]")).to_have_count(0)  # the drawer gives way to the bubble
    plate = bob.locator(".seat[data-seat='0'] .plate").bounding_box()
    bubble = bob.locator(".bubble").bounding_box()
    assert plate
    assert bubble
    assert abs(bubble["y"] - plate["y"]) < 120
    expect(spectator.locator(".bubble")).to_have_count(0)  # it was said at the table

    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("button", name="Chat with spectators").click()
    bob.get_by_role("tab", name="Chat").click()
    expect(bob.locator(".chat-line")).to_contain_text(re.compile(r"^\d\d:\d\d Anna Well played!$"))
    expect(bob.get_by_placeholder("Write a message to all")).to_be_visible()
    spectator.get_by_role("tab", name="Chat").click()
    spectator.get_by_role("button", name="🐹").click()
    spectator.get_by_label("Your name").fill("Walter")
    spectator.get_by_role("button", name="Use this name").click()
    expect(spectator.locator(".masthead-me")).to_contain_text("Walter")
    spectator.get_by_role("button", name="🐹").click()
    expect(bob.locator(".chat-line").last).to_contain_text("Walter (spectator) 🐹")

    bob.get_by_label("Mute somebody (for you only)").select_option(label="Mute Walter")
    expect(bob.locator(".chat-line")).to_have_count(1)
    spectator.get_by_role("button", name="😱").click()
    spectator.get_by_label("Write a message", exact=True).fill("the last")
    spectator.keyboard.press("Enter")
    expect(spectator.locator(".chat-line")).to_have_count(3)
    anna.get_by_role("button", name=re.compile(r"^Chat( \d+)?$")).click()
    expect(anna.get_by_role("listitem").filter(has_text="the last")).to_be_visible()
    expect(bob.locator(".chat-line")).to_have_count(1)
    bob.reload()
    bob.get_by_role("tab", name="Chat").click()
    expect(bob.locator(".chat-line")).to_have_count(1)
    bob.get_by_label("Mute somebody (for you only)").select_option(label="Unmute Walter")
    expect(bob.locator(".chat-line")).to_have_count(4)
    violations = Axe().run(bob).response["violations"]
    assert [each["help"] for each in violations if each["impact"] in ("serious", "critical")] == []


def test_an_address_of_this_computer_only_is_not_passed_off_as_an_invitation(visitor: Visitor) -> None:
    anna = visitor()
    address = set_table(anna, "hamsterdam", ("open", "open", "house", "none", "none"))
    anna.get_by_role("region", name="Before the match").get_by_role("button", name="QR code").click()
    dialog = anna.get_by_role("dialog", name="Invite friends")
    expect(dialog.get_by_label("Link to this table")).to_have_value(address)
    expect(dialog).to_contain_text("Only this computer can open this address.")
    expect(dialog.get_by_role("img")).to_have_count(0)


@full
@pytest.mark.parametrize("size", [(844, 390), (390, 844)])
def test_the_hosts_menu_is_fully_visible_and_standing_up_asks_for_confirmation(
    visitor: Visitor, size: tuple[int, int]
) -> None:
    anna = visitor(device="phone")
    anna.set_viewport_size({"width": size[0], "height": size[1]})
    set_table(anna, "hamsterdam", ("house", "none", "none", "none", "none"))
    start(anna)
    anna.get_by_label("Menu", exact=True).click()
    for entry in anna.locator(".menu-items > *:visible").all():
        box = entry.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1], entry.inner_text()
        assert box["height"] >= 44
        if entry.get_attribute("aria-pressed"):
            switch = "(one) => parseFloat(getComputedStyle(one, '::after').width)"
            assert entry.evaluate(switch) > 33, "no switch gives way to long words"
    anna.get_by_role("button", name="Seats and people").click()
    anna.get_by_role("dialog", name="Seats and people").get_by_role("button", name="Stand up").click()
    anna.get_by_role("dialog", name="Stand up in the middle of the match?").get_by_role("button", name="Cancel").click()
    expect(anna.locator(".room[data-seated]")).to_be_attached()


def test_the_host_distinguishes_two_people_of_one_name_who_watch_and_ask_for_a_seat(visitor: Visitor) -> None:
    host, first, second = visitor(), visitor(), visitor()
    address = set_table(host, "hamsterdam", ("house", "house", "none", "none", "none"))
    host.get_by_role("button", name="Start the match").click()
    for guest in (first, second):
        guest.goto(address)
        guest.get_by_role("button", name="Ask for a seat").click()
        guest.get_by_label("Your name").fill("Anna")
        guest.get_by_role("dialog").get_by_role("button", name="Ask for a seat").click()
    host.get_by_role("button", name="Answer").click()
    dialog = host.get_by_role("dialog", name="Seats and people")
    for number in (2, 3):  # the host is an Anna, too
        expect(dialog.locator(".seat-requests li").filter(has_text=f"Anna ({number})")).to_have_count(2)
        expect(dialog.get_by_label(f"Seat Anna ({number}) now, in place of")).to_be_visible()
