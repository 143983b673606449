"""People who change while they sit at a table: another name, an account, a login."""

from __future__ import annotations

from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table

PASSWORD = "four hamsters at table 9"


def register(visitor: Visitor, username: str) -> None:
    """Register as the page does."""
    answer = visitor.post("/people/register/", username=username, password1=PASSWORD, password2=PASSWORD)
    assert answer.status == 302, answer.text


def test_a_guest_who_registers_in_mid_match_plays_on(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as before:
        begin(code, host, one, before)
        register(guest, "registers")
        with guest.connect(code) as after:
            assert after.seat == 1
            play_on([one, after], plies=4)


def test_a_guest_who_logs_in_in_mid_match_plays_on(site: RunningSite) -> None:
    regular = Visitor(site, "Regular")
    regular.post("/people/me/name/", name="Regular")
    register(regular, "regular")
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one:
        begin(code, host, one)
        assert guest.post("/people/login/", username="regular", password=PASSWORD).status == 302
        one.until(lambda: one.table["seats"][1]["name"] == "Regular")
        with guest.connect(code) as after:
            assert (after.seat, after.messages[0]["name"]) == (1, "Regular")
            play_on([one, after], plies=4)


def test_a_guest_who_logs_in_is_still_host_of_their_table(site: RunningSite) -> None:
    regular = Visitor(site, "Regular")
    regular.post("/people/me/name/", name="Regular")
    register(regular, "regular2")
    code, host, guest = two_at_a_table(site)
    with guest.connect(code) as two:
        host.post("/people/login/", username="regular2", password=PASSWORD)
        two.until(lambda: two.table["seats"][0]["name"] == "Regular")
        assert two.table["seats"][0]["host"]
        host.name = ""
        host.must(code, "start")
        two.until(lambda: two.match > 0)


def test_a_new_name_is_seen_at_every_table_at_once(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    other = guest.open_table("me", "house")
    with host.connect(code) as one, Visitor(site).connect(other) as spectator:
        guest.post("/people/me/name/", name="Count")
        one.until(lambda: one.table["seats"][1]["name"] == "Count")
        spectator.until(lambda: spectator.table["seats"][0]["name"] == "Count")


def test_a_visitor_who_logs_out_is_a_spectator_in_the_next_window(site: RunningSite) -> None:
    code, _, guest = two_at_a_table(site)
    register(guest, "leaver")
    guest.post("/people/logout/")
    with guest.connect(code) as ws:
        assert (ws.seat, ws.messages[0]["name"]) == (None, "")


def test_a_replay_shows_the_face_that_a_person_has_at_the_table(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site, "random")
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        play_on([one, two])
        faces = [seat["person"] for seat in one.table["seats"]]
    assert [one["person"] for one in host.get(f"/replay/{match}/frames.json").json["names"]] == faces
    assert len(set(faces)) == 3
