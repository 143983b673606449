"""The workshop's sandbox: its answers about a text, and that a text costs at most its own process."""

# ruff: noqa: E501  # a text is easier to read in one line than in pieces

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.test import Client
from django.utils.translation import override
from limits import RateLimitItemPerHour, parse
from pytest_django.fixtures import Settings

from cardsite import costs, limits
from cardsite.refusal import Refused
from cardsite.workshop import sandbox
from cardsite.workshop.sandbox import Sandbox
from games.recycle.game import RecycleGame
from games.recycle.provider import FOLDER
from tests import words
from tests.patience import PATIENCE, wait_for
from tests.site.conftest import Actor
from tests.site.reasons import NO_CSRF, WAIT, why_refused
from tests.site.test_rate_limits import limited  # noqa: F401 - a fixture
from tests.tiers import full

HEARTS = (FOLDER / "hearts.rcy").read_text()
GAME = """;; Title: {title}
(game
  (setup (create players {players}) (create deck (game hloc STOCK) (deck (RANK (ACE, KING, QUEEN, JACK)))))
  (do ((all player 'P (move (top (game hloc STOCK)) (top ('P iloc HAND))))))
  {blocks}
  (scoring max (+ (size ((current player) iloc HAND)) (size (game vloc PILE)))))"""
PLAY = "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0))) (choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE)))))))"


def text(blocks: str = PLAY, title: str = "Little Game", players: str = "2") -> str:
    return GAME.format(blocks=blocks, title=title, players=players)


@pytest.fixture(autouse=True, scope="module")
def closed() -> Iterator[None]:
    """No process of the sandbox stays when these tests are over."""
    yield
    sandbox.quick.close()


# -- what it answers


def test_a_good_text_is_described_with_its_title_its_seats_and_its_rules() -> None:
    answer = sandbox.check(text(players="2 .. 4"))
    assert (answer["ok"], answer["problems"], answer["title"], answer["seats"]) == (True, [], "Little Game", [2, 4])
    assert "<h1>Little Game</h1>" in answer["rules"]


@pytest.mark.parametrize("language", ["en", *words.LANGUAGES])
def test_the_exact_wording_is_folded_below_a_title_in_the_language_of_the_reader(language: str) -> None:
    title = words.known(language, "site")["The exact wording"] if language != "en" else "The exact wording"
    with override(language):
        rules = sandbox.check(text())["rules"]
    assert rules.count("<details>") == rules.count(f"<summary><strong>{title}</strong></summary>") == 1


def test_all_errors_and_warnings_are_reported_with_their_places() -> None:
    wrong = sandbox.check(text("(do ((mvoe 1 2)))\r\n  (do ((trun pass)))"))
    assert [(one["severity"], one["line"]) for one in wrong["problems"]] == [("error", 5), ("error", 6)]
    first = wrong["problems"][0]
    assert (first["column"], first["end_line"], first["end_column"], first["hint"]) == (9, 5, 13, "Did you mean move?")
    assert (wrong["ok"], wrong["rules"]) == (False, "")
    unused = sandbox.check(text(PLAY + "(do ((inc (game sto COUNT) 1)))"))
    assert [one["severity"] for one in unused["problems"]] == ["warning"]
    assert unused["ok"]


def test_an_error_with_some_number_of_players_only_is_reported() -> None:
    answer = sandbox.check(text("(create teams (0, 1) (2, 3))", players="2 .. 4"))
    assert not answer["ok"]


def test_what_is_wrong_with_the_table_file_is_distinguished() -> None:
    answer = sandbox.check(text(), "[lables]\n")
    assert "[lables]" in answer["table_problem"]
    assert (answer["ok"], answer["problems"], answer["rules"]) == (False, [], "")


def test_a_text_is_laid_out_and_one_with_a_missing_bracket_is_not() -> None:
    assert sandbox.format_text("(game(setup (create players 2)))") == "(game\n  (setup\n    (create players 2)))\n"
    with pytest.raises(Refused, match="Line 1: This bracket is never closed"):
        sandbox.format_text("(game")


def test_the_rules_are_those_of_the_command_line() -> None:
    assert sandbox.explain(HEARTS) == RecycleGame("hearts", HEARTS).rules_page()


def test_a_seat_is_shown_its_own_hand_a_spectator_none_and_the_author_all() -> None:
    def faces(view: dict[str, Any]) -> dict[int, int]:
        hands = [zone for zone in view["zones"] if "HAND" in zone["id"]]
        return {zone["seat"]: sum(bool(piece.get("face")) for piece in zone["pieces"]) for zone in hands}

    own = sandbox.look(HEARTS, seats=4, seat=1, plies=3)
    spectator = sandbox.look(HEARTS, seats=4, plies=3)
    everything = sandbox.look(HEARTS, seats=4, plies=3, face_up=True)
    assert own["ply"] == spectator["ply"] == 3
    assert [seat for seat, open_ in faces(own["view"]).items() if open_] == [1]
    assert not any(faces(spectator["view"]).values())
    assert all(faces(everything["view"]).values())
    assert own["view"]["moves"] == []


def test_a_match_is_followed_back_and_forth_to_its_end_and_is_another_one_with_another_seed() -> None:
    there = sandbox.look(HEARTS, plies=10_000)
    assert (there["ended"], there["ply"]) == ("over", there["length"])
    assert there["view"]["over"]
    first = sandbox.look(HEARTS, seat=1, plies=5)
    assert sandbox.look(HEARTS, seat=1, plies=9)["view"] != first["view"]
    assert sandbox.look(HEARTS, seat=1, plies=5)["view"] == first["view"]
    assert sandbox.look(HEARTS, seat=1, plies=5, seed="2")["view"] != first["view"]


def test_where_the_rules_break_down_the_table_is_shown_up_to_there_and_the_line_is_reported() -> None:
    broken = text(PLAY + "\n  (do ((move (top (game vloc NOWHERE)) (top (game vloc PILE)))))")
    answer = sandbox.look(broken, plies=9)
    assert (answer["ended"], answer["length"], answer["ply"]) == ("broken", 1, 1)
    assert answer["view"]
    assert re.match(r"Line 6: .*no|Line 6: Here a card", answer["failure"])
    at_once = sandbox.look(text("(do ((move (top (game vloc NOWHERE)) (top (game vloc PILE)))))" + PLAY))
    assert (at_once["view"], at_once["ended"]) == (None, "broken")


def test_the_sandbox_shows_who_sees_what_and_what_players_remember() -> None:
    places = {row["name"]: row for row in sandbox.look(text(), seats=2, plies=1)["sees"]}
    assert (places["HAND"]["owner"], places["HAND"]["others"]) == ([1, 1], [0, 1])
    assert places["STOCK"]["others"] == [0, 4]  # two cards, two players
    assert places["PILE"]["spectators"] == [1, 1]
    start = {row["name"]: row for row in sandbox.look(text(), seats=2)["sees"]}
    assert (start["HAND"]["owner"], start["HAND"]["others"], start["HAND"]["spectators"]) == ([2, 2], [0, 2], [0, 2])


# -- texts that ask for too much


def test_a_text_that_is_too_large_is_refused_before_anybody_reads_it() -> None:
    with pytest.raises(Refused, match=r"A text may have at most 65536 characters\.") as refused:
        sandbox.check("(" * 1_000_000)
    assert refused.value.code == "too_large"
    with pytest.raises(Refused, match="at most 65536 characters"):
        sandbox.look(text(), "#" * 66_000)


ASKING_TOO_MUCH = {
    "an endless loop": ("(stage player (end (== 1 2)) (do ((turn pass))))", "may never end"),
    "a million cards": ("(do ((repeat 10000 (repeat 100 (create deck (game vloc D) (deck (N (A, B))))))))" + PLAY, "may make at most 996 cards"),
    "a thousand million options": ("(choice ((any (range 1 .. 1000) 'A (any (range 1 .. 1000) 'B (any (range 1 .. 1000) 'C (turn pass))))))", "A choice may have at most 1,000 options"),
    "more options than a table draws": ("(choice ((any (range 1 .. 5000) 'A (set (game sto X) 'A))))", "options"),
    "places without end": ("(do ((all (range 1 .. 9999) 'N (set (game sto 'N) 1))))" + PLAY, ""),
}  # fmt: skip


@pytest.mark.parametrize("what", ASKING_TOO_MUCH)
def test_a_text_that_asks_for_too_much_says_where(what: str) -> None:
    blocks, why = ASKING_TOO_MUCH[what]
    source = text(blocks)
    try:
        answer = sandbox.look(source)
        places = answer["failure"]
        assert answer["ended"] == "broken"
    except Refused as refused:
        places = refused.text
    assert re.match(r"Line 5: ", places)
    assert why in places


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("(" * 60_000, "never closed"),
        ("(game " * 150 + ")" * 150, "deep"),
        (text("(do ((repeat 1000000 (create deck (game vloc D) (deck (N (A)))))))"), None),
        (text().replace("(create deck", "(repeat 1000000 (create deck", 1).replace("JACK)))))", "JACK))))))"), "1,000 cards"),
        ("'" * 60_000, "bracket"),
        ("\ud800\0(\u202egame", "OTHER"),
    ],
)  # fmt: skip
def test_a_text_of_any_shape_gets_an_answer(source: str, why: str | None) -> None:
    answer = sandbox.check(source)
    assert isinstance(answer["ok"], bool)
    if why not in (None, "OTHER"):
        assert why in answer["problems"][0]["text"]


def test_names_that_look_like_html_stay_text_in_the_rules() -> None:
    nasty = "<img src=x onerror=alert(1)>"
    source = text(title=nasty).replace(";; Title", f";; Summary: {nasty}\n;; Title")
    answer = sandbox.check(source, f"[labels]\nHAND = '{nasty}'\n[phrases]\nHAND = '<script>x</script>'")
    assert answer["ok"]
    assert "<img" not in answer["rules"]
    assert "<script" not in answer["rules"]
    assert "&lt;img" in answer["rules"]


# -- processes

LONG = text("(do (" + "(turn pass) " * 4_900 + "))" + PLAY)


Make = Callable[..., Sandbox]


@pytest.fixture
def make() -> Iterator[Make]:
    """A function that returns a sandbox of one process."""
    made: list[Sandbox] = []

    def new(seconds: float = 20, waiting: int = 0, **limits: Any) -> Sandbox:
        made.append(Sandbox(1, waiting, seconds, **limits))
        return made[-1]

    yield new
    for each in made:
        each.close()


def formatted(own: Sandbox, payer: str = "") -> Any:
    return own.ask("format_text", payer, source="(game)")


def process_of(own: Sandbox) -> psutil.Process:
    [child] = own.pool.children
    assert child.pid
    return psutil.Process(child.pid)


def test_a_question_that_takes_too_much_cpu_loses_the_process_and_the_next_is_answered(make: Make) -> None:
    own = make(seconds=0.2)
    with pytest.raises(Refused, match="takes too long") as refused:
        own.ask("check", source=LONG, table="")
    assert refused.value.code == "too_much"
    assert formatted(own) == "(game)\n"


def test_where_the_machine_is_at_fault_nobody_is_asked_to_make_the_text_shorter(make: Make) -> None:
    own = make(idle=0.2)
    formatted(own)
    process_of(own).suspend()
    with pytest.raises(Refused, match="Try again") as refused:
        formatted(own)
    assert refused.value.code == "busy"
    assert formatted(own) == "(game)\n"


def test_a_question_that_takes_too_much_memory_loses_the_process_and_the_next_is_answered(make: Make) -> None:
    own = make(memory=100 << 20)
    assert formatted(own) == "(game)\n"
    with pytest.raises(Refused, match="memory") as refused:
        own.ask("check", source=";" * 30_000_000, table="")
    assert refused.value.code == "too_much"
    assert formatted(own) == "(game)\n"


def test_a_process_is_nice_confined_and_started_again_when_it_is_killed(make: Make) -> None:
    own = make()
    for _ in range(2):
        assert formatted(own) == "(game)\n"
        process = process_of(own)
        assert process.nice() == 19
        assert process.environ().keys().isdisjoint({"SECRET_KEY", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"})
        assert own.pool.children[0].limits.confined
        process.kill()
        process.wait()


def test_what_a_question_costs_is_booked_to_the_person_who_asks_also_when_it_fails(make: Make) -> None:
    own = make(seconds=0.2)
    with costs.charged("check", "person 1"), pytest.raises(Refused, match="takes too long"):
        own.ask("check", source=LONG, table="")
    assert costs.spent("person 1")["check"] == pytest.approx(0.2, abs=0.2)


def test_only_so_many_wait_and_nobody_asks_much_at_a_time(make: Make) -> None:
    own = make(waiting=2)
    refusals: list[str] = []

    def ask(payer: str) -> None:
        try:
            formatted(own, payer)
        except Refused as refused:
            refusals.append(refused.text)

    waiting = [threading.Thread(target=ask, args=(payer,)) for payer in ("a", "b")]
    with own.pool.borrow("a"):  # as if somebody's question were being answered
        for thread in waiting:
            thread.start()
        wait_for(lambda: own.pool.waiting == 2)
        ask("a")
        assert "Your previous request" in refusals[0]
        ask("c")
        assert "The sandbox is busy" in refusals[1]
    for thread in waiting:
        thread.join()
    assert len(refusals) == 2
    ask("a")
    ask("c")
    assert len(refusals) == 2


def test_newcomers_leave_room_for_people_with_a_name(make: Make) -> None:
    own = make(waiting=6)
    results: list[str] = []

    def ask(payer: str) -> None:
        try:
            results.append(formatted(own, payer))
        except Refused as refused:
            results.append(refused.code)

    waiting = [threading.Thread(target=ask, args=(payer,)) for payer in ("", "", "", "", "", "a")]
    with own.pool.borrow("somebody"):
        for thread in waiting:
            thread.start()
        wait_for(lambda: own.pool.waiting == 6)
        ask("")
        assert results == ["busy"]
    for thread in waiting:
        thread.join()
    assert results[1:] == ["(game)\n"] * 6


ENDING = """
import os, django
from cardsite.workshop import sandbox
if __name__ == "__main__":
    django.setup()
    sandbox.quick.ask("format_text", source="(game)")
    print(next(child.pid for child in sandbox.quick.pool.children if child.pid), flush=True)
    os._exit(1)  # as if it were killed: nothing is tidied up
"""


@full
def test_the_sandbox_ends_with_the_site_even_if_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "ending.py"
    script.write_text(ENDING)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(FOLDER.parents[2])}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    psutil.wait_procs(
        [process for process in psutil.process_iter() if process.pid == int(done.stdout)], timeout=PATIENCE
    )
    assert not psutil.pid_exists(int(done.stdout))


# -- by HTTP

Ask = Callable[..., Any]


@pytest.fixture
def ask(guest: Actor) -> Ask:
    def post(what: str, client: Client | None = None, **asked: Any) -> Any:
        body = json.dumps(asked)
        return (client or guest.client).post(f"/workshop/{what}/", body, content_type="application/json")

    return post


def test_the_editor_asks_by_json(ask: Ask) -> None:
    data = json.loads(ask("check", source=text()).content)
    assert (data["ok"], data["good"], data["title"]) == (True, True, "Little Game")
    assert not json.loads(ask("check", source="(game").content)["good"]
    assert json.loads(ask("format", source="(game )").content)["source"] == "(game)\n"
    seen = json.loads(ask("look", source=text(), seat=0, plies=1, seed="1").content)
    assert (seen["seat"], seen["ply"]) == (0, 1)
    watched = json.loads(ask("look", source=text(), seat=-1).content)
    assert watched["view"]["seat"] is None


LAMP = '<svg viewBox="0 0 20 20"><title>lamp</title><circle r="9" fill="red"/></svg>'


def test_the_editor_gets_the_pack_as_it_is_drawn(ask: Ask) -> None:
    table = "[faces]\nACE = {symbol = 'lamp', colour = 'teal'}\n[backs]\nDEFAULT = {colour = 'pink'}"
    pack = ask("check", source=text(), table=f"{table}\n[pictures]\nlamp = '{LAMP}'").json()["cards"]
    ace, king = pack["attributes"][0]["values"][:2]
    assert (pack["attributes"][0]["key"], ace["name"], king["name"]) == ("RANK", "ACE", "KING")
    assert (ace["said"], king["said"]) == ({"symbol": "lamp", "colour": "teal"}, {})
    assert ace["piece"]["symbol"] == pack["own"]["lamp"]
    assert pack["pictures"][pack["own"]["lamp"]]["shapes"][0]["attributes"]["fill"] == "red"
    assert [(back["name"], back["said"], back["piece"]["colour"]) for back in pack["backs"]] == [
        ("DEFAULT", {"colour": "pink"}, "pink")
    ]
    assert not pack["words"]
    assert ask("check", source=text(), table="[faces]\nACE = {}").json()["cards"] is None


def test_the_editor_asks_what_is_left_of_a_picture(ask: Ask) -> None:
    assert ask("picture", markup=LAMP).json()["markup"] == '<svg viewBox="0 0 20 20"><circle r="9" fill="red"/></svg>'
    refused = ask("picture", markup=LAMP.replace("title", "script"))
    assert (refused.status_code, refused.json()["code"]) == (409, "text")
    assert "A picture may not have the element <script>." in refused.json()["text"]
    for size in (9_000, 70_000):
        assert why_refused(ask("picture", markup=LAMP + " " * size)) == "too_large"
    assert ask("picture", markup=LAMP + " " * 10_000_000).status_code == 413
    assert why_refused(ask("picture", markup=None)) == "bad_request"


def test_what_is_refused_is_answered_in_json(ask: Ask) -> None:
    answer = ask("look", source="(game")
    assert answer.status_code == 409
    assert "never closed" in json.loads(answer.content)["text"]
    long = ask("check", source="(" * 70_000)
    assert (long.status_code, long.json()["code"]) == (413, "too_large")
    assert ask("check", source="(" * 1_000_000).json()["code"] == "too_large"


@pytest.mark.parametrize(
    "asked",
    [{"source": 1}, {"table": []}, {"plies": -1}, {"plies": True}, {"plies": 1e9}, {"plies": "1"}, {"seats": 21},
     {"seat": -2}, {"seed": None}],
)  # fmt: skip
def test_a_question_that_makes_no_sense_is_refused(asked: dict[str, Any], ask: Ask) -> None:
    assert why_refused(ask("look", **{"source": text(), **asked})) == (
        "seats" if asked == {"seats": 21} else "bad_request"
    )


@pytest.mark.parametrize("body", ["", "[]", "1", "{", "[" * 100_000, b"\xff", '{"a": 1' + "0" * 5_000 + "}"])
def test_what_is_no_json_object_is_refused(body: str | bytes, guest: Actor) -> None:
    answer = guest.client.post("/workshop/check/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_other_pages_cannot_ask(guest: Actor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies = guest.client.cookies
    assert why_refused(client.post("/workshop/check/", "{}", content_type="application/json")) == NO_CSRF
    assert why_refused(guest.client.get("/workshop/check/")) == "only POST"


@pytest.mark.usefixtures("limited")
def test_checks_while_typing_have_a_higher_limit_than_buttons_and_still_have_one(
    ask: Ask, newcomer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly = {name: RateLimitItemPerHour(limit.amount) for name, limit in limits.LIMITS.items()}
    monkeypatch.setattr(limits, "LIMITS", slowly)  # so that no machine is too slow to reach them
    answers = [ask("format", source="(game)") for _ in range(70)]
    assert [answer.status_code for answer in answers[:50]] == [200] * 50
    assert why_refused(answers[-1]) == WAIT
    assert why_refused([ask("format", newcomer, source="(game)") for _ in range(70)][-1]) == WAIT


@pytest.mark.usefixtures("limited")
def test_a_visitor_who_asks_for_too_much_again_and_again_has_to_wait(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, settings: Settings, stranger: Actor
) -> None:
    def too_much(source: str, table: str, payer: str) -> dict[str, Any]:
        asked.append(payer)
        raise Refused("too_much", "This takes too long.")

    asked: list[str] = []
    monkeypatch.setattr(sandbox, "check", too_much)
    most, there = limits.LIMITS["heavy"].amount, limits.LIMITS["heavy_there"].amount
    codes = [why_refused(ask("check")) for _ in range(most + 2)]
    assert codes == ["too_much"] * most + [WAIT] * 2
    assert len(asked) == most
    left = there - most  # for all others at the same address
    codes = [why_refused(ask("check", client)) for client in [stranger.client] * left + [Client(), stranger.client]]
    assert codes == ["too_much"] * left + [WAIT] * 2
    assert len(asked) == there


@pytest.mark.usefixtures("limited")
def test_a_class_that_writes_games_can_still_press_buttons(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, guest: Actor, stranger: Actor
) -> None:
    monkeypatch.setattr(limits, "LIMITS", {**limits.LIMITS, "write": parse("3/minute"), "editor": parse("9/minute")})
    assert {ask("format", source="(game)").status_code for _ in range(9)} == {200}
    answers = [stranger.client.post("/play/hamsterdam/") for _ in range(4)]
    assert [answer.status_code for answer in answers[:3]] == [302] * 3
    assert why_refused(answers[3]) == WAIT
