"""Friends in browsers of their own: an evening of three games in a circle, a tournament, a match over two days."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect

from cardsite.lobby.games import DAY
from tests.browser.conftest import Visitor
from tests.browser.tables import create_circle, move, play_out, set_table, sit_down, start
from tests.browser.test_push import SUBSCRIBE
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.push_service import Device, PushService, push_service
from tests.tiers import full

NAMES = ("Anna", "Bob", "Cleo", "Dora")
GAMES = {"bundles": "Stealing Bundles", "hamsterdam": "Hamsterdam Exchange", "agram": "Agram"}
HOUR = DAY // 24
# All that was stored of the match happened so much earlier: as if that time had passed while the site was running.
TIME_PASSES = """
from datetime import timedelta
from django.db.models import F
from cardsite.lobby.models import Seat
from cardsite.table.models import Match, Move
earlier = timedelta(seconds={seconds})
Seat.objects.filter(due__isnull=False).update(due=F("due") - earlier)
Match.objects.update(started=F("started") - earlier)
Move.objects.update(at=F("at") - 1000 * {seconds})
"""


def score_of(page: Page) -> dict[str, tuple[str, ...]]:
    """Return matches and points of each name, from the page of the evening."""
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("link", name="Score of the evening").click()
    rows = page.locator("section[aria-labelledby=score] tbody tr")
    expect(rows).to_have_count(len(NAMES))
    return {row.locator("bdi").inner_text(): tuple(row.locator("td").all_inner_texts()) for row in rows.all()}


@full
def test_four_friends_play_three_games_in_a_circle(visitor: Visitor) -> None:
    """One has the installed site on a phone, and one closes the browser in the middle of each match."""
    anna, bob, cleo, dora = visitor(), visitor(device="phone", keeps=True), visitor(), visitor(reduced_motion=True)
    link = create_circle(anna)
    for page, name in zip((bob, cleo, dora), NAMES[1:], strict=True):
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("No table is open.")).to_be_visible()
    bob.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")

    anna.get_by_role("link", name="Start an evening").click()
    anna.get_by_role("link", name="Stealing Bundles").first.click()
    for number in (2, 3, 4):
        anna.get_by_label(f"Seat {number}").select_option("open")
    anna.get_by_label("Time per decision").select_option(label="No clock")
    anna.get_by_role("button", name="Create the table").click()
    anna.wait_for_url("**/t/*/")
    table = anna.url
    for page in (bob, cleo, dora):
        page.get_by_role("link", name="Go to the table").click()
        page.get_by_role("button", name="Sit here").first.click()
        expect(page.locator(".room[data-seated]")).to_be_attached()

    people = [anna, bob, cleo, dora]
    for number, (game, title) in enumerate(GAMES.items(), 1):
        if number > 1:
            anna.goto(f"{table}change/?game={game}")
            anna.get_by_role("button", name=f"Play {title}").click()
            anna.wait_for_url(table)
        for page in people:
            expect(page.get_by_role("heading", name=title).first).to_be_visible()
            expect(page.locator(".waiting-room").get_by_text("not here")).to_have_count(0)
        start(*people)
        play_out(*people, until=2)
        context = cleo.context
        cleo.close()
        play_out(anna, bob, dora, until=1)
        cleo = context.new_page()
        cleo.goto("/")
        cleo.get_by_role("link", name="Back to your table").first.click()
        expect(cleo).to_have_url(table)
        people = [anna, bob, cleo, dora]
        play_out(*people)
        for page in people:
            expect(page.get_by_role("region", name="Result")).to_be_visible()
            expect(page.locator(".log")).not_to_contain_text("has left")
            expect(page.locator(".log")).not_to_contain_text("decides for")
    scores = [score_of(page) for page in people]
    assert all(score == scores[0] for score in scores)
    assert {name: matches for name, (matches, _) in scores[0].items()} == dict.fromkeys(NAMES, str(len(GAMES)))


@full
def test_four_friends_and_four_bots_play_a_tournament(visitor: Visitor) -> None:
    people = [visitor(), visitor(device="phone"), visitor(), visitor(reduced_motion=True)]
    anna, *others = people
    anna.goto("/tournaments/")
    anna.get_by_label("Your name").fill(NAMES[0])
    anna.get_by_label("Name of the tournament").fill("Saturday cup")
    anna.get_by_label("Game", exact=True).select_option("bundles")
    anna.get_by_label("Rounds").fill("2")
    anna.get_by_role("button", name="Create the tournament").click()
    expect(anna.get_by_role("heading", name="Saturday cup")).to_be_visible()
    tournament = anna.url
    for page, name in zip(others, NAMES[1:], strict=True):
        page.goto(tournament)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(anna.locator("[data-tournament-now]")).to_contain_text(name)
    anna.get_by_label("Number of bots").fill("4")
    anna.get_by_label("Kind of bot").select_option("random")
    anna.get_by_role("button", name="Add bots").click()
    anna.get_by_role("button", name="Start the tournament").click()
    for number in (1, 2):
        for page in people:
            page.goto(tournament)
            expect(page.get_by_role("heading", name=f"Round {number} of 2")).to_be_visible()
            page.get_by_role("link", name="Go to your table").click()
        for page in people:  # their matches start when they have come
            expect(page.locator(".felt [data-piece]").first).to_be_visible()
        play_out(*people)
    for page, name in zip(people, NAMES, strict=True):
        page.goto(tournament)
        expect(page.locator(".page-head")).to_contain_text("Over")
        expect(page.locator(".standings tbody tr")).to_have_count(8)
        expect(page.locator(".own-row")).to_contain_text(name)
    points = anna.locator(".standings tbody td:nth-child(2)").all_inner_texts()
    assert sum(map(float, points)) > 0


def received(service: PushService, device: Device) -> list[dict[str, str]]:
    """Return what a device was sent so far, decrypted."""
    return [device.read(body) for _path, _headers, body in service.requests]


@full
def test_a_match_over_two_days_calls_people_back(visitor: Visitor, new_site: Callable[..., RunningSite]) -> None:
    with push_service() as service:
        site = new_site(DJANGO_SETTINGS_MODULE="with_push")
        place = service.url.removeprefix("http://")
        (site.folder / "with_push.py").write_text(
            f"from cardsite.settings import *\n\nPUSH_SCHEME, PUSH_SERVICES = 'http', [{place!r}]\n"
        )
        site.environment["PYTHONPATH"] = str(site.folder)
        site.open()
        site.start()
        phone = service.device("phone")
        host, friend = visitor(at=site), visitor(device="phone", at=site, keeps=True)
        keys = {"p256dh": phone.form["key"], "auth": phone.form["secret"]}
        friend.add_init_script(
            SUBSCRIBE.replace("https://fcm.googleapis.com/fcm/send/made-up", phone.endpoint).replace(
                "toJSON: () => ({ keys })", f"toJSON: () => ({{ keys: {json.dumps(keys)} }})"
            )
        )
        address = set_table(host, "hamsterdam", ("open", "none"), seconds=str(DAY))
        sit_down(friend, address, "Bob")
        friend.goto("/people/me/")
        friend.get_by_role("button", name="Switch on").click()
        expect(friend.get_by_role("button", name="Switch off")).to_be_visible()
        start(host)

        def play_until_waiting(page: Page) -> None:
            while page.locator(".room[data-mine]").count() or not page.get_by_text("Waiting for").is_visible():
                move(page)

        def days_pass(hours: int) -> None:
            site.kill()
            site.manage("shell", "-v", "0", "-c", TIME_PASSES.format(seconds=hours * HOUR))
            service.requests.clear()
            site.start()

        for _day in range(2):
            play_until_waiting(host)
            [turn] = wait_for(lambda: received(service, phone), "A notification of the turn")
            assert "your turn" in turn["title"].lower()
            assert address.endswith(turn["path"])
            days_pass(23)
            [late] = wait_for(lambda: received(service, phone), "A reminder")
            assert late["title"] == "Your time is nearly up"
            service.requests.clear()
            friend.goto(late["path"])
            play_until_waiting(friend)
            friend.goto("/games/")
            host.goto(address)
        play_until_waiting(host)
        days_pass(25)
        host.goto(address)
        expect(host.locator(".log")).to_contain_text("Time is up: the house decides for Bob.")
        expect(host.locator(".felt").get_by_role("region", name="Bob")).to_be_visible()
