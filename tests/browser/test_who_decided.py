"""Every page says which decisions a person made and which ones a bot made for them while they were away.

Four people play an evening in a circle, a match over days, and a tournament with bots. One of them has a phone, and one
closes her browser between moves. Then the log, the result, the replay, the evening, the tournament and each person's
page are compared with the stored moves, after a reload.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from cardsite.lobby.games import DAY
from tests.browser.conftest import Visitor
from tests.browser.tables import code_of, create_circle, move, play_out, set_table, sit_down, start, wait_for_turn
from tests.browser.test_push import SUBSCRIBE
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.push_service import PushService, push_service
from tests.tiers import full

NAMES = ("Anna", "Bob", "Cleo", "Dora")  # Bob has a phone; Cleo closes her browser
LATE = "Time is up: the house decides for {name}."


class PartPlayed(NamedTuple):
    """How many decisions of a match a person made, counted from its stored moves."""

    name: str
    own: int  # decisions that the person made
    made: int  # decisions in their seat, by the person or a bot
    late: int  # decisions by a bot because their time was up
    share: float  # of the win

    @property
    def counts(self) -> bool:
        """Whether the result counts for the person: they made at least half of the decisions."""
        return 2 * self.own >= self.made

    @property
    def shown(self) -> str:
        """The name below the result."""
        return self.name if self.counts else f"A bot for {self.name}"

    @property
    def words(self) -> str:
        """What pages say about who decided; "" if the person made every decision."""
        some = f"{self.name} made {self.own} of {self.made} decisions, a bot the others."
        not_theirs = f" The result does not count for {self.name}."
        return "" if self.own == self.made else some if self.counts else some + not_theirs


def query(site: RunningSite, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Return rows of the site's database; changes are committed."""
    with closing(sqlite3.connect(site.folder / "var" / "hamsterdam.sqlite3", timeout=30)) as database, database:
        return database.execute(sql, values).fetchall()


def parts_of(site: RunningSite, match: int) -> dict[str, PartPlayed]:
    """Return the part that each person of a match played, by name."""
    moves = query(site, "SELECT seat, by FROM table_move WHERE match_id = ?", match)
    assert moves
    found = {}
    people = "SELECT seat, name, share FROM table_player WHERE match_id = ? AND bot = ''"
    for seat, name, share in query(site, people, match):
        by = [decider for mover, decider in moves if mover == seat]
        found[name] = PartPlayed(name, by.count("person"), len(by), by.count("clock"), share)
    return found


def last_match(site: RunningSite, code: str) -> int:
    """Return the number of the last match at a table, 0 if none has begun."""
    sql = "SELECT MAX(m.id) FROM table_match m JOIN lobby_table t ON t.id = m.table_id WHERE t.code = ?"
    return int(query(site, sql, code)[0][0] or 0)


def is_over(site: RunningSite, code: str) -> bool:
    """Whether the last match at a table is over."""
    return query(site, "SELECT status FROM table_match WHERE id = ?", last_match(site, code)) == [("over",)]


def check_log(page: Page, reader: str, people: dict[str, PartPlayed]) -> None:
    """Check that a log says of each person but its reader how often a bot decided because their time was up."""
    entries = page.locator(".log").first.all_inner_texts()
    for name, part in people.items():
        if name != reader:  # to the reader it says "you"
            assert "\n".join(entries).count(LATE.format(name=name)) == part.late, (reader, name)


def check_table(page: Page, reader: str, code: str, people: dict[str, PartPlayed]) -> None:
    """Check the result and the log of the last match at a table, after a reload."""
    page.goto(f"/t/{code}/")
    result = page.get_by_role("region", name="Result")
    expect(result).to_be_visible()
    rows = "\n".join(result.locator("table").first.locator("tbody th").all_inner_texts())
    said = result.locator(".who-decided").all_inner_texts()
    assert sorted(said) == sorted(part.words for part in people.values() if part.words)
    for part in people.values():
        assert part.shown in rows
        assert (f"A bot for {part.name}" in rows) == (not part.counts)
    page.keyboard.press("Escape")
    sound = page.get_by_role("group", name="Sound")
    if sound.is_visible():  # on a phone, its question hides the button of the log until it is answered
        sound.get_by_role("button", name="No").click()
    if page.get_by_role("button", name="Log", exact=True).is_visible():
        page.get_by_role("button", name="Log", exact=True).click()
    check_log(page, reader, people)


def check_replay(page: Page, reader: str, code: str, match: int, people: dict[str, PartPlayed]) -> None:
    """Check the last step and the log of a replay."""
    page.goto(f"/replay/{match}/?table={code}")
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_be_visible()
    slider.fill(slider.get_attribute("max") or "")
    caption = page.locator("p.prompt")
    for part in people.values():
        if part.words:
            expect(caption).to_contain_text(part.words)
        else:
            expect(caption).not_to_contain_text(f"{part.name} made")
    check_log(page, reader, people)


def check_person(page: Page, name: str, matches: list[dict[str, PartPlayed]]) -> None:
    """Check the matches on a person's own page, the newest first, and their statistics."""
    page.goto("/people/me/")
    rows = page.locator(".match-row")
    expect(rows).to_have_count(len(matches))
    for row, people in zip(rows.all(), reversed(matches), strict=True):
        mine, text = people[name], row.inner_text()
        assert (f"by a bot for {name}" in text) == (not mine.counts)
        assert (mine.words in text) or mine.counts
        for other in people.values():
            if other.name != name:
                assert (f"A bot for {other.name}" in text) == (not other.counts), (name, text)
    counted = [people for people in matches if people[name].counts]
    table = page.get_by_role("table", name="By game")
    if not counted:
        expect(table).to_have_count(0)
        return
    assert sum(int(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()) == len(counted)
    won = sum(float(text.split()[0]) for text in table.locator("tbody td:nth-child(3)").all_inner_texts())
    assert won == pytest.approx(sum(people[name].share for people in counted), abs=0.1 * len(counted))


class Group:
    """The four people, each with a browser of their own, at a site; and the push service that this site uses."""

    def __init__(self, visitor: Visitor, site: RunningSite, push: PushService) -> None:
        self.site, self.push = site, push
        devices = {"Bob": "phone"}
        self.pages = {
            name: visitor(at=site, device=devices.get(name, "desktop"), keeps=name == "Bob") for name in NAMES
        }

    def close(self, name: str) -> None:
        """Close a person's page. Their cookies and storage stay."""
        self.pages[name].close()

    def reopen(self, name: str, address: str) -> Page:
        """Open a new page at an address in a person's browser, and return it."""
        self.pages[name] = self.pages[name].context.new_page()
        self.pages[name].goto(address)
        return self.pages[name]

    def pages_of(self, *names: str) -> list[Page]:
        """Return the pages of some people, in this order."""
        return [self.pages[name] for name in names]

    def check(self, code: str, match: int) -> dict[str, PartPlayed]:
        """Check the table and the replay of a match for each person, and return the parts that they played."""
        people = parts_of(self.site, match)
        for name, page in self.pages.items():
            if name in people:
                check_table(page, name, code, people)
                check_replay(page, name, code, match, people)
        return people


@pytest.fixture
def group(visitor: Visitor, new_site: Callable[..., RunningSite]) -> Iterator[Group]:
    """Four people at a new site, which sends notifications to a push service of the tests."""
    with push_service() as service:
        services = service.url.removeprefix("http://")
        site = new_site(DJANGO_SETTINGS_MODULE="tests.push_settings", PUSH_SERVICES=services)
        site.open()
        site.start()
        yield Group(visitor, site, service)


@full
def test_an_evening_of_three_short_matches_in_a_circle(group: Group) -> None:
    anna, bob, cleo, dora = group.pages_of(*NAMES)
    link = create_circle(anna)
    for name, page in (("Bob", bob), ("Cleo", cleo), ("Dora", dora)):
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("No table is open.")).to_be_visible()
    circle = anna.url
    anna.get_by_role("link", name="Start an evening").click()
    anna.locator(".game-picker-more").filter(has_text="Agram").locator("summary").click()
    anna.get_by_role("link", name="Agram").click()
    for number in (2, 3, 4):
        anna.get_by_label(f"Seat {number}").select_option("open")
    anna.get_by_label("Time per decision").select_option("15")
    anna.get_by_role("button", name="Create the table").click()
    anna.wait_for_url("**/t/*/")
    address, code = anna.url, code_of(anna.url)
    for page in (bob, cleo, dora):
        page.get_by_role("link", name="Go to the table").click()
        page.get_by_role("button", name="Sit here").first.click()
        expect(page.locator(".room[data-seated]")).to_be_attached()
    evening: list[dict[str, PartPlayed]] = []

    # In the first match Cleo leaves after one decision and stays away: a bot makes most decisions for her.
    start(anna, bob, cleo, dora)
    while not move(cleo):
        for page in (anna, bob, dora):
            move(page)
    group.close("Cleo")
    play_out(anna, bob, dora)
    cleo = group.reopen("Cleo", address)
    evening.append(group.check(code, last_match(group.site, code)))
    assert not evening[0]["Cleo"].counts

    # In the second match she closes her page between two moves and is back in time. In the third everybody stays.
    for leaves in (True, False):
        before = last_match(group.site, code)
        for page in group.pages.values():
            page.goto(address)
            page.get_by_role("button", name="Play again").click()
        wait_for(lambda before=before: last_match(group.site, code) > before)  # type: ignore[misc]
        for page in group.pages.values():
            expect(page.get_by_role("region", name="Result")).to_be_hidden()  # of the match before
        if leaves:
            play_out(*group.pages.values(), until=4)
            group.close("Cleo")
            cleo = group.reopen("Cleo", address)
        play_out(*group.pages.values())
        evening.append(group.check(code, last_match(group.site, code)))
        assert evening[-1]["Cleo"].counts

    for name, page in group.pages.items():
        check_person(page, name, evening)
    anna.goto(circle)
    anna.locator("a[href*='/evenings/']").first.click()
    score = anna.get_by_role("table").filter(has_text="Points").first
    for name in NAMES:
        row = score.locator("tr").filter(has_text=name)
        expect(row.locator("td").first).to_have_text(str(sum(people[name].counts for people in evening)))


def is_to_act(site: RunningSite, seat: int) -> bool:
    """Whether a seat is to act in the only match of the site."""
    return bool(query(site, 'SELECT to_act FROM lobby_seat WHERE "index" = ?', seat)[0][0])


def is_suspended(site: RunningSite) -> bool:
    """Whether the only match of the site is suspended."""
    return query(site, "SELECT suspended_since FROM table_match")[0][0] is not None


def late_moves(site: RunningSite) -> int:
    """Return how many decisions a bot made because a person's time was up."""
    return int(query(site, "SELECT COUNT(*) FROM table_move WHERE by = 'clock'")[0][0])


def a_day_passes(site: RunningSite) -> None:
    """Move the times of the only match back by a day once it is suspended, and wait until a bot decides."""
    wait_for(lambda: is_suspended(site), "the match is suspended")
    before = late_moves(site)
    day = "strftime('%Y-%m-%d %H:%M:%f', {}, '-1 day')".format
    query(site, f"UPDATE lobby_seat SET due = {day('due')}, seen = {day('seen')}")
    query(site, "UPDATE table_move SET at = at - ?", 1000 * DAY)
    query(site, f"UPDATE table_match SET resumes = {day('resumes')}, started = {day('started')}")
    wait_for(lambda: late_moves(site) > before, "a bot decides for the person whose time is up")


@full
def test_a_match_over_two_days_in_which_one_player_is_notified_and_the_other_is_late(group: Group) -> None:
    anna, bob, *_ = group.pages_of(*NAMES)
    service = group.push
    device = service.device("bob")
    form, made_up = device.form, "https://fcm.googleapis.com/fcm/send/made-up"
    bob.add_init_script(
        SUBSCRIBE.replace(made_up, device.endpoint).replace(
            "toJSON: () => ({ keys })",
            f"toJSON: () => ({{ keys: {{ p256dh: '{form['key']}', auth: '{form['secret']}' }} }})",
        )
    )
    address = set_table(anna, "hamsterdam", ("open", "none"), seconds=str(DAY))
    code = code_of(address)
    sit_down(bob, address, "Bob")
    bob.goto("/people/me/")
    bob.get_by_role("button", name="Switch on").click()
    expect(bob.get_by_role("button", name="Switch off")).to_be_visible()
    bob.goto(address)
    start(anna, bob)
    for _ in range(2):
        # Both leave when it is Anna's turn. A day passes, and a bot decides for her.
        while not is_to_act(group.site, 0):
            move(bob)
        group.close("Anna")
        bob.goto("/games/")
        sent = len(service.requests)
        while len(service.requests) == sent:  # until it is Bob's turn: Anna may have several turns in a row
            a_day_passes(group.site)
            wait_for(lambda sent=sent: len(service.requests) > sent or is_suspended(group.site))  # type: ignore[misc]
        # Bob is notified when it is his turn, and the notification leads to the table.
        notification = device.read(service.requests[-1][2])
        assert notification["path"] == f"/t/{code}/"
        bob.goto(notification["path"])
        wait_for_turn(bob)
    # Anna is back, and both play to the end.
    anna = group.reopen("Anna", address)
    expect(anna.locator(".room[data-seated]")).to_be_attached()
    play_out(anna, bob)
    people = group.check(code, last_match(group.site, code))
    assert people["Anna"].late >= 2
    for name in ("Anna", "Bob"):
        check_person(group.pages[name], name, [people])


@full
def test_a_tournament_of_four_people_and_four_bots(group: Group) -> None:
    anna, *others = group.pages_of(*NAMES)
    anna.goto("/tournaments/")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Name of the tournament").fill("Saturday cup")
    anna.get_by_label("Game", exact=True).select_option("hamsterdam")
    anna.get_by_label("Rounds").fill("2")
    anna.get_by_label("Time per decision").select_option("15")
    anna.get_by_role("button", name="Create the tournament").click()
    expect(anna.get_by_role("heading", name="Saturday cup")).to_be_visible()
    tournament = anna.url
    for name, page in zip(NAMES[1:], others, strict=True):
        page.goto(tournament)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("[data-tournament-now]")).to_contain_text(name)
    anna.get_by_label("Number of bots").fill("4")
    anna.get_by_role("button", name="Add bots").click()
    anna.get_by_role("button", name="Start the tournament").click()
    points = dict.fromkeys(NAMES, 0.0)
    matches: dict[str, list[dict[str, PartPlayed]]] = {name: [] for name in NAMES}
    codes: dict[str, str] = {}
    for number in (1, 2):
        for name, page in group.pages.items():
            page.goto(tournament)
            expect(page.get_by_role("heading", name=f"Round {number} of 2")).to_be_visible()
            page.get_by_role("link", name="Go to your table").click()
            expect(page).to_have_url(re.compile("/t/"))
            codes[name] = code_of(page.url)
        # Cleo leaves the first match at once, and a bot plays for her.
        present = [name for name in NAMES if number == 2 or name != "Cleo"]
        if number == 1:
            group.close("Cleo")
        play_out(*group.pages_of(*present))
        wait_for(lambda: is_over(group.site, codes["Cleo"]), "a bot ends the match for Cleo")
        if number == 1:
            group.reopen("Cleo", tournament)
        for name in NAMES:
            match = last_match(group.site, codes[name])
            people = parts_of(group.site, match)
            check_table(group.pages[name], name, codes[name], people)
            check_replay(group.pages[name], name, codes[name], match, people)
            matches[name].append(people)
            points[name] += people[name].share if people[name].counts else 0
    assert not matches["Cleo"][0]["Cleo"].counts
    for name, page in group.pages.items():
        page.goto(tournament)
        expect(page.locator(".page-head")).to_contain_text("Over")
        rows = page.locator(".standings tbody tr")
        for other, total in points.items():
            row = rows.filter(has_text=other)
            shown = f"{total:.2f}".removesuffix(".00")  # a shared win gives half a point
            expect(row.locator("td:nth-child(2)")).to_have_text(shown)
        check_person(page, name, matches[name])
