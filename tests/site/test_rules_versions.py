"""Versions of rules: a match of another version is never shown, verified or continued as if it were current."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.models import Table
from cardsite.server.table_info import read_table
from cardsite.table.dropped import WORDS, WORDS_AFTER_THE_END, Dropped
from cardsite.table.models import DropReason, Match, Move, Player
from cardsite.table.rig import series_winners
from cardsite.table.services.matches import do_end_match, do_start_match
from games import catalogue
from games.core import OtherRules
from games.lab.records import replay as replay_record
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.conftest import Actor, DatabaseOf, Texts
from tests.site.copies import advance, at_once, load
from tests.site.visitor import Visitor, begin, play_on
from tests.tiers import full, sampled

ONE = ("title Sticks", "rules one", "sticks 9", "take 1 2 3")


@pytest.fixture
def sticks(texts: Texts, table: Table) -> Texts:
    """The table of the cast plays sticks, by rules of version "one"."""
    Table.objects.filter(pk=table.pk).update(game=texts.put("sticks", *ONE), sealed=True)
    return texts


def played(table: Table, host: Actor, plies: int = 100) -> Match:
    """Play a match directly in the database, as the referee does: everybody takes one stick."""
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    live = load(match.pk)
    while not live.over and live.version < plies:
        [seat] = live.since
        advance(live, seat, "take 1", "person", 0)
        Move.objects.create(match=match, ply=live.version, seat=seat, text="take 1", by="person", at=0)
    if live.over:
        do_end_match(match.pk, table.pk, *at_once(live.end()))
    match.refresh_from_db()
    return match


def frames(client: Client, match: Match) -> dict[str, Any]:
    """Return what the replay page fetches."""
    replay: dict[str, Any] = client.get(f"/replay/{match.pk}/frames.json").json()
    return replay


# Other rules, and at which frame the match stops that was played by version "one".
OTHERS = {
    "the same in truth": (("rules two", "sticks 9", "take 1 2 3"), 9),
    "another match": (("rules two", "sticks 20", "take 1 2 3"), 9),
    "a move that is refused": (("rules two", "sticks 9", "take 2 3"), 0),
    "over too soon": (("rules two", "sticks 4", "take 1"), 4),
    "rules that break down": (("rules two", "sticks 9", "take 1 2 3", "break apply 6"), 3),
    "before versions were kept": ((), 9),
}


@pytest.fixture(params=OTHERS)
def outdated(request: pytest.FixtureRequest, sticks: Texts, table: Table, host: Actor) -> tuple[Match, int]:
    """A sealed match that is over, and whose rules are others by now; and its last frame."""
    match = played(table, host)
    lines, last = OTHERS[request.param]
    if lines:
        sticks.put("sticks", "title Sticks", *lines)
    else:
        Match.objects.update(rules_version="")
        match.refresh_from_db()
    return match, last


# -- kept


@pytest.mark.parametrize("game", sampled(catalogue.listed(), 3, lambda game: game.name))
def test_a_match_keeps_the_version_of_its_rules(game: Any, host: Actor) -> None:
    host.client.post(f"/play/{game.name}/")
    assert Match.objects.get().rules_version == game.rules_version != ""


def test_a_record_names_the_version_and_the_command_line_follows_it(sticks: Texts, table: Table, host: Actor) -> None:
    match = played(table, host)
    record = host.client.get(f"/replay/{match.pk}/record.json").json()
    assert record["rules"] == "one"
    assert replay_record(record).over
    sticks.put("sticks", *ONE, "rules two")
    again = host.client.get(f"/replay/{match.pk}/record.json").json()
    assert again == record
    with pytest.raises(OtherRules, match="was played by version one of the rules"):
        replay_record(record)


# -- replay


def test_the_replay_of_a_match_by_the_same_rules_has_no_remark(sticks: Texts, table: Table, host: Actor) -> None:
    match = played(table, host)
    replay = frames(host.client, match)
    assert (replay["remark"], replay["rules"]) == ("", {"played": "one", "shown": "one"})
    assert replay["frames"][-1]["view"]["result"]["winners"] == [
        row["seat"] for row in replay["result"] if row["share"]
    ]
    assert "replay-remark" not in host.client.get(f"/replay/{match.pk}/").content.decode()


def test_the_replay_of_a_match_by_other_rules_says_so_and_shows_the_result_that_counts(
    outdated: tuple[Match, int], host: Actor, newcomer: Client
) -> None:
    match, last = outdated
    shown = catalogue.find("sticks").rules_version
    for client in (host.client, newcomer):
        replay = frames(client, match)
        assert replay["rules"] == {"played": match.rules_version, "shown": shown}
        assert f"version {shown}" in replay["remark"]
        assert "may differ from what happened" in replay["remark"]
        assert match.rules_version in replay["remark"]
        assert [frame["version"] for frame in replay["frames"]] == list(range(last + 1))
        assert not any("result" in frame["view"] for frame in replay["frames"])
        assert ("cannot continue" in replay["remark"]) == (last < 9)
        if last < 9:
            assert "cannot continue" in replay["frames"][-1]["log"][-1]["text"]["text"]
        winners = Player.objects.filter(match=match, share=1)
        assert {row["name"] for row in replay["result"] if row["share"]} == {player.name for player in winners}
        page = client.get(f"/replay/{match.pk}/").content.decode()
        assert "replay-remark" in page
        assert "may differ from what happened" in page
        assert "★" in page


# -- verify


def verification(actor: Actor, match: Match) -> tuple[str, dict[str, Any]]:
    """Return the page that verifies the deal of a match, and the data of its script."""
    page = actor.client.get(f"/verify/{match.pk}/").content.decode()
    return page, json.loads(page.partition('<script id="boot" type="application/json">')[2].partition("</script>")[0])


def test_the_deal_of_a_match_by_other_rules_is_not_proved_but_its_seed_can_be(
    outdated: tuple[Match, int], host: Actor
) -> None:
    match, _ = outdated
    page, boot = verification(host, match)
    assert boot["draws"] == []
    assert "cannot be repeated here" in boot["refused"]
    assert page.count(boot["refused"]) == 2  # for people, and for the script
    assert hashlib.sha256(bytes.fromhex(boot["seed"])).hexdigest() == boot["commitment"]


def test_the_deal_of_a_match_by_the_same_rules_is_proved(sticks: Texts, table: Table, host: Actor) -> None:
    match = played(table, host)
    _, boot = verification(host, match)
    assert boot["draws"]
    assert boot["refused"] == ""


# -- play


@pytest.mark.parametrize("stored", ["", "two"])
def test_a_running_match_of_other_rules_cannot_be_loaded(sticks: Texts, table: Table, host: Actor, stored: str) -> None:
    match = played(table, host, plies=3)
    load(match.pk)
    Match.objects.update(rules_version=stored)
    with pytest.raises(Dropped) as caught:
        load(match.pk)
    assert (caught.value.code, caught.value.text) == ("other_rules", WORDS[DropReason.OTHER_RULES])
    assert "Under the current version, one, the same seed" in caught.value.failure


def test_the_last_match_of_a_table_is_not_shown_when_its_rules_have_changed(
    outdated: tuple[Match, int], table: Table
) -> None:
    info, *_ = read_table(table.code)
    assert (info.status, info.dropped) == ("over", "")
    assert info.notice == WORDS_AFTER_THE_END[DropReason.OTHER_RULES]


def test_a_series_counts_results_as_they_were_written_down(outdated: tuple[Match, int], table: Table) -> None:
    [winners] = series_winners(table)
    assert winners == [player.seat for player in Player.objects.filter(share=1)]


@full
def test_a_running_match_is_dropped_when_the_site_starts_with_other_rules(
    text_site: tuple[RunningSite, Texts], database_of: DatabaseOf
) -> None:
    site, texts = text_site
    site_db = database_of(site)
    game = texts.put("changes", *ONE)
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open", game=game)
    guest.must(code, "sit")
    with host.connect(code) as one, guest.connect(code) as two:
        old = begin(code, host, one, two)
        play_on([one, two], plies=2)
        site.kill()
        texts.put(game, *ONE, "rules two")
        site.start()
    match = Match.objects.using(site_db).filter(pk=old)
    wait_for(lambda: match.get().status == "dropped")
    assert (match.get().dropped, match.get().process) == ("other_rules", None)
    with host.connect(code) as one, guest.connect(code) as two:
        for ws in (one, two):
            assert (ws.table["status"], ws.table["dropped"]) == ("over", "other_rules")
            assert ws.table["notice"] == WORDS[DropReason.OTHER_RULES]
            assert ws.view == {}
        assert one.move("take 1", decision=0, match=old)["code"] == "other_rules"
        new = begin(code, host, one, two)  # by the rules of today
        play_on([one, two])
        assert Match.objects.using(site_db).get(pk=new).rules_version == "two"
        replay = host.get(f"/replay/{old}/frames.json").json
        assert WORDS[DropReason.OTHER_RULES] in replay["remark"]
        assert "result that was recorded" not in replay["remark"]
