"""Only the ``do_...`` functions of each app's ``services`` write, and the ledger of moves.

The list is held here by reading the code; what the tests of this room write is watched as well: see ``conftest.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection

from cardsite.circles.models import Circle, CircleMessage
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.playtests.models import Opinion
from cardsite.table.models import Match, Message
from cardsite.tournaments.models import Tournament
from cardsite.workshop.models import Report, Text
from tests.running_site import ROOT
from tests.site.conftest import Actor, Writes

SITE = ROOT / "cardsite"
# What writes rows: methods of Django's models and managers, and cursors, which could write anything.
METHODS = {
    "save", "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create",
    "create_user", "create_superuser", "set_password", "cursor", "raw", "executemany", "rewrite",
    *(f"a{name}" for name in ("save", "create", "update", "delete", "bulk_create", "bulk_update")),
}  # fmt: skip
SERVICES = {
    "people/services.py": {
        "do_adopt", "do_arrive", "do_change_person", "do_confirm_second_factor", "do_make_administrator",
        "do_find_person", "do_lift", "do_make_recovery_codes", "do_make_token", "do_mark_step", "do_merge_mutes",
        "do_mute", "do_note_seen", "do_prefer", "do_register", "do_remove_people", "do_remove_second_factor",
        "do_rename", "do_restrict", "do_set_vacation", "do_unmute",
    },
    "lobby/services/hosting.py": {
        "do_change_game", "do_fill", "do_make_host", "do_readmit_spectator", "do_remove_spectator",
        "do_set_handicap", "do_set_seat", "do_share_chat",
    },
    "lobby/services/lifecycle.py": {
        "do_begin_playing", "do_change_table", "do_close_idle", "do_create_table", "do_end_playing", "do_end_seek",
        "do_forget_visitors", "do_remove_tables", "do_set_house_table", "do_set_ready", "do_set_up_story",
        "do_close_table", "do_store_wish",
        "do_use_rig",
    },
    "lobby/services/invitations.py": {"do_answer", "do_invite_people", "do_merge_invitations"},
    "lobby/services/presence.py": {
        "do_extend_turns", "do_leave_to_bots", "do_note_gone", "do_note_here", "do_note_still_here", "do_note_turns",
        "do_pass_host", "do_remind", "do_renew_turns", "do_set_away",
    },
    "lobby/services/seeks.py": {"do_give_up_seats", "do_join_seek", "do_plan_start", "do_seek"},
    "lobby/services/seat_requests.py": {
        "do_answer_request", "do_request_seat",
    },
    "lobby/services/seating.py": {
        "do_add_seats", "do_end_request", "do_fill_open_seats", "do_leave_all_seats", "do_leave_double_seats",
        "do_remove_player", "do_remove_seats", "do_restart_series", "do_seat", "do_stand", "do_vacate",
    },
    "table/services/beginnings.py": {"do_begin_daily", "do_choose", "do_keep_earlier_tries"},
    "table/services/moderation.py": {"do_readmit"},
    "table/services/chat.py": {"do_post_message", "do_remove_messages", "do_report_messages", "do_resolve_report"},
    "table/services/chores.py": {
        "do_begin_chore", "do_keep_house_table", "do_note_backup", "do_pack_moves", "do_tidy",
    },
    "table/services/leaving.py": {"do_leave"},
    "table/services/matches.py": {
        "do_concede", "do_drop_match", "do_end_match", "do_note_occupants", "do_remove_matches", "do_set_reveal",
        "do_start_match", "do_store_replay", "do_store_results",
    },
    "table/services/processes.py": {"do_claim", "do_leave_to_bots_in", "do_suspend", "do_sign_in", "do_sign_out"},
    "table/services/takebacks.py": {"do_take_back"},
    "push/services.py": {
        "do_confirm_address", "do_forget_device", "do_hold", "do_remove_address", "do_remove_dead", "do_set_address",
        "do_set_wishes", "do_subscribe", "do_take_held", "do_unsubscribe",
    },
    "circles/services.py": {
        "do_cancel_plan", "do_invite", "do_join", "do_leave", "do_make", "do_merge_memberships",
        "do_note_here", "do_plan", "do_post_message", "do_remove_circles", "do_remove_member",
        "do_remove_messages", "do_rename", "do_renew_token",
        "do_report_messages", "do_resolve_report", "do_set_double", "do_set_ladder",
        "do_set_owner", "do_start_evening", "do_take_from_chat",
    },
    "tournaments/services/entering.py": {
        "do_add_bots", "do_create", "do_join", "do_merge_entries", "do_rejoin", "do_remove", "do_remove_tournaments",
        "do_withdraw", "do_withdraw_blocked",
    },
    "tournaments/services/rounds.py": {
        "do_advance_pairing", "do_begin_round", "do_drop_pairing", "do_end", "do_end_round", "do_make_table",
        "do_note_results", "do_withdraw_absent", "do_withdraw_former_members",
    },
    "playtests/services.py": {"do_answer", "do_forget_notes", "do_keep_one_opinion", "do_remove_opinions"},
    "lab/services.py": {"do_ask_lead", "do_remove_lead", "do_store_lead"},
    "workshop/services.py": {
        "do_allow", "do_count_overrun", "do_count_play", "do_describe", "do_feature", "do_like", "do_hide",
        "do_merge_likes_and_reports", "do_add_version", "do_release_texts",
        "do_publish", "do_remove_reports", "do_remove_texts", "do_remove_unused", "do_report", "do_resolve_reports",
        "do_stop", "do_unpublish", "do_withdraw",
    },
}  # fmt: skip
# The ledger appends moves, whole batches in one commit; the health page asks the database whether it is there; what is
# prepared is SQL that Django has made of a query, and ``rewrite`` is one of the METHODS.
EXCEPTIONS = {
    ("server/ledger.py", "_write"),
    ("front/monitoring.py", "health"),
    ("front/doctor.py", "_query"),  # asks for settings of the database
    ("front/link.py", "png"),  # saves a picture
    ("circles/picture.py", "drawn"),  # another
    ("prepared.py", "all"),
    ("prepared.py", "rewrite"),
}


def writers(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (outermost function, what it calls) for each call in a file that may write rows."""
    for node in ast.parse(path.read_text()).body:
        bodies = node.body if isinstance(node, ast.ClassDef) else [node]
        for outermost in bodies:
            name = getattr(outermost, "name", "<module>")
            for call in ast.walk(outermost):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
                    yield name, call.func.attr


def calls_that_write() -> dict[tuple[str, str], set[str]]:
    """Return what each function of the site calls that may write rows."""
    calls: dict[tuple[str, str], set[str]] = {}
    for path in SITE.rglob("*.py"):
        if "migrations" not in path.parts:
            for function, method in writers(path):
                calls.setdefault((str(path.relative_to(SITE)), function), set()).add(method)
    return calls


def test_only_services_and_the_ledger_write() -> None:
    named = {(file, function) for file, functions in SERVICES.items() for function in functions}
    # ``do_close_abandoned``, ``do_...`` that call others only, are services too, and need not stand here.
    assert set(calls_that_write()) - EXCEPTIONS == named


def test_the_exceptions_write_no_rows_but_moves() -> None:
    calls = calls_that_write()
    assert {exception: calls[exception] for exception in EXCEPTIONS} == {
        ("server/ledger.py", "_write"): {"cursor", "executemany"},
        ("front/monitoring.py", "health"): {"cursor"},
        ("front/doctor.py", "_query"): {"cursor"},
        ("front/link.py", "png"): {"save"},
        ("circles/picture.py", "drawn"): {"save"},
        ("prepared.py", "all"): {"cursor"},
        ("prepared.py", "rewrite"): {"cursor"},
    }


@pytest.mark.parametrize(
    "code",
    [
        "def tidy(): Table.objects.filter(pk=1).delete()",
        "def tidy():\n    def inner(): seat.save()\n    return inner",
        "class Admin:\n    def act(self): people.update(blocked=True)",
        "Seat.objects.create(index=1)",
        "async def tidy(): await Match.objects.aupdate(status='over')",
        "def tidy(): connection.cursor().execute('DELETE FROM lobby_seat')",
    ],
)
def test_a_writer_anywhere_else_is_found(tmp_path: Path, code: str) -> None:
    (tmp_path / "new.py").write_text(code)
    assert list(writers(tmp_path / "new.py"))


def test_administrators_change_and_remove_by_services_alone() -> None:
    ours = [one for model, one in admin.site._registry.items() if model.__module__.startswith("cardsite.")]
    assert {one.model for one in ours} == {
        Person,
        Table,
        Match,
        Message,
        Text,
        Report,
        Opinion,
        Circle,
        CircleMessage,
        Tournament,
    }
    for one in ours:
        may_change = type(one).has_change_permission is admin.ModelAdmin.has_change_permission
        assert ("save_model" in vars(type(one))) is may_change, one
        for name in ("delete_model", "delete_queryset"):
            assert getattr(type(one), name) is not getattr(admin.ModelAdmin, name), one
        for inline in one.inlines:
            assert inline.has_change_permission is not admin.options.InlineModelAdmin.has_change_permission


# -- what is watched while tests run


def test_a_write_by_no_service_is_noticed(writes: Writes, host: Actor) -> None:
    from cardsite.table import rig  # any module of the site: as if this function were one of its own

    code = compile("def tidy(Table):\n    Table.objects.update(seconds=1)\n", rig.__file__, "exec")
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    Table.objects.create(game="bundles")
    assert writes.strays == []
    namespace["tidy"](Table)
    [stray] = writes.strays
    assert 'UPDATE "lobby_table"' in stray
    writes.strays.clear()


def test_a_write_by_a_service_is_none_of_it(writes: Writes, host: Actor) -> None:
    from cardsite.people.services import do_rename

    before = writes.watched
    do_rename(host.person, "Duchess")
    assert writes.watched == before + 1
    assert writes.strays == []
    assert Person.objects.get(pk=host.person.pk).name == "Duchess"
    assert connection.execute_wrappers
