"""The ladder of a circle: ratings by game, of the members who want that, anchored at the house bot."""

from __future__ import annotations

import pytest

from cardsite.circles import services
from cardsite.circles.ladder import ANCHOR, CERTAIN_AFTER, ladders
from cardsite.circles.models import Evening
from cardsite.lobby.services.hosting import do_change_game
from cardsite.table.models import Match
from games import catalogue
from tests.site.conftest import Actor
from tests.site.test_evenings import evening, play
from tests.site.test_tournaments import begin as begin_tournament
from tests.site.test_tournaments import people, play_round

__all__ = ["evening", "people"]  # fixtures


def listed(evening: Evening) -> dict[str, list[tuple[str, bool]]]:
    """Return the ladders: by game, the names and whether their ratings are uncertain."""
    found = ladders(evening.circle)
    return {ladder.game: [(entry.name, entry.uncertain) for entry in ladder.entries] for ladder in found}


def ratings(evening: Evening) -> dict[str, int]:
    [ladder] = ladders(evening.circle)
    return {entry.name: entry.rating for entry in ladder.entries}


def test_only_members_who_want_it_are_listed(evening: Evening, host: Actor, guest: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    assert listed(evening) == {}
    services.do_set_ladder(evening.circle.code, guest.person, True)
    assert listed(evening) == {"hamsterdam": [("Guest", True)]}
    services.do_set_ladder(evening.circle.code, host.person, True)
    assert listed(evening) == {"hamsterdam": [("Hostess", True), ("Guest", True)]}
    services.do_set_ladder(evening.circle.code, host.person, False)
    services.do_leave(evening.circle.code, guest.person)
    assert listed(evening) == {}


def test_each_game_has_its_own_and_ten_matches_make_a_rating_certain(
    evening: Evening, host: Actor, guest: Actor
) -> None:
    for actor in (host, guest):
        services.do_set_ladder(evening.circle.code, actor.person, True)
    for _ in range(CERTAIN_AFTER):
        play(evening, [1, 2, 3, 4])
    do_change_game(evening.table.code, host.person, catalogue.find("bundles"), {}, 60)
    play(evening, [2, 1, 3, 4])
    assert listed(evening) == {
        "hamsterdam": [("Hostess", False), ("Guest", False)],
        "bundles": [("Guest", True), ("Hostess", True)],
    }


def test_the_house_bot_is_the_anchor(evening: Evening, host: Actor, guest: Actor) -> None:
    for actor in (host, guest):
        services.do_set_ladder(evening.circle.code, actor.person, True)
    for _ in range(20):
        play(evening, [1, 4, 3, 2])  # the bot is second
    found = ratings(evening)
    assert found["Hostess"] > ANCHOR > found["Guest"]
    behind = found["Guest"]
    for _ in range(20):
        play(evening, [4, 1, 3, 2])
    found = ratings(evening)
    assert found["Guest"] > found["Hostess"]
    assert found["Guest"] > behind


@pytest.mark.parametrize("change", [{"practice": True}, {"status": Match.Status.DROPPED}])
def test_some_matches_do_not_count(evening: Evening, host: Actor, change: dict[str, object]) -> None:
    services.do_set_ladder(evening.circle.code, host.person, True)
    Match.objects.filter(pk=play(evening, [1, 2, 3, 4]).pk).update(**change)
    assert listed(evening) == {}


def test_nor_do_results_of_bots_for_somebody(evening: Evening, host: Actor, guest: Actor) -> None:
    for actor in (host, guest):
        services.do_set_ladder(evening.circle.code, actor.person, True)
    play(evening, [1, 2, 3, 4], own=(2, 9, 9, 0))
    assert listed(evening) == {"hamsterdam": [("Guest", True)]}


def test_a_member_is_put_on_the_ladder_by_a_button(evening: Evening, host: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    path = f"/circles/{evening.circle.code}/ladder/"
    assert path in host.client.get(f"/circles/{evening.circle.code}/").content.decode()
    assert "Nobody on this list" in host.client.get(path).content.decode()
    host.client.post(path)
    page = host.client.get(path).content.decode()
    assert "Hostess" in page
    assert "Guest" not in page
    host.client.post(path, {"listed": "no"})
    assert "Nobody on this list" in host.client.get(path).content.decode()


def test_the_tournaments_of_a_circle_count_for_its_ladder(people: list[Actor]) -> None:
    circle = services.do_make(people[0].person, "Friends")
    for actor in people[1:]:
        services.do_join(actor.person, circle.token)
    for actor in people:
        services.do_set_ladder(circle.code, actor.person, True)
    play_round(begin_tournament(people, rounds=1))  # open to everybody
    assert ladders(circle) == []
    play_round(begin_tournament(people, rounds=1, circle=circle.code))
    [ladder] = ladders(circle)
    assert {entry.matches for entry in ladder.entries} == {1}
    assert len(ladder.entries) == 4
