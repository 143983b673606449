"""Names of people: not like the site's own, distinct at a table, with complete emoji."""

from __future__ import annotations

import pytest

from cardsite.people.names import BOT_NAMES, distinct_names, is_reserved, one_line
from cardsite.people.services import GUEST_NAMES, BadName, clean_name
from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin, two_at_a_table

ASTRONAUT = "\U0001f469\u200d\U0001f680"
FAMILY = "\U0001f468\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f468\U0001f3fb"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    "name",
    [
        "admin", "ADMIN", "Adm1n", "The Admin", "a\u0301dmin", "\u0430dmin", "\uff41dmin",
        "ad\u200dmin", "Administrator",
        "Anna (bot)", "bot", "B.O.T", *BOT_NAMES, "bram", "B r a m", "F1oris", "The House", "Hamsterdam",
        "a former player",
    ],
)  # fmt: skip
def test_nobody_is_called_like_the_site_its_bots_or_its_administrators(name: str) -> None:
    with pytest.raises(BadName, match="That name is reserved"):
        clean_name(name)


@pytest.mark.parametrize("name", ["Anna", "Abbot", "Robot Anna", "Botho", "Admira", "Housewright", "Bram Stoker", "42"])
def test_a_name_that_only_holds_one_of_them_is_good(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("name", [ASTRONAUT, FAMILY, SCOTLAND, f"Ann {ASTRONAUT} {SCOTLAND}"])
def test_emoji_that_are_joined_stay_whole(name: str) -> None:
    assert clean_name(f" {name}\n") == name


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("An\u200dna", "An na"),  # a joiner between letters joins nothing, and nobody sees it
        ("\u200dAnna\u200d", "Anna"),
        ("Anna\U000e0067", "Anna"),
        ("Anna\u202e", "Anna"),
        ("\U0001f469\u200d", "\U0001f469"),
        ("\U0001f469\u200d \U0001f680", "\U0001f469 \U0001f680"),
    ],
)
def test_nothing_else_that_cannot_be_seen_stays(raw: str, shown: str) -> None:
    assert one_line(raw) == shown


def test_the_names_that_the_site_makes_up_are_none_of_its_own() -> None:
    assert not [name for name in GUEST_NAMES if is_reserved(f"{name} 42")]


def test_people_with_the_same_name_get_numbers_and_the_first_keeps_hers() -> None:
    names = {9: "anna", 3: "Anna", 5: "\u00c1nna", 4: "Bob", 7: ASTRONAUT}
    assert distinct_names(names) == {3: "Anna", 4: "Bob", 5: "\u00c1nna (2)", 7: ASTRONAUT, 9: "anna (3)"}


def test_a_person_who_is_called_like_a_name_with_a_number_gets_another_one() -> None:
    assert distinct_names({1: "Anna", 2: "Anna (2)", 3: "Anna"}) == {1: "Anna", 2: "Anna (2)", 3: "Anna (3)"}
    assert distinct_names({1: "Anna", 2: "Anna", 3: "\u0410nna (2)"}) == {
        1: "Anna",
        2: "Anna (2)",
        3: "\u0410nna (2) (2)",
    }


def test_names_are_distinct_from_those_of_others_who_are_shown_beside_them() -> None:
    assert distinct_names({1: "Anna", 2: "Bob", 3: "Anna"}, ["\u0410nna", "Anna (2)"]) == {
        1: "Anna (3)",
        2: "Bob",
        3: "Anna (4)",
    }


def test_two_people_of_one_name_are_distinguished_at_the_table_in_the_chat_and_in_the_replay(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    for visitor in (host, guest):
        visitor.post("/people/me/name/", name="Anna")
        visitor.name = ""  # buttons do not change the name again
    with host.connect(code) as one, guest.connect(code) as two:
        one.until(lambda: [seat["name"] for seat in one.table["seats"]] == ["Anna", "Anna (2)"])
        two.ask("chat", text=ASTRONAUT)
        one.until(lambda: bool(one.chat))
        assert (one.chat[0]["name"], one.chat[0]["text"]) == ("Anna (2)", ASTRONAUT)
        match = begin(code, host, one, two)
    names = [player["name"] for player in host.get(f"/replay/{match}/frames.json").json["names"]]
    assert names == ["Anna", "Anna (2)"]


def test_the_host_distinguishes_people_of_one_name_who_watch_speak_or_are_removed(
    site: RunningSite,
) -> None:
    code, host, guest = two_at_a_table(site)
    host.post("/people/me/name/", name="Anna")
    host.name = ""
    first, second = Visitor(site, "Anna"), Visitor(site, "Anna")
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        for visitor in (first, second):
            visitor.must(code, "name")
        with first.connect(code) as three, second.connect(code):
            watching = one.wait_for(lambda m: m["t"] == "spectators" and len(m["people"]) == 2)["people"]
            assert sorted(person["name"] for person in watching) == ["Anna (2)", "Anna (3)"]
            three.ask("chat", text="Hello")
            three.until(lambda: bool(three.chat))
            assert three.chat[0]["name"] == "Anna (2)"
            host.must(code, "remove-spectator", person=watching[0]["person"])
            left = one.wait_for(lambda m: m["t"] == "spectators" and bool(m["barred"]))
            both = [person["name"] for person in (*left["barred"], *left["people"])]
            assert sorted(both) == ["Anna (2)", "Anna (3)"]


def test_a_name_of_a_bot_is_refused_at_the_table(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "open")
    assert Visitor(site, "Cato").press(code, "sit")["code"] == "bad_name"
