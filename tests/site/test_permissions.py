"""Who may do what at a table: every role and every action, in every state of the table.

``GRIDS`` has a row for each action and a column for each role. A cell is the code of the refusal, or ``ok``. Where it
is ``ok``, the effect of the action is asserted; where it is not, that nothing has changed. ``nothing`` is an action
that is not refused and has no effect; a dot is a cell that cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.utils import timezone

from cardsite.lobby.models import PersonInvitation, Seat, SeatRequest, Table
from cardsite.lobby.services import hosting, lifecycle, presence, seat_requests, seating
from cardsite.people.models import Person, Restriction
from cardsite.playtests.models import Opinion
from cardsite.refusal import Refused
from cardsite.table.models import ChatReport, Match, Message, Move, Player
from cardsite.table.services.chat import do_post_message
from cardsite.table.services.matches import do_start_match
from cardsite.table.views import BUTTONS
from tests.running_site import RunningSite
from tests.site.conftest import ADMIN_PASSWORD, Actor, block, new_guest
from tests.site.grids import OK, cast_of, rows
from tests.site.test_stored_replays import play
from tests.site.visitor import Visitor, begin, play_on

ROLES = ("newcomer", "stranger", "player", "stood-up", "blocked", "removed", "refused", "barred", "host", "staff")
PLAYER, REMOVED, STOOD_UP, BLOCKED, LAST = 1, 2, 3, 4, 5  # the seats where they sit, or sat; the host's is 0

# newcomer  has no name yet
# stranger  has a name, has never been at the table
# stood-up  sat at the table and stood up; in mid-match, so that the seat is kept
# blocked   stood up too, and has been blocked by an administrator since
# removed   the host has asked them to leave
# refused   was removed too, has asked for a seat since, and the host has said no
# barred    was watching, and the host has removed them
# staff     is logged in as an administrator, has never been at the table
GRIDS = {
    Table.Status.OPEN: """
action            newcomer   stranger   player     stood-up   blocked    removed    refused    barred     host       staff
sit               ok         ok         seated     ok         blocked    removed    removed    barred     seated     ok
come-back         taken      taken      taken      taken      blocked    removed    removed    barred     taken      taken
stand             not_seated not_seated ok         not_seated not_seated not_seated not_seated not_seated ok         not_seated
request-seat      ok         ok         seated     ok         blocked    ok         ok         barred     seated     ok
withdraw-request  ok         ok         ok         ok         ok         ok         ok         ok         ok         ok
be-seated         ok         ok         seated     ok         blocked    ok         ok         ok         seated     ok
chat              .          ok         ok         ok         blocked    ok         ok         barred     ok         ok
answer-request    not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
make-host         not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-person     not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-spectator  not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
readmit-spectator not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
add-seat          not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-seat       not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
share-chat        not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
report-chat       ok         ok         ok         ok         ok         ok         ok         barred     ok         ok
invite-person     not_seated not_seated ok         not_seated blocked    not_seated not_seated not_seated ok         not_seated
set-seat          not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
set-handicap      not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
fill              not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
change            not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
start             not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
ready             not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host
end               over       over       over       over       over       over       over       over       over       over
resign            over       over       over       over       over       over       over       over       over       over
take-back         over       over       over       over       over       over       over       over       over       over
close             not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
play-now          ok         ok         ok         ok         blocked    ok         ok         ok         ok         ok
new-table         ok         ok         ok         ok         blocked    ok         ok         ok         ok         ok
story             ok         ok         ok         ok         blocked    ok         ok         ok         ok         ok
daily             ok         ok         ok         ok         blocked    ok         ok         ok         ok         ok
""",  # noqa: E501
    Table.Status.PLAYING: """
action            newcomer   stranger   player     stood-up   blocked    removed    refused    barred     host       staff
sit               playing    playing    playing    playing    blocked    playing    playing    playing    playing    playing
come-back         taken      taken      taken      ok         blocked    removed    removed    barred     taken      taken
stand             not_seated not_seated ok         not_seated not_seated not_seated not_seated not_seated ok         not_seated
request-seat      ok         ok         seated     ok         blocked    ok         ok         barred     seated     ok
withdraw-request  ok         ok         ok         ok         ok         ok         ok         ok         ok         ok
be-seated         ok         ok         seated     ok         blocked    ok         ok         ok         seated     ok
be-promised       ok         ok         seated     ok         blocked    ok         ok         ok         seated     ok
chat              .          ok         ok         ok         blocked    ok         ok         barred     ok         ok
answer-request    not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
make-host         not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-person     not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-spectator  not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
readmit-spectator not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
add-seat          not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
remove-seat       not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
share-chat        not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
report-chat       ok         ok         ok         ok         ok         ok         ok         barred     ok         ok
invite-person     not_seated not_seated ok         not_seated blocked    not_seated not_seated not_seated ok         not_seated
set-seat          not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
set-handicap      not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
fill              not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
change            not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
start             playing    playing    playing    playing    playing    playing    playing    playing    playing    playing
ready             playing    playing    playing    playing    playing    playing    playing    playing    playing    playing
end               not_seated not_seated ok         not_seated not_seated not_seated not_seated not_seated ok         not_seated
resign            not_seated not_seated bad_option not_seated not_seated not_seated not_seated not_seated bad_option not_seated
take-back         not_seated not_seated ok         not_seated not_seated not_seated not_seated not_seated ok         not_seated
opinion           not_yours  not_yours  playing    playing    playing    playing    not_yours  not_yours  playing    not_yours
close             not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   playing    not_host
""",  # noqa: E501
    Table.Status.OVER: """
action            newcomer   stranger   player     stood-up   blocked    removed    refused    barred     host       staff
sit               ok         ok         seated     ok         blocked    removed    removed    barred     seated     ok
come-back         taken      taken      taken      ok         blocked    removed    removed    barred     taken      taken
stand             not_seated not_seated ok         not_seated not_seated not_seated not_seated not_seated ok         not_seated
request-seat      ok         ok         seated     ok         blocked    ok         ok         barred     seated     ok
withdraw-request  ok         ok         ok         ok         ok         ok         ok         ok         ok         ok
be-seated         ok         ok         seated     ok         blocked    ok         ok         ok         seated     ok
promise-kept      ok         ok         ok         ok         nothing    ok         ok         ok         ok         ok
chat              .          ok         ok         ok         blocked    ok         ok         barred     ok         ok
answer-request    not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
make-host         not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-person     not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-spectator  not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
readmit-spectator not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
add-seat          not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
remove-seat       not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
share-chat        not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
report-chat       ok         ok         ok         ok         ok         ok         ok         barred     ok         ok
invite-person     not_seated not_seated ok         not_seated blocked    not_seated not_seated not_seated ok         not_seated
set-seat          not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
set-handicap      not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
fill              not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
change            not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
start             not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
ready             not_seated not_seated ok         not_seated not_seated not_seated not_seated not_seated ok         not_seated
end               over       over       over       over       over       over       over       over       over       over
resign            over       over       over       over       over       over       over       over       over       over
take-back         over       over       over       over       over       over       over       over       over       over
opinion           not_yours  not_yours  ok         ok         ok         ok         not_yours  not_yours  ok         not_yours
close             not_host   not_host   not_host   not_host   not_host   not_host   not_host   not_host   ok         not_host
""",  # noqa: E501
}


# -- the cast


@dataclass
class Scene:
    """A table in some state, and one person of each role."""

    table: Table
    cast: dict[str, Actor]

    @property
    def host(self) -> Person:
        """The host."""
        return self.cast["host"].person

    def press(self, role: str, action: str, **fields: object) -> str:
        """Press a button at the table. Return the code of the refusal, or OK."""
        answered = self.cast[role].client.post(f"/t/{self.table.code}/{action}/", fields)
        answer = answered.json()
        assert answered.status_code == (200 if answer["ok"] else 409)
        assert answer["ok"] or answer["text"]
        return OK if answer["ok"] else str(answer["code"])

    def seat_of(self, role: str) -> int | None:
        """Return where somebody sits, None for nowhere."""
        return self.table.seats.filter(person=self.person(role)).values_list("index", flat=True).first()

    def seat(self, index: int) -> Seat:
        """Return a seat as it is now."""
        return self.table.seats.get(index=index)

    def person(self, role: str) -> Person:
        """Return who that is; a newcomer is the person who came last."""
        return Person.objects.latest("pk") if role == "newcomer" else self.cast[role].person

    def seat_request(self, role: str) -> SeatRequest | None:
        """Return what is noted of somebody's request for a seat, None for nothing."""
        return SeatRequest.objects.filter(table=self.table, person=self.person(role)).first()

    def reread(self) -> Table:
        """Return the table as it is now."""
        self.table.refresh_from_db()
        return self.table

    def end_match(self) -> None:
        """End the match that is being played, without a winner."""
        Match.objects.filter(table=self.table).update(status=Match.Status.OVER)
        lifecycle.do_end_playing(self.table.pk)


def make(status: str, *, public: bool = True, sealed: bool = False) -> Scene:
    """Make a table in that state, with all roles around it."""
    cast = cast_of(ROLES)
    host = cast["host"].person
    table = Table.objects.create(game="hamsterdam", host=host, opened_by=host, public=public, sealed=sealed)
    scene = Scene(table, cast)
    for index, role in enumerate(("host", "player", "removed", "stood-up", "blocked")):
        Seat.objects.create(table=table, index=index, person=cast[role].person)
    Seat.objects.create(table=table, index=LAST)
    if status != Table.Status.OPEN:
        do_start_match(table.code, host)
    for role in ("stood-up", "blocked"):
        seating.do_stand(table.code, cast[role].person)
    hosting.do_remove_from_table(table.code, host, REMOVED)
    SeatRequest.objects.create(table=table, person=cast["refused"].person, answer="", removed=True)
    seat_requests.do_request_seat(table.code, cast["refused"].person)
    seat_requests.do_answer_request(table.code, host, cast["refused"].person.pk, "no")
    hosting.do_remove_spectator(table.code, host, cast["barred"].person.pk)
    block(cast["blocked"].person)
    for actor in cast.values():
        if actor.person.pk:
            actor.person.refresh_from_db()
    if status == Table.Status.OVER:
        scene.end_match()
        hosting.do_set_seat(table.code, host, LAST, "open")
    return scene


def stored_rows() -> list[object]:
    """Return all that an action could change."""
    rows = (
        Table.objects.all(),
        Seat.objects.all(),
        SeatRequest.objects.all(),
        Match.objects.all(),
        Message.objects.all(),
        ChatReport.objects.all(),
        PersonInvitation.objects.all(),
        Opinion.objects.all(),
    )
    return [list(each.order_by("pk").values()) for each in rows]


# -- the actions


@dataclass(frozen=True)
class Action:
    """What people may try. ``press`` returns the code of the refusal, or OK; ``effect`` what is true then."""

    press: Callable[[Scene, str], str]
    effect: Callable[[Scene, str], bool]
    prepare: Callable[[Scene, str], object] = lambda scene, role: None


def button(action: str, effect: Callable[[Scene, str], bool], **fields: object) -> Action:
    """Return the action of a button of the table."""
    return Action(lambda scene, role: scene.press(role, action, **fields), effect)


def sits(scene: Scene, role: str) -> bool:
    """Whether somebody sits at the table, and nothing is noted of them any more."""
    return scene.seat_of(role) is not None and scene.seat_request(role) is None


def waits(scene: Scene, role: str) -> bool:
    """Whether somebody waits for an answer of the host."""
    seat_request = scene.seat_request(role)
    return seat_request is not None and seat_request.answer == SeatRequest.Answer.WAITS


def set_request(answer: str, scene: Scene, role: str) -> None:
    """Have anybody request a seat, or be promised one."""
    person = new_guest(role).person if role == "newcomer" else scene.person(role)
    SeatRequest.objects.update_or_create(table=scene.table, person=person, defaults={"answer": answer})


def answered(answer: str, scene: Scene, role: str) -> str:
    """Have the host answer a person who asks for a seat."""
    return scene.press("host", "answer-request", person=scene.person(role).pk, answer=answer)


def answer_another(scene: Scene, role: str) -> str:
    """Answer the stranger, or the staff, who asks for a seat."""
    return scene.press(role, "answer-request", person=scene.person(_other(role)).pk, answer="no")


def _other(role: str) -> str:
    return "staff" if role == "stranger" else "stranger"


def have_played(scene: Scene, role: str) -> None:
    """Let a person of that role have finished a match with a friend, at a table that was found by its link."""
    friend = Person.objects.create(name="friend")
    table = Table.objects.create(game="bundles", public=False, status=Table.Status.CLOSED)
    rows = {"number": 1, "game": "bundles", "seed": "00", "seconds": 60, "sealed": False}
    match = Match.objects.create(table=table, status=Match.Status.OVER, finished=timezone.now(), **rows)
    for seat, person in enumerate((friend, new_guest(role).person if role == "newcomer" else scene.person(role))):
        Player.objects.create(match=match, seat=seat, person=person, name=person.name)


def say(scene: Scene, role: str) -> str:
    """Say something at the table."""
    try:
        do_post_message(scene.table.code, scene.person(role).pk, scene.seat_of(role), "hello", 1)
    except Refused as refusal:
        return refusal.code
    return OK


def was_said(scene: Scene, role: str) -> bool:
    """Whether that was said, in the room of the players by those who play."""
    room = Message.ChatRoom.PLAYERS if role in ("host", "player") else Message.ChatRoom.SPECTATORS
    return Message.objects.get(person=scene.person(role)).room == room


PLY = 1


def take_back(scene: Scene, role: str) -> str:
    """Make a move, for a person who plays, and ask to take it back."""
    seat, match = scene.seat_of(role), scene.table.matches.filter(status=Match.Status.RUNNING).first()
    if match and seat is not None:
        Move.objects.create(match=match, ply=PLY, seat=seat, text="offer 1", by="person", at=1)
    return scene.press(role, "take-back")


def answer_questions(scene: Scene, role: str) -> str:
    """Say that the match was fun."""
    match = Match.objects.get(table=scene.table)
    answer = scene.cast[role].client.post(f"/replay/{match.pk}/opinion/", {"fun": 5}).json()
    return OK if answer["ok"] else str(answer["code"])


CODES = {  # what pages answer with a sentence only
    "Only the host can do that.": "not_host",
    "A match is in progress. Wait until it ends.": "playing",
    "An administrator has blocked you: you may watch, but not sit down or chat.": "blocked",
}


def form(path: str, scene: Scene, role: str, **fields: object) -> str:
    """Send the form of a page that answers with another page. Return the code of the refusal, or OK."""
    answer = scene.cast[role].client.post(path.format(code=scene.table.code), fields)
    if answer.status_code == 400:
        return next(code for text, code in CODES.items() if text in answer.content.decode())
    assert answer.status_code == 302
    messages = [str(message) for message in get_messages(answer.wsgi_request)]
    return CODES[messages[-1]] if messages else OK


def change(scene: Scene, role: str) -> str:
    """Choose another clock."""
    return form("/t/{code}/change/?game=hamsterdam", scene, role, game="hamsterdam", seconds=900, sealed="no")


def opened(scene: Scene, role: str) -> bool:
    """Whether somebody has opened one more table."""
    return Table.objects.exclude(pk=scene.table.pk).filter(opened_by=scene.person(role)).count() == 1


NEW = {"seat0": "me", "seat1": "house", **{f"seat{n}": "none" for n in range(2, 6)}}
NEW |= {"visibility": "link", "sealed": "yes", "seconds": "60"}

ACTIONS = {
    "sit": button("sit", sits),
    "come-back": button("come-back", lambda scene, role: scene.seat_of(role) == STOOD_UP and sits(scene, role)),
    "stand": button("stand", lambda scene, role: scene.seat_of(role) is None),
    "request-seat": button("request-seat", waits),
    "withdraw-request": Action(
        lambda scene, role: scene.press(role, "withdraw-request"),
        lambda scene, role: not waits(scene, role),
        partial(set_request, SeatRequest.Answer.WAITS),
    ),
    # The host answers a person of that role.
    "be-seated": Action(partial(answered, "now"), sits, partial(set_request, SeatRequest.Answer.WAITS)),
    "be-promised": Action(
        partial(answered, "next"),
        lambda scene, role: sits(scene, role) or SeatRequest.objects.get(person=scene.person(role)).answer == "next",
        partial(set_request, SeatRequest.Answer.WAITS),
    ),
    # The host has promised a seat to a person of that role, and begins the next match.
    "promise-kept": Action(
        lambda scene, role: scene.press("host", "start"), sits, partial(set_request, SeatRequest.Answer.NEXT)
    ),
    "chat": Action(say, was_said),
    # What only the host may do.
    "answer-request": Action(
        answer_another,
        lambda scene, role: not (scene.seat_request(_other(role)) or SeatRequest()).open,
        lambda scene, role: set_request(SeatRequest.Answer.WAITS, scene, _other(role)),
    ),
    "make-host": button("make-host", lambda scene, role: scene.reread().host == scene.person("player"), seat=PLAYER),
    "remove-person": button("remove-person", lambda scene, role: scene.seat(PLAYER).kind == "bot", seat=PLAYER),
    "remove-spectator": Action(
        lambda scene, role: scene.press(role, "remove-spectator", person=scene.person(_other(role)).pk),
        lambda scene, role: SeatRequest.objects.get(person=scene.person(_other(role))).barred,
    ),
    "add-seat": Action(
        lambda scene, role: scene.press(role, "add-seat"),
        lambda scene, role: scene.table.seats.count() == 6,
        lambda scene, role: scene.seat(LAST).delete(),
    ),
    "remove-seat": button("remove-seat", lambda scene, role: scene.table.seats.count() == 5, seat=LAST),
    "share-chat": button("share-chat", lambda scene, role: scene.reread().together),
    # Something was said to all.
    "report-chat": Action(
        lambda scene, role: scene.press(role, "report-chat", messages=Message.objects.latest("pk").pk, why="rude"),
        lambda scene, role: ChatReport.objects.get().person == scene.person(role),
        lambda scene, role: Message.objects.create(table=scene.table, room=Message.ChatRoom.ALL, text="x", at=0),
    ),
    "readmit-spectator": Action(
        lambda scene, role: scene.press(role, "readmit-spectator", person=scene.person("barred").pk),
        lambda scene, role: scene.seat_request("barred") is None,
    ),
    # Somebody with whom a person of that role has played at another table.
    "invite-person": Action(
        lambda scene, role: scene.press(role, "invite-person", person=Person.objects.get(name="friend").pk),
        lambda scene, role: PersonInvitation.objects.get(table=scene.table).by == scene.person(role),
        have_played,
    ),
    "set-seat": button("set-seat", lambda scene, role: scene.seat(LAST).bot == "random", seat=LAST, kind="random"),
    "set-handicap": button("set-handicap", lambda scene, role: scene.seat(LAST).handicap == 2, seat=LAST, amount=2),
    "fill": button("fill", lambda scene, role: not scene.table.seats.filter(person=None, bot="").exists()),
    "start": button("start", lambda scene, role: scene.reread().status == Table.Status.PLAYING),
    "change": Action(change, lambda scene, role: scene.reread().seconds == 900),
    "close": button("close", lambda scene, role: scene.reread().status == Table.Status.CLOSED),
    # What all who sit there do together.
    "ready": button("ready", lambda scene, role: bool(scene.table.seats.get(person=scene.person(role)).ready)),
    "end": button("end", lambda scene, role: scene.table.seats.get(person=scene.person(role)).ends),
    "resign": button("resign", lambda scene, role: False),  # not at a table of six: see test_resignation.py
    "take-back": Action(
        take_back, lambda scene, role: scene.table.seats.get(person=scene.person(role)).take_back == PLY
    ),
    # Of the last match; the note is for its designer.
    "opinion": Action(answer_questions, lambda scene, role: Opinion.objects.get().person == scene.person(role)),
    # Tables of one's own, from wherever.
    "play-now": Action(partial(form, "/play/hamsterdam/"), opened),
    "new-table": Action(lambda scene, role: form("/new/?game=hamsterdam", scene, role, **NEW), opened),
    "story": Action(partial(form, "/favour/hamsterdam/"), opened),
    "daily": Action(partial(form, "/daily/thief/"), opened),
}


def cells(grid: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row of a grid: its name, and the cell of each role, without those that cannot be."""
    head, *lines = rows(grid)
    for name, *result in lines:
        yield name, {role: cell for role, cell in zip(head[1:], result, strict=True) if cell != "."}


def outcome(scene: Scene, action: Action, role: str) -> str:
    """Try an action, compare what has changed, and undo it. Return the code of the refusal, or OK."""
    with transaction.atomic():
        action.prepare(scene, role)
        before = stored_rows()
        code = action.press(scene, role)
        if code == OK and not action.effect(scene, role):
            code = "nothing"
        elif code != OK and stored_rows() != before:
            code += ", and something has changed"
        transaction.set_rollback(True)
    scene.reread()
    scene.cast[role].client.cookies.pop("messages", None)
    return code


@pytest.mark.parametrize("status", GRIDS)
def test_each_role_may_do_what_the_grid_says(status: Table.Status, db: None) -> None:
    scene = make(status)
    for action, wanted in cells(GRIDS[status]):
        assert {role: outcome(scene, ACTIONS[action], role) for role in wanted} == wanted, action


def test_every_button_of_a_table_is_in_the_grids() -> None:
    elsewhere = {"name", "choose"}  # takes the name that comes with any button; belongs to a story alone
    assert set(BUTTONS) - elsewhere <= {action.replace("-", "_") for action in ACTIONS}
    assert {action for grid in GRIDS.values() for action, _ in cells(grid)} == set(ACTIONS)


@pytest.mark.parametrize("status", GRIDS)
def test_a_person_who_opened_a_table_and_handed_it_on_may_do_no_more_than_a_stranger(
    status: Table.Status, db: None
) -> None:
    scene = make(status)
    opener = scene.cast["opener"] = new_guest("opener")
    Table.objects.update(opened_by=opener.person)
    wanted = {action: codes["stranger"] for action, codes in cells(GRIDS[status])}
    assert {action: outcome(scene, ACTIONS[action], "opener") for action in wanted} == wanted


# -- replays, and what if


# A number is the seat from which somebody looks, "watch" none, "up" all hands.
REPLAYS = """
match        newcomer   stranger   player     stood-up   blocked    removed    refused    barred     host       staff
playing      404        404        1          watch      watch      watch      404        404        0          watch,up
playing,link watch      watch      1          watch      watch      watch      watch      watch      0          watch,up
over         404        404        1          3          4          2          404        404        0          watch,up
over,link    watch      watch      1          3          4          2          watch      watch      0          watch,up
sealed       404        404        1,up       3,up       4,up       2,up       404        404        0,up       watch,up
sealed,link  watch,up   watch,up   1,up       3,up       4,up       2,up       watch,up   watch,up   0,up       watch,up
"""
WHAT_IFS = """
match        newcomer   stranger   player     stood-up   blocked    removed    refused    barred     host       staff
playing      404        404        playing    playing    playing    playing    404        404        playing    playing
playing,link playing    playing    playing    playing    playing    playing    playing    playing    playing    playing
over         404        404        not_open   not_open   not_open   not_open   404        404        not_open   not_open
over,link    not_open   not_open   not_open   not_open   not_open   not_open   not_open   not_open   not_open   not_open
sealed       404        404        ok         ok         blocked    ok         404        404        ok         ok
sealed,link  ok         ok         ok         ok         blocked    ok         ok         ok         ok         ok
"""


def played(state: str) -> tuple[Scene, Match, dict[str, str]]:
    """Return a private table with a match of two moves, the match, and the query of the link."""
    what, _, link = state.partition(",")
    scene = make(Table.Status.PLAYING, public=False, sealed=what == "sealed")
    match = Match.objects.get()
    play(match, 2)
    if what != "playing":
        scene.end_match()
    return scene, match, {"table": scene.table.code} if link else {}


@pytest.mark.parametrize(("state", "wanted"), list(cells(REPLAYS)))
def test_a_replay_is_seen_from_the_seat_that_is_ones_own(state: str, wanted: dict[str, str], db: None) -> None:
    scene, match, query = played(state)

    def look(role: str) -> str:
        answer = scene.cast[role].client.get(f"/replay/{match.pk}/frames.json", query)
        if answer.status_code == 404:
            return "404"
        seen = answer.json()
        return ("watch" if seen["seat"] is None else str(seen["seat"])) + (",up" if seen["face_up"] else "")

    assert {role: look(role) for role in ROLES} == wanted


@pytest.mark.parametrize(("state", "wanted"), list(cells(WHAT_IFS)))
def test_people_play_on_from_a_match_whose_deal_they_may_know(state: str, wanted: dict[str, str], db: None) -> None:
    scene, match, query = played(state)

    def press(scene: Scene, role: str) -> str:
        form = {"move": 1, "seat": 0}
        answer = scene.cast[role].client.post(f"/replay/{match.pk}/play/", form, query_params=query)
        if answer.status_code == 404:
            return "404"
        return OK if answer.json()["ok"] else str(answer.json()["code"])

    assert {role: outcome(scene, Action(press, opened), role) for role in ROLES} == wanted


# -- a login


def log_in(scene: Scene, role: str) -> None:
    """Have a guest log in as the account of ``staff``."""
    form = {"username": "boss", "password": ADMIN_PASSWORD}
    assert scene.cast[role].client.post("/people/login/", form).status_code == 302


@pytest.mark.parametrize("role", ["removed", "refused"])
def test_a_guest_who_was_removed_does_not_sit_down_by_logging_in(role: str, db: None) -> None:
    scene = make(Table.Status.OPEN)
    seat_requests.do_request_seat(scene.table.code, scene.person("staff"))
    log_in(scene, role)
    assert scene.press(role, "sit") == "removed"
    assert waits(scene, "staff")  # what the account had asked for stands
    assert scene.press("host", "answer-request", person=scene.person("staff").pk, answer="now") == OK
    assert sits(scene, "staff")


def test_a_guest_who_was_removed_does_not_come_back_to_a_seat_that_is_kept_for_the_account(db: None) -> None:
    scene = make(Table.Status.PLAYING)
    Seat.objects.filter(index=LAST).update(held_for=scene.person("staff"))
    log_in(scene, "removed")
    assert scene.press("removed", "come-back") == "removed"


def test_a_person_who_is_removed_does_not_come_back_to_a_seat_from_before_the_login(db: None) -> None:
    scene = make(Table.Status.PLAYING)
    Seat.objects.filter(index=LAST).update(person=scene.person("staff"), bot="")
    log_in(scene, "stood-up")  # now a second seat is kept for the account
    assert scene.press("host", "remove-person", seat=LAST) == OK
    assert scene.press("stood-up", "come-back") == "removed"


@pytest.mark.parametrize("asks", ["stranger", "staff"])
def test_a_promise_to_a_person_who_sits_there_after_the_login_does_not_stop_the_next_match(asks: str, db: None) -> None:
    scene = make(Table.Status.OPEN)
    sitting = "staff" if asks == "stranger" else "stranger"
    seating.do_sit(scene.table.code, scene.person(sitting), LAST)
    set_request(SeatRequest.Answer.NEXT, scene, asks)
    log_in(scene, "stranger")
    assert scene.press("host", "start") == OK
    assert scene.seat_of("staff") == LAST
    assert scene.seat_request("staff") is None


def test_a_guest_who_was_blocked_gains_no_access_by_logging_in(db: None) -> None:
    scene = make(Table.Status.PLAYING)
    log_in(scene, "blocked")
    for action in ("sit", "come-back", "request-seat"):
        assert scene.press("blocked", action) == "blocked"


# -- the host's role


def leaves(scene: Scene) -> None:
    """Have the host stand up."""
    assert scene.press("host", "stand") == OK


def is_gone(scene: Scene) -> None:
    """Let the host be gone for long."""
    Table.objects.update(host_seen=timezone.now() - timedelta(minutes=10))
    presence.do_pass_hosts()


@pytest.mark.parametrize("goes", [leaves, is_gone])
def test_the_host_s_role_goes_to_a_person_who_is_here(goes: Callable[[Scene], None], db: None) -> None:
    scene = make(Table.Status.OPEN)
    seating.do_sit(scene.table.code, scene.person("stranger"), LAST)
    Seat.objects.filter(index=PLAYER).update(seen=timezone.now() - timedelta(minutes=5))
    Seat.objects.filter(index=LAST).update(seen=timezone.now())
    goes(scene)
    assert scene.reread().host == scene.person("stranger")


def test_the_host_s_role_stays_where_the_last_person_leaves_while_it_is_passed_on(db: None) -> None:
    scene = make(Table.Status.OPEN)
    Seat.objects.filter(index=PLAYER).update(seen=timezone.now())
    asked = 0

    def leave(execute: Callable[..., object], sql: str, *given: object) -> object:
        nonlocal asked
        asked += 'FROM "lobby_table"' in sql
        if asked == 2:
            asked += 1
            Seat.objects.filter(index=PLAYER).update(seen=None)
        return execute(sql, *given)

    with connection.execute_wrapper(leave):
        is_gone(scene)
    assert asked == 3
    assert scene.reread().host == scene.host


# -- on the socket; ``tests/services`` tries the same through two processes


MESSAGES = """
message      newcomer   stranger   stood-up   blocked    removed
chat         no_name    ok         ok         blocked    ok
move         not_seated not_seated not_seated not_seated not_seated
why          not_seated not_seated not_seated not_seated not_seated
ready        not_seated playing    playing    playing    playing
"""
BUTTONS_THERE = """
button       newcomer   stranger   blocked    removed    stood-up
sit          .          playing    blocked    playing    playing
come-back    .          taken      blocked    removed    ok
"""


def test_a_socket_may_do_what_the_seat_allows_that_its_person_has_now(site: RunningSite, site_db: str) -> None:
    try_the_sockets(site, site, site_db)


def try_the_sockets(first: RunningSite, second: RunningSite, site_db: str) -> None:
    """Try each message and button through ``second``, after the host and others did theirs through ``first``."""
    host = Visitor(first, "Hostess")
    code = host.open_table("me", "open", "open", "open", "open")
    cast = {role: Visitor(second, f"The {role}") for role in ("player", "removed", "stood-up", "blocked")}
    for visitor in cast.values():
        visitor.must(code, "sit")
    cast |= {"stranger": Visitor(second, "Stranger"), "newcomer": Visitor(second)}
    cast["stranger"].post("/people/me/name/", name="Stranger")
    mine, sockets = host.connect(code), {role: visitor.connect(code) for role, visitor in cast.items()}
    match = begin(code, host, mine, *sockets.values())
    host.must(code, "remove-person", seat=REMOVED)
    for role in ("stood-up", "blocked"):
        cast[role].site = first
        cast[role].must(code, "stand")
        cast[role].site = second
    cast["blocked"].must(code, "request-seat")
    person = mine.table["seats"][BLOCKED]["person"]
    Restriction.objects.using(site_db).create(person_id=person, kind="blocked")
    for role in ("removed", "stood-up", "blocked"):
        socket = sockets[role]
        socket.until(lambda ws=socket: ws.seat is None and ws.view["seat"] is None)  # type: ignore[misc]
    fields: dict[str, dict[str, object]] = {
        "chat": {"text": "hello"},
        "move": {"match": match, "decision": 0, "move": "x"},
        "why": {"match": match, "touched": "seat:0"},
        "ready": {},
    }
    for kind, wanted in cells(MESSAGES):
        answers = {role: sockets[role].ask(kind, **fields[kind]) for role in wanted}
        assert {role: answer.get("code", OK) for role, answer in answers.items()} == wanted, kind
    for action, wanted in cells(BUTTONS_THERE):
        assert {role: cast[role].press(code, action).get("code", OK) for role in wanted} == wanted, action
    assert host.press(code, "answer-request", person=person, answer="now")["code"] == "blocked"
    sockets["stood-up"].until(lambda: sockets["stood-up"].view["seat"] == STOOD_UP)
    play_on([mine, sockets["player"], sockets["stood-up"]], plies=3)
    assert {line["room"] for line in sockets["stranger"].chat} == {"spectators"}
    assert not sockets["player"].chat
    for ws in (mine, *sockets.values()):
        ws.close()
