"""Who may do what with a tournament: every page and button, and every role, in a circle and open to everybody.

A cell is what the person gets: ``ok``, ``404`` as for a tournament that does not exist, or the refusal. Where it is not
``ok``, nothing has changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client

from cardsite.circles.models import Circle
from cardsite.circles.services import do_join as do_join_circle
from cardsite.circles.services import do_make as do_make_circle
from cardsite.tournaments import urls
from cardsite.tournaments.models import Entrant, Tournament
from cardsite.tournaments.services import entering
from games import catalogue
from tests.site.conftest import Actor, block
from tests.site.grids import BLOCKED, OK, cast_of, cell_of, rows, undone
from tests.site.reasons import NOT_A_MEMBER

ROLES = ("newcomer", "stranger", "outcast", "staff", "member", "player", "blocked", "owner", "organizer")
NOT_FOUND = "There is no such tournament, or it belongs to a circle of which you are not a member."

# newcomer   has no name yet
# stranger   has a name, is no member of the circle
# outcast    is no member, and blocked by an administrator
# staff      is logged in as an administrator, is no member
# member     is a member of the circle, and takes no part
# player     is a member and takes part
# blocked    the same, blocked by an administrator before they could join
# owner      is the owner of the circle
# organizer  has created the tournament; another member
CIRCLE = """
action      newcomer stranger outcast staff   member    player    blocked   owner   organizer
create      404      404      404     404     ok        ok        blocked   ok      ok
create-page 404      404      404     404     ok        ok        ok        ok      ok
page        404      404      404     404     ok        ok        ok        ok      ok
now         404      404      404     404     ok        ok        ok        ok      ok
join        404      404      404     404     ok        yours     blocked   ok      yours
leave       404      404      404     404     no_part   ok        no_part   no_part ok
add-bots    404      404      404     404     not_owner not_owner not_owner ok      ok
remove      404      404      404     404     not_owner not_owner not_owner ok      ok
start       404      404      404     404     not_owner not_owner not_owner ok      ok
cancel      404      404      404     404     not_owner not_owner not_owner ok      ok
"""
OPEN = """
action      newcomer  stranger  outcast   staff     member    player    blocked   owner     organizer
create      ok        ok        blocked   ok        ok        ok        blocked   ok        ok
create-page ok        ok        ok        ok        ok        ok        ok        ok        ok
page        ok        ok        ok        ok        ok        ok        ok        ok        ok
now         ok        ok        ok        ok        ok        ok        ok        ok        ok
join        ok        ok        blocked   ok        ok        yours     blocked   ok        yours
leave       no_part   no_part   no_part   no_part   no_part   ok        no_part   no_part   ok
add-bots    not_owner not_owner not_owner not_owner not_owner not_owner not_owner not_owner ok
remove      not_owner not_owner not_owner not_owner not_owner not_owner not_owner not_owner ok
start       not_owner not_owner not_owner not_owner not_owner not_owner not_owner not_owner ok
cancel      not_owner not_owner not_owner not_owner not_owner not_owner not_owner not_owner ok
"""
FORM = {"title": "Cup", "game": "hamsterdam", "size": "2", "system": "swiss", "rounds": "", "seconds": "60"}
READING = ("create-page", "page", "now")
REASONS = {
    "An administrator has blocked you: you may watch, but not sit down or chat.": BLOCKED,
    "Only the organizer of the tournament can do that.": "not_owner",
    "You already take part.": "yours",
    "You do not take part.": "no_part",
}


@dataclass
class Scene:
    """A tournament that waits for players, and one person of each role."""

    tournament: Tournament
    circle: Circle | None
    cast: dict[str, Actor]

    def act(self, role: str, action: str) -> str:
        """Have somebody do something. Return what they get, and check that a refusal has changed nothing."""
        before = standing()
        outcome = self._ask(self.cast[role].client, action)
        assert (standing() == before) == (outcome != OK or action in READING)
        return outcome

    def _ask(self, client: Client, action: str) -> str:
        code, circle = self.tournament.code, {"circle": self.circle.code} if self.circle else {}
        path, form = {
            "create": ("/tournaments/", {**FORM, "name": "Newcomer", **circle}),
            "create-page": ("/tournaments/", circle),
            "page": (f"/tournaments/{code}/", {}),
            "now": (f"/tournaments/{code}/now.json", {}),
        }.get(
            action,
            (
                f"/tournaments/{code}/{action}/",
                {
                    "name": "Newcomer",
                    "kind": "random",
                    "count": "2",
                    "sure": "yes",
                    "entrant": str(self.tournament.entrants.filter(bot="").earliest("pk").pk),
                },
            ),
        )
        answer = client.get(path, form) if action in READING else client.post(path, form)
        return cell_of(client, answer, REASONS, (NOT_FOUND, NOT_A_MEMBER))


def standing() -> list[object]:
    """Return all that an action could change."""
    return [list(each.order_by("pk")) for each in (Tournament.objects.values(), Entrant.objects.values())]


def make(*, in_circle: bool) -> Scene:
    """Make a tournament with all roles around it."""
    cast = cast_of(ROLES)
    circle = do_make_circle(cast["owner"].person, "Friends")
    for role in ("member", "player", "blocked", "organizer"):
        do_join_circle(cast[role].person, circle.token)
    tournament = entering.do_create(
        cast["organizer"].person,
        "Cup",
        catalogue.find("hamsterdam"),
        size=2,
        system="swiss",
        seconds=60,
        circle=circle.code if in_circle else "",
    )
    entering.do_join(tournament.code, cast["player"].person)
    entering.do_add_bots(tournament.code, cast["organizer"].person, "random", 2)
    block(cast["outcast"].person, cast["blocked"].person)
    return Scene(tournament, circle if in_circle else None, cast)


@pytest.mark.parametrize("in_circle", [True, False], ids=["circle", "open"])
@pytest.mark.parametrize("action", [line[0] for line in rows(CIRCLE)[1:]])
def test_each_role_may_do_what_the_grid_says(action: str, in_circle: bool, db: None) -> None:
    wanted = next(line[1:] for line in rows(CIRCLE if in_circle else OPEN)[1:] if line[0] == action)
    outcomes = {}
    with undone():
        scene = make(in_circle=in_circle)
        for role in ROLES:
            with undone():
                outcomes[role] = scene.act(role, action)
    assert outcomes == dict(zip(ROLES, wanted, strict=True))


def test_every_page_of_tournaments_is_in_both_grids() -> None:
    names = {pattern.name for pattern in urls.urlpatterns}
    for grid in (CIRCLE, OPEN):
        known = {line[0].replace("-", "_") for line in rows(grid)[1:]} - {"create", "create_page"} | {"index"}
        assert known == names


def test_a_blocked_organizer_may_cancel_and_nothing_else(db: None) -> None:
    with undone():
        scene = make(in_circle=False)
        block(scene.cast["organizer"].person)
        for action in ("start", "add-bots", "remove"):
            with undone():
                assert scene.act("organizer", action) == BLOCKED
        assert scene.act("organizer", "cancel") == OK
