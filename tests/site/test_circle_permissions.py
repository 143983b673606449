"""Who may do what with a circle: every page and button, and every role.

A cell is what the person gets: ``ok``, ``404`` as for a circle that does not exist, or the refusal. Where it is not
``ok``, nothing has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from cardsite.circles import services, urls
from cardsite.circles.models import Circle, CircleMessage, CircleReport, Evening, Invitation, Member, Plan
from cardsite.people.models import Person
from games import catalogue
from tests.site.conftest import Actor, block, new_guest
from tests.site.grids import BLOCKED, OK, cast_of, cell_of, rows, undone
from tests.site.reasons import NOT_A_MEMBER

ROLES = ("newcomer", "stranger", "outcast", "left", "staff", "member", "blocked", "owner", "bad-owner")

# newcomer   has no name yet
# stranger   has a name, has never been a member
# outcast    is no member, and blocked by an administrator
# left       was a member and has been removed
# staff      is logged in as an administrator, has never been a member
# member     is a member; the blocked one has been blocked by an administrator
# owner      is the owner; the bad one has been blocked by an administrator
GRID = """
action      newcomer stranger outcast left    staff   member    blocked   owner   bad-owner
index       ok       ok       ok      ok      ok      ok        ok        ok      ok
make        ok       ok       blocked ok      ok      ok        blocked   ok      blocked
join-page   ok       ok       ok      ok      ok      ok        ok        ok      ok
join        ok       ok       blocked ok      ok      ok        ok        ok      ok
old-link    404      404      404     404     404     404       404       404     404
page        404      404      404     404     404     ok        ok        ok      ok
say         404      404      404     404     404     ok        blocked   ok      blocked
remove-message 404   404      404     404     404     not_owner blocked   ok      blocked
report-page 404      404      404     404     404     ok        ok        ok      ok
report      404      404      404     404     404     ok        ok        ok      ok
now         404      404      404     404     404     ok        ok        ok      ok
start-page  404      404      404     404     404     ok        ok        ok      ok
start       404      404      404     404     404     ok        blocked   ok      blocked
leave-page  404      404      404     404     404     ok        ok        ok      ok
remove-page 404      404      404     404     404     not_owner blocked   ok      blocked
transfer-page 404    404      404     404     404     not_owner not_owner ok      ok
close-page  404      404      404     404     404     not_owner not_owner ok      ok
leave       404      404      404     404     404     ok        ok        ok      ok
remove      404      404      404     404     404     not_owner blocked   ok      blocked
transfer    404      404      404     404     404     not_owner not_owner ok      ok
rename      404      404      404     404     404     not_owner blocked   ok      blocked
renew-link  404      404      404     404     404     not_owner blocked   ok      blocked
close       404      404      404     404     404     not_owner not_owner ok      ok
plan        404      404      404     404     404     ok        blocked   ok      blocked
cancel-plan 404      404      404     404     404     ok        blocked   ok      blocked
calendar    404      404      404     404     404     ok        ok        ok      ok
evening     404      404      404     404     404     ok        ok        ok      ok
picture     404      404      404     404     404     ok        ok        ok      ok
ladder-page 404      404      404     404     404     ok        ok        ok      ok
ladder      404      404      404     404     404     ok        ok        ok      ok
double      404      404      404     404     404     not_owner blocked   ok      blocked
analyse     404      404      404     404     404     ok        blocked   ok      blocked
invite-page ok       ok       ok      ok      ok      ok        ok        ok      ok
invite      404      404      404     404     404     not_seated  blocked   ok      blocked
"""
FORM = {"game": "bundles", "seat0": "me", "seat1": "open", "seat2": "none", "seat3": "none", "seconds": "60"}
FORM |= {"visibility": "link", "sealed": "yes"}
# The name of each action's address, where it is not that of the action.
PAGES = {
    "make": "index",
    "join-page": "join",
    "old-link": "join",
    "invite-page": "invite",
    "ladder-page": "ladder",
    "say": "page",
    "report-page": "report",
    "leave-page": "leave",
    "remove-page": "remove",
    "transfer-page": "transfer",
    "close-page": "close",
}
REASONS = {
    "An administrator has blocked you: you may watch, but not sit down or chat.": BLOCKED,
    "Only the owner of the circle can do that.": "not_owner",
    "Sit down at the table first.": "not_seated",
    "Only the author of a message and the owner of the circle can remove it.": "not_owner",
    "Only the host of the table and the owner of the circle can do that.": "not_owner",
}


@dataclass
class Scene:
    """A circle, and one person of each role."""

    circle: Circle
    old_token: str
    evening: int
    table: str  # the code of that evening's table
    target: Person  # a member whom the owner may remove
    message: int  # of the target
    cast: dict[str, Actor]

    def act(self, role: str, action: str) -> str:
        """Send the request of an action as ``role``. Return the cell of the grid; a refusal changes nothing."""
        before = snapshot()
        outcome = self._ask(self.cast[role].client, action)
        if outcome != OK:
            assert snapshot() == before
        # An analysis is only requested, and a member who joins again stays one.
        elif action not in (*READING, "analyse") and not (action == "join" and role not in OUTSIDE):
            assert snapshot() != before
        return outcome

    def _ask(self, client: Client, action: str) -> str:
        code = self.circle.code
        path, form = {
            "index": ("/circles/", {}),
            "make": ("/circles/", {"circle": "Mine", "name": "Newcomer"}),
            "join-page": (f"/circles/join/{self.circle.token}/", {}),
            "join": (f"/circles/join/{self.circle.token}/", {"name": "Newcomer"}),
            "old-link": (f"/circles/join/{self.old_token}/", {"name": "Newcomer"}),
            "page": (f"/circles/{code}/", {}),
            "say": (f"/circles/{code}/", {"text": "Hello"}),
            "remove-message": (f"/circles/{code}/remove-message/", {"message": self.message}),
            "report-page": (f"/circles/{code}/report/", {}),
            "report": (f"/circles/{code}/report/", {"message": self.message, "why": "Rude"}),
            "now": (f"/circles/{code}/now.json", {}),
            "leave-page": (f"/circles/{code}/leave/", {}),
            "remove-page": (f"/circles/{code}/remove/?person={self.target.pk}", {}),
            "transfer-page": (f"/circles/{code}/transfer/?person={self.target.pk}", {}),
            "close-page": (f"/circles/{code}/close/", {}),
            "calendar": (f"/circles/{code}/evening.ics", {}),
            "plan": (f"/circles/{code}/plan/", {"when": f"{timezone.now() + timedelta(days=9):%Y-%m-%dT%H:%M}"}),
            "evening": (f"/circles/{code}/evenings/{self.evening}/", {}),
            "picture": (f"/circles/{code}/evenings/{self.evening}/picture.png", {}),
            "double": (f"/circles/{code}/evenings/{self.evening}/double/", {"match": 1}),
            "analyse": (f"/circles/{code}/evenings/{self.evening}/analyse/", {}),
            "ladder-page": (f"/circles/{code}/ladder/", {}),
            "invite-page": (f"/circles/invite/{self.table}/", {}),
            "invite": (f"/circles/invite/{self.table}/", {"circle": code}),
            "start-page": (f"/new/?circle={code}", {}),
            "start": ("/new/", {**FORM, "circle": code}),
        }.get(action, (f"/circles/{code}/{action}/", {"person": self.target.pk, "circle": "New name", "sure": "yes"}))
        answer = client.get(path) if action in READING else client.post(path, form)
        return cell_of(client, answer, REASONS, (NOT_A_MEMBER,))


READING = (
    "index",
    "join-page",
    "page",
    "report-page",
    "leave-page",
    "remove-page",
    "transfer-page",
    "close-page",
    "now",
    "start-page",
    "calendar",
    "evening",
    "picture",
    "invite-page",
    "ladder-page",
)
OUTSIDE = ("newcomer", "stranger", "outcast", "left", "staff")


def snapshot() -> list[object]:
    """Return the rows of everything that an action could change."""
    tables = (
        Circle.objects.values(),
        Evening.objects.values(),
        Plan.objects.values(),
        CircleMessage.objects.values(),
        CircleReport.objects.values(),
        Invitation.objects.values(),
        Member.objects.values("circle", "person", "role", "ladder"),
    )
    return [list(each.order_by("pk")) for each in tables]


def make(owner: str) -> Scene:
    """Make a circle with all roles around it, whose owner has this role."""
    cast = cast_of(ROLES)
    circle = services.do_make(cast[owner].person, "Friends")
    target = new_guest("target").person
    for person in (cast["member"].person, cast["blocked"].person, cast["left"].person, target):
        services.do_join(person, circle.token)
    old = circle.token
    services.do_remove_member(circle.code, cast[owner].person, cast["left"].person.pk)
    services.do_start_evening(circle.code, cast[owner].person, catalogue.find("bundles"), ["me", "open"])
    services.do_post_message(circle.code, target, "Hello")
    services.do_plan(circle.code, cast[owner].person, timezone.now() + timedelta(days=2))
    evening = Evening.objects.get()
    block(*(cast[role].person for role in ("outcast", "blocked", "bad-owner")))
    circle.refresh_from_db()
    return Scene(circle, old, evening.pk, evening.table.code, target, CircleMessage.objects.get().pk, cast)


HEAD, *LINES = rows(GRID)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_each_role_may_do_what_the_grid_says(line: list[str], db: None) -> None:
    action, *wanted = line
    outcomes = {}
    for owner, roles in (("owner", [role for role in HEAD[1:] if role != "bad-owner"]), ("bad-owner", ["bad-owner"])):
        with undone():
            scene = make(owner)
            for role in roles:
                with undone():
                    outcomes[role] = scene.act(role, action)
    assert outcomes == dict(zip(HEAD[1:], wanted, strict=True))


def test_every_page_of_circles_is_in_the_grid() -> None:
    known = {PAGES.get(line[0], line[0]).replace("-", "_") for line in LINES} - {"start", "start_page"}
    assert {pattern.name for pattern in urls.urlpatterns} == known
