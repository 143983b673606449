"""Hidden cards: no byte that reaches a seat, a spectator or a page may reveal one.

The hidden cards are computed from the database: the match is dealt again here, and each message is compared with its
state.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle
from cardsite.server import live as live_module
from cardsite.server.live import LiveMatch
from cardsite.server.match_copy import MatchCopy
from cardsite.table import replay
from cardsite.table.models import Match, Move
from cardsite.table.services.matches import do_start_match
from games import catalogue, core
from games.core import FastChance
from games.core.view import View
from games.hamsterdam.rules import MODIFIERS, STOCKS, HamsterdamState
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.copies import advance, at_once, load, rules_of
from tests.site.visitor import Message, TableSocket, Visitor, begin, play_on, two_at_a_table
from tests.tiers import tiered

FACES = {*STOCKS, *MODIFIERS}
Audience = int | None
FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')  # drawn at random, so it may spell anything
# Words of the rigged deck, as code, options or a careless sentence would say them.
TELLTALE = re.compile(
    r'\brig|rigged|favou?rite|honest|reveal|stacked(?!_for": ?-1\b)|RiggedDealer|subtle-\d|SubtleDealer', re.IGNORECASE
)


def faces_in(thing: object) -> set[str]:
    """Return every card that is named in any text of a message, ids and keys included."""
    return FACES & set(re.findall(r"\w+", json.dumps(thing)))


def may_see(state: HamsterdamState, seat: Audience) -> set[str]:
    """Return the cards that an audience can see in a position, derived from the rules and not from the game's views."""
    seen = {face for faces in state.played for face in faces}
    if state.phase != "market":
        seen |= {face for face in state.stock if face}
    if seat is not None:
        seen |= {state.stock[seat], *state.hands[seat]} - {""}
        # And those that it saw in the trades of this round: the table notes where they went.
        seen |= {*state.observe(seat).remembers, state.observe(seat).laid_aside} - {""}
    return seen


def positions(site_db: str, match: int) -> list[HamsterdamState]:
    """Deal a match again from the database. Return its state at every ply."""
    row = Match.objects.using(site_db).get(pk=match)
    game = catalogue.find(row.game)
    moves = list(Move.objects.using(site_db).filter(match=row).order_by("ply").values_list("seat", "text"))
    seats = row.players.using(site_db).count()
    replayed = [
        core.Match.replay(game, seats, row.options, bytes.fromhex(row.seed), moves[:ply])
        for ply in range(len(moves) + 1)
    ]
    return [match.state for match in replayed]  # type: ignore[misc]


def seed_forms(seed: str) -> list[str]:
    """Return the ways in which a seed could be written."""
    raw = bytes.fromhex(seed)
    return [
        seed,
        seed.upper(),
        seed[:16],
        seed[-16:],
        base64.b64encode(raw).decode().rstrip("="),
        base64.urlsafe_b64encode(raw).decode().rstrip("="),
        str(int(seed, 16)),
        ", ".join(map(str, raw)),
    ]


@pytest.fixture(
    scope="module",
    params=tiered(["sealed", "unsealed", "rigged", "rigged subtly"], lambda kind: kind in ("sealed", "rigged")),
)
def played(request: pytest.FixtureRequest, site: RunningSite) -> Recorded:
    """A match that is played to its end while everybody records everything."""
    return Recorded(site, request.param)


class Recorded:
    """What everybody received at one table: ``sockets`` by name, ``pages`` as (who, path, if it was over, body)."""

    def __init__(self, site: RunningSite, kind: str) -> None:
        self.kind = kind
        self.site = site
        self.code, host, guest = two_at_a_table(site, "house", "random", sealed=kind == "sealed")
        spectator, stranger = Visitor(site), Visitor(site, "Stranger")
        stranger.post("/people/me/name/", name="Stranger")
        self.people = {"host": host, "guest": guest, "spectator": spectator, "stranger": stranger}
        self.pages: list[tuple[str, str, bool, str]] = []
        self.match = 0

    def play(self, site_db: str) -> None:
        """Play the match, once."""
        if self.match:
            return
        if self.kind.startswith("rigged"):
            Table.objects.using(site_db).filter(code=self.code).update(
                rigged=True,
                rig_way="subtle" if self.kind == "rigged subtly" else "",
                favourite=1,
                honest_games=0,
                reveal=False,
            )
        people = self.people
        self.sockets: dict[str, TableSocket] = {
            name: people[name].connect(self.code) for name in ("host", "guest", "spectator")
        }
        sockets = list(self.sockets.values())
        self.match = begin(self.code, people["host"], *sockets)
        lead = sockets[0]
        while True:
            # Look when a person is to act: else bots may end the match meanwhile.
            lead.until(lambda: lead.over() or bool({0, 1} & set(lead.view["to_act"])))
            if lead.over():
                break
            self.look_round(over=False)
            play_on(sockets, plies=20)
            with people["guest"].connect(self.code) as again, people["spectator"].connect(self.code) as late:
                self.sockets[f"guest {again.version}"] = again
                self.sockets[f"spectator {late.version}"] = late
        for ws in sockets:
            ws.until(lambda ws=ws: ws.table["status"] == "over")  # type: ignore[misc]
            ws.settle()
            ws.close()
        self.look_round(over=True)

    def look_round(self, *, over: bool) -> None:
        """Open every page that has to do with the table, as everybody."""
        opened = over and self.kind == "sealed"
        paths = {
            "/": 200,
            f"/t/{self.code}/": 200,
            f"/replay/{self.match}/": 200,
            f"/replay/{self.match}/frames.json": 200,
            f"/replay/{self.match}/record.json": 200 if opened else 404,
            f"/verify/{self.match}/": 200,
            "/rules/hamsterdam/": 200,
            "/new/?game=hamsterdam": 200,
            "/people/me/": 200,
            "/people/1/": 200,
        }
        for name, person in self.people.items():
            for path, status in paths.items():
                answer = person.get(path)
                assert answer.status == status, (name, path, answer.status)
                self.pages.append((name, path, over, FORM_TOKEN.sub("", answer.text)))


def test_no_message_names_a_card_that_its_audience_cannot_see(played: Recorded, site_db: str) -> None:
    played.play(site_db)
    states = positions(site_db, played.match)
    checked = 0
    for name, ws in played.sockets.items():
        seat = {"host": 0, "guest": 1, "spectator": None}[name.split()[0]]
        for message in ws.messages:
            if message["t"] in ("snapshot", "change"):
                state = states[message["version"]]
                assert faces_in(message["view"]) <= may_see(state, seat), (name, message["view"])
                assert faces_in(message.get("change")) <= may_see(state, seat), (name, message["change"])
                checked += 1
            else:
                assert not faces_in(message), (name, message)
    assert checked > 3 * len(states)


def test_no_log_line_for_one_seat_reaches_another(played: Recorded, site_db: str) -> None:
    played.play(site_db)
    states = positions(site_db, played.match)
    for name, ws in played.sockets.items():
        seat = {"host": 0, "guest": 1, "spectator": None}[name.split()[0]]
        for message in ws.messages:
            for ply, lines in logs_of(message).items():
                assert {line["only"] for line in lines if "only" in line} <= {seat}
                # A line shows what could be seen before or after it, what was played, and what lay open at the end.
                before, after = states[max(0, ply - 1)], states[ply]
                allowed = may_see(before, seat) | may_see(after, seat) | set(before.hands[before.mover])
                if after.round != before.round or after.phase == "over":
                    allowed |= set(before.stock)
                assert faces_in(lines) <= allowed, (name, ply, lines)


def logs_of(message: Message) -> dict[int, list[Message]]:
    """Return the log entries of a message, by ply."""
    match message["t"]:
        case "change":
            return {message["version"]: message["log"]}
        case "snapshot":
            return dict(enumerate(message["log"]))
    return {}


def test_the_pages_of_a_running_match_show_each_visitor_their_own_seat_only(played: Recorded, site_db: str) -> None:
    played.play(site_db)
    states = positions(site_db, played.match)
    checked = 0
    for name, path, over, body in played.pages:
        if over or not path.endswith("frames.json"):
            continue
        answer = json.loads(body)
        seat = {"host": 0, "guest": 1}.get(name)
        assert (answer["seat"], answer["face_up"], answer["seed"]) == (seat, False, "")
        for frame in answer["frames"]:
            assert faces_in(frame["view"]) <= may_see(states[frame["version"]], seat)
            assert not frame["move"] or frame["seat"] == seat
            assert {line["only"] for line in frame["log"] if "only" in line} <= {seat}
            checked += 1
    assert checked


def test_an_unsealed_replay_stays_each_seats_own_view(played: Recorded, site_db: str) -> None:
    played.play(site_db)
    states = positions(site_db, played.match)
    for name, path, over, body in played.pages:
        if not over or not path.endswith("frames.json"):
            continue
        answer = json.loads(body)
        seat = {"host": 0, "guest": 1}.get(name)
        assert answer["face_up"] is (played.kind == "sealed")
        for frame in answer["frames"]:
            allowed = may_see(states[frame["version"]], seat)
            if played.kind == "sealed":
                state = states[frame["version"]]
                everything = {*state.stock, *(face for hand in state.hands for face in hand)} - {""}
                assert everything <= faces_in(frame["view"])
            else:
                assert faces_in(frame["view"]) <= allowed


def test_the_seed_is_nowhere_before_the_end_and_only_a_sealed_one_after(played: Recorded, site_db: str) -> None:
    played.play(site_db)
    seed = Match.objects.using(site_db).get(pk=played.match).seed
    forms = seed_forms(seed)
    digest = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    for ws in played.sockets.values():
        for frame, message in zip(ws.frames, ws.messages, strict=True):
            held = any(form in frame for form in forms)
            ended = message["t"] in ("snapshot", "change") and message["view"]["over"]
            assert held is (played.kind == "sealed" and ended), frame[:500]
            if message["t"] == "snapshot":
                assert message["commitment"] == (digest if played.kind == "sealed" else "")
    for name, path, over, body in played.pages:
        held = any(form in body for form in forms)
        assert held <= (over and played.kind == "sealed"), (name, path)
        assert (digest in body) <= (played.kind == "sealed"), (name, path)
        if over and played.kind == "sealed" and path.startswith("/verify/"):
            assert seed in body


def test_nobody_learns_of_the_rigged_deck(played: Recorded, site_db: str) -> None:
    played.play(site_db)
    for ws in played.sockets.values():
        for frame in ws.frames:
            assert not TELLTALE.search(frame), TELLTALE.search(frame)
    for name, path, _, body in played.pages:
        match = TELLTALE.search(body)
        assert not match, (name, path, body[max(0, match.start() - 100) : match.end() + 100])


def test_to_the_same_cards_the_site_adds_the_same_bytes_at_a_rigged_table_and_an_honest_one(
    host: Actor, guest: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state says the rest: see ``tests/games/test_hamsterdam_rigged.py``."""
    monkeypatch.setattr(live_module, "now_ms", lambda: 1_800_000_000_000)
    seats = ["me", "house", "house"]
    codes = [
        lifecycle.do_create_table(actor.person, catalogue.find("hamsterdam"), seats, sealed=False).code
        for actor in (host, guest)
    ]
    Table.objects.filter(code=codes[1]).update(rigged=True, favourite=1, honest_games=0)
    rows = [
        Match.objects.get(pk=do_start_match(code, actor.person))
        for code, actor in zip(codes, (host, guest), strict=True)
    ]
    assert [row.favourite for row in rows] == [None, 1]
    live = load(rows[1].pk)
    chance = FastChance("moves")
    compared = 0
    before: dict[Audience, View] = {}
    while True:
        state: Any = rules_of(live).state
        for audience in (0, 1, 2, None):
            sent = []
            for row in rows:  # the same cards and the same log at both tables
                twin = load_twin(live, row, state, before)
                messages = [at_once(twin.snapshot(audience)), *at_once(twin.move_messages([audience])).values()]
                sent.append([{**json.loads(message), "match": 0} for message in messages])
            assert sent[0] == sent[1]
            compared += 1
        if live.over:
            break
        before = {audience: rules_of(live).view(audience) for audience in (0, 1, 2, None)}
        [seat] = state.to_act()
        advance(live, seat, chance.choice(state.legal_moves(seat)), "person", 1_800_000_000_000)
    assert compared > 40


# -- the same, without trusting any list of what is hidden: change it, and nothing that is sent may change


@pytest.mark.parametrize("rigged", [-1, 0, 3])
def test_what_a_seat_cannot_know_changes_no_byte_of_what_it_is_sent(
    host: Actor, guest: Actor, table: Table, monkeypatch: pytest.MonkeyPatch, rigged: int
) -> None:
    monkeypatch.setattr(live_module, "now_ms", lambda: 1_800_000_000_000)
    Seat.objects.filter(table=table, index=3).update(bot="random")
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    if rigged >= 0:
        match.options = {"rigged": rigged}
        match.save()
    live = load(match.pk)
    chance = FastChance(secrets.token_hex(8))
    changed = 0
    before: dict[Audience, View] = {}
    while True:
        state: Any = rules_of(live).state
        for seat in range(4):
            other = rules_of(live).state.determinize(seat, chance)
            changed += (other.stock, other.hands) != (state.stock, state.hands)  # type: ignore[attr-defined]
            twin = load_twin(live, match, other, before)
            same = load_twin(live, match, state, before)
            for audience in (seat, None):  # what a seat cannot know, a spectator cannot know either
                assert at_once(twin.snapshot(audience)) == at_once(same.snapshot(audience))
                messages = at_once(twin.move_messages([audience]))
                assert messages == at_once(same.move_messages([audience]))
                assert ('{"t":"change"' in messages[audience]) is bool(live.version)
        if live.over:
            break
        before = {audience: rules_of(live).view(audience) for audience in (*range(4), None)}
        [seat] = state.to_act()
        move = chance.choice(state.legal_moves(seat))
        advance(live, seat, move, "person", 1_800_000_000_000)
    assert changed > live.version  # else nothing was tested


def load_twin(live: LiveMatch, row: Match, state: Any, before: dict[Audience, View]) -> LiveMatch:
    """Return a copy of a live match, in which the state is another one; ``before``: what audiences have been sent."""
    twin = LiveMatch(row, live.code, live.game, live.occupants)
    twin.copy = MatchCopy(replace(rules_of(live), state=state), settings.REVEAL_PACE)
    twin.copy._before = before
    twin.moves, twin.by, twin.decisions, twin.since = live.moves, live.by, live.decisions, live.since
    return twin


def test_the_frames_of_a_replay_stay_the_same_too(host: Actor, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are drawn by the same views: what the database adds (names, movers, moves) must not reveal more."""
    Seat.objects.filter(table=table, index=3).update(bot="random")
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    live = load(match.pk)
    chance = FastChance("frames")
    for ply in range(1, 9):
        [seat] = rules_of(live).state.to_act()
        move = chance.choice(rules_of(live).state.legal_moves(seat))
        advance(live, seat, move, "person", 0)
        Move.objects.create(match=match, ply=ply, seat=seat, text=move, by="person", at=0)
    for audience in (0, 1, 2, 3, None):
        frames, complete = replay.frames(match, audience, face_up=False)
        assert len(frames) == 9
        assert complete
        for frame in map(json.loads, map(bytes, frames)):
            assert (frame["move"] != "") == (frame["version"] > 0 and frame["seat"] == audience)
            assert frame["view"]["moves"] == []
