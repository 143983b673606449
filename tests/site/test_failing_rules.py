"""Rules that fail in any method end only their match: no table hangs, and nobody sees the error.

The rules are a text that says where it breaks (``tests/games/text_game.py``): 9 sticks, of which each player takes one.
"""

from __future__ import annotations

import json

import pytest

from cardsite.lobby.models import Table
from cardsite.table import replay_worker
from cardsite.table.dropped import WORDS, WORDS_AFTER_THE_END
from cardsite.table.models import DropReason, Match, Move, Player
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.conftest import ADMIN_PASSWORD as PASSWORD
from tests.site.conftest import DatabaseOf, Texts
from tests.site.visitor import TableSocket, Visitor, begin, play_on
from tests.tiers import full

SOUND = ("title Sticks", "sticks 9", "take 1 2 3")
BROKE_DOWN = WORDS[DropReason.RULES_FAILED]
# By where the rules break down when 6 sticks are left: how many moves are stored then.
MOVES_MADE = {"to_act": 2, "legal_moves": 3, "apply": 3, "observe": 3, "render": 3, "scores": 8, "why_not": 3}
TELLTALE = ("Broken", "Traceback", "text_game", "sticks left", "break down at")

TextSite = tuple[RunningSite, Texts]


@pytest.fixture
def text_db(text_site: TextSite, database_of: DatabaseOf) -> str:
    """The database of the site with texts."""
    return database_of(text_site[0])


def breaking(texts: Texts, method: str, left: int = 6) -> str:
    """Add a game whose rules break down in a method. Return its name."""
    at = f"break {method}" if method in ("start", "scores") else f"break {method} {left}"
    return texts.put(f"breaks-{method.replace('_', '-')}-{left}", *SOUND, at)


def two_at(site: RunningSite, game: str, *others: str) -> tuple[str, Visitor, Visitor]:
    """Seat a host and a guest at a table of a game."""
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open", *others, game=game)
    guest.must(code, "sit")
    return code, host, guest


def dropped(site_db: str, code: str) -> Match:
    """Return the last match at a table, which must be dropped in the database."""
    match = Match.objects.using(site_db).filter(table__code=code).order_by("-number")[0]
    assert match.status == Match.Status.DROPPED
    assert Table.objects.using(site_db).get(code=code).status == Table.Status.OVER
    assert not Player.objects.using(site_db).filter(match=match, share__gt=0).exists()
    assert match.process is None
    return match


def reveals_nothing(*sockets: TableSocket) -> None:
    """Check that no message gave away what happened in the rules."""
    for ws in sockets:
        for frame in ws.frames:
            assert not any(word in frame for word in TELLTALE), frame


def play_until_dropped(one: TableSocket, two: TableSocket, *, clumsy: bool = False) -> dict[str, object]:
    """Take one stick after the other until the match is dropped. Return the refusal of the last move."""
    while True:
        for ws in (one, two):
            ws.settle()
        mover = one if one.my_turn() else two
        if clumsy:
            assert mover.move("take 99")["code"] in ("illegal", "rules_failed")
        ack = mover.move("take 1")
        if ack["t"] == "refused":
            return ack
        for ws in (one, two):
            ws.until(lambda ws=ws, ply=ack["version"]: ws.version >= ply)  # type: ignore[misc]


@pytest.mark.parametrize("method", MOVES_MADE)
def test_a_match_whose_rules_break_down_under_a_player_is_dropped(
    text_site: TextSite, text_db: str, method: str
) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, breaking(texts, method))
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        begin(code, host, one, two, spectator)
        refusal = play_until_dropped(one, two, clumsy=method == "why_not")
        assert refusal["code"] == "rules_failed"
        assert refusal["text"] == BROKE_DOWN
        for ws in (one, two, spectator):
            ws.until(lambda ws=ws: ws.table["status"] == "over")  # type: ignore[misc]
            assert (ws.table["dropped"], ws.table["notice"]) == ("rules_failed", BROKE_DOWN)
        match = dropped(text_db, code)
        assert Move.objects.using(text_db).filter(match=match).count() == MOVES_MADE[method]
        assert match.dropped == "rules_failed"
        assert "raised Broken" in match.failure
        assert f"at {method}, with" in match.failure
        assert "text_game.py" in match.failure  # where, for the author
        # A person who tries again, comes late or comes back gets the same answer, and sees no broken position.
        again = one.move("take 1")
        assert (again["code"], again["text"]) == ("rules_failed", BROKE_DOWN)
        with Visitor(site).connect(code) as late, host.connect(code) as back:
            for ws in (late, back):
                ws.settle()
                assert (ws.view, ws.table["notice"]) == ({}, BROKE_DOWN)
            reveals_nothing(one, two, spectator, late, back)
        # The table is not lost: the next match begins, and goes as far.
        begin(code, host, one, two, spectator)
        assert (one.table["number"], one.table["dropped"], one.table["notice"]) == (2, "", "")
        assert play_until_dropped(one, two, clumsy=method == "why_not")["code"] == "rules_failed"
        assert site.log.count("match abandoned") >= 2


def test_a_deal_that_breaks_down_drops_the_match(text_site: TextSite, text_db: str) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, breaking(texts, "start"))
    with host.connect(code) as one, guest.connect(code) as two:
        host.must(code, "start")
        for ws in (one, two):
            ws.until(lambda ws=ws: ws.table["dropped"] == "rules_failed")  # type: ignore[misc]
            assert ws.view == {}
        assert "at the deal" in dropped(text_db, code).failure
        reveals_nothing(one, two)


@pytest.mark.parametrize("method", ["to_act", "observe", "render"])
def test_rules_that_break_down_before_the_first_move_drop_the_match(
    text_site: TextSite, text_db: str, method: str
) -> None:
    site, texts = text_site
    code, host, _ = two_at(site, breaking(texts, method, left=9))
    with host.connect(code) as one:
        host.must(code, "start")
        one.until(lambda: one.table["dropped"] == "rules_failed")
        assert one.view == {}
        dropped(text_db, code)
        reveals_nothing(one)


@pytest.mark.parametrize("method", ["to_act", "legal_moves", "apply", "observe", "scores"])
def test_a_match_whose_rules_break_down_under_a_bot_is_dropped(text_site: TextSite, text_db: str, method: str) -> None:
    site, texts = text_site
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house", game=breaking(texts, method))
    with host.connect(code) as ws:
        host.must(code, "start")
        host.must(code, "stand")  # so that bots play on alone
        ws.until(lambda: ws.table["dropped"] == "rules_failed")
        assert f"at {method}, with" in dropped(text_db, code).failure
        reveals_nothing(ws)


def test_a_match_whose_rules_break_down_under_the_clock_is_dropped(text_site: TextSite, text_db: str) -> None:
    site, texts = text_site
    code, host, _ = two_at(site, breaking(texts, "apply"))
    Table.objects.using(text_db).filter(code=code).update(seconds=1)
    with host.connect(code) as ws:
        begin(code, host, ws)
        ws.until(lambda: ws.table["dropped"] == "rules_failed")
        moves = Move.objects.using(text_db).filter(match=dropped(text_db, code))
        assert set(moves.values_list("by", flat=True)) <= {"clock", "away"}
        reveals_nothing(ws)


def test_a_match_that_never_ends_is_stopped(text_site: TextSite, text_db: str) -> None:
    site, texts = text_site
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house", game=texts.put("endless", *SOUND, "endless"))
    with host.connect(code) as ws:
        host.must(code, "start")
        host.must(code, "stand")
        ws.until(lambda: ws.table["status"] == "over")
        assert (ws.table["dropped"], ws.table["notice"]) == ("no_end", WORDS[DropReason.NO_END])
        match = dropped(text_db, code)
        assert Move.objects.using(text_db).filter(match=match).count() == 200  # TextGame.longest
        assert match.failure == "The match has not ended after 200 decisions."


def test_a_match_that_ends_well_keeps_its_result_where_only_its_end_cannot_be_shown(
    text_site: TextSite, text_db: str
) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, breaking(texts, "render", left=0))
    words = WORDS_AFTER_THE_END[DropReason.RULES_FAILED]
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        assert play_until_dropped(one, two)["code"] == "rules_failed"
        for ws in (one, two):
            ws.until(lambda ws=ws: ws.table["notice"] == words)  # type: ignore[misc]
            assert (ws.table["status"], ws.table["dropped"]) == ("over", "")
            assert sorted(seat["wins"] for seat in ws.table["seats"]) == [0, 1]
        match = Match.objects.using(text_db).get(table__code=code)
        assert (match.status, match.dropped) == ("over", "")
        assert "at render, with 0" in match.failure
        with Visitor(site).connect(code) as late:
            assert late.view == {}
            assert late.table["notice"] == words


@full
def test_what_went_wrong_is_for_administrators_only(text_site: TextSite, text_db: str) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, breaking(texts, "apply"))
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        play_until_dropped(one, two)
    match = dropped(text_db, code).pk
    make = (
        f"from django.contrib.auth.models import User; User.objects.create_superuser('author', password={PASSWORD!r})"
    )
    site.manage("shell", "-c", make)
    author = Visitor(site)
    author.post("/admin/login/", username="author", password=PASSWORD)
    page = author.get(f"/admin/table/match/{match}/change/").text
    assert "raised Broken" in page
    assert "text_game.py" in page
    for visitor in (host, guest, Visitor(site)):
        for path in (f"/replay/{match}/", f"/replay/{match}/frames.json", f"/verify/{match}/", f"/t/{code}/", "/"):
            answer = visitor.get(path)
            assert answer.status == 200, path
            assert not any(word in answer.text for word in TELLTALE), path
        assert visitor.get(f"/replay/{match}/record.json").status == 404
        assert BROKE_DOWN in visitor.get(f"/replay/{match}/").text
    frames = json.loads(host.get(f"/replay/{match}/frames.json").text)
    assert frames["remark"] == BROKE_DOWN
    assert [frame["version"] for frame in frames["frames"]] == [0, 1, 2, 3]
    assert (frames["result"], frames["seed"]) == ([], "")


@pytest.mark.parametrize(
    ("method", "shown"), [("apply", 3), ("observe", 2), ("render", 2), ("to_act", 2), ("start", -1)]
)
def test_a_replay_shows_as_much_as_the_rules_can_and_says_where_they_stop(
    text_site: TextSite, text_db: str, method: str, shown: int
) -> None:
    """A match that went well, played again by rules of the same version that break down."""
    site, texts = text_site
    game = texts.put(f"later-{method.replace('_', '-')}", *SOUND, "rules 1")
    code, host, guest = two_at(site, game)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        play_on([one, two], choose=lambda moves: moves[0])
    at = "break start" if method == "start" else f"break {method} 6"
    texts.put(game, *SOUND, "rules 1", at)
    answer = guest.get(f"/replay/{one.match}/frames.json").json
    assert [frame["version"] for frame in answer["frames"]] == list(range(shown + 1))
    assert answer["remark"] == replay_worker.STOPPED
    assert {row["share"] for row in answer["result"]} == {0, 1}
    if shown >= 0:
        assert answer["frames"][-1]["log"][-1]["text"]["text"] == answer["remark"]
    assert not any(word in json.dumps(answer) for word in TELLTALE)
    verify = guest.get(f"/verify/{one.match}/").text
    assert ("fail on this match" in verify) == (method in ("apply", "start", "to_act"))
    assert Match.objects.using(text_db).get(pk=one.match).status == "over"


def test_a_move_longer_than_can_be_stored_is_refused_before_anything_else(text_site: TextSite) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, texts.put("long", *SOUND, "break why_not"))
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        mover = one if one.my_turn() else two
        for move in ("x" * 201, "take 1" + " " * 3000):
            for decision in (0, 1, -1):
                refusal = mover.move(move, decision=decision)
                assert (refusal["code"], refusal["text"]) == ("illegal", "A move has at most 200 characters.")
        assert mover.move("take 1")["t"] == "ack"


@full
def test_a_game_that_goes_away_takes_its_running_match_along(text_site: TextSite, text_db: str) -> None:
    site, texts = text_site
    code, host, guest = two_at(site, texts.put("goes", *SOUND))
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        texts.take_away("goes")
        site.restart()
    match = Match.objects.using(text_db).filter(table__code=code)
    with Visitor(site).connect(code, hello=False) as late:
        assert late.closed() == 4004
    wait_for(lambda: match.get().status != "running")  # the scheduler makes a round
    assert dropped(text_db, code).dropped == "no_game"
    page = host.get(f"/t/{code}/")
    assert (page.status, "is no longer available" in page.text) == (410, True)
