"""Moves of several seats at once: three people bid for the same prize at the same moment, over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.running_site import RunningSite
from tests.site.visitor import Message, TableSocket, Visitor, begin


@pytest.fixture
def bidders(site: RunningSite) -> Iterator[list[TableSocket]]:
    """The sockets of three people at a table of one round of Avancée that has begun, by seat, and a spectator's."""
    people = [Visitor(site, name) for name in ("Anna", "Bob", "Cleo")]
    code = people[0].open_table("me", "open", "open", game="enchere", version="avancee", target=0)
    for person in people[1:]:
        person.must(code, "sit")
    with ExitStack() as stack:
        sockets = [stack.enter_context(person.connect(code)) for person in (*people, Visitor(site))]
        begin(code, people[0], *sockets)
        assert [ws.seat for ws in sockets] == [0, 1, 2, None]
        yield sockets


def moves(ws: TableSocket) -> list[str]:
    """Return the bids that may be made there."""
    return [legal["move"] for legal in ws.view["moves"]]


def bids(view: Message) -> list[str]:
    """Return what lies in each bidder's place: a face, "?" for a card that lies face down, "" for none."""
    zones = {zone["id"]: zone for zone in view["zones"]}
    return ["".join(piece.get("face", "?") for piece in zones[f"bid:{seat}"]["pieces"]) for seat in range(3)]


def test_bids_sent_at_the_same_moment_are_all_taken_for_a_whole_round(bidders: list[TableSocket]) -> None:
    *people, spectator = bidders
    for prize in range(13):
        for ws in bidders:
            ws.until(lambda ws=ws: ws.version == 3 * prize)  # type: ignore[misc]  # noqa: B023
        decision = {ws.view["decision"] for ws in people}
        assert decision == {prize}
        assert spectator.view["to_act"] == [0, 1, 2]
        # Nobody has received another's bid when the own one is sent.
        sent = [ws.say("move", match=ws.match, decision=ws.view["decision"], move=moves(ws)[-1]) for ws in people]
        for ws, number in zip(people, sent, strict=True):
            answer = ws.answer(number)
            assert answer["t"] == "ack", answer
    spectator.until(spectator.over)
    assert spectator.version == 39


def test_a_bid_lies_face_down_for_all_others_until_the_last_one_turns_up_all_three(bidders: list[TableSocket]) -> None:
    anna, bob, cleo, spectator = bidders
    chosen = {}
    for count, (seat, ws) in enumerate([(1, bob), (0, anna)], 1):
        chosen[seat] = moves(ws)[0].removeprefix("bid ")
        ws.decide()
        for other in bidders:
            other.until(lambda other=other: other.version == count)  # type: ignore[misc]  # noqa: B023
    assert bids(spectator.view) == bids(cleo.view) == ["?", "?", ""]
    assert bids(anna.view) == [chosen[0], "?", ""]
    assert bids(bob.view) == ["?", chosen[1], ""]
    for ws, own in ((spectator, None), (cleo, 2), (anna, 0), (bob, 1)):
        received_changes = "".join(
            frame for frame, received in zip(ws.frames, ws.messages, strict=True) if received["t"] == "change"
        )
        for seat, face in chosen.items():
            assert (f'"{face}"' in received_changes) == (seat == own)
    chosen[2] = moves(cleo)[0].removeprefix("bid ")
    cleo.decide()
    for ws in bidders:
        ws.until(lambda ws=ws: ws.version == 3)  # type: ignore[misc]
        assert bids(ws.view) == [chosen[0], chosen[1], chosen[2]]
    assert anna.view["settled"] == spectator.view["settled"]


def test_a_player_who_has_bid_cannot_bid_again_and_loses_nothing_by_trying(bidders: list[TableSocket]) -> None:
    anna, bob, *_ = bidders
    first, second = moves(anna)[:2] if len(moves(anna)) > 1 else (moves(anna)[0], "bid 2C")
    anna.decide(lambda _: first)
    refusal = anna.move(second)
    assert refusal["t"] == "refused"
    assert bids(anna.view)[0] == first.removeprefix("bid ")
    assert bob.move(moves(bob)[0])["t"] == "ack"
