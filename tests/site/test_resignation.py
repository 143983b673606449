"""A player of a match of two resigns: the other one has won, and everything that reads results counts it."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from cardsite.circles import services as circles
from cardsite.circles.evenings import scores
from cardsite.circles.ladder import ladders
from cardsite.circles.models import Evening
from cardsite.circles.moments import moments_of
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import hosting, seating
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table import replay, statistics
from cardsite.table.daily import today
from cardsite.table.models import Match, Move, Player
from cardsite.table.moves import PlyTaken
from cardsite.table.services.beginnings import do_begin_daily, do_begin_story
from cardsite.table.services.matches import do_end_match, do_resign, do_start_match
from cardsite.tournaments.models import Pairing, Result
from games import catalogue
from games.core import FastChance
from games.core.match import Concession, resigned
from games.core.match import Match as CoreMatch
from games.core.view import plain
from games.core.words import languages
from games.lab import records
from games.lab.leads import lead
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.conftest import Actor, block
from tests.site.test_failing_rules import SOUND, TextSite, two_at
from tests.site.test_moments import analyse
from tests.site.test_tournaments import begin as begin_tournament
from tests.site.test_tournaments import come, pairings, people, run_all
from tests.site.visitor import TableSocket, Visitor, begin, play_on, two_at_a_table

__all__ = ["people"]  # a fixture


def match_of_two(host: Actor, other: Actor | str, **table: object) -> Table:
    """Start a match of a host and another person, or a kind of bot."""
    made = Table.objects.create(game="hamsterdam", host=host.person, opened_by=host.person, **table)
    Seat.objects.create(table=made, index=0, person=host.person)
    if isinstance(other, str):
        Seat.objects.create(table=made, index=1, bot=other)
    else:
        Seat.objects.create(table=made, index=1, person=other.person)
    do_start_match(made.code, host.person)
    return made


def decide(table: Table, seats: str) -> None:
    """Store moves: a digit for a decision that the person of that seat made."""
    match = Match.objects.get(table=table, status=Match.Status.RUNNING)
    for ply, seat in enumerate(seats, 1):
        Move.objects.create(match=match, ply=ply, seat=int(seat), text="x", by="person", at=ply)


def refusal(table: Table, actor: Actor) -> str:
    """Return the code with which a resignation is refused, having changed nothing."""
    with pytest.raises(Refused) as caught:
        do_resign(table.code, actor.person)
    assert not Match.objects.exclude(dropped="").exists()
    return caught.value.code


@pytest.mark.parametrize("loser", [0, 1])
def test_the_other_player_has_won(host: Actor, guest: Actor, loser: int) -> None:
    table = match_of_two(host, guest)
    decide(table, "0101")
    do_resign(table.code, (host, guest)[loser].person)
    match = Match.objects.get()
    assert (match.status, match.dropped, match.process) == (Match.Status.OVER, "resigned", None)
    assert match.finished is not None
    rows = list(Player.objects.order_by("seat").values_list("share", "place", "score", "decisions", "own_decisions"))
    won, lost = (1.0, 1, None, 2, 2), (0.0, 2, None, 2, 2)
    assert rows == ([lost, won] if loser == 0 else [won, lost])
    assert [seat.wins for seat in table.seats.order_by("index")] == [float(loser == 1), float(loser == 0)]
    info = read_table(table.code).info
    assert (info.status, info.dropped, info.notice) == ("over", "resigned", "")
    assert [result.counts for result in info.results] == [True, True]


def test_a_resignation_counts_for_the_person_who_has_decided_most(host: Actor, guest: Actor) -> None:
    """A person who sits down for a bot at the end and resigns does not lose what the bot has lost."""
    table = match_of_two(host, guest)
    match = Match.objects.get()
    for ply in range(1, 7):
        by = "away" if ply % 2 == 0 else "person"
        Move.objects.create(match=match, ply=ply, seat=(ply - 1) % 2, text="x", by=by, at=ply)
    do_resign(table.code, guest.person)
    mine, theirs = Player.objects.order_by("seat")
    assert (mine.share, mine.counts, theirs.share, theirs.counts) == (1, True, 0, False)


def test_a_person_alone_with_a_bot_may_resign(host: Actor) -> None:
    table = match_of_two(host, "house")
    do_resign(table.code, host.person)
    assert [player.share for player in Player.objects.order_by("seat")] == [0, 1]
    assert [seat.wins for seat in table.seats.order_by("index")] == [0, 1]


@pytest.mark.parametrize("language", ["en", *languages()])
def test_lists_and_replays_say_how_it_ended(host: Actor, guest: Actor, language: str) -> None:
    table = match_of_two(host, guest, sealed=True)
    do_resign(table.code, host.person)
    match = Match.objects.get()
    words = catalogue.find("hamsterdam").words(language)
    said = plain(resigned(0, 1), ["Hostess", "Guest"], words)
    assert ("has resigned" in said) == (language == "en")
    for actor in (host, guest):
        actor.client.cookies["django_language"] = language
        assert said in actor.client.get("/people/me/").content.decode()
    assert said in Client(headers={"accept-language": language}).get(f"/people/{host.person.pk}/").content.decode()
    seen = guest.client.get(f"/replay/{match.pk}/frames.json").json()
    last = seen["frames"][-1]
    assert last["view"]["over"]
    assert last["view"]["result"]["text"]["text"] == "{loser} has resigned: {winner} wins"
    assert last["log"][-1]["text"] == last["view"]["result"]["text"]
    assert (seen["face_up"], seen["seed"]) == (True, match.seed)


def test_a_match_has_a_lead_history_up_to_the_resignation(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    one, two = host.connect(code), guest.connect(code)
    match = begin(code, host, one, two)
    play_on([one, two], plies=6)
    guest.must(code, "resign")
    path = f"/lab/leads/{match}/"
    assert f'"lead": "{path}' in host.get(f"/replay/{match}/").text
    host.post(path)
    found = wait_for(lambda: host.get(path).json["state"] == "done" and host.get(path).json["lead"])
    moves = len(host.get(f"/replay/{match}/record.json").json["moves"])
    assert found["points"][0] == 0
    assert found["points"][-1] == moves
    assert [line[-1] for line in found["lines"]] == [1, 0]
    assert all(len(line) == len(found["points"]) for line in found["lines"])


def test_a_match_that_was_resigned_before_the_first_move_has_one_of_its_result() -> None:
    game = catalogue.find("hamsterdam")
    found = lead(game, 2, {}, bytes(32), [], [1])
    assert (found["points"], found["lines"]) == ([0], [[0], [1]])


@pytest.mark.parametrize(("before", "shown"), [([0.6, 0.4], True), ([0.4, 0.6], False)])
def test_the_best_moments_of_an_evening_have_it_if_the_winner_was_ahead_at_the_end(
    host: Actor, guest: Actor, before: list[float], shown: bool
) -> None:
    circle = circles.do_make(host.person, "Friends")
    circles.do_join(guest.person, circle.token)
    table = circles.do_start_evening(circle.code, host.person, catalogue.find("hamsterdam"), ["me", "open"])
    seating.do_sit(table.code, guest.person)
    Table.objects.update(sealed=True)
    do_start_match(table.code, None)
    do_resign(table.code, guest.person)
    lines: list[list[float | None]] = [[0.2, before[0], 1.0], [0.8, before[1], 0.0]]
    analyse(Match.objects.get(), lines)
    found = moments_of(Evening.objects.get())
    assert found.analysed == 1
    assert bool(found.comeback) == shown
    if found.comeback:
        assert (found.comeback.winner, found.comeback.ply, found.comeback.percent) == ("Hostess", 0, 20)


def test_statistics_count_it(host: Actor, guest: Actor) -> None:
    for loser in (host, guest, guest):
        do_resign(match_of_two(host, guest).code, loser.person)
    mine = statistics.results_of(host.person)
    assert [(game.played, game.won, game.best) for game in statistics.by_game(mine)] == [(3, 2, None)]
    assert [(one.played, one.won, one.theirs) for one in statistics.against_people(mine, host.person)] == [(3, 2, 1)]
    assert guest.client.get(f"/people/{host.person.pk}/").status_code == 200


def test_the_evening_and_the_ladder_of_a_circle_count_it(host: Actor, guest: Actor) -> None:
    circle = circles.do_make(host.person, "Friends")
    circles.do_join(guest.person, circle.token)
    for actor in (host, guest):
        circles.do_set_ladder(circle.code, actor.person, True)
    table = circles.do_start_evening(circle.code, host.person, catalogue.find("hamsterdam"), ["me", "open"])
    seating.do_sit(table.code, guest.person)
    for _ in range(3):
        do_start_match(table.code, None)
        do_resign(table.code, guest.person)
    [score] = scores(circle, Evening.objects.get().pk)
    assert [(one.name, one.points) for one in score.standings] == [("Hostess", 6.0), ("Guest", 3.0)]
    [ladder] = ladders(circle)
    assert [entry.name for entry in ladder.entries] == ["Hostess", "Guest"]
    assert ladder.entries[0].rating > 1000 > ladder.entries[1].rating
    assert host.client.get(f"/circles/{circle.code}/evenings/{score.evening.pk}/").status_code == 200
    assert host.client.get(f"/circles/{circle.code}/ladder/").status_code == 200


def test_a_tournament_counts_it(people: list[Actor]) -> None:
    tournament = begin_tournament(people)
    come()
    run_all()
    for seat in Seat.objects.filter(index=0, table__tournament=True).select_related("person", "table"):
        assert seat.person
        do_resign(seat.table.code, seat.person)
    run_all()
    assert {pairing.status for pairing in pairings(tournament)} == {Pairing.Status.OVER}
    assert list(Result.objects.order_by("seat").values_list("points", "place", "missing").distinct()) == [
        (0.0, 2, False),
        (1.0, 1, False),
    ]


# -- who may


def test_only_who_sits_there_may_resign(host: Actor, guest: Actor, stranger: Actor) -> None:
    table = match_of_two(host, guest)
    assert refusal(table, stranger) == "not_seated"
    hosting.do_remove_spectator(table.code, host.person, stranger.person.pk)
    assert refusal(table, stranger) == "not_seated"
    seating.do_stand(table.code, guest.person)
    assert refusal(table, guest) == "not_seated"
    block(stranger.person)
    assert refusal(table, stranger) == "not_seated"
    do_resign(table.code, host.person)
    Match.objects.update(dropped="")
    assert refusal(table, host) == "over"  # between matches
    Match.objects.all().delete()
    assert refusal(table, host) == "over"  # before the first


@pytest.mark.parametrize(("game", "seats"), [("hamsterdam", 3), ("hamsterdam", 6), ("thief", 1)])
def test_only_a_match_of_two_can_be_resigned(host: Actor, game: str, seats: int) -> None:
    table = Table.objects.create(game=game, host=host.person)
    for index in range(seats):
        sitting = {"bot": "house"} if index else {"person": host.person}
        Seat.objects.create(table=table, index=index, **sitting)
    do_start_match(table.code, host.person)
    assert refusal(table, host) == "bad_option"


def test_stories_and_daily_deals_are_played_to_their_end(host: Actor) -> None:
    game = catalogue.find("hamsterdam")
    assert game.story
    story = Table.objects.get(code=do_begin_story(host.person, game, game.story).code)
    assert refusal(story, host) == "story"
    game = catalogue.find("thief")
    assert game.daily
    daily = do_begin_daily(host.person, game, game.daily, today())
    assert refusal(daily, host) == "daily"


def test_a_last_move_and_a_resignation_do_not_both_end_a_match(host: Actor, guest: Actor) -> None:
    table = match_of_two(host, guest)
    match = Match.objects.get()
    do_resign(table.code, host.person)
    with pytest.raises(PlyTaken):
        do_end_match(match.pk, table.pk, [1, 0], [0])
    assert [player.share for player in Player.objects.order_by("seat")] == [0, 1]
    do_start_match(table.code, host.person)
    match = Match.objects.get(number=2)
    do_end_match(match.pk, table.pk, [1, 0], [0])
    with pytest.raises(Refused, match=r"^No match is in progress\.$"):
        do_resign(table.code, host.person)
    match.refresh_from_db()
    assert match.dropped == ""
    assert [(row["score"], row["share"]) for row in replay.result(match)] == [(1, 1), (0, 0)]


# -- the last position


@pytest.mark.parametrize("name", [game.name for game in catalogue.listed() if game.min_seats <= 2 <= game.max_seats])
def test_every_game_shows_its_last_position_without_moves_and_secrets(name: str) -> None:
    game = catalogue.find(name)
    match = CoreMatch.start(game, 2, {}, FastChance("two"))
    while not match.over and match.ply < 5:
        seat = match.to_act()[0]
        match.advance(seat, match.legal_moves(seat)[0])
    if match.over:  # a short one: before its last move
        moves = match.moves[:-1]
        match = CoreMatch.start(game, 2, {}, FastChance("two"))
        for seat, move in moves:
            match.advance(seat, move)
    audiences: list[int | None] = [0, 1, None]
    before = {audience: match.view(audience) for audience in audiences}
    for _ in range(2):  # the second time changes nothing
        match.concede(Concession([1], resigned(0, 1)))
    assert (match.over, match.to_act(), match.legal_moves(0)) == (True, (), [])
    assert [entry["text"]["text"] for entry in match.log[-1]].count("{loser} has resigned: {winner} wins") == 1
    for audience, view in before.items():
        after = match.view(audience)
        assert after["result"] == {"scores": [], "winners": [1], "text": resigned(0, 1)}
        assert (after["over"], after["to_act"], after["moves"]) == (True, [], [])
        assert not {"paths", "several"} & after.keys()
        assert [after[key] for key in ("zones", "seats", "phase")] == [view[key] for key in ("zones", "seats", "phase")]


# -- at a running site


def expect_resigned(*sockets: TableSocket) -> None:
    """Wait until sockets have received that seat 0 has won because the other player has resigned."""
    for ws in sockets:
        ws.until(ws.over)
        ws.until(lambda ws=ws: ws.table["dropped"] == "resigned")  # type: ignore[misc]
        assert ws.table["status"] == "over"
        assert ws.view["result"]["winners"] == [0]
        assert (ws.view["moves"], ws.view["to_act"]) == ([], [])


@pytest.mark.parametrize("sealed", [True, False])
def test_everybody_sees_it_also_after_coming_back(site: RunningSite, sealed: bool) -> None:
    code, host, guest = two_at_a_table(site, sealed=sealed)
    one, two, spectator = host.connect(code), guest.connect(code), Visitor(site).connect(code)
    begin(code, host, one, two, spectator)
    play_on([one, two], plies=3)
    spectator.until(lambda: spectator.version == 3)
    before = spectator.view
    guest.must(code, "resign")
    expect_resigned(one, two, spectator)
    assert spectator.view["zones"] == before["zones"]
    for ws in (one, two, spectator):
        snapshot = next(m for m in reversed(ws.messages) if m["t"] == "snapshot")
        assert (snapshot["version"], bool(snapshot["seed"])) == (3, sealed)
        assert snapshot["log"][-1][-1]["text"]["text"] == "{loser} has resigned: {winner} wins"
    answer = one.ask("move", match=one.match, decision=one.view["decision"], move="x")
    assert (answer["t"], answer["code"]) == ("refused", "over")
    assert guest.press(code, "resign")["code"] == "over"
    # Who had lost the connection has the version already.
    back = guest.connect(code, hello=False)
    back.hello(match=two.match, version=3)
    back.settle()
    late = Visitor(site).connect(code)
    expect_resigned(back, late)
    host.must(code, "ready")
    guest.must(code, "ready")
    for ws in (one, spectator, back):
        ws.until(lambda ws=ws: ws.table["number"] == 2 and not ws.over())  # type: ignore[misc]
        assert ws.table["dropped"] == ""
        ws.close()


def test_the_bot_of_a_match_that_was_resigned_makes_no_further_move(site: RunningSite, site_db: str) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("house", "me")
    with host.connect(code) as ws:
        begin(code, host, ws)
        ws.until(ws.my_turn)
        host.must(code, "resign")
        expect_resigned(ws)
        plies = Move.objects.using(site_db).filter(match=ws.match).count()
        assert plies == ws.version


def test_a_text_of_a_visitor_is_ended_in_its_worker(text_site: TextSite) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, texts.put("resigned", *SOUND))
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        play_on([one, two], plies=2)
        guest.must(code, "resign")
        expect_resigned(one, two)
        with Visitor(site).connect(code) as late:
            expect_resigned(late)
        frames = host.get(f"/replay/{one.match}/frames.json").json["frames"]
        assert frames[-1]["view"]["result"]["winners"] == [0]


@pytest.mark.parametrize("here", [0, 1])
def test_the_other_process_ends_it_too(grown_site: tuple[RunningSite, RunningSite], here: int) -> None:
    """Whichever of them runs the match, and in whichever somebody resigns."""
    host, guest = Visitor(grown_site[0], "Hostess"), Visitor(grown_site[here], "Guest")
    code = host.open_table("me", "open")
    guest.must(code, "sit")
    sockets = [host.connect(code), guest.connect(code), *(Visitor(site).connect(code) for site in grown_site)]
    begin(code, host, *sockets)
    play_on(sockets[:2], plies=2)
    guest.must(code, "resign")
    expect_resigned(*sockets)
    for ws in sockets:
        ws.close()


def test_the_record_of_a_resigned_match_can_be_read_and_replayed(host: Actor, guest: Actor) -> None:
    table = match_of_two(host, guest, sealed=True)
    do_resign(table.code, host.person)
    stored = records.read(json.dumps(replay.record(Match.objects.get())))
    assert "result" not in stored
    assert stored["game"] == "hamsterdam"
