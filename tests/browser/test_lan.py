"""A phone in the same network: another host name and plain HTTP, where browsers offer less."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ELSEWHERE, Visitor
from tests.browser.tables import fits, play_out, set_table, start
from tests.running_site import RunningSite
from tests.tiers import full


@pytest.fixture
def phone(visitor: Visitor, new_site: Callable[..., RunningSite]) -> Page:
    """A phone that has come by the other name."""
    site = new_site(ALLOWED_HOSTS=f"127.0.0.1,{ELSEWHERE}")
    site.open()
    site.start()
    site.url = f"http://{ELSEWHERE}:{site.port}"
    page = visitor(device="phone", at=site)
    page.goto("/")
    assert page.evaluate("[isSecureContext, !!globalThis.crypto?.subtle, !!navigator.clipboard]") == [False] * 3
    return page


@full
def test_a_whole_match_is_set_up_played_and_proved_over_plain_http(phone: Page) -> None:
    address = set_table(phone, "hamsterdam", ("house", "none", "none", "none", "none"))
    assert address.startswith(f"http://{ELSEWHERE}:")
    panel = phone.get_by_role("region", name="Before the match")
    expect(panel.get_by_role("button", name="Share")).to_be_hidden()  # browsers have none here
    panel.get_by_role("button", name="Copy the link").click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    phone.get_by_role("button", name="Chat", exact=True).click()
    phone.get_by_label("Write a message").focus()
    phone.keyboard.press("ControlOrMeta+v")
    expect(phone.get_by_label("Write a message")).to_have_value(address)
    phone.get_by_role("complementary").get_by_role("button", name="Close").click()
    panel.get_by_role("button", name="QR code").click()
    code = phone.get_by_role("img", name="QR code of the link to this table")
    expect(code).to_be_visible()
    phone.get_by_role("dialog").get_by_role("button", name="Close").click()
    start(phone)
    play_out(phone)
    expect(phone.get_by_role("region", name="Result")).to_be_visible()


@full
def test_the_link_is_shared_and_shown_as_a_code_at_every_size(phone: Page) -> None:
    phone.add_init_script("navigator.share = async (what) => void (window.shared = what)")
    address = set_table(phone, "hamsterdam", ("open", "open", "house", "none", "none"))
    panel = phone.get_by_role("region", name="Before the match")
    panel.get_by_role("button", name="Share").click()
    assert phone.evaluate("window.shared.url") == address
    for width, height in ((1280, 800), (390, 844), (844, 390)):
        phone.set_viewport_size({"width": width, "height": height})
        panel.get_by_role("button", name="QR code").click()
        dialog = phone.get_by_role("dialog", name="Invite friends")
        code = dialog.get_by_role("img", name="QR code of the link to this table")
        expect(code).to_have_js_property("complete", True)
        assert code.evaluate("(one) => one.naturalWidth") > 100
        expect(dialog.get_by_label("Link to this table")).to_have_value(address)
        box = code.bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        dialog.get_by_role("button", name="Close").click()
        assert fits(phone)


@full
def test_a_sealed_deal_is_proved_over_plain_http(phone: Page) -> None:
    phone.get_by_role("button", name="Play now", exact=True).click()
    phone.wait_for_url("**/t/*/")
    play_out(phone)
    phone.get_by_role("link", name="Verify the deal").click()
    expect(phone.get_by_text("The seed has the hash that was published before the first card.")).to_be_visible()


def test_our_own_hash_is_the_browsers_for_messages_of_every_length(modules: Page) -> None:
    draw = Random(1)
    messages = [draw.randbytes(length) for length in [*range(0, 130), 1000, 4096]]
    result = modules.evaluate(
        """async (messages) => {
            const { sha256 } = await import("/static/js/sha256.js");
            return messages.map((bytes) => [...sha256(Uint8Array.from(bytes))]);
        }""",
        [list(message) for message in messages],
    )
    assert result == [list(hashlib.sha256(message).digest()) for message in messages]
