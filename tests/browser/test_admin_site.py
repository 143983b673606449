"""The administrators' lists at their screen sizes."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.running_site import RunningSite
from tests.tiers import full

PASSWORD = "correct horse battery staple"
LONGEST = """
from django.contrib.auth.models import Group, User
from cardsite.lobby.models import Seat, Table
from cardsite.circles.models import Circle, CircleMessage, Member
from cardsite.people.models import Person
from cardsite.playtests.models import Opinion
from cardsite.table.models import Match, Message, Player
from cardsite.tournaments.models import Entrant, Tournament
from cardsite.workshop.models import Report, Text, Version

User.objects.create_superuser("boss", "w" * 60 + "@example.org", {password!r}, first_name="W" * 60, last_name="M" * 60)
Group.objects.create(name="M" * 150)
user = User.objects.create_user("w" * 150)
people = [Person.objects.create(name=letter * 24) for letter in "WMQGOD"]
people[0].user = user
people[0].save()
text = Text.objects.create(owner=people[0], title="W" * 60, latest=123, published=123, plays=123456)
Version.objects.create(text=text, number=123, source="()", size=2, playable=True, title=text.title)
Report.objects.create(text=text, person=people[1], number=123, why="W" * 200)
circle = Circle.objects.create(name="W" * 40)
for person in people:
    Member.objects.create(circle=circle, person=person, role="owner" if person == people[0] else "member")
CircleMessage.objects.create(circle=circle, person=people[1], text="W" * 500)
tournament = Tournament.objects.create(name="W" * 40, organizer=people[0], game="hamsterdam", table_size=2, seconds=60)
for person in people:
    Entrant.objects.create(tournament=tournament, person=person)
rig = {{"rigged": True, "favourite": 1, "honest_games": 0}}
for game, more in (("hamsterdam", {{"sealed": False, **rig}}), (f"w-{{text.code}}-123", {{}})):
    table = Table.objects.create(game=game, host=people[0], status="over", **more)
    for seat, person in enumerate(people):
        Seat.objects.create(table=table, index=seat, person=person)
    for number in (1, 2):
        match = Match.objects.create(
            table=table, number=number, game=game, seed="00", seconds=0, sealed=False, favourite=1, status="dropped"
        )
        for seat, person in enumerate(people):
            Player.objects.create(match=match, seat=seat, name=person.name, person=person, share=1)
        Opinion.objects.create(match=match, person=people[0], seat=0, fun=5, fair=5, note="W" * 500, ply=12345)
    Message.objects.create(table=table, room="spectators", person=people[1], name="W" * 24, text="W" * 500, at=10**12)
"""
CUT = """() => {
  const found = [];
  const list = document.querySelector("#changelist .results");
  if (list.scrollWidth > list.clientWidth) found.push(`the list: ${list.scrollWidth} of ${list.clientWidth}`);
  for (const cell of list.querySelectorAll("th, td"))
    if (cell.scrollWidth > cell.clientWidth + 1) found.push(`${cell.className}: ${cell.innerText}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page");
  return found;
}"""


@full
def test_no_column_of_any_list_is_cut_off(visitor: Visitor, site: RunningSite) -> None:
    site.manage("shell", "-c", LONGEST.format(password=PASSWORD))
    page = visitor()
    page.goto("/admin/")
    page.get_by_label("Username").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("#content-main")).to_be_visible()
    lists = page.locator("#content-main th[scope=row] a").evaluate_all("(all) => all.map((one) => one.href)")
    assert len(lists) >= 8
    for language, sizes in (("de", ((1280, 800),)), ("en", ((1280, 800), (1920, 1080)))):
        page.context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
        for address in lists:
            page.goto(address)
            assert page.locator("#result_list tbody tr").count(), f"nothing on {address}"
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(CUT) == [], (language, address, width)
    # The rig of a table is one click from the list, and in sight there.
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/admin/lobby/table/")
    page.get_by_role("link", name="stacked from the next match on").click()
    box = page.get_by_label("Stack the deck").bounding_box()
    assert box
    assert box["y"] + box["height"] < 800
    # From the table itself, a link leads to its page of moderation.
    page.get_by_role("link", name="open", exact=True).click()
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("link", name="Administration").click()
    page.wait_for_url("/admin/moderation/table/*/")
