"""The rules of a match are changed on a copy, from a position of it; and no deal is revealed that must stay hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardsite.lobby.models import Table
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from cardsite.table.what_if import may_know_deal
from cardsite.workshop import services
from cardsite.workshop.models import Text, Version
from cardsite.workshop.trial import Trial
from games.core.messages import NONE
from tests.site import stored_texts
from tests.site.conftest import Actor, boss
from tests.site.hostile_texts import library, small
from tests.site.reasons import BY_LINK, why_refused
from tests.site.stored_texts import play

KUHN, KUHN_TABLE = library("kuhn")
GOOD = Trial(True, NONE, (2, 2), "Kuhn of the workshop", "Bluff.", "poker", 5)


def keep(actor: Actor, source: str = KUHN) -> Version:
    """Have somebody save a text."""
    return stored_texts.keep(actor, source, GOOD, table=KUHN_TABLE)


def start(game: str, *actors: Actor, sealed: bool = False, public: bool = False) -> Match:
    """Begin a match of two, in which bots take the seats that are left, and play a few moves of it."""
    first = actors[0].person
    table = Table.objects.create(game=game, host=first, opened_by=first, sealed=sealed, public=public)
    for index in range(2):
        occupant: dict[str, Any] = {"person": actors[index].person} if index < len(actors) else {"bot": "strong"}
        table.seats.create(index=index, **occupant)
    match = Match.objects.get(pk=do_start_match(table.code, first))
    play(match, 5)
    return match


def end(match: Match) -> Match:
    """Play a match to its end."""
    match.moves.all().delete()
    play(match)
    assert match.status == Match.Status.OVER
    return match


def look(actor: Actor, match: Match, ply: int, source: str = KUHN, **asked: object) -> Any:
    """Ask for the table as the editor does."""
    body = {"source": source, "table": "", "seats": 2, "seat": -1, "plies": ply, "seed": "1", **asked}
    path = f"/workshop/look/{match.pk}/{ply}/"
    return actor.client.post(path, json.dumps(body), content_type="application/json")


# -- whose deal is known


def test_a_deal_is_known_when_a_sealed_match_is_over_and_not_before(host: Actor, guest: Actor, stranger: Actor) -> None:
    match = start("kuhn", host, guest, sealed=True, public=True)
    everybody = (host.person, guest.person, stranger.person, None)
    assert not any(may_know_deal(match, person) for person in everybody)
    end(match)
    assert all(may_know_deal(match, person) for person in everybody)


def test_of_a_table_that_is_not_sealed_only_by_who_plays_there_alone_with_bots(
    host: Actor, guest: Actor, stranger: Actor
) -> None:
    alone = start("kuhn", host)
    assert [may_know_deal(alone, person) for person in (host.person, guest.person, None)] == [True, False, False]
    together = end(start("kuhn", host, guest))
    assert not any(may_know_deal(together, person) for person in (host.person, guest.person, stranger.person, None))
    for change in ({"public": True}, {"opened_by": guest.person}, {"opened_by": None}):
        kept = {name: getattr(alone.table, name) for name in change}
        Table.objects.filter(pk=alone.table_id).update(**change)
        assert not may_know_deal(Match.objects.get(pk=alone.pk), host.person), change
        Table.objects.filter(pk=alone.table_id).update(**kept)
    alone.table.seats.filter(index=1).update(person=guest.person, bot="")  # has taken a bot's place
    assert not may_know_deal(alone, host.person)
    Match.objects.filter(pk=alone.pk).update(favourite=0)
    assert not may_know_deal(Match.objects.get(pk=alone.pk), host.person)


# -- the position, by whatever rules


def test_the_editor_shows_the_position_by_the_rules_it_holds(host: Actor) -> None:
    match = start(keep(host).game, host)
    shown = look(host, match, 4, face_up=True).json()
    assert (shown["ok"], shown["opened"], shown["ply"], shown["seats"]) == (True, 4, 4, 2)
    frame = host.client.get(f"/replay/{match.pk}/frames.json").json()["frames"][4]["view"]
    mine = look(host, match, 4, seat=0).json()["view"]
    own = {zone["id"]: [piece.get("face") for piece in zone["pieces"]] for zone in mine["zones"]}
    assert own == {zone["id"]: [piece.get("face") for piece in zone["pieces"]] for zone in frame["zones"]}
    changed = KUHN.replace("CHIPS) 20)", "CHIPS) 30)")
    other = look(host, match, 4, changed, face_up=True).json()
    assert (other["opened"], other["view"] != shown["view"]) == (4, True)
    strange = look(host, match, 4, small()).json()  # whose moves are called otherwise
    assert (strange["ok"], strange["opened"]) == (True, 0)


def test_nobody_has_a_hidden_card_shown_by_a_text_of_their_own(host: Actor, guest: Actor, stranger: Actor) -> None:
    sealed = start("kuhn", host, guest, sealed=True, public=True)
    private = end(start("kuhn", host, guest))
    naked = KUHN.replace(" iloc ", " vloc ")
    for actor in (host, guest, stranger):
        for match in (sealed, private):
            answer = look(actor, match, 2, naked, face_up=True)
            assert why_refused(answer) == (BY_LINK if (actor, match) == (stranger, private) else "no_deal")
            assert match.seed not in answer.content.decode()
    end(sealed)
    assert look(stranger, sealed, 2, naked).status_code == 200


def test_no_answer_holds_the_seed(host: Actor) -> None:
    match = start(keep(host).game, host)
    assert match.seed not in look(host, match, 3, face_up=True).content.decode()


# -- the copy


@pytest.mark.parametrize("workshop", [True, False])
def test_a_copy_of_the_text_is_made_and_the_match_stays(workshop: bool, host: Actor, guest: Actor) -> None:
    version = keep(host) if workshop else None
    match = end(start(version.game if version else "kuhn", host, guest, sealed=True, public=True))
    replay = guest.client.get(f"/replay/{match.pk}/").content.decode()
    assert f'"edit": "/workshop/from/{match.pk}/"' in replay
    page = guest.client.get(f"/workshop/from/{match.pk}/?ply=4").content.decode()
    assert "after move 4" in page
    assert not Text.objects.filter(owner=guest.person).exists()
    answer = guest.client.post(f"/workshop/from/{match.pk}/?ply=4")
    copy = Version.objects.get(text__owner=guest.person)
    assert answer["Location"] == f"/workshop/{copy.text.code}/edit/?match={match.pk}&ply=4"
    editor = guest.client.get(answer["Location"]).content.decode()
    assert f'"look": "/workshop/look/{match.pk}/4/"' in editor
    assert '"at": 4' in editor
    for query in ("", "?match=x&ply=4", "?match=1", f"?match={'9' * 30}&ply=1"):
        plain = guest.client.get(f"/workshop/{copy.text.code}/edit/{query}").content.decode()
        assert '"look": "/workshop/look/"' in plain
    assert (copy.source, copy.table, copy.playable) == (KUHN, KUHN_TABLE, True)
    assert copy.text.forked_from == version
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def test_only_who_may_look_at_a_match_and_only_where_there_is_a_text(
    host: Actor, guest: Actor, stranger: Actor
) -> None:
    private = start("kuhn", host, guest)
    path = f"/workshop/from/{private.pk}/"
    assert why_refused(stranger.client.post(path)) == BY_LINK
    assert "another one" in stranger.client.get(f"{path}?table={private.table.code}").content.decode()
    native = start("bundles", host, guest, public=True)
    assert why_refused(guest.client.get(f"/workshop/from/{native.pk}/")) == "The rules of this match are not a text."
    assert '"edit": ""' in guest.client.get(f"/replay/{native.pk}/").content.decode()
    hidden = keep(host)
    played = start(hidden.game, host, guest, public=True)
    services.do_hide([hidden.text_id], True, boss())
    guest.client.post(f"/workshop/from/{played.pk}/")
    assert not Text.objects.filter(owner=guest.person).exists()
